/* SPDX-License-Identifier: MIT */
/*
 * Encoders for records that a recorder writes itself, in this machine's byte order (docs/FORMAT.md
 * 2.2, 2.9, 5.5). Each function appends one record to b, header and padding included. trailer:
 * bytes of the sample_id_all trailer, written as zeros, at the end of kernel record types; see
 * pd_trailer_size(). Types from 64 up have no trailer.
 */
#ifndef FILEFORMAT_WRITE_RECORD_ENCODE_H
#define FILEFORMAT_WRITE_RECORD_ENCODE_H

#include "base/wbuf.h"
#include "fileformat/record_user.h"

/* Returns the bytes of the sample_id_all trailer of records of an event; 0 without sample_id_all.
 */
u32 pd_trailer_size(const struct pd_attr *a);

/* Appends an MMAP or MMAP2 record. misc: PD_CPUMODE_* and PD_MISC_MMAP_*. A filename that is too
 * long for a record is cut. */
void pd_put_mmap(struct wbuf *b, const struct pd_mmap *m, u16 misc, u32 trailer);
void pd_put_comm(struct wbuf *b, u32 pid, u32 tid, const char *comm, u16 misc, u32 trailer);
void pd_put_fork(struct wbuf *b, const struct pd_task *t, u16 misc, u32 trailer);
struct pd_ns_link {
	u64 dev, ino;
};
void pd_put_namespaces(struct wbuf *b, u32 pid, u32 tid, const struct pd_ns_link *links, u64 nr,
		       u32 trailer);
void pd_put_ksymbol(struct wbuf *b, u64 addr, u32 len, u16 type, u16 flags, const char *name,
		    u32 trailer);
void pd_put_bpf_event(struct wbuf *b, const struct pd_bpf_event *ev, u32 trailer);
void pd_put_cgroup(struct wbuf *b, u64 id, const char *path, u32 trailer);
/* Appends a LOST_SAMPLES record as perf record writes it at the end: its trailer has the id of
 * event a. */
void pd_put_lost_samples(struct wbuf *b, const struct pd_attr *a, u64 lost, u64 id);

void pd_put_finished_round(struct wbuf *b);
void pd_put_finished_init(struct wbuf *b);
/* Appends ID_INDEX records: as many as nr entries need, of at most 64 KiB each. machine_pid and
 * vcpu of the entries are not written. */
void pd_put_id_index(struct wbuf *b, const struct pd_id_index_entry *entries, size_t nr);
/* Appends one THREAD_MAP record with at most 2729 of the nr threads, which fill a record: stock
 * perf reads only one such record. */
void pd_put_thread_map(struct wbuf *b, const u64 *pids, const char (*comms)[16], size_t nr);
/* Appends a CPU_MAP record. -1 in cpus means any CPU. */
void pd_put_cpu_map(struct wbuf *b, const s32 *cpus, size_t nr);
void pd_put_event_unit(struct wbuf *b, u64 id, const char *unit);
void pd_put_event_scale(struct wbuf *b, u64 id, double scale);
void pd_put_event_name(struct wbuf *b, u64 id, const char *name);
void pd_put_event_cpus(struct wbuf *b, u64 id, const s32 *cpus, size_t nr);
/* The mark at the begin or end of a stream of prec. id: of any event. */
void pd_put_stream_mark(struct wbuf *b, u64 id, enum pd_stream_stage stage);
/* In a stream: event of id has been unwound from copies of copy_size bytes. */
void pd_put_unwound_mark(struct wbuf *b, u64 id, u32 copy_size);
void pd_put_time_conv(struct wbuf *b, const struct pd_time_conv *t);
/* Appends a HEADER_ATTR record. Ids that do not fit into it (after about 8000) are left out. */
void pd_put_header_attr(struct wbuf *b, const struct pd_attr *a, u32 attr_size, const u64 *ids,
			size_t nr);
/* Appends a HEADER_FEATURE record, or nothing if the payload has more than 65519 bytes. The record
 * is not padded to a multiple of 8, so the records after it may be unaligned. */
void pd_put_header_feature(struct wbuf *b, u32 bit, struct span payload);
/* Appends a HEADER_TRACING_DATA record and after it the blob, padded to a multiple of 8 bytes. */
void pd_put_header_tracing_data(struct wbuf *b, struct span blob);

#endif
