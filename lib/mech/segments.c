#include <math.h>

#include "segments.h"

unsigned
dp_segments_find(const struct dp_segments *s, uint64_t t)
{
	unsigned j = 0;

	while (j < s->n - 1 && t > s->begin[j + 1])
		j++;
	return j;
}

void
dp_segments_error(const struct dp_segments *s, const struct dp_mech *m, uint64_t T,
    bool (*of)(const struct dp_mech *, unsigned j, uint64_t n, struct dp_segment_error *),
    struct dp_error *e)
{
	struct dp_segment_error one;
	double older = 0, sum = 0;
	uint64_t n;
	unsigned j;

	e->max = -1;
	for (j = 0; j < s->n && s->begin[j] < T; j++) {
		n = (T < s->begin[j + 1] ? T : s->begin[j + 1]) - s->begin[j];
		if (!of(m, j, n, &one)) {
			e->max = e->mean = INFINITY;
			return;
		}
		sum += older * (double)n + one.sum;
		if (older + one.max > e->max) {
			e->max = older + one.max;
			e->worst = s->begin[j] + one.worst;
		}
		older += one.root;
	}
	e->mean = sum / (double)T;
}
