/* SPDX-License-Identifier: MIT */
#include "report/table/sort_trace.h"

#include <stdio.h>

#include "base/hash.h"
#include "base/mem.h"
#include "count/counts.h"
#include "fileformat/tracing_data.h"

struct trace_columns {
	struct trace_column **all;
	size_t nr, cap;
	struct trace_column **found;
	size_t nr_found, cap_found;
};

/* ---- the fields of the file's events */

static void add_fields(struct trace_columns *c, const struct pd_tracepoint *tp)
{
	struct pd_trace_field field;
	size_t pos = 0;

	while (pd_trace_field_next(tp->format, &pos, &field)) {
		struct trace_column *f = xcalloc(1, sizeof(*f));

		f->event_id = tp->id;
		f->name = xstrndup((const char *)field.name.p, field.name.n);
		f->field = field;
		f->width = (int)(field.kind == PD_FIELD_TEXT ? field.size : field.size * 2 + 2);
		if (f->width < (int)strlen(f->name))
			f->width = (int)strlen(f->name);
		blobs_init(&f->values);
		vec_push(c->all, c->nr, c->cap, f);
	}
}

static struct trace_columns *read_columns(const struct perfdata *pd)
{
	struct trace_columns *c = xcalloc(1, sizeof(*c));
	struct pd_tracepoint tp;
	struct pd_tracing in;
	struct perr e;

	if (!pd->tracing_data.n || pd_tracing_open(pd->tracing_data, &in, &e))
		return c;
	while (pd_tracing_next(&in, &tp, &e) > 0)
		add_fields(c, &tp);
	return c;
}

void trace_columns_free(struct trace_columns *c)
{
	for (size_t i = 0; c && i < c->nr; i++) {
		free(c->all[i]->name);
		blobs_fini(&c->all[i]->values);
		free(c->all[i]);
	}
	if (c) {
		free(c->all);
		free(c->found);
	}
	free(c);
}

/* "" names all events, "sys:name" one, other text those whose names hold it. */
static bool event_matches(const struct pd_event *ev, const char *name, size_t len)
{
	if (ev->attr.type != PD_TYPE_TRACEPOINT)
		return false;
	if (!len)
		return true;
	if (memchr(name, ':', len))
		return strlen(ev->name) == len && !memcmp(ev->name, name, len);
	return memmem(ev->name, strlen(ev->name), name, len);
}

size_t trace_columns_find(struct trace_columns **cols, const struct perfdata *pd, const char *word,
			  size_t len, struct trace_column *const **ret)
{
	const char *dot = memchr(word, '.', len), *name = dot ? dot + 1 : word;
	size_t name_len = len - (size_t)(name - word), i, j;
	bool every = name_len == 12 && !memcmp(name, "trace_fields", 12);
	struct trace_columns *c;

	/* "name/raw": as a number */
	if (name_len > 4 && !memcmp(name + name_len - 4, "/raw", 4))
		name_len -= 4;
	if (!*cols)
		*cols = read_columns(pd);
	c = *cols;
	c->nr_found = 0;
	for (i = 0; i < pd->nr_events; i++) {
		const struct pd_event *ev = pd->events[i];

		if (!event_matches(ev, word, dot ? (size_t)(dot - word) : 0))
			continue;
		for (j = 0; j < c->nr; j++) {
			struct trace_column *f = c->all[j];

			if (f->event_id == ev->attr.config &&
			    (every ||
			     (strlen(f->name) == name_len && !memcmp(f->name, name, name_len))))
				vec_push(c->found, c->nr_found, c->cap_found, f);
		}
	}
	*ret = c->found;
	return c->nr_found;
}

/* ---- values and their text */

static u64 field_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	struct trace_column *f = k->field;
	struct span s;

	if (d->pd->events[p->row->event]->attr.config != f->event_id)
		return 0;
	s = pd_trace_field_bytes(&f->field, counts_blob(d->counts, count_value(p->row, COUNT_RAW)),
				 d->pd->swap);
	return blobs_put(&f->values, s.p, s.n, hash_bytes(s.p, s.n));
}

/* Values descend by their bytes, as they lie in memory. */
static int field_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	struct span x = blobs_get(&k->field->values, a), y = blobs_get(&k->field->values, b);
	size_t n = x.n < y.n ? x.n : y.n;
	int cmp = n ? memcmp(x.p, y.p, n) : 0;

	(void)d;
	if (cmp)
		return cmp > 0 ? -1 : 1;
	return x.n > y.n ? -1 : x.n < y.n;
}

/* What follows "NAME=" among the words of d->scratch; false when it is not there. */
static bool find_value(const struct hist_data *d, const char *name, struct span *ret)
{
	const char *s = d->scratch.buf, *end = s + d->scratch.len, *stop;
	size_t n = strlen(name);

	while (s && s < end) {
		while (s < end && *s == ' ')
			s++;
		stop = memchr(s, ' ', (size_t)(end - s));
		stop = stop ? stop : end;
		if ((size_t)(stop - s) > n && !memcmp(s, name, n) && s[n] == '=') {
			*ret = span_of(s + n + 1, (size_t)(stop - s) - n - 1);
			return true;
		}
		s = stop;
	}
	return false;
}

static struct span field_text(struct hist_data *d, const struct key_cell *c)
{
	const struct trace_column *f = c->k->field;
	struct span raw = counts_blob(d->counts, count_value(c->place->row, COUNT_RAW)),
		    ret = { 0 };
	u32 cpu = (u32)count_value(c->place->row, COUNT_CPU);

	d->scratch.len = 0;
	if (!d->cfg->raw_trace &&
	    tracetext_print(d->trace, &d->scratch, f->event_id, cpu, 0, raw) &&
	    find_value(d, f->name, &ret))
		return ret;
	d->scratch.len = 0;
	if (tracetext_print_fields(d->trace, &d->scratch, f->event_id, cpu, 0, raw))
		(void)find_value(d, f->name, &ret);
	return ret;
}

static void field_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	struct span s = field_text(d, c);
	size_t width = (size_t)c->width;

	if (s.n < width)
		out_fill(o, ' ', width - s.n);
	out_mem(o, s.p, s.n < width ? s.n : width);
	d->scratch.len = 0;
}

static int field_width(struct hist_data *d, const struct key_cell *c)
{
	int len = d->cfg->raw_trace ? 0 : (int)field_text(d, c).n;

	d->scratch.len = 0;
	return len > c->k->field->width ? len : c->k->field->width;
}

const struct sort_key sort_key_trace_field = {
	.name = "",
	.header = "",
	.columns = COUNT_BIT(COUNT_RAW) | COUNT_BIT(COUNT_CPU),
	.flags = KEY_TRACE | KEY_LOCAL,
	.id = field_id,
	.order = field_order,
	.print = field_print,
	.width = field_width,
};
