/* SPDX-License-Identifier: MIT */
/*
 * Texts of call chain lines by (mapset, ip), where one look finds the key and the text: most lines
 * of a profile were printed before. Direct mapped, bounded memory: what is too long for a slot, as
 * the lines of inlined functions are, is kept aside.
 */
#ifndef REPORT_PSCRIPT_LINE_SLOTS_H
#define REPORT_PSCRIPT_LINE_SLOTS_H

#include <string.h>

#include "base/out.h"
#include "base/types.h"

#define LINE_SLOT_TEXT 114 /* 9 of 10 lines of C++ programs are shorter */

struct line_slot {
	u64 ip;
	u32 set_id; /* 0: empty; mapset ids begin at 1 */
	u8 form;    /* which fields are printed */
	u8 len;
	char text[LINE_SLOT_TEXT];
};

/* What was too long: text is malloc'd, NULL for an empty slot. */
struct long_line {
	u64 ip;
	u32 set_id;
	u8 form;
	u32 len;
	char *text;
};

struct line_slots {
	struct line_slot *slots;
	struct long_line *long_lines;
	size_t long_bytes; /* of all their texts */
	unsigned int bits;
};

/* Memory: 128 bytes << bits, and as much again for long texts. */
void line_slots_init(struct line_slots *s, unsigned int bits);
void line_slots_fini(struct line_slots *s);

static inline struct line_slot *line_slots_at(const struct line_slots *s, u32 set_id, u64 ip)
{
	return &s->slots[((ip ^ (u64)set_id << 40) * 0x9e3779b97f4a7c15ull) >> (64 - s->bits)];
}

/* Asks for the memory of a slot that will be used soon. */
static inline void line_slots_prefetch(const struct line_slots *s, u32 set_id, u64 ip)
{
	const struct line_slot *l = line_slots_at(s, set_id, ip);

	__builtin_prefetch(l);
	__builtin_prefetch((const char *)l + 64);
}

bool line_slots_print_long(const struct line_slots *s, struct out *o, u32 set_id, u64 ip, u8 form);

/* Appends the line at (set_id, ip); false when it is not there. */
static inline bool line_slots_print(const struct line_slots *s, struct out *o, u32 set_id, u64 ip,
				    u8 form)
{
	const struct line_slot *l = line_slots_at(s, set_id, ip);

	if (l->ip != ip || l->set_id != set_id || l->form != form)
		return line_slots_print_long(s, o, set_id, ip, form);
	/* a copy of fixed length is a few vector moves; what is too much is written over */
	out_reserve(o, LINE_SLOT_TEXT);
	memcpy(o->buf + o->len, l->text, LINE_SLOT_TEXT);
	o->len += l->len;
	return true;
}

/* Keeps a line, over the one that was in its slot. */
void line_slots_keep(struct line_slots *s, u32 set_id, u64 ip, u8 form, const char *text,
		     size_t len);

#endif
