#!/bin/sh
# demo.sh BINDIR [LOG] - counts a real log privately and shows the true series beside it.
# LOG may be in the Common Log Format, begin its lines with an ISO date (dpkg.log), or be a syslog.
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

# Without a LOG: the first of these that holds something, else this repository's own history.
choose_log()
{
	for log in "$here/../../shared/data/apache_access.log" /var/log/dpkg.log \
	    /var/log/dpkg.log.1; do
		[ -r "$log" ] && [ -s "$log" ] && return
	done
	log=$tmp/commits
	git -C "$here" log --format=%cI >"$log" 2>/dev/null || :
	[ -s "$log" ] || die "no log found; name one: make demo LOG=/var/log/syslog"
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

# The narrowest bucket that makes no more than 100 of them
choose_bucket()
{
	for bucket in 1m:60 10m:600 1h:3600 6h:21600 1d:86400 1w:604800 4w:2419200 26w:15724800; do
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
[ -n "$log" ] || choose_log
[ -r "$log" ] || die "$log cannot be read"
set -- "$(detect "$log")"
[ -n "$1" ] || die "$log: the first line is neither Common Log Format nor begins with a date"
format=${1% *} field=${1#* }
set -- "$(span "$log")"
[ -n "$1" ] || die "$log: no times found"
first=${1% *} last=${1#* }
choose_bucket "$first" "$last"
# whole buckets, aligned to the epoch as dpcount's are
first=$((first / width * width)) last=$(((last / width + 1) * width))

count inf >"$tmp/true"
count "$epsilon" >"$tmp/private"

name=$(basename "$log")
command="dpcount -e $epsilon -B -t $field --time-format=$format --bucket=$bucket"
range="--from=$(iso "$first") --to=$(iso "$last")"
if [ "$log" = "$tmp/commits" ]; then
	name="the history of this repository"
	command="git log --format=%cI | $command"
elif [ ${#name} -le 18 ]; then
	range="$range $name"
else
	range="$range LOG"
fi
printf 'Lines of %.40s so far, after each bucket of %s:\n\n' "$name" "$bucket"
printf '  %s \\\n      %s\n\n' "$command" "$range"
paste "$tmp/true" "$tmp/private" | awk -v shown=16 '
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
		    "The true count lies inside the\nprivate interval in %d of %d.\n", \
		    NR, rows, worst, inside, NR
		printf "Errors of neighbouring rows go together: their counts share much of " \
		    "the noise.\n"
	}'
cat <<EOF
All private numbers of all buckets together are $epsilon-differentially private.
The true ones stand here for the demonstration only: who prints them has no
privacy left.  --from and --to were found by a look at the log, which is for the
demonstration only too: in real use they must be public.
EOF

printf '\nThe private counts, as dpplot draws them:\n\n'
COLUMNS=80 LINES=16 "$bin/dpplot" - <"$tmp/private" | cat
