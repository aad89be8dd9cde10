/* SPDX-License-Identifier: MIT */
/* -j LIST and the event term branch_type=LIST: which branches the processor shall record. */
#ifndef RECORD_MODEL_BRANCH_OPTION_H
#define RECORD_MODEL_BRANCH_OPTION_H

#include "base/err.h"

/*
 * "any,u", "ind_call,save_type" to attr.branch_sample_type. A list without any kind of branch (only
 * u, k, hv) means any branch at those levels. PERR_USAGE names the word that is unknown.
 */
int branch_option_parse(const char *text, u64 *ret, struct perr *e) MUST_CHECK;

/* A bit (from 0) of branch_sample_type as perf -vv names it: "USER"; NULL for an unknown one. */
const char *branch_bit_name(unsigned int bit);

#endif
