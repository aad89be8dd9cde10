/* SPDX-License-Identifier: MIT */
#include "report/text/rawdump.h"

#include "fileformat/record_minor.h"
#include "machine/module_name.h"
#include "report/text/record_text.h"

#define BYTES_PER_LINE 16
#define PIPE_HEADER_LEN 16

void rawdump_init(struct rawdump *d, const struct perfdata *pd, enum rawdump_command command)
{
	*d = (struct rawdump){ .pd = pd, .command = command };
	attr_text_init(&d->attrs, pd);
}

void rawdump_fini(struct rawdump *d)
{
	attr_text_fini(&d->attrs);
}

/* ---- bytes ---- */

static void put_path(const struct rawdump *d, struct out *o, const struct pd_record *r)
{
	if (d->pd->kind == PD_PIPE)
		out_str(o, "pipe");
	else if (d->pd->kind != PD_DIRECTORY)
		out_str(o, d->pd->path);
	else if (r->file_idx == 0)
		out_printf(o, "%s/data", d->pd->path);
	else
		out_printf(o, "%s/data.%u", d->pd->path, r->file_idx - 1);
}

static void put_bytes(struct out *o, const u8 *p, size_t n)
{
	for (size_t row = 0; row < n; row += BYTES_PER_LINE) {
		out_printf(o, ".  %04zx: ", row);
		for (size_t i = row; i < row + BYTES_PER_LINE; i++) {
			if (i < n)
				out_printf(o, " %02x", p[i]);
			else
				out_str(o, "   ");
		}
		out_str(o, "  ");
		for (size_t i = row; i < row + BYTES_PER_LINE; i++) {
			if (i < n)
				out_char(o, p[i] >= ' ' && p[i] < 0x7f ? (char)p[i] : '.');
			else
				out_char(o, ' ');
		}
		out_char(o, '\n');
	}
}

/* perf counts a pipe's bytes from behind its header. */
static u64 shown_off(const struct rawdump *d, const struct pd_record *r)
{
	return d->pd->kind == PD_PIPE && r->off >= PIPE_HEADER_LEN ? r->off - PIPE_HEADER_LEN
								   : r->off;
}

static void put_block(const struct rawdump *d, struct out *o, const struct pd_record *r)
{
	out_printf(o, "\n%#llx@", (unsigned long long)shown_off(d, r));
	put_path(d, o, r);
	out_printf(o, " [%#x]: event: %u\n.\n. ... raw event: size %u bytes\n", r->size, r->type,
		   r->size);
	put_bytes(o, r->data, r->size);
	out_char(o, '\n');
}

/* ---- the line ---- */

/* A pipe's events become known one by one, with their HEADER_ATTRs. */
static size_t nr_known_events(const struct rawdump *d)
{
	return d->pd->kind == PD_PIPE && d->nr_attrs < d->pd->nr_events ? d->nr_attrs
									: d->pd->nr_events;
}

static void put_time(const struct rawdump *d, struct out *o, const struct pd_record *r,
		     const struct pd_sample *s)
{
	size_t n = nr_known_events(d);
	u64 sample_type = 0;

	if (r->type != PD_RECORD_SAMPLE && (n == 0 || !pd_sample_id_all(d->pd))) {
		out_str(o, "-1 -1 ");
		return;
	}
	for (size_t i = 0; i < n; i++)
		sample_type |= d->pd->events[i]->attr.sample_type;
	if (sample_type & PD_SAMPLE_CPU)
		out_printf(o, "%u ", s->cpu);
	if (sample_type & PD_SAMPLE_TIME)
		out_printf(o, "%llu ", (unsigned long long)s->time);
}

static void put_lost(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_lost l;

	if (!pd_read_lost(r, swap, &l, NULL))
		out_printf(o, ": id:%llu: lost:%llu\n", (unsigned long long)l.id,
			   (unsigned long long)l.lost);
}

static void put_lost_samples(struct out *o, const struct pd_record *r, const struct pd_event *ev,
			     const struct pd_sample *s, bool swap)
{
	bool has_id = ev && ev->attr.sample_type & (PD_SAMPLE_ID | PD_SAMPLE_IDENTIFIER);
	struct pd_lost_samples l;

	if (!pd_read_lost_samples(r, swap, &l, NULL))
		out_printf(o, ": id:%llu: lost samples :%llu%s\n",
			   has_id ? (unsigned long long)s->id : ~0ull, (unsigned long long)l.lost,
			   r->misc & PD_MISC_LOST_SAMPLES_BPF ? " (BPF)" : "");
}

/*
 * perf reads the body as that of a single counter, whatever the read_format: of a GROUP, the value
 * shown is the number of counters.
 */
static void put_read(struct rawdump *d, struct out *o, const struct pd_record *r,
		     const struct pd_event *ev)
{
	struct cursor c = cursor_of(pd_record_body(r), d->pd->swap);
	u64 format = ev ? ev->attr.read_format : 0, value;
	u32 pid = cur_u32(&c), tid = cur_u32(&c);

	value = cur_u64(&c);
	out_printf(o, ": %d %d %s %llu\n", (s32)pid, (s32)tid, ev ? ev->name : "unknown",
		   (unsigned long long)value);
	if (format & PD_FORMAT_TOTAL_TIME_ENABLED)
		out_printf(o, "... time enabled : %llu\n", (unsigned long long)cur_u64(&c));
	if (format & PD_FORMAT_TOTAL_TIME_RUNNING)
		out_printf(o, "... time running : %llu\n", (unsigned long long)cur_u64(&c));
	if (format & PD_FORMAT_ID)
		out_printf(o, "... id           : %llu\n", (unsigned long long)cur_u64(&c));
	if (format & PD_FORMAT_LOST)
		out_printf(o, "... lost         : %llu\n", (unsigned long long)cur_u64(&c));
	if (d->command != RAWDUMP_REPORT)
		out_str(o, RAWDUMP_UNHANDLED);
}

static void put_deferred(struct out *o, const struct pd_record *r, const struct pd_event *ev,
			 const struct pd_sample *s, const struct perfdata *pd)
{
	struct pd_callchain_deferred d;

	if (pd_read_callchain_deferred(r, pd->swap, &d, NULL)) {
		out_char(o, '\n');
		return;
	}
	out_printf(o, "(IP, 0x%x): %d/%d: %#llx\n", r->misc, (s32)s->pid, (s32)s->tid,
		   (unsigned long long)d.cookie);
	if (ev && ev->attr.sample_type & PD_SAMPLE_CALLCHAIN)
		rawdump_callchain(o, d.ips, pd);
}

static void put_kernel_record(struct rawdump *d, struct out *o, const struct pd_record *r,
			      const struct pd_event *ev, const struct pd_sample *s)
{
	bool swap = d->pd->swap;

	switch (r->type) {
	case PD_RECORD_SAMPLE:
		if (ev)
			rawdump_sample(d, o, r, ev, s);
		return;
	case PD_RECORD_LOST: put_lost(o, r, swap); return;
	case PD_RECORD_LOST_SAMPLES: put_lost_samples(o, r, ev, s, swap); return;
	case PD_RECORD_THROTTLE:
	case PD_RECORD_UNTHROTTLE:
		if (d->command != RAWDUMP_SCRIPT)
			out_str(o, RAWDUMP_UNHANDLED);
		return;
	case PD_RECORD_READ: put_read(d, o, r, ev); return;
	case PD_RECORD_CALLCHAIN_DEFERRED: put_deferred(o, r, ev, s, d->pd); return;
	case PD_RECORD_CGROUP:
		if (d->command == RAWDUMP_ANNOTATE)
			out_str(o, RAWDUMP_UNHANDLED);
		else if (!record_text_body(o, d->pd, r, NULL))
			out_char(o, '\n');
		return;
	default:
		if (!record_text_body(o, d->pd, r, NULL))
			out_char(o, '\n');
		return;
	}
}

/* What came out of compressed records is shown in their place; EVENT_TYPE is of no use since 3.10.
 */
static bool is_shown(u32 type)
{
	return type != PD_RECORD_COMPRESSED && type != PD_RECORD_COMPRESSED2 &&
	       type != PD_RECORD_HEADER_EVENT_TYPE;
}

bool rawdump_record(struct rawdump *d, struct out *o, const struct pd_record *r)
{
	const char *name = pd_record_name(r->type);
	const struct pd_event *ev = NULL;
	struct pd_sample s = { 0 };
	bool broken = false;

	if (r->data == d->last_data && r->off == d->last_off)
		return false;
	if (!name || !is_shown(r->type))
		return true;
	d->last_data = r->data;
	d->last_off = r->off;
	if (r->type < PD_RECORD_HEADER_ATTR) {
		ev = pd_event_of_record(d->pd, r);
		if (!ev)
			broken = true;
		else if (r->type == PD_RECORD_SAMPLE)
			broken = pd_read_sample(ev, r, d->pd->swap, &s, NULL) != 0;
		else
			broken = pd_read_sample_id(ev, r, d->pd->swap, &s, NULL) != 0;
		if (broken)
			s = (struct pd_sample){ 0 };
	}
	put_block(d, o, r);
	put_time(d, o, r, &s);
	out_printf(o, "%#llx [%#x]: PERF_RECORD_%s", (unsigned long long)shown_off(d, r), r->size,
		   name);
	if (r->type >= PD_RECORD_HEADER_ATTR)
		rawdump_user_record(d, o, r);
	else if (broken && r->type == PD_RECORD_SAMPLE)
		out_char(o, '\n');
	else
		put_kernel_record(d, o, r, ev, &s);
	return true;
}

void rawdump_place(struct out *o, struct machine *mc, const struct thread *th,
		   const struct pd_sample *s)
{
	const struct map *m = machine_find_map(mc, th, s->cpumode, s->ip);

	out_printf(o, " ... thread: %s:%d\n ...... dso: %s\n", machine_comm(mc, th), (s32)th->tid,
		   m ? map_long_name(m) : "<not found>");
}
