/* SPDX-License-Identifier: MIT */
#include "report/line_slots.h"

#include <assert.h>

#include "base/mem.h"

void line_slots_init(struct line_slots *s, unsigned int bits)
{
	static_assert(sizeof(struct line_slot) == 128, "two cache lines");
	s->bits = bits;
	s->slots = xcalloc((size_t)1 << bits, sizeof(*s->slots));
}

void line_slots_fini(struct line_slots *s)
{
	free(s->slots);
	s->slots = NULL;
}

void line_slots_keep(struct line_slots *s, u32 set_id, u64 ip, u8 form, const char *text,
		     size_t len)
{
	struct line_slot *l = line_slots_at(s, set_id, ip);

	if (len > LINE_SLOT_TEXT)
		return;
	*l = (struct line_slot){ .ip = ip, .set_id = set_id, .form = form, .len = (u8)len };
	memcpy(l->text, text, len);
}
