/* SPDX-License-Identifier: ISC */
// Known answers of PCG64 from the generator's own C++ headers (Debian: libpcg-cpp-dev).
//
//   pcg_reference > FILE;  t_rng FILE
//
// pcg64 is pcg_engines::setseq_xsl_rr_128_64.  Lines, numbers in hexadecimal:
//   seed S SKIP W W ..             eight words of pcg64(S) after SKIP others
//   stream H L SH SL SKIP W W ..   the same of pcg64(seed, stream), each given as high and low word
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <type_traits>

#include <pcg_random.hpp>

static_assert(std::is_same<pcg64, pcg_engines::setseq_xsl_rr_128_64>::value,
    "pcg64 is XSL RR on a 128-bit state with a settable stream");

static void
words(pcg64 g, uint64_t skip)
{
	g.advance(skip);
	printf(" %" PRIx64, skip);
	for (int i = 0; i < 8; i++)
		printf(" %" PRIx64, uint64_t(g()));
	printf("\n");
}

int
main()
{
	typedef pcg_extras::pcg128_t u128;
	const uint64_t seeds[] = { 0, 1, 2, 42, 1234567890123456789u, UINT64_MAX };
	const uint64_t streams[][4] = {
		{ 0, 0, 0, 0 },
		{ 1, 2, 3, 5 },
		{ 0x0123456789abcdef, 0xfedcba9876543210, 0xdeadbeefcafef00d, 0x8badf00d },
		{ UINT64_MAX, UINT64_MAX, UINT64_MAX >> 1, UINT64_MAX }
	};

	for (uint64_t s : seeds)
		for (uint64_t skip : { 0, 1, 100000 }) {
			printf("seed %" PRIx64, s);
			words(pcg64(s), skip);
		}
	for (auto &s : streams) {
		printf("stream %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64,
		    s[0], s[1], s[2], s[3]);
		words(pcg64(u128(s[0]) << 64 | s[1], u128(s[2]) << 64 | s[3]), 7);
	}
	return 0;
}
