/* signed.c - keys in files, signatures under texts, and files that are whole or not there. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "internal.h"
#include "signed.h"

#define SECRET		"dputils-secret-key 1\n"
#define PUBLIC		"dputils-public-key 1\n"
#define SIGNER		"signer "
#define SIGNATURE	"signature "
#define HEX(n)		(2 * (n))
#define LINE		512		/* bytes of a key's file, at most */

/* The path with a suffix; false: it is too long. */
static bool
beside(char to[static PATH_MAX], const char *path, const char *suffix)
{
	return snprintf(to, PATH_MAX, "%s%s", path, suffix) < PATH_MAX;
}

static int
too_long(char *why, const char *path)
{
	return dp_state_say(why, DP_EINVAL, path, "the name is too long");
}

/* The folder that holds it is on the disk. */
static int
sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX] = ".";
	int fd, e;

	if (slash != NULL)
		snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + (slash == path),
		    path);
	if ((fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		return -1;
	e = fsync(fd);
	close(fd);
	return e;
}

static int
put(int fd, const char *p, size_t n)
{
	ssize_t k;

	for (; n > 0; p += k, n -= (size_t)k)
		if ((k = write(fd, p, n)) < 0) {
			if (errno != EINTR)
				return -1;
			k = 0;
		}
	return fsync(fd);
}

/* A file that was not there, of these bytes. */
static int
create(const char *path, mode_t mode, const char *p, size_t n, char *why)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	int saved;

	if (fd < 0 && errno == EEXIST)
		return dp_state_say(why, DP_EINVAL, path, "exists already");
	if (fd < 0)
		return dp_state_errno(why, path);
	if (put(fd, p, n) == 0 && close(fd) == 0)
		return 0;
	saved = errno;
	(void)unlink(path);
	errno = saved;
	return dp_state_say(why, DP_EIO, path, "%s", strerror(errno));
}

int
dp_key_make(const char *path, char *why)
{
	char text[LINE], hex[HEX(64) + 1], public[PATH_MAX];
	struct dp_key k;
	int e;

	if (sodium_init() < 0)
		return dp_state_say(why, DP_EENTROPY, path, "no random bytes");
	if (!beside(public, path, ".pub"))
		return too_long(why, path);
	crypto_sign_keypair(k.signer, k.secret);
	snprintf(text, sizeof text, SECRET "%s\n", sodium_bin2hex(hex, sizeof hex, k.secret,
	    sizeof k.secret));
	e = create(path, 0600, text, strlen(text), why);
	sodium_memzero(hex, sizeof hex);
	sodium_memzero(text, sizeof text);
	if (e == 0) {
		snprintf(text, sizeof text, PUBLIC "%s\n", sodium_bin2hex(hex, sizeof hex, k.signer,
		    sizeof k.signer));
		if ((e = create(public, 0644, text, strlen(text), why)) != 0)
			(void)unlink(path);	/* what it was for is not there */
	}
	dp_key_wipe(&k);
	if (e == 0 && sync_folder(path) != 0)
		e = dp_state_say(why, DP_EIO, path, "%s", strerror(errno));
	return e;
}

void
dp_key_wipe(struct dp_key *k)
{
	sodium_memzero(k, sizeof *k);
}

/* n bytes in hex behind a first line, and nothing else. */
static bool
parse(const char *text, const char *first, uint8_t *to, size_t n)
{
	const char *hex = text + strlen(first), *end;
	size_t got;

	return strncmp(text, first, strlen(first)) == 0 && strlen(hex) == HEX(n) + 1 &&
	    sodium_hex2bin(to, n, hex, HEX(n), NULL, &got, &end) == 0 && got == n &&
	    strcmp(end, "\n") == 0;
}

/* A key's file, as text; secret: its rights are looked at. */
static int
read_key(const char *path, bool secret, char text[static LINE], char *why)
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
		e = dp_state_say(why, DP_EINVAL, path, "is no regular file");
	else if (secret && st.st_uid != geteuid())
		e = dp_state_say(why, DP_ESTATE, path, "a secret key of another user");
	else if (secret && (st.st_mode & 077) != 0)
		e = dp_state_say(why, DP_ESTATE, path, "others may read or change this secret key "
		    "(mode %03o): chmod 600 it, or make another", (unsigned)st.st_mode & 0777);
	else if ((n = read(fd, text, LINE - 1)) < 0)
		e = dp_state_say(why, DP_EIO, path, "%s", strerror(errno));
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return e;
}

int
dp_key_read(struct dp_key *k, const char *path, char *why)
{
	uint8_t seed[crypto_sign_SEEDBYTES], again[sizeof k->secret];
	char text[LINE];
	int e;

	if (sodium_init() < 0)
		return dp_state_say(why, DP_EENTROPY, path, "no random bytes");
	if ((e = read_key(path, true, text, why)) != 0)
		return e;
	if (strncmp(text, PUBLIC, strlen(PUBLIC)) == 0)
		e = dp_state_say(why, DP_EINVAL, path, "a public key: the secret one signs");
	else if (!parse(text, SECRET, k->secret, sizeof k->secret))
		e = dp_state_say(why, DP_ESTATE, path, "no secret key of dpaudit --new-key, or "
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
	int e;

	if ((e = read_key(path, false, text, why)) == 0 &&
	    !parse(text, PUBLIC, signer, DP_SIGNER))
		e = dp_state_say(why, DP_ESTATE, path, "no public key (FILE.pub) of dpaudit "
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
	return dp_state_say(why, DP_EINVAL, path, "exists already: a receipt is not written over");
}

int
dp_signed_ready(const char *path, char *why)
{
	char tmp[PATH_MAX];
	int fd;

	if (!beside(tmp, path, ".tmp"))
		return too_long(why, path);
	if (access(path, F_OK) == 0)
		return there(why, path);
	if ((fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644)) < 0)
		return dp_state_errno(why, path);
	close(fd);
	return unlink(tmp) != 0 ? dp_state_errno(why, path) : 0;
}

int
dp_signed_write(const char *path, const struct dp_buf *b, char *why)
{
	char tmp[PATH_MAX];
	int fd, e = 0;

	if (!beside(tmp, path, ".tmp"))
		return too_long(why, path);
	if ((fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644)) < 0)
		return dp_state_errno(why, path);
	if (put(fd, b->p, b->n) != 0)
		e = dp_state_say(why, DP_EIO, path, "%s", strerror(errno));
	close(fd);
	/* a link takes no other file's name */
	if (e == 0 && link(tmp, path) != 0)
		e = errno == EEXIST ? there(why, path) :
		    dp_state_say(why, DP_EIO, path, "%s", strerror(errno));
	if (unlink(tmp) != 0 && e == 0)
		e = dp_state_say(why, DP_EIO, path, "%s", strerror(errno));
	if (e == 0 && sync_folder(path) != 0)
		e = dp_state_say(why, DP_EIO, path, "%s", strerror(errno));
	return e;
}
