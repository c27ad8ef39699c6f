# dpquantile: quantiles and histograms against awk at epsilon = inf, what it says of errors against
# runs, states, and what is refused.  tests/law has the laws.
load ../lib/helper
load ../lib/examples

TOP=$BATS_TEST_DIRNAME/../..

# exact ARG ...: dpquantile without noise
exact() {
	exact_of dpquantile "$@"
}

@test "half-lives: events are off by what is said, and most intervals hold" {
	# 1, 1/2, 1/4 .. of 1000 events each, one of each value: rank and value are one
	awk 'BEGIN { for (d = 0; d < 5; d++) for (i = 0; i < 1000; i++) print d * 86400, i }' >in
	set -- -e 1 -t 1 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-06 -v 2 \
	    -r 0:999 --half-life=1d
	dpquantile "$@" --explain >said
	most=$(awk '$1 == "last" { print $3 }' said)
	for ((i = 1; i <= 100; i++)); do
		dpquantile "$@" -q -B --seed=$i in | tail -n 1
	done | awk -v most="$most" '{ d = ($2 - 499.5) * 1.9375; s += d * d
	    out += $3 > 499 || $4 < 499 } END { s = sqrt(s / NR); print s, most, out
	    # what is said is of the worst rank: half of that, and a fifth more, is 5 sd and more
	    exit !(NR == 100 && s > most / 2 && s < 1.2 * most && out <= 5) }'
}
