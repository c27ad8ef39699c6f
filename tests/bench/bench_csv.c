/* SPDX-License-Identifier: ISC */
/* bench_csv.c - the running sum of a CSV file's column 3, every row through libcsv. usage: FILE */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"
#include "input/record.h"

int
main(int argc, char **argv)
{
	static struct dp_record rec;
	struct dp_reader_rule rule = { .csv = true, .delimiter = ',', .fields = 3,
	    .no_fast_csv = true };
	struct dp_reader *r;
	int64_t v, sum = 0;
	char text[64], *end;
	int fd;

	if (argc != 2 || (fd = open(argv[1], O_RDONLY)) < 0 || dp_reader_new(&r, &rule) != 0)
		return 1;
	dp_reader_attach(r, fd);
	while (dp_reader_next(r, &rec, -1) > 0) {
		if (rec.nfields >= 3 &&
		    dp_decimal_parse(&v, rec.field[3].p, rec.field[3].n, 0) == 0)
			sum += v;
		end = dp_decimal_put(text, sum, 0);
		*end++ = '\n';
		fwrite_unlocked(text, 1, (size_t)(end - text), stdout);
	}
	dp_reader_free(r);
	return 0;
}
