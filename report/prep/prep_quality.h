/* SPDX-License-Identifier: MIT */
/* How far prep's tables can be trusted: the verdict on what it counted for them. */
#ifndef REPORT_PREP_PREP_QUALITY_H
#define REPORT_PREP_PREP_QUALITY_H

#include "report/prep/prep_options.h"
#include "profile/verdict/verdict.h"

/*
 * The verdict on resolved counts, made with cfg; NULL when it is not wanted. rows: those that
 * count; NULL: all of them. input: the recording, as the user named it. Nothing is read again:
 * what the columns of cfg do not say is left out, such as names where no table shows places.
 */
struct verdict *prep_quality_judge(const struct prep_options *opt, const char *input,
				   const struct session *s, const struct counts *c,
				   const struct counts_config *cfg, const bool *rows);

#endif
