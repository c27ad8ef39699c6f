# SPDX-License-Identifier: ISC
# Planted faults: the rooms that ask, read events, keep and tell.
load ../lib/helper
load faults

@test "options: a word told to mean what it does not, a kept option that may change" {
	fault job/dp_table_near 's/2 \* d < n/true/' unit/t_ask_table
	fault job/dp_table_near 's/far = 3/far = 4/' unit/t_ask_table
	fault job/distance 's/^\t\t\tif \(i > 1 && j > 1 && /\t\t\tif (false \&\& /' \
	    unit/t_ask_table
	fault job/table 's/^#include "rows.h"/#define DP_KEEP_FIXED DP_KEEP_YES\n&/' \
	    unit/t_ask_table
	fault job/dp_table_takes 's/tool->map && row->group != group/false/' unit/t_ask_table
	fault job/dp_table_getopt 's/ && !has\(own, row->name\)//' unit/t_ask_table
}

@test "range: one end's decimals, 2^50, k behind a minus" {
	fault base/dp_range_parse 's/\(a > b \? a : b\)/a/' unit/t_ask_range
	fault base/dp_range_parse 's/\*high < RANGE_MAX/true/' unit/t_ask_range
	fault base/dp_range_end 's/text \+ minus, 0/text, 0/' unit/t_ask_range
}

@test "unit: on both sides of 0, off the grid, a range that does not fit" {
	fault job/dp_options_totals 's/\(o->range\.lo < 0 && o->range\.hi > 0\)/0/' \
	    unit/t_ask_range
	fault job/dp_options_totals 's/u % coarse == 0/true/' unit/t_ask_range
	fault job/default_range 's/TERA < RANGE_MAX \/ power_of_ten\(places\)/true/' \
	    unit/t_ask_range
}

@test "relation: numbers of a line, bands that do not add up, an empty band, a second for a step" {
	fault job/relation 's/r\.ones = o->keys\.ones != 0 .*$/r.ones = 1;/' \
	    unit/t_ask_relation
	fault counter/dp_rule_band 's/all->l2squared \+= d/all->l2squared = d/' \
	    unit/t_ask_relation
	fault job/most_of 's/return most != 0 \? most : 1/return most/' \
	    unit/t_ask_relation
	fault job/put_user_step 's/s->unit == DP_SPAN_SECONDS \? "s" : ""/""/' \
	    unit/t_ask_relation
}

@test "terms: digits that are none, 0 as a term, an index round 2^64, twice, kept in memory" {
	fault input/read_digits 's/d > 9 \|\|/d > 10 ||/' unit/t_event_terms
	fault input/read_digits 's/ \|\| t->digit\[d\] == 0//' unit/t_event_terms
	fault input/add_pair "s/\*p > '9' \|\| place > t->width/*p > '9'/" unit/t_event_terms
	fault input/add 's/t->seen\[place\] = t->line;//' unit/t_event_terms
	fault input/dp_terms_forget 's/sodium_memzero\(t->term.*$//' unit/t_event_terms
}

@test "allowance: spent on nothing, or on a shard's sums; shared by buckets, or never given back" {
	fault store/has_cap 's/v->counts && v->value != 0/v->counts/' unit/t_keep_cap
	fault store/has_cap 's/ && r->in\.partial == NULL//' unit/t_keep_cap
	fault store/admit_in_range 's/htole64\(row\)/htole64(0)/' unit/t_keep_cap
	fault store/dp_cap_close 's/^\tif \(r->cap\.row == NULL\)$/\tif (true)/' unit/t_keep_cap
}

@test "a document: a number round 2^64, a ratio to 0, zeros in front, lists, escapes, the end" {
	fault base/get_u64 's/__builtin_mul_overflow\(\*x, 10, x\)/(*x *= 10, false)/' unit/t_doc
	fault base/get_u64 "s/ && \(s\.n == 1 \|\| \*s\.p != '0'\)//" unit/t_doc
	fault base/dp_doc_q 's/same\.num != x\.num \|\| same\.den != x\.den/false/' unit/t_doc
	fault base/get_text_doc 's/equal\(s, b\.p, b\.n\) \? 0 : DP_ESYNTAX/0/' unit/t_doc
	fault base/equal 's/ && memcmp\(s\.p, p, n\) == 0;/;/' unit/t_doc
	fault base/dp_doc_end 's/d->way != DP_DOC_WRITE && d->p != d->end/false/' unit/t_doc
	fault base/dp_doc_optional 's/\*there != next/false/' unit/t_doc
	fault base/dp_doc_optional 's/const bool next = .*/const bool next = *there;/' unit/t_doc
	fault base/get_list 's/if \(count > most\)/if (false)/' unit/t_doc
}

@test "a job: a field, params, another epsilon, a charge; heads from before" {
	fault store/user_job 's/ \|\| n > DP_FIELDS_MAX//' unit/t_job
	fault store/old_numbers 's/end - s > 16 \|\| //' unit/t_job
	fault store/is_said 's/row->keep == DP_KEEP_NO && o->given\[row->c\]/o->given[0]/' \
	    unit/t_job
	fault store/receipt 's/\(unsigned long long\)of->n,/1ull,/' unit/t_job
	fault store/read_rows 's/ \|\| j->set\[row->c\] != NULL//
	    s/^\t\t    j->set\[row->c\] != NULL\)/\t\t    false)/' unit/t_job
	fault store/per_user_old 's/dp_buf_puts\(b, "\/step"\);//' unit/t_job
	fault store/check_old 's/whole\(t, s, "several-values"\);/;/' unit/t_job
	fault store/user_old 's/^\twhole\(t, s, "several-users"\);//' unit/t_job
	fault store/noise_old 's/is\(s, "1"\)\)$/false)/' unit/t_job
}

@test "printing: down, ends inwards, negatives up, before the first step; control characters" {
	fault base/dp_nearest 's/dp_down\(v \+ step \/ 2/dp_down(v/' unit/t_tell_print
	fault explain/round_ends 's/-dp_down\(-v->hi/dp_down(v->hi/' unit/t_tell_print
	fault base/dp_down 's/q - \(q \* step > v\)/q/' unit/t_tell_print
	fault explain/dp_print_round 's/t > r->plan\.mech->estimate.first && //' unit/t_tell_print
	fault explain/dp_print_text "s/\(unsigned char\)\*s < ' '/false/" unit/t_tell_print
}

@test "--within: not the least, or not enough" {
	fault explain/dp_within 's/return decimal\(hi\)/return decimal(hi + 1)/' \
	    unit/t_tell_within
	fault explain/dp_within 's/return decimal\(hi\)/return decimal(hi - 1)/' \
	    unit/t_tell_within
}
