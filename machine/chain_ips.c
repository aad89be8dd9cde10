/* SPDX-License-Identifier: MIT */
#include "machine/chain_ips.h"

#include "base/mem.h"
#include "fileformat/chain_entries.h"
#include "machine/chain_repeat.h"

void chain_ips_fini(struct chain_ips *c)
{
	free(c->ips);
	free(c->modes);
	*c = (struct chain_ips){ 0 };
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
	struct chain_entries it = chain_entries_of(ips, swap, *mode);
	size_t nr = c->nr;
	int got = 0;
	u64 ip;

	chain_ips_reserve(c, nr + it.nr);
	while (nr < max_stack && (got = chain_entry_next(&it, &ip)) > 0) {
		c->modes[nr] = (u8)it.mode;
		c->ips[nr++] = ip;
	}
	*mode = it.mode;
	c->nr = nr;
	return got >= 0;
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
	c->circle = chain_repeat_of(c->ips + begin, c->nr - begin);
	c->nr -= chain_repeat_frames(c->circle);
}

static void list_recorded(struct chain_ips *c, const struct pd_sample *s, u32 max_stack,
			  bool finds_circle)
{
	bool find_late = s->deferred.n || s->callchain.n / 8 > max_stack;
	struct span ips = s->callchain;
	int mode = PD_CPUMODE_USER;

	/* what is left out is not even listed */
	if (finds_circle && !find_late) {
		c->circle = chain_repeat_of_recorded(ips, s->swap);
		ips.n -= 8ul * chain_repeat_frames(c->circle);
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
	c->end = chain_noted_end(ev, s);
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
	return c->end == STACK_END(UNWIND_TRUNCATED) && c->unwound && c->unwound->last_cfa &&
	       s->time != UINT64_MAX && s->tid != UINT32_MAX;
}

void chain_find_callers(const struct chain_ips *c, const struct pd_sample *s,
			const struct join_table *joins, struct join_path *ret)
{
	const struct unwind_frames *u = c->unwound;
	const struct unwind_tag *tags = machine_stacks_tags(c->user);
	const struct join_frame last = { tags[u->numbers[u->nr - 1]].function, u->last_cfa };

	join_find(joins, chain_join_task(s), s->time, &last, machine_stacks_max_frames(c->user),
		  ret);
}
