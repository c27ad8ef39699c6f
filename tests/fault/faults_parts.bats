# SPDX-License-Identifier: ISC
# Planted faults: parts of tools of values.
load ../lib/helper
load faults

@test "parts: of another tool, of other options, of other keys" {
	faulty_tools input/dp_partial_agreed 's/o->shard\.adds == NULL;/true;/' parts \
	    'bad input: parts' dpmean
	faulty_tools input/check_agreed 's/if \(i == 0 \&\& other_adds/if (false \&\& other_adds/' \
	    parts 'bad input: parts' dpmean
	faulty_tools input/read_row 's/v->column \* o->keys\.adds/0/' parts 'means' dpmean
	faulty_tools input/read_value 's/1, o->keys\.adds\)/1, 9)/' parts 'bad input: parts' dpmean
	faulty_tools input/read_value 's/ \|\| p->term\.value < 0//' parts 'bad input: parts' dpmean
}

@test "parts: a number for the next one, an option that has no effect" {
	faulty_tools run/dp_partial_step 's/c % adds \+ 1/c % adds/' parts 'means' dpmap=dpmean
	faulty_tools run/dp_partial_step 's/name\[adds != 0 \? c \/ adds : c\]/name[c % 2]/' parts \
	    'means' dpmap=dpmean
	faulty_tools job/map.c 's/of->own\[i\]\.adds, /true, /' parts 'bad input: options' \
	    dpmap=dpmean
}

@test "parts: names that are cut, counted once each, or drawn for in the order of lines" {
	faulty_tools input/read_key 's/\{ p->name, n \}/{ p->name, 1 }/' parts 'names' dptop
	faulty_tools run/absorb 's/\(uint64_t\)v->value : 1/1 : 1/' parts 'names' dptop
	faulty_tools run/close_oldest 's/r->o->priv\.has_seed/false/' parts 'names' dptop
	faulty_tools input/read_row 's/v->value > EVENTS_MAX/false/' parts 'names' dptop
	fault base/put_in_order 's/\| used;/| ((e \& AT));/' unit/t_names
	fault base/by_rank 's/r->rank\[i\] != r->rank\[j\]/false/' unit/t_names
	fault store/dp_cells_add 's/events -= some/events = 0/' unit/t_roll_cells
	faulty_tools job/auto_task 's/asked\.digits, asked\.top\);/0, asked.top);/' parts \
	    '-r auto' dpcount
}

@test "parts: users of shards are not drawn as users, and their noise is another" {
	faulty_tools job/check.c 's/(X\(PEOPLE, .*) \|\| o->shard\.by_user != 0/\1/' parts \
	    'sampling' dpmean
	faulty_tools run/dp_run_make 's/ \|\| o->shard\.by_user != 0//' parts 'means' dpmean
}

@test "parts: lines of no column, many lines at once, a state of half of them" {
	faulty_tools input/read_key 's/v->column = p->o->keys\.n;/v->column = 0;/' parts \
	    'linear queries: of' dpproject
	faulty_tools stat/project_same 's/\(int64_t\)n;/1;/' parts 'linear queries: of' dpproject
	faulty_tools run/dp_step_same 's/r->t \+= \(uint64_t\)v->value/r->t++/' parts \
	    'linear queries: of' dpproject
	faulty_tools run/print_lines 's/i <= n/i < n/' parts 'linear queries: of' dpmap=dpproject
	faulty_tools run/dp_step_same 's/ \|\| r->answer\.out//' parts 'linear queries: parts' \
	    dpproject dpmap=dpproject
	faulty_tools input/read_value 's/o->horizon != 0 &&/false \&\&/' parts \
	    'linear queries: parts' dpproject dpmap=dpproject
	faulty_tools stat/sketch_same 's/\(dp_wide\)n \*/1 */' parts 'linear queries: of' dpproject
	faulty_tools store/dp_session_begin 's/if \(dp_options_together\(o\)\)/if (false)/' parts \
	    'linear queries: parts' dpproject dpmap=dpproject dpbudget
	faulty_tools store/dp_session_end 's/!dp_options_together\(r->o\)/true/' parts \
	    'linear queries: parts' dpproject dpmap=dpproject dpbudget
	faulty_tools input/dp_events_totals 's/\{ 0, sum \}/{ 0, 1 }/' parts '-r auto' dpcount \
	    dpmap=dpcount dpwindow dpdecay
}
