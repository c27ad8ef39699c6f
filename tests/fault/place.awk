# SPDX-License-Identifier: ISC
# Where names are defined at the top of C files: FILE, then FIRST,LAST for each that names has
# (separated by commas).  Nothing, unless all of them are in one file.
function found(name) {
	if (file != "" && file != FILENAME) {
		two = 1
		return
	}
	file = FILENAME
	seen[name] = 1
	range[++ranges] = first "," FNR
}

BEGIN {
	wanted = split(names, name, ",")
	for (i = 1; i <= wanted; i++)
		is[name[i]] = 1
}

FNR == 1 {
	inside = open = 0
}

!inside && /^#[ \t]*define[ \t]/ {
	inside = 2
	first = FNR
	what = $2
	sub(/\(.*/, "", what)
}

inside == 2 {
	if (!/\\$/) {
		if (what in is)
			found(what)
		inside = 0
	}
	next
}

!inside && /^[A-Za-z_]/ {
	inside = 1
	open = 0
	first = FNR
	text = ""
	func_name = ""
}

inside == 1 {
	line = $0
	sub(/[ \t]*\/\*.*$/, "", line)
	if (func_name == "" && !open && line ~ /^[A-Za-z_0-9]+\(/ &&
	    line !~ /^(__attribute__|_Static_assert)/) {
		func_name = line
		sub(/\(.*/, "", func_name)
	}
	if (line ~ /^[^ \t]/)
		text = text " " line
	if (line ~ /\{$/)
		open = 1
	if ((line ~ /^\}/ && line !~ /\{$/) || (!open && line ~ /;$/)) {
		inside = 0
		if (func_name != "") {
			if (func_name in is && open)
				found(func_name)
			next
		}
		for (i = 1; i <= wanted; i++)
			if (text ~ ("[^A-Za-z0-9_]" name[i] "([][;,]|[ \t]*=|[ \t]*\\{)"))
				found(name[i])
	}
}

END {
	for (i = 1; i <= wanted; i++)
		if (!(name[i] in seen))
			two = 1
	if (!two) {
		print file
		for (i = 1; i <= ranges; i++)
			print range[i]
	}
}
