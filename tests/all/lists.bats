# SPDX-License-Identifier: ISC
# A list whose items are kept in the order of private counts, most asked for first: list access and
# list update of section 6 of Dwork, Naor, Pitassi, Rothblum 2010.  An access costs its place.
load ../lib/helper

# The bound of dputils-formulas(7), THE PAPERS: with counters -M pan, whose noise has one law at all
# steps, and D the difference of two counters' noise, requests chosen beforehand are expected to
# cost no more than in the best fixed order and, for each pair of items with n requests,
#	n P(D = 0)/2 + E|D|/2 + 1.
# Proof.  The cost is one, and one for each item before the one asked for: look at one pair i, j, x
# how many more requests i had.  i comes first with probability F(x) = P(D >= -x), or that of >, by
# how ties go.  A request for i costs 1 - F(x), and x grows by 1; one for j costs F(x), and x falls.
# A step up from x and one down from x + 1 cost 1 + F(x + 1) - F(x) together, and F(x + 1) - F(x) is
# the probability of one value of D, which that of 0 is not below: at most n/2 such pairs of steps,
# of which the best order pays 1 each.  The others go from 0 on one way: up, 1 - F(0) + 1 - F(1) +
# .. <= E|D|/2 + 1, D being symmetric; down likewise.

@test "lists: the bound, by all requests for two items" {
	awk 'BEGIN {
		q = exp(-.4)			# D: of two counters, each one draw
		for (a = -60; a <= 60; a++)
			for (b = -60; b <= 60; b++)
				p[a - b] += ((1 - q) / (1 + q)) ^ 2 * q ^ (abs(a) + abs(b))
		for (d in p)
			mean += p[d] * abs(d)
		for (x = -12; x <= 12; x++)
			for (d in p)
				F[x] += d + 0 >= -x ? p[d] : 0
		for (n = 1; n <= 12; n++)
			for (s = 0; s < 2 ^ n; s++) {
				for (cost = x = k = 0; k < n; k++)
					if (int(s / 2 ^ k) % 2) cost += 1 - F[x++]
					else cost += F[x--]
				best = (n - abs(x)) / 2
				worst = max(worst, cost - best - n * p[0] / 2 - mean / 2 - 1)
				most = max(most, cost - best)
			}
		exit !(worst <= 0 && worst > -1 && most > 2)
	}
	function abs(y) { return y < 0 ? -y : y }
	function max(a, b) { return a > b ? a : b }'
}

@test "lists: in the order of dpcount -M pan --top an access costs what is said, near the best" {
	awk 'BEGIN { srand(3); for (t = 0; t < 600; t++) { u = rand()
	    print u < .5 ? "d" : u < .8 ? "c" : u < .95 ? "b" : "a" } }' >requests
	set -- -e 8 -T 600 -M pan -k 1 --keys=a,b,c,d --top=4
	[ "$(dpcount "$@" -P requests | wc -l)" = 2400 ]
	for seed in $(seq 40); do
		dpcount -q "$@" --seed "$seed" requests | awk 'BEGIN { split("a b c d", first)
			for (i in first) place[first[i]] = i }
		    FNR == NR { ask[FNR] = $1; next }
		    FNR % 4 == 1 { cost += place[ask[(FNR + 3) / 4]] }
		    { place[$1] = (FNR - 1) % 4 + 1 } END { print cost }' requests -
	done >costs
	dpcount "$@" --explain=json >j
	jq -e '.mechanism == "pan" and .rmse.first == .rmse.last' j
	awk -v b="$(jq .noise.scale j)" -v sd="$(jq .rmse.max j)" '
	FNR == NR { n[$1]++; next }
	{ mean += $1; N++ }
	END {
		mean /= N
		best = n["d"] + 2 * n["c"] + 3 * n["b"] + 4 * n["a"]
		p = (exp(1 / b) - 1) / (exp(1 / b) + 1)	# of one draw: more than of 24
		for (i in n) for (j in n) if (i < j)
			more += (n[i] + n[j]) * p / 2 + sqrt(2) * sd / 2 + 1
		print mean, best, more
		exit !(mean >= best && mean <= best + more && mean < 1.1 * best && more < best / 3)
	}' requests costs
}
