/* SPDX-License-Identifier: ISC */
/*
 * f_ledger.c - any rows as those of a ledger: refused with a reason, or sums that both ways of
 * reading agree on, and that a further charge makes no smaller.
 *
 * The database is this file's own: SQLite's functions, of the rows in the input.  A line is a row:
 * A (application's number), V (format), L (head), T (total), K (checkpoint) or C (charge), then its
 * fields, a tab before each; \N is NULL.  A last field of * is the true seal, which no fuzzer would
 * guess.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_ledger.c ...; ./f_ledger corpus
 *	cc -DREPLAY f_ledger.c ...; ./f_ledger FILE ...
 */
#include <endian.h>
#include <sodium.h>

#include "store/internal.h"
#include "target.h"

#define ROWS		256
#define FIELDS		20

struct row {
	char kind;
	int n;
	struct dp_slice field[FIELDS];	/* each ends with a NUL that is not counted */
};

static struct row row[ROWS];
static size_t rows;
static struct dp_ledger ledger;
static char seal[65];

/* In the place of one that looks for the number by sums of logarithms, 10 us each: -Wl,--wrap. */
struct dp_q	__wrap_dp_zcdp_rho(double, double);

struct dp_q
__wrap_dp_zcdp_rho(double epsilon, double delta)
{
	(void)epsilon, (void)delta;
	return (struct dp_q){ 1, 8 };
}

/* A query: the rows of one kind. */
struct sqlite3_stmt {
	char kind;
	size_t next;			/* after the current one */
	const struct row *at;
};

static int
prepare_v2(sqlite3 *db, const char *sql, int n, sqlite3_stmt **q, const char **tail)
{
	(void)db, (void)n, (void)tail;
	need((*q = calloc(1, sizeof **q)) != NULL);
	(*q)->kind = strstr(sql, "application_id") != NULL ? 'A' :
	    strstr(sql, "user_version") != NULL ? 'V' :
	    strstr(sql, "sqlite_schema") != NULL || strstr(sql, "FROM checkpoint") != NULL ? 'K' :
	    strstr(sql, "FROM total") != NULL ? 'T' : strstr(sql, "FROM charge") != NULL ? 'C' :
	    strstr(sql, "FROM ledger") != NULL ? 'L' : '\0';
	need((*q)->kind != '\0');
	return SQLITE_OK;
}

/* The first column is the table's order, and its key. */
static int64_t
key(const struct row *r)
{
	return r->n > 0 && r->field[0].p != NULL ? strtoll(r->field[0].p, NULL, 10) : 0;
}

static int
bind_int64(sqlite3_stmt *q, int i, sqlite3_int64 from)
{
	need(i == 1);
	while (q->next < rows && (row[q->next].kind != q->kind || key(&row[q->next]) < from))
		q->next++;
	return SQLITE_OK;
}

static int
step(sqlite3_stmt *q)
{
	const struct row *before = q->at;

	for (q->at = NULL; q->next < rows; q->next++)
		if (row[q->next].kind == q->kind && (q->kind != 'C' || before == NULL ||
		    key(&row[q->next]) > key(before))) {
			q->at = &row[q->next++];
			return SQLITE_ROW;
		}
	return SQLITE_DONE;
}

static int
finalize(sqlite3_stmt *q)
{
	free(q);
	return SQLITE_OK;
}

static int
column_count(sqlite3_stmt *q)
{
	return q->at == NULL ? 0 : q->at->n;
}

static struct dp_slice
column(sqlite3_stmt *q, int i)
{
	return q->at == NULL || i < 0 || i >= q->at->n ? (struct dp_slice){ NULL, 0 } :
	    q->at->field[i];
}

/* As ledger.c computes it. */
static const char *
true_seal(sqlite3_stmt *q)
{
	const char *before = q->kind == 'K' ? ledger.b.id : ledger.seal;
	crypto_generichash_state h;
	unsigned char sum[32];
	struct dp_slice f;
	uint64_t length;
	int i;

	crypto_generichash_init(&h, NULL, 0, sizeof sum);
	crypto_generichash_update(&h, (const unsigned char *)before, strlen(before));
	for (i = 0; i < column_count(q) - 1; i++) {
		f = column(q, i);
		length = htole64(f.p == NULL ? UINT64_MAX : f.n);
		crypto_generichash_update(&h, (const unsigned char *)&length, sizeof length);
		crypto_generichash_update(&h, (const unsigned char *)f.p, f.n);
	}
	crypto_generichash_final(&h, sum, sizeof sum);
	return sodium_bin2hex(seal, sizeof seal, sum, sizeof sum);
}

static const unsigned char *
column_text(sqlite3_stmt *q, int i)
{
	const struct dp_slice f = column(q, i);

	return (const unsigned char *)(f.n == 1 && *f.p == '*' && i == column_count(q) - 1 ?
	    true_seal(q) : f.p);
}

static int
column_bytes(sqlite3_stmt *q, int i)
{
	return (int)column(q, i).n;
}

static sqlite3_int64
column_int64(sqlite3_stmt *q, int i)
{
	const struct dp_slice f = column(q, i);

	return f.p == NULL ? 0 : strtoll(f.p, NULL, 10);
}

static int
column_int(sqlite3_stmt *q, int i)
{
	return (int)column_int64(q, i);
}

static int
column_type(sqlite3_stmt *q, int i)
{
	return column(q, i).p == NULL ? SQLITE_NULL : SQLITE_TEXT;
}

static const char *
errstr(int rc)
{
	(void)rc;
	return "an error";
}

/* Cuts the text in place. */
static void
cut(char *p, char *e)
{
	struct dp_slice *f;
	char *end, *tab;

	for (rows = 0; p < e && rows < ROWS; p = end + 1) {
		if ((end = memchr(p, '\n', (size_t)(e - p))) == NULL)
			end = e;
		row[rows].kind = *p;
		row[rows].n = 0;
		*end = '\0';
		for (p += 2; p < end && row[rows].n < FIELDS; p = tab + 1) {
			if ((tab = memchr(p, '\t', (size_t)(end - p))) == NULL)
				tab = end;
			f = &row[rows].field[row[rows].n++];
			*tab = '\0';
			*f = (struct dp_slice){ strcmp(p, "\\N") == 0 ? NULL : p,
			    strcmp(p, "\\N") == 0 ? 0 : (size_t)(tab - p) };
		}
		rows++;
	}
}

static int
read_ledger(enum dp_reading what)
{
	char why[DP_STATE_WHY] = "";
	int e;

	e = dp_ledger_read(&ledger, what, why);
	need(e == 0 || (why[0] != '\0' && (e == DP_ESTATE || e == DP_EINVAL)));
	return e;
}

static bool
no_less(const struct dp_account *a, const struct dp_account *b)
{
	return a->over || (dp_q_cmp(a->sum_epsilon, b->sum_epsilon) >= 0 &&
	    dp_q_cmp(a->sum_delta, b->sum_delta) >= 0 && dp_q_cmp(a->sum_rho, b->sum_rho) >= 0 &&
	    dp_q_cmp(a->besides, b->besides) >= 0);
}

/* Of a ledger that is good: its charges, and one more. */
static void
check(void)
{
	static const char *const said[DP_SAIDS] = { "", "", "event", "", "", "", "", "", "" };
	struct dp_charge more = { .loss = { { 1, 3 }, { 1, 1000 }, { 0, 1 } }, .reads = "" };
	struct dp_account now, then;
	size_t i, n = ledger.b.n;

	memcpy(more.said, said, sizeof said);
	for (i = 0; i < ledger.b.totals; i++) {
		more.said[DP_SAID_UNIT] = ledger.b.total[i].unit != NULL ?
		    ledger.b.total[i].unit : "event";
		need(dp_budget_sum(&ledger.b, i, NULL, &now) == 0);
		need(dp_budget_sum(&ledger.b, i, &more, &then) == 0);
		need(no_less(&then, &now));
	}
	then = ledger.b.total[0].account;
	if (read_ledger(DP_READ_SUMS) != 0 || ledger.b.n != n)
		abort();
	now = ledger.b.total[0].account;
	need(then.over == now.over);
	need(now.over || (no_less(&then, &now) && no_less(&now, &then)));
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char why[DP_STATE_WHY], *text;

	if (ledger.files == NULL) {
		need(dp_ledger_place(&ledger, "/tmp/f_ledger", NULL, why) == 0);
		ledger.sql = (struct dp_sqlite){ .prepare_v2 = prepare_v2, .step = step,
		    .finalize = finalize, .bind_int64 = bind_int64, .column_count = column_count,
		    .column_text = column_text, .column_bytes = column_bytes,
		    .column_int = column_int, .column_int64 = column_int64,
		    .column_type = column_type,
		    .errstr = errstr };
	}
	need((text = malloc(n + 1)) != NULL);
	memcpy(text, p, n);
	cut(text, text + n);
	if (read_ledger(DP_READ_ALL) == 0)
		check();
	else
		(void)read_ledger(DP_READ_SUMS);
	dp_budget_free(&ledger.b);
	free(text);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
