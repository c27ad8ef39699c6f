#!/bin/sh
# SPDX-License-Identifier: ISC
# demo.sh BINDIR [LOG] - counts a log privately and shows the true series beside it.
# LOG may be in the Common Log Format, begin its lines with an ISO date (dpkg.log), or be a syslog;
# without one it is the sample's access log.
set -eu
here=$(dirname "$0")
bin=${1-}
log=${2-}
epsilon=1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
export LC_ALL=C

die()
{
	echo "demo: $*" >&2
	exit 1
}

# How a log is read, and over which buckets; false: it is none
take_log()
{
	format=$(detect "$log")
	[ -n "$format" ] || return 1
	field=${format#* } format=${format% *}
	last=$(span "$log")
	[ -n "$last" ] || return 1
	first=${last% *} last=${last#* }
	choose_bucket "$first" "$last"
	# whole buckets, aligned as dpcount's are: to the epoch, weeks to 1969-12-29
	case $bucket in
	*w) begin=259200 ;;
	*) begin=0 ;;
	esac
	first=$(((first + begin) / width * width - begin))
	last=$((((last + begin) / width + 1) * width - begin))
}

# The form of the first line: "FORMAT FIELD"
detect()
{
	awk 'NR == 1 {
		if ($1 ~ /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]/)
			print "iso", 1
		else if ($0 ~ /^[A-Z][a-z][a-z] +[0-9]+ [0-9][0-9]:[0-9][0-9]:[0-9][0-9]/)
			print "syslog", 1
		else
			for (i = 1; i <= NF; i++)
				if ($i ~ /^\[?[0-9][0-9]\/[A-Z][a-z][a-z]\/[0-9][0-9][0-9][0-9]:/) {
					print "clf", i
					break
				}
		exit
	}' "$1"
}

# First and last second of the log.  This reads the data: see the note the demonstration prints.
span()
{
	awk -v format="$format" -v field="$field" -v now="$(date +%s)" -v year="$(date +%Y)" '
	function seconds(y, m, d, hms, zone,	p, z) {
		y += 0; m += 0			# days since 1970, years beginning in March
		if (m <= 2) { y--; m += 12 }
		split(hms, p, ":")
		z = zone ~ /^[-+]/ ? \
		    substr(zone, 2, 2) * 3600 + substr(zone, length(zone) - 1) * 60 : 0
		if (zone ~ /^-/) z = -z
		return (365 * y + int(y / 4) - int(y / 100) + int(y / 400) + \
		    int((153 * m - 457) / 5) + d - 719469) * 86400 + \
		    p[1] * 3600 + p[2] * 60 + int(p[3]) - z
	}
	function month(name) {
		return (index("JanFebMarAprMayJunJulAugSepOctNovDec", name) + 2) / 3
	}
	format == "clf" && $field ~ /^\[?[0-9][0-9]\/.*:..:..:../ {
		s = $field; sub(/^\[/, "", s); sub(/\]$/, "", s)
		note(seconds(substr(s, 8, 4), month(substr(s, 4, 3)), substr(s, 1, 2),
		    substr(s, 13, 8), substr($(field + 1), 1, 5)))
	}
	format == "iso" && $1 ~ /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]/ {
		s = length($1) > 10 ? substr($1, 12) : \
		    $2 ~ /^[0-9][0-9]:[0-9][0-9]/ ? $2 : "00:00:00"
		note(seconds(substr($1, 1, 4), substr($1, 6, 2), substr($1, 9, 2),
		    substr(s, 1, 8), \
		    match(s, /[-+][0-9][0-9]:?[0-9][0-9]$/) ? substr(s, RSTART) : ""))
	}
	format == "syslog" && $3 ~ /^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]/ && month($1) > 0 {
		t = seconds(year, month($1), $2, substr($3, 1, 8), "")
		note(t > now + 86400 ? seconds(year - 1, month($1), $2, substr($3, 1, 8), "") : t)
	}
	function note(t) {
		if (first == "" || t < first) first = t
		if (last == "" || t > last) last = t
	}
	END { if (first != "") printf "%.0f %.0f\n", first, last }' "$1"
}

# The narrowest bucket of a minute or more that makes no more than 100 of them
choose_bucket()
{
	for bucket in 1m:60 3m:180 10m:600 30m:1800 1h:3600 3h:10800 6h:21600 12h:43200 1d:86400 \
	    3d:259200 1w:604800 4w:2419200 12w:7257600 26w:15724800; do
		width=${bucket#*:}
		bucket=${bucket%:*}
		[ $(($2 / width - $1 / width)) -lt 100 ] && return
	done
}

count()
{
	"$bin/dpcount" -e "$1" -t "$field" --time-format="$format" --bucket="$bucket" \
		--from="$first" --to="$last" -B -- "$log" 2>"$tmp/error" ||
		    die "$(cat "$tmp/error")"
}

# Seconds as dpcount writes them
iso()
{
	"$bin/dpcount" -e inf -t 1 --time-format=epoch --bucket=1s --from="$1" --to=$(($1 + 1)) \
	    </dev/null 2>/dev/null |
	    cut -f1
}

[ -n "$bin" ] || die "usage: demo.sh BINDIR [LOG]"
[ -x "$bin/dpcount" ] || die "$bin/dpcount is not there; run make first"
[ -n "$log" ] || log=${bin%/bin}/share/dputils/sample/access.log
[ -r "$log" ] || die "$log cannot be read"
take_log ||
    die "$log: its first line begins with no date, nor has it one of the Common Log Format"

count inf >"$tmp/true"
count "$epsilon" >"$tmp/private"

name=$(basename "$log")
command="dpcount -e $epsilon -B -t $field --time-format=$format --bucket=$bucket"
range="--from=$(iso "$first") --to=$(iso "$last")"
file=$log
[ ${#file} -le 74 ] || file=LOG
printf 'Lines of %.40s so far, after each bucket of %s:\n\n' "$name" "$bucket"
printf '  %s \\\n      %s \\\n      %s\n\n' "$command" "$range" "$file"
paste "$tmp/true" "$tmp/private" | awk -v shown=14 '
	{ time[NR] = $1; truth[NR] = $2; private[NR] = $6; lo[NR] = $7; hi[NR] = $8 }
	END {
		every = int((NR + shown - 1) / shown)
		most = truth[NR] > 0 ? truth[NR] : 1
		printf "  %-17s %9s %9s %7s %6s\n", "bucket (UTC)", "true", "private",
		    "95% +-", "error"
		for (i = 1; i <= NR; i++) {
			e = private[i] - truth[i]
			size = e < 0 ? -e : e
			if (size > worst) worst = size
			if (truth[i] >= lo[i] && truth[i] <= hi[i]) inside++
			if ((NR - i) % every != 0) continue
			rows++
			n = int(24 * private[i] / most + 0.5)
			bar = n > 0 ? " " : ""
			while (n-- > 0 && length(bar) < 26) bar = bar "#"
			printf "  %-17s %9d %9d %7d %+6d%s\n", substr(time[i], 1, 16) "Z",
			    truth[i], private[i], (hi[i] - lo[i]) / 2, e, bar
		}
		printf "\n%d buckets, %d shown.  Largest error: %d.  " \
		    "The true count lies inside the\nprivate interval in %d of %d.  " \
		    "Over many runs it is 95 of 100; in one run it\nmay be far fewer, as errors " \
		    "of neighbouring rows go together.\n", NR, rows, worst, inside, NR
	}'
cat <<EOF
All private numbers of all buckets together are $epsilon-differentially private.
The true ones stand here for the demonstration only: who prints them has no
privacy left.  --from and --to were found by a look at the log, which is for the
demonstration only too: in real use they must be public.
EOF

# cases -e EPSILON: of each day so far, and the mean of a week
cases()
{
	set -- -e "$1" --unit=1 --csv -t 1 --time-format=iso -v 2 --bucket=1d --from=2020-01-22 \
	    --to=2022-04-17 "$tmp/cases.csv"
	"$bin/dpcount" -q "$@" >"$tmp/total" 2>"$tmp/error" || die "$(cat "$tmp/error")"
	"$bin/dpwindow" -q -w 7 "$@" >"$tmp/week" 2>"$tmp/error" || die "$(cat "$tmp/error")"
	paste "$tmp/total" "$tmp/week" |
	    awk '{ printf "%s %d %.1f\n", substr($1, 1, 10), $2, $4 / 7 }'
}

table=$here/data/covid_worldwide.csv
awk -F, 'NR > 1 { print $1 "," $2 - last; last = $2 }' "$table" >"$tmp/cases.csv"
[ ${#table} -le 60 ] || table=tests/data/covid_worldwide.csv
cases inf >"$tmp/true"
cases 1/2 >"$tmp/cases"
cat <<EOF

A table of totals: cases of COVID-19 in the world, of which one is protected:

  awk -F, 'NR > 1 { print \$1 "," \$2 - last; last = \$2 }' \\
      $table >cases.csv
  dpcount -e 1/2 --unit=1 --csv -t 1 --time-format=iso -v 2 --bucket=1d \\
      --from=2020-01-22 --to=2022-04-17 cases.csv
  dpwindow -w 7 and the same options; divided by 7 the mean of a week

  day               so far   private        week / 7    private
EOF
paste "$tmp/true" "$tmp/cases" | awk '(NR - 1) % 271 == 0 { n++
	printf "  on %s %11d %11d %11.1f %11.1f\n", $1, $2, $5, $3, $6 }
	END { printf "\n%d days, %d shown.  All of it together is 1-differentially private.\n",
	    NR, n }'

# Half of the days have no more, 95 % have no more
cut -d, -f2 "$tmp/cases.csv" | sort -n | awk '{ v[NR] = $1 }
	END { print v[int(.5 * NR + .999)], v[int(.95 * NR + .999)] }' >"$tmp/true"
"$bin/dpquantile" -q -e 1 -B --once --quantile=.5,.95 --csv -v 2 -r 1:5M "$tmp/cases.csv" \
    >"$tmp/days" 2>"$tmp/error" || die "$(cat "$tmp/error")"
cat <<EOF

How many cases a day has, of which one day is protected:

  dpquantile -e 1 -B --once --quantile=.5,.95 --csv -v 2 -r 1:5M cases.csv

                         true     private       95% interval
EOF
paste "$tmp/true" "$tmp/days" | awk '{
	printf "  %-12s %14d %11d %10d ..%9d\n", "median", $1, $3, $4, $5
	printf "  %-12s %14d %11d %10d ..%9d\n", "95 % below", $2, $6, $7, $8 }'

printf '\nThe private counts of the log, as dpplot draws them (--run, and the command):\n\n'
COLUMNS=80 LINES=13 "$bin/dpplot" - <"$tmp/private" | cat
