/* SPDX-License-Identifier: MIT */
#include "fold/fold_frames.h"

#include "base/hash.h"
#include "count/counts.h"
#include "profile/chain_frames.h"

struct name_maker {
	struct fold_frames *ff;
	const struct fold_name_config *cfg;
	struct intern *texts;
	struct chain_frames frames; /* with the functions inlined at their places */
	struct idmap by_symbol;     /* (name of function or object, object) -> as in ff->names */
	struct idmap by_inlined;    /* (name of an inlined function, 0) -> text id */
	struct out text;
};

/* Begins a list of names and returns it as an entry of ff->names. */
static u32 begin_list(struct fold_frames *ff)
{
	vec_push(ff->lists, ff->nr_lists, ff->cap_lists, 0);
	return (u32)(ff->nr_lists - 1) | FOLD_IS_LIST;
}

/* Adds a name to the list that was begun last. */
static void add_to_list(struct fold_frames *ff, u32 list, u32 name)
{
	vec_push(ff->lists, ff->nr_lists, ff->cap_lists, name);
	ff->lists[list & ~FOLD_IS_LIST]++;
}

/* Interns names with ';' between them: as one name, or as a list. */
static u32 intern_names(struct name_maker *m, const char *text, size_t n)
{
	const char *end = text + n, *semi = memchr(text, ';', n);
	u32 list;

	if (!semi)
		return intern_n(m->texts, text, n);
	list = begin_list(m->ff);
	for (;; text = semi + 1) {
		semi = memchr(text, ';', (size_t)(end - text));
		add_to_list(m->ff, list,
			    intern_n(m->texts, text, (size_t)((semi ? semi : end) - text)));
		if (!semi)
			return list;
	}
}

/* Frames of one function share its name, which is made once. */
static u32 name_frame(struct name_maker *m, const struct frame *fr)
{
	const void *dso = fr->map ? fr->map->dso : NULL;
	const void *key = fr->has_sym ? fr->sym->name : fr->map ? fr->map->dso_name : NULL;
	u32 name = idmap_get(&m->by_symbol, (uintptr_t)key, (uintptr_t)dso);

	if (name != IDMAP_NONE)
		return name;
	m->text.len = 0;
	fold_name_frame(&m->text, fr, m->cfg);
	name = intern_names(m, m->text.buf, m->text.len);
	idmap_put(&m->by_symbol, (uintptr_t)key, (uintptr_t)dso, name);
	return name;
}

static u32 name_inlined(struct name_maker *m, const struct frame *fr)
{
	const char *function = fr->sym->name;
	u32 name = idmap_get(&m->by_inlined, (uintptr_t)function, 0);

	if (name != IDMAP_NONE)
		return name;
	m->text.len = 0;
	fold_name_function(&m->text, function, strlen(function), m->cfg->names);
	name = intern_n(m->texts, m->text.buf, m->text.len);
	idmap_put(&m->by_inlined, (uintptr_t)function, 0, name);
	return name;
}

/* The names at a place: its function, then the n - 1 functions that were inlined there. */
static u32 name_place(struct name_maker *m, u32 id, const u32 *ids, size_t n)
{
	u32 own = name_frame(m, counts_frame(m->frames.counts, id)), list;

	if (!n)
		return own;
	list = begin_list(m->ff);
	if (own & FOLD_IS_LIST)
		for (u32 at = own & ~FOLD_IS_LIST, i = 1; i <= m->ff->lists[at]; i++)
			add_to_list(m->ff, list, m->ff->lists[at + i]);
	else
		add_to_list(m->ff, list, own);
	for (size_t i = n - 1; i--;)
		add_to_list(m->ff, list, name_inlined(m, chain_frames_get(&m->frames, ids[i])));
	return list;
}

void fold_frames_init(struct fold_frames *ff, const struct counts *c,
		      const struct fold_name_config *cfg, struct intern *texts,
		      unsigned int nr_threads)
{
	struct name_maker m = { .ff = ff, .cfg = cfg, .texts = texts };
	size_t nr = counts_nr_frames(c), i;

	*ff = (struct fold_frames){ 0 };
	ff->names = xmalloc((nr + 1) * sizeof(*ff->names));
	out_init_mem(&m.text);
	chain_frames_init(&m.frames, c);
	if (cfg->inlines)
		chain_frames_find_inlined(&m.frames, (struct chain_lines){ 0 }, nr_threads);
	for (i = 0; i < nr; i++) {
		const u32 *ids;
		size_t n = chain_frames_at(&m.frames, (u32)i, &ids);

		ff->names[i] = name_place(&m, (u32)i, ids, n);
	}
	chain_frames_fini(&m.frames);
	out_fini(&m.text);
	idmap_fini(&m.by_symbol);
	idmap_fini(&m.by_inlined);
}

void fold_frames_fini(struct fold_frames *ff)
{
	free(ff->names);
	free(ff->lists);
	*ff = (struct fold_frames){ 0 };
}
