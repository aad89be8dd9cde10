/* SPDX-License-Identifier: MIT */
/*
 * The output of --header: what a file says about itself and the machine that it was recorded on, as
 * perf 6.1 prints it if perfdata.format says so, else as perf 7.2.
 */
#ifndef REPORT_TEXT_HEADER_TEXT_H
#define REPORT_TEXT_HEADER_TEXT_H

#include "base/out.h"
#include "fileformat/perfdata.h"

/*
 * Prints the lines from the first "# ========" to the "#" after the second one. full_topology (-I)
 * prints the long sections (CPU_TOPOLOGY, NUMA_TOPOLOGY, CACHE, MEM_TOPOLOGY, ...), which are only
 * named otherwise. A pipe has no sections here, because perf prints these lines before it reads the
 * stream. Times are local (TZ). A damaged section is printed as far as it can be read, followed by
 * a line that says so.
 */
void header_text_print(struct out *o, const struct perfdata *pd, bool full_topology);

/*
 * Prints only the lines of the sections. It is for pipes, whose sections perf prints as they
 * arrive: `perf script --header` after the lines of header_text_print(), `perf script -I` without
 * these, `perf script --header-only` not at all. `perf report --header-only` prints them.
 */
void header_text_print_features(struct out *o, const struct perfdata *pd, bool full_topology);

/* Prints the lines of one section (PD_FEAT_*) in full; nothing for a section without a text. */
void header_text_feature(struct out *o, const struct perfdata *pd, u64 bit, struct span payload);

#endif
