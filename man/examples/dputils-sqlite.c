/* SPDX-License-Identifier: ISC */
/*
 * dputils-sqlite.c - private counts, sums and means in SQLite, charged to a ledger of dpbudget(1).
 *
 * cc -shared -fPIC -o dputils-sqlite.so dputils-sqlite.c $(pkg-config --cflags --libs dputils)
 *
 *	.load ./dputils-sqlite
 *	select dp_ledger('web.budget');
 *	select dp_count('1/2', dp_rows(ms)) from requests;
 *	select dp_mean('1/2', 0, 5000, dp_rows(ms)) from requests where status = 200;
 *	select dp_count('.1', dp_rows(ms) filter (where page = '/a')),
 *	    dp_count('.1', dp_rows(ms) filter (where page = '/b')) from requests;
 *
 * dp_rows(X) gathers the numbers of a query; SQL sees NULL of it.  What releases something about
 * them is called once, also if there is no row: that is why dp_count(E, X) itself is no aggregate,
 * as SQLite tells an aggregate of no rows neither E nor a range, and an answer that is not there
 * says that nobody is.
 *
 *	dp_count(E, dp_rows(X))			rows whose X is not NULL
 *	dp_sum(E, LO, HI, dp_rows(X))		their sum, each X clamped to LO..HI
 *	dp_mean(E, LO, HI, dp_rows(X))		their mean; NULL if they are too few to tell
 *	dp_ledger(FILE)				where the connection's answers are charged
 *
 * Each call of one of the first three debits E, exactly as it is written, and draws noise once.
 * Neighbours are two tables of which one has a row more, where each row of the table is one row of
 * the query or none: write no join that gives a row several times, and no condition that looks at
 * other rows.  Refused is that the data decide which answers there are, or what they cost: GROUP BY
 * (give each declared key a FILTER), HAVING, LIMIT and OFFSET; an answer, or rows, in a subquery,
 * which may run once for each row; E, LO and HI that are no constants.  Choose these without a look
 * at the data.  Who writes the query can read the table: what is private is the answer.
 */
#include <ctype.h>
#include <dputils.h>
#include <sqlite3ext.h>
#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT1

#define TYPE	"dputils-rows"

/* Numbers as texts, a NUL after each. */
struct rows {
	char *text;
	size_t n, room;
	int full;			/* no memory: no answer may be made of a part */
};

static void
free_rows(void *p)
{
	struct rows *r = p;

	free(r->text);
	free(r);
}

static void
rows_step(sqlite3_context *c, int n, sqlite3_value **v)
{
	struct rows *r = sqlite3_aggregate_context(c, sizeof *r);
	const int type = sqlite3_value_type(v[0]);
	const char *text = (const char *)sqlite3_value_text(v[0]);
	size_t bytes, room;
	char *p;

	(void)n;
	if (r == NULL || r->full || type == SQLITE_NULL)
		return;
	if (text == NULL) {
		r->full = 1;
		return;
	}
	bytes = strlen(text) + 1;
	if (r->room - r->n < bytes) {
		room = 2 * (r->room + bytes);
		if ((p = realloc(r->text, room)) == NULL) {
			r->full = 1;
			return;
		}
		r->text = p;
		r->room = room;
	}
	memcpy(r->text + r->n, text, bytes);
	r->n += bytes;
}

static void
rows_final(sqlite3_context *c)
{
	struct rows *r = sqlite3_aggregate_context(c, 0), *kept = calloc(1, sizeof *kept);

	if (kept == NULL) {
		if (r != NULL)
			free(r->text);
		sqlite3_result_error_nomem(c);
		return;
	}
	if (r != NULL)
		*kept = *r;
	sqlite3_result_pointer(c, kept, TYPE, free_rows);
}

/* w: a word; q: a name in quotes; s: a text; n: a number; p: a parameter; 0: the end; or itself. */
struct token {
	char kind;
	const char *text;
	size_t n;
};

static int
is_word(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c > 127 ||
	    (c != '\0' && strchr("_.?:@$", c) != NULL);
}

/* The next token of SQL, behind blanks and comments. */
static struct token
next(const char **at)
{
	struct token t = { 0, *at, 0 };
	const char *end;

	for (;;) {
		t.text += strspn(t.text, " \t\r\n\f");
		if (t.text[0] == '-' && t.text[1] == '-')
			t.text += strcspn(t.text, "\n");
		else if (t.text[0] == '/' && t.text[1] == '*')
			t.text = (end = strstr(t.text + 2, "*/")) != NULL ? end + 2 :
			    t.text + strlen(t.text);
		else
			break;
	}
	t.kind = *t.text;
	*at = t.text + (t.kind != '\0');
	if (t.kind != '\0' && strchr("'\"`[", t.kind) != NULL) {
		end = strchr(++t.text, t.kind == '[' ? ']' : t.kind);
		t.n = end != NULL ? (size_t)(end - t.text) : strlen(t.text);
		*at = t.text + t.n + (end != NULL);
		t.kind = t.kind == '\'' ? 's' : 'q';
	} else if (is_word(t.kind)) {
		while (is_word(t.text[t.n]))
			t.n++;
		*at = t.text + t.n;
		t.kind = isdigit((unsigned char)t.kind) || t.kind == '.' ? 'n' :
		    strchr("?:@$", t.kind) != NULL ? 'p' : 'w';
	}
	return t;
}

static int
among(struct token t, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strlen(*words) == t.n && sqlite3_strnicmp(t.text, *words, (int)t.n) == 0)
			return 1;
	return 0;
}

/* So many arguments come that are written there, or are parameters, each with a comma behind it. */
static int
constants(const char *at, int n)
{
	char kind;

	(void)next(&at);
	while (n-- > 0) {
		if ((kind = next(&at).kind) == '-' || kind == '+')
			kind = next(&at).kind == 'n' ? 'n' : '\0';
		if ((kind != 's' && kind != 'n' && kind != 'p') || next(&at).kind != ',')
			return 0;
	}
	return 1;
}

#define DEPTH	64

/* Why what is in the data would decide which answers a query has; NULL: it does not. */
static const char *
refused(const char *at)
{
	static const char *const groups[] = { "group", "having", "limit", "offset", NULL };
	static const char *const queries[] = { "select", "with", "values", NULL };
	static const char *const answers[] = { "dp_sum", "dp_mean", "dp_count", NULL };
	static const char *const rows[] = { "dp_rows", NULL };
	char query[DEPTH] = { 0 };
	int depth = 0, inside = 0, answer;
	const char *ahead;
	struct token t;

	while ((t = next(&at)).kind != '\0') {
		ahead = at;
		if (t.kind == '(') {
			if (depth == DEPTH)
				return "parentheses are nested too deeply";
			t = next(&ahead);
			query[depth] = t.kind == 'w' && among(t, queries);
			inside += query[depth++];
		} else if (t.kind == ')')
			inside -= depth > 0 ? query[--depth] : 0;
		else if (t.kind == 'w' && among(t, groups))
			return "by GROUP BY, HAVING and LIMIT the data decide which answers there "
			    "are; give each declared key a FILTER";
		else if ((t.kind == 'w' || t.kind == 'q') &&
		    ((answer = among(t, answers)) || among(t, rows)) && next(&ahead).kind == '(') {
			if (inside > 0)
				return "no answer in a subquery or a WITH, which may run once for "
				    "each row; FROM may have subqueries without one";
			if (answer && !constants(at, among(t, answers + 2) ? 1 : 3))
				return "E, LO and HI are numbers or texts that stand in the query, "
				    "or parameters";
		}
	}
	return NULL;
}

/* The same of the statements that run; which of them this one is, SQLite does not tell. */
static const char *
refusal(sqlite3 *db)
{
	const char *sql, *why = NULL;
	sqlite3_stmt *s;

	for (s = sqlite3_next_stmt(db, NULL); s != NULL && why == NULL;
	    s = sqlite3_next_stmt(db, s))
		if (sqlite3_stmt_busy(s) && (sql = sqlite3_sql(s)) != NULL)
			why = refused(sql);
	return why;
}

/* A handle of one step, charged; NULL: the reason is the result. */
static dputils *
make(sqlite3_context *c, const char *kind, sqlite3_value **v, int range)
{
	const char *epsilon = (const char *)sqlite3_value_text(v[0]), *lo, *hi;
	char **ledger = sqlite3_user_data(c), *text = NULL;
	dputils *h = NULL;
	int e = *ledger == NULL ? DPUTILS_EUSE : dputils_new(&h, kind);

	if (e == 0)
		e = dputils_set(h, "epsilon", epsilon != NULL ? epsilon : "");
	if (e == 0)
		e = dputils_set(h, "horizon", "1");
	if (e == 0 && range) {
		lo = (const char *)sqlite3_value_text(v[1]);
		hi = (const char *)sqlite3_value_text(v[2]);
		text = sqlite3_mprintf("%s:%s", lo != NULL ? lo : "", hi != NULL ? hi : "");
		e = text == NULL ? DPUTILS_ENOMEM : dputils_set(h, "range", text);
		sqlite3_free(text);
	}
	if (e == 0)
		e = dputils_plan(h);
	if (e == 0)
		e = dputils_charge(h, *ledger, kind);
	if (e == 0)
		return h;
	text = sqlite3_mprintf("dputils: %s", h == NULL ? "dp_ledger(FILE) comes first" :
	    *dputils_why(h) != '\0' ? dputils_why(h) : dputils_error(e));
	sqlite3_result_error(c, text != NULL ? text : "dputils: no memory", -1);
	sqlite3_free(text);
	dputils_free(h);
	return NULL;
}

static void
answer(sqlite3_context *c, const char *kind, sqlite3_value **v, int n)
{
	const struct rows *r = sqlite3_value_pointer(v[n - 1], TYPE);
	const int counts = n == 2;
	dputils *h;
	char text[48], *why;
	const char *p = refusal(sqlite3_context_db_handle(c));
	size_t bytes;
	int e = 0;

	if (r == NULL || r->full) {
		sqlite3_result_error(c, r == NULL ? "dputils: the last argument is dp_rows(X)" :
		    "dputils: no memory", -1);
		return;
	}
	if (p != NULL) {
		if ((why = sqlite3_mprintf("dputils: %s", p)) == NULL)
			sqlite3_result_error_nomem(c);
		else
			sqlite3_result_error(c, why, -1);
		sqlite3_free(why);
		return;
	}
	if ((h = make(c, kind, v, !counts)) == NULL)
		return;
	for (p = r->text; e == 0 && p != NULL && p < r->text + r->n; p += bytes + 1) {
		bytes = strlen(p);
		e = counts ? dputils_add(h, 1) : dputils_event(h, p, bytes, 0, NULL, 0);
		e = e == DPUTILS_EVALUE ? 0 : e;	/* no number: nothing */
	}
	if (e == 0)
		e = dputils_step(h);
	if (e == 0)
		e = dputils_text(h, 0, text, sizeof text);
	if (e == DPUTILS_ENONE)
		sqlite3_result_null(c);
	else if (e != 0)
		sqlite3_result_error(c, dputils_error(e), -1);
	else if (dputils_decimals(h, 0) == 0)
		sqlite3_result_int64(c, strtoll(text, NULL, 10));
	else
		sqlite3_result_double(c, strtod(text, NULL));
	dputils_free(h);
}

static void
count(sqlite3_context *c, int n, sqlite3_value **v)
{
	answer(c, "count", v, n);
}

static void
mean(sqlite3_context *c, int n, sqlite3_value **v)
{
	answer(c, "mean", v, n);
}

static void
set_ledger(sqlite3_context *c, int n, sqlite3_value **v)
{
	char **ledger = sqlite3_user_data(c);
	const char *file = (const char *)sqlite3_value_text(v[0]);

	(void)n;
	sqlite3_free(*ledger);
	*ledger = file != NULL ? sqlite3_mprintf("%s", file) : NULL;
}

static void
free_ledger(void *p)
{
	char **ledger = p;

	sqlite3_free(*ledger);
	sqlite3_free(ledger);
}

int
sqlite3_dputilssqlite_init(sqlite3 *db, char **why, const sqlite3_api_routines *api)
{
	/* in no view and no trigger, where nobody sees that they are called */
	const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
	char **ledger;
	int e;

	SQLITE_EXTENSION_INIT2(api);
	(void)why;
	if ((ledger = sqlite3_malloc(sizeof *ledger)) == NULL)
		return SQLITE_NOMEM;
	*ledger = NULL;
	e = sqlite3_create_function_v2(db, "dp_ledger", 1, flags, ledger, set_ledger, NULL, NULL,
	    free_ledger);
	if (e == SQLITE_OK)
		e = sqlite3_create_function(db, "dp_rows", 1, flags, NULL, NULL, rows_step,
		    rows_final);
	if (e == SQLITE_OK)
		e = sqlite3_create_function(db, "dp_count", 2, flags, ledger, count, NULL, NULL);
	if (e == SQLITE_OK)
		e = sqlite3_create_function(db, "dp_sum", 4, flags, ledger, count, NULL, NULL);
	if (e == SQLITE_OK)
		e = sqlite3_create_function(db, "dp_mean", 4, flags, ledger, mean, NULL, NULL);
	return e;
}
