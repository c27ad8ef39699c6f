#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Each number that --explain predicts, against runs: made-up data, N seeds, the error of each run
# against the exact answer (-e inf).  A promise that holds with probability P is broken in at most
# as many runs as a binomial variable of N and 1 - P is once in 10^6 times; and it is not far too
# wide: divided by FACTOR it is broken in more.  Upper bounds alone ("no more than", "at most"),
# which may be far too wide, have large factors.  Rms errors are within a factor of 1.6 (N = 100).
#
# A new kind of tool or of sentence is a line of `promise`, or a test of its own; promises.list says
# of every sentence with a number which test has it.
load ../lib/helper
load ../lib/promises

TOP=$BATS_TEST_DIRNAME/../..

# The four rows of the table of steps: rms errors, and intervals that hold there
rows() {
	local step s w

	awk '/^(first|middle|last|worst) / { sub(/^\+-/, "", $4); print $2, $3, $4 }' said >rows
	[ "$(wc -l <rows)" -eq 4 ]
	while read -r step s w; do
		rms "$s" "$step" || return
		broken "$w" "$confidence" 4 "$step" || return
	done <rows
}

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
	bits 40 >in
	epsilon=1
	confidence=.5
}

# promise TOOL ARG ..: what --explain says first, and at the end, of all steps at $confidence
promise() {
	local tool=$1 most again

	shift
	"$DP_BUILD/bin/$tool" -e "$epsilon" "$@" -B$confidence --explain >said
	# what was chosen, by name: it need not be compared again for every seed
	simulate in "$tool" -e EPSILON "$@" -M "$(sed -n 's/^mechanism  *\([^:]*\):.*/\1/p' said)"
	most=$(sed -n '1s/.*by no more than \([0-9.]*\) .*/\1/p' said)
	again=$(sed -n 's/.*stays within +-\([0-9.]*\) at every.*/\1/p' said)
	[ -n "$most" ]
	[ "$most" = "$again" ]
	broken "$most" "$confidence" "${factor:-2}"
}

# predicted TOOL ARG ..: the same, and what is said of four steps
predicted() {
	local about worst

	promise "$@"
	rows
	about=$(sed -n '1s/.*off by about \([0-9.]*\),.*/\1/p' said)
	worst=$(awk '/^worst / { print $3 }' said)
	awk -v a="$about" -v w="$worst" 'BEGIN { exit !(a <= 1.01 * w && w <= 1.01 * a) }'
}

@test "a running count: all steps, four steps, about" {
	predicted dpcount -T 40
	for confidence in .75 .95; do
		factor=1.7 promise dpcount -T 40
	done
	# on a finer grid, by a union bound
	confidence=.5 epsilon=.1 factor=2.5 predicted dpcount -T 40
}

@test "windows and decays: all steps, four steps, about" {
	predicted dpwindow -w 12 -T 40
	confidence=.75 predicted dpwindow -w 7 -T 40
	predicted dpdecay --alpha=.9 -T 40
}

@test "values in a range, keys and lines of two: each column by itself" {
	integers 40 >in
	factor=2.5 predicted dpcount -T 40 -r 0:1000
	awk '{ print $1 % 2 ? "a" : "b" }' in >keys
	mv keys in
	promise dpwindow -w 5 -T 40 -k 1 --keys=a,b
}

@test "identifiers: all steps, four steps, about" {
	awk '{ print $1, NR % 7 }' in >ids
	mv ids in
	predicted dpdistinct -T 40 -v 2
}

@test "--within: the error asked for holds, and no much smaller epsilon would do" {
	dpcount --within=20 -B.5 -T 40 --explain >said
	epsilon=$(sed -n 's/^The smallest epsilon for errors within 20 is \(.*\)\.$/\1/p' said)
	simulate in dpcount -e EPSILON -T 40
	broken 20 .5 2
}

@test "the largest sum: the loss, and the column chosen behind the leader" {
	awk '{ print $1, NR % 2, NR % 3 == 0 }' in >three
	mv three in
	# "no more than": a union bound over steps and columns, where sums are near each other
	confidence=.6667 factor=40 promise dpmaxsum --columns=3 -T 40
	# the mean loss is no more than that in the table, nor a tenth of it
	awk -v said="$(awk '/<- chosen$/ { print $3 }' said)" '{ sum += $4; n++ }
	    END { m = sum / n; print m, said; exit !(m < said && m > said / 10) }' off
	dpmaxsum -e 1 --columns=3 -T 40 --select -B.6667 --explain >said
	most=$(sed -n '1s/.*no more than \([0-9.]*\) behind.*/\1/p' said)
	again=$(sed -n 's/.*at most \([0-9.]*\) behind the leader.*/\1/p' said)
	[ -n "$most" ]
	[ "$most" = "$again" ]
	seeds dpmaxsum -e 1 --columns=3 -T 40 --select \
	    -M "$(sed -n 's/^mechanism  *\([^:]*\):.*/\1/p' said)" in
	awk '
	    NR == FNR { for (i = 1; i <= NF; i++) { c[i] += $i; at[FNR, i] = c[i] }; next }
	    $1 == "#" { s = $2; t = 0; next }
	    { t++; m = 0
		for (i = 1; i <= 3; i++) if (at[t, i] > m) m = at[t, i]
		print s, t, 1, m - at[t, $1] }' in runs >off
	# "at most": an upper bound; a choice may do much better than the worst case
	broken "$most" .6667 1000
}

@test "another tool's error is what that tool says" {
	dpdistinct -e 1 -T 40 --explain >said
	said=$(sed -n 's/.*with a largest rms error of \([0-9.]*\);.*/\1/p' said)
	dpcount -u 1 -c 1 -m . -e 1 -T 40 --explain=json |
	    jq -e --argjson said "$said" '.rmse.max / $said | . > .9999 and . < 1.0001'
}

@test "experts: the regret on the average" {
	awk '{ print $1, 1 - $1, (NR % 5 == 0) }' in >costs
	mv costs in
	dpexperts -e 1 -T 40 --columns=3 --explain >said
	most=$(sed -n '1s/.* cost at most \([0-9.]*\) more.*/\1/p' said)
	grep -q "^$most more than the best single column does" said
	seeds dpexperts -e 1 -T 40 --columns=3 in
	awk -v most="$most" '
	    NR == FNR { for (i = 1; i <= NF; i++) { c[i] += $i; at[FNR, i] = $i }; next }
	    $1 == "#" { s = $2; t = 0; next }
	    ++t <= 40 { cost[s] += at[t, $1] }
	    END { best = c[1]; for (i in c) if (c[i] < best) best = c[i]
		for (s in cost) { r = cost[s] - best; sum += r; square += r * r; n++ }
		m = sum / n; se = sqrt((square / n - m * m) / n)
		print "regret " m " +- " se ", said at most " most
		# 4.8 standard errors: false reject 1e-6; and it says something
		exit !(n == 100 && m <= most + 4.8 * se && m > 0) }' in runs
}

@test "answers that change seldom: all steps" {
	awk '{ print 5000 * int(NR / 15) }' in >levels
	mv levels in
	simulate in dptransform -e EPSILON -M transform -T 40 --sensitivity=1 --changes=3 --beta=.25
	dptransform -e 1 -T 40 --sensitivity=1 --changes=3 --beta=.25 --explain >said
	most=$(sed -n '1s/.*by no more than \([0-9.]*\) .*/\1/p' said)
	[ "$most" = "$(sed -n 's/.*stays within +-\([0-9.]*\) at every.*/\1/p' said)" ]
	# "no more than": an upper bound, for answers that are as far away as may be unreleased
	broken "$most" .75 40
}

@test "answers of lines: what totals are off after all of them, and when" {
	awk '{ print substr("abc", NR % 3 + 1, 1) }' in >symbols
	for ((seed = 1; seed <= N; seed++)); do
		dplocal -e 1 --domain=a,b,c -q --seed=$seed symbols 2>/dev/null |
		    dplocal -e 1 --domain=a,b,c --estimate -q | awk -v s=$seed '{ print s, $1, $2 }'
	done | awk 'NR == FNR { n[$1]++; next }
	    { e = $3 - n[$2]; print $1, 40, $2, e < 0 ? -e : e }' symbols - >off
	dplocal -e 1 --domain=a,b,c -T 40 -B.5 --explain >said
	read -r s w < <(awk '/^last / { sub(/^\+-/, "", $4); print $3, $4 }' said)
	rms "$s" 40
	[ "$(sed -n '1s/.*off by about \([0-9.]*\),.*/\1/p' said)" = "$(printf %.3g "$s")" ]
	# "within": an upper bound, of one symbol, by Hoeffding, and on a grid of 3.75 units
	grep ' 40 b ' off >b
	mv b off
	broken "$w" .5 8
	# totals of a symbol that is in every line, and of one that is in none
	yes a | head -n 40 >same
	for ((seed = 1; seed <= N; seed++)); do
		dplocal -e 1 --domain=a,b,c -q --seed=$seed same 2>/dev/null |
		    dplocal -e 1 --domain=a,b,c --estimate -q | awk -v s=$seed '{ print s, $1, $2 }'
	done | awk '{ e = $3 - 40 * ($2 == "a"); print $1, $2 == "a", $2, e < 0 ? -e : e }' >off
	read -r none all < <(awk '/<- chosen/ { print $4, $5 }' said)
	rms "$none" 0
	rms "$all" 1
	# all steps are more than the last one
	w=$(sed -n 's/.*stays within +-\([0-9.]*\) at every.*/\1/p' said)
	grep "by no more than $w on" said
}

# The literals with a conversion of a number in the places where sentences are written
sentences() {
	local f

	for f in "$TOP"/lib/explain/{explain,words}.c \
	    "$TOP"/lib/job/user.c \
	    "$TOP"/cmd/dp*.c "$TOP"/lib/{counter,stat,sketch,normtree}/*.c; do
		case $f in
		*/lib/explain/* | */lib/job/*) cat "$f" ;;
		# notes: functions of that name, and those that they are made of
		*) awk '/^(static )?[a-z].*[^;]$/ && !/\(/ { type = $0; next }
		    /^[a-z_0-9]+\(/ {
			on = $0 ~ /^([a-z_0-9]*_)?(note|inner|describe|unfit)(_[a-z_0-9]+)?\(/ }
		    /^}/ { on = 0 } on' "$f" ;;
		esac | awk -v file="${f#"$TOP"/}" '/^ \*|^\/\*/ { next }
		    { s = $0
			while (match(s, /"([^"\\]|\\.)*"/)) {
				text = substr(s, RSTART, RLENGTH)
				s = substr(s, RSTART + RLENGTH)
				if (text ~ /%([-.0-9*]*(l|ll|z)?[dugf]|"$)/)
					print file "\t" text
			} }'
	done | sort -u
}

@test "every sentence with a number has a test, or its number is public" {
	sentences >there
	[ "$(wc -l <there)" -ge 60 ]
	grep -v '^#' "$TOP/tests/all/promises.list" >list
	cut -f 1,2 list | sort >listed
	diff listed there || {
		echo 'tests/promises.list: > has no test, < is said no more'
		false
	}
	cut -f 3- list | tr '\t' '\n' | sort -u | while IFS= read -r test; do
		case $test in
		public) continue ;;
		*.c:*) pattern="${test#*: }(" ;;
		*) pattern="@test \"${test#*: }\"" ;;
		esac
		grep -qF "$pattern" "$TOP/tests/${test%%: *}" || {
			echo "no such test: $test"
			false
		}
	done
}

@test "many answers: each one, and all together" {
	printf '1,1,1\n1,0,0\n0,1,0\n' >A
	awk '{ print substr("123", NR % 3 + 1, 1) }' in >records
	dpproject -e 1 --queries=A -B.5 --explain >said
	awk '/^[0-9]+(-[0-9]+)? .*\+-/ { sub(/.*-/, "", $1); sub(/^\+-/, "", $3)
	    print $1, $2, $3 }' said >rows
	[ -s rows ]
	dpproject -e inf -q --queries=A records >true 2>err
	seeds dpproject -e 1 --queries=A records
	awk '
	    NR == FNR { right[FNR] = $NF; next }
	    $1 == "#" { s = $2; n = 0; next }
	    { e = $NF - right[++n]; print s, n, 1, e < 0 ? -e : e }' true runs >off
	while read -r answer s w; do
		rms "$s" "$answer"
		broken "$w" .5 4 "$answer"
	done <rows
}
