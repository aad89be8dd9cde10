/* SPDX-License-Identifier: MIT */
/*
 * Functions of host_features_read for one section each, grouped by the files they read. Each
 * appends the section's payload to *b and returns true, or returns false if the host does not have
 * the data; host_features_read then discards what was appended.
 */
#ifndef RECORD_HEADER_HOST_FEATURES_PRIV_H
#define RECORD_HEADER_HOST_FEATURES_PRIV_H

#include "record/header/host_features.h"

/* Defined in record/header/host_topology.c. */
bool host_nrcpus(struct wbuf *b, const struct rec_host *h);
bool host_cpu_topology(struct wbuf *b, const struct rec_host *h);
bool host_numa_topology(struct wbuf *b, const struct rec_host *h);

/* Defined in record/header/host_caches.c. */
bool host_caches(struct wbuf *b, const struct rec_host *h);
bool host_cache_line(struct wbuf *b, const struct rec_host *h);

/* Defined in record/header/host_memory.c. */
bool host_total_mem(struct wbuf *b, const struct rec_host *h);
bool host_mem_topology(struct wbuf *b, const struct rec_host *h);

/* Defined in record/header/host_pmus.c. */
bool host_pmu_mappings(struct wbuf *b, const struct rec_host *h);
bool host_cpu_pmu_caps(struct wbuf *b, const struct rec_host *h);
bool host_pmu_caps(struct wbuf *b, const struct rec_host *h);
bool host_hybrid_topology(struct wbuf *b, const struct rec_host *h);

/* Defined in record/header/host_domains.c. */
bool host_cpu_domains(struct wbuf *b, const struct rec_host *h);

#endif
