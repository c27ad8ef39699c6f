# The documents say what the tool does: options, names, exit statuses, tables, and every example runs.
load helper

TOP=$BATS_TEST_DIRNAME/..

# rendered PAGE: as man(1) shows it, in wide lines, without overstriking
rendered() {
	mandoc -Tascii -Owidth=200 "$TOP/man/$1" | sed 's/.\x08//g'
}

# section PAGE NAME
section() {
	rendered "$1" | awk -v name="$2" '/^[A-Z]/ { on = $0 == name; next } on'
}

# same WHAT FILE FILE: equal as sets of lines, and not empty
same() {
	[ -s "$2" ] || {
		echo "no $1"
		return 1
	}
	diff <(sort -u "$2") <(sort -u "$3")
}

# The files that the examples speak of
example_files() {
	bits 500 >bits.txt
	integers 300 | awk '{
		printf "192.0.2.%d - - [%02d/May/2026:%02d:%02d:07 +0000] \"GET /p%d HTTP/1.1\" %d %d\n",
		    $1 % 40, 1 + int(NR / 101), NR % 24, $1 % 60, $1 % 7,
		    $1 % 5 ? 200 : $1 % 3 ? 404 : 503, $1
	}' >access.log
	integers 50 | awk 'BEGIN { print "id,amount,shop" } { printf "%d,%d.%02d,\"Main St, %d\"\n", NR, $1 / 10, $1 % 100, $1 % 3 }' >sales.csv
}

# every FILE: each block of commands in it (blocks end at an empty line) succeeds and prints something;
# what would follow a growing file reads the file.
every() {
	local n

	awk -v RS= '{ print > ("block." NR) }' "$1"
	for ((n = 1; ; n++)); do
		[ -e "block.$n" ] || break
		sed -i 's/tail -[fF] /cat /' "block.$n"
		if ! bash -e -o pipefail "block.$n" >printed 2>err || [ ! -s printed ]; then
			echo "fails, or prints nothing:"
			cat "block.$n" err
			return 1
		fi
	done
	[ "$n" -gt 1 ]
}

# examples PAGE: the commands of its EXAMPLES
examples() {
	section "$1" EXAMPLES | awk '
		/^ *\$ / { sub(/^ *\$ /, ""); on = 1 }
		on { print; more = /\\$/; on = more; shown = 1; next }
		shown && NF == 0 { print ""; shown = 0 }'
}

@test "every manual page passes mandoc's lint" {
	for page in "$TOP"/man/*.[1-9]; do
		mandoc -Tlint -W warning "$page"
	done
}

@test "every tool has a page, and pages name only pages that are there" {
	for tool in "$TOP"/cmd/*.c; do
		[ -e "$TOP/man/$(basename "$tool" .c).1" ]
	done
	grep -h '^\.Xr dp' "$TOP"/man/*.[1-9] | while read -r _ name number _; do
		[ -e "$TOP/man/$name.$number" ]
	done
}

@test "--help and dpcount(1) have the same options with the same arguments" {
	dpcount --help | sed -nE 's/^ +((-., )?--[^ ]+).*/\1/p' >help
	section dpcount.1 OPTIONS | sed -nE 's/^ {5}((-., )?--[^ ]+).*/\1/p' >page
	same options help page
	[ "$(wc -l <help)" -gt 40 ]
}

@test "--help and dpcount(1) have the same mechanisms" {
	dpcount --help | awk '/^[A-Z]/ { on = $1 == "Mechanisms:"; next } on && NF { print $1 }' >help
	section dpcount.1 ACCURACY | sed -nE 's/^ {5}([a-z][a-z-]*)(  .*)?$/\1/p' >page
	same mechanisms help page
}

@test "--help and dpcount(1) have the same exit statuses" {
	dpcount --help | tr '\n' ' ' | sed 's/.*Exit status: //; s/\..*//; s/, */\n/g' | sed 's/ *$//' >help
	section dpcount.1 'EXIT STATUS' >page
	while read -r number reason; do
		grep -iE "^ +$number +$reason" page
	done <help
	sed -nE 's/^ {5}([0-9]+) .*/\1/p' page >numbers
	cut -d ' ' -f 1 help >wanted
	same statuses wanted numbers
}

@test "the examples of dpcount(1) run" {
	example_files
	examples dpcount.1 >commands
	every commands
}

@test "the examples of dputils-state(5) run" {
	examples dputils-state.5 >commands
	every commands
}

@test "the checksum of a state file is what b2sum says" {
	bits 10 | dpcount -e 1 -T 100 --state=S --init >/dev/null
	[ "$(tail -n 1 S)" = "blake2b $(head -n -1 S | b2sum -l 256 | cut -d ' ' -f 1)" ]
}

@test "the commands of README.md run" {
	example_files
	awk '/^```/ { on = $0 == "```sh"; print ""; next } on' "$TOP/README.md" >commands
	every commands
}

@test "README.md: the errors for a year are those predicted" {
	mapfile -t all < <(for e in 0.1 1 3; do
		dpcount -e $e -T 365 --explain=json | jq .bound.all_steps
	done)
	grep -F "prints ±${all[0]}, ±${all[1]} and ±${all[2]}:" "$TOP/README.md"
}

@test "README.md: the table of mechanisms is what --explain predicts" {
	for T in 1k 1M 1G; do
		dpcount -e 1 -d 1e-6 -T $T --explain=json |
		    jq -r '.eligible[] | "\(.mechanism) \(.rmse_max)"' >"explain.$T"
	done
	for T in 1k 1M 1G; do
		awk -v T=$T '{ printf "%s %s %.3g\n", T, $1, $2 }' "explain.$T"
	done >wanted
	grep '^| `' "$TOP/README.md" | tr -d '|`' | awk '{
		printf "1k %s %.3g\n1M %s %.3g\n1G %s %.3g\n", $1, $2, $1, $3, $1, $4
	}' >table
	same mechanisms wanted table
}

# demo ARG ...: runs, fits a screen, and every line of its table has a time, two counts, a bound and their difference
demo() {
	sh "${script:-$TOP/tests/demo.sh}" "$DP_BUILD/bin" "$@" >shown
	[ "$(awk 'length > 80' shown)" = "" ]
	[ "$(wc -l <shown)" -le 50 ]
	awk '/^  [0-9]+-/ { n++; if ($3 - $2 != $5 || $4 < 1) exit 1 } END { exit n < 1 }' shown
}

# last_true: the true count of the last row
last_true() {
	awk '/^  [0-9]+-/ { n = $2 } END { print n }' shown
}

@test "demo: a log in the Common Log Format, by the hour" {
	example_files
	demo access.log
	grep -F -- '--time-format=clf --bucket=1h' shown
	[ "$(last_true)" = 300 ]
}

@test "demo: a log with zones, not in order, is counted whole" {
	{
		echo '::1 - - [31/Dec/2025:23:30:00 -0100] "GET / HTTP/1.1" 200 1'
		echo '::1 - - [29/Feb/2024:00:00:00 +0530] "GET / HTTP/1.1" 200 1'
		echo '::1 - - [01/Mar/2024:00:00:00 +0000] "GET / HTTP/1.1" 200 1'
	} >log
	demo log
	grep -F -- '--bucket=1w' shown
	[ "$(last_true)" = 3 ]
}

@test "demo: dpkg's log, by the day" {
	integers 400 | awk '{ printf "2026-%02d-%02d %02d:10:00 status installed x:amd64 1\n", 4 + $1 % 2, 1 + $1 % 30, $1 % 24 }' >log
	demo log
	grep -F -- '-t 1 --time-format=iso --bucket=1d' shown
	[ "$(last_true)" = 400 ]
}

@test "demo: a syslog, over the turn of the year" {
	printf '%s host sshd: x\n' 'Dec 30 01:02:03' 'Dec 31 23:59:59' 'Jan  1 00:00:00' 'Jan  2 00:00:00' >log
	demo log
	grep -F -- '--time-format=syslog' shown
	[ "$(last_true)" = 4 ]
}

@test "demo: one line is enough" {
	echo '2026-05-01T12:00:00Z' >log
	demo log
	[ "$(last_true)" = 1 ]
}

@test "demo: without any log, the history of the repository" {
	command -v git >/dev/null || skip "no git"
	mkdir -p clone/tests
	sed 's|/var/log/|/nonexistent/|g' "$TOP/tests/demo.sh" >clone/tests/demo.sh
	git -C clone init -q
	for day in 1 3 9; do
		GIT_COMMITTER_DATE=2026-03-0${day}T12:00:00+01:00 git -C clone -c user.name=x -c user.email=x@x \
		    commit -q --allow-empty --no-gpg-sign -m "$day"
	done
	script=clone/tests/demo.sh demo
	grep -F 'git log --format=%cI | dpcount' shown
	[ "$(last_true)" = 3 ]
	rm -rf clone/.git
	fails 1 env GIT_CEILING_DIRECTORIES="$PWD" sh clone/tests/demo.sh "$DP_BUILD/bin"
	[[ $stderr = *'name one'* ]]
}

@test "demo: what is no log is refused" {
	printf 'root:x:0:0\n' >log
	fails 1 sh "$TOP/tests/demo.sh" "$DP_BUILD/bin" log
	fails 1 sh "$TOP/tests/demo.sh" "$DP_BUILD/bin" nonexistent
	fails 1 sh "$TOP/tests/demo.sh" nonexistent
}

@test "README.md shows what the demonstration prints" {
	example_files
	demo access.log
	awk '/^```text/ { on = 1; next } /^```/ { on = 0 } on' "$TOP/README.md" >picture
	grep -vE '^  [0-9]+-|^ *dpcount|--from=|[0-9]+ (buckets|of)|so far' shown | while read -r line; do
		grep -F -- "$line" picture
	done
	awk '/^  [0-9]+-/ && $3 - $2 != $5 { exit 1 }' picture
}
