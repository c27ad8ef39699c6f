#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Faults planted between the command line and the mechanisms: each must make the tests of the tools
# fail.

load faults

# tools FILE TEST: those that the test names, or functions outside of tests
tools() {
	local names

	names=$(basename -a "$DP_BUILD"/bin/* | paste -s -d '|')
	awk -v at="@test \"$2" '/^@test/ { skip = index($0, at) != 1 } !skip; /^}/ { skip = 0 }' \
	    "$TOP"/tests/*/"$1.bats" | grep -oE "\b($names)\b" | sort -u
}

# fault FILE SED BATS TEST: the test passes with the tools as they are built, which is the suite's
# to see where all tests run, and fails with FILE's fault.  $only: the tool that it needs, if it
# does not name it.
fault() {
	local file=$1 edit=$2 dir=$BATS_TEST_TMPDIR/build name note

	cd "$BATS_TEST_TMPDIR"
	sound "$dir"
	plant "$file" "$edit" "$dir"
	for name in ${only-$(tools "$3" "$4")}; do
		link "$dir/bin/$name" "$DP_BUILD/cmd/$name.o" "$dir/fault.o"
	done
	note=$BATS_FILE_TMPDIR/${3//[!a-z]/-}.${4//[!a-z]/-}
	if [[ -z ${DP_ALL_RUN-} && ! -e $note ]]; then
		suite "$DP_BUILD" "$3" "$4" ROUNDS=12
		run ! grep '^not ok' tap
		! grep -q '^ok .* # skip' tap || skip 'so is the test that would see it'
		touch "$note"
	fi
	suite "$dir" "$3" "$4" ROUNDS=12
	grep '^not ok' tap
}

@test "print: every window has the first one's interval" {
	fault explain/put_around \
	    's/r->print\.bound\.half\[dp_print_output\(r, c\)\]/r->print.bound.half[0]/' \
		dpwindow '-B with several windows'
}

@test "print: the names of keys and windows interchanged" {
	fault explain/print_key \
		's|key = c / r->print\.outputs|key = c % r->o->keys.n|' \
		dpwindow '-o csv: keys by windows'
}

@test "print: decimals of the decay forgotten" {
	fault run/allocate \
		's/(r->print\.places = r->o->range\.places) \+ r->print\.decimals/\1/' \
		dpdecay 'six decimals'
}

@test "print: intervals in grid units, not in the estimate's" {
	fault counter/dp_widths_half 's/\(dp_wide\)dp_power10.*;/1;/' \
		dpdecay '-B: the interval'
}

@test "totals: what is no answer is one" {
	fault run/dp_total_add 's/if \(v->why == NULL\)/if (true)/' dplocal 'answers that are none'
}

@test "totals: an interval upside down" {
	fault run/print_total 's/i\.lo = lo;/i.lo = hi;/; s/i\.hi = hi;/i.hi = lo;/' \
		dplocal 'totals hold the truth'
}

@test "totals: beyond the horizon" {
	fault run/dp_total_add 's/r->t == r->o->horizon/false/' dplocal \
	    '--horizon: what comes after'
}

@test "step: a line that is no symbol is the first one" {
	fault run/put 's/\(int64_t\)v->column : -1/(int64_t)v->column : 0/' \
		dplocal 'a line that is no symbol'
}

@test "run: estimates of one key written over those of the next" {
	fault counter/dp_columns_each 's/NULL : est \+ m->outputs/NULL : est + 1/' \
	    dpwindow '-k: all columns step'
}

@test "cli: a duration is a bucket too long" {
	fault job/dp_options_steps 's|return n / o->time\.bucket|return n / o->time\.bucket + 1|' \
		dpwindow '--bucket: windows in durations'
}

@test "cli: --half-life is the time to 1/e" {
	fault job/dp_options_half_life 's|exp2\(-1 / n\)|exp(-1 / n)|' dpdecay '--half-life: half'
}

@test "cli: --alpha=1 gets through" {
	fault job/set_alpha,dp_options_alpha \
		's/number\.num >= v->number\.den\)/number.num > v->number.den)/
		    s/alpha <= ALPHA_MAX/alpha <= 1/' \
		badinput 'dpdecay: alpha, half-life'
}

@test "cli: the expiry is a step too long, or too short" {
	fault job/dp_options_expire 's/k->w\[0\] = dp_options_steps\(o, "--expire", text\)/& + 1/' \
		expire 'what is older than W is exact'
	fault job/dp_options_expire \
		's/k->w\[0\] = dp_options_steps\(o, "--expire", text\)/&; k->w[0] -= k->w[0] > 1/' \
		expire 'what is older than W is exact'
}

@test "cli: a window longer than the horizon gets through" {
	fault job/dp_options_task 's/o->task\.w\[i\] > o->horizon/o->task.w[i] > o->horizon + 1/' \
		badinput 'dpwindow: windows that are none'
}

@test "session: other windows are taken for the same" {
	fault store/same_own 's/return strcmp\(v->text, kept\) == 0/return true/' \
		dpwindow '--state: the windows are kept'
}

@test "session: changes of users that do not fill a group are not kept" {
	fault store/dp_session_users_beside 's/^\tflush_changes\(c\);$/\tc->n = 0;/' \
	    state 'users beside the state: a batch'
}

@test "session: a users table keeps the order in which they came" {
	fault store/dp_session_users_beside 's/r->kept\.ending \|\| //' \
	    state 'users beside the state: run by run'
}

@test "session: own options are not adopted" {
	fault store/adopt_own '/dp_options_set\(o, j->r->tool, own/,/;$/d
	    s/^\t\tif .*kept != NULL\)$//' \
		dpwindow '--state: one run in pieces'
}

@test "session: changed weights get through" {
	fault store/adopt_own 's/strcmp\(j->file\[i\], o->own\[i\]\.hash\) != 0/false/' \
		dpdecay '--state: weights are told'
}

@test "session: an option that was not given then may be given now" {
	fault store/adopt_own 's/(o->own\[i\]\.text) != NULL && kept == NULL\)/false)/
	    s/^\t\tif \(o->own\[i\]\.text == NULL\)$/\t\tif (kept == NULL)/' \
	    dpdecay '--state: the decay is kept'
}

@test "session: input and output options are not adopted" {
	fault store/adopt 's/^\t\tdp_options_set\(o, r->tool, row->c.*/\t\t(void)none;/' \
		state 'how the input is read and the output written'
}

@test "session: other input and output options get through" {
	fault store/adopt 's/ && strcmp\(o->text\[row->c\], kept\) == 0//' \
		state 'input and output options that differ'
}

@test "session: options that were not given then may be given now" {
	fault store/adopt 's/^\tif \(!o->keep\.change\)$/\tif (false)/' \
		state 'input and output options that differ'
}

@test "session: a change is not kept" {
	fault store/session.c \
	    's/if \(!r->kept\.changed && r->numbers\.old == 0\)/if (true)/' \
	    state '--change: kept by the first'
}

@test "session: a state of before is read by the rules of now; a scale of it is smaller" {
	local name='a state from before there were jobs'

	fault store/check_rules 's/missing = "times"/missing = NULL/' forged "$name"
	fault store/check_rules 's/missing = "conditions"/missing = NULL/' forged "$name"
	fault store/find_rules 's/!own->later && //' forged "$name"
	fault store/find_rules 's/if \(!own->later && !dp_doc_find\(.*$/if (false)/' \
	    forged "$name"
	fault account/planned 's/\(1 - ROUNDED\)/(1 - 0x1p-9)/; s/\(rounded \?/(true ?/' \
	    forged "$name"
}

@test "session: no header line says what changed" {
	fault store/dp_body_get 's/ && !r->kept\.reprint//' state '--change: the header line'
}

@test "zones: times without an offset are UTC; rules that have changed; a border of UTC" {
	fault input/dp_events_time_new 's/^\te->when\.zone = .*$//' zone 'times without an offset'
	fault store/same_zones 's/if \(east != dp_zone_east.*$/if (false)/' \
		zone 'state: the zone and the kind'
	fault job/moment 's/\(&t, s, o->time\.span\.zone\)/(\&t, s, NULL)/' \
	    zone 'hours are hours'
}

@test "--check: a user's allowance, a clamped value, a late line" {
	fault run/put_event 's/if \(v->value != value\)/if (false)/' check 'value, time, step'
	fault run/put_value 's/if \(v->clamped\)/if (false)/' check 'values: not a number'
	fault run/put_reached 's/begin > r->ring\.next\)/true)/' check '--public-times'
	fault run/log_of 's/\) > most\)/) >= most)/' check '--log: who'
	fault run/dp_sample_port 's/ && dots == 3//' check '--log: who'
	fault run/see_clamped 's/n > s->hi/n < s->hi/' check 'what will surprise'
	fault run/see_number 's/> grid\)/> grid + 1)/' \
	    check 'what will surprise'
	only='dpcount dpmean' fault run/is_key 's/strncasecmp/memcmp/' cases '--check names'
	only=dpcount fault run/changed_over 's/k != i &&/k == i \&\&/' cases '--check names'
	only=dpmean fault input/is_alike 's/\) != tolower/) > tolower/' cases '--check names'
	fault run/dp_check_who 's/is_user && strcmp/false \&\& strcmp/' check '--log: who'
}

@test "partial: a shard twice, a user's bound in two of them, rows that are missing" {
	fault input/check_twice 's/s->from < to && from < s->to/false/' \
		shards 'bad input: shards'
	fault input/check_twice \
	    's/p->o->shard\.by_user && !p->o->users\.per_step\) \|\|/false) ||/' \
	    shards 'users'
	fault input/read_end 's/ \|\| n != p->nrows//' shards 'bad input: shards'
}

@test "partial: identifiers that are all one, or counts that are taken for them" {
	fault input/read_key 's/dp_slice\)\{ key, n \}, v\)/dp_slice){ key, 1 }, v)/' shards \
	    'identifiers: shards'
	fault input/check_agreed 's/strcmp\(option, "identifiers"\) == 0/false/' shards \
	    'identifiers: shards'
}

@test "partial: hashes of one key for all, of half an identifier, or of any key" {
	only='dpmap dpdistinct' fault input/dp_events_value \
	    's/s->n, e->o->shard\.hash->key\)/s->n, (unsigned char[16]){ 0 })/' shards --hash-key
	only=dpdistinct fault input/read_key 's/key, HASH \}/key, HASH \/ 16 }/' shards --hash-key
	only=dpdistinct fault input/check_identifiers 's/memcmp\(p->print, print,.*\) != 0/false/' \
	    shards --hash-key
	only=dpdistinct fault input/check_identifiers 's/p->o->keep\.state != NULL/false/' \
	    shards --hash-key
	only=dpmap fault store/dp_hash_key_read 's/\(path, true/(path, false/' shards --hash-key
}

@test "partial: another range, and counts that no event moves so far" {
	fault input/check_agreed 's/^\tgood = line.n == .*$/\tgood = true;/' shards \
	    'values'
	fault input/read_row 's/v->value < 0 && o->range\.lo >= 0/false/' shards 'bad input: rows'
	fault run/dp_partial_step 's/r->col\.x\[c\], places/r->col.x[c] * 2, places/' \
		shards 'an event more'
}

@test "session: --out left out; a new one that is no use, or a header, found late" {
	fault store/same_out 's/o->keep\.out == NULL && f->outlen > 0/false/' \
	    state '--out: left out'
	fault store/begin_state 's/if \(create && (\(e = check_new_out)/if (false \&\& \1/' \
	    state '--init: refused for a header'
	fault run/dp_run_beforehand 's/ \|\| o->keep\.init \|\|/ ||/' \
	    state '--init: refused for a header'
}

@test "NO INFORMATION: of an unknown horizon only at the last step reported for, or half as often" {
	fault explain/dp_blind 's/if \(say_first\(.*/if (false)/' often \
	    'NO INFORMATION: of an unknown'
	fault explain/blind_steps 's/(> range_by\(tool, o, p, out, t\)) \/ 2/\1/' \
	    often \
	    'NO INFORMATION: of an unknown'
}

@test "auto: what tells nothing is refused, but by name" {
	fault job/tells_nothing 's/!c->error\.blind \|\|/true ||/' dpdistinct \
	    'no universe: no answer above the lines'
	fault job/make 's/if \(any && e == 0 && tells/if (e == 0 \&\& tells/' dpdistinct \
	    'no universe: no answer above the lines'
}

@test "--check: half of a time" {
	fault input/dp_events_time 's/v->with = e->clock\.number;/;/' check \
	    'a day and a time of day'
}

@test "charge: the debit comes after the answer" {
	fault run/dp_tool_main 's/^\tdp_charge\(&r\);/\t;/
	    s/^\trc = rc > 0 \?/\t(void)!dp_out_flush(r.print.out);\n\tdp_charge(\&r);\n&/' \
	    budget 'killed, or failing, at every effect: what was printed was charged'
}

@test "charge: a state that goes on is taken at its word" {
	fault store/was_charged 's/r->kept\.receipt\.n == 0 \|\| //
	    s/strcmp\(r->kept\.receipt\.id, b\.id\) != 0/false/' \
	    budget 'a state is charged when it is made, and only then'
}

@test "bucket: a state that takes a part of one, and a next one that is the last" {
	fault job/check_border 's/if \(t == begin\)/if (o->keep\.state != NULL)/' \
	    badinput 'times: --from or --to inside a bucket'
	fault store/show_steps 's/"next-bucket", o, any, t\)/"next-bucket", o, any, t - 86400)/' \
	    statemove '--state-show: --from takes'
}

@test "once: a later run of a state counts nothing; the next step is the last one" {
	fault run/dp_bucket_add 's/r->o->time\.once \? 0 : //' once '--state: a run is a step'
	fault run/begin_range 's/ \? r->ring\.next : o->time/ ? 0 : o->time/' \
	    once '--state: a run is a step'
	fault store/same_range 's/return !r->o->time\.once && /return /' \
	    once '--state: a run is a step'
}

@test "once: durations are steps; exact sums are held with -P; a second is shown" {
	fault job/need_bucket 's/if \(!dp_options_timed\(o\)\)/if (o->time.bucket == 0)/' \
	    once 'what does not go with it'
	fault job/rules 's/F\(ONCE\), 0, F\(ALWAYS\)/F(ONCE) | F(FROM), 0, F(ALWAYS)/;
	    s/F\(BY_RANGE\), 0, F\(ALWAYS\)/F(FROM), 0, F(ALWAYS)/' \
	    once 'what does not go with it'
	fault explain/put_step,put_object 's/dp_options_timed\(r->o\)/r->o->time.bucket != 0/' \
	    once 'one answer of'
}

@test "keys: nothing between two fields; undeclared ones in another's column, or nowhere" {
	fault input/join "s/e->key\.joined\[key->n\+\+\] = '.';/;/" \
	    keys '-k A,B: the cross'
	fault input/keys_new 's/o->keys\.n - 1 : /o->keys.n - 2 : /' keys '--other: what is'
	fault input/keys_new \
	    's/e->key\.empty = o->keys\.other != NULL;/e->key.empty = false;/' \
	    keys '--other: what is'
	fault input/keys_new 's/e->key\.empty \|= .*;/e->key.empty = true;/' \
	    keys '--other: what is'
	fault input/keys_new 's/e->key\.empty \|= .*;/;/' keys 'the empty key'
}

@test "keys: quotes that are read as text, or twice" {
	fault job/quoted_end_keys 's/strchr\(ends, p\[1\]\) != NULL/true/' keys 'keys in quotes'
	fault job/take_key 's/p \+= quoted && .*the first of two.*/;/' keys 'keys in quotes'
	fault base/put_text 's/%22%22/\\"\\"/' keys 'keys in quotes'
}

@test "keys: the order of a product; an empty one of a state; a long one that is cut" {
	fault job/cross 's/key, n \+ m \+ 1, next,/key, n, next,/' \
	    keys '-k A,B: the cross'
	fault base/put_text 's/dp_buf_puts\(b, EMPTY\);/dp_buf_puts(b, "-");/' \
	    keys 'states: keys'
	fault input/join "s/e->key\.joined\[0\] = '.*';/return true;/" keys 'the empty key'
}

@test "bucket: a sum that is not cut" {
	fault run/add 's/dp_run_sum\((dp_carry_add\(.*\))\);/(int64_t)\1;/' \
	    dpcount "a bucket's sum is exact beyond"
}

@test "session: where a range began is not kept" {
	fault run/begin_range 's/^\tr->kept\.since = r->t \+ r->ring\.gap;$//' \
	    state '--from, --to, /dev/full: repeated'
}

@test "session: other days of as many steps pass for those of a batch" {
	fault store/same_range 's/r->o->time\.end == r->ring\.next &&/true \&\&/' \
	    state '--batch: the ID again with other days'
}

@test "charge: before headers, partial counts and the state are looked at" {
	fault run/dp_tool_main '/^\tdp_charge\(&r\);/d;
	    s/^\tdp_run_beforehand\(&r\);/\tdp_charge(\&r);\n&/' \
	    budget 'input that is none is not charged'
}

@test "charge: before the state has its lock" {
	fault run/dp_tool_main '/^\tdp_charge\(&r\);/d;
	    s/^\tdp_session_claim\(&r\);/\tdp_charge(\&r);\n&/' \
	    budget '--init: what is refused for a file'
}

@test "beforehand: a file is not read again from where it was" {
	fault run/dp_files_rewind 's/lseek\(f->fd, f->begin, SEEK_SET\) == f->begin/true/' \
	    budget 'what was looked at beforehand'
}

@test "process: the umask stays as it is" {
	fault run/dp_process_files 's/^\tumask\(umask\(0\) & 077\);//' state \
	    'locks, witnesses and --out'
}

@test "-P: libraries look functions up when a line needs them, of a state, too" {
	only=dpcount fault run/dp_process_bind 's/\(now != NULL && \*now != .*\)/true)/' \
	    pan '-P: all functions'
	only=dpcount fault job/dp_options_pan 's/ \|\| c == OPT_STATE//' pan '-P: all functions'
}

@test "-P: registers that were saved deeper than it wipes, and later" {
	bind=lazy only=dpcount fault run/dp_process_bind 's/\(now != NULL && \*now != .*\)/true)/' \
	    pan '-P: nor on a processor'
	only=dpcount fault base/dp_stack_wipe 's/n \+ dp_os_registers\(\)/n/' \
	    pan '-P: nor on a processor'
	only=dpcount fault input/dp_reader_forget \
	    's/rule\.frugal && r->beg == r->end/rule.frugal \&\& false/' \
	    pan '-P: nor on a processor'
}

@test "-P: registers keep what a search or a system call was given" {
	cd "$BATS_TEST_TMPDIR"
	strace -o trace true && [ -s trace ] || skip 'no registers can be seen here'
	only=dpcount fault run/records.c 's/^\tdp_registers_wipe\(\);//' \
	    pan '-P: nor what it was the first to need'
}

@test "-P: a long line leaves a stack elsewhere, or how long it was" {
	only=dpcount fault input/dp_match_forget 's/ \|\| !m->settled//' \
	    pan '-P: nor what it was the first to need'
	only=dpcount fault input/dp_match_forget \
	    's/^\t\tpcre2_set_match_limit\(m->limits, MATCH_LIMIT\);/\t\t;/' \
	    pan '-P: nor what it was the first to need'
}

@test "partial: the checksum of a shard is not looked at" {
	fault input/read_sum '/dp_partial_sum\(/,/return|refuse/s/if \(line\.n.*/if (false)/' \
	    shards 'bad input: a shard that is damaged'
}

@test "partial: a last line without its end will do" {
	fault input/dp_partial_end 's/p->next != FIRST \|\| cut/p->next != FIRST/' \
	    shards 'bad input: shards that are cut'
}

@test "budget: what other hands wrote to a ledger goes to the terminal as it is" {
	fault job/dp_plain 's/^\t\t\tmemset\(p, .\?., n\);/\t\t\t;/' \
	    budget '--show, and refusals: no escape'
}

@test "users: an allowance that is used up is not said to be" {
	fault job/runs_out 's/return !o->users\.per_step &&/return false \&\&/' \
		dropped 'constant traffic under -c 20 falls to 0'
}

@test "header: a line of data is shown" {
	fault run/too_few,fail 's/if \(!has_names\(rec\)\)/if (false)/' badinput 'a header without'
}

@test "header: a line of a file after the first is shown" {
	fault run/too_few,fail 's/if \(!first\)/if (false)/' badinput 'a header without'
}

@test "text for a terminal: a character is cut in two" {
	fault job/dp_shown 's/k < n && i < 3/false/' badinput 'a header without'
}

@test "dpplot --run: the command runs as if it were asked for its columns" {
	only=dpplot fault chart/dp_plot_ask 's/\(void\)unsetenv\(DP_COLUMNS\);//' \
	    dpplot '--run: columns are told by'
}

@test "dpplot --run: the line of the columns is drawn as words" {
	only=dpplot fault chart/take_last 's/return at;/return n;/' \
	    dpplot '--run: columns are told by'
}

@test "-P: a script is read again when the tool starts itself anew" {
	only=dpcount fault base/dp_os_again 's/if \(is_program\(path\)\)//' \
	    pan '-P: a script of which'
}

@test "beforehand: a file that cannot be read is paid for" {
	fault run/try_to_read 's/at >= 0 && pread/false \&\& pread/' budget 'input that is none'
}

@test "keys times buckets: a page for each event" {
	fault run/make_rows 's/sums < DP_TOUCHED_LEAST/true/' badinput \
	    'keys times buckets: cells'
}

@test "keys in lines: steps of two blocks are taken together" {
	fault run/step_all 's/value\[i - 1\] = 0;/(void)0;/' dpcount 'keys in lines: many'
}

@test "distinct: a later bucket keeps an identifier that an earlier one has" {
	fault run/see_first 's/\(\*sum_of\(r, before - 1, 0\)\)--/(void)0/' dpdistinct \
	    'exact without noise: buckets'
	fault input/dp_users_set_mark 's/least && s->n <= now/false/' dpdistinct \
	    'exact without noise: buckets'
}

@test "audit: the limits are those of twice the chance of error" {
	faulty_tools explain/print_limits 's,(dp_audit_alpha\(a->confidence\)) / 2,\1,' \
	    dpaudit 'limits: the most' dpaudit
}

@test "audit: a claim that cannot be refuted is not called so" {
	faulty_tools explain/print_limits 's/>= most \?/< most ?/' dpaudit 'limits: the most' \
	    dpaudit
}

@test "user: users by key are not told of" {
	faulty_tools job/users_by_key \
	    's/^(\treturn )(!o->users\.once && o->users\.most == 1)/\1false \&\& \2/' \
	    dropped '-c 1/step with -k' dpwindow
}

@test "a header: a name twice, a field too many; directives of a log, by whom a form is told" {
	only=dpcount fault input/dp_events_resolve 's/^\t\tif \(found != 0\)$/\t\tif (0)/' \
	    badinput 'a header that has a name twice'
	only=dpmaxsum fault input/place_keys 's/^\t\tif \(k->found\)$/\t\tif (0)/' \
	    badinput 'a header that has a name twice'
	only=dpcount fault run/check_header 's/number = dp_events_lacks\([^)]*\)/number = 0/' \
	    badinput 'a header that has a name twice'
	only=dpcount fault input/dp_events_read 's/e->lines.directives && r->text.n > 0/0/' \
	    badinput 'a log of IIS'
	only=dpcount fault run/check_packed 's/dp_packed_by\(input, &stem\) != NULL/false/' \
	    badinput UTF-16
}

@test "files: what came after all were open is read, too" {
	fault run/dp_files_begin 's/^\tdp_reader_limit\(.*$//' files 'logs rotated during'
}

@test "files: one that is given twice is read twice" {
	fault run/dp_files_open 's/^\tcheck_all\(r, refuse_twice\);//' files \
	    'one file under two names'
}

@test "files: a log is read beside itself compressed" {
	fault run/dp_files_open 's/^\tcheck_all\(r, refuse_copies\);//' files \
	    'a log and the same log'
}

@test "files: no limit is raised" {
	fault run/dp_files_open 's/^\traise_limit\(n\);//' files 'more files than'
}

@test "files: a log renamed lately is not missed" {
	fault run/dp_files_open 's/if \(r->o->time\.next\)/if (false)/' files \
	    '--next: a log renamed'
}

@test "files: a damaged one is charged" {
	fault run/try_to_read 's/^\tdp_files_try\(r, i\);//' files 'compressed files that are'
}

@test "files: programs are sought in folders that depend on where we are" {
	fault run/dp_files_unpacker 's/if \(\*path != ...\)/if (false)/' files \
	    'compressed files: what'
}

@test "-P: another program keeps past input" {
	fault job/packed 's/dp_packed_by\(o->operands\.file\[i\], &stem\) != NULL/false/' \
	    files 'compressed files: what'
}

@test "user: what is left out of a step, or of one bucket, is not said" {
	faulty_tools job/dp_options_dropped_warn \
	    's/^\t\tdp_options_dropped\(o, tool, text\);/\t\treturn;/' \
	    dropped 'wherever -c can drop' dpwindow dpcount
}

@test "user: sums of users pass for users" {
	faulty_tools job/dp_options_users_summed \
	    's/^(\tif \()(!o->users\.per_step \|\|)/\1true || \2/' \
	    dropped '-c 1/step adds up' dpwindow dpcount
}

@test "cli: values are read without a range" {
	faulty_tools job/dp_options_task 's/^\tneed_range\(o, tool\);//' \
	    dpcount 'a value that is read and no --range' dpcount dpmean
}

@test "state: another user, identifier or time of the same event; - of a format is somebody" {
	fault store/is_fixed 's/ \|\| row->c == OPT_LET//' let 'a state: what says'
	fault store/is_fixed 's/ \|\| row->c == OPT_TZ_IN//' let 'a state: what says'
	fault store/is_fixed 's/id && row->c == .v./false/' let 'a state: what says'
	fault store/is_fixed 's/\(number && goes_on\(set\)\)/false/' let 'a state: what says'
	fault store/goes_on 's/set\[OPT_JSON\] == NULL/true/' let 'a state: what says'
	fault store/is_fixed 's/\(id \|\| o/(o/' let 'a state: what says'
	fault store/same_zones 's/i < ZONES/i < 1/' zone 'state: other rules'
	fault job/dp_options_dashed 's/o->given.OPT_LOG_FORMAT. \|\| //' \
	    cut '--log, --log-format: who'
	fault job/dp_options_dashed 's/f->outer->dash/false/' cut '--log, --log-format: who'
}

@test "fold: another value of 1:3 costs less than all of a user" {
	fault explain/part_words 's/fmax\(1, (.*)\) : 2/\1 : 2/' people '--explain of --each-user'
}

@test "let: a number that is made stands where it is made; a zone is looked for in it" {
	fault input/number_behind 's/origin\(e, e->value\.field\.number\)/e->value.field.number/' \
	    let 'a number that is made'
	fault input/holds_number 's/origin\(e, e->value\.field\.number\)/e->value.field.number/' \
	    let 'a number that is made'
}

@test "plainly: what a user's events were; what an event with a public time was" {
	fault explain/protected 's/times \? .*$/0 ? "" :/' dpplot 'a plain sentence'
	fault explain/protected 's/within && strcmp/false \&\& strcmp/' \
	    dpplot 'a plain sentence'
}

@test "run: what a sum has beyond a word is lost" {
	faulty_tools run/dp_carry_pay 's/\+= UNIT \* c->n/+= 0/' dpcount \
	    "a bucket's sum is exact" dpcount
}

@test "let: the whole match for its group, a line's field that stays, a port of IPv6, /64 of IPv4" {
	faulty_tools input/grouped 's/m->record\.field\[m->group\] :/m->record.text :/' let \
	    'in every format' dpcount
	faulty_tools input/grouped 's/hit == 1 \&\& //' let 'in every format' dpwindow
	faulty_tools input/host 's/ \|\| memchr.*== NULL \? h : s;/ ? h : h;/' let 'pages, hosts' \
	    dpdistinct
	faulty_tools input/net 's/m->bits\[family != AF_INET\]\);$/m->bits[1]);/' let \
	    'pages, hosts' dpdistinct
	faulty_tools input/domain \
	    's/\(h\.p, .@., h\.n\)/(h.p, 0, h.n)/' let \
	    'pages, hosts' dpdistinct
}
