# SPDX-License-Identifier: ISC
# Loaded by every .bats file: the tool under test first in PATH, small directories to work in, and
# words to say what is expected.  No test reads the clock to measure speed: limits are there against
# what hangs, and so long that a machine ten times slower does not meet them: the slowest test takes
# some ten seconds.
#
# A process costs more than what it is started for: some 10 ms on a slow machine.  So what is needed
# in each test is done by the shell itself, a tool is started by its name alone, and what one run
# can show is not shown by several.
: "${DP_BUILD:=$BATS_TEST_DIRNAME/../../build}"
PATH=$DP_BUILD/bin:$PATH
export PATH LC_ALL=C TZ=UTC
# Of each test bats has a process for its folder, one for the time, and one that removes a file that
# goes with the folder of the run: the folders of all tests of a file are made at once (run.sh), the
# shell tells the time, and the file stays until then (teardown).
if [[ -n ${BATS_TEST_NAME-} ]]; then
	unset -f mkdir
	[[ -z ${EPOCHREALTIME-} ]] || get_mills_since_epoch() {
		echo "$((${EPOCHREALTIME/[.,]/} / 1000))"
	}
elif declare -F mkdir >/dev/null && [[ ${#tests_to_run[@]} -gt 0 ]]; then
	for ((i = ${#tests_to_run[@]}; i > 0; i--)); do
		folders[i]=$BATS_RUN_TMPDIR/test/$((BATS_FILE_FIRST_TEST_NUMBER_IN_SUITE + i))
	done
	command mkdir -p "${folders[@]}"
	unset folders i
fi
# make starts
[[ -z ${STARTS-} ]] || read -r started </proc/sys/kernel/ns_last_pid
bats_require_minimum_version 1.5.0

# A trap of bats notes the place before each command, which takes longer than most commands do.  The
# functions that a test calls go without (+T): a failure in one is told by the line that called it.
#
# What spins ends after five minutes of a processor's time; what waits, with its file (run.sh).
setup() {
	set +T
	ulimit -S -t 300
	cd "$BATS_TEST_TMPDIR" || return
	pids=()
}

# A failed test must not leave processes that hold bats' descriptors.  Only jobs that still run: the
# number of one that has ended may belong to somebody else by now.
teardown() {
	local p

	[[ -z $! ]] || for p in $(jobs -rp); do
		[[ " ${pids[*]} " != *" $p "* ]] || kill -9 "$p" 2>/dev/null || :
	done
	rm() {
		[[ $# -eq 2 && $1 = -f && $2 = "$BATS_OUT" ]] || command rm "$@"
	}
	[[ -z ${STARTS-} ]] || {
		read -r p </proc/sys/kernel/ns_last_pid
		echo "$((p - started)) ${BATS_TEST_FILENAME##*/} $BATS_TEST_DESCRIPTION" >>"$STARTS"
	}
}

# The tools, by name
tools() {
	basename -a -s .c "$BATS_TEST_DIRNAME"/../../cmd/*.c
}

# Those of them that read events, by the grammar that the driver keeps; the others have options and
# pages of their own.
readers() {
	grep -l dp_tool_main "$BATS_TEST_DIRNAME"/../../cmd/*.c | xargs basename -a -s .c
}

# Those of these that print estimates, by a mechanism
filters() {
	readers | grep -vx dpmap
}

# exact ARG ...: dpcount without noise; what it says about that, about the range that it takes
# if none is given, and about --per-user, is tested once.
exact() {
	exact_of dpcount "$@"
}

# exact_of TOOL ARG ...: the same of another tool; standard error is err in the end, since two of
# them may run at once
exact_of() {
	local name=$BATS_RUN_TMPDIR/err.$BASHPID rc=0 line text= told=

	"$1" -e inf "${@:2}" 2>"$name" || rc=$?
	while IFS= read -r line; do
		text+=$line$'\n'
		case $line in
		*' no --range: '* | *'the rest are left out'*) ;;
		*' adds up the users of each step'*) ;;
		*) told+=$line$'\n' ;;
		esac
	done <"$name"
	[ "$rc" -ne 0 ] || [ "$told" = "$1: epsilon is inf: exact answers, NOT PRIVATE"$'\n' ] ||
	    printf %s "$text"
	printf %s "$text" >err
	return "$rc"
}

# running FILE ...: the running sum of the first field.
running() {
	awk '{ s += $1; printf "%.0f\n", s }' "$@"
}

# slurp NAME <FILE: the text, with its line ends; false: it has a zero byte, or more than 2^15 bytes
slurp() {
	! IFS= read -r -d '' -n 32768 "$1"
}

# copied FILE TO: a copy of FILE in TO, which keeps its inode; short texts by the shell
copied() {
	local text

	if slurp text <"$1"; then
		printf %s "$text" >"$2"
	else
		command cat "$1" >"$2"
	fi
}

# cmp [-s] FILE FILE: by the shell, where both are short texts
cmp() {
	local one other

	if [ -f "${*: -2:1}" ] && [ -f "${*: -1}" ] && slurp one <"${*: -2:1}" &&
	    slurp other <"${*: -1}"; then
		[ "$one" != "$other" ] || return 0
		[ "$1" != -s ] || return 1
	fi
	command cmp "$@"
}

# diff FILE FILE: by cmp, where both are files: a pipe could be read only once
diff() {
	[ $# -eq 2 ] && [ -f "$1" ] && [ -f "$2" ] && cmp -s "$1" "$2" || command diff "$@"
}

# final COMMAND ...: the last line that it prints, behind the first tab if it has one; by the shell
final() {
	local out=$BATS_TEST_TMPDIR/.final.$BASHPID lines

	"$@" >"$out" || return
	mapfile -t lines <"$out"
	[ ${#lines[@]} -eq 0 ] || printf '%s\n' "${lines[-1]#*$'\t'}"
}

# prints COMMAND ...: succeeds, and standard output is what stands on standard input.
prints() {
	local wanted=

	IFS= read -r -d '' wanted || :
	printf %s "$wanted" >wanted
	"$@" >printed </dev/null || {
		echo "status $?: $*"
		return 1
	}
	cmp wanted printed >/dev/null || diff -u wanted printed
}

# captured COMMAND ...: $status, $output and $stderr, and $lines and $stderr_lines as bats leaves
# them; if $merged is set, standard error is among the output.  By files, as $(COMMAND) would be one
# process more; a function has a shell of its own, which keeps what it changes.
captured() {
	local options=$- keep_empty_lines=${keep_empty_lines-} out err

	out=$BATS_TEST_TMPDIR/.out.$BASHPID
	err=$BATS_TEST_TMPDIR/.err.$BASHPID
	[ -z "${merged-}" ] || err=$out
	set +eET
	: >"$out" >"$err"
	if declare -F -- "$1" >/dev/null; then
		("$@") && status=0 || status=$?
	else
		"$@" && status=0 || status=$?
	fi >>"$out" 2>>"$err"
	set "-$options"
	output=$(<"$out")
	# shellcheck disable=SC2034
	[ -n "${merged-}" ] || stderr=$(<"$err")
	bats_separate_lines lines output
	[ -n "${merged-}" ] || bats_separate_lines stderr_lines stderr
}

# run [-STATUS | !] [--separate-stderr] COMMAND ...: as bats has it, with fewer processes
run() {
	local wanted= merged=1

	while [[ $1 = -* || $1 = '!' ]]; do
		case $1 in
		--separate-stderr) merged= ;;
		*) wanted=$1 ;;
		esac
		shift
	done
	captured "$@"
	case $wanted in
	'') ;;
	'!') [ "$status" -ne 0 ] ;;
	*) [ "$status" -eq "${wanted#-}" ] ;;
	esac || {
		echo "status $status, not ${wanted#-}: $*"
		echo "$output"
		return 1
	}
}

# fails STATUS COMMAND ...: $stderr and $output are left for a closer look
fails() {
	local wanted=$1 merged=

	shift
	captured "$@"
	[ "$status" -eq "$wanted" ] || {
		echo "status $status, not $wanted: $*"
		echo "$output"
		echo "$stderr"
		return 1
	}
}

# silent_about TEXT FILE ...: none of the files has it.
silent_about() {
	if grep -aF -- "$@"; then
		return 1
	fi
}

# unsanitized WHY: not in a build with a sanitizer's library
unsanitized() {
	! nm -D "$DP_BUILD/bin/dpcount" | grep -q __asan || skip "$1"
}

# needs [COMMAND ...]: skipped where one is not there
needs() {
	local c

	for c; do
		type -P "$c" >/dev/null || skip "no $c"
	done
}

# heavy [COMMAND ...]: it starts daemons, or takes long, or its packages are many
heavy() {
	[[ -n ${HEAVY-} ]] || skip 'only make check-all has it'
	PATH=$PATH:/usr/sbin needs "$@"
}

# terminal: the rest of the test needs one, which script(1) makes; it is skipped where there is none
terminal() {
	script -qec true /dev/null </dev/null >/dev/null 2>&1 || skip 'no terminal to be had'
}

# one_day: from now on date(1), for commands too, tells this day, past midnight as well
one_day() {
	mkdir -p day
	cat >day/date <<-EOT
		#!/bin/sh
		words=today
		case \$1 in
		-ud) words=\$2; shift 2 ;;
		-u) shift ;;
		*) exit 1 ;;
		esac
		case \$words in
		[0-9]*-*) ;;
		*) words="$(date -u +%F) \$words" ;;
		esac
		exec $(type -P date) -ud "\$words" "\$@"
	EOT
	chmod +x day/date
	PATH=$PWD/day:$PATH
}

# drawn N SEED DIVISOR MODULUS: N whole numbers below the modulus that look random, always the same
drawn() {
	local x=$2 n text=

	for ((n = $1; n-- > 0; x = (x * 1103 + 12345) % 65536)); do
		text+=$((x / $3 % $4))$'\n'
	done
	printf %s "$text"
}

# changed_at LINE ...: 50 lines of 0 in in.LINE, but that one, which is 7
changed_at() {
	local i j

	for j; do
		for ((i = 1; i <= 50; i++)); do
			echo $((i == j ? 7 : 0))
		done >in.$j
	done
}

# bits N: N lines of 0 and 1, by drawn
bits() {
	drawn "$1" 7 512 2
}

# integers N: N lines of 0 .. 999, by drawn
integers() {
	drawn "$1" 9 7 1000
}

# talk COMMAND ...: starts the program itself, its input at descriptor 6, its output at 7; $pid.
talk() {
	rm -f to from
	mkfifo to from
	(exec "$@") <to >from 2>err 3>&- &
	pid=$!
	pids+=("$pid")
	exec 6>to 7<from
}

# ask LINE ...: sends them, and waits for the answer to the last.
ask() {
	local line

	for line; do
		printf '%s\n' "$line" >&6
		read -r -t 300 -u 7 answer || {
			echo "no answer to $line"
			return 1
		}
	done
}

# hangup [STATUS]: end of input; waits for the end of the run.
hangup() {
	local status=0

	exec 6>&-
	wait "$pid" || status=$?
	exec 7<&-
	[ "$status" -eq "${1:-0}" ] || {
		echo "status $status"
		cat err
		return 1
	}
}

# until_true COMMAND ...: asks every 20 ms, for some minutes.
until_true() {
	local n=10000 nap

	# where nothing ever comes; a process that the test waits for stays $!
	[[ -p $BATS_TEST_TMPDIR.nap ]] || mkfifo "$BATS_TEST_TMPDIR.nap"
	exec {nap}<>"$BATS_TEST_TMPDIR.nap"
	until "$@"; do
		n=$((n - 1))
		[ $n -gt 0 ] || break
		read -r -t .02 -u "$nap" || :
	done
	exec {nap}>&-
	[ $n -gt 0 ]
}

# exec_done PID TOOL: what the shell forked has become the tool, or ended.  A signal before that
# would meet the shell, with traps of bats.
exec_done() {
	local name=

	while [ "$name" != "$2" ] && read -r name 2>/dev/null <"/proc/$1/comm"; do
		:
	done
}

# killed_after SECONDS COMMAND ...: and gone when this returns, its locks too
killed_after() {
	timeout --foreground -s KILL "$@"
}

# blocked PID: sleeps in poll or read with nothing left to do.
blocked() {
	local key state

	while read -r key state _; do
		[[ $key != State: ]] || break
	done 2>/dev/null <"/proc/$1/status"
	[[ $state = S ]]
}

# peak PID: most memory it ever had, KiB.
peak() {
	awk '/^VmHWM:/ { print $2 }' "/proc/$1/status"
}

# mechanisms ARG ...: names of those that --explain calls eligible.
mechanisms() {
	dpcount --explain=json "$@" | jq -r '.eligible[].mechanism'
}
