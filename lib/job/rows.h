/* SPDX-License-Identifier: ISC */
/*
 * rows.h - the options that tools share, a row each: what getopt, --help, completion, refusals and
 * a state file know of them.  A list, included wherever something is made of all rows
 * (options_table.[ch]).
 *
 *	ROW(ID, LETTER or 0, "name", argument, help, OF(section of the job, kept in a state),
 *	    other members of struct dp_row)
 *
 * OPT_ID is then the option's number.  argument: NULL: none; "[...]": may be left out.
 */
#ifndef HEADING
#define HEADING(text)
#endif
#ifndef ROW
#define ROW(...)
#endif

HEADING("Privacy")
ROW(EPSILON, 'e', "epsilon", "E", "total privacy loss: 0.5, 1/2; inf: NOT PRIVATE", OF(UNIT, NO),
    .group = DP_GROUP_RELEASE, READ(NUMBER, read_epsilon), HAS(priv.has_epsilon), .rank = 1)
ROW(DELTA, 'd', "delta", "D", "(E, D)-differential privacy; 0 by default", OF(UNIT, NO),
    .group = DP_GROUP_RELEASE, READ(NUMBER, read_delta))
ROW(HORIZON, 'T', "horizon", "N", "time steps planned for: 1000, 10k, 1M", OF(NOISE, NO),
    .group = DP_GROUP_RELEASE, WHOLE(horizon, 1, STEPS_MAX), .rank = 14)
ROW(MECHANISM, 'M', "mechanism", "NAME",
    "auto (default) or one of those that --help=mechanisms lists", OF(NOISE, NO),
    .group = DP_GROUP_RELEASE, TEXT(priv.mechanism), .words = DP_OFFER_MECHANISMS)
ROW(PAN, 'P', "pan-private", NULL, "memory must be private too, against one intrusion",
    OF(NOISE, NO), .group = DP_GROUP_PAN, FLAG(priv.pan))
ROW(USER, 'u', "user", "FIELD", "protect all events of a user, not one event", OF(UNIT, NO),
    .group = DP_GROUP_USER, FIELD(users.field), .rank = 9)
ROW(PER_USER, 'c', "per-user", "K", "at most K events of a user count in the whole run",
    OF(UNIT, NO), .group = DP_GROUP_USER | DP_GROUP_PER_USER, READ(TEXT, read_per_user),
    .rank = 11)
ROW(EACH_USER, 0, "each-user", "HOW",
    "all events of a user in a step become one: any, count, sum, ..", OF(UNIT, FIXED),
    .group = DP_GROUP_EACH, WORD(users.each, 0, "any count sum mean max min first last"),
    .whose = "dpcount dpwindow dpdecay dpmean dpquantile dpmaxsum dptop dpmap")
ROW(RETENTION, 0, "retention", "N", "columns are steps since a user's first: 0 to N, +",
    OF(UNIT, FIXED), .group = DP_GROUP_RETENTION, READ(TEXT, read_retention),
    .whose = "dpcount dpwindow")
ROW(COUNTER, 0, "counter", NULL, "values are readings: what counts is their increase",
    OF(UNIT, FIXED), .group = DP_GROUP_COUNTER, FLAG(users.counter),
    .whose = "dpcount dpwindow dpdecay dpmean dpquantile")
ROW(DROPPED, 0, "dropped", "[D]", "a column more: the share of events that -c leaves out",
    OF(UNIT, FIXED), .group = DP_GROUP_DROPPED, READ(WHOLE, read_dropped),
    .whose = "dpcount dpwindow")
ROW(BUDGET, 0, "budget", "FILE[:LABEL]",
    "debit epsilon and delta from a ledger (dpbudget), before data is read", OF(NONE, NO),
    .group = DP_GROUP_RELEASE, READ(FILE, read_budget))
ROW(RECEIPT, 0, "receipt", "FILE", "sign what was released, once it is (dpaudit --receipt)",
    OF(NONE, NO), .group = DP_GROUP_RELEASE, NAMED(keep.receipt))
ROW(SIGN, 0, "sign", "KEY", "with --receipt: the secret key (dpaudit --new-key)", OF(NONE, NO),
    .group = DP_GROUP_RELEASE, NAMED(keep.sign))
ROW(SEED, 0, "seed", "N", "reproducible noise, for tests: NOT PRIVATE", OF(NOISE, NO),
    .group = DP_GROUP_RELEASE, WHOLE(priv.seed, 0, UINT64_MAX), HAS(priv.has_seed))

HEADING("Values")
ROW(RANGE, 'r', "range", "LO:HI", "clamp values; decimals fix the grid; ", OF(UNIT, NO),
    .group = DP_GROUP_RANGE, READ(TEXT, read_range), HAS(range.has_range), .rank = 11)
ROW(UNIT, 0, "unit", "U", "values are totals: one event moves one by at most U; range 0:1T",
    OF(UNIT, FIXED), .group = DP_GROUP_UNIT, READ(NUMBER, read_unit),
    .whose = "dpcount dpwindow dpdecay dpmean dpmaxsum dpproject dpmap")
ROW(HOLISTIC, 0, "holistic", "K", "lines are computed: one event changes at most K of them",
    OF(UNIT, FIXED), .group = DP_GROUP_COUNTER, WHOLE(range.changes, 1, STEPS_MAX),
    .whose = "dpcount dpwindow dpdecay dpmean dpquantile")

HEADING("Lines and their fields")
ROW(DELIMITER, 'F', "delimiter", "C", "fields are separated by C; default runs of blanks",
    OF(INPUT, YES), READ(TEXT, read_delimiter), .cuts = DP_CUTS_FIELDS)
ROW(CSV, 0, "csv", "[lines]", "comma-separated values; lines: a row is its line",
    OF(INPUT, YES), WORD(form.csv, DP_CSV_ROWS, "lines"), .cuts = DP_CUTS_FIELDS,
    .rank = 12)
ROW(TSV, 0, "tsv", NULL, "fields are separated by tabs", OF(INPUT, YES), READ(FLAG, read_tsv),
    .cuts = DP_CUTS_FIELDS)
ROW(HEADER, 'H', "header", NULL, "the first line of each file names the fields", OF(INPUT, YES),
    FLAG(form.header), .cuts = DP_CUTS_FIELDS, .rank = 19)
ROW(CUT, 0, "cut", "REGEX", "fields are the pattern's groups: (?<NAME>...)", OF(INPUT, YES),
    TEXT(form.cut), .cuts = DP_CUTS_LINE)
ROW(LOG, 0, "log", "NAME", "lines of a log: combined, syslog, .. (or list)", OF(INPUT, YES),
    READ(WORD, read_log), .cuts = DP_CUTS_LINE, .words = DP_OFFER_LOGS, .rank = 3)
ROW(LOG_FORMAT, 0, "log-format", "FMT", "lines are as goaccess's or nginx's format string says",
    OF(INPUT, YES), READ(TEXT, read_log_format), .cuts = DP_CUTS_LINE)
ROW(JSON, 0, "json", NULL, "lines are JSON objects; a FIELD is a name or a.b.c", OF(INPUT, YES),
    FLAG(form.json), .cuts = DP_CUTS_LINE, .rank = 16)
ROW(LET, 0, "let", "NAME=FIELD:HOW", "a field made of another: page, host, .. or ~REGEX",
    OF(INPUT, YES),
    .group = DP_GROUP_WHERE, TEXT(form.lets.text))

HEADING("Events")
ROW(WHERE, 0, "where", "COND", "only lines with FIELD>=VALUE, FIELD~REGEX, REGEX", OF(INPUT, YES),
    .group = DP_GROUP_WHERE, TEXT(form.where))
ROW(OR, 0, "or", NULL, "between two --where: one of them is enough", OF(NONE, NO),
    .group = DP_GROUP_WHERE, .kind = DP_KIND_FLAG)
ROW(DECIMAL, 0, "decimal", "C", "numbers have C for the point: , in 1.234,56", OF(INPUT, YES),
    .group = DP_GROUP_RANGE, READ(TEXT, read_decimal))
ROW(THOUSANDS, 0, "thousands", "C", "and C between groups of three digits: . , ' or a blank",
    OF(INPUT, YES), .group = DP_GROUP_RANGE, READ(TEXT, read_thousands))
ROW(NUMBERS, 0, "numbers", "COUNTRY", "both of these, as a country has them: de, fr, us, in, ..",
    OF(INPUT, YES), .group = DP_GROUP_RANGE, READ(TEXT, read_numbers), .words = DP_COUNTRIES)
ROW(VALUE, 'v', "value", "FIELD", "field of the value: its number or name", OF(INPUT, YES),
    .group = DP_GROUP_VALUE, FIELD(form.value), .rank = 4)
ROW(WEIGHT, 0, "weight", "FIELD[:MAX]",
    "sum of -v / sum of FIELD, whose numbers are 0 to MAX: a ratio", OF(UNIT, FIXED),
    .group = DP_GROUP_SAMPLING, READ(TEXT, read_weight), .whose = "dpmean")
ROW(ANSWER, 0, "of", "FIELD", "with --weight: an answer, which the weight multiplies",
    OF(UNIT, FIXED), .group = DP_GROUP_SAMPLING, READ(FIELD, read_answer), .whose = "dpmean")
ROW(MATCH, 'm', "match", "REGEX", "value 1 if the line (or -v field) matches, else 0",
    OF(INPUT, YES), .group = DP_GROUP_MATCH, TEXT(form.match), .rank = 7, .whose = MATCHING)
ROW(FIXED, 0, "fixed", NULL, "the -m pattern is a plain string", OF(INPUT, YES),
    .group = DP_GROUP_MATCH, FLAG(form.fixed), .whose = MATCHING)
ROW(ICASE, 'i', "ignore-case", NULL, "the -m pattern ignores case", OF(INPUT, YES),
    .group = DP_GROUP_MATCH, FLAG(form.icase), .whose = MATCHING)
ROW(INVERT, 0, "invert-match", NULL, "value 1 if the line does not match", OF(INPUT, YES),
    .group = DP_GROUP_MATCH, FLAG(form.invert), .whose = MATCHING)

HEADING("Time")
ROW(TIME, 't', "time", "FIELD", "field of the event time, or two: DAY,CLOCK", OF(INPUT, YES),
    .group = DP_GROUP_TIME, READ(FIELD, read_time), .rank = 20)
ROW(FORMAT, 0, "time-format", "FMT", "epoch iso clf syslog excel, or a strptime(3) format",
    OF(INPUT, YES), .group = DP_GROUP_TIME, TEXT(time.format),
    .words = "epoch iso clf syslog excel", .rank = 21)
ROW(TZ, 0, "tz", "ZONE", "zone of times without an offset, and of buckets; default UTC",
    OF(UNIT, FIXED), .group = DP_GROUP_TIME, TEXT(time.tz), .words = DP_OFFER_ZONES)
ROW(TZ_IN, 0, "tz-in", "ZONE", "zone of times without an offset, where it is another",
    OF(INPUT, YES), .group = DP_GROUP_TIME, TEXT(time.in.name), .words = DP_OFFER_ZONES)
ROW(START, 0, "start", "WHEN", "days begin at 06:00, weeks on sun: WHEN is either, or sun,06:00",
    OF(UNIT, FIXED), .group = DP_GROUP_TIME, TEXT(time.start),
    .words = "sun mon tue wed thu fri sat 06:00")
ROW(BUCKET, 0, "bucket", "DUR", "steps are buckets of time: 30s 5m 1h 1d 1w 1mo 1y", OF(UNIT, NO),
    .group = DP_GROUP_TIME, READ(DURATION, read_bucket), .rank = 5)
ROW(FROM, 0, "from", "TIME", "first bucket; with --to; printed at end of input", OF(NONE, NO),
    .group = DP_GROUP_TIME, READ(TEXT, read_end), HAS(time.has_from), .rank = 6)
ROW(TO, 0, "to", "TIME", "end of the last bucket", OF(NONE, NO), .group = DP_GROUP_TIME,
    READ(TEXT, read_end), HAS(time.has_to))
ROW(ONCE, 0, "once", NULL, "all input of a run is one step: a table", OF(UNIT, FIXED),
    .group = DP_GROUP_TIME, READ(FLAG, read_once), .rank = 17)
ROW(LIVE, 0, "live", "[LATENESS]", "the clock closes buckets, LATENESS after their end",
    OF(INPUT, NO), .group = DP_GROUP_TIME | DP_GROUP_RELEASE, READ(DURATION, read_live),
    .rank = 22)
ROW(PUBLIC, 0, "public-times", NULL, "event times are public and close buckets", OF(INPUT, NO),
    .group = DP_GROUP_TIME | DP_GROUP_RELEASE, READ(FLAG, read_public))
ROW(GAP, 0, "gap", "N", "a time beyond N empty buckets is wrong (--public-times, --live)",
    OF(INPUT, YES), .group = DP_GROUP_TIME | DP_GROUP_RELEASE, WHOLE(time.gap, 1, STEPS_MAX))

HEADING("Keys")
ROW(KEY, 'k', "key", "FIELD", "a histogram: one column per declared key", OF(INPUT, YES),
    .group = DP_GROUP_KEY | DP_GROUP_UNIT, READ(FIELD, read_key), .rank = 10)
ROW(KEYS, 0, "keys", "A,B,C", "the keys, or @FILE with one a line", OF(UNIT, NO),
    .group = DP_GROUP_KEY | DP_GROUP_KEYS, LIST(keys.list), .rank = 10)
ROW(OTHER, 0, "other", "[NAME]", "one more key, for events whose key is not declared",
    OF(UNIT, FIXED), .group = DP_GROUP_KEY, READ(TEXT, read_other))
ROW(DOMAIN, 0, "domain", "A,B,C", "the alphabet, or @FILE with one symbol a line", OF(UNIT, NO),
    .group = DP_GROUP_DOMAIN, READ(LIST, read_domain), .rank = 1, .whose = "dplocal")

HEADING("Other input")
ROW(PARTIAL, 0, "partial", "[by-user]",
    "input is the exact partial counts of dpmap; by-user: a user is in one shard", OF(INPUT, YES),
    .group = DP_GROUP_PARTIAL, WORD(shard.by_user, 0, "by-user"), HAS(shard.partial),
    .whose = "dpcount dpwindow dpdecay dpmean dpquantile dptop dpmaxsum dpdistinct")
ROW(EXPECT, 0, "expect", "N", "with --partial: how many shards, or @FILE of their names",
    OF(NONE, NO), .group = DP_GROUP_PARTIAL, READ(TEXT, read_expect),
    .whose = "dpcount dpwindow dpdecay dpmean dpquantile dptop dpmaxsum dpdistinct")
ROW(STRICT, 0, "strict", NULL, "a malformed line ends the run (status 3)", OF(INPUT, YES),
    FLAG(form.strict))
ROW(COLUMNS, 0, "columns", "D", "a line is D numbers, or index:value pairs", OF(UNIT, FIXED),
    .group = DP_GROUP_COLUMNS, WHOLE(keys.columns, 1, DP_COLUMNS_MAX), .rank = 12,
    .whose = "dpmaxsum dpexperts")
ROW(ONES, 0, "ones", "S", "at most S numbers of a line are not 0", OF(UNIT, FIXED),
    .group = DP_GROUP_COLUMNS, WHOLE(keys.ones, 1, DP_COLUMNS_MAX), .whose = "dpmaxsum dpexperts")

HEADING("Output")
ROW(OUTPUT, 'o', "output", "FORMAT", "plain, tsv, csv, json, long, markdown, prometheus",
    OF(OUTPUT, YES), .group = DP_GROUP_RELEASE, READ(WORD, read_output),
    .words = "plain tsv csv json long markdown prometheus", .rank = 18)
ROW(BOUND, 'B', "bound", "[CONF]", "add lo and hi of the noise, confidence 0.95 or CONF",
    OF(OUTPUT, YES), .group = DP_GROUP_BOUND, READ(NUMBER, read_bound), .rank = 4)
ROW(SAMPLING, 0, "sampling", NULL, "with -B: of what the events are a sample of, noise included",
    OF(OUTPUT, FIXED), .group = DP_GROUP_SAMPLING, FLAG(print.sampling), .whose = "dpmean")
ROW(INDEPENDENT, 0, "independent", NULL, "with --sampling: no person has two events",
    OF(OUTPUT, FIXED), .group = DP_GROUP_SAMPLING, FLAG(print.independent), .whose = "dpmean")
ROW(TOP, 0, "top", "K[+]", "print the K largest keys of a step, a row each; + all others",
    OF(OUTPUT, YES), .group = DP_GROUP_TOP, READ(NUMBER, read_top),
    .whose = "dptop dpcount dpwindow dpdecay")
ROW(DIFFERENCE, 0, "difference", "[KEY]", "each other key less KEY, or less the first",
    OF(OUTPUT, YES), .group = DP_GROUP_DIFFERENCE, TEXT(print.less), HAS(print.difference),
    .whose = "dpmean dpcount dpwindow dpquantile")
ROW(MARGINS, 0, "margins", "[F]", "totals too, of each field of -k A,B; F of the budget on them",
    OF(OUTPUT, YES), .group = DP_GROUP_TABLE, READ(NUMBER, read_margins),
    .whose = "dpcount dpwindow dpmean")
ROW(HIERARCHY, 0, "hierarchy", "FILE", "totals by rows child,parent: districts, states, country",
    OF(OUTPUT, YES), .group = DP_GROUP_TABLE, NAMED(print.table.hierarchy),
    .whose = "dpcount dpwindow dpmean")
ROW(INTEGERS, 0, "integers", NULL, "print whole numbers, which still add up", OF(OUTPUT, YES),
    .group = DP_GROUP_ROUND, FLAG(print.table.integers), .whose = "dpcount dpwindow")
ROW(ROUND, 0, "round", "N", "print multiples of N, which still add up", OF(OUTPUT, YES),
    .group = DP_GROUP_ROUND, WHOLE(print.table.round, 1, 1000000000),
    .whose = "dpcount dpwindow")
ROW(SUPPRESS, 0, "suppress", "N", "print no number below N: <N, or an empty field",
    OF(OUTPUT, YES), .group = DP_GROUP_ROUND, WHOLE(print.table.suppress, 1, 1000000000),
    .whose = "dpcount dpwindow")
ROW(SAFE, 0, "safe", "[no]", "CSV: no name begins a spreadsheet's formula", OF(OUTPUT, YES),
    .group = DP_GROUP_RELEASE, WORD(print.safe, DP_SAFE_ALL, "no"))
ROW(NONNEGATIVE, 0, "nonnegative", NULL, "print no estimate below 0", OF(OUTPUT, YES),
    .group = DP_GROUP_NONNEGATIVE, FLAG(print.nonnegative))
ROW(MONOTONE, 0, "monotone", NULL, "print no estimate below an earlier one", OF(OUTPUT, YES),
    .group = DP_GROUP_MONOTONE, FLAG(print.monotone), .whose = "dpcount dpmaxsum dptransform")
ROW(EVERY, 0, "every", "N", "print after every N steps", OF(OUTPUT, FIXED),
    .group = DP_GROUP_PRINT, WHOLE(print.every, 1, STEPS_MAX), .whose = "dpdistinct")
ROW(AT_END, 0, "at-end", NULL, "print once, when the input ends", OF(OUTPUT, FIXED),
    .group = DP_GROUP_PRINT, READ(FLAG, read_at_end), .whose = "dpdistinct")
ROW(EXPLAIN, 'E', "explain", "[FORM]", "guarantee, predicted errors; reads no data", OF(NONE, NO),
    .group = DP_GROUP_RELEASE, WORD(print.explain, DP_EXPLAIN_TEXT, "json plan"), .rank = 2)
ROW(CHECK, 0, "check", NULL, "show how a public sample is read, in place of -e", OF(NONE, NO),
    FLAG(print.check), .rank = 8)
ROW(WITHIN, 0, "within", "ERR", "with --explain: the smallest epsilon for errors up to ERR",
    OF(NONE, NO), .group = DP_GROUP_RELEASE,
    NUMBER(priv.within, "an error above 0: a decimal or a ratio"))
ROW(REPORT, 0, "report", "N", "with --explain, without -T: errors of the first N steps",
    OF(NONE, NO), .group = DP_GROUP_RELEASE, WHOLE(priv.report, 1, STEPS_MAX))
ROW(LINE_BUFFERED, 0, "line-buffered", NULL, "flush after every estimate", OF(NONE, NO),
    .group = DP_GROUP_RELEASE, FLAG(print.line_buffered))
ROW(NUMBER, 'n', "number", NULL, "start each line with its step number", OF(OUTPUT, YES),
    .group = DP_GROUP_RELEASE, FLAG(print.number))
ROW(QUIET, 'q', "quiet", NULL, "no warnings", OF(NONE, NO), FLAG(print.quiet))
ROW(HELP, 'h', "help", "[WHAT]", "what is used most; all: every option; mechanisms: those",
    OF(NONE, NO), .words = DP_OFFER_HELP)
ROW(VERSION, 'V', "version", NULL, "version", OF(NONE, NO))

HEADING("State")
ROW(STATE, 0, "state", "FILE", "resume exactly where the last run stopped", OF(NONE, NO),
    .group = DP_GROUP_STATE, NAMED(keep.state), .rank = 15)
ROW(NEXT, 0, "next", NULL, "the buckets that are over, and that the state has not", OF(NONE, NO),
    .group = DP_GROUP_STATE, READ(FLAG, read_end), HAS(time.next))
ROW(INIT, 0, "init", NULL, "create the state file; refused if it exists", OF(NONE, NO),
    .group = DP_GROUP_STATE, FLAG(keep.init))
ROW(OUT, 0, "out", "FILE", "append estimates to FILE exactly once", OF(NONE, NO),
    .group = DP_GROUP_STATE, NAMED(keep.out))
ROW(BATCH, 0, "batch", "ID", "the last ID again prints the same estimates and consumes nothing",
    OF(NONE, NO), .group = DP_GROUP_STATE, READ(TEXT, read_batch))
ROW(WITNESS, 0, "witness", "FILE", "a generation number kept elsewhere, against rollback",
    OF(NONE, NO), .group = DP_GROUP_STATE, NAMED(keep.witness))
ROW(SHOW, 0, "state-show", NULL, "print the state file's public header", OF(NONE, NO),
    .group = DP_GROUP_STATE, FLAG(keep.show))
ROW(MOVE, 0, "state-move", "FILE", "move the state to FILE, on another disk, and end this one",
    OF(NONE, NO), .group = DP_GROUP_STATE, NAMED(keep.move))
ROW(SEEN, 0, "seen", NULL, "the state was looked at: begin its memory anew (--looks)",
    OF(NONE, NO), .group = DP_GROUP_SEEN, FLAG(keep.seen),
    .whose = "dpcount dpdistinct")
ROW(CHANGE, 0, "change", "[NAME,...]",
    "input and output options may differ from those kept; drop NAME,...", OF(NONE, NO),
    .group = DP_GROUP_STATE, TEXT(keep.forget), HAS(keep.change))

#undef HEADING
#undef ROW
