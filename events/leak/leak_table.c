/* SPDX-License-Identifier: MIT */
#include "events/leak/leak_table.h"

#include "base/mem.h"

#define FIRST_SLOTS 1024

void leak_table_init(struct leak_table *t, size_t max_keys, u64 age)
{
	*t = (struct leak_table){ .max_keys = max_keys ? max_keys : 1, .age = age };
}

void leak_table_fini(struct leak_table *t)
{
	if (t->slots)
		table_free(t->slots, (t->mask + 1) * sizeof(*t->slots));
	free(t->processes);
	free(t->sums);
	idmap_fini(&t->by_pid);
	*t = (struct leak_table){ 0 };
}

/* ---- processes ---- */

/* IDMAP_NONE: it has allocated nothing. */
static u32 find_process(const struct leak_table *t, u32 pid)
{
	u32 i = idmap_get(&t->by_pid, pid, 0);

	return i == IDMAP_NONE || t->processes[i].ended ? IDMAP_NONE : i;
}

static u32 get_process(struct leak_table *t, u32 pid)
{
	u32 i = find_process(t, pid);

	if (i != IDMAP_NONE)
		return i;
	i = (u32)t->nr_processes;
	vec_push(t->processes, t->nr_processes, t->cap_processes,
		 (struct leak_process){ .pid = pid });
	idmap_put(&t->by_pid, pid, 0, i);
	return i;
}

void leak_table_end_process(struct leak_table *t, u32 pid, u64 time)
{
	u32 i = find_process(t, pid);

	if (i == IDMAP_NONE)
		return;
	t->processes[i].ended = time ? time : 1;
	t->nr_dead += t->processes[i].nr;
}

/* ---- slots ---- */

static size_t home(const struct leak_table *t, u32 process, u64 ptr)
{
	return hash_pair(ptr, process) & t->mask;
}

/* The slot of an object, or the free one where it would be. */
static struct leak_entry *find_slot(const struct leak_table *t, u32 process, u64 ptr)
{
	size_t i = home(t, process, ptr);

	while (t->slots[i].ptr && (t->slots[i].ptr != ptr || t->slots[i].process != process))
		i = (i + 1) & t->mask;
	return &t->slots[i];
}

static void move_to(struct leak_table *t, size_t nr_slots)
{
	struct leak_entry *old = t->slots;
	size_t nr_old = old ? t->mask + 1 : 0;

	t->slots = table_alloc(nr_slots * sizeof(*t->slots));
	t->mask = nr_slots - 1;
	for (size_t i = 0; i < nr_old; i++)
		if (old[i].ptr)
			*find_slot(t, old[i].process, old[i].ptr) = old[i];
	if (old)
		table_free(old, nr_old * sizeof(*old));
}

/* Frees a slot and moves those behind it, so that each is still found from its own place. */
static void clear_slot(struct leak_table *t, struct leak_entry *e)
{
	size_t hole = (size_t)(e - t->slots), i = hole;

	for (;;) {
		i = (i + 1) & t->mask;
		if (!t->slots[i].ptr)
			break;
		if (((i - home(t, t->slots[i].process, t->slots[i].ptr)) & t->mask) <
		    ((i - hole) & t->mask))
			continue;
		t->slots[hole] = t->slots[i];
		hole = i;
	}
	t->slots[hole].ptr = 0;
	t->nr--;
}

/* ---- sums ---- */

static u64 age_at(const struct leak_entry *e, u64 now)
{
	return now > e->time ? now - e->time : 0;
}

/* Returns false if the object is too young to count. */
static bool add_to(const struct leak_table *t, struct leak_sum *sum, const struct leak_entry *e,
		   u64 now)
{
	const struct leak_process *p = &t->processes[e->process];
	u64 age = age_at(e, p->ended ? p->ended : now);

	if (age < t->age)
		return false;
	sum->ended += p->ended != 0;
	/* A loss that is reported after the end of the process counts as well: it says only up to
	 * when records are missing, not from when on. */
	if (e->time < t->last_loss) {
		sum->maybe_objects++;
		sum->maybe_bytes += e->size;
		if (age > sum->maybe_oldest)
			sum->maybe_oldest = age;
	} else {
		sum->objects++;
		sum->bytes += e->size;
		if (age > sum->oldest)
			sum->oldest = age;
	}
	return true;
}

/* Makes room: what belongs to ended processes is only counted from now on. */
static void drop_dead(struct leak_table *t)
{
	size_t nr_slots = t->mask + 1;
	struct leak_entry *old = t->slots;

	for (size_t i = 0; i < nr_slots; i++) {
		struct leak_entry *e = &old[i];

		if (!e->ptr || !t->processes[e->process].ended)
			continue;
		while (t->nr_sums <= e->group)
			vec_push(t->sums, t->nr_sums, t->cap_sums, (struct leak_sum){ 0 });
		if (!add_to(t, &t->sums[e->group], e, 0))
			t->nr_dead_young++;
		e->ptr = 0;
	}
	t->nr -= t->nr_dead;
	t->nr_dead = 0;
	move_to(t, nr_slots);
}

size_t leak_table_bytes(const struct leak_table *t)
{
	return (t->slots ? (t->mask + 1) * sizeof(*t->slots) : 0) +
	       t->cap_processes * sizeof(*t->processes) + idmap_bytes(&t->by_pid) +
	       t->cap_sums * sizeof(*t->sums);
}

struct leak_sum *leak_table_sums(struct leak_table *t, size_t nr, u64 now)
{
	struct leak_sum *sums = xcalloc(nr + 1, sizeof(*sums));

	t->nr_young = t->nr_dead_young;
	for (size_t i = 0; i < nr && i < t->nr_sums; i++)
		sums[i] = t->sums[i];
	for (size_t i = 0; t->slots && i <= t->mask; i++) {
		const struct leak_entry *e = &t->slots[i];

		if (e->ptr && e->group < nr && !add_to(t, &sums[e->group], e, now))
			t->nr_young++;
	}
	return sums;
}

/* ---- groups ---- */

static bool has_any(const struct leak_sum *s)
{
	return s->objects || s->maybe_objects;
}

void leak_table_find_groups(const struct leak_table *t, bool *used, size_t nr)
{
	for (size_t i = 0; i < nr && i < t->nr_sums; i++)
		used[i] |= has_any(&t->sums[i]);
	for (size_t i = 0; t->slots && i <= t->mask; i++)
		if (t->slots[i].ptr && t->slots[i].group < nr)
			used[t->slots[i].group] = true;
}

void leak_table_number_groups(struct leak_table *t, const u32 *numbers, size_t nr)
{
	size_t nr_sums = 0;

	for (size_t i = 0; i < nr && i < t->nr_sums; i++) {
		if (!has_any(&t->sums[i]))
			continue;
		while (nr_sums < numbers[i])
			t->sums[nr_sums++] = (struct leak_sum){ 0 };
		t->sums[nr_sums++] = t->sums[i];
	}
	t->nr_sums = nr_sums;
	for (size_t i = 0; t->slots && i <= t->mask; i++)
		if (t->slots[i].ptr && t->slots[i].group < nr)
			t->slots[i].group = numbers[t->slots[i].group];
}

/* ---- what happens ---- */

/* Room for one more object; false: there is none. */
static bool make_room(struct leak_table *t)
{
	bool full = t->full || t->nr >= t->max_keys;

	/* only when it frees so much that going over all slots pays */
	if (full && t->nr_dead && t->nr_dead >= t->nr / 8) {
		drop_dead(t);
		full = false;
	}
	if (full)
		return false;
	if (!t->slots)
		move_to(t, FIRST_SLOTS);
	else if (t->nr + 1 > (t->mask + 1) / 4 * 3)
		move_to(t, (t->mask + 1) * 2);
	return true;
}

void leak_table_alloc(struct leak_table *t, u32 pid, const struct leak_entry *e)
{
	u32 process = find_process(t, pid);
	struct leak_entry *slot;

	t->nr_allocs++;
	if (!e->ptr) {
		t->nr_failed++;
		return;
	}
	slot = process != IDMAP_NONE && t->slots ? find_slot(t, process, e->ptr) : NULL;
	if (slot && slot->ptr) {
		t->nr_replaced++;
		t->processes[process].nr--;
		clear_slot(t, slot);
	}
	if (e->group == LEAK_NO_GROUP || !make_room(t)) {
		t->nr_dropped++;
		t->dropped_bytes += e->size;
		return;
	}
	process = get_process(t, pid);
	slot = find_slot(t, process, e->ptr);
	t->nr++;
	t->processes[process].nr++;
	*slot = *e;
	slot->process = process;
}

void leak_table_free(struct leak_table *t, u32 pid, u64 ptr, u64 time)
{
	u32 process = find_process(t, pid);
	struct leak_entry *e;

	if (!ptr)
		return;
	e = process != IDMAP_NONE && t->slots ? find_slot(t, process, ptr) : NULL;
	if (!e || !e->ptr) {
		t->nr_unknown++;
		return;
	}
	t->nr_frees++;
	t->nr_negative += time < e->time;
	t->processes[process].nr--;
	clear_slot(t, e);
}

void leak_table_lost(struct leak_table *t, u64 time)
{
	if (time > t->last_loss)
		t->last_loss = time;
}
