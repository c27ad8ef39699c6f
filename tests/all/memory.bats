# SPDX-License-Identifier: ISC
# Peak memory against what --explain says of what grows: names, identifiers, buckets, keys.
load ../lib/helper

# peak COMMAND..: KiB at the most
peak() {
	command time -o peak -f %M "$@" >/dev/null 2>&1 && cat peak
}

# grows LEAST MOST N EMPTY FULL: bytes of each of N, where peaks are EMPTY and FULL KiB
grows() {
	awk -v least="$1" -v most="$2" -v n="$3" -v empty="$4" -v full="$5" 'BEGIN {
	    each = (full - empty) * 1024 / n
	    print each " bytes, not " least " to " most
	    exit !(each >= least && each <= most) }'
}

@test "memory: identifiers so far, and those that wait for the end of a range" {
	seq 300000 >in
	dpdistinct -e 1 --at-end --explain | grep 'up to 22 bytes .* each identifier so far$'
	grows 15 23 300000 "$(peak dpdistinct -e 1 --at-end /dev/null)" \
	    "$(peak dpdistinct -e 1 --at-end in)"
	local days=(--bucket=1d --from=2026-01-01 --to=2026-02-01 -t 1 --time-format=epoch -v 2)
	awk '{ print 1767225600 + $1 * 8, $1 % 1000 }' in >timed
	dpdistinct -e 1 -w 7 "${days[@]}" --explain |
	    grep 'each event of an identifier takes 40 to 80 bytes of memory until'
	grows 39 81 300000 "$(peak dpdistinct -e 1 -w 7 "${days[@]}" /dev/null)" \
	    "$(peak dpdistinct -e 1 -w 7 "${days[@]}" timed)"
	! dpdistinct -e 1 "${days[@]}" --explain | grep 'until the input ends'
}

@test "memory: hashes of identifiers, 32 to 64 bytes each, once and a half as they grow" {
	seq 300000 >in
	(umask 077 && echo 0123456789abcdef >key)
	local map=(dpmap --shard=a --once --identifiers --hash-key=key)
	grows 31 97 300000 "$(peak "${map[@]}" /dev/null)" "$(peak "${map[@]}" in)"
	# too little of it: no part, or one that is refused
	seq 3000000 >in
	run -1 bash -c 'ulimit -v 40000; exec "$@" >part 2>err' x "${map[@]}" in
	grep -qx 'dpmap: out of memory' err
	run -3 dpdistinct -e 1 --once --partial part
}

@test "memory: names, those of each bucket of a range, and thresholds" {
	seq 200000 | awk '{ print 1767225600 + $1 % 2, "n" $1 }' >in
	local one=(-e 1 -d 1e-6 -k 2 -t 1 --time-format=epoch --from=2026-01-01) each own=7
	one+=(--bucket=1d --to=2026-01-03)
	each=$(dptop "${one[@]}" --explain | sed -n 's/.*exactly: some \([0-9]*\) bytes .*/\1/p')
	dptop "${one[@]}" --explain |
	    grep 'of 2 buckets takes up to 22 bytes .* of its names, and 200 if it has any'
	grows $((each / 2)) $((each + own + 23)) 200000 "$(peak dptop "${one[@]}" /dev/null)" \
	    "$(peak dptop "${one[@]}" in)"
	# 525,600 buckets, of which none has a name: none takes memory
	one=("${one[@]/--bucket=1d/--bucket=1m}")
	one=("${one[@]/--to=2026-01-03/--to=2027-01-01}")
	(($(peak dptop "${one[@]}" -w 1 /dev/null) < 8192))
	local MiB
	MiB=$(dptop "${one[@]}" --explain | sed -n 's/.*to find tau takes \([0-9.]*\) MiB.*/\1/p')
	peak dptop "${one[@]}" /dev/null | awk -v MiB="$MiB" '{ print $1 / 1024, MiB
	    exit !($1 / 1024 > MiB && $1 / 1024 < 1.1 * MiB) }'
}

@test "memory: sums of a range, and keys" {
	local year=(-t 1 --time-format=epoch --bucket=1m --from=2026-01-01 --to=2027-01-01) said
	seq 525600 | awk '{ print 1767225540 + $1 * 60 "," $1 % 2 }' >in
	said=$(dpcount -e 1 --csv "${year[@]}" --explain | grep -o 'take up to [0-9.]* MiB' |
	    tr -cd 0-9.)
	grows 3.5 4.5 1000000 "$(peak dpcount -e 1 --csv "${year[@]}" /dev/null)" \
	    "$(peak dpcount -e 1 --csv "${year[@]}" in)"
	[ "$said" = 4.01 ]
	year+=(-k 2 --keys=0,1 --csv)
	said=$(dpcount -e 1 "${year[@]}" --explain | grep -o 'take up to .*')
	[ "$said" = "take up to 10 MiB of memory, or 36 for each number that an event is in, \
until the input ends" ]
	grows 7 10.5 1000000 "$(peak dpcount -e 1 "${year[@]}" /dev/null)" \
	    "$(peak dpcount -e 1 "${year[@]}" in)"
	seq 20000 | sed 's/^/k/' >keys
	echo k7 >line
	said=$(dpcount -e 1 -T 365 -k 1 --keys=@keys --explain |
	    sed -n 's/^memory .* column, \(.*\) MiB in all$/\1/p')
	peak dpcount -e 1 -T 365 -k 1 --keys=@keys line |
	    awk -v said="$said" '{ print $1 / 1024, said; exit !($1 / 1024 > said &&
		$1 / 1024 < 2 * said + 6) }'
}
