/* SPDX-License-Identifier: MIT */
/*
 * Record types, and decoders for the records of processes, maps and kernel symbols. Layouts of
 * types below 64: the kernel's include/uapi/linux/perf_event.h and docs/FORMAT.md 2.2; of types
 * from 64 up, which perf itself writes: docs/FORMAT.md 2.9. Text and array members are spans
 * borrowed from the record, arrays in the file's byte order.
 */
#ifndef FILEFORMAT_RECORD_H
#define FILEFORMAT_RECORD_H

#include "fileformat/perfdata.h"

enum pd_record_type {
	PD_RECORD_MMAP = 1,
	PD_RECORD_LOST,
	PD_RECORD_COMM,
	PD_RECORD_EXIT,
	PD_RECORD_THROTTLE,
	PD_RECORD_UNTHROTTLE,
	PD_RECORD_FORK,
	PD_RECORD_READ,
	PD_RECORD_SAMPLE,
	PD_RECORD_MMAP2,
	PD_RECORD_AUX,
	PD_RECORD_ITRACE_START,
	PD_RECORD_LOST_SAMPLES,
	PD_RECORD_SWITCH,
	PD_RECORD_SWITCH_CPU_WIDE,
	PD_RECORD_NAMESPACES,
	PD_RECORD_KSYMBOL,
	PD_RECORD_BPF_EVENT,
	PD_RECORD_CGROUP,
	PD_RECORD_TEXT_POKE,
	PD_RECORD_AUX_OUTPUT_HW_ID,
	PD_RECORD_CALLCHAIN_DEFERRED,

	PD_RECORD_HEADER_ATTR = 64,
	PD_RECORD_HEADER_EVENT_TYPE,
	PD_RECORD_HEADER_TRACING_DATA,
	PD_RECORD_HEADER_BUILD_ID,
	PD_RECORD_FINISHED_ROUND,
	PD_RECORD_ID_INDEX,
	PD_RECORD_AUXTRACE_INFO,
	PD_RECORD_AUXTRACE,
	PD_RECORD_AUXTRACE_ERROR,
	PD_RECORD_THREAD_MAP,
	PD_RECORD_CPU_MAP,
	PD_RECORD_STAT_CONFIG,
	PD_RECORD_STAT,
	PD_RECORD_STAT_ROUND,
	PD_RECORD_EVENT_UPDATE,
	PD_RECORD_TIME_CONV,
	PD_RECORD_HEADER_FEATURE,
	PD_RECORD_COMPRESSED,
	PD_RECORD_FINISHED_INIT,
	PD_RECORD_COMPRESSED2,
	PD_RECORD_BPF_METADATA,
	PD_RECORD_SCHEDSTAT_CPU,
	PD_RECORD_SCHEDSTAT_DOMAIN,
	PD_RECORD_MAX,
};

#define PD_MISC_CPUMODE_MASK 7
#define PD_CPUMODE_UNKNOWN 0
#define PD_CPUMODE_KERNEL 1
#define PD_CPUMODE_USER 2
#define PD_CPUMODE_HYPERVISOR 3
#define PD_CPUMODE_GUEST_KERNEL 4
#define PD_CPUMODE_GUEST_USER 5

/*
 * In a SAMPLE of an event with pd_event.is_unwound: how its user stack ended (PD_MISC_STACK_END(),
 * 0: not known), and whether callers of other stacks follow those that were in the copy.
 */
#define PD_MISC_STACK_JOINED (1u << 7)
#define PD_MISC_STACK_END_SHIFT 8
#define PD_MISC_STACK_END_MASK (0xfu << PD_MISC_STACK_END_SHIFT)
#define PD_MISC_MMAP_DATA (1u << 13)
#define PD_MISC_COMM_EXEC (1u << 13)
#define PD_MISC_FORK_EXEC (1u << 13)
#define PD_MISC_SWITCH_OUT (1u << 13)
#define PD_MISC_EXACT_IP (1u << 14)
#define PD_MISC_SWITCH_OUT_PREEMPT (1u << 14)
#define PD_MISC_MMAP_BUILD_ID (1u << 14)
#define PD_MISC_BUILD_ID_SIZE (1u << 15)
#define PD_MISC_LOST_SAMPLES_BPF (1u << 15)

/* Returns the name of a record type without "PERF_RECORD_", such as "MMAP2"; NULL for an unknown
 * type. */
const char *pd_record_name(u32 type);

struct pd_build_id {
	u8 size;     /* bytes of data that are the id: 1 to 20; 0 without an id */
	u8 data[20]; /* followed by zeros */
};

#define PD_MMAP2_FILE_BYTES \
	24 /* of an MMAP2 record: {maj, min, ino, ino_generation} or a build-id */

/*
 * Returns true if the 24 bytes from offset 40 of an MMAP2 record are a build-id: {size, 3 bytes 0,
 * 20 bytes}. misc is that of its header; swap: the file has the other byte order.
 *
 * MISC_MMAP_BUILD_ID alone does not say so. Linux (5.12 to 6.18 at least) builds one record for all
 * recorders of a mapping and never clears the bit that it set for one of them
 * (kernel/events/core.c, perf_event_mmap_output()). While one recorder asks for build-ids, the
 * records of all others claim to have one although they hold device and inode numbers.
 */
bool pd_mmap2_has_build_id(const u8 file[PD_MMAP2_FILE_BYTES], u16 misc, bool swap);

/* An MMAP or MMAP2 record: run-time addresses [start, start + len) map the file from pgoff on. */
struct pd_mmap {
	u32 pid, tid;
	u64 start, len, pgoff;
	bool is_mmap2;
	bool has_build_id; /* build_id is set; else maj, min, ino and ino_generation are */
	struct pd_build_id build_id;
	u32 maj, min;
	u64 ino, ino_generation;
	u32 prot, flags;
	struct span filename; /* without its NUL */
};

struct pd_comm {
	u32 pid, tid;
	struct span comm;
};

/* A FORK or EXIT record. */
struct pd_task {
	u32 pid, ppid, tid, ptid;
	u64 time;
};

struct pd_namespaces {
	u32 pid, tid;
	u64 nr;
	struct span links; /* nr x {u64 dev, u64 ino} */
};

struct pd_ksymbol {
	u64 addr;
	u32 len;
	u16 ksym_type, flags;
	struct span name;
};

struct pd_bpf_event {
	u16 type, flags;
	u32 id;
	u8 tag[8];
};

struct pd_cgroup {
	u64 id;
	struct span path;
};

struct pd_text_poke {
	u64 addr;
	struct span old_bytes, new_bytes;
};

struct pd_callchain_deferred {
	u64 cookie;
	u64 nr;
	struct span ips; /* nr x u64 */
};

struct pd_header_build_id {
	s32 pid;
	struct pd_build_id build_id;
	struct span filename;
};

/*
 * Decoders: each decodes the body of a record of its type into *ret. swap is struct perfdata's.
 * PERR_FORMAT, with the record's file offset: the record is smaller than its fields or counts need.
 */
int pd_read_mmap(const struct pd_record *r, bool swap, struct pd_mmap *ret,
		 struct perr *e) MUST_CHECK;
int pd_read_comm(const struct pd_record *r, bool swap, struct pd_comm *ret,
		 struct perr *e) MUST_CHECK;
int pd_read_task(const struct pd_record *r, bool swap, struct pd_task *ret,
		 struct perr *e) MUST_CHECK;
int pd_read_namespaces(const struct pd_record *r, bool swap, struct pd_namespaces *ret,
		       struct perr *e) MUST_CHECK;
int pd_read_ksymbol(const struct pd_record *r, bool swap, struct pd_ksymbol *ret,
		    struct perr *e) MUST_CHECK;
int pd_read_bpf_event(const struct pd_record *r, bool swap, struct pd_bpf_event *ret,
		      struct perr *e) MUST_CHECK;
int pd_read_cgroup(const struct pd_record *r, bool swap, struct pd_cgroup *ret,
		   struct perr *e) MUST_CHECK;
int pd_read_text_poke(const struct pd_record *r, bool swap, struct pd_text_poke *ret,
		      struct perr *e) MUST_CHECK;
int pd_read_callchain_deferred(const struct pd_record *r, bool swap,
			       struct pd_callchain_deferred *ret, struct perr *e) MUST_CHECK;
int pd_read_header_build_id(const struct pd_record *r, bool swap, struct pd_header_build_id *ret,
			    struct perr *e) MUST_CHECK;

/* Returns the bytes of a record after its 8-byte header. */
static inline struct span pd_record_body(const struct pd_record *r)
{
	return span_of(r->data + 8, r->size - 8);
}

/*
 * Sets *b from the 20 bytes at `bytes`, of which the file says that `size` are the id. A size of 0
 * or of more than 20 counts as 20. Zero padding after 16 or 8 bytes is cut off, since older files
 * store every id as 20 bytes. An id of zeros only counts as no id (b->size 0).
 */
void pd_build_id_set(struct pd_build_id *b, const u8 *bytes, size_t size);

#endif
