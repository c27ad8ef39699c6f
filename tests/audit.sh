#!/bin/sh
# SPDX-License-Identifier: ISC
# sh tests/audit.sh BINDIR RUNS: what runs of each mechanism lose, from below and from above, beside
# what they claim; then claims that are too small, which must be found out.  From below: dpaudit on
# two neighbouring inputs, all steps of a run together, RUNS runs on each; from above: dpaudit
# --plan, where the mechanism says what it draws.  The status is 1 if a claim is refuted, or one
# that is too small is not.  Noise is the system's: a true claim is refuted at 1e-6 a row.
set -eu
bin=$(cd "$1" && pwd)
runs=$2
shift 2
# Half of the runs count.  With 62 the largest loss that they can show is .52, above the smallest
# claim that is to be caught, if no run is an exception; with 100 it is 1.09, and exceptions of one
# in a thousand leave it above .5 but for 2e-11.
if [ "$runs" -lt 100 ]; then
	echo "make audit: RUNS=$runs cannot find out a claim that is too small:" \
	    "100 is the least" >&2
	exit 2
fi
PATH=$bin:$PATH
export PATH
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
bad=0

# Neighbours: four lines, of which the second differs
pair() {
	printf '%s\n' "$3" "$1" "$3" "$3" >a
	printf '%s\n' "$3" "$2" "$3" "$3" >b
}

# row CLAIM WANT COMMAND ...; WANT: holds, or caught
row() {
	claim=$1 want=$2
	shift 2
	printf '' >said
	dpaudit -e "$claim" --pair=a,b --runs="$runs" -d "${delta:-0}" -- "$@" >said 2>err ||
	    [ $? -eq 6 ] || {
		cat err
		exit 1
	}
	low=$(sed -n 's/^epsilon.>= //p' said)
	verdict=$(sed -n 's/^verdict.//p' said)
	high=$(dpaudit --plan -- "$@" 2>/dev/null | sed -n 's/^epsilon.<= //p') || :
	case $want,$verdict in
	holds,'not refuted' | caught,refuted) how=$want ;;
	*) how="BAD: $verdict" bad=1 ;;
	esac
	printf '%-6s %8.3f %9.7s  %-8s %s\n' "$claim" "$low" "${high:--}" "$how" "$*"
}

# With few runs: a row a kind, what finds more than that has more runs
few() {
	[ "$runs" -lt 500 ]
}

printf '%-6s %8s %9s  %-8s %s\n' claim 'at least' 'at most' is command
pair 0 1 0
for m in normtree input; do
	row 1 holds dpcount -e 1 -T 4 -M $m
done
row 1 holds dpcount -e 1 -T 4 -P
row 1 holds dpwindow -e 1 -T 4 -w 2
if ! few; then
	for m in output tree kary; do
		row 1 holds dpcount -e 1 -T 4 -M $m
	done
	row .1 holds dpcount -e .1 -T 4
	row 1 holds dpdecay -e 1 -T 4 --half-life=2
	delta=1e-3 row 1 holds dpcount -e 1 -d 1e-3 -T 4 -M blt
	delta=1e-3 row 1 holds dpwindow -e 1 -d 1e-3 -T 4 -w 2
	row 1 holds dpmean -e 1 -T 4 -v 1 -r 0:1
	pair 0 9 5
	row 1 holds dpcount -e 1 -T 4 -r 0:9
	row 1 holds dpquantile -e 1 -T 4 -r 0:9 --quantile=.5
	row 1 holds dptransform -e 1 -T 4 --sensitivity=9 --changes=4
	pair a b a
	for m in normtree tree kary recompute pan; do
		row 1 holds dpmaxsum -e 1 -T 4 -k 1 --keys=a,b --both -M $m
	done
	row 1 holds dpdistinct -e 1 -T 4 -M running
	row 1 holds dpdistinct -e 1 -T 4 -P --universe=16
	row 1 holds dplocal -e 1 --domain=a,b,c
	for m in rr subset hr; do
		row 1 holds dplocal -e 1 --domain=a,b,c -M $m
	done
	printf 'a,b\n1,0\n0,1\n' >queries
	row 1 holds dpproject -e 1 --queries=queries
	pair '0 1' '1 0' '.5 .5'
	row 1 holds dpexperts -e 1 -T 4 --columns=2
fi
pair 0 1 0
row .5 caught dpcount -e 8 -T 4
if ! few; then
	row .5 caught dpcount -e 8 -T 4 -M input
	row 1 caught dpwindow -e 8 -T 4 -w 2
	row 1 caught dpcount -e 1 -T 4 --seed=1
	pair 0 9 0
	row 1 caught dpcount -e 1 -T 4 -r 0:9 --unit=1
	pair a b a
	row .5 caught dplocal -e 8 --domain=a,b
fi
exit $bad
