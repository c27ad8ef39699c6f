/* SPDX-License-Identifier: ISC */
/* The library's handles: refusals, their order, clamps, caps, saved texts, the law of the noise. */
#include <math.h>
#include <sodium.h>

#include "api/dputils.h"
#include "check.h"

/* A handle of "KIND OPTION VALUE OPTION VALUE ..", or NULL; *e is the first error. */
static dputils *
made(const char *text, int *e)
{
	char copy[400], *word[40] = { "" }, *p;
	dputils *h = NULL;
	unsigned i, n = 0;

	snprintf(copy, sizeof copy, "%s", text);
	for (p = strtok(copy, " "); p != NULL && n < 40; p = strtok(NULL, " "))
		word[n++] = p;
	if ((*e = dputils_new(&h, word[0])) != 0)
		return NULL;
	for (i = 1; i + 1 < n && *e == 0; i += 2)
		*e = dputils_set(h, word[i], word[i + 1]);
	if (*e == 0)
		*e = dputils_plan(h);
	return h;
}

static dputils *
good(const char *text)
{
	int e;
	dputils *h = made(text, &e);

	check(e == 0);
	if (e != 0) {
		printf("%s: %s\n", text, h != NULL ? dputils_why(h) : "");
		exit(1);
	}
	return h;
}

/* All that a tool refuses, with a reason. */
static void
refused(void)
{
	static const char *const job[] = {
		"count horizon 10", "count epsilon 0", "count epsilon -1", "count epsilon inf",
		"count epsilon nan", "count epsilon 1e300", "count epsilon 1/0",
		"count epsilon 1 delta 1", "count epsilon 1 delta -1",
		"count epsilon 1 horizon 0", "count epsilon 1 horizon 99999999999999999999",
		"count epsilon 1 range 5:1", "count epsilon 1 range 0:0",
		"count epsilon 1 range 0,5:1", "count epsilon 1 range 0:1.0000000001",
		"count epsilon 1 range 0:2000T", "count epsilon 1 window 3",
		"count epsilon 1 steps lines", "count epsilon 1 per-user 0",
		"count epsilon 1 per-user 1/day", "count epsilon 1 steps events per-user 1/step",
		"count epsilon 1 keys 0", "count epsilon 1 keys 1000001",
		"count epsilon 1 mechanism none", "count epsilon 1 window 3",
		"count epsilon 1 statistic mean", "window epsilon 1", "window epsilon 1 window 0",
		"window epsilon 1 window 2,2", "window epsilon 1 window 1,",
		"window epsilon 1 window 5 horizon 3", "window epsilon 1",
		"count epsilon 1 statistic mean", "decay epsilon 1",
		"decay epsilon 1 half-life 0",
		"decay epsilon 1 half-life 0.01", "mean epsilon 1", "mean epsilon 1 range 3:3",
		"mean epsilon 1 range 0:1 statistic median",
		"mean epsilon 1 range 0:1 statistic sd,sd",
		"mean epsilon 1 range 0:1 window 3 half-life 2",
		"count epsilon 1 not-private-seed x",
		"count epsilon 1 not-private-exact yes", "count not-private-exact 1",
		"count epsilon 1 range 0:1000T per-user 4", "count epsilon 1e-14 horizon 3",
		"count epsilon 1 colour red", "count epsilon 1 per-user 4294967296" };
	unsigned i;
	dputils *h;
	int e;

	for (i = 0; i < sizeof job / sizeof *job; i++) {
		h = made(job[i], &e);
		if (e != DPUTILS_EINVAL && e != DPUTILS_ERANGE)
			printf("%s: %d\n", job[i], e);
		check(e == DPUTILS_EINVAL || e == DPUTILS_ERANGE);
		check(h != NULL && strlen(dputils_why(h)) > 10);
		/* and then as it should be */
		check(dputils_numbers(h) == 0 && dputils_step(h) == DPUTILS_EUSE);
		dputils_free(h);
	}
	check(dputils_new(&h, "median") == DPUTILS_EINVAL);
	dputils_free(NULL);
	h = made("count epsilon 0", &e);
	check(dputils_set(h, "epsilon", "1") == 0 && dputils_plan(h) == 0);
	check(dputils_set(h, "epsilon", "2") == DPUTILS_EUSE && dputils_plan(h) == DPUTILS_EUSE);
	dputils_free(h);
}

static int64_t
estimate(dputils *h, size_t i)
{
	int64_t v = INT64_MIN;

	check(dputils_estimate(h, i, &v) == 0);
	return v;
}

static int
text(dputils *h, const char *value, size_t key, const char *user)
{
	return dputils_event(h, value, strlen(value), key, user, user != NULL ? strlen(user) : 0);
}

/* Calls out of order; what is no number; ends of the range and of sums. */
static void
exact(void)
{
	dputils *h = good("count not-private-exact yes horizon 3 range -1.00:2.50 keys 2");
	int64_t lo, hi, v = 77;
	double variance;
	char t[48];
	int i;

	check(dputils_numbers(h) == 2 && dputils_decimals(h, 1) == 2 && dputils_steps(h) == 0);
	check(dputils_estimate(h, 0, &v) == DPUTILS_ENONE && v == 77);
	check(dputils_text(h, 0, t, 48) == DPUTILS_ENONE);
	check(dputils_interval(h, 0, .95, &lo, &hi) == DPUTILS_ENONE);
	check(text(h, "1", 2, NULL) == DPUTILS_EUSE && text(h, "1", 0, "u") == DPUTILS_EUSE);
	check(text(h, "nan", 0, NULL) == DPUTILS_EVALUE && text(h, "", 0, NULL) == DPUTILS_EVALUE);
	check(text(h, "inf", 0, NULL) == DPUTILS_EVALUE && text(h, "1 2", 0, NULL) ==
	    DPUTILS_EVALUE && text(h, "0x1", 0, NULL) == DPUTILS_EVALUE);
	check(dputils_add(h, 123) == 0 && dputils_add(h, INT64_MAX) == 0 &&
	    dputils_add(h, INT64_MIN) == 0);
	check(text(h, "1e99", 1, NULL) == 0 && text(h, "-0.005", 1, NULL) == 0);
	check(dputils_step(h) == 0);
	check(estimate(h, 0) == 123 + 250 - 100 && estimate(h, 1) == 250 - 1);
	check(dputils_text(h, 0, t, 4) == DPUTILS_ERANGE && dputils_text(h, 0, t, 5) == 0 &&
	    strcmp(t, "2.73") == 0);
	check(dputils_estimate(h, 2, &v) == DPUTILS_ENONE && v == 77);
	check(dputils_interval(h, 0, 1, &lo, &hi) == DPUTILS_EINVAL &&
	    dputils_interval(h, 0, (double)NAN, &lo, &hi) == DPUTILS_EINVAL);
	check(dputils_interval(h, 0, .95, &lo, &hi) == 0 && lo == 273 && hi == 273);
	check(dputils_variance(h, 0, &variance) == 0 && variance == 0);
	check(dputils_step(h) == 0 && dputils_step(h) == 0 && estimate(h, 0) == 273);
	check(dputils_add(h, 100) == 0 && dputils_step(h) == DPUTILS_EHORIZON);
	check(estimate(h, 0) == 273 && dputils_steps(h) == 3);
	dputils_free(h);

	h = good("count not-private-exact yes steps events range 0:7");
	check(dputils_add(h, 9) == 0 && dputils_add(h, 1) == DPUTILS_EUSE);
	check(dputils_step(h) == 0 && dputils_step(h) == 0 && dputils_add(h, 1) == 0 &&
	    dputils_step(h) == 0 && estimate(h, 0) == 8);
	dputils_free(h);

	/* 2^61 and no farther */
	h = good("count not-private-exact yes range 0:1125T");
	for (i = 0; i < 2100; i++)
		check(dputils_add(h, INT64_MAX) == 0);
	check(dputils_step(h) == 0 && estimate(h, 0) == (int64_t)1 << 61);
	dputils_free(h);
}

/* K of a user's events count, of all or of each step. */
static void
capped(void)
{
	dputils *h = good("count not-private-exact yes per-user 2 keys 2");
	int i;

	check(dputils_add(h, 1) == DPUTILS_EUSE);
	for (i = 0; i < 5; i++)
		check(text(h, "1", (size_t)i % 2, "a") == 0 && text(h, "1", 0, "b") == 0);
	check(text(h, "1", 1, "") == 0 && text(h, "1", 1, "c") == 0);	/* nobody, and somebody */
	check(dputils_step(h) == 0 && estimate(h, 0) == 3 && estimate(h, 1) == 2);
	check(text(h, "1", 0, "a") == 0 && dputils_step(h) == 0 && estimate(h, 0) == 3);
	dputils_free(h);
	h = good("count not-private-exact yes per-user 2/step");
	for (i = 0; i < 5; i++)
		check(text(h, "1", 0, "a") == 0);
	check(dputils_step(h) == 0 && estimate(h, 0) == 2);
	check(text(h, "1", 0, "a") == 0 && dputils_step(h) == 0 && estimate(h, 0) == 3);
	dputils_free(h);
}

/* Saves, frees and loads. */
static dputils *
again(dputils *h)
{
	dputils *l = NULL;
	size_t n = 0;
	char *p;

	check(dputils_save(h, NULL, 0, &n) == DPUTILS_ERANGE && n > 100);
	p = malloc(n);
	check(p != NULL && dputils_save(h, p, n, NULL) == 0);
	dputils_free(h);
	check(dputils_load(&l, p, n) == 0);
	free(p);
	if (l == NULL)
		exit(1);
	return l;
}

/* What goes on after a load is what goes on without, byte for byte, in the middle of a step too. */
static void
saved(void)
{
	static const char *const job[] = {
		"count epsilon 1 horizon 50 not-private-seed 5",
		"count epsilon 1 range 0.0:9.5 delta 1e-6 not-private-seed 5 keys 3",
		"window epsilon 1/3 window 1,7,24 horizon 60 not-private-seed 5",
		"decay epsilon 2 half-life 9 not-private-seed 5 per-user 3",
		"mean epsilon 2 range 0:9 window 5,9 statistic mean,sd,sum not-private-seed 5",
		"mean epsilon 2 range 0.5:9 horizon 99 per-user 2/step not-private-seed 5 keys 2" };
	char a[48], b[48];
	unsigned i, t, k;
	dputils *one, *two;
	const char *who;
	bool user;
	int e;

	for (i = 0; i < sizeof job / sizeof *job; i++) {
		one = good(job[i]);
		two = again(good(job[i]));
		user = strstr(job[i], "per-user") != NULL;
		for (t = 0; t < 40; t++) {
			for (k = 0; k < 6; k++) {
				who = user ? &"x\0y"[k % 3] : NULL;
				check(text(one, k % 2 ? "3" : "7", 0, who) == 0);
				check(text(two, k % 2 ? "3" : "7", 0, who) == 0);
				if (k == t % 7)
					two = again(two);
			}
			check(dputils_step(one) == 0 && dputils_step(two) == 0);
			if (t % 5 == 2)
				two = again(two);
			check(dputils_steps(two) == t + 1);
			for (k = 0; k < dputils_numbers(one); k++) {
				e = dputils_text(one, k, a, sizeof a);
				check(dputils_text(two, k, b, sizeof b) == e);
				check(e != 0 || strcmp(a, b) == 0);
				check(strcmp(dputils_name(one, k), dputils_name(two, k)) == 0);
			}
		}
		dputils_free(one);
		dputils_free(two);
	}
}

/* With the checksum that it should have. */
static int
load_as(char *p, size_t n)
{
	unsigned char sum[32];
	const size_t body = n - 8 - 65;
	dputils *h;
	int e;

	crypto_generichash(sum, sizeof sum, (unsigned char *)p, body, NULL, 0);
	sodium_bin2hex(p + body + 8, 65, sum, sizeof sum);
	p[n - 1] = '\n';
	if ((e = dputils_load(&h, p, n)) == 0) {
		(void)dputils_step(h);
		dputils_free(h);
	}
	return e;
}

/* Bytes that changed, or are not there; and those whose checksum fits. */
static void
damaged(void)
{
	dputils *h = good("mean epsilon 1 range 0:9 window 2 horizon 20 per-user 3 keys 2"), *l;
	size_t n, i;
	char *p, *q;

	check(text(h, "3", 1, "u") == 0 && dputils_step(h) == 0 && text(h, "3", 1, "v") == 0);
	check(dputils_save(h, NULL, 0, &n) == DPUTILS_ERANGE);
	p = malloc(n);
	q = malloc(n);
	check(dputils_save(h, p, n, NULL) == 0);
	dputils_free(h);
	for (i = 0; i < n; i++) {
		memcpy(q, p, n);
		q[i] = (char)(q[i] ^ 1);
		check(dputils_load(&l, q, n) == DPUTILS_ESTATE);
	}
	for (i = 0; i < n; i += 97)
		check(dputils_load(&l, p, i) == DPUTILS_ESTATE);
	check(load_as(memcpy(q, p, n), n) == 0);
	for (i = 0; i + 73 < n; i += 31) {
		memcpy(q, p, n);
		q[i] = (char)(q[i] == '0' ? '9' : q[i] == '\n' ? ' ' : '0');
		(void)load_as(q, n);	/* whatever it is, no memory is touched that is not its */
		memcpy(q, p, n);
		memmove(q + i, q + i + 1, n - i - 1);
		(void)load_as(q, n - 1);
	}
	free(p);
	free(q);
}

/*
 * Windows of one step have noise of their own: n = 4096, Laplace of scale 1 for epsilon 1.  The
 * mean of squares is off by more than 5 standard deviations (of sqrt(5 / n), a Laplace's) once in
 * 10^6; the interval at .9 misses more than n / 10 + 5 sqrt(n .09) as seldom.
 */
static void
law(void)
{
	dputils *h = good("window epsilon 1 window 1 horizon 4096 not-private-seed 1");
	double sum = 0, v = 0;
	int64_t lo, hi, est;
	unsigned t, out = 0;
	const unsigned n = 4096;

	for (t = 0; t < n; t++) {
		check(dputils_add(h, 1) == 0 && dputils_step(h) == 0);
		est = estimate(h, 0) - 1;
		check(dputils_variance(h, 0, &v) == 0);
		check(dputils_interval(h, 0, .9, &lo, &hi) == 0);
		check(lo <= est + 1 && est + 1 <= hi);
		sum += (double)(est * est);
		out += lo > 1 || hi < 1;
	}
	/* 2 e^-1 / (1 - e^-1)^2 */
	check(fabs(v - 2 * exp(-1) / pow(1 - exp(-1), 2)) < 1e-6);
	check(fabs(sum / n / v - 1) < 5 * sqrt(5.0 / n));
	check(out < n / 10 + 5 * sqrt(n * .09));
	dputils_free(h);
}

/* What is said, and into how much room. */
static void
said(void)
{
	dputils *h = good("window epsilon 3/2 window 2,12 horizon 30 per-user 4");
	static char t[1 << 17];
	size_t n = 0, need;

	check(dputils_explain(h, "text", t, sizeof t, &n) == 0 && n == strlen(t) + 1);
	check(strstr(t, "(1.5, 0)-differentially private") != NULL &&
	    strstr(t, "at most 4") != NULL && strstr(t, "NOT PRIVATE") == NULL);
	check(dputils_explain(h, "text", t, n - 1, &need) == DPUTILS_ERANGE && need == n);
	check(dputils_explain(h, "plan", t, sizeof t, NULL) == 0 &&
	    strncmp(t, "dputils-plan 2\n", 15) == 0 && strstr(t, "\nlast 2 12\n") != NULL);
	check(dputils_explain(h, "page", t, sizeof t, NULL) == DPUTILS_EINVAL);
	check(strcmp(dputils_name(h, 0), "2") == 0 && strcmp(dputils_name(h, 1), "12") == 0 &&
	    strcmp(dputils_name(h, 2), "") == 0);
	dputils_free(h);
	h = good("count epsilon 1 not-private-seed 3");
	check(dputils_explain(h, "text", t, sizeof t, NULL) == 0 &&
	    strstr(t, "NOT PRIVATE: the noise of not-private-seed") == t);
	check(dputils_charge(h, "/nonexistent", "x") == DPUTILS_EINVAL);
	dputils_free(h);
	h = good("count not-private-exact yes");
	check(dputils_explain(h, "text", t, sizeof t, NULL) == 0 &&
	    strstr(t, "NOT PRIVATE") == t && dputils_charge(h, "/nonexistent", NULL) ==
	    DPUTILS_EINVAL);
	dputils_free(h);
	h = good("count epsilon 1 horizon 1 range -2:9 steps events");
	check(dputils_explain(h, "plan", t, sizeof t, NULL) == 0 &&
	    strstr(t, "\nline -2 9 0 1 1\n") != NULL && strstr(t, "\nreach 11\n") != NULL);
	dputils_free(h);
	/* K = 3 events of 9 * 10^5 grid units each */
	h = good("mean epsilon 1 range 0:9 window 2 horizon 30 keys 2 per-user 3");
	check(dputils_explain(h, "plan", t, sizeof t, NULL) == 0 &&
	    strstr(t, "\nadds 3 1 900000 4\n") != NULL &&
	    strstr(t, "\nlaplace 2700000/1 1\n") != NULL);
	dputils_free(h);
	h = good("mean epsilon 1 range 0:5 window 2,4 statistic mean,count");
	check(strcmp(dputils_name(h, 0), "2_mean") == 0 &&
	    strcmp(dputils_name(h, 3), "4_count") == 0 && dputils_decimals(h, 3) == 0);
	check(dputils_charge(h, "/nonexistent", "\n") == DPUTILS_EINVAL);
	check(dputils_charge(h, "/nonexistent", "x") < 0 && strlen(dputils_why(h)) > 5);
	/* what a ledger has refused releases nothing */
	check(dputils_add(h, 1) == DPUTILS_EUSE && dputils_step(h) == DPUTILS_EUSE);
	check(dputils_charge(h, "/nonexistent", "x") < 0);
	dputils_free(h);
	check(strcmp(dputils_version(), "0.2") == 0);
	for (n = 0; n < 13; n++)
		check(strcmp(dputils_error(-(int)n), "unknown error") != 0);
}

int
main(void)
{
	PART(refused());
	PART(exact());
	PART(capped());
	PART(saved());
	PART(damaged());
	PART(law());
	PART(said());
	return done();
}
