/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/lock_contention.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* LCB_F_* of the kernel's include/trace/events/lock.h. */
#define FLAG_SPIN 1u
#define FLAG_READ 2u
#define FLAG_WRITE 4u
#define FLAG_RT 8u
#define FLAG_PERCPU 16u
#define FLAG_MUTEX 32u
#define ALL_FLAGS 127u

static const struct {
	u32 flags;
	const char *name, *lock; /* of the kind of wait; of the lock */
} kinds[] = {
	{ 0, "semaphore", "semaphore" },
	{ FLAG_SPIN, "spinlock", "spinlock" },
	{ FLAG_SPIN | FLAG_READ, "rwlock:R", "rwlock" },
	{ FLAG_SPIN | FLAG_WRITE, "rwlock:W", "rwlock" },
	{ FLAG_READ, "rwsem:R", "rwsem" },
	{ FLAG_WRITE, "rwsem:W", "rwsem" },
	{ FLAG_RT, "rt-mutex", "rt-mutex" },
	{ FLAG_RT | FLAG_READ, "rwlock-rt:R", "rwlock-rt" },
	{ FLAG_RT | FLAG_WRITE, "rwlock-rt:W", "rwlock-rt" },
	{ FLAG_PERCPU | FLAG_READ, "pcpu-sem:R", "percpu-rwsem" },
	{ FLAG_PERCPU | FLAG_WRITE, "pcpu-sem:W", "percpu-rwsem" },
	{ FLAG_MUTEX, "mutex", "mutex" },
	{ FLAG_MUTEX | FLAG_SPIN, "mutex", "mutex" },
};

static const struct {
	const char *heading;
	int width;
} columns[NR_LOCK_COLUMNS] = {
	[LOCK_CONTENDED] = { "contended", 10 }, [LOCK_WAIT_TOTAL] = { "total wait", 12 },
	[LOCK_WAIT_MAX] = { "max wait", 12 },   [LOCK_WAIT_MIN] = { "min wait", 12 },
	[LOCK_WAIT_AVG] = { "avg wait", 12 },
};

u32 lock_kinds_named(struct span name)
{
	u32 found = 0;

	for (size_t i = 0; name.n && i < ARRAY_SIZE(kinds); i++) {
		const char *of_wait = kinds[i].name, *of_lock = kinds[i].lock;
		size_t whole = strlen(of_wait), base = strcspn(of_wait, ":");

		if ((name.n == whole && !memcmp(name.p, of_wait, whole)) ||
		    (name.n == base && !memcmp(name.p, of_wait, base)) ||
		    (name.n == strlen(of_lock) && !memcmp(name.p, of_lock, name.n)))
			found |= 1u << i;
	}
	return found;
}

u32 lock_kind_of(u32 flags)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].flags == (flags & ALL_FLAGS))
			return 1u << i;
	return 0;
}

void lock_contention_init(struct lock_contention *l)
{
	*l = (struct lock_contention){ 0 };
	intern_init(&l->strings);
}

void lock_contention_fini(struct lock_contention *l)
{
	free(l->rows);
	free(l->waits);
	idmap_fini(&l->row_of);
	idmap_fini(&l->wait_of);
	intern_fini(&l->strings);
	*l = (struct lock_contention){ 0 };
}

struct lock_row *lock_contention_row(struct lock_contention *l, u64 key)
{
	u32 i = idmap_get(&l->row_of, key, 0);

	return i == IDMAP_NONE ? NULL : &l->rows[i];
}

struct lock_row *lock_contention_add(struct lock_contention *l, u64 key, const char *name,
				     u32 flags)
{
	struct lock_row row = { .key = key, .flags = flags & ALL_FLAGS, .min = UINT64_MAX };

	row.name = intern_n(&l->strings, name, strlen(name));
	idmap_put(&l->row_of, key, 0, (u32)l->nr);
	vec_push(l->rows, l->nr, l->cap, row);
	return &l->rows[l->nr - 1];
}

static struct lock_wait *wait_of(struct lock_contention *l, u32 tid, u64 lock)
{
	u32 i = idmap_get(&l->wait_of, tid, lock);

	if (i == IDMAP_NONE) {
		i = (u32)l->nr_waits;
		vec_push(l->waits, l->nr_waits, l->cap_waits, ((struct lock_wait){ 0 }));
		idmap_put(&l->wait_of, tid, lock, i);
	}
	return &l->waits[i];
}

void lock_contention_begin(struct lock_contention *l, struct lock_row *row, u32 tid, u64 lock,
			   u64 time)
{
	struct lock_wait *w = wait_of(l, tid, lock);

	/* a mutex is waited for twice, first while it spins: from the first one on */
	if (!row || w->state == LOCK_WAITED_FOR)
		return;
	w->state = LOCK_WAITED_FOR;
	w->begin = time;
	row->nr_contended++;
}

void lock_contention_end(struct lock_contention *l, struct lock_row *row, u32 tid, u64 lock,
			 u64 time)
{
	struct lock_wait *w;
	u64 ns;

	if (!row)
		return;
	w = wait_of(l, tid, lock);
	if (w->state == LOCK_UNKNOWN)
		return;
	if (w->state == LOCK_HELD) {
		if (!row->is_broken)
			l->nr_bad_ends++;
		row->is_broken = true;
		w->state = LOCK_UNKNOWN;
		return;
	}
	ns = time - w->begin;
	row->total += ns;
	if (ns < row->min)
		row->min = ns;
	if (ns > row->max)
		row->max = ns;
	w->state = LOCK_HELD;
	row->nr_acquired++;
}

/* --- text
 * ----------------------------------------------------------------------------------------- */

static u64 value_of(const struct lock_row *r, enum lock_column column)
{
	switch (column) {
	case LOCK_CONTENDED: return r->nr_contended;
	case LOCK_WAIT_TOTAL: return r->total;
	case LOCK_WAIT_MAX: return r->max;
	case LOCK_WAIT_MIN: return r->min;
	case LOCK_WAIT_AVG: return r->nr_acquired ? r->total / r->nr_acquired : 0;
	case NR_LOCK_COLUMNS: break;
	}
	return 0;
}

struct sorted_row {
	const struct lock_row *row;
	u64 value;
	u32 bucket; /* in perf's hash table, which orders equal values */
	u32 number; /* in the order in which rows came */
};

static int compare_rows(const void *x, const void *y)
{
	const struct sorted_row *a = x, *b = y;

	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	if (a->bucket != b->bucket)
		return a->bucket < b->bucket ? -1 : 1;
	return a->number > b->number ? -1 : a->number < b->number;
}

static struct sorted_row *sorted_rows(const struct lock_contention *l,
				      const struct lock_layout *how)
{
	struct sorted_row *all = xcalloc(l->nr + 1, sizeof(*all));

	for (size_t i = 0; i < l->nr; i++)
		all[i] = (struct sorted_row){
			.row = &l->rows[i],
			.value = value_of(&l->rows[i], (enum lock_column)how->key),
			.bucket = (u32)(l->rows[i].key * 0x61c8864680b583ebull >> 52),
			.number = (u32)i
		};
	qsort(all, l->nr, sizeof(*all), compare_rows);
	return all;
}

static const char *name_of_kind(u32 flags, bool of_lock)
{
	u32 kind = lock_kind_of(flags);

	if (!kind)
		return "unknown";
	return of_lock ? kinds[__builtin_ctz(kind)].lock : kinds[__builtin_ctz(kind)].name;
}

/* "4.18 s ", right-aligned in `width` columns */
static void put_time(u64 ns, int width, struct out *o)
{
	static const struct {
		float ns; /* perf divides in this precision */
		const char *name;
	} units[] = {
		{ 3600e9F, "h " }, { 60e9F, "m " }, { 1e9F, "s " }, { 1e6F, "ms" }, { 1e3F, "us" }
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if ((float)ns < units[i].ns)
			continue;
		out_printf(o, "%*.2f %s ", width - 3, (double)((float)ns / units[i].ns),
			   units[i].name);
		return;
	}
	out_printf(o, "%*llu ns ", width - 3, (unsigned long long)ns);
}

static bool has_stacks(const struct lock_layout *how)
{
	return how->stacks && how->by == LOCK_BY_CALLER;
}

static void put_heading(const struct lock_layout *how, const enum lock_column *shown, u32 nr,
			struct out *o)
{
	static const char *const names[][2] = { { "type", "caller" },
						{ "pid", "comm" },
						{ "address", "symbol" } };
	const char *const *name = names[how->by];

	if (how->separator)
		out_str(o, "# output: ");
	for (u32 i = 0; i < nr; i++)
		if (how->separator)
			out_printf(o, "%s%s ", columns[shown[i]].heading, how->separator);
		else
			out_printf(o, "%*s ", columns[shown[i]].width, columns[shown[i]].heading);
	if (!how->separator)
		out_printf(o, "  %*s   %s\n\n", how->by == LOCK_BY_ADDRESS ? 16 : 10, name[0],
			   name[1]);
	else if (how->by == LOCK_BY_ADDRESS)
		out_printf(o, "address%s symbol%s type\n", how->separator, how->separator);
	else
		out_printf(o, has_stacks(how) ? "%s%s %s%s stacktrace\n" : "%s%s %s\n", name[0],
			   how->separator, name[1], how->separator);
}

/* The frames of a row's stack: below it, or as one more value. */
static void put_stack(const struct lock_contention *l, const struct lock_layout *how,
		      const struct lock_row *r, struct out *o)
{
	const char *line = intern_text(&l->strings, r->stack);
	bool first = true;

	for (; *line; first = false) {
		const char *end = strchr(line, '\n'), *name = strchr(line, ' ');
		size_t n = end ? (size_t)(end - line) : strlen(line);
		int address = name && name < line + n ? (int)(name - line) : (int)n;

		if (how->separator)
			out_printf(o, "%s %.*s", first ? how->separator : ":", (int)n, line);
		else
			out_printf(o, "\t\t\t%.*s %.*s\n", address, line, (int)n - address,
				   line + address);
		line += n + (end != NULL);
	}
	if (how->separator)
		out_char(o, '\n');
}

static void put_place(const struct lock_contention *l, const struct lock_layout *how,
		      const struct lock_row *r, struct out *o)
{
	const char *name = intern_text(&l->strings, r->name), *sep = how->separator;
	const char *comm;
	char nobody[24];

	switch (how->by) {
	case LOCK_BY_CALLER:
		if (sep)
			out_printf(o, has_stacks(how) ? "%s%s %s" : "%s%s %s\n",
				   name_of_kind(r->flags, false), sep, name);
		else
			out_printf(o, "  %10s   %s\n", name_of_kind(r->flags, false), name);
		if (has_stacks(how))
			put_stack(l, how, r, o);
		break;
	case LOCK_BY_THREAD:
		comm = how->comm_of(how->ctx, (u32)r->key);
		snprintf(nobody, sizeof(nobody), (int)r->key == -1 ? "Unknown" : ":%d",
			 (int)r->key);
		if (sep)
			out_printf(o, "%d%s %s\n", (int)r->key, sep, comm ? comm : nobody);
		else
			out_printf(o, "  %10d   %s\n", (int)r->key, comm ? comm : nobody);
		break;
	case LOCK_BY_ADDRESS:
		if (sep)
			out_printf(o, "%llx%s %s%s %s\n", (unsigned long long)r->key, sep, name,
				   sep, name_of_kind(r->flags, true));
		else
			out_printf(o, "  %016llx   %s (%s)\n", (unsigned long long)r->key, name,
				   name_of_kind(r->flags, true));
		break;
	}
}

/* What did not fit together. */
static void put_bad(const struct lock_contention *l, const struct lock_layout *how, struct out *o)
{
	u64 bad = 0;

	if ((!l->nr_bad_ends && !how->stacks) || !l->nr || how->quiet)
		return;
	for (size_t i = 0; i < l->nr; i++)
		bad += l->rows[i].is_broken;
	if (how->separator) {
		out_printf(o,
			   "# debug: total=%llu%s bad=%llu%s bad_acquire=0%s bad_acquired=%llu%s "
			   "bad_contended=0%s bad_release=0\n",
			   (unsigned long long)l->nr, how->separator, (unsigned long long)bad,
			   how->separator, how->separator, (unsigned long long)l->nr_bad_ends,
			   how->separator, how->separator);
		return;
	}
	out_printf(o,
		   "\n=== output for debug ===\n\nbad: %llu, total: %llu\nbad rate: %.2f %%\n"
		   "histogram of events caused bad sequence\n    acquire: 0\n   acquired: %llu\n"
		   "  contended: 0\n    release: 0\n",
		   (unsigned long long)bad, (unsigned long long)l->nr,
		   (double)bad / (double)l->nr * 100, (unsigned long long)l->nr_bad_ends);
}

/* The columns, with that of the key. */
static u32 columns_of(const struct lock_layout *how, enum lock_column ret[NR_LOCK_COLUMNS + 1])
{
	static const enum lock_column usual[] = { LOCK_CONTENDED, LOCK_WAIT_TOTAL, LOCK_WAIT_MAX,
						  LOCK_WAIT_AVG };
	u32 nr = how->nr_columns ? how->nr_columns : ARRAY_SIZE(usual);
	bool has_key = false;

	for (u32 i = 0; i < nr; i++) {
		ret[i] = how->nr_columns ? how->columns[i] : usual[i];
		has_key |= (int)ret[i] == how->key;
	}
	if (!has_key)
		ret[nr++] = (enum lock_column)how->key;
	return nr;
}

void lock_contention_put(const struct lock_contention *l, const struct lock_layout *how,
			 struct out *o)
{
	enum lock_column shown[NR_LOCK_COLUMNS + 1];
	u32 nr_columns = columns_of(how, shown);
	struct sorted_row *all = sorted_rows(l, how);
	u64 nr = 0;

	if (!how->quiet)
		put_heading(how, shown, nr_columns, o);
	for (size_t i = 0; i < l->nr && (!how->nr_rows || nr < how->nr_rows); i++) {
		const struct lock_row *r = all[i].row;

		if (!r->total)
			continue;
		for (u32 c = 0; c < nr_columns; c++) {
			u64 value = value_of(r, shown[c]);

			if (how->separator)
				out_printf(o, "%llu%s ", (unsigned long long)value, how->separator);
			else if (shown[c] == LOCK_CONTENDED)
				out_printf(o, "%*llu ", columns[shown[c]].width,
					   (unsigned long long)value);
			else
				put_time(value, columns[shown[c]].width, o);
		}
		put_place(l, how, r, o);
		nr++;
	}
	free(all);
	put_bad(l, how, o);
}
