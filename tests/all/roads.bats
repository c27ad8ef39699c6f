#!/usr/bin/env bats
# Roads: a run whose records take the general road alone has the same bytes, messages and status.

load ../lib/helper
load ../fault/faults

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	awk 'BEGIN { srand(5); for (i = 0; i < 900; i++) {
	    r = rand()
	    if (r < .6) print int(10 * rand()); else if (r < .7) print -rand() * 9
	    else if (r < .8) print int(1e4 * rand()); else if (r < .85) print ""
	    else if (r < .9) print "x" i; else if (r < .95) print i "\r"
	    else print rand() } }' >numbers
	# TIME USER KEY VALUE, times out of order and some lines malformed
	awk 'BEGIN { srand(6); for (i = 0; i < 900; i++) {
	    t = 1000 + 7 * i + int(900 * rand()); r = rand()
	    if (r < .03) print "junk"; else if (r < .04) print ""
	    else print t, "u" int(40 * rand()), substr("abcde", 1 + int(5 * rand()), 1),
	        r < .1 ? "none" : int(30 * rand()) - 5 } }' >events
	# the same with text that the reader keeps elsewhere, until it reads the next record
	awk 'NF == 4 { gsub(/u/, "u\"\""); print $1 ",\"" $2 "\"," $3 "," $4 }' events >quoted
	awk 'NF == 4 { sub(/u/, "\\u0075"); print "{\"1\":" $1 ",\"2\":\"" $2 "\",\"3\":\"" $3 \
	    "\",\"4\":\"" $4 "\"}" }' events >objects
	for tool in dpcount dpwindow dpdecay dpmap dpdistinct; do
		mkdir -p general
		link_general "$tool"
	done
}

# link_general TOOL: without any road but the last
link_general() {
	[ -e fault.o ] || plant run/road.c 's/^\tconst struct road \*p = road;/&\n\tp += 4;/' .
	bind=now link "general/$1" "$DP_BUILD/cmd/$1.o" fault.o
}

# commands SEED N: so many command lines, from all that roads tell apart
commands() {
	awk -v seed="$1" -v n="$2" '
	function one(list,  a) { return a[1 + int(rand() * split(list, a, ";"))] }
	function some(p, text) { return rand() < p ? " " text : "" }
	BEGIN {
		srand(seed)
		for (i = 1; i <= n; i++) {
			tool = one("dpcount -M tree -T 2000;dpcount -T 999;dpwindow -w 7;" \
			    "dpcount -M kary -T 2000;dpdecay -a .9;dpcount -T 500")
			if (rand() < .5) {
				c = tool " " one("-r 0:9;-r -5:20;-r 0:1.00;-m 1;-m 1 --fixed;" \
				    "-m [27] -i;-m 3 --fixed --invert-match;;") \
				    some(.2, "--strict") some(.1, "-o json") some(.1, "-n") \
				    some(.1, "--nonnegative") some(.1, "--every=7") \
				    some(.1, "-F ,") some(.1, "--where=1") " numbers"
			} else if (rand() < .4) {
				c = tool some(.5, "-v 4 -r -5:9") some(.4, "-u 2 -c 3") \
				    some(.5, "-k 3 --keys=a,b,zz") some(.3, "-m a --fixed") \
				    some(.2, "--strict") some(.1, "--csv") " events"
			} else {
				tool = one("dpcount;dpcount;dpwindow -w 3;dpdistinct;dpmap")
				c = tool " -t 1 --time-format=epoch --bucket=10m" \
				    " --from=0 --to=9000" \
				    some(.5, tool == "dpdistinct" ? "-v 2" : "-v 4 -r -5:9") \
				    some(.4, tool == "dpdistinct" ? "" : "-k 3 --keys=a,b,zz") \
				    some(.4, "-u 2 -c 3" some(.3, "/step")) \
				    some(.4, tool == "dpdistinct" ? "" : "-m a --fixed") \
				    some(.3, "--strict") \
				    one(" events; --csv quoted; --json objects")
				gsub(/ \/step/, "/step", c)
			}
			if (c !~ /^dpmap/)
				sub(/ /, " -e 1 --seed=" i " ", c)
			print c
		}
	}'
}

# same COMMAND: from all roads, and the general one
same() {
	local a=0 b=0

	$1 >fast 2>fast.err || a=$?
	PATH=$PWD/general:$PATH $1 >slow 2>slow.err || b=$?
	cmp -s fast slow && cmp -s fast.err slow.err && [ $a -eq $b ] || {
		echo "other bytes on the general road: $1"
		return 1
	}
	[ $a -ne 0 ] || echo "$1" >>good
}

@test "roads: 300 random command lines have the bytes of the general road" {
	commands 1 300 >lines
	while read -r line; do
		same "$line"
	done <lines
	# most are no refusals
	wc -l <good
	[ "$(wc -l <good)" -gt 170 ]
}
