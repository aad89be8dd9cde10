/* SPDX-License-Identifier: MIT */
#include "profile/chain_keys.h"

#include "base/mem.h"
#include "profile/line_text.h"

void chain_keys_init(struct chain_keys *k, enum chain_key kind, chain_frame_fn *frame, void *arg)
{
	*k = (struct chain_keys){ .kind = kind, .frame = frame, .arg = arg };
	intern_init(&k->texts);
}

void chain_keys_fini(struct chain_keys *k)
{
	free(k->of_frame);
	idmap_fini(&k->by_symbol);
	idmap_fini(&k->by_ip);
	idmap_fini(&k->by_text);
	idmap_fini(&k->plain_names);
	idmap_fini(&k->lines);
	intern_fini(&k->texts);
}

static u64 object_of(const struct chain_frame *f)
{
	return f->map ? (u64)(uintptr_t)f->map->dso : 0;
}

/* Appends perf's text for an unknown line: the distance from the symbol, or "??:0". */
static void unknown_line(struct chain_keys *k, struct out *o, const struct chain_frame *f)
{
	struct frame fr = { .ip = f->ip, .map = f->map };

	if (k->kind != CHAIN_KEY_ADDRESS)
		out_str(o, "??:0");
	else if (f->name)
		out_printf(o, "+%llu",
			   (unsigned long long)(map_ip_to_addr(f->map, f->ip) - f->sym_start));
	else
		line_text(o, &fr, false);
}

static u32 line_of(struct chain_keys *k, u32 id, const struct chain_frame *f)
{
	u32 text = idmap_get(&k->lines, id, 0);
	struct frame fr = { .ip = f->ip, .map = f->map };
	struct line_hit hit;
	struct out o;

	if (text != IDMAP_NONE)
		return text;
	out_init_mem(&o);
	if (dso_find_line(f->map->dso, f->ip, f->map->start, f->map->pgoff, &hit))
		line_text(&o, &fr, k->full_path);
	else
		unknown_line(k, &o, f);
	text = intern_n(&k->texts, o.buf, o.len);
	idmap_put(&k->lines, id, 0, text);
	out_fini(&o);
	return text;
}

void chain_keys_describe(struct chain_keys *k, u32 frame_id, struct chain_frame *ret)
{
	*ret = (struct chain_frame){ 0 };
	k->frame(k->arg, frame_id, ret);
	if (k->kind != CHAIN_KEY_FUNCTION && ret->map && !ret->srcline && !ret->inlined)
		ret->srcline = intern_text(&k->texts, line_of(k, frame_id, ret));
}

/* The key that m has for (a, b); a new key when it has none. */
static u32 key_at(struct chain_keys *k, struct idmap *m, u64 a, u64 b)
{
	u32 key = idmap_get(m, a, b);

	if (key == IDMAP_NONE) {
		key = ++k->nr;
		idmap_put(m, a, b, key);
	}
	return key;
}

/*
 * The key of a function. Functions with a symbol are distinguished by object and start address.
 * Inlined functions have no address, so they are distinguished by name, and share the key of the
 * first function of that name that has a symbol. With by_name the name is all that counts.
 */
static u32 function_key(struct chain_keys *k, const struct chain_frame *f)
{
	u32 name = intern_str(&k->texts, f->name), key;

	if (k->by_name)
		return key_at(k, &k->by_text, name, 1);
	if (f->inlined) {
		key = idmap_get(&k->plain_names, name, 0);
		return key != IDMAP_NONE ? key : key_at(k, &k->by_text, name, 1);
	}
	key = idmap_get(&k->by_symbol, object_of(f), f->sym_start);
	if (key != IDMAP_NONE)
		return key;
	if (idmap_get(&k->plain_names, name, 0) == IDMAP_NONE) {
		key = key_at(k, &k->by_text, name, 1);
		idmap_put(&k->plain_names, name, 0, key);
	} else {
		key = ++k->nr;
	}
	idmap_put(&k->by_symbol, object_of(f), f->sym_start, key);
	return key;
}

u32 chain_keys_make(struct chain_keys *k, u32 frame_id)
{
	struct chain_frame f;
	size_t had = k->nr_frames;
	u32 key;

	if (frame_id >= had) {
		vec_reserve(k->of_frame, k->nr_frames, (size_t)frame_id + 1);
		memset(k->of_frame + had, 0, (k->nr_frames - had) * sizeof(*k->of_frame));
	}
	chain_keys_describe(k, frame_id, &f);
	if (k->kind == CHAIN_KEY_SRCLINE && f.srcline)
		key = key_at(k, &k->by_text, intern_str(&k->texts, f.srcline), 0);
	else if (k->kind != CHAIN_KEY_ADDRESS && f.name)
		key = function_key(k, &f);
	else
		key = key_at(k, &k->by_ip, object_of(&f), f.ip);
	k->of_frame[frame_id] = key;
	return key;
}

static int compare_u64(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static int compare_places(const struct chain_keys *k, const struct chain_frame *a, u64 place_a,
			  const struct chain_frame *b, u64 place_b)
{
	int c = compare_u64(object_order_rank(k->order, a->map),
			    object_order_rank(k->order, b->map));

	return c ? c : compare_u64(place_a, place_b);
}

int chain_keys_compare(struct chain_keys *k, u32 a, u32 b)
{
	struct chain_frame x, y;

	chain_keys_describe(k, a, &x);
	chain_keys_describe(k, b, &y);
	if (k->kind == CHAIN_KEY_SRCLINE && x.srcline && y.srcline)
		return strcmp(x.srcline, y.srcline);
	if (k->kind == CHAIN_KEY_SRCLINE && (x.srcline || y.srcline))
		return x.srcline ? -1 : 1;
	if (k->kind != CHAIN_KEY_ADDRESS && x.name && y.name) {
		if (k->by_name || x.inlined || y.inlined)
			return strcmp(x.name, y.name);
		return compare_places(k, &x, x.sym_start, &y, y.sym_start);
	}
	return compare_places(k, &x, x.ip, &y, y.ip);
}
