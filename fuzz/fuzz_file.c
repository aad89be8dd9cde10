/* SPDX-License-Identifier: MIT */
/* A whole file in memory, its records decoded in file order and in time order. */
#include "tests/decode_all.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	int in_time_order;

	for (in_time_order = 0; in_time_order < 2; in_time_order++) {
		struct perfdata *pd;
		struct decoded d;
		struct diag diag;
		struct perr e;

		diag_init(&diag);
		if (!pd_open_mem(span_of(data, size), "fuzz", &diag, &pd, &e)) {
			if (decode_all(pd, in_time_order, &d, &e) > 0)
				BUG();
			pd_close(pd);
		}
		diag_fini(&diag);
	}
	return 0;
}
