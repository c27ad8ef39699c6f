# SPDX-License-Identifier: ISC
# Planted faults: how input is read.
load ../lib/helper
load faults

@test "header: a line of data is shown, as it has a semicolon" {
	faulty_tools run/too_few,fail 's/^\tif \(!has_names\(rec\)\)/\tif (false)/' badinput \
	    'a header of one field' dpcount
}

@test "times: names of zones are none" {
	fault base/dp_zone_after 's/return !is_unknown\(&c\);/return is_unknown(\&c) || true;/' \
	    unit/t_when
}

@test "times: the zone after a time does not count" {
	fault base/dp_zone_after 's/^(\tif \(v->zoned \|\| v->bare \|\| )s->zone == 0/\1true/' \
	    unit/t_when
}

@test "times: a number after a time is a zone" {
	fault base/dp_zone_after \
	    's/s->zone == 0 \|\| p >= s->next.p \+ s->zone/p >= s->next.p + s->next.n/
	    s/s->next\.p \+ s->zone \}/s->next.p + s->next.n }/' unit/t_when
}

@test "times: what looks like a time of day, an offset, a zone is none" {
	fault base/like_clock,syslog_time 's/^\tif \(digit\(&c\)\)$/\tif (digit(\&c) || true)/' \
	    unit/t_when
	fault base/like_offset 's/n != 2 && n != 4/n != 4/' unit/t_when
	fault base/is_unknown 's/^\tif \(!capitals && /\tif (!capitals || /' unit/t_when
	fault base/is_unknown 's/^\t\tis\(&w, .\..\);.*$//' unit/t_when
}

@test "when: a fraction behind any format, and behind none" {
	fault base/read_time 's/to_the_second\(format\) && //' unit/t_when
	fault base/to_the_second "s/return last == 'S' .*$/return false;/" unit/t_when
	fault base/to_the_second "s/f\[1\] != '.0'\)/f[1] != '%')/" unit/t_when
}

@test "time formats: without the hour, without the year, with a name of a zone" {
	fault base/gives_back 's/ \|\| u < last/ || (u < last \&\& false)/' unit/t_when
	fault base/gives_back 's/ \|\| year2 != year/ || (year2 != year \&\& false)/' \
	    unit/t_when
	fault base/dp_when_format 's/w->zoned = .*$/w->zoned = false;/' unit/t_when
}

@test "JSON: escapes kept, a shorter name of a path, what was before, what is behind the object" {
	fault input/member 's/\(whole != 0 && !without_escapes/(false \&\& !without_escapes/' \
	    unit/t_json
	fault input/concerns 's/key\.n \+ 1 < best\[i\]/false/' unit/t_json
	fault input/concerns,dp_json_record 's/^\t\tforget\(j, i, .*$//' unit/t_json
	fault input/dp_json_record 's/good && j->p == j->e/good/' unit/t_json
}

@test "JSON: numbers with zeros before them, half a pair, a pair that is two, depth" {
	fault input/number 's/\(zero && n > 1\)/false/' unit/t_json
	fault input/character 's/LOW\(c\) \? NO_PAIR : c/c/' unit/t_json
	fault input/character 's/0x10000 \+ \(\(c/(\(c/' unit/t_json
	fault input/value 's/depth == DP_JSON_DEPTH/false/' unit/t_json
}

@test "a text that is no object has members, a group of two digits, one pair, another start" {
	fault input/text_inside 's/if \(rest\[i\] != NULL\)/if (false)/' unit/t_json
	fault input/bytes 's/n > 255/n > 256/' unit/t_json
	fault input/whole 's/\) != 3 && n != group/) < 2/' unit/t_number
	fault input/dp_pairs_record 's/pairs > 1/pairs > 0/' unit/t_logs
	fault base/week_day 's/day >= first_monday/day > first_monday/' unit/t_when
	fault base/dp_when_excel 's/ \+ one \/ 2//' unit/t_when
	fault base/dp_span_start 's/seconds;$/0;/' unit/t_zone
}

@test "JSON: a NUL is taken for the end, of a name, or for a byte of a string" {
	fault input/member 's/!key\.escaped \|\| memchr/true || memchr/' unit/t_json
	fault input/ends_text "s/, \[.[\]0.\] = true//" unit/t_json
}

@test "patterns: memory is taken when a text needs it" {
	fault input/wiping_alloc 's/n >= SMALL && n <=/false \&\& n <=/' unit/t_match
}

@test "times of logs by words: any sign, a digit too large, no month, 24 hours" {
	fault base/usual_clf 's/ \|\| \(p\[21\] != .\+. && p\[21\] != .-.\)//' unit/t_when
	fault base/eight 's/0x76 : 0x7f/0x75 : 0x7f/' unit/t_when
	fault base/usual_clf 's/named\(p \+ 3, &v->month\)/(named(p + 3, \&v->month), true)/' \
	    unit/t_when
	fault base/usual_clf 's/ && two\(zone, 4\) <= 23//' unit/t_when
}

@test "access logs: a splitter that differs from the pattern in one kind of line" {
	fault base/takes "s/ && p\\[1\\] != '.n'//" unit/t_cut
	fault base/asking "s/p < m->end && \\*p != '\\[';/p < m->end;/" unit/t_cut
	fault base/asking 's/while \(several && more\)/while (more)/' unit/t_cut
	fault base/name_accesslog "s/ && \\*p != ';'//" unit/t_cut
	fault base/asking 's/memchr\("\.:,", \*p, 3\)/memchr(".:", *p, 2)/' unit/t_cut
	fault base/is_foreign 's/memchr\(" ,:\.%", \*q, 5\)/memchr(" ,:.", *q, 4)/' unit/t_cut
	fault base/ipv6 's/ \|\| \(sure && pairs == 0 && colons < 6\)//' unit/t_cut
	fault base/ipv6 's/colons == 8 && colon/false/' unit/t_cut
	fault base/ipv6 's/most > 4/most > 5/' unit/t_cut
	fault base/is_address 's/count <= 8/count <= 9/' unit/t_cut
	fault base/is_address 's/ && \(runs & .* == 0 &&/ \&\&/' unit/t_cut
	fault base/is_address 's/ && \(colons & colons >> 1\) != 0//' unit/t_cut
	fault base/is_address "s/dp_block_range\(p, 0, '0', ':', 4\)/~(uint64_t)0/" unit/t_cut
	fault base/status "s/ \\|\\| p\\[n\\] != ' '//" unit/t_cut
	fault base/size "s/q < m->end && \\*q != ' ' \\? NULL/*q == 'x' ? NULL/" unit/t_cut
	fault base/site 's/ipv4\(p, end\) == end \|\| //' unit/t_cut
	fault base/site 's/ && f\[2\]\.n != 0//' unit/t_cut
	fault base/dp_log_vhost 's/!\(n > 1 && memcmp.*\) &&/n > 0 \&\&/' unit/t_cut
	fault base/request 's/blanks == 1 && q > blank\[0\] \+ 1/blanks == 1/' unit/t_cut
	fault base/request 's/ \|\| blanks > 2//' unit/t_cut
	fault base/inside 's/q \+ \(\*q == .* \? 2 : 1\)/q + 1/' unit/t_cut
	fault base/size 's/\(q == m->end \|\| \*q\+\+ != .-.\)/q == m->end/' unit/t_cut
	fault base/look 's/ &$/ |/; s/^\t    dp_block_first/\t    0 * dp_block_first/' \
	    unit/t_cut
	fault base/next_block 's/if \(p > m->block\)/if (false)/' unit/t_cut
	fault base/dp_log_access,request,site 's/= \(struct dp_slice\)\{ NULL, 0 \};/= f[HOST];/' \
	    unit/t_cut
	fault input/SPLIT_MAX 's/^#define SPLIT_MAX.*/#define SPLIT_MAX ((size_t)1 << 20)/' \
	    unit/t_cut
}

@test "logs: words in front of a client, or a program, are taken for it" {
	fault base/HOST_LOGS 's/^(#define HOST_LOGS\t\t).*/\1WORD("host") " "/' unit/t_logs
	fault base/IDENT_LOGS 's/^(#define IDENT_LOGS\t\t).*/\1WORD("ident") " "/' unit/t_logs
	fault base/USER_WORD 's/(define USER_WORD.*)- \|/\1/' unit/t_logs
	fault base/USER_WORD 's/(define USER_WORD\t).*(\[\^ \]\+\+)/\1"(?![[]|- )\2/' unit/t_logs
	fault base/IPV6 's/^(#define IPV6\t\t).*/\1COLONS/' unit/t_logs
	fault base/REQUESTED 's/\(\?<status>\[0-9\]\{3\}\|-\)/(?<status>[^ ]++)/' unit/t_logs
	fault base/REQUESTED 's/\[0-9\]\+\+\(\?!\[\^ \]\)/[0-9]++/' unit/t_logs
	fault base/VHOST 's/\(\?!- \)" COMMON/" COMMON/' unit/t_logs
	fault base/VHOST 's/"\(\?!\(\?:-\|" IPV4 "\) \)/"/' unit/t_logs
	fault base/SYSLOG 's/\[\^ \[\]\*\[\^ \[:\]/[^ ]*/' unit/t_logs
	fault base/SYSLOG 's/^\tNO_HOST //' unit/t_logs
	fault base/SYSLOG 's/ISO "\(\?= .*\)\) " \\$/ISO ") " \\/' unit/t_logs
	fault base/logs 's/emerg\|.*/[^]]++)\\\\]"/; /^\t    "info\|debug/d' unit/t_logs
	fault base/logs 's/\(\?\(<pid>\)(.*)\|\(\?:\[.*\)\)\)"/\1)"/' unit/t_logs
	fault base/logs 's/<time>-\|" ISO "\)/<time>[^ ]++)/' unit/t_logs
}

@test "byte order marks: of lines, of rows, of what is looked for in spans, of numbers" {
	fault input/next_line_record 's/p \+= (dp_record_marks)/p += r->line > 1 ? 0 : \1/' \
	    unit/t_record
	fault input/passes_marks 's/^\tr->beg \+= n;$/\tr->beg += r->line == 0 ? n : 0;/' unit/t_csv
	fault input/dp_events_search 's/^\t\tat \+= dp_record_marks.*$//' unit/t_seek
	fault input/dp_events_seek 's/^\tline->p \+= dp_record_marks.*$//' unit/t_seek
}

@test "CSV: a quote that is open where its line ends: what decides, and when" {
	fault input/look 's/eof \? DP_CSVQUOTE_TEXT/eof ? DP_CSVQUOTE_CLOSES/' unit/t_csv
	fault input/look 's/CLOSES : DP_CSVQUOTE_TEXT;/CLOSES : DP_CSVQUOTE_CLOSES;/' \
	    unit/t_csv
	fault input/look 's/\(p - q\) % 2 == 0/0/' unit/t_csv
	fault input/dp_csvquote_judge 's/> DP_RECORD_MAX \|\|/> 2 * DP_RECORD_MAX ||/' unit/t_csv
	fault input/dp_csvquote_text 's/^\t\t\topen = p \+ 1;$/;/' unit/t_csv
	fault input/dp_csvrow_next 's/c->unseen \+= got;/;/' unit/t_csv
	fault input/go_on 's/r->rule\.lines \?/false ?/' unit/t_csv
	fault input/dp_csvrow_plain 's/\(r->rule\.lines && /(false \&\& /' unit/t_csv
}

@test "parts of a file: a line lost, twice, a part that goes on" {
	fault input/next_line_filepart 's/^\tfor \(at--; /\tfor (; /' unit/t_filepart
	fault input/next_line_filepart 's/nl \+ 1 - buf/nl - buf/' unit/t_filepart
	fault input/next_line_filepart 's/^\t\*begin = size;/\t;/' unit/t_filepart
	fault input/dp_filepart_find 's/size \* \(i - 1\)/size * i/' unit/t_filepart
	fault input/dp_filepart_lines 's/n \+= buf.*$/n = 0;/' unit/t_filepart
	fault input/dp_reader_fill 's/^\tn = n < r->left .*$//' unit/t_filepart
}

@test "lines looked for: where one begins, its carriage return, what is behind it" {
	fault input/dp_events_seek 's/from == NULL \? \*p : from \+ 1/*p/' unit/t_seek
	fault input/dp_events_seek 's/nl > line->p && nl\[-1\] == .\\r. \? nl - 1 : nl/nl/' \
	    unit/t_seek
	fault input/dp_events_seek 's/\*p = nl \+ 1;/*p = nl + 1 < end ? nl + 2 : nl + 1;/' \
	    unit/t_seek
}

@test "values of lines looked for: a line that begins with the string, another's, the others" {
	fault input/dp_events_search 's/\*hit < at\)/*hit + 2 < at)/' unit/t_seek
	fault input/dp_events_search 's/value\[\*hit < nl\]/value[*hit < end]/' unit/t_seek
	fault input/dp_events_search 's/invert \? 0 : ev->one \}/ev->one }/' unit/t_seek
}

@test "zones: days of 24 hours, the second of two, skipped times" {
	fault base/bounds \
	    's/next = (dp_zone_first\(s->zone), \*next/next += \1, local) - (local/' unit/t_zone
	fault base/bounds 's/begin \+ \(int64_t\)s->n < \*next/true/' unit/t_zone
	fault base/bounds 's/dp_zone_latest\(s->zone, t\)/t + dp_zone_east(s->zone, t)/' \
	    unit/t_zone
	fault base/dp_zone_seconds 's/skipped\(z, i, local\) \? i - 1 : i\]/i]/' unit/t_zone
	fault base/dp_zone_first 's/\? z->change\[i\]\.at :/? local - z->change[i - 1].east :/' \
	    unit/t_zone
	fault base/showing,skipped 's/at \+ z->change\[i\]\.east/at + z->change[i + 1].east/' \
	    unit/t_zone
}

@test "zones: a change is looked for behind it, or is that of another slot" {
	fault base/showing 's/near\(z, local - .*$/near(z, local);/' unit/t_zone
	fault base/dp_zone_add 's/\(uint32_t\)z->n - 1;/(uint32_t)z->n;/' unit/t_zone
	fault base/near 's/z->in_force\[slot\]/z->in_force[slot] + 1/' unit/t_zone
}

@test "zones: files that are cut off, rules that are cut off" {
	fault base/read_blocks "s/ \\|\\| rule->p\\[rule->n - 1\\] != '.n'//" unit/t_zone
	fault base/dp_zone_rule 's/is\(&c, .,.\) && day\(&c, &r->day\[1\]\)/true/' unit/t_zone
	fault base/dp_zone_rule 's/day\[1\]\) && at_end\(&c\)/day[1])/' unit/t_zone
	fault base/local 's/^\t\tif \(n >= next\)/\t\tif (false)/' unit/t_zone
	fault base/local 's/!\(leap && d->day >= 60\)/true/' unit/t_zone
}

@test "zones: an offset in the text, weeks from Thursday, months, years beyond 2500" {
	fault base/latest_year 's/&& s < w->before/\&\& s <= w->before/' unit/t_when
	fault base/dp_civil_seconds 's/zone != NULL && !c->zoned \?/zone != NULL ?/' unit/t_zone
	fault base/shown_floor 's/unit == DP_SPAN_WEEKS \? MONDAY/unit == DP_SPAN_WEEKS ? 0/' \
	    unit/t_zone
	fault base/shown_floor 's/m -= m % s->n/m -= (m + 12) % s->n/' unit/t_zone
	fault base/fold 's/^\tif \(\*t < END\)$/\tif (true)/' unit/t_zone
}

@test "audits: the runs that choose the event count it" {
	fault law/count 's/for \(i = 1; i < s->n; i \+= 2\)/for (i = 0; i < s->n; i += 2)/' \
	    unit/t_audit
}

@test "audits: all runs rank texts; what is no number is one" {
	fault law/text_word 's/seen\[side\] \+= chooses/seen[side] += 1/' unit/t_audit_rows
	fault law/read_words 's/ \|\| !isfinite\(row\[c\]\.x\)//' unit/t_audit_rows
}

@test "audits: an interval's end on the wrong side, or of one number only" {
	fault law/dp_audit_lower 's/^\treturn lo;$/\treturn lo + 1e-3;/' unit/t_audit
	fault law/choose 's/s->k \+ \(s->k > 1\)/s->k/' unit/t_audit
}

@test "audits: halved noise is refuted by real runs" {
	local dir=$BATS_TEST_TMPDIR

	plant account/laplace \
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
	fault input/cut_blanks 's/ \| dp_block_equal\(p, .\\t.\)//' unit/t_record
	fault input/cut_blanks 's/before = blank >> 63;/before = 1;/' unit/t_record
	fault input/cut_delimiter 's/s = at \+ 1;/s = at;/' unit/t_record
}

@test "numbers: a ledger's sum is written with a digit more than is read" {
	fault base/SIGNIFICANT 's/^(#define SIGNIFICANT\t)19/\1 18/' unit/t_num
}

@test "numbers: a pair of digits" {
	fault base/put_backwards 's/pair \+ 2 \* \(u % 100\)/pair + 2 * (u % 99)/' unit/t_num
}

@test "numbers of few digits: a point that counts for nothing, or is one" {
	fault base/parse_few 's/places -= \(unsigned\)\(n - i - 1\);/;/' unit/t_num
	fault base/parse_few 's/ \|\| !is_digit_num\(\*s\)\)/)/' unit/t_num
}

@test "-P: what was looked at behind a line stays in memory" {
	fault input/keep 's/explicit_bzero\(p \+ k, n - k\);/;/' unit/t_reader
}

@test "-P: of a socket, what comes after the line is taken, too" {
	fault input/from_socket \
	    's/recv\(r->fd, p, keep\(.*\), MSG/recv(r->fd, p, (size_t)seen, MSG/' \
	    unit/t_reader
}

@test "-P: a line stays in memory, and the next is not begun at its end" {
	fault input/drop 's/explicit_bzero\(r->buf, r->end\);/;/' unit/t_reader
	fault input/from_file 's/lseek\(r->fd, kept - k, SEEK_CUR\) >= 0/true/' unit/t_reader
}

@test "-P: bytes of the kernel that were not drawn stay in memory" {
	fault random/dp_rng_back \
	    's/(memset\(r->mem \+ r->pos - DP_RNG_PAD, 0,) r->end - .*/\1 0);/' \
	    unit/t_rng
}

@test "an empty user is one; - of a log is one" {
	fault input/dp_events_user 's/!dp_events_nobody\(e, \*s\) \|\| !v->counts/true/' \
	    unit/t_event_where:test_nobody
	fault input/dp_events_nobody 's/dp_options_dashed\(e->o\)/false/' \
	    unit/t_event_where:test_nobody
	fault input/dp_events_text 's/!key && dp_events_nobody\(e, \*s\)/false/' \
	    unit/t_event_where:test_several
}

@test "several fields: two lists of texts are one; an identifier of empty ones" {
	fault input/append "s/ \|\| s.p\[i\] == '\\\\\\\\'\)/)/" \
	    unit/t_event_where:test_identifiers
	fault input/append "s/s.p\[i\] == ',' \|\| //" unit/t_event_where:test_identifiers
	fault input/dp_events_text 's/if \(!some\)/if (false)/' unit/t_event_where:test_several
	fault input/dp_events_join_header \
	    's/\(j->named = dp_events_resolve\(&j->field, r\)\)/(j->named = false)/' \
	    unit/t_event_where:test_several
}

@test "a made field ends at a NUL byte; a condition behind a comma is of the value" {
	faulty_tools input/before 's/memchr\(bytes, s\.p\[n\], k\)/strchr(bytes, s.p[n])/' let \
	    'a NUL byte' dpdistinct
	faulty_tools input/is_blank "s/c == ' '/c == '\\\\0' || c == ' '/" let 'a NUL byte' \
	    dpdistinct
	faulty_tools job/second 's/^\t\t\treturn p;/\t\t\treturn NULL;/' cut \
	    '--where: what looks like' dpcount
}

@test "numbers with units: their worth, what more follows, a number alone, 1024, India's groups" {
	fault input/dp_number_in 's/u->worth, minus/100, minus/' unit/t_number
	fault input/dp_number_in 's/\(bare && several\)/false/' unit/t_number
	fault input/dp_number_in 's/u->families != TIMES \|\| //' unit/t_number
	fault input/dp_number_in 's/if \(!sign\)/if (true)/' unit/t_number
	fault input/divided 's/if \(rest != 0\)/if (false)/' unit/t_number
	fault input/divided 's/^(\t\t\tsum\[i \+ 1\] ).*$/\1+= 0;/' unit/t_number
	fault input/dp_unit_find "s/how\[1\] == 'i'/false/" unit/t_number
	fault input/units 's/60000000000, TIMES/3600000000000, TIMES/' unit/t_number
	fault input/unit_at 's/> most/> 0/' unit/t_number
	fault input/add_part 's/n - before <= DIGITS/true/' unit/t_number
	fault input/whole 's/if \(n == 3 && group == 2\)/if (false)/' unit/t_number
	faulty_tools job/read_numbers 's/strcmp\(s, "in"\) == 0/false/' let \
	    'numbers with units' dpcount dpmap
}

@test "--or: a string that not all lines have; it joins all, or nothing; a field of a group" {
	faulty_tools input/dp_events_literal 's/e->condition\[i\]\.end == i \+ 1 && //' cut \
	    '--where: blocks' dpcount
	fault input/conditions_new 's/joined \? c\[1\]\.end : i \+ 1/joined ? i + 2 : i + 1/' \
	    unit/t_event_where:test_either
	fault input/conditions_new 's/\(joined && c\[1\]\.cut\)/false/' \
	    unit/t_event_where:test_either
	fault job/dp_options_where 's/^\t\teither = strcmp.*$/\t\teither = false;/' \
	    unit/t_event_where:test_either
	fault input/dp_events_holds 's/!one_holds\(e, i, false, r, v\) &&/true \&\&/' \
	    unit/t_event_where:test_either
	faulty_tools job/dp_options_where_put 's/several && !c->either/!c->either/
	    s/c->either \? " or "/c->either ? " and "/' cut '--or: one' dpcount
}

@test "-m that looks like a comparison: of no field of the log, of another field than -v" {
	faulty_tools job/may_be_field 's/return o->form\.cut == NULL;/return true;/' cut \
	    '--where: what looks like' dpcount
	faulty_tools job/say_match 's/of->number == 0 \?/true ?/' cut \
	    '--where: what looks like' dpcount
	faulty_tools job/say_words 's/!may_be_field\(o, text, name\)/false/' cut \
	    '--where: what looks like' dpcount
}

@test "--check: a zone's name behind what is no time, or that is none" {
	faulty_tools run/put_zone 's/ \|\| dp_when_parse\(&t, &w, &bare\) != 0//' check \
	    'a zone that may be several' dpcount
	faulty_tools run/put_zone "s/\*zone\.p < 'A' \|\| //; s/\*zone\.p > 'Z'/false/" check \
	    'a zone that may be several' dpcount
}

@test "--check: a unit in another country's numbers, a sign behind one" {
	faulty_tools run/see_unit 's/ && !plain//; s/i < WAYS/i < 0/' cases '--check names' dpcount
	faulty_tools input/sign 's/\*n != 0 \? p : NULL/NULL/' cases '--check names' dpcount
}

@test "a message in two pieces, or with no end" {
	fault job/say 's/(fprintf\(stderr, "%s: )%s.n", progname,/\1", progname), fputs(/
	    s/fputs\( text\)/fputs(text, stderr), fputc(10, stderr)/' unit/t_ask_table
	fault job/say 's/^\t\tstrcpy.*$/\t\t;/' unit/t_ask_table
}

@test "two fields of a user, or of a symbol, with nothing between them" {
	fault input/dp_events_text "s/^\t\t\tt->room\[t->s\.n\+\+\] = key.*$/\t\t\t;/" \
	    unit/t_event_where:test_several
	fault input/dp_events_text "s/^\t\t\tt->room\[t->s\.n\+\+\] = key.*$/\t\t\t;/" \
	    unit/t_event_where:test_identifiers
}

@test "comparisons: an end, texts by their length, an empty field, digits, signs" {
	fault input/compares 's/order <= 0/order < 0/' unit/t_event_where:test_numbers
	fault input/compares 's/c->op == DP_OP_OTHER;/true;/' unit/t_event_where:test_numbers
	fault input/compare_texts 's/\(a\.n > b\.n\) - \(a\.n < b\.n\)/0/' \
	    unit/t_event_where:test_texts
	fault input/compares 's/if \(s\.n == 0\)/if (false)/' unit/t_event_where:test_texts
	fault base/dp_decimal_compare \
	    's/x < 0 \? compare_decimal\(&b, &a\)/x < 0 ? compare_decimal(\&a, \&b)/' unit/t_num
	fault base/leading 's/\+ d->exp;$/;/' unit/t_num
}

@test "elements of an array: duplicates counted twice, the cap forgotten, what was before" {
	fault input/read_elements 's/^\t\t    e->key\.met\[column\]\)/\t\t    false)/' \
	    unit/t_elements
	fault input/read_elements 's/k->most != 0 && .* : k->n;/k->n;/' unit/t_elements
	fault input/read_elements 's/i < v->nterms; i\+\+\)$/i < 0; i++)/' unit/t_elements
	fault input/forget 's/^\tj->each\.n = 0;$//' unit/t_elements
	fault input/forget 's/^\tj->each\.there = false;$//' unit/t_elements
	fault input/element 's/^\tif \(each\) \{$/\tif (false) {/' unit/t_elements
}

@test "elements of an array: an identifier is seen of one key of its event" {
	faulty_tools run/see_keys 's/ \+\+i < v->nterms\)/ false)/' json \
	    'elements of an array as keys: identifiers' dpdistinct
}

@test "elements of an array: planned for one key, a user charged for an event, K of each of them" {
	fault job/relation 's/^\t\tr\.ones = .*$/\t\tr.ones = 1;/' unit/t_elements
	fault store/dp_cap_admit 's/r->o->keys\.each \?/false ?/' unit/t_elements
	fault store/admit_elements 's/^\t\tif \(e == 1\)$/\t\tif (true)/' unit/t_elements
}

@test "JSON: of several objects in a line the first counts; what helps is not said" {
	fault input/dp_json_record 's/good && j->p == j->e;$/good;/' unit/t_json
	faulty_tools input/dp_json_several 's/j->more/false/' json 'malformed lines' \
	    dpcount
}

@test "--log=auto: a line of a run, the fields of the last log, a message, a file's first line" {
	faulty_tools job/rules 's/^\tRULE\(F\(ANY_LOG\), F\(CHECK\), 0/\tRULE(F(ANY_LOG), 0, 0/' \
	    cut '--log=auto' dpcount dpmap dpdistinct
	faulty_tools run/which.c 's/n > most/n >= most/' cut '--log=auto' dpcount
	faulty_tools run/inner_of 's/n > most/false/' cut '--log=auto' dpcount
	faulty_tools run/is_w3c 's/rec->number != 1/true/' cut '--log=auto' dpcount
	faulty_tools run/is_csvlog 's/columns >= 22/true/' cut '--log=auto' dpcount
}

@test "hashes: an identifier that comes again, and cells that are written over as a table grows" {
	fault input/dp_hashes_add 's/c->events\+\+/c->events = 1/' unit/t_hashes
	fault input/spread 's/at = at < next/at = at > next/' unit/t_hashes
}
