/* SPDX-License-Identifier: MIT */
/* Sort keys of the code's place: object, symbol, address, source line. */
#include "report/table/key_text.h"
#include "report/table/sort_key.h"

#define UNNAMED_DSO_WIDTH 16 /* least width of the object column for [unknown] and addresses */

static const struct frame *frame_of(const struct hist_data *d, const struct key_place *p)
{
	return hist_frame(d, p->frame);
}

static u64 dso_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)k;
	return hist_data_dso(d, frame_of(d, p)->map);
}

static void dso_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	key_print_text(o, c->id ? hist_text(d, c->id) : "[unknown]", c->width);
}

static int dso_width(struct hist_data *d, const struct key_cell *c)
{
	int len = (int)strlen(hist_text(d, c->id));

	if (!frame_of(d, c->place)->has_sym && len < UNNAMED_DSO_WIDTH && !d->cfg->widths &&
	    !d->cfg->separated && !d->cfg->filter->dsos.nr)
		return UNNAMED_DSO_WIDTH;
	return len;
}

static u64 symbol_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	const struct frame *fr = frame_of(d, p);

	(void)k;
	if (chain_frames_is_inlined(&d->frames, p->frame))
		return hist_data_inlined(d, fr, !d->dso_is_key);
	return hist_data_symbol(d, fr, key_address(d, fr, p->own), !d->dso_is_key);
}

static void symbol_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	const struct frame *fr = frame_of(d, c->place);
	int width = c->width;

	if (d->cfg->verbose) {
		u64 addr = key_address(d, fr, c->place->own);

		if (fr->map && dso_get_desc(fr->map->dso)->kind == DSO_KERNEL)
			addr = fr->ip;
		out_printf(o, "%-#18llx %c ", (unsigned long long)addr, hist_origin(fr->map));
		width -= 21;
	}
	key_print_symbol(o, fr, key_address(d, fr, c->place->own), c->place->level, width);
	if (chain_frames_is_inlined(&d->frames, c->place->frame))
		out_str(o, " (inlined)");
}

static int symbol_width(struct hist_data *d, const struct key_cell *c)
{
	const struct hist_symbol *sym = hist_symbol(d, (u32)c->id);

	return key_symbol_width(sym) + (d->cfg->verbose && sym->name ? 21 : 0);
}

static u64 addr_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)k;
	return frame_of(d, p)->ip;
}

static void addr_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	out_printf(o, "%-#*llx", c->width, (unsigned long long)c->id);
}

static u64 symoff_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	u64 tuple[2] = { symbol_id(d, k, p), key_address(d, frame_of(d, p), true) };

	return tuple_table_id(&d->offset_ids, tuple);
}

static int symoff_compare(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b,
			  bool by_name)
{
	u64 x[2], y[2];
	int cmp;

	memcpy(x, tuple_table_get(&d->offset_ids, (u32)a), sizeof(x));
	memcpy(y, tuple_table_get(&d->offset_ids, (u32)b), sizeof(y));
	cmp = by_name ? key_symbol_sort(d, k, x[0], y[0]) : key_symbol_order(d, k, x[0], y[0]);
	return cmp ? cmp : -key_addr_order(x[1], y[1]);
}

static int symoff_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	return symoff_compare(d, k, a, b, false);
}

static int symoff_sort(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	return symoff_compare(d, k, a, b, true);
}

static void symoff_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	const struct frame *fr = frame_of(d, c->place);

	if (!fr->has_sym) {
		out_printf(o, "[%c] %#.*llx", c->place->level, c->width > 4 ? c->width - 4 : 0,
			   (unsigned long long)key_address(d, fr, true));
		return;
	}
	out_printf(o, "[%c] %s+0x%llx", c->place->level, fr->sym->name,
		   (unsigned long long)(fr->sym->addr - fr->sym->start));
}

static u64 symbol_size_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	const struct frame *fr = frame_of(d, p);

	(void)k;
	return fr->has_sym ? fr->sym->end - fr->sym->start : 0;
}

static u64 dso_size_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	const struct map *m = frame_of(d, p)->map;

	(void)k;
	return m ? m->end - m->start : 0;
}

static void size_print(struct out *o, const struct key_cell *c, bool known)
{
	if (known)
		out_printf(o, "%*d", c->width, (int)c->id);
	else
		out_str_width(o, "unknown", c->width);
}

static void symbol_size_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	size_print(o, c, frame_of(d, c->place)->has_sym);
}

static void dso_size_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	size_print(o, c, frame_of(d, c->place)->map);
}

/*
 * The line of a caller with inlined functions is that of the call in it. If the symbol is a key,
 * each inlined function has a line of its own.
 */
static u64 srcline_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	u32 id = d->symbol_is_key ? p->frame : chain_frames_place(&d->frames, p->frame);
	const char *line = p->own ? NULL : chain_frames_line(&d->frames, id);

	(void)k;
	return line ? intern_str(&d->texts, line) : hist_data_srcline(d, frame_of(d, p));
}

static int srcline_width(struct hist_data *d, const struct key_cell *c)
{
	int len = (int)strlen(hist_text(d, c->id)), least = (int)strlen(c->k->key->header);

	return len > least ? len : least;
}

static u64 srcfile_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	const struct frame *fr = frame_of(d, p);
	struct line_hit hit;

	(void)k;
	if (!fr->map || !dso_find_line(fr->map->dso, fr->ip, fr->map->start, fr->map->pgoff, &hit))
		return 0;
	if (d->cfg->full_source_path) {
		out_str(&d->scratch, hit.file);
	} else {
		const char *slash = strrchr(hit.file, '/');

		out_str(&d->scratch, slash ? slash + 1 : hit.file);
	}
	return hist_data_take_text(d);
}

static void ipc_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	key_print_text(o, "-      -", c->width);
}

static const struct sort_key keys[] = {
	{ .name = "dso",
	  .header = "Shared Object",
	  .columns = COUNT_BIT(COUNT_IP),
	  .flags = KEY_FRAME | KEY_DSO | KEY_TEXT,
	  .id = dso_id,
	  .print = dso_print,
	  .width = dso_width },
	{ .name = "symbol",
	  .header = "Symbol",
	  .columns = COUNT_BIT(COUNT_IP),
	  .flags = KEY_FRAME | KEY_SYMBOL,
	  .id = symbol_id,
	  .order = key_symbol_order,
	  .sort = key_symbol_sort,
	  .print = symbol_print,
	  .width = symbol_width },
	{ .name = "srcline",
	  .header = "Source:Line",
	  .columns = COUNT_BIT(COUNT_IP),
	  .flags = KEY_FRAME | KEY_TEXT | KEY_TWICE | KEY_LINE,
	  .id = srcline_id,
	  .print = key_print_unfilled,
	  .width = srcline_width },
	{ .name = "srcfile",
	  .header = "Source File",
	  .columns = COUNT_BIT(COUNT_IP),
	  .flags = KEY_FRAME | KEY_TEXT | KEY_TWICE,
	  .id = srcfile_id,
	  .print = key_print_unfilled },
	{ .name = "symbol_size",
	  .header = "Symbol size",
	  .columns = COUNT_BIT(COUNT_IP),
	  .flags = KEY_FRAME,
	  .id = symbol_size_id,
	  .print = symbol_size_print },
	{ .name = "dso_size",
	  .header = "DSO size",
	  .columns = COUNT_BIT(COUNT_IP),
	  .flags = KEY_FRAME,
	  .id = dso_size_id,
	  .print = dso_size_print },
	{ .name = "addr",
	  .header = "Address",
	  .columns = COUNT_BIT(COUNT_IP),
	  .flags = KEY_FRAME | KEY_ADDR,
	  .least_width = 18,
	  .id = addr_id,
	  .print = addr_print },
	{ .name = "symoff",
	  .header = "Symbol Offset",
	  .columns = COUNT_BIT(COUNT_IP),
	  .flags = KEY_FRAME | KEY_LOCAL,
	  .id = symoff_id,
	  .order = symoff_order,
	  .sort = symoff_sort,
	  .print = symoff_print },
	/* tells symbols apart, though it does not show them */
	{ .name = "ipc_null",
	  .header = "IPC   [IPC Coverage]",
	  .columns = COUNT_BIT(COUNT_IP),
	  .flags = KEY_FRAME | KEY_LOCAL,
	  .id = symbol_id,
	  .order = key_symbol_order,
	  .print = ipc_print },
};

const struct sort_key *sort_keys_place(size_t *ret_nr)
{
	*ret_nr = ARRAY_SIZE(keys);
	return keys;
}
