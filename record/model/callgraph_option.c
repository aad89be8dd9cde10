/* SPDX-License-Identifier: MIT */
#include "record/model/callgraph_option.h"

#include <string.h>

#include "base/option.h"

#define FRAMES_MAX 65535u /* attr.sample_max_stack is 16 bits wide */

int stack_size_parse(const char *text, u32 *ret, struct perr *e)
{
	u64 v;

	if (parse_u64(text, 0, 1, REC_STACK_MAX, &v))
		return perr_set(e, PERR_USAGE, "stack size must be 8 to %u bytes, got %.40s",
				REC_STACK_MAX, text);
	*ret = (u32)((v + 7) & ~7ull);
	return 0;
}

int callgraph_option_parse(const char *text, struct callgraph_option *ret, struct perr *e)
{
	struct callgraph_option o = { 0 };
	size_t len = strcspn(text, ",");
	const char *rest = text[len] ? text + len + 1 : NULL;
	u64 v;

	if (len == 2 && !strncmp(text, "fp", 2)) {
		o.mode = REC_CG_FP;
		if (rest) {
			if (parse_u64(rest, 0, 0, FRAMES_MAX, &v))
				return perr_set(e, PERR_USAGE,
						"expected 0 to %u frames, got '%.40s'", FRAMES_MAX,
						rest);
			o.max_stack = (u16)v;
		}
	} else if (len == 5 && !strncmp(text, "dwarf", 5)) {
		int rc = rest ? stack_size_parse(rest, &o.stack_size, e) : 0;

		if (rc)
			return rc;
		o.mode = REC_CG_DWARF;
	} else if (len == 3 && !strncmp(text, "lbr", 3)) {
		if (rest)
			return perr_set(e, PERR_USAGE, "lbr call graphs have no size");
		o.mode = REC_CG_LBR;
	} else if (len == 6 && !strncmp(text, "unwind", 6)) {
		int rc = rest ? stack_size_parse(rest, &o.stack_size, e) : 0;

		if (rc)
			return rc;
		o.mode = REC_CG_UNWIND;
	} else {
		return perr_set(
			e, PERR_USAGE,
			"unknown call-graph mode '%.*s' (fp, dwarf[,SIZE], unwind[,SIZE], lbr)",
			(int)(len < 40 ? len : 40), text);
	}
	*ret = o;
	return 0;
}
