#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# dputils-security(7): the tests that it names are there, and its two promises about builds.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

@test "each promise of the page names tests that are there" {
	sed -n 's/^\.Dl //p' "$TOP/man/dputils-security.7" >named
	[ "$(wc -l <named)" -ge 20 ]
	while read -r line; do
		file=${line%%: *}
		[ -s "$TOP/tests/$file" ] || { echo "no $file"; false; }
		[[ $line != *': '* ]] || grep -qF "@test \"${line#*: }\" {" "$TOP/tests/$file" ||
		    { echo "no such test: $line"; false; }
	done <named
}

@test "each promise has a test" {
	awk '/^\.Sh /{ on = $2 == "PROMISES" } !on { next }
	    /^\.It /{ if (it != "" && !tests) { print it; bad = 1 } it = $0; tests = 0 }
	    /^\.Dl /{ tests = 1 }
	    END { exit bad || it == "" || !tests }' "$TOP/man/dputils-security.7"
}

@test "README: the three commands of who trusts no author" {
	sed -n '/^Three commands check/,/^$/p' "$TOP/README.md" | tr '\n' ' ' |
	    grep -oE '`(make|dpaudit) [^`]*`' | tr -d '`' >three
	[ "$(wc -l <three)" -eq 3 ]
	# what they run are all/proof.bats and all/campaigns.bats
	[[ $(make -C "$TOP" -n "$(sed -n '1s/make //p' three)") = *tests/proof.sh* ]]
	[[ $(make -C "$TOP" -n "$(sed -n '3s/make //p' three)") = *tests/audit.sh* ]]
	sed -n 2p three >second
	run -0 sh second
	[[ $output = *'verdict	holds' ]]
	# a claim of 10^-5 less is false
	run -6 bash -c "$(sed 's/^dpaudit --plan -- //' second) --explain=plan |
	    sed 's/^epsilon 1.1$/epsilon 99999\/100000/' | dpaudit --check-plan=-"
	[[ $output = *'verdict	refuted: '* ]]
}

@test "dpaudit: of a plan's phases none may be left out" {
	dptop -e 2 -d 1e-3 -t 1 --time-format=epoch --bucket=1d --public-times -k 2 \
	    --explain=plan >plan
	[ "$(grep -c '^pass ' plan)" -gt 2 ]
	# its first tree and thresholds alone, of 256 steps
	awk '/^tree / { n++ } n < 2 || $1 == "end"' plan |
	    awk 'NR > 2 { line[++n] = $0 }
		END { print "dputils-plan 2\nlines " n
		    for (i = 1; i <= n; i++) print line[i] }' >less
	[ "$(grep -c '^pass ' less)" -eq 1 ]
	run -6 dpaudit --check-plan=less
	[[ $output = *'verdict	refuted: its thresholds are not of all steps' ]]
}

@test "every tool is hardened" {
	command -v readelf || skip 'no readelf'
	for tool in "$DP_BUILD"/bin/*; do
		[[ $(readelf -h "$tool") == *' DYN '* ]] || { echo "$tool: no PIE"; false; }
		[[ $(readelf -d "$tool") == *BIND_NOW* ]] || { echo "$tool: binds late"; false; }
		readelf -lW "$tool" >headers
		grep -q GNU_RELRO headers
		grep GNU_STACK headers | grep -qv E || { echo "$tool: stack"; false; }
	done
	# sanitizers do this work in their own way
	[[ $DP_BUILD != *san* && $DP_BUILD != *cover* ]] || skip 'a build for tests'
	for tool in "$DP_BUILD"/bin/*; do
		nm -D "$tool" >names
		grep -q __stack_chk_fail names || { echo "$tool: stack protector"; false; }
		grep -q '__[a-z]*printf_chk' names || { echo "$tool: fortify"; false; }
	done
}

@test "one program under many names: by its name, a link's file, its first argument" {
	[ "$DP_BUILD/bin/dpcount" -ef "$DP_BUILD/bin/dpwindow" ]
	ln -s "$(realpath "$DP_BUILD/bin/dpcount")" count
	cp "$DP_BUILD/bin/dpcount" other
	[[ $(dpwindow --version) == 'dpwindow '* ]]
	[[ $(./count --version) == 'dpcount '* ]]
	[[ $(exec -a count dptop --version) == 'dptop '* ]]
	[[ $(./other dpmean --version) == 'dpmean '* ]]
	run -2 ./other --version
	[[ $output == 'dputils: the name of this program is no tool'* ]]
	run -2 ./other
	# a name that is a tool's is no argument
	run -3 dpcount -e 1 -T 9 dpmean
}

@test "make debug: nothing is optimised, macros are there, and a tool runs" {
	[[ $DP_BUILD != *san* && $DP_BUILD != *cover* ]] || skip 'a build for tests'
	env -u MAKEFLAGS make -C "$TOP" -n debug DEBUG=1 O="$PWD/o" >said
	grep -- '-O0 -g3 .*-c -o .*/o/lib/base/num.o lib/base/num.c' said
	# of the tools one is made, with the library as it is
	mkdir o
	cp "$DP_BUILD/libdp.a" o
	env -u MAKEFLAGS make -s -C "$TOP" DEBUG=1 O="$PWD/o" -o "$PWD/o/libdp.a" \
	    "$PWD/o/bin/dpbudget"
	[[ $(o/bin/dpbudget --version) == 'dpbudget (dputils) '* ]]
	readelf -SW o/bin/dpbudget | grep -q debug_macro
}

@test "two builds in two folders have the same bytes" {
	# the whole is make reproducible
	cd "$TOP"
	run -0 sh tests/reproducible.sh build/lib/base/num.o build/lib/random/noise.o \
	    build/lib/store/session.o
	[[ $output == *'3 files are equal, 0 differ' ]]
	# and what is here has the name of no folder
	[[ $DP_BUILD != *san* && $DP_BUILD != *cover* ]] || skip 'a build for tests'
	! grep -lF "$(cd "$TOP" && pwd -P)/" "$DP_BUILD"/bin/*
}
