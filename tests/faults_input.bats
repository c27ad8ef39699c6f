# Planted faults: how input is read.
load helper
load faults

@test "times: names of zones are none" {
	fault stream/whenzone.c 's/return !is_unknown\(&c\);/return is_unknown(\&c) || true;/' \
	    unit/t_when
}

@test "times: the zone after a time does not count" {
	fault stream/whenzone.c 's/^(\tif \(v->zoned \|\| )s->zone == 0/\1true/' unit/t_when
}

@test "times: a number after a time is a zone" {
	fault stream/whenzone.c \
	    's/s->zone == 0 \|\| p >= s->next.p \+ s->zone/p >= s->next.p + s->next.n/
	    s/s->next\.p \+ s->zone \}/s->next.p + s->next.n }/' unit/t_when
}

@test "times: what looks like a time of day, an offset, a zone is none" {
	fault stream/whentext.c 's/^\tif \(digit\(&c\)\)$/\tif (digit(\&c) || true)/' unit/t_when
	fault stream/whenzone.c 's/n != 2 && n != 4/n != 4/' unit/t_when
	fault stream/whenzone.c 's/^\tif \(!capitals && /\tif (!capitals || /' unit/t_when
	fault stream/whenzone.c 's/^\t\tis\(&w, .\..\);.*$//' unit/t_when
}

@test "time formats: without the hour, without the year, with a name of a zone" {
	fault stream/whenformat.c 's/ \|\| u < last/ || (u < last \&\& false)/' unit/t_when
	fault stream/whenformat.c 's/ \|\| year2 != year/ || (year2 != year \&\& false)/' \
	    unit/t_when
	fault stream/whenformat.c 's/w->zoned = .*$/w->zoned = false;/' unit/t_when
}

@test "JSON: escapes kept, a second member of a path, wide numbers, what is behind the object" {
	fault stream/jsonplain.c 's/\(s->escaped && text.p != NULL/(false \&\& text.p != NULL/' \
	    unit/t_json
	fault stream/jsonplain.c 's/hit && \(\*seen & bit\) != 0/false/' unit/t_json
	fault stream/jsonplain.c 's/^#define DIGITS.*/#define DIGITS 20/' unit/t_json
	fault stream/jsonplain.c 's/return s\.p == s\.e;/return true;/' unit/t_json
	fault stream/json.c 's/dot = path \+ strlen\(path\)/dot = path/' unit/t_json
}

@test "patterns: memory is taken when a text needs it" {
	fault stream/match.c 's/n >= SMALL && n <=/false \&\& n <=/' unit/t_match
}

@test "lines looked for: where one begins, its carriage return, what is behind it" {
	fault tool/event.c 's/from == NULL \? \*p : from \+ 1/*p/' unit/t_seek
	fault tool/event.c 's/nl > line->p && nl\[-1\] == .\\r. \? nl - 1 : nl/nl/' unit/t_seek
	fault tool/event.c 's/\*p = nl \+ 1;/*p = nl + 1 < end ? nl + 2 : nl + 1;/' unit/t_seek
}
