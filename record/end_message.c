/* SPDX-License-Identifier: MIT */
#include "record/end_message.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/advice/advice.h"
#include "base/out.h"
#include "base/screen/message.h"
#include "record/idle_target.h"
#include "record/review/lost_callers.h"

#define MIB (1024.0 * 1024.0)
#define LACKING_MIN 20  /* chains; fewer say nothing */
#define LACKING_SHARE 5 /* per cent, as in the verdict of the readers */
#define MAX_RING_ADVISED ((u64)512 << 20)

static double percent_of(u64 lost, u64 samples)
{
	return 100.0 * (double)lost / (double)(lost + samples);
}

static void print_lost(const struct rec_opts *o, const struct rec_evlist *l,
		       const struct rec_counts *counts, u64 ring_bytes)
{
	u64 larger = ring_bytes * 4 > MAX_RING_ADVISED ? MAX_RING_ADVISED : ring_bytes * 4;
	u64 of_events = 0;
	char size[24], *how;
	const struct advice_fact facts[] = { { "size", size }, { NULL, NULL } };

	snprintf(size, sizeof(size), "%" PRIu64 "M", larger >> 20 ? larger >> 20 : 1);
	how = advice_text(ADVICE_LARGER_RINGS, facts);
	for (size_t i = 0; i < l->nr; i++) {
		const struct rec_event *ev = l->events[i];

		if (!ev->nr_lost)
			continue;
		of_events += ev->nr_lost;
		if (ev->is_dummy) {
			diag_warn(o->diag,
				  "lost %" PRIu64
				  " records about processes and their maps: names and "
				  "call chains of some samples may be wrong: the rings of %" PRIu64
				  " KiB were full: %s",
				  ev->nr_lost, ring_bytes >> 10, how);
			continue;
		}
		diag_warn(o->diag,
			  "%s: lost %" PRIu64 " of %" PRIu64 " samples (%.2f %%): the rings of "
			  "%" PRIu64 " KiB were full: %s, or at a lower rate (-F)",
			  ev->name, ev->nr_lost, ev->nr_lost + ev->nr_samples,
			  percent_of(ev->nr_lost, ev->nr_samples), ring_bytes >> 10, how);
	}
	/* kernels before 6.0 do not tell which event a ring's lost records are of */
	if (counts->lost_records > of_events)
		diag_warn(o->diag,
			  "lost %" PRIu64 " of %" PRIu64 " records (%.2f %%): the rings of %" PRIu64
			  " KiB were full: %s, or at a lower rate (-F)",
			  counts->lost_records - of_events,
			  counts->lost_records - of_events + counts->records,
			  percent_of(counts->lost_records - of_events, counts->records),
			  ring_bytes >> 10, how);
	free(how);
	if (counts->given_up)
		diag_warn(o->diag,
			  "%" PRIu64 " samples of probes were dropped before it was known whether "
			  "they belong to the target: too many other processes run the same code",
			  counts->given_up);
}

/* Tells a person that nothing was lost, and the command that shows the recording. */
static void print_hint(const struct rec_opts *o, const struct rec_evlist *l,
		       const struct rec_counts *counts, const char *path)
{
	struct out word;

	if (!o->on_terminal || !path || !strcmp(path, "-") || !counts->samples ||
	    counts->lost_records)
		return;
	for (size_t i = 0; i < l->nr; i++)
		if (l->events[i]->nr_lost)
			return;
	out_init_mem(&word);
	if (strcmp(path, "perf.data")) {
		out_str(&word, " -i ");
		advice_put_word(&word, path);
	}
	out_char(&word, 0);
	message(o->talk, "prec: none lost; to see the recording: prep%s\n", word.buf);
	(void)out_fini(&word);
}

void end_message(const struct rec_opts *o, const struct rec_evlist *l,
		 const struct rec_counts *counts, const struct rec_sink_stat *stat,
		 const char *path, u64 wakeups, u64 ring_bytes)
{
	FILE *f = o->talk;

	if (f) {
		fprintf(f, "[ perf record: Woken up %" PRIu64 " times to write data ]\n",
			wakeups ? wakeups : 1);
		message(f, "[ perf record: Captured and wrote %.3f MB %s (%" PRIu64 " samples)",
			(double)stat->data_bytes / MIB, path ? path : "-",
			counts->samples - counts->samples_before);
		if (o->compress > 0 && stat->compressed_bytes)
			fprintf(f, ", compressed (original %.3f MB, ratio is %.3f)",
				(double)stat->raw_bytes / MIB,
				(double)stat->raw_bytes / (double)stat->compressed_bytes);
		fputs(" ]\n", f);
		print_hint(o, l, counts, path);
	}
	print_lost(o, l, counts, ring_bytes);
	if (!counts->samples)
		idle_target_tell(o);
}

static bool has_frame_pointer_chains(const struct rec_evlist *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		const struct rec_event *ev = l->events[i];

		if (ev->attr.sample_type & PD_SAMPLE_CALLCHAIN &&
		    !(ev->attr.sample_type & PD_SAMPLE_STACK_USER) && !ev->unwound)
			return true;
	}
	return false;
}

static bool is_worth_saying(u64 chains, u64 of)
{
	return chains >= LACKING_MIN && chains * 100 > of * LACKING_SHARE;
}

static void print_lost_callers(const struct rec_opts *o, const struct lost_callers *c)
{
	u64 cut = c->lacking - c->one_only;
	char *how = advice_text(ADVICE_CALLGRAPH_DWARF, NULL);

	if (is_worth_saying(cut, c->stacks))
		diag_warn(o->diag,
			  "%.0f %% of call chains lack callers: the code they pass keeps no frame "
			  "pointers, most of it in %s: for whole stacks, %s",
			  100.0 * (double)c->lacking / (double)c->stacks, c->object, how);
	else if (o->on_terminal && is_worth_saying(c->one_only, c->stacks))
		diag_warn(o->diag,
			  "%.0f %% of call chains lack the caller of their innermost function, "
			  "which keeps no frame pointer, most of them in %s: for whole stacks, %s",
			  100.0 * (double)c->lacking / (double)c->stacks, c->object, how);
	free(how);
}

void end_message_callers(const struct rec_opts *o, const struct rec_evlist *l,
			 const struct rec_counts *counts, const struct rec_sink_stat *stat,
			 const char *path)
{
	u64 bytes = stat->raw_bytes ? stat->raw_bytes : stat->data_bytes;
	struct lost_callers c;
	struct perr e;

	if (!o->talk || !path || !counts->samples || !has_frame_pointer_chains(l))
		return;
	/* readers say what is wrong with a recording that cannot be read */
	if (!lost_callers_find(path, counts->samples, bytes, &c, &e))
		print_lost_callers(o, &c);
	lost_callers_fini(&c);
}

void end_message_dump(FILE *f, const char *path, u64 wakeups)
{
	if (!f)
		return;
	fprintf(f, "[ perf record: dump data: Woken up %" PRIu64 " times ]\n", wakeups);
	message(f, "[ perf record: Dump %s ]\n", path);
}

void end_message_full(FILE *f, u64 max_size)
{
	if (f)
		fprintf(f,
			"[ perf record: perf size limit reached (%" PRIu64
			" KB), stopping session ]\n",
			max_size >> 10);
}

void end_message_off_cpu(struct diag *d, const struct offcpu_counts *n)
{
	if (n->broken)
		diag_warn(d,
			  "--off-cpu: %llu times off the CPU left out: records were lost in them "
			  "(-m records with larger rings)",
			  (unsigned long long)n->broken);
	if (n->brief)
		diag_warn(d,
			  "--off-cpu-min: %llu times off the CPU, %llu.%03llu ms together, are "
			  "shorter and left out",
			  (unsigned long long)n->brief, (unsigned long long)n->brief_ns / 1000000,
			  (unsigned long long)n->brief_ns / 1000 % 1000);
	if (n->missed)
		diag_warn(d,
			  "--off-cpu: %llu switches were not recorded, so that times off the CPU "
			  "are missing",
			  (unsigned long long)n->missed);
}
