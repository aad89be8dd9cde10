/* SPDX-License-Identifier: MIT */
#include "symbols/jit/perfmap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/find/build_id_cache.h"
#include "symbols/find/live_process.h"
#include "symbols/table/overlap.h"
#include "symbols/elf/readfile.h"

#define MAX_FILE ((size_t)1 << 30)

/*
 * The length of the shortest name that counts, as in perf. Shorter names are the rest of a broken
 * line.
 */
#define MIN_NAME 3

struct entry {
	size_t name; /* offset of the name in the text */
	size_t name_len;
};

struct entries {
	struct overlap_range *ranges;
	size_t nr, cap;
	struct entry *names;
	size_t nr_names, cap_names;
};

static bool is_space(u8 c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static int hex_digit(u8 c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * Reads a hexadecimal number like strtoull(): spaces, a sign and 0x may precede it, and a number
 * that is too large becomes the largest one. Returns the number of bytes read, 0 if there is no
 * digit.
 */
static size_t take_hex(const u8 *p, size_t n, u64 *ret)
{
	size_t i = 0, first;
	bool negative = false, too_large = false;
	u64 v = 0;

	*ret = 0;
	while (i < n && is_space(p[i]))
		i++;
	if (i < n && (p[i] == '-' || p[i] == '+'))
		negative = p[i++] == '-';
	if (n - i > 2 && p[i] == '0' && (p[i + 1] | 0x20) == 'x' && hex_digit(p[i + 2]) >= 0)
		i += 2;
	for (first = i; i < n && hex_digit(p[i]) >= 0; i++) {
		too_large |= v >> 60 != 0;
		v = v << 4 | (u64)hex_digit(p[i]);
	}
	if (i == first)
		return 0;
	*ret = too_large ? UINT64_MAX : negative ? -v : v;
	return i;
}

/*
 * Adds the entry of one line: start and size in hexadecimal, then the name, each separated by any
 * one character. perf does not check more, and writers rely on that (a tab between the fields, a
 * name that begins with a space).
 */
static void take_line(struct span text, size_t off, size_t n, struct entries *all)
{
	const u8 *p = text.p + off;
	u64 start, size;
	size_t i, len;

	i = take_hex(p, n, &start) + 1;
	if (i + MIN_NAME > n)
		return;
	i += take_hex(p + i, n - i, &size) + 1;
	if (i + MIN_NAME > n)
		return;
	len = strnlen((const char *)p + i, n - i);
	vec_push(all->ranges, all->nr, all->cap,
		 ((struct overlap_range){ .start = start, .end = start + size }));
	vec_push(all->names, all->nr_names, all->cap_names,
		 ((struct entry){ .name = off + i, .name_len = len }));
}

static void take_lines(struct span text, struct entries *all)
{
	size_t off = 0;

	while (off < text.n && all->nr < UINT32_MAX - 1) {
		const u8 *p = text.p + off;
		const u8 *nl = memchr(p, '\n', text.n - off);
		size_t n = nl ? (size_t)(nl - p) : text.n - off;

		take_line(text, off, n, all);
		off += n + 1;
	}
}

void perfmap_parse(struct span text, struct symtab *tab)
{
	struct entries all = { 0 };
	struct overlap_piece *pieces;
	const char **names;
	size_t nr;

	take_lines(text, &all);
	nr = overlap_flatten(all.ranges, all.nr, &pieces);
	names = xcalloc(all.nr, sizeof(*names));
	symtab_reserve(tab, nr);
	for (size_t i = 0; i < nr; i++) {
		const struct overlap_piece *o = &pieces[i];
		const struct entry *n = &all.names[o->index];
		u64 cut = o->start - all.ranges[o->index].start;
		struct sym *s;

		if (!names[o->index])
			names[o->index] = arena_strndup(
				&tab->strings, (const char *)text.p + n->name, n->name_len);
		s = symtab_add_borrowed(tab, o->start, o->end - o->start, names[o->index],
					SYM_GLOBAL, false);
		s->cut = cut < UINT32_MAX ? (u32)cut : UINT32_MAX;
	}
	symtab_sort(tab);
	free(names);
	free(pieces);
	free(all.ranges);
	free(all.names);
}

/*
 * Returns the path, malloc'd, of the map that a process running in a container has written: its
 * name contains the process's id in the container. NULL if the process does not run any more, or
 * has the same /tmp as this process.
 */
static char *live_path(const struct dso_desc *desc)
{
	const struct recorded_process *p = &desc->recorded;
	u32 ns_pid = desc->ns_pid ? desc->ns_pid : p->pid;

	if (!live_process_is(p) || !live_process_has_other_files(p->pid))
		return NULL;
	live_process_ns_pid(p->pid, &ns_pid);
	return xasprintf("/proc/%" PRIu32 "/root/tmp/perf-%" PRIu32 ".map", p->pid, ns_pid);
}

/* Reads the map at path into tab and frees path. Returns 0 if tab has symbols then. */
static int try_map(const struct symbols_config *cfg, char *path, struct symtab *tab,
		   struct sym_origin *ret, struct perr *e)
{
	const struct file_rules rules = symbols_jit_rules(cfg);
	enum file_fault fault;
	void *buf;
	size_t n;
	int err = PERR_NOTFOUND;

	if (!path)
		return PERR_NOTFOUND;
	fault = regular_file_find(path, &rules);
	if (fault == FILE_ABSENT) {
		perr_set(e, PERR_NOTFOUND, "%s: no such file", path);
		goto out;
	}
	if (file_fault_advice(fault)) {
		symbols_warn_refused(cfg, path, fault);
		ret->status = DSO_BROKEN;
		perr_set(e, PERR_NOTFOUND, "%s: %s", path, file_fault_text(fault));
		goto out;
	}
	err = read_file_by(path, &rules, MAX_FILE, &buf, &n, e);
	if (err)
		goto out;
	perfmap_parse(span_of(buf, n), tab);
	free(buf);
	if (!tab->nr) {
		ret->status = DSO_STRIPPED;
		err = perr_set(e, PERR_NOTFOUND, "%s: it contains no symbols", path);
		goto out;
	}
	ret->path = path;
	ret->letter = 'j';
	ret->status = DSO_LOADED;
	return 0;
out:
	free(path);
	return err;
}

int perfmap_load(const struct symbols_config *cfg, const struct dso_desc *desc, struct symtab *tab,
		 struct sym_origin *ret, struct perr *e)
{
	int err = perr_set(e, PERR_NOTFOUND, "%s: no such file", desc->name);

	*ret = (struct sym_origin){ .letter = '!', .status = DSO_FILE_MISSING, .addr_is_ip = true };
	if (symbols_has_symfs(cfg))
		err = try_map(cfg, xasprintf("%s%s", cfg->symfs, desc->name), tab, ret, e);
	if (err == PERR_NOTFOUND && desc->id_is_cache_key)
		err = try_map(cfg,
			      build_id_cache_path(cfg, desc->build_id, desc->build_id_size, "elf"),
			      tab, ret, e);
	/* Also with --symfs, as in perf 7.2: a copied tree of files rarely contains JIT maps. */
	if (err == PERR_NOTFOUND && !cfg->hermetic)
		err = try_map(cfg, live_path(desc), tab, ret, e);
	if (err == PERR_NOTFOUND && !cfg->hermetic)
		err = try_map(cfg, xstrdup(desc->name), tab, ret, e);
	if (err == PERR_NOTFOUND && desc->beside)
		err = try_map(cfg, xstrdup(desc->beside), tab, ret, e);
	if (err && err != PERR_NOTFOUND)
		ret->status = DSO_BROKEN;
	return err;
}
