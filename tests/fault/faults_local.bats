#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in local randomisers, their coins and their totals: each must make its test fail.

load faults

@test "coin: one threshold bit in the last word" {
	fault random/dp_coin_make 's/(c->heads = 1 \/ \(1 \+ r\);)/c->word[3] ^= 1; \1/' unit/t_coin
}

@test "coin: odds upside down" {
	fault random/dp_coin_make \
	    's/(mul_u64\(&h, odds\.)num(.*)/\1den\2/; s/(div_u64\(&h, odds\.)den(.*)/\1num\2/' \
	    unit/t_coin
}

@test "coin: a tie of the first word decides" {
	fault random/dp_coin_toss 's/i < 4; i\+\+/i < 1; i++/' unit/t_coin
}

@test "coin: at the threshold it is heads" {
	fault random/dp_coin_toss 's/\*heads = u < c/*heads = u <= c/' unit/t_coin
}

@test "fair: what is too many is kept" {
	fault random/dp_fair 's/\(uint64_t\)m < -n % n/false/' unit/t_coin
}

@test "coin: what a toss took stays in memory" {
	fault random/word 's/dp_rng_wipe\(r\);//' unit/t_coin
}

@test "epsilon doubled" {
	fault account/dp_privacy_coin \
	    's/dp_q_make\(share.den, share.num\)/dp_q_make(share.den, 2 * share.num)/' \
	    unit/t_local
}

@test "epsilon doubled: refuted" {
	fault account/dp_privacy_coin \
	    's/dp_q_make\(share.den, share.num\)/dp_q_make(share.den, 2 * share.num)/' \
	    law/s_local rr answers neighbour
}

@test "sensitivity forgotten" {
	fault account/dp_privacy_coin 's/dp_q_make\(p->l1, 1\)\)\) != 0/dp_q_make(1, 1))) != 0/' \
	    unit/t_coin
}

@test "rr: kept as if there were one symbol more" {
	fault sketch/rr_create \
	    's/dp_q_make\(l->K - 1, 1\)/dp_q_make(l->K, 1)/' \
	    unit/t_local_total
}

@test "rr: another symbol may be the true one" {
	fault sketch/rr_step \
	    's/dp_fair\(rng, l->K - 1, /dp_fair(rng, l->K, /; s/other \+= other >= v;//' \
	    unit/t_local
}

@test "rr: another symbol may be the true one: its law is another" {
	fault sketch/rr_step \
	    's/dp_fair\(rng, l->K - 1, /dp_fair(rng, l->K, /; s/other \+= other >= v;//' \
	    law/s_local rr answers law
}

@test "rr: another symbol is never the last one" {
	fault sketch/rr_step 's/other \+= other >= v;/other += other > v;/' unit/t_local
}

@test "rr: debiased by 1 - 2Q, as for two symbols" {
	fault sketch/rr_create \
	    's/l->coin.heads \* -expm1\(-l->coin.x\)/1 - 2 * l->q/' \
	    unit/t_local_total
}

@test "a line that is none is the first symbol" {
	fault sketch/dp_local_symbol 's/\(uint64_t\)x : any;/(uint64_t)x : 0;/' unit/t_local
}

@test "a line that is none is never the last symbol" {
	fault sketch/dp_local_symbol \
	    's/dp_fair\(rng, l->K, &any\)/dp_fair(rng, l->K - 1, \&any)/' \
	    unit/t_local
}

@test "hr: row 0, which has no minus" {
	fault sketch/hadamard_step 's/u = v \+ 1;/u = v;/' unit/t_local
}

@test "hr: a bit that the row does not have" {
	fault sketch/hadamard_step 's/ & u & -u;/ \& 1;/' unit/t_local
}

@test "hr: too few places" {
	fault sketch/places_hadamard 's/\(uint64_t\)K \+ 1\)/(uint64_t)K)/' unit/t_local
}

@test "hr: supports counted without the answers' number" {
	fault sketch/support 's/\(\(int64_t\)n \+ w\[v \+ 1\]\) \/ 2/w[v + 1]/' unit/t_local
}

@test "hr: debiased as if another symbol were never supported" {
	fault sketch/hadamard_create \
	    's/0.5,$/l->coin.tails,/' \
	    unit/t_local_total
}

@test "subset: odds upside down" {
	fault sketch/subset_create \
	    's/dp_q_make\(l->K - l->named, l->named\)/dp_q_make(l->named, l->K - l->named)/' \
	    unit/t_local_total
}

@test "subset: a set of one more" {
	fault sketch/draw_few \
	    's/i = others - \(l->named - 1\)/i = others - l->named/' \
	    unit/t_local
}

@test "subset: the last one drawn is not drawn again" {
	fault sketch/subset_step \
	    's/while \(\(bit\[y \/ 64\] >> y % 64 & 1\) != 0\)/while (false)/' \
	    unit/t_local
}

@test "subset: without Floyd's second choice" {
	fault sketch/draw_few 's/\(void\)enter\(bit, i \+ \(i >= v\)\);/;/' unit/t_local
}

@test "subset by bits: the own symbol may be one of them" {
	fault sketch/draw_many 's/^\t\(void\)leave\(bit, v\);//' law/s_local subset answers law
}

@test "subset by bits: as many as came by themselves" {
	fault sketch/draw_many 's/while \(have != want\)/while (false)/' \
	    law/s_local subset answers law
}

@test "subset by bits: the own symbol is put in to make them enough" {
	fault sketch/draw_many 's/y != v && have/have/' law/s_local subset answers law
}

@test "subset by bits: places that 16 bits reach more often" {
	fault sketch/place_subset 's/\(m & 0xffff\) < s->uneven/false/' \
	    law/s_local subset answers law
}

@test "subset by bits: half a word for all of it" {
	fault sketch/draw_words 's/le64toh\(u\)/(u >> 32 | u >> 32 << 32)/' \
	    law/s_local subset answers law
}

@test "sets: a carry is lost, or what is aside at the end" {
	fault sketch/dp_local_add 's/a\.set\[i\] = carry;/a.set[i] = 0;/' unit/t_local
	fault sketch/dp_local_add 's/== FULL/== FULL + 1/' unit/t_local
	fault sketch/dp_local_support '/^dp_local_support/,/^}/s/^\tempty.*//' unit/t_local
}

@test "sets: what is no digit is one" {
	fault sketch/number_of "s/BYTES\\('f' \\+ 1\\)/BYTES('f' + 2)/" unit/t_local
	fault sketch/number_of 's/\*bad \|= c & high;//' unit/t_local
}

@test "variance: that of what no line is, for all" {
	fault sketch/variance_local \
	    's/l->m.answers.none \+ \(l->m.answers.all - .*l->K/l->m.answers.none/' \
	    unit/t_local_total
}

@test "variance of a flipped bit for all" {
	fault law/dp_law_variance 's/l->each != 0 \? l->each :/false ? 0 :/' unit/t_local_total
}

@test "totals: not debiased" {
	fault sketch/dp_totals_estimate 's/ - \(double\)t->n \* t->l->q//' unit/t_local_total
}

@test "totals: debiased by p" {
	fault sketch/dp_totals_estimate \
	    's/\(double\)t->n \* t->l->q/(double)t->n * t->l->p/' \
	    law/s_local rr answers law
}

@test "interval: one side for both" {
	fault sketch/may_be 's/> gamma \/ 2;/> gamma;/' unit/t_local_total
}

@test "interval: by the answers of the symbol alone" {
	fault sketch/may_be 's/m = \(double\)t->n - c;/m = (double)t->n;/' unit/t_local_total
}

@test "text: the first symbol is the lowest bit" {
	fault sketch/put_bytes 's/^\t\tb = .*0x33.*/\t\t;/' unit/t_local
}

@test "text: what was never written is taken" {
	fault sketch/read_set 's/bad \|= w\[i\] >> l->K % 64;//' unit/t_local_total
}

@test "text: a set of another size is taken" {
	fault sketch/read_set 's/named == 0 \|\| set == named/true/' unit/t_local_total
}

@test "lower bound: twice the rate" {
	fault sketch/dp_local_lower 's/c \/ root, left/2 * c \/ root, left/' unit/t_local_total
}

@test "simplex: one symbol too many is lowered" {
	fault sketch/dp_totals_level 's/if \(v > 0 && /if (v > 1 \&\& /' unit/t_local_total
}

@test "numbers: the band drawn for twice epsilon: refuted" {
	fault sketch/dp_local_coin 's/dp_q_make\(1, l->m\.answers\.each\)/dp_q_make(1, 1)/' \
	    law/s_value
}

@test "numbers: the cells outside begin one early" {
	fault sketch/cells_step 's/out >= s \? W : 0/out > s ? W : 0/' law/s_value piecewise
}

@test "numbers: rounded down, not at random" {
	fault sketch/cells_step 's/\(u < \(uint64_t\)\(at % N\)\)/(u > N)/' law/s_value duchi
}

@test "numbers: odds of another band" {
	fault sketch/dp_value_cells 's/dp_q_make\(M - W, W\)/dp_q_make(M - W, W + 1)/' \
	    law/s_value piecewise
}

@test "numbers: the variance between two places left out" {
	fault sketch/dp_value_cells 's/l->gap \* l->gap \* f \* \(1 - f\)/0/' law/s_value duchi
}

@test "numbers: told by cells that are one too many" {
	fault sketch/dp_value_cells 's/N \/ \(\(c - w\) \* l->gap\)/N \/ (c * l->gap)/' \
	    law/s_value piecewise
}

@test "numbers: noise for a range of half" {
	fault sketch/noise_create 's/&rule->privacy, a->width/\&rule->privacy, a->width \/ 2/' \
	    law/s_value laplace
}

@test "numbers: an interval of one standard deviation" {
	fault sketch/dp_totals_sum 's/L = log\(2 \/ gamma\)/L = .5/' law/s_value piecewise
}

@test "numbers: an answer of other cells is taken" {
	fault sketch/value_add 's/n != s\.n \|\| memcmp\(text, s\.p, n\) != 0/false/' law/s_value
}
