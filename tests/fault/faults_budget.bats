# Faults planted in the ledger of a budget, in how losses are added, and in a state that moves.
load faults

@test "compose: delta is not added" {
	fault noise/compose.c 's/count\(a, &a->sum_delta, run->delta\);//' unit/t_compose
}

@test "compose: a pure run counts half of what it is" {
	fault noise/compose.c 's/, 2 \* den\)/, 4 * den)/' unit/t_compose
}

@test "compose: all of D for zCDP" {
	fault noise/compose.c 's/a->delta.num, delta.den \* 2/delta.num, delta.den/;
	    s/dp_q_make\(delta.num, delta.den \* 2\)/delta/' unit/t_compose
}

@test "compose: rho of a Gaussian run is not added" {
	fault noise/compose.c 's/rho\.num == 0 && half_square/half_square/' unit/t_compose
}

@test "compose: what samplers miss is free" {
	fault noise/compose.c 's/miss = 2 \+ exp\(E\)/miss = 2 + 0 * E/' unit/t_compose
}

@test "ratio: a sum that does not fit is rounded down" {
	fault base/ratio.c 's/\(dp_uwide\)digits \+ rest/(dp_uwide)digits/' unit/t_num
}

@test "budget: the total may be passed by one run" {
	fault state/budget.c 's/^\t\tdp_account_add\(&a, &c->loss\);/\t\t;/' unit/t_budget
}

@test "budget: units do not matter" {
	fault state/budget.c 's/strcmp\(b->total\[i\]\.unit, unit\) == 0/true/' unit/t_budget
}

@test "budget: a failed COMMIT does not matter" {
	fault state/budget.c 's/\(e = dp_ledger_run\(l, "COMMIT", why\)\) != 0\) \{/false) {/' \
	    unit/t_budget
}

@test "ledger: memory that ends a transaction unseen" {
	fault state/ledger.c 's/if \(l->sql\.get_autocommit\(l->db\)\)/if (false)/' unit/t_budget
	fault state/ledger.c 's/if \(rc != SQLITE_OK \|\| e != SQLITE_OK\)/if (rc != SQLITE_OK)/' \
	    unit/t_budget
}

@test "checkpoint: its seal is not looked at" {
	fault state/checkpoint.c 's/\(e = dp_ledger_check_seal\(.*\)\) != 0\)/false)/' unit/t_budget
}

@test "checkpoint: nothing was spent before it" {
	fault state/checkpoint.c 's/l->b\.total\[0\]\.account = c->account;//' unit/t_budget
}

@test "checkpoint: later charges follow anything" {
	fault state/checkpoint.c 's/strcpy\(l->seal, c->last\);//' unit/t_budget
	fault state/ledger_read.c \
	    's/e = dp_ledger_check_seal\(l, q, "its head", seal, why\);/e = 0;/' unit/t_budget
}

@test "checkpoint: other rules do not matter" {
	fault state/checkpoint.c 's/c->n == 0 \|\| !same_rules\(.*\)\)/c->n == 0)/' unit/t_budget
}

@test "checkpoint: who reads all believes it" {
	fault state/ledger_read.c 's/&& !dp_checkpoint_agrees\(l\)/\&\& false/' unit/t_budget
}

@test "checkpoint: it is never written, or stays the first" {
	fault state/checkpoint.c 's/ < DP_CHECKPOINT_EVERY/ != 0/' unit/t_budget
	fault state/checkpoint.c 's/l->b\.n - l->checkpoint\.n </l->checkpoint.n > 0 || l->b.n </' \
	    unit/t_budget
}

@test "checkpoint: one of charges that are not there" {
	fault state/ledger_read.c 's/l->b\.n < l->checkpoint\.n/false/' unit/t_budget
}

@test "move: the copy has its name before the state ends" {
	fault state/move.c 's/^\tif \(e == 0\)$/\tif (e == 0 \&\& (e = publish(s, t, why)) == 0)/' \
	    unit/t_statemove
}

@test "move: the state ends without a copy" {
	fault state/move.c 's/\be = dp_state_write_tmp\(t, &f, why\)/e = 0/' unit/t_statemove
}

@test "move: a witness that is one behind is left two behind" {
	fault state/move.c '/Witness of a dead run/{n;s/^\tif .*/\tif (false)/}' \
	    unit/t_statemove
}

@test "move: an ended state goes on" {
	fault state/check.c 's/s->form\.moved && !s->rule\.move/false/' unit/t_statemove
}

@test "move: anything that stands there is overwritten" {
	fault state/move.c 's/^\tif \(same\)/\tif (true)/' unit/t_statemove
}

@test "by time: of runs that overlap the larger one counts" {
	fault state/parallel.c 's/for \(j = 0; j <= i; j\+\+\)/for (j = i; j <= i; j++)/' \
	    unit/t_budget
}

@test "by time: what ends where another begins is not disjoint to it" {
	fault state/parallel.c 's/c\[i\]->begin < c\[j\]->end/c[i]->begin <= c[j]->end/' \
	    unit/t_budget
}

@test "by time: times that are read in another way count as the same" {
	fault state/parallel.c 's/ && strcmp\(c\[j\]->reads, c\[i\]->reads\) == 0//' unit/t_budget
}

@test "by time: charges of all times are dropped" {
	fault state/parallel.c 's/\*c->reads != .\\0. && c->begin < c->end/true/' unit/t_budget
}

@test "by time: a user, too" {
	faulty_tools keep/charge_times.c 's/ \|\| !at_one_time\(o, tool\)//' \
	    budget '--by-time: disjoint' dpwindow dpbudget
}

@test "by time: syslog has years" {
	faulty_tools keep/charge_times.c 's/strcmp\(o->time\.format, "syslog"\) == 0/false/' \
	    budget '--by-time: a user' dpcount dpbudget
}

@test "by time: partial counts were read as this run would" {
	faulty_tools keep/charge_times.c 's/o->shard\.partial/false/' \
	    budget '--by-time: a user' dpcount dpbudget dpmap
}

@test "by time: a zone does not matter" {
	faulty_tools keep/charge_times.c 's/o->time\.tz != NULL/false/' \
	    budget '--by-time: disjoint' dpwindow dpbudget dpcount
}

@test "by time: a state's buckets are those of its first run" {
	faulty_tools keep/charge_times.c 's/o->keep\.state != NULL/false/' \
	    budget '--by-time: disjoint' dpwindow dpbudget dpcount
}

@test "totals: the seal of a total is not looked at" {
	fault state/ledger_read.c 's/strcpy\(l->seal, l->b\.id\);/l->seal[0] = 0;/' unit/t_budget
}
