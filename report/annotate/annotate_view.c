/* SPDX-License-Identifier: MIT */
#include "report/annotate/annotate_view.h"

double annot_share(const struct annot_view *v, u32 event, const struct annot_sum *sum)
{
	enum annot_percent p = v->style->percent;
	bool local = p == ANNOT_LOCAL_PERIOD || p == ANNOT_LOCAL_HITS;
	bool hits = p == ANNOT_LOCAL_HITS || p == ANNOT_GLOBAL_HITS;
	const struct annot_sum *all = local ? &v->func->sums[event] : &v->samples->totals[event];
	u64 whole = hits ? all->samples : all->period;

	return whole ? 100.0 * (double)(hits ? sum->samples : sum->period) / (double)whole : 0;
}

static const struct {
	const char *text, *name, *turned;
} percents[] = {
	[ANNOT_LOCAL_PERIOD] = { "local period", "local-period", "period-local" },
	[ANNOT_LOCAL_HITS] = { "local hits", "local-hits", "hits-local" },
	[ANNOT_GLOBAL_PERIOD] = { "global period", "global-period", "period-global" },
	[ANNOT_GLOBAL_HITS] = { "global hits", "global-hits", "hits-global" },
};

const char *annot_percent_text(enum annot_percent p)
{
	return percents[p].text;
}

int annot_percent_parse(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(percents); i++)
		if (!strcmp(text, percents[i].name) || !strcmp(text, percents[i].turned))
			return (int)i;
	return -1;
}

const char *annot_color(const struct annot_style *s, double percent)
{
	if (!s->color)
		return NULL;
	return percent >= 5 ? ANNOT_RED : percent > 0.5 ? ANNOT_GREEN : NULL;
}

void annot_start_color(struct out *o, const char *color)
{
	if (color)
		out_raw(o, color, strlen(color));
}

void annot_colored(struct out *o, const char *color, const char *text)
{
	annot_start_color(o, color);
	out_str(o, text);
	if (color)
		out_str(o, ANNOT_PLAIN);
}

struct annot_sum annot_insn_sum(const struct annot_view *v, u64 vaddr, u32 len, u32 event)
{
	u64 addr = annot_code_addr(v->code, vaddr);

	return annot_func_sum(v->func, event, addr, addr + len);
}

double annot_insn_share(const struct annot_view *v, u64 vaddr, u32 len)
{
	double max = 0;

	for (size_t i = 0; i < v->nr_events; i++) {
		struct annot_sum sum = annot_insn_sum(v, vaddr, len, v->events[i]);
		double share = annot_share(v, v->events[i], &sum);

		if (share > max)
			max = share;
	}
	return max;
}

void annot_target_text(const struct annot_insn *in, struct out *o)
{
	out_str(o, in->target);
	if (in->target_is_slot)
		out_str(o, "@got");
	if (in->target_off) {
		out_str(o, "+0x");
		out_hex(o, in->target_off, 0);
	}
}

void annot_expand_tabs(struct out *o, const char *s, size_t n, size_t column)
{
	size_t i = 0, len;

	while (i < n) {
		const char *tab = memchr(s + i, '\t', n - i);

		len = tab ? (size_t)(tab - (s + i)) : n - i;
		out_mem(o, s + i, len);
		column += len;
		i += len;
		for (; i < n && s[i] == '\t'; i++) {
			out_fill(o, ' ', 8 - column % 8);
			column += 8 - column % 8;
		}
	}
}

void annot_insn_text(const struct annot_code *c, const struct annot_insn *in, struct out *o)
{
	annot_expand_tabs(o, c->text.buf + in->text, in->text_len, 0);
	if (in->is.kind == DISASM_TARGET_COMMENT) {
		out_str(o, "        # ");
		out_hex(o, in->is.target, 0);
	}
	if (in->is.kind && in->target) {
		out_str(o, " <");
		annot_target_text(in, o);
		out_char(o, '>');
	}
}

void annot_place_text(const struct annot_view *v, u64 vaddr, struct out *o)
{
	struct frame fr = annot_code_frame(v->code, vaddr);

	line_text(o, &fr, v->style->full_paths);
}

/* "5K": as perf shortens counts in titles. */
static void put_count(struct out *o, u64 n)
{
	static const char units[] = " KMGTPE";
	int unit = 0;

	while (n >= 1000 && unit < 6) {
		n /= 1000;
		unit++;
	}
	out_printf(o, "%llu%c", (unsigned long long)n, units[unit]);
}

void annot_put_event(struct out *o, const struct annot_view *v)
{
	u64 samples = 0, period = 0;

	for (size_t i = 0; i < v->nr_events; i++) {
		samples += v->samples->totals[v->events[i]].samples;
		period += v->samples->totals[v->events[i]].period;
	}
	out_str(o, "Samples: ");
	put_count(o, samples);
	out_printf(o, " of event%s '%s',", v->nr_events > 1 ? "s" : "", v->event_name);
	if (pd_attr_has(&v->leader->attr, PD_ATTR_FREQ))
		out_printf(o, " %llu Hz,",
			   (unsigned long long)v->leader->attr.sample_period_or_freq);
	out_printf(o, " Event count (approx.): %llu", (unsigned long long)period);
}

int annot_columns_width(const struct annot_view *v)
{
	return (v->style->value == ANNOT_PERIOD ? 12 : 8) * (int)v->nr_events;
}

bool annot_put_columns(struct out *o, const struct annot_view *v, u64 vaddr, u32 len, bool head)
{
	static const char *const titles[] = { "Percent", "Samples", "Period" };
	int width = v->style->value == ANNOT_PERIOD ? 11 : 7;
	bool any = false;

	for (size_t i = 0; i < v->nr_events; i++)
		any |= annot_insn_sum(v, vaddr, len, v->events[i]).samples != 0;
	if (!any) {
		out_printf(o, "%-*s", annot_columns_width(v), head ? titles[v->style->value] : "");
		return false;
	}
	for (size_t i = 0; i < v->nr_events; i++) {
		struct annot_sum sum = annot_insn_sum(v, vaddr, len, v->events[i]);

		if (v->style->value == ANNOT_PERCENT)
			out_printf(o, "%*.2f ", width, annot_share(v, v->events[i], &sum));
		else
			out_printf(o, "%*llu ", width,
				   (unsigned long long)(v->style->value == ANNOT_SAMPLES
								? sum.samples
								: sum.period));
	}
	return true;
}

#define IPC_WIDTH 6
#define CYCLES_WIDTH 6
#define MIN_MAX_WIDTH 19

int annot_cycles_width(const struct annot_view *v)
{
	if (!v->cycles)
		return 0;
	return IPC_WIDTH + (v->style->min_max ? MIN_MAX_WIDTH : CYCLES_WIDTH);
}

void annot_put_cycles(struct out *o, const struct annot_view *v, size_t insn, bool head)
{
	int width = v->style->min_max ? MIN_MAX_WIDTH : CYCLES_WIDTH;
	const struct insn_cycles *c;
	char text[64] = "";

	if (!v->cycles)
		return;
	c = insn < v->code->nr && v->cycles->of[insn].avg ? &v->cycles->of[insn] : NULL;
	if (!c) {
		out_printf(o, "%*s %*s ", IPC_WIDTH - 1, head ? "IPC" : "", width - 1,
			   !head               ? ""
			   : v->style->min_max ? "Cycle(min/max)"
					       : "Cycle");
		return;
	}
	if (c->ipc > 0)
		snprintf(text, sizeof(text), "%.2f", c->ipc);
	out_printf(o, "%*s ", IPC_WIDTH - 1, text);
	if (v->style->min_max)
		snprintf(text, sizeof(text), "%llu(%llu/%llu)", (unsigned long long)c->avg,
			 (unsigned long long)c->min, (unsigned long long)c->max);
	else
		snprintf(text, sizeof(text), "%llu", (unsigned long long)c->avg);
	out_printf(o, "%*s ", width - 1, text);
}
