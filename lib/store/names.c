/* SPDX-License-Identifier: ISC */
/* names.c - names that nobody declared, and their columns (run.h). */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "input/hashes.h"
#include "internal.h"

static void dp_cells_ahead(const struct dp_count_cells *, size_t place);

#define FIRST	16u		/* names that there is room for to tell of, at first */
#define AHEAD	32u		/* names */

static int
declare(struct dp_run *r)
{
	const struct dp_ask_keys *k = &r->o->keys;
	size_t place;
	int e;

	for (; r->roll->declared < k->n; r->roll->declared++)
		if ((e = dp_names_place(r->roll->names, (struct dp_slice){
		    k->name[r->roll->declared], strlen(k->name[r->roll->declared]) }, &place)) != 0)
			return e;
	return 0;
}

int
dp_roll_new(struct dp_run *r, const uint8_t key[16])
{
	struct dp_roll *roll = calloc(1, sizeof *roll);
	int e;

	if (roll == NULL)
		return DP_ENOMEM;
	r->roll = roll;			/* dp_run_free() has it, whatever comes */
	roll->rows = r->ring.n;
	if ((roll->row = calloc(roll->rows, sizeof *roll->row)) == NULL)
		return DP_ENOMEM;
	if (r->o->shard.hash != NULL &&
	    (roll->hashes = calloc(roll->rows + 1, sizeof *roll->hashes)) == NULL)
		return DP_ENOMEM;
	if ((e = dp_names_new(&roll->names, key, r->plan.mech->column / sizeof(int64_t))) != 0)
		return e;
	return declare(r);
}

/* A name that need not be held any more to have its events counted: it is, or is declared. */
static bool
is_held(const struct dp_run *r, size_t row, struct dp_slice name)
{
	size_t place;

	if (!dp_names_find(r->roll->names, name, &place))
		return false;
	return place < r->roll->declared || !r->plan.mech->brief ||
	    dp_cells_of(&r->roll->row[row], place) != 0;
}

/* Of events that come while it is not: the coin is of the event, not of the name. */
static int
hold(const struct dp_run *r, size_t row, struct dp_slice name, bool *held)
{
	uint64_t coin;
	int e;

	*held = r->o->keys.hold <= 1 || is_held(r, row, name);
	if (*held)
		return 0;
	if ((e = dp_fair(r->col.rng, r->o->keys.hold, &coin)) == 0)
		*held = coin == 0;
	return e;
}

int
dp_roll_add(struct dp_run *r, size_t row, struct dp_slice name, uint64_t events)
{
	size_t place;
	bool held;
	int e;

	if ((e = hold(r, row, name, &held)) != 0 || !held)
		return e;
	if ((e = dp_names_place(r->roll->names, name, &place)) != 0)
		return e;
	return dp_cells_add(&r->roll->row[row], place, events);
}

int
dp_roll_sort(struct dp_run *r)
{
	struct dp_roll *roll = r->roll;
	const size_t n = dp_names_count(roll->names);
	size_t first = n, most = 1, row, i, place;
	uint32_t *to, *rank, events;
	struct dp_count_cell *room;
	int e;

	while (first > roll->declared && !dp_names_marked(roll->names, first - 1))
		first--;
	if (first == n)
		return 0;
	to = calloc(n, sizeof *to);
	rank = calloc(n, sizeof *rank);
	for (row = roll->rows; rank != NULL && row-- > 0; ) {
		most = roll->row[row].n > most ? roll->row[row].n : most;
		for (i = 0; dp_cells_each(&roll->row[row], &i, &place, &events); )
			rank[place] = (uint32_t)row;
	}
	room = calloc(most, sizeof *room);
	e = room == NULL || to == NULL || rank == NULL ? DP_ENOMEM :
	    dp_names_sort(roll->names, first, rank, to);
	for (row = 0; row < roll->rows && e == 0; row++)
		dp_cells_move(&roll->row[row], to, room);
	free(room);
	free(rank);
	free(to);
	return e;
}

int
dp_roll_add_hash(struct dp_run *r, size_t row, const uint64_t word[2])
{
	return dp_hashes_add(&r->roll->hashes[row], word);
}

void
dp_roll_expect(const struct dp_run *r, size_t row, const uint64_t word[2])
{
	dp_hashes_fetch(&r->roll->hashes[row], word);
}

void
dp_roll_take(struct dp_run *r, size_t row)
{
	if (r->roll->hashes != NULL) {
		dp_hashes_free(&r->roll->hashes[r->roll->rows]);
		r->roll->hashes[r->roll->rows] = r->roll->hashes[row];
		r->roll->hashes[row] = (struct dp_hashes){ NULL, 0, 0 };
	}
	dp_cells_free(&r->roll->now);
	r->roll->now = r->roll->row[row];
	if (r->roll->now.cell != NULL)	/* what no name is in takes no memory */
		r->roll->row[row] = (struct dp_count_cells){ NULL, 0, 0 };
}

void
dp_roll_shift(struct dp_run *r)
{
	struct dp_roll *roll = r->roll;

	memmove(roll->row, roll->row + 1, (roll->rows - 1) * sizeof *roll->row);
	roll->row[roll->rows - 1] = (struct dp_count_cells){ NULL, 0, 0 };
}

static int
tell(struct dp_roll *roll, size_t name, dp_wide est)
{
	const size_t room = roll->room == 0 ? FIRST : 2 * roll->room;
	struct dp_told *more;

	if (roll->n == roll->room) {
		if ((more = realloc(roll->told, room * sizeof *more)) == NULL)
			return DP_ENOMEM;
		roll->told = more;
		roll->room = room;
	}
	roll->told[roll->n++] = (struct dp_told){ name, est };
	return 0;
}

/* Names whose columns take a step together. */
struct abreast {
	unsigned n;
	size_t name[DP_FILL];
	void *col[DP_FILL];
	int64_t x[DP_FILL];
	dp_wide est[DP_FILL];
};

/* Events of a name before it was held, on average. */
static dp_wide
before(const struct dp_run *r, size_t name)
{
	return r->o->keys.hold <= 1 || name < r->roll->declared ? 0 :
	    (dp_wide)r->o->keys.hold - 1;
}

static int
step(struct dp_run *r, struct abreast *a)
{
	const struct dp_mech *m = r->plan.mech;
	unsigned i;
	int e = 0;

	if (m->ops->many.abreast != NULL && a->n > 0)
		e = m->ops->many.abreast(m, a->col, r->col.rng, r->t, a->x, a->est, a->n);
	for (i = 0; m->ops->many.abreast == NULL && i < a->n && e == 0; i++)
		e = m->ops->step(m, a->col[i], r->col.rng, r->t, &a->x[i], &a->est[i]);
	for (i = 0; i < a->n && e == 0; i++)
		if (a->est[i] != DP_NONE)
			e = tell(r->roll, a->name[i], a->est[i] + before(r, a->name[i]));
	a->n = 0;
	return e;
}

/* A name to those that take the step: its column begins with its first event. */
static int
add(struct dp_run *r, struct abreast *a, size_t name)
{
	const struct dp_mech *m = r->plan.mech;
	const bool declared = name < r->roll->declared;
	const int64_t x = dp_cells_of(&r->roll->now, name);
	int64_t *column = dp_names_block(r->roll->names, name);
	int e;

	if (!dp_names_marked(r->roll->names, name)) {
		if (!declared && x == 0)
			return 0;
		if ((e = m->ops->names.late(m, column, r->col.rng, r->t - 1, declared)) != 0)
			return e;
		dp_names_mark(r->roll->names, name);
	}
	a->name[a->n] = name;
	a->col[a->n] = column;
	a->x[a->n++] = x;
	return a->n < DP_FILL ? 0 : step(r, a);
}

static int
by_estimate(const void *a, const void *b, void *names)
{
	const struct dp_told *p = a, *q = b;
	const struct dp_slice s = dp_names_text(names, p->name), t = dp_names_text(names, q->name);
	int d;

	if (p->est != q->est)
		return p->est > q->est ? -1 : 1;
	d = memcmp(s.p, t.p, s.n < t.n ? s.n : t.n);
	return d != 0 ? d : (s.n > t.n) - (s.n < t.n);
}

static int
by_place(const void *a, const void *b)
{
	const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;

	return (p > q) - (p < q);
}

/* Where columns end with their step it is of names that are declared, or have an event in it. */
static int
add_present(struct dp_run *r, struct abreast *a)
{
	struct dp_roll *roll = r->roll;
	uint32_t *place = malloc((roll->now.n + 1) * sizeof *place), events;
	size_t i, name, n = 0;
	int e = place == NULL ? DP_ENOMEM : 0;

	for (i = 0; e == 0 && i < roll->declared; i++)
		e = add(r, a, i);
	for (i = 0; e == 0 && dp_cells_each(&roll->now, &i, &name, &events); )
		if (name >= roll->declared)
			place[n++] = (uint32_t)name;
	if (e == 0)
		qsort(place, n, sizeof *place, by_place);
	for (i = 0; e == 0 && i < n; i++)
		if (i == 0 || place[i] != place[i - 1])	/* many events have several cells */
			e = add(r, a, place[i]);
	if (place != NULL)
		sodium_memzero(place, n * sizeof *place);
	free(place);
	return e;
}

static int
add_all(struct dp_run *r, struct abreast *a)
{
	size_t i;
	int e = 0;

	for (i = 0; e == 0 && i < dp_names_count(r->roll->names); i++) {
		dp_cells_ahead(&r->roll->now, i + AHEAD);
		e = add(r, a, i);
	}
	return e;
}

int
dp_roll_step(struct dp_run *r)
{
	struct dp_roll *roll = r->roll;
	struct abreast a = { .n = 0 };
	int e;

	roll->n = 0;
	if ((e = r->plan.mech->brief ? add_present(r, &a) : add_all(r, &a)) != 0 ||
	    (e = step(r, &a)) != 0)
		return e;
	dp_cells_free(&roll->now);
	if (roll->n > 0)
		dp_os_sort(roll->told, roll->n, sizeof *roll->told, by_estimate, roll->names);
	if (r->o->print.top != 0 && roll->n > r->o->print.top)
		roll->n = r->o->print.top;
	return 0;
}

/* place[i] is not 0 of those that stay; how many go. */
static size_t
choose(const struct dp_run *r, uint32_t *place)
{
	const struct dp_mech *m = r->plan.mech;
	const size_t n = dp_names_count(r->roll->names);
	size_t row, i, name, go = 0;
	uint32_t events;

	for (row = 0; row < r->roll->rows; row++)
		for (i = 0; dp_cells_each(&r->roll->row[row], &i, &name, &events); )
			place[name] = 1;
	for (i = 0; i < n; i++) {
		if (i < r->roll->declared || (place[i] == 0 && !m->brief &&
		    !m->ops->names.gone(m, dp_names_block(r->roll->names, i), r->t)))
			place[i] = 1;
		go += place[i] == 0;
	}
	return go;
}

/* Out of memory, all names stay, which tells nobody anything. */
void
dp_roll_loaded(struct dp_run *r)
{
	const struct dp_mech *m = r->plan.mech;
	size_t most = 1, i;
	struct dp_count_cell *room;
	uint32_t *place;

	if (!m->brief && m->ops->names.gone == NULL)
		return;
	for (i = 0; i < r->roll->rows; i++)
		most = r->roll->row[i].n > most ? r->roll->row[i].n : most;
	room = calloc(most, sizeof *room);
	place = calloc(dp_names_count(r->roll->names) + 1, sizeof *place);
	if (room != NULL && place != NULL && choose(r, place) > 0) {
		dp_names_keep(r->roll->names, place);
		for (i = 0; i < r->roll->rows; i++)
			dp_cells_move(&r->roll->row[i], place, room);
	}
	free(room);
	free(place);
}

void
dp_roll_forget(struct dp_run *r)
{
	if (r->o->time.steps != DP_BY_RANGE || r->ring.closed >= r->ring.gap + r->ring.n)
		dp_roll_loaded(r);
}

int64_t *
dp_roll_column(const struct dp_roll *roll, size_t name)
{
	return dp_names_marked(roll->names, name) ? dp_names_block(roll->names, name) : NULL;
}

int
dp_roll_put(struct dp_roll *roll, struct dp_slice name, size_t place, bool begun)
{
	const size_t count = place < roll->declared ? roll->declared : place;
	size_t at;
	int e;

	if (name.n == 0 || name.n > DP_KEY_MAX || memchr(name.p, '\0', name.n) != NULL ||
	    dp_names_count(roll->names) != count)
		return DP_EINVAL;
	if ((e = dp_names_place(roll->names, name, &at)) != 0)
		return e;
	if (at != place)
		return DP_EINVAL;
	if (begun)
		dp_names_mark(roll->names, place);
	return 0;
}

void
dp_roll_text(const struct dp_roll *roll, size_t name, char text[static DP_ROLL_TEXT])
{
	const struct dp_slice s = dp_names_text(roll->names, name);
	const char *p = s.p, *const end = p + s.n;
	uint32_t c;
	size_t n;

	for (; p < end; p += n) {
		n = dp_utf8(&c, p, end);
		if (n == 0 || dp_utf8_unseen(c)) {
			text += sprintf(text, "\\x%02x", (unsigned)(unsigned char)*p);
			n = 1;
		} else if (c == '\\')
			text = stpcpy(text, "\\\\");
		else
			text = (char *)memcpy(text, p, n) + n;
	}
	*text = '\0';
}

size_t
dp_roll_bytes(size_t column)
{
	return dp_names_bytes(column / sizeof(int64_t)) + 2 * sizeof(struct dp_count_cell);
}

void
dp_roll_free(struct dp_roll *roll)
{
	size_t i;

	if (roll == NULL)
		return;
	for (i = 0; roll->row != NULL && i < roll->rows; i++)
		dp_cells_free(&roll->row[i]);
	for (i = 0; roll->hashes != NULL && i <= roll->rows; i++)
		dp_hashes_free(&roll->hashes[i]);
	free(roll->hashes);
	dp_cells_free(&roll->now);
	free(roll->row);
	free(roll->told);
	dp_names_free(roll->names);
	free(roll);
}

/* How many events each name has in an open bucket (run.h). */

#define CELLS	16u		/* at first, a power of two */
#define FULL	UINT32_MAX

static size_t
home(const struct dp_count_cells *c, uint64_t name)
{
	return (size_t)(name * 0x9e3779b97f4a7c15u >> 20) & c->mask;
}

/* A name's cell that has room, or the empty one that it would have. */
static struct dp_count_cell *
find_cells(const struct dp_count_cells *c, uint32_t name)
{
	size_t at = home(c, name);

	while (c->cell[at].name != 0 &&
	    (c->cell[at].name != name || c->cell[at].events == FULL))
		at = (at + 1) & c->mask;
	return &c->cell[at];
}

/* A cell to the first empty place from its home on. */
static void
insert_cells(const struct dp_count_cells *c, struct dp_count_cell cell)
{
	size_t at = home(c, cell.name);

	while (c->cell[at].name != 0)
		at = (at + 1) & c->mask;
	c->cell[at] = cell;
}

/* Room for one more; false: no memory, and all is as it was. */
static bool
widen(struct dp_count_cells *c)
{
	struct dp_count_cells more = { .mask = c->cell == NULL ? CELLS - 1 : 2 * c->mask + 1 };
	size_t i;

	if (c->cell != NULL && (c->n + 1) * 4 <= (c->mask + 1) * 3)
		return true;
	if ((more.cell = calloc(more.mask + 1, sizeof *more.cell)) == NULL)
		return false;
	for (i = 0; c->cell != NULL && i <= c->mask; i++)
		if (c->cell[i].name != 0)
			insert_cells(&more, c->cell[i]);
	more.n = c->n;
	dp_cells_free(c);
	*c = more;
	return true;
}

int
dp_cells_add(struct dp_count_cells *c, size_t place, uint64_t events)
{
	struct dp_count_cell *cell;
	uint32_t some;

	for (; events > 0; events -= some) {
		if (!widen(c))
			return DP_ENOMEM;
		cell = find_cells(c, (uint32_t)place + 1);
		c->n += cell->name == 0;
		cell->name = (uint32_t)place + 1;
		some = events < FULL - cell->events ? (uint32_t)events : FULL - cell->events;
		cell->events += some;
	}
	return 0;
}

int64_t
dp_cells_of(const struct dp_count_cells *c, size_t place)
{
	const uint32_t name = (uint32_t)place + 1;
	int64_t sum = 0;
	size_t at;

	if (c->cell == NULL)
		return 0;
	for (at = home(c, name); c->cell[at].name != 0; at = (at + 1) & c->mask)
		if (c->cell[at].name == name)
			sum += c->cell[at].events;
	return sum;
}

/* Fetches from memory what dp_cells_of() will ask for. */
static void
dp_cells_ahead(const struct dp_count_cells *c, size_t place)
{
	if (c->cell != NULL)
		__builtin_prefetch(&c->cell[home(c, place + 1)]);
}

bool
dp_cells_each(const struct dp_count_cells *c, size_t *i, size_t *place, uint32_t *events)
{
	for (; c->cell != NULL && *i <= c->mask; ++*i)
		if (c->cell[*i].name != 0) {
			*place = c->cell[*i].name - 1;
			*events = c->cell[(*i)++].events;
			return true;
		}
	return false;
}

int
dp_cells_set(struct dp_count_cells *c, size_t place, uint64_t events)
{
	if (events == 0 || events > FULL)
		return DP_EINVAL;
	if (!widen(c))
		return DP_ENOMEM;
	insert_cells(c, (struct dp_count_cell){ (uint32_t)place + 1, (uint32_t)events });
	c->n++;
	return 0;
}

void
dp_cells_move(struct dp_count_cells *c, const uint32_t *to, struct dp_count_cell *room)
{
	size_t i, n = 0;

	for (i = 0; c->cell != NULL && i <= c->mask; i++)
		if (c->cell[i].name != 0)
			room[n++] = c->cell[i];
	if (n == 0)
		return;
	memset(c->cell, 0, (c->mask + 1) * sizeof *c->cell);
	for (i = 0; i < n; i++) {
		room[i].name = to[room[i].name - 1];
		insert_cells(c, room[i]);
	}
}

void
dp_cells_free(struct dp_count_cells *c)
{
	if (c->cell == NULL)	/* and so it stays untouched memory */
		return;
	sodium_memzero(c->cell, (c->mask + 1) * sizeof *c->cell);
	free(c->cell);
	*c = (struct dp_count_cells){ NULL, 0, 0 };
}
