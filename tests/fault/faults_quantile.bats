#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in quantiles: each must make the suite fail, or the suite proves nothing.

load faults

@test "quantile: the tree over bins for twice the budget" {
	fault stat/tree_create_layout 's/whole = \{ 1, 1 \};/whole = { 2, 1 };/;
	    s/if \(\(e = dp_privacy_part\(.privacy, .*/privacy.epsilon.num *= 2; if (/' \
	    law/s_quantile neighbour
}

@test "quantile: one tree over bins for all steps" {
	fault stat/tree_step_layout 's/(int64_t wait.*), w.LEAVES./static int64_t w[LEAVES],j;\1/;
	    s/for \(i = 0; i < n; i \+= block\)/for (i = j++ > 0 ? n : 0; i < n; i += block)/' \
	    law/s_quantile tree
}

@test "quantile: leaves without a bin are not in the number of all events" {
	fault stat/tree_step_layout 's/for \(; i < n; i\+\+\)/for (; i < 0; i++)/' \
	    law/s_quantile tree
}

@test "quantile: a fit that looks at what is counted" {
	fault stat/quantile_step \
	    's/\t\tdp_quantile_fit\(f \+ 1, k->G\);/for (i = 0; i < k->G; i++)/;
	    s/for \(i = 0; i < a->n; i\+\+\)$/f[i + 1] = (i > 0 ? f[i] : 0) + (double)x[i]; &/' \
	    law/s_quantile tree
}

@test "quantile: an event that counts twice in its wide bin" {
	fault stat/levels_enter 's/\+= u\[l\] =/+= 2 * (u[l] =/;
	    s/x\[l\] : EVENTS_LAYOUT;/x[l] : EVENTS_LAYOUT);/' unit/t_quantile
}

@test "quantile: children corrected by half of what their wide bin has more" {
	fault stat/levels_read 's/left \* \(l \+ 1\) \/ n/left * (l + 1) \/ n \/ 2/' \
	    unit/t_quantile
}

@test "quantile: columns of a square root that are longer than noise is for" {
	fault stat/dp_quantile_root_reach 's/longest = squares .*;/longest = 1024 * 1024 * m;/' \
	    unit/t_quantile
}

@test "quantile: a square root for lines that replace one event alone" {
	fault stat/dp_quantile_root_reach 's/longest \*= reach->l2squared;/longest *= 1;/' \
	    unit/t_quantile
}

@test "quantile: weights of the square root, undone with others" {
	fault stat/read 's/w\[k->G - 1 - i\] = .*;/w[k->G - 1 - i] = k->w[i] + i;/' \
	    unit/t_quantile
}

@test "quantile: pools of neighbours without their sizes" {
	fault stat/dp_quantile_fit 's/sum\[i\] \/ length\[i\]/sum[i] \/ (length[i] > 1 ? 2 : 1)/' \
	    unit/t_quantile
}

@test "quantile: pools that go back one block only" {
	fault stat/dp_quantile_fit 's/while \(blocks > 1/if (blocks > 1/' unit/t_quantile
}

@test "quantile: values at an edge in the bin before" {
	fault stat/dp_bins_place 's/at\[half\] <= value/at[half] < value/' unit/t_quantile
}

@test "quantile: the last edge in no bin" {
	fault stat/dp_bins_given 's/b->edge\[n\]\+\+;//' unit/t_quantile
}

@test "quantile: intervals that begin with the estimate" {
	fault stat/keep_error 's/end\[0\] = j - 1 < end\[0\] \? j - 1 : end\[0\];//' \
	    law/s_quantile tree
}

@test "quantile: intervals of a third of their width" {
	fault stat/half_widths \
	    's/widest \* (dp_law_spread\(v\)) \+ 1/widest * \1 \/ 3/' \
	    law/s_quantile tree
}

@test "quantile: laws of half-lives in units of what they print" {
	faulty_tools stat/variances \
	    's/(v\[i\] = dp_law_variance\(k->law\));/\1 \/ k->scale \/ k->scale;/' \
	    dpquantile half-lives dpquantile
}

@test "quantile: columns of keys that begin anywhere" {
	faulty_tools stat/sums_size 's/return \(n \+ sizeof\(dp_wide\) - 1\) .*/return n;/' \
	    dpquantile 'keys, users' dpquantile
}

@test "quantile: what enters the counters stays in memory that is private" {
	faulty_tools stat/release_quantile 's/explicit_bzero\(u, .*//' \
	    pan '-P: nor by what an event adds' dpquantile
}

@test "quantile: a share of the budget that wide bins are not given" {
	fault stat/levels_create 's/505, 1000 \}/405, 1000 }/' \
	    unit/t_quantile
}
