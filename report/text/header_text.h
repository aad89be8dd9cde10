/* SPDX-License-Identifier: MIT */
/* What a file says of itself and of where it was recorded: `--header` as perf prints it: 6.1 where
 * the file's format says so, else 7.2. */
#ifndef REPORT_TEXT_HEADER_TEXT_H
#define REPORT_TEXT_HEADER_TEXT_H

#include "base/out.h"
#include "fileformat/perfdata.h"

/*
 * Prints the lines from "# ========" to the "#" behind the second one. full_topology (-I) prints
 * the sections that are long (CPU_TOPOLOGY, NUMA_TOPOLOGY, CACHE, MEM_TOPOLOGY, ...) instead of
 * naming them. Of a pipe there are no sections: perf prints these lines before it reads the stream.
 * Times are local ones (TZ). A section that is damaged gives a line that says so, behind what could
 * be read of it.
 */
void header_text_print(struct out *o, const struct perfdata *pd, bool full_topology);

/*
 * The lines of the sections alone. perf prints those of a pipe as they arrive: with `script
 * --header` they stand behind header_text_print's lines, with `script -I` and no --header they
 * stand alone, with `script --header-only` they are missing; `report --header-only` prints them.
 */
void header_text_print_features(struct out *o, const struct perfdata *pd, bool full_topology);

/* The lines of one section in full; nothing for a bit that has no text. */
void header_text_feature(struct out *o, const struct perfdata *pd, u64 bit, struct span payload);

#endif
