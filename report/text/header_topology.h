/* SPDX-License-Identifier: MIT */
/* For header_text.c: the sections that are lists of CPUs, memory and BPF programs. */
#ifndef REPORT_TEXT_HEADER_TOPOLOGY_H
#define REPORT_TEXT_HEADER_TOPOLOGY_H

#include "base/out.h"
#include "fileformat/perfdata.h"

struct header_text {
	struct out *o;
	const struct perfdata *pd;
};

/*
 * Each prints the payload d of its feature. A negative code when it is damaged; what comes before
 * the damage is printed.
 */
int header_put_cpu_topology(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_numa(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_cache(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_memory(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_hybrid(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_cpu_domains(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
/* header_bpf.c */
int header_put_bpf_progs(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;
int header_put_btf(struct header_text *h, struct span d, struct perr *e) MUST_CHECK;

#endif
