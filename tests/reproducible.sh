#!/bin/sh
# SPDX-License-Identifier: ISC
# sh tests/reproducible.sh [TARGET ...]: builds twice from copies of the tree, in folders of other
# names, and compares each file that was built.  TARGET: below the folder of what is built, at first
# all tools.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS
for tree in "$tmp/a" "$tmp/a folder/of another name"; do
	mkdir -p "$tree"
	tar -C "$top" -cf - Makefile lib cmd man tests/deps.sh | tar -C "$tree" -xf -
	if [ $# -eq 0 ]; then
		make -s -j "$(nproc)" -C "$tree" all
	else
		make -s -C "$tree" "$@"
	fi
done
cd "$tmp/a"
find build -type f ! -name '*.d' ! -name headers >"$tmp/list"
[ -s "$tmp/list" ]
same=0 differ=0
while read -r file; do
	if cmp -s "$file" "$tmp/a folder/of another name/$file"; then
		same=$((same + 1))
	else
		echo "differs: $file"
		differ=$((differ + 1))
	fi
done <"$tmp/list"
echo "$same files are equal, $differ differ"
[ "$differ" -eq 0 ]
