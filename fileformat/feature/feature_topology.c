/* SPDX-License-Identifier: MIT */
#include "fileformat/feature/feature_topology.h"

static int ends_early(struct span payload, struct perr *e)
{
	return perr_set(e, PERR_FORMAT, "does not fit into its section of %zu bytes", payload.n);
}

int pd_feature_cpu_topology(struct span payload, bool swap, u32 nr_cpus,
			    struct pd_cpu_topology *ret, struct perr *e)
{
	struct cursor c = cursor_of(payload, swap);
	struct pd_cpu_topology t = { 0 };

	t.packages = pd_cur_strings(&c);
	t.cores = pd_cur_strings(&c);
	if (!c.bad && cur_left(&c))
		t.core_ids = cur_array(&c, nr_cpus, 8);
	if (!c.bad && cur_left(&c)) {
		t.dies = pd_cur_strings(&c);
		t.die_ids = cur_array(&c, nr_cpus, 4);
	}
	if (c.bad)
		return ends_early(payload, e);
	*ret = t;
	return 0;
}

int pd_numa_next(struct pd_list *l, struct pd_numa_node *ret, struct perr *e)
{
	struct pd_numa_node v;
	int got;

	if (!l->left)
		return 0;
	v.node = cur_u32(&l->c);
	v.total_kb = cur_u64(&l->c);
	v.free_kb = cur_u64(&l->c);
	v.cpus = pd_cur_string(&l->c);
	got = pd_list_item(l, e);
	if (got > 0)
		*ret = v;
	return got;
}

int pd_cache_open(struct span payload, bool swap, struct pd_list *ret, struct perr *e)
{
	struct pd_list l = { .c = cursor_of(payload, swap) };
	u32 version = cur_u32(&l.c);

	l.nr = l.left = cur_u32(&l.c);
	if (l.c.bad)
		return ends_early(payload, e);
	if (version != 1)
		return perr_set(e, PERR_UNSUPPORTED, "version %u is not known", version);
	*ret = l;
	return 0;
}

int pd_cache_next(struct pd_list *l, struct pd_cache_level *ret, struct perr *e)
{
	struct pd_cache_level v;
	int got;

	if (!l->left)
		return 0;
	v.level = cur_u32(&l->c);
	v.line_size = cur_u32(&l->c);
	v.sets = cur_u32(&l->c);
	v.ways = cur_u32(&l->c);
	v.type = pd_cur_string(&l->c);
	v.size = pd_cur_string(&l->c);
	v.cpus = pd_cur_string(&l->c);
	got = pd_list_item(l, e);
	if (got > 0)
		*ret = v;
	return got;
}

int pd_mem_open(struct span payload, bool swap, u64 *ret_block_size, struct pd_list *ret,
		struct perr *e)
{
	struct pd_list l = { .c = cursor_of(payload, swap) };
	u64 version = cur_u64(&l.c), block_size = cur_u64(&l.c);

	l.nr = l.left = cur_u64(&l.c);
	if (l.c.bad)
		return ends_early(payload, e);
	if (version != 1)
		return perr_set(e, PERR_UNSUPPORTED, "version %llu is not known",
				(unsigned long long)version);
	*ret_block_size = block_size;
	*ret = l;
	return 0;
}

int pd_mem_next(struct pd_list *l, struct pd_mem_node *ret, struct perr *e)
{
	struct pd_mem_node v;
	int got;

	if (!l->left)
		return 0;
	v.node = cur_u64(&l->c);
	(void)cur_u64(&l->c); /* the size again: the one of the bitmap is used */
	v.nr_bits = cur_u64(&l->c);
	/* nr_bits / 64 rounded up, without overflow */
	v.words = cur_array(&l->c, v.nr_bits / 64 + !!(v.nr_bits % 64), 8);
	got = pd_list_item(l, e);
	if (got > 0)
		*ret = v;
	return got;
}

int pd_hybrid_next(struct pd_list *l, struct pd_hybrid *ret, struct perr *e)
{
	struct pd_hybrid v;
	int got;

	if (!l->left)
		return 0;
	v.pmu = pd_cur_string(&l->c);
	v.cpus = pd_cur_string(&l->c);
	got = pd_list_item(l, e);
	if (got > 0)
		*ret = v;
	return got;
}

int pd_cpu_domain_open(struct span payload, bool swap, u32 nr_online, struct pd_cpu_domains *ret,
		       struct perr *e)
{
	struct pd_cpu_domains d = { .list.c = cursor_of(payload, swap) };

	d.list.nr = d.list.left = nr_online;
	d.schedstat_version = cur_u32(&d.list.c);
	d.max_domains = cur_u32(&d.list.c);
	if (d.list.c.bad)
		return ends_early(payload, e);
	*ret = d;
	return 0;
}

static struct pd_cpu_domain cur_domain(struct cursor *c, bool named)
{
	struct pd_cpu_domain v = { .domain = cur_u32(c) };

	if (named)
		v.name = pd_cur_string(c);
	v.cpumask = pd_cur_string(c);
	v.cpus = pd_cur_string(c);
	return v;
}

int pd_cpu_domain_next(struct pd_cpu_domains *d, struct pd_cpu_domain_cpu *ret, struct perr *e)
{
	struct cursor *c = &d->list.c;
	struct pd_cpu_domain_cpu v = { .named = d->schedstat_version >= 17 };
	int got;
	u32 i;

	/* perf 7.2 writes an entry for each online CPU; a section that has fewer ends early */
	if (!d->list.left || !cur_left(c))
		return 0;
	v.cpu = cur_u32(c);
	v.nr_domains = cur_u32(c);
	v.domains = (struct pd_list){ .c = *c, .nr = v.nr_domains, .left = v.nr_domains };
	for (i = 0; i < v.nr_domains && !c->bad; i++)
		(void)cur_domain(c, v.named);
	got = pd_list_item(&d->list, e);
	if (got > 0)
		*ret = v;
	return got;
}

bool pd_cpu_domain_get(struct pd_cpu_domain_cpu *cpu, struct pd_cpu_domain *ret)
{
	if (!cpu->domains.left)
		return false;
	cpu->domains.left--;
	*ret = cur_domain(&cpu->domains.c, cpu->named);
	return true;
}
