/* SPDX-License-Identifier: MIT */
#include "record/prec_option_calls.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/screen/message.h"
#include "record/model/amount_option.h"
#include "record/model/branch_option.h"
#include "record/model/callgraph_option.h"
#include "record/cgroup_option.h"
#include "record/events/event_parse.h"
#include "record/prec_options.h"
#include "record/model/regs_option.h"

#define COMPRESS_DEFAULT 1 /* zstd level of -z without a value */
#define COMPRESS_MAX 22

int prec_refuse(const char *fmt, ...)
{
	va_list ap;

	fputs("prec: ", stderr);
	va_start(ap, fmt);
	message_va(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return -1;
}

static int refuse_why(const struct perr *e, const char *option)
{
	return prec_refuse("%s: %s", option, e->text);
}

int prec_on_event(void *ctx, const char *arg, bool unset)
{
	struct prec_parse *p = ctx;
	struct event_parse_error where = { 0 };
	struct perr e;

	(void)unset;
	p->last_e = p->l->nr;
	if (!event_parse(p->l, p->o, arg, &where, &e))
		return 0;
	if (where.pos > strlen(arg))
		where.pos = strlen(arg);
	/* the caret is under the byte: 21 characters of the first line come before the text */
	message(stderr, "event syntax error: '%s'\n%*s\\___ %s\n", arg, (int)(where.pos + 21), "",
		e.text);
	if (where.help[0])
		message_lines(stderr, where.help);
	fprintf(stderr, "Run 'prec --list-events' for a list of events.\n");
	return -1;
}

int prec_on_filter(void *ctx, const char *arg, bool unset)
{
	struct prec_parse *p = ctx;
	struct perr e;

	(void)unset;
	return event_parse_filter(p->l, arg, &e) ? refuse_why(&e, "--filter") : 0;
}

int prec_on_exclude_perf(void *ctx, const char *arg, bool unset)
{
	struct prec_parse *p = ctx;
	size_t nr = 0;

	(void)arg;
	for (size_t i = p->last_e; i < p->l->nr; i++) {
		struct rec_event *ev = p->l->events[i];

		if (ev->attr.type != PD_TYPE_TRACEPOINT && !ev->uprobe_path)
			continue;
		ev->exclude_perf = !unset;
		nr++;
	}
	if (!nr && !unset)
		return prec_refuse("--exclude-perf must follow the -e of a tracepoint or uprobe");
	p->o->exclude_perf = !unset;
	return 0;
}

int prec_settle_cgroups(struct prec_parse *p)
{
	struct perr e;

	if (!p->default_cgroups)
		return 0;
	if (p->l->nr)
		return prec_refuse("-G %s: no event to assign it to: put -e EVENT before -G",
				   p->default_cgroups);
	event_parse_defaults(p->l, p->o);
	return cgroup_option_assign(p->l, p->default_cgroups, &p->nr_cgroups, &e)
		       ? refuse_why(&e, "-G")
		       : 0;
}

int prec_on_cgroup(void *ctx, const char *arg, bool unset)
{
	struct prec_parse *p = ctx;
	struct perr e;

	(void)unset;
	p->o->cgroups = arg;
	if (!p->l->nr) {
		p->default_cgroups = arg;
		return 0;
	}
	return cgroup_option_assign(p->l, arg, &p->nr_cgroups, &e) ? refuse_why(&e, "-G") : 0;
}

int prec_on_freq(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;

	o->has_freq = !unset;
	o->freq_max = !unset && !strcmp(arg, "max");
	if (unset || o->freq_max)
		return 0;
	if (parse_u64(arg, 10, 0, UINT32_MAX, &o->freq))
		return prec_refuse("-F: expected a number of samples per second or max, got '%s'",
				   arg);
	return 0;
}

int prec_on_count(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;

	o->has_period = !unset;
	if (!unset && parse_u64(arg, 10, 0, UINT64_MAX, &o->period))
		return prec_refuse("-c: expected a number of events per sample, got '%s'", arg);
	return 0;
}

int prec_on_callgraph(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;
	struct callgraph_option cg;
	struct perr e;

	if (unset) {
		o->callgraph = REC_CG_NONE;
		return 0;
	}
	if (callgraph_option_parse(arg, &cg, &e))
		return refuse_why(&e, "--call-graph");
	o->callgraph = cg.mode;
	o->stack_size = cg.stack_size;
	o->stack_size_given = cg.stack_size != 0;
	o->max_stack = cg.max_stack;
	return 0;
}

int prec_on_g(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;

	(void)arg;
	if (unset)
		o->callgraph = REC_CG_NONE;
	else if (o->callgraph == REC_CG_NONE)
		o->callgraph = REC_CG_FP;
	return 0;
}

int prec_on_inherit(void *ctx, const char *arg, bool unset)
{
	(void)arg;
	((struct prec_parse *)ctx)->o->inherit = unset ? REC_ON : REC_OFF;
	return 0;
}

int prec_on_bpf_event(void *ctx, const char *arg, bool unset)
{
	(void)arg;
	((struct prec_parse *)ctx)->o->bpf_event = unset ? REC_ON : REC_OFF;
	return 0;
}

int prec_on_data_mmap(void *ctx, const char *arg, bool unset)
{
	(void)arg;
	((struct prec_parse *)ctx)->o->data_mmap = unset ? REC_OFF : REC_ON;
	return 0;
}

int prec_on_time(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;

	(void)arg;
	o->sample_time = !unset;
	o->sample_time_off = unset;
	return 0;
}

int prec_on_period(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;

	(void)arg;
	o->sample_period_on = !unset;
	o->sample_period_off = unset;
	return 0;
}

int prec_on_delay(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;
	struct perr e;

	return delay_option_parse(unset ? "0" : arg, o, &e) ? refuse_why(&e, "-D") : 0;
}

static int set_duration(struct rec_opts *o, const char *arg, const char *option)
{
	struct perr e;

	o->duration_ms = 0;
	return arg && duration_option_parse(arg, &o->duration_ms, &e) ? refuse_why(&e, option) : 0;
}

int prec_on_duration(void *ctx, const char *arg, bool unset)
{
	return set_duration(((struct prec_parse *)ctx)->o, unset ? NULL : arg, "--duration");
}

int prec_on_for(void *ctx, const char *arg, bool unset)
{
	return set_duration(((struct prec_parse *)ctx)->o, unset ? NULL : arg, "--for");
}

int prec_on_control(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;

	o->control = unset ? NULL : arg;
	if (unset || !strncmp(arg, "fd:", 3) || !strncmp(arg, "fifo:", 5))
		return 0;
	return prec_refuse("--control: expected fd:CTL[,ACK] or fifo:CTL[,ACK], got '%s'", arg);
}

/* Parses the size of one kind of ring in -m, and warns if it is rounded. */
static int one_ring(struct prec_parse *p, const char *text, u64 *ret)
{
	bool rounded;
	struct perr e;

	if (pages_option_parse(text, (size_t)sysconf(_SC_PAGESIZE), ret, &rounded, &e))
		return refuse_why(&e, "-m");
	if (rounded)
		diag_warn(p->o->diag,
			  "-m %s is rounded up to %llu bytes, a power-of-two number of pages", text,
			  (unsigned long long)*ret);
	return 0;
}

int prec_on_mmap_pages(void *ctx, const char *arg, bool unset)
{
	struct prec_parse *p = ctx;
	size_t len = unset ? 0 : strcspn(arg, ",");
	char *data;
	int rc = 0;

	p->o->mmap_bytes = p->o->auxtrace_bytes = 0;
	if (unset)
		return 0;
	data = xstrndup(arg, len);
	if (len)
		rc = one_ring(p, data, &p->o->mmap_bytes);
	free(data);
	if (!rc && arg[len] && arg[len + 1])
		rc = one_ring(p, arg + len + 1, &p->o->auxtrace_bytes);
	return rc;
}

int prec_on_mmap_flush(void *ctx, const char *arg, bool unset)
{
	struct prec_parse *p = ctx;
	struct perr e;

	p->o->mmap_flush = 0;
	return !unset && size_option_parse(arg, &p->o->mmap_flush, &e)
		       ? refuse_why(&e, "--mmap-flush")
		       : 0;
}

int prec_on_max_size(void *ctx, const char *arg, bool unset)
{
	struct prec_parse *p = ctx;
	struct perr e;

	p->o->max_size = 0;
	return !unset && size_option_parse(arg, &p->o->max_size, &e) ? refuse_why(&e, "--max-size")
								     : 0;
}

int prec_on_buildid_cache_limit(void *ctx, const char *arg, bool unset)
{
	struct prec_parse *p = ctx;
	struct perr e;

	p->o->buildid_cache_limit = 0;
	if (unset)
		return 0;
	return size_option_parse(arg, &p->o->buildid_cache_limit, &e)
		       ? refuse_why(&e, "--buildid-cache-limit")
		       : 0;
}

int prec_on_compress(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;
	u64 level = COMPRESS_DEFAULT;

	if (unset)
		level = 0;
	else if (arg && parse_u64(arg, 10, 0, UINT32_MAX, &level))
		return prec_refuse("-z: expected a level from 0 to %d, got '%s'", COMPRESS_MAX,
				   arg);
	o->compress = (s8)(level > COMPRESS_MAX ? COMPRESS_MAX : level);
	return 0;
}

int prec_on_branch_any(void *ctx, const char *arg, bool unset)
{
	struct prec_parse *p = ctx;

	(void)arg;
	p->branch_any = !unset;
	return 0;
}

int prec_on_branch_filter(void *ctx, const char *arg, bool unset)
{
	struct prec_parse *p = ctx;
	struct perr e;

	p->o->branch_sample_type = 0;
	return !unset && branch_option_parse(arg, &p->o->branch_sample_type, &e)
		       ? refuse_why(&e, "-j")
		       : 0;
}

static int regs_parse(struct prec_parse *p, const char *arg, const char *option, bool intr,
		      u64 *ret)
{
	bool wide = intr && regs_option_can_wide();
	struct perr e;

	if (!arg) {
		*ret = regs_option_all(wide);
		return 0;
	}
	/* "-I=ax" means the same as "-Iax" */
	if (*arg == '=')
		arg++;
	if (!strcmp(arg, "?")) {
		regs_option_list(wide, stdout);
		p->printed = true;
		return -1;
	}
	return regs_option_parse(arg, wide, option, ret, &e) ? refuse_why(&e, option) : 0;
}

int prec_on_intr_regs(void *ctx, const char *arg, bool unset)
{
	struct prec_parse *p = ctx;

	p->o->intr_regs = 0;
	return unset ? 0 : regs_parse(p, arg, "--intr-regs", true, &p->o->intr_regs);
}

int prec_on_user_regs(void *ctx, const char *arg, bool unset)
{
	struct prec_parse *p = ctx;

	p->o->user_regs = 0;
	return unset ? 0 : regs_parse(p, arg, "--user-regs", false, &p->o->user_regs);
}

int prec_on_clock(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;
	struct perr e;

	o->use_clockid = !unset;
	return !unset && clock_option_parse(arg, &o->clockid, &e) ? refuse_why(&e, "-k") : 0;
}

int prec_on_switch_output(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;
	struct perr e;

	o->switch_output = REC_SWITCH_NONE;
	return !unset && switch_option_parse(arg, o, &e) ? refuse_why(&e, "--switch-output") : 0;
}

/* Parses the list of --synth, the records about existing tasks; mmap includes task. */
static int synth_words(const char *text, struct rec_opts *o)
{
	bool task = false, mmap = false, cgroup = false, none = false;
	size_t len;

	for (const char *s = text;; s += len + 1) {
		len = strcspn(s, ",");
		if (len == 2 && !strncmp(s, "no", 2))
			none = true;
		else if (len == 3 && !strncmp(s, "all", 3))
			task = mmap = cgroup = true;
		else if (len == 4 && !strncmp(s, "task", 4))
			task = true;
		else if (len == 4 && !strncmp(s, "mmap", 4))
			task = mmap = true;
		else if (len == 6 && !strncmp(s, "cgroup", 6))
			cgroup = true;
		else
			return -1;
		if (!s[len])
			break;
	}
	o->synth_none = none;
	o->synth_task_off = none || !task;
	o->synth_mmap_off = none || !mmap;
	o->synth_cgroup_off = none || !cgroup;
	return 0;
}

int prec_on_synth(void *ctx, const char *arg, bool unset)
{
	if (!synth_words(unset ? "no" : arg, ((struct prec_parse *)ctx)->o))
		return 0;
	return prec_refuse("--synth: expected a list of no, all, task, mmap, cgroup, got '%s'",
			   arg);
}

/* Parses a whole number from 0 to max, 0 for --no-...; option: its name for the message. */
static int small_number(const char *arg, bool unset, const char *option, u64 max, u64 *ret)
{
	*ret = 0;
	if (!unset && parse_u64(arg, 10, 0, max, ret))
		return prec_refuse("%s: expected a number from 0 to %llu, got '%s'", option,
				   (unsigned long long)max, arg);
	return 0;
}

int prec_on_realtime(void *ctx, const char *arg, bool unset)
{
	u64 v;

	if (small_number(arg, unset, "-r", 99, &v))
		return -1;
	((struct prec_parse *)ctx)->o->realtime_prio = (int)v;
	return 0;
}

int prec_on_switch_files(void *ctx, const char *arg, bool unset)
{
	u64 v;

	if (small_number(arg, unset, "--switch-max-files", UINT32_MAX, &v))
		return -1;
	((struct prec_parse *)ctx)->o->switch_max_files = (u32)v;
	return 0;
}

int prec_on_map_timeout(void *ctx, const char *arg, bool unset)
{
	u64 v;

	if (small_number(arg, unset, "--proc-map-timeout", UINT32_MAX, &v))
		return -1;
	((struct prec_parse *)ctx)->o->proc_map_timeout_ms = (u32)v;
	return 0;
}

int prec_on_ignored(void *ctx, const struct opt *row, bool unset)
{
	struct prec_parse *p = ctx;

	if (!strcmp(row->long_name, "aio"))
		p->aio = !unset;
	if (!strcmp(row->long_name, "affinity"))
		p->affinity = !unset;
	if (!unset)
		diag_warn(p->o->diag, "--%s is ignored: %s", row->long_name, row->help);
	return 0;
}
