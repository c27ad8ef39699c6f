/* audit_rows.c - outputs of runs to rows of numbers; texts are ranked once all are known. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit_rows.h"
#include "base/num.h"

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
