/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_quality.h"

struct verdict *prep_quality_judge(const struct prep_options *opt, const char *input,
				   const struct session *s, const struct counts *c,
				   const struct counts_config *cfg, const bool *rows)
{
	const struct verdict_input in = {
		.input = input,
		.session = s,
		.counts = c,
		.config = cfg,
		.wanted_rows = rows,
	};

	return opt->quality == VERDICT_NONE ? NULL : verdict_new(&in);
}
