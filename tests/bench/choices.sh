#!/bin/sh
# SPDX-License-Identifier: ISC
# sh tests/bench/choices.sh [N]: what auto chooses in each of some 8000 settings, or in every N-th
# of them.  Prints, for each tool and mechanism, in how many it is eligible and in how many chosen,
# and by how much the largest error would be more at worst without it, and in which setting.
set -eu

settings() {
	for e in .01 .03 .1 .2 .3 1 3 10; do
		for d in '' ' -d 1e-9' ' -d 1e-6'; do
			for T in '' 10 30 100 365 1000 4096 100000 1048576 1073741824 \
			    1099511627776; do
				for r in '' ' -r 0:100' ' -r -1:1'; do
					of "$T" " -e $e$d${T:+ -T $T}$r"
				done
				with "$T" "$d" " -e $e$d${T:+ -T $T}"
			done
		done
	done
}

# of HORIZON OPTIONS: what every range is asked for
of() {
	echo "dpcount$2"
	for w in 2 7 30 100 1000; do
		[ -n "$1" ] && [ $w -gt "$1" ] || echo "dpwindow -w $w$2"
	done
	for h in 1 5 100 1000; do
		echo "dpdecay --half-life=$h$2"
	done
}

# with HORIZON DELTA OPTIONS: the range of a line
with() {
	[ -z "$1" ] || for p in .5 1 2; do
		echo "dpdecay --power=$p$3"
	done
	[ -n "$2" ] || echo "dpcount -P$3"
	echo "dpmaxsum --columns=10$3"
}

if [ $# -eq 2 ]; then
	# one setting; what no mechanism can do is left out
	$2 --explain=json </dev/null 2>/dev/null | jq -r --arg of "$2" '.mechanism as $m |
	    .eligible | (map(select(.mechanism == $m))[0].rmse_max) as $best |
	    (map(select(.mechanism != $m)) | map(.rmse_max) | min // infinite) as $next |
	    .[] | [.mechanism, if .mechanism == $m then 1 else 0 end,
	    if .mechanism == $m and $best > 0 then
	    ([$next / $best, 9999] | min * 1000 | round / 1000) else 1 end, $of] | @tsv' || :
	exit
fi
settings | awk -v n="${1:-1}" 'NR % n == 0' | tr '\n' '\0' |
    xargs -0 -n 1 -P "$(nproc)" sh "$0" one | sort | awk -F '\t' '
    { split($4, w, " "); k = w[1] " " $1; all[k]++; chosen[k] += $2; seen[$4] = 1 }
    $3 > more[k] { more[k] = $3; at[k] = $4 }
    END {
	for (s in seen)
		n++
	printf "%d settings\n%-9s %-16s %8s %8s  %s\n", n, "tool", "mechanism", "eligible",
	    "chosen", "largest error without it, at worst"
	for (k in all) {
		split(k, w, " ")
		worst = chosen[k] == 0 ? "-" : more[k] > 1000 ? "no other" : "x " more[k]
		row = sprintf("%-9s %-16s %8d %8d  %s  %s", w[1], w[2], all[k], chosen[k], worst,
		    chosen[k] == 0 ? "" : at[k])
		print row | "sort"
	}
    }'
