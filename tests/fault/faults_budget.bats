# SPDX-License-Identifier: ISC
# Faults planted in the ledger of a budget, in how losses are added, and in a state that moves.
load faults

@test "compose: delta is not added" {
	fault account/dp_account_add 's/count\(a, &a->sum_delta, run->delta\);//' unit/t_compose
}

@test "compose: a pure run counts half of what it is" {
	fault account/half_square 's/, 2 \* den\)/, 4 * den)/' unit/t_compose
}

@test "compose: all of D for zCDP" {
	fault account/dp_account_open 's/a->delta.num, delta.den \* 2/delta.num, delta.den/;
	    s/dp_q_make\(delta.num, delta.den \* 2\)/delta/' unit/t_compose
}

@test "compose: rho of a Gaussian run is not added" {
	fault account/dp_account_add 's/rho\.num == 0 && half_square/half_square/' unit/t_compose
}

@test "compose: what samplers miss is free" {
	fault account/dp_account_open 's/miss = 2 \+ exp\(E\)/miss = 2 + 0 * E/' unit/t_compose
}

@test "ratio: a sum that does not fit is rounded down" {
	fault base/dp_q_up 's/\(dp_uwide\)digits \+ rest/(dp_uwide)digits/' unit/t_num
}

@test "budget: the total may be passed by one run" {
	fault store/refuse_budget 's/^\t\tdp_account_add\(&a, &c->loss\);/\t\t;/' unit/t_budget
}

@test "budget: units do not matter" {
	fault store/total_of 's/strcmp\(b->total\[i\]\.unit, unit\) == 0/true/' unit/t_budget
}

@test "budget: a failed COMMIT does not matter" {
	fault store/commit 's/\(e = dp_ledger_run\(l, "COMMIT", why\)\) != 0\) \{/false) {/' \
	    unit/t_budget
}

@test "ledger: memory that ends a transaction unseen" {
	fault store/dp_ledger_put 's/if \(l->sql\.get_autocommit\(l->db\)\)/if (false)/' \
	    unit/t_budget
	fault store/dp_ledger_seal_row \
	    's/if \(rc != SQLITE_OK \|\| e != SQLITE_OK\)/if (rc != SQLITE_OK)/' \
	    unit/t_budget
}

@test "checkpoint: its seal is not looked at" {
	fault store/read_row 's/\(e = dp_ledger_check_seal\(.*\)\) != 0\)/false)/' unit/t_budget
}

@test "checkpoint: nothing was spent before it" {
	fault store/dp_checkpoint_start 's/l->b\.total\[0\]\.account = c->account;//' unit/t_budget
}

@test "checkpoint: later charges follow anything" {
	fault store/dp_checkpoint_start 's/strcpy\(l->seal, c->last\);//' unit/t_budget
	fault store/dp_ledger_read \
	    's/e = dp_ledger_check_seal\(l, q, "its head", seal, why\);/e = 0;/' unit/t_budget
}

@test "checkpoint: other rules do not matter" {
	fault store/dp_checkpoint_start 's/c->n == 0 \|\| !same_rules\(.*\)\)/c->n == 0)/' \
	    unit/t_budget
}

@test "checkpoint: who reads all believes it" {
	fault store/read_charge 's/&& !dp_checkpoint_agrees\(l\)/\&\& false/' unit/t_budget
}

@test "checkpoint: it is never written, or stays the first" {
	fault store/dp_checkpoint_write 's/ < DP_CHECKPOINT_EVERY/ != 0/' unit/t_budget
	fault store/dp_checkpoint_write \
	    's/l->b\.n - l->checkpoint\.n </l->checkpoint.n > 0 || l->b.n </' \
	    unit/t_budget
}

@test "checkpoint: one of charges that are not there" {
	fault store/read_charges 's/l->b\.n < l->checkpoint\.n/false/' unit/t_budget
}

@test "move: the copy has its name before the state ends" {
	fault store/begin_move \
	    's/^\tif \(e == 0\)$/\tif (e == 0 \&\& (e = publish_move(s, t, why)) == 0)/' \
	    unit/t_statemove
}

@test "move: the state ends without a copy" {
	fault store/begin_move 's/\be = dp_state_write_tmp\(t, &f, why\)/e = 0/' unit/t_statemove
}

@test "move: a witness that is one behind is left two behind" {
	fault store/begin_move '/Witness of a dead run/{n;s/^\tif .*/\tif (false)/}' \
	    unit/t_statemove
}

@test "move: an ended state goes on" {
	fault store/dp_state_find 's/s->form\.moved && !s->rule\.move/false/' unit/t_statemove
}

@test "move: anything that stands there is overwritten" {
	fault store/check_target 's/^\tif \(same\)/\tif (true)/' unit/t_statemove
}

@test "by time: of runs that overlap the larger one counts" {
	fault store/most_of 's/for \(j = 0; j <= i; j\+\+\)/for (j = i; j <= i; j++)/' \
	    unit/t_budget
}

@test "by time: what ends where another begins is not disjoint to it" {
	fault store/most_of 's/c\[i\]->begin < c\[j\]->end/c[i]->begin <= c[j]->end/' \
	    unit/t_budget
}

@test "by time: times that are read in another way count as the same" {
	fault store/add_timed 's/ && strcmp\(c\[j\]->reads, c\[i\]->reads\) == 0//' unit/t_budget
}

@test "by time: charges of all times are dropped" {
	fault store/dp_budget_sum 's/\*c->reads != .\\0. && c->begin < c->end/true/' unit/t_budget
}

@test "by time: a user, too" {
	faulty_tools store/dp_charge_times 's/ \|\| !at_one_time\(o, tool\)//' \
	    budget '--by-time: disjoint' dpwindow dpbudget
}

@test "by time: syslog has years" {
	faulty_tools store/dp_charge_times 's/strcmp\(o->time\.format, "syslog"\) == 0/false/' \
	    budget '--by-time: a user' dpcount dpbudget
}

@test "by time: partial counts were read as this run would" {
	faulty_tools store/dp_charge_times 's/o->shard\.partial/false/' \
	    budget '--by-time: a user' dpcount dpbudget dpmap
}

@test "by time: a zone does not matter" {
	faulty_tools store/dp_charge_times 's/o->time\.tz != NULL/false/' \
	    budget '--by-time: disjoint' dpwindow dpbudget dpcount
}

@test "by time: a state's buckets are those of its first run" {
	faulty_tools store/dp_charge_times 's/o->keep\.state != NULL/false/' \
	    budget '--by-time: disjoint' dpwindow dpbudget dpcount
}

@test "by time: a weight, an answer, or an identifier behind a time is no number" {
	local edit

	for edit in 's/OPT_UNIT, OPT_WEIGHT/OPT_UNIT/' 's/, OPT_ANSWER//' \
	    's/o->form\.match != NULL && !o/false \&\& !o/'; do
		faulty_tools store/dp_charge_times "$edit" budget \
		    '--by-time: runs that take' dpcount dpmean dpdistinct
	done
}

@test "a state that owes its charge: charged again, or never" {
	local edit

	for edit in 's/paid->again/false/' 's/paid->make != NULL/false/'; do
		faulty_tools store/debit "$edit" budget 'killed, or failing, as it makes' \
		    dpcount dpbudget dpmap
	done
	faulty_tools store/make_state 's/receipt\.owed = true/receipt.owed = false/' budget \
	    'a state that may not be paid' dpcount dpbudget dpmap
	faulty_tools store/pay 's/, mark, sizeof mark\)/, "", 1)/' budget \
	    'a state that may not be paid' dpcount dpbudget dpmap
	faulty_tools store/find_paid 's/strcmp\(owed->id, l->b\.id\) != 0/false/' budget \
	    'a state that may not be paid' dpcount dpbudget dpmap
}

@test "totals: the seal of a total is not looked at" {
	fault store/read_totals 's/strcpy\(l->seal, l->b\.id\);/l->seal[0] = 0;/' unit/t_budget
}
