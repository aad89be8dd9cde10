/* SPDX-License-Identifier: MIT */
#include "report/annotate/branch_blocks.h"

#include "base/mem.h"
#include "profile/annotate_samples.h"
#include "report/text/datasrc_text.h"

/* How often the block [start, end] ran; end is the address of its branch. */
struct block {
	u64 start, end;
	u64 nr, nr_predicted;
};

/* [start, end]: no block begins or ends inside it. */
struct piece {
	u64 start, end;
	u64 coverage;         /* runs of all blocks that contain it */
	u64 entered;          /* runs of those that begin with it */
	u64 taken, predicted; /* runs of those that end with it */
	bool is_branch;
};

struct object_blocks {
	struct block *blocks;
	size_t nr, cap;
	struct idmap index;   /* (start, end) -> index in blocks */
	struct piece *pieces; /* by address; made when the first comment is wanted */
	size_t nr_pieces;
	u64 most_start, most; /* the highest coverage in the function that begins there */
};

struct branch_blocks {
	struct sample_sink sink;
	struct session *s;
	const char *symbol;
	u64 nr_blocks; /* runs of all */
	struct object_blocks *objects;
	size_t nr, cap;
	struct intern names;
};

static struct object_blocks *blocks_of(struct branch_blocks *b, const char *name)
{
	u32 i = intern_str(&b->names, name);

	while (b->nr <= i)
		vec_push(b->objects, b->nr, b->cap, (struct object_blocks){ 0 });
	return &b->objects[i];
}

static void add_block(struct object_blocks *of, u64 start, u64 end, bool predicted)
{
	u32 i = idmap_get(&of->index, start, end);

	if (i == IDMAP_NONE) {
		i = (u32)of->nr;
		idmap_put(&of->index, start, end, i);
		vec_push(of->blocks, of->nr, of->cap,
			 ((struct block){ .start = start, .end = end }));
	}
	of->blocks[i].nr++;
	of->blocks[i].nr_predicted += predicted;
}

static const struct map *map_of(const struct branch_blocks *b, const struct sample_view *v, u64 ip)
{
	u8 mode = (s64)ip < 0 ? PD_CPUMODE_KERNEL : PD_CPUMODE_USER;

	return machine_find_map(b->s->machine, v->thread, mode, ip);
}

static bool is_wanted(const struct branch_blocks *b, const struct sample_view *v)
{
	const struct pd_sample *s = &v->ev->sample;
	const struct map *m;
	struct sym_hit hit;

	if (!b->symbol)
		return true;
	m = machine_find_map(b->s->machine, v->thread, s->cpumode, s->ip);
	return m && dso_find(m->dso, s->ip, m->start, m->pgoff, &hit) &&
	       annot_name_matches(hit.name, b->symbol, true);
}

/* The branches of a sample, oldest first: each pair is a block. */
static int take_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct branch_blocks *b = CONTAINER_OF(k, struct branch_blocks, sink);
	const struct pd_sample *s = &v->ev->sample;
	size_t n = s->branches.n / 24;

	(void)e;
	if (n < 2 || !is_wanted(b, v))
		return 0;
	for (size_t i = n - 1; i-- > 0;) {
		u64 start = span_u64(s->branches, (i + 1) * 3 + 1, s->swap);
		u64 end = span_u64(s->branches, i * 3, s->swap);
		struct branch_flags f =
			branch_flags_decode(span_u64(s->branches, i * 3 + 2, s->swap), s->swap);
		const struct map *m = start && start <= end ? map_of(b, v, start) : NULL;

		if (!m || end >= m->end)
			continue;
		add_block(blocks_of(b, m->dso_name), map_ip_to_addr(m, start),
			  map_ip_to_addr(m, end), f.predicted);
		b->nr_blocks++;
	}
	return 0;
}

struct branch_blocks *branch_blocks_new(struct session *s, const struct filter *filter,
					const char *symbol)
{
	struct branch_blocks *b = xcalloc(1, sizeof(*b));
	const struct sample_query q = { .pass = "counting the code between branches",
					.pass_flags = SESSION_QUIET,
					.filter = filter };
	struct perr e;

	intern_init(&b->names);
	b->s = s;
	b->symbol = symbol;
	b->sink.sample = take_sample;
	if (pd_has_branches(s->pd) && session_can_repeat(s) && s->pd->kind != PD_PIPE)
		(void)!session_run(s, &q, &b->sink, &e);
	return b;
}

void branch_blocks_free(struct branch_blocks *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->nr; i++) {
		free(b->objects[i].blocks);
		free(b->objects[i].pieces);
		idmap_fini(&b->objects[i].index);
	}
	free(b->objects);
	intern_fini(&b->names);
	free(b);
}

static int by_address(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* Returns the index of the piece that begins at start, or of the first behind it. */
static size_t piece_at(const struct object_blocks *of, u64 start)
{
	size_t lo = 0, hi = of->nr_pieces;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (of->pieces[mid].start < start)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Cuts the blocks into pieces: each begins where a block begins, or behind the end of one. */
static void make_pieces(struct object_blocks *of)
{
	u64 *cuts = xcalloc(2 * of->nr, sizeof(*cuts)), runs = 0;
	size_t nr = 0;

	for (size_t i = 0; i < of->nr; i++) {
		cuts[2 * i] = of->blocks[i].start;
		cuts[2 * i + 1] = of->blocks[i].end + 1;
	}
	qsort(cuts, 2 * of->nr, sizeof(*cuts), by_address);
	for (size_t i = 0; i < 2 * of->nr; i++)
		if (!nr || cuts[i] != cuts[nr - 1])
			cuts[nr++] = cuts[i];
	of->pieces = xcalloc(nr, sizeof(*of->pieces));
	of->nr_pieces = nr; /* the last one is empty */
	for (size_t i = 0; i < nr; i++) {
		of->pieces[i].start = cuts[i];
		of->pieces[i].end = i + 1 < nr ? cuts[i + 1] - 1 : cuts[i];
	}
	free(cuts);
	for (size_t i = 0; i < of->nr; i++) {
		const struct block *b = &of->blocks[i];
		size_t behind = piece_at(of, b->end + 1);

		of->pieces[piece_at(of, b->start)].entered += b->nr;
		of->pieces[behind].coverage -= b->nr; /* summed up below */
		of->pieces[behind - 1].taken += b->nr;
		of->pieces[behind - 1].predicted += b->nr_predicted;
		of->pieces[behind - 1].is_branch = true;
	}
	for (size_t i = 0; i < nr; i++) {
		runs += of->pieces[i].entered + of->pieces[i].coverage;
		of->pieces[i].coverage = runs;
	}
}

/* Appends a part of the comment if the share is more than a thousandth. */
static bool comment(struct out *o, bool begun, char sign, u64 part, u64 whole)
{
	double percent = whole ? 100.0 * (double)part / (double)whole : 0;

	if (percent <= 0.1)
		return false;
	if (!begun)
		out_str(o, "\t#");
	out_printf(o, " %c%.2f%%", sign, percent);
	return true;
}

static const struct piece *find_piece(struct object_blocks *of, u64 addr)
{
	size_t i;

	if (!of->nr)
		return NULL;
	if (!of->pieces)
		make_pieces(of);
	i = piece_at(of, addr + 1);
	return i && of->pieces[i - 1].end >= addr ? &of->pieces[i - 1] : NULL;
}

double branch_blocks_share(struct branch_blocks *b, const char *object, u64 addr, u64 start,
			   u64 end)
{
	struct object_blocks *of = blocks_of(b, object);
	const struct piece *p = find_piece(of, addr);

	if (!p)
		return b->nr_blocks ? 0 : -1;
	if (of->most_start != start || !of->most) {
		of->most_start = start;
		of->most = 0;
		for (size_t i = piece_at(of, start); i < of->nr_pieces; i++) {
			if (of->pieces[i].start >= end)
				break;
			if (of->pieces[i].coverage > of->most)
				of->most = of->pieces[i].coverage;
		}
	}
	return of->most ? (double)p->coverage / (double)of->most : -1;
}

void branch_blocks_comment(struct branch_blocks *b, struct out *o, const char *object, u64 addr)
{
	struct object_blocks *of = blocks_of(b, object);
	const struct piece *p = find_piece(of, addr), *next = p;
	bool begun = false;

	if (!p)
		return;
	if (p->entered && p->start == addr) {
		while (!next->is_branch) /* the last one before the empty piece is one */
			next++;
		begun = comment(o, false, '+', p->entered, next->coverage);
	}
	if (p->is_branch && p->end == addr && comment(o, begun, '-', p->taken, p->coverage))
		out_printf(o, " (p:%.2f%%)", 100.0 * (double)p->predicted / (double)p->taken);
}
