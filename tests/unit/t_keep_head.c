/*
 * t_keep_head.c - the head of a state: read back it is the options that made it; a later run's
 * other option, a line that is gone and a value that is none end the run with status 5.
 */
#include "child.h"
#include "keep/head.h"

static const struct dp_own own[] = {
	{ 'w', "window", "W", "a window", DP_KIND_TEXT, NULL },
	{ 0, "alpha", "A", "a number", DP_KIND_NUMBER, NULL },
	{ .name = NULL }
};
static const struct dp_tool tool = { .name = "toy", .groups = DP_GROUPS_SUM, .own = own };
static const struct dp_mech_ops ops = { .name = "tree" };

static char first[] = "a,b", second[] = "\"c\"\n", window[] = "7", alpha[] = "1/3";
static char *names[] = { first, second };

/* A run whose state this is. */
static struct dp_run
maker(struct dp_options *o)
{
	struct dp_run r = { .o = o, .tool = &tool, .plan.ops = &ops, .print.decimals = 2,
	    .setting.privacy = { .l1 = 3, .l2squared = 9, .columns = 1 } };

	*o = (struct dp_options){ .priv = { .epsilon = { 1, 3 }, .delta = { 1, 1000000 },
	    .mechanism = "auto" }, .horizon = 1000, .range = { .lo = -50, .hi = 125, .places = 1 },
	    .users = { .field.number = 2, .most = 3 }, .keys = { .name = names, .n = 2 },
	    .keep.state = "FILE", .form.delimiter = -1 };
	o->own[0].text = window;
	o->own[1].text = alpha;
	o->own[1].number = (struct dp_q){ 1, 3 };
	strcpy(r.kept.receipt.id, "0123456789abcdef0123456789abcdef");
	r.kept.receipt.id[DP_BUDGET_ID] = '\0';
	r.kept.receipt.n = 12;
	dp_params_add(&r.params, 0xfedcba9876543210);
	dp_params_add(&r.params, 0);
	return r;
}

static char head[4096];

static void
make_head(void)
{
	struct dp_options o;
	struct dp_run r = maker(&o);
	struct dp_buf b = { .n = 0 };

	dp_session_head(&r, &b);
	check(b.error == 0 && b.n < sizeof head);
	memcpy(head, b.p, b.n);
	head[b.n] = '\0';
	dp_buf_free(&b);
}

/* A later run, of no option but the state. */
static struct dp_run
later(struct dp_options *o)
{
	struct dp_run r = { .o = o, .tool = &tool };

	*o = (struct dp_options){ .priv.mechanism = "auto", .keep.state = "FILE",
	    .form.delimiter = -1 };
	return r;
}

static void
test_back(void)
{
	struct dp_options o;
	struct dp_run r = later(&o);
	struct dp_buf b = { .n = 0 };

	dp_head_adopt(&r, head);
	check(o.priv.has_epsilon && o.priv.epsilon.num == 1 && o.priv.epsilon.den == 3);
	check(o.priv.delta.den == 1000000 && o.horizon == 1000);
	check(o.range.lo == -50 && o.range.hi == 125 && o.range.places == 1);
	check(o.users.field.number == 2 && o.users.most == 3 && !o.users.per_step);
	check(o.keys.n == 2 && strcmp(o.keys.name[0], first) == 0 &&
	    strcmp(o.keys.name[1], second) == 0);
	check(strcmp(o.own[0].text, "7") == 0 && dp_q_cmp(o.own[1].number,
	    (struct dp_q){ 1, 3 }) == 0);
	check(strcmp(o.priv.mechanism, "tree") == 0 && r.print.decimals == 2);
	check(r.params.n == 2 && r.params.word[0] == 0xfedcba9876543210 && r.params.word[1] == 0);
	check(r.kept.receipt.n == 12 && strlen(r.kept.receipt.id) == DP_BUDGET_ID);
	/* and written again it is the same, byte for byte */
	r.plan.ops = &ops;
	r.setting.privacy = (struct dp_privacy){ .l1 = 3, .l2squared = 9, .columns = 1 };
	dp_session_head(&r, &b);
	check(b.error == 0 && b.n == strlen(head) && memcmp(b.p, head, b.n) == 0);
	dp_buf_free(&b);
}

static void
adopt(void *text)
{
	struct dp_options o;
	struct dp_run r = later(&o);

	dp_head_adopt(&r, text);
}

/* The head with another value of a key; NULL: without its line. */
static char *
with(const char *key, const char *value)
{
	static char text[sizeof head + 256];
	const size_t n = strlen(key);
	const char *p = head, *end;

	while (strncmp(p, key, n) != 0 || p[n] != ' ')
		if ((p = strchr(p, '\n')) == NULL || *++p == '\0') {
			printf("no %s\n", key);
			exit(1);
		}
	end = strchr(p, '\n') + 1;
	snprintf(text, sizeof text, "%.*s%s%s%s%s%s", (int)(p - head), head,
	    value != NULL ? key : "", value != NULL ? " " : "", value != NULL ? value : "",
	    value != NULL ? "\n" : "", end);
	return text;
}

static void
refused(const char *key, const char *value)
{
	const int status = child_status(adopt, with(key, value));

	check(status == DP_EX_STATE);
	check(strstr(child_said, "FILE") != NULL);
	if (status != DP_EX_STATE)
		printf("%s %s: status %d\n", key, value != NULL ? value : "gone", status);
}

static void
test_damaged(void)
{
	static const char *const number[] = { "format", "horizon", "lateness", "per-user",
	    "pan-private", "seeded", "seed", "decimals" };
	static const char *const other[] = { "tool", "version", "mechanism", "epsilon", "delta",
	    "range", "steps", "bucket", "user", "keys", "own-window", "own-alpha", "params" };
	static const char *const none[] = { "", "-1", "+1", " 1", "1 ", "x", "1k", "0x1", "1.0",
	    "18446744073709551616", "99999999999999999999999999999999999999" };
	/* each of them is a number to somebody's sscanf() */
	static const char *const ratio[] = { "", "1", "1/", "/1", "1/0", "-1/3", "1/-3", " 1/3",
	    "1/3 ", "1/3/3", "0.5", "1/18446744073709551616", "18446744073709551616/1" };
	size_t i, j;

	check(child_status(adopt, head) == 0);
	for (i = 0; i < sizeof number / sizeof number[0]; i++) {
		refused(number[i], NULL);
		for (j = 0; j < sizeof none / sizeof none[0]; j++)
			refused(number[i], none[j]);
	}
	for (i = 0; i < sizeof other / sizeof other[0]; i++)
		refused(other[i], NULL);
	for (j = 0; j < sizeof ratio / sizeof ratio[0]; j++) {
		refused("epsilon", ratio[j]);
		refused("delta", ratio[j]);
	}
	refused("tool", "toys");
	refused("format", "1");
	refused("format", "3");
	refused("decimals", "99");
	refused("range", "1:0");
	refused("range", "0:1125899906842624");
	refused("steps", "line");
	refused("bucket", "1fortnight");
	refused("user", "0");
	refused("user", "4294967297");		/* 2^32 + 1 */
	refused("keys", "a%zz");
	refused("keys", "a%0");
	refused("keys", "a%00");
	refused("params", "fedcba9876543210f");
	refused("params", "1  2");
	refused("params", "G");
	refused("budget", "0123456789abcdef");
	refused("budget", "0123456789abcdef0123456789abcdef 1x");
}

struct asked {
	uint64_t horizon;
	struct dp_q epsilon;
	uint64_t most;
	unsigned user;
	int64_t hi;
	bool per_step, seed;
};

static void
adopt_asked(void *arg)
{
	const struct asked *a = arg;
	struct dp_options o;
	struct dp_run r = later(&o);

	o.given['T'] = a->horizon != 0;
	o.horizon = a->horizon;
	o.priv.has_epsilon = a->epsilon.den != 0;
	o.priv.epsilon = a->epsilon;
	o.users.most = a->most;
	o.users.per_step = a->per_step;
	o.users.field.number = a->user;
	o.priv.has_seed = a->seed;
	o.range.has_range = a->hi != 0;
	o.range.lo = -50;
	o.range.hi = a->hi;
	o.range.places = 1;
	dp_head_adopt(&r, head);
}

static void
test_other_options(void)
{
	struct asked same[] = { { .horizon = 1000 }, { .epsilon = { 2, 6 } }, { .most = 3 },
	    { .user = 2 }, { .hi = 125 } };
	struct asked other[] = { { .horizon = 1001 }, { .epsilon = { 333, 1000 } }, { .most = 2 },
	    { .most = 3, .per_step = true }, { .user = 3 }, { .hi = 124 }, { .seed = true } };
	size_t i;

	for (i = 0; i < sizeof same / sizeof same[0]; i++)
		check(child_status(adopt_asked, &same[i]) == 0);
	for (i = 0; i < sizeof other / sizeof other[0]; i++)
		check(child_status(adopt_asked, &other[i]) == DP_EX_STATE);
}

int
main(void)
{
	make_head();
	test_back();
	test_damaged();
	test_other_options();
	return done();
}
