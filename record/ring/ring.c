/* SPDX-License-Identifier: MIT */
#include "record/ring/ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"

/* How long a ring lasts by default while it is not read. */
#define BUDGET_MS 100u
/*
 * Assumed bytes of a sample besides call chain and stack, and the assumed rate of events without
 * one.
 */
#define SAMPLE_REST_BYTES 1024u
#define RATE_UNKNOWN 4000u
#define RATE_MAX 1000000u
#define MAX_PER_RING (128ull << 20)
#define MEMORY_SHARE 32u
/* Of a ring with records about processes alone: 2,000 short ones. */
#define SIDE_BAND_BYTES (1ull << 20)

static u64 page_bytes(void)
{
	long n = sysconf(_SC_PAGESIZE);

	return n > 0 ? (u64)n : 4096;
}

static u64 power_of_two_down(u64 v)
{
	return v ? 1ull << (63 - __builtin_clzll(v)) : 0;
}

static u64 power_of_two_up(u64 v)
{
	return v <= 1 ? 1 : 1ull << (64 - __builtin_clzll(v - 1));
}

/* Returns the samples per second that the event writes into one ring. */
static u64 rate_of(const struct pd_attr *a)
{
	bool is_clock = a->type == PD_TYPE_SOFTWARE && a->config <= 1; /* cpu-clock, task-clock */
	u64 rate = RATE_UNKNOWN;

	if (pd_attr_has(a, PD_ATTR_FREQ))
		rate = a->sample_period_or_freq;
	else if (is_clock && a->sample_period_or_freq)
		rate = 1000000000u / a->sample_period_or_freq;
	return rate < RATE_MAX ? rate : RATE_MAX;
}

static u64 sample_bytes(const struct pd_attr *a, const struct rec_rights *r)
{
	s64 chain = r->max_stack > 0 && r->max_stack < 8192 ? r->max_stack : 127;
	u64 n = SAMPLE_REST_BYTES;

	if (a->sample_type & PD_SAMPLE_CALLCHAIN)
		n += 8 * (u64)chain;
	if (a->sample_type & PD_SAMPLE_STACK_USER)
		n += a->sample_stack_user;
	return n < 65536 ? n : 65536;
}

/*
 * Returns perf's default size: what kernel.perf_event_mlock_kb permits per CPU, less the control
 * page.
 */
static u64 default_bytes(const struct rec_rights *r)
{
	u64 kb = r->mlock_kb > 0 && r->mlock_kb < 1 << 20 ? (u64)r->mlock_kb : 516;
	u64 page = page_bytes();
	u64 n = kb << 10 > page ? power_of_two_down((kb << 10) - page) : 0;

	return n > page ? n : page;
}

/* Returns the largest permitted data size of each ring if all have the same size. */
static u64 allowed_bytes(const struct rec_rights *r, size_t nr_rings)
{
	u64 page = page_bytes(), sum, each;
	long pages = sysconf(_SC_PHYS_PAGES), cpus = sysconf(_SC_NPROCESSORS_ONLN);

	sum = (pages > 0 ? (u64)pages : 1u << 16) * page / MEMORY_SHARE;
	if (!r->is_root && !r->cap_ipc_lock && r->paranoid > -1) {
		u64 kb = r->mlock_kb > 0 ? (u64)r->mlock_kb : 516;
		u64 locked = (kb << 10) * (cpus > 0 ? (u64)cpus : 1);

		if (r->memlock_limit < sum && locked < sum)
			locked += r->memlock_limit;
		else if (r->memlock_limit >= sum)
			locked = sum;
		if (locked < sum)
			sum = locked;
	}
	each = sum / (nr_rings ? nr_rings : 1);
	each = each > page ? power_of_two_down(each - page) : 0;
	return each < MAX_PER_RING ? each : MAX_PER_RING;
}

u64 ring_size_wanted(const struct rec_evlist *l, const struct rec_opts *o, size_t nr_rings,
		     const struct rec_rights *r)
{
	u64 want = 0, max = allowed_bytes(r, nr_rings), page = page_bytes();
	bool unwound = false;
	size_t i;

	if (o->mmap_bytes) {
		want = power_of_two_up(o->mmap_bytes);
		return want > page ? want : page;
	}
	for (i = 0; i < l->nr; i++) {
		const struct pd_attr *a = &l->events[i]->attr;

		/* cannot overflow: at most 10^6 samples of 64 KiB */
		if (!l->events[i]->is_dummy && (a->sample_period_or_freq || a->sample_type))
			want += rate_of(a) * sample_bytes(a, r) / 1000 * BUDGET_MS;
		unwound |= l->events[i]->unwound;
	}
	if (unwound && want < RING_LIVE_BYTES)
		want = RING_LIVE_BYTES;
	want = want < MAX_PER_RING ? power_of_two_up(want) : MAX_PER_RING;
	if (want < default_bytes(r))
		want = default_bytes(r);
	if (want > max)
		want = max;
	return want > page ? want : page;
}

static bool has_no_samples(const struct rec_event *ev)
{
	return ev->is_dummy && ev->is_tracking;
}

/* Adds the descriptors at indexes first to first + nr of events whose whole_system is as given. */
static void ring_add_fds(struct rec_ring *r, const struct rec_evlist *l, bool apart,
			 bool whole_system, size_t first, size_t nr)
{
	for (size_t i = 0; i < l->nr; i++) {
		const struct rec_event *ev = l->events[i];

		if (pd_attr_has(&ev->attr, PD_ATTR_WRITE_BACKWARD) != r->overwrite ||
		    ev->whole_system != whole_system ||
		    (apart && has_no_samples(ev) != r->side_band))
			continue;
		for (size_t k = first; k < first + nr && k < ev->nr_fds; k++)
			if (ev->fds[k] >= 0)
				vec_push(r->fds, r->nr_fds, r->cap_fds, ev->fds[k]);
	}
}

/*
 * Returns the ring for one place: a CPU, or with any_cpu a thread. It has the events of its kind;
 * nr_fds is 0 if there are none.
 */
static struct rec_ring ring_of_place(const struct rec_evlist *l, const struct rec_target *t,
				     size_t place, struct rec_ring kind, bool apart)
{
	struct rec_ring r = kind;
	size_t first = t->any_cpu ? place : place * t->nr_threads;
	size_t nr = t->any_cpu ? 1 : t->nr_threads;

	if (t->any_cpu)
		r.tid = t->threads[place].tid;
	else
		r.cpu = (s32)t->cpus.cpus[place];
	ring_add_fds(&r, l, apart, true, first, nr);
	r.nr_endless = r.nr_fds;
	ring_add_fds(&r, l, apart, false, first, nr);
	if (r.nr_fds)
		r.fd = r.fds[0];
	return r;
}

/*
 * Appends the rings of all places to rs, for each the forward one, then the backward one. apart:
 * and one for records about processes.
 */
static void rings_lay_out(struct rec_rings *rs, const struct rec_evlist *l,
			  const struct rec_target *t, bool apart)
{
	static const struct rec_ring kinds[] = {
		{ .fd = -1, .cpu = -1, .tid = -1 },
		{ .fd = -1, .cpu = -1, .tid = -1, .overwrite = true },
		{ .fd = -1, .cpu = -1, .tid = -1, .side_band = true },
	};
	size_t nr_places = t->any_cpu ? t->nr_threads : t->cpus.nr, cap = 0;

	for (size_t place = 0; place < nr_places; place++) {
		for (size_t k = 0; k < (apart ? 3 : 2); k++) {
			struct rec_ring r = ring_of_place(l, t, place, kinds[k], apart);

			if (r.nr_fds)
				vec_push(rs->rings, rs->nr, cap, r);
		}
	}
}

/* True if stacks are unwound, which need all records about processes, and an event has only those.
 */
static bool side_band_is_apart(const struct rec_evlist *l)
{
	bool unwound = false, has_event = false;

	for (size_t i = 0; i < l->nr; i++) {
		unwound |= l->events[i]->unwound;
		has_event |= has_no_samples(l->events[i]);
	}
	return unwound && has_event;
}

static void ring_unmap(struct rec_ring *r)
{
	if (r->map)
		munmap(r->map, page_bytes() + r->data_bytes);
	r->map = NULL;
}

/* Maps all rings. Returns 0, or an errno after unmapping them. */
static int rings_map_all(struct rec_rings *rs, u64 data_bytes)
{
	size_t i;

	for (i = 0; i < rs->nr; i++) {
		struct rec_ring *r = &rs->rings[i];
		/*
		 * read-only: without a tail to respect, the kernel overwrites records that were not
		 * read
		 */
		int prot = r->overwrite ? PROT_READ : PROT_READ | PROT_WRITE;
		u64 bytes = r->side_band ? SIDE_BAND_BYTES : data_bytes;
		void *p = mmap(NULL, page_bytes() + bytes, prot, MAP_SHARED, r->fd, 0);

		if (p == MAP_FAILED) {
			int err = errno;

			while (i--)
				ring_unmap(&rs->rings[i]);
			return err;
		}
		r->map = p;
		r->data_bytes = bytes;
		r->head = r->tail = 0;
	}
	rs->data_bytes = data_bytes;
	return 0;
}

/* Redirects all events of a ring into the map of its owner, r->fd. Returns 0 or an errno. */
static int ring_redirect_events(const struct rec_ring *r, const struct rec_sys *sys)
{
	for (size_t i = 0; i < r->nr_fds; i++) {
		int ret;

		if (r->fds[i] == r->fd)
			continue;
		ret = sys->ioctl(sys->ctx, r->fds[i], PERF_EVENT_IOC_SET_OUTPUT, (u64)r->fd);
		if (ret < 0)
			return -ret;
	}
	return 0;
}

/*
 * Maps all rings. If the kernel refuses and -m was not given, tries half the size, down to one
 * page.
 */
static int rings_map_what_fits(struct rec_rings *rs, struct rec_opts *o, u64 data_bytes,
			       struct perr *e)
{
	u64 asked = data_bytes;
	int sys_errno;

	while ((sys_errno = rings_map_all(rs, data_bytes)) != 0) {
		struct rec_rights rights;

		if ((sys_errno == EPERM || sys_errno == ENOMEM) && !o->mmap_bytes &&
		    data_bytes > page_bytes()) {
			data_bytes /= 2;
			continue;
		}
		rec_rights_read(&rights, &o->host);
		advice_mmap(sys_errno, data_bytes, rs->nr, &rights, e);
		return PERR_KERNEL;
	}
	if (data_bytes != asked)
		diag_warn(o->diag,
			  "rings of %llu KiB instead of %llu KiB: the kernel limits the locked "
			  "memory "
			  "of this user (kernel.perf_event_mlock_kb, ulimit -l)",
			  (unsigned long long)data_bytes >> 10, (unsigned long long)asked >> 10);
	return 0;
}

int rings_map(struct rec_rings *rs, struct rec_evlist *l, const struct rec_target *t,
	      struct rec_opts *o, u64 data_bytes, const struct rec_sys *sys, struct perr *e)
{
	bool apart = side_band_is_apart(l);
	int err = 0, sys_errno;

	*rs = (struct rec_rings){ 0 };
	rings_lay_out(rs, l, t, apart);
	if (apart && rings_map_all(rs, data_bytes)) {
		rings_unmap(rs);
		rings_lay_out(rs, l, t, false);
		apart = false;
	}
	if (!apart)
		err = rings_map_what_fits(rs, o, data_bytes, e);
	for (size_t i = 0; !err && i < rs->nr; i++) {
		sys_errno = ring_redirect_events(&rs->rings[i], sys);
		if (!sys_errno)
			continue;
		err = perr_set(e, PERR_KERNEL,
			       "cannot redirect an event into the ring of CPU %d: %s",
			       rs->rings[i].cpu, strerror(sys_errno));
		if (e)
			e->sys_errno = sys_errno;
	}
	if (err)
		rings_unmap(rs);
	return err;
}

void rings_unmap(struct rec_rings *rs)
{
	size_t i;

	for (i = 0; i < rs->nr; i++) {
		ring_unmap(&rs->rings[i]);
		free(rs->rings[i].fds);
	}
	free(rs->rings);
	*rs = (struct rec_rings){ 0 };
}

static struct perf_event_mmap_page *control_page(const struct rec_ring *r)
{
	return r->map;
}

/*
 * Returns the bytes [from, to), as positions that the kernel counts and at most one ring full: one
 * part, or two where they wrap. Returns the number of parts.
 */
static int parts_of(const struct rec_ring *r, u64 from, u64 to, struct span ret_parts[2])
{
	const u8 *data = (const u8 *)r->map + page_bytes();
	u64 at = from & (r->data_bytes - 1), n = to - from;

	if (!n)
		return 0;
	if (at + n <= r->data_bytes) {
		ret_parts[0] = span_of(data + at, n);
		return 1;
	}
	ret_parts[0] = span_of(data + at, r->data_bytes - at);
	ret_parts[1] = span_of(data, n - ret_parts[0].n);
	return 2;
}

/*
 * The kernel's counterpart is kernel/events/ring_buffer.c. perf_output_put_handle stores data_head
 * after the records, so the acquire here orders reading records after reading data_head.
 * perf_output_begin reads data_tail before writing into the space behind it, so the release in
 * ring_consume orders reading records before storing data_tail.
 */
int ring_peek(struct rec_ring *r, struct span ret_parts[2])
{
	r->head = __atomic_load_n(&control_page(r)->data_head, __ATOMIC_ACQUIRE);
	return parts_of(r, r->tail, r->head, ret_parts);
}

void ring_consume(struct rec_ring *r)
{
	r->tail = r->head;
	__atomic_store_n(&control_page(r)->data_tail, r->tail, __ATOMIC_RELEASE);
}

u64 ring_head(const struct rec_ring *r)
{
	return __atomic_load_n(&control_page(r)->data_head, __ATOMIC_ACQUIRE);
}

void ring_consume_to(struct rec_ring *r, u64 at)
{
	r->head = at;
	ring_consume(r);
}

bool ring_view_at(const struct rec_ring *r, u64 at, u64 end, struct ring_view *ret)
{
	const u8 *data = (const u8 *)r->map + page_bytes();
	u64 off = at & (r->data_bytes - 1), room = r->data_bytes - off;
	u32 size;

	/* a record's header never wraps: the kernel aligns records to 8 bytes */
	if (end - at < 8 || room < 8)
		return false;
	size = get_u16(data + off + 6, false);
	*ret = (struct ring_view){
		.p = data + off, .rest = data, .n = room < size ? (u32)room : size, .size = size
	};
	return size >= 8 && size % 8 == 0 && size <= end - at;
}

/* Returns the end of the last complete record from r->head on, in a ring that has wrapped. */
static u64 last_whole(const struct rec_ring *r)
{
	const u8 *data = (const u8 *)r->map + page_bytes();
	u64 at = 0, mask = r->data_bytes - 1;

	while (at + 8 <= r->data_bytes) {
		u64 size = get_u16(data + ((r->head + at) & mask) + 6, false);

		if (size < 8 || size % 8 || size > r->data_bytes - at)
			break;
		at += size;
	}
	return r->head + at;
}

/*
 * The kernel writes this ring from its end to its start, so the newest record comes first. r->tail
 * is the start of the last snapshot, so that each record is returned once.
 */
int ring_pause_and_peek(struct rec_ring *r, const struct rec_sys *sys, struct span ret_parts[2])
{
	u64 end;

	(void)sys->ioctl(sys->ctx, r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	r->head = __atomic_load_n(&control_page(r)->data_head, __ATOMIC_ACQUIRE);
	end = r->tail;
	if (end - r->head > r->data_bytes)
		end = last_whole(r);
	return parts_of(r, r->head, end, ret_parts);
}

void ring_resume(struct rec_ring *r, const struct rec_sys *sys)
{
	r->tail = r->head;
	(void)sys->ioctl(sys->ctx, r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
}
