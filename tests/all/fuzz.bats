# SPDX-License-Identifier: ISC
# make fuzz, in a house of its own with one target and what it needs of the library.
load ../lib/helper

setup() {
	set +T
	local top=$BATS_TEST_DIRNAME/../.. f

	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p lib tests/fuzz/corpus
	cp "$top/Makefile" .
	cp "$top/tests/fuzz.sh" "$top/tests/deps.sh" tests
	cp "$top/tests/fuzz/"{f_json.c,jsonref.h,target.h,replay.h} tests/fuzz
	cp -r "$top/tests/fuzz/corpus/f_json" tests/fuzz/corpus
	(cd "$top" && cp --parents lib/*/*.h "$OLDPWD")
	for f in input/json base/buf base/text base/os; do
		cp "$top/lib/$f.c" "lib/$f.c"
	done
}

# The outer make's options are not this one's
fuzz() {
	env -u MAKEFLAGS -u MAKELEVEL make fuzz TIME=1 "$@"
}

needs_clang() {
	heavy clang
	sh tests/fuzz.sh --needs clang 2>/dev/null || skip 'no clang with libFuzzer'
}

@test "a target is driven from its corpus; a crash is a failure, and its input is kept" {
	needs_clang
	run -0 fuzz ONLY=f_json
	# executions, seconds, a second, edges, features, inputs, found
	[[ ${lines[-2]} =~ ^f_json(\ +[1-9][0-9]*){6}\ +0$ ]]
	[[ ${lines[-1]} =~ ^all(\ +[1-9][0-9]*){3}\ +0$ ]]
	grep -q 'seed corpus: files: 1' build/fuzz/f_json.log
	# a NUL in a string is a byte like others
	sed -i "s/, \['.0'\] = true }/ }/" lib/input/json.c
	rm build/fuzz/lib/input/json.o
	run -2 fuzz
	[[ $output = *'f_json: STOPPED: see build/fuzz/f_json.log'* ]]
	[[ $output =~ $'\n'f_json\ .*\ 1$'\n' ]]
	compgen -G 'build/fuzz/found/f_json-crash-*'
	# of both runs
	run -0 sh tests/fuzz.sh --table build/fuzz/figures
	[[ ${#lines[@]} -eq 3 && ${lines[-1]} =~ ^all\ .*\ 1$ ]]
}

@test "mutants of a corpus, without a fuzzer: a fault is found, its input kept, and found again" {
	unset MAKEFLAGS MAKELEVEL
	rm tests/fuzz/corpus/f_json/*
	printf '{"a":"bc","d":[1,{"e":null}]}' >tests/fuzz/corpus/f_json/1
	make -s mutants ONLY=f_json N=2000 >said
	[[ $(<said) = *'f_json: 2000 mutants' ]]
	[ ! -e mutant ]
	sed -i "s/, \['.0'\] = true }/ }/" lib/input/json.c
	run -2 make -s mutants ONLY=f_json N=20000
	echo "$output"
	[[ $output != *mutants ]]
	[ -s mutant ]
	run -134 build/tests/fuzz/f_json mutant
	fails 2 build/tests/fuzz/f_json --mutants=9x mutant
}

@test "no target of that name" {
	needs_clang
	run -2 fuzz ONLY=f_none
	[[ $output = *f_none* ]]
}

@test "without clang, or without its libraries, it says what to install" {
	run -2 fuzz CLANG=/none/clang
	[[ $output = *'make fuzz: needs clang '*'apt-get install clang libclang-rt-dev'* ]]
	printf '#!/bin/sh\n[ "$1" = -dumpversion ] && echo 17.0.6\n' >clang
	chmod +x clang
	run -2 fuzz CLANG=./clang
	[[ $output = *'apt-get install clang-17 libclang-rt-17-dev'* ]]
}
