/* SPDX-License-Identifier: MIT */
#include "events/json_text.h"

void json_text_put(struct out *o, const char *s, size_t n)
{
	static const u8 lengths[] = { 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 2, 3, 4 };

	out_char(o, '"');
	for (size_t i = 0; i < n;) {
		u8 c = (u8)s[i];
		size_t len = lengths[c >> 4], k = 1;

		while (k < len && i + k < n && ((u8)s[i + k] & 0xc0) == 0x80)
			k++;
		if (c == '"' || c == '\\')
			out_printf(o, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			out_printf(o, "\\u%04x", c);
		else if (!len || k < len || c == 0xc0 || c == 0xc1 || c > 0xf4 ||
			 (c == 0xe0 && (u8)s[i + 1] < 0xa0) || (c == 0xed && (u8)s[i + 1] > 0x9f) ||
			 (c == 0xf0 && (u8)s[i + 1] < 0x90) || (c == 0xf4 && (u8)s[i + 1] > 0x8f))
			out_str(o, "\\ufffd");
		else
			out_raw(o, s + i, len);
		i += len && k == len ? len : 1;
	}
	out_char(o, '"');
}
