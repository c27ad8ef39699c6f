/* SPDX-License-Identifier: ISC */
/*
 * form.c - a state file is text with one spelling only.
 *
 * Text, because then head(1) shows it and "head -n -1 S | b2sum -l 256" checks
 * it without this program.  One spelling, because the parser may then be plain:
 * whatever it makes of the bytes is written out again and must be those bytes,
 * so leading zeros, signs, spaces or a second order of fields cannot get in.
 * The checksum finds accidents; it is no defence against somebody who can
 * write the directory, and so the parser trusts nothing it has not bounded.
 */
#include <sodium.h>
#include <string.h>

#include "internal.h"

#define SUM_BYTES	(DP_STATE_HASH / 2)

static const char *const ours[] = {
	DP_STATE_MAGIC, "lineage", "inode", "born", "generation", "batch", "kept",
	"outlen", "moved", "old", "table", "body", "record", "blake2b"
};
const char *const dp_stateform_annexes[DP_ANNEXES] = { "old", "table" };

static bool
dp_stateform_is(struct dp_slice s, const char *text)
{
	return s.n == strlen(text) && memcmp(s.p, text, s.n) == 0;
}

static bool
head_line_ok(struct dp_slice line)
{
	const char *sp;
	struct dp_slice key;
	size_t i;

	for (i = 0; i < line.n; i++)
		if (line.p[i] < ' ' || line.p[i] > '~')
			return false;
	if (line.n > 2 && *line.p == '[' && line.p[line.n - 1] == ']')
		return true;		/* a section */
	sp = line.n > 0 ? memchr(line.p, ' ', line.n) : NULL;
	if (sp == NULL || sp == line.p || sp + 1 == line.p + line.n)
		return false;
	key = (struct dp_slice){ line.p, (size_t)(sp - line.p) };
	for (i = 0; i < sizeof ours / sizeof *ours; i++)
		if (dp_stateform_is(key, ours[i]))
			return false;
	return true;
}

bool
dp_stateform_head_ok(struct dp_slice head)
{
	const char *nl;
	size_t n;

	for (; head.n > 0; head.p += n + 1, head.n -= n + 1) {
		if ((nl = memchr(head.p, '\n', head.n)) == NULL)
			return false;
		n = (size_t)(nl - head.p);
		if (!head_line_ok((struct dp_slice){ head.p, n }))
			return false;
	}
	return true;
}

bool
dp_stateform_id_ok(struct dp_slice id)
{
	size_t i;

	if (id.n == 0 || id.n > DP_STATE_ID || dp_stateform_is(id, "-"))
		return false;
	for (i = 0; i < id.n; i++)
		if (id.p[i] < '!' || id.p[i] > '~')
			return false;
	return true;
}

#define FEW	4096		/* more than the lines beside head, body and record */
static const struct dp_slice none = { NULL, 0 };

static void
put_number(struct dp_buf *b, const char *key, uint64_t v)
{
	dp_buf_puts(b, key);
	dp_buf_puts(b, " ");
	dp_buf_u64(b, v);
	dp_buf_puts(b, "\n");
}

/* The newline after it is not part of it: it lets the next line begin. */
static void
put_bytes(struct dp_buf *b, struct dp_slice s)
{
	if (s.n > 0)
		dp_buf_add(b, s.p, s.n);
	dp_buf_puts(b, "\n");
}

static void
put_annex(struct dp_buf *b, const char *key, const struct dp_annexform *a)
{
	if (a->n == 0)
		return;
	dp_buf_puts(b, key);
	dp_buf_puts(b, " ");
	dp_buf_u64(b, a->n);
	put_number(b, " file", a->file);
	dp_buf_line(b, "blake2b", a->hash);
}

static void
dp_stateform_sum(const char *p, size_t n, char hex[static DP_STATE_HASH + 1])
{
	unsigned char sum[SUM_BYTES];

	/* Cannot fail: unkeyed, and the length is one that BLAKE2b has. */
	crypto_generichash(sum, sizeof sum, (const unsigned char *)p, n,
	    NULL, 0);
	sodium_bin2hex(hex, DP_STATE_HASH + 1, sum, sizeof sum);
}

/* All but the trailer.  at: the bytes of body and record are left out, and would be there. */
static void
put_form(const struct dp_stateform *f, struct dp_buf *b, size_t at[2])
{
	size_t i;

	dp_buf_line(b, DP_STATE_MAGIC, "1");
	if (f->head.n > 0)
		dp_buf_add(b, f->head.p, f->head.n);
	dp_buf_line(b, "lineage", f->lineage);
	put_number(b, "inode", f->inode);
	put_number(b, "born", f->born);
	put_number(b, "generation", f->generation);
	dp_buf_line(b, "batch", f->batch[0] != '\0' ? f->batch : "-");
	put_number(b, "kept", f->kept);
	dp_buf_puts(b, "outlen ");
	dp_buf_u64(b, f->outlen);
	if (f->tail != 0) {
		dp_buf_puts(b, " tail ");
		dp_buf_u64(b, f->tail);
	}
	dp_buf_puts(b, "\n");
	if (f->moved) {
		dp_buf_puts(b, "moved ");
		dp_buf_u64(b, f->to_inode);
		put_number(b, " born", f->to_born);
	}
	for (i = 0; i < DP_ANNEXES; i++)
		put_annex(b, dp_stateform_annexes[i], &f->annex[i]);
	put_number(b, "body", f->body.n);
	if (at != NULL)
		at[0] = b->n;
	put_bytes(b, at != NULL ? none : f->body);
	dp_buf_puts(b, "record ");
	dp_buf_u64(b, f->record.n);
	put_number(b, " settled", f->settled);
	if (at != NULL)
		at[1] = b->n;
	put_bytes(b, at != NULL ? none : f->record);
}

int
dp_stateform_write(const struct dp_stateform *f, struct dp_buf *b)
{
	char hex[DP_STATE_HASH + 1];

	dp_buf_reset(b);
	dp_buf_room(b, f->head.n + f->body.n + f->record.n + FEW);
	put_form(f, b, NULL);
	if (b->error != 0)
		return b->error;
	dp_stateform_sum(b->p, b->n, hex);
	dp_buf_line(b, "blake2b", hex);
	return b->error;
}

/*
 * The text of a state file back to what it says, and to nothing else.
 */

#define TRAILER		(sizeof "blake2b " - 1 + DP_STATE_HASH + 1)
#define OFFSET_MAX	((uint64_t)1 << 62)	/* fits off_t, with room */

struct cursor {
	const char *p, *e;
};

static bool
get_line(struct cursor *c, struct dp_slice *line)
{
	const char *nl;

	if (c->p == c->e ||
	    (nl = memchr(c->p, '\n', (size_t)(c->e - c->p))) == NULL)
		return false;
	*line = (struct dp_slice){ c->p, (size_t)(nl - c->p) };
	c->p = nl + 1;
	return true;
}

/* The rest of a line that begins with "key ". */
static bool
get(struct cursor *c, const char *key, struct dp_slice *value)
{
	struct dp_slice line;
	size_t k = strlen(key);

	if (!get_line(c, &line) || line.n <= k || line.p[k] != ' ' ||
	    memcmp(line.p, key, k) != 0)
		return false;
	*value = (struct dp_slice){ line.p + k + 1, line.n - k - 1 };
	return true;
}

static bool
to_number(struct dp_slice s, uint64_t max, uint64_t *out)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9' ||
		    __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(s.p[i] - '0'), &v))
			return false;
	if (s.n == 0 || v > max)
		return false;
	*out = v;
	return true;
}

static bool
get_number(struct cursor *c, const char *key, uint64_t max, uint64_t *v)
{
	struct dp_slice s;

	return get(c, key, &s) && to_number(s, max, v);
}

static bool
get_bytes(struct cursor *c, uint64_t n, struct dp_slice *s)
{
	size_t left = (size_t)(c->e - c->p);

	if (n >= left || c->p[n] != '\n')
		return false;
	*s = (struct dp_slice){ c->p, (size_t)n };
	c->p += n + 1;
	return true;
}

static bool
get_head(struct cursor *c, struct dp_slice *head)
{
	static const char stop[] = "lineage ";
	struct cursor d = *c;
	struct dp_slice line;

	while ((size_t)(d.e - d.p) >= sizeof stop - 1 &&
	    memcmp(d.p, stop, sizeof stop - 1) != 0)
		if (!get_line(&d, &line))
			return false;
	*head = (struct dp_slice){ c->p, (size_t)(d.p - c->p) };
	*c = d;
	return dp_stateform_head_ok(*head);
}

static bool
get_lineage(struct cursor *c, struct dp_stateform *f)
{
	struct dp_slice v;

	if (!get(c, "lineage", &v) || v.n != DP_STATE_LINEAGE)
		return false;
	memcpy(f->lineage, v.p, v.n);
	f->lineage[v.n] = '\0';
	return strspn(f->lineage, "0123456789abcdef") == v.n;
}

static bool
get_batch(struct cursor *c, struct dp_stateform *f)
{
	struct dp_slice v;
	uint64_t kept;

	f->batch[0] = '\0';
	if (!get(c, "batch", &v))
		return false;
	if (!dp_stateform_is(v, "-")) {
		if (!dp_stateform_id_ok(v))
			return false;
		memcpy(f->batch, v.p, v.n);
		f->batch[v.n] = '\0';
	}
	if (!get_number(c, "kept", f->batch[0] != '\0', &kept))
		return false;
	f->kept = kept != 0;
	return true;
}

/* "a WORD b" of a value; without the word b is NULL. */
static void
part(struct dp_slice v, const char *word, struct dp_slice *a, struct dp_slice *b)
{
	const char *at = memmem(v.p, v.n, word, strlen(word));

	*a = v;
	*b = (struct dp_slice){ NULL, 0 };
	if (at == NULL)
		return;
	a->n = (size_t)(at - v.p);
	b->p = at + strlen(word);
	b->n = (size_t)(v.p + v.n - b->p);
}

static bool
get_outlen(struct cursor *c, struct dp_stateform *f)
{
	struct dp_slice v, a, b;

	if (!get(c, "outlen", &v))
		return false;
	part(v, " tail ", &a, &b);
	return to_number(a, OFFSET_MAX, &f->outlen) && (b.p == NULL ||
	    (to_number(b, OFFSET_MAX, &f->tail) && f->tail != 0));
}

/* Not there in a state that goes on. */
static bool
get_moved(struct cursor *c, struct dp_stateform *f)
{
	struct cursor d = *c;
	struct dp_slice v, a, b;

	if (!get(&d, "moved", &v))
		return true;
	*c = d;
	f->moved = true;
	part(v, " born ", &a, &b);
	return to_number(a, UINT64_MAX, &f->to_inode) && b.p != NULL &&
	    to_number(b, UINT64_MAX, &f->to_born);
}

/* Whole lines, and settled at the end of one: output is only let out so. */
static bool
get_record(struct cursor *c, struct dp_stateform *f)
{
	const uint64_t old = f->annex[DP_ANNEX_OLD].n;
	struct dp_slice v, r, a, b;
	uint64_t n, settled;

	if (!get(c, "record", &v))
		return false;
	part(v, " settled ", &a, &b);
	if (!to_number(a, OFFSET_MAX, &n) || !get_bytes(c, n, &r) ||
	    !to_number(b, old + n, &settled))
		return false;
	if ((n > 0 && r.p[n - 1] != '\n') ||
	    (settled > old && r.p[settled - old - 1] != '\n'))
		return false;
	f->record = r;
	f->settled = settled;
	return true;
}

/* Not there if it is empty. */
static bool
get_annex(struct cursor *c, const char *key, struct dp_annexform *f)
{
	struct cursor d = *c;
	struct dp_slice v, a, b;
	uint64_t file;

	if (!get(&d, key, &v))
		return true;
	part(v, " file ", &a, &b);
	if (!to_number(a, OFFSET_MAX, &f->n) || f->n == 0 || !to_number(b, 1, &file) ||
	    !get(&d, "blake2b", &v) || v.n != DP_STATE_HASH)
		return false;
	*c = d;
	f->file = (unsigned)file;
	memcpy(f->hash, v.p, v.n);
	f->hash[v.n] = '\0';
	return strspn(f->hash, "0123456789abcdef") == v.n;
}

/* All between the first line and the trailer; NULL or the name of the fault. */
static const char *
get_fields(struct cursor *c, struct dp_stateform *f)
{
	uint64_t n;
	size_t i;

	if (!get_head(c, &f->head))
		return "parameters";
	if (!get_lineage(c, f))
		return "lineage";
	if (!get_number(c, "inode", UINT64_MAX, &f->inode) ||
	    !get_number(c, "born", UINT64_MAX, &f->born))
		return "inode";
	if (!get_number(c, "generation", OFFSET_MAX, &f->generation) ||
	    f->generation == 0)
		return "generation";
	if (!get_batch(c, f))
		return "batch";
	if (!get_outlen(c, f))
		return "outlen";
	if (!get_moved(c, f))
		return "moved";
	for (i = 0; i < DP_ANNEXES; i++)
		if (!get_annex(c, dp_stateform_annexes[i], &f->annex[i]))
			return dp_stateform_annexes[i];
	if (!get_number(c, "body", OFFSET_MAX, &n) || !get_bytes(c, n, &f->body))
		return "body";
	if (!get_record(c, f))
		return "record";
	return c->p == c->e ? NULL : "length";
}

static const char *
get_trailer(const char *p, size_t n, bool verify)
{
	static const char key[] = "blake2b ";
	char hex[DP_STATE_HASH + 1];

	if (n < TRAILER || p[n - 1] != '\n' ||
	    memcmp(p + n - TRAILER, key, sizeof key - 1) != 0)
		return "cut short";
	if (!verify)
		return NULL;
	dp_stateform_sum(p, n - TRAILER, hex);
	if (memcmp(hex, p + n - 1 - DP_STATE_HASH, DP_STATE_HASH) != 0)
		return "checksum";
	return NULL;
}

/*
 * All but the trailer, which has been looked at, is what would be written: that is seen of what is
 * around body and record.
 */
static int
canonical(const struct dp_stateform *f, const char *p, size_t n)
{
	struct dp_buf b = { 0 };
	size_t at[2];
	int e;

	put_form(f, &b, at);
	if ((e = b.error) == 0 && (b.n + f->body.n + f->record.n != n - TRAILER ||
	    memcmp(b.p, p, at[0]) != 0 ||
	    memcmp(b.p + at[0], p + at[0] + f->body.n, at[1] - at[0]) != 0 ||
	    memcmp(b.p + at[1], p + at[1] + f->body.n + f->record.n, b.n - at[1]) != 0))
		e = DP_ESTATE;
	dp_buf_free(&b);
	return e;
}

int
dp_stateform_read(struct dp_stateform *out, const char *p, size_t n,
    bool verify, const char **what)
{
	struct cursor c = { p, p + n };
	struct dp_stateform f = { 0 };
	struct dp_slice version;
	int e;

	if (n == 0 || !get(&c, DP_STATE_MAGIC, &version)) {
		*what = "not a state file";
		return DP_ESTATE;
	}
	/* Before the checksum: another version may have another one. */
	if (!dp_stateform_is(version, "1")) {
		*what = "another version of the format";
		return DP_ESTATE;
	}
	if ((*what = get_trailer(p, n, verify)) != NULL)
		return DP_ESTATE;
	c.e = p + n - TRAILER;	/* not before c.p: the first line has no "b" for the trailer's */
	if ((*what = get_fields(&c, &f)) != NULL)
		return DP_ESTATE;
	if ((e = canonical(&f, p, n)) != 0) {
		*what = e == DP_ESTATE ? "not in canonical form" : NULL;
		return e;
	}
	*out = f;
	return 0;
}
