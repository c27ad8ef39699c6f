# SPDX-License-Identifier: ISC
# Lines of every log that --log=list has, 1000 of each, to a file of its name; and JSON.
function day(i) { return 1 + i % 3 }
function clock(i) { return sprintf("%02d:%02d:%02d", i % 24, i % 60, i * 7 % 60) }
function clf(i) { return sprintf("[%02d/May/2026:%s +0000]", day(i), clock(i)) }
function iso(i) { return sprintf("2026-05-%02dT%sZ", day(i), clock(i)) }
function put(name, line) { print line >name }

function lines(i) {
	ip = "192.0." i % 200 "." i % 250
	path = "/images/page-" i % 30 ".html?x=" i
	request = "\"GET " path " HTTP/1.1\""
	status = i % 7 ? 200 : 404
	size = 100 + i * 37 % 90000
	level = i % 7 ? "error" : "crit"
	at = 1777636800 + i * 200
	common = ip " - - " clf(i) " " request " " status " " size
	combined = common " \"https://example.org/a\" \"" agent "\""
	head = sprintf("May %2d %s www ", day(i), clock(i))
	inner = combined
	gsub(/"/, "\\\"", inner)
	put("common", common)
	put("combined", combined)
	put("vhost", "www.example.org:443 " combined)
	put("lighttpd", ip " www.example.org - " clf(i) " " request " " status " " size \
	    " \"-\" \"" agent "\"")
	put("traefik", combined " " i " \"web@docker\" \"http://10.0.0.1:80\" " i % 90 "ms")
	put("haproxy", ip ":33317 " substr(clf(i), 1, 21) ".655] in web/srv1 10/0/30/69/" \
	    100 + i % 9 " " status " " size " - - ---- 1/1/1/1/0 0/0 " request)
	put("squid", at ".779    " i % 900 " " ip " TCP_MISS/" status " " size \
	    " GET http://example.org" path " - DIRECT/10.0.0.1 text/html")
	put("alb", "http " iso(i) " app/lb/50dc6c495c0c9188 " ip ":2817 10.0.0.1:80 0.000 " \
	    "0.001 0.000 " status " " status " 34 " size " " request " \"" agent "\" - -")
	put("s3", "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be b " \
	    clf(i) " " ip " - 3E57427F3EXAMPLE REST.GET.OBJECT a" i % 9 " " request " " \
	    status " - " size " 300 7 6 \"-\" \"" agent "\" -")
	put("caddy", "{\"level\":\"info\",\"ts\":" at ".779,\"logger\":\"http.log.access\"," \
	    "\"request\":{\"remote_ip\":\"" ip "\",\"method\":\"GET\",\"uri\":\"" path \
	    "\",\"headers\":{\"User-Agent\":[\"" agent "\"]}},\"size\":" size \
	    ",\"status\":" status "}")
	put("syslog", head "sshd[" 24200 + i "]: " text ip " port 22 ssh2")
	put("journal", head "sshd[" 24200 + i "]: " text ip " port 22 ssh2")
	put("rfc5424", "<165>1 " iso(i) " www.example.org sshd " i \
	    " ID47 [x@32473 iut=\"3\" source=\"App\"] " text ip)
	put("journald", "{\"__CURSOR\":\"s=6c7c6013a26343b29e964691ff25d04c;i=" i \
	    "\",\"__REALTIME_TIMESTAMP\":\"" at "779123\",\"_PID\":\"" i \
	    "\",\"SYSLOG_IDENTIFIER\":\"sshd\",\"PRIORITY\":\"6\",\"MESSAGE\":\"" text ip \
	    " port 22 ssh2\"}")
	put("docker", "{\"log\":\"" text ip " port 22 ssh2\\n\",\"stream\":\"std" \
	    (i % 2 ? "out" : "err") "\",\"time\":\"" iso(i) "\"}")
	put("cri", iso(i) " std" (i % 2 ? "out" : "err") " F " text ip " port 22 ssh2")
	put("ltsv", "time:" substr(clf(i), 2, 26) "\thost:" ip "\treq:GET " path \
	    "\tstatus:" status "\tsize:" size "\treferer:-\tua:" agent)
	put("logfmt", "time=" iso(i) " level=" level " msg=\"handled a request of " ip \
	    "\" method=GET path=" path " status=" status " size=" size)
	put("nginx-error", sprintf("2026/05/%02d %s [%s] 1234#1234: *%d open() \"%s\" " \
	    "failed (2: No such file or directory), client: %s, server: x, request: %s", \
	    day(i), clock(i), level, i, path, ip, request))
	put("apache-error", sprintf("[Fri May %02d %s.123456 2026] [core:%s] [pid 35708:tid " \
	    "4328636416] [client %s:33317] File does not exist: /htdocs%s", day(i), \
	    clock(i), level, ip, path))
	sql = "duration: 52.114 ms  statement: select * from t where a = " i
	put("postgres", sprintf("2026-05-%02d %s.123 UTC [%d] u%d@db %s:  %s", day(i), \
	    clock(i), i, i % 9, i % 7 ? "LOG" : "ERROR", sql))
	put("csvlog", sprintf("2026-05-%02d %s.123 UTC,\"u%d\",\"db\",%d,\"%s:59633\",57b.4," \
	    "2,\"SELECT\",2026-05-01 08:31:00 UTC,3/1,0,%s,00000,\"%s\",,,,,,,,,\"psql\"," \
	    "\"client backend\",,0", day(i), clock(i), i % 9, i, ip, \
	    i % 7 ? "LOG" : "ERROR", sql))
	put("w3c", sprintf("2026-05-%02d %s 10.0.0.5 GET %s - 443 - %s " \
	    "Mozilla/5.0+(Windows+NT+10.0;+Win64;+x64)+Chrome/120 - %d 0 %d", day(i), \
	    clock(i), path, ip, status, i % 900))
	put("syslog+combined", head "nginx: " combined)
	put("docker+combined", "{\"log\":\"" inner "\\n\",\"stream\":\"stdout\",\"time\":\"" \
	    iso(i) "\"}")
	put("json", "{\"time\":\"" iso(i) "\",\"status\":" status ",\"ip\":\"" ip \
	    "\",\"tags\":[\"a" i % 5 "\",\"b" i % 3 "\",\"c\"]}")
}

BEGIN {
	agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120"
	text = "Failed password for root from "
	put("w3c", "#Version: 1.0\n#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query " \
	    "s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-win32-status " \
	    "time-taken")
	for (i = 0; i < 1000; i++)
		lines(i)
}
