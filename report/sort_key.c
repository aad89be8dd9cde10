/* SPDX-License-Identifier: MIT */
#include "report/sort_key.h"

#include <strings.h>

#include "report/sort_trace.h"

#define ADDR_DIGITS 16

/* perf takes the first key that the given text is the beginning of, whatever its case. */
static const struct sort_key *find_in(const struct sort_key *keys, size_t nr, const char *name,
				      size_t len)
{
	for (size_t i = 0; i < nr; i++)
		if (!strncasecmp(keys[i].name, name, len))
			return &keys[i];
	return NULL;
}

const struct sort_key *sort_key_find(const char *name, size_t len, enum prep_mode mode)
{
	const struct sort_key *keys, *k;
	size_t nr;

	keys = sort_keys_place(&nr);
	/* "sym" is `symbol`, not one of those that begin so and stand in another family */
	k = find_in(keys, nr, name, len);
	if (k)
		return k;
	keys = sort_keys_common(&nr);
	k = find_in(keys, nr, name, len);
	if (k)
		return k;
	if (mode == PREP_BRANCH) {
		keys = sort_keys_branch(&nr);
		return find_in(keys, nr, name, len);
	}
	if (mode == PREP_MEMORY) {
		keys = sort_keys_memory(&nr);
		return find_in(keys, nr, name, len);
	}
	return NULL;
}

static void offer(struct nearest_name *near, const struct sort_key *keys, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		nearest_offer(near, keys[i].name);
}

void sort_keys_offer(struct nearest_name *near, enum prep_mode mode)
{
	const struct sort_key *keys;
	size_t nr;

	keys = sort_keys_place(&nr);
	offer(near, keys, nr);
	keys = sort_keys_common(&nr);
	offer(near, keys, nr);
	if (mode == PREP_BRANCH)
		keys = sort_keys_branch(&nr);
	else if (mode == PREP_MEMORY)
		keys = sort_keys_memory(&nr);
	else
		return;
	offer(near, keys, nr);
}

int sort_key_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	const struct sort_key *key = k->key;

	if (a == b)
		return 0;
	if (key->order)
		return key->order(d, k, a, b);
	if (key->flags & KEY_TEXT) {
		if (!a || !b) /* none comes last */
			return a ? -1 : 1;
		return strcmp(hist_text(d, a), hist_text(d, b));
	}
	if (key->flags & KEY_ADDR)
		return key_addr_order(a, b);
	return (a < b) == !(key->flags & KEY_DESC) ? -1 : 1;
}

int sort_key_sort(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	if (a == b)
		return 0;
	return k->key->sort ? k->key->sort(d, k, a, b) : sort_key_order(d, k, a, b);
}

void sort_key_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	if (c->k->key->print)
		c->k->key->print(d, o, c);
	else
		key_print_text(o, hist_text(d, c->id), c->width);
}

int sort_key_width(struct hist_data *d, const struct key_cell *c)
{
	const struct sort_key *key = c->k->key;

	if (key->width)
		return key->width(d, c);
	if (key->flags & KEY_TEXT) {
		int len = (int)strlen(hist_text(d, c->id));

		return len > key->least_width ? len : key->least_width;
	}
	return key->least_width;
}

const char *sort_key_header(const struct key_inst *k)
{
	return k->field ? k->field->name : k->key->header;
}

void key_print_text(struct out *o, const char *s, int width)
{
	size_t len = strnlen(s, (size_t)width);

	out_mem(o, s, len);
	out_fill(o, ' ', (size_t)width - len);
}

/* As printf's %#.16llx: no "0x" before a zero. */
static void print_address(struct out *o, u64 addr)
{
	char text[ADDR_DIGITS];

	if (addr)
		out_mem(o, "0x", 2);
	for (int i = ADDR_DIGITS; i--; addr >>= 4)
		text[i] = "0123456789abcdef"[addr & 15];
	out_mem(o, text, sizeof(text));
}

void key_print_symbol(struct out *o, const struct frame *fr, u64 addr, char level, int width)
{
	/* as perf, which takes a width (-w) below that of the brackets for none */
	size_t room = width >= 4 ? (size_t)width - 4 : SIZE_MAX;

	out_char(o, '[');
	out_char(o, level);
	out_str(o, "] ");
	if (!fr->has_sym) {
		print_address(o, addr);
	} else if (fr->sym.is_object) {
		out_str(o, fr->sym.name);
		out_printf(o, "+0x%llx", (unsigned long long)(fr->sym.addr - fr->sym.start));
	} else {
		out_mem(o, fr->sym.name, strnlen(fr->sym.name, room));
	}
}

/* Those with a name first, by object where no key tells it, then by address. */
int key_symbol_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	const struct hist_symbol *x = hist_symbol(d, (u32)a), *y = hist_symbol(d, (u32)b);

	(void)k;
	if (!x->name && !y->name)
		return key_addr_order(x->start, y->start);
	if (x->dso != y->dso) {
		if (!x->dso || !y->dso)
			return x->dso ? -1 : 1;
		return strcmp(hist_text(d, x->dso), hist_text(d, y->dso));
	}
	if (!x->name || !y->name)
		return x->name ? -1 : 1;
	if (x->start != y->start)
		return key_addr_order(x->start, y->start);
	return key_addr_order(x->end, y->end);
}

int key_symbol_sort(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	const struct hist_symbol *x = hist_symbol(d, (u32)a), *y = hist_symbol(d, (u32)b);

	(void)k;
	if (!x->name || !y->name)
		return x->name ? -1 : y->name ? 1 : 0;
	return strcmp(x->name, y->name);
}

int key_symbol_width(const struct hist_symbol *sym)
{
	return (sym->name ? (int)strlen(sym->name) : ADDR_DIGITS + 2) + 4;
}

void key_print_page_size(struct out *o, u64 size, int width)
{
	static const char units[] = { 0, 'K', 'M', 'G', 'T' };
	char text[32] = "N/A";
	size_t u = 0;

	if (size) {
		while (u + 1 < sizeof(units) && !(size & 1023)) {
			size >>= 10;
			u++;
		}
		snprintf(text, sizeof(text), "%llu%.1s", (unsigned long long)size,
			 u ? &units[u] : "");
	}
	key_print_text(o, text, width);
}
