/* SPDX-License-Identifier: MIT */
#include "report/diff/diff_compute.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int parse_weights(struct diff_compute *c, const char *text, struct perr *e)
{
	char *end;

	c->base_weight = strtoll(text, &end, 10);
	if (end > text && *end == ',') {
		const char *second = end + 1;

		c->new_weight = strtoll(second, &end, 10);
		if (end > second && !*end && c->base_weight && c->new_weight)
			return 0;
	}
	return perr_set(e, PERR_USAGE, "expected two weights other than 0 (wdiff:1,2), got '%s'",
			text);
}

int diff_compute_parse(void *compute, const char *arg, struct perr *e)
{
	static const char *const names[] = {
		[DIFF_DELTA] = "delta",
		[DIFF_DELTA_ABS] = "delta-abs",
		[DIFF_RATIO] = "ratio",
	};
	struct diff_compute *c = compute;

	*c = (struct diff_compute){ .method = DIFF_DELTA_ABS };
	if (!arg)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(arg, names[i])) {
			c->method = (enum diff_method)i;
			return 0;
		}
	if (!strncmp(arg, "wdiff", 5) && (!arg[5] || arg[5] == ':')) {
		c->method = DIFF_WDIFF;
		return parse_weights(c, arg + 5 + (arg[5] == ':'), e);
	}
	if (!strcmp(arg, "cycles"))
		return perr_set(e, PERR_UNSUPPORTED,
				"cycles of basic blocks cannot be compared here; use perf diff, or "
				"delta, delta-abs, ratio or wdiff:W1,W2");
	return perr_set(e, PERR_USAGE, "expected delta, delta-abs, ratio or wdiff:W1,W2, got '%s'",
			arg);
}

double diff_share(u64 period, u64 total)
{
	return total ? (double)period * 100.0 / (double)total : 0;
}

union diff_value diff_compute_value(const struct diff_compute *c, const struct diff_periods *p)
{
	switch (c->method) {
	case DIFF_RATIO:
		return (union diff_value){ .number = (double)p->new /
						     (p->base ? (double)p->base : 1.0) };
	case DIFF_WDIFF:
		return (union diff_value){ .weighted = (s64)(p->new *(u64)c->new_weight -
							     p->base *(u64)c->base_weight) };
	default:
		return (union diff_value){ .number = diff_share(p->new, p->new_total) -
						     diff_share(p->base, p->base_total) };
	}
}

int diff_compute_order(const struct diff_compute *c, union diff_value x, union diff_value y)
{
	if (c->method == DIFF_WDIFF)
		return x.weighted > y.weighted ? -1 : x.weighted < y.weighted;
	if (c->method == DIFF_DELTA_ABS) {
		x.number = fabs(x.number);
		y.number = fabs(y.number);
	}
	return x.number > y.number ? -1 : x.number < y.number;
}

void diff_compute_put_formula(const struct diff_compute *c, const struct diff_periods *p,
			      struct out *o)
{
	switch (c->method) {
	case DIFF_RATIO: out_printf(o, "%.0F / %.0F", (double)p->new, (double)p->base); break;
	case DIFF_WDIFF:
		out_printf(o, "(%" PRIu64 " * %" PRId64 ") - (%" PRIu64 " * %" PRId64 ")", p->new,
			   c->new_weight, p->base, c->base_weight);
		break;
	default:
		out_printf(o,
			   "(%" PRIu64 " * 100 / %" PRIu64 ") - (%" PRIu64 " * 100 / %" PRIu64 ")",
			   p->new, p->new_total, p->base, p->base_total);
	}
}
