# SPDX-License-Identifier: ISC
# tests/run.sh counts what passes and what fails, in a house of its own with programs that are one
# line of sh.
load ../lib/helper

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p tests/all tests/lib tests/fuzz/corpus b/tests/law b/tests/unit b/tests/fuzz
	cp "$BATS_TEST_DIRNAME/../run.sh" tests
	printf '@''test "good" {\n	true\n}\n' >tests/all/a.bats
	program b/tests/law/s_a true
	program b/tests/unit/t_a true
	program b/tests/fuzz/f_a 'test $# -eq 2'
	mkdir tests/fuzz/corpus/f_a
	touch tests/fuzz/corpus/f_a/1 tests/fuzz/corpus/f_a/2
}

# program FILE TEXT
program() {
	printf '#!/bin/sh\n%s\n' "$2" >"$1"
	chmod +x "$1"
}

# A suite of its own, not a part of this one
suite() {
	env -i HOME="$HOME" PATH="$(tr : '\n' <<<"$PATH" | grep -v /bats-core |
	    paste -s -d :)" TMPDIR="$PWD" DP_BUILD="$PWD/b" sh tests/run.sh
}

@test "all pass" {
	run -0 suite
	[ "${lines[-1]}" = '4 passed, 0 failed' ]
	# on what
	. /etc/os-release
	[[ ${lines[-2]} = "# on $PRETTY_NAME, glibc "[2-9]*", Bats $BATS_VERSION, jq"* ]]
}

@test "no terminal to be had: what needs one is skipped" {
	cp "$BATS_TEST_DIRNAME/../lib/helper.bash" tests/lib
	mkdir bin
	cp -r "$BATS_TEST_DIRNAME/../../cmd" .
	program bin/script 'echo "script: failed to create pseudo-terminal" >&2; exit 1'
	printf 'load ../lib/helper\n@''test "typed" {\n	terminal\n	false\n}\n' \
	    >tests/all/a.bats
	PATH=$PWD/bin:$PATH run -0 suite
	[[ $output = *'ok 1 typed # skip no terminal to be had'* ]]
	program bin/script 'exit 0'
	PATH=$PWD/bin:$PATH run -1 suite
	[[ $output = *'not ok 1 typed'* ]]
}

@test "a program, a bats test and a fuzzer that fail" {
	program b/tests/unit/t_a 'echo why; exit 1'
	printf '@''test "bad" {\n	false\n}\n' >>tests/all/a.bats
	program b/tests/fuzz/f_a 'exit 99'
	run -1 suite
	[ "${lines[-1]}" = '2 passed, 3 failed' ]
	[[ $output = *'not ok t_a'*'# why'* ]]
	[[ $output = *'a: not ok 2 bad'* ]]
	[[ $output = *'not ok f_a'* ]]
}

@test "a fuzzer without a corpus fails" {
	program b/tests/fuzz/f_b true
	run -1 suite
	[[ $output = *$'not ok f_b\n# no corpus'* ]]
	[ "${lines[-1]}" = '4 passed, 1 failed' ]
	mkdir tests/fuzz/corpus/f_b
	run -1 suite
	[ "${lines[-1]}" = '4 passed, 1 failed' ]
}

@test "a bats file that bats cannot read, and one without a test, fail" {
	printf 'load nothing\n@''test "good" {\n	true\n}\n' >tests/all/b.bats
	run -1 suite
	[[ ${lines[-1]} = '4 passed, '[1-9]' failed' ]]
	echo 'if' >tests/all/b.bats
	run -1 suite
	[ "${lines[-1]}" = '4 passed, 1 failed' ]
}

@test "SKIP and ONLY: each test is in one of two" {
	env SKIP='s_*' bash -c "$(declare -f suite | sed 's/env -i/& SKIP="$SKIP"/'); suite" >skip
	env ONLY='s_*' bash -c "$(declare -f suite | sed 's/env -i/& ONLY="$ONLY"/'); suite" >only
	[ "$(tail -n 1 skip)" = '3 passed, 0 failed' ]
	[ "$(tail -n 1 only)" = '1 passed, 0 failed' ]
}

@test "starts: how many processes a program, a bats file and each of its tests start" {
	user=
	[ "$(id -u)" = 0 ] || user=-r
	# shellcheck disable=SC2086
	unshare $user -pf --mount-proc true 2>/dev/null || skip 'no processes of their own here'
	cp "$BATS_TEST_DIRNAME/../starts.sh" tests
	cp "$BATS_TEST_DIRNAME/../lib/helper.bash" tests/lib
	program b/tests/unit/t_b 'i=0; while [ $i -lt 40 ]; do /bin/true; i=$((i + 1)); done'
	{
		echo 'load ../lib/helper'
		printf '@''test "%s" {\n	for i in {1..%d}; do /bin/true; done\n}\n' \
		    one 1 ten 10
	} >tests/all/a.bats
	env -i HOME="$HOME" PATH="$(tr : '\n' <<<"$PATH" | grep -v /bats-core | paste -s -d :)" \
	    DP_BUILD="$PWD/b" sh tests/starts.sh out b/tests/unit/t_a b/tests/unit/t_b \
	    tests/all/a.bats >said
	cat said out.tests
	awk '{ n[$3] = $1 } END { exit !(n["t_b"] - n["t_a"] == 40 && n["a.bats"] > 11) }' said
	awk '{ n[$3] = $1 } END { exit n["ten"] - n["one"] != 9 }' out.tests
	tail -n 1 said | grep -xE \
	    '[0-9]+ starts and [0-9]+ s of processors: 0[.][0-9] minutes at 10 ms a start'
}

# stages TEST FAULTS [CHECK [LINT]]: a Makefile of them
stages() {
	printf 'test:\n\t%s\nfaults:\n\t%s\ncheck:\n\t%s\nlint:\n\t%s\n' "$1" "$2" \
	    "${3-false}" "${4-true}" >ci/Makefile
}

@test "continuous integration: all stages count, and each may fail" {
	mkdir -p ci/.ci ci/tests
	cp "$BATS_TEST_DIRNAME/../../.ci/run" ci/.ci
	cp -r "$BATS_TEST_DIRNAME/../fault" "$BATS_TEST_DIRNAME/../tool" ci/tests
	export DAY=5
	stages '@echo "7 passed, 0 failed"' '@echo "5 passed, 0 failed"'
	run -0 sh ci/.ci/run
	[ "${lines[-1]}" = '13 passed, 0 failed' ]
	sed -i 's/5 passed, 0/4 passed, 1/' ci/Makefile
	run -1 sh ci/.ci/run
	[ "${lines[-1]}" = '12 passed, 1 failed' ]
	stages '@echo "7 passed, 0 failed"' false
	run -1 sh ci/.ci/run
	[ "${lines[-1]}" = '8 passed, 0 failed' ]
	stages '@echo "7 passed, 0 failed"' '@echo "1 passed, 0 failed"' false '@echo bad; false'
	run -1 sh ci/.ci/run
	[ "${lines[-1]}" = '8 passed, 1 failed' ]
	[[ $output = *$'\nbad\n'* ]]
	stages '@echo "7 passed, 0 failed"; exit 3' '@echo "1 passed, 0 failed"'
	run -1 sh ci/.ci/run
	# each file of faults on one day; or what make check-all has besides
	stages '@echo "7 passed, 0 failed"' \
	    '@echo $$FAULTS >>../planted; echo "1 passed, 0 failed"' \
	    '@echo $$HEAVY $$ONLY >../heavy; echo "2 passed, 0 failed"'
	for DAY in {2600..2611}; do
		run -0 sh ci/.ci/run
	done
	HEAVY=1 run -0 sh ci/.ci/run
	[ "${lines[-1]}" = '10 passed, 0 failed' ]
	[ "$(wc -l <planted)" = 12 ]
	tr ' ' '\n' <planted | sort | diff - <(cd ci/tests/fault && printf '%s\n' *.bats | sort)
	grep '^1 .*shards.bats' heavy
}
