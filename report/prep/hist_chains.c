/* SPDX-License-Identifier: MIT */
#include "report/prep/hist_chains.h"

#include "base/mem.h"
#include "report/prep/chain_print.h"
#include "report/table/hist_uses.h"

/* Bytes of prepared chain text. Entries beyond that get their text when they are printed. */
#define MAX_TEXT ((size_t)16 << 20)

static void print_chains(struct out *o, const struct hist_text *t, u32 entry)
{
	const struct hist *h = t->h;
	const struct prep_options *opt = t->opt;
	const struct hist_stat *s = hist_stat_of(h, entry, 0);
	const struct chain_text text = {
		.total = h->whole,
		.limit_total = h->totals[0].period,
		.entry_period = h->children ? s->acc_period : s->period,
		.skip_own = chain_skips_own(opt->table.sort, opt->table.fields),
		.separator = opt->separator,
		.color = opt->color,
		.columns = t->columns,
	};

	if (!h->entries[entry].nr_uses)
		return;
	hist_fill_tree(h, entry, t->tree);
	chain_print(o, t->tree, &text);
}

void hist_prepare_chains(struct hist_text *t)
{
	const struct hist *h = t->h;
	u32 i;

	if (!h->chain)
		return;
	t->chain_texts = xcalloc(h->nr + 1, sizeof(*t->chain_texts));
	for (i = 0; i < h->nr && t->chain_text.len < MAX_TEXT; i++) {
		struct hist_chain_text *c = &t->chain_texts[i];

		if (!h->entries[i].nr_uses)
			continue;
		c->start = t->chain_text.len;
		print_chains(&t->chain_text, t, i);
		c->len = t->chain_text.len - c->start;
		c->made = true;
	}
	t->chains_ready = i == h->nr;
}

void hist_print_chains(struct out *o, const struct hist_text *t, u32 entry)
{
	const struct hist_chain_text *c;

	/* most entries have no chains: spare them a look into another table */
	if (!t->h->entries[entry].nr_uses)
		return;
	c = &t->chain_texts[entry];
	if (!c->made)
		print_chains(o, t, entry);
	else if (c->len) /* if no entry has a text, there is no buffer */
		out_raw(o, t->chain_text.buf + c->start, c->len);
}
