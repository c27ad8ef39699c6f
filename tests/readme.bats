# README.md: every command that prints estimates is run as it stands there.  Without noise it prints
# what awk computes; with it, what --explain says is not exceeded.
load helper
load examples
load truth

TOP=$BATS_TEST_DIRNAME/..
PAGE=${README:-$TOP/README.md}

setup_file() {
	mkdir "$BATS_FILE_TMPDIR/files"
	cd "$BATS_FILE_TMPDIR/files"
	example_files
	busy_client >>access.log
	listed "$PAGE"
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp -r "$BATS_FILE_TMPDIR"/files/. .
	pids=()
}

# says TEXT: the document does, wherever its lines end
says() {
	tr -s ' \n' ' ' <"$PAGE" | grep -qF -- "$1" || {
		echo "it does not say: $1"
		return 1
	}
}

@test "every command that prints estimates is compared with the truth" {
	for f in list/*[0-9]; do
		! estimates "$f" || echo "$f"
	done | sort >want
	[ "$(wc -l <want)" -ge 20 ]
	sed -nE "s/^\tnamed '(.*)'\$/\1/p" "$BATS_TEST_FILENAME" | while read -r text; do
		of_text "$text"
	done | sort -u | diff want -
}

@test "requests per hour" {
	named 'dpwindow -e 1 -w 1 --log=combined --bucket=1h'
	hours '{ n[day, hour]++ }'
	holds
}

@test "bytes of what was not found; slow requests by status" {
	named 'status~404'
	days 'status == 404 { s = $10; n[day] += s } END { n[2] += n[1]; n[3] += n[2] }'
	holds '' '' 100000
	named 'dpwindow -e 1 -w 1 --json'
	jq -r 'select(.ms >= 100) | "\(.time[8:10]) \(.response.status)"' requests.json |
	    awk '{ n[$1 + 0, $2]++ } END { for (d = 1; d <= 4; d++)
		printf "2026-05-%02dT00:00:00Z\t%d\t%d\n", d, n[d, 200], n[d, 404] }' >want
	holds
}

@test "requests by month in local time" {
	named '--tz=America/New_York --bucket=1mo'
	requests '{ n[day > 1 || hour >= 4]++ } END {
	    printf "2026-04-01T00:00:00-04:00\t%d\n2026-05-01T00:00:00-04:00\t%d\n", n[0], n[1] }' \
	    >want
	holds
	surrounds
}

@test "the page that leads; the shop that leads" {
	named 'dpmaxsum -e 1 --both -k path'
	requests '{ n[day, hour, path]++ }
	    END { for (d = 1; d <= 3; d++) for (h = 0; h < 24; h++) for (i = 0; i < 7; i++)
		printf "2026-05-%02dT%02d:00:00Z /p%d %d\n", d, h, i,
		    s[i] += n[d, h, "/p" i] }' >sums
	leads
	named 'dpmaxsum -e 1 --both --csv'
	# no blanks in names
	sed -i 's/Main St, /Main-/' shops.txt sales.csv
	awk -F '[,"]+' 'NR > 1 { s[$3, substr($4, 6, 2) + 0] += $2 } END { for (m = 4; m <= 6; m++)
	    for (i = 0; i < 3; i++) { k = "Main-" i
		printf "2026-%02d-01T00:00:00Z %s %.2f\n", m, k, t[i] += s[k, m] } }' \
	    sales.csv >sums
	leads 4000
	says '(row after row it would be off by thousands)'
	dpmaxsum -e 1 -T 1000 --both -k 1 --keys=a,b,c -v 2 -r 0.00:100.00 --explain=json |
	    jq -e '.bound.all_steps > 2000'
}

@test "clients: so far, by two tools; each day; their requests by status" {
	days '!seen[host]++ { n[day]++ } END { n[2] += n[1]; n[3] += n[2] }'
	cp want so_far
	named 'dpdistinct -e 1 -v host'
	holds
	named 'dpcount -e 1 -u host -c 1 --log'
	holds
	named 'dpwindow -e 1 -u host -c 1/step'
	days '!seen[day, host]++ { n[day]++ }'
	holds
	named 'dpcount -e 1 -u host -c 20/step'
	requests 'status ~ /^(200|304|404)$/ && ++seen[day, host] <= 20 { n[day, status]++ }
	    END { print "time,200,304,404"; for (d = 1; d <= 3; d++) printf \
		"2026-05-%02dT00:00:00Z,%d,%d,%d\n", d, a += n[d, 200], b += n[d, 304],
		c += n[d, 404] }' >want
	holds 2 ,
	# a client of 25 requests on each day counts on each
	awk -F, 'NR == 4 { exit $2 < 200 }' want
}

@test "answers that are private where they are" {
	named 'dplocal -e 2 --domain=200,404,503,else --estimate'
	requests '{ k = status ~ /^(404|503)$/ || status == 200 ? status : "else"; n[k]++ } END {
	    printf "200\t%d\n404\t%d\n503\t%d\nelse\t%d\n", n[200], n[404], n[503], n["else"] }' \
	    >want
	run_as exact | diff want -
	surrounds
	# "off by the square root of the number of lines, or so"
	says 'off by the square root of the number of lines, or so:'
	dplocal -e 2 --domain=200,404,503,else -T 375 --estimate --explain=json |
	    jq -e '.rmse.max / pow(375; .5) | . > .5 and . < 2'
}

@test "cases so far, of seven days, with a half-life" {
	awk -F, '$1 < "2022-04-17" { v[++n] = $2; t[n] = $1 } END { for (i = 1; i <= n; i++) {
	    s += v[i]; w = s - old[i - 7]; old[i] = s; d = d * 2 ^ (-1 / 14) + v[i]
	    printf "%sT00:00:00Z\t%.0f\t%.0f\t%.6f\n", t[i], s, w, d } }' cases.csv >all
	# days that the file does not have are there, too
	named 'dpcount -e 1 "$@"'
	last=$(run_as exact | tail -n 1 | cut -f 1)
	[ "$last" = 2022-04-16T00:00:00Z ]
	end=$(date -ud "$(tail -n 1 all | cut -c -10) 1 day" +%F)
	sed -i "s/--to=2022-04-17/--to=$end/" list/*
	named 'dpcount -e 1 "$@"'
	cut -f 1,2 all >want
	holds
	named 'dpwindow -e 1 -w 7d "$@"'
	cut -f 1,3 all >want
	holds
	named 'dpdecay -e 1 --half-life=14d "$@"'
	cut -f 1,4 all >want
	run_as exact | paste - want | awk '{ d = $2 - $4; if ($1 != $3 || d > 1e-5 * ($2 + 1) ||
	    -d > 1e-5 * ($2 + 1)) { print; exit 1 } }'
	run_as noisy >private
	near
	# without --unit: millions
	dpcount -e 1 -r 0:5000000 --bucket=1d -T 815 --explain=json | jq -e '.rmse.max > 1e6'
}

@test "ones and zeros" {
	named 'dpcount -e 1 -T 10k bits.txt'
	running bits.txt >want
	holds 1
}

@test "a statistic of another program" {
	named 'dptransform -e 3 -T 10k'
	awk 'BEGIN { for (i = 0; i < 1500; i++) print "h" i, 0, 0, 0, 0, 0,
	    "/p" (i % 11 < 3 ? 1 : i % 7) }' >access.log
	awk '!seen[$1, $7]++ && ++n[$7] > most { most = n[$7] } { print most }' access.log >want
	# at the confidence of 0.95 that the page has, there is no other: with a seed.  It lags.
	sed -i 's/ -e 3 / -e 3 --seed=4 /' recipe
	run_as given >private
	most=$(dptransform -e 3 -T 10k --sensitivity=1 --changes=5 --distance=166 --explain=json |
	    jq .bound.all_steps)
	paste want private | awk -v most="$most" '{ d = $2 - $1 } d > most || d < -most {
	    print; bad = 1; exit 1 } { moved += $2 != last; last = $2 }
	    END { exit bad || NR != 1500 || moved < 2 }'
	says "with E = 3 it is off by $most at most (with probability 0.95)"
}

@test "requests in the last hour, live" {
	named 'dpwindow -e 1 -m . -w 1h --bucket=1m --live'
	sed -i 's/tail -n 0 -F /cat /' recipe
	wc -l <access.log >want
	run_as exact | tail -n 1 | cut -f 2 | diff want -
	run_as noisy | tail -n 1 | cut -f 2 >private
	near 1
}

@test "once a day from cron" {
	named 'dpcount -e 1 -T 365 --state=visits.state --init'
	days '{ n[day]++ } END { n[2] += n[1] }'
	sed -i 2q want
	run_as given >printed
	cp visits.txt private
	named 'dpcount --state=visits.state --out=visits.txt --batch'
	run_as given >>printed
	[ ! -s printed ]
	tail -n 1 visits.txt >>private
	# the first day's twice: by itself, and again, in another run
	most=$(dpcount -e 1 -T 365 --bucket=1d --explain=json -B$CERTAIN | jq .bound.all_steps)
	paste want private | awk -v most="$most" '{ d = $4 - $2 }
	    $1 != $3 || d > most || d < -most { print; exit 1 } END { exit NR != 2 || most > 100 }'
}

@test "the crontab line goes on in the file of --out; without a state it says that" {
	named 'dpcount --state=visits.state --out=visits.txt --batch'
	run_as given
	sed -n '/^    5 0 \* \* \* to=/,/^$/p' "$PAGE" | grep -v 'on one line' | tr -s '\n ' ' ' |
	    sed 's/^ *5 0 \* \* \* to=[^;]*/to=2026-05-05/; s/\\%/%/g' >line.sh
	: >access.log.1
	sh -e line.sh
	cut -c -10 visits.txt | paste -sd ' ' |
	    grep -x '2026-05-01 2026-05-02 2026-05-03 2026-05-04'
	rm visits.state
	fails 5 sh line.sh
	[[ $stderr != *operator* && $stderr == *'visits.state: not there'* ]]
}

@test "a chart" {
	named 'dpplot --run dpcount -e 1 -B'
	run_as given >chart
	[ "$(grep -c '|' chart)" -gt 8 ]
	# what is drawn
	hours '{ n[day, hour]++ }'
	awk '{ print $1 "\t" (s += $2) }' want >sums
	mv sums want
	holds
	surrounds
}

@test "from a budget" {
	named '--budget=web.budget:errors'
	requests '{ s += status == 404; print s }' >want
	holds 1
	named '--budget=web.budget:load'
	awk '{ print (NR < 1000 ? NR : 1000) }' access.log >want
	holds 1
	says "A third run with \`-e 1\` would end with status 4 and say that 0.5 is left."
	run_as given >/dev/null
	fails 4 dpcount -e 1 -T 10k -m '" 404 ' --budget=web.budget:errors access.log
	[[ $stderr = *0.5* && $output = '' ]]
}

@test "logs on several machines" {
	named 'dpcount -e 1 "$@" --partial slice.?'
	requests '{ n[day, hour, status]++ } END { for (d = 1; d <= 3; d++) for (h = 0; h < 24; h++)
	    printf "2026-05-%02dT%02d:00:00Z\t%d\t%d\t%d\n", d, h, a += n[d, h, 200],
	    b += n[d, h, 304], c += n[d, h, 404] }' >want
	holds
}

@test "commands that print no estimates run" {
	for f in list/*[0-9]; do
		! estimates "$f" && ! grep -qE '^(set|for) ' "$f" || continue
		cp "$f" recipe
		rm -f before
		[ ! -e "$f.before" ] || cp "$f.before" before
		run_as given >printed
		[ -s printed ] || grep -qE '(^dpbudget --init|>[a-z.]+$)' "$f"
	done
}

# real FILE: it is at hand
real() {
	[ -r "$TOP/../shared/data/$1" ] || skip "no $1"
}

# of_log ARG ...: exact estimates of the real log, by the day
of_log() {
	"$1" -q -e inf "${@:2}" --log=combined --bucket=1d --from=2015-05-17 --to=2015-05-21 \
	    apache.log 2>/dev/null | cut -f 2- | paste -sd ' '
}

@test "true answers of the real log are those that the page has" {
	real apache_access.log
	[ "$(of_log dpcount -u host -c 1)" = '341 890 1350 1753' ]
	awk '!n[$1]++' apache.log | wc -l | grep -x 1753
	says 'printed 343, 890, 1349 and 1757, where 341, 890, 1350 and 1753 is true'
	most=$(dpdistinct -e 1 -v 1 --bucket=1d -T 4 --explain=json | jq .bound.all_steps)
	awk -v m="$most" 'BEGIN { exit !(m >= 4 && m < 30) }'
	[ "$(of_log dpwindow -u host -c 1/step -w 1)" = '341 627 561 505' ]
	awk '{ day = substr($4, 2, 2) } !seen[day, $1]++ { n[day]++ }
	    END { print n[17], n[18], n[19], n[20] }' apache.log | grep -x '341 627 561 505'
	says 'on one day. True are 341, 627, 561 and 505 of that log:'
	of_log dpcount -u host -c 20/step -k status --keys=200,304,404 | tr '\t' ' ' |
	    grep '7442 164 181$'
	awk '{ n[$9]++ } END { print n[200], n[304], n[404] }' apache.log | grep -x '9126 445 213'
	says 'Of that log 7442 requests with status 200 count, 164 with 304 and 181 with 404,'
	says 'where 9126, 445 and 213 is true'
	# who leads: the row before the three dots is that of noon
	awk '{ t = substr($4, 2, 14); n[$7]++; if (t == "17/May/2015:10") f = n["/favicon.ico"]
	    if (t == "17/May/2015:11") r = n["/reset.css"]
	    if (t <= "17/May/2015:12") g = n["/favicon.ico"] }
	    END { print f, r, g, n["/favicon.ico"] }' <(sort -k 4,4 apache.log) >leaders
	grep -x '6 14 29 807' leaders
	says 'the true leader: /favicon.ico, 6'
	says '/reset.css 12 /reset.css, 14'
	says '/favicon.ico 24 /favicon.ico, 29'
	says '/favicon.ico 809 /favicon.ico, 807'
}

@test "the true cases of seven days are those that the page has" {
	real covid_worldwide.csv
	awk -F, '$1 < "2022-04-17" { v[++n] = $2 } END { for (i = n - 6; i <= n; i++) s += v[i]
	    printf "%.0f\n", s }' cases.csv | grep -x 5855463
	says 'the last line of the second printed 5855455, where 5855463 is true'
	dpwindow -e 1 -w 7d --unit=1 -t 1 -v 2 --time-format=iso --bucket=1d --from=2020-01-23 \
	    --to=2022-04-17 --explain=json | jq -e '.bound.all_steps >= 8'
}

@test "how much less one tool is off by than another" {
	# a client once: half the error
	says 'Or each client counts once, with half the error'
	jq -n --argjson a "$(dpdistinct -e 1 -v 1 --bucket=1d -T 3 --explain=json)" \
	    --argjson b "$(dpcount -e 1 -u 1 -c 1 --bucket=1d -T 3 --explain=json)" \
	    -e '$b.rmse.max / $a.rmse.max | . > .4 and . < .6'
	# a finer grid
	says 'For an E below 0.22, or 0.44 if T is unknown,'
	says 'which costs 2 to 4 %'
	for a in '1k .21 .22' '1M .21 .22'; do
		read -r T below at <<<"$a"
		jq -n --argjson a "$(dpcount -e $below -T $T --explain=json)" \
		    --argjson b "$(dpcount -e $at -T $T --explain=json)" \
		    --argjson below "$below" --argjson at "$at" \
		    -e '$a.rmse.max * $below / ($b.rmse.max * $at) | . > 1.01 and . < 1.045'
	done
	says 'and so needs a sixth less'
	awk '/^\| `normtree`/ { n = $4 + $6 + $8 } /^\| `hats`/ { h = $4 + $6 + $8 }
	    END { exit !(n / h > .8 && n / h < .86) }' "$PAGE"
}

@test "the errors for a year are those predicted" {
	mapfile -t all < <(for e in 0.1 1 3; do
		dpcount -e $e -T 365 --explain=json | jq .bound.all_steps
	done)
	grep -F "prints ±${all[0]}, ±${all[1]} and ±${all[2]}:" "$PAGE"
}

@test "the epsilon for an error within 20 is what --within finds" {
	want=$(dpcount --within=20 -T 365 --explain=json | jq -r .within.epsilon)
	tr '\n' ' ' <"$PAGE" | grep -F "within 20 it stays from E = $want on"
}

@test "requests per day, as a window and as differences, are off by so much" {
	seq -f k%.0f 500 >keys
	set -- -e 1 -k 1 --keys=@keys -t 2 --time-format=epoch \
	    --bucket=1s --from=0 --to=365 --seed 5 /dev/null
	rms() {
		cut -f 2- | awk -v diff="$1" '{ for (i = 1; i <= NF; i++) {
		    s += ($i - diff * last[i]) ^ 2; last[i] = $i; n++ } }
		    END { printf "%.3f", sqrt(s / n) }'
	}
	difference=$(dpcount "$@" 2>/dev/null | rms 1)
	window=$(dpwindow -w 1 "$@" 2>/dev/null | rms 0)
	# 182500 numbers: within .1 of what is said
	tr '\n' ' ' <"$PAGE" |
	    sed -nE 's/.*off by ([0-9.]+) where +this is off by ([0-9.]+), in a year.*/\1 \2/p' |
	    awk -v d="$difference" -v w="$window" '{ print d, w, $0
		exit !(($1 - d) ^ 2 < .01 && ($2 - w) ^ 2 < .01) } END { if (NR == 0) exit 1 }'
}

@test "the table of mechanisms is what --explain predicts" {
	for T in 1k 1M 1G; do
		dpcount -e 1 -d 1e-6 -T $T --explain=json |
		    jq -r '.eligible[] | "\(.mechanism) \(.rmse_max)"' >"explain.$T"
	done
	for T in 1k 1M 1G; do
		awk -v T=$T '{ printf "%s %s %.3g\n", T, $1, $2 }' "explain.$T"
	done >wanted
	grep '^| `' "$PAGE" | tr -d '|`' | awk '{
		printf "1k %s %.3g\n1M %s %.3g\n1G %s %.3g\n", $1, $2, $1, $3, $1, $4
	}' >table
	[ -s table ]
	diff <(sort wanted) <(sort table)
}

@test "the table of errors is what make errors prints" {
	sh "$TOP/tests/errors.sh" >errors
	[ "$(wc -l <errors)" -gt 20 ]
	while IFS= read -r line; do
		grep -Fx -- "$line" "$PAGE" >/dev/null ||
		    { echo "not in README.md: $line"; return 1; }
	done <errors
}
