/* SPDX-License-Identifier: MIT */
#include "tests/fileformat/mutant_seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/frame/build_file.h"
#include "tests/frame/mutate.h"
#include "tests/frame/use_all.h"

#define MAX_FILE_SIZE (4 << 20)
#define MAX_TAIL_SIZE (128 << 10)

/* --- seeds ------------------------------------------------------------------------------------ */

static void add_seed(struct seeds *s, const char *name, const void *p, size_t n)
{
	struct seed x = { .name = xstrdup(name), .p = xmalloc(n), .n = n };
	struct perfdata *pd;
	struct pd_record r;
	struct perr e;

	memcpy(x.p, p, n);
	if (!pd_open_mem(span_of(x.p, n), name, NULL, &pd, &e)) {
		x.head = pd->data_off < n ? (size_t)pd->data_off : n;
		while (pd_next(pd, &r, &e) == 1)
			if (!r.compressed)
				vec_push(x.recs, x.nr_recs, x.cap_recs, (u32)r.off);
		pd_close(pd);
	}
	vec_push(s->items, s->nr, s->cap, x);
}

static void move_u64(u8 *p, bool swap, u64 by)
{
	u64 v = get_u64(p, swap) - by;

	if (swap)
		v = __builtin_bswap64(v);
	memcpy(p, &v, sizeof(v));
}

/* Takes records out of the middle, so that the feature sections behind them stay; new size. */
static size_t cut_regular(struct perfdata *pd, u8 *p, size_t n, size_t limit)
{
	u64 end = pd->data_off + pd->data_size, keep = 0, by, i, nr = 0;
	size_t tail;
	struct pd_record r;
	struct perr e;

	while (pd_next(pd, &r, &e) == 1 && r.off - pd->data_off <= limit)
		keep = r.off - pd->data_off;
	if (pd->data_off + keep >= end || end > n || pd->data_size <= keep)
		return n;
	by = pd->data_size - keep;
	for (i = 0; i < 256; i++)
		nr += pd->features[i / 64] >> (i % 64) & 1;
	for (i = 0; i < nr && end + 16 * i + 16 <= n; i++)
		if (get_u64(p + end + 16 * i, pd->swap) >= end)
			move_u64(p + end + 16 * i, pd->swap, by);
	move_u64(p + 48, pd->swap, by);
	tail = n - end < MAX_TAIL_SIZE ? n - end : MAX_TAIL_SIZE;
	memmove(p + end - by, p + end, tail);
	return end - by + tail;
}

static size_t cut_records(u8 *p, size_t n)
{
	size_t limit = mutant_env_number("MUTANTS_BYTES", 16 << 10), head = 2 * limit;
	struct perfdata *pd;
	struct perr e;

	if (n <= limit || pd_open_mem(span_of(p, n), "seed", NULL, &pd, &e))
		return n < head ? n : head;
	if (pd->kind == PD_PIPE)
		n = n < head ? n : head;
	else
		n = cut_regular(pd, p, n, limit);
	pd_close(pd);
	return n;
}

static void add_file(struct seeds *s, const char *path)
{
	FILE *f = fopen(path, "re");
	u8 *buf;
	size_t n;

	if (!f)
		return;
	buf = xmalloc(MAX_FILE_SIZE);
	n = fread(buf, 1, MAX_FILE_SIZE, f);
	fclose(f);
	n = cut_records(buf, n);
	if (n)
		add_seed(s, path, buf, n);
	free(buf);
}

int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_testdata(struct seeds *s)
{
	struct dirent **names = NULL;
	int nr = scandir("testdata", &names, NULL, by_name), i;

	for (i = 0; i < nr; i++) {
		char *path = xasprintf("testdata/%s/perf.data", names[i]->d_name);
		struct stat st;

		if (names[i]->d_name[0] != '.' && !stat(path, &st) && S_ISREG(st.st_mode))
			add_file(s, path);
		free(path);
		free(names[i]);
	}
	free(names);
}

/* The regular files of a folder. */
static void add_folder(struct seeds *s, const char *dir)
{
	struct dirent **names = NULL;
	int nr = scandir(dir, &names, NULL, by_name), i;

	for (i = 0; i < nr; i++) {
		char *path = xasprintf("%s/%s", dir, names[i]->d_name);
		struct stat st;

		if (!stat(path, &st) && S_ISREG(st.st_mode))
			add_file(s, path);
		free(path);
		free(names[i]);
	}
	free(names);
}

static void add_public(struct seeds *s)
{
	if (getenv("MUTANTS_DIR")) {
		add_folder(s, getenv("MUTANTS_DIR"));
		return;
	}
	add_folder(s, "../shared/data/perfdata");
	add_folder(s, "../shared/data/derived");
	add_folder(s, "../shared/data/fuzz");
}

static const u64 seed_ids[] = { 101, 102 };

static const u64 words[16] = { PD_CONTEXT_KERNEL,
			       0xffffffff81000010,
			       PD_CONTEXT_USER,
			       0x401000,
			       5,
			       6,
			       7,
			       8,
			       9,
			       10,
			       11,
			       12,
			       13,
			       14,
			       15,
			       16 };

/* A value for every field of a sample. */
static struct sample_parts full_parts(void)
{
	return (struct sample_parts){
		.id = 101,
		.pid = 7,
		.tid = 8,
		.ip = 0x401000,
		.time = 1000,
		.period = 3,
		.misc = PD_CPUMODE_USER,
		.read = words + 4,
		.nr_read = 2,
		.ips = words,
		.nr_ips = 4,
		.raw = "raw bytes 12",
		.raw_size = 12,
		.branches = words + 4,
		.nr_branches = 2,
		.branch_counters = words + 10,
		.user_abi = 2,
		.intr_abi = 2,
		.user_regs = words + 4,
		.intr_regs = words + 5,
		.stack = words,
		.stack_size = sizeof(words),
		.stack_dyn_size = 64,
		.aux = words,
		.aux_size = 16,
	};
}

/* A sample, one side-band record of each kind, and the mark that ends a round. */
static void put_one_round(struct bytes *b, const struct pd_attr *a, const struct sample_parts *p,
			  u32 nr)
{
	put_comm(b, 7, 8, "prog", a, p);
	put_mmap2(b, 7, 0x400000, 0x2000, 0, "/bin/prog", a, p);
	put_mmap(b, 7, 0x7f0000000000 + nr * 0x1000, 0x3000, 0, "//anon", a, p);
	put_sample(b, a, p);
	put_task(b, PD_RECORD_FORK, 9, 7, 9, 8, p->time, a, p);
	put_task(b, PD_RECORD_EXIT, 9, 7, 9, 8, p->time, a, p);
	record_begin(b, PD_RECORD_KSYMBOL, 0);
	put_u64(b, 0xffffffffc0000000);
	put_u64(b, 0x10000010);
	put_text(b, "bpf_prog_a", 8);
	put_trailer(b, a, p);
	record_end(b);
	record_begin(b, PD_RECORD_CGROUP, 0);
	put_u64(b, nr);
	put_text(b, "/slice", 8);
	put_trailer(b, a, p);
	record_end(b);
	record_begin(b, PD_RECORD_CALLCHAIN_DEFERRED, PD_CPUMODE_USER);
	put_u64(b, 5);
	put_u64(b, 2);
	put_u64(b, 0x401000);
	put_u64(b, 0x401100);
	put_trailer(b, a, p);
	record_end(b);
	put_round(b);
}

/* A small file with every sample field and every kind of side-band record. */
static void add_built(struct seeds *s, const char *name, enum build_kind kind, bool big)
{
	struct bytes b = bytes_new(big);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	struct sample_parts p = full_parts();
	u32 i;

	a.size = 144;
	a.sample_type = (((u64)PD_SAMPLE_WEIGHT_STRUCT << 1) - 1) & ~PD_SAMPLE_WEIGHT;
	a.branch_sample_type = PD_BRANCH_HW_INDEX | PD_BRANCH_COUNTERS;
	a.sample_regs_user = 0xff;
	a.sample_regs_intr = 0x1f;
	file_begin(&f, kind);
	file_add_event(&f, &a, seed_ids, 2);
	if (kind == BUILD_PIPE)
		file_event_desc(&f, (const char *const[]){ "cycles" });
	file_begin_data(&f);
	for (i = 0; i < 6; i++) {
		p.time += 10;
		p.id = seed_ids[i & 1];
		put_one_round(&b, &a, &p, i);
	}
	if (kind == BUILD_REGULAR) {
		put_string(file_feature(&f, 3), "host");
		file_event_desc(&f, (const char *const[]){ "cycles" });
	}
	file_end(&f);
	add_seed(s, name, b.p, b.n);
	bytes_free(&b);
}

void mutant_seeds_collect(struct seeds *s)
{
	add_built(s, "built:regular", BUILD_REGULAR, false);
	add_built(s, "built:pipe", BUILD_PIPE, false);
	add_built(s, "built:regular-big-endian", BUILD_REGULAR, true);
	add_built(s, "built:pipe-big-endian", BUILD_PIPE, true);
	add_testdata(s);
	add_public(s);
}

void mutant_seeds_free(struct seeds *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++) {
		free(s->items[i].name);
		free(s->items[i].p);
		free(s->items[i].recs);
	}
	free(s->items);
}

/* --- files of the recorded programs ----------------------------------------------------------- */

static void link_file(const char *symfs, const char *name, const char *file)
{
	char *path = xasprintf("%s%s", symfs, name), *target = realpath(file, NULL);
	char *slash = path + strlen(symfs);

	while (target && (slash = strchr(slash + 1, '/'))) {
		*slash = 0;
		(void)mkdir(path, 0700);
		*slash = '/';
	}
	if (target)
		(void)!symlink(target, path);
	free(target);
	free(path);
}

#define WORKLOADS "testdata/symfs/tmp/w"
#define VECTOR_STATIC                                                                     \
	"/home/milian/projects/kdab/rnd/hotspot/3rdparty/perfparser/tests/auto/perfdata/" \
	"vector_static_gcc/vector_static_gcc_v9.1.0"

char *mutant_symfs_new(void)
{
	char *symfs = xstrdup("/tmp/t_mutants.XXXXXX"), *name, *file;
	struct dirent **names = NULL;
	int nr, i;

	CHECK(mkdtemp(symfs));
	nr = scandir(WORKLOADS, &names, NULL, by_name);
	for (i = 0; i < nr; i++) {
		name = xasprintf("/tmp/w/%s", names[i]->d_name);
		file = xasprintf(WORKLOADS "/%s", names[i]->d_name);
		if (names[i]->d_name[0] != '.')
			link_file(symfs, name, file);
		free(file);
		free(name);
		free(names[i]);
	}
	free(names);
	link_file(symfs, "/tmp/w/jit-32312.dump", "testdata/jitdump/jit-32312.dump");
	link_file(symfs, VECTOR_STATIC, "../shared/data/elf/vector_static_gcc_v9.1.0");
	return symfs;
}

void mutant_symfs_remove(const char *symfs)
{
	char *cmd = xasprintf("rm -rf '%s'", symfs);

	CHECK_EQ(system(cmd), 0);
	free(cmd);
}

/* --- mutation --------------------------------------------------------------------------------- */

/* Where to damage: anywhere, in the header and attrs, or in the first bytes of some record. */
static size_t pick_place(const struct seed *s, struct dice *d, size_t n)
{
	size_t at;

	switch (roll(d, 4)) {
	case 0: at = roll(d, s->head ? s->head : n); break;
	case 1:
	case 2:
		if (!s->nr_recs)
			return roll(d, n);
		at = s->recs[roll(d, s->nr_recs)] + roll(d, 80);
		break;
	default: at = roll(d, n);
	}
	return at < n ? at : n - 1;
}

u8 *mutant_make(const struct seed *s, u64 k, size_t *ret_n)
{
	struct dice d = dice_of(s->name, k);
	size_t n = s->n, i, changes = 1 + roll(&d, 4);
	u8 *p = xmalloc(n);

	memcpy(p, s->p, n);
	for (i = 0; i < changes && n > 1; i++)
		n = mutate_once(p, n, pick_place(s, &d, n), &d);
	*ret_n = n;
	return xrealloc(p, n);
}
