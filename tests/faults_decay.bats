#!/usr/bin/env bats
# Planted faults in the mechanisms of decayed sums: each must make the suite fail.

load faults

@test "expsum: halved scale" {
	fault mech/expsum.c 's/p, sum, .*/p, sum \/ 2 + 1, 1);/' unit/t_decay
}

@test "expsum: halved scale: epsilon is refuted from outputs alone" {
	fault mech/expsum.c 's/p, sum, .*/p, sum \/ 2 + 1, 1);/' stat/s_decay expsum
}

@test "expsum: the last node of a step forgotten" {
	fault mech/expsum.c 's/T >> m != 0/(m == 0 || T >> m > 1)/' unit/t_decay
}

@test "expsum: a node wasted" {
	fault mech/expsum.c 's/T >> m != 0/2 * T >> m != 0/' unit/t_decay
}

@test "expsum: lags off by one level" {
	fault mech/expsum.c 's/times\(f, k->factor\[l\]\)/times(f, k->factor[l + 1])/' unit/t_decay
}

@test "expsum: a leaf's noise used for the longer nodes" {
	fault mech/expsum.c \
		's/c->open\[b\] \+ z;/c->open[b] + (b > 0 ? (int64_t)c->closed[0] : z);/' \
		unit/t_decay
}

@test "expsum: no noise in the longer nodes" {
	fault mech/expsum.c 's/c->open\[b\] \+ z;/c->open[b] + (b > 0 ? 0 : z);/' \
		stat/s_decay expsum
}

@test "expsum: the node decayed from the wrong end (the paper's index)" {
	fault mech/expsum.c \
	    's/v \* (k->power\[b\]) \+ (\(long double\)c->closed\[b\])/(v + \2) * \1/' \
		unit/t_decay
}

@test "expsum: the mean's recursion" {
	fault mech/expsum.c 's/half = 2 \* half/half = half/' unit/t_decay
}

@test "expsum-paper: a lambda below the sensitivity" {
	fault mech/expsum.c 's/sum < sensitivity\(k, 0\) \? 0 : sum/sum/' unit/t_decay
}

@test "output: halved scale: epsilon is refuted from outputs alone" {
	fault mech/linear.c \
	    's/_weights\(&k->noise, ([^,]*), k->sum,/_weights(\&k->noise, \1, k->sum \/ 2,/' \
		stat/s_decay output
}

@test "output: half of the first lag not charged" {
	fault mech/linear.c \
		's/(_weights\(&k->noise, [^,]*, k->sum),/\1 - weight(k, \&rule->task, 0) \/ 2,/
		s/^\t    weight\(k, &rule->task, 0\)\);/\t    1);/' \
		unit/t_decay
}

@test "output: the oldest value never leaves" {
	fault mech/linear.c 's/raw\[p \+ k->n - d\]/raw[p]/' unit/t_decay
}

@test "polysum: one level too few" {
	fault mech/polysum_plan.c 's/sum\.h \+ 1/sum.h + (b[i].sum.h == 0)/' unit/t_polysum
}

@test "polysum: one level wasted" {
	fault mech/polysum_plan.c 's/sum\.h \+ 1/sum.h + 2/' unit/t_polysum
}

@test "polysum: shares rounded up" {
	fault mech/polysum_plan.c 's/floor\(ldexp/ceil(ldexp/; s/return sum <= whole/return true/' \
		unit/t_polysum
}

@test "polysum: buckets one lag late, as printed" {
	fault mech/polysum_plan.c 's/weight\(k, mid\) >= w/weight(k, mid + 1) >= w/' unit/t_polysum
}

@test "polysum: a bucket of the weight before" {
	fault mech/polysum_plan.c \
		's/b\[i\]\.weight = w;/b[i].weight = i == 0 ? w : w \/ (1 - k->beta);/' \
		unit/t_polysum
}

@test "polysum: buckets fed without delay" {
	fault mech/polysum.c 's/k\+\+, in = out\)/k++, in = *x)/' unit/t_polysum
}

@test "polysum: noise drawn for every bucket from the first's" {
	fault mech/polysum.c 's/&b->noise, rng, t - b->lo/\&p->b[0].noise, rng, t - b->lo/' \
		stat/s_decay polysum
}

@test "window sum: one draw for all intervals that begin together" {
	fault mech/wsum.c 's/z\[root \+ n - 1 - l\]/z[root]/' unit/t_wsum
}

@test "window sum: the older prefix off by one" {
	fault mech/wsum.c 's/\*v\.before - v\.prefix\[j\]/*v.before - v.prefix[j - 1]/' unit/t_wsum
}

@test "window sum: the suffix's first interval left out" {
	fault mech/wsum.c \
	    's/\? suffix_noise\(s, &v, j\)/& - v.first[j]/' \
		unit/t_wsum
}

@test "weights: an increase accepted" {
	fault stream/weights.c 's/g\[n\] > g\[n - 1\]/0/' unit/t_weights
}

@test "polysum: a table of terms read one step too early" {
	fault mech/polysum_parts.c 's/t % p->period/(t - 1) % p->period/' unit/t_polysum
}

@test "polysum: what hardly changes left out of the largest variance" {
	fault mech/polysum_parts.c 's/s->base \+= range\(s, k\) \+/s->base += 0 */' unit/t_polysum
}

@test "polysum: a term fewer in the first block, by its bits" {
	fault mech/polysum_parts.c 's/terms\(p, high\)/terms(p, high - 1)/' unit/t_polysum
}

@test "polysum: a bound without what is in no table" {
	fault mech/polysum_bound.c 's/TABLES \? most : 1\)/TABLES ? 1 : 1)/' unit/t_polysum
}

@test "polysum: a bound of another step" {
	fault mech/polysum_bound.c 's/sum \+ t %/sum + (t + 1) %/' unit/t_polysum
}

@test "polysum: buckets that count left out of a step's variance" {
	fault mech/polysum_error.c 's/< v \* 0x1p-54/< v * 0x1p-24/' unit/t_polysum
}

@test "output: the last power of the series left out" {
	fault mech/task.c 's/\(sum = b\[SERIES\], /(sum = 0, /' unit/t_decay
}

@test "long sum: the oldest block dropped" {
	fault mech/longsum.c 's/j < parts; j\+\+/j + (parts > 1) < parts; j++/' unit/t_longsum
}

@test "long sum: the newest block used twice" {
	fault mech/longsum.c 's/\(m - 1 - j\) % v->parts/(m - 1 - (j > 1 ? 0 : j)) % v->parts/' \
		unit/t_longsum
}

@test "long sum: the last weights left out where they do not fill a part" {
	fault mech/longsum.c 's/\(end - 1\) >> v->log/(end >> v->log) - 1/' unit/t_longsum
}

@test "long sum: not found again after a state was read" {
	fault mech/longsum.c 's/s->t != now/0/' unit/t_filtered
}

@test "long sum: found again without the blocks that are complete" {
	fault mech/longsum.c 's/j < m; j\+\+/j + 1 < m; j++/' unit/t_filtered
}

@test "long sum: two primes for any values" {
	fault mech/longsum.c 's/most != 0 && most < SMALL/true/' unit/t_longsum
}

@test "long sum: weights in units that a word cannot hold" {
	fault mech/longsum.c 's/UNITS\t62/UNITS\t63/' unit/t_longsum
}

@test "long sum: noise forgotten where the largest value is told" {
	fault mech/filtered.c 's/rule->most \+ \(\(b.num.*/rule->most;/' unit/t_filtered
}

@test "long sum: half a unit is always rounded down" {
	fault mech/longsum.c 's/dp_add_noise\(/-1 + dp_add_noise(/' unit/t_longsum
}

@test "long sum: a state file keeps the blocks, too" {
	fault mech/filter.c \
		's/->beside = dp_/->column += dp_/; s/->column \+= f->/->beside = 0 * f->/' \
		unit/t_filtered
}

@test "transform: a product that is not made less than the prime" {
	fault base/ntt.c 's/u < p \? u : u - p/u/' unit/t_longsum
}
