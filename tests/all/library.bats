# SPDX-License-Identifier: ISC
# libdputils: what it exports, that it is the tools' engine, its examples, no memory, no leak.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

setup_file() {
	[ -e "$DP_BUILD/libdputils.so.1" ] || skip 'a build without the library'
	cd "$BATS_FILE_TMPDIR"
	export CPATH=$TOP/lib/api LIBRARY_PATH=$DP_BUILD LD_LIBRARY_PATH=$DP_BUILD
	${CC:-cc} -std=c11 -O1 -g -Wall -Wextra -Werror -o library "$TOP/tests/lib/library.c" \
	    -ldputils
}

library() {
	"$BATS_FILE_TMPDIR/library" "$@"
}

# The numbers of a tool's lines, without a bucket's time
numbers() {
	"$@" 2>/dev/null | sed -E 's/^20[0-9T:Z-]+\t//'
}

@test "names and their versions are those of the list, and nothing else is exported or printed to" {
	sed -n '/^$/,$p' "$TOP/tests/data/libdputils.abi" | sed 1d >want
	nm -D --with-symbol-versions --defined-only "$DP_BUILD/libdputils.so.1" |
	    awk '{ print $3 }' | grep -v '^DPUTILS_1$' | sort >got
	diff want got
	# the header declares them all, in 150 lines, and no struct or variable
	grep -oE 'dputils_[a-z]+\(' "$TOP/lib/api/dputils.h" | tr -d '(' | sort -u >declared
	grep -oE '^dputils_[a-z]+' got >names
	grep -vxFf declared names && false
	[ "$(wc -l <"$TOP/lib/api/dputils.h")" -le 150 ]
	run ! grep -nE '^(extern [^"]|struct|union)|\{.*;' "$TOP/lib/api/dputils.h"
	for name in $(<names); do
		grep -q "^\.Fn $name\>\|^\.Fo $name$" "$TOP/man/dputils.3"
	done
	# of the C library it calls nothing that prints, ends the process, or looks around
	nm -D "$DP_BUILD/libdputils.so.1" | sed -n 's/.* U \([a-z_0-9]*\).*/\1/p' >calls
	prints='v?f?printf|v?dprintf|f?puts|fwrite|putchar|perror|stdout|stderr'
	looks='_?exit|abort|(secure_)?getenv|environ|setlocale|localeconv|s?rand(om)?'
	run ! grep -xE "_?_?($prints|$looks)(_chk)?" calls
	grep -qx clock_gettime calls	# of a charge
	# an archive's other names are its own
	[ -z "$(nm -g --defined-only "$DP_BUILD/libdputils.a" | awk 'NF == 3 { print $3 }' |
	    grep -v '^dputils_')" ]
}

@test "the header is C11 and C++, and a program can be linked with either library" {
	echo '#include <dputils.h>
	int main(void) { return dputils_version()[0] != 48; }' >a.c
	${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror -o a a.c -ldputils
	./a
	cp a.c a.cc
	${CXX:-c++} -Wall -Wextra -Wpedantic -Werror -o b a.cc -ldputils
	./b
	${CC:-cc} -o c a.c "$DP_BUILD/libdputils.a" -lsodium -ldl -lm
	env -u LD_LIBRARY_PATH ./c
}

# same JOB ... -- TOOL ...: both read the file in, and print the same
same() {
	local job=()

	while [ "$1" != -- ]; do
		job+=("$1")
		shift
	done
	shift
	library "${job[@]}" "${bound---bound=.95}" <"${lines-in}" >got
	numbers "$@" -q in >want
	[ -s want ]
	cmp got want || { echo "${job[*]}"; diff got want | head -n 5; return 1; }
	# the plan, but for whose it is
	library "${job[@]}" --explain=plan | grep -v '^tool ' >got
	numbers "$@" -q --explain=plan | grep -v '^tool ' >want
	diff got want
}

@test "lines: what a tool prints with a seed, byte for byte, and its plan" {
	integers 80 | awk '{ printf "%.2f\n", $1 % 1000 / 90 }' >in
	s=not-private-seed=3
	e=steps=events
	same count epsilon=1 horizon=100 range=0.00:10.00 $e $s -- \
	    dpcount -e 1 -T 100 -r 0.00:10.00 -B --seed=3
	same count epsilon=1/3 range=-2.0:10.0 $e $s --again -- \
	    dpcount -e 1/3 -r -2.0:10.0 -B --seed=3
	same window epsilon=1 window=3,7 horizon=100 delta=1e-6 range=0:9 $e $s --again -- \
	    dpwindow -e 1 -w 3,7 -T 100 -d 1e-6 -r 0:9 -B --seed=3
	bound=--bound=.9
	same decay epsilon=1/2 half-life=5 horizon=100 range=0:9 $e $s --again -- \
	    dpdecay -e 1/2 --half-life=5 -T 100 -r 0:9 -B.9 --seed=3
	unset bound
	same mean epsilon=3 range=0.0:10.0 horizon=90 statistic=mean,sd,variance,count,sum \
	    $e $s -- \
	    dpmean -e 3 -r 0.0:10.0 -T 90 --statistic=mean,sd,variance,count,sum -B --seed=3
	same mean epsilon=3 range=0:10 window=5,20 statistic=mean,sum horizon=90 $e $s -- \
	    dpmean -e 3 -r 0:10 -w 5,20 --statistic=mean,sum -T 90 -B --seed=3
	same mean epsilon=2 range=0:10 half-life=9 horizon=90 $e $s -- \
	    dpmean -e 2 -r 0:10 --half-life=9 -T 90 -B --seed=3
}

@test "sums of events: the same of buckets, keys and users, whose caps count the same events" {
	awk 'BEGIN { for (d = 1; d <= 20; d++) for (i = 0; i < d % 4 * 5; i++)
	    printf "2026-05-%02d,u%d,%.1f,%d\n", d, (i * 7 + d) % 5, (i * 31 + d) % 90 / 10,
	    i % 3 }' >in
	awk -F, 'BEGIN { d = 1 } { split($1, t, "-"); for (; d < t[3] + 0; d++) print "."
	    print $3, $4, $2 } END { for (; d <= 20; d++) print "." }' in >keyed
	awk 'NF > 1 { $2 = 0 } { print }' keyed >users
	awk '{ print $1 }' keyed >values
	o="--csv -t 1 --time-format=iso --bucket=1d --from=2026-05-01 --to=2026-05-21 --seed=9 -v 3"
	s="steps=sums epsilon=1 horizon=20 range=0.0:5.0 not-private-seed=9"
	# shellcheck disable=SC2086	# words
	{
		lines=values
		same count $s -- dpcount -e 1 $o -r 0.0:5.0 -B
		same mean $s window=1 -- dpmean -e 1 $o -r 0.0:5.0 -B
		lines=users
		same count $s per-user=3 --again -- dpcount -e 1 $o -r 0.0:5.0 -u 2 -c 3 -B
		same count $s per-user=2/step --again -- \
		    dpcount -e 1 $o -r 0.0:5.0 -u 2 -c 2/step -B
		lines=keyed
		same mean $s per-user=2 keys=3 window=1 -- \
		    dpmean -e 1 $o -r 0.0:5.0 -u 2 -c 2 -k 4 --keys=0,1,2 -B
	}
}

@test "without noise the sums are those of awk" {
	integers 300 | awk '{ print $1 % 2000 - 700 }' >in
	x=not-private-exact=yes
	library count $x range=-500:900 steps=events <in >got
	awk '{ v = $1 < -500 ? -500 : $1 > 900 ? 900 : $1; print s += v }' in | cmp - got
	library window $x range=-500:900 window=1,9 steps=events <in >got
	awk '{ v[NR] = $1 < -500 ? -500 : $1 > 900 ? 900 : $1; s += v[NR] - v[NR - 9]
	    printf "%d\t%d\n", v[NR], s }' in | cmp - got
	library mean $x range=0:900 statistic=mean,count steps=events <in >got
	awk '{ s += $1 < 0 ? 0 : $1 > 900 ? 900 : $1; printf "%.3f\t%d\n", s / NR, NR }' in >want
	awk '{ getline w <"want"; split(w, x, "\t"); d = $1 - x[1]
	    if (d * d > 1e-5 || $2 != x[2]) { print NR, $0, w; exit 1 } }' got
}

@test "dpaudit checks a handle's plan, and a ledger that tools share refuses what is too much" {
	library window epsilon=1 window=2,9 horizon=50 per-user=3 --explain=plan >plan
	dpaudit --check-plan=plan | grep -q 'holds'
	dpbudget --init --total=user:1 b
	library count epsilon=3/4 horizon=2 steps=events per-user=1 --ledger=b:mine <<<'1 0 u' >out
	[ -s out ]
	run -6 library count epsilon=1/2 horizon=2 steps=events per-user=1 --ledger=b:more \
	    <<<'1 0 u'
	[[ $output = *'would'* || $output = *left* ]]
	[ "$(dpbudget --show b | grep -c libdputils)" = 1 ]
	dpbudget --show b | grep -q 'mine.*3/4\|mine.*0.75'
	# who it was stands there as it does of a tool
	dpcount -q -e 1/100 -T 1 -u 2 -c 1 --budget=b:tool <<<'1 u' >out
	[ "$(sqlite3 b 'select count(distinct user || host) from charge')" = 1 ]
	# what is wrong with the file is told by errno
	run -7 library count epsilon=1 --ledger=none/b:x <<<1
	[[ $output = *'none/b: its directory: No such file'*': errno: No such file or directory' ]]
	run -7 library count epsilon=1 --ledger=none/:x <<<1
	[[ $output = *'does not end in a usable file name: errno: Invalid argument' ]]
}

@test "without memory, from any allocation on, a code says so; nothing is lost or read twice" {
	unsanitized "a sanitizer's library comes first"
	integers 20 | awk '{ print $1 % 9, $1 % 2, "u" $1 % 5; print "." }' >in
	${CC:-cc} -O1 -shared -fPIC -o fail.so "$TOP/tests/lib/nomem.c"
	for job in 'count' 'mean statistic=mean,sd'; do
		# shellcheck disable=SC2086	# words
		set -- ${job%% *} steps=sums ${job#count} epsilon=1 horizon=30 range=0:9 keys=2 \
		    per-user=3 not-private-seed=1 --bound=.9 --again
		[ "$1" = count ] || set -- mean steps=sums statistic=mean,sd "${@:5}"
		library "$@" <in >want
		slurp want <want
		for ((n = 1; n < 3000; n += 1 + n / 15)); do
			: >reached
			status=0
			FAIL=$n LD_PRELOAD=./fail.so library "$@" <in >got 2>err || status=$?
			[ -s reached ] || break
			[ $status = 4 ] || [ $status = 0 ] || { cat err; echo "$n"; false; }
			[[ $status = 0 || $(<err) = *'out of memory'* ]]
			slurp got <got && [[ $want = "$got"* ]]
		done
		[ "$n" -gt 20 ]
	done
}

@test "valgrind finds no error and no leak" {
	command -v valgrind >/dev/null || skip 'no valgrind'
	unsanitized 'a sanitizer looks itself'
	integers 12 | awk '{ print $1 % 9, $1 % 2, "u" $1 % 5; print "." }' >in
	for job in count 'window window=2,5' 'mean window=3'; do
		# shellcheck disable=SC2086	# words
		set -- ${job%% *} steps=sums epsilon=1 horizon=30 range=0:9 keys=2 per-user=2/step
		[ "${job#* }" = "$job" ] || set -- "$@" "${job#* }"
		valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=all \
		    "$BATS_FILE_TMPDIR/library" "$@" --bound=.9 --again <in >out 2>err || {
			cat err
			false
		}
	done
}

@test "two threads have a handle each, and a program's libsodium stays as it is" {
	cat >threads.c <<'END'
	#include <dputils.h>
	#include <pthread.h>
	#include <sodium.h>
	#include <stdio.h>
	#include <string.h>
	static void *work(void *arg) {
		dputils *h;
		char *text = arg;
		int i;
		for (i = 0; i < 20; i++) {
			if (dputils_new(&h, i % 2 ? "count" : "mean") != 0 ||
			    dputils_set(h, "epsilon", "1") != 0 ||
			    dputils_set(h, "range", "0:5") != 0 ||
			    dputils_set(h, "horizon", "50") != 0 ||
			    dputils_set(h, "not-private-seed", "4") != 0 || dputils_plan(h) != 0 ||
			    dputils_add(h, 1) != 0 || dputils_step(h) != 0 ||
			    (i % 2 && dputils_text(h, 0, text, 48) != 0))
				return NULL;
			dputils_free(h);
		}
		return text;
	}
	static const char *name(void) { return "mine"; }
	static uint32_t word(void) { return 7; }
	static void bytes(void *p, size_t n) { memset(p, 7, n); }
	int main(void) {
		struct randombytes_implementation mine = { name, word, NULL, NULL, bytes, NULL };
		pthread_attr_t small;
		pthread_t t[4];
		char text[4][48];
		dputils *h;
		void *end;
		int i;
		randombytes_set_implementation(&mine);
		pthread_attr_init(&small);
		pthread_attr_setstacksize(&small, 512 << 10);
		for (i = 0; i < 4; i++)
			if (pthread_create(&t[i], &small, work, text[i]) != 0)
				return 1;
		for (i = 0; i < 4; i++)
			if (pthread_join(t[i], &end) != 0 || end == NULL ||
			    strcmp(text[0], text[i]) != 0)
				return 2;
		if (dputils_new(&h, "count") != 0 || dputils_set(h, "epsilon", "1") != 0 ||
		    dputils_plan(h) != 0 || dputils_step(h) != 0)
			return 3;
		dputils_free(h);
		return strcmp(randombytes_implementation_name(), "mine") != 0 ||
		    randombytes_random() != 7;
	}
END
	${CC:-cc} -pthread -o threads threads.c -ldputils -lsodium
	./threads
}

@test "the C example goes on from run to run, and shows a step's number once" {
	${CC:-cc} -Wall -Wextra -Werror -o count "$TOP/man/examples/dputils-count.c" -ldputils
	bits 40 >in
	head -n 25 in | ./count state 1 100 >one
	tail -n 15 in | ./count state 1 100 >two
	[ "$(cut -f 1 one two | paste -s -d ' ')" = "$(seq -s ' ' 40)" ]
	awk '$3 > $2 || $2 > $4 { exit 1 }' one two
	[ "$(stat -c %a state)" = 600 ]
	# the last step's number is in the state, and a damaged one is refused
	sed 's/^step 40$/step 39/' state >broken
	run -1 ./count broken 1 100 <<<1
	[[ $output = *refused* ]]
}

@test "the Python example counts, and says what is wrong" {
	command -v python3 >/dev/null || skip 'no python3'
	export PYTHONDONTWRITEBYTECODE=1
	bits 30 >in
	{ cat in; echo nan; } | python3 "$TOP/man/examples/dputils.py" 1000000 100 >got
	{ running in; running in | tail -n 1; } | cmp - got
	cd "$TOP/man/examples"
	run -1 python3 dputils.py 0
	[[ $output = *"epsilon: '0' must be a decimal or a ratio above 0"* ]]
	python3 -c 'import dputils
h = dputils.Handle("mean", epsilon="1e6", range="0:9", window="1,3", per_user="2/step", horizon=9)
for x in [1, 2, 99]: h.add(x, user="a"); h.add(5.5, user="b")
a = h.step()
assert abs(float(a[0]) - 3.5) < .01 and a == h.__class__.step(h)[:0] + a, a
assert "(1000000, 0)-differentially private" in h.explain()'
}

@test "SQLite: a ledger is debited once an answer, no rows have an answer, GROUP BY has none" {
	command -v sqlite3 >/dev/null || skip 'no sqlite3'
	unsanitized 'sqlite3 loads no sanitizer'
	${CC:-cc} -Wall -Wextra -Werror -shared -fPIC -o dputils-sqlite.so \
	    "$TOP/man/examples/dputils-sqlite.c" -ldputils
	dpbudget --init --total=3000000 b
	sql() {
		sqlite3 t.db '.load ./dputils-sqlite' "select dp_ledger('b')" "$@" 2>err
	}
	sqlite3 t.db 'create table t(x, k)' "with recursive n(i) as (select 1 union all
	    select i + 1 from n where i < 500) insert into t select i % 100, i % 3 from n" \
	    "insert into t values(null, 1), ('abc', 0), (9e999, 0)"
	run ! sqlite3 t.db '.load ./dputils-sqlite' "select dp_count('1', dp_rows(x)) from t"
	sql "select dp_count('1e5', dp_rows(x)), dp_count('1e5', dp_rows(x) filter (where k = 1)),
	    dp_sum('1e5', 0, 50, dp_rows(x)), round(dp_mean('1e5', 0, 100, dp_rows(x)), 2),
	    dp_rows(x) is null from t" >got
	[ "$(tail -n 1 got)" = "502|167|18625|49.5|1" ]
	[ "$(dpbudget --show b | grep -c libdputils)" = 4 ]
	# an answer of no rows, charged as any other, is the noise of none
	sql "select dp_count('1/1', dp_rows(x)) from t where x > 1000" >got
	[[ $(tail -n 1 got) =~ ^-?[0-9]+$ ]]
	for query in "select k, dp_count('1', dp_rows(x)) from t group by k" \
	    "select dp_count('1', dp_rows(x)) from t having count(*) > 3" \
	    "select dp_count('1', dp_rows(x)) from t limit 1" \
	    "select dp_count('0', dp_rows(x)) from t" "select dp_count('1', x) from t" \
	    "select dp_sum('1', 5, 1, dp_rows(x)) from t" \
	    "select dp_count('1', dp_rows(x) over (order by x)) from t" \
	    "create view v as select dp_count('1', dp_rows(x)) from t; select * from v"; do
		! sql "$query" >got
		[ ! -s got ] || [ "$(<got)" = '' ]
		[ -s err ]
	done
	[ "$(dpbudget --show b | grep -c libdputils)" = 5 ]
	# each would be drawn, and paid, once a row; or what it costs is in the data
	for query in \
	    "select k, (select dp_count('1', dp_rows(x)) from t b where b.k = a.k) from t a" \
	    "select (SELECT \"dp_count\"('1', dp_rows(a.x))) from t a" \
	    "select dp_count('1', (select dp_rows(x) from t b where b.k = a.k)) from t a" \
	    "with s as (select dp_count('1', dp_rows(x)) c from t) select c from s, t" \
	    "select k from t where 5 < (/* ) */ select dp_sum('1', 0, 9, dp_rows(x)) from t)" \
	    "select dp_count(x, dp_rows(x)) from t" "select dp_count('1' || k, dp_rows(x)) from t" \
	    "select dp_sum('1', 0, max(x), dp_rows(x)) from t" \
	    "select dp_mean('1', -x, 5, dp_rows(x)) from t"; do
		! sql "$query" >got
		[ ! -s got ] || [ "$(<got)" = '' ]
		grep -q 'no answer in a subquery\|stand in the query' err
	done
	[ "$(dpbudget --show b | grep -c libdputils)" = 5 ]
	# words of these in texts, names and comments are none
	sql "select dp_sum('1/2', -5.0, +50, dp_rows(\"x\")) + 0 * (select 1) -- group by x
	    from (select x, k, 'having' as \"limit\" from t) where \"limit\" <> 'group by' and
	    k in (select k from t)" >got
	[ -s got ]
	[ "$(dpbudget --show b | grep -c libdputils)" = 6 ]
	! sql "select dp_count('2600000', dp_rows(x)) from t" >got
	grep -q 'total\|left' err
	[ "$(dpbudget --show b | grep -c libdputils)" = 6 ]
}

@test "awk that calls dpcount: the failed requests of a log" {
	awk 'BEGIN { for (i = 1; i <= 300; i++)
	    printf "192.0.2.1 - - [x y] \"GET / HTTP/1.1\" %d 1\n", i % 5 ? 200 : 404 }' >log
	awk -v epsilon=1000000 -v horizon=300 -f "$TOP/man/examples/dputils.awk" log >got
	[ "$(sed -n '1p;100p;300p' got | paste -s -d ' ')" = "0 20 60" ]
}
