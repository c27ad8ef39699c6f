/*
 * keys.c - faults of declared keys: unreadable ones, and those that look alike in the output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "keys.h"
#include "relation.h"
#include "stream/names.h"
#include "stream/record.h"

const char *
dp_keys_line(const char **p, size_t *n)
{
	const size_t marks = dp_record_marks(*p, *p + *n);

	*p += marks;
	*n -= marks;
	while (*n > 0 && ((*p)[*n - 1] == '\n' || (*p)[*n - 1] == '\r'))
		--*n;
	return memchr(*p, '\0', *n) != NULL ? "a key holds a NUL byte (is the file UTF-16?)" : NULL;
}

bool
dp_keys_utf8(const char *text)
{
	const char *const end = text + strlen(text);
	uint32_t c;
	size_t n;

	for (; text < end; text += n)
		if ((n = dp_utf8(&c, text, end)) == 0)
			return false;
	return true;
}

static const char *
check_key(const struct dp_options *o, const char *key, bool column)
{
	if (o->print.format == DP_JSON)
		return dp_keys_utf8(key) ? NULL : "a key is not UTF-8, which -o json needs";
	if (o->print.format == DP_PROMETHEUS)
		return dp_keys_utf8(key) ? NULL : "a key is not UTF-8, which -o prometheus needs";
	if (o->print.format == DP_LONG)
		return NULL;
	if (o->print.format != DP_CSV && key[strcspn(key, "\t\n\r")] != '\0')
		return "a key holds a tab or the end of a line: use -o csv or json";
	if (column && o->print.format != DP_PLAIN &&
	    (strcmp(key, "time") == 0 || strcmp(key, "step") == 0))
		return "'time' and 'step' are names of other columns: use -o plain or json";
	return NULL;
}

const char *
dp_keys_objection(const struct dp_options *o, const char *text)
{
	return check_key(o, text, false);
}

int
dp_keys_check(const struct dp_options *o, const struct dp_tool *tool, const char **why)
{
	static const char *const suffix[] = { "", "_lo", "_hi" };
	const size_t outputs = o->outputs > 1 ? o->outputs : 1;
	const bool column = dp_options_keyed(o, tool) && o->print.top == 0;
	const bool table = o->print.format == DP_TSV || o->print.format == DP_CSV;
	const size_t bounds = table && o->print.confidence > 0 ? 3 : 1;
	size_t n = 0, i, j, k;
	char **name;
	int e = 0;

	*why = NULL;
	if (tool->shape == DP_SHAPE_ID || tool->rows != NULL)
		return 0;		/* never printed */
	for (i = 0; i < o->keys.n; i++)
		if ((*why = check_key(o, o->keys.name[i], column)) != NULL)
			return DP_EINVAL;
	if (!column || o->print.format == DP_PLAIN || dp_options_tidy(o) ||
	    outputs * bounds == 1)
		return 0;		/* keys differ */
	if ((name = calloc(o->keys.n * outputs * bounds, sizeof *name)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < o->keys.n && e == 0; i++)
		for (j = 0; j < outputs && e == 0; j++)
			for (k = 0; k < bounds && e == 0; k++)
				if (asprintf(&name[n], "%s%s%s%s", o->keys.name[i],
				    outputs > 1 ? "_" : "",
				    outputs > 1 ? o->output[j].name : "", suffix[k]) < 0)
					e = DP_ENOMEM;
				else
					n++;
	if (e == 0 && dp_names_twice(name, n, &e) != NULL) {
		*why = "two columns would have one name";
		e = DP_EINVAL;
	}
	while (n > 0)
		free(name[--n]);
	free(name);
	return e;
}
