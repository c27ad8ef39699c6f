#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in windows and expiry: each must make the suite fail, or the suite proves nothing.

load faults

@test "windowsum: one level too few" {
	fault paper/windowsum_create 's/k->sum\.h \+ 1\)/k->sum.h + (k->sum.h == 0))/' unit/t_window
}

@test "windowsum: the scale two thirds, from outputs alone" {
	fault paper/windowsum_create \
	    's/dp_q_make\(1, k->sum\.h \+ 1\)/dp_q_make(2, k->sum.h + 2)/' \
	    law/s_window windowsum-paper
}

@test "windowsum: one level wasted" {
	fault paper/windowsum_create 's/k->sum\.h \+ 1\)/k->sum.h + 2)/' unit/t_window
}

@test "windowsum: the window one step too short" {
	fault paper/windowsum_step 's/- raw\[p\]/- raw[(p + 1) % k->sum.w]/' unit/t_window
}

@test "windowsum: the noise of the next step" {
	fault paper/windowsum_step 's/rng, t, est\)/rng, t + 1, est)/' unit/t_window
}

@test "windowsum: the last blocks not predicted" {
	fault paper/dp_wsum_total 's/\(double\)\(whole - 1\)/(double)whole/' unit/t_window
}

@test "windowsum: of equals the later step" {
	fault paper/count 's/j < t->worst/j > t->worst/' unit/t_wsum
}

@test "allwindow: the largest cover without a borrow" {
	fault paper/splits 's/if \(rest != 0\)/if (0)/' unit/t_window
}

@test "windowsum: a dyadic root drawn twice" {
	fault paper/begins 's/u == 0 \? s->h :/u == 0 ? s->h + 1 :/
	    s/if \(most > s->h\)/if (most > s->h + 1)/' unit/t_window
}

@test "windowsum: both blocks in one place" {
	fault paper/draw 's/\*v->before = \*v->root;/;/
	    s/\*v->root = z\[0\];/*v->root = *v->before = z[0];/' unit/t_window
}

@test "windowsum: two nodes share a draw" {
	fault paper/draw 's/z\[root \+ n - 1 - l\]/z[root]/' unit/t_window
}

@test "allwindow: the last level charged half" {
	fault paper/set_noise_allwindow,allwindow_create \
	    's/(__builtin_clzll\(rule->horizon\)\));/\1 - weight_allwindow(k->levels - 1) \/ 2;/
	    s/part > left/0/' unit/t_window
}

@test "allwindow: half the scale, from outputs alone" {
	fault paper/set_noise_allwindow \
	    's/dp_q_make\(part, WHOLE\)/dp_q_make(part < WHOLE \/ 2 ? 2 * part : WHOLE, WHOLE)/' \
	    law/s_window allwindow-paper
}

@test "allwindow: every level the first one's noise" {
	fault paper/allwindow_step 's/dp_draw\(&k->noise\[l\]/dp_draw(\&k->noise[0]/' \
	    law/s_window allwindow-paper
}

@test "allwindow: rings one node too short" {
	fault paper/node \
	    's/% \(k->widest >> l\)/% ((k->widest >> l) > 1 ? (k->widest >> l) - 1 : 1)/' \
	    unit/t_window
}

@test "allwindow: a budget for every window" {
	fault paper/set_noise_allwindow,allwindow_create \
	    's/\? zeta :/? zeta \/ (task->windows > 1 ? 3 : 1) :/
	    s/part > left/0/' unit/t_window
}

@test "expire: a step made public while it is protected" {
	fault counter/expire_step,steps 's/c->older \+= raw\[p\];.*/;/
	    s/raw\[p\] = \*x;/raw[p] = *x; c->older += raw[t % k->w];/' unit/t_expire
}

@test "expire: inner given no fresh start" {
	fault counter/expire_step 's/col, 0, rng, t, x, est/col, 0, rng, t + 1, x, est/' \
	    unit/t_expire
}

@test "gradual: noise drawn again at every step" {
	fault counter/gradual_step \
	    's/l = \(unsigned\)__builtin_ctzll\(t\) \+ 1;/l = 64 - (unsigned)__builtin_clzll(t);/' \
	    unit/t_expire
}

@test "gradual: noise drawn again at every step, from outputs alone" {
	fault counter/gradual_step 's/l = \(unsigned\)__builtin_ctzll\(t\) \+ 1;/l = 1;/' \
	    law/s_window gradual
}

@test "gradual: half the scale, from outputs alone" {
	fault counter/set_noise 's/privacy, dp_q_make\(n, unit\)/privacy, dp_q_make(2 * n, unit)/' \
	    law/s_window gradual
}

@test "gradual: scales rounded down" {
	fault account/scale_up \
	    's/ceill\(x \* 1\.0009765625L \* 65536\)/ceill(x * 0.9990234375L * 65536)/' \
	    unit/t_expire
}

@test "gradual: a fresh event loses more than epsilon" {
	fault counter/set_noise 's/n = l == 0 \? unit :/n = l == 0 ? unit + 1 :/' unit/t_expire
}

@test "gradual: the loss of one edge forgotten" {
	fault counter/loss 's/if \(l <= floor_log\)/if (l < floor_log)/' unit/t_expire
}

@test "gradual: the longest edges counted as if they were cheap" {
	fault counter/loss 's/l < ceil_log; l\+\+/l + 1 < ceil_log; l++/' unit/t_expire
}

@test "gradual: a curve of ages is not checked of what a state has" {
	faulty_tools counter/within_curve 's/return false;/break;/' forged \
	    'a line of the job' dpcount
}

@test "gradual: half of the noise that a curve needs" {
	fault counter/set_curve 's/dp_q_make\(n\[l\], UNIT\)/dp_q_make(2 * n[l], UNIT)/' \
	    unit/t_expire
}

@test "gradual: level scales for a curve's later ages alone" {
	fault counter/level_shares 's/k->even\[j\] \/ \(j \+ 1\) < s/j > 2 \&\& &/' unit/t_expire
}

@test "gradual: rising scales that count the first level once" {
	fault counter/rising_shares 's/spent \+= i == 0 \? 2 \* s : s;/spent += s;/' unit/t_expire
}

@test "map: the last protected output not charged" {
	fault paper/sensitivity_each 's/overflow\(W, weight_each/overflow(W - 1, weight_each/' \
	    unit/t_expire
}

@test "map: half the scale, from outputs alone" {
	fault paper/set_noise_each \
	    's/_weights\(&k->noise, ([^,]*), k->sum,/_weights(\&k->noise, \1, k->sum \/ 2,/' \
		law/s_window map-paper
}

@test "map: rounded down" {
	fault counter/dp_scaled_grid 's/ \+ unit \/ 2\)/)/' unit/t_expire
}

@test "map: half a unit rounded up" {
	fault counter/dp_scaled_away 's/-dp_scaled_grid\(-y,/dp_scaled_grid(y,/' unit/t_expire
}

@test "expiry and pan-privacy together" {
	fault job/objection 's/s->pan && dp_task_cover/0 \&\& dp_task_cover/' unit/t_expire
}
