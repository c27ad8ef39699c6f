/* ledger.c - a budget's database: opening it, its rows and their seals. */
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger.h"

#define LEDGER \
    "CREATE TABLE ledger (id TEXT NOT NULL PRIMARY KEY, epsilon TEXT NOT NULL," \
    " delta TEXT NOT NULL, unit TEXT, created TEXT NOT NULL, closed TEXT, witness TEXT," \
    " inode TEXT NOT NULL, born TEXT NOT NULL, generation INTEGER NOT NULL," \
    " seal TEXT NOT NULL) STRICT;"
#define CHARGE(more) \
    "CREATE TABLE charge (n INTEGER PRIMARY KEY, epsilon TEXT NOT NULL, delta TEXT NOT NULL," \
    " rho TEXT NOT NULL, time TEXT NOT NULL, label TEXT NOT NULL, unit TEXT NOT NULL," \
    " protects TEXT NOT NULL, user TEXT NOT NULL, host TEXT NOT NULL, tool TEXT NOT NULL," \
    " mechanism TEXT NOT NULL, command TEXT NOT NULL," more " seal TEXT NOT NULL) STRICT;"

const char *const dp_ledger_schema[DP_LEDGER_FORMAT + 1] = { NULL,
    "PRAGMA application_id = 1685091700; PRAGMA user_version = 1;" LEDGER CHARGE(""),
    "PRAGMA application_id = 1685091700; PRAGMA user_version = 2;" LEDGER
    "CREATE TABLE total (n INTEGER PRIMARY KEY, unit TEXT NOT NULL, epsilon TEXT NOT NULL,"
    " delta TEXT NOT NULL, by_time INTEGER NOT NULL, seal TEXT NOT NULL) STRICT;"
    CHARGE(" reads TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,") };

_Static_assert(DP_LEDGER_APPLICATION == 1685091700, "one number, twice");

int
dp_ledger_failed(const struct dp_ledger *l, int rc, char *why)
{
	const char *path = l->files->at.path;
	int code = l->db != NULL ? l->sql.system_errno(l->db) : 0;

	switch (rc & 0xff) {
	case SQLITE_NOMEM:
		return dp_state_say(why, DP_ENOMEM, path, "out of memory");
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return dp_state_say(why, DP_EBUSY, path,
		    "locked by another program for %u s; try again later", l->wait / 1000);
	case SQLITE_NOTADB:
		return dp_state_say(why, DP_ESTATE, path,
		    "not a budget ledger; dpbudget --init makes one");
	case SQLITE_READONLY:
		if (rc == SQLITE_READONLY_DBMOVED)
			return dp_state_say(why, DP_ESTATE, path,
			    "was renamed or removed during this run; nothing was released");
		return dp_state_say(why, DP_EINVAL, path, "cannot be written");
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		errno = code != 0 ? code : EACCES;
		return dp_state_errno(why, path);
	case SQLITE_FULL:
	case SQLITE_IOERR:
		errno = code != 0 ? code : (rc & 0xff) == SQLITE_FULL ? ENOSPC : EIO;
		return dp_state_say(why, DP_EIO, path, "%s; nothing was released", strerror(errno));
	default:
		return dp_state_say(why, DP_ESTATE, path, "refused as damaged (%s)",
		    l->sql.errstr(rc));
	}
}

int
dp_ledger_nomem(const struct dp_ledger *l, char *why)
{
	return dp_ledger_failed(l, SQLITE_NOMEM, why);
}

int
dp_ledger_place(struct dp_ledger *l, const char *path, const char *witness, char *why)
{
	struct dp_state_rule rule = { .path = path, .witness = witness };
	char *beside = NULL;
	int e;

	dp_state_free(l->files);
	if ((l->files = dp_state_new()) == NULL)
		return dp_state_say(why, DP_ENOMEM, path, "out of memory");
	if (witness == NULL && asprintf(&beside, "%s.witness", path) < 0)
		return dp_state_say(why, DP_ENOMEM, path, "out of memory");
	if (witness == NULL)
		rule.witness = beside;
	e = dp_state_places(l->files, &rule, why);
	free(beside);
	/* ".tmp-journal" must fit too */
	if (e == 0 && strlen(l->files->at.name) > NAME_MAX - 12)
		return dp_state_say(why, DP_EINVAL, path, "does not end in a usable file name");
	return e;
}

/* A file may contain anything: no trigger of its own, no view, no function is run. */
static int
tame(struct dp_ledger *l, char *why)
{
	l->sql.db_config(l->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	l->sql.db_config(l->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	l->sql.db_config(l->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	l->sql.db_config(l->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	l->sql.extended_result_codes(l->db, 1);
	l->sql.busy_timeout(l->db, (int)l->wait);
	return dp_ledger_run(l, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
	    "PRAGMA temp_store = MEMORY; PRAGMA synchronous = EXTRA;", why);
}

int
dp_ledger_open(struct dp_ledger *l, const char *suffix, char *why)
{
	const char *path = l->files->at.path, *unloaded;
	int rc;

	if (dp_sqlite_load(&l->sql, &unloaded) != 0)
		return dp_state_say(why, DP_EIO, path, "needs SQLite: %s", unloaded);
	/* ":memory:" is a file's name like any other here */
	if (asprintf(&l->name, "%s%s%s", *path == '/' ? "" : "./", path, suffix) < 0) {
		l->name = NULL;
		return dp_ledger_nomem(l, why);
	}
	rc = l->sql.open_v2(l->name, &l->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_PRIVATECACHE,
	    NULL);
	return rc != SQLITE_OK ? dp_ledger_failed(l, rc, why) : tame(l, why);
}

int
dp_ledger_run(struct dp_ledger *l, const char *sql, char *why)
{
	int rc = l->sql.exec(l->db, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : dp_ledger_failed(l, rc, why);
}

int
dp_ledger_prepare(struct dp_ledger *l, sqlite3_stmt **q, const char *sql, char *why)
{
	int rc = l->sql.prepare_v2(l->db, sql, -1, q, NULL);

	return rc == SQLITE_OK ? 0 : dp_ledger_failed(l, rc, why);
}

int
dp_ledger_put(struct dp_ledger *l, const char *sql, const char *const *text, int n, char *why)
{
	sqlite3_stmt *q = NULL;
	int e, i, rc = SQLITE_OK;

	/*
	 * Short of memory SQLite may have rolled back by itself; later statements would be
	 * transactions of their own.
	 */
	if (l->sql.get_autocommit(l->db))
		return dp_ledger_nomem(l, why);
	if ((e = dp_ledger_prepare(l, &q, sql, why)) != 0)
		return e;
	for (i = 0; i < n && rc == SQLITE_OK; i++)
		rc = l->sql.bind_text(q, i + 1, text[i], -1, SQLITE_STATIC);
	if (rc == SQLITE_OK)
		rc = l->sql.step(q);
	l->sql.finalize(q);
	return rc == SQLITE_DONE ? 0 : dp_ledger_failed(l, rc, why);
}

/* Of a row all fields but the last, each with its length, and the seal before. */
static int
seal_of(const struct dp_ledger *l, sqlite3_stmt *q, const char *before, char hex[static 65])
{
	crypto_generichash_state h;
	unsigned char sum[32];
	const unsigned char *p;
	uint64_t n, length;
	int i;

	crypto_generichash_init(&h, NULL, 0, sizeof sum);
	crypto_generichash_update(&h, (const unsigned char *)before, strlen(before));
	for (i = 0; i < l->sql.column_count(q) - 1; i++) {
		p = l->sql.column_text(q, i);
		if (p == NULL && l->sql.column_type(q, i) != SQLITE_NULL)
			return SQLITE_NOMEM;
		n = p == NULL ? 0 : (uint64_t)l->sql.column_bytes(q, i);
		length = htole64(p == NULL ? UINT64_MAX : n);
		crypto_generichash_update(&h, (const unsigned char *)&length, sizeof length);
		if (p != NULL)
			crypto_generichash_update(&h, p, n);
	}
	crypto_generichash_final(&h, sum, sizeof sum);
	sodium_bin2hex(hex, 65, sum, sizeof sum);
	return SQLITE_OK;
}

const char *
dp_ledger_text(const struct dp_ledger *l, sqlite3_stmt *q, int i)
{
	const char *s = (const char *)l->sql.column_text(q, i);

	return s != NULL ? s : "";
}

int
dp_ledger_damaged(const struct dp_ledger *l, const char *what, char *why)
{
	return dp_state_say(why, DP_ESTATE, l->files->at.path,
	    "refused as damaged, or changed by other hands (%s)", what);
}

int
dp_ledger_check_seal(struct dp_ledger *l, sqlite3_stmt *q, const char *what, char seal[static 65],
    char *why)
{
	char hex[65];

	if (seal_of(l, q, seal, hex) != SQLITE_OK)
		return dp_ledger_nomem(l, why);
	if (strcmp(hex, dp_ledger_text(l, q, l->sql.column_count(q) - 1)) != 0)
		return dp_ledger_damaged(l, what, why);
	memcpy(seal, hex, sizeof hex);
	return 0;
}

int
dp_ledger_finish(const struct dp_ledger *l, sqlite3_stmt *q, int e, char *why)
{
	const int rc = l->sql.finalize(q);

	return (rc & 0xff) == SQLITE_NOMEM || (e == 0 && rc != SQLITE_OK) ?
	    dp_ledger_failed(l, rc, why) : e;
}

int
dp_ledger_seal_row(struct dp_ledger *l, const char *select, const char *update,
    char seal[static 65], char *why)
{
	const char *text = seal;
	sqlite3_stmt *q = NULL;
	char hex[65];
	int e, rc;

	if ((e = dp_ledger_prepare(l, &q, select, why)) != 0)
		return e;
	if ((rc = l->sql.step(q)) == SQLITE_ROW)
		rc = seal_of(l, q, seal, hex);
	/* a text that found no memory is NULL; only the end of it all tells */
	e = l->sql.finalize(q);
	if (rc != SQLITE_OK || e != SQLITE_OK)
		return dp_ledger_failed(l, rc != SQLITE_OK ? rc : e, why);
	memcpy(seal, hex, sizeof hex);
	return dp_ledger_put(l, update, &text, 1, why);
}

int
dp_ledger_seal(struct dp_ledger *l, uint64_t n, char *why)
{
	char select[80], update[80], seal[65];
	int e = 0;

	if (n != 0) {
		snprintf(select, sizeof select, "SELECT * FROM charge WHERE n = %" PRIu64, n);
		snprintf(update, sizeof update, "UPDATE charge SET seal = ?1 WHERE n = %" PRIu64,
		    n);
		e = dp_ledger_seal_row(l, select, update, l->seal, why);
	}
	memcpy(seal, l->seal, sizeof seal);
	return e != 0 ? e : dp_ledger_seal_row(l, "SELECT * FROM ledger",
	    "UPDATE ledger SET seal = ?1", seal, why);
}

int
dp_ledger_seal_totals(struct dp_ledger *l, const struct dp_budget_rule *rule, char *why)
{
	char select[80], update[80], number[2][48], n[24];
	const char *text[] = { n, NULL, number[0], number[1], rule->by_time ? "1" : "0" };
	size_t i;
	int e;

	strcpy(l->seal, l->files->form.lineage);
	for (i = 0; i < rule->n; i++) {
		snprintf(n, sizeof n, "%zu", i + 1);
		text[1] = rule->total[i].unit;
		*dp_q_put(number[0], rule->total[i].epsilon) = '\0';
		*dp_q_put(number[1], rule->total[i].delta) = '\0';
		snprintf(select, sizeof select, "SELECT * FROM total WHERE n = %s", n);
		snprintf(update, sizeof update, "UPDATE total SET seal = ?1 WHERE n = %s", n);
		if ((e = dp_ledger_put(l, "INSERT INTO total VALUES "
		    "(CAST(?1 AS INTEGER), ?2, ?3, ?4, CAST(?5 AS INTEGER), '')", text, 5,
		    why)) != 0 || (e = dp_ledger_seal_row(l, select, update, l->seal, why)) != 0)
			return e;
	}
	return 0;
}

void
dp_ledger_close(struct dp_ledger *l)
{
	if (l->db != NULL)
		l->sql.close(l->db);
	free(l->name);
	dp_state_free(l->files);
	dp_budget_free(&l->b);
	*l = (struct dp_ledger){ .db = NULL };
}
