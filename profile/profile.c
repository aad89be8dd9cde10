/* SPDX-License-Identifier: MIT */
#include "profile/profile.h"

#include "base/intern.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "count/counts.h"
#include "profile/chain_frames.h"

#define LINE_PLACES 256 /* a thread looks up the lines of that many places at once */

struct profile {
	struct session *session;
	struct counts *counts;
	struct profile_config cfg;
	struct chain_frames places; /* counted frames and what is inlined there, by frame_id */
	struct profile_frame *frames;
	struct profile_function *functions;
	size_t nr_functions, cap_functions;
	struct profile_object *objects;
	size_t nr_objects, cap_objects;
	struct intern names; /* of functions, as they are written */
};

/* Numbers objects and functions while frames are made. */
struct profile_maker {
	struct profile *p;
	struct idmap objects;   /* (object, its name) -> object_id */
	struct idmap functions; /* (text id of the full name, object_id) -> function_id */
	struct intern full_names;
	struct out text;
};

static unsigned int nr_threads_of(const struct profile *p)
{
	return p->cfg.counts.threads ? p->cfg.counts.threads : parallel_nr_cpus();
}

/* Parts of the kernel are one object of symbols/, and have names of their own. */
static object_id make_object(struct profile_maker *m, const struct map *map)
{
	struct profile *p = m->p;
	const struct dso_desc *desc;
	u32 id;

	if (!map)
		return (object_id){ PROFILE_NONE };
	id = idmap_get(&m->objects, (uintptr_t)map->dso, (uintptr_t)map->dso_name);
	if (id != IDMAP_NONE)
		return (object_id){ id };
	desc = dso_get_desc(map->dso);
	id = (u32)p->nr_objects;
	idmap_put(&m->objects, (uintptr_t)map->dso, (uintptr_t)map->dso_name, id);
	vec_push(p->objects, p->nr_objects, p->cap_objects,
		 ((struct profile_object){ .path = map->dso_name,
					   .build_id = desc->build_id,
					   .build_id_size = desc->build_id_size,
					   .start = map->start,
					   .end = map->end,
					   .pgoff = map->pgoff }));
	return (object_id){ id };
}

static function_id make_function(struct profile_maker *m, const struct frame *fr, object_id object)
{
	struct profile *p = m->p;
	u32 full, name, id;

	if (!fr->has_sym)
		return (function_id){ PROFILE_NONE };
	full = intern_str(&m->full_names, fr->sym->name);
	id = idmap_get(&m->functions, full, object.n);
	if (id != IDMAP_NONE)
		return (function_id){ id };
	m->text.len = 0;
	function_name_put(&m->text, fr->sym->name, strlen(fr->sym->name), p->cfg.names);
	name = intern_n(&p->names, m->text.buf, m->text.len);
	idmap_put(&m->functions, full, object.n, (u32)p->nr_functions);
	vec_push(p->functions, p->nr_functions, p->cap_functions,
		 ((struct profile_function){ .name = intern_text(&p->names, name),
					     .full_name = fr->sym->name,
					     .object = object }));
	return (function_id){ (u32)p->nr_functions - 1 };
}

static enum profile_frame_kind kind_of(const struct map *map)
{
	if (!map)
		return PROFILE_NOWHERE;
	if (map->kernel)
		return PROFILE_KERNEL;
	return dso_get_desc(map->dso)->kind == DSO_JIT ? PROFILE_JIT : PROFILE_USER;
}

static void make_frames(struct profile *p)
{
	struct profile_maker m = { .p = p };
	u32 nr = chain_frames_nr(&p->places), i;

	p->frames = xcalloc((size_t)nr + 1, sizeof(*p->frames));
	intern_init(&m.full_names);
	out_init_mem(&m.text);
	for (i = 0; i < nr; i++) {
		const struct frame *fr = chain_frames_get(&p->places, i);
		struct profile_frame *to = &p->frames[i];

		to->object = make_object(&m, fr->map);
		to->function = make_function(&m, fr, to->object);
		to->ip = fr->ip;
		to->addr = fr->map ? map_ip_to_addr(fr->map, fr->ip) : fr->ip;
		to->inlined = i >= p->places.nr_counted;
		to->kind = kind_of(fr->map);
	}
	out_fini(&m.text);
	intern_fini(&m.full_names);
	idmap_fini(&m.objects);
	idmap_fini(&m.functions);
}

/*
 * The innermost function executes the line of the place itself; each outer one has the line that
 * calls what was inlined into it.
 */
static void find_lines_of(struct profile *p, u32 place)
{
	const struct frame *fr = counts_frame(p->counts, place);
	const struct inline_frame *calls;
	struct line_hit hit;
	const u32 *ids;
	size_t nr = chain_frames_at(&p->places, place, &ids);

	if (!nr) {
		ids = &place;
		nr = 1;
	}
	if (fr->map && dso_find_line(fr->map->dso, fr->ip, fr->map->start, fr->map->pgoff, &hit)) {
		p->frames[ids[0]].file = hit.file;
		p->frames[ids[0]].line = hit.line;
	}
	if (nr == 1 || frame_inlines_with_lines(fr, &calls) != nr)
		return;
	for (size_t i = 1; i < nr; i++) {
		p->frames[ids[i]].file = calls[i].file;
		p->frames[ids[i]].line = calls[i].line;
	}
}

static void find_lines(void *profile, size_t piece)
{
	struct profile *p = profile;
	u32 place = (u32)piece * LINE_PLACES, end = place + LINE_PLACES;

	for (; place < end && place < p->places.nr_counted; place++)
		find_lines_of(p, place);
}

/* Called once the frames are resolved, while counts_run still orders the rows. */
static void make_names(void *profile, const struct counts *c)
{
	const struct chain_lines lines = { .wanted = false, .all_apart = true };
	struct profile *p = profile;

	chain_frames_init(&p->places, c);
	if (p->cfg.inlines)
		chain_frames_find_inlined(&p->places, lines, nr_threads_of(p));
	make_frames(p);
}

int profile_read(struct session *s, const struct profile_config *cfg, struct profile **ret,
		 struct perr *e)
{
	struct profile *p = xcalloc(1, sizeof(*p));
	int err;

	*ret = NULL;
	p->session = s;
	p->cfg = *cfg;
	p->cfg.counts.columns |= 1u << COUNT_STACK | 1u << COUNT_IP;
	p->cfg.counts.resolve = true;
	p->cfg.counts.keep_inlines = cfg->inlines;
	p->cfg.counts.on_frames = make_names;
	p->cfg.counts.on_frames_ctx = p;
	intern_init(&p->names);
	err = counts_run(s, &p->cfg.counts, &p->counts, e);
	if (!p->counts) {
		profile_free(p);
		return err;
	}
	if (cfg->lines)
		parallel_run(nr_threads_of(p), p->places.nr_counted / LINE_PLACES + 1, find_lines,
			     p);
	*ret = p;
	return err;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	if (p->frames)
		chain_frames_fini(&p->places);
	free(p->frames);
	free(p->functions);
	free(p->objects);
	intern_fini(&p->names);
	counts_free(p->counts);
	free(p);
}

/* --- reading ---------------------------------------------------------------------------------- */

const struct counts *profile_get_counts(const struct profile *p)
{
	return p->counts;
}

const struct perfdata *profile_get_recording(const struct profile *p)
{
	return p->session->pd;
}

size_t profile_nr_objects(const struct profile *p)
{
	return p->nr_objects;
}

const struct profile_object *profile_get_object(const struct profile *p, object_id id)
{
	return &p->objects[id.n];
}

size_t profile_nr_functions(const struct profile *p)
{
	return p->nr_functions;
}

const struct profile_function *profile_get_function(const struct profile *p, function_id id)
{
	return &p->functions[id.n];
}

size_t profile_nr_frames(const struct profile *p)
{
	return chain_frames_nr(&p->places);
}

const struct profile_frame *profile_get_frame(const struct profile *p, frame_id id)
{
	return &p->frames[id.n];
}

size_t profile_nr_rows(const struct profile *p)
{
	return p->counts->nr_rows;
}

size_t profile_nr_stacks(const struct profile *p)
{
	return counts_nr_stacks(p->counts) + p->places.nr_counted;
}

/* Behind the stacks of the counts, each place has a stack of its own: see profile_stack. */
static stack_id stack_of(const struct profile *p, const struct count_row *r)
{
	struct stack_iter it;
	u32 frame;

	stack_iter_init(&it, p->counts, count_value(r, COUNT_STACK));
	if (stack_iter_next(&it, &frame))
		return (stack_id){ (u32)count_value(r, COUNT_STACK) };
	return (stack_id){ (u32)(counts_nr_stacks(p->counts) + count_value(r, COUNT_IP)) };
}

struct profile_row profile_get_row(const struct profile *p, size_t i)
{
	const struct count_row *r = &p->counts->rows[i];
	const u32 columns = p->counts->columns;
	struct profile_row row = { .event = r->event,
				   .comm = "",
				   .samples = r->samples,
				   .period = r->period,
				   .stack = stack_of(p, r) };

	if (columns >> COUNT_COMM & 1)
		row.comm =
			intern_text(&p->session->machine->strings, (u32)count_value(r, COUNT_COMM));
	if (columns >> COUNT_PID & 1)
		row.pid = (u32)count_value(r, COUNT_PID);
	if (columns >> COUNT_TID & 1)
		row.tid = (u32)count_value(r, COUNT_TID);
	if (columns >> COUNT_CPU & 1)
		row.cpu = (u32)count_value(r, COUNT_CPU);
	if (columns >> COUNT_TIME & 1)
		row.time = count_value(r, COUNT_TIME);
	if (columns >> COUNT_END & 1)
		row.end = (u8)count_value(r, COUNT_END);
	if (columns >> COUNT_OFFCPU & 1)
		row.offcpu = (u8)count_value(r, COUNT_OFFCPU);
	return row;
}

struct profile_stack_iter profile_stack(const struct profile *p, stack_id id)
{
	struct profile_stack_iter it = { .p = p, .only = PROFILE_NONE };
	size_t nr_counted = counts_nr_stacks(p->counts);

	if (id.n < nr_counted)
		stack_iter_init(&it.places, p->counts, id.n);
	else
		it.only = (u32)(id.n - nr_counted);
	return it;
}

static bool next_place(struct profile_stack_iter *it, u32 *ret)
{
	if (it->only == PROFILE_NONE)
		return stack_iter_next(&it->places, ret);
	*ret = it->only;
	it->only = PROFILE_NONE;
	return true;
}

bool profile_stack_next(struct profile_stack_iter *it, frame_id *ret)
{
	u32 place;

	if (!it->nr_inlined) {
		if (!next_place(it, &place))
			return false;
		it->nr_inlined = chain_frames_at(&it->p->places, place, &it->inlined);
		if (!it->nr_inlined) {
			ret->n = place;
			return true;
		}
	}
	it->nr_inlined--;
	ret->n = *it->inlined++;
	return true;
}
