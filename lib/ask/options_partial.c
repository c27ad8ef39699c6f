/* options_partial.c - --partial: what goes with it, and how its rows are read. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "options_table.h"

/* A file with a shard's name a line, as blocks have it. */
static void
expected_names(struct dp_options *o, const char *path)
{
	struct dp_buf b = { .p = NULL };
	size_t n, at;
	char *text = dp_options_read("expect", path, &n), *line, *end, *from = text;

	if (memchr(text, '\0', n) != NULL)
		dp_die(DP_EX_USAGE, "--expect: %s: a name has a NUL byte", path);
	dp_buf_puts(&b, "\n");
	while ((line = strsep(&from, "\n")) != NULL) {
		for (end = line + strlen(line); end > line && end[-1] == '\r'; )
			*--end = '\0';
		if (*line == '\0')
			continue;
		at = b.n;
		dp_buf_escaped(&b, line);
		dp_buf_puts(&b, "\n");
		if (b.error == 0 && memmem(b.p, at, b.p + at - 1, b.n - at + 1) != NULL)
			dp_die(DP_EX_USAGE, "--expect: %s: a name is there twice", path);
		o->shard.expect++;
	}
	if (b.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	o->shard.expected = dp_options_keep(o, b.p + 1, b.n - 1);
	dp_buf_free(&b);
	free(text);
	if (o->shard.expect == 0)
		dp_die(DP_EX_USAGE, "--expect: %s: no names", path);
}

void
dp_options_expect(struct dp_options *o, const char *s)
{
	o->shard.expect = 0;
	o->shard.expected = NULL;
	if (*s == '@')
		expected_names(o, s + 1);
	else if (dp_u64_parse(&o->shard.expect, s, 1, 1000000) != 0)
		dp_die(DP_EX_USAGE, "--expect: '%s' must be a number of shards, or @FILE with one "
		    "name a line", s);
}

void
dp_options_partial(struct dp_options *o)
{
	static const int reader[] = { 'u', 'k', 'v', 'm', 't', OPT_FORMAT, 'F', OPT_CSV, OPT_TSV,
	    'H', OPT_CUT, OPT_LOG, OPT_JSON, OPT_WHERE, OPT_STRICT, OPT_COLUMNS, OPT_ONES };
	size_t i;

	need(o->shard.partial || o->shard.expect == 0,
	    "--expect says how many shards --partial adds up, and needs it");
	if (!o->shard.partial)
		return;
	for (i = 0; i < sizeof reader / sizeof reader[0]; i++)
		if (o->given[reader[i]])
			dp_die(DP_EX_USAGE, "--%s: refused with --partial (events were read by "
			    "dpmap)%s", dp_table_name(reader[i], NULL), reader[i] == 'k' ?
			    "; give --keys without --key, the same as dpmap's" : "");
	if (o->time.bucket == 0 || o->time.steps != DP_BY_RANGE)
		dp_die(DP_EX_USAGE, "--partial needs --bucket, --from and --to, or --once");
	if (o->shard.by_user != (o->users.most != 0))
		dp_die(DP_EX_USAGE, o->shard.by_user ?
		    "--partial=by-user needs --per-user, dpmap's" :
		    "--per-user: needs --partial=by-user, which says that all lines of a user are "
		    "in one shard (else each shard may count as many of them)");
	if (o->shard.by_user && !o->users.per_step && o->keep.state != NULL)
		dp_die(DP_EX_USAGE, "--partial=by-user: refused with --state (no dpmap knows what "
		    "an earlier one has counted of a user), but for --per-user=K/step");
	if (o->users.spacing_text != NULL)
		dp_die(DP_EX_USAGE, "--per-user=K/B: refused with --partial (a dpmap does not know "
		    "a user's last event of another one)");
	o->form.delimiter = '\t';
	o->time.field.number = DP_PARTIAL_TIME;
	o->time.format = "iso";
	o->keys.field.number = o->keys.n != 0 ? DP_PARTIAL_KEY : 0;
	o->form.value.number = DP_PARTIAL_SUM;
}

static const char *
values(const struct dp_options *o)
{
	(void)o;
	return "identifiers, as their texts";
}

const struct dp_tool *
dp_options_identifiers(struct dp_options *o, const struct dp_tool *tool)
{
	static const int refused[] = { 'k', OPT_KEYS, OPT_OTHER, 'r', OPT_UNIT, 'm', 'u', 'c' };
	static struct dp_tool own;
	size_t i;

	for (i = 0; tool->own != NULL && tool->own[i].name != NULL; i++)
		if (strcmp(tool->own[i].name, "identifiers") == 0)
			break;
	if (!tool->map || tool->own[i].name == NULL || o->own[i].text == NULL)
		return tool;
	for (i = 0; i < sizeof refused / sizeof refused[0]; i++)
		if (o->given[refused[i]])
			dp_die(DP_EX_USAGE, "--identifiers: refused with --%s: a line is an "
			    "identifier, the field that -v names", dp_table_name(refused[i], NULL));
	o->shard.identifiers = true;
	own = *tool;
	own.shape = DP_SHAPE_NAME;
	own.words.reads = "identifier";
	own.words.values = values;
	return &own;
}
