/* SPDX-License-Identifier: MIT */
#include "report/diff/diff_table.h"

#include "base/mem.h"
#include "count/counts.h"
#include "report/table/key_text.h"

/* ---- keys that hold in all recordings */

enum diff_key_kind diff_key_kind(const struct sort_key *key)
{
	if (key->flags & KEY_LOCAL)
		return DIFF_KEY_LOCAL;
	if (key->flags & KEY_SYMBOL)
		return DIFF_KEY_SYMBOL;
	return key->flags & KEY_TEXT ? DIFF_KEY_TEXT : DIFF_KEY_NUMBER;
}

/*
 * Returns a text for a frame's place that sorts as perf sorts places: by the symbol, then the
 * highest address first; places without a symbol come last.
 */
static u32 place_text(struct diff_table *t, const struct hist_data *d, const struct frame *fr)
{
	u64 at = key_address(d, fr, true);
	char *text = xasprintf("%s %016llx", fr->has_sym ? fr->sym->name : "\377",
			       (unsigned long long)~at);
	u32 id = intern_str(&t->texts, text);

	free(text);
	return id;
}

/* Returns the text of a cell, as it would be printed in a narrow column. */
static u32 printed_text(struct diff_table *t, struct hist_data *d, struct key_cell *c)
{
	struct out o;
	u32 id;

	out_init_mem(&o);
	c->width = sort_key_width(d, c);
	sort_key_print(d, &o, c);
	id = o.len ? intern_n(&t->texts, o.buf, o.len) : 0;
	(void)out_fini(&o);
	return id;
}

static u64 shared_key(struct diff_table *t, struct hist *h, u32 entry, size_t key)
{
	const struct hist_field field = { .is_key = true, .key = key };
	struct key_cell c = hist_key_cell(h, &field, entry);
	const char *name;

	switch (diff_key_kind(c.k->key)) {
	case DIFF_KEY_NUMBER: return c.id;
	case DIFF_KEY_TEXT: return c.id ? intern_str(&t->texts, hist_text(h->d, c.id)) : 0;
	case DIFF_KEY_SYMBOL:
		name = hist_symbol(h->d, (u32)c.id)->name;
		return name ? intern_str(&t->texts, name) : 0;
	case DIFF_KEY_LOCAL: break;
	}
	if (c.k->key->flags & KEY_FRAME)
		return place_text(t, h->d, hist_frame(h->d, c.place->frame));
	return printed_text(t, h->d, &c);
}

/* ---- rows */

static struct diff_row *find_row(struct diff_table *t, size_t side, const u64 *tuple)
{
	const struct diff_cell absent = { .entry = DIFF_ABSENT };
	u32 id = tuple_table_id(&t->keys, tuple);

	if (id == t->nr) {
		vec_push(t->rows, t->nr, t->cap,
			 ((struct diff_row){ (u32)side, (u32)t->nr_cells, id }));
		for (size_t i = 0; i < t->nr_sides; i++)
			vec_push(t->cells, t->nr_cells, t->cap_cells, absent);
	}
	return &t->rows[id];
}

static void add_entry(struct diff_table *t, size_t side, u32 entry, double squares, u64 *tuple)
{
	struct hist *h = &t->hists[side];
	const struct hist_stat *stat = hist_stat_of(h, entry, 0);
	struct diff_cell *cell;
	const struct diff_row *row;

	for (size_t key = 0; key < h->layout->nr_keys; key++)
		tuple[key] = shared_key(t, h, entry, key);
	row = find_row(t, side, tuple); /* may move t->cells */
	t->row_of[side][entry] = row->keys;
	cell = &t->cells[row->cells + side];
	if (cell->entry == DIFF_ABSENT)
		cell->entry = entry;
	cell->period += stat->period;
	cell->samples += stat->samples;
	cell->squares += squares;
}

/* Returns the entry of a counted row of the histogram's event; DIFF_ABSENT: it does not count. */
static u32 entry_of_counted(struct hist *h, u32 counted)
{
	struct key_place p = { .row = &h->d->counts->rows[counted], .own = true };

	if (!h->row_ids_of[counted])
		return DIFF_ABSENT;
	p.frame = hist_stack_own(h->stacks, counted).own;
	return hist_find_entry(h, h->row_ids_of[counted] - 1, &p);
}

u32 diff_row_of_counted(const struct diff_table *t, size_t side, u32 counted)
{
	struct hist *h = &t->hists[side];
	u32 entry = DIFF_ABSENT;

	if (h->d->counts->rows[counted].event == h->events[0])
		entry = entry_of_counted(h, counted);
	return entry == DIFF_ABSENT || h->entries[entry].filtered ? DIFF_ABSENT
								  : t->row_of[side][entry];
}

/* Returns the sums of squares by entry and sets that of the recording. */
static double *add_squares(struct diff_table *t, size_t side)
{
	struct hist *h = &t->hists[side];
	const struct counts *c = h->d->counts;
	double *squares = xcalloc(h->nr + 1, sizeof(*squares));

	for (size_t i = 0; i < c->nr_rows; i++) {
		const struct count_row *r = &c->rows[i];
		u32 entry;

		if (r->event != h->events[0])
			continue;
		if (h->wanted[i] || !h->relative)
			t->totals[side].squares += diff_squares_of(r);
		entry = entry_of_counted(h, (u32)i);
		if (entry != DIFF_ABSENT)
			squares[entry] += diff_squares_of(r);
	}
	return squares;
}

static void add_side(struct diff_table *t, size_t side, unsigned int nr_threads)
{
	struct hist *h = &t->hists[side];
	double *squares;
	u64 *tuple;

	diff_side_count(&t->sides[side], h, &t->events[side], t->opt->relative, nr_threads);
	t->totals[side] = (struct diff_total){ h->totals[0].period, h->totals[0].samples, 0 };
	squares = add_squares(t, side);
	t->row_of[side] = xcalloc(h->nr + 1, sizeof(u32));
	tuple = xcalloc(h->layout->nr_keys + 1, sizeof(*tuple));
	for (size_t i = 0; i < h->nr_lines; i++) {
		u32 entry = h->shown[h->lines[i]];

		add_entry(t, side, entry, squares[entry], tuple);
	}
	free(tuple);
	free(squares);
}

/* ---- which rows are shown */

static bool has_other(const struct diff_table *t, const struct diff_row *r)
{
	for (size_t i = 1; i < t->nr_sides; i++)
		if (diff_cell_of(t, r, i)->entry != DIFF_ABSENT)
			return true;
	return false;
}

bool diff_row_reaches(const struct diff_table *t, const struct diff_row *r, double percent)
{
	for (size_t i = 0; i < t->nr_sides; i++)
		if (diff_share(diff_cell_of(t, r, i)->period, t->totals[i].period) >= percent)
			return true;
	return false;
}

static void pick_shown(struct diff_table *t)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->nr; i++) {
		const struct diff_row *r = &t->rows[i];

		if (t->opt->baseline_only && (r->side || !has_other(t, r)))
			continue;
		if (diff_row_reaches(t, r, t->opt->percent_limit))
			t->rows[nr++] = *r;
	}
	t->nr = nr;
}

/* ---- the table */

/* Finds the event of the same type and config. */
static bool find_event(const struct diff_side *s, const struct pd_event *wanted, u32 *ret)
{
	for (size_t i = 0; i < s->pd->nr_events; i++) {
		const struct pd_attr *a = &s->pd->events[i]->attr;

		if (a->type == wanted->attr.type && a->config == wanted->attr.config) {
			*ret = (u32)i;
			return true;
		}
	}
	return false;
}

void diff_table_init(struct diff_table *t, const struct diff_options *opt, struct diff_side *sides,
		     size_t nr_sides, u32 event, unsigned int nr_threads)
{
	*t = (struct diff_table){ .opt = opt, .sides = sides, .nr_sides = nr_sides };
	t->hists = xcalloc(nr_sides, sizeof(*t->hists));
	t->events = xcalloc(nr_sides, sizeof(*t->events));
	t->row_of = xcalloc(nr_sides, sizeof(*t->row_of));
	t->totals = xcalloc(nr_sides, sizeof(*t->totals));
	intern_init(&t->texts);
	tuple_table_init(&t->keys, sides[0].layout.nr_keys, 0);
	t->events[0] = event;
	for (size_t i = 0; i < nr_sides; i++)
		if (!i || find_event(&sides[i], sides[0].pd->events[event], &t->events[i]))
			add_side(t, i, nr_threads);
	pick_shown(t);
}

void diff_table_fini(struct diff_table *t)
{
	for (size_t i = 0; i < t->nr_sides; i++)
		free(t->row_of[i]);
	for (size_t i = 0; i < t->nr_sides; i++)
		hist_fini(&t->hists[i]);
	free(t->row_of);
	tuple_table_fini(&t->keys);
	intern_fini(&t->texts);
	free(t->hists);
	free(t->events);
	free(t->totals);
	free(t->rows);
	free(t->cells);
	*t = (struct diff_table){ 0 };
}

struct diff_periods diff_periods_of(const struct diff_table *t, const struct diff_row *r,
				    size_t side)
{
	return (struct diff_periods){ .base = diff_cell_of(t, r, 0)->period,
				      .new = diff_cell_of(t, r, side)->period,
				      .base_total = t->totals[0].period,
				      .new_total = t->totals[side].period };
}

static struct diff_measure measure_of(const struct diff_table *t, const struct diff_row *r,
				      size_t side)
{
	const struct diff_cell *c = diff_cell_of(t, r, side);

	return (struct diff_measure){ .row = { (double)c->period, c->squares },
				      .total = { (double)t->totals[side].period,
						 t->totals[side].squares } };
}

struct diff_interval diff_row_interval(const struct diff_table *t, const struct diff_row *r,
				       size_t side, enum diff_method method)
{
	const struct diff_measure base = measure_of(t, r, 0), new = measure_of(t, r, side);
	const struct diff_compute *c = &t->opt->compute;

	switch (method) {
	case DIFF_RATIO: return diff_interval_of_ratio(&base, &new);
	case DIFF_WDIFF:
		return diff_interval_of_weighted(&base, (double)c->base_weight, &new,
						 (double)c->new_weight);
	default: return diff_interval_of_shares(&base, &new);
	}
}

bool diff_row_is_noise(const struct diff_table *t, const struct diff_row *r, size_t side,
		       enum diff_method method)
{
	struct diff_interval i = diff_row_interval(t, r, side, method);

	return diff_interval_holds(&i, method == DIFF_RATIO ? 1 : 0);
}

struct key_cell diff_key_cell(const struct diff_table *t, const struct diff_row *r, size_t out)
{
	const struct hist *h = &t->hists[r->side];

	return hist_key_cell(h, &h->layout->out[out], diff_cell_of(t, r, r->side)->entry);
}
