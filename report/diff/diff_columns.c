/* SPDX-License-Identifier: MIT */
#include "report/diff/diff_columns.h"

#include <string.h>

#include "base/mem.h"

/* A word of -F that is no key. Names may be abbreviated, as those of keys. */
struct figure_word {
	const char *name;
	enum diff_figure figure;
	enum diff_method method;
	bool is_computed; /* the word names a method; other words follow -c */
};

static const struct figure_word words[] = {
	{ "baseline", DIFF_BASELINE, 0, false },
	{ "overhead", DIFF_SHARE, 0, false },
	{ "delta", DIFF_COMPUTED, DIFF_DELTA, true },
	{ "delta-abs", DIFF_COMPUTED, DIFF_DELTA_ABS, true },
	{ "ratio", DIFF_COMPUTED, DIFF_RATIO, true },
	{ "wdiff", DIFF_COMPUTED, DIFF_WDIFF, true },
	{ "formula", DIFF_FORMULA, 0, false },
	{ "period", DIFF_PERIOD, 0, false },
	{ "sample", DIFF_SAMPLES, 0, false },
	{ "interval", DIFF_INTERVAL, 0, false },
	{ "noise", DIFF_NOISE, 0, false },
};

static const struct figure_word *find_word(const char *text, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i].name) == len && !strncmp(words[i].name, text, len))
			return &words[i];
	return NULL;
}

/* Returns the next word of a list and its length, and moves *at behind it; NULL at the end. */
static const char *next_word(const char **at, size_t *ret_len)
{
	const char *s = *at + strspn(*at, ", ");

	*ret_len = strcspn(s, ", ");
	*at = s + *ret_len;
	return *ret_len ? s : NULL;
}

char *diff_columns_keys_of(const char *fields)
{
	const char *at = fields ? fields + (*fields == '+') : "", *word;
	char *keys = xstrdup("");
	size_t len;

	while ((word = next_word(&at, &len))) {
		char *longer;

		if (find_word(word, len))
			continue;
		longer = xasprintf("%s%s%.*s", keys, *keys ? "," : "", (int)len, word);
		free(keys);
		keys = longer;
	}
	return keys;
}

static void add(struct diff_columns *c, struct diff_column col)
{
	for (size_t i = 0; i < c->nr; i++)
		if (!memcmp(&c->items[i], &col, sizeof(col)))
			return;
	vec_push(c->items, c->nr, c->cap, col);
}

static void add_figure(struct diff_columns *c, enum diff_figure figure, enum diff_method method,
		       size_t side)
{
	struct diff_column col;

	memset(&col, 0, sizeof(col));
	col.figure = figure;
	col.method = method;
	col.side = side;
	add(c, col);
}

static void add_key(struct diff_columns *c, size_t out)
{
	struct diff_column col;

	memset(&col, 0, sizeof(col));
	col.figure = DIFF_KEY;
	col.out = out;
	add(c, col);
}

/* The columns of one recording, in perf's order. */
static void add_default(struct diff_columns *c, const struct diff_column_options *opt, size_t side)
{
	add_figure(c, side ? DIFF_COMPUTED : DIFF_BASELINE, side ? opt->method : 0, side);
	if (opt->interval && side) {
		add_figure(c, DIFF_INTERVAL, opt->method, side);
		add_figure(c, DIFF_NOISE, opt->method, side);
	}
	if (opt->formula && side)
		add_figure(c, DIFF_FORMULA, opt->method, side);
	if (opt->period)
		add_figure(c, DIFF_PERIOD, 0, side);
	if (opt->samples)
		add_figure(c, DIFF_SAMPLES, 0, side);
}

static bool is_of_baseline(enum diff_figure f)
{
	return f == DIFF_BASELINE || f == DIFF_SHARE || f == DIFF_PERIOD || f == DIFF_SAMPLES;
}

static void add_word(struct diff_columns *c, const struct diff_column_options *opt,
		     const struct figure_word *w, size_t nr_sides)
{
	for (size_t side = 0; side < nr_sides; side++) {
		bool has_method = !is_of_baseline(w->figure);

		if (w->figure == DIFF_BASELINE ? side : !side && !is_of_baseline(w->figure))
			continue;
		add_figure(c, w->figure,
			   w->is_computed ? w->method
			   : has_method   ? opt->method
					  : 0,
			   side);
	}
}

/* Adds the column of a key that -F names. */
static void add_named_key(struct diff_columns *c, const struct hist_layout *l, const char *word,
			  size_t len)
{
	const struct sort_key *key = sort_key_find(word, len, TABLE_DIFF);

	for (size_t i = 0; i < l->nr_out; i++)
		if (key && hist_field_key(l, &l->out[i])->key == key)
			add_key(c, i);
}

void diff_columns_init(struct diff_columns *c, const struct diff_column_options *opt,
		       const struct hist_layout *l, size_t nr_sides)
{
	const char *at = opt->fields, *word;
	size_t i, len;

	*c = (struct diff_columns){ 0 };
	if (!at || *at == '+')
		for (i = 0; i < nr_sides; i++)
			add_default(c, opt, i);
	at = at ? at + (*at == '+') : "";
	while ((word = next_word(&at, &len))) {
		const struct figure_word *w = find_word(word, len);

		if (w)
			add_word(c, opt, w, nr_sides);
		else
			add_named_key(c, l, word, len);
	}
	for (i = 0; i < l->nr_out; i++)
		add_key(c, i);
}

void diff_columns_fini(struct diff_columns *c)
{
	free(c->items);
	*c = (struct diff_columns){ 0 };
}

bool diff_columns_need_squares(const struct diff_column_options *opt)
{
	const char *at = opt->fields ? opt->fields + (*opt->fields == '+') : "", *word;
	size_t len;

	while ((word = next_word(&at, &len))) {
		const struct figure_word *w = find_word(word, len);

		if (w && (w->figure == DIFF_INTERVAL || w->figure == DIFF_NOISE))
			return true;
	}
	return opt->interval && (!opt->fields || *opt->fields == '+');
}

const char *diff_column_title(const struct diff_column *c)
{
	static const char *const methods[DIFF_NR_METHODS] = {
		[DIFF_DELTA] = "Delta",
		[DIFF_DELTA_ABS] = "Delta Abs",
		[DIFF_RATIO] = "Ratio",
		[DIFF_WDIFF] = "Weighted diff",
	};

	switch (c->figure) {
	case DIFF_BASELINE: return "Baseline";
	case DIFF_SHARE: return "Overhead";
	case DIFF_COMPUTED: return methods[c->method];
	case DIFF_FORMULA: return "Formula";
	case DIFF_PERIOD: return c->side ? "Period" : "Base period";
	case DIFF_SAMPLES: return c->side ? "Samples" : "Base samples";
	case DIFF_INTERVAL: return "95% interval";
	case DIFF_NOISE: return "Noise";
	case DIFF_KEY: break;
	}
	return "";
}

int diff_column_width(const struct diff_column *c)
{
	switch (c->figure) {
	case DIFF_COMPUTED: return c->method == DIFF_DELTA || c->method == DIFF_DELTA_ABS ? 7 : 14;
	case DIFF_FORMULA: return 70;
	case DIFF_PERIOD:
	case DIFF_SAMPLES: return 14;
	case DIFF_INTERVAL: return c->method == DIFF_WDIFF ? 32 : 18;
	case DIFF_SHARE: return 8;
	default: return 0;
	}
}
