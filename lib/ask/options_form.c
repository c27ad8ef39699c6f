/*
 * options_form.c - lines that have a form of their own (--cut, --log, --json), and which of them
 * are events (--where).
 */
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

#define NAME	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.@-"

/* True: a pattern has a group of this name: (?<name>, (?P<name> or (?'name' */
static bool
has_group(const char *cut, const char *name, size_t n)
{
	const char *p;

	for (p = cut; p != NULL && (p = strstr(p, "(?")) != NULL; ) {
		p += 2;
		p += *p == 'P';
		if ((*p == '<' || *p == '\'') && strncmp(p + 1, name, n) == 0 &&
		    (p[1 + n] == '>' || p[1 + n] == '\''))
			return true;
	}
	return false;
}

/* FIELD=REGEX is a pattern of the line that hardly any matches. */
static void
hint(const struct dp_options *o, const char *pattern, size_t name)
{
	const char *rest = pattern + name;

	if (*rest != '=' || o->print.quiet || (o->keep.state != NULL && !o->keep.init) ||
	    !has_group(o->form.cut, pattern, name))
		return;
	rest += strspn(rest, "=~");
	dp_warn("--where: '%s' is looked for in the whole line; of the field %.*s: '%.*s~%s'",
	    pattern, (int)name, pattern, (int)name, pattern, rest);
}

/* The next [FIELD~]REGEX; returns where it ends. */
static const char *
add_condition(struct dp_options *o, const char *p)
{
	const size_t n = strcspn(p, "\n"), name = strspn(p, NAME);
	struct dp_condition *more = realloc(o->form.condition,
	    (o->form.conditions + 1) * sizeof *more);
	const char *field;

	if (more == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	o->form.condition = more;
	more += o->form.conditions++;
	*more = (struct dp_condition){ .pattern = dp_options_keep(o, p, n) };
	if (name != 0)
		hint(o, more->pattern, name);
	if (name == 0 || p[name] != '~')
		return p + n;
	field = dp_options_keep(o, p, name);
	more->pattern += name + 1;
	dp_options_field(&more->field, "--where", field);
	if (more->field.name != NULL && !o->form.header && !dp_options_formed(o))
		dp_die(DP_EX_USAGE, "--where: '%s' is the name of a field: names need -H, --cut, "
		    "--log or --json (for a ~ of the pattern write [~])", field);
	return p + n;
}

void
dp_options_complete(struct dp_options *o)
{
	const char *p;

	for (p = o->form.where; p != NULL; p = *p == '\n' ? p + 1 : NULL)
		p = add_condition(o, p);
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
