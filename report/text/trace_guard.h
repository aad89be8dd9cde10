/* SPDX-License-Identifier: MIT */
/*
 * How far libtraceevent would read when it prints a payload by a parsed format. The library trusts
 * formats and payloads; tracetext.c prints only what these functions find within its buffer.
 */
#ifndef REPORT_TEXT_TRACE_GUARD_H
#define REPORT_TEXT_TRACE_GUARD_H

#include <traceevent/event-parse.h>

#include "base/types.h"

/* Samples are below 64 KiB, and so must be every offset and size of a format. */
#define TRACE_MAX_REACH 65536
/*
 * A buffer of this size holds all that a bounded format reads: the end of a field, an offset of
 * __rel_loc and an array index, each up to TRACE_MAX_REACH, and room for the element.
 */
#define TRACE_BUF_LEN (6u * TRACE_MAX_REACH)

/* True when all fields of the list lie within TRACE_MAX_REACH. */
bool trace_fields_are_bounded(const struct tep_format_field *f);

/* Returns the offset behind the last field of the list. */
size_t trace_fields_end(const struct tep_format_field *f);

/* True when values in the payload decide how far an argument of the event's print fmt reads. */
bool trace_event_needs_guard(const struct tep_event *event);

/* True when the event's print fmt stays within buf, TRACE_BUF_LEN bytes with the payload first. */
bool trace_payload_is_safe(struct tep_handle *tep, struct tep_event *event, u8 *buf);

#endif
