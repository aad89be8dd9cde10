/* SPDX-License-Identifier: MIT */
#include "record/header/buildids.h"

#include <stdio.h>
#include <sys/auxv.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "fileformat/write/feature_encode.h"
#include "record/host/kernel_build_id.h"
#include "symbols/elf/build_id_file.h"

/* Offsets of fields in MMAP and MMAP2 records (FORMAT.md 2.2). */
#define MMAP_NAME 40
#define MMAP2_ID 40
#define MMAP2_ID_LEN 24
#define MMAP2_NAME 72

#define MAX_FILES 1000000

/* A mapped file, from the first record about it. */
struct mapped_file {
	const char *name;
	struct pd_build_id id; /* size 0: must be read from the file */
	/* a process that mapped it, for its mount namespace; -1 for the kernel */
	s32 pid;
	u16 cpumode;
};

struct rec_buildids {
	struct rec_host host;
	struct idmap seen; /* keys: hash of device, inode and build-id; hash of the name */
	struct arena names;
	struct mapped_file *files;
	size_t nr, cap;
};

struct rec_buildids *buildids_new(const struct rec_host *host)
{
	struct rec_buildids *b = xcalloc(1, sizeof(*b));

	b->host = *host;
	return b;
}

void buildids_free(struct rec_buildids *b)
{
	if (!b)
		return;
	idmap_fini(&b->seen);
	arena_fini(&b->names);
	free(b->files);
	free(b);
}

static bool name_starts(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/* Returns false for names of maps without a file: memory, devices, and names made by the kernel. */
static bool is_file_name(const char *name)
{
	return name[0] == '/' && name[1] != '/' && !name_starts(name, "/dev/") &&
	       !name_starts(name, "/anon_hugepage") && !name_starts(name, "/SYSV") &&
	       !name_starts(name, "/memfd:");
}

static void add_file(struct rec_buildids *b, const u8 *record, u16 misc, const char *name,
		     size_t name_len, bool has_id)
{
	struct mapped_file f = { .cpumode = misc & PD_MISC_CPUMODE_MASK };
	s32 pid = (s32)get_u32(record + 8, false);

	f.pid = pid;
	if (has_id)
		pd_build_id_set(&f.id, record + MMAP2_ID + 4, record[MMAP2_ID]);
	if (f.cpumode == PD_CPUMODE_KERNEL && name_starts(name, "[kernel.kallsyms]"))
		name_len = strlen("[kernel.kallsyms]"); /* the record appends a symbol's name */
	else if (!f.id.size && f.cpumode != PD_CPUMODE_KERNEL && !is_file_name(name) &&
		 !name_starts(name, "[vdso"))
		return;
	f.name = arena_strndup(&b->names, name, name_len);
	vec_push(b->files, b->nr, b->cap, f);
}

void buildids_note(struct rec_buildids *b, const u8 *record, size_t size)
{
	u64 identity = 0, name_hash;
	bool is_mmap2, has_id;
	const char *name;
	size_t name_off, name_len;
	u32 type;
	u16 misc;

	if (size < MMAP_NAME)
		return;
	type = get_u32(record, false);
	misc = get_u16(record + 4, false);
	is_mmap2 = type == PD_RECORD_MMAP2;
	if ((!is_mmap2 && type != PD_RECORD_MMAP) || (misc & PD_MISC_MMAP_DATA))
		return;
	name_off = is_mmap2 ? MMAP2_NAME : MMAP_NAME;
	if (size <= name_off)
		return;
	name = (const char *)record + name_off;
	name_len = strnlen(name, size - name_off);
	if (name_len == size - name_off) /* no NUL at its end */
		return;
	has_id = is_mmap2 && (misc & PD_MISC_MMAP_BUILD_ID);
	if (is_mmap2)
		identity = hash_bytes(record + MMAP2_ID, MMAP2_ID_LEN);
	name_hash = hash_bytes(name, name_len);
	if (idmap_get(&b->seen, identity, name_hash) != IDMAP_NONE || b->seen.nr >= MAX_FILES)
		return;
	idmap_put(&b->seen, identity, name_hash, 0);
	add_file(b, record, misc, name, name_len, has_id);
}

/*
 * Returns a module's name in /sys/module, such as f_s for "/lib/modules/6.1.0/kernel/fs/f-s.ko.xz"
 * or "[f_s]"; empty for other paths.
 */
static struct span module_name(const char *path, char buf[128])
{
	const char *base = strrchr(path, '/'), *ko;
	size_t n;

	base = base ? base + 1 : path;
	if (*base == '[') {
		base++;
		n = strcspn(base, "]");
	} else {
		ko = strstr(base, ".ko");
		n = ko ? (size_t)(ko - base) : 0;
	}
	if (!n || n >= 128)
		return span_of(NULL, 0);
	for (size_t i = 0; i < n; i++)
		buf[i] = base[i] == '-' ? '_' : base[i];
	return span_of(buf, n);
}

static size_t vdso_build_id(u8 id[20])
{
	/*
	 * The program headers and notes lie in the first page; the size of the whole image is not
	 * known.
	 */
	const void *image = (const void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);

	return image ? build_id_of_image(span_of(image, 4096), id) : 0;
}

static size_t read_user_file(const struct rec_buildids *b, const struct mapped_file *f, u8 id[20])
{
	size_t n = 0;
	char *path;

	if (f->pid > 0) {
		path = rec_host_path(b->host.procfs, "%d/root%s", f->pid, f->name);
		n = build_id_of_path(path, id);
		free(path);
	}
	return n ? n : build_id_of_path(f->name, id);
}

static void read_id(const struct rec_buildids *b, struct mapped_file *f)
{
	char buf[128];
	u8 id[20];
	size_t n;

	if (f->cpumode != PD_CPUMODE_KERNEL) {
		if (name_starts(f->name, "[vdso32]") || name_starts(f->name, "[vdsox32]"))
			return;
		n = f->name[0] == '[' ? vdso_build_id(id) : read_user_file(b, f, id);
	} else if (name_starts(f->name, "[kernel.kallsyms]")) {
		n = sysfs_build_id(&b->host, "kernel/notes", id);
	} else {
		n = module_build_id(&b->host, module_name(f->name, buf), id);
		if (!n && f->name[0] == '/')
			n = build_id_of_path(f->name, id);
	}
	if (n)
		pd_build_id_set(&f->id, id, n);
}

/*
 * Returns true for the first entry of this build-id and name. A file may have been seen twice, once
 * with its build-id in the record and once without.
 */
static bool is_first(struct idmap *written, const struct mapped_file *f)
{
	u64 a = hash_bytes(f->id.data, f->id.size), b = hash_bytes(f->name, strlen(f->name));

	if (idmap_get(written, a, b) != IDMAP_NONE)
		return false;
	idmap_put(written, a, b, 0);
	return true;
}

void buildids_encode(struct rec_buildids *b, u32 budget_ms, struct wbuf *out, u64 *ret_missed)
{
	u64 until = now_ms() + budget_ms, missed = 0;
	struct idmap written = { 0 };

	for (size_t i = 0; i < b->nr; i++) {
		struct mapped_file *f = &b->files[i];

		if (!f->id.size && now_ms() >= until) {
			missed++;
			continue;
		}
		if (!f->id.size)
			read_id(b, f);
		if (f->id.size && is_first(&written, f))
			pd_put_build_id(out, -1, f->cpumode, &f->id, f->name);
	}
	idmap_fini(&written);
	*ret_missed = missed;
}
