#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in the largest of many columns, in what predicts its loss, and in how a line
# becomes columns: each must make its test fail.

load faults

@test "fingerprints: what a delta misses left out of the bound" {
	fault stat/fingerprints 's/delta \* \(1 \+ exp/0 * (1 + exp/' unit/t_maxsum:fingerprinted
}

@test "fingerprints: half of what a record tells" {
	fault stat/fingerprints 's/sinh\(eps\)/sinh(eps \/ 2)/' unit/t_maxsum:fingerprinted
}

@test "fingerprints: runs whose loss is larger forgotten" {
	fault stat/fingerprints 's/- c \/ 2 - lost/- c \/ 2/' unit/t_maxsum:fingerprinted
}

@test "fingerprints: of a choice only the sure ones" {
	fault stat/fingerprints 's/\.5 - c \* c - 2 \* c \/ n/.5/' unit/t_maxsum:fingerprinted
}

@test "fingerprints: twice the records that there are steps for" {
	fault stat/dp_maxsum_traced 's/T \/ \(2 \* d\)/T \/ d/' unit/t_maxsum:fingerprinted
}

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
}

# faulty_tool FILE SED: dpmaxsum with that fault, the only one of its name in PATH
faulty_tool() {
	plant "$1" "$2" "$BATS_TEST_TMPDIR"
	link "$BATS_TEST_TMPDIR/dpmaxsum" "$DP_BUILD/cmd/dpmaxsum.o" "$BATS_TEST_TMPDIR/fault.o"
	PATH=$BATS_TEST_TMPDIR:$PATH
}

@test "columns: one noise for all columns" {
	fault stat/columns_step \
	    's/stride, n, rng, t/stride, n, \&(struct dp_rng){ .kind = 0 }, t/' unit/t_maxsum
}

@test "columns: all columns step in the first one's place" {
	fault stat/columns_step 's/m->part->stride/0/' \
	    unit/t_maxsum
}

@test "columns: side by side, noise of the first one alone is drawn in time" {
	fault counter/count_columns 's/i == 0 \&\& !together/k == 0 \&\& i == 0 \&\& !together/' \
	    unit/t_filtered
}

@test "columns: every other column reads its neighbour's noise" {
	fault stat/look_for_first 's/y\[i \+ l\]/y[(i + l) \& ~(size_t)1]/' \
	    unit/t_maxsum
}

@test "columns: a state's columns are not looked at" {
	fault counter/dp_part_valid,dp_parts_valid 's/return false;/return true;/' unit/t_maxsum
}

@test "choice: a stale place" {
	fault stat/raise_first \
	    's/a->place \^= .*/a->place |= a->place == 0 ? place \& larger : 0;/' unit/t_maxsum
}

@test "choice: of equal sums the last" {
	fault stat/raise_first 's/\(a->sum - sum\) >> 127/(a->sum - sum - 1) >> 127/' \
	    unit/t_maxsum
}

@test "choice: of equal sums that were looked for abreast any" {
	fault stat/look_for_first 's/before = .*/before = 0;/' unit/t_maxsum
}

@test "choice: the last columns, fewer than are abreast, forgotten" {
	fault stat/look_for_first 's/for \(; i < n; i\+\+\)/for (; i < n \&\& n < 7; i++)/' \
	    unit/t_maxsum
}

@test "value: the chosen column's sum is the last one's" {
	fault stat/raise_first 's/a->sum \^= .*/a->sum = sum;/' unit/t_maxsum
}

@test "columns: planned as if one unit moved one column by one" {
	fault stat/inner_rule 's/own\.inputs = 1;/own.inputs = 1; own.privacy.l1 = 1;/' \
	    unit/t_maxsum
}

@test "tree: Gaussian noise for one level" {
	fault counter/make_gauss 's/shift = sqrt\(\(double\)k->h \*/shift = sqrt(1.0 */' \
	    unit/t_maxsum
}

@test "tree: Gaussian noise half as wide as planned" {
	fault counter/tree_step 's/(\*est = dp_add_noise\(c->count, noise, k->s)/\1 + 1/' \
	    law/s_maxsum tree maxsum law
}

@test "tree: a larger Gaussian for the smaller Laplace" {
	fault stat/create_counters 's/second < first/second > first/' unit/t_maxsum
}

@test "loss: one tail of two" {
	fault stat/class_tails 's/leader = fmin\(.*\);/leader = 0;/' unit/t_maxsum
}

@test "loss: one column for all" {
	fault stat/dp_maxsum_error 's/VALUE \? \(double\)D : 0/VALUE ? 1 : 0/' \
	    law/s_maxsum tree maxsum loss
}

@test "loss: a rival's noise without the leader's" {
	fault stat/double_law 's/term\[i\]\.n \*= 2/term[i].n *= 1/' law/s_maxsum tree maxsum loss
}

@test "loss: one step for all" {
	fault stat/take_samples \
	    's/s->steps = \(double\)T \/ \(double\)n/s->steps = 1 \/ (double)n/' \
	    law/s_maxsum tree maxsum loss
}

@test "loss: a first time is never counted twice, nor is the rest" {
	fault stat/first 's/return fmax\(0, erfc.*/return 0.01;/' law/s_maxsum kary maxsum loss
}

@test "loss: every step is a first time" {
	fault stat/first 's/return fmax\(0, erfc.*/return 1.0;/' unit/t_maxsum
}

@test "blend: kary's full digit does not start over" {
	fault counter/blend 's/(grows && i < k->h - 1 && d == h)\)/\1 + 1)/' unit/t_maxsum
}

@test "tail: the cumulant's second derivative without its square" {
	fault law/add_term 's/\(q2 \/ left \+ q1 \* q1\)/(q2 \/ left)/' unit/t_saddle
}

@test "tail: the first order alone" {
	fault law/tail_saddle 's/\* \(1 \/ u - 1 \/ w\)/* 0/' unit/t_saddle
}

@test "tails of a law of grains: twice as far; of one side both" {
	fault law/dp_law_tails 's/unit = v\.grain \* sqrt.*/unit = 2 * v.grain;/' \
	    unit/t_normtree_wave:grains
	fault law/dp_law_tails 's/log\(p \/ 2\)/log(p)/' unit/t_normtree_wave:grains
}

@test "the form of a law: a difference is as wide as one of the two" {
	fault stat/step_tail 's/y \* M_SQRT1_2/y/' law/s_maxsum normtree maxsum loss
}

@test "the form of a law: every step is the worst" {
	fault stat/classify,step_tail \
	    's/p->sample\[c->begin\]\.variance\)/p->sample[0].variance)/' \
		law/s_maxsum normtree maxsum loss
}

@test "normtree: two estimates in a row have nothing in common" {
	fault normtree/count_blend 's/now \* next \* \(before \+ after - step\)/0/' unit/t_maxsum
}

@test "lower bound: twice as many inputs as there are" {
	fault stat/packed 's/n \* M_LN2 - k \* eps/2 * n * M_LN2 - k * eps/' unit/t_maxsum
}

@test "lower bound: more columns than a record has ones" {
	fault stat/packing 's/(most = s->columns) < s->ones .*/\1;/' unit/t_maxsum
}

@test "margin: a challenger that leads at all leads" {
	fault stat/keep_columns 's/\(held \+ margin - most\)/(held - most)/' unit/t_maxsum
}

@test "margin: the sum of the column beside the kept one" {
	fault stat/columns_step \
	    's/held = y\[lead->place - 1 - j\]/held = y[(lead->place - j) % n]/' unit/t_maxsum
}

@test "margin: a state's leader is not looked at" {
	fault stat/columns_valid 's/lead_of\(m, col\)->place <= m->inputs/true/' unit/t_maxsum
}

@test "margin: in the units of values, where sums have decimals" {
	fault stat/margin_of 's/(floor\(dp_q_double\(s->margin\)) \* units/\1/' unit/t_maxsum
}

@test "margin: what may be lost leaves it out" {
	fault stat/finish 's/m->off.margin = .*/m->off.margin = 0;/' unit/t_maxsum
}

@test "margin: of one column, not of a difference of two" {
	fault stat/margin_of 's/sqrt\(2 \* e\.mean\)/sqrt(e.mean)/' \
	    law/s_leader normtree maxsum loss
}

@test "leader of a window: one unit moves one column by one" {
	fault stat/inner_rule \
	    's/own\.task\.own = NULL/own.privacy.l1 = own.privacy.l2squared = 1/' \
	    unit/t_maxsum
}

@test "losses by tails: two columns are one" {
	fault stat/tails_of_two \
	    's/upper_losses\(one, x \* M_SQRT2 \+ at\)/upper_losses(one, x * M_SQRT2)/' \
	    unit/t_maxsum
}

@test "lower bound: groups take the steps of one stage" {
	fault stat/group_records 's/floor\(k == 1 \? T : T \/ \(2 \* \(double\)k\)\)/T/' \
	    unit/t_maxsum
}

@test "lower bound: a group has as many secrets as there are columns" {
	fault stat/group_records 's/log2\(\(double\)\(columns \/ k\)\)/log2((double)columns)/' \
	    unit/t_maxsum
}

@test "lower bound: streams that a ceiling rules out" {
	fault stat/maxsum_lower_bound 's/s->below \|\| s->ceiling != 0/s->below/' unit/t_maxsum
}

@test "lower bound: delta is free" {
	fault stat/packed 's/delta > 0 \? delta \*/delta > 2 ? delta */' unit/t_maxsum
}

# a line that --ones forbids, in front of one that it allows
oversize() {
	printf '1 1 1\n1 0 0\n2:1 3:1 1:1\n' >in
	dpmaxsum -e inf --columns=3 --ones=2 --both in 2>/dev/null | tr '\t\n' '= '
}

@test "a row with more ones than --ones is not skipped: cut, or taken whole" {
	[ "$(oversize)" = '1=0 1=1 1=1 ' ]
	faulty_tool input/add 's/return "more numbers other than 0 .*/return NULL;/'
	[ "$(oversize)" != '1=0 1=1 1=1 ' ]
}

@test "a row with more ones than --ones is taken whole by the short way" {
	faulty_tool input/read_digits 's/if \(n == t->ones\)/if (n == t->width)/'
	[ "$(oversize)" != '1=0 1=1 1=1 ' ]
}

@test "an index twice in a line counts twice" {
	printf '1:1 1:1\n' >in
	[ "$(dpmaxsum -e inf --columns=2 in 2>/dev/null)" = 0 ]
	faulty_tool input/add 's/return "an index is given twice";/;/'
	[ "$(dpmaxsum -e inf --columns=2 in 2>/dev/null)" != 0 ]
}

@test "sensitivity: one one where a line may have two" {
	faulty_tool job/relation 's/(r\.ones =) o->keys\.ones != 0 .*/\1 1;/'
	dpmaxsum -e 1 -T 9 --columns=50 --ones=7 --explain=json | jq -e '.sensitivity != 14'
}

@test "-B: the noise of one column for the largest of all" {
	seq 9 | sed 's/.*/0 0 0/' >in
	dpmaxsum -e 1 -T 9 --seed=1 --columns=3 -M tree -B in 2>/dev/null >right
	faulty_tool stat/finish 's/worst_of = \(\(double\)rule->inputs \+ 1\) \/ 2/worst_of = 1/'
	dpmaxsum -e 1 -T 9 --seed=1 --columns=3 -M tree -B in 2>/dev/null >wrong
	run -1 diff -q right wrong
}

@test "columns: one that is far behind draws nothing" {
	fault counter/count_columns \
	    's/if \(i == 0 && !together && /if (i == 0 \&\& !together \&\& x[k] < 500 \&\& /' \
	    unit/t_maxsum
}
