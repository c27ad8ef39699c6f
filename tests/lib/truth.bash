# SPDX-License-Identifier: ISC
# Commands of the documents are compared with the truth, which awk tells in the file "want".
# Without noise a command prints just that; with noise it is off by no more than its own --explain
# says, at a confidence at which one run in 10^10 is farther off.  To be loaded after the helper and
# the examples.  The command stands in the file "recipe"; what its block does before in "before".
CERTAIN=0.9999999999

# listed FILE: the commands of a document in Markdown, to list/1, list/2, ..; what a block does
# before the N-th to list/N.before
listed() {
	rm -rf list
	mkdir list
	awk -v quote="'" '/^```/ { on = $0 == "```sh"; text = before = ""; next }
	    on { text = text $0 "\n"; quotes += gsub(quote, quote)
		if (/(\\|\|)$/ || quotes % 2)
			next
		file = "list/" ++n
		printf "%s", text >file
		close(file)
		if (before != "")
			printf "%s", before >(file ".before")
		before = before text; text = "" }' "$1"
}

# estimates FILE: it prints estimates
estimates() {
	: "${FILTERS:=$(filters | paste -sd '|')}"
	grep -qE "(^|[ |])($FILTERS) " "$1" &&
	    ! grep -qE -e '--(explain|check)( |$)|>[a-z.]+$' "$1"
}

# of_text TEXT: the file of the command that has it; if a line is that alone, it is meant
of_text() {
	local n

	n=$(grep -lxF -e "$1" list/*[0-9]) || n=$(grep -lF -e "$1" list/*[0-9]) || :
	[[ $n != "" && $n != *$'\n'* ]] || {
		echo "not one command: $1"
		return 1
	}
	echo "$n"
}

# named TEXT: makes that command the recipe
named() {
	local n

	n=$(of_text "$1") || {
		echo "$n"
		return 1
	}
	cp "$n" recipe
	rm -f before
	[ ! -e "$n.before" ] || cp "$n.before" before
}

# run_as FORM: exact, without noise; noisy, without intervals; certain, with those of CERTAIN;
# predicted, its own prediction; given
run_as() {
	local e='' most='s/ -B[0-9.]*( |$)/\1/; s/ --sampling( --independent)?//' file

	case $1 in
	exact) e="s/ -e [0-9.\/]+/ -e inf/g; s/ --budget=[^ ]*//; $most" ;;
	noisy | predicted) e=$most ;;
	certain) e="s/ -B[0-9.]*( |\$)/ -B$CERTAIN\1/" ;;
	esac
	# what a block makes it makes anew
	if [ -e before ]; then
		# shellcheck disable=SC2046
		rm -f ./*.budget* ./*.state* $(sed -nE 's/.* --out=([^ ]+).*/\1/p' before)
	fi
	for file in before recipe; do
		[ ! -e $file ] || sed -E "$e" $file >"as.$file"
	done
	# a chart has the numbers of the command that it draws
	[ "$1" = given ] || sed -zEi 's/^dpplot [^|]*--run[ \\\n]*//' as.recipe
	if [ "$1" = predicted ]; then
		# without what feeds it, and what its output feeds
		sed -zEi 's/.*\|[ \n]*(dp[a-z]+ )/\1/; s/ *\|(\n| ).*//; s/\n$//' as.recipe
		printf ' --explain=json -B%s\n' $CERTAIN >>as.recipe
	fi
	{
		[ ! -e before ] || { echo '{' && cat as.before && echo '} >/dev/null'; }
		cat as.recipe
	} >script
	run_it script
}

run_it() {
	bash -e -o pipefail "$1" 2>err || {
		cat "$1" err
		return 1
	}
}

# most: what the error stays within in the whole run, as --explain predicts it
most() {
	run_as predicted | jq .bound.all_steps
}

# near [FROM [SEPARATOR]]: the file "private" is off from "want" by no more than most; fields before
# FROM (2) are names
near() {
	most=$(most)
	paste -d '\n' want private | awk -F "${2:-[ \t]+}" -v from="${1:-2}" -v most="$most" '
	    NR % 2 { n = NF; for (i = 1; i <= n; i++) w[i] = $i; next }
	    NF != n { print "fields:", n, NF; bad = 1; exit 1 }
	    { for (i = 1; i <= n; i++) {
		d = $i - w[i]
		if (i < from || $i !~ /^-?[0-9]/)
			d = $i == w[i] ? 0 : 2 * most
		if (d > most || d < -most) { print w[i], $i; bad = 1; exit 1 } } }
	    END { exit bad || NR < 2 || NR % 2 || most <= 0 }'
}

# holds [FROM [SEPARATOR [MOST]]]: exact answers are those of "want", private ones near them; the
# error predicted is below MOST (1000), for one that covers everything is no promise
holds() {
	run_as exact >exact
	diff -u want exact
	run_as noisy >private
	near "${1-}" "${2-}"
	awk -v m="$most" -v most="${3:-1000}" 'BEGIN { exit !(m > 0 && m < most) }'
}

# surrounds: with -B each estimate is followed by an interval, and at CERTAIN it has that of "want"
surrounds() {
	grep -qE ' -B[0-9.]*( |$)' recipe
	run_as certain >certain
	paste -d '\n' want certain | awk 'NR % 2 { n = NF; split($0, w); next }
	    NF != 1 + 3 * (n - 1) || $1 != w[1] { print; bad = 1; exit 1 }
	    { for (i = 2; i <= n; i++) if ($(3 * i - 3) > w[i] || $(3 * i - 2) < w[i]) {
		print; bad = 1; exit 1 } } END { exit bad || NR < 2 || NR % 2 }'
}

# leads [MOST]: names that lead, with their sums.  "sums" has a row for each time and name in the
# order declared: the first of the largest is exact; a private one is near it by its own sum and by
# the one printed.
leads() {
	awk '$1 != t { if (NR > 1) print t "\t" b "\t" m; t = $1; m = -1e9 }
	    $3 > m { m = $3; b = $2 } END { print t "\t" b "\t" m }' sums >want
	run_as exact | tr ' ' '\t' | diff want -
	run_as noisy | tr ' ' '\t' >private
	awk -v most="$(most)" -v limit="${1:-1000}" 'FILENAME == "sums" { s[$1, $2] = $3; next }
	    FILENAME == "want" { m[$1] = $3; n++; next }
	    !(($1, $2) in s) || m[$1] - s[$1, $2] > most || $3 - m[$1] > most ||
	    m[$1] - $3 > most { print; bad = 1; exit 1 } { n-- }
	    END { exit bad || n != 0 || most <= 0 || most > limit }' sums want private
}

# requests PROGRAM ARG ...: awk's answer; a request has day (1 to 7 in May), hour, host, path and
# status; page[1] to page[pages] are those of pages.txt, with their number in known[path]
requests() {
	local program=$1

	shift
	awk "$@" 'BEGIN { while ((getline path <"pages.txt") > 0) {
	    page[++pages] = path; known[path] = pages } }
	    { split(substr($4, 2), t, /[\/:]/); day = t[1] + 0; hour = t[4] + 0
	    host = $1; path = $7; status = $9 } '"$program" access.log
}

# hours RULE: each hour of the week, of n[day, hour]
hours() {
	requests "$1"' END { for (d = 1; d <= 7; d++) for (h = 0; h < 24; h++)
	    printf "2026-05-%02dT%02d:00:00Z\t%d\n", d, h, n[d, h] }' >want
}

# days RULE: each day, of n[day]; and RULE may be followed by what is done before
days() {
	requests "$1"' END { for (d = 1; d <= 7; d++)
	    printf "2026-05-%02dT00:00:00Z\t%d\n", d, n[d] }' >want
}

# sizes DAY ...: of the sizes of each day, within the range, three quantiles: the first value that a
# part of them, or more, does not exceed
sizes() {
	for day; do
		awk -v day="$day" 'substr($4, 2, 11) == day && $10 ~ /^[0-9]/ {
		    print ($10 < 1 ? 1 : $10 > 1e6 ? 1000000 : $10) }' access.log | sort -n |
		    awk '{ x[NR] = $1 } END { n = split(".5 .9", q, " ")
		    for (i = 1; i <= n; i++) { for (k = 1; k < q[i] * NR; k++)
			continue
		    printf "%s%d", (i > 1 ? " " : ""), x[k] }; print "" }'
	done
}
