# SPDX-License-Identifier: ISC
# Planted faults: totals of a table, numbers that add up, what is not printed.
load ../lib/helper
load faults

fitted() {
	fault explain/"$1" "$2" unit/t_margins"${3-}"
}

# means FUNCTION FAULT WHAT: a test of dpmean's totals sees it
means() {
	faulty_tools stat/"$1" "$2" margins "dpmean --margins: $3" dpmean
}

@test "margins: what rounding leaves is dropped, given twice, given to the smallest" {
	fitted share_out 's/^\t\*p\[i\]\.to \+= sum.*$/\t\t;/; s/sum != 0; i/sum > n; i/'
	fitted share_out 's/sum -= down;/sum -= 2 * down;/'
	fitted larger_left 's/\(x->left > y->left \? -1 : 1\)/(x->left > y->left ? 1 : -1)/' \
	    :nearest
}

@test "margins: all less too little, or cut at 0 alone" {
	fitted project 's/p\[i\]\.est \* \*by - over/p[i].est * *by/'
	fitted project 's/>= \(dp_wide\)\(i \+ 1\) \* p\[i\]\.est/>= (dp_wide)i * p[i].est/' \
	    :nearest
}

@test "margins: rows without columns, --other in neither" {
	fitted round_table 's/^\t\t\tcolumn\[c\]--;$//'
	fitted fit_table 's/if \(m->keys > cells\)/if (false)/'
	fitted round_table 's/\(!nonnegative \|\|$/(false ||/' :own_totals
}

@test "margins: a key in a total too many; intervals of one key, of what is not told" {
	faulty_tools job/summed 's/over >> field & 1/over > field/' margins \
	    '--margins without noise' dpcount dpwindow
	faulty_tools job/gather 's/up != m->above\[up\]; sum\+\+/up < m->keys; sum++/' margins \
	    '--hierarchy: keys' dpcount
	faulty_tools law/dp_law_times 's/term\[i\]\.n \*= n/term[i].n *= 1/' margins \
	    'the noise of a total' dpwindow
	means total_law 's/z\.n = n;/z.n = 1;/' intervals
	faulty_tools explain/put_end 's/DP_UNLIKELY\(v->below\)/0/' margins '--suppress' dpcount
}

@test "margins of means: of the first key alone, means of few events, another total's interval" {
	means total_of 's/read_numbers\(k, col\[j\]/read_numbers(k, col[0]/' figures
	means total_of 's/ \* sqrt\(\(double\)n\), sum/, sum/' "a total"
	means total_law 's/k->summed\[i\]\.n != n \|\| //' intervals
	means total_of 's/\*est > \*hi \? \*est : \*hi/*hi/' "a total"
}

# own FUNCTION FAULT WHAT: a test of totals with noise of their own sees it
own() {
	faulty_tools "$1" "$2" margins "--margins=F: $3" dpcount dpwindow dpaudit
}

@test "totals with noise of their own: not the nearest, nor sums of their keys" {
	fault stat/fit_table 's/R \/ \(R \+ r\)/C \/ (C + r)/' unit/t_margins:own_totals
	fault stat/fit_table 's/rest \+ r\);/r);/' unit/t_margins:own_totals
	fault stat/fit_tree 's/u\[m->above\[v\]\] \+= r \* u\[v\]/u[m->above[v]] += u[v]/' \
	    unit/t_margins:own_totals
	own stat/estimate_nodes 's/m->keys \+ m->number\[i\]/m->keys + i/' exact
}

@test "totals with noise of their own: their part of the budget, their numbers, their intervals" {
	own stat/margins_make 's/k->r = own \* own/k->r = 1 \/ own \/ own/' errors
	own stat/make_like 's/ : 0\)\) \* own \/ k->r/ : 0)) * own/' errors
	own stat/make_like 's/const double own = .*$/const double own = 1;/' errors
	own stat/make_like 's/variance = .*$/variance = 1;/' errors
	faulty_tools job/margins_at 's/m->keys \+ m->n - 1, x/m->keys, x/' margins \
	    '--margins=F: exact' dpcount dpwindow
	faulty_tools job/set_levels 's/number\[i\] = next\[.*$/number[i] = 0;/' margins \
	    '--margins=F: exact' dpcount dpwindow
}

@test "totals with noise of their own: a user's number leaves its key alone" {
	faulty_tools input/dp_events_terms 's/if \(e->tool->at != NULL\)/if (false)/' margins \
	    '--margins=F: exact' dpcount dpwindow
}

@test "totals with noise of their own: a state goes on with totals of other keys" {
	faulty_tools stat/margins_make 's/^\tdp_numbers_same_bytes\(.*"(keys|firsts)".*$//' \
	    margins '--margins=F: exact' dpcount
}

@test "totals with noise of their own: a plan's check takes one band for another, or fewer" {
	own audit/around 's/line\[b->bound\.whole->bound\.got\]/line[AUDIT_BANDS - 1]/' exact
	own audit/of_bands 's/&& strcmp.* == 0/\&\& true/' exact
	faulty_tools audit/audit_bound_end 's/of_bands\(b\) && /false \&\& /' margins \
	    '--margins=F: exact' dpaudit dpcount dpwindow
}

@test "--top=K+: others without the largest, an interval as if they were named before" {
	faulty_tools explain/put_others 's/for \(i = 0; i < n/for (i = 1; i < n/' top '--top=K+' \
	    dpcount
	faulty_tools explain/put_others 's/all \+ \(double\)n \* one/all/' top '--top=K+' dpcount \
	    dpwindow
}
