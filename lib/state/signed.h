/*
 * signed.h - keys, and texts that are signed with them: Ed25519 by libsodium.
 *
 * A secret key is a file of two lines, `dputils-secret-key 1' and 128 hex digits, with mode 0600 or
 * 0400, of the effective user; beside it, in FILE.pub, `dputils-public-key 1' and 64 digits.  A
 * signed text ends with the lines `signer' and `signature'; the signature is of all that stands
 * before its line.
 */
#ifndef DP_SIGNED_H
#define DP_SIGNED_H

#include "base/buf.h"
#include "budget.h"

#define DP_SIGNER	32		/* bytes */

struct dp_key {
	uint8_t secret[64];
	uint8_t signer[DP_SIGNER];
};

/*
 * Every why has DP_STATE_WHY bytes, and on an error one sentence about files.  DP_EINVAL: a file
 * that exists, cannot be opened, or is another thing than such a key; DP_ESTATE: damaged, or
 * readable by others; DP_EIO; DP_ENOMEM; DP_EENTROPY.
 */
int	dp_key_make(const char *path, char *why) DP_MUSTUSE;
int	dp_key_read(struct dp_key *, const char *path, char *why) DP_MUSTUSE;
void	dp_key_wipe(struct dp_key *);
int	dp_signer_read(uint8_t signer[static DP_SIGNER], const char *path, char *why) DP_MUSTUSE;

/* Ends the text with its signer and signature. */
int	dp_signed_end(struct dp_buf *, const struct dp_key *) DP_MUSTUSE;
/*
 * true: it ends so, with nothing behind it, and the signature is the signer's.  *signer is set
 * where the text has the form.
 */
bool	dp_signed_good(struct dp_slice text, uint8_t signer[static DP_SIGNER]) DP_MUSTUSE;

/*
 * A new file, whole or not at all: written as FILE.tmp, which a run that died may have left, then
 * given its name, on the disk.  A file of that name is refused.  ready: whether it could be made.
 */
int	dp_signed_ready(const char *path, char *why) DP_MUSTUSE;
int	dp_signed_write(const char *path, const struct dp_buf *, char *why) DP_MUSTUSE;

#endif
