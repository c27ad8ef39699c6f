#!/bin/sh
# SPDX-License-Identifier: ISC
# The table of errors of dpquantile in dputils-formulas(7): events between a quantile and the place
# that it should have, root mean square over STEPS steps of made-up response times (lognormal,
# median 100 ms, sigma 1, range 1:100000), epsilon 1, fixed seeds.  Beside it a flat histogram of
# the same bins (cumulated, and fitted in the same way), and the exponential mechanism for one
# quantile alone, on 2048 edges: utility -|F - q N|, which an event moves by max(q, 1 - q) at most.
# That one is simulated in doubles, for comparison only: not private, and no tool.
set -eu
STEPS=${1:-100}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
end=$(awk -v s="$STEPS" 'BEGIN {
    printf "1970-01-01T%02d:%02d:%02d", s / 3600, s / 60 % 60, s % 60 }')

# uniform(): 0 < u < 1, the same in every awk
uniform='function uniform() {
	x = (x * 69069 + 1) % 4294967296
	return (x + .5) / 4294967296
}'

# events N: STEP VALUE
events() {
	awk -v n="$1" -v steps="$STEPS" "$uniform"'BEGIN { for (x = 7; t < steps; t++)
	    for (i = 0; i < n; i++) { r = sqrt(-2 * log(uniform()))
		printf "%d %.3f\n", t, 100 * exp(r * cos(6.28318530717958 * uniform())) } }'
}

# quantiles ARG ..: dpquantile of "in", a step a second
quantiles() {
	dpquantile -q -t 1 --time-format=epoch --bucket=1s --from=1970-01-01 --to="$end" \
	    -v 2 -r 1.000:100000.000 --log-bins "$@" in | cut -f 2-
}

# fitted G: three quantiles of numbers of events in bins, by pooling adjacent violators
fitted() {
	awk -v G="$1" -v ratio=100000 '
	function find(q,	j, part) {
		for (j = 1; j < G && F[j] < q * F[G]; j++)
			;
		part = F[j] > F[j - 1] ? (q * F[G] - F[j - 1]) / (F[j] - F[j - 1]) : 1
		return exp(log(ratio) * (j - 1) / G) * (1 - part) + exp(log(ratio) * j / G) * part
	}
	{
		n = s = 0
		for (j = 1; j <= G; j++) {
			m[++n] = s += $j
			w[n] = 1
			for (; n > 1 && m[n - 1] >= m[n]; n--) {
				m[n - 1] = (m[n - 1] * w[n - 1] + m[n] * w[n]) / (w[n - 1] + w[n])
				w[n - 1] += w[n]
			}
		}
		j = 1
		for (i = 1; i <= n; i++)
			for (l = 0; l < w[i]; l++)
				F[j++] = m[i] < 0 ? 0 : m[i]
		print find(.5), find(.95), find(.99)
	}'
}

# off FILE: the error of three quantiles a step, p50, p95 and p99; -: one that some step has not
off() {
	awk -v all="$1" 'BEGIN { q[1] = .5; q[2] = .95; q[3] = .99 }
	    FILENAME == all { split($0, v, /[\t ]/)
		for (i = 1; i <= 3; i++) { at[FNR - 1, i] = v[i] + 0; none[i] += v[i] == "" }
		next }
	    { n[$1]++; for (i = 1; i <= 3; i++) F[$1, i] += $2 <= at[$1, i] }
	    END { for (i = 1; i <= 3; i++) { s = steps = 0
		for (t in n) { s += (F[t, i] - q[i] * n[t]) ^ 2; steps++ }
		printf "%s%s", (i > 1 ? ", " : ""), (none[i] ? "-" : sprintf("%.1f",
		    sqrt(s / steps))) } }' "$1" in
}

# exponential: the error of each quantile alone
exponential() {
	quantiles -e inf --histogram --bins=2048 2>err |
	    awk "$uniform"'BEGIN { x = 11; q[1] = .5; q[2] = .95; q[3] = .99 }
	    { for (j = 1; j <= NF; j++) F[j] = F[j - 1] + $j
	    for (i = 1; i <= 3; i++) {
		reach = q[i] > .5 ? q[i] : 1 - q[i]
		all = 0
		for (j = 1; j < NF; j++) {
			d = F[j] - q[i] * F[NF]
			all += w[j] = exp(-(d < 0 ? -d : d) / (2 * reach))
		}
		u = all * uniform()
		for (j = 1; j < NF - 1 && u >= w[j]; j++)
			u -= w[j]
		s[i] += (F[j] - q[i] * F[NF]) ^ 2
	    } }
	    END { for (i = 1; i <= 3; i++) printf "%s%.1f", (i > 1 ? ", " : ""), sqrt(s[i] / NR) }'
}

echo "| events a step | bins | dpquantile: p50, p95, p99 | flat histogram |" \
    "exponential, each alone |"
echo "|---|---|---|---|---|"
for n in 100 1000 10000; do
	events $n >in
	alone=$(exponential)
	for G in 256 1024; do
		quantiles -e 1 --seed=1 --quantile=.5,.95,.99 --bins=$G 2>err >tree
		quantiles -e 1 --seed=2 --histogram -M input --bins=$G 2>err | fitted $G >flat
		echo "| $n | $G | $(off tree) | $(off flat) | $alone |"
	done
done
