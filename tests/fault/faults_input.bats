# Planted faults: how input is read.
load ../lib/helper
load faults

@test "header: a line of data is shown, as it has a semicolon" {
	faulty_tools run/header.c 's/^\tif \(!has_names\(rec\)\)/\tif (false)/' badinput \
	    'a header of one field' dpcount
}

@test "times: names of zones are none" {
	fault stream/whenzone.c 's/return !is_unknown\(&c\);/return is_unknown(\&c) || true;/' \
	    unit/t_when
}

@test "times: the zone after a time does not count" {
	fault stream/whenzone.c 's/^(\tif \(v->zoned \|\| v->bare \|\| )s->zone == 0/\1true/' \
	    unit/t_when
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

@test "when: a fraction behind any format, and behind none" {
	fault stream/whenformat.c 's/to_the_second\(format\) && //' unit/t_when
	fault stream/whenformat.c "s/return last == 'S' .*$/return false;/" unit/t_when
	fault stream/whenformat.c "s/f\[1\] != '.0'\)/f[1] != '%')/" unit/t_when
}

@test "time formats: without the hour, without the year, with a name of a zone" {
	fault stream/whenformat.c 's/ \|\| u < last/ || (u < last \&\& false)/' unit/t_when
	fault stream/whenformat.c 's/ \|\| year2 != year/ || (year2 != year \&\& false)/' \
	    unit/t_when
	fault stream/whenformat.c 's/w->zoned = .*$/w->zoned = false;/' unit/t_when
}

@test "JSON: escapes kept, a shorter name of a path, what was before, what is behind the object" {
	fault stream/json.c 's/\(whole != 0 && !without_escapes/(false \&\& !without_escapes/' \
	    unit/t_json
	fault stream/json.c 's/key\.n \+ 1 < best\[i\]/false/' unit/t_json
	fault stream/json.c 's/^\t\tj->field\[i\] = \(struct.*$//' unit/t_json
	fault stream/json.c 's/good && j->p == j->e/good/' unit/t_json
}

@test "JSON: numbers with zeros before them, half a pair, a pair that is two, depth" {
	fault stream/json.c 's/\(zero && n > 1\)/false/' unit/t_json
	fault stream/json.c 's/LOW\(c\) \? NO_PAIR : c/c/' unit/t_json
	fault stream/json.c 's/0x10000 \+ \(\(c/(\(c/' unit/t_json
	fault stream/json.c 's/depth == DP_JSON_DEPTH/false/' unit/t_json
}

@test "JSON: a NUL is taken for the end, of a name, or for a byte of a string" {
	fault stream/json.c 's/!key\.escaped \|\| memchr/true || memchr/' unit/t_json
	fault stream/json.c "s/ && \\*p != '.0'; /; /" unit/t_json
}

@test "patterns: memory is taken when a text needs it" {
	fault stream/match.c 's/n >= SMALL && n <=/false \&\& n <=/' unit/t_match
}

@test "times of logs by words: any sign, a digit too large, no month, 24 hours" {
	fault stream/whentext.c 's/ \|\| \(p\[21\] != .\+. && p\[21\] != .-.\)//' unit/t_when
	fault stream/whentext.c 's/0x76 : 0x7f/0x75 : 0x7f/' unit/t_when
	fault stream/whentext.c 's/named\(p \+ 3, &v->month\)/(named(p + 3, \&v->month), true)/' \
	    unit/t_when
	fault stream/whentext.c 's/ && two\(zone, 4\) <= 23//' unit/t_when
}

@test "access logs: a splitter that differs from the pattern in one kind of line" {
	fault stream/accesslog.c "s/ && p\\[1\\] != '.n'//" unit/t_cut
	fault stream/accesslog.c "s/p < m->end && \\*p != '\\[';/p < m->end;/" unit/t_cut
	fault stream/accesslog.c 's/while \(several && more\)/while (more)/' unit/t_cut
	fault stream/accesslog.c "s/ && \\*p != ';'//" unit/t_cut
	fault stream/accesslog.c 's/memchr\("\.:,", \*p, 3\)/memchr(".:", *p, 2)/' unit/t_cut
	fault stream/accesslog.c 's/memchr\(" ,:\.%", \*q, 5\)/memchr(" ,:.", *q, 4)/' unit/t_cut
	fault stream/accesslog.c 's/ \|\| \(sure && pairs == 0 && colons < 6\)//' unit/t_cut
	fault stream/accesslog.c 's/colons == 8 && colon/false/' unit/t_cut
	fault stream/accesslog.c 's/most > 4/most > 5/' unit/t_cut
	fault stream/accesslog.c 's/count <= 8/count <= 9/' unit/t_cut
	fault stream/accesslog.c 's/ && \(runs & .* == 0 &&/ \&\&/' unit/t_cut
	fault stream/accesslog.c 's/ && \(colons & colons >> 1\) != 0//' unit/t_cut
	fault stream/accesslog.c "s/dp_block_range\(p, 0, '0', ':', 4\)/~(uint64_t)0/" unit/t_cut
	fault stream/accesslog.c "s/ \\|\\| p\\[n\\] != ' '//" unit/t_cut
	fault stream/accesslog.c "s/q < m->end && \\*q != ' ' \\? NULL/*q == 'x' ? NULL/" unit/t_cut
	fault stream/accesslog.c 's/ipv4\(p, end\) == end \|\| //' unit/t_cut
	fault stream/accesslog.c 's/ && f\[2\]\.n != 0//' unit/t_cut
	fault stream/accesslog.c 's/!\(n > 1 && memcmp.*\) &&/n > 0 \&\&/' unit/t_cut
	fault stream/accesslog.c 's/blanks == 1 && q > blank\[0\] \+ 1/blanks == 1/' unit/t_cut
	fault stream/accesslog.c 's/ \|\| blanks > 2//' unit/t_cut
	fault stream/accesslog.c 's/q \+ \(\*q == .* \? 2 : 1\)/q + 1/' unit/t_cut
	fault stream/accesslog.c 's/\(q == m->end \|\| \*q\+\+ != .-.\)/q == m->end/' unit/t_cut
	fault stream/accesslog.c 's/ &$/ |/; s/^\t    dp_block_first/\t    0 * dp_block_first/' \
	    unit/t_cut
	fault stream/accesslog.c 's/if \(p > m->block\)/if (false)/' unit/t_cut
	fault stream/accesslog.c 's/= \(struct dp_slice\)\{ NULL, 0 \};/= f[HOST];/' unit/t_cut
	fault stream/cut.c 's/^#define SPLIT_MAX.*/#define SPLIT_MAX ((size_t)1 << 20)/' unit/t_cut
}

@test "logs: words in front of a client, or a program, are taken for it" {
	fault stream/logs.c 's/^(#define HOST\t\t).*/\1WORD("host") " "/' unit/t_logs
	fault stream/logs.c 's/^(#define IDENT\t\t).*/\1WORD("ident") " "/' unit/t_logs
	fault stream/logs.c 's/(define USER_WORD.*)- \|/\1/' unit/t_logs
	fault stream/logs.c 's/(define USER_WORD\t).*(\[\^ \]\+\+)/\1"(?![[]|- )\2/' unit/t_logs
	fault stream/logs.c 's/^(#define IPV6\t\t).*/\1COLONS/' unit/t_logs
	fault stream/logs.c 's/\(\?<status>\[0-9\]\{3\}\|-\)/(?<status>[^ ]++)/' unit/t_logs
	fault stream/logs.c 's/\[0-9\]\+\+\(\?!\[\^ \]\)/[0-9]++/' unit/t_logs
	fault stream/logs.c 's/\(\?!- \)" COMMON/" COMMON/' unit/t_logs
	fault stream/logs.c 's/"\(\?!\(\?:-\|" IPV4 "\) \)/"/' unit/t_logs
	fault stream/logs.c 's/\[\^ \[\]\*\[\^ \[:\]/[^ ]*/' unit/t_logs
	fault stream/logs.c 's/^\tNO_HOST //' unit/t_logs
	fault stream/logs.c 's/ISO "\(\?= .*\)\) " \\$/ISO ") " \\/' unit/t_logs
	fault stream/logs.c 's/emerg\|.*/[^]]++)\\\\]"/; /^\t    "info\|debug/d' unit/t_logs
	fault stream/logs.c 's/\(\?\(<pid>\)(.*)\|\(\?:\[.*\)\)\)"/\1)"/' unit/t_logs
	fault stream/logs.c 's/<time>-\|" ISO "\)/<time>[^ ]++)/' unit/t_logs
}

@test "byte order marks: of lines, of rows, of what is looked for in spans, of numbers" {
	fault stream/record.c 's/p \+= (dp_record_marks)/p += r->line > 1 ? 0 : \1/' unit/t_record
	fault stream/csvrow.c 's/^\tr->beg \+= n;$/\tr->beg += r->line == 0 ? n : 0;/' unit/t_csv
	fault event/event.c 's/^\t\tat \+= dp_record_marks.*$//' unit/t_seek
	fault event/event.c 's/^\tline->p \+= dp_record_marks.*$//' unit/t_seek
}

@test "CSV: a quote that is open where its line ends: what decides, and when" {
	fault stream/csvquote.c 's/eof \? DP_CSVQUOTE_TEXT/eof ? DP_CSVQUOTE_CLOSES/' unit/t_csv
	fault stream/csvquote.c 's/CLOSES : DP_CSVQUOTE_TEXT;/CLOSES : DP_CSVQUOTE_CLOSES;/' \
	    unit/t_csv
	fault stream/csvquote.c 's/\(p - q\) % 2 == 0/0/' unit/t_csv
	fault stream/csvquote.c 's/> DP_RECORD_MAX \|\|/> 2 * DP_RECORD_MAX ||/' unit/t_csv
	fault stream/csvquote.c 's/^\t\t\topen = p \+ 1;$/;/' unit/t_csv
	fault stream/csvrow.c 's/c->unseen \+= got;/;/' unit/t_csv
}

@test "parts of a file: a line lost, twice, a part that goes on" {
	fault stream/filepart.c 's/^\tfor \(at--; /\tfor (; /' unit/t_filepart
	fault stream/filepart.c 's/nl \+ 1 - buf/nl - buf/' unit/t_filepart
	fault stream/filepart.c 's/^\t\*begin = size;/\t;/' unit/t_filepart
	fault stream/filepart.c 's/size \* \(i - 1\)/size * i/' unit/t_filepart
	fault stream/filepart.c 's/n \+= buf.*$/n = 0;/' unit/t_filepart
	fault stream/reader.c 's/^\tn = n < r->left .*$//' unit/t_filepart
}

@test "lines looked for: where one begins, its carriage return, what is behind it" {
	fault event/event.c 's/from == NULL \? \*p : from \+ 1/*p/' unit/t_seek
	fault event/event.c 's/nl > line->p && nl\[-1\] == .\\r. \? nl - 1 : nl/nl/' unit/t_seek
	fault event/event.c 's/\*p = nl \+ 1;/*p = nl + 1 < end ? nl + 2 : nl + 1;/' unit/t_seek
}

@test "values of lines looked for: a line that begins with the string, another's, the others" {
	fault event/event.c 's/\*hit < at\)/*hit + 2 < at)/' unit/t_seek
	fault event/event.c 's/value\[\*hit < nl\]/value[*hit < end]/' unit/t_seek
	fault event/event.c 's/invert \? 0 : ev->one \}/ev->one }/' unit/t_seek
}

@test "zones: days of 24 hours, the second of two, skipped times" {
	fault stream/span.c \
	    's/next = (dp_zone_first\(s->zone), \*next/next += \1, local) - (local/' unit/t_zone
	fault stream/span.c 's/begin \+ \(int64_t\)s->n < \*next/true/' unit/t_zone
	fault stream/span.c 's/dp_zone_latest\(s->zone, t\)/t + dp_zone_east(s->zone, t)/' \
	    unit/t_zone
	fault stream/zone.c 's/skipped\(z, i, local\) \? i - 1 : i\]/i]/' unit/t_zone
	fault stream/zone.c 's/\? z->change\[i\]\.at :/? local - z->change[i - 1].east :/' \
	    unit/t_zone
	fault stream/zone.c 's/at \+ z->change\[i\]\.east/at + z->change[i + 1].east/' unit/t_zone
}

@test "zones: a change is looked for behind it, or is that of another slot" {
	fault stream/zone.c 's/near\(z, local - .*$/near(z, local);/' unit/t_zone
	fault stream/zone.c 's/\(uint32_t\)z->n - 1;/(uint32_t)z->n;/' unit/t_zone
	fault stream/zone.c 's/z->in_force\[slot\]/z->in_force[slot] + 1/' unit/t_zone
}

@test "zones: files that are cut off, rules that are cut off" {
	fault stream/zonefile.c "s/ \\|\\| rule->p\\[rule->n - 1\\] != '.n'//" unit/t_zone
	fault stream/zonerule.c 's/is\(&c, .,.\) && day\(&c, &r->day\[1\]\)/true/' unit/t_zone
	fault stream/zonerule.c 's/day\[1\]\) && at_end\(&c\)/day[1])/' unit/t_zone
	fault stream/zonerule.c 's/^\t\tif \(n >= next\)/\t\tif (false)/' unit/t_zone
	fault stream/zonerule.c 's/!\(leap && d->day >= 60\)/true/' unit/t_zone
}

@test "zones: an offset in the text, weeks from Thursday, months, years beyond 2500" {
	fault stream/whentext.c 's/&& s < w->before/\&\& s <= w->before/' unit/t_when
	fault stream/when.c 's/zone != NULL && !c->zoned \?/zone != NULL ?/' unit/t_zone
	fault stream/span.c 's/unit == DP_SPAN_WEEKS \? MONDAY/unit == DP_SPAN_WEEKS ? 0/' \
	    unit/t_zone
	fault stream/span.c 's/m -= m % s->n/m -= (m + 12) % s->n/' unit/t_zone
	fault stream/zone.c 's/^\tif \(\*t < END\)$/\tif (true)/' unit/t_zone
}

@test "audits: the runs that choose the event count it" {
	fault noise/audit.c 's/for \(i = 1; i < s->n; i \+= 2\)/for (i = 0; i < s->n; i += 2)/' \
	    unit/t_audit
}

@test "audits: all runs rank texts; what is no number is one" {
	fault noise/audit_rows.c 's/seen\[side\] \+= chooses/seen[side] += 1/' unit/t_audit_rows
	fault noise/audit_rows.c 's/ \|\| !isfinite\(row\[c\]\.x\)//' unit/t_audit_rows
}

@test "audits: an interval's end on the wrong side, or of one number only" {
	fault noise/audit.c 's/^\treturn lo;$/\treturn lo + 1e-3;/' unit/t_audit
	fault noise/audit.c 's/s->k \+ \(s->k > 1\)/s->k/' unit/t_audit
}

@test "audits: halved noise is refuted by real runs" {
	local dir=$BATS_TEST_TMPDIR

	plant noise/privacy.c \
	    's/dp_q_make\(p->l1, 1\), p->epsilon/dp_q_make(p->l1, 3), p->epsilon/' "$dir"
	link "$dir/dpcount" "$DP_BUILD/cmd/dpcount.o" "$dir/fault.o"
	cd "$dir"
	printf '0\n' >a
	printf '1\n' >b
	# a third of the noise: .953 against .047 of 250 runs
	run -6 command dpaudit -e 1 --pair=a,b --runs=500 -- ./dpcount -e 1 -T 1 -M input
	run -0 command dpaudit -e 1 --pair=a,b --runs=500 -- dpcount -e 1 -T 1 -M input
}

@test "fields: a tab between them, and a field over the end of a block" {
	fault stream/record.c 's/ \| dp_block_equal\(p, .\\t.\)//' unit/t_record
	fault stream/record.c 's/before = blank >> 63;/before = 1;/' unit/t_record
	fault stream/record.c 's/s = at \+ 1;/s = at;/' unit/t_record
}

@test "numbers: a ledger's sum is written with a digit more than is read" {
	fault base/num.c 's/^(#define SIGNIFICANT\t)19/\1 18/' unit/t_num
}

@test "numbers: a pair of digits" {
	fault base/num.c 's/pair \+ 2 \* \(u % 100\)/pair + 2 * (u % 99)/' unit/t_num
}

@test "numbers of few digits: a point that counts for nothing, or is one" {
	fault base/num.c 's/places -= \(unsigned\)\(n - i - 1\);/;/' unit/t_num
	fault base/num.c 's/ \|\| !is_digit\(\*s\)\)/)/' unit/t_num
}

@test "-P: what was looked at behind a line stays in memory" {
	fault stream/reader_line.c 's/explicit_bzero\(p \+ k, n - k\);/;/' unit/t_reader
}

@test "-P: of a socket, what comes after the line is taken, too" {
	fault stream/reader_line.c \
	    's/recv\(r->fd, p, keep\(.*\), MSG/recv(r->fd, p, (size_t)seen, MSG/' \
	    unit/t_reader
}

@test "-P: a line stays in memory, and the next is not begun at its end" {
	fault stream/reader.c 's/explicit_bzero\(r->buf, r->end\);/;/' unit/t_reader
	fault stream/reader_line.c 's/lseek\(r->fd, kept - k, SEEK_CUR\) >= 0/true/' unit/t_reader
}

@test "-P: bytes of the kernel that were not drawn stay in memory" {
	fault noise/rng.c 's/(memset\(r->mem \+ r->pos - DP_RNG_PAD, 0,) r->end - .*/\1 0);/' \
	    unit/t_rng
}

@test "an empty user is one; - of a log is one" {
	fault event/event_join.c 's/!dp_events_nobody\(e, \*s\) \|\| !v->counts/true/' \
	    unit/t_event_where:test_nobody
	fault event/event_join.c 's/log != NULL && log->dash/false/' unit/t_event_where:test_nobody
	fault event/event_join.c 's/!key && dp_events_nobody\(e, \*s\)/false/' \
	    unit/t_event_where:test_several
}

@test "several fields: two lists of texts are one; an identifier of empty ones" {
	fault event/event_join.c "s/ \|\| s.p\[i\] == '\\\\\\\\'\)/)/" \
	    unit/t_event_where:test_identifiers
	fault event/event_join.c "s/s.p\[i\] == ',' \|\| //" unit/t_event_where:test_identifiers
	fault event/event_join.c 's/if \(!some\)/if (false)/' unit/t_event_where:test_several
	fault event/event_join.c \
	    's/\(j->named = dp_events_resolve\(&j->field, r\)\)/(j->named = false)/' \
	    unit/t_event_where:test_several
}

@test "comparisons: an end, texts by their length, an empty field, digits, signs" {
	fault event/event_form.c 's/order <= 0/order < 0/' unit/t_event_where:test_numbers
	fault event/event_form.c 's/c->op == DP_OP_OTHER;/true;/' unit/t_event_where:test_numbers
	fault event/event_form.c 's/\(a\.n > b\.n\) - \(a\.n < b\.n\)/0/' \
	    unit/t_event_where:test_texts
	fault event/event_form.c 's/if \(s\.n == 0\)/if (false)/' unit/t_event_where:test_texts
	fault base/decimal.c 's/x < 0 \? compare\(&b, &a\)/x < 0 ? compare(\&a, \&b)/' unit/t_num
	fault base/decimal.c 's/\+ d->exp;$/;/' unit/t_num
}
