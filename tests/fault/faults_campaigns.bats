#!/usr/bin/env bats
# Faults that make torture and make audit must find, in their short forms.

load faults

# tortured FILE EDIT; audited FILE EDIT
tortured() {
	faulty_tools "$1" "$2" campaigns torture dpcount
	grep -q 'expected exit code 0, got' tap
}

audited() {
	faulty_tools "$1" "$2" campaigns audit dpcount
	grep -q 'expected exit code 0, got 1' tap
}

@test "torture: what was printed is not in the state" {
	tortured state/send.c 's/dp_place_rename\(\&s->at, "\.tmp"\) != 0/false/'
}

@test "torture: two runs hold one state's lock" {
	tortured state/file.c 's/while \(flock\(fd, LOCK_EX \| LOCK_NB\) != 0\)/while (false)/'
}

@test "audit: noise of a hundredth of its scale" {
	audited noise/privacy.c 's/(dp_q_make\(p->l1,) 1\), p->epsilon/\1 100), p->epsilon/'
}

@test "audit: a norm tree of twenty times its rate" {
	audited normtree/plan.c \
	    's/fmin\(k->rate, DP_NORMTREE_RATE\)/fmin(20 * k->rate, DP_NORMTREE_RATE)/'
}
