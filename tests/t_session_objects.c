/* SPDX-License-Identifier: MIT */
#include "session/objects.h"

#include "fileformat/feature.h"
#include "session/replay.h"
#include "tests/build_file.h"
#include "tests/unit.h"

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

/*
 * A recorder that began while the program ran sees it twice: from /proc, which does not tell the
 * inode's generation, and from the kernel, which does. The BUILD_ID table speaks of both.
 */
TEST(table_of_build_ids_holds_for_every_inode_of_the_name)
{
	struct session_config cfg = { .symbols = { .hermetic = true } };
	struct pd_attr a = attr_plain();
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	struct replay_event ev;
	struct perfdata *pd;
	struct session *s;
	struct replay *r;
	struct diag diag;
	struct perr e;
	u64 at;

	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, NULL, 0);
	file_begin_data(&f);
	put_map(&b, 0x1000, 77, 0, &a);
	put_map(&b, 0x3000, 77, 5, &a);
	put_map(&b, 0x5000, 78, 5, &a);
	put_build_id(file_feature(&f, PD_FEAT_BUILD_ID), NAME, some_id[0]);
	file_end(&f);
	diag_init(&diag);
	CHECK_EQ(pd_open_mem(bytes_span(&b), "test", &diag, &pd, &e), 0);
	s = session_new(pd, &cfg, &diag);
	r = replay_new(s, true);
	while (replay_next(r, &ev, &e) == 1)
		;
	for (at = 0x1000; at <= 0x5000; at += 0x2000) {
		const struct map *m =
			session_find_map(s, session_thread(s, PID, PID), PD_CPUMODE_USER, at);
		const struct dso_desc *d;

		CHECK(m);
		d = dso_get_desc(m->dso);
		CHECK_EQ(d->build_id_size, 20);
		CHECK(!memcmp(d->build_id, some_id, 20));
	}
	replay_free(r);
	session_free(s);
	pd_close(pd);
	diag_fini(&diag);
	bytes_free(&b);
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
		struct session_config cfg = { .symbols = { .hermetic = true },
					      .arch = maps[i].arch };
		struct pd_attr a = attr_plain();
		struct bytes b = bytes_new(false);
		struct file_builder f = { .b = &b };
		struct replay_event ev;
		struct perfdata *pd;
		struct session *s;
		struct replay *r;
		struct diag diag;
		struct perr e;
		const struct map *m;
		struct bytes *ids;

		file_begin(&f, BUILD_REGULAR);
		file_add_event(&f, &a, NULL, 0);
		file_begin_data(&f);
		put_named_map(&b, maps[i].start, 0, 0, "[vdso]", &a);
		ids = file_feature(&f, PD_FEAT_BUILD_ID);
		put_build_id(ids, "[vdso]", 64);
		put_build_id(ids, "[vdso32]", 32);
		file_end(&f);
		diag_init(&diag);
		CHECK_EQ(pd_open_mem(bytes_span(&b), "test", &diag, &pd, &e), 0);
		s = session_new(pd, &cfg, &diag);
		r = replay_new(s, true);
		while (replay_next(r, &ev, &e) == 1)
			;
		m = session_find_map(s, session_thread(s, PID, PID), PD_CPUMODE_USER,
				     maps[i].start);
		CHECK(m);
		CHECK_STR(m->dso_name, maps[i].name);
		CHECK_EQ(dso_get_desc(m->dso)->build_id[0], maps[i].first);
		CHECK_EQ(dso_get_desc(m->dso)->kind, DSO_VDSO);
		replay_free(r);
		session_free(s);
		pd_close(pd);
		diag_fini(&diag);
		bytes_free(&b);
	}
}
