#!/bin/sh
# SPDX-License-Identifier: ISC
# How many different identifiers: error and speed of dpdistinct beside HyperLogLog (Algorithm::
# HyperLogLog, 4096 registers, no privacy), sort -u | wc -l (exact, no privacy) and dpcount -u.
# usage: bench_distinct.sh [LINES [DIFFERENT]], with the tools in PATH.  Each command runs
# ROUNDS times, all of them in turn; printed are the median of the seconds, the root mean square of
# the relative error, and how many times faster the command is than sort.
set -eu
n=${1:-2000000} d=${2:-100000}
R=${ROUNDS:-5}
here=$(dirname "$0")
sh "$here/deps.sh" libalgorithm-hyperloglog-perl
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# $d different ones, then the rest at random among them
awk -v n="$n" -v d="$d" 'BEGIN { for (i = 1; i <= n; i++) {
    x = (x * 69069 + 1) % 4294967296
    print i <= d ? i : 1 + int(x / 4294967296 * d) } }' >"$dir/ids"
known="dpdistinct -e 1 --at-end --universe=1000000"
blocks=--no-pan-private
cat >"$dir/hll.pl" <<-'END'
	use Algorithm::HyperLogLog;
	my $h = Algorithm::HyperLogLog->new(12);
	while (<>) { chomp; $h->add($_) }
	print $h->estimate;
END
cat >"$dir/commands" <<-END
	sort -u | wc -l (exact)	sort -u $dir/ids | wc -l
	HyperLogLog, 4096 registers, perl	perl $dir/hll.pl $dir/ids
	dpcount -u 1 -c 1, every step	dpcount -e 1 -T $n -u 1 -c 1 -m . $dir/ids | tail -n 1
	dpdistinct, exact table (running)	dpdistinct -e 1 --at-end -M running $dir/ids
	dpdistinct -P, bits (density)	$known -M density $dir/ids
	dpdistinct -P, cells, deletes too	$known -M cells $dir/ids
	dpdistinct, cells, read in blocks	$known -M cells $blocks $dir/ids
	dpdistinct -P, hashed, any identifier	dpdistinct -e 1 --at-end -M hashed $dir/ids
	dpdistinct, hashed, read in blocks	dpdistinct -e 1 --at-end -M hashed $blocks $dir/ids
END
i=0
while [ $i -lt "$R" ]; do
	while IFS='	' read -r name command; do
		s=$(date +%s.%N)
		got=$(sh -c "$command" 2>/dev/null)
		printf '%s\t%s\t%s\t%s\n' "$name" "$s" "$(date +%s.%N)" "$got"
	done <"$dir/commands"
	i=$((i + 1))
done >"$dir/runs"
echo "$n lines, $d different identifiers, epsilon 1, medians of $R rounds:"
awk -F '\t' -v d="$d" '
	!($1 in k) { order[++rows] = $1 }
	{ t[$1, ++k[$1]] = $3 - $2; e[$1] += ($4 / d - 1) ^ 2 }
	function median(name,   i, j, x) {
		for (i = 2; i <= k[name]; i++)
			for (j = i; j > 1 && t[name, j - 1] > t[name, j]; j--) {
				x = t[name, j]; t[name, j] = t[name, j - 1]; t[name, j - 1] = x
			}
		return t[name, int((k[name] + 1) / 2)]
	}
	END {
		printf "%-40s %9s %9s %10s\n", "", "seconds", "of sort", "rms error"
		for (i = 1; i <= rows; i++) {
			m = median(order[i])
			if (i == 1) sorted = m
			printf "%-40s %9.2f %8.1fx %9.3f%%\n", order[i], m, sorted / m,
			    100 * sqrt(e[order[i]] / k[order[i]])
		}
	}' "$dir/runs"
