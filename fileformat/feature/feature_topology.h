/* SPDX-License-Identifier: MIT */
/*
 * Decoders for feature sections that describe the recording machine's CPUs, caches and memory
 * (docs/FORMAT.md 1.4). feature.h describes arguments and errors. A list for which this header has
 * no open function is opened with pd_list_open(). A CPU list is text like "0-3,8", as in sysfs.
 */
#ifndef FILEFORMAT_FEATURE_FEATURE_TOPOLOGY_H
#define FILEFORMAT_FEATURE_FEATURE_TOPOLOGY_H

#include "fileformat/feature/feature.h"

/* The CPU_TOPOLOGY section. Members that the recording version of perf did not write are empty. */
struct pd_cpu_topology {
	struct pd_strings packages; /* CPU lists of the sockets */
	struct pd_strings cores;    /* CPU lists of the hardware threads of one core */
	struct span core_ids;       /* per CPU {u32 core_id, u32 socket_id} */
	struct pd_strings dies;     /* CPU lists of the dies */
	struct span die_ids;        /* u32 per CPU; empty without dies */
};

/* Decodes CPU_TOPOLOGY. nr_cpus is `avail` of the NRCPUS section, which gives the length of the
 * arrays. */
int pd_feature_cpu_topology(struct span payload, bool swap, u32 nr_cpus,
			    struct pd_cpu_topology *ret, struct perr *e) MUST_CHECK;

/* An entry of NUMA_TOPOLOGY. */
struct pd_numa_node {
	u32 node;
	u64 total_kb, free_kb;
	struct span cpus; /* CPU list of the node */
};
int pd_numa_next(struct pd_list *l, struct pd_numa_node *ret, struct perr *e) MUST_CHECK;

/* An entry of CACHE (version 1). */
struct pd_cache_level {
	u32 level, line_size, sets, ways;
	struct span type; /* "Data", "Instruction", "Unified" */
	struct span size; /* "32K" */
	struct span cpus; /* CPU list of the CPUs that share the cache */
};
int pd_cache_open(struct span payload, bool swap, struct pd_list *ret, struct perr *e) MUST_CHECK;
int pd_cache_next(struct pd_list *l, struct pd_cache_level *ret, struct perr *e) MUST_CHECK;

/* An entry of MEM_TOPOLOGY (version 1): the memory blocks of one NUMA node. */
struct pd_mem_node {
	u64 node;
	u64 nr_bits;       /* of the bitmap */
	struct span words; /* the bitmap, u64s; bit n: the block at physical address n * block size
			    * is on the node */
};
int pd_mem_open(struct span payload, bool swap, u64 *ret_block_size, struct pd_list *ret,
		struct perr *e) MUST_CHECK;
int pd_mem_next(struct pd_list *l, struct pd_mem_node *ret, struct perr *e) MUST_CHECK;

/* An entry of HYBRID_TOPOLOGY: the CPUs of one kind of core. */
struct pd_hybrid {
	struct span pmu;  /* such as "cpu_core" */
	struct span cpus; /* CPU list */
};
int pd_hybrid_next(struct pd_list *l, struct pd_hybrid *ret, struct perr *e) MUST_CHECK;

/* A position in CPU_DOMAIN_INFO (since perf 7.0): the scheduling domains of each online CPU. */
struct pd_cpu_domains {
	struct pd_list list; /* of CPUs; the section NRCPUS gives their number (`online`) */
	u32 schedstat_version, max_domains;
};
struct pd_cpu_domain_cpu {
	u32 cpu, nr_domains;
	struct pd_list domains; /* checked to be complete; read it with pd_cpu_domain_get() */
	bool named;             /* domains have names */
};
struct pd_cpu_domain {
	u32 domain;
	struct span name;    /* empty if schedstat_version is below 17 */
	struct span cpumask; /* the domain's CPUs, as a hexadecimal mask in text */
	struct span cpus;    /* the same as a CPU list */
};
int pd_cpu_domain_open(struct span payload, bool swap, u32 nr_online, struct pd_cpu_domains *ret,
		       struct perr *e) MUST_CHECK;
int pd_cpu_domain_next(struct pd_cpu_domains *d, struct pd_cpu_domain_cpu *ret,
		       struct perr *e) MUST_CHECK;
/* Returns true with the next domain of a CPU, false after the last. */
bool pd_cpu_domain_get(struct pd_cpu_domain_cpu *cpu, struct pd_cpu_domain *ret);

#endif
