/* SPDX-License-Identifier: MIT */
/*
 * struct pd_attr: the perf_event_attr of an event, decoded to host byte order from a file of either
 * byte order and any attr size (64 bytes in Linux 2.6.31, 144 in 7.x, more in later versions).
 * Source: the kernel's include/uapi/linux/perf_event.h.
 */
#ifndef FILEFORMAT_ATTR_H
#define FILEFORMAT_ATTR_H

#include "base/bytes.h"
#include "base/err.h"

enum pd_attr_type {
	PD_TYPE_HARDWARE,
	PD_TYPE_SOFTWARE,
	PD_TYPE_TRACEPOINT,
	PD_TYPE_HW_CACHE,
	PD_TYPE_RAW,
	PD_TYPE_BREAKPOINT,
};

#define PD_SAMPLE_IP (1ull << 0)
#define PD_SAMPLE_TID (1ull << 1)
#define PD_SAMPLE_TIME (1ull << 2)
#define PD_SAMPLE_ADDR (1ull << 3)
#define PD_SAMPLE_READ (1ull << 4)
#define PD_SAMPLE_CALLCHAIN (1ull << 5)
#define PD_SAMPLE_ID (1ull << 6)
#define PD_SAMPLE_CPU (1ull << 7)
#define PD_SAMPLE_PERIOD (1ull << 8)
#define PD_SAMPLE_STREAM_ID (1ull << 9)
#define PD_SAMPLE_RAW (1ull << 10)
#define PD_SAMPLE_BRANCH_STACK (1ull << 11)
#define PD_SAMPLE_REGS_USER (1ull << 12)
#define PD_SAMPLE_STACK_USER (1ull << 13)
#define PD_SAMPLE_WEIGHT (1ull << 14)
#define PD_SAMPLE_DATA_SRC (1ull << 15)
#define PD_SAMPLE_IDENTIFIER (1ull << 16)
#define PD_SAMPLE_TRANSACTION (1ull << 17)
#define PD_SAMPLE_REGS_INTR (1ull << 18)
#define PD_SAMPLE_PHYS_ADDR (1ull << 19)
#define PD_SAMPLE_AUX (1ull << 20)
#define PD_SAMPLE_CGROUP (1ull << 21)
#define PD_SAMPLE_DATA_PAGE_SIZE (1ull << 22)
#define PD_SAMPLE_CODE_PAGE_SIZE (1ull << 23)
#define PD_SAMPLE_WEIGHT_STRUCT (1ull << 24)

#define PD_FORMAT_TOTAL_TIME_ENABLED (1ull << 0)
#define PD_FORMAT_TOTAL_TIME_RUNNING (1ull << 1)
#define PD_FORMAT_ID (1ull << 2)
#define PD_FORMAT_GROUP (1ull << 3)
#define PD_FORMAT_LOST (1ull << 4)

#define PD_BRANCH_ANY (1ull << 3)
#define PD_BRANCH_CALL_STACK (1ull << 11)
#define PD_BRANCH_HW_INDEX (1ull << 17)
#define PD_BRANCH_COUNTERS (1ull << 19)

/* Bit numbers in pd_attr.flags, which holds the bit-field word of perf_event_attr. */
enum pd_attr_flag {
	PD_ATTR_DISABLED,
	PD_ATTR_INHERIT,
	PD_ATTR_PINNED,
	PD_ATTR_EXCLUSIVE,
	PD_ATTR_EXCLUDE_USER,
	PD_ATTR_EXCLUDE_KERNEL,
	PD_ATTR_EXCLUDE_HV,
	PD_ATTR_EXCLUDE_IDLE,
	PD_ATTR_MMAP,
	PD_ATTR_COMM,
	PD_ATTR_FREQ,
	PD_ATTR_INHERIT_STAT,
	PD_ATTR_ENABLE_ON_EXEC,
	PD_ATTR_TASK,
	PD_ATTR_WATERMARK,
	PD_ATTR_PRECISE_IP, /* two bits: 15 and 16 */
	PD_ATTR_MMAP_DATA = 17,
	PD_ATTR_SAMPLE_ID_ALL,
	PD_ATTR_EXCLUDE_HOST,
	PD_ATTR_EXCLUDE_GUEST,
	PD_ATTR_EXCLUDE_CALLCHAIN_KERNEL,
	PD_ATTR_EXCLUDE_CALLCHAIN_USER,
	PD_ATTR_MMAP2,
	PD_ATTR_COMM_EXEC,
	PD_ATTR_USE_CLOCKID,
	PD_ATTR_CONTEXT_SWITCH,
	PD_ATTR_WRITE_BACKWARD,
	PD_ATTR_NAMESPACES,
	PD_ATTR_KSYMBOL,
	PD_ATTR_BPF_EVENT,
	PD_ATTR_AUX_OUTPUT,
	PD_ATTR_CGROUP,
	PD_ATTR_TEXT_POKE,
	PD_ATTR_BUILD_ID,
	PD_ATTR_INHERIT_THREAD,
	PD_ATTR_REMOVE_ON_EXEC,
	PD_ATTR_SIGTRAP,
	PD_ATTR_DEFER_CALLCHAIN,
	PD_ATTR_DEFER_OUTPUT,
};

struct pd_attr {
	u32 type;
	u32 size; /* bytes of the attr in the file; 64 if its size field is 0 */
	u64 config;
	u64 sample_period_or_freq;
	u64 sample_type;
	u64 read_format;
	u64 flags; /* bits: enum pd_attr_flag; precise_ip takes bits 15 and 16 */
	u32 wakeup_events_or_watermark;
	u32 bp_type;
	u64 config1; /* or bp_addr, kprobe_func, uprobe_path */
	u64 config2; /* or bp_len, kprobe_addr, probe_offset */
	u64 branch_sample_type;
	u64 sample_regs_user;
	u32 sample_stack_user;
	s32 clockid;
	u64 sample_regs_intr;
	u32 aux_watermark;
	u16 sample_max_stack;
	u16 size_is_0; /* 1: the size field is 0, as of the first recorders */
	u32 aux_sample_size;
	u32 aux_action;
	u64 sig_data;
	u64 config3;
	u64 config4;
};

static inline bool pd_attr_has(const struct pd_attr *a, enum pd_attr_flag f)
{
	return a->flags >> f & 1;
}

static inline unsigned int pd_attr_precise(const struct pd_attr *a)
{
	return a->flags >> PD_ATTR_PRECISE_IP & 3;
}

/*
 * Decodes the attr at the cursor and moves the cursor past all of its bytes, including fields of
 * newer perf versions that struct pd_attr does not have. Fields that a shorter attr lacks are 0.
 * PERR_FORMAT: its size field is 1 to 63 or larger than the bytes left.
 */
int pd_attr_decode(struct cursor *c, struct pd_attr *ret, struct perr *e) MUST_CHECK;

#endif
