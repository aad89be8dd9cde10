/* SPDX-License-Identifier: MIT */
/*
 * Folded text, and the picture and the page that are made of it. Input: u8 options (bit 0: in the
 * order of the lines, bit 1: reversed, bit 2: root on top), then the text.
 */
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "picture/folded_text.h"
#include "picture/page_flame.h"
#include "picture/svg.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Whatever the names are, the output is text in which no byte drives a terminal. */
static void check_text(const struct out *o)
{
	for (size_t i = 0; i < o->len; i++) {
		u8 c = (u8)o->buf[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f)
			BUG();
	}
}

static void draw(const struct flame *f, u8 options)
{
	struct svg_options look = svg_defaults;
	struct out o;

	look.inverted = options & 4;
	out_init_mem(&o);
	svg_write(&o, f, &look);
	check_text(&o);
	out_fini(&o);
}

static void write_page(const struct flame *f, unsigned int nr_sides)
{
	struct page *p = page_new();
	struct out o;

	page_set_title(p, "fuzz");
	for (unsigned int side = 0; side < nr_sides && nr_sides > 1; side++)
		page_set_side(p, side, side ? "after" : "before");
	page_add_flame(p, f, "samples", PAGE_SAMPLES);
	out_init_mem(&o);
	page_write(p, &o);
	check_text(&o);
	out_fini(&o);
	page_free(p);
}

static void use(struct folded_text *t, u8 options)
{
	unsigned int nr_sides = t->two_counts ? 2 : 1;
	struct flame made, reversed = { 0 };

	flame_of_folded(t->tree, nr_sides, FLAME_BY_NAME, &made);
	if (options & 2)
		flame_reversed(t->chart ? t->chart : &made, FLAME_BY_NAME, &reversed);
	draw(options & 2 ? &reversed : t->chart ? t->chart : &made, options);
	write_page(&made, nr_sides);
	flame_fini(&reversed);
	flame_fini(&made);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fold_tree tree;
	struct flame chart;
	struct folded_text t = { .tree = &tree };
	struct perr e = { 0 };
	FILE *file;

	if (size < 2)
		return 0;
	(void)folded_text_begins(data + 1, size - 1);
	file = fmemopen((void *)(uintptr_t)(data + 1), size - 1, "r");
	if (!file)
		BUG();
	fold_tree_init(&tree);
	if (data[0] & 1) {
		flame_init(&chart, 1);
		t.chart = &chart;
	}
	if (folded_text_read(&t, file, &e)) {
		if (!e.code || !e.text[0])
			BUG();
	} else {
		use(&t, data[0]);
	}
	fclose(file);
	if (t.chart)
		flame_fini(&chart);
	fold_tree_fini(&tree);
	return 0;
}
