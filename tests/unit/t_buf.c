/* SPDX-License-Identifier: ISC */
/* t_buf.c - the growing buffer. */
#include <string.h>

#include "base/buf.h"
#include "check.h"

/* Texts of every byte but NUL, there and back, where they stand; and texts that are none. */
static void
escapes(void)
{
	static const char *const none[] = { "%", "%4", "a%4", "%4g", "%4G", "%4A", "%00" };
	char all[256], text[1024];
	struct dp_buf b = { NULL, 0, 0, 0 };
	size_t i, n;

	for (i = 0; i < 255; i++)
		all[i] = (char)(i + 1);
	all[255] = '\0';
	dp_buf_escaped(&b, all);
	check(b.error == 0 && b.n < sizeof text && memchr(b.p, ' ', b.n) == NULL);
	check(!dp_unescape(text, 254, (struct dp_slice){ b.p, b.n }, &n));
	memcpy(text, b.p, b.n);
	check(dp_unescape(text, 255, (struct dp_slice){ text, b.n }, &n) && n == 255 &&
	    memcmp(text, all, n) == 0);
	check(dp_unescape(text, 0, (struct dp_slice){ "", 0 }, &n) && n == 0);
	for (i = 0; i < sizeof none / sizeof *none; i++)
		check(!dp_unescape(text, sizeof text,
		    (struct dp_slice){ none[i], strlen(none[i]) }, &n));
	dp_buf_free(&b);
}

int
main(void)
{
	static const uint64_t number[] = { 0, 7, 10, INT64_MAX, UINT64_MAX };
	struct dp_buf b = { NULL, 0, 0, 0 };
	char want[64], *p;
	size_t i, n;

	dp_buf_add(&b, NULL, 0);
	dp_buf_reset(&b);
	check(b.n == 0 && b.error == 0);
	for (i = 0; i < 10000; i++)
		dp_buf_add(&b, "abcdefghij", 1 + i % 10);
	check(b.n == 55000 && b.error == 0 && memcmp(b.p + b.n - 10, "abcdefghij", 10) == 0);
	p = b.p;
	n = b.cap;
	dp_buf_reset(&b);
	check(b.n == 0 && b.p == p && b.cap == n && p[0] == 0 && p[54999] == 0);
	for (i = 0; i < sizeof number / sizeof *number; i++) {
		dp_buf_reset(&b);
		dp_buf_u64(&b, number[i]);
		n = (size_t)snprintf(want, sizeof want, "%llu", (unsigned long long)number[i]);
		check(b.n == n && memcmp(b.p, want, n) == 0);
	}
	dp_buf_reset(&b);
	dp_buf_u64(&b, UINT64_MAX);
	dp_buf_puts(&b, "/");
	dp_buf_u64(&b, 0);
	check(b.n == 22 && memcmp(b.p, "18446744073709551615/0", 22) == 0);
	/* Errors stick, until reset or free. */
	dp_buf_add(&b, "x", SIZE_MAX / 2);
	check(b.error == DP_ENOMEM && b.n == 22);
	dp_buf_puts(&b, "y");
	check(b.error == DP_ENOMEM && b.n == 22);
	dp_buf_free(&b);
	check(b.p == NULL && b.n == 0 && b.cap == 0 && b.error == 0);
	dp_buf_puts(&b, "z");
	check(b.n == 1 && b.p[0] == 'z');
	dp_buf_free(&b);
	escapes();
	return done();
}
