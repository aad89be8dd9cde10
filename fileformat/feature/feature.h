/* SPDX-License-Identifier: MIT */
/*
 * Payloads of the feature sections of a perf.data (FORMAT.md 1.4): the bits, and the decoders of
 * those that are a few numbers or strings. Lists have headers of their own: feature_topology.h,
 * feature_pmu.h, feature_build_id.h, feature_bpf.h; EVENT_DESC and GROUP_DESC event_desc.h.
 *
 * Every decoder takes the payload as it lies in the file and `swap` (struct perfdata's). Nothing is
 * allocated: text and arrays are spans borrowed from the payload. Results are written on success
 * only; a payload too short for what it says is PERR_FORMAT, a version that is not known
 * PERR_UNSUPPORTED; the error's text leaves it to the caller to name the section. Bytes behind what
 * is known are ignored: newer writers append there.
 */
#ifndef FILEFORMAT_FEATURE_FEATURE_H
#define FILEFORMAT_FEATURE_FEATURE_H

#include "base/bytes.h"
#include "base/err.h"

/* Bits of perf 7.2. 35 to 255 are unassigned there; Android's simpleperf uses 128 to 132. */
enum pd_feature_bit {
	PD_FEAT_TRACING_DATA = 1,
	PD_FEAT_BUILD_ID,
	PD_FEAT_HOSTNAME,
	PD_FEAT_OSRELEASE,
	PD_FEAT_VERSION,
	PD_FEAT_ARCH,
	PD_FEAT_NRCPUS,
	PD_FEAT_CPUDESC,
	PD_FEAT_CPUID,
	PD_FEAT_TOTAL_MEM,
	PD_FEAT_CMDLINE,
	PD_FEAT_EVENT_DESC,
	PD_FEAT_CPU_TOPOLOGY,
	PD_FEAT_NUMA_TOPOLOGY,
	PD_FEAT_BRANCH_STACK,
	PD_FEAT_PMU_MAPPINGS,
	PD_FEAT_GROUP_DESC,
	PD_FEAT_AUXTRACE,
	PD_FEAT_STAT,
	PD_FEAT_CACHE,
	PD_FEAT_SAMPLE_TIME,
	PD_FEAT_MEM_TOPOLOGY,
	PD_FEAT_CLOCKID,
	PD_FEAT_DIR_FORMAT,
	PD_FEAT_BPF_PROG_INFO,
	PD_FEAT_BPF_BTF,
	PD_FEAT_COMPRESSED,
	PD_FEAT_CPU_PMU_CAPS,
	PD_FEAT_CLOCK_DATA,
	PD_FEAT_HYBRID_TOPOLOGY,
	PD_FEAT_PMU_CAPS,
	PD_FEAT_CPU_DOMAIN_INFO,
	PD_FEAT_E_MACHINE,
	PD_FEAT_CLN_SIZE,
	PD_FEAT_END, /* first bit without a name */
	PD_FEAT_SIMPLEPERF_META_INFO = 129,
};

/* "HOSTNAME", ... as perf lists missing features; NULL for a bit without a name. */
const char *pd_feature_name(unsigned int bit);

/*
 * A list in a payload, walked by its X_next function: 1 with the next item, 0 at the end, negative
 * code where the payload ends inside an item (items before it stay valid). May be copied to walk
 * again.
 */
struct pd_list {
	struct cursor c;
	u64 nr;   /* items in all, as the payload says: not yet checked against its length */
	u64 left; /* items still to come */
};

/* Opens the usual {u32 nr, nr items}. */
int pd_list_open(struct span payload, bool swap, struct pd_list *ret, struct perr *e) MUST_CHECK;

/* Walks a list of strings that is known to be whole: false at the end. */
struct pd_strings {
	struct cursor c;
	u32 nr, left;
};
bool pd_strings_next(struct pd_strings *s, struct span *ret);

/*
 * The format's string at the cursor {u32 len, len bytes with padding}: its text up to the first
 * NUL. `bad` of the cursor tells one that does not fit.
 */
struct span pd_cur_string(struct cursor *c);

/* {u32 nr, nr strings} at the cursor, walked over once, so that pd_strings_next cannot fail. */
struct pd_strings pd_cur_strings(struct cursor *c);

/* HOSTNAME, OSRELEASE, VERSION, ARCH, CPUDESC, CPUID: one string. */
int pd_feature_text(struct span payload, bool swap, struct span *ret, struct perr *e) MUST_CHECK;

/* TOTAL_MEM (kB), CLOCKID (resolution in ns), DIR_FORMAT (version): one u64. */
int pd_feature_u64(struct span payload, bool swap, u64 *ret, struct perr *e) MUST_CHECK;

/* CLN_SIZE (bytes): one u32. */
int pd_feature_u32(struct span payload, bool swap, u32 *ret, struct perr *e) MUST_CHECK;

/* NRCPUS. CPUs that can exist (numbers below it), and those that were on. */
struct pd_nrcpus {
	u32 avail, online;
};
int pd_feature_nrcpus(struct span payload, bool swap, struct pd_nrcpus *ret,
		      struct perr *e) MUST_CHECK;

/* CMDLINE: the recorder's argument vector, its own path first. */
int pd_feature_cmdline(struct span payload, bool swap, struct pd_strings *ret,
		       struct perr *e) MUST_CHECK;

/* SAMPLE_TIME, ns of the samples' clock; both 0 where the recorder did not look at them. */
struct pd_sample_time {
	u64 first, last;
};
int pd_feature_sample_time(struct span payload, bool swap, struct pd_sample_time *ret,
			   struct perr *e) MUST_CHECK;

/* COMPRESSED. */
struct pd_compressed {
	u32 version; /* 0 in all files of perf 5.2 to 7.2, whatever perf's own text says */
	u32 type;    /* 1 = zstd */
	u32 level;
	u32 ratio;    /* bytes before to bytes after, rounded */
	u32 mmap_len; /* data bytes of one ring: the most that one record expands to */
};
int pd_feature_compressed(struct span payload, bool swap, struct pd_compressed *ret,
			  struct perr *e) MUST_CHECK;

/* CLOCK_DATA (version 1): the same instant on two clocks, in ns. */
struct pd_clock_data {
	u32 clockid; /* CLOCK_* of the samples' clock */
	u64 wall_ns; /* since the epoch */
	u64 clock_ns;
};
int pd_feature_clock_data(struct span payload, bool swap, struct pd_clock_data *ret,
			  struct perr *e) MUST_CHECK;
/* "monotonic" of a clockid as perf's -k spells it, NULL for an unknown one. */
const char *pd_clockid_name(u32 clockid);

/* E_MACHINE (7.x): numbers of the ELF header of what ran. */
struct pd_e_machine {
	u32 machine, flags;
};
int pd_feature_e_machine(struct span payload, bool swap, struct pd_e_machine *ret,
			 struct perr *e) MUST_CHECK;

/* AUXTRACE: where the AUXTRACE records lie. */
struct pd_auxtrace {
	u64 off, size; /* of the record in the file, its data included */
};
int pd_auxtrace_open(struct span payload, bool swap, struct pd_list *ret,
		     struct perr *e) MUST_CHECK;
int pd_auxtrace_next(struct pd_list *l, struct pd_auxtrace *ret, struct perr *e) MUST_CHECK;

/* For X_next functions: takes the item just read off l->left: 1, PERR_FORMAT after a bad read. */
int pd_list_item(struct pd_list *l, struct perr *e) MUST_CHECK;

#endif
