#!/usr/bin/env bats
# Planted faults in the hat generator: each must make its tests fail, or they prove nothing.

bats_require_minimum_version 1.5.0

load faults

@test "a mask's weight off by one, words" {
	fault bridge/bridge.c 's/part\[0\] \+ 3 \* part\[1\]/2 * part[0] + 3 * part[1]/' \
		unit/t_hats quick
}

@test "a mask's weight off by one, wide" {
	fault bridge/bridge.c 's/\(2 \* j \+ 1\)/(2 * j + 2)/' unit/t_hats quick
}

@test "the first hat not folded" {
	fault bridge/bridge.c 's/total\(z \+ k, half\) \* \(2 \* k\)/total(z + k, half) * k/' \
		unit/t_hats quick
}

@test "the last hat not folded" {
	fault bridge/bridge.c \
		's/total\(z \+ half, half\) \* \(2 \* k\)/total(z + half, half) * k/' \
		unit/t_hats quick
}

@test "the last hat folded one too late" {
	fault bridge/bridge.c 's/J \+ 1 == /J == /' unit/t_hats quick
}

@test "den dropped from the noise's scale" {
	fault bridge/bridge.c 's/p->l1 << b->shape.log2den\[l\]/p->l1/' unit/t_hats quick
}

@test "half the den in the noise's scale" {
	fault bridge/bridge.c \
	    's/(p->l1 <<) (b->shape.log2den\[l\])/\1 (\2 > 0 ? \2 - 1 : 0)/' \
		unit/t_hats quick
}

@test "a draw ahead used twice" {
	fault bridge/bridge.c 's/memcpy\(z, z \+ k, half/memcpy(z, z + k - 1, half/' \
		unit/t_hats quick
}

@test "a draw ahead used twice: its variance" {
	fault bridge/bridge.c 's/memcpy\(z, z \+ k, half/memcpy(z, z + k - 1, half/' stat/s_hats
}

@test "what rises forgotten" {
	fault bridge/bridge.c 's/col->rise\[l\] = rise;/col->rise[l] = 0;/' unit/t_hats quick
}

@test "levels above the next left out: their budget wasted" {
	fault bridge/bridge.c 's/\*c = above \+/*c =/' unit/t_hats quick
}

@test "one level too many in the unit of the offset" {
	fault bridge/bridge.c 's/64 - b->shape.log2b\[up\]/63 - b->shape.log2b[up]/' \
		unit/t_hats quick
}

@test "law: both ends of a window near one node, taken apart" {
	fault bridge/error.c 's/2 \* dp_bridge_cross/0 * dp_bridge_cross/' unit/t_hats quick
}

@test "law: the first segment like the others" {
	fault bridge/level.c 's/from = v->hat \&\& first \? half : 0/from = 0/' unit/t_hats quick
}

@test "sum: older segments of a decay forgotten" {
	fault bridge/level.c 's/return sum \+ older_sum\(v, K, n % span\)/return sum/' \
		unit/t_hats quick
}

@test "maximum: a bound that is too low" {
	fault bridge/climb.c \
		's/(c->inner\[l \+ 1\]\[i\] = )highest/\1.9 * highest/' \
		unit/t_hats quick
}

@test "boxes that stand for hats without a word" {
	fault bridge/bridge.c 's/if \(!s->hats \|\|/if (s->hats || !s->hats ||/' unit/t_hats quick
}

@test "a hat of a shape tried before, left to the top row" {
	fault bridge/search.c 's/s->hat\[l\] = false;//' unit/t_hats quick
}

@test "a block that holds the worst step passed" {
	fault bridge/climb.c 's/c->best \* c->slack - 1e-11/c->best * c->slack * 1.05 - 1e-11/' \
		unit/t_hats quick
}

@test "the worst step of a block left out" {
	fault bridge/digits.c 's/= b->begin\[l\] \+ s.n;/= b->begin[l] + (s.n + 1) \/ 2;/' \
		unit/t_hats quick
}
