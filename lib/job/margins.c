/* SPDX-License-Identifier: ISC */
/* margins.c - totals of a table: names, and the keys that each one sums. */
#include <csv.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "stat/margins.h"
#include "internal.h"
#include "table.h"

#define ALL	"*"		/* in the place of a field that is summed over */

static void *
room_of(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (p == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	return p;
}

static size_t
add_total(struct dp_margins *m, const char *name, size_t length)
{
	char text[DP_SHOWN_TEXT];

	if (m->n == DP_KEYS_MAX)
		dp_die(DP_EX_USAGE, "--margins: more than %d totals", DP_KEYS_MAX);
	if ((m->n & (m->n - 1)) == 0)		/* room for twice as many */
		m->name = realloc(m->name, (m->n == 0 ? 1 : 2 * m->n) * sizeof *m->name);
	if (m->name == NULL || (m->name[m->n] = strndup(name, length)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (length > DP_KEY_MAX)
		dp_die(DP_EX_USAGE, "--margins: the name of the total '%s' is longer than %d bytes",
		    dp_shown(text, name, length), DP_KEY_MAX);
	return m->n++;
}

/* ---- several fields: each of them, and each set of them, summed over ---- */

/* A key as one of its totals has it. */
struct part {
	char *name;
	size_t key;
};

static int
by_name(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	const int order = strcmp(x->name, y->name);

	return order != 0 ? order : x->key < y->key ? -1 : x->key > y->key;
}

static int
by_key(const void *a, const void *b)
{
	const struct part *x = *(struct part *const *)a, *y = *(struct part *const *)b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* The key with a * for each field whose bit is set, the last field's being the lowest. */
static char *
summed(const struct dp_ask_keys *keys, const char *key, unsigned over)
{
	char text[DP_SHOWN_TEXT], *name = room_of(strlen(key) + 2 * DP_KEY_FIELDS, 1), *p = name;
	unsigned field = keys->more;
	size_t n;

	for (;; field--, key += n + 1) {
		n = strcspn(key, "/");
		if ((key[n] == '\0') != (field == 0) || (n == 1 && *key == *ALL))
			dp_die(DP_EX_USAGE, "--margins: the key '%s' %s", dp_shown(text, key,
			    strlen(key)), n == 1 && *key == *ALL ? "has a field *, which is what "
			    "totals have" : "does not say which field is which: a text has a /");
		if (over >> field & 1)
			p = stpcpy(p, ALL);
		else {
			memcpy(p, key, n);
			p += n;
		}
		if (field == 0)
			return name;
		*p++ = '/';
	}
}

/* The totals over the fields of `over', in the order of their first keys. */
static void
total_over(struct dp_margins *m, const struct dp_ask_keys *keys, size_t cells, unsigned over,
    size_t *used)
{
	struct part *part = room_of(cells, sizeof *part), **group = room_of(cells, sizeof *group);
	size_t groups = 0, i, at;

	for (i = 0; i < cells; i++)
		part[i] = (struct part){ summed(keys, keys->name[i], over), i };
	qsort(part, cells, sizeof *part, by_name);
	for (i = 0; i < cells; i++)
		if (i == 0 || strcmp(part[i - 1].name, part[i].name) != 0)
			group[groups++] = &part[i];
	qsort(group, groups, sizeof *group, by_key);
	for (i = 0; i < groups; i++) {
		struct part *p = group[i], *end = part + cells;

		at = add_total(m, p->name, strlen(p->name));
		m->first = reallocarray(m->first, at + 2, sizeof *m->first);
		if (m->first == NULL)
			dp_die(DP_EX_SYSTEM, "out of memory");
		for (m->first[at] = *used; p < end && strcmp(p->name, group[i]->name) == 0; p++)
			m->key[(*used)++] = p->key;
		m->first[at + 1] = *used;
	}
	for (i = 0; i < cells; i++)
		free(part[i].name);
	free(part);
	free(group);
}

/* True: keys are in the order of --keys=A,B/C,D, and all of them are there. */
static bool
whole_table(struct dp_margins *m, size_t cells)
{
	size_t i, j;

	m->columns = m->n > 1 ? m->first[1] - m->first[0] : 0;
	if (m->columns == 0 || cells % m->columns != 0)
		return false;
	m->rows = cells / m->columns;
	if (m->n != m->rows + m->columns + 1)
		return false;
	for (i = 0; i < m->rows + m->columns; i++)
		for (j = m->first[i]; j < m->first[i + 1]; j++)
			if ((i < m->rows ? m->key[j] / m->columns : m->rows + m->key[j] %
			    m->columns) != i)
				return false;
	return true;
}

static void
total_fields(struct dp_margins *m, const struct dp_ask_keys *keys)
{
	const size_t cells = keys->n - (keys->other != NULL);
	const unsigned all = (1u << (keys->more + 1)) - 1;
	unsigned fields, over;
	size_t used = 0;

	m->key = room_of(keys->n * (all + 1), sizeof *m->key);
	for (fields = 1; fields <= keys->more + 1; fields++)
		for (over = 1; over <= all; over++)
			if ((unsigned)__builtin_popcount(over) == fields)
				total_over(m, keys, cells, over, &used);
	if (keys->other != NULL) {		/* of the total of all alone */
		m->key[used++] = cells;
		m->first[m->n] = used;
	}
	m->form = keys->more == 1 && whole_table(m, cells) ? DP_MARGINS_TABLE : DP_MARGINS_SUMS;
}

/* ---- one field: all keys, or a hierarchy of them ---- */

/* Rows child,parent of a file. */
struct rows {
	const char *path;
	char **text;		/* children and parents in turn */
	size_t n, line;		/* rows, without the header */
	bool headed;		/* the first row was child,parent */
};

static void
take_text(void *s, size_t n, void *rows)
{
	struct rows *r = rows;

	if ((r->n & (r->n - 1)) == 0)
		r->text = realloc(r->text, (r->n == 0 ? 1 : 2 * r->n) * sizeof *r->text);
	if (r->text == NULL || (r->text[r->n++] = strndup(s == NULL ? "" : s, n)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
}

static void
forget_rows(struct rows *r)
{
	while (r->n > 0)
		free(r->text[--r->n]);
	free(r->text);
	r->text = NULL;
}

static void
take_row(int end, void *rows)
{
	struct rows *r = rows;

	(void)end;
	if (r->line == 0 && !r->headed && r->n == 2 && strcmp(r->text[0], "child") == 0 &&
	    strcmp(r->text[1], "parent") == 0) {
		r->headed = true;
		forget_rows(r);
		return;
	}
	r->line++;
	if (r->n != 2 * r->line || *r->text[r->n - 1] == '\0')
		dp_die(DP_EX_USAGE, "--hierarchy: %s: row %zu is not child,parent", r->path,
		    r->line + r->headed);
}

static void
read_rows(struct rows *r)
{
	FILE *fp = fopen(r->path, "re");
	struct csv_parser csv;
	char block[4096];
	bool good = true;
	size_t n;

	if (fp == NULL)
		dp_options_bad_file("hierarchy", r->path);
	if (csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	while (good && (n = fread(block, 1, sizeof block, fp)) > 0)
		good = csv_parse(&csv, block, n, take_text, take_row, r) == n;
	if (!good || csv_fini(&csv, take_text, take_row, r) != 0)
		dp_die(DP_EX_USAGE, "--hierarchy: %s: row %zu is no CSV", r->path,
		    r->line + r->headed + 1);
	csv_free(&csv);
	if (!feof(fp) || fclose(fp) != 0)
		dp_options_bad_file("hierarchy", r->path);
	if (r->n == 0)
		dp_die(DP_EX_USAGE, "--hierarchy: %s: no rows", r->path);
}

/* The node of a name: keys, and totals that are there; SIZE_MAX: none. */
static size_t
node_of(const struct part *sorted, size_t n, const char *name)
{
	const struct part want = { (char *)(uintptr_t)name, 0 };
	size_t lo = 0, hi = n, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (by_name(&sorted[mid], &want) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && strcmp(sorted[lo].name, name) == 0 ? sorted[lo].key : SIZE_MAX;
}

/* Parents become totals in the order of the file; returns all nodes, by their names. */
static struct part *
name_nodes(struct dp_margins *m, const struct dp_ask_keys *keys, const struct rows *r)
{
	const size_t pairs = r->n / 2;
	struct part *parent = room_of(pairs, sizeof *parent), **group, *node;
	size_t groups = 0, i;
	char text[DP_SHOWN_TEXT];

	group = room_of(pairs, sizeof *group);
	for (i = 0; i < pairs; i++)
		parent[i] = (struct part){ r->text[2 * i + 1], i };
	qsort(parent, pairs, sizeof *parent, by_name);
	for (i = 0; i < pairs; i++)
		if (i == 0 || strcmp(parent[i - 1].name, parent[i].name) != 0)
			group[groups++] = &parent[i];
	qsort(group, groups, sizeof *group, by_key);
	node = room_of(keys->n + groups, sizeof *node);
	for (i = 0; i < keys->n; i++)
		node[i] = (struct part){ keys->name[i], i };
	for (i = 0; i < groups; i++) {
		if (strcmp(group[i]->name, ALL) == 0)
			dp_die(DP_EX_USAGE, "--hierarchy: %s: the name * is that of the total of "
			    "all", r->path);
		(void)add_total(m, group[i]->name, strlen(group[i]->name));
		node[keys->n + i] = (struct part){ group[i]->name, keys->n + i };
	}
	qsort(node, keys->n + groups, sizeof *node, by_name);
	for (i = 1; i < keys->n + groups; i++)
		if (strcmp(node[i - 1].name, node[i].name) == 0)
			dp_die(DP_EX_USAGE, "--hierarchy: %s: the parent '%s' is one of the keys, "
			    "whose own events are not its children's", r->path,
			    dp_shown(text, node[i].name, strlen(node[i].name)));
	free(parent);
	free(group);
	return node;
}

/* What each node is below; SIZE_MAX: nothing yet. */
static void
hang(struct dp_margins *m, const struct dp_ask_keys *keys, const struct rows *r)
{
	struct part *node = name_nodes(m, keys, r);
	const size_t nodes = keys->n + m->n;
	char text[DP_SHOWN_TEXT];
	size_t i, child, up, steps;

	m->above = room_of(nodes + 1, sizeof *m->above);
	memset(m->above, 0xff, (nodes + 1) * sizeof *m->above);
	for (i = 0; i < r->n; i += 2) {
		child = node_of(node, nodes, r->text[i]);
		dp_shown(text, r->text[i], strlen(r->text[i]));
		if (child == SIZE_MAX)
			dp_die(DP_EX_USAGE, "--hierarchy: %s: '%s' is neither one of --keys nor a "
			    "parent", r->path, text);
		if (m->above[child] != SIZE_MAX)
			dp_die(DP_EX_USAGE, "--hierarchy: %s: '%s' has two parents, so it would "
			    "count twice above them", r->path, text);
		m->above[child] = node_of(node, nodes, r->text[i + 1]);
	}
	for (i = keys->n; i < nodes; i++) {
		for (up = i, steps = 0; up != SIZE_MAX && steps <= m->n; steps++)
			up = m->above[up];
		if (up != SIZE_MAX)
			dp_die(DP_EX_USAGE, "--hierarchy: %s: '%s' is above itself", r->path,
			    dp_shown(text, m->name[i - keys->n], strlen(m->name[i - keys->n])));
	}
	free(node);
}

/* All that is below nothing is below the root, the last total: the one there is, or *. */
static void
plant_root(struct dp_margins *m, const struct dp_ask_keys *keys)
{
	size_t tops = 0, top = 0, root, i;

	for (i = 0; i < keys->n + m->n; i++)
		if (m->above[i] == SIZE_MAX) {
			tops++;
			top = i;
		}
	root = tops == 1 && top >= keys->n ? top : keys->n + add_total(m, ALL, strlen(ALL));
	for (i = 0; i < keys->n + m->n; i++)
		if (m->above[i] == SIZE_MAX)
			m->above[i] = root;
}

/* The keys below each total. */
static void
gather(struct dp_margins *m)
{
	size_t i, up, sum = 0, *next;

	m->first = room_of(m->n + 1, sizeof *m->first);
	for (i = 0; i < m->keys; i++)
		for (up = i; up != m->above[up]; sum++)
			m->first[(up = m->above[up]) - m->keys + 1]++;
	for (i = 0; i < m->n; i++)
		m->first[i + 1] += m->first[i];
	m->key = room_of(sum, sizeof *m->key);
	next = room_of(m->n, sizeof *next);
	for (i = 0; i < m->keys; i++)
		for (up = i; up != m->above[up]; ) {
			up = m->above[up] - m->keys;
			m->key[m->first[up] + next[up]++] = i;
			up += m->keys;
		}
	free(next);
}

static void
total_tree(struct dp_margins *m, const struct dp_ask_keys *keys, const char *path)
{
	struct rows r = { .path = path };

	if (path != NULL) {
		read_rows(&r);
		hang(m, keys, &r);
	} else {
		m->above = room_of(keys->n + 1, sizeof *m->above);
		memset(m->above, 0xff, (keys->n + 1) * sizeof *m->above);
	}
	plant_root(m, keys);
	m->form = DP_MARGINS_TREE;
	gather(m);
	forget_rows(&r);
}

/* Levels of totals that have noise of their own, and the numbers of these, level by level. */
static void
set_levels(struct dp_margins *m)
{
	size_t i, up, next[DP_MARGINS_LEVELS], deep, levels = 0;

	m->number = room_of(m->n, sizeof *m->number);
	m->depth = room_of(m->n, sizeof *m->depth);
	for (i = 0; i < m->n; i++) {
		deep = m->form == DP_MARGINS_TREE ? 0 : i < m->rows ? 0 : i + 1 < m->n ? 1 : 2;
		for (up = m->keys + i; m->form == DP_MARGINS_TREE && m->above[up] != up; deep++)
			up = m->above[up];
		if (deep >= DP_MARGINS_LEVELS)
			return;
		levels = deep >= levels ? deep + 1 : levels;
		m->width[m->depth[i] = deep]++;
	}
	for (deep = up = 0; deep < levels; up += m->width[deep++])
		next[deep] = up;
	for (i = 0; i < m->n; i++)
		m->number[i] = next[m->depth[i]]++;
	m->levels = m->form == DP_MARGINS_SUMS ? 0 : (unsigned)levels;
}

void
dp_options_margins(struct dp_options *o)
{
	char text[DP_SHOWN_TEXT];
	struct dp_margins *m;
	size_t i, j;

	if ((!o->print.table.margins && o->print.table.hierarchy == NULL) || o->keys.n == 0)
		return;
	m = o->print.table.made = room_of(1, sizeof *m);
	m->keys = o->keys.n;
	if (o->keys.more > 0)
		total_fields(m, &o->keys);
	else
		total_tree(m, &o->keys, o->print.table.hierarchy);
	for (i = 0; i < m->keys; i++)
		for (j = m->n; j-- > 0;)
			if (strchr(o->keys.name[i], *ALL) != NULL &&
			    strcmp(o->keys.name[i], m->name[j]) == 0)
				dp_die(DP_EX_USAGE, "--margins: the key '%s' has the name of a "
				    "total", dp_shown(text, m->name[j], strlen(m->name[j])));
	m->share = o->print.table.share;
	if (m->share.num != 0)
		set_levels(m);
}

void
dp_margins_free(struct dp_margins *m)
{
	size_t i;

	for (i = 0; m != NULL && i < m->n; i++)
		free(m->name[i]);
	if (m != NULL) {
		free(m->name);
		free(m->first);
		free(m->key);
		free(m->above);
		free(m->number);
		free(m->depth);
	}
	free(m);
}
