/* SPDX-License-Identifier: MIT */
#include "profile/chain_frames.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "count/counts.h"
#include "profile/line_text.h"
#include "session/frames.h"

#define MAX_AT_PLACE 1024 /* only damaged files have more functions inlined at one place */

/* The functions inlined at a frame's place. */
struct found_inlines {
	u32 id;
	const struct inline_frame *frames;
	size_t nr;
};

/* Frames of one object with debug information. */
struct object_frames {
	struct dso *dso;
	bool has_debuginfo;
	u32 *ids;
	size_t nr, cap;
	struct found_inlines *found; /* places of more than one function */
	size_t nr_found, cap_found;
};

struct inline_search {
	const struct counts *counts;
	struct object_frames *objects;
	size_t nr, cap;
	bool lines;
};

void chain_frames_init(struct chain_frames *cf, const struct counts *c)
{
	*cf = (struct chain_frames){ .counts = c, .nr_counted = c ? (u32)counts_nr_frames(c) : 0 };
	intern_init(&cf->texts);
}

void chain_frames_fini(struct chain_frames *cf)
{
	free(cf->inlined);
	arena_fini(&cf->syms);
	free(cf->places);
	free(cf->runs);
	idmap_fini(&cf->lines);
	intern_fini(&cf->texts);
}

const struct frame *chain_frames_get(const struct chain_frames *cf, u32 id)
{
	return id >= cf->nr_counted ? &cf->inlined[id - cf->nr_counted].frame
				    : counts_frame(cf->counts, id);
}

static void sort_by_object(struct inline_search *s)
{
	struct object_frames *last = NULL;
	struct idmap by_dso = { 0 };
	u32 nr = (u32)counts_nr_frames(s->counts), id, at;

	for (id = 0; id < nr; id++) {
		const struct frame *fr = counts_frame(s->counts, id);

		if (!fr->map || !fr->has_sym)
			continue;
		if (!last || last->dso != fr->map->dso) {
			at = idmap_get(&by_dso, (u64)(uintptr_t)fr->map->dso, 0);
			if (at == IDMAP_NONE) {
				struct object_frames o = { .dso = fr->map->dso,
							   .has_debuginfo = dso_has_debuginfo(
								   fr->map->dso) };

				at = (u32)s->nr;
				idmap_put(&by_dso, (u64)(uintptr_t)o.dso, 0, at);
				vec_push(s->objects, s->nr, s->cap, o);
			}
			last = &s->objects[at];
		}
		if (last->has_debuginfo)
			vec_push(last->ids, last->nr, last->cap, id);
	}
	idmap_fini(&by_dso);
}

static void find_in_object(void *ctx, size_t i)
{
	struct inline_search *s = ctx;
	struct object_frames *o = &s->objects[i];

	for (size_t k = 0; k < o->nr; k++) {
		const struct frame *fr = counts_frame(s->counts, o->ids[k]);
		struct found_inlines f = { .id = o->ids[k] };

		f.nr = s->lines ? frame_inlines_with_lines(fr, &f.frames)
				: frame_inlines(fr, &f.frames);
		if (f.nr > 1 && f.nr <= MAX_AT_PLACE)
			vec_push(o->found, o->nr_found, o->cap_found, f);
	}
}

static void note_line(struct chain_frames *cf, u32 id, const struct frame *fr,
		      const struct inline_frame *in, bool innermost, bool full_path)
{
	struct out o;

	out_init_mem(&o);
	if (innermost)
		line_text(&o, fr, full_path);
	else
		line_text_place(&o, in->file, in->line, full_path);
	idmap_put(&cf->lines, id, 0, intern_n(&cf->texts, o.buf, o.len));
	out_fini(&o);
}

/* Makes a frame for a function at the place of frame `counted`; returns its id. */
static u32 add_inlined(struct chain_frames *cf, u32 counted, const struct inline_frame *in)
{
	struct inlined_frame fr = { *counts_frame(cf->counts, counted), counted, in->is_inlined };
	u32 id = chain_frames_nr(cf);

	if (in->is_inlined) {
		struct sym_hit *sym = arena_alloc(&cf->syms, sizeof(*sym));

		*sym = *fr.frame.sym;
		sym->name = in->name;
		fr.frame.sym = sym;
	}
	vec_push(cf->inlined, cf->nr_inlined, cf->cap, fr);
	return id;
}

/*
 * The last function of a place is the frame's own and keeps its id. A function inlined into itself
 * is marked as not inlined: perf shows the frame again in its place.
 */
static void add_place(struct chain_frames *cf, const struct found_inlines *f,
		      const struct chain_lines *lines)
{
	const struct frame *own = counts_frame(cf->counts, f->id);

	cf->places[f->id] = (u32)cf->nr_runs + 1;
	vec_push(cf->runs, cf->nr_runs, cf->cap_runs, (u32)f->nr);
	for (size_t i = 0; i < f->nr; i++) {
		const struct inline_frame *in = &f->frames[i];
		bool is_own =
			i + 1 == f->nr || (!in->is_inlined && !lines->wanted && !lines->all_apart);
		u32 at = is_own ? f->id : add_inlined(cf, f->id, in);

		vec_push(cf->runs, cf->nr_runs, cf->cap_runs, at);
		if (lines->wanted)
			note_line(cf, at, own, in, !i, lines->full_path);
	}
}

static int by_id(const void *a, const void *b)
{
	const struct found_inlines *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Adds places by the ids of their frames, so that the result does not depend on threads. */
static void add_places(struct chain_frames *cf, const struct inline_search *s,
		       const struct chain_lines *lines)
{
	struct found_inlines *all = NULL;
	size_t nr = 0, cap = 0, i, k;

	for (i = 0; i < s->nr; i++)
		for (k = 0; k < s->objects[i].nr_found; k++)
			vec_push(all, nr, cap, s->objects[i].found[k]);
	if (!nr)
		return;
	qsort(all, nr, sizeof(*all), by_id);
	cf->places = xcalloc(cf->nr_counted, sizeof(*cf->places));
	for (i = 0; i < nr; i++)
		add_place(cf, &all[i], lines);
	free(all);
}

void chain_frames_find_inlined(struct chain_frames *cf, struct chain_lines lines,
			       unsigned int nr_threads)
{
	struct inline_search s = { .counts = cf->counts, .lines = lines.wanted };

	sort_by_object(&s);
	parallel_run(nr_threads, s.nr, find_in_object, &s);
	add_places(cf, &s, &lines);
	for (size_t i = 0; i < s.nr; i++) {
		free(s.objects[i].ids);
		free(s.objects[i].found);
	}
	free(s.objects);
}

const char *chain_frames_line(const struct chain_frames *cf, u32 id)
{
	u32 text = cf->places ? idmap_get(&cf->lines, id, 0) : IDMAP_NONE;

	return text != IDMAP_NONE ? intern_text(&cf->texts, text) : NULL;
}

size_t chain_frames_expand(const struct chain_frames *cf, const u32 *ids, size_t nr, u32 *ret)
{
	size_t n = 0, room = CHAIN_FRAMES_MAX, i;

	if (!cf->places || nr > room)
		return 0;
	/* room: what is left after one entry for each remaining id */
	for (i = 0, room -= nr; i < nr; i++) {
		u32 place = cf->places[ids[i]];
		const u32 *run;

		if (!place) {
			ret[n++] = ids[i];
			continue;
		}
		run = &cf->runs[place - 1];
		if (*run - 1 > room)
			return 0;
		room -= *run - 1;
		memcpy(ret + n, run + 1, *run * sizeof(*ret));
		n += *run;
	}
	return n > nr ? n : 0;
}

void chain_frame_of_frames(void *arg, u32 id, struct chain_frame *ret)
{
	const struct chain_frames *cf = arg;
	const struct frame *f = chain_frames_get(cf, id);

	ret->ip = f->ip;
	ret->map = f->map;
	ret->srcline = chain_frames_line(cf, id);
	if (f->has_sym) {
		ret->name = f->sym->name;
		ret->sym_start = f->sym->start;
		ret->inlined = chain_frames_is_inlined(cf, id);
	}
}
