# SPDX-License-Identifier: ISC
# The files that the examples of the pages, README.md and dputils-recipes(7) speak of.  To be loaded
# after the helper; TOP is the repository.

# The files that the examples speak of
example_files() {
	bits 500 >bits.txt
	integers 300 | awk '{
		printf "192.0.2.%d - - [%02d/May/2026:%02d:%02d:07 +0000] " \
		    "\"GET /p%d HTTP/1.1\" %d %d\n",
		    $1 % 40, 1 + int(NR / 101), NR % 24, $1 % 60, $1 % 7,
		    $1 % 5 ? 200 : $1 % 3 ? 404 : 503, $1
	}' >access.log
	integers 50 | awk 'BEGIN { print "id,amount,shop,date" } {
	    printf "%d,%d.%02d,\"Main St, %d\",2026-%02d-%02d\n", NR, $1 / 10, $1 % 100, $1 % 3,
	    4 + NR % 3, 1 + $1 % 30 }' >sales.csv
	integers 60 >daily.txt
	integers 200 | awk '{
		printf "May %2d %02d:%02d:07 www %s[%d]: %s\n", 1 + int(NR / 51), NR % 24, $1 % 60,
		    $1 % 3 ? "cron" : "sshd", $1, $1 % 7 ? "session opened" : "Error 5"
	}' >syslog
	integers 200 | awk '{
		printf "{\"time\":\"2026-05-%02dT%02d:00:00Z\",\"ms\":%d,\"response\":" \
		    "{\"status\":%d}}\n", 1 + int(NR / 51), NR % 24, $1, $1 % 5 ? 200 : 404
	}' >requests.json
	printf 'Main St, %d\n' 0 1 2 >shops.txt
	events_file
	counters_file
	integers 90 | awk 'BEGIN { split("North East South", region, " ")
	    print "region,people,cases,deaths" } {
		printf "%s,%d,%d,%d\n", region[1 + NR % 3], 5000 + 90 * $1, 40 + $1, $1 / 20 }' \
	    >regions.csv
	integers 600 | awk 'BEGIN { split("Center Harbor Station", shop, " ")
	    print "shop,kind" } { i = 1 + $1 % 3
		print shop[i] "," (i == 3 || $1 % 5 < 3 ? "book" : "map") }' >orders.csv
	integers 900 | awk 'BEGIN { print "group,bought" } {
		bought = $1 % 100 < (NR % 2 ? 30 : 39)
		printf "%s,%s\n", NR % 2 ? "A" : "B", bought ? "yes" : "no" }' >visits.csv
	integers 400 | awk 'BEGIN { print "age,weight,answer" } {
		printf "%d,%.2f,%s\n", 16 + $1 % 75, .25 + $1 % 371 / 100,
		    $1 % 7 < 3 ? "yes" : "no" }' >survey.csv
	covid_file
	apache_file
}

# What users of a shop did in three days, some of them often
events_file() {
	integers 900 | awk 'BEGIN { print "time,user,event,amount,device,ms,country"
	    split("DE FR IT ES", at, " ") } {
	    u = $1 % 7 ? $1 % 120 : 1; e = $1 * 31 % 97 % 10
	    printf "2026-05-%02dT%02d:%02d:00Z,u%d,%s,%s,d%d,%d,%s\n", 1 + int((NR - 1) / 300),
	    NR % 24, $1 % 60, u, e < 6 ? "view" : e < 8 ? "cart" : "buy",
	    e < 8 ? 0 : $1 / 10, $1 % 40, 20 + $1 * $1 % 991,
	    at[1 + (u + (NR % 9 == 0)) % 4] }' >events.csv
}

# Readings of counters of 30 devices in the order of time, which some devices begin anew: three days
counters_file() {
	integers 600 | awk '{ d = $1 % 30; c[d] = NR % 101 == 0 ? $1 % 5 : c[d] + $1 % 9
	    printf "2026-05-%02dT%02d:00:00Z d%d %d\n", 1 + int((NR - 1) / 200), NR % 200 / 9, d,
	    c[d] }' >counters.txt
}

# Requests to a web site in four days of May 2015; some like them where the real are not at hand
apache_file() {
	local real=$TOP/../shared/data/apache_access.log

	if [ -r "$real" ]; then
		cat "$real" >apache.log
	else
		integers 9000 | awk 'BEGIN { n = split("/favicon.ico /style2.css /reset.css " \
		    "/robots.txt / /other", page, " ") } {
			t = NR * 34 + 36000
			printf "192.0.2.%d - - [%02d/May/2015:%02d:%02d:%02d +0000] " \
			    "\"GET %s HTTP/1.1\" %d %d\n", $1 % 99, 17 + int(t / 86400),
			    int(t / 3600) % 24, int(t / 60) % 60, t % 60,
			    page[1 + int($1 / 7 % n * ($1 % 13) / 13)], $1 % 9 ? 200 : 304, $1
		}' >apache.log
	fi
}

# Cases of COVID-19 so far, day by day; numbers like them where the real ones are not at hand
covid_file() {
	local real=$TOP/../shared/data/covid_worldwide.csv

	if [ -r "$real" ]; then
		cat "$real" >covid.csv
	else
		integers 100 |
		    awk 'BEGIN { print "Date,Confirmed,Recovered,Deaths,Increase rate"; s = 557 } {
			print strftime("%Y-%m-%d", 1579651200 + (NR - 1) * 86400, 1) "," s ",30,17,"
			s += int(exp(NR / 7) + $1) }' >covid.csv
	fi
	awk -F, 'NR > 2 { print $1 "," $2 - last } { last = $2 }' covid.csv >cases.csv
}
