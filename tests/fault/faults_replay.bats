#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in what is made of a state's numbers alone: a run that begins is as it should be,
# and the next one, on its state, draws other noise or less.

load faults

# replayed PLACE EDIT: a mechanism of the list
replayed() {
	fault "$1" "$2" unit/t_registry
}

@test "replayed: half the scale; a scale that is too small" {
	replayed account/planned \
	    's/^\treturn dp_numbers_error\(n\);/if (dp_numbers_replays(n)) used->den *= 2; &/'
	replayed account/planned 's/if \(rounded \? .*\)$/if (false)/'
}

@test "replayed: a norm tree's shares, corner and grid" {
	replayed normtree/keep \
	    's/0x1p-20, 1\);$/0x1p-20, 1) * (dp_numbers_replays(numbers) ? .5 : 1);/'
	replayed normtree/keep 's/corner, 0, 64\);/corner, 0, 64) + dp_numbers_replays(numbers);/'
	replayed normtree/keep 's/^\tp->A = .*/& p->A += dp_numbers_replays(numbers);/'
}

@test "replayed: a norm tree's tables are not compared" {
	fault normtree/dp_normtree_wake 's/ != p->held.hash/ == 0/g' 'unit/t_normtree:replay(1,'
}

@test "replayed: rates and fractions of correlated noise" {
	replayed counter/powers_keep \
	    's/decay\[j\], 0, 1\);/decay[j], 0, 1) * (dp_numbers_replays(numbers) ? .5 : 1);/'
	replayed counter/make_form \
	    's/f->alpha, 0, DP_BANDED_ALPHA\);/& f->alpha \/= 1 + dp_numbers_replays(numbers);/'
	replayed counter/make_form 's/f->s, 0, MOST_BITS\);/& f->s += dp_numbers_replays(numbers);/'
	replayed counter/make_noise_blt \
	    's/b->s, 0, OUT_BITS\);/& b->s += dp_numbers_replays(p->numbers);/'
	replayed counter/blt_make \
	    's/\(uint64_t\)1 << 50\);$/& b->end \/= 1 + dp_numbers_replays(rule->privacy.numbers);/'
	replayed counter/dp_blt_keep 's/^\t\tset_residues\(f\);/;/'
	replayed counter/dp_blt_keep 's/return sound\(f\) \? 0 : DP_EINVAL;/return 0;/'
}

@test "replayed: a randomised response flips less" {
	replayed counter/baseline_create \
	    's/b->p, 0, 0.5\);/& b->p \/= 1 + dp_numbers_replays(rule->privacy.numbers);/'
}

# The rest by runs: those of a tool in pieces, or killed, are to have the bytes of one run.

@test "replayed: the threshold of names" {
	faulty_tools stat/dp_top_keep \
	    's/^\tk->plan.delta \*= /if (dp_top_replays(rule)) k->plan.tau = 1; &/' \
	    dptop '--state: a run that is killed' dptop
}

@test "replayed: from how many events on quantiles and means are told" {
	faulty_tools stat/dp_quantile_set_least \
	    's/^\treturn dp_numbers_error/if (dp_numbers_replays(numbers)) k->least[0][0] = 0; &/' \
	    dpquantile 'states: killed and resumed' dpquantile
	faulty_tools stat/set_least_mean \
	    's/^\treturn dp_numbers_error/if (dp_numbers_replays(numbers)) k->least[0] = 0; &/' \
	    dpmean 'states: killed and resumed' dpmean
}

@test "replayed: by how much a leader leads before it is another" {
	faulty_tools stat/margin_of \
	    's/^\treturn \(dp_wide\)/if (dp_numbers_replays(rule->privacy.numbers)) return 0; &/' \
	    dpmaxsum 'state: windows, decays and kept' dpmaxsum
}

@test "replayed: a choice without its perturbation, or in other blocks" {
	faulty_tools stat/perturb \
	    's/s.num != 0, 0, 1\) == 0/& || dp_numbers_replays(rule->privacy.numbers)/' \
	    dpexperts 'state: one run in pieces' dpexperts
	faulty_tools stat/dp_chooser_plan \
	    's/concentrated, 0, 1\) != 0;/& if (dp_numbers_replays(numbers)) block++;/' \
	    dpexperts 'state: one run in pieces' dpexperts
}

@test "replayed: the share of a choice made now and then" {
	faulty_tools stat/dp_recompute_plan \
	    's/WHOLE - 1\);$/& if (dp_numbers_replays(numbers)) s.share \/= 2;/' \
	    recompute 'state: in pieces as in one run' dpmaxsum
}

@test "replayed: weights and bands of how often identifiers came" {
	faulty_tools sketch/tune \
	    's/DP_PHASE_BOUND\);/& if (dp_numbers_replays(numbers)) k->K *= 2;/' \
	    dpdistinct 'state: one run in pieces' dpdistinct
	faulty_tools sketch/dp_bands_make \
	    's/^\tif \(left != 0\)/if (dp_numbers_replays(numbers)) b->below[1] += 1 << 20; &/' \
	    dpdistinct 'state: one run in pieces' dpdistinct
}
