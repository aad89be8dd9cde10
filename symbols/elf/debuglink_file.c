/* SPDX-License-Identifier: MIT */
#include "symbols/elf/debuglink_file.h"

#include <elf.h>
#include <endian.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/mem.h"

#define HEADER_LEN 64u
#define MAX_TABLE ((u64)4 << 20)
#define MAX_NAMES ((u64)64 << 10)

struct section {
	u32 name, type;
	u64 off, size;
};

struct sections {
	bool is_64, swap;
	u64 off;
	u32 each, nr, names;
};

/* Reads n bytes at off, malloc'd; no bytes if n is 0 or above the limit, or the file is shorter. */
static struct span read_part(int fd, u64 off, u64 n, u64 limit)
{
	u8 *buf;

	if (!n || n > limit || off > INT64_MAX - n)
		return span_of(NULL, 0);
	buf = xmalloc((size_t)n);
	if (pread(fd, buf, (size_t)n, (off_t)off) == (ssize_t)n)
		return span_of(buf, (size_t)n);
	free(buf);
	return span_of(NULL, 0);
}

static void free_part(struct span part)
{
	free((void *)(uintptr_t)part.p);
}

static bool parse_header(struct span head, struct sections *ret)
{
	struct cursor c;
	u32 least;

	if (head.n < HEADER_LEN || memcmp(head.p, ELFMAG, SELFMAG) ||
	    (head.p[EI_CLASS] != ELFCLASS32 && head.p[EI_CLASS] != ELFCLASS64) ||
	    (head.p[EI_DATA] != ELFDATA2LSB && head.p[EI_DATA] != ELFDATA2MSB))
		return false;
	ret->is_64 = head.p[EI_CLASS] == ELFCLASS64;
	ret->swap = (head.p[EI_DATA] == ELFDATA2MSB) != (BYTE_ORDER == BIG_ENDIAN);
	least = ret->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	c = cursor_of(head, ret->swap);
	cur_skip(&c, ret->is_64 ? offsetof(Elf64_Ehdr, e_shoff) : offsetof(Elf32_Ehdr, e_shoff));
	ret->off = ret->is_64 ? cur_u64(&c) : cur_u32(&c);
	cur_skip(&c, 4 + 2 + 2 + 2); /* flags, ehsize, phentsize, phnum */
	ret->each = cur_u16(&c);
	ret->nr = cur_u16(&c);
	ret->names = cur_u16(&c);
	return !c.bad && ret->each >= least && ret->names < ret->nr;
}

static struct section parse_section(const struct sections *s, struct span table, u32 i)
{
	struct cursor c = cursor_of(span_of(table.p + (size_t)i * s->each, s->each), s->swap);
	struct section ret = { .name = cur_u32(&c), .type = cur_u32(&c) };

	cur_skip(&c, s->is_64 ? 16 : 8); /* flags, addr */
	ret.off = s->is_64 ? cur_u64(&c) : cur_u32(&c);
	ret.size = s->is_64 ? cur_u64(&c) : cur_u32(&c);
	return ret;
}

static bool is_named(struct span names, u32 at, const char *name)
{
	size_t n = strlen(name) + 1;

	return at <= names.n && names.n - at >= n && !memcmp(names.p + at, name, n);
}

static bool read_name(int fd, const struct section *s, char ret[DEBUGLINK_NAME_MAX])
{
	u64 n = s->size < DEBUGLINK_NAME_MAX ? s->size : DEBUGLINK_NAME_MAX;
	struct span text = read_part(fd, s->off, n, n);
	size_t len = text.n ? strnlen((const char *)text.p, text.n) : 0;
	bool ok = len && len < text.n;

	if (ok)
		memcpy(ret, text.p, len + 1);
	free_part(text);
	return ok;
}

bool debuglink_of_fd(int fd, char ret[DEBUGLINK_NAME_MAX])
{
	struct span head = read_part(fd, 0, HEADER_LEN, HEADER_LEN), table, names;
	struct section at;
	struct sections s;
	bool found = false;

	if (!parse_header(head, &s)) {
		free_part(head);
		return false;
	}
	free_part(head);
	table = read_part(fd, s.off, (u64)s.nr * s.each, MAX_TABLE);
	if (!table.n)
		return false;
	at = parse_section(&s, table, s.names);
	names = read_part(fd, at.off, at.size, MAX_NAMES);
	for (u32 i = 0; i < s.nr && names.n && !found; i++) {
		at = parse_section(&s, table, i);
		if (at.type == SHT_PROGBITS && is_named(names, at.name, ".gnu_debuglink"))
			found = read_name(fd, &at, ret);
	}
	free_part(names);
	free_part(table);
	return found;
}
