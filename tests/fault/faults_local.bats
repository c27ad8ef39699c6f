#!/usr/bin/env bats
# Planted faults in local randomisers, their coins and their totals: each must make its test fail.

load faults

@test "coin: one threshold bit in the last word" {
	fault noise/coin.c 's/(c->heads = 1 \/ \(1 \+ r\);)/c->word[3] ^= 1; \1/' unit/t_coin
}

@test "coin: odds upside down" {
	fault noise/coin.c \
	    's/(mul_u64\(&h, odds\.)num(.*)/\1den\2/; s/(div_u64\(&h, odds\.)den(.*)/\1num\2/' \
	    unit/t_coin
}

@test "coin: a tie of the first word decides" {
	fault noise/coin.c 's/i < 4; i\+\+/i < 1; i++/' unit/t_coin
}

@test "coin: at the threshold it is heads" {
	fault noise/coin.c 's/\*heads = u < c/*heads = u <= c/' unit/t_coin
}

@test "fair: what is too many is kept" {
	fault noise/coin.c 's/\(uint64_t\)m < -n % n/false/' unit/t_coin
}

@test "coin: what a toss took stays in memory" {
	fault noise/coin.c 's/dp_rng_wipe\(r\);//' unit/t_coin
}

@test "epsilon doubled" {
	fault noise/privacy.c \
	    's/dp_q_make\(share.den, share.num\)/dp_q_make(share.den, 2 * share.num)/' \
	    unit/t_local
}

@test "epsilon doubled: refuted" {
	fault noise/privacy.c \
	    's/dp_q_make\(share.den, share.num\)/dp_q_make(share.den, 2 * share.num)/' \
	    law/s_local rr answers neighbour
}

@test "sensitivity forgotten" {
	fault noise/privacy.c 's/dp_q_make\(p->l1, 1\)\)\) != 0/dp_q_make(1, 1))) != 0/' unit/t_coin
}

@test "rr: kept as if there were one symbol more" {
	fault local/local_rr.c \
	    's/(dp_q_make\(1, 1\), dp_q_make\()l->K - 1, 1/\1l->K, 1/' \
	    unit/t_local_total
}

@test "rr: another symbol may be the true one" {
	fault local/local_rr.c \
	    's/dp_fair\(rng, l->K - 1, /dp_fair(rng, l->K, /; s/other \+= other >= v;//' \
	    unit/t_local
}

@test "rr: another symbol may be the true one: its law is another" {
	fault local/local_rr.c \
	    's/dp_fair\(rng, l->K - 1, /dp_fair(rng, l->K, /; s/other \+= other >= v;//' \
	    law/s_local rr answers law
}

@test "rr: another symbol is never the last one" {
	fault local/local_rr.c 's/other \+= other >= v;/other += other > v;/' unit/t_local
}

@test "rr: debiased by 1 - 2Q, as for two symbols" {
	fault local/local_rr.c \
	    's/l->coin.heads \* -expm1\(-l->coin.x\)/1 - 2 * l->q/' \
	    unit/t_local_total
}

@test "a line that is none is the first symbol" {
	fault local/local.c 's/\(uint64_t\)x : any;/(uint64_t)x : 0;/' unit/t_local
}

@test "a line that is none is never the last symbol" {
	fault local/local.c \
	    's/dp_fair\(rng, l->K, &any\)/dp_fair(rng, l->K - 1, \&any)/' \
	    unit/t_local
}

@test "hr: row 0, which has no minus" {
	fault local/local_hadamard.c 's/u = v \+ 1;/u = v;/' unit/t_local
}

@test "hr: a bit that the row does not have" {
	fault local/local_hadamard.c 's/ & u & -u;/ \& 1;/' unit/t_local
}

@test "hr: too few places" {
	fault local/local_hadamard.c 's/\(uint64_t\)K \+ 1\)/(uint64_t)K)/' unit/t_local
}

@test "hr: supports counted without the answers' number" {
	fault local/local_hadamard.c 's/\(\(int64_t\)n \+ w\[v \+ 1\]\) \/ 2/w[v + 1]/' unit/t_local
}

@test "hr: debiased as if another symbol were never supported" {
	fault local/local_hadamard.c \
	    's/0.5,$/l->coin.tails,/' \
	    unit/t_local_total
}

@test "subset: odds upside down" {
	fault local/local_subset.c \
	    's/dp_q_make\(l->K - l->named, l->named\)/dp_q_make(l->named, l->K - l->named)/' \
	    unit/t_local_total
}

@test "subset: a set of one more" {
	fault local/local_subset.c \
	    's/i = others - \(l->named - 1\)/i = others - l->named/' \
	    unit/t_local
}

@test "subset: the last one drawn is not drawn again" {
	fault local/local_subset.c \
	    's/while \(\(bit\[y \/ 64\] >> y % 64 & 1\) != 0\)/while (false)/' \
	    unit/t_local
}

@test "subset: without Floyd's second choice" {
	fault local/local_subset.c 's/\(void\)enter\(bit, i \+ \(i >= v\)\);/;/' unit/t_local
}

@test "subset by bits: the own symbol may be one of them" {
	fault local/local_subset.c 's/^\t\(void\)leave\(bit, v\);//' law/s_local subset answers law
}

@test "subset by bits: as many as came by themselves" {
	fault local/local_subset.c 's/while \(have != want\)/while (false)/' \
	    law/s_local subset answers law
}

@test "subset by bits: the own symbol is put in to make them enough" {
	fault local/local_subset.c 's/y != v && have/have/' law/s_local subset answers law
}

@test "subset by bits: places that 16 bits reach more often" {
	fault local/local_subset.c 's/\(m & 0xffff\) < s->uneven/false/' \
	    law/s_local subset answers law
}

@test "subset by bits: half a word for all of it" {
	fault local/local_subset.c 's/le64toh\(u\)/(u >> 32 | u >> 32 << 32)/' \
	    law/s_local subset answers law
}

@test "sets: a carry is lost, or what is aside at the end" {
	fault local/local_bits.c 's/a\.set\[i\] = carry;/a.set[i] = 0;/' unit/t_local
	fault local/local_bits.c 's/== FULL/== FULL + 1/' unit/t_local
	fault local/local_bits.c '/^dp_local_support/,/^}/s/^\tempty.*//' unit/t_local
}

@test "sets: what is no digit is one" {
	fault local/local_bits.c "s/BYTES\\('f' \\+ 1\\)/BYTES('f' + 2)/" unit/t_local
	fault local/local_bits.c 's/\*bad \|= c & high;//' unit/t_local
}

@test "variance: that of what no line is, for all" {
	fault local/local.c \
	    's/l->m.answers.none \+ \(l->m.answers.all - .*l->K/l->m.answers.none/' \
	    unit/t_local_total
}

@test "variance of a flipped bit for all" {
	fault noise/law.c 's/l->each != 0 \? l->each :/false ? 0 :/' unit/t_local_total
}

@test "totals: not debiased" {
	fault local/local_total.c 's/ - \(double\)t->n \* t->l->q//' unit/t_local_total
}

@test "totals: debiased by p" {
	fault local/local_total.c \
	    's/\(double\)t->n \* t->l->q/(double)t->n * t->l->p/' \
	    law/s_local rr answers law
}

@test "interval: one side for both" {
	fault local/local_total.c 's/> gamma \/ 2;/> gamma;/' unit/t_local_total
}

@test "interval: by the answers of the symbol alone" {
	fault local/local_total.c 's/m = \(double\)t->n - c;/m = (double)t->n;/' unit/t_local_total
}

@test "text: the first symbol is the lowest bit" {
	fault local/local_bits.c 's/^\t\tb = .*0x33.*/\t\t;/' unit/t_local
}

@test "text: what was never written is taken" {
	fault local/local_bits.c 's/bad \|= w\[i\] >> l->K % 64;//' unit/t_local_total
}

@test "text: a set of another size is taken" {
	fault local/local_bits.c 's/named == 0 \|\| set == named/true/' unit/t_local_total
}

@test "lower bound: twice the rate" {
	fault local/local.c 's/c \/ root, left/2 * c \/ root, left/' unit/t_local_total
}

@test "simplex: one symbol too many is lowered" {
	fault local/local_total.c 's/if \(v > 0 && /if (v > 1 \&\& /' unit/t_local_total
}
