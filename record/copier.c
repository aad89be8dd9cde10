/* SPDX-License-Identifier: MIT */
#include "record/copier.h"

#include "base/hash.h"
#include "base/mem.h"
#include "fileformat/record.h"
#include "record/stack_bounds.h"

#define FIXED_FIELDS                                                                             \
	(PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_ADDR | \
	 PD_SAMPLE_ID | PD_SAMPLE_STREAM_ID | PD_SAMPLE_CPU | PD_SAMPLE_PERIOD)

/* Copies up to this long are not worth a look at the mapping that the stack lies in. */
#define STACK_UNQUESTIONED (8u << 10)

/* The stack pointer's number among the user registers (the kernel's asm/perf_regs.h). */
#if defined(__x86_64__) || defined(__i386__)
#define SP_REG 7
#elif defined(__aarch64__)
#define SP_REG 31
#else
#define SP_REG -1
#endif

/* A record as it lies in the ring: in one part, or in two. */
struct view {
	const u8 *p, *rest; /* rest: the bytes from n on */
	u32 n, size;
};

/* What finding the stack in a sample needs to know of its event. */
struct layout {
	u64 type, read_format, branch_type;
	u32 fixed;           /* bytes of the fields of fixed size after the header */
	u32 tid_at, time_at; /* from the record's start; 0: none */
	u32 nr_regs;
	s32 sp_at; /* u64s after the abi, -1: the stack pointer is not sampled */
};

struct rec_copier {
	const struct rec_evlist *l;
	struct rec_buildids *ids;
	struct stack_bounds *bounds;
	struct rec_counts counts;
	struct layout *layouts; /* one for each event */
	u64 *lost;              /* likewise */
	struct idmap by_id;     /* event's number, by the id its records carry */
	size_t nr_ids;          /* descriptors that by_id was made of */
	u32 id_at;              /* of the id in a SAMPLE, 0: none, or not needed */
	u32 id_from_end;        /* of the id in other records */
	bool same_layout, cut;
	u8 *whole; /* a record that lay in two parts, for those who want it in one */
};

static u32 bytes_of(u64 fields)
{
	return 8 * (u32)__builtin_popcountll(fields);
}

static u64 view_u64(const struct view *v, u32 at)
{
	return get_u64(at < v->n ? v->p + at : v->rest + (at - v->n), false);
}

static void view_copy(const struct view *v, u32 at, u32 n, u8 *to)
{
	u32 first = at < v->n ? v->n - at : 0;

	if (first > n)
		first = n;
	if (first)
		memcpy(to, v->p + at, first);
	if (n > first)
		memcpy(to + first, v->rest + (at + first - v->n), n - first);
}

static struct layout layout_of(const struct pd_attr *a)
{
	u64 type = a->sample_type;
	struct layout l = { .type = type, .read_format = a->read_format };

	l.branch_type = a->branch_sample_type;
	l.fixed = bytes_of(type & FIXED_FIELDS);
	if (type & PD_SAMPLE_TID)
		l.tid_at = 8 + bytes_of(type & (PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP));
	if (type & PD_SAMPLE_TIME)
		l.time_at =
			8 + bytes_of(type & (PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID));
	l.nr_regs = (u32)__builtin_popcountll(a->sample_regs_user);
	l.sp_at = -1;
	if (SP_REG >= 0 && a->sample_regs_user >> (SP_REG < 0 ? 0 : SP_REG) & 1)
		l.sp_at = __builtin_popcountll(a->sample_regs_user &
					       ((1ull << (SP_REG < 0 ? 0 : SP_REG)) - 1));
	return l;
}

static bool layouts_equal(const struct layout *a, const struct layout *b)
{
	return a->type == b->type && a->read_format == b->read_format &&
	       a->branch_type == b->branch_type && a->nr_regs == b->nr_regs && a->sp_at == b->sp_at;
}

static size_t count_descriptors(const struct rec_evlist *l)
{
	size_t i, n = 0;

	for (i = 0; i < l->nr; i++)
		n += l->events[i]->nr_fds;
	return n;
}

static void gather_ids(struct rec_copier *c)
{
	size_t i, k;

	idmap_clear(&c->by_id);
	for (i = 0; i < c->l->nr; i++) {
		const struct rec_event *ev = c->l->events[i];

		for (k = 0; ev->ids && k < ev->nr_fds; k++)
			if (ev->ids[k])
				idmap_put(&c->by_id, ev->ids[k], 0, (u32)i);
	}
	c->nr_ids = count_descriptors(c->l);
}

/* Where all events have their id: FORMAT.md 2.3; perf itself demands that they agree. */
static void place_id(struct rec_copier *c)
{
	u64 type = c->layouts[0].type;

	if (type & PD_SAMPLE_IDENTIFIER) {
		c->id_at = 8;
		c->id_from_end = 8;
	} else if (type & PD_SAMPLE_ID) {
		c->id_at = 8 + bytes_of(type & (PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
						PD_SAMPLE_ADDR));
		c->id_from_end = 8 + bytes_of(type & (PD_SAMPLE_STREAM_ID | PD_SAMPLE_CPU));
	}
	if (!pd_attr_has(&c->l->events[0]->attr, PD_ATTR_SAMPLE_ID_ALL))
		c->id_from_end = 0;
}

struct rec_copier *copier_new(const struct rec_evlist *l, struct rec_buildids *ids)
{
	struct rec_copier *c = xcalloc(1, sizeof(*c));
	size_t i;

	c->l = l;
	c->ids = ids;
	c->layouts = xcalloc(l->nr + 1, sizeof(*c->layouts));
	c->lost = xcalloc(l->nr + 1, sizeof(*c->lost));
	c->same_layout = true;
	for (i = 0; i < l->nr; i++) {
		c->layouts[i] = layout_of(&l->events[i]->attr);
		c->same_layout &= layouts_equal(&c->layouts[i], &c->layouts[0]);
		if (c->layouts[i].type & PD_SAMPLE_STACK_USER)
			c->cut = true;
	}
	if (l->nr)
		place_id(c);
	gather_ids(c);
	if (c->cut)
		c->bounds = stack_bounds_new("/proc");
	c->whole = xmalloc(65536);
	return c;
}

void copier_free(struct rec_copier *c)
{
	if (!c)
		return;
	stack_bounds_free(c->bounds);
	idmap_fini(&c->by_id);
	free(c->layouts);
	free(c->lost);
	free(c->whole);
	free(c);
}

bool copier_must_copy(const struct rec_copier *c)
{
	return c->cut;
}

const struct rec_counts *copier_counts(const struct rec_copier *c)
{
	return &c->counts;
}

u64 copier_lost(const struct rec_copier *c, const struct rec_event *ev)
{
	size_t i;

	for (i = 0; i < c->l->nr; i++)
		if (c->l->events[i] == ev)
			return c->lost[i];
	return 0;
}

/* Number of the event with that id; 0 when it is not known. */
static u32 event_of_id(struct rec_copier *c, u64 id)
{
	u32 i = idmap_get(&c->by_id, id, 0);

	/* threads that were found later have descriptors of their own */
	if (i == IDMAP_NONE && c->nr_ids != count_descriptors(c->l)) {
		gather_ids(c);
		i = idmap_get(&c->by_id, id, 0);
	}
	return i == IDMAP_NONE ? 0 : i;
}

static const struct layout *layout_of_sample(struct rec_copier *c, const struct view *v)
{
	if (c->same_layout || !c->id_at || v->size < c->id_at + 8)
		return &c->layouts[0];
	return &c->layouts[event_of_id(c, view_u64(v, c->id_at))];
}

/* Steps over `nr` items of `item` bytes; false when the record is too small for them. */
static bool skip(const struct view *v, u32 *at, u64 nr, u32 item)
{
	if (nr > (v->size - *at) / item)
		return false;
	*at += (u32)nr * item;
	return true;
}

/* The u64 at *at, stepped over; false at the record's end. */
static bool take(const struct view *v, u32 *at, u64 *ret)
{
	if (v->size - *at < 8)
		return false;
	*ret = view_u64(v, *at);
	*at += 8;
	return true;
}

static bool skip_read(const struct view *v, u32 *at, u64 format)
{
	u32 times =
		bytes_of(format & (PD_FORMAT_TOTAL_TIME_ENABLED | PD_FORMAT_TOTAL_TIME_RUNNING));
	u32 value = 8 + bytes_of(format & (PD_FORMAT_ID | PD_FORMAT_LOST));
	u64 nr = 1;

	if (format & PD_FORMAT_GROUP && !take(v, at, &nr))
		return false;
	return skip(v, at, times, 1) && skip(v, at, nr, value);
}

static bool skip_branches(const struct view *v, u32 *at, u64 branch_type)
{
	u64 nr;

	if (!take(v, at, &nr))
		return false;
	if (branch_type & PD_BRANCH_HW_INDEX && !skip(v, at, 8, 1))
		return false;
	return skip(v, at, nr, 24) && (!(branch_type & PD_BRANCH_COUNTERS) || skip(v, at, nr, 8));
}

/*
 * Place of STACK_USER's size word, and the stack pointer (0: not known). 0 when the sample has no
 * stack or is not what the attr says.
 */
static u32 find_stack(const struct layout *l, const struct view *v, u64 *ret_sp)
{
	u32 at = 8 + l->fixed;
	u64 nr;

	*ret_sp = 0;
	if (!(l->type & PD_SAMPLE_STACK_USER) || v->size < at)
		return 0;
	if (l->type & PD_SAMPLE_READ && !skip_read(v, &at, l->read_format))
		return 0;
	if (l->type & PD_SAMPLE_CALLCHAIN && (!take(v, &at, &nr) || !skip(v, &at, nr, 8)))
		return 0;
	if (l->type & PD_SAMPLE_RAW) {
		if (v->size - at < 8)
			return 0;
		nr = 4 + (view_u64(v, at) & UINT32_MAX);
		/* u64s stay where they can be read in one go, also from a record in two parts */
		if (nr % 8 || !skip(v, &at, nr, 1))
			return 0;
	}
	if (l->type & PD_SAMPLE_BRANCH_STACK && !skip_branches(v, &at, l->branch_type))
		return 0;
	if (l->type & PD_SAMPLE_REGS_USER) {
		u32 regs;

		if (!take(v, &at, &nr))
			return 0;
		regs = at;
		if (nr && !skip(v, &at, l->nr_regs, 8))
			return 0;
		if (nr && l->sp_at >= 0)
			*ret_sp = view_u64(v, regs + 8 * (u32)l->sp_at);
	}
	return v->size - at < 8 ? 0 : at;
}

/* How much of a copy's valid bytes lies within the mapping of its stack. */
static u64 within_mapping(struct rec_copier *c, const struct layout *l, const struct view *v,
			  u64 sp, u64 valid)
{
	u64 ids, end;

	if (valid <= STACK_UNQUESTIONED || !sp || !l->tid_at)
		return valid;
	ids = view_u64(v, l->tid_at);
	end = stack_bounds_end(c->bounds, (u32)ids, (u32)(ids >> 32), sp);
	return end - sp < valid ? end - sp : valid;
}

/*
 * Appends a sample with its stack {size, data[size], dyn_size} as {n, data[n], dyn_size}, n being
 * dyn_size rounded up to 8; or as {0} when no byte is valid. What follows moves up.
 */
static bool put_cut(struct rec_copier *c, const struct layout *l, const struct view *v,
		    struct wbuf *out)
{
	u64 sp, size, valid;
	u32 at = find_stack(l, v, &sp), n, end, tail_at, tail;
	u8 *p;

	if (!at)
		return false;
	size = view_u64(v, at);
	c->counts.stacks++;
	if (!size)
		return false;
	if (size % 8 || size > v->size || at + 8 + size + 8 > v->size)
		return false;
	valid = view_u64(v, at + 8 + (u32)size);
	if (valid > size)
		return false;
	c->counts.stack_bytes_asked += size;
	c->counts.stacks_full += valid == size;
	valid = within_mapping(c, l, v, sp, valid);
	c->counts.stack_bytes_valid += valid;
	n = (u32)(valid + 7) & ~7u;
	tail_at = at + 8 + (u32)size + 8;
	tail = v->size - tail_at;
	end = at + 8 + (n ? n + 8 : 0);
	p = wb_add(out, end + tail);
	view_copy(v, 0, at, p);
	memcpy(p + at, &(u64){ n }, 8);
	if (n) {
		view_copy(v, at + 8, n, p + at + 8);
		memcpy(p + at + 8 + n, &valid, 8);
	}
	view_copy(v, tail_at, tail, p + end);
	memcpy(p + 6, &(u16){ (u16)(end + tail) }, 2);
	return true;
}

/* True when the record was put into out, not as it lies. */
static bool note_sample(struct rec_copier *c, const struct view *v, struct wbuf *out)
{
	const struct layout *l = layout_of_sample(c, v);

	c->counts.samples++;
	if (l->time_at && v->size >= l->time_at + 8) {
		u64 time = view_u64(v, l->time_at);

		if (!c->counts.first_time || time < c->counts.first_time)
			c->counts.first_time = time;
		if (time > c->counts.last_time)
			c->counts.last_time = time;
	}
	return out && c->cut && put_cut(c, l, v, out);
}

static void note_lost(struct rec_copier *c, const struct view *v, u32 type)
{
	u64 lost, id = 0;

	if (type == PD_RECORD_LOST && v->size >= 24) {
		id = view_u64(v, 8);
		lost = view_u64(v, 16);
		c->counts.lost_records += lost;
	} else if (type == PD_RECORD_LOST_SAMPLES && v->size >= 16) {
		lost = view_u64(v, 8);
		if (c->id_from_end && v->size >= 16 + c->id_from_end)
			id = view_u64(v, v->size - c->id_from_end);
		c->counts.lost_samples += lost;
	} else {
		return;
	}
	if (c->l->nr)
		c->lost[event_of_id(c, id)] += lost;
}

static void note_mapping(struct rec_copier *c, const struct view *v)
{
	if (c->bounds && v->size >= 16)
		stack_bounds_forget_process(c->bounds, (u32)view_u64(v, 8));
	if (!c->ids)
		return;
	if (v->n >= v->size) {
		buildids_note(c->ids, v->p, v->size);
		return;
	}
	view_copy(v, 0, v->size, c->whole);
	buildids_note(c->ids, c->whole, v->size);
}

/* All that is known of a record from its header. */
static bool note_record(struct rec_copier *c, const struct view *v, u32 type, u16 misc,
			struct wbuf *out)
{
	switch (type) {
	case PD_RECORD_SAMPLE: return c->l->nr && note_sample(c, v, out);
	case PD_RECORD_LOST:
	case PD_RECORD_LOST_SAMPLES: note_lost(c, v, type); break;
	case PD_RECORD_THROTTLE: c->counts.throttled++; break;
	case PD_RECORD_MMAP:
	case PD_RECORD_MMAP2: note_mapping(c, v); break;
	case PD_RECORD_EXIT:
		if (c->bounds && v->size >= 24)
			stack_bounds_forget_thread(c->bounds, (u32)view_u64(v, 16));
		break;
	case PD_RECORD_COMM:
		if (c->bounds && misc & PD_MISC_COMM_EXEC && v->size >= 16)
			stack_bounds_forget_process(c->bounds, (u32)view_u64(v, 8));
		break;
	}
	return false;
}

int copier_pass(struct rec_copier *c, const struct span *runs, int nr_runs, struct wbuf *out,
		struct perr *e)
{
	size_t total = 0, at = 0, before = out ? out->n : 0;
	struct span first = nr_runs > 0 ? runs[0] : span_of(NULL, 0);
	struct span second = nr_runs > 1 ? runs[1] : span_of(NULL, 0);
	int err = 0;

	if (c->bounds)
		stack_bounds_new_round(c->bounds);
	total = first.n + second.n;
	while (at < total) {
		bool in_first = at < first.n;
		struct view v = {
			.p = in_first ? first.p + at : second.p + (at - first.n),
			.rest = second.p,
		};
		size_t room = in_first ? first.n - at : total - at;
		u64 head;

		/* a header never wraps in a ring: all that the kernel writes is aligned to 8 */
		if (room < 8) {
			err = perr_set(e, PERR_FORMAT, "a ring ends within a record's header");
			break;
		}
		head = get_u64(v.p, false);
		v.size = (u32)(head >> 48);
		v.n = room < v.size ? (u32)room : v.size;
		if (v.size < 8 || v.size % 8 || v.size > total - at) {
			err = perr_set(e, PERR_FORMAT,
				       "a record of %u bytes in a ring with %zu bytes left", v.size,
				       total - at);
			break;
		}
		c->counts.records++;
		if (!note_record(c, &v, (u32)head, (u16)(head >> 32), out) && out)
			view_copy(&v, 0, v.size, wb_add(out, v.size));
		at += v.size;
	}
	c->counts.bytes_in += at;
	c->counts.bytes_out += out ? out->n - before : at;
	return err;
}
