/* SPDX-License-Identifier: MIT */
/* What the files that print verdicts as text share: the page that lines go to, and shares. */
#ifndef PROFILE_VERDICT_VERDICT_PRIV_H
#define PROFILE_VERDICT_VERDICT_PRIV_H

#include "base/out.h"
#include "profile/verdict/verdict.h"
#include "profile/verdict/verdict_advice.h"

/* The lines of one verdict. */
struct page {
	struct out *o;
	const char *prog;
	const char *input; /* NULL: lines do not name it */
	const struct verdict *v;
	struct verdict_advisor advisor; /* the functions that print remedies set it up */
	struct verdict_sums sums;
	u64 whole;       /* 100 % of all shares */
	bool facts_only; /* what helps is left out */
	unsigned int nr_lines;
};

static inline void page_init(struct page *p, struct out *o, const char *prog,
			     const struct verdict *v, bool with_input)
{
	*p = (struct page){ .o = o, .prog = prog, .v = v, .input = with_input ? v->input : NULL };
	verdict_sum(v, &p->sums);
	p->whole = verdict_measure(v, &p->sums.all);
}

static inline void begin_line(struct page *p)
{
	out_str(p->o, p->prog);
	out_str(p->o, ": quality: ");
	if (p->input) {
		out_str(p->o, p->input);
		out_str(p->o, ": ");
	}
	p->nr_lines++;
}

static inline bool matters(u64 part, u64 whole, unsigned int percent)
{
	return part && (double)part * 100 >= (double)whole * percent;
}

/* Shares near 0 and 100 are printed as <0.1 % and >99.9 %, so that 0.0 and 100.0 are exact. */
static inline void put_share(struct out *o, u64 part, u64 whole)
{
	double share = whole ? 100.0 * (double)part / (double)whole : 0;

	if (part && share < 0.1)
		out_str(o, "<0.1 %");
	else if (part != whole && share > 99.9)
		out_str(o, ">99.9 %");
	else
		out_printf(o, "%.1f %%", share);
}

static inline u64 measure(const struct page *p, const struct verdict_weight *w)
{
	return verdict_measure(p->v, w);
}

static inline bool has_chain(const struct verdict *v, enum verdict_chain chain)
{
	for (size_t i = 0; i < v->nr_events; i++)
		if (v->events[i].chain == chain && v->events[i].all.samples)
			return true;
	return false;
}

/* The weight of stacks that are cut at the limit. Those cut by --max-stack are not reported. */
static inline u64 cut_stacks(const struct page *p)
{
	return p->v->cut_by_option ? 0 : measure(p, &p->sums.ends[VERDICT_END_TOO_DEEP]);
}

/* The weight of chains without a frame, unless the recorder was to leave frames out. */
static inline u64 empty_stacks(const struct page *p)
{
	return measure(p, &p->sums.ends[VERDICT_END_EMPTY]) - measure(p, &p->sums.empty_by_choice);
}

#endif
