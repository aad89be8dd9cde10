/* SPDX-License-Identifier: MIT */
#include "report/table/key_text.h"

#define ADDR_DIGITS 16

u64 key_address(const struct hist_data *d, const struct frame *fr, bool own)
{
	return own && fr->map && d->cfg->mode != TABLE_BRANCH ? map_ip_to_addr(fr->map, fr->ip)
							      : fr->ip;
}

void key_print_text(struct out *o, const char *s, int width)
{
	size_t len = strnlen(s, (size_t)width);

	out_mem(o, s, len);
	out_fill(o, ' ', (size_t)width - len);
}

void key_hide_separator(struct out *o, size_t start, const char *separator)
{
	for (size_t i = start; separator && *separator && i < o->len; i++)
		if (o->buf[i] == *separator)
			o->buf[i] = '.';
}

/* As printf's %#.16llx: no "0x" before a zero. */
static void print_address(struct out *o, u64 addr)
{
	char text[ADDR_DIGITS];

	if (addr)
		out_str(o, "0x");
	for (int i = ADDR_DIGITS; i--; addr >>= 4)
		text[i] = "0123456789abcdef"[addr & 15];
	out_mem(o, text, sizeof(text));
}

void key_print_unfilled(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	const char *s = hist_text(d, c->id);

	out_mem(o, s, strnlen(s, (size_t)c->width));
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
	} else if (fr->sym->is_object) {
		out_str(o, fr->sym->name);
		out_printf(o, "+0x%llx", (unsigned long long)(fr->sym->addr - fr->sym->start));
	} else {
		out_mem(o, fr->sym->name, strnlen(fr->sym->name, room));
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
