#!/bin/sh
# SPDX-License-Identifier: ISC
# What the tools printed before: tests/golden/commands has one case a line, a name, a tab, and a
# command for sh, and tests/golden/expected what each printed: its exit status if that was not 0,
# then standard output, then standard error in lines that begin with "!".  All lines, or of a long
# output its hash and the lines 1, 4, 16, .. and the last.  With the tools in PATH:
#
#	sh tests/golden.sh check [PATTERN ...]	# cases whose names match a pattern of sh, or all
#	sh tests/golden.sh record [PATTERN ...]	# write those anew; the others stay as they are
#
# A command may use new, each and parts (below).  Names start with the tool; but those of Gaussian
# noise with gauss- or blt-, if they are not dpdecay's.  A case may write the files s and s.*,
# which are gone before the next.  What it prints must not depend on the clock, a process number or
# the place.
set -u
export LC_ALL=C TZ=UTC
tab=$(printf '\t')
dir=${GOLDEN:-$(cd "$(dirname "$0")" && pwd)/golden}
what=${1-}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- '*'

# wanted NAME PATTERN ..: matches one of them
wanted() {
	name=$1
	shift
	for p; do
		# shellcheck disable=SC2254
		case $name in $p) return 0 ;; esac
	done
	return 1
}

# new ARG ..: arguments for the run that makes the state file, none for those after it
new() {
	[ -e s ] || echo "--init $*"
}

# each COMMAND ARGUMENTS ..: a run with each of those, words of sh; standard error has its status if
# that was not 0
each() {
	command=$1
	shift
	for arguments; do
		eval "$command $arguments" || echo "status $?" >&2
	done
}

# parts "LINES ..." FILE COMMAND INIT [ARG ..]: the command with a state, for each of these numbers
# with so many lines of the file, which stay for other cases; --init and INIT the first time alone
parts() {
	lines=$1
	file=$2
	command=$3
	arguments="--init $4"
	shift 4
	for n in $lines; do
		[ -e "$file.$n" ] || head -n "$n" "$file" >"$file.$n"
		eval "$command $arguments $*" <"$file.$n"
		arguments=
	done
}

# Runs the cases, each output to files of its name in $tmp/out and $tmp/err; their names to
# $tmp/names, with the status
run_cases() {
	mkdir "$tmp/in" "$tmp/out" "$tmp/err"
	cd "$tmp/in" || exit
	awk -f "$dir/inputs.awk" || exit
	while IFS=$tab read -r name command; do
		case $name in '' | '#'*) continue ;; esac
		wanted "$name" "$@" || continue
		[ ! -e s ] || rm -f s s.*
		status=0
		case $command in
		*[\;\&\(\{\`\$]*)	# a shell of its own
			(eval "$command") >"$tmp/out/$name" 2>"$tmp/err/$name" </dev/null ||
			    status=$?
			;;
		*)
			eval "$command" >"$tmp/out/$name" 2>"$tmp/err/$name" </dev/null ||
			    status=$?
			;;
		esac
		printf '%s\t%s\n' "$name" $status
	done <"$dir/commands" >"$tmp/names"
	[ -s "$tmp/names" ]
}

# The outputs in the form of expected
form() {
	cd "$tmp" || exit
	cut -f 1 names | sed 's,.*,out/&\nerr/&,' | xargs sha256sum >sums
	awk -v most=24 '
		# heading NAME: what is said of a long output, after the name; then its lines
		function heading(file,   s) {
			for (n = n2 = 0; (getline s <file) > 0; ) {
				n++
				if (n <= most)
					line[n] = s
				if (n == 1 || n == 4 * power[n2]) {
					power[++n2] = n
					sample[n2] = s
				}
				last = s
			}
			close(file)
			return n <= most ? "" : n " lines, sha256 " substr(sum[file], 1, 24)
		}
		function lines(mark,   i) {
			for (i = 1; n <= most && i <= n; i++)
				print mark line[i]
			for (i = 1; n > most && i <= n2; i++)
				print mark "line " power[i] ": " sample[i]
			if (n > most && power[n2] != n)
				print mark "line " n ": " last
		}
		FILENAME == "sums" { sum[$2] = $1; next }
		{
			long = heading("out/" $1)
			print "= " $1 ($2 == 0 ? "" : ", status " $2) (long == "" ? "" : ", " long)
			lines(" ")
			long = heading("err/" $1)
			if (long != "")
				print "! " long
			lines("!")
		}' sums names
}

# part NAME FILE: what the file has for that case
part() {
	awk -v name="$1" '/^= / { on = $2 == name || $2 == name "," } on' "$2"
}

# Compares: of every case that differs its command and a diff, of the first ten at least; the other
# names
check() {
	awk '/^= / { sub(/,$/, "", $2); name = $2 }
		NR == FNR { old[name] = old[name] $0 "\n"; next }
		{ new[name] = new[name] $0 "\n" }
		END { for (name in new) if (new[name] != old[name]) print name }' \
	    "$dir/expected" "$tmp/got" | sort >"$tmp/differ"
	while read -r name; do
		shown=$((${shown-0} + 1))
		echo "$name differs"
		[ $shown -le 10 ] || continue
		awk -F '\t' -v name="$name" '$1 == name { print "  " $2 }' "$dir/commands"
		part "$name" "$dir/expected" >"$tmp/want1"
		part "$name" "$tmp/got" >"$tmp/got1"
		diff -U 1 "$tmp/want1" "$tmp/got1" | sed -e 1,2d -e 's/^/    /' -e 15q
	done <"$tmp/differ"
	echo "$(wc -l <"$tmp/names") cases, $(wc -l <"$tmp/differ") differ"
	[ ! -s "$tmp/differ" ]
}

# Cases that ran replace those in expected; cases that are in commands no more go.
record() {
	[ -e "$dir/expected" ] || : >"$dir/expected"
	awk -F '\t' '/^= / { split($0, w, /[ ,]+/); name = w[2]; now = FILENAME }
		FILENAME ~ /commands$/ { if ($1 !~ /^(#|$)/) order[++n] = $1; next }
		!(name in from) || from[name] != now { from[name] = now; text[name] = "" }
		{ text[name] = text[name] $0 "\n" }
		END { for (i = 1; i <= n; i++) printf "%s", text[order[i]] }' \
	    "$dir/commands" "$dir/expected" "$tmp/got" >"$tmp/new" &&
	    cat "$tmp/new" >"$dir/expected"
}

case $what in
check | record) ;;
*)
	echo "usage: $0 check|record [PATTERN ...]" >&2
	exit 2
	;;
esac
command -v dpcount >/dev/null || {
	echo "$0: the tools are not in PATH" >&2
	exit 2
}
# in memory where that can be: state files are synced, which takes most of the time on a disk
tmp=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$tmp"' EXIT
run_cases "$@" || {
	echo "no such case: $*"
	exit 1
}
form >"$tmp/got" && "$what"
