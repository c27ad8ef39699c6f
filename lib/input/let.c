/* SPDX-License-Identifier: ISC */
/*
 * let.c - --let: fields that are made of other fields.
 *
 * What is made depends on the text of its own line's field alone, and on options: so it is a part
 * of the line as any field is, and what is protected stays what it was.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define DOMAIN_MAX	253		/* bytes of a name in the DNS (RFC 1035) */
#define ROOM		(DOMAIN_MAX + 1 > INET6_ADDRSTRLEN + 4 ? DOMAIN_MAX + 1 : \
			    INET6_ADDRSTRLEN + 4)

/* What one field is made of. */
struct made {
	struct dp_field from;		/* number resolved */
	struct dp_slice (*how)(struct made *, struct dp_slice);
	unsigned bits[2];		/* of a network: IPv4, IPv6 */
	struct dp_cut *cut;		/* a pattern */
	unsigned group;
	struct dp_record record;	/* its groups */
	struct dp_buf small;		/* letters */
	struct dp_unit unit;
	struct dp_digits digits;
	char room[ROOM];
};

struct dp_lets {
	unsigned n;
	struct made made[DP_LETS_MAX];
};

static const struct dp_slice nothing = { "", 0 };

/* What is before the first of these bytes. */
static struct dp_slice
before(struct dp_slice s, const char *bytes)
{
	const size_t k = strlen(bytes);
	size_t n = 0;

	while (n < s.n && memchr(bytes, s.p[n], k) == NULL)
		n++;
	return (struct dp_slice){ s.p, n };
}

/* A path without its query and fragment. */
static struct dp_slice
page(struct made *m, struct dp_slice s)
{
	(void)m;
	return before(s, "?#");
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct dp_slice
trimmed(struct dp_slice s)
{
	while (s.n > 0 && is_blank(*s.p)) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

/* The first of a list. */
static struct dp_slice
first(struct made *m, struct dp_slice s)
{
	(void)m;
	return trimmed(before(s, ","));
}

/* Without blanks at its ends. */
static struct dp_slice
trim(struct made *m, struct dp_slice s)
{
	(void)m;
	return trimmed(s);
}

/* In small letters, of ASCII alone. */
static struct dp_slice
lower(struct made *m, struct dp_slice s)
{
	size_t i;

	dp_buf_reset(&m->small);
	dp_buf_add(&m->small, s.p, s.n);
	if (m->small.error != 0 || s.n == 0)
		return s;
	for (i = 0; i < s.n; i++)
		if (s.p[i] >= 'A' && s.p[i] <= 'Z')
			m->small.p[i] = (char)(s.p[i] + 'a' - 'A');
	return (struct dp_slice){ m->small.p, s.n };
}

/* HOST, HOST:PORT, [HOST] or [HOST]:PORT: HOST.  Two colons are of an IPv6 address. */
static struct dp_slice
host(struct made *m, struct dp_slice s)
{
	struct dp_slice h;

	(void)m;
	if (s.n > 0 && *s.p == '[') {
		h = before((struct dp_slice){ s.p + 1, s.n - 1 }, "]");
		return h.n + 1 < s.n ? h : s;
	}
	h = before(s, ":");
	return h.n == s.n || memchr(h.p + h.n + 1, ':', s.n - h.n - 1) == NULL ? h : s;
}

/* The host that a URL names, in small letters; empty: none does. */
static struct dp_slice
domain(struct made *m, struct dp_slice s)
{
	struct dp_slice h;
	const char *at;
	size_t i;

	for (i = 0; i + 2 < s.n && memcmp(s.p + i, "://", 3) != 0; i++)
		;
	if (i + 2 >= s.n)
		return nothing;
	h = before((struct dp_slice){ s.p + i + 3, s.n - i - 3 }, "/?#");
	if ((at = memrchr(h.p, '@', h.n)) != NULL)
		h = (struct dp_slice){ at + 1, (size_t)(h.p + h.n - at - 1) };
	h = host(m, h);
	if (h.n > DOMAIN_MAX)
		return nothing;
	for (i = 0; i < h.n; i++)
		m->room[i] = h.p[i] >= 'A' && h.p[i] <= 'Z' ? (char)(h.p[i] + 'a' - 'A') : h.p[i];
	return (struct dp_slice){ m->room, h.n };
}

/* Clears what is behind so many bits. */
static void
mask(unsigned char *a, size_t n, unsigned bits)
{
	size_t i;

	for (i = 0; i < n; i++, bits -= bits < 8 ? bits : 8)
		a[i] = bits >= 8 ? a[i] : a[i] & (unsigned char)~(0xff >> bits);
}

/*
 * The network of an address, as RFC 5952 writes it; an IPv4 address that is written as one of IPv6
 * is one of IPv4.  What is no address stays as it is.
 */
static struct dp_slice
net(struct made *m, struct dp_slice s)
{
	static const unsigned char mapped[12] = { [10] = 0xff, 0xff };
	const struct dp_slice h = host(m, s);
	char text[INET6_ADDRSTRLEN];
	unsigned char a[16];
	int family = AF_INET;

	if (h.n == 0 || h.n >= sizeof text)
		return s;
	memcpy(text, h.p, h.n);
	text[h.n] = '\0';
	if (memchr(text, '\0', h.n) != NULL)
		return s;
	if (inet_pton(AF_INET, text, a) != 1) {
		if (inet_pton(AF_INET6, text, a) != 1)
			return s;
		family = memcmp(a, mapped, sizeof mapped) == 0 ? AF_INET : AF_INET6;
		if (family == AF_INET)
			memmove(a, a + 12, 4);
	}
	mask(a, family == AF_INET ? 4 : 16, m->bits[family != AF_INET]);
	if (inet_ntop(family, a, m->room, INET6_ADDRSTRLEN) == NULL)
		return s;
	snprintf(m->room + strlen(m->room), 5, "/%u", m->bits[family != AF_INET]);
	return (struct dp_slice){ m->room, strlen(m->room) };
}

/* A number with a unit, in the unit asked for. */
static struct dp_slice
in_unit(struct made *m, struct dp_slice s)
{
	return dp_number_in(&m->digits, &m->unit, s, m->room);
}

static const struct {
	const char *name;
	struct dp_slice (*how)(struct made *, struct dp_slice);
} ways[] = { { "page", page }, { "host", host }, { "domain", domain }, { "first", first },
	{ "trim", trim }, { "lower", lower } };

#define WAYS	(sizeof ways / sizeof *ways)

/* Bits of "/24,/64"; false: it is none. */
static bool
network(const char *how, unsigned bits[2])
{
	unsigned i, k;

	for (i = 0; i < 2; i++) {
		if (*how++ != '/' || *how < '0' || *how > '9')
			return false;
		for (k = 0; *how >= '0' && *how <= '9' && k <= 128; how++)
			k = 10 * k + (unsigned)(*how - '0');
		if (k > (i == 0 ? 32 : 128) || *how != (i == 0 ? ',' : '\0'))
			return false;
		bits[i] = k;
		how++;
	}
	return true;
}

static int
made_new(struct made *m, const struct dp_let *l, char why[static DP_LET_WHY])
{
	size_t i;

	m->from = l->from;
	if (l->pattern)
		return dp_cut_new_part(&m->cut, l->how, &m->group, why);
	for (i = 0; i < WAYS; i++)
		if (strcmp(l->how, ways[i].name) == 0)
			m->how = ways[i].how;
	if (m->how == NULL && network(l->how, m->bits))
		m->how = net;
	if (m->how == NULL && dp_unit_find(&m->unit, l->how))
		m->how = in_unit;
	if (m->how != NULL)
		return 0;
	snprintf(why, DP_LET_WHY, "'%.40s' is none of page (a path without its query), host "
	    "(without its port), domain (of a URL), first (of a list), trim (without blanks at its "
	    "ends), lower (in small letters), /24,/64 (the network of an address: bits of "
	    "IPv4, of IPv6), and units (ms, kB, KiB, number, %%, $, EUR: a number in them)",
	    l->how);
	return DP_ESYNTAX;
}

int
dp_lets_new(struct dp_lets **out, const struct dp_ask_form *f, char why[static DP_LET_WHY])
{
	const struct dp_let *l = f->lets.made;
	struct dp_lets *k = calloc(1, sizeof *k);
	int e = k == NULL ? DP_ENOMEM : 0;

	*why = '\0';
	for (; e == 0 && k->n < f->lets.n; k->n++) {
		k->made[k->n].digits = f->digits;
		e = made_new(&k->made[k->n], &l[k->n], why);
	}
	if (e == 0)
		*out = k;
	else
		dp_lets_free(k);
	return e;
}

void
dp_lets_free(struct dp_lets *k)
{
	unsigned i;

	for (i = 0; k != NULL && i < DP_LETS_MAX; i++) {
		dp_cut_free(k->made[i].cut);
		dp_buf_free(&k->made[i].small);
	}
	free(k);
}

struct dp_field *
dp_lets_field(struct dp_lets *k, unsigned i)
{
	return &k->made[i].from;
}

/* The text of a pattern's group; empty: it does not match, or the group has no part in it. */
static int
grouped(struct made *m, struct dp_slice text, struct dp_slice *out)
{
	int hit;

	m->record.text = text;
	if ((hit = dp_cut_record(m->cut, &m->record)) < 0)
		return hit;
	*out = hit == 1 && m->record.field[m->group].p != NULL ? m->record.field[m->group] :
	    nothing;
	return 0;
}

int
dp_lets_make(struct dp_lets *k, struct dp_record *r)
{
	struct made *m;
	unsigned i;
	int e;

	for (i = r->nfields + 1; i <= DP_FIELDS_MAX; i++)
		r->field[i] = (struct dp_slice){ NULL, 0 };
	r->nfields = DP_FIELDS_MAX + k->n;
	for (i = 0; i < k->n; i++) {
		m = &k->made[i];
		r->field[DP_FIELDS_MAX + 1 + i] = r->field[m->from.number];
		if (r->field[m->from.number].p == NULL)
			continue;
		if (m->cut == NULL) {
			r->field[DP_FIELDS_MAX + 1 + i] = m->how(m, r->field[m->from.number]);
			if ((e = m->small.error) != 0)
				return e;
		} else if ((e = grouped(m, r->field[m->from.number],
		    &r->field[DP_FIELDS_MAX + 1 + i])) != 0)
			return e;
	}
	return 0;
}
