/* SPDX-License-Identifier: MIT */
#include "events/func/func_source.h"

#include "base/mem.h"
#include "events/sample_reg.h"
#include "fileformat/perfdata.h"

/* Numbers of the stack pointer in PERF_SAMPLE_REGS_USER, and what a return takes off the stack. */
static const struct sp_rule {
	const char *arch;
	u8 reg, taken_64, taken_32;
} sp_rules[] = {
	{ "x86_64", 7, 8, 4 },
	{ "i686", 7, 8, 4 },
	{ "aarch64", 31, 0, 0 },
};

/* r14 in PERF_SAMPLE_REGS_USER on x86-64: Go since 1.17 has the address of the goroutine in it
 * ("ABIInternal" in its cmd/compile/abi-internal.md). */
#define GO_G_REG 22

void func_source_init(struct func_source *src, struct session *s, struct func_table *table)
{
	*src = (struct func_source){ .s = s, .table = table };
	func_calls_init(&src->calls, &func_table_calls, table);
}

void func_source_fini(struct func_source *src)
{
	func_calls_fini(&src->calls);
	free(src->probes);
	losses_fini(&src->losses);
}

static bool has_prefix(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/*
 * Splits the names of prec's events ("uprobe:FILE:NAME", "uretprobe:FILE:NAME",
 * "uret:FILE:NAME@0xOFFSET", "goret:FILE:NAME@0xOFFSET"), and those of perf probe ("probe_X:NAME",
 * "probe_X:NAME__return") into file and name. Returns false for other events.
 */
static bool split_name(const char *event, struct span *ret_file, struct span *ret_name,
		       struct func_probe *p)
{
	const char *file = strchr(event, ':'), *name, *at;
	bool is_perf = has_prefix(event, "probe_");
	size_t n;

	p->is_go = has_prefix(event, "goret:");
	p->exact = p->at_ret = p->is_go || has_prefix(event, "uret:");
	p->is_return = p->at_ret || has_prefix(event, "uretprobe:");
	if (!file || (!is_perf && !p->is_return && !has_prefix(event, "uprobe:")))
		return false;
	file = is_perf ? event + strlen("probe_") : file + 1;
	name = strchr(file, ':');
	if (!name)
		return false;
	*ret_file = span_of(file, (size_t)(name - file));
	n = strlen(++name);
	if (is_perf && n > 8 && !strcmp(name + n - 8, "__return")) {
		p->is_return = true;
		n -= 8;
	}
	at = p->at_ret ? strrchr(name, '@') : NULL;
	if (at)
		n = (size_t)(at - name);
	*ret_name = span_of(name, n);
	return n != 0;
}

/* How returns of a function are seen holds for its entries, too. */
static void mark_entries(struct func_source *src)
{
	struct func_probe *how = xcalloc(src->table->nr_functions + 1, sizeof(*how));

	for (size_t i = 0; i < src->nr_probes; i++)
		if (src->probes[i].func != FUNC_NO_NODE && src->probes[i].exact)
			how[src->probes[i].func] = src->probes[i];
	for (size_t i = 0; i < src->nr_probes; i++) {
		struct func_probe *p = &src->probes[i];

		if (p->func == FUNC_NO_NODE)
			continue;
		p->exact = how[p->func].exact;
		p->is_go = how[p->func].is_go;
	}
	free(how);
}

int func_source_start(struct func_source *src, struct perr *e)
{
	const struct perfdata *pd = src->s->pd;
	bool found = false;

	if (src->ready)
		return 0;
	src->nr_probes = pd->nr_events;
	src->probes = xcalloc(pd->nr_events + 1, sizeof(*src->probes));
	for (size_t i = 0; i < pd->nr_events; i++) {
		const struct pd_event *ev = pd->events[i];
		struct func_probe *p = &src->probes[ev->idx];
		struct span file, name;

		p->func = FUNC_NO_NODE;
		if (!split_name(ev->name, &file, &name, p))
			continue;
		p->func = func_table_function(src->table, file, name, p->is_return);
		found = true;
	}
	if (!found) {
		free(src->probes);
		src->probes = NULL;
		return perr_set(e, PERR_NOTFOUND,
				"it has no probes of functions; plat func FILE:FUNCTION "
				"--print-record says how to record them");
	}
	mark_entries(src);
	src->ready = true;
	return 0;
}

bool *func_source_events(const struct func_source *src)
{
	bool *used = xcalloc(src->nr_probes + 1, sizeof(*used));

	for (size_t i = 0; i < src->nr_probes; i++)
		used[i] = src->probes[i].func != FUNC_NO_NODE;
	return used;
}

/* Where the return address of a sample's call lies, or lay; 0: not known. is_gone: the call has
 * returned. */
static u64 return_place(const struct func_source *src, const struct pd_sample *s, bool is_gone)
{
	const char *arch = src->s->machine->arch;

	for (size_t i = 0; arch && i < ARRAY_SIZE(sp_rules); i++) {
		const struct sp_rule *r = &sp_rules[i];
		u64 sp;

		if (strcmp(arch, r->arch) != 0 || !sample_reg(&s->user_regs, s->swap, r->reg, &sp))
			continue;
		if (is_gone)
			sp -= s->user_regs.abi == 1 ? r->taken_32 : r->taken_64;
		return sp;
	}
	return 0;
}

void func_source_take(struct func_source *src, const struct sample_view *v)
{
	const struct pd_sample *s = &v->ev->sample;
	u32 idx = v->ev->ev->idx;
	const struct func_probe *p;
	struct func_entry e;

	if (s->time == UINT64_MAX || idx >= src->nr_probes)
		return;
	p = &src->probes[idx];
	if (p->func == FUNC_NO_NODE)
		return;
	if (s->time > src->last_time)
		src->last_time = s->time;
	e = (struct func_entry){ .pid = s->pid,
				 .tid = s->tid,
				 .func = p->func,
				 .time = s->time,
				 .exact = p->exact,
				 .ip = s->ip };
	if (!func_table_wants(src->table, &e, v->task.comm))
		return;
	if (!p->is_go) {
		e.sp = return_place(src, s, p->is_return && !p->at_ret);
		src->nr_no_sp += !e.sp;
	} else if (!sample_reg(&s->user_regs, s->swap, GO_G_REG, &e.goroutine)) {
		src->nr_no_g++;
	}
	if (p->is_return) {
		func_calls_leave(&src->calls, &e);
		return;
	}
	e.row = func_table_count(src->table, &e, v->task.comm);
	if (!func_table_has_return(src->table, p->func))
		return;
	if (src->table->stacks)
		e.stack = stack_texts_of(&src->table->stacks->texts, v);
	func_calls_enter(&src->calls, &e);
}

void func_source_take_record(struct func_source *src, const struct replay_event *ev)
{
	bool has_time = ev->time && ev->time != UINT64_MAX;
	struct pd_task task;
	struct perr e;

	switch (ev->rec.type) {
	case PD_RECORD_EXIT:
		if (has_time && !pd_read_task(&ev->rec, src->s->pd->swap, &task, &e))
			func_calls_end_thread(&src->calls, task.tid, FUNC_OPEN);
		break;
	case PD_RECORD_COMM:
		if (has_time && ev->rec.misc & PD_MISC_COMM_EXEC)
			func_calls_end_thread(&src->calls, ev->sample.tid, FUNC_UNWOUND);
		break;
	case PD_RECORD_LOST_SAMPLES: losses_take(&src->losses, ev, src->s->pd->swap); break;
	case PD_RECORD_LOST:
		losses_take(&src->losses, ev, src->s->pd->swap);
		func_calls_lost(&src->calls);
		break;
	}
}
