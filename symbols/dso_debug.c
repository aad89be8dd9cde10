/* SPDX-License-Identifier: MIT */
#include "symbols/dso_debug.h"

#include <pthread.h>

#include "base/mem.h"
#include "symbols/dwarf/debuginfo.h"
#include "symbols/dwarf/lines.h"
#include "symbols/dwarf/source_name.h"

struct question {
	u64 vaddr;
	const char *symbol;
};

struct dso_debug {
	/*
	 * Protects info and the members after it. libdw reads lazily, so a lookup changes the state
	 * behind the file's handle; besides that, libdw only has thread-local variables.
	 */
	pthread_mutex_t lock;
	struct dso_debug_config cfg;
	pthread_t opener;
	bool has_opener;
	pthread_mutex_t ahead_lock;
	/*
	 * protected by ahead_lock: questions for the opener thread to look up; it takes none after
	 * takes_questions was set to false
	 */
	bool takes_questions;
	struct question *ahead;
	size_t nr_ahead, cap_ahead;
	bool opened;
	struct debuginfo *info; /* NULL, as the next three: not opened yet, or the object has no
				 * debug information */
	struct lines *lines;
	struct inlines *inlines;
	struct source_names *names;
	struct data_types *types; /* NULL: no type was asked for */
};

struct dso_debug *dso_debug_new(const struct dso_debug_config *cfg)
{
	struct dso_debug *d = xcalloc(1, sizeof(*d));

	pthread_mutex_init(&d->lock, NULL);
	pthread_mutex_init(&d->ahead_lock, NULL);
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
	data_types_free(d->types);
	debuginfo_close(d->info);
	source_names_free(d->names);
	free(d->ahead);
	pthread_mutex_destroy(&d->ahead_lock);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

/* Opens the debug information once; the caller holds d->lock. Returns false if there is none. */
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
	d->inlines = inlines_new(d->info, &d->cfg.names_of_inlines);
	return true;
}

/*
 * Returns all waiting questions in *ret, which the caller frees. If there are none, no more
 * questions are accepted.
 */
static size_t take_questions(struct dso_debug *d, struct question **ret)
{
	size_t nr;

	pthread_mutex_lock(&d->ahead_lock);
	nr = d->nr_ahead;
	*ret = d->ahead;
	d->takes_questions = nr != 0;
	d->ahead = NULL;
	d->nr_ahead = d->cap_ahead = 0;
	pthread_mutex_unlock(&d->ahead_lock);
	return nr;
}

static void *open_now(void *arg)
{
	struct dso_debug *d = arg;
	const struct inline_frame *frames;
	struct question *q;
	bool has_info;
	size_t nr;

	pthread_mutex_lock(&d->lock);
	has_info = ensure_open(d);
	pthread_mutex_unlock(&d->lock);
	while ((nr = take_questions(d, &q))) {
		pthread_mutex_lock(&d->lock);
		for (size_t i = 0; i < nr && has_info; i++)
			(void)inlines_find(d->inlines, q[i].vaddr, q[i].symbol, 0, &frames);
		pthread_mutex_unlock(&d->lock);
		free(q);
	}
	return NULL;
}

void dso_debug_open_early(struct dso_debug *d)
{
	d->takes_questions = true;
	d->has_opener = !pthread_create(&d->opener, NULL, open_now, d);
}

void dso_debug_will_ask(struct dso_debug *d, u64 vaddr, const char *symbol)
{
	pthread_mutex_lock(&d->ahead_lock);
	if (d->takes_questions)
		vec_push(d->ahead, d->nr_ahead, d->cap_ahead, ((struct question){ vaddr, symbol }));
	pthread_mutex_unlock(&d->ahead_lock);
}

bool dso_debug_line(struct dso_debug *d, u64 vaddr, const char **ret_file, u32 *ret_line)
{
	bool found = false;

	pthread_mutex_lock(&d->lock);
	if (ensure_open(d)) {
		found = lines_find(d->lines, vaddr, ret_file, ret_line);
		/*
		 * binutils' addr2line gives a function without lines the file name of its symbol
		 * table
		 */
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

bool dso_debug_data_type(struct dso_debug *d, u64 vaddr, const struct data_place *place,
			 struct out *o)
{
	bool found = false;

	pthread_mutex_lock(&d->lock);
	if (ensure_open(d)) {
		if (!d->types)
			d->types = data_types_new(d->info);
		found = data_types_find(d->types, vaddr, place, o);
	}
	pthread_mutex_unlock(&d->lock);
	return found;
}
