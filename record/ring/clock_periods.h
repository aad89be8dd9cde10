/* SPDX-License-Identifier: MIT */
/* Corrects the periods of samples of clocks whose rate has been changed. */
#ifndef RECORD_RING_CLOCK_PERIODS_H
#define RECORD_RING_CLOCK_PERIODS_H

#include "base/bytes.h"
#include "record/model/rec_event.h"

/*
 * Sets PERIOD in the samples among n bytes of whole records to the rec_event.period_now of their
 * events, where that is not 0. The kernel leaves the period that a clock was opened with in its
 * samples, whatever PERF_EVENT_IOC_PERIOD has set since. For copies of records: only the first page
 * of a ring can be written.
 */
void clock_periods_set(const struct rec_evlist *l, u8 *records, size_t n);

#endif
