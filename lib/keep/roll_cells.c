/* roll_cells.c - how many events each name has in an open bucket (roll_cells.h). */
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "roll_cells.h"

#define CELLS	16u		/* at first, a power of two */
#define FULL	UINT32_MAX

static size_t
home(const struct dp_cells *c, uint64_t name)
{
	return (size_t)(name * 0x9e3779b97f4a7c15u >> 20) & c->mask;
}

/* A name's cell that has room, or the empty one that it would have. */
static struct dp_cell *
find(const struct dp_cells *c, uint32_t name)
{
	size_t at = home(c, name);

	while (c->cell[at].name != 0 &&
	    (c->cell[at].name != name || c->cell[at].events == FULL))
		at = (at + 1) & c->mask;
	return &c->cell[at];
}

/* A cell to the first empty place from its home on. */
static void
insert(const struct dp_cells *c, struct dp_cell cell)
{
	size_t at = home(c, cell.name);

	while (c->cell[at].name != 0)
		at = (at + 1) & c->mask;
	c->cell[at] = cell;
}

/* Room for one more; false: no memory, and all is as it was. */
static bool
widen(struct dp_cells *c)
{
	struct dp_cells more = { .mask = c->cell == NULL ? CELLS - 1 : 2 * c->mask + 1 };
	size_t i;

	if (c->cell != NULL && (c->n + 1) * 4 <= (c->mask + 1) * 3)
		return true;
	if ((more.cell = calloc(more.mask + 1, sizeof *more.cell)) == NULL)
		return false;
	for (i = 0; c->cell != NULL && i <= c->mask; i++)
		if (c->cell[i].name != 0)
			insert(&more, c->cell[i]);
	more.n = c->n;
	dp_cells_free(c);
	*c = more;
	return true;
}

int
dp_cells_add(struct dp_cells *c, size_t place)
{
	struct dp_cell *cell;

	if (!widen(c))
		return DP_ENOMEM;
	cell = find(c, (uint32_t)place + 1);
	c->n += cell->name == 0;
	cell->name = (uint32_t)place + 1;
	cell->events++;
	return 0;
}

int64_t
dp_cells_of(const struct dp_cells *c, size_t place)
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

void
dp_cells_ahead(const struct dp_cells *c, size_t place)
{
	if (c->cell != NULL)
		__builtin_prefetch(&c->cell[home(c, place + 1)]);
}

bool
dp_cells_each(const struct dp_cells *c, size_t *i, size_t *place, uint32_t *events)
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
dp_cells_set(struct dp_cells *c, size_t place, uint64_t events)
{
	if (events == 0 || events > FULL)
		return DP_EINVAL;
	if (!widen(c))
		return DP_ENOMEM;
	insert(c, (struct dp_cell){ (uint32_t)place + 1, (uint32_t)events });
	c->n++;
	return 0;
}

void
dp_cells_move(struct dp_cells *c, const uint32_t *to, struct dp_cell *room)
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
		insert(c, room[i]);
	}
}

void
dp_cells_free(struct dp_cells *c)
{
	if (c->cell != NULL)
		sodium_memzero(c->cell, (c->mask + 1) * sizeof *c->cell);
	free(c->cell);
	*c = (struct dp_cells){ NULL, 0, 0 };
}
