/* SPDX-License-Identifier: ISC */
/* t_doc.c - a document: what is written is read again, and no other text is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "check.h"

static const char *const kinds[] = { "bucket", "line", "user" };

struct all {
	bool flag, has;
	uint64_t u, few;
	struct dp_q q;
	unsigned kind;
	char *text, *empty, *none, *odd, chars[8];
	char **list;
	size_t n;
};

static void
all(struct dp_doc *d, struct all *a)
{
	dp_doc_is(d, "dputils-job", "1");
	dp_doc_section(d, "unit");
	dp_doc_flag(d, "flag", &a->flag);
	dp_doc_u64(d, "u", &a->u, 0, UINT64_MAX);
	dp_doc_u64(d, "few", &a->few, 1, 9);
	dp_doc_q(d, "q", &a->q);
	if (dp_doc_optional(d, "kind", &a->has))
		dp_doc_enum(d, "kind", &a->kind, kinds, 3);
	dp_doc_section(d, "noise");
	dp_doc_text(d, "text", &a->text);
	dp_doc_text(d, "empty", &a->empty);
	dp_doc_text(d, "none", &a->none);
	dp_doc_text(d, "odd", &a->odd);
	dp_doc_chars(d, "chars", a->chars, sizeof a->chars);
	dp_doc_list(d, "list", &a->list, &a->n, 10);
	dp_doc_end(d);
}

static void
free_all(struct all *a)
{
	free(a->text);
	free(a->empty);
	free(a->none);
	free(a->odd);
	free(a->list);
}

static char text[] = "a %, -", empty[] = "", odd[] = "\x01\xff\n\"\"", quotes[] = "\"\"",
    minus[] = "-", *names[] = { minus, empty, quotes, text };

static const char spelled[] =
    "dputils-job 1\n[unit]\nflag 1\nu 18446744073709551615\nfew 3\nq 1/3\nkind line\n[noise]\n"
    "text a %25, -\nempty \"\"\nnone -\nodd %01%ff%0a\"\"\nchars abcdefg\n"
    "list %2d,\"\",%22%22,a %25%2c -\n[end]\n";

static struct all
made(void)
{
	return (struct all){ .flag = true, .has = true, .u = UINT64_MAX, .few = 3, .q = { 1, 3 },
	    .kind = 1, .text = text, .empty = empty, .odd = odd, .chars = "abcdefg",
	    .list = names, .n = 4 };
}

static struct dp_slice
slice(const char *p)
{
	return (struct dp_slice){ p, strlen(p) };
}

/* Each struct is read from the text that it was written to, and equals only that. */
static void
round_trip(void)
{
	struct dp_buf b = { .n = 0 }, again = { .n = 0 };
	struct all a = made(), back;
	struct dp_doc d = dp_doc_writer(&b);
	char why[DP_DOC_WHY];

	all(&d, &a);
	check(dp_doc_error(&d, why) == 0 && b.n == strlen(spelled) &&
	    memcmp(b.p, spelled, b.n) == 0);
	memset(&back, 0xa5, sizeof back);	/* a reader looks at none of it */
	d = dp_doc_reader((struct dp_slice){ b.p, b.n });
	all(&d, &back);
	check(dp_doc_error(&d, why) == 0 && back.none == NULL && *back.empty == '\0' &&
	    strcmp(back.odd, odd) == 0 && back.n == 4 && strcmp(back.list[3], text) == 0);
	d = dp_doc_writer(&again);
	all(&d, &back);
	check(again.n == b.n && memcmp(again.p, b.p, b.n) == 0);
	d = dp_doc_comparer((struct dp_slice){ b.p, b.n });
	all(&d, &back);
	check(dp_doc_error(&d, why) == 0);
	back.few = 4;
	d = dp_doc_comparer((struct dp_slice){ b.p, b.n });
	all(&d, &back);
	check(dp_doc_error(&d, why) == DP_ESTATE && d.fault == DP_DOC_DIFFERS &&
	    strcmp(why, "'few' differs") == 0 && strncmp(d.found.p, "3\n", d.found.n + 1) == 0);
	free_all(&back);
	dp_buf_free(&b);
	dp_buf_free(&again);
}

/* The spelled text with one line in another's place. */
static enum dp_doc_fault
fault_of(const char *key, const char *line, char where[static DP_DOC_KEY])
{
	struct all a = { .n = 0 };
	struct dp_doc d;
	char *whole = malloc(sizeof spelled + strlen(line)), start[DP_DOC_KEY + 2];
	const char *at, *nl;

	snprintf(start, sizeof start, "\n%s", key);
	at = strncmp(spelled, key, strlen(key)) == 0 ? spelled : strstr(spelled, start) + 1;
	nl = strchr(at, '\n') + 1;
	sprintf(whole, "%.*s%s%s", (int)(at - spelled), spelled, line, nl);
	d = dp_doc_reader(slice(whole));
	all(&d, &a);
	free_all(&a);
	free(whole);
	memcpy(where, d.key, DP_DOC_KEY);
	return d.fault;
}

static void
refused(void)
{
	static const struct {
		const char *key, *line, *where;
		enum dp_doc_fault fault;
	} bad[] = {
		{ "dputils-job ", "dputils-job 2\n", "dputils-job", DP_DOC_DIFFERS },
		{ "dputils-job ", "", "dputils-job", DP_DOC_MISSING },
		{ "[unit]", "", "flag", DP_DOC_REST },
		{ "[unit]", "[unix]\n", "[unix]", DP_DOC_REST },
		{ "[noise]", "later 1\n[noise]\n", "later", DP_DOC_REST },
		{ "[end]", "", "[end]", DP_DOC_MISSING },
		{ "[end]", "[end]\nmore 1\n", "[end]", DP_DOC_REST },
		{ "[end]", "[end]", "[end]", DP_DOC_MISSING },
		{ "flag", "flag 2\n", "flag", DP_DOC_MALFORMED },
		{ "u ", "u 00\n", "u", DP_DOC_MALFORMED },
		{ "u ", "u 18446744073709551616\n", "u", DP_DOC_MALFORMED },
		{ "u ", "u 99999999999999999999\n", "u", DP_DOC_MALFORMED },
		{ "u ", "u +1\n", "u", DP_DOC_MALFORMED },
		{ "u ", "u  1\n", "u", DP_DOC_MALFORMED },
		{ "u ", "u \n", "u", DP_DOC_MALFORMED },
		{ "u ", "u\n", "u", DP_DOC_MISSING },
		{ "u ", "v 1\n", "u", DP_DOC_MISSING },
		{ "u ", "v 1\nu 1\n", "v", DP_DOC_REST },
		{ "u ", "u 1\nu 1\n", "u", DP_DOC_REST },
		{ "few", "few 0\n", "few", DP_DOC_MALFORMED },
		{ "few", "few 10\n", "few", DP_DOC_MALFORMED },
		{ "q ", "q 2/6\n", "q", DP_DOC_MALFORMED },
		{ "q ", "q 1/0\n", "q", DP_DOC_MALFORMED },
		{ "q ", "q 1\n", "q", DP_DOC_MALFORMED },
		{ "q ", "q 1/3/1\n", "q", DP_DOC_MALFORMED },
		{ "kind ", "kind lines\n", "kind", DP_DOC_MALFORMED },
		{ "text", "text \n", "text", DP_DOC_MALFORMED },
		{ "text", "text %41\n", "text", DP_DOC_MALFORMED },
		{ "text", "text %00\n", "text", DP_DOC_MALFORMED },
		{ "text", "text %2\n", "text", DP_DOC_MALFORMED },
		{ "text", "text %2C\n", "text", DP_DOC_MALFORMED },
		{ "text", "text \xc3\xa4\n", "text", DP_DOC_MALFORMED },
		{ "chars", "chars abcdefgh\n", "chars", DP_DOC_MALFORMED },
		{ "chars", "chars -\n", "chars", DP_DOC_MALFORMED },
		{ "list", "list a,\n", "list", DP_DOC_MALFORMED },
		{ "list", "list a,-\n", "list", DP_DOC_MALFORMED },
		{ "list", "list 1,2,3,4,5,6,7,8,9,10,11\n", "list", DP_DOC_MALFORMED },
	};
	char where[DP_DOC_KEY];
	size_t i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		check(fault_of(bad[i].key, bad[i].line, where) == bad[i].fault &&
		    strcmp(where, bad[i].where) == 0);
		if (strcmp(where, bad[i].where) != 0)
			fprintf(stderr, "%s: %s\n", bad[i].line, where);
	}
	check(fault_of("kind ", "", where) == DP_DOC_GOOD);
	check(fault_of("list", "list -\n", where) == DP_DOC_GOOD);
}

/* A text cut off anywhere is refused, and so is one with a NUL in it. */
static void
cut(void)
{
	char copy[sizeof spelled];
	struct all a;
	struct dp_doc d;
	size_t i;

	for (i = 0; i < strlen(spelled); i++) {
		a = (struct all){ .n = 0 };
		d = dp_doc_reader((struct dp_slice){ spelled, i });
		all(&d, &a);
		check(d.fault != DP_DOC_GOOD);
		free_all(&a);
	}
	for (i = 0; i < strlen(spelled); i++) {
		a = (struct all){ .n = 0 };
		memcpy(copy, spelled, sizeof copy);
		copy[i] = '\0';
		d = dp_doc_reader((struct dp_slice){ copy, strlen(spelled) });
		all(&d, &a);
		check(d.fault != DP_DOC_GOOD);
		free_all(&a);
		a = made();
		d = dp_doc_comparer((struct dp_slice){ copy, strlen(spelled) });
		all(&d, &a);
		check(d.fault != DP_DOC_GOOD);
	}
}

static bool
is_compared(const void *key, const char *this)
{
	return strcmp(key, this) == 0;
}

/* A reader compares what its caller knows, and reads the rest. */
static void
known(void)
{
	struct all a = { .u = 5 };
	struct dp_doc d = dp_doc_reader(slice(spelled));

	d.compares = is_compared;
	d.arg = "u";
	all(&d, &a);
	check(d.fault == DP_DOC_DIFFERS && strcmp(d.key, "u") == 0 && d.found.n == 20 && a.flag &&
	    a.q.den == 0 && a.text == NULL);
	a = (struct all){ .u = UINT64_MAX };
	d = dp_doc_reader(slice(spelled));
	d.compares = is_compared;
	d.arg = "u";
	all(&d, &a);
	check(d.fault == DP_DOC_GOOD && a.few == 3);
	free_all(&a);
	a = (struct all){ .has = false };
	d = dp_doc_reader(slice(spelled));
	d.compares = is_compared;
	d.arg = "kind";
	all(&d, &a);
	check(d.fault == DP_DOC_DIFFERS && strcmp(d.key, "kind") == 0);
}

/* 10^5 keys: a value of 900 KB. */
static void
long_list(void)
{
	static char key[100000][24], *list[100000];
	struct dp_buf b = { .n = 0 };
	struct dp_doc d = dp_doc_writer(&b);
	char **back = NULL;
	size_t i, n = 100000;

	for (i = 0; i < n; i++) {
		snprintf(key[i], sizeof key[i], "k,%05zu", i);
		list[i] = key[i];
	}
	dp_doc_list(&d, "keys", &(char **){ list }, &n, n);
	check(b.n == 5 + 100000 * 10);
	d = dp_doc_reader((struct dp_slice){ b.p, b.n });
	n = 0;
	dp_doc_list(&d, "keys", &back, &n, 100000);
	check(d.fault == DP_DOC_GOOD && n == 100000 && strcmp(back[99999], "k,99999") == 0);
	d = dp_doc_comparer((struct dp_slice){ b.p, b.n });
	key[77777][6]++;
	dp_doc_list(&d, "keys", &(char **){ list }, &n, 100000);
	check(d.fault == DP_DOC_DIFFERS);
	free(back);
	dp_buf_free(&b);
}

int
main(void)
{
	round_trip();
	refused();
	cut();
	known();
	long_list();
	return done();
}
