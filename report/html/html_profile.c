/* SPDX-License-Identifier: MIT */
#include "report/html/html_profile.h"

#include "fileformat/perfdata.h"

/* A stack below the first command that has it. */
struct stack_node {
	u32 command; /* page_name */
	u32 node;    /* page_child; 0: not made yet */
};

/* One profile on its way into the page. */
struct html_side {
	struct html_maker *h;
	const struct profile *p;
	unsigned int side;
	u32 *names;                /* by frame_id: page_name */
	const char *comm;          /* the command that was named last */
	u32 command;               /* its page_name */
	struct stack_node *stacks; /* by stack_id */
	struct idmap nodes;        /* (stack_id, page_name of a further command) -> page_child */
	u32 *path;                 /* the frames of a stack, leaf first */
	size_t nr_path, cap_path;
	/* by pd_event.idx */
	u32 *events, *weights, *samples; /* page_event; columns; UINT32_MAX: none */
	struct idmap threads;            /* (pid, tid) -> page_thread */
	struct idmap lanes;              /* (page_thread, page_event) -> page_lane */
	u32 waits[PD_NR_OFFCPU]; /* page_name of frames that say how a thread waits; 0: not yet */
};

void html_init(struct html_maker *h, struct page *page, bool compare)
{
	*h = (struct html_maker){ .page = page, .by_base = compare };
	intern_init(&h->texts);
}

void html_fini(struct html_maker *h)
{
	intern_fini(&h->texts);
	idmap_fini(&h->names);
	idmap_fini(&h->events);
	idmap_fini(&h->columns);
}

static enum page_kind kind_of(const struct profile_frame *f, bool inlined)
{
	if (f->function.n == PROFILE_NONE)
		return PAGE_UNKNOWN;
	if (f->kind == PROFILE_KERNEL)
		return PAGE_KERNEL;
	if (inlined)
		return PAGE_INLINED;
	return f->kind == PROFILE_JIT ? PAGE_JIT : PAGE_USER;
}

/* Code without a function is named by its file, in brackets, as in folded stacks. */
static u32 name_frame(struct html_side *s, const struct profile_frame *f, bool inlined)
{
	struct html_maker *h = s->h;
	const char *object = "", *name, *base;
	char *made = NULL;
	u32 name_text, object_text, id;

	if (f->object.n != PROFILE_NONE)
		object = profile_get_object(s->p, f->object)->path;
	base = strrchr(object, '/');
	if (f->function.n != PROFILE_NONE) {
		name = profile_get_function(s->p, f->function)->name;
	} else if (!*object || *object == '[') {
		name = *object ? object : "[unknown]";
	} else {
		name = made = xasprintf("[%s]", base ? base + 1 : object);
	}
	name_text = intern_str(&h->texts, name);
	object_text = intern_str(&h->texts, h->by_base && base ? base + 1 : object);
	free(made);
	id = idmap_get(&h->names, name_text, object_text);
	if (id == IDMAP_NONE) {
		id = page_name(h->page, intern_text(&h->texts, name_text), object,
			       kind_of(f, inlined));
		idmap_put(&h->names, name_text, object_text, id);
	}
	return id;
}

static void name_frames(struct html_side *s)
{
	size_t nr = profile_nr_frames(s->p), nr_functions = profile_nr_functions(s->p);
	bool *called = xcalloc(nr_functions + 1, sizeof(*called)); /* not only inlined */

	s->names = xcalloc(nr + 1, sizeof(*s->names));
	for (u32 i = 0; i < nr; i++) {
		const struct profile_frame *f = profile_get_frame(s->p, (frame_id){ i });

		if (f->function.n != PROFILE_NONE && !f->inlined)
			called[f->function.n] = true;
	}
	for (u32 i = 0; i < nr; i++) {
		const struct profile_frame *f = profile_get_frame(s->p, (frame_id){ i });

		s->names[i] =
			name_frame(s, f, f->function.n != PROFILE_NONE && !called[f->function.n]);
	}
	free(called);
}

static u32 name_command(struct html_side *s, const char *comm)
{
	struct html_maker *h = s->h;
	u32 text, id;

	/* commands of rows are interned, and many rows in turn have the same one */
	if (comm == s->comm)
		return s->command;
	text = intern_str(&h->texts, comm);
	id = idmap_get(&h->names, text, UINT64_MAX);
	if (id == IDMAP_NONE) {
		id = page_name(h->page, comm, NULL, PAGE_PROCESS);
		idmap_put(&h->names, text, UINT64_MAX, id);
	}
	s->comm = comm;
	s->command = id;
	return id;
}

static u32 make_node(struct html_side *s, const struct profile_row *r, u32 command)
{
	struct profile_stack_iter it = profile_stack(s->p, r->stack);
	u32 node = page_child(s->h->page, PAGE_TOP, command);
	frame_id id;

	s->nr_path = 0;
	while (profile_stack_next(&it, &id))
		vec_push(s->path, s->nr_path, s->cap_path, s->names[id.n]);
	while (s->nr_path)
		node = page_child(s->h->page, node, s->path[--s->nr_path]);
	return node;
}

/* The node of a stack below the command that it was sampled in, as in folded stacks. */
static u32 node_of(struct html_side *s, const struct profile_row *r)
{
	u32 command = name_command(s, r->comm), node;
	struct stack_node *last = &s->stacks[r->stack.n];

	if (last->node && last->command == command)
		return last->node;
	node = last->node ? idmap_get(&s->nodes, r->stack.n, command) : IDMAP_NONE;
	if (node == IDMAP_NONE) {
		node = make_node(s, r, command);
		if (last->node)
			idmap_put(&s->nodes, r->stack.n, command, node);
	}
	if (!last->node)
		*last = (struct stack_node){ command, node };
	return node;
}

/* The node of a row: with h->wall below its stack the frame that says how the thread waits. */
static u32 node_of_row(struct html_side *s, const struct profile_row *r)
{
	u32 node = node_of(s, r), *name;

	if (!s->h->wall || !r->offcpu || r->offcpu > PD_NR_OFFCPU)
		return node;
	name = &s->waits[r->offcpu - 1];
	if (!*name)
		*name = page_name(s->h->page, pd_offcpu_frame((enum pd_offcpu)(r->offcpu - 1)), "",
				  PAGE_UNKNOWN);
	return page_child(s->h->page, node, *name);
}

static u32 column_of(struct html_side *s, u32 event, enum page_unit unit)
{
	u64 key = (u64)s->side << 8 | unit;
	u32 column = idmap_get(&s->h->columns, event, key);

	if (column == IDMAP_NONE) {
		column = page_column(s->h->page, event, s->side, unit);
		idmap_put(&s->h->columns, event, key, column);
	}
	return column;
}

static bool counts_time(const struct pd_event *ev)
{
	/* cpu-clock and task-clock of PERF_TYPE_SOFTWARE */
	return ev->attr.type == 1 && ev->attr.config <= 1;
}

/* An event of the page with its columns; events of both sides are one if their names are. */
static void add_event(struct html_side *s, u32 event)
{
	const struct perfdata *pd = profile_get_recording(s->p);
	const struct pd_event *ev = pd->events[event];
	const char *name = s->h->wall ? "wall clock" : ev->name;
	u32 text = intern_str(&s->h->texts, name);
	u32 id = idmap_get(&s->h->events, text, 0);

	if (id == IDMAP_NONE) {
		id = page_event(s->h->page, name);
		idmap_put(&s->h->events, text, 0, id);
	}
	s->events[event] = id;
	s->weights[event] = column_of(s, id, s->h->wall || counts_time(ev) ? PAGE_NS : PAGE_PERIOD);
	s->samples[event] = column_of(s, id, PAGE_SAMPLES);
}

static u32 lane_of(struct html_side *s, const struct profile_row *r)
{
	u32 thread = idmap_get(&s->threads, r->pid, r->tid);
	u32 lane = idmap_get(&s->lanes, thread, s->events[r->event]);

	if (lane == IDMAP_NONE) {
		lane = page_lane(s->h->page, thread, s->events[r->event]);
		idmap_put(&s->lanes, thread, s->events[r->event], lane);
	}
	return lane;
}

/* Threads have the names that they had last. Returns the time of the first sample. */
static u64 add_threads(struct html_side *s)
{
	size_t nr = profile_nr_rows(s->p);
	u64 first = UINT64_MAX;

	for (size_t i = nr; i-- > 0;) {
		struct profile_row r = profile_get_row(s->p, i);

		first = r.time < first ? r.time : first;
		if (idmap_get(&s->threads, r.pid, r.tid) == IDMAP_NONE)
			idmap_put(&s->threads, r.pid, r.tid,
				  page_thread(s->h->page, r.pid, r.tid, r.comm));
	}
	return nr ? first : 0;
}

static void add_row(struct html_side *s, const struct profile_row *r, bool times)
{
	struct page_sample sample = { .time = r->time, .weight = r->period };
	u32 node = node_of_row(s, r);

	if (s->events[r->event] == UINT32_MAX)
		add_event(s, r->event);
	page_count(s->h->page, s->weights[r->event], node, r->period);
	page_count(s->h->page, s->samples[r->event], node, r->samples);
	if (!times || !r->samples)
		return;
	sample.node = node;
	sample.lane = lane_of(s, r);
	sample.count = r->samples < UINT32_MAX ? (u32)r->samples : UINT32_MAX;
	page_sample(s->h->page, &sample);
}

static u32 *new_ids(size_t nr)
{
	u32 *ids = xmalloc((nr + 1) * sizeof(*ids));

	memset(ids, 0xff, (nr + 1) * sizeof(*ids));
	return ids;
}

void html_add(struct html_maker *h, const struct profile *p, unsigned int side, u64 quantum_ns)
{
	struct html_side s = { .h = h, .p = p, .side = side };
	size_t nr_events = profile_get_recording(p)->nr_events, nr = profile_nr_rows(p);

	s.events = new_ids(nr_events);
	s.weights = new_ids(nr_events);
	s.samples = new_ids(nr_events);
	s.stacks = xcalloc(profile_nr_stacks(p) + 1, sizeof(*s.stacks));
	name_frames(&s);
	if (quantum_ns)
		page_set_time(h->page, quantum_ns, add_threads(&s));
	for (size_t i = 0; i < nr; i++) {
		struct profile_row r = profile_get_row(p, i);

		if (!h->wall || h->wall[r.event])
			add_row(&s, &r, quantum_ns);
	}
	if (!nr)
		for (u32 i = 0; i < nr_events; i++)
			add_event(&s, i);
	free(s.names);
	free(s.path);
	free(s.events);
	free(s.weights);
	free(s.samples);
	free(s.stacks);
	idmap_fini(&s.nodes);
	idmap_fini(&s.threads);
	idmap_fini(&s.lanes);
}

void html_about_objects(struct page *page, const struct profile *p, const char *title)
{
	struct out o;

	out_init_mem(&o);
	for (u32 i = 0; i < profile_nr_objects(p); i++) {
		const struct profile_object *object = profile_get_object(p, (object_id){ i });

		for (unsigned int k = 0; k < object->build_id_size; k++)
			out_printf(&o, "%02x", object->build_id[k]);
		if (!object->build_id_size)
			out_str(&o, "no build-id");
		out_printf(&o, "  %s\n", object->path);
	}
	page_about(page, title, o.buf ? o.buf : "", o.len);
	out_fini(&o);
}
