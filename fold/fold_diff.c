/* SPDX-License-Identifier: MIT */
#include "fold/fold_diff.h"

struct diff {
	struct out *o;
	u64 num, den; /* counts of side 0 are multiplied by num / den */
};

static void print_pair(void *ctx, const char *text, size_t n, const u64 counts[FOLD_SIDES])
{
	struct diff *d = ctx;

	out_mem(d->o, text, n);
	out_char(d->o, ' ');
	out_dec(d->o, (u64)((unsigned __int128)counts[0] * d->num / d->den), 0);
	out_char(d->o, ' ');
	out_dec(d->o, counts[1], 0);
	out_char(d->o, '\n');
}

int fold_diff_print(struct folded *f, bool normalize, struct out *o, struct perr *e)
{
	struct diff d = { .o = o, .num = 1, .den = 1 };

	if (normalize && folded_total(f, 0) && folded_total(f, 1)) {
		d.num = folded_total(f, 1);
		d.den = folded_total(f, 0);
	}
	return folded_each(f, print_pair, &d, e);
}
