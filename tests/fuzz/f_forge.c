/* SPDX-License-Identifier: ISC */
/*
 * f_forge.c - a plan editor: honest plans, of the command lines in forge.h, with a number, a line
 * or a section changed, must not hold, except where the data below says why they may.
 *
 * A section is a mechanism up to its end, a tree up to its pass, or a blt with its poles; it is
 * left out, doubled, swapped with the next, and replaced by that of the same command at twice the
 * epsilon; as are all of a whole's, but for the section.
 *
 * An input is a plan's place, a line's, a number's, and a way to change it, two bytes each; of a
 * plan that is checked fast it is all ways.  When
 * it is replayed one of fewer bytes stands for every other plan that is checked fast, all of its
 * lines, and every STRIDE-th change of all their numbers.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_forge.c ...; ./f_forge corpus
 *	cc -DREPLAY f_forge.c ...; ./f_forge FILE ...
 */
#include <math.h>
#include <stdio.h>
#include <sys/wait.h>

#include "asked.h"
#include "audit/internal.h"
#include "explain/explain.h"
#include "forge.h"

#define PLANS	(sizeof commands / sizeof *commands)
#define LONGEST	((size_t)1 << 24)
#define STRIDE	7
#define ALL	(WAYS + 6u + 2 * SECTION_WAYS)
#define FAST	1500		/* bytes of a plan that is checked in a millisecond */

/*
 * What a number may do, where the plan holds all the same.  All rules: what is claimed may be told
 * anew by it.
 */
enum rule {
	NEVER,		/* it is what other lines say */
	MORE,		/* it is no less than what other lines say: it may grow */
	LESS,		/* it may fall: what is further apart is less noise */
	GIVEN,		/* a count that nothing in the plan tells: it is told with the verdict */
	NOISE,		/* what is lost is computed of it: with half of it more is */
	FINER,		/* likewise; with twice of it */
	TABLE		/* what is drawn by: whatever it is, what is lost is computed of it */
};

static const struct {
	const char *word;
	enum rule rule[12];	/* of its numbers; the last is that of all that follow */
	unsigned n;
} rules[] = {
	/* the mechanism's: of the whole a claim; of a part added up, and compared */
	{ "epsilon", { TABLE }, 1 }, { "delta", { TABLE }, 1 },
	{ "reach", { MORE }, 1 },
	/* how far a number moves, and how often it is released, is the mechanism's to know */
	{ "laplace", { NOISE, GIVEN }, 2 }, { "value", { NOISE, GIVEN, GIVEN }, 3 },
	{ "choice", { NOISE, GIVEN, GIVEN }, 3 }, { "weigh", { NOISE, GIVEN, GIVEN }, 3 },
	{ "gauss", { NOISE, GIVEN, GIVEN }, 3 },
	{ "sparse", { NOISE, GIVEN, NOISE, GIVEN, GIVEN }, 5 },
	{ "coin", { TABLE, GIVEN, GIVEN, GIVEN }, 4 },
	{ "again", { NOISE, NOISE, GIVEN, GIVEN }, 4 }, { "looks", { NOISE, GIVEN }, 2 },
	{ "composed", { NOISE, GIVEN, GIVEN }, 3 }, { "rounds", { GIVEN }, 1 },
	{ "counter", { GIVEN, GIVEN, GIVEN }, 3 },
	{ "fresh", { GIVEN }, 1 },		/* what the run was given as -e */
	/* a level's scale may be of no account: the loss is the smaller of two sums */
	{ "ages", { MORE, NEVER, TABLE }, 3 },
	{ "names", { NEVER, NOISE, MORE, MORE }, 4 },
	{ "pass", { MORE, MORE, NEVER, NEVER, NOISE, NEVER, NOISE, NEVER, NOISE, NEVER, NOISE },
	    11 },
	{ "window", { MORE, MORE, NEVER, NOISE }, 4 }, { "rise", { MORE, MORE, NOISE }, 3 },
	{ "blt", { NOISE, MORE, MORE, FINER, MORE, MORE, MORE, LESS, TABLE, NEVER, NEVER }, 11 },
	{ "banded", { NOISE, MORE, MORE, FINER, MORE, MORE, MORE, LESS, NEVER, TABLE }, 10 },
	{ "pole", { TABLE }, 1 }, { "echo", { TABLE }, 1 }, { "piece", { TABLE, FINER }, 2 },
	/* with units of 1 CELLS are of no use */
	{ "tree", { TABLE, NEVER, TABLE, TABLE, TABLE }, 5 },
	{ "kind", { TABLE, NEVER, TABLE }, 3 }, { "k", { TABLE }, 1 }, { "c", { TABLE }, 1 },
	{ "g", { TABLE }, 1 }, { "root", { TABLE }, 1 },
	{ "lines", { NEVER }, 1 }
};

struct plan {
	char *text;
	size_t n;
	struct dp_verdict v;
};

static struct plan plans[PLANS], larger[PLANS];	/* larger: at twice the epsilon */
static char made[LONGEST];
static size_t made_n;

/* Copied out, as nothing that is allocated here stays. */
static void
plan(struct dp_run *r)
{
	char why[DP_PLAN_WHY] = "";
	struct dp_buf b = { .n = 0 };

	if (dp_plan_make(&r->plan, &r->setting, r->o->priv.mechanism, why) != 0) {
		snprintf(made, sizeof made, "%s", why);
		return;
	}
	need(dp_plan_text(&b, r->tool, r->o, &r->plan) == 0 && b.n < sizeof made);
	memcpy(made, b.p, made_n = b.n);
	made[made_n] = '\0';
	dp_buf_free(&b);
	dp_plan_free(&r->plan);
}

/* By the command's tool, in a process of its own, as tools keep options between runs. */
static void
ask(const char *command, int to)
{
	static char dp[] = "dp", *first[] = { dp, NULL };
	char words[512], *rest;
	size_t a;

	snprintf(words, sizeof words, "%s", command);
	rest = words + strcspn(words, " ");
	*rest++ = '\0';
	for (a = 0; strcmp(asked[a].name, words) != 0; a++)
		need(a + 1 < ASKED);
	asked_then = plan;
	(void)asked_words(&asked[a], first, rest, " ");
	need(write(to, made, made_n) == (ssize_t)made_n);
	if (made_n == 0)
		fprintf(stderr, "no plan: %s: %s\n", command, made);
}

/* The plan's text; "" where the command is refused. */
static void
print(struct plan *p, const char *command)
{
	int fd[2], status;
	ssize_t n;
	pid_t pid;

	made_n = 0;		/* the last plan is not this one, if this command is refused */
	need(pipe(fd) == 0 && (pid = fork()) >= 0);
	if (pid == 0) {
		ask(command, fd[1]);
		_exit(made_n == 0);
	}
	close(fd[1]);
	/* a fuzzer has a clock that interrupts */
	for (made_n = 0; (n = read(fd[0], made + made_n, sizeof made - 1 - made_n)) > 0 ||
	    (n < 0 && errno == EINTR); )
		made_n += (size_t)(n > 0 ? n : 0);
	close(fd[0]);
	while (waitpid(pid, &status, 0) < 0)
		need(errno == EINTR);
	need(n == 0 && (status == 0) == (made_n > 0));
	made[made_n] = '\0';
	need((p->text = malloc(made_n + 1)) != NULL);
	memcpy(p->text, made, (p->n = made_n) + 1);
}

static struct plan *
honest(size_t i)
{
	struct plan *p = &plans[i];

	if (p->text != NULL)
		return p;
	print(p, commands[i]);
	need(p->n > 0);
	need(dp_certificate_check(&p->v, p->text, p->n) == 0);
	if (p->v.is != DP_VERDICT_HOLDS) {
		fprintf(stderr, "an honest plan does not hold: %s: %s\n", commands[i], p->v.why);
		abort();
	}
	return p;
}

/* Of the same command at twice the epsilon. */
static const char *
twice(const struct plan *p)
{
	const char *of = commands[p - plans], *e = strstr(of, "-e ");
	const char *rest = e + strcspn(e + 3, " ") + 3;
	struct plan *q = &larger[p - plans];
	char command[512], *end;
	const double num = strtod(e + 3, &end);

	if (q->text == NULL) {
		snprintf(command, sizeof command, "%.*s%g%.*s%s", (int)(e + 3 - of), of, 2 * num,
		    (int)(rest - end), end, rest);
		print(q, command);
	}
	return q->text;
}

static bool
differ(const struct dp_buf *a, const struct dp_buf *b)
{
	return a->n != b->n || (a->n > 0 && memcmp(a->p, b->p, a->n) != 0);
}

/* Whoever reads the verdict reads another claim. */
static bool
told(const struct dp_verdict *a, const struct dp_verdict *b)
{
	return differ(&a->claim, &b->claim) || strcmp(a->claimed, b->claimed) != 0 ||
	    strcmp(a->delta, b->delta) != 0 || strcmp(a->tool, b->tool) != 0;
}

static struct dp_verdict
verdict(const char *text, size_t n)
{
	struct dp_verdict v;

	need(dp_certificate_check(&v, text, n) == 0);
	return v;
}

static void
found(const struct plan *p, const char *what, const char *text, size_t n)
{
	const char *a = p->text, *b = text, *line = text;

	while (*a == *b && *a != '\0') {
		if (*b == '\n')
			line = b + 1;
		a++, b++;
	}
	fprintf(stderr, "%s holds: %s\n%.*s\nof %.*s\n", what, commands[p - plans],
	    (int)strcspn(line, "\n"), line, (int)strcspn(p->text + (line - text), "\n"),
	    p->text + (line - text));
	(void)n;
	abort();
}

static enum rule
rule_of(const char *line, unsigned field)
{
	const size_t n = strcspn(line, " \n");
	size_t i;

	for (i = 0; i < sizeof rules / sizeof *rules; i++)
		if (strlen(rules[i].word) == n && memcmp(rules[i].word, line, n) == 0)
			return rules[i].rule[field < rules[i].n ? field : rules[i].n - 1];
	return NEVER;
}

/* Ways to change a number; of the last three a ratio's parts. */
enum way { UP, DOWN, TWICE, HALF, MANY, FEW, ZERO, NEAR, WAYS };

/* The number in another size, at most 64 bytes; false: it would be the same, or is none. */
static bool
change(char to[static 80], const char *s, size_t n, enum way way)
{
	unsigned long long num, den = 1;
	char text[80], *end;
	long double x;
	int sign = 1;

	if (n >= sizeof text)
		return false;
	memcpy(text, s, n);
	text[n] = '\0';
	if (strncmp(text, "0x", 2) == 0) {	/* of a table */
		x = strtold(text, &end);
		x = way == TWICE ? 2 * x : way == HALF ? x / 2 : way == UP ? x * (1 + 0x1p-10L) :
		    way == DOWN ? x * (1 - 0x1p-10L) : way == MANY ? 64 * x : way == FEW ? x / 64 :
		    way == NEAR ? x * (1 + 0x1p-40L) : 1;
		snprintf(to, 80, "%a", (double)x);
		return *end == '\0' && strcmp(to, text) != 0;
	}
	if (n == 64) {				/* a coin */
		memcpy(to, text, n + 1);
		to[way * 7] = to[way * 7] == '9' ? '8' : '9';
		return true;
	}
	if (text[0] == '-') {
		sign = -1;
		memmove(text, text + 1, n);
	}
	num = strtoull(text, &end, 10);
	if (end == text || num >> 60 != 0)
		return false;
	if (*end == '/')
		den = strtoull(end + 1, &end, 10);
	if (*end != '\0' || den == 0 || den >> 56 != 0)
		return false;
	switch (way) {
	case UP:
		num++;
		break;
	case DOWN:
		num -= num > 0;
		break;
	case TWICE:
		num *= 2;
		break;
	case HALF:
		if (strchr(text, '/') != NULL)
			den *= 2;
		else
			num /= 2;
		break;
	case MANY:
		num = num >> 54 != 0 ? num * 2 : num * 64 + 63;
		break;
	case FEW:
		if (strchr(text, '/') != NULL)
			den *= 64;
		else
			num /= 64;
		break;
	case ZERO:
		num = num == 0 ? 7 : 0;
		break;
	case NEAR:
		num += num / 100 + 2;
		break;
	case WAYS:
		return false;
	}
	if (strchr(text, '/') != NULL)
		snprintf(to, 80, "%llu/%llu", num, den);
	else
		snprintf(to, 80, "%s%llu", sign < 0 && num != 0 ? "-" : "", num);
	return strncmp(to, s, n) != 0 || to[n] != '\0';
}

/* Whether a plan may hold in which this number was changed so. */
static bool
may_hold(const struct plan *p, const struct dp_verdict *v, enum rule rule, enum way way,
    bool zero)
{
	const bool less = way == DOWN || way == HALF || way == FEW || way == ZERO;

	switch (rule) {
	case NEVER:
		return false;
	case MORE:
		return !less || (way == ZERO && zero) || differ(&v->given, &p->v.given);
	case LESS:
		return less;
	case GIVEN:
		return differ(&v->given, &p->v.given);
	case NOISE:
		return (way != HALF && way != FEW && way != ZERO) || differ(&v->each, &p->v.each);
	case FINER:
		return (way != TWICE && way != MANY) || differ(&v->each, &p->v.each);
	case TABLE:
		return true;
	}
	return false;
}

/* Line `at' .. `end', its field-th number, that way. */
static void
edit(const struct plan *p, const char *at, const char *end, unsigned field, enum way way)
{
	const char *s = at, *stop;
	char to[80], *text;
	struct dp_verdict v;
	unsigned i;
	int n;

	for (i = 0; i <= field; i++) {
		s += strcspn(s, " \n");
		if (s >= end)
			return;
		s++;
	}
	stop = s + strcspn(s, " \n");
	if (strncmp(at, "version", 7) == 0 || !change(to, s, (size_t)(stop - s), way))
		return;
	need((text = malloc(p->n + sizeof to)) != NULL);
	n = sprintf(text, "%.*s%s%s", (int)(s - p->text), p->text, to, stop);
	v = verdict(text, (size_t)n);
	if (v.is == DP_VERDICT_HOLDS && !told(&v, &p->v) &&
	    !may_hold(p, &v, rule_of(at, field), way, *s == '0' || strncmp(to, "0", 2) == 0))
		found(p, "a number less", text, (size_t)n);
	dp_verdict_free(&v);
	free(text);
}

/* Whether the line is one of several of its word in a row, or more of the same. */
static bool
repeated(const char *a, const char *b)
{
	const size_t n = strcspn(a, " \n");

	return strncmp(a, b, n) == 0 && (b[n] == ' ' || b[n] == '\n');
}

static size_t
count_lines(const char *s)
{
	size_t n = 0;

	for (; *s != '\0'; s++)
		n += *s == '\n';
	return n;
}

/* Without the line, with it twice, or behind the next one; `fixed': its number is mended, too. */
static void
move_line(const struct plan *p, const char *at, const char *end, unsigned way, bool fixed)
{
	const char *next = end + strcspn(end, "\n"), *rest = strchr(p->text, '\n') + 1;
	struct dp_verdict v;
	char *text, *body;
	int n;

	next += *next == '\n';
	if (at <= rest)				/* the first line, or the number of lines */
		return;
	rest = strchr(rest, '\n') + 1;
	need((text = malloc(2 * p->n + 160)) != NULL && (body = malloc(2 * p->n + 1)) != NULL);
	sprintf(body, "%.*s%.*s%.*s%s", (int)(at - rest), rest,
	    (int)(way == 0 ? 0 : way == 1 ? end - at : next - end), way == 1 ? at : end,
	    (int)(way == 0 ? 0 : end - at), at, way == 2 ? next : end);
	n = sprintf(text, "dputils-plan 2\nlines %zu\n%s", fixed ? count_lines(body) :
	    count_lines(rest), body);
	v = verdict(text, (size_t)n);
	/*
	 * A line that is gone was told, as given; a part's delta, of which it has no need.  In
	 * another order, or twice, no less is lost.
	 */
	if (v.is == DP_VERDICT_HOLDS && strncmp(at, "version", 7) != 0 && !told(&v, &p->v) &&
	    !(way == 0 ? differ(&v.given, &p->v.given) || strncmp(at, "delta", 5) == 0 :
	    v.loss >= p->v.loss * (1 - 1e-12) && v.missed >= p->v.missed * (1 - 1e-12)) &&
	    strcmp(text, p->text) != 0 && !(way == 2 && repeated(at, end)))
		found(p, way == 0 ? "without a line" : way == 1 ? "with a line twice" :
		    "with lines in another order", text, (size_t)n);
	dp_verdict_free(&v);
	free(text);
	free(body);
}

static bool
is_word(const char *line, const char *words)
{
	const size_t n = strcspn(line, " \n");

	for (; *words != '\0'; words += strcspn(words, " "), words += *words == ' ')
		if (strcspn(words, " ") == n && strncmp(words, line, n) == 0)
			return true;
	return false;
}

static const char *
next_line(const char *s)
{
	s += strcspn(s, "\n");
	return s + (*s == '\n');
}

/* Where the section ends that begins with this line; NULL: none does. */
static const char *
section(const char *s)
{
	const char *more = is_word(s, "tree") ? "kind k c g root pass window" :
	    is_word(s, "blt") ? "pole echo piece" : NULL;
	unsigned depth = 0;

	if (more != NULL) {
		for (s = next_line(s); is_word(s, more); s = next_line(s))
			;
		return s;
	}
	if (!is_word(s, "mechanism"))
		return NULL;
	do {
		depth += is_word(s, "mechanism");
		depth -= is_word(s, "end");
		s = next_line(s);
	} while (depth > 0);
	return s;
}

/* The k-th section, from 0 on; NULL: there is none. */
static const char *
nth(const char *s, unsigned k)
{
	for (; *s != '\0'; s = next_line(s))
		if (section(s) != NULL && k-- == 0)
			return s;
	return NULL;
}

/* What the mechanism that the k-th section is in has after its head; its own number, too. */
static const char *
inside(const char *text, unsigned k, unsigned *whole)
{
	const char *s = nth(text, k), *of;

	for (*whole = k; *whole > 0; ) {
		of = nth(text, --*whole);
		if (is_word(of, "mechanism") && section(of) > s)
			return next_line(strstr(of, "\nreach ") + 1);
	}
	return NULL;
}

static void
put(char *to, const char *from, const char *stop)
{
	sprintf(to + strlen(to), "%.*s", (int)(stop - from), from);
}

/* Each number of parts, as they are. */
static void
mend_parts(char *to, const char *s)
{
	const char *next, *at;
	unsigned parts, depth;
	char *end = to;

	for (; *s != '\0'; s = next) {
		next = next_line(s);
		if (!is_word(s, "parts")) {
			memcpy(end, s, (size_t)(next - s));
			end += next - s;
			continue;
		}
		at = next;
		for (parts = depth = 0; *at != '\0' && (depth > 0 || !is_word(at, "end"));
		    at = next_line(at)) {
			parts += depth == 0 && is_word(at, "mechanism");
			depth += is_word(at, "mechanism");
			depth -= is_word(at, "end");
		}
		end += sprintf(end, "parts %u\n", parts);
	}
	*end = '\0';
}

enum section_way { DROP, REPEAT, SWAP, REPLACE, LEAVE, SECTION_WAYS };

/* The text after its second line, with the k-th section edited; false: it cannot be. */
static bool
edit_section(char *to, const struct plan *p, unsigned k, enum section_way way)
{
	const char *start = next_line(next_line(p->text)), *at = nth(p->text, k), *own, *in;
	const char *end = section(at), *other = way < REPLACE ? NULL : twice(p), *from, *next;
	unsigned whole, theirs;

	*to = '\0';
	if (way < LEAVE)
		put(to, start, at);
	switch (way) {
	case DROP:
		break;
	case REPEAT:
		put(to, at, end);
		put(to, at, end);
		break;
	case SWAP:
		if ((next = section(end)) == NULL)
			return false;
		put(to, end, next);
		put(to, at, end);
		end = next;
		break;
	case REPLACE:
		if ((from = nth(other, k)) == NULL)
			return false;
		put(to, from, section(from));
		break;
	case LEAVE:
		if ((own = inside(p->text, k, &whole)) == NULL || (from = nth(other, k)) == NULL ||
		    (in = inside(other, k, &theirs)) == NULL || theirs != whole)
			return false;
		put(to, start, own);
		put(to, in, from);
		put(to, section(from), section(nth(other, whole)));
		end = section(nth(p->text, whole));
		break;
	case SECTION_WAYS:
		return false;
	}
	put(to, end, end + strlen(end));
	return true;
}

/* The k-th section; fixed: numbers of parts are mended, too. */
static void
change_section(const struct plan *p, unsigned k, enum section_way way, bool fixed)
{
	static const char *const what[] = { "without a section", "with a section twice",
	    "with sections in another order", "with a section of twice the epsilon",
	    "at twice the epsilon, without a section" };
	const size_t room = 3 * (p->n + (way < REPLACE ? 0 : strlen(twice(p)))) + 160;
	char *body, *text, *mended;
	struct dp_verdict v;
	int n;

	need((body = malloc(room)) != NULL && (text = malloc(room)) != NULL &&
	    (mended = malloc(room)) != NULL);
	if (edit_section(body, p, k, way)) {
		mend_parts(mended, body);
		n = sprintf(text, "dputils-plan 2\nlines %zu\n%s", count_lines(body),
		    fixed ? mended : body);
		v = verdict(text, (size_t)n);
		/* no less is lost where nothing is gone or replaced */
		if (v.is == DP_VERDICT_HOLDS && !told(&v, &p->v) && strcmp(text, p->text) != 0 &&
		    !differ(&v.given, &p->v.given) && !(way < REPLACE && way != DROP &&
		    v.loss >= p->v.loss * (1 - 1e-12) && v.missed >= p->v.missed * (1 - 1e-12)))
			found(p, what[way], text, (size_t)n);
		dp_verdict_free(&v);
	}
	free(body);
	free(text);
	free(mended);
}

#ifdef REPLAY
static void
all(void)
{
	const char *at, *end;
	const struct plan *p;
	unsigned field, way, k, turn = 0;
	size_t i;

	for (i = 0; i < PLANS; i += 2) {
		if (strstr(commands[i], "-T 2000") != NULL)	/* slow to plan */
			continue;
		p = honest(i);
		if (p->n > FAST || strstr(p->text, "\ntree ") != NULL ||
		    strstr(p->text, "\nrise ") != NULL)
			continue;
		for (at = p->text; *at != '\0'; at = end) {
			end = at + strcspn(at, "\n") + 1;
			for (field = 0; field < 16; field++)
				for (way = turn % STRIDE; way < WAYS; way += STRIDE, turn++)
					edit(p, at, end, field, (enum way)way);
			move_line(p, at, end, turn % 3, turn % 2);
		}
		for (k = 0; nth(p->text, k) != NULL; k++)
			for (way = 0; way < 2 * SECTION_WAYS; way++)
				change_section(p, k, way / 2, way % 2);
	}
}
#endif

int
LLVMFuzzerTestOneInput(const uint8_t *in, size_t n)
{
	const char *at, *end;
	const struct plan *p;
	unsigned line, field, way, k;

	if (n < 8) {
#ifdef REPLAY
		all();
#endif
		return 0;
	}
	p = honest((in[0] | (size_t)in[1] << 8) % PLANS);
	line = (in[2] | (unsigned)in[3] << 8) % (unsigned)count_lines(p->text);
	for (at = p->text; line > 0; line--)
		at += strcspn(at, "\n") + 1;
	end = at + strcspn(at, "\n") + 1;
	field = (in[4] | (unsigned)in[5] << 8) % (in[7] % 2 ? 16 : 1024);
	for (way = 0; way < WAYS; way++)
		if (p->n <= FAST || way == in[6] % ALL)
			edit(p, at, end, field, (enum way)way);
	for (way = 0; way < 6; way++)
		if (p->n <= FAST || WAYS + way == in[6] % ALL)
			move_line(p, at, end, way % 3, way >= 3);
	for (k = 0; nth(p->text, k) != NULL && nth(p->text, k) < at; k++)
		;
	if (nth(p->text, k) == NULL)
		k = in[4] % k;
	for (way = 0; way < 2 * SECTION_WAYS; way++)
		if (p->n <= FAST || WAYS + 6u + way == in[6] % ALL)
			change_section(p, k, way / 2, way % 2);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
