#!/bin/sh
# SPDX-License-Identifier: ISC
# What no compiler checks.  usage: lint.sh CHECK ... [-C TOP]; prints FILE:LINE: WHAT for each
# offence, and then fails.
#
#	rooms	 an include of lib/ goes down the list of rooms or stays in its room;
#		 cmd/ stands above all; lib/explain does not ask for a tool's shape
#	open	 a name in a public header of a room is used in another room: what its own
#		 room alone uses is in lib/ROOM/internal.h
#	words	 no name ends in _MOST, no comment begins with ".."
#	columns	 no line of lib/, cmd/ and tests/ is longer than 100 columns, a tab going to
#		 the next multiple of 8
#	lengths	 no file of lib/ and cmd/ has more than 2000 lines: a file is an idea.  One of
#		 more than 1500, or a function of more than 80, is told of, and no offence
#	top	 nothing stands at the top but what is meant to
#	structs	 no struct or union of lib/ and cmd/ has more than 20 members; a
#		 struct in it is one of them
# shellcheck disable=SC2016,SC2317	# awk programs behind xargs; functions called by name
set -eu
top=$(dirname "$0")/..
checks=
while [ $# -gt 0 ]; do
	case $1 in
	-C) top=$2; shift ;;
	rooms | open | words | columns | lengths | structs | top) checks="$checks $1" ;;
	*) echo "lint.sh: no check named $1" >&2; exit 2 ;;
	esac
	shift
done
cd "$top"

# From the ground up.  Rooms of one line stand on one floor and may not include each other.
floors='base
random
law
account
counter
normtree paper
stat
sketch
job
input
chart
audit
store
api
explain
run'

rooms() {
	find lib cmd -name '*.[ch]' | sort | xargs awk -v floors="$floors" '
		BEGIN {
			n = split(floors, line, "\n")
			floor["cmd"] = n + 1
			for (i = 1; i <= n; i++) {
				k = split(line[i], name, " ")
				for (j = 1; j <= k; j++)
					floor[name[j]] = i
			}
		}
		FNR == 1 {
			split(FILENAME, part, "/")
			room = part[1] == "lib" ? part[2] : "cmd"
			if (!(room in floor)) {
				print FILENAME ":1: a room that is not on the list"
				bad = 1
			}
		}
		room == "explain" && /DP_SHAPE_|->shape/ {
			print FILENAME ":" FNR ": what is said goes by no shape of a step"
			bad = 1
		}
		/^[ \t]*#[ \t]*include[ \t]*"/ {
			split($0, quoted, "\"")
			from = quoted[2]
			if (from ~ /^\.\.?\//) {
				print FILENAME ":" FNR ": " from " is no path from lib/"
				bad = 1
			}
			if (from !~ /\// || from ~ /^\./)
				next
			sub(/\/.*/, "", from)
			if (from == room)
				next
			if (!(from in floor) || floor[from] >= floor[room]) {
				print FILENAME ":" FNR ": " room " may not include " quoted[2]
				bad = 1
			}
		}
		END { exit bad }'
}

sources() {
	find lib cmd tests -name '*.[ch]' -o -name '*.cc' -o -name '*.sh' -o \
	    -name '*.ba[st][hs]' -o -name '*.awk' | sort
}

words() {
	sources | grep -vE '^tests/(all/)?lint\.' | xargs awk '
		/[A-Za-z0-9]_MOST([^A-Za-z0-9_]|$)/ {
			print FILENAME ":" FNR ": _MOST, say _MAX"
			bad = 1
		}
		/(\/\*|\/\/|^[ \t]*#|^[ \t]*\*)[ \t]*\.\.+[ \t]+[A-Za-z]/ {
			print FILENAME ":" FNR ": a comment that begins with \"..\""
			bad = 1
		}
		END { exit bad }'
}

columns() {
	sources | xargs awk '
		length > 12 {
			n = 0
			rest = $0
			while ((at = index(rest, "\t")) > 0) {
				n += at - 1
				n += 8 - n % 8
				rest = substr(rest, at + 1)
			}
			n += length(rest)
			if (n > 100) {
				print FILENAME ":" FNR ": " n " columns"
				bad = 1
			}
		}
		END { exit bad }'
}

lengths() {
	find lib cmd -name '*.[ch]' | sort | xargs awk '
		FNR == 1501 { print FILENAME ":" FNR ": warning: more than 1500 lines" }
		FNR == 2001 {
			print FILENAME ":" FNR ": more than 2000 lines"
			bad = 1
		}
		/^\{$/ { begin = FNR }
		/^\}$/ && begin {
			if (FNR - begin > 80)
				print FILENAME ":" begin ": warning: a function of " \
				    FNR - begin - 1 " lines"
			begin = 0
		}
		END { exit bad }'
}

# A header of a room that is not internal.h is public; a name in it that stands there twice is used
# by another name of it.
open_() {
	find lib cmd -name '*.[ch]' | sort | xargs awk '
		FNR == 1 {
			split(FILENAME, part, "/")
			room = part[1] == "lib" ? part[2] : "cmd"
			public = room != "cmd" && FILENAME ~ /\.h$/ && FILENAME !~ /\/internal\.h$/
			comment = 0
		}
		{
			s = $0
			if (comment && !sub(/^.*\*\//, "", s))
				next
			comment = 0
			gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", s)
			if (sub(/\/\*.*/, "", s))
				comment = 1
			gsub(/"([^"\\]|\\.)*"/, "", s)
			while (match(s, /[A-Za-z_][A-Za-z_0-9]*/)) {
				name = substr(s, RSTART, RLENGTH)
				s = substr(s, RSTART + RLENGTH)
				if (name !~ /^(dp|audit)_/)
					continue
				if (public) {
					times[name]++
					if (s ~ /^\(/ && !(name in home)) {
						home[name] = room
						at[name] = FILENAME ":" FNR
					}
				}
				if (!((name, room) in uses)) {
					uses[name, room] = 1
					rooms[name]++
				}
			}
		}
		END {
			for (name in home)
				if (rooms[name] == 1 && times[name] == 1) {
					print at[name] ": " name " is used in its own room alone"
					bad = 1
				}
			exit bad
		}'
}

# A name more is a file that somebody forgot, or an idea that belongs in one of the folders.
top() {
	bad=0
	for name in * .[!.]*; do
		case $name in
		cmd | lib | man | tests | Makefile | README.md | CHANGELOG.md | LICENSE) ;;
		BSDmakefile | CONTRIBUTING.md | SECURITY.md) ;;
		.ci | .git | .gitignore | .clang-format) ;;
		build | build-* | config.mk | .nra.cache | '*' | '.[!.]*') ;;	# ignored, or none
		*)
			echo "$name:1: a name that nobody expects at the top"
			bad=1
			;;
		esac
	done
	return "$bad"
}

# Members: names that end at "," or ";" between the braces, but for those in parentheses.
structs() {
	find lib cmd -name '*.[ch]' | sort | xargs awk '
		FNR == 1 {
			depth = round = comment = 0
			before = ""
		}
		!comment && !depth && !/struct|union/ && !/\/\*/ {
			before = ""
			next
		}
		{
			gsub(/"([^"\\]|\\.)*"|\047([^\047\\]|\\.)+\047/, "0")
			if (comment && !sub(/^.*\*\//, ""))
				next
			comment = 0
			gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ")
			if (sub(/\/\*.*/, ""))
				comment = 1
			n = split($0, letter, "")
			for (i = 1; i <= n; i++) {
				c = letter[i]
				if (c == "{") {
					is[++depth] = before ~ \
					    /(^|[^a-z_])(struct|union)[ \t]*[a-z_0-9]*[ \t]*$/
					members[depth] = 0
					first[depth] = FNR
					before = ""
				} else if (c == "}" && depth) {
					if (is[depth] && members[depth] > 20) {
						print FILENAME ":" first[depth] ": a struct of " \
						    members[depth] " members"
						bad = 1
					}
					depth--
					before = ""
				} else if (c == "(")
					round++
				else if (c == ")")
					round--
				else if ((c == "," || c == ";") && !round) {
					members[depth]++
					before = ""
				} else
					before = before c
			}
			before = before " "
		}
		END { exit bad }'
}

status=0
for check in $checks; do
	case $check in
	open) open_ ;;
	*) $check ;;
	esac || status=1
done
exit $status
