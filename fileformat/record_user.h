/* SPDX-License-Identifier: MIT */
/*
 * Decoders for the records that perf itself writes (types from 64 up). Layouts: docs/FORMAT.md 2.9.
 * As in record.h, swap is struct perfdata's, *ret is written on success only, and its spans are
 * borrowed from the record, in the file's byte order. PERR_FORMAT, with the record's file offset:
 * the record is too small. A pd_*_get function decodes element i of a record's array; past the end
 * it returns zeros.
 */
#ifndef FILEFORMAT_RECORD_USER_H
#define FILEFORMAT_RECORD_USER_H

#include "fileformat/record.h"

struct pd_id_index {
	u64 nr;
	struct span entries;  /* nr x {u64 id, idx, cpu, tid} */
	struct span machines; /* nr x {u64 machine_pid, vcpu}, or empty */
};
struct pd_id_index_entry {
	u64 id, idx, cpu, tid; /* cpu, tid: (u64)-1 for any */
	u64 machine_pid, vcpu; /* of a guest; 0 if the record does not have them */
};
int pd_read_id_index(const struct pd_record *r, bool swap, struct pd_id_index *ret,
		     struct perr *e) MUST_CHECK;
struct pd_id_index_entry pd_id_index_get(const struct pd_id_index *x, u64 i, bool swap);

struct pd_auxtrace_info {
	u32 type;
	struct span priv; /* u64s whose meaning depends on type */
};
int pd_read_auxtrace_info(const struct pd_record *r, bool swap, struct pd_auxtrace_info *ret,
			  struct perr *e) MUST_CHECK;

/* An AUXTRACE record. `size` bytes of AUX data follow the record. */
struct pd_auxtrace_record {
	u64 size, offset, reference;
	u32 idx, tid, cpu;
};
int pd_read_auxtrace(const struct pd_record *r, bool swap, struct pd_auxtrace_record *ret,
		     struct perr *e) MUST_CHECK;

struct pd_auxtrace_error {
	u32 type, code, cpu, pid, tid, fmt;
	u64 ip;
	u64 time; /* 0 if fmt is 0 */
	struct span msg;
	u32 machine_pid, vcpu; /* 0 if fmt is below 2 */
};
int pd_read_auxtrace_error(const struct pd_record *r, bool swap, struct pd_auxtrace_error *ret,
			   struct perr *e) MUST_CHECK;

struct pd_thread_map {
	u64 nr;
	struct span entries; /* nr x {u64 pid, char comm[16]} */
};
struct pd_thread_map_entry {
	u64 pid;
	struct span comm;
};
int pd_read_thread_map(const struct pd_record *r, bool swap, struct pd_thread_map *ret,
		       struct perr *e) MUST_CHECK;
struct pd_thread_map_entry pd_thread_map_get(const struct pd_thread_map *m, u64 i, bool swap);

enum pd_cpu_map_kind { PD_CPU_MAP_LIST, PD_CPU_MAP_MASK, PD_CPU_MAP_RANGE };

struct pd_cpu_map {
	u16 kind;
	bool any_cpu;      /* of a RANGE: the map also contains "any CPU" */
	u16 first, last;   /* of a RANGE, both inclusive */
	u16 nr;            /* number of CPUs in a LIST, of words in a MASK */
	u16 word_size;     /* of a MASK: 4 or 8 bytes */
	struct span words; /* of a LIST: u16s, 0xffff for any CPU; of a MASK: its words */
};
int pd_read_cpu_map(const struct pd_record *r, bool swap, struct pd_cpu_map *ret,
		    struct perr *e) MUST_CHECK;
/* Finds the map's next CPU in recorded order: returns true with *ret_cpu (-1 for "any CPU"), false
 * at the end. *pos must be 0 at the first call. */
bool pd_cpu_map_next(const struct pd_cpu_map *m, u32 *pos, bool swap, s32 *ret_cpu);

enum pd_stat_config_tag { PD_STAT_AGGR_MODE, PD_STAT_INTERVAL, PD_STAT_SCALE, PD_STAT_AGGR_LEVEL };

struct pd_stat_config {
	u64 nr;
	struct span entries; /* nr x {u64 tag, u64 val} */
};
int pd_read_stat_config(const struct pd_record *r, bool swap, struct pd_stat_config *ret,
			struct perr *e) MUST_CHECK;

struct pd_stat {
	u64 id;
	u32 cpu, thread;
	u64 val, ena, run;
};
int pd_read_stat(const struct pd_record *r, bool swap, struct pd_stat *ret,
		 struct perr *e) MUST_CHECK;

struct pd_stat_round {
	u64 type; /* 0: the end of an interval, 1: the final round */
	u64 time;
};
int pd_read_stat_round(const struct pd_record *r, bool swap, struct pd_stat_round *ret,
		       struct perr *e) MUST_CHECK;

enum pd_event_update_type { PD_UPDATE_UNIT, PD_UPDATE_SCALE, PD_UPDATE_NAME, PD_UPDATE_CPUS };

/*
 * A type of prec's own, which stock perf skips: {u64 stage} says that a stream of prec begins or
 * has ended (docs/FORMAT.md 1.7).
 */
#define PD_UPDATE_STREAM 0x4d52545343455250ull /* "PRECSTRM" read as little endian */
/* As well: {u64 copy_size} says in a stream that prec has unwound the event (feature_unwound.h). */
#define PD_UPDATE_UNWOUND 0x444e555743455250ull /* "PRECWUND" read as little endian */
enum pd_stream_stage { PD_STREAM_BEGINS, PD_STREAM_ENDED };

struct pd_event_update {
	u64 type, id;
	struct span text;       /* of PD_UPDATE_UNIT and PD_UPDATE_NAME */
	double scale;           /* of PD_UPDATE_SCALE */
	struct pd_cpu_map cpus; /* of PD_UPDATE_CPUS */
};
int pd_read_event_update(const struct pd_record *r, bool swap, struct pd_event_update *ret,
			 struct perr *e) MUST_CHECK;

struct pd_time_conv {
	u64 shift, mult, zero;
	bool has_cycles;
	u64 cycles, mask;
	u8 cap_user_time_zero, cap_user_time_short;
};
int pd_read_time_conv(const struct pd_record *r, bool swap, struct pd_time_conv *ret,
		      struct perr *e) MUST_CHECK;

struct pd_header_feature {
	u64 feat_id;
	struct span data;
};
int pd_read_header_feature(const struct pd_record *r, bool swap, struct pd_header_feature *ret,
			   struct perr *e) MUST_CHECK;

struct pd_bpf_metadata {
	struct span prog_name;
	u64 nr;
	struct span entries; /* nr x {char key[64], char value[256]} */
};
struct pd_bpf_metadata_entry {
	struct span key, value;
};
int pd_read_bpf_metadata(const struct pd_record *r, bool swap, struct pd_bpf_metadata *ret,
			 struct perr *e) MUST_CHECK;
struct pd_bpf_metadata_entry pd_bpf_metadata_get(const struct pd_bpf_metadata *m, u64 i);

struct pd_schedstat_cpu {
	u64 timestamp;
	u32 cpu;
	u16 version;
	u32 yld_count, array_exp, sched_count, sched_goidle, ttwu_count, ttwu_local;
	u64 rq_cpu_time, run_delay, pcount;
};
int pd_read_schedstat_cpu(const struct pd_record *r, bool swap, struct pd_schedstat_cpu *ret,
			  struct perr *e) MUST_CHECK;

struct pd_schedstat_domain {
	u64 timestamp;
	u32 cpu;
	u16 version, domain;
	struct span counters; /* u32s, whose order depends on version */
};
int pd_read_schedstat_domain(const struct pd_record *r, bool swap, struct pd_schedstat_domain *ret,
			     struct perr *e) MUST_CHECK;

#endif
