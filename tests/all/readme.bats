# SPDX-License-Identifier: ISC
# README.md: every command that prints estimates is run as it stands there.  Without noise it prints
# what awk computes; with it, what --explain says is not exceeded.
load ../lib/helper
load ../lib/examples
load ../lib/truth

TOP=$BATS_TEST_DIRNAME/../..
PAGE=${README:-$TOP/README.md}

setup_file() {
	mkdir "$BATS_FILE_TMPDIR/files"
	cd "$BATS_FILE_TMPDIR/files"
	cp "$DP_BUILD"/share/dputils/sample/* .
	jq -r '[.time, .user, .event, .amount] | @csv' events.jsonl | tr -d '"' |
	    sed '1i\
time,user,event,amount' >events.csv
	listed "$PAGE"
}

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR"
	cp -r "$BATS_FILE_TMPDIR"/files/. .
	pids=()
}

# says TEXT: the document does, wherever its lines end
says() {
	tr -s ' \n' ' ' <"$PAGE" | grep -qF -- "$1" || {
		echo "it does not say: $1"
		return 1
	}
}

@test "250 lines at most, with a picture near the top and the words that people search for" {
	[ "$(wc -l <"$PAGE")" -le 250 ]
	head -n 24 "$PAGE" | grep -qx '$ dpwindow -e 1 .*'
	head -n 24 "$PAGE" | grep -q '^!\[.*](man/sample/requests[.]svg)$'
	for word in percentile 'unique visitors' top-k user-level anonymise 'Laplace mechanism' \
	    'error rate' 'differentially private'; do
		tr '\n' ' ' <"$PAGE" | grep -qi "$word" || {
			echo "it does not say: $word"
			return 1
		}
	done
}

@test "every command that prints estimates is compared with the truth" {
	for f in list/*[0-9]; do
		! estimates "$f" || echo "$f"
	done | sort >want
	[ "$(wc -l <want)" -ge 12 ]
	sed -nE "s/^\tnamed '(.*)'\$/\1/p" "$BATS_TEST_FILENAME" | while read -r text; do
		of_text "$text"
	done | sort -u | diff want -
}

@test "the first command prints what it did, with other noise; the picture is of the same log" {
	says 'with `-u` a user field that is empty (or `-` in a log: that is nobody)'
	awk '/^```text/ { on = 1; next } /^```/ { on = 0 } on' "$PAGE" >first
	sed -n 's/^[$] //p' first >recipe
	rm -f before
	days '{ n[day]++ }'
	run_as exact | diff want -
	sed 1d first >certain
	paste want certain | awk '$3 != $1 || $5 > $2 || $6 < $2 || $4 - $5 != 3 ||
	    $6 - $4 != 3 { bad = 1 }
	    END { exit bad || NR != 7 }'
	# shape SVG: its elements, and how many points its lines have; words and colours are free
	shape() {
		tr -d '\n' <"$1" | sed 's/<style>.*<[/]style>//
		    s/<text[^>]*>--seed [^<]*<[/]text>//
		    s/>[^<]*</></g; s/[-0-9.,]*[0-9]/0/g
		    s/\(0[ LMlm]*\)\1*/0 /g; s/></>\n</g' | uniq
	}
	dpplot --to=again.svg --title='Requests an hour' --run dpwindow -q -e 1 --seed=1 -w 1 -B \
	    --log=combined --bucket=1h --from=2026-05-01 --to=2026-05-08 access.log 2>/dev/null
	shape "$TOP/man/sample/requests.svg" >picture
	[ "$(wc -l <picture)" -gt 9 ]
	shape again.svg | diff picture -
	grep -o L again.svg >points
	grep -o L "$TOP/man/sample/requests.svg" | diff points -
}

@test "a table without times" {
	named 'dpcount -e 1 --once'
	awk -F , 'NR > 1 { n += $4 < 10 } END { print n }' sales.csv >want
	holds 1
}

@test "requests per hour" {
	named 'dpwindow -e 1 -w 1 --log=combined --bucket=1h'
	hours '{ n[day, hour]++ }'
	holds
}

@test "users who bought, revenue a user, events a user" {
	named 'dpmean -e 1 -B --json -u user -c 1/step'
	awk -F, 'NR > 1 { d = substr($1, 9, 2) + 0 }
	    NR > 1 && !seen[d, $2]++ { n[d]++ } $3 == "buy" && !did[d, $2]++ { b[d]++ }
	    END { for (d = 1; d <= 7; d++)
		printf "2026-05-%02dT00:00:00Z\t%.6f\n", d, b[d] / n[d] }' events.csv >want
	run_as exact | diff want -
	run_as certain | paste want - | awk '$1 != $3 || $5 > $2 + 1e-6 || $6 < $2 - 1e-6 {
	    print; bad = 1 } END { exit bad || NR != 7 }'
	named 'dpmean -e 1 -B --json -u user --each-user=sum'
	awk -F, 'NR > 1 { seen[$2]; s[$2] += $4 } END { for (u in seen) { n++
	    all += s[u] > 200 ? 200 : s[u] } printf "%.6f\n", all / n }' events.csv >want
	run_as exact | awk -v want="$(<want)" '{ d = $1 - want; exit !(d < 2e-3 && d > -2e-3) }'
	run_as certain | awk -v want="$(<want)" '{ exit !($2 <= want && $3 >= want) }'
	named 'dpquantile -e 1 --json -u user --each-user=count'
	awk -F, 'NR > 1 { n[$2]++ } END { for (u in n) h[n[u] > 20 ? 20 : n[u]]++
	    for (i = 1; i <= 20; i++) printf "%s%s", i, i < 20 ? "," : "\n"
	    for (i = 1; i <= 20; i++) printf "%d%s", h[i], i < 20 ? "," : "\n" }' \
	    events.csv >want
	holds 1 ,
}

@test "median and 95th percentile of response times" {
	named 'dpquantile -e 1 -B'
	sort -n <(sed 's/.* //' access.log) | awk '{ x[NR] = $1 }
	    END { print x[int((NR + 1) / 2)] "\t" x[int(NR * .95 + .999)] }' >want
	[ "$(<want)" = $'0.079\t0.388' ]
	grep -F 'true are 0.079 and 0.388' "$TOP/README.md"
	# "to 0.902 %" of --explain, and a grid unit
	run_as exact | paste want - | awk '{ for (i = 1; i <= 2; i++) { d = $(i + 2) - $i
	    if (d > .00902 * $i + .001 || d < -.00902 * $i - .001) { print; bad = 1 } } }
	    END { exit bad || NR != 1 }'
	run_as certain | paste want - | awk -F '\t' '{ print }
	    $1 < $4 || $1 > $5 || $2 < $7 || $2 > $8 { bad = 1 } END { exit bad || NR != 1 }'
	sed -i 's/ -e 1 / -e 1 --seed=1 /' recipe
	run_as given | tr '\t' ' ' >seeded
	read -r median _ _ p95 low high <seeded
	grep -F "This printed $median and, between $low and $high, $p95;" "$TOP/README.md"
}

@test "the page that leads" {
	named 'dpmaxsum -e 1 --both -k path'
	requests '{ n[day, hour, path]++ }
	    END { for (d = 1; d <= 7; d++) for (h = 0; h < 24; h++) for (i = 1; i <= pages; i++)
		printf "2026-05-%02dT%02d:00:00Z %s %d\n", d, h, page[i],
		    s[i] += n[d, h, page[i]] }' >sums
	leads
}

@test "clients so far" {
	days '!seen[host]++ { n[day]++ } END { for (d = 2; d <= 7; d++) n[d] += n[d - 1] }'
	printed=$(cut -f 2 want | paste -sd , | sed 's/,/, /g; s/, \([0-9]*\)$/ and \1/')
	says "where $printed is true"
	named 'dpdistinct -e 1 -v host'
	holds
}

@test "cases so far, of seven days, with a half-life" {
	awk -F, '{ v[++n] = $2; t[n] = $1 } END { for (i = 1; i <= n; i++) {
	    s += v[i]; w = s - old[i - 7]; old[i] = s; d = d * 2 ^ (-1 / 14) + v[i]
	    printf "%sT00:00:00Z\t%.0f\t%.0f\t%.6f\n", t[i], s, w, d } }' cases.csv >all
	named 'dpcount -e 1 "$@"'
	cut -f 1,2 all >want
	holds
	named 'dpwindow -e 1 -w 7d "$@"'
	cut -f 1,3 all >want
	holds
	named 'dpdecay -e 1 --half-life=14d "$@"'
	cut -f 1,4 all >want
	run_as exact | paste - want | awk '{ d = $2 - $4; if ($1 != $3 || d > 1e-5 * ($2 + 1) ||
	    -d > 1e-5 * ($2 + 1)) { print; exit 1 } }'
	run_as noisy >private
	near
	# without --unit: millions
	dpcount -e 1 -r 0:5000000 --bucket=1d -T 91 --explain=json | jq -e '.rmse.max > 1e6'
}

@test "one number: the discrete Laplace mechanism, with a scale of 1 / epsilon" {
	named 'echo 42 | dpcount -e 1 -T 1 --unit=1'
	[ "$(run_as exact)" = 42 ]
	run_as noisy >private
	awk '{ exit !($1 > 2 && $1 < 82) }' private
	dpcount -e 1 -T 1 --unit=1 -r 0:1000 --explain=json | jq -e '.rmse.max > 1.35 and
	    .rmse.max < 1.36'
}

@test "ones and zeros" {
	named 'dpcount -e 1 -T 10k bits.txt'
	running bits.txt >want
	holds 1
}

@test "a statistic of another program" {
	named 'dptransform -e 3 -T 10k'
	awk 'BEGIN { for (i = 0; i < 1500; i++) print "h" i, 0, 0, 0, 0, 0,
	    "/p" (i % 11 < 3 ? 1 : i % 7) }' >access.log
	awk '!seen[$1, $7]++ && ++n[$7] > most { most = n[$7] } { print most }' access.log >want
	# at the confidence of 0.95 that the page has, there is no other: with a seed.  It lags.
	sed -i 's/ -e 3 / -e 3 --seed=4 /' recipe
	run_as given >private
	most=$(dptransform -e 3 -T 10k --sensitivity=1 --rising=1000 --one-sided --explain=json |
	    jq .bound.all_steps)
	paste want private | awk -v most="$most" '{ d = $2 - $1 } d > most || d < -most {
	    print; bad = 1; exit 1 } { moved += $2 != last; last = $2 }
	    END { exit bad || NR != 1500 || moved < 2 }'
	says "with E = 3 it is off by $most at most (with probability 0.95)"
}

@test "requests in the last hour, live" {
	named 'dpwindow -e 1 -m . -w 1h --bucket=1m --live'
	sed -i 's/tail -n 0 -F /cat /' recipe
	wc -l <access.log >want
	run_as exact | tail -n 1 | cut -f 2 | diff want -
	run_as noisy | tail -n 1 | cut -f 2 >private
	near 1
}

@test "a chart" {
	named 'dpplot --run dpcount -e 1 -B'
	run_as given >chart
	[ "$(grep -c '|' chart)" -gt 8 ]
	# what is drawn
	hours '{ n[day, hour]++ }'
	awk '{ print $1 "\t" (s += $2) }' want >sums
	mv sums want
	holds
	surrounds
}

@test "from a budget" {
	named '--budget=web.budget:errors'
	requests '{ s += status == 404; print s }' >want
	holds 1
	named '--budget=web.budget:load'
	awk '{ print (NR < 1000 ? NR : 1000) }' access.log >want
	holds 1
	says "A third run with \`-e 1\` would end with status 4 and say that 0.5 is left."
	run_as given >/dev/null
	fails 4 dpcount -e 1 -T 10k -m '" 404 ' --budget=web.budget:errors access.log
	[[ $stderr = *0.5* && $output = '' ]]
}

@test "commands that print no estimates run" {
	for f in list/*[0-9]; do
		! estimates "$f" && ! grep -qE '^(set|for) ' "$f" || continue
		cp "$f" recipe
		rm -f before
		[ ! -e "$f.before" ] || cp "$f.before" before
		run_as given >printed
		[ -s printed ] || grep -qE '(^dpbudget --init|>[a-z.]+$)' "$f"
	done
}

# formulas: dputils-formulas(7), for those who read it
formulas() {
	mandoc -Tascii -Owidth=200 "$TOP/man/dputils-formulas.7" | sed 's/.\x08//g'
}

@test "dputils-formulas(7): a finer grid costs what it says" {
	formulas | tr -s ' \n' ' ' | grep -qF 'For an E below some 0.1 to 0.6, as T is, and'
	formulas | tr -s ' \n' ' ' | grep -qF 'which costs 1 to 3 %'
	for a in '33 .19 .2' '1k .264 .266' '1M .43 .431' '1G .59 .61'; do
		read -r T below at <<<"$a"
		jq -n --argjson a "$(dpcount -e $below -T $T --explain=json)" \
		    --argjson b "$(dpcount -e $at -T $T --explain=json)" \
		    --argjson below "$below" --argjson at "$at" \
		    -e '$a.rmse.max * $below / ($b.rmse.max * $at) | . > 1.01 and . < 1.03'
	done
}

@test "the errors for a year are those predicted" {
	mapfile -t all < <(for e in 0.1 1 3; do
		dpcount -e $e -T 365 --explain=json | jq .bound.all_steps
	done)
	grep -F "prints ±${all[0]}, ±${all[1]} and ±${all[2]}:" "$PAGE"
}

@test "the epsilon for an error within 20 is what --within finds" {
	want=$(dpcount --within=20 -T 365 --explain=json | jq -r .within.epsilon)
	tr '\n' ' ' <"$PAGE" | grep -F "within 20 it stays from E = $want on"
}

@test "requests per day, as a window and as differences, are off by so much" {
	seq -f k%.0f 500 >keys
	set -- -e 1 -k 1 --keys=@keys -t 2 --time-format=epoch \
	    --bucket=1s --from=0 --to=365 --seed 5 /dev/null
	rms() {
		cut -f 2- | awk -v diff="$1" '{ for (i = 1; i <= NF; i++) {
		    s += ($i - diff * last[i]) ^ 2; last[i] = $i; n++ } }
		    END { printf "%.3f", sqrt(s / n) }'
	}
	difference=$(dpcount "$@" 2>/dev/null | rms 1)
	window=$(dpwindow -w 1 "$@" 2>/dev/null | rms 0)
	# 182500 numbers: within .1 of what is said
	tr '\n' ' ' <"$PAGE" |
	    sed -nE 's/.*off by ([0-9.]+) where +this is off by ([0-9.]+), in a year.*/\1 \2/p' |
	    awk -v d="$difference" -v w="$window" '{ print d, w, $0
		exit !(($1 - d) ^ 2 < .01 && ($2 - w) ^ 2 < .01) } END { if (NR == 0) exit 1 }'
}

@test "dputils-formulas(7): the table of mechanisms is what --explain predicts; README's figures" {
	for T in 1k 1M 1G; do
		dpcount -e 1 -d 1e-6 -T $T --explain=json |
		    jq -r '.eligible[] | "\(.mechanism) \(.rmse_max)"' >"explain.$T"
	done
	for T in 1k 1M 1G; do
		awk -v T=$T '{ printf "%s %s %.3g\n", T, $1, $2 }' "explain.$T"
	done >wanted
	awk '/^\.Ed/ { on = 0 } on; /^mechanism / { on = 1 }' "$TOP/man/dputils-formulas.7" |
	    tr -d , |
	    awk '{ printf "1k %s %.3g\n1M %s %.3g\n1G %s %.3g\n", $1, $2, $1, $3, $1, $4 }' >table
	[ -s table ]
	diff <(sort wanted) <(sort table)
	best() { awk -v m="$1" -v T="$2" '$1 == T && $2 == m { print $3 }' wanted; }
	says "root-mean-square: $(best normtree 1k) over 1,000 lines,"
	says "over 1,000 lines, $(best normtree 1M) over a million"
	says "$(best normtree 1G) over 10^9; with \`-d 1e-6\` no more than $(best blt-norm 1G)."
}

@test "dputils-formulas(7): the table of errors is what make errors prints" {
	sh "$TOP/tests/bench/errors.sh" >errors
	[ "$(wc -l <errors)" -gt 20 ]
	while IFS= read -r line; do
		grep -Fx -- "$line" "$TOP/man/dputils-formulas.7" >/dev/null ||
		    { echo "not in dputils-formulas(7): $line"; return 1; }
	done <errors
}
