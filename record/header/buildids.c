/* SPDX-License-Identifier: MIT */
#include "record/header/buildids.h"

#include <assert.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/intern.h"
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

/*
 * A mapped file, from the first record about it. A recording of builds has some 10,000 of them,
 * until its end.
 */
struct mapped_file {
	u64 identity; /* hash of device, inode and build-id, as recorded */
	u32 name;     /* interned */
	u32 kept;     /* index of the keeper, or KEEP_NOTHING */
	union {
		u8 id[20];
		/* Without one: the inode, 0 if it was not recorded, and a process that mapped the
		 * file, for its mount namespace; -1 for the kernel. */
		struct {
			u32 ino_low, ino_high;
			s32 pid;
		} source;
	};
	u8 id_size;  /* 0: it must be read from the file */
	bool had_id; /* its record has the id */
	u16 cpumode;
};
static_assert(sizeof(struct mapped_file) == 40, "there may be many");

struct rec_buildids {
	struct rec_host host;
	struct keeper *keeper; /* NULL: nothing is kept */
	struct intern names;
	struct mapped_file *files;
	size_t nr, cap;
	/* by hash of identity and name: index in files + 1, 0: free; at most half are in use */
	u32 *slots;
	size_t mask; /* number of slots - 1 */
};

#define FIRST_SLOTS 1024

struct rec_buildids *buildids_new(const struct rec_host *host, struct keeper *keeper)
{
	struct rec_buildids *b = xcalloc(1, sizeof(*b));

	b->host = *host;
	b->keeper = keeper;
	intern_init(&b->names);
	b->mask = FIRST_SLOTS - 1;
	b->slots = xcalloc(FIRST_SLOTS, sizeof(*b->slots));
	return b;
}

void buildids_free(struct rec_buildids *b)
{
	if (!b)
		return;
	intern_fini(&b->names);
	free(b->slots);
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

static const char *name_of(const struct rec_buildids *b, const struct mapped_file *f)
{
	return intern_text(&b->names, f->name);
}

static struct pd_build_id id_of(const struct mapped_file *f)
{
	struct pd_build_id id = { 0 };

	if (f->id_size)
		pd_build_id_set(&id, f->id, f->id_size);
	return id;
}

static void set_id(struct mapped_file *f, const u8 *id, size_t n)
{
	struct pd_build_id whole;

	pd_build_id_set(&whole, id, n);
	f->id_size = whole.size;
	memcpy(f->id, whole.data, sizeof(f->id));
}

/* The slot of a file, or the free one where it would be. */
static size_t find_slot(const struct rec_buildids *b, u64 identity, u32 name)
{
	size_t i = hash_pair(identity, name) & b->mask;

	for (; b->slots[i]; i = (i + 1) & b->mask) {
		const struct mapped_file *f = &b->files[b->slots[i] - 1];

		if (f->identity == identity && f->name == name)
			break;
	}
	return i;
}

static void grow_slots(struct rec_buildids *b)
{
	b->mask = b->mask * 2 + 1;
	free(b->slots);
	b->slots = xcalloc(b->mask + 1, sizeof(*b->slots));
	for (size_t i = 0; i < b->nr; i++)
		b->slots[find_slot(b, b->files[i].identity, b->files[i].name)] = (u32)i + 1;
}

/* Adds a file of user space to the keeper's objects. Returns its index there. */
static u32 keep_file(struct rec_buildids *b, const struct mapped_file *f, const u8 *record,
		     bool is_mmap2)
{
	const char *name = name_of(b, f);
	struct keep_file k = { .kind = KEEP_FILE, .name = name, .id = id_of(f) };

	if (!b->keeper || f->cpumode != PD_CPUMODE_USER ||
	    (!is_file_name(name) && !name_starts(name, "/memfd:")))
		return KEEP_NOTHING;
	if (is_mmap2 && !f->id_size) {
		k.maj = get_u32(record + MMAP2_ID, false);
		k.min = get_u32(record + MMAP2_ID + 4, false);
		k.ino = get_u64(record + MMAP2_ID + 8, false);
		k.generation = get_u64(record + MMAP2_ID + 16, false);
	}
	return keeper_add(b->keeper, &k);
}

/* Adds the file of a record if that is the first about it. Returns its index of the keeper. */
static u32 add_file(struct rec_buildids *b, const u8 *record, u16 misc, const char *name,
		    size_t name_len)
{
	struct mapped_file f = { .cpumode = misc & PD_MISC_CPUMODE_MASK };
	bool is_mmap2 = get_u32(record, false) == PD_RECORD_MMAP2;
	size_t slot;

	f.had_id = is_mmap2 && pd_mmap2_has_build_id(record + MMAP2_ID, misc, false);
	if (f.had_id)
		set_id(&f, record + MMAP2_ID + 4, record[MMAP2_ID]);
	if (f.cpumode == PD_CPUMODE_KERNEL && name_starts(name, "[kernel.kallsyms]"))
		name_len = strlen("[kernel.kallsyms]"); /* the record appends a symbol's name */
	else if (!f.id_size && f.cpumode != PD_CPUMODE_KERNEL && !is_file_name(name) &&
		 !name_starts(name, "[vdso") && !name_starts(name, "/memfd:"))
		return KEEP_NOTHING;
	if (b->nr >= MAX_FILES && !intern_has(&b->names, name, name_len))
		return KEEP_NOTHING;
	f.identity = is_mmap2 ? hash_bytes(record + MMAP2_ID, MMAP2_ID_LEN) : 0;
	f.name = intern_n(&b->names, name, name_len);
	slot = find_slot(b, f.identity, f.name);
	if (b->slots[slot])
		return b->files[b->slots[slot] - 1].kept;
	if (b->nr >= MAX_FILES)
		return KEEP_NOTHING;
	if (!f.id_size)
		f.source.pid = (s32)get_u32(record + 8, false);
	if (is_mmap2 && !f.had_id) {
		f.source.ino_low = get_u32(record + MMAP2_ID + 8, false);
		f.source.ino_high = get_u32(record + MMAP2_ID + 12, false);
	}
	f.kept = keep_file(b, &f, record, is_mmap2);
	vec_push(b->files, b->nr, b->cap, f);
	b->slots[slot] = (u32)b->nr;
	if (b->nr * 2 > b->mask)
		grow_slots(b);
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
	kept = add_file(b, record, misc, name, name_len);
	if (b->keeper)
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

/* Reads the build-id of the file at path if it is the one that was mapped: the inode decides. */
static size_t read_same_file(const char *path, const struct mapped_file *f, u8 id[20])
{
	u64 ino = (u64)f->source.ino_high << 32 | f->source.ino_low;
	struct stat st;

	if (ino && (stat(path, &st) || st.st_ino != ino))
		return 0;
	return build_id_of_path(path, id);
}

static size_t read_user_file(const struct rec_buildids *b, const struct mapped_file *f, u8 id[20])
{
	const char *name = name_of(b, f);
	struct pd_build_id kept;
	size_t n = 0;
	char *path;

	if (b->keeper && keeper_build_id(b->keeper, f->kept, &kept)) {
		memcpy(id, kept.data, kept.size);
		return kept.size;
	}
	if (f->source.pid > 0) {
		path = rec_host_path(b->host.procfs, "%d/root%s", f->source.pid, name);
		n = read_same_file(path, f, id);
		free(path);
	}
	return n ? n : read_same_file(name, f, id);
}

static void read_id(const struct rec_buildids *b, struct mapped_file *f)
{
	const char *name = name_of(b, f);
	char buf[128];
	u8 id[20];
	size_t n;

	if (f->cpumode != PD_CPUMODE_KERNEL) {
		if (name_starts(name, "[vdso32]") || name_starts(name, "[vdsox32]"))
			return;
		n = name[0] == '[' ? vdso_build_id(id) : read_user_file(b, f, id);
	} else if (name_starts(name, "[kernel.kallsyms]")) {
		n = sysfs_build_id(&b->host, "kernel/notes", id);
	} else {
		n = module_build_id(&b->host, module_name(name, buf), id);
		if (!n && name[0] == '/')
			n = build_id_of_path(name, id);
	}
	if (n)
		set_id(f, id, n);
}

/*
 * Returns true for the first entry of this build-id and name. A file may have been seen twice, once
 * with its build-id in the record and once without.
 */
static bool is_first(struct idmap *written, const struct mapped_file *f)
{
	u64 id = hash_bytes(f->id, f->id_size);

	if (idmap_get(written, id, f->name) != IDMAP_NONE)
		return false;
	idmap_put(written, id, f->name, 0);
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
 * Collects the names for which a file exists whose build-id is unknown. Readers apply an
 * entry to all files of its name that have no id in their own records, so entries of such names
 * would be wrong for that file. The other files of the name have their ids in their records.
 */
static void collect_ambiguous(const struct rec_buildids *b, struct idmap *ret)
{
	for (size_t i = 0; i < b->nr; i++)
		if (!b->files[i].id_size && b->files[i].cpumode == PD_CPUMODE_USER)
			idmap_put(ret, b->files[i].name, 0, 0);
}

static bool is_ambiguous(const struct idmap *names, const struct mapped_file *f)
{
	return f->had_id && idmap_get(names, f->name, 0) != IDMAP_NONE;
}

void buildids_encode(struct rec_buildids *b, u32 budget_ms, struct wbuf *out, u64 *ret_missed)
{
	u64 until = now_ms() + budget_ms, missed = 0;
	struct idmap written = { 0 }, ambiguous = { 0 };

	for (size_t i = 0; i < b->nr; i++) {
		struct mapped_file *f = &b->files[i];

		if (!f->id_size && now_ms() >= until) {
			missed++;
			continue;
		}
		if (!f->id_size)
			read_id(b, f);
	}
	collect_ambiguous(b, &ambiguous);
	for (size_t i = 0; i < b->nr; i++) {
		const struct mapped_file *f = &b->files[i];
		struct pd_build_id id = id_of(f);

		if (f->id_size && !is_ambiguous(&ambiguous, f) && is_first(&written, f))
			pd_put_build_id(out, -1, f->cpumode, &id, name_of(b, f));
	}
	encode_kept(b, out);
	idmap_fini(&written);
	idmap_fini(&ambiguous);
	*ret_missed = missed;
}
