/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_code.h"

#include "base/mem.h"
#include "symbols/elf/object.h"
#include "unwind/code_way.h"

#define MAX_INSNS 4000 /* the most instructions examined for one pc */
#define SEEN_SIZE 8192 /* a power of two */
/* How far, in bytes, a pc may be from its function's start for a search from there. */
#define MAX_FROM_START (4 * MAX_INSNS)
#define MAX_WAYS 512 /* the most paths followed for one pc */
#define AT_ONCE 32   /* instructions of one path before the next path is continued */

struct unwind_code {
	struct code_text text;
	struct code_way ways[MAX_WAYS]; /* paths [next, nr_ways) still have to be followed */
	size_t next, nr_ways, nr_seen;
	u16 used[MAX_INSNS]; /* indexes in `seen` that are in use */
	u32 seen[SEEN_SIZE]; /* hash table of the vaddrs that were executed, all of one file: vaddr
			      * + 1; 0: free */
};

/*
 * Notes that the instruction at `at` is executed. Returns false if another path has executed it
 * before or MAX_INSNS is reached.
 */
static bool code_see_address(struct unwind_code *c, u64 at)
{
	size_t i = at % SEEN_SIZE;

	if (c->nr_seen == MAX_INSNS)
		return false;
	for (; c->seen[i]; i = (i + 1) % SEEN_SIZE)
		if (c->seen[i] == (u32)at + 1)
			return false;
	c->seen[i] = (u32)at + 1;
	c->used[c->nr_seen++] = (u16)i;
	return true;
}

static void forget(struct unwind_code *c)
{
	for (size_t i = 0; i < c->nr_seen; i++)
		c->seen[c->used[i]] = 0;
	c->nr_seen = c->nr_ways = c->next = 0;
}

static void open_way(struct unwind_code *c, const struct code_way *w, u64 at)
{
	if (c->nr_ways == MAX_WAYS)
		return;
	c->ways[c->nr_ways] = *w;
	c->ways[c->nr_ways++].at = at;
}

/*
 * Follows one path for AT_ONCE instructions. Returns the unwind rule if the path reaches the
 * function's return or, unless inside is NULL, the address *inside; else 0.
 */
static u32 follow(struct unwind_code *c, struct code_way *w, const u64 *inside)
{
	u64 to;

	for (int i = 0; i < AT_ONCE; i++) {
		if (inside && w->at == *inside)
			return code_way_rule_inside(w);
		if (!code_see_address(c, w->at))
			return 0;
		switch (code_way_step(w, &c->text, &to)) {
		case CODE_GOES_ON: break;
		case CODE_BRANCHES: open_way(c, w, to); break;
		case CODE_RETURNS: return inside ? 0 : code_way_rule(w);
		case CODE_ENDS: return 0;
		}
	}
	open_way(c, w, w->at);
	return 0;
}

/*
 * Follows all paths from `from` in turns of AT_ONCE instructions, so that a short path to the
 * target is found before a long one. Code after the end of every path is never looked at. The
 * result is that of follow().
 */
static u32 follow_all(struct unwind_code *c, u64 from, const u64 *inside)
{
	struct code_way w;
	u32 rule = 0;

	open_way(c, &(struct code_way){ .sp_known = true }, from);
	while (!rule && c->next < c->nr_ways) {
		w = c->ways[c->next++];
		rule = follow(c, &w, inside);
	}
	forget(c);
	return rule;
}

/*
 * Derives the rule for vaddr from the path that leads there from the function's start. It serves
 * JIT-compiled code that never returns but traps; only for such code is the start known.
 */
static u32 rule_from_start(struct unwind_code *c, const struct unwind_module *m, u64 vaddr)
{
	u64 start = unwind_module_code(m)->loads[0].vaddr;

	if (vaddr - start >= MAX_FROM_START)
		return 0;
	return follow_all(c, code_entry(&c->text, start), &vaddr);
}

u32 unwind_code_rule(struct unwind_code *c, const struct unwind_module *m, u64 vaddr, bool called)
{
	u32 rule = 0;

	c->text = (struct code_text){ .m = m };
	if (!called || !code_is_behind_the_end(&c->text, vaddr))
		rule = follow_all(c, vaddr, NULL);
	if (!rule && unwind_module_is_made(m))
		rule = rule_from_start(c, m, vaddr);
	return rule ? rule : RULE_MAKE(RULE_GUESS, 0, 0);
}

struct unwind_code *unwind_code_new(void)
{
	return xcalloc(1, sizeof(struct unwind_code));
}

void unwind_code_free(struct unwind_code *c)
{
	free(c);
}
