#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# A state goes on with the numbers its noise was planned with, whatever a later program would plan:
# another C library's functions, a better search.  Planted here are such differences, and what must
# not pass.

load faults

# Input that serves for all: a field that is a key, one that is a value.
input() {
	awk -v n="$1" 'BEGIN { for (x = 7; n-- > 0; x = (x * 1103 + 12345) % 65536) print "k" x % 2,
	    int(x / 512) % 2 }'
}

# other FILE SED [TOOL ...]: DIR/TOOL for each, which plans otherwise
other() {
	local tool

	cd "$BATS_TEST_TMPDIR"
	dir=$BATS_TEST_TMPDIR/build
	mkdir -p "$dir"
	plant "$1" "$2" "$dir"
	shift 2
	[ $# -gt 0 ] || set -- dpcount dpwindow dpdecay
	for tool; do
		link "$dir/$tool" "$DP_BUILD/cmd/$tool.o" "$dir/fault.o"
	done
	input 300 >in
}

# goes_on TOOL ARG ...: the other tool plans otherwise, and goes on with a state as this one does;
# plain: of whole lines
goes_on() {
	local tool=$1 how

	shift
	[ -n "${plain:-}" ] || [[ " $* " = *' -r '* ]] || set -- -r 0:1 "$@"
	[ -n "${plain:-}" ] || set -- -v 2 "$@"
	set -- --seed=3 -q "$@"
	for how in "$DP_BUILD/bin" "$dir"; do
		"$how/$tool" "$@" in >fresh 2>/dev/null
		rm -f S S.lock
		head -n 90 in | "$DP_BUILD/bin/$tool" "$@" --state=S \
		    --init >"out.${how##*/}" 2>/dev/null
		tail -n +91 in | "$how/$tool" "$@" --state=S >>"out.${how##*/}" 2>err ||
		    { cat err; return 1; }
		"$how/$tool" "$@" --state=S --explain >explained 2>&1
		[ "$how" = "$dir" ] || cp fresh want
	done
	cmp want out.bin
	cmp want out.build || { echo "$tool $*"; return 1; }
	! cmp -s want fresh || [ -n "${same:-}" ] || { echo "planned alike: $tool $*"; return 1; }
}

@test "norm tree: another grid" {
	other normtree/FINE,longest \
	    's/define FINE\t300/define FINE\t160/; s/140, 85 \+ 1100/70, 42 + 550/'
	goes_on dpcount -e 1 -T 400 -r 0:1000 -M normtree
	goes_on dpwindow -e .02 -w 100 -M normtree
}

@test "norm tree: nodes of kinds where noise is rare" {
	other normtree/dp_normtree_rare_shape 's/rate < RARE/true/'
	goes_on dpcount -e 10 -T 400 -M normtree
	goes_on dpcount -e 7 -T 400 -M normtree
}

@test "Gaussian noise: another accounting" {
	other account/dp_zcdp_rho,analytic_sigma 's/n = floor\(lo \* /n = floor(lo * 1.001 * /
	    s/shift \/ exp\(lo\) \* /&0.9999 * /'
	same=1 goes_on dpcount -e 1 -d 1e-6 -T 5000 -M blt	# a last bit of what is drawn
	same=1 goes_on dpcount -e 1 -d 1e-6 -T 5000 -M blt-norm
}

@test "buffered linear Toeplitz: other rates" {
	other counter/blt.c 's/\.2064/.2164/; s/3\.6199/3.6/; s/\.07147/.2/; s/\.039,/.08,/'
	goes_on dpcount -e 1 -d 1e-6 -T 5000 -M blt
	# early steps hardly feel slow rates, and no norm
	same=1 goes_on dpcount -e 1 -d 1e-6 -T 5000 -M blt-norm
	goes_on dpcount -e 1 -d 1e-6 -M blt
	goes_on dpwindow -e 1 -d 1e-6 -w 50 -M blt
	goes_on dpdecay -e 1 -d 1e-6 -a 0.98 -M blt
}

@test "columns of one norm: other units" {
	other counter/blt_norm_set 's/D \/ norm/0.97 * D \/ norm/'
	goes_on dpcount -e 1 -d 1e-6 -T 5000 -M blt-norm
}

@test "powers by other exponentials, steep ones, half-lives" {
	other counter/fit 's/h = 0\.4/h = 1.9/'
	goes_on dpdecay -e 1 -T 400 -p 1 -M input
	other counter/dp_task_weight \
	    's/return (pow\(\(double\)d \+ 1, -k->power\))/return d == 0 ? 1 : 1.01 * \1/'
	goes_on dpdecay -e 1 -T 400 -p 9 -M input -r 0:99999
	other job/dp_options_half_life 's/exp2\(-1 \/ n\)/exp2(-1.1 \/ n)/'
	goes_on dpdecay -e 1 -T 400 --half-life=9 -M input
	goes_on dpdecay -e 1 -T 400 --half-life=9 -M expsum-paper
}

@test "sums with weights: another grid, other powers, other buckets, other shares" {
	other paper/choose_grid,expsum_create \
	    's/k->s = 20/k->s = 9/; s/powl\(alpha, /powl(alpha * 0.9999, /'
	goes_on dpdecay -e 1 -T 400 -a 0.9 -M expsum-paper
	other paper/linear.c 's/\.s = (2|3)0/.s = 9/'
	goes_on dpdecay -e 1 -T 400 -a 0.9 -M output
	goes_on dpdecay -e 1 -T 400 -p 1 --expire=20 -M map-paper
	other paper/weight_below 's/pow\(1 - beta, \*j\)/pow(1 - beta, *j + 1)/'
	goes_on dpdecay -e 1 -T 400 -p 1 -M paper
}

@test "trees: another arity, other slots, other levels of noise, another debiasing" {
	other counter/choose_arity 's/v < least/k < 6 \&\& v < least/'
	goes_on dpcount -e 1 -T 5000 -M kary
	other counter/slots_create 's/for \(d = 2; d <=/for (d = 20; d <=/'
	goes_on dpcount -e 1 -T 5000 -M pan-slots
	other counter/set_noise 's/pow\(1\. \+ l, lambda - 1\)/(pow(1. + l, lambda - 1) * 1.0001)/'
	same=1 goes_on dpcount -e 1 -T 400 --expire=gradual:0.5
	other counter/baseline_create 's/tanh\(0\.5/tanh(0.4/'
	goes_on dpcount -e 1 -T 400 -M response
}

@test "means and quantiles: another grid, another step to print from" {
	other normtree/FINE,longest \
	    's/define FINE\t300/define FINE\t160/; s/140, 85 \+ 1100/70, 42 + 550/' \
	    dpmean dpquantile
	goes_on dpmean -e 1 -T 400 -r 0.0:1.0
	goes_on dpquantile -e 1 -T 400 -r 0.0:1.0 --quantile=.5
	other stat/set_least_mean 's/2 \* sqrt/9 * sqrt/' dpmean
	goes_on dpmean -e 9 -T 400
}

@test "leaders, experts and answers: other shares, blocks and margins" {
	other stat/tried 's/dp_recompute_q/(double)(s->r % 2 + 1) * &/' dpmaxsum
	goes_on dpmaxsum -e 1 -T 400 -k 1 --keys=k0,k1 -M recompute
	other stat/maxsum.c 's/sqrt\(2 \* e.mean\) \* units/sqrt(9 * e.mean) * units/' dpmaxsum
	goes_on dpmaxsum -e 1 -T 400 -k 1 --keys=k0,k1 -M tree --select
	other stat/search_plan 's/l = dp_lazy_loss/l = (double)j * dp_lazy_loss/' dpmaxsum
	goes_on dpmaxsum -e 9 -T 400 -k 1 --keys=k0,k1 --ceiling=300 -M lazy
	other stat/find_choose_plan 's/< least\[i\]\)/< least[i] \&\& at % 7 == 3)/' dpexperts
	sed 's/k0 /1 /; s/k1 /0 /' in >losses
	mv losses in
	plain=1 goes_on dpexperts -e 1 -T 400 --columns=2 -r 0:1 -M blocks
	other stat/find_shares 's/round\(PARTS \* part/round(PARTS \/ 2 + part/' dptransform
	seq 300 >in
	plain=1 goes_on dptransform -e 3 -T 400 --sensitivity=1 --changes=9 -r 0:400 -M transform
}

@test "identifiers: other parts, counters, bands and weights" {
	local plain=1 of=(dpdistinct -e 1 -T 400 --universe=100)

	other sketch/part_of 's/\(p \*/(p \/ 2 */' dpdistinct
	awk 'BEGIN { for (x = 7; n++ < 300; x = (x * 1103 + 12345) % 65536) print x % 100 + 1 }' >in
	cp in ids
	goes_on "${of[@]}" -M cells
	goes_on "${of[@]}" -M hashed
	other sketch/dp_moved_choose 's/least = off/least = -1/' dpdistinct
	cp ids in
	goes_on "${of[@]}" -M moved
	other sketch/wish 's/return width/return (j + 1) * width/' dpdistinct
	cp ids in
	goes_on "${of[@]}" -M phase --statistic=cropped --tau=3
	other sketch/choose 's/error.max \* \(1/1e9 * error.max * (1/' dpdistinct
	cp ids in
	goes_on dpdistinct -e 1 -T 400 -M running
}

@test "another version goes on, another format does not" {
	cd "$BATS_TEST_TMPDIR"
	input 10 >few
	dpcount -e 1 -T 50 -v 2 -r 0:1 --state=S --init few >/dev/null
	other store/job 's/this\[\] = DP_VERSION/this[] = "99"/'
	run -0 "$dir/dpcount" --state=S -v 2 few
	run -0 dpcount --state=S -v 2 few
	other store/job 's/DP_JOB, DP_JOB_VERSION\)/DP_JOB, "2")/'
	run -5 "$dir/dpcount" --state=S -v 2 few
	[[ $output == *form* ]]
	run -0 dpcount --state=S -v 2 few
}

@test "weights that another C library rounds otherwise are refused" {
	cd "$BATS_TEST_TMPDIR"
	input 10 >few
	dpdecay -e 1 -T 50 -a 0.9 -M output -v 2 -r 0:1 --state=S --init few >/dev/null
	other paper/run 's/sum \+= \(uint64_t\)w\[i\];/sum += (uint64_t)(w[i] -= d + i == 3);/'
	run -5 "$dir/dpdecay" --state=S -v 2 few
	[[ $output == *"the noise planned here is not the state file's"* ]]
	run -0 dpdecay --state=S -v 2 few
}

@test "less noise than is planned here is refused" {
	cd "$BATS_TEST_TMPDIR"
	input 10 >few
	dpcount -e 1 -T 50 -M tree -v 2 -r 0:1 --state=S --init few >/dev/null
	other counter/tree_create 's/dp_q_make\(1, k->h\)/dp_q_make(1, k->h + 1)/'
	run -5 "$dir/dpcount" --state=S -v 2 few
	[[ $output == *"the noise planned here is not the state file's"* ]]
}

@test "a plan that is not kept is noticed" {
	other counter/choose_arity,kary_create 's/v < least/k < 6 \&\& v < least/
	    s/\(unsigned\)dp_numbers_int\(.*"arity", (arity \/ 2), 1,$/(\1/
	    s/^\t    ARITY \/ 2\) \* 2/) * 2/'
	run goes_on dpcount -e 1 -T 5000 -M kary
	[ "$status" -ne 0 ]
}
