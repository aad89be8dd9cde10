/* SPDX-License-Identifier: MIT */
#include "report/text/dump_pass.h"

#include "base/mem.h"
#include "report/text/record_stats.h"
#include "session/sample_sink.h"

struct dump_pass {
	struct sample_sink sink;
	struct session *s;
	struct out *o;
	struct rawdump dump;
	struct record_stats stats;
};

static void dump_record(struct sample_sink *k, const struct replay_event *ev)
{
	struct dump_pass *p = CONTAINER_OF(k, struct dump_pass, sink);

	if (rawdump_record(&p->dump, p->o, &ev->rec))
		record_stats_count(&p->stats, p->s->pd, &ev->rec);
}

static int dump_place(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct dump_pass *p = CONTAINER_OF(k, struct dump_pass, sink);

	(void)e;
	rawdump_place(p->o, p->s->machine, v->thread, &v->ev->sample);
	return 1;
}

static int take_nothing(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	(void)k;
	(void)v;
	(void)e;
	return 0;
}

int dump_pass_print(struct session *s, struct out *o, enum rawdump_command command, bool skip_empty,
		    struct perr *e)
{
	struct dump_pass p = {
		.sink = { .raw = dump_record, .seen = dump_place, .sample = take_nothing },
		.s = s,
		.o = o,
		.stats = { .samples_only = true }, /* as perf counts after a dump */
	};
	const struct sample_query q = { .pass = "printing records" };
	int err;

	rawdump_init(&p.dump, s->pd, command);
	err = session_run(s, &q, &p.sink, e);
	record_stats_print(&p.stats, o, s->pd, skip_empty);
	record_stats_fini(&p.stats);
	rawdump_fini(&p.dump);
	return err;
}
