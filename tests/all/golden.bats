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

@test "a line that differs is noticed, with its name and the line; recording it mends that" {
	cp -r "$BATS_TEST_DIRNAME/../golden" copy
	awk '/^= / { on = $2 == "dpcount-tree-T20" } on && /^ / { $0 = $0 "1"; on = 0 }
	    1' copy/expected >new
	cp new copy/expected
	export GOLDEN=$PWD/copy
	golden check 'dpcount-tree-T33' 'dpcount-exact-*'
	run golden check 'dpcount-tree-*'
	[ "$status" -eq 1 ]
	[[ $output == *'dpcount-tree-T20 differs'*'    - '*'    + '*' 1 differ' ]]
	golden record dpcount-tree-T20
	diff "$BATS_TEST_DIRNAME/../golden/expected" copy/expected
}
