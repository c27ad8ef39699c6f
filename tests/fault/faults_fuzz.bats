# SPDX-License-Identifier: ISC
# Planted faults: whether the corpora of the fuzzer, replayed under sanitizers, stop at them.
load ../lib/helper
load faults

# target NAME [ARG ...]: ./NAME, with what else the compiler is given before the library
target() {
	local name=$1
	local more=()

	shift
	case $name in
	f_options | f_job | f_additive) more=("$DP_BUILD"/named/dp*.o) ;;
	f_ledger) more=(-Wl,--wrap=dp_zcdp_rho) ;;
	esac
	${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -w -fsanitize=address,undefined \
	    -fno-sanitize-recover=all -DREPLAY -I"$TOP/lib" -o "$name" "$TOP/tests/fuzz/$name.c" \
	    "$@" "${more[@]}" "$DP_BUILD/libdp.a" -lcsv -lpcre2-8 -ljson-c -lsodium -lm
}

replay() {
	ASAN_OPTIONS=detect_leaks=0 "./$1" "$TOP/tests/fuzz/corpus/$1"/*
}

# stops TARGET FILE SED: an input of its corpus stops the target with FILE's fault, and none without
stops() {
	cd "$BATS_TEST_TMPDIR"
	plant "$2" "$3" . || return
	if [[ ! -e sound-$1 ]]; then
		target "$1"
		replay "$1"
		: >"sound-$1"
	fi
	target "$1" -I"$TOP/lib/${2%/*}" fault.c
	run replay "$1"
	echo "$output" | tail -n 5
	# abort(3), or a sanitizer
	[[ $status -eq 134 || $output = *' AddressSanitizer: '* || $output = *' runtime error: '* ]]
}

@test "fuzz: a line: a field goes a byte beyond its block, a buffer is a byte too short" {
	stops f_line input/cut_blanks \
	    's/~dp_block_first\(\(size_t\)\(e - p\)\);/~dp_block_first((size_t)(e - p) + 1);/'
	stops f_line input/dp_reader_lines \
	    's/r->end - r->beg == r->cap &&/r->end - r->beg > r->cap \&\&/'
}

@test "fuzz: records: a mark at the first alone, what is left of one before" {
	stops f_additive input/next_line_record \
	    's/p \+= (dp_record_marks)/p += r->line > 1 ? 0 : \1/'
	stops f_additive input/dp_events_search 's/^\t\tat \+= dp_record_marks.*$//'
	stops f_additive input/dp_events_search 's/ \|\| \*hit < at\)/)/'
	stops f_additive input/restart 's/^\tc->seen = 0;$//'
}

@test "fuzz: CSV: text behind a closing quote" {
	stops f_csv input/scan 's/\(\(closing << 1 \| s->closed\) & ~edge & there\)/0/'
}

@test "fuzz: JSON: what is behind the object, half of a pair" {
	stops f_json input/dp_json_record 's/good && j->p == j->e/good/'
	stops f_json input/character 's/LOW\(c\) \? NO_PAIR : c/c/'
}

@test "fuzz: logs: a quote behind a backslash ends what is in quotes" {
	stops f_logs base/inside "s/q \\+ \\(\\*q == '.*' \\? 2 : 1\\)/q + 1/"
}

@test "fuzz: times and zones: the end of a text, of a file" {
	stops f_when base/month 's/c->e - c->p < 3/c->e - c->p < 2/'
	stops f_zone base/changes 's/ \|\| kind\[i\] >= b->types\)/)/'
}

@test "fuzz: numbers: a digit too many" {
	stops f_number base/SIGNIFICANT 's/^(#define SIGNIFICANT\t)19/\1 20/'
}

@test "fuzz: weights: room for one less, one that rises" {
	stops f_weights base/list 's/malloc\(n \* sizeof/malloc((n - 1) * sizeof/'
	stops f_weights base/line \
	    's/!rising && g\[n\] > g\[n - 1\]/n > 1 \&\& !rising \&\& g[n] > g[n - 2]/'
}

@test "fuzz: a state: a part that ends a byte too late" {
	stops f_form store/get_bytes 's/if \(n >= left \|\| /if (/'
}

@test "fuzz: a job: a text longer than the room that its reader gave" {
	stops f_job base/dp_doc_chars 's/s == NULL \|\| strlen\(s\) >= size/s == NULL/'
}

@test "fuzz: options: a key too long" {
	stops f_options job/take_key 's/p < last && \*n <= DP_KEY_MAX/p < last/'
}

@test "fuzz: a ledger: more totals than there is room for" {
	stops f_ledger store/read_total 's/l->b\.totals == DP_TOTALS_MAX \|\| //'
}

@test "fuzz: partial counts: a sum too large" {
	stops f_partial input/parse_sum \
	    's/\(s\.p\[i\] - .0.\)\) > SUM_MAX\)/(s.p[i] - 48)) < 0)/'
}
