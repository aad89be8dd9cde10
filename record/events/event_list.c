/* SPDX-License-Identifier: MIT */
#include "record/events/event_list_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/attr.h"
#include "record/probe/dynamic_event.h"
#include "record/events/event_names_table.h"
#include "record/host/name_glob.h"
#include "record/host/pmu.h"
#include "record/host/tracefs.h"

enum list_kind {
	LIST_HW = 1 << 0,
	LIST_SW = 1 << 1,
	LIST_CACHE = 1 << 2,
	LIST_PMU = 1 << 3,
	LIST_SYNTAX = 1 << 4, /* syntax of events that have no fixed names */
	LIST_TRACEPOINT = 1 << 5,
	LIST_DYNAMIC = 1 << 6, /* tracepoints created by users: uprobes and kprobes */
	LIST_NOTHING = 1 << 7, /* kinds of perf list that cannot be recorded */
};

static const struct {
	const char *word;
	enum list_kind kind;
} kind_words[] = {
	{ "hw", LIST_HW },          { "hardware", LIST_HW },           { "sw", LIST_SW },
	{ "software", LIST_SW },    { "cache", LIST_CACHE },           { "hwcache", LIST_CACHE },
	{ "pmu", LIST_PMU },        { "tracepoint", LIST_TRACEPOINT }, { "uprobe", LIST_DYNAMIC },
	{ "kprobe", LIST_DYNAMIC }, { "sdt", LIST_NOTHING },           { "metric", LIST_NOTHING },
};

struct listed {
	unsigned int kind;        /* bits of enum list_kind */
	const char *name, *alias; /* alias: another name for the event; NULL: none */
	const char *type;         /* shown in brackets */
	const char *unit;         /* name of the PMU */
	const char *topic;        /* NULL: none */
	const char *scale_unit, *text, *encoding; /* each may be NULL */
};

struct event_list {
	const struct rec_opts *o;
	char **globs;
	size_t nr_globs;
	bool json;
	FILE *f;
	event_supported_fn *supported;
	void *ctx;
	size_t nr; /* number of events printed so far */
};

static unsigned int kind_of_word(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(kind_words); i++)
		if (!strcmp(word, kind_words[i].word))
			return kind_words[i].kind;
	return 0;
}

static bool glob_selects(const char *glob, const char *name)
{
	if (!name)
		return false;
	if (name_glob_has(glob))
		return name_glob_match(glob, name, true);
	return strcasestr(name, glob) != NULL;
}

static bool is_selected(const struct event_list *l, const struct listed *e)
{
	if (!l->nr_globs)
		return true;
	for (size_t i = 0; i < l->nr_globs; i++) {
		unsigned int kinds = kind_of_word(l->globs[i]);

		if (kinds ? (kinds & e->kind) != 0
			  : e->kind != LIST_SYNTAX && (glob_selects(l->globs[i], e->name) ||
						       glob_selects(l->globs[i], e->alias)))
			return true;
	}
	return false;
}

/* Returns false if no glob can select an event of these kinds, so that they need not be read. */
static bool may_select(const struct event_list *l, unsigned int kinds)
{
	if (!l->nr_globs)
		return true;
	for (size_t i = 0; i < l->nr_globs; i++) {
		unsigned int word = kind_of_word(l->globs[i]);

		if (!word || (word & kinds))
			return true;
	}
	return false;
}

static void put_json_string(FILE *f, const char *s)
{
	fputc('"', f);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		switch (c) {
		case '"': fputs("\\\"", f); break;
		case '\\': fputs("\\\\", f); break;
		case '\n': fputs("\\n", f); break;
		case '\t': fputs("\\t", f); break;
		default:
			if (c < ' ')
				fprintf(f, "\\u%04x", c);
			else
				fputc(c, f);
		}
	}
	fputc('"', f);
}

static void put_json_member(FILE *f, bool *first, const char *key, const char *value)
{
	if (!value)
		return;
	fprintf(f, "%s\t\"%s\": ", *first ? "" : ",\n", key);
	put_json_string(f, value);
	*first = false;
}

static void put_event(struct event_list *l, const struct listed *e)
{
	char *shown;
	bool first = true;

	if (!is_selected(l, e))
		return;
	if (l->json) {
		fprintf(l->f, "%s{\n", l->nr ? ",\n" : "");
		put_json_member(l->f, &first, "Unit", e->unit);
		put_json_member(l->f, &first, "Topic", e->topic);
		put_json_member(l->f, &first, "EventName", e->name);
		put_json_member(l->f, &first, "EventAlias", e->alias);
		put_json_member(l->f, &first, "ScaleUnit", e->scale_unit);
		put_json_member(l->f, &first, "EventType", e->type);
		put_json_member(l->f, &first, "BriefDescription", e->text);
		put_json_member(l->f, &first, "Encoding", e->encoding);
		fputs("\n}", l->f);
	} else {
		shown = e->alias ? xasprintf("%s OR %s", e->name, e->alias) : xstrdup(e->name);
		fprintf(l->f, "  %-50s [%s]\n", shown, e->type);
		free(shown);
	}
	l->nr++;
}

/* A hardware, software or cache event, identified by a number in config. */
struct numbered {
	const char *name, *alias;
	u64 config;
};
struct numbered_list {
	struct numbered *v;
	size_t nr, cap;
	struct arena names;
};

static int by_numbered_name(const void *a, const void *b)
{
	return strcmp(((const struct numbered *)a)->name, ((const struct numbered *)b)->name);
}

static void take_cache_event(void *ctx, const char *name, u64 config)
{
	struct numbered_list *n = ctx;

	vec_push(n->v, n->nr, n->cap,
		 ((struct numbered){ arena_strdup(&n->names, name), NULL, config }));
}

static void put_numbered(struct event_list *l, struct numbered_list *n, u32 attr_type,
			 const struct listed *like)
{
	if (!n->nr)
		return;
	qsort(n->v, n->nr, sizeof(*n->v), by_numbered_name);
	for (size_t i = 0; i < n->nr; i++) {
		struct listed e = *like;
		char *encoding;

		e.name = n->v[i].name;
		e.alias = n->v[i].alias;
		if (!is_selected(l, &e) || !l->supported(l->ctx, attr_type, n->v[i].config))
			continue;
		encoding = xasprintf(n->v[i].config < 10 ? "%s/config=%" PRIu64 "/"
							 : "%s/config=0x%" PRIx64 "/",
				     like->unit, n->v[i].config);
		e.encoding = encoding;
		put_event(l, &e);
		free(encoding);
	}
}

static void put_symbols(struct event_list *l, u32 attr_type, const struct listed *like)
{
	struct numbered_list n = { 0 };

	for (size_t i = 0; i < nr_event_symbols; i++) {
		const struct event_symbol *s = &event_symbols[i];

		if (s->type == attr_type)
			vec_push(n.v, n.nr, n.cap,
				 ((struct numbered){ s->name, s->alias, s->config }));
	}
	put_numbered(l, &n, attr_type, like);
	free(n.v);
}

static void put_cache_events(struct event_list *l)
{
	struct numbered_list n = { 0 };

	event_cache_each(take_cache_event, &n);
	put_numbered(l, &n, PD_TYPE_HW_CACHE,
		     &(struct listed){ .kind = LIST_CACHE,
				       .unit = "cpu",
				       .topic = "legacy cache",
				       .type = "Hardware cache event" });
	arena_fini(&n.names);
	free(n.v);
}

/* Returns "pmu/alias/", malloc'd, with ",term=?" for each value that the user must supply. */
static char *pmu_event_name(const struct pmu *p, const struct pmu_alias *a)
{
	char *ret = xasprintf("%s/%s", p->name, a->name), *closed;

	for (const char *term = a->terms; *term;) {
		size_t n = strcspn(term, ",");

		if (n > 2 && !strncmp(term + n - 2, "=?", 2)) {
			char *longer = xasprintf("%s,%.*s", ret, (int)n, term);

			free(ret);
			ret = longer;
		}
		term += n;
		term += *term == ',';
	}
	closed = xasprintf("%s/", ret);
	free(ret);
	return closed;
}

static void put_pmu_events(struct event_list *l)
{
	struct pmu_list pmus = { 0 };

	pmu_list_read(&l->o->host, &pmus);
	for (size_t i = 0; i < pmus.nr; i++) {
		const struct pmu *p = pmus.pmus[i];

		for (size_t k = 0; k < p->nr_aliases; k++) {
			const struct pmu_alias *a = &p->aliases[k];
			char *name = pmu_event_name(p, a), *unit = NULL;
			char *encoding = xasprintf("%s/%s/", p->name, a->terms);
			bool bare_too = !strcmp(p->name, "cpu");

			if (a->unit)
				unit = xasprintf("%.15g%s", a->scale, a->unit);
			put_event(l, &(struct listed){ .kind = LIST_PMU,
						       .name = bare_too ? a->name : name,
						       .alias = bare_too ? name : NULL,
						       .type = "Kernel PMU event",
						       .unit = p->name,
						       .scale_unit = unit,
						       .encoding = encoding });
			free(name);
			free(unit);
			free(encoding);
		}
	}
	pmu_list_fini(&pmus);
}

static void put_syntax(struct event_list *l)
{
	static const struct {
		unsigned int kind;
		const char *name, *type, *unit, *text;
	} forms[] = {
		{ LIST_SYNTAX, "rNNN", "Raw hardware event descriptor", "cpu",
		  "Code of an event as the processor's manual has it, in hex" },
		{ LIST_SYNTAX, "cpu/t1=v1[,t2=v2,t3 ...]/modifier", "Raw hardware event descriptor",
		  "cpu", "Fields of a PMU's format folder in sysfs and their values" },
		{ LIST_SYNTAX, "mem:<addr>[/len][:access]", "Hardware breakpoint", "breakpoint",
		  "Accesses of an address: r, w, rw or x" },
		{ LIST_DYNAMIC, "uprobe:PATH:FUNC", "Uprobe by symbol", "uprobe",
		  "Calls of a function of a program or library" },
		{ LIST_DYNAMIC, "uretprobe:PATH:FUNC", "Uprobe by symbol", "uprobe",
		  "Returns from a function of a program or library" },
		{ LIST_DYNAMIC, "uret:PATH:FUNC", "Uprobe by symbol", "uprobe",
		  "Returns, at the instructions that return: for Go and exceptions" },
		{ LIST_DYNAMIC, "usdt:PATH:PROVIDER:NAME", "Static probe of a program", "uprobe",
		  "Probes that programs and libraries are built with, with their arguments" },
	};
	s64 pmu_type;
	bool has_uprobes = !rec_host_number(l->o->host.sysfs,
					    "bus/event_source/devices/uprobe/type", &pmu_type);

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (forms[i].kind == LIST_DYNAMIC ? has_uprobes : !l->nr_globs)
			put_event(l, &(struct listed){ .kind = forms[i].kind,
						       .name = forms[i].name,
						       .type = forms[i].type,
						       .unit = forms[i].unit,
						       .text = forms[i].text });
}

static void put_tracepoint(struct event_list *l, const char *root, const char *system,
			   const char *event, const struct dynamic_events *dynamic)
{
	char *id_path = xasprintf("%s/events/%s/%s/id", root, system, event);
	char *name = xasprintf("%s:%s", system, event), *encoding = NULL;
	const char *what = dynamic_event_find(dynamic, system, event);
	struct listed e = { .kind = what ? LIST_TRACEPOINT | LIST_DYNAMIC : LIST_TRACEPOINT,
			    .name = name,
			    .type = "Tracepoint event",
			    .unit = "tracepoint",
			    .text = what };
	u64 id;

	/* Some events of ftrace have no id and cannot be opened. */
	if (is_selected(l, &e) && !access(id_path, F_OK)) {
		if (l->json && !tracefs_event_id(root, system, event, &id, NULL))
			encoding = xasprintf("tracepoint/config=0x%" PRIx64 "/", id);
		e.encoding = encoding;
		put_event(l, &e);
	}
	free(encoding);
	free(name);
	free(id_path);
}

static void put_tracepoints(struct event_list *l)
{
	struct dynamic_events dynamic = { 0 };
	struct name_list systems = { 0 };
	struct perr e = { 0 };
	char *root = NULL;

	if (tracefs_find(&l->o->host, &root, &e) || tracefs_systems(root, &systems, &e)) {
		diag_warn(l->o->diag, "%s", e.text);
		free(root);
		return;
	}
	dynamic_events_read(root, &dynamic);
	for (size_t i = 0; i < systems.nr; i++) {
		struct name_list events = { 0 };

		if (tracefs_events(root, systems.names[i], &events, NULL))
			continue; /* it was removed meanwhile */
		for (size_t k = 0; k < events.nr; k++)
			put_tracepoint(l, root, systems.names[i], events.names[k], &dynamic);
		name_list_fini(&events);
	}
	dynamic_events_fini(&dynamic);
	name_list_fini(&systems);
	free(root);
}

size_t event_list_print_with(const struct rec_opts *o, char **globs, size_t nr, bool json, FILE *f,
			     event_supported_fn *supported, void *ctx)
{
	struct event_list l = { .o = o,
				.globs = globs,
				.nr_globs = nr,
				.json = json,
				.f = f,
				.supported = supported,
				.ctx = ctx };

	if (json)
		fputs("[\n", f);
	put_symbols(&l, PD_TYPE_HARDWARE,
		    &(struct listed){ .kind = LIST_HW,
				      .unit = "cpu",
				      .topic = "legacy hardware",
				      .type = "Hardware event" });
	put_symbols(&l, PD_TYPE_SOFTWARE,
		    &(struct listed){ .kind = LIST_SW,
				      .unit = "software",
				      .topic = "software",
				      .type = "Software event" });
	put_cache_events(&l);
	if (may_select(&l, LIST_PMU))
		put_pmu_events(&l);
	put_syntax(&l);
	if (may_select(&l, LIST_TRACEPOINT | LIST_DYNAMIC))
		put_tracepoints(&l);
	if (json)
		fputs(l.nr ? "\n]\n" : "]\n", f);
	return l.nr;
}

/*
 * Returns false for events that the kernel cannot open, as perf list does. Events that only this
 * user may not open count as supported: prec then says which right is missing.
 */
static bool kernel_supports(void *ctx, u32 type, u64 config)
{
	struct perf_event_attr attr = {
		.type = type, .size = PERF_ATTR_SIZE_VER0, .config = config, .disabled = 1
	};

	(void)ctx;
	for (int user_only = 0; user_only < 2; user_only++) {
		long fd;

		attr.exclude_kernel = user_only;
		fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0) {
			close((int)fd);
			return true;
		}
		if (errno != EACCES && errno != EPERM)
			return false;
	}
	return true;
}

size_t event_list_print(const struct rec_opts *o, char **globs, size_t nr, bool json, FILE *f)
{
	return event_list_print_with(o, globs, nr, json, f, kernel_supports, NULL);
}
