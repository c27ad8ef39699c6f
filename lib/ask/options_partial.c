/* options_partial.c - --partial: what goes with it, and how its rows are read. */
#include <string.h>

#include "options_table.h"

void
dp_options_partial(struct dp_options *o)
{
	static const int reader[] = { 'u', 'k', 'v', 'm', 't', OPT_FORMAT, 'F', OPT_CSV, OPT_TSV,
	    'H', OPT_CUT, OPT_LOG, OPT_JSON, OPT_WHERE, OPT_STRICT, OPT_COLUMNS, OPT_ONES };
	size_t i;

	if (!o->shard.partial)
		return;
	for (i = 0; i < sizeof reader / sizeof reader[0]; i++)
		if (o->given[reader[i]])
			dp_die(DP_EX_USAGE, "--%s: refused with --partial (events were read by "
			    "dpmap)%s", dp_table_name(reader[i], NULL), reader[i] == 'k' ?
			    "; give --keys without --key, the same as dpmap's" : "");
	if (o->time.bucket == 0 || o->time.steps != DP_BY_RANGE)
		dp_die(DP_EX_USAGE, "--partial needs --bucket, --from and --to, or --once");
	if (o->shard.by_user != (o->users.most != 0))
		dp_die(DP_EX_USAGE, o->shard.by_user ?
		    "--partial=by-user needs --per-user, dpmap's" :
		    "--per-user: needs --partial=by-user, which says that all lines of a user are "
		    "in one shard (else each shard may count as many of them)");
	if (o->shard.by_user && !o->users.per_step && o->keep.state != NULL)
		dp_die(DP_EX_USAGE, "--partial=by-user: refused with --state (no dpmap knows what "
		    "an earlier one has counted of a user), but for --per-user=K/step");
	if (o->users.spacing_text != NULL)
		dp_die(DP_EX_USAGE, "--per-user=K/B: refused with --partial (a dpmap does not know "
		    "a user's last event of another one)");
	o->form.delimiter = '\t';
	o->time.field.number = DP_PARTIAL_TIME;
	o->time.format = "iso";
	o->keys.field.number = o->keys.n != 0 ? DP_PARTIAL_KEY : 0;
	o->form.value.number = DP_PARTIAL_SUM;
}

static const char *
values(const struct dp_options *o)
{
	(void)o;
	return "identifiers, as their texts";
}

const struct dp_tool *
dp_options_identifiers(struct dp_options *o, const struct dp_tool *tool)
{
	static const int refused[] = { 'k', OPT_KEYS, OPT_OTHER, 'r', OPT_UNIT, 'm', 'u', 'c' };
	static struct dp_tool own;
	size_t i;

	for (i = 0; tool->own != NULL && tool->own[i].name != NULL; i++)
		if (strcmp(tool->own[i].name, "identifiers") == 0)
			break;
	if (!tool->map || tool->own[i].name == NULL || o->own[i].text == NULL)
		return tool;
	for (i = 0; i < sizeof refused / sizeof refused[0]; i++)
		if (o->given[refused[i]])
			dp_die(DP_EX_USAGE, "--identifiers: refused with --%s: a line is an "
			    "identifier, the field that -v names", dp_table_name(refused[i], NULL));
	o->shard.identifiers = true;
	own = *tool;
	own.shape = DP_SHAPE_NAME;
	own.words.reads = "identifier";
	own.words.values = values;
	return &own;
}
