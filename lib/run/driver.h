/*
 * driver.h - what a tool's main() calls, with the table that says what the tool is.
 */
#ifndef DP_DRIVER_H
#define DP_DRIVER_H

#include "ask/tool.h"

/* Reads the options, runs, returns the exit status. */
int	dp_tool_main(const struct dp_tool *, int argc, char **argv);

#endif
