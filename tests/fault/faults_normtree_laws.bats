#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in what is told of the norm tree, and in its rows: each must make its test fail.

load faults

# faded FILE EDIT: a fault in the law of a decay
faded() {
	fault "$1" "$2" unit/t_normtree_wave:decays
}

@test "bounds: trees before a decay's last are forgotten" {
	faded normtree/find_way_decay 's/j < older/j < older \&\& j < 0/'
}

@test "bounds: what is uneven in a decay's nodes is forgotten" {
	faded normtree/damp 's/by = 1 \/ \(1 \+ .*/by = 1;/'
}

@test "bounds: a decay's right child is not turned back" {
	faded normtree/pass 's/up \? by : -by, at/0, at/'
}

@test "bounds: a decay's weights do not fall within a block" {
	faded normtree/near_steps 's/z = pow\(q->alpha, -\(double\)n\)/z = 1/'
}

@test "bounds: a decay's counted as if it were whole numbers" {
	faded law/rough_bound 's/l->between \? y : y - \.5/y - .5/'
}

@test "normtree: a forged plan whose tables fall below what doubles hold" {
	fault normtree/precise \
	    's/w->next\[w->A \+ 1\] >= LEAST && w->next\[w->last\] >= LEAST/true/' \
	    unit/t_normtree:forged
	fault normtree/dp_normtree_set_root 's/if \(w->m\[w->A \+ 1\] < LEAST\)/if (false)/' \
	    unit/t_normtree:forged
}

@test "normtree: a forged plan whose splines rise as steeply as nothing else" {
	fault normtree/cost 's/fall < STEEP \? INFINITY ://' unit/t_normtree
}

@test "normtree: what residuals add to the variance of a law, halved" {
	fault normtree/dp_normtree_moments 's/\+ rest \/ 2;/+ rest \/ 4;/' unit/t_normtree_wave
	fault normtree/dp_normtree_residual 's/\.own = rest \}/.own = 0 }/' unit/t_normtree_wave
}

@test "law: whole numbers take the standard deviation for how wide they are" {
	fault law/dp_law_spread 's/return M_SQRT1_2 .*/return sqrt(variance);/' \
	    unit/t_normtree_wave:little
}

@test "normtree: a forged plan that no envelope is above" {
	fault normtree/covered 's/ && here <= C;/;/' unit/t_normtree quick
}

@test "normtree: the same in a state file, which is not refused then" {
	faulty_tools normtree/covered 's/ && here <= C;/;/' forged \
	    "a norm tree's plan that is" dpcount
	grep -q 'status [01]: ' tap
}

@test "normtree: N' is off by more than its slack has" {
	fault normtree/dp_normtree_weigh_beyond \
	    's/fall\[2\] = \{ 1, 1 \}/fall[2] = { 1 + 1e-8, 1 + 1e-8 }/' \
	    unit/t_normtree quick
}

@test "the largest noise: splits of two signs are left out" {
	fault normtree/set_split 's/(one|other) = (g\[.*) \* k;/\1 = \2 * k * 1e-3;/' \
	    unit/t_normtree_all
}

@test "the largest noise: splits that change no sum are not written; one fall for all" {
	fault normtree/set_split 's/y > R && one/one/' unit/t_normtree_all
	fault normtree/dp_normtree_set_splits 's/double\(v->fall\[a\]\)/double(v->fall[0])/' \
	    unit/t_normtree_all
}

@test "the largest noise: half the scale is promised; one side's is both sides'" {
	fault normtree/dp_normtree_all \
	    's/w < heights \? w : most;/w < heights ? ceil(w \/ 2) : most;/' \
	    unit/t_normtree_all
	fault normtree/least_whole 's/2 \* \(1 - stay/(1 - stay/' unit/t_normtree_all
}

@test "the largest noise: a half from where the other began; ends, or the last steps, left out" {
	fault normtree/stay_lanes 's/first - low, row \+ 1/first, row/' \
	    unit/t_normtree_all
	fault normtree/stay_row 's/own = of->whole && P > 0 \? P : 0/own = 0/' unit/t_normtree_all
	fault normtree/stay_row 's/if \(most - /if (most - .5 - /' unit/t_normtree_all
	fault normtree/below_first 's/&F, k->child\[right\]/\&F, k->child[0]/' unit/t_normtree_all
}

# units FILE EDIT: a fault on a grid coarser than the data's
units() {
	fault "$1" "$2" unit/t_normtree_unit
}

@test "units: what moves by less than a unit does not move" {
	units account/dp_coarse_moves \
	    's/l1 \+ \(dp_uwide\)cells \* .*\) \/ unit/l1 + 0 * cells) \/ unit/'
}

@test "units: nothing is drawn within them" {
	units account/uniform 's/\*u = \(int64_t\)x - .*/*u = 0;/'
}

@test "units: what is drawn within them is never at an end" {
	units account/uniform 's/while \(x >= unit\)/while (x >= unit - 1)/'
}

@test "units: a unit where nobody knows how many values move" {
	units account/dp_coarse_unit 's/c == 0 \|\| L <= c/L <= c/'
}

@test "units: a smaller one than epsilon leaves" {
	units account/room 's/epsilon\.num << LEAST/epsilon.num << (LEAST + 1)/'
}

@test "units: errors know nothing of what is drawn within them" {
	units normtree/scaled 's/v \+ steps \/ 12/v + 0 * steps/'
}

@test "units: intervals are those of the tree" {
	units normtree/normtree_sweep \
	    's/dp_normtree_apart\(p\) \* grain/ldexp(1, (int)p->fine) * grain/'
}

@test "units: a plan has another one when it is read again" {
	units account/dp_coarse_unit 's/\*unit = (dp_numbers_int\(.*)/(void)\1/'
}

@test "units: points of laws for noise that is measured in them" {
	fault normtree/choose 's/apart = dp_normtree_apart\(p\)/apart = ldexp(1, (int)p->fine)/' \
	    unit/t_normtree_unit
}

@test "units: drawn as if it were one" {
	fault normtree/dp_normtree_fills 's/p->unit == 1 \? 0 :/p->unit >= 1 ? 0 :/' \
	    law/s_variance normtree
}

@test "neighbours: a user moves no more values than an event does" {
	fault account/dp_relation_distance 's/K != 0 \? K \* S : full/K != 0 ? S : full/' \
	    unit/t_neighbour
}

@test "neighbours: two lines differ in no more values than one has" {
	fault account/dp_relation_distance 's/K \* S : full \+ part;/K * S : full;/' \
	    unit/t_neighbour
}

@test "count in words: a block does not begin where the last one ended" {
	fault counter/set_ahead 's/narrow->noise = \(int64_t\)sum;/;/' law/s_variance normtree
}

# alias EDIT: a fault in the alias rows
alias() {
	local at=normtree/dp_normtree_alias_first,look_up_alias,one,eight,again
	at+=,dp_normtree_alias_column
	fault "$at" "$1" unit/t_normtree_alias
}

# made EDIT: a fault in what rows are made of
made() {
	fault normtree/weigh "$1" unit/t_normtree_alias
}

# unit EDIT: a fault in the units of outcomes, or in columns
unit() {
	fault random/dp_alias_units,dp_alias_columns "$1" unit/t_normtree_alias
}

@test "alias rows: a column's other outcome is wrong" {
	unit 's/>> 32\) << a->bits \| l;/>> 32) << a->bits | (s == 3 ? l ^ 1 : l);/'
}

@test "alias rows: the tail is given what rounding hid" {
	unit 's/a->unit\[most\] \+= missing;/a->unit[last] += missing;/'
}

@test "alias rows: thresholds one too high" {
	unit 's/tie\[s\] = \(uint32_t\)a->unit\[s\];/tie[s] = (uint32_t)a->unit[s] + 1;/'
}

@test "alias rows: the tail is an outcome" {
	alias 's/\*left = j == a->width - 1;/*left = false;/'
}

@test "alias rows: the tail's end is forgotten" {
	made 's/return sum \+ geometric\(.*/return sum;/'
}

@test "alias rows: the tail is drawn from its first on, and as if it were all" {
	fault normtree/slowly 's/if \(\*j < tail->first\)/if (false)/' unit/t_normtree_alias
}

@test "alias rows: the last block alone raises a tail" {
	fault normtree/set_tail 's/tail->raise = x > tail->raise \? x : .*/tail->raise = x - 3;/' \
	    unit/t_normtree_alias
}

@test "alias rows: a tail's raise ends at its first place" {
	fault normtree/set_tail 's/ && i > tail->block//' unit/t_normtree_alias
}

@test "alias rows: a tie takes the bits that it has" {
	alias 's/here = dp_load32\(at\) </here = w </'
}

@test "alias rows: a tie is decided by no bits" {
	alias 's/return \(k\.u == threshold\) \| /return /'
}

@test "alias rows: those of the level above" {
	alias 's/alias_row\(a, l, /alias_row(a, l < 8 ? l : 7, /'
}

@test "alias rows: the middle is counted twice" {
	made 's/ >> \(j == 0 && P % 2 == 0\)//'
}

@test "alias rows: AVX2 takes a side from another bit" {
	alias 's/_mm256_srai_epi32\(w, 31\)/_mm256_srai_epi32(_mm256_slli_epi32(w, 1), 31)/'
}

@test "alias rows: used from a run's 4096th step on, not a tree's" {
	faulty_tools normtree/dp_normtree_alias_at \
	    's/a->on = i >= .*/static int n; a->on = n++ >= 8 \&\& a->drawn == 0;/' \
	    normtree 'cut before alias rows' dpcount dpwindow
}

@test "columns side by side: all go on where the first one waits" {
	fault normtree/waiting 's/i \* stride/0 * i * stride/' unit/t_normtree_fill
}

@test "columns side by side: rows long before they pay" {
	fault normtree/dp_normtree_alias_soon 's/\? n : 0/? 8 * n : 0/' unit/t_normtree_fill
}

@test "columns side by side: the first ones' noise for all" {
	fault counter/enter_columns 's/dp_filtered_own\(f, c\)/dp_filtered_own(f, col)/' \
	    unit/t_filtered
}

@test "alias rows: below them nodes have the root's kind" {
	fault normtree/enter_gen 's/\*kind = \(uint16_t\)dp_normtree_alias_kind\(p->alias\);/;/' \
	    unit/t_normtree_fill
}

# rows EDIT: a fault in the variance of windows and decays
rows() {
	fault counter/set_level,sum_after,dp_tally_sum "$1" unit/t_normtree_tally quick
}

# worst EDIT: a fault in the search for its largest
worst() {
	fault counter/may_win,gather,dp_tally_max "$1" unit/t_normtree_tally quick
}

@test "window: both ends in one node, taken apart" {
	rows 's/(W < \(uint64_t\)v->span \? sum - )2 \*/\10 */'
}

@test "decay: older nodes forgotten in the sum" {
	rows 's/node_sum\(v, n\) \+ older_sum\(v, K, n\)/node_sum(v, n)/'
}

@test "decay: a node that ended counts as if its halves weighed the same" {
	rows 's/pow\(root \? half : half \* expm1\(-rate \* B\), 2\)/pow(root ? half : 0, 2)/'
}

@test "decay: the node at hand ends at no weight" {
	rows 's/rate == 0 \? 0 : -unit/0/'
}

@test "largest: candidates are out too soon" {
	worst 's/r->v -= slope \* steps/r->v -= slope * steps \/ 4/'
}

@test "largest: half of the candidates of a block left out" {
	worst 's/= b->begin\[l\] \+ s->n;/= b->begin[l] + (s->n + 1) \/ 2;/'
}

@test "largest: a window's steps before it is full left out" {
	worst 's/ \|\| !run\(\&s, 0, T < W \? T : W\)//'
}
