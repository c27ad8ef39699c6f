#!/bin/sh
# SPDX-License-Identifier: ISC
# Speed side by side: each row alternates the two commands A B A B .. and prints the median of the
# paired ratios (how many times faster A is) with both medians.  usage: bench.sh BUILD [BASE] B is
# mawk doing the same or, with BASE, the tool of that other build: above 1.00x BUILD is the faster
# one.
set -eu
O=$1
BASE=${2-}
R=${ROUNDS:-7}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
gen=$O/tests/bench/bench_gen

now() {
	date +%s.%N
}

# seconds COMMAND: one run, standard output thrown away by the command itself
seconds() {
	s=$(now)
	sh -c "$1" 2>/dev/null
	e=$(now)
	echo "$s $e" | awk '{ printf "%.4f", $2 - $1 }'
}

median='function median(v, k,   i, j, t) {
	for (i = 2; i <= k; i++)
		for (j = i; j > 1 && v[j - 1] > v[j]; j--) {
			t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
		}
	return v[int((k + 1) / 2)]
}'

# pair NAME UNITS UNIT A B: UNITS things of UNIT a run
pair() {
	b=$5
	[ -z "$BASE" ] || b="PATH=$BASE/bin:\$PATH; O=$BASE; $4"
	: >"$dir/times"
	i=0
	while [ $i -lt "$R" ]; do
		echo "$(seconds "O=$O; $4") $(seconds "$b")" >>"$dir/times"
		i=$((i + 1))
	done
	awk -v name="$1" -v n="$2" -v unit="$3" -v digits="${BASE:+2}" "$median"'
		{ a[NR] = $1; b[NR] = $2; r[NR] = $2 / $1 }
		END {
			ma = median(a, NR); mb = median(b, NR); mr = median(r, NR)
			printf "%-44s %6.*fx   %8.1f against %8.1f %s\n", name,
			    digits == "" ? 1 : digits, mr, n / ma,
			    n / mb, unit
		}' "$dir/times"
}

echo "generating input .."
"$gen" bits 16777216 >"$dir/bits"
"$gen" log 1000000 >"$dir/log"
"$gen" csv 3000000 >"$dir/csv"
head -n 10485760 "$dir/bits" | paste -d ' ' - - - - - - - - - - >"$dir/rows"
seq -f 'k%.0f' 10000 >"$dir/keys"
awk 'BEGIN { for (x = i = 0; i < 2000000; i++) { x = (x * 69069 + 1) % 4294967296
    print int(i / 20000) * 3600, "k" int(x / 65536) % 10000 + 1 } }' >"$dir/keyed"
from=2000-01-01 to=2040-01-01
first=$(head -n 1 "$dir/log" | sed 's/.*\[\([^:]*\):.*/\1/')
last=$(tail -n 1 "$dir/log" | sed 's/.*\[\([^:]*\):.*/\1/')
day() {
	LC_ALL=C date -ud "$(echo "$1" | tr / ' ') $2" +%F
}
from=$(day "$first" "") to=$(day "$last" "+1 day")
mb=$(wc -c <"$dir/log" | awk '{ print $1 / 1e6 }')
head -n 100000 "$dir/log" | awk -F '"' '{
	split($1, a, /[][ ]+/)
	split($2, r, " ")
	split($3, s, " ")
	printf "{\"time\":\"%s\",\"client\":{\"host\":\"%s\"},\"method\":\"%s\",\"path\":\"%s\"," \
	    "\"status\":%d,\"bytes\":%d,\"agent\":\"%s\"}\n", a[4], a[1], r[1], r[2], s[1], s[2], $6
}' >"$dir/json"
json=$(wc -c <"$dir/json" | awk '{ print $1 / 1e6 }')

echo "dputils against ${BASE:-mawk}, medians of $R paired rounds:"
pair "0/1 lines, file, epsilon 1, T = 2^24" 16.777216 "million lines/s" \
	"dpcount -e 1 -T 16777216 $dir/bits >/dev/null" \
	"mawk '{s+=\$1; print s}' $dir/bits >/dev/null"
pair "0/1 lines, through pipes, epsilon 1" 16.777216 "million lines/s" \
	"cat $dir/bits | dpcount -e 1 -T 16777216 | cat >/dev/null" \
	"cat $dir/bits | mawk '{s+=\$1; print s}' | cat >/dev/null"
pair "0/1 lines, file, exact (-e inf)" 16.777216 "million lines/s" \
	"dpcount -e inf -T 16777216 $dir/bits >/dev/null" \
	"mawk '{s+=\$1; print s}' $dir/bits >/dev/null"
pair "last 3600 of 0/1 lines, epsilon 1" 16.777216 "million lines/s" \
	"dpwindow -e 1 -w 3600 $dir/bits >/dev/null" \
	"mawk '{i=NR%3600; s+=\$1-a[i]; a[i]=\$1; print s}' $dir/bits >/dev/null"
pair "decay .999 of 0/1 lines, epsilon 1" 16.777216 "million lines/s" \
	"dpdecay -e 1 -a .999 $dir/bits >/dev/null" \
	"mawk '{s=s*.999+\$1; print s}' $dir/bits >/dev/null"
pair "a count's intervals (-B), against without" 1.048576 "million lines/s" \
	"head -n 1048576 $dir/bits | dpcount -e 1 -T 1048576 -B >/dev/null" \
	"head -n 1048576 $dir/bits | dpcount -e 1 -T 1048576 >/dev/null"
pair "10 columns of 0/1, which leads, epsilon 1" 1.048576 "million lines/s" \
	"dpmaxsum -e 1 -T 1048576 --columns=10 --select $dir/rows >/dev/null" \
	"mawk '{for (i = 1; i <= 10; i++) if ((s[i] += \$i) > s[m]) m = i; print m}' \
	    $dir/rows >/dev/null"
pair "10,000 keys in hourly buckets, which leads" 2 "million events/s" \
	"dpmaxsum -e 1 --select -k 2 --keys=@$dir/keys -t 1 --time-format=epoch --bucket=1h \
	    --from=0 --to=360000 $dir/keyed >/dev/null" \
	"mawk '{if (\$1 != t) {print m; t = \$1} if (++s[\$2] > s[m]) m = \$2} END {print m}' \
	    $dir/keyed >/dev/null"
pair "answers to 0/1 lines, epsilon 1" 16.777216 "million lines/s" \
	"dplocal -e 1 --domain=0,1 $dir/bits >/dev/null" \
	"mawk '{print rand() < .7310586 ? \$1 : 1 - \$1}' $dir/bits >/dev/null"
pair "200-byte log lines, -m, hourly buckets" "$mb" "MB/s" \
	"dpcount -e 1 -m '\" 404 ' -t 4 --time-format=clf --bucket=1h \
	    --from=$from --to=$to $dir/log >/dev/null" \
	"mawk '/\" 404 /{h=substr(\$4,2,14); n[h]++} \
	    END{for(h in n) print h, n[h]}' $dir/log >/dev/null"
pair "the same, --log=combined, status by hour" "$mb" "MB/s" \
	"dpcount -e 1 --log=combined -k status --keys=200,304,404,500 --bucket=1h \
	    --from=$from --to=$to $dir/log >/dev/null" \
	"mawk '{n[substr(\$4,2,14), \$9]++} \
	    END{for(h in n) print h, n[h]}' $dir/log >/dev/null"
pair "JSON lines, status by hour, against jq" "$json" "MB/s" \
	"dpcount -e 1 --json -k status --keys=200,304,404,500 -t time --time-format=clf \
	    --bucket=1h --from=$from --to=$to $dir/json >/dev/null" \
	"jq -r '[.time[0:14], .status] | @tsv' $dir/json | mawk '{n[\$0]++} \
	    END{for(h in n) print h, n[h]}' >/dev/null"
pair "CSV, quotes, column 3, epsilon 1" 3 "million rows/s" \
	"dpcount -e 1 -T 3000000 --csv -v 3 -r 0:1000 $dir/csv >/dev/null" \
	"mawk -F, '{s+=\$3; print s}' $dir/csv >/dev/null"
pair "CSV, exact (-e inf)" 3 "million rows/s" \
	"dpcount -e inf -T 3000000 --csv -v 3 -r 0:1000 $dir/csv >/dev/null" \
	"mawk -F, '{s+=\$3; print s}' $dir/csv >/dev/null"
pair "CSV, every row through libcsv, exact" 3 "million rows/s" \
	"\$O/tests/bench/bench_csv $dir/csv >/dev/null" \
	"mawk -F, '{s+=\$3; print s}' $dir/csv >/dev/null"

# noise BUILD, latency BUILD: rows of a label, a tab, and a time
noise() {
	timeout 120 "$1/tests/bench/bench_noise" | tr -d '()' | awk '
		/^(b|sigma)/ { label = $1 " = " $3; print label ", 1 a call\t" $4;
		    print label ", 1024 a call\t" $6 }
		/^b/ { print label ", kernel, 1 a call\t" $8 }'
}

latency() {
	printf 'answer to a line\t'
	PATH=$1/bin:$PATH "$1/tests/bench/bench_latency" dpcount -e 1 -T 1000000
	echo
}

# compare PROGRAM UNIT ROUNDS: each row of BUILD's times against BASE's
compare() {
	i=0
	while [ $i -lt "$3" ]; do
		"$1" "$O" | sed 's/^/a\t/'
		"$1" "$BASE" | sed 's/^/b\t/'
		i=$((i + 1))
	done | awk -F '\t' -v unit="$2" "$median"'
		!($2 in n) { order[++rows] = $2; n[$2] = 0 }
		$1 == "a" { t[$2, ++n[$2]] = $3 + 0 }
		$1 == "b" { u[$2, n[$2]] = $3 + 0 }
		END {
			for (i = 1; i <= rows; i++) {
				k = n[order[i]]
				for (j = 1; j <= k; j++) {
					a[j] = t[order[i], j]; b[j] = u[order[i], j]
					r[j] = a[j] > 0 ? b[j] / a[j] : 0
				}
				printf "%-44s %6.2fx   %8.1f against %8.1f %s\n", order[i],
				    median(r, k), median(a, k),
				    median(b, k), unit
			}
		}'
}

if [ -n "$BASE" ]; then
	compare noise 'ns a draw' 3
	compare latency us "$R"
	exit
fi
echo
echo "noise:"
timeout 120 "$O/tests/bench/bench_noise"
echo
printf 'a line into a pipe is answered after: median '
"$O/tests/bench/bench_latency" dpcount -e 1 -T 1000000
echo
printf 'peak memory: '
for c in "dpcount -e 1 -T 16777216 $dir/bits" \
    "dpcount -e 1 -m 404 -t 4 --time-format=clf --bucket=1h --from=$from --to=$to $dir/log" \
	"dpcount -e 1 -T 1000000 --csv -v 3 -r 0:1 $dir/csv"; do
	# shellcheck disable=SC2086	# words
	/usr/bin/time -f %M $c 2>&1 >/dev/null | tail -n 1 | tr '\n' ' '
done
echo KiB
echo
sh "$(dirname "$0")/bench_distinct.sh"
