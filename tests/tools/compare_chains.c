/* SPDX-License-Identifier: MIT */
/*
 * compare_chains [-v N] [-s SYMFS] [-c COMM,...] RECORDING...: recordings of prec --call-graph
 *unwind
 * --keep-stacks have the stack copies besides the chains that were made of them while recording.
 * This unwinds the copies as readers do and compares frame by frame. Where prec went on behind the
 * end of a copy (its chain is marked as joined), or a record had no room for the whole copy, the
 * frames of the copy have to be the first ones of the chain. Where prec could not keep up, chains
 * have 16 frames, which have to be the copy's first ones, or outer frames of the thread's stack
 * before, which are not compared; both are counted apart. Behind code of a file that
 * the process had (a memfd), but that is not found any more, nothing is compared.
 *
 *	-v N	print the first N samples that differ
 *	-c COMM,...	only samples of threads with these names
 *
 * Prints one line of counts. Status 0: all are equal; 1: some differ, or there are none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fileformat/chain_entries.h"
#include "machine/chain_ips.h"
#include "machine/machine_stacks.h"
#include "session/replay.h"

#define MAX_FRAMES 1024u
/* As in record/live/chainer.c: what is unwound at the two first levels of overload. */
#define REUSE_FRAMES 8u
#define FEW_FRAMES 16u

struct compare {
	const char *symfs, *comms; /* comms: NULL: all */
	unsigned long long shown, nr, no_copy, rooted, joined, cut, few, reused, gone, differ,
		frames;
};

/* Addresses of the recorded chain's user part, at most MAX_FRAMES. */
static size_t user_part(const struct pd_sample *s, u64 *ips)
{
	struct chain_entries it = chain_entries_of(s->callchain, s->swap, PD_CPUMODE_USER);
	size_t nr = 0;
	u64 ip;

	while (chain_entry_next(&it, &ip) == 1)
		if (it.mode == PD_CPUMODE_USER && nr < MAX_FRAMES)
			ips[nr++] = ip;
	return nr;
}

static void show(const struct pd_sample *s, const u64 *ips, size_t nr,
		 const struct unwind_frames *f)
{
	size_t i = 0;

	while (i < nr && i < f->nr && ips[i] == f->ips[i])
		i++;
	printf("# %u/%u %llu: %zu frames live, %zu from the copy (%s), the first %zu equal", s->pid,
	       s->tid, (unsigned long long)s->time, nr, f->nr, unwind_end_text(f->end), i);
	if (i < nr)
		printf("; live %llx", (unsigned long long)ips[i]);
	if (i < f->nr)
		printf("; copy %llx", (unsigned long long)f->ips[i]);
	printf("\n");
}

/* True if the file is missing whose code the last of n equal frames is in. */
static bool is_file_gone(const struct mapset *maps, const u64 *ips, size_t n)
{
	const struct map *m = n ? mapset_find(maps, ips[n - 1]) : NULL;
	const struct object *code, *debug;

	if (!m || dso_get_desc(m->dso)->kind != DSO_USER)
		return false;
	dso_find_files(m->dso, &code, &debug);
	return !code;
}

static void compare_sample(struct compare *c, const struct replay_event *ev,
			   const struct unwind_frames *f, const struct mapset *maps)
{
	u8 end = (ev->sample.misc & PD_MISC_STACK_END_MASK) >> PD_MISC_STACK_END_SHIFT;
	bool joined = ev->sample.misc & PD_MISC_STACK_JOINED, cut = ev->rec.size > 65000;
	u64 ips[MAX_FRAMES];
	size_t nr = user_part(&ev->sample, ips);
	size_t common = f->nr < nr ? f->nr : nr;
	bool equal = nr == f->nr || ((joined || cut) && nr > f->nr);

	equal = equal && !memcmp(ips, f->ips, common * sizeof(*ips));
	/* the recorder could not keep up */
	if (!equal && end == STACK_END(UNWIND_DEPTH) && nr >= FEW_FRAMES && nr < f->nr &&
	    !memcmp(ips, f->ips, nr * sizeof(*ips))) {
		c->few++;
		equal = true;
	} else if (!equal && joined && f->end != UNWIND_TRUNCATED && common >= REUSE_FRAMES &&
		   !memcmp(ips, f->ips, REUSE_FRAMES * sizeof(*ips))) {
		c->reused++;
		equal = true;
	}
	c->nr++;
	c->frames += nr;
	c->rooted += f->end == UNWIND_ROOT;
	c->joined += joined;
	c->cut += cut;
	if (equal)
		return;
	while (common && memcmp(ips, f->ips, common * sizeof(*ips)) != 0)
		common--;
	if (is_file_gone(maps, ips, common)) {
		c->gone++;
		return;
	}
	if (c->differ++ < c->shown)
		show(&ev->sample, ips, nr, f);
}

/* True if a thread's name is in a comma list. */
static bool is_named(const char *comm, const char *list)
{
	size_t n = strlen(comm);

	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (!strncmp(at, comm, n) && (at[n] == ',' || !at[n]))
			return true;
	return false;
}

static int compare_file(struct compare *c, const char *path)
{
	const struct session_config cfg = { .symbols = { .symfs = c->symfs } };
	struct perfdata *pd = NULL;
	struct machine_stacks *stacks;
	struct replay_event ev;
	struct perr e = { 0 };
	struct replay *r;
	struct session *s;
	int got;

	if (pd_open(path, NULL, &pd, &e)) {
		fprintf(stderr, "compare_chains: %s: %s\n", path, e.text);
		return -1;
	}
	s = session_new(pd, &cfg, NULL);
	r = replay_new(s, true);
	stacks = machine_stacks_new(s->machine, MAX_FRAMES);
	while ((got = replay_next(r, &ev, &e)) == 1) {
		const struct mapset *maps;
		const struct thread *thread;

		if (!ev.is_sample)
			continue;
		thread = machine_thread(s->machine, ev.sample.pid, ev.sample.tid);
		if (c->comms && !is_named(machine_comm(s->machine, thread), c->comms))
			continue;
		if (!machine_stacks_wants(ev.ev, &ev.sample)) {
			c->no_copy++;
			continue;
		}
		maps = thread->process->maps;
		compare_sample(c, &ev, machine_stacks_unwind(stacks, &ev.sample, maps), maps);
	}
	if (got < 0)
		fprintf(stderr, "compare_chains: %s: %s\n", path, e.text);
	machine_stacks_free(stacks);
	replay_free(r);
	session_free(s);
	pd_close(pd);
	return got;
}

int main(int argc, char **argv)
{
	struct compare c = { 0 };
	int i = 1, ret = 0;

	for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
		if (!strcmp(argv[i], "-v"))
			c.shown = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "-s"))
			c.symfs = argv[i + 1];
		else if (!strcmp(argv[i], "-c"))
			c.comms = argv[i + 1];
	}
	for (; i < argc; i++)
		if (compare_file(&c, argv[i]))
			ret = 1;
	printf("%llu stacks, %llu frames: %llu differ; %llu rooted by the copy, %llu joined, %llu "
	       "with a copy that was shortened, %llu through files that are gone; %llu of 16 "
	       "frames and %llu with the callers of another stack, for lack of time; %llu "
	       "samples without a copy\n",
	       c.nr, c.frames, c.differ, c.rooted, c.joined, c.cut, c.gone, c.few, c.reused,
	       c.no_copy);
	return ret || c.differ || !c.nr;
}
