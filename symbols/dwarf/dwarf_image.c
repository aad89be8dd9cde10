/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/dwarf_image.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/pages.h"
#include "symbols/elf/section_expand.h"

#define ALIGN 16
/*
 * The largest plausible ratio of all expanded sections to the file. In a file made to exhaust
 * memory, sections share compressed bytes.
 */
#define MAX_RATIO 32
#define SMALL ((u64)1 << 20) /* up to this expanded size any ratio is accepted */

/* The position and the format of the section headers, some of which are changed. */
struct headers {
	u64 off;
	size_t entsize;
	bool is_64, swap;
};

static u64 align_up(u64 n, u64 to)
{
	return (n + to - 1) / to * to;
}

static bool is_debug(const struct obj_section *s)
{
	return !strncmp(s->name, ".debug_", 7) || !strncmp(s->name, ".zdebug_", 8);
}

/* True for sections that lookups of lines or inlined functions need. Others are not expanded. */
static bool is_wanted(const struct obj_section *s)
{
	static const char *const unwanted[] = { "loc",          "loclists", "macro",
						"macinfo",      "names",    "gnu_pubnames",
						"gnu_pubtypes", "frame",    "pubnames",
						"pubtypes" };
	const char *name = strchr(s->name, '_') + 1;
	size_t n = strcspn(name, ".");

	for (size_t i = 0; i < sizeof(unwanted) / sizeof(*unwanted); i++)
		if (strlen(unwanted[i]) == n && !strncmp(name, unwanted[i], n))
			return false;
	return true;
}

bool dwarf_image_is_needed(const struct object *o)
{
	for (size_t i = 1; i < o->nr_sections; i++)
		if (is_debug(&o->sections[i]) && section_is_compressed(o, &o->sections[i]))
			return true;
	return false;
}

static bool find_headers(const struct object *o, struct headers *ret)
{
	size_t off = o->is_64 ? offsetof(Elf64_Ehdr, e_shoff) : offsetof(Elf32_Ehdr, e_shoff);
	size_t size =
		o->is_64 ? offsetof(Elf64_Ehdr, e_shentsize) : offsetof(Elf32_Ehdr, e_shentsize);

	if (o->file.n < (o->is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
		return false;
	*ret = (struct headers){
		.off = o->is_64 ? get_u64(o->file.p + off, o->swap)
				: get_u32(o->file.p + off, o->swap),
		.entsize = get_u16(o->file.p + size, o->swap),
		.is_64 = o->is_64,
		.swap = o->swap,
	};
	return ret->entsize == (o->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)) &&
	       ret->off <= o->file.n && o->nr_sections <= (o->file.n - ret->off) / ret->entsize;
}

static void put_word(u8 *p, bool is_64, bool swap, u64 v)
{
	u64 v64 = swap ? bswap_64(v) : v;
	u32 v32 = swap ? bswap_32((u32)v) : (u32)v;

	memcpy(p, is_64 ? (void *)&v64 : (void *)&v32, is_64 ? 8 : 4);
}

/* The bytes of a field in section header i. */
#define FIELD(img, h, i, name)                      \
	((img)->p + (h)->off + (i) * (h)->entsize + \
	 ((h)->is_64 ? offsetof(Elf64_Shdr, name) : offsetof(Elf32_Shdr, name)))

/* Changes section header i: the section is uncompressed and at off. */
static void move_section(struct dwarf_image *img, const struct headers *h, const struct object *o,
			 size_t i, u64 off, u64 size)
{
	const struct obj_section *s = &o->sections[i];
	u8 *name = FIELD(img, h, i, sh_name);

	put_word(FIELD(img, h, i, sh_flags), h->is_64, h->swap, s->flags & ~(u64)SHF_COMPRESSED);
	put_word(FIELD(img, h, i, sh_offset), h->is_64, h->swap, off);
	put_word(FIELD(img, h, i, sh_size), h->is_64, h->swap, size);
	if (s->name[1] == 'z') {
		/* Turns the name ".zdebug_..." into ".debug_...", which begins one byte later. */
		size_t at = (size_t)((const u8 *)s->name - o->file.p) + 1;

		img->p[at] = '.';
		put_word(name, false, h->swap, get_u32(name, h->swap) + 1);
	}
}

static void hide_section(struct dwarf_image *img, const struct headers *h, size_t i)
{
	put_word(FIELD(img, h, i, sh_type), false, h->swap, SHT_NOBITS);
}

static struct string_slot *slot_of(struct dwarf_image *img, const struct obj_section *s)
{
	if (!strcmp(s->name, ".debug_str") || !strcmp(s->name, ".zdebug_str"))
		return &img->str;
	return strcmp(s->name, ".debug_line_str") ? NULL : &img->line_str;
}

/* Returns how many bytes section s takes after the end of the file; 0: it stays in place. */
static u64 extra_size(const struct object *o, const struct obj_section *s, bool with_slots,
		      struct dwarf_image *img, size_t *ret_size)
{
	bool slot = with_slots && slot_of(img, s);

	if (!is_debug(s) || !is_wanted(s) || !object_bytes(o, s).n ||
	    (!slot && !section_is_compressed(o, s)) || section_expanded_size(o, s, ret_size, NULL))
		return 0;
	return align_up(*ret_size + (slot ? STRING_SLOT_SIZE : 0), ALIGN);
}

static bool fill(struct dwarf_image *img, const struct object *o, const struct obj_section *s,
		 u64 off, size_t size)
{
	if (section_is_compressed(o, s)) {
		pages_will_fill(img->p + off, size);
		return !section_expand(o, s, img->p + off, size, NULL);
	}
	memcpy(img->p + off, object_bytes(o, s).p, size);
	return true;
}

static bool is_line(const struct obj_section *s)
{
	return !strcmp(s->name, ".debug_line") || !strcmp(s->name, ".zdebug_line");
}

/*
 * Puts off expanding section s, if it is the line table, until dwarf_image_expand_lines(). Returns
 * false for all other sections.
 */
static bool put_off(struct dwarf_image *img, const struct object *o, const struct obj_section *s,
		    u64 off, size_t size)
{
	if (img->line.size || !is_line(s) || !section_is_compressed(o, s))
		return false;
	img->line = (struct late_section){ *s, off, size };
	/* a copy, because the name in the file may be unmapped or changed */
	img->line.section.name = s->name[1] == 'z' ? ".zdebug_line" : ".debug_line";
	return true;
}

void dwarf_image_expand_lines(struct dwarf_image *i)
{
	struct late_section l = i->line;
	struct object o = { .file = span_of(i->p, i->file_n), .is_64 = i->is_64, .swap = i->swap };

	i->line.size = 0;
	if (l.size && section_expand(&o, &l.section, i->p + l.off, l.size, NULL))
		memset(i->p + l.off, 0, l.size);
}

static void place_sections(struct dwarf_image *img, const struct headers *h, const struct object *o,
			   bool with_slots, u64 off)
{
	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct obj_section *s = &o->sections[i];
		size_t size;
		u64 extra = extra_size(o, s, with_slots, img, &size);
		struct string_slot *slot = with_slots ? slot_of(img, s) : NULL;

		if (!extra || (!put_off(img, o, s, off, size) && !fill(img, o, s, off, size))) {
			if (is_debug(s) && section_is_compressed(o, s))
				hide_section(img, h, i);
			off += extra;
			continue;
		}
		if (slot) {
			*slot = (struct string_slot){ img->p + off + size, size };
			size += STRING_SLOT_SIZE;
		}
		move_section(img, h, o, i, off, size);
		off += extra;
	}
}

/*
 * Maps o's file once more, privately, at p. Returns false if its headers show that it is not the
 * file any more that o was made from.
 */
static bool map_again(const struct object *o, const struct headers *h, u8 *p)
{
	const struct file_rules rules = { .root = o->root };
	bool good = false;
	struct stat st;
	int fd;

	if (!o->map || regular_file_open(o->path, &rules, &fd) != FILE_FINE)
		return false;
	if (!fstat(fd, &st) && (u64)st.st_size == o->file.n &&
	    mmap(p, o->file.n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0) == p)
		good = !memcmp(p, o->file.p, EI_NIDENT) &&
		       !memcmp(p + h->off, o->file.p + h->off, o->nr_sections * h->entsize);
	close(fd);
	return good;
}

int dwarf_image_make(const struct object *o, bool with_slots, struct dwarf_image *ret,
		     struct perr *e)
{
	u64 page = (u64)sysconf(_SC_PAGESIZE), start = align_up(o->file.n, page), extra = 0;
	u64 limit = SMALL + MAX_RATIO * (u64)o->file.n;
	struct dwarf_image img = { 0 };
	struct headers h;
	size_t size;
	void *map;

	if (!find_headers(o, &h))
		return perr_set(e, PERR_FORMAT, "%s: its section headers are damaged", o->path);
	for (size_t i = 1; i < o->nr_sections && extra <= limit; i++)
		extra += extra_size(o, &o->sections[i], with_slots, &img, &size);
	if (extra > limit)
		return perr_set(e, PERR_LIMIT,
				"%s: its debug sections expand to %llu bytes, which is too much",
				o->path, (unsigned long long)extra);
	map = mmap(NULL, start + extra, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return perr_io(e, "%s: no room to expand it", o->path);
	img.p = map;
	img.n = start + extra;
	img.file_n = o->file.n;
	img.is_64 = o->is_64;
	img.swap = o->swap;
	if (!map_again(o, &h, img.p)) {
		/* the mapping replaces what may be mapped there now */
		if (mmap(map, start, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != map) {
			munmap(map, img.n);
			return perr_io(e, "%s: no room to expand it", o->path);
		}
		memcpy(img.p, o->file.p, o->file.n);
	}
	place_sections(&img, &h, o, with_slots, start);
	*ret = img;
	return 0;
}

void dwarf_image_fini(struct dwarf_image *i)
{
	if (i->p)
		munmap(i->p, i->n);
	*i = (struct dwarf_image){ 0 };
}
