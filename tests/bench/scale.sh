#!/bin/sh
# SPDX-License-Identifier: ISC
# scale.sh [LINES]: what each step of a day's counting costs where 50 machines have 200 GB of log
# each, in processor time: measured on a slice of so many lines, best of three, and multiplied.
set -eu
lines=${1:-1000000}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
umask 077

# used COMMAND ...: its processor time in seconds, the least of three runs
used() {
	for _ in 1 2 3; do
		bash -c 'TIMEFORMAT="%U %S"; time "$@" >out 2>/dev/null' x "$@" 2>&1
	done | awk '{ t = $1 + $2; if (NR == 1 || t < least) least = t } END { print least }'
}

# Lines of 200 bytes, of a day; a client has ten or so
awk -v n="$lines" 'BEGIN { srand(7); for (i = 0; i < n; i++) {
    s = int(i * 86400 / n); c = int(rand() * n / 10)
    printf "10.%d.%d.%d - - [01/May/2026:%02d:%02d:%02d +0000] \"GET /item/%d HTTP/1.1\" %d %d " \
        "\"https://www.example.org/list\" \"Mozilla/5.0 (X11; Linux x86_64; rv:115.0) " \
        "Gecko/20100101 Firefox/115.0 %010d\"\n", c / 65536 % 256, c / 256 % 256, c % 256, s / 3600,
        s / 60 % 60, s % 60, rand() * 500, rand() < .9 ? 200 : rand() < .8 ? 404 : 503,
        rand() * 90000, i } }' >log
head -c 32 /dev/urandom >key
set -- --from=2026-05-01 --to=2026-05-02
gb=$(wc -c <log | awk '{ print $1 / 1e9 }')

counts=$(used dpmap --log=combined --bucket=1h -k status --keys=200,404,503 "$@" log)
cp out part
ids=$(used dpmap --log=combined --bucket=1d --identifiers --hash-key=key -v host "$@" \
    --shard=0 log)
cp out hashed
rows=$(grep -vc '^#' hashed)
head -n 1000 log >few
for i in $(seq 50); do
	dpmap --log=combined --bucket=1h -k status --keys=200,404,503 "$@" --shard="$i" few
done >parts 2>/dev/null
merge=$(used dpcount -q -e 1 --bucket=1h --keys=200,404,503 "$@" --partial --expect=50 parts)
awk -v n="$((2 * lines))" 'BEGIN { for (i = 0; i < n; i++) print i }' |
    dpmap --once --identifiers --hash-key=key --shard=0 >many 2>/dev/null
people=$(used dpdistinct -q -e 1 --once --partial many)

awk -v gb="$gb" -v counts="$counts" -v ids="$ids" -v rows="$rows" -v merge="$merge" \
    -v people="$people" -v many="$((2 * lines))" -v part="$(wc -c <part)" \
    -v hashed="$(wc -c <hashed)" '
	function row(step, where, slice, day) {
		print "| " step " | " where " | " slice " | " day " |"
	}
	BEGIN {
		row("step", "where", "of a slice", "a day of 10 TB on 50 machines")
		row("---", "---", "---", "---")
		row("requests by hour and status (`dpmap`)", "each of 50",
		    sprintf("%.2f s a GB", counts / gb),
		    sprintf("%.0f s of one core for 200 GB", 200 * counts / gb))
		row("clients as hashes (`dpmap --hash-key`)", "each of 50",
		    sprintf("%.2f s a GB", ids / gb),
		    sprintf("%.0f s of one core for 200 GB", 200 * ids / gb))
		row("parts of counts, sent", "50 to 1", sprintf("%.1f KB a part", part / 1e3),
		    sprintf("%.2f MB", 50 * part / 1e6))
		row("parts of hashes, sent", "50 to 1",
		    sprintf("%.0f bytes a client", hashed / rows),
		    sprintf("%.1f GB of 2 million clients on each", 1e8 * hashed / rows / 1e9))
		row("counts added up, noise drawn (`dpcount`)", "1",
		    sprintf("%.3f s for 50 parts", merge), "the same")
		row("clients, each once (`dpdistinct`)", "1",
		    sprintf("%.2f us a row", people / many * 1e6),
		    sprintf("%.0f s for 100 million rows", 1e8 * people / many))
	}'
