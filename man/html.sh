#!/bin/sh
# SPDX-License-Identifier: ISC
# html.sh DIR: the manual as HTML, made by mandoc(1), and an index: a folder that a web server can
# show as it is.  Pages link to each other; those of other programs are named without a link.
set -eu
here=$(dirname "$0")
mkdir -p "$1"

cat >"$1/style.css" <<'E'
body { max-width: 46em; margin: 1em auto; padding: 0 1em; line-height: 1.5;
    font-family: system-ui, sans-serif; color: #222; background: #fff }
pre { overflow-x: auto; padding: .6em 1em; background: #f3f4f6; line-height: 1.35; font-size: .9em }
code, var, pre { font-family: ui-monospace, monospace }
code { font-weight: 600 }
pre code { font-weight: 400 }
h1 { font-size: 1.25em; margin: 1.6em 0 .4em }
h2 { font-size: 1.05em; margin: 1.4em 0 .3em }
a { color: #1a5fa8; text-decoration: none }
a:hover { text-decoration: underline }
a.permalink { color: inherit }
table.head, table.foot { width: 100%; color: #667; font-size: .85em }
td.head-vol, td.foot-date { text-align: center }
td.head-rtitle, td.foot-os { text-align: right }
dt { margin-top: .5em }
dd { margin-left: 2em }
td { vertical-align: top; padding-right: .8em }
img { max-width: 100% }
@media (prefers-color-scheme: dark) {
    body { color: #ddd; background: #16181c }
    pre { background: #23262c }
    a { color: #7db4ea }
    img { background: #fff }
}
E

names=$(cd "$here" && printf '%s\n' *.[1-9])
ours=$(echo "$names" | sed 's/[.]/\\./g' | paste -sd '|' -)
for page in $names; do
	mandoc -Thtml -O man=%N.%S.html,style=style.css "$here/$page" | sed -E \
	    -e "s,<a class=\"Xr\" href=\"($ours)[.]html\">([^<]*)</a>,<a href=\"\\1.html\">\\2</a>,g" \
	    -e 's,<a class="Xr"[^>]*>([^<]*)</a>,\1,g' \
	    -e 's,<html>,<html lang="en">,; s,#PAN_PRIVATE,#PAN-PRIVATE,' \
	    -e 's,(<td class="head-ltitle">)([^<]*),\1<a href="index.html">dputils</a>,' \
	    >"$1/$page.html"
done
cp "$here/sample/requests.svg" "$1"

# row PAGE: its name and what it is
row() {
	d=$(sed -n 's/^\.Nd //p' "$here/$1" | sed 's/&/\&amp;/g; s/</\&lt;/g')
	echo "<tr><td><a href=\"$1.html\">${1%.*}(${1##*.})</a></td><td>$d</td></tr>"
}

# rows TITLE PAGE ...
rows() {
	printf '<h2>%s</h2>\n<table>\n' "$1"
	shift
	for page; do
		row "$page"
	done
	echo '</table>'
}

first='dputils-tutorial.7 dputils-recipes.7 dputils-faq.7'
# shellcheck disable=SC2046,SC2086	# names of pages are words
{
	cat <<'E'
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1.0"/>
<link rel="stylesheet" href="style.css"/>
<title>dputils</title>
</head>
<body>
<h1>dputils</h1>
<p>Unix filters that count private data: events go in, one differentially private estimate comes out
after every time step. What they print of a log may be shown to people who must not see the log.</p>
<p><img src="requests.svg" alt="Requests an hour to a made-up shop, with a band of noise"/></p>
E
	rows 'Begin here' $first
	rows 'The tools' $(echo "$names" | grep '[.]1$')
	rows 'What is promised, and how' $(echo "$names" | grep '[.]7$' |
	    grep -vxF "$(echo "$first" | tr ' ' '\n')")
	rows 'For programs' $(echo "$names" | grep '[.]3$')
	rows 'Files' $(echo "$names" | grep '[.]5$')
	printf '</body>\n</html>\n'
} >"$1/index.html"
