# SPDX-License-Identifier: ISC
# dpaudit: what is claimed too small is refuted, what is true is not.  Noise is the system's, so
# each verdict has its rate: a true claim is refuted at 1e-6 (--confidence's default); losses that
# must be refuted are so far above the claim that missing one is rarer than that.
load ../lib/helper

pair() {
	printf '0\n0\n' >a
	printf '1\n0\n' >b
}

# verdict STATUS WORD ARG ...: dpaudit's, on a and b, of the claim $e, or 1
verdict() {
	local status_wanted=$1 word=$2

	shift 2
	run "-$status_wanted" dpaudit -e "${e-1}" --pair=a,b "$@"
	echo "$output"
	grep -qx "verdict	$word" <<<"$output"
}

# sure STATUS WORD ARG ...: the same where no chance is in it: what always comes on one input, and
# never on the other; each run of 24 is two processes
sure() {
	e=.1 verdict "$1" "$2" --runs=24 --confidence=.99 "${@:3}"
}

# bound: the one printed
bound() {
	sed -n 's/^epsilon\t>= //p' <<<"$output"
}

@test "true claims are not refuted: counts, choices, answers of one line" {
	pair
	verdict 0 'not refuted' --runs=100 -- dpcount -e 1 -T 2
	verdict 0 'not refuted' --runs=100 -- dpmaxsum -e 1 -T 2 --columns=1 --both
	verdict 0 'not refuted' --runs=100 -- dplocal -e 1 --domain=0,1
}

@test "claims that are too small are refuted" {
	pair
	# -e 4: .982 against .018 of 75 runs; fewer than 65, or more than 10, come at 1e-6, and
	# still refute
	e=.25 verdict 6 refuted --runs=150 -- dpcount -e 4 -T 1 -M input
	[[ $output = *'event	word 1 of the output'* ]]
	awk -v b="$(bound)" 'BEGIN { exit !(b > .25 && b <= 4) }'
	# a choice, by its name: e^4 : 1
	printf 'no\n' >a
	printf 'yes\n' >b
	e=.25 verdict 6 refuted --runs=150 -- dplocal -e 4 --domain=yes,no
	[[ $output = *'its texts ranked,'* ]]
	# any other: no noise; a seed; noise that ends where the data do; its own exit status
	pair
	sure 6 refuted -- dpcount -e inf
	sure 6 refuted -- dpcount -e 1 -T 2 --seed 1
	sure 6 refuted -- sh -c 'read x; echo $x $RANDOM'
	sure 6 refuted -- sh -c 'read x; echo 0; exit $x'
	[[ $output = *'event	the exit status'* ]]
	sure 6 refuted -- sh -c 'read x; echo 0; [ $x = 0 ] || echo bad >&2'
	[[ $output = *'event	bytes on standard error'* ]]
	sure 6 refuted -- sh -c 'read x; echo 0; [ $x = 0 ] || echo 0'
	[[ $output = *'event	words of the output'* ]]
}

@test "no clamp is found by a value out of range; clamped, it is one event" {
	printf '0\n' >a
	printf '99\n' >b
	verdict 0 'not refuted' --runs=100 -- dpcount -e 1 -T 1
	sure 6 refuted -- dpcount -e 1 -T 1 -r 0:1000 -M output --seed=2
}

@test "fresh noise for each answer: no single one tells it, all together do" {
	pair
	# 20 answers of E = 1 to one question, each 1 deviation away: together 4 and more
	printf '0%.0s\n' {1..20} >a
	printf '1%.0s\n' {1..20} >b
	verdict 6 refuted --runs=400 -- dplocal -e 1 --domain=0,1
	[[ $output = *'event	all numbers of the output, weighted'* ]]
}

@test "a delta explains what it covers" {
	pair
	sure 6 refuted -- cat
	sure 6 refuted --runs=60 -d .3 -- cat
	sure 0 'not refuted' -d .95 -- cat
}

@test "lines are counted as they come, in any number of processes" {
	pair
	for j in 1 16; do
		sure 6 refuted --runs=25 -j $j -- cat
		[[ $output = *'counted	12 of 12 on '*', 0 of 12 on '* ]]
	done
	[ "$(cut -f 1 <<<"$output" | xargs)" = \
	    'event counted confidence epsilon claimed verdict limits' ]
	# of long answers the first words
	sure 6 refuted -- awk '{ for (i = 0; i < 1000; i++) print $1 }'
	sure 0 'not refuted' -- awk 'BEGIN { for (i = 0; i < 200; i++) print 5
	    getline; print }'
}

@test "bad input" {
	pair
	for o in '-e 0' '-e -1' '-e inf' '-e x' '-d 1' '-d -1' --runs=3 --runs=2000000 --runs=x \
	    --confidence=0 --confidence=1 --confidence=x '-j 0' '-j 300' --pair=a --pair=a, \
	    --pair=,b --pair=a,b,c --nonsense --help=more; do
		# shellcheck disable=SC2086
		fails 2 dpaudit -e 1 --pair=a,b $o -- cat
		[ -z "$output" ]
	done
	fails 2 dpaudit --pair=a,b -- cat
	[[ $stderr = *'--epsilon is required'* ]]
	fails 2 dpaudit -e 1 -- cat
	[[ $stderr = *'--pair=A,B is required'* ]]
	fails 2 dpaudit -e 1 --pair=a,b
	[[ $stderr = *'a command is required'* ]]
	fails 2 dpaudit -e 1 --pair=a,b -- no-such-command
	fails 3 dpaudit -e 1 --pair=a,nowhere -- cat
	[[ $stderr = *'nowhere: No such file'* ]]
	fails 3 dpaudit -e 1 --pair=a,b --runs=10 -- dpcount
	[[ $stderr = 'dpaudit: dpcount: prints nothing on either input' ]]
	fails 1 bash -c 'dpaudit -e 1 --pair=a,b --runs=10 cat >/dev/full'
}

@test "limits: the most that so many runs can show, and whether it is enough" {
	pair
	run dpaudit -e 5 --pair=a,b --runs=40 --confidence=.9 -- cat
	echo "$output"
	# what comes always on one and never on the other is the most; t_audit.c has the page's 4.2
	most=$(sed -n 's/^limits\tso many runs show a loss of \([0-9.]*\) at most.*/\1/p' \
	    <<<"$output")
	awk -v m="$most" -v b="$(bound)" 'BEGIN {
	    exit !(m > 1 && m - b < .001 && b - m < .001) }'
	[[ $output == *'at most, and cannot refute the claim (--runs); of this pair'* ]]
	run dpaudit -e 1 --pair=a,b --runs=40 --confidence=.9 -- cat
	[[ $output == *'at most; of this pair alone; not refuted is no proof' ]]
	# all of delta and more: nothing
	run dpaudit -e 1 -d .999 --pair=a,b --runs=40 -- cat
	[[ $output == *'a loss of 0 at most, and cannot'* ]]
}

@test "on a terminal: how far it is, and how long it will take; elsewhere nothing" {
	terminal
	pair
	printf '#!/usr/bin/perl\nselect undef, undef, undef, .06; print <>;\n' >slow
	chmod +x slow
	dpaudit -e 1 -j 1 --pair=a,b --runs=30 -- ./slow >out 2>err || [ $? -eq 6 ]
	[ ! -s err ]
	script -qec 'dpaudit -e 1 -j 1 --pair=a,b --runs=30 -- ./slow' /dev/null \
	    >shown </dev/null || :
	tr '\r' '\n' <shown | grep -E '^dpaudit: [0-9]+ of 60 runs, some [0-9]+ (s|min) left '
	# the line is gone before the result
	tr '\r' '\n' <shown | grep -xE ' {70}'
}

@test "a claim for runs, beside a plan or a receipt: refused, as no run is made" {
	touch a b
	for o in -e.5 -d.1 -j1 --pair=a,b --runs=10 --confidence=.9; do
		fails 2 dpaudit $o --plan -- dpcount -e 1 -T 100
		[[ $stderr = *'refused with a plan or a receipt'* ]]
		fails 2 dpaudit $o --check-plan=plan
		fails 2 dpaudit $o --receipt=receipt
	done
	fails 2 dpaudit --plan -e .5 -- dpcount -e 1 -T 100
	[[ $stderr = *'--epsilon: refused'* ]]
}
