#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in the library for programs: each must make the suite fail.

load faults

@test "library: values that are not clamped, on either way in; sums beyond 2^61" {
	fault api/dputils_add 's/value = value < .*$/;/' unit/t_api:exact
	fault api/dputils_event 's/^\tv = v < .*$/;/' unit/t_api:exact
	fault api/take 's/dp_run_sum\(\(dp_wide\)x\[i\] \+ b\[i\]\)/x[i] + b[i]/' unit/t_api:exact
}

@test "library: a user's events that all count; a cap that no step begins anew" {
	fault api/admit 's/return dp_users_admit\(.*$/return 1;/' unit/t_api:capped
	fault api/dputils_step 's/if \(h->relation.per_step\)/if (0)/' unit/t_api:capped
}

@test "library: one event of a user protected, or half of what one adds" {
	fault api/set_rule 's/h->relation.sum = dp_mean_reach/h->relation.per_user = 1; &/' \
	    unit/t_api:said
	fault api/set_rule 's/dp_mean_reach\(&h->mean\)/& \/ 2/' unit/t_api:said
	fault api/read_relation 's/r->lines = h->say.lines/h->say.lines/' unit/t_api:said
	fault api/read_windows 's/h->rule.horizon != 0 \&\& k->w/0 \&\& k->w/' unit/t_api:refused
}

@test "library: a second event of a step, a step after the last, an estimate before the first" {
	fault api/out_of_order 's/h->say.lines && h->added/0/' unit/t_api:exact
	fault api/dputils_step 's/h->t == h->rule.horizon/0/' unit/t_api:exact
	fault api/shown 's/h->t == 0/0/' unit/t_api:exact
}

@test "library: who has no name is one user; a handle that its ledger has refused goes on" {
	fault api/admit 's/if \(n == 0\)/if (false)/' unit/t_api:capped
	fault api/dp_api_begin 's/h->begun < 0/false/' unit/t_api
}

@test "library: what is saved lacks the open step, the users, the generator; any checksum will do" {
	fault api/body 's/words\(d, "sums", h->col.x,/memset(h->col.x, 0, 8); &/' unit/t_api:saved
	fault api/users 's/n != 0 \&\&$/0 \&\&/' unit/t_api:saved
	fault api/generator 's/dp_rng_pcg_load\(h->col.rng, w\);/;/' unit/t_api:saved
	fault api/dputils_load 's/memcmp\(hex, p \+ n.*\) != 0\)/0)/' unit/t_api:damaged
}

@test "library: intervals for twice the probability; a variance in grid units" {
	fault api/ends 's/\(1 - level\) \/ m->off/(1 - level) * 4 \/ m->off/' unit/t_api:law
	fault api/dputils_variance 's/dp_law_variance\(h->col.law\)/2 * &/' unit/t_api:law
}

@test "library: a seed that nobody is told of; a ledger charged for noise that is none" {
	fault api/put_guarantee 's/h->option\[API_SEED\] != NULL/0/' unit/t_api:said
	fault api/refusal 's/h->say.exact \|\| h->option\[API_SEED\] != NULL/0/' unit/t_api:said
}
