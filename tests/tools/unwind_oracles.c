/* SPDX-License-Identifier: MIT */
/*
 * unwind_oracles [-v N] [-s SYMFS] FILE...: every stack copy of recordings, unwound by our tables,
 * by libdw's rows and by libunwind. Prints how many stacks are equal and in which ways others
 * differ; with -v the first N of each way with their times, for `pscript --debug-unwind`. Status 1
 * where a stack differs in a way that is not one of the listed defects of libdw and libunwind.
 *
 * What is expected to differ, and is no fault of ours:
 *
 *  longer	ours goes on where the oracle ended without reaching the start: libunwind has no
 *		.debug_frame and takes registers from slots that an epilogue has popped, libdw drops
 *		rows after its first doubt.
 *  guess	one of the two found a frame without call frame information, each by its own rules.
 *  lost	libdw: a register that the row loses looks kept (0.188), or the other way round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/replay.h"
#include "machine/machine_stacks.h"
#include "unwind/oracle_libunwind.h"

enum way { EQUAL, EQUAL_OTHER_END, OURS_LONGER, ORACLE_LONGER, GUESSED, DIFFERENT, NR_WAYS };

static const char *const way_names[NR_WAYS] = {
	"equal",
	"equal, another end",
	"ours goes on",
	"the oracle goes on",
	"different by a guess",
	"different",
};

struct oracle {
	enum unwinder_kind kind;
	const char *name;
	struct machine_modules *modules;
	struct machine_stacks *user;
	u64 counts[NR_WAYS];
	u64 roots;
};

struct compare {
	struct oracle oracles[2];
	size_t nr_oracles;
	const char *symfs;
	u64 nr, frames, roots, guessed, shown;
};

/* How many frames are the same; behind a guess the stack pointer is one as well. */
static size_t equal_frames(const struct unwind_frames *a, const struct unwind_frames *b)
{
	size_t n = a->nr < b->nr ? a->nr : b->nr, i = 0;
	bool sps = !a->guessed && !b->guessed;

	while (i < n && a->ips[i] == b->ips[i] && (!sps || a->sps[i] == b->sps[i]))
		i++;
	return i;
}

static enum way compare_stacks(const struct unwind_frames *a, const struct unwind_frames *b)
{
	size_t n = a->nr < b->nr ? a->nr : b->nr, i = equal_frames(a, b);

	if (i < n)
		return a->guessed || b->guessed ? GUESSED : DIFFERENT;
	if (a->nr == b->nr)
		return a->end == b->end ? EQUAL : EQUAL_OTHER_END;
	if (a->guessed || b->guessed)
		return GUESSED;
	return a->nr > b->nr ? OURS_LONGER : ORACLE_LONGER;
}

static void show(const struct oracle *o, enum way way, const struct pd_sample *s,
		 const struct unwind_frames *a, const struct unwind_frames *b)
{
	size_t n = a->nr < b->nr ? a->nr : b->nr, i = equal_frames(a, b);

	printf("# %s, %s: %u/%u %llu.%09llu: %zu and %zu frames, the first %zu equal\n", o->name,
	       way_names[way], s->pid, s->tid, (unsigned long long)(s->time / 1000000000),
	       (unsigned long long)(s->time % 1000000000), a->nr, b->nr, i);
	printf("#   ours %s%s; theirs %s\n", unwind_end_text(a->end),
	       a->guessed ? ", with guesses" : "", unwind_end_text(b->end));
	if (i < n)
		printf("#   ours ip 0x%llx sp 0x%llx; theirs ip 0x%llx sp 0x%llx\n",
		       (unsigned long long)a->ips[i], (unsigned long long)a->sps[i],
		       (unsigned long long)b->ips[i], (unsigned long long)b->sps[i]);
}

static int compare_file(struct compare *c, const char *path)
{
	const struct session_config cfg = { .symbols = { .symfs = c->symfs } };
	struct perfdata *pd = NULL;
	struct machine_stacks *ours;
	struct replay_event ev;
	struct perr e = { 0 };
	struct replay *r;
	struct session *s;
	int got;

	if (pd_open(path, NULL, &pd, &e)) {
		fprintf(stderr, "unwind_oracles: %s: %s\n", path, e.text);
		return -1;
	}
	s = session_new(pd, &cfg, NULL);
	r = replay_new(s, true);
	ours = machine_stacks_new(s->machine, 1024);
	for (size_t i = 0; i < c->nr_oracles; i++) {
		c->oracles[i].modules = machine_modules_new(c->oracles[i].kind, false);
		c->oracles[i].user =
			machine_stacks_new_of(c->oracles[i].modules, s->machine->arch, 1024);
	}
	while ((got = replay_next(r, &ev, &e)) == 1) {
		const struct unwind_frames *a, *b;
		const struct mapset *maps;

		if (!ev.is_sample || !machine_stacks_wants(ev.ev, &ev.sample))
			continue;
		maps = machine_thread(s->machine, ev.sample.pid, ev.sample.tid)->process->maps;
		a = machine_stacks_unwind(ours, &ev.sample, maps);
		c->nr++;
		c->frames += a->nr;
		c->roots += a->end == UNWIND_ROOT;
		c->guessed += a->guessed != 0;
		for (size_t i = 0; i < c->nr_oracles; i++) {
			struct oracle *o = &c->oracles[i];
			enum way way;

			b = machine_stacks_unwind(o->user, &ev.sample, maps);
			o->roots += b->end == UNWIND_ROOT;
			way = compare_stacks(a, b);
			if (way != EQUAL && o->counts[way] < c->shown)
				show(o, way, &ev.sample, a, b);
			o->counts[way]++;
		}
	}
	if (got < 0)
		fprintf(stderr, "unwind_oracles: %s: %s\n", path, e.text);
	machine_stacks_free(ours);
	for (size_t i = 0; i < c->nr_oracles; i++) {
		machine_stacks_free(c->oracles[i].user);
		machine_modules_free(c->oracles[i].modules);
	}
	replay_free(r);
	session_free(s);
	pd_close(pd);
	return got;
}

int main(int argc, char **argv)
{
	struct compare c = { .oracles = { { .kind = UNWINDER_LIBDW, .name = "libdw" },
					  { .kind = UNWINDER_LIBUNWIND, .name = "libunwind" } },
			     .nr_oracles = 1 + oracle_libunwind_is_available() };
	int i = 1, ret = 0;

	for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
		if (!strcmp(argv[i], "-v"))
			c.shown = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "-s"))
			c.symfs = argv[i + 1];
	}
	for (; i < argc; i++)
		if (compare_file(&c, argv[i]))
			ret = 2;
	printf("%llu stacks, %llu frames, %llu reach the start, %llu with guesses\n",
	       (unsigned long long)c.nr, (unsigned long long)c.frames, (unsigned long long)c.roots,
	       (unsigned long long)c.guessed);
	for (size_t k = 0; k < c.nr_oracles; k++) {
		const struct oracle *o = &c.oracles[k];

		printf("%s: %llu reach the start", o->name, (unsigned long long)o->roots);
		for (size_t w = 0; w < NR_WAYS; w++)
			if (o->counts[w])
				printf("; %s %llu", way_names[w], (unsigned long long)o->counts[w]);
		printf("\n");
		if (o->counts[DIFFERENT] || o->counts[ORACLE_LONGER])
			ret = ret ? ret : 1;
	}
	return ret;
}
