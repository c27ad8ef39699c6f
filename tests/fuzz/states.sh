#!/bin/sh
# SPDX-License-Identifier: ISC
# Writes the corpus of f_state: with the tools in PATH,
# sh tests/fuzz/states.sh tests/fuzz/corpus/f_state
# A state of each kind that goes on (good-*), and what power cuts and
# forgers make of such.  A file is a state without its last line, the checksum; all are seeded, so
# that only lineage, inode and born differ from run to run.
set -eu
to=$(cd "$1" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
# what a version before wrote stays: none of today can write it
find "$to" -type f ! -name 'params-*' -delete
printf '1\n0\n1\n1\n' >bits
printf '10 a u1\n70 b u2\n3700 a u1\n' >events

# good NAME TOOL ARG ...: the state after a run
good() {
	name=$1 tool=$2
	shift 2
	rm -f s s.lock o
	"$tool" --state=s --init -e 1 --seed=1 "$@" >/dev/null 2>err || [ $? -eq 4 ] ||
	    { cat err; exit 1; }
	grep -av '^blake2b ' s >"$to/good-$name"
}

# forged NAME GOOD SED-SCRIPT
forged() {
	sed "$3" "$to/good-$2" >"$to/$1"
	! cmp -s "$to/$1" "$to/good-$2" || { echo "$1: nothing was forged" >&2; exit 1; }
}

good lines dpcount -T 100 bits
good options dpcount -T 100 -F ' ' -m . --fixed -i -o json -B0.9 -n --nonnegative --strict bits
good endless dpcount bits
good record dpcount -T 100 --batch=2026-05-01 -n -o csv -B bits
good out dpcount -T 100 --out=o bits
good keys dpcount -T 100 -k 2 --keys=a,b,%,@ events
good users dpcount -T 100 -t 1 --time-format=epoch -u 3 -c 2 --bucket=1h --public-times events
good range dpcount -T 100 -t 1 --time-format=epoch --bucket=1h --from=0 --to=7200 events
good live dpcount -T 100 --bucket=1h --live=2h /dev/null
good times dpcount -T 100 -t 1 --time-format=epoch --bucket=1m --public-times events
good kary dpcount -T 100 -M kary bits
good slots dpcount -T 100 -M pan-slots bits
good response dpcount -T 100 -M response bits
good values dpcount -T 100 -r -1.5:2.5 bits
good expire dpcount -T 100 --expire=7 bits
good gradual dpcount -T 100 --expire=gradual:0.1 bits
good blt dpcount -T 100 -d 1e-6 -M blt bits
good bltnorm dpcount -T 100 -d 1e-6 -M blt-norm bits
good tree dpcount -T 100 -M tree bits
good normtree dpcount -T 100 -M normtree bits
good window dpwindow -T 100 -w 2,7 bits
good halflife dpdecay -T 100 --half-life=3 bits
good power dpdecay -T 100 -p 1 bits
good powers dpdecay -T 100 -p 1 -M input bits
good polysum dpdecay -T 100 -p 1 -M paper bits
good expsum dpdecay -T 100 -a 0.9 -M expsum-paper bits
good output dpdecay -T 100 -a 0.9 -M output bits
good windowblt dpwindow -T 100 -d 1e-6 -w 7 -M blt bits
# --seed is refused with -P: what this one holds is drawn anew each time
rm -f s s.lock
dpcount --state=s --init -e 1 -T 100 -P bits >/dev/null
grep -av '^blake2b ' s >"$to/good-pan"

forged keys-half keys 's/^keys .*/keys a%5/'
forged keys-percent keys 's/^keys .*/keys a,%/'
forged keys-nul keys 's/^keys .*/keys a%00b/'
forged user-half users 's/^user .*/user %6/'
forged user-none users 's/^user .*/user 0/'
forged own-half expire 's/^own-expire .*/own-expire 7%/'
forged own-long expire "s/^own-expire .*/own-expire $(printf '%05000d' 7)/"
forged range-half values 's/^range .*/range -1.5:/'
forged epsilon-zero lines 's,^epsilon .*,epsilon 1/0,'
forged steps-strange lines 's/^steps .*/steps day/'
forged mechanism-long lines "s/^mechanism .*/mechanism $(printf 'x%.0s' 1 2 3 4 5 6 7 8 \
    9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33)/"
forged step-beyond lines 's/^step 4/step 9/; s/^horizon .*/horizon 5/'
forged users-short users 's/^users 2/users 3/'
forged users-many users 's/^users 2/users 9/'
forged column-all-ones lines '/^column/s/[0-9a-f]\{16\}/7fffffffffffffff/g'
forged column-cut lines '/^column/s/[0-9a-f]$/ /'
forged column-none lines 's/^column/columm/'
forged options-half options 's/^set-bound .*/set-bound %/'
forged options-none options 's/^set-bound .*/set-bound -/'
forged options-strange options 's/^set-output .*/set-output tea/'
forged options-pattern options 's/^set-match .*/set-match %28/; /^set-fixed/d'
for i in normtree endless blt bltnorm power powers polysum expsum output kary slots response \
    windowblt; do
	forged noise-zero-$i $i '/^noise/s/ [0-9][0-9]*/ 0/g'
	forged noise-ones-$i $i '/^noise/s/ [0-9][0-9]*/ 1/g'
	forged noise-large-$i $i '/^noise/s/ [1-9][0-9]*/ 0x7fffffffffffffff/g'
	# whole numbers are all that some have
	! grep -q '^noise.* 0x1[.0-9a-f]*p' "$to/good-$i" ||
	    forged noise-real-$i $i '/^noise/s/ 0x1[.0-9a-f]*p[-+0-9]*/ 0x1p-30/g'
	forged noise-short-$i $i '/^noise/s/ [^ ]*$//'
done
forged noise-none lines '/^noise/d'
forged noise-twice lines 's/^noise.column.bytes .*/&\
&/'
forged noise-half lines 's/^noise.task.beta .*/& g/'
forged params-half lines 's/^noise.task.alpha .*/params 0 0 0 g/; /^noise/d'
forged format-none lines '/^dputils-job/d'
forged format-other lines 's/^dputils-job .*/dputils-job 2/'
forged tail out 's/^outlen .*/& tail 7/'
forged tail-zero out 's/^outlen .*/& tail 0/'
zeros="blake2b $(printf '%064d' 0)"
forged annex-old record "s/^body /old 9 file 1\\n$zeros\\n&/"
forged annex-both users "s/^body /old 9 file 0\\n$zeros\\ntable 32 file 1\\n$zeros\\n&/"
forged annex-settled record "s/^body /old 9 file 1\\n$zeros\\n&/; s/ settled .*/ settled 9/"
forged annex-third record "s/^body /old 9 file 2\\n$zeros\\n&/"
forged annex-short record "s/^body /old 9 file 1\\n${zeros%0}\\n&/"
forged annex-empty record "s/^body /old 0 file 1\\n$zeros\\n&/"
forged batch-dash record 's/^batch .*/batch --/'
forged kept-none record 's/^batch .*/batch -/'
forged settled-middle record 's/ settled .*/ settled 3/'
forged lineage-short lines 's/^lineage ./lineage /'
head -c 700 "$to/good-lines" >"$to/torn"
{ head -c 300 "$to/good-lines"; head -c 600 /dev/zero; } >"$to/torn-zeros"
: >"$to/empty"
