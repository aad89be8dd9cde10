/* SPDX-License-Identifier: MIT */
#include "record/before/synth_kernel.h"

#include <stdio.h>

#include "base/advice/advice_error.h"
#include "base/mem.h"
#include "record/host/kallsyms_scan.h"
#include "record/host/kernel_build_id.h"
#include "symbols/elf/readfile.h"

#define MAX_MODULES_TEXT ((size_t)64 << 20)

struct kernel_range {
	u64 text, stext, etext, edata; /* 0: no such symbol */
	bool any;                      /* kallsyms has at least one line */
	/*
	 * length of the text if it is known already, so that _etext need not be looked up; else 0
	 */
	u64 text_len;
};

static bool is_name(struct span name, const char *text)
{
	return name.n == strlen(text) && !memcmp(name.p, text, name.n);
}

static bool note_kernel_symbol(const struct kallsyms_line *line, void *arg)
{
	struct kernel_range *r = arg;

	r->any = true;
	if (line->module.n) /* all symbols of the kernel itself have been read */
		return false;
	if (line->name.p[0] != '_')
		return true;
	if (is_name(line->name, "_text"))
		r->text = line->addr;
	else if (is_name(line->name, "_stext"))
		r->stext = line->addr;
	else if (is_name(line->name, "_etext"))
		r->etext = line->addr;
	else if (is_name(line->name, "_edata"))
		r->edata = line->addr;
	if (r->text && r->text_len)
		return false;
	return !r->edata;
}

static void put_kernel_map(struct synth *s, u64 start, u64 len, u64 pgoff, struct span filename,
			   const u8 *id, size_t id_size)
{
	struct pd_mmap r = {
		.pid = UINT32_MAX,
		.start = start,
		.len = len,
		.pgoff = pgoff,
		.is_mmap2 = id_size > 0,
		.has_build_id = id_size > 0,
		.filename = filename,
	};
	u16 misc = PD_CPUMODE_KERNEL;

	if (id_size) {
		pd_build_id_set(&r.build_id, id, id_size);
		misc |= PD_MISC_MMAP_BUILD_ID;
	}
	pd_put_mmap(s->out, &r, misc, s->trailer);
}

static void warn_hidden(struct synth *s)
{
	s64 restrict_value = -1, paranoid = -1;
	bool by_kptr, by_paranoid;
	char *how;

	if (rec_host_number(s->o->host.procfs, "sys/kernel/kptr_restrict", &restrict_value))
		restrict_value = -1;
	if (rec_host_number(s->o->host.procfs, "sys/kernel/perf_event_paranoid", &paranoid))
		paranoid = -1;
	/*
	 * A process without CAP_SYSLOG sees addresses only if kptr_restrict and perf_event_paranoid
	 * both permit it.
	 */
	by_kptr = restrict_value > 0;
	by_paranoid = paranoid > 1;
	how = advice_text(by_kptr && by_paranoid ? ADVICE_KERNEL_BOTH
			  : by_paranoid          ? ADVICE_KERNEL_NAMES
						 : ADVICE_KPTR,
			  NULL);
	diag_warn(s->o->diag,
		  "kernel addresses are hidden (kernel.kptr_restrict is %lld, "
		  "kernel.perf_event_paranoid %lld), so kernel samples get no names: %s",
		  (long long)restrict_value, (long long)paranoid, how);
	free(how);
}

/*
 * Returns the length of the kernel's text from the line "START-END : Kernel code" of /proc/iomem,
 * which is [_text, _etext) on x86; 0 if it is not available. In kallsyms _etext comes after 100,000
 * other lines, which take 30 ms to read.
 */
static u64 text_len_of_iomem(struct synth *s)
{
#ifdef __x86_64__
	ssize_t n = synth_read_proc(s, "iomem");
	struct span text = span_of(s->buf, n > 0 ? (size_t)n : 0), line;

	while (synth_next_line(&text, &line)) {
		static const char what[] = " : Kernel code";
		size_t len = sizeof(what) - 1;
		unsigned long long start, end;

		if (line.n < len || memcmp(line.p + line.n - len, what, len))
			continue;
		if (sscanf((const char *)line.p, " %llx-%llx", &start, &end) == 2 && end > start)
			return end - start + 1;
	}
#else
	(void)s;
#endif
	return 0;
}

/* --- modules --- */

struct module {
	struct span name;
	u64 start, len;
	struct span path; /* as in modules.dep, relative to its folder; empty if not listed */
};

struct modules {
	struct module *items;
	size_t nr, cap;
};

static struct span take_word(struct span *line)
{
	const u8 *p = line->p, *end = p + line->n, *start;

	while (p < end && *p == ' ')
		p++;
	start = p;
	while (p < end && *p != ' ')
		p++;
	*line = span_of(p, (size_t)(end - p));
	return span_of(start, (size_t)(p - start));
}

static u64 word_number(struct span word)
{
	char text[32];

	if (!word.n || word.n >= sizeof(text))
		return 0;
	memcpy(text, word.p, word.n);
	text[word.n] = 0;
	return strtoull(text, NULL, 0);
}

/*
 * Parses the lines "NAME SIZE REFCOUNT DEPS STATE ADDRESS [TAINT]" of /proc/modules. *ret borrows
 * the text.
 */
static void parse_modules(struct span text, struct modules *ret)
{
	struct span line;

	while (synth_next_line(&text, &line)) {
		struct module m = { .name = take_word(&line) };

		m.len = word_number(take_word(&line));
		take_word(&line);
		take_word(&line);
		take_word(&line);
		m.start = word_number(take_word(&line));
		if (m.name.n && m.start && m.len)
			vec_push(ret->items, ret->nr, ret->cap, m);
	}
}

static int by_start(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Returns the kernel's name of the module in a file: snd_pcm for "snd-pcm.ko.xz". */
static struct span module_of_path(struct span path, char buf[128])
{
	const u8 *base = memrchr(path.p, '/', path.n);
	size_t n, skip = base ? (size_t)(base - path.p) + 1 : 0;
	const u8 *ko;

	path = span_of(path.p + skip, path.n - skip);
	ko = memmem(path.p, path.n, ".ko", 3);
	n = ko ? (size_t)(ko - path.p) : 0;
	if (!n || n >= 128)
		return span_of(NULL, 0);
	for (size_t i = 0; i < n; i++)
		buf[i] = path.p[i] == '-' ? '_' : (char)path.p[i];
	return span_of(buf, n);
}

/* Sets the path of each module from the lines "PATH: PATHS..." of modules.dep. */
static void find_paths(struct modules *mods, struct span dep)
{
	struct idmap by_name = { 0 };
	struct span line;

	for (size_t i = 0; i < mods->nr; i++)
		idmap_put(&by_name, hash_bytes(mods->items[i].name.p, mods->items[i].name.n),
			  mods->items[i].name.n, (u32)i);
	while (synth_next_line(&dep, &line)) {
		const u8 *colon = line.n ? memchr(line.p, ':', line.n) : NULL;
		struct span path, name;
		char buf[128];
		u32 i;

		if (!colon)
			continue;
		path = span_of(line.p, (size_t)(colon - line.p));
		name = module_of_path(path, buf);
		if (!name.n)
			continue;
		i = idmap_get(&by_name, hash_bytes(name.p, name.n), name.n);
		if (i == IDMAP_NONE || mods->items[i].name.n != name.n ||
		    memcmp(mods->items[i].name.p, name.p, name.n))
			continue;
		mods->items[i].path = path;
	}
	idmap_fini(&by_name);
}

/* Returns the folder of the running kernel below modules_root, malloc'd, or NULL. */
static char *modules_folder(struct synth *s, const char *modules_root)
{
	ssize_t n = synth_read_proc(s, "sys/kernel/osrelease");

	while (n > 0 && s->buf[n - 1] == '\n')
		s->buf[--n] = 0;
	if (n <= 0 || memchr(s->buf, '/', (size_t)n))
		return NULL;
	return xasprintf("%s/%s", modules_root, s->buf);
}

static void put_module(struct synth *s, const struct module *m, const char *folder)
{
	size_t id_size = 0;
	char *name;
	u8 id[20];

	if (m->path.n && m->path.p[0] == '/')
		name = xstrndup((const char *)m->path.p, m->path.n);
	else if (m->path.n)
		name = xasprintf("%s/%.*s", folder, (int)m->path.n, m->path.p);
	else
		name = xasprintf("[%.*s]", (int)m->name.n, m->name.p);
	if (s->o->buildid_mmap)
		id_size = module_build_id(&s->o->host, m->name, id);
	put_kernel_map(s, m->start, m->len, 0, span_of(name, strlen(name)), id, id_size);
	free(name);
}

static void put_modules(struct synth *s, const struct modules *mods, const char *modules_root)
{
	char *folder = modules_folder(s, modules_root);
	char *dep_path = folder ? xasprintf("%s/modules.dep", folder) : NULL;
	struct modules sorted = *mods;
	void *dep = NULL;
	size_t n;

	if (dep_path && !read_file(dep_path, MAX_MODULES_TEXT, &dep, &n, NULL))
		find_paths(&sorted, span_of(dep, n));
	for (size_t i = 0; i < sorted.nr; i++)
		put_module(s, &sorted.items[i], folder);
	free(dep);
	free(dep_path);
	free(folder);
}

void synth_kernel(struct synth *s, const char *modules_root)
{
	char *kallsyms = rec_host_path(s->o->host.procfs, "kallsyms");
	char *modules_path = rec_host_path(s->o->host.procfs, "modules");
	struct kernel_range r = { 0 };
	struct modules mods = { 0 };
	const char *ref = "[kernel.kallsyms]_text";
	u64 start, end;
	size_t n, id_size = 0;
	void *text = NULL;
	u8 id[20];

	/* For data addresses the map must reach to _edata, so that it covers the data symbols. */
	if (!s->o->sample_address)
		r.text_len = text_len_of_iomem(s);
	if (!kallsyms_scan(kallsyms, note_kernel_symbol, &r) || !r.any) {
		diag_warn(s->o->diag, "cannot read %s: kernel samples get no names", kallsyms);
		goto out;
	}
	start = r.text;
	if (!start) {
		start = r.stext;
		ref = "[kernel.kallsyms]_stext";
	}
	if (!start) {
		warn_hidden(s);
		goto out;
	}
	if (!read_file(modules_path, MAX_MODULES_TEXT, &text, &n, NULL))
		parse_modules(span_of(text, n), &mods);
	if (mods.nr)
		qsort(mods.items, mods.nr, sizeof(*mods.items), by_start);
	end = r.edata ? r.edata : r.etext;
	if (r.text && r.text_len)
		end = r.text + r.text_len;
	for (size_t i = 0; !end && i < mods.nr; i++)
		if (mods.items[i].start > start)
			end = mods.items[i].start;
	if (end <= start)
		end = UINT64_MAX;
	if (s->o->buildid_mmap)
		id_size = sysfs_build_id(&s->o->host, "kernel/notes", id);
	put_kernel_map(s, start, end - start, start, span_of(ref, strlen(ref)), id, id_size);
	put_modules(s, &mods, modules_root);
out:
	free(text);
	free(mods.items);
	free(kallsyms);
	free(modules_path);
}
