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
	# what differs are messages of the C library's reader of options
	PATH=$TOP/build-static/bin:$PATH sh "$TOP/tests/golden.sh" check >"$BATS_TEST_TMPDIR/out" ||
	    :
	run grep ' differs$' "$BATS_TEST_TMPDIR/out"
	[[ $(grep -cv -- '-refused' <<<"$output") = 0 ]]
	run grep -E '^    [-+][^-+=!]' "$BATS_TEST_TMPDIR/out"
	[[ $status -eq 1 ]]
}
