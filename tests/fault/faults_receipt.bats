#!/usr/bin/env bats
# Planted faults in receipts and keys: each must make its test fail.

load faults

# receipt FILE EDIT TEST TOOL ...
receipt() {
	faulty_tools "$1" "$2" receipts "$3" "${@:4}"
}

@test "the signature is of the first half" {
	receipt state/signed.c 's/\)b->p, b->n, k->secret/)b->p, b->n \/ 2, k->secret/' \
	    "a run's receipt" dpcount
}

@test "any signature is good" {
	receipt state/signed.c 's/signer\) == 0;/signer) <= 0;/' 'each byte of a receipt' dpaudit
}

@test "what follows the signature is not looked at" {
	receipt state/signed.c 's/strcmp\(end, "\\n"\) == 0/*end == 10/
	    s/strlen\(hex\) == HEX\(n\) \+ 1/strlen(hex) > HEX(n)/
	    s/at = text.p \+ text.n - last;/at = strstr(text.p, SIGNATURE);/' \
	    'each byte of a receipt' dpaudit
}

@test "a key that others may read signs" {
	receipt state/signed.c 's/st.st_mode \& 077/st.st_mode \& 022/' 'keys: mode' dpcount
}

@test "a new key is written over the old one" {
	receipt state/signed.c 's/O_CREAT \| O_EXCL/O_CREAT/' 'keys: mode' dpaudit
}

@test "halves of two keys are taken for one" {
	receipt state/signed.c 's/sodium_memcmp\(again, k->secret, sizeof again\) != 0/false/' \
	    'bad input: keys' dpcount
}

@test "what was owed is not counted as released" {
	receipt state/emit.c \
	    's/if \(s->watch\.sent != NULL\)/if (s->watch.sent != NULL \&\& from != 0)/' \
	    'a state: each run' dpcount
}

@test "the receipt is written before the last lines are out" {
	receipt run/driver.c 's/(dp_charge\(\&r\);)/\1 dp_receipt_end(\&r);/' \
	    "a run's receipt" dpcount
}

@test "a receipt is written in its place, byte by byte" {
	receipt state/signed.c '/^open_tmp\(/,/^}/s/".tmp"/""/' \
	    "a run's receipt" dpcount
}

@test "the plan that is signed is of another tool" {
	receipt run/receipt.c 's/text.p, text.n, NULL, 0/text.p, text.n \/ 2, NULL, 0/' \
	    "a run's receipt" dpcount
}

@test "another signer is as good" {
	receipt run/receipt_check.c 's/of->signer == NULL \|\| memcmp/true || memcmp/' \
	    'each byte of a receipt' dpaudit
}

@test "another output is as good" {
	receipt run/receipt_check.c 's/all = (same\(&b, "released", hash\)) && all/\1/' \
	    'what it is not about' dpaudit
}
