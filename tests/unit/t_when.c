/* SPDX-License-Identifier: ISC */
/*
 * t_when.c - time stamps: tables of good and bad ones, and all days of 0000..9999 against
 * timegm(3).
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/internal.h"
#include "base/when.h"
#include "check.h"

#define BAD	INT64_MIN

static int64_t
parse(const char *rule, const char *text, const char *next, int64_t before)
{
	struct dp_when w;
	int64_t t = 12345;

	if (dp_when_rule(&w, rule) != 0)
		return 1;
	w.before = before;
	if (dp_when_parse(&t, &w, &(struct dp_stamp){ { text, strlen(text) },
	    { next, strlen(next) }, strlen(next) }) == 0)
		return t;
	return t == 12345 ? BAD : 2;	/* results are written only on success */
}

static const struct row {
	const char *rule, *text, *next;
	int64_t want;
} table[] = {
	{ "epoch", "0", "", 0 },
	{ "epoch", "1714567890", "", 1714567890 },
	{ "epoch", "000000000000000000000000001714567890", "", 1714567890 },
	{ "epoch", "-1", "", -1 },
	{ "epoch", "-0", "", 0 },
	{ "epoch", "1.999", "", 1 },
	{ "epoch", "-0.001", "", -1 },
	{ "epoch", "-1.000", "", -1 },
	{ "epoch", "-1.5", "", -2 },
	{ "epoch", "99999999999", "", 99999999999 },
	{ "epoch", "100000000000", "", 100000000 },	/* from here milliseconds */
	{ "epoch", "1714567890123", "", 1714567890 },
	{ "epoch", "1714567890123.75", "", 1714567890 },
	{ "epoch", "-100000000000", "", -100000000 },
	{ "epoch", "-100000000001", "", -100000001 },
	{ "epoch", "-100000000000.5", "", -100000001 },
	{ "epoch", "253402300799999", "", DP_WHEN_MAX },
	{ "epoch", "253402300800000", "", 253402300 },	/* from here microseconds */
	{ "epoch", "1714567890123456", "", 1714567890 },
	{ "epoch", "-1714567890000001", "", -1714567891 },
	{ "epoch", "253402300799999999", "", DP_WHEN_MAX },
	{ "epoch", "253402300800000000", "", 253402300 },	/* from here nanoseconds */
	{ "epoch", "1714567890123456789", "", 1714567890 },
	{ "epoch", "9223372036854775799", "", 9223372036 },
	{ "epoch", "9223372036854775800", "", BAD },
	{ "epoch", "-62167219200000", "", DP_WHEN_MIN },
	{ "epoch", "-62167219200001", "", BAD },
	{ "epoch", "99999999999999999999999999", "", BAD },
	{ "epoch", "", "", BAD }, { "epoch", "-", "", BAD },
	{ "epoch", "+1", "", BAD }, { "epoch", ".5", "", BAD },
	{ "epoch", "5.", "", BAD }, { "epoch", "1e9", "", 1000000000 },
	{ "epoch", "1.6759526089944808e+09", "", 1675952608 },
	{ "epoch", "1.6759562E+9", "", 1675956200 }, { "epoch", "1.65159E+12", "", 1651590000 },
	{ "epoch", "-1.5e0", "", -2 }, { "epoch", "1500e-3", "", 1 }, { "epoch", "-15e-1", "", -2 },
	{ "epoch", "-10e-1", "", -1 }, { "epoch", "0e999", "", 0 }, { "epoch", "1e-999", "", 0 },
	{ "epoch", "1.7e18", "", 1700000000 }, { "epoch", "1e19", "", BAD },
	{ "epoch", "1e999", "", BAD }, { "epoch", "1e", "", BAD }, { "epoch", "1e+", "", BAD },
	{ "epoch", "1e1000", "", BAD }, { "epoch", "1e9e9", "", BAD }, { "epoch", "e9", "", BAD },
	{ "epoch", "1e9.5", "", BAD }, { "epoch", "1.e9", "", BAD },
	{ "epoch", " 1", "", BAD }, { "epoch", "1 ", "", BAD },
	{ "epoch", "0x10", "", BAD }, { "epoch", "1,5", "", BAD },
	{ "epoch", "nan", "", BAD }, { "epoch", "--1", "", BAD },

	{ "iso", "1970-01-01", "", 0 },
	{ "iso", "2015-05-17T10:00:00Z", "", 1431856800 },
	{ "iso", "2015-05-17t10:00:00z", "", 1431856800 },
	{ "iso", "2015-05-17 10:00:00", "", 1431856800 },
	{ "iso", "2015-05-17T10:00", "", 1431856800 },
	{ "iso", "2015-05-17T10:00:00.999999", "", 1431856800 },
	{ "iso", "2015-05-17T10:00:00,9+02:00", "", 1431849600 },
	{ "iso", "2015-05-17T10:00:00+0200", "", 1431849600 },
	{ "iso", "2015-05-17T10:00:00+02", "", 1431849600 },
	{ "iso", "2015-05-17T10:00:00-05:30", "", 1431876600 },
	{ "iso", "2015-05-17T10:00-05:30", "", 1431876600 },
	{ "iso", "2015-05-17 10:00:00 +0200", "", 1431849600 },
	{ "iso", "2015-05-17 10:00:00.25 UTC", "", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 GET /", 1431856800 },
	{ "iso", "2015-05-17", "  10:00:00,123 INFO", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00+02:00 x", 1431849600 },
	{ "iso", "2015-05-17", "10:00", 1431856800 },
	{ "iso", "2015-05-17", "GET /", 1431820800 },
	{ "iso", "2015-05-17", "12 x", 1431820800 },
	{ "iso", "2015-05-17", ",10:00:00", 1431820800 },
	/* What begins like a time of day has to be one. */
	{ "iso", "2015-05-17", "25:00:00", BAD },
	{ "iso", "2015-05-17", "9:05:00", BAD }, { "iso", "2015-05-17", "9:05 PM", BAD },
	{ "iso", "2015-05-17", "- 09:05", BAD }, { "iso", "2015-05-17", "-\t 9:05", BAD },
	{ "iso", "2015-05-17", "[10:00:00]", BAD }, { "iso", "2015-05-17", "(9:05)", BAD },
	{ "iso", "2015-05-17", "9", 1431820800 }, { "iso", "2015-05-17", "- 9", 1431820800 },
	{ "iso", "2015-05-17", "- -", 1431820800 }, { "iso", "2015-05-17", "-", 1431820800 },
	{ "iso", "2015-05-17", "-09:05", 1431820800 },	/* of midnight nobody asks where */
	{ "iso", "2015-05-17", "2001:db8::1", 1431820800 },
	{ "iso", "2015-05-17", "10:00:00x", BAD },
	{ "iso", "2015-05-17T10:00:00Z", "11:00:00", 1431856800 },
	{ "iso", "2016-12-31T23:59:60Z", "", 1483228799 },
	{ "iso", "1969-12-31T23:59:59Z", "", -1 },
	{ "iso", "0000-01-01T00:00:00Z", "", DP_WHEN_MIN },
	{ "iso", "9999-12-31T23:59:59Z", "", DP_WHEN_MAX },
	{ "iso", "0000-01-01T00:00:00+00:01", "", BAD },
	{ "iso", "9999-12-31T23:59:59-00:01", "", BAD },
	{ "iso", "2024-02-29", "", 1709164800 }, { "iso", "2023-02-29", "", BAD },
	{ "iso", "1900-02-29", "", BAD }, { "iso", "2000-02-29", "", 951782400 },
	{ "iso", "2023-04-31", "", BAD }, { "iso", "2023-12-31", "", 1703980800 },
	{ "iso", "2023-00-01", "", BAD }, { "iso", "2023-13-01", "", BAD },
	{ "iso", "2023-01-00", "", BAD }, { "iso", "2023-01-32", "", BAD },
	{ "iso", "2023-01-01T24:00:00Z", "", 1672617600 },
	{ "iso", "2023-01-01T24:00", "", 1672617600 },
	{ "iso", "20230101T240000+0100", "", 1672614000 },
	{ "iso", "2023-01-01T24:00:01Z", "", BAD }, { "iso", "2023-01-01T24:00:60Z", "", BAD },
	{ "iso", "2023-01-01T24:00:00.5Z", "", BAD },
	{ "iso", "2023-01-01T24:00:00.0Z", "", BAD },
	{ "iso", "9999-12-31T24:00:00Z", "", BAD }, { "clf", "10/Oct/2000:24:00:00", "", BAD },
	{ "syslog", "May  1 24:00:00", "", BAD }, { "iso", "2023-01-01T10:00.5Z", "", BAD },
	{ "iso", "20170101T000000Z", "", 1483228800 }, { "iso", "20170101T0000", "", 1483228800 },
	{ "iso", "20170101t000000,25-05:30", "", 1483248600 },
	{ "iso", "20170101", "01:00:00", 1483232400 }, { "iso", "20170101 000000", "", BAD },
	{ "iso", "20170101T00", "", BAD }, { "iso", "20170101T00000", "", BAD },
	{ "iso", "20170101T00:00", "", BAD }, { "iso", "2017-01-01T000000", "", BAD },
	{ "iso", "2017-0101", "", BAD }, { "iso", "201701-01", "", BAD },
	{ "iso", "2017-001T00:00Z", "", 1483228800 }, { "iso", "2017001", "", 1483228800 },
	{ "iso", "2017-365", "", 1514678400 }, { "iso", "2017-366", "", BAD },
	{ "iso", "2016-366", "", 1483142400 }, { "iso", "2017-000", "", BAD },
	{ "iso", "2017-W01-1T00:00:00Z", "", 1483315200 }, { "iso", "2017W011", "", 1483315200 },
	{ "iso", "2016-W52-7", "", 1483228800 }, { "iso", "2017-W52-7", "", 1514678400 },
	{ "iso", "2015-W53-5", "", 1451606400 }, { "iso", "2017-W53-1", "", BAD },
	{ "iso", "2017-W00-1", "", BAD }, { "iso", "2017-W01-0", "", BAD },
	{ "iso", "2017-W01-8", "", BAD }, { "iso", "2017-W01", "", BAD },
	{ "iso", "2017-W011", "", BAD }, { "iso", "2017W01-1", "", BAD },
	{ "iso", "1970-W01-1", "", -259200 }, { "iso", "2023-01-01T00:60:00Z", "", BAD },
	{ "iso", "2023-01-01T00:00:61Z", "", BAD }, { "iso", "2023-01-01T00:00:00+24:00", "", BAD },
	{ "iso", "2023-01-01T00:00:00+00:60", "", BAD },
	{ "iso", "2023-01-01T00:00:00.Z", "", BAD },
	{ "iso", "2023-1-1", "", BAD }, { "iso", "23-01-01", "", BAD },
	{ "iso", "2023-01-01T", "", BAD }, { "iso", "2023-01-01 ", "", BAD },
	{ "iso", "2023-01-01T00", "", BAD }, { "iso", "2023-01-01T00:00:00ZZ", "", BAD },
	{ "iso", "2023-01-01T00:00:00 ", "", BAD }, { "iso", "2023-01-01T00:00:00 CET", "", BAD },
	{ "iso", "2023-01-01T00:00:00+", "", BAD }, { "iso", "2023-01-01T00:00:00+1", "", BAD },
	{ "iso", "2023-01-01T00:00:00+01:", "", BAD }, { "iso", "+2023-01-01", "", BAD },
	{ "iso", "2023-01-01T00:0", "", BAD }, { "iso", "2023-01-01T00:00:0Z", "", BAD },
	{ "iso", "2023-01-01X00:00", "", BAD }, { "iso", "2023-01-x", "", BAD },
	{ "iso", "2023-01-01T00:00:00+02x", "", BAD }, { "iso", "2015-05-17", "10:0", BAD },
	{ "iso", "2015-05-17", "1:00:00", BAD },
	{ "iso", "20230101", "", 1672531200 }, { "iso", "", "", BAD },
	{ "iso", "2023/01/01", "", BAD },

	{ "excel", "25569", "", 0 }, { "excel", "44684.3333333333", "", 1651564800 },
	{ "excel", "44684.33333", "", 1651564800 }, { "excel", "44684.999999", "", 1651622400 },
	{ "excel", "44684.99999", "", 1651622399 },
	{ "excel", "44684.00000000000000000001", "", 1651536000 },
	{ "excel", "61", "", -2203891200 }, { "excel", "60", "", BAD },
	{ "excel", "60.9", "", BAD },
	{ "excel", "2958465", "", 253402214400 }, { "excel", "2958466", "", BAD },
	{ "excel", "2958465.9999999", "", BAD }, { "excel", "99999999999999999999", "", BAD },
	{ "excel", "44684,5", "", BAD }, { "excel", "44684.", "", BAD }, { "excel", "-1", "", BAD },
	{ "excel", "4.4684e4", "", BAD }, { "excel", "", "", BAD }, { "excel", "x", "", BAD },

	{ "clf", "[10/Oct/2000:13:55:36 -0700]", "", 971211336 },
	{ "clf", "[10/Oct/2000:13:55:36", "-0700] \"GET", 971211336 },
	{ "clf", "10/Oct/2000:13:55:36", "-0700 \"GET", 971211336 },
	{ "clf", "10/Oct/2000:13:55:36", "-0700", 971211336 },
	{ "clf", "10/Oct/2000:13:55:36 -0700", "", 971211336 },
	{ "clf", "[10/Oct/2000:13:55:36]", "-0700]", 971186136 },
	{ "clf", "[10/Oct/2000:13:55:36", "\"GET", 971186136 },
	{ "clf", "[10/Oct/2000:13:55:36", "- -", 971186136 },
	{ "clf", "[10/Oct/2000:13:55:36", "-7] x", 971186136 },
	{ "clf", "[10/Oct/2000:13:55:36", "-70] x", BAD },
	{ "clf", "[10/Oct/2000:13:55:36", "-07] x", 971211336 },
	{ "clf", "[10/Oct/2000:13:55:36", "+02001]", 971186136 },
	{ "clf", "[10/Oct/2000:13:55:36.123", "+0000]", 971186136 },
	{ "clf", "10/Oct/2000:13:55:36", "", 971186136 },
	{ "clf", "[29/Feb/2024:00:00:00", "+0000]", 1709164800 },
	{ "clf", "[31/Dec/1999:23:59:60", "+0000]", 946684799 },
	{ "clf", "[01/Jan/2000:00:00:00", "+0100]", 946681200 },
	{ "clf", "[01/Jan/1970:00:00:00", "+0100]", -3600 },
	{ "clf", "[10/Oct/2000:13:55:36", "+2400]", BAD },
	{ "clf", "[10/Oct/2000:13:55:36", "+0060]", BAD },
	{ "clf", "[10/Oct/2000:13:55:36 +2400]", "", BAD },
	{ "clf", "[10/Oct/2000:13:55:36 0700]", "", BAD },
	{ "clf", "[10/Oct/2000:13:55:36 +07:00]", "", BAD },
	{ "clf", "10/Oct/2000:13:55:36]", "", BAD },
	{ "clf", "[10/Oct/2000:13:55:36]x", "", BAD },
	{ "clf", "[10/Oct/2000:13:55:36x", "", BAD },
	{ "clf", "[10/oct/2000:13:55:36", "", BAD },
	{ "clf", "[10/Okt/2000:13:55:36", "", BAD },
	{ "clf", "[32/Oct/2000:13:55:36", "", BAD },
	{ "clf", "[30/Feb/2000:13:55:36", "", BAD },
	{ "clf", "[29/Feb/2023:13:55:36", "", BAD },
	{ "clf", "[00/Oct/2000:13:55:36", "", BAD },
	{ "clf", "[10/Oct/2000:24:00:00", "", BAD },
	{ "clf", "[10/Oct/2000:13:60:00", "", BAD },
	{ "clf", "[1/Oct/2000:13:55:36", "", BAD },
	{ "clf", "[10/Oct/2000 13:55:36", "", BAD },
	{ "clf", "[10/Oc", "", BAD }, { "clf", "[10/Oct-2000:13:55:36", "", BAD },
	{ "clf", "[10/Oct/200:13:55:36", "", BAD }, { "clf", "[10/Oct/2000:x", "", BAD },
	{ "clf", "[10/Oct/2000:13", "", BAD }, { "clf", "[10/Oct/2000:13:x", "", BAD },
	{ "clf", "[10/Oct/2000:13:55", "", BAD }, { "clf", "[10/Oct/2000:13:55:x", "", BAD },
	{ "clf", "[10/Oct/2000:13:55:36.x", "", BAD },
	{ "clf", "[", "", BAD }, { "clf", "", "", BAD }, { "clf", "-", "", BAD },

	{ "%Y/%m/%d", "2024/02/29", "", 1709164800 },
	{ "%Y/%m/%d", "2023/02/29", "", BAD },
	{ "%Y/%m/%d", "2023/04/31", "", BAD },
	{ "%Y/%m/%d", "2023/04/30x", "", BAD },
	{ "%Y/%m/%d %H:%M:%S", "2015/05/17", "10:00:00 GET", 1431856800 },
	{ "%Y/%m/%d %H:%M:%S", "2015/05/17 10:00:00", "", 1431856800 },
	{ "%Y/%m/%d %H:%M:%S", "2015/05/17", "10:00:00\tGET", 1431856800 },
	{ "%Y/%m/%d %H:%M:%S", "2015/05/17", "10:00:00x", BAD },
	{ "%Y/%m/%d %H:%M:%S", "2015/05/17 10:00:00 x", "", BAD },
	{ "%Y/%m/%d %H:%M:%S %z", "2015/05/17 10:00:00 +0200", "", 1431849600 },
	{ "%d %b %Y", "17 May 2015", "", 1431820800 },
	{ "%Y-%j", "2024-060", "", 1709164800 },
	{ "%F %H:%M:%S", "1970-01-01 00:00:60", "", 59 },
	{ "%F %H:%M:%S", "1970-01-01 00:00:61", "", BAD },
	{ "%F %H:%M:%S", "1970-01-01 00:00:59.999", "", 59 },
	{ "%F %H:%M:%S", "1970-01-01", "00:00:59,008 +0100 x", 59 - 3600 },
	{ "%F %T", "1970-01-01", "00:00:59.1", 59 },
	{ "%F %H:%M:%S", "1970-01-01 00:00:59.", "", BAD },
	{ "%F %H:%M:%S", "1970-01-01 00:00:59.x", "", BAD },
	{ "%F %H:%M:%S", "1970-01-01 00:00:59.1x", "", BAD },
	{ "%F %H:%M:%S", "1970-01-01 00:00:59.1.1", "", BAD },
	{ "%F %H:%M", "1970-01-01 00:01.5", "", BAD },
	{ "%F %H:%M:%S%%T", "1970-01-01 00:00:59%T.5", "", BAD },
	{ "%F %H:%M:%S%%S", "1970-01-01 00:00:59%S", "", 59 },
	{ "%Y", "", "", BAD },

	/* A zone counts in whatever word of the time it stands. */
	{ "iso", "2015-05-17", "10:00:00 +0200", 1431849600 },
	{ "iso", "2015-05-17", "10:00:00 +02:00", 1431849600 },
	{ "iso", "2015-05-17", "10:00:00,123 -0700 INFO", 1431882000 },
	{ "iso", "2015-05-17", "10:00 -0700: x", 1431882000 },
	{ "iso", "2015-05-17T10:00:00", "-0700", 1431882000 },
	{ "iso", "2015-05-17", "10:00:00 -07", 1431882000 },
	{ "iso", "2015-05-17T10:00:00", "+02] x", 1431849600 },
	{ "iso", "2015-05-17", "10:00 -07: x", 1431882000 },
	{ "iso", "2015-05-17", "10:00:00 [-0700] x", 1431882000 },
	{ "iso", "2015-05-17", "10:00:00 (UTC) -0700", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 (GMT+02)", 1431849600 },
	{ "iso", "2015-05-17", "10:00:00 utc+02:00", 1431849600 },
	{ "iso", "2015-05-17 10:00:00 gmt", "", 1431856800 },
	{ "%d.%m.%Y %H:%M:%S", "17.05.2015", "10:00:00 +02 x", 1431849600 },
	{ "%d.%m.%Y %H:%M:%S %z", "17.05.2015", "10:00:00 +0200 -07", 1431849600 },
	{ "iso", "2015-05-17T10:00:00", "\t-0700]", 1431882000 },
	{ "iso", "2015-05-17", "10:00:00 UTC x", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 GMT", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 Z", 1431856800 },
	{ "iso", "2015-05-17 10:00:00 GMT", "", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 UTC+02:00", 1431849600 },
	{ "iso", "2015-05-17T10:00:00GMT+0200", "", 1431849600 },
	{ "iso", "2015-05-17T10:00:00Z", "+0200", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00Z +0200", 1431856800 },
	{ "iso", "2015-05-17", "+0200", 1431820800 },	/* of midnight nobody asks where */
	{ "iso", "2015-05-17", "10:00:00 x +0200", 1431856800 },
	{ "clf", "[10/Oct/2000:13:55:36", "-07:00] x", 971211336 },
	{ "clf", "[10/Oct/2000:13:55:36", "GMT] x", 971186136 },
	{ "%d.%m.%Y %H:%M:%S", "17.05.2015", "10:00:00 +0200 x", 1431849600 },
	{ "%d.%m.%Y %H:%M:%S", "17.05.2015 10:00:00", "+0200", 1431849600 },
	{ "%d.%m.%Y %H:%M:%S %z", "17.05.2015", "10:00:00 +0200 -0700", 1431849600 },
	{ "%d.%m.%Y", "17.05.2015", "+0200", 1431820800 },
	/* Names of zones say too little, and AM or PM is half a time. */
	{ "iso", "2015-05-17", "10:00:00 EST", BAD },
	{ "iso", "2015-05-17", "10:00:00 CEST INFO", BAD },
	{ "iso", "2015-05-17T10:00:00", "CET]", BAD },
	{ "iso", "2015-05-17", "10:00:00 ACDT", BAD }, { "iso", "2015-05-17", "10:00:00 pm", BAD },
	{ "iso", "2015-05-17", "10:00:00 EST5EDT", BAD },
	{ "iso", "2015-05-17", "10:00:00 EST-5", BAD },
	{ "iso", "2015-05-17", "10:00:00 America/New_York", BAD },
	{ "iso", "2015-05-17", "10:00:00 UTC+2", BAD },
	{ "iso", "2015-05-17", "10:00:00 +2400", BAD },
	{ "iso", "2015-05-17", "10:00:00 PM", BAD },
	{ "clf", "10/Oct/2000:13:55:36", "PDT", BAD },
	{ "%d.%m.%Y %H:%M:%S", "17.05.2015", "10:00:00 CEST", BAD },
	{ "%d.%m.%Y %H:%M:%S", "17.05.2015 10:00:00", "[CEST]", BAD },
	{ "iso", "2015-05-17", "10:00:00 est", BAD }, { "iso", "2015-05-17", "10:00:00 Cest", BAD },
	{ "iso", "2015-05-17", "10:00:00 ChST", BAD },
	{ "iso", "2015-05-17", "10:00:00 ist:", BAD },
	{ "iso", "2015-05-17", "10:00:00 [EST]", BAD },
	{ "iso", "2015-05-17T10:00", "(CEST) x", BAD },
	{ "iso", "2015-05-17", "10:00:00 [est] x", BAD },
	{ "iso", "2015-05-17", "10:00 (PM)", BAD },
	{ "iso", "2015-05-17", "10:00:00 [Europe/Berlin]", BAD },
	{ "iso", "2015-05-17", "10:00:00 P.M.", BAD },
	{ "iso", "2015-05-17", "10:00:00 a.m. x", BAD },
	{ "iso", "2015-05-17", "10:00 p.m", BAD }, { "iso", "2015-05-17", "10:00 EST.", BAD },
	{ "iso", "2015-05-17", "10:00:00 utc+2", BAD },
	{ "iso", "2015-05-17", "10:00:00 CAT", BAD },
	{ "iso", "2015-05-17", "10:00:00 [MET]", BAD },
	/* What has a sign and looks like an offset has to be one. */
	{ "iso", "2015-05-17", "10:00:00 +5:30", BAD }, { "iso", "2015-05-17", "10:00 -07:5", BAD },
	{ "iso", "2015-05-17", "10:00:00 -42", BAD }, { "iso", "2015-05-17", "10:00 +02:00x", BAD },
	/* Other words are none of the time. */
	{ "iso", "2015-05-17", "10:00:00 cat: x", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 [cat]", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 Met", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 west", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 pm2", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 est-1", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 established", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 est.example.org", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 etc/passwd", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 [INFO]", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 [12]", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 [", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 -12.5", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 -120", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 INFO", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 ESTABLISHED", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 UTCx", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 Zebra", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 America", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 -5", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 -1200.5", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 +02000", 1431856800 },
	{ "iso", "2015-05-17", "10:00:00 - -0700", 1431856800 },
};

static void
tables(void)
{
	size_t i;
	int64_t t;

	for (i = 0; i < sizeof table / sizeof *table; i++) {
		t = parse(table[i].rule, table[i].text, table[i].next, 0);
		if (t != table[i].want)
			printf("%s \"%s\" \"%s\": %lld\n", table[i].rule, table[i].text,
			    table[i].next, (long long)t);
		check(t == table[i].want);
	}
}

static void
syslog(void)
{
	const int64_t jan1 = 1704067200;	/* 2024 */
	char text[400];

	check(parse("syslog", "May", " 1 12:34:56 host", jan1 + 366 * 86400) == 1714566896);
	check(parse("syslog", "May", "1 12:34:56 host", jan1 + 366 * 86400) == 1714566896);
	check(parse("syslog", "May", "01 12:34:56", jan1 + 366 * 86400) == 1714566896);
	check(parse("syslog", "May  1 12:34:56", "host", jan1 + 366 * 86400) == 1714566896);
	check(parse("syslog", "May  1 12:34:56.789", "", jan1 + 366 * 86400) == 1714566896);
	/* The latest year that brings it before. */
	check(parse("syslog", "Dec", "31 23:59:59", jan1) == jan1 - 1);
	check(parse("syslog", "Jan", "1 00:00:00", jan1) == jan1 - 365 * 86400);
	check(parse("syslog", "Jan", "1 00:00:00", jan1 + 1) == jan1);
	check(parse("syslog", "Jul", "1 00:00:00", jan1) == jan1 - 184 * 86400);
	check(parse("syslog", "Jan", "2 00:00:00", jan1 + 366 * 86400) == jan1 + 86400);
	check(parse("syslog", "Feb", "29 00:00:00", jan1) == 1582934400);
	check(parse("syslog", "Feb", "29 00:00:00", jan1 + 366 * 86400) == 1709164800);
	check(parse("syslog", "Feb", "29 00:00:00", -2208988800) == -2330121600);
	check(parse("syslog", "Feb", "29 00:00:00", -2077747200) == -2330121600);
	check(parse("syslog", "Feb", "29 00:00:00", -2077747199) == -2077747200);
	check(parse("syslog", "Dec", "31 00:00:00", DP_WHEN_MIN) == BAD);
	check(parse("syslog", "Jan", "1 00:00:00", INT64_MIN) == BAD);
	check(parse("syslog", "Jan", "1 00:00:00", DP_WHEN_MIN + 1) == DP_WHEN_MIN);
	check(parse("syslog", "Jan", "1 00:00:00", INT64_MAX) == DP_WHEN_MAX + 1 - 365 * 86400);

	check(parse("syslog", "Feb", "30 00:00:00", jan1) == BAD);
	check(parse("syslog", "Jun", "31 00:00:00", jan1) == BAD);
	check(parse("syslog", "May", "0 00:00:00", jan1) == BAD);
	check(parse("syslog", "May", "32 00:00:00", jan1) == BAD);
	check(parse("syslog", "May", "1 24:00:00", jan1) == BAD);
	check(parse("syslog", "May", "1 12:34:56x", jan1) == BAD);
	check(parse("syslog", "May", "1 12:34", jan1) == BAD);
	check(parse("syslog", "May", "", jan1) == BAD);
	check(parse("syslog", "May", "x 12:34:56", jan1) == BAD);
	check(parse("syslog", "May", "1x12:34:56", jan1) == BAD);
	check(parse("syslog", "May", "1 12:34:56.x", jan1) == BAD);
	check(parse("syslog", "May", "1 12:34:56 CEST", jan1) == BAD);
	/* More than is kept of a line: behind the time it does not matter. */
	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = '\0';
	check(parse("syslog", text, "", jan1) == BAD);
	memcpy(text, "1 12:34:56 ", 11);
	check(parse("syslog", "May", text, jan1 + 366 * 86400) == 1714566896);
	memcpy(text, "12:34:56 ", 9);
	check(parse("%F %T", "2024-05-01", text, 0) == 1714566896);
	check(parse("syslog", "may", "1 12:34:56", jan1) == BAD);
	check(parse("syslog", "May  1 12:34:56 host", "", jan1) == BAD);
	check(parse("syslog", "", "May 1 12:34:56", jan1) == BAD);
}

static void
bytes(void)
{
	struct dp_when w;
	struct dp_slice none = { NULL, 0 }, nul = { "2023\0", 5 };
	int64_t t;
	int k;

	for (k = DP_WHEN_EPOCH; k <= DP_WHEN_STRPTIME; k++) {
		w = (struct dp_when){ .kind = (enum dp_when_kind)k, .format = "%Y" };
		check(dp_when_parse(&t, &w, &(struct dp_stamp){ none, none, 0 }) == DP_ESYNTAX);
		check(dp_when_parse(&t, &w, &(struct dp_stamp){ nul, none, 0 }) == DP_ESYNTAX);
	}
}

static void
rules(void)
{
	struct dp_when w;
	int64_t t = 0;

	check(dp_when_rule(&w, "iso") == 0 && w.kind == DP_WHEN_ISO && w.before == 0);
	check(dp_when_rule(&w, "%d.%m.%Y") == 0 && w.kind == DP_WHEN_STRPTIME);
	check(dp_when_rule(&w, "rfc") == DP_EINVAL);
	check(dp_when_rule(&w, "") == DP_EINVAL);
	check(dp_when_rule(&w, "%s") == DP_EINVAL);
	check(dp_when_rule(&w, "x%10s") == DP_EINVAL);

	check(dp_when_parse_arg(&t, "2015-05-17", NULL) == 0 && t == 1431820800);
	check(dp_when_parse_arg(&t, "2015-05-17T10:00Z", NULL) == 0 && t == 1431856800);
	check(dp_when_parse_arg(&t, "2015-05-17 10:00", NULL) == 0 && t == 1431856800);
	check(dp_when_parse_arg(&t, "2015", NULL) == 0 && t == 2015);
	check(dp_when_parse_arg(&t, "-5", NULL) == 0 && t == -5);
	t = 7;
	check(dp_when_parse_arg(&t, "", NULL) == DP_ESYNTAX);
	check(dp_when_parse_arg(&t, "2015-02-30", NULL) == DP_ESYNTAX);
	check(dp_when_parse_arg(&t, "tomorrow", NULL) == DP_ESYNTAX && t == 7);
}

/*
 * Formats that give back what they print, at their resolution; and those of which something would
 * be lost.
 */
static void
formats(void)
{
	static const char *const good[] = {
		"%Y", "%Y-%m", "%Y%m%d-%H%M%S", "%d/%b/%y", "%c", "%D %T", "%F %R",
		"%a %e %B %Y %I:%M %p", "%Y-%j", "%d.%m.%y %H/%M/%S", "[%d/%b/%Y:%H:%M:%S %z]",
		"%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %Z %z", "%C%y%m%d", "%Y-%m-%d %k", "%x %X",
		"%y %n%j", "%Y-%Om-%d", "%_d.%-m.%Y", "%Y %% %m", "on %Y-%m-%d %H"
	}, *const bad[] = {
		"%Y-%m-%d %H:%M:%S %Z", "%H:%M %Z %Y-%m-%d", "%G-%m-%d", "%G-W%V-%u", "%Y-W%V",
		"%Y-W%W", "%g%m%d", "%Y-%m-%d %I:%M", "%H:%M:%S", "%d.%m. %H:%M",
		"%b %d %H:%M:%S", "%Y %d", "%Y-%m %H", "%Y-%m-%d %M:%S", "%A", "%%s", "%",
		"%q", "%Y-%f", "%C%m%d", "%Y%m%d%", "%j", "%Z", "%z", "%h", "%E", "%N", "%+",
		"%Y-%m-%d %P %I"
	};
	struct dp_when w;
	char text[400];
	size_t i;
	int e;

	for (i = 0; i < sizeof good / sizeof *good; i++) {
		if ((e = dp_when_rule(&w, good[i])) != 0)
			printf("%s: %d\n", good[i], e);
		check(e == 0);
	}
	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		if ((e = dp_when_rule(&w, bad[i])) != DP_ERANGE)
			printf("%s: %d\n", bad[i], e);
		check(e == DP_ERANGE);
	}
	memset(text, 'x', sizeof text);
	memcpy(text, "%F ", 3);
	text[sizeof text - 1] = '\0';
	check(dp_when_rule(&w, text) == DP_ERANGE);
	/* The length tells too. */
	check(dp_when_rule(&w, "%F %-H") == 0 && w.clock && !w.zoned);
	check(dp_when_rule(&w, "%F %T") == 0 && w.clock && !w.zoned);
	check(dp_when_rule(&w, "%F") == 0 && !w.clock && !w.zoned);
	check(dp_when_rule(&w, "%F %T %z") == 0 && w.clock && w.zoned);
}

/* From a time up to the same a year later, no day and time comes twice; a second more, one does. */
static void
year_later(void)
{
	static const struct {
		const char *from, *to;
	} year[] = {
		{ "2024-01-01", "2025-01-01" }, { "2023-03-01", "2024-03-01" },
		{ "2024-02-29", "2025-03-01" }, { "2023-02-28T12:00", "2024-02-28T12:00" },
		{ "2026-07-01T01:02:03Z", "2027-07-01T01:02:03Z" }, { "9998-01-01", "9999-01-01" }
	};
	int64_t from, to;
	size_t i;

	for (i = 0; i < sizeof year / sizeof *year; i++)
		check(dp_when_parse_arg(&from, year[i].from, NULL) == 0 &&
		    dp_when_parse_arg(&to, year[i].to, NULL) == 0 &&
		    dp_when_year_later(from, NULL) == to);
}

/* Refused formats get a reason of their own, and no other format is refused by one. */
static void
reasons(void)
{
	static const struct {
		const char *format, *why;
	} refused[] = {
		{ "%F %T.%f", "end the format with %S or %T" },
		{ "%Y-%m-%dT%H:%M:%S.%3NZ", "end the format with %S or %T" },
		{ "%F %I:%M", "without %p" }, { "%F %I:%M %P", "does not know" },
		{ "%s", "--time-format=epoch" }, { "%F %Z", "names of zones" },
		{ "%G-W%V-%u", "number of a week" }, { "%b %d %H:%M", "--time-format=syslog" },
		{ "%Y %d", "leaves something out" }, { "YYYY-MM-DD", "such as '%Y-%m-%d" }
	};
	struct dp_when w;
	size_t i;

	for (i = 0; i < sizeof refused / sizeof *refused; i++) {
		check(dp_when_rule(&w, refused[i].format) != 0);
		check(strstr(dp_when_refused(refused[i].format), refused[i].why) != NULL);
	}
}

/* A number in the field after the time is no zone. */
static void
no_zone(void)
{
	const char *next = " 10:00:00 -1200";
	struct dp_when w;
	struct dp_stamp s = { { "2015-05-17", 10 }, { next, strlen(next) }, 10 };
	int64_t t;

	check(dp_when_rule(&w, "iso") == 0);
	check(dp_when_parse(&t, &w, &s) == 0 && t == 1431856800);
	s.zone = s.next.n;
	check(dp_when_parse(&t, &w, &s) == 0 && t == 1431900000);
	s.zone = 0;
	check(dp_when_parse(&t, &w, &s) == 0 && t == 1431856800);
	s.next.n -= 2;			/* -12 */
	check(dp_when_parse(&t, &w, &s) == 0 && t == 1431856800);
	s.zone = s.next.n;
	check(dp_when_parse(&t, &w, &s) == 0 && t == 1431900000);
}

/*
 * Every day: put, parse, timegm(3) agree; and every day and month from 0 to 32 and 13 is there or
 * not.
 */
static void
all_days(void)
{
	static const unsigned length[] = { 0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	struct tm tm;
	char s[21] = "", want[64];
	unsigned y, m, d, last, wrong = 0;
	int64_t t, day = DP_WHEN_MIN;

	for (y = 0; y <= 9999; y++)
		for (m = 0; m <= 13; m++) {
			last = m < 1 || m > 12 ? 0 : length[m] + (m == 2 &&
			    (y % 400 == 0 || (y % 4 == 0 && y % 100 != 0)));
			for (d = 0; d <= 32; d++) {
				snprintf(want, sizeof want, "%04u-%02u-%02uT00:00:00Z", y, m, d);
				if (d < 1 || d > last) {
					wrong += dp_when_parse_arg(&t, want, NULL) != DP_ESYNTAX;
					continue;
				}
				tm = (struct tm){ .tm_year = (int)y - 1900,
				    .tm_mon = (int)m - 1, .tm_mday = (int)d };
				wrong += dp_when_parse_arg(&t, want, NULL) != 0 || t != day ||
				    t != (int64_t)timegm(&tm);
				wrong += dp_when_put(s, t, NULL) != s + 20 || strcmp(s, want) != 0;
				dp_when_put(s, t + 86399, NULL);
				memcpy(want + 11, "23:59:59", 8);
				wrong += strcmp(s, want) != 0;
				day += 86400;
			}
		}
	check(wrong == 0);
	check(day == DP_WHEN_MAX + 1);
	dp_when_put(s, DP_WHEN_MIN - 1, NULL);
	check(strcmp(s, "0000-01-01T00:00:00Z") == 0);
	dp_when_put(s, INT64_MAX, NULL);
	check(strcmp(s, "9999-12-31T23:59:59Z") == 0);
}

static void
floors(void)
{
	int64_t t;
	uint64_t w;

	check(dp_when_floor(0, 3600) == 0 && dp_when_floor(3599, 3600) == 0);
	check(dp_when_floor(3600, 3600) == 3600);
	check(dp_when_floor(-1, 3600) == -3600 && dp_when_floor(-3600, 3600) == -3600);
	check(dp_when_floor(-3601, 3600) == -7200);
	check(dp_when_floor(INT64_MAX, 1) == INT64_MAX && dp_when_floor(INT64_MIN, 1) == INT64_MIN);
	check(dp_when_floor(INT64_MIN, 3) == INT64_MIN);	/* the nearest that fits */
	check(dp_when_floor(5, UINT64_MAX) == 0 &&
	    dp_when_floor(-1, (uint64_t)1 << 63) == INT64_MIN);
	for (w = 1; w <= 20; w++)
		for (t = -100; t <= 100; t++) {
			int64_t f = dp_when_floor(t, w);

			check(f <= t && t - f < (int64_t)w && f % (int64_t)w == 0);
		}
}

/* A time of a log as nearly all have it, with any byte at any place: in brackets it is the same. */
static void
usual(void)
{
	static const char *const form[] = {
		"10/Oct/2000:13:55:36 -0700", "29/Feb/2023:23:59:60 +2359",
		"31/Dec/9999:00:00:00 +0000"
	};
	struct dp_stamp whole = { .next = { "", 0 } }, bare = { .next = { "", 0 } };
	char text[29];
	struct dp_when w;
	int64_t t, u;
	unsigned k, i, byte, good = 0;
	int e;

	check(dp_when_rule(&w, "clf") == 0);
	for (k = 0; k < 3; k++)
		for (i = 0; i < 26; i++)
			for (byte = 0; byte < 256; byte++) {
				snprintf(text, sizeof text, "[%s]", form[k]);
				text[1 + i] = (char)byte;
				t = u = BAD;
				whole.text = (struct dp_slice){ text, 28 };
				bare.text = (struct dp_slice){ text + 1, 26 };
				e = dp_when_parse(&t, &w, &whole);
				check(dp_when_parse(&u, &w, &bare) == e && t == u);
				good += e == 0;
			}
	check(good > 250);
}

int
main(void)
{
	/* Neither this nor a locale may matter. */
	setenv("TZ", "America/New_York", 1);
	setenv("LC_ALL", "de_DE.UTF-8", 1);
	tables();
	syslog();
	year_later();
	reasons();
	bytes();
	rules();
	formats();
	no_zone();
	usual();
	all_days();
	floors();
	return done();
}
