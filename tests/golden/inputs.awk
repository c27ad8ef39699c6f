# The inputs of the golden cases, into the working directory: whole numbers only, so that every awk
# makes the same.

function rnd(n) {
	x = (x * 69069 + 1) % 4294967296
	return int(x / 65536) % n
}

function bits(n,   f) {
	f = "b" n
	for (; n > 0; n--)
		print rnd(2) >f
	close(f)
}

function integers(n,   f) {
	f = "i" n
	for (; n > 0; n--)
		print rnd(1000) >f
	close(f)
}

function signed(n,   v) {
	for (; n > 0; n--) {
		v = sprintf("%s%d.%03d", rnd(3) ? "" : "-", rnd(14), rnd(1000))
		print (n % 9 ? v : n % 2 ? v "e-1" : "+" int(v)) >"s40"
	}
	close("s40")
}

# One event at a second of May 2026, in all forms of time
function event(s, i,   d, h, m, u, k, v) {
	d = 1 + int(s / 86400); h = int(s / 3600) % 24; m = int(s / 60) % 60; s %= 60
	u = "u" rnd(5); k = substr("abcd", 1 + rnd(4), 1); v = rnd(10)
	printf "%d %s %s %d\n", 1777593600 + (d - 1) * 86400 + h * 3600 + m * 60 + s, u,
	    k, v >"t.epoch"
	printf "2026-05-%02dT%02d:%02d:%02dZ %s %s %d\n", d, h, m, s, u, k, v >"t.iso"
	printf "2026-05-%02d %02d:%02d:%02d,123\t%s\t%s\t%d\n", d, h, m, s, u, k, v >"t.tsv"
	printf "192.0.2.%s - - [%02d/May/2026:%02d:%02d:%02d +0000] \"GET /%s HTTP/1.1\" %d %d\n",
	    substr(u, 2), d, h, m, s, k, v < 7 ? 200 : v < 9 ? 404 : 503, v * 100 >"t.clf"
	printf "May %2d %02d:%02d:%02d host %s[%d]: %s\n", d, h, m, s, u, i,
	    v ? "ok" : "Error" >"t.syslog"
	printf "%d.%d.26 %02d/%02d/%02d;%s;%s;%d\n", d, 5, h, m, s, u, k, v >"t.strp"
	printf "%d,\"%s\",%s,\"%d\",\"%s\"\n", i, u, k, v,
	    i % 7 ? "plain, or not" : "\"\"two\"\"\nlines" >"t.csv"
}

BEGIN {
	x = 1
	bits(1); bits(20); bits(33); bits(64); bits(70); bits(6000); bits(72000)
	integers(20); integers(40); integers(6000)
	signed(40)
	for (i = 0; i < 30; i++)
		print 0 >"z30"
	print "id,user,key,value,note" >"t.csv"
	for (i = 0; i < 60; i++) {
		second += rnd(9000)
		event(second, i)
	}
	# events out of order, and outside: late, early, in no known form
	for (i = 0; i < 60; i++)
		printf "%s u%d %s %d\n", i % 11 ? 1777593600 + rnd(500000) - 50000 : "May", rnd(5),
		    substr("abcd", 1 + rnd(4), 1), rnd(10) >"t.mixed"
	n = split("1||x|0x1|nan|inf| 1|1 |1,0|1e|1e400|-1e400|1.5|0.5|99999999999999999999999|" \
	    "--1|+1|1.|.5|.|e1|1 1|00000000000000000000001|1e-400|-0|\t1|1e+0|1E0|\r|1\r|1\r\r|" \
	    "\0011", bad, "|")
	for (i = 1; i <= n; i++)
		print bad[i] >"bad"
	printf "1" >"bad"
	printf "1\n1\n.75\n0.75\n0.5\n1e-1\n0\n" >"weights"
	for (i = 0; i < 12; i++)
		printf "%d.%02d\n", i == 0, i == 0 ? 0 : 99 - 8 * i >"weights12"
}
