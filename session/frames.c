/* SPDX-License-Identifier: MIT */
#include "session/frames.h"

#include "base/mem.h"
#include "session/count_repeat.h"

#define CACHE_BITS 12 /* 64 KiB: neighbours in time share their frames */

struct frame_cache_line {
	u64 ip;
	u32 set_id; /* 0: empty */
	u32 frame;
};

void frames_init(struct frames *f, size_t max)
{
	*f = (struct frames){ .max = max, .epoch = 1 };
	f->cache = xcalloc((size_t)1 << CACHE_BITS, sizeof(*f->cache));
}

void frames_fini(struct frames *f)
{
	free(f->items);
	free(f->cache);
	idmap_fini(&f->by_place);
	*f = (struct frames){ 0 };
}

void frames_make_room(struct frames *f)
{
	if (f->nr < f->max)
		return;
	f->nr = 0;
	f->epoch++;
	idmap_clear(&f->by_place);
	memset(f->cache, 0, sizeof(*f->cache) << CACHE_BITS);
}

u32 frames_get(struct frames *f, const struct task_view *task, u8 cpumode, u64 ip)
{
	const struct mapset *set = task_space(task, cpumode);
	u32 set_id = set ? set->id : UINT32_MAX, id;
	struct frame_cache_line *line =
		&f->cache[((ip ^ (u64)set_id << 40) * 0x9e3779b97f4a7c15ull) >> (64 - CACHE_BITS)];
	const struct map *map;

	if (line->ip == ip && line->set_id == set_id)
		return line->frame;
	map = set ? mapset_find(set, ip) : NULL;
	id = idmap_get(&f->by_place, ip, map ? map->id : 0);
	if (id == IDMAP_NONE) {
		id = (u32)f->nr;
		vec_push(f->items, f->nr, f->cap, ((struct frame){ .ip = ip, .map = map }));
		idmap_put(&f->by_place, ip, map ? map->id : 0, id);
	}
	*line = (struct frame_cache_line){ .ip = ip, .set_id = set_id, .frame = id };
	return id;
}

const struct frame *frames_resolve(struct frames *f, u32 id)
{
	struct frame *fr = &f->items[id];

	if (!fr->looked_up) {
		fr->looked_up = true;
		if (fr->map)
			fr->has_sym = dso_find(fr->map->dso, fr->ip, fr->map->start, fr->map->pgoff,
					       &fr->sym);
	}
	return fr;
}

size_t frame_inlines(const struct frame *fr, const struct inline_frame **ret)
{
	if (!fr->map || !fr->has_sym)
		return 0;
	return dso_find_inlines(fr->map->dso, fr->ip, fr->map->start, fr->map->pgoff, ret);
}

size_t frame_inlines_with_lines(const struct frame *fr, const struct inline_frame **ret)
{
	if (!fr->map || !fr->has_sym)
		return 0;
	return dso_find_inlines_with_lines(fr->map->dso, fr->ip, fr->map->start, fr->map->pgoff,
					   ret);
}

void chain_ips_fini(struct chain_ips *c)
{
	free(c->ips);
	free(c->modes);
	*c = (struct chain_ips){ 0 };
}

void chain_fini(struct chain *c)
{
	free(c->ids);
	join_path_fini(&c->path);
	chain_ips_fini(&c->list);
	*c = (struct chain){ 0 };
}

int chain_marker_cpumode(u64 ip)
{
	switch (ip) {
	case PD_CONTEXT_HV: return PD_CPUMODE_HYPERVISOR;
	case PD_CONTEXT_KERNEL: return PD_CPUMODE_KERNEL;
	case PD_CONTEXT_USER:
	case PD_CONTEXT_USER_DEFERRED: return PD_CPUMODE_USER;
	default: return -1;
	}
}

void chain_ips_reserve(struct chain_ips *c, size_t n)
{
	if (n <= c->cap)
		return;
	c->cap = n + n / 2 + 64;
	c->ips = xrealloc(c->ips, c->cap * sizeof(*c->ips));
	c->modes = xrealloc(c->modes, c->cap * sizeof(*c->modes));
}

/*
 * Adds entries of a recorded chain until max_stack are there. Returns false for a damaged chain.
 * *mode carries over from piece to piece.
 */
static bool add_entries(struct chain_ips *c, struct span ips, bool swap, int *mode, u32 max_stack)
{
	size_t i, n = ips.n / 8, nr = c->nr;
	u64 ip;

	chain_ips_reserve(c, nr + n);
	for (i = 0; i < n && nr < max_stack; i++) {
		ip = span_u64(ips, i, swap);
		if (ip >= PD_CONTEXT_MAX) {
			*mode = chain_marker_cpumode(ip);
			if (*mode < 0)
				return false;
			continue;
		}
		c->modes[nr] = (u8)*mode;
		c->ips[nr++] = ip;
	}
	c->nr = nr;
	return true;
}

static void push(struct chain_ips *c, u64 ip)
{
	chain_ips_reserve(c, c->nr + 1);
	c->modes[c->nr] = PD_CPUMODE_USER;
	c->ips[c->nr++] = ip;
}

static void push_all(struct chain_ips *c, const u64 *ips, size_t n)
{
	if (!n)
		return;
	chain_ips_reserve(c, c->nr + n);
	memcpy(c->ips + c->nr, ips, n * sizeof(*ips));
	memset(c->modes + c->nr, PD_CPUMODE_USER, n);
	c->nr += n;
}

/*
 * LBR call stack: the kernel part of the chain, then the leaf and the caller of each branch. Only
 * where the chain tells by its USER marker that there is a user part. True when it was used.
 */
static bool lbr_chain(struct chain_ips *c, const struct pd_sample *s, u32 max_stack)
{
	size_t n = s->callchain.n / 8, user = 0, i, nr_br = s->branches.n / 24;
	int mode = PD_CPUMODE_USER;

	while (user < n && span_u64(s->callchain, user, s->swap) != PD_CONTEXT_USER)
		user++;
	if (user == n)
		return false;
	if (!add_entries(c, span_of(s->callchain.p, user * 8), s->swap, &mode, max_stack)) {
		c->nr = 0;
		return true;
	}
	if (c->nr < max_stack && (s->ip || nr_br))
		push(c, s->ip && (!c->leaf_of_branches || !nr_br)
				? s->ip
				: span_u64(s->branches, 1, s->swap));
	for (i = 0; i < nr_br && c->nr < max_stack; i++)
		push(c, span_u64(s->branches, i * 3, s->swap));
	return true;
}

/*
 * Number of the recorded chain's entry for an unwound frame, its size when there is none: the leaf
 * stands there as it is, of the others the return addresses.
 */
static size_t find_entry(const struct pd_sample *s, u64 lookup_ip, bool leaf)
{
	size_t n = s->callchain.n / 8, i;

	for (i = 0; i < n; i++)
		if (span_u64(s->callchain, i, s->swap) == lookup_ip + !leaf)
			return i;
	return n;
}

/* Entries before the user part. */
static size_t nr_kernel(const struct chain_ips *c)
{
	size_t n = 0;

	while (n < c->nr && c->modes[n] != PD_CPUMODE_USER)
		n++;
	return n;
}

/*
 * The user part from the stack copy, behind what is recorded of the kernel. A user part that was
 * recorded as well goes on where the copy ends.
 */
static void add_unwound(struct chain_ips *c, const struct pd_sample *s)
{
	size_t n = s->callchain.n / 8, max, i;
	const struct unwind_frames *u;

	c->nr = c->nr_kernel = nr_kernel(c);
	max = c->nr + machine_stacks_max_frames(c->user);
	c->unwound = u = machine_stacks_unwind(c->user, s, c->user_maps);
	c->end = STACK_END(u->end);
	push_all(c, u->ips, u->nr);
	if (u->end == UNWIND_ROOT || u->end == UNWIND_DEPTH || !u->nr)
		return;
	i = find_entry(s, u->ips[u->nr - 1], u->nr == 1);
	if (i == n)
		return;
	/* from here on it is as good as any recorded chain */
	c->end = STACK_RECORDED | STACK_JOINED;
	for (i++; i < n && c->nr < max; i++) {
		u64 ip = span_u64(s->callchain, i, s->swap);

		if (ip >= PD_CONTEXT_MAX)
			return;
		push(c, ip - 1);
	}
}

u32 chain_room(const struct chain_ips *c, u32 max_user)
{
	size_t max = c->nr_kernel + max_user;

	return c->nr < max ? (u32)(max - c->nr) : 0;
}

void chain_list_join(struct chain_ips *c, const struct join_path *path, u32 max_user)
{
	size_t max = nr_kernel(c) + max_user;

	if (!path->nr && !path->at_root)
		return;
	for (size_t i = 0; i < path->nr && c->nr < max; i++)
		push(c, path->ips[i]);
	c->end = (path->at_root ? STACK_ROOT : c->end) | STACK_JOINED;
}

void chain_find_circle(struct chain_ips *c)
{
	size_t begin = c->nr;

	c->circle = 0;
	if (!c->nr)
		return;
	while (begin && c->modes[begin - 1] == c->modes[c->nr - 1])
		begin--;
	c->circle = count_find_circle(c->ips + begin, c->nr - begin);
	c->nr -= count_repeat_frames(c->circle);
}

static void list_recorded(struct chain_ips *c, const struct pd_sample *s, u32 max_stack,
			  bool finds_circle)
{
	bool find_late = s->deferred.n || s->callchain.n / 8 > max_stack;
	struct span ips = s->callchain;
	int mode = PD_CPUMODE_USER;

	/* what is left out is not even listed */
	if (finds_circle && !find_late) {
		c->circle = count_find_recorded_circle(ips, s->swap);
		ips.n -= 8ul * count_repeat_frames(c->circle);
	}
	if (!add_entries(c, ips, s->swap, &mode, max_stack) ||
	    !add_entries(c, s->deferred, s->swap, &mode, max_stack))
		c->nr = c->circle = 0;
	else if (finds_circle && find_late)
		chain_find_circle(c);
}

void chain_list(struct chain_ips *c, const struct pd_event *ev, const struct pd_sample *s,
		u32 max_stack)
{
	bool copy;

	c->nr = 0;
	c->circle = 0;
	c->end = STACK_RECORDED;
	c->unwound = NULL;
	if (ev->attr.branch_sample_type & PD_BRANCH_CALL_STACK && lbr_chain(c, s, max_stack))
		return;
	copy = c->user && machine_stacks_wants(ev, s);
	/* of a chain that goes on with a copy, what is before it stays whole */
	list_recorded(c, s, max_stack, c->finds_circle && !copy);
	if (copy)
		add_unwound(c, s);
}

bool chain_is_joinable(const struct chain_ips *c, const struct pd_sample *s)
{
	return c->end == STACK_END(UNWIND_TRUNCATED) && c->unwound->last_cfa &&
	       s->time != UINT64_MAX && s->tid != UINT32_MAX;
}

static void join(struct chain *c, const struct pd_sample *s)
{
	const struct unwind_frames *u = c->list.unwound;
	const struct unwind_tag *tags = machine_stacks_tags(c->list.user);
	const struct join_frame last = { tags[u->numbers[u->nr - 1]].function, u->last_cfa };
	u32 max = machine_stacks_max_frames(c->list.user);

	join_find(c->joins, chain_join_task(s), s->time, &last, max, &c->path);
	chain_list_join(&c->list, &c->path, max);
}

void chain_resolve(struct chain *c, struct frames *f, const struct pd_event *ev,
		   const struct pd_sample *s, const struct task_view *task, u32 max_stack)
{
	size_t i;

	c->list.leaf_of_branches = c->leaf_of_branches;
	c->list.user_maps = task->user_maps;
	chain_list(&c->list, ev, s, max_stack);
	if (c->joins && chain_is_joinable(&c->list, s))
		join(c, s);
	vec_reserve(c->ids, c->cap, c->list.nr);
	for (i = 0; i < c->list.nr; i++)
		c->ids[i] = frames_get(f, task, c->list.modes[i], c->list.ips[i]);
	c->nr = c->list.nr;
}
