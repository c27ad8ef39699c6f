/* SPDX-License-Identifier: ISC */
/* signed.c - keys in files, signatures under texts, and files that are whole or not there. */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job/options.h"
#include "internal.h"

#define SECRET		"dputils-secret-key 1\n"
#define PUBLIC		"dputils-public-key 1\n"
#define SIGNER		"signer "
#define SIGNATURE	"signature "
#define HEX(n)		(2 * (n))
#define LINE		512		/* bytes of a key's file, at most */
#define HASH_MIN	16		/* bytes of a key for hashes */
#define HASH_MAX	4096

static int
lost(char *why, const char *path)
{
	return dp_state_say(why, DP_EIO, path, "%s", strerror(errno));
}

/* Closed, with these bytes on the disk. */
static int
fill_signed(int fd, const char *p, size_t n)
{
	const int e = dp_write_all(fd, p, n) != 0 || fsync(fd) != 0 ? -1 : 0;

	dp_state_shut(&fd);
	return e;
}

/* A file that was not there, of this text. */
static int
create_signed(const struct dp_place *at, const char *suffix, mode_t mode, const char *text,
    char *why)
{
	const int fd = dp_place_open(at, suffix, O_WRONLY | O_CREAT | O_EXCL, mode);

	if (fd < 0 && errno == EEXIST)
		return dp_state_say(why, DP_EINVAL, at->path, "%sexists already",
		    *suffix == '\0' ? "" : "its public key (.pub) ");
	if (fd < 0)
		return dp_state_errno(why, at->path);
	if (fill_signed(fd, text, strlen(text)) == 0)
		return 0;
	(void)lost(why, at->path);
	(void)dp_place_unlink(at, suffix);
	return DP_EIO;
}

static int
make(const struct dp_place *at, char *why)
{
	char text[LINE], hex[HEX(64) + 1];
	struct dp_key k;
	int e;

	crypto_sign_keypair(k.signer, k.secret);
	snprintf(text, sizeof text, SECRET "%s\n", sodium_bin2hex(hex, sizeof hex, k.secret,
	    sizeof k.secret));
	e = create_signed(at, "", 0600, text, why);
	sodium_memzero(hex, sizeof hex);
	sodium_memzero(text, sizeof text);
	if (e == 0) {
		snprintf(text, sizeof text, PUBLIC "%s\n", sodium_bin2hex(hex, sizeof hex, k.signer,
		    sizeof k.signer));
		if ((e = create_signed(at, ".pub", 0644, text, why)) != 0)
			(void)dp_place_unlink(at, "");	/* what it was for is not there */
	}
	dp_key_wipe(&k);
	return e == 0 && fsync(at->dir) != 0 ? lost(why, at->path) : e;
}

int
dp_key_make(const char *path, char *why)
{
	struct dp_place at = { .dir = -1 };
	int e;

	if (sodium_init() < 0)
		return dp_state_say(why, DP_EENTROPY, path, "no random bytes");
	if ((e = dp_place_set(&at, path, why)) == 0)
		e = make(&at, why);
	dp_place_clear(&at);
	return e;
}

void
dp_key_wipe(struct dp_key *k)
{
	sodium_memzero(k, sizeof *k);
}

/* n bytes in hex, of small letters, behind a first line, and nothing else. */
static bool
parse(const char *text, const char *first, uint8_t *to, size_t n)
{
	const char *hex = text + strlen(first), *end;
	size_t got;

	return strncmp(text, first, strlen(first)) == 0 && strlen(hex) == HEX(n) + 1 &&
	    strspn(hex, "0123456789abcdef") == HEX(n) &&
	    sodium_hex2bin(to, n, hex, HEX(n), NULL, &got, &end) == 0 && got == n &&
	    strcmp(end, "\n") == 0;
}

/* A key's file, as text of less than `size` bytes, whose number is *got; secret: rights count. */
static int
read_key(const char *path, bool secret, char *text, size_t size, size_t *got, char *why)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n = -1;
	int e = 0;

	if (fd < 0)
		return dp_state_errno(why, path);
	if (fstat(fd, &st) != 0)
		e = dp_state_say(why, DP_EIO, path, "%s", strerror(errno));
	else if (!S_ISREG(st.st_mode))
		e = dp_state_say(why, DP_EINVAL, path, "not a regular file");
	else if (secret && st.st_uid != geteuid())
		e = dp_state_say(why, DP_ESTATE, path, "a secret key that belongs to another "
		    "user; run as its owner");
	else if (secret && (st.st_mode & 077) != 0)
		e = dp_state_say(why, DP_ESTATE, path, "others may read or change this secret key "
		    "(mode %03o): chmod 600 it, or make a new key", (unsigned)st.st_mode & 0777);
	else if ((n = read(fd, text, size - 1)) < 0)
		e = dp_state_say(why, DP_EIO, path, "%s", strerror(errno));
	close(fd);
	*got = n > 0 ? (size_t)n : 0;
	text[*got] = '\0';
	return e;
}

int
dp_hash_key_read(struct dp_hash_key *k, const char *path, char *why)
{
	static const unsigned char what[] = "dputils hash key 1";
	unsigned char both[2 * sizeof k->key];
	char text[HASH_MAX + 2];
	crypto_generichash_state h;
	size_t n;
	int e;

	if (sodium_init() < 0)
		return dp_state_say(why, DP_EENTROPY, path, "no random bytes");
	if ((e = read_key(path, true, text, sizeof text, &n, why)) != 0)
		return e;
	if (n < HASH_MIN || n > HASH_MAX)
		return dp_state_say(why, DP_EINVAL, path, "a key has %d to %d bytes, as "
		    "head -c 32 /dev/urandom prints them", HASH_MIN, HASH_MAX);
	crypto_generichash_init(&h, NULL, 0, sizeof both);
	crypto_generichash_update(&h, what, sizeof what);
	crypto_generichash_update(&h, (unsigned char *)text, n);
	crypto_generichash_final(&h, both, sizeof both);
	memcpy(k->key, both, sizeof k->key);
	sodium_bin2hex(k->print, sizeof k->print, both + sizeof k->key, sizeof k->key);
	sodium_memzero(both, sizeof both);
	sodium_memzero(text, sizeof text);
	sodium_memzero(&h, sizeof h);
	return 0;
}

int
dp_key_read(struct dp_key *k, const char *path, char *why)
{
	uint8_t seed[crypto_sign_SEEDBYTES], again[sizeof k->secret];
	char text[LINE];
	size_t n;
	int e;

	if (sodium_init() < 0)
		return dp_state_say(why, DP_EENTROPY, path, "no random bytes");
	if ((e = read_key(path, true, text, sizeof text, &n, why)) != 0)
		return e;
	if (strncmp(text, PUBLIC, strlen(PUBLIC)) == 0)
		e = dp_state_say(why, DP_EINVAL, path, "a public key; --sign needs the secret "
		    "one");
	else if (!parse(text, SECRET, k->secret, sizeof k->secret))
		e = dp_state_say(why, DP_ESTATE, path, "not a secret key of dpaudit --new-key, or "
		    "damaged");
	else {	/* both halves are of one key */
		crypto_sign_ed25519_sk_to_seed(seed, k->secret);
		crypto_sign_seed_keypair(k->signer, again, seed);
		if (sodium_memcmp(again, k->secret, sizeof again) != 0)
			e = dp_state_say(why, DP_ESTATE, path, "a damaged secret key");
		sodium_memzero(seed, sizeof seed);
		sodium_memzero(again, sizeof again);
	}
	sodium_memzero(text, sizeof text);
	return e;
}

int
dp_signer_read(uint8_t signer[static DP_SIGNER], const char *path, char *why)
{
	char text[LINE];
	size_t n;
	int e;

	if ((e = read_key(path, false, text, sizeof text, &n, why)) == 0 &&
	    !parse(text, PUBLIC, signer, DP_SIGNER))
		e = dp_state_say(why, DP_ESTATE, path, "not a public key (FILE.pub) of dpaudit "
		    "--new-key, or damaged");
	sodium_memzero(text, sizeof text);
	return e;
}

int
dp_signed_end(struct dp_buf *b, const struct dp_key *k)
{
	uint8_t signature[crypto_sign_BYTES];
	char hex[HEX(sizeof signature) + 1];

	dp_buf_puts(b, SIGNER);
	dp_buf_puts(b, sodium_bin2hex(hex, sizeof hex, k->signer, sizeof k->signer));
	dp_buf_puts(b, "\n");
	if (b->error != 0)
		return b->error;
	crypto_sign_detached(signature, NULL, (const unsigned char *)b->p, b->n, k->secret);
	dp_buf_puts(b, SIGNATURE);
	dp_buf_puts(b, sodium_bin2hex(hex, sizeof hex, signature, sizeof signature));
	dp_buf_puts(b, "\n");
	return b->error;
}

bool
dp_signed_good(struct dp_slice text, uint8_t signer[static DP_SIGNER])
{
	const size_t last = strlen(SIGNATURE) + HEX(crypto_sign_BYTES) + 1;
	const size_t before = strlen(SIGNER) + HEX(DP_SIGNER) + 1;
	uint8_t signature[crypto_sign_BYTES];
	char line[HEX(crypto_sign_BYTES) + 32];
	const char *at;

	if (text.n < last + before + 1)
		return false;
	at = text.p + text.n - last;
	memcpy(line, at, last);
	line[last] = '\0';
	if (!parse(line, SIGNATURE, signature, sizeof signature))
		return false;
	memcpy(line, at - before, before);
	line[before] = '\0';
	return parse(line, SIGNER, signer, DP_SIGNER) && at[-(ptrdiff_t)before - 1] == '\n' &&
	    crypto_sign_verify_detached(signature, (const unsigned char *)text.p, text.n - last,
	    signer) == 0;
}

static int
there(char *why, const char *path)
{
	return dp_state_say(why, DP_EINVAL, path, "exists already, and no receipt is overwritten; "
	    "give another name");
}

/* FILE.tmp, empty. */
static int
open_tmp(const struct dp_place *at)
{
	return dp_place_open(at, ".tmp", O_WRONLY | O_CREAT | O_TRUNC, 0644);
}

int
dp_signed_ready(const char *path, char *why)
{
	struct dp_place at = { .dir = -1 };
	int e, fd;

	if ((e = dp_place_set(&at, path, why)) == 0 && !dp_place_missing(&at))
		e = there(why, path);
	if (e == 0) {
		fd = open_tmp(&at);
		if (fd < 0 || dp_place_unlink(&at, ".tmp") != 0)
			e = dp_state_errno(why, path);
		dp_state_shut(&fd);
	}
	dp_place_clear(&at);
	return e;
}

/* A link takes no other file's name. */
static int
write_new(const struct dp_place *at, const struct dp_buf *b, char *why)
{
	const int fd = open_tmp(at);
	int e = 0;

	if (fd < 0)
		return dp_state_errno(why, at->path);
	if (fill_signed(fd, b->p, b->n) != 0)
		e = lost(why, at->path);
	else if (dp_place_link(at, ".tmp") != 0)
		e = errno == EEXIST ? there(why, at->path) : lost(why, at->path);
	if (dp_place_unlink(at, ".tmp") != 0 && e == 0)
		e = lost(why, at->path);
	return e == 0 && fsync(at->dir) != 0 ? lost(why, at->path) : e;
}

int
dp_signed_write(const char *path, const struct dp_buf *b, char *why)
{
	struct dp_place at = { .dir = -1 };
	int e;

	if ((e = dp_place_set(&at, path, why)) == 0)
		e = write_new(&at, b, why);
	dp_place_clear(&at);
	return e;
}
