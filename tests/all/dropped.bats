# SPDX-License-Identifier: ISC
# What -u -c K drops is a bias that no interval knows: it is said wherever an error is said.
load ../lib/helper

# 500 users, three events a day each, for twelve days of May
setup() {
	set +T
	cd "$BATS_TEST_TMPDIR"
	pids=()
	awk 'BEGIN { for (d = 1; d <= 12; d++) for (u = 0; u < 1500; u++)
	    printf "2026-05-%02dT%02d:00:00 u%d\n", d, u / 500, u % 500 }' >log
	when=(-t 1 --time-format=iso --bucket=1d --from=2026-05-01 --to=2026-05-13)
}

# column ARG ...: estimates of the twelve days, without noise
column() {
	"$1" -q -e inf "${@:2}" -u 2 "${when[@]}" log 2>/dev/null | cut -f 2 | paste -sd ' '
}

# expects ARG ...: the sentence of --explain, in both of its forms; on a chart's page; never without
# an assumption that says the same
expects() {
	local said

	said=$("$1" -e 1 --explain=json "${@:2}" "${when[@]}" | jq -r .expect)
	"$1" -e 1 --explain "${@:2}" "${when[@]}" | head -n 1 | diff - <(echo "$said.")
	"$1" -e 1 --explain=json "${@:2}" "${when[@]}" >j
	jq -r '.assumptions[]' j |
	    grep -q 'the rest are left out, and no error or interval shows how much that changes'
	echo "$said"
}

@test "constant traffic under -c 20 falls to 0, and that is said beside the error" {
	[ "$(column dpwindow -w 1 -c 20)" = '1500 1500 1500 1500 1500 1500 1000 0 0 0 0 0' ]
	said=$(expects dpwindow -w 1 -u 2 -c 20)
	[[ $said = *', for at most 20 events of a user in the whole run; what is left out is'* ]]
	[[ $said = *' not included: constant traffic falls to 0' ]]
	# the error that is said is of what was not dropped: one run in 10^10 is farther off
	most=$(dpwindow -e 1 -w 1 -u 2 -c 20 "${when[@]}" -B0.9999999999 --explain=json |
	    jq .bound.all_steps)
	dpwindow -q -e 1 -w 1 -u 2 -c 20 "${when[@]}" log | cut -f 2 |
	    awk -v most="$most" '{ w = NR < 7 ? 1500 : NR == 7 ? 1000 : 0; d = $1 - w
		if (d > most || d < -most) { print; far = 1 } }
		END { exit far || NR != 12 || most > 1000 }'
}

@test "constant traffic under -c 20/step stays, and only what is dropped of a step is said" {
	[ "$(column dpwindow -w 1 -c 20/step | tr ' ' '\n' | uniq -c | xargs)" = '12 1500' ]
	said=$(expects dpwindow -w 1 -u 2 -c 20/step)
	[[ $said = *', for at most 20 events of a user in a step; what is left out is not '* ]]
}

@test "other estimates of constant traffic: decays fall to 0, counts and leaders stop counting" {
	[ "$(column dpdecay -a .5 -c 3 | awk '{ print ($1 == 1500 && $12 < 1) }')" = 1 ]
	[[ $(expects dpdecay -a .5 -u 2 -c 3) = *': constant traffic falls to 0' ]]
	[ "$(column dpcount -c 20)" = "1500 3000 4500 6000 7500 9000$(yes ' 10000' | head -n 6 |
	    tr -d '\n')" ]
	[[ $(expects dpcount -u 2 -c 20) = *': constant traffic stops counting' ]]
	said=$(expects dpcount -u 2 -c 20 -v 2 -r 0:5)
	[[ $said = *', for values clamped to 0:5 and at most 20 events of a user in the whole '* ]]
	[[ $said = *' cut off or left out is not included: constant traffic stops counting' ]]
	said=$(expects dpmaxsum --both -k 2 --keys=u1,u2 -u 2 -c 20)
	[[ $said = *': constant traffic stops counting' ]]
	# one step has no later ones
	printf 'u1\n1\n' >A
	dpproject -e 1 --queries=A -u 1 -c 3 --explain | head -n 1 |
	    grep -q 'in the whole run; what is left out is not included\.$'
	[[ $(dpcount -e 1 -T 1 -u 2 -c 3 --explain | head -n 1) = *' is not included.' ]]
	# and without users nothing is said
	dpcount -e 1 "${when[@]}" --explain=json | silent_about drop -
}

@test "the sentence stands below a chart, too" {
	dpplot --to=p.html --run dpwindow -e 1 -w 1 -u 2 -c 20 "${when[@]}" log 2>/dev/null
	sed 's/<[^>]*>/ /g' p.html | tr -s ' \n' ' ' | grep -F 'what is left out is not included:'
	dpplot --run dpwindow -e 1 -w 1 -u 2 -c 20 "${when[@]}" log 2>/dev/null | tr -s ' \n' ' ' |
	    grep -F 'constant traffic falls to 0'
	dpplot --run dpwindow -e 1 -w 1 -u 2 -c 2/step "${when[@]}" log 2>/dev/null |
	    tr -s ' \n' ' ' | grep -F 'at most 2 events of a user in a step; what is left out is'
}

# warned COMMAND ...: standard error, without what it says of -e inf
warned() {
	"$@" 2>&1 >/dev/null </dev/null | grep -v 'NOT PRIVATE'
}

@test "a line at the start says that allowances end; -q, a state: not" {
	want="dpwindow: -c 20: of a user's events in the whole run only the first 20 count: the"
	want+=" rest are left out, so constant traffic falls to 0; -c 20/step counts as many in"
	want+=" each step, and protects a user's events of one step"
	each="; --each-user=HOW has all of a user's events in a step count, as one"
	for f in log /dev/null; do
		for e in 1 inf; do
			all=$(warned dpwindow -e $e -w 1 -u 2 -c 20 "${when[@]}" $f)
			[ "$all" = "$want$each" ]
		done
	done
	[[ $(warned dpcount -e 1 -T 9 -u 2 -c 3 log) = \
	    *'so constant traffic stops counting; -c 3/step (with --bucket) counts as'* ]]
	# a tool that has no buckets
	[[ $(warned dpexperts -e 1 -T 9 -u 1 -c 3 -v 2 -r 0:1 --columns=1) = \
	    *'only the first 3 count: the rest are left out, so constant traffic stops counting' ]]
	[[ $(warned dpmap -u 2 -c 20 "${when[@]}" --shard=a log) = *'-c 20/step counts'* ]]
	[[ $(warned dpwindow -e 1 -w 1 -c 20 --partial=by-user --bucket=1d --from=2026-05-01 \
	    --to=2026-05-13) = "$want"$'\n'* ]]
	[ "$(warned dpwindow -q -e 1 -w 1 -u 2 -c 20 "${when[@]}" log)" = "" ]
	# a state says so where it begins
	[[ $(warned dpcount -e 1 -T 9 -u 2 -c 3 --state=s --init) = *'constant traffic stops'* ]]
	[ "$(warned dpcount --state=s)" = "" ]
}

# said COMMAND ...: one line on standard error, that begins with the words in $begins and ends as
# every such line does, and with what has all of a user's events count, where that is to be had
said() {
	[ "$(warned "$@")" = "$1: $begins: the rest are left out, and no error or interval\
 shows how much that changes$all" ]
	[ -z "$(warned "$1" -q "${@:2}")" ]
}

@test "wherever -c can drop a line says so: K/step, one bucket, --once, one answer, in every tool" {
	begins="of a user's events in a step only the first 20 count (-c)"
	all="; --each-user=HOW has all of a user's events in a step count, as one"
	for t in 'dpwindow -w 1' dpcount 'dpdecay -a .5' 'dpmean -m 1' 'dpmean -m 1 -B' \
	    'dpquantile -v 1 -r 0:9' 'dpcount -v 1 -r auto' 'dpwindow -w 1,3' \
	    'dpmaxsum -k 2 --keys=u1,u2' 'dpcount -k 2 --keys=u1,u2'; do
		# shellcheck disable=SC2086
		said ${t%% *} -e 1 ${t#"${t%% *}"} -u 2 -c 20/step "${when[@]}" log
	done
	begins="of a user's events in the whole run only the first 3 count (-c)"
	said dpwindow -e 1 -w 1 -u 2 -c 3 "${when[@]/%13/02}" log
	for t in dpcount 'dpmean -m 1' 'dpquantile -v 1 -r 0:9' 'dpwindow -w 1' 'dpcount -m u' \
	    'dpmaxsum -k 2 --keys=u1,u2' 'dpcount -v 1 -r 0:5'; do
		# shellcheck disable=SC2086
		said ${t%% *} -e 1 ${t#"${t%% *}"} --once -u 2 -c 3 log
	done
	printf 'u1\n1\n' >A
	all='' said dpcount -e inf -T 1 -u 2 -c 3 /dev/null
	all='' said dpproject -e 1 --queries=A -u 2 -v 2 -c 3 log
	all='' said dptop -e 1 -d 1e-6 -k 1 -u 2 -c 3 --once log
	begins="of a user's events in a step only the first counts (-c 1)"
	said dpmean -e 1 -m 1 -u 2 -c 1/step "${when[@]}" log
	said dpcount -e 1 -v 1 -r 0:5 -u 2 -c 1/step "${when[@]}" log
	begins='a user counts once for a name, and for the first 3 of his names in the whole run'
	[[ $(warned dptop -e 1 -d 1e-6 -k 1 -u 2 -c 3 --once --distinct log) = \
	    "dptop: $begins (-c): the rest are left out, and no error or interval shows"* ]]
	# where users are counted it is meant
	for a in '-c 1/step' '-c 1/step -m u' '-c 1/step --where=u'; do
		# shellcheck disable=SC2086
		[ -z "$(warned dpwindow -e 1 -w 1 -u 2 $a "${when[@]}" log)" ]
	done
	[ -z "$(warned dpcount -e 1 -u 2 -c 1 --once log)" ]
	[ -z "$(warned dpmap -u 2 -c 1/step "${when[@]}" --shard=a log | grep 'left out')" ]
	[ -z "$(warned dpdistinct -e 1 -v 2 --once log)" ]
	# a state says so where it begins
	[[ $(warned dpcount -e 1 --once -T 9 -u 2 -c 3 --state=s --init log) = *'left out'* ]]
	[ -z "$(warned dpcount --state=s log)" ]
}

@test "-c 1/step adds up the users of steps: no weekly users, said with what counts them" {
	[ "$(column dpwindow -w 1,7 -c 1/step | wc -w)" = 12 ]
	[ "$(dpwindow -q -e inf -w 7 -u 2 -c 1/step "${when[@]}" log 2>/dev/null | tail -n 1 |
	    cut -f 2)" = 3500 ]
	summed='with -c 1/step adds up the users of each step: who is there in 7 steps counts 7'
	summed+=' times; the distinct users of a window: dpdistinct -v 2 -w 7'
	for w in 7 7d 1,7,12 1d,7d; do
		got=$(warned dpwindow -e 1 -w $w -u 2 -c 1/step "${when[@]}" log)
		[[ $got = "dpwindow: -w 7"*"$summed"* ]]
		dpwindow -e 1 -w $w -u 2 -c 1/step "${when[@]}" --explain | grep -F "$summed"
		[ -z "$(warned dpwindow -q -e 1 -w $w -u 2 -c 1/step "${when[@]}" log)" ]
	done
	command=$(sed 's/.*: //' <<<"$got")
	[ "$($command -q -e inf "${when[@]}" log 2>/dev/null | tail -n 1 | cut -f 2)" = 500 ]
	summed='-c 1/step adds up the users of each step: who is there in several counts in each;'
	for t in dpcount 'dpdecay -a .5'; do
		# shellcheck disable=SC2086
		[[ $(warned ${t%% *} -e 1 ${t#"${t%% *}"} -u 2 -c 1/step "${when[@]}" log) = \
		    "${t%% *}: $summed the distinct users so far: dpdistinct -v 2" ]]
	done
	[ -z "$(warned dpwindow -e 1 -w 1d -u 2 -c 1/step "${when[@]}" log)" ]
	# a window may be longer than the buckets are
	[ "$(dpwindow -q -e inf -w 30d "${when[@]}" log 2>/dev/null | tail -n 1 |
	    cut -f 2)" = 18000 ]
}

@test "users so far, each once: what is dropped is meant, and --explain alone says it" {
	for how in '' '-m u' '-m u -v 2' '--where=u'; do
		# shellcheck disable=SC2086
		[ "$(warned dpcount -e 1 -u 2 -c 1 $how "${when[@]}" log)" = "" ]
	done
	dpmap -q -u 2 -c 1 "${when[@]}" log >part
	[ "$(warned dpcount -e 1 --partial=by-user -c 1 "${when[@]:3}" part)" = "" ]
	[ "$(warned dpcount -e 1 -u 2 -c 1 --log=combined --bucket=1d --from=2026-05-01 \
	    --to=2026-05-13 log)" = "" ]
	[[ $(expects dpcount -u 2 -c 1) = *': constant traffic stops counting' ]]
	# all else: values, a user's first key alone, two events, --expire, other tools
	for how in '-c 1 -v 2 -r 0:5' '-c 1 -v 2 -r 0:1' '-c 1 -k 2 --keys=u1,u2' '-c 2' \
	    '-c 1 --expire=3'; do
		# shellcheck disable=SC2086
		[[ $(warned dpcount -e 1 -u 2 $how "${when[@]}" log) = *'so constant traffic'* ]]
	done
	[[ $(warned dpwindow -e 1 -w 1 -u 2 -c 1 "${when[@]}" log) = *'falls to 0; -c 1/step'* ]]
	[[ $(warned dpmap -u 2 -c 1 "${when[@]}" --shard=a log) = *'-c 1/step counts'* ]]
}

@test "K/step is named first: --help and the page" {
	dpcount --help=all | grep -F -- '--per-user=K          K/step: at most K events of a user'
	dpcount --help=all | grep -F 'of the noise, confidence 0.95 or CONF, not of what -c'
	# where there are no buckets there is no K/step
	dpproject --help | silent_about K/step -
	mandoc -Tascii "$BATS_TEST_DIRNAME/../../man/dpcount.1" | sed 's/.\x08//g' |
	    awk '/-c, --per-user=K/ { on = 1; next } on && /^ *-/ { exit } on' |
	    grep -E '^ +K[/ ]' | head -n 1 | grep -F 'K/step'
	# of the traffic above it says what is counted
	mandoc -Tascii "$BATS_TEST_DIRNAME/../../man/dpcount.1" | sed 's/.\x08//g' |
	    tr -s ' \n' ' ' |
	    grep -F -e '-c 20 counts 1500 a day for six days, then 1000, then 0 for ever'
}

@test "-c 1/step with -k is no count of users by key: said, and dpdistinct counts them" {
	for ((i = 0; i < 90; i++)); do
		for page in /a /b; do
			[ $page = /a ] || ((i % 3 < 2)) || continue
			printf '10.0.0.%d - - [01/May/2026:07:%02d:00 +0000] "GET %s H" 200 5\n' \
			    $i $((i % 60)) $page
		done
	done >log
	day='--log=combined --bucket=1d --from=2026-05-01 --to=2026-05-02'
	# shellcheck disable=SC2086
	dpwindow -e inf -w 1 -u host -c 1/step -k path --keys=/a,/b $day log >out 2>err
	# all have seen /a first: of the 60 that have seen /b none is left
	[ "$(cut -f 2,3 out)" = $'90\t0' ]
	grep -F -- "-k with -c 1: of a user's events in a step the first alone counts" err
	command=$(sed -n 's/.*how many users a key has: \(.*\) -c M, .*/\1/p' err)
	[ "$command" = 'dpdistinct -v host -k path' ]
	[ "$($command -c 2 --keys=/a,/b -e inf --once --log=combined log 2>err)" = $'90\t60' ]
	# shellcheck disable=SC2086
	dpwindow -e 1 -w 1 -u host -c 1/step -k path --keys=/a,/b $day --explain 2>err |
	    grep -F 'shows how much that changes; these are not the users of each key'
	# shellcheck disable=SC2086
	dpwindow -q -e 1 -w 1 -u host -c 1/step -k path --keys=/a,/b $day log >out 2>err
	[ ! -s err ]
	# shellcheck disable=SC2086
	dpwindow -e 1 -w 1 -u host -c 2/step -k path --keys=/a,/b $day log 2>&1 >out |
	    grep 'users a key has' && false
	true
}
