/* SPDX-License-Identifier: MIT */
#include "report/pscript/sample_text.h"

#include <time.h>

#include "base/mem.h"
#include "fileformat/feature/feature.h"
#include "report/pscript/branch_text.h"
#include "report/text/datasrc_text.h"
#include "report/pscript/frame_text.h"
#include "report/pscript/insn_text.h"
#include "report/pscript/line_slots.h"
#include "profile/line_text.h"
#include "report/text/regs_text.h"
#include "session/chain.h"
#include "fileformat/chain_entries.h"

#define NS_PER_SEC 1000000000ull

/* Limits on the caches of all printers of a command together. */
#define FRAMES_MAX (1u << 15) /* distinct frames, ~4 MB */
#define SLOT_BITS 16          /* lines: 8 MiB */
#define AHEAD 8               /* chain entries between asking for a slot's memory and using it */

struct sample_text {
	struct session *s;
	struct tracetext *trace;
	const struct sample_text_config *cfg;
	struct frames frames;
	struct chain chain;
	struct line_slots slots;
	struct out line; /* the lines of one frame before they are stored in a slot */
	struct line_source *sources;
	struct insn_text *insns;
	int name_width;
	size_t name_width_nr_events; /* events when name_width was computed */
	u64 initial_time, previous_time;
	struct pd_clock_data clock;
	bool has_clock;
	enum regs_arch arch;
	size_t datasrc_width;
};

struct sample_text *sample_text_new(struct session *s, struct tracetext *trace,
				    const struct sample_text_config *cfg, unsigned int nr_sharing)
{
	struct sample_text *t = xcalloc(1, sizeof(*t));
	const struct pd_feature *f = pd_feature_get(s->pd, PD_FEAT_CLOCK_DATA);
	unsigned int bits = SLOT_BITS;
	struct perr e;

	t->s = s;
	t->trace = trace;
	t->cfg = cfg;
	frames_init(&t->frames, FRAMES_MAX / nr_sharing);
	t->chain.leaf_of_branches = cfg->format == TEXT_PERF_6_1;
	t->chain.joins = cfg->joins;
	t->chain.left_truncated = cfg->left_truncated;
	if (cfg->max_user_stack)
		t->chain.list.user = machine_stacks_new(s->machine, cfg->max_user_stack);
	for (; nr_sharing > 1; nr_sharing /= 2)
		bits--;
	line_slots_init(&t->slots, bits);
	out_init_mem(&t->line);
	t->sources = line_source_new();
	t->insns = insn_text_new(t->sources, cfg->full_source_path, cfg->max_blocks);
	t->has_clock = f && !pd_feature_clock_data(f->data, s->pd->swap, &t->clock, &e);
	t->arch = regs_arch_of_file(s->pd);
	return t;
}

void sample_text_free(struct sample_text *t)
{
	if (!t)
		return;
	frames_fini(&t->frames);
	machine_stacks_free(t->chain.list.user);
	chain_fini(&t->chain);
	line_slots_fini(&t->slots);
	out_fini(&t->line);
	insn_text_free(t->insns);
	line_source_free(t->sources);
	free(t);
}

const struct frame *sample_text_own_frame(struct sample_text *t, const struct replay_event *ev,
					  const struct task_view *task)
{
	frames_make_room(&t->frames);
	return frames_resolve(&t->frames,
			      frames_get(&t->frames, task, ev->sample.cpumode, ev->sample.ip));
}

/* --- columns in front ------------------------------------------------------------------------- */

static bool chain_is_printed(const struct sample_text *t, const struct pd_event *ev, u64 fields)
{
	return fields & FIELD_BIT(IP) && ev->attr.sample_type & PD_SAMPLE_CALLCHAIN &&
	       !t->cfg->hide_call_graph;
}

static void print_comm(struct sample_text *t, struct out *o, const struct pd_event *ev, u64 fields,
		       const struct task_view *task)
{
	const char *comm = task ? task->comm : ":-1";

	if (t->cfg->latency)
		out_printf(o, "%8.8s ", comm);
	else if (chain_is_printed(t, ev, fields))
		out_str(o, comm);
	else
		out_str_width(o, comm, 16);
	if (!t->cfg->latency)
		out_char(o, ' ');
}

static void print_ids(const struct sample_text *t, struct out *o, u64 fields,
		      const struct pd_sample *s)
{
	int width = t->cfg->format == TEXT_PERF_6_1 ? 5 : 7;

	if (!(fields & (FIELD_BIT(PID) | FIELD_BIT(TID))))
		return;
	out_int(o, (int)(fields & FIELD_BIT(PID) ? s->pid : s->tid), width);
	if (fields & FIELD_BIT(PID) && fields & FIELD_BIT(TID)) {
		out_char(o, '/');
		out_int(o, (int)s->tid, -width);
	}
	out_char(o, ' ');
}

static void print_cpu(const struct sample_text *t, struct out *o, u32 cpu)
{
	if (t->cfg->latency || (s32)cpu < 0) {
		out_printf(o, t->cfg->latency ? "%3d " : "[%03d] ", (int)cpu);
		return;
	}
	out_char(o, '[');
	out_dec0(o, cpu, 3);
	out_str(o, "] ");
}

static void print_misc(struct out *o, u16 misc, u32 type)
{
	static const struct {
		u16 bits;
		char letter;
	} modes[] = { { PD_CPUMODE_KERNEL, 'K' },
		      { PD_CPUMODE_USER, 'U' },
		      { PD_CPUMODE_HYPERVISOR, 'H' },
		      { PD_CPUMODE_GUEST_KERNEL, 'G' },
		      { PD_CPUMODE_GUEST_USER, 'g' } };
	char letters[8];
	int n = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if ((misc & modes[i].bits) == modes[i].bits)
			letters[n++] = modes[i].letter;
	if ((type == PD_RECORD_MMAP || type == PD_RECORD_MMAP2) && misc & PD_MISC_MMAP_DATA)
		letters[n++] = 'M';
	if (type == PD_RECORD_COMM && misc & PD_MISC_COMM_EXEC)
		letters[n++] = 'E';
	if ((type == PD_RECORD_SWITCH || type == PD_RECORD_SWITCH_CPU_WIDE) &&
	    misc & PD_MISC_SWITCH_OUT) {
		letters[n++] = 'S';
		if (misc & PD_MISC_SWITCH_OUT_PREEMPT)
			letters[n++] = 'p';
	}
	while (n < 6)
		letters[n++] = ' ';
	out_mem(o, letters, (size_t)n);
}

static void print_tod(const struct sample_text *t, struct out *o, u64 time)
{
	u64 wall = time + t->clock.wall_ns - t->clock.clock_ns;
	time_t sec = (time_t)(wall / NS_PER_SEC);
	char text[64];
	struct tm tm;

	if (!t->has_clock) {
		out_str(o, "disabled ");
		return;
	}
	if (!localtime_r(&sec, &tm) || !strftime(text, sizeof(text), "%F %H:%M:%S", &tm))
		return;
	out_printf(o, "%s.%06llu ", text, (unsigned long long)(wall % NS_PER_SEC / 1000));
}

static void print_time(struct sample_text *t, struct out *o, u64 time)
{
	u64 shown = time;

	if (t->cfg->reltime) {
		if (!t->initial_time)
			t->initial_time = time;
		shown = time - t->initial_time;
	} else if (t->cfg->deltatime) {
		shown = t->previous_time ? time - t->previous_time : 0;
		t->previous_time = time;
	}
	out_dec(o, shown / NS_PER_SEC, 5);
	out_char(o, '.');
	if (t->cfg->ns)
		out_dec0(o, shown % NS_PER_SEC, 9);
	else
		out_dec0(o, shown % NS_PER_SEC / 1000, 6);
	out_str(o, ": ");
}

void sample_text_start(struct sample_text *t, struct out *o, const struct pd_event *ev,
		       const struct pd_sample *s, u32 type, const struct task_view *task)
{
	u64 fields = t->cfg->fields->type[fields_type_of(ev->attr.type)].fields;

	if (fields & FIELD_BIT(COMM))
		print_comm(t, o, ev, fields, task);
	print_ids(t, o, fields, s);
	if (fields & FIELD_BIT(CPU))
		print_cpu(t, o, s->cpu);
	if (fields & FIELD_BIT(MISC))
		print_misc(o, s->misc, type);
	if (fields & FIELD_BIT(TOD))
		print_tod(t, o, s->time);
	if (fields & FIELD_BIT(TIME))
		print_time(t, o, s->time);
}

/* --- places ----------------------------------------------------------------------------------- */

static u32 task_space_id(const struct task_view *task, u8 mode)
{
	const struct mapset *set = task_space(task, mode);

	return set ? set->id : UINT32_MAX;
}

/* Appends the lines of one frame: from their slot, or formatted and stored there. */
static void print_lines(struct sample_text *t, struct out *o, const struct task_view *task, u8 mode,
			u64 ip, u8 form, u64 fields)
{
	const struct mapset *set = task_space(task, mode);
	u32 set_id = task_space_id(task, mode);
	/* broken chains have many addresses without a map, which would displace other lines */
	const struct frame nowhere = { .ip = ip };
	const struct frame *fr = &nowhere;
	bool stop;

	if (line_slots_print(&t->slots, o, set_id, ip, form))
		return;
	if (set && mapset_find(set, ip))
		fr = frames_resolve(&t->frames, frames_get(&t->frames, task, mode, ip));
	t->line.len = 0;
	out_escape_like(&t->line, o);
	frame_text_chain(&t->line, fr, t->cfg, fields, &stop);
	line_slots_keep(&t->slots, set_id, ip, form, t->line.buf, t->line.len);
	out_raw(o, t->line.buf, t->line.len);
}

/*
 * The lines of a recorded chain, straight from its entries. A chain with an unknown marker is
 * discarded whole, as chain_resolve does.
 */
static void print_recorded(struct sample_text *t, struct out *o, const struct replay_event *ev,
			   const struct task_view *task, u64 fields)
{
	u8 form = (u8)fields_type_of(ev->ev->attr.type);
	struct chain_entries it =
		chain_entries_of(ev->sample.callchain, ev->sample.swap, PD_CPUMODE_USER);
	struct chain_entries ahead = it;
	u32 left = chain_limit(ev->ev, t->cfg->max_stack, t->cfg->max_user_stack);
	int got;
	u64 ip;

	/* a damaged chain is dropped whole */
	while ((got = chain_entry_next(&ahead, &ip)) > 0)
		;
	if (got < 0)
		return;
	for (; left && chain_entry_next(&it, &ip) > 0; left--) {
		if (it.at - 1 + AHEAD < it.nr)
			line_slots_prefetch(&t->slots, task_space_id(task, (u8)it.mode),
					    span_u64(it.ips, it.at - 1 + AHEAD, it.swap));
		print_lines(t, o, task, (u8)it.mode, ip, form, fields);
	}
}

/* Branch stacks and joined parts are no entries of the recorded chain. */
static bool is_plain_chain(const struct sample_text *t, const struct replay_event *ev)
{
	return !ev->sample.deferred.n &&
	       !(t->chain.list.user && machine_stacks_wants(ev->ev, &ev->sample)) &&
	       !(t->cfg->stop_bt && t->cfg->stop_bt->nr) &&
	       !(ev->ev->attr.branch_sample_type & PD_BRANCH_CALL_STACK);
}

static void print_chain(struct sample_text *t, struct out *o, const struct replay_event *ev,
			const struct task_view *task, u64 fields)
{
	bool stop = false;
	size_t i;

	out_char(o, '\n');
	if (is_plain_chain(t, ev)) {
		print_recorded(t, o, ev, task, fields);
		return;
	}
	chain_resolve(&t->chain, &t->frames, ev->ev, &ev->sample, task, t->cfg->max_stack);
	for (i = 0; i < t->chain.nr && !stop; i++)
		frame_text_chain(o, frames_resolve(&t->frames, t->chain.ids[i]), t->cfg, fields,
				 &stop);
}

/* --- the rest of a sample's line -------------------------------------------------------------- */

static int name_width(struct sample_text *t)
{
	size_t i;

	if (t->name_width_nr_events == t->s->pd->nr_events)
		return t->name_width;
	t->name_width_nr_events = t->s->pd->nr_events;
	for (i = 0; i < t->s->pd->nr_events; i++) {
		int n = (int)strlen(t->s->pd->events[i]->name);

		if (n > t->name_width)
			t->name_width = n;
	}
	return t->name_width;
}

/* Software page-fault events: their addr is an address of the program's code or data. */
static bool addr_is_place(const struct pd_attr *a)
{
	enum { SW_PAGE_FAULTS = 2, SW_PAGE_FAULTS_MIN = 5, SW_PAGE_FAULTS_MAJ = 6 };

	return a->type == PD_TYPE_SOFTWARE &&
	       (a->config == SW_PAGE_FAULTS || a->config == SW_PAGE_FAULTS_MIN ||
		a->config == SW_PAGE_FAULTS_MAJ);
}

static void print_addr(struct sample_text *t, struct out *o, const struct replay_event *ev,
		       const struct task_view *task, u64 fields)
{
	const struct pd_sample *s = &ev->sample;
	const struct frame *fr;
	u8 mode = s->cpumode;

	out_hex(o, s->addr, 16);
	if (!addr_is_place(&ev->ev->attr))
		return;
	/* a kernel-mode fault may touch user memory, and the other way round */
	if (!task_space(task, mode) || !mapset_find(task_space(task, mode), s->addr))
		mode = (s64)s->addr < 0 ? PD_CPUMODE_KERNEL : PD_CPUMODE_USER;
	fr = frames_resolve(&t->frames, frames_get(&t->frames, task, mode, s->addr));
	if (fields & FIELD_BIT(SYM)) {
		out_char(o, ' ');
		frame_text_place(o, fr, NULL, fields & FIELD_BIT(SYMOFF));
	}
	if (fields & FIELD_BIT(DSO)) {
		out_char(o, ' ');
		frame_text_dso(o, fr, t->cfg, fields & FIELD_BIT(DSOFF));
	}
}

static void print_page_size(struct out *o, u64 size)
{
	if (!size)
		out_str(o, " N/A");
	else if (size >= 1ull << 30)
		out_printf(o, " %lluG", (unsigned long long)(size >> 30));
	else if (size >= 1ull << 20)
		out_printf(o, " %lluM", (unsigned long long)(size >> 20));
	else
		out_printf(o, " %lluK", (unsigned long long)(size >> 10));
}

static void print_before_ip(struct sample_text *t, struct out *o, const struct replay_event *ev,
			    const struct task_view *task, u64 fields)
{
	const struct pd_sample *s = &ev->sample;
	const char *cgroup;

	if (fields & FIELD_BIT(PERIOD)) {
		out_dec(o, s->period, 10);
		out_char(o, ' ');
	}
	if (fields & FIELD_BIT(EVENT)) {
		out_str_width(o, ev->ev->name, name_width(t));
		out_str(o, ": ");
	}
	/* only trace decoders set flags: an empty column here */
	if (fields & FIELD_BIT(FLAGS))
		out_fill(o, ' ', 24);
	if (fields & FIELD_BIT(TRACE) && s->raw.n)
		tracetext_print(t->trace, o, ev->ev->attr.config, s->cpu, s->time, s->raw);
	if (fields & FIELD_BIT(ADDR))
		print_addr(t, o, ev, task, fields);
	if (fields & FIELD_BIT(DATA_SRC))
		datasrc_field(o, s->data_src, &t->datasrc_width);
	if (fields & FIELD_BIT(WEIGHT))
		out_dec(o, s->weight, 16);
	if (fields & FIELD_BIT(INS_LAT))
		out_dec(o, s->ins_lat, 16);
	if (fields & FIELD_BIT(RETIRE_LAT))
		out_dec(o, s->weight3, 16);
	if (fields & FIELD_BIT(CGROUP)) {
		cgroup = machine_cgroup(t->s->machine, s->cgroup);
		out_char(o, ' ');
		out_str(o, cgroup ? cgroup : "unknown");
	}
}

static void print_after_ip(struct sample_text *t, struct out *o, const struct replay_event *ev,
			   const struct task_view *task, u64 fields)
{
	const struct pd_sample *s = &ev->sample;

	if (fields & FIELD_BIT(IREGS))
		regs_text(o, t->arch, &s->intr_regs, s->swap);
	if (fields & FIELD_BIT(UREGS))
		regs_text(o, t->arch, &s->user_regs, s->swap);
	if (fields & FIELD_BIT(BRSTACK))
		branch_text(o, t->cfg, ev, task, &t->frames, BRANCH_ADDRS, fields);
	else if (fields & FIELD_BIT(BRSTACKSYM))
		branch_text(o, t->cfg, ev, task, &t->frames, BRANCH_SYMBOLS, fields);
	else if (fields & FIELD_BIT(BRSTACKOFF))
		branch_text(o, t->cfg, ev, task, &t->frames, BRANCH_OFFSETS, fields);
	if (fields & FIELD_BIT(BPF_OUTPUT) && ev->ev->attr.type == PD_TYPE_SOFTWARE &&
	    ev->ev->attr.config == 10 && s->raw.n)
		bpf_output_text(o, s->raw);
	if (fields & INSN_FIELDS)
		insn_text_sample(t->insns, o, ev, task, t->arch, fields);
	if (fields & FIELD_BIT(PHYS_ADDR))
		out_hex(o, s->phys_addr, 16);
	if (fields & FIELD_BIT(DATA_PAGE_SIZE))
		print_page_size(o, s->data_page_size);
	if (fields & FIELD_BIT(CODE_PAGE_SIZE))
		print_page_size(o, s->code_page_size);
}

void sample_text_print(struct sample_text *t, struct out *o, const struct replay_event *ev,
		       const struct task_view *task)
{
	u64 fields = t->cfg->fields->type[fields_type_of(ev->ev->attr.type)].fields;
	const struct frame *fr;

	if (!fields)
		return;
	frames_make_room(&t->frames);
	sample_text_start(t, o, ev->ev, &ev->sample, PD_RECORD_SAMPLE, task);
	print_before_ip(t, o, ev, task, fields);
	if (chain_is_printed(t, ev->ev, fields)) {
		print_chain(t, o, ev, task, fields);
	} else if (fields & FIELD_BIT(IP)) {
		out_char(o, ' ');
		fr = frames_resolve(&t->frames, frames_get(&t->frames, task, ev->sample.cpumode,
							   ev->sample.ip));
		frame_text(o, fr, t->cfg, fields);
	}
	print_after_ip(t, o, ev, task, fields);
	out_char(o, '\n');
	if (fields & FIELD_BIT(SRCCODE))
		line_source_text(t->sources, o, sample_text_own_frame(t, ev, task), ev->sample.tid);
}
