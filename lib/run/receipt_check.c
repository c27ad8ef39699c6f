/* receipt_check.c - keys for receipts, and whether a receipt is what it says. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

#include "ask/options.h"
#include "base/doc.h"
#include "receipt.h"
#include "state/signed.h"
#include "verify.h"

#define FIRST	DP_RECEIPT " "
#define HASH	32
#define HEX	(2 * HASH)

static _Noreturn void
refused(int e, const char *why)
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
		refused(e, why);
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
same(const struct dp_buf *receipt, const char *word, const char hex[static HEX + 1])
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

int
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
		refused(e, why);
	if (strncmp(b.p, FIRST, strlen(FIRST)) != 0 || strlen(b.p) != b.n)
		dp_die(DP_EX_INPUT, "%s: no receipt of dputils", name);
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
		all = same(&b, "released", hash) && all;
	}
	if (of->plan != NULL) {
		hash_plan(hash, plan);
		all = same(&b, "plan", hash) && all;
	}
	dp_buf_free(&b);
	return all ? DP_EX_OK : DP_EX_REFUTED;
}
