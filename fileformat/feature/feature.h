/* SPDX-License-Identifier: MIT */
/*
 * The numbers of the feature sections of a perf.data (docs/FORMAT.md 1.4), and decoders for
 * sections of a few numbers or strings. Decoders for the others are in feature_topology.h,
 * feature_pmu.h, feature_build_id.h, feature_bpf.h and, for EVENT_DESC and GROUP_DESC,
 * event_desc.h.
 *
 * Every decoder takes the payload as it lies in the file and struct perfdata's `swap`. Nothing is
 * allocated: text and arrays are spans borrowed from the payload. *ret is written on success only.
 * PERR_FORMAT: the payload is too short for its counts. PERR_UNSUPPORTED: its version is unknown.
 * The error's message does not name the section; the caller adds its name. Bytes after the known
 * fields are ignored, because newer versions of perf append fields.
 */
#ifndef FILEFORMAT_FEATURE_FEATURE_H
#define FILEFORMAT_FEATURE_FEATURE_H

#include "base/bytes.h"
#include "base/err.h"

/* The numbers of feature sections, which are bits in the header's bitmap, in perf 7.2. perf does
 * not use 35 to 255; Android's simpleperf uses 128 to 132. */
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
	PD_FEAT_END, /* first number that perf 7.2 does not use */
	PD_FEAT_SIMPLEPERF_META_INFO = 129,
	PD_FEAT_UNWOUND = 200, /* of prec, see feature_unwound.h */
};

/* Returns the name by which perf lists a feature, such as "HOSTNAME"; NULL for an unknown bit. */
const char *pd_feature_name(unsigned int bit);

/*
 * A position in a list of items in a payload. Each kind of list has a function X_next() that
 * returns 1 with the next item, 0 after the last, or PERR_FORMAT if the payload ends inside an
 * item. A copy of the struct can be used to read the list again.
 */
struct pd_list {
	struct cursor c;
	u64 nr;   /* items in all by the payload's count, which may be more than fit into it */
	u64 left; /* items after the position */
};

/* Starts at the first item of a list {u32 nr, nr items}, the layout of most list sections. */
int pd_list_open(struct span payload, bool swap, struct pd_list *ret, struct perr *e) MUST_CHECK;

/* A position in a list of strings, whose bytes have been checked to be complete. */
struct pd_strings {
	struct cursor c;
	u32 nr, left;
};
/* Returns true with the next string, false after the last. */
bool pd_strings_next(struct pd_strings *s, struct span *ret);

/*
 * Reads a string of the file format, {u32 len, len bytes with NUL padding}, at the cursor and
 * returns its text up to the first NUL. Sets c->bad if it does not fit.
 */
struct span pd_cur_string(struct cursor *c);

/* Reads {u32 nr, nr strings} at the cursor. All strings are checked, so pd_strings_next() cannot
 * fail; c->bad is set if they do not fit. */
struct pd_strings pd_cur_strings(struct cursor *c);

/* Decodes a section that is one string: HOSTNAME, OSRELEASE, VERSION, ARCH, CPUDESC, CPUID. */
int pd_feature_text(struct span payload, bool swap, struct span *ret, struct perr *e) MUST_CHECK;

/* Decodes a section that is one u64: TOTAL_MEM (kB), CLOCKID (the clock's resolution in ns),
 * DIR_FORMAT (a version). */
int pd_feature_u64(struct span payload, bool swap, u64 *ret, struct perr *e) MUST_CHECK;

/* Decodes a section that is one u32: CLN_SIZE (bytes of a cache line). */
int pd_feature_u32(struct span payload, bool swap, u32 *ret, struct perr *e) MUST_CHECK;

/* The NRCPUS section. */
struct pd_nrcpus {
	u32 avail;  /* CPUs that the machine can have; CPU numbers are below it */
	u32 online; /* CPUs that were online */
};
int pd_feature_nrcpus(struct span payload, bool swap, struct pd_nrcpus *ret,
		      struct perr *e) MUST_CHECK;

/* Decodes CMDLINE, the arguments of the recording command; the first is the command's path. */
int pd_feature_cmdline(struct span payload, bool swap, struct pd_strings *ret,
		       struct perr *e) MUST_CHECK;

/* The SAMPLE_TIME section: times of the first and last sample, in ns of the samples' clock. Both
 * are 0 if the recorder did not look at the samples. */
struct pd_sample_time {
	u64 first, last;
};
int pd_feature_sample_time(struct span payload, bool swap, struct pd_sample_time *ret,
			   struct perr *e) MUST_CHECK;

/* The COMPRESSED section. */
struct pd_compressed {
	u32 version;  /* 0 in all files of perf 5.2 to 7.2; perf's documentation says 1 */
	u32 type;     /* 1: zstd */
	u32 level;    /* of compression */
	u32 ratio;    /* bytes before compression to bytes after, rounded */
	u32 mmap_len; /* bytes of a ring buffer: the most that one record expands to */
};
int pd_feature_compressed(struct span payload, bool swap, struct pd_compressed *ret,
			  struct perr *e) MUST_CHECK;

/* The CLOCK_DATA section (version 1): one instant on two clocks, in ns. */
struct pd_clock_data {
	u32 clockid; /* CLOCK_* of the samples' clock */
	u64 wall_ns; /* since the epoch */
	u64 clock_ns;
};
int pd_feature_clock_data(struct span payload, bool swap, struct pd_clock_data *ret,
			  struct perr *e) MUST_CHECK;
/* Returns the name of a clock id as perf's option -k spells it, such as "monotonic"; NULL for an
 * unknown id. */
const char *pd_clockid_name(u32 clockid);

/* The E_MACHINE section (since perf 7.0): e_machine and e_flags of the recorded programs' ELF
 * headers. */
struct pd_e_machine {
	u32 machine, flags;
};
int pd_feature_e_machine(struct span payload, bool swap, struct pd_e_machine *ret,
			 struct perr *e) MUST_CHECK;

/* An entry of the AUXTRACE section: the position of an AUXTRACE record. */
struct pd_auxtrace {
	u64 off;  /* file offset of the record */
	u64 size; /* bytes of the record and the data that follows it */
};
int pd_auxtrace_open(struct span payload, bool swap, struct pd_list *ret,
		     struct perr *e) MUST_CHECK;
int pd_auxtrace_next(struct pd_list *l, struct pd_auxtrace *ret, struct perr *e) MUST_CHECK;

/* Ends an X_next() function, after it has read an item: counts the item off l->left and returns 1,
 * or PERR_FORMAT if l->c.bad says that the item does not fit. */
int pd_list_item(struct pd_list *l, struct perr *e) MUST_CHECK;

#endif
