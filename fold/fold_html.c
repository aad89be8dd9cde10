/* SPDX-License-Identifier: MIT */
#include "fold/fold_html.h"

#include "picture/folded_text.h"
#include "picture/page_flame.h"

static enum page_unit unit_of(const char *unit)
{
	if (!strcmp(unit, "ns"))
		return PAGE_NS;
	return strcmp(unit, "samples") ? PAGE_PERIOD : PAGE_SAMPLES;
}

void fold_html_write(struct folded *f, unsigned int nr_sides, const char *const *inputs,
		     const char *unit, unsigned int nr_threads, struct out *o)
{
	struct page *p = page_new();
	struct flame flame;

	unit = unit ? unit : "samples";
	page_set_workers(p, nr_threads);
	page_set_title(p, inputs[0]);
	for (unsigned int side = 0; side < nr_sides && nr_sides > 1; side++)
		page_set_side(p, side, inputs[1] ? inputs[side] : side ? "after" : "before");
	flame_of_folded(folded_tree(f), nr_sides, FLAME_BY_NAME, &flame);
	page_add_flame(p, &flame, unit, unit_of(unit));
	flame_fini(&flame);
	page_write(p, o);
	page_free(p);
}
