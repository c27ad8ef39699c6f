#!/bin/sh
# SPDX-License-Identifier: ISC
# make.sh DIR: writes the sample data into DIR: a made-up shop of books and maps, in the week from
# Friday 2026-05-01 to Thursday 2026-05-07, UTC.  Nobody's data; always the same bytes, with any awk.
#
#	access.log	5,000 requests as nginx writes them: the combined format and, at the end,
#			the seconds that the answer took
#	events.jsonl	what 600 visitors did, line by line in JSON: signup, visit, cart, buy
#	sales.csv	what was sold, with a header
#	cases.csv	a date and a total a row, of the winter before: cases of a cold
#	pages.txt shops.txt		lists that are public: keys
#	app.log auth.log web.log counters.txt regions.csv survey.csv visits.csv answers.txt bits.txt
#			small ones of other forms, for dputils-recipes(7)
set -eu
mkdir -p "$1"
cd "$1"
export LC_ALL=C

# with PROGRAM: awk, with what all programs use.  Whole numbers alone decide, so that no awk and no
# C library makes other data.
with()
{
	awk 'function below(n) {	# 0 to n - 1: the generator of Park and Miller
		seed = seed * 16807 % 2147483647
		return int(seed / 8) % n
	}
	function chance(percent) { return below(100) < percent }
	function heavy(n) { return below(below(below(n) + 1) + 1) }	# small ones are usual
	function day(t) { return 1 + int(t / 86400) }
	function clock(t) {
		return sprintf("%02d:%02d:%02d", int(t / 3600) % 24, int(t / 60) % 60, t % 60)
	}
	function iso(t) { return sprintf("2026-05-%02dT%sZ", day(t), clock(t)) }
	# A second of the week: more by day than at night, fewer on Saturday and Sunday
	function moment(	t) {
		do
			t = below(604800)
		while (below(100) >= hours[1 + int(t / 3600) % 24] * days[day(t)] / 10)
		return t
	}
	# An address that is in no use (RFC 5737, RFC 3849)
	function address(n) {
		return n % 5 == 4 ? "2001:db8:" n % 90 "::" n : \
		    n % 3 == 0 ? "192.0.2." 1 + int(n / 3) % 254 : \
		    n % 3 == 1 ? "198.51.100." 1 + int(n / 3) % 254 : \
		    "203.0.113." 1 + int(n / 3) % 254
	}
	BEGIN {
		seed = 20260501
		split("14 9 6 5 5 8 17 32 52 68 75 78 82 79 74 76 80 86 94 100 98 80 52 28", hours)
		split("9 7 6 10 10 10 9", days)		# from Friday on
	}'"$1"
}

with '
	function line(t, host, user, request, status, size, referer, agent, ms) {
		printf "%d\t%s - %s [%02d/May/2026:%s +0000] \"%s HTTP/1.1\" %d %d \"%s\" \"%s\" " \
		    "%d.%03d\n", t, host, user, day(t), clock(t), request, status, size, referer,
		    agent, int(ms / 1000), ms % 1000
		n++
	}
	function get(t, host, user, page, from, agent,	status, size, ms) {
		if (n >= 5000 || t >= 604800)
			return
		status = 200
		size = 3000 + below(9000)
		ms = 20 + below(60) + heavy(400)
		if (page == "/search")
			ms += 80 + heavy(1500)
		if (page ~ /[.]/) {		# a file, which a browser may have already
			ms = 1 + below(9)
			size = page ~ /png/ ? 20000 + below(60000) : 900 + below(300)
			if (user != "-" && chance(40)) {
				status = 304
				size = 0
			}
		}
		if (page ~ /old/ || page ~ /wp-/)
			status = 404
		if (below(1000) < 4)
			status = 500
		# on Tuesday afternoon the database was down
		if (t >= 4 * 86400 + 50400 && t < 4 * 86400 + 55800 && page !~ /[.]/) {
			ms = ms * 6 + 400
			if (chance(35))
				status = 503
		}
		if (status >= 400) {
			size = 150 + below(20)
		}
		line(t, host, user, "GET " page, status, size, from, agent, ms)
	}
	BEGIN {
		k = split("anna ben carla david emma felix greta hugo ida jonas klara leon mia " \
		    "noah olga paul rosa sam tilda viktor", name, " ")
		a = split("Firefox/128.0 Chrome/126.0 Safari/605.1 Edg/126.0", browser, " ")
		m = split("/ / / /books /books /maps /search /search /cart /about", page, " ")
		# machines: a monitor, a crawler, somebody who looks for holes
		for (t = 137; t < 604800; t += 1800)
			get(t, "203.0.113.250", "-", "/health", "-", "monitor/2.1")
		for (t = 300; t < 604800; t += 4000 + below(3000)) {
			get(t, "198.51.100.77", "-", "/robots.txt", "-", "ExampleBot/1.0")
			for (i = 1 + below(6); i > 0; i--)
				get(t + 7 * i, "198.51.100.77", "-", "/" (chance(20) ? "old" : \
				    "books") "/" 1 + below(60), "-", "ExampleBot/1.0")
		}
		for (t = 3 * 86400 + 9000; t < 3 * 86400 + 9240; t += 4)
			get(t, "192.0.2.201", "-", "/wp-" (t % 3 ? "login" : "admin") ".php", "-", "-")
		# people: some who have an account come often, a few of them very often
		while (n < 5000) {
			t = moment()
			regular = chance(30)
			who = regular ? 1 + heavy(k) : k + 1 + below(640)
			host = address(regular && chance(25) ? 700 + who : who)
			user = "-"
			agent = "Mozilla/5.0 " browser[1 + who % a]
			from = chance(40) ? "https://search.example/" : "-"
			for (i = 1 + heavy(12) + (regular ? below(4) : 0); i > 0; i--) {
				p = page[1 + below(m)]
				if ((p == "/books" || p == "/maps") && chance(60))
					p = p "/" 1 + heavy(60)
				get(t, host, user, p, from, agent)
				if (i % 3 == 0)
					get(t + 1, host, user, chance(50) ? "/style.css" : \
					    "/logo.png", "https://shop.example" p, agent)
				if (regular && user == "-" && n < 5000) {
					line(t + 3, host, name[who], "POST /login", 302, 0,
					    "https://shop.example" p, agent, 40 + below(90))
					user = name[who]
				}
				from = "https://shop.example" p
				t += 4 + heavy(120)
			}
		}
	}' | sort -s -n -k 1,1 | cut -f 2- >access.log

with '
	BEGIN {
		split("DE DE DE FR FR IT ES AT", country, " ")
		for (n = 0; n < 3000;) {
			t = moment()
			u = 1 + (chance(40) ? heavy(600) : below(600))
			first = !(u in seen)
			seen[u]
			variant = u * 7 % 13 % 2 ? "A" : "B"
			for (i = 1 + heavy(9); i > 0 && t < 604800 && n < 3000; i--) {
				e = first ? "signup" : chance(variant == "A" ? 13 : 17) ? "buy" : \
				    chance(22) ? "cart" : "visit"
				first = 0
				cents = e == "buy" ? 500 + below(3000) + heavy(9000) : 0
				printf "%d\t{\"time\":\"%s\",\"user\":\"u%d\",\"event\":\"%s\"," \
				    "\"variant\":\"%s\",\"amount\":%d.%02d,\"ms\":%d," \
				    "\"device\":\"d%d\",\"country\":\"%s\"}\n", t, iso(t), u, e,
				    variant, int(cents / 100), cents % 100,
				    15 + below(70) + heavy(1200), u % 50, country[1 + u % 8]
				t += 10 + heavy(200)
				n++
			}
		}
	}' | sort -s -n -k 1,1 | cut -f 2- >events.jsonl

with '
	BEGIN {
		split("Center Harbor Station", shop, " ")
		split("book book book map map globe", product, " ")
		for (n = 0; n < 1200; n++) {
			t = moment()
			i = 1 + (chance(50) ? 0 : 1 + below(2))
			p = i == 3 ? "book" : product[1 + below(6)]
			cents = p == "map" ? 700 + below(1200) : p == "globe" ? 4000 + below(9000) : \
			    500 + below(3500)
			printf "%d\t2026-05-%02d,u%d,%s,%d.%02d,%s\n", day(t), day(t),
			    1 + (chance(40) ? heavy(600) : below(600)), p, int(cents / 100),
			    cents % 100, shop[i]
		}
	}' | sort -s -n -k 1,1 | cut -f 2- | sed '1i\
date,user,product,amount,shop' >sales.csv

# From Sunday 2026-01-04 on, a wave of thirteen weeks that begins and ends near 40 cases a day
with '
	BEGIN {
		split("31 28 31 30", length_, " ")
		m = 1; d = 4
		for (i = 0; i < 91; i++) {
			wave = i < 46 ? i : 91 - i
			printf "2026-%02d-%02d,%d\n", m, d, (40 + wave * wave / 2) * \
			    (i % 7 == 0 ? 5 : i % 7 == 6 ? 7 : 10) / 10 + below(12 + wave)
			if (++d > length_[m]) { d = 1; m++ }
		}
	}' >cases.csv

with '
	BEGIN {
		split("db web mail disk", part, " ")
		split("INFO INFO INFO WARN ERROR ERROR", level, " ")
		for (n = 0; n < 400; n++) {
			t = moment()
			printf "%d\t2026-05-%02d %s %s %s: job %d\n", t, day(t), clock(t),
			    level[1 + below(6)], part[1 + below(4)], n
		}
	}' | sort -s -n -k 1,1 | cut -f 2- >app.log

with '
	BEGIN {
		for (n = 0; n < 200; n++) {
			t = moment()
			printf "%d\tMay %2d %s www sshd[%d]: %s from %s port %d ssh2\n", t, day(t), clock(t),
			    900 + below(9000), chance(60) ? "Failed password for root" : \
			    "Accepted publickey for anna", address(chance(70) ? below(9) : below(640)),
			    20000 + below(40000)
		}
	}' | sort -s -n -k 1,1 | cut -f 2- >auth.log

# Some of the requests again, as a log server has them
awk 'NR % 10 == 0 { printf "May %2d %s www nginx: %s\n", substr($4, 2, 2), substr($4, 14), $0 }' \
    access.log >web.log

with '
	BEGIN {
		for (n = 0; n < 840; n++) {
			d = 1 + below(30)
			c[d] = below(100) == 0 ? below(5) : c[d] + below(9)
			printf "%s d%d %d\n", iso(n * 720), d, c[d]
		}
	}' >counters.txt

with '
	BEGIN {
		split("North East South", region, " ")
		print "region,people,cases,deaths"
		for (n = 0; n < 90; n++) {
			cases = 40 + below(1000)
			printf "%s,%d,%d,%d\n", region[1 + n % 3], 5000 + 90 * below(1000), cases,
			    int(cases / (15 + below(15)))
		}
	}' >regions.csv

with '
	BEGIN {
		print "age,weight,answer"
		for (n = 0; n < 400; n++) {
			w = 25 + below(371)
			printf "%d,%d.%02d,%s\n", 16 + below(75), int(w / 100), w % 100,
			    chance(43) ? "yes" : "no"
		}
	}' >survey.csv

# A row a visitor, of two variants of a page
with '
	BEGIN {
		print "group,bought"
		for (n = 0; n < 900; n++)
			printf "%s,%s\n", n % 2 ? "B" : "A", chance(n % 2 ? 39 : 30) ? "yes" : "no"
	}' >visits.csv

with 'BEGIN { for (n = 0; n < 300; n++) print chance(30) ? "yes" : "no" }' >answers.txt
with 'BEGIN { for (n = 0; n < 1000; n++) print below(2) }' >bits.txt
printf '%s\n' / /books /maps /search /cart /about >pages.txt
printf '%s\n' Center Harbor Station >shops.txt
