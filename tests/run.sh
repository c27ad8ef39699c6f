#!/bin/sh
# Runs every unit and statistical test program, every fuzz corpus and every bats file, as many at a time as there are
# processors; prints TAP, and how many passed on the last line.
set -u
: "${DP_BUILD:?}"
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
dir=$(dirname "$0")

# ok NAME, or not ok NAME and why: what a program printed, in file $2, ended with status $3
verdict() {
	if [ "$3" -eq 0 ]; then
		echo "ok $1"
	else
		echo "not ok $1"
		sed 's/^/# /' "$2"
	fi
}

# one TEST OUT: runs it, its TAP to the file OUT
one() {
	case $1 in
	*.bats)
		bats --tap "$1" >"$2.all" 2>&1
		rc=$?
		sed "s|^|$(basename "$1" .bats): |" "$2.all"
		# bats that could not even run its file counts as a failure
		[ $rc -eq 0 ] || grep -q '^not ok ' "$2.all" || echo "not ok $(basename "$1"): status $rc"
		;;
	*/t_rng)	# the generator's known answers come from its author's headers
		"$DP_BUILD/tests/pcg_reference" | "$1" - >"$2.all" 2>&1
		verdict t_rng "$2.all" $?
		;;
	*/f_*)		# inputs that once taught us something; without any, the pattern itself cannot be opened
		"$1" "$dir/fuzz/corpus/${1##*/}"/* >"$2.all" 2>&1
		verdict "${1##*/}" "$2.all" $?
		;;
	*)
		"$1" >"$2.all" 2>&1
		verdict "${1##*/}" "$2.all" $?
		;;
	esac >"$2"
}

if [ $# -eq 2 ]; then
	one "$1" "$2/${1##*/}"
	cat "$2/${1##*/}"
	exit
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for t in "$dir"/*.bats "$DP_BUILD"/tests/stat/s_* "$DP_BUILD"/tests/unit/t_* "$DP_BUILD"/tests/fuzz/f_*; do
	case $t in
	*.o | *.d) ;;
	*) echo "$t" ;;
	esac
done >"$out/list"
# the long ones first
sort -t/ -k1 "$out/list" | awk '{ print (/faults/ ? 0 : /state|s_/ ? 1 : 2), $0 }' | sort -sn | cut -d ' ' -f 2- |
    xargs -P "$(nproc)" -I {} sh "$0" {} "$out"
while read -r t; do
	cat "$out/${t##*/}" 2>/dev/null || echo "not ok ${t##*/}: did not run"
done <"$out/list" >"$out/tap"
grep 'did not run$' "$out/tap"
passed=$(grep -cE '^([a-z_]+: )?ok ' "$out/tap")
failed=$(grep -cE '^([a-z_]+: )?not ok ' "$out/tap")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
