/* SPDX-License-Identifier: MIT */
#include "report/annotate/code_lines.h"

#include "machine/mapset.h"
#include "symbols/symbols.h"

#define LEAST_HOT 0.01 /* percent: perf ranks no line below it */

/* ---- lines */

static void add_source(struct code_lines *l, struct annot_source *s, u64 vaddr, u32 insn)
{
	const char *file;
	u32 first, last;

	if (!annot_source_before(s, vaddr, &file, &first, &last))
		return;
	for (; first <= last; first++, l->nr_source++)
		vec_push(l->lines, l->nr, l->cap, ((struct code_line){ insn, first, file }));
}

struct ranked {
	double share;
	u32 insn;
};

static int compare_shares(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->share > b->share || a->share < b->share)
		return a->share > b->share ? -1 : 1;
	return a->insn > b->insn ? -1 : 1;
}

static void rank(struct code_lines *l, const struct annot_view *v)
{
	struct ranked *ranked = NULL;
	size_t cap = 0;

	for (size_t i = 0; i < v->code->nr; i++) {
		const struct annot_insn *in = &v->code->insns[i];
		double share = annot_insn_share(v, in->vaddr, in->len);

		if (share >= LEAST_HOT)
			vec_push(ranked, l->nr_hot, cap, ((struct ranked){ share, (u32)i }));
	}
	if (l->nr_hot)
		qsort(ranked, l->nr_hot, sizeof(*ranked), compare_shares);
	l->hot = xcalloc(l->nr_hot + 1, sizeof(*l->hot));
	for (size_t i = 0; i < l->nr_hot; i++)
		l->hot[i] = ranked[i].insn;
	free(ranked);
}

void code_lines_init(struct code_lines *l, const struct annot_view *v, bool source)
{
	struct annot_source *s = source ? annot_source_new(v->code, v->lines) : NULL;

	*l = (struct code_lines){ 0 };
	l->line_of = xcalloc(v->code->nr + 1, sizeof(*l->line_of));
	for (size_t i = 0; i < v->code->nr; i++) {
		if (s)
			add_source(l, s, v->code->insns[i].vaddr, (u32)i);
		l->line_of[i] = (u32)l->nr;
		vec_push(l->lines, l->nr, l->cap, ((struct code_line){ .insn = (u32)i }));
	}
	annot_source_free(s);
	rank(l, v);
}

void code_lines_fini(struct code_lines *l)
{
	free(l->lines);
	free(l->line_of);
	free(l->hot);
}

/* ---- functions */

static const struct annot_func *sampled_at(const struct annot_samples *s, const struct dso *dso,
					   u64 addr)
{
	for (size_t i = 0; i < s->nr; i++)
		if (s->funcs[i].map->dso == dso && addr >= s->funcs[i].start &&
		    addr < s->funcs[i].end)
			return &s->funcs[i];
	return NULL;
}

bool annot_func_at(const struct annot_samples *s, const struct map *map, u64 ip,
		   struct annot_sum *none, struct annot_func *ret)
{
	const struct annot_func *sampled;
	struct sym_hit hit;

	if (!dso_find(map->dso, ip, map->start, map->pgoff, &hit) || hit.is_object || hit.is_plt)
		return false;
	sampled = map->timed ? NULL : sampled_at(s, map->dso, hit.addr);
	if (sampled)
		*ret = *sampled;
	else
		*ret = (struct annot_func){ .name = hit.name,
					    .map = map,
					    .ip = ip - (hit.addr - hit.start),
					    .start = hit.start,
					    .end = hit.end,
					    .sums = none };
	return true;
}

bool annot_func_in(const struct annot_samples *s, const char *object, u64 addr,
		   struct annot_func *ret)
{
	for (size_t i = 0; i < s->nr; i++)
		if (addr >= s->funcs[i].start && addr < s->funcs[i].end &&
		    !strcmp(s->funcs[i].map->dso_name, object)) {
			*ret = s->funcs[i];
			return true;
		}
	return false;
}

/* A function of another object, by the name that the slot of the call has. */
static bool named_function(const struct annot_samples *s, const char *name, struct annot_func *ret)
{
	const char *plt = strstr(name, "@plt");
	size_t n = plt ? (size_t)(plt - name) : strlen(name);

	for (size_t i = 0; i < s->nr; i++)
		if (!strncmp(s->funcs[i].name, name, n) && !s->funcs[i].name[n]) {
			*ret = s->funcs[i];
			return true;
		}
	return false;
}

bool annot_func_called(const struct annot_samples *s, const struct annot_code *c,
		       const struct annot_insn *in, struct annot_sum *none, struct annot_func *ret)
{
	if (in->is.flow == DISASM_PLAIN || in->is.flow == DISASM_RETURN || !in->is.kind)
		return false;
	if (!in->target_is_slot && in->is.kind == DISASM_TARGET_AT_END &&
	    annot_func_at(s, c->func->map, c->ip + (in->is.target - c->vaddr), none, ret))
		return true;
	return in->target && !in->target_off && named_function(s, in->target, ret);
}
