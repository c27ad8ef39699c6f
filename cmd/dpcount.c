/* dpcount - private running count or sum of a stream, one estimate per time step. */
#include "filter.h"

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpcount",
		.purpose = "Print a differentially private running count (or sum) after every time step.",
		.synopsis = ""
	};

	return dp_filter_main(&tool, argc, argv);
}
