/* SPDX-License-Identifier: MIT */
#include "report/table/wanted_rows.h"

#include "base/mem.h"
#include "machine/machine.h"

bool filters_rows(const struct filter *f)
{
	return f->comms.nr || f->pids.nr || f->tids.nr || filter_needs_frame(f);
}

static bool number_listed(const struct number_list *l, u64 v)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->v[i] == v)
			return true;
	return !l->nr;
}

bool *wanted_rows(const struct filter *f, const struct session *s, const struct counts *c)
{
	bool *wanted = xcalloc(c->nr_rows + 1, sizeof(*wanted));

	for (size_t i = 0; i < c->nr_rows; i++) {
		const u64 *v = c->rows[i].v;
		const char *comm = intern_text(&s->machine->strings, (u32)v[COUNT_COMM]);

		wanted[i] = (!f->comms.nr || name_list_has(&f->comms, comm)) &&
			    number_listed(&f->pids, v[COUNT_PID]) &&
			    number_listed(&f->tids, v[COUNT_TID]) &&
			    (!filter_needs_frame(f) ||
			     filter_wants_frame(f, counts_frame(c, (u32)v[COUNT_IP])));
	}
	return wanted;
}
