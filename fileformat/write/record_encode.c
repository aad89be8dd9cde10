/* SPDX-License-Identifier: MIT */
#include "fileformat/write/record_encode.h"

#include "fileformat/write/writer.h"

#define RECORD_MAX 65528  /* the largest multiple of 8 that fits into a u16 size */
#define PATH_LEN_MAX 4095 /* stock readers have buffers of PATH_MAX, 4096 bytes */
#define COMM_LEN_MAX 15
#define KSYMBOL_LEN_MAX 255
#define ID_INDEX_MAX ((RECORD_MAX - 16) / 32)
#define THREAD_MAP_MAX ((RECORD_MAX - 16) / 24)
#define CPU_LIST_MAX ((RECORD_MAX - 28) / 2)
#define TRAILER_FIELDS                                                                         \
	(PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_ID | PD_SAMPLE_STREAM_ID | PD_SAMPLE_CPU | \
	 PD_SAMPLE_IDENTIFIER)

u32 pd_trailer_size(const struct pd_attr *a)
{
	if (!pd_attr_has(a, PD_ATTR_SAMPLE_ID_ALL))
		return 0;
	return 8 * (u32)__builtin_popcountll(a->sample_type & TRAILER_FIELDS);
}

/*
 * Begins a record and returns its offset in b. The offset need not be a multiple of 8, because
 * HEADER_FEATURE and COMPRESSED records have any length.
 */
static size_t record_begin(struct wbuf *b, u32 type, u16 misc)
{
	size_t at = b->n;

	wb_u32(b, type);
	wb_u16(b, misc);
	wb_u16(b, 0);
	return at;
}

static void pad_8(struct wbuf *b, size_t at)
{
	wb_zero(b, -(b->n - at) & 7);
}

static void record_end(struct wbuf *b, size_t at, u32 trailer)
{
	pad_8(b, at);
	wb_zero(b, trailer);
	if (b->n - at > RECORD_MAX)
		BUG();
	wb_set_u16(b, at + 6, (u16)(b->n - at));
}

/*
 * Appends at most max bytes of a text, and a NUL. record_end() pads the record to a multiple of 8.
 */
static void put_text(struct wbuf *b, const void *s, size_t n, size_t max)
{
	wb_mem(b, s, n < max ? n : max);
	wb_u8(b, 0);
}

static void put_cstring(struct wbuf *b, const char *s, size_t max)
{
	put_text(b, s, strlen(s), max);
}

void pd_put_mmap(struct wbuf *b, const struct pd_mmap *m, u16 misc, u32 trailer)
{
	size_t at;

	misc &= (u16)~PD_MISC_MMAP_BUILD_ID;
	if (m->is_mmap2 && m->has_build_id)
		misc |= PD_MISC_MMAP_BUILD_ID;
	at = record_begin(b, m->is_mmap2 ? PD_RECORD_MMAP2 : PD_RECORD_MMAP, misc);
	wb_u32(b, m->pid);
	wb_u32(b, m->tid);
	wb_u64(b, m->start);
	wb_u64(b, m->len);
	wb_u64(b, m->pgoff);
	if (m->is_mmap2 && m->has_build_id) {
		wb_u8(b, m->build_id.size);
		wb_zero(b, 3);
		wb_mem(b, m->build_id.data, sizeof(m->build_id.data));
	} else if (m->is_mmap2) {
		wb_u32(b, m->maj);
		wb_u32(b, m->min);
		wb_u64(b, m->ino);
		wb_u64(b, m->ino_generation);
	}
	if (m->is_mmap2) {
		wb_u32(b, m->prot);
		wb_u32(b, m->flags);
	}
	put_text(b, m->filename.p, m->filename.n, PATH_LEN_MAX);
	record_end(b, at, trailer);
}

void pd_put_comm(struct wbuf *b, u32 pid, u32 tid, const char *comm, u16 misc, u32 trailer)
{
	size_t at = record_begin(b, PD_RECORD_COMM, misc);

	wb_u32(b, pid);
	wb_u32(b, tid);
	put_cstring(b, comm, COMM_LEN_MAX);
	record_end(b, at, trailer);
}

void pd_put_fork(struct wbuf *b, const struct pd_task *t, u16 misc, u32 trailer)
{
	size_t at = record_begin(b, PD_RECORD_FORK, misc);

	wb_u32(b, t->pid);
	wb_u32(b, t->ppid);
	wb_u32(b, t->tid);
	wb_u32(b, t->ptid);
	wb_u64(b, t->time);
	record_end(b, at, trailer);
}

void pd_put_namespaces(struct wbuf *b, u32 pid, u32 tid, const struct pd_ns_link *links, u64 nr,
		       u32 trailer)
{
	size_t at = record_begin(b, PD_RECORD_NAMESPACES, 0);
	u64 i;

	wb_u32(b, pid);
	wb_u32(b, tid);
	wb_u64(b, nr);
	for (i = 0; i < nr; i++) {
		wb_u64(b, links[i].dev);
		wb_u64(b, links[i].ino);
	}
	record_end(b, at, trailer);
}

void pd_put_ksymbol(struct wbuf *b, u64 addr, u32 len, u16 type, u16 flags, const char *name,
		    u32 trailer)
{
	size_t at = record_begin(b, PD_RECORD_KSYMBOL, 0);

	wb_u64(b, addr);
	wb_u32(b, len);
	wb_u16(b, type);
	wb_u16(b, flags);
	put_cstring(b, name, KSYMBOL_LEN_MAX);
	record_end(b, at, trailer);
}

void pd_put_bpf_event(struct wbuf *b, const struct pd_bpf_event *ev, u32 trailer)
{
	size_t at = record_begin(b, PD_RECORD_BPF_EVENT, 0);

	wb_u16(b, ev->type);
	wb_u16(b, ev->flags);
	wb_u32(b, ev->id);
	wb_mem(b, ev->tag, sizeof(ev->tag));
	record_end(b, at, trailer);
}

void pd_put_cgroup(struct wbuf *b, u64 id, const char *path, u32 trailer)
{
	size_t at = record_begin(b, PD_RECORD_CGROUP, 0);

	wb_u64(b, id);
	put_cstring(b, path, PATH_LEN_MAX);
	record_end(b, at, trailer);
}

void pd_put_lost_samples(struct wbuf *b, const struct pd_attr *a, u64 lost, u64 id)
{
	size_t at = record_begin(b, PD_RECORD_LOST_SAMPLES, 0);
	u64 type = a->sample_type;

	wb_u64(b, lost);
	if (pd_attr_has(a, PD_ATTR_SAMPLE_ID_ALL)) {
		if (type & PD_SAMPLE_TID)
			wb_u64(b, 0);
		if (type & PD_SAMPLE_TIME)
			wb_u64(b, 0);
		if (type & PD_SAMPLE_ID)
			wb_u64(b, id);
		if (type & PD_SAMPLE_STREAM_ID)
			wb_u64(b, 0);
		if (type & PD_SAMPLE_CPU)
			wb_u64(b, 0);
		if (type & PD_SAMPLE_IDENTIFIER)
			wb_u64(b, id);
	}
	record_end(b, at, 0);
}

void pd_put_finished_round(struct wbuf *b)
{
	record_end(b, record_begin(b, PD_RECORD_FINISHED_ROUND, 0), 0);
}

void pd_put_finished_init(struct wbuf *b)
{
	record_end(b, record_begin(b, PD_RECORD_FINISHED_INIT, 0), 0);
}

void pd_put_id_index(struct wbuf *b, const struct pd_id_index_entry *entries, size_t nr)
{
	size_t i, at, n;

	for (; nr; entries += n, nr -= n) {
		n = nr < ID_INDEX_MAX ? nr : ID_INDEX_MAX;
		at = record_begin(b, PD_RECORD_ID_INDEX, 0);
		wb_u64(b, n);
		for (i = 0; i < n; i++) {
			wb_u64(b, entries[i].id);
			wb_u64(b, entries[i].idx);
			wb_u64(b, entries[i].cpu);
			wb_u64(b, entries[i].tid);
		}
		record_end(b, at, 0);
	}
}

void pd_put_thread_map(struct wbuf *b, const u64 *pids, const char (*comms)[16], size_t nr)
{
	size_t i, at = record_begin(b, PD_RECORD_THREAD_MAP, 0);

	if (nr > THREAD_MAP_MAX)
		nr = THREAD_MAP_MAX;
	wb_u64(b, nr);
	for (i = 0; i < nr; i++) {
		wb_u64(b, pids[i]);
		wb_mem(b, comms[i], sizeof(comms[i]));
	}
	record_end(b, at, 0);
}

/*
 * Writes a CPU map, always as a list, which every perf since 4.5 reads. The mask form has had two
 * layouts, and perf before 6.1 does not know the range form.
 */
static void put_cpus(struct wbuf *b, const s32 *cpus, size_t nr)
{
	size_t i;

	if (nr > CPU_LIST_MAX)
		nr = CPU_LIST_MAX;
	wb_u16(b, PD_CPU_MAP_LIST);
	wb_u16(b, (u16)nr);
	for (i = 0; i < nr; i++)
		wb_u16(b, (u16)cpus[i]);
}

void pd_put_cpu_map(struct wbuf *b, const s32 *cpus, size_t nr)
{
	size_t at = record_begin(b, PD_RECORD_CPU_MAP, 0);

	put_cpus(b, cpus, nr);
	record_end(b, at, 0);
}

static size_t begin_event_update(struct wbuf *b, u64 type, u64 id)
{
	size_t at = record_begin(b, PD_RECORD_EVENT_UPDATE, 0);

	wb_u64(b, type);
	wb_u64(b, id);
	return at;
}

void pd_put_event_unit(struct wbuf *b, u64 id, const char *unit)
{
	size_t at = begin_event_update(b, PD_UPDATE_UNIT, id);

	put_cstring(b, unit, PATH_LEN_MAX);
	record_end(b, at, 0);
}

void pd_put_event_scale(struct wbuf *b, u64 id, double scale)
{
	size_t at = begin_event_update(b, PD_UPDATE_SCALE, id);

	wb_mem(b, &scale, sizeof(scale));
	record_end(b, at, 0);
}

void pd_put_event_name(struct wbuf *b, u64 id, const char *name)
{
	size_t at = begin_event_update(b, PD_UPDATE_NAME, id);

	put_cstring(b, name, PATH_LEN_MAX);
	record_end(b, at, 0);
}

void pd_put_event_cpus(struct wbuf *b, u64 id, const s32 *cpus, size_t nr)
{
	size_t at = begin_event_update(b, PD_UPDATE_CPUS, id);

	put_cpus(b, cpus, nr);
	record_end(b, at, 0);
}

void pd_put_stream_mark(struct wbuf *b, u64 id, enum pd_stream_stage stage)
{
	size_t at = begin_event_update(b, PD_UPDATE_STREAM, id);

	wb_u64(b, stage);
	record_end(b, at, 0);
}

void pd_put_unwound_mark(struct wbuf *b, u64 id, u32 copy_size)
{
	size_t at = begin_event_update(b, PD_UPDATE_UNWOUND, id);

	wb_u64(b, copy_size);
	record_end(b, at, 0);
}

void pd_put_time_conv(struct wbuf *b, const struct pd_time_conv *t)
{
	size_t at = record_begin(b, PD_RECORD_TIME_CONV, 0);

	wb_u64(b, t->shift);
	wb_u64(b, t->mult);
	wb_u64(b, t->zero);
	if (t->has_cycles) {
		wb_u64(b, t->cycles);
		wb_u64(b, t->mask);
		wb_u8(b, t->cap_user_time_zero);
		wb_u8(b, t->cap_user_time_short);
	}
	record_end(b, at, 0);
}

void pd_put_header_attr(struct wbuf *b, const struct pd_attr *a, u32 attr_size, const u64 *ids,
			size_t nr)
{
	size_t at = record_begin(b, PD_RECORD_HEADER_ATTR, 0), max;

	pd_attr_encode(b, a, attr_size);
	max = (RECORD_MAX - (b->n - at)) / 8;
	wb_mem(b, ids, 8 * (nr < max ? nr : max));
	record_end(b, at, 0);
}

void pd_put_header_feature(struct wbuf *b, u32 bit, struct span payload)
{
	size_t at;

	if (payload.n > UINT16_MAX - 16)
		return;
	at = record_begin(b, PD_RECORD_HEADER_FEATURE, 0);
	wb_u64(b, bit);
	wb_mem(b, payload.p, payload.n);
	/* not padded: readers of CPU_TOPOLOGY take padding for more entries */
	wb_set_u16(b, at + 6, (u16)(b->n - at));
}

void pd_put_header_tracing_data(struct wbuf *b, struct span blob)
{
	size_t at = record_begin(b, PD_RECORD_HEADER_TRACING_DATA, 0);

	/* stock readers expect the size with the padding after the payload */
	wb_u32(b, (u32)(blob.n + 7) & ~7u);
	wb_u32(b, 0);
	record_end(b, at, 0);
	at = b->n;
	wb_mem(b, blob.p, blob.n);
	pad_8(b, at);
}
