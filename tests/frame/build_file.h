/* SPDX-License-Identifier: MIT */
/*
 * Builds perf.data bytes for tests: values, attrs, records, samples, trailers, whole regular files
 * and pipe streams, in either byte order. Written from the format's description and not from the
 * decoders, so that the two check each other.
 *
 *	struct bytes b = bytes_new(false);
 *	struct file_builder f = { .b = &b };
 *
 *	file_begin(&f, BUILD_REGULAR);
 *	file_add_event(&f, &attr, ids, 1);
 *	file_begin_data(&f);
 *	put_comm(&b, 1, 1, "a", &attr, &trailer);
 *	file_end(&f);
 *	... b.p, b.n ...
 *	bytes_free(&b);
 */
#ifndef TESTS_FRAME_BUILD_FILE_H
#define TESTS_FRAME_BUILD_FILE_H

#include "fileformat/sample.h"
#include "tests/frame/build_bytes.h"

/*
 * The first `size` bytes of the attr (zeros beyond what there is) with `size_field` as its own
 * size; the bit-fields are laid out as the byte order asks.
 */
void put_attr_sized(struct bytes *b, const struct pd_attr *a, size_t size, u32 size_field);
/* With a->size as both. */
void put_attr(struct bytes *b, const struct pd_attr *a);

/* A record: begin, body, end (which sets its size); record_end_padded pads to 8 before. */
void record_begin(struct bytes *b, u32 type, u16 misc);
void record_end(struct bytes *b);
void record_end_padded(struct bytes *b);
/* The record from `rec`, as the reader hands it over. */
struct pd_record record_at(const struct bytes *b, size_t rec);
struct pd_record last_record(const struct bytes *b);

/* What a SAMPLE is to hold; fields that the attr does not ask for are not written. */
struct sample_parts {
	u16 misc;
	u64 ip, time, addr, id, stream_id, period;
	u32 pid, tid, cpu;
	const u64 *read; /* read_format body, word by word */
	size_t nr_read;
	const u64 *ips;
	size_t nr_ips;
	const void *raw;
	u32 raw_size;        /* as recorded; 4 + raw_size should be a multiple of 8 */
	const u64 *branches; /* 3 words each */
	u64 nr_branches, branch_hw_idx;
	const u64 *branch_counters;
	u64 user_abi, intr_abi;
	const u64 *user_regs, *intr_regs;
	const void *stack;
	u64 stack_size, stack_dyn_size;
	u64 weight, data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	const void *aux;
	u64 aux_size;
};
void put_sample(struct bytes *b, const struct pd_attr *a, const struct sample_parts *s);

/* sample_id_all trailer, nothing when the attr has none. */
void put_trailer(struct bytes *b, const struct pd_attr *a, const struct sample_parts *s);

/* Whole side-band records, trailer included (t may be NULL: zeros). */
void put_comm(struct bytes *b, u32 pid, u32 tid, const char *comm, const struct pd_attr *a,
	      const struct sample_parts *t);
void put_mmap(struct bytes *b, u32 pid, u64 start, u64 len, u64 pgoff, const char *name,
	      const struct pd_attr *a, const struct sample_parts *t);
void put_mmap2(struct bytes *b, u32 pid, u64 start, u64 len, u64 pgoff, const char *name,
	       const struct pd_attr *a, const struct sample_parts *t);
/* FORK or EXIT. */
void put_task(struct bytes *b, u32 type, u32 pid, u32 ppid, u32 tid, u32 ptid, u64 time,
	      const struct pd_attr *a, const struct sample_parts *t);
/* LOST: nr samples of the event that has t->id. */
void put_lost(struct bytes *b, struct pd_attr a, u64 nr, const struct sample_parts *t);
void put_round(struct bytes *b);
/* zstd bytes in one COMPRESSED (81) or COMPRESSED2 (83) record. */
void put_compressed(struct bytes *b, u32 type, const void *p, size_t n);

/* --- whole files --- */

enum build_kind { BUILD_REGULAR, BUILD_PIPE };

#define BUILD_MAX_EVENTS 48
#define BUILD_MAX_FEATURES 64

struct file_builder {
	struct bytes *b;
	enum build_kind kind;
	struct pd_attr attrs[BUILD_MAX_EVENTS];
	const u64 *ids[BUILD_MAX_EVENTS]; /* borrowed */
	size_t nr_ids[BUILD_MAX_EVENTS];
	size_t nr_events;
	size_t data_off;
	struct {
		unsigned int bit;
		struct bytes payload;
	} features[BUILD_MAX_FEATURES];
	size_t nr_features;
};

#define REGULAR_HEADER_SIZE 104
#define PIPE_HEADER_SIZE 16

void file_begin(struct file_builder *f, enum build_kind kind);
void file_add_event(struct file_builder *f, const struct pd_attr *a, const u64 *ids, size_t nr_ids);
/* Header, ids and attrs (HEADER_ATTR records in a pipe); records follow. */
void file_begin_data(struct file_builder *f);
/*
 * A feature section's payload to fill, in ascending order of bits; in a pipe it is written by
 * file_begin_data when it was added before, else by file_end.
 */
struct bytes *file_feature(struct file_builder *f, unsigned int bit);
/* EVENT_DESC of the events so far, with these names. */
void file_event_desc(struct file_builder *f, const char *const *names);
/* Writes the data size and the feature sections (pipe: HEADER_FEATURE records). */
void file_end(struct file_builder *f);

/* cpu-clock with what a plain `perf record -g` asks for. */
struct pd_attr attr_plain(void);

/* --- formats of tracepoints --- */

struct trace_format {
	const char *system, *name;
	u32 id;
	const char *fields; /* lines "\tfield:...;\n" behind common_type, which has offset 0 */
	const char *print;
};

/* The payload of PD_FEAT_TRACING_DATA. Formats of one system follow each other. */
void put_formats(struct bytes *b, const struct trace_format *v, size_t nr);

#endif
