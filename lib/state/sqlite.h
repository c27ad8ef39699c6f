/*
 * sqlite.h - internal to budget.c and ledger.c: SQLite's functions, by a library that only a run
 * with a ledger loads.  Linked in, it would be resident in every run: a quarter of a MiB.
 */
#ifndef DP_SQLITE_H
#define DP_SQLITE_H

#include <sqlite3.h>

#define DP_SQLITE_FUNCTIONS(X) \
	X(bind_int64) X(bind_text) X(busy_timeout) X(close) X(column_bytes) X(column_count) \
	X(column_int) X(column_int64) X(column_text) X(column_type) X(db_config) X(errstr) X(exec) \
	X(extended_result_codes) X(finalize) X(get_autocommit) X(open_v2) X(prepare_v2) X(step) \
	X(system_errno)

struct dp_sqlite {
#define DP_SQLITE_MEMBER(f)	__typeof__(sqlite3_##f) *f;
	DP_SQLITE_FUNCTIONS(DP_SQLITE_MEMBER)
};

/* 0, or DP_EIO and *why: static storage until the next call.  It stays loaded. */
int	dp_sqlite_load(struct dp_sqlite *, const char **why);

#endif
