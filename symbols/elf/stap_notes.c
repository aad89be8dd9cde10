/* SPDX-License-Identifier: MIT */
#include "symbols/elf/stap_notes.h"

#include <elf.h>
#include <string.h>

#define STAP_TYPE 3

void stap_notes_begin(struct stap_notes *n, const struct object *o)
{
	*n = (struct stap_notes){ .o = o };
}

/* The file offset of an address in a segment with these rights. */
static bool to_offset(const struct object *o, u64 vaddr, u32 rights, u64 *ret)
{
	const struct obj_load *l = object_load_at(o, vaddr);

	if (!l || (l->flags & rights) != rights || vaddr - l->vaddr >= l->filesz)
		return false;
	*ret = obj_load_off(l, vaddr);
	return *ret < o->file.n;
}

static u64 take_address(const struct object *o, struct cursor *c)
{
	return o->is_64 ? cur_u64(c) : cur_u32(c);
}

/* A text up to a NUL; NULL: there is none. */
static const char *take_text(struct cursor *c)
{
	const u8 *nul = cur_left(c) ? memchr(c->p, 0, cur_left(c)) : NULL;
	const char *text = (const char *)c->p;

	if (!nul)
		return NULL;
	cur_skip(c, (size_t)(nul + 1 - c->p));
	return text;
}

static bool read_note(const struct object *o, struct span desc, struct stap_note *ret)
{
	const struct obj_section *section = object_section(o, ".stapsdt.base");
	struct cursor c = cursor_of(desc, o->swap);
	u64 pc = take_address(o, &c), base = take_address(o, &c), semaphore = take_address(o, &c);
	/* prelink moves sections and does not know of these addresses */
	u64 moved = section && base ? section->addr - base : 0;

	ret->provider = take_text(&c);
	ret->name = ret->provider ? take_text(&c) : NULL;
	ret->args = ret->name ? take_text(&c) : NULL;
	if (c.bad || !ret->args || !*ret->provider || !*ret->name)
		return false;
	if (!to_offset(o, pc + moved, PF_X, &ret->off))
		return false;
	ret->semaphore_off = 0;
	return !semaphore || to_offset(o, semaphore + moved, 0, &ret->semaphore_off);
}

/* Moves to the next section with notes. */
static bool next_section(struct stap_notes *n)
{
	while (++n->section < n->o->nr_sections) {
		const struct obj_section *s = &n->o->sections[n->section];

		if (s->type != SHT_NOTE || strcmp(s->name, ".note.stapsdt") != 0)
			continue;
		n->c = cursor_of(object_bytes(n->o, s), n->o->swap);
		return true;
	}
	return false;
}

bool stap_notes_next(struct stap_notes *n, struct stap_note *ret)
{
	for (;;) {
		u32 name_len, desc_len, type;
		struct span name, desc;

		if (cur_left(&n->c) < 12) {
			if (!next_section(n))
				return false;
			continue;
		}
		name_len = cur_u32(&n->c);
		desc_len = cur_u32(&n->c);
		type = cur_u32(&n->c);
		name = cur_bytes(&n->c, name_len);
		cur_skip(&n->c, -name_len & 3);
		desc = cur_bytes(&n->c, desc_len);
		cur_skip(&n->c, -desc_len & 3);
		if (type == STAP_TYPE && name.n == 8 && !memcmp(name.p, "stapsdt", 8) &&
		    read_note(n->o, desc, ret))
			return true;
	}
}
