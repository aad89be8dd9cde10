/* SPDX-License-Identifier: MIT */
/*
 * A cache of the printed lines of call chains, by (mapset, ip): most frames of a profile appear
 * many times. It is a direct-mapped hash table of fixed size whose slots hold key and text in two
 * cache lines. Texts too long for a slot, such as those of inlined functions, are in a second
 * table.
 */
#ifndef REPORT_PSCRIPT_LINE_SLOTS_H
#define REPORT_PSCRIPT_LINE_SLOTS_H

#include <string.h>

#include "base/out.h"
#include "base/types.h"

/* Longest text in a slot, in bytes: 9 of 10 lines of C++ programs fit. */
#define LINE_SLOT_TEXT 114

/* A slot: the line of one frame. */

struct line_slot {
	u64 ip;
	u32 set_id; /* 0: the slot is empty; mapset ids begin at 1 */
	u8 form;    /* the caller's number for the set of fields that the line shows */
	u8 len;
	char text[LINE_SLOT_TEXT];
};

/* A slot for a text longer than LINE_SLOT_TEXT; text is malloc'd, NULL in an empty slot. */
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
	size_t long_bytes; /* bytes of the texts in long_lines */
	unsigned int bits; /* log2 of the number of slots */
};

/* Allocates an empty cache. It takes 128 bytes << bits, and at most as much for long texts. */
void line_slots_init(struct line_slots *s, unsigned int bits);
void line_slots_fini(struct line_slots *s);

/* Returns the one slot that may hold the line of (set_id, ip). */
static inline struct line_slot *line_slots_at(const struct line_slots *s, u32 set_id, u64 ip)
{
	return &s->slots[((ip ^ (u64)set_id << 40) * 0x9e3779b97f4a7c15ull) >> (64 - s->bits)];
}

/* Prefetches the two cache lines of a slot that will be used soon. */
static inline void line_slots_prefetch(const struct line_slots *s, u32 set_id, u64 ip)
{
	const struct line_slot *l = line_slots_at(s, set_id, ip);

	__builtin_prefetch(l);
	__builtin_prefetch((const char *)l + 64);
}

/* As line_slots_print(), for lines that are not in a slot. */
bool line_slots_print_long(const struct line_slots *s, struct out *o, u32 set_id, u64 ip, u8 form);

/* Appends the line of (set_id, ip) to o; returns false if the cache does not have it. */
static inline bool line_slots_print(const struct line_slots *s, struct out *o, u32 set_id, u64 ip,
				    u8 form)
{
	const struct line_slot *l = line_slots_at(s, set_id, ip);

	if (l->ip != ip || l->set_id != set_id || l->form != form)
		return line_slots_print_long(s, o, set_id, ip, form);
	/* a copy of fixed length is a few vector moves; bytes after len are overwritten later */
	out_reserve(o, LINE_SLOT_TEXT);
	memcpy(o->buf + o->len, l->text, LINE_SLOT_TEXT);
	o->len += l->len;
	return true;
}

/* Stores a line of len bytes, in place of the one that was in its slot. */
void line_slots_keep(struct line_slots *s, u32 set_id, u64 ip, u8 form, const char *text,
		     size_t len);

#endif
