# SPDX-License-Identifier: ISC
# dpaudit --plan: what a run draws from holds by a computation that shares no code with the planner,
# for every mechanism that says what it draws; what is altered is refuted, what is no plan refused.
load ../lib/helper

# holds WORD ARG ...: the plan of that command, whose mechanism is WORD
holds() {
	local word=$1

	shift
	run -0 dpaudit --plan -- "$@"
	echo "$*" "$output"
	grep -qx 'verdict	holds' <<<"$output"
	grep -qE "^mechanism	 *$word	" <<<"$output"
	# no more than is claimed, and not far below it
	awk -F '\t' '$1 == "epsilon" { sub(/<= /, "", $2); loss = $2 + 0 }
	    $1 == "claimed" { split($2, q, "/"); claim = q[1] / q[2] }
	    END { exit !(loss <= claim && loss > .98 * claim) }' <<<"$output"
}

# tight ARG ...: nearly all of its delta is missed
tight() {
	holds "$@"
	awk -F '\t' '$1 == "delta" { sub(/<= /, "", $2); missed = $2 + 0 }
	    $1 == "claimed delta" { split($2, q, "/"); claim = q[1] / q[2] }
	    END { exit !(missed <= claim && missed > .95 * claim) }' <<<"$output"
}

@test "plans of tools hold: norm trees, on their own grid and finer ones" {
	holds normtree dpcount -e 1 -T 100
	holds normtree dpcount -e .1 -T 50
	holds normtree dpcount -e 1 -T 20 -r 0:1000
	holds normtree dpwindow -e 1/3 -w 7 -T 365
	holds normtree dpcount -e 1 -T 30 -k 1 --keys=a,b
	holds normtree dpcount -e 1 -d 1e-6 -T 30
	# a row of trees, of a run that has no end
	holds normtree dpcount -e 3
}

@test "plans of tools hold: textbook noise" {
	holds response dpcount -e 1 -P -T 100
	holds input dpcount -e 1/3 -M input
	holds tree dpcount -e .7 -T 100 -M tree
	holds kary dpcount -e .7 -T 100 -M kary
	holds output dpcount -e 2 -T 9 -M output
	holds input dpdecay -e 1 --half-life=3 -T 100
	holds gradual dpcount -e 1 -T 100 --expire=gradual:.5
	holds gradual dpcount -e 1 -T 100 --expire=gradual:2
	holds gradual dpcount -e 1 --expire=gradual:1
	awk 'BEGIN { for (d = 0; d < 60; d++) print 1 + d / 7 }' >ages
	holds gradual dpcount -e 1 -T 100 -M gradual --ages=ages
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

@test "plans of tools hold: Gaussian noise, fresh and correlated" {
	tight blt dpcount -e 1 -d 1e-6 -M blt
	tight blt-norm dpcount -e 1 -d 1e-6 -T 1000 -M blt-norm
	tight blt dpwindow -e .1 -d 1e-9 -w 7,30 -M blt
	tight blt dpcount -e 1 -T 365 -d 1e-6 -u 1 -c 5/7 -M blt
	tight banded dpcount -e 1 -T 365 -d 1e-6 -u 1 -c 5/7 -M banded
	tight blt dpcount -e 20000 -d 1e-6 -T 20 -M blt
	tight output-gauss dptransform -e 1 -d 1e-6 -T 9 --sensitivity=99 --changes=5 \
	    -M output-gauss
	tight recompute dptransform -e 1 -d 1e-6 -T 99999 --sensitivity=9 --drift=1 -M recompute
	tight recompute dpmaxsum -e 1 -T 1M -d 1e-6 -k 1 --keys=a,b -M recompute
	tight recompute dpmaxsum -e 1 -T 10000 -d 1e-6 -k 1 --keys=a,b --select -M recompute
}

@test "plans of tools hold: thresholds" {
	holds transform dptransform -e 1 -T 100 --sensitivity=1 --changes=5
	holds pan dptransform -e 1 -T 100 --sensitivity=3 --changes=5 -P
	tight rounds dptransform -e 1 -d 1e-6 -T 100 --sensitivity=1 --changes=50 -M rounds
	holds rising dptransform -e 1 -T 100 --sensitivity=1 --rising=90
	holds lazy dpmaxsum -e 1 -T 1000 -k 1 --keys=a,b --ceiling=500 -M lazy
}

@test "plans of tools hold: answers of lines, sketches, projections" {
	holds rr dplocal -e 1 --domain=a,b,c
	holds subset dplocal -e 1 --domain=a,b,c,d,e,f,g,h -M subset
	holds density dpdistinct -e 1 -T 20 --universe=16 -M density
	holds hashed dpdistinct -e 1 -d 1e-6 -T 2000 -M hashed
	holds hashed dpdistinct -e 1 -T 10 -M hashed
	holds moved dpdistinct -e 1 -P -T 2000 --universe=2000 -M moved
	holds moved dpdistinct -e 1 -P --live --bucket=1s -T 2000 --universe=2000 -M moved
	holds pan dpcount -e 1 -P -T 100 --looks=3 -M pan
	holds pan-slots dpcount -e 1 -P -T 100 --looks=3 -M pan-slots
	holds anew dpdistinct -e 1 -P -T 20 --universe=16 --looks=2
	holds anew dpdistinct -e 4 -P -T 20 --universe=16 --looks=7 --at-end
	holds anew-cells dpdistinct -e 1 -P -T 20 --universe=16 --looks=2 --deletes
	holds alg2 dpdistinct -e 1 -T 20 --universe=16 --statistic=cropped --tau=3 -M alg2
	# queries that overlap: a line moves their answers farther than counts of kinds
	printf 'a,b,c\n1,1,0\n1,0,1\n0,1,1\n1,1,1\n' >queries
	holds counts dpproject -e 1 --queries=queries -M counts
	holds projected-counts dpproject -e 1 --queries=queries -u 1 -c 3 -M projected-counts
	holds laplace dpproject -e 1 --queries=queries -M laplace
	printf 'a,b\n1,0\n1,1\n' >queries
	tight gauss dpproject -e 1 -d 1e-6 --queries=queries -M gauss
}

@test "plans of tools hold: names that nobody declared, and delta is what is said" {
	for o in '--from=0 --to=2592000' '--from=0 --to=2592000 -u 3 -c 2' --public-times \
	    '--public-times -w 1d' '--public-times -w 9d'; do
		set -- dptop -e 2 -d 1e-5 -t 1 --time-format=epoch --bucket=1d -k 2
		# shellcheck disable=SC2086
		holds 'gated-[a-z]*' "$@" $o
		missed=$(sed -n 's/^delta	<= //p' <<<"$output")
		# shellcheck disable=SC2086
		said=$("$@" $o --explain | grep -oE '[0-9.e-]+ is the probability' | head -n 1)
		awk -v a="$missed" -v b="${said%% *}" \
		    'BEGIN { exit !(a > b * .995 && a < b * 1.005 && a > 1e-6) }'
	done
	# half of delta is the noise's
	tight gated-blt dptop -e 1 -d 1e-6 -t 1 --time-format=epoch --bucket=1d -k 2 --from=0 \
	    --to=31536000 -u 3 -c 50 --distinct -M gated-blt
	tight gated-blt dptop -e 1 -d 1e-6 -t 1 --time-format=epoch --bucket=1d -k 2 --from=0 \
	    --to=31536000 -u 3 -c 50
}

@test "each mechanism of each tool: its plan holds, and only without noise is none known" {
	printf 'a,b\n1,0\n1,1\n0,1\n' >queries
	grep -v '^#' "$BATS_TEST_DIRNAME/plans.list" >list
	while IFS='	' read -r want command; do
		# shellcheck disable=SC2086
		dpaudit --plan -- $command >said 2>err || :
		[[ $'\n'$(<said) =~ $'\nverdict\t'$want ]] || {
			echo "$command"
			cat said err
			false
		}
	done <list
	# what has no noise, and nothing else
	[ "$(grep -v -- '-e inf' list | grep -cv ^holds)" -eq 0 ]
	# none of those that a tool offers is left out
	for tool in $(filters); do
		"$tool" --help=mechanisms | awk '/^[A-Z]/ { on = /^Mechanisms.*:$/; next }
		    on && NF { print $1 }' | sort -u | while read -r m; do
			grep -qE "	$tool .*-M $m\$" list || echo "$tool -M $m"
		done
	done >missing
	cat missing
	[ ! -s missing ]
}

@test "arithmetic is exact: where all of epsilon is lost, 10^-15 less noise is refuted" {
	printf 'a,b\n1,0\n1,1\n0,1\n' >queries
	sed -n 's/^holds	//p' "$BATS_TEST_DIRNAME/plans.list" | while read -r command; do
		# shellcheck disable=SC2086
		$command --explain=plan >plan 2>/dev/null || continue
		# of the first line with a scale: less one, of any length
		awk '!n && /^(laplace|value|choice|sparse|again) / {
			i = $2 == "0/1" ? 4 : 2
			n = split($i, q, "/")
			while (length(q[1]) < 16) { q[1] = q[1] "0"; q[2] = q[2] "0" }
			for (nines = ""; sub(/0$/, "", q[1]); )
				nines = nines "9"
			k = length(q[1])
			q[1] = substr(q[1], 1, k - 1) (substr(q[1], k) - 1) nines
			sub(/^0/, "", q[1])
			$i = q[1] "/" q[2] }
		    { print }
		    END { exit !n }' plan >less || continue
		# refuted, or it loses less than its epsilon
		s=0
		dpaudit --check-plan=less >said || s=$?
		echo "$s $command"
	done >all
	cat all
	awk '{ n[$1]++ } END { exit !(n[6] >= 60 && n[6] + n[0] == NR) }' all
}

@test "what is not private says so: no noise, or noise that follows from a seed" {
	no='verdict	NOT PRIVATE: '
	for c in 'dpcount -T 10' 'dpcount -T 10 -d 1e-6' 'dpcount -T 10 -M tree' \
	    'dpcount -T 10 --expire=gradual:.5' 'dpmean -r 0:10 -T 5' 'dplocal --domain=a,b' \
	    'dpdistinct -T 20 --universe=16' 'dpwindow -w 3 -T 9' \
	    'dpmaxsum -T 10 -k 1 --keys=a,b -M recompute'; do
		# shellcheck disable=SC2086
		run -3 dpaudit --plan -- $c -e inf
		[[ $output = *"${no}epsilon is inf, the answers are exact" ]]
		[[ $output = *$'\nepsilon\t<= inf\nclaimed\tinf\n'* ]]
		# shellcheck disable=SC2086
		run -0 dpaudit --plan -- $c -e 1
		was=$output
		# shellcheck disable=SC2086
		run -3 dpaudit --plan -- $c -e 1 --seed=3
		[ "${output%verdict*}" = "${was%verdict*}" ]
		[[ $output = *"${no}the noise follows from --seed; without it the plan holds" ]]
	done
	# the text says it too; less noise is refuted all the same; older texts are without the line
	dpcount -e 1 --seed=3 -T 10 -M output --explain=plan >plan
	run -3 dpaudit --check-plan=plan
	[[ $output = *"$no"* ]]
	sed 's/^epsilon 1.1/epsilon 1\/2/' plan >less
	run -6 dpaudit --check-plan=less
	[[ $output = *'verdict	refuted: '* ]]
	sed '/^seeded/d' plan >gone
	fails 3 dpaudit --check-plan=gone
	[[ $stderr = *'it has not as many lines as it says' ]]
	dpcount -e inf -T 10 --explain=plan | sed '/^exact/d; s/^lines 10/lines 9/' >gone
	run -3 dpaudit --check-plan=gone
	[[ $output = *'verdict	unknown: identity does not say what it draws' ]]
}

@test "a long ratio has a decimal beside it, no smaller" {
	run -0 dpaudit --plan -- dpcount -e 1 -T 100 --expire=gradual:.5
	awk -F '\t' '$1 == "claimed" { n++; split($2, q, "[/, <=]+") }
	    END { exit !(n == 1 && q[3] >= q[1] / q[2] && q[3] < q[1] / q[2] * 1.00001) }' \
	    <<<"$output"
	run -0 dpaudit --plan -- dpcount -e .7 -T 100 -M tree
	grep -qx 'claimed	7/10' <<<"$output"
}

@test "each mechanism has a line, its parts before it" {
	run -0 dpaudit --plan -- dpmean -e 1 -T 20 -r 0:10
	[[ $output = *'	  normtree	epsilon <= '*'	mean	epsilon <= 1 of 1/1'* ]]
	run -0 dpaudit --plan -- dpcount -e 1 -d 1e-6 -M blt
	grep -qE '^mechanism	blt	epsilon <= 1 of 1/1, delta <= 9[.0-9]*e-07 of 1/1000000$' \
	    <<<"$output"
	[ "$(wc -l <<<"$output")" -eq 12 ]
	grep -qx 'claim	line 0 1 0 1 1' <<<"$output"
	grep -qx 'given	blt: STEPS 1099511627776' <<<"$output"
}

@test "a state's plan is the one that it was made with, and a seed adds a line" {
	dpaudit --plan=full -- dpcount -e 1 -T 20 >plan
	printf '1\n1\n' | dpcount -e 1 -T 20 --state=S --init >/dev/null
	dpaudit --plan=full -- dpcount --state=S >again
	cmp plan again
	dpcount -e 1 -T 20 --explain=plan >plan
	dpcount -e 1 -T 20 --seed=1 --explain=plan >seeded
	[ "$(diff <(sed 2d plan) <(sed 2d seeded))" = "$(printf '3a4\n> seeded')" ]
	[ "$(sed -n '2s/lines //p' seeded)" -eq $(($(wc -l <plan) - 1)) ]
	printf '1\n' | dpcount -e 1 -T 20 --seed=1 --state=S1 --init >/dev/null
	dpcount --state=S1 --explain=plan | cmp - seeded
}

@test "what was printed is checked by itself; what is altered is refuted" {
	dpaudit --plan=full -- dpcount -e 1 -T 20 >plan
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

# worse LINE FIELD AMOUNT: that field of the first line of this word, so much more, is refuted
worse() {
	awk -v line="$1" -v field="$2" '$1 == line && !n++ { print $field }' plan >was
	is=$(($(<was) + $3))
	awk -v line="$1" -v field="$2" -v is="$is" '$1 == line && !n++ { $field = is }
	    { print }' plan >worse
	! cmp -s plan worse
	run -6 dpaudit --check-plan=worse
	[[ $output = *'verdict	refuted: '* ]]
}

@test "correlated noise: each coefficient that is worse is refuted" {
	dpcount -e 1 -d 1e-6 -T 1000 -M blt --explain=plan >plan
	dpaudit --check-plan=plan
	sed 's/^\(blt [0-9]*\)[0-9]\//\1\//' plan >small
	run -6 dpaudit --check-plan=small
	worse blt 3 500
	worse blt 5 1
	worse blt 6 1
	# every pole is slower, or larger, and its dither stays
	worse pole 2 -1000000000000
	worse pole 3 2199023255552000
	worse pole 3 1
	dpcount -e 1 -d 1e-6 -T 1000 -M blt-norm --explain=plan >plan
	worse piece 3 100000
	worse piece 2 -1
	dpwindow -e 1 -d 1e-6 -T 1000 -w 7 -M blt --explain=plan >plan
	worse echo 2 40000000
	worse echo 3 -40000000
	dpcount -e 1 -T 365 -d 1e-6 -u 1 -c 5/7 -M banded --explain=plan >plan
	worse banded 8 1
	worse banded 9 -1
	worse banded 11 1
	worse banded 12 -1000000
	sed 's/^delta 1\/1000000/delta 1\/1001000/' plan >less
	run -6 dpaudit --check-plan=less
	sed 's/^epsilon 1\/1/epsilon 999\/1000/' plan >less
	run -6 dpaudit --check-plan=less
	sed "/^delta/d; s/^lines .*/lines $(($(wc -l <plan) - 3))/" plan >less
	run -6 dpaudit --check-plan=less
}

# less LINE FIELD COMMAND ...: one less there, of the first such line, is refuted for its neighbours
less() {
	local line=$1 field=$2

	shift 2
	"$@" --explain=plan >plan
	run -0 dpaudit --check-plan=plan
	[[ $output = *'reach	derived from who the neighbours are'* ]]
	awk -v line="$line" -v field="$field" '$1 == line && !n++ { $field-- } { print }' plan >less
	! cmp -s plan less
	run -6 dpaudit --check-plan=less
	[[ $output = *'verdict	refuted: its neighbours '* ]]
}

@test "what neighbours move is derived: a reach, squares or cells one less are refuted" {
	less reach 2 dpcount -e 1 -T 9 -M tree -r -3:5
	less reach 2 dpcount -e 1 -T 9 -M tree -r -3:5 -k 1 --keys=a,b
	less reach 2 dpmean -e 1 -T 9 -r 0:10
	less reach 2 dpexperts -e 1 -T 9 --columns=3
	less reach 2 dptransform -e 1 -T 9 --sensitivity=7 --changes=2
	less reach 2 dpcount -e 1 -t 1 --time-format=epoch --bucket=1d --from=0 --to=2592000 \
	    -u 2 -c 3 -M tree -v 3 -r 0:4
	less blt 6 dpcount -e 1 -d 1e-6 -T 9 -M blt -r 0:5
	less banded 6 dpcount -e 1 -T 365 -d 1e-6 -u 1 -c 5/7 -M banded -v 2 -r 0:9
	less tree 6 dpcount -T 40 -e 2 -r -1000000000:1000000000 -v 2 -k 1 --keys=a,b
	# without a word of them there is no plan; older ones said nothing else that is compared
	sed "/^line /d; s/^lines .*/lines $(($(wc -l <plan) - 3))/" plan >gone
	fails 3 dpaudit --check-plan=gone
	[[ $stderr = *'it does not say who the neighbours are, or how many steps '* ]]
	sed '/^lines/d; /^horizon/d; s/^dputils-plan 2/dputils-plan 1/' plan >older
	run -3 dpaudit --check-plan=older
	[[ $output = *'verdict	unknown: a plan of version 1 '* ]]
}

@test "bad input: plans" {
	dpaudit --plan=full -- dpcount -e 1 -T 20 >plan
	sed 's/^dputils-plan 2/dputils-plan 3/' plan >newer
	head -c 1000 plan >cut
	: >empty
	sed 's/^end/end\nend/' plan >longer
	for f in newer cut empty longer nowhere .; do
		fails 3 dpaudit --check-plan=$f
		[ -z "$output" ]
	done
	fails 3 dpaudit --check-plan=newer
	[[ $stderr = 'dpaudit: newer: line 1: a plan of another version: 1 and 2 are '* ]]
	fails 2 dpaudit --plan
	fails 2 dpaudit --plan=short -- dpcount -e 1
	[[ $stderr = "dpaudit: --plan: 'short' must be full, or nothing"* ]]
	fails 2 dpaudit --plan -- no-such-command
	fails 2 dpaudit --plan -- dpcount -e 0
	fails 3 dpaudit --plan -- echo dputils-plan 1
	fails 2 dpcount -e 1 --explain=tables
	[[ $stderr = *"must be json, plan, or nothing"* ]]
	run -1 bash -c 'dpaudit --plan -- dpcount -e 1 -T 2 >/dev/full'
}
