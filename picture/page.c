/* SPDX-License-Identifier: MIT */
#include "picture/page_priv.h"

#include "base/hash.h"
#include "base/screen/escape.h"

#define FIRST_NODES 1024

/* A large tree has tables of tens of MiB, which move without being copied. */
static void *grow_table(void *table, size_t *cap, size_t want, size_t size)
{
	size_t had = *cap;

	*cap = had + had / 2 > want ? had + had / 2 : want;
	table = table_realloc(table, had * size, *cap * size);
	memset((u8 *)table + had * size, 0, (*cap - had) * size);
	return table;
}

static u32 add_node(struct page *p, u32 parent, u32 name)
{
	if (p->nr_nodes == p->cap_nodes)
		p->nodes = grow_table(p->nodes, &p->cap_nodes, FIRST_NODES, sizeof(*p->nodes));
	p->nodes[p->nr_nodes] = (struct page_node){ parent, name, 0 };
	return (u32)p->nr_nodes++;
}

struct page *page_new(void)
{
	struct page *p = xcalloc(1, sizeof(*p));

	intern_init(&p->texts);
	intern_init(&p->objects);
	add_node(p, 0, UINT32_MAX);
	p->view = "flame";
	p->nr_workers = 1;
	return p;
}

static void free_slots(struct page *p)
{
	if (p->slots)
		table_free(p->slots, (p->mask + 1) * sizeof(*p->slots));
}

void page_free(struct page *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->nr_parts; i++) {
		free(p->parts[i].title);
		free(p->parts[i].text);
	}
	for (size_t i = 0; i < p->nr_columns; i++)
		table_free(p->columns[i].self, p->columns[i].cap * sizeof(u64));
	intern_fini(&p->texts);
	intern_fini(&p->objects);
	wb_fini(&p->block);
	free(p->parts);
	free(p->names);
	table_free(p->nodes, p->cap_nodes * sizeof(*p->nodes));
	free_slots(p);
	free(p->events);
	free(p->columns);
	free(p->threads);
	free(p->lanes);
	free(p->samples);
	free(p->streams);
	free(p);
}

/* Appends text with escapes, but for its newlines if they are kept. */
static void put_escaped(struct out *o, const char *text, size_t n, bool lines)
{
	char escape[ESCAPE_MAX];
	size_t used, len;

	while (n) {
		used = escape_free(text, n, false);
		out_raw(o, text, used);
		text += used;
		n -= used;
		if (!n)
			break;
		if (lines && *text == '\n') {
			out_char(o, '\n');
			used = 1;
		} else {
			used = escape_char(text, n, false, escape, &len);
			out_raw(o, escape, len);
		}
		text += used;
		n -= used;
	}
}

static char *escaped(const char *text, size_t n, bool lines, size_t *ret_len)
{
	struct out o;
	char *copy;

	out_init_mem(&o);
	put_escaped(&o, text, n, lines);
	copy = xstrndup(o.buf ? o.buf : "", o.len);
	*ret_len = o.len;
	out_fini(&o);
	return copy;
}

static u32 intern_escaped(struct intern *t, const char *text)
{
	size_t n = strlen(text), len;
	char *copy;
	u32 id;

	if (escape_free(text, n, false) == n)
		return intern_n(t, text, n);
	copy = escaped(text, n, false, &len);
	id = intern_n(t, copy, len);
	free(copy);
	return id;
}

void page_set_title(struct page *p, const char *title)
{
	p->title = intern_escaped(&p->texts, title);
}

void page_set_workers(struct page *p, unsigned int nr)
{
	p->nr_workers = nr;
}

void page_set_view(struct page *p, const char *view)
{
	p->view = view;
}

void page_set_side(struct page *p, unsigned int side, const char *name)
{
	p->sides[side] = intern_escaped(&p->texts, *name ? name : "?");
}

void page_about(struct page *p, const char *title, const char *text, size_t n)
{
	size_t len;
	struct page_part part = {
		.title = escaped(title, strlen(title), false, &len),
		.text = escaped(text, n, true, &len),
	};

	vec_push(p->parts, p->nr_parts, p->cap_parts, part);
}

u32 page_name(struct page *p, const char *text, const char *object, enum page_kind kind)
{
	struct page_name name = {
		.text = intern_escaped(&p->texts, text),
		.object = intern_escaped(&p->objects, object ? object : ""),
		.kind = kind,
	};

	vec_push(p->names, p->nr_names, p->cap_names, name);
	return (u32)p->nr_names - 1;
}

static size_t slot_of(const struct page *p, u32 parent, u32 name)
{
	size_t at = hash_pair(parent, name) & p->mask;

	while (p->slots[at]) {
		const struct page_node *n = &p->nodes[p->slots[at]];

		if (n->parent == parent && n->name == name)
			break;
		at = (at + 1) & p->mask;
	}
	return at;
}

static void grow_slots(struct page *p)
{
	free_slots(p);
	p->mask = p->mask ? p->mask * 2 + 1 : 1023;
	p->slots = table_alloc((p->mask + 1) * sizeof(*p->slots));
	for (size_t i = 1; i < p->nr_nodes; i++) {
		const struct page_node *n = &p->nodes[i];

		if (p->nodes[n->parent].first != i)
			p->slots[slot_of(p, n->parent, n->name)] = (u32)i;
	}
}

/* Most nodes have one child, so the first child of a node is not in the hash table. */
u32 page_child(struct page *p, u32 node, u32 name)
{
	u32 first = p->nodes[node].first, *slot = &p->nodes[node].first;

	if (first && p->nodes[first].name == name)
		return first;
	if (first) {
		if (p->nr_slots * 2 >= p->mask)
			grow_slots(p);
		slot = &p->slots[slot_of(p, node, name)];
		if (*slot)
			return *slot;
		p->nr_slots++;
	}
	*slot = (u32)p->nr_nodes;
	return add_node(p, node, name);
}

u32 page_event(struct page *p, const char *name)
{
	u32 text = intern_escaped(&p->texts, name);

	vec_push(p->events, p->nr_events, p->cap_events, text);
	return (u32)p->nr_events - 1;
}

u32 page_column(struct page *p, u32 event, unsigned int side, enum page_unit unit)
{
	struct page_column column = { .event = event, .side = side, .unit = unit };

	vec_push(p->columns, p->nr_columns, p->cap_columns, column);
	return (u32)p->nr_columns - 1;
}

void page_count(struct page *p, u32 column, u32 node, u64 weight)
{
	struct page_column *c = &p->columns[column];

	if (node >= c->cap)
		c->self = grow_table(c->self, &c->cap, p->nr_nodes, sizeof(*c->self));
	if (__builtin_add_overflow(c->self[node], weight, &c->self[node]))
		c->self[node] = UINT64_MAX;
}

void page_set_time(struct page *p, u64 quantum_ns, u64 first_ns)
{
	p->quantum = quantum_ns;
	p->first = first_ns;
}

u32 page_thread(struct page *p, u32 pid, u32 tid, const char *comm)
{
	struct page_thread thread = { pid, tid, intern_escaped(&p->texts, comm) };

	vec_push(p->threads, p->nr_threads, p->cap_threads, thread);
	return (u32)p->nr_threads - 1;
}

u32 page_lane(struct page *p, u32 thread, u32 event)
{
	struct page_lane lane = { .thread = thread, .event = event };

	vec_push(p->lanes, p->nr_lanes, p->cap_lanes, lane);
	return (u32)p->nr_lanes - 1;
}

void page_sample(struct page *p, const struct page_sample *s)
{
	vec_push(p->samples, p->nr_samples, p->cap_samples, *s);
}
