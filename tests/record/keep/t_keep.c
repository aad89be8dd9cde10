/* SPDX-License-Identifier: MIT */
/* record/keep: which objects are kept of which processes, and how they get into the cache */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/keep/cache_store.h"
#include "record/keep/content_id.h"
#include "record/keep/keeper.h"
#include "record/keep/object_sets.h"
#include "record/keep/process_files.h"
#include "record/keep/task_hits.h"
#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"

TEST(sets_of_objects)
{
	struct object_sets s = { 0 };
	u64 w[4] = { 0 };

	object_sets_add(&s, 10, 0);
	object_sets_add(&s, 10, 1);
	object_sets_add(&s, 10, 0); /* again */
	object_sets_fork(&s, 11, 10);
	object_sets_add(&s, 11, 2);
	object_sets_fork(&s, 12, 99); /* of a process without objects */
	object_sets_add(&s, 13, 3);
	object_sets_fork(&s, 13, 10); /* told after what it has mapped itself */
	object_sets_weigh(&s, 10, 5, w);
	object_sets_weigh(&s, 11, 7, w);
	object_sets_weigh(&s, 12, 100, w);
	object_sets_weigh(&s, 99, 100, w);
	CHECK_EQ(w[3], 0);
	object_sets_weigh(&s, 13, 1, w);
	CHECK_EQ(w[0], 13);
	CHECK_EQ(w[1], 13);
	CHECK_EQ(w[2], 7);
	CHECK_EQ(w[3], 1);
	for (s32 pid = 100; pid < 1100; pid++) {
		object_sets_add(&s, pid, 0);
		object_sets_add(&s, pid, 1);
	}
	CHECK_EQ(s.nr, 6); /* {}, {0}, {0,1}, {0,1,2}, {3}, {0,1,3}: equal sets exist once */
	object_sets_fini(&s);
}

TEST(samples_by_process)
{
	struct task_hits h = { 0 };

	for (int i = 0; i < 3; i++)
		task_hits_add(&h, 7);
	task_hits_add(&h, 8);
	task_hits_add(&h, 7);
	CHECK_EQ(h.nr, 2);
	CHECK_EQ(h.items[0].samples, 4);
	CHECK_EQ(h.items[1].samples, 1);
	task_hits_fini(&h);
}

static int open_below(const struct fake_tree *t, const char *name)
{
	char *path = xasprintf("%s/%s", t->root, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	free(path);
	return fd;
}

/* Known SHA-1s, around the places where the last block gets another one. */
TEST(ids_of_contents)
{
	static const struct {
		size_t n;
		u8 first[4];
	} cases[] = {
		{ 0, { 0xda, 0x39, 0xa3, 0xee } },       { 1, { 0x86, 0xf7, 0xe4, 0x37 } },
		{ 55, { 0xc1, 0xc8, 0xbb, 0xdc } },      { 56, { 0xc2, 0xdb, 0x33, 0x0f } },
		{ 64, { 0x00, 0x98, 0xba, 0x82 } },      { 119, { 0xee, 0x97, 0x10, 0x65 } },
		{ 120, { 0xf3, 0x4c, 0x14, 0x88 } },     { 262144, { 0x69, 0xf9, 0x90, 0x96 } },
		{ 1000000, { 0x34, 0xaa, 0x97, 0x3c } },
	};
	struct fake_tree t = fake_tree_new();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *text = xmalloc(cases[i].n + 1);
		u8 id[CONTENT_ID_LEN];
		int fd;

		memset(text, 'a', cases[i].n);
		fake_bytes(&t, "f", text, cases[i].n);
		fd = open_below(&t, "f");
		CHECK(content_id_of_fd(fd, cases[i].n, id));
		CHECK_MEM(id, cases[i].first, 4);
		CHECK(!content_id_of_fd(fd, cases[i].n + 1, id));
		close(fd);
		free(text);
	}
	fake_tree_free(&t);
}

static struct pd_build_id id_filled(u8 fill)
{
	struct pd_build_id id = { 0 };
	u8 bytes[20];

	memset(bytes, fill, sizeof(bytes));
	pd_build_id_set(&id, bytes, sizeof(bytes));
	return id;
}

static bool below_has(const struct fake_tree *t, const char *rest, mode_t mode)
{
	char *path = xasprintf("%s/%s", t->root, rest);
	struct stat st;
	bool has = !lstat(path, &st) && S_ISREG(st.st_mode) && (st.st_mode & 0777) == mode;

	free(path);
	return has;
}

#define HEX11 "1111111111111111111111111111111111111111"
#define HEX22 "2222222222222222222222222222222222222222"

TEST(layout_of_the_cache)
{
	struct fake_tree t = fake_tree_new();
	struct pd_build_id id = id_filled(0x11);
	char *dir = xasprintf("%s/new/cache", t.root), *link, target[200];
	int cache, fd;
	ssize_t n;

	fake_file(&t, "f", "content");
	fd = open_below(&t, "f");
	fchmod(fd, 0711);
	cache = cache_store_open(dir, NULL);
	CHECK(cache >= 0);
	CHECK(!cache_store_has(cache, &id, "elf"));
	CHECK_EQ(cache_store_put(cache, "/usr/bin/.hidden/f", &id, "elf", fd, 7, NULL, NULL), 0);
	CHECK(cache_store_has(cache, &id, "elf"));
	CHECK(!cache_store_has(cache, &id, "debug"));
	CHECK_EQ(cache_store_put(cache, "/other/name", &id, "debug", fd, 4, NULL, NULL), 0);
	CHECK(cache_store_has(cache, &id, "debug"));
	/* readable by those only who can read the file */
	CHECK(below_has(&t, "new/cache/usr/bin/.hidden/f/" HEX11 "/elf", 0711 & ~022));
	CHECK(below_has(&t, "new/cache/usr/bin/.hidden/f/" HEX11 "/debug", 0711 & ~022));
	link = xasprintf("%s/.build-id/11/%s", dir, &HEX11[2]);
	n = readlink(link, target, sizeof(target) - 1);
	CHECK(n > 0);
	target[n > 0 ? n : 0] = '\0';
	CHECK_STR(target, "../../usr/bin/.hidden/f/" HEX11);
	/* a link that leads nowhere, or out of the cache, is replaced */
	CHECK_EQ(unlink(link), 0);
	CHECK_EQ(symlink("/", link), 0);
	CHECK(!cache_store_has(cache, &id, "elf"));
	CHECK_EQ(cache_store_put(cache, "/x", &id, "elf", fd, 7, NULL, NULL), 0);
	CHECK(cache_store_has(cache, &id, "elf"));
	free(link);
	close(fd);
	close(cache);
	free(dir);
	fake_tree_free(&t);
}

/* Names from containers that would lead out of the cache, or into its links. */
TEST(names_of_hostile_objects)
{
	static const char *const names[] = {
		"/../../escape",
		"/a/../b",
		"/..",
		"/.",
		"relative",
		"",
		"//x",
		"/a//b",
		"/x\033[31m",
		"/x\ny",
		"/.build-id/22/x",
		"/memfd:../../x",
	};
	struct fake_tree t = fake_tree_new();
	char *dir = xasprintf("%s/cache", t.root), *out = xasprintf("%s/out", t.root);
	int cache = cache_store_open(dir, NULL), fd;
	struct pd_build_id id;

	fake_file(&t, "f", "content");
	fake_folder(&t, "out");
	fd = open_below(&t, "f");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		id = id_filled((u8)(0x30 + i));
		CHECK_EQ(cache_store_put(cache, names[i], &id, "elf", fd, 7, NULL, NULL), 0);
		CHECK(cache_store_has(cache, &id, "elf"));
	}
	/* a link where a folder of the cache should be is not followed */
	free(dir);
	dir = xasprintf("%s/cache/usr", t.root);
	CHECK_EQ(symlink(out, dir), 0);
	id = id_filled(0x44);
	CHECK(cache_store_put(cache, "/usr/bin/f", &id, "elf", fd, 7, NULL, NULL));
	/* ids of a byte or none are no path */
	id.size = 1;
	CHECK(!cache_store_has(cache, &id, "elf"));
	CHECK_EQ(cache_store_put(cache, "/f", &id, "elf", fd, 7, NULL, NULL), PERR_UNSUPPORTED);
	id.size = 0;
	CHECK_EQ(cache_store_put(cache, "/f", &id, "elf", fd, 7, NULL, NULL), PERR_UNSUPPORTED);
	CHECK_EQ(rmdir(out), 0); /* still empty */
	close(fd);
	close(cache);
	free(out);
	free(dir);
	fake_tree_free(&t);
}

TEST(only_regular_files_are_opened)
{
	struct fake_tree t = fake_tree_new();
	char *fifo = xasprintf("%s/fifo", t.root), *file = xasprintf("%s/f", t.root);
	struct process_files f;
	u32 root;
	int fd;

	fake_file(&t, "f", "x");
	CHECK_EQ(mkfifo(fifo, 0600), 0);
	process_files_init(&f, "/proc");
	root = process_files_root(&f, getpid());
	CHECK(root != NO_ROOT);
	CHECK(f.roots[root].is_host);
	CHECK_EQ(process_files_root(&f, getpid()), root);
	fd = process_files_open(&f, root, file);
	CHECK(fd >= 0);
	close(fd);
	CHECK_EQ(process_files_open(&f, root, fifo), -1);
	CHECK_EQ(process_files_open(&f, root, "/dev/null"), -1);
	CHECK_EQ(process_files_open(&f, root, t.root), -1);
	CHECK_EQ(process_files_open(&f, NO_ROOT, file), -1);
	CHECK_EQ(process_files_open_host("/dev/null"), -1);
	process_files_fini(&f);
	free(fifo);
	free(file);
	fake_tree_free(&t);
}

/* Two objects of a process, one on the host and one deleted. */
struct kept {
	struct fake_tree t;
	struct keeper *k;
	struct keep_report report;
	char *cache, *stays, *goes;
};

static u32 add_mapped(struct kept *b, const char *path, s32 pid)
{
	struct keep_file f = { .kind = KEEP_FILE, .name = path };
	struct stat st;
	u32 i;

	CHECK(!stat(path, &st));
	f.ino = st.st_ino;
	i = keeper_add(b->k, &f);
	keeper_mapped(b->k, i, pid, 0, 0);
	return i;
}

static struct kept *kept_new(u64 limit, s32 pid)
{
	struct kept *b = xcalloc(1, sizeof(*b));
	struct keep_limits limits = { .bytes = limit };
	struct keep_report first;

	b->t = fake_tree_new();
	b->cache = xasprintf("%s/cache", b->t.root);
	b->stays = xasprintf("%s/stays", b->t.root);
	b->goes = xasprintf("%s/goes", b->t.root);
	fake_file(&b->t, "stays", "stays here");
	fake_file(&b->t, "goes", "goes away");
	limits.cache = b->cache;
	b->k = keeper_new("/proc", 100, &limits);
	CHECK(b->k);
	add_mapped(b, b->stays, pid);
	add_mapped(b, b->goes, pid);
	/* no sample yet is taken for: samples do not say their process */
	task_hits_add(keeper_hits(b->k), 1);
	CHECK(keeper_store(b->k, &first));
	CHECK_EQ(first.nr_kept, 0);
	CHECK_EQ(unlink(b->goes), 0);
	return b;
}

static void kept_free(struct kept *b)
{
	keeper_free(b->k);
	fake_tree_free(&b->t);
	free(b->cache);
	free(b->stays);
	free(b->goes);
	free(b);
}

TEST(deleted_files_of_hit_processes_are_kept)
{
	struct kept *b = kept_new(1000, getpid());
	const struct keep_entry *entries;

	CHECK(keeper_store(b->k, &b->report));
	CHECK_EQ(b->report.nr_kept, 0); /* no sample hit the process */
	task_hits_add(keeper_hits(b->k), getpid());
	CHECK(keeper_store(b->k, &b->report));
	CHECK_EQ(b->report.nr_kept, 1);
	CHECK_EQ(b->report.nr_over, 0);
	CHECK_EQ(b->report.nr_failed, 0);
	CHECK_EQ(keeper_entries(b->k, &entries), 1);
	CHECK(!strncmp(entries[0].name, "/inode/0:0:", 11));
	CHECK(strstr(entries[0].name, b->goes));
	CHECK_EQ(entries[0].id.size, CONTENT_ID_LEN);
	/* once more: nothing is copied twice, and no entry added */
	CHECK(keeper_store(b->k, &b->report));
	CHECK_EQ(keeper_entries(b->k, &entries), 1);
	kept_free(b);
}

TEST(children_count_for_their_parents_objects)
{
	struct kept *b = kept_new(1000, getpid());

	keeper_forked(b->k, 1 << 30, getpid());
	task_hits_add(keeper_hits(b->k), 1 << 30);
	CHECK(keeper_store(b->k, &b->report));
	CHECK_EQ(b->report.nr_kept, 1);
	kept_free(b);
}

TEST(limit_leaves_files_out)
{
	struct kept *b = kept_new(8, getpid());

	task_hits_add(keeper_hits(b->k), getpid());
	CHECK(keeper_store(b->k, &b->report));
	CHECK_EQ(b->report.nr_kept, 0);
	CHECK_EQ(b->report.nr_over, 1);
	CHECK_EQ(b->report.bytes_over, 9);
	CHECK(access(b->cache, F_OK) == 0);
	kept_free(b);
}

/* The file at the path is another one by the time it is looked for. */
TEST(replaced_before_it_was_opened)
{
	struct fake_tree t = fake_tree_new();
	char *path = xasprintf("%s/f", t.root), *other = xasprintf("%s/g", t.root);
	struct kept b = { .t = t };
	struct keep_limits limits = { .bytes = 1000, .cache = t.root };
	const struct keep_entry *entries;
	struct keep_file f = { .kind = KEEP_FILE, .name = path };
	struct stat st;

	fake_file(&t, "f", "old");
	fake_file(&t, "g", "new");
	CHECK(!stat(path, &st));
	f.ino = st.st_ino;
	CHECK_EQ(rename(other, path), 0);
	b.k = keeper_new("/proc", 100, &limits);
	keeper_mapped(b.k, keeper_add(b.k, &f), getpid(), 0, 0);
	CHECK(keeper_store(b.k, &b.report));
	CHECK_EQ(b.report.nr_kept, 0);
	CHECK_EQ(keeper_entries(b.k, &entries), 0);
	keeper_free(b.k);
	free(path);
	free(other);
	fake_tree_free(&t);
}
