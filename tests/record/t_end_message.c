/* SPDX-License-Identifier: MIT */
/* What prec says in the end of records that were lost. */
#include "record/end_message.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tests/frame/unit.h"

static char *said(const struct rec_evlist *l, const struct rec_counts *counts)
{
	struct rec_sink_stat stat = { 0 };
	struct rec_opts o = { 0 };
	struct diag diag;
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	diag_init(&diag);
	o.diag = &diag;
	end_message(&o, l, counts, &stat, "perf.data", 1, 64 << 10);
	diag_print(&diag, "prec", f);
	diag_fini(&diag);
	fclose(f);
	return text;
}

TEST(samples_and_side_band_that_were_lost)
{
	struct rec_counts counts = { .samples = 90, .records = 100, .lost_records = 17 };
	struct rec_evlist l;
	struct rec_event *ev;
	char *text;

	evlist_init(&l);
	ev = evlist_add(&l, "cpu-clock", 1, 0);
	ev->nr_samples = 90;
	ev->nr_lost = 10;
	ev = evlist_add(&l, "dummy:HG", 1, 9);
	ev->is_dummy = true;
	ev->nr_lost = 7;
	text = said(&l, &counts);
	CHECK(strstr(text, "cpu-clock: lost 10 of 100 samples (10.00 %)"));
	CHECK(strstr(text, "lost 7 records about processes and their maps: "));
	CHECK(!strstr(text, "dummy"));
	CHECK(!strstr(text, " records ("));
	free(text);
	evlist_fini(&l);
}
