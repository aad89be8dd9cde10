/* SPDX-License-Identifier: MIT */
#include "report/charts/hist_flame.h"

#include "base/intern.h"
#include "count/counts.h"
#include "picture/flame_tree.h"
#include "symbols/symbols.h"

struct flame_maker {
	struct hist *h;
	const bool *shown;
	struct flame *f;
	struct fold_tree tree;
	struct intern texts;
	struct idmap names; /* (text of the name, text of the object) -> flame_add_name */
	u32 *of_frame;      /* by frame: its name, 0: not asked for yet */
	struct idmap nodes; /* (place of the stack in memory, command and length) -> node */
	bool found;
};

static u32 name_id(struct flame_maker *m, const char *text, const char *object,
		   enum flame_kind kind)
{
	u32 a = intern_str(&m->texts, text), b = intern_str(&m->texts, object ? object : "");
	u32 id = idmap_get(&m->names, a, (u64)b << 1 | (kind == FLAME_GAP));

	if (id == IDMAP_NONE) {
		id = flame_add_name(m->f, text, object, kind);
		idmap_put(&m->names, a, (u64)b << 1 | (kind == FLAME_GAP), id);
	}
	return id;
}

static enum flame_kind kind_of(const struct hist_data *d, u32 frame, const struct frame *fr)
{
	if (fr->map && fr->map->kernel)
		return FLAME_KERNEL;
	if (chain_frames_is_inlined(&d->frames, frame))
		return FLAME_INLINED;
	return fr->map && fr->map->identity ? FLAME_JIT : FLAME_USER;
}

/* Code without a function is named by its file, in brackets, as in folded stacks. */
static u32 name_frame(struct flame_maker *m, u32 frame)
{
	const struct frame *fr = hist_frame(m->h->d, frame);
	const char *object = fr->map ? fr->map->dso_name : "", *base = strrchr(object, '/');
	enum flame_kind kind;
	char *made;
	u32 id;

	if (fr->has_sym)
		return name_id(m, fr->sym->name, object, kind_of(m->h->d, frame, fr));
	kind = fr->map && fr->map->kernel ? FLAME_KERNEL : FLAME_GAP;
	if (!*object || *object == '[')
		return name_id(m, *object ? object : "[unknown]", object, kind);
	made = xasprintf("[%s]", base ? base + 1 : object);
	id = name_id(m, made, object, kind);
	free(made);
	return id;
}

static u32 step(struct flame_maker *m, u32 node, u32 frame)
{
	if (!m->of_frame[frame])
		m->of_frame[frame] = name_frame(m, frame);
	return fold_tree_child(&m->tree, node, m->of_frame[frame]);
}

/* The node of a stack, which the caller frees nothing of: frames lie leaf first. */
static u32 node_of(struct flame_maker *m, u32 command, const struct hist_stack *st)
{
	u64 key = (u64)command << 32 | (st->nr + st->more);
	u32 node;

	if (st->nr) {
		node = idmap_get(&m->nodes, (uintptr_t)st->ids, key);
		if (node != IDMAP_NONE)
			return node;
	}
	node = fold_tree_child(&m->tree, 0, command);
	if (!st->nr)
		return step(m, node, st->own);
	/* the outermost frames are repetitions of the last `turn` ids */
	for (u32 i = st->more; i-- > 0;)
		node = step(m, node, st->ids[st->nr - st->turn + i % st->turn]);
	for (u32 i = st->nr; i-- > 0;)
		node = step(m, node, st->ids[i]);
	idmap_put(&m->nodes, (uintptr_t)st->ids, key, node);
	return node;
}

/* The entry that a row's sample was taken in is wanted. */
static bool is_wanted(const struct flame_maker *m, u32 row, const struct hist_stack *st)
{
	const struct key_place own = { .row = &m->h->d->counts->rows[row],
				       .frame = st->own,
				       .parent = st->parent,
				       .own = true,
				       .level = st->level };

	return !m->shown || m->shown[hist_entry_of(m->h, m->h->row_ids_of[row] - 1, &own)];
}

static void add_row(struct flame_maker *m, u32 row)
{
	const struct count_row *r = &m->h->d->counts->rows[row];
	struct hist_stack st = hist_stack_of(m->h->stacks, row);
	const char *comm = hist_data_comm_text(m->h->d, count_value(r, COUNT_COMM));
	u32 node;

	if (!is_wanted(m, row, &st))
		return;
	node = node_of(m, name_id(m, comm, NULL, FLAME_GAP), &st);
	fold_tree_count(&m->tree, node, 0, hist_period(m->h->d, r));
	fold_tree_count(&m->tree, node, 1, r->samples);
	m->found |= r->samples;
}

bool hist_flame(struct hist *h, const bool *shown, struct flame *ret)
{
	struct flame_maker m = { .h = h, .shown = shown, .f = ret };

	if (h->d->cfg->mode == TABLE_BRANCH || !(h->d->columns >> COUNT_IP & 1))
		return false;
	flame_init(ret, 2);
	fold_tree_init(&m.tree);
	intern_init(&m.texts);
	m.of_frame = xcalloc((size_t)chain_frames_nr(&h->d->frames) + 1, sizeof(*m.of_frame));
	for (size_t row = 0; row < h->d->counts->nr_rows; row++)
		if (h->row_ids_of[row] && h->d->counts->rows[row].event == h->events[0])
			add_row(&m, (u32)row);
	flame_add_tree(ret, &m.tree, FLAME_BY_WEIGHT);
	fold_tree_fini(&m.tree);
	intern_fini(&m.texts);
	idmap_fini(&m.names);
	idmap_fini(&m.nodes);
	free(m.of_frame);
	if (!m.found)
		flame_fini(ret);
	return m.found;
}
