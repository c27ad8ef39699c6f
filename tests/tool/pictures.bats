# SPDX-License-Identifier: ISC
# dpplot's pictures: as they were when somebody last looked at them, and as a browser shows them.
#
#	RECORD=1 bats tests/tool/pictures.bats	# keeps those that are drawn now: look at them
#
# Of a kept picture the elements, classes and texts are compared, and numbers to half a pixel.
load ../lib/helper

KEPT=$BATS_TEST_DIRNAME/../golden/pictures

# alike KEPT DRAWN
alike() {
	awk '
	function cut(s, word, number, n) {	# words, and the numbers between them
		n = 0
		while (match(s, /-?[0-9]+(\.[0-9]+)?/)) {
			word[++n] = substr(s, 1, RSTART - 1)
			number[n] = substr(s, RSTART, RLENGTH)
			s = substr(s, RSTART + RLENGTH)
		}
		word[n + 1] = s
		return n
	}
	FNR == NR { kept[++rows] = $0; next }
	{
		n = cut(kept[FNR], w, v)
		same = n == cut($0, x, y) && w[n + 1] == x[n + 1] && FNR <= rows
		for (i = 1; i <= n && same; i++)
			same = w[i] == x[i] && v[i] - y[i] <= .5 && y[i] - v[i] <= .5
		if (!same) {
			print "line " FNR ", kept:\n" kept[FNR] "\ndrawn:\n" $0
			exit bad = 1
		}
	}
	END { if (!bad && FNR != rows) { print "kept: " rows " lines, drawn: " FNR; exit 1 } }
	' "$1" "$2"
}

# same FILE: as it is kept
same() {
	[ -z "${RECORD-}" ] || cp "$1" "$KEPT/"
	alike "$KEPT/$1" "$1"
}

# picture NAME ARG ...: without the style, which page.html has
picture() {
	cat >rows
	dpplot --to=whole.svg "${@:2}" rows
	! command -v xmllint >/dev/null || xmllint --noout whole.svg
	sed '/<style>/,/<\/style>/d' whole.svg >"$1.svg"
	same "$1.svg"
}

# tops N [STEPS]: rows of N names at each of some steps, an hour apart, with intervals
tops() {
	awk -v n="$1" -v steps="${2-6}" 'BEGIN { OFS = "\t"
	    for (t = 0; t < steps; t++) for (i = 1; i <= n; i++) {
		e = 400 - 11 * i + (t * i * 7) % 40
		print strftime("%Y-%m-%dT%H:%M:%SZ", 86400 * 365 + 3600 * t, 1),
		    "/page/" i (i == 3 ? "/with/a/name/that/is/longer/than/its/room" : ""),
		    e, e - 9, e + 9 } }' | sort -t '	' -k 1,1 -k 3,3nr
}

# columns N: a step and N numbers, with names above
columns() {
	awk -v n="$1" 'BEGIN { OFS = ","; $1 = "step"; for (i = 1; i <= n; i++) $(i + 1) = "key " i
	    print; for (t = 1; t <= 9; t++) { $1 = t
	    for (i = 1; i <= n; i++) $(i + 1) = i * 10 + t * t % (i + 3); print } }'
}

# quantiles: three of them, by the hour
quantiles() {
	awk 'BEGIN { OFS = ","; print "time,p50,p50_lo,p50_hi,p95,p95_lo,p95_hi,p99,p99_lo,p99_hi"
	    for (t = 0; t < 9; t++) { a = 11000 + t * t % 7 * 200
		print strftime("%Y-%m-%dT%H:%M:%SZ", 3600 * t, 1), a, a * .95, a * 1.05,
		    9 * a, 7 * a, 12 * a, 40 * a, 20 * a, 70 * a } }'
}

@test "kept: lines, bands, bars of days, a single week" {
	columns 1 | picture line --title='A line'
	columns 3 | picture three
	columns 9 | picture nine
	columns 3 | awk -F , -v OFS=, 'NR > 1 { $3 *= 30 } { print }' | picture apart
	printf 'It is private.\nestimates so and so\n' >explain
	awk 'BEGIN { for (t = 1; t <= 20; t++) { e = t * t % 17; print e, e - 2, e + 2 } }' |
	    picture band --explain=explain
	awk 'BEGIN { for (t = 1; t <= 7; t++) { e = 90 + t * t % 17
	    print strftime("%Y-%m-%dT00:00:00Z", 86400 * t, 1), e, e - 3, e + 3 } }' | tee days |
	    picture days
	awk '{ print $2 + 1 }' days | paste -d ' ' <(cut -d ' ' -f 1 days) - >true
	picture truth --true=true <days
	head -n 1 days | picture single
	columns 2 | picture bars --bars --ylabel='Cars, thousands'
	awk '{ $3 -= 40; $4 += 40; print }' days | picture unsure
	printf '5 4 6\n' | picture number --title=Alone
	awk 'BEGIN { print "step,a,b,c"; for (t = 1; t < 9; t++)
	    print t "," t * 9 "," 70 "," 69.5 }' | picture close
}

@test "kept: quantiles, histograms, what is not known, a page's columns" {
	quantiles | picture fan
	printf '%s\n' '..<1000,1000..<2000,2000..<5000,5000..<10000,10000..' 20,820,1210,1730,2240 |
	    picture bins --title=Sizes
	printf '%s\n' 1,2,3,4,5 40,30,20,-2,4 | tee rows.bins | picture bins-even
	sed 's/,30/,35/' rows.bins >true
	picture bins-truth --true=true <rows.bins
	dpplot --true=true rows.bins | grep -E '^ *2 +#+ +30 +o$'
	awk 'BEGIN { for (t = 1; t < 15; t++) print t "," (t < 5 ? "" : 4 + t % 3 / 9) ",0,9" }' |
	    sed '1i step,estimate,lo,hi' | picture unknown
}

@test "kept: who leads, names and their numbers, places, the last step" {
	awk 'BEGIN { for (t = 1; t <= 30; t++)
	    print (t % 7 > 2 ? "often" : t % 5 ? "some" : "seldom") }' | picture leads
	# more names than lanes: the most frequent have one each
	awk 'BEGIN { for (t = 0; t < 90; t++) print "n" t % 30 }' | tee many | picture leads-many
	dpplot many | grep -E '^ *7 other names  '
	awk 'BEGIN { OFS = "\t"; for (t = 1; t <= 30; t++)
	    print t, (t % 7 > 2 ? "often" : "some"), t * t }' | tee both | picture both
	picture both-ranks --ranks <both
	tops 12 1 | cut -f 2- | picture names
	tops 40 1 | cut -f 2- | picture names-many
	tops 12 | tee top | picture top
	picture top-ranks --ranks <top
	picture top-last --last <top
	picture top-narrow --ranks --size=340x300 <top
	picture last-narrow --last --size=340x300 <top
}

@test "kept: a page, and its next chart" {
	cat >tool <<-'EOT'
		#!/bin/sh
		[ "$1" != --explain ] || cat <<'E'
		Everything is <private> & "safe".
		estimates so and so
		E
		[ "$1" != --explain ] || tr -d '\n\t' <<'E'
		{"output":{"format":"plain","row":"day","estimate":"x","said":"sum of each day",
		"bucket":86400,"step":"day","confidence":0.95,
		"plainly":"Noise was added.","columns":[
		{"name":"time","kind":"time"},{"name":"estimate","kind":"estimate"},
		{"name":"lo","kind":"lo"},{"name":"hi","kind":"hi"}]}}
		E
		[ "$1" = --explain ] || printf '1970-01-0%sT00:00:00Z\t%s\t1\t9\n' 1 5 2 7 3 6
	EOT
	chmod +x tool
	for title in 'One <b>' two; do
		dpplot --add --to=page.html --title="$title" \
		    --run ./tool
	done
	sed -i 's/Made on [-0-9]*/Made on a day/' page.html
	same page.html
}

@test "places are those of the numbers, and the last step's bars are its rows in their order" {
	tops 12 >top
	awk -F '\t' '{ n[$1]++; print $1 "\t" $2 "\t" n[$1] }' top >places
	dpplot --ranks --to=a.svg top
	# a row for each time, and the places of the eight first at the end, a line each; a place is
	# as far down as its tick
	awk '
	/class="tick" text-anchor="end"/ { match($0, /y="[0-9.]+/)
	    y[substr($0, RSTART + 3, RLENGTH - 3) - 4] = ++n }
	/<path class="line s/ { sub(/.* d="M/, ""); sub(/".*/, ""); k = split($0, p, /[LM]/)
	    for (lines++; k > 0; k--) { split(p[k], xy, ","); x = int(xy[1] / 3); at[x]
		for (v in y) if (v - xy[2] < 1 && xy[2] - v < 1) got[x, lines] = y[v] } }
	END { for (x in at) xs[++m] = x
	    for (i = 1; i <= m; i++) { n = 1
		for (j = 1; j <= m; j++) n += xs[j] + 0 < xs[i] + 0
		printf "%d", n
		for (k = 1; k <= 8; k++)
		    printf " %s", ((xs[i], k) in got ? got[xs[i], k] : "NaN")
		print "" } }' a.svg | sort >got
	last=$(tail -n 1 places | cut -f 1)
	awk -F '\t' -v last="$last" '$1 == last && $3 <= 8 { print $2 }' places >first
	awk 'FNR == 1 { f++ } f == 1 { first[$1] = FNR }
	    f == 2 { if (!($1 in t)) t[$1] = ++times
		if ($2 in first && $3 <= 8) want[t[$1], first[$2]] = $3 }
	    f == 3 { for (k = 1; k <= 8; k++) {
		w = (FNR, k) in want ? want[FNR, k] : "NaN"
		if ($(1 + k) != w) { print FNR, k, $0; bad = 1 } } }
	    END { exit bad || times != 6 || FNR != 6 }' first places got
	dpplot --last --to=b.svg top
	grep "^$last" top | cut -f 2,3 | while IFS='	' read -r name number; do
		[[ ${#name} -gt 28 ]] || grep -F ">$name</text>" b.svg
		grep -F ">$number</text>" b.svg
	done
	# of columns, too, the largest first
	columns 3 | dpplot --last --to=c.svg
	grep -oE '>key .</text>' c.svg | tr -dc '123\n' | paste -s -d '' | grep -x '123\|321'
	columns 3 | COLUMNS=80 dpplot --ranks | grep -E '^ *1 '
	# also of those that have no name
	printf '1\t2\t3\t9\n2\t6\t4\t8\n' | dpplot --last --to=d.svg
	grep -F '>column 4</text>' d.svg
}

@test "--ranks and --last: of names only, and without the truth" {
	for o in --ranks --last; do
		run --separate-stderr -3 dpplot $o <<<$'1\n2'
		[[ $stderr == *"$o: for several names, and there are none"* ]]
		columns 3 >rows
		run --separate-stderr -2 dpplot $o --true=rows rows
		bits 9 >in
		# nothing is paid for
		run --separate-stderr -3 dpplot $o --run dpcount -e 1 -T 9 --budget=none in
	done
	run -2 dpplot --ranks --last rows
	run -2 dpplot --ranks --bars rows
	run -3 dpplot --bars <<<$'a\nb\na'
	columns 1 | dpplot --bars | grep -E '^ *1 #+ +11$'
	run --separate-stderr -3 dpplot --last <<<$'a\nb\na'
	[[ $stderr == *'--ranks shows who led'* ]]
}

@test "names with quotes, markup, controls, marks from right to left, 255 bytes: every form" {
	needs rsvg-convert
	printf '%s\n' 'a"b' "c'd" '<b>&amp;</b>' 'x,y' 'back\slash' $'\xe2\x80\xae\xd7\x90' \
	    $'bell\a' "$(printf 'w%.0s' {1..255})" '{key="1"}' '50 %d %s' '$(touch pwned)' >names
	for t in 1 2 3; do
		awk -v t=$t -v OFS='\t' '{ print t, $0, NR * 5 - (NR + t) % 3 }' names
	done >rows
	for form in '' --ranks --last; do
		dpplot $form rows >chart
		run ! grep -qP '\x07|\xe2\x80\xae' chart
		for to in a.svg a.html a.png a.vl.json; do
			dpplot $form --to=$to rows 2>err
			[ -s $to ] && [ ! -s err ]
		done
		! command -v xmllint >/dev/null || xmllint --noout a.svg
		jq -e '.data.values | length > 0' a.vl.json
		# the table has all of them, as text
		[ "$(grep -c '<tr><td>' a.html)" = 33 ]
		grep -qF "<td>$(printf 'w%.0s' {1..255})</td>" a.html
		grep -qF '<td>&lt;b&gt;&amp;amp;&lt;/b&gt;</td>' a.html
		run ! grep -qiE '<b>|<script' a.html
		# the CSV has their bytes
		sed -n 's/.*href="data:text\/csv;charset=utf-8,\([^"]*\)".*/\1/p' a.html |
		    sed 's/%/\\x/g' | xargs -0 printf %b >got.csv
		grep -qF $'\xe2\x80\xae\xd7\x90' got.csv && grep -qF '"a""b"' got.csv
	done
	[ ! -e pwned ]
	# names of each step, as --top prints them with -n
	seq 40 | awk '{ print $1 % 2 ? "odd" : "even" }' >in
	dpcount -q -e inf -n -T 40 -k 1 --keys=odd,even --top=2 in | dpplot --ranks --to=a.svg
	grep -A 1 -F '>odd</text>' a.svg | grep -F '>20</text>'
}

@test "an interval that is the whole range is not known; a share is in per cent" {
	awk 'BEGIN { for (i = 0; i < 3000; i++) print i % 4 ? "no" : "yes" }' >in
	set -- dpmean -q --seed=3 -B -m yes -T 3000 in
	dpplot --to=a.svg --run "$1" -e 1/1000 "${@:2}"
	grep -F 'not known<' a.svg
	grep -F '>share of events that match so far; by step;' a.svg
	grep -q 'class="unknown"' a.svg
	dpplot --to=b.svg --run "$1" -e 8 "${@:2}"
	grep -E 'class="tick" text-anchor="end">[0-9]+ %<' b.svg
	grep -E 'class="value t0">2[45](\.[0-9]+)? %<' b.svg
	# a single one: a number, or none that is told
	dpplot --to=c.svg --run "$1" -e 8 --once "${@:2:3}" -m yes in
	grep -E 'class="big">2[45](\.[0-9]+)? %<' c.svg
	grep -E 'class="sub">2[45][.0-9]* % to 2[56][.0-9]* %<' c.svg
	dpplot --run "$1" -e 1/1000 --once "${@:2:3}" -m yes in | grep -x '  not known'
	# what the tools say of it
	of() {
		"$@" -e 1 -T 9 -v 2 --explain=json | jq -c '[.output.range, .output.share]'
	}
	[ "$(of dpmean -r -1.5:9)" = '[[-1.5,9],null]' ]
	[ "$(of dpmean -m x)" = '[[0,1],true]' ]
	[ "$(of dpmean -r 0:9 -k 1 --keys=a,b --difference)" = '[[-9,9],null]' ]
	[ "$(of dpmean -r 0:9 --statistic=mean,sd)" = '[null,null]' ]
	[ "$(of dpquantile -r 1:9k --quantile=.5)" = '[[1,9000],null]' ]
	[ "$(of dpcount -r 0:9)" = '[null,null]' ]
	# bars
	printf '%s\n' 2026-01-01,5,4,6 2026-01-02,5,0,9 2026-01-03,5,4,6 |
	    sed '1i time,estimate,lo,hi' >days
	printf '%s\n' Words '{"output":{"columns":[{"name":"time","kind":"time"},{"name":"estimate",
	    "kind":"estimate"},{"name":"lo","kind":"lo"},{"name":"hi","kind":"hi"}],"format":"csv",
	    "range":[0,9]}}' | paste -s -d '@' | sed 's/Words@/Words\n/; s/@ *//g' >words
	dpplot --explain=words --to=d.svg days
	grep -F '?: not known' d.svg
	grep -F '>?</text>' d.svg
	[ "$(grep -c '<rect class="bar' d.svg)" = 2 ]
	dpplot --explain=words days | grep -E '^ *2 Jan +\?$'
}

@test "a specification of Vega-Lite has its data: numbers, names and times" {
	tops 3 2 | awk 'BEGIN { FS = OFS = "\t" } { $4 = $3 - 2; $5 = $3 + 2; print }' >top
	dpplot --to=a.vl.json --title='One "b"' top
	jq -e '.["$schema"] | contains("vega-lite/v5")' a.vl.json
	[ "$(jq -r .title.text a.vl.json)" = 'One "b"' ]
	[ "$(jq -r .title.subtitle a.vl.json)" = \
	    '1971-01-01 00:00 to 1971-01-01 01:00, UTC; bands: noise interval' ]
	jq -r '.data.values[] | [.x, .name, .estimate, .lo, .hi] | @tsv' a.vl.json | sort >got
	sed 's/Z//' top | sort | diff - got
	jq -e '[.layer[].mark | if type == "object" then .type else . end] ==
	    ["area", "line"]' a.vl.json
	quantiles | dpplot --to=b.vl.json
	jq -e '.layer[1].encoding.y.scale | .type == "log" and .domain[0] > 0 and .clamp' b.vl.json
	printf '1,2,3,4,5\n40,30,20,-2,4\n' | dpplot --to=c.vl.json
	jq -c '[.data.values[] | [.x, .end, .estimate]]' c.vl.json |
	    diff - <(echo '[[0.5,1.5,40],[1.5,2.5,30],[2.5,3.5,20],[3.5,4.5,-2],[4.5,5.5,4]]')
	jq -e '.layer[0].encoding | .x2.field == "end" and .y2.datum == 0' c.vl.json
	printf '%s\n' '1..<10,10..<1000' 3,4 | dpplot --to=c.vl.json
	jq -e '.data.values[1].middle == 100 and .layer[0].encoding.x.scale.type == "log"' c.vl.json
	# bars of days, with their intervals; a panel each for series that share no scale
	printf '2026-05-0%d,%d,1,99\n' 1 5 2 6 3 8 | sed '1i time,estimate,lo,hi' |
	    dpplot --to=g.vl.json
	jq -e '[.layer[].mark] == ["bar", "rule"] and .data.values[0].x == "2026-05-01"' g.vl.json
	printf 'step,a,b\n1,5,600\n2,6,700\n' | dpplot --to=h.vl.json
	jq -e '.facet.row.field == "name" and .resolve.scale.y == "independent" and
	    (.spec.layer | length) == 1' h.vl.json
	printf 'a\nb\na\n' | dpplot --to=d.vl.json
	jq -c '[.data.values[] | [.name, .x, .end]]' d.vl.json |
	    diff - <(echo '[["a",1,2],["b",2,3],["a",3,4]]')
	cut -f 1,2 top | awk 'BEGIN { FS = OFS = "\t" } { print $0, 7 }' >true
	dpplot --true=true --to=e.vl.json top
	jq -e '.title.subtitle | contains("NOT PRIVATE")' e.vl.json
	[ "$(jq '[.data.values[]["truth, NOT PRIVATE"] | numbers] | length' e.vl.json)" = 6 ]
	printf '5 4 6\n' | dpplot --to=f.vl.json
	jq -e '.layer[0].mark.type == "text"' f.vl.json
}

@test "PDF: of the same picture" {
	needs rsvg-convert
	tops 3 2 >top
	dpplot --to=a.pdf --title='A title' top
	[ "$(head -c 5 a.pdf)" = %PDF- ]
	! command -v pdftotext >/dev/null || pdftotext a.pdf - | grep -x 'A title'
}

@test "an interval without end is the range, and of another program is refused by its place" {
	needs rsvg-convert
	seq 3 >in
	dpmean -q -e 1/100 --seed=1 --once -B -r 0:9 in >one
	cut -f 2,3 one | grep -x $'0.000000\t9.000000'
	for to in a.svg a.html a.png a.vl.json; do
		dpplot --to=$to --run dpmean -q -e 1/100 -B -r 0:9 -T 3 in 2>err
		[ -s $to ] && [ ! -s err ]
	done
	for rows in '1\t5\t-inf\tinf\n2\t6\t5\t7\n' 'step,estimate,lo,hi\n1,5,1,Infinity\n' \
	    '{"step":1,"estimate":5,"lo":1,"hi":Infinity}\n' '1\t2\t1\t1e999\n'; do
		# shellcheck disable=SC2059
		printf "$rows" >rows
		run --separate-stderr -3 dpplot --to=b.svg rows
		[[ $stderr == "dpplot: rows:"[12]": "* ]]
		[ ! -e b.svg ]
	done
}

@test "words, a truth or a table that are not there: said, and nothing is drawn or run" {
	seq 9 >in
	for o in --explain --true; do
		run --separate-stderr -3 dpplot $o=none --to=a.html in
		[[ $stderr == 'dpplot: none: No such file or directory' ]]
	done
	run --separate-stderr -3 dpplot --to=a.html none
	run -3 dpplot --true=none --to=a.html --run touch ran
	[ ! -e a.html ] && [ ! -e ran ]
}

# charted: a page of charts of each kind, with names and a title that no line holds
charted() {
	local long

	long=$(printf 'w%.0s' {1..255})
	printf '%s\n' "$long" 'a"b<i>' $'\xe2\x80\xae\xd7\x90rtl' >keys
	mapfile -t keys <keys
	for ((i = 1; i <= 300; i++)); do
		echo "$((i * 3600)) $((i % 7)) ${keys[i % 3]}"
	done >in
	set -- -t 1 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-14
	dpplot --to=page.html --title="$long" --run dpwindow -e 1 -B -w 1 -k 3 --keys=@keys "$@" in
	dpplot --add --to=page.html --title=two --run dpmean -e 1 -B -v 2 -r 0:9 "$@" in
	dpplot --add --to=page.html --title=three --run dpmaxsum -e 1 --select -k 3 --keys=@keys \
	    "$@" in
	dpplot --add --to=page.html --title=four --run dpwindow -e 1 -w 1 -B -t 1 \
	    --time-format=epoch --bucket=1w --from=1969-12-29 --to=1970-01-12 in
	tops 40 >top
	dpplot --add --to=page.html --title=five top
	dpplot --add --to=page.html --title=six --ranks top
	dpplot --add --to=page.html --title=seven --last top
	dpplot --add --to=page.html --title=eight --run dpcount -e 1 -k 2 -B --keys=0,1,2,3,4,5,6 \
	    -T 300 in
	quantiles | dpplot --add --to=page.html --title=nine
	printf '%s\n' '..<1000,1000..<2000,2000..<5000,5000..<10000,10000..' 20,820,1210,1730,2240 |
	    dpplot --add --to=page.html --title=ten
	printf '1234567.25 1234560 1234575\n' | dpplot --add --to=page.html --title=eleven
	columns 3 | awk -F , -v OFS=, 'NR > 1 { $3 *= 30 } { print }' |
	    dpplot --add --to=page.html --title=twelve
	columns 9 | dpplot --add --bars --to=page.html --title=thirteen
}

# In a browser: what leaves its picture, what stands upon something else, and what axe-core finds
looked() {
	cat <<-'EOT'
		<script>
		onload = async () => {
			const bad = [], over = (a, b) =>
			    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
			    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
			let texts = 0;
			if (document.documentElement.scrollWidth > innerWidth)
				bad.push("scrolls to the side");
			for (const svg of document.querySelectorAll("svg")) {
				const s = svg.getBoundingClientRect();
				if (s.width === 0)
					continue;
				const all = [...svg.querySelectorAll("text")]
				    .filter(e => e.textContent.trim() !== "");
				all.forEach((e, i) => {
					const r = e.getBoundingClientRect();
					const size = parseFloat(getComputedStyle(e).fontSize) *
					    s.width / svg.viewBox.baseVal.width;
					texts++;
					if (size < 10.5)
						bad.push("small: " + e.textContent);
					if (r.left < s.left - 1 || r.right > s.right + 1 ||
					    r.top < s.top - 1 || r.bottom > s.bottom + 1)
						bad.push("cut off: " + e.textContent);
					for (const f of all.slice(i + 1))
						if (over(r, f.getBoundingClientRect()))
							bad.push("upon each other: " +
							    e.textContent + ", " + f.textContent);
				});
			}
			let found = "none";
			if (window.axe) {
				const r = await axe.run();
				r.violations.forEach(v => bad.push(v.id));
				found = r.passes.length;
			}
			parent.postMessage([innerWidth, texts, found,
			    getComputedStyle(document.body).backgroundColor, bad.join("; ")]
			    .join("|"), "*");
		};
		</script></body></html>
	EOT
}

# browsed ARG ...: a line for each of three widths: width|texts|axe-core's passes|ground|what is bad
browsed() {
	local axe try

	axe=$(npm root -g 2>/dev/null)/axe-core/axe.min.js
	{
		# the page itself forbids scripts
		sed -e '/Content-Security-Policy/d' -e '/<\/body>/,$d' page.html
		[ ! -r "$axe" ] || { echo '<script>'; sed 's|</script>|<\\/script>|g' "$axe"
		    echo '</script>'; }
		looked
	} >copy.html
	{
		echo '<!DOCTYPE html><body>'
		printf '<iframe style="width:%spx;height:900px" src="copy.html"></iframe>' \
		    360 768 1280
		echo '<pre></pre><script>onmessage = e =>
		    document.querySelector("pre").textContent += "\n=" + e.data</script>'
	} >frame.html
	# thrice, as a browser may also die of itself
	for try in 1 2 3; do
		HOME=$PWD timeout -k 1 120 chromium --headless --no-sandbox --disable-gpu \
		    --disable-dev-shm-usage --user-data-dir="$PWD/profile.$try" \
		    --virtual-time-budget=30000 "$@" --dump-dom "file://$PWD/frame.html" 2>err |
		    tr -d '\000' | sed 's/&gt;/>/g' | grep '^=' >seen || :
		[ "$(wc -l <seen)" -lt 3 ] || break
	done
	cat seen
	[ "$(cut -d '|' -f 1 seen | sort | paste -s -d ' ')" = '=1280 =360 =768' ]
	awk -F '|' '$2 < 60 || $5 !~ /^(<.pre>.*)?$/ { exit 1 }
	    $3 != "none" && $3 < 20 { exit 1 }' seen
}

@test "a page in a browser, at three widths, light and dark, with few fonts and none" {
	heavy chromium
	charted
	browsed
	[ "$(cut -d '|' -f 4 seen | sort -u)" = 'rgb(255, 255, 255)' ]
	browsed --blink-settings=preferredColorScheme=0
	[ "$(cut -d '|' -f 4 seen | sort -u)" = 'rgb(20, 23, 26)' ]
	# one font, whose letters are all wide; then none
	mkdir fonts
	mono=$(fc-match -f '%{file}' 'DejaVu Sans Mono' || :)
	[ ! -r "$mono" ] || cp "$mono" fonts
	echo "<fontconfig><dir>$PWD/fonts</dir><cachedir>$PWD/cache</cachedir></fontconfig>" >conf
	FONTCONFIG_FILE=$PWD/conf browsed
	rm -rf fonts/* cache
	FONTCONFIG_FILE=$PWD/conf browsed
}

@test "a page on paper has each chart once, from a dark screen as well" {
	heavy chromium pdftotext
	bits 9 >in
	dpplot --to=page.html --run dpcount -e 1 -B -T 9 in
	dpplot --add --to=page.html --run dpwindow -e 1 -B -w 3 -T 9 in
	for mode in 1 0; do
		for try in 1 2 3; do
			HOME=$PWD timeout -k 1 120 chromium --headless --no-sandbox --disable-gpu \
			    --disable-dev-shm-usage --user-data-dir="$PWD/p.$mode.$try" \
			    --blink-settings=preferredColorScheme=$mode \
			    --print-to-pdf="$PWD/$mode.pdf" "file://$PWD/page.html" 2>err && break
		done
		pdftotext $mode.pdf - >words
		[ "$(grep -c 'band: 95 % noise interval' words)" = 2 ]
		[ "$(grep -c 'Made on' words)" = 1 ]
	done
}

@test "a picture is the same where there are no fonts, and names some that are there" {
	tops 12 >top
	dpplot --to=a.svg --title=t top
	mkdir fonts
	echo "<fontconfig><dir>$PWD/fonts</dir><cachedir>$PWD/cache</cachedir></fontconfig>" >conf
	FONTCONFIG_FILE=$PWD/conf dpplot --to=b.svg --title=t top
	cmp a.svg b.svg
	grep -oE 'font:[^}]*' a.svg | sort -u |
	    diff - <(echo 'font:13px "DejaVu Sans",Arial,sans-serif')
}
