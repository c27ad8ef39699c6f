# SPDX-License-Identifier: ISC
# Planting faults: for the faults*.bats.
: "${DP_BUILD:=$BATS_TEST_DIRNAME/../../build}"
export DP_BUILD PATH=$DP_BUILD/bin:$PATH
bats_require_minimum_version 1.5.0

setup_file() {
	export TOP="${BATS_TEST_DIRNAME}/../.."
}

# link PROGRAM OBJECT ...: with what the tools need, and the tests, and nothing for a debugger;
# $bind: lazy, or now as they are
link() {
	local program=$1

	shift
	[[ ! -e $program ]] || rm -f "$program"
	${CC:-cc} "-Wl,-z,${bind-now}" -Wl,-S -o "$program" "$@" "$DP_BUILD/libdp.a" -lcsv \
	    -lpcre2-8 -ljson-c -lsodium -lmpfr -lgmp -lm
}

# sound DIR: a build's tools, and toys, as they are
sound() {
	mkdir -p "$1/bin" "$1/tests/toys"
	ln -sf "$DP_BUILD"/bin/* "$1/bin"
	ln -sf "$DP_BUILD"/tests/toys/* "$1/tests/toys"
}

# place PLACE: a file of lib/, and lines of it, FIRST,LAST: all of ROOM/FILE.c, or where ROOM/NAME,
# or each of ROOM/NAME,NAME, is defined: functions, objects, macros, structs
place() {
	if [[ $1 = *.c ]]; then
		echo "$TOP/lib/$1"
	else
		awk -v names="${1#*/}" -f "$TOP/tests/fault/place.awk" "$TOP/lib/${1%%/*}"/*.c
	fi
}

# script SED RANGE ...: the edit in those lines
script() {
	local edit=$1 range

	shift
	[[ $# -gt 0 ]] || printf '%s\n' "$edit"
	for range; do
		printf '%s{\n%s\n}\n' "$range" "$edit"
	done
}

# edit PLACE SED DIR: the file with a fault there, in DIR/fault.c; to be compiled with $flags
edit() {
	local at is was

	mapfile -t at < <(place "$1")
	[[ ${#at[@]} -gt 0 ]] || { echo "fault not planted: no $1"; return 1; }
	flags=(-std=c11 -D_GNU_SOURCE -O1 -w -I"$TOP/lib" -I"$TOP/lib/${1%/*}")
	sed -E "$(script "$2" "${at[@]:1}")" "${at[0]}" >"$3/fault.c"
	IFS= read -r -d '' was <"${at[0]}" || :
	IFS= read -r -d '' is <"$3/fault.c" || :
	[[ $is != "$was" ]] || { echo "fault not planted"; return 1; }
}

# plant PLACE SED DIR: the same, compiled to DIR/fault.o
plant() {
	edit "$@" && ${CC:-cc} "${flags[@]}" -c -o "$3/fault.o" "$3/fault.c"
}

# with_part TEST[:PART] COMMAND ...: of the test only the parts whose calls begin so (check.h)
with_part() {
	local part=${1#"${1%:*}"}

	env ${part:+"CHECK_PART=${part#:}"} "${@:2}"
}

# unharmed TEST[:PART] [ARG]: it passes without a fault.  Where all tests run it runs by itself, in
# whole, and its failure is the suite's (run.sh); else once a build: whoever is first leaves a note.
unharmed() {
	local name="$*" test=${1%:*} note

	note=$DP_BUILD/tests/unharmed/${name//[\/ ]/-}
	[[ -z ${DP_ALL_RUN-} ]] || return 0
	[[ $note -nt $DP_BUILD/libdp.a && $note -nt $DP_BUILD/tests/$test.o ]] && return
	link "$BATS_TEST_TMPDIR/unharmed" "$DP_BUILD/tests/$test.o"
	with_part "$1" "$BATS_TEST_TMPDIR/unharmed" "${@:2}" >"$BATS_TEST_TMPDIR/out" 2>&1 || {
		tail -n 5 "$BATS_TEST_TMPDIR/out"
		echo "$test fails without a fault, too"
		return 1
	}
	mkdir -p "${note%/*}"
	: >"$note"
}

# fault PLACE SED TEST[:PART] [ARG]: the test passes as it is built, and fails with the fault
# there.
fault() {
	local file=$1 edit=$2 test=$3 dir=$BATS_TEST_TMPDIR rc=0
	local part=${3#"${3%:*}"}

	shift 3
	unharmed "$test" "$@" || return
	edit "$file" "$edit" "$dir" || return
	link "$dir/test" "${flags[@]}" "$DP_BUILD/tests/${test%:*}.o" "$dir/fault.c" || return
	part=${part#:}
	CHECK_FIRST=1 ${part:+env "CHECK_PART=$part"} "$dir/test" "$@" >"$dir/printed" 2>&1 || rc=$?
	[ "$rc" -eq 1 ] || {
		echo "status $rc: $file: $edit"
		tail -n 5 "$dir/printed"
		return 1
	}
}

# suite BUILD FILE NAME [VARIABLE=VALUE ...]: those tests of FILE.bats whose names begin so, with
# the tools of BUILD; what they print is in tap.  A copy has no other test: bats would take longer
# to look through them than one runs.
suite() {
	local build=$1 name=$3 file path

	file=$(echo "$TOP"/tests/*/"$2.bats")
	shift 3
	at="@test \"$name" dir=${file%/*} awk '
	    NR == 1 { print "BATS_TEST_DIRNAME=\"" ENVIRON["dir"] "\""; next }
	    /^@test/ { skip = index($0, ENVIRON["at"]) != 1 }
	    { print skip ? "" : $0 }
	    /^}/ { skip = 0 }' "$file" >suite.bats
	# a suite of its own, not a part of this one
	path=$(tr : '\n' <<<"$PATH" | grep -v /bats-core | paste -s -d :)
	env -i HOME="$HOME" PATH="$path" TMPDIR="$BATS_TEST_TMPDIR" DP_BUILD="$build" \
	    HEAVY="${HEAVY-}" "$@" bats --tap suite.bats >tap 2>&1 || :
	# it ran at all
	grep -qE '^(not )?ok 1 ' tap || { cat tap; return 1; }
}

# faulty_tools PLACE SED SUITE TEST TOOL ...: the test of SUITE.bats whose name begins so fails
# with the tools, or toys, made of the fault there; NAME=TOOL: TOOL, called NAME; $roads: command
# lines that roads.bats tries
faulty_tools() {
	local file=$1 edit=$2 suite=$3 name=$4 dir=$BATS_TEST_TMPDIR/build tool

	shift 4
	cd "$BATS_TEST_TMPDIR"
	sound "$dir"
	plant "$file" "$edit" "$dir"
	for tool; do
		if [[ $tool = toy* ]]; then
			link "$dir/tests/toys/$tool" "$DP_BUILD/tests/toys/$tool.o" "$dir/fault.o"
		else
			link "$dir/bin/${tool%=*}" "$DP_BUILD/cmd/${tool#*=}.o" "$dir/fault.o"
		fi
	done
	suite "$dir" "$suite" "$name" ROADS="${roads-}"
	cat tap
	grep -q '^not ok 1 ' tap
}
