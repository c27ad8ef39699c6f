#!/bin/sh
# SPDX-License-Identifier: ISC
# The table of errors of dputils-formulas(7): this toolkit's default against the papers' own
# algorithms, from --explain=json alone (no data is read), but for runs at the end.
# Root-mean-square errors, worst step / mean, epsilon 1.
set -eu

# row NAME PAPER TREE COMMAND..: the chosen mechanism, and two rivals by name
row() {
	name=$1 paper=$2 tree=$3
	shift 3
	"$@" -e 1 --explain=json | awk -v name="$name" -v paper="$paper" -v tree="$tree" '
		function pick(m,   s) {
			if (m == "-" || !match(all, "\"mechanism\":\"" m "\",\"rmse_max\":[^}]*"))
				return "-"
			s = substr(all, RSTART, RLENGTH)
			sub(/.*"rmse_max":/, "", s)
			split(s, v, ",\"rmse_mean\":")
			return sprintf("%.4g / %.4g", v[1], v[2])
		}
		{
			match($0, /"mechanism":"[^"]*"/)
			best = substr($0, RSTART + 13, RLENGTH - 14)
			all = $0
			sub(/.*"eligible":/, "", all)
			printf "| %s | %s | %s | %s | %s |\n", name, best, pick(best),
			    pick(paper), pick(tree)
		}'
}

echo "| statistic | default | its error | the paper's algorithm | binary tree |"
echo "|---|---|---|---|---|"
for j in 8 12 16 20 24 30; do
	row "running count, T = 2^$j" tree tree dpcount -T $((1 << j))
done
row "running count, T unknown, first 2^20" - - dpcount
for j in 4 8 12 16; do
	row "last 2^$j steps" windowsum-paper - dpwindow -w $((1 << j))
done
for a in 0.9 0.99 0.999 0.9999; do
	row "exponential decay, $a" expsum-paper - dpdecay -a $a
done
for c in 1.1 1.5 2; do
	row "polynomial decay, $c" paper - dpdecay -p $c -T 1000
done
for j in 12 20 30; do
	row "running count, delta 1e-6, T = 2^$j" tree tree dpcount -d 1e-6 -T $((1 << j))
done
row "distinct, comings and goings of 16, delta 1e-6" - - dpdistinct -d 1e-6 -T 100000 --deletes \
    --universe=100 --flips=16
row "12 events of a user, 30 days apart, in a year, delta 1e-6" - tree dpcount -d 1e-6 -T 365 -u 1 \
    -c 12/30
row "52 events of a user, 7 days apart, in a year, delta 1e-6" - tree dpcount -d 1e-6 -T 365 -u 1 \
    -c 52/7
row "last 2^16 steps, delta 1e-6" windowsum-paper - dpwindow -d 1e-6 -w 65536
row "exponential decay, 0.9999, delta 1e-6" expsum-paper - dpdecay -d 1e-6 -a 0.9999
# exact tables against memory that is private, too (phase, cells)
row "cropped at 5, m = 1000" phase - dpdistinct --at-end --statistic=cropped --tau=5 --universe=1000
row "incidence of 5, m = 1000" phase - dpdistinct --at-end --statistic=incidence --tau=5 \
    --universe=1000
row "heavy at 40, a million lines" - - dpdistinct -T 1000000 --at-end --statistic=heavy --tau=40
row "incidence, an odd number of times, m = 1000" modular - dpdistinct --at-end \
    --statistic=incidence --tau=1%2 --universe=1000
row "distinct, -P, 100 answers, m = 10,000" cells - dpdistinct -P -T 100000 --every=1000 \
    --universe=10000
row "distinct, -P, 100 answers, m = 10,000, delta 1e-6" cells - dpdistinct -P -d 1e-6 -T 100000 \
    --every=1000 --universe=10000
row "distinct, -P, 10,000 answers, m = 100,000" density - dpdistinct -P -T 1000000 --every=100 \
    --universe=100000
row "distinct, -P, a million answers, m = 1,000,000" density - dpdistinct -P -T 1000000 \
    --universe=1000000
row "distinct, -P, two looks told, m = 10,000" - - dpdistinct -P --at-end --looks=2 \
    --universe=10000
row "distinct with deletes, m = 1000" cells - dpdistinct --at-end --deletes --universe=1000

# Regret of dpexperts -e 1 -T 10000 --columns=100, whole lines protected: promised, and of a run on
# costs 0 or 1 of those means, the best expert's and all others'; the best is another one after so
# many rounds: once, or if they are a quarter or less, each time.
experts() {
	awk -v best="$2" -v rest="$3" -v change="$4" 'BEGIN { v = 3
	    for (t = 0; t < 10000; t++) {
		lead = 4 * change > 10000 ? 5 : 1 + int(t / change)
		if (t < change)
			lead = 37
		for (i = 1; i <= 100; i++) {
			v = v * 16807 % 2147483647
			x = v / 2147483647 < (i == lead ? best : rest)
			printf "%d%s", x, i < 100 ? " " : "\n"
		}
	    } }' >"$dir/costs"
	# shellcheck disable=SC2086	# a mechanism and its options
	for m in kary blocks doubling 'doubling --segments=8'; do
		dpexperts -q -e 1 -T 10000 --columns=100 -r 0:1 --seed=1 -M $m "$dir/costs" \
		    >"$dir/follow" 2>/dev/null
		dpexperts -e 1 -T 10000 --columns=100 -r 0:1 -M $m --explain=json | awk \
		    -v name="$1" -v m="$m" -v follow="$dir/follow" -v costs="$dir/costs" '
		    { match($0, /"regret":{"max":[0-9.e+]*/)
		      bound = substr($0, RSTART + 16, RLENGTH - 16) }
		    END { while ((getline <costs) > 0) {
			getline i <follow
			sum += $(i + 0)
			for (j = 1; j <= 100; j++) all[j] += $j
		    }
		    least = all[1]
		    for (j in all) if (all[j] < least) least = all[j]
		    printf "| %s | %s | %.5g | %.4g |\n", name, m, bound, sum - least }'
	done
}

# Largest error of dptransform -e 3 -T 10k --sensitivity=1 on answers that rise to 1000, evenly.
answers() {
	name=$1
	shift
	seq 1 10000 | awk '{ print int($1 / 10) }' >"$dir/answers"
	bound=$(dptransform -e 3 -T 10k --sensitivity=1 "$@" --explain=json |
	    sed 's/.*"all_steps":\([0-9.]*\).*/\1/')
	dptransform -q -e 3 -T 10k --sensitivity=1 --seed=1 "$@" "$dir/answers" 2>/dev/null |
	    paste - "$dir/answers" | awk -v name="$name" -v bound="$bound" '{ d = $1 - $2
		if (d < 0) d = -d
		if (d > most) most = d }
		END { printf "| %s | %s | %d |\n", name, bound, most }'
}

# Choices again and again: noise, and what is promised with probability .95 or in the mean.
choices() {
	name=$1
	shift
	"$@" -d 1e-6 --explain=json | awk -v name="$name" '
		function pick(s,   v) {
			if (!match($0, "\"" s "\":[0-9.e+]*"))
				return "-"
			v = substr($0, RSTART, RLENGTH)
			sub(/.*:/, "", v)
			return v
		}
		{
			loss = pick("regret\":{\"max")
			if (loss == "-")
				loss = pick("mechanism\":\"recompute\",\"loss_max")
			printf "| %s | %s | %s |\n", name, pick("scale"), loss
		}'
}

echo
echo "| choices, delta 1e-6 | scale | promised |"
echo "|---|---|---|"
choices "a leader of 100, T = 10^6" dpmaxsum -e 1 -T 1M --columns=100 --select -M recompute
choices "a leader of 100, T = 10^4, epsilon 0.1" dpmaxsum -e .1 -T 10k --columns=100 --select \
    -M recompute
choices "an expert of 100, T = 10^4" dpexperts -e 1 -T 10k --columns=100 -M blocks
choices "an expert of 100, T = 10^5, epsilon 0.1" dpexperts -e .1 -T 100k --columns=100 -M blocks

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
echo
echo "| costs | mechanism | regret promised | found |"
echo "|---|---|---|---|"
experts "best .4, others .5" .4 .5 10000
experts "all but one pay" 0 1 10000
experts "best .1, others .5, another after a third" .1 .5 3333
experts "best .1, others .5, another in each quarter" .1 .5 2500

echo
echo "| answers that rise to 1000 | error promised | found |"
echo "|---|---|---|"
answers "--changes=5 --distance=166" --changes=5 --distance=166
answers "--rising=1000" --rising=1000
answers "--rising=1000 --one-sided" --rising=1000 --one-sided

# distinct NAME COMMAND..: dpdistinct -e 1 -T 1M --at-end of the lines of COMMAND.
# Predicted, for as many identifiers as there are lines; of 10 runs the error found, and the mean
# length of intervals of 0.95.
distinct() {
	name=$1
	shift
	"$@" >"$dir/ids"
	want=$(sort -u "$dir/ids" | wc -l)
	for m in hashed hashed-bits; do
		predicted=$(dpdistinct -e 1 -T 1M --at-end -M $m --explain=json |
		    sed 's/.*"rmse":{"max":\([0-9.]*\).*/\1/')
		for seed in $(seq 10); do
			dpdistinct -q -e 1 -T 1M --at-end -M $m -B --seed="$seed" "$dir/ids" \
			    2>/dev/null
		done | awk -v name="$name" -v m=$m -v p="$predicted" -v want="$want" '
		    { sum += ($1 - want) ^ 2; length_ += $3 - $2 }
		    END { printf "| %s | %s | %.4g | %.4g | %.4g |\n", name, m, p,
			sqrt(sum / NR), length_ / NR }'
	done
}

echo
echo "| distinct, -P | mechanism | predicted, of a million | found | interval |"
echo "|---|---|---|---|---|"
distinct "a million" seq 1000000
distinct "1000, 50 lines of each" awk 'BEGIN { for (i = 0; i < 50000; i++) print i % 1000 }'

# last NAME WANT COMMAND..: the error of the last answer, predicted, and of $runs runs, which tell
# it to some 10 %.
last() {
	name=$1 want=$2
	shift 2
	predicted=$("$@" -e 1 --explain=json |
	    sed 's/.*"rmse":{[^}]*"last":\([0-9.]*\).*/\1/')
	for seed in $(seq "$runs"); do
		"$@" -q -e 1 --seed="$seed" "$dir/ids" 2>/dev/null
		echo
	done | awk -v name="$name" -v p="$predicted" -v want="$want" '
	    NF == 0 { sum += (last - want) ^ 2; n++; next }
	    { last = $1 }
	    END { printf "| %s | %.4g | %.4g |\n", name, p, sqrt(sum / n) }'
}

echo
echo "| distinct | last error predicted | found |"
echo "|---|---|---|"
awk 'BEGIN { for (i = 0; i < 365; i++) print i * 17 % 40 }' >"$dir/ids"
runs=50
last "last 30 of 365 lines" 30 dpdistinct -T 365 -w 30
last "the same, identifiers" 30 dpdistinct -T 365 -w 30 --protect=identifier
last "the same, delta 1e-6, --presence" 30 dpdistinct -T 365 -w 30 --protect=identifier -d 1e-6 \
    --presence
last "121 answers, m = 1000, delta 1e-6" 40 dpdistinct -T 365 --every=3 -M density -d 1e-6 \
    --universe=1000
awk 'BEGIN { for (i = 0; i < 9000; i++) print i % 3000, substr("abc", i % 3 + 1, 1) }' >"$dir/ids"
runs=200
last "each of 3 keys, K = 3, once" 1000 dpdistinct --once -v 1 -k 2 --keys=a,b,c -c 3
