/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_diff.h"

#include <math.h>

#include "base/mem.h"
#include "count/counts.h"
#include "report/table/hist_data.h"
#include "session/frames.h"

#define ADDR_WIDTH 22 /* of the symbol column, where a row has an address only */
#define DSO_WIDTH 16  /* ... and of the object's */

/* One symbol of one event. */
struct diff_row {
	u32 dso, symbol; /* texts; dso 0: no object */
	u32 event;       /* text of its name */
	bool has_symbol;
	char level;
	u64 period[2];
};

struct diff {
	const struct prep_options *opt;
	struct intern texts;
	struct tuple_table ids; /* {event, dso, symbol} */
	struct diff_row *rows;
	size_t nr, cap;
	u64 *totals[2]; /* by text id of the event */
	size_t nr_totals[2], cap_totals[2];
	u32 *events; /* of the first file, in its order */
	size_t nr_events, cap_events;
};

static void add_total(struct diff *d, int side, u32 event, u64 period)
{
	while (d->nr_totals[side] <= event)
		vec_push(d->totals[side], d->nr_totals[side], d->cap_totals[side], 0);
	d->totals[side][event] += period;
}

static u64 total_of(const struct diff *d, int side, u32 event)
{
	return event < d->nr_totals[side] ? d->totals[side][event] : 0;
}

static u32 symbol_text(struct diff *d, const struct frame *fr)
{
	char text[32];

	if (fr->has_sym)
		return intern_str(&d->texts, fr->sym.name);
	snprintf(text, sizeof(text), "%#.16llx",
		 (unsigned long long)(fr->map ? map_ip_to_addr(fr->map, fr->ip) : fr->ip));
	return intern_str(&d->texts, text);
}

static void add_row(struct diff *d, int side, struct hist_data *data, const struct count_row *r)
{
	const struct frame *fr = counts_frame(data->counts, (u32)r->v[COUNT_IP]);
	u32 event = intern_str(&d->texts, data->pd->events[r->event]->name), at;
	u32 dso = intern_str(&d->texts, hist_text(data, hist_data_dso(data, fr->map)));
	u64 tuple[3] = { event, dso, symbol_text(d, fr) };

	at = tuple_table_id(&d->ids, tuple);
	if (at == d->nr)
		vec_push(d->rows, d->nr, d->cap,
			 ((struct diff_row){ .dso = dso,
					     .symbol = (u32)tuple[2],
					     .event = event,
					     .has_symbol = fr->has_sym,
					     .level = hist_level(r->v[COUNT_CPUMODE]) }));
	d->rows[at].period[side] += r->period;
	add_total(d, side, event, r->period);
}

static void add_rows(struct diff *d, int side, struct hist_data *data)
{
	for (size_t i = 0; i < data->counts->nr_rows; i++)
		add_row(d, side, data, &data->counts->rows[i]);
	for (size_t i = 0; !side && i < data->pd->nr_events; i++)
		vec_push(d->events, d->nr_events, d->cap_events,
			 intern_str(&d->texts, data->pd->events[i]->name));
}

static int read_side(struct diff *d, int side, struct prep_diff *in, struct perr *e)
{
	const u32 columns =
		1u << COUNT_COMM | 1u << COUNT_TID | 1u << COUNT_IP | 1u << COUNT_CPUMODE;
	const struct counts_config cfg = {
		.columns = columns,
		.threads = (unsigned int)d->opt->nr_threads,
		.max_mem = d->opt->max_mem,
		.filter = &d->opt->filter,
	};
	const struct reader_config reader_cfg = {
		.session = { .symbols = d->opt->symbols, .unwinder = d->opt->stacks.unwinder },
	};
	struct verdict_input judged = { .input = in->file, .config = &cfg };
	struct counts *c = NULL;
	struct hist_data data;
	struct session *s;
	struct perfdata *pd;
	int err;

	err = reader_open(in->rc, in->file, &pd, e);
	if (err)
		return err;
	err = reader_start(in->rc, pd, &reader_cfg, &s, e);
	if (!err)
		err = reader_count(in->rc, s, &cfg, &c, e);
	if (c) {
		counts_resolve(c);
		hist_data_init(&data, &d->opt->table, pd, s, c, columns, NULL);
		add_rows(d, side, &data);
		hist_data_fini(&data);
		judged.session = s;
		judged.counts = c;
		in->verdicts[side] = reader_judge(in->rc, &judged);
		counts_free(c);
	}
	session_free(s);
	pd_warn_unfinished(pd);
	pd_close(pd);
	return err;
}

static double share(const struct diff *d, const struct diff_row *r, int side)
{
	u64 total = total_of(d, side, r->event);

	return total ? 100.0 * (double)r->period[side] / (double)total : 0;
}

static double delta(const struct diff *d, const struct diff_row *r)
{
	return share(d, r, 1) - share(d, r, 0);
}

static int by_text(const struct diff *d, u32 a, u32 b)
{
	if (a == b)
		return 0;
	if (!a || !b) /* [unknown] comes last */
		return a ? -1 : 1;
	return strcmp(intern_text(&d->texts, a), intern_text(&d->texts, b));
}

/* What changed most comes first; what the second file has not at all, last. */
static int by_delta(const void *a, const void *b, void *ctx)
{
	const struct diff *d = ctx;
	const struct diff_row *x = *(struct diff_row *const *)a, *y = *(struct diff_row *const *)b;
	double p = fabs(delta(d, x)), q = fabs(delta(d, y));
	int cmp;

	if (!x->period[1] != !y->period[1])
		return x->period[1] ? -1 : 1;
	if (x->period[1] && p != q)
		return p > q ? -1 : 1;
	if (x->period[0] != y->period[0])
		return x->period[0] > y->period[0] ? -1 : 1;
	cmp = by_text(d, x->dso, y->dso);
	if (!cmp && x->has_symbol != y->has_symbol)
		cmp = x->has_symbol ? -1 : 1;
	return cmp ? cmp : by_text(d, x->symbol, y->symbol);
}

static int widest(const struct diff *d, struct diff_row **rows, size_t nr, bool of_dso)
{
	int width = of_dso ? 13 : 6; /* "Shared Object", "Symbol" */

	for (size_t i = 0; i < nr; i++) {
		u32 text = of_dso ? rows[i]->dso : rows[i]->symbol;
		int len = (int)strlen(intern_text(&d->texts, text)) + (of_dso ? 0 : 4);
		int least = rows[i]->has_symbol ? 0 : of_dso ? DSO_WIDTH : ADDR_WIDTH;

		len = len < least ? least : len;
		width = len > width ? len : width;
	}
	return width;
}

static void print_row(const struct diff *d, struct out *o, const struct diff_row *r, int dso_width)
{
	if (r->period[0])
		out_printf(o, "  %7.2f%%", share(d, r, 0));
	else
		out_fill(o, ' ', 10);
	if (r->period[1])
		out_printf(o, "  %+8.2f%%", delta(d, r));
	else
		out_fill(o, ' ', 11);
	out_str(o, "  ");
	out_str_width(o, r->dso ? intern_text(&d->texts, r->dso) : "[unknown]", -dso_width);
	out_printf(o, "  [%c] %s\n", r->level, intern_text(&d->texts, r->symbol));
}

static void print_event(const struct diff *d, struct out *o, u32 event, bool first)
{
	struct diff_row **rows = xcalloc(d->nr + 1, sizeof(struct diff_row *));
	int dso_width, symbol_width;
	size_t nr = 0, i;

	for (i = 0; i < d->nr; i++)
		if (d->rows[i].event == event)
			rows[nr++] = &d->rows[i];
	qsort_r(rows, nr, sizeof(struct diff_row *), by_delta, (void *)d);
	dso_width = widest(d, rows, nr, true);
	symbol_width = widest(d, rows, nr, false);
	if (!d->opt->quiet) {
		out_printf(o, "%s# Event '%s'\n#\n# Baseline  Delta Abs  ", first ? "" : "\n",
			   intern_text(&d->texts, event));
		out_str_width(o, "Shared Object", -dso_width);
		out_str(o, "  ");
		out_str_width(o, "Symbol", -symbol_width);
		out_str(o, "\n# ........  .........  ");
		out_fill(o, '.', (size_t)dso_width);
		out_str(o, "  ");
		out_fill(o, '.', (size_t)symbol_width);
		out_str(o, "\n#\n");
	}
	for (i = 0; i < nr; i++)
		print_row(d, o, rows[i], dso_width);
	free(rows);
}

int prep_diff_print(struct prep_diff *in, struct out *o, struct perr *e)
{
	struct diff d = { .opt = in->opt };
	bool first = true;
	int err = 0;

	intern_init(&d.texts);
	tuple_table_init(&d.ids, 3, 0);
	for (int side = 0; !err && side < PREP_DIFF_SIDES; side++) {
		in->file = side ? in->opt->diff_to : in->opt->input;
		err = read_side(&d, side, in, e);
	}
	for (size_t i = 0; !err && i < d.nr_events; i++) {
		if (!total_of(&d, 0, d.events[i]) || !total_of(&d, 1, d.events[i]))
			continue;
		print_event(&d, o, d.events[i], first);
		first = false;
	}
	intern_fini(&d.texts);
	tuple_table_fini(&d.ids);
	free(d.rows);
	free(d.totals[0]);
	free(d.totals[1]);
	free(d.events);
	return err;
}
