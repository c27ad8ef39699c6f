#!/bin/bash
# SPDX-License-Identifier: ISC
# Whether every planted fault still changes its source.  usage: planted.bash FILE.bats ...; prints
# FILE: TEST: why, and fails, for each that does not, or whose source is gone.  The tests run where
# there is neither a compiler nor a tool, and so do nothing but note their edits; those of a source
# are then tried by one sed(1).
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/../../lib
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin" "$tmp/test" "$tmp/rooms" "$tmp/sed"
for name in sed cmp cat rm mkdir grep awk uname; do
	ln -s "$(type -P $name)" "$tmp/bin"
done
export BATS_TEST_DIRNAME=$here DP_BUILD=$tmp BATS_TEST_TMPDIR=$tmp/test DP_ALL_RUN=1 HEAVY=1 \
    BATS_FILE_TMPDIR=$tmp/test BATS_RUN_TMPDIR=$tmp/test

# What bats has for its tests
bats_require_minimum_version() { :; }
skip() { exit; }
load() {
	[[ $1 = faults ]] || return 0
	# shellcheck source=/dev/null
	. "$here/faults.bash"
	CC=:
	fault() { edit "$1" "$2"; }
	faulty_tools() { edit "$1" "$2"; }
	edit() { printf '%s\037%s\037%s\036' "$now" "$1" "$2" >>"$tmp/edits"; }
	link() { :; }
	suite() { :; }
	sound() { [[ -d $1 ]] || mkdir -p "$1"; }
}
run() {
	while [[ $1 = -* || $1 = ! ]]; do
		shift
	done
	"$@"
}

# edits FILE: those of its tests; each that may end the shell, or go elsewhere, in one of its own
edits() {
	local test_now tests=0 name now alone

	# shellcheck source=/dev/null
	. <(awk '/^@test / { print "name_" ++n "=" substr($0, 7, length($0) - 8)
	    print "test_" n "() {"; next }
	    n && /(^|[^a-z_])(exit|skip|needs|heavy|run|set|trap|shopt) / && !alone[n]++ {
		own = own " [" n "]=1" }
	    { print }
	    END { print "tests=" n "\nalone=(" own ")" }' "$1")
	setup_file
	PATH=$tmp/bin
	for ((test_now = 1; test_now <= tests; test_now++)); do
		cd "$tmp/test" || return
		name=name_$test_now
		now="${1##*/}: ${!name}"
		if [[ ${alone[test_now]-} ]]; then
			("test_$test_now")
		else
			"test_$test_now"
		fi </dev/null >/dev/null 2>&1
	done
}

# alone N FILE: whether edit N changes it
alone() {
	sed -E -f "$tmp/sed/$1.one" "$2" >"$tmp/now" 2>"$tmp/err" && ! cmp -s "$tmp/now" "$2"
}

: >"$tmp/edits"
for file; do
	(edits "$file")
done
cd "$tmp" || exit
# Where the names of each room are
awk 'BEGIN { RS = "\036"; FS = "\037" }
    $2 !~ /\.c$/ && !seen[$2]++ { room = $2; sub(/\/.*/, "", room)
	print substr($2, length(room) + 2) >("rooms/" room) }' edits
for room in rooms/*; do
	room=${room#rooms/}
	awk -v list="rooms/$room" -f "$here/place.awk" "$lib/$room"/*.c | sed "s|^|$room/|"
done >where
# N.one: an edit; FILE.all, its slashes dashes: all edits of a file that are no more than s
# commands, each of a line as it is in the source, N printed where it changes; list: N, FILE or -,
# the test, or what is wrong, FILE.all
awk -v lib="$lib" '
    function add(to, text) {
	printf "%s\n", text >>to
	close(to)
    }
    FILENAME == "where" { at = $1; sub(/^[^\t]*\t/, ""); where[at] = $0; next }
    FNR == 1 { n = 0 }
    {
	n++
	name = $2
	file = name ~ /\.c$/ ? lib "/" name : where[name]
	ranges = split(file, range, "\t")
	if (ranges == 0) {
		print n "\t-\t" $1 ": fault not planted: no " name
		next
	}
	file = range[1]
	if (ranges == 1) {
		range[++ranges] = "1,$"
	}
	all = file
	sub(/.*\/lib\//, "", all)
	gsub(/[^a-z_]/, "-", all)
	all = "sed/" all ".all"
	plain = $3 ~ /^s/ && $3 !~ /;[ \t]*[a-rt-zA-Z=]+([ ;}]|$)/ && $3 !~ /\n/
	for (i = 2; i <= ranges; i++) {
		add("sed/" n ".one", range[i] "{\n" $3 "\n}")
		if (plain)
			add(all, range[i] "{\nh\n" $3 "\nG\n/^(.*)\\n\\1$/!s/.*/" n "/p\nx\n}")
	}
	print n "\t" file "\t" $1 "\t" (plain ? all : "")
    }' FS='\t' where RS='\036' FS='\037' edits >list
# Of a file's edits all at once; then those by themselves that are more, or did not change it so
awk -F '\t' '$4 != "" && !seen[$4]++ { print $2 "\t" $4 }' list |
    while IFS=$'\t' read -r file all; do
	sed -nE -f "$all" "$file" 2>/dev/null
done >planted
while IFS=$'\t' read -r n file why _; do
	if [[ $file != - ]]; then
		! alone "$n" "$file" || continue
		read -r said <err || said='fault not planted'
		why="$why: $said"
	fi
	echo "$why"
done < <(awk -F '\t' 'NR == FNR { ok[$1]; next } !($1 in ok)' planted list) | tee bad
[ ! -s bad ]
