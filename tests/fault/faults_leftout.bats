#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in --dropped: each must make the suite fail.

load faults

@test "dropped: the reach of what is left out is forgotten" {
	fault stat/dp_dropped_ask 's/R = each\[0\] > left \? each\[0\] : left/R = each[0]/' \
	    unit/t_dropped:weights
	fault stat/weigh 's/= R \/ each\[i\]/= R \/ each[0]/' unit/t_dropped:attack
}

@test "dropped: noise for one number, or for what one event of a user moves" {
	fault job/of_band 's/r\.per_user = r\.columns/r.per_user = 1/' unit/t_dropped:attack
	fault job/told_most 's/told\.reach/told.reach \/ told.most/' unit/t_dropped:attack
}

@test "dropped: an event beyond K counts as kept" {
	fault store/admit_mark 's/> r->o->users\.most/> r->o->users.most + 1/' \
	    unit/t_dropped:attack
	fault store/dp_cap_admit 's/v->term = &r->cap\.beyond;//' unit/t_dropped:attack
}

@test "dropped: the table admits K, or more than K + D" {
	fault run/dp_run_make 's/ \+ o->users\.dropped;/;/' unit/t_dropped:attack
	fault run/dp_run_make 's/ \+ o->users\.dropped;/ + 2 * o->users.dropped;/' \
	    unit/t_dropped:attack
}

@test "dropped: an event that adds more than its part of what a user moves" {
	fault input/within_each 's/> most/> most * e->o->users.most/' unit/t_contributions
}

@test "dropped: weights that a share does without, and what no share is above" {
	fault stat/share 's/s \/ k->left/s \/ k->kept/' law/s_dropped:measure
	fault stat/estimate_of 's/b\[1\] \/ k->left/b[1] \/ k->kept/' law/s_dropped:measure
	fault stat/most_of_all 's/asked->most \+/asked->most * 2 +/' law/s_dropped:measure
	fault stat/estimate_of 's/most_of_all\(k\)/1/' law/s_dropped:measure
}

@test "dropped: the interval of half the noise; a share of noise" {
	fault stat/ends_of_first 's/w = ceil\(\(w/w = ceil((w \/ 2/' law/s_dropped:measure
	fault stat/set_least 's/2 \* sqrt/.2 * sqrt/' law/s_dropped:measure
	fault stat/said_of 's/sqrt\(v\) \/ 2 \*/sqrt(v) */' law/s_dropped:measure
}

@test "dropped: empty days of which a window has older ones" {
	faulty_tools counter/dp_task_fades \
	    's/k->what == DP_TASK_OWN \|\| k->statistic->fades/true/' leftout \
	    '--dropped: a state goes on' dpcount dpwindow
}

@test "dropped: of what the whole run has, or of keys" {
	faulty_tools job/check_dropped 's/dp_options_step_unit\(o\)/true/' leftout \
	    '--dropped: what is refused' dpcount dpwindow dpdecay dpmean dpmap
	faulty_tools job/rules \
	    's/RULE\(F\(DROPPED\), 0, F\(KEY\) F\(KEYS\)/RULE(F(DROPPED), 0, 0/' leftout \
	    '--dropped: what is refused' dpcount dpwindow dpdecay dpmean dpmap
}
