/* SPDX-License-Identifier: MIT */
/* Parses option values that are sizes, times, delays, clocks or counts of pages: 512K, 10s, 128. */
#ifndef RECORD_MODEL_AMOUNT_OPTION_H
#define RECORD_MODEL_AMOUNT_OPTION_H

#include "record/model/rec_opts.h"

/*
 * Parses a size such as "64", "512K", "2m" or "1G" into bytes; without a suffix it is in bytes.
 * Fails with PERR_USAGE.
 */
int size_option_parse(const char *text, u64 *ret, struct perr *e) MUST_CHECK;

/*
 * Parses one of the two values of -m: "128" is a number of pages, "512K" a size. *ret is in bytes,
 * rounded up to a power-of-two number of pages; *rounded is set if that changed it. Fails with
 * PERR_USAGE.
 */
int pages_option_parse(const char *text, size_t page_size, u64 *ret, bool *rounded,
		       struct perr *e) MUST_CHECK;

/*
 * Parses the value of --switch-output into o->switch_output, switch_bytes and switch_ms: "signal"
 * or NULL, a size such as 100M, or a time such as 30s. Fails with PERR_USAGE.
 */
int switch_option_parse(const char *text, struct rec_opts *o, struct perr *e) MUST_CHECK;

/*
 * Parses the value of --duration or --for, seconds or a time such as 0.5s or 5m, into milliseconds,
 * rounded up, at least 1. Fails with PERR_USAGE.
 */
int duration_option_parse(const char *text, u64 *ret_ms, struct perr *e) MUST_CHECK;

/*
 * Parses the value of -D, "-1", "500" or "10-20,30-40" (ms), into o->has_delay, delay_ms and
 * ranges, which replaces an earlier one. rec_opts_fini frees the ranges. Fails with PERR_USAGE.
 */
int delay_option_parse(const char *text, struct rec_opts *o, struct perr *e) MUST_CHECK;

/*
 * Parses the value of -k, such as "mono", "CLOCK_TAI" or "7", into a clockid of clock_gettime.
 * Fails with PERR_USAGE.
 */
int clock_option_parse(const char *text, s32 *ret, struct perr *e) MUST_CHECK;

#endif
