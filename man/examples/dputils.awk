# SPDX-License-Identifier: ISC
# dputils.awk - awk that calls a tool: how many requests of a combined log failed so far.
#
# usage: awk -v epsilon=1 -v horizon=10000 -f dputils.awk access.log
# Each line is a step, and whether it failed is what is protected; how many lines there are is
# public.
BEGIN {
	tool = "dpcount -q -e " epsilon " -T " horizon
}

{
	print($9 ~ /^[45]/ ? 1 : 0) | tool
}

END {
	if (close(tool) != 0)
		exit 1
}
