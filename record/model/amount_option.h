/* SPDX-License-Identifier: MIT */
/* Sizes, times and counts of pages in option values: 512K, 2M, 10s, 5m, 128. */
#ifndef RECORD_MODEL_AMOUNT_OPTION_H
#define RECORD_MODEL_AMOUNT_OPTION_H

#include "record/model/rec_opts.h"

/* "64", "512K", "2m", "1G" to bytes; a plain number is bytes. PERR_USAGE. */
int size_option_parse(const char *text, u64 *ret, struct perr *e) MUST_CHECK;

/*
 * One half of -m: "128" pages or "512K" of bytes, to bytes that are a power of two of pages.
 * *rounded tells that it is not what was said. PERR_USAGE.
 */
int pages_option_parse(const char *text, size_t page_size, u64 *ret, bool *rounded,
		       struct perr *e) MUST_CHECK;

/* --switch-output's value into switch_output, switch_bytes, switch_ms; "signal", SIZE or TIME. */
int switch_option_parse(const char *text, struct rec_opts *o, struct perr *e) MUST_CHECK;

/* -D: "-1", "500" or "10-20,30-40" into has_delay, delay_ms and ranges (malloc'd). PERR_USAGE. */
int delay_option_parse(const char *text, struct rec_opts *o, struct perr *e) MUST_CHECK;

/* -k: "mono", "CLOCK_TAI", "7" to a clockid. PERR_USAGE. */
int clock_option_parse(const char *text, s32 *ret, struct perr *e) MUST_CHECK;

#endif
