# SPDX-License-Identifier: ISC
# The papers' own formulas and bounds (dputils-formulas(7), THE PAPERS) against what --explain says.
# That rows name tests that are there is in registry.bats.
load ../lib/helper

# said FORMULA COMMAND ...: the largest rms error that it predicts is the square root of the
# formula's value to a thousandth; V(b) is the variance of discrete Laplace noise of scale b
said() {
	local formula=$1

	"${@:2}" -e 1 --explain=json 2>/dev/null | jq -r '.rmse.max' >rmse
	awk -v formula=0 "function V(b) { return 2 / (exp(1 / b) - 2 + exp(-1 / b)) }
	    { x = sqrt($formula) } !(\$1 > x * .999 && \$1 < x * 1.001) {
	    print \"$formula: \" x \", and --explain says \" \$1; exit 1 }" rmse || {
		echo "${*:2}"
		false
	}
}

@test "predicted errors are the papers' own formulas" {
	# Figure 1 of Dwork et al. 2010: (1 + lg T) noises of scale (1 + lg T)/E at every step
	said '11 * V(11)' dpcount -P -M pan -T 1024
	# Figure 12.1 of Dwork, Roth: lg T a path, as many as T has binary ones
	said '10 * V(10)' dpcount -M tree -T 1023
	said '2 * V(1)' dpcount -M tree -T 2
	# 12.1: n e^E / (e^E - 1)^2 for two symbols, and for four what each is mistaken for
	said '1000 * exp(1) / (exp(1) - 1)^2' dplocal -M rr --domain=a,b -T 1000
	# Algorithm 1 of Bolot et al.: lg W + 1 a step, 1 + 2 lg W of them in the worst window
	said '13 * V(7)' dpwindow -w 64 -M windowsum-paper -T 5000
	said '13 * V(7)' dpcount --expire=64 -M windowsum-paper -T 5000
	# Theorem 9: scale W/E times the largest weight, one noise an answer
	said '2 * 8^2' dpdecay -a .9 --expire=8 -M map-paper -T 5000
	# Corollary 4 of theirs, W/E for a running sum, is what one noise an answer would have
	said '2 * 5^2' dpdecay --half-life=1000000 --expire=5 -M map-paper -T 5000
}

@test "errors are within the papers' bounds" {
	# Theorem 4.1 of Dwork et al. 2010: 4 ln(1/beta) lg^2.5 T / E at a step
	dpcount -e 1 -P -M pan -T 1024 --explain=json >j
	jq -e '.bound.max <= 4 * (20 | log) * pow(10; 2.5)' j >/dev/null
	# Corollary 12.3 of Dwork, Roth, of k noises of scale b: with x = sqrt(ln(2/beta)),
	# sqrt(8) b max(sqrt(k), x) x
	dpcount -e 1 -M tree -T 1023 --explain=json >j
	jq -e '.bound.max <= (8 | sqrt) * 10 * (10 | sqrt) * (40 | log | sqrt)' j >/dev/null
	# Theorem 13 of Bolot et al.: distinct counts, a 2-sensitive predicate, O(log^1.5 T): here
	# with the constant of the tree above for twice the noise
	dpcount -e 1 --holistic=2 -M tree -T 1023 --explain=json >j
	jq -e '.bound.max <= 2 * (8 | sqrt) * 10 * (10 | sqrt) * (40 | log | sqrt)' j >/dev/null
}
