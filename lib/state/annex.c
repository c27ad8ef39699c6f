/*
 * annex.c - bytes of a state that only grow, in files beside S: they are appended, not rewritten.
 *
 * An annex is bytes 0 to n of S.oldK or S.tabK, K = 0 or 1, and S says which, n and their hash.
 * So the state is still what S says, and it changes when S is replaced and at no other time:
 *
 *   - Bytes that the durable S counts are never written again.  What is appended stands behind
 *     them; what begins anew stands in the other file (its name may hold a dead run's bytes, and is
 *     unlinked first).
 *   - Appended bytes, and the name of a new file, are durable before the S that counts them is
 *     renamed: dp_annex_sync().
 *   - The file that S no longer names goes after that S is durable: dp_annex_tidy().
 *
 * A death at any moment therefore leaves an S, old or new, and all the bytes that it counts; what
 * is there besides is cut off or unlinked by the next run.  A copy of an annex is as good as the
 * annex, since S tells which bytes it means: whether a state is a copy is asked of S alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

#define BLOCK	65536

static const char *const names[DP_ANNEXES][2] = {
	{ ".old0", ".old1" }, { ".tab0", ".tab1" }
};

static int
failed(const struct dp_state *s, char *why)
{
	return dp_state_say(why, errno == ENOMEM ? DP_ENOMEM : DP_EIO, s->at.path, "%s; %s",
	    strerror(errno), DP_STATE_STANDS);
}

static void
put_hash(const struct dp_annex *a, char hex[static DP_STATE_HASH + 1])
{
	crypto_generichash_state h;
	unsigned char sum[DP_STATE_HASH / 2];

	memcpy(&h, &a->hash, sizeof h);
	crypto_generichash_final(&h, sum, sizeof sum);
	sodium_bin2hex(hex, DP_STATE_HASH + 1, sum, sizeof sum);
}

/* Reads and hashes what S counts. */
static int
read_all(const struct dp_annexform *f, struct dp_annex *a,
    int (*take)(void *, const char *, size_t), void *arg)
{
	char block[BLOCK];
	ssize_t n = 0;
	int e = 0;

	crypto_generichash_init(&a->hash, NULL, 0, DP_STATE_HASH / 2);
	for (a->n = 0; e == 0 && a->n < f->n; a->n += (uint64_t)n) {
		n = pread(a->fd, block, f->n - a->n < BLOCK ? (size_t)(f->n - a->n) : BLOCK,
		    (off_t)a->n);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			e = n == 0 ? DP_ESTATE : DP_EIO;
		else {
			crypto_generichash_update(&a->hash, (unsigned char *)block, (size_t)n);
			e = take != NULL ? take(arg, block, (size_t)n) : 0;
		}
		n = n < 0 ? 0 : n;
	}
	explicit_bzero(block, sizeof block);
	return e;
}

int
dp_annex_open(struct dp_state *s, int i, int (*take)(void *, const char *, size_t), void *arg,
    char *why)
{
	const struct dp_annexform *f = &s->form.annex[i];
	struct dp_annex *a = &s->annex[i];
	const char *name = names[i][f->file];
	char hash[DP_STATE_HASH + 1];
	struct stat st;
	int e;

	if (a->fd >= 0 || f->n == 0)
		return 0;
	if ((a->fd = dp_place_open(&s->at, name, O_RDWR, 0)) < 0 && errno == ENOENT)
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "its file %s%s is not there; put it back", s->at.name, name);
	if (a->fd < 0 || fstat(a->fd, &st) != 0)
		return dp_state_errno(why, s->at.path);
	if ((e = dp_state_check_file(s->at.path, &st, why)) != 0)
		return e;
	a->file = f->file;
	a->made = a->dirty = false;
	e = read_all(f, a, take, arg);
	if (e == 0) {
		put_hash(a, hash);
		e = strcmp(hash, f->hash) != 0 ? DP_ESTATE : 0;
	}
	if (e == DP_ESTATE)
		return dp_state_say(why, e, s->at.path, "its file %s%s is damaged", s->at.name,
		    name);
	/* what a dead run appended, and no state ever counted */
	if (e == 0 && ftruncate(a->fd, (off_t)f->n) != 0)
		e = DP_EIO;
	return e == 0 ? 0 : e == DP_EIO ? dp_state_errno(why, s->at.path) :
	    dp_state_say(why, e, s->at.path, "%s", dp_strerror(e));
}

int
dp_annex_make(struct dp_state *s, int i, char *why)
{
	const struct dp_annexform *f = &s->form.annex[i];
	struct dp_annex *a = &s->annex[i];
	const char *name;

	dp_state_shut(&a->fd);
	a->file = f->n != 0 ? !f->file : 0;
	a->n = 0;
	a->made = true;
	a->dirty = s->untidy = true;
	crypto_generichash_init(&a->hash, NULL, 0, DP_STATE_HASH / 2);
	name = names[i][a->file];
	if (dp_state_at(s, DP_AT_ANNEX) != 0 || dp_place_unlink(&s->at, name) != 0 ||
	    (a->fd = dp_place_open(&s->at, name, O_RDWR | O_CREAT | O_EXCL, 0600)) < 0 ||
	    fchmod(a->fd, 0600) != 0)
		return failed(s, why);
	return 0;
}

int
dp_annex_add(struct dp_state *s, int i, const char *p, size_t n, char *why)
{
	struct dp_annex *a = &s->annex[i];

	if (n == 0)
		return 0;
	if (dp_state_at(s, DP_AT_ANNEX) != 0 || dp_state_put(s, a->fd, p, n, (off_t)a->n) != 0)
		return failed(s, why);
	crypto_generichash_update(&a->hash, (const unsigned char *)p, n);
	a->n += n;
	a->dirty = true;
	return 0;
}

void
dp_annex_drop(struct dp_state *s, int i, struct dp_stateform *next)
{
	s->untidy |= next->annex[i].n != 0;
	next->annex[i] = (struct dp_annexform){ .n = 0 };
	dp_state_shut(&s->annex[i].fd);
}

int
dp_annex_sync(struct dp_state *s, struct dp_stateform *next, char *why)
{
	struct dp_annex *a;
	bool made = false;
	int i;

	for (i = 0; i < DP_ANNEXES; i++) {
		a = &s->annex[i];
		if (a->fd < 0 || !a->dirty)
			continue;
		if (dp_state_at(s, DP_AT_ANNEX_SYNC) != 0 || fsync(a->fd) != 0)
			return failed(s, why);
		made |= a->made;
		a->made = a->dirty = false;
		next->annex[i].n = a->n;
		next->annex[i].file = a->file;
		put_hash(a, next->annex[i].hash);
		if (a->n == 0)
			next->annex[i] = (struct dp_annexform){ .n = 0 };
	}
	if (made && (dp_state_at(s, DP_AT_ANNEX_SYNC) != 0 || fsync(s->at.dir) != 0))
		return failed(s, why);
	return 0;
}

int
dp_annex_tidy(struct dp_state *s)
{
	const struct dp_annexform *f = s->form.annex;
	unsigned file;
	int i, e = 0;

	for (i = 0; i < DP_ANNEXES; i++)
		for (file = 0; file < 2; file++)
			if ((f[i].n == 0 || f[i].file != file) &&
			    dp_place_unlink(&s->at, names[i][file]) != 0)
				e = -1;
	s->untidy = e != 0;
	return e;
}

struct copying {
	struct dp_state *to;
	int i;
	char *why;
};

static int
copy_block(void *arg, const char *p, size_t n)
{
	struct copying *c = arg;

	return dp_annex_add(c->to, c->i, p, n, c->why);
}

int
dp_annex_copy(struct dp_state *s, struct dp_state *t, struct dp_stateform *f, char *why)
{
	struct copying c = { t, 0, why };
	int e;

	for (; c.i < DP_ANNEXES; c.i++) {
		if (f->annex[c.i].n == 0)
			continue;
		if ((e = dp_annex_make(t, c.i, why)) != 0)
			return e;
		why[0] = '\0';
		e = dp_annex_open(s, c.i, copy_block, &c, why);
		if (e != 0)
			return e;
	}
	return dp_annex_sync(t, f, why);
}

ssize_t
dp_annex_read(const struct dp_state *s, int i, char *p, size_t n, uint64_t from)
{
	ssize_t k;

	while ((k = pread(s->annex[i].fd, p, n, (off_t)from)) < 0 && errno == EINTR)
		;
	if (k == 0)
		errno = EIO;	/* it shrank under us */
	return k > 0 ? k : -1;
}
