# SPDX-License-Identifier: ISC
# Output with a seed, and exact output, is byte for byte what it was when tests/golden/expected was
# recorded; how to record it anew stands in tests/golden.sh.
load ../lib/helper

golden() {
	sh "$BATS_TEST_DIRNAME/../golden.sh" "$@"
}

@test "the tools print what they printed" {
	golden check
}

@test "every case has a name of its own, begins with its tool or its noise, and was recorded" {
	cut -f 1 "$BATS_TEST_DIRNAME/../golden/commands" | sed '/^#/d; /^$/d' >names
	[ -z "$(sort names | uniq -d)" ]
	run -1 grep -vE "^($(tools | paste -s -d '|')|gauss|blt)-[a-zA-Z0-9.:_=-]+\$" names
	sed -n 's/^= \([^ ,]*\).*/\1/p' "$BATS_TEST_DIRNAME/../golden/expected" | diff -u names -
}

@test "a line, a message and a status that differ are noticed; recording mends that" {
	cp -r "$BATS_TEST_DIRNAME/../golden" copy
	awk '/^= / { on = $2 == "dpcount-tree-T20" ? " " : $2 == "dpcount-tree-T1" ? "!" : ""
		if (/^= dpcount-output-full/)
			$0 = $0 "27" }
	    on != "" && substr($0, 1, 1) == on { $0 = $0 "1"; on = "" }
	    1' copy/expected >new
	cp new copy/expected
	export GOLDEN=$PWD/copy
	golden check 'dpcount-tree-T64' 'dpcount-exact-*'
	run golden check 'dpcount-tree-*' 'dpcount-output-*'
	[ "$status" -eq 1 ]
	[[ $output == *'dpcount-output-full differs'*'    -= '*' 127'*'    += '*' 1'* ]]
	[[ $output == *'dpcount-tree-T20 differs'*'    - '*'    + '* ]]
	[[ $output == *'dpcount-tree-T1 differs'*'    -!dpcount: '*'    +!dpcount: '*' 3 differ' ]]
	golden record dpcount-tree-T20 dpcount-tree-T1 dpcount-output-full
	diff "$BATS_TEST_DIRNAME/../golden/expected" copy/expected
}
