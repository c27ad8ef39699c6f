# SPDX-License-Identifier: ISC
# -c K/B: at most K events of a user, B steps apart: what counts, what is said of it, state files,
# and the noise, which with delta is far below K times.
load ../lib/helper

# visits N: "USER KEY SECOND" in the order of time, in 60 days
visits() {
	integers "$1" | awk -v n="$1" '{ t = int(NR * 5184000 / (n + 1))
	    print "u" int($1 * $1 / 20000), substr("abc", 1 + $1 % 3, 1), t }'
}

# spaced K B SECONDS [KEY]: the events of each of 60 days' buckets that count, late ones not
spaced() {
	awk -v K="$1" -v B="$2" -v w="$3" -v key="${4-}" '{ b = int($3 / w)
	    if (!($1 in last) || (b >= last[$1] + B && n[$1] < K)) {
		    last[$1] = b; n[$1]++; if (key == "" || $2 == key) c[b]++ } }
	    END { for (b = 0; b < 5184000 / w; b++) print c[b] + 0 }'
}

days=(-t 3 --time-format=epoch --bucket=1d)
range=("${days[@]}" --from=1970-01-01 --to=1970-03-02)

@test "what counts is what awk counts: lines, days in a range, by their times, in any order" {
	visits 4000 >in
	for kb in 3/100 5/1 40/20 1/7 2000/1 1/2000; do
		awk -v K=${kb%/*} -v B=${kb#*/} '{ if (!($1 in last) ||
		    (NR - last[$1] >= B && n[$1] < K)) { last[$1] = NR; n[$1]++; c++ } print c }' \
		    in >want
		dpcount -e inf -T 4000 -u 1 -c $kb in 2>/dev/null | cmp - want
		dpcount -e inf -d 1e-6 -M banded -T 4100 -u 1 -c $kb in 2>/dev/null | cmp - want
	done
	awk '{ print (NR * 7919) % 4001, $0 }' in | sort -n | cut -d ' ' -f 2- >mixed
	for kb in 3/7 9/1 2/30 60/1 5/2; do
		for f in in mixed; do
			spaced ${kb%/*} ${kb#*/} 86400 <$f >want
			for m in auto banded; do
				dpwindow -e inf -d 1e-6 -w 1 -M $m -u 1 -c ${kb}d "${range[@]}" \
				    $f 2>/dev/null | cut -f 2 | cmp - want
			done
			running <want >sums
			dpcount -e inf -u 1 -c $kb "${range[@]}" $f 2>/dev/null | cut -f 2 |
			    cmp - sums
		done
		spaced ${kb%/*} ${kb#*/} 86400 <in >want
		dpwindow -e inf -w 1 -u 1 -c ${kb}d -T 60 "${days[@]}" --public-times in \
		    2>/dev/null | cut -f 2 | cmp - want
		for key in a b c; do
			spaced ${kb%/*} ${kb#*/} 86400 $key <in
		done | pr -3 -t -s -l 60 >want
		dpwindow -e inf -w 1 -u 1 -c ${kb}d -k 2 --keys=a,b,c "${range[@]}" in \
		    2>/dev/null | cut -f 2- | cmp - want
	done
}

@test "of values only those other than 0 count, and decays and the clock know no other rule" {
	awk 'BEGIN { for (i = 1; i <= 90; i++) print (i % 4 ? "a" : "b"), i % 3 }' >in
	awk '$2 && !($1 in l && NR - l[$1] < 9) && n[$1] < 4 { l[$1] = NR; n[$1]++; s += $2 }
	    { print s + 0 }' in >want
	dpcount -e inf -T 90 -u 1 -c 4/9 -v 2 -r 0:5 in 2>/dev/null | cmp - want
	# half of what was before, and what is new
	awk 'NR > 1 { printf "%.6f\n", y = y / 2 + $1 - p } NR == 1 { printf "%.6f\n", y = $1 }
	    { p = $1 }' want >halves
	dpdecay -e inf -a .5 -T 90 -u 1 -c 4/9 -v 2 -r 0:5 in 2>/dev/null >got
	paste got halves | awk '($1 - $2) ^ 2 > 1e-10 { exit 1 }'
	printf 'a\na\nb\n' | dpcount -e inf -T 9 -u 1 -c 4/2 --bucket=1h --live 2>/dev/null |
	    cut -f 2 | tail -n 1 | grep -x 2
}

@test "a state goes on: steps between events of two runs count, small tables and large" {
	visits 4000 >few
	# 3000 users: the table stands beside the state
	visits 9000 | awk '{ $1 = "v" NR % 3000 } 1' >many
	for f in few many; do
		dpcount -e 1 -d 1e-6 --seed 5 -T 60 -u 1 -c 5/7d "${range[@]}" -M banded $f \
		    2>/dev/null >whole
		rm -f s*
		awk '$3 < 86400 * 20' $f | dpcount -e 1 -d 1e-6 --seed 5 -T 60 -u 1 -c 5/7d \
		    -M banded "${days[@]}" --from=1970-01-01 --to=1970-01-21 --state=s --init \
		    2>/dev/null >part
		dpcount --state=s --state-show | grep -x 'per-user 5/7'
		awk '$3 >= 86400 * 20 && $3 < 86400 * 33' $f | dpcount -u 1 -c 5/7 "${days[@]}" \
		    --from=1970-01-21 --to=1970-02-03 --state=s 2>/dev/null >>part
		awk '$3 >= 86400 * 33' $f | dpcount "${days[@]}" --from=1970-02-03 \
		    --to=1970-03-02 --state=s 2>/dev/null >>part
		cmp whole part
	done
	for c in 5/6 5 5/step 5/6d; do
		fails 5 dpcount -u 1 -c $c "${days[@]}" --from=1970-03-02 --to=1970-03-03 \
		    --state=s few
		echo "$stderr" | grep -F -- "--per-user differs from the state file's, which is 5/7"
	done
	# by lines, in any pieces
	dpcount -e 1 -d 1e-6 --seed 5 -T 900 -u 1 -c 5/7 <(head -n 900 few) 2>/dev/null >whole
	rm -f s*
	head -n 100 few | dpcount -e 1 -d 1e-6 --seed 5 -T 900 -u 1 -c 5/7 --state=s --init \
	    2>/dev/null >part
	sed -n 101,105p few | dpcount --state=s 2>/dev/null >>part
	sed -n 106,900p few | dpcount --state=s 2>/dev/null >>part
	cmp whole part
}

@test "--check says which events are too soon; a run says nothing of it" {
	printf '%s\n' 'a x 0' 'a x 80000' 'b x 90000' 'a x 172800' 'a x 180000' 'a x 518400' \
	    'b x 0' >in
	dpcount --check -u 1 -c 2/2d "${range[@]}" in 2>/dev/null | cut -f 2 >got
	printf '%s\n' value=1 "nothing: too soon after its user's last event that counted, or
	    earlier (--per-user=K/B): 'a'" value=1 value=1 "nothing: too soon after its user's last
	    event that counted, or earlier (--per-user=K/B): 'a'" "nothing: its user has had as
	    many events as --per-user allows: 'a'" "nothing: too soon after its user's last event
	    that counted, or earlier (--per-user=K/B): 'b'" | awk '{ sub(/^[\t ]+/, " ") }
	    /^ / { s = s $0; next } NR > 1 { print s } { s = $0 } END { print s }' | diff - got
	dpcount --check -u 1 -c 2/2d "${days[@]}" --live -T 60 in 2>/dev/null | cut -f 2 |
	    diff - got
	# by public times a late event counts in the open bucket
	dpcount --check -u 1 -c 2/2d "${days[@]}" --public-times -T 60 in 2>/dev/null |
	    cut -f 2 | diff - <(sed '$s/.*/value=1/' got)
	# by lines
	printf '%s\n' a a b a a | dpcount --check -u 1 -c 2/3 2>/dev/null | cut -f 2 | cut -c 1-17 |
	    xargs -d '\n' | grep -x 'value=1 nothing: too soon value=1 value=1 nothing: too soon'
	awk '{ $1 = NR } 1' in >apart
	for f in in apart; do
		dpcount -e 1 -u 1 -c 2/2d "${range[@]}" $f 2>err.$f >/dev/null
	done
	cmp err.in err.apart
}

@test "refused: what is no number of steps, no horizon, too many, no counts, shards" {
	for c in 3/ 3/x 3/-1 3/1.5 3/3/3 3/steps /3 0/3 1000001/3 ' 3/3' 3/99999999999999999999; do
		fails 2 dpcount -e 1 -T 10 -u 1 -c "$c" /dev/null
		echo "$stderr" | grep -F -- '--per-user: '
	done
	fails 2 dpcount -e 1 -T 10 -u 1 -c 3/0 /dev/null
	echo "$stderr" | grep -F 'whole number of steps from 1 to 2^32'
	fails 2 dpcount -e 1 -T 10 -u 1 -c 3/7d /dev/null
	echo "$stderr" | grep -F -- "--per-user: '7d' is a duration: that needs --bucket"
	fails 2 dpcount -e 1 -u 1 -c 3/36h "${range[@]}" /dev/null
	echo "$stderr" | grep -F 'not a whole number of buckets of 1d'
	fails 2 dpcount -e 1 -u 1 -c 3/7 /dev/null
	echo "$stderr" | grep -F -- '--per-user=K/B needs a horizon (-T)'
	fails 2 dpcount -e 1 -T 5000 -u 1 -c 900000/7 /dev/null
	echo "$stderr" | grep -F 'K times the 5000 steps of the horizon must be below 2^32'
	dpcount -e 1 -T 4294 -u 1 -c 1000000/7 </dev/null
	fails 2 dpcount -e 1 -T 9 -c 3/7 /dev/null
	echo "$stderr" | grep -F -- '--user and --per-user go together'
	fails 2 dpcount -e 1 -T 9 -P -u 1 -c 3/7 /dev/null
	echo "$stderr" | grep -F -- '--pan-private: refused with --user'
	fails 2 dpcount -e 1 -T 9 -d 1e-6 -M banded /dev/null
	echo "$stderr" | grep -F 'banded needs events of a user that are apart (-c K/B)'
	fails 2 dpcount -e 1 -T 9 -M banded -u 1 -c 3/2 /dev/null
	echo "$stderr" | grep -F 'banded needs a delta (-d) above 0'
	for tool in 'dpexperts --columns=2' 'dpmaxsum --columns=2'; do
		# shellcheck disable=SC2086
		fails 2 $tool -e 1 -T 9 -u 1 -c 3/7 /dev/null
		echo "$stderr" | grep -F -- '--per-user=K/B: refused here'
	done
	fails 2 dpmap -u 1 -c 3/7 "${range[@]}" --shard=a /dev/null
	echo "$stderr" | grep -F -- '--per-user=K/B: refused here'
	fails 2 dpcount -e 1 --partial=by-user -c 3/7 "${range[@]:4}" /dev/null
}

# chosen NAME MEAN COMMAND ...: that mechanism, with that mean error, to 3 %
chosen() {
	"${@:3}" --explain | awk -v name="$1" -v mean="$2" '/<- chosen/ { print
	    good = $1 == name && $3 > .97 * mean && $3 < 1.03 * mean } END { exit !good }'
}

@test "with delta a year of a user costs 51 and not 87, 170 and not 375; without it, K times" {
	year='-e 1 -d 1e-6 -T 365 -u 1'
	# shellcheck disable=SC2086
	{
		chosen banded 51.2 dpcount $year -c 12/30
		chosen normtree 87 dpcount $year -c 12
		chosen banded 170 dpcount $year -c 52/7
		chosen normtree 375 dpcount $year -c 52
		chosen banded 26.9 dpwindow -w 7 $year -c 12/30
		chosen normtree 40.9 dpwindow -w 7 $year -c 12
		chosen blt 31.4 dpdecay --half-life=30 $year -c 12/30
		chosen normtree 52.1 dpdecay --half-life=30 $year -c 12
		chosen banded 5121 dpmean --running -v 2 -r 0:100 $year -c 12/30
		chosen normtree 8700 dpmean --running -v 2 -r 0:100 $year -c 12
		chosen banded 140 dpquantile --quantile=.5 --running -v 2 -r 0:100 $year -c 12/30
		chosen blt-norm 374 dpquantile --quantile=.5 --running -v 2 -r 0:100 $year -c 12
	}
	chosen normtree 87 dpcount -e 1 -T 365 -u 1 -c 12/30
	# as the page says
	mandoc -Tascii "$BATS_TEST_DIRNAME/../../man/dpcount.1" | sed 's/.\x08//g' |
	    tr -s ' \n' ' ' |
	    grep -F 'off by 51 on average with 12/30 and by 87 with 12; by 170 with 52/7 and by 375'
}

@test "--explain says who is protected, what is dropped, and when the allowance runs out" {
	dpcount -e 1 -d 1e-6 -u 1 -c 5/7d "${range[@]}" --explain >t
	grep -F 'of which at most 5 are counted, any two at least 7 steps apart.' t
	grep -F 'for at most 5 events of a user in the whole run, 7 steps apart; what is left out' t
	grep -F 'first 5 count, and none less than 7 steps after the last that counts (-c)' t
	grep -F 'constant traffic stops counting once users have had theirs' t
	# 9 events 7 days apart are all that there can be in 60 days
	dpcount -e 1 -d 1e-6 -u 1 -c 9/7d "${range[@]}" --explain | silent_about 'stops counting' -
	dpcount -e 1 -d 1e-6 -u 1 -c 9/1d "${range[@]}" --explain |
	    grep -F 'only the first 9 count, and one in a step (-c): the rest are left out'
	dpcount -e 1 -d 1e-6 -u 1 -c 9/7d "${range[@]}" --explain=json |
	    jq -e '.mechanism == "banded" and .sensitivity == 9'
}
