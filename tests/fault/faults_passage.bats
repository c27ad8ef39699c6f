#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in the law of a count's largest noise, and in noise that begins late.

load faults

@test "passage: halves that reach it both are counted twice" {
	fault normtree/add_passage 's/\(1 - left\[i\]\) \* right\[i - a\]/right[i - a]/' \
	    unit/t_normtree_passage
}

@test "passage: the right half from where the left one began" {
	fault normtree/add_passage 's/right\[i - a\]/right[i]/' unit/t_normtree_passage
}

@test "passage: a node's own end is not looked at" {
	fault normtree/set_row 's/P < 0 \? 0 : P;/P < 0 ? 0 : 0 * P;/' \
	    unit/t_normtree_passage
}

@test "passage: steps beyond the last one count" {
	fault normtree/halves 's/F = first\(q, (child\[T > half\]).*/F = of_child(q, \1);/' \
	    unit/t_normtree_passage
}

@test "passage: a height that is not the least" {
	fault normtree/least_height \
	    's/x = low \* BLOCK; x < end \&\& /x = end - 1; x < end \&\& /' \
	    unit/t_normtree_passage
	fault normtree/least_height 's/low = try \+ 1;/low = try + 2;/' unit/t_normtree_passage
}

@test "late: noise before the first event left out" {
	fault normtree/dp_normtree_late 's/\*before \+= child\[0\];//' unit/t_normtree_passage
}

@test "late: a tree of its own from the first event on" {
	fault normtree/top,dp_normtree_late,dp_normtree_late_steps \
	    's/if \(i == 0 \|\| p->exact\)/if (1)/;
	    s/return i == 0 \?/return (i \& (i - 1)) == 0 ?/;
	    s/if \(i != 0\)/if ((i \& (i - 1)) != 0)/' \
	    unit/t_normtree_passage
}

@test "late: the right child kept where the left one is next" {
	fault normtree/dp_normtree_late 's/if \(side == 0\)/if (side == 1)/' unit/t_normtree_passage
}

@test "passage: splits beyond the reach are less than they are" {
	fault normtree/set_split 's/= \(out \+ \(one \+ other\)/= (0 * out + (one + other)/' \
	    unit/t_normtree_passage
}
