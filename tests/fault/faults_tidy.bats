#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in -o long and -o prometheus; each must make its test fail.

load faults

@test "tidy: a label's quotes are not escaped" {
	faulty_tools explain/label "s/if \(\*s == '\"' \|\|/if (/" tidy 'names with' dpcount
}

@test "tidy: a label's newline ends the line" {
	faulty_tools explain/label 's/dp_buf_puts\(b, "\\\\n"\)/dp_buf_puts(b, "\\n")/' tidy \
	    'names with' dpcount
}

@test "tidy: samples of earlier steps stay" {
	faulty_tools explain/dp_print_again \
	    's/dp_buf_reset\(&r->print\.samples\.family\[i\]\)/(void)r/' tidy \
	    'empty tables' dpcount
}

@test "tidy: names are not quoted" {
	faulty_tools explain/dp_print_text 's/ \|\| format == DP_LONG;/;/' tidy 'names with' dpcount
}

@test "tidy: HELP is silent about seeded noise" {
	faulty_tools explain/put_families 's/r->o->priv\.has_seed \?/r->o->priv.exact \?/' tidy \
	    'prometheus: the guarantee' dpcount
}

@test "tidy: the last step is not printed where a state has others" {
	faulty_tools run/finish 's/\(e = dp_print_last\(r\)\) != 0/r->t < 4 \&\& &/' tidy \
	    'prometheus: a state' dpcount
}
