# Planted faults: the rooms that ask, read events, keep and tell.
load ../lib/helper
load faults

@test "options: a word told to mean what it does not, a kept option that may change" {
	fault ask/options_near.c 's/2 \* d < n/true/' unit/t_ask_table
	fault ask/options_near.c 's/far = 3/far = 4/' unit/t_ask_table
	fault ask/options_near.c 's/^\t\t\tif \(i > 1 && j > 1 && /\t\t\tif (false \&\& /' \
	    unit/t_ask_table
	fault ask/options_table.c 's/DP_GROUP_UNIT, DP_KEEP_FIXED/DP_GROUP_UNIT, DP_KEEP/' \
	    unit/t_ask_table
	fault ask/options_table.c 's/tool->map && row->group != group/false/' unit/t_ask_table
	fault ask/options_table.c 's/ && !has\(own, table\[i\]\.name\)//' unit/t_ask_table
}

@test "range: one end's decimals, 2^50, k behind a minus" {
	fault ask/options_range.c 's/\(a > b \? a : b\)/a/' unit/t_ask_range
	fault ask/options_range.c 's/o->range\.hi < \(int64_t\)1 << 50/true/' unit/t_ask_range
	fault ask/options_range.c 's/text \+ minus, 0/text, 0/' unit/t_ask_range
}

@test "unit: on both sides of 0, off the grid, a range that does not fit" {
	fault ask/options_unit.c 's/\(o->range\.lo < 0 && o->range\.hi > 0\)/0/' unit/t_ask_range
	fault ask/options_unit.c 's/u % coarse == 0/true/' unit/t_ask_range
	fault ask/options_unit.c 's/TERA < RANGE_MAX \/ power_of_ten\(places\)/true/' \
	    unit/t_ask_range
}

@test "relation: numbers of a line, bands that do not add up, an empty band, a second for a step" {
	fault ask/options_relation.c 's/r\.ones = o->keys\.ones != 0 .*$/r.ones = 1;/' \
	    unit/t_ask_relation
	fault ask/options_relation.c 's/all->l2squared \+= d/all->l2squared = d/' \
	    unit/t_ask_relation
	fault ask/options_relation.c 's/return most != 0 \? most : 1/return most/' \
	    unit/t_ask_relation
	fault ask/options_relation.c 's/s->unit == DP_SPAN_SECONDS \? "s" : ""/""/' \
	    unit/t_ask_relation
}

@test "terms: digits that are none, 0 as a term, an index round 2^64, twice, kept in memory" {
	fault event/terms.c 's/d > 9 \|\|/d > 10 ||/' unit/t_event_terms
	fault event/terms.c 's/ \|\| t->digit\[d\] == 0//' unit/t_event_terms
	fault event/terms.c "s/\*p > '9' \|\| place > t->width/*p > '9'/" unit/t_event_terms
	fault event/terms.c 's/t->seen\[place\] = t->line;//' unit/t_event_terms
	fault event/terms.c 's/sodium_memzero\(t->term.*$//' unit/t_event_terms
}

@test "allowance: spent on nothing, or on a shard's sums; shared by buckets, or never given back" {
	fault keep/cap.c 's/v->counts && v->value != 0/v->counts/' unit/t_keep_cap
	fault keep/cap.c 's/ && r->in\.partial == NULL//' unit/t_keep_cap
	fault keep/cap.c 's/htole64\(row\)/htole64(0)/' unit/t_keep_cap
	fault keep/cap.c 's/^\tif \(r->cap\.row == NULL\)$/\tif (true)/' unit/t_keep_cap
}

@test "a state's head: a number round 2^64, a ratio to 0, a field, params, another epsilon" {
	fault keep/session_read.c 's/__builtin_mul_overflow\(\*n, 10, n\)/(*n *= 10, false)/' \
	    unit/t_keep_head
	fault keep/session_read.c 's/^\t    den == 0\)/\t    false)/' unit/t_keep_head
	fault keep/session_adopt.c 's/^\t    number > DP_FIELDS_MAX\)/\t    false)/' \
	    unit/t_keep_head
	fault keep/session_adopt.c 's/gap - p > 16 \|\| //' unit/t_keep_head
	fault keep/session_adopt.c 's/dp_q_cmp\(\*value, kept\) != 0/false/' unit/t_keep_head
	fault keep/session_head.c 's/"", r->kept\.receipt\.n\)/"", 1)/' unit/t_keep_head
}

@test "printing: down, ends inwards, negatives up, before the first step; control characters" {
	fault tell/print_round.c 's/below\(v \+ coarse \/ 2/below(v/' unit/t_tell_print
	fault tell/print_round.c 's/-below\(-v->hi/below(v->hi/' unit/t_tell_print
	fault tell/print_round.c 's/q - \(q \* coarse > v\)/q/' unit/t_tell_print
	fault tell/print_round.c 's/t > r->plan\.mech->estimate.first && //' unit/t_tell_print
	fault tell/print_names.c "s/\(unsigned char\)\*s < ' '/false/" unit/t_tell_print
}

@test "--within: not the least, or not enough" {
	fault tell/within.c 's/priv\.epsilon = decimal\(hi\)/priv.epsilon = decimal(hi + 1)/' \
	    unit/t_tell_within
	fault tell/within.c 's/priv\.epsilon = decimal\(hi\)/priv.epsilon = decimal(hi - 1)/' \
	    unit/t_tell_within
}
