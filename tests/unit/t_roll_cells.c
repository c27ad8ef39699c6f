/* SPDX-License-Identifier: ISC */
/*
 * t_roll_cells.c - events by place (store/run.h): as many as came, however many; and after a
 * move those of another place.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "store/internal.h"

#define MANY	5000

int
main(void)
{
	struct dp_count_cells c = { NULL, 0, 0 };
	struct dp_count_cell *room;
	uint32_t *to = calloc(MANY, sizeof *to), events;
	uint64_t sum = 0;
	size_t i, place, cells = 0;
	unsigned k;

	if (to == NULL)
		abort();
	check(dp_cells_of(&c, 3) == 0);
	for (k = 0; k < 4; k++)
		for (i = 0; i < MANY; i += k + 1)
			check(dp_cells_add(&c, i, 1) == 0);
	for (i = 0; i < MANY; i++)
		check(dp_cells_of(&c, i) == 1 + (i % 2 == 0) + (i % 3 == 0) + (i % 4 == 0));
	check(c.n == MANY);
	/* more than a cell counts */
	check(dp_cells_set(&c, MANY, UINT32_MAX) == 0 && c.n == MANY + 1);
	for (k = 0; k < 3; k++)
		check(dp_cells_add(&c, MANY, 1) == 0);
	check(dp_cells_of(&c, MANY) == (int64_t)UINT32_MAX + 3 && c.n == MANY + 2);
	check(dp_cells_add(&c, MANY, 2 * (uint64_t)UINT32_MAX) == 0 && c.n == MANY + 4);
	check(dp_cells_of(&c, MANY) == 3 * (int64_t)UINT32_MAX + 3);
	check(dp_cells_set(&c, 1, 0) == DP_EINVAL);
	check(dp_cells_set(&c, 1, (uint64_t)UINT32_MAX + 1) == DP_EINVAL);
	for (i = 0; dp_cells_each(&c, &i, &place, &events); cells++)
		sum += events;
	check(cells == c.n && sum == 3 * (uint64_t)UINT32_MAX + 3 + MANY + MANY / 2 +
	    (MANY + 2) / 3 + MANY / 4);
	dp_cells_free(&c);
	check(c.cell == NULL && dp_cells_of(&c, 1) == 0);

	for (i = 0; i < MANY; i++) {
		for (k = 0; k <= i % 5; k++)
			check(dp_cells_add(&c, i, 1) == 0);
		to[i] = (uint32_t)(MANY - i);	/* from place i to MANY - 1 - i */
	}
	if ((room = calloc(c.n, sizeof *room)) == NULL)
		abort();
	dp_cells_move(&c, to, room);
	for (i = 0; i < MANY; i++)
		check(dp_cells_of(&c, MANY - 1 - i) == (int64_t)(i % 5) + 1);
	dp_cells_free(&c);
	free(room);
	free(to);
	return done();
}
