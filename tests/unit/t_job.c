/* SPDX-License-Identifier: ISC */
/*
 * t_job.c - the job of a run: read back it is the options that made it; a later run's other option,
 * a line that is gone and a value that is none end the run with status 5.  Heads of states from
 * before there were jobs are jobs.
 */
#include "child.h"
#include "job/table.h"
#include "store/internal.h"

static const struct dp_own own[] = {
	[0] = { 'w', "window", "W", "a window", DP_KIND_TEXT },
	[1] = { 0, "alpha", "A", "a number", DP_KIND_NUMBER },
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
	o->given['F'] = o->given['H'] = o->given['o'] = true;
	o->text['F'] = ";";
	o->text['H'] = "";
	o->text['o'] = "csv";
	o->own[0].text = window;
	o->own[1].text = alpha;
	o->own[1].number = (struct dp_q){ 1, 3 };
	strcpy(r.kept.receipt.id, "0123456789abcdef0123456789abcdef");
	r.kept.receipt.id[DP_BUDGET_ID] = '\0';
	r.kept.receipt.n = 12;
	(void)dp_numbers_int(&r.numbers, "words", 0xfedcba9876543210, 0, UINT64_MAX);
	(void)dp_numbers_real(&r.numbers, "part", 0.75, 0, 1);
	(void)dp_numbers_int(&r.numbers, "words", 0, 0, UINT64_MAX);
	(void)dp_numbers_q(&r.numbers, "scale", (struct dp_q){ 7, 2 });
	return r;
}

static char head[4096];

static void
make_head(void)
{
	struct dp_options o;
	struct dp_run r = maker(&o);
	struct dp_buf b = { .n = 0 };

	dp_job_put(&r, &b, true);
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

static const char want[] =
    "dputils-job 1\ntool toy\nversion " DP_VERSION "\n[input]\nset-delimiter ;\nset-header 1\n"
    "[unit]\nepsilon 1/3\ndelta 1/1000000\nhorizon 1000\nrange -5.0:12.5\nsteps lines\nbucket 0\n"
    "live 0\nper-user 3\nuser 2\npan-private 0\nkeys a%2cb,\"c\"%0a\nown-window 7\n"
    "own-alpha 1/3\n[noise]\nmechanism tree\nmoves 3 9 1\ndecimals 2\n"
    "budget 0123456789abcdef0123456789abcdef 12\nnoise.words 0xfedcba9876543210 0\n"
    "noise.part 0x1.8p-1\nnoise.scale 7/2\n[output]\n"
    "set-output csv\n[end]\n";

static void
test_back(void)
{
	struct dp_options o;
	struct dp_run r = later(&o);
	struct dp_buf b = { .n = 0 };

	check(strcmp(head, want) == 0);
	dp_job_adopt(&r, &o, head);
	check(o.given['F'] && o.form.delimiter == ';' && o.form.header &&
	    o.print.format == DP_CSV);
	check(o.priv.has_epsilon && o.priv.epsilon.num == 1 && o.priv.epsilon.den == 3);
	check(o.priv.delta.den == 1000000 && o.horizon == 1000);
	check(o.range.lo == -50 && o.range.hi == 125 && o.range.places == 1);
	check(o.users.field.number == 2 && o.users.most == 3 && !o.users.per_step);
	check(o.keys.n == 2 && strcmp(o.keys.name[0], first) == 0 &&
	    strcmp(o.keys.name[1], second) == 0);
	check(strcmp(o.own[0].text, "7") == 0 && dp_q_cmp(o.own[1].number,
	    (struct dp_q){ 1, 3 }) == 0);
	check(strcmp(o.priv.mechanism, "tree") == 0 && r.print.decimals == 2);
	check(r.numbers.n == 5 && r.numbers.number[0].word == 0xfedcba9876543210 &&
	    r.numbers.number[1].word == 0);
	check(r.kept.receipt.n == 12 && strlen(r.kept.receipt.id) == DP_BUDGET_ID);
	/* and written again it is the same, byte for byte */
	r.plan.ops = &ops;
	r.setting.privacy = (struct dp_privacy){ .l1 = 3, .l2squared = 9, .columns = 1 };
	dp_job_put(&r, &b, true);
	check(b.error == 0 && b.n == strlen(head) && memcmp(b.p, head, b.n) == 0);
	dp_buf_free(&b);
}

/* Values of more decimals than the range was written with; a state that says nothing has none. */
static void
test_grid(void)
{
	static const char line[] = "\nrange -5.0:12.5\ngrid 5\nsteps";
	struct dp_options o, other;
	struct dp_run r = later(&o), made = maker(&other);
	struct dp_buf b = { .n = 0 };

	dp_job_adopt(&r, &o, head);
	check(o.range.finer == 0);
	dp_options_refine(&o, &o.range, 4);
	check(o.range.lo == -50 && o.range.places == 1 && o.range.finer == 0);
	other.keep.init = true;
	dp_options_refine(&other, &other.range, dp_range_millionth(other.range.lo, other.range.hi,
	    other.range.places));
	check(other.range.lo == -500000 && other.range.hi == 1250000 &&
	    other.range.places == 5 && other.range.finer == 4);
	dp_job_put(&made, &b, true);
	check(b.error == 0 && memmem(b.p, b.n, line, strlen(line)) != NULL);
	dp_buf_add(&b, "", 1);
	r = later(&o);
	dp_job_adopt(&r, &o, b.p);
	check(o.range.lo == -50 && o.range.places == 1 && o.range.finer == 4);
	dp_options_refine(&o, &o.range, 0);
	check(o.range.hi == 1250000 && o.range.places == 5 && o.range.finer == 4);
	dp_buf_free(&b);
	/* no more than 9 decimals, and below 2^50 grid units */
	o = (struct dp_options){ .range = { .hi = 1, .places = 8 } };
	check(dp_range_millionth(o.range.lo, o.range.hi, o.range.places) == 1);
	o = (struct dp_options){ .range = { .lo = 1000, .hi = INT64_C(1) << 49 } };
	check(dp_range_millionth(o.range.lo, o.range.hi, o.range.places) == 0);
	dp_options_refine(&o, &o.range, 3);
	check(o.range.finer == 0 && o.range.hi == INT64_C(1) << 49);
}

static void
adopt(void *text)
{
	struct dp_options o;
	struct dp_run r = later(&o);

	dp_job_adopt(&r, &o, text);
}

/* The head with another value of a key; NULL: without its line. */
static char *
with(const char *key, const char *value)
{
	static char text[sizeof head + 256];
	const size_t n = strlen(key);
	const char *p = head, *end;

	while (strncmp(p, key, n) != 0 || (p[n] != ' ' && p[n] != '\n'))
		if ((p = strchr(p, '\n')) == NULL || *++p == '\0') {
			printf("no %s\n", key);
			exit(1);
		}
	end = strchr(p, '\n') + 1;
	snprintf(text, sizeof text, "%.*s%s%s%s%s%s", (int)(p - head), head,
	    value != NULL ? key : "", value != NULL && *value != '\n' ? " " : "",
	    value != NULL ? value : "",
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

/* A state from before there were jobs has its numbers in a line without names. */
static void
test_old_numbers(void)
{
	static const char *const bad[] = { "fedcba9876543210f", "1  2", "G", "1 " };
	const char *noise = strstr(head, "noise."), *output = strstr(head, "[output]");
	char text[sizeof head + 256];
	struct dp_options o;
	struct dp_run r = later(&o);
	size_t i;

	for (i = 0; i <= sizeof bad / sizeof *bad; i++) {
		snprintf(text, sizeof text, "%.*sparams %s\n%s", (int)(noise - head), head,
		    i == 0 ? "fedcba9876543210 0 1" : bad[i - 1], output);
		check(child_status(adopt, text) == (i > 0 ? DP_EX_STATE : 0));
	}
	snprintf(text, sizeof text, "%.*sparams fedcba9876543210 1\n%s", (int)(noise - head), head,
	    output);
	dp_job_adopt(&r, &o, text);
	check(r.numbers.replay && r.numbers.n == 2);
	check(dp_numbers_int(&r.numbers, "words", 0, 0, UINT64_MAX) == 0xfedcba9876543210);
	check(dp_numbers_int(&r.numbers, "more", 0, 0, 1) == 1);
	dp_numbers_free(&r.numbers);
	dp_options_free(&o);
	snprintf(text, sizeof text, "%.*s%s", (int)(noise - head), head, output);
	check(child_status(adopt, text) == DP_EX_STATE);
}

static void
test_damaged(void)
{
	static const char *const number[] = { "horizon", "live", "pan-private", "decimals" };
	static const char *const other[] = { "dputils-job", "tool", "version", "mechanism",
	    "epsilon", "delta", "range", "steps", "bucket", "per-user", "user", "keys", "moves",
	    "[input]", "[unit]", "[noise]", "[output]", "[end]" };
	static const char *const none[] = { "", "-1", "+1", " 1", "1 ", "x", "1k", "0x1", "1.0",
	    "00", "07",
	    "18446744073709551616", "99999999999999999999999999999999999999" };
	/* each of them is a number to somebody's sscanf() */
	static const char *const ratio[] = { "", "1", "1/", "/1", "1/0", "-1/3", "1/-3", " 1/3",
	    "1/3 ", "1/3/3", "0.5", "1/18446744073709551616", "18446744073709551616/1" };
	/* a number has one spelling */
	static const char *const number_none[] = { "", "1  2", "1 ", "G", "-1", "01", "0x1", "+1",
	    "18446744073709551616", "0x10000000000000000", "0x1.8", "0x1.8p0", "nan", "1e5",
	    "0x1.80p+0", "0x3p+0", "0x1p+2000", "inf/1" };
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
	refused("dputils-job", "2");
	refused("decimals", "99");
	refused("set-header", "2");
	refused("set-delimiter", "-");
	refused("set-delimiter", ";\nset-delimiter ;");
	refused("set-delimiter", ";\nset-epsilon 1");
	refused("set-delimiter", ";\nset-later 1");
	refused("own-alpha", "1/3\nown-alpha 1/3");
	refused("own-alpha", "1/3\nown-later 1");
	refused("horizon", "1000\nlater 1");
	refused("[end]", "\nlater 1");
	refused("per-user", "3/");
	refused("per-user", "3/0");
	refused("per-user", "0/3");
	refused("per-user", "03");
	refused("per-user", "3/steps");
	refused("range", "0.0:01");
	refused("range", "-5.0:12.5\ngrid 1");
	refused("range", "-5.0:12.5\ngrid 10");
	refused("moves", "");
	refused("range", "1:0");
	refused("range", "0:1125899906842624");
	refused("steps", "line");
	refused("bucket", "1fortnight");
	refused("user", "0");
	refused("user", "4294967297");		/* 2^32 + 1 */
	refused("user", "02");
	refused("user", "65");
	refused("keys", "a%zz");
	refused("keys", "a,a");
	refused("keys", "a,");
	refused("keys", "a%0");
	refused("keys", "a%00");
	for (j = 0; j < sizeof number_none / sizeof number_none[0]; j++) {
		refused("noise.words", number_none[j]);
		refused("noise.scale", number_none[j]);
	}
	refused("noise.words", "1.5");
	refused("noise.words", "0x1fedcba9876543210");
	refused("noise.scale", "7/");
	refused("noise.scale", "7/2/1");
	refused("noise.part", "0x1.80p-1");
	refused("budget", "0123456789abcdef");
	refused("budget", "0123456789abcdef0123456789abcdef 1x");
}

/* A head as it was before, and the job that it is. */
static void
is_job(const char *old, const char *job)
{
	struct dp_buf b = { .n = 0 };
	char why[DP_JOB_WHY] = "";

	check(dp_job_renew(&b, old, why) == 0 && b.n == strlen(job) && memcmp(b.p, job, b.n) == 0);
	if (b.n != strlen(job) || memcmp(b.p, job, b.n) != 0)
		printf("%s%.*s", why, (int)b.n, b.p);
	dp_buf_free(&b);
}

static void
refused_old(const char *old, const char *word)
{
	struct dp_buf b = { .n = 0 };
	char why[DP_JOB_WHY] = "";

	check(dp_job_renew(&b, old, why) == DP_ESTATE && strstr(why, word) != NULL && b.n == 0);
	if (strstr(why, word) == NULL)
		printf("%s: %s\n", word, why);
}

#define OLD(own, set, several) "tool dpcount\nformat 2\nversion 0.2\nmechanism blt-norm\n" \
	"epsilon 1/2\ndelta 1/1000000\nhorizon 90\nrange 0.0:2.5\n" \
	"steps lines\nbucket 0\nlateness 0\n" \
	"per-user 2\n" several "pan-private 0\nseeded 1\nseed 7\n" own set \
	"moves 9 81 1\ndecimals 0\nparams 1 ff\n"
#define NEW(own, input, output, several, fixed) "dputils-job 1\ntool dpcount\nversion 0.2\n" \
	"[input]\n" input "[unit]\nepsilon 1/2\ndelta 1/1000000\nhorizon 90\nrange 0.0:2.5\n" \
	"steps lines\nbucket 0\nlive 0\n" several "pan-private 0\n" own fixed "[noise]\n" \
	"mechanism blt-norm\nmoves 9 81 1\ndecimals 0\nseed 7\nparams 1 ff\n[output]\n" \
	output "[end]\n"

static void
test_old(void)
{
	is_job(OLD("keys -\n", "", "user -\n"),
	    NEW("keys -\n", "", "", "per-user 2\nuser -\n", ""));
	is_job(OLD("keys a%2cb,\"\",%22%22,x%20y,%2d,%2e\nown-window -\nown-expire 7%2c16\n",
	    "set-delimiter %2c\nset-csv -\nset-bound -\nset-output csv\nset-tz Europe/Berlin\n",
	    "per-step 1\nuser a%20b\n"),
	    NEW("keys a%2cb,\"\",%22%22,x y,%2d,.\nown-expire 7,16\n",
	    "set-delimiter ,\nset-csv \"\"\n", "set-bound \"\"\nset-output csv\n",
	    "per-user 2/step\nuser a b\n", "set-tz Europe/Berlin\n"));
	is_job(OLD("keys -\nown-weights w%2d1\nfile-weights 0123456789abcdef0123456789abcdef\n"
	    "own-queries -\nfile-queries -\n", "set-time 1\nset-time-format epoch\n",
	    "spacing 7\nuser 3%2c4\nseveral-users 2\n"),
	    NEW("keys -\nown-weights w-1\nfile-weights 0123456789abcdef0123456789abcdef\n",
	    "set-time 1\nset-time-format epoch\n", "", "per-user 2/7\nuser 3,4\n", ""));
	is_job(OLD("keys -\n", "set-time 1\n", "user -\n"), NEW("keys -\n",
	    "set-time 1\nset-time-format epoch\n", "", "per-user 2\nuser -\n", ""));
	is_job(want, want);
	refused_old(OLD("keys -\n", "", "per-step 2\nuser -\n"), "'per-step' is damaged");
	refused_old(OLD("keys a%2\n", "", "user -\n"), "'keys' is damaged");
	refused_old(OLD("", "", "user -\n"), "has no 'keys'");
	refused_old(OLD("keys -\nown-a %g0\n", "", "user -\n"), "'own-a' is damaged");
	/* options whose meaning was another once: lines said which */
	refused_old(OLD("keys -\n", "", "user a%2cb\n"), "has no 'several-users'");
	refused_old(OLD("keys -\n", "set-value 1%2c2\n", "user -\n"), "has no 'several-values'");
	refused_old("tool dpcount\nformat 1\nversion 0.1\n", "format 1 (of version 0.1)");
	refused_old("tool dpcount\nversion 0.1\n", "format 1 (of version 0.1)");
	refused_old("tool dpcount\nformat 3\nversion 0.3\n", "format 3 (of version 0.3)");
	refused_old("", "has no 'version'");
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
	o.given['e'] = a->epsilon.den != 0;
	o.given['c'] = a->most != 0;
	o.given['u'] = a->user != 0;
	o.given[OPT_SEED] = a->seed;
	o.given['r'] = a->hi != 0;
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
	dp_job_adopt(&r, &o, head);
}

static void
test_other_options(void)
{
	struct asked same[] = { { .horizon = 1000 }, { .epsilon = { 1, 3 } }, { .most = 3 },
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
	test_grid();
	test_damaged();
	test_old();
	test_old_numbers();
	test_other_options();
	return done();
}
