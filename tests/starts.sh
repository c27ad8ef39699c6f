#!/bin/sh
# SPDX-License-Identifier: ISC
# usage: starts.sh OUT TEST ...: how many processes each test program and bats file starts, with its
# processor seconds, the most last; and what all take where a start costs 10 ms.  OUT.tests has the
# starts of each test of a bats file.  Each runs with process numbers of its own, the last of which
# counts (threads too).
set -u
: "${DP_BUILD:?}"
case $1 in
/*) out=$1 ;;
*) out=$PWD/$1 ;;
esac
shift
export STARTS="$out.tests" ASAN_OPTIONS=exitcode=99
if [ "${INSIDE-}" ]; then
	sh "$(dirname "$0")/run.sh" "$1" "$INSIDE" >/dev/null
	last=$(cat /proc/sys/kernel/ns_last_pid)	# read(1) would see its first digit
	times >"$INSIDE/${1##*/}.times"
	awk -v name="${1##*/}" -v n="$last" 'NR == 2 { split($0, t, /[ms ]+/)
	    printf "%d %.1f %s\n", n, t[1] * 60 + t[2] + t[3] * 60 + t[4], name }' \
	    "$INSIDE/${1##*/}.times" >>"$out"
	exit
fi
: >"$out"
: >"$STARTS"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
user=$([ "$(id -u)" -eq 0 ] || echo -r)
# shellcheck disable=SC2086	# none, or one
printf '%s\n' "$@" | INSIDE=$dir xargs -P "${P:-$(nproc)}" -I {} \
    unshare $user -pf --mount-proc sh "$0" "$out" {}
sort -n "$out" | awk '{ print; n += $1; s += $2 }
    END { printf "%d starts and %.0f s of processors: %.1f minutes at 10 ms a start\n", n, s,
    (n / 100 + s) / 60 }'
