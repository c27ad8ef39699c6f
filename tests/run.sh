#!/bin/sh
# Runs every unit and statistical test program and every bats file; the last line counts them.
set -u
: "${DP_BUILD:?}"
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
dir=$(dirname "$0")
passed=0 failed=0
for t in "$DP_BUILD"/tests/unit/t_* "$DP_BUILD"/tests/stat/s_*; do
	case $t in *.o | *.d) continue ;; esac
	# the generator's known answers come from its author's headers
	if [ "${t##*/}" = t_rng ]; then
		out=$("$DP_BUILD/tests/pcg_reference" | "$t" - 2>&1)
	else
		out=$("$t" 2>&1)
	fi
	# shellcheck disable=SC2181
	if [ $? -eq 0 ]; then
		passed=$((passed + 1))
		echo "ok $(basename "$t")"
	else
		failed=$((failed + 1))
		echo "not ok $(basename "$t")"
		echo "$out" | sed 's/^/# /'
	fi
done
# inputs that once taught us something
for t in "$DP_BUILD"/tests/fuzz/f_*; do
	case $t in *.o | *.d) continue ;; esac
	corpus=$dir/fuzz/corpus/${t##*/}
	[ -d "$corpus" ] || continue
	if out=$("$t" "$corpus"/* 2>&1); then
		passed=$((passed + 1))
		echo "ok ${t##*/}"
	else
		failed=$((failed + 1))
		echo "not ok ${t##*/}"
		echo "$out" | sed 's/^/# /'
	fi
done
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for f in "$dir"/*.bats; do
	bats --tap "$f" >"$log" 2>&1
	rc=$?
	sed "s|^|$(basename "$f" .bats): |" "$log"
	p=$(grep -c '^ok ' "$log")
	n=$(grep -c '^not ok ' "$log")
	# bats that could not even run its file counts as a failure
	[ $rc -ne 0 ] && [ "$n" -eq 0 ] && n=1
	passed=$((passed + p))
	failed=$((failed + n))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
