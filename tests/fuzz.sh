#!/bin/sh
# sh tests/fuzz.sh --needs CLANG: is there a compiler that can drive the targets of tests/fuzz?
# sh tests/fuzz.sh DIR SECONDS [TARGET ...]: each target below DIR in turn, for so many seconds,
# from its corpus and from what earlier runs came upon (DIR/corpus).  The input that stops one is
# kept in DIR/found, its log is DIR/TARGET.log; the status is 1 if any was stopped.
set -eu

needs() {
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	echo 'int LLVMFuzzerTestOneInput(const char *p, long n) { return p == 0 && n != 0; }' \
	    >"$tmp/t.c"
	if "$1" -fsanitize=fuzzer,address,undefined -o "$tmp/t" "$tmp/t.c" 2>"$tmp/err"; then
		return
	fi
	cat "$tmp/err"
	# The package of the runtime has the compiler's version in its name
	case $("$1" -dumpversion 2>/dev/null) in
	[0-9]*) version=-$("$1" -dumpversion | cut -d. -f1) ;;
	*) version= ;;
	esac
	echo "make fuzz: needs clang with its sanitizers and libFuzzer:" \
	    "apt-get install clang$version libclang-rt$version-dev"
	exit 1
} >&2

if [ "$1" = --needs ]; then
	needs "$2"
	exit
fi
dir=$1 seconds=$2
shift 2
if [ $# -eq 0 ]; then
	for t in "$dir"/tests/fuzz/f_*; do
		set -- "$@" "${t##*/}"
	done
fi
mkdir -p "$dir/found"
stopped=0
for t; do
	mkdir -p "$dir/corpus/$t"
	if "$dir/tests/fuzz/$t" -max_total_time="$seconds" -timeout=300 -print_final_stats=1 \
	    -artifact_prefix="$dir/found/$t-" "$dir/corpus/$t" "tests/fuzz/corpus/$t" \
	    >"$dir/$t.log" 2>&1; then
		how=ok
	else
		how="STOPPED: see $dir/$t.log"
		stopped=1
	fi
	count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/$t.log")
	echo "$t: $count executions, $how"
done
exit $stopped
