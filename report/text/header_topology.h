/* SPDX-License-Identifier: MIT */
/* Text of the header's sections about CPUs, PMUs, memory and BPF programs. For header_text.c only.
 */
#ifndef REPORT_TEXT_HEADER_TOPOLOGY_H
#define REPORT_TEXT_HEADER_TOPOLOGY_H

#include "base/out.h"
#include "fileformat/perfdata.h"

/* The output and the file that it describes. */
struct header_text {
	struct out *o;
	const struct perfdata *pd;
};

/*
 * Each of these functions prints the section with payload d. Returns 0, or a negative code if the
 * payload is damaged; the part before the damage is printed.
 */
int header_put_cpu_topology(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_numa(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_cache(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_memory(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_hybrid(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_cpu_domains(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_pmu_mappings(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_cpu_pmu_caps(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_pmu_caps(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
/* As header_put_cpu_topology(), for BPF programs and their types; in header_bpf.c. */
int header_put_bpf_progs(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_btf(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;

#endif
