/* SPDX-License-Identifier: MIT */
#include "record/live/live_notes.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"

struct live_note {
	u64 time, nr; /* nr: in the order of arrival */
	size_t at;    /* in live_notes.bytes */
	u32 size;
};

void live_notes_fini(struct live_notes *n)
{
	free(n->notes);
	wb_fini(&n->bytes);
	*n = (struct live_notes){ 0 };
}

void live_notes_add(struct live_notes *n, const u8 *record, u32 size, u64 time)
{
	struct live_note note = {
		.time = time, .nr = n->next_nr++, .at = n->bytes.n, .size = size
	};

	wb_mem(&n->bytes, record, size);
	vec_push(n->notes, n->nr, n->cap, note);
}

static int by_time(const void *va, const void *vb)
{
	const struct live_note *a = va, *b = vb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->nr < b->nr ? -1 : a->nr > b->nr;
}

void live_notes_sort(struct live_notes *n)
{
	if (n->nr > n->first)
		qsort(n->notes + n->first, n->nr - n->first, sizeof(*n->notes), by_time);
}

static struct pd_record record_of(const struct live_notes *n, const struct live_note *note)
{
	const u8 *p = n->bytes.p + note->at;

	return (struct pd_record){ .type = get_u32(p, false),
				   .misc = get_u16(p + 4, false),
				   .size = (u16)note->size,
				   .data = p };
}

bool live_notes_next(struct live_notes *n, u64 time, struct pd_record *ret, u64 *ret_time)
{
	const struct live_note *note = n->notes + n->first;

	if (n->first == n->nr || note->time > time)
		return false;
	n->first++;
	*ret = record_of(n, note);
	*ret_time = note->time;
	return true;
}

void live_notes_drop(struct live_notes *n)
{
	struct wbuf bytes = { 0 };
	size_t nr = 0;

	if (!n->first)
		return;
	for (size_t i = n->first; i < n->nr; i++) {
		struct live_note note = n->notes[i];

		wb_mem(&bytes, n->bytes.p + note.at, note.size);
		note.at = bytes.n - note.size;
		n->notes[nr++] = note;
	}
	if (nr) {
		wb_fini(&n->bytes);
		n->bytes = bytes;
	}
	n->bytes.n = bytes.n;
	n->nr = nr;
	n->first = 0;
}

bool live_notes_newest(const struct live_notes *n, size_t back, struct pd_record *ret)
{
	if (back >= n->nr)
		return false;
	*ret = record_of(n, &n->notes[n->nr - 1 - back]);
	return true;
}
