/* SPDX-License-Identifier: MIT */
#include "events/func/func_table.h"

#include "base/mem.h"

#define MAX_NODES (1u << 20)

void func_table_init(struct func_table *t, enum func_by by, const struct filter *filter)
{
	*t = (struct func_table){ .by = by, .filter = filter, .tree = FUNC_NO_NODE };
	func_nodes_init(&t->nodes, MAX_NODES);
	intern_init(&t->names);
	tuple_table_init(&t->keys, 2, 0);
}

static void free_rows(struct func_table *t)
{
	for (size_t i = 0; i < t->keys.nr; i++)
		distribution_fini(&t->rows[i].times);
	tuple_table_fini(&t->keys);
}

void func_table_fini(struct func_table *t)
{
	free_rows(t);
	free(t->rows);
	func_nodes_fini(&t->nodes);
	free(t->functions);
	intern_fini(&t->names);
	*t = (struct func_table){ 0 };
}

void func_table_restart(struct func_table *t)
{
	/* rows keep their numbers, which calls that have begun hold */
	for (size_t i = 0; i < t->keys.nr; i++) {
		distribution_fini(&t->rows[i].times);
		t->rows[i] = (struct func_row){ .comm = t->rows[i].comm };
	}
	func_nodes_drop(&t->nodes, t->tree);
	t->tree = FUNC_NO_NODE;
	t->nodes.nr_left_out = 0;
	if (t->stacks)
		func_stacks_restart(t->stacks);
	t->nr_slow = 0;
}

/* ---- functions ---- */

u32 func_table_function(struct func_table *t, struct span file, struct span name, bool is_return)
{
	char *text = xasprintf("%.*s:%.*s", (int)file.n, (const char *)file.p, (int)name.n,
			       (const char *)name.p);
	u32 id = intern_str(&t->names, text);
	size_t i = 0;

	free(text);
	while (i < t->nr_functions && t->functions[i].text != id)
		i++;
	if (i == t->nr_functions) {
		vec_reserve(t->functions, t->cap_functions, i + 1);
		memset(&t->functions[i], 0, sizeof(*t->functions));
		t->functions[i].text = id;
		t->functions[i].name = (u32)file.n + 1;
		t->nr_functions++;
		if (i) {
			const char *first = intern_text(&t->names, t->functions[0].text);

			t->many_files |= t->functions[0].name != file.n + 1 ||
					 memcmp(first, file.p, file.n) != 0;
		}
	}
	if (is_return)
		t->functions[i].has_return = true;
	else
		t->functions[i].has_entry = true;
	return (u32)i;
}

bool func_table_has_return(const struct func_table *t, u32 func)
{
	return t->functions[func].has_return;
}

void func_table_put_name(void *table, struct out *o, u32 func)
{
	const struct func_table *t = table;
	const char *text = intern_text(&t->names, t->functions[func].text);

	out_str(o, t->many_files ? text : text + t->functions[func].name);
}

/* ---- calls ---- */

static bool list_has(const struct number_list *l, u64 n)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->v[i] == n)
			return true;
	return !l->nr;
}

bool func_table_wants(const struct func_table *t, const struct func_entry *e, const char *comm)
{
	const struct filter *f = t->filter;

	return list_has(&f->pids, e->pid) && list_has(&f->tids, e->tid) &&
	       (!f->comms.nr || name_list_has(&f->comms, comm ? comm : ""));
}

u32 func_table_count(struct func_table *t, const struct func_entry *e, const char *comm)
{
	u64 key[2] = { e->func, 0 };
	size_t before = t->keys.nr;
	u32 row;

	comm = comm ? comm : "";
	switch (t->by) {
	case FUNC_BY_FUNCTION: break;
	case FUNC_BY_COMM: key[1] = (u64)(uintptr_t)comm; break;
	case FUNC_BY_PID: key[1] = e->pid; break;
	case FUNC_BY_TID: key[1] = e->tid; break;
	}
	row = tuple_table_id(&t->keys, key);
	if (row == before) {
		vec_reserve(t->rows, t->cap_rows, before + 1);
		t->rows[row] = (struct func_row){ 0 };
	}
	t->rows[row].calls++;
	t->rows[row].comm = comm;
	return row;
}

static u32 returned(void *ctx, const struct func_call *call, u32 list)
{
	struct func_table *t = ctx;
	struct func_row *row = &t->rows[call->row];

	if (call->broken) {
		row->broken++;
		return func_nodes_merge(&t->nodes, list, call->inner);
	}
	if (t->each)
		t->each(t->ctx, call);
	distribution_add(&row->times, call->ns);
	row->self += call->self;
	if (!call->nested)
		row->total += call->ns;
	if (t->stacks)
		func_stacks_add(t->stacks, call->stack, call->func, call->ns, call->self);
	if (!t->wants_tree && !t->than)
		return list;
	return func_nodes_add(&t->nodes, list, call->func, call->ns, call->self, call->inner);
}

static u32 no_return(void *ctx, u32 row, u32 list, u32 inner)
{
	struct func_table *t = ctx;

	t->rows[row].no_return++;
	return func_nodes_merge(&t->nodes, list, inner);
}

static void emptied(void *ctx, u32 tid, u32 list, const struct func_call *longest)
{
	struct func_table *t = ctx;

	if (t->than && longest && longest->ns > t->than) {
		t->nr_slow++;
		t->slow(t->ctx, &(struct func_slow){ .tid = tid,
						     .comm = t->rows[longest->row].comm,
						     .start = longest->start,
						     .ns = longest->ns,
						     .list = list });
	}
	if (t->wants_tree)
		t->tree = func_nodes_merge(&t->nodes, t->tree, list);
	else
		func_nodes_drop(&t->nodes, list);
}

const struct func_calls_ops func_table_calls = { .returned = returned,
						 .no_return = no_return,
						 .emptied = emptied };
