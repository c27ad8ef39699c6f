# dpaudit --plan: what a run draws from holds by a computation that shares no code with the planner,
# for every mechanism that says what it draws; what is altered is refuted, what is no plan refused.
load ../lib/helper

# holds WORD ARG ...: the plan of that command, whose mechanism begins with WORD
holds() {
	local word=$1

	shift
	run -0 dpaudit --plan -- "$@"
	echo "$*" "$(grep -v '^[kgcr]' <<<"$output" | tail -n 6)"
	grep -qx '# verdict	holds' <<<"$output"
	grep -q "^mechanism $word" <<<"$output"
	# no more than is claimed, and not far below it
	awk -F '\t' '$1 == "# epsilon" { sub(/<= /, "", $2); loss = $2 + 0 }
	    $1 == "# claimed" { split($2, q, "/"); claim = q[1] / q[2] }
	    END { exit !(loss <= claim && loss > .98 * claim) }' <<<"$output"
}

@test "plans of tools hold: norm trees, on their own grid and finer ones" {
	holds normtree dpcount -e 1 -T 100
	holds normtree dpcount -e .1 -T 50
	holds normtree dpcount -e 1 -T 20 -r 0:1000
	holds normtree dpwindow -e 1/3 -w 7 -T 365
	holds normtree dpcount -e 1 -T 30 -k 1 --keys=a,b
	holds normtree dpcount -e 1 -d 1e-6 -T 30
}

@test "plans of tools hold: textbook noise" {
	holds response dpcount -e 1 -P -T 100
	holds input dpcount -e 1/3 -M input
	holds tree dpcount -e .7 -T 100 -M tree
	holds kary dpcount -e .7 -T 100 -M kary
	holds output dpcount -e 2 -T 9 -M output
	holds input dpdecay -e 1 --half-life=3 -T 100
}

@test "plans of tools hold: values and choices found anew" {
	holds recompute dpmaxsum -e 1 -T 100 -k 1 --keys=a,b
	holds recompute dpmaxsum -e .3 -T 1000 -k 1 --keys=a,b --both -M recompute
	holds recompute dpmaxsum -e 1 -T 100 -k 1 --keys=a,b --select -M recompute
}

@test "plans of tools hold: parts" {
	holds mean dpmean -e 1 -T 20 -r 0:10
	holds quantile dpquantile -e 1 -T 8 -r 0:9 --quantile=.5
	holds quantile dpquantile -e 1 -T 4 -r 0:100 --quantile=.5
	holds quantile dpquantile -e 1 -T 8 -w 1 -r 0:9 --quantile=.5
	holds running dpdistinct -e 1 -T 20
	holds normtree dpmaxsum -e 1 -T 20 -k 1 --keys=a,b -M normtree
	holds expire dpcount -e 1 -T 40 --expire=12
}

@test "a mechanism that does not say what it draws is unknown, and so is no noise" {
	run -3 dpaudit --plan -- dpcount -e 1 -T 100 -d 1e-6 -M blt
	[[ $output = *'# verdict	unknown: blt does not say what it draws' ]]
	run -3 dpaudit --plan -- dpmaxsum -e 1 -T 1M -d 1e-6 -k 1 --keys=a,b -M recompute
	run -3 dpaudit --plan -- dpcount -e inf
	[[ $output = *'# verdict	unknown: '* ]]
}

@test "a state's plan is the one that it was made with, and a seed changes none" {
	dpaudit --plan -- dpcount -e 1 -T 20 >plan
	printf '1\n1\n' | dpcount -e 1 -T 20 --state=S --init >/dev/null
	dpaudit --plan -- dpcount --state=S >again
	cmp plan again
	dpaudit --plan dpcount -e 1 -T 20 --seed=1 2>/dev/null | cmp - plan
}

@test "what was printed is checked by itself; what is altered is refuted" {
	dpaudit --plan -- dpcount -e 1 -T 20 >plan
	run -0 dpaudit --check-plan=plan
	[ "$(grep '^# ' plan | cut -c 3-)" = "$output" ]
	run -0 dpaudit --check-plan=- <plan
	# a smaller claim; a longer reach; R a thousandth off at one place
	sed 's/^epsilon 1\/1/epsilon 999\/1000/' plan >less
	sed 's/^reach 1/reach 2/' plan >far
	awk '$1 == "root" { $6 = $7 } { print }' plan >root
	awk '$1 == "g" && !n++ { $4 = $5 } { print }' plan >g
	for f in less far root g; do
		run -6 dpaudit --check-plan=$f
		[[ $output = *'verdict	refuted: '* ]]
	done
}

@test "bad input: plans" {
	dpaudit --plan -- dpcount -e 1 -T 20 >plan
	sed 's/^dputils-plan 1/dputils-plan 2/' plan >newer
	head -c 1000 plan >cut
	: >empty
	sed 's/^end/end\nend/' plan >longer
	for f in newer cut empty longer nowhere .; do
		fails 3 dpaudit --check-plan=$f
		[ -z "$output" ]
	done
	fails 3 dpaudit --check-plan=newer
	[[ $stderr = 'dpaudit: newer: line 1: a plan of another version: 1 is what is read' ]]
	fails 2 dpaudit --plan
	fails 2 dpaudit --plan -- no-such-command
	fails 2 dpaudit --plan -- dpcount -e 0
	fails 3 dpaudit --plan -- echo dputils-plan 1
	fails 2 dpcount -e 1 --explain=tables
	[[ $stderr = *"must be json, plan, or nothing"* ]]
	run -1 bash -c 'dpaudit --plan -- dpcount -e 1 -T 2 >/dev/full'
}
