/* SPDX-License-Identifier: MIT */
#include "report/table/hist_cells.h"

#define HOT 0.05
#define WARM 0.005

int hist_column_width(const struct hist *h, const struct hist_field *f)
{
	int width = (int)strlen(hist_field_title(h->layout, f));

	if (!f->is_key)
		return width > hist_numbers[f->number].width ? width
							     : hist_numbers[f->number].width;
	for (u32 i = 0; i < h->nr; i++) {
		struct key_cell c;
		int len;

		if (h->entries[i].filtered)
			continue;
		c = hist_key_cell(h, f, i);
		len = sort_key_width(h->d, &c);
		width = len > width ? len : width;
	}
	return width;
}

enum table_kind hist_column_kind(const struct hist_layout *l, const struct hist_field *f)
{
	static const struct {
		const char *name;
		enum table_kind kind;
	} kinds[] = {
		{ "comm", TABLE_COMM },  { "pid", TABLE_THREAD },      { "tid", TABLE_THREAD },
		{ "dso", TABLE_OBJECT }, { "symbol", TABLE_FUNCTION }, { "socket", TABLE_SOCKET },
	};
	const char *name;

	if (!f->is_key)
		return TABLE_FIGURE;
	name = hist_field_key(l, f)->key->name;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return kinds[i].kind;
	return TABLE_KEY;
}

double hist_share_of(u64 part, u64 total)
{
	return total ? (double)part / (double)total : 0;
}

enum table_tone hist_put_share(struct out *o, double share)
{
	out_printf(o, "%.2f%%", share * 100);
	return share >= HOT ? TONE_HOT : share > WARM ? TONE_WARM : TONE_PLAIN;
}

enum table_tone hist_put_figure(const struct hist *h, const struct hist_stat *s, enum hist_number n,
				size_t event, struct out *o)
{
	if (hist_numbers[n].percent)
		return hist_put_share(
			o, hist_share_of(hist_number_value(s, n), hist_total(h, event, n)));
	if (n == HIST_SAMPLES || n == HIST_PERIOD)
		out_dec(o, hist_number_value(s, n), 0);
	else
		out_printf(o, "%.1f",
			   s->samples ? s->weights[n - HIST_WEIGHT1] / (double)s->samples : 0.0);
	return TONE_PLAIN;
}

void hist_put_key(const struct hist *h, const struct hist_field *f, int width, u32 entry,
		  struct out *o)
{
	struct key_cell cell = hist_key_cell(h, f, entry);
	size_t start = o->len;

	cell.width = width;
	sort_key_print(h->d, o, &cell);
	while (o->len > start && o->buf[o->len - 1] == ' ')
		o->len--;
}
