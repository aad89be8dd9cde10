/* SPDX-License-Identifier: MIT */
#include "events/func/func_json.h"

#include <inttypes.h>

#include "base/mem.h"
#include "events/func/func_report.h"
#include "events/json_text.h"

static void put_number(struct out *o, const char *name, u64 n)
{
	out_printf(o, ",\"%s\":%" PRIu64, name, n);
}

static void put_text(struct out *o, const char *name, const char *text)
{
	out_printf(o, ",\"%s\":", name);
	json_text_put(o, text, strlen(text));
}

static void put_row(struct out *o, const struct func_options *opt, const struct func_table *t,
		    u32 row)
{
	const u64 *key = tuple_table_get(&t->keys, row);
	const struct func_row *f = &t->rows[row];
	const struct distribution *d = &f->times;
	const char *text = intern_text(&t->names, t->functions[key[0]].text);
	const char *name = text + t->functions[key[0]].name;

	out_str(o, "{\"function\":");
	json_text_put(o, name, strlen(name));
	if (name > text) {
		out_str(o, ",\"file\":");
		json_text_put(o, text, (size_t)(name - text - 1));
	}
	if (opt->by == FUNC_BY_PID || opt->by == FUNC_BY_TID)
		put_number(o, opt->by == FUNC_BY_PID ? "pid" : "tid", (u32)key[1]);
	if (opt->by != FUNC_BY_FUNCTION && f->comm)
		put_text(o, "comm", f->comm);
	put_number(o, "calls", f->calls);
	put_number(o, "no_return", f->no_return);
	put_number(o, "total", f->total);
	put_number(o, "self", f->self);
	put_number(o, "n", d->n);
	if (d->n) {
		put_number(o, "min", d->min);
		put_number(o, "avg", d->sum / d->n);
		put_number(o, "p50", distribution_quantile(d, 500000));
		put_number(o, "p95", distribution_quantile(d, 950000));
		put_number(o, "p99", distribution_quantile(d, 990000));
		put_number(o, "max", d->max);
	}
	out_char(o, '}');
}

void func_json_put(struct out *o, const struct func_options *opt, const struct func_source *src,
		   u64 until)
{
	const struct func_calls *c = &src->calls;
	size_t nr;
	u32 *order = func_report_order(opt, src->table, &nr);

	out_str(o, "{\"rows\":[");
	for (size_t i = 0; i < nr; i++) {
		if (i)
			out_char(o, ',');
		put_row(o, opt, src->table, order[i]);
	}
	out_char(o, ']');
	if (until)
		put_number(o, "until", until);
	put_number(o, "returns", c->nr_returns + c->nr_no_entry);
	put_number(o, "returns_without_entry", c->nr_no_entry);
	put_number(o, "stack_cut", c->nr_ends[FUNC_UNWOUND]);
	put_number(o, "too_deep", c->nr_ends[FUNC_TOO_DEEP]);
	put_number(o, "open", c->nr_ends[FUNC_OPEN]);
	put_number(o, "broken", c->nr_broken);
	put_number(o, "losses", src->losses.nr);
	put_number(o, "lost_records", src->losses.events + losses_without_time(&src->losses));
	out_str(o, "}\n");
	free(order);
}
