/* SPDX-License-Identifier: MIT */
#include "events/calls/quoted_text.h"

void quoted_text_put(struct span text, struct out *o)
{
	static const char letters[] = "tnvfr"; /* from 9 on */

	out_char(o, '"');
	for (size_t i = 0; i < text.n; i++) {
		u8 c = text.p[i];

		if (c == '"' || c == '\\')
			out_printf(o, "\\%c", c);
		else if (c >= '\t' && c <= '\r')
			out_printf(o, "\\%c", letters[c - '\t']);
		else if (c >= ' ' && c < 0x7f)
			out_raw(o, &text.p[i], 1);
		else if (i + 1 < text.n && text.p[i + 1] >= '0' && text.p[i + 1] <= '9')
			out_printf(o, "\\%03o", c);
		else
			out_printf(o, "\\%o", c);
	}
	out_char(o, '"');
}

void quoted_text_put_hex(struct span text, struct out *o)
{
	out_char(o, '"');
	for (size_t i = 0; i < text.n; i++)
		out_printf(o, "\\x%02x", text.p[i]);
	out_char(o, '"');
}
