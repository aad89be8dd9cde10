/* SPDX-License-Identifier: MIT */
#include "record/live/lean_tasks.h"

#include "base/mem.h"
#include "fileformat/record.h"

#define BUCKETS 8192u
#define BODY 8    /* offset of {pid, tid, ...} in all of these records */
#define MAPPED 16 /* offset of {start, size, pgoff} in MMAP and MMAP2 */
#define LEAST 40  /* bytes up to there and behind */
#define NAME_LEAST 16
#define COPY_NAME 16 /* bytes of a name, with its end */

/* A record as it was, which several processes may have. */
struct kept {
	u32 refs, size;
	u8 bytes[];
};

struct lean_map {
	u64 start, end, pgoff;
	struct kept *record;
	u32 file; /* it was written into this one */
	bool old; /* of the program before the exec */
};

struct lean_process {
	struct lean_process *next;
	u32 pid, nr_threads;
	u32 file; /* something of it was written into this one */
	struct lean_map *maps;
	size_t nr, cap;
};

struct lean_thread {
	struct lean_thread *next;
	struct lean_process *process;
	u32 tid;
	u32 file; /* its name was written into this one */
	struct kept *name;
};

struct lean_tasks {
	u32 time_from_end;
	u32 file;
	struct lean_process *processes[BUCKETS]; /* by pid */
	struct lean_thread *threads[BUCKETS];    /* by tid */
	struct wbuf needed;
};

/* --- records ---------------------------------------------------------------------------------- */

static struct kept *keep(const u8 *record, u32 size)
{
	struct kept *k = xmalloc(sizeof(*k) + size);

	k->refs = 1;
	k->size = size;
	memcpy(k->bytes, record, size);
	return k;
}

static struct kept *kept_get(struct kept *k)
{
	if (k)
		k->refs++;
	return k;
}

static void kept_put(struct kept *k)
{
	if (k && !--k->refs)
		free(k);
}

/* --- processes and threads -------------------------------------------------------------------- */

static struct lean_process **process_at(struct lean_tasks *t, u32 pid)
{
	struct lean_process **at = &t->processes[pid % BUCKETS];

	while (*at && (*at)->pid != pid)
		at = &(*at)->next;
	return at;
}

static struct lean_thread **thread_at(struct lean_tasks *t, u32 tid)
{
	struct lean_thread **at = &t->threads[tid % BUCKETS];

	while (*at && (*at)->tid != tid)
		at = &(*at)->next;
	return at;
}

static void drop_maps(struct lean_process *p)
{
	for (size_t i = 0; i < p->nr; i++)
		kept_put(p->maps[i].record);
	p->nr = 0;
}

static void drop_process(struct lean_process **at)
{
	struct lean_process *p = *at;

	*at = p->next;
	drop_maps(p);
	free(p->maps);
	free(p);
}

static void drop_thread(struct lean_tasks *t, struct lean_thread **at)
{
	struct lean_thread *th = *at;

	*at = th->next;
	if (!--th->process->nr_threads)
		drop_process(process_at(t, th->process->pid));
	kept_put(th->name);
	free(th);
}

static struct lean_thread *thread_get(struct lean_tasks *t, u32 pid, u32 tid)
{
	struct lean_thread **at = thread_at(t, tid), *th = *at;
	struct lean_process **in;

	if (th && th->process->pid == pid)
		return th;
	if (th)
		drop_thread(t, at);
	in = process_at(t, pid);
	if (!*in) {
		*in = xcalloc(1, sizeof(**in));
		(*in)->pid = pid;
	}
	th = xcalloc(1, sizeof(*th));
	th->tid = tid;
	th->process = *in;
	th->process->nr_threads++;
	at = thread_at(t, tid);
	*at = th;
	return th;
}

struct lean_tasks *lean_tasks_new(u32 time_from_end)
{
	struct lean_tasks *t = xcalloc(1, sizeof(*t));

	t->time_from_end = time_from_end;
	t->file = 1;
	return t;
}

void lean_tasks_free(struct lean_tasks *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < BUCKETS; i++)
		while (t->threads[i])
			drop_thread(t, &t->threads[i]);
	wb_fini(&t->needed);
	free(t);
}

void lean_tasks_begin_file(struct lean_tasks *t)
{
	t->file++;
}

/* --- what changes them ------------------------------------------------------------------------ */

/* Makes room for [start, end): what other mappings have there is gone. */
static void cut_maps(struct lean_process *p, u64 start, u64 end)
{
	size_t nr = 0, before = p->nr;

	for (size_t i = 0; i < before; i++) {
		struct lean_map m = p->maps[i], rest = m;

		if (m.end <= start || m.start >= end) {
			p->maps[nr++] = m;
			continue;
		}
		if (m.end > end) {
			rest.pgoff += end - m.start;
			rest.start = end;
			kept_get(rest.record);
		}
		if (m.start < start) {
			m.end = start;
			p->maps[nr++] = m;
		} else {
			kept_put(m.record);
		}
		if (rest.start == end) {
			/* behind all others, where nothing lies that is not looked at yet */
			vec_push(p->maps, p->nr, p->cap, rest);
		}
	}
	/* the rests */
	for (size_t i = before; i < p->nr; i++)
		p->maps[nr++] = p->maps[i];
	p->nr = nr;
}

static void add_map(struct lean_process *p, const u8 *record, u32 size)
{
	struct lean_map m = { .start = get_u64(record + MAPPED, false),
			      .pgoff = get_u64(record + MAPPED + 16, false) };
	u64 n = get_u64(record + MAPPED + 8, false);

	m.end = m.start + n;
	if (m.end <= m.start)
		return;
	cut_maps(p, m.start, m.end);
	m.record = keep(record, size);
	vec_push(p->maps, p->nr, p->cap, m);
}

/* {pid, ppid, tid, ptid}: a thread of the same process, or a process with the same mappings. */
static void fork_task(struct lean_tasks *t, const u8 *record)
{
	u32 pid = get_u32(record + BODY, false), ppid = get_u32(record + BODY + 4, false);
	u32 tid = get_u32(record + BODY + 8, false), ptid = get_u32(record + BODY + 12, false);
	struct lean_thread **old = thread_at(t, tid), *parent, *child;
	struct kept *name;

	if (tid == ptid)
		return;
	/* its end was lost, or it is known from before the recording */
	if (*old && pid != ppid)
		drop_thread(t, old);
	parent = thread_get(t, ppid, ptid);
	name = kept_get(parent->name);
	child = thread_get(t, pid, tid);
	kept_put(child->name);
	child->name = name;
	if (pid == ppid || child->process->nr)
		return;
	parent = thread_get(t, ppid, ptid);
	for (size_t i = 0; i < parent->process->nr; i++) {
		struct lean_map m = parent->process->maps[i];

		kept_get(m.record);
		m.file = 0;
		vec_push(child->process->maps, child->process->nr, child->process->cap, m);
	}
}

/*
 * Another program begins. What it maps comes later, and its first samples, in the kernel, still
 * have the addresses of the one before.
 */
static void age_maps(struct lean_process *p)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr; i++) {
		if (p->maps[i].old) {
			kept_put(p->maps[i].record);
			continue;
		}
		p->maps[nr] = p->maps[i];
		p->maps[nr++].old = true;
	}
	p->nr = nr;
}

static void name_task(struct lean_tasks *t, const u8 *record, u32 size, struct wbuf *out)
{
	struct lean_thread *th =
		thread_get(t, get_u32(record + BODY, false), get_u32(record + BODY + 4, false));
	bool exec = get_u16(record + 4, false) & PD_MISC_COMM_EXEC;

	kept_put(th->name);
	th->name = keep(record, size);
	if (exec)
		age_maps(th->process);
	if (th->file == t->file || (exec && th->process->file == t->file)) {
		th->file = th->process->file = t->file;
		wb_mem(out, record, size);
	}
}

static void end_task(struct lean_tasks *t, const u8 *record, u32 size, struct wbuf *out)
{
	struct lean_thread **at = thread_at(t, get_u32(record + BODY + 8, false));
	const struct lean_process *p = *at ? (*at)->process : NULL;

	if (!p)
		return;
	/* the mappings belong to the first thread */
	if ((*at)->file == t->file || ((*at)->tid == p->pid && p->file == t->file))
		wb_mem(out, record, size);
	drop_thread(t, at);
}

bool lean_tasks_wants(const u8 *record, u32 size)
{
	u32 pid = size >= LEAST ? get_u32(record + BODY, false) : 0;

	switch (get_u32(record, false)) {
	case PD_RECORD_MMAP:
	case PD_RECORD_MMAP2:
		return size >= LEAST && pid != UINT32_MAX &&
		       (get_u16(record + 4, false) & PD_MISC_CPUMODE_MASK) == PD_CPUMODE_USER;
	case PD_RECORD_COMM: return size >= BODY + NAME_LEAST;
	case PD_RECORD_FORK:
	case PD_RECORD_EXIT: return size >= BODY + 16;
	default: return false;
	}
}

void lean_tasks_note(struct lean_tasks *t, const u8 *record, u32 size, struct wbuf *out)
{
	switch (get_u32(record, false)) {
	case PD_RECORD_COMM: name_task(t, record, size, out); break;
	case PD_RECORD_FORK: fork_task(t, record); break;
	case PD_RECORD_EXIT: end_task(t, record, size, out); break;
	default:
		add_map(thread_get(t, get_u32(record + BODY, false),
				   get_u32(record + BODY + 4, false))
				->process,
			record, size);
	}
}

/* --- what samples need ------------------------------------------------------------------------ */

/* Appends a record as one of the process and the thread. */
static u8 *put(struct lean_tasks *t, const struct kept *k, u32 pid, u32 tid)
{
	u8 *p = wb_add(&t->needed, k->size);
	size_t at = t->needed.n - k->size;

	memcpy(p, k->bytes, k->size);
	wb_set_u32(&t->needed, at + BODY, pid);
	wb_set_u32(&t->needed, at + BODY + 4, tid);
	return p;
}

static void put_map(struct lean_tasks *t, struct lean_map *m, u32 pid)
{
	size_t at = t->needed.n;

	if (m->file == t->file)
		return;
	m->file = t->file;
	put(t, m->record, pid, pid);
	wb_set_u64(&t->needed, at + MAPPED, m->start);
	wb_set_u64(&t->needed, at + MAPPED + 8, m->end - m->start);
	wb_set_u64(&t->needed, at + MAPPED + 16, m->pgoff);
}

static void put_map_of(struct lean_tasks *t, struct lean_process *p, u64 ip)
{
	for (size_t i = 0; i < p->nr; i++)
		if (ip >= p->maps[i].start && ip < p->maps[i].end)
			put_map(t, &p->maps[i], p->pid);
}

/* Gives the records times before that of the sample, in their order. */
static void date(struct lean_tasks *t, u64 time)
{
	u64 nr = 0;

	for (size_t at = 0; at < t->needed.n; at += get_u16(t->needed.p + at + 6, false))
		nr++;
	for (size_t at = 0; at < t->needed.n;) {
		u16 size = get_u16(t->needed.p + at + 6, false);

		if (t->time_from_end && t->time_from_end + 8 <= size && nr <= time)
			wb_set_u64(&t->needed, at + size - t->time_from_end, time - nr);
		nr--;
		at += size;
	}
}

void lean_tasks_need(struct lean_tasks *t, u32 pid, u32 tid, u64 time, const u64 *ips, size_t nr,
		     struct wbuf *out)
{
	struct lean_thread *th = *thread_at(t, tid);
	struct lean_process *p;

	if (!th || th->process->pid != pid)
		return;
	p = th->process;
	t->needed.n = 0;
	if (th->file != t->file && th->name) {
		size_t at = t->needed.n;

		put(t, th->name, pid, tid);
		wb_set_u16(&t->needed, at + 4,
			   get_u16(th->name->bytes + 4, false) & (u16)~PD_MISC_COMM_EXEC);
	}
	th->file = p->file = t->file;
	for (size_t i = 0; !ips && i < p->nr; i++)
		put_map(t, &p->maps[i], pid);
	for (size_t i = 0; ips && i < nr; i++)
		put_map_of(t, p, ips[i]);
	date(t, time);
	wb_mem(out, t->needed.p, t->needed.n);
}
