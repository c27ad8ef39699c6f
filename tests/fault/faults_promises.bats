#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in what --explain predicts: a promise must be broken.

load faults

@test "a law of noise of half the scale: the running count is off by more" {
	faulty_tools explain/report_bound 's/dp_law_bound\(r->law, gamma\)/& \/ 2/' promises \
	    'a running count' dpcount
}

@test "half the scale is said" {
	faulty_tools explain/dp_report_scale 's/\*b \*= r->unit/& \/ 2/' promises_notes \
	    'the scale of noise' dpcount dpdistinct dpproject
}

@test "an event is said to lose half of what it does" {
	faulty_tools counter/loss 's/return (\(least < greedy)/return .5 * \1/' promises_notes \
	    'what an event' dpcount
}

@test "a slack of half the size" {
	faulty_tools stat/accuracy \
	    's/least = quantile_plan\(k, true, slack_tail\(k\)\)/& \/ 2/' \
	    promises_notes 'answers that change seldom' dptransform
}

@test "buckets that meet are said to matter a tenth of what they do" {
	faulty_tools sketch/dp_phase_meeting 's/return (fmin\(s->share != 0)/return .1 * \1/' \
	    promises_notes 'heavy: so many buckets' dpdistinct
}

@test "lazy ends when it is three times as far off as it says" {
	faulty_tools stat/lazy_note 's/farthest\(k\) \* unit/& \/ 3/' promises_notes \
	    'lazy: what is printed' dpmaxsum
}

# drawn TOOL ARG ..: draws of a run of a copy that counts them, and what --explain says of so many
# steps, at most 5 % apart (blocks are drawn ahead)
drawn() {
	local tool=$1

	shift
	"./$tool" -e 1 "$@" -q ones 2>&1 >/dev/null | sed -n 's/^drawn //p' >got
	"$DP_BUILD/bin/$tool" -e 1 "$@" --explain |
	    awk '/^draws / { print $2, / in all$/ ? 1 : 1000 }' >said
	awk 'NR == FNR { n = $1; next } { d = n - $1 * $2; print n, $1 * $2
	    exit !(n > 0 && d * d <= (.05 * n) ^ 2) }' got said || { echo "$tool $*"; return 1; }
}

@test "draws a step are as many as a copy of the tools counts" {
	local tool m

	cd "$BATS_TEST_TMPDIR"
	plant random/noise.c '1i #include <stdio.h>\
static unsigned long long drawn;\
static void __attribute__((destructor)) tell(void) { fprintf(stderr, "drawn %llu\\n", drawn); }
		/^dp_noise_fill/,/^}/s/if \(n == 0\)/if (nz->kind != DP_NOISE_NONE) drawn += n;&/' .
	for tool in dpcount dpwindow dpdecay dptransform dpmaxsum dpdistinct dpproject; do
		link $tool "$DP_BUILD/cmd/$tool.o" fault.o
	done
	yes 1 | head -n 1000 >ones
	# a norm tree's draws are its own
	for m in input output tree kary pan pan-slots blt blt-norm; do
		drawn dpcount -d 1e-6 -T 1000 -M $m
	done
	drawn dpcount -T 1000 --expire=gradual:1
	for m in windowsum-paper allwindow-paper; do
		drawn dpwindow -T 1000 -w 30 -M $m
	done
	drawn dpdecay -T 1000 -p 1 -M paper
	drawn dpdecay -T 1000 -a .9 -M expsum-paper
	for m in transform pan paper output; do
		drawn dptransform -T 1000 --sensitivity=1 --changes=9 -M $m
	done
	drawn dpmaxsum -T 1000 --columns=1 --ceiling=2000 -M lazy
	for m in cells density; do
		drawn dpdistinct -T 1000 --universe=5 --no-pan-private -M $m
	done
	printf '1,0\n1,1\n0,1\n' >A
	drawn dpproject --queries=A -M laplace
}
