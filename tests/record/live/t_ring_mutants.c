/* SPDX-License-Identifier: MIT */
/*
 * Damaged rings through the recorder's way from a ring to chains: the records of recordings with
 * stack copies lie in two rings, damaged, and are merged, copied and unwound. No crash, no hang;
 * what is written is whole records. Kernels write no such rings: who maps a ring of another's can.
 * The files and the environment are those of fileformat/t_mutants.c.
 */
#include "tests/frame/unit.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/perfdata.h"
#include "record/live/live_chains.h"
#include "record/ring/copier.h"
#include "tests/fileformat/mutant_seeds.h"
#include "tests/frame/mutate.h"

#define RINGS 2u
#define RING_BYTES (256u << 10)
#define MAX_EVENTS 8u

struct recordings {
	struct seeds seeds;
	struct {
		const char *stage;
		u64 nr_records, nr_sweeps, nr_refused;
	} * shared; /* by all processes */
};

struct rig {
	struct rec_evlist l;
	struct rec_ring ring[RINGS];
	struct rec_rings rings;
	struct ring_merge merge;
	struct rec_copier *copier;
	struct live_chains *live;
	struct wbuf out[RINGS]; /* by ring, which is a lane where there are threads */
};

static const char *name_of_recording(void *ctx, size_t file)
{
	struct recordings *r = ctx;

	return r->seeds.items[file].name;
}

static void add_event(struct rig *r, const struct pd_event *from)
{
	struct rec_event *ev = evlist_add(&r->l, "e", from->attr.type, 0);

	ev->attr = from->attr;
	ev->unwound = chained_attr_wanted(&from->attr);
	ev->nr_fds = from->nr_ids;
	ev->fds = xcalloc(ev->nr_fds + 1, sizeof(*ev->fds));
	ev->ids = xcalloc(ev->nr_fds + 1, sizeof(*ev->ids));
	for (size_t i = 0; i < ev->nr_fds; i++) {
		ev->fds[i] = -1;
		ev->ids[i] = from->ids[i];
	}
}

static void rig_init(struct rig *r, const struct perfdata *pd, bool threads)
{
	struct perr e;

	*r = (struct rig){ 0 };
	evlist_init(&r->l);
	for (size_t i = 0; i < pd->nr_events && i < MAX_EVENTS; i++)
		add_event(r, pd->events[i]);
	for (size_t i = 0; i < RINGS; i++)
		r->ring[i] = (struct rec_ring){ .fd = -1,
						.cpu = (s32)i,
						.data_bytes = RING_BYTES,
						.map = xcalloc(1, (size_t)sysconf(_SC_PAGESIZE) +
									  RING_BYTES) };
	r->rings = (struct rec_rings){ .rings = r->ring, .nr = RINGS, .data_bytes = RING_BYTES };
	r->live = live_chains_new("/nowhere", false, NULL);
	if (threads)
		CHECK_EQ(live_chains_add_threads(r->live, RINGS, NULL, NULL, &e), 0);
	for (size_t i = 0; i < r->l.nr; i++)
		live_chains_add_event(r->live, &r->l.events[i]->attr);
	r->copier = copier_new(&r->l, NULL);
	copier_set_live(r->copier, r->live);
	ring_merge_init(&r->merge, &r->rings, copier_times(r->copier));
}

static void rig_fini(struct rig *r)
{
	ring_merge_fini(&r->merge);
	copier_free(r->copier);
	live_chains_free(r->live);
	for (size_t i = 0; i < RINGS; i++)
		free(r->ring[i].map);
	evlist_fini(&r->l);
	for (size_t i = 0; i < RINGS; i++)
		wb_fini(&r->out[i]);
}

/* Returns false if the ring has no room. */
static bool put(struct rec_ring *ring, const u8 *p, size_t n)
{
	struct perf_event_mmap_page *control = ring->map;
	u8 *data = (u8 *)ring->map + sysconf(_SC_PAGESIZE);
	u64 head = control->data_head;

	if (n > RING_BYTES - (head - control->data_tail))
		return false;
	for (size_t i = 0; i < n; i++)
		data[(head + i) % RING_BYTES] = p[i];
	control->data_head = head + n;
	return true;
}

static void note(void *ctx, const struct ring_view *v, u64 time)
{
	struct rig *r = ctx;
	u8 whole[65536];

	ring_view_copy(v, 0, v->size, whole);
	live_chains_note(r->live, whole, v->size, time);
}

static int sweep(struct rig *r, struct perr *e)
{
	struct ring_view v;
	u64 time;
	int got, err = ring_merge_begin(&r->merge, note, r, e);

	if (err)
		return err;
	live_chains_notes_end(r->live);
	while ((got = ring_merge_next(&r->merge, &v, &time, e)) == 1 && !err) {
		live_chains_set_lane(r->live, r->merge.last_ring);
		err = copier_put(r->copier, &v, time, &r->out[r->merge.last_ring], e);
	}
	live_chains_flush(r->live);
	ring_merge_consume(&r->merge);
	live_chains_advance(r->live, r->merge.last);
	live_chains_end_sweep(r->live);
	return err ? err : got;
}

static void check_output(const struct wbuf *out)
{
	for (size_t at = 0; at < out->n;) {
		u16 size = out->n - at < 8 ? 0 : get_u16(out->p + at + 6, false);

		if (size < 8 || size > out->n - at)
			abort();
		at += size;
	}
}

/* Each record as it is, or with some changes: mostly of its body, seldom of its header. */
static bool put_mutant(struct rig *r, const struct pd_record *rec, struct dice *d, bool damaged)
{
	u8 *copy = xmalloc(rec->size);
	bool fits;

	memcpy(copy, rec->data, rec->size);
	if (damaged && !roll(d, 4))
		(void)mutate_once(copy, rec->size, roll(d, 50) && rec->size > 8 ? 8 : 0, d);
	fits = put(&r->ring[roll(d, RINGS)], copy, rec->size);
	free(copy);
	return fits;
}

static void run(struct recordings *r, size_t file, u64 k, bool damaged)
{
	const struct seed *s = &r->seeds.items[file];
	struct dice d = dice_of(s->name, k);
	struct perfdata *pd = NULL;
	struct pd_record rec;
	struct rig rig;
	struct perr e;
	int err = 0;

	if (pd_open_mem(span_of(s->p, s->n), s->name, NULL, &pd, NULL))
		return;
	r->shared->stage = "rings";
	rig_init(&rig, pd, k % 4 == 3);
	while (!err && pd_next(pd, &rec, &e) == 1) {
		if (rec.type >= 64 || rec.size % 8)
			continue;
		r->shared->nr_records++;
		if (put_mutant(&rig, &rec, &d, damaged) && roll(&d, 16))
			continue;
		err = sweep(&rig, &e);
		r->shared->nr_sweeps++;
	}
	/* the recorder ends with such an error: what is broken stays unread */
	r->shared->nr_refused += err != 0;
	if (!err)
		err = sweep(&rig, &e);
	for (size_t i = 0; i < RINGS; i++)
		check_output(&rig.out[i]);
	rig_fini(&rig);
	pd_close(pd);
}

static void use_mutant(void *ctx, size_t file, u64 k)
{
	run(ctx, file, k, true);
}

static void use_recording(void *ctx, size_t file)
{
	run(ctx, file, 0, false);
}

static void keep_mutant(void *ctx, size_t file, u64 k, FILE *to)
{
	(void)ctx;
	if (to)
		fprintf(to, "file %zu, k %llu\n", file, (unsigned long long)k);
}

static void end_recordings(void *ctx)
{
	struct recordings *r = ctx;

	mutant_seeds_free(&r->seeds);
}

static void keep_copies(struct seeds *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->nr; i++) {
		struct seed *f = &s->items[i];
		struct perfdata *pd = NULL;
		bool has = !pd_open_mem(span_of(f->p, f->n), f->name, NULL, &pd, NULL) &&
			   pd_has_stack_copies(pd) && !pd->swap;

		pd_close(pd);
		if (has) {
			s->items[kept++] = *f;
			continue;
		}
		free(f->name);
		free(f->p);
		free(f->recs);
	}
	s->nr = kept;
}

TEST(mutants)
{
	struct recordings r = { .shared = mutant_shared_memory(sizeof(*r.shared)) };
	struct mutant_files files = {
		.name = name_of_recording,
		.use = use_mutant,
		.use_undamaged = use_recording,
		.died = keep_mutant,
		.end = end_recordings,
		.stage = &r.shared->stage,
		.ctx = &r,
	};
	struct mutant_result res;

	mutant_seeds_collect(&r.seeds);
	keep_copies(&r.seeds);
	CHECK(r.seeds.nr);
	r.shared->stage = "beginning";
	files.nr = r.seeds.nr;
	res = mutant_runs(&files);
	printf("# %llu mutants of %zu files, to k = %llu; %llu records, %llu sweeps, %llu errors\n",
	       (unsigned long long)res.done, files.nr, (unsigned long long)res.k,
	       (unsigned long long)r.shared->nr_records, (unsigned long long)r.shared->nr_sweeps,
	       (unsigned long long)r.shared->nr_refused);
	end_recordings(&r);
	munmap(r.shared, sizeof(*r.shared));
	mutant_check(&res);
}
