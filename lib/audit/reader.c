/* reader.c - lines and words of a plan. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "reader.h"

bool
audit_good(const struct reader *r)
{
	return r->v->is != DP_VERDICT_MALFORMED;
}

void
audit_refuse(struct reader *r, enum dp_verdict_is is, const char *why)
{
	if (r->v->is != DP_VERDICT_HOLDS && (is != DP_VERDICT_MALFORMED || !audit_good(r)))
		return;
	r->v->is = is;
	if (is == DP_VERDICT_MALFORMED)
		snprintf(r->v->why, sizeof r->v->why, "line %u: %s", r->number, why);
	else
		snprintf(r->v->why, sizeof r->v->why, "%s", why);
}

/* To the next line that is no comment; false: there is none. */
bool
audit_next_line(struct reader *r)
{
	if (r->bound && r->line != r->stop)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a line is too long");
	do {
		if (r->at == r->end)
			return false;
		r->line = r->at;
		r->stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
		r->number++;
		if (r->stop == NULL) {
			r->at = r->stop = r->end;
			r->cut = true;
			return false;
		}
		r->at = r->stop + 1;
	} while (*r->line == '#');
	r->read++;
	return true;
}

bool
audit_word(struct reader *r, char *to, size_t size)
{
	size_t n = 0;

	/* in one spelling: between words there is one blank */
	while (r->line < r->stop && *r->line == ' ') {
		r->line++;
		if (r->bound)
			break;
	}
	while (r->line + n < r->stop && r->line[n] > ' ' && r->line[n] <= '~')
		n++;
	if (n == 0 || n >= size)
		return false;
	memcpy(to, r->line, n);
	to[n] = '\0';
	r->line += n;
	return true;
}

/* The line is this word, and what follows it. */
bool
audit_is(struct reader *r, const char *name)
{
	const size_t n = strlen(name);

	if ((size_t)(r->stop - r->line) < n || memcmp(r->line, name, n) != 0 ||
	    (r->line[n] != ' ' && r->line[n] != '\n'))
		return false;
	r->line += n;
	return true;
}

static bool
digits(const struct reader *r, const char *s)
{
	return *s != '\0' && strspn(s, "0123456789") == strlen(s) &&
	    !(r->bound && s[0] == '0' && s[1] != '\0');
}

uint64_t
audit_whole(struct reader *r, uint64_t most)
{
	char text[24];
	unsigned long long n = 0;

	if (!audit_word(r, text, sizeof text) || !digits(r, text) || strlen(text) > 19 ||
	    (n = strtoull(text, NULL, 10)) > most) {
		audit_refuse(r, DP_VERDICT_MALFORMED, "a whole number is wrong");
		n = 0;
	}
	return n;
}

int64_t
audit_signed(struct reader *r)
{
	char text[24];
	long long n = 0;

	if (audit_word(r, text, sizeof text) && strlen(text) < 19 &&
	    digits(r, text + (text[0] == '-')) &&
	    !(r->bound && strcmp(text, "-0") == 0))
		n = strtoll(text, NULL, 10);
	else
		audit_refuse(r, DP_VERDICT_MALFORMED, "a whole number is wrong");
	return n;
}

uint64_t
audit_word_64(struct reader *r)
{
	uint64_t n = 0;
	mpz_t z;

	mpz_init(z);
	audit_integer(r, z);
	if (mpz_sizeinbase(z, 2) > 64)
		audit_refuse(r, DP_VERDICT_MALFORMED, "a whole number is wrong");
	else
		n = mpz_get_ui(z);
	mpz_clear(z);
	return n;
}

static void
number(struct reader *r, mpz_t z, int base)
{
	const char *of = base == 16 ? "0123456789abcdef" : "0123456789";
	char text[80];

	if (!audit_word(r, text, sizeof text) || strspn(text, of) != strlen(text) ||
	    (base == 16 && strlen(text) != 64) ||
	    (base == 10 && !digits(r, text)) || mpz_set_str(z, text, base) != 0 ||
	    mpz_sgn(z) == 0) {
		mpz_set_ui(z, 1);
		audit_refuse(r, DP_VERDICT_MALFORMED, "a whole number is wrong");
	}
}

void
audit_integer(struct reader *r, mpz_t z)
{
	number(r, z, 10);
}

void
audit_word_256(struct reader *r, mpz_t z)
{
	number(r, z, 16);
}

/* NUM/DEN, positive; its text stays in `text' */
void
audit_rational(struct reader *r, mpq_t q, char text[static 64])
{
	char *slash;

	if (!audit_word(r, text, 64) || (slash = strchr(text, '/')) == NULL) {
		mpq_set_ui(q, 1, 1);
		audit_refuse(r, DP_VERDICT_MALFORMED, "a ratio is wrong");
		return;
	}
	*slash = '\0';
	if (!digits(r, text) || !digits(r, slash + 1) ||
	    mpz_set_str(mpq_numref(q), text, 10) != 0 ||
	    mpz_set_str(mpq_denref(q), slash + 1, 10) != 0 || mpz_sgn(mpq_numref(q)) == 0 ||
	    mpz_sgn(mpq_denref(q)) == 0) {
		mpq_set_ui(q, 1, 1);
		audit_refuse(r, DP_VERDICT_MALFORMED, "a ratio is wrong");
	} else
		mpq_canonicalize(q);
	*slash = '/';
}

/* 0x1, and at most 13 digits behind a point: a double has all of it. */
static bool
of_53_bits(const char *text)
{
	return strncmp(text, "0x1", 3) == 0 && (text[3] == 'p' ||
	    (text[3] == '.' && strspn(text + 4, "0123456789abcdef") <= 13));
}

double
audit_real(struct reader *r)
{
	char text[40] = "", again[40], *end = text;
	double v = 0;

	if (audit_word(r, text, sizeof text) && of_53_bits(text))
		v = (double)dp_real_read(text, &end);
	snprintf(again, sizeof again, "%a", v);
	if (*end != '\0' || (r->bound && strcmp(text, again) != 0) ||
	    !(v >= 0x1p-1022 && v <= 0x1p1000)) {
		audit_refuse(r, DP_VERDICT_MALFORMED, "a number of a table is wrong");
		return 1;
	}
	return v;
}
