/* SPDX-License-Identifier: MIT */
#include "record/probe/uprobe_event.h"

#include <elf.h>

#include "base/mem.h"
#include "record/host/name_glob.h"
#include "record/probe/library_path.h"
#include "record/probe/probe_point.h"
#include "record/probe/ret_points.h"
#include "record/probe/uprobe_search.h"
#include "symbols/elf/go_table.h"
#include "symbols/elf/insn_len.h"

/*
 * Usual limit of the functions of one glob. Every probe needs a descriptor per CPU or thread, and
 * the kernel writes a breakpoint into the code of each function. It takes out one after the other:
 * Linux 6.18 needs 90 ms for each, so that 3,500 functions of libc on 2 CPUs slow the machine down
 * for 10 minutes after the recording.
 */
#define USUAL_MAX_PROBES 500

#define PMU_DIR "bus/event_source/devices/uprobe"

/* Returns the bit of config that makes a return probe, from "config:N" in sysfs. */
static u64 return_bit(const struct rec_host *host)
{
	char *path = rec_host_path(host->sysfs, PMU_DIR "/format/retprobe");
	FILE *f = fopen(path, "re");
	unsigned int bit = 0;

	free(path);
	if (!f)
		return 1;
	if (fscanf(f, "config:%u", &bit) != 1 || bit > 63)
		bit = 0;
	fclose(f);
	return 1ull << bit;
}

static int read_pmu(const struct rec_host *host, u32 *ret_type, struct perr *e)
{
	s64 type;

	if (rec_host_number(host->sysfs, PMU_DIR "/type", &type) || type < 0 || type > UINT32_MAX)
		return perr_set(e, PERR_UNSUPPORTED,
				"this kernel has no uprobe PMU (%s/" PMU_DIR "/type): it "
				"needs Linux 4.17 with CONFIG_UPROBE_EVENTS, and /sys must be "
				"mounted",
				host->sysfs);
	*ret_type = (u32)type;
	return 0;
}

/*
 * Returns true if an instruction starts `add` bytes behind offset off: a breakpoint within an
 * instruction crashes the program. On machines other than x86 the kernel checks that.
 */
static bool begins_instruction(const struct object *o, u64 off, u64 add)
{
	u64 at = 0;

	if (o->machine != EM_X86_64 && o->machine != EM_386)
		return true;
	while (at < add) {
		u64 left = off + at < o->file.n ? o->file.n - (off + at) : 0;
		unsigned int n = x86_insn_len(o->file.p + off + at,
					      left < X86_INSN_MAX ? (size_t)left : X86_INSN_MAX,
					      o->machine == EM_X86_64);

		if (!n)
			return false;
		at += n;
	}
	return at == add;
}

/* Where the function at file offset off ends: aliases may have different sizes. */
static u64 function_end(const struct uprobe_search *s, u64 off)
{
	const struct elf_function *f = uprobe_search_at(s, off);
	u64 end = 0;

	for (; f && f < s->functions.f + s->functions.nr && f->off == off; f++)
		if (f->end > end)
			end = f->end;
	return end;
}

/* Checks the rules for return probes and for offsets, and adds the offset to the probes. */
static int check_places(struct uprobe_search *s, struct perr *e)
{
	if (s->kind != UPROBE_ENTRY && s->add)
		return perr_set(e, PERR_USAGE, "%s: a return probe cannot have an offset", s->func);
	for (size_t i = 0; i < s->nr; i++) {
		struct probe *p = &s->probes[i];
		const struct elf_function *f = uprobe_search_at(s, p->off);

		p->end = function_end(s, p->off);
		for (; f && f < s->functions.f + s->functions.nr && f->off == p->off; f++)
			if (s->kind == UPROBE_RETURN && !strcmp(f->name, p->linker_name) &&
			    uprobe_search_has_no_return(f))
				return perr_set(e, PERR_USAGE,
						"%s is jumped to and does not return: a return "
						"probe there would crash the program",
						f->name);
		if (s->add && s->add >= p->end - p->off)
			return perr_set(e, PERR_USAGE,
					"%s: offset 0x%llx is beyond its end: it has %llu bytes",
					p->linker_name, (unsigned long long)s->add,
					(unsigned long long)(p->end - p->off));
		if (!begins_instruction(s->functions.file, p->off, s->add))
			return perr_set(e, PERR_USAGE,
					"%s: no instruction starts at offset 0x%llx: a probe "
					"within one would crash the program",
					p->linker_name, (unsigned long long)s->add);
		p->off += s->add;
	}
	return 0;
}

/* Probes at the start of functions go to where they cost less. */
static void move_probes(struct uprobe_search *s)
{
	struct probe_point *points;

	if (s->has_offset)
		return;
	points = xcalloc(s->nr, sizeof(*points));
	for (size_t i = 0; i < s->nr; i++)
		points[i] =
			(struct probe_point){ .off = s->probes[i].off, .end = s->probes[i].end };
	probe_points_find(&s->functions, points, s->nr);
	for (size_t i = 0; i < s->nr; i++) {
		s->probes[i].skip = points[i].skip;
		s->probes[i].is_go = points[i].is_go;
	}
	free(points);
}

static int by_name(const void *pa, const void *pb)
{
	const struct probe *a = *(struct probe *const *)pa, *b = *(struct probe *const *)pb;

	return strcmp(a->name, b->name);
}

static const char *kind_name(const struct uprobe_search *s)
{
	if (s->kind == UPROBE_RETS)
		return go_table_section(s->functions.file) ? "goret" : "uret";
	return s->kind == UPROBE_RETURN ? "uretprobe" : "uprobe";
}

static void name_probes(struct uprobe_search *s)
{
	struct probe **sorted = xcalloc(s->nr, sizeof(*sorted));

	for (size_t i = 0; i < s->nr; i++) {
		char *readable = function_readable(s->probes[i].linker_name);

		s->probes[i].name = xasprintf("%s:%s:%s", kind_name(s), s->base, readable);
		if (s->add) {
			char *name = xasprintf("%s+0x%llx", s->probes[i].name,
					       (unsigned long long)s->add);

			free(s->probes[i].name);
			s->probes[i].name = name;
		}
		free(readable);
		sorted[i] = &s->probes[i];
	}
	/*
	 * Equal names: static functions of several sources, and instances that only a hash
	 * distinguishes.
	 */
	qsort(sorted, s->nr, sizeof(*sorted), by_name);
	for (size_t i = 0, run; i < s->nr; i = run) {
		for (run = i + 1; run < s->nr && !strcmp(sorted[i]->name, sorted[run]->name);)
			run++;
		for (size_t k = i; run - i > 1 && k < run; k++) {
			char *name = xasprintf("%s@0x%llx", sorted[k]->name,
					       (unsigned long long)sorted[k]->off);

			free(sorted[k]->name);
			sorted[k]->name = name;
		}
	}
	free(sorted);
}

/* Warns about unexpected effects of probes at these functions. */
static void warn_of_surprises(const struct uprobe_search *s, const struct rec_opts *o)
{
	const struct object *file = s->functions.file;

	if (s->saw_ifunc && !name_glob_has(s->wanted))
		diag_warn(o->diag,
			  "%s: only an old version of %s is probed; calls of the current version "
			  "go to a "
			  "function that is chosen when the program starts (IFUNC): see '*%s*'",
			  s->base, s->wanted, s->wanted);
	if (s->kind != UPROBE_RETURN)
		return;
	/*
	 * A return probe replaces return addresses on the stack, which Go's runtime and unwinding
	 * for exceptions do not understand.
	 */
	if (go_table_section(file))
		diag_warn(o->diag,
			  "%s is a Go program: return probes can crash it when its stacks "
			  "grow; uret: does without them",
			  s->base);
	else if (object_section(file, ".gcc_except_table"))
		diag_warn(o->diag,
			  "%s: an exception that passes a function with a return probe "
			  "terminates the program; uret: does without them",
			  s->base);
}

static void add_event(struct rec_evlist *l, const struct uprobe_search *s, const char *name,
		      u64 config, u64 off)
{
	struct rec_event *ev = evlist_add(l, name, s->type, config);

	ev->uprobe_path = xstrdup(s->path);
	ev->attr.config2 = off;
	/* sample every hit, as for tracepoints, unless -c or -F says otherwise */
	ev->attr.sample_period_or_freq = 1;
}

/* Adds an event for each instruction at which a call of the functions ends. */
static int add_rets(struct rec_evlist *l, const struct uprobe_search *s, const struct rec_opts *o,
		    struct perr *e)
{
	size_t nr_left_out = 0;
	const char *first = NULL, *first_why = NULL;

	for (size_t i = 0; i < s->nr; i++) {
		const struct probe *p = &s->probes[i];
		struct ret_points points = { 0 };
		const char *why =
			ret_points_find(&s->functions, p->off, p->end, !p->is_go, &points);

		if (why && !nr_left_out++) {
			first = p->linker_name;
			first_why = why;
		}
		for (size_t k = 0; k < points.nr; k++) {
			char *name =
				xasprintf("%s@0x%llx", p->name, (unsigned long long)points.off[k]);

			add_event(l, s, name, 0, points.off[k]);
			free(name);
		}
		ret_points_fini(&points);
	}
	if (nr_left_out == s->nr)
		return perr_set(e, PERR_UNSUPPORTED, "no probes at returns: %s %s", first,
				first_why);
	if (nr_left_out)
		diag_warn(o->diag,
			  "%zu of %zu functions that '%s' matches have no probes at their returns: "
			  "%s %s",
			  nr_left_out, s->nr, s->func, first, first_why);
	return 0;
}

static int find_probes(struct uprobe_search *s, const struct rec_opts *o, char *help,
		       size_t help_size, struct perr *e)
{
	u64 max = o->max_probes ? o->max_probes : USUAL_MAX_PROBES;
	int rc = elf_functions_read(s->path, &s->functions, e);

	if (rc)
		return rc;
	uprobe_search_run(s);
	if (!s->nr)
		return uprobe_search_not_found(s, help, help_size, e);
	if (s->nr > max)
		return perr_set(e, PERR_LIMIT,
				"'%s' matches %zu functions of %s, more than %llu: their calls all "
				"become slower, and the kernel takes a tenth of a second for each "
				"probe and CPU to remove them; --max-probes %zu permits it",
				s->func, s->nr, s->base, (unsigned long long)max, s->nr);
	rc = check_places(s, e);
	if (rc)
		return rc;
	move_probes(s);
	name_probes(s);
	warn_of_surprises(s, o);
	return 0;
}

int uprobe_event_add(struct rec_evlist *l, const struct rec_opts *o, const char *path,
		     const char *func, enum uprobe_kind kind, char *help, size_t help_size,
		     struct perr *e)
{
	struct uprobe_search s = { .func = func, .kind = kind };
	const char *slash;
	char *found = NULL;
	int rc;

	if (help_size)
		*help = 0;
	rc = read_pmu(&o->host, &s.type, e);
	if (rc)
		return rc;
	if (!*path || !*func)
		return perr_set(e, PERR_USAGE, "expected a file and a function: uprobe:PATH:FUNC");
	rc = library_path_find(path, &found, e);
	if (rc)
		return rc;
	s.path = found;
	slash = strrchr(path, '/');
	s.base = slash && slash[1] ? slash + 1 : path;
	rc = find_probes(&s, o, help, help_size, e);
	if (!rc && kind == UPROBE_RETS)
		rc = add_rets(l, &s, o, e);
	for (size_t i = 0; i < s.nr && !rc && kind != UPROBE_RETS; i++)
		add_event(l, &s, s.probes[i].name, kind == UPROBE_RETURN ? return_bit(&o->host) : 0,
			  s.probes[i].off + s.probes[i].skip);
	uprobe_search_fini(&s);
	free(found);
	return rc;
}
