#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in charts: tables, ticks, scales and what is drawn; each must make its test fail.

load faults

@test "dpplot --run: a refusal that comes once all is paid for, or has no row to show for it" {
	faulty_tools chart/take_columns 's/> DP_CHART_LONG_MAX \/ rows/> INT64_MAX/' dpplot \
	    '--run: what cannot be drawn' dpplot
	faulty_tools chart/refuse 's/!dp_plot_paid\(\)/true/' dpplot '--run: what is found' dpplot
	faulty_tools chart/refuse 's/p->refused = true/p->refused = false/' dpplot \
	    '--run: what is found' dpplot
}

@test "chart: a text is markup in a picture" {
	fault chart/dp_picture_html \
	    's/entity\[c\] != NULL/entity[c] != NULL \&\& c != 60/' unit/t_chart
}

@test "chart: bytes that are no UTF-8 pass" {
	fault chart/dp_text_shown 's/return "\?";/return NULL;/' unit/t_chart
}

@test "chart: a control reaches the terminal" {
	fault chart/term.c 's/instead != NULL\)$/false)/' unit/t_chart
}

@test "chart: a quote ends a string of a specification" {
	fault chart/vega.c "s/if \(\*s == '\"' .*\)$/if (false)/" unit/t_chart
}

@test "chart: a bin ends where it does not" {
	fault chart/bin 's/\*hi \+= \*unit;/;/' unit/t_chart
}

@test "chart: bins may have gaps" {
	fault chart/dp_names_are_bins 's/!\(fabs\(lo - before\) < unit . 2\)/false/' unit/t_chart
}

@test "chart: a text is taken for narrower than it is" {
	fault chart/dp_text_fold 's/sum > most/sum > 2 * most/' unit/t_chart
}

@test "chart: an interval of all that can be stretches the scale" {
	fault chart/intervals 's/fmin\(hi, p->hi \+ room\)/hi/' unit/t_chart
}

@test "chart: a logarithm of what is negative" {
	fault chart/is_log 's/10 \* below > n/false/' unit/t_chart
}

@test "chart: series that share no scale share one" {
	fault chart/panels 's/large > APART \* least/false/' unit/t_chart
}

@test "chart: half an interval says nothing of the digits" {
	fault chart/dp_scale_number 's/known \? fabs\(half\) :/false ? fabs(half) :/' unit/t_chart
}

@test "chart: a count so far stands where its bucket begins" {
	faulty_tools chart/dp_figure_x 's/f->is\.late/false/' dpplot 'a count so far stands' dpplot
}

@test "chart: a band slopes to the edge of its picture" {
	faulty_tools chart/crossings 's/i < 2/i < 0/' dpplot 'a band is cut' dpplot
}

@test "chart: what is not known is drawn as an interval" {
	faulty_tools chart/dp_figure_known 's/v\[1\] <= f->p->told\.lo/false/' pictures \
	    'an interval that is the whole range' dpplot
}

@test "explain: a difference of means lies where a mean does" {
	faulty_tools explain/within 's/o->print\.difference \? lo - hi : lo/lo/' pictures \
	    'an interval that is the whole range' dpmean
}

@test "chart: a share is a part of 1" {
	faulty_tools chart/dp_figure_yscale 's/s->unit = .*/s->unit = NULL;/' pictures \
	    'an interval that is the whole range' dpplot
}

@test "chart: the last row is lost between those that are kept" {
	fault chart/dp_chart_drawn 's/return c->rows \+ \(c->seen.*;/return c->rows;/' unit/t_chart
}

@test "chart: rows are thinned unevenly" {
	fault chart/keep 's/c->stride \*= 2;/c->stride += 2;/' unit/t_chart
}

@test "chart: any three columns in order are a band" {
	fault chart/all_bands 's/c->column\[i\]\.sides \* 2 < c->seen/false/' unit/t_chart
}

@test "chart: a declared choice is what it looks like" {
	fault chart/dp_chart_declare 's/part == DP_CHART_IS_CHOICE \?/false ?/' unit/t_chart
}

@test "chart: a line like the declared names is always a header" {
	fault chart/is_heading 's/return c->heading;/return true;/' unit/t_chart
}

@test "chart: an interval is whatever is called so" {
	fault chart/end_of_look 's/c->column\[j\]\.part != part/false/' unit/t_chart
}

@test "chart: a number is read beyond its field" {
	fault chart/dp_cell_number \
	    "s/text\[s.n\] = '.0';/text[s.n] = s.p[s.n]; text[s.n + 1] = 0;/" \
	    unit/t_chart
}

@test "chart: whatever goes up is a step" {
	fault chart/goes_on 's/return v\[0\] - c->last\[0\] == c->steps\.by;/return true;/' \
	    unit/t_chart
}

@test "chart: names that are numbers are numbers, even below their heading" {
	fault chart/take_kinds 's/is_text\(c, i\) \? DP_CHART_TEXT : //' unit/t_chart
}

@test "chart: weeks begin when 1970 did" {
	fault chart/dp_scale_times,dp_scale_tick 's/ [-+] 4 \* DAY//g' unit/t_chart
}

@test "chart: midnight is that of UTC" {
	fault chart/dp_scale_tick \
	    's/put_time_scale\(s, label, local\)/put_time_scale(s, label, local - s->zone)/' \
	    unit/t_chart
}

@test "ticks: steps so small that they are 0" {
	fault chart/dp_scale_numbers 's/raw > LEAST/raw > 0/' unit/t_chart
}

@test "chart: a plain sentence's factor is rounded down" {
	faulty_tools explain/up 's/return ceil\(x/return floor(x/' dpplot \
	    'a plain sentence above' dpcount
}

@test "chart: a plain sentence promises that a line is hidden" {
	faulty_tools explain/protected 's/const bool within = .*/const bool within = false;/' \
	    dpplot 'a plain sentence above' dpcount
}

@test "chart: hours are bars" {
	faulty_tools chart/daily 's/least >= 23 \* 3600/least > 0/' dpplot 'buckets of days' dpplot
}

@test "chart: a title is markup in the name of a picture" {
	faulty_tools chart/dp_html 's/dp_picture_html\(b, text\)/dp_buf_puts(b, text)/' \
	    dpplot 'a page has the numbers' dpplot
}

@test "chart: a page that was not made here takes a chart" {
	faulty_tools chart/dp_picture_is_page \
	    's/return page\.n > n \+ sizeof head .*/return page.n > 0 ||/' \
	    dpplot '--add' dpplot
}

@test "hull: a corner in the affine hull of the others ends the search" {
	cd "$BATS_TEST_TMPDIR"
	# the input is in the corpus of the fuzzer
	sed -E 's/\|\| exchange\(h, &c\)//' "$TOP/lib/stat/project.c" >hull.c
	! cmp -s hull.c "$TOP/lib/stat/project.c"
	${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -w -DREPLAY -I"$TOP/lib" -I"$TOP/lib/stat" -o replay \
	    "$TOP/tests/fuzz/f_matrix.c" hull.c "$DP_BUILD/libdp.a" -lcsv -lpcre2-8 -ljson-c \
	    -lsodium -lm
	run ! ./replay "$TOP/tests/fuzz/corpus/f_matrix/nearly-dependent"
}

@test "chart: the smallest names are drawn" {
	faulty_tools chart/largest 's/est > most\[k - 1\]/est < most[k - 1]/' dpplot \
	    'names that nobody declared' dpplot
}

@test "chart: a name that is not there is 0" {
	faulty_tools chart/wide.c 's/cell\[k\] = NAN/cell[k] = 0/' dpplot \
	    'names that nobody declared' dpplot
}

@test "page: a chart that is added is silent about the sum of losses" {
	faulty_tools chart/end_of_page 's/several \? together/false ? together/' dpplot \
	    '--add: another' dpplot
}

@test "page: a promise is taken for another chart's, which has another" {
	faulty_tools chart/guarantee 's/there\.n, said\.p, said\.n\)/there.n, said.p, 5)/' \
	    dpplot '--add: another' dpplot
}

@test "chart: a line goes through what is not known" {
	faulty_tools chart/lines 's/== DP_KNOWN_NOT/== DP_KNOWN_INTERVAL + 1/' dpplot \
	    'what is never known' dpplot
}

@test "chart: a thousand bytes are 1024" {
	fault chart/shown 's/"kB", 1e3/"kB", 1024/' unit/t_chart
}

@test "chart: -o long: keys without their statistics" {
	faulty_tools chart/take_plain 's/keys && !statistics/keys/' dpplot '-o long: what' dpplot
}

@test "explain: each user of a day is an event" {
	faulty_tools explain/said 's/alone \|\|/false ||/' dpplot 'what numbers are' dpcount
}

@test "page: every number has noise, though the guarantee of one is not known" {
	faulty_tools chart/add_to 's/!sure && //' dpplot 'a page: its heading' dpplot
}

@test "page: a change that may be the noise is said" {
	faulty_tools chart/change 's/v\[1\] <= w\[2\] && w\[1\] <= v\[2\]/false/' dpplot \
	    'a page: its heading' dpplot
}

@test "page: what is not private is not marked at its chart" {
	faulty_tools chart/section 's/is_open\(p\)/false/' dpplot 'a page: its heading' dpplot
}

@test "chart: the last place is the first" {
	faulty_tools chart/place_wide \
	    's/above \+= all->at\[k\]\.est > /above += all->at[k].est < /' \
	    pictures 'places are those of the numbers' dpplot
}

@test "chart: a picture that is not the kept one" {
	faulty_tools chart/LEADING 's/^(#define LEADING\t\t)20/\119/' pictures 'kept: who leads' \
	    dpplot
}

@test "chart: labels stand upon each other" {
	faulty_tools chart/spread 's/at\[i - 1\]\.y \+ apart/at[i].y/' pictures 'kept: lines' dpplot
}

@test "chart: long names leave the picture" {
	[[ ${HEAVY-} ]] && command -v chromium >/dev/null || skip 'only make check-all has it'
	faulty_tools chart/glyph 's/61,/11,/g' pictures 'a page in a browser, at three widths' \
	    dpplot
}

@test "chart: ticks stand upon each other" {
	[[ ${HEAVY-} ]] && command -v chromium >/dev/null || skip 'only make check-all has it'
	faulty_tools chart/x_axis 's/x - half < free/false/;s/c->ops->xtick/20/' pictures \
	    'a page in a browser, at three widths' dpplot
}

@test "chart: the terminal has colours though NO_COLOR forbids them" {
	faulty_tools chart/text_form 's/\(no != NULL .*\) \|\| term/term/' dpplot \
	    'Unicode and colours' dpplot
}

@test "text: a mark that turns what follows is shown" {
	faulty_tools base/dp_utf8_unseen 's/\(c >= 0x2028 && c <= 0x202e\) \|\| //' dpplot \
	    'names and titles are text' dpplot
}
