/* SPDX-License-Identifier: MIT */
#include "symbols/kallsyms.h"

#include <string.h>

/* Bytes of a line on average, to have room for all symbols at once. */
#define USUAL_LINE 44

/* What one line says; the spans lie in the text. */
struct line {
	u64 addr;
	char type;
	struct span name, module;
};

/* A way through the text, line by line. */
struct lines {
	const u8 *p, *end;
	const u8 *tab;   /* the next one from p on, or end; looked for once it is behind p */
	u64 front;       /* the first 8 digits of the last line as they stand there ... */
	u64 front_value; /* ... and what they mean: those of the next are mostly the same */
};

static struct lines lines_of(struct span text)
{
	const u8 *end = text.n ? text.p + text.n : text.p;

	return (struct lines){ .p = text.p, .end = end, .tab = text.p };
}

/* Values of hex digits + 1, 0 for what is none. */
static const u8 hex_values[256] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

#define ALL_BYTES(b) (0x0101010101010101ull * (b))

/* The value of 8 hex digits as the kernel writes them, all at once. False when one is none. */
static bool hex8(const u8 *p, u64 *ret)
{
	u64 v = get_u64(p, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__), low = v & ALL_BYTES(0x0f);
	u64 letters = v >> 6 & ALL_BYTES(1);

	/* '0' is 0x30 and 'a' 0x61: of digits the low half is at most 9, of letters 1 to 6 */
	if ((v & ALL_BYTES(0xf0)) != ALL_BYTES(0x30) + letters * 0x30 ||
	    (low + ALL_BYTES(6) + letters * 3) & ALL_BYTES(0x10) ||
	    (~(low + ALL_BYTES(0x0f)) >> 4 & letters))
		return false;
	v = low + letters * 9;
	v = (v << 4 | v >> 8) & 0x00ff00ff00ff00ffull;
	v = (v << 8 | v >> 16) & 0x0000ffff0000ffffull;
	*ret = (v << 16 | v >> 32) & UINT32_MAX;
	return true;
}

/* An address of 16 digits at p, where 17 bytes are. False: it may be one of another form. */
static bool whole_address(struct lines *ls, const u8 *p, u64 *ret)
{
	u64 front = get_u64(p, false), back;

	if (p[16] != ' ' || !hex8(p + 8, &back))
		return false;
	if (front != ls->front) {
		if (!hex8(p, &ls->front_value))
			return false;
		ls->front = front;
	}
	*ret = ls->front_value << 32 | back;
	return true;
}

/* Splits a line (end: its newline). False when it has another form. */
static bool split_line(struct lines *ls, const u8 *p, const u8 *end, struct line *l)
{
	const u8 *q = p;
	u64 addr = 0;

	if (end - p > 16 && whole_address(ls, p, &addr))
		q += 16;
	else
		for (; q < end && hex_values[*q]; q++)
			addr = addr << 4 | (u64)(hex_values[*q] - 1);
	if (q == p || q - p > 16 || end - q < 4 || q[0] != ' ' || q[2] != ' ')
		return false;
	l->addr = addr;
	l->type = (char)q[1];
	q += 3;
	if (ls->tab < q) {
		ls->tab = memchr(q, '\t', (size_t)(ls->end - q));
		ls->tab = ls->tab ? ls->tab : ls->end;
	}
	l->name = span_of(q, (size_t)((ls->tab < end ? ls->tab : end) - q));
	l->module = span_of(end, 0);
	if (ls->tab < end)
		l->module = span_of(ls->tab + 1, (size_t)(end - ls->tab - 1));
	return l->name.n > 0;
}

/* The next well-formed line. False at the end of the text. */
static bool next_line(struct lines *ls, struct line *l)
{
	while (ls->p < ls->end) {
		const u8 *p = ls->p, *nl = memchr(p, '\n', (size_t)(ls->end - p));

		ls->p = nl ? nl + 1 : ls->end;
		if (split_line(ls, p, nl ? nl : ls->end, l))
			return true;
	}
	return false;
}

/* nm's letters of text, weak, data and bss symbols, local or not. */
static bool is_kept_type(char type)
{
	switch (type | 0x20) {
	case 't':
	case 'w':
	case 'd':
	case 'b': return true;
	}
	return false;
}

/* Mapping symbols of ARM and RISC-V, and labels local to the assembler: no functions. */
static bool is_label(struct span name)
{
	if (name.p[0] == '$')
		return true;
	if (name.n < 2)
		return false;
	return (name.p[0] == '.' && name.p[1] == 'L') || (name.p[0] == 'L' && name.p[1] == '0');
}

/* The end of the ascending run that starts at i. */
static size_t run_end(const struct kallsyms_sym *v, size_t nr, size_t i)
{
	for (i++; i < nr && v[i - 1].start <= v[i].start; i++)
		;
	return i;
}

static void merge(const struct kallsyms_sym *a, size_t na, const struct kallsyms_sym *b, size_t nb,
		  struct kallsyms_sym *dst)
{
	while (na && nb) {
		if (b->start < a->start) {
			*dst++ = *b++;
			nb--;
		} else {
			*dst++ = *a++;
			na--;
		}
	}
	memcpy(dst, na ? a : b, (na + nb) * sizeof(*dst));
}

/*
 * Sorts by address; equal ones keep their order. The kernel writes its own symbols in order and
 * each module's behind them, so that merging the runs that are there is all but linear.
 */
static void sort_syms(struct kallsyms *k)
{
	struct kallsyms_sym *spare = NULL, *from = k->syms, *to;
	size_t i, mid, end, runs;

	if (k->nr < 2 || run_end(from, k->nr, 0) == k->nr)
		return;
	spare = xmalloc(k->nr * sizeof(*spare));
	to = spare;
	do {
		for (i = 0, runs = 0; i < k->nr; i = end, runs++) {
			mid = run_end(from, k->nr, i);
			end = mid < k->nr ? run_end(from, k->nr, mid) : mid;
			merge(from + i, mid - i, from + mid, end - mid, to + i);
		}
		k->syms = to;
		to = from;
		from = k->syms;
	} while (runs > 1);
	free(to);
	k->cap = k->nr;
}

/* Offset in the text of a symbol's "[MODULE]". */
static size_t module_of(const struct kallsyms_sym *s)
{
	return (size_t)s->name + s->name_len + 1;
}

static bool same_module(const struct kallsyms *k, const struct kallsyms_sym *a,
			const struct kallsyms_sym *b)
{
	return a->module_len == b->module_len &&
	       (!a->module_len ||
		!memcmp(k->text.p + module_of(a), k->text.p + module_of(b), a->module_len));
}

static u64 round_up_page(u64 v)
{
	return (v + 4095) & ~(u64)4095;
}

/*
 * The text has no sizes: a symbol reaches to the next one, and at the end of the kernel or of a
 * module one to two pages far (FORMAT.md 7.3). Of the symbols at one address the last stays: all
 * others are empty, and an empty one loses to any (FORMAT.md 7.6).
 */
static void mend_ends(struct kallsyms *k)
{
	size_t i, kept = 0;

	for (i = 0; i < k->nr; i++) {
		struct kallsyms_sym *s = &k->syms[i];
		u64 end;

		if (i + 1 == k->nr)
			end = round_up_page(s->start) + 4096;
		else if (same_module(k, s, s + 1))
			end = s[1].start;
		else
			end = round_up_page(s->start + 4096);
		/* At the top of the address space the rounding wraps. */
		s->end = end < s->start ? UINT64_MAX : end;
		if (i + 1 < k->nr && s[1].start == s->start)
			continue;
		if (s->end > s->start)
			k->syms[kept++] = *s;
	}
	k->nr = kept;
}

void kallsyms_init(struct kallsyms *k, struct span text)
{
	struct lines ls;
	struct line l;

	memset(k, 0, sizeof(*k));
	if (text.n > UINT32_MAX)
		text.n = UINT32_MAX;
	k->text = text;
	ls = lines_of(text);
	k->hidden = true;
	vec_reserve(k->syms, k->cap, text.n / USUAL_LINE);
	mem_will_fill(k->syms, k->cap * sizeof(*k->syms));
	while (next_line(&ls, &l)) {
		struct kallsyms_sym s = { .start = l.addr, .type = l.type };

		if (!is_kept_type(l.type) || is_label(l.name))
			continue;
		s.name = (u32)(l.name.p - text.p);
		if (l.name.n > UINT16_MAX || l.module.n > UINT8_MAX)
			continue;
		s.name_len = (u16)l.name.n;
		s.module_len = (u8)l.module.n;
		if (l.addr)
			k->hidden = false;
		vec_push(k->syms, k->nr, k->cap, s);
	}
	if (!k->nr)
		k->hidden = false;
	sort_syms(k);
	mend_ends(k);
}

void kallsyms_fini(struct kallsyms *k)
{
	free(k->syms);
	memset(k, 0, sizeof(*k));
}

bool kallsyms_address(struct span text, const char *name, u64 *ret)
{
	struct lines ls = lines_of(text);
	size_t len = strlen(name);
	struct line l;

	while (next_line(&ls, &l)) {
		if (l.name.n != len || memcmp(l.name.p, name, len) || l.module.n)
			continue;
		if (l.type != 'T' && l.type != 't' && l.type != 'W' && l.type != 'w')
			continue;
		*ret = l.addr;
		return true;
	}
	return false;
}

static u8 binding_of(char type)
{
	if (type == 'W')
		return SYM_WEAK;
	return type >= 'a' ? SYM_LOCAL : SYM_GLOBAL;
}

static bool is_of(const struct kallsyms *k, const struct kallsyms_sym *s, const char *module,
		  size_t len)
{
	return s->module_len == len && (!len || !memcmp(k->text.p + module_of(s), module, len));
}

bool kallsyms_is_data(const struct kallsyms_sym *s)
{
	switch (s->type) {
	case 'T':
	case 't':
	case 'W':
	case 'w': return false;
	}
	return true;
}

/* No symbol of the kernel reaches further where the next in the list is a module's. */
#define MAX_LAST 8192

const struct kallsyms_sym *kallsyms_find(const struct kallsyms *k, u64 addr)
{
	size_t lo = 0, hi = k->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (k->syms[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (size_t i = lo; i; i--) {
		const struct kallsyms_sym *s = &k->syms[i - 1];

		if (!s->module_len && addr < s->end)
			return s;
		if (addr - s->start >= MAX_LAST)
			break;
	}
	return NULL;
}

/* Most names are no longer: copied so many bytes at once, they need no call. */
#define NAME_AT_ONCE 32

/* Copies a name to a place with room for NAME_AT_ONCE bytes at least. */
static void copy_name(char *to, const struct kallsyms *k, const struct kallsyms_sym *s)
{
	const u8 *name = k->text.p + s->name;

	if (s->name_len <= NAME_AT_ONCE && k->text.n - s->name >= NAME_AT_ONCE)
		memcpy(to, name, NAME_AT_ONCE);
	else
		memcpy(to, name, s->name_len);
	to[s->name_len] = 0;
}

size_t kallsyms_fill(const struct kallsyms *k, const char *module, u64 delta, struct symtab *tab)
{
	size_t nr = 0, bytes = 0, len;
	char *names;

	module = module ? module : "";
	len = strlen(module);
	for (size_t i = 0; i < k->nr; i++) {
		if (is_of(k, &k->syms[i], module, len)) {
			nr++;
			bytes += (size_t)k->syms[i].name_len + 1;
		}
	}
	if (!nr)
		return 0;
	symtab_reserve(tab, nr);
	names = arena_alloc(&tab->strings, bytes + NAME_AT_ONCE);
	for (size_t i = 0; i < k->nr; i++) {
		const struct kallsyms_sym *s = &k->syms[i];
		struct sym *sym;

		if (!is_of(k, s, module, len))
			continue;
		copy_name(names, k, s);
		sym = symtab_add_borrowed(tab, s->start + delta, s->end - s->start, names,
					  binding_of(s->type), false);
		sym->is_object = kallsyms_is_data(s);
		names += s->name_len + 1;
	}
	return nr;
}
