# SPDX-License-Identifier: ISC
# What each mechanism and each tool owes.  Both are asked for: mechanisms of the registry
# (tests/unit/registry.c, a line "NAME TASK"), tools of the folder cmd/.  tests/unit/t_registry.c
# tests every mechanism, for every task.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

registry() {
	"$DP_BUILD/tests/unit/registry"
}

# offered TOOL: the mechanisms that its --help lists
offered() {
	"$1" --help=mechanisms | awk '/^[A-Z]/ { on = /^Mechanisms.*:$/; next } on && NF {
	    print $1 }' | sort -u
}

# none TEXT ...: nothing on standard input; else it is told what is missing
none() {
	! grep . >missing || {
		echo "$*:"
		cat missing
		return 1
	}
}

@test "every mechanism with noise has a law test and a neighbour test, for each of its tasks" {
	for s in "$DP_BUILD"/tests/law/s_*; do
		[[ ${s##*/} = *.* ]] || "$s" --covers
	done | sort -u >covered
	registry | sed '/^task /d; / exact$/d' >all
	[ "$(wc -l <all)" -ge 38 ]
	# a choice has no law; then the quantile of its loss is to be measured
	sed 's/ lawless$//' all >wanted
	sed -n 's/^\(.*\) lawless$/loss \1/p' all | sort -u | comm -23 - covered |
	    none 'no test of its loss'
	sed '/ lawless$/d; s/^/law /' all | sort -u | comm -23 - covered | none 'no law test'
	sed 's/^/neighbour /' wanted | sort -u | comm -23 - covered | none 'no neighbour test'
}

@test "every task has a law test and a neighbour test" {
	for s in "$DP_BUILD"/tests/law/s_*; do
		[[ ${s##*/} = *.* ]] || "$s" --covers
	done | awk '{ sub(/^loss/, "law"); print $1, $3 }' | sort -u >covered
	registry | sed -n 's/^task //p' | sed 'h; s/^/law /p; g; s/^/neighbour /' | sort -u |
	    comm -23 - covered | none 'no test'
}

@test "every mechanism is offered by a tool, and what tools offer there is" {
	registry | sed '/^task /d; s/ .*//' | sort -u >there
	for tool in $(filters); do
		offered "$tool"
	done | sort -u | diff there -
}

# paragraphs PAGE: the mechanisms that it has items of
paragraphs() {
	sed -n 's/^\.It Cm //p' "$TOP/man/$1" | tr -s ' ,' '\n' | sort -u
}

@test "every mechanism that a tool offers has a paragraph in its page, or its first tool's" {
	for tool in $(filters); do
		paragraphs "$tool.1" >"page.$tool"
	done
	sort -u page.* >pages
	paragraphs dputils-formulas.7 >formulas
	for tool in $(filters); do
		# its own
		"$tool" --help=mechanisms | awk '/^[A-Z]/ { on = /^Mechanisms:$/; next } on && NF {
		    print $1 }' | sort -u |
		    comm -23 - "page.$tool" | none "$tool(1) has no paragraph"
		offered "$tool" | comm -23 - pages | none "no page has a paragraph"
		offered "$tool" | comm -23 - formulas | none "dputils-formulas(7) has no paragraph"
	done
}

@test "every mechanism that a tool offers has a recorded case" {
	cut -f 2 "$TOP/tests/golden/commands" >commands
	for tool in $(filters); do
		offered "$tool" | awk -v tool="$tool" '
		    FILENAME == "commands" {
			if ($0 ~ "(^|[^a-z])" tool " ")
				for (i = 2; i <= NF; i++) if ($(i - 1) == "-M") met[$i]
			next }
		    !($1 in met) { print tool " -M " $1 }' commands -
	done | none 'no golden case'
}

# faulty: the files of lib/ that some fault is planted in, by the names that it edits
faulty() {
	sed -nE 's/^.*(fault|plant|faulty_tools?|at=)[ "]*([a-z]+\/[A-Za-z_0-9,]+(\.c)?).*/\2/p' \
	    "$TOP"/tests/fault/faults*.bats | sort -u >places
	(cd "$TOP/lib" && awk 'FNR == NR {
		split($0, part, "/")
		if (/\.c$/)
			print
		n = split(part[2], name, ",")
		for (i = 1; i <= n; i++)
			is[part[1], name[i]] = 1
		next
	}
	/^[A-Za-z_]/ {
		split(FILENAME, part, "/")
		s = $0
		while (match(s, /[A-Za-z_][A-Za-z_0-9]*/)) {
			if ((part[1], substr(s, RSTART, RLENGTH)) in is)
				print FILENAME
			s = substr(s, RSTART + RLENGTH)
		}
	}' "$OLDPWD/places" */*.c) | sort -u
}

@test "every mechanism's file has a planted fault; of a room of their own, some file of it" {
	faulty >faulty
	nm -A "$DP_BUILD"/lib/*/*.o |
	    sed -nE 's|^.*/lib/([^:]*)\.o:.* [DRdr] dp_[a-z_]+_(ops\|gen)$|\1.c|p' | sort -u >files
	[ "$(wc -l <files)" -ge 15 ]
	while read -r f; do
		case $f in
		counter/* | stat/* | sketch/* | paper/*) grep -qx "$f" faulty ;;
		*) grep -q "^${f%/*}/" faulty ;;
		esac || echo "$f"
	done <files | none 'no planted fault'
}

@test "planted faults become more, not fewer" {
	[ "$(cat "$TOP"/tests/fault/faults*.bats | grep -c '^@''test')" -ge 125 ]
}

@test "every tool has a page with examples of its own, and the README has it" {
	for tool in $(tools); do
		# tests/docs.bats runs them
		mandoc -Tascii "$TOP/man/$tool.1" | sed 's/.\x08//g' |
		    awk '/^[A-Z]/ { on = $0 == "EXAMPLES"; next } on' | grep -qE "\\$ .*|$tool "
		grep -q "$tool" "$TOP/README.md"
	done
}

@test "choices: what is chosen in some settings is what the tools say there" {
	sh "$TOP/tests/bench/choices.sh" 400 >table
	head -n 1 table | grep -xE '2[0-9] settings'
	awk 'NR > 2 { n += $4 } END { print n " settings" }' table | diff - <(head -n 1 table)
	best=$(dpcount -e .1 -d 1e-9 -T 1099511627776 --explain=json | jq -r .mechanism)
	grep -E "^dpcount +$best .* dpcount -e \.1 -d 1e-9 -T 1099511627776$" table
	grep -E '^dpcount +tree +[1-9][0-9]* +0 +-' table
}

@test "the table of the papers' systems: each mechanism is the tool's, and its tests know it" {
	awk '/^[.]Sh THE PAPERS/ { on = 1 } /^[.]Ed/ { on = 0 } on && /^  /' \
	    "$TOP/man/dputils-formulas.7" >whole
	# what is not whole says so
	! grep -vE '^  whole |^  none .* none: ' whole
	cut -c 42- whole >rows
	[ "$(wc -l <rows)" -ge 42 ]
	while read -r tool rest; do
		[[ $tool != none* ]] || continue
		tests=$(grep -oE '(law|unit|tool|all)/[a-z0-9_]+' <<<"$rest")
		[ -n "$tests" ]
		name=$(sed -n 's/.*-M \([a-z0-9-]*\).*/\1/p' <<<"$rest")
		[[ -z $name ]] || offered "$tool" | grep -qx "$name" ||
		    { echo "$tool $rest"; false; }
		for t in $tests; do
			cat "$TOP/tests/$t".{c,bats} 2>/dev/null >file || :
			grep -q -- "${name:-explain\|expire\|holistic}" file ||
			    { echo "$t: no $name"; false; }
		done
	done <rows
}
