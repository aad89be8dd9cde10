/* SPDX-License-Identifier: MIT */
/*
 * One feature section: {u8 bit, u8 flags, payload}. Flag 1: the other byte order; flag 2: the
 * second half of the payload is the BPF_BTF section. What looks like a whole perf.data is opened as
 * one and its header printed.
 */
#include "tests/frame/feature_all.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void whole_file(struct span file)
{
	struct perfdata *pd;
	struct perr e;
	struct out o;
	int full;

	if (pd_open_mem(file, "fuzz", NULL, &pd, &e))
		return;
	for (full = 0; full < 2; full++) {
		out_init_mem(&o);
		header_text_print(&o, pd, full);
		header_text_print_features(&o, pd, full);
		out_fini(&o);
	}
	pd_close(pd);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct span d, other = span_of(NULL, 0);

	if (size >= 8 && (!memcmp(data, "PERFILE2", 8) || !memcmp(data, "2ELIFREP", 8) ||
			  !memcmp(data, "PERFFILE", 8))) {
		whole_file(span_of(data, size));
		return 0;
	}
	if (size < 2)
		return 0;
	d = span_of(data + 2, size - 2);
	if (data[1] & 2) {
		other = span_of(d.p + d.n / 2, d.n - d.n / 2);
		d.n /= 2;
	}
	(void)feature_touch_all(data[0], d, other, data[1] & 1);
	return 0;
}
