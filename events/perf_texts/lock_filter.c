/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/lock_filter.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/option.h"
#include "events/perf_texts/lock_contention.h"
#include "events/text_list.h"

static void free_names(struct name_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free(l->names[i]);
	free(l->names);
}

void lock_filter_fini(struct lock_filter *f)
{
	free(f->locks.v);
	free_names(&f->lock_names);
	free_names(&f->stack);
	*f = (struct lock_filter){ 0 };
}

static void add_name(struct name_list *l, struct span name)
{
	vec_push(l->names, l->nr, l->cap, xstrndup((const char *)name.p, name.n));
}

static struct span list_of(const char *arg)
{
	return span_of(arg ? arg : "", arg ? strlen(arg) : 0);
}

int lock_filter_kinds(void *filter, const char *arg, struct perr *e)
{
	struct lock_filter *f = filter;
	struct span rest = list_of(arg), item;

	while (text_list_next(&rest, ',', false, &item)) {
		u32 kinds = lock_kinds_named(item);

		if (item.n && !kinds)
			return perr_set(e, PERR_USAGE,
					"'%.*s' is no kind of lock; there are semaphore, spinlock, "
					"rwlock, rwsem, rt-mutex, rwlock-rt, pcpu-sem, "
					"percpu-rwsem and mutex; rwlock:R, rwlock:W and so on",
					(int)(item.n < 40 ? item.n : 40), (const char *)item.p);
		f->kinds |= kinds;
	}
	return 0;
}

int lock_filter_locks(void *filter, const char *arg, struct perr *e)
{
	struct lock_filter *f = filter;
	struct span rest = list_of(arg), item;

	(void)e;
	while (text_list_next(&rest, ',', false, &item)) {
		char digits[24];
		u64 lock;

		snprintf(digits, sizeof(digits), "%.*s", (int)(item.n < 23 ? item.n : 23),
			 (const char *)item.p);
		if (!parse_u64(digits, 16, 0, UINT64_MAX, &lock))
			vec_push(f->locks.v, f->locks.nr, f->locks.cap, lock);
		else if (item.n)
			add_name(&f->lock_names, item);
	}
	return 0;
}

int lock_filter_stack(void *filter, const char *arg, struct perr *e)
{
	struct lock_filter *f = filter;
	struct span rest = list_of(arg), item;

	(void)e;
	while (text_list_next(&rest, ',', false, &item))
		if (item.n)
			add_name(&f->stack, item);
	return 0;
}

bool lock_filter_has_kind(const struct lock_filter *f, u32 flags)
{
	return !f->kinds || f->kinds & lock_kind_of(flags);
}

bool lock_filter_has_lock(const struct lock_filter *f, u64 lock, const char *lock_name)
{
	for (size_t i = 0; i < f->locks.nr; i++)
		if (f->locks.v[i] == lock)
			return true;
	for (size_t i = 0; lock_name && i < f->lock_names.nr; i++)
		if (!strcmp(f->lock_names.names[i], lock_name))
			return true;
	return !f->locks.nr && !f->lock_names.nr;
}

bool lock_filter_has_function(const struct lock_filter *f, const char *name)
{
	for (size_t i = 0; i < f->stack.nr; i++)
		if (strstr(name, f->stack.names[i]))
			return true;
	return false;
}
