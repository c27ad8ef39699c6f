/* options_form.c - lines that have a form of their own (--cut, --log, --json). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options_table.h"

/* Each as the options that it stands for. */
static _Noreturn void
list_logs(void)
{
	const struct dp_log *l;
	unsigned i;

	for (i = 0; (l = dp_log_get(i)) != NULL; i++)
		printf("%s\t--cut='%s' --time-format='%s'\n", l->name, l->pattern, l->time_format);
	exit(dp_close_stdout());
}

static _Noreturn void
no_log(const char *s)
{
	const struct dp_log *l;
	char known[200] = "";
	size_t n = 0;
	unsigned i;

	for (i = 0; (l = dp_log_get(i)) != NULL; i++)
		n += (size_t)snprintf(known + n, sizeof known - n, "%s%s",
		    i == 0 ? "" : ", ", l->name);
	if (strcmp(s, "iis") == 0 || strcmp(s, "w3c") == 0)
		dp_die(DP_EX_USAGE, "--log: '%s' is none of %s: logs that begin with #Fields are "
		    "read with -H in place of --log", s, known);
	dp_die(DP_EX_USAGE, "--log: '%s' is none of %s (%s--log=list prints their patterns)", s,
	    known, strcmp(s, "nginx") == 0 || strcmp(s, "apache") == 0 ?
	    "its access log is combined; " : "");
}

void
dp_options_log(struct dp_options *o, const char *s)
{
	if (strcmp(s, "list") == 0)
		list_logs();
	if ((o->form.log = dp_log_find(s)) == NULL)
		no_log(s);
	o->form.cut = o->form.log->pattern;
}

bool
dp_options_formed(const struct dp_options *o)
{
	return o->form.cut != NULL || o->form.json;
}

/*
 * A,B: several fields, or one of that name where there is a header.  A header's names are not known
 * yet: what cannot be a list of names is one name there.
 */
static void
set_several(struct dp_options *o, struct dp_fields *s, const struct dp_field *f,
    const char *option)
{
	char *text, *next;

	if (f->name == NULL || s->whole || strchr(f->name, ',') == NULL)
		return;
	for (text = dp_options_keep(o, f->name, strlen(f->name)); text != NULL; text = next) {
		if ((next = strchr(text, ',')) != NULL)
			*next++ = '\0';
		if (o->form.header && (s->n == DP_KEY_FIELDS ||
		    text[strspn(text, "0123456789")] == '\0')) {
			s->n = 0;
			return;
		}
		need(s->n < DP_KEY_FIELDS, "%s: '%s' has more than %d fields", option, f->name,
		    DP_KEY_FIELDS);
		dp_options_field(&s->part[s->n++], option, text);
	}
}

void
dp_options_complete(struct dp_options *o)
{
	set_several(o, &o->users.several, &o->users.field, "--user");
	set_several(o, &o->form.several, &o->form.value, "--value");
	dp_options_where(o);
	dp_options_spacing(o);
	/* one step in all: K in each is K, and all of a user is protected */
	if (o->time.once && o->keep.state == NULL)
		o->users.per_step = false;
	if (o->form.log == NULL)
		return;
	if (dp_options_timed(o) && o->time.field.number == 0)
		o->time.field = (struct dp_field){ "time", 1 };
	if (o->time.format == NULL && o->time.field.name != NULL &&
	    strcmp(o->time.field.name, "time") == 0)
		o->time.format = o->form.log->time_format;
}

/* True: an option says what separates fields, or what names them. */
static bool
separates(int c)
{
	return c == 'F' || c == 'H' || c == OPT_CSV || c == OPT_TSV;
}

static bool
forms(int c)
{
	return c == OPT_CUT || c == OPT_LOG || c == OPT_JSON;
}

bool
dp_options_cuts(int c)
{
	return forms(c) || separates(c);
}

bool
dp_options_apart(int c, int d)
{
	if (c == d)
		return false;
	if (forms(c) || forms(d))
		return dp_options_cuts(c) && dp_options_cuts(d);
	return (c == OPT_TSV && (d == OPT_CSV || d == 'F')) ||
	    (d == OPT_TSV && (c == OPT_CSV || c == 'F'));
}
