/* SPDX-License-Identifier: MIT */
#include "fold/fold_roots.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/parallel.h"
#include "count/counts.h"
#include "picture/fold_escape.h"

#define PIECE_ROWS 16384 /* rows that a thread looks at together, at least */

/* Some of the rows. Roots have numbers first, from 0 in each piece. */
struct roots_piece {
	size_t *first_rows; /* by number of a root */
	u32 *names;
	size_t nr, cap;
};

struct roots_job {
	enum fold_root root;
	const struct session *s;
	const struct counts *c;
	struct intern *names;
	u32 *roots; /* by row: its number, in the end its name */
	struct roots_piece *pieces;
	size_t nr_pieces;
};

/* Room for the text of one root after the other. */
struct root_text {
	struct out comm, name;
};

static void write_cgroup(const struct roots_job *j, const struct count_row *r, struct out *o)
{
	u64 id = count_value(r, COUNT_CGROUP);
	const char *path = id ? machine_cgroup(j->s->machine, id) : NULL;

	if (!path)
		path = id ? "unknown" : "N/A";
	fold_escape(o, path, strlen(path));
}

static void write_task(const struct roots_job *j, const struct count_row *r, struct root_text *t)
{
	out_str(&t->comm, intern_text(&j->s->machine->strings, (u32)count_value(r, COUNT_COMM)));
	/* flame graph scripts write blanks in a comm as '_', because they end a line's stack */
	for (size_t i = 0; i < t->comm.len; i++)
		if (t->comm.buf[i] == ' ')
			t->comm.buf[i] = '_';
	if (t->comm.len)
		fold_escape(&t->name, t->comm.buf, t->comm.len);
	if (j->root != FOLD_ROOT_COMM)
		out_printf(&t->name, "-%d", (int)count_value(r, COUNT_PID));
	if (j->root == FOLD_ROOT_TID)
		out_printf(&t->name, "/%d", (int)count_value(r, COUNT_TID));
}

static u32 make_root(const struct roots_job *j, const struct count_row *r, struct root_text *t)
{
	t->comm.len = t->name.len = 0;
	if (j->root == FOLD_ROOT_CGROUP)
		write_cgroup(j, r, &t->name);
	else
		write_task(j, r, t);
	return intern_n(j->names, t->name.buf, t->name.len);
}

/* What rows of one root have in common: its comm, and the pid and tid, or the cgroup, it shows. */
static void root_key(const struct roots_job *j, const struct count_row *r, u64 *ret_comm,
		     u64 *ret_ids)
{
	*ret_comm = *ret_ids = 0;
	if (j->root == FOLD_ROOT_CGROUP) {
		*ret_ids = count_value(r, COUNT_CGROUP);
		return;
	}
	*ret_comm = count_value(r, COUNT_COMM);
	if (j->root != FOLD_ROOT_COMM)
		*ret_ids = count_value(r, COUNT_PID) << 32;
	if (j->root == FOLD_ROOT_TID)
		*ret_ids |= (u32)count_value(r, COUNT_TID);
}

static size_t first_row(const struct roots_job *j, size_t piece)
{
	return j->c->nr_rows * piece / j->nr_pieces;
}

static void number_roots(void *ctx, size_t i)
{
	struct roots_job *j = ctx;
	struct roots_piece *p = &j->pieces[i];
	struct idmap numbers = { 0 }; /* (comm, pid and tid) -> number */
	u64 comm, ids, last_comm = 0, last_ids = 0;
	u32 number = IDMAP_NONE;

	for (size_t row = first_row(j, i); row < first_row(j, i + 1); row++) {
		const struct count_row *r = &j->c->rows[row];

		root_key(j, r, &comm, &ids);
		if (number == IDMAP_NONE || comm != last_comm || ids != last_ids) {
			number = idmap_get(&numbers, comm, ids);
			if (number == IDMAP_NONE) {
				number = (u32)p->nr;
				idmap_put(&numbers, comm, ids, number);
				vec_push(p->first_rows, p->nr, p->cap, row);
			}
			last_comm = comm;
			last_ids = ids;
		}
		j->roots[row] = number;
	}
	idmap_fini(&numbers);
}

static void name_piece(struct roots_job *j, struct roots_piece *p, struct idmap *known)
{
	struct root_text text;
	u64 comm, ids;

	out_init_mem(&text.comm);
	out_init_mem(&text.name);
	p->names = xmalloc((p->nr + 1) * sizeof(*p->names));
	for (size_t k = 0; k < p->nr; k++) {
		const struct count_row *r = &j->c->rows[p->first_rows[k]];

		root_key(j, r, &comm, &ids);
		p->names[k] = idmap_get(known, comm, ids);
		if (p->names[k] != IDMAP_NONE)
			continue;
		p->names[k] = make_root(j, r, &text);
		idmap_put(known, comm, ids, p->names[k]);
	}
	out_fini(&text.name);
	out_fini(&text.comm);
}

static void put_names(void *ctx, size_t i)
{
	struct roots_job *j = ctx;
	struct roots_piece *p = &j->pieces[i];

	for (size_t row = first_row(j, i); row < first_row(j, i + 1); row++)
		j->roots[row] = p->names[j->roots[row]];
	free(p->first_rows);
	free(p->names);
}

u32 *fold_roots_make(enum fold_root root, const struct session *s, const struct counts *c,
		     struct intern *names, unsigned int nr_threads)
{
	struct roots_job j = { .root = root, .s = s, .c = c, .names = names };
	struct idmap known = { 0 };

	if (root == FOLD_ROOT_NONE)
		return NULL;
	j.nr_pieces = c->nr_rows / PIECE_ROWS + 1;
	if (j.nr_pieces > nr_threads)
		j.nr_pieces = nr_threads;
	j.pieces = xcalloc(j.nr_pieces, sizeof(*j.pieces));
	j.roots = xmalloc((c->nr_rows + 1) * sizeof(*j.roots));
	parallel_run(nr_threads, j.nr_pieces, number_roots, &j);
	for (size_t i = 0; i < j.nr_pieces; i++)
		name_piece(&j, &j.pieces[i], &known);
	idmap_fini(&known);
	parallel_run(nr_threads, j.nr_pieces, put_names, &j);
	free(j.pieces);
	return j.roots;
}
