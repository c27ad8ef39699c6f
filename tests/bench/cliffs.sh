#!/bin/sh
# SPDX-License-Identifier: ISC
# What options cost beside the main road: processor time, or time a line, and peak memory, a row
# each, the median of three runs.  In brackets: the most that it is to be.  usage: cliffs.sh BUILD
# [PATTERN]: rows whose names match alone
# shellcheck disable=SC2094	# of many lines in one file each
set -eu
O=$1
only=${2-.}
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cost=$O/tests/bench/bench_cost
gen=$O/tests/bench/bench_gen
printf '%-46s %12s %10s\n' row 'processor' memory

# row NAME LINES COMMAND: a command of the shell; LINES 0: seconds, else time a line
row() {
	printf '%s\n' "$1" | grep -qE -- "$only" || return 0
	for _ in 1 2 3; do
		rm -f ./*.state ./*.out
		"$cost" sh -c "$3" 2>/dev/null || echo "failed 0"
	done | sort -n | sed -n 2p | awk -v name="$1" -v n="$2" '{
		t = sprintf("%.3f s", $1)
		if (n != 0)
			t = sprintf("%.0f ns/line", $1 / n * 1e9)
		if ($1 == "failed")
			t = $1
		printf "%-46s %12s %6.1f MiB\n", name, t, $2 / 1024 }'
}

"$gen" bits 2000000 >bits
head -n 100000 bits >few
"$gen" log 1000000 >log
"$gen" log 100000 | awk '{ printf "%s %0100d\n", $0, 0 }' >long
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "%0199d\n", i % 2 }' >wide
awk 'BEGIN { for (x = i = 0; i < 1000000; i++) {
    x = (x * 69069 + 1) % 4294967296; print "u" int(x / 4096), i % 2 } }' >users
awk 'BEGIN { for (x = i = 0; i < 500000; i++) { x = (x * 69069 + 1) % 4294967296
    print 1767225600 + i * 20 "," int(x / 65536) % 1000 } }' >times.csv
for n in 10000 1000000; do
	awk -v n=$n 'BEGIN { for (i = 0; i < n; i++) printf "%.9f\n", 1 - i / n }' >weights.$n
done
awk 'BEGIN { for (x = i = 0; i < 500000; i++) { x = (x * 69069 + 1) % 4294967296
    print "k" int(x / 4096) % 1000, 1767225600 } }' >keyed
seq -f 'k%.0f' 0 999 >keys
seq -f 'k%.0f' 0 99999 >many
awk 'BEGIN { for (x = i = 0; i < 1000000; i++) { x = (x * 69069 + 1) % 4294967296
    key = int(x / 4096) % 100000; x = (x * 69069 + 1) % 4294967296
    print "k" key, 1767225600 + int(x / 4294967296 * 31536000) } }' >spread
awk 'BEGIN { for (x = i = 0; i < 1000000; i++) { x = (x * 69069 + 1) % 4294967296
    print "k" int(x / 4096) % 10, int(x / 65536) % 2 } }' >ten
tr ' ' , <ten >ten.csv
awk 'BEGIN { for (x = i = 0; i < 100000; i++) { x = (x * 69069 + 1) % 4294967296
    print "k" int(x / 4096) % 1000, int(x / 65536) % 2 } }' >thousand
awk 'BEGIN { for (x = i = 0; i < 1000000; i++) { x = (x * 69069 + 1) % 4294967296
    printf "%.2f\n", int(x / 65536) % 100 / 100 } }' >cents
awk 'BEGIN { for (x = i = 0; i < 20000; i++) for (j = 0; j < 50; j++) {
    x = (x * 69069 + 1) % 4294967296
    printf "%d%s", int(x / 65536) % 2, j < 49 ? " " : "\n" } }' >costs
for n in 1000 10000 100000; do
	seq -f 's%.0f' $n >domain.$n
done
awk 'BEGIN { for (x = i = 0; i < 20000; i++) { x = (x * 69069 + 1) % 4294967296
    print "s" int(x / 65536) % 1000 + 1 } }' >symbols
awk 'BEGIN { for (i = 0; i < 525600; i++) print 1767225600 + i * 60 }' >minutes
awk '{ print $1 ",k" NR % 1000 }' minutes >keyed.minutes
awk 'BEGIN { for (i = 0; i < 262800; i++) print 757382400 + i * 3600 "," i % 1000 }' >hours
ten=k0,k1,k2,k3,k4,k5,k6,k7,k8,k9

echo "planning (no data)"
row 'windows 1,1M' 0 'dpwindow -e 1 -w 1,1M /dev/null'
row 'windows 60,3600,86400,604800' 0 'dpwindow -e 1 -w 60,3600,86400,604800 /dev/null'
row 'windows 1,10,..,1G' 0 'timeout 20 dpwindow -e 1 \
    -w 1,10,100,1k,10k,100k,1M,10M,100M,1G /dev/null'
row 'window 2^26 + 1' 0 'dpwindow -e 1 -w 67108865 --explain'
row 'window 2^26' 0 'dpwindow -e 1 -w 67108864 --explain'
row 'window 123456789' 0 'dpwindow -e 1 -w 123456789 /dev/null'
row 'window 333333333' 0 'dpwindow -e 1 -w 333333333 /dev/null'
row 'decay .999999999, T = 1M' 0 'dpdecay -e 1 -a .999999999 -T 1M /dev/null'
row 'power 1.5, T = 10M, --explain' 0 'dpdecay -e 1 -p 1.5 -T 10M --explain'
row 'power 0.1, T = 1M, --explain' 0 'dpdecay -e 1 -p 0.1 -T 1M --explain'
row 'power 7.176, T = 2382149, --explain' 0 'dpdecay -e 1 -p 7.176 -T 2382149 --explain'
row 'power 1.5, T = 10M' 0 'dpdecay -e 1 -p 1.5 -T 10M /dev/null'
row 'power 1.5, T = 10M, -M input' 0 'dpdecay -e 1 -p 1.5 -T 10M -M input /dev/null'
row 'count, T = 2^50, epsilon 1000' 0 'dpcount -e 1000 -T 1125899906842624 /dev/null'
row 'count, T = 2^30, epsilon 10^-9, --explain' 0 'dpcount -e 0.000000001 -T 1G --explain'
row 'norm tree, epsilon 10^-6, --explain' 0 'dpcount -e 0.000001 -T 1M -M normtree --explain'
row 'count, T unknown' 0 'dpcount -e 1 /dev/null'
row 'count, T unknown, 1000 keys' 0 'dpcount -e 1 -k 1 --keys=@keys /dev/null'
row 'count, T = 744, -B (30 ms)' 0 'dpcount -e 1 -T 744 -B /dev/null'
row 'count, T = 1000, -B (30 ms)' 0 'dpcount -e 1 -T 1000 -B /dev/null'
row 'count, T = 100k, -B (30 ms)' 0 'dpcount -e 1 -T 100k -B /dev/null'
row 'count, a range of 1000, -B' 0 'dpcount -e 1 -r 0:1000 -T 1000 -B /dev/null'
# at most 60 ms and 6.5 MiB at any epsilon from .05 on and T up to 2^24: the dearest of them
for setting in '.05 365' '.1 365' '.15 2048' '.25 2048' '.27 1000' '.29 2048' '.3 2049' \
    '.5 16777216' '1 16777216'; do
	row "count, epsilon ${setting% *}, T = ${setting#* } (60 ms)" 0 \
	    "dpcount -e ${setting% *} -T ${setting#* } /dev/null"
done
row 'leaders of 4, T = 1000 (50 ms)' 0 'dpmaxsum -e 1 -T 1000 --columns=4 /dev/null'
row 'leaders of 4, T = 1M, the choice (50 ms)' 0 'dpmaxsum -e 1 -T 1M --columns=4 /dev/null'
row 'leaders of 4, T = 1M (50 ms)' 0 'dpmaxsum -e 1 -T 1048576 --columns=4 --both /dev/null'
row 'leaders of 4, T = 1000, --both -B' 0 'dpmaxsum -e 1 -T 1000 --columns=4 --both -B /dev/null'
row 'leaders of 4, T = 1M, --both -B' 0 'dpmaxsum -e 1 -T 1M --columns=4 --both -B /dev/null'
row 'leaders of 4, T = 1M, --explain' 0 'dpmaxsum -e 1 -T 1048576 --columns=4 --both --explain'
row 'leaders of 4, T unknown' 0 'dpmaxsum -e 1 --columns=4 --both /dev/null'
row 'window 123456789, --explain' 0 'dpwindow -e 1 -w 123456789 --explain'
row 'leaders of 4, T = 1M, a delta' 0 'dpmaxsum -e 1 -T 1048576 --columns=4 --both \
    -d 1e-9 /dev/null'
row 'distinct' 0 'dpdistinct -e 1 /dev/null'
row 'leaders of 100, T = 1M, a delta' 0 'dpmaxsum -e 1 -T 1M --columns=100 --both -d 1e-9 /dev/null'
row 'answers, T = 2^50' 0 'dptransform -e 3 -T 1125899906842624 --sensitivity=1 --changes=5 \
    /dev/null'
row 'distinct, --explain' 0 'dpdistinct -e 1 --explain'
row 'count, T = 2^30' 0 'dpcount -e 1 -T 1G /dev/null'
echo "state"
row 'batch of 100k lines' 0 'dpcount -e 1 -T 10M --state=a.state --init --batch=1 few'
row 'batch of 2M lines' 0 'dpcount -e 1 -T 10M --state=a.state --init --batch=1 bits'
row '-u --state, 1M lines' 0 \
    'dpcount -e 1 -T 10M -u 1 -c 9 -v 2 -r 0:1 --state=a.state --init users'
row '-u, 1M lines' 0 'dpcount -e 1 -T 10M -u 1 -c 9 -v 2 -r 0:1 users'
row '-w 86400 --state, 2M lines' 0 'dpwindow -e 1 -w 86400 --state=a.state --init bits'
row '--from --to --state, seconds, 4 months' 0 'dpcount -e 1 --csv -v 2 -r 0:1000 -t 1 \
    --time-format=epoch --bucket=1s --from=2026-01-01 --to=2026-04-27 --state=a.state --init \
    times.csv'
row '--out, 2M lines' 0 'dpcount -e 1 -T 10M --state=a.state --init --out=a.out bits'
"$O/tests/bench/bench_ledger" 52560
dpcount -e 1 -T 9 --budget=L <few >/dev/null 2>&1 || :
awk 'BEGIN { for (i = 0; i < 10000000; i++)
    print 1767225600 + int(i / 4) "\tu" i }' >identifiers
days='-v 2 -t 1 --time-format=epoch --bucket=1d --from=2026-01-01 --to=2026-01-30'
row '10M identifiers' 10000000 'dpdistinct -e 1 -v 2 --at-end identifiers'
row '10M identifiers, daily (200 MiB)' 10000000 "dpdistinct -e 1 $days identifiers"
row '--budget: the first run' 0 'dpbudget --init --total=9 a.out && \
    dpcount -q -e 1 -T 9 --budget=a.out /dev/null; rm -f a.out*'
row '--budget: a year later (as the first run)' 0 'dpcount -q -e 1 -T 9 --budget=L /dev/null'
# a run that goes on, of no lines: at most 10 ms at T = 365, 30 at any T, and --version's
awk 'BEGIN { for (i = 0; i < 70; i++) print 1 }' >ones
resumed() {
	rm -f r.kept*
	$1 --state=r.kept --init ones >/dev/null 2>&1
	row "resumed: $1" 0 "${1%% *} --state=r.kept /dev/null"
}
for command in 'dpcount -e 1 -T 365' 'dpcount -e .1 -T 365' 'dpcount -e 1 -T 1G' 'dpcount -e 1' \
    'dpwindow -e 1 -w 24' 'dpdecay -e 1 -p 1.5' 'dpmean -e 1 -r 0.0:1.0 -T 365' \
    'dpquantile -e 1 -r 0.0:1.0 --quantile=.5 -T 365' 'dpquantile -e 1 -r 0.0:1.0 --quantile=.5' \
    'dpdistinct -e 1 -T 365' 'dpdistinct -e 1' 'dpcount -e 1 -T 365 -B'; do
	resumed "$command"
done
echo "lines"
row 'plain' 2000000 'dpcount -e 1 -T 2M bits'
row 'T unknown' 2000000 'dpcount -e 1 bits'
row '-n' 2000000 'dpcount -e 1 -T 2M -n bits'
row '-o csv' 2000000 'dpcount -e 1 -T 2M -o csv bits'
row '-o json' 2000000 'dpcount -e 1 -T 2M -o json bits'
row '-m 1' 2000000 'dpcount -e 1 -T 2M -m 1 bits'
row '-v 1 -r 0:1' 2000000 'dpcount -e 1 -T 2M -v 1 bits'
row '-r 0:1.00' 1000000 'dpcount -e 1 -T 1M -r 0:1.00 cents'
row '-r 0:100: as fine, no decimals' 2000000 'dpcount -e 1 -T 2M -r 0:100 bits'
row '-B' 100000 'dpcount -e 1 -T 2M -B few'
row '-B, T = 1000 (5 us and the start)' 1000 'head -n 1000 few | dpcount -e 1 -T 1000 -B'
row '-B, a range of 1000 (5 us and the start)' 1000 \
    'head -n 1000 few | dpcount -e 1 -r 0:1000 -T 1000 -B'
row '-B.999, T = 250' 0 'head -n 250 few | dpcount -e 1 -T 250 -B.999'
row '-B.999, T = 1000, epsilon .1 (5 us and the start)' 1000 \
    'head -n 1000 few | dpcount -e .1 -T 1000 -B.999'
row '-B.999, decay' 100000 'dpdecay -e 1 -a .999 -T 100k -B.999 few'
row '-B.99' 100000 'dpcount -e 1 -T 2M -B.99 few'
row '-B, T = 1000, epsilon .1' 1000 'head -n 1000 few | dpcount -e .1 -T 1000 -B'
row '-B, epsilon .1' 100000 'dpcount -e .1 -T 2M -B few'
row '-B, T = 2M, a range of 1000 (5 us)' 100000 'dpcount -e 1 -r 0:1000 -T 2M -B few'
row '-B, T = 2M (300 ns)' 2000000 'dpcount -e 1 -T 2M -B bits'
row '-B, means of windows (5 us)' 100000 'dpmean -e 1 -r 0:1 -w 1000 -T 100k -B few'
row '-B, means of a month of seconds (300 ns)' 2678400 'dpmean -e 1 -B --csv -v 2 -r 0:100 -t 1 \
    --time-format=epoch --bucket=1s --from=2026-01-01 --to=2026-02-01 /dev/null'
row '-B, windows' 100000 'dpwindow -e 1 -w 1000 -B few'
row '-B, decay' 100000 'dpdecay -e 1 -a .999 -T 100k -B few'
row '-B, T unknown' 100000 'dpcount -e 1 -B few'
row '-P, short lines' 100000 'dpcount -e 1 -T 2M -P few'
row '-P, short lines, a pipe' 100000 'cat few | dpcount -e 1 -T 2M -P'
row '-P, its system calls alone' 100000 "$O/tests/bench/bench_calls <few"
row '-P, its system calls alone, a pipe' 100000 "cat few | $O/tests/bench/bench_calls"
row '-P, lines of 200 bytes' 100000 'dpcount -e 1 -T 2M -P wide'
row '-P, lines of 200 bytes, a pipe' 100000 'cat wide | dpcount -e 1 -T 2M -P'
row '-P -m, lines of 300 bytes' 100000 'dpcount -e 1 -T 2M -P -m 404 long'
row '1000 keys, -k' 500000 'dpcount -e 1 -k 1 --keys=@keys -t 2 --time-format=epoch \
    --bucket=1d --from=2026-01-01 --to=2026-01-02 keyed'
for bucket in 1d 1h; do
	row "100k keys, a year, $bucket" 1000000 "dpmap --shard=a -k 1 --keys=@many -t 2 \
	    --time-format=epoch --bucket=$bucket --from=2026-01-01 --to=2027-01-01 spread"
done
row 'a key, -k' 1000000 'dpcount -e 1 -T 1M -k 1 --keys=k0 ten'
row '10 keys, -k' 1000000 "dpcount -e 1 -T 1M -k 1 --keys=$ten ten"
row '10 keys, -k: a number (20 ns)' 10000000 "dpcount -e 1 -T 1M -k 1 --keys=$ten ten"
row '1000 keys, -k: a number (20 ns)' 100000000 'dpcount -e 1 -T 1M -k 1 --keys=@keys thousand'
row '1000 keys, --top=5 (35 us)' 10000 'head -n 10000 thousand |
    dpcount -e 1 -T 1M -k 1 --keys=@keys --top=5'
row 'leaders of 1000, by lines (15 us)' 100000 'dpmaxsum -e 1 -T 1M -k 1 --keys=@keys thousand'
row 'leaders of 1000, a year of minutes (12 us)' 525600 'dpmaxsum -e 1 -k 2 --keys=@keys -t 1 \
    --csv --time-format=epoch --bucket=1m --from=2026-01-01 --to=2027-01-01 keyed.minutes'
row 'median so far, 30 years of hours (20 us)' 262800 'dpquantile -e 1 --running --csv -v 2 \
    -r 0:1000 -t 1 --time-format=epoch --bucket=1h --from=1994-01-01 --to=2024-01-01 hours'
row '10 keys, -o csv' 1000000 "dpcount -e 1 -T 1M -k 1 --keys=$ten -o csv ten"
row '10 keys, -o json' 1000000 "dpcount -e 1 -T 1M -k 1 --keys=$ten -o json ten"
row '10 keys, --csv -v' 1000000 "dpcount -e 1 -T 1M --csv -k 1 -v 2 -r 0:1 --keys=$ten ten.csv"
echo "the same and no noise: formats alone"
row 'exact: plain' 2000000 'dpcount -e inf -T 2M bits'
row 'exact: -n' 2000000 'dpcount -e inf -T 2M -n bits'
row 'exact: -o csv' 2000000 'dpcount -e inf -T 2M -o csv bits'
row 'exact: -o json' 2000000 'dpcount -e inf -T 2M -o json bits'
row 'exact: -m 1' 2000000 'dpcount -e inf -T 2M -m 1 bits'
row 'exact: -v 1 -r 0:1' 2000000 'dpcount -e inf -T 2M -v 1 bits'
row 'exact: -r 0:1.00' 1000000 'dpcount -e inf -T 1M -r 0:1.00 cents'
row 'exact: a key, -k' 1000000 'dpcount -e inf -T 1M -k 1 --keys=k0 ten'
row 'exact: 10 keys, -k' 1000000 "dpcount -e inf -T 1M -k 1 --keys=$ten ten"
row 'exact: 10 keys, -o json' 1000000 "dpcount -e inf -T 1M -k 1 --keys=$ten -o json ten"
echo "other mechanisms"
row 'weights, 10^4' 2000000 'dpdecay -e 1 -T 2M --weights=weights.10000 bits'
row 'weights, 10^6' 2000000 'timeout 60 dpdecay -e 1 -T 2M --weights=weights.1000000 bits'
row 'window of 1M' 2000000 'dpwindow -e 1 -w 1M bits'
row 'answers of 0/1 (90 ns: mawk with rand())' 2000000 'dplocal -e 1 --domain=0,1 bits'
for n in 1000 10000 100000; do
	row "answers, $n symbols (3 us)" 20000 "dplocal -e 1 --domain=@domain.$n symbols"
	dplocal -e 1 --domain=@domain.$n symbols >answers
	row "answers, $n symbols, --estimate (3 us)" 20000 \
	    "dplocal -e 1 --domain=@domain.$n --estimate answers"
done
row 'experts, 50 columns: a cell (100 ns)' 1000000 'dpexperts -e 1 -T 20000 --columns=50 costs'
row 'experts, T = 1M: a cell (100 ns)' 1000000 'dpexperts -e 1 -T 1M --columns=50 costs'
row 'power 1.5' 2000000 'dpdecay -e 1 -p 1.5 -T 2M bits'
awk 'BEGIN { for (x = i = 0; i < 1000000; i++) { x = (x * 69069 + 1) % 4294967296
    print 1767225600 + int(i * 31.536), "n" int(x / 4096) % 58000 } }' >named
row 'dptop -w 1, 58k names, 8760 buckets (500 ns)' 1000000 'dptop -e 1 -d 1e-6 -w 1 -k 2 -t 1 \
    --time-format=epoch --bucket=1h --from=2026-01-01 --to=2027-01-01 named'
seq 100000 >numbers
row 'distinct, -P, its start (30 ms)' 0 'dpdistinct -e 1 -P -T 2M -M hashed-bits /dev/null'
row 'distinct, -P, after every line (5 us)' 100000 'dpdistinct -e 1 -P -T 2M -M hashed-bits numbers'
echo "memory: 4 MiB, windows 8 bytes a step besides"
row 'resident: -T' 100000 'dpcount -e 1 -T 2M few'
row 'resident: -m' 100000 'dpcount -e 1 -T 2M -m 1 few'
row 'resident: T unknown' 2000000 'dpcount -e 1 bits'
row 'resident: -B' 100000 'dpcount -e 1 -T 2M -B few'
row 'resident: -P' 100000 'dpcount -e 1 -T 2M -P few'
row 'resident: --state' 100000 'dpcount -e 1 -T 2M --state=a.state --init few'
row 'resident: window of 1000' 100000 'dpwindow -e 1 -w 1000 few'
row 'resident: window of 1M' 2000000 'dpwindow -e 1 -w 1M bits'
row 'resident: decay .999' 100000 'dpdecay -e 1 -a .999 few'
row 'resident: power 1.5' 100000 'dpdecay -e 1 -p 1.5 -T 2M few'
row 'resident: --budget' 100000 'dpbudget --init --total=9 a.out && \
    dpcount -e 1 -T 2M --budget=a.out few; rm -f a.out*'
row 'resident: names, ten years of minutes (156 MiB)' 0 'dptop -e 1 -d 1e-6 -k 2 -t 1 \
    --time-format=epoch --bucket=1m --from=2016-01-01 --to=2026-01-01 /dev/null'
row 'resident: -w 1, ten years of minutes (8 MiB)' 0 'dptop -e 1 -d 1e-6 -w 1 -k 2 -t 1 \
    --time-format=epoch --bucket=1m --from=2016-01-01 --to=2026-01-01 /dev/null'
echo "logs, hourly buckets"
clf='-t 4 --time-format=clf --bucket=1h'
range='--from=2024-01-01 --to=2024-02-01'
row '-m' 1000000 "dpcount -e 1 -m ' 404 ' $clf $range log"
row 'no -m' 1000000 "dpcount -e 1 $clf $range log"
row '-m --public-times' 1000000 "dpcount -e 1 -m ' 404 ' $clf --public-times log"
row '-k' 1000000 "dpcount -e 1 -k 9 --keys=200,304,404 $clf $range log"
row '-m -i' 1000000 "dpcount -e 1 -i -m ' 404 ' $clf $range log"
row '-u' 1000000 "dpcount -e 1 -u 1 -c 9 $clf $range log"
log="--log=combined -k status --keys=200,304,404 --bucket=1h $range"
row '--log=combined -k status, start' 0 "dpcount -e 1 $log /dev/null"
row '--log=combined, status (130 ns and the start)' 1000000 "dpcount -e 1 $log log"
row '--log=combined, a field of the tail' 1000000 "dpcount -e 1 $log --where=referer~e log"
echo "every log of --log=list, and JSON: 50 MB, statuses, levels or programs by the day"
awk -f "$here/formats.awk"
# rate LOG KEY KEYS [OPTIONS]: MB/s
rate() {
	printf '%s\n' "--log=$1" | grep -qE -- "$only" || return 0
	awk '/^#/ { print; next }
		{ line[++n] = $0 }
		END { while (bytes < 5e7) for (i = 1; i <= n; i++) {
			print line[i]
			bytes += length(line[i]) + 1
		} }' "$1" >"big.$1"
	for _ in 1 2 3; do
		"$cost" dpcount -e 1 "${4-"--log=$1"}" ${5:+"$5"} ${6:+"$6"} -k "$2" --keys="$3" \
		    --bucket=1d --from=2026-05-01 --to=2026-05-04 "big.$1" 2>/dev/null
	done | sort -n | sed -n 2p | awk -v name="$1" -v n="$(wc -c <"big.$1")" '{
		printf "%-46s %7.0f MB/s\n", name, n / $1 / 1e6 }'
	rm "big.$1"
}
for log in common combined vhost lighttpd traefik haproxy squid alb s3 caddy ltsv logfmt \
    syslog+combined docker+combined; do
	rate $log status 200,404
done
for log in syslog journal rfc5424; do
	rate $log program sshd,nginx
done
rate journald SYSLOG_IDENTIFIER sshd,nginx
for log in docker cri; do
	rate $log stream stdout,stderr
done
for log in nginx-error apache-error; do
	rate $log level error,crit
done
rate postgres level LOG,ERROR
rate csvlog error_severity LOG,ERROR
rate w3c sc-status 200,404
mv common goaccess
rate goaccess status 200,404 '--log-format=%h %^[%d:%t %^] "%r" %s %b'
rate json status 200,404 --json -ttime --time-format=iso
for _ in 1 2 3 4 5 6 7 8 9 10; do
	cat log
done >logs
row 'dpmap, 2 GB' 10000000 "dpmap $log logs"
row 'dpmap, 2 GB, 30 slices (19/20, and 30 starts)' 10000000 "for i in \$(seq 30); do
    dpmap $log --slice=\$i/30 logs; done"
row 'dpmap, 30 starts' 10000000 "for i in \$(seq 30); do
    dpmap $log --slice=\$i/30 few; done"
rm logs
echo "a zone: the start at most 1 ms, and a year 1.2 times, above UTC"
year='-t 1 --time-format=epoch --bucket=1h --from=2026-01-01 --to=2027-01-01'
for zone in UTC Europe/Berlin; do
	row "$zone, start" 0 "dpcount -e 1 $year --tz=$zone /dev/null"
	row "$zone, minutes of a year" 525600 "dpcount -e 1 $year --tz=$zone minutes"
done
