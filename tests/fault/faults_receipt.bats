#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in receipts and keys: each must make its test fail.

load faults

# receipt FILE EDIT TEST TOOL ...
receipt() {
	faulty_tools "$1" "$2" receipts "$3" "${@:4}"
}

@test "the signature is of the first half" {
	receipt store/dp_signed_end 's/\)b->p, b->n, k->secret/)b->p, b->n \/ 2, k->secret/' \
	    "a run's receipt" dpcount
}

@test "any signature is good" {
	receipt store/dp_signed_good 's/signer\) == 0;/signer) <= 0;/' 'each byte of a receipt' \
	    dpaudit
}

@test "what follows the signature is not looked at" {
	receipt store/parse,dp_signed_good 's/strcmp\(end, "\\n"\) == 0/*end == 10/
	    s/strlen\(hex\) == HEX\(n\) \+ 1/strlen(hex) > HEX(n)/
	    s/at = text.p \+ text.n - last;/at = strstr(text.p, SIGNATURE);/' \
	    'each byte of a receipt' dpaudit
}

@test "a key that others may read signs" {
	receipt store/read_key 's/st.st_mode \& 077/st.st_mode \& 022/' 'keys: mode' dpcount
}

@test "a new key is written over the old one" {
	receipt store/create_signed 's/O_CREAT \| O_EXCL/O_CREAT/' 'keys: mode' dpaudit
}

@test "halves of two keys are taken for one" {
	receipt store/dp_key_read 's/sodium_memcmp\(again, k->secret, sizeof again\) != 0/false/' \
	    'bad input: keys' dpcount
}

@test "what was owed is not counted as released" {
	receipt store/dp_state_emit \
	    's/if \(s->watch\.sent != NULL\)/if (s->watch.sent != NULL \&\& from != 0)/' \
	    'a state: each run' dpcount
}

@test "the receipt is written before the last lines are out" {
	receipt run/dp_tool_main 's/(dp_charge\(\&r\);)/\1 dp_receipt_end(\&r);/' \
	    "a run's receipt" dpcount
}

@test "a receipt is written in its place, byte by byte" {
	receipt store/open_tmp '/^open_tmp\(/,/^}/s/".tmp"/""/' \
	    "a run's receipt" dpcount
}

@test "the plan that is signed is of another tool" {
	receipt run/dp_receipt_begin 's/text.p, text.n, NULL, 0/text.p, text.n \/ 2, NULL, 0/' \
	    "a run's receipt" dpcount
}

@test "another signer is as good" {
	receipt run/dp_verify_receipt 's/of->signer == NULL \|\| memcmp/true || memcmp/' \
	    'each byte of a receipt' dpaudit
}

@test "another output is as good" {
	receipt run/dp_verify_receipt 's/all = (same_check\(&b, "released", hash\)) && all/\1/' \
	    'what it is not about' dpaudit
}
