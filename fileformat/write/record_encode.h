/* SPDX-License-Identifier: MIT */
/*
 * Records that a recorder itself writes, in this machine's byte order (FORMAT.md 2.2, 2.9, 5.5).
 * Each function appends one whole record. trailer: bytes of the sample_id_all trailer, all zero,
 * that the file's kernel record types end in; the types from 64 up have none.
 */
#ifndef FILEFORMAT_WRITE_RECORD_ENCODE_H
#define FILEFORMAT_WRITE_RECORD_ENCODE_H

#include "base/wbuf.h"
#include "fileformat/record_user.h"

/* Bytes of the trailer that an attr's sample_type asks for, 0 without sample_id_all. */
u32 pd_trailer_size(const struct pd_attr *a);

/* misc: cpumode and the MMAP bits. m->filename may be longer than a record can hold: it is cut. */
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
/* As perf record writes it at the end: the trailer carries the event's id. */
void pd_put_lost_samples(struct wbuf *b, const struct pd_attr *a, u64 lost, u64 id);

void pd_put_finished_round(struct wbuf *b);
void pd_put_finished_init(struct wbuf *b);
/*
 * Entries beyond what one record of 64 KiB holds go into further ones. machine_pid and vcpu are not
 * written.
 */
void pd_put_id_index(struct wbuf *b, const struct pd_id_index_entry *entries, size_t nr);
/* The first 2729: stock perf takes one such record only. */
void pd_put_thread_map(struct wbuf *b, const u64 *pids, const char (*comms)[16], size_t nr);
/* -1 is any CPU. */
void pd_put_cpu_map(struct wbuf *b, const s32 *cpus, size_t nr);
void pd_put_event_unit(struct wbuf *b, u64 id, const char *unit);
void pd_put_event_scale(struct wbuf *b, u64 id, double scale);
void pd_put_event_name(struct wbuf *b, u64 id, const char *name);
void pd_put_event_cpus(struct wbuf *b, u64 id, const s32 *cpus, size_t nr);
void pd_put_time_conv(struct wbuf *b, const struct pd_time_conv *t);
/* Ids beyond what a record holds (some 8000) are left out. */
void pd_put_header_attr(struct wbuf *b, const struct pd_attr *a, u32 attr_size, const u64 *ids,
			size_t nr);
/* Nothing for a payload of more than 65519 bytes. Not padded: records behind it are unaligned. */
void pd_put_header_feature(struct wbuf *b, u32 bit, struct span payload);
/* The record and, behind it, the blob padded to 8. */
void pd_put_header_tracing_data(struct wbuf *b, struct span blob);

#endif
