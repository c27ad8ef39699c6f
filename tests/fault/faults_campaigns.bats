#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Faults that make torture and make audit must find, in their short forms.

load faults

# tortured FILE EDIT TOOL MOST ROW KIND: so many of this kind, with the tool made of FILE's fault,
# find it
tortured() {
	local dir=$BATS_TEST_TMPDIR/build

	[ "$(uname -m)" = x86_64 ] || skip 'the tracer knows x86-64 alone'
	cd "$BATS_TEST_TMPDIR"
	sound "$dir"
	plant "$1" "$2" "$dir"
	link "$dir/bin/$3" "$DP_BUILD/cmd/$3.o" "$dir/fault.o"
	run sh "$TOP/tests/torture.sh" "$dir/bin" "$4" 1 "$5" "$6"
	echo "$output" | tail -n 9
	[ "$status" -eq 1 ]
	[[ $output = *"found: "* ]]
}

# rotated FILE EDIT: logs that are rotated at some calls of a run find it
rotated() {
	local dir=$BATS_TEST_TMPDIR/build

	[ "$(uname -m)" = x86_64 ] || skip 'the tracer knows x86-64 alone'
	cd "$BATS_TEST_TMPDIR"
	sound "$dir"
	plant "$1" "$2" "$dir"
	link "$dir/bin/dpwindow" "$DP_BUILD/cmd/dpwindow.o" "$dir/fault.o"
	run sh "$TOP/tests/torture.sh" "$dir/bin" rotate 5
	echo "$output" | tail -n 9
	[ "$status" -eq 1 ]
	[[ $output = *"found: "* ]]
}

# audited FILE EDIT
audited() {
	faulty_tools "$1" "$2" campaigns audit dpcount
	grep -q 'status 1, not 0: ' tap
}

@test "torture: a failed write to the output passes for done" {
	tortured store/dp_state_put 's/^(\t\tif \(k) <= 0\)/\1 < 0) k = (ssize_t)n;\n\1 <= 0)/' \
	    dpcount 800 dpcount call
}

@test "torture: what a killed run left is printed before it is synced" {
	tortured store/dp_state_redo \
	    's/dp_state_at\(s, DP_AT_REDO\) != 0 \|\| fsync.*state\) != 0 \|\|$/false \&\&/' \
	    dpcount 400 dpcount power
}

@test "torture: it is printed before the state has it" {
	tortured store/dp_state_commit '/^\tnext\.body = /s/$/ (void)!write(1, out, n);/' dpcount \
	    60 \
	    dpcount killed
}

@test "torture: a batch that is given again begins a line too late" {
	tortured store/dp_session_wants 's/--r->kept\.skip == 0/--r->kept.skip == 1/' dpcount 300 \
	    dpcount killed
}

@test "torture: two runs hold one state's lock" {
	tortured store/dp_state_flock \
	    's/while \(flock\(fd, LOCK_EX \| LOCK_NB\) != 0\)/while (false)/' \
	    dpcount 100 dpcount race
}

@test "torture: the new state is not synced before it has its name" {
	tortured store/fill_tmp 's/fsync\(s->fd\.tmp\) != 0/false/' dpcount 60 dpcount power
}

@test "torture: the folder is not synced before its state is printed" {
	tortured store/dp_state_replace \
	    's/dp_state_at\(s, DP_AT_SYNC_DIR\) != 0 \|\| fsync\(s->at\.dir\) != 0/false/' \
	    dpcount 200 dpcount power
}

@test "torture: a state that moves ends before the new one is on the disk" {
	tortured store/begin_move \
	    's/dp_state_at\(s, DP_AT_SYNC_DIR\) != 0 \|\| fsync\(t->at\.dir\) != 0\)\)/false))/' \
	    dpcount 100 dpcount move
}

@test "torture: a ledger is charged when all is printed" {
	tortured run/dp_tool_main '/^\tdp_charge\(\&r\);/d
	    s/^\tdp_receipt_end/\tdp_charge(\&r);\n&/' dpcount 200 ledger killed
}

@test "torture: with -P the line that was read stays in memory" {
	[ "$(id -u)" = 0 ] || skip 'memory is root'"'"'s'
	tortured input/record.c 's/explicit_bzero\(r->buf, r->end\);//' dpcount 100 dpcount memory
}

@test "audit: noise of a hundredth of its scale" {
	audited account/laplace 's/(dp_q_make\(p->l1,) 1\), p->epsilon/\1 100), p->epsilon/'
}

@test "audit: a norm tree of twenty times its rate" {
	audited normtree/make \
	    's/fmin\(k->rate, DP_NORMTREE_RATE\)/fmin(20 * k->rate, DP_NORMTREE_RATE)/'
}

@test "rotated: names are not looked at again when all is open" {
	rotated run/same_files \
	    's/^\tif \(!is_input\(name\) && \(stat.*/\tif (false \&\& (stat(name, \&st) != 0 ||/'
}

@test "rotated: a file that is cut passes for one that has ended" {
	rotated run/dp_files_ended 's/^\tif \(f->stays && cut\(r, f\)\)/\tif (false)/'
}

@test "rotated: a file that is cut, and longer again, passes" {
	rotated run/dp_files_holds 's/^\t    memcmp\(now, f->mark, .*/\t    true;/'
}

@test "rotated: a copy is read with what is not cut yet" {
	rotated run/is_copying 's/copy->fd < 0 \|\| log->fd < 0/true/'
}

@test "rotated: half of a compressed file passes for all" {
	rotated run/wait_for 's/^\tif \(status != 0\)$/\tif (false)/'
}
