/* SPDX-License-Identifier: MIT */
#include "symbols/elf/go_table.h"

#include <string.h>

enum {
	MAGIC_1_2 = 0xfffffffb,
	MAGIC_1_16 = 0xfffffffa,
	MAGIC_1_18 = 0xfffffff0,
	MAGIC_1_20 = 0xfffffff1,
};

enum { FLAG_TOP = 1, FLAG_MOVES_SP = 2 };

/* Go's stacks have at most 1 GB, so an entry with a larger frame is damaged. */
#define MAX_FRAME (1 << 30)
/*
 * Entries of a damaged table could share the same bytes, so that reading all would take too long.
 */
#define MAX_NAME 8192
#define MAX_CHANGES 65536

const struct obj_section *go_table_section(const struct object *o)
{
	const struct obj_section *s = object_section(o, ".gopclntab");

	return s ? s : object_section(o, ".data.rel.ro.gopclntab");
}

static u64 read_word(struct cursor *c, u8 word)
{
	return word == 8 ? cur_u64(c) : cur_u32(c);
}

static struct span part(struct span table, u64 offset)
{
	return offset < table.n ? span_of(table.p + offset, table.n - offset) : span_of(NULL, 0);
}

/* Reads the rest of the table's header, after its first eight bytes. magic: the version. */
static bool read_header(struct cursor *c, struct span table, u32 magic, struct go_table *t)
{
	u64 nr = read_word(c, t->word), names, pctab, functions;

	read_word(c, t->word);
	if (magic != MAGIC_1_16)
		t->text = read_word(c, t->word);
	names = read_word(c, t->word);
	read_word(c, t->word);
	read_word(c, t->word);
	pctab = read_word(c, t->word);
	functions = read_word(c, t->word);
	t->small = magic != MAGIC_1_16;
	t->to_flags = magic == MAGIC_1_20 ? 21 : 17;
	t->names = part(table, names);
	t->pctab = part(table, pctab);
	t->functions = t->starts = part(table, functions);
	t->nr = nr < GO_NO_FUNCTION ? (u32)nr : 0;
	return !c->bad;
}

bool go_table_open(const struct object *o, struct go_table *ret)
{
	const struct obj_section *s = go_table_section(o), *text;
	struct span table = object_bytes(o, s);
	struct cursor c = cursor_of(table, o->swap);
	struct go_table t = { .o = o };
	u32 magic = cur_u32(&c);
	u64 nr;

	if (!s || cur_u16(&c))
		return false;
	t.quantum = cur_u8(&c);
	t.word = cur_u8(&c);
	if (c.bad || t.word != (o->is_64 ? 8 : 4) || !t.quantum)
		return false;
	switch (magic) {
	case MAGIC_1_2:
		nr = read_word(&c, t.word);
		t.nr = nr < GO_NO_FUNCTION ? (u32)nr : 0;
		t.names = t.pctab = t.functions = table;
		t.starts = part(table, 8 + t.word);
		break;
	case MAGIC_1_16:
	case MAGIC_1_18:
	case MAGIC_1_20:
		if (!read_header(&c, table, magic, &t))
			return false;
		break;
	default: return false;
	}
	/* the file has 0 where the dynamic linker fills the start of the code in */
	text = object_section(o, ".text");
	if (t.small && !t.text && text)
		t.text = text->addr;
	/* the last pair is followed by the end of the last function */
	nr = t.starts.n / (t.small ? 4 : t.word);
	if (!t.nr || nr < 2 * (u64)t.nr + 1)
		return false;
	*ret = t;
	return true;
}

/* Returns word k of the table's pairs. */
static u64 pair_word(const struct go_table *t, u64 k)
{
	const u8 *p = t->starts.p + k * (t->small ? 4 : t->word);

	return t->small || t->word == 4 ? get_u32(p, t->o->swap) : get_u64(p, t->o->swap);
}

static u64 start_of(const struct go_table *t, u32 i)
{
	return t->text + pair_word(t, 2 * (u64)i);
}

bool go_table_function(const struct go_table *t, u32 i, struct go_function *ret)
{
	struct span bytes = part(t->functions, pair_word(t, 2 * (u64)i + 1));
	struct cursor c = cursor_of(bytes, t->o->swap);
	u64 start = t->text + (t->small ? cur_u32(&c) : read_word(&c, t->word));
	struct span name = part(t->names, cur_u32(&c));

	*ret = (struct go_function){ .start = start_of(t, i), .end = start_of(t, i + 1) };
	cur_skip(&c, 8);
	ret->pcsp = cur_u32(&c);
	if (t->to_flags) {
		struct cursor rest = c;
		u8 flags;

		cur_skip(&rest, t->to_flags);
		flags = cur_u8(&rest);
		ret->is_top = flags & FLAG_TOP;
		ret->moves_sp = flags & FLAG_MOVES_SP;
	}
	ret->name = object_string(span_of(name.p, name.n < MAX_NAME ? name.n : MAX_NAME), 0);
	if (c.bad || start != ret->start || ret->end <= start || !ret->name)
		return false;
	/* a signal trampoline is no end of the stack: the interrupted code's frames lie above it */
	if (ret->is_top && strstr(ret->name, "igtramp"))
		ret->is_top = false;
	return true;
}

u32 go_table_find(const struct go_table *t, u64 vaddr)
{
	u32 low = 0, high = t->nr;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (start_of(t, mid) <= vaddr)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? low - 1 : GO_NO_FUNCTION;
}

static u32 read_varint(struct cursor *c)
{
	u32 v = 0;

	for (unsigned int shift = 0; shift < 32; shift += 7) {
		u8 b = cur_u8(c);

		v |= (u32)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	c->bad = true;
	return 0;
}

void go_table_stack(const struct go_table *t, const struct go_function *f,
		    bool (*each)(void *ctx, u64 start, u64 end, u32 bytes), void *ctx)
{
	struct cursor c = cursor_of(part(t->pctab, f->pcsp), t->o->swap);
	s64 bytes = -1;
	u64 at = f->start;

	if (!f->pcsp)
		return;
	for (u32 i = 0; i < MAX_CHANGES && at < f->end; i++) {
		u32 change = read_varint(&c);
		u64 end;

		/* a change of 0 ends the list, unless it is the first */
		if (!change && at != f->start)
			return;
		bytes += change & 1 ? -(s64)(change >> 1) - 1 : (s64)(change >> 1);
		end = at + (u64)read_varint(&c) * t->quantum;
		if (c.bad || end <= at || bytes < 0 || bytes > MAX_FRAME)
			return;
		if (end > f->end)
			end = f->end;
		if (!each(ctx, at, end, (u32)bytes))
			return;
		at = end;
	}
}

bool go_table_add_symbols(const struct object *o, struct symtab *tab)
{
	const struct obj_load *l = NULL;
	struct go_table t;
	struct go_function f;
	size_t nr = 0;

	if (!go_table_open(o, &t))
		return false;
	symtab_reserve(tab, t.nr);
	for (u32 i = 0; i < t.nr; i++) {
		if (!go_table_function(&t, i, &f) || !*f.name)
			continue;
		if (!l || f.start < l->vaddr || f.start - l->vaddr >= l->filesz)
			l = object_load_at(o, f.start);
		if (!l)
			continue;
		symtab_add_borrowed(tab, obj_load_off(l, f.start), f.end - f.start, f.name,
				    SYM_GLOBAL, false);
		nr++;
	}
	symtab_finish(tab, false);
	return nr;
}
