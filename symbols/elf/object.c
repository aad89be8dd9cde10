/* SPDX-License-Identifier: MIT */
#include "symbols/elf/object.h"

#include <endian.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

static bool host_is_big(void)
{
	return BYTE_ORDER == BIG_ENDIAN;
}

const char *object_string(struct span strings, u64 off)
{
	if (off >= strings.n || !memchr(strings.p + off, 0, strings.n - off))
		return NULL;
	return (const char *)strings.p + off;
}

struct span object_bytes(const struct object *o, const struct obj_section *s)
{
	if (!s || s->type == SHT_NOBITS || s->type == SHT_NULL || s->off > o->file.n ||
	    s->size > o->file.n - s->off)
		return span_of(NULL, 0);
	return span_of(o->file.p + s->off, s->size);
}

const struct obj_section *object_section(const struct object *o, const char *name)
{
	for (size_t i = 1; i < o->nr_sections; i++)
		if (!strcmp(o->sections[i].name, name))
			return &o->sections[i];
	return NULL;
}

const struct obj_load *object_load_at(const struct object *o, u64 vaddr)
{
	for (size_t i = 0; i < o->nr_loads; i++) {
		const struct obj_load *l = &o->loads[i];
		u64 size = l->memsz > l->filesz ? l->memsz : l->filesz;

		if (vaddr >= l->vaddr && vaddr - l->vaddr < size)
			return l;
	}
	return NULL;
}

static int read_loads(struct object *o, Elf *elf, struct perr *e)
{
	size_t nr, cap = 0;

	if (elf_getphdrnum(elf, &nr))
		return perr_set(e, PERR_FORMAT, "%s: %s", o->path, elf_errmsg(-1));
	/* libelf has compared nr with the file's size, up to the 2^32 of PN_XNUM. */
	if (nr > o->file.n / 32)
		return perr_set(
			e, PERR_FORMAT,
			"%s: damaged ELF header: %zu program headers in a file of %zu bytes",
			o->path, nr, o->file.n);
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(elf, (int)i, &ph))
			break;
		if (ph.p_type == PT_GNU_EH_FRAME) {
			o->eh_frame_hdr.vaddr = ph.p_vaddr;
			o->eh_frame_hdr.size = ph.p_filesz;
		}
		if (ph.p_type != PT_LOAD || (!ph.p_memsz && !ph.p_filesz))
			continue;
		vec_push(o->loads, o->nr_loads, cap,
			 ((struct obj_load){ .vaddr = ph.p_vaddr,
					     .off = ph.p_offset,
					     .filesz = ph.p_filesz,
					     .memsz = ph.p_memsz,
					     .flags = ph.p_flags }));
	}
	return 0;
}

static int read_sections(struct object *o, Elf *elf, struct perr *e)
{
	size_t nr, names_index = 0;
	struct span names;

	if (elf_getshdrnum(elf, &nr))
		return perr_set(e, PERR_FORMAT, "%s: %s", o->path, elf_errmsg(-1));
	if (!nr)
		return 0;
	if (nr > o->file.n / 40)
		return perr_set(
			e, PERR_FORMAT,
			"%s: damaged ELF header: %zu section headers in a file of %zu bytes",
			o->path, nr, o->file.n);
	o->sections = xcalloc(nr, sizeof(*o->sections));
	o->nr_sections = nr;
	for (size_t i = 0; i < nr; i++) {
		Elf_Scn *scn = elf_getscn(elf, i);
		GElf_Shdr sh;

		o->sections[i].name = "";
		if (!scn || !gelf_getshdr(scn, &sh))
			continue;
		o->sections[i] = (struct obj_section){
			.name = "",
			.type = sh.sh_type,
			.link = sh.sh_link,
			.info = sh.sh_info,
			.flags = sh.sh_flags,
			.addr = sh.sh_addr,
			.off = sh.sh_offset,
			.size = sh.sh_size,
			.align = sh.sh_addralign,
			.entsize = sh.sh_entsize,
		};
	}
	if (elf_getshdrstrndx(elf, &names_index) || names_index >= nr)
		return 0;
	names = object_bytes(o, &o->sections[names_index]);
	for (size_t i = 1; i < nr; i++) {
		Elf_Scn *scn = elf_getscn(elf, i);
		GElf_Shdr sh;
		const char *name = NULL;

		if (scn && gelf_getshdr(scn, &sh))
			name = object_string(names, sh.sh_name);
		if (name)
			o->sections[i].name = name;
	}
	return 0;
}

/*
 * Finds the GNU build-id among notes. A note is u32 namesz, u32 descsz, u32 type, then name and
 * desc, each padded to the alignment.
 */
static bool find_build_id(struct object *o, struct span notes, u64 align)
{
	struct cursor c = cursor_of(notes, o->swap);
	size_t pad = align == 8 ? 7 : 3;

	while (cur_left(&c) >= 12) {
		u32 namesz = cur_u32(&c), descsz = cur_u32(&c), type = cur_u32(&c);
		struct span name, desc;
		size_t done;

		name = cur_bytes(&c, namesz);
		done = (size_t)(c.p - notes.p);
		cur_skip(&c, -done & pad);
		desc = cur_bytes(&c, descsz);
		if (c.bad)
			return false;
		if (type == NT_GNU_BUILD_ID && name.n == 4 && !memcmp(name.p, "GNU", 4) && desc.n) {
			size_t n = desc.n < BUILD_ID_MAX ? desc.n : BUILD_ID_MAX;

			memcpy(o->build_id, desc.p, n);
			o->build_id_size = (u8)n;
			return true;
		}
		done = (size_t)(c.p - notes.p);
		if ((-done & pad) > cur_left(&c))
			return false;
		cur_skip(&c, -done & pad);
	}
	return false;
}

static void read_build_id(struct object *o, Elf *elf)
{
	static const char *const names[] = { ".note.gnu.build-id", ".notes", ".note" };
	size_t nr;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct obj_section *s = object_section(o, names[i]);

		if (s && s->type == SHT_NOTE && find_build_id(o, object_bytes(o, s), s->align))
			return;
	}
	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct obj_section *s = &o->sections[i];

		if (s->type == SHT_NOTE && find_build_id(o, object_bytes(o, s), s->align))
			return;
	}
	/*
	 * Without section headers (images read from memory, and the output of sstrip), the notes
	 * are found by the program headers.
	 */
	if (o->nr_sections || elf_getphdrnum(elf, &nr))
		return;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(elf, (int)i, &ph))
			return;
		if (ph.p_type != PT_NOTE || ph.p_offset > o->file.n ||
		    ph.p_filesz > o->file.n - ph.p_offset)
			continue;
		if (find_build_id(o, span_of(o->file.p + ph.p_offset, ph.p_filesz), ph.p_align))
			return;
	}
}

static int read_headers(struct object *o, struct perr *e)
{
	GElf_Ehdr eh;
	Elf *elf;
	int err;

	if (o->file.n < EI_NIDENT || memcmp(o->file.p, ELFMAG, SELFMAG))
		return perr_set(e, PERR_FORMAT, "%s: not an ELF file", o->path);
	if (elf_version(EV_CURRENT) == EV_NONE)
		return perr_set(e, PERR_UNSUPPORTED, "%s: %s", o->path, elf_errmsg(-1));
	/* libelf does not write to an image that the caller passes in. */
	elf = elf_memory((char *)(uintptr_t)o->file.p, o->file.n);
	if (!elf)
		return perr_set(e, PERR_FORMAT, "%s: %s", o->path, elf_errmsg(-1));
	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &eh)) {
		err = perr_set(e, PERR_FORMAT, "%s: damaged ELF header", o->path);
		goto out;
	}
	o->is_64 = eh.e_ident[EI_CLASS] == ELFCLASS64;
	o->swap = (eh.e_ident[EI_DATA] == ELFDATA2MSB) != host_is_big();
	o->type = eh.e_type;
	o->machine = eh.e_machine;
	err = read_loads(o, elf, e);
	if (!err)
		err = read_sections(o, elf, e);
	/* linkers set the entry of some libraries to the start of their code */
	if (!err && (o->type == ET_EXEC || object_section(o, ".interp")))
		o->entry = eh.e_entry;
	if (!err)
		read_build_id(o, elf);
out:
	elf_end(elf);
	return err;
}

static int finish_open(struct object *o, struct object **ret, struct perr *e)
{
	int err = read_headers(o, e);

	if (err)
		object_close(o);
	else
		*ret = o;
	return err;
}

int object_open_mem(const char *path, const void *p, size_t n, struct object **ret, struct perr *e)
{
	struct object *o = xcalloc(1, sizeof(*o));

	o->path = xstrdup(path);
	o->file = span_of(p, n);
	return finish_open(o, ret, e);
}

int object_open_take(const char *path, void *p, size_t n, struct object **ret, struct perr *e)
{
	struct object *o = xcalloc(1, sizeof(*o));

	o->path = xstrdup(path);
	o->file = span_of(p, n);
	o->owned = p;
	return finish_open(o, ret, e);
}

int object_open_by(const char *path, const struct file_rules *rules, struct object **ret,
		   struct perr *e)
{
	struct object *o;
	struct stat st;
	int fd, err = 0;
	enum file_fault fault = regular_file_open(path, rules, &fd);
	void *map;

	if (fault != FILE_FINE)
		return file_fault_set(fault, path, e);
	if (fstat(fd, &st))
		err = perr_io(e, "%s", path);
	else if (st.st_size < EI_NIDENT)
		err = perr_set(e, PERR_FORMAT, "%s: not an ELF file", path);
	if (err) {
		close(fd);
		return err;
	}
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		err = perr_io(e, "%s", path);
	close(fd);
	if (err)
		return err;
	o = xcalloc(1, sizeof(*o));
	o->path = xstrdup(path);
	o->root = rules && rules->root ? xstrdup(rules->root) : NULL;
	o->file = span_of(map, (size_t)st.st_size);
	o->map = map;
	return finish_open(o, ret, e);
}

int object_open(const char *path, struct object **ret, struct perr *e)
{
	return object_open_by(path, NULL, ret, e);
}

void object_give_pages_back(const struct object *o)
{
	/* nothing was ever written to them */
	if (o->map)
		(void)madvise(o->map, o->file.n, MADV_DONTNEED);
}

void object_close(struct object *o)
{
	if (!o)
		return;
	if (o->map)
		munmap(o->map, o->file.n);
	free(o->owned);
	free(o->loads);
	free(o->sections);
	free(o->path);
	free(o->root);
	free(o);
}
