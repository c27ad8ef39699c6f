# SPDX-License-Identifier: ISC
# A state file that someone changed, its checksum and lengths mended: each line that is missing,
# cut or not what it was is refused with status 5 and by its name; nothing is printed, nothing
# drawn, and the file stays as it is.
load ../lib/helper

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
	PATH=$DP_BUILD/tests/toys:$PATH
	pids=()
	awk 'BEGIN { for (i = 1; i <= 30; i++)
	    printf "%d;k%d;%d\n", 1700000000 + 900 * i, i % 3, i % 2 }' >in
	printf '1\n.5\n' >weights
	mkdir -p state
}

# edit SED-SCRIPT: of `whole` into s, which stays the same file, and `forged`
edit() {
	sed -E "$1" whole >edited
	sealed
}

# sealed: `edited` with the length and the checksum that it needs, into s and `forged`.  The shell
# does what needs no tool: this is called a thousand times.
sealed() {
	local line sum n=0 i b=0 end=0 last

	mapfile -t -O 1 line <edited
	for ((i = 1; i <= ${#line[@]}; i++)); do
		[[ $b -gt 0 || ! ${line[i]} =~ ^body\ [0-9]+$ ]] || b=$i
		[[ ${line[i]} != blake2b\ * ]] || end=$i
	done
	for ((last = end - 1; last > 1; last--)); do
		[[ -n ${line[last]} || ${line[last - 1]} == record\ * ]] || break
	done
	for ((i = b + 1; i < last; i++)); do
		n=$((n + ${#line[i]} + 1))
	done
	line[b]="body $n"
	[ $end -eq 0 ] || printf '%s\n' "${line[@]:1:end-1}" >forged
	[ $end -gt 0 ] || : >forged
	b2sum -l 256 <forged >sum
	read -r sum i <sum
	echo "blake2b $sum" >>forged
	text=$(<forged)
	printf '%s\n' "$text" >s
}

# made COMMAND ...: a state s, and `whole`, what it is
made() {
	rm -rf s s.lock
	"$@" --state=s --init in >/dev/null 2>&1
	text=$(<s)
	printf '%s\n' "$text" >whole
	cmp s whole
	tool=$1
	shift
	[ -n "${sealed-}" ] || {
		edit ''
		cmp s whole
		sealed=yes	# nothing else is wrong with what this test forges
	}
}

# refused WORD SED-SCRIPT [ARG ...]: 5, and the message has the word
refused() {
	local word=$1 script=$2 status=0

	shift 2
	edit "$script"
	! cmp -s forged whole || {
		echo "changes nothing: $script"
		return 1
	}
	"$tool" --state=s "$@" in >printed 2>err || status=$?
	[ $status -eq 5 ] && [ ! -s printed ] && cmp s forged &&
	    { [[ $(<err) == *"$word"* ]] || grep -q -- "$word" err; } || {
		echo "status $status: $script"
		cat err printed
		return 1
	}
}

# goes_on: with nothing forged the state is good
goes_on() {
	cat whole >s
	"$tool" --state=s in >/dev/null 2>&1
}

buckets() {
	made dpcount -e 1 -d 1e-6 --seed=1 -T 300 -F ';' -t 1 --time-format=epoch --bucket=1h \
	    --public-times -u 2 -c 9 -v 3 -r 0:1 -o csv
}

decayed() {
	made dpdecay -e 1 --weights=weights -T 100 -k 2 --keys=a,b,- -F ';'
}

@test "a line of the job is missing, or there is one too many" {
	buckets
	for k in tool version mechanism epsilon delta horizon range steps bucket live per-user \
	    user pan-private keys moves decimals; do
		refused "has no '$k'" "/^$k /d"
	done
	for k in input unit noise output end; do
		refused . "/^\\[$k\\]$/d"
	done
	refused 'has no numbers of the noise' '/^noise\./d'
	refused . '/^seed /d'
	refused "format 1 (of version" '/^dputils-job /d'
	refused 'has format 2, and this version reads 1' 's/^dputils-job 1/dputils-job 2/'
	refused "a line 'later' that this version does not know" 's/^moves/later 1\n&/'
	refused "a line 'set-later' that" 's/^set-time /set-later 1\n&/'
	refused "a line 'set-time' that" 's/^(set-time .*)/\1\n\1/'
	goes_on
	decayed
	refused "a line 'file-weights' that" '/^own-weights /d'
	refused "has no 'file-weights'" '/^file-weights /d'
	goes_on
	# a share of a curve that lets old events lose more than the file does
	printf '1\n2\n' >ages
	made dpcount -e 1 --ages=ages -M gradual -T 100 -F ';' -k 2 --keys=a,b,-
	refused "'curve.share' does not fit" 's/^(noise.curve.share) [0-9]+/\1 0x100000000/'
	goes_on
}

# The head of a state from before there were jobs in the place of its job.
@test "a state from before there were jobs goes on, and shows itself as a job" {
	local old scale task='0 0 0 0 cbf29ce484222325' order=807060504030201

	made dpcount -e 1 -d 1e-6 --seed=1 -T 90 -F ';' -t 1 --time-format=epoch --bucket=1h \
	    --public-times -u 2 -c 9 -v 3 -r 0:1 -o csv -M tree
	"$tool" -q --state=s in >want
	made dpcount -e 1 -d 1e-6 --seed=1 -T 90 -F ';' -t 1 --time-format=epoch --bucket=1h \
	    --public-times -u 2 -c 9 -v 3 -r 0:1 -o csv -M tree
	cp whole job
	scale=$(awk -F '[ /]' '$1 == "noise.scale" { printf "%x %x", $2, $3 }' job)
	old=$(printf '%s@' 'tool dpcount' 'format 2' 'version 0.2' 'mechanism tree' 'epsilon 1/1' \
	    'delta 1/1000000' 'horizon 90' 'range 0:1' 'steps times' 'bucket 3600' \
	    'lateness 0' 'per-user 9' 'user 2' 'pan-private 0' 'seeded 1' 'seed 1' 'keys -' \
	    'own-expire -' 'set-delimiter ;' 'set-value 3' 'set-time 1' \
	    'set-time-format epoch' 'set-public-times -' 'set-output csv' 'moves 9 81 1' \
	    'decimals 0' "params $task $scale $order 400 1 0")
	old=${old//@/\\n}
	edit "/^dputils-job /,/^\\[end\\]/d; s|^lineage |$old&|"
	# lines that say by which rules options are read, and a scale that is smaller by 2^-10
	cp s whole
	refused "has no 'times'" 's/^(set-time-format) .*/\1 iso/'
	refused "has no 'conditions'" 's/^set-delimiter/set-where 1>0\n&/'
	refused "has no 'own-expire'" '/^own-expire /d'
	refused "'scale' does not fit" "s/^params .*/params $task $(awk -F '[ /]' \
	    '$1 == "noise.scale" { printf "%x %x", $2 * 1023, $3 * 1024 }' job) $order 400 1 0/"
	cat whole >s
	run ! grep -q dputils-job s
	"$tool" --state=s --state-show | grep -x 'dputils-job 1'
	fails 5 "$tool" --state=s -e 2 in
	[[ $stderr == *"--epsilon differs from the state file's, which is 1/1"* ]]
	"$tool" -q --state=s in >got
	cmp want got
	# and is one from then on
	grep -qx 'dputils-job 1' s
	run ! grep -qE '^(format|params) ' s
}

# versions before had trees for windows and decays whose length did not depend on the horizon, as
# they are still where there is none
@test "a state of a version whose trees did not know the horizon goes on with its trees" {
	for a in 'dpdecay -e 1 -a .9999' 'dpdecay -e .01 -a .999' 'dpwindow -e 1 -w 31'; do
		rm -f s s.lock
		$a -M normtree --seed=1 --state=s --init in >/dev/null 2>&1
		cat s >whole
		$a -M normtree --seed=1 -T 61 -E | grep -q '^horizon  '
		edit 's/^horizon 0$/horizon 61/'
		cat in in >both
		$a -M normtree --seed=1 both 2>/dev/null | tail -n 30 >want
		"${a%% *}" --state=s in >got 2>err || { cat err; return 1; }
		cmp want got
		# it is the new horizon all the same
		status=0
		"${a%% *}" --state=s in >got 2>err || status=$?
		[ $status -eq 4 ] && [ "$(wc -l <got)" = 1 ]
	done
}

@test "a tree of a state that is longer than any is refused" {
	made dpdecay -e 1 -a .9999 -M normtree --seed=1 -T 300
	refused "'shape' is out of range" 's/^(noise\.shape) .*/\1 41/'
	refused "'shape' is out of range" 's/^(noise\.shape) .*/\1 0/'
	goes_on
}

@test "a line of the head is damaged" {
	buckets
	for k in horizon bucket live per-user pan-private seed decimals; do
		for v in x -1 1x 99999999999999999999 ' 1'; do
			refused "'$k' is damaged" "s/^$k .*/$k $v/"
		done
	done
	for k in epsilon delta; do
		for v in x 1 1/ /1 1/0 1/1x; do
			refused "'$k' is damaged" "s|^$k .*|$k $v|"
		done
	done
	for v in x 1 1: 2:1 0:1:2; do
		refused "'range' is damaged" "s/^range .*/range $v/"
	done
	for v in 0 65 99999 %5 %zz %00 %0g; do
		refused "'user' is damaged" "s/^user .*/user $v/"
	done
	refused "'steps' is damaged" 's/^steps .*/steps x/'
	refused "'steps' is damaged" 's/^steps .*/steps line/'
	refused "'mechanism' is damaged" 's/^mechanism .*/mechanism kary%/'
	refused "not the state file's" 's/^mechanism .*/mechanism nosuch/'
	refused 'belongs to dpcoun;' 's/^tool .*/tool dpcoun/'
	refused 'belongs to dpcounx;' 's/^tool .*/tool dpcounx/'
	for v in '1 81 1' '9 80 1' '9 81' '9 81 1 ' '9 81+ 1'; do
		refused 'counts for another amount' "s/^moves .*/moves $v/"
	done
	for v in '9 81 2' '10 81 1' '9 82 1'; do
		refused 'an earlier version charged more' "s/^moves .*/moves $v/"
	done
	made dpcount -e 1 --seed=1 -T 300 -F ';' -k 2 --keys=k1
	# as it was charged once
	refused 'an earlier version charged more' 's/^moves 1 1 1$/moves 2 4 2/'
	goes_on
	made dpcount -e 1 --seed=1 -T 300 -F ';' -u 2 -c 3 -v 3 -r -5:3
	refused 'an earlier version charged more' 's/^moves 15 225 1$/moves 24 576 1/'
	goes_on
	buckets
	for v in x ' 1' '1 x' 11112222333344445 '1  2'; do
		refused "damaged: 'column.outputs' has no" "s/^(noise.column.outputs) .*/\1 $v/"
		refused "'params' is damaged" "s/^noise\.column\.outputs .*/params $v/; /^noise\./d"
	done
	goes_on
}

@test "keys, own options and their files in the head" {
	decayed
	for v in a,b% a,%6 a,%zz a,%00; do
		refused "'keys' is damaged" "s/^keys .*/keys $v/"
	done
	for v in weights% weights%5 %00 %5g; do
		refused "'own-weights' is damaged" "s/^own-weights .*/own-weights $v/"
	done
	refused 'the weights file is not' 's/^(file-weights .).*/\1/'
	refused 'the weights file is not' 's/^(file-weights .*).$/\1x/'
	refused "'file-weights' is damaged" 's/^(file-weights) .*/\1 -/' --weights=weights
	refused 'keys differs' 's/^keys .*/keys a,b/' -k 2 --keys=a,b,-
	refused 'keys differs' 's/^keys .*/keys a,b,%2e/' -k 2 --keys=a,b,-
	edit '/^(own|file)-weights /d'
	fails 5 dpdecay --state=s --weights=weights in
	[[ $stderr == *'was not given when the state file was started'* ]]
	goes_on
}

@test "options that differ from the head, one at a time" {
	made toynumber -e 1 -T 100 --times=3/2 --word=ab --shout
	for a in --times=2 --word=abc; do
		fails 5 toynumber --state=s $a in
		[[ $stderr == *"${a%%=*} differs from the state file's"* ]]
	done
	refused 'shout was not given' '/^own-shout /d' --shout
	refused 'times differs' 's/^own-times .*/own-times x/' --times=3/2
	goes_on
	buckets
	for a in '-e 2' '-d 0' '-T 5' '--bucket=2h' '-c 8' '-u 1' '-u x' '--seed=2' '-M tree' \
	    '--live'; do
		# shellcheck disable=SC2086
		fails 5 dpcount --state=s $a in
	done
	fails 5 dpcount --state=s -P in
	goes_on
	made dpcount -e 1 -H -F ';' -u k1 -c 2
	fails 5 dpcount --state=s -u other in
	goes_on
}

@test "a line of the body is missing, or a number is damaged" {
	buckets
	for k in step since begun next done headed answered halted records input sums column \
	    printed generator users-key users; do
		refused "'$k' is damaged" "/^$k /d"
	done
	for k in step since begun done headed answered halted records users; do
		for v in '' ' ' ' x' ' -1' ' 99999999999999999999' 1 '  1'; do
			refused "'$k' is damaged" "s/^$k .*/$k$v/"
		done
	done
	refused "'step' is damaged" 's/^step .*/step 301/'
	refused "'end' is damaged" 's/^(users-key .*)/\1/; s/^users .*/users 0/'
	goes_on
}

@test "words of the body are damaged" {
	buckets
	for k in next input sums column printed generator users-key; do
		refused "'$k' is damaged" "s/^($k .*)./\\1/"
		refused "'$k' is damaged" "s/^($k .*)/\\1 0000000000000000/"
		refused "'$k' is damaged" "s/^($k .*)./\\1g/"
		refused "'$k' is damaged" "s/^($k .*)./\\1F/"
		refused "'$k' is damaged" "s/^($k .*)./\\1 /"
		refused "'$k' is damaged" "s/^($k) /\\1x/"
	done
	# words in which no column of this mechanism can be
	refused "'column' is damaged" '/^column /s/ [0-9a-f]{16}/ 7fffffffffffffff/g'
	goes_on
}

@test "users of the body are damaged" {
	buckets
	grep -c '^[0-9a-f]{16} [0-9a-f]{8} [0-9]' -E whole | grep -x 3
	refused 'is damaged' '/^users /s/.$/4/'
	# of an entry: count, name
	for s in 's/ [0-9]$/ 0/' 's/ [0-9]$/ 10/' 's/ [0-9]$//' 's/ [0-9]$/ x/' \
	    's/$/1234567890123/' \
	    's/^./x/' 's/ ./ x/' 's/^.//'; do
		refused "'users' is damaged" "/^[0-9a-f]{16} /$s"
	done
	refused "'end' is damaged" '/^users /s/.$/2/'
	goes_on
}

@test "users beside the state: the body tells of others" {
	awk 'BEGIN { for (i = 0; i < 2000; i++) print "u" i, 1 }' >in
	made dpcount -e 1 -T 9999 -u 1 -c 3 -v 2 -r 0:1
	grep -x 'users-beside 2000' whole
	for k in 2001 1999 x; do
		refused "'users-beside' is damaged" "s/^(users-beside).*/\\1 $k/"
	done
	refused "'users-beside' is damaged" '/^users-beside/d'
	refused 'is damaged' 's/^users-beside/users/'
	refused 'not in canonical form' 's/^table 32000/table 032000/'
	refused 's.tab0 is damaged' 's/^table 32000/table 31984/'
	refused 's.tab1 is not there' 's/^(table .*) file 0/\1 file 1/'
	refused "'users' is damaged" '/^table/,/^blake2b/d'
	[ ! -e s.tab0 ]		# nobody counted it then
}

@test "names of the body are damaged, or come twice, or are none" {
	made dptop -e 5 -d 1e-2 --seed=1 -T 300 -F ';' -t 1 --time-format=epoch --bucket=1h \
	    --public-times -k 2 --keys=k9,k1
	refused names 's/^names .*/names 1/'
	refused name 's/^names .*/names 5/'
	refused name 's/^begun k2/begun k0/'
	refused name 's/^begun k2/begun k1/'
	refused name 's/^begun k9/begun k8/'
	refused name 's/^begun k1/begun k3/'
	refused name 's/^begun k2/begun /'
	refused name 's/^begun k2/begun k%zz/'
	refused name "s/^begun k2/begun $(printf '%0256d' 0)/"
	refused column '/^begun k2/,/^column/s/^column ./column f/'
	refused column '/^begun k2/,/^column/s/^(column .{25}).{8}/\17000000f/'
	refused column '/^begun k2/,/^column/s/^(column .{17}).{8}/\170000000/'
	refused column '/^begun k2/,/^column/s/^(column .{34}).{8}/\17fffffff/'
	refused name '/^begun k0/s/begun/name/'
	refused open '/^open/d'
	refused end 's/^open .*/open 0/'
	refused of '0,/^of .*/s/^of .*/of 4/'
	refused events 's/^events .*/events x/'
	refused events '0,/^events .*/s/^events .*/events 0/'
	goes_on
}

@test "the key that tells identifiers is damaged" {
	made toyid -e 1 -T 100
	refused "'id-key' is damaged" '/^id-key /d'
	refused "'id-key' is damaged" 's/^(id-key .*)./\1/'
	goes_on
}

# columns WORD: as edit, with this for every word of a column
columns() {
	local line words

	while IFS= read -r line; do
		if [[ $line == 'column '* ]]; then
			[[ $line =~ ^column(\ [0-9a-f]{16})+$ ]]
			read -r -a words <<<"${line#column }"
			printf -v line " $1%.0s" "${words[@]}"
			line=column$line
		fi
		printf '%s\n' "$line"
	done <whole >edited
	sealed
}

@test "columns of every mechanism: no words lead out of memory, and what cannot be is refused" {
	local m v status command

	for command in dpcount 'dpcount --expire=9' 'dpwindow -w 3' 'dpdecay -a .5' \
	    'dpmean -r 0:9' 'dpquantile -r 0:3' 'dpquantile -r 0:69 --half-life=2'; do
		# shellcheck disable=SC2086
		for m in $(command $command -e 1 -T 100 -d 1e-6 --explain=json | jq -r \
		    '.eligible[].mechanism'); do
			status=0
			for v in 0000000000000000 ffffffffffffffff 7fffffffffffffff \
			    00000000ffffffff 0000000000000064; do
				# what went on has a state of its own
				# shellcheck disable=SC2086
				[ $status -ne 0 ] || made $command -e 1 -T 100 -d 1e-6 -M "$m"
				columns $v
				status=0
				"$tool" --state=s in >printed 2>err || status=$?
				[ $status -eq 0 ] || { [ $status -eq 5 ] && grep -q \
				    "'column' is damaged" err; } || {
					echo "$command -M $m: status $status with $v"
					cat err
					return 1
				}
			done
		done
	done
}

@test "a norm tree's plan that is sound, with its tables' hash, and of which nothing can be drawn" {
	: >in
	made dpcount -q -e .8492 -T 2 -M normtree
	# one level: A, the shares of its nodes and its root, a corner of which no row has an
	# envelope, and the hash
	plan='shape 1\nS.grid 3\nS.share 0x1.4fe3b03e20cdp-2\nS.root 0x1.6e57610fe5505p-5'
	plan+='\nS.corner 0x1.2b780346dc5d6p-1\nS.tables 0x86e26ad36986f158'
	plan=${plan//S./noise.segment.0.}
	echo 1 >in
	refused 'the noise planned here for the steps that follow is not the state' \
	    "s/^(noise\.segment\.0\.)shape .*/\1$plan/; t; /^noise\.segment/d"
	goes_on
}

@test "after 2^32 - 1 steps a table of identifiers has no stamps: every line ends the run" {
	printf 'a\n' >in
	for text in 'a\n\nb\n' '\n\n\n' 'a\nb\nc\n'; do
		made dpdistinct -e 1 -M running
		edit 's/^step .*/step 4294967294/'
		# shellcheck disable=SC2059
		printf "$text" >lines
		run -4 --separate-stderr dpdistinct --state=s lines
		[ "${#lines[@]}" = 1 ] && [[ $stderr = *'horizon of 4294967295 steps'* ]]
	done
}

@test "a tree that has not begun is not the one recorded: none of its plan is told" {
	made dpcount -e 8 -M normtree
	other='s/^(noise\.segment\.1\.share 0x1\.)[1-9a-f]/\10/'
	for o in --explain=plan --explain --explain=json; do
		refused 'for the steps that follow is not' "$other" "$o"
	done
	dpaudit --new-key=key
	refused 'for the steps that follow is not' "$other" --receipt=R --sign=key
	[ ! -e R ]
	goes_on
	# steps up to it go on, and those in it are refused
	made dpcount -e 8 -M normtree
	edit "$other"
	"$tool" --state=s in >printed 2>err
	seq 300 >more
	fails 5 "$tool" --state=s more
	[[ $stderr = *'for the steps that follow is not'* ]] && [ -z "$output" ]
}
