# SPDX-License-Identifier: ISC
# make where something is missing, where it is installed without being root, and places with blanks.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

# The outer make's options are not this one's
mine() {
	env -u MAKEFLAGS -u MAKELEVEL make -C "$TOP" O="$DP_BUILD" "$@"
}

@test "headers that are missing: one line with the packages, and the command that is here" {
	mkdir bin
	ln -s "$(type -P sh)" "$(type -P sed)" "$(type -P awk)" "$(type -P cat)" \
	    "$(type -P grep)" bin
	printf '#!/bin/sh\n! grep -qE "%s"\n' 'csv.h|json|sqlite' >bin/cc
	chmod +x bin/cc
	said() {
		PATH=$PWD/bin run -1 sh "$TOP/tests/deps.sh" --headers "$1" -I.
		[ "$output" = "make: missing: $2; to install$3" ]
	}
	said cc 'csv.h json-c/json.h sqlite3.h' ' what has them, see tests/deps.sh'
	while read -r tool command; do
		printf '#!/bin/sh\n' >"bin/$tool"
		chmod +x "bin/$tool"
		said cc 'csv.h json-c/json.h sqlite3.h' ": $tool $command"
		[ "$tool" != dnf ] || said none 'a C compiler (none)' ": dnf install gcc \
libcsv-devel pcre2-devel json-c-devel libsodium-devel sqlite-devel mpfr-devel gmp-devel"
		rm "bin/$tool"
	done <<-'E'
		apt-get install --no-install-recommends libcsv-dev libjson-c-dev libsqlite3-dev
		dnf install libcsv-devel json-c-devel sqlite-devel
		apk add libcsv-dev json-c-dev sqlite-dev
		pacman -S libcsv json-c sqlite
		brew install libcsv json-c sqlite
		pkg install libcsv json-c sqlite3
	E
	# all that the build includes is in the list, and is there
	# shellcheck disable=SC2086	# a compiler, or ccache and one
	sh "$TOP/tests/deps.sh" --headers ${CC:-cc}
	cat "$TOP"/{lib,cmd}/{,*/}*.[ch] | sed -nE \
	    's/^#include <((csv|pcre2|json-c|sodium|sqlite3|mpfr|gmp)[^>]*)>.*/\1/p' |
	    sort -u | while read -r h; do
		grep -q "^$h " "$TOP/tests/deps.sh" || { echo "$h"; false; }
	done
	# and make says it before it compiles anything
	PATH=$PWD/bin:$PATH run -2 mine O="$PWD/o" CC="$PWD/bin/cc" "$PWD/o/lib/base/buf.o"
	[[ $output = *'make: missing: csv.h '* && $output != *'CC '* ]]
}

@test "packages that cannot be had: tests go on without, unless all need them; a build does not" {
	mkdir bin
	cat >bin/dpkg-query <<-'E'
		#!/bin/sh
		for p; do :; done
		case " $GONE " in *" $p "*) ;; *) echo ok installed ;; esac
	E
	printf '#!/bin/sh\necho "E: no such package" >&2; exit 100\n' | tee bin/apt-get >bin/sudo
	chmod +x bin/*
	said() {
		GONE=$2 PATH=$PWD/bin:$PATH run "-$1" sh "$TOP/tests/deps.sh" $3
		[ "${lines[-1]}" = "not installed (is there a network?)$4: $2" ]
	}
	said 0 'zstd bzip2' --test ', tests that need them are skipped'
	said 1 bats --test
	said 1 libcsv-dev --test
	said 1 libcsv-dev
	said 1 zstd zstd
	GONE='' PATH=$PWD/bin:$PATH sh "$TOP/tests/deps.sh" --test
}

@test "a make that is too old says so" {
	for version in 3.79.1 3.80; do
		run -2 mine -n MAKE_VERSION=$version
		[[ $output = *"make $version is too old: GNU make 3.81 or newer is needed"* ]]
	done
	mine -n MAKE_VERSION=3.81 >/dev/null
}

@test "a make that is not GNU's says so, in one line" {
	type -P bmake >/dev/null || skip 'no make of BSD'
	set -- .MAKE.MAKEFILE_PREFERENCE='BSDmakefile Makefile'
	for target in all install; do
		MAKEFLAGS='' run -1 bmake -C "$TOP" "$@" $target
		[ "$(grep -c GNU <<<"$output")" = 1 ]
		[[ $output = *'GNU make is needed: install gmake'* ]]
		[ "$(wc -l <<<"$output")" -le 3 ]
	done
}
