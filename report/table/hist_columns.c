/* SPDX-License-Identifier: MIT */
#include "report/table/hist_columns.h"

#include <stdio.h>
#include <strings.h>

#include "base/mem.h"
#include "report/table/sort_trace.h"

#define CPUMODE COUNT_BIT(COUNT_CPUMODE)
#define PARALLELISM COUNT_BIT(COUNT_PARALLELISM)

const struct hist_number_def hist_numbers[HIST_NR_NUMBERS] = {
	[HIST_OVERHEAD] = { "overhead", "Overhead", 8, true, false, 0 },
	[HIST_LATENCY] = { "latency", "Latency", 8, true, false, PARALLELISM },
	[HIST_SYS] = { "overhead_sys", "sys", 8, true, false, CPUMODE },
	[HIST_US] = { "overhead_us", "usr", 8, true, false, CPUMODE },
	[HIST_GUEST_SYS] = { "overhead_guest_sys", "guest sys", 9, true, false, CPUMODE },
	[HIST_GUEST_US] = { "overhead_guest_us", "guest usr", 9, true, false, CPUMODE },
	[HIST_CHILDREN] = { "overhead_children", "Children", 8, true, true, 0 },
	[HIST_LATENCY_CHILDREN] = { "latency_children", "Latency", 7, true, true, PARALLELISM },
	[HIST_SAMPLES] = { "sample", "Samples", 12, false, false, 0 },
	[HIST_PERIOD] = { "period", "Period", 12, false, false, 0 },
	[HIST_WEIGHT1] = { "weight1", "Weight1", 8, false, false, COUNT_BIT(COUNT_WEIGHT) },
	[HIST_WEIGHT2] = { "weight2", "Weight2", 8, false, false, COUNT_BIT(COUNT_INS_LAT) },
	[HIST_WEIGHT3] = { "weight3", "Weight3", 8, false, false, COUNT_BIT(COUNT_WEIGHT3) },
};

static const char *default_keys(const struct hist_input *in)
{
	size_t i;

	switch (in->cfg->mode) {
	case TABLE_BRANCH: return "comm,dso_from,symbol_from,symbol_to,cycles";
	case TABLE_MEMORY:
		return "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,"
		       "local_ins_lat,local_p_stage_cyc";
	case TABLE_DIFF: return "dso,symbol";
	case TABLE_NORMAL: break;
	}
	for (i = 0; i < in->pd->nr_events; i++)
		if (in->pd->events[i]->attr.type != PD_TYPE_TRACEPOINT)
			break;
	if (!i || i < in->pd->nr_events)
		return "comm,dso,symbol";
	return in->cfg->raw_trace ? "trace_fields" : "trace";
}

static bool same_field(const struct hist_layout *l, const struct hist_field *a,
		       const struct hist_field *b)
{
	if (a->is_key != b->is_key)
		return false;
	if (!a->is_key)
		return a->number == b->number;
	return l->keys[a->key].key == l->keys[b->key].key &&
	       l->keys[a->key].field == l->keys[b->key].field;
}

static void add_field(struct hist_layout *l, bool to_sort, struct hist_field f)
{
	struct hist_field *list = to_sort ? l->sort : l->out;
	size_t nr = to_sort ? l->nr_sort : l->nr_out;

	for (size_t i = 0; i < nr; i++)
		if (same_field(l, &list[i], &f))
			return;
	if (to_sort)
		vec_push(l->sort, l->nr_sort, l->cap_sort, f);
	else
		vec_push(l->out, l->nr_out, l->cap_out, f);
}

static void add_number(struct hist_layout *l, bool to_sort, enum hist_number n)
{
	l->columns |= hist_numbers[n].columns;
	add_field(l, to_sort, (struct hist_field){ .number = n });
}

static size_t add_key(struct hist_layout *l, const struct sort_key *key, struct trace_column *field)
{
	size_t i;

	for (i = 0; i < l->nr_keys; i++)
		if (l->keys[i].key == key && l->keys[i].field == field)
			return i;
	vec_push(l->keys, l->nr_keys, l->cap_keys, ((struct key_inst){ key, field }));
	l->columns |= key->columns;
	l->flags |= key->flags;
	return i;
}

static void add_key_field(struct hist_layout *l, bool to_sort, const struct sort_key *key,
			  struct trace_column *field)
{
	size_t at = add_key(l, key, field);

	add_field(l, to_sort, (struct hist_field){ .is_key = true, .key = at });
}

static bool find_number(const char *name, size_t len, enum hist_number *ret)
{
	for (int n = 0; n < HIST_NR_NUMBERS; n++) {
		if (strncasecmp(hist_numbers[n].name, name, len))
			continue;
		*ret = (enum hist_number)n;
		return true;
	}
	return false;
}

static int unknown_key(const struct hist_input *in, bool to_sort, const char *word, size_t len,
		       struct perr *e)
{
	struct nearest_name near;
	char hint[220];

	nearest_init(&near, word, len);
	sort_keys_offer(&near, in->cfg->mode);
	for (int n = 0; n < HIST_NR_NUMBERS && in->cfg->mode != TABLE_DIFF; n++)
		nearest_offer(&near, hist_numbers[n].name);
	nearest_hint(&near, hint, sizeof(hint));
	return perr_set(e, PERR_USAGE, "unknown --%s key: '%.*s'%s", to_sort ? "sort" : "fields",
			(int)len, word, hint);
}

static int add_word(struct hist_layout *l, const struct hist_input *in, bool to_sort,
		    const char *word, size_t len, struct perr *e)
{
	const struct sort_key *key = sort_key_find(word, len, in->cfg->mode);
	struct trace_column *const *fields;
	enum hist_number n;
	size_t nr, i;

	if (key) {
		add_key_field(l, to_sort, key, NULL);
		return 0;
	}
	if (in->cfg->mode != TABLE_DIFF && find_number(word, len, &n)) {
		add_number(l, to_sort, n);
		return 0;
	}
	nr = trace_columns_find(&l->trace, in->pd, word, len, &fields);
	for (i = 0; i < nr; i++)
		add_key_field(l, to_sort, &sort_key_trace_field, fields[i]);
	if (nr)
		return 0;
	return unknown_key(in, to_sort, word, len, e);
}

static int add_words(struct hist_layout *l, const struct hist_input *in, bool to_sort,
		     const char *text, struct perr *e)
{
	const char *end;
	int err;

	for (;; text = end + 1) {
		end = text + strcspn(text, ", ");
		err = end > text ? add_word(l, in, to_sort, text, (size_t)(end - text), e) : 0;
		if (err || !*end)
			return err;
	}
}

static bool has_word(const char *text, const char *word)
{
	return text && strstr(text, word);
}

/* True when `word` is one of the words of the list. */
static bool names(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *s = list; s && *s; s += strcspn(s, ", "), s += strspn(s, ", "))
		if (!strncmp(s, word, len) && strchr(", ", s[len]))
			return true;
	return false;
}

/*
 * The shares of a report by default, the most important first, which is also their order from left
 * to right. HIST_NR_NUMBERS stands for none.
 */
#define NR_SHARES 4

static void list_shares(const struct hist_input *in, enum hist_number *ret)
{
	static const enum hist_number order[2][NR_SHARES] = {
		{ HIST_CHILDREN, HIST_LATENCY_CHILDREN, HIST_OVERHEAD, HIST_LATENCY },
		{ HIST_LATENCY_CHILDREN, HIST_CHILDREN, HIST_LATENCY, HIST_OVERHEAD },
	};
	bool latency = in->latency || in->cfg->latency_first;

	for (size_t i = 0; i < NR_SHARES; i++) {
		enum hist_number n = order[in->cfg->latency_first][i];
		bool left_out = (hist_numbers[n].needs_children && !in->children) ||
				(hist_numbers[n].columns & PARALLELISM && !latency);

		ret[i] = left_out ? HIST_NR_NUMBERS : n;
	}
}

static bool names_shares(const char *sort)
{
	return has_word(sort, "overhead") || has_word(sort, "latency");
}

/* Where -s names shares, those that it names are shown, with --latency also those that decide. */
static bool shows_share(const struct table_config *o, enum hist_number n)
{
	const char *name = hist_numbers[n].name;

	if (names(o->sort, name))
		return true;
	return o->latency_first ? !has_word(o->sort, name) : !names_shares(o->sort);
}

/* The shares that decide before the keys: with --latency all that the text of -s does not hold. */
static void sort_by_shares(struct hist_layout *l, const struct hist_input *in)
{
	const char *given = in->cfg->sort;
	enum hist_number shares[NR_SHARES];

	if (!in->cfg->latency_first && names_shares(given))
		return;
	list_shares(in, shares);
	for (size_t i = 0; i < NR_SHARES; i++)
		if (shares[i] != HIST_NR_NUMBERS && !has_word(given, hist_numbers[shares[i]].name))
			add_number(l, true, shares[i]);
}

static void add_default_numbers(struct hist_layout *l, const struct hist_input *in)
{
	const struct table_config *o = in->cfg;
	enum hist_number shares[NR_SHARES];

	if (o->mode == TABLE_DIFF) /* the columns of figures are those of report/diff */
		return;
	list_shares(in, shares);
	for (size_t i = 0; i < NR_SHARES; i++)
		if (shares[i] != HIST_NR_NUMBERS && shows_share(o, shares[i]))
			add_number(l, false, shares[i]);
	if (o->show_cpu_modes) {
		add_number(l, false, HIST_SYS);
		add_number(l, false, HIST_US);
	}
	if (o->show_samples)
		add_number(l, false, HIST_SAMPLES);
	if (o->show_period)
		add_number(l, false, HIST_PERIOD);
}

/* -s, -F and defaults as texts; "+more" adds to the defaults. */
static int add_sort(struct hist_layout *l, const struct hist_input *in, bool strict, struct perr *e)
{
	const char *given = in->cfg->sort, *base = NULL;
	const char *cycles = in->cfg->mode == TABLE_BRANCH ? "ipc_lbr" : "ipc_null";
	bool figures = in->cfg->mode != TABLE_DIFF;
	bool names_symbol = figures && has_word(given, "symbol");
	int err = 0;

	if (!given || *given == '+')
		base = given || !strict ? default_keys(in) : NULL;
	if (figures && !strict)
		sort_by_shares(l, in);
	if (base)
		err = add_words(l, in, true, base, e);
	if (!err && given)
		err = add_words(l, in, true, given + (*given == '+'), e);
	/* perf 7 adds what its annotation knows of cycles to lists that name "symbol" in full */
	if (!err && names_symbol)
		err = add_words(l, in, true, cycles, e);
	l->sort_text = xasprintf("%s%s%s%s%s", base ? base : "", base && given ? "," : "",
				 given ? given + (*given == '+') : "", names_symbol ? "," : "",
				 names_symbol ? cycles : "");
	return err;
}

/* Every key decides and every column is shown, whichever of the lists it stands in. */
static void complete(struct hist_layout *l)
{
	size_t i;

	for (i = 0; i < l->nr_sort; i++)
		add_field(l, false, l->sort[i]);
	for (i = 0; i < l->nr_out; i++)
		add_field(l, true, l->out[i]);
}

/* Removes the columns of figures of which the function says so. */
static void drop_numbers(struct hist_layout *l, bool (*is_unwanted)(enum hist_number n))
{
	size_t nr = 0;

	for (size_t i = 0; i < l->nr_out; i++)
		if (l->out[i].is_key || !is_unwanted(l->out[i].number))
			l->out[nr++] = l->out[i];
	l->nr_out = nr;
}

static bool needs_children(enum hist_number n)
{
	return hist_numbers[n].needs_children;
}

static bool is_strict(const struct table_config *o)
{
	return o->fields && *o->fields != '+';
}

static bool is_elided(const struct hist_layout *l, const struct hist_input *in,
		      const struct hist_field *f)
{
	const struct filter *flt = in->cfg->filter;
	const char *name;

	if (!f->is_key)
		return false;
	name = l->keys[f->key].key->name;
	return (name_list_is_single(&flt->comms) && !strcmp(name, "comm")) ||
	       (name_list_is_single(&flt->dsos) && !strcmp(name, "dso")) ||
	       (name_list_is_single(&flt->symbols) && !strcmp(name, "symbol"));
}

static void elide(struct hist_layout *l, const struct hist_input *in)
{
	bool all = true;
	size_t i;

	/* where nothing would be left to tell rows apart, all of it stays */
	for (i = 0; i < l->nr_sort; i++)
		if (l->sort[i].is_key && !is_elided(l, in, &l->sort[i]))
			all = false;
	if (all)
		return;
	for (i = 0; i < l->nr_sort; i++)
		l->sort[i].elided = is_elided(l, in, &l->sort[i]);
	for (i = 0; i < l->nr_out; i++)
		l->out[i].elided = is_elided(l, in, &l->out[i]);
}

static int set_widths(struct hist_layout *l, const char *text, struct perr *e)
{
	for (size_t i = 0; text && i < l->nr_out; i++) {
		char *end;
		long n = strtol(text, &end, 10);

		if (n < 0 || n > 10000 || (*end && *end != ','))
			return perr_set(e, PERR_USAGE, "-w takes widths: 10,20,..., not '%s'",
					text);
		l->out[i].user_width = (int)n;
		if (!*end)
			break;
		text = end + 1;
	}
	return 0;
}

int hist_layout_init(struct hist_layout *l, const struct hist_input *in, struct perr *e)
{
	const char *fields = in->cfg->fields;
	bool strict = is_strict(in->cfg);
	int err;

	*l = (struct hist_layout){ 0 };
	l->children = in->children && !strict;
	if (!strict)
		add_default_numbers(l, in);
	err = add_sort(l, in, strict, e);
	if (!err && fields)
		err = add_words(l, in, false, fields + (*fields == '+'), e);
	if (!err && in->cfg->parent)
		err = add_words(l, in, true, "parent", e);
	if (err)
		return err;
	complete(l);
	/* as in perf, shares with callees go where these are not counted, but for those of -F */
	if (!strict && !in->children)
		drop_numbers(l, needs_children);
	elide(l, in);
	/* as in perf the levels of a hierarchy have widths of their own */
	return in->cfg->hierarchy ? 0 : set_widths(l, in->cfg->widths, e);
}

void hist_layout_hide_latency(struct hist_layout *l, const struct table_config *cfg)
{
	if (!cfg->latency_first && !is_strict(cfg) && !has_word(cfg->sort, "latency"))
		drop_numbers(l, hist_number_is_latency);
}

void hist_layout_fini(struct hist_layout *l)
{
	free(l->keys);
	free(l->sort);
	free(l->out);
	free(l->sort_text);
	trace_columns_free(l->trace);
	*l = (struct hist_layout){ 0 };
}

static bool shows_parts(const struct hist_field *f, size_t nr)
{
	const u32 whole =
		1u << HIST_OVERHEAD | 1u << HIST_CHILDREN | 1u << HIST_SAMPLES | 1u << HIST_PERIOD;

	for (size_t i = 0; i < nr; i++)
		if (!f[i].is_key && !(whole >> f[i].number & 1))
			return true;
	return false;
}

bool hist_layout_shows_parts(const struct hist_layout *l)
{
	return shows_parts(l->sort, l->nr_sort) || shows_parts(l->out, l->nr_out);
}

const char *hist_field_title(const struct hist_layout *l, const struct hist_field *f)
{
	if (f->is_key)
		return sort_key_header(hist_field_key(l, f));
	if (f->number == HIST_OVERHEAD && l->children)
		return "Self";
	return hist_numbers[f->number].header;
}
