/* SPDX-License-Identifier: ISC */
/*
 * t_state.c - the contents of a state file are what they were, or refused.
 */
#include <sodium.h>
#include <stdio.h>

#include "stateopen.h"

static const struct dp_state_hook none;
static const struct dp_state_rule plain = { .path = "S" };

/* A state that has released n groups of two steps, output to rule.out. */
static void
make(const struct dp_state_rule *rule, unsigned n)
{
	struct toy y = { .rule = *rule, .steps = 2 * n, .group = 2 };
	struct dp_buf b = { 0 };

	toy_clean();
	check(toy_init(rule, none) == 0);
	if (n > 0)
		check(grab(toy_child, &y, &b) == 0);
	dp_buf_free(&b);
}

static void
test_round_trip(void)
{
	static char bytes[] = "a\0b\nblake2b 00\n\xff";
	struct dp_buf body = { bytes, sizeof bytes, sizeof bytes, 0 };
	struct dp_state_rule rule = { .path = "./S", .out = "O" };
	struct dp_state *s;
	struct stat st;

	toy_clean();
	umask(0777);		/* still ours to read and write */
	check(toy_create(&s, &rule, TOY_HEAD, &body, NO_HOOK, why) == 0);
	umask(022);
	check(stat("S", &st) == 0 && (st.st_mode & 07777) == 0600);
	check(dp_state_redo(s, false, why) == 0);
	check(dp_state_commit(s, &body, "1 5\n2 -7\n", 9, why) == 0);
	check(s->form.generation == 2);
	check(s->form.body.n == 0);
	dp_state_free(s);
	chmod("O", 0644);
	chmod("S.lock", 0600);
	check(dp_state_open(&s, &rule, why) == 0);
	check(strcmp(s->form.head.p, TOY_HEAD) == 0);
	check(strcmp(s->form.batch, "") == 0);
	check(s->form.generation == 2);
	check(s->form.body.n == sizeof bytes &&
	    memcmp(s->form.body.p, bytes, sizeof bytes) == 0);
	check(s->form.record.n == 9 && s->form.settled == 0 &&
	    memcmp(s->form.record.p, "1 5\n2 -7\n", 9) == 0);
	dp_state_free(s);
	dp_state_free(NULL);
}

/* The text itself, so that the form in state.h cannot drift unseen. */
static void
test_text(void)
{
	struct dp_buf b = { 0 };
	unsigned long long inode, born;
	char lineage[33], sum[65], want[1024];
	int n = 0;

	make(&plain, 0);
	check(slurp("S", &b));
	dp_buf_add(&b, "", 1);
	check(sscanf(b.p, "dputils-state 1\ntool toy\nepsilon 1/2\n"
	    "lineage %32[0-9a-f]\ninode %llu\nborn %llu\ngeneration 1\n"
	    "batch -\nkept 0\noutlen 0\nbody 4\nt 0\n\n"
	    "record 0 settled 0\n\nblake2b %64[0-9a-f]%n",
	    lineage, &inode, &born, sum, &n) == 4);
	n = snprintf(want, sizeof want, "dputils-state 1\n" TOY_HEAD
	    "lineage %s\ninode %llu\nborn %llu\ngeneration 1\n"
	    "batch -\nkept 0\noutlen 0\nbody 4\nt 0\n\n"
	    "record 0 settled 0\n\nblake2b %s\n", lineage, inode, born, sum);
	check(strcmp(b.p, want) == 0 && b.n == (size_t)n + 1);
	dp_buf_free(&b);
}

/* In memory every byte takes every other value; in the file some. */
static void
test_flips(void)
{
	struct dp_buf b = { 0 };
	struct dp_stateform f;
	const char *what;
	unsigned x, accepted = 0;
	size_t i;

	make(&plain, 1);
	check(slurp("S", &b));
	check(dp_stateform_read(&f, b.p, b.n, true, &what) == 0);
	for (i = 0; i < b.n; i++)
		for (x = 1; x < 256; x++) {
			b.p[i] = (char)(b.p[i] ^ (char)x);
			accepted += dp_stateform_read(&f, b.p, b.n, true,
			    &what) != DP_ESTATE;
			b.p[i] = (char)(b.p[i] ^ (char)x);
		}
	/* The canonical form has the checksum too; the reason tells them apart. */
	((char *)memmem(b.p, b.n, "\nt 2", 4))[3] ^= 1;
	check(dp_stateform_read(&f, b.p, b.n, true, &what) == DP_ESTATE &&
	    strcmp(what, "checksum") == 0);
	((char *)memmem(b.p, b.n, "\nt 3", 4))[3] ^= 1;
	for (i = 0; i < b.n; i++) {
		b.p[i] ^= 1;
		check(spill("S", b.p, b.n, 0));
		accepted += try_open(&plain) != DP_ESTATE;
		b.p[i] ^= 1;
	}
	check(accepted == 0);
	check(spill("S", b.p, b.n, 0) && try_open(&plain) == 0);
	dp_buf_free(&b);
}

static void
test_truncation(void)
{
	struct dp_buf b = { 0 };
	struct dp_stateform f;
	const char *what;
	size_t n;
	int fd;

	make(&plain, 1);
	check(slurp("S", &b));
	for (n = b.n; n-- > 0; ) {
		check(dp_stateform_read(&f, b.p, n, false, &what) ==
		    DP_ESTATE);
		check(truncate("S", (off_t)n) == 0);
		check(try_open(&plain) == DP_ESTATE);
	}
	dp_buf_puts(&b, "\n");
	check(spill("S", b.p, b.n, 0) && refused(&plain, "damaged"));
	check(spill("S", b.p, b.n - 1, 0) && try_open(&plain) == 0);
	fd = open("S", O_WRONLY | O_CLOEXEC);
	check(ftruncate(fd, (off_t)DP_STATE_MAX + 1) == 0);
	close(fd);
	check(refused(&plain, "too large"));
	dp_buf_free(&b);
}

/* Text with one piece replaced, and a right checksum under it. */
static int
reworded(const struct dp_buf *b, const char *from, const char *to,
    const char **what)
{
	struct dp_buf c = { 0 };
	struct dp_stateform f = { 0 };
	char hex[65], *p = memmem(b->p, b->n, from, strlen(from));
	const size_t trailer = 8 + 64 + 1;
	unsigned char sum[32];
	int e;

	check(p != NULL);
	dp_buf_add(&c, b->p, (size_t)(p - b->p));
	dp_buf_puts(&c, to);
	p += strlen(from);
	dp_buf_add(&c, p, (size_t)(b->p + b->n - p) - trailer);
	crypto_generichash(sum, 32, (unsigned char *)c.p, c.n, NULL, 0);
	sodium_bin2hex(hex, sizeof hex, sum, sizeof sum);
	dp_buf_puts(&c, "blake2b ");
	dp_buf_puts(&c, hex);
	dp_buf_puts(&c, "\n");
	e = dp_stateform_read(&f, c.p, c.n, true, what);
	dp_buf_free(&c);
	return e;
}

static void
test_spellings(void)
{
	static const struct {
		const char *from, *to, *what;	/* what NULL: accepted */
	} cases[] = {
		{ "tool toy", "tool toys", NULL },
		{ "generation 3", "generation 4", NULL },
		{ "batch b", "batch c", NULL },
		{ "settled 4", "settled 0", NULL },
		{ "dputils-state 1\n", "dputils-state 1\nsecond line\n",
		    NULL },
		{ "dputils-state 1", "dputils-state 2", "version" },
		{ "dputils-state 1", "dputils-state 01", "version" },
		{ "dputils-state 1", "other-state 1", "not a state" },
		{ "tool toy\n", "tool\n", "parameters" },
		{ "tool toy\n", "\n", "parameters" },
		{ "tool toy\n", "tool t\001y\n", "parameters" },
		{ "tool toy\n", "body toy\n", "parameters" },
		{ "inode 0", "inode 00", "canonical" },
		{ "inode 0", "inode -0", "inode" },
		{ "born 0", "birth 0", "inode" },
		{ "lineage 0", "lineage 00", "lineage" },
		{ "lineage 0", "lineage  0", "lineage" },
		{ "generation 3", "generation 03", "canonical" },
		{ "generation 3", "generation 0", "generation" },
		{ "generation 3", "generation +3", "generation" },
		{ "generation 3", "generation 3 ", "generation" },
		{ "generation 3", "generation  3", "generation" },
		{ "generation 3", "generation 3\r", "generation" },
		{ "generation 3", "generation 18446744073709551617",
		    "generation" },
		{ "generation 3", "generation 99999999999999999999",
		    "generation" },
		{ "generation 3", "generation ", "generation" },
		{ "generation 3", "generation 9223372036854775807",
		    "generation" },
		{ "generation 3\n", "generation 3\n\n", "batch" },
		{ "generation 3\n", "", "generation" },
		{ "batch b\n", "batch -\n", "batch" },	/* kept without one */
		{ "batch b\n", "batch \n", "batch" },
		{ "batch b\n", "batch b b\n", "batch" },
		{ "kept 1", "kept 01", "canonical" },
		{ "kept 1", "kept 2", "batch" },
		{ "outlen 0", "outlen 00", "canonical" },
		{ "outlen 0", "outlen -1", "outlen" },
		{ "outlen 0", "outlen 0 tail 0", "outlen" },
		{ "outlen 0", "outlen 0 tail 01", "canonical" },
		{ "outlen 0", "outlen 0 tail x", "outlen" },
		{ "outlen 0", "outlen 0 tail", "outlen" },
		{ "body 4", "body 04", "canonical" },
		{ "outlen 0", "outlens 0", "outlen" },
		{ "body 4", "bodies 4", "body" },
		{ "body 4", "body 3", "record" },
		{ "body 4", "body 5", "body" },
		{ "body 4", "body 4611686018427387904", "body" },
		{ "record 8 ", "record 08 ", "canonical" },
		{ "record 8 ", "record 7 ", "record" },
		{ "record 8 ", "record 9 ", "record" },
		{ "record 8 settled 4", "record 8  settled 4", "record" },
		{ "settled 4", "settled 04", "canonical" },
		{ "settled 4", "settled 3", "record" },
		{ "settled 4", "settled 9", "record" },
		{ "2 7\n\n", "2 7\n\n\n", "length" },
		{ "2 7\n", "2 77", "record" },
	};
	char head[] = TOY_HEAD, body[] = "t 2\n", record[] = "1 5\n2 7\n";
	struct dp_stateform f = {
		.head = { head, sizeof head - 1 },
		.lineage = "00112233445566778899aabbccddeeff",
		.generation = 3, .batch = "b", .kept = true,
		.body = { body, 4 }, .record = { record, 8 }, .settled = 4
	};
	struct dp_buf b = { 0 };
	const char *what;
	char *middle;
	size_t i;
	int e;

	check(dp_stateform_write(&f, &b) == 0);
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		what = NULL;
		e = reworded(&b, cases[i].from, cases[i].to, &what);
		if (cases[i].what == NULL ? e == 0 : e == DP_ESTATE &&
		    what != NULL && strstr(what, cases[i].what) != NULL)
			check_run++;
		else
			check(!printf("\"%s\" as \"%s\": %d %s\n",
			    cases[i].from, cases[i].to, e, what ? what : ""));
	}
	check(reworded(&b, "aabb", "AABB", &what) == DP_ESTATE);
	/* nothing, or less than a line, between the first line and the last */
	dp_buf_add(&b, "", 1);
	middle = strndup(b.p + 16, b.n - 1 - 16 - 73);
	b.n--;
	check(reworded(&b, middle, "", &what) == DP_ESTATE && strcmp(what, "lineage") == 0);
	check(reworded(&b, middle, "no newline", &what) == DP_ESTATE &&
	    strcmp(what, "parameters") == 0);
	free(middle);
	/* the checksum, and that only, is left out for the fuzzer */
	b.p[b.n - 2] ^= 1;
	check(dp_stateform_read(&f, b.p, b.n, true, &what) == DP_ESTATE &&
	    strcmp(what, "checksum") == 0);
	check(dp_stateform_read(&f, b.p, b.n, false, &what) == 0 && f.generation == 3);
	((char *)memmem(b.p, b.n, "born 0", 6))[4] = 'e';
	check(dp_stateform_read(&f, b.p, b.n, false, &what) == DP_ESTATE);
	dp_buf_free(&b);
}

static void
test_heads(void)
{
	static const char *const good[] = {
		"", "a b\n", "range 0:1\nmatch ^a b~ *$\n", "bodyguard 1\n",
		"Lineage 1\n"
	};
	static const char *const bad[] = {
		"a", "a b", "\n", "a\n", "a \n", " a b\n", "a b\n\n",
		"a b\r\n", "a\tb\n", "a \x7f\n", "a \xc3\xa9\n", "lineage x\n",
		"inode 1\n", "born 1\n", "generation 1\n", "batch 1\n",
		"kept 1\n", "outlen 1\n", "body 1\n", "record 1\n",
		"blake2b 1\n", "dputils-state 1\n", "a b\nbody 1\n"
	};
	struct dp_buf body = { 0 };
	struct dp_state *s;
	size_t i;

	for (i = 0; i < sizeof good / sizeof *good; i++) {
		toy_clean();
		check(toy_create(&s, &plain, good[i], &body, NO_HOOK, why) == 0);
		check(strcmp(s->form.head.p, good[i]) == 0);
		dp_state_free(s);
		check(try_open(&plain) == 0);
	}
	toy_clean();
	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		check(toy_create(&s, &plain, bad[i], &body, NO_HOOK, why) ==
		    DP_EINVAL);
	body.error = DP_ENOMEM;		/* the caller's failure is ours */
	check(toy_create(&s, &plain, "", &body, NO_HOOK, why) == DP_ENOMEM);
}

/* As the hashes in them are: malloc's alignment is enough for one in four only. */
static void
test_aligned(void)
{
	struct dp_state *s[16];
	void *between[16];
	unsigned i;

	for (i = 0; i < 16; i++) {
		between[i] = malloc(16 * i + 1);
		s[i] = dp_state_new();
		check(s[i] != NULL && (uintptr_t)s[i] % _Alignof(crypto_generichash_state) == 0);
	}
	for (i = 0; i < 16; i++) {
		dp_state_free(s[i]);
		free(between[i]);
	}
}

int
main(void)
{
	char dir[32];

	if (!toy_enter(dir, false)) {
		perror(dir);
		return 1;
	}
	test_round_trip();
	test_text();
	test_flips();
	test_truncation();
	test_spellings();
	test_heads();
	test_aligned();
	toy_leave(dir);
	return done();
}
