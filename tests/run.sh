#!/bin/sh
# SPDX-License-Identifier: ISC
# Runs every unit and statistical test program, every fuzz corpus and every bats file, one more at a
# time than there are processors, as some wait; prints TAP, and at its end the system, with the
# versions of what a result has depended on, and on the last line how many passed.  SKIP: patterns
# of names that do not run; ONLY: of those that do.
set -u
: "${DP_BUILD:?}"
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
dir=${0%/*}

# system: one line
system() {
	# shellcheck source=/dev/null
	name=$([ ! -r /etc/os-release ] || . /etc/os-release && echo "${PRETTY_NAME-}")
	for version in "$(getconf GNU_LIBC_VERSION)" "$("${CC:-cc}" --version | head -n 1)" \
	    "$(bats --version)" "$(jq --version)"; do
		name="$name, ${version:-?}"
	done
	echo "on $name"
} 2>/dev/null

# ok NAME, or not ok NAME and why: what a program printed, in file $2, ended with status $3
verdict() {
	if [ "$3" -eq 0 ]; then
		echo "ok $1"
	else
		echo "not ok $1"
		sed 's/^/# /' "$2"
	fi
}

# bats makes two folders before each test; one is there, and the helper has made the other (it
# unsets this, too)
# shellcheck disable=SC2016	# for another shell
folder='() { [[ $# -le 2 && -d ${!#} ]] || command mkdir "$@"; }'

# bats_file FILE OUT: each line of TAP as it comes; that bats could not even run the file, or found
# no test, is a failure.  What a background job or nohup ignores, no shell under it could set back:
# the tests of signals would wait for runs that stay.  A file that hangs, say as something that it
# left behind has its output open, ends with all that it began after an hour.
bats_file() {
	name=${1##*/}
	name=${name%.bats}
	{
		timeout -k 10 3600 env --default-signal "BASH_FUNC_mkdir%%=$folder" \
		    bats --tap "$1" 2>&1
		echo $? >"$2.rc"
	} | sed -u "s|^|$name: |" | tee "$2.all"
	rc=$(cat "$2.rc")
	grep -qE "^$name: not ok " "$2.all" ||
	    { [ "$rc" -eq 0 ] && grep -qE "^$name: ok " "$2.all"; } ||
		echo "not ok $name.bats: status $rc"
}

# replay PROGRAM INPUT ...: inputs that once taught us something; without any it would pass having
# tested nothing
replay() {
	[ -e "$2" ] || {
		echo "no corpus"
		return 1
	}
	"$@"
}

# one TEST OUT: runs it, and prints its TAP; OUT.* are its files
one() {
	case $1 in
	*.bats)
		bats_file "$1" "$2"
		return
		;;
	*/t_rng)	# the generator's known answers come from its author's headers
		"$DP_BUILD/tests/pcg_reference" | "$1" - >"$2.all" 2>&1
		;;
	*/f_*)
		replay "$1" "$dir/fuzz/corpus/${1##*/}"/* >"$2.all" 2>&1
		;;
	*)
		"$1" >"$2.all" 2>&1
		;;
	esac
	verdict "${1##*/}" "$2.all" $?
}

if [ $# -eq 2 ]; then
	one "$1" "$2/${1##*/}" | tee "$2/${1##*/}"
	exit
fi
# for faults.bash: every program that a fault is to fail runs here without one, too
[ -n "${SKIP-}${ONLY-}" ] || export DP_ALL_RUN=1
# matches NAME PATTERNS: one of them
matches() {
	for p in $2; do
		# shellcheck disable=SC2254
		case $1 in
		$p) return 0 ;;
		esac
	done
	return 1
}

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for t in "$dir"/fault/*.bats "$dir"/tool/*.bats "$dir"/all/*.bats \
    "$DP_BUILD"/tests/law/s_* "$DP_BUILD"/tests/unit/t_* \
    "$DP_BUILD"/tests/fuzz/f_*; do
	set -f	# patterns are of names, not of files here
	[ -e "$t" ] || continue
	case $t in
	*.o | *.d | *.gcno | *.gcda) continue ;;
	esac
	! matches "${t##*/}" "${SKIP-}" || continue
	! matches "${t##*/}" "${ONLY-*}" || echo "$t"
done >"$out/list"
# The long ones first: the package waits for a mirror, and those of some ten seconds follow
long='badinput|docs|forged|readme|state|budget|dpquantile|dpaudit|toys|nomem|dpplot|dptop|recipes'
long="$long|roads|dpdistinct|dpcount|promises|lint|registry|pan|pictures|within|proof|shards"
long="$long|t_normtree_bounds|s_top|s_levels|s_neighbour|s_distinct|s_variance|golden"
sort "$out/list" |
    awk -v long="/($long)[^/]*\$" '{
        print (/faults/ ? 0 : /deb\.bats$/ ? 1 : $0 ~ long ? 2 : /bats$|s_/ ? 3 : 4), $0 }' |
    sort -sn | cut -d ' ' -f 2- |
    xargs -P "$(($(nproc) + 1))" -I {} sh "$0" {} "$out"
while read -r t; do
	cat "$out/${t##*/}" 2>/dev/null || echo "not ok ${t##*/}: did not run"
done <"$out/list" >"$out/tap"
# Again, what failed and why, where a reader of the last lines sees it
awk '/^([a-z_]+: )?not ok / { print; shown = 1; next }
    shown && /^([a-z_]+: )?#/ { print; next } { shown = 0 }' "$out/tap" | head -n 400
passed=$(grep -cE '^([a-z_]+: )?ok ' "$out/tap")
failed=$(grep -cE '^([a-z_]+: )?not ok ' "$out/tap")
echo "# $(system)"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
