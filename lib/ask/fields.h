/* fields.h - fields that options name, and conditions of them. */
#ifndef DP_FIELDS_H
#define DP_FIELDS_H

#include <stdbool.h>

/* A field named on the command line: by number, or by name (-H, --cut, --log, --json). */
struct dp_field {
	const char *name;	/* NULL: number counts */
	unsigned number;	/* 0: not given */
};

/* -u A,B and -v A,B: fields that name one user or identifier together. */
#define DP_KEY_FIELDS	4
struct dp_fields {
	struct dp_field part[DP_KEY_FIELDS];
	unsigned n;		/* 0: one field, and no more */
};

/* --where: a line is an event only if it matches, or its field does, or compares so. */
struct dp_condition {
	struct dp_field field;	/* number 0: the line */
	enum dp_op { DP_OP_MATCH, DP_OP_EQUAL, DP_OP_OTHER, DP_OP_BELOW, DP_OP_UP_TO, DP_OP_ABOVE,
	    DP_OP_FROM } op;
	const char *pattern;	/* or what the field is compared with */
	bool number;		/* which is a number */
};

#endif
