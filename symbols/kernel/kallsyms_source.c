/* SPDX-License-Identifier: MIT */
#include "symbols/kernel/kallsyms_source.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/elf/build_id.h"
#include "symbols/find/build_id_cache.h"
#include "symbols/kernel/hostkernel.h"
#include "symbols/kernel/kernel.h"
#include "symbols/elf/readfile.h"

#define HOST_LIST "/proc/kallsyms"

/* The list of a distribution's kernel with all modules loaded has about 20 MiB. */
#define MAX_LIST ((size_t)512 << 20)

/* Address randomization moves kernels by multiples of a page. */
#define PAGE_MASK 4095ull

struct kernel_cache *kernel_cache_new(void)
{
	struct kernel_cache *c = xcalloc(1, sizeof(*c));

	pthread_mutex_init(&c->lock, NULL);
	return c;
}

static void file_free(struct kallsyms_file *f)
{
	kallsyms_fini(&f->list);
	file_text_close(&f->text);
	free(f->path);
	free(f);
}

void kernel_cache_free(struct kernel_cache *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->nr; i++)
		file_free(c->files[i]);
	free(c->files);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

void kernel_cache_give_pages_back(const struct kernel_cache *c)
{
	for (size_t i = 0; c && i < c->nr; i++)
		file_text_give_pages_back(&c->files[i]->text);
}

void kernel_cache_set_kernel(struct kernel_cache *c, const struct dso_desc *desc)
{
	pthread_mutex_lock(&c->lock);
	c->kernel = *desc;
	c->has_kernel = true;
	pthread_mutex_unlock(&c->lock);
}

/* Returns the list at path, which the first call reads. */
static int get_file(struct kernel_cache *c, const char *path, const struct file_rules *rules,
		    struct kallsyms_file **ret, struct perr *e)
{
	struct kallsyms_file *f;
	struct file_text text;
	int err;

	for (size_t i = 0; i < c->nr; i++) {
		if (!strcmp(c->files[i]->path, path)) {
			*ret = c->files[i];
			return 0;
		}
	}
	err = file_text_open(path, rules, MAX_LIST, &text, e);
	if (err)
		return err;
	f = xcalloc(1, sizeof(*f));
	f->path = xstrdup(path);
	f->text = text;
	kallsyms_init(&f->list, text.bytes);
	vec_push(c->files, c->nr, c->cap, f);
	*ret = f;
	return 0;
}

/*
 * True if a list can be used for a kernel recorded at `start` without a reference symbol. Its
 * addresses cannot be moved then, so the recorded range must begin where the list does. If start is
 * 0, perf did not know it, and the list may be right.
 */
static bool is_at_start(const struct kallsyms_file *f, u64 start)
{
	u64 text, stext;
	bool has_text = kallsyms_address(f->list.text, "_text", &text);
	bool has_stext = kallsyms_address(f->list.text, "_stext", &stext);

	if (!start || (!has_text && !has_stext))
		return true;
	return (has_text && text == start) || (has_stext && stext == start);
}

/* Sets f->delta, the distance from the addresses in f to the recorded ones. */
static int find_delta(struct kallsyms_file *f, const struct dso_desc *desc, struct perr *e)
{
	u64 value;

	f->delta = 0;
	if (!desc->ref_sym || !desc->ref_addr) {
		if (!is_at_start(f, desc->map_start))
			return perr_set(
				e, PERR_NOTFOUND,
				"%s: its kernel was loaded at another address than recorded",
				f->path);
		return 0;
	}
	if (!kallsyms_address(f->list.text, desc->ref_sym, &value))
		return perr_set(e, PERR_NOTFOUND,
				"%s: it has no symbol %s, so the kernel's load address is unknown",
				f->path, desc->ref_sym);
	f->delta = desc->ref_addr - value;
	return 0;
}

static int use_file(struct kernel_cache *c, const char *path, const struct file_rules *rules,
		    const struct dso_desc *desc, struct kallsyms_file **ret,
		    enum dso_status *ret_status, struct perr *e)
{
	struct kallsyms_file *f;
	int err = get_file(c, path, rules, &f, e);

	if (err)
		return err;
	if (f->list.hidden) {
		*ret_status = DSO_KERNEL_HIDDEN;
		return perr_set(e, PERR_NOTFOUND,
				"%s: its addresses are hidden (kernel.kptr_restrict, "
				"kernel.perf_event_paranoid)",
				path);
	}
	err = find_delta(f, desc, e);
	if (err)
		return err;
	if (kallsyms_is_empty(&f->list)) {
		*ret_status = DSO_STRIPPED;
		return perr_set(e, PERR_NOTFOUND, "%s: it contains no symbols", path);
	}
	*ret = f;
	return 0;
}

static bool has_address(const struct kallsyms_file *f, const char *name, u64 addr)
{
	u64 value;

	return kallsyms_address(f->list.text, name, &value) && value + f->delta == addr;
}

/*
 * True if desc may be the running kernel, judged by its recorded range. This is needed without a
 * build-id, because two builds may have the same release. perf ends the range at _edata or _etext;
 * before 4.16 it wrote other ends, and any end is accepted.
 */
static bool is_same_layout(const struct kallsyms_file *f, const struct dso_desc *desc)
{
	u64 len = desc->map_end - desc->map_start;

	if (f->delta & PAGE_MASK)
		return false;
	if (desc->map_end <= desc->map_start || len > (u64)1 << 30)
		return true;
	return has_address(f, "_etext", desc->map_end) || has_address(f, "_edata", desc->map_end);
}

static int use_host(struct kernel_cache *c, const struct dso_desc *desc, struct kallsyms_file **ret,
		    enum dso_status *ret_status, struct perr *e)
{
	enum host_match match = hostkernel_match(desc);
	struct kallsyms_file *f;
	int err;

	*ret_status = DSO_KERNEL_FOREIGN;
	if (match == HOST_DIFFERS)
		return perr_set(e, PERR_NOTFOUND,
				"the recording is of another kernel than the running one");
	err = use_file(c, HOST_LIST, NULL, desc, &f, ret_status, e);
	if (err)
		return err;
	if (match == HOST_SAME_RELEASE && !is_same_layout(f, desc))
		return perr_set(e, PERR_NOTFOUND,
				"the recording is of another build of the running kernel");
	*ret = f;
	return 0;
}

/*
 * Returns the folder of the cache with kcore copies for this build-id, malloc'd; NULL if there is
 * no cache.
 */
static char *kcore_dir(const struct symbols_config *cfg, const struct dso_desc *desc)
{
	char *root = build_id_cache_dir(cfg), hex[BUILD_ID_HEX], *ret;

	if (!root)
		return NULL;
	build_id_hex(desc->build_id, desc->build_id_size, hex);
	ret = xasprintf("%s/[kernel.kcore]/%s", root, hex);
	free(root);
	return ret;
}

/*
 * Finds a copy of kallsyms next to a copy of kcore in the cache. Copies are made per boot, so only
 * one with the recorded addresses is right.
 */
static int use_kcore_copy(const struct symbols_config *cfg, struct kernel_cache *c,
			  const struct dso_desc *desc, struct kallsyms_file **ret)
{
	const struct file_rules rules = symbols_file_rules(cfg);
	char *dir_path = kcore_dir(cfg, desc);
	DIR *dir = dir_path ? opendir(dir_path) : NULL;
	int err = PERR_NOTFOUND;
	struct dirent *d;

	while (err && dir && (d = readdir(dir))) {
		enum dso_status ignored;
		struct kallsyms_file *f;
		char *path;

		if (d->d_name[0] == '.')
			continue;
		path = xasprintf("%s/%s/kallsyms", dir_path, d->d_name);
		err = use_file(c, path, &rules, desc, &f, &ignored, NULL);
		if (!err && f->delta)
			err = PERR_NOTFOUND;
		if (!err)
			*ret = f;
		free(path);
	}
	if (dir)
		closedir(dir);
	free(dir_path);
	return err;
}

static int use_cached(const struct symbols_config *cfg, struct kernel_cache *c,
		      const struct dso_desc *desc, struct kallsyms_file **ret)
{
	const struct file_rules rules = symbols_file_rules(cfg);
	enum dso_status ignored;
	char *path;
	int err;

	if (!desc->build_id_size)
		return PERR_NOTFOUND;
	if (!use_kcore_copy(cfg, c, desc, ret))
		return 0;
	path = build_id_cache_path(cfg, desc->build_id, desc->build_id_size, "kallsyms");
	if (!path)
		return PERR_NOTFOUND;
	err = use_file(c, path, &rules, desc, ret, &ignored, NULL);
	free(path);
	return err;
}

/*
 * True if a list has all symbols of the kernel itself. Modules' symbols follow them, so a list that
 * ends with a module's line was not cut off before.
 */
static bool has_whole_kernel(struct span text)
{
	return text.n > 2 && !memcmp(text.p + text.n - 2, "]\n", 2);
}

/*
 * Uses a copy from the cache if it is of the recorded kernel at its recorded addresses, and
 * complete. It is then equal to /proc/kallsyms, which takes much longer to read.
 */
static bool use_whole_copy(const struct symbols_config *cfg, struct kernel_cache *c,
			   const struct dso_desc *desc, struct kallsyms_file **ret)
{
	return desc->ref_sym && desc->ref_addr && !use_cached(cfg, c, desc, ret) &&
	       !(*ret)->delta && has_whole_kernel((*ret)->list.text);
}

int kallsyms_source_kernel(const struct symbols_config *cfg, struct kernel_cache *c,
			   const struct dso_desc *desc, struct kallsyms_file **ret,
			   enum dso_status *ret_status, struct perr *e)
{
	struct kallsyms_file *f = NULL;

	if (!cfg->kallsyms && use_whole_copy(cfg, c, desc, &f)) {
		*ret = f;
		return 0;
	}
	return kallsyms_source(cfg, c, desc, ret, ret_status, e);
}

int kallsyms_source(const struct symbols_config *cfg, struct kernel_cache *c,
		    const struct dso_desc *desc, struct kallsyms_file **ret,
		    enum dso_status *ret_status, struct perr *e)
{
	bool may_use_host = !cfg->hermetic && !(cfg->symfs && *cfg->symfs);
	struct kallsyms_file *f = NULL;
	int err;

	*ret_status = DSO_FILE_MISSING;
	if (cfg->kallsyms) {
		err = use_file(c, cfg->kallsyms, NULL, desc, &f, ret_status, e);
	} else {
		err = PERR_NOTFOUND;
		/*
		 * The host's list has the modules that are loaded now, a copy those at the time of
		 * the copy.
		 */
		if (may_use_host)
			err = use_host(c, desc, &f, ret_status, e);
		if (err && !use_cached(cfg, c, desc, &f))
			err = 0;
		if (err && !may_use_host) {
			*ret_status = DSO_KERNEL_FOREIGN;
			err = perr_set(e, PERR_NOTFOUND,
				       "no kernel symbols were found below the folder of --symfs");
		}
	}
	if (err)
		return err;
	*ret = f;
	return 0;
}
