/* SPDX-License-Identifier: MIT */
#include "profile/chain_option.h"

#include "base/mem.h"

#define BARE "graph,0.5,caller,function,percent" /* what -g alone stands for */

struct word {
	const char *text;
	int value;
};

static const struct word modes[] = {
	{ "graph", CHAIN_GRAPH },
	{ "flat", CHAIN_FLAT },
	{ "fractal", CHAIN_FRACTAL },
	{ "folded", CHAIN_FOLDED },
	{ NULL, 0 },
};

static const struct word orders[] = {
	{ "caller", CHAIN_CALLER },
	{ "callee", CHAIN_CALLEE },
	{ NULL, 0 },
};

static const struct word keys[] = {
	{ "function", CHAIN_KEY_FUNCTION },
	{ "address", CHAIN_KEY_ADDRESS },
	{ "srcline", CHAIN_KEY_SRCLINE },
	{ NULL, 0 },
};

static const struct word values[] = {
	{ "percent", CHAIN_PERCENT },
	{ "period", CHAIN_PERIOD },
	{ "count", CHAIN_COUNT },
	{ NULL, 0 },
};

void chain_option_init(struct chain_option *o)
{
	*o = (struct chain_option){ .mode = CHAIN_GRAPH, .min_percent = 0.5 };
}

void chain_option_disable(struct chain_option *o)
{
	o->asked = false;
	o->mode = CHAIN_NONE;
}

/* The value of the first word that begins with text, -1 when none does. */
static int find_word(const struct word *w, const char *text)
{
	size_t n = strlen(text);

	for (; w->text; w++)
		if (!strncmp(w->text, text, n))
			return w->value;
	return -1;
}

static bool take_word(struct chain_option *o, const char *text)
{
	int v;

	if ((v = find_word(modes, text)) >= 0) {
		o->mode = (enum chain_mode)v;
	} else if ((v = find_word(orders, text)) >= 0) {
		o->order = (enum chain_order)v;
		o->order_set = true;
	} else if ((v = find_word(keys, text)) >= 0) {
		o->key = (enum chain_key)v;
	} else if (!strncmp("branch", text, strlen(text))) {
		o->branches = true;
	} else if ((v = find_word(values, text)) >= 0) {
		o->value = (enum chain_value)v;
	} else {
		return false;
	}
	return true;
}

/* Numbers are read as far as they go, as perf does: "0.5%" is 0.5. */
static bool take_percent(struct chain_option *o, const char *text)
{
	char *end;
	double v = strtod(text, &end);

	if (end == text || !(v >= 0 && v <= 1e9)) /* false for NaN, too */
		return false;
	o->min_percent = v;
	return true;
}

static bool take_limit(struct chain_option *o, const char *text)
{
	char *end;
	unsigned long v = strtoul(text, &end, 0);

	if (end == text)
		return false;
	o->print_limit = (u32)v;
	return true;
}

int chain_option_parse(struct chain_option *o, const char *arg, struct perr *e)
{
	struct chain_option n = *o;
	bool percent_set = false, ok;
	const char *p;
	char text[32];
	size_t len;

	n.asked = true;
	for (p = arg ? arg : BARE; *p; p += len) {
		len = strcspn(p, ",");
		if (!len) {
			len = 1;
			continue;
		}
		ok = len < sizeof(text);
		if (ok) {
			memcpy(text, p, len);
			text[len] = 0;
			if (!strncmp("none", text, len)) {
				chain_option_disable(&n);
				*o = n;
				return 0;
			}
			ok = take_word(&n, text);
			if (!ok && !percent_set)
				ok = percent_set = take_percent(&n, text);
			else if (!ok)
				ok = take_limit(&n, text);
		}
		if (!ok)
			return perr_set(
				e, PERR_USAGE,
				"unknown option '%.*s' (none, flat, graph, fractal, folded, "
				"caller, callee, function, address, srcline, branch, percent, "
				"period, count, or a number)",
				(int)len, p);
	}
	*o = n;
	return 0;
}

int chain_option_config(struct chain_option *o, const char *var, const char *value, struct perr *e)
{
	int v = 0;

	if (!strcmp(var, "print-type")) {
		v = find_word(modes, value);
		o->mode = v < 0 ? o->mode : (enum chain_mode)v;
	} else if (!strcmp(var, "order")) {
		v = find_word(orders, value);
		if (v >= 0) {
			o->order = (enum chain_order)v;
			o->order_set = true;
		}
	} else if (!strcmp(var, "sort-key")) {
		v = find_word(keys, value);
		o->key = v < 0 ? o->key : (enum chain_key)v;
	} else if (!strcmp(var, "threshold")) {
		v = take_percent(o, value) ? 0 : -1;
	} else if (!strcmp(var, "print-limit")) {
		v = take_limit(o, value) ? 0 : -1;
	}
	if (v < 0)
		return perr_set(e, PERR_USAGE, "call-graph.%s cannot be \"%.60s\"", var, value);
	return 0;
}

void chain_option_settle(struct chain_option *o, bool inverted, bool children)
{
	if (inverted || (children && !o->order_set))
		o->order = CHAIN_CALLER;
}

u64 chain_least(double percent, u64 total)
{
	double least = (double)total * (percent / 100);

	return least >= 0x1p64 ? UINT64_MAX : least > 0 ? (u64)least : 0;
}

u64 chain_option_least(const struct chain_option *o, u64 total)
{
	return chain_least(o->min_percent, total);
}
