/* SPDX-License-Identifier: ISC */
/*
 * rng.h: known answers of PCG64, scripts, wiping, fork, entropy failures.
 *
 *   t_rng [FILE]	FILE: the lines of pcg_reference, - is standard input
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sodium.h>

#include "check.h"
#include "kernel.h"
#include "random/internal.h"
#include "random/rng.h"

/*
 * The kernel, with faults: these definitions come before the C library's.  The
 * counters are the test's, not the library's.
 */
static size_t asked, calls;		/* bytes given and calls of getrandom(2) */
static uint8_t fresh[64];		/* the bytes given last, at most these */
static int interrupts;			/* that many calls fail with EINTR */
static int budget = -1;			/* calls before it fails for good */

/* What the system does with advice. */
static enum advised {
	ASIS,
	BELIEVED,	/* answers as Linux, does nothing: for where nobody forks */
	REFUSED,	/* Linux before 4.14 */
	SWALLOWED	/* qemu-user: answers 0, does nothing */
} advised;

static ssize_t
kernel_random(void *p, size_t n, unsigned flags)
{
	calls++;
	if (interrupts > 0) {
		interrupts--;
		errno = EINTR;
		return -1;
	}
	if (budget == 0) {
		errno = ENOSYS;
		return -1;
	}
	if (budget > 0)
		budget--;
	/* a short answer, as for a long request that is interrupted */
	if (n > 7 && calls % 2 == 0)
		n /= 2;
	if (kernel_really(p, n, flags) != (ssize_t)n)
		return -1;
	if (asked + n <= sizeof fresh)
		memcpy(fresh + asked, p, n);
	asked += n;
	return (ssize_t)n;
}

int
madvise(void *p, size_t n, int advice)
{
	if (advised == SWALLOWED || (advised == BELIEVED && advice == MADV_WIPEONFORK))
		return 0;
	if (advised == ASIS)
		return (int)kernel_call(SYS_madvise, (long[6]){ (long)p, (long)n, advice });
	errno = EINVAL;
	return -1;
}

static bool
zero(const void *p, size_t n)
{
	const uint8_t *b = p;
	uint8_t any = 0;

	while (n-- > 0)
		any |= *b++;
	return any == 0;
}

static uint64_t
word(struct dp_rng *r)
{
	uint8_t *p = dp_rng_take(r, 8);
	uint64_t w = 0;
	int i;

	for (i = 8; p != NULL && i-- > 0; )
		w = w << 8 | p[i];
	return w;
}

/* From pcg_reference; the test with FILE compares many more. */
static void
pcg_known(void)
{
	static const uint64_t want[] = {	/* pcg64(42) */
		0x287472e87ff5705a, 0xbbd190b04ed0b545, 0xb6cee3580db14880,
		0xbf5f7d7e4c3d1864, 0x734eedbe7e50bbc5
	};
	struct dp_rng *r;
	size_t i;

	check(dp_rng_open_seed(&r, 42) == 0);
	for (i = 0; i < sizeof want / sizeof want[0]; i++)
		check(word(r) == want[i]);
	dp_rng_free(r);
}

static uint64_t
hex(char **p)
{
	return strtoull(*p, p, 16);
}

static void
pcg_file(FILE *fp)
{
	const dp_uwide mul = (dp_uwide)2549297995355413924 << 64 | 4865540595714422341;
	static char line[512];
	dp_uwide seed, inc;
	struct dp_rng *r;
	uint64_t w[4], skip;
	unsigned lines = 0;
	char *p;
	int i;

	while (fgets(line, sizeof line, fp) != NULL) {
		lines++;
		p = strchr(line, ' ');
		check(p != NULL);
		if (p == NULL)
			break;
		if (line[1] == 'e') {
			check(dp_rng_open_seed(&r, hex(&p)) == 0);
		} else {
			/* the seeding of pcg64(seed, stream), by way of load */
			for (i = 0; i < 4; i++)
				w[i] = hex(&p);
			seed = (dp_uwide)w[0] << 64 | w[1];
			inc = ((dp_uwide)w[2] << 64 | w[3]) << 1 | 1;
			seed = (seed + inc) * mul + inc;
			w[0] = (uint64_t)(seed >> 64);
			w[1] = (uint64_t)seed;
			w[2] = (uint64_t)(inc >> 64);
			w[3] = (uint64_t)inc;
			check(dp_rng_open_seed(&r, 0) == 0);
			dp_rng_pcg_load(r, w);
		}
		for (skip = hex(&p); skip > 0; skip--)
			(void)dp_rng_take(r, 1);	/* one word each */
		for (i = 0; i < 8; i++)
			check(word(r) == hex(&p));
		dp_rng_free(r);
	}
	check(lines >= 20);
}

static void
pcg_save(void)
{
	struct dp_rng *r, *s = NULL;
	uint64_t w[4], v[4];
	size_t n;

	check(dp_rng_open_seed(&r, 7) == 0 && dp_rng_open_seed(&s, 8) == 0);
	check(word(r) != word(s));
	for (n = 1; n <= DP_RNG_TAKE; n++) {
		check(dp_rng_take(r, n) != NULL);
		dp_rng_pcg_save(r, w);
		dp_rng_pcg_load(s, w);
		check(memcmp(dp_rng_take(r, n), dp_rng_take(s, n), n) == 0);
		dp_rng_pcg_save(r, w);
		dp_rng_pcg_save(s, v);
		check(memcmp(w, v, sizeof w) == 0);
		dp_rng_drop(r);		/* nothing to do */
		check(word(r) == word(s));
	}
	w[3] &= ~(uint64_t)1;
	dp_rng_pcg_load(r, w);
	dp_rng_pcg_save(r, v);
	check(v[3] == (w[3] | 1));
	dp_rng_free(r);
	dp_rng_free(s);
}

static void
scripts(void)
{
	static const uint8_t bytes[10] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	static const int64_t known[1] = { 5 };
	struct dp_rng *r;
	uint8_t *p;

	check(dp_rng_open_bytes(&r, bytes, sizeof bytes) == 0);
	p = dp_rng_take(r, 3);
	check(p != NULL && memcmp(p, bytes, 3) == 0);
	p = dp_rng_take(r, 6);
	check(p != NULL && memcmp(p, bytes + 3, 6) == 0);
	check(dp_rng_span(r, &p, 1, 9) == 1 && *p == 10);
	dp_rng_spend(r, 1);
	check(r->error == 0 && dp_rng_take(r, 1) == NULL && r->error == DP_EENTROPY);
	check(bytes[0] == 1 && bytes[9] == 10);
	dp_rng_free(r);

	/* too little is nothing, and the error stays */
	check(dp_rng_open_bytes(&r, bytes, sizeof bytes) == 0);
	check(dp_rng_take(r, 11) == NULL && r->error == DP_EENTROPY);
	check(dp_rng_take(r, 1) == NULL && dp_rng_span(r, &p, 1, 1) == 0);
	dp_rng_free(r);

	check(dp_rng_open_known(&r, known, 1) == 0);
	check(dp_rng_take(r, 1) == NULL && r->error == DP_EENTROPY);
	dp_rng_free(r);
	dp_rng_free(NULL);
}

static void
chacha(void)
{
	enum { N = 200000 };
	struct dp_rng *r, *s = NULL;
	uint8_t key[32], seen[64], *p;
	double ones = 0, z;
	size_t i, n, k;

	check(dp_rng_open(&r, DP_RNG_PCG) == DP_EINVAL);
	check(dp_rng_open(&r, (enum dp_rng_kind)0) == DP_EINVAL);
	check(dp_rng_open(&r, DP_RNG_CHACHA) == 0 && dp_rng_open(&s, DP_RNG_CHACHA) == 0);
	check(word(r) != word(s));
	for (i = 0; i < N; i++)
		ones += __builtin_popcountll(word(r));
	z = (ones - 32.0 * N) / sqrt(16.0 * N);
	/* not Z_LIMIT: these bytes are other ones in every run; 7 are passed once in 10^11 */
	printf("chacha: %d words, ones z = %.2f (|z| < 7)\n", N, z);
	check(fabs(z) < 7);

	/* Every take leaves zeros behind it, but for what it hands out. */
	for (i = 0; i < 3 * DP_RNG_BLOCK; i += n) {
		n = 1 + i * 7 % DP_RNG_TAKE;
		memcpy(key, r->key, sizeof key);
		asked = 0;
		p = dp_rng_take(r, n);
		check(p != NULL && zero(r->mem, (size_t)(p - r->mem)));
		/* a new block: fresh kernel bytes, and another key */
		check((asked != 0) == (memcmp(key, r->key, sizeof key) != 0));
		check(asked == 0 || asked >= sizeof key);
		/* the key is nowhere in the block */
		if (asked != 0)
			for (k = 0; k + 8 <= DP_RNG_BLOCK; k++)
				check(memcmp(r->mem + k, r->key, 8) != 0);
	}
	dp_rng_wipe(r);
	check(zero(r->mem, r->pos));

	/* the bulk form gives the same bytes, and wipes them */
	memcpy(s, r, sizeof *s);
	k = dp_rng_span(r, &p, 12, 5);
	check(k >= 1 && k <= 5);
	for (i = 0; i < k; i++)
		check(memcmp(p + 12 * i, dp_rng_take(s, 12), 12) == 0);
	dp_rng_spend(r, 12 * k);
	check(r->pos == s->pos && zero(r->mem, r->pos));
	/* and what a take before them handed out, however few they are or many */
	for (n = 1; n <= 8; n++) {
		check(dp_rng_take(r, n) != NULL && (k = dp_rng_span(r, &p, 12, n)) >= 1);
		dp_rng_spend(r, 12 * k);
		check(zero(r->mem, r->pos));
	}

	/* drop */
	memcpy(seen, r->mem + r->pos, sizeof seen);
	dp_rng_drop(r);
	check(zero(r->mem, sizeof r->mem) && zero(r->key, sizeof r->key));
	asked = 0;
	p = dp_rng_take(r, 64);
	check(p != NULL && memcmp(p, seen, 64) != 0 && asked >= 32);
	dp_rng_free(r);
	dp_rng_free(s);
}

/* A block is ChaCha20 under the old key with fresh bytes mixed in; its start is the new key. */
static void
erasure(void)
{
	static const uint8_t nonce[crypto_stream_chacha20_ietf_NONCEBYTES];
	static uint8_t block[DP_RNG_BLOCK];
	uint8_t key[32] = { 0 };
	struct dp_rng *r;
	size_t i;
	int n;

	check(dp_rng_open(&r, DP_RNG_CHACHA) == 0);
	for (n = 0; n < 5; n++) {
		asked = 0;
		while (asked == 0)
			check(dp_rng_take(r, 32) != NULL);
		check(asked == sizeof key);
		for (i = 0; i < sizeof key; i++)
			key[i] ^= fresh[i];
		crypto_stream_chacha20_ietf(block, sizeof block, nonce, key);
		memcpy(key, block, sizeof key);
		check(memcmp(key, r->key, sizeof key) == 0);
		check(memcmp(r->mem + r->pos - 32, block + 32, r->end - r->pos + 32) == 0);
		check(r->end - r->pos + 64 == sizeof block);
	}
	dp_rng_free(r);
}

static void
kernel(void)
{
	struct dp_rng *r;
	uint8_t *p, first[16];
	size_t n;

	check(dp_rng_open(&r, DP_RNG_KERNEL) == 0);
	for (n = 1; n <= DP_RNG_TAKE; n++) {
		asked = calls = 0;
		p = dp_rng_take(r, n);
		check(p != NULL && r->pos == r->end);
		check(asked == n);
		check(zero(r->mem, (size_t)(p - r->mem)) && zero(p + n, DP_RNG_BLOCK - n));
		dp_rng_wipe(r);
		check(zero(r->mem, sizeof r->mem) && zero(r->key, sizeof r->key));
	}
	memcpy(first, dp_rng_take(r, 16), 16);
	check(memcmp(first, dp_rng_take(r, 16), 16) != 0);
	check(dp_rng_take(r, DP_RNG_TAKE + 1) == NULL && r->error == DP_EINVAL);
	dp_rng_free(r);
}

/* Several takes in one, as many as are expected; nothing is left of what they did not take. */
static void
ahead(void)
{
	static const size_t expected[][2] = { { 1, 32 }, { 40, 40 }, { 3000, 1024 } };
	struct dp_rng *r;
	size_t i;

	check(dp_rng_open(&r, DP_RNG_KERNEL) == 0);
	for (i = 0; i < sizeof expected / sizeof *expected; i++) {
		dp_rng_expect(r, expected[i][0]);	/* not ahead: no effect */
		asked = 0;
		check(dp_rng_take(r, 8) != NULL && asked == 8);
		dp_rng_ahead(r);
		check(dp_rng_take(r, 8) != NULL && asked == 8 + DP_RNG_AHEAD);
		dp_rng_back(r);
		check(r->pos == r->end && zero(r->mem, sizeof r->mem));
		dp_rng_ahead(r);
		dp_rng_expect(r, expected[i][0]);
		asked = 0;
		check(dp_rng_take(r, 8) != NULL && dp_rng_take(r, 8) != NULL);
		check(asked == expected[i][1]);
		dp_rng_back(r);
		check(r->pos == r->end && zero(r->mem, sizeof r->mem));
	}
	dp_rng_free(r);
}

/* Whether a child here finds a page zero that was advised so: tried, not asked. */
static bool
wipes(void)
{
	size_t n = (size_t)sysconf(_SC_PAGESIZE);
	int status = -1;
	uint8_t *p;
	pid_t pid;

	p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		exit(1);
	*p = 1;
	(void)madvise(p, n, MADV_WIPEONFORK);
	fflush(stdout);
	if ((pid = fork()) == 0)
		child_exit(*p);
	check(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	munmap(p, n);
	return status == 0;
}

/* A child never repeats its parent's bytes, whatever was buffered, whatever becomes of advice. */
static void
forks(enum dp_rng_kind kind)
{
	struct dp_rng *r;
	uint64_t mine, theirs[2] = { 0, 0 };
	int fd[2], status = -1;
	bool blank, wiped = advised != SWALLOWED && advised != REFUSED && wipes();
	pid_t pid;

	check(dp_rng_open(&r, kind) == 0 && word(r) != 0);
	if (!wiped || madvise(r, sizeof *r, -1) == 0)
		kind = DP_RNG_KERNEL;	/* nothing held, for want of wiping */
	if (!wiped && advised == ASIS)
		puts("skipped: a child's rng reads as zeros: this system does not wipe on fork");
	check(r->kind == kind && (kind != DP_RNG_KERNEL || r->pos == r->end));
	check(pipe(fd) == 0);
	fflush(stdout);
	if ((pid = fork()) == 0) {
		blank = zero(r, sizeof *r);
		theirs[0] = word(r);
		theirs[1] = word(r);
		blank = blank == wiped && r->kind == DP_RNG_KERNEL && r->error == 0;
		child_exit(!blank || write(fd[1], theirs, sizeof theirs) != sizeof theirs);
	}
	mine = word(r);
	close(fd[1]);
	check(read(fd[0], theirs, sizeof theirs) == sizeof theirs);
	check(waitpid(pid, &status, 0) == pid && status == 0);
	check(mine != 0 && theirs[0] != 0 && theirs[0] != mine);
	check(theirs[1] != theirs[0] && theirs[1] != word(r));
	check(r->kind == kind);
	close(fd[0]);
	dp_rng_free(r);
}

static void
failures(void)
{
	struct dp_rng *r = NULL;
	unsigned i;
	int n;

	budget = 0;
	check(dp_rng_open(&r, DP_RNG_CHACHA) == DP_EENTROPY && r == NULL);
	budget = -1;
	interrupts = 3;
	check(dp_rng_open(&r, DP_RNG_CHACHA) == 0);
	interrupts = 5;
	check(dp_rng_take(r, 8) != NULL && interrupts == 0);
	dp_rng_free(r);

	/* the N-th call fails: everything before it is served, nothing after */
	for (n = 0; n < 4; n++) {
		check(dp_rng_open(&r, DP_RNG_CHACHA) == 0);
		budget = n;
		for (i = 0; dp_rng_take(r, 64) != NULL; i++)
			;
		check(r->error == DP_EENTROPY && zero(r->mem, sizeof r->mem));
		check(n == 0 ? i == 0 : i <= (unsigned)n * (DP_RNG_BLOCK / 64 - 1));
		budget = -1;
		check(dp_rng_take(r, 1) == NULL);	/* sticky */
		dp_rng_free(r);
	}
	check(dp_rng_open(&r, DP_RNG_KERNEL) == 0);
	budget = 1;
	check(dp_rng_take(r, 4) != NULL && dp_rng_take(r, 4) == NULL);
	budget = -1;
	check(dp_rng_take(r, 4) == NULL && r->error == DP_EENTROPY);
	dp_rng_free(r);
}

int
main(int argc, char *argv[])
{
	static const enum advised advice[] = { ASIS, REFUSED, SWALLOWED };
	FILE *fp;
	size_t i;

	pcg_known();
	pcg_save();
	scripts();
	advised = BELIEVED;	/* so that ChaCha20 runs everywhere */
	chacha();
	erasure();
	kernel();
	ahead();
	failures();
	for (i = 0; i < sizeof advice / sizeof *advice; i++) {
		advised = advice[i];
		forks(DP_RNG_CHACHA);
		forks(DP_RNG_KERNEL);
	}
	if (argc > 1) {
		fp = strcmp(argv[1], "-") == 0 ? stdin : fopen(argv[1], "r");
		check(fp != NULL);
		if (fp != NULL)
			pcg_file(fp);
	}
	return done();
}
