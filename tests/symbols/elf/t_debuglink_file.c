/* SPDX-License-Identifier: MIT */
/* symbols/elf/debuglink_file */
#include "symbols/elf/debuglink_file.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"

static u8 *elf_with_link(bool is_64, bool big_endian, const char *link, u32 len, size_t *n)
{
	struct mkelf *b = mkelf_new(is_64, big_endian, ET_DYN, EM_X86_64);

	mkelf_section(b, &(struct mkelf_part){ .name = ".gnu_debuglink",
					       .type = SHT_PROGBITS,
					       .bytes = link,
					       .size = len });
	return mkelf_end(b, n);
}

static bool read_link_of(struct fake_tree *t, const u8 *p, size_t n, char ret[DEBUGLINK_NAME_MAX])
{
	char *path = xasprintf("%s/f", t->root);
	bool found;
	int fd;

	fake_bytes(t, "f", p, n);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	found = debuglink_of_fd(fd, ret);
	close(fd);
	free(path);
	return found;
}

TEST(names_of_each_class_and_order)
{
	struct fake_tree t = fake_tree_new();
	char name[DEBUGLINK_NAME_MAX];

	for (int i = 0; i < 4; i++) {
		size_t n;
		u8 *p = elf_with_link(i & 1, i & 2, "prog.debug\0\0crc", 16, &n);

		CHECK(read_link_of(&t, p, n, name));
		CHECK_STR(name, "prog.debug");
		free(p);
	}
	fake_tree_free(&t);
}

TEST(damaged_files)
{
	struct fake_tree t = fake_tree_new();
	char name[DEBUGLINK_NAME_MAX], longest[400];
	size_t n;
	u8 *p = elf_with_link(true, false, "prog.debug\0\0crc", 16, &n);

	for (size_t i = 0; i < n; i += 7)
		(void)read_link_of(&t, p, i, name);
	for (size_t i = 0; i < n; i++) {
		u8 old = p[i];

		for (int k = 0; k < 2; k++) {
			p[i] = (u8[]){ 0, 0xff }[k];
			if (read_link_of(&t, p, n, name))
				CHECK(strnlen(name, sizeof(name)) < sizeof(name));
		}
		p[i] = old;
	}
	free(p);
	memset(longest, 'x', sizeof(longest));
	p = elf_with_link(true, false, longest, sizeof(longest), &n);
	CHECK(!read_link_of(&t, p, n, name));
	free(p);
	fake_tree_free(&t);
}
