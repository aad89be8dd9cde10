/* SPDX-License-Identifier: MIT */
/*
 * Checks how far libtraceevent would read when it prints a tracepoint payload. The library trusts
 * formats and payloads, which come from the file; tracetext.c prints a payload only if these
 * functions find that all reads stay within its buffer.
 */
#ifndef REPORT_TEXT_TRACE_GUARD_H
#define REPORT_TEXT_TRACE_GUARD_H

#include <traceevent/event-parse.h>

#include "base/types.h"

/* Limit on offsets and sizes in a format, in bytes: a sample is smaller than 64 KiB. */
#define TRACE_MAX_REACH 65536
/*
 * Bytes of the buffer that payloads are printed from. All reads of a bounded format are within it:
 * the end of a field, a __rel_loc offset, and an array index, each up to TRACE_MAX_REACH, and an
 * element.
 */
#define TRACE_BUF_LEN (6u * TRACE_MAX_REACH)

/* Returns true if all fields of the list f lie within TRACE_MAX_REACH. */
bool trace_fields_are_bounded(const struct tep_format_field *f);

/* Returns the offset behind the last field of the list. */
size_t trace_fields_end(const struct tep_format_field *f);

/* Returns true if values in the payload decide how far the event's print fmt reads. */
bool trace_event_needs_guard(const struct tep_event *event);

/* Returns true if the print fmt reads only buf: the payload, filled to TRACE_BUF_LEN bytes. */
bool trace_payload_is_safe(struct tep_handle *tep, struct tep_event *event, u8 *buf);

#endif
