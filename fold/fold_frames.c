/* SPDX-License-Identifier: MIT */
#include "fold/fold_frames.h"

#include "base/hash.h"
#include "count/counts.h"

struct making {
	struct fold_frames *ff;
	const struct fold_name_config *cfg;
	struct intern *texts;
	struct idmap by_symbol; /* (function's or object's name, object) -> as in ff->names */
	struct out text, inlined;
};

/* The names in text, with ';' between them. */
static u32 intern_names(struct making *m, const char *text, size_t n)
{
	const char *end = text + n, *semi = memchr(text, ';', n);
	struct fold_frames *ff = m->ff;
	u32 list, name;

	if (!semi)
		return intern_n(m->texts, text, n);
	list = (u32)ff->nr_lists;
	vec_push(ff->lists, ff->nr_lists, ff->cap_lists, 0);
	for (;; text = semi + 1) {
		semi = memchr(text, ';', (size_t)(end - text));
		name = intern_n(m->texts, text, (size_t)((semi ? semi : end) - text));
		vec_push(ff->lists, ff->nr_lists, ff->cap_lists, name);
		ff->lists[list]++;
		if (!semi)
			return list | FOLD_IS_LIST;
	}
}

/* Frames of one function share their name: it is made once. */
static u32 make_name(struct making *m, const struct frame *fr)
{
	const void *dso = fr->map ? fr->map->dso : NULL;
	const void *key = fr->has_sym ? fr->sym.name : fr->map ? fr->map->dso_name : NULL;
	u32 name;

	m->inlined.len = 0;
	if (fold_name_inlined(&m->inlined, fr, m->cfg)) {
		m->text.len = 0;
		fold_name_frame(&m->text, fr, m->cfg);
		out_mem(&m->text, m->inlined.buf, m->inlined.len);
		return intern_names(m, m->text.buf, m->text.len);
	}
	name = idmap_get(&m->by_symbol, (uintptr_t)key, (uintptr_t)dso);
	if (name != IDMAP_NONE)
		return name;
	m->text.len = 0;
	fold_name_frame(&m->text, fr, m->cfg);
	name = intern_names(m, m->text.buf, m->text.len);
	idmap_put(&m->by_symbol, (uintptr_t)key, (uintptr_t)dso, name);
	return name;
}

void fold_frames_init(struct fold_frames *ff, const struct counts *c,
		      const struct fold_name_config *cfg, struct intern *texts)
{
	struct making m = { .ff = ff, .cfg = cfg, .texts = texts };
	size_t nr = counts_nr_frames(c), i;

	*ff = (struct fold_frames){ 0 };
	ff->names = xmalloc((nr + 1) * sizeof(*ff->names));
	out_init_mem(&m.text);
	out_init_mem(&m.inlined);
	for (i = 0; i < nr; i++)
		ff->names[i] = make_name(&m, counts_frame(c, (u32)i));
	out_fini(&m.text);
	out_fini(&m.inlined);
	idmap_fini(&m.by_symbol);
}

void fold_frames_fini(struct fold_frames *ff)
{
	free(ff->names);
	free(ff->lists);
	*ff = (struct fold_frames){ 0 };
}
