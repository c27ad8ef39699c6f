# SPDX-License-Identifier: ISC
# Runs of many seeds against what --explain says: for promises*.bats.
# shellcheck shell=bash disable=SC2154	# epsilon: of the test
N=100

# limits, for awk: at(n, p) is exceeded by a binomial variable with probability 1e-6 at most
limits='function at(n, p,	k, one, sum) {
	one = exp(n * log(1 - p))
	for (k = 0; 1 - (sum += one) > 1e-6 && k < n; k++)
		one *= (n - k) / (k + 1) * p / (1 - p)
	return k
}'

# seeds TOOL ARG ..: runs of N seeds; in runs, "# SEED" before what each prints
seeds() {
	local tool=$DP_BUILD/bin/$1 seed

	shift
	for ((seed = 1; seed <= N; seed++)); do
		echo "# $seed"
		"$tool" "$@" -q --seed=$seed 2>err || [ $? -eq 4 ] || {
			cat err >&2
			return 1
		}
	done >runs
}

# simulate INPUT TOOL ARG ..: runs of N seeds; in off, "seed step column error"
simulate() {
	local in=$1 tool=$2

	shift 2
	"$DP_BUILD/bin/$tool" "${@//EPSILON/inf}" -q "$in" 2>/dev/null >true
	seeds "$tool" "${@//EPSILON/$epsilon}" "$in" || return
	awk '
	    NR == FNR { for (i = 1; i <= NF; i++) right[FNR, i] = $i; next }
	    $1 == "#" { s = $2; n = 0; next }
	    { n++; for (i = 1; i <= NF; i++) { e = $i - right[n, i]
		print s, n, i, e < 0 ? -e : e } }' true runs >off
	[ "$(awk '!seen[$1]++' off | wc -l)" -eq "$N" ]
}

# broken BOUND CONFIDENCE FACTOR [STEP]: largest errors of runs, or those at a step, against a bound
broken() {
	awk -v b="$1" -v c="$2" -v f="$3" -v step="${4:-0}" -v n="$N" "$limits"'
	    step == 0 || $2 == step { if ($4 > most[$1]) most[$1] = $4; seen[$1] }
	    END {
		for (s in seen) { over += most[s] > b; half += most[s] > b / f; runs++ }
		l = at(n, 1 - c)
		printf "%d of %d runs beyond %g (limit %d), %d beyond %g\n", over, runs, b, l,
		    half, b / f
		exit !(runs == n && over <= l && half > l)
	    }' off
}

# rms S STEP: the rms error at that step
rms() {
	awk -v s="$1" -v step="$2" '$2 == step { sum += $4 * $4; n++ }
	    END { r = sqrt(sum / n); print "step " step ": rms " r ", said " s
		exit !(r <= 1.6 * s && r >= s / 1.6) }' off
}
