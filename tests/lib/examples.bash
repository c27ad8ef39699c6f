# SPDX-License-Identifier: ISC
# The files that the examples of the pages, README.md and dputils-recipes(7) speak of.  To be loaded
# after the helper; TOP is the repository.

# The sample data, which all pages' examples are about
example_files() {
	cp "$DP_BUILD"/share/dputils/sample/* .
}

# Requests to a web site in four days of May 2015; some like them where the real are not at hand
apache_file() {
	local real=$TOP/../shared/data/apache_access.log

	if [ -r "$real" ]; then
		cat "$real" >apache.log
	else
		integers 9000 | awk 'BEGIN { n = split("/favicon.ico /style2.css /reset.css " \
		    "/robots.txt / /other", page, " ") } {
			t = NR * 34 + 36000
			printf "192.0.2.%d - - [%02d/May/2015:%02d:%02d:%02d +0000] " \
			    "\"GET %s HTTP/1.1\" %d %d\n", $1 % 99, 17 + int(t / 86400),
			    int(t / 3600) % 24, int(t / 60) % 60, t % 60,
			    page[1 + int($1 / 7 % n * ($1 % 13) / 13)], $1 % 9 ? 200 : 304, $1
		}' >apache.log
	fi
}

# displays FILE [SECTION]: the commands in the displays of a page's source, to cmd.1, cmd.2, ..;
# what stands below each to out.1, out.2, ..  A command goes on behind a backslash, a bar, or an
# open quote.
displays() {
	awk -v section="${2-}" -v quote="'" 'BEGIN { in_it = section == "" }
	    /^[.]Sh/ && section != "" { in_it = substr($0, 5) == section }
	    /^[.]Bd -literal/ { on = in_it; next } /^[.]Ed/ { on = 0 } !on { next }
	    { gsub(/\\e/, "\\"); sub(/^\\&/, "") }
	    sub(/^[$] /, "") { n++; printf "" >("out." n); more = 1; open = 0 }
	    more { print >("cmd." n); open = (open + gsub(quote, quote)) % 2
		more = open || /[\\|]$/; next }
	    { print >("out." n) }' "$1"
}
