/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/split_dwarf.h"

#include <dwarf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "symbols/dwarf/dwp.h"
#include "symbols/dwarf/split_file.h"

/* The most tries that are noted for --why: a program may have thousands of .dwo files. */
#define MAX_TRIES 64

struct split_dwarf {
	const struct symbols_config *cfg;
	const struct object *o;
	const char *code_path;
	struct dwarf_elf *d;
	struct object *package; /* NULL: none */
	struct dwarf_image package_image;
	struct dwp *dwp; /* the index of package */
	bool package_tried;
	struct idmap asked; /* (unit id, offset of the skeleton) -> 1: libdw has the unit, 0: it was
			     * not found. libdw searches only once for each */
	/* the caller's list for notes, set during a call */
	struct debugfile_try **tries;
	size_t *nr_tries, *cap_tries;
};

/* What a skeleton unit says about its split unit. */
struct skeleton {
	Dwarf_Die *die;
	u64 id;
	u16 version;
	u8 offset_size;
	const char *name, *comp_dir; /* comp_dir is NULL if there is none */
	Dwarf_Attribute name_attr;
};

struct split_dwarf *split_dwarf_new(const struct symbols_config *cfg, const struct object *o,
				    const char *code_path, struct dwarf_elf *d)
{
	struct split_dwarf *s = xcalloc(1, sizeof(*s));

	s->cfg = cfg;
	s->o = o;
	s->code_path = code_path ? code_path : o->path;
	s->d = d;
	return s;
}

static void close_package(struct split_dwarf *s)
{
	dwp_close(s->dwp);
	object_close(s->package);
	dwarf_image_fini(&s->package_image);
	s->dwp = NULL;
	s->package = NULL;
}

void split_dwarf_free(struct split_dwarf *s)
{
	if (!s)
		return;
	close_package(s);
	idmap_fini(&s->asked);
	free(s);
}

static void note(struct split_dwarf *s, const char *path, const char *why)
{
	struct debugfile_try t = { .path = (char *)path, .letter = 'w', .why = why };

	if (!why)
		t.roles = DEBUGFILE_DWARF;
	if (*s->nr_tries < MAX_TRIES)
		debugfile_note(s->tries, s->nr_tries, s->cap_tries, &t);
}

static bool read_skeleton(Dwarf_Die *die, struct skeleton *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Half version;
	uint8_t type, offset_size;

	*ret = (struct skeleton){ .die = die };
	if (dwarf_cu_info(die->cu, &version, &type, NULL, NULL, &ret->id, NULL, &offset_size) ||
	    type != DW_UT_skeleton)
		return false;
	ret->version = version;
	ret->offset_size = offset_size;
	if (!dwarf_attr(die, DW_AT_dwo_name, &ret->name_attr) &&
	    !dwarf_attr(die, DW_AT_GNU_dwo_name, &ret->name_attr))
		return false;
	ret->name = dwarf_formstring(&ret->name_attr);
	if (dwarf_attr(die, DW_AT_comp_dir, &attr))
		ret->comp_dir = dwarf_formstring(&attr);
	return ret->name && *ret->name;
}

static bool has_unit(Dwarf *dwarf, u64 id)
{
	Dwarf_CU *cu = NULL;
	u64 unit_id;
	uint8_t type;
	Dwarf_Half version;

	while (!dwarf_get_units(dwarf, cu, &cu, &version, &type, NULL, NULL)) {
		if (type == DW_UT_split_compile &&
		    !dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &unit_id, NULL, NULL) &&
		    unit_id == id)
			return true;
	}
	return false;
}

/*
 * Opens o as *ret if it contains the unit with this id and returns NULL; else returns the reason
 * why not.
 */
static const char *check_dwo(const struct object *o, u64 id, struct dwarf_elf *ret)
{
	const char *why = NULL;

	if (dwarf_elf_open(o, ret, NULL))
		return "it has no debug information";
	dwarf_image_expand_lines(&ret->image);
	if (!has_unit(ret->dwarf, id)) {
		why = "it belongs to another build: the unit's id differs";
		dwarf_elf_close(ret);
	}
	return why;
}

/*
 * Opens the file at path. Returns NULL, or the reason why it is not used; a file that was refused
 * gives a warning.
 */
static const char *open_file(struct split_dwarf *s, const char *path, struct object **ret)
{
	const struct file_rules rules = symbols_file_rules(s->cfg);
	enum file_fault fault = regular_file_find(path, &rules);

	if (fault != FILE_FINE) {
		symbols_warn_refused(s->cfg, path, fault);
		return file_fault_text(fault);
	}
	return object_open_by(path, &rules, ret, NULL) ? "not a readable ELF file" : NULL;
}

/* Tries the .dwo file at path. Frees path, which is malloc'd or NULL. */
static bool try_dwo(struct split_dwarf *s, const struct skeleton *sk, char *path,
		    struct split_file *ret)
{
	const struct file_rules rules = symbols_file_rules(s->cfg);
	struct object *o = NULL;
	struct dwarf_elf d;
	const char *why;
	bool found = false;

	if (!path)
		return false;
	why = open_file(s, path, &o);
	if (!why) {
		why = check_dwo(o, sk->id, &d);
		if (!why) {
			/*
			 * pass the expanded copy: libdw cannot expand zstd, and does not limit what
			 * it expands
			 */
			if (d.image.p)
				found = split_file_in_memory(d.image.p, d.image.n, ret);
			else
				found = split_file_on_disk(path, &rules, ret);
			dwarf_elf_close(&d);
			if (!found)
				why = "it cannot be opened";
		}
		object_close(o);
	}
	note(s, path, why);
	free(path);
	return found;
}

/*
 * Returns where this machine has the file with this recorded path, malloc'd: with --symfs, below
 * that folder. NULL if no such file may be read.
 */
static char *on_machine(const struct split_dwarf *s, const char *path)
{
	if (s->cfg->symfs && *s->cfg->symfs)
		return xasprintf("%s%s", s->cfg->symfs, path);
	return s->cfg->hermetic ? NULL : xstrdup(path);
}

/* Returns the path, malloc'd, of `name` in the folder of the file at path. */
static char *beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	return slash ? xasprintf("%.*s/%s", (int)(slash - path), path, name) : xstrdup(name);
}

static bool find_dwo(struct split_dwarf *s, const struct skeleton *sk, struct split_file *ret)
{
	const char *base = strrchr(sk->name, '/');
	bool absolute = *sk->name == '/';
	char *path;

	base = base ? base + 1 : sk->name;
	if (absolute) {
		path = on_machine(s, sk->name);
	} else if (sk->comp_dir && *sk->comp_dir == '/') {
		char *joined = xasprintf("%s/%s", sk->comp_dir, sk->name);

		path = on_machine(s, joined);
		free(joined);
	} else {
		path = NULL;
	}
	if (try_dwo(s, sk, path, ret))
		return true;
	/* the .dwo files may have been moved together with the program */
	if (!absolute && base != sk->name && try_dwo(s, sk, beside(s->o->path, sk->name), ret))
		return true;
	if (try_dwo(s, sk, beside(s->o->path, base), ret))
		return true;
	return strcmp(s->code_path, s->o->path) && try_dwo(s, sk, beside(s->code_path, base), ret);
}

/* Opens the DWARF package at path, unless one is open already. Frees path. */
static void try_package(struct split_dwarf *s, char *path)
{
	struct object *o;
	const char *why;
	struct perr e;
	int err = 0;

	if (s->dwp) {
		free(path);
		return;
	}
	why = open_file(s, path, &s->package);
	if (why) {
		note(s, path, why);
		free(path);
		return;
	}
	if (dwarf_image_is_needed(s->package)) {
		err = dwarf_image_make(s->package, false, &s->package_image, &e);
		dwarf_image_expand_lines(&s->package_image);
		object_close(s->package);
		s->package = NULL;
		if (!err)
			err = object_open_mem(path, s->package_image.p, s->package_image.n, &o, &e);
		if (!err)
			s->package = o;
	}
	if (!err)
		err = dwp_open(s->package, &s->dwp, &e);
	if (err) {
		why = err == PERR_NOTFOUND ? "it has no index of units"
					   : "its index of units is damaged";
		close_package(s);
	}
	note(s, path, why);
	free(path);
}

/*
 * Searches the DWARF package: FILE.dwp next to the program or next to its debug file, there also
 * without the suffix .debug.
 */
static void open_package(struct split_dwarf *s)
{
	size_t n = strlen(s->o->path), suffix = strlen(".debug");

	s->package_tried = true;
	try_package(s, xasprintf("%s.dwp", s->code_path));
	if (strcmp(s->code_path, s->o->path))
		try_package(s, xasprintf("%s.dwp", s->o->path));
	if (n > suffix && !strcmp(s->o->path + n - suffix, ".debug"))
		try_package(s, xasprintf("%.*s.dwp", (int)(n - suffix), s->o->path));
}

static bool find_in_package(struct split_dwarf *s, const struct skeleton *sk,
			    struct split_file *ret)
{
	bool found;
	size_t n;
	u8 *p;

	if (!s->package_tried)
		open_package(s);
	if (!s->dwp || dwp_unit(s->dwp, sk->id, &p, &n, NULL))
		return false;
	found = split_file_in_memory(p, n, ret);
	free(p);
	return found;
}

/* The bytes of the image that refer to a skeleton's name, saved to be restored. */
struct patch {
	u8 *at;
	size_t size;
	u8 saved[8];
};

static bool in_image(const struct dwarf_image *img, const u8 *p, size_t n)
{
	return p >= img->p && n <= img->n && (size_t)(p - img->p) <= img->n - n;
}

/*
 * Returns the entry for string number i of the unit in .debug_str_offsets; NULL if the file does
 * not have it.
 */
static u8 *string_offset_at(struct split_dwarf *s, const struct skeleton *sk, u64 i)
{
	const struct obj_section *sec = object_section(s->o, ".debug_str_offsets");
	GElf_Shdr sh;
	Elf_Scn *scn;
	Dwarf_Attribute attr;
	Dwarf_Word base = 0;

	/*
	 * libelf says where the section is in the image: if it was expanded, not where it is in the
	 * file
	 */
	if (!sec)
		sec = object_section(s->o, ".zdebug_str_offsets");
	scn = sec ? elf_getscn(s->d->elf, (size_t)(sec - s->o->sections)) : NULL;
	if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_offset > s->d->image.n ||
	    sh.sh_size > s->d->image.n - sh.sh_offset)
		return NULL;
	if (dwarf_attr(sk->die, DW_AT_str_offsets_base, &attr) && dwarf_formudata(&attr, &base))
		return NULL;
	if (base > sh.sh_size || i >= (sh.sh_size - base) / sk->offset_size)
		return NULL;
	return s->d->image.p + sh.sh_offset + base + i * sk->offset_size;
}

static bool read_index(const Dwarf_Attribute *a, struct span in, bool swap, u64 *ret)
{
	struct cursor c = cursor_of(in, swap);
	unsigned int shift = 0;
	u8 byte;

	*ret = 0;
	switch (a->form) {
	case DW_FORM_strx1: *ret = cur_u8(&c); break;
	case DW_FORM_strx2: *ret = cur_u16(&c); break;
	case DW_FORM_strx4: *ret = cur_u32(&c); break;
	case DW_FORM_strx3: {
		struct span b = cur_bytes(&c, 3);

		if (b.n == 3)
			*ret = swap ? (u64)b.p[0] << 16 | (u64)b.p[1] << 8 | b.p[2]
				    : (u64)b.p[2] << 16 | (u64)b.p[1] << 8 | b.p[0];
		break;
	}
	default:
		do {
			byte = cur_u8(&c);
			if (shift < 64)
				*ret |= (u64)(byte & 0x7f) << shift;
			shift += 7;
		} while (byte & 0x80 && !c.bad);
	}
	return !c.bad;
}

/*
 * Makes the skeleton's name refer to a string slot of the image, which link_unit() fills. Returns
 * false for forms that no compiler uses for this name.
 */
static bool patch_name(struct split_dwarf *s, const struct skeleton *sk, struct patch *p,
		       const struct string_slot **ret_slot)
{
	const struct dwarf_image *img = &s->d->image;
	const struct string_slot *slot = &img->str;
	u8 *at = sk->name_attr.valp;
	bool swap = s->o->swap;
	u64 i, off;
	u32 off32;

	if (!img->p || !in_image(img, at, 1))
		return false;
	switch (sk->name_attr.form) {
	case DW_FORM_line_strp: slot = &img->line_str; break;
	case DW_FORM_strp: break;
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		if (!read_index(&sk->name_attr, span_of(at, (size_t)(img->p + img->n - at)), swap,
				&i))
			return false;
		at = string_offset_at(s, sk, i);
		break;
	default: return false;
	}
	if (!slot->p || !at || !in_image(img, at, sk->offset_size) || sk->offset_size > 8)
		return false;
	*p = (struct patch){ at, sk->offset_size, { 0 } };
	memcpy(p->saved, at, p->size);
	off = swap ? bswap_64(slot->off) : slot->off;
	off32 = swap ? bswap_32((u32)slot->off) : (u32)slot->off;
	memcpy(at, p->size == 8 ? (void *)&off : (void *)&off32, p->size);
	*ret_slot = slot;
	return true;
}

/*
 * Makes libdw open the split unit in the file at path: writes path into the image as the skeleton's
 * name while libdw searches.
 */
static bool link_unit(struct split_dwarf *s, const struct skeleton *sk, const char *path,
		      Dwarf_Die *ret)
{
	const struct string_slot *slot;
	Dwarf_Die die = { 0 };
	struct patch p;
	bool found;

	if (strlen(path) >= STRING_SLOT_SIZE || !patch_name(s, sk, &p, &slot))
		return false;
	memcpy(slot->p, path, strlen(path) + 1);
	found = !dwarf_cu_info(sk->die->cu, NULL, NULL, NULL, &die, NULL, NULL, NULL) && die.addr;
	memcpy(p.at, p.saved, p.size);
	*slot->p = 0;
	if (found)
		*ret = die;
	return found;
}

bool split_dwarf_find(struct split_dwarf *s, Dwarf_Die *skeleton, Dwarf_Die *ret,
		      struct debugfile_try **tries, size_t *nr, size_t *cap)
{
	struct split_file file;
	struct skeleton sk;
	Dwarf_Die die = { 0 };
	Dwarf_Off off = dwarf_dieoffset(skeleton);
	u32 state;
	bool found;

	s->tries = tries;
	s->nr_tries = nr;
	s->cap_tries = cap;
	if (!read_skeleton(skeleton, &sk))
		return false;
	state = idmap_get(&s->asked, sk.id, off);
	if (state != IDMAP_NONE) {
		/* state 1: libdw has the unit */
		if (!state || dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, &die, NULL, NULL, NULL))
			return false;
		if (die.addr)
			*ret = die;
		return die.addr;
	}
	found = find_in_package(s, &sk, &file) || find_dwo(s, &sk, &file);
	if (found) {
		found = link_unit(s, &sk, file.path, ret);
		split_file_close(&file);
	}
	idmap_put(&s->asked, sk.id, off, found);
	return found;
}
