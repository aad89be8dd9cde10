/* SPDX-License-Identifier: MIT */
/*
 * The sections of host_features_read, by what they are read from. Each takes the buffer that its
 * payload goes to and returns whether there is one; what it wrote before a false is dropped.
 */
#ifndef RECORD_HEADER_HOST_FEATURES_PRIV_H
#define RECORD_HEADER_HOST_FEATURES_PRIV_H

#include "record/header/host_features.h"

/* record/header/host_topology.c */
bool host_nrcpus(struct wbuf *b, const struct rec_host *h);
bool host_cpu_topology(struct wbuf *b, const struct rec_host *h);
bool host_numa_topology(struct wbuf *b, const struct rec_host *h);

/* record/header/host_caches.c */
bool host_caches(struct wbuf *b, const struct rec_host *h);
bool host_cache_line(struct wbuf *b, const struct rec_host *h);

/* record/header/host_memory.c */
bool host_total_mem(struct wbuf *b, const struct rec_host *h);
bool host_mem_topology(struct wbuf *b, const struct rec_host *h);

/* record/header/host_pmus.c */
bool host_pmu_mappings(struct wbuf *b, const struct rec_host *h);
bool host_cpu_pmu_caps(struct wbuf *b, const struct rec_host *h);
bool host_pmu_caps(struct wbuf *b, const struct rec_host *h);
bool host_hybrid_topology(struct wbuf *b, const struct rec_host *h);

/* record/header/host_domains.c */
bool host_cpu_domains(struct wbuf *b, const struct rec_host *h);

#endif
