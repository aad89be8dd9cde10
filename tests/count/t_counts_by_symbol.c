/* SPDX-License-Identifier: MIT */
/*
 * Counting functions (counts_config.by_symbol) and addresses of files (by_file_address) against
 * counting run-time addresses and naming them afterwards: the sums under each sequence of names are
 * the same, and the same for any number of threads.
 */
#include <glob.h>
#include <stdio.h>

#include "base/mem.h"
#include "count/counts.h"
#include "machine/chain_repeat.h"
#include "session/frames.h"
#include "count/stack_iter.h"
#include "tests/frame/built_recording.h"
#include "tests/frame/unit.h"

#define COLUMNS (1u << COUNT_COMM | 1u << COUNT_TID | 1u << COUNT_IP | 1u << COUNT_STACK)

/* Sums under each key: event, comm, thread and the names of the frames. */
struct sums {
	struct idmap by_key;
	u64 *samples, *periods;
	size_t nr, cap_samples, cap_periods;
	u64 hash; /* of all rows, stacks and frames, in their order */
	size_t nr_stacks, nr_frames;
};

static u64 text_hash(const char *s)
{
	return hash_bytes(s, strlen(s));
}

static u64 name_hash(const struct counts *c, u32 id)
{
	const struct frame *f = counts_frame(c, id);

	if (f->has_sym)
		return hash_pair(text_hash(f->sym->name), text_hash(f->map->dso_name));
	return f->map ? text_hash(f->map->dso_name) : 1;
}

/* Of a sample without a stack: of its own frame. */
static u64 stack_hash(const struct counts *c, u64 stack, u32 own)
{
	struct stack_iter it;
	bool is_empty = true;
	u64 h = 0;
	u32 id;

	stack_iter_init(&it, c, stack);
	for (; stack_iter_next(&it, &id); is_empty = false)
		h = hash_pair(h, name_hash(c, id));
	return is_empty ? hash_pair(0, name_hash(c, own)) : h;
}

static void add_row(struct sums *s, const struct counts *c, const struct count_row *r)
{
	u32 own = (u32)count_value(r, COUNT_IP), i;
	u64 key = hash_pair(r->event,
			    hash_pair(count_value(r, COUNT_COMM), count_value(r, COUNT_TID)));

	key = hash_pair(key, stack_hash(c, count_value(r, COUNT_STACK), own));
	i = idmap_get(&s->by_key, key, 0);
	if (i == IDMAP_NONE) {
		i = (u32)s->nr;
		idmap_put(&s->by_key, key, 0, i);
		vec_reserve(s->samples, s->cap_samples, s->nr + 1);
		vec_reserve(s->periods, s->cap_periods, s->nr + 1);
		s->samples[s->nr] = s->periods[s->nr] = 0;
		s->nr++;
	}
	s->samples[i] += r->samples;
	s->periods[i] += r->period;
	s->hash = hash_pair(hash_pair(s->hash, key), hash_pair(r->samples, r->first));
}

/* False when the file cannot be opened. */
static bool sum_up(struct sums *s, const char *path, struct span mem, struct counts_config cfg)
{
	static const struct session_config hermetic = { .symbols = { .hermetic = true } };
	struct counts *c = NULL;
	struct session *session;
	struct perfdata *pd;
	struct diag diag;
	struct perr e;
	int err;

	*s = (struct sums){ 0 };
	diag_init(&diag);
	err = path ? pd_open(path, &diag, &pd, &e) : pd_open_mem(mem, "built", &diag, &pd, &e);
	if (err) {
		diag_fini(&diag);
		return false;
	}
	session = session_new(pd, &hermetic, &diag);
	cfg.columns = COLUMNS;
	(void)!counts_run(session, &cfg, &c, &e);
	CHECK(c != NULL);
	counts_resolve(c);
	for (size_t i = 0; i < c->nr_rows; i++)
		add_row(s, c, &c->rows[i]);
	s->nr_stacks = counts_nr_stacks(c);
	s->nr_frames = counts_nr_frames(c);
	for (u32 i = 0; i < s->nr_frames; i++)
		s->hash = hash_pair(s->hash, name_hash(c, i));
	counts_free(c);
	session_free(session);
	pd_close(pd);
	diag_fini(&diag);
	return true;
}

static void sums_fini(struct sums *s)
{
	idmap_fini(&s->by_key);
	free(s->samples);
	free(s->periods);
}

static void check_same(const char *path, struct span mem)
{
	static const unsigned int threads[] = { 1, 2, 8 };
	struct sums want, got;
	u64 hash = 0;

	if (!sum_up(&want, path, mem, (struct counts_config){ .threads = 2 }))
		return;
	/* by file address, by symbol, and that with the kernel's names from the first sample on */
	for (size_t n = 0; n < 3 * ARRAY_SIZE(threads); n++) {
		size_t t = n % ARRAY_SIZE(threads), way = n / ARRAY_SIZE(threads);
		struct counts_config cfg = { .threads = threads[t],
					     .by_symbol = way > 0,
					     .kernel_names_from = way == 2,
					     .by_file_address = way == 0 };

		CHECK(sum_up(&got, path, mem, cfg));
		CHECK_EQ(got.nr, want.nr);
		for (size_t i = 0; i <= want.by_key.mask && want.nr; i++) {
			const struct idmap_slot *s = &want.by_key.slots[i];
			u32 k = s->used ? idmap_get(&got.by_key, s->a, s->b) : IDMAP_NONE;

			if (!s->used)
				continue;
			CHECK(k != IDMAP_NONE);
			CHECK_EQ(got.samples[k], want.samples[s->val]);
			CHECK_EQ(got.periods[k], want.periods[s->val]);
		}
		if (!t)
			hash = got.hash;
		CHECK_EQ(got.hash, hash);
		sums_fini(&got);
	}
	sums_fini(&want);
}

static size_t check_files(const char *pattern)
{
	const struct span none = { 0 };
	size_t nr = 0;
	glob_t g;

	if (glob(pattern, 0, NULL, &g))
		return 0;
	for (; nr < g.gl_pathc; nr++) {
		fprintf(stderr, "# %s\n", g.gl_pathv[nr]);
		check_same(g.gl_pathv[nr], none);
	}
	globfree(&g);
	return nr;
}

TEST(own_recordings)
{
	CHECK(check_files("testdata/*/perf.data") > 10);
}

TEST(public_recordings)
{
	if (!check_files("../shared/data/perfdata/*"))
		SKIP("no public recordings beside this checkout");
}

#define PROG 0x400000ull
#define LIB 0x7f0000000000ull

static void put_maps(struct built *x, u32 pid, u64 moved)
{
	put_mmap(&x->b, pid, PROG + moved, 0x1000, 0, "/none/prog", &x->a, NULL);
	put_mmap(&x->b, pid, LIB + moved, 0x2000000, 0, "/none/lib.so", &x->a, NULL);
}

static void put_chain(struct built *x, u32 pid, u64 time, u64 *ips, size_t nr)
{
	struct sample_parts s = { .misc = PD_CPUMODE_USER,
				  .pid = pid,
				  .tid = pid,
				  .time = time,
				  .period = time % 7 + 1,
				  .ip = nr > 1 ? ips[1] : PROG + 5,
				  .ips = ips,
				  .nr_ips = nr };

	put_sample(&x->b, &x->a, &s);
}

/* Two mapped frames with addresses between them that no map holds, in both halves. */
static size_t make_chain(u64 *ips, u64 seed, u64 moved)
{
	size_t n = 0, i;

	ips[n++] = PD_CONTEXT_USER;
	ips[n++] = PROG + moved + seed % 0x1000;
	for (i = 0; i < seed % 5; i++)
		ips[n++] = seed + i;
	for (i = 0; i < seed % 3; i++)
		ips[n++] = 0x8000000000000000ull + hash_pair(seed, i) / 4;
	ips[n++] = LIB + moved + hash_u64(seed) % 0x2000000;
	for (i = 0; i < seed % 4; i++)
		ips[n++] = 0x7ffc00000000ull + hash_pair(seed, i) % 0x10000;
	/* right before a map, and right behind it */
	ips[n++] = LIB + moved - 1;
	ips[n++] = PROG + moved + 0x1000;
	return n;
}

TEST(addresses_in_no_map)
{
	struct pd_attr a = attr_plain();
	struct sums by_symbol, by_ip;
	u64 ips[32];
	struct built x;
	struct span mem;

	built_begin(&x, &a);
	for (u32 pid = 10; pid < 40; pid++)
		put_maps(&x, pid, (u64)pid << 24);
	for (u64 i = 0; i < 30000; i++) {
		u32 pid = 10 + (u32)(i % 30);

		/* a map more, and the set is another */
		if (i % 1000 == 999)
			put_mmap(&x.b, pid, 0x10000000 + i * 0x1000, 0x1000, 0, "/none/late", &x.a,
				 NULL);
		put_chain(&x, pid, 1000 + i, ips, make_chain(ips, i / 2, (u64)pid << 24));
	}
	put_chain(&x, 10, 50000, ips, 0);
	mem = built_end(&x);
	check_same(NULL, mem);
	CHECK(sum_up(&by_symbol, NULL, mem, (struct counts_config){ .by_symbol = true }));
	CHECK(sum_up(&by_ip, NULL, mem, (struct counts_config){ 0 }));
	/* what it is for: two objects and nothing are left of all the addresses, in each process */
	CHECK(by_symbol.nr_frames <= 2 + 3 * 30);
	CHECK(by_symbol.nr_stacks <= 5 * 3 * 4 + 1);
	CHECK(by_ip.nr_stacks > 10000);
	sums_fini(&by_symbol);
	sums_fini(&by_ip);
	bytes_free(&x.b);
}

/* Frames of the kernel wait for their maps, in sets that become one. */
TEST(kernel_maps_change)
{
	struct pd_attr a = attr_plain();
	struct built x;

	built_begin(&x, &a);
	put_mmap(&x.b, 7, 0x400000, 0x1000, 0, "/none/x", &a, NULL);
	for (u64 i = 0; i < 3000; i++) {
		if (i % 100 == 50)
			put_ksymbol(&x, BPF + i * 0x1000, 0x1000, "bpf_prog_x", 1000 + i * 10);
		put_kernel_sample(&x, 1005 + i * 10, BPF + 50 * 0x1000 + 16, BPF + i % 7 * 0x1000);
	}
	check_same(NULL, built_end(&x));
	bytes_free(&x.b);
}

/* More pieces than a sieve holds, and a map at the very end of the lower half. */
TEST(large_maps)
{
	struct pd_attr a = attr_plain();
	u64 ips[] = { PD_CONTEXT_USER, PROG + 1, 0, 1ull << 40, 0x7fffffffffff0000ull, PROG };
	struct built x;

	built_begin(&x, &a);
	put_maps(&x, 10, 0);
	put_maps(&x, 11, 0);
	put_mmap(&x.b, 11, 1ull << 39, 1ull << 41, 0, "/none/huge", &x.a, NULL);
	put_mmap(&x.b, 11, 0x7fffffffffff0000ull, 0xffff, 0, "/none/top", &x.a, NULL);
	for (u64 i = 0; i < 3000; i++) {
		ips[2] = i;
		put_chain(&x, 10 + (u32)(i % 2), 1000 + i, ips, ARRAY_SIZE(ips));
	}
	check_same(NULL, built_end(&x));
	bytes_free(&x.b);
}
