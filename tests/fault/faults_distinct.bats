#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in the sketches of identifiers: each must make the suite fail.

load faults

@test "sketch: every answer has the memory's share as well" {
	fault sketch/answer_share 's/: all, WHOLE \* d->k/: WHOLE, WHOLE * d->k/' unit/t_cells
}

@test "sketch: the answers are not counted" {
	fault sketch/answer_share 's/: all, WHOLE \* d->k/: all, WHOLE/' unit/t_hashed
}

@test "sketch: memory and answers interchange their shares" {
	fault sketch/part_of 's/return part < 1 \? 1/return part > 0 ? WHOLE - part/' unit/t_cells
}

@test "sketch: an even division of the budget" {
	fault sketch/divide_sketch_divide 's/if \(p->exact\)/if (true)/' unit/t_cells
}

@test "bits: that are drawn again leave more than they do, or cells as much" {
	fault sketch/answers_loss 's/- log1p\(-p\)/- 2 * log1p(-p)/' unit/t_density
	fault sketch/hashed_create 's/redrawn = bits/redrawn = true/' unit/t_hashed
}

@test "memory: many answers with the Gaussian noise of one, or of all of epsilon" {
	fault sketch/gauss_part 's/most \* sqrt\(\(double\)d->k\)/most/' unit/t_memory
	fault sketch/gauss_part 's/dp_q_make\(WHOLE - part, WHOLE\), &/dp_q_make(1, 1), \&/' \
	    unit/t_memory
}

@test "sketch: zero counts as above zero" {
	fault sketch/dp_sketch_flip 's/\*flip = z > 0/*flip = z >= 0/' unit/t_cells
}

@test "sketch: a lower bound of all the lines" {
	fault sketch/distinct_lower 's/T \/ 2/T/g' unit/t_cells
}

@test "moved: a density whose errors, or bound, are the number's" {
	fault sketch/plan_moved 's/k->square \*= .*/;/' unit/t_moved
	fault sketch/plan_moved 's/drawn\.unit \*= k->unit/drawn.unit *= 1/' unit/t_moved
	fault sketch/moved_count 's/\/ 2 \* k->unit/\/ 2/' unit/t_moved
}

@test "cells: multipliers are even" {
	fault sketch/dp_cells_see 's/f <<= shift;/f <<= shift + 1;/' unit/t_cells
}

@test "cells: IN is off by one" {
	fault sketch/cells_count \
	    's/dp_cell_out\(c->cell\[i\]\)/dp_cell_out(c->cell[i] + 1)/' unit/t_cells
}

@test "cells: begun anywhere on the circle" {
	fault sketch/dp_cell_start 's/w = w >> 1 \| \(uint64_t\)out << 63;//' unit/t_cells
}

@test "cells: begun anywhere on the circle: their law" {
	fault sketch/dp_cell_start 's/w = w >> 1 \| \(uint64_t\)out << 63;//' law/s_distinct cells
}

@test "cells: begun in the middle of a half: epsilon is refuted from memory" {
	fault sketch/dp_cell_start \
	    's/w = w >> 1 \|/w = w >> 3 |/' law/s_distinct cells distinct neighbour
}

@test "cells: no noise on the answer" {
	fault sketch/cells_count 's/\(int64_t\)y \+ z/(int64_t)y/' unit/t_cells
}

@test "cells: half the noise on the answer: epsilon is refuted" {
	fault sketch/cells_count 's/\(int64_t\)y \+ z/(int64_t)y + z \/ 2/' \
		law/s_distinct cells distinct neighbour
}

@test "cells: what is undone is done again" {
	fault sketch/dp_cells_see 's/id->sign < 0 \? -f : f/f/' unit/t_cells
}

@test "cells: the last one is left out" {
	fault sketch/cells_count 's/for \(i = 0; i < n; i\+\+\)\n*/for (i = 1; i < n; i++)/' \
		law/s_distinct cells
}

@test "cells: odds of one half too many" {
	fault sketch/dp_cell_odds 's/tanh\(eps \/ 2\) \/ 2/tanh(eps \/ 2)/' law/s_distinct cells
}

@test "cells: predicted for none of the identifiers" {
	fault sketch/dp_cells_law 's/dp_law_flip\(l, unit, seen, 0\.5\)/(void)seen/' unit/t_cells
}

@test "density: a bit is drawn at its first sight only" {
	fault sketch/dp_bits_see \
	    's/if \(e == 0\)$/if (e == 0 \&\& (word[place \/ 64] >> place % 64 \& 1) == 0)/' \
		unit/t_density
}

@test "density: bits are set, not drawn: epsilon is refuted from memory" {
	fault sketch/dp_bits_see 's/set\(word, place, !zero\)/set(word, place, true)/' \
		law/s_distinct density distinct neighbour
}

@test "hashed: the best of a row of points is the answer" {
	fault sketch/dp_levels_likeliest 's/i < STEPS/i < 0/' unit/t_hashed
}

@test "density: bits begin as 0" {
	fault sketch/dp_bits_start 's/set\(word, i \+ j, z\[j\] > 0\)/set(word, i + j, false)/' \
	    unit/t_density
}

@test "density: half of the noise on the answer: epsilon is refuted" {
	fault sketch/density_count 's/\(int64_t\)y \+ z/(int64_t)y + z \/ 2/' \
		law/s_distinct density distinct neighbour
}

@test "density: bits counted from the next word on" {
	fault sketch/dp_bits_count 's/i % 64 != 0; i\+\+/i % 64 > 1; i++/' unit/t_density
}

@test "density: undone" {
	fault sketch/dp_sketch_refuse_deletes \
	    's/return s->deletes \? "cannot/return false ? "cannot/' \
		unit/t_density
}

@test "hashed: the hash of half an identifier" {
	fault sketch/place_hashed 's/sizeof id->word, c->key/8, c->key/' unit/t_hashed
}

@test "hashed: levels of one size" {
	fault sketch/place_hashed \
	    's/level = \(unsigned\)__builtin.*$/level = h[0] % DP_LEVELS;/' unit/t_hashed
}

@test "hashed: differences of counts are kept before all are counted, and tell bits that are gone" {
	fault sketch/hashed_see 's/^\tif \(n->known != 0\)$/\tif (true)/' unit/t_hashed
}

@test "hashed: an identifier in two levels" {
	fault sketch/hashed_see \
	    's/c->word\[i\] \+= id->sign/c->word[i ^ (uint64_t)1 << k->log] += f; &/' unit/t_hashed
}

@test "hashed: what is counted as it comes is not what is there" {
	fault sketch/hashed_see 's/n->out\[l\] -= .*$//' unit/t_hashed
	fault sketch/hashed_see 's/n->out\[l\] \+= .*$//' unit/t_hashed
	fault sketch/hashed_start 's/->known = 0/->known = 1/' unit/t_hashed
}

@test "hashed: one draw for all levels" {
	fault sketch/hashed_count 's/sum = z\[l\];/sum = z[0];/' unit/t_hashed
}

@test "hashed: predicted without the noise" {
	fault sketch/dp_levels_variance,weights \
	    's/b \* q \* \(1 - q\) \+ w->noise \+ 1e-300/b * q * (1 - q) + 1e-300/' \
		unit/t_hashed
}

@test "hashed: a likelihood that runs beyond the lines" {
	fault sketch/cap_of 's/k->mem\.s\.lines \|\| blind\(w, N\) \?/false ?/' law/s_levels
}

@test "hashed: bounds as if levels told more than they do" {
	fault sketch/law_hashed 's/dp_law_flip\(l, 2 \* N/dp_law_flip(l, N \/ 4/' law/s_levels
}

@test "levels: intervals of half their width, or by weights of another number" {
	fault sketch/stands 's/dp_law_bound\(s->law, s->gamma\)/& \/ 2/' law/s_levels
	fault sketch/stands 's/<= s->gamma\)$/<= 40 * s->gamma)/' law/s_levels
}

@test "levels: the wide one told as if it were another" {
	fault sketch/size 's/level == DP_LEVELS_WIDE/level == 2/' unit/t_hashed
	fault sketch/log_of 's/return level == DP_LEVELS_WIDE \?/return level == 2 ?/' \
	    unit/t_hashed
}

@test "hashed: cells for an infinite epsilon have odds of their own" {
	fault sketch/hashed_create 's/if \(rule->privacy\.exact\)/if (false)/' unit/t_hashed
}

@test "counter: the sensitivity of presence" {
	fault sketch/dp_counter_items 's/\.moves = presence \? v : 2 \* w/.moves = w/' \
	    unit/t_running
}

@test "counter: the sensitivity of presence: epsilon is refuted from answers" {
	fault sketch/dp_counter_items 's/\.moves = presence \? v : 2 \* w/.moves = w/' \
		law/s_distinct running distinct neighbour
}

@test "counter: comings and goings of one stream alone" {
	fault sketch/dp_counter_items 's/\.moves = presence \? v : 2 \* w/.moves = w + 1/' \
	    unit/t_turnstile
}

@test "counter: differences are those of the numbers themselves" {
	fault sketch/dp_counter_answer 's/c->last = n;//' unit/t_running
}

@test "counter: steps, not answers, are counted" {
	fault sketch/inner_rule \
	    's/own\.horizon = dp_sketch_outputs\(rule\)/own.horizon = rule->horizon/' \
		unit/t_running
}

@test "counter: more answers than were paid for" {
	fault sketch/dp_counter_answer 's/c->answers >= k->answers\)$/false)/' unit/t_running
}

@test "counter: each answer by itself, for one of them" {
	fault sketch/by_itself \
	    's/laplace_weights\(z, &own, r->touched, 1\)/laplace_weights(z, \&own, 1, 1)/' \
		unit/t_recent
}

@test "counter: each answer by itself, for one of them: epsilon is refuted" {
	fault sketch/by_itself \
	    's/laplace_weights\(z, &own, r->touched, 1\)/laplace_weights(z, \&own, 1, 1)/' \
		law/s_distinct running distinct neighbour
}

@test "counter: what counts is planned for one unit's move" {
	fault sketch/inner_rule 's/r->worth \* r->moves;/r->worth;/' unit/t_running
}

@test "counter: the first counter there is, not the best" {
	fault job/choose_inner 's/\{ p\.eligible\[p\.chosen\]\.ops/{ p.eligible[0].ops/' \
	    unit/t_running
}

@test "counter: a state names a counter that there is not" {
	fault job/inner 's/strlen\(o->name\)\) == \*id/strlen(o->name)) >> 8 == *id >> 8/' \
		unit/t_running
}

@test "counter: answers by themselves with the Gaussian noise of one of them" {
	fault sketch/by_itself 's/gauss_repeat\(z, &own, r->touched/gauss_repeat(z, \&own, 1/' \
	    law/s_exact
}

@test "counter: what items add is taken for 1" {
	fault sketch/by_itself 's/own\.l1 = p->l1 \* r->worth/own.l1 = p->l1/' law/s_exact
	fault sketch/inner_rule,sum_of \
	    's/(p->|privacy\.)l1 \* r->worth \*/\1l1 */' \
	    law/s_exact
}

@test "counter: an answer of noise of its own has half of it" {
	fault sketch/dp_counter_answer 's/\(dp_wide\)n \+ x;/(dp_wide)n + x \/ 2;/' \
	    law/s_distinct running distinct neighbour
}

@test "counter: comings and goings fade for half of what they are" {
	fault sketch/dp_counter_items 's/w == 1 \? 2 : 4 \* v/w == 1 ? 1 : 2 * v/' law/s_exact
	fault sketch/dp_counter_items \
	    's/presence \|\| k == 1 \? v/presence || k == 1 ? (v + 1) \/ 2/' \
	    law/s_exact
}

@test "blt: steps that fade as if they were one" {
	fault counter/square_law 's/\(double\)p->l2fading\)/1)/' unit/t_blt
}

@test "blt: columns that rise, or that hear echoes, fade" {
	fault counter/blt_falls 's/ && c1 >> 64 == 0//' unit/t_blt
	fault counter/blt_falls 's/f->echoes == 0 && //' unit/t_blt
}

@test "table: what came too often, too seldom, or is undone" {
	fault sketch/adds 's/size >= tau \? tau/size > tau ? tau + 1/' law/s_exact
	fault sketch/adds 's/size > k->low \? size - k->low/size > k->low ? size/' law/s_exact
	fault sketch/adds 's/return a >= 0 && size == tau/return size == tau/' law/s_exact
	fault sketch/comings 's/k->s\.deletes \|\| //' law/s_exact
}

@test "table: counts modulo K that change once, of another sign, of who has never come" {
	fault sketch/comings 's/k->s\.modulo != 0 \|\| k->top/k->top/' law/s_exact
	fault sketch/residue 's/r < 0 \? r \+ \(int64_t\)K : r/r < 0 ? -r : r/' law/s_exact
	fault sketch/exact_answer 's/\(dp_wide\)k->s\.universe - \*est/*est/' law/s_exact
}

@test "running: every sight is a first one" {
	fault sketch/running_see 's/\+= id->word\[0\] == 0/+= 1/' unit/t_running
}

@test "turnstile: followed for ever" {
	fault sketch/turnstile_see 's/ \|\| i->state \/ 2 >= k->flips//' unit/t_turnstile
}

@test "turnstile-table: followed for ever, or once more; words that run over" {
	fault sketch/turnstile_word 's/if \(v == k->flips\)/if (false)/' unit/t_turnstile
	fault sketch/most_of_turnstile \
	    's/\(UINT32_MAX \/ \(k->flips/(UINT32_MAX \/ (k->flips - 1/' \
	    unit/t_turnstile
}

@test "turnstile: counts above 0 alone" {
	fault sketch/turnstile_see 's/\(i->count != 0\)/(i->count > 0)/' unit/t_turnstile
}

@test "window: an identifier that is seen again is counted again" {
	fault sketch/window_see 's/c->count\[before % k->w\]--;/c->open++;/' unit/t_recent
}

@test "window: let go a step late" {
	fault sketch/window_see 's/before \+ k->w > now/before + k->w >= now/' unit/t_recent
}

@test "window: a line that names another identifier, taken for one that names none" {
	fault sketch/reach_of 's/\? 4 : 2;/? 2 : 2;/' unit/t_recent
}

@test "each key: keys are taken for one another" {
	fault store/admit_in 's/column = htole64\(v->column\)/column = 0/' unit/t_keep_cap
	fault store/admit_name 's/if \(dp_users_stamp\(u, both\) != 0\)/if (false)/' unit/t_keep_cap
}

@test "window: an identifier that comes once, or less often than it may" {
	fault sketch/reach_of 's/if \(s->whole\)/if (false)/' unit/t_recent
	fault sketch/dp_counter_changes 's/return 1 \+ \(T - 1\)/return (T - 1)/' unit/t_recent
	fault sketch/dp_counter_changes 's/ \+ T \/ \(W \+ 1\);/;/' unit/t_recent
}

@test "window: noise for one answer fewer" {
	fault sketch/reach_of 's/s->window \+ rule->every - 1/s->window/' unit/t_recent
}

@test "windows: a share half as large again, or one left out of the sum" {
	fault sketch/create_parts \
	    's/k->share\[i\]\)\) !=/dp_q_make(3 * k->share[i].num, 2 * k->share[i].den))) !=/' \
		unit/t_recent
	fault sketch/create_parts \
	    's/left = dp_q_left\(left, /left = i == 0 ? left : dp_q_left(left, /' unit/t_recent
}

@test "windows: all as the first; one that is told of nobody" {
	fault sketch/windows_see 's/\(i = 0; i < m->parts/(i = 1; i < m->parts/' unit/t_recent
	fault sketch/rule_of 's/s->each\[i\]\.steps;/s->each[0].steps;/' unit/t_recent
}

@test "alg1: taken one step too far" {
	fault sketch/draw 's/z > k->dist\[\*c\]/z >= k->dist[*c]/' unit/t_alg1
}

@test "alg1: memory has all of epsilon" {
	fault sketch/alg1_create \
	    's/&rule->privacy, dp_q_make\(1, 2\)/\&rule->privacy, dp_q_make(1, 1)/' \
		unit/t_alg1
}

@test "alg1: a distance without the rows taken twice" {
	fault sketch/find_distances 's/times < 3/times < 2/' unit/t_alg1
}

@test "alg1: any vector is taken: epsilon is refuted" {
	fault sketch/draw 's/ && z > k->dist\[\*c\]\)/ \&\& k->dist[*c] == 0)/' \
		law/s_distinct alg1 distinct neighbour
}

@test "law: bits are left out" {
	fault law/dp_law_variance 's/i < l->flips; i\+\+\)$/i < 0; i++)/' unit/t_flips
	fault law/reach 's/i < l->flips; i\+\+\)$/i < 0; i++)/' unit/t_flips
	fault law/cumulant 's/i < l->flips; i\+\+\)$/i < 0; i++)/' unit/t_flips
}

@test "law: the characteristic function of fair bits" {
	fault law/flips_phi 's/ \* cos\(angle\)//' unit/t_flips
}

@test "neighbours: a user's identifiers count as one" {
	fault account/whole_distance \
	    's/const uint64_t n = K != 0 \? K : 1;/const uint64_t n = K != 0;/' \
		unit/t_neighbour
}

@test "what is refused: half of what is needed is enough, one of several facts does not count" {
	fault sketch/dp_sketch_refuses \
	    's/rows\[i\]\.needs\) != rows\[i\]\.needs/rows[i].needs) == 0/' \
		unit/t_sketch_refuse
	fault sketch/dp_sketch_refuses 's/rows\[i\]\.of\) != 0\)/rows[i].of) == rows[i].of)/' \
		unit/t_sketch_refuse
}

@test "folds: of several in a step each is taken for the only one" {
	fault job/apart 's/ && !dp_options_by_cell\(o, tool\)//' unit/t_fold:test_reaches
}

@test "any: what does not match is an event of its user, or not even in a mean" {
	faulty_tools input/only_matches 's/e->match != NULL/false/' people 'any and count' dpwindow
	faulty_tools input/only_matches 's/ && e->adds == NULL//' people 'any and count' dpwindow \
	    dpmean
}

@test "counter: a fall taken for a decrease, the first reading, a reading that stays, reach 1" {
	fault store/increase 's/: now;$/: now - *last.value;/' unit/t_fold:test_counters
	fault store/increase 's/series = v->known\.mark;/series = { 1, 1 };/' \
		unit/t_fold:test_counters
	fault store/increase 's/^\tif \(dp_options_by_cell/\tif (false \&\& dp_options_by_cell/' \
		unit/t_fold:test_counters
	faulty_tools input/is_reading 's/v->value < 0 \?/false ?/' people \
	    '--counter: what each' dpcount dpwindow dpmean dpquantile
	fault store/increase 's/\*last\.value = now;/;/' unit/t_fold:test_counters
	fault store/increase 's/^\treturn e;$/\treturn e == 0 ? 1 : e;/' unit/t_fold:test_counters
	fault job/counted 's/dp_options_linked\(o\) \? 2 :/dp_options_linked(o) ? 1 :/' \
		unit/t_fold:test_counters unit/t_fold:test_linked
	faulty_tools job/check_counter 's/o->time\.steps == DP_BY_RANGE/false/' people \
	    '--counter: what is' dpwindow
	faulty_tools store/put_all_folds 's/if \(r->o->users\.counter\)/if (r->t == 0)/' people \
	    '--counter: incr' dpwindow
}

@test "retention: an event before the first one, an age that stands still, more steps, reach 1" {
	fault store/aged 's/return now >= first;/return true;/' unit/t_fold:ages
	fault store/aged 's/0 : now - first;/0 : 0;/' unit/t_fold:ages
	fault input/dp_users_admit_since 's/if \(s->n % times == 0\)/if (false)/' unit/t_fold:ages
	fault job/relation \
	    's/\.per_user = counted\(o, tool\)/.per_user = o->users.retention ? 1 : 9/' \
		unit/t_fold:ages
}

@test "keys: K forgotten: in windows, in Gaussian noise, in what fades" {
	fault sketch/window_create 's/s->keyed \?/s->window == 0 ?/' unit/t_keyed
	fault sketch/window_create 's/s->keyed \?/s->window == 0 ?/' law/s_windows
	fault sketch/by_itself 's/r->touched \* p->columns/r->touched/' unit/t_keyed
	fault sketch/fading_of 's/p->l2squared \* //' unit/t_keyed
}

@test "keys: an allowance that is given back, or of the run; a second key for nothing" {
	fault store/admit_name 's/if \(\(e = admit\(r, u, user\)\) <= 0\)/if (0)/' unit/t_keyed
	fault store/admit_name 's/if \(dp_users_stamp\(u, both\) != 0\)/if (0)/' unit/t_keyed
	fault store/admit_in_range 's/htole64\(row\)/0/' unit/t_keyed
}

@test "keys: a stamp that is not renewed, or that all keys have together" {
	fault run/set_word 's/is, false, &was/is, true, \&was/' unit/t_keyed
	fault run/set_word 's/r->o->id\.keyed \? sizeof word :/false ? 0 :/' unit/t_keyed
	fault run/dp_step_see 's/id->column \* /0 * /' unit/t_keyed
}

@test "keys: tables of a state: one for an allowance of two; buckets that it leaves out" {
	faulty_tools store/dp_cap_most 's/r->o->users\.most : /1 : /' dpdistinct \
	    '--key with windows: exact' dpdistinct
	faulty_tools store/dp_cap_tables 's/r->ring\.n \+ r->cap\.tabled/1/' dpdistinct \
	    '--key with windows: a state' dpdistinct
}
