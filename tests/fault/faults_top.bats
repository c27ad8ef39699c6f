#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in names that nobody declared: thresholds, when a name is told of, its noise, the
# table of names.

load faults

@test "top: tau one too small" {
	fault stat/dp_top_find 's/\(int64_t\)x \+ 1;/(int64_t)x;/' unit/t_top
}

@test "top: tau of a step one too small" {
	fault stat/laplace_create 's/1e-6\), 1\) \+ 1;/1e-6), 1);/' unit/t_top
}

@test "top: a user's events may be of one name alone" {
	fault stat/dp_top_unit 's/return fmax\(\(double\)K, (.*)\);/return \1;/' unit/t_top
}

@test "top: a user's events may be of as many names alone" {
	fault stat/dp_top_unit 's/return fmax\(\(double\)K, .*/return (double)K;/' unit/t_top
}

@test "top: noise drawn from the first event on, not over absolute time" {
	fault stat/column_running,tree_late,tree_abreast \
	    's/c->wait, rng, i - begin, /c->wait, rng, 0, /;
	    s/rng, t - 1 - begin, n, w/rng, t - 1 - late_, n, w/;
	    s/^(struct column_running \{)/static uint64_t late_;\1/;
	    s/c->state = declared .*/&late_ = i;/' law/s_top gated-normtree names law
}

@test "top: noise before the first event left out" {
	fault stat/tree_late,tree_abreast 's/c->noise \+= /c->noise *= c->state >= COUNT; &/' \
	    law/s_top gated-normtree names law
}

@test "top: told of as soon as the count alone is over tau" {
	fault stat/tree_abreast 's/\|= y >=/|= count >=/' \
	    law/s_top gated-normtree names neighbour
}

@test "top: fresh noise, told of one below" {
	fault stat/laplace_step 's/\*x \+ w >= dp_top/*x + w + 1 >= dp_top/' law/s_top \
	    gated-laplace step-names neighbour
}

@test "top: a name printed before its first event" {
	faulty_tools store/add 's/if \(!declared && x == 0\)/if (0)/' dptop \
	    'no name before its first event' dptop
}

@test "top: a name's events of a step are counted as one more" {
	faulty_tools store/add 's/a->n\+\+\] = x;/a->n++] = x + (x > 0);/' dptop \
	    'exact: all names' dptop
}

@test "top: the noise of a name goes on only where it has events" {
	faulty_tools store/add 's/a->name\[a->n\] = name;/if (x == 0) return 0; &/' dptop \
	    'exact: all names' dptop
}

@test "top: equal counts in the order of first sight" {
	faulty_tools store/by_estimate 's/return d != 0 \? d : .*/return 0 * d;/' dptop \
	    'exact: all names' dptop
}

@test "names: told apart by the hash alone" {
	fault base/hash_of,find_names 's/have\.n == s\.n && memcmp\(have\.p, s\.p, s\.n\) == 0/1/;
	    s/memcpy\(&v, h, sizeof v\);/v = h[0];/' unit/t_names
}

@test "names: a block keeps what another name left" {
	fault base/dp_names_place,cut \
	    's/memset\(t->block \+ .*//; s/sodium_memzero\(t->block \+ n .*//' \
	    unit/t_names
}

@test "names: cut ones are still found" {
	fault base/cut 's/memset\(t->index, 0, .*//; s/sodium_memzero\(t->text \+ .*//' \
	    unit/t_names
}

@test "top: a step without a line is not committed" {
	faulty_tools base/dp_out_none 's/o->silent = true;//' dptop '--state: a step without' dptop
}

@test "top: a state begins names anew" {
	faulty_tools store/dp_roll_put 's/if \(begun\)/if (0 * begun)/' dptop \
	    '--state: --once and ranges' dptop
}

@test "top: a state forgets what is in an open bucket" {
	faulty_tools store/dp_session_roll_put \
	    's/(dp_session_put\(b, "open", ).*/\10); continue;/' dptop \
	    '--state: as in one run' dptop
}

@test "top: a state has a name twice" {
	faulty_tools store/dp_roll_put 's/if \(at != place\)/if (0)/' forged 'names of the body' \
	    dptop
}

@test "top: a state's columns are taken as they are" {
	faulty_tools store/get_name 's/!m->ops->valid\(.*\)\)/0)/' forged \
	    'names of the body' dptop
}

@test "top: names abreast share what they wait for" {
	fault normtree/dp_normtree_late_steps 's/wait\[k\]\[l - 1\] = /wait[0][l - 1] = /' \
	    unit/t_normtree_passage
}

@test "top: sample and hold by name, not by event" {
	faulty_tools store/hold \
	    's/\*held = coin == 0;/*held = (uint8_t)name.p[name.n - 1] % r->o->keys.hold == 0;/' \
	    dptop '--hold: by what' dptop
}

@test "top: events of a name that is held need a coin, too" {
	faulty_tools store/hold 's/hold <= 1 \|\| is_held\(.*\);/hold <= 1;/' dptop \
	    '--hold: with the same' dptop
}

@test "top: events before a name is held are not made up for" {
	faulty_tools store/before 's/keys\.hold - 1;/keys.hold - 2;/' dptop '--hold: by what' dptop
}

@test "top: a window is told of that has no event" {
	faulty_tools stat/abreast 's/\(had && c->sum >=/(c->sum >=/' dptop \
	    'no name before its first event' dptop
}

@test "top: a window's noise begins with its name's first event" {
	fault stat/window_late 's/put\(k, c, j, w\)/(void)w/' law/s_top gated-window window-names \
	    law
}

@test "top: an event counts in a window for a step more" {
	faulty_tools stat/abreast 's/\(uint64_t\)c->last < k->W/(uint64_t)c->last <= k->W/' \
	    dptop 'no name before its first event' dptop
}

@test "top: a window's name goes while its noise is in windows to come" {
	fault stat/gone 's/c->last \+ k->W - 1 <=/c->last <=/' unit/t_top
}

@test "top: a window's name goes within a tree" {
	fault stat/gone 's/<= from - from % L/<= from/' unit/t_top
}

@test "top: names move, their events do not" {
	faulty_tools store/dp_cells_move 's/room\[i\]\.name = to\[.*//' dptop '--live: late' \
	    dptop
}

@test "top: events beyond what a cell counts are lost" {
	fault store/find_cells 's/ \|\| c->cell\[at\]\.events == FULL//' unit/t_roll_cells
}

@test "passage: windows have no steps of the tree before" {
	fault normtree/window 's/law_window\(q, m\), sum/law_window(q, 0), sum/' \
	    unit/t_normtree_passage
}

@test "passage: what comes before a node is left out" {
	fault normtree/descend 's/shear\(q, -1, m, /shear(q, 0, m, /' \
	    unit/t_normtree_passage
}

@test "top: a user's events may be of one name, which is not said" {
	fault stat/dp_top_factor 's/privacy\.linf == 1/privacy.linf >= 1/' unit/t_top
}

@test "distinct: a user counts for a name as often as he likes" {
	faulty_tools store/admit_name 's/dp_users_stamp\(u, both\) != 0/0/' dptop '--distinct' dptop
}

@test "distinct: a user's names are joined with him as they are" {
	faulty_tools store/admit_name \
	    's/^(.*return )admit\(u, both\);/\1admit(u, name);/; s/stamp\(u, both/stamp(u, name/' \
	    dptop '--distinct' dptop
}

@test "distinct: a user moves one name" {
	fault account/dp_relation_distance 's/full = r->once .*//' unit/t_neighbour
}

@test "top: Gaussian noise has all of delta" {
	fault stat/make_noise_gauss 's/2 \* p->delta\.den/p->delta.den/' unit/t_top
}

@test "top: of Gaussian noise the threshold has all of delta" {
	fault stat/gauss_create 's/(dp_q_double\(rule->privacy\.delta\)) \/ 2;/\1;/' unit/t_top
}

@test "top: of Gaussian noise tau is one too small" {
	fault stat/find_gauss 's/k->plan\.tau = hi;/k->plan.tau = hi - 1;/' unit/t_top
}

@test "top: Gaussian noise begins with the first event" {
	fault stat/gauss_late 's/for \(t = 1; t <= i/for (t = 1; t <= 0 * i/' law/s_top \
	    gated-blt names law
}

@test "top: of Gaussian noise a name is told of one below tau" {
	fault stat/gauss_step 's/\*est >= dp_top/*est + 40 >= dp_top/' law/s_top gated-blt names \
	    neighbour
}

@test "top: Gaussian noise is for twice its epsilon" {
	faulty_tools stat/make_noise_gauss \
	    's/false, p->epsilon,/false, dp_q_make(2 * p->epsilon.num, p->epsilon.den),/' \
	    dptop 'the noise of a name so far' dptop
}

@test "top: Gaussian noise is for half of the names that a user moves" {
	faulty_tools stat/make_noise_gauss 's/^(\s*)p->l2squared\)/\1(p->l2squared + 1) \/ 2)/' \
	    dptop 'the noise of a name so far' dptop
}

@test "top: Gaussian noise, a user's events are of as many names" {
	fault stat/spent_gauss 's/fmax\(one, all \/ \(double\)C\)/one/' unit/t_top
}

@test "top: where steps are not known a phase's tau is one too small" {
	fault stat/find_one 's/phase\[i\]\.tau = x \+ 1;/phase[i].tau = x;/' unit/t_top
}

@test "top: each phase may spend all of f" {
	fault stat/find_one 's/> f \/ \(\(i \+ 1\.\).*/> f)/' unit/t_top
}

@test "top: thresholds of later segments leave the roots before out" {
	fault stat/dp_top_phases 's/e = join_phases\(&b, tree\);/e = 0;/' unit/t_top
}

@test "top: a name that begins in a later segment lacks the roots before" {
	fault stat/tree_late 's/c->noise \+= \(int32_t\)w;/w = 0;/' law/s_top gated-normtree \
	    names law
}

@test "top: the first phase's tau is that of all" {
	faulty_tools stat/tau_at 's/return k->plan\.phase\[i\]\.tau;/return k->plan.tau;/' \
	    dptop 'steps that nobody knows the number of: noise' dptop
}

@test "top: noise so far is for twice its epsilon" {
	faulty_tools stat/plant_running \
	    's/^plant_running\(struct dp_top.*/twice(struct dp_privacy *p) \
	    { p->epsilon.num *= 2; return 0; }\nstatic int\n&/;
	    s/(&shape, )(&rule->privacy)\)/\1(twice((void *)\2), \2))/' \
	    dptop 'the noise of a name so far' dptop
}
