#!/bin/sh
# SPDX-License-Identifier: ISC
# usage: cover.sh BUILD; how many branches of lib/ the runs of BUILD's programs took: in each room,
# and in each file with the lines of the branches that were never taken.  All branches count that
# gcov finds in a line with code on it.
set -eu
cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
gcovr -r . --object-directory "$1" --filter lib/ --exclude-unreachable-branches --branches \
	--json-summary "$tmp/json" --txt "$tmp/txt" "$1"
echo
sed -n '/^lib/,/^---/p' "$tmp/txt" | sed '$d'
echo
jq -r '.files[] | "\(.filename) \(.branch_covered) \(.branch_total)"' "$tmp/json" | awk '
	function line(name, a, b) {
		printf "%-8s %6d of %6d branches  %5.1f %%\n", name, a, b, b ? 100 * a / b : 100
	}
	{
		split($1, part, "/")
		room = part[2]
		if (!(room in total))
			order[++n] = room
		taken[room] += $2; total[room] += $3; a += $2; b += $3
	}
	END {
		for (i = 1; i <= n; i++)
			line(order[i], taken[order[i]], total[order[i]])
		line("lib", a, b)
	}'
