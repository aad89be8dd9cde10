/* SPDX-License-Identifier: MIT */
/*
 * Stacks against the C library's own backtrace(), at every instruction that a program goes through:
 * prologues, epilogues, PLT slots, the dynamic loader's resolver, alloca, realigned frames,
 * exceptions, signal handlers, vfork, threads and assembly (tests/tools/unwind_truth.cc).
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/elf/readfile.h"
#include "tests/frame/unit.h"
#include "unwind/unwind.h"

struct truth_map {
	u64 start, end, off;
	struct object *o;
	struct unwind_module *m;
};

struct truth {
	struct truth_map maps[64];
	size_t nr_maps;
	bool bare; /* call frame information is hidden */
};

static bool find(const struct unwind_space *space, u64 ip, struct unwind_place *ret)
{
	const struct truth *t = space->maps;

	for (size_t i = 0; i < t->nr_maps; i++) {
		const struct truth_map *m = &t->maps[i];
		u64 off = ip - m->start + m->off;

		if (ip < m->start || ip >= m->end)
			continue;
		if (!m->m)
			return false;
		*ret = (struct unwind_place){ .module = m->m, .start = m->start, .end = m->end };
		for (size_t j = 0; m->o && j < m->o->nr_loads; j++) {
			const struct obj_load *l = &m->o->loads[j];

			if ((l->flags & 1) && off >= l->off && off - l->off < l->filesz)
				ret->bias = ip - (off - l->off + l->vaddr);
		}
		return true;
	}
	return false;
}

static u64 word(struct span s, size_t *at)
{
	CHECK(*at + 8 <= s.n);
	*at += 8;
	return get_u64(s.p + *at - 8, false);
}

static const u8 *bytes(struct span s, size_t *at, u64 n)
{
	const u8 *p = s.p + *at;

	CHECK(n <= s.n - *at);
	*at += (n + 7) / 8 * 8;
	return p;
}

static void hide_tables(struct object *o)
{
	static const char *const names[] = { ".eh_frame", ".eh_frame_hdr", ".debug_frame" };

	o->eh_frame_hdr.size = 0;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		for (size_t k = 0; k < o->nr_sections; k++)
			if (!strcmp(o->sections[k].name, names[i]))
				o->sections[k].size = 0;
}

static void take_map(struct truth *t, struct span s, size_t *at)
{
	struct truth_map *m = &t->maps[t->nr_maps];
	struct perr e;
	char *path;
	u64 n;

	CHECK(t->nr_maps < ARRAY_SIZE(t->maps));
	m->start = word(s, at);
	m->end = word(s, at);
	m->off = word(s, at);
	n = word(s, at);
	path = xstrndup((const char *)bytes(s, at, n), n);
	if (!object_open(path, &m->o, &e)) {
		if (t->bare)
			hide_tables(m->o);
		m->m = unwind_module_new(m->o, NULL);
	}
	free(path);
	t->nr_maps++;
}

/* backtrace() gives return addresses as they are, we what they are looked up by. */
static bool same_prefix(const struct unwind_frames *f, const u64 *addrs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (f->ips[i] != addrs[i] && f->ips[i] + 1 != addrs[i])
			return false;
	return true;
}

#define WITH_SIGNALS 5 /* scenarios of unwind_truth.cc */
#define LIBRARY 9
#define ON_OTHER_STACK 6
#define THROWS 4

struct tally {
	size_t nr, equal, longer, cut, wrong;
	size_t bad_row;
	size_t guessed;      /* nothing tells backtrace() how to go on, and we got to the start */
	size_t frames, good; /* of bare objects */
};

static void tell(void *ctx, const char *line)
{
	(void)ctx;
	printf("#   %s\n", line);
}

static void say_wrong(u64 scenario, const struct unwind_job *job, const u64 *addrs, size_t n,
		      struct unwinder *u)
{
	struct unwind_frames again = { 0 };

	printf("# scenario %d, backtrace():", (int)scenario);
	for (size_t i = 0; i < n; i++)
		printf(" %llx", (unsigned long long)addrs[i]);
	printf("\n");
	unwind_explain(u, job, &again, tell, NULL);
	unwind_frames_fini(&again);
}

/* A stack of code that has no tables may end early, but not go astray. */
static bool is_astray(const struct unwind_frames *f, const u64 *addrs, size_t n, struct tally *c)
{
	size_t good = 0;

	while (good < n && good < f->nr &&
	       (f->ips[good] == addrs[good] || f->ips[good] + 1 == addrs[good]))
		good++;
	c->frames += n;
	c->good += good;
	return good < n && good < f->nr;
}

/* One stack; *at is at its scenario. */
static void take_stack(const struct truth *t, struct unwinder *u, struct span s, size_t *at,
		       struct tally *tallies)
{
	u64 scenario = word(s, at), sp = word(s, at), n = word(s, at), nr = word(s, at);
	u64 arch = word(s, at), nr_regs = word(s, at);
	struct unwind_job job = { .arch = (enum unwind_arch)arch,
				  .space = { 1, t },
				  .known = (1ull << (nr_regs - 1)) - 1 };
	struct unwind_frames f = { 0 };
	struct tally *c;
	u64 addrs[128];

	CHECK(scenario < 16 && nr <= ARRAY_SIZE(addrs) && arch < UNWIND_NR_ARCHS &&
	      nr_regs <= UNWIND_MAX_REGS);
	for (u64 i = 0; i + 1 < nr_regs; i++)
		job.regs[i] = word(s, at);
	job.pc = word(s, at);
	CHECK_EQ(job.regs[unwind_sp_reg(job.arch)], sp);
	for (u64 i = 0; i < nr; i++)
		addrs[i] = word(s, at);
	job.bytes = span_of(bytes(s, at, n), n);
	unwind_stack(u, &job, &f);
	c = &tallies[scenario];
	c->nr++;
	if (t->bare) {
		/* behind a call that throws, and so does not return, lies the next function */
		if (scenario != THROWS && is_astray(&f, addrs, nr, c) && c->wrong++ < 3)
			say_wrong(scenario, &job, addrs, nr, u);
	} else if (f.nr < nr && same_prefix(&f, addrs, f.nr) && f.end == UNWIND_TRUNCATED) {
		c->cut++;
	} else if (f.nr == nr && same_prefix(&f, addrs, nr)) {
		c->equal++;
	} else if (f.nr > nr && same_prefix(&f, addrs, nr)) {
		c->longer++;
	} else if (f.guessed && (f.end == UNWIND_ROOT ||
				 (f.end == UNWIND_TRUNCATED && scenario == ON_OTHER_STACK))) {
		c->guessed++;
	} else if (f.nr <= 2 && f.end == UNWIND_BAD_STACK && job.arch == UNWIND_I386 &&
		   scenario == LIBRARY) {
		/* glibc's i386 string functions: rows whose CFA lies below the stack pointer. */
		c->bad_row++;
	} else if (f.nr < nr && same_prefix(&f, addrs, f.nr) && f.end == UNWIND_NO_MAP &&
		   job.arch == UNWIND_AARCH64) {
		/* A signal's return to qemu lies in no file of the process. */
		c->cut++;
	} else {
		if (c->wrong++ < 3)
			say_wrong(scenario, &job, addrs, nr, u);
	}
	unwind_frames_fini(&f);
}

/* Removes the folder with what compiler and program left there. */
static void remove_dir(const char *dir)
{
	char *cmd = xasprintf("rm -rf %s", dir);

	CHECK_EQ(system(cmd), 0);
	free(cmd);
}

/*
 * Builds the program in dir and runs it, by the emulator where that is not empty; skips the case
 * where that is not possible. Returns what the program wrote, malloc'd.
 */
static void *run_truth(const char *dir, const char *cxx, const char *options, const char *emulator,
		       size_t *ret_n)
{
	void *data = NULL;
	struct perr e;
	char *cmd;
	int err;

	cmd = xasprintf("cd %s && { %s -std=c++17 -g -Wl,-z,lazy %s -o truth "
			"\"$OLDPWD\"/tests/tools/unwind_truth.cc -lpthread 2>log || exit 5; } && "
			"%s ./truth out",
			dir, cxx, options, emulator);
	err = system(cmd);
	free(cmd);
	if (WIFEXITED(err) && (WEXITSTATUS(err) == 5 || (WEXITSTATUS(err) == 4 && *emulator))) {
		remove_dir(dir);
		if (WEXITSTATUS(err) == 4)
			SKIP("a signal of the timer came where qemu does not survive it");
		SKIP("%s %s cannot build the program", cxx, options);
	}
	CHECK_EQ(err, 0);
	cmd = xasprintf("%s/out", dir);
	err = read_file(cmd, 1u << 28, &data, ret_n, &e);
	free(cmd);
	CHECK_EQ(err, 0);
	return data;
}

/* Maps come last in the file: they are read first, then the stacks. */
static void take_all(struct truth *t, struct unwinder *u, struct span s, struct tally *tallies)
{
	u64 n;

	for (int turn = 0; turn < 2; turn++) {
		for (size_t at = 0; at < s.n;) {
			if (word(s, &at) == 1) {
				size_t here = at;

				if (!turn)
					take_map(t, s, &at);
				at = here + 24;
				n = word(s, &at);
				bytes(s, &at, n);
			} else if (turn) {
				take_stack(t, u, s, &at, tallies);
			} else {
				u64 nr;

				at += 16;
				n = word(s, &at);
				nr = word(s, &at);
				at += 8;
				nr += word(s, &at);
				CHECK(nr < 1024);
				at += nr * 8;
				bytes(s, &at, n);
			}
		}
	}
}

/* Prints the tally of each scenario, checks its limits, and adds all up. */
static struct tally sum_of(const struct tally *tallies, size_t nr, bool emulated)
{
	struct tally sum = { 0 };

	for (size_t i = 0; i < nr; i++) {
		const struct tally *c = &tallies[i];

		if (!c->nr)
			continue;
		printf("# scenario %zu: %zu stacks, %zu equal, %zu longer, %zu cut, "
		       "%zu guessed, %zu other\n",
		       i, c->nr, c->equal, c->longer, c->cut, c->guessed, c->wrong);
		sum.wrong += c->wrong;
		sum.nr += c->nr;
		sum.frames += c->frames;
		sum.good += c->good;
		/* Only what a handler on a stack of its own interrupted lies outside the copy. */
		CHECK(!c->cut || i == ON_OTHER_STACK || (i == WITH_SIGNALS && emulated));
		CHECK(c->bad_row <= c->nr / 10 && c->guessed <= c->nr / 50);
	}
	return sum;
}

/* The stacks of a run, with call frame information or without. */
static void compare_data(struct span data, bool emulated, bool bare)
{
	struct unwinder_config cfg = { .find = find };
	struct truth *t = xcalloc(1, sizeof(*t));
	struct tally tallies[16] = { 0 }, sum;
	struct unwinder *u = unwinder_new(&cfg);

	t->bare = bare;
	take_all(t, u, data, tallies);
	sum = sum_of(tallies, ARRAY_SIZE(tallies), emulated);
	unwinder_free(u);
	for (size_t i = 0; i < t->nr_maps; i++) {
		unwind_module_free(t->maps[i].m);
		object_close(t->maps[i].o);
	}
	free(t);
	CHECK(sum.nr > 20);
	if (!bare) {
		CHECK_EQ(sum.wrong, 0);
		return;
	}
	printf("# %zu of %zu frames, %zu of %zu stacks go astray\n", sum.good, sum.frames,
	       sum.wrong, sum.nr);
	CHECK(sum.wrong <= sum.nr / 1000);
	CHECK(sum.good * 100 >= sum.frames * 45);
}

/* The run takes longer than comparing, so that one serves both ways. */
static void compare_both(const char *cxx, const char *options, bool bare_too)
{
	char dir[] = "/tmp/t_unwind_truthXXXXXX";
	const char *emulator =
		strstr(cxx, "aarch64") ? "qemu-aarch64 -L /usr/aarch64-linux-gnu" : "";
	void *data;
	size_t n = 0;

#ifndef __x86_64__
	SKIP("knows x86_64 only");
#endif
	CHECK(mkdtemp(dir));
	data = run_truth(dir, cxx, options, emulator, &n);
	compare_data(span_of(data, n), *emulator, false);
	if (bare_too)
		compare_data(span_of(data, n), *emulator, true);
	remove_dir(dir);
	free(data);
}

static void compare(const char *cxx, const char *options)
{
	compare_both(cxx, options, false);
}

TEST(optimised_with_and_without_tables)
{
	compare_both("g++", "-mno-red-zone -O2", true);
}

TEST(with_frame_pointers_and_ibt)
{
	compare("g++", "-mno-red-zone -O1 -fno-omit-frame-pointer -fcf-protection=full");
}

TEST(realigned_and_static)
{
	compare("g++", "-mno-red-zone -O2 -mstackrealign -static");
}

TEST(addresses_that_are_no_offsets)
{
	compare("g++", "-mno-red-zone -O2 -fuse-ld=lld");
}

TEST(i386)
{
	compare("g++", "-m32 -O2");
}

TEST(i386_position_independent)
{
	compare("g++", "-m32 -O1 -fPIE -pie -fno-plt");
}

TEST(aarch64)
{
	/* A timer's signals come anywhere, also where qemu does not survive them. */
	if (!getenv("UNWIND_QEMU"))
		SKIP("UNWIND_QEMU=1 runs this under qemu-aarch64");
	if (system("qemu-aarch64 --version >/dev/null 2>&1"))
		SKIP("no qemu-aarch64");
	compare("aarch64-linux-gnu-g++", "-O2 -mbranch-protection=standard");
}
