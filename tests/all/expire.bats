# SPDX-License-Identifier: ISC
# --expire: privacy for the last W steps only (dpcount, dpdecay), or ever less with age (dpcount).
load ../lib/helper

# exactly TOOL ARG ...: without noise
exactly() {
	exact_of "$@"
}

# able TOOL ARG ...: the mechanisms that --explain calls eligible, one a line; there is at least one
able() {
	"$1" --explain=json "${@:2}" 2>/dev/null | jq -er '.eligible[].mechanism'
}

# near: standard input has two columns that agree to a millionth; not empty
near() {
	awk '{ d = $1 - $2; if (d < 0) d = -d; if (!(d <= 1.000001e-6)) { print NR ": " $0;
	    bad = 1 } } END { exit bad || NR == 0 }'
}

# older W [FILE]: the running sum of what is W lines back or more
older() {
	awk -v w="$1" '{ x[NR] = $1; if (NR > w) s += x[NR - w]; printf "%.0f\n", s }' "${@:2}"
}

@test "dpcount --expire=W: the running sum, for every mechanism" {
	integers 200 >in
	running in >want
	for w in 1 3 7 64 200; do
		prints exactly dpcount --expire=$w -r 0:999 in <want
		able dpcount -e inf -T 200 --expire=$w -r 0:999 >names
		while read -r m; do
			exactly dpcount --expire=$w -T 200 -r 0:999 -M "$m" in | diff want - ||
			    { echo "--expire=$w -M $m"; false; }
		done <names
	done
}

@test "dpcount --expire=gradual: the running sum" {
	integers 200 >in
	running in >want
	for l in 0.5 1 2 1/3 8; do
		prints exactly dpcount --expire=gradual:$l -T 200 -r 0:999 in <want
	done
	[ "$(able dpcount -e 1 -T 200 --expire=gradual:1)" = gradual ]
}

@test "dpcount --ages: the running sum; what ages may lose is said, and no more is lost" {
	integers 200 >in
	running in >want
	awk 'BEGIN { for (d = 0; d < 100; d++) printf "%.15g\n", 1 + d / 7 }' >g
	prints exactly dpcount --ages=g -T 200 -r 0:999 -M gradual in <want
	# what protects every step for ever may be used too, and is where it is better
	able dpcount -e 1 -T 200 --ages=g -r 0:999 | grep -qx normtree
	printf '1\n2\n' >flat
	dpcount -e 1 -T 365 --ages=flat --explain >said
	grep -qF -e '--ages is not made use of' said
	dpcount -e 2 -T 200 --ages=g -M gradual --explain=json |
	    jq -e '[.loss[] | .epsilon <= 2 * (1 + ([.age, 99] | min) / 7) * (1 + 1e-9)] | all and
	    length == 9' >/dev/null
	dpcount -e 1 -T 1000 --ages=g -M gradual --explain | grep -F 'its loss then grows with age'
	# a later run reads the same curve
	fails 0 dpcount -e 1 -T 200 --ages=g -M gradual --state=s --init </dev/null
	dpcount --state=s in >/dev/null
	echo 99 >>g
	fails 5 dpcount --state=s in
}

@test "--ages: refused" {
	printf '1\n2\n1.5\n' >g
	refused '--ages: g: line 3 is smaller than the one before' dpcount -e 1 -T 9 --ages=g
	printf '1\n2\n' >g
	refused 'only one can say what an old event may lose' dpcount -e 1 -T 9 --ages=g --expire=3
	refused '--pan-private: refused with --expire and --ages' dpcount -e 1 -T 9 -P --ages=g
	refused '--ages' dpdecay -e 1 -T 9 -a .5 --ages=g
}

@test "dpcount --expire: keys, buckets, durations, ranges" {
	printf 'b\na\nc\nb\na\n' >in
	printf '0\t1\n1\t1\n1\t1\n1\t2\n2\t2\n' | prints exactly dpcount --expire=2 -T 5 \
	    -k 1 --keys=a,b in
	integers 200 | awk '{ print 1704067200 + $1 * 900 }' >in
	set -- -t 1 --time-format=epoch --bucket=1h --from=2024-01-01 --to=2024-01-08 in
	exactly dpcount "$@" >want
	for w in 24 24h 1d 1440m; do
		prints exactly dpcount --expire=$w "$@" <want
	done
	printf '%s\n' -1.5 2.25 -9 >in
	printf '%s\n' -1.5 0.8 -4.2 | prints exactly dpcount --expire=1 -T 9 -r -5.0:5.0 in
}

@test "dpdecay --expire=W: the decayed sum, for every mechanism" {
	integers 100 >in
	printf '1\n1\n.5\n.25\n' >w
	for d in '-a .9' '-p 1' '--half-life=5' '--weights=w'; do
		# shellcheck disable=SC2086
		exactly dpdecay $d -r 0:999 -M input in >want
		for w in 1 8 100; do
			# shellcheck disable=SC2086
			able dpdecay -e inf -T 100 --expire=$w -r 0:999 $d >names
			grep -qx map-paper names
			# what protects for ever may be used too; bucketed sums are not exact
			while read -r m; do
				[[ $m =~ ^paper$ ]] && continue
				# shellcheck disable=SC2086
				exactly dpdecay --expire=$w -T 100 -r 0:999 -M "$m" $d in |
				    paste - want | near || { echo "$d --expire=$w -M $m"; false; }
			done <names
		done
	done
}

@test "what is older than W is exact: that, plus what dpwindow prints with the same noise" {
	bits 150 >in
	for w in 1 5 16; do
		able dpwindow -e 1 -d 1e-6 -T 150 -w $w >names
		able dpcount -e 1 -d 1e-6 -T 150 --expire=$w | sort | diff <(sort names) -
		while read -r m; do
			dpwindow -e 1 -d 1e-6 -T 150 -M "$m" --seed 7 -w $w in 2>/dev/null >window
			older $w in | paste - window | awk '{ print $1 + $2 }' >want
			dpcount -e 1 -d 1e-6 -T 150 -M "$m" --seed 7 --expire=$w in 2>/dev/null |
			    diff want - || { echo "--expire=$w -M $m"; false; }
		done <names
	done
}

@test "the error is that of a window of W, whatever the horizon" {
	for w in 1 30; do
		able dpwindow -e 1 -T 10k -w $w >names
		while read -r m; do
			want=$(dpwindow -e 1 -T 10k -w $w -M "$m" --explain=json | jq .rmse.max)
			[ "$(dpcount -e 1 -T 10k --expire=$w -M "$m" --explain=json |
			    jq .rmse.max)" = "$want" ] || { echo "$w $m"; false; }
		done <names
	done
	dpcount -e 1 -T 1M --expire=30 --explain=json >with
	dpcount -e 1 -T 1M --explain=json >without
	jq -es '.[0].rmse.max < .[1].rmse.max' with without
}

@test "one line moves all later estimates by its value, and no earlier one: every mechanism" {
	changed_at 0 1 16 17 33
	for w in 4 16 gradual:1; do
		able dpcount -e 1 -d 1e-6 -T 50 -r 0:9 --expire=$w >names
		while read -r m; do
			for j in 0 1 16 17 33; do
				dpcount -e 1 -d 1e-6 -T 50 -M "$m" --seed 8 -r 0:9 --expire=$w in.$j
			done 2>/dev/null >all
			awk 'NR <= 50 { y[NR] = $1; next }
			    { i = (NR - 1) % 50 + 1; if (i == 1) split("1 16 17 33", at, " ")
			      if ($1 - y[i] != (i < at[int((NR - 1) / 50)] ? 0 : 7)) {
				print NR ": " $0; bad = 1; exit } }
			    END { exit bad || NR != 250 }' all ||
			    { echo "--expire=$w -M $m"; false; }
		done <names
	done
}

@test "--explain says what is protected and what is given up" {
	dpcount -e 1 -T 1000 --expire=30 --explain=json >j
	jq -e '.neighbours | endswith("; at every step this covers the last 30 steps, " +
	    "what is older is not protected")' j
	jq -e '.estimates ==
	    "running sum since step 1, into which steps 30 and more back enter exactly"' j
	jq -e 'any(.assumptions[];
	    startswith("the caller gives up what is older than the expiry"))' j
	dpcount -e 1 -T 1000 --expire=30d --bucket=1d --live --explain |
	    grep -F 'covers the last 30 steps'
	dpcount -e 1 -T 1000 --expire=gradual:1 --explain | grep -F 'its loss then grows with age'
	dpdecay -e 1 -T 1000 -a .9 --expire=30 -M map-paper --explain=json |
	    jq -e '(.neighbours | test("the last 30 steps")) and
	    (.estimates | test("^sum in which a step d back weighs 0.9\\^d, " +
	    "into which steps 30 and more back enter exactly$"))'
	# what protects for ever at a smaller error is taken instead, and says so
	dpdecay -e 1 -T 1000 -a .9 --expire=30 --explain=json >j
	jq -e '.mechanism != "map-paper" and (.neighbours | test("last 30") | not) and
	    any(.assumptions[]; startswith("--expire is not made use of"))' j
	jq -e '.rmse.max < (.eligible[] | select(.mechanism == "map-paper") | .rmse_max)' j
	# and says nothing of it without --expire
	dpcount -e 1 -T 1000 --explain | silent_about older -
}

@test "--state: one run in pieces has the bytes of one run, for every mechanism" {
	bits 100 >in
	for w in 16 gradual:1; do
		able dpcount -e 1 -d 1e-6 -T 100 --expire=$w >names
		while read -r m; do
			set -- -e 1 -d 1e-6 -T 100 -M "$m" --seed 3 --expire=$w
			dpcount "$@" in >want 2>/dev/null
			rm -f s s.lock
			head -20 in | dpcount --state s --init "$@" >got 2>/dev/null
			sed -n 21,47p in | dpcount --state s >>got 2>/dev/null
			tail -n +48 in | dpcount --state s "$@" >>got 2>/dev/null
			cmp want got || { echo "--expire=$w -M $m"; false; }
		done <names
	done
	able dpdecay -e 1 -T 100 --expire=16 -a .9 >names
	while read -r m; do
		set -- -e 1 -T 100 -M "$m" --seed 3 -a .9 --expire=16
		dpdecay "$@" in >want 2>/dev/null
		rm -f s s.lock
		head -20 in | dpdecay --state s --init "$@" >got 2>/dev/null
		tail -n +21 in | dpdecay --state s >>got 2>/dev/null
		cmp want got || { echo "$m"; false; }
	done <names
}

@test "--state: the expiry is kept, and another is refused" {
	bits 30 >in
	dpcount --state s --init -e 1 -T 90 --expire=7 in >/dev/null
	dpcount --state s --state-show | grep -qx 'own-expire 7'
	dpcount --state s --explain | grep -F 'covers the last 7 steps'
	for w in 8 1 gradual:1; do
		cp s before
		fails 5 dpcount --state s --expire=$w in
		[ -z "$output" ]
		[[ $stderr == "dpcount: s: --expire differs from the state file's, which is 7; "* ]]
		cmp s before
	done
	rm s s.lock
	# what was protected stays protected
	dpcount --state s --init -e 1 -T 90 in >/dev/null
	fails 5 dpcount --state s --expire=7 in
	[[ $stderr == 'dpcount: s: --expire was not given when the state file was started; '* ]]
}

@test "-T: step N+1 is refused with 4" {
	yes 1 | head -6 >in
	run -4 --separate-stderr dpcount -e inf --expire=2 -T 4 in
	[ "$output" = "$(seq 4)" ]
}

# refused REASON TOOL ARG ...: status 2, a message with the reason, nothing printed
refused() {
	fails 2 "${@:2}" in
	[ -z "$output" ] && [[ ${stderr_lines[0]} == "$2: "*"$1"* ]] || {
		echo "$stderr, not: $1"
		return 1
	}
}

@test "--expire: values that are none" {
	echo 1 >in
	for w in 0 -1 x '' 1.5 7,8 1e3 99999999999999999999 ' 7' inf; do
		refused --expire dpcount -e 1 -T 9 "--expire=$w"
		refused --expire dpdecay -e 1 -T 9 -a .5 "--expire=$w"
	done
	for l in '' 0 -1 x nan inf 9 1e9 1:2; do
		refused --expire=gradual dpcount -e 1 -T 9 "--expire=gradual:$l"
	done
	refused --expire dpcount -e 1 -T 9 --expire=gradual
	refused 'longer than the horizon of 9' dpcount -e 1 -T 9 --expire=10
	refused 'longer than the horizon of 9' dpdecay -e 1 -T 9 -a .5 --expire=10
	refused 'that needs --bucket' dpcount -e 1 -T 9 --expire=7d
	refused 'not a whole number of buckets of 2h' dpcount -e 1 -T 9 -t 1 \
	    --time-format=epoch --bucket=2h --live --expire=5h
	refused 'running counts' dpdecay -e 1 -T 9 -a .5 --expire=gradual:1
	refused 'twice' dpcount -e 1 -T 9 --expire=7 --expire=7
	refused '' dpwindow -e 1 -T 9 -w 2 --expire=7
}

@test "--expire with -P is refused: raw values are kept until they expire" {
	echo 1 >in
	refused '--pan-private: refused with --expire' dpcount -e 1 -T 9 -P --expire=3
	refused '--pan-private: refused with --expire' dpcount -e 1 -T 9 -P --expire=gradual:1
	refused '--pan-private: refused with --expire' dpdecay -e 1 -T 9 -P -a .5 --expire=3
}

@test "--expire=gradual: a steep LAMBDA still gives a fresh event its epsilon" {
	for l in 1 4 8; do
		dpcount -e 1 -T 1000000 --expire=gradual:$l --explain=json >j
		jq -e '.noise.families[0].scale == 1 and .rmse.max < 7' j
	done
}

@test "--explain: no bound below a promise, whatever epsilon" {
	dpcount -e 720 -T 1000 --explain=json | jq -e '.lower_bound == 0'
	# all-steps intervals of small noise are not blown up
	dpcount -M input -e 5 -T 1G --explain=json | jq -e '.bound.all_steps < 30000'
	# nor is one too narrow where very many terms make it nearly Gaussian: 1.96 standard
	# deviations
	dpcount -M input -e 1 -T 1000000G --explain=json |
	    jq -e '.bound.max / .rmse.max | . > 1.959 and . < 1.961'
}
