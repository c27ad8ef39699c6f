#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
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
	fault account/laplace \
	    's/dp_q_make\(p->l1, 1\), p->epsilon/dp_q_make(p->l1, 2), p->epsilon/' unit/t_law:scales
}

@test "halved scale everywhere: epsilon is refuted from outputs alone" {
	fault account/laplace \
	    's/dp_q_make\(p->l1, 1\), p->epsilon/dp_q_make(p->l1, 2), p->epsilon/' \
	    law/s_neighbour input
}

@test "tree: one level too few" {
	fault counter/tree_create 's/dp_q_make\(1, k->h\)/dp_q_make(1, k->h - 1)/' law/s_neighbour \
	    tree
}

@test "tree: one level wasted" {
	fault counter/tree_create 's/dp_q_make\(1, k->h\)/dp_q_make(1, k->h + 1)/' unit/t_mech
}

@test "tree: a closed interval's noise drawn again" {
	fault counter/tree_step \
	    's/c->open\[i\] = 0;/(void)dp_draw(\&k->noise, rng, \&c->closed[i]);/' unit/t_mech
}

@test "kary: an early draw not given back" {
	fault counter/advance 's/c->walk\[i\] \+= ring.*/;/' law/s_variance kary
}

@test "pan: erased noise stays in memory" {
	fault counter/release 's/c->eta\[i\] = 0;/;/' unit/t_mech
}

@test "pan: cost of the count's noise forgotten" {
	fault counter/pan_create 's/h, 0, 1 \+ h\)/h, 0, h)/' unit/t_mech
}

@test "pan: looks that are told leave open noise, or the count, or cost less than they do" {
	fault counter/pan_anew 's/dp_draw\(&k->noise, rng, &c->eta\[i\]\)/0/' unit/t_mech
	fault counter/pan_anew 's/c->count = dp_wrapped.*/;/' unit/t_mech
	fault counter/slots_cost 's/1 \+ o > d - o \+ 1/1 + o > d - o/; s/: d - o \+ 1;/: d - o;/' \
	    unit/t_mech
	fault counter/slots_cost 's/looks && cost < 3/false/' unit/t_mech
	fault counter/law_pan 's/ \+ k->looks\)/)/' unit/t_mech
	fault counter/pan_anew 's/c->looks == k->looks/false/' unit/t_mech
	fault counter/pan_valid 's/->looks <=/->looks + 1 <=/' unit/t_mech
	fault job/objection 's/s->task\.looks != 0/false/' unit/t_mech
}

@test "response: flips half as often" {
	fault counter/baseline_create,response_step 's/\(z > 0\)/(z > 1)/' law/s_variance response
}

@test "clamp skipped: a value of 5 counts 5" {
	run -0 --separate-stderr faulty_tool input/read_number \
		's/v->value = clamp_value\(o, v->value\);/;/' -e inf -n -v 1 -r 0:1 <<<5
	[ "$output" = "$(printf '1\t5')" ]
	run -0 --separate-stderr dpcount -e inf -n <<<5
	[ "$output" = "$(printf '1\t1')" ]
	# and where lines are read many at a time
	run -0 --separate-stderr faulty_tool run/line_value \
		's/return v < o->range\.lo \? .* : v;/return v;/' -e inf <<<55
	[ "$output" = 55 ]
}

@test "--where ignored: every line counts" {
	run -0 --separate-stderr faulty_tool input/holds 's/return hit == 1;/return true;/' \
	    -e inf -n --where=a <<<b
	[ "$output" = "$(printf '1\t1')" ]
	run -0 --separate-stderr dpcount -e inf -n --where=a <<<b
	[ "$output" = "$(printf '1\t0')" ]
}

@test "a line that --cut does not match, and one that is no JSON, count" {
	for form in '--cut=(?<a>a)' --json; do
		run -0 --separate-stderr faulty_tool input/dp_events_cut \
		    's/return v->cut = rc == 1;/v->why = NULL; return v->cut = true;/' \
		    -e inf -n -m b "$form" <<<b
		[ "$output" = "$(printf '1\t1')" ]
		run -0 --separate-stderr dpcount -e inf -n -m b "$form" <<<b
		[ "$output" = "$(printf '1\t0')" ]
	done
}

@test "cap skipped: a user's third event counts" {
	run -0 --separate-stderr faulty_tool store/dp_cap_admit 's/v->value = 0;/;/' -e inf \
	    -u 1 -c 2 <<<"$(printf 'a\na\na')"
	[ "${lines[2]}" = 3 ]
	run -0 --separate-stderr dpcount -e inf -u 1 -c 2 <<<"$(printf 'a\na\na')"
	[ "${lines[2]}" = 2 ]
}

@test "keyed lines: the second column forgotten in the sensitivity" {
	fault account/dp_relation_distance 's/part = 2 \* \(S - full\)/part = S - full/' \
	    unit/t_neighbour
	run -0 dpcount -e 1 -k 1 --keys a,b --explain=json
	[ "$(jq .sensitivity <<<"$output")" = 2 ]
}

@test "users: one event instead of all that count" {
	fault account/dp_relation_distance 's/K != 0 \? K \* M : R;/R;/' unit/t_neighbour
}

@test "holistic: one line instead of all that an event changes" {
	fault account/dp_relation_distance 's/far \*= r->every\.most/far *= 1/' unit/t_neighbour
	fault account/contributions_distance 's/r->every\.most != 0 \? r->every\.most : //' \
	    unit/t_neighbour
}

@test "lines: a value that changes its sign moves from 0 only" {
	fault account/dp_relation_distance 's/R = below \+ above/R = M/' unit/t_neighbour
}

@test "zCDP: orders that are no integers" {
	fault account/dp_zcdp_delta \
	    's/a = fmax\(2, floor\((1 \+ exp\(lo\))\)\);/return exp(log_delta_at(rho, eps, \1));/' \
	    unit/t_privacy
}

@test "Gaussian: the analytic sigma where zCDP has a smaller one" {
	fault account/dp_privacy_gauss_sigma \
	    's/return s > 0 && \(z == 0 \|\| s < z\) \? s : z;/return s > 0 ? s : z;/' \
	    unit/t_privacy
}

@test "Laplace: the limit of a scale forgets the weights" {
	fault account/laplace 's/\(dp_uwide\)p->l1 \* largest/p->l1/' unit/t_privacy
}

@test "law: terms dropped without a word" {
	fault law/dp_law_add,dp_law_flip,dp_law_part 's/l->full = true;/;/' unit/t_law_terms:full
}

@test "a test that fails anyway catches no fault" {
	local build=$BATS_TEST_TMPDIR/build

	mkdir -p "$build/tests/unit"
	ln -s "$DP_BUILD/libdp.a" "$build"
	echo 'int main(int n, char **v) { return n != 2 || v[1][0] != 112; }' |
	    ${CC:-cc} -x c -c -o "$build/tests/unit/t_a.o" -
	hidden() {
		DP_ALL_RUN='' DP_BUILD=$build fault random/dp_noise_describe,dp_noise_fill \
		    's/n == 0/n == 1/' "$@"
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
	fault base/dp_memo_find 's/memcmp\(e->key, key, size\) != 0/0/' unit/t_memo
}

@test "parts: only the first of those alike is looked at, or started" {
	fault counter/dp_part_valid,dp_parts_step 's/j < p->n; j\+\+/j < 1; j++/' unit/t_part
	fault counter/dp_mech_start 's/j < p->n; j\+\+/j < 1; j++/' unit/t_part
}

@test "parts: columns of parts alike overlap" {
	fault counter/dp_part_place 's/at \+ p->n \* p->stride/at + p->stride/' unit/t_part
}

@test "parts: the whole's noise has the number of a part's" {
	fault counter/whose 's/\*i -= n;/;/' unit/t_part
}

@test "a part has all of epsilon, or what is rounded up" {
	fault account/dp_privacy_part \
	    's/^(\t    )part_of\(whole->epsilon, share\), part_of/\1whole->epsilon, part_of/' \
	    unit/t_part
	fault account/part_of 's/num >>= 1;/num = (num >> 1) + 1;/' unit/t_part
}

@test "a part's reach forgotten" {
	fault account/dp_privacy_part 's/reach->l1,$/whole->l1,/' unit/t_part
}

@test "parts of bands: all of the budget for each; the first band's reach" {
	faulty_tools counter/dp_parts_create \
	    's/&rule->privacy, share\[g\]/\&rule->privacy, dp_q_make(1, 1)/' \
	    toys 'parts: each' toymoments toylevels
	faulty_tools counter/dp_parts_create 's/rule->band\[g\]\.reach\);/rule->band[0].reach);/' \
	    toys \
	    'parts: each' toymoments toylevels
}

@test "parts of bands: shares of more than the budget" {
	fault counter/dp_parts_create 's/left = dp_q_left\(left, share\[g\]\);/;/' unit/t_part
}

@test "parts of bands: half the noise; numbers that share what was drawn" {
	faulty_tools counter/dp_parts_create \
	    's/share\[g\], &rule->band/dp_q_make(2, 3), \&rule->band/' toys \
	    'parts: what is drawn' toymoments
	shared='x -= m->inputs; y -= m->inputs; for (size_t j = 1; j < m->inputs; j++) '
	shared+='y[j] = y[0] - x[0] + x[j];'
	faulty_tools counter/dp_parts_step "/^dp_parts_step/,/^}/s/^\\treturn e;$/$shared\n&/" \
	    toys \
	    'parts: what is drawn' toylevels
}

@test "contributions: a value of no match is not brought into the range" {
	faulty_tools input/contribute \
	    's/number = clamp_value\(e->o, v->value\)/number = v->value/' \
	    toys 'parts: exact' toymoments
}

@test "contributions: more than was promised counts; in two numbers; less than nothing" {
	fault input/dp_events_terms 's/if \(!within_reach\(.*/if (false)/' unit/t_contributions
	fault input/within_reach 's/left\[b\] -= \(uint64_t\)x->value;/;/' unit/t_contributions
	fault input/within_reach \
	    's/ \|\| x->value < 0//;s/\(uint64_t\)x->value > left/x->value > (int64_t)left/' \
	    unit/t_contributions
}

@test "contributions: of another key; memory of another one" {
	faulty_tools input/dp_events_place 's/v->column \* e->o->keys\.adds;/v->column;/' toys \
	    'parts: exact' toymoments toylevels
	faulty_tools run/add 's/place \/ m->inputs \* m->column, /0, /' toys 'parts: exact' \
	    toymoments toylevels
	faulty_tools counter/dp_parts_add 's/place -= p->n;/place = 0;/' toys 'parts: exact' \
	    toymoments toylevels
}

@test "bands: reaches that are not added up; a line that leaves its key moves one" {
	faulty_tools counter/dp_rule_band 's/all->l1 \+= d\.l1/all->l1 = d.l1/' toys \
	    'parts: each' toymoments toylevels
	faulty_tools job/of_band 's/width\(o, g\) \* dp_options_columns.*/width(o, g);/' toys \
	    'parts: each' toymoments toylevels
}

@test "intervals of a statistic: half as wide; one end for both" {
	faulty_tools counter/dp_parts_bound 's/w = dp_law_bound\(law, gamma\)/& \/ 2/' toys \
	    'parts: intervals' toymoments
	faulty_tools explain/put_around 's/told\[2 \* c \+ 1\];/told[2 * c];/' toys \
	    'parts: intervals' toymoments
}

# faulty_road FILE SED TOOL PATTERN: roads.bats finds it, by the tool's command lines that match
faulty_road() {
	mkdir -p "$BATS_TEST_TMPDIR/build"
	ln -sfn "$DP_BUILD/libdp.a" "$DP_BUILD/cmd" "$BATS_TEST_TMPDIR/build"
	roads="^$3 .*$4" faulty_tools "$1" "$2" roads roads "$3"
}

@test "roads: each has other values than the general one" {
	faulty_road run/read_values 's/x\[n\+\+\] = digit\[w & 15\];/x[n++] = digit[w \& 7];/' \
	    dpcount digits
	faulty_road run/dp_values_records 's/column\[n\] = v\.column;/column[n] = 0;/' dpcount \
	    '-k 3 .*sound'
	faulty_road input/dp_events_seek 's/\*p = nl \+ 1;/*p = nl + 1 < end ? nl + 2 : nl + 1;/' \
	    dpcount events
	faulty_road run/dp_records_users 's/(take_bucket\(r, &rec, file, )&v\[i\]/\1v/' \
	    dpcount --bucket
}

@test "roads: one is taken that cannot do what is asked" {
	faulty_road run/road 's/(LINES \| FIELDS) \| STRICT/\1 | STRICT | BUCKET/' dpcount \
	    --bucket
	faulty_road run/asks 's/\{ o->form\.strict, STRICT \},//' dpcount --strict
	faulty_road run/asks 's/\{ \(o->users\.per_step \|\|/{ (false \&\&/' dpmap /step
	faulty_road run/asks 's/\(r->in.events\), LINES \}/(r->in.events) \&\& false, LINES }/' \
	    dpcount --bucket
	faulty_road run/asks 's/ \|\| \(r->tool->adds != NULL .*, TERMS/, TERMS/' \
	    dpmean .
}

@test "contributions: one line for another counted as one move" {
	fault account/contributions_distance 's/(n = line && D > 1 \? )2/\11/' unit/t_neighbour
}

@test "contributions: a user's events counted once, or squared as one" {
	fault account/contributions_distance \
	    's/\(dp_uwide\)K \* r->sum \* n\)/(dp_uwide)r->sum * n)/' \
	    unit/t_neighbour
	fault account/contributions_distance 's/\(K \* r->sum\) \* n;/r->sum * n;/' unit/t_neighbour
}

@test "neighbours: another value, or name, is claimed where it is two events" {
	fault account/other_value 's/return moved <= d\.l1;/return true;/' unit/t_neighbour
	fault account/other_value 's/r->of == DP_RECORD_NAME \|\| (dp_relation_distance)/\1/' \
	    unit/t_neighbour
}
