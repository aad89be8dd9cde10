/* SPDX-License-Identifier: MIT */
/* Sort keys of memory accesses (--mem-mode): what was accessed, and how. */
#include <sys/mman.h>

#include "count/counts.h"
#include "report/table/key_text.h"
#include "report/table/sort_key.h"
#include "report/text/datasrc_text.h"
#include "session/frames.h"

#define LINE_BYTES 64 /* of a cache, where the file does not say */
#define LINE_WORDS 4  /* that tell cache lines apart */
#define ADDR_WIDTH 22 /* "[k] 0x" and 16 digits */

static const struct frame *data_of(const struct hist_data *d, const struct key_place *p)
{
	return counts_frame(d->counts, (u32)count_value(p->row, COUNT_ADDR));
}

static u64 bits(const struct key_place *p, int from, int nr)
{
	return count_value(p->row, COUNT_DATA_SRC) >> from & ((1u << nr) - 1);
}

#define BITS_ID(name, from, nr)                                                                   \
	static u64 name(struct hist_data *d, const struct key_inst *k, const struct key_place *p) \
	{                                                                                         \
		(void)d;                                                                          \
		(void)k;                                                                          \
		return bits(p, from, nr);                                                         \
	}

BITS_ID(level_id, 5, 14)
BITS_ID(snoop_id, 19, 5)
BITS_ID(lock_id, 24, 2)
BITS_ID(tlb_id, 26, 7)
BITS_ID(blocked_id, 40, 3)

/* The part of data_src's text behind "|LABEL ". */
static void part_print(struct hist_data *d, struct out *o, const struct key_cell *c,
		       const char *label)
{
	const char *s, *end;
	char text[100] = "N/A";

	d->scratch.len = 0;
	datasrc_text(&d->scratch, count_value(c->place->row, COUNT_DATA_SRC));
	out_char(&d->scratch, '\0');
	s = strstr(d->scratch.buf, label);
	if (s) {
		s += strlen(label);
		end = strchrnul(s, '|');
		snprintf(text, sizeof(text), "%.*s", (int)(end - s), s);
	}
	d->scratch.len = 0;
	key_print_text(o, text, c->width);
}

#define PART_PRINT(name, label)                                                        \
	static void name(struct hist_data *d, struct out *o, const struct key_cell *c) \
	{                                                                              \
		part_print(d, o, c, label);                                            \
	}

PART_PRINT(level_print, "|LVL ")
PART_PRINT(snoop_print, "|SNP ")
PART_PRINT(lock_print, "|LCK ")
PART_PRINT(tlb_print, "|TLB ")
PART_PRINT(blocked_print, "|BLK ")

static u64 daddr_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)k;
	return data_of(d, p)->ip;
}

static u64 iaddr_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)k;
	return counts_frame(d->counts, p->frame)->ip;
}

/* An address behind its symbol makes the column as wide as both. */
static int place_width(const struct frame *fr)
{
	/* not as "has_sym ? strlen : 0": gcc 14.2 calls strlen first then and masks the result */
	if (!fr->has_sym)
		return ADDR_WIDTH;
	return ADDR_WIDTH + (int)strlen(fr->sym->name);
}

static void place_print(struct hist_data *d, struct out *o, const struct key_cell *c,
			const struct frame *fr)
{
	int width = c->width;

	if (d->cfg->verbose) {
		out_printf(o, "%-#18llx %c ", (unsigned long long)fr->ip, hist_origin(fr->map));
		width -= 21;
	}
	key_print_symbol(o, fr, fr->ip, c->place->level, width);
}

static void daddr_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	place_print(d, o, c, data_of(d, c->place));
}

static int daddr_width(struct hist_data *d, const struct key_cell *c)
{
	return place_width(data_of(d, c->place));
}

static void iaddr_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	place_print(d, o, c, counts_frame(d->counts, c->place->frame));
}

static int iaddr_width(struct hist_data *d, const struct key_cell *c)
{
	return place_width(counts_frame(d->counts, c->place->frame));
}

static u64 dso_daddr_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)k;
	return hist_data_dso(d, data_of(d, p)->map);
}

static int dso_daddr_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	(void)k;
	if (!a || !b)
		return a ? 1 : -1;
	return strcmp(hist_text(d, b), hist_text(d, a));
}

static void dso_daddr_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	key_print_text(o, c->id ? hist_text(d, c->id) : "[unknown]", c->width);
}

static int dso_daddr_width(struct hist_data *d, const struct key_cell *c)
{
	int len = (int)strlen(hist_text(d, c->id));

	return len < 16 && !data_of(d, c->place)->map ? 16 : len;
}

static u64 line_of(const struct frame *fr)
{
	u64 addr = fr->map ? map_ip_to_addr(fr->map, fr->ip) : fr->ip;

	return addr & ~(u64)(LINE_BYTES - 1);
}

/* Memory of a file is the same in every process. */
static bool is_file(const struct map *m)
{
	return m->dso_name[0] == '/' && m->dso_name[1] != '/';
}

static u64 line_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	const struct frame *fr = data_of(d, p);
	const struct map *m = fr->map;
	u64 mode = count_value(p->row, COUNT_CPUMODE);
	bool is_private = m && mode != PD_CPUMODE_KERNEL && !(m->flags & MAP_SHARED) && !is_file(m);
	/* in the order in which perf compares them */
	u64 tuple[LINE_WORDS] = { mode, m ? hist_data_dso(d, m) : UINT32_MAX,
				  is_private ? count_value(p->row, COUNT_PID) : 0, line_of(fr) };

	(void)k;
	return tuple_table_id(&d->line_ids, tuple);
}

static int line_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	u64 x[LINE_WORDS], y[LINE_WORDS];

	(void)k;
	memcpy(x, tuple_table_get(&d->line_ids, (u32)a), sizeof(x));
	memcpy(y, tuple_table_get(&d->line_ids, (u32)b), sizeof(y));
	for (int i = 0; i < LINE_WORDS; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

static void line_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	const struct frame *fr = data_of(d, c->place);
	const struct map *m = fr->map;
	struct sym_hit sym = { 0 };
	struct frame line = *fr;
	char level = c->place->level;

	if (!m)
		level = 'X';
	else if (count_value(c->place->row, COUNT_CPUMODE) != PD_CPUMODE_KERNEL &&
		 !(m->prot & PROT_EXEC) && m->flags & MAP_SHARED && is_file(m))
		level = 's';
	if (fr->has_sym)
		sym = *fr->sym;
	line.sym = &sym;
	sym.addr -= (m ? map_ip_to_addr(m, fr->ip) : fr->ip) & (LINE_BYTES - 1);
	key_print_symbol(o, &line, line_of(fr), level, c->width);
}

static int line_width(struct hist_data *d, const struct key_cell *c)
{
	const struct frame *fr = data_of(d, c->place);

	return place_width(fr) + fr->has_sym;
}

static u64 phys_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)d;
	(void)k;
	return count_value(p->row, COUNT_PHYS_ADDR);
}

static void phys_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	out_printf(o, "[%c] %-#.16llx", c->place->level, (unsigned long long)c->id);
}

static u64 page_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)d;
	(void)k;
	return count_value(p->row, COUNT_DATA_PAGE_SIZE);
}

static void page_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	key_print_page_size(o, c->id, c->width);
}

#define DATA_SRC COUNT_BIT(COUNT_DATA_SRC)
#define ADDR COUNT_BIT(COUNT_ADDR)

static const struct sort_key keys[] = {
	{ .name = "symbol_daddr",
	  .header = "Data Symbol",
	  .columns = ADDR,
	  .flags = KEY_SYMBOL | KEY_ADDR,
	  .id = daddr_id,
	  .print = daddr_print,
	  .width = daddr_width },
	{ .name = "dso_daddr",
	  .header = "Data Object",
	  .columns = ADDR,
	  .flags = KEY_TEXT,
	  .id = dso_daddr_id,
	  .order = dso_daddr_order,
	  .print = dso_daddr_print,
	  .width = dso_daddr_width },
	{ .name = "locked",
	  .header = "Locked",
	  .columns = DATA_SRC,
	  .least_width = 6,
	  .id = lock_id,
	  .print = lock_print },
	{ .name = "tlb",
	  .header = "TLB access",
	  .columns = DATA_SRC,
	  .least_width = 22,
	  .id = tlb_id,
	  .print = tlb_print },
	{ .name = "mem",
	  .header = "Memory access",
	  .columns = DATA_SRC,
	  .least_width = 39,
	  .id = level_id,
	  .print = level_print },
	{ .name = "snoop",
	  .header = "Snoop",
	  .columns = DATA_SRC,
	  .least_width = 12,
	  .id = snoop_id,
	  .print = snoop_print },
	{ .name = "dcacheline",
	  .header = "Data Cacheline",
	  .columns = ADDR | COUNT_BIT(COUNT_PID),
	  .id = line_id,
	  .order = line_order,
	  .print = line_print,
	  .width = line_width },
	{ .name = "symbol_iaddr",
	  .header = "Code Symbol",
	  .columns = COUNT_BIT(COUNT_IP),
	  .flags = KEY_SYMBOL | KEY_ADDR,
	  .id = iaddr_id,
	  .print = iaddr_print,
	  .width = iaddr_width },
	{ .name = "phys_daddr",
	  .header = "Data Physical Address",
	  .least_width = 22,
	  .columns = COUNT_BIT(COUNT_PHYS_ADDR),
	  .id = phys_id,
	  .print = phys_print },
	{ .name = "data_page_size",
	  .header = "Data Page Size",
	  .least_width = 22,
	  .columns = COUNT_BIT(COUNT_DATA_PAGE_SIZE),
	  .id = page_id,
	  .print = page_print },
	{ .name = "blocked",
	  .header = "Blocked",
	  .columns = DATA_SRC,
	  .least_width = 10,
	  .id = blocked_id,
	  .print = blocked_print },
};

const struct sort_key *sort_keys_memory(size_t *ret_nr)
{
	*ret_nr = ARRAY_SIZE(keys);
	return keys;
}
