/* SPDX-License-Identifier: MIT */
/*
 * Keys and the terminal view of a table with any names. Input: u8 columns, u8 lines (bit 7: no
 * UTF-8), the names of keys as prep --keys has them, a NUL, then rows: u8 (low 4 bits: the row
 * above, 0: none), object, function, each with a NUL at its end.
 */
#include <sys/resource.h>

#include "base/err.h"
#include "base/mem.h"
#include "picture/flame.h"
#include "report/tui/key_names.h"
#include "report/tui/screen_mem.h"
#include "report/tui/tui_tables.h"
#include "tests/report/made_table.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define MOST_ROWS 40
#define MOST_KEYS 200

struct input {
	char *text; /* with a NUL at its end */
	struct made_row rows[MOST_ROWS];
	size_t nr;
	struct made_table table;
};

static void put_name(void *ctx, size_t i, struct out *o)
{
	(void)i;
	out_str(o, ((struct input *)ctx)->rows[0].function);
}

static u64 get_samples(void *ctx, size_t i)
{
	(void)ctx;
	return i;
}

static struct table *get_table(void *ctx, size_t i)
{
	(void)i;
	return &((struct input *)ctx)->table.table;
}

static void put_text(void *ctx, struct out *o)
{
	put_name(ctx, 0, o);
}

static void put_callers(void *ctx, size_t i, const struct table_place *place, struct out *o)
{
	(void)ctx;
	(void)i;
	out_str(o, place->function);
}

/* Each row is a stack of the rows above it. */
static bool make_flame(void *ctx, size_t i, const bool *shown, struct flame *ret)
{
	const struct input *in = ctx;

	(void)i;
	(void)shown;
	flame_init(ret, 2);
	for (size_t row = 0; row < in->nr; row++)
		flame_add_name(ret, in->rows[row].function, in->rows[row].object,
			       (enum flame_kind)(row % FLAME_WAKER));
	for (size_t row = 0; row < in->nr; row++) {
		u32 path[MOST_ROWS], n = 0, at = (u32)row + 1;

		for (; at; at = in->rows[at - 1].parent)
			n++;
		for (u32 k = n, r = (u32)row + 1; k--; r = in->rows[r - 1].parent)
			path[k] = r;
		flame_add_stack(ret, path, n);
		flame_count(ret, FLAME_PERIOD, row * 10);
		flame_count(ret, FLAME_SAMPLES, row);
	}
	flame_finish(ret);
	return true;
}

/* Takes a text with a NUL at its end; the input has one at its own end. */
static const char *take_text(const char **at, const char *end)
{
	const char *ret = *at;

	*at = ret + strlen(ret) + (ret + strlen(ret) < end);
	return ret;
}

static void take_rows(struct input *in, const char *at, const char *end)
{
	while (at < end && in->nr < MOST_ROWS) {
		struct made_row *row = &in->rows[in->nr];
		u32 above = (u8)*at++ & 15;

		row->parent = above <= in->nr ? above : 0;
		row->object = take_text(&at, end);
		row->function = take_text(&at, end);
		row->share = 1.0 / (double)(in->nr + 1);
		in->nr++;
	}
	if (!in->nr)
		in->rows[in->nr++] = (struct made_row){ "", "", 1, 0, false };
	in->table = made_table(in->rows, in->nr);
}

static void show(struct input *in, int rows, int cols, bool utf8, const int *keys, size_t nr)
{
	const struct tui_tables tables = { .ctx = in,
					   .nr = 2,
					   .name = put_name,
					   .title = put_name,
					   .samples = get_samples,
					   .table = get_table,
					   .callers = put_callers,
					   .flame = make_flame,
					   .header = put_text,
					   .quality = put_text };
	struct screen *s = screen_mem_new(rows, cols, utf8, keys, nr);
	struct rlimit files, none;
	struct out o;

	/* the key w writes a file of any name: none can be opened meanwhile */
	getrlimit(RLIMIT_NOFILE, &files);
	none = (struct rlimit){ 0, files.rlim_max };
	setrlimit(RLIMIT_NOFILE, &none);
	tui_show_tables(s, &tables);
	setrlimit(RLIMIT_NOFILE, &files);
	out_init_mem(&o);
	screen_mem_dump(s, &o);
	if (screen_mem_nr_controls(s))
		BUG();
	for (size_t i = 0; i < o.len; i++)
		if (((u8)o.buf[i] < ' ' && o.buf[i] != '\n') || o.buf[i] == 0x7f)
			BUG();
	out_fini(&o);
	s->ops->close(s);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { 0 };
	const char *at, *end;
	int *keys;
	struct perr e = { 0 };
	size_t nr;

	if (size < 3)
		return 0;
	in.text = xcalloc(size - 1, 1);
	memcpy(in.text, data + 2, size - 2);
	at = in.text;
	end = at + size - 2;
	if (key_names_parse(take_text(&at, end), &keys, &nr, &e)) {
		if (!e.code || !e.text[0])
			BUG();
	} else {
		take_rows(&in, at, end);
		show(&in, 1 + (data[1] & 127), 1 + data[0], !(data[1] & 128), keys,
		     nr < MOST_KEYS ? nr : MOST_KEYS);
		free(keys);
	}
	free(in.text);
	return 0;
}
