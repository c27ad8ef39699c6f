#!/bin/sh
# SPDX-License-Identifier: ISC
# sh tests/proof.sh DIR [FILE ...]: checks the proofs of tests/proof, or of these files, with Coq,
# into DIR, and prints their theorems and the axioms that they stand on.  The status is 1 if a proof
# fails, is admitted, or stands on an axiom that the real numbers of Coq's library do without.
set -eu
command -v coqc >/dev/null || {
	echo "make proof: needs Coq: apt-get install coq" >&2
	exit 1
}
from=$(cd "$(dirname "$0")/proof" && pwd)
mkdir -p "$1"
cd "$1"
shift
[ $# -gt 0 ] || set -- "$from"/*.v
: >theorems
for file; do
	name=$(basename "$file" .v)
	cp "$file" "$name.v"
	coqc -q "$name.v"
	echo "Require $name." >>requires
	sed -nE "s/^[[:space:]]*(Theorem|Corollary) ([A-Za-z_0-9]+).*/$name.\2/p" "$file" >>theorems
done
{
	cat requires
	sed 's/.*/Definition of_&:= &./; s/^\(Definition of_[A-Za-z0-9]*\)\./\1_/' theorems
	echo "Definition theorems := ("
	sed 's/^/of_/; s/\./_/; $!s/$/,/' theorems
	echo "). Print Assumptions theorems."
} >Theorems.v
rm requires
coqc -q Theorems.v >axioms
cat theorems
echo
cat axioms
known='ClassicalDedekindReals.sig_not_dec|ClassicalDedekindReals.sig_forall_dec'
known="$known|FunctionalExtensionality.functional_extensionality_dep|Classical_Prop.classic"
# an axiom's name begins its line, its type may follow on the next
! sed -nE 's/^([A-Za-z_.0-9]+)( :.*)?$/\1/p' axioms | grep -vxE "$known" || {
	echo "these are not proved"
	exit 1
}
