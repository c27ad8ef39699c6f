/* SPDX-License-Identifier: ISC */
/* The numbers of a plan: recorded, replayed, damaged; for every mechanism there is. */
#include "base/internal.h"
#include "job/internal.h"
#include "mech.h"

#define STEPS	80

/* All lines of p, as text. */
static char *
text_of(const struct dp_numbers *p)
{
	struct dp_buf b = { .n = 0 };

	dp_numbers_put(&b, p, "");
	dp_buf_add(&b, "", 1);
	if (b.error != 0)
		abort();
	return b.p;
}

/* Lines, the last one first if `back`; that of `out` (0: the first) is left out, or comes twice. */
static void
read_text(struct dp_numbers *p, const char *text, bool back, size_t out, bool twice)
{
	const char *line[200];
	size_t i, k, n = 0;

	for (; *text != '\0'; text = strchr(text, '\n') + 1) {
		if (n == 200)
			abort();
		line[n++] = text;
	}
	*p = (struct dp_numbers){ .n = 0 };
	for (k = 0; k < n; k++) {
		i = back ? n - 1 - k : k;
		if (i != out || twice)
			dp_numbers_get(p, line[i], (size_t)(strchr(line[i], '\n') - line[i]));
		if (i == out && twice)
			dp_numbers_get(p, line[i], (size_t)(strchr(line[i], '\n') - line[i]));
	}
}

/* What a plan of few numbers passes; i > 0: with other arguments, that no replay returns. */
static void
calls(struct dp_numbers *p, int i)
{
	struct dp_q q;
	size_t outer, nested;

	check(dp_numbers_int(p, "least", i == 0 ? 5 : 6, 5, 5) == 5);
	check(dp_numbers_real(p, "share", i == 0 ? 0.1 : NAN, 0, 1) == 0.1);
	outer = dp_numbers_enter(p, "inner");
	check(dp_numbers_real(p, "share", i == 0 ? -0.75 : 3, -1, 1) == -0.75);
	nested = dp_numbers_enter_nth(p, "band", 2);
	check(dp_numbers_int(p, "least", i == 0 ? UINT64_MAX : 6, 5, UINT64_MAX) == UINT64_MAX);
	dp_numbers_leave(p, nested);
	check(dp_numbers_real(p, "share", i == 0 ? 0x1p-1074 : 3, 0, 1) == 0x1p-1074);
	dp_numbers_leave(p, outer);
	check(dp_numbers_long(p, "power", i == 0 ? 0.3L : 0.4L) == 0.3L);
	check(dp_numbers_long(p, "power", i == 0 ? 0x1p-16000L : 0) == 0x1p-16000L);
	check(dp_numbers_long(p, "power", i == 0 ? 0 : 1) == 0);
	check(dp_numbers_long(p, "power", i == 0 ? 1 : 0) == 1);
	q = dp_numbers_q(p, "scale", i == 0 ? (struct dp_q){ 2, 3 } : (struct dp_q){ 5, 7 });
	check(q.num == 2 && q.den == 3);
	dp_numbers_same(p, "same", 9);
	dp_numbers_same_bytes(p, "table", "abc", 3);
	check(dp_numbers_real(p, "share", i == 0 ? INFINITY : 1, 0, INFINITY) == INFINITY);
	check(dp_numbers_int(p, "least", i == 0 ? (uint64_t)1 << 32 : 0, 0, UINT64_MAX) ==
	    (uint64_t)1 << 32);
	dp_numbers_end(p);
	check(p->error == 0);
}

/* Another bit of any word is another hash. */
static void
hashes(void)
{
	uint64_t word[3] = { 0, 1, UINT64_MAX }, hash = dp_numbers_hash_words(word, sizeof word);
	unsigned i;

	for (i = 0; i < 3 * 64; i++, word[(i - 1) / 64] ^= (uint64_t)1 << (i - 1) % 64) {
		word[i / 64] ^= (uint64_t)1 << i % 64;
		check(dp_numbers_hash_words(word, sizeof word) != hash);
	}
	check(dp_numbers_hash_words(word, sizeof word) == hash);
}

static const char TEXT[] =
    "least 5 0x100000000\n"
    "share 0x1.999999999999ap-4 inf\n"
    "inner.share -0x1.8p-1 0x0.0000000000001p-1022\n"
    "inner.band.2.least 0xffffffffffffffff\n"
    "power 0x999999999999999a 32767 0x8000000000000000 16769 0 32768 0x8000000000000000 32769\n"
    "scale 2/3\n"
    "same 9\n"
    "table 0xe71fa2190541574b\n";

static void
lists(void)
{
	struct dp_numbers p = { .n = 0 }, old = { .n = 0 };
	char *text;
	size_t i;

	check(dp_numbers_int(NULL, "a", 7, 0, 1) == 7);
	check(dp_numbers_enter(NULL, "a") == 0);
	dp_numbers_refuse(NULL);
	check(dp_numbers_error(NULL) == 0 && !dp_numbers_replays(NULL));
	check(dp_numbers_long(NULL, "a", 0.25L) == 0.25L);
	calls(&p, 0);
	text = text_of(&p);
	check(strcmp(text, TEXT) == 0);
	free(text);
	for (i = 0; i < 2; i++) {
		dp_numbers_replay(&p);
		calls(&p, 1);
	}
	/* an old list gets its names */
	for (i = 0; i < p.n; i++)
		dp_numbers_add(&old, p.number[i].word);
	for (i = 0; i < 2; i++) {
		dp_numbers_replay(&old);
		calls(&old, 1);
		text = text_of(&old);
		check(strcmp(text, TEXT) == 0);
		free(text);
	}
	dp_numbers_free(&old);
	/* there are no more */
	check(dp_numbers_int(&p, "least", 4, 3, 5) == 3 && p.error == DP_EINVAL);
	check(strcmp(p.fault, "'least' is missing") == 0);
	dp_numbers_free(&p);
	for (i = 0; i < 2; i++) {
		read_text(&p, TEXT, i == 1, 99, false);
		dp_numbers_replay(&p);
		calls(&p, 1);
		dp_numbers_free(&p);
	}
	for (i = 0; i < 8; i++) {
		read_text(&p, TEXT, false, i, true);
		check(p.error == DP_EINVAL && strstr(p.fault, " comes twice") != NULL);
		dp_numbers_free(&p);
	}
}

/* The lines of a document's section. */
static void
document(void)
{
	struct dp_numbers p = { .n = 0 };
	struct dp_buf b = { .n = 0 };
	char why[DP_DOC_WHY], *text;
	struct dp_doc d = dp_doc_writer(&b);
	size_t i, lines;

	calls(&p, 0);
	dp_doc_section(&d, "noise");
	dp_numbers_doc(&p, &d);
	dp_doc_end(&d);
	for (i = 0, lines = 0; TEXT[i] != '\0'; i++)
		lines += TEXT[i] == '\n';
	check(dp_doc_error(&d, why) == 0 &&
	    b.n == strlen(TEXT) + lines * strlen(DP_NUMBERS_PREFIX) + 14);
	for (i = 0; i < 2; i++) {
		d = i == 0 ? dp_doc_comparer((struct dp_slice){ b.p, b.n }) :
		    dp_doc_reader((struct dp_slice){ b.p, b.n });
		if (i == 1)
			dp_numbers_free(&p);
		dp_doc_section(&d, "noise");
		dp_numbers_doc(&p, &d);
		dp_doc_end(&d);
		check(dp_doc_error(&d, why) == 0);
	}
	text = text_of(&p);
	check(strcmp(text, TEXT) == 0);
	free(text);
	b.p[b.n - strlen("noise.table 0xe71fa2190541574b\n[end]\n") - 2] = '8';	/* same 8 */
	d = dp_doc_comparer((struct dp_slice){ b.p, b.n });
	dp_doc_section(&d, "noise");
	dp_numbers_doc(&p, &d);
	check(dp_doc_error(&d, why) == DP_ESTATE && strcmp(why, "'noise.same' differs") == 0);
	b.p[b.n - strlen("noise.table 0xe71fa2190541574b\n[end]\n") - 2] = 'x';
	d = dp_doc_reader((struct dp_slice){ b.p, b.n });
	dp_numbers_free(&p);
	dp_doc_section(&d, "noise");
	dp_numbers_doc(&p, &d);
	check(dp_doc_error(&d, why) == DP_ESTATE && strcmp(why, "'same' is damaged") == 0);
	dp_numbers_free(&p);
	dp_buf_free(&b);
}

/* One line, and one call that refuses it. */
static void
faults(void)
{
	static const char *const bad[] = { "", "a", "a ", "a  1", "a 1 ", " a 1", "a\t1", "A 1",
	    "a 01", "a 1x", "a -1", "a +1", "a 0x1", "a 4294967296", "a 0x0100000000", "a 0x1p0",
	    "a 0x1.0p+0", "a 0x2p+0", "a 0x1p+1024", "a nan", "a -nan", "a infinity", "a 1/",
	    "a /2", "a 1/2/3", "a 1/0x100000000", "a 18446744073709551616",
	    "a 0x10000000000000000", "a 1.5", "a 0x1.8", "a 0x1.00000000000000p+0", "a 0x0p-1",
	    "a 0x0.1p-1021", "a p", "a 0xp+0", "a 0x1p+",
	    "a 10000000000000000000000000000000000000000000000000000000000000000000000000000000",
	    ("a.00000000000000000000000000000000000000000000000000000000000000000000000000000000"
	    "000000000000000000 1") };
	static const struct {
		const char *line, *fault;
	} row[] = {
		{ "least 9", "'least' is out of range" },
		{ "real inf", "'real' is out of range" },
		{ "scale 1/9223372036854775808", "'scale' is out of range" },
		{ "scale 0/1", "'scale' is out of range" },
		{ "same 5", "'same' is another here" },
		{ "table 2", "'table' is another here" },
		{ "more 2", "'more' has more than this plan" },
		{ "least 0x1p+2", "'least' is no number of its kind" },
		{ "scale 3 2", "'scale' is no number of its kind" },
		{ "real 3", "'real' is no number of its kind" },
		{ "unfit 4", "'unfit' does not fit" }
	};
	struct dp_numbers p = { .n = 0 };
	size_t i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		dp_numbers_get(&p, bad[i], strlen(bad[i]));
		check(p.error == DP_EINVAL && p.fault[0] != '\0');
		if (p.error == 0)
			printf("read: %s\n", bad[i]);
		dp_numbers_free(&p);
	}
	for (i = 0; i < sizeof row / sizeof *row; i++) {
		dp_numbers_get(&p, row[i].line, strlen(row[i].line));
		check(p.error == 0);
		dp_numbers_replay(&p);
		switch (*row[i].line) {
		case 'l':
			check(dp_numbers_int(&p, "least", 4, 3, 5) == 3);
			break;
		case 'r':
			check(dp_numbers_real(&p, "real", 4, 3, 5) == 3);
			break;
		case 't':
			dp_numbers_same_bytes(&p, "table", "abc", 3);
			break;
		case 'm':
			dp_numbers_end(&p);
			break;
		case 'u':
			(void)dp_numbers_int(&p, "unfit", 4, 3, 5);
			dp_numbers_refuse(&p);
			break;
		default:
			if (row[i].line[1] == 'a')
				dp_numbers_same(&p, "same", 4);
			else
				(void)dp_numbers_q(&p, "scale", (struct dp_q){ 2, 3 });
			break;
		}
		check(p.error == DP_EINVAL && strcmp(p.fault, row[i].fault) == 0);
		if (strcmp(p.fault, row[i].fault) != 0)
			printf("%s: %s\n", row[i].line, p.fault);
		dp_numbers_free(&p);
	}
	/* scopes that are too deep for a name */
	for (i = 0; i < 40; i++)
		(void)dp_numbers_enter(&p, "scope");
	(void)dp_numbers_int(&p, "a", 1, 0, 1);
	check(p.error == DP_EINVAL);
	dp_numbers_free(&p);
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
	struct dp_numbers *p = r->privacy.numbers;
	const size_t n = p->n, stride = n / 40 + 1, ways = n > 40 ? 3 : 1;
	struct dp_mech *m;
	uint64_t was, w;
	size_t i, k;
	int e;

	for (i = 0; i < n; i += stride)
		for (was = p->number[i].word, k = i / stride % ways; k < 12; k += ways) {
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
			p->number[i].word = w;
			dp_numbers_replay(p);
			m = &stale;
			if ((e = dp_mech_create(&m, o, r)) == 0) {
				(void)run(m);
				dp_mech_free(m);
			} else
				check((e == DP_EINVAL || e == DP_ERANGE) && m == NULL);
			p->number[i].word = was;
		}
}

/* Lines of any order are read alike; one that lacks, or comes twice, is refused by its name. */
static void
lines(const struct dp_mech_ops *o, struct dp_mech_rule *r, int64_t first)
{
	struct dp_numbers *whole = r->privacy.numbers, p, old = { .n = 0 };
	char *text = text_of(whole), *again;
	const size_t n = whole->lines;
	struct dp_mech *m;
	size_t i;

	r->privacy.numbers = &p;
	for (i = 0; i < 2; i++) {
		read_text(&p, text, i == 1, n, false);
		dp_numbers_replay(&p);
		check(dp_mech_create(&m, o, r) == 0 && run(m) == first);
		dp_mech_free(m);
		dp_numbers_free(&p);
	}
	for (i = 0; i < n; i++) {
		read_text(&p, text, i % 2 == 0, i, false);
		dp_numbers_replay(&p);
		check(dp_mech_create(&m, o, r) == DP_EINVAL && m == NULL);
		check(strstr(p.fault, " is missing") != NULL);
		dp_numbers_free(&p);
	}
	read_text(&p, text, true, n, false);
	dp_numbers_get(&p, "more 1", 6);
	dp_numbers_replay(&p);
	check(dp_mech_create(&m, o, r) == DP_EINVAL && m == NULL);
	check(strcmp(p.fault, "'more' has more than this plan") == 0);
	dp_numbers_free(&p);
	/* words without names, of an old state, and one too many */
	r->privacy.numbers = &old;
	for (i = 0; i < whole->n; i++)
		dp_numbers_add(&old, whole->number[i].word);
	dp_numbers_replay(&old);
	check(dp_mech_create(&m, o, r) == 0 && run(m) == first);
	dp_mech_free(m);
	again = text_of(&old);
	check(strcmp(again, text) == 0);
	dp_numbers_add(&old, 0);
	dp_numbers_replay(&old);
	check(dp_mech_create(&m, o, r) == DP_EINVAL && m == NULL);
	dp_numbers_free(&old);
	r->privacy.numbers = whole;
	free(text);
	free(again);
}

/* Recorded and replayed it is the same; with fewer or other words it is refused, or can be run. */
static void
mechanism(const struct dp_mech_ops *o, enum dp_what what, uint64_t T)
{
	static const double g[] = { 1, .5, .25 };
	struct dp_numbers p = { .n = 0 };
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
	r.privacy.numbers = &p;
	if (dp_mech_create(&m, o, &r) != 0) {
		check(p.error == 0);
		dp_numbers_free(&p);
		return;
	}
	first = run(m);
	dp_mech_free(m);
	dp_numbers_replay(&p);
	check(dp_mech_create(&m, o, &r) == 0 && run(m) == first);
	dp_mech_free(m);
	/* the list is at its end: one plan has it */
	check(dp_mech_create(&m, o, &r) == DP_EINVAL && m == NULL);
	damage(o, &r);
	lines(o, &r, first);
	dp_numbers_free(&p);
}

int
main(void)
{
	static const uint64_t T[] = { 8, 400, 0 };
	const struct dp_mech_ops *o;
	unsigned i, j, what;

	lists();
	hashes();
	document();
	faults();
	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		for (what = 1; what <= o->tasks; what *= 2)
			for (j = 0; j < 3; j++)
				if ((o->tasks & what) != 0 &&
				    (T[j] != 0 || (o->traits & DP_TRAIT_ENDLESS) != 0))
					mechanism(o, (enum dp_what)what, T[j]);
	return done();
}
