/* SPDX-License-Identifier: ISC */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "memo.h"

struct dp_memo_entry {
	struct dp_memo_entry *before;
	void *key, *value;
	size_t size;
	void (*drop)(void *);		/* of the value */
};

const void *
dp_memo_find(const struct dp_memo *m, const void *key, size_t size)
{
	const struct dp_memo_entry *e = m != NULL ? m->last : NULL;

	while (e != NULL && (e->size != size || memcmp(e->key, key, size) != 0))
		e = e->before;
	return e != NULL ? e->value : NULL;
}

void
dp_memo_give(struct dp_memo *m, const void *key, size_t size, void *value, void (*drop)(void *))
{
	struct dp_memo_entry *e = m != NULL ? calloc(1, sizeof *e) : NULL;

	if (e == NULL || (e->key = malloc(size)) == NULL) {
		free(e);
		drop(value);
		return;
	}
	memcpy(e->key, key, size);
	e->size = size;
	e->value = value;
	e->drop = drop;
	e->before = m->last;
	m->last = e;
}

void
dp_memo_keep(struct dp_memo *m, const void *key, size_t size, const void *value, size_t n)
{
	void *copy = m != NULL ? malloc(n) : NULL;

	if (copy == NULL)
		return;
	memcpy(copy, value, n);
	dp_memo_give(m, key, size, copy, free);
}

void
dp_memo_free(struct dp_memo *m)
{
	struct dp_memo_entry *e;

	while ((e = m->last) != NULL) {
		m->last = e->before;
		e->drop(e->value);
		free(e->key);
		free(e);
	}
}
