# SPDX-License-Identifier: ISC
# make html: a page for each page of the manual, and an index; well-formed, and every link leads
# somewhere.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

setup_file() {
	sh "$BATS_TEST_DIRNAME/../../man/html.sh" "$BATS_FILE_TMPDIR/html"
}

@test "html: every page is there, named in the index, and well-formed" {
	cd "$BATS_FILE_TMPDIR/html"
	for page in "$TOP"/man/*.[1-9]; do
		echo "${page##*/}.html"
	done | sort >../want
	[ "$(wc -l <../want)" -gt 24 ]
	ls ./*.[1-9].html | sed 's|[.]/||' | sort | diff ../want -
	grep -o 'href="[^"]*html"' index.html | cut -d '"' -f 2 | sort | diff ../want -
	type -P xmllint >/dev/null || skip 'no xmllint'
	xmllint --noout ./*.html requests.svg
}

@test "html: every link leads to a file, and to a place in it; none leads away" {
	cd "$BATS_FILE_TMPDIR/html"
	awk '{ while (match($0, /(href|src|id)="[^"]*"/)) {
		split(substr($0, RSTART, RLENGTH), part, "\"")
		$0 = substr($0, RSTART + RLENGTH)
		if (part[1] == "id=") { id[FILENAME "#" part[2]]; continue }
		n++
		to = part[2] ~ /^#/ ? FILENAME part[2] : part[2]
		if (to ~ /#/) place[to] = FILENAME
		else file[to] = FILENAME } }
	    END { for (to in place) if (!(to in id)) { print place[to] ": " to; bad = 1 }
		for (to in file) print to
		exit bad || n < 1000 }' ./*.html >files
	while read -r file; do
		[ -s "$file" ] || { echo "no $file"; false; }
	done <files
	# pages link to each other, and back to the index
	grep -qx dpcount.1.html files
	[ "$(grep -l 'href="index.html"' ./*.[1-9].html | wc -l)" = "$(ls ./*.[1-9].html | wc -l)" ]
}
