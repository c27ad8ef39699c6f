#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in the noise for events that are apart, and in what keeps them apart: each must
# make its test fail.

load faults

U=unit/t_banded

@test "sensitivity: products of different columns once, or not, or of columns that are later" {
	fault counter/dp_banded_squares 's/2 \* some/some/' $U:every_pattern
	fault counter/dp_banded_squares 's/ : 2 \* some/ : 0/' $U:every_pattern
	fault counter/dp_banded_squares 's/n \+ k \* spacing < f->p/n + k * spacing + 1 < f->p/' \
	    $U:every_pattern
	fault counter/dp_banded_squares 's/\* \(j - k\)/* (j - k > 1 ? j - k - 1 : 1)/' \
	    $U:every_pattern
}

@test "sensitivity: an event too few, or rounded down" {
	fault counter/dp_banded_squares 's/\(T - 1\) \/ spacing \+ 1;/T \/ spacing;/' \
	    $U:every_pattern
	fault counter/dp_banded_squares 's/\(1 \+ 0x1p-50\)/(1 - 0x1p-50)/' $U:every_pattern
	fault counter/shift \
	    's/, \(int\)b->form\.s\) \* \(1 \+ 0x1p-50\)/, (int)b->form.s) * .999/' \
	    $U:proof
	fault counter/shift,make_noise_banded 's/\? p->times : 1/? 1 : 1/' $U:proof
	fault counter/shift,make_noise_banded \
	    's/\? p->spacing : b->end/? 2 * p->spacing : b->end/' $U:proof
}

@test "sensitivity: of records that are worth 1" {
	fault counter/shift 's/\(double\)dp_privacy_each\(p\)/1/' $U:records
	fault account/dp_privacy_each 's/p->times \* p->times/p->times * p->times * 2/' $U:records
	fault account/dp_privacy_each 's/ \+ \(p->l2squared % squared != 0\)//' $U:records
}

@test "coefficients that rise, or are of another power" {
	fault counter/dp_banded_set 's/\(int64_t\)\(fine >>/(int64_t)((fine + (i % 2 << 45)) >>/' \
	    $U:coefficients
	fault counter/dp_banded_set 's/\(i - 1\) \* DP_BANDED_PARTS/i * DP_BANDED_PARTS/' \
	    $U:coefficients
}

@test "recursion: rounded down, a term too few, another step's" {
	fault counter/fill 's/past\(f, ring, now\) \+ half/past(f, ring, now)/' $U:proof
	fault counter/past 's/uint64_t i = 1;/uint64_t i = 2;/' $U:proof
	fault counter/past 's/f->p \+ now - i\]/f->p + now - i - 1]/' $U:proof
	fault counter/fill 's/r = z\[t\] - \(\(past/r = z[t] + ((past/' $U:proof
}

@test "a column's end, where something else stands that is aligned" {
	fault counter/banded_create 's/\(b->form\.p \+ 1\) \/ 2\)/b->form.p \/ 2)/' $U:estimates
	fault counter/banded_valid 's/ring\[i\] > FAR/false/' $U:estimates
}

@test "errors: without the window's end, or what is beyond the terms kept" {
	fault counter/dp_banded_measure 's/i >= window \?/false ?/' $U:errors
	fault counter/dp_banded_measure 's/e->rise = window != 0 \? 0 :/e->rise = true ? 0 :/' \
	    $U:errors
	fault counter/dp_banded_ramp 's/more \* \(more \+ 1\)/more * more/' $U:errors
}

@test "the choice: one band, one power; numbers of a state that are none" {
	fault counter/banded.c 's/DP_BANDED_ALPHA \/ 32|DP_BANDED_PARTS \/ 32/DP_BANDED_PARTS/' \
	    $U:figures
	fault counter/banded_choose 's/search\(&s, band\(s\.spacing, s\.T\)\);/;/' $U:figures
	fault counter/make_form 's/f->alpha, 0, DP_BANDED_ALPHA/f->alpha, 0, 9999/' $U:refused
}

@test "blt: columns of separated events as if they were one, or were shorter, or fell" {
	fault counter/dp_blt_comb 's/x\[j\] = om \+ x\[j\] \* exp/x[j] = om + 0 * exp/' \
	    $U:every_pattern
	fault counter/dp_blt_comb 's/at \+= x\[j\] \* exp/at += 0 * x[j] * exp/' $U:every_pattern
	fault counter/dp_blt_comb 's/i \+ 1 < blocks \? &g : &last/i + 2 < blocks ? \&g : \&last/' \
	    $U:every_pattern
	fault counter/blt_falls 's/f->echoes == 0 && c1 >> 64 == 0/c1 >> 64 == 0/' $U:figures
	fault counter/make_noise_blt 's/if \(b->f\.m\.ops == &dp_blt_norm_ops\)\t/if (false)\t/' \
	    $U:figures
}

@test "a scale too small is measured, and found by the best attack" {
	fault counter/make_noise_banded 's/(gauss_shift\(&b->noise, p, shift\(b, p\))/\1 \/ 2/' \
	    law/s_banded banded count neighbour
	fault counter/shift 's/return ldexp\(sqrt\(sum/return ldexp(.7 * sqrt(sum/' \
	    law/s_banded banded window neighbour
	fault counter/law_banded 's/(sqrt\(dp_banded_energy\(&b->error\[out\], t\))/\1 * 1.2/' \
	    law/s_banded banded count law
	fault counter/law_banded 's/(sqrt\(dp_banded_energy\(&b->error)\[out\]/\1[0]/' \
	    law/s_banded banded window law
}

@test "allowances: a step sooner, those that are early, one too many, another step" {
	fault input/dp_users_admit_spaced 's/step - last < spacing/step - last + 1 < spacing/' \
	    unit/t_users
	fault input/dp_users_admit_spaced 's/step < last \|\| //' unit/t_users
	fault input/dp_users_admit_spaced 's/if \(number == times\)/if (number == times + 1)/' \
	    unit/t_users
	fault input/dp_users_admit_spaced 's/(pack\(times, step), number/\1 + 1, number/' \
	    unit/t_users
	fault store/dp_cap_step 's/DP_BY_RANGE \? r->ring\.gap : 0/DP_BY_RANGE ? 0 : 0/' \
	    unit/t_keep_cap
	fault store/dp_cap_step \
	    's/r->o->time\.steps == DP_BY_RANGE \? r->ring\.gap : 0/r->ring.gap/' \
	    unit/t_keep_cap
	fault store/dp_cap_step 's/r->t \+ gap \+ row/r->t + gap/' unit/t_keep_cap
	fault job/set_spacing 's/privacy\.times = counted\(o, tool\)/privacy.times = 1/' \
	    unit/t_ask_relation
}

@test "a state that forgets how far apart events are, a batch whose lines are one step" {
	faulty_tools store/per_user_job 's/o->users\.spacing != 0 \? 2 : 0/0/' \
	    spaced 'a state goes on' dpcount
	faulty_tools run/read_event 's/dp_cap_admit\(r, n, v\)/dp_cap_admit(r, 0, v)/' \
	    spaced 'what counts' dpcount dpwindow
}

@test "apart: one event of a user less than the horizon has" {
	fault job/counted 's/\(T - 1\) \/ B \+ 1;/(T - 1) \/ B;/' unit/t_ask_relation
}
