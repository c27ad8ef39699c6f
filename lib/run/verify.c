/* SPDX-License-Identifier: ISC */
/* verify.c - a plan, and a receipt, and whether each holds. */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/certificate.h"
#include "input/spawn.h"
#include "job/options.h"
#include "store/budget.h"
#include "driver.h"
#include "internal.h"

static int dp_verify_receipt(const struct dp_verify *, const struct dp_buf *plan);

/* A command's plan, or a file's, and whether it holds. */

#define SHORT		12		/* characters of a ratio that needs no decimal */
#define PLAN_MAX	((size_t)16 << 20)	/* bytes of a plan, or a receipt: of true ones the
						   longest have 2 MiB */

#define TOO_LONG	"longer than any plan or receipt (16 MiB)"

static void
end_text(struct dp_buf *b)
{
	dp_buf_add(b, "", 1);
	if (b->error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	b->n--;
}

/* Each of these lines under a name. */
static void
tell_lines(const struct dp_buf *b, const char *mark, const char *name)
{
	const char *p = b->p, *end;
	size_t left = b->n;

	for (; left > 0 && (end = memchr(p, '\n', left)) != NULL; p = end + 1) {
		printf("%s%s\t%.*s\n", mark, name, (int)(end - p), p);
		left -= (size_t)(end - p) + 1;
	}
}

static void
check_verify(struct dp_verdict *v, struct dp_buf *b, const char *name)
{
	if (dp_certificate_check(v, b->p, b->n) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (v->is == DP_VERDICT_MALFORMED)
		dp_die(DP_EX_INPUT, "%s: %s", name, v->why);
	if (v->is == DP_VERDICT_HOLDS && !v->bound) {
		v->is = DP_VERDICT_UNKNOWN;
		snprintf(v->why, sizeof v->why, "a plan of version 1 says neither which lines it "
		    "has nor what its numbers are to be: have it printed again");
	}
}

static int
tell(const struct dp_verdict *v, const char *mark)
{
	static const char *const is[] = { "holds", "NOT PRIVATE", "refuted", "unknown" };

	printf("%stool\t%s\n", mark, v->tool);
	tell_lines(&v->claim, mark, "claim");
	tell_lines(&v->each, mark, "mechanism");
	tell_lines(&v->given, mark, "given");
	printf("%schecked\t%u mechanism%s, %u tree%s, %u kind%s\n", mark, v->mechanisms,
	    v->mechanisms == 1 ? "" : "s", v->trees, v->trees == 1 ? "" : "s", v->kinds,
	    v->kinds == 1 ? "" : "s");
	printf("%sreach\t%s\n", mark, v->derived ? "derived from who the neighbours are" :
	    "taken as given: no line says who the neighbours are");
	if (v->is != DP_VERDICT_UNKNOWN)
		printf("%sepsilon\t<= %.12g\n", mark, v->loss);
	/* seven digits are within 5e-7: what is shown is no smaller */
	if (strlen(v->claimed) <= SHORT)
		printf("%sclaimed\t%s\n", mark, v->claimed);
	else
		printf("%sclaimed\t%s, <= %.7g\n", mark, v->claimed, v->epsilon * (1 + 1e-6));
	if (v->delta[0] != '\0' && v->is != DP_VERDICT_UNKNOWN)
		printf("%sdelta\t<= %.6g\n", mark, v->missed);
	if (v->delta[0] != '\0')
		printf("%sclaimed delta\t%s\n", mark, v->delta);
	printf("%sverdict\t%s%s%s\n", mark, is[v->is], v->why[0] != '\0' ? ": " : "", v->why);
	if (dp_close_stdout() != DP_EX_OK)
		return DP_EX_SYSTEM;
	return v->is == DP_VERDICT_HOLDS ? DP_EX_OK :
	    v->is == DP_VERDICT_REFUTED ? DP_EX_REFUTED : DP_EX_INPUT;
}

int
dp_verify_command(char **argv, bool full)
{
	static char option[] = "--explain=plan";
	struct dp_buf b = { .n = 0 };
	struct dp_verdict v = { .why = "" };
	char **asked;
	size_t n = 0;
	pid_t pid;
	int fd, e, status;

	while (argv[n] != NULL)
		n++;
	if ((asked = calloc(n + 2, sizeof *asked)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	asked[0] = argv[0];
	asked[1] = option;
	memcpy(asked + 2, argv + 1, (n - 1) * sizeof *asked);
	if ((fd = dp_spawn(&pid, asked, -1, 0)) < 0)
		dp_die(DP_EX_USAGE, "%s: %s", argv[0], strerror(errno));
	if ((e = dp_spawn_read(fd, &b, PLAN_MAX)) == DP_ERANGE)
		dp_die(DP_EX_INPUT, "%s: " TOO_LONG, argv[0]);
	if (e != 0)
		dp_die(DP_EX_SYSTEM, "%s: %s", argv[0], dp_strerror(e));
	if ((status = dp_spawn_wait(pid)) != 0)
		dp_die(status > 5 ? DP_EX_SYSTEM : status, "%s: ended with status %d", argv[0],
		    status);
	free(asked);
	end_text(&b);
	check_verify(&v, &b, argv[0]);
	if (full)
		(void)fwrite(b.p, 1, b.n, stdout);
	dp_buf_free(&b);
	return tell(&v, full ? "# " : "");
}

/* verify.c: a descriptor, and the file's name in messages. */
static int
dp_verify_open(const char *file, const char **name)
{
	const bool given = strcmp(file, "-") != 0;
	const int fd = given ? open(file, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);

	*name = given ? file : "standard input";
	if (fd < 0)
		dp_die(DP_EX_INPUT, "%s: %s", *name, strerror(errno));
	return fd;
}

/* The whole file, of 16 MiB at most, then a 0 that is not counted; its name in messages. */
static const char *
dp_verify_read(struct dp_buf *b, const char *file)
{
	const char *name;
	const int fd = dp_verify_open(file, &name);
	int e;

	if ((e = dp_spawn_read(fd, b, PLAN_MAX)) != 0)
		dp_die(DP_EX_INPUT, "%s: %s", name, e == DP_EIO ? strerror(errno) :
		    e == DP_ERANGE ? TOO_LONG : dp_strerror(e));
	end_text(b);
	return name;
}

static int
verify_plan(struct dp_buf *plan, const char *name)
{
	struct dp_verdict v = { .why = "" };

	check_verify(&v, plan, name);
	return tell(&v, "");
}

int
dp_verify(const struct dp_verify *of)
{
	struct dp_buf plan = { .n = 0 };
	const char *name = of->plan != NULL ? dp_verify_read(&plan, of->plan) : NULL;
	int status = DP_EX_OK;

	if (of->receipt != NULL)
		status = dp_verify_receipt(of, &plan);
	/* the plan of another run says nothing of a receipt that is refuted */
	if (of->plan != NULL && status == DP_EX_OK)
		status = verify_plan(&plan, name);
	else if (dp_close_stdout() != DP_EX_OK)
		status = DP_EX_SYSTEM;
	dp_buf_free(&plan);
	return status;
}

/* Keys for receipts, and whether a receipt is what it says. */

#define FIRST	DP_RECEIPT " "
#define HASH	32
#define HEX	(2 * HASH)

static _Noreturn void
refused_check(int e, const char *why)
{
	dp_die(e == DP_ESTATE || e == DP_EINVAL ? DP_EX_INPUT : DP_EX_SYSTEM, "%s", why);
}

int
dp_verify_new_key(const char *file)
{
	char why[DP_STATE_WHY] = "", name[4200], hex[2 * DP_SIGNER + 1];
	uint8_t signer[DP_SIGNER];
	int e;

	snprintf(name, sizeof name, "%s.pub", file);
	if ((e = dp_key_make(file, why)) != 0 || (e = dp_signer_read(signer, name, why)) != 0)
		refused_check(e, why);
	printf("signer\t%s\n", sodium_bin2hex(hex, sizeof hex, signer, sizeof signer));
	return dp_close_stdout();
}

static void
end_hash(char hex[static HEX + 1], crypto_generichash_state *h)
{
	uint8_t hash[HASH];

	crypto_generichash_final(h, hash, HASH);
	sodium_bin2hex(hex, HEX + 1, hash, HASH);
}

/* The hash of a plan, but for its comments. */
static void
hash_plan(char hex[static HEX + 1], const struct dp_buf *b)
{
	crypto_generichash_state h;
	const char *p, *end, *stop = b->p + b->n;

	crypto_generichash_init(&h, NULL, 0, HASH);
	for (p = b->p; p < stop; p = end) {
		end = memchr(p, '\n', (size_t)(stop - p));
		end = end == NULL ? stop : end + 1;
		if (*p != '#')
			crypto_generichash_update(&h, (const unsigned char *)p, (size_t)(end - p));
	}
	end_hash(hex, &h);
}

/* The hash of a file of any length. */
static void
hash_file(char hex[static HEX + 1], const char *file)
{
	crypto_generichash_state h;
	unsigned char block[65536];
	const char *name;
	const int fd = dp_verify_open(file, &name);
	ssize_t n;

	crypto_generichash_init(&h, NULL, 0, HASH);
	while ((n = read(fd, block, sizeof block)) != 0)
		if (n > 0)
			crypto_generichash_update(&h, block, (size_t)n);
		else if (errno != EINTR)
			dp_die(DP_EX_INPUT, "%s: %s", name, strerror(errno));
	(void)close(fd);
	end_hash(hex, &h);
}

/* The job and the receipt's own lines have no key in common. */
static bool
find(const struct dp_buf *receipt, const char *key, struct dp_slice *value)
{
	return dp_doc_find((struct dp_slice){ receipt->p, receipt->n }, key, value);
}

/* Prints whether this is the hash of that line. */
static bool
same_check(const struct dp_buf *receipt, const char *word, const char hex[static HEX + 1])
{
	struct dp_slice v = { NULL, 0 };
	const bool is = find(receipt, word, &v) && v.n >= HEX && memcmp(v.p, hex, HEX) == 0 &&
	    (v.n == HEX || v.p[HEX] == ' ');

	printf("%s\t%s\n", word, is ? "the same" : "refuted: it is another");
	return is;
}

/* Statements of the receipt, except its hashes. */
static void
say(const struct dp_buf *b)
{
	static const char *const said[] = { "tool", "version", "mechanism", "epsilon", "delta",
	    "protects", "budget" };
	char text[1024];
	struct dp_slice v;
	size_t i;

	for (i = 0; i < sizeof said / sizeof *said; i++)
		if (find(b, said[i], &v)) {
			snprintf(text, sizeof text, "%.*s", (int)v.n, v.p);
			dp_plain(text);		/* of whoever signed it */
			printf("%s\t%s\n", said[i], text);
		}
}

/* verify.c: the receipt against what is given; DP_EX_OK: all of it holds. */
static int
dp_verify_receipt(const struct dp_verify *of, const struct dp_buf *plan)
{
	char why[DP_STATE_WHY] = "", hex[2 * DP_SIGNER + 1], hash[HEX + 1];
	uint8_t signer[DP_SIGNER] = { 0 }, wanted[DP_SIGNER];
	struct dp_buf b = { .n = 0 };
	const char *name = dp_verify_read(&b, of->receipt);
	bool good, known, all;
	int e;

	if (sodium_init() < 0)
		dp_die(DP_EX_SYSTEM, "no random bytes");
	if (of->signer != NULL && (e = dp_signer_read(wanted, of->signer, why)) != 0)
		refused_check(e, why);
	if (strncmp(b.p, FIRST, strlen(FIRST)) != 0 || strlen(b.p) != b.n)
		dp_die(DP_EX_INPUT, "%s: not a receipt of dputils", name);
	/* 1: its job had no sections; the lines that are looked for were the same */
	if (strncmp(b.p + strlen(FIRST), DP_RECEIPT_VERSION "\n", 2) != 0 &&
	    strncmp(b.p + strlen(FIRST), "1\n", 2) != 0)
		dp_die(DP_EX_INPUT, "%s: a receipt of another version: 1 and "
		    DP_RECEIPT_VERSION " are what is read", name);
	good = dp_signed_good((struct dp_slice){ b.p, b.n }, signer);
	if (!good) {
		printf("signature\trefuted: damaged, or not the signer's\n");
		dp_buf_free(&b);
		return DP_EX_REFUTED;
	}
	say(&b);
	known = of->signer == NULL || memcmp(signer, wanted, sizeof wanted) == 0;
	printf("signature\tgood\nsigner\t%s%s\n", sodium_bin2hex(hex, sizeof hex, signer,
	    sizeof signer), !known ? ", refuted: it is another" :
	    of->signer == NULL ? ", compared with nobody (--signer)" : "");
	all = known;
	if (of->released != NULL) {
		hash_file(hash, of->released);
		all = same_check(&b, "released", hash) && all;
	}
	if (of->plan != NULL) {
		hash_plan(hash, plan);
		all = same_check(&b, "plan", hash) && all;
	}
	dp_buf_free(&b);
	return all ? DP_EX_OK : DP_EX_REFUTED;
}
