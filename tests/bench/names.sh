#!/bin/sh
# SPDX-License-Identifier: ISC
# names.sh [LOG [RUNS]]: which pages of a log in the Combined Log Format dptop tells of, hour by
# hour, over RUNS seeds, epsilon 1, delta 1e-6: the median number of pages, those of the ten asked
# for most among them, the most pages with fewer than 20 requests, and the median hour at which each
# of the ten is told of first.  LOG: that of the demonstration; without one nothing is printed.
set -eu
log=${1:-$(dirname "$0")/../../../shared/data/apache_access.log}
runs=${2:-60}
[ -r "$log" ] || exit 0
log=$(cd "$(dirname "$log")" && pwd)/${log##*/}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

# names ARG ..: dptop of all hours of the log
names() {
	dptop -q --log=combined --bucket=1h --from="$from" --to="$to" -k path "$@" "$log" \
	    2>/dev/null
}

dptop --check -q --log=combined --bucket=1h --from=1970-01-01 --to=2100-01-01 -k path "$log" \
    2>/dev/null | sed -n 's/.*[[:blank:]]step=\([^[:blank:]]*\).*/\1/p' | sort >hours
from=$(head -n 1 hours)
to=$(date -u -d "@$(($(date -u -d "$(tail -n 1 hours)" +%s) + 3600))" +%Y-%m-%dT%H:%M:%SZ)

names -e inf >true
last=$(tail -n 1 true | cut -f 1)
awk -F '\t' -v last="$last" '$1 == last' true >end
cut -f 1 true | uniq >steps

for seed in $(seq "$runs"); do
	names -e 1 -d 1e-6 --seed="$seed" | awk -F '\t' '
		FILENAME == "steps" { hour[$1] = ++steps; next }
		FILENAME == "end" { n[$2] = $3; if (FNR <= 10) rank[$2] = FNR; next }
		!($2 in at) {
			at[$2] = hour[$1]
			told++
			rare += n[$2] < 20
			if ($2 in rank)
				first[rank[$2]] = at[$2]
		}
		END {
			for (i = 1; i <= 10; i++)
				top += i in first
			printf "%d %d %d", told, top, rare
			for (i = 1; i <= 10; i++)
				printf " %d", i in first ? first[i] : steps + 1
			print ""
		}' steps end -
done >all

# median COLUMN
median() {
	cut -d ' ' -f "$1" all | sort -n | awk '{ v[NR] = $1 }
	    END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

echo "| pages told of | of the first ten | with fewer than 20 requests | hours of the first ten |"
echo "|---|---|---|---|"
most=$(cut -d ' ' -f 3 all | sort -n | tail -n 1)
printf '| %s | %s | %s |' "$(median 1)" "$(median 2)" "$most"
for i in 4 5 6 7 8 9 10 11 12 13; do
	printf ' %s' "$(median $i)"
done
echo ' |'
