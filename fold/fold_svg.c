/* SPDX-License-Identifier: MIT */
#include "fold/fold_svg.h"

#include "picture/folded_text.h"

/* Scales side 0 to the weight of side 1. */
static void scale_lines(struct folded *f)
{
	struct fold_tree *t = folded_tree(f);
	u64 num = folded_total(f, 1), den = folded_total(f, 0);

	for (size_t i = 0; num && den && i < t->nr_lines; i++)
		t->lines[i].counts[0] = (u64)((unsigned __int128)t->lines[i].counts[0] * num / den);
}

void fold_svg_write(struct folded *f, const struct svg_drawing *d, unsigned int nr_sides,
		    bool normalize, const struct flame *chart, const char *unit, struct out *o)
{
	struct svg_options look = d->look;
	struct flame made = { 0 }, reversed = { 0 };

	if (d->count_name || unit)
		look.count_name = d->count_name ? d->count_name : unit;
	if (nr_sides > 1 && normalize)
		scale_lines(f);
	if (!chart) {
		flame_of_folded(folded_tree(f), nr_sides, FLAME_BY_NAME, &made);
		chart = &made;
	}
	if (d->reverse) {
		flame_reversed(chart, FLAME_BY_NAME, &reversed);
		chart = &reversed;
	}
	svg_write(o, chart, &look);
	flame_fini(&made);
	flame_fini(&reversed);
}
