/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict_advice.h"

#include <unistd.h>

#include "base/files/remote_mount.h"
#include "base/mem.h"
#include "symbols/elf/code_language.h"
#include "symbols/elf/readfile.h"
#include "symbols/find/debugfile.h"
#include "symbols/find/debuglink.h"
#include "symbols/find/package.h"

#define MAX_COPY 65528 /* bytes of a stack copy that a record has room for */
#define DELETED " (deleted)"

const char *verdict_reason_text(enum verdict_reason r)
{
	static const char *const texts[VERDICT_REASONS] = {
		[VERDICT_FILE_MISSING] = "file not found",
		[VERDICT_OTHER_BUILD] = "the file found is another build",
		[VERDICT_STRIPPED] = "stripped",
		[VERDICT_BROKEN] = "not a readable ELF file",
		[VERDICT_NO_SYMBOL] = "no symbol covers the address",
		[VERDICT_KERNEL_HIDDEN] = "kernel symbols hidden from this user",
		[VERDICT_KERNEL_FOREIGN] = "recorded on another kernel",
		[VERDICT_KERNEL_UNMAPPED] = "kernel addresses not recorded",
		[VERDICT_JIT_MAP_MISSING] = "JIT code without a map file",
		[VERDICT_JIT_MAP_GAP] = "JIT code missing from its map file",
		[VERDICT_NOT_CODE] = "an address of data, not of code",
		[VERDICT_NO_MAP] = "no file mapped at the address",
	};

	return (unsigned int)r < VERDICT_REASONS ? texts[r] : "unknown";
}

void verdict_advisor_init(struct verdict_advisor *a, const struct verdict *v)
{
	const char *slash = v->input ? strrchr(v->input, '/') : NULL;

	*a = (struct verdict_advisor){ .v = v };
	a->folder = !slash              ? xstrdup(".")
		    : slash == v->input ? xstrdup("/")
					: xstrndup(v->input, (size_t)(slash - v->input));
}

void verdict_advisor_fini(struct verdict_advisor *a)
{
	verdict_packages_fini(&a->packages);
	free(a->servers);
	free(a->folder);
}

static void remedy_init(struct verdict_remedy *r, enum advice_id id)
{
	*r = (struct verdict_remedy){ .id = id, .or_id = ADVICE_IDS };
}

void verdict_remedy_fini(struct verdict_remedy *r)
{
	for (size_t i = 0; i < r->nr; i++)
		free(r->values[i]);
}

/* Adds a fact; value is malloc'd and taken over. */
static void add_fact(struct verdict_remedy *r, const char *name, char *value)
{
	if (r->nr + 1 == ARRAY_SIZE(r->facts)) { /* the last one stays the end of the list */
		free(value);
		return;
	}
	r->values[r->nr] = value;
	r->facts[r->nr++] = (struct advice_fact){ name, value };
}

char *verdict_remedy_text(const struct verdict_remedy *r)
{
	struct out o;

	out_init_mem(&o);
	advice_put(&o, r->id, r->facts);
	if (r->or_id != ADVICE_IDS) {
		out_str(&o, r->needs_both ? ", and " : ", or ");
		advice_put(&o, r->or_id, r->facts);
	}
	out_char(&o, 0);
	return o.buf;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);

	return n >= k && !strcmp(text + n - k, end);
}

static const char *base_name(const char *path)
{
	const char *slash = path[0] == '/' ? strrchr(path, '/') : NULL;

	return slash && slash[1] ? slash + 1 : path;
}

/* The folder of an absolute path, malloc'd. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash != path ? xstrndup(path, (size_t)(slash - path)) : xstrdup("/");
}

static void add_file(struct verdict_remedy *r, const struct verdict_module *m)
{
	add_fact(r, "file", xstrdup(m->name));
	add_fact(r, "base", xstrdup(base_name(m->name)));
}

/*
 * Which row of --debuginfod fits, ADVICE_IDS: none. Servers have files of distributions only, and
 * find them by build-id.
 */
static enum advice_id debuginfod_row(struct verdict_advisor *a, const struct verdict_module *m,
				     struct verdict_remedy *r)
{
	const char *configured = getenv("DEBUGINFOD_URLS");

	if (!a->v->could_ask || m->kernel || !m->build_id_size || !verdict_is_system_file(m->name))
		return ADVICE_IDS;
	if (configured && *configured)
		return ADVICE_DEBUGINFOD;
	/* a distribution's server has the files of its packages */
	if (verdict_packages_deny(&a->packages, a->v, m))
		return ADVICE_IDS;
	if (!a->has_servers)
		a->servers = debuginfod_servers();
	a->has_servers = true;
	if (!a->servers)
		return ADVICE_IDS;
	add_fact(r, "url", xstrdup(a->servers));
	return ADVICE_DEBUGINFOD_PUBLIC;
}

/* The first of two rows that is one, the other one as the second. */
static void set_rows(struct verdict_remedy *r, enum advice_id first, enum advice_id second)
{
	r->id = first != ADVICE_IDS ? first : second;
	r->or_id = first != ADVICE_IDS ? second : ADVICE_IDS;
}

/* The row for the package that owns the file; ADVICE_IDS: none has its debug symbols. */
static enum advice_id package_row(struct verdict_advisor *a, const struct verdict_module *m,
				  struct verdict_remedy *r)
{
	const struct file_package *p = verdict_packages_find(&a->packages, a->v, m);

	if (p && p->debug) {
		add_fact(r, "debug", xstrdup(p->debug));
		return ADVICE_DEBUG_PACKAGE;
	}
	if (p && p->is_rpm) {
		add_fact(r, "package", xstrdup(p->owner));
		return ADVICE_DEBUG_RPM;
	}
	return ADVICE_IDS;
}

/* The row for a file of a distribution whose debug symbols no place has that is known here. */
static enum advice_id system_row(struct verdict_advisor *a, const struct verdict_module *m,
				 struct verdict_remedy *r)
{
	const struct file_package *p = verdict_packages_find(&a->packages, a->v, m);

	if (p) {
		add_fact(r, "package", xstrdup(p->owner));
		return ADVICE_DEBUG_ARCHIVE;
	}
	if (!verdict_is_system_file(m->name) || verdict_packages_deny(&a->packages, a->v, m))
		return ADVICE_IDS;
	add_file(r, m);
	return ADVICE_DEBUG_ANY;
}

/* The debug file that a stripped file of no package names. */
static enum advice_id link_row(const struct verdict_module *m, struct verdict_remedy *r)
{
	struct object *o = NULL;
	struct debuglink link;
	enum advice_id id = ADVICE_IDS;

	if (!m->file || object_open(m->file, &o, NULL))
		return id;
	/* a name with a slash or a leading minus is not what objcopy writes */
	if (debuglink_read(o, &link) && !strchr(link.name, '/') && link.name[0] != '-') {
		id = ADVICE_DEBUG_LINK;
		add_fact(r, "link", xstrdup(link.name));
		add_fact(r, "folder", folder_of(verdict_is_own_file(m) ? m->name : m->file));
	}
	object_close(o);
	return id;
}

static void remedy_stripped(struct verdict_advisor *a, const struct verdict_module *m,
			    struct verdict_remedy *r)
{
	enum advice_id first;

	if (m->kernel) {
		r->id = ADVICE_KERNEL_DEBUG_PACKAGE;
		if (a->v->os_release)
			add_fact(r, "release", xstrdup(a->v->os_release));
		return;
	}
	first = package_row(a, m, r);
	set_rows(r, first, debuginfod_row(a, m, r));
	if (r->id == ADVICE_IDS)
		r->id = system_row(a, m, r);
	if (r->id == ADVICE_IDS)
		r->id = link_row(m, r);
	if (r->id == ADVICE_IDS)
		r->id = ADVICE_DEBUG_BUILD;
}

/* The recorded file, from the recorded machine. */
static void remedy_copy(struct verdict_advisor *a, const struct verdict_module *m,
			struct verdict_remedy *r)
{
	char hex[BUILD_ID_HEX];

	add_file(r, m);
	if (m->kernel && m->name[0] != '/') {
		r->id = ADVICE_KALLSYMS;
		return;
	}
	if (!m->build_id_size) {
		r->id = ADVICE_COPY_TO_SYMFS;
		return;
	}
	build_id_hex(m->build_id, m->build_id_size, hex);
	add_fact(r, "id-start", xasprintf("%.2s", hex));
	add_fact(r, "id-rest", xstrdup(hex + 2));
	set_rows(r, ADVICE_COPY_TO_CACHE, debuginfod_row(a, m, r));
}

static void remedy_missing(struct verdict_advisor *a, const struct verdict_module *m,
			   struct verdict_remedy *r)
{
	if (!strncmp(m->name, "/memfd:", 7))
		r->id = ADVICE_ANY_DUMP;
	else if (ends_with(m->name, DELETED) || (m->name[0] != '/' && !m->kernel))
		r->id = ADVICE_RECORD_AGAIN;
	else
		remedy_copy(a, m, r);
}

static s64 sysctl_value(const char *path, s64 otherwise)
{
	char *text = NULL;
	void *bytes;
	size_t n;
	s64 ret = otherwise;

	if (read_file(path, 64, &bytes, &n, NULL))
		return otherwise;
	text = xstrndup(bytes, n);
	ret = strtoll(text, NULL, 10);
	free(text);
	free(bytes);
	return ret;
}

/*
 * What hides the addresses in /proc/kallsyms here. The kernel shows them to all if kptr_restrict is
 * 0 and perf_event_paranoid at most 1.
 */
static enum advice_id hidden_row(void)
{
	bool kptr = sysctl_value("/proc/sys/kernel/kptr_restrict", 0) > 0;
	bool paranoid = sysctl_value("/proc/sys/kernel/perf_event_paranoid", 2) > 1;

	if (kptr && paranoid)
		return ADVICE_KERNEL_BOTH;
	return kptr ? ADVICE_KPTR : ADVICE_KERNEL_NAMES;
}

static void remedy_broken(struct verdict_remedy *r, const struct verdict_module *m)
{
	const char *path = m->file ? m->file : m->name;
	bool is_path = path[0] == '/';

	if (is_path && remote_mount_is_silent(NULL, path))
		r->id = ADVICE_MOUNT_AGAIN; /* every program that looks at the file would hang */
	else if (is_path && !access(path, F_OK) && access(path, R_OK))
		r->id = ADVICE_MAKE_READABLE;
	else
		r->id = ADVICE_FILE_TYPE;
	add_fact(r, "file", xstrdup(path));
}

static void remedy_of_map(struct verdict_advisor *a, const struct verdict_module *m,
			  struct verdict_remedy *r)
{
	static const enum advice_id rows[] = {
		[VERDICT_RUNTIME_UNKNOWN] = ADVICE_ANY_MAP,
		[VERDICT_RUNTIME_JAVA] = ADVICE_JAVA_MAP,
		[VERDICT_RUNTIME_NODE] = ADVICE_NODE_MAP,
		[VERDICT_RUNTIME_PYTHON] = ADVICE_PYTHON_MAP,
		[VERDICT_RUNTIME_DOTNET] = ADVICE_DOTNET_MAP,
		[VERDICT_RUNTIME_ERLANG] = ADVICE_ERLANG_MAP,
	};

	if (m->jitdump) {
		r->id = ADVICE_COPY_JITDUMP;
		add_fact(r, "file", xstrdup(m->jitdump));
		add_fact(r, "base", xstrdup(base_name(m->jitdump)));
		add_fact(r, "folder", xstrdup(a->folder));
		return;
	}
	r->id = rows[m->runtime];
	add_file(r, m);
	if (m->runtime == VERDICT_RUNTIME_JAVA && m->live_pid) {
		r->id = ADVICE_JAVA_MAP_NOW;
		add_fact(r, "pid", xasprintf("%u", m->live_pid));
	}
}

/* Finds the row that keeps frame pointers in the code with the missing callers. */
static enum advice_id frame_pointer_row(const struct verdict *v)
{
	enum code_language language = CODE_UNKNOWN;
	struct object *o;

	if (v->callerless.runtime == VERDICT_RUNTIME_JAVA)
		return ADVICE_FP_JAVA;
	/* nobody builds the system's libraries again for that */
	if (!v->callerless.file || verdict_is_system_file(v->callerless.file))
		return ADVICE_IDS;
	if (!object_open(v->callerless.file, &o, NULL)) {
		language = code_language_of(o);
		object_close(o);
	}
	switch (language) {
	case CODE_C: return ADVICE_FP_C;
	case CODE_RUST: return ADVICE_FP_RUST;
	case CODE_GO: /* it always has them */
	case CODE_UNKNOWN: break;
	}
	return ADVICE_IDS;
}

/* A quarter of the recorded rate; 99 a second if a period was recorded. */
static void add_lower_rate(const struct verdict_advisor *a, struct verdict_remedy *r)
{
	u64 rate = a->v->rate > 400 ? a->v->rate / 4 : 99;

	add_fact(r, "rate", xasprintf("%llu", (unsigned long long)rate));
}

void verdict_remedy_of_losses(const struct verdict_advisor *a, struct verdict_remedy *ret)
{
	remedy_init(ret, ADVICE_LARGER_RINGS);
	ret->or_id = ADVICE_LOWER_RATE;
	add_fact(ret, "size", xstrdup("8M"));
	add_lower_rate(a, ret);
}

void verdict_remedy_of_throttling(const struct verdict_advisor *a, struct verdict_remedy *ret)
{
	remedy_init(ret, ADVICE_LOWER_RATE);
	add_lower_rate(a, ret);
}

void verdict_remedy_of_depth(struct verdict_remedy *ret)
{
	remedy_init(ret, ADVICE_MAX_STACK);
}

void verdict_remedy_of_callers(struct verdict_advisor *a, struct verdict_remedy *ret)
{
	enum advice_id fp = frame_pointer_row(a->v);

	/* stack copies of JIT code need its jitdump, so frame pointers are the shorter way */
	remedy_init(ret, fp == ADVICE_FP_JAVA ? fp : ADVICE_CALLGRAPH_DWARF);
	if (fp != ADVICE_FP_JAVA)
		ret->or_id = fp;
}

void verdict_remedy_of_lacking(struct verdict_advisor *a, struct verdict_remedy *ret, bool leaf)
{
	if (leaf)
		remedy_init(ret, ADVICE_CALLGRAPH_DWARF);
	else
		verdict_remedy_of_callers(a, ret);
}

void verdict_remedy_of_copies(struct verdict_advisor *a, struct verdict_remedy *ret)
{
	bool unwound = a->v->has_unwound;
	enum advice_id fp;

	if (a->v->copy_size < MAX_COPY) {
		remedy_init(ret, ADVICE_LARGEST_COPY);
		add_fact(ret, "how", xstrdup(unwound ? "unwind" : "dwarf"));
		add_fact(ret, "bytes", xasprintf("%d", MAX_COPY));
		return;
	}
	if (!unwound) {
		/* it continues such stacks from the memory of their processes */
		remedy_init(ret, ADVICE_CALLGRAPH_DWARF);
		return;
	}
	/* code without frame pointers has to keep them: nothing else helps */
	fp = frame_pointer_row(a->v);
	remedy_init(ret, fp == ADVICE_IDS ? fp : ADVICE_CALLGRAPH_FP);
	ret->or_id = fp;
	ret->needs_both = true;
}

void verdict_remedy_of_jit(struct verdict_advisor *a, struct verdict_remedy *ret)
{
	switch (a->v->jit_runtime) {
	case VERDICT_RUNTIME_JAVA: remedy_init(ret, ADVICE_FP_JAVA); return;
	case VERDICT_RUNTIME_NODE:
	case VERDICT_RUNTIME_PYTHON:
	case VERDICT_RUNTIME_DOTNET:
	case VERDICT_RUNTIME_ERLANG:
	case VERDICT_RUNTIME_UNKNOWN: break;
	}
	remedy_init(ret, ADVICE_ANY_DUMP);
}

bool verdict_remedy_of_debuginfod(struct verdict_advisor *a, struct verdict_remedy *ret)
{
	const char *urls = getenv("DEBUGINFOD_URLS"), *problem = a->v->debuginfod_problem;

	remedy_init(ret, ADVICE_DEBUGINFOD_PUBLIC);
	if (strstr(problem, "libdebuginfod.so.1")) {
		ret->id = ADVICE_DEBUGINFOD_INSTALL;
		return true;
	}
	if (!a->has_servers)
		a->servers = debuginfod_servers();
	a->has_servers = true;
	/* what was asked is not advised again */
	if (!a->servers || (urls && strstr(urls, a->servers)))
		return false;
	add_fact(ret, "url", xstrdup(a->servers));
	return true;
}

/* For an address outside all maps or in data: a wrong caller, or code with an unknown mapping. */
static void remedy_astray(struct verdict_advisor *a, const struct verdict_module *m,
			  struct verdict_remedy *r)
{
	const struct verdict *v = a->v;
	bool fp = false;

	for (size_t i = 0; i < v->nr_events; i++)
		fp |= v->events[i].chain == VERDICT_CHAIN_FRAME_POINTERS ||
		      v->events[i].chain == VERDICT_CHAIN_DEFERRED;
	/* the leaf is where the program ran; its callers were read through frame pointers */
	if (fp && verdict_measure(v, &m->leaf) * 2 <= verdict_measure(v, &m->any))
		verdict_remedy_of_callers(a, r);
	else
		r->id = ADVICE_RECORD_ALL;
}

void verdict_remedy_of_module(struct verdict_advisor *a, const struct verdict_module *m,
			      struct verdict_remedy *ret)
{
	remedy_init(ret, ADVICE_RECORD_AGAIN);
	switch (m->reason) {
	case VERDICT_FILE_MISSING: remedy_missing(a, m, ret); break;
	case VERDICT_OTHER_BUILD: remedy_copy(a, m, ret); break;
	case VERDICT_STRIPPED: remedy_stripped(a, m, ret); break;
	case VERDICT_BROKEN: remedy_broken(ret, m); break;
	case VERDICT_NO_SYMBOL:
		add_file(ret, m);
		set_rows(ret, ADVICE_WHY, debuginfod_row(a, m, ret));
		break;
	case VERDICT_KERNEL_HIDDEN: ret->id = hidden_row(); break;
	case VERDICT_KERNEL_FOREIGN: remedy_copy(a, m, ret); break;
	case VERDICT_KERNEL_UNMAPPED: ret->id = ADVICE_KERNEL_RECORD; break;
	case VERDICT_JIT_MAP_MISSING: remedy_of_map(a, m, ret); break;
	case VERDICT_JIT_MAP_GAP:
		ret->id = ADVICE_JIT_GAP;
		add_file(ret, m);
		break;
	case VERDICT_NOT_CODE:
	case VERDICT_NO_MAP:
	case VERDICT_REASONS: remedy_astray(a, m, ret); break;
	}
}
