# SPDX-License-Identifier: ISC
# The sample data: the same bytes with every awk, and what the pages say is in it.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..
DATA=$DP_BUILD/share/dputils/sample
# Outputs that the pages show are of these bytes
SUM='3592466086 1221073'

@test "the sample data has the bytes that the pages speak of, with each awk that is here" {
	cat "$DATA"/* | cksum | diff - <(echo "$SUM")
	for awk in mawk gawk original-awk busybox; do
		path=$(type -P $awk) || continue
		mkdir $awk
		[ $awk != busybox ] || path+=' awk'
		printf '#!/bin/sh\nexec %s "$@"\n' "$path" >$awk/awk
		chmod +x $awk/awk
		PATH=$PWD/$awk:$PATH sh "$TOP/man/sample/make.sh" $awk/data
		cat $awk/data/* | cksum | diff - <(echo "$SUM")
	done
}

@test "5,000 requests in seven days, with users, bots, bad hours and times of answers" {
	awk '{ n++; d[substr($4, 2, 11)]++; h[substr($4, 14, 2)]++; who[$1]++; users[$3]
	    slow += $NF >= 1; bad += $9 >= 500; bot += /Bot|monitor/
	    was = $9 == 503 && $4 !~ /05.May.2026:1[45]/ ? was + 1 : was }
	    END { for (i in d) days++; for (i in who) { c++; often += who[i] >= 100 }
	    for (i in users) u++
	    print n, days, c, often, u, slow, bad, bot, was + 0, h["04"], h["19"]
	    exit !(n == 5000 && days == 7 && c > 400 && often > 5 && u > 12 && slow > 30 &&
	    bad > 30 && bot > 500 && was == 0 && h["19"] > 4 * h["04"]) }' "$DATA/access.log"
	cut -d '[' -f 2 "$DATA/access.log" | cut -d ' ' -f 1 | sort -c
	jq -er '.variant + .event' "$DATA/events.jsonl" | sort -u | tr '\n' ' ' |
	    diff - <(printf 'Abuy Acart Asignup Avisit Bbuy Bcart Bsignup Bvisit ')
	[ "$(head -n 1 "$DATA/sales.csv")" = date,user,product,amount,shop ]
	# nobody's addresses (RFC 5737, RFC 3849)
	! awk '{ print $1 }' "$DATA/access.log" |
	    grep -vE '^(192\.0\.2|198\.51\.100|203\.0\.113)\.|^2001:db8:'
}

@test "the sample's files are those of dputils(7)" {
	for f in access.log events.jsonl sales.csv; do
		grep -qx ".It Pa $f" "$TOP/man/dputils.7"
		[ -s "$DATA/$f" ]
	done
	grep -qF '/share/dputils/sample' "$TOP/man/dputils.7"
}
