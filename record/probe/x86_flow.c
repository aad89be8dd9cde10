/* SPDX-License-Identifier: MIT */
/* Encodings: Intel SDM volume 2. */
#include "record/probe/x86_flow.h"

#include <string.h>

size_t x86_prefixes(const u8 *p, size_t n)
{
	size_t i = 0;

	while (i < n && (memchr("\x66\x67\x2e\x36\x3e\x26\x64\x65\xf0\xf2\xf3", p[i], 11) ||
			 (p[i] & 0xf0) == 0x40))
		i++;
	return i;
}

enum x86_flow x86_flow_of(const u8 *p, size_t n, s64 *ret_rel)
{
	size_t i = x86_prefixes(p, n);
	s32 rel;

	if (i < n && (p[i] == 0xc3 || p[i] == 0xc2))
		return FLOW_RET;
	if (i + 1 >= n)
		return FLOW_NEXT;
	if (p[i] == 0xff) {
		u8 reg = p[i + 1] >> 3 & 7;

		return reg == 4 || reg == 5 ? FLOW_INDIRECT : FLOW_NEXT;
	}
	if ((p[i] & 0xf0) == 0x70 || p[i] == 0xeb || (p[i] & 0xfc) == 0xe0) {
		*ret_rel = (s8)p[n - 1];
		return p[i] == 0xeb ? FLOW_JUMP : FLOW_BRANCH;
	}
	if ((p[i] != 0xe9 && (p[i] != 0x0f || (p[i + 1] & 0xf0) != 0x80)) || n - i < 5)
		return FLOW_NEXT;
	memcpy(&rel, p + n - 4, 4);
	*ret_rel = rel;
	return p[i] == 0xe9 ? FLOW_JUMP : FLOW_BRANCH;
}
