# SPDX-License-Identifier: ISC
# The documents say what the tool does: options, names, exit statuses, tables, and every example
# runs.
load ../lib/helper
load ../lib/examples

TOP=$BATS_TEST_DIRNAME/../..

# Each page, as man(1) shows it, in wide lines, without overstriking
setup_file() {
	for page in "$TOP"/man/*.[1-9]; do
		mandoc -Tascii -Owidth=200 "$page" | sed 's/.\x08//g' \
		    >"$BATS_FILE_TMPDIR/${page##*/}"
	done
}

# section PAGE NAME
section() {
	awk -v name="$2" '/^[A-Z]/ { on = $0 == name; next } on' "$BATS_FILE_TMPDIR/$1"
}

# same WHAT FILE FILE: equal as sets of lines, and not empty
same() {
	[ -s "$2" ] || {
		echo "no $1"
		return 1
	}
	diff <(sort -u "$2") <(sort -u "$3")
}

# every FILE: each block of commands in it (blocks end at an empty line) succeeds and prints
# something; what would follow a growing file reads the file, and what starts a process hundreds of
# times starts a tenth of them.
every() {
	local n

	awk -v RS= '{ print > ("block." NR) }' "$1"
	for ((n = 1; ; n++)); do
		[ -e "block.$n" ] || break
		# an engine that is not everywhere
		! grep -q '^ *parallel ' "block.$n" || command -v parallel >/dev/null || continue
		! grep -q -e '--to=[^ ]*[.]png' "block.$n" || type -P rsvg-convert >/dev/null ||
		    continue
		sed -i -E 's/tail (-n [+0-9]+ )?-[fF] /cat /; s/( --runs=[0-9]+)0 /\1 /' "block.$n"
		if ! bash -e -o pipefail "block.$n" >printed 2>err || [ ! -s printed ]; then
			echo "fails, or prints nothing:"
			cat "block.$n" err
			return 1
		fi
	done
	[ "$n" -gt 1 ]
}

# examples PAGE: the commands of its EXAMPLES: what follows a $, and the lines below that stand
# farther right
examples() {
	section "$1" EXAMPLES | awk '
		/^ *\$ / { at = index($0, "$"); sub(/^ *\$ /, ""); print; on = 1; next }
		NF == 0 { if (on) print ""; on = 0 }
		on && match($0, /[^ ]/) && RSTART > at'
}

@test "every manual page passes mandoc's lint" {
	for page in "$TOP"/man/*.[1-9]; do
		mandoc -Tlint -W warning "$page"
	done
}

# an author by the name of a macro ends a page in mid-air, and mandoc does not mind
@test "groff, too, comes to the end of every page" {
	needs groff
	for page in "$TOP"/man/*.[1-9]; do
		groff -mdoc -Tascii -P-cbou "$page" 2>err >text
		run ! grep -e chop -e diversion err
		grep -qx "$(sed -n 's/^\.Sh //p' "$page" | tail -n 1)" text
	done
}

@test "no page warns at 80 columns" {
	needs groff
	for page in "$TOP"/man/*.[1-9]; do
		groff -mdoc -Tascii -P-cbou -rLL=78n -ww "$page" 2>&1 >/dev/null
	done >warnings
	cat warnings
	[ ! -s warnings ]
}

@test "every tool has a page, and pages name only pages that are there" {
	for tool in "$TOP"/cmd/*.c; do
		[ -e "$TOP/man/$(basename "$tool" .c).1" ]
	done
	grep -h '^\.Xr dp' "$TOP"/man/*.[1-9] | while read -r _ name number _; do
		[ -e "$TOP/man/$name.$number" ]
	done
}

# help_options TOOL: options with their arguments; own: the tool's own ones
help_options() {
	"$1" --help=all | awk '/^[A-Z]/ { part = /^What to estimate/ ? "own" : "shared" }
	    { print part "\t" $0 }' |
	    sed -nE 's/^([a-z]+)\t +((-., )?--[^ ]+).*/\1 \2/p'
}

# page_options PAGE
page_options() {
	section "$1" OPTIONS | sed -nE 's/^ {5}((-., )?--[^ ]+).*/\1/p'
}

@test "--help and the pages have the same options with the same arguments" {
	help_options dpcount | cut -d ' ' -f 2- >help
	page_options dpcount.1 >page
	same options help page
	[ "$(wc -l <help)" -gt 40 ]
	# the other pages have their own, and refer to dpcount(1) for what is shared
	help_options dpcount | sed -n 's/^shared //p' | sort >shared
	for tool in $(readers); do
		[ "$tool" != dpcount ] || continue
		# what dpcount does not take stands in the tool's own page, as its own options do
		help_options $tool | sed -n 's/^shared //p' | sort | comm -23 - shared >more
		help_options $tool | sed -n 's/^own //p' | cat - more >help
		page_options $tool.1 >page
		same options help page
		section $tool.1 OPTIONS | tr -s ' \n' ' ' |
		    grep -F 'All other options are those of dpcount(1)'
		# and on the first screen
		section $tool.1 SYNOPSIS >synopsis
		synopsis=$(<synopsis)
		while IFS='=, ' read -r letter long _; do
			[[ $long = --beta || $letter = --beta || $letter = --expire ]] ||
			    [[ $synopsis = *"$letter"* ]]
		done <help
	done
}

# help_mechanisms TOOL; page_mechanisms PAGE SECTION
help_mechanisms() {
	"$1" --help=mechanisms |
	    awk '/^[A-Z]/ { on = /^Mechanisms.*:$/; next } on && NF { print $1 }'
}

page_mechanisms() {
	section "$1" "$2" | sed -nE 's/^ {5}([a-z][a-z0-9-]*(, [a-z][a-z0-9-]*)*)(  .*)?$/\1/p' |
	    sed 's/, /\n/g'
}

@test "--help and the pages of tools that are no filters have the same options" {
	comm -23 <(tools | sort) <(readers | sort) | while read -r tool; do
		help_options "$tool" | cut -d ' ' -f 2- >help
		page_options "$tool.1" >page
		same options help page
	done
}

@test "--help and the pages have the same mechanisms" {
	for tool in $(filters); do
		page_mechanisms $tool.1 MECHANISMS | sort -u >page.$tool
	done
	sort -u page.* >pages
	for tool in $(filters); do
		help_mechanisms $tool | sort -u >help
		comm -23 page.$tool help >gone
		# under an option of its own it may have those of another page; registry.bats knows
		# which
		comm -23 help pages >missing
		[ -s help ] && [ ! -s gone ] && [ ! -s missing ] || { cat gone missing; false; }
	done
}

@test "dputils-formulas(7) has a section for each tool, with the mechanisms of its page" {
	for tool in $(filters); do
		page_mechanisms $tool.1 MECHANISMS >page
		page_mechanisms dputils-formulas.7 ${tool^^} >formulas
		same mechanisms page formulas
		[ "$(sort formulas | uniq -d)" = "" ]
		section $tool.1 'SEE ALSO' | grep -F 'dputils-formulas(7)'
	done
}

@test "what a page says of its own sections is there" {
	for page in "$TOP"/man/*.[1-9]; do
		sed -nE 's/^\.S[hs] (.*)/\1/p' "$page" >sections
		sed -nE 's/^\.([A-Z][a-z] .*)?Sx ([A-Za-z -]*[A-Za-z]).*/\2/p' "$page" |
		    sed -E 's/ No .*//' | sort -u | grep -vxFf sections >missing || :
		[ ! -s missing ] || { echo "$page"; cat missing; false; }
		[ "$(sort sections | uniq -d)" = "" ]
	done
}

@test "examples come before what explains them" {
	for page in "$TOP"/man/*.1; do
		sed -n 's/^\.Sh //p' "$page" |
		    grep -vxE 'ENVIRONMENT|FILES|EXIT STATUS' | sed -n '3,6p' | paste -sd, >sections
		[ "$(<sections)" = 'FIRST EXAMPLES,DESCRIPTION,OPTIONS,EXAMPLES' ] ||
		    { echo "$page"; false; }
	done
}

@test "the pages name every mechanism that --explain can choose" {
	for t in 'dpwindow -w 30' 'dpwindow -w 7,30' 'dpdecay -a .9' 'dpdecay -p 1.5' \
	    'dpdecay -a .9 --expire=7'; do
		for d in 0 1e-6; do
			# shellcheck disable=SC2086
			$t -e 1 -T 100 -d $d --explain=json | jq -er '.eligible[].mechanism' >names
			tool=${t%% *}
			page_mechanisms "$tool.1" MECHANISMS >page
			while read -r m; do
				grep -qx -- "$m" page || { echo "$t: $m"; false; }
			done <names
		done
	done
}

@test "--help and the pages have the same exit statuses" {
	for tool in $(tools); do
		$tool --help=all | tr '\n' ' ' | sed 's/.*Exit status: //; s/\..*//; s/, */\n/g' |
		    sed 's/ *$//' >help
		section $tool.1 'EXIT STATUS' >page
		page=$'\n'$(<page)
		shopt -s nocasematch
		while read -r number reason; do
			[[ $page =~ $'\n'\ +$number\ +$reason ]]
		done <help
		shopt -u nocasematch
		sed -nE 's/^ {5}([0-9]+) .*/\1/p' page >numbers
		cut -d ' ' -f 1 help >wanted
		same statuses wanted numbers
	done
}

@test "every tool says its name, its page and what it needs" {
	filters >filters
	version=$(dpcount -V | sed 's/.* //')
	section dputils.7 DESCRIPTION >description
	all=$(tools)
	[[ $all = *dpcount* ]]
	for tool in $all; do
		$tool --help=all >help
		if grep -qx "$tool" filters; then
			head -1 help | grep -E \
			    "^usage: $tool -e EPSILON \[-T HORIZON\] .*\[options\] \[FILE \.\.\.\]$"
		else
			head -1 help | grep -E "^usage: $tool "
		fi
		tail -1 help | grep -F "See $tool(1), dputils(7)."
		[ "$($tool --version)" = "$tool (dputils) $version" ]
		grep -F "$tool(1)" description
		section $tool.1 'SEE ALSO' >seen
		seen=$(<seen)
		for other in $all; do
			[[ $other = $tool || $seen = *[^a-z]"$other(1)"* ]] ||
			    { echo "no $other(1)"; false; }
		done
	done
}

@test "the examples of every page run; every tool's page has some" {
	mkdir files
	cd files
	example_files
	cd ..
	for page in "$TOP"/man/*.[1-9]; do
		page=${page##*/}
		mkdir "$page"
		cd "$page"
		examples "$page" >commands
		# those of some pages run in a test of their own, below
		if [ -s commands ] &&
		    ! grep -qx "	examples $page .*>commands" "$BATS_TEST_FILENAME"; then
			cp ../files/* .
			every commands || { echo "$page"; false; }
		fi
		cd ..
	done
	for tool in $(tools); do
		grep -q "$tool" $tool.1/commands
	done
}

@test "every tool's page begins with three examples on the sample, and what they print" {
	failed=
	for tool in $(tools); do
		mkdir "$tool"
		cd "$tool"
		cp "$DP_BUILD"/share/dputils/sample/* .
		displays "$TOP/man/$tool.1" 'FIRST EXAMPLES'
		umask=$(umask)
		for ((n = 1; ; n++)); do
			[ -e "cmd.$n" ] || break
			eval "$(<"cmd.$n")" >"got.$n" 2>"err.$n"
			diff "out.$n" "got.$n" || { cat "cmd.$n" "err.$n"; failed+=" $tool"; }
		done
		umask "$umask"
		# some commands print nothing, as they make what the next one reads
		find . -name 'out.*' -size +0 >shown
		[ "$(wc -l <shown)" -ge 3 ] || { echo "$tool: fewer than three"; false; }
		cd ..
	done
	[ "$failed" = '' ]
}

@test "the examples of dputils(3) run on what was installed without root" {
	[ -e "$DP_BUILD/libdputils.so.1" ] || skip 'a build without the library'
	unsanitized 'sqlite3 and python3 load no sanitizer'
	HOME=$PWD/home
	local=$HOME/.local
	mkdir -p "$local"/{include,lib/pkgconfig,share/man/man3,share/dputils,share/doc/dputils}
	make -s -C "$TOP" O="$DP_BUILD" PREFIX="$local" install-library
	ln -s "$TOP/man/examples" "$local/share/doc/dputils"
	ln -s "$DP_BUILD/share/dputils/sample" "$local/share/dputils"
	# what one command sets the next one needs
	examples dputils.3 | sed "/./!d; s|/usr/local|$local|g" >commands
	every commands
	type -P pkg-config || return 0
	export PKG_CONFIG_PATH=$local/lib/pkgconfig
	${CC:-cc} -o again dputils-count.c $(pkg-config --cflags --libs dputils)
}

# far MOST FILE: each private number (2) of FILE is at most MOST from the exact one (3), some differ
far() {
	awk -v most="$1" '{ d = $2 - $3 } d > most || d < -most { print; far = 1 } d { n++ }
	    END { print n " of " NR " differ"; exit far || n < 10 }' "$2"
}

@test "the examples of dpwindow(1) run, and cases in seven days are what they are" {
	example_files
	examples dpwindow.1 >commands
	every commands
	awk 'NF != 3 { exit 1 } END { exit NR != 91 }' week.txt
	awk -F, '{ s += $2 - c[NR - 7]; c[NR] = $2; print s }' cases.csv >want
	awk '{ print $3 }' week.txt | diff want -
	# the errors that the page tells of
	dpwindow -e 0.1 -w 7 -T 91 --unit=1 --bucket=1d --live -B0.9999999999 --explain=json >json
	[ "$(jq '.rmse.max | round' json),$(sort -n want | tail -n 1)" = 34,6402 ]
	far "$(jq .bound.all_steps json)" week.txt
}

@test "the examples of dpdecay(1) run, and cases halve in fourteen days" {
	example_files
	examples dpdecay.1 >commands
	every commands
	awk -F, '{ s = s * 2 ^ (-1 / 14) + $2; printf "%.6f\n", s }' cases.csv |
	    paste - decayed.txt | awk '{ d = $1 - $4; if (d > 2e-6 || d < -2e-6) { print; exit 1 } }
	    END { exit NR != 91 }'
	far "$(dpdecay -e 0.1 --half-life=14 -T 91 --unit=1 --bucket=1d --live -B0.9999999999 \
	    --explain=json | jq .bound.all_steps)" decayed.txt
}

@test "the examples of dpmaxsum(1) run, and the page that leads is one that might" {
	example_files
	examples dpmaxsum.1 >commands
	every commands
	[ "$(wc -l <leaders.txt)" -eq 168 ]
	# exact: awk counts the declared pages, hour by hour
	awk 'NR == FNR { key[$0] = NR; next }
		$7 in key { split(substr($4, 2), t, /[\/:]/)
			h = (t[1] - 1) * 24 + t[4]; n[h, $7]++ }
		END { for (h = 0; h < 168; h++) { most = -1
			for (k in key) { s[k] += n[h, k]
				if (s[k] > most || (s[k] == most && key[k] < key[b])) {
					b = k; most = s[k] } }
			print b, most } }' pages.txt access.log >want
	awk '{ print $4, $5 }' leaders.txt | diff want -
	# private: one in 10^10 is farther out, both by its own sum and by the leader's
	most=$(dpmaxsum -e 1 --both -B0.9999999999 -k 7 --keys=@pages.txt -T 168 --bucket=1h \
	    --live --explain=json | jq .bound.all_steps)
	awk '{ print $1, $3, $5 }' leaders.txt >sums
	far "$most" sums
	[ "$(awk -v m="$most" 'BEGIN { print m < 150 }')" = 1 ]
}

@test "the examples of dpdistinct(1) run, and the statistics are those that the page tells" {
	example_files
	examples dpdistinct.1 >commands
	every commands
	grep -F 'Of 3000 events 1844 count' "$TOP/man/dpdistinct.1"
	sed 's/.*"user":"u\([0-9]*\)".*/\1/' events.jsonl |
	    awk 'n[$1]++ < 5 { c++ } END { print NR, c }' | diff <(echo 3000 1844) -
	# 0 up to 12 times, 1 from 25 on
	awk '{ n[$1]++ } END { for (h in n) { all += n[h] >= 25
	    part += n[h] >= 25 ? 1 : n[h] > 12 ? (n[h] - 12) / 13 : 0 }
	    printf "%d %.0f\n", all, part }' access.log | diff <(echo 20 30) -
	set -- -e 2 -T 5000 --at-end --statistic=heavy --share=200 -v 1 --explain=json
	[ "$(dpdistinct "$@" | jq '.rmse.max * 10 | round'),$(dpdistinct -P "$@" |
	    jq '.rmse.max | round')" = 6,97 ]
}

@test "the examples of dpexperts(1) run, and the choices cost little more than the best mirror" {
	example_files
	examples dpexperts.1 | sed 's/-T 10000 /&--seed=1 /' >commands
	[ "$(grep -c -e --seed commands)" = 1 ]
	every commands
	[ "$(wc -l <follow.txt)" -eq 10000 ]
	# the leader is nearly as good as the best; the regret is about its bound less 25 in the
	# mean, and no more than the bound and six standard deviations, 40 each
	most=$(dpexperts -e 1 -T 10000 --columns=3 --explain=json | jq .regret.max)
	tr -d , <totals.txt | awk -v most="$most" '{ print; best = $6
	    for (i = 7; i <= 8; i++) if ($i < best) best = $i
	    exit !($2 - best < most + 240 && $2 - best > -100 && $4 - best < 30 && most < 100) }'
}

@test "dputils-state(5) names every line of a state's head" {
	printf '1\n.5\n' >w
	: | dpcount -e 1 -T 9 --state=c.state --init
	: | dpwindow -e 1 -T 9 -w 2 --state=w2.state --init
	: | dpdecay -e 1 -T 9 --weights=w --state=d.state --init
	: | dpmaxsum -e 1 -T 9 --keys=a,b --state=m.state --init
	: | dpexperts -e 1 -T 9 --keys=a,b --rate=1 --protect=cost --state=x.state --init >/dev/null
	: | dptransform -e 1 -T 9 --sensitivity=1 --changes=1 --state=y.state --init
	: | dpcount -e 1 -T 9 -u 1 -c 1/step --bucket=1d --live --state=u.state --init
	printf 'a\n1\n' >A
	: | dpproject -e 1 --queries=A --state=p.state --init >/dev/null
	: | dpmean -e 1 -T 9 -r 0:9 --state=v.state --init
	: | dpquantile -e 1 -T 9 -r 0:9 --state=q.state --init
	{ section dputils-state.5 FORMAT; section dputils-state.5 'A JOB'; } |
	    tr -cs 'a-z0-9-' '\n' | sort -u >page
	for f in *.state; do
		sed -n '2,/^body /p' $f
	done | cut -d ' ' -f 1 | grep -v '^own-\|^set-\|^file-\|^noise[.]' | tr -d '[]' | sort -u |
	    comm -23 - page >missing
	[ ! -s missing ] || { cat missing; false; }
}

@test "the checksum of a state file is what b2sum says" {
	bits 10 | dpcount -e 1 -T 100 --state=S --init >/dev/null
	[ "$(tail -n 1 S)" = "blake2b $(head -n -1 S | b2sum -l 256 | cut -d ' ' -f 1)" ]
}

# demo ARG ...: runs, fits a screen, and every line of its table has a time, two counts, a bound and
# their difference
demo() {
	sh "${script:-$TOP/tests/demo.sh}" "$DP_BUILD/bin" "$@" >shown
	[ "$(awk 'length > 80' shown)" = "" ]
	# a screen and a half
	[ "$(wc -l <shown)" -le 70 ]
	awk '/^  [0-9]+-/ { n++; if ($3 - $2 != $5 || $4 < 1 || seen[$1]++) exit 1 }
	    END { exit n < 1 }' shown
	# a table that comes with the tools, and a chart
	awk '$1 == "on" { n++; a = $4 - $3; b = $6 - $5
	    if (a > 300 || a < -300 || b > 20 || b < -20) exit 1 } END { exit n != 4 }' shown
	# of 816 days: 40 of them more or fewer, which three runs in 10^9 are off by
	awk '/^  median/ { n++; if ($2 != 465192 || $3 < 3.9e5 || $3 > 5.6e5) exit 1 }
	    /^  95 % below/ { n++; if ($4 != 2056989 || $5 < 1.2e6 || $5 > 5e6) exit 1 }
	    END { exit n != 2 }' shown
	sed '1,/as dpplot draws them/d' shown >chart
	[ "$(wc -l <chart)" -gt 3 ]
	[[ $(<chart) = *', UTC'* ]]
}

# last_true: the true count of the last row
last_true() {
	awk '/^  [0-9]+-/ { n = $2 } END { print n }' shown
}

@test "demo: the sample's log, unless there is another; no label of a row comes twice" {
	demo
	grep -F -- '--time-format=clf --bucket=3h' shown
	grep -F -- '--to=2026-05-08T00:00:00Z \' shown
	grep -F 'may be far fewer, as errors of neighbouring rows go together.' shown
	[ "$(last_true)" = 5000 ]
	# its commands run as they are printed, where the repository is
	mkdir new
	sed -nE '/^  (awk|dp[a-z]+ -e) /,/[^\]$/p' shown |
	    sed "s| tests/data| $TOP/tests/data|" >new/said
	(cd new && sh said >numbers)
	awk '/^[0-9]+ (buckets|days),/ { n += $1 } END { print n + 1 }' shown |
	    diff - <(grep -c . new/numbers)
	# a log of nine seconds: minutes
	printf '2026-05-01 12:00:0%d status x\n' 1 2 3 4 5 6 7 8 9 >'a log'
	demo 'a log'
	[ "$(last_true)" = 9 ]
	grep -F -- '--bucket=1m' shown
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
	integers 400 | awk '{ printf "2026-%02d-%02d %02d:10:00 status installed x:amd64 1\n",
	    4 + $1 % 2, 1 + $1 % 30, $1 % 24 }' >log
	demo log
	grep -F -- '-t 1 --time-format=iso --bucket=1d' shown
	[ "$(last_true)" = 400 ]
}

@test "demo: a syslog, over the turn of the year" {
	printf '%s host sshd: x\n' 'Dec 30 01:02:03' 'Dec 31 23:59:59' 'Jan  1 00:00:00' \
	    'Jan  2 00:00:00' >log
	# in February: on the last two days of a year this year's Jan 1 is meant
	mkdir day
	printf '#!/bin/sh\nexec %s -ud 2026-02-01 "$@"\n' "$(type -P date)" >day/date
	chmod +x day/date
	PATH=$PWD/day:$PATH demo log
	grep -F -- '--time-format=syslog' shown
	[ "$(last_true)" = 4 ]
}

@test "demo: one line is enough" {
	echo '2026-05-01T12:00:00Z' >log
	demo log
	[ "$(last_true)" = 1 ]
}

@test "demo: what is no log is refused" {
	printf 'root:x:0:0\n' >log
	fails 1 sh "$TOP/tests/demo.sh" "$DP_BUILD/bin" log
	fails 1 sh "$TOP/tests/demo.sh" "$DP_BUILD/bin" nonexistent
	fails 1 sh "$TOP/tests/demo.sh" nonexistent
}

@test "--help is one screen, and its examples run" {
	cp "$DP_BUILD"/share/dputils/sample/* .
	for tool in $(tools); do
		$tool --help >help
		[ "$(wc -l <help)" -le 24 ]
		awk 'length > 80 { print; long = 1 } END { exit long }' help
		# an option is a line, its text not cut within a word or a parenthesis
		awk '/^ +-/ { n++; t = substr($0, 27) }
		    /^ +-/ && (t ~ /[ ,;(]$/ || gsub(/\(/, "(", t) != gsub(/\)/, ")", t)) {
			print; bad = 1
		    }
		    END { exit bad || n < 7 }' help
		# what the usage needs is explained
		head -n 3 help | tr -d '\n' | grep -oE '[ {]-[a-z] [A-Z]+' | tr -d '{' |
		    grep -v -- '-e EPSILON' | while read -r option _; do
			grep -q "^ *$option, --" help || { echo "$tool: $option"; false; }
		done
		[ "$tool" != dpaudit ] || continue	# its example takes a minute
		awk 'NF == 0 { if (n++) exit; next } n' help >commands
		[ -s commands ]
		every commands
	done
}

@test "--help=WHAT: all, mechanisms, and nothing else" {
	dpcount --help=all | grep -q -- '--monotone'
	dpcount --help=mechanisms | grep -q '^  tree  '
	fails 2 dpcount --help=more
	[[ $stderr == "dpcount: --help: 'more' must be all or mechanisms, or nothing"* ]]
}
