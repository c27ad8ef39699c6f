/* SPDX-License-Identifier: ISC */
/*
 * list.c - the registry: every mechanism there is.  Of equal errors the first is chosen, so the
 * simplest come first.  Those of one task have different names.
 */
#include "counter/mech.h"
#include "internal.h"

#define MECHANISMS(X) \
	X(identity) \
	X(input) \
	X(response) \
	X(output) \
	X(tree) \
	X(kary) \
	X(normtree) \
	X(pan) \
	X(pan_slots) \
	X(input_filtered) \
	X(normtree_filtered) \
	X(windowsum_paper) \
	X(allwindow_paper) \
	X(gradual) \
	X(map_paper) \
	X(decayed_output) \
	X(expsum_paper) \
	X(polysum_paper) \
	X(blt) \
	X(blt_norm) \
	X(banded) \
	X(maxsum_tree) \
	X(maxsum_kary) \
	X(maxsum_normtree) \
	X(maxsum_pan) \
	X(maxsum_pan_slots) \
	X(maxsum_blt) \
	X(maxsum_banded) \
	X(maxsum_recompute) \
	X(maxsum_lazy) \
	X(maxsum_trivial) \
	X(experts_identity) \
	X(experts_kary) \
	X(experts_blocks) \
	X(experts_doubling) \
	X(experts_pan_slots) \
	X(experts_pan) \
	X(experts_blt) \
	X(gated_tree) \
	X(gated_laplace) \
	X(gated_window) \
	X(gated_blt) \
	X(transform_rising) \
	X(transform_one) \
	X(transform_pan) \
	X(transform_rounds) \
	X(transform_paper) \
	X(transform_output) \
	X(transform_output_gauss) \
	X(transform_recompute) \
	X(rr) \
	X(subset) \
	X(hr) \
	X(value_duchi) \
	X(value_piecewise) \
	X(value_laplace) \
	X(alg1) \
	X(cells) \
	X(cells_density) \
	X(density_distinct) \
	X(density) \
	X(continual) \
	X(moved) \
	X(moved_density) \
	X(sample_distinct) \
	X(sample) \
	X(anew) \
	X(anew_cells) \
	X(hashed_bits) \
	X(hashed) \
	X(running) \
	X(window) \
	X(exact_distinct) \
	X(turnstile) \
	X(turnstile_table) \
	X(exact_density) \
	X(exact_cropped) \
	X(exact_mean) \
	X(exact_incidence) \
	X(exact_heavy) \
	X(projected) \
	X(projected_gauss) \
	X(projected_counts) \
	X(laplace) \
	X(gauss_answers) \
	X(counts) \
	X(book) \
	X(sketched) \
	X(sketched_gauss) \
	X(phase_cropped) \
	X(phase_levels) \
	X(alg2) \
	X(alg3) \
	X(phase_mean) \
	X(phase_incidence) \
	X(modular) \
	X(phase_heavy) \
	X(ams)

#define DECLARE(name)	extern const struct dp_mech_ops dp_##name##_ops;
#define LIST(name)	&dp_##name##_ops,

MECHANISMS(DECLARE)

static const struct dp_mech_ops *const mechanisms[] = { MECHANISMS(LIST) };

const struct dp_mech_ops *
dp_plan_list(unsigned i)
{
	return i < sizeof mechanisms / sizeof mechanisms[0] ? mechanisms[i] : NULL;
}
