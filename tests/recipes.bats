# dputils-recipes(7): every task has one command, which is run as the page has it.  Without noise it
# prints what awk computes; with it, what --explain says is not exceeded.
load helper
load examples

TOP=$BATS_TEST_DIRNAME/..

# The page in wide lines, without overstriking
page() {
	mandoc -Tascii -Owidth=200 "$TOP/man/dputils-recipes.7" | sed 's/.\x08//g'
}

# tasks: the headlines
tasks() {
	sed -n 's/^\.Ss //p' "$TOP/man/dputils-recipes.7"
}

# recipe TASK: its command, in the file "recipe"; and with -e inf, in "exactly"
recipe() {
	page | awk -v task="   $1" '/^(   )?[^ ]/ { on = $0 == task; next } !on { next }
	    /^ *\$ / { at = index($0, "$"); sub(/^ *\$ /, ""); print; n++; in_it = 1; next }
	    in_it && match($0, /[^ ]/) && RSTART > at { print; next }
	    { in_it = 0 } END { exit n != 1 }' >recipe || {
		echo "not one command: $1"
		return 1
	}
	sed -E 's/ -e [0-9/]+/ -e inf/g' recipe >exactly
}

run_it() {
	bash -e -o pipefail "$1" 2>err || {
		cat "$1" err
		return 1
	}
}

# most: what noise stays within in the whole run of the recipe's command; in one run of 10^10 it
# does not
most() {
	echo "$(sed -zE 's/ \|(\n| tail ).*//' recipe) --explain=json -B0.9999999999" >explain
	run_it explain | jq .bound.all_steps
}

# holds [FROM [SEPARATOR]]: exact answers are those of the file "want", private ones near them;
# fields before FROM (2) are names
holds() {
	run_it exactly >exact
	diff -u want exact
	run_it recipe >private
	most=$(most)
	paste -d '\n' exact private | awk -F "${2:-[ \t]+}" -v from="${1:-2}" -v most="$most" '
	    NR % 2 { n = NF; for (i = 1; i <= n; i++) w[i] = $i; next }
	    NF != n { exit 1 }
	    { for (i = 1; i <= n; i++) {
		d = $i - w[i]
		if (i < from || $i !~ /^-?[0-9]/)
			d = $i == w[i] ? 0 : 2 * most
		if (d > most || d < -most) { print w[i], $i; exit 1 } } }
	    END { if (NR < 2) exit 1 }'
	awk -v m="$most" 'BEGIN { exit !(m > 0 && m < 1000) }'
}

# requests PROGRAM ARG ...: awk's answer; a request has day (1 to 3 in May), hour, host, path and
# status
requests() {
	local program=$1

	shift
	awk "$@" '{ split(substr($4, 2), t, /[\/:]/); day = t[1] + 0; hour = t[4] + 0
	    host = $1; path = $7; status = $9 } '"$program" access.log
}

# each hour of the three days, from FIELDS: n[day, hour] to print
hours() {
	requests "$1"' END { for (d = 1; d <= 3; d++) for (h = 0; h < 24; h++)
	    printf "2026-05-%02dT%02d:00:00Z\t%d\n", d, h, n[d, h] }' >want
}

setup_file() {
	mkdir "$BATS_FILE_TMPDIR/files"
	cd "$BATS_FILE_TMPDIR/files"
	example_files
	# one client with more requests than are counted
	for ((i = 0; i < 60; i++)); do
		echo '192.0.2.3 - - [02/May/2026:07:30:00 +0000] "GET /p1 HTTP/1.1" 200 5'
	done >>access.log
	printf '/p%d\n' 0 1 2 3 4 >pages.txt
	integers 90 | awk '{ print $1 % 3 ? "no" : "yes" }' >answers.txt
	integers 90 | awk '{ split("db web mail disk", part, " ")
	    printf "2026-05-%02d %02d:10:00 %s %s: it is so\n", 1 + NR % 3, $1 % 24,
	    $1 % 5 < 2 ? "ERROR" : "INFO", part[1 + $1 % 4] }' >app.log
	split -n l/4 -a 1 access.log access.log.
	printf '0\n0\n' >one.txt
	printf '1\n0\n' >other.txt
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp -r "$BATS_FILE_TMPDIR"/files/. .
	pids=()
}

@test "twenty tasks and more, each with a test, and the README names the page" {
	tasks >tasks
	[ "$(wc -l <tasks)" -ge 20 ]
	sed -nE "s/^\trecipe '(.*)'\$/\1/p" "$BATS_TEST_FILENAME" | diff <(sort tasks) <(sort -u -)
	grep -F 'dputils-recipes(7)' "$TOP/README.md"
}

@test "requests per hour" {
	recipe 'Requests per hour'
	hours '{ n[day, hour]++ }'
	holds
}

@test "requests per day in local time" {
	recipe 'Requests per day in local time'
	run_it recipe | awk '$3 >= $2 || $4 <= $2 { exit 1 } END { exit NR != 3 }'
	# without intervals; in May Berlin is two hours ahead
	sed -i 's/ -B / /' recipe exactly
	requests '{ n[hour < 22 ? day : day + 1]++ } END { for (d = 1; d <= 3; d++)
	    printf "2026-05-%02dT00:00:00+02:00\t%d\n", d, n[d] }' >want
	holds
}

@test "error rate per hour" {
	recipe 'Error rate per hour'
	requests '{ n[day, hour]++; e[day, hour] += status >= 500 }
	    END { for (d = 1; d <= 3; d++) for (h = 0; h < 24; h++)
		printf "2026-05-%02dT%02d:00:00Z %s\n", d, h,
		    n[d, h] ? 100 * e[d, h] / n[d, h] "%" : "-" }' >want
	run_it exactly | diff want -
	grep -qE ' [1-9][0-9.]*%' want
	run_it recipe >private
	awk 'NF != 2 || $2 != "-" && ($2 < 0 || $2 + 0 > 100) { print; exit 1 }
	    END { exit NR != 72 }' private
}

@test "top page" {
	recipe 'Top page'
	requests 'BEGIN { for (i = 0; i < 5; i++) key["/p" i] } path in key { n[day, hour, path]++ }
	    END { for (d = 1; d <= 3; d++) for (h = 0; h < 24; h++) { most = -1
		for (i = 0; i < 5; i++) { k = "/p" i; s[k] += n[d, h, k]
		    if (s[k] > most) { most = s[k]; b = k } }
		printf "2026-05-%02dT%02d:00:00Z\t%s\t%d\n", d, h, b, most } }' >want
	run_it exactly | diff want -
	run_it recipe >private
	# by its own sum and by the leader's
	paste want private | awk -v most="$(most)" '$4 != $1 || $5 !~ /^\/p[0-4]$/ { exit 1 }
	    { d = $6 - $3 } d > most || d < -most { exit 1 } END { exit NR != 72 || most > 100 }'
}

@test "top page of each hour" {
	recipe 'Top page of each hour'
	requests '{ n[day, hour, path]++ }
	    END { for (d = 1; d <= 3; d++) for (h = 0; h < 24; h++) { most = -1
		for (i = 0; i < 5; i++) if (n[d, h, "/p" i] > most) {
		    most = n[d, h, "/p" i]; b = "/p" i }
		printf "2026-05-%02dT%02d:00:00Z %s %d\n", d, h, b, most } }' >want
	run_it exactly | diff want -
	run_it recipe >private
	# the largest of five sums that are each so far off
	paste -d ' ' want private | awk -v most="$(most)" '
	    $4 != $1 || $5 !~ /^\/p[0-4]$/ { exit 1 } { d = $6 - $3 }
	    d > most || d < -most { exit 1 } END { exit NR != 72 || most > 100 }'
}

@test "page views by page, every visitor protected" {
	recipe 'Page views by page, every visitor protected'
	requests '(path ~ /^\/p[0-4]$/) && ++seen[host] <= 20 { n[day, path]++ }
	    END { print "time,/p0,/p1,/p2,/p3,/p4"
	    for (d = 1; d <= 3; d++) { printf "2026-05-%02dT00:00:00Z", d
		for (i = 0; i < 5; i++) printf ",%d", n[d, "/p" i]; print "" } }' >want
	holds 2 ,
	# the client of sixty requests counts for less than half of them
	[ "$(awk -F, 'NR == 3 { print $3 }' want)" -lt 60 ]
}

@test "unique visitors" {
	recipe 'Unique visitors'
	requests '!seen[host]++ { n[day]++ } END { for (d = 1; d <= 3; d++) { s += n[d]
	    printf "2026-05-%02dT00:00:00Z\t%d\n", d, s } }' >want
	holds
}

@test "daily active users" {
	recipe 'Daily active users'
	requests '!seen[day, host]++ { n[day]++ } END { for (d = 1; d <= 3; d++)
	    printf "2026-05-%02dT00:00:00Z\t%d\n", d, n[d] }' >want
	holds
	run_it <(echo "$(<recipe) --explain") | tr '\n' ' ' | grep -F "in one step"
}

@test "survey with a sensitive question" {
	recipe 'Survey with a sensitive question'
	awk '{ n[$0]++ } END { printf "yes\t%d\t%d\t%d\nno\t%d\t%d\t%d\n",
	    n["yes"], n["yes"], n["yes"], n["no"], n["no"], n["no"] }' answers.txt >want
	run_it exactly | diff want -
	# 90 answers, each 0 or 1, p - q = tanh(1/2): Hoeffding, one run in 10^10
	run_it recipe >private
	paste want private | awk '{ d = $6 - $2; m = sqrt(90 * log(4e10) / 2) / 0.4621 }
	    $5 != $1 || d > m || d < -m || $7 > $8 { exit 1 } END { exit NR != 2 }'
}

@test "failed logins in the last hour, live" {
	recipe 'Failed logins in the last hour, live'
	grep -F 'tail -n 0 -F' recipe
	# by the second, and exact; the ten lines that are there are of another time
	for ((i = 0; i < 10; i++)); do
		echo 'sshd: Failed password for invalid user old'
	done >auth.log
	sed 's/--bucket=1m/--bucket=1s/; s/tail /& -s .1 --pid=$$ /; s/^/exec 3>\&-; /' \
	    exactly >live
	bash -c '. ./live' >printed 2>err 3>&- &
	pids+=($!)
	until_true test -s printed
	for i in 1 2 3; do
		echo "sshd: Failed password for invalid user u$i"
		echo 'sshd: Accepted publickey for root'
	done >>auth.log
	until_true grep -q "$(printf '\t3$')" printed
	kill "${pids[0]}"
	wait "${pids[0]}" || :
	awk '$2 > 3 || $2 < last { exit 1 } { last = $2 }' printed
	# and as it is, once it starts
	run_it <(echo "$(sed 's/^.*| //' recipe) --explain") | grep -F 'differentially private'
}

@test "slow requests in a log of JSON lines" {
	recipe 'Slow requests in a log of JSON lines'
	jq -r 'select(.ms >= 100) | .time[:13]' requests.json | awk '{ n[$0]++ }
	    END { for (d = 1; d <= 4; d++) for (h = 0; h < 24; h++) {
		t = sprintf("2026-05-%02dT%02d", d, h); printf "%s:00:00Z\t%d\n", t, n[t] } }' >want
	holds
	[ "$(awk '{ s += $2 } END { print s }' want)" -gt 100 ]
}

@test "errors by component in a log of your own" {
	recipe 'Errors by component in a log of your own'
	awk '$3 == "ERROR" { n[substr($1, 10), $4]++ } END { for (d = 1; d <= 3; d++) {
	    a += n[d, "db:"]; b += n[d, "web:"]; c += n[d, "mail:"]
	    printf "2026-05-%02dT00:00:00Z\t%d\t%d\t%d\n", d, a, b, c } }' app.log >want
	holds
	[ "$(awk '{ n = $2 + $3 + $4 } END { print n }' want)" -gt 20 ]
}

@test "cases per week from daily totals" {
	recipe 'Cases per week from daily totals'
	awk -F, '$1 < "2020-04-23" { v[++n] = $2; s = 0
	    for (i = n - 6; i <= n; i++) s += v[i]
	    printf "%sT00:00:00Z\t%.0f\n", $1, s }' cases.csv >want
	[ "$(wc -l <want)" -eq 91 ]
	holds
}

@test "sales by shop from a spreadsheet" {
	recipe 'Sales by shop from a spreadsheet'
	awk -F '[,"]+' 'NR > 1 { v = $2 > 100 ? 100 : $2; s[$3 "," $4] += v }
	    END { for (i = 0; i < 3; i++)
		printf "%.2f%s", s["Main St, " i], i < 2 ? "\t" : "\n" }' sales.csv >want
	run_it exactly | diff want -
	run_it recipe >private
	# not all three without noise: one draw in thousands is 0
	paste want private | awk -v most="$(most)" '{ for (i = 1; i <= 3; i++) { d = $i - $(i + 3)
	    far += d > most || d < -most; n += d != 0 } }
	    END { exit NR != 1 || NF != 6 || far || !n || !(most > 0 && most < 30000) }'
}

# dated: an access log of the days up to today
dated() {
	for day in '3 days ago' '2 days ago' yesterday yesterday today; do
		for ((i = 0; i < 100; i++)); do
			echo '192.0.2.1 - -' "[$(date -ud "$day" +%d/%b/%Y):12:00:00 +0000]" \
			    '"GET / HTTP/1.1" 200 5 "-" "x"'
		done
	done >access.log
}

@test "begin a count that goes on; daily report from cron" {
	one_day
	dated
	recipe 'Begin a count that goes on for a year'
	run_it recipe
	[ "$(cut -f 1 visits.tsv)" = "$(date -ud '2 days ago' +%FT00:00:00Z)" ]
	recipe 'Daily report from cron'
	run_it recipe
	cp visits.tsv once
	# repeated, it appends nothing
	run_it recipe
	diff once visits.tsv
	[ "$(tail -n 1 visits.tsv | cut -f 1)" = "$(date -ud yesterday +%FT00:00:00Z)" ]
	most=$(dpcount -e 1 -T 365 --bucket=1d --live --explain=json -B0.9999999999 |
	    jq .bound.all_steps)
	awk -v most="$most" '{ d = $2 - (NR == 1 ? 100 : 300) } d > most || d < -most || NF != 4 {
	    exit 1 } END { exit NR != 2 || most > 100 }' visits.tsv
	# it is begun once only
	recipe 'Begin a count that goes on for a year'
	fails 5 bash recipe
}

@test "chart to show others" {
	recipe 'Chart to show others'
	run_it recipe
	grep -F '(1, 0)-differentially private' requests.html
	grep -F '<h1>Requests so far</h1>' requests.html
	grep -q '<path' requests.html
}

@test "one count of logs on several machines" {
	command -v parallel >/dev/null || skip 'no GNU parallel'
	recipe 'One count of logs on several machines'
	requests '{ n[day, hour, status]++ } END { for (d = 1; d <= 3; d++) for (h = 0; h < 24; h++)
	    printf "2026-05-%02dT%02d:00:00Z\t%d\t%d\t%d\n", d, h, n[d, h, 200], n[d, h, 404],
	    n[d, h, 503] }' >want
	run_it exactly | diff want -
	run_it recipe >private
	echo "$(sed -z 's/.*|\n//' recipe) --explain=json -B0.9999999999" >explain
	most=$(run_it explain | jq .bound.all_steps)
	paste want private | awk -v most="$most" '$5 != $1 { exit 1 }
	    { for (i = 2; i <= 4; i++) { d = $i - $(i + 4); if (d > most || d < -most) exit 1
		n += d != 0 } } END { exit NR != 72 || n < 10 || most > 100 }'
}

@test "choosing epsilon for an error" {
	recipe 'Choosing epsilon for an error'
	run_it recipe >printed
	e=$(sed -nE '1s/^The smallest epsilon for errors within 20 is (.*[0-9])\.$/\1/p' printed)
	bound() {
		dpcount -e "$1" -T 365 --bucket=1d --live --explain=json | jq .bound.all_steps
	}
	awk -v at="$(bound "$e")" -v below="$(bound "$(jq -n "$e - .01")")" 'BEGIN {
	    exit !(at <= 20 && below > 20) }'
}

@test "nothing but noise?" {
	recipe 'Nothing but noise?'
	requests 'NR <= 3 { printf "standard input:%d\tvalue=1\ttime=2026-05-%02dT%02d:%s:%sZ" \
	    "\tstep=2026-05-%02dT%02d:00:00Z\n", NR, day, hour, t[5], t[6], day, hour }' >want
	run_it recipe | diff want -
}

@test "limit what everybody may learn together; spend from a budget" {
	recipe 'Limit what everybody may learn together'
	run_it recipe
	recipe 'Spend from a budget'
	requests '{ s += status == 404; print s }' >want
	sed 's/--budget=[^ ]*//' exactly >free
	run_it free | diff want -
	for i in 1 2 3 4; do
		run_it recipe >private
		paste want private | awk -v most="$(most)" '{ d = $1 - $2 }
		    d > most || d < -most { far = 1 }
		    END { exit far || NR < 300 || most > 1000 }'
	done
	dpbudget --show web.budget | grep -F errors
	fails 4 bash recipe
	[ "$output" = "" ]
}

@test "test the guarantee of a command" {
	recipe 'Test the guarantee of a command'
	run_it recipe >printed
	[ -s printed ]
	sed 's/-e 1 -T 2/-e 9 -T 2/' recipe >refuted
	fails 6 bash refuted
}
