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

# exported TEXT: all that the rooms of its files define
exported() {
	{ grep -oE 'lib/[a-z]+' <<<"$1" || :; } | sort -u | while read -r room; do
		nm -g --defined-only "$DP_BUILD/$room"/*.o | awk 'NF == 3 { print $3 }'
	done
}

@test "hypotheses are kept by functions that are there, and each row's tests call their rooms" {
	grep -E '^\| `' "$TOP/tests/proof/README.md" | sed 's/\\|/ /g' >rows
	[ "$(wc -l <rows)" -ge 15 ]
	while IFS='|' read -r _ theorem _ kept tests _; do
		[[ $kept = *[a-z]* && $kept != *'the same'* ]] || continue
		exported "$kept" | sort -u >exports
		grep -oE '`[a-z_]+\(\)`' <<<"$kept" | tr -d '`()' >functions || :
		while read -r f; do
			grep -rqE "^($f|.*[ *]$f)\(" "$TOP/lib" || { echo "$theorem $f"; false; }
		done <functions
		for t in $(grep -oE '(unit/t|law/s)_[a-z_0-9]+' <<<"$tests"); do
			nm -u "$DP_BUILD/tests/$t.o" | awk '{ print $2 }' | sort -u >calls
			comm -12 exports calls | grep -q . || { echo "$theorem $t"; false; }
		done
		# one that is exported is of those rooms
		grep -E '^(dp|audit)_' functions | while read -r f; do
			grep -qx "$f" exports || { echo "$theorem: $f is elsewhere"; false; }
		done
	done <rows
}

@test "each proof on paper has a statement that names it, and tests that call the room of it" {
	grep -E '^\| [a-z-]+\.md: ' "$TOP/tests/proof/README.md" >rows
	[ "$(wc -l <rows)" -ge 35 ]
	while IFS='|' read -r _ proof header tests _; do
		read -r header <<<"$header"
		file=${proof%%:*} title=${proof#*: }
		file=${file# } title=${title% }
		echo "$title: $file, $header"
		grep -qxF "## $title" "$TOP/tests/proof/$file"
		grep -qF "tests/proof/$file" "$TOP/$header"
		grep -qF "\`$header\`" "$TOP/tests/proof/$file"
		exported "$header" | sort -u >exports
		# one of them at the least, through the room's own names
		for t in $(grep -oE '(unit/t|law/s)_[a-z_0-9]+' <<<"$tests"); do
			nm -u "$DP_BUILD/tests/$t.o"
		done | awk '{ print $2 }' | sort -u >calls
		comm -12 exports calls | grep -q .
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
