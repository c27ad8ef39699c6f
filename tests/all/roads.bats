#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Roads: a run whose records take the general road alone has the same bytes, messages and status.

load ../lib/helper
load ../fault/faults

setup() {
	set +T
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
	awk 'NF == 4 { sub(/u/, "\\u0075"); print "{\"f1\":" $1 ",\"f2\":\"" $2 "\",\"f3\":\"" $3 \
	    "\",\"f4\":\"" $4 "\"}" }' events >objects
	# nothing malformed
	awk 'NF == 4 && $4 != "none"' events >sound
	grep -xE '[0-9]+' numbers >digits
	dpmap -t 1 --time-format=epoch --bucket=10m --from=0 --to=9000 -v 4 -r -5:9 \
	    -k 3 --keys=a,b,zz events >sums
	dpmap -t 1 --time-format=epoch --bucket=10m --from=0 --to=9000 -v 4 -r -5:9 \
	    -k 3 --keys=a,b,zz -u 2 -c 3 events >capped
	(umask 077 && echo 0123456789abcdef >key)
	map=(-t 1 --time-format=epoch --bucket=10m --from=0 --to=9000 -v 2 --identifiers)
	dpmap "${map[@]}" events >texts
	dpmap "${map[@]}" --hash-key=key sound >hashes
	for dir in fast slow; do
		mkdir $dir
		ln -s ../{numbers,digits,events,sound,quoted,objects,sums,capped,texts,hashes} \
		    $dir
		cp -p key $dir
	done
}

# planted DIR SED: all tools of the command lines in lines, of another road.c
planted() {
	local tool

	mkdir "$1"
	plant run/records.c "$2" "$1"
	for tool in $(cut -d ' ' -f 1 lines | sort -u); do
		bind=now link "$1/$tool" "$DP_BUILD/cmd/$tool.o" "$1/fault.o"
	done
}

# commands SEED N: so many command lines, from all that roads tell apart
commands() {
	awk -v seed="$1" -v n="$2" '
	function one(list,  a) { return a[1 + int(rand() * split(list, a, ";"))] }
	function some(p, text) { return rand() < p ? " " text : "" }
	# steps that are lines of a number
	function numbers(tool) {
		if (tool ~ /maxsum/)
			return fields(tool)
		return tool " " one("-r 0:9;-r -5:20;-r 0:1.00;-m 1;-m 1 --fixed;" \
		    "-m [27] -i;-m 3 --fixed --invert-match;;") \
		    some(.2, "--strict") some(.1, "-o json") some(.1, "-n") \
		    some(.1, "--nonnegative") some(.1, "-F ,") \
		    some(.1, "--where=1") some(.1, "-P") kept(.1) \
		    one(" numbers; digits")
	}
	# steps that are lines of fields
	function fields(tool) {
		return tool some(.5, "-v 4 -r -5:9") some(.4, "-u 2 -c 3") \
		    some(tool ~ /maxsum/ ? 1 : .5, "-k 3 --keys=a,b,zz") \
		    some(.3, "-m a --fixed") some(.2, "--strict") some(.1, "--csv") \
		    some(.1, "-P") kept(.1) one(" events; sound")
	}
	# buckets of time
	function buckets(tool,  id, f, c) {
		id = tool == "dpdistinct"
		f = rand() < .2 ? "f" : ""
		c = tool " -t " f "1 --time-format=epoch --bucket=10m --from=0 --to=9000" \
		    (id ? " -v " f "2" : some(.5, "-v " f "4 -r -5:9")) \
		    some(id ? 0 : tool == "dpmaxsum" ? 1 : .4, "-k " f "3 --keys=a,b,zz") \
		    (!id && rand() < .5 ? " -u " f "2 -c 3" one(";;/step") : "") \
		    some(id ? 0 : .4, "-m a --fixed") some(.2, "--where=u1") \
		    some(.3, "--strict") some(tool == "dpmap" ? 0 : .1, "--state=s" i " --init")
		return c (f == "f" ? " --json objects" : \
		    one(" events; events; sound; --csv quoted"))
	}
	function public(tool) {
		return tool " -t 1 --time-format=epoch --bucket=10m --public-times" \
		    some(.5, "-v 4 -r -5:9") some(.4, "-k 3 --keys=a,b,zz") \
		    some(.5, "-u 2 -c 3") some(.4, "-m a --fixed") " events"
	}
	# lines that are no events, or of which nothing is released
	function others() {
		return one("dpcount --partial --bucket=10m --from=0 --to=9000 -r -5:9" \
		    " --keys=a,b,zz sums;dpcount --partial=by-user -c 3 --bucket=10m" \
		    " --from=0 --to=9000 -r -5:9 --keys=a,b,zz capped;" \
		    "dplocal --domain=a,b,c,d,e -v 3 events;" \
		    "dplocal --domain=a,b,c,d,e --estimate -v 3 sound;" \
		    "dplocal --domain=a,b,c,d,e --estimate -v 3 --strict events;" \
		    "dpcount --check -v 4 -r -5:9 -m a --fixed events;" \
		    "dpwindow -w 2 --check -t 1 --time-format=epoch --bucket=10m --from=0" \
		    " --to=9000 -k 3 --keys=a,b,zz events;dpcount --check -t 1" \
		    " --time-format=epoch --bucket=10m --from=0 --to=9000 -u 2 -c 3 events")
	}
	function kept(p) { return some(p, "--state=s" i " --init") }
	function noise(c) {
		return c ~ /^dpmap|--check/ ? " " : c ~ / -P/ ? " -e inf " : \
		    c ~ /--estimate/ ? " -e 1 " : " -e 1 --seed=" i " "
	}
	BEGIN {
		srand(seed)
		for (i = 1; i <= n; i++) {
			r = rand()
			tool = one("dpcount -M tree -T 2000;dpcount -M input -T 999;" \
			    "dpwindow -w 7;dpcount -M kary -T 2000;dpdecay -a .9;dpcount -T 500;" \
			    "dpmean -M input -T 999;dpmaxsum -T 999")
			timed = one("dpcount;dpcount;dpwindow -w 3;dpdistinct;dpmap;dpmean;" \
			    "dpmaxsum")
			c = r < .4 ? numbers(tool) : r < .6 ? fields(tool) : r < .9 ? \
			    buckets(timed) : r < .95 ? public("dpcount -T 2000") : others()
			sub(/ /, noise(c), c)
			print c
		}
		# values that are looked up in bins
		c = "dpquantile -e 1 --seed=1 -t 1 --time-format=epoch --bucket=10m --from=0 " \
		    "--to=9000 -v 4"
		print c " -r -5:9 -k 3 --keys=a,b,zz events\n" c " --bins=-5,0,9 --histogram sound"
		print "dpquantile -e 1 --seed=1 -T 2000 -r 1:9 --bins=4 numbers"
		# passed over by a plain string, with an allowance in each step
		print "dpcount -e 1 --seed=1 -t 1 --time-format=epoch --bucket=10m --from=0 " \
		    "--to=9000 -u 2 -c 1/step -m a --fixed events"
		# identifiers in a table, of lines, of values and of parts
		b = " --bucket=10m --from=0 --to=9000"
		c = "dpdistinct -e 1 --seed=1 -t 1 --time-format=epoch -v 2" b
		print c " events\n" c " --strict sound\n" c " --strict events"
		print "dpdistinct -e 1 --seed=1" b " --partial texts"
		print "dpdistinct -e 1 --seed=1" b " --partial hashes"
		c = "dpmap -t 1 --time-format=epoch -v 2 --shard=a --identifiers --hash-key=key" b
		print c " events\n" c " --strict sound"
		print "dpdistinct -e 1 --seed=1 --once digits"
	}'
}

# same COMMAND: from all roads, and the general one
same() {
	local a=0 b=0

	cd fast
	command $1 >out 2>err || a=$?
	cd ../slow
	PATH=$BATS_TEST_TMPDIR/general:$PATH command $1 >out 2>err || b=$?
	cd ..
	if [[ $(<fast/out) != "$(<slow/out)" || $(<fast/err) != "$(<slow/err)" || $a -ne $b ]]; then
		echo "other bytes on the general road: $1"
		return 1
	fi
	[ $a -ne 0 ] || echo "$1" >>good
}

@test "roads: 300 random command lines have the bytes of the general road" {
	# ROADS: those alone that a fault needs (faults.bats)
	commands 1 300 | grep -E -- "${ROADS-}" >lines
	planted general 's/^\tconst struct road \*p = road;/&\n\tp += 5;/'
	while read -r line; do
		same "$line"
	done <lines
	# most are no refusals
	wc -l <good
	[[ -n ${ROADS-} ]] || [ "$(wc -l <good)" -gt 220 ]
}

@test "taken: each road, with all that it can do, by command lines that are no refusals" {
	local line at what can i
	local -a seen=(0 0 0 0 0 0) able=(0 0 0 0 0 0) names

	commands 1 300 >lines
	planted traced 's/^#include "roads.h"/#include <stdio.h>\n#include <stdlib.h>\n&/
	    s/^\treturn p->run.*/\tFILE *f = fopen(getenv("ROADS"), "a");\
	fprintf(f, "%d %u %u\\n", (int)(p - road), what, p->can);\
	fclose(f);\n&/'
	export ROADS=$PWD/road
	PATH=$PWD/traced:$PATH
	cd fast
	while read -r line; do
		rm -f "$ROADS"
		$line >out 2>err || [ -s out ] || continue
		read -r at what can <"$ROADS"
		seen[at]=$((seen[at] | what))
		able[at]=$can
	done <../lines
	mapfile -t names < <(sed -nE 's/^\t([A-Z_]+) = [0-9]+.*/\1/p' "$TOP/lib/run/records.c")
	[ ${#names[@]} -eq 16 ]
	for at in 0 1 2 3 4; do
		for i in "${!names[@]}"; do
			(((able[at] & ~seen[at]) >> i & 1)) || continue
			echo "road $at: no command line had ${names[i]}"
		done
	done >untried
	cat untried
	[ ! -s untried ]
	# the last road can do everything, and the clock alone closes buckets at times of its own
	echo $((seen[5])) $((65535 & ~64))
	[ $((seen[5])) -eq $((65535 & ~64)) ]
}
