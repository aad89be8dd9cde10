/* SPDX-License-Identifier: MIT */
/*
 * Prints what unwind/ makes of each sample of a recording, one line a sample, to be compared with
 * what stock perf prints: PID TIME | user ips, leaf first | END GUESSED.
 *
 *	unwind_recording [-s SYMFS] [-x TIME] [-4] FILE
 *
 * -x explains the samples of that time (nanoseconds); -4 goes through unwind_four; -b N repeats the
 * unwinding from memory N times and says how long it took.
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/feature/feature.h"
#include "fileformat/perfdata.h"
#include "session/replay.h"
#include "machine/machine_regs.h"
#include "unwind/unwind.h"

struct known_module {
	const struct dso *dso;
	struct object *o;
	struct unwind_module *m;
};

static struct known_module *modules;
static size_t nr_modules, cap_modules;
static const char *symfs = "";

static struct object *open_file(const char *name)
{
	struct object *o = NULL;
	struct perr e;
	char *path;
	uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);

	if (!strcmp(name, "[vdso]"))
		return object_open_mem(name, (void *)vdso, 8192, &o, &e) ? NULL : o;
	path = xasprintf("%s%s", symfs, name);
	if (object_open(path, &o, &e)) {
		const char *base = strrchr(name, '/');

		free(path);
		path = xasprintf("%s%s", symfs, base ? base : name);
		if (!*symfs || object_open(path, &o, &e))
			o = NULL;
	}
	free(path);
	return o;
}

static const struct known_module *module_of(const struct dso *d)
{
	struct known_module k = { .dso = d };

	for (size_t i = 0; i < nr_modules; i++)
		if (modules[i].dso == d)
			return &modules[i];
	k.o = open_file(dso_get_desc(d)->name);
	if (k.o)
		k.m = unwind_module_new(k.o, k.o);
	vec_push(modules, nr_modules, cap_modules, k);
	return &modules[nr_modules - 1];
}

static bool find(const struct unwind_space *space, u64 ip, struct unwind_place *ret)
{
	const struct map *m = mapset_find(space->maps, ip);
	const struct known_module *k;
	u64 off;

	if (!m || (m->prot && !(m->prot & 4)))
		return false;
	*ret = (struct unwind_place){ .start = m->start, .end = m->end };
	k = module_of(m->dso);
	ret->module = k->m;
	ret->may_have_frames = m->identity || !k->m;
	if (!k->m)
		return true;
	off = map_ip_to_addr(m, ip);
	if (!strcmp(dso_get_desc(m->dso)->name, "[vdso]")) {
		ret->bias = m->start - k->o->loads[0].vaddr;
		return true;
	}
	for (size_t i = 0; i < k->o->nr_loads; i++) {
		const struct obj_load *l = &k->o->loads[i];

		if (off >= l->off && off - l->off < l->filesz && (l->flags & 1)) {
			ret->bias = ip - (off - l->off + l->vaddr);
			return true;
		}
	}
	return false;
}

static void tell(void *ctx, const char *line)
{
	(void)ctx;
	printf("  %s\n", line);
}

struct kept {
	struct unwind_job job;
	u64 time;
	u32 pid;
};

static struct kept *kept;
static size_t nr_kept, cap_kept;

static void print(const struct kept *k, const struct unwind_frames *f)
{
	printf("%u %" PRIu64 " |", k->pid, k->time);
	for (size_t i = 0; i < f->nr; i++)
		printf(" %" PRIx64, f->ips[i]);
	printf(" | %d %zu\n", (int)f->end, f->guessed);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Keeps the jobs of all samples; explains the one at time `explain`, unless that is 0. */
static void keep_samples(struct session *s, const char *machine, struct unwinder *u, u64 explain)
{
	struct machine_regs_layout layout = { 0 };
	struct replay *r = replay_new(s, true);
	struct unwind_frames f = { 0 };
	struct replay_event ev;
	struct perr e;
	int err;

	while ((err = replay_next(r, &ev, &e)) > 0) {
		struct thread *th;
		struct kept k = { 0 };

		if (!ev.is_sample)
			continue;
		th = machine_thread(s->machine, ev.sample.pid, ev.sample.tid);
		if (!machine_regs_to_job(&ev.sample, machine, &layout, &k.job))
			continue;
		k.job.space.maps = mapset_get(th->process->maps);
		k.job.space.id = th->process->maps->code_id;
		k.time = ev.sample.time;
		k.pid = ev.sample.pid;
		if (explain && explain == k.time)
			unwind_explain(u, &k.job, &f, tell, NULL);
		if (ev.rec.block) {
			void *copy = xmalloc(k.job.bytes.n + 1);

			memcpy(copy, k.job.bytes.p, k.job.bytes.n);
			k.job.bytes.p = copy;
		}
		vec_push(kept, nr_kept, cap_kept, k);
	}
	if (err < 0)
		fprintf(stderr, "%s\n", e.text);
	unwind_frames_fini(&f);
}

/* Unwinds all samples, one or four at a time, and prints the frames if told to; how many there are.
 */
static u64 unwind_kept(struct unwinder *u, bool four, bool print_them)
{
	struct unwind_frames f[4] = { 0 };
	u64 frames = 0;

	for (size_t i = 0; i < nr_kept;) {
		const struct unwind_job *jobs[4];
		struct unwind_frames *rets[4] = { &f[0], &f[1], &f[2], &f[3] };
		size_t n = 1;

		if (four) {
			n = nr_kept - i < 4 ? nr_kept - i : 4;
			for (size_t j = 0; j < n; j++)
				jobs[j] = &kept[i + j].job;
			unwind_four(u, jobs, rets, n);
		} else {
			unwind_stack(u, &kept[i].job, &f[0]);
		}
		for (size_t j = 0; j < n; j++) {
			frames += f[j].nr;
			if (print_them)
				print(&kept[i + j], &f[j]);
		}
		i += n;
	}
	for (int i = 0; i < 4; i++)
		unwind_frames_fini(&f[i]);
	return frames;
}

int main(int argc, char **argv)
{
	struct session_config sc = { 0 };
	struct unwinder_config cfg = { .find = find };
	struct unwinder *u;
	struct perfdata *pd;
	struct session *s;
	struct perr e;
	const char *machine = "x86_64";
	u64 explain = 0;
	bool four = false;
	int c, turns = 0;

	while ((c = getopt(argc, argv, "s:x:4b:m:")) != -1) {
		switch (c) {
		case 's': symfs = optarg; break;
		case 'x': explain = strtoull(optarg, NULL, 0); break;
		case 'b': turns = (int)strtol(optarg, NULL, 0); break;
		case 'm': machine = optarg; break;
		case '4': four = true; break;
		default: return 2;
		}
	}
	if (optind >= argc || pd_open(argv[optind], NULL, &pd, &e)) {
		fprintf(stderr, "cannot open: %s\n", optind < argc ? e.text : "no file");
		return 1;
	}
	s = session_new(pd, &sc, NULL);
	u = unwinder_new(&cfg);
	keep_samples(s, machine, u, explain);
	for (int t = 0; !explain && t <= turns; t++) {
		double from = now();
		u64 frames = unwind_kept(u, four, !turns);

		if (turns)
			printf("%zu samples %.1f frames: %.0f samples/s %.1f ns/frame\n", nr_kept,
			       (double)frames / (double)nr_kept, (double)nr_kept / (now() - from),
			       (now() - from) * 1e9 / (double)frames);
	}
	return 0;
}
