# SPDX-License-Identifier: ISC
# -o long and -o prometheus: of every tool that prints estimates the numbers that -o json has, under
# names that survive quoting; and what other programs make of them, where these are there.
load ../lib/helper


# names: one a line, hard to write: quotes, markup, controls, right to left, 255 bytes
hard_names() {
	printf '%s\n' 'a"b' "c'd" '<b>&amp;</b>' 'x,y' 'back\slash' '\n' \
	    $'\xe2\x80\xae\xd7\x90 rtl' \
	    $'bell\a' $'tab\tin' "$(printf 'w%.0s' {1..255})" '{key="1"} 2'
}

# runs: a command of every tool, a line each, without noise; input and form of output follow
runs() {
	cat <<-'EOT'
		dpcount -T 9 -r 0:9
		dpcount -T 9 -r -1.50:9.00 -B
		dpcount -n -v 1 -r 0:9 DAYS
		dpcount -k 1 --keys=1,2,3 -T 9 -B
		dpcount -k 1 --keys=1,2,3 --top=2 -T 9 -B
		dpwindow -w 1,2 -T 9 -r 0:9 -B
		dpwindow -w 1,2 -k 1 --keys=1,2 DAYS
		dpmean -T 9 -r 0:9 --statistic=mean,sd,count -B
		dpmean -m 2 -k 1 --keys=1,2 --once
		dpquantile -r 0:9 --quantile=.5,.99 --once -B
		dpquantile -r 0:9 --bins=3 --histogram --once
		dpdecay --half-life=3 -T 9 -r 0:9
		dpmaxsum -k 1 --keys=1,2,3 -T 9
		dpmaxsum -k 1 --keys=1,2,3 -T 9 --select
		dpmaxsum -k 1 --keys=1,2,3 -T 9 --both
		dpdistinct -T 9
		dpdistinct -v 2 -k 1 --keys=1,2 -c 1 --once
		dpexperts -T 9 --columns=2
		dptransform -T 9 -r 0:9 --sensitivity=1 --changes=5 --distance=1
		dptop -d 1/10 --once -k 1
		dpproject --queries=queries
		dplocal --domain=1,2,3 --estimate -M rr -B
	EOT
}

# checker: a program that compares what is in "long" and in "metrics" with "objects" (-o json)
checker() {
	needs python3
	cat >check.py <<-'EOT'
		import csv, json, re, sys
		objects = [json.loads(l) for l in open("objects", encoding="utf-8")]
		long = list(csv.DictReader(open("long", encoding="utf-8", newline="")))
		# what is said of each step, as a set of (place, estimate, lo, hi)
		def flat(o):
		    e, lo, hi = (o.get(m, "") for m in ("estimate", "lo", "hi"))
		    if not isinstance(e, dict):
		        return [(e, lo, hi)]
		    of = lambda x, name: x.get(name, "") if isinstance(x, dict) else x
		    return [(e[n], of(lo, n), of(hi, n)) for n in e]
		want = [(o["step"], o.get("time", "")) + e for o in objects for e in flat(o)]
		assert len(want) == len(long), (len(want), len(long))
		def same(a, b):
		    return str(a) == b or (a is None and b == "") or float(a) == float(b)
		for w, row in zip(want, long):
		    assert list(row)[-6:] != [] and row["statistic"] != "", row
		    if w[1] != "":
		        assert row["time"] == w[1], (w, row)
		    else:
		        assert row["step"] == str(w[0]), (w, row)
		    if row["estimate"] == "" and w[2] is not None:
		        assert row["key"] == str(w[2]), (w, row)     # a choice
		    else:
		        assert same(w[2], row["estimate"]), (w, row)
		        if w[3] != "" and row["lo"] != "":
		            assert same(w[3], row["lo"]) and same(w[4], row["hi"]), (w, row)
		# the last step, by metric: text format 0.0.4
		sample = re.compile(r'(\w+)(?:\{((?:\w+="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)\n')
		label = re.compile(r'(\w+)="((?:[^"\\\n]|\\[\\"n])*)"')
		plain = lambda s: re.sub(r'\\(.)', lambda m: "\n" if m[1] == "n" else m[1], s)
		family, seen, got = None, set(), {}
		for line in open("metrics", encoding="utf-8", newline="\n"):
		    if line[0] == "#":
		        word = line.split(" ", 3)
		        if word[1] == "HELP":
		            assert word[2] not in seen and len(word[3]) > 10
		            family = word[2]
		            seen.add(family)
		        else:
		            assert line == "# TYPE %s gauge\n" % family, line
		        continue
		    m = sample.fullmatch(line)
		    assert m and m[1] == family, line
		    names = tuple(sorted((n, plain(v)) for n, v in label.findall(m[2] or "")))
		    assert (family, names) not in got, line
		    got[family, names] = m[3]
		last = [r for r in long if (r.get("time"), r.get("step")) ==
		    (long[-1].get("time"), long[-1].get("step"))]
		for row in last:
		    names = tuple(sorted(n for n in (("key", row["key"]),
		        ("statistic", row["statistic"])) if n[1] != ""))
		    for end, member in ("", "estimate"), ("_lo", "lo"), ("_hi", "hi"):
		        value = got.pop(("m" + end, names), None)
		        if row[member] != "":
		            assert value == row[member], (row, value)
		        elif member == "estimate":
		            assert value in ("1", "NaN"), (row, value)
		        else:
		            assert value is None, (row, value)
		rest = {f for f, n in got}
		assert rest <= {"m_step", "m_timestamp_seconds", "m_certain"}, got
		assert ("m_timestamp_seconds" in rest) == ("time" in long[0])
	EOT
}

# compared COMMAND ...: the three forms of what it prints
compared() {
	local o

	for o in json:objects long:long prometheus:m:metrics; do
		"$@" -o "${o%:*}" >"${o##*:}" 2>err || {
			cat err
			return 1
		}
	done
	python3 check.py || {
		echo "$*"
		cat objects long metrics
		return 1
	}
}

@test "each tool that prints estimates, in rows and in metrics: the numbers that -o json has" {
	checker
	printf '2 10\n1 90000\n2 5\n' >in
	printf '1,0,0\n0,1,1\n' >queries
	days='-t 2 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-03'
	runs | awk '{ print $1 }' | sort -u | diff <(filters | sort) -
	while read -r tool rest; do
		rest=${rest/DAYS/$days}
		case $tool in
		dptop | dplocal) e='-e 9' ;;
		*) e='-e inf' ;;
		esac
		[ "$tool" != dptop ] || rest="$rest --seed=1"
		file=in
		[ "$tool" != dpproject ] || file=vectors
		[ "$tool" != dpexperts ] || file=vectors2
		printf '1 2 3\n' >vectors
		printf '1 0\n0 1\n' >vectors2
		[[ $tool != dplocal && $tool != dptransform ]] || {
			awk '{ print $1 }' in >one
			file=one
		}
		# shellcheck disable=SC2086
		compared "$tool" $e $rest "$file"
	done < <(runs)
}

@test "names with quotes, markup, controls, right-to-left marks: all forms keep them apart" {
	checker
	hard_names >keys
	{
		cat keys
		head -n 5 keys
	} >in
	compared dpcount -e inf -F '|' -k 1 --keys=@keys -T 99 in
	compared dpcount -e inf -F '|' -k 1 --keys=@keys --top=3 -B -T 99 in
	compared dpwindow -e inf -F '|' -w 1,3 -k 1 --keys=@keys -T 99 in
	compared dpmaxsum -e inf -F '|' -k 1 --keys=@keys -T 99 --both in
	compared dpcount -e inf -F '|' -k 1 --keys=$'a\nb,c' -T 99 in
	dpcount -e inf -F '|' -k 1 --keys=@keys -o long -T 99 in >rows 2>err
	python3 - <<-'EOT'
		import csv
		names = open("keys", encoding="utf-8").read().split("\n")[:-1]
		rows = list(csv.DictReader(open("rows", encoding="utf-8", newline="")))
		assert [r["key"] for r in rows[-len(names):]] == names
	EOT
	# every other form as well: CSV and JSON give the names back, tsv and plain refuse what they
	# could not keep apart
	dpcount -e inf -F '|' -k 1 --keys=@keys -o csv -T 99 in 2>err | python3 -c '
import csv, sys
names = open("keys", encoding="utf-8").read().split("\n")[:-1]
assert next(csv.reader(sys.stdin)) == names'
	dpcount -e inf -F '|' -k 1 --keys=@keys -o json -T 99 in 2>err | python3 -c '
import json, sys
names = open("keys", encoding="utf-8").read().split("\n")[:-1]
assert list(json.loads(next(sys.stdin))["estimate"]) == names'
	for o in plain tsv; do
		fails 2 dpcount -e inf -F '|' -k 1 --keys=@keys -o $o -T 99 in
		[[ $stderr == *'a tab or the end of a line'* ]]
		grep -v "$(printf '\t')" keys >fewer
		dpcount -e inf -F '|' -k 1 --keys=@fewer -o $o -T 99 in >printed 2>err
	done
	# bytes that are no UTF-8 are no label
	printf 'a\xff\nb\n' >keys
	fails 2 dpcount -e inf -k 1 --keys=@keys -o prometheus -T 99 in
	[[ $stderr == *'not UTF-8, which -o prometheus needs'* ]]
	dpcount -e inf -k 1 --keys=@keys -o long -T 99 in >rows 2>err
	LC_ALL=C grep -q $'a\xff,count' rows
	# names that nobody declared are written so that none looks like another
	printf '%s\n' 'q"\x' $'\xff' '\xff' $'\x01' >names
	names=$(<names)
	for ((i = 0; i < 300; i++)); do
		echo "$names"
	done >in
	compared dptop -e 5 -d 1/10 --seed=3 --once -k 1 in
	[ "$(wc -l <long)" -eq 5 ]
}

@test "empty tables and a million points" {
	dpcount -e inf -T 9 -o long </dev/null >long 2>err
	[ "$(cat long)" = step,key,statistic,estimate,lo,hi ]
	dpcount -e inf -T 9 -o prometheus </dev/null >metrics 2>err
	[ ! -s metrics ]
	dptop -e 1 -d 1e-9 --once -o long -k 1 </dev/null >long
	[ "$(wc -l <long)" -eq 1 ]
	dptop -e 1 -d 1e-9 --once -o prometheus -k 1 </dev/null >metrics
	grep -q '^# HELP dptop ' metrics
	! grep -q '^dptop' metrics || false
	yes 1 | head -n 1000000 >ones || :
	dpcount -e inf -T 1M -o long ones 2>err | tail -n 1 >last
	[ "$(cat last)" = 1000000,,count,1000000,, ]
	dpcount -e inf -T 1M -n -o prometheus ones 2>err | grep -v '^#' >last
	[ "$(head -n 1 last)" = 'dpcount{statistic="count"} 1000000' ]
	[ "$(tail -n 1 last)" = 'dpcount_step 1000000' ]
}

@test "prometheus: the guarantee stands in HELP, and what is not private says so" {
	says() {
		dpcount "$@" -T 9 -o prometheus <<<1 2>err | grep -F -- "# HELP dpcount $help"
	}
	help='Everything this command prints, all steps together, is (1/2, 0)-'
	says -e 1/2
	help='NOT PRIVATE, the noise is reproducible.'
	says -e 1 --seed=1
	help='No guarantee: epsilon is inf'
	says -e inf
	help='At every step, everything printed so far is (1, 0)-differentially '
	says -e 1 --expire=2 -M input
	# the sentence of --explain itself
	dpcount -e 1 -u 1 -c 3 -v 2 -r 0:1 -T 9 -o prometheus <<<'a 1' |
	    sed -n 's/^# HELP dpcount //p' >help
	dpcount -e 1 -u 1 -c 3 -v 2 -r 0:1 -T 9 --explain >explained
	grep -qxFf help explained
	# a name of one's own
	dpcount -e 1 -T 1 -o prometheus:web_requests <<<1 | grep '^web_requests{statistic="count"} '
	for name in '' 1a 'a b' 'a"' 'a-b' "$(printf 'w%.0s' {1..101})"; do
		fails 2 dpcount -e 1 -T 1 -o "prometheus:$name"
	done
	fails 2 dpcount -e 1 -T 1 -o prometheus --line-buffered
	fails 2 dpcount -e 1 -T 1 -o prometheus --state=s --init --out=x
	fails 2 dpcount -e 1 -T 1 -o prometheus --bucket=1d --live
	fails 2 dplocal -e 1 --domain=a,b -o long
	fails 2 dpplot --run dpcount -e 1 -T 1 -o prometheus
	[[ $stderr == *'-o prometheus is for other programs'* ]]
}

@test "prometheus: a state prints of each run the last step, and a repeated batch the same" {
	set -- --init -e 1 -T 9 -o prometheus -n
	for i in 1 2; do
		seq 3 | dpcount --state=s "$@" --batch=$i >out.$i
		set --
		seq 3 | dpcount --state=s --batch=$i -q >again
		diff out.$i again
		[ "$(tail -n 1 out.$i)" = "dpcount_step $((3 * i))" ]
		[ "$(grep -vc '^#' out.$i)" -eq 2 ]
	done
}

@test "promtool takes the metrics of every form" {
	command -v promtool >/dev/null || skip 'no promtool (Debian: prometheus)'
	hard_names >keys
	dpcount -e 1 -F '|' -k 1 --keys=@keys -B -n -T 99 -o prometheus keys |
	    promtool check metrics
	dpcount -e 1 -F '|' -k 1 --keys=@keys -B --top=2 -T 99 -o prometheus keys |
	    promtool check metrics
	dpmean -e .1 -T 99 -r 0:1 -B -o prometheus <<<1 | promtool check metrics
	printf '%s\n' 'q"\x' $'\xff' >in
	dptop -e 9 -d 1/2 --once -k 1 -o prometheus in | promtool check metrics
	dpwindow -e 1 -w 1 -t 1 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-03 \
	    -o prometheus:web_requests -B <<<1 | promtool check metrics
}
