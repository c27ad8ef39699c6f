#!/bin/sh
# SPDX-License-Identifier: ISC
# sh tests/fuzz.sh --needs CLANG: is there a compiler that can drive the targets of tests/fuzz?
# sh tests/fuzz.sh --table FILE: sums of the runs in FILE, a row for each target.
# sh tests/fuzz.sh DIR SECONDS [TARGET ...]: each target below DIR in turn, for so many seconds,
# from its corpus and from what earlier runs came upon (DIR/corpus).  The input that stops one is
# kept in DIR/found, its log is DIR/TARGET.log, its figures are added to DIR/figures; a table of
# them is printed, and the status is 1 if any was stopped.  FLAGS: further ones of libFuzzer.
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
# Bytes of an input, at most: what a target does in a microsecond it can do often
longest() {
	case $1 in
	f_when | f_number) echo 80 ;;
	f_line | f_csv | f_weights | f_cut) echo 200 ;;
	f_json | f_logs | f_options | f_matrix | f_chart) echo 300 ;;
	f_form | f_partial | f_ledger | f_additive) echo 1000 ;;
	f_forge) echo 8 ;;
	f_job) echo 6000 ;;
	f_load) echo 11000 ;;
	f_numbers) echo 4 ;;
	*) echo 4096 ;;
	esac
}

# Lines of target, executions, seconds, edges and features of the library that inputs took, inputs
# that the fuzzer keeps, and inputs that stopped it; of several runs the sums, and the most
table() {
	awk 'BEGIN {
		form = "%-10s %12s %8s %8s %6s %9s %7s %6s\n"
		printf form, "target", "executions", "seconds", "a second", "edges", "features",
		    "inputs", "found"
	}
	function row(name, n, s, e, f, i, found) {
		printf form, name, n, s, (s > 0 ? int(n / s) : "-"), e, f, i, found
	}
	{
		if (!($1 in n))
			order[++names] = $1
		n[$1] += $2; all += $2
		s[$1] += $3; time += $3
		for (k = 4; k <= 6; k++)
			if ($k > most[$1, k])
				most[$1, k] = $k
		found[$1] += $7; bad += $7
	}
	END {
		for (i = 1; i <= names; i++) {
			t = order[i]
			row(t, n[t], s[t], most[t, 4], most[t, 5], most[t, 6], found[t])
		}
		row("all", all, time, "", "", "", bad + 0)
	}' "$1"
}

# figure WORD LOG: what stands behind the last such word
figure() {
	n=$(grep -ao "$1:* *[0-9]*" "$2" | tail -n 1 | grep -o '[0-9]*$' || true)
	echo "${n:-0}"
}

if [ "$1" = --table ]; then
	table "$2"
	exit
fi
dir=$1 seconds=$2
shift 2
if [ $# -eq 0 ]; then
	for t in "$dir"/tests/fuzz/f_*; do
		[ ! -x "$t" ] || set -- "$@" "${t##*/}"
	done
fi
mkdir -p "$dir/found"
run=$(mktemp)
trap 'rm -f "$run"' EXIT
# Of what was allocated where a line is enough; few blocks that were freed are kept from use
export ASAN_OPTIONS="malloc_context_size=2:quarantine_size_mb=16${ASAN_OPTIONS+:$ASAN_OPTIONS}"
stopped=0
for t; do
	mkdir -p "$dir/corpus/$t"
	log=$dir/$t.log
	found=0
	begin=$(date +%s)
	# shellcheck disable=SC2086
	"$dir/tests/fuzz/$t" -max_total_time="$seconds" -max_len="$(longest "$t")" -timeout=300 \
	    -print_final_stats=1 -artifact_prefix="$dir/found/$t-" ${FLAGS-} "$dir/corpus/$t" \
	    "tests/fuzz/corpus/$t" >"$log" 2>&1 || case $? in
	72) ;;	# an interrupt
	*) found=1 stopped=1 ;;
	esac
	echo "$t $(figure stat::number_of_executed_units "$log") $(($(date +%s) - begin))" \
	    "$(figure cov "$log") $(figure ft "$log") $(figure corp "$log") $found" >>"$run"
	[ $found -eq 0 ] || echo "$t: STOPPED: see $log"
done
cat "$run" >>"$dir/figures"
table "$run"
exit $stopped
