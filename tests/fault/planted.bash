#!/bin/bash
# SPDX-License-Identifier: ISC
# Whether every planted fault still changes its source.  usage: planted.bash FILE.bats ...; prints
# FILE: TEST: why, and fails, for each that does not, or whose source is gone.  The tests run where
# there is neither a compiler nor a tool, and so do nothing but their edits.
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin" "$tmp/test"
for name in sed cmp cat rm mkdir grep awk uname; do
	ln -s "$(command -v $name)" "$tmp/bin"
done
export BATS_TEST_DIRNAME=$here DP_BUILD=$tmp BATS_TEST_TMPDIR=$tmp/test DP_ALL_RUN=1 \
    BATS_FILE_TMPDIR=$tmp/test BATS_RUN_TMPDIR=$tmp/test

# What bats has for its tests
bats_require_minimum_version() { :; }
skip() { exit; }
load() {
	[[ $1 = faults ]] || return 0
	# shellcheck source=/dev/null
	. "$here/faults.bash"
	# all but the edits, which start one process each
	CC=:
	edit() {
		local at text

		mapfile -t at < <(place "$1")
		[[ ${#at[@]} -gt 0 ]] || { echo "fault not planted: no $1"; return 1; }
		text=$(sed -E "$(script "$2" "${at[@]:1}")" "${at[0]}") || return
		[[ $text != "$(<"${at[0]}")" ]] || { echo "fault not planted"; return 1; }
	}
	link() { :; }
	suite() { :; }
	unharmed() { :; }
	with_part() { :; }
	sound() { [[ -d $1 ]] || mkdir -p "$1"; }
}
run() {
	while [[ $1 = -* || $1 = ! ]]; do
		shift
	done
	"$@"
}

# edits FILE: what of its tests' edits is wrong
edits() {
	local i n=0 name out

	# shellcheck source=/dev/null
	. <(awk '/^@test / { print "name_" ++n "=" substr($0, 7, length($0) - 8)
	    print "test_" n "() {"; next }
	    { print }
	    END { print "n=" n }' "$1")
	setup_file
	PATH=$tmp/bin
	for ((i = 1; i <= n; i++)); do
		out=$(cd "$tmp/test" && "test_$i" </dev/null 2>&1)
		name=name_$i
		while read -r line; do
			[[ $line != 'fault not planted'* && $line != sed:* ]] ||
			    echo "${1##*/}: ${!name}: $line"
		done <<<"$out"
	done
}

for file; do
	(edits "$file")
done | tee "$tmp/bad"
[ ! -s "$tmp/bad" ]
