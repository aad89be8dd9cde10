/* SPDX-License-Identifier: MIT */
#include "tests/record/readers/fake_rings.h"

#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/record.h"

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

void fake_rings_init(struct fake_rings *f, size_t nr, u64 data_bytes)
{
	*f = (struct fake_rings){ .rings = { .nr = nr, .data_bytes = data_bytes } };
	f->rings.rings = xcalloc(nr, sizeof(*f->rings.rings));
	f->sent = xcalloc(nr, sizeof(*f->sent));
	f->lost = xcalloc(nr, sizeof(*f->lost));
	for (size_t i = 0; i < nr; i++)
		f->rings.rings[i] = (struct rec_ring){ .map = xcalloc(1, page_size() + data_bytes),
						       .data_bytes = data_bytes,
						       .fd = -1,
						       .cpu = (s32)i,
						       .tid = -1 };
}

void fake_rings_fini(struct fake_rings *f)
{
	for (size_t i = 0; i < f->rings.nr; i++)
		free(f->rings.rings[i].map);
	free(f->rings.rings);
	free(f->sent);
	free(f->lost);
}

void fake_rings_add_event(struct rec_evlist *l)
{
	struct rec_event *ev = evlist_add(l, "cpu-clock", PD_TYPE_SOFTWARE, 0);

	ev->attr.size = 136;
	ev->attr.sample_type = PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_PERIOD;
	ev->attr.flags = 1ull << PD_ATTR_SAMPLE_ID_ALL;
}

void fake_ring_put(struct fake_rings *f, size_t i)
{
	const struct rec_ring *r = &f->rings.rings[i];
	struct perf_event_mmap_page *control = r->map;
	u64 head = control->data_head, n = f->sent[i]++;
	u64 tail = __atomic_load_n(&control->data_tail, __ATOMIC_ACQUIRE);
	const u64 words[FAKE_SAMPLE_BYTES / 8] = {
		PD_RECORD_SAMPLE | (u64)FAKE_SAMPLE_BYTES << 48,
		(u64)i << 32 | n,
		7 | 7ull << 32,
		n * 1000 + 1,
		1000,
	};
	size_t at = head & (r->data_bytes - 1), first = r->data_bytes - at;
	u8 *data = (u8 *)r->map + page_size();

	if (head + FAKE_SAMPLE_BYTES - tail > r->data_bytes) {
		f->lost[i]++;
		return;
	}
	if (first > FAKE_SAMPLE_BYTES)
		first = FAKE_SAMPLE_BYTES;
	memcpy(data + at, words, first);
	memcpy(data, (const u8 *)words + first, FAKE_SAMPLE_BYTES - first);
	__atomic_store_n(&control->data_head, head + FAKE_SAMPLE_BYTES, __ATOMIC_RELEASE);
}

bool fake_ring_is_empty(const struct fake_rings *f, size_t i)
{
	const struct perf_event_mmap_page *control = f->rings.rings[i].map;

	return __atomic_load_n(&control->data_tail, __ATOMIC_ACQUIRE) == control->data_head;
}
