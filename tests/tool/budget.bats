# SPDX-License-Identifier: ISC
# The ledger of a data set's budget: what is charged, refused, and left behind by crashes.
load ../lib/helper
load ../lib/dying

# A ledger L of a total, and input; other options follow.
ledger() {
	rm -f L L[.-]* s s.lock
	dpbudget --init --total="$@" L
}

# spent: charges and their sum, as a database's own shell sees them
spent() {
	sqlite3 "${1:-L}" "select printf('%d %g', count(*), total(epsilon)) from charge"
}

# field NAME: of --show
field() {
	dpbudget --show "${2:-L}" | sed -n "s/^$1  *//p"
}

@test "ten runs of a tenth are one; the eleventh is refused, and draws nothing" {
	printf '1\n0\n1\n' >in
	ledger 1
	for i in 1 2 3 4 5 6 7 8 9 10; do
		dpcount -e 0.1 -T 9 --budget=L in >out
		[ "$(wc -l <out)" -eq 3 ]
	done
	fails 4 dpcount -q -e 0.1 -T 9 --budget=L in
	[ -z "$output" ]
	[ "$stderr" = "dpcount: L: the budget does not allow this run; left: 0 of epsilon 1 (basic \
composition); this run asks for 0.1; dpbudget --show lists who spent" ]
	fails 4 dpcount -e 1e-12 -T 9 --budget=L in
	[ "$(sqlite3 L 'select count(*) from charge')" = 10 ]
	[ "$(field left)" = 'epsilon 0, delta 0' ]
	ledger 1
	for i in 1 2 3; do
		dpcount -e 1/3 -T 9 --budget=L in >out
	done
	fails 4 dpcount -e 1e-12 -T 9 --budget=L in
}

@test "delta is debited, too" {
	echo 1 >in
	ledger 10,1e-6
	for i in 1 2; do
		dpcount -e 1 -d 4e-7 -T 9 -M tree --budget=L in >out
	done
	fails 4 dpcount -e 1 -d 4e-7 -T 9 -M tree --budget=L in
	[[ $stderr == *'left: 8 of epsilon 10, 0.0000002 of delta 0.000001 (basic composition);'* ]]
	[[ $stderr == *'; this run asks for 1, 0.0000004; dpbudget --show lists who spent' ]]
	dpcount -e 1 -d 2e-7 -T 9 -M tree --budget=L in >out
	[ "$(field left)" = 'epsilon 7, delta 0' ]
	ledger 10
	fails 4 dpcount -e 1 -d 1e-12 -T 9 -M tree --budget=L in
}

@test "who, when, what, on which data: a database that its own shell reads" {
	echo "it's" >in
	ledger 9
	dpcount -e 1 -T 9 -m "it's" --budget=L:'web log' in >out
	dpwindow -e 1/3 -w 3 --budget=./L in >out
	sqlite3 L 'select n, label, epsilon, delta, unit, tool, command from charge' |
	    diff - <(cat <<-'E'
		1|web log|1|0|event|dpcount|dpcount -e 1 -T 9 -m 'it'\''s' '--budget=L:web log' in
		2||1/3|0|event|dpwindow|dpwindow -e 1/3 -w 3 --budget=./L in
	E
	)
	[ "$(sqlite3 L 'select distinct user, host from charge')" = "$(id -un)|$(uname -n)" ]
	[[ $(sqlite3 L 'select min(time) from charge') =~ ^20..-..-..T..:..:..Z$ ]]
	[[ $(sqlite3 L 'select protects from charge where n = 1') == *"one line's event"* ]]
	[ "$(stat -c %a L)" = 600 ]
	dpbudget --show L >shown
	grep -xF 'spent        epsilon 4/3, delta 0 (basic composition)' shown
	grep -xF 'left         epsilon 23/3, delta 0' shown
	grep -xF "$(printf 'web log\t1\t1\t0')" shown
	grep -xF -- "$(printf -- '-\t1\t1/3\t0')" shown
	grep -qF "$(printf '2\t-\t1/3\t0\tdpwindow')" <(cut -f 1,3-6 shown)
}

@test "a run that cannot have its buckets is not charged" {
	unsanitized "a sanitizer takes more memory"
	ledger 9
	: >in
	set -- dpcount -e 1 --budget=L -t 1 --time-format=epoch --bucket=1s --from=1700000000 in
	(ulimit -v 60000; fails 1 "$@" --to=1706800000 && [ "$stderr" = 'dpcount: out of memory' ])
	[ "$(spent)" = '0 0' ]
	# all else has its memory
	(ulimit -v 60000; "$@" --to=1700000009 >out)
	[ "$(spent)" = '1 1' ]
}

@test "every filter takes it" {
	printf '1 0\n0 1\n' >two
	printf '1\n0\n' >in
	printf 'a\n1\n' >A
	ledger 99 --unit=event
	dpcount -e 1 -T 9 --budget=L in
	dpwindow -e 1 -w 2 --budget=L in
	dpdecay -e 1 -a .5 --budget=L in
	dpmaxsum -e 1 -T 9 --columns=2 --budget=L two
	dpexperts -e 1 -T 9 --columns=2 --budget=L two
	dplocal -e 1 --domain=0,1 --budget=L in
	dpproject -e 1 --queries=A --budget=L in
	[ "$(spent)" = '7 7' ]
	fails 5 dpdistinct -e 1 -T 9 --budget=L in
	fails 5 dptransform -e 1 -T 9 --sensitivity=1 --changes=1 --budget=L in
	fails 5 dpexperts -e 1 -T 9 --columns=2 --protect=cost --budget=L two
	fails 5 dpcount -e 1 -T 9 -u 1 -c 1 --budget=L in
	[ "$(spent)" = '7 7' ]
	ledger 99 --unit=user
	dpdistinct -e 1 -T 9 --budget=L in
	dpcount -e 1 -T 9 -u 1 -c 1 --budget=L in
	[ "$(spent)" = '2 2' ]
	ledger 99
	dptransform -e 1 -T 9 --sensitivity=1 --changes=1 --budget=L in
	[ "$(field unit)" = answer ]
	fails 5 dpcount -e 1 -T 9 --budget=L in
	[[ $stderr == *'protects one event, and the ledger is for one answer'* ]]
}

@test "a day and a month of a user are no sum" {
	local by='-u 2 -t 1 --time-format=epoch --from=2024-05-01 --to=2024-06-01 --budget=L'
	local day='-c 1/step --bucket=1d' month='-c 1/step --bucket=1mo'

	echo '1714521600 u' >in
	ledger 9
	# shellcheck disable=SC2086
	{
		dpcount -e 1 $by $day in
		dpcount -e 1 $by ${day/1d/24h} in
		fails 5 dpcount -e 1 $by $month in
		fails 5 dpcount -e 1 $by $day --tz=Europe/Berlin in
		fails 5 dpcount -e 1 $by ${day/1d/1h} in
		fails 5 dpcount -e 1 $by ${day%/step*} --bucket=1d in
	}
	[ "$(spent)" = '2 2' ]
	[ "$(field unit)" = user-step/1d ]
	# the unit has one spelling: as --total takes it
	# shellcheck disable=SC2086
	fails 5 dpcount -e 1 $by ${day/1d/1h} in
	# shellcheck disable=SC2154
	[[ $stderr == *"protects one user-step/1h, and the ledger is for one user-step/1d;"* ]]
	[[ $stderr == *"a ledger made with --total='user-step/1h:E', among others"* ]]
	[[ $(dpbudget --show L) != *86400* ]]
	ledger 9 --unit='user-step/1mo Europe/Berlin'
	# shellcheck disable=SC2086
	{
		fails 5 dpcount -e 1 $by $month in
		dpcount -e 1 $by $month --tz=Europe/Berlin in
	}
	[ "$(spent)" = '1 1' ]
	for u in user-step user-step/ user-step/x 'user-step/ 1d'; do
		rm -f L*
		fails 2 dpbudget --init --total=1 --unit="$u" L
	done
}

@test "what releases nothing is not charged; what has no price is refused" {
	echo 1 >in
	ledger 1
	dpcount -e 1 -T 9 --budget=L --explain >out
	dpcount --budget=L --help >out
	dpcount --budget=L --check in >out 2>err
	fails 2 dpcount -e inf -T 9 --budget=L in
	fails 2 dpcount -e 1 -T 9 --seed=1 --budget=L in
	fails 2 dpcount -e 1 -T 9 --expire=gradual:1 --budget=L in
	fails 2 dpcount -e 1 -T 9 --expire=3 --budget=L in
	fails 2 dplocal -e 1 --domain=0,1 --estimate --budget=L in
	# what would have been refused without a ledger costs nothing either
	fails 3 dpcount -e 1 -T 9 --budget=L nosuch
	fails 3 dpcount -e 1 -T 9 --budget=L .
	fails 2 dpcount -e 1 -T 9 -M nosuch --budget=L in
	fails 2 dpcount -e 1 -T 9 --budget=L: in
	fails 2 dpcount -e 1 -T 9 --budget=:x in
	fails 2 dpcount -e 1 -T 9 --budget= in
	fails 2 dpcount -e 1 -T 9 --budget=L:"$(printf 'x%.0s' {1..65})" in
	fails 2 dpcount -e 1 -T 9 --budget=L:$'a\tb' in
	fails 2 dpcount -e 1 -T 9 --budget=L --budget=L in
	[ "$(spent)" = '0 0' ]
}

@test "a state is charged when it is made, and only then" {
	seq 3 >in
	ledger 1
	dpcount -e 1 -T 99 --state=s --init --batch=1 --budget=L in >a
	for i in 1 2; do
		dpcount --state=s --batch=1 --budget=L in | diff a -
	done
	dpcount --state=s --batch=2 --budget=L in >out
	dpcount --state=s --batch=3 in >out
	[ "$(spent)" = '1 1' ]
	dpcount --state=s --state-show | grep -x "budget $(sqlite3 L 'select id from ledger') 1"
	# a state that is there already costs nothing
	fails 5 dpcount -e 1 -T 99 --state=s --init --budget=L in
	[[ $stderr == *'exists already'* ]]
	# one that was not charged is not passed off as one that was
	dpcount -e 1 -T 99 --state=t --init in >out
	fails 5 dpcount --state=t --budget=L in
	[[ $stderr == 'dpcount: t: the state file was not charged to L when it was made; '* ]]
	mv L M
	mv L.witness M.witness
	ledger 1
	fails 5 dpcount --state=s --budget=L in
	dpcount --state=t in >out
}

@test "zCDP: small runs, when there are many of them" {
	echo 1 >in
	ledger 4,1e-5
	for i in $(seq 41); do
		dpcount -e 0.1 -T 9 --budget=L in
	done >out
	[ "$(field composition)" = zCDP ]
	dpbudget --show L >shown
	grep -qE '^spent +epsilon [23]\.[0-9]+, delta 5e-06 \(zCDP composition\)' shown
	grep -qF 'epsilon 4.1, delta 0 (basic' <(dpbudget --show L)
	left=$(field left | sed 's/epsilon \(.*\), .*/\1/')
	more=$(awk -v x="$left" 'BEGIN { printf "%.6f", x + 3e-6 }')
	fails 4 dpcount -e "$more" -T 9 --budget=L in
	[[ $stderr == *"left: $left of epsilon 4, 0.000005 of delta 0.00001 (zCDP composition);"* ]]
	dpcount -e "$left" -T 9 --budget=L in
	# without delta there is none
	ledger 4
	for i in $(seq 40); do
		dpcount -e 0.1 -T 9 --budget=L in
	done >out
	fails 4 dpcount -e 0.1 -T 9 --budget=L in
}

@test "dpbudget --init: what is there already is named once" {
	ledger 1
	fails 5 dpbudget --init --total=1 L
	[[ $stderr = 'dpbudget: L: exists already; another ledger would be another budget '* ]]
	rm L
	: >L-wal
	fails 5 dpbudget --init --total=1 L
	[[ $stderr == 'dpbudget: L: L-wal exists already; '* ]]
}

@test "dpbudget: what is asked for, and what is malformed" {
	for t in '' 0 -1 x inf 1,1 1,2 1,-1 1,x , 1, ,1 1,0.5,1 1/0; do
		fails 2 dpbudget --init --total="$t" L
		[[ $stderr == *--total* ]]
		[ ! -e L ] && [ ! -e L.witness ]
	done
	fails 2 dpbudget
	fails 2 dpbudget --init L
	fails 2 dpbudget --init --total=1
	fails 2 dpbudget --init --total=1 L M
	fails 2 dpbudget --init --show L
	fails 2 dpbudget --show --total=1 L
	fails 2 dpbudget --close --unit=user L
	fails 2 dpbudget --init --total=1 --unit=nosuch L
	fails 2 dpbudget --init --total=1 ''
	fails 2 dpbudget --init --total=1 nosuch/L
	fails 2 dpbudget --init --total=1 "$(printf 'x%.0s' {1..250})"
	fails 2 dpbudget --nosuch L
	fails 2 dpbudget --help=nosuch
	fails 5 dpbudget --show L
	fails 5 dpbudget --close L
	[ ! -e L ]
	ledger 1
	fails 5 dpbudget --init --total=1 L
	rm L
	fails 5 dpbudget --init --total=1 L
	[[ $stderr == *'already holds something'* ]]
	rm L.witness
	: >L-journal
	fails 5 dpbudget --init --total=1 L
	rm L-journal
	fails 1 sh -c 'dpbudget --help >/dev/full'
	# names that are SQLite's own elsewhere
	dpbudget --init --total=1 :memory:
	dpbudget --init --total=1 file:x
	[ -s :memory: ] && [ -s file:x ]
}

@test "closed: no more" {
	echo 1 >in
	ledger 2
	dpcount -e 1 -T 9 --budget=L in
	dpbudget --close L
	fails 4 dpcount -e 1 -T 9 --budget=L in
	[[ $stderr == *'closed on 20'* ]]
	fails 4 dpbudget --close L
	[ "$(field left)" = 'epsilon 0, delta 0' ]
	[[ $(field closed) == 20* ]]
}

# refused STATUS TEXT: a charge of L, which stays as it is
refused() {
	cp L before
	fails "$1" dpcount -e 1 -T 9 --budget=L in
	[[ $stderr == "dpcount: "*"$2"* ]] || { echo "$stderr"; return 1; }
	[ -z "$output" ]
	cmp before L
}

@test "no ledger, or not one that can be charged" {
	echo 1 >in
	fails 5 dpcount -e 1 -T 9 --budget=L in
	[[ $stderr == *'no such ledger; dpbudget --init makes one'* ]]
	fails 2 dpcount -e 1 -T 9 --budget=nosuch/L in
	fails 2 dpcount -e 1 -T 9 --budget=in/L in
	fails 5 dpcount -e 1 -T 9 --budget=. in
	umask 077
	: >L
	refused 5 'not a budget ledger'
	seq 9999 >L
	refused 5 'not a budget ledger'
	rm L
	sqlite3 L 'create table t(x)'
	refused 5 'not a budget ledger'
	rm L
	sqlite3 L 'pragma application_id = 1685091700; pragma user_version = 3; create table t(x)'
	refused 5 'another format'
	rm L
	sqlite3 L 'pragma application_id = 1685091700; pragma user_version = 1; create table t(x)'
	refused 5 damaged
	rm L
	mkfifo L
	fails 5 dpcount -e 1 -T 9 --budget=L in
	fails 5 dpbudget --show L
	rm L
	ledger 9
	mv L M
	ln -s M L
	fails 2 dpcount -e 1 -T 9 --budget=L in
	rm L
	ln M L
	refused 5 'has 2 names'
	rm M
	chmod 640 L
	refused 5 'others may read or change it'
	chmod 600 L
	dpcount -e 1 -T 9 --budget=L in
}

@test "damaged, or changed by other hands" {
	echo 1 >in
	ledger 9
	for i in 1 2 3; do
		dpcount -e 1 -T 9 --budget=L in >out
	done
	cat L >whole
	for sql in "update charge set epsilon = '0.1' where n = 2" \
	    'delete from charge where n = 2' 'delete from charge where n = 3' \
	    'delete from charge' "update ledger set epsilon = '99'" \
	    "update ledger set generation = 1" "update charge set seal = ''" \
	    'update ledger set unit = null' 'delete from ledger' \
	    'insert into ledger select id || 1, epsilon, delta, unit, created, closed, witness,
	        inode, born, generation, seal from ledger' \
	    "insert into charge select 4, epsilon, delta, rho, time, label, unit, protects, user,
	        host, tool, mechanism, command, seal from charge where n = 3" \
	    'drop table charge' 'alter table charge add column x text' \
	    "update charge set epsilon = 'x' where n = 1"; do
		cat whole >L
		sqlite3 L "$sql"
		refused 5 damaged
		fails 5 dpbudget --show L
	done
	for n in 0 100 4096 8192 12000; do
		cat whole >L
		truncate -s $n L
		refused 5 ''
	done
	for at in 20 100 4100 12300; do
		cat whole >L
		head -c 600 /dev/zero | tr '\0' x | dd of=L bs=1 seek=$at conv=notrunc 2>/dev/null
		refused 5 ''
	done
	# a trigger of somebody's own does not run
	cat whole >L
	sqlite3 L 'create trigger t after insert on charge begin delete from charge; end'
	dpcount -e 1 -T 9 --budget=L in >out
	[ "$(spent)" = '4 4' ]
	# nor does another journal mode stay
	sqlite3 L 'pragma journal_mode = wal' >out
	dpcount -e 1 -T 9 --budget=L in >out
	[ "$(sqlite3 L 'pragma journal_mode')" = delete ]
	[ "$(spent)" = '5 5' ]
}

# reseal: seals of L as whoever changes it by hand could compute them
reseal() {
	local before='' n row

	for n in $(sqlite3 L 'select n from charge order by n'); do
		before=$(seal_of "$before" "select * from charge where n = $n")
		sqlite3 L "update charge set seal = '$before' where n = $n"
	done
	sqlite3 L "update ledger set seal = '$(seal_of "$before" 'select * from ledger')'"
}

# seal_of BEFORE SELECT: BLAKE2b-256 of it and of all fields but the last, each behind its length
seal_of() {
	{
		printf %s "$1"
		sqlite3 -cmd '.mode quote' L "$2" | perl -ne 'chomp; @f = ();
		    while (s/^(?:\x27((?:[^\x27]|\x27\x27)*)\x27|(NULL)|([^,]*))(?:,|$)//) {
			last if !defined $1 && !defined $2 && $3 eq "";
			($t = $1 // $3 // undef); $t =~ s/\x27\x27/\x27/g if defined $t;
			push @f, $t }
		    pop @f; print defined $_ ? pack("Q<", length $_) . $_ : pack("q<", -1) for @f'
	} | b2sum -l 256 | cut -d ' ' -f 1
}

@test "--show, and refusals: no escape sequence of a ledger reaches the terminal" {
	echo 1 >in
	ledger 9
	dpcount -e 1 -T 9 --budget=L:plain in >out
	# by the tool: a name that a sentence or the command has
	dpcount -e 1 -T 9 -H -u $'a\e[31m\tb\xc2\x9bc\x9b' -c 1 --budget=L \
	    <<<$'a\e[31m\tb\xc2\x9bc\x9b' >out 2>err || :
	dpcount -e 1 -T 9 -m $'\e]0;x\a\x9b31m' --budget=L in >out
	dpcount -e 1 -T 9 -m 'größe' --budget=L in >out
	# by other hands, with seals
	for f in label user host tool mechanism command protects time; do
		sqlite3 L "update charge set $f = 'x' || char(27, 91, 51, 49, 109, 155) ||
		    cast(x'9b' as text) where n = 1"
	done
	sqlite3 L "update ledger set unit = 'event' || char(27, 7), closed = char(27) || 'now'"
	reseal
	dpbudget --show L >shown
	[ "$(LC_ALL=C tr -d '\n\t -~' <shown | LC_ALL=C tr -d "$(printf 'öß')" | wc -c)" = 0 ]
	grep -qF 'größe' shown
	grep -qF 'x?[31m??' shown
	fails 4 dpcount -e 1 -T 9 --budget=L in
	[[ $stderr == *'closed on ?now'* ]]
}

@test "--show: labels in the order in which they came, whatever they are, with their sums" {
	ledger 999
	echo 1 >in
	for l in b a '' b c a b; do
		dpcount -e 1 -T 9 --budget=L${l:+:$l} in >out
	done
	dpbudget --show L | sed -n '/^label/,/^$/p' |
	    diff - <(printf '%s\n' label,charges,epsilon,delta b,3,3,0 a,2,2,0 -,1,1,0 c,1,1,0 '' |
	    tr , '\t')
	[[ $(dpbudget --show L | tail -n 1) == 1,2,3,4,5,6,7$'\t'* ]]
}

@test "copies and backups: a new file, in place, with its witness" {
	echo 1 >in
	ledger 9
	dpcount -e 1 -T 9 --budget=L in >out
	cp L copy
	cp L.witness copy.witness
	fails 5 dpcount -e 1 -T 9 --budget=copy in
	[[ $stderr == *'a copy or a restored backup'*'use the file that was charged last'* ]]
	# for a look it will do
	[ "$(field charges copy)" = 1 ]
	for i in 2 3; do
		dpcount -e 1 -T 9 --budget=L in >out
	done
	cp L now
	cat copy >L
	refused 5 'rolled back: generation 2, but the witness has seen 4'
	cat now >L
	cp copy.witness L.witness
	refused 5 'has seen generation 2, but the state is at 4'
	rm L.witness
	refused 5 'the witness is not there'
	cat now >L
	printf '%s %020d\n' "$(sqlite3 L 'select id from ledger')" 4 >L.witness
	dpcount -e 1 -T 9 --budget=L in >out
	# renamed, it is itself
	mv L M
	mv L.witness M.witness
	dpcount -e 1 -T 9 --budget=M in >out
	[ "$(spent M)" = '5 5' ]
	# on another volume the witness sees both go back
	mkdir other
	dpbudget --init --total=9 --witness=other/w N
	cat N >copy
	mkdir elsewhere
	for i in 1 2; do
		(cd elsewhere && dpcount -e 1 -T 9 --budget=../N ../in)
	done
	cat copy >N
	fails 5 dpcount -e 1 -T 9 --budget=N in
	[[ $stderr == *'rolled back'* ]]
}

# uncharged STATUS COMMAND ...: refused, and L has no charge
uncharged() {
	fails "$@"
	[ -z "$output" ]
	[ "$(spent)" = '0 0' ] || { echo "charged: ${*:2}"; return 1; }
}

@test "--init: what is refused for a file, its name or its lock is not charged" {
	echo 1 >in
	ledger 9
	set -- dpcount -e 1 -T 9 --budget=L --init in
	uncharged 2 "$@" --state=nosuch/s
	for end in tmp lock old0 tab1; do
		uncharged 2 "$@" --state=s.$end
	done
	uncharged 2 "$@" --state=in/s
	uncharged 2 "$@" --state="$(printf 'x%.0s' {1..252})"
	echo 1 >full
	uncharged 5 "$@" --state=s --out=full
	uncharged 5 "$@" --state=s --witness=full
	uncharged 2 "$@" --state=s --out=nosuch/o
	uncharged 2 "$@" --state=s --witness=nosuch/w
	uncharged 2 "$@" --state=s --out=s.lock
	uncharged 2 "$@" --state=s --out=w --witness=w
	mkfifo p
	uncharged 2 "$@" --state=s --out=p
	[ ! -e s ]
	for f in s.lock o w; do
		rm -f o w
		: >$f
		flock -F $f sleep 600 3>&- &
		pids+=($!)
		until_true sh -c "! flock -n $f true"
		uncharged 75 "$@" --state=s --out=o --witness=w
		kill "${pids[-1]}"
		wait "${pids[-1]}" || :
	done
	[ ! -e s ]
	"$@" --state=s --out=o --witness=w
	[ "$(spent)" = '1 1' ]
}

@test "input that is none is not charged: directories, headers, partial counts" {
	ledger 99
	printf 'a b\n1 2\n' >in
	printf 'a c\n1 2\n' >other
	mkdir d
	printf 's\n' >secret
	for state in '' '--state=s --init'; do
		# shellcheck disable=SC2086
		set -- dpcount -e 1 -T 9 -q --budget=L $state
		uncharged 3 "$@" nosuch
		uncharged 3 "$@" d
		uncharged 3 "$@" in d
		uncharged 3 "$@" <.
		uncharged 3 "$@" in - <.
		uncharged 3 "$@" 0>>in
		uncharged 3 "$@" in.gz
		uncharged 1 "$@" /proc/self/mem
		uncharged 1 "$@" in /proc/self/mem
		uncharged 1 "$@" in - </proc/self/mem
		[ "$(id -u)" = 0 ] || {
			chmod 0 secret
			uncharged 3 "$@" secret
		}
		# by a file, standard input, a pipe, the second of two
		uncharged 2 "$@" -H -v b -r 0:1 other
		[[ $stderr == "dpcount: other: the header has no field 'b'"* ]]
		uncharged 2 "$@" -H -v b -r 0:1 <other
		uncharged 2 "$@" -H -v b -r 0:1 <(cat other)
		uncharged 2 "$@" -H -v b -r 0:1 in other
		uncharged 2 "$@" -H -v b -r 0:1 in - <other
		uncharged 2 "$@" -H -v b -r 0:1 <(cat in) other
		range=(--bucket=1h --from=2026-05-01 --to=2026-05-02)
		dpmap "${range[@]}" -t 1 --time-format=epoch --shard=a /dev/null >a 2>err
		dpmap "${range[@]}" -t 1 --time-format=epoch --shard=b -v 2 -r 0:2 /dev/null \
		    >b 2>err
		# shellcheck disable=SC2086
		set -- dpcount -e 1 -q --budget=L $state ${state:+-T 99} "${range[@]}" --partial
		uncharged 3 "$@" in
		uncharged 3 "$@" <in
		uncharged 3 "$@" <(cat in)
		uncharged 3 "$@" a b
		uncharged 2 "$@" a a
		cp a again
		uncharged 3 "$@" a again
		uncharged 3 "$@" <(cat a) b
		uncharged 3 "$@" <(cat b)
		uncharged 3 "$@" /dev/null
		uncharged 3 "$@" <(:)
		head -c -2 a >cut
		uncharged 3 "$@" cut
		[ ! -e s ] && [ ! -e s.lock ]
	done
}

@test "what was looked at beforehand is read once, and a charge is for good" {
	ledger 99
	printf 'a b\n1 2\n3 1\n' >in
	set -- dpcount -e 1000 -r 0:9 --budget=L -H -v b
	rm -f L*
	dpbudget --init --total=99999 L
	cp in too
	[ "$("$@" in too | tail -n 1)" = 6 ]
	[ "$("$@" in - <too | tail -n 1)" = 6 ]
	[ "$("$@" <(cat in) in <(cat in) | tail -n 1)" = 9 ]
	# what is behind a header is data: no charge is given back for it
	fails 3 dpcount -e 1000 -r 0:9 --budget=L -H -v b --strict <<<$'a b\n1 x'
	[ "$(spent)" = '4 4000' ]
	range=(--bucket=1h --from=2026-05-01 --to=2026-05-02)
	for s in a b; do
		echo 1777611600 | dpmap "${range[@]}" -t 1 --time-format=epoch --shard=$s - >$s \
		    2>err
	done
	set -- dpcount -e 1000 --budget=L "${range[@]}" --partial
	[ "$("$@" a b | tail -n 1 | cut -f 2)" = 2 ]
	[ "$(cat a b | "$@" | tail -n 1 | cut -f 2)" = 2 ]
	[ "$("$@" <(cat a) b | tail -n 1 | cut -f 2)" = 2 ]
	[ "$("$@" b - <a | tail -n 1 | cut -f 2)" = 2 ]
	"$@" -T 99 --state=s --init --batch=1 <(cat a) b >first
	dpcount --state=s --batch=1 "${range[@]}" <(cat a) b 2>err | cmp first -
	[ "$(spent)" = '9 9000' ]
}

@test "--init: of twenty at once one is made, and one is charged" {
	echo 1 >in
	ledger 99
	for i in $(seq 20); do
		{
			s=0
			dpcount -e 1 -T 9 --state=s --init --budget=L in >out.$i 2>err.$i 3>&- ||
			    s=$?
			echo $s >status.$i
		} &
		pids+=($!)
	done
	wait "${pids[@]}"
	[ "$(cat status.* | grep -cx 0)" = 1 ]
	[ "$(cat status.* | grep -cx -e 5 -e 75)" = 19 ]
	[ "$(cat out.* | wc -l)" = 1 ]
	[ "$(spent)" = '1 1' ]
	dpcount --state=s --budget=L in
}

@test "twenty at once: each is charged, or says what is left" {
	echo 1 >in
	ledger 1.5
	for i in $(seq 20); do
		{
			# 75: so many at once may be slow for longer than one waits
			for ((s = 75; s == 75; )); do
				s=0
				dpcount -e 0.1 -T 9 --budget=L in >out.$i 2>err.$i 3>&- || s=$?
			done
			echo $s >status.$i
		} &
		pids+=($!)
	done
	wait "${pids[@]}"
	[ "$(cat status.* | grep -cx 0)" = 15 ]
	[ "$(cat status.* | grep -cx 4)" = 5 ]
	[ "$(cat out.* | wc -l)" = 15 ]
	[ "$(sqlite3 L 'select count(*) from charge')" = 15 ]
	# two ledgers of one name, at once
	for i in 1 2 3 4; do
		{ dpbudget --init --total=1 M 2>/dev/null 3>&- && echo; } >made.$i &
		pids+=($!)
	done
	wait "${pids[@]}" || :
	[ "$(cat made.* | wc -l)" = 1 ]
	dpcount -e 1 -T 9 --budget=M in
}

@test "locked for long: 75, by another run or another program" {
	echo 1 >in
	ledger 9
	flock -F L.witness sleep 600 3>&- &
	pids+=($!)
	pid=$!
	until_true sh -c '! flock -n L.witness true'
	refused 75 'in use by another run for 5 s'
	kill $pid
	mkfifo hold
	sqlite3 L <hold >out 3>&- &
	pids+=($!)
	exec 8>hold
	echo 'begin immediate; select 1;' >&8
	until_true test -s out
	refused 75 'locked by another program for 5 s'
	[ "$(field charges)" = 0 ]
	exec 8>&-
	wait "${pids[-1]}"
	dpcount -e 1 -T 9 --budget=L in
}

@test "a full disk, a limit, a place that cannot be written: nothing is drawn" {
	echo 1 >in
	ledger 9
	cp L before
	run -1 --separate-stderr bash -c 'ulimit -f 1
		exec timeout 60 dpcount -e 1 -T 9 --budget=L in'
	[[ $stderr == *"File too large; nothing was released"* ]]
	[ -z "$output" ]
	[ "$(spent)" = '0 0' ]
	fails 1 bash -c 'ulimit -f 1; exec timeout 60 dpbudget --init --total=1 M'
	[ ! -e M ]
	dpbudget --init --total=1 M
	[ "$(id -u)" != 0 ] || skip 'root may write everywhere'
	chmod 400 L
	refused 2 'cannot be written'
}

@test "a disk that is full, of the state: nothing is charged; nor if it has no room for a commit" {
	[ "$(id -u)" = 0 ] || skip 'only root can mount'
	echo 1 >in
	ledger 9
	mkdir disk
	unshare -m true 2>/dev/null || skip 'no mount here'
	# what dd leaves is less than a page; then one page, which is a state's
	unshare -m bash -e -c 'mount -t tmpfs -o size=64k tmpfs disk
		charges() { sqlite3 L "select count(*) from charge"; }
		dd if=/dev/zero of=disk/page bs=4k count=1 2>/dev/null
		dd if=/dev/zero of=disk/fill bs=4k 2>/dev/null || :
		for full in 1 2; do
			status=0
			dpcount -e 1 -T 9 --budget=L --state=disk/s --init in >out 2>err ||
			    status=$?
			[ $status = 1 ] && [ ! -s out ] && [ "$(charges)" = 0 ]
			grep -q "disk/s: No space left on device" err
			[ ! -e disk/s ] && [ ! -e disk/s.tmp ]
			rm -f disk/page
		done
		rm disk/fill
		dd if=/dev/zero of=disk/fill bs=4k count=14 2>/dev/null
		dpcount -e 1 -T 9 --budget=L --state=disk/s --init in >out
		[ "$(wc -l <out)" = 1 ] && [ "$(charges)" = 1 ]'
}

@test "a disk that is full" {
	[ "$(id -u)" = 0 ] || skip 'only root can mount'
	echo 1 >in
	mkdir disk
	unshare -m true 2>/dev/null || skip 'no mount here'
	unshare -m bash -e -c 'mount -t tmpfs -o size=64k tmpfs disk
		dpbudget --init --total=9 disk/L
		dd if=/dev/zero of=disk/fill bs=4k 2>/dev/null || :
		status=0
		dpcount -e 1 -T 9 --budget=disk/L in >out 2>err || status=$?
		[ $status = 1 ] && [ ! -s out ] && grep -q "nothing was released" err
		rm disk/fill
		[ "$(sqlite3 disk/L "select count(*) from charge")" = 0 ]
		dpcount -e 1 -T 9 --budget=disk/L in >out
		[ "$(sqlite3 disk/L "select count(*) from charge")" = 1 ]
		mount -o remount,ro disk
		status=0
		dpcount -e 1 -T 9 --budget=disk/L in >out 2>err || status=$?
		[ $status = 1 ] && [ ! -s out ]
		dpbudget --show disk/L | grep -x "charges      1"'
}

@test "no SQLite to load: said, with nothing printed and nothing charged" {
	unsanitized "a sanitizer's library comes first"
	cat >no.c <<-'END'
		#include <stddef.h>
		void *dlopen(const char *file, int mode) { return NULL; }
		char *dlerror(void) { return "none is here"; }
	END
	${CC:-cc} -shared -fPIC -w -o no.so no.c
	ledger 1
	echo 1 >in
	LD_PRELOAD=$PWD/no.so refused 1 'L: needs SQLite: none is here'
	for args in '--show L' '--init --total=1 M'; do
		# shellcheck disable=SC2086
		fails 1 env LD_PRELOAD="$PWD/no.so" dpbudget $args
		[[ $stderr == *': needs SQLite: none is here'* ]]
	done
	[ ! -e M ]
	dpbudget --init --total=1 M
	dpcount -e 1 -T 9 --budget=L in | wc -l | grep -x 1
}

# Every release has its debit: at any moment no more runs have printed than were charged, and the
# ledger goes on.
# dies_everywhere ARG ...: a run of dpcount with them that charges L, which has nothing spent
dies_everywhere() {
	printed=0 last=0
	for how in before after full error; do
		for ((n = 1; n < 200; n++)); do
			status=0
			dying $how $n dpcount "$@" --budget=L in >out 2>err || status=$?
			[ -s reached ] || { last=$((last + 1)); cat err; break; }
			[ ! -s out ] || printed=$((printed + 1))
			case $how in
			before | after) [ $status -eq 137 ] ;;
			*) [ $status -eq 1 ] || [ $status -eq 0 ] ;;
			esac || { echo "$how $n: status $status"; cat err; return 1; }
			sqlite3 L 'select count(*) from charge' >charged
			read -r charged <charged
			# at most one for this run, none is lost, and none is printed for nothing
			[ "$charged" -ge "$last" ] && [ "$charged" -le $((last + 1)) ] &&
			    { [ ! -s out ] || [ "$charged" -eq $((last + 1)) ]; } || {
				echo "$how $n: printed $(wc -l <out), charged $last then $charged"
				return 1
			}
			last=$charged
		done
		[ "$n" -gt 12 ] || { echo "$how: only $n effects"; return 1; }
	done
	[ "$printed" -le "$last" ]
	echo "$last charged, $printed printed"
	# and the next run charges as if nothing had been
	dpcount "$@" --budget=L in
	[ "$(sqlite3 L 'select count(*) from charge')" -eq $((last + 1)) ]
	dpbudget --show L >shown
	[ "$(awk '$1 == "charges" { print $2; exit }' shown)" -eq $((last + 1)) ]
	[ "$(awk '$1 == "spent" { print $3 + 0; exit }' shown)" -eq $((last + 1)) ]
}

@test "killed, or failing, at every effect: what was printed was charged" {
	preload
	echo 1 >in
	ledger 999
	dies_everywhere -e 1 -T 9
}

@test "killed, or failing, at every effect: of a ledger of several totals, by time" {
	preload
	echo 1 >in
	rm -f L*
	dpbudget --init --total=event:999 --total=user:1 --by-time L
	dies_everywhere -e 1 -T 9
}

# charges: how many there are, into $charges
charges() {
	local name value

	charges=
	dpbudget --show L >charges
	while read -r name value; do
		[ "$name" != charges ] || charges=$value
	done <charges
}

@test "killed, or failing, where a checkpoint is written, and on the next run" {
	preload
	echo 1 >in
	"$DP_BUILD/tests/bench/bench_ledger" 64
	for before in 64 65; do
		cat L >whole
		cat L.witness >seen
		for how in before after full error; do
			for ((n = 1; n < 200; n++)); do
				[ ! -e L-journal ] || rm L-journal
				cat whole >L
				copied seen L.witness
				dying $how $n dpcount -q -e 1 -T 9 --budget=L in >out 2>err || :
				[ -s reached ] || break
				# it is charged, or has printed nothing; the next one is charged
				dpcount -q -e 1 -T 9 --budget=L in >again
				charges
				{ [ ! -s out ] && [ "$charges" = $((before + 1)) ]; } ||
				    [ "$charges" = $((before + 2)) ] ||
				    { echo "$how $n: charged $charges"; return 1; }
			done
			[ "$n" -gt 12 ] || { echo "$how: only $n effects"; return 1; }
		done
	done
	[ "$(sqlite3 L 'select n from checkpoint')" = 64 ]
}

# merge ARG ...: the command that is queued again, whatever became of it
merge() {
	[ -e s ] || set -- "$@" --init
	"${dying[@]}" dpcount -q -e 1 -T 9 --once --state=s --budget=L --batch=1 --partial "$@" part
}

@test "killed, or failing, as it makes its state, and again as it goes on: charged once" {
	preload
	echo 1 | dpmap -q --once --shard=1 -m . >part
	ledger 9999
	states=0 went=0 charged=0
	for how in before after full error; do
		for ((n = 1; n < 100; n++)); do
			rm -f s s.*
			dying=(dying "$how" $n) && merge >a 2>err || :
			[ -s reached ] || { charged=$((charged + 1)); break; }
			# no charge is without its state, nothing is printed without both
			made=$(spent)
			if [ ! -e s ]; then
				[ ! -s a ] && [ "$made" = "$charged $charged" ] ||
				    { echo "$how $n: $made, $charged before"; cat a err; return 1; }
			else
				states=$((states + 1))
				dying=(dying "$how" $((states % 31 + 1))) && merge >b 2>err || :
				[ ! -s reached ] || went=$((went + 1))
				[ ! -s a ] && [ ! -s b ] ||
				    [ "$(spent)" = "$((charged + 1)) $((charged + 1))" ]
			fi
			dying=() && merge >c
			charged=$((charged + 1))
			[ "$(spent)" = "$charged $charged" ]
			for out in a b; do
				[ ! -s $out ] || cmp $out c
			done
			: >b
		done
		[ "$n" -gt 30 ] || { echo "$how: only $n effects"; return 1; }
	done
	[ "$states" -gt 40 ] && [ "$went" -gt 20 ] || { echo "$states $went"; return 1; }
}

@test "a state that may not be paid for: goes on with its ledger alone, which has it once" {
	preload
	echo 1 | dpmap -q --once --shard=1 -m . >part
	ledger 2
	for ((n = 1; n < 100; n++)); do		# the last effect before the charge is there
		rm -f s s.*
		dying=(dying before $n) && merge >a 2>err || :
		[ "$(spent)" = '0 0' ] || break
	done
	ledger 2
	dying=(dying before $((n - 1))) && merge >a 2>err || :
	[ "$(spent)" = '0 0' ]
	dpcount --state=s --state-show | grep -x 'budget [0-9a-f]* 1 owed'
	fails 5 dpcount -q --state=s --batch=1 part
	[[ $stderr == *'give --budget=LEDGER, that one; what is there is not charged again' ]]
	dpbudget --init --total=2 M
	fails 5 dpcount -q --state=s --batch=1 --budget=M part
	[[ $stderr == *'owes its charge to another ledger, which may have it: give that one' ]]
	# another run takes the place of its charge, and a second one what is left
	dpcount -e 1 -T 9 --budget=L <<<1 >other
	dpcount -e 1 -T 9 --budget=L <<<1 >other
	dying=() && fails 4 merge
	[[ $stderr == *'does not allow this run'* ]]
	[ "$(spent)" = '2 2' ] && [ ! -s a ]
	dpcount --state=s --state-show | grep -x 'budget [0-9a-f]* 1 owed'
	# and where it was charged no closing of the ledger keeps it from going on
	ledger 1
	dying=(dying before $n) && merge >a 2>err || :
	dpbudget --close L
	dying=()
	merge >b
	merge >c
	cmp b c
	[ "$(spent)" = '1 1' ]
	dpcount --state=s --state-show | grep -x 'budget [0-9a-f]* 1'
}

@test "killed at random: what was printed was charged" {
	echo 1 >in
	ledger 9999
	for i in $(seq 60); do
		killed_after 0.00$((i % 10))$((i * 7 % 10)) dpcount -e 1 -T 9 --budget=L in >>out \
		    2>/dev/null || :
	done
	[ "$(wc -l <out)" -le "$(sqlite3 L 'select count(*) from charge')" ]
	dpcount -e 1 -T 9 --budget=L in
}

@test "killed at every effect of --init: a ledger that is whole, or none" {
	preload
	for how in before after full error; do
		for ((n = 1; n < 100; n++)); do
			rm -f L L.*
			dying $how $n dpbudget --init --total=1 L 2>err || :
			[ -s reached ] || break
			if [ -e L ]; then
				fails 5 dpbudget --init --total=1 L
			else
				dpbudget --init --total=1 L
			fi
			dpcount -e 1 -T 9 --budget=L <<<1 >out
			fails 4 dpcount -e 1 -T 9 --budget=L <<<1
		done
		[ "$n" -gt 8 ] || { echo "$how: only $n effects"; return 1; }
	done
}

# log DAYS: a request on each of the first days of May 2026, of one client
log() {
	for ((d = 1; d <= $1; d++)); do
		printf '192.0.2.7 - - [%02d/May/2026:07:30:00 +0000] "GET /p HTTP/1.1" 200 5\n' $d
	done
}

# left UNIT: what --show says is left of L for it
left() {
	dpbudget --show L | awk -v unit="$1" '$1 == "unit" { on = $2 " " $3 == unit || $2 == unit }
	    on && $1 == "left" { sub(/,$/, "", $3); print $3 }'
}

@test "totals of several units: each run debits its own, and the others are as they were" {
	log 3 >log
	dpbudget --init --total=event:1 --total=user:2,1/1000 --total='user-step/1d:1/2' L
	days='--log=combined --bucket=1d --from=2026-05-01 --to=2026-05-04'
	# shellcheck disable=SC2086
	{
		dpwindow -e 3/4 -w 1 $days --budget=L:requests log
		dpdistinct -e 2 --once --log=combined -v host --budget=L:visitors log
		dpcount -e 1/4 -u host -c 1/step $days --budget=L log
	} >printed
	[ "$(left event) $(left user) $(left user-step/1d)" = '0.25 0 0.25' ]
	fails 4 dpdistinct -e .1 --once --log=combined -v host --budget=L log
	[[ $stderr == *'L: the budget of one user does not allow this run; left: '* ]]
	fails 5 dptransform -e .1 -T 3 --sensitivity=1 --changes=1 --distance=1 --budget=L log
	[[ $stderr == *'one answer, and the ledger is for one event, one user or one user-step'* ]]
	dpbudget --show L >shown
	grep -F $'requests\tevent\t1\t0.75\t0' shown
	grep -F $'visitors\tuser\t1\t2\t0' shown
	grep -F 'Each total is of its own unit alone' shown
	[ "$(sqlite3 L "select count(*) from charge where unit = 'user'")" -eq 1 ]
	# changed by other hands
	cp L copy
	for sql in "update total set epsilon = '9' where unit = 'event'" \
	    'delete from total where n = 2' 'update total set by_time = 1' \
	    'update charge set start = 7 where n = 2' \
	    "update total set unit = 'number' where n = 3"; do
		cat copy >L
		sqlite3 L "$sql"
		fails 5 dpbudget --show L
		fails 5 dpcount -e .1 -T 3 --budget=L log
	done
	cat copy >L
	dpbudget --close L
	fails 4 dpcount -e .1 -T 3 --budget=L log
}

@test "--by-time: disjoint buckets cost the most of them, of one event" {
	log 9 >log
	rm -f L*
	dpbudget --init --total=event:1 --total=user:1 --by-time L
	run_on() {
		dpwindow -w 1 --bucket=1d --from=2026-05-0"$1" --to=2026-05-0"$2" --budget=L \
		    "${@:3}" log
	}
	run_on 1 4 -e .6 --log=combined >out
	run_on 4 7 -e .8 --log=combined >out
	run_on 7 8 -e 1 --log=combined >out
	[ "$(left event)" = 0 ]
	fails 4 run_on 7 9 -e .1 --log=combined
	# days 3 and 4 are in one run each already, with .6 and .8
	fails 4 run_on 3 5 -e .3 --log=combined
	run_on 3 5 -e .2 --log=combined >out
	fails 4 run_on 4 5 -e .1 --log=combined
	run_on 1 3 -e .4 --log=combined >out
	run_on 5 6 -e .2 --log=combined >out
	fails 4 run_on 5 6 -e 1/1000 --log=combined
	# read in another way, or without times: it may be the same event
	fails 4 run_on 8 9 -e .1 --log=common
	# this day begins after all others have ended
	fails 4 dpwindow -e .1 -w 1 --bucket=1d --from=2026-05-09 --to=2026-05-10 --budget=L \
	    --log=combined --tz=Europe/Berlin log
	fails 4 run_on 8 9 -e .1 -t 4 --time-format=clf
	fails 4 dpcount -e .1 -T 10 --budget=L log
	fails 4 dpcount -e .1 -T 10 --budget=L --state=s --init --log=combined --bucket=1d \
	    --from=2026-05-08 --to=2026-05-09 log
	run_on 8 9 -e .1 --log=combined --where=status~2 -v size -r 0:9 >out
	# a user is there on many days
	run_on 1 2 -e .6 --log=combined -u host -c 1 >out 2>err
	fails 4 run_on 2 3 -e .6 --log=combined -u host -c 1
	run_on 2 3 -e .4 --log=combined -u host -c 1 >out 2>err
	[ "$(left user)" = 0 ]
	dpbudget --show L | grep -F '2026-05-01T00:00:00Z'
	# of a ledger that does not say so all adds up
	rm -f L*
	dpbudget --init --total=event:1 L
	run_on 1 4 -e .6 --log=combined >out
	fails 4 run_on 4 7 -e .6 --log=combined
}

@test "--by-time: a user's steps; times without a year, partial counts, a number beside the time" {
	log 9 >log
	on_day() {
		"$2" -e 1 --bucket=1d --from=2026-05-0"$1" --to=2026-05-0$(($1 + 1)) --budget=L \
		    "${@:3}"
	}
	rm -f L*
	dpbudget --init --total=user-step/1d:1 --by-time L
	on_day 1 dpcount --log=combined -u host -c 1/step log >out
	on_day 2 dpcount --log=combined -u host -c 1/step log >out
	fails 4 on_day 2 dpcount --log=combined -u host -c 1/step log
	# a part of a bucket is all of it
	fails 4 dpcount -e 1 -q --bucket=1d --from=2026-05-02T12:00 --to=2026-05-04 --budget=L \
	    --log=combined -u host -c 1/step log
	for how in 'syslog' 'partial' 'number'; do
		rm -f L*
		dpbudget --init --total=event:1 --by-time L
		case $how in
		syslog)
			set -- dpcount --log=syslog log
			;;
		partial)
			for ((d = 1; d <= 2; d++)); do
				dpmap --bucket=1d --from=2026-05-0$d --to=2026-05-0$((d + 1)) \
				    --log=combined log >part.$d 2>err
			done
			on_day 1 dpcount --partial part.1 >out
			fails 4 on_day 2 dpcount --partial part.2
			continue
			;;
		number)
			printf '2026-05-01 1\n' >numbers
			on_day 1 dpcount -t 1 --time-format=iso numbers >out
			set -- dpcount -t 1 --time-format=iso -v 2 -r 0:1 numbers
			;;
		esac
		[ $how = number ] || on_day 1 "$@" >out
		fails 4 on_day 2 "$@"
	done
	fails 2 dpbudget --init --total=1 --by-time M
	fails 2 dpbudget --init --total=user:1 --by-time M
	fails 2 dpbudget --init --total=1 --total=user:1 M
	fails 2 dpbudget --init --total=user:1 --total=user:2 M
	fails 2 dpbudget --init --total=usr:1 M
	fails 2 dpbudget --init --total=user:1 --unit=user M
	fails 2 dpbudget --show --by-time L
	[ ! -e M ]
}

@test "--explain says what is debited" {
	dpcount -e 1 -T 3 --budget=L --explain |
	    grep -F -- 'is debited for one event, and adds up with all other runs that protect one'
	days='--log=combined --bucket=1d --from=2026-05-01 --to=2026-05-04'
	# shellcheck disable=SC2086
	dpwindow -e 1 -w 1 $days --budget=L --explain |
	    grep -F -- 'for the buckets from 2026-05-01T00:00:00Z to 2026-05-04T00:00:00Z alone'
	# shellcheck disable=SC2086
	dpwindow -e 1 -w 1 $days --budget=L -u host -c 2 --explain |
	    grep -F -- 'for one user, and adds up'
}

@test "--by-time: runs that make the time of other fields, or read it in another zone, are summed" {
	printf 'a,2026-05-01,2026-05-02\n' >in
	dpbudget --init --total=event:9 --by-time b
	run_of() {
		dpcount -e 1 '--cut=^(?<k>[^,]+),(?<x>[^,]+),(?<y>[^,]+)' --time-format=iso \
		    --bucket=1d --budget=b --from="$1" --to="$2" "${@:3}" in >out
	}
	run_of 2026-05-01 2026-05-02 -t t --let='t=x~(.*)'
	run_of 2026-05-02 2026-05-03 -t t --let='t=x~(.*)'
	dpbudget --show b | grep 'spent  *epsilon 1,'
	# the event has another time there
	run_of 2026-05-03 2026-05-04 -t t --let='t=y~(.*)'
	dpbudget --show b | grep 'spent  *epsilon 2,'
	run_of 2026-05-04 2026-05-05 -t x
	run_of 2026-05-05 2026-05-06 -t x --tz-in=Asia/Tokyo
	dpbudget --show b | grep 'spent  *epsilon 4,'
	dpcount -e 1 --log-format='$k,$time_iso8601,$y' --bucket=1d --budget=b --from=2026-05-06 \
	    --to=2026-05-07 in >out
	dpcount -e 1 --log-format='$k,$x,$time_iso8601' --bucket=1d --budget=b --from=2026-05-07 \
	    --to=2026-05-08 in >out
	dpbudget --show b | grep 'spent  *epsilon 6,'
}

@test "--by-time: runs that take other fields behind a time for numbers are summed" {
	# +0800 is the zone of the time, unless it is a weight, or a value: a day later
	printf '5 2026-05-02T03:30:00 +0800 k\n' >in
	local read=(-t 2 --time-format=iso --bucket=1d)
	mean=(dpmean "${read[@]}" -v 1 -r 0:9)
	spent() {	# EPSILON UNIT COMMAND ... // COMMAND ...: on May 1, and on May 2
		rm -f b b.witness
		dpbudget --init --total="$2:9" --by-time b
		local run=()
		for a in "${@:3}" //; do
			[ "$a" = // ] || { run+=("$a"); continue; }
			"${run[@]}" -q -e 1 --budget=b --from=2026-05-0$day \
			    --to=2026-05-0$((++day)) in >out
			run=()
		done
		dpbudget --show b | grep "spent  *epsilon $1,"
	}
	day=1 spent 1 event "${mean[@]}" // "${mean[@]}"
	day=1 spent 2 event "${mean[@]}" // "${mean[@]}" --weight=3:1000
	mean=(dpmean "${read[@]}" -r 0:9 --weight=1:9)
	day=1 spent 2 event "${mean[@]}" --of=4 // "${mean[@]}" --of=3
	day=1 spent 2 user-step/1d dpcount "${read[@]}" -v 3 -r 0:900 -u 3 -c 1/step // \
	    dpdistinct "${read[@]}" -v 3 -k 4 --keys=k -w 1 -c 1/step
	day=1 spent 1 user-step/1d dpcount "${read[@]}" -v 3 -r 0:900 -u 3 -c 1/step // \
	    dpwindow -w 1 "${read[@]}" -v 3 -r 0:90 -u 3 -c 1/step
}
