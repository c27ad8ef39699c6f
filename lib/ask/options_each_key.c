/*
 * options_each_key.c - a tool of identifiers with --key: number of different ones of each declared
 * key.
 *
 * It is a count of users: the identifier is the user, who counts once at most for each key, and for
 * --per-user keys in all (neighbour.h, ONCE); or, with a window of one step, in each step.
 */
#include <string.h>

#include "options_table.h"
#include "relation.h"

static const struct dp_own *options;	/* the tool's own */

static void
set_steps(struct dp_options *o, const char *window)
{
	o->task.what = DP_TASK_COUNT;
	if (window == NULL) {
		need(!o->users.per_step, "--per-user=K/step: with --window=1 (or the bucket's "
		    "duration), which counts each step by itself");
		return;
	}
	need(dp_options_steps(o, "--window", window) == 1, "--window: with --key it is one step, "
	    "the bucket's duration");
	need(o->users.per_step, "--window: with --key it needs --per-user=K/step: each step counts "
	    "by itself");
	dp_options_windows(o, window);
}

static void
task(struct dp_options *o)
{
	const char *window = NULL;
	size_t i;

	for (i = 0; options[i].name != NULL; i++) {
		if (o->own[i].text == NULL)
			continue;
		if (strcmp(options[i].name, "window") == 0)
			window = o->own[i].text;
		else if (strcmp(options[i].name, "statistic") != 0 ||
		    strcmp(o->own[i].text, "distinct") != 0)
			need(strcmp(options[i].name, "presence") == 0, "--%s: refused with --key",
			    options[i].name);
	}
	set_steps(o, window);
}

static const char *
values(const struct dp_options *o)
{
	(void)o;
	return "identifiers, each once for a key, told by a keyed hash of 96 bits";
}

static void
check_keyless(const struct dp_options *o)
{
	need(!o->given[OPT_KEYS], "--keys needs --key, the field that holds the key");
	need(!o->given[OPT_OTHER], "--other needs --key");
	need(o->users.most == 0, "--per-user: with --key, in how many keys one identifier counts; "
	    "without it an identifier counts once");
}

/* Rows of dpmap --identifiers: how often each came in a bucket, which is once here. */
static void
check_partial(struct dp_options *o, const struct dp_tool *tool)
{
	static const char *const refused[] = { "statistic", "tau", "share", "deletes", "flips",
	    "updates" };
	size_t i, j;

	if (!o->shard.partial)
		return;
	need(o->keys.field.number == 0, "--partial: refused with --keys: dpmap --identifiers does "
	    "not say of which key");
	for (i = 0; tool->own[i].name != NULL; i++)
		for (j = 0; j < sizeof refused / sizeof refused[0]; j++)
			need(o->own[i].text == NULL || strcmp(tool->own[i].name, refused[j]) != 0,
			    "--partial: refused with --%s", refused[j]);
	o->shard.identifiers = true;
}

static void
check_keyed(const struct dp_options *o)
{
	need(o->form.value.number != 0, "--key needs --value, the field that holds the identifier");
	need(o->users.most != 0, "--key needs --per-user=K: one identifier counts in at most K of "
	    "the keys, and the noise grows with K");
	need(o->users.spacing_text == NULL && o->users.spacing == 0,
	    "--per-user=K/B: refused with --key: an identifier counts once for a key");
	need(!o->given['P'], "--pan-private: refused with --key (who was seen of which key is "
	    "remembered exactly)");
	need(!o->given[OPT_EVERY] && !o->given[OPT_AT_END],
	    "--every and --at-end: refused with --key; --once answers once");
}

const struct dp_tool *
dp_options_each_key(struct dp_options *o, const struct dp_tool *tool)
{
	static struct dp_tool own;

	if (tool->shape != DP_SHAPE_ID || (tool->groups & DP_GROUP_KEY) == 0)
		return tool;
	check_partial(o, tool);
	if (o->keys.field.number == 0) {
		check_keyless(o);
		return tool;
	}
	check_keyed(o);
	o->users.field = o->form.value;
	o->users.several = o->form.several;
	o->users.once = true;
	o->form.match = ".";		/* an identifier that is empty is none */
	o->priv.pan_default = false;
	options = tool->own;
	own = *tool;
	own.shape = DP_SHAPE_NUMBER;
	own.words.values = values;
	own.task = task;
	own.reach = NULL;
	own.note = NULL;
	own.pan = false;
	return &own;
}
