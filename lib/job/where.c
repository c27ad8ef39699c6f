/* SPDX-License-Identifier: ISC */
/*
 * where.c - which lines are events (--where): FIELD OP VALUE, FIELD~REGEX, or REGEX.
 *
 * A comparison is read as one where FIELD is a number, or lines have fields with names; else its
 * text is a pattern of the line.  Which of them it is follows from the options alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "table.h"

#define NAME	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.@-"
#define DIGITS	"0123456789"
#define BLANKS	" \t"
/* Bytes by which a text before OP is a pattern, and no name that somebody forgot to quote */
#define PATTERN	"\\^$|?*[]{}~\""

static const struct {
	const char *text;
	enum dp_op op;
} ops[] = {
	/* a longer one before that which it begins with */
	{ "==", DP_OP_EQUAL }, { "!=", DP_OP_OTHER }, { "<=", DP_OP_UP_TO },
	{ ">=", DP_OP_FROM }, { "=", DP_OP_EQUAL }, { "<", DP_OP_BELOW }, { ">", DP_OP_ABOVE }
};

/* The operator that p begins with, and its end; DP_OP_MATCH: there is none. */
static enum dp_op
read_op(const char *p, const char **end)
{
	size_t i, n;

	for (i = 0; i < sizeof ops / sizeof *ops; i++)
		if (strncmp(p, ops[i].text, n = strlen(ops[i].text)) == 0) {
			*end = p + n;
			return ops[i].op;
		}
	return DP_OP_MATCH;
}

static bool
has_names(const struct dp_options *o)
{
	return o->form.header || dp_options_formed(o) || o->form.lets.n != 0;
}

/* One line on standard error where a run, or a state, begins. */
static bool
says(const struct dp_options *o)
{
	return !o->print.quiet && (o->keep.state == NULL || o->keep.init);
}

/* Text in quotes, without them: a quote in it is doubled.  NULL: it does not end so. */
static char *
unquoted(struct dp_options *o, const char *p, size_t n)
{
	const char quote = *p;
	char *text = dp_options_keep(o, p, n), *to = text;
	size_t i;

	for (i = 1; i < n; i++) {
		if (p[i] == quote && (++i == n || p[i] != quote))
			break;
		*to++ = p[i];
	}
	*to = '\0';
	return i == n && p[n - 1] == quote && n > 1 ? text : NULL;
}

/* The end of a name in quotes at p; NULL: none begins there. */
static const char *
quoted_end(const char *p)
{
	if (*p != '"')
		return NULL;
	while ((p = strchr(p + 1, '"')) != NULL && p[1] == '"')
		p++;
	return p != NULL ? p + 1 : NULL;
}

/* Bytes of an element of an array, [K], that p begins with; 0: none. */
static size_t
element_length(const struct dp_options *o, const char *p)
{
	const size_t n = o->form.json && *p == '[' ? strspn(p + 1, DIGITS) : 0;

	return n != 0 && p[1 + n] == ']' ? n + 2 : 0;
}

/*
 * Bytes of the name that p begins with, in quotes or not; 0: none.  Names of a pattern's groups
 * have no blanks, and others than these bytes stand in quotes.
 */
static size_t
name_length(const struct dp_options *o, const char *p)
{
	const char *end = has_names(o) ? quoted_end(p) : NULL;
	size_t n = 0, more;

	if (end != NULL)
		return (size_t)(end - p);
	for (;;) {
		while (strchr(NAME, p[n]) != NULL ? p[n] != '\0' : (unsigned char)p[n] >=
		    0x80)
			n++;
		if (n != 0 && (more = element_length(o, p + n)) != 0) {
			n += more;
			continue;
		}
		more = strspn(p + n, BLANKS);
		if (n == 0 || more == 0 || o->form.cut != NULL || !has_names(o) ||
		    (strchr(NAME, p[n + more]) == NULL && (unsigned char)p[n + more] <
		    0x80) ||
		    p[n + more] == '\0')
			return n;
		n += more;
	}
}

/* True: n digits, of a field that there may be where fields have no names. */
static bool
is_number(const struct dp_options *o, const char *p, size_t n)
{
	uint64_t number = 0;
	size_t i;

	if (n == 0 || strspn(p, DIGITS) < n)
		return false;
	for (i = 0; i < n && number <= DP_FIELDS_MAX; i++)
		number = number * 10 + (uint64_t)(p[i] - '0');
	return has_names(o) || (number >= 1 && number <= DP_FIELDS_MAX);
}

static void
set_field(struct dp_options *o, struct dp_field *f, const char *p, size_t n)
{
	const char *name = *p == '"' ? unquoted(o, p, n) : dp_options_keep(o, p, n);

	if (*p == '"') {
		*f = (struct dp_field){ name, 1 };	/* also one of digits */
		return;
	}
	dp_options_field(f, "--where", name);
	dp_options_made(o, f);
	if (f->name != NULL && f->number <= DP_FIELDS_MAX && !o->form.header &&
	    !dp_options_formed(o))
		dp_die(DP_EX_USAGE, "--where: '%s' is the name of a field: names need -H, --cut, "
		    "--log or --json (for a ~ of the pattern write [~])", name);
}

/* A comma in the value, behind which another condition would begin; NULL: there is none. */
static const char *
second(const struct dp_options *o, const char *value)
{
	const char *p = value, *behind, *q;
	size_t n;

	for (; (p = strchr(p, ',')) != NULL; p++) {
		q = p + 1 + strspn(p + 1, BLANKS);
		n = name_length(o, q);
		behind = q + n + strspn(q + n, BLANKS);
		if (n != 0 && (has_names(o) || is_number(o, q, n)) &&
		    (*behind == '~' || read_op(behind, &behind) != DP_OP_MATCH))
			return p;
	}
	return NULL;
}

/* A second condition in a value without quotes. */
static void
refuse_second(const struct dp_options *o, const char *text, const char *value)
{
	static const char *const both[] = { " and ", " AND ", "&&" };
	static const char *const or[] = { " or ", " OR ", "||" };
	size_t i;

	if (second(o, value) != NULL)
		dp_die(DP_EX_USAGE, "--where: one condition each: give --where twice (both must "
		    "hold) in place of the comma, or quote the value, in '%s'", text);
	for (i = 0; i < sizeof both / sizeof *both; i++)
		if (strstr(value, both[i]) != NULL)
			dp_die(DP_EX_USAGE, "--where: one condition each: give --where twice (both "
			    "must hold), or quote the value, in '%s'", text);
	for (i = 0; i < sizeof or / sizeof *or; i++)
		if (strstr(value, or[i]) != NULL)
			dp_die(DP_EX_USAGE, "--where: one condition each: give --where twice with "
			    "--or between them (one is enough), or quote the value, in '%s'",
			    text);
}

/* Dates and times of day of ISO 8601 are in order by their bytes. */
static bool
is_iso(const char *p)
{
	const size_t n = strspn(p, DIGITS);

	return ((n == 4 && p[n] == '-') || (n == 2 && p[n] == ':')) &&
	    p[strspn(p, DIGITS "-:.,+TtWZz ")] == '\0';
}

/* An order that is that of bytes, because the value is no number. */
static void
say_text(const struct dp_options *o, const struct dp_condition *c)
{
	const bool ordered = c->op != DP_OP_EQUAL && c->op != DP_OP_OTHER;

	if (!ordered || c->number || is_iso(c->pattern) || !says(o))
		return;
	if (c->field.name != NULL)
		dp_warn("--where: '%s' is no number, so %s is compared with it as text, byte by "
		    "byte", c->pattern, c->field.name);
	else
		dp_warn("--where: '%s' is no number, so field %u is compared with it as text, "
		    "byte by byte", c->pattern, c->field.number);
}

/* The text behind OP. */
static void
set_value(struct dp_options *o, struct dp_condition *c, const char *value)
{
	bool quoted = false;
	const char *text = c->pattern;
	size_t n;
	char *plain;

	if (*value == '~')
		dp_die(DP_EX_USAGE, "--where: '%s': a pattern of a field is FIELD~REGEX", text);
	if (*value != '\0' && strchr("=<>", *value) != NULL)
		dp_die(DP_EX_USAGE, "--where: '%s' compares by none of = != < <= > >= (a value "
		    "that begins with one of these bytes stands in quotes)", text);
	value += strspn(value, BLANKS);
	n = strlen(value);
	while (n > 0 && strchr(BLANKS, value[n - 1]) != NULL)
		n--;
	if ((*value == '"' || *value == '\'') && (plain = unquoted(o, value, n)) != NULL) {
		c->pattern = plain;
		quoted = true;
	} else {
		refuse_second(o, text, value);
		c->pattern = dp_options_keep(o, value, n);
		c->number = dp_decimal_compare(&(int){ 0 }, (struct dp_slice){ value, n },
		    (struct dp_slice){ value, n }) == 0;
	}
	if (*c->pattern == '\0' && c->op != DP_OP_EQUAL && c->op != DP_OP_OTHER)
		dp_die(DP_EX_USAGE, "--where: '%s' lacks the value to compare with", text);
	if (!quoted)
		say_text(o, c);
}

/* True: lines have a field of this name, or may have one. */
static bool
may_be_field(const struct dp_options *o, const char *name, size_t n)
{
	const char *p;

	for (p = o->form.cut; p != NULL && (p = strstr(p, "(?<")) != NULL; p += 3)
		if (n < strlen(p + 3) && memcmp(p + 3, name, n) == 0 && p[3 + n] == '>')
			return true;
	return o->form.cut == NULL;
}

/* A comparison in words, of what may be a field: 'path is /api'. */
static bool
say_words(const struct dp_options *o, const char *text)
{
	static const struct {
		const char *text, *op;
	} word[] = { { "is", "=" }, { "equals", "=" }, { "eq", "=" }, { "contains", "~" },
		{ "matches", "~" }, { "like", "~" } };
	const size_t name = strcspn(text, BLANKS);
	const char *p = text + name + strspn(text + name, BLANKS), *value;
	size_t n = strcspn(p, BLANKS), i;

	value = p + n + strspn(p + n, BLANKS);
	if (!has_names(o) || name == 0 || strspn(text, NAME) < name || *value == '\0' ||
	    !may_be_field(o, text, name))
		return false;
	for (i = 0; i < sizeof word / sizeof *word; i++)
		if (strlen(word[i].text) == n && strncmp(word[i].text, p, n) == 0) {
			dp_warn("--where: '%s' is a pattern of the line, and compares nothing: "
			    "--where='%.*s%s%s' does", text, (int)name, text, word[i].op, value);
			return true;
		}
	return false;
}

/* A pattern that may have been meant as a comparison, or as that of a field. */
static void
say_pattern(const struct dp_options *o, const char *text)
{
	const size_t n = strcspn(text, "=<>~");
	const bool field = text[n] == '~';
	const char *why = o->form.csv || o->form.delimiter >= 0 ?
	    "fields have names with -H" : "fields have names with -H, --cut, --log or --json";

	if (!says(o) || say_words(o, text) || text[n] == '\0' || n == 0 ||
	    strcspn(text, PATTERN) < n || strchr(NAME, text[0]) == NULL)
		return;
	if (!has_names(o))
		dp_warn("--where: '%s' is a pattern of the line, and %s: %s", text, field ?
		    "of no field" : "compares no field", why);
	else if (o->form.cut == NULL)
		dp_warn("--where: '%s' is a pattern of the line: %s, a name with other bytes than "
		    "letters, digits and blanks stands in double quotes", text, field ?
		    "to search a field" : "to compare");
}

/* FIELD OP VALUE, if it is that.  OP begins at p. */
static bool
compares(struct dp_options *o, struct dp_condition *c, size_t name, const char *p)
{
	const char *value = p;

	if (!has_names(o) && !is_number(o, c->pattern, name))
		return false;
	if (p[0] == '!' && p[1] == '~')
		dp_die(DP_EX_USAGE, "--where: '%s': there is no !~; a field that does not match is "
		    "FIELD~^(?!.*REGEX)", c->pattern);
	if ((c->op = read_op(p, &value)) == DP_OP_MATCH)
		return false;
	set_field(o, &c->field, c->pattern, name);
	if (says(o) && !has_names(o))
		dp_warn("--where: '%s' compares field %u (a pattern of the line has = < > in "
		    "brackets: [=])", c->pattern, c->field.number);
	set_value(o, c, value);
	return true;
}

/*
 * FIELD~REGEX: the bytes up to the pattern, 0 if it is none.  Blanks before ~ belong to a field
 * alone, and then those behind it are none of the pattern's.
 */
static size_t
field_of_pattern(const struct dp_options *o, const char *text, size_t name)
{
	const size_t blanks = strspn(text + name, BLANKS);
	const size_t tilde = name + blanks;

	if (name == 0 || text[tilde] != '~')
		return 0;
	if (blanks == 0)
		return tilde + 1;
	return !has_names(o) && !is_number(o, text, name) ? 0 :
	    tilde + 1 + strspn(text + tilde + 1, BLANKS);
}

/* The next condition, of one line. */
static void
add_condition(struct dp_options *o, const char *text, bool either)
{
	struct dp_condition *c = realloc(o->form.condition, (o->form.conditions + 1) * sizeof *c);
	size_t name, pattern;

	if (c == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	o->form.condition = c;
	c += o->form.conditions++;
	*c = (struct dp_condition){ .pattern = text, .text = text, .either = either };
	name = name_length(o, c->pattern);
	if ((pattern = field_of_pattern(o, c->pattern, name)) != 0) {
		set_field(o, &c->field, c->pattern, name);
		c->pattern += pattern;
	} else if (name == 0 || !compares(o, c, name,
	    c->pattern + name + strspn(c->pattern + name, BLANKS)))
		say_pattern(o, c->pattern);
}

/* Conditions that must all hold; each is one condition, or several joined by --or. */
static size_t
groups(const struct dp_options *o)
{
	size_t i, n = 0;

	for (i = 0; i < o->form.conditions; i++)
		n += !o->form.condition[i].either;
	return n;
}

bool
dp_options_either(const struct dp_options *o)
{
	return groups(o) < o->form.conditions;
}

const char *
dp_options_where_put(const struct dp_options *o, char text[static DP_WHERE_TEXT])
{
	const struct dp_condition *c = o->form.condition, *const end = c + o->form.conditions;
	const bool several = groups(o) > 1;
	char shown[DP_SHOWN_TEXT];
	bool first, last;
	size_t n = 0;

	for (*text = '\0'; c < end; c++) {
		if (n + DP_SHOWN_TEXT + sizeof " and ('') ..." > DP_WHERE_TEXT) {
			strcpy(text + n, " ...");
			break;
		}
		first = several && !c->either && c + 1 < end && c[1].either;
		last = several && c->either && (c + 1 == end || !c[1].either);
		n += (size_t)sprintf(text + n, "%s%s'%s'%s", c == o->form.condition ? "" :
		    c->either ? " or " : " and ", first ? "(" : "",
		    dp_shown(shown, c->text, strlen(c->text)), last ? ")" : "");
	}
	return text;
}

/* A pattern of -m that looks like a comparison of a field. */
static void
say_match(struct dp_options *o)
{
	const char *const text = o->form.match, *value, *p;
	const struct dp_field *of = &o->form.value;	/* its text may hold k=v */
	char *name, more[160] = "";
	enum dp_op op;
	size_t n;

	if (text == NULL || !says(o) || !has_names(o) || (n = name_length(o, text)) == 0)
		return;
	p = value = text + n + strspn(text + n, BLANKS);
	op = read_op(p, &value);
	name = dp_options_keep(o, text, n);
	if (op == DP_OP_MATCH || *value == '\0' || (of->number == 0 ? !may_be_field(o, name, n) :
	    of->name == NULL || strcmp(name, of->name) != 0))
		return;
	if (op == DP_OP_EQUAL)
		snprintf(more, sizeof more, ", or -v %.60s -m '^%.60s$' (1 or 0)", name,
		    value + strspn(value, BLANKS));
	dp_warn("--match: '%s' is a pattern of the %s, and compares nothing: --where='%s' does%s",
	    text, o->form.value.number != 0 ? "field" : "line", text, more);
}

/* --or joins two conditions to one, and binds closer than that all of them must hold. */
void
dp_options_where(struct dp_options *o)
{
	char said[DP_WHERE_TEXT];
	const char *p, *text;
	bool either = false;
	size_t n;

	for (p = o->form.where; p != NULL; p = p[n] == '\n' ? p + n + 1 : NULL) {
		n = strcspn(p, "\n");
		text = dp_options_keep(o, p, n);
		if (strcmp(text, DP_OR) != 0)
			add_condition(o, text, either);
		else
			need(!either && o->form.conditions > 0 && p[n] == '\n',
			    "--or stands between two --where=COND: a line "
			    "needs to meet only one of them");
		either = strcmp(text, DP_OR) == 0;
	}
	if (dp_options_either(o) && groups(o) > 1 && says(o))
		dp_warn("--where: events are lines with %s", dp_options_where_put(o, said));
	say_match(o);
}
