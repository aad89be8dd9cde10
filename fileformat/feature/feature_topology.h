/* SPDX-License-Identifier: MIT */
/*
 * Features that describe the recording machine's CPUs, caches and memory (FORMAT.md 1.4). Common
 * rules: feature.h; lists without an opener of their own are opened by pd_list_open. CPU lists are
 * text such as "0-3,8", as sysfs has it.
 */
#ifndef FILEFORMAT_FEATURE_FEATURE_TOPOLOGY_H
#define FILEFORMAT_FEATURE_FEATURE_TOPOLOGY_H

#include "fileformat/feature/feature.h"

/* CPU_TOPOLOGY. What the writer was too old for is empty. */
struct pd_cpu_topology {
	struct pd_strings packages; /* CPU lists of the sockets */
	struct pd_strings cores;    /* CPU lists of the hardware threads of one core */
	struct span core_ids;       /* per CPU {u32 core_id, u32 socket_id} */
	struct pd_strings dies;     /* CPU lists of the dies */
	struct span die_ids;        /* u32 per CPU; empty where there are no dies */
};

/* nr_cpus is NRCPUS' avail: the payload does not repeat it. */
int pd_feature_cpu_topology(struct span payload, bool swap, u32 nr_cpus,
			    struct pd_cpu_topology *ret, struct perr *e) MUST_CHECK;

/* NUMA_TOPOLOGY. */
struct pd_numa_node {
	u32 node;
	u64 total_kb, free_kb;
	struct span cpus;
};
int pd_numa_next(struct pd_list *l, struct pd_numa_node *ret, struct perr *e) MUST_CHECK;

/* CACHE (version 1). */
struct pd_cache_level {
	u32 level, line_size, sets, ways;
	struct span type; /* "Data", "Instruction", "Unified" */
	struct span size; /* "32K" */
	struct span cpus; /* that share it */
};
int pd_cache_open(struct span payload, bool swap, struct pd_list *ret, struct perr *e) MUST_CHECK;
int pd_cache_next(struct pd_list *l, struct pd_cache_level *ret, struct perr *e) MUST_CHECK;

/* MEM_TOPOLOGY (version 1): which memory blocks lie on which node. */
struct pd_mem_node {
	u64 node;
	u64 nr_bits;       /* of the bitmap; bit n: block n, at physical address n * block size */
	struct span words; /* u64s, the lowest bits first */
};
int pd_mem_open(struct span payload, bool swap, u64 *ret_block_size, struct pd_list *ret,
		struct perr *e) MUST_CHECK;
int pd_mem_next(struct pd_list *l, struct pd_mem_node *ret, struct perr *e) MUST_CHECK;

/* HYBRID_TOPOLOGY: CPUs of each kind of core. */
struct pd_hybrid {
	struct span pmu; /* "cpu_core" */
	struct span cpus;
};
int pd_hybrid_next(struct pd_list *l, struct pd_hybrid *ret, struct perr *e) MUST_CHECK;

/* CPU_DOMAIN_INFO (7.x): the scheduler's domains of every CPU that was on. */
struct pd_cpu_domains {
	struct pd_list list; /* nr is NRCPUS' online: the payload does not repeat it */
	u32 schedstat_version, max_domains;
};
struct pd_cpu_domain_cpu {
	u32 cpu, nr_domains;
	struct pd_list domains; /* known to be whole */
	bool named;
};
struct pd_cpu_domain {
	u32 domain;
	struct span name;    /* empty before schedstat version 17 */
	struct span cpumask; /* hex */
	struct span cpus;
};
int pd_cpu_domain_open(struct span payload, bool swap, u32 nr_online, struct pd_cpu_domains *ret,
		       struct perr *e) MUST_CHECK;
int pd_cpu_domain_next(struct pd_cpu_domains *d, struct pd_cpu_domain_cpu *ret,
		       struct perr *e) MUST_CHECK;
/* Next domain of a CPU, false after the last. */
bool pd_cpu_domain_get(struct pd_cpu_domain_cpu *cpu, struct pd_cpu_domain *ret);

#endif
