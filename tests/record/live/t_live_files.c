/* SPDX-License-Identifier: MIT */
/* Files of processes that are gone: by others that have them mapped, by parents, and later on. */
#include "record/live/live_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/write/record_encode.h"
#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"

#define START 0x400000u
#define LEN 0x2000u
#define NAME "/inner/work"

/* A /proc, and the processes that records tell of. */
struct fixture {
	struct fake_tree proc;
	struct live_files files;
	struct code_opener opener;
	struct live_owners owners;
	struct live_notes notes;
	struct machine *machine;
	struct wbuf one;
	u64 ino;
};

/* This program's file stands in for the one that processes have mapped. */
static void put_file(struct fixture *x, const char *rest)
{
	char path[200];
	struct stat st;
	size_t n;
	u8 *p;
	FILE *f = fopen("/proc/self/exe", "re");

	CHECK(f != NULL);
	CHECK_EQ(fstat(fileno(f), &st), 0);
	n = (size_t)st.st_size;
	p = xmalloc(n);
	CHECK_EQ(fread(p, 1, n, f), n);
	fclose(f);
	fake_bytes(&x->proc, rest, p, n);
	free(p);
	snprintf(path, sizeof(path), "%s/%s", x->proc.root, rest);
	CHECK_EQ(stat(path, &st), 0);
	x->ino = st.st_ino;
}

static void begin(struct fixture *x)
{
	struct machine_config cfg = { .only_unwinds = true };

	*x = (struct fixture){ .proc = fake_tree_new() };
	x->opener = live_files_init(&x->files, x->proc.root);
	cfg.symbols.opener = &x->opener;
	x->machine = machine_new(&cfg);
	x->owners.machine = x->machine;
	x->owners.notes = &x->notes;
	x->files.owners = &x->owners;
}

static void end(struct fixture *x)
{
	machine_free(x->machine);
	live_files_fini(&x->files);
	live_notes_fini(&x->notes);
	wb_fini(&x->one);
	fake_tree_free(&x->proc);
}

static void apply(struct fixture *x)
{
	const struct pd_record r = { .type = get_u32(x->one.p, false),
				     .misc = get_u16(x->one.p + 4, false),
				     .size = (u32)x->one.n,
				     .data = x->one.p };

	live_owners_note(&x->owners, &r);
	machine_apply(x->machine, &r);
	x->one.n = 0;
}

static void start(struct fixture *x, u32 ppid, u32 pid)
{
	pd_put_fork(&x->one, &(struct pd_task){ pid, ppid, pid, ppid, 0 }, 0, 0);
	apply(x);
}

static void leave(struct fixture *x, u32 pid)
{
	pd_put_fork(&x->one, &(struct pd_task){ pid, pid, pid, pid, 0 }, 0, 0);
	wb_set_u32(&x->one, 0, PD_RECORD_EXIT);
	apply(x);
}

static void map(struct fixture *x, u32 pid)
{
	const struct pd_mmap m = { .is_mmap2 = true,
				   .pid = pid,
				   .tid = pid,
				   .start = START,
				   .len = LEN,
				   .ino = x->ino,
				   .prot = PROT_READ | PROT_EXEC,
				   .filename = span_of(NAME, strlen(NAME)) };

	pd_put_mmap(&x->one, &m, PD_CPUMODE_USER, 0);
}

/* A process that ran the file, had a sample, and is gone; its maps are the caller's. */
static struct mapset *sampled(struct fixture *x, u32 ppid, u32 pid)
{
	const struct thread *th;
	struct mapset *maps;
	struct live_process p;

	start(x, ppid, pid);
	map(x, pid);
	apply(x);
	th = machine_thread(x->machine, pid, pid);
	maps = mapset_get(machine_task(x->machine, th).user_maps);
	leave(x, pid);
	p = (struct live_process){ pid, maps };
	live_files_set(&x->files, 0, &p, 1);
	return maps;
}

/* True if the file is found within some time: a busy machine is slow. */
static bool is_found(struct fixture *x, const struct mapset *maps, int tries)
{
	struct object *o = NULL;
	bool no_elf = false;

	while (tries-- && !o) {
		o = x->opener.open(x->opener.ctx, maps->maps[0]->dso, &no_elf);
		CHECK(!no_elf);
		if (!o)
			usleep(5000);
	}
	object_close(o);
	return o != NULL;
}

TEST(the_root_directory_of_a_parent_has_the_file)
{
	struct mapset *maps;
	struct fixture x;

	begin(&x);
	put_file(&x, "50/root" NAME);
	start(&x, 1, 50);
	start(&x, 50, 60);
	maps = sampled(&x, 60, 100);
	CHECK(is_found(&x, maps, 2000));
	mapset_put(maps);
	end(&x);
}

TEST(the_next_process_has_the_file)
{
	char path[100];
	struct mapset *maps;
	struct fixture x;

	begin(&x);
	snprintf(path, sizeof(path), "101/map_files/%x-%x", START, START + LEN);
	put_file(&x, path);
	maps = sampled(&x, 1, 100);
	/* its record came with the sample, but is younger */
	map(&x, 101);
	live_notes_add(&x.notes, x.one.p, (u32)x.one.n, 7);
	x.one.n = 0;
	live_notes_sort(&x.notes);
	CHECK(is_found(&x, maps, 2000));
	mapset_put(maps);
	end(&x);
}

TEST(a_process_of_the_machine_has_the_file)
{
	char path[100];
	struct mapset *maps;
	struct fixture x;

	begin(&x);
	snprintf(path, sizeof(path), "99/map_files/%x-%x", START, START + LEN);
	put_file(&x, path);
	start(&x, 1, 99);
	map(&x, 99);
	apply(&x);
	maps = sampled(&x, 1, 100);
	CHECK(is_found(&x, maps, 2000));
	mapset_put(maps);
	end(&x);
}

/* However often that was, but it is not looked for each time. */
TEST(a_file_that_was_not_found_is_found_later)
{
	char from[100], to[100];
	struct mapset *maps;
	struct fixture x;

	begin(&x);
	put_file(&x, "elsewhere");
	start(&x, 1, 50);
	maps = sampled(&x, 50, 100);
	for (int i = 0; i < 60; i++)
		CHECK(!is_found(&x, maps, 1));
	CHECK(x.files.nr_missing > 0);
	CHECK(x.files.missing[0].wait_ns >= 10000000);
	CHECK(x.files.missing[0].wait_ns <= 2000000000);
	/* as after the hundredth time */
	x.files.missing[0].wait_ns = 2000000000;
	x.files.missing[0].next_ns = 0;
	fake_folder(&x.proc, "50/root/inner");
	snprintf(from, sizeof(from), "%s/elsewhere", x.proc.root);
	snprintf(to, sizeof(to), "%s/50/root" NAME, x.proc.root);
	CHECK_EQ(rename(from, to), 0);
	CHECK(is_found(&x, maps, 2000));
	CHECK_EQ(x.files.missing[0].wait_ns, 0);
	CHECK(live_files_has_news(&x.files));
	CHECK(!live_files_has_news(&x.files));
	mapset_put(maps);
	end(&x);
}

/* Its number is the next one's, which is looked for at once. */
TEST(a_file_that_was_not_found_is_forgotten)
{
	struct mapset *maps;
	struct fixture x;

	begin(&x);
	maps = sampled(&x, 50, 100);
	for (int i = 0; i < 60 && !x.files.nr_missing; i++)
		CHECK(!is_found(&x, maps, 1));
	CHECK(x.files.missing[0].wait_ns >= 10000000);
	x.opener.forget(x.opener.ctx, maps->maps[0]->dso);
	CHECK_EQ(x.files.missing[0].wait_ns, 0);
	CHECK(!live_files_has_news(&x.files));
	mapset_put(maps);
	end(&x);
}

/* Code of a language's own image is walked by frame pointers, as readers do it. */
TEST(a_file_that_is_no_elf_file_is_found)
{
	const struct object *code, *debug;
	struct mapset *maps;
	struct fixture x;
	struct stat st;
	char path[100];
	struct dso *d;

	begin(&x);
	fake_file(&x.proc, "50/root" NAME, "an image");
	snprintf(path, sizeof(path), "%s/50/root" NAME, x.proc.root);
	CHECK_EQ(stat(path, &st), 0);
	x.ino = st.st_ino;
	start(&x, 1, 50);
	maps = sampled(&x, 50, 100);
	d = maps->maps[0]->dso;
	for (int i = 0; i < 2000 && dso_get_status(d) != DSO_BROKEN; i++) {
		dso_find_files(d, &code, &debug);
		CHECK(!code);
		usleep(1000);
	}
	CHECK_EQ(dso_get_status(d), DSO_BROKEN);
	CHECK_EQ(x.files.nr_missing, 0);
	mapset_put(maps);
	end(&x);
}
