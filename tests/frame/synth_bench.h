/* SPDX-License-Identifier: MIT */
/*
 * A host of fake files, and the records that record/before/synthesize makes of it.
 *
 *	struct bench *b = bench_new();
 *
 *	fake_file(&b->proc, "5/maps", ...);
 *	bench_begin(b);
 *	synth_maps(&b->s, 5, 5);
 *	bench_end(b);
 *	CHECK_SUMMARY(b, "MMAP2 5 /a; MMAP2 5 //anon");
 *	bench_free(b);
 */
#ifndef TESTS_FRAME_SYNTH_BENCH_H
#define TESTS_FRAME_SYNTH_BENCH_H

#include "record/before/synth_priv.h"
#include "tests/frame/fake_tree.h"

#define TRAILER 16

struct bench {
	struct fake_tree proc, sys;
	struct diag diag;
	struct rec_opts o;
	struct wbuf out;
	struct synth s;
	struct pd_record recs[512]; /* what out holds, after bench_end */
	size_t nr;
};

struct bench *bench_new(void);
void bench_free(struct bench *b);
void bench_begin(struct bench *b);
void bench_end(struct bench *b);
/* Splits what was written into records: bench_end does so. */
void bench_records(struct bench *b);

/* Record i, which must be an MMAP or MMAP2. */
struct pd_mmap mmap_at(const struct bench *b, size_t i);
const char *name_at(const struct bench *b, size_t i);
/* A span as text; valid until the next call but three. */
const char *text_of(struct span s);
/* Whether one of the notes to the user has this part. */
bool told(const struct bench *b, const char *part);

/* "FORK 1/2 from 1; COMM 1/2 name; MMAP2 1 name; ...", malloc'd. */
char *summary(const struct bench *b);

#define CHECK_SUMMARY(b, want)           \
	do {                             \
		char *got_ = summary(b); \
		CHECK_STR(got_, want);   \
		free(got_);              \
	} while (0)

void fake_status(const struct bench *b, const char *rest, const char *name, int tgid, int ppid,
		 bool memory, int nr_threads);

/*
 * 7: a plain process; 8: two threads and an odd name; 9: of the kernel; 10: gone meanwhile;
 * 11: its main thread has ended.
 */
void fake_processes(const struct bench *b);

/* A kernel with three modules, the file of one of them, and their build-ids 0x11.. and 0x22... */
void fake_kernel(const struct bench *b);

#endif
