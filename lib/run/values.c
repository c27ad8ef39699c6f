/*
 * values.c - lines that are steps of one number each: as many at a time as are in memory.
 */
#include <endian.h>
#include <string.h>

#include "roads.h"

/* One line [p, nl) to its value, as dp_events_read() maps it. */
static int64_t
line_value(const struct dp_options *o, const char *p, const char *nl)
{
	int64_t v;

	p += dp_record_marks(p, nl);
	if (nl > p && nl[-1] == '\r')
		nl--;
	if (nl == p || dp_decimal_parse(&v, p, (size_t)(nl - p), o->range.places) != 0)
		return o->range.nothing;
	return v < o->range.lo ? o->range.lo : v > o->range.hi ? o->range.hi : v;
}

#define BATCH	256

/*
 * The digits of four lines of one digit each, as they stand at p, in steps of 16 bits; false:
 * they are not.
 */
static bool
four_digits(const char *p, uint64_t *w)
{
	const uint64_t ones = 0x0001000100010001;

	memcpy(w, p, sizeof *w);
	*w = le64toh(*w) ^ ('0' + '\n' * 256) * ones;
	return ((*w | (*w + 6 * ones)) & ~(15 * ones)) == 0;
}

/* Values of up to BATCH lines of [p, e), digits one at a time: on short lines that beats memchr. */
static size_t
read_values(const struct dp_options *o, const char **at, const char *e, int64_t *x)
{
	const char *p = *at, *nl;
	int64_t digit[10];
	size_t n = 0;
	uint64_t w;
	int i;

	for (i = 0; i < 10; i++)
		digit[i] = line_value(o, &"0123456789"[i], &"0123456789"[i + 1]);
	while (n < BATCH && p < e) {
		if (n <= BATCH - 4 && e - p >= 8 && four_digits(p, &w)) {
			for (i = 0; i < 4; i++, w >>= 16)
				x[n++] = digit[w & 15];
			p += 8;
			continue;
		}
		nl = memchr(p, '\n', (size_t)(e - p));
		x[n++] = line_value(o, p, nl);
		p = nl + 1;
	}
	*at = p;
	return n;
}

/* n estimates, a line each; flushes when the block is full. */
static int
write_values(struct dp_out *out, const dp_wide *y, size_t n, unsigned places)
{
	char *q = out->buf + out->n;
	/* The block's slack is room. */
	const char *full = out->each ? out->buf : out->buf + DP_OUT_BLOCK;
	size_t i;
	int e;

	for (i = 0; i < n; i++) {
		q = dp_out_decimal(out, q, y[i], places);
		*q++ = '\n';
		if (DP_UNLIKELY(q >= full)) {
			out->n = (size_t)(q - out->buf);
			if ((e = dp_out_flush(out)) != 0)
				return e;
			q = out->buf;
		}
	}
	out->n = (size_t)(q - out->buf);
	return 0;
}

/* Steps from t on in the other formats. */
static int
print_values(struct dp_run *r, uint64_t t, const dp_wide *y, size_t n)
{
	size_t i;
	int e = 0;

	for (i = 0; i < n && e == 0; i++) {
		r->print.est[0] = y[i];
		e = dp_print_step(r, t + i, 0);
	}
	return e;
}

/* n steps with the values x, a line each; DP_EHORIZON when they are more than are left. */
static int
take_values(struct dp_run *r, const int64_t *x, size_t n)
{
	const uint64_t left = (r->o->horizon != 0 ? r->o->horizon : UINT64_MAX) - r->t;
	dp_wide y[BATCH];
	size_t done, i;
	int rc, fault;

	rc = dp_mech_steps(r->plan.mech, r->col.p, r->col.rng, r->t + 1, x, y,
	    left < n ? (size_t)left : n, &done);
	r->t += done;
	for (i = 0; r->print.bare && r->print.coarse > 1 && i < done; i++)
		y[i] = dp_print_nearest(y[i], r->print.coarse);
	fault = r->print.bare ? write_values(r->print.out, y, done, r->print.places) :
	    print_values(r, r->t - done + 1, y, done);
	if (fault != 0 || rc != 0)
		return fault != 0 ? fault : rc;
	return left < n ? DP_EHORIZON : 0;
}

/* The short way over a span of whole lines. */
static int
take_span(struct dp_run *r, const char *p, const char *e)
{
	const bool search = dp_events_searchable(r->in.events);
	const char *hit = NULL;
	int64_t x[BATCH];
	int n, rc;

	while (p < e) {
		n = search ? dp_events_search(r->in.events, &p, e, &hit, x, BATCH) :
		    (int)read_values(r->o, &p, e, x);
		if (n < 0 || (rc = take_values(r, x, (size_t)n)) != 0)
			return n < 0 ? n : rc;
	}
	return 0;
}

int
dp_values_spans(struct dp_run *r, const char *file)
{
	const int64_t nothing = r->o->range.nothing;
	char *p, *e;
	int rc;

	(void)file;
	while ((rc = dp_reader_span(r->in.reader, &p, &e, -1)) > 0) {
		if (rc != DP_READ_RECORD)
			continue;
		/* a line too long counts as nothing */
		rc = p == e ? take_values(r, &nothing, 1) : take_span(r, p, e);
		if (rc != 0)
			return rc;
	}
	return rc;
}

/*
 * The event of the record of step r->t + n + 1; an error, or a record that --strict refuses, ends
 * what is read.
 */
static int
read_event(struct dp_run *r, struct dp_record *rec, size_t n, struct dp_event *v)
{
	dp_events_read(r->in.events, rec, v);
	if (v->error != 0)
		return v->error;
	return v->why != NULL && r->o->form.strict ? DP_ESYNTAX : dp_cap_admit(r, n, v);
}

/* Records of which each is a number: as many at a time as are in memory. */
int
dp_values_records(struct dp_run *r, const char *file)
{
	static struct dp_record rec;
	struct dp_event v;
	int64_t x[BATCH];
	size_t column[BATCH], n;
	int rc, e, bad;

	while ((rc = dp_reader_next(r->in.reader, &rec, -1)) > 0) {
		bad = 0;
		for (n = 0; rc == DP_READ_RECORD && n < BATCH; n++) {
			if ((bad = read_event(r, &rec, n, &v)) != 0)
				break;
			x[n] = v.value;
			column[n] = v.column;
			rc = n + 1 < BATCH ? dp_reader_more(r->in.reader, &rec) : 0;
		}
		e = r->col.several != NULL ?
		    dp_values_columns(r, (struct dp_values){ x, column }, n) :
		    take_values(r, x, n);
		if (e != 0)
			return e;
		if (bad == DP_ESYNTAX)
			dp_run_refuse(r, file, rec.number, &v);
		if ((e = bad) != 0 || (e = rc < 0 ? rc : 0) != 0)
			return e;
	}
	return rc;
}
