# dpplot's pictures: as they were when somebody last looked at them, and as a browser shows them.
#
#	RECORD=1 bats tests/tool/pictures.bats	# keeps those that are drawn now: look at them
#
# What is ours of a picture are gnuplot's commands, which are kept for any version; the SVG that it
# makes of them is compared where it is the version that made the kept ones.
load ../lib/helper

KEPT=$BATS_TEST_DIRNAME/../golden/pictures
DRAWN='band days leads top-last top-ranks'	# of these the SVG, too

setup_file() {
	mkdir "$BATS_FILE_TMPDIR/bin"
	# a gnuplot that draws its own commands
	printf '#!/bin/sh\n[ "$1" = -V ] && echo gnuplot 0 || exec cat\n' \
	    >"$BATS_FILE_TMPDIR/bin/gnuplot"
	chmod +x "$BATS_FILE_TMPDIR/bin/gnuplot"
	[ -z "${RECORD-}" ] || gnuplot -V >"$KEPT/version"
}

# same FILE: as it is kept
same() {
	[ -z "${RECORD-}" ] || cp "$1" "$KEPT/"
	diff "$KEPT/$1" "$1"
}

# picture NAME ARG ...: its commands, and the picture itself
picture() {
	cat >rows
	PATH=$BATS_FILE_TMPDIR/bin:$PATH dpplot --to=ours.svg "${@:2}" rows
	mv ours.svg "$1.gp"
	same "$1.gp"
	if ! gnuplot -V | cmp -s - "$KEPT/version" || [[ " $DRAWN " != *" $1 "* ]]; then
		return 0
	fi
	dpplot --to="$1.svg" "${@:2}" rows
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

@test "kept: lines, bands, bars of days, a single week" {
	columns 1 | picture line --title='A line'
	columns 3 | picture three
	columns 9 | picture nine
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
}

@test "kept: who leads, names and their numbers, places, the last step" {
	awk 'BEGIN { for (t = 1; t <= 30; t++)
	    print (t % 7 > 2 ? "often" : t % 5 ? "some" : "seldom") }' | picture leads
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
		{"output":{"format":"plain","row":"day","estimate":"sum of each step",
		"bucket":86400,"confidence":0.95,"plainly":"Noise was added.","columns":[
		{"name":"time","kind":"time"},{"name":"estimate","kind":"estimate"},
		{"name":"lo","kind":"lo"},{"name":"hi","kind":"hi"}]}}
		E
		[ "$1" = --explain ] || printf '1970-01-0%sT00:00:00Z\t%s\t1\t9\n' 1 5 2 7 3 6
	EOT
	chmod +x tool
	for title in 'One <b>' two; do
		PATH=$BATS_FILE_TMPDIR/bin:$PATH dpplot --add --to=page.html --title="$title" \
		    --run ./tool
	done
	sed -i 's/Made on [-0-9]*/Made on a day/' page.html
	same page.html
}

@test "places are those of the numbers, and the last step's bars are its rows in their order" {
	tops 12 >top
	awk -F '\t' '{ n[$1]++; print $1 "\t" $2 "\t" n[$1] }' top >places
	PATH=$BATS_FILE_TMPDIR/bin:$PATH dpplot --ranks --to=a.svg top
	# a row for each time: place and number of the eight first at the end
	sed -n '/^\$data/,/^END/p' a.svg | sed '1d;$d' >got
	last=$(tail -n 1 places | cut -f 1)
	awk -F '\t' -v last="$last" '$1 == last && $3 <= 8 { print $2 }' places >first
	awk 'FNR == 1 { f++ } f == 1 { first[$1] = FNR }
	    f == 2 { if (!($1 in t)) t[$1] = ++times
		if ($2 in first && $3 <= 8) want[t[$1], first[$2]] = $3 }
	    f == 3 { for (k = 1; k <= 8; k++) {
		w = (FNR, k) in want ? want[FNR, k] : "NaN"
		if ($(3 + 2 * (k - 1)) != w) { print FNR, k, $0; bad = 1 } } }
	    END { exit bad || times != 6 || FNR != 6 }' first places got
	dpplot --last --to=b.svg top
	grep "^$last" top | cut -f 2,3 | while IFS='	' read -r name number; do
		[[ ${#name} -gt 28 ]] || grep -F "<text>$name</text>" b.svg
		grep -F "<text>$number</text>" b.svg
	done
	# of columns, too, the largest first
	columns 3 | dpplot --last --to=c.svg
	grep -oE '<text>key .</text>' c.svg | tr -dc '123\n' | paste -s -d '' | grep -x '123\|321'
	columns 3 | COLUMNS=80 dpplot --ranks | grep -E '^ *1 '
	# also of those that have no name
	printf '1\t2\t3\t9\n2\t6\t4\t8\n' | dpplot --last --to=d.svg
	grep -F '<text>column 4</text>' d.svg
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
	columns 1 | dpplot --bars | grep -F '*****'
	run --separate-stderr -3 dpplot --last <<<$'a\nb\na'
	[[ $stderr == *'--ranks shows who led'* ]]
}

@test "names with quotes, markup, controls, marks from right to left, 255 bytes: every form" {
	printf '%s\n' 'a"b' "c'd" '<b>&amp;</b>' 'x,y' 'back\slash' $'\xe2\x80\xae\xd7\x90' \
	    $'bell\a' "$(printf 'w%.0s' {1..255})" '{key="1"}' '50 %d %s' '$(touch pwned)' >names
	for t in 1 2 3; do
		awk -v t=$t -v OFS='\t' '{ print t, $0, NR * 5 - (NR + t) % 3 }' names
	done >rows
	for form in '' --ranks --last; do
		dpplot $form rows >chart
		run ! grep -qP '\x07|\xe2\x80\xae' chart
		for to in a.svg a.html a.png; do
			dpplot $form --to=$to rows 2>err
			[ -s $to ] && [ ! -s err ]
		done
		! command -v xmllint >/dev/null || xmllint --noout a.svg
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
	grep -F '>odd  20</text>' a.svg
}

@test "an interval without end is the range, and of another program is refused by its place" {
	seq 3 >in
	dpmean -q -e 1/100 --seed=1 --once -B -r 0:9 in >one
	cut -f 2,3 one | grep -x $'0.000000\t9.000000'
	for to in a.svg a.html a.png; do
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
	for ((i = 1; i <= 300; i++)); do
		echo "$((i * 3600)) $((i % 7)) $(sed -n $((i % 3 + 1))p keys)"
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
	command -v chromium >/dev/null || skip 'no chromium'
	charted
	browsed
	[ "$(cut -d '|' -f 4 seen | sort -u)" = 'rgb(255, 255, 255)' ]
	browsed --blink-settings=preferredColorScheme=0
	[ "$(cut -d '|' -f 4 seen | sort -u)" = 'rgb(22, 24, 26)' ]
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
	command -v chromium >/dev/null || skip 'no chromium'
	command -v pdftotext >/dev/null || skip 'no pdftotext (Debian: poppler-utils)'
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
		[ "$(grep -c '95 % noise interval' words)" = 2 ]
		[ "$(grep -c 'Made on' words)" = 2 ]
	done
}

@test "a picture is the same where there are no fonts" {
	tops 12 >top
	dpplot --to=a.svg --title=t top
	mkdir fonts
	echo "<fontconfig><dir>$PWD/fonts</dir><cachedir>$PWD/cache</cachedir></fontconfig>" >conf
	FONTCONFIG_FILE=$PWD/conf dpplot --to=b.svg --title=t top
	cmp a.svg b.svg
	# families that every browser has
	grep -oE 'font-family="[^"]*"' a.svg | sort -u | diff - <(echo 'font-family="sans-serif"')
}
