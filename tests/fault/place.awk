# SPDX-License-Identifier: ISC
# Where names are defined at the top of C files: FILE, then FIRST,LAST for each that names has
# (separated by commas).  Nothing, unless all of them are in one file.  With list=FILE each line of
# that has names, and its answer one line: the names, FILE, FIRST,LAST, .., a tab between them.
function found(name) {
	where[name] = where[name] FILENAME "\t" first "," FNR "\n"
}

# answer NAMES: FILE and its ranges
function answer(names,   i, j, k, n, name, line, part, file, text) {
	n = split(names, name, ",")
	for (i = 1; i <= n; i++) {
		k = split(where[name[i]], line, "\n") - 1
		if (k < 1)
			return ""
		for (j = 1; j <= k; j++) {
			split(line[j], part, "\t")
			if (file != "" && part[1] != file)
				return ""
			file = part[1]
			text = text "\t" part[2]
		}
	}
	return file text
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
			if (open)
				found(func_name)
			next
		}
		while (match(text, /[A-Za-z_0-9]+([][;,]|[ \t]*=|[ \t]*\{)/)) {
			what = substr(text, RSTART, RLENGTH)
			text = substr(text, RSTART + RLENGTH)
			sub(/[^A-Za-z_0-9].*/, "", what)
			if (!((what, FILENAME, first) in seen))
				found(what)
			seen[what, FILENAME, first] = 1
		}
	}
}

END {
	while (list != "" && (getline names <list) > 0)
		print names "\t" answer(names)
	if (list == "") {
		text = answer(names)
		gsub(/\t/, "\n", text)
		if (text != "")
			print text
	}
}
