/* SPDX-License-Identifier: MIT */
#include "symbols/dso_debug.h"

#include <pthread.h>

#include "base/mem.h"
#include "symbols/debuginfo.h"
#include "symbols/lines.h"
#include "symbols/source_name.h"

struct dso_debug {
	/*
	 * libdw reads lazily, so that a lookup writes to what hangs on the file's handle; beyond
	 * that it has only variables of each thread.
	 */
	pthread_mutex_t lock;
	struct dso_debug_config cfg;
	pthread_t opener;
	bool has_opener;
	bool opened;
	struct debuginfo *info; /* NULL: none, or not opened yet; so all of these */
	struct lines *lines;
	struct inlines *inlines;
	struct source_names *names;
};

struct dso_debug *dso_debug_new(const struct dso_debug_config *cfg)
{
	struct dso_debug *d = xcalloc(1, sizeof(*d));

	pthread_mutex_init(&d->lock, NULL);
	d->cfg = *cfg;
	return d;
}

void dso_debug_free(struct dso_debug *d)
{
	if (!d)
		return;
	if (d->has_opener)
		pthread_join(d->opener, NULL);
	inlines_free(d->inlines);
	lines_free(d->lines);
	debuginfo_close(d->info);
	source_names_free(d->names);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

/* Under the lock. False when there is no debug information. */
static bool ensure_open(struct dso_debug *d)
{
	struct perr e;

	if (d->opened)
		return d->info;
	d->opened = true;
	if (debuginfo_open(d->cfg.symbols_config, d->cfg.dwarf,
			   d->cfg.code ? d->cfg.code->path : NULL, &d->info, &e)) {
		d->info = NULL;
		return false;
	}
	d->lines = lines_new(d->info);
	d->inlines = inlines_new(d->info, &d->cfg.inlines);
	return true;
}

static void *open_now(void *arg)
{
	struct dso_debug *d = arg;

	pthread_mutex_lock(&d->lock);
	(void)ensure_open(d);
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

void dso_debug_open_early(struct dso_debug *d)
{
	d->has_opener = !pthread_create(&d->opener, NULL, open_now, d);
}

bool dso_debug_line(struct dso_debug *d, u64 vaddr, const char **ret_file, u32 *ret_line)
{
	bool found = false;

	pthread_mutex_lock(&d->lock);
	if (ensure_open(d)) {
		found = lines_find(d->lines, vaddr, ret_file, ret_line);
		/* what binutils' addr2line says of functions without lines in a file with some */
		if (!found && !d->names)
			d->names = source_names_new(d->cfg.names);
		if (!found)
			found = source_names_find(d->names, vaddr, ret_file);
	}
	pthread_mutex_unlock(&d->lock);
	return found;
}

size_t dso_debug_inlines(struct dso_debug *d, u64 vaddr, const char *symbol, unsigned int flags,
			 const struct inline_frame **ret)
{
	size_t nr = 0;

	pthread_mutex_lock(&d->lock);
	if (ensure_open(d))
		nr = inlines_find(d->inlines, vaddr, symbol, flags, ret);
	pthread_mutex_unlock(&d->lock);
	return nr;
}
