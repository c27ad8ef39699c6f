/* SPDX-License-Identifier: ISC */
/*
 * How far neighbours move the step values, from a plan's lines (audit/internal.h): against
 * dp_relation_distance(), which t_neighbour.c compares with all small pairs of streams; and a plan
 * whose reach, squares or values that differ are one less is refuted.
 *
 * planned	distances of all small relations
 * refused	plans one off, and lines that are none
 */
#include "account/neighbour.h"
#include "audit/internal.h"
#include "check.h"

static unsigned compared;

static void
compare(const struct dp_relation *r)
{
	struct dp_verdict v = { .is = DP_VERDICT_HOLDS };
	struct audit_neighbours n;
	struct dp_distance d;
	struct dp_buf b = { .n = 0 };
	struct reader in;
	bool same;

	if (dp_relation_distance(r, &d) != 0)
		return;
	check(dp_relation_lines(r, &b) == 0);
	in = (struct reader){ .at = b.p, .end = b.p + b.n, .v = &v };
	audit_neighbours_init(&n);
	same = audit_next_line(&in) && audit_neighbours_line(&in, &n) && audit_good(&in) &&
	    in.at == in.end && mpz_cmp_ui(n.l1, d.l1) == 0 &&
	    (d.wide || mpz_cmp_ui(n.square, d.l2squared) == 0) &&
	    (r->whole || r->vector.l1 != 0 || mpz_cmp_ui(n.cells, d.cells) == 0);
	check(same);
	if (!same)
		gmp_printf("%.*s%Zd %Zd %Zd for %lu %lu %lu\n", (int)b.n, b.p, n.l1, n.square,
		    n.cells, (unsigned long)d.l1, (unsigned long)d.l2squared,
		    (unsigned long)d.cells);
	audit_neighbours_clear(&n);
	dp_buf_free(&b);
	compared++;
}

/* All that a relation may be, besides: each is refused, or compared. */
static void
forms(struct dp_relation r)
{
	unsigned i;

	for (i = 0; i < 64; i++) {
		r.lines = i & 1;
		r.once = i & 2;
		r.entry = i & 4;
		r.total = i & 8 ? "1" : NULL;
		r.unit = i & 16 ? 2 : 0;
		r.per_step = i & 32;
		compare(&r);
	}
}

static void
planned(void)
{
	static const int64_t range[][2] = { { 0, 1 }, { -3, 5 }, { -7, 2 }, { 4, 9 }, { -9, -2 },
	    { 0, 0 }, { -((int64_t)1 << 40), (int64_t)1 << 30 } };
	struct dp_relation r;
	unsigned i, D, S, K;

	for (K = 0; K < 4; K++)
		for (D = 0; D < 5; D++) {
			for (i = 0; i < sizeof range / sizeof *range; i++)
				for (S = 0; S <= D; S++)
					forms((struct dp_relation){ .lo = range[i][0],
					    .hi = range[i][1], .per_user = K, .columns = D,
					    .ones = S });
			for (i = 0; i < 4; i++)
				compare(&(struct dp_relation){ .lines = i % 2, .per_user = K,
				    .columns = D, .sum = i / 2 * 99 + 1 });
		}
	for (K = 0; K < 4; K++) {
		r = (struct dp_relation){ .of = DP_RECORD_ID, .hi = 1, .per_user = K, .columns = 9,
		    .ones = 1, .whole = true };
		compare(&r);
		r = (struct dp_relation){ .of = DP_RECORD_SYMBOL, .hi = 1, .per_user = K,
		    .vector = { 6, 14 } };
		compare(&r);
	}
	check(compared > 2000);
}

#define PLAN(lines) "dputils-plan 1\nversion 0\ntool t\n" lines "mechanism m\nepsilon 1/1\n"
#define WITH	"delta 1/1000000\n"

static void
refused(void)
{
	static const struct { enum dp_verdict_is is; const char *text; } of[] = {
		{ DP_VERDICT_HOLDS, PLAN("event -3 5 0 1 1\n") "reach 8\nlaplace 8/1 1\n" },
		{ DP_VERDICT_REFUTED, PLAN("event -3 5 0 1 1\n") "reach 7\nlaplace 7/1 1\n" },
		{ DP_VERDICT_HOLDS, PLAN("event -3 5 2 1 1\n") "reach 2\nlaplace 2/1 1\n" },
		{ DP_VERDICT_HOLDS, PLAN("adds 3 1 5 2\nadds 3 1 1 1\n")
		    "reach 18\nlaplace 18/1 1\n" },
		{ DP_VERDICT_REFUTED, PLAN("adds 3 1 5 2\nadds 3 1 1 1\n")
		    "reach 17\nlaplace 17/1 1\n" },
		/* a part's reach is its own */
		{ DP_VERDICT_HOLDS, PLAN("records 2 0 3 0 1 1\n") "reach 6\n"
		    "mechanism a\nepsilon 1/1\nreach 1\nlaplace 1/1 1\nend\n" },
		{ DP_VERDICT_HOLDS, PLAN("records 2 0 3 0 1 1\n") WITH
		    "reach 6\nblt 706470000000000000/1 10 1 20 36 0 0 0 0 0 0\n" },
		{ DP_VERDICT_REFUTED, PLAN("records 2 0 3 0 1 1\n") WITH
		    "reach 6\nblt 706470000000000000/1 10 1 20 35 0 0 0 0 0 0\n" },
		{ DP_VERDICT_MALFORMED, PLAN("event 5 -3 0 1 1\n") "reach 8\nlaplace 8/1 1\n" },
		{ DP_VERDICT_MALFORMED, PLAN("event 0 1 0 1\n") "reach 1\nlaplace 1/1 1\n" },
		{ DP_VERDICT_MALFORMED, PLAN("event 0 1 0 1 1 1\n") "reach 1\nlaplace 1/1 1\n" },
		{ DP_VERDICT_MALFORMED, PLAN("event 0 1 0 0 1\n") "reach 1\nlaplace 1/1 1\n" },
		{ DP_VERDICT_MALFORMED, PLAN("event 0 - 0 1 1\n") "reach 1\nlaplace 1/1 1\n" },
		{ DP_VERDICT_MALFORMED, PLAN("line 0 1 0 1 2\n") "reach 9\nlaplace 9/1 1\n" },
		{ DP_VERDICT_MALFORMED, PLAN("people 1\n") "reach 1\nlaplace 1/1 1\n" }
	};
	struct dp_verdict v;
	char plan[1024];
	unsigned i;

	for (i = 0; i < sizeof of / sizeof *of; i++) {
		snprintf(plan, sizeof plan, "%send\n", of[i].text);
		check(dp_certificate_check(&v, plan, strlen(plan)) == 0);
		dp_verdict_free(&v);
		check(v.is == of[i].is && (v.is == DP_VERDICT_MALFORMED || v.derived));
		if (v.is != of[i].is)
			printf("%u: %d: %s\n", i, v.is, v.why);
	}
}

int
main(void)
{
	PART(planned());
	PART(refused());
	return done();
}
