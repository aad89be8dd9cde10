/* SPDX-License-Identifier: MIT */
#include "report/table/wanted_rows.h"

#include "base/mem.h"
#include "count/counts.h"
#include "machine/machine.h"
#include "session/filter_miss.h"

bool filters_rows(const struct filter *f)
{
	return f->comms.nr || f->pids.nr || f->tids.nr || f->parallelism.bits ||
	       filter_needs_frame(f);
}

static bool number_listed(const struct number_list *l, u64 v)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->v[i] == v)
			return true;
	return !l->nr;
}

/* True if a row's sample passes the filters. What it has goes into miss, which may be NULL. */
static bool is_wanted(const struct filter *f, const struct session *s, const struct counts *c,
		      const struct count_row *r, struct filter_miss *miss)
{
	const char *comm = intern_text(&s->machine->strings, (u32)count_value(r, COUNT_COMM));
	const struct frame *fr;

	filter_miss_time(miss, 0);
	filter_miss_comm(miss, (u32)count_value(r, COUNT_COMM), comm);
	if ((f->comms.nr && !name_list_has(&f->comms, comm)) ||
	    !number_listed(&f->pids, count_value(r, COUNT_PID)) ||
	    !number_listed(&f->tids, count_value(r, COUNT_TID)))
		return false;
	if (!number_set_has(&f->parallelism, count_value(r, COUNT_PARALLELISM)))
		return false;
	if (!filter_needs_frame(f))
		return true;
	fr = counts_frame(c, (u32)count_value(r, COUNT_IP));
	filter_miss_frame(miss, fr);
	return filter_wants_frame(f, fr);
}

bool *wanted_rows(const struct filter *f, const struct session *s, const struct counts *c)
{
	bool *wanted = xcalloc(c->nr_rows + 1, sizeof(*wanted)), any = false;
	struct filter_miss *miss = filter_miss_new(f);

	for (size_t i = 0; i < c->nr_rows; i++) {
		wanted[i] = is_wanted(f, s, c, &c->rows[i], any ? NULL : miss);
		any |= wanted[i];
	}
	if (!any)
		filter_miss_tell(miss, s->diag);
	filter_miss_free(miss);
	return wanted;
}
