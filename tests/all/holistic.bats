# SPDX-License-Identifier: ISC
# --holistic=K: lines that were computed from events, of which one changes at most K.
load ../lib/helper

@test "--holistic: exact sums of what awk says; the noise of K lines" {
	integers 60 | awk '{ print !seen[$1 % 7]++ }' >in
	running in >want
	prints exact_of dpcount --holistic=2 -T 60 in <want
	# the sensitivity is K times a line's: 0 to 1, and -1 to 2
	for k in 1 2 5; do
		dpcount -e 1 -T 60 --holistic=$k --explain=json >j
		jq -e ".sensitivity == $k" j >/dev/null
		dpcount -e 1 -T 60 --holistic=$k -r -1:2 -M input --explain=json >j
		jq -e ".sensitivity == 3 * $k" j >/dev/null
	done
	# so K lines at an epsilon are one line at a K-th of it
	dpcount -e 1 --seed=1 -T 60 --holistic=4 -M kary in >four
	dpcount -e 1/4 --seed=1 -T 60 -M kary in | cmp - four
	dpwindow -e 1 --seed=1 -T 60 -w 7 --holistic=4 -M input in >four
	dpwindow -e 1/4 --seed=1 -T 60 -w 7 -M input in | cmp - four
	dpaudit --plan -- dpcount -e 1 -d 1e-6 -T 60 --holistic=3 -r -1:2 >said
	grep -q 'claim.records 3 0 3 0 1 1' said
	dpaudit --plan -- dpmean -e 1 -T 60 --holistic=3 -r 0:5 | grep -q 'verdict.*holds'
	dpcount -e 1 -T 60 --holistic=3 --explain >said
	grep -qF 'differ in at most 3 of them' said
	grep -qF 'no more lines than --holistic says' said
	# a ledger does not add it to lines' events
	dpbudget --init --total=source-event:1 --total=event:1 L
	dpcount -e 1 -T 60 --holistic=3 --budget=L in >/dev/null 2>&1
	dpcount -e 1 -T 60 --budget=L in >/dev/null 2>&1
	dpbudget --show L >shown
	grep -q source-event shown
	# it is part of the guarantee: a state keeps it
	fails 0 dpcount -e 1 -T 60 --holistic=3 --state=s --init </dev/null
	fails 5 dpcount --state=s --holistic=4 in
}

@test "--holistic: refused where K lines are not what an event changes" {
	touch log
	for o in '--bucket=1d -t 1 --time-format=epoch --from=2026-01-01 --to=2026-01-03' \
	    '-u 1 -c 1' '-k 1 --keys=a,b' \
	    '-v 1 --unit=1' '-r auto -v 1'; do
		# shellcheck disable=SC2086
		fails 2 dpcount -e 1 -T 9 --holistic=2 $o log
		[[ $stderr = *'--holistic: refused'* ]]
	done
	fails 2 dpcount -e 1 -T 9 --holistic=2 --expire=3 log
	[[ $stderr = *'are of several ages'* ]]
	fails 2 dpcount -e 1 -T 9 --holistic=0 log
	fails 2 dpdistinct -e 1 -T 9 --holistic=2 log
}
