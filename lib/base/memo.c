#include <stdlib.h>
#include <string.h>

#include "memo.h"

struct dp_memo_entry {
	struct dp_memo_entry *before;
	void *key, *value;
	size_t size;
};

const void *
dp_memo_find(const struct dp_memo *m, const void *key, size_t size)
{
	const struct dp_memo_entry *e = m != NULL ? m->last : NULL;

	while (e != NULL && (e->size != size || memcmp(e->key, key, size) != 0))
		e = e->before;
	return e != NULL ? e->value : NULL;
}

static void
drop(struct dp_memo_entry *e)
{
	free(e->key);
	free(e->value);
	free(e);
}

void
dp_memo_keep(struct dp_memo *m, const void *key, size_t size, const void *value, size_t n)
{
	struct dp_memo_entry *e;

	if (m == NULL || (e = calloc(1, sizeof *e)) == NULL)
		return;
	*e = (struct dp_memo_entry){ m->last, malloc(size), malloc(n), size };
	if (e->key == NULL || e->value == NULL) {
		drop(e);
		return;
	}
	memcpy(e->key, key, size);
	memcpy(e->value, value, n);
	m->last = e;
}

void
dp_memo_free(struct dp_memo *m)
{
	struct dp_memo_entry *e;

	while ((e = m->last) != NULL) {
		m->last = e->before;
		drop(e);
	}
}
