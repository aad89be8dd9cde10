/* SPDX-License-Identifier: MIT */
#include "machine/objects.h"

#include "fileformat/feature/feature.h"
#include "session/replay.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define PID 10
#define NAME "/no/such/program"

static const u8 some_id[20] = { 1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
				11, 12, 13, 14, 15, 16, 17, 18, 19, 20 };

static void put_named_map(struct bytes *b, u64 start, u64 ino, u64 generation, const char *name,
			  const struct pd_attr *a)
{
	record_begin(b, PD_RECORD_MMAP2, PD_CPUMODE_USER);
	put_u32(b, PID);
	put_u32(b, PID);
	put_u64(b, start);
	put_u64(b, 0x1000);
	put_u64(b, 0);
	put_u32(b, 8);
	put_u32(b, 1);
	put_u64(b, ino);
	put_u64(b, generation);
	put_u32(b, 5);
	put_u32(b, 2);
	put_text(b, name, 8);
	put_trailer(b, a, &(struct sample_parts){ .time = start, .pid = PID, .tid = PID });
	record_end(b);
}

static void put_map(struct bytes *b, u64 start, u64 ino, u64 generation, const struct pd_attr *a)
{
	put_named_map(b, start, ino, generation, NAME, a);
}

static void put_build_id(struct bytes *b, const char *name, u8 first)
{
	record_begin(b, 0, PD_CPUMODE_USER);
	put_u32(b, (u32)-1);
	put_mem(b, &first, 1);
	put_mem(b, some_id + 1, 19);
	put_u32(b, 0);
	put_text(b, name, 8);
	record_end(b);
}

/* A recording of maps and a table of build-ids, and the session that has read it. */
struct recorded {
	struct bytes b, *ids;
	struct file_builder f;
	struct pd_attr a;
	struct perfdata *pd;
	struct session *s;
	struct replay *r;
	struct diag diag;
};

static void begin(struct recorded *x)
{
	*x = (struct recorded){ .a = attr_plain(), .b = bytes_new(false) };
	x->f.b = &x->b;
	file_begin(&x->f, BUILD_REGULAR);
	file_add_event(&x->f, &x->a, NULL, 0);
	file_begin_data(&x->f);
}

static void begin_ids(struct recorded *x)
{
	x->ids = file_feature(&x->f, PD_FEAT_BUILD_ID);
}

/* arch: NULL for this host's. */
static void read_all(struct recorded *x, const char *arch)
{
	struct session_config cfg = { .symbols = { .hermetic = true }, .arch = arch };
	struct replay_event ev;
	struct perr e;

	file_end(&x->f);
	diag_init(&x->diag);
	CHECK_EQ(pd_open_mem(bytes_span(&x->b), "test", &x->diag, &x->pd, &e), 0);
	x->s = session_new(x->pd, &cfg, &x->diag);
	x->r = replay_new(x->s, true);
	while (replay_next(x->r, &ev, &e) == 1)
		;
}

static const struct map *map_at(struct recorded *x, u64 addr)
{
	const struct map *m = machine_find_map(
		x->s->machine, machine_thread(x->s->machine, PID, PID), PD_CPUMODE_USER, addr);

	CHECK(m);
	return m;
}

static void end(struct recorded *x)
{
	replay_free(x->r);
	session_free(x->s);
	pd_close(x->pd);
	diag_fini(&x->diag);
	bytes_free(&x->b);
}

/*
 * A recorder that began while the program ran sees it twice: from /proc, which does not tell the
 * inode's generation, and from the kernel, which does. The BUILD_ID table speaks of both.
 */
TEST(table_of_build_ids_holds_for_every_inode_of_the_name)
{
	struct recorded x;

	begin(&x);
	put_map(&x.b, 0x1000, 77, 0, &x.a);
	put_map(&x.b, 0x3000, 77, 5, &x.a);
	put_map(&x.b, 0x5000, 78, 5, &x.a);
	begin_ids(&x);
	put_build_id(x.ids, NAME, some_id[0]);
	read_all(&x, NULL);
	for (u64 at = 0x1000; at <= 0x5000; at += 0x2000) {
		const struct dso_desc *d = dso_get_desc(map_at(&x, at)->dso);

		CHECK_EQ(d->build_id_size, 20);
		CHECK(!memcmp(d->build_id, some_id, 20));
	}
	end(&x);
}

/* A 64-bit kernel maps another to its 32-bit processes, by the same name; their ids have two. */
TEST(vdso_of_32_bit_processes)
{
	static const struct {
		const char *arch;
		u64 start;
		const char *name;
		u8 first;
	} maps[] = {
		{ "x86_64", 0xf7fa7000, "[vdso32]", 32 },
		{ "x86_64", 0x7ffff7fc1000, "[vdso]", 64 },
		{ "i686", 0xb7fa7000, "[vdso]", 64 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(maps); i++) {
		struct recorded x;
		const struct map *m;

		begin(&x);
		put_named_map(&x.b, maps[i].start, 0, 0, "[vdso]", &x.a);
		begin_ids(&x);
		put_build_id(x.ids, "[vdso]", 64);
		put_build_id(x.ids, "[vdso32]", 32);
		read_all(&x, maps[i].arch);
		m = map_at(&x, maps[i].start);
		CHECK_STR(m->dso_name, maps[i].name);
		CHECK_EQ(dso_get_desc(m->dso)->build_id[0], maps[i].first);
		CHECK_EQ(dso_get_desc(m->dso)->kind, DSO_VDSO);
		end(&x);
	}
}
