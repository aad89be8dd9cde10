/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "fileformat/feature/feature_bpf.h"
#include "report/text/header_topology.h"

/* perf lists programs and BTF by id, the first of equal ones. */
static int cmp_prog(const void *a, const void *b)
{
	const struct pd_bpf_prog *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

struct btf_entry {
	struct pd_btf btf;
	struct pd_btf_index index;
};

struct btf_table {
	struct btf_entry *items;
	size_t nr, cap;
};

static int cmp_btf(const void *a, const void *b)
{
	const struct btf_entry *x = a, *y = b;

	return x->btf.id < y->btf.id ? -1 : x->btf.id > y->btf.id;
}

/* Reads a BPF_BTF payload, sorted; `index` wants the types' names too. */
static int btf_table_read(struct btf_table *t, struct span d, bool swap, bool index, struct perr *e)
{
	struct btf_entry v = { 0 };
	struct pd_list l;
	int ret = pd_list_open(d, swap, &l, e);

	while (!ret && (ret = pd_btf_next(&l, &v.btf, e)) > 0) {
		if (index)
			pd_btf_index_init(&v.index, v.btf.data, swap);
		vec_push(t->items, t->nr, t->cap, v);
		ret = 0;
	}
	if (t->nr)
		qsort(t->items, t->nr, sizeof(*t->items), cmp_btf);
	return ret;
}

static void btf_table_fini(struct btf_table *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		pd_btf_index_fini(&t->items[i].index);
	free(t->items);
}

static const struct pd_btf_index *btf_table_get(const struct btf_table *t, u32 id)
{
	struct btf_entry want = { .btf.id = id };
	const struct btf_entry *v = NULL;

	if (id && t->nr)
		v = bsearch(&want, t->items, t->nr, sizeof(*t->items), cmp_btf);
	return v ? &v->index : NULL;
}

static void put_prog(struct header_text *h, const struct pd_bpf_prog *p,
		     const struct btf_table *btfs)
{
	const struct pd_btf_index *btf = btf_table_get(btfs, p->btf_id);
	char name[PD_BPF_NAME_MAX];
	bool swap = h->pd->swap;
	u32 i;

	if (p->nr_ksyms > 1)
		out_printf(h->o, "# bpf_prog_info %u:\n", p->id);
	for (i = 0; i < p->nr_ksyms; i++) {
		pd_bpf_prog_name(p, i, btf, swap, name);
		if (p->nr_ksyms > 1)
			out_printf(h->o, "# \tsub_prog %u: ", i);
		else
			out_printf(h->o, "# bpf_prog_info %u: ", p->id);
		out_printf(h->o, "%s addr 0x%" PRIx64 " size %u\n", name,
			   span_u64(p->ksyms, i, swap),
			   get_u32(p->func_lens.p + (size_t)i * 4, swap));
	}
}

int header_put_bpf_progs(struct header_text *h, struct span d, struct perr *e)
{
	const struct pd_feature *f = pd_feature_get(h->pd, PD_FEAT_BPF_BTF);
	struct btf_table btfs = { 0 };
	struct pd_bpf_prog p, *progs = NULL;
	size_t nr = 0, cap = 0, i;
	struct pd_list l;
	int ret = pd_list_open(d, h->pd->swap, &l, e);

	if (ret)
		return ret;
	if (!l.nr && h->pd->format != TEXT_PERF_6_1)
		out_str(h->o, "# bpf_prog_info empty\n");
	/* names are a help only: damage there is told with its own section */
	if (l.nr && f)
		(void)btf_table_read(&btfs, f->data, h->pd->swap, true, NULL);
	while ((ret = pd_bpf_prog_next(&l, &p, e)) > 0)
		vec_push(progs, nr, cap, p);
	if (nr)
		qsort(progs, nr, sizeof(*progs), cmp_prog);
	for (i = 0; i < nr; i++)
		if (!i || progs[i].id != progs[i - 1].id)
			put_prog(h, &progs[i], &btfs);
	free(progs);
	btf_table_fini(&btfs);
	return ret;
}

int header_put_btf(struct header_text *h, struct span d, struct perr *e)
{
	struct btf_table t = { 0 };
	size_t i;
	int ret = btf_table_read(&t, d, h->pd->swap, false, e);

	if (!ret && !t.nr && h->pd->format != TEXT_PERF_6_1)
		out_str(h->o, "# btf info empty\n");
	for (i = 0; i < t.nr; i++)
		if (!i || t.items[i].btf.id != t.items[i - 1].btf.id)
			out_printf(h->o, "# btf info of id %u\n", t.items[i].btf.id);
	btf_table_fini(&t);
	return ret;
}
