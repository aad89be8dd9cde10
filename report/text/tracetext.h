/* SPDX-License-Identifier: MIT */
/*
 * Prints tracepoint payloads by the print fmt in the file's tracing data, with libtraceevent.
 * A format is parsed when its event is first printed. The library's plugins are not loaded: the
 * text depends only on the file.
 */
#ifndef REPORT_TEXT_TRACETEXT_H
#define REPORT_TEXT_TRACETEXT_H

#include "base/out.h"
#include "fileformat/perfdata.h"

struct tracetext;

/*
 * Reads pd->tracing_data, which it borrows until tracetext_free(). A pipe has it only after its
 * first records were read. Never returns NULL: damage is reported to pd->diag, and the formats
 * before it are kept.
 */
struct tracetext *tracetext_new(const struct perfdata *pd);
void tracetext_free(struct tracetext *t);

/*
 * For %pS and similar conversions: returns the name of the kernel function at a run-time address,
 * its start address and, for modules, the module's name; NULL when no function is known there.
 */
typedef const char *(*tracetext_resolve_fn)(void *ctx, u64 addr, u64 *ret_start,
					    const char **ret_module);
void tracetext_set_resolver(struct tracetext *t, tracetext_resolve_fn fn, void *ctx);

/*
 * Appends what perf script prints after "event: ". Returns false, and appends nothing, when the
 * file does not describe the event. A payload shorter than its fields is extended with zeros.
 */
bool tracetext_print(struct tracetext *t, struct out *o, u64 event_id, u32 cpu, u64 time,
		     struct span raw);

/* Appends all fields as " name=value", also where a print fmt could be used. */
bool tracetext_print_fields(struct tracetext *t, struct out *o, u64 event_id, u32 cpu, u64 time,
			    struct span raw);

#endif
