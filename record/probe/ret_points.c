/* SPDX-License-Identifier: MIT */
#include "record/probe/ret_points.h"

#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "record/probe/function_pattern.h"
#include "record/probe/x86_flow.h"
#include "symbols/elf/insn_len.h"

#define MAX_PARTS 16
#define MAX_BYTES (1u << 20) /* of one function */
#define LOOK_BACK 8          /* instructions that may compute where a switch goes on */

#define WHY_BRANCH "is left by a jump under a condition"
#define WHY_DECODE "has bytes that are no instructions"

/* A piece of code: the function, or a part of it that lies elsewhere. */
struct part {
	u64 off, end;
	u8 *starts; /* for each byte: an instruction begins there */
};

struct search {
	const struct elf_functions *l;
	const u8 *file;
	bool again;
	struct part parts[MAX_PARTS];
	size_t nr_parts;
	u64 *targets; /* of jumps in the parts */
	size_t nr_targets, cap_targets;
	struct ret_points found;
	u32 last[LOOK_BACK]; /* distances of the instructions before, the last one first */
	size_t nr_last;
};

static const struct part *part_at(const struct search *s, u64 off)
{
	for (size_t i = 0; i < s->nr_parts; i++)
		if (off >= s->parts[i].off && off < s->parts[i].end)
			return &s->parts[i];
	return NULL;
}

static const char *add_part(struct search *s, u64 off, u64 end)
{
	u64 sum = end - off;

	if (off >= end || end > s->l->file->file.n)
		return "has no code";
	for (size_t i = 0; i < s->nr_parts; i++)
		sum += s->parts[i].end - s->parts[i].off;
	if (s->nr_parts == MAX_PARTS || sum > MAX_BYTES)
		return "is too large";
	s->parts[s->nr_parts++] =
		(struct part){ .off = off, .end = end, .starts = xcalloc(end - off, 1) };
	return NULL;
}

/* The cold part with this code; NULL: it is none. */
static const struct elf_function *cold_part(const struct elf_functions *l, u64 off)
{
	size_t lo = 0, hi = l->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (l->f[mid].off <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo && off < l->f[lo - 1].end; lo--)
		if (function_is_cold_part(l->f[lo - 1].name))
			return &l->f[lo - 1];
	return NULL;
}

static void add_point(struct search *s, u64 off)
{
	vec_push(s->found.off, s->found.nr, s->found.cap, off);
}

/* What a jump from `off` to target means. Returns why it cannot be dealt with. */
static const char *take_jump(struct search *s, u64 off, u64 target, bool is_branch)
{
	const struct elf_function *cold;

	if (target == s->parts[0].off && s->again) {
		if (is_branch)
			return WHY_BRANCH " to its start";
		add_point(s, off);
		return NULL;
	}
	if (!part_at(s, target)) {
		cold = cold_part(s->l, target);
		if (!cold && is_branch)
			return WHY_BRANCH;
		if (!cold) {
			add_point(s, off);
			return NULL;
		}
		vec_push(s->targets, s->nr_targets, s->cap_targets, target);
		return add_part(s, cold->off, cold->end);
	}
	vec_push(s->targets, s->nr_targets, s->cap_targets, target);
	return NULL;
}

/*
 * Whether the instruction at p, of n bytes, writes register `to` as switches do: it adds to it or
 * loads it from an array. Returns -1 if it does not write it.
 */
static int computes(const u8 *p, size_t n, unsigned int to)
{
	size_t i = x86_prefixes(p, n);
	u8 rex = i && (p[i - 1] & 0xf0) == 0x40 ? p[i - 1] : 0, modrm;
	unsigned int reg, rm;

	if (i + 1 >= n)
		return i < n && (p[i] & 0xf8) == 0x58 && ((rex & 1u) << 3 | (p[i] & 7u)) == to ? 0
											       : -1;
	modrm = p[i + 1];
	reg = (rex & 4u) << 1 | (modrm >> 3 & 7u);
	rm = (rex & 1u) << 3 | (modrm & 7u);
	switch (p[i]) {
	case 0x01: return modrm >= 0xc0 && rm == to ? 1 : -1;
	case 0x03:
	case 0x63: return reg == to ? 1 : -1;
	case 0x8b:
		if (reg != to)
			return -1;
		/* with an index */
		return modrm < 0xc0 && (modrm & 7) == 4 && i + 2 < n &&
		       ((p[i + 2] >> 3 & 7) != 4 || rex & 2);
	case 0x89: return modrm >= 0xc0 && rm == to ? 0 : -1;
	case 0x8d: return reg == to ? 0 : -1;
	}
	return -1;
}

/* Whether a jump through a register or memory goes on in the function. */
static bool is_switch(const struct search *s, const u8 *p, size_t n)
{
	size_t i = x86_prefixes(p, n);
	u8 rex = i && (p[i - 1] & 0xf0) == 0x40 ? p[i - 1] : 0, modrm = p[i + 1];

	if (memchr(p, 0x3e, i)) /* notrack: only compilers' switches have it */
		return true;
	if (modrm < 0xc0)
		return (modrm & 7) == 4 && i + 2 < n && ((p[i + 2] >> 3 & 7) != 4 || rex & 2);
	for (size_t k = 0; k < s->nr_last; k++) {
		const u8 *before = p - s->last[k];
		int how = computes(before, k ? s->last[k] - s->last[k - 1] : s->last[k],
				   (rex & 1u) << 3 | (modrm & 7u));

		if (how >= 0)
			return how;
	}
	return false;
}

static void remember(struct search *s, u32 n)
{
	if (s->nr_last < LOOK_BACK)
		s->nr_last++;
	for (size_t k = s->nr_last; k-- > 1;)
		s->last[k] = s->last[k - 1] + n;
	s->last[0] = n;
}

/* Whether nothing comes behind the last instruction of a function: ud2, hlt, int3, and calls, of
 * functions that do not return; nop fills the end. */
static bool may_be_last(const u8 *p, size_t n)
{
	size_t i = x86_prefixes(p, n);

	if (i >= n)
		return false;
	if (p[i] == 0xf4 || p[i] == 0xcc || p[i] == 0xe8 || p[i] == 0x90)
		return true;
	if (i + 1 >= n)
		return false;
	return (p[i] == 0x0f && (p[i + 1] == 0x0b || p[i + 1] == 0x1f)) ||
	       (p[i] == 0xff && (p[i + 1] >> 3 & 7) == 2);
}

static const char *sweep_part(struct search *s, const struct part *part)
{
	u64 pos = part->off;
	bool may_end = false;

	s->nr_last = 0;
	while (pos < part->end) {
		u64 left = part->end - pos;
		const u8 *p = s->file + pos;
		unsigned int n = x86_insn_len(p, left < X86_INSN_MAX ? left : X86_INSN_MAX, true);
		const char *why = NULL;
		enum x86_flow flow;
		s64 rel = 0;

		if (!n)
			return WHY_DECODE;
		part->starts[pos - part->off] = 1;
		flow = x86_flow_of(p, n, &rel);
		if (flow == FLOW_RET || (flow == FLOW_INDIRECT && !is_switch(s, p, n)))
			add_point(s, pos);
		else if (flow == FLOW_JUMP || flow == FLOW_BRANCH)
			why = take_jump(s, pos, pos + n + (u64)rel, flow == FLOW_BRANCH);
		if (why)
			return why;
		may_end = flow == FLOW_NEXT ? may_be_last(p, n) : flow != FLOW_BRANCH;
		remember(s, n);
		pos += n;
	}
	return may_end ? NULL : "runs on into what follows it";
}

/* Jumps lead to instructions, or behind the lock prefix of one, else the bytes were taken for
 * others than they are. */
static bool targets_are_right(const struct search *s)
{
	for (size_t i = 0; i < s->nr_targets; i++) {
		u64 to = s->targets[i];
		const struct part *part = part_at(s, to);
		u64 at = to - part->off;

		if (!part->starts[at] && !(at && part->starts[at - 1] && s->file[to - 1] == 0xf0))
			return false;
	}
	return true;
}

const char *ret_points_find(const struct elf_functions *l, u64 off, u64 end, bool again,
			    struct ret_points *ret)
{
	const struct object *o = l->file;
	struct search s = { .l = l, .file = o->file.p, .again = again };
	const char *why;

	if (o->machine != EM_X86_64 || !o->is_64)
		return "is not x86-64 code, the only one whose ret instructions are found";
	why = add_part(&s, off, end);
	for (size_t i = 0; i < s.nr_parts && !why; i++)
		why = sweep_part(&s, &s.parts[i]);
	if (!why && !targets_are_right(&s))
		why = WHY_DECODE;
	if (!why && !s.found.nr)
		why = "does not return";
	for (size_t i = 0; i < s.found.nr && !why; i++)
		vec_push(ret->off, ret->nr, ret->cap, s.found.off[i]);
	for (size_t i = 0; i < s.nr_parts; i++)
		free(s.parts[i].starts);
	free(s.targets);
	ret_points_fini(&s.found);
	return why;
}

void ret_points_fini(struct ret_points *r)
{
	free(r->off);
	*r = (struct ret_points){ 0 };
}
