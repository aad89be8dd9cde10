/* SPDX-License-Identifier: MIT */
/*
 * Finds the entry for an address. If possible, the table of .eh_frame_hdr is searched in place:
 *
 *	u8 version 1, u8 encodings of: address of .eh_frame, count, table
 *	address, count, {start, address of the FDE} sorted by start
 *
 * Linkers leave the table out if they did not understand the entries, and other tools damage it. It
 * is used if the starts of its pairs ascend, each pair points to another place in .eh_frame, and
 * the entries of a sample really start where it says. Otherwise, and if .debug_frame has functions
 * that .eh_frame lacks, all entries are read and sorted.
 *
 * If entries overlap, an address belongs to the one with the nearest start at or below it; of equal
 * starts, to .eh_frame before .debug_frame, then to the first in the section. Entries without code
 * are left out, and so are entries that start outside executable segments: those of functions that
 * the linker dropped, at or near 0.
 */
#include "unwind/cfi/cfi_priv.h"

#include "base/mem.h"

#define TABLE_ENC 0x3b /* datarel sdata4, which every linker writes */
#define TABLE_PAIR 8
#define TABLE_SAMPLES 32
#define ENTRY_ALIGN 4 /* assemblers pad entries */
#define MAX_OVERLAPS 64
#define EXECUTABLE 1 /* PF_X */

static s32 table_start(const struct cfi *c, size_t i)
{
	return (s32)get_u32(c->table.p + i * TABLE_PAIR, c->eh.swap);
}

static u64 table_entry(const struct cfi *c, size_t i)
{
	s32 to = (s32)get_u32(c->table.p + i * TABLE_PAIR + 4, c->eh.swap);

	return cfi_wrap(c->table_base + (u64)(s64)to - c->eh.vaddr, c->eh.word);
}

/*
 * True if another entry of the table begins inside this one. The entries of a damaged table could
 * share the same instructions, which would cost too much time and memory.
 */
static bool holds_another(const struct cfi *c, u64 off, const struct cfi_function *f)
{
	u64 end = (u64)(f->code.p - c->eh.bytes.p) + f->code.n;

	for (u64 i = off / ENTRY_ALIGN + 1; i < end / ENTRY_ALIGN; i++)
		if (c->begins[i / 8] >> i % 8 & 1)
			return true;
	return false;
}

/*
 * Reads the entry that pair i of the table points to. Returns false if it does not start where the
 * pair says.
 */
static bool table_fde(const struct cfi *c, u32 i, struct cfi_fde *ret)
{
	u64 off = table_entry(c, i);
	struct cfi_function f;

	if (cfi_read_function(&c->eh, off, &f, NULL) ||
	    f.start != cfi_wrap(c->table_base + (u64)(s64)table_start(c, i), c->eh.word) ||
	    holds_another(c, off, &f))
		return false;
	*ret = (struct cfi_fde){ .start = f.start, .end = f.end, .offset = off, .index = i };
	return true;
}

static bool table_is_sound(struct cfi *c)
{
	size_t nr = c->table.n / TABLE_PAIR;
	struct cfi_fde fde;

	c->begins = xcalloc(c->eh.bytes.n / ENTRY_ALIGN / 8 + 1, 1);
	c->marks = xmalloc((nr / CFI_MARK_STEP + 1) * sizeof(*c->marks));
	for (size_t i = 0; i < nr; i++) {
		u64 off = table_entry(c, i), bit = off / ENTRY_ALIGN;

		if (off >= c->eh.bytes.n || off % ENTRY_ALIGN ||
		    c->begins[bit / 8] & 1u << bit % 8 ||
		    (i && table_start(c, i - 1) >= table_start(c, i)))
			return false;
		c->begins[bit / 8] |= (u8)(1u << bit % 8);
		if (i % CFI_MARK_STEP == 0)
			c->marks[i / CFI_MARK_STEP] = (s32)table_start(c, i);
	}
	for (size_t i = 0; i < nr; i += nr / TABLE_SAMPLES + 1) {
		cfi_know_cie(&c->eh, table_entry(c, i));
		if (!table_fde(c, (u32)i, &fde))
			return false;
	}
	return table_fde(c, (u32)nr - 1, &fde);
}

static bool take_table(struct cfi *c, struct span hdr, u64 vaddr)
{
	struct cfi_section as = c->eh;
	struct cursor cur = cursor_of(hdr, as.swap);
	u64 eh_vaddr, nr;
	u8 version, eh_enc, nr_enc, table_enc;

	if (hdr.n < 4 || !c->eh.bytes.n)
		return false;
	as.bytes = hdr;
	as.vaddr = vaddr;
	as.data = vaddr;
	version = cur_u8(&cur);
	eh_enc = cur_u8(&cur);
	nr_enc = cur_u8(&cur);
	table_enc = cur_u8(&cur);
	if (version != 1 || table_enc != TABLE_ENC ||
	    !cfi_read_pointer(&as, &cur, eh_enc, as.word, 0, &eh_vaddr) ||
	    !cfi_read_pointer(&as, &cur, nr_enc, as.word, 0, &nr))
		return false;
	c->table = cur_array(&cur, nr, TABLE_PAIR);
	c->table_base = vaddr;
	if (cur.bad || !nr || nr > UINT32_MAX || eh_vaddr != c->eh.vaddr || !table_is_sound(c)) {
		free(c->begins);
		free(c->marks);
		c->begins = NULL;
		c->marks = NULL;
		c->table = span_of(NULL, 0);
		return false;
	}
	c->nr = (u32)nr;
	return true;
}

static bool is_code(const struct object *o, u64 vaddr)
{
	bool any = false;

	for (size_t i = 0; i < o->nr_loads; i++) {
		const struct obj_load *l = &o->loads[i];

		if (!(l->flags & EXECUTABLE))
			continue;
		any = true;
		if (vaddr >= l->vaddr && vaddr - l->vaddr < l->memsz)
			return true;
	}
	return !any && vaddr;
}

struct entry_list {
	struct cfi_index_entry *p;
	size_t nr, cap;
};

/* True if the index must contain this entry. */
static bool wanted(const struct cfi_section *s, const struct cfi_function *f)
{
	return f->start != f->end && is_code(s->code, f->start);
}

static void read_entries(struct cfi *c, const struct cfi_section *s, struct entry_list *l)
{
	struct cfi_function f;
	struct cfi_entry en;
	u64 off, cie = UINT64_MAX;
	bool cie_ok = false;

	for (off = 0; cfi_entry_at(s, off, &en); off = en.next) {
		/*
		 * Startup files contain terminators, which linkers leave in the middle of the
		 * section.
		 */
		if (en.kind == CFI_ENTRY_TERMINATOR && s->no_size)
			return;
		if (en.kind != CFI_ENTRY_FDE)
			continue;
		if (en.cie != cie) {
			cie = en.cie;
			cie_ok = !cfi_read_cie(s, cie, &f.cie, NULL);
		}
		if (!cie_ok || cfi_read_fde(s, &en, &f, NULL))
			c->damaged = true;
		else if (wanted(s, &f))
			vec_push(l->p, l->nr, l->cap,
				 ((struct cfi_index_entry){ .start = f.start,
							    .end = f.end,
							    .off = off,
							    .debug_frame = s->debug_frame }));
	}
	c->damaged |= off < s->bytes.n;
}

static int compare_entries(const void *a, const void *b)
{
	const struct cfi_index_entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->debug_frame != y->debug_frame)
		return x->debug_frame ? 1 : -1;
	return x->off < y->off ? -1 : x->off > y->off;
}

/* Makes the list the index of c, which takes over its memory. */
static void take_entries(struct cfi *c, struct entry_list *l)
{
	u64 reach = 0;
	bool sorted = true;

	for (size_t i = 1; i < l->nr && sorted; i++)
		sorted = compare_entries(&l->p[i - 1], &l->p[i]) < 0;
	if (!sorted)
		qsort(l->p, l->nr, sizeof(*l->p), compare_entries);
	for (size_t i = 0; i < l->nr; i++) {
		if (l->p[i].end > reach)
			reach = l->p[i].end;
		l->p[i].reach = reach;
	}
	free(c->index);
	c->index = l->p;
	c->nr = l->nr > UINT32_MAX ? UINT32_MAX : (u32)l->nr;
	c->table = span_of(NULL, 0);
}

void cfi_index_build(struct cfi *c, struct span hdr, u64 vaddr)
{
	struct entry_list eh = { 0 }, df = { 0 };
	struct cfi_fde fde;
	size_t kept = 0;

	if (!take_table(c, hdr, vaddr)) {
		read_entries(c, &c->eh, &eh);
		take_entries(c, &eh);
	}
	read_entries(c, &c->df, &df);
	for (size_t i = 0; i < df.nr; i++)
		if (!cfi_find(c, df.p[i].start, &fde))
			df.p[kept++] = df.p[i];
	if (kept) {
		struct entry_list all = { 0 };

		read_entries(c, &c->eh, &all);
		for (size_t i = 0; i < kept; i++)
			vec_push(all.p, all.nr, all.cap, df.p[i]);
		take_entries(c, &all);
	}
	free(df.p);
}

static struct cfi_fde index_fde(const struct cfi *c, u32 i)
{
	const struct cfi_index_entry *x = &c->index[i];

	return (struct cfi_fde){ .start = x->start,
				 .end = x->end,
				 .offset = x->off,
				 .debug_frame = x->debug_frame,
				 .index = i };
}

u32 cfi_nr_fdes(const struct cfi *c)
{
	return c->nr;
}

bool cfi_get_fde(const struct cfi *c, u32 index, struct cfi_fde *ret)
{
	if (index >= c->nr)
		return false;
	if (c->table.n)
		return table_fde(c, index, ret);
	*ret = index_fde(c, index);
	return true;
}

static u32 find_in_table(const struct cfi *c, u64 vaddr)
{
	u64 delta = vaddr - c->table_base;
	s64 key = c->eh.word == 4 ? (s32)delta : (s64)delta;
	u32 low = 0, high = (c->nr + CFI_MARK_STEP - 1) / CFI_MARK_STEP;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (c->marks[mid] <= key)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return CFI_NO_INDEX;
	/* the pair is among those from the last mark that is not above the key on */
	high = c->nr / CFI_MARK_STEP < low ? c->nr : low * CFI_MARK_STEP;
	low = (low - 1) * CFI_MARK_STEP + 1;
	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (table_start(c, mid) <= key)
			low = mid + 1;
		else
			high = mid;
	}
	return low - 1;
}

u32 cfi_find_index(const struct cfi *c, u64 vaddr)
{
	u32 low = 0, high = c->nr;

	if (c->table.n)
		return find_in_table(c, vaddr);
	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (c->index[mid].start <= vaddr)
			low = mid + 1;
		else
			high = mid;
	}
	/*
	 * Of entries with equal starts the first one counts. If an entry ends before vaddr, a
	 * longer one that starts earlier may contain it.
	 */
	for (u32 i = 0; i < MAX_OVERLAPS && low && c->index[low - 1].reach > vaddr; i++, low--) {
		if (c->index[low - 1].end <= vaddr)
			continue;
		while (low > 1 && c->index[low - 2].start == c->index[low - 1].start &&
		       c->index[low - 2].end > vaddr)
			low--;
		return low - 1;
	}
	return CFI_NO_INDEX;
}

bool cfi_find(const struct cfi *c, u64 vaddr, struct cfi_fde *ret)
{
	u32 i = cfi_find_index(c, vaddr);

	return i != CFI_NO_INDEX && cfi_get_fde(c, i, ret) && vaddr >= ret->start &&
	       vaddr < ret->end;
}
