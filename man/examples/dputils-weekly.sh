#!/bin/sh
# SPDX-License-Identifier: ISC
# A public page of a web server, week by week: requests, visitors, share of errors, sizes, top pages.
#
#   dputils-weekly.sh begin LOG ...	once, by hand: a budget, a state for each number, and the
#					page of the last week
#   dputils-weekly.sh LOG ...		once a day: weeks that are over, and the page.  From cron,
#					a line of /etc/cron.d/dputils-weekly:
#   20 0 * * * root sh /usr/share/doc/dputils/examples/dputils-weekly.sh /var/log/nginx/access.log*
#
# Logs must reach back a week, or a part of it is not counted: /var/log/nginx/access.log* .  They may
# be compressed (.gz, .xz, .zst, .bz2), and rotated at any time: a run that meets that counts each
# line once, or ends and counts nothing more, and the next day's makes up for it.  Weeks begin on
# Monday, UTC.  A run that finds no week over draws the page again.
#
# Protected is each request, with epsilon 1 in all five numbers together; and in the number of
# visitors each visitor with all requests of a week, with epsilon 1/2.  -u host -c 20/step in the
# other numbers would protect visitors there, too, with more noise.
#
# After 52 weeks runs say that the horizon is spent.  To begin again in another directory is a second
# release, whose epsilon is added to this one's for whoever has requests in both.
set -eu
umask 077
PATH=$PATH:/usr/local/bin
dir=${DPUTILS_DIR:-/var/lib/dputils}
page=${DPUTILS_PAGE:-/var/www/html/statistics.html}
heading='Statistics of this site, week by week'
weeks=52
begin=no

fail() {
	echo "dputils-weekly.sh: $1" >&2
	exit 2
}

# number EPSILON NAME TITLE TOOL OPTION ... -- LOG ...: one number of the page, drawn with the options
# in $how, and $what it is
number() {
	epsilon=$1 state=$dir/$2.state out=$dir/$2.txt budget=$dir/budget:$2 title=$3 tool=$4
	shift 4
	if [ $begin = yes ]; then
		[ -e "$state" ] || "$tool" -e "$epsilon" -T $weeks --log=combined --bucket=1w \
		    --budget="$budget" --state="$state" --init --out="$out" --next "$@"
	else
		while [ "$1" != -- ]; do	# the state has its options
			shift
		done
		# 4: no week is left, and those of this number stand
		"$tool" --state="$state" --out="$out" --next "$@" || [ $? = 4 ] || exit 1
	fi
	[ -s "$out" ] || [ "$tool" = dptop ] || return 0
	DPUTILS_COLUMNS=1 "$tool" --state="$state" --next --explain >"$explained" || [ $? = 4 ]
	if [ "$tool" = dptop ]; then	# the names of the last week alone, if there are some
		grep "^$(tail -n 1 "$dir/requests.txt" | cut -f 1)" "$out" >"$rows" ||
		    echo "dputils-weekly.sh: $title: none has enough requests to be named" >&2
		out=$rows
	fi
	dpplot --to="$dir/page.html" ${add:-"--heading=$heading"} $how --title="$title" \
	    --ylabel="$what" --explain="$explained" "$out"
	add=--add
}

if [ "${1-}" = begin ]; then
	begin=yes
	shift
	mkdir -p "$dir"
	: >"$page.new" && rm "$page.new"
fi
[ $# -gt 0 ] || fail 'which logs?  (its first lines say how it is used)'
[ -d "$dir" ] || fail "$dir is not there: the first run is 'dputils-weekly.sh begin LOG ...'"
exec 9>"$dir/lock"
flock -n 9 || fail 'another run is at work'
explained=$(mktemp "$dir/explained.XXXXXX") rows=$(mktemp "$dir/explained.XXXXXX")
trap 'rm -f "$explained" "$rows"' EXIT
[ $begin = no ] || [ -e "$dir/budget" ] ||
    dpbudget --init --total=event:1/2,1e-6 --total=user-step/1w:1/2 "$dir/budget"
add='' how=''
what=requests
number 1/8 requests 'Requests in a week' dpwindow -w 1 -B -- "$@"
what='different addresses'
number 1/2 visitors 'Visitors in a week' dpwindow -w 1 -B -u host -c 1/step -- "$@"
what='of all requests, those with an answer of 400 or more'
number 1/8 errors 'Share of requests that failed' dpmean -w 1 -B -v status -m '^[45]' -- "$@"
what='of 100 answers 95 are smaller'
number 1/8 sizes 'Size that 95 % of the answers stay below' \
    dpquantile -w 1 -B --quantile=.95 -v size -r 1:10M -- "$@"
what=requests how=--last
number 1/8 pages 'Pages asked for most in the last week' \
    dptop -w 1 -B -k path -d 1e-6 --top=10 -- "$@"
cat "$dir/page.html" >"$page.new"
chmod 644 "$page.new"
mv "$page.new" "$page"
