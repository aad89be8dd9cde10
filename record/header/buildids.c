/* SPDX-License-Identifier: MIT */
#include "record/header/buildids.h"

#include <stdio.h>
#include <sys/auxv.h>
#include <sys/stat.h>

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
	bool had_id;           /* its record has the id */
	/* a process that mapped it, for its mount namespace; -1 for the kernel */
	s32 pid;
	u16 cpumode;
	u64 ino;  /* 0: not recorded */
	u32 kept; /* index of the keeper, or KEEP_NOTHING */
};

struct rec_buildids {
	struct rec_host host;
	struct keeper *keeper; /* NULL: nothing is kept */
	/* keys: hash of device, inode and build-id; hash of the name. Value: index of the keeper */
	struct idmap seen;
	struct arena names;
	struct mapped_file *files;
	size_t nr, cap;
};

struct rec_buildids *buildids_new(const struct rec_host *host, struct keeper *keeper)
{
	struct rec_buildids *b = xcalloc(1, sizeof(*b));

	b->host = *host;
	b->keeper = keeper;
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

/* Adds a file of user space to the keeper's objects. Returns its index there. */
static u32 keep_file(struct rec_buildids *b, const struct mapped_file *f, const u8 *record,
		     bool is_mmap2)
{
	struct keep_file k = { .kind = KEEP_FILE, .name = f->name, .id = f->id };

	if (!b->keeper || f->cpumode != PD_CPUMODE_USER ||
	    (!is_file_name(f->name) && !name_starts(f->name, "/memfd:")))
		return KEEP_NOTHING;
	if (is_mmap2 && !f->id.size) {
		k.maj = get_u32(record + MMAP2_ID, false);
		k.min = get_u32(record + MMAP2_ID + 4, false);
		k.ino = get_u64(record + MMAP2_ID + 8, false);
		k.generation = get_u64(record + MMAP2_ID + 16, false);
	}
	return keeper_add(b->keeper, &k);
}

/* Adds the file of a record that is the first about it. Returns its index of the keeper. */
static u32 add_file(struct rec_buildids *b, const u8 *record, u16 misc, const char *name,
		    size_t name_len)
{
	struct mapped_file f = { .cpumode = misc & PD_MISC_CPUMODE_MASK };
	bool is_mmap2 = get_u32(record, false) == PD_RECORD_MMAP2;

	f.pid = (s32)get_u32(record + 8, false);
	f.had_id = is_mmap2 && pd_mmap2_has_build_id(record + MMAP2_ID, misc, false);
	if (f.had_id)
		pd_build_id_set(&f.id, record + MMAP2_ID + 4, record[MMAP2_ID]);
	else if (is_mmap2)
		f.ino = get_u64(record + MMAP2_ID + 8, false);
	if (f.cpumode == PD_CPUMODE_KERNEL && name_starts(name, "[kernel.kallsyms]"))
		name_len = strlen("[kernel.kallsyms]"); /* the record appends a symbol's name */
	else if (!f.id.size && f.cpumode != PD_CPUMODE_KERNEL && !is_file_name(name) &&
		 !name_starts(name, "[vdso") && !name_starts(name, "/memfd:"))
		return KEEP_NOTHING;
	f.name = arena_strndup(&b->names, name, name_len);
	f.kept = keep_file(b, &f, record, is_mmap2);
	vec_push(b->files, b->nr, b->cap, f);
	return f.kept;
}

/* Passes a mapping of code to the keeper. kept: its index of the object. */
static void keep_mapping(struct rec_buildids *b, const u8 *record, const char *name, u32 kept)
{
	s32 pid = (s32)get_u32(record + 8, false);
	u64 start = get_u64(record + 16, false), len = get_u64(record + 24, false);

	if (!strncmp(name, "//anon", 6) || name_starts(name, "/memfd:") ||
	    name_starts(name, "/anon_hugepage"))
		keeper_mapped_memory(b->keeper, pid);
	keeper_mapped(b->keeper, kept, pid, start, start + len);
}

void buildids_note(struct rec_buildids *b, const u8 *record, size_t size)
{
	u64 identity = 0, name_hash;
	const char *name;
	size_t name_off, name_len;
	bool is_mmap2;
	u32 type, kept;
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
	if (is_mmap2)
		identity = hash_bytes(record + MMAP2_ID, MMAP2_ID_LEN);
	name_hash = hash_bytes(name, name_len);
	kept = idmap_get(&b->seen, identity, name_hash);
	if (kept == IDMAP_NONE && b->seen.nr < MAX_FILES) {
		kept = add_file(b, record, misc, name, name_len);
		idmap_put(&b->seen, identity, name_hash, kept);
	}
	if (b->keeper && kept != IDMAP_NONE)
		keep_mapping(b, record, name, kept);
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

/* Reads the build-id of the file at path if it is the one that was mapped: f->ino decides. */
static size_t read_same_file(const char *path, const struct mapped_file *f, u8 id[20])
{
	struct stat st;

	if (f->ino && (stat(path, &st) || st.st_ino != f->ino))
		return 0;
	return build_id_of_path(path, id);
}

static size_t read_user_file(const struct rec_buildids *b, const struct mapped_file *f, u8 id[20])
{
	struct pd_build_id kept;
	size_t n = 0;
	char *path;

	if (b->keeper && keeper_build_id(b->keeper, f->kept, &kept)) {
		memcpy(id, kept.data, kept.size);
		return kept.size;
	}
	if (f->pid > 0) {
		path = rec_host_path(b->host.procfs, "%d/root%s", f->pid, f->name);
		n = read_same_file(path, f, id);
		free(path);
	}
	return n ? n : read_same_file(f->name, f, id);
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

/* Appends entries for the objects that the cache has under the hash of their bytes. */
static void encode_kept(const struct rec_buildids *b, struct wbuf *out)
{
	const struct keep_entry *entries;
	size_t nr = b->keeper ? keeper_entries(b->keeper, &entries) : 0;

	for (size_t i = 0; i < nr; i++)
		pd_put_build_id(out, -1, PD_CPUMODE_USER, &entries[i].id, entries[i].name);
}

/*
 * Collects the hashes of names for which a file exists whose build-id is unknown. Readers apply an
 * entry to all files of its name that have no id in their own records, so entries of such names
 * would be wrong for that file. The other files of the name have their ids in their records.
 */
static void collect_ambiguous(const struct rec_buildids *b, struct idmap *ret)
{
	for (size_t i = 0; i < b->nr; i++)
		if (!b->files[i].id.size && b->files[i].cpumode == PD_CPUMODE_USER)
			idmap_put(ret, hash_bytes(b->files[i].name, strlen(b->files[i].name)), 0,
				  0);
}

static bool is_ambiguous(const struct idmap *names, const struct mapped_file *f)
{
	return f->had_id && idmap_get(names, hash_bytes(f->name, strlen(f->name)), 0) != IDMAP_NONE;
}

void buildids_encode(struct rec_buildids *b, u32 budget_ms, struct wbuf *out, u64 *ret_missed)
{
	u64 until = now_ms() + budget_ms, missed = 0;
	struct idmap written = { 0 }, ambiguous = { 0 };

	for (size_t i = 0; i < b->nr; i++) {
		struct mapped_file *f = &b->files[i];

		if (!f->id.size && now_ms() >= until) {
			missed++;
			continue;
		}
		if (!f->id.size)
			read_id(b, f);
	}
	collect_ambiguous(b, &ambiguous);
	for (size_t i = 0; i < b->nr; i++) {
		struct mapped_file *f = &b->files[i];

		if (f->id.size && !is_ambiguous(&ambiguous, f) && is_first(&written, f))
			pd_put_build_id(out, -1, f->cpumode, &f->id, f->name);
	}
	encode_kept(b, out);
	idmap_fini(&written);
	idmap_fini(&ambiguous);
	*ret_missed = missed;
}
