#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in --next; each must make its test fail.

load faults

NEXT=store/first,dp_session_next

@test "next: the bucket that is not over is taken" {
	faulty_tools $NEXT 's/dp_span_floor(\(&o->time.span, dp_charge_now)/dp_span_next\1/' next \
	    'each day once' dpcount
}

@test "next: where nothing is over a range is begun" {
	faulty_tools $NEXT 's/r->kept\.nothing = n == 0/r->kept.nothing = false/' next \
	    'each day once' dpcount
}

@test "next: what was missed is skipped" {
	faulty_tools $NEXT 's/\treturn next;/\treturn dp_span_floor(\&o->time.span, over - 1);/' \
	    next 'each day once' dpcount
}

@test "next: what is owed stays owed" {
	faulty_tools run/begin \
	    's/(int e = )(dp_session_begin\(r\);)/\1r->kept.nothing ? 0 : \2/' \
	    next 'what a run owes' dpcount
}

@test "next: a clock that is years ahead spends the horizon" {
	faulty_tools $NEXT 's/if \(n > dp_options_gap\(o\)\)/if (false)/' next refused dpcount
}

@test "next: one bucket more than the horizon has left" {
	faulty_tools store/last 's/left == 0 \? 1 : left/left + 1/' next \
	    'more days are' dpcount
}

@test "next: what is over and not released is not said" {
	faulty_tools run/finish 's/status == DP_EX_OK && r->kept\.over != 0/false/' next \
	    'more days are' dpcount
}
