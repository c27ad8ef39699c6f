/* The numbers of a plan: recorded, replayed, damaged; for every mechanism there is. */
#include "base/params.h"
#include "mech.h"

#define STEPS	80

static void
lists(void)
{
	struct dp_params p = { .n = 0 };
	struct dp_q q;
	int i;

	check(dp_params_word(NULL, 7, 0, 1) == 7);
	dp_params_refuse(NULL);
	check(dp_params_error(NULL) == 0 && !dp_params_replays(NULL));
	check(dp_params_long(NULL, 0.25L) == 0.25L);
	for (i = 0; i < 2; i++) {
		check(dp_params_word(&p, i == 0 ? 5 : 6, 5, 5) == 5);
		check(dp_params_real(&p, i == 0 ? 0.1 : NAN, 0, 1) == 0.1);
		check(dp_params_long(&p, i == 0 ? 0.3L : 0.4L) == 0.3L);
		check(dp_params_long(&p, i == 0 ? 0x1p-16000L : 0) == 0x1p-16000L);
		check(dp_params_long(&p, i == 0 ? 0 : 1) == 0);
		check(dp_params_long(&p, i == 0 ? 1 : 0) == 1);
		q = dp_params_q(&p, i == 0 ? (struct dp_q){ 2, 3 } : (struct dp_q){ 5, 7 });
		check(q.num == 2 && q.den == 3);
		dp_params_same(&p, 9);
		dp_params_same_bytes(&p, "abc", 3);
		dp_params_end(&p);
		check(p.error == 0);
		p.replay = true;
	}
	/* there are no more */
	check(dp_params_word(&p, 4, 3, 5) == 3 && p.error == DP_EINVAL);
	dp_params_free(&p);
	for (i = 0; i < 6; i++) {
		dp_params_add(&p, i == 5 ? 2 : UINT64_MAX);
		p.replay = true;
		switch (i) {
		case 0:
			check(dp_params_word(&p, 4, 3, 5) == 3);
			break;
		case 1:		/* a NaN */
			check(dp_params_real(&p, 4, 3, 5) == 3);
			break;
		case 2:
			check(dp_params_q(&p, (struct dp_q){ 2, 3 }).den == 1);
			break;
		case 3:
			dp_params_same(&p, 4);
			break;
		case 4:
			dp_params_same_bytes(&p, "abc", 3);
			break;
		case 5:		/* one too many */
			dp_params_end(&p);
			break;
		}
		check(p.error == DP_EINVAL);
		dp_params_free(&p);
	}
	dp_params_free(&p);
}

/* A few steps; the last estimate, or the error.  What describes it must come to an end too. */
static int64_t
run(const struct dp_mech *m)
{
	struct dp_error unused;
	dp_wide est[DP_WINDOWS_MAX] = { 0 };
	struct dp_rng *rng;
	struct column c;
	int64_t x = 1;
	int e;

	if (dp_rng_open_seed(&rng, 5) != 0)
		abort();
	e = column_new(&c, m, rng);
	while (e == 0 && c.t < STEPS && (m->horizon == 0 || c.t < m->horizon)) {
		c.t++;
		e = m->ops->step(m, c.state, rng, c.t, &x, est);
	}
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_error(m, m->horizon != 0 ? m->horizon : 1000, &unused);
	return e != 0 ? e : (int64_t)est[0];
}

/*
 * An error leaves no plan, least of all what stood there.  Of a long list every word is damaged in
 * four ways of twelve, and its neighbours in the others.
 */
static void
damage(const struct dp_mech_ops *o, struct dp_mech_rule *r)
{
	static struct dp_mech stale;
	struct dp_params *p = r->privacy.params;
	const size_t n = p->n, stride = n / 40 + 1, ways = n > 40 ? 3 : 1;
	struct dp_mech *m;
	uint64_t was, w;
	size_t i, k;
	int e;

	for (i = 0; i < n; i += stride)
		for (was = p->word[i], k = i / stride % ways; k < 12; k += ways) {
			w = was;
			switch (k) {
			case 0: w = 0; break;
			case 1: w = 1; break;
			case 2: w = UINT64_MAX; break;
			case 3: w = was + 1; break;
			case 4: w = was - 1; break;
			case 5: w = was ^ 0x3f; break;
			case 6: w = was ^ 1 << 7; break;
			case 7: w = was << 1; break;
			case 8: w = was >> 1; break;
			case 9: w = (uint64_t)1 << 63; break;
			case 10: w = 63; break;
			case 11: w = UINT64_C(0x7ff0000000000000); break;
			}
			p->word[i] = w;
			p->at = 0;
			p->error = 0;
			m = &stale;
			if ((e = dp_mech_create(&m, o, r)) == 0) {
				(void)run(m);
				dp_mech_free(m);
			} else
				check((e == DP_EINVAL || e == DP_ERANGE) && m == NULL);
			p->word[i] = was;
		}
	for (i = 0; i < n; i += stride) {	/* too few */
		p->n = i;
		p->at = 0;
		p->error = 0;
		m = &stale;
		check(dp_mech_create(&m, o, r) == DP_EINVAL && m == NULL);
	}
	p->n = n;
	p->error = 0;
	dp_params_add(p, 0);		/* one too many */
	p->at = 0;
	m = &stale;
	check(dp_mech_create(&m, o, r) == DP_EINVAL && m == NULL);
}

/* Recorded and replayed it is the same; with fewer or other words it is refused, or can be run. */
static void
mechanism(const struct dp_mech_ops *o, enum dp_what what, uint64_t T)
{
	static const double g[] = { 1, .5, .25 };
	struct dp_params p = { .n = 0 };
	struct dp_mech_rule r = { .horizon = T, .report = T != 0 ? T : 1000, .every = 1,
	    .inputs = 1, .most = 1, .beta = .05,
	    .task = { .what = what, .map = DP_TASK_EXP, .windows = 1,
	    .w = { 7 }, .alpha = .9, .power = 1, .beta = .1, .lambda = .5, .g = g, .ng = 3,
	    .decimals = 6 } };
	const struct dp_q delta = { o->traits & DP_TRAIT_DELTA, 16000000 };
	const struct dp_task other = { .what = DP_TASK_OWN, .statistic = (const void *)g };
	struct dp_mech_rule not_its = r;
	struct dp_mech *m = (void *)&not_its;
	int64_t first;

	not_its.task = other;
	check(dp_mech_create(&m, o, &not_its) == DP_EINVAL && m == NULL);
	if (what != DP_TASK_WINDOW && what != DP_TASK_EXPIRE && what != DP_TASK_MAP)
		r.task.windows = 0;
	if (dp_privacy_set(&r.privacy, false, dp_q_make(1, 1), delta, 1, 1) != 0)
		abort();
	r.privacy.params = &p;
	if (dp_mech_create(&m, o, &r) != 0) {
		check(p.error == 0);
		dp_params_free(&p);
		return;
	}
	first = run(m);
	dp_mech_free(m);
	p.replay = true;
	check(dp_mech_create(&m, o, &r) == 0 && run(m) == first);
	dp_mech_free(m);
	/* the list is at its end: one plan has it */
	check(dp_mech_create(&m, o, &r) == DP_EINVAL && m == NULL);
	damage(o, &r);
	dp_params_free(&p);
}

int
main(void)
{
	static const uint64_t T[] = { 8, 400, 0 };
	const struct dp_mech_ops *o;
	unsigned i, j, what;

	lists();
	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		for (what = 1; what <= o->tasks; what *= 2)
			for (j = 0; j < 3; j++)
				if ((o->tasks & what) != 0 &&
				    (T[j] != 0 || (o->traits & DP_TRAIT_ENDLESS) != 0))
					mechanism(o, (enum dp_what)what, T[j]);
	return done();
}
