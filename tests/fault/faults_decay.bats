#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in the mechanisms of decayed sums: each must make the suite fail.

load faults

@test "expsum: halved scale" {
	fault paper/set_noise_expsum 's/p, sum, .*/p, sum \/ 2 + 1, 1);/' unit/t_decay
}

@test "expsum: a quarter of the scale: epsilon is refuted from outputs alone" {
	fault paper/set_noise_expsum 's/p, sum, .*/p, sum \/ 4 + 1, 1);/' law/s_decay expsum-paper
}

@test "expsum: lags off by one level" {
	fault paper/absorb 's/times\(f, k->factor\[l\]\)/times(f, k->factor[l + 1])/' unit/t_decay
}

@test "expsum: a leaf's noise used for the longer nodes" {
	fault paper/expsum_step \
		's/c->open\[b\] \+ z;/c->open[b] + (b > 0 ? (int64_t)c->closed[0] : z);/' \
		unit/t_decay
}

@test "expsum: no noise in the longer nodes" {
	fault paper/expsum_step 's/c->open\[b\] \+ z;/c->open[b] + (b > 0 ? 0 : z);/' \
		law/s_decay expsum-paper
}

@test "expsum: the node decayed from the wrong end (the paper's index)" {
	fault paper/expsum_step \
	    's/v \* (k->power\[b\]) \+ (\(long double\)c->closed\[b\])/(v + \2) * \1/' \
		unit/t_decay
}

@test "expsum: the mean's recursion" {
	fault paper/expsum_error 's/half = 2 \* half/half = half/' unit/t_decay
}

@test "expsum-paper: a lambda below the sensitivity" {
	fault paper/decay.c 's/sum < sensitivity_expsum\(k\) \? 0 : sum/sum/' unit/t_decay
}

@test "output: halved scale: epsilon is refuted from outputs alone" {
	fault paper/set_noise_each \
	    's/_weights\(&k->noise, ([^,]*), k->sum,/_weights(\&k->noise, \1, k->sum \/ 2,/' \
		law/s_decay output
}

@test "output: half of the first lag not charged" {
	fault paper/set_noise_each \
		's/(_weights\(&k->noise, [^,]*, k->sum),/\1 - weight_each(k, \&rule->task, 0) \/ 2,/
		s/^\t    weight_each\(k, &rule->task, 0\)\);/\t    1);/' \
		unit/t_decay
}

@test "output: the oldest value never leaves" {
	fault paper/each_step 's/raw\[p \+ k->n - d\]/raw[p]/' unit/t_decay
}

@test "polysum: one level too few" {
	fault paper/fits,dp_buckets_share 's/sum\.h \+ 1/sum.h + (b[i].sum.h == 0)/' unit/t_polysum
}

@test "polysum: one level wasted" {
	fault paper/fits,dp_buckets_share 's/sum\.h \+ 1/sum.h + 2/' unit/t_polysum
}

@test "polysum: shares rounded up" {
	fault paper/round_down,fits \
		's/floor\(ldexp/ceil(ldexp/; s/return sum <= whole/return true/' \
		unit/t_polysum
}

@test "polysum: buckets one lag late, as printed" {
	fault paper/end_of 's/weight\(k, mid\) >= w/weight(k, mid + 1) >= w/' unit/t_polysum
}

@test "polysum: a bucket of the weight before" {
	fault paper/cut \
		's/b\[i\]\.weight = w;/b[i].weight = i == 0 ? w : w \/ (1 - k->beta);/' \
		unit/t_polysum
}

@test "polysum: buckets fed without delay" {
	fault paper/polysum_step 's/k\+\+, in = out\)/k++, in = *x)/' unit/t_polysum
}

@test "polysum: noise drawn for every bucket from the first's" {
	fault paper/polysum_step 's/&b->noise, rng, t - b->lo/\&p->b[0].noise, rng, t - b->lo/' \
		law/s_decay paper
}

@test "window sum: one draw for all intervals that begin together" {
	fault paper/draw 's/z\[root \+ n - 1 - l\]/z[root]/' unit/t_wsum
}

@test "window sum: the older prefix off by one" {
	fault paper/dp_wsum_step 's/\*v\.before - v\.prefix\[j\]/*v.before - v.prefix[j - 1]/' \
	    unit/t_wsum
}

@test "weights: an increase accepted" {
	fault base/line 's/g\[n\] > g\[n - 1\]/0/' unit/t_weights
}

@test "output: the last power of the series left out" {
	fault counter/power_weights 's/\(sum = b\[SERIES\], /(sum = 0, /' unit/t_decay
}

@test "polysum: a bound of half the terms" {
	fault paper/bound 's/(dp_wsum_most\(&b\[k\]\.sum\));/(\1 + 1) \/ 2;/' \
		unit/t_polysum
}
