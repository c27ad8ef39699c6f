#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Faults in the sketches of how often identifiers came, and in what they share with others.

load faults

@test "phase: an output's noise for half of its range" {
	fault sketch/phase_create 's/rule, 2 \* \(uint64_t\)BOUND/rule, (uint64_t)BOUND/' \
	    unit/t_phase
}

@test "phase: an output's noise for half of its range refutes epsilon" {
	fault sketch/phase_create 's/rule, 2 \* \(uint64_t\)BOUND/rule, (uint64_t)BOUND/' \
	    law/s_phase phase cropped neighbour
}

@test "phase: a weight dropped" {
	fault sketch/term \
	    's/dp_ramp_weight\(&k->bands, r, K, f\)/((int64_t)K << DP_WEIGHT_BITS)/' \
	    unit/t_phase
}

@test "phase: thresholds less by one" {
	fault sketch/sum_exactly 's/size >= r\.tau \? r\.tau/size >= r.tau - 1 ? r.tau - 1/' \
	    unit/t_phase
	fault sketch/phase_scale,sum_exactly,phase_count \
	    's/ramp\(k->what, tau\);$/ramp(k->what, tau - (tau > 1));/' \
	    law/s_phase phase cropped law
}

@test "phase: the foot of the ramp at a third" {
	fault sketch/phase_ramp 's|&dp_heavy \? tau / 2|\&dp_heavy ? tau / 3|' unit/t_phase
	fault sketch/phase_ramp 's|&dp_heavy \? tau / 2|\&dp_heavy ? tau / 3|' \
	    law/s_phase phase heavy law
}

@test "phase: a count that is not turned back before it is told from tau" {
	fault sketch/term 's/cell -= f \* k->mem\.s\.tau;/;/' law/s_phase phase incidence law
}

@test "phase: a cell through a floating-point number" {
	fault sketch/phase_see \
	    's/^(\tc->cell\[i\]) \+= (.*);$/\1 = (uint64_t)((double)\1 + (double)(\2));/' \
	    unit/t_phase
}

@test "phase: a cell drawn again when it is seen" {
	fault sketch/phase_see \
	    's/^(\tc->cell\[i\] \+.*)$/\1 (void)!dp_cell_start(STATE, rng, 0, c->cell + i);/
	    s/STATE,/\&k->mem.state,/' \
	    law/s_phase phase cropped law
}

@test "phase: a cell drawn again when it is asked for" {
	fault sketch/phase_count \
	    's/^(\t+.. sum \+ z is.*)$/\1 (void)!dp_cells_start(\&k->mem, rng, 0, PLACES, k->n);/
	    s/PLACES,/(uint64_t *)col + 2,/' unit/t_phase
}

@test "phase: the gain of a square wave for a cosine" {
	fault sketch/phase_gain 's/\(dp_phase_square\(k\) \? 1 : 2 . 3\.1415[0-9]*\)/1/' \
	    unit/t_phase
}

@test "phase: the square wave where f is not uniform" {
	fault sketch/dp_phase_square 's/(share == 0 && k->mem\.s\.tau) == 1/\1 <= 2/' \
	    law/s_phase phase cropped law
}

@test "phase: the error of steps that are not answered" {
	fault sketch/phase_error 's/t = k->every \* \(answers \* i/t = (answers * i/' \
	    unit/t_phase:lines
}

@test "phase: one multiplier for every cell" {
	fault sketch/multiplier 's/^(\tuint64_t h\[2\]);/\1; i = 0;/' law/s_phase phase mean law
}

@test "phase: buckets of the lower bits" {
	fault sketch/phase_see 's/i = \(uint64_t\)\(\(dp_uwide\)i \* k->n >> 64\)/i = i % k->n/' \
	    unit/t_phase:buckets
}

@test "ramp: a coefficient of the series" {
	fault sketch/sinc 's/0x030d51c8e41b6cdb/0x030d51c8e41b6cdb >> 1/' unit/t_phase
}

@test "ramp: half a turn without its sign" {
	fault sketch/ratio 's/turns % 2 != 0 \? -off : off/off/' unit/t_phase
}

@test "ramp: one side of 0 alone" {
	fault sketch/dp_bands_draw 's/bits\[0\] & 1 \? ~size : size/size/' unit/t_phase
}

@test "ramp: bands of equal masses" {
	fault sketch/dp_bands_make 's/part\[j\] = wish\(.*\);/part[j] = 1;/' unit/t_phase
}

@test "ramp: a peak that is not the highest" {
	fault sketch/dp_bands_peak \
	    's/peak = fmax\(peak, most_of_ramp/peak = fmax(peak, 0.5 * most_of_ramp/' \
	    unit/t_phase
}

@test "cells: the half circle off by a quarter" {
	fault sketch/dp_cell_start 's/ - DP_CELLS_QUARTER;/;/' law/s_phase phase mean law
}

@test "sketch: all of epsilon for memory, and all of it for the answers" {
	fault sketch/look_share 's/dp_q_make\(share.*, WHOLE \* d->looks\)/dp_q_make(1, 1)/' \
	    unit/t_phase:variances
	fault sketch/answer_share 's/: all, WHOLE \* d->k/: all, WHOLE/' unit/t_phase:variances
}

@test "sketch: half for memory, whatever is best" {
	fault sketch/part_of 's/return part < 1 \? 1 :/return true ? WHOLE \/ 2 : 1 > 0 ? 1 :/' \
	    unit/t_phase:split
}

@test "alg2: the constant that the paper has" {
	fault sketch/alg2_count 's/\(M \* \(M - 1\) \+ k->more/(M * (M - 1) \/ 2 + k->more/' \
	    unit/t_alg2
	fault sketch/alg2_count 's/\(M \* \(M - 1\) \+ k->more/(M * (M - 1) \/ 2 + k->more/' \
	    law/s_phase alg2 cropped law
}

@test "alg2: noise for half the range" {
	fault sketch/budget_alg2 's/wide\.l1 \*= k->M - 1;/wide.l1 *= k->M \/ 2;/' unit/t_alg2
}

@test "alg2: the block with odds of the rest" {
	fault sketch/budget_alg2 's/(dp_q_make\(2 \* k->mem\.s\.tau) - 1, 1\)/\1, 1)/' \
	    unit/t_alg2
}

@test "alg2: what wraps counts on" {
	fault sketch/sums 's/const double u = fmax\(0, x - 2 \* tau \+ 1\)/const double u = 0/' \
	    unit/t_alg2
}

@test "alg2: chosen where its error is the smaller one" {
	fault job/compare_all 's/!\(o->traits & DP_TRAIT_NAMED\)/true/' unit/t_alg2
}

@test "times: a lower bound for identifiers that lines cannot hold" {
	fault sketch/lower 's/m = fmin\(m, often > 0 \? floor\(half . often\) : 0\);/;/' \
	    unit/t_phase:lower_bounds
}

@test "continual: noise for one stretch a change" {
	fault sketch/continual_create \
	    's/k->moves \* k->levels, variance_continual/k->moves, variance_continual/' \
	    unit/t_continual
}

@test "continual: what is promised is half of it" {
	fault sketch/continual_create 's/s->presence \? s->updates : 2 \* s->updates/s->updates/' \
	    unit/t_continual
}

@test "continual: a draw stays in memory when its stretch has ended" {
	fault sketch/continual_count 's/^\t\t\tc->eta\[l\] = 0;/;/' unit/t_continual
}

@test "continual: half of all noise refutes epsilon" {
	fault sketch/continual_create 's/all\.every = 0;/& all.privacy.epsilon.num *= 2;/' \
	    law/s_phase continual distinct neighbour
}

@test "continual: one draw for all answers" {
	fault sketch/continual_count 's/if \(begins\(j, l\) &&/if (j == 0 \&\&/' \
	    unit/t_continual
}

@test "continual: one level less" {
	fault sketch/continual_create 's/dp_ceil_log2\(answers\);/dp_ceil_log2(answers) - 1;/' \
	    unit/t_continual
}

@test "continual: answers without end" {
	fault sketch/continual_count 's/j == k->answers/false/' unit/t_continual
}

@test "cells, phase: an answer without entropy for its noise" {
	local draw='s/\(e = dp_draw\(([^()]*)\)\) != 0/(e = dp_draw(\1)) > 0/'

	fault sketch/cells_count "$draw" unit/t_entropy
	fault sketch/phase_count "${draw//dp_draw/dp_noise_fill}" unit/t_entropy
}

@test "phase: identifiers that share a bucket add up to less than they do" {
	fault sketch/dp_phase_meeting 's/(lines \* lines \* c \/ \()2/\18/' unit/t_phase:meets
}

@test "counter: it is told of a unit's values, not of what they move" {
	fault account/dp_privacy_part 's/r\.dry = whole->dry;/& r.cells = whole->cells;/' \
		unit/t_turnstile
}

@test "anew: each look has all of memory's part" {
	fault sketch/look_share 's/(dp_q_make\(share.*, WHOLE) \* d->looks\)/\1)/' \
	    unit/t_anew:budget
}

@test "anew: looks at bits lose less than they do" {
	fault sketch/dp_bits_looks 's/log\(\(2 - H\) \/ h\)/0/' unit/t_anew:enumerate
	fault sketch/dp_bits_looks 's/\(double\)\(j \+ 1\) \* log1p/(double)j * log1p/' \
	    unit/t_anew:budget
	fault sketch/dp_bits_looks 's/log\(H \/ h\)/0/' unit/t_anew:budget
}

@test "anew: memory that is not begun anew refutes epsilon" {
	fault sketch/anew 's/e = flip\(k, rng, c->word, i, 1\);/;/' \
	    law/s_anew anew distinct neighbour
	fault sketch/anew 's/c->word\[i\] \+= place;/;/' law/s_anew anew-cells distinct neighbour
}

@test "anew: a sight after a look draws as before it" {
	fault sketch/anew_see 's/c->word, i, c->looks \+ 1\)/c->word, i, 1)/' \
	    law/s_anew anew distinct law
}

@test "anew: another coefficient, and more looks than are paid for" {
	fault sketch/overlap 's|61\. / 720|16. / 720|' unit/t_anew:coefficients
	fault sketch/anew 's/c->looks == k->mem\.s\.looks/false/' unit/t_anew
}

@test "anew: answers with a quarter of their noise, and bits that begin without any" {
	for m in anew anew-cells; do
		fault sketch/anew_count 's/\(int64_t\)y \+ z\)/(int64_t)y + z \/ 4)/' \
		    law/s_anew $m distinct neighbour
	done
	fault sketch/anew_start 's/return dp_bits_start\(c->word.*/return 0;/' \
	    law/s_anew anew distinct neighbour
}

@test "moved, sample: bits begin without noise" {
	fault sketch/moved_start 's/dp_bits_start\(.*\);/0;/' law/s_moved moved distinct law
	fault sketch/sample_start 's/dp_bits_start\(.*\)/0/' law/s_distinct sample distinct \
	    neighbour
}

@test "moved: memory or comparisons have more than their part" {
	fault sketch/divide_moved 's/dp_q_make\(k->choice\.part, whole\)/dp_q_make(1, 1)/' \
	    unit/t_moved:budget
	fault sketch/divide_moved 's/dp_q_make\(rest \*/dp_q_make(whole */' unit/t_moved:budget
	fault sketch/divide_looks 's/looks\.horizon = k->looks/&\/2/' unit/t_moved:budget
}

@test "moved: a comparison's noise halved, lost, kept or used again; a level falls" {
	fault sketch/look 's/passed\(k, v \+ z\)/passed(k, v + z \/ 2)/' unit/t_moved:levels
	fault sketch/look 's/v -= c->theta\[i\];/v -= i > low ? c->theta[i] : 0;/' \
	    unit/t_moved:levels
	fault sketch/look 's/if \(aligned\(n - 1, i\) && /if (n == 1 \&\& /' \
	    unit/t_moved:stretches
	fault sketch/look 's/if \(aligned\(n, i\)\)/if (0)/' unit/t_moved:stretches
	fault sketch/look 's/if \(level > c->level\)/if (1)/' unit/t_moved:levels
}

@test "moved: comparisons are charged for one move, or none of those that are paid one by one" {
	fault sketch/dp_moved_charge 's/: 2 \* C \+ U/: C + U/' unit/t_moved:enumerate
	fault sketch/dp_moved_charge 's/: 2 \* C \+ U/: 2 * C/' unit/t_moved:enumerate
}

@test "moved: memory with a third of its noise refutes epsilon" {
	fault sketch/divide_moved \
	    's/dp_q_make\((k->choice\.part), whole\)/dp_q_make(3 * \1, whole)/' \
	    law/s_moved moved distinct neighbour
}

@test "moved: the error predicted is that of one look, or without that of bits" {
	fault sketch/highest 's/times\(g->full, g->full\);/;/' law/s_moved moved distinct law
	fault sketch/highest 's/ones\(g, g->part, m - in->d, p\);/;/' \
	    law/s_moved moved distinct law
}

@test "moved: a threshold's noise stays in memory, or is on nothing" {
	fault sketch/look 's/c->theta\[i\] = 0/;/' unit/t_moved:levels
	fault sketch/look 's/v -= c->theta\[i\]/;/' unit/t_moved:levels
}

@test "moved: what is printed has not moved when it should" {
	fault sketch/look 's/level > c->level/level > c->level + 3/' \
	    law/s_moved moved distinct law
	fault sketch/plan_moved 's/off\.drift = drift\(k\)/&\/4/' unit/t_moved:layout
}

@test "sample: no permutation, a sample of other places, or one that is not weighed" {
	fault sketch/sample_see \
	    's/place = place_of\(.*$/place = id->word[0] * 7 % k->mem.s.universe;/' \
	    unit/t_sample:pairs
	fault sketch/place_of 's/right = h;/right = h \& right;/' unit/t_sample:permutation
	fault sketch/weight_sample \
	    's/return \(double\)k->mem\.s\.universe \/ /return (double)k->n \/ /' \
	    law/s_distinct sample distinct law
}

@test "sample: what is sampled has no variance, or there is little noise" {
	fault sketch/law_sample 's/sqrt\(4 \* sampling\(k\) \/ n\)/0/' \
	    unit/t_sample:oracles
	fault sketch/sample_count 's/\(int64_t\)y \+ z/(int64_t)y + z \/ 4/' \
	    law/s_distinct sample distinct neighbour
}

@test "intervals of hashed identifiers and of samples: less of what is not noise" {
	fault sketch/dp_levels_law 's/fmax\(dp_levels_variance/.65 * fmax(dp_levels_variance/' \
		law/s_coverage
	fault sketch/law_sample 's/n, k->odds\.p\);/n * .5, k->odds.p);/' law/s_coverage
}

@test "modular: counts begin anywhere, or the answer has little noise" {
	fault sketch/modular_start 's/heads \? 0 :/false ? 0 :/' unit/t_modular:starts
	fault sketch/budget_modular 's/privacy, state,/privacy, dp_q_make(2, 1),/' \
	    law/s_modular modular incidence neighbour
	fault sketch/modular_count 's/\(int64_t\)y \+ z/(int64_t)y + z \/ 4/' \
	    law/s_modular modular incidence neighbour
}

@test "modular: another gain, and what is undone is done" {
	fault sketch/modular_create 's/\/ \(expm1\(k->zero\.x\) \+ \(double\)s->modulo\)/\/ 4/' \
	    law/s_modular modular incidence law
	fault sketch/modular_see 's/id->sign < 0 \?/false ?/' unit/t_modular:exactly
}

@test "alg3: each sum has all of the budget, or only one is seen" {
	fault sketch/create_part 's/dp_q_make\(1, 2\)/dp_q_make(1, 1)/' unit/t_alg3:budget
	fault sketch/create_part 's/tau_of\(k, i\);$/k->s.tau;/' unit/t_alg3:counts
	fault sketch/alg3_see,alg3_answer 's/i < 2 && e == 0; i\+\+\)/i < 1 \&\& e == 0; i++)/' \
	    law/s_alg3 alg3 heavy law
}

@test "alg3: sums with an eighth of their noise refute epsilon" {
	fault sketch/create_part 's/return dp_part_create/inner.privacy.epsilon.num *= 8; &/' \
	    law/s_alg3 alg3 heavy neighbour
}

@test "the least error besides a factor: twice as much, or without delta" {
	fault sketch/dp_sketch_additive 's/\(ceil\(x\) - 1\) \/ 2/(ceil(x) - 1)/' \
	    unit/t_additive:attained
	fault sketch/dp_sketch_additive 's/gamma \+ delta \/ expm1\(epsilon\)/gamma/' \
	    unit/t_additive:steps
}

@test "ams: lines after the last answer are seen: one stretch more" {
	fault sketch/ams_see 's/ && c->answers < k->answers//' unit/t_ams
	fault sketch/ams_see 's/ && c->answers < k->answers//' law/s_ams ams f2 neighbour
}

@test "ams: a cell that begins without noise; a stretch that is held, or drawn, too late" {
	fault sketch/ams_start 's/rng, &c->cell\[.*\]/rng, \&(int64_t){ 0 }/' \
	    law/s_ams ams f2 neighbour
	fault sketch/number 's/if \(begins\(j \+ 1, l\)\)/if (0)/' unit/t_ams
	fault sketch/number 's/if \(begins\(j, l\) \&\&/if (begins(j + 1, l) \&\&/' unit/t_ams
}

@test "ams: draws of half the levels; of one line where there are w of them" {
	fault sketch/cost 's/k->levels \+/1 + k->levels \/ 2 +/' unit/t_ams
	fault sketch/cost 's/ \+ \(k->answers.*;/;/' unit/t_ams
	fault sketch/ams_create 's/2 \* s->updates/s->updates/' unit/t_ams
}

@test "ams: noise that is not taken off, an error without its squares, an interval too narrow" {
	fault sketch/ams_count 's/sum - .*noise_of\(k\)\)/sum)/' law/s_ams ams f2 law
	fault sketch/law_ams 's/double rest = noise_of_squares\(k\)/double rest = 0/' unit/t_ams
	fault sketch/ams.c 's/const double a = gamma/const double a = 4 * gamma/' unit/t_ams
}

@test "ams: identifiers of one bucket count with one sign" {
	fault sketch/ams_see 's/id->word\[1\] & 1/0 \& 1/' unit/t_ams
}

@test "phase-levels: all in one level; levels weighed as one; one chosen where its noise is low" {
	fault sketch/level_of 's/id->word\[1\]/id->word[0]/' unit/t_phase
	fault sketch/together 's/first, 2\)/first, 1)/' law/s_phase phase-levels cropped law
	fault sketch/together 's/\(void\)largest.*/for (first = 0; first + 1 < k->levels \&\& '`
		`'y[first] > FULL * (double)k->n; first++) ;/' law/s_phase phase-levels cropped law
}

@test "phase-levels: noise of half the levels" {
	fault sketch/phase_count \
	    's/rng, z, k->levels\)/rng, z, 1)/; s/dp_wide sum;/&z[1] = z[2] = 0;/' unit/t_phase
}
