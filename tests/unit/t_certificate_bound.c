/* SPDX-License-Identifier: ISC */
/*
 * What a plan of version 2 is compared with (audit/internal.h): plans as they are printed hold, and
 * with a line edited, or left out, so that less noise would be enough, they do not.
 *
 * edits	each edit below; the number of lines is mended
 * claims	what a reader is told of: claims, and counts that are taken as they are
 * spelled	a number has one spelling
 */
#include "audit/internal.h"
#include "check.h"

#define RUNNING \
	"version 0.2\n" \
	"tool dptop\n" \
	"event 0 1 0 1099511627776 1\n" \
	"horizon 2\n" \
	"mechanism gated-normtree\n" \
	"epsilon 8/1\n" \
	"delta 1/10\n" \
	"reach 1\n" \
	"tree 1 1 0 1 1\n" \
	"kind 1 12 step step 0x1p+0 0x1p+0\n" \
	"k 0x1p+0 0x1.e7545df285869p-20 0x1.cc922351e003bp-42 0x1.b3480c13791c4p-64 " \
	"0x1.9b6170f775d41p-86 0x1.84cacd0f151d7p-108 0x1.6f71adcbccecap-130 " \
	"0x1.5b44a3ee7af3ap-152 0x1.4833354a5b412p-174 0x1.362dcf5023efap-196 " \
	"0x1.2525ba564886bp-218 0x1.150d0d94022a6p-240 0x1.05d6a3c54bb4cp-262 " \
	"0x1.e3e2fca0525d9p-23\n" \
	"root 0x1p+0 0x1.5fc34629c0863p-11 0x1.6a82e844c0961p-22 0x1.4c1421f21c74fp-33 " \
	"0x1.1d3030186f113p-44 0x1.d63e88cad6f68p-56 0x1.78ebec157cd66p-67 " \
	"0x1.27f41f7fcddc1p-78 0x1.c97edb14baf03p-90 0x1.5d3da92e92cc6p-101 " \
	"0x1.07ef966398252p-112 0x1.8ba3431f62e28p-124 0x1.26783ac8703a5p-135 " \
	"0x1.7d13b8c499d0cp-12\n" \
	"pass 1 1 1 2 2\n" \
	"end\n"

#define WINDOW \
	"version 0.2\n" \
	"tool dptop\n" \
	"event 0 1 0 1099511627776 1\n" \
	"horizon 9\n" \
	"last 7\n" \
	"mechanism gated-window\n" \
	"epsilon 8/1\n" \
	"delta 1/10\n" \
	"reach 1\n" \
	"tree 1 1 0 1 1\n" \
	"kind 1 9 step step 0x1p+0 0x1p+0\n" \
	"k 0x1p+0 0x1.70a15416a3233p-22 0x1.98ac952a7c77dp-45 0x1.c5116bda279cep-68 " \
	"0x1.f648cfde38917p-91 0x1.166c6e7708a91p-113 0x1.34ab2016b1689p-136 " \
	"0x1.5632e6a5f03bcp-159 0x1.7b5f1fd3879a4p-182 0x1.a495161b01e9ep-205 " \
	"0x1.1bcf1db1ea8e4p-23\n" \
	"root 0x1p+0 0x1.5fc2b83820697p-11 0x1.6a81ac64369bap-22 0x1.4c125fe3b75abp-33 " \
	"0x1.1d2e21bfc5367p-44 0x1.d63a3cd0813ap-56 0x1.78e7bfae685a8p-67 " \
	"0x1.27f045a77302p-78 0x1.c978039e1396fp-90 0x1.5d37c24bfbe2ap-101 " \
	"0x1.86d8638235d64p-12\n" \
	"window 1 1 7 2\n" \
	"end\n"

#define GAUSSIAN \
	"version 0.2\n" \
	"tool dptop\n" \
	"records 2 0 1 0 1099511627776 1\n" \
	"horizon 2\n" \
	"mechanism gated-blt\n" \
	"epsilon 8/1\n" \
	"delta 1/10\n" \
	"reach 2\n" \
	"rise 2 2 5\n" \
	"parts 1\n" \
	"mechanism blt-norm\n" \
	"epsilon 8/1\n" \
	"delta 1/20\n" \
	"reach 2\n" \
	"blt 35318968138712168/1 2 2 28 4 0 0 0 0 8 2\n" \
	"pole 719762139072786176 2088833972713558384\n" \
	"pole 1453754991860039424 1077530439101156608\n" \
	"pole 2549579778823756800 1235163161278149120\n" \
	"pole 4358393971695308800 1364816121802181632\n" \
	"pole 7127954190575304704 1358035215465980416\n" \
	"pole 10833938596955723776 1083778100584269440\n" \
	"pole 14736463232755449856 563507433453587136\n" \
	"pole 17437974099707750400 125809047448203344\n" \
	"piece 2 241780263\n" \
	"piece 1 268435455\n" \
	"end\n" \
	"end\n"

#define USER \
	"version 0.2\n" \
	"tool dpcount\n" \
	"records 8 0 1 0 1 1\n" \
	"horizon 9\n" \
	"mechanism blt\n" \
	"epsilon 1/1\n" \
	"delta 1/1000000\n" \
	"reach 8\n" \
	"blt 34729747942633876/1 9 1 22 64 0 0 0 0 8 0\n" \
	"pole 162431834631824480 1202927517200216320\n" \
	"pole 421619023186126784 756767630255196544\n" \
	"pole 915461161837382272 1030323638432457984\n" \
	"pole 1955487644897629952 1377614686512159744\n" \
	"pole 4032810067593048064 1703585129455068672\n" \
	"pole 7730087878699236352 1725128520639533408\n" \
	"pole 12866185952180183040 1099534175892889600\n" \
	"pole 17119904312996112384 237626553617493280\n" \
	"end\n"

#define EACH_STEP \
	"version 0.2\n" \
	"tool dptop\n" \
	"records 5 0 1 0 1099511627776 1\n" \
	"horizon 2\n" \
	"mechanism gated-laplace\n" \
	"epsilon 1/1\n" \
	"delta 1/1000000\n" \
	"reach 5\n" \
	"laplace 5/1 1\n" \
	"names 5/1 76 5 5\n" \
	"end\n"

#define FEW_STEPS \
	"version 0.2\n" \
	"tool dptransform\n" \
	"line 0 1000000000000 1 1 1\n" \
	"horizon 20\n" \
	"mechanism pan\n" \
	"epsilon 1/1\n" \
	"reach 1\n" \
	"sparse 0/1 0 20480/807 1 20\n" \
	"value 5120/217 1 5\n" \
	"end\n"

#define APART \
	"version 0.2\n" \
	"tool dpcount\n" \
	"records 2 0 1 0 1 1\n" \
	"apart 3\n" \
	"horizon 9\n" \
	"mechanism banded\n" \
	"epsilon 1/1\n" \
	"delta 1/1000000\n" \
	"reach 2\n" \
	"banded 55480283979705408/1 9 1 25 1 0 2 3 3 33554432 16580608 12386880\n" \
	"end\n"

#define TREE \
	"version 0.2\n" \
	"tool dpcount\n" \
	"line 0 1 0 1 1\n" \
	"horizon 9\n" \
	"mechanism tree\n" \
	"epsilon 1/1\n" \
	"reach 1\n" \
	"laplace 4/1 4\n" \
	"end\n"

#define MEAN \
	"version 0.2\n" \
	"tool dpmean\n" \
	"adds 1 2 10 2\n" \
	"horizon 9\n" \
	"mechanism mean\n" \
	"epsilon 1/1\n" \
	"reach 20\n" \
	"parts 1\n" \
	"mechanism output\n" \
	"epsilon 1/1\n" \
	"reach 20\n" \
	"laplace 180/1 9\n" \
	"end\n" \
	"end\n"

#define GRADUAL \
	"version 0.2\n" \
	"tool dpcount\n" \
	"line 0 1 0 1 1\n" \
	"horizon 9\n" \
	"mechanism gradual\n" \
	"epsilon 373723499/134217728\n" \
	"reach 1\n" \
	"fresh 1/1\n" \
	"ages 8 4 1/1 4294967296/3037000499 1073741824/619925131 2/1\n" \
	"end\n"

/* A tree of 2 steps; a run that has no end has such trees one after the other. */
#define SMALL \
	"tree 1 1 0 1 1\n" \
	"kind 1 14 step step 0x1p+0 0x1p+0\n" \
	"k 0x1p+0 0x1.92c80d7ce47fdp-2 0x1.d67a912957168p-5 0x1.12c6f339fd1c9p-7 " \
	"0x1.40f5cfbdd0e7dp-10 0x1.76e7cb96d0556p-13 0x1.b5eae2dd913cbp-16 " \
	"0x1.ff85340f12fcdp-19 0x1.2abf37ac758ecp-21 0x1.5cf56dec561e5p-24 " \
	"0x1.979c1b84b0ba5p-27 0x1.dc1e5f08da1fep-30 0x1.16122f829eb28p-32 " \
	"0x1.44cec5febbca5p-35 0x1.7b664de3a2fb4p-38 0x1.2b06ef6f78bap-3\n" \
	"root 0x1.fffffffffffffp-1 0x1.1e6530ac74ecap-1 0x1.1ada401eb38f4p-2 " \
	"0x1.052f6292ec016p-3 0x1.ce700fd97a46p-5 0x1.8db47a1b70b7p-6 0x1.4ee4ba1c01e67p-7 " \
	"0x1.1581f6de7a849p-8 0x1.c621be8cf38dp-10 0x1.6fcf7a4441868p-11 " \
	"0x1.276641cf8e771p-12 0x1.d72635eadb202p-14 0x1.757b170db789ep-15 " \
	"0x1.2687fe65002f3p-16 0x1.ce7471699a6f8p-18 0x1.91f49afb4b31p-2\n"

#define EXPIRE \
	"version 0.2\n" \
	"tool dpcount\n" \
	"line 0 1 0 1 1\n" \
	"horizon 9\n" \
	"covers 3\n" \
	"mechanism expire\n" \
	"epsilon 1/1\n" \
	"reach 1\n" \
	"parts 1\n" \
	"mechanism normtree\n" \
	"epsilon 1/1\n" \
	"reach 1\n" \
	SMALL \
	"end\n" \
	"end\n"

#define ANSWERS \
	"version 0.2\n" \
	"tool dpdistinct\n" \
	"line 0 1 0 1099511627776 1\n" \
	"horizon 9\n" \
	"mechanism window\n" \
	"epsilon 1/1\n" \
	"reach 2\n" \
	"value 3/1 1 3\n" \
	"end\n"

#define CHANGES \
	"version 0.2\n" \
	"tool dpdistinct\n" \
	"identifiers 1\n" \
	"horizon 2000\n" \
	"mechanism turnstile\n" \
	"epsilon 1/1\n" \
	"delta 1/1000000\n" \
	"reach 1\n" \
	"counter 4 8 2000\n" \
	"parts 1\n" \
	"mechanism blt\n" \
	"epsilon 1/1\n" \
	"delta 1/1000000\n" \
	"reach 4\n" \
	"blt 34236464263022416/1 2000 1 23 16 8 0 0 0 8 0\n" \
	"pole 1903605760660088 175760736248407328\n" \
	"pole 9373919822323052 179595570101917216\n" \
	"pole 35771311607388464 345957172087855744\n" \
	"pole 136229881546500608 667876832216857472\n" \
	"pole 514841427746234304 1269401088891963904\n" \
	"pole 1890031179034555648 2242343622406378240\n" \
	"pole 6238737142169775104 2974821364469030848\n" \
	"pole 14633382068621621248 1254714497957442048\n" \
	"end\n" \
	"end\n"

/* Cells of hashed identifiers, each begun at a place of its own. */
#define CELLS \
	"version 0.2\n" \
	"tool dpdistinct\n" \
	"identifiers 1\n" \
	"horizon 10\n" \
	"mechanism hashed\n" \
	"epsilon 1/1\n" \
	"reach 1\n" \
	"laplace 2/1 1\n" \
	"value 20/1 1 10\n" \
	"end\n"

/* Bits that are drawn again lose less than a place and answers do together. */
#define AGAIN \
	"again 2/1 16/1 1 10\n"

/* Queries that overlap: a line moves their answers by 3 in sum, and counts of kinds by 2. */
#define COUNTS \
	"version 0.2\n" \
	"tool dpproject\n" \
	"vectors 1 3 3\n" \
	"counts 2\n" \
	"horizon 9\n" \
	"mechanism counts\n" \
	"epsilon 1/1\n" \
	"reach 3\n" \
	"value 2/1 2 1\n" \
	"end\n"

/* Answers of two numbers, in which a unit has squares of 5; and comparisons of a number. */
#define SQUARES \
	"version 0.2\n" \
	"tool dpproject\n" \
	"vectors 1 3 5\n" \
	"horizon 9\n" \
	"mechanism gauss\n" \
	"epsilon 1/1\n" \
	"delta 1/1000000\n" \
	"reach 3\n" \
	"gauss 130/1 5 2\n" \
	"end\n"
#define THRESHOLD \
	"version 0.2\n" \
	"tool dptransform\n" \
	"line 0 1000000000000 3 1 1\n" \
	"horizon 9\n" \
	"mechanism rising\n" \
	"epsilon 1/1\n" \
	"reach 3\n" \
	"sparse 12/1 3 24/1 6 2\n" \
	"value 12/1 3 1\n" \
	"end\n"

#define ROW \
	"version 0.2\n" \
	"tool dpcount\n" \
	"line 0 1 0 1 1\n" \
	"horizon 0\n" \
	"mechanism normtree\n" \
	"epsilon 1/1\n" \
	"reach 1\n" \
	SMALL SMALL \
	"end\n"

/* Histograms of one quantile over two trees of intervals, by Laplace noise for short. */
#define HALVES \
	"version 0.2\n" \
	"tool dpquantile\n" \
	"adds 1 2 1 101\n" \
	"horizon 8\n" \
	"last 3\n" \
	"mechanism quantile\n" \
	"epsilon 1/2\n" \
	"reach 2\n" \
	"parts 2\n" \
	"mechanism output\n" \
	"epsilon 99/400\n" \
	"reach 2\n" \
	"value 800/99 2 1\n" \
	"end\n" \
	"mechanism output\n" \
	"epsilon 101/400\n" \
	"reach 2\n" \
	"value 800/101 2 1\n" \
	"end\n" \
	"end\n"

/* Its parts, and those of which less noise is enough: one alone. */
#define BOTH \
	"mechanism output\nepsilon 99/400\nreach 2\nvalue 800/99 2 1\nend\n" \
	"mechanism output\nepsilon 101/400\nreach 2\nvalue 800/101 2 1\nend\n"
#define ONE \
	"mechanism output\nepsilon 99/200\nreach 2\nvalue 400/99 2 1\nend\n"

#define LINES	3		/* that are edited at once */

static const struct {
	const char *text;
	const char *edit[LINES][2];	/* the beginning of a line, or all of it; what it becomes */
	const char *why;		/* NULL: it holds */
} forged[] = {
	{ RUNNING, { { NULL } }, NULL }, { WINDOW, { { NULL } }, NULL },
	{ GAUSSIAN, { { NULL } }, NULL }, { USER, { { NULL } }, NULL },
	{ EACH_STEP, { { NULL } }, NULL }, { APART, { { NULL } }, NULL },
	{ TREE, { { NULL } }, NULL }, { MEAN, { { NULL } }, NULL }, { GRADUAL, { { NULL } }, NULL },
	{ EXPIRE, { { NULL } }, NULL }, { ANSWERS, { { NULL } }, NULL },
	{ CHANGES, { { NULL } }, NULL }, { FEW_STEPS, { { NULL } }, NULL },
	{ CELLS, { { NULL } }, NULL }, { COUNTS, { { NULL } }, NULL }, { ROW, { { NULL } }, NULL },
	{ SQUARES, { { NULL } }, NULL }, { THRESHOLD, { { NULL } }, NULL },
	/* squares, and what is compared, that are less than one unit's */
	{ SQUARES, { { "gauss 130/1 5 2\n", "gauss 104/1 4 2\n" } }, "larger squares" },
	{ SQUARES, { { "gauss 130/1 5 2\n", "gauss 160/1 6 2\n" } }, NULL },
	{ THRESHOLD, { { "mechanism rising\n", "mechanism recompute\n" },
	    { "sparse 12/1 3 24/1 6 2\nvalue 12/1 3 1\n", "gauss 999/1 8 1\n" },
	    { "epsilon 1/1\n", "epsilon 1/1\ndelta 1/1000000\n" } }, "larger squares" },
	{ THRESHOLD, { { "mechanism rising\n", "mechanism recompute\n" },
	    { "sparse 12/1 3 24/1 6 2\nvalue 12/1 3 1\n", "gauss 999/1 9 1\n" },
	    { "epsilon 1/1\n", "epsilon 1/1\ndelta 1/1000000\n" } }, NULL },
	{ THRESHOLD, { { "sparse 12/1 3 ", "sparse 8/1 2 " } }, "is compared farther" },
	{ THRESHOLD, { { "24/1 6 2\n", "8/1 2 2\n" } }, "is compared farther" },
	{ THRESHOLD, { { "24/1 6 2\n", "12/1 3 2\n" } }, NULL },	/* it is given */
	/* cells are no bits, of which a smaller noise would do; each noise is needed */
	{ CELLS, { { "laplace 2/1 1\n", AGAIN }, { "value 20/1 1 10\n", "" } },
	    "has not the lines" },
	{ CELLS, { { "laplace 2/1 1\n", AGAIN }, { "value 20/1 1 10\n", "" },
	    { "mechanism hashed\n", "mechanism hashed-bits\n" } }, NULL },
	{ CELLS, { { "laplace 2/1 1\n", "" } }, "has not the lines" },
	{ CELLS, { { "value 20/1 1 10\n", "" } }, "has not the lines" },
	{ CELLS, { { "laplace 2/1 1\n", "laplace 1999999/1000000 1\n" } }, "loses" },
	{ CELLS, { { "value 20/1 1 10\n", "value 19999999/1000000 1 10\n" } }, "loses" },
	/* noise on answers is for what answers move by; of counts for all of them, whoever tells */
	{ COUNTS, { { "value 2/1 2 1\n", "value 1/1 1 1\n" } }, "a number farther" },
	{ COUNTS, { { "value 2/1 2 1\n", "value 1999999/1000000 2 1\n" } }, "loses" },
	{ COUNTS, { { "counts 2\n", "" } }, "a number farther" },
	{ COUNTS, { { "counts 2\n", "counts 3\n" } }, "a number farther" },
	{ COUNTS, { { "counts 2\n", "counts 2\ncounts 2\n" } }, "twice" },
	{ COUNTS, { { "mechanism counts\n", "mechanism recompute\n" } }, "a number farther" },
	{ COUNTS, { { "mechanism counts\n", "mechanism laplace\n" },
	    { "value 2/1 2 1\n", "laplace 2/1 1\n" } }, "loses" },
	/* trees in a row: each of them is enough; where names are told, each has thresholds */
	{ ROW, { { SMALL SMALL, SMALL "root" } }, "not a word" },
	{ ROW, { { SMALL, "" } }, NULL },
	{ RUNNING, { { "tree 1 1 0 1 1\n", SMALL "tree 1 1 0 1 1\n" } }, "without its tree" },
	{ RUNNING, { { "pass 1 1 1 2 2\n", "pass 1 1 1 2 2\n" SMALL } }, "no thresholds" },
	{ WINDOW, { { "window 1 1 7 2\n", "window 1 1 7 2\n" SMALL } }, "no thresholds" },
	/* a threshold without noise: comparisons of fewer steps, of whom it is not, left out */
	{ FEW_STEPS, { { "horizon 20\n", "horizon 21\n" } }, "without noise" },
	{ FEW_STEPS, { { "sparse 0/1 0 20480/807 1 20\n", "sparse 0/1 0 10240/807 1 10\n" } },
	    "without noise" },
	{ FEW_STEPS, { { "mechanism pan\n", "mechanism transform\n" } }, "without noise" },
	{ FEW_STEPS, { { "sparse 0/1 0 20480/807 1 20\n", "" } }, "has not the lines" },
	{ FEW_STEPS, { { "sparse 0/1 0 20480/807 1 20\n", "value 20480/807 1 20\n" } },
	    "has not the lines" },
	{ FEW_STEPS, { { "value 5120/217 1 5\n", "" } }, "has not the lines" },
	{ FEW_STEPS, { { "sparse 0/1 0 20480/807 1 20\n", "sparse 0/1 0 20479/807 1 20\n" } },
	    "loses" },
	{ HALVES, { { NULL } }, NULL },
	/* moves of a user's events that would fade: noise 8 times, and 2 times, too small */
	{ USER, { { "blt 34729747942633876/1 9 1 22 64 0 ",
	    "blt 34729747942633876/1 9 1 25 64 1 " } }, "do not fade so" },
	{ GAUSSIAN, { { "blt 35318968138712168/1 2 2 28 4 0 ",
	    "blt 35318968138712168/1 2 2 29 4 1 " } }, "do not fade so" },
	{ CHANGES, { { "blt 34236464263022416/1 2000 1 23 16 8 ",
	    "blt 34236464263022416/1 2000 1 24 16 2 " } }, "do not fade so" },
	/* events that nobody says are apart; farther; fewer of them; that are each 1 of 4 */
	{ APART, { { "apart 3\n", "" } }, "not so far apart" },
	{ APART, { { "apart 3\n", "apart 2\n" } }, "not so far apart" },
	{ USER, { { "blt 34729747942633876/1 9 1 22 64 0 0 0 ",
	    "blt 34729747942633876/1 9 1 22 1 0 8 9 " } }, "not so far apart" },
	{ APART, { { "banded 55480283979705408/1 9 1 25 1 0 2 3 ",
	    "banded 55480283979705408/1 9 1 25 4 0 1 3 " } }, "more events" },
	{ TREE, { { "mechanism tree\n", "apart 9\nmechanism tree\n" },
	    { "mechanism tree\n", "mechanism tree\n" } }, NULL },
	/* one event of a name, where a user may have five */
	{ EACH_STEP, { { "names 5/1 76 5 5\n", "names 5/1 72 5 1\n" } }, "events of one name" },
	{ GAUSSIAN, { { "rise 2 2 5\n", "rise 2 1 5\n" } }, "events of one name" },
	/* no thresholds */
	{ EACH_STEP, { { "names 5/1 76 5 5\n", "" } }, "has not the lines" },
	{ RUNNING, { { "pass 1 1 1 2 2\n", "" } }, "has not the lines" },
	{ WINDOW, { { "window 1 1 7 2\n", "" } }, "has not the lines" },
	{ GAUSSIAN, { { "rise 2 2 5\n", "" } }, "has not the lines" },
	/* of another name it would not need them, or of one that nobody knows */
	{ EACH_STEP, { { "names 5/1 76 5 5\n", "" }, { "mechanism gated-laplace\n",
	    "mechanism gated\n" } }, "nothing is known" },
	/* of fewer steps; of a shorter window */
	{ RUNNING, { { "pass 1 1 1 2 2\n", "pass 1 1 1 1 2\n" } }, "not of all steps" },
	{ RUNNING, { { "horizon 2\n", "horizon 3\n" } }, "not of all steps" },
	{ WINDOW, { { "window 1 1 7 2\n", "window 1 1 6 2\n" } }, "not of the steps" },
	{ WINDOW, { { "last 7\n", "" } }, "not of the steps" },
	{ USER, { { "blt 34729747942633876/1 9 ", "blt 34729747942633876/1 8 " } }, "fewer steps" },
	{ APART, { { "banded 55480283979705408/1 9 ", "banded 55480283979705408/1 8 " } },
	    "fewer steps" },
	{ CHANGES, { { "blt 34236464263022416/1 2000 ", "blt 34236464263022416/1 1999 " } },
	    "fewer steps" },
	{ TREE, { { "laplace 4/1 4\n", "laplace 3/1 3\n" } }, "fewer levels" },
	{ GRADUAL, { { "ages 8 ", "ages 7 " } }, "grow older" },
	{ GRADUAL, { { "fresh 1/1\n", "" } }, "has not the lines" },
	/* what moves a part */
	{ MEAN, { { "reach 20\nlaplace 180/1 9\n", "reach 10\nlaplace 90/1 9\n" } },
	    "a part's reach" },
	{ GAUSSIAN, { { "reach 2\nblt 35318968138712168/1 2 2 28 4 ",
	    "reach 2\nblt 35318968138712168/1 2 2 28 3 " } }, "larger squares" },
	{ GAUSSIAN, { { "blt 35318968138712168/1 2 2 ", "blt 35318968138712168/1 2 1 " } },
	    "more columns" },
	{ CHANGES, { { "reach 4\n", "reach 3\n" } }, "a part's reach" },
	{ CHANGES, { { "blt 34236464263022416/1 2000 1 23 16 8 ",
	    "blt 34236464263022416/1 2000 1 23 15 8 " } }, "larger squares" },
	{ ANSWERS, { { "value 3/1 1 3\n", "value 3/1 1 2\n" } }, NULL },	/* it is given */
	/* a part less, which leaves its budget to the others: not as many, or it is given */
	{ HALVES, { { BOTH, ONE } }, "not as many parts" },
	{ HALVES, { { BOTH, ONE }, { "parts 2\n", "" } }, "not as many parts" },
	{ HALVES, { { BOTH, BOTH ONE } }, "not as many parts" },
	{ HALVES, { { BOTH, ONE }, { "parts 2\n", "parts 1\n" } }, NULL },
	{ HALVES, { { "parts 2\n", "parts 2\nparts 2\n" } }, "twice" },
	{ HALVES, { { "parts 2\n", "parts 0\n" } }, "no parts" },
	{ HALVES, { { "parts 2\n", "" }, { "end\nend\n", "end\nparts 2\nend\n" } },
	    "too late" },
	{ TREE, { { "laplace 4/1 4\n", "parts 1\nlaplace 4/1 4\n" } }, "not as many parts" },
	/* who is covered, how long, and who the neighbours are */
	{ EXPIRE, { { "covers 3\n", "" } }, "which steps it covers" },
	{ TREE, { { "horizon 9\n", "" } }, "how many steps" },
	{ TREE, { { "line 0 1 0 1 1\n", "" } }, "who the neighbours are" },
	{ TREE, { { "horizon 9\n", "horizon 9\nhorizon 9\n" } }, "twice" },
	{ TREE, { { "laplace 4/1 4\n", "laplace 4/1 4\nnothing\n" } }, "has not the lines" },
};

/* The text with its head, edited; lines: one more or less than there are. */
static size_t
put(char *to, size_t size, const char *text, const char *const edit[][2], int lines)
{
	char one[8192], two[8192], *body = one, *other = two, *at;
	unsigned i;
	const char *s;

	snprintf(body, sizeof one, "%s", text);
	for (i = 0; edit != NULL && i < LINES && edit[i][0] != NULL; i++) {
		at = strstr(body, edit[i][0]);
		check(at != NULL);
		if (at == NULL)
			break;
		snprintf(other, sizeof one, "%.*s%s%s", (int)(at - body), body, edit[i][1],
		    at + strlen(edit[i][0]));
		body = other;
		other = body == one ? two : one;
	}
	for (s = body; *s != '\0'; s++)
		lines += *s == '\n';
	return (size_t)snprintf(to, size, "dputils-plan 2\nlines %d\n%s", lines, body);
}

static void
edits(void)
{
	char text[9000];
	struct dp_verdict v;
	unsigned i;
	size_t n;
	bool right;

	for (i = 0; i < sizeof forged / sizeof *forged; i++) {
		n = put(text, sizeof text, forged[i].text, forged[i].edit, 0);
		check(dp_certificate_check(&v, text, n) == 0);
		right = forged[i].why == NULL ? v.is == DP_VERDICT_HOLDS :
		    v.is != DP_VERDICT_HOLDS && strstr(v.why, forged[i].why) != NULL;
		check(right && v.bound);
		if (!right)
			printf("%u: %d: %s\n", i, v.is, v.why);
		dp_verdict_free(&v);
	}
	for (i = 0; i < 2; i++) {
		n = put(text, sizeof text, TREE, NULL, i == 0 ? -1 : 1);
		check(dp_certificate_check(&v, text, n) == 0 && v.is == DP_VERDICT_MALFORMED &&
		    strstr(v.why, "as many lines") != NULL);
		dp_verdict_free(&v);
	}
}

static bool
is(const struct dp_buf *b, const char *text)
{
	return b->n == strlen(text) && memcmp(b->p, text, b->n) == 0;
}

static void
claims(void)
{
	char text[9000];
	struct dp_verdict v;
	size_t n = put(text, sizeof text, ANSWERS, NULL, 0);

	check(dp_certificate_check(&v, text, n) == 0);
	check(is(&v.claim, "line 0 1 0 1099511627776 1\nhorizon 9\n") &&
	    is(&v.given, "window: value 3/1 1 3\n"));
	dp_verdict_free(&v);
	n = put(text, sizeof text, HALVES, NULL, 0);
	check(dp_certificate_check(&v, text, n) == 0);
	check(is(&v.given, "quantile: parts 2\noutput: value 800/99 2 1\n"
	    "output: value 800/101 2 1\n"));
	dp_verdict_free(&v);
	n = put(text, sizeof text, HALVES,
	    (const char *const[][2]){ { BOTH, ONE }, { "parts 2\n", "parts 1\n" }, { NULL } }, 0);
	check(dp_certificate_check(&v, text, n) == 0 && v.is == DP_VERDICT_HOLDS);
	check(is(&v.given, "output: value 400/99 2 1\n"));
	dp_verdict_free(&v);
	n = put(text, sizeof text, ROW, NULL, 0);
	check(dp_certificate_check(&v, text, n) == 0 &&
	    is(&v.given, "normtree: LEVELS 1\nnormtree: LEVELS 1\n") && v.trees == 2);
	dp_verdict_free(&v);
	n = put(text, sizeof text, COUNTS, NULL, 0);
	check(dp_certificate_check(&v, text, n) == 0 &&
	    is(&v.claim, "vectors 1 3 3\ncounts 2\nhorizon 9\n"));
	dp_verdict_free(&v);
	/* a tree of fewer steps than the run has, after one another */
	n = put(text, sizeof text, EXPIRE, NULL, 0);
	check(dp_certificate_check(&v, text, n) == 0 && is(&v.given, "normtree: LEVELS 1\n"));
	dp_verdict_free(&v);
	n = put(text, sizeof text, CHANGES, NULL, 0);
	check(dp_certificate_check(&v, text, n) == 0);
	check(is(&v.claim, "identifiers 1\nhorizon 2000\n") &&
	    is(&v.given, "turnstile: counter 4 8 2000\nblt: COLUMNS 1\n"));
	dp_verdict_free(&v);
}

static void
spelled(void)
{
	static const char *const other[][LINES][2] = {
		{ { "horizon 9\n", "horizon 09\n" } }, { { "horizon 9\n", "horizon  9\n" } },
		{ { "epsilon 1/1\n", "epsilon 01/1\n" } },
		{ { "epsilon 1/1\n", "epsilon 1/01\n" } },
		{ { "reach 1\n", "reach 1 \n" } }, { { "line 0 ", "line -0 " } },
		{ { "laplace 4/1 4\n", "laplace 4/1  4\n" } }
	};
	char text[9000];
	struct dp_verdict v;
	unsigned i;
	size_t n;

	for (i = 0; i < sizeof other / sizeof *other; i++) {
		n = put(text, sizeof text, TREE, other[i], 0);
		check(dp_certificate_check(&v, text, n) == 0 && v.is == DP_VERDICT_MALFORMED);
		dp_verdict_free(&v);
	}
	n = put(text, sizeof text, EXPIRE, (const char *const[][2]){ { "k 0x1p+0 ", "k 0x1p0 " },
	    { NULL } }, 0);
	check(dp_certificate_check(&v, text, n) == 0 && v.is == DP_VERDICT_MALFORMED);
	dp_verdict_free(&v);
}

int
main(void)
{
	PART(edits());
	PART(claims());
	PART(spelled());
	return done();
}
