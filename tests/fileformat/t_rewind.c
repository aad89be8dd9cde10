/* SPDX-License-Identifier: MIT */
/* pd_rewind(): a recording that is read again delivers the same records. */
#include <fcntl.h>
#include <glob.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "fileformat/perfdata_priv.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

/* What one pass delivers: a hash of its records, and their number. */
struct pass {
	u64 hash;
	size_t nr;
	int end; /* what the last pd_next() returned */
	bool compressed, in_blocks;
};

/* At most `most` records. Blocks of the last few are held, as replay does. */
static struct pass read_records(struct perfdata *pd, size_t most)
{
	struct pass p = { .hash = 1 };
	struct pd_block *held[4] = { 0 };
	struct pd_record r;
	struct perr e;

	while (p.nr < most && (p.end = pd_next(pd, &r, &e)) == 1) {
		p.hash = hash_pair(p.hash, hash_pair(r.type, r.off));
		p.hash = hash_pair(p.hash, hash_pair(r.file_idx, r.size));
		p.hash = hash_pair(p.hash, hash_bytes(r.data, r.size));
		p.compressed |= r.compressed;
		p.in_blocks |= r.block != NULL;
		pd_block_put(held[p.nr % 4]);
		held[p.nr % 4] = r.block ? pd_block_get(r.block) : NULL;
		p.nr++;
	}
	for (int i = 0; i < 4; i++)
		pd_block_put(held[i]);
	return p;
}

static void rewind_recording(struct perfdata *pd)
{
	struct perr e;

	CHECK(pd_can_rewind(pd));
	CHECK_EQ(pd_rewind(pd, &e), 0);
	CHECK_EQ(pd->counts.nr_records, 0);
}

/* Whole passes, and passes that are broken off, are followed by the same whole pass. */
static struct pass check_passes(struct perfdata *pd)
{
	const struct pass first = read_records(pd, SIZE_MAX);
	const struct pd_counts counts = pd->counts;
	const size_t nr_events = pd->nr_events, nr_tracing = pd->tracing_data.n;
	struct pass again;

	CHECK(first.end <= 0);
	for (size_t most = 0; most < 4; most++) {
		rewind_recording(pd);
		again = read_records(pd, most * first.nr / 3);
		CHECK_EQ(again.nr, most * first.nr / 3);
		rewind_recording(pd);
		again = read_records(pd, SIZE_MAX);
		CHECK_EQ(again.nr, first.nr);
		CHECK_EQ(again.hash, first.hash);
		CHECK_EQ(again.end, first.end);
		CHECK_EQ(memcmp(&pd->counts, &counts, sizeof(counts)), 0);
		CHECK_EQ(pd->nr_events, nr_events);
		CHECK_EQ(pd->tracing_data.n, nr_tracing);
	}
	return first;
}

/* The kinds of recording that the files at hand are of. */
struct kinds {
	int regular, pipe, directory, compressed, tracing, primed;
};

static void check_file(struct kinds *k, const char *path)
{
	struct perfdata *pd;
	struct pass p;
	struct perr e;

	if (pd_open(path, NULL, &pd, &e))
		return;
	k->primed += pd->priv->next_primed < pd->priv->nr_primed;
	/* before the first record is read there may be records that pd_open() has read ahead */
	rewind_recording(pd);
	p = check_passes(pd);
	CHECK(p.nr > 0);
	k->directory += pd->priv->nr_inputs > 1;
	k->pipe += pd->kind == PD_PIPE;
	k->regular += pd->kind != PD_PIPE;
	k->compressed += p.compressed;
	k->tracing += pd->kind == PD_PIPE && pd->tracing_data.n;
	pd_close(pd);
	/* the same with the reading ahead of pd_open() left to the first pass */
	CHECK_EQ(pd_open(path, NULL, &pd, &e), 0);
	CHECK_EQ(check_passes(pd).hash, p.hash);
	pd_close(pd);
}

TEST(recordings_of_all_kinds)
{
	struct kinds k = { 0 };
	glob_t g;

	CHECK_EQ(glob("testdata/*/perf.data", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++)
		check_file(&k, g.gl_pathv[i]);
	globfree(&g);
	CHECK(k.regular > 10);
	CHECK(k.pipe > 0);
	CHECK(k.primed > 0);
	CHECK(k.directory > 0);
	CHECK(k.compressed > 0);
	CHECK(k.tracing > 0);
}

/* Records of a damaged file come again up to the damage, and the same error after them. */
TEST(damage_is_met_again)
{
	struct perfdata *pd;
	struct pass p;
	struct perr e;

	CHECK_EQ(pd_open("testdata/bad-zstd-garbage.data", NULL, &pd, &e), 0);
	p = check_passes(pd);
	CHECK(p.end < 0);
	pd_close(pd);
}

static struct bytes built_recording(enum build_kind kind, bool big)
{
	struct bytes b = bytes_new(big);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();

	file_begin(&f, kind);
	file_add_event(&f, &a, NULL, 0);
	file_begin_data(&f);
	for (u32 i = 0; i < 5; i++)
		put_comm(&b, 10 + i, 10 + i, "prog", &a, NULL);
	file_end(&f);
	return b;
}

TEST(recordings_in_memory_of_both_byte_orders)
{
	struct perfdata *pd;
	struct perr e;

	for (int i = 0; i < 4; i++) {
		struct bytes b = built_recording(i & 1 ? BUILD_PIPE : BUILD_REGULAR, i & 2);

		CHECK_EQ(pd_open_mem(bytes_span(&b), "built", NULL, &pd, &e), 0);
		check_passes(pd);
		pd_close(pd);
		bytes_free(&b);
	}
}

/* The bytes through a pipe that holds all of them. */
static struct perfdata *open_stream(const struct bytes *b, int *ret_fd)
{
	struct perfdata *pd;
	struct perr e;
	int fds[2];

	CHECK(!pipe(fds));
	CHECK_EQ(write(fds[1], b->p, b->n), (ssize_t)b->n);
	close(fds[1]);
	*ret_fd = fds[0];
	CHECK_EQ(pd_open_fd(fds[0], "-", NULL, &pd, &e), 0);
	return pd;
}

TEST(a_stream_cannot_be_read_again)
{
	struct bytes b = built_recording(BUILD_PIPE, false);
	struct perfdata *pd;
	struct pass p;
	struct perr e;
	int fd;

	pd = open_stream(&b, &fd);
	CHECK(!pd_can_rewind(pd));
	CHECK_EQ(pd_rewind(pd, &e), PERR_UNSUPPORTED);
	CHECK(strstr(e.text, "stream"));
	/* it has not been touched */
	p = read_records(pd, SIZE_MAX);
	CHECK_EQ(p.end, 0);
	CHECK(p.nr >= 5);
	CHECK_EQ(pd_rewind(pd, &e), PERR_UNSUPPORTED);
	pd_close(pd);
	close(fd);
	bytes_free(&b);
}
