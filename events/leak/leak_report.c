/* SPDX-License-Identifier: MIT */
#include "events/leak/leak_report.h"

#include <inttypes.h>

#include "base/mem.h"

#define STACK_INDENT 12
#define MAX_NAMED 4 /* processes of a row */

struct leak_row {
	u64 key;
	struct leak_sum sum;
	u32 *groups; /* those with the most bytes first */
	size_t nr, cap;
};

static bool is_wanted(const struct leak_options *opt, u32 pid, const char *comm)
{
	const struct number_list *pids = &opt->filter.pids;
	bool found = !pids->nr;

	for (size_t i = 0; i < pids->nr && !found; i++)
		found = pids->v[i] == pid;
	return found && (!opt->filter.comms.nr || name_list_has(&opt->filter.comms, comm));
}

static u32 pid_of(const struct leak_source *src, u32 group)
{
	return (u32)tuple_table_get(&src->groups, group)[LEAK_GROUP_PID];
}

static const char *comm_of(const struct leak_source *src, u32 group)
{
	u64 word = tuple_table_get(&src->groups, group)[LEAK_GROUP_COMM];
	const char *comm = (const char *)(uintptr_t)word;

	return comm ? comm : "";
}

static u64 larger(u64 a, u64 b)
{
	return a > b ? a : b;
}

static void add_sum(struct leak_sum *to, const struct leak_sum *s)
{
	to->objects += s->objects;
	to->bytes += s->bytes;
	to->oldest = larger(to->oldest, s->oldest);
	to->maybe_objects += s->maybe_objects;
	to->maybe_bytes += s->maybe_bytes;
	to->maybe_oldest = larger(to->maybe_oldest, s->maybe_oldest);
	to->ended += s->ended;
}

static int sum_order(const struct leak_sum *a, const struct leak_sum *b)
{
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	if (a->objects != b->objects)
		return a->objects > b->objects ? -1 : 1;
	if (a->maybe_bytes != b->maybe_bytes)
		return a->maybe_bytes > b->maybe_bytes ? -1 : 1;
	if (a->maybe_objects != b->maybe_objects)
		return a->maybe_objects > b->maybe_objects ? -1 : 1;
	return 0;
}

static int row_order(const void *x, const void *y)
{
	const struct leak_row *a = x, *b = y;
	int order = sum_order(&a->sum, &b->sum);

	return order ? order : a->key < b->key ? -1 : a->key > b->key;
}

static int group_order(const void *x, const void *y, void *sums)
{
	u32 a = *(const u32 *)x, b = *(const u32 *)y;
	int order = sum_order((struct leak_sum *)sums + a, (struct leak_sum *)sums + b);

	return order ? order : a < b ? -1 : a > b;
}

/* The rows of all groups that have something. */
static void add_rows(struct leak_report *r, const struct leak_sum *sums)
{
	static const enum leak_group_word words[] = { [LEAK_BY_STACK] = LEAK_GROUP_STACK,
						      [LEAK_BY_COMM] = LEAK_GROUP_COMM,
						      [LEAK_BY_PID] = LEAK_GROUP_PID };
	struct tuple_table keys;
	size_t cap = 0;

	tuple_table_init(&keys, 1, 0);
	for (u32 i = 0; i < r->src->groups.nr; i++) {
		u64 key = tuple_table_get(&r->src->groups, i)[words[r->opt->by]];
		struct leak_row *row;
		u32 id;

		if (!(sums[i].objects + sums[i].maybe_objects) ||
		    !is_wanted(r->opt, pid_of(r->src, i), comm_of(r->src, i)))
			continue;
		id = tuple_table_id(&keys, &key);
		if (id == r->nr)
			vec_push(r->rows, r->nr, cap, (struct leak_row){ .key = key });
		row = &r->rows[id];
		add_sum(&row->sum, &sums[i]);
		vec_push(row->groups, row->nr, row->cap, i);
	}
	tuple_table_fini(&keys);
}

void leak_report_init(struct leak_report *r, const struct leak_options *opt,
		      struct leak_source *src, u64 now)
{
	struct leak_sum *sums = leak_table_sums(src->table, src->groups.nr, now);

	*r = (struct leak_report){ .opt = opt, .src = src };
	add_rows(r, sums);
	for (size_t i = 0; i < r->nr; i++)
		qsort_r(r->rows[i].groups, r->rows[i].nr, sizeof(u32), group_order, sums);
	/* the key of a name is its address; the first group says which name was seen first */
	for (size_t i = 0; i < r->nr && opt->by == LEAK_BY_COMM; i++)
		r->rows[i].key = r->rows[i].groups[0];
	if (r->nr)
		qsort(r->rows, r->nr, sizeof(*r->rows), row_order);
	free(sums);
}

void leak_report_fini(struct leak_report *r)
{
	for (size_t i = 0; i < r->nr; i++)
		free(r->rows[i].groups);
	free(r->rows);
	*r = (struct leak_report){ 0 };
}

/* ---- text ---- */

static void put_age(const struct leak_report *r, struct out *o, u64 ns, int width)
{
	if (r->opt->ns) {
		out_dec(o, ns, width);
		return;
	}
	out_dec(o, ns / 1000000000, width - 4);
	out_char(o, '.');
	out_dec0(o, ns / 1000000 % 1000, 3);
}

static void put_process(const struct leak_report *r, struct out *o, u32 group)
{
	out_str(o, comm_of(r->src, group));
	out_printf(o, " (%d)", (int)pid_of(r->src, group));
}

/* The processes of a row, each once: those of its largest groups. */
static void put_processes(const struct leak_report *r, struct out *o, const struct leak_row *row)
{
	u32 shown[MAX_NAMED];
	size_t nr = 0;

	for (size_t i = 0; i < row->nr; i++) {
		bool known = false;

		for (size_t k = 0; k < nr; k++)
			known |= pid_of(r->src, shown[k]) == pid_of(r->src, row->groups[i]) &&
				 comm_of(r->src, shown[k]) == comm_of(r->src, row->groups[i]);
		if (known)
			continue;
		if (nr == MAX_NAMED) {
			out_str(o, ", ...");
			break;
		}
		if (nr)
			out_str(o, ", ");
		put_process(r, o, row->groups[i]);
		shown[nr++] = row->groups[i];
	}
}

static void put_row(const struct leak_report *r, struct out *o, const struct leak_row *row)
{
	out_dec(o, row->sum.bytes, 14);
	out_dec(o, row->sum.objects, 11);
	put_age(r, o, row->sum.oldest, 14);
	out_dec(o, row->sum.maybe_bytes, 15);
	out_dec(o, row->sum.maybe_objects, 11);
	put_age(r, o, row->sum.maybe_oldest, 14);
	out_str(o, "  ");
	put_processes(r, o, row);
	out_char(o, '\n');
	if (r->opt->by != LEAK_BY_STACK)
		return;
	if (row->key) {
		stack_texts_put(r->src->stacks, o, (u32)row->key, STACK_INDENT);
	} else {
		out_fill(o, ' ', STACK_INDENT);
		out_str(o, "[no stack]\n");
	}
}

/* What happened to all allocations, and what is uncertain. */
static void put_notes(const struct leak_report *r, struct out *o)
{
	const struct leak_table *t = r->src->table;
	const struct losses *l = &r->src->losses;
	const struct leak_calls *c = &r->src->calls;

	out_printf(o,
		   "# allocations: %" PRIu64 "; freed: %" PRIu64 "; failed: %" PRIu64
		   "; younger than --age: %" PRIu64 "\n",
		   t->nr_allocs, t->nr_frees, t->nr_failed, t->nr_young);
	out_printf(o,
		   "# frees of what was not allocated here: %" PRIu64
		   "; allocations whose free is missing: %" PRIu64
		   "; frees before their allocation: %" PRIu64 "\n",
		   t->nr_unknown, t->nr_replaced, t->nr_negative);
	if (r->src->probes)
		out_printf(o,
			   "# calls without entry, so of unknown size: %" PRIu64
			   "; without return: %" PRIu64 "; without registers: %" PRIu64 "\n",
			   c->nr_no_entry, c->nr_no_return, r->src->nr_no_regs);
	if (t->nr_dropped)
		out_printf(o,
			   "# not followed, since there were more than --max-keys objects or "
			   "--max-mem: %" PRIu64 " allocations of %" PRIu64 " bytes\n",
			   t->nr_dropped, t->dropped_bytes);
	out_printf(o, "# losses: %" PRIu64, l->nr);
	if (l->nr)
		out_printf(o,
			   " (%" PRIu64 " records); bytes?, objects? and oldest?: allocated before "
			   "the last of them, perhaps freed",
			   l->events);
	out_char(o, '\n');
	losses_put_without_time(l, o);
}

static size_t nr_shown(const struct leak_report *r)
{
	return r->opt->top && r->opt->top < r->nr ? (size_t)r->opt->top : r->nr;
}

void leak_report_put(const struct leak_report *r, struct out *o)
{
	static const char *const by[] = { "call stack", "name of the thread", "process" };
	const char *unit = r->opt->ns ? "ns" : "s";
	int width = r->opt->ns ? 7 : 8;
	const char *what = r->src->preset && r->src->preset->name ? r->src->preset->name : NULL;
	u64 ended = 0;

	for (size_t i = 0; i < r->nr; i++)
		ended += r->rows[i].sum.ended;
	out_str(o, "# not freed");
	if (what)
		out_printf(o, " (%s)", what);
	out_printf(o, ", by %s", by[r->opt->by]);
	if (ended)
		out_printf(o, "; of processes that have ended, as of then: %" PRIu64, ended);
	out_printf(
		o,
		"\n#        bytes    objects %*s %s         bytes?   objects? %*s %s  processes\n",
		width + 3, "oldest", unit, width + 3, "oldest?", unit);
	for (size_t i = 0; i < nr_shown(r); i++)
		put_row(r, o, &r->rows[i]);
	put_notes(r, o);
}

void leak_report_put_folded(const struct leak_report *r, struct out *o)
{
	for (size_t i = 0; i < r->nr; i++) {
		const struct leak_row *row = &r->rows[i];

		if (!row->sum.bytes)
			continue;
		if (row->key)
			stack_texts_put_folded(r->src->stacks, o, (u32)row->key);
		else
			out_str(o, "[no stack]");
		out_printf(o, " %" PRIu64 "\n", row->sum.bytes);
	}
}
