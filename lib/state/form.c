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

#include "form.h"

#define SUM_BYTES	(DP_STATE_HASH / 2)

static const char *const ours[] = {
	DP_STATE_MAGIC, "lineage", "inode", "born", "generation", "batch", "kept",
	"outlen", "moved", "old", "table", "body", "record", "blake2b"
};
const char *const dp_stateform_annexes[DP_ANNEXES] = { "old", "table" };

bool
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

void
dp_stateform_sum(const char *p, size_t n, char hex[static DP_STATE_HASH + 1])
{
	unsigned char sum[SUM_BYTES];

	/* Cannot fail: unkeyed, and the length is one that BLAKE2b has. */
	crypto_generichash(sum, sizeof sum, (const unsigned char *)p, n,
	    NULL, 0);
	sodium_bin2hex(hex, DP_STATE_HASH + 1, sum, sizeof sum);
}

int
dp_stateform_write(const struct dp_stateform *f, struct dp_buf *b)
{
	char hex[DP_STATE_HASH + 1];
	size_t i;

	dp_buf_reset(b);
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
	put_bytes(b, f->body);
	dp_buf_puts(b, "record ");
	dp_buf_u64(b, f->record.n);
	put_number(b, " settled", f->settled);
	put_bytes(b, f->record);
	if (b->error != 0)
		return b->error;
	dp_stateform_sum(b->p, b->n, hex);
	dp_buf_line(b, "blake2b", hex);
	return b->error;
}
