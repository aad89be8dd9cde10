/* SPDX-License-Identifier: MIT */
#include "record/probe/uprobe_event.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>

#include "base/mem.h"
#include "record/probe/elf_functions.h"
#include "record/probe/function_pattern.h"
#include "record/probe/library_path.h"
#include "record/probe/probe_point.h"
#include "record/host/name_glob.h"
#include "base/nearest_name.h"
#include "symbols/find/debugfile.h"
#include "symbols/elf/go_table.h"
#include "symbols/elf/insn_len.h"

/*
 * Usual limit of the functions of one glob. Every probe needs a descriptor per CPU or thread, and
 * the kernel writes a breakpoint into the code of each function; more than this is considered a
 * mistake, unless --max-probes permits it.
 */
#define USUAL_MAX_PROBES 4096

#define PMU_DIR "bus/event_source/devices/uprobe"

struct probe {
	u64 off;
	u32 skip; /* the probe lies so many bytes behind off, see probe_point.h */
	const char *linker_name;
	enum function_fit fit;
	char *name; /* name of the event */
};

struct uprobe_search {
	const char *path; /* absolute */
	const char *base; /* file name, for the events' names */
	const char *func; /* as given by the user, for messages */
	char *wanted;     /* func without an offset */
	u64 add;          /* the offset, in bytes */
	bool has_offset;  /* the user wrote one, perhaps 0 */
	bool is_return;
	struct elf_functions functions;
	struct probe *probes;
	size_t nr, cap;
	bool saw_ifunc;
};

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
 * Splits "FUNC+0x10" or "FUNC+16" into name and offset. Without such an end all of it is the name.
 */
static void split_offset(struct uprobe_search *s)
{
	const char *plus = strrchr(s->func, '+');
	char *end;
	unsigned long long v;

	s->wanted = xstrdup(s->func);
	if (!plus || plus == s->func || !isdigit((unsigned char)plus[1]))
		return;
	errno = 0;
	v = strtoull(plus + 1, &end, 0);
	if (*end || errno)
		return;
	s->wanted[plus - s->func] = 0;
	s->add = v;
	s->has_offset = true;
}

/*
 * Returns true for functions that must not get a return probe: when they start, the stack does not
 * hold a return address, and the kernel would overwrite other data.
 */
static bool has_no_return(const struct elf_function *f)
{
	return f->is_label || function_is_cold_part(f->name) || !strcmp(f->name, "_start");
}

/*
 * Returns true if a is the better of two names for one function: the better match, else the plainer
 * one.
 */
static bool is_better(const struct probe *a, const struct probe *b)
{
	size_t au = strspn(a->linker_name, "_"), bu = strspn(b->linker_name, "_");

	if (a->fit != b->fit)
		return a->fit > b->fit;
	if (au != bu)
		return au < bu;
	return strlen(a->linker_name) < strlen(b->linker_name);
}

static void add_probe(struct uprobe_search *s, const struct elf_function *f, enum function_fit fit)
{
	struct probe p = { .off = f->off, .linker_name = f->name, .fit = fit };

	if (!s->nr || s->probes[s->nr - 1].off != p.off)
		vec_push(s->probes, s->nr, s->cap, p);
	else if (is_better(&p, &s->probes[s->nr - 1]))
		s->probes[s->nr - 1] = p;
}

static void match_exactly(struct uprobe_search *s, const struct function_pattern *p)
{
	for (size_t i = 0; i < s->functions.nr; i++) {
		const struct elf_function *f = &s->functions.f[i];

		if (!function_pattern_is(p, f->name))
			continue;
		if (f->is_ifunc)
			s->saw_ifunc = true;
		else
			add_probe(s, f, FIT_EXACT);
	}
}

static void match_names(struct uprobe_search *s, const struct function_pattern *p)
{
	enum function_fit best = FIT_NONE;
	size_t nr = 0;

	for (size_t i = 0; i < s->functions.nr; i++) {
		const struct elf_function *f = &s->functions.f[i];
		enum function_fit fit;

		/* labels and cold parts match only by their own names */
		if (f->is_label || function_is_cold_part(f->name) ||
		    (s->is_return && has_no_return(f)))
			continue;
		fit = function_pattern_fit(p, f->name);
		if (fit == FIT_NONE)
			continue;
		if (f->at_ifunc) {
			s->saw_ifunc |= f->is_ifunc;
			continue;
		}
		add_probe(s, f, fit);
		if (fit > best)
			best = fit;
	}
	/* Copies are probed only if the function itself does not exist; a glob selects all. */
	for (size_t i = 0; i < s->nr; i++)
		if (p->is_glob || s->probes[i].fit == best)
			s->probes[nr++] = s->probes[i];
	s->nr = nr;
}

static void match_all(struct uprobe_search *s)
{
	struct function_pattern p;

	function_pattern_init(&p, s->wanted, false);
	match_exactly(s, &p);
	if (!s->nr)
		match_names(s, &p);
	function_pattern_fini(&p);
	if (s->nr || !name_glob_has(s->wanted))
		return;
	function_pattern_init(&p, s->wanted, true);
	match_names(s, &p);
	function_pattern_fini(&p);
}

static const struct elf_function *function_at(const struct uprobe_search *s, u64 off)
{
	size_t lo = 0, hi = s->functions.nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->functions.f[mid].off < off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->functions.nr && s->functions.f[lo].off == off ? &s->functions.f[lo] : NULL;
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

/* Checks the rules for return probes and for offsets, and adds the offset to the probes. */
static int check_places(struct uprobe_search *s, struct perr *e)
{
	if (s->is_return && s->add)
		return perr_set(e, PERR_USAGE, "%s: a return probe cannot have an offset", s->func);
	for (size_t i = 0; i < s->nr; i++) {
		const struct elf_function *f = function_at(s, s->probes[i].off);
		u64 end = f ? f->end : 0;

		/* aliases may have different sizes */
		for (; f && f < s->functions.f + s->functions.nr && f->off == s->probes[i].off;
		     f++) {
			if (f->end > end)
				end = f->end;
			if (s->is_return && !strcmp(f->name, s->probes[i].linker_name) &&
			    has_no_return(f))
				return perr_set(e, PERR_USAGE,
						"%s is jumped to and does not return: a return "
						"probe there would crash the program",
						f->name);
		}
		if (s->add && s->add >= end - s->probes[i].off)
			return perr_set(e, PERR_USAGE,
					"%s: offset 0x%llx is beyond its end: it has %llu bytes",
					s->probes[i].linker_name, (unsigned long long)s->add,
					(unsigned long long)(end - s->probes[i].off));
		if (!begins_instruction(s->functions.file, s->probes[i].off, s->add))
			return perr_set(e, PERR_USAGE,
					"%s: no instruction starts at offset 0x%llx: a probe "
					"within one would crash the program",
					s->probes[i].linker_name, (unsigned long long)s->add);
		s->probes[i].off += s->add;
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
	for (size_t i = 0; i < s->nr; i++) {
		const struct elf_function *f = function_at(s, s->probes[i].off);

		points[i] = (struct probe_point){ .off = s->probes[i].off, .end = f ? f->end : 0 };
	}
	probe_points_find(&s->functions, points, s->nr);
	for (size_t i = 0; i < s->nr; i++)
		s->probes[i].skip = points[i].skip;
	free(points);
}

static int by_name(const void *pa, const void *pb)
{
	const struct probe *a = *(struct probe *const *)pa, *b = *(struct probe *const *)pb;

	return strcmp(a->name, b->name);
}

static void name_probes(struct uprobe_search *s)
{
	struct probe **sorted = xcalloc(s->nr, sizeof(*sorted));

	for (size_t i = 0; i < s->nr; i++) {
		char *readable = function_readable(s->probes[i].linker_name);

		s->probes[i].name = xasprintf("%s:%s:%s", s->is_return ? "uretprobe" : "uprobe",
					      s->base, readable);
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

/* Writes into help the names nearest to the one that was not found, as a user would type them. */
static void find_nearest(const struct uprobe_search *s, char *help, size_t help_size)
{
	struct function_pattern p;
	struct nearest_name near;
	bool with_params = strchr(s->wanted, '(');

	if (!help_size)
		return;
	function_pattern_init(&p, s->wanted, name_glob_has(s->wanted));
	if (p.is_glob && *p.word)
		nearest_init(&near, p.word, strlen(p.word));
	else
		nearest_init(&near, p.spaceless, strlen(p.spaceless));
	for (size_t i = 0; i < s->functions.nr; i++) {
		const struct elf_function *f = &s->functions.f[i];
		char *name;

		if (f->at_ifunc || f->is_label || function_is_cold_part(f->name))
			continue;
		name = with_params ? function_readable(f->name) : function_short(f->name);
		nearest_offer(&near, name);
		free(name);
	}
	nearest_text(&near, help, help_size);
	function_pattern_fini(&p);
}

static int not_found(const struct uprobe_search *s, char *help, size_t help_size, struct perr *e)
{
	const struct elf_functions *l = &s->functions;
	char id[BUILD_ID_HEX];

	find_nearest(s, help, help_size);
	build_id_hex(l->build_id, l->build_id_size, id);
	if (!l->nr)
		return perr_set(
			e, PERR_NOTFOUND,
			"%s has no symbols: it is stripped: build it without -s, or install "
			"its debug package%s%s%s",
			s->path, *id ? " (build-id " : "", id, *id ? ")" : "");
	if (s->saw_ifunc)
		return perr_set(e, PERR_NOTFOUND,
				"%s in %s is one of several functions, chosen when the "
				"program starts (IFUNC): probe these functions, such as '*%s*'",
				s->wanted, s->base, s->wanted);
	if (l->stripped)
		return perr_set(
			e, PERR_NOTFOUND,
			"no function '%s' among the exported functions of %s, the only ones known: "
			"it is stripped: build it without -s, or install its debug "
			"package%s%s%s",
			s->wanted, s->path, *id ? " (build-id " : "", id, *id ? ")" : "");
	return perr_set(e, PERR_NOTFOUND, "no function '%s' in %s", s->wanted, s->path);
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
	if (!s->is_return)
		return;
	/*
	 * A return probe replaces return addresses on the stack, which Go's runtime and unwinding
	 * for exceptions do not understand.
	 */
	if (go_table_section(file))
		diag_warn(o->diag,
			  "%s is a Go program: return probes can crash it when its stacks grow",
			  s->base);
	else if (object_section(file, ".gcc_except_table"))
		diag_warn(o->diag,
			  "%s: an exception that passes a function with a return probe "
			  "terminates the "
			  "program",
			  s->base);
}

int uprobe_event_add(struct rec_evlist *l, const struct rec_opts *o, const char *path,
		     const char *func, bool is_return, char *help, size_t help_size, struct perr *e)
{
	struct uprobe_search s = { .func = func, .is_return = is_return };
	const char *slash;
	char *found = NULL;
	u32 type = 0;
	u64 max;
	int rc;

	if (help_size)
		*help = 0;
	rc = read_pmu(&o->host, &type, e);
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
	rc = elf_functions_read(found, &s.functions, e);
	if (rc)
		goto out;
	split_offset(&s);
	match_all(&s);
	if (!s.nr) {
		rc = not_found(&s, help, help_size, e);
		goto out;
	}
	max = o->max_probes ? o->max_probes : USUAL_MAX_PROBES;
	if (s.nr > max) {
		rc = perr_set(e, PERR_LIMIT,
			      "'%s' matches %zu functions of %s, more than %llu: their calls all "
			      "become slower; --max-probes %zu permits it",
			      func, s.nr, s.base, (unsigned long long)max, s.nr);
		goto out;
	}
	rc = check_places(&s, e);
	if (rc)
		goto out;
	move_probes(&s);
	name_probes(&s);
	warn_of_surprises(&s, o);
	for (size_t i = 0; i < s.nr; i++) {
		struct rec_event *ev =
			evlist_add(l, s.probes[i].name, type, is_return ? return_bit(&o->host) : 0);

		ev->uprobe_path = xstrdup(found);
		ev->attr.config2 = s.probes[i].off + s.probes[i].skip;
		/* sample every hit, as for tracepoints, unless -c or -F says otherwise */
		ev->attr.sample_period_or_freq = 1;
	}
out:
	for (size_t i = 0; i < s.nr; i++)
		free(s.probes[i].name);
	free(s.probes);
	free(s.wanted);
	elf_functions_fini(&s.functions);
	free(found);
	return rc;
}
