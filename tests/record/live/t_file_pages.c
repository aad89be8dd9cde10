/* SPDX-License-Identifier: MIT */
/* record/live/file_pages, and the pages of an object. */
#include "record/live/file_pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "symbols/elf/object.h"
#include "tests/frame/unit.h"

#define S 1000000000ull

static void write_statm(const char *path, unsigned int shared)
{
	FILE *f = fopen(path, "w");

	CHECK(f && fprintf(f, "9000 8000 %u 1 0 2 0\n", shared) > 0 && !fclose(f));
}

TEST(pages_are_given_back_when_they_are_many)
{
	char path[] = "/tmp/t_file_pages.XXXXXX";
	unsigned int many = (unsigned int)((17u << 20) / (unsigned int)sysconf(_SC_PAGESIZE));
	struct file_pages f = { 0 };
	int fd = mkstemp(path);

	CHECK(fd >= 0 && !close(fd));
	write_statm(path, many);
	CHECK(file_pages_are_many(&f, 10 * S, path));
	/* not with each sweep */
	CHECK(!file_pages_are_many(&f, 10 * S + 1, path));
	CHECK(file_pages_are_many(&f, 13 * S, path));
	write_statm(path, many / 2);
	CHECK(!file_pages_are_many(&f, 20 * S, path));
	unlink(path);
	CHECK(!file_pages_are_many(&f, 30 * S, path));
}

TEST(an_object_is_read_again)
{
	struct object *o;
	struct perr e;
	u64 before = 0, after = 0;

	CHECK_EQ(object_open("/proc/self/exe", &o, &e), 0);
	for (size_t i = 0; i < o->file.n; i += 512)
		before += o->file.p[i];
	object_give_pages_back(o);
	for (size_t i = 0; i < o->file.n; i += 512)
		after += o->file.p[i];
	CHECK_EQ(before, after);
	object_close(o);
}
