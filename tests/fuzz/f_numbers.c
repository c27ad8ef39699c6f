/* SPDX-License-Identifier: ISC */
/*
 * f_numbers.c - what a state has of a plan, edited: the plans of the command lines in forge.h made
 * from their numbers, of which one is another.  Either it is refused, or what is made holds by the
 * checker of plans, which shares no code with it.
 *
 * From the numbers as they are, in any order of their lines, and as states of 0.2 have them, the
 * plan's text is the first one, byte for byte; without a line, or with one twice, there is none.
 *
 * An input is a plan's place and a number's, two bytes each; it is all edits of that number.  When
 * it is replayed one of fewer bytes stands for the plans at its first byte and every STRIDE further
 * on, and of each for FEW numbers.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_numbers.c ...; ./f_numbers corpus
 *	cc -DREPLAY f_numbers.c ...; ./f_numbers FILE ...
 */
#include <math.h>
#include <stdio.h>
#include <sys/wait.h>

#include "asked.h"
#include "audit/internal.h"
#include "base/internal.h"
#include "explain/explain.h"
#include "forge.h"

#define PLANS	(sizeof commands / sizeof *commands)
#define STRIDE	16
#define FEW	6

static const char *command;	/* the child's */
static size_t number_here;	/* place of the one that it edits; and of FEW - 1 more if `few' */
static bool few;

/* A plan's text; the error, and then none. */
static int
plan(struct dp_run *r, const char *mechanism, struct dp_numbers *numbers, struct dp_buf *text)
{
	char why[DP_PLAN_WHY] = "";
	int e;

	*text = (struct dp_buf){ .n = 0 };
	r->setting.privacy.numbers = numbers;
	r->setting.alone = dp_numbers_replays(numbers);
	if ((e = dp_plan_make(&r->plan, &r->setting, mechanism, why)) != 0)
		return e;
	/* of trees in a row those that follow are certified when they are told of, or begin */
	if ((e = dp_plan_text(text, r->tool, r->o, &r->plan)) != 0) {
		need(e == DP_ESTATE && dp_numbers_replays(numbers));
		dp_buf_free(text);
		dp_plan_free(&r->plan);
		return DP_EINVAL;
	}
	dp_buf_add(text, "", 1);
	need(text->error == 0);
	dp_plan_free(&r->plan);
	return 0;
}

static _Noreturn void
found(const char *what, const char *line, const char *text)
{
	fprintf(spoken[1], "%s: %s\n%s\n%s\n", command, what, line, text);
	abort();
}

/* Lines of numbers but for one, or with one of them twice; back: the last one first. */
static void
read_lines(struct dp_numbers *p, const char *text, bool back, size_t but, size_t twice)
{
	const char *line[512];
	size_t n, i, k;

	*p = (struct dp_numbers){ .n = 0 };
	for (n = 0; *text != '\0'; text = strchr(text, '\n') + 1) {
		need(n < sizeof line / sizeof *line);
		line[n++] = text;
	}
	for (k = 0; k < n; k++) {
		i = back ? n - 1 - k : k;
		if (i != but)
			dp_numbers_get(p, line[i], strcspn(line[i], "\n"));
		if (i == twice)
			dp_numbers_get(p, line[i], strcspn(line[i], "\n"));
	}
	if (p->error == 0)
		dp_numbers_replay(p);
}

static void
must_be(struct dp_run *r, const char *mechanism, struct dp_numbers *p, const char *honest)
{
	struct dp_buf text;

	if (plan(r, mechanism, p, &text) != 0 || strcmp(text.p, honest) != 0)
		found("another plan", p->fault, text.p == NULL ? "" : text.p);
	dp_buf_free(&text);
}

static void
must_not_be(struct dp_run *r, const char *mechanism, struct dp_numbers *p)
{
	struct dp_buf text;
	int e = p->error;

	if (e == 0)
		e = plan(r, mechanism, p, &text);
	if (e != DP_EINVAL || p->fault[0] == '\0')
		found("a line less or more", p->fault, "");
	dp_numbers_free(p);
}

static bool
is_new(const char *name)
{
	static const char *const news[] = { "printed-from", "spent", "tested", "plain" };
	size_t i;

	for (i = 0; i < sizeof news / sizeof *news; i++)
		if (strcmp(name, news[i]) == 0)
			return true;
	return false;
}

/* From all lines, and as an old state has them, the plan is the honest one; else there is none. */
static void
other_lines(struct dp_run *r, const char *mechanism, const struct dp_numbers *whole,
    const char *lines, const char *honest)
{
	struct dp_numbers p, old = { .n = 0 };
	size_t i;

	for (i = 0; i < 2; i++) {
		read_lines(&p, lines, i == 1, SIZE_MAX, SIZE_MAX);
		must_be(r, mechanism, &p, honest);
		dp_numbers_free(&p);
	}
	for (i = 0; i < whole->n; i++)		/* what states of 0.2 lack */
		if (!is_new(whole->line[whole->number[i].name].name))
			dp_numbers_add(&old, whole->number[i].word);
	dp_numbers_replay(&old);
	must_be(r, mechanism, &old, honest);
	need(old.n == whole->n);
	dp_numbers_free(&old);
	i = number_here % whole->lines;
	read_lines(&p, lines, false, i, SIZE_MAX);
	must_not_be(r, mechanism, &p);
	read_lines(&p, lines, false, SIZE_MAX, i);
	must_not_be(r, mechanism, &p);
}

/* Another number of its kind; false: there is none of that way. */
static bool
another(uint64_t *to, const struct dp_number *of, unsigned way)
{
	static const uint64_t word[] = { 0, 1, 2, 63, (uint64_t)1 << 32, INT64_MAX, UINT64_MAX };
	static const double odd[] = { 0, NAN, INFINITY, -1, 1, 0x1p-300, 0x1p300 };
	const bool real = of->kind == DP_NUMBER_REAL;
	double v;

	memcpy(&v, &of->word, sizeof v);
	*to = way < 7 ? word[way] : of->word;
	v = way < 7 ? odd[way] : v;
	switch (way) {
	case 7:
		*to += 1;
		v *= 1 + 0x1p-10;
		break;
	case 8:
		*to -= 1;
		v *= 1 - 0x1p-10;
		break;
	case 9:
		*to *= 2;
		v *= 2;
		break;
	case 10:
		*to /= 2;
		v /= 2;
		break;
	case 11:
		*to -= *to / 8;
		v *= 1 - 0x1p-40;
		break;
	case 12:
		*to *= 64;
		v *= 64;
		break;
	case 13:
		*to /= 64;
		v /= 64;
		break;
	}
	if (real)
		memcpy(to, &v, sizeof v);
	return way < 14 && *to != of->word;
}

/* Whatever is made of other numbers holds. */
static void
edit(struct dp_run *r, const char *mechanism, const char *lines, size_t at)
{
	struct dp_verdict v;
	struct dp_numbers p;
	struct dp_buf text, b = { .n = 0 };
	uint64_t was, w;
	unsigned way;
	int e;

	read_lines(&p, lines, false, SIZE_MAX, SIZE_MAX);
	at %= p.n;
	was = p.number[at].word;
	for (way = 0; way < 14; way++) {
		p.number[at].word = was;
		if (!another(&w, &p.number[at], way))
			continue;
		p.number[at].word = w;
		dp_numbers_replay(&p);
		if ((e = plan(r, mechanism, &p, &text)) != 0) {
			need(e == DP_EINVAL || e == DP_ERANGE || e == DP_ENOMEM);
			continue;
		}
		need(dp_certificate_check(&v, text.p, text.n - 1) == 0);
		if (v.is != DP_VERDICT_HOLDS) {
			dp_numbers_put(&b, &p, "");
			dp_buf_add(&b, "", 1);
			fprintf(spoken[1], "%s\n", v.why);
			found(p.line[p.number[at].name].name, b.p, text.p);
		}
		dp_verdict_free(&v);
		dp_buf_free(&text);
	}
	dp_numbers_free(&p);
}

static void
work(struct dp_run *r)
{
	struct dp_numbers whole = { .n = 0 };
	struct dp_buf honest, lines = { .n = 0 };
	const char *mechanism;
	size_t i;

	need(plan(r, r->o->priv.mechanism, &whole, &honest) == 0);
	mechanism = r->plan.ops->name;
	dp_numbers_put(&lines, &whole, "");
	dp_buf_add(&lines, "", 1);
	need(lines.error == 0);
	other_lines(r, mechanism, &whole, lines.p, honest.p);
	for (i = 0; i < (few ? FEW : 1); i++)
		edit(r, mechanism, lines.p, number_here + i * (whole.n / FEW + 1));
	dp_buf_free(&honest);
	dp_buf_free(&lines);
	dp_numbers_free(&whole);
}

/* By the command's tool, in a process of its own, as tools keep options between runs. */
static _Noreturn void
child(void)
{
	static char dp[] = "dp", *first[] = { dp, NULL };
	char words[512], *rest;
	size_t a;

	snprintf(words, sizeof words, "%s", command);
	rest = words + strcspn(words, " ");
	*rest++ = '\0';
	for (a = 0; strcmp(asked[a].name, words) != 0; a++)
		need(a + 1 < ASKED);
	asked_then = work;
	(void)asked_words(&asked[a], first, rest, " ");
	_exit(!accepted);
}

static void
try(size_t place)
{
	int status;
	pid_t pid;

	command = commands[place % PLANS];
	if (strncmp(command, "dplocal ", 8) == 0)	/* it has no state */
		return;
	need((pid = fork()) >= 0);
	if (pid == 0)
		child();
	while (waitpid(pid, &status, 0) < 0)
		need(errno == EINTR);
	if (status != 0)
		fprintf(stderr, "%s: status %d\n", command, status);
	need(status == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *in, size_t n)
{
	size_t i;

	few = n < 4;
	/* a call of this process, too: a fuzzer that sees none goes no further than its corpus */
	need(n == 0 || dp_numbers_hash(in, n) != 0);
	if (!few) {
		number_here = in[2] | (size_t)in[3] << 8;
		try(in[0] | (size_t)in[1] << 8);
	}
#ifdef REPLAY
	for (i = n > 0 && few ? in[0] % STRIDE : PLANS; i < PLANS; i += STRIDE) {
		number_here = i;
		try(i);
	}
#else
	(void)i;
#endif
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
