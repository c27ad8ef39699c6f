#!/usr/bin/env bats
# Planted faults: each must make the suite fail, or the suite proves nothing.

load faults

# The same for the tool: prints what the faulty dpcount prints.
faulty_tool() {
	local file=$1 edit=$2
	shift 2
	local dir=$BATS_TEST_TMPDIR
	plant "$file" "$edit" "$dir"
	link "$dir/dpcount" "$DP_BUILD/cmd/dpcount.o" "$dir/fault.o"
	"$dir/dpcount" "$@"
}

@test "halved scale everywhere: the scale's own test" {
	fault noise/privacy.c \
	    's/dp_q_make\(p->l1, 1\), p->epsilon/dp_q_make(p->l1, 2), p->epsilon/' unit/t_law:scales
}

@test "halved scale everywhere: epsilon is refuted from outputs alone" {
	fault noise/privacy.c \
	    's/dp_q_make\(p->l1, 1\), p->epsilon/dp_q_make(p->l1, 2), p->epsilon/' \
	    law/s_neighbour input
}

@test "tree: one level too few" {
	fault mech/tree.c 's/dp_q_make\(1, k->h\)/dp_q_make(1, k->h - 1)/' law/s_neighbour tree
}

@test "tree: one level wasted" {
	fault mech/tree.c 's/dp_q_make\(1, k->h\)/dp_q_make(1, k->h + 1)/' unit/t_mech
}

@test "tree: a closed interval's noise drawn again" {
	fault mech/tree.c \
	    's/c->open\[i\] = 0;/(void)dp_draw(\&k->noise, rng, \&c->closed[i]);/' unit/t_mech
}

@test "kary: an early draw not given back" {
	fault mech/kary.c 's/c->walk\[i\] \+= ring.*/;/' law/s_variance kary
}

@test "pan: erased noise stays in memory" {
	fault mech/pan.c 's/c->eta\[i\] = 0;/;/' unit/t_mech
}

@test "pan: cost of the count's noise forgotten" {
	fault mech/pan.c 's/h, 0, 1 \+ h\)/h, 0, h)/' unit/t_mech
}

@test "response: flips half as often" {
	fault mech/baseline.c 's/\(z > 0\)/(z > 1)/' law/s_variance response
}

@test "clamp skipped: a value of 5 counts 5" {
	run -0 --separate-stderr faulty_tool event/event_value.c \
		's/v->value = clamp\(o, v->value\);/;/' -e inf -n -v 1 -r 0:1 <<<5
	[ "$output" = "$(printf '1\t5')" ]
	run -0 --separate-stderr dpcount -e inf -n <<<5
	[ "$output" = "$(printf '1\t1')" ]
	# and where lines are read many at a time
	run -0 --separate-stderr faulty_tool run/values.c \
		's/return v < o->range\.lo \? .* : v;/return v;/' -e inf <<<55
	[ "$output" = 55 ]
}

@test "--where ignored: every line counts" {
	run -0 --separate-stderr faulty_tool event/event_form.c 's/return hit == 1;/return true;/' \
	    -e inf -n --where=a <<<b
	[ "$output" = "$(printf '1\t1')" ]
	run -0 --separate-stderr dpcount -e inf -n --where=a <<<b
	[ "$output" = "$(printf '1\t0')" ]
}

@test "a line that --cut does not match, and one that is no JSON, count" {
	for form in '--cut=(?<a>a)' --json; do
		run -0 --separate-stderr faulty_tool event/event_form.c \
		    's/return v->cut = rc == 1;/v->why = NULL; return v->cut = true;/' \
		    -e inf -n -m b "$form" <<<b
		[ "$output" = "$(printf '1\t1')" ]
		run -0 --separate-stderr dpcount -e inf -n -m b "$form" <<<b
		[ "$output" = "$(printf '1\t0')" ]
	done
}

@test "cap skipped: a user's third event counts" {
	run -0 --separate-stderr faulty_tool keep/cap.c 's/v->value = 0;/;/' -e inf \
	    -u 1 -c 2 <<<"$(printf 'a\na\na')"
	[ "${lines[2]}" = 3 ]
	run -0 --separate-stderr dpcount -e inf -u 1 -c 2 <<<"$(printf 'a\na\na')"
	[ "${lines[2]}" = 2 ]
}

@test "keyed lines: the second column forgotten in the sensitivity" {
	fault noise/neighbour.c 's/part = 2 \* \(S - full\)/part = S - full/' unit/t_neighbour
	run -0 dpcount -e 1 -k 1 --keys a,b --explain=json
	[ "$(jq .sensitivity <<<"$output")" = 2 ]
}

@test "users: one event instead of all that count" {
	fault noise/neighbour.c 's/K != 0 \? K \* M : R;/R;/' unit/t_neighbour
}

@test "lines: a value that changes its sign moves from 0 only" {
	fault noise/neighbour.c 's/R = below \+ above/R = M/' unit/t_neighbour
}

@test "zCDP: orders that are no integers" {
	fault noise/privacy_delta.c \
	    's/a = fmax\(2, floor\((1 \+ exp\(lo\))\)\);/return exp(log_delta_at(rho, eps, \1));/' \
	    unit/t_privacy
}

@test "Gaussian: the analytic sigma where zCDP has a smaller one" {
	fault noise/privacy_delta.c \
	    's/return s > 0 && \(z == 0 \|\| s < z\) \? s : z;/return s > 0 ? s : z;/' \
	    unit/t_privacy
}

@test "Laplace: the limit of a scale forgets the weights" {
	fault noise/privacy.c 's/\(dp_uwide\)p->l1 \* largest/p->l1/' unit/t_privacy
}

@test "law: terms dropped without a word" {
	fault noise/law.c 's/l->full = true;/;/' unit/t_law_terms:full
}

@test "a test that fails anyway catches no fault" {
	local build=$BATS_TEST_TMPDIR/build

	mkdir -p "$build/tests/unit"
	ln -s "$DP_BUILD/libdp.a" "$build"
	echo 'int main(int n, char **v) { return n != 2 || v[1][0] != 112; }' |
	    ${CC:-cc} -x c -c -o "$build/tests/unit/t_a.o" -
	hidden() {
		DP_ALL_RUN='' DP_BUILD=$build fault noise/noise.c 's/n == 0/n == 1/' "$@"
	}
	run ! hidden unit/t_a fails
	[[ $output = *'unit/t_a fails without a fault, too' ]]
	run ! hidden unit/t_a passes
	[[ $output != *'without a fault'* ]]
	[ "$(ls "$build/tests/unharmed")" = unit-t_a-passes ]
}

@test "a failing test fails" {
	printf '%s "fails" { false; }\n' @test >"$BATS_TEST_TMPDIR/fails.bats"
	run bats "$BATS_TEST_TMPDIR/fails.bats"
	[ "$status" -eq 1 ]
}

@test "memo: whatever was kept last, whose ever it is" {
	fault base/memo.c 's/memcmp\(e->key, key, size\) != 0/false/' unit/t_memo
}

@test "parts: only the first of those alike is looked at, or started" {
	fault mech/part.c 's/j < p->n; j\+\+/j < 1; j++/' unit/t_part
	fault mech/mech.c 's/j < p->n; j\+\+/j < 1; j++/' unit/t_part
}

@test "parts: columns of parts alike overlap" {
	fault mech/part.c 's/at \+ p->n \* p->stride/at + p->stride/' unit/t_part
}

@test "parts: the whole's noise has the number of a part's" {
	fault mech/mech.c 's/\*i -= n;/;/' unit/t_part
}

@test "a part has all of epsilon, or what is rounded up" {
	fault noise/privacy_delta.c \
	    's/^(\t    )part_of\(whole->epsilon, share\), part_of/\1whole->epsilon, part_of/' \
	    unit/t_part
	fault noise/privacy_delta.c 's/num >>= 1;/num = (num >> 1) + 1;/' unit/t_part
}

@test "a part's reach forgotten" {
	fault noise/privacy_delta.c 's/reach->l1,$/whole->l1,/' unit/t_part
}

@test "parts of bands: all of the budget for each; the first band's reach" {
	faulty_tools mech/part.c 's/&rule->privacy, share\[g\]/\&rule->privacy, dp_q_make(1, 1)/' \
	    toys 'parts: each' toymoments toylevels
	faulty_tools mech/part.c 's/rule->band\[g\]\.reach\);/rule->band[0].reach);/' toys \
	    'parts: each' toymoments toylevels
}

@test "parts of bands: shares of more than the budget" {
	fault mech/part.c 's/left = dp_q_left\(left, share\[g\]\);/;/' unit/t_part
}

@test "parts of bands: half the noise; numbers that share what was drawn" {
	faulty_tools mech/part.c 's/share\[g\], &rule->band/dp_q_make(2, 3), \&rule->band/' toys \
	    'parts: what is drawn' toymoments
	shared='for (j = 1, x -= m->inputs, y -= m->inputs; j < m->inputs; j++) '
	shared+='y[j] = y[0] - x[0] + x[j];'
	faulty_tools mech/part.c "/^dp_parts_step/,/^}/s/^\\treturn 0;$/$shared\n&/" toys \
	    'parts: what is drawn' toylevels
}

@test "contributions: a value of no match is not brought into the range" {
	faulty_tools event/event_value.c 's/number = clamp\(e->o, v->value\)/number = v->value/' \
	    toys 'parts: exact' toymoments
}

@test "contributions: more than was promised counts; in two numbers; less than nothing" {
	fault event/event_value.c 's/if \(!within_reach\(.*/if (false)/' unit/t_contributions
	fault event/event_value.c 's/left\[b\] -= \(uint64_t\)x->value;/;/' unit/t_contributions
	fault event/event_value.c \
	    's/ \|\| x->value < 0//;s/\(uint64_t\)x->value > left/x->value > (int64_t)left/' \
	    unit/t_contributions
}

@test "contributions: of another key; memory of another one" {
	faulty_tools event/event_value.c 's/v->column \* e->o->keys\.adds;/v->column;/' toys \
	    'parts: exact' toymoments toylevels
	faulty_tools run/bucket.c 's/place \/ m->inputs \* m->column, /0, /' toys 'parts: exact' \
	    toymoments toylevels
	faulty_tools mech/part.c 's/place -= p->n;/place = 0;/' toys 'parts: exact' \
	    toymoments toylevels
}

@test "bands: reaches that are not added up; a line that leaves its key moves one" {
	faulty_tools ask/options_relation.c 's/all->l1 \+= d\.l1/all->l1 = d.l1/' toys \
	    'parts: each' toymoments toylevels
	faulty_tools ask/options_relation.c 's/p->width \* dp_options_columns.*/p->width;/' toys \
	    'parts: each' toymoments toylevels
}

@test "intervals of a statistic: half as wide; one end for both" {
	faulty_tools mech/part.c 's/w = dp_law_bound\(law, gamma\)/& \/ 2/' toys \
	    'parts: intervals' toymoments
	faulty_tools tell/print_round.c 's/ends\[2 \* c \+ 1\];/ends[2 * c];/' toys \
	    'parts: intervals' toymoments
}

# faulty_road FILE SED TOOL PATTERN: roads.bats finds it, by the tool's command lines that match
faulty_road() {
	mkdir -p "$BATS_TEST_TMPDIR/build"
	ln -sfn "$DP_BUILD/libdp.a" "$DP_BUILD/cmd" "$BATS_TEST_TMPDIR/build"
	roads="^$3 .*$4" faulty_tools "$1" "$2" roads roads "$3"
}

@test "roads: each has other values than the general one" {
	faulty_road run/values.c 's/x\[n\+\+\] = digit\[w & 15\];/x[n++] = digit[w \& 7];/' \
	    dpcount digits
	faulty_road run/values.c 's/column\[n\] = v\.column;/column[n] = 0;/' dpcount '-k 3 .*sound'
	faulty_road event/event.c 's/\*p = nl \+ 1;/*p = nl + 1 < end ? nl + 2 : nl + 1;/' \
	    dpcount events
	faulty_road run/records.c 's/(take_bucket\(r, &rec, file, )&v\[i\]/\1v/' \
	    dpcount --bucket
}

@test "roads: one is taken that cannot do what is asked" {
	faulty_road run/road.c 's/(LINES \| FIELDS) \| STRICT/\1 | STRICT | BUCKET/' dpcount \
	    --bucket
	faulty_road run/road.c 's/\{ o->form\.strict, STRICT \},//' dpcount --strict
	faulty_road run/road.c 's/\{ o->users\.per_step \|\|/{ false \&\&/' dpmap /step
	faulty_road run/road.c 's/\(r->in.events\), LINES \}/(r->in.events) \&\& false, LINES }/' \
	    dpcount --bucket
	faulty_road run/road.c 's/^(\t\t    )r->tool->adds != NULL, TERMS/\1false, TERMS/' \
	    dpmean .
}

@test "contributions: one line for another counted as one move" {
	fault noise/neighbour.c 's/(n = line && D > 1 \? )2/\11/' unit/t_neighbour
}

@test "contributions: a user's events counted once, or squared as one" {
	fault noise/neighbour.c 's/\(dp_uwide\)K \* r->sum \* n\)/(dp_uwide)r->sum * n)/' \
	    unit/t_neighbour
	fault noise/neighbour.c 's/\(K \* r->sum\) \* n;/r->sum * n;/' unit/t_neighbour
}

@test "neighbours: another value, or name, is claimed where it is two events" {
	fault noise/neighbour.c 's/return moved <= d\.l1;/return true;/' unit/t_neighbour
	fault noise/neighbour.c 's/r->of == DP_RECORD_NAME \|\| (dp_relation_distance)/\1/' \
	    unit/t_neighbour
}
