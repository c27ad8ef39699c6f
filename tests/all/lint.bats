# SPDX-License-Identifier: ISC
# What tests/lint.sh finds, shown by offences planted in a copy.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

lint() {
	sh "$TOP/tests/lint.sh" "$@" -C copy
}

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
	mkdir copy copy/tests
	cp -r "$TOP/lib" "$TOP/cmd" copy
}

# found TEXT CHECK: that check fails, and says nothing but TEXT
found() {
	run -1 lint "$2"
	[ "$output" = "$1" ]
}

@test "rooms: includes go down the list or stay in their room" {
	sh "$TOP/tests/lint.sh" rooms
}

@test "rooms: an include that goes up is found" {
	sed -i '1i #include "counter/mech.h"' copy/lib/law/law.c
	found 'lib/law/law.c:1: law may not include counter/mech.h' rooms
}

@test "rooms: two on one floor do not know each other" {
	sed -i '1i # include "paper/internal.h"' copy/lib/normtree/draw.c
	found 'lib/normtree/draw.c:1: normtree may not include paper/internal.h' rooms
}

@test "rooms: a way round, a tool's table, a new room" {
	sed -i '1i #include "../job/plan.h"' copy/lib/base/num.c
	found 'lib/base/num.c:1: ../job/plan.h is no path from lib/' rooms
	cp "$TOP/lib/base/num.c" copy/lib/base
	lint rooms
	sed -i '1i #include "cmd/dpcount.c"' copy/lib/run/step.c
	found 'lib/run/step.c:1: run may not include cmd/dpcount.c' rooms
	cp "$TOP/lib/run/step.c" copy/lib/run
	mkdir copy/lib/attic
	echo 'int dp_old;' >copy/lib/attic/old.c
	found 'lib/attic/old.c:1: a room that is not on the list' rooms
}

@test "rooms: what is said goes by no shape" {
	sed -i '1i static int n = DP_SHAPE_ID;' copy/lib/explain/explain.c
	found 'lib/explain/explain.c:1: what is said goes by no shape of a step' rooms
}

@test "words: _MOST, and a comment that leans on the one before" {
	rm -r copy/lib copy/cmd
	mkdir copy/lib copy/cmd
	printf '#define ROWS_MOST 3\nint most, x_MOSTLY;\n' >copy/lib/a.c
	found 'lib/a.c:1: _MOST, say _MAX' words
	printf '/* 1, 2, .. up to n; steps 1..n */\n\t * .., n\n' >copy/lib/a.c
	lint words
	printf 'int a;\t/* .. and its end */\n' >copy/lib/a.c
	found 'lib/a.c:1: a comment that begins with ".."' words
	printf '/* One\n * ... and all */\n' >copy/lib/a.c
	found 'lib/a.c:2: a comment that begins with ".."' words
	rm copy/lib/a.c
	printf 'true\n# .. and so on\n' >copy/tests/a.sh
	found 'tests/a.sh:2: a comment that begins with ".."' words
}

@test "columns: 100 and no more, a tab to the next multiple of 8" {
	rm -r copy/lib copy/cmd
	mkdir copy/lib copy/cmd
	printf '%100s\n\t%92s\na\t%92s\n' x x x >copy/cmd/a.c
	lint columns
	printf 'int a;\n\t%93s\n' x >copy/cmd/a.c
	found 'cmd/a.c:2: 101 columns' columns
	printf '1234567\t8\t%85s\n' x >copy/cmd/a.c
	found 'cmd/a.c:1: 101 columns' columns
}

@test "words, columns: no file of the sources is passed over" {
	local f
	rm -r copy/lib copy/cmd copy/tests
	(cd "$TOP" && find lib cmd tests -name '*.[ch]' -o -name '*.cc' -o -name '*.sh' -o \
	    -name '*.bats' -o -name '*.bash' -o -name '*.awk') | sort >files
	grep -qx lib/store/session.c files
	grep -qx tests/all/state.bats files
	(cd copy && sed 's|/[^/]*$||' ../files | sort -u | xargs mkdir -p)
	while read -r f; do
		printf '%101s\n/* .. x */\n' x >"copy/$f"
	done <files
	found "$(sed 's/$/:1: 101 columns/' files)" columns
	found "$(grep -vE '^tests/(all/)?lint\.' files |
	    sed 's/$/:2: a comment that begins with ".."/')" words
}

@test "structs: 20 members and no more; a struct in it, bit-fields, functions, comments" {
	rm -r copy/lib copy/cmd
	mkdir copy/lib copy/cmd
	{
		echo 'struct many { /* a, b, c; */ struct { int a, b, c; } one; /* d,'
		echo ' * e; */ int (*two)(int a, int b), three[2];'
		printf '\tint m%d;\n' $(seq 17)
		echo '};'
		echo 'enum { A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U };'
		echo 'const char s[] = ";;;;;;;;;;;;;;;;;;;;;;;;;";'
	} >copy/lib/a.h
	lint structs
	sed -i 's/int m7;/unsigned m7 : 1, n : 1;/' copy/lib/a.h
	found 'lib/a.h:1: a struct of 21 members' structs
	sed -i 's/^struct many/typedef union\n/' copy/lib/a.h
	found 'lib/a.h:2: a struct of 21 members' structs
	printf 'struct dp_a {\n\tint a;\n\tstruct {\n' >copy/cmd/a.c
	printf '\t\tint m%d;\n' $(seq 21) >>copy/cmd/a.c
	printf '\t} b;\n};\n' >>copy/cmd/a.c
	rm copy/lib/a.h
	found 'cmd/a.c:3: a struct of 21 members' structs
}

@test "lengths: 2000 lines and no more; a warning above 1500, and for a function above 80" {
	rm -r copy/lib copy/cmd
	mkdir -p copy/lib/normtree copy/cmd
	seq 1500 >copy/lib/normtree/a.h
	seq 2000 >copy/cmd/a.c
	run -0 lint lengths
	[ "$output" = 'cmd/a.c:1501: warning: more than 1500 lines' ]
	seq 2001 >copy/cmd/a.c
	run -1 lint lengths
	[ "${lines[1]}" = 'cmd/a.c:2001: more than 2000 lines' ]
	rm copy/cmd/a.c
	{ echo 'f(void)'; echo '{'; seq 80; echo '}'; } >copy/cmd/b.c
	run -0 lint lengths
	[ "$output" = 'cmd/b.c:2: warning: a function of 80 lines' ]
	{ echo 'f(void)'; echo '{'; seq 79; echo '}'; } >copy/cmd/b.c
	run -0 lint lengths
	[ -z "$output" ]
}

@test "open: a public name that its own room alone uses" {
	sh "$TOP/tests/lint.sh" open
	sed -i 's/^#endif$/int\tdp_nobody(void);\n&/' copy/lib/law/law.h
	echo 'int dp_nobody(void) { return 0; }' >>copy/lib/law/law.c
	run -1 lint open
	[[ $output = 'lib/law/law.h:'*': dp_nobody is used in its own room alone' ]]
	# in internal.h it may be, and where another room calls it
	echo 'static int x = dp_nobody();' >>copy/lib/account/compose.c
	lint open
}

@test "top: no name that nobody expects" {
	sh "$TOP/tests/lint.sh" top
	lint top
	echo 1 >copy/d
	found 'd:1: a name that nobody expects at the top' top
	mv copy/d copy/.x
	found '.x:1: a name that nobody expects at the top' top
}

@test "planted faults: each changes its source, and one that does not is named" {
	bash "$TOP/tests/fault/planted.bash" "$TOP"/tests/fault/*.bats
	sed "s|'s/j = dp|'s/no such|; s|stat/[a-z_,]* 's/size|stat/none 's/size|" \
	    "$TOP/tests/fault/faults_magnitude.bats" >some.bats
	run -1 bash "$TOP/tests/fault/planted.bash" some.bats
	[[ ${lines[0]} = 'some.bats: magnitude: a value adds more than noise is for: '* ]]
	[[ ${lines[0]} = *': fault not planted' ]]
	[[ ${lines[1]} = 'some.bats: magnitude: values beyond'*': no stat/none' ]]
	[ ${#lines[@]} -eq 2 ]
}
