/* SPDX-License-Identifier: MIT */
/* A whole recording, which is converted if it has stack copies: see
 * tests/record/convert/use_convert.h. */
#include <stdlib.h>

#include "tests/record/convert/use_convert.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct use_convert u = { .compress = size % 8 == 7 };

	if (use_convert(&u, span_of(data, size)))
		abort();
	return 0;
}
