/* SPDX-License-Identifier: MIT */
#include "report/text/header_topology.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "fileformat/feature/feature_pmu.h"
#include "fileformat/feature/feature_topology.h"

static void put_span(struct out *o, struct span s)
{
	if (s.n)
		out_mem(o, s.p, s.n);
}

static void put_line(struct out *o, const char *label, struct span s)
{
	out_str(o, label);
	put_span(o, s);
	out_char(o, '\n');
}

/* CPUs that can exist; 0 where the file does not say. */
static struct pd_nrcpus nrcpus(const struct perfdata *pd)
{
	const struct pd_feature *f = pd_feature_get(pd, PD_FEAT_NRCPUS);
	struct pd_nrcpus n = { 0 };

	if (f && pd_feature_nrcpus(f->data, pd->swap, &n, NULL))
		n = (struct pd_nrcpus){ 0 };
	return n;
}

int header_put_cpu_topology(struct header_text *h, struct span d, struct perr *e)
{
	bool swap = h->pd->swap;
	struct pd_cpu_topology t;
	struct span s;
	size_t i;
	int err = pd_feature_cpu_topology(d, swap, nrcpus(h->pd).avail, &t, e);

	if (err)
		return err;
	while (pd_strings_next(&t.packages, &s))
		put_line(h->o, "# sibling sockets : ", s);
	while (pd_strings_next(&t.dies, &s))
		put_line(h->o, "# sibling dies    : ", s);
	while (pd_strings_next(&t.cores, &s))
		put_line(h->o, "# sibling threads : ", s);
	if (!t.core_ids.n)
		out_str(h->o, "# Core ID and Socket ID information is not available\n");
	for (i = 0; i < t.core_ids.n / 8; i++) {
		/* -1 where the kernel did not know */
		out_printf(h->o, "# CPU %zu: Core ID %d", i,
			   (int)get_u32(t.core_ids.p + i * 8, swap));
		if (t.die_ids.n)
			out_printf(h->o, ", Die ID %d", (int)get_u32(t.die_ids.p + i * 4, swap));
		out_printf(h->o, ", Socket ID %d\n", (int)get_u32(t.core_ids.p + i * 8 + 4, swap));
	}
	return 0;
}

/* --- CPU lists -------------------------------------------------------------------------------- */

struct range {
	u32 first, last;
};

static int cmp_range(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

/* A number at s->p[*i], moved over; false where there is none (or one beyond all CPUs). */
static bool list_number(struct span s, size_t *i, u32 *ret)
{
	size_t start = *i;
	u64 v = 0;

	for (; *i < s.n && s.p[*i] >= '0' && s.p[*i] <= '9'; ++*i) {
		v = v * 10 + (s.p[*i] - '0');
		if (v > INT32_MAX)
			return false;
	}
	*ret = (u32)v;
	return *i > start;
}

/* Parses "0-3,8"; false where the text is something else. *ret is malloc'd, with what was read. */
static bool parse_cpu_list(struct span s, struct range **ret, size_t *ret_nr)
{
	struct range *v = NULL, r;
	size_t nr = 0, cap = 0, i = 0;
	bool more = s.n;

	while (more) {
		if (!list_number(s, &i, &r.first))
			break;
		r.last = r.first;
		if (i < s.n && s.p[i] == '-') {
			i++;
			if (!list_number(s, &i, &r.last) || r.last < r.first)
				break;
		}
		vec_push(v, nr, cap, r);
		more = i < s.n && s.p[i] == ',';
		i += more;
	}
	*ret = v;
	*ret_nr = nr;
	return !more && i == s.n;
}

/* Appends sorted ranges, as one where they overlap or touch. */
static void put_ranges(struct out *o, const struct range *v, size_t nr)
{
	size_t i, k;

	for (i = 0; i < nr; i = k) {
		struct range r = v[i];

		for (k = i + 1; k < nr && v[k].first <= r.last + 1; k++)
			if (v[k].last > r.last)
				r.last = v[k].last;
		out_printf(o, r.first == r.last ? "%s%u" : "%s%u-%u", i ? "," : "", r.first,
			   r.last);
	}
}

/* "0,1,2" as perf prints it: "0-2", "-1" for none. As it stands where it is no CPU list. */
static void put_cpu_list(struct out *o, struct span s)
{
	struct range *v;
	size_t nr;

	if (!s.n)
		out_str(o, "-1");
	if (!parse_cpu_list(s, &v, &nr)) {
		put_span(o, s);
	} else if (nr) {
		qsort(v, nr, sizeof(*v), cmp_range);
		put_ranges(o, v, nr);
	}
	free(v);
}

int header_put_numa(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_numa_node n;
	struct pd_list l;
	int ret = pd_list_open(d, h->pd->swap, &l, e);

	if (ret)
		return ret;
	while ((ret = pd_numa_next(&l, &n, e)) > 0) {
		out_printf(h->o,
			   "# node%u meminfo  : total = %" PRIu64 " kB, free = %" PRIu64
			   " kB\n# node%u cpu list : ",
			   n.node, n.total_kb, n.free_kb, n.node);
		put_cpu_list(h->o, n.cpus);
		out_char(h->o, '\n');
	}
	return ret;
}

int header_put_cache(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_cache_level c;
	struct pd_list l;
	int ret = pd_cache_open(d, h->pd->swap, &l, e);

	if (ret)
		return ret;
	out_str(h->o, "# CPU cache info:\n");
	while ((ret = pd_cache_next(&l, &c, e)) > 0) {
		out_printf(h->o, "#  L%u ", c.level);
		put_span(h->o, c.type);
		out_fill(h->o, ' ', c.type.n < 15 ? 15 - c.type.n : 0);
		out_fill(h->o, ' ', c.size.n < 8 ? 9 - c.size.n : 1);
		put_span(h->o, c.size);
		out_str(h->o, " [");
		put_span(h->o, c.cpus);
		out_str(h->o, "]\n");
	}
	return ret;
}

/* Bytes in the largest of B, K, M, G that leaves at least 2 (as perf cuts them). */
static void put_bytes(struct out *o, u64 n)
{
	static const char units[] = "BKMG";
	unsigned int i = 0;

	while (i < 3 && n / 1024 > 1) {
		n /= 1024;
		i++;
	}
	out_printf(o, "%" PRIu64 "%c", n, units[i]);
}

/* Next bit at or after `from` that is set (or clear); nr_bits when none is. */
static u64 next_bit(const struct pd_mem_node *n, bool swap, u64 from, bool set)
{
	while (from < n->nr_bits) {
		u64 w = span_u64(n->words, from / 64, swap);

		w = (set ? w : ~w) >> (from % 64);
		if (w) {
			from += (u64)__builtin_ctzll(w);
			break;
		}
		from = (from / 64 + 1) * 64;
	}
	return from < n->nr_bits ? from : n->nr_bits;
}

static void put_memory_node(struct out *o, const struct pd_mem_node *n, u64 block_size, bool swap)
{
	u64 first, end, blocks = 0;
	bool any = false;

	for (first = next_bit(n, swap, 0, true); first < n->nr_bits;
	     first = next_bit(n, swap, end, true)) {
		end = next_bit(n, swap, first, false);
		blocks += end - first;
	}
	out_printf(o, "#  %3" PRIu64 " [", n->node);
	put_bytes(o, blocks * block_size);
	out_str(o, "]: ");
	for (first = next_bit(n, swap, 0, true); first < n->nr_bits;
	     first = next_bit(n, swap, end, true)) {
		end = next_bit(n, swap, first, false);
		out_printf(o, end - first > 1 ? "%s%" PRIu64 "-%" PRIu64 : "%s%" PRIu64,
			   any ? "," : "", first, end - 1);
		any = true;
	}
	out_char(o, '\n');
}

int header_put_memory(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_mem_node n;
	struct pd_list l;
	u64 block_size;
	int ret = pd_mem_open(d, h->pd->swap, &block_size, &l, e);

	if (ret)
		return ret;
	out_printf(h->o, "# memory nodes (nr %" PRIu64 ", block size 0x%" PRIx64 "):\n", l.nr,
		   block_size);
	while ((ret = pd_mem_next(&l, &n, e)) > 0)
		put_memory_node(h->o, &n, block_size, h->pd->swap);
	return ret;
}

int header_put_hybrid(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_hybrid v;
	struct pd_list l;
	int ret = pd_list_open(d, h->pd->swap, &l, e);

	if (ret)
		return ret;
	out_str(h->o, "# hybrid cpu system:\n");
	while ((ret = pd_hybrid_next(&l, &v, e)) > 0) {
		out_str(h->o, "# ");
		put_span(h->o, v.pmu);
		put_line(h->o, " cpu list : ", v.cpus);
	}
	return ret;
}

int header_put_cpu_domains(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_cpu_domain_cpu cpu;
	struct pd_cpu_domain dom;
	struct pd_cpu_domains v;
	int ret = pd_cpu_domain_open(d, h->pd->swap, nrcpus(h->pd).online, &v, e);

	if (ret)
		return ret;
	out_printf(h->o, "# schedstat version\t: %u\n# Maximum sched domains\t: %u\n",
		   v.schedstat_version, v.max_domains);
	while ((ret = pd_cpu_domain_next(&v, &cpu, e)) > 0) {
		out_printf(h->o, "# cpu\t\t: %u\n# nr_domains\t: %u\n", cpu.cpu, cpu.nr_domains);
		while (pd_cpu_domain_get(&cpu, &dom)) {
			out_printf(h->o, "# Domain\t\t: %u\n", dom.domain);
			if (cpu.named)
				put_line(h->o, "# Domain name      : ", dom.name);
			put_line(h->o, "# Domain cpu map   : ", dom.cpumask);
			put_line(h->o, "# Domain cpu list  : ", dom.cpus);
		}
	}
	return ret;
}

int header_put_pmu_mappings(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_pmu_mapping m;
	struct pd_list l;
	int ret = pd_list_open(d, h->pd->swap, &l, e);

	if (ret)
		return ret;
	if (!l.nr) {
		out_str(h->o, "# pmu mappings: not available\n");
		return 0;
	}
	out_str(h->o, "# pmu mappings:");
	while ((ret = pd_pmu_mapping_next(&l, &m, e)) > 0) {
		out_str(h->o, l.left + 1 == l.nr ? " " : ", ");
		put_span(h->o, m.name);
		out_printf(h->o, " = %u", m.type);
	}
	out_char(h->o, '\n');
	return ret;
}

static int put_caps(struct header_text *h, struct span pmu, struct pd_list *caps, struct perr *e)
{
	struct pd_pmu_cap c;
	int ret = 0;

	out_str(h->o, "# ");
	put_span(h->o, pmu);
	out_str(h->o, " pmu capabilities:");
	if (!caps->nr)
		out_str(h->o, " not available");
	while ((ret = pd_cpu_pmu_caps_next(caps, &c, e)) > 0) {
		out_str(h->o, caps->left + 1 == caps->nr ? " " : ", ");
		put_span(h->o, c.name);
		out_char(h->o, '=');
		put_span(h->o, c.value);
	}
	out_char(h->o, '\n');
	return ret;
}

int header_put_cpu_pmu_caps(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_list l;
	int err = pd_list_open(d, h->pd->swap, &l, e);

	return err ? err : put_caps(h, span_of("cpu", 3), &l, e);
}

static bool is_text(struct span s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.p, text, s.n);
}

static bool is_x86(const struct perfdata *pd)
{
	const struct pd_feature *f = pd_feature_get(pd, PD_FEAT_ARCH);
	struct span arch;

	if (!f || pd_feature_text(f->data, pd->swap, &arch, NULL))
		return false;
	return is_text(arch, "x86_64") ||
	       (arch.n == 4 && arch.p[0] == 'i' && !memcmp(arch.p + 2, "86", 2));
}

static bool has_pmu(const struct perfdata *pd, const char *name)
{
	const struct pd_feature *f = pd_feature_get(pd, PD_FEAT_PMU_MAPPINGS);
	struct pd_pmu_mapping m;
	struct pd_list l;

	if (!f || pd_list_open(f->data, pd->swap, &l, NULL))
		return false;
	while (pd_pmu_mapping_next(&l, &m, NULL) > 0)
		if (is_text(m.name, name))
			return true;
	return false;
}

/* True where the core PMU says that none of its events is precise. */
static bool is_imprecise(const struct perfdata *pd)
{
	const struct pd_feature *f = pd_feature_get(pd, PD_FEAT_CPU_PMU_CAPS);
	struct pd_pmu_cap c;
	struct pd_list l;

	if (!f || pd_list_open(f->data, pd->swap, &l, NULL))
		return false;
	while (pd_cpu_pmu_caps_next(&l, &c, NULL) > 0)
		if (is_text(c.name, "max_precise"))
			return is_text(c.value, "0");
	return false;
}

int header_put_pmu_caps(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_pmu_caps c;
	struct pd_list l;
	int ret = pd_list_open(d, h->pd->swap, &l, e);

	while (!ret && (ret = pd_pmu_caps_next(&l, &c, e)) > 0)
		ret = put_caps(h, c.pmu, &c.caps, e);
	/* what perf 7 says of AMD's processors, where IBS takes the place of precise core events */
	if (!ret && h->pd->format != TEXT_PERF_6_1 && is_x86(h->pd) && has_pmu(h->pd, "ibs_op") &&
	    is_imprecise(h->pd))
		out_str(h->o, "# AMD systems uses ibs_op// PMU for some precise events, e.g.: "
			      "cycles:p, see the 'perf list' man page for further details.\n");
	return ret;
}
