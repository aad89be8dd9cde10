/* SPDX-License-Identifier: MIT */
#include "report/table/hist_data.h"

#include <stdio.h>

#include "base/mem.h"
#include "count/counts.h"
#include "fileformat/feature/feature.h"
#include "fileformat/feature/feature_topology.h"
#include "machine/module_name.h"
#include "profile/line_text.h"

static void note_final_comms(struct hist_data *d)
{
	const struct counts *c = d->counts;
	const struct count_row *last = NULL;

	/* rows are in order of time, so a thread's last comm overwrites the earlier ones */
	for (size_t i = 0; c && i < c->nr_rows; i++) {
		const struct count_row *r = &c->rows[i];
		const char *comm;

		if (last && count_value(last, COUNT_TID) == count_value(r, COUNT_TID) &&
		    count_value(last, COUNT_COMM) == count_value(r, COUNT_COMM))
			continue;
		last = r;
		comm = intern_text(&d->session->machine->strings, (u32)count_value(r, COUNT_COMM));
		idmap_put(&d->final_comms, count_value(r, COUNT_TID), 0,
			  intern_str(&d->texts, comm));
	}
	for (size_t i = 0; i < d->session->machine->threads.nr; i++) {
		const struct thread *th = d->session->machine->threads.slots[i];

		if (th)
			idmap_put(&d->final_comms, th->tid, 0,
				  intern_str(&d->texts, machine_comm(d->session->machine, th)));
	}
}

/* Reads the sockets of CPUs. Feature CPU_TOPOLOGY: {u32 core_id, u32 socket_id} per CPU. */
static void read_sockets(struct hist_data *d)
{
	const struct pd_feature *f = pd_feature_get(d->pd, PD_FEAT_CPU_TOPOLOGY);
	const struct pd_feature *nr = pd_feature_get(d->pd, PD_FEAT_NRCPUS);
	struct pd_cpu_topology topo;
	struct perr e;

	/* NRCPUS: {u32 online, u32 available}, in pipes behind the feature's number */
	if (!f || !nr || nr->data.n < 8 ||
	    pd_feature_cpu_topology(f->data, d->pd->swap, get_u32(nr->data.p + 4, d->pd->swap),
				    &topo, &e))
		return;
	d->nr_sockets = topo.core_ids.n / 8;
	d->sockets = xcalloc(d->nr_sockets, sizeof(*d->sockets));
	for (size_t i = 0; i < d->nr_sockets; i++)
		d->sockets[i] = get_u32(topo.core_ids.p + i * 8 + 4, d->pd->swap);
}

s32 hist_data_socket(const struct hist_data *d, u64 cpu)
{
	return cpu < d->nr_sockets ? (s32)d->sockets[cpu] : -1;
}

void hist_data_init(struct hist_data *d, const struct table_config *cfg, struct perfdata *pd,
		    struct session *s, struct counts *c, u32 columns, struct chain_frames *frames)
{
	*d = (struct hist_data){
		.cfg = cfg, .pd = pd, .session = s, .counts = c, .columns = columns
	};
	intern_init(&d->texts);
	tuple_table_init(&d->symbol_ids, HIST_SYMBOL_KEY, HIST_SYMBOL_WORDS - HIST_SYMBOL_KEY);
	tuple_table_init(&d->offset_ids, 2, 0);
	tuple_table_init(&d->line_ids, 4, 0);
	out_init_mem(&d->scratch);
	d->trace = tracetext_new(pd);
	if (frames)
		d->frames = *frames;
	else
		chain_frames_init(&d->frames, c);
	note_final_comms(d);
	read_sockets(d);
}

void hist_data_fini(struct hist_data *d)
{
	tracetext_free(d->trace);
	chain_frames_fini(&d->frames);
	intern_fini(&d->texts);
	tuple_table_fini(&d->symbol_ids);
	tuple_table_fini(&d->offset_ids);
	tuple_table_fini(&d->line_ids);
	idmap_fini(&d->symbols_at[0]);
	idmap_fini(&d->symbols_at[1]);
	idmap_fini(&d->symbols_named);
	free(d->sockets);
	idmap_fini(&d->final_comms);
	out_fini(&d->scratch);
	*d = (struct hist_data){ 0 };
}

const char *hist_data_comm_text(const struct hist_data *d, u64 comm)
{
	const struct machine *mc = d->session->machine;

	return intern_text(&mc->strings, threads_first_comm(&mc->threads, (u32)comm));
}

u32 hist_data_comm(struct hist_data *d, u64 comm)
{
	struct hist_comm *known = &d->comms[comm % ARRAY_SIZE(d->comms)];

	if (!known->text || known->comm != comm)
		*known = (struct hist_comm){ comm,
					     intern_str(&d->texts, hist_data_comm_text(d, comm)) };
	return known->text;
}

u32 hist_data_take_text(struct hist_data *d)
{
	u32 id = d->scratch.len ? intern_n(&d->texts, d->scratch.buf, d->scratch.len) : 0;

	d->scratch.len = 0;
	return id;
}

static u32 dso_text(struct hist_data *d, const struct map *m)
{
	if (d->cfg->verbose)
		return intern_str(&d->texts, map_long_name(m));
	map_put_short_name(&d->scratch, m);
	return hist_data_take_text(d);
}

u32 hist_data_dso(struct hist_data *d, const struct map *m)
{
	struct hist_object *o = &d->objects[(uintptr_t)m / sizeof(*m) % ARRAY_SIZE(d->objects)];

	if (!m)
		return 0;
	if (o->map != m)
		*o = (struct hist_object){ m, dso_text(d, m) };
	return o->text;
}

u32 hist_data_srcline(struct hist_data *d, const struct frame *fr)
{
	struct out *o = &d->scratch;
	struct line_hit hit = { 0 };
	u32 dso;

	if (!fr->map)
		return intern_str(&d->texts, "??:0");
	if (dso_find_line(fr->map->dso, fr->ip, fr->map->start, fr->map->pgoff, &hit)) {
		line_text(o, fr, d->cfg->full_source_path);
	} else if (fr->has_sym) {
		out_printf(o, "%s+%llu", fr->sym->name,
			   (unsigned long long)(fr->sym->addr - fr->sym->start));
	} else {
		dso = hist_data_dso(d, fr->map);
		out_printf(o, "%s[%llx]", hist_text(d, dso),
			   (unsigned long long)(dso_get_desc(fr->map->dso)->kind == DSO_USER
							? hit.vaddr
							: map_ip_to_addr(fr->map, fr->ip)));
	}
	return hist_data_take_text(d);
}

/* hist_symbol.kind. name: text id of an inlined function's name; 0: it is not inlined. */
static u64 symbol_kind(const struct frame *fr, bool with_dso, u32 name)
{
	return fr->has_sym | (u64)with_dso << 1 | (u64)name << 2;
}

static bool is_inlined(const struct hist_symbol *sym)
{
	return sym->kind >> 2;
}

/* Fills the tuple of a frame's symbol or address. dso: text id; 0: objects do not matter. */
static void symbol_key(const struct frame *fr, u64 addr, u32 dso, u64 kind, u64 *ret)
{
	ret[0] = fr->has_sym ? fr->sym->start : addr;
	ret[1] = fr->has_sym ? fr->sym->end : 0;
	/* equal addresses without a symbol are one row, also in different objects */
	ret[2] = fr->has_sym ? dso : 0;
	ret[3] = kind;
}

void hist_data_fetch_symbol(const struct hist_data *d, const struct frame *fr, u64 addr)
{
	u64 key[HIST_SYMBOL_KEY];

	symbol_key(fr, addr, 0, symbol_kind(fr, false, 0), key);
	tuple_table_prefetch(&d->symbol_ids, tuple_table_hash(&d->symbol_ids, key));
}

/*
 * Sets sym->same_as. perf treats an inlined function as equal to another function of the same name,
 * inlined or not, if the symbols that contain them touch or overlap at an end. d->symbols_at has
 * the ends of all symbols seen so far.
 */
static void find_same(struct hist_data *d, struct hist_symbol *sym, u32 name, u32 id)
{
	u64 names = (u64)name << 32 | sym->dso;
	u32 touching[] = { idmap_get(&d->symbols_at[0], names, sym->start),
			   idmap_get(&d->symbols_at[0], names, sym->end),
			   idmap_get(&d->symbols_at[1], names, sym->start) };

	for (size_t i = 0; i < ARRAY_SIZE(touching); i++) {
		u32 at = touching[i];

		if (at != IDMAP_NONE && (is_inlined(sym) || is_inlined(hist_symbol(d, at)))) {
			sym->same_as = hist_symbol(d, at)->same_as;
			break;
		}
	}
	idmap_put(&d->symbols_at[0], names, sym->start, id);
	idmap_put(&d->symbols_at[1], names, sym->end, id);
}

/* Sets sym->same_as to the first symbol of its name, in its object where no key tells objects. */
static void find_named(struct hist_data *d, struct hist_symbol *sym, u32 name, u32 id)
{
	u32 first = idmap_get(&d->symbols_named, name, sym->dso);

	if (first == IDMAP_NONE)
		idmap_put(&d->symbols_named, name, sym->dso, id);
	else
		sym->same_as = first;
}

static u32 symbol_id(struct hist_data *d, const struct frame *fr, u64 addr, bool with_dso,
		     bool inlined)
{
	u32 name = inlined ? intern_str(&d->texts, fr->sym->name) : 0;
	u32 dso = with_dso ? hist_data_dso(d, fr->map) : 0, id;
	size_t nr_known = d->symbol_ids.nr;
	u64 key[HIST_SYMBOL_KEY];
	struct hist_symbol *sym;

	symbol_key(fr, addr, dso, symbol_kind(fr, with_dso, name), key);
	id = tuple_table_id(&d->symbol_ids, key);
	sym = hist_symbol(d, id);
	if (id < nr_known)
		return sym->same_as;
	sym->name = fr->has_sym ? fr->sym->name : NULL;
	sym->dso = dso;
	sym->same_as = id;
	if (!sym->name || !(d->cfg->by_name || d->frames.nr_inlined))
		return id;
	if (!name)
		name = intern_str(&d->texts, sym->name);
	if (d->cfg->by_name)
		find_named(d, sym, name, id);
	else
		find_same(d, sym, name, id);
	return sym->same_as;
}

u32 hist_data_symbol(struct hist_data *d, const struct frame *fr, u64 addr, bool with_dso)
{
	return symbol_id(d, fr, addr, with_dso, false);
}

u32 hist_data_inlined(struct hist_data *d, const struct frame *fr, bool with_dso)
{
	return symbol_id(d, fr, 0, with_dso, true);
}

const char *hist_data_final_comm(const struct hist_data *d, u64 tid)
{
	u32 id = idmap_get(&d->final_comms, tid, 0);

	return id == IDMAP_NONE ? "" : hist_text(d, id);
}

int hist_data_final_width(struct hist_data *d, u64 tid)
{
	if (!d->measured || d->measured_tid != tid)
		d->measured_width = (int)strlen(hist_data_final_comm(d, tid));
	d->measured = true;
	d->measured_tid = tid;
	return d->measured_width;
}

char hist_origin(const struct map *m)
{
	const struct dso_desc *desc;
	char origin;

	if (!m)
		return '!';
	desc = dso_get_desc(m->dso);
	origin = dso_get_origin(m->dso);
	/* perf's letters for a module without a symbol file of its own */
	if (origin == '!' && desc->kind == DSO_MODULE)
		return strstr(m->dso_name, ".ko.") ? 'm' : 'K';
	return origin;
}

char hist_level(u64 cpumode)
{
	switch (cpumode) {
	case PD_CPUMODE_KERNEL: return 'k';
	case PD_CPUMODE_USER: return '.';
	case PD_CPUMODE_GUEST_KERNEL: return 'g';
	case PD_CPUMODE_GUEST_USER: return 'u';
	case COUNT_MODE_WAITS: return '-';
	default: return 'H';
	}
}
