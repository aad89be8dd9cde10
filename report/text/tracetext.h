/* SPDX-License-Identifier: MIT */
/*
 * Prints tracepoint payloads by the print fmt in the file's tracing data, with libtraceevent. A
 * format is parsed when its event is first printed. The library's plugins are not loaded, so that
 * the text depends on nothing but the file.
 */
#ifndef REPORT_TEXT_TRACETEXT_H
#define REPORT_TEXT_TRACETEXT_H

#include "base/out.h"
#include "fileformat/perfdata.h"

struct tracetext;

/*
 * Makes a printer for the formats in pd->tracing_data, which is borrowed until tracetext_free(). A
 * pipe has them only after its first records were read. Never returns NULL: damaged tracing data is
 * reported to pd->diag, and the formats before the damage are used.
 */
struct tracetext *tracetext_new(const struct perfdata *pd);
void tracetext_free(struct tracetext *t);

/*
 * Finds the kernel function at a run-time address, for %pS and similar conversions: returns its
 * name and sets its start address and its module's name (NULL: the kernel proper). Returns NULL if
 * no function is known there.
 */
typedef const char *(*tracetext_resolve_fn)(void *ctx, u64 addr, u64 *ret_start,
					    const char **ret_module);
/* Sets the function that finds kernel functions, called with ctx. Without one, %pS shows hex. */
void tracetext_set_resolver(struct tracetext *t, tracetext_resolve_fn fn, void *ctx);

/*
 * Appends what perf script prints after "event: ". Returns false, and appends nothing, when the
 * file does not describe the event. A payload shorter than its fields is extended with zeros.
 */
bool tracetext_print(struct tracetext *t, struct out *o, u64 event_id, u32 cpu, u64 time,
		     struct span raw);

/*
 * As tracetext_print(), but appends all fields as " name=value" without using the print fmt.
 */
bool tracetext_print_fields(struct tracetext *t, struct out *o, u64 event_id, u32 cpu, u64 time,
			    struct span raw);

#endif
