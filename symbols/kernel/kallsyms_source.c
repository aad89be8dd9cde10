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

/* A distribution kernel with all its modules loaded comes to 20 MiB. */
#define MAX_LIST ((size_t)512 << 20)

/* Kernels are moved by whole pages at least. */
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

void kernel_cache_set_kernel(struct kernel_cache *c, const struct dso_desc *desc)
{
	pthread_mutex_lock(&c->lock);
	c->kernel = *desc;
	c->has_kernel = true;
	pthread_mutex_unlock(&c->lock);
}

/* The list at path, read on the first call. */
static int get_file(struct kernel_cache *c, const char *path, struct kallsyms_file **ret,
		    struct perr *e)
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
	err = file_text_open(path, MAX_LIST, &text, e);
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
 * Where no reference symbol is known, nothing can be moved: the recorded range has to begin where
 * the list does. What begins at 0 was recorded without knowing, and may be right.
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

/* How far f lies from where desc was recorded. */
static int find_delta(struct kallsyms_file *f, const struct dso_desc *desc, struct perr *e)
{
	u64 value;

	f->delta = 0;
	if (!desc->ref_sym || !desc->ref_addr) {
		if (!is_at_start(f, desc->map_start))
			return perr_set(
				e, PERR_NOTFOUND,
				"%s: the kernel in it was loaded at another address than the "
				"recorded one",
				f->path);
		return 0;
	}
	if (!kallsyms_address(f->list.text, desc->ref_sym, &value))
		return perr_set(e, PERR_NOTFOUND, "%s: has no symbol %s", f->path, desc->ref_sym);
	f->delta = desc->ref_addr - value;
	return 0;
}

static int use_file(struct kernel_cache *c, const char *path, const struct dso_desc *desc,
		    struct kallsyms_file **ret, enum dso_status *ret_status, struct perr *e)
{
	struct kallsyms_file *f;
	int err = get_file(c, path, &f, e);

	if (err)
		return err;
	if (f->list.hidden) {
		*ret_status = DSO_KERNEL_HIDDEN;
		return perr_set(e, PERR_NOTFOUND, "%s: its addresses are hidden", path);
	}
	err = find_delta(f, desc, e);
	if (err)
		return err;
	if (kallsyms_is_empty(&f->list)) {
		*ret_status = DSO_STRIPPED;
		return perr_set(e, PERR_NOTFOUND, "%s: no symbols", path);
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
 * Without a build-id, releases may be equal and builds differ. The recorded range then has to be
 * this kernel's: perf ends it at _edata or _etext (before 4.16 it did not; then any end will do).
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
		return perr_set(e, PERR_NOTFOUND, "recorded on another kernel");
	err = use_file(c, HOST_LIST, desc, &f, ret_status, e);
	if (err)
		return err;
	if (match == HOST_SAME_RELEASE && !is_same_layout(f, desc))
		return perr_set(e, PERR_NOTFOUND, "recorded on another build of this kernel");
	*ret = f;
	return 0;
}

/* The cache's directory of kcore copies for this id, malloc'd; NULL when there is no cache. */
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

/* A copy of kallsyms beside a copy of kcore: one per boot, so the addresses have to be the same. */
static int use_kcore_copy(const struct symbols_config *cfg, struct kernel_cache *c,
			  const struct dso_desc *desc, struct kallsyms_file **ret)
{
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
		err = use_file(c, path, desc, &f, &ignored, NULL);
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
	err = use_file(c, path, desc, ret, &ignored, NULL);
	free(path);
	return err;
}

/*
 * What modules have follows the kernel's own symbols: a list that ends with such a line was not cut
 * before.
 */
static bool has_whole_kernel(struct span text)
{
	return text.n > 2 && !memcmp(text.p + text.n - 2, "]\n", 2);
}

/*
 * A copy from the cache when it is the recorded kernel's as it was loaded, and has all of it. Of
 * the same build and at the same addresses it says what /proc/kallsyms says, which takes long.
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
		err = use_file(c, cfg->kallsyms, desc, &f, ret_status, e);
	} else {
		err = PERR_NOTFOUND;
		/* The host's list also has the modules of now, but a copy those of then. */
		if (may_use_host)
			err = use_host(c, desc, &f, ret_status, e);
		if (err && !use_cached(cfg, c, desc, &f))
			err = 0;
		if (err && !may_use_host) {
			*ret_status = DSO_KERNEL_FOREIGN;
			err = perr_set(e, PERR_NOTFOUND, "no kernel symbols below --symfs");
		}
	}
	if (err)
		return err;
	*ret = f;
	return 0;
}
