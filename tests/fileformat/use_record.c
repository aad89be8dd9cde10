/* SPDX-License-Identifier: MIT */
#include "tests/fileformat/use_record.h"

void check_record_text(struct span s, const char *want)
{
	char *got = xstrndup((const char *)s.p, s.n);

	CHECK_EQ(s.n, strlen(want));
	CHECK_STR(got, want);
	free(got);
}

struct pd_record record_cut_copy(const struct pd_record *r, u32 size, u8 **ret_buf)
{
	struct pd_record cut = *r;

	*ret_buf = xmalloc(size);
	memcpy(*ret_buf, r->data, size);
	cut.data = *ret_buf;
	cut.size = size;
	return cut;
}

struct pd_attr record_attr_with_trailer(void)
{
	struct pd_attr a = attr_plain();

	a.sample_type |= PD_SAMPLE_CPU;
	return a;
}
