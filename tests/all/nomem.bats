# SPDX-License-Identifier: ISC
# No memory, from any allocation on: the run ends with status 1 and a reason, nothing is printed
# twice or wrong, and a state goes on afterwards as if the run had not been.
load ../lib/helper

setup_file() {
	${CC:-cc} -O1 -shared -fPIC -o "$BATS_FILE_TMPDIR/fail.so" \
	    "$BATS_TEST_DIRNAME/../lib/nomem.c"
}

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
	pids=()
	unsanitized "a sanitizer's library comes first"
	PATH=$DP_BUILD/tests/toys:$PATH
	awk 'BEGIN { for (i = 1; i <= 30; i++)
	    printf "%d;k%d;%d\n", 1700000000 + 900 * i, i % 3, i % 2 }' >in
	awk '{ print $3 }' FS=';' OFS='\n' in >ones
	{ echo time,key,what; tr ';' ',' <in; } >in.csv
	printf 'k0\nk1\n' >keys
	printf '1\n.5\n.25\n' >weights
	awk '{ print NR % 4, NR % 3, 1 }' in >vector
}

# limited COMMAND ...: with the N-th allocation failing
limited() {
	FAIL=$n LD_PRELOAD=$BATS_FILE_TMPDIR/fail.so command "$@"
}

# ends COMMAND ...: whichever allocation fails, the command says so, and what it printed is the
# beginning of what it prints with memory.  A few are made by libraries that do without: then all
# of it is printed.
ends() {
	"$@" >want 2>/dev/null
	SWEEP=1 SEEN=$BATS_FILE_TMPDIR/seen LD_PRELOAD=$BATS_FILE_TMPDIR/fail.so command "$@" \
	    >result || {
		echo "$*"
		cat result
		return 1
	}
	echo "$(<result): $*"
}

# ends_anew COMMAND ...: the same, with a run for each allocation
ends_anew() {
	local n status line said want got refused=0

	"$@" >want 2>/dev/null
	slurp want <want
	for ((n = 1; n < 5000; n++)); do
		status=0
		: >reached
		limited "$@" >got 2>err || status=$?
		[ -s reached ] || break
		if [ $status -eq 1 ]; then
			refused=$((refused + 1))
			said=0
			while read -r line; do
				[[ $line != *@(out of memory|Cannot allocate memory)* ]] ||
				    said=$((said + 1))
			done <err
			[ $said -eq 1 ] && slurp got <got && [[ $want == "$got"* ]]
		else
			[ $status -eq 0 ] && cmp got want
		fi || {
			echo "allocation $n: status $status: $*"
			cat err
			return 1
		}
	done
	echo "$((n - 1)) allocations, $refused refused: $*"
	[ $refused -ge 3 ] && [ $refused -ge $(((n - 1) * 2 / 3)) ]
}

@test "no memory: lines, fields, patterns, keys, users" {
	ends dpmap --shard=a -F ';' -t 1 --time-format=epoch --bucket=1s --from=2023-11-14 \
	    --to=2023-11-27 in
	(umask 077 && echo 0123456789abcdef >key)
	ends dpmap --shard=a --once --identifiers --hash-key=key in
	dpmap --shard=a --once --identifiers --hash-key=key in >hashes
	# -P is dpdistinct's default: this keeps it from starting itself anew
	LD_BIND_NOW=1 ends dpdistinct -e 1 --seed=1 --once --partial --expect=1 hashes
	ends dpcount -e 1 -T 100 --seed=1 ones
	ends_anew dpcount -e 1000000 -P -T 100 ones
	ends dpcount -e 1 --seed=1 -M input -F ';' -v 3 -r 0:1 -B -k 2 --keys=@keys in
	ends dpcount -e 1 --seed=1 -M input -F ';' -u 2 -c 3 -o json -m 'k[01]' in
	ends dpcount -e 1 --seed=1 -M input --csv -H -k key --keys=k0,k1,k2 -o csv -n \
	    --monotone in.csv
	ends dpcount -e 1 --seed=1 -M input --csv -H -v what -r 0:1 in.csv
	ends dpcount -e 1 --seed=1 -M input -m k1 --fixed -i in
}

# named TOOL ARG ...: the commands of both batches, with a state that is not there yet
named() {
	states=$((states + 1))
	s=$PWD/state$states
	first=("$@" --state="$s" --out="$s.out" --init --batch=1)
	next=("$1" --state="$s" --out="$s.out" "${@: -1}")
}

# kept TOOL ARG ...: two batches with a state; in either of them each allocation fails once, and
# the run is repeated. At the end the output has the bytes of runs with memory: no step is lost,
# none is there twice.
kept() {
	local n calls batch status s want refused=0 first next

	export SEEN=$PWD/seen
	named "$@"
	LIST=1 LD_PRELOAD=$BATS_FILE_TMPDIR/fail.so command "${first[@]}" 2>err
	mapfile -t calls <calls
	calls+=(0)
	LIST=1 LD_PRELOAD=$BATS_FILE_TMPDIR/fail.so command "${next[@]}" --batch=2 2>err
	mapfile -t -O "${#calls[@]}" calls <calls
	want=$(<"$s.out")
	batch=1
	for n in "${calls[@]}"; do
		[ "$n" -gt 0 ] || {
			batch=2
			continue
		}
		named "$@"
		: >reached
		status=0
		if [ $batch = 1 ]; then
			limited "${first[@]}" 2>err || status=$?
		else
			command "${first[@]}" 2>err
			limited "${next[@]}" --batch=2 2>err || status=$?
		fi
		[ -s reached ]
		if [ $status -ne 0 ]; then
			[ $status -eq 1 ] && [[ $(<err) = *'out of memory'* ||
			    $(<err) = *'Cannot allocate memory'* ]] || {
				echo "batch $batch, allocation $n: status $status: $*"
				cat err
				return 1
			}
			refused=$((refused + 1))
			[ $batch = 2 ] || [ -e "$s" ] || command "${first[@]}" 2>err
		fi
		command "${next[@]}" --batch=$batch 2>err
		[ $batch = 2 ] || command "${next[@]}" --batch=2 2>err
		[ "$want" = "$(<"$s.out")" ] || {
			echo "batch $batch, allocation $n: $*"
			return 1
		}
	done
	echo "$refused refused: $*"
	[ $refused -ge 20 ]
}

@test "no memory: with a state each step is there once, whichever allocation fails" {
	local states=0

	kept dpcount -e 1 --seed=1 -M tree -T 64 -n ones
	# plans of norm trees are above
	kept dpcount -e 1 --seed=1 -M kary -T 64 -F ';' -k 2 --keys=k0,k1 -o csv in
	kept dpcount -e 1 --seed=1 -M input -F ';' -u 2 -c 9 -m k in
	kept dpdecay -e 1 --seed=1 --weights=weights -T 64 ones
	kept toyid -e 1 --seed=1 -T 100 vector
}

@test "no memory: buckets" {
	ends dpcount -e 1 --seed=1 -M input -F ';' -t 1 --time-format=epoch --bucket=1h \
	    --from=1700000000 --to=1700020000 in
	ends dpcount -e 1 --seed=1 -M input -F ';' -t 1 --time-format=epoch --bucket=1h \
	    --from=1700000000 --to=1700020000 -m k1 in
	ends dpcount -e 1 --seed=1 -M input -F ';' -t 1 --time-format=epoch --bucket=1h \
	    --public-times -k 2 --keys=k0 in
}

@test "no memory: rows and metrics, and what is debited" {
	ends dpcount -e 1 --seed=1 -M input -F ';' -k 2 --keys=@keys -T 64 -B -o long in
	ends dpcount -e 1 --seed=1 -M input -F ';' -k 2 --keys=@keys -T 64 -B -n -o prometheus in
	ends dptop -e 5 -d 1/10 --seed=1 --once -F ';' -k 2 -o prometheus in
	ends dpcount -e 1 -M input -F ';' -t 1 --time-format=epoch --bucket=1h --budget=none \
	    --from=1700000000 --to=1700020000 --explain in
}

@test "no memory: every mechanism" {
	local a m tool

	for tool in 'dpcount -T 100' dpcount 'dpcount -T 100 --expire=9' 'dpcount --expire=9' \
	    'dpcount --expire=gradual:1' \
	    'dpwindow -w 3,9' 'dpwindow -T 90 -w 9' 'dpdecay -a .5' 'dpdecay -T 90 --power=1' \
	        'dpdecay -T 90 --weights=weights' \
	    'dpmean -T 50 -r 0:9' 'dpquantile -T 50 -r 0:9' 'dpquantile -T 50 -r 0:69 -w 2' \
	    'dpcount -T 64 -P'; do
		# shellcheck disable=SC2086
		for m in $(command $tool -e 1000 -d 1e-6 --explain=json | jq -r \
		    '.eligible[].mechanism'); do
			case $tool in
			*-P)	ends_anew $tool -e 1000 -d 1e-6 -M "$m" ones ;;	# hardly noise
			*)	ends $tool -e 1 -d 1e-6 -M "$m" --seed=1 ones ;;
			esac
		done
	done
}

@test "no memory: vectors, identifiers, symbols" {
	printf 'a,b,"c d"\n1,0,0\n0,1,1\n' >named.csv
	ends toyvector -e 1 --seed=1 -T 100 -r 0:9 --columns=3 vector
	ends toyvector -e 1 --seed=1 -T 100 -F ';' -k 2 --keys=k0,k1 in
	ends toyvector -e 1 --seed=1 -T 100 --csv -H -r 0:9 --keys=what,time in.csv
	ends dpmaxsum -e 1 --seed=1 -T 100 --csv -H --select --columns=3 named.csv
	# the tree chooses between two counters
	ends dpmaxsum -e 1 -d 1e-6 --seed=1 -T 90 --columns=1 -M tree ones
	ends toyid -e 1 --seed=1 -T 100 vector
	ends toyid -e 1 --seed=1 -T 100 --keys=1,2 vector
	ends toysymbol -e 1 --seed=1 -T 100 --keys=1,2,3 ones
	ends dpquantile -e 1 --once -r 0:99 --quantile=.5,.9 -B --seed=1 ones
	ends dpquantile -e 1 --once --bins=0,5,9 --histogram --seed=1 ones
	ends dptop -e 1 -d 1e-3 --seed=1 --once -F ';' -k 2 --keys=k0 -B in
	ends dptop -e 1 -d 1e-3 --seed=1 -T 9 --running --once -n -o json ones
	ends dplocal -e 1 --seed=1 --domain=0,1,2 ones
	ends dplocal -e 1 --domain=0,1,2 -M rr --estimate --simplex -B -o csv ones
	ends toyend -e 1 --seed=1 -T 100 -r 0:9 --columns=3 vector
	ends toybefore -e 1 --seed=1 -T 100 -r 0:9 --columns=3 vector
	ends toyhalt -e 1 --seed=1 -T 100 -r 0:9 ones
}

@test "no memory: --explain" {
	ends dpcount -e 1 -T 66 --explain
	ends dpcount -e 1 -T 10 --explain=json -k 1 --keys=a,b
	ends dpwindow -e 1 -w 3,5 --explain
	ends dpdecay -e 1 --half-life=5 --explain=json
	ends toyvector -e 1 -T 100 -r 0:9 --columns=3 --explain
}

@test "no memory: a matrix of queries" {
	printf 'query,0,1\nx,1,0\ny,.5,1\n' >queries
	ends dpproject -e 1 --seed=1 --queries=queries ones
	ends dpproject -e 1 --queries=queries --explain
}
