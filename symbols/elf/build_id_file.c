/* SPDX-License-Identifier: MIT */
#include "symbols/elf/build_id_file.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <unistd.h>

#include "base/files/regular_file.h"
#include "base/mem.h"

#define FIRST_READ 4096 /* enough for the headers and the build-id note of nearly every file */
#define MAX_TABLE ((size_t)4 << 20)
#define MAX_NOTES ((size_t)64 << 10)

/* The bytes of a file or of memory. `head` is the beginning, read once. */
struct source {
	int fd; /* -1: head is everything */
	struct span head;
};

/* The fields of a program or section header that are needed, of 32-bit and 64-bit files. */
struct elf_part {
	u32 type;
	u64 off, size, align;
};

struct elf_layout {
	bool is_64, swap;
	u64 phoff, shoff;
	u32 phentsize, phnum, shentsize, shnum;
};

static ssize_t read_at(int fd, void *buf, size_t n, u64 off)
{
	size_t done = 0;

	if (off > INT64_MAX - n)
		return -1;
	while (done < n) {
		ssize_t got = pread(fd, (u8 *)buf + done, n - done, (off_t)(off + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (!got)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

/*
 * Returns bytes [off, off + n) of the source; none if n > limit or the source is shorter. The
 * caller frees *ret_owned when it has used them.
 */
static struct span source_bytes(const struct source *s, u64 off, u64 n, size_t limit,
				void **ret_owned)
{
	void *buf;

	*ret_owned = NULL;
	if (!n || n > limit)
		return span_of(NULL, 0);
	if (off <= s->head.n && n <= s->head.n - off)
		return span_of(s->head.p + off, n);
	if (s->fd < 0)
		return span_of(NULL, 0);
	buf = xmalloc(n);
	if (read_at(s->fd, buf, n, off) != (ssize_t)n) {
		free(buf);
		return span_of(NULL, 0);
	}
	*ret_owned = buf;
	return span_of(buf, n);
}

static bool parse_header(struct span head, struct elf_layout *ret)
{
	struct elf_layout l = { 0 };
	struct cursor c;

	if (head.n < EI_NIDENT || memcmp(head.p, ELFMAG, SELFMAG))
		return false;
	if (head.p[EI_CLASS] != ELFCLASS32 && head.p[EI_CLASS] != ELFCLASS64)
		return false;
	if (head.p[EI_DATA] != ELFDATA2LSB && head.p[EI_DATA] != ELFDATA2MSB)
		return false;
	l.is_64 = head.p[EI_CLASS] == ELFCLASS64;
	l.swap = (head.p[EI_DATA] == ELFDATA2MSB) != (BYTE_ORDER == BIG_ENDIAN);
	c = cursor_of(head, l.swap);
	cur_skip(&c, EI_NIDENT + 2 + 2 + 4); /* type, machine, version */
	cur_skip(&c, l.is_64 ? 8 : 4);       /* entry */
	l.phoff = l.is_64 ? cur_u64(&c) : cur_u32(&c);
	l.shoff = l.is_64 ? cur_u64(&c) : cur_u32(&c);
	cur_skip(&c, 4 + 2); /* flags, ehsize */
	l.phentsize = cur_u16(&c);
	l.phnum = cur_u16(&c);
	l.shentsize = cur_u16(&c);
	l.shnum = cur_u16(&c);
	*ret = l;
	return !c.bad;
}

static struct elf_part parse_segment(const struct elf_layout *l, struct span bytes)
{
	struct cursor c = cursor_of(bytes, l->swap);
	struct elf_part p = { .type = cur_u32(&c) };

	if (l->is_64) {
		cur_skip(&c, 4); /* flags */
		p.off = cur_u64(&c);
		cur_skip(&c, 16); /* vaddr, paddr */
		p.size = cur_u64(&c);
		cur_skip(&c, 8); /* memsz */
		p.align = cur_u64(&c);
	} else {
		p.off = cur_u32(&c);
		cur_skip(&c, 8);
		p.size = cur_u32(&c);
		cur_skip(&c, 8); /* memsz, flags */
		p.align = cur_u32(&c);
	}
	return p;
}

static struct elf_part parse_section(const struct elf_layout *l, struct span bytes)
{
	struct cursor c = cursor_of(bytes, l->swap);
	struct elf_part p;

	cur_skip(&c, 4); /* name */
	p.type = cur_u32(&c);
	if (l->is_64) {
		cur_skip(&c, 16); /* flags, addr */
		p.off = cur_u64(&c);
		p.size = cur_u64(&c);
		cur_skip(&c, 8); /* link, info */
		p.align = cur_u64(&c);
	} else {
		cur_skip(&c, 8);
		p.off = cur_u32(&c);
		p.size = cur_u32(&c);
		cur_skip(&c, 8);
		p.align = cur_u32(&c);
	}
	return p;
}

/*
 * Finds the build-id among notes. A note is u32 namesz, u32 descsz, u32 type, then name and desc,
 * each padded to the alignment.
 */
static size_t find_in_notes(struct span notes, bool swap, u64 align, u8 ret[20])
{
	struct cursor c = cursor_of(notes, swap);
	size_t pad = align == 8 ? 7 : 3;

	while (cur_left(&c) >= 12) {
		u32 namesz = cur_u32(&c), descsz = cur_u32(&c), type = cur_u32(&c);
		struct span name = cur_bytes(&c, namesz), desc;

		cur_skip(&c, -(size_t)(c.p - notes.p) & pad);
		desc = cur_bytes(&c, descsz);
		if (c.bad)
			return 0;
		if (type == NT_GNU_BUILD_ID && name.n == 4 && !memcmp(name.p, "GNU", 4) && desc.n) {
			size_t n = desc.n < 20 ? desc.n : 20;

			memcpy(ret, desc.p, n);
			return n;
		}
		cur_skip(&c, -(size_t)(c.p - notes.p) & pad);
	}
	return 0;
}

/* Finds the build-id in the notes of all segments or sections. */
static size_t find_in_table(const struct source *s, const struct elf_layout *l, bool sections,
			    u8 ret[20])
{
	u32 nr = sections ? l->shnum : l->phnum;
	u32 size = sections ? l->shentsize : l->phentsize;
	u32 least = sections ? (l->is_64 ? 64 : 40) : (l->is_64 ? 56 : 32);
	u32 wanted = sections ? SHT_NOTE : PT_NOTE;
	struct span table;
	void *owned;
	size_t n = 0;

	if (size < least)
		return 0;
	table = source_bytes(s, sections ? l->shoff : l->phoff, (u64)nr * size, MAX_TABLE, &owned);
	for (size_t i = 0; !n && i < table.n / size; i++) {
		struct span entry = span_of(table.p + i * size, size);
		struct elf_part part = sections ? parse_section(l, entry) : parse_segment(l, entry);
		struct span notes;
		void *notes_owned;

		if (part.type != wanted)
			continue;
		notes = source_bytes(s, part.off, part.size, MAX_NOTES, &notes_owned);
		n = find_in_notes(notes, l->swap, part.align, ret);
		free(notes_owned);
	}
	free(owned);
	return n;
}

static size_t find_build_id(const struct source *s, u8 ret[20])
{
	struct elf_layout l;
	size_t n;

	if (!parse_header(s->head, &l))
		return 0;
	n = find_in_table(s, &l, false, ret);
	return n ? n : find_in_table(s, &l, true, ret);
}

size_t build_id_of_fd(int fd, u8 ret[20])
{
	u8 head[FIRST_READ];
	ssize_t n = read_at(fd, head, sizeof(head), 0);

	if (n <= 0)
		return 0;
	return find_build_id(&(struct source){ fd, span_of(head, (size_t)n) }, ret);
}

size_t build_id_of_path(const char *path, u8 ret[20])
{
	size_t n;
	int fd;

	if (regular_file_open(path, NULL, &fd) != FILE_FINE)
		return 0;
	n = build_id_of_fd(fd, ret);
	close(fd);
	return n;
}

size_t build_id_of_image(struct span image, u8 ret[20])
{
	return find_build_id(&(struct source){ -1, image }, ret);
}
