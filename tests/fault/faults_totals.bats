# SPDX-License-Identifier: ISC
# Planted faults: totals, allowances of each step, the epsilon for an error.
load ../lib/helper
load faults

@test "--unit: half of it, or none" {
	fault account/dp_relation_distance \
	    's/R = least\(R, r->unit\)/R = least(R, (r->unit + 1) \/ 2)/' \
	    unit/t_neighbour
	fault account/dp_relation_distance 's/^\tif \(r->unit != 0\) \{/\tif (0) {/' \
	    unit/t_neighbour
}

@test "--unit: of a line that is replaced, of a range without 0" {
	fault account/dp_relation_distance 's/ \|\| r->total != NULL;/;/' unit/t_neighbour
	fault account/dp_relation_distance 's/ \|\| r->lo > 0 \|\| r->hi < 0\)/)/' unit/t_neighbour
}

@test "--unit: what rounding adds on both sides of 0 is left out" {
	faulty_tools job/dp_options_totals \
	    's/ \+ \(o->range\.lo < 0 && o->range\.hi > 0\)//' totals \
	    'totals: one event moves' dpcount
}

@test "--unit: coarser than it is" {
	faulty_tools job/dp_options_totals 's/\tu \/= coarse;/\tu \/= 2 * coarse;/' totals \
	    'totals: with 1 event' dpcount
}

@test "an allowance of each step: without a limit, of the run, of no bucket" {
	faulty_tools store/dp_cap_admit 's/v->value = 0;/;/' eachstep 'daily active' \
	    dpwindow dpcount dpmaxsum
	faulty_tools store/admit_in_range 's/place = htole64\(row\)/place = htole64(0 * row)/' \
	    eachstep \
	    'daily active' dpwindow dpcount dpmaxsum
	faulty_tools store/admit_in_row 's/cap\.row\[row\]/cap.row[0 * row]/' eachstep \
	    'an allowance is of the step' dpwindow
}

@test "an allowance, looked at ahead: of all users together, of none" {
	faulty_tools store/dp_cap_expect,dp_cap_admit \
	    's/(dp_users_mark\(r->cap\.users, )v->user/\1v->text/' \
	    dpcount '-u in buckets' dpcount
	faulty_tools run/dp_records_users 's/(take_bucket\(r, &rec, file, )&v\[i\]/\1v/' \
	    dpcount '-u in buckets' dpcount
}

@test "an allowance of each step: tables that stay when a bucket closes, or are not kept" {
	faulty_tools store/dp_cap_close 's/^\tif \(r->cap\.row == NULL\)/\tif (1)/' eachstep \
	    'an allowance is of the step' dpwindow
	faulty_tools store/dp_cap_tables 's/^\t\treturn r->ring\.n.*;/\t\treturn 0;/' eachstep \
	    'a state file keeps who' dpwindow
	faulty_tools store/per_user_job 's/o->users\.per_step \? 1 : //' eachstep \
	    'a state file keeps who' dpwindow dpcount
}

@test "an allowance of each step: of half of the events" {
	fault account/dp_relation_distance \
	    's/K != 0 \? K \* M : R;/K != 0 ? (r->per_step ? (K + 1) \/ 2 : K) * M : R;/' \
	    unit/t_neighbour
}

@test "--within: an epsilon too small; --report: a choice for other steps" {
	faulty_tools explain/dp_within 's/decimal\(hi\);/decimal(hi - 1);/' within \
	    '--within: the smallest' dpcount
	faulty_tools job/predict 's/s->horizon != 0 \|\| s->predict == 0/1/' within \
	    '--report: another' dpcount
}
