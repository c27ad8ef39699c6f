/*
 * num_real.c - the one reader of floating-point text: for weights, plans and charts.
 */
#include <locale.h>
#include <stdlib.h>

#include "num.h"

long double
dp_real_read(const char *text, char **end)
{
	const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	long double v = 0;

	*end = (char *)(uintptr_t)text;
	if (c == (locale_t)0)
		return 0;
	v = strtold_l(text, end, c);
	freelocale(c);
	return v;
}
