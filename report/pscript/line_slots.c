/* SPDX-License-Identifier: MIT */
#include "report/pscript/line_slots.h"

#include <assert.h>

#include "base/mem.h"

/* Long texts are fewer, by this many bits. */
#define LONG_BITS_LESS 2
#define LONG_TEXT_MAX ((size_t)16 << 10)

void line_slots_init(struct line_slots *s, unsigned int bits)
{
	static_assert(sizeof(struct line_slot) == 128, "two cache lines");
	s->bits = bits;
	s->slots = xcalloc((size_t)1 << bits, sizeof(*s->slots));
	s->long_lines = xcalloc((size_t)1 << (bits - LONG_BITS_LESS), sizeof(*s->long_lines));
	s->long_bytes = 0;
}

static void forget_long(struct line_slots *s)
{
	size_t i;

	for (i = 0; i < (size_t)1 << (s->bits - LONG_BITS_LESS); i++) {
		free(s->long_lines[i].text);
		s->long_lines[i] = (struct long_line){ 0 };
	}
	s->long_bytes = 0;
}

void line_slots_fini(struct line_slots *s)
{
	if (s->long_lines)
		forget_long(s);
	free(s->slots);
	free(s->long_lines);
	s->slots = NULL;
	s->long_lines = NULL;
}

static struct long_line *long_at(const struct line_slots *s, u32 set_id, u64 ip)
{
	return &s->long_lines[(size_t)(line_slots_at(s, set_id, ip) - s->slots) >> LONG_BITS_LESS];
}

bool line_slots_print_long(const struct line_slots *s, struct out *o, u32 set_id, u64 ip, u8 form)
{
	const struct long_line *l = long_at(s, set_id, ip);

	if (!l->text || l->ip != ip || l->set_id != set_id || l->form != form)
		return false;
	out_raw(o, l->text, l->len);
	return true;
}

static void keep_long(struct line_slots *s, u32 set_id, u64 ip, u8 form, const char *text,
		      size_t len)
{
	struct long_line *l;

	if (len > LONG_TEXT_MAX)
		return;
	if (s->long_bytes + len > sizeof(*s->slots) << s->bits)
		forget_long(s);
	l = long_at(s, set_id, ip);
	s->long_bytes -= l->len;
	free(l->text);
	*l = (struct long_line){ .ip = ip, .set_id = set_id, .form = form, .len = (u32)len };
	l->text = xmalloc(len);
	memcpy(l->text, text, len);
	s->long_bytes += len;
}

void line_slots_keep(struct line_slots *s, u32 set_id, u64 ip, u8 form, const char *text,
		     size_t len)
{
	struct line_slot *l = line_slots_at(s, set_id, ip);

	if (len > LINE_SLOT_TEXT) {
		keep_long(s, set_id, ip, form, text, len);
		return;
	}
	*l = (struct line_slot){ .ip = ip, .set_id = set_id, .form = form, .len = (u8)len };
	memcpy(l->text, text, len);
}
