/*
 * charge_times.c - the times whose events alone a run looks at, and how it reads them: what a
 * ledger by time must know to take the most of several runs and not their sum.
 *
 * Two runs are about disjoint events only if an event has the same time in both.  So all options
 * stand in the text by which a time is read: how a line is cut, the field, its format, the zone and
 * its rules as they are installed; and, where a time may go on in the next field, what the options
 * take for a number there.  syslog has no year and takes the one that fits --from and --to, so one
 * event may have two times.  Partial counts leave open how dpmap read times, and a state which
 * buckets are to come.
 */
#include <endian.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "ask/options_table.h"
#include "ask/relation.h"
#include "charge.h"

/* The zone's changes, which an update may move. */
static void
put_zone(struct dp_buf *b, const struct dp_options *o)
{
	crypto_generichash_state h;
	unsigned char sum[16];
	char hex[33];
	uint64_t word[2];
	size_t i;

	crypto_generichash_init(&h, NULL, 0, sizeof sum);
	for (i = 0; i < o->time.zone.n; i++) {
		word[0] = htole64((uint64_t)o->time.zone.change[i].at);
		word[1] = htole64((uint64_t)(int64_t)o->time.zone.change[i].east);
		crypto_generichash_update(&h, (const unsigned char *)word, sizeof word);
	}
	crypto_generichash_final(&h, sum, sizeof sum);
	sodium_bin2hex(hex, sizeof hex, sum, sizeof sum);
	dp_buf_puts(b, " --tz=");
	dp_buf_puts(b, o->time.tz);
	dp_buf_puts(b, "#");
	dp_buf_puts(b, hex);
}

static void
put_option(struct dp_buf *b, const struct dp_options *o, int c)
{
	if (!o->given[c])
		return;
	dp_buf_puts(b, b->n == 0 ? "--" : " --");
	dp_buf_puts(b, dp_table_name(c, NULL));
	if (o->text[c] != NULL) {
		dp_buf_puts(b, "=");
		dp_buf_puts(b, o->text[c]);
	}
}

/* True: the unit is at one time, which is protected with it. */
static bool
at_one_time(const struct dp_options *o, const struct dp_tool *tool)
{
	char unit[DP_PROTECTED];

	return o->users.per_step || strcmp(dp_options_protected(o, tool, unit), "event") == 0;
}

bool
dp_charge_times(const struct dp_options *o, const struct dp_tool *tool, struct dp_buf *b)
{
	static const int cut[] = { 'F', OPT_CSV, OPT_TSV, 'H', OPT_CUT, OPT_LOG, OPT_JSON };
	static const int near[] = { 'v', 'm', OPT_UNIT };
	size_t i;

	if (o->time.steps != DP_BY_RANGE || o->time.bucket == 0 || o->time.once ||
	    o->keep.state != NULL || o->shard.partial || o->time.format == NULL ||
	    strcmp(o->time.format, "syslog") == 0 || !at_one_time(o, tool))
		return false;
	for (i = 0; i < sizeof cut / sizeof *cut; i++)
		put_option(b, o, cut[i]);
	dp_buf_puts(b, b->n == 0 ? "--time=" : " --time=");
	dp_buf_puts(b, o->given['t'] ? o->text['t'] : "time");
	dp_buf_puts(b, " --time-format=");
	dp_buf_puts(b, o->time.format);
	if (o->time.tz != NULL)
		put_zone(b, o);
	/* members of an object, and a log's groups, hold all of a time */
	for (i = 0; i < sizeof near / sizeof *near && o->form.log == NULL && !o->form.json; i++)
		put_option(b, o, near[i]);
	dp_buf_add(b, "", 1);
	return true;
}
