/* SPDX-License-Identifier: MIT */
/* Sort keys of branches: rows are one per branch of a sample. */
#include "count/counts.h"
#include "report/table/key_text.h"
#include "report/table/sort_key.h"
#include "session/frames.h"

#define FROM COUNT_BRANCH_FROM
#define TO COUNT_BRANCH_TO
#define UNNAMED_DSO_WIDTH 16

/* The frame at the end of the branch that the key is of. */
static const struct frame *end_of(const struct hist_data *d, const struct key_inst *k,
				  const struct key_place *p)
{
	return counts_frame(d->counts, (u32)count_value(p->row, k->key->branch_end));
}

static u64 address_of(const struct frame *fr)
{
	return fr->map ? map_ip_to_addr(fr->map, fr->ip) : fr->ip;
}

static char level_of(const struct frame *fr)
{
	return !fr->map ? 'H' : fr->map->kernel ? 'k' : '.';
}

static u64 flag(const struct key_place *p, int bit)
{
	return count_value(p->row, COUNT_BRANCH_FLAGS) >> bit & 1;
}

static u64 dso_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	return hist_data_dso(d, end_of(d, k, p)->map);
}

static int dso_width(struct hist_data *d, const struct key_cell *c)
{
	/* perf makes no room for the names of objects without symbols */
	return end_of(d, c->k, c->place)->has_sym ? (int)strlen(hist_text(d, c->id))
						  : UNNAMED_DSO_WIDTH;
}

static void dso_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	key_print_text(o, c->id ? hist_text(d, c->id) : "[unknown]", c->width);
}

/* perf compares these in descending order, with unknown objects first. */
static int dso_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	(void)k;
	if (!a || !b)
		return a ? 1 : -1;
	return strcmp(hist_text(d, b), hist_text(d, a));
}

static u64 symbol_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	const struct frame *fr = end_of(d, k, p);

	return hist_data_symbol(d, fr, fr->ip, false);
}

static void symbol_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	const struct frame *fr = end_of(d, c->k, c->place);
	int width = c->width;

	if (d->cfg->verbose) {
		out_printf(o, "%-#18llx %c ", (unsigned long long)address_of(fr),
			   hist_origin(fr->map));
		width -= 21;
	}
	key_print_symbol(o, fr, address_of(fr), level_of(fr), width);
}

static int symbol_width(struct hist_data *d, const struct key_cell *c)
{
	const struct hist_symbol *sym = hist_symbol(d, (u32)c->id);

	return key_symbol_width(sym) + (d->cfg->verbose && sym->name ? 21 : 0);
}

static u64 addr_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	return end_of(d, k, p)->ip;
}

static void addr_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	const struct frame *fr = end_of(d, c->k, c->place);
	u64 offset = fr->has_sym ? fr->sym->addr - fr->sym->start : 0;
	int room = c->width > 4 ? c->width - 4 : 0;

	if (fr->has_sym && !offset)
		out_printf(o, "[%c] %.*s", c->place->level, room, fr->sym->name);
	else if (fr->has_sym)
		out_printf(o, "[%c] %.*s+0x%llx", c->place->level, room, fr->sym->name,
			   (unsigned long long)offset);
	else
		out_printf(o, "[%c] %-#.16llx", c->place->level,
			   (unsigned long long)address_of(fr));
}

static u64 srcline_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	return hist_data_srcline(d, end_of(d, k, p));
}

static int srcline_width(struct hist_data *d, const struct key_cell *c)
{
	int len = (int)strlen(hist_text(d, c->id)), least = (int)strlen(c->k->key->header);

	return len > least ? len : least;
}

/* Flags have KEY_UNORDERED: while perf reads, new values go last; for display they go first. */
static int flag_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	(void)d;
	(void)k;
	return a != b;
}

static int flag_sort(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	(void)d;
	(void)k;
	return a == b ? 0 : -1;
}

static u64 mispredict_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)d;
	(void)k;
	return count_value(p->row, COUNT_BRANCH_FLAGS) & 3;
}

static void mispredict_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	key_print_text(o, c->id & 2 ? "N" : c->id & 1 ? "Y" : "N/A", c->width);
}

static u64 in_tx_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)d;
	(void)k;
	return flag(p, 2);
}

static void in_tx_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	key_print_text(o, c->id ? "T" : ".", c->width);
}

static u64 abort_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)d;
	(void)k;
	return flag(p, 3);
}

static void abort_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	key_print_text(o, c->id ? "A" : ".", c->width);
}

static u64 cycles_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)d;
	(void)k;
	return count_value(p->row, COUNT_BRANCH_FLAGS) >> 4 & 0xffff;
}

static void cycles_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	if (c->id)
		out_printf(o, "%-*hd", c->width, (short)c->id);
	else
		key_print_text(o, "-", c->width);
}

/* Tells apart the symbols that branches lead to. */
static u64 ipc_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	const struct frame *fr = counts_frame(d->counts, p->frame);

	(void)k;
	return hist_data_symbol(d, fr, fr->ip, !d->dso_is_key);
}

static void ipc_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	bool known = d->ipc && c->place;
	char text[48] = "-";

	if (hist_symbol(d, (u32)c->id)->name)
		snprintf(text, sizeof(text), "%-5.2f [%5.1f%%]",
			 known ? d->ipc[c->place->frame] : 0.0,
			 known ? d->coverage[c->place->frame] : 0.0);
	key_print_text(o, text, c->width);
}

#define FLAGS_BIT COUNT_BIT(COUNT_BRANCH_FLAGS)

/* A key of one end of a branch: its name, its title, and the column that holds the end. */
#define END(ident, title, end) \
	.name = ident, .header = title, .columns = COUNT_BIT(end), .branch_end = end
#define DSO \
	.flags = KEY_TEXT, .id = dso_id, .order = dso_order, .print = dso_print, .width = dso_width
#define SYMBOL                                                                                  \
	.flags = KEY_SYMBOL, .id = symbol_id, .order = key_symbol_order, .print = symbol_print, \
	.width = symbol_width
#define SRCLINE \
	.flags = KEY_TEXT, .id = srcline_id, .print = key_print_unfilled, .width = srcline_width
#define ADDR .least_width = 22, .id = addr_id, .print = addr_print

static const struct sort_key keys[] = {
	{ END("dso_from", "Source Shared Object", FROM), DSO },
	{ END("dso_to", "Target Shared Object", TO), DSO },
	{ END("symbol_from", "Source Symbol", FROM), SYMBOL },
	{ END("symbol_to", "Target Symbol", TO), SYMBOL },
	{ .name = "mispredict",
	  .header = "Branch Mispredicted",
	  .columns = FLAGS_BIT,
	  .flags = KEY_UNORDERED,
	  .id = mispredict_id,
	  .order = flag_order,
	  .sort = flag_sort,
	  .print = mispredict_print },
	{ .name = "in_tx",
	  .header = "Branch in transaction",
	  .columns = FLAGS_BIT,
	  .flags = KEY_UNORDERED,
	  .id = in_tx_id,
	  .order = flag_order,
	  .sort = flag_sort,
	  .print = in_tx_print },
	{ .name = "abort",
	  .header = "Transaction abort",
	  .columns = FLAGS_BIT,
	  .flags = KEY_UNORDERED,
	  .id = abort_id,
	  .order = flag_order,
	  .sort = flag_sort,
	  .print = abort_print },
	{ .name = "cycles",
	  .header = "Basic Block Cycles",
	  .columns = FLAGS_BIT,
	  .flags = KEY_DESC,
	  .id = cycles_id,
	  .print = cycles_print },
	{ END("srcline_from", "From Source:Line", FROM), SRCLINE },
	{ END("srcline_to", "To Source:Line", TO), SRCLINE },
	{ END("addr_from", "Source Address", FROM), ADDR },
	{ END("addr_to", "Target Address", TO), ADDR },
	{ .name = "ipc_lbr",
	  .header = "IPC   [IPC Coverage]",
	  .columns = COUNT_BIT(TO),
	  .flags = KEY_ADDR | KEY_CYCLES,
	  .id = ipc_id,
	  .order = key_symbol_order,
	  .print = ipc_print },
};

const struct sort_key *sort_keys_branch(size_t *ret_nr)
{
	*ret_nr = ARRAY_SIZE(keys);
	return keys;
}
