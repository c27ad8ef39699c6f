/* SPDX-License-Identifier: ISC */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "audit.h"

#define RIDGE	1e-9	/* of a variance: what two equal columns leave of the matrix */

/* P(X >= x), X binomial of n and p, 0 < p < 1, x >= 1; past the mean terms fall off fast. */
static double
tail_audit(uint64_t x, uint64_t n, double p)
{
	const double odds = log(p) - log1p(-p), N = (double)n;
	double term, sum = 0, most = 0;
	uint64_t i;

	for (i = x; i <= n; i++) {
		term = exp(lgamma(N + 1) - lgamma((double)i + 1) - lgamma(N - (double)i + 1) +
		    (double)i * odds + N * log1p(-p));
		sum += term;
		most = term > most ? term : most;
		if (term < most && term < 1e-18 * sum)
			break;
	}
	return sum;
}

/* The p at which x or more have probability alpha: the largest that is still too small. */
double
dp_audit_lower(uint64_t x, uint64_t n, double alpha)
{
	double lo = 0, hi = 1, p;
	int i;

	if (x == 0)
		return 0;
	for (i = 0; i < 60; i++) {
		p = (lo + hi) / 2;
		/* terms are good to 1e-11 or so: on the safe side */
		if (p > 0 && p < 1 && tail_audit(x, n, p) * (1 + 1e-9) <= alpha)
			lo = p;
		else
			hi = p;
	}
	return lo;
}

double
dp_audit_upper(uint64_t x, uint64_t n, double alpha)
{
	return 1 - dp_audit_lower(n - x, n, alpha);
}

struct side {
	const double *row[2];	/* of the runs on the two inputs */
	size_t n, k;
};

/* Fisher's direction w = (covariance within)^-1 (mean b - mean a), of the rows that choose. */
static void
means(const double *row, size_t n, size_t k, double *mean)
{
	size_t i, j;

	memset(mean, 0, k * sizeof *mean);
	for (i = 0; i < n; i += 2)
		for (j = 0; j < k; j++)
			mean[j] += row[i * k + j] / (double)((n + 1) / 2);
}

static void
scatter(const double *row, size_t n, size_t k, const double *mean, double *m)
{
	size_t i, j, l;

	for (i = 0; i < n; i += 2)
		for (j = 0; j < k; j++)
			for (l = 0; l <= j; l++)
				m[j * k + l] += (row[i * k + j] - mean[j]) *
				    (row[i * k + l] - mean[l]) / (double)n;
}

/* Cholesky: m (its lower half) w = w, in place; a column that never changes has no weight. */
static void
solve_audit(double *m, size_t k, double *w)
{
	size_t i, j, l;
	double s;

	for (j = 0; j < k; j++) {
		s = m[j * k + j] * (1 + RIDGE);
		for (l = 0; l < j; l++)
			s -= m[j * k + l] * m[j * k + l];
		m[j * k + j] = s > RIDGE * m[j * k + j] && s > 0 ? sqrt(s) : INFINITY;
		for (i = j + 1; i < k; i++) {
			s = m[i * k + j];
			for (l = 0; l < j; l++)
				s -= m[i * k + l] * m[j * k + l];
			m[i * k + j] = s / m[j * k + j];
		}
	}
	for (i = 0; i < k; i++) {
		for (l = 0; l < i; l++)
			w[i] -= m[i * k + l] * w[l];
		w[i] /= m[i * k + i];
	}
	for (i = k; i-- > 0; ) {
		for (l = i + 1; l < k; l++)
			w[i] -= m[l * k + i] * w[l];
		w[i] /= m[i * k + i];
	}
}

static int
direction(const struct side *s, double *w)
{
	double *m = calloc(s->k * s->k + 2 * s->k, sizeof *m), *mean = m + s->k * s->k;
	size_t i, j;

	if (m == NULL)
		return DP_ENOMEM;
	for (i = 0; i < 2; i++) {
		means(s->row[i], s->n, s->k, mean + i * s->k);
		scatter(s->row[i], s->n, s->k, mean + i * s->k, m);
	}
	for (j = 0; j < s->k; j++)
		w[j] = mean[s->k + j] - mean[j];
	solve_audit(m, s->k, w);
	free(m);
	return 0;
}

static int
by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * A rough estimate from a count of n, by normal quantiles z of both ends (Agresti and Coull): to
 * compare events only.
 */
static double
score(double likely, double unlikely, double n, double delta, double z)
{
	const double p = (likely + z * z / 2) / (n + z * z);
	const double q = (unlikely + z * z / 2) / (n + z * z);
	const double l = p - z * sqrt(p * (1 - p) / (n + z * z));
	const double u = q + z * sqrt(q * (1 - q) / (n + z * z));

	return l - delta > 0 ? log((l - delta) / u) : -INFINITY;
}

/* The best threshold of one statistic: x[0] and x[1], n values each, sorted. */
static void
best(double *const x[2], size_t n, double delta, double z, struct dp_audit *out, double *top)
{
	size_t i, at[2] = { 0, 0 }, c, f;
	double s, t;

	for (c = 0; c < 2; c++)
		qsort(x[c], n, sizeof **x, by_value);
	while (at[0] < n || at[1] < n) {
		t = at[1] == n || (at[0] < n && x[0][at[0]] <= x[1][at[1]]) ? x[0][at[0]] :
		    x[1][at[1]];
		for (c = 0; c < 2; c++) {	/* above: x >= t; then below: x <= t */
			for (f = 0; f < 2; f++) {
				s = c == 0 ? score((double)(n - at[f]), (double)(n - at[1 - f]),
				    (double)n, delta, z) :
				    score((double)at[f], (double)at[1 - f], (double)n, delta, z);
				if (s > *top) {
					*top = s;
					out->above = c == 0;
					out->first = f == 0;
					out->threshold = t;
					out->column = SIZE_MAX;	/* the caller's to set */
				}
			}
			for (i = 0; c == 0 && i < 2; i++)
				while (at[i] < n && x[i][at[i]] <= t)
					at[i]++;
		}
	}
}

/* The statistic of a row: number j, or with w their combination. */
static double
value(const double *row, size_t k, size_t j, const double *w)
{
	double s = 0;
	size_t i;

	if (w == NULL)
		return row[j];
	for (i = 0; i < k; i++)
		s += w[i] * row[i];
	return s;
}

static uint64_t
count(const struct side *s, size_t side, const struct dp_audit *e, const double *w)
{
	uint64_t n = 0;
	size_t i;
	double x;

	for (i = 1; i < s->n; i += 2) {
		x = value(s->row[side] + i * s->k, s->k, e->column, e->combined ? w : NULL);
		n += e->above ? x >= e->threshold : x <= e->threshold;
	}
	return n;
}

/* Tries every number, and their combination, on the rows that choose. */
static int
choose(const struct side *s, const double *w, double delta, double z, struct dp_audit *out)
{
	const size_t half = (s->n + 1) / 2;
	double *x = calloc(2 * half, sizeof *x), *const both[2] = { x, x + half };
	double top = -INFINITY;
	size_t i, j, c;

	if (x == NULL)
		return DP_ENOMEM;
	for (j = 0; j < s->k + (s->k > 1); j++) {
		for (c = 0; c < 2; c++)
			for (i = 0; i < half; i++)
				both[c][i] = value(s->row[c] + 2 * i * s->k, s->k, j,
				    j == s->k ? w : NULL);
		best(both, half, delta, z, out, &top);
		if (out->column == SIZE_MAX) {
			out->column = j == s->k ? 0 : j;
			out->combined = j == s->k;
		}
	}
	free(x);
	return 0;
}

int
dp_audit_bound(const double *a, const double *b, size_t n, size_t k, double delta, double alpha,
    struct dp_audit *out)
{
	const struct side s = { { a, b }, n, k };
	/* a normal quantile of alpha / 2, near enough to compare events by */
	const double z = sqrt(2 * log(1 / alpha)), l2 = alpha / 2;
	double *w, l, u;
	int e;

	memset(out, 0, sizeof *out);
	if ((w = calloc(k, sizeof *w)) == NULL)
		return DP_ENOMEM;
	if ((e = direction(&s, w)) == 0 && (e = choose(&s, w, delta, z, out)) == 0) {
		out->runs = n / 2;
		out->likely = count(&s, out->first ? 0 : 1, out, w);
		out->unlikely = count(&s, out->first ? 1 : 0, out, w);
		l = dp_audit_lower(out->likely, out->runs, l2) - delta;
		u = dp_audit_upper(out->unlikely, out->runs, l2);
		out->epsilon = l > u ? log(l / u) : 0;
	}
	free(w);
	return e;
}

/* Outputs of runs to rows of numbers; texts are ranked once all are known. */

#define WORDS_MAX	128		/* of an output */
#define TEXTS_MAX	1024		/* words that are no numbers */
#define BETWEEN		" \t\r\n,"	/* words */

struct text {
	char *text;
	uint64_t seen[2];	/* by the runs that choose the event, on each input */
};

struct word {
	double x;
	bool text;		/* x is a place in texts[] */
};

struct dp_audit_rows {
	uint64_t runs;
	size_t width;		/* 0: no run has come */
	struct word *word[2];	/* runs rows of each input */
	bool *texts_in;		/* by column */
	struct text *texts;	/* TEXTS_MAX of them, */
	size_t ntexts;		/* so many in use */
};

int
dp_audit_rows_new(struct dp_audit_rows **out, uint64_t runs)
{
	struct dp_audit_rows *r = calloc(1, sizeof *r);

	if (r == NULL)
		return DP_ENOMEM;
	r->runs = runs;
	*out = r;
	return 0;
}

void
dp_audit_rows_free(struct dp_audit_rows *r)
{
	if (r == NULL)
		return;
	while (r->ntexts > 0)
		free(r->texts[--r->ntexts].text);
	free(r->texts);
	free(r->texts_in);
	free(r->word[0]);
	free(r->word[1]);
	free(r);
}

static size_t
count_words(const char *s)
{
	size_t n = 0;

	for (; *(s += strspn(s, BETWEEN)) != '\0'; s += strcspn(s, BETWEEN))
		n++;
	return n;
}

/* Makes rows as wide as the first run's output. */
static int
make_rows(struct dp_audit_rows *r, size_t words)
{
	const size_t width = DP_AUDIT_WORD + (words < WORDS_MAX ? words : WORDS_MAX);

	r->word[0] = calloc(r->runs * width, sizeof **r->word);
	r->word[1] = calloc(r->runs * width, sizeof **r->word);
	r->texts_in = calloc(width, 1);
	r->texts = calloc(TEXTS_MAX, sizeof *r->texts);
	if (r->word[0] == NULL || r->word[1] == NULL || r->texts_in == NULL || r->texts == NULL)
		return DP_ENOMEM;
	r->width = width;
	return 0;
}

/* A text's place; counted if the run is one of those that choose. */
static int
text_word(struct dp_audit_rows *r, const char *word, unsigned side, bool chooses, struct word *w)
{
	size_t i;

	for (i = 0; i < r->ntexts && strcmp(r->texts[i].text, word) != 0; i++)
		;
	if (i == TEXTS_MAX) {
		*w = (struct word){ 0, false };		/* one of many: all are alike */
		return 0;
	}
	if (i == r->ntexts) {
		if ((r->texts[i].text = strdup(word)) == NULL)
			return DP_ENOMEM;
		r->ntexts++;
	}
	r->texts[i].seen[side] += chooses;
	*w = (struct word){ (double)i, true };
	return 0;
}

static int
read_words(struct dp_audit_rows *r, char *s, unsigned side, bool chooses, struct word *row)
{
	char *end, *rest;
	size_t c;
	int e;

	for (c = DP_AUDIT_WORD; c < r->width && *(s += strspn(s, BETWEEN)) != '\0'; c++) {
		end = s + strcspn(s, BETWEEN);
		if (*end != '\0')
			*end++ = '\0';
		row[c].x = (double)dp_real_read(s, &rest);
		if (*rest != '\0' || !isfinite(row[c].x)) {
			if ((e = text_word(r, s, side, chooses, &row[c])) != 0)
				return e;
			r->texts_in[c] = true;
		}
		s = end;
	}
	return 0;
}

int
dp_audit_rows_add(struct dp_audit_rows *r, unsigned side, uint64_t run, int status, size_t said,
    char *output)
{
	const size_t words = count_words(output);
	struct word *row;
	int e;

	if (r->width == 0 && (e = make_rows(r, words)) != 0)
		return e;
	row = r->word[side] + run * r->width;
	row[DP_AUDIT_STATUS].x = status;
	row[DP_AUDIT_SAID].x = (double)said;
	row[DP_AUDIT_WORDS].x = (double)words;
	return read_words(r, output, side, run % 2 == 0, row);
}

bool
dp_audit_rows_silent(const struct dp_audit_rows *r)
{
	uint64_t i;
	int side;

	for (side = 0; side < 2 && r->width != 0; side++)
		for (i = 0; i < r->runs; i++)
			if (r->word[side][i * r->width + DP_AUDIT_WORDS].x != 0)
				return false;
	return true;
}

size_t
dp_audit_rows_width(const struct dp_audit_rows *r)
{
	return r->width;
}

bool
dp_audit_rows_texts(const struct dp_audit_rows *r, size_t column)
{
	return r->texts_in[column];
}

double *
dp_audit_rows_numbers(const struct dp_audit_rows *r, unsigned side)
{
	double *x = calloc(r->runs * r->width, sizeof *x);
	const struct text *t;
	size_t i;

	for (i = 0; x != NULL && i < r->runs * r->width; i++) {
		x[i] = r->word[side][i].x;
		if (!r->word[side][i].text)
			continue;
		t = &r->texts[(size_t)x[i]];
		x[i] = ((double)t->seen[1] - (double)t->seen[0]) /
		    (double)(t->seen[0] + t->seen[1] + 1);
	}
	return x;
}
