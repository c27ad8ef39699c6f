# SPDX-License-Identifier: ISC
# Faults planted in the protocol of state files: each test of it must fail.
load faults

@test "state: the lock's name is not looked at before the rename" {
	fault store/dp_state_ours 's/!is_open\(&s->at, "\.lock", s->fd\.lock\)/false/' \
	    unit/t_statefile
}

@test "state: the state's name is not looked at before the rename" {
	fault store/dp_state_ours 's/if \(!is_last\(s\)\)/if (false)/' unit/t_statefile
}

@test "state: another run's S.tmp becomes S" {
	fault store/dp_state_ours 's/s->fd\.tmp >= 0 && !is_open/false \&\& !is_open/' \
	    unit/t_statefile
}

@test "state: --out and the witness are not locked" {
	fault store/dp_state_take 's/return dp_state_flock\(fd, path, "", why\);/return 0;/' \
	    unit/t_statefile
}

@test "state: a second name of a file of this run is another run" {
	fault store/dp_state_take 's/st\.st_ino == other\.st_ino\)/false)/' unit/t_statefile
}

@test "state: a torn first witness is refused" {
	fault store/check_witness 's/if \(begun\(f, p, n\)\)/if (false)/' unit/t_statefile
}

@test "state: a torn witness is taken for a first one whatever was released" {
	fault store/begun 's/f->generation != 1 \|\| n > WITNESS/n > WITNESS/' unit/t_statefile
}

@test "state: what a dead run left in --out is forgotten" {
	fault store/redo_tail 's/f->tail = owed > f->tail \? owed : f->tail;//' unit/t_statekill
}

@test "state: what a dead run left in --out is not cut off" {
	fault store/redo_tail 's/ftruncate\(s->fd\.out, \(off_t\)f->outlen\) != 0/false/' \
	    unit/t_statekill
}

@test "state: what a stopped run could not print is dropped by its next commit" {
	fault store/begins 's/return !s->stalled && \(s->next_batch/return (s->next_batch/' \
	    unit/t_statebatch
}

@test "state: what a stopped run could not print counts as out" {
	fault store/successor 's/if \(!s->stalled\)$/if (true)/' unit/t_statebatch
}

@test "state: what redo has printed stays owed" {
	fault store/dp_state_redo 's/if \(\(e = settle_redone\(s, why\)\) != 0\)/if (false)/' \
	    unit/t_statebatch
}

@test "state: what redo has printed is forgotten before it is durable" {
	fault store/settle_redone \
	    's/\(e = dp_state_settle\(s, why\)\) != 0 \|\| \(e =/(e =/' \
	    unit/t_stateorder
}

@test "state: what is appended beside it is not durable when it counts" {
	fault store/dp_annex_sync 's/\|\| fsync\(a->fd\) != 0\)/|| false)/' unit/t_stateorder
}

@test "state: the name of a new file beside it is not durable when it counts" {
	fault store/dp_annex_sync 's/\|\| fsync\(s->at.dir\) != 0\)/|| false)/' unit/t_stateorder
}

@test "state: a new file beside it takes the place of the one that counts" {
	fault store/dp_annex_make 's/f->n != 0 \? !f->file : 0/f->file/' unit/t_statekill
}

@test "state: what is appended overwrites what counts" {
	fault store/dp_annex_add 's/\(off_t\)a->n\) != 0\)/0) != 0)/' unit/t_statekill
}

@test "state: another file beside it is as good" {
	fault store/dp_annex_open 's/e = strcmp\(hash, f->hash\) != 0 \? DP_ESTATE : 0/e = 0/' \
	    unit/t_statebatch
}

@test "state: what a dead run appended stays" {
	fault store/dp_annex_open 's/e == 0 && ftruncate\(a->fd, \(off_t\)f->n\) != 0/false/' \
	    unit/t_statebatch
}

@test "state: a file beside it that nobody counts stays" {
	fault store/dp_state_replace 's/if \(s->untidy\)/if (false)/' unit/t_statebatch
}

@test "state: a move leaves the files beside it behind" {
	fault store/begin_move 's/\(e = dp_annex_copy\(s, t, &f, why\)\) == 0/true/' \
	    unit/t_statemove
}

@test "state: what it holds itself is forgotten when more goes beside it" {
	fault store/extend 's/s->record\.p, s->record\.n, why\);/s->record.p, 0, why);/' \
	    unit/t_statebatch
}

@test "state: a wrong path is taken for a failing disk" {
	fault store/errno_of 's/wrong_path\(errno\) \? DP_EINVAL : DP_EIO/DP_EIO/' unit/t_statefile
}

@test "state: an fsync of S.tmp that fails does not matter" {
	fault store/fill_tmp 's/\|\| fsync\(s->fd\.tmp\) != 0/|| (fsync(s->fd.tmp), false)/' \
	    unit/t_statefail
}

@test "state: a signal ends the reading of S" {
	fault store/dp_state_read_up_to 's/errno != EINTR\)$/true)/' unit/t_statefail
}

@test "state: a state without memory for its head" {
	fault store/keep_parts \
		's/if \(\((s->read.head = malloc\(f->head.n \+ 1\))\) == NULL\)/\1; if (false)/' \
		unit/t_statefail
}

@test "state: an unfinished write is taken for a whole one" {
	fault store/dp_state_put 's/n -= \(size_t\)k;/n = 0;/' unit/t_statefail
}

@test "users: a free slot of four is passed over" {
	fault input/free_slot 's/ & \(s\[3\].n != 0\)//' unit/t_users
}

@test "sums of a range: the last of them is not in the array" {
	fault run/dp_touched_spread '/^dp_touched_spread/,/^}/s/i < t->n/i + 1 < t->n/' \
	    unit/t_touched
}

@test "sums of a range: a row keeps what the last one had" {
	fault run/dp_touched_row 's/memset\(x, 0, t->width \* sizeof \*x\);//' unit/t_touched
}

@test "users: a table that cannot grow goes on as it is" {
	fault input/insert,dp_users_put \
	    's/if \(\(e = grow\(u\)\) != 0\)/(void)(e = grow(u)); if (u->count > 1000)/' \
	    unit/t_failing
}

@test "rng: no random bytes are zeros" {
	fault base/dp_os_random 's/return DP_EENTROPY;$/return 0;/' unit/t_failing
}

@test "state: no room is held for one that is to be made" {
	fault store/dp_state_claim 's/\(e = reserve\(s, size, why\)\)/(e = 0)/' unit/t_statefile
}

@test "state: letters beyond f are digits; zeros before a number" {
	faulty_tools store/dp_line_hex 's/\(v & EACH\(0xf0\)\) != 0/false/' state 'forged words' \
	    dpcount
	fault store/canonical 's/e = DP_ESTATE/e = 0/' unit/t_state
}

@test "state, -P: what a state began with stays in memory as text" {
	faulty_tools store/dp_session_create 's/dp_buf_reset\(&r->kept\.body\);.*/;/' pan \
	    '-P: the noise that a state begins with' dpproject dpdistinct
}

@test "state, -P: what a state goes on from stays in memory as text" {
	faulty_tools store/dp_session_begin 's/dp_state_forget\(r->kept\.state\);/;/' pan \
	    '-P: the noise that a state begins with' dpproject dpdistinct
}
