/* SPDX-License-Identifier: MIT */
/* Parses -j LIST and the event term branch_type=LIST, which select the branches to record. */
#ifndef RECORD_MODEL_BRANCH_OPTION_H
#define RECORD_MODEL_BRANCH_OPTION_H

#include "base/err.h"

/*
 * Parses a list such as "any,u" or "ind_call,save_type" into attr.branch_sample_type. A list of
 * levels alone (u, k, hv) selects any branch at those levels. Fails with PERR_USAGE, naming the
 * unknown word.
 */
int branch_option_parse(const char *text, u64 *ret, struct perr *e) MUST_CHECK;

/*
 * Returns the name that perf -vv prints for bit `bit` (from 0) of branch_sample_type, such as
 * "USER", or NULL for an unknown bit.
 */
const char *branch_bit_name(unsigned int bit);

#endif
