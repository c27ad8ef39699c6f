#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# tests/proof: Coq accepts each proof, and would not accept what is none.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

setup_file() {
	bats_require_minimum_version 1.5.0
}

@test "every theorem is proved, from the axioms of the real numbers alone" {
	heavy coqc
	run -0 sh "$TOP/tests/proof.sh" "$PWD/out"
	[[ $output == *NormTree.norm_tree_private* ]]
}

@test "what is assumed, admitted or false is not proved" {
	heavy coqc
	echo 'Axiom a : False. Theorem t : 1 = 2. Proof. destruct a. Qed.' >Assumed.v
	echo 'Theorem t : 1 = 2. Proof. Admitted.' >Admitted.v
	echo 'Theorem t : 1 = 2. Proof. reflexivity. Qed.' >Wrong.v
	for f in Assumed Admitted Wrong; do
		run -1 sh "$TOP/tests/proof.sh" "$PWD/$f" "$PWD/$f.v"
	done
}

@test "the certificate's inequality is needed: with a share too small the proof fails" {
	heavy coqc
	# the path's shares, less what one of its nodes may move by
	sed 's/=> e + Rmax (path pl) (path pr)/=> Rmax (path pl) (path pr)/' \
	    "$TOP/tests/proof/NormTree.v" >NormTree.v
	! cmp -s "$TOP/tests/proof/NormTree.v" NormTree.v
	run -1 sh "$TOP/tests/proof.sh" "$PWD/out" "$PWD/NormTree.v"
}

# needed FILE EDIT: with it, the file's proofs fail
needed() {
	sed "$2" "$TOP/tests/proof/$1" >"$1"
	! cmp -s "$TOP/tests/proof/$1" "$1"
	run -1 sh "$TOP/tests/proof.sh" "$PWD/out" "$PWD/$1"
}

@test "what choices, looks and moves that are apart pay cannot be less: then the proofs fail" {
	heavy coqc
	needed Range.v 's|let p := (1 - exp (t - c))|let p := (1 - exp (t - c - c))|'
	needed Looks.v 's|false, true => (1 + G) / (1 - g)|false, true => (1 + g * G) / (1 - g)|'
	needed Spaced.v 's|(s i + B <= s (S i))|(s i <= s (S i))|'
}

@test "the page names each theorem, and files that are there" {
	sed -nE 's/^[[:space:]]*(Theorem|Corollary) ([A-Za-z_0-9]+).*/\2/p' \
	    "$TOP"/tests/proof/*.v >theorems
	[ "$(wc -l <theorems)" -ge 20 ]
	while read -r name; do
		grep -qE "[.]$name\`" "$TOP/tests/proof/README.md" || { echo "$name"; false; }
	done <theorems
	grep -oE '\b(unit/t_|law/s_)[a-z_0-9]+\.c|\ball/[a-z]+\.bats' \
	    "$TOP/tests/proof/README.md" >files
	while read -r file; do
		[ -s "$TOP/tests/$file" ] || { echo "$file"; false; }
	done <files
}

# What the rooms define, ROOM NAME, to defined, and what the tests call, TEST NAME, to called
symbols() {
	(cd "$DP_BUILD" && nm -A -g --defined-only lib/*/*.o) |
	    sed -nE 's|^(lib/[a-z]+)/.* ([^ ]+)$|\1 \2|p' >defined
	(cd "$DP_BUILD/tests" && nm -A -u unit/t_*.o law/s_*.o) |
	    sed -nE 's|^([^.]+)[.]o: +U ([^ ]+)$|\1 \2|p' >called
}

# calls ROOMS TESTS: one of the tests, or with each=1 all, call what the rooms define
calls() {
	awk -v rooms="$1" -v tests="$2" -v each="${each-}" 'BEGIN {
		for (n = split(rooms, r, " "); n > 0; n--) room[r[n]]
		for (n = split(tests, r, " "); n > 0; n--) test[r[n]] }
	    FILENAME == "defined" { if ($1 in room) name[$2]; next }
	    $1 in test && $2 in name { does[$1] }
	    END { for (t in test) if (t in does) some = 1
		for (t in test) if (each && !(t in does)) { print t; bad = 1 }
		exit bad || !some }' defined called
}

# found REGEX TEXT: what is such in the text, a blank between
found() {
	local text=$2

	while [[ $text =~ $1 ]]; do
		printf '%s ' "${BASH_REMATCH[0]}"
		text=${text#*"${BASH_REMATCH[0]}"}
	done
}

@test "hypotheses are kept by functions that are there, and each row's tests call their rooms" {
	grep -E '^\| `' "$TOP/tests/proof/README.md" | sed 's/\\|/ /g' >rows
	[ "$(wc -l <rows)" -ge 15 ]
	symbols
	defined=$'\n'$(<defined)$'\n'
	while IFS='|' read -r _ theorem _ kept tests _; do
		[[ $kept = *[a-z]* && $kept != *'the same'* ]] || continue
		rooms=$(found 'lib/[a-z]+' "$kept")
		for f in $(found '`[a-z_]+\(\)`' "$kept"); do
			f=${f//[\`()]/}
			grep -rqE "^($f|.*[ *]$f)\(" "$TOP/lib" || { echo "$theorem $f"; false; }
			# one that is exported is of those rooms
			[[ $f != @(dp|audit)_* ]] || {
				for room in $rooms; do
					[[ $defined != *$'\n'"$room $f"$'\n'* ]] || continue 2
				done
				echo "$theorem: $f is elsewhere"
				false
			}
		done
		each=1 calls "$rooms" "$(found '(unit/t|law/s)_[a-z_0-9]+' "$tests")" ||
		    { echo "$theorem"; false; }
	done <rows
}

@test "each proof on paper has a statement that names it, and tests that call the room of it" {
	grep -E '^\| [a-z-]+\.md: ' "$TOP/tests/proof/README.md" >rows
	[ "$(wc -l <rows)" -ge 35 ]
	symbols
	while IFS='|' read -r _ proof header tests _; do
		read -r header <<<"$header"
		file=${proof%%:*} title=${proof#*: }
		file=${file# } title=${title% }
		echo "$title: $file, $header"
		grep -qxF "## $title" "$TOP/tests/proof/$file"
		grep -qF "tests/proof/$file" "$TOP/$header"
		grep -qF "\`$header\`" "$TOP/tests/proof/$file"
		# one of them at the least, through the room's own names
		calls "$(found 'lib/[a-z]+' "$header")" \
		    "$(found '(unit/t|law/s)_[a-z_0-9]+' "$tests")"
	done <rows
	# and each that stands in a file is in the list
	for file in "$TOP"/tests/proof/*.md; do
		[[ $file == */README.md ]] || sed -n 's/^## //p' "$file"
	done >titles
	while read -r title; do
		echo "$title"
		grep -qF ": $title |" rows
	done <titles
}
