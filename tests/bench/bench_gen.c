/* SPDX-License-Identifier: ISC */
/*
 * bench_gen.c - inputs for the benchmarks, the same bytes every time.
 *
 *	bench_gen bits N	0 or 1
 *	bench_gen ints N	0 .. 999
 *	bench_gen log N		access-log lines of 199 bytes, times over three weeks, 3 % " 404 "
 *	bench_gen csv N		6 columns, 3 of them quoted, with commas and "" inside
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DAY	86400.0
#define LINE	198		/* of a log line, without its newline */

/* PCG32 (O'Neill 2014), the demo's seed. */
static uint64_t state = 0x853c49e6748fea9b;

static unsigned
below(unsigned n)
{
	uint64_t s = state;
	uint32_t x = (uint32_t)(((s >> 18) ^ s) >> 27), rot = (uint32_t)(s >> 59);

	state = s * 6364136223846793005u + 0xda3e39cb94b95bdb;
	x = x >> rot | x << (-rot & 31);
	return (unsigned)((uint64_t)x * n >> 32);
}

#define PICK(a)	((a)[below(sizeof (a) / sizeof *(a))])

static void
bits(long n)
{
	for (; n > 0; n--) {
		putchar_unlocked((int)('0' + below(2)));
		putchar_unlocked('\n');
	}
}

static void
ints(long n)
{
	for (; n > 0; n--)
		printf("%u\n", below(1000));
}

static const char *const path[] = {
	"/", "/index.html", "/login", "/api/v1/items", "/api/v1/users",
	"/static/css/site.css", "/images/logo.png", "/search", "/checkout/cart"
}, *const referrer[] = {
	"-", "https://www.example.org/", "https://www.example.org/a?q=privacy"
}, *const agent[] = {
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML)",
	"Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101",
	"curl/7.88.1", "python-requests/2.31.0",
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
};

static void
logs(long n)
{
	char line[600], when[40];
	double t = 1704067200;		/* 2024-01-01 */
	unsigned r, status;
	struct tm tm;
	time_t s;
	int k;
	long i;

	for (i = 0; i < n; i++) {
		t += 21 * DAY / (double)n * (0.5 + below(1000) / 1000.0);
		s = (time_t)t;
		strftime(when, sizeof when, "%d/%b/%Y:%H:%M:%S +0000", gmtime_r(&s, &tm));
		r = below(100);
		status = r < 90 ? 200 : r < 94 ? 304 : r < 97 ? 404 : 503;
		k = snprintf(line, sizeof line,
		    "%u.%u.%u.%u - %s [%s] \"%s %s HTTP/1.1\" %u %u \"%s\" \"%s", 1 + below(223),
		    below(256), below(256), below(256), below(20) ? "-" : "alice", when,
		    below(5) ? "GET" : "POST", PICK(path), status, below(100000), PICK(referrer),
		    PICK(agent));
		/* Cut or pad the agent, so that every line has the same length. */
		if (k < LINE - 1)
			memset(line + k, '.', (size_t)(LINE - 1 - k));
		memcpy(line + LINE - 1, "\"\n", 3);
		fputs(line, stdout);
	}
}

static void
csv(long n)
{
	char when[40];
	struct tm tm;
	time_t s;
	long i;

	for (i = 0; i < n; i++) {
		s = (time_t)(1704067200 + 21 * DAY * (double)i / (double)n);
		strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&s, &tm));
		printf("%ld,\"%s %s\",%u,\"%s\",\"%s\",%u.%02u\n", i + 1,
		    below(2) ? "Ann" : "Bob", below(50) ? "Smith" : "O\"\"Neil",
		    below(1000), when, below(2) ? "Berlin, DE" : "Springfield, US",
		    below(5000), below(100));
	}
}

int
main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*make)(long);
	} kind[] = { { "bits", bits }, { "ints", ints }, { "log", logs }, { "csv", csv } };
	char *end;
	size_t i;
	long n;

	if (argc == 3 && (n = strtol(argv[2], &end, 10)) >= 0 &&
	    end != argv[2] && *end == '\0')
		for (i = 0; i < sizeof kind / sizeof *kind; i++)
			if (strcmp(argv[1], kind[i].name) == 0) {
				kind[i].make(n);
				return fflush(stdout) != 0 || ferror(stdout);
			}
	fputs("usage: bench_gen bits|ints|log|csv lines\n", stderr);
	return 2;
}
