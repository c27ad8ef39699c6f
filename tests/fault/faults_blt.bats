#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in buffered linear Toeplitz noise and its calibration: each must make its test
# fail.

load faults

@test "products: the low half taken for signed" {
	fault counter/scale \
	    's/\(dp_wide\)(\(\(dp_uwide\)\(uint64_t\)a \* q >> 64\))/(int64_t)\1/' unit/t_blt
}

@test "sigma halved" {
	fault account/discrete_sigma \
	    's/(return analytic_sigma\(shift, t, delta\));/\1 \/ 2;/' unit/t_blt
}

@test "sigma: the second term of the analytic curve forgotten" {
	fault account/dp_gauss_delta 's/exp\(eps\) \* below/0 * below/' unit/t_blt
}

@test "sigma: e^epsilon forgotten" {
	fault account/dp_gauss_delta 's/exp\(eps\) \* below/below/' unit/t_blt
}

@test "sigma: discrete noise taken for rounded noise" {
	fault account/discrete_sigma 's/t = eps - a \* .*/t = eps;/' unit/t_blt
}

@test "sensitivity without the echo" {
	fault counter/echo_sens 's/ \+ 2 \* d \* last \+ d \* d//' unit/t_blt
}

@test "sensitivity: the echo's own part of a block forgotten" {
	fault counter/echo_sens 's/2 \* d \* last \+ d \* d/d * d/' unit/t_blt
}

@test "sensitivity without one buffer" {
	fault counter/plain_sens,dp_blt_comb \
	    's/f->lam, f->d, n - 1/f->lam, f->d > 0 ? f->d - 1 : 0, n - 1/' unit/t_blt
}

@test "sensitivity of one step too few" {
	fault counter/plain_sens,dp_blt_comb 's/f->lam, f->d, n - 1/f->lam, f->d, n - 2/' unit/t_blt
}

@test "shift: rounding is free" {
	fault counter/dp_blt_shift 's/return sqrt\(h \* h \+ .*/return h;/' unit/t_blt
}

@test "shift: one column's rounding for all" {
	fault counter/dp_blt_shift 's/\(double\)n \* p->columns/(double)n/' unit/t_blt
}

@test "no dither in the first coefficient" {
	fault counter/settle 's/fix_first\(f\);/;/' unit/t_blt
}

@test "recursion: rounded down" {
	fault counter/dp_blt_run 's/R = half, j = 0/R = 0, j = 0/' unit/t_blt
}

@test "recursion: one buffer's part of the past forgotten" {
	fault counter/dp_blt_run 's/R = half, j = 0/R = half, j = 1/' unit/t_blt
}

@test "recursion: the echo's stages exchanged" {
	fault counter/echo \
	    's/f->b\[k\] \* u - \(dp_wide\)f->a\[k\] \* in/f->a[k] * u - (dp_wide)f->b[k] * in/' \
	    unit/t_blt
}

@test "recursion: one draw for a whole block" {
	fault counter/dp_blt_run 's/\(uint64_t\)z\[t\] -/(uint64_t)z[0] -/' law/s_blt
}

@test "recursion: the noise grid is twice as fine as thought" {
	fault counter/widen 's/\(64 - fraction\)/(63 - fraction)/' unit/t_blt
}

@test "count: increments of a block not added up" {
	fault counter/set_ahead 's/c->ahead\[i\] = c->noise = /c->ahead[i] = /' law/s_blt
}

@test "count: half always up" {
	local ahead='\1 + ((\2 + ((dp_wide)1 << (\3 - 1))) >> \3);'

	fault counter/add_count \
	    "s/dp_add_noise\((c->count), (c->ahead\[[^]]*\]), ([^;]*)\);/$ahead/" \
	    unit/t_blt
}

@test "count: a forged one goes on" {
	fault counter/count_valid 's/if \(narrow->count >= far .*/if (false)/' unit/t_blt
}

@test "prediction: one step too few" {
	fault counter/law_blt \
	    's/window_blt\(b, out\), \(double\)t,/window_blt(b, out), (double)t - 1,/' \
	    unit/t_blt
}

@test "prediction: a window's far end forgotten" {
	fault counter/window_energy 's/add \+= pass\(t, &far, .*/add += 0;/' unit/t_blt
}

@test "columns of one norm: the unit of the piece before" {
	fault counter/blt_norm_set \
	    's/\(double\)first_of\(b, i\) \+ 1\)/(double)first_of(b, i > 0 ? i - 1 : 0) + 1)/' \
	    unit/t_blt_norm
}

@test "columns of one norm: the norm of a column one shorter" {
	fault counter/blt_norm_set \
	    's/\(double\)first_of\(b, i\) \+ 1\)/fmax(1, (double)first_of(b, i)))/' \
	    unit/t_blt_norm
}

@test "columns of one norm: no step is scaled" {
	fault counter/set_ahead 's/f->parts\(f, t \+ i\)/(uint64_t)1 << 30/' unit/t_blt_norm
}

@test "columns of one norm: every step has the next one's scale" {
	fault counter/set_ahead 's/f->parts\(f, t \+ i\)/f->parts(f, t + i + 1)/' unit/t_blt_norm
}

@test "columns of one norm: rounded towards zero" {
	fault counter/divide 's/ - \(x % n < 0\)//' unit/t_blt_norm
}

@test "columns of one norm: the longest is thought shorter" {
	fault counter/blt_norm_set 's/b->size = most/b->size = .9 * most/' unit/t_blt_norm
}

@test "columns of one norm: the law without what pieces have in common" {
	fault counter/pass_piece 's/2 \* less \* cross \+ //' law/s_blt:counts
}

@test "T unknown: the exponent does not drift, or is that of a count whose end is known" {
	fault counter/choose_endless 's/exp\(\.18533/exp(.18533 * 0/; s/ \+ \.14982 \* v \* v//' \
	    unit/t_blt
	fault counter/dp_blt_choose 's/choose_endless\(f\)/choose_count(f, (uint64_t)1 << 40)/' \
	    unit/t_blt
}
