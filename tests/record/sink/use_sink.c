/* SPDX-License-Identifier: MIT */
#include "tests/record/sink/use_sink.h"

#include <glob.h>
#include <stdio.h>
#include <unistd.h>

#include "fileformat/feature/feature.h"
#include "fileformat/record.h"
#include "fileformat/write/feature_encode.h"

static u64 ids[] = { 5 };
static struct pd_out_event event = {
	.attr = { .type = PD_TYPE_SOFTWARE, .size = 64, .sample_type = PD_SAMPLE_IP },
	.name = (char *)"an-event",
	.ids = ids,
	.nr_ids = 1,
};

void setup_init(struct setup *s, int compress, bool thread)
{
	struct pd_compressed c = {
		.version = 1, .type = 1, .level = 1, .ratio = 1, .mmap_len = EXPAND
	};

	*s = (struct setup){ .dir = "/tmp/t_sink.XXXXXX" };
	CHECK(mkdtemp(s->dir));
	snprintf(s->path, sizeof(s->path), "%s/p.data", s->dir);
	pd_put_event_desc(&s->desc, &event, 1, 64);
	pd_put_compressed(&s->comp, &c);
	s->features[0] = (struct pd_feature_out){ PD_FEAT_EVENT_DESC, wb_span(&s->desc) };
	s->features[1] = (struct pd_feature_out){ PD_FEAT_COMPRESSED, wb_span(&s->comp) };
	s->head = (struct pd_head){ &event, 1, 64, s->features, 2 };
	s->o = (struct rec_sink_opts){ .path = s->path,
				       .fd = -1,
				       .compress = compress,
				       .max_record_expand = EXPAND,
				       .own_thread = thread };
}

void setup_fini(struct setup *s)
{
	glob_t g;
	char all[80];
	size_t i;

	snprintf(all, sizeof(all), "%s/*", s->dir);
	if (!glob(all, 0, NULL, &g)) {
		for (i = 0; i < g.gl_pathc; i++)
			unlink(g.gl_pathv[i]);
		globfree(&g);
	}
	rmdir(s->dir);
	wb_fini(&s->desc);
	wb_fini(&s->comp);
}

/* A COMM record that carries a number. */
static void sink_put_numbered(struct wbuf *b, u32 n)
{
	char text[16];

	snprintf(text, sizeof(text), "n%u", n);
	pd_put_comm(b, n, n, text, 0, 8);
}

struct seen sink_look(const char *path)
{
	struct seen s = { .in_order = true };
	struct perfdata *pd;
	struct pd_record r;
	struct perr e;
	int more;

	if (pd_open(path, NULL, &pd, &e))
		unit_fail(__FILE__, __LINE__, "%s", e.text);
	CHECK_EQ(pd->nr_events, 1);
	s.unfinished = pd->unfinished;
	s.last_write = pd->last_write;
	s.named = !strcmp(pd->events[0]->name, "an-event");
	while ((more = pd_next(pd, &r, &e)) > 0) {
		if (r.type == PD_RECORD_COMM) {
			s.in_order &= get_u32(r.data + 8, false) == s.comms;
			s.comms++;
		} else if (r.type == PD_RECORD_FINISHED_ROUND) {
			/* one after every tenth */
			s.rounds++;
			s.in_order &= s.comms == s.rounds * 10;
		} else if (r.type !=
			   PD_RECORD_COMPRESSED) { /* those are followed by what is in them */
			unit_fail(__FILE__, __LINE__, "record of type %u", r.type);
		}
	}
	if (more < 0)
		unit_fail(__FILE__, __LINE__, "%s", e.text);
	pd_close(pd);
	return s;
}

int sink_sweep(struct rec_sink *s, u32 *n, struct perr *e)
{
	struct wbuf b = { 0 };
	int i, err;

	for (i = 0; i < 10; i++)
		sink_put_numbered(&b, (*n)++);
	err = sink_write(s, &b, false, e);
	CHECK_EQ(b.n, 0);
	if (!err) {
		pd_put_finished_round(&b);
		err = sink_write(s, &b, true, e);
	}
	wb_fini(&b);
	return err;
}
