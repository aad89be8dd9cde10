/* SPDX-License-Identifier: MIT */
#include "record/convert/convert.h"

#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/screen/message.h"
#include "count/session_joins.h"
#include "fileformat/order.h"
#include "fileformat/record_user.h"
#include "machine/jit.h"
#include "record/convert/convert_head.h"
#include "record/convert/file_queue.h"
#include "record/live/chainer.h"
#include "record/sink/sink.h"
#include "session/session.h"

#define EXPAND_BYTES ((u64)512 << 10) /* that one COMPRESSED record expands to */
#define WRITE_BYTES ((size_t)1 << 20) /* written at once */
#define MIB 1048576.0
#define MAX_USER 1024u /* frames of a stack that others complete */

struct converter {
	const struct convert_config *cfg;
	struct perfdata *pd;
	struct session *s;
	struct join_table *joins;
	struct chainer *chainer;
	struct convert_head head;
	struct rec_sink *sink;
	struct file_queue queue;
	struct wbuf out;
	struct chain_job jobs[CHAINER_JOBS]; /* their blocks and maps are held */
	struct mapset *maps[CHAINER_JOBS];
	struct wbuf chained[CHAINER_JOBS];
	size_t nr_jobs;
	u64 nr_broken, bytes_in;
	bool has_aux;
};

/* --- records in the order of the file --------------------------------------------------------- */

/* True for records that describe the file, whose contents the new file has in its head. */
static bool is_left_out(const struct converter *c, const struct pd_record *r)
{
	switch (r->type) {
	case PD_RECORD_HEADER_ATTR:
	case PD_RECORD_HEADER_EVENT_TYPE:
	case PD_RECORD_HEADER_TRACING_DATA:
	case PD_RECORD_HEADER_FEATURE:
	case PD_RECORD_COMPRESSED:
	case PD_RECORD_COMPRESSED2: return true;
	case PD_RECORD_EVENT_UPDATE: {
		struct pd_event_update u;
		struct perr e;

		return !pd_read_event_update(r, false, &u, &e) &&
		       (u.type == PD_UPDATE_STREAM || u.type == PD_UPDATE_UNWOUND);
	}
	/* each file of a folder has rounds of its own, and they become one file */
	case PD_RECORD_FINISHED_ROUND: return c->pd->kind == PD_DIRECTORY;
	default: return false;
	}
}

static const struct pd_event *copied_event(const struct converter *c, const struct pd_record *r)
{
	const struct pd_event *ev =
		r->type == PD_RECORD_SAMPLE ? pd_event_of_record(c->pd, r) : NULL;

	return ev && chained_attr_wanted(&ev->attr) ? ev : NULL;
}

static void on_read(void *ctx, const struct pd_record *r)
{
	struct converter *c = ctx;

	c->has_aux |= r->type == PD_RECORD_AUXTRACE || r->type == PD_RECORD_AUXTRACE_INFO;
	if (is_left_out(c, r))
		return;
	c->bytes_in += r->size;
	file_queue_add(&c->queue, r, copied_event(c, r) != NULL);
}

static int write_known(struct converter *c, struct perr *e)
{
	while (file_queue_take(&c->queue, &c->out, WRITE_BYTES)) {
		int err = c->out.n >= WRITE_BYTES ? sink_write(c->sink, &c->out, false, e) : 0;

		if (err)
			return err;
	}
	return 0;
}

/* --- samples in the order of time ------------------------------------------------------------- */

static void do_jobs(struct converter *c)
{
	chainer_do(c->chainer, c->jobs, c->nr_jobs);
	for (size_t i = 0; i < c->nr_jobs; i++) {
		file_queue_replace(&c->queue, &c->jobs[i].rec, wb_span(&c->chained[i]));
		pd_block_put(c->jobs[i].rec.block);
		mapset_put(c->maps[i]);
		c->chained[i].n = 0;
	}
	c->nr_jobs = 0;
}

static void add_job(struct converter *c, const struct pd_event *ev, const struct pd_record *r)
{
	struct chain_job *j = &c->jobs[c->nr_jobs];
	struct machine *mc = c->s->machine;
	struct task_view task;
	struct perr e;

	if (pd_read_sample(ev, r, false, &j->sample, &e)) {
		diag_warn(c->cfg->diag, "%s: %s: sample left out (offset %#llx)", c->pd->path,
			  e.text, (unsigned long long)r->off);
		c->nr_broken++;
		file_queue_replace(&c->queue, r, span_of(NULL, 0));
		return;
	}
	task = machine_task(mc, machine_thread(mc, j->sample.pid, j->sample.tid));
	c->maps[c->nr_jobs] = mapset_get(task.user_maps);
	j->ev = ev;
	j->rec = *r;
	pd_block_get(r->block);
	j->maps = task.user_maps;
	j->out = &c->chained[c->nr_jobs];
	if (++c->nr_jobs == CHAINER_JOBS)
		do_jobs(c);
}

static void take_record(struct converter *c, const struct pd_record *r, u64 time)
{
	const struct pd_event *ev = copied_event(c, r);
	struct machine *mc = c->s->machine;

	if (time >= mc->next_jit_time && time != UINT64_MAX)
		machine_jit_advance(mc, time);
	if (ev)
		add_job(c, ev, r);
	else if (r->type != PD_RECORD_SAMPLE)
		machine_apply(mc, r);
}

static int convert_records(struct converter *c, struct perr *e)
{
	struct pd_order *order = pd_order_new(c->pd);
	size_t nr_events = c->pd->nr_events;
	struct pd_record r;
	int got, err = 0;
	u64 time;

	pd_order_on_read(order, on_read, c);
	while (!err && (got = pd_order_next(order, &r, &time, e)) == 1) {
		take_record(c, &r, time);
		if (c->pd->nr_events != nr_events)
			err = perr_set(
				e, PERR_UNSUPPORTED,
				"%s: describes events after its first records: not converted",
				c->pd->path);
		else if (c->has_aux)
			err = perr_set(e, PERR_UNSUPPORTED,
				       "%s: has AUX area data (Intel PT, CoreSight), which are not "
				       "converted",
				       c->pd->path);
		else
			err = write_known(c, e);
	}
	do_jobs(c);
	pd_order_free(order);
	if (err)
		return err;
	/* of a damaged file, nothing that was read waits any more */
	c->nr_broken += file_queue_give_up(&c->queue);
	err = write_known(c, got < 0 ? NULL : e);
	if (!err)
		err = sink_write(c->sink, &c->out, false, got < 0 ? NULL : e);
	return got < 0 ? got : err;
}

/* --- the whole -------------------------------------------------------------------------------- */

static int check_input(const struct perfdata *pd, struct perr *e)
{
	bool wanted = false;

	for (size_t i = 0; i < pd->nr_events; i++)
		wanted |= chained_attr_wanted(&pd->events[i]->attr);
	if (!wanted)
		return perr_set(
			e, PERR_UNSUPPORTED,
			"%s: has no copies of user stacks (perf record --call-graph dwarf), "
			"so there is nothing to unwind",
			pd->path);
	if (pd->swap)
		return perr_set(e, PERR_UNSUPPORTED,
				"%s: was recorded on a machine of the other byte order: convert it "
				"on a machine of its own",
				pd->path);
	return 0;
}

static bool is_stream(const struct convert_config *cfg)
{
	struct stat st;

	if (cfg->output_fd >= 0)
		return fstat(cfg->output_fd, &st) || !S_ISREG(st.st_mode);
	return !strcmp(cfg->output, "-") ||
	       (!stat(cfg->output, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

static int open_output(struct converter *c, struct perr *e)
{
	const struct rec_sink_opts so = {
		.path = c->cfg->output,
		.fd = c->cfg->output_fd,
		.compress = c->cfg->compress,
		.max_record_expand = EXPAND_BYTES,
		.own_thread = c->cfg->compress > 0,
	};
	int err;

	convert_head_make(&c->head, c->pd, c->cfg->compress, EXPAND_BYTES);
	err = sink_open(&so, &c->head.head, &c->sink, e);
	if (err || !is_stream(c->cfg))
		return err;
	convert_head_put_marks(&c->out, c->pd);
	return sink_write(c->sink, &c->out, true, e);
}

/* The features that are known at the end. */
static int close_output(struct converter *c, bool finished, char **ret_path, struct perr *e)
{
	struct wbuf unwound = { 0 }, compressed = { 0 };
	struct pd_feature_out late[2];
	struct rec_sink_stat stat;
	size_t nr = 0;
	int err;

	err = sink_drain(c->sink, e);
	sink_stat(c->sink, &stat);
	if (c->cfg->compress > 0) {
		u64 ratio = stat.compressed_bytes ? stat.raw_bytes / stat.compressed_bytes : 0;

		pd_put_compressed(&compressed,
				  &(struct pd_compressed){ .type = 1,
							   .level = (u32)c->cfg->compress,
							   .ratio = (u32)ratio,
							   .mmap_len = (u32)EXPAND_BYTES });
		late[nr++] = (struct pd_feature_out){ PD_FEAT_COMPRESSED, wb_span(&compressed) };
	}
	convert_head_put_unwound(&unwound, c->pd, c->head.nr_events, c->chainer);
	late[nr++] = (struct pd_feature_out){ PD_FEAT_UNWOUND, wb_span(&unwound) };
	if (sink_close(c->sink, late, nr, finished && !err, ret_path, err ? NULL : e) && !err)
		err = PERR_IO;
	c->sink = NULL;
	wb_fini(&unwound);
	wb_fini(&compressed);
	return err;
}

static void tell(const struct converter *c, const struct rec_sink_stat *stat, const char *path)
{
	struct chainer_counts all = { 0 };

	for (size_t i = 0; i < c->pd->nr_events; i++) {
		struct chainer_counts n = chainer_counts_of(c->chainer, (u32)i);

		all.stacks += n.stacks;
		all.joined += n.joined;
		all.cut += n.cut;
		all.ends[UNWIND_ROOT] += n.ends[UNWIND_ROOT];
	}
	if (all.cut)
		diag_warn(c->cfg->diag,
			  "%llu stacks have more frames than a record can hold: their outermost "
			  "frames are left out",
			  (unsigned long long)all.cut);
	if (!c->cfg->talk)
		return;
	message(c->cfg->talk,
		"[ prec: unwound %llu stacks, %llu of them to the start of the thread; "
		"%.3f MB of records became %.3f MB%s%s ]\n",
		(unsigned long long)all.stacks, (unsigned long long)all.ends[UNWIND_ROOT],
		(double)c->bytes_in / MIB, (double)stat->data_bytes / MIB,
		strcmp(path, "-") ? " in " : "", strcmp(path, "-") ? path : "");
}

static int convert_pass(struct converter *c, struct perr *e)
{
	struct rec_sink_stat stat;
	char *name = NULL;
	int err = open_output(c, e), closed;

	if (err)
		return err;
	err = convert_records(c, e);
	(void)!sink_drain(c->sink, NULL);
	sink_stat(c->sink, &stat);
	closed = close_output(c, !err && !c->pd->unfinished && !c->pd->truncated, &name,
			      err ? NULL : e);
	if (!err)
		err = closed;
	pd_warn_unfinished(c->pd);
	if (!closed)
		tell(c, &stat, name);
	free(name);
	return err;
}

int convert_perfdata(const struct convert_config *cfg, struct perfdata *pd, struct perr *e)
{
	struct converter c = { .cfg = cfg, .pd = pd };
	const struct session_config session = { .symbols = cfg->symbols };
	int err = check_input(pd, e);

	if (err)
		return err;
	c.s = session_new(pd, &session, cfg->diag);
	if (!cfg->no_join)
		joins_of_session(c.s, 0, MAX_USER, &c.joins);
	err = session_begin_pass(c.s, "unwinding stacks", 0, e);
	c.chainer = chainer_new(c.s->machine, c.joins);
	if (!err)
		err = convert_pass(&c, e);
	file_queue_fini(&c.queue);
	for (size_t i = 0; i < CHAINER_JOBS; i++)
		wb_fini(&c.chained[i]);
	wb_fini(&c.out);
	convert_head_fini(&c.head);
	chainer_free(c.chainer);
	join_table_free(c.joins);
	session_free(c.s);
	return err;
}

int convert_file(const struct convert_config *cfg, const char *path, struct perr *e)
{
	struct perfdata *pd;
	int err = pd_open(path, cfg->diag, &pd, e);

	if (err)
		return err;
	err = convert_perfdata(cfg, pd, e);
	pd_close(pd);
	return err;
}
