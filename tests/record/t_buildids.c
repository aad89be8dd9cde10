/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/feature_build_id.h"
#include "fileformat/write/record_encode.h"
#include "record/header/buildids.h"
#include "symbols/elf/build_id_file.h"
#include "symbols/elf/object.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"

#define BUDGET_MS 30000

struct bench {
	struct fake_tree proc, sys, files;
	struct rec_host host;
	struct rec_buildids *ids;
	struct wbuf out;
	struct pd_build_id_entry entries[32];
	size_t nr;
	u64 missed;
};

static struct bench *bench_new(void)
{
	struct bench *b = xcalloc(1, sizeof(*b));

	b->proc = fake_tree_new();
	b->sys = fake_tree_new();
	b->files = fake_tree_new();
	b->host.procfs = b->proc.root;
	b->host.sysfs = b->sys.root;
	b->ids = buildids_new(&b->host, NULL);
	return b;
}

static void bench_free(struct bench *b)
{
	buildids_free(b->ids);
	wb_fini(&b->out);
	fake_tree_free(&b->proc);
	fake_tree_free(&b->sys);
	fake_tree_free(&b->files);
	free(b);
}

static void encode(struct bench *b, u32 budget_ms)
{
	struct pd_build_ids list;
	int err;

	wb_fini(&b->out);
	b->missed = 1000;
	buildids_encode(b->ids, budget_ms, &b->out, &b->missed);
	list = pd_build_ids_open(wb_span(&b->out), false);
	CHECK(!list.old_abi);
	b->nr = 0;
	while ((err = pd_build_ids_next(&list, &b->entries[b->nr], NULL)) == 1) {
		CHECK_EQ(b->entries[b->nr].pid, -1);
		b->nr++;
		CHECK(b->nr < ARRAY_SIZE(b->entries));
	}
	CHECK_EQ(err, 0);
}

/* The id's first byte, size and mode of the entry of that name; -1 when there is none. */
static int id_of(const struct bench *b, const char *name, u16 cpumode)
{
	int found = -1;

	for (size_t i = 0; i < b->nr; i++) {
		const struct pd_build_id_entry *e = &b->entries[i];

		if (e->filename.n != strlen(name) || memcmp(e->filename.p, name, e->filename.n))
			continue;
		CHECK_EQ(e->cpumode, cpumode);
		CHECK_EQ(found, -1); /* once only */
		found = e->build_id.data[0];
	}
	return found;
}

static void note(struct bench *b, const struct pd_mmap *m, u16 misc)
{
	struct wbuf rec = { 0 };

	pd_put_mmap(&rec, m, misc, 8);
	buildids_note(b->ids, rec.p, rec.n);
	wb_fini(&rec);
}

static void note_user(struct bench *b, u32 pid, u64 ino, const char *name)
{
	struct pd_mmap m = { .pid = pid,
			     .tid = pid,
			     .start = 0x1000,
			     .len = 0x1000,
			     .is_mmap2 = true,
			     .ino = ino,
			     .filename = span_of(name, strlen(name)) };

	note(b, &m, PD_CPUMODE_USER);
}

static void note_with_id(struct bench *b, u32 pid, u8 fill, const char *name, u16 misc)
{
	struct pd_mmap m = { .pid = pid,
			     .tid = pid,
			     .start = 0x1000,
			     .len = 0x1000,
			     .is_mmap2 = true,
			     .has_build_id = true,
			     .filename = span_of(name, strlen(name)) };

	m.build_id.size = 20;
	memset(m.build_id.data, fill, 20);
	note(b, &m, misc | PD_MISC_MMAP_BUILD_ID);
}

static u8 *elf_with_id(bool is_64, bool big, u16 type, u8 fill, u32 id_size, size_t *ret_n)
{
	struct mkelf *e = mkelf_new(is_64, big, type, EM_X86_64);
	u8 id[64];

	memset(id, fill, sizeof(id));
	if (id_size)
		mkelf_build_id(e, id, id_size);
	return mkelf_end(e, ret_n);
}

static void fake_elf(const struct fake_tree *t, const char *rest, u8 fill)
{
	size_t n;
	u8 *p = elf_with_id(true, false, ET_DYN, fill, 20, &n);

	fake_bytes(t, rest, p, n);
	free(p);
}

static u64 ino_of(const struct fake_tree *t, const char *rest)
{
	char *path = xasprintf("%s/%s", t->root, rest);
	struct stat st = { 0 };

	CHECK(!stat(path, &st));
	free(path);
	return st.st_ino;
}

/* Readers would take the entry of a name for the file that has no id in its record. */
TEST(names_of_several_files_are_left_out)
{
	struct bench *b = bench_new();

	note_with_id(b, 5, 0x55, "/app/prog", PD_CPUMODE_USER);
	note_with_id(b, 6, 0x56, "/app/prog", PD_CPUMODE_USER);
	note_user(b, 7, 9, "/app/prog");
	note_with_id(b, 5, 0x57, "/app/other", PD_CPUMODE_USER);
	encode(b, BUDGET_MS);
	CHECK_EQ(b->nr, 1);
	CHECK_EQ(id_of(b, "/app/other", PD_CPUMODE_USER), 0x57);
	bench_free(b);
}

TEST(ids_in_records_and_files)
{
	struct bench *b = bench_new();
	char *plain = xasprintf("%s/plain.so", b->files.root);
	char *gone = xasprintf("%s/gone", b->files.root);

	fake_elf(&b->files, "plain.so", 0x33);
	fake_elf(&b->proc, "5/root/inside/box.so", 0x44);
	note_with_id(b, 5, 0x55, "/in/record", PD_CPUMODE_USER);
	note_with_id(b, 6, 0x55, "/in/record", PD_CPUMODE_USER);
	note_with_id(b, 5, 0x56, "/in/record (deleted)", PD_CPUMODE_USER);
	note_with_id(b, 5, 0x57, "/data/only", PD_CPUMODE_USER | PD_MISC_MMAP_DATA);
	note_user(b, 5, ino_of(&b->files, "plain.so"), plain);
	note_user(b, 6, ino_of(&b->files, "plain.so"), plain);
	note_user(b, 6, 1, plain); /* replaced meanwhile: its id is not known any more */
	note_user(b, 5, ino_of(&b->proc, "5/root/inside/box.so"), "/inside/box.so");
	note_user(b, 5, 4, gone);
	note_user(b, 5, 0, "//anon");
	note_user(b, 5, 0, "[heap]");
	note_user(b, 5, 5, "/dev/zero");
	note_user(b, 5, 6, "/memfd:x (deleted)");
	encode(b, BUDGET_MS);
	CHECK_EQ(b->nr, 4);
	CHECK_EQ(b->missed, 0);
	CHECK_EQ(id_of(b, "/in/record", PD_CPUMODE_USER), 0x55);
	CHECK_EQ(id_of(b, "/in/record (deleted)", PD_CPUMODE_USER), 0x56);
	CHECK_EQ(id_of(b, plain, PD_CPUMODE_USER), 0x33);
	CHECK_EQ(id_of(b, "/inside/box.so", PD_CPUMODE_USER), 0x44);
	free(plain);
	free(gone);
	bench_free(b);
}

TEST(two_builds_of_one_name)
{
	struct bench *b = bench_new();

	note_with_id(b, 5, 0x61, "/a", PD_CPUMODE_USER);
	note_with_id(b, 5, 0x62, "/a", PD_CPUMODE_USER);
	encode(b, BUDGET_MS);
	CHECK_EQ(b->nr, 2);
	CHECK_EQ(b->entries[0].build_id.data[0], 0x61);
	CHECK_EQ(b->entries[1].build_id.data[0], 0x62);
	bench_free(b);
}

static void fake_notes(const struct fake_tree *t, const char *rest, u8 fill)
{
	u8 notes[36] = { 4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0 };

	memset(notes + 16, fill, 20);
	fake_bytes(t, rest, notes, sizeof(notes));
}

static void note_kernel(struct bench *b, const char *name)
{
	struct pd_mmap m = { .pid = UINT32_MAX,
			     .start = 1ull << 63,
			     .len = 4096,
			     .filename = span_of(name, strlen(name)) };

	note(b, &m, PD_CPUMODE_KERNEL);
}

TEST(kernel_modules_and_vdso)
{
	struct bench *b = bench_new();

	fake_notes(&b->sys, "kernel/notes", 0x71);
	fake_notes(&b->sys, "module/my_mod/notes/.note.gnu.build-id", 0x72);
	fake_notes(&b->sys, "module/other/notes/.note.gnu.build-id", 0x73);
	note_kernel(b, "[kernel.kallsyms]_text");
	note_kernel(b, "/lib/modules/9/kernel/my-mod.ko.zst");
	note_kernel(b, "[other]");
	note_kernel(b, "[none]");
	note_kernel(b, "[../../kernel]");
	note_user(b, 5, 0, "[vdso]");
	note_user(b, 6, 0, "[vdso]");
	encode(b, BUDGET_MS);
	CHECK_EQ(id_of(b, "[kernel.kallsyms]", PD_CPUMODE_KERNEL), 0x71);
	CHECK_EQ(id_of(b, "/lib/modules/9/kernel/my-mod.ko.zst", PD_CPUMODE_KERNEL), 0x72);
	CHECK_EQ(id_of(b, "[other]", PD_CPUMODE_KERNEL), 0x73);
	CHECK_EQ(id_of(b, "[none]", PD_CPUMODE_KERNEL), -1);
	CHECK_EQ(b->missed, 0);
	if (getauxval(AT_SYSINFO_EHDR))
		CHECK(id_of(b, "[vdso]", PD_CPUMODE_USER) >= 0);
	bench_free(b);
}

TEST(no_time_is_left)
{
	struct bench *b = bench_new();
	char *path = xasprintf("%s/a.so", b->files.root);

	fake_elf(&b->files, "a.so", 1);
	note_user(b, 5, ino_of(&b->files, "a.so"), path);
	note_with_id(b, 5, 2, "/b", PD_CPUMODE_USER);
	encode(b, 0);
	CHECK_EQ(b->missed, 1);
	CHECK_EQ(b->nr, 1);
	encode(b, BUDGET_MS);
	CHECK_EQ(b->missed, 0);
	CHECK_EQ(b->nr, 2);
	free(path);
	bench_free(b);
}

TEST(damaged_records_are_passed_over)
{
	struct bench *b = bench_new();
	struct wbuf rec = { 0 };
	struct pd_mmap m = { .pid = 1,
			     .tid = 1,
			     .is_mmap2 = true,
			     .has_build_id = true,
			     .build_id = { .size = 20, .data = { 9, 8, 7, 6, 5 } },
			     .filename = span_of("/abcdefg", 8) };
	u8 *copy;

	pd_put_mmap(&rec, &m, PD_CPUMODE_USER | PD_MISC_MMAP_BUILD_ID, 0);
	for (size_t n = 0; n <= 72 + 8; n++) { /* the name's NUL is at 80 */
		copy = xmalloc(n + 1);
		memcpy(copy, rec.p, n);
		buildids_note(b->ids, copy, n);
		free(copy);
	}
	encode(b, BUDGET_MS);
	CHECK_EQ(b->nr, 0);
	rec.p[40] = 255; /* an id larger than there is room */
	buildids_note(b->ids, rec.p, rec.n);
	encode(b, BUDGET_MS);
	CHECK_EQ(b->nr, 1);
	CHECK(b->entries[0].build_id.size <= 20);
	wb_fini(&rec);
	bench_free(b);
}

static size_t id_of_bytes(const struct fake_tree *t, const u8 *p, size_t n, u8 id[20])
{
	char *path = xasprintf("%s/file", t->root);
	size_t size;

	fake_bytes(t, "file", p, n);
	size = build_id_of_path(path, id);
	CHECK_EQ(build_id_of_image(span_of(p, n), id), size);
	free(path);
	return size;
}

TEST(classes_and_byte_orders)
{
	struct fake_tree t = fake_tree_new();

	for (int i = 0; i < 8; i++) {
		u8 id[20] = { 0 };
		size_t n;
		u8 *p = elf_with_id(i & 1, i & 2, i & 4 ? ET_REL : ET_DYN, 0x10, 20, &n);

		CHECK_EQ(id_of_bytes(&t, p, n, id), 20);
		CHECK_EQ(id[0], 0x10);
		CHECK_EQ(id[19], 0x10);
		free(p);
	}
	for (u32 size = 0; size < 40; size += 8) {
		u8 id[20];
		size_t n;
		u8 *p = elf_with_id(true, false, ET_DYN, 0x20, size, &n);

		CHECK_EQ(id_of_bytes(&t, p, n, id), size < 20 ? size : 20);
		free(p);
	}
	fake_tree_free(&t);
}

/* Every file cut short, and every byte of its headers made wrong, is read without harm. */
TEST(damaged_elf)
{
	struct fake_tree t = fake_tree_new();
	u8 id[20];
	size_t n, found = 0;
	u8 *p = elf_with_id(true, false, ET_DYN, 0x30, 20, &n);

	for (size_t i = 0; i < n; i++) {
		u8 *copy = xmalloc(i + 1); /* so that reading past i is seen */

		memcpy(copy, p, i);
		found += build_id_of_image(span_of(copy, i), id) > 0;
		free(copy);
	}
	CHECK(found < n / 2);
	for (size_t i = 0; i < n; i++) {
		u8 old = p[i];

		for (int k = 0; k < 3; k++) {
			p[i] = (u8[]){ 0, 0x7f, 0xff }[k];
			(void)build_id_of_image(span_of(p, n), id);
		}
		p[i] = old;
	}
	CHECK_EQ(id_of_bytes(&t, p, n, id), 20);
	CHECK_EQ(id_of_bytes(&t, (const u8 *)"", 0, id), 0);
	CHECK_EQ(id_of_bytes(&t, (const u8 *)"\177ELF", 4, id), 0);
	CHECK_EQ(build_id_of_path(t.root, id), 0);
	CHECK_EQ(build_id_of_path("/nonexistent/file", id), 0);
	free(p);
	fake_tree_free(&t);
}

TEST(pipe_does_not_block)
{
	struct fake_tree t = fake_tree_new();
	char *path = xasprintf("%s/fifo", t.root);
	u8 id[20];

	CHECK_EQ(mkfifo(path, 0600), 0);
	CHECK_EQ(build_id_of_path(path, id), 0);
	free(path);
	fake_tree_free(&t);
}

/* By segments here, by sections there. */
TEST(same_as_the_object_reader)
{
	static const char *const paths[] = { "/proc/self/exe", "/bin/sh", "/usr/bin/env" };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct object *o;
		u8 id[20];

		if (object_open(paths[i], &o, NULL))
			continue;
		CHECK_EQ(build_id_of_path(paths[i], id), o->build_id_size);
		CHECK_MEM(id, o->build_id, o->build_id_size);
		object_close(o);
	}
}
