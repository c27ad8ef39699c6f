/* SPDX-License-Identifier: ISC */
/*
 * t_failing.c - what has memory or a system call of its own, when that fails: it says so, once,
 * and can be freed; nothing is written to the results.
 */
#include "base/matrix.h"
#include "base/out.h"
#include "check.h"
#include "counter/width.h"
#include "failing.h"
#include "input/internal.h"
#include "input/users.h"
#include "random/internal.h"


#define CALLS_MAX	1000	/* of one try: a broken one must end too */

/*
 * try(arg) has its nth allocation, or call, fail, for every n: it returns 0 or, where one failed,
 * want.  How often it did.
 */
static unsigned
each(int (*try)(void *), void *arg, enum failing how, int want)
{
	unsigned long n;
	unsigned told = 0;
	bool did = true;
	int e;

	for (n = 1; did && n < CALLS_MAX; n++) {
		failing_at(how, n, ENOMEM);
		e = try(arg);
		did = failing_end();
		if (e != 0 && !(did && e == want))
			printf("the %lu: %d\n", n, e);
		check(e == 0 || (did && e == want));
		told += e != 0;
	}
	check(!did);
	return told;
}

static void
texts(void)
{
	const char *text[12];
	int e, f;

	for (e = 0; e >= DP_EHALT; e--) {
		text[-e] = dp_strerror(e);
		check(text[-e][0] != '\0' && strcmp(text[-e], "unknown error") != 0);
		for (f = 0; f > e; f--)
			check(strcmp(text[-e], text[-f]) != 0);
	}
	check(strcmp(dp_strerror(1), "unknown error") == 0);
	check(strcmp(dp_strerror(DP_EHALT - 1), "unknown error") == 0);
	check(strcmp(dp_strerror(DP_ENOMEM), "out of memory") == 0);
}

static int
open_rng(void *arg)
{
	static const int64_t known[] = { 1 };
	static const uint8_t bytes[] = { 1 };
	struct dp_rng *r = NULL;
	int e;

	switch (*(int *)arg) {
	case 0:
		e = dp_rng_open_seed(&r, 1);
		break;
	case 1:
		e = dp_rng_open_bytes(&r, bytes, 1);
		break;
	case 2:
		e = dp_rng_open_known(&r, known, 1);
		break;
	default:
		e = dp_rng_open(&r, DP_RNG_KERNEL);
		break;
	}
	check((e == 0) == (r != NULL));
	dp_rng_free(r);
	return e;
}

static void
sources(void)
{
	struct dp_rng *r;
	int i;

	for (i = 0; i < 3; i++)
		check(each(open_rng, &i, FAIL_CALL, DP_ENOMEM) == 1);
	failing_at(FAIL_CALL, 1, ENOSYS);	/* the probe for random bytes */
	check(open_rng(&i) == DP_EENTROPY && failing_end());
	failing_at(FAIL_EMPTY, 1, 0);
	check(open_rng(&i) == DP_EENTROPY && failing_end());
	check(open_rng(&i) == 0);		/* libsodium begins once */
	failing_at(FAIL_CALL, 2, ENOMEM);	/* the page */
	check(open_rng(&i) == DP_ENOMEM && failing_end());
	/* Pages that a child would inherit: each number is the kernel's. */
	failing_at(FAIL_CALL, 3, EINVAL);
	check(dp_rng_open(&r, DP_RNG_CHACHA) == 0 && failing_end() && r->kind == DP_RNG_KERNEL);
	/* A failure stays: nothing is drawn after it. */
	failing_at(FAIL_CALL, 1, EIO);
	check(dp_rng_take(r, 8) == NULL && failing_end());
	check(dp_rng_take(r, 8) == NULL && r->error == DP_EENTROPY);
	dp_rng_free(r);
	/* Signals do not matter. */
	failing_at(FAIL_CALL, 1, EINTR);
	check(dp_rng_open(&r, DP_RNG_KERNEL) == 0 && failing_end());
	failing_at(FAIL_CALL, 1, EINTR);
	check(dp_rng_take(r, 8) != NULL && failing_end());
	dp_rng_drop(r);
	dp_rng_free(r);
}

/* poll(2) and read(2), of a pipe. */
static void
calls(void)
{
	struct dp_reader *r;
	struct dp_record rec;
	int fd[2];

	check(pipe(fd) == 0);
	check(dp_reader_new(&r, &(struct dp_reader_rule){ .delimiter = -1 }) == 0);
	dp_reader_attach(r, fd[0]);
	failing_at(FAIL_CALL, 1, EINTR);
	check(dp_reader_next(r, &rec, 5) == DP_READ_TIMEOUT && failing_end());
	failing_at(FAIL_CALL, 1, EIO);
	check(dp_reader_next(r, &rec, 5) == DP_EIO && failing_end() && errno == EIO);
	check(write(fd[1], "a\n", 2) == 2);
	failing_at(FAIL_CALL, 2, EIO);
	check(dp_reader_next(r, &rec, 5) == DP_EIO && failing_end() && errno == EIO);
	failing_at(FAIL_CALL, 2, EINTR);
	check(dp_reader_next(r, &rec, 5) == DP_READ_TIMEOUT && failing_end());
	failing_at(FAIL_CALL, 2, EAGAIN);
	check(dp_reader_next(r, &rec, 5) == DP_READ_RECORD && failing_end() && rec.text.n == 1);
	/* Stopped: what is there is still handed out, but nothing more is read. */
	check(write(fd[1], "b\nc\nd", 5) == 5);
	check(dp_reader_next(r, &rec, 5) == DP_READ_RECORD && rec.text.p[0] == 'b');
	dp_reader_stop(r);
	check(dp_reader_next(r, &rec, 5) == DP_READ_RECORD && rec.text.p[0] == 'c');
	check(dp_reader_next(r, &rec, 5) == DP_READ_TIMEOUT);
	dp_reader_free(r);
	close(fd[0]);
	close(fd[1]);
}

#ifndef __SANITIZE_ADDRESS__

static int
make_buf(void *arg)
{
	struct dp_buf b = { 0 };
	int i, e;

	(void)arg;
	for (i = 0; i < 100; i++)
		dp_buf_puts(&b, "12345");
	e = b.error;
	check(e != 0 || b.n == 500);
	dp_buf_free(&b);
	return e;
}

static int
make_numbers(void *arg)
{
	struct dp_numbers p = { .n = 0 };
	int i, e;

	(void)arg;
	for (i = 0; i < 200; i++)
		check(dp_numbers_int(&p, "i", (uint64_t)i, 0, 1000) == (uint64_t)i);
	e = dp_numbers_error(&p);
	dp_numbers_refuse(&p);		/* the first error stays */
	check(e == 0 || p.error == e);
	check(e != 0 || p.n == 200);
	dp_numbers_free(&p);
	return e;
}

static int
make_match(void *arg)
{
	static char text[3001];
	char why[DP_MATCH_WHY];
	struct dp_match *m = NULL;
	int e;

	memset(text, 'a', sizeof text);
	text[3000] = 'c';
	if ((e = dp_match_new(&m, arg, false, true, why)) != 0) {
		check(m == NULL);
		return e;
	}
	check(dp_match_test(m, (struct dp_slice){ text, sizeof text }) == 1);
	if ((e = dp_match_forget(m)) == 0)
		check(dp_match_test(m, (struct dp_slice){ text, sizeof text }) == 1);
	dp_match_free(m);
	return e;
}

static int
nowhere(void *arg, const char *p, size_t n)
{
	(void)arg;
	(void)p;
	(void)n;
	return 0;
}

static int
make_out(void *arg)
{
	struct dp_out *o = NULL;
	int e;

	(void)arg;
	if ((e = dp_out_new(&o, nowhere, NULL)) != 0) {
		check(o == NULL);
		return e;
	}
	e = dp_out_room(o, 4 * DP_OUT_BLOCK) != NULL ? 0 : DP_ENOMEM;
	check(dp_out_room(o, 10) != NULL);	/* what there was is there */
	dp_out_free(o);
	return e;
}

static int
make_users(void *arg)
{
	static const uint8_t key[16];
	struct dp_users *u = NULL;
	struct dp_mark m;
	char name[20];
	unsigned i;
	int e, n;

	if ((e = dp_users_new(&u, key, 1)) != 0) {
		check(u == NULL);
		return e;
	}
	for (i = 0; i < 2000 && e >= 0; i++) {
		n = sprintf(name, "%u", i);
		dp_users_mark(u, (struct dp_slice){ name, (size_t)n }, &m);
		e = *(bool *)arg ? dp_users_put(u, (uint64_t)i << 53, 0, 1) :
		    dp_users_admit(u, &m);
	}
	check(dp_users_count(u) == (e < 0 ? i - 1 : i));
	dp_users_free(u);
	return e < 0 ? e : 0;
}

static int
make_weights(void *arg)
{
	double *g = NULL;
	char why[160];
	size_t n = 0;
	int e = dp_weights_read("1\n.5\n", 5, &g, &n, why);

	(void)arg;
	check(e == 0 ? n == 2 : n == 0 && g == NULL);
	free(g);
	return e;
}

/* A law of trees that a prediction makes when it is asked for them. */
static int
make_law(void *arg)
{
	extern const struct dp_mech_ops dp_normtree_ops;
	struct dp_mech_rule rule = { .report = 1, .every = 1, .inputs = 1,
	    .task.what = DP_TASK_COUNT };
	struct dp_widths *k = NULL;
	struct dp_mech *m = NULL;
	double *want = arg, w;
	int e;

	if (dp_privacy_set(&rule.privacy, false, dp_q_make(1, 1), dp_q_make(0, 1), 1, 1) != 0)
		abort();
	rule.privacy.dry = true;
	if ((e = dp_mech_create(&m, &dp_normtree_ops, &rule)) != 0)
		return e;
	if ((e = dp_widths_create(&k, m, .05)) == 0 && (e = dp_widths_at(k, 0, 300, &w)) == 0) {
		*want = *want > 0 ? *want : w;
		check(w >= *want && w <= *want);
	}
	dp_widths_free(k);
	dp_mech_free(m);
	return e;
}

struct reading {
	struct dp_reader_rule rule;
	int fd;
	unsigned want;
};

static int
make_reader(void *arg)
{
	struct reading *x = arg;
	struct dp_reader *r = NULL;
	struct dp_record rec;
	unsigned n = 0;
	int e;

	if ((e = dp_reader_new(&r, &x->rule)) != 0) {
		check(r == NULL);
		return e;
	}
	check(lseek(x->fd, 0, SEEK_SET) == 0);
	dp_reader_attach(r, x->fd);
	while ((e = dp_reader_next(r, &rec, -1)) == DP_READ_RECORD)
		n++;
	check(e != DP_READ_END || n == x->want);
	dp_reader_free(r);
	return e == DP_READ_END ? 0 : e;
}

static void
memory(void)
{
	static char row[20000] = "a,\"b\"\"c\",d\ne,\"f\ng\",h\ni,j,k\n";
	struct reading x = { .want = 4 };
	double width = 0;
	bool put;
	int i;

	check(make_law(&width) == 0 && width > 10);
	check(each(make_law, &width, FAIL_MEMORY, DP_ENOMEM) >= 10);
	check(each(make_buf, NULL, FAIL_MEMORY, DP_ENOMEM) >= 3);
	check(each(make_numbers, NULL, FAIL_MEMORY, DP_ENOMEM) >= 3);
	check(each(make_match, "a+c", FAIL_MEMORY, DP_ENOMEM) >= 6);
	check(each(make_match, "(*NO_JIT)^(a|b)*c$", FAIL_MEMORY, DP_ENOMEM) >= 6);
	check(each(make_match, "a+c", FAIL_CALL, DP_ENOMEM) >= 1);
	check(each(make_out, NULL, FAIL_MEMORY, DP_ENOMEM) == 3);
	for (put = false, i = 0; i < 2; i++, put = true)
		check(each(make_users, &put, FAIL_MEMORY, DP_ENOMEM) >= 5);
	check(each(make_weights, NULL, FAIL_MEMORY, DP_ENOMEM) == 1);
	memset(row + strlen(row), 'x', sizeof row - strlen(row));
	row[sizeof row - 5000] = '"';	/* one that the parser finishes, not record.c */
	x.fd = memfd_create("t", MFD_CLOEXEC);
	check(x.fd >= 0 && write(x.fd, row, sizeof row) == (ssize_t)sizeof row);
	for (i = 0; i < 4; i++) {
		x.rule = (struct dp_reader_rule){ .delimiter = ',', .csv = i < 3, .fields = 2,
		    .text = i == 1, .no_fast_csv = i < 2, .block = 100 };
		x.want = i < 3 ? 4 : 5;
		check(each(make_reader, &x, FAIL_MEMORY, DP_ENOMEM) >= (i < 3 ? 5 : 8));
		/* libcsv asks for less when it gets none. */
		check(each(make_reader, &x, FAIL_MEMORY_ON, DP_ENOMEM) >= 8);
	}
	close(x.fd);
}

#else

static void
memory(void)
{
}

#endif

int
main(void)
{
	texts();
	sources();
	calls();
	memory();
	return done();
}
