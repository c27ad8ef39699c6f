/* SPDX-License-Identifier: ISC */
/*
 * t_refuse.c - what no mechanism may be asked for, asked of every one on the list, for each task
 * that it knows: rules that are out of range, noise that does not fit, parameters that are damaged,
 * entropy that ends, columns of any words.  A new mechanism is tested here without a line for it.
 */
#include <math.h>

#include "job/internal.h"
#include "registry.h"

#define T	40

static const char *
name_of(const struct dp_mech_ops *o, enum dp_what what)
{
	static char text[100];

	snprintf(text, sizeof text, "%s, %s", o->name, task_name(what));
	return text;
}

/* Says who failed. */
#define must_be(x, o, what) do { \
	bool good_ = (x); \
	check(good_); \
	if (!good_) \
		printf("%s\n", name_of(o, what)); \
	} while (0)

/* create()'s status; what was made is freed. */
static int
made(const struct dp_mech_ops *o, const struct dp_mech_rule *r)
{
	struct dp_mech *m = NULL;
	int e = dp_mech_plan(&m, o, r);

	if (e == 0)
		dp_mech_free(m);
	return e;
}

/* One thing at a time is out of range, of those that the task reads. */
static void
tasks_out_of_range(const struct dp_mech_ops *o, enum dp_what what)
{
	static const double none[] = { 0, -1, NAN };
	const struct dp_mech_rule good = registry_rule(o, what, false, T);
	struct dp_mech_rule r = good;
	size_t i;

	for (i = 0; i < 3; i++) {
		r = good;
		r.task.lambda = none[i];
		must_be(what != DP_TASK_GRADUAL || made(o, &r) == DP_EINVAL, o, what);
	}
	r.task.lambda = 8.5;
	must_be(what != DP_TASK_GRADUAL || made(o, &r) == DP_EINVAL, o, what);
	r = good;
	r.task.ng = 5;		/* a curve of ages that falls */
	must_be(what != DP_TASK_GRADUAL || made(o, &r) == DP_EINVAL, o, what);
	r = good;
	r.task.windows = 0;
	must_be(what != DP_TASK_WINDOW || made(o, &r) == DP_EINVAL, o, what);
	r.task.windows = 1;
	r.task.w[0] = 0;
	must_be(!(what & (DP_TASK_WINDOW | DP_TASK_MAP)) || made(o, &r) == DP_EINVAL, o, what);
	r.horizon = 0;
	r.task.w[0] = ((uint64_t)1 << 32) + 1;
	must_be(what != DP_TASK_WINDOW || made(o, &r) != 0, o, what);
	r = good;
	r.task.decimals = 40;	/* input, normtree and blt give what doubles hold of them */
	must_be(!(what & (DP_TASK_POLY | DP_TASK_TABLE | DP_TASK_MAP)) ||
	    strcmp(o->name, "input") == 0 || made(o, &r) == DP_EINVAL, o, what);
}

/* The largest horizon of those that have one, by name: one step more is refused. */
static void
horizons(void)
{
	static const struct {
		const char *name;
		enum dp_what what;
		uint64_t most;
	} row[] = {
		{ "tree", DP_TASK_COUNT, (uint64_t)1 << 61 },
		{ "kary", DP_TASK_COUNT, (uint64_t)1 << 50 },
		{ "pan", DP_TASK_COUNT, (uint64_t)1 << 61 },
		{ "gradual", DP_TASK_GRADUAL, 0 }
	};
	struct dp_mech_rule r;
	const struct dp_mech_ops *o;
	unsigned i, k;

	for (k = 0; k < sizeof row / sizeof *row; k++)
		for (i = 0; (o = dp_plan_list(i)) != NULL; i++) {
			if (strcmp(o->name, row[k].name) != 0 || !(o->tasks & row[k].what))
				continue;
			r = registry_rule(o, row[k].what, false, row[k].most);
			if (row[k].most != 0)
				must_be(made(o, &r) == 0, o, row[k].what);
			r.horizon = row[k].most != 0 ? row[k].most + 1 : UINT64_MAX;
			must_be(made(o, &r) == DP_EINVAL, o, row[k].what);
		}
}

/* However long, a horizon is taken or refused; and none is refused by who needs none. */
static void
any_horizon(const struct dp_mech_ops *o, enum dp_what what)
{
	static const uint64_t long_ones[] = { (uint64_t)1 << 32, ((uint64_t)1 << 44) + 1,
	    ((uint64_t)1 << 50) + 1, (uint64_t)1 << 59, ((uint64_t)1 << 61) + 1,
	    (uint64_t)1 << 63, UINT64_MAX };
	struct dp_mech_rule r;
	size_t i;
	int e;

	for (i = 0; i < sizeof long_ones / sizeof *long_ones; i++) {
		r = registry_rule(o, what, false, long_ones[i]);
		r.privacy.dry = true;
		e = made(o, &r);
		must_be(e == 0 || e == DP_EINVAL || e == DP_ERANGE, o, what);
	}
	/* tuned for no step, or for more than there are */
	r = registry_rule(o, what, false, T);
	for (i = 0; i < 2; i++) {
		r.report = i == 0 ? 0 : UINT64_MAX;
		must_be(made(o, &r) == 0 || strcmp(o->name, "identity") == 0, o, what);
	}
	r = registry_rule(o, what, false, 0);
	r.report = 1000;
	/* whose lags have no end; which is without noise only */
	if (what == DP_TASK_POLY || strcmp(o->name, "identity") == 0)
		return;
	must_be((made(o, &r) == 0) >= (bool)(o->traits & DP_TRAIT_ENDLESS), o, what);
	if (!(o->traits & DP_TRAIT_ENDLESS) && what != DP_TASK_TABLE)
		must_be(made(o, &r) == DP_EINVAL, o, what);
}

/* Noise that no sampler has: of a scale beyond 2^40. */
static void
too_much_noise(const struct dp_mech_ops *o, enum dp_what what)
{
	struct dp_mech_rule r = registry_rule(o, what, false, T);
	int e;

	if (dp_privacy_set(&r.privacy, false, dp_q_make(1, (uint64_t)1 << 30), r.privacy.delta,
	    (uint64_t)1 << 55, (uint64_t)1 << 61) != 0)
		abort();
	e = made(o, &r);
	/* response flips bits, and needs no scale */
	must_be(e == DP_ERANGE || (e == DP_EINVAL && o->traits & DP_TRAIT_DELTA) ||
	    o->traits & DP_TRAIT_BITS || strcmp(o->name, "identity") == 0, o, what);
}

/* An old list of another plan: as many words, one of them changed; too few; too many. */
static void
damaged_numbers(const struct dp_mech_ops *o, enum dp_what what)
{
	static const uint64_t odd[] = { 0, 1, 2, 63, 64, (uint64_t)1 << 32, UINT64_MAX,
	    0x7ff8000000000000 };
	struct dp_mech_rule r = registry_rule(o, what, false, T);
	struct dp_numbers whole = { .n = 0 }, p;
	struct dp_mech *m, *n;
	size_t i, j, k;
	int e;

	r.privacy.numbers = &whole;
	if (dp_mech_create(&m, o, &r) != 0) {
		dp_numbers_free(&whole);
		return;
	}
	for (i = 0; i <= whole.n; i++)
		for (j = 0; j < sizeof odd / sizeof *odd + 2; j++) {
			p = (struct dp_numbers){ .n = 0 };
			for (k = 0; k < whole.n && (j != 0 || k < i); k++)
				dp_numbers_add(&p, k != i || j == 0 ? whole.number[k].word :
				    j == 1 ? whole.number[k].word + 1 : odd[j - 2]);
			if (j > 0 && i == whole.n)
				dp_numbers_add(&p, 1);
			dp_numbers_replay(&p);
			r.privacy.numbers = &p;
			n = NULL;
			e = dp_mech_create(&n, o, &r);
			must_be(e == 0 || e == DP_EINVAL || e == DP_ERANGE, o, what);
			/* too few, too many */
			if ((j == 0 && i < whole.n) || (j > 0 && i == whole.n))
				must_be(e == DP_EINVAL || e == DP_ERANGE, o, what);
			if (j == 0 && i == whole.n)
				must_be(e == 0, o, what);
			if (e == 0)
				dp_mech_free(n);
			dp_numbers_free(&p);
		}
	dp_mech_free(m);
	dp_numbers_free(&whole);
}

/* Entropy ends at the n-th draw: an error; estimates before it are those of a whole run. */
static void
no_entropy(const struct dp_mech_ops *o, enum dp_what what)
{
	static const int64_t z[4096];
	struct dp_mech_rule r = registry_rule(o, what, false, T);
	dp_wide y[T + DP_WINDOWS_MAX], want[T + DP_WINDOWS_MAX];
	struct dp_mech *m;
	struct dp_rng *rng;
	struct column c;
	int64_t x[T];
	size_t n, done, used;
	uint64_t t;
	int e;

	if (dp_mech_create(&m, o, &r) != 0)
		return;
	for (t = 0; t < T; t++)
		x[t] = t % 3 == 0;
	if (dp_rng_open_known(&rng, z, 4096) != 0 || column_new(&c, m, rng) != 0)
		abort();
	must_be(dp_mech_steps(m, c.state, rng, 1, x, want, T, &done) == 0 && done == T, o, what);
	used = 4096 - rng->left;
	column_free(&c);
	dp_rng_free(rng);
	for (n = 0; n < used; n++) {
		if (dp_rng_open_known(&rng, z, n) != 0)
			abort();
		done = 0;
		if ((e = column_new(&c, m, rng)) == 0)
			e = dp_mech_steps(m, c.state, rng, 1, x, y, T, &done);
		must_be(e == DP_EENTROPY && done < T && memcmp(y, want, done * sizeof *y) == 0,
		    o, what);
		column_free(&c);
		dp_rng_free(rng);
		if (dp_rng_open_known(&rng, z, n) != 0)
			abort();
		e = column_new(&c, m, rng);
		for (t = 1; t <= T && e == 0; t++)
			e = o->step(m, c.state, rng, t, &x[t - 1], y);
		must_be(e == DP_EENTROPY, o, what);
		column_free(&c);
		dp_rng_free(rng);
	}
	dp_mech_free(m);
}

/* What is not valid is refused; what is can be stepped, without leaving memory. */
static void
any_column(const struct dp_mech_ops *o, enum dp_what what)
{
	struct dp_mech_rule r = registry_rule(o, what, false, T);
	struct dp_mech *m;
	struct dp_rng *rng;
	struct column c;
	uint64_t *w, seed = 1;
	dp_wide y[DP_WINDOWS_MAX];
	const int64_t x = 1;
	size_t i, k;
	int e;

	if (dp_mech_create(&m, o, &r) != 0)
		return;
	if (dp_rng_open_seed(&rng, 5) != 0)
		abort();
	for (k = 0; k < 200; k++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		w = c.state;
		for (i = 0; i < m->column / 8; i++) {
			seed = seed * 6364136223846793005 + 1442695040888963407;
			if (k < 3)	/* all the same */
				w[i] = k == 0 ? 0 : k == 1 ? UINT64_MAX >> 8 : (uint64_t)-3;
			else if (seed >> 33 < (uint64_t)1 << (k % 31))
				w[i] = (uint64_t)((int64_t)(seed * k) >> 8 >> k % 50);
		}
		if (o->valid != NULL && !o->valid(m, c.state, k % T)) {
			column_free(&c);
			continue;
		}
		e = o->step(m, c.state, rng, k % T + 1, &x, y);
		must_be(e == 0 || e == DP_EENTROPY, o, what);
		column_free(&c);
	}
	dp_rng_free(rng);
	dp_mech_free(m);
}

int
main(void)
{
	const struct dp_mech_ops *o;
	unsigned i, what;

	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		for (what = 1; what <= o->tasks && what < DP_TASK_OWN; what *= 2)
			if (o->tasks & what) {
				tasks_out_of_range(o, what);
				any_horizon(o, what);
				too_much_noise(o, what);
				damaged_numbers(o, what);
				no_entropy(o, what);
				any_column(o, what);
			}
	horizons();
	return done();
}
