/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/ring/stack_bounds.h"
#include "tests/frame/unit.h"

#define PAGE ((size_t)sysconf(_SC_PAGESIZE))

/* Three pages that are no neighbours of the same rights, so that the middle is its own mapping. */
static u8 *three_pages(void)
{
	u8 *p = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED);
	CHECK(!mprotect(p + PAGE, PAGE, PROT_READ | PROT_WRITE));
	return p;
}

TEST(end_of_the_mapping_of_an_address)
{
	struct stack_bounds *b = stack_bounds_new("/proc");
	u32 pid = (u32)getpid();
	u8 *p = three_pages();
	u64 start = (u64)(p + PAGE), end = start + PAGE;

	CHECK_EQ(stack_bounds_end(b, pid, pid, start), end);
	CHECK_EQ(stack_bounds_end(b, pid, pid, end - 8), end);
	/* remembered until it is told that the mappings changed */
	CHECK(!munmap(p + PAGE, PAGE));
	CHECK(!mprotect(p + 2 * PAGE, PAGE, PROT_READ));
	CHECK_EQ(stack_bounds_end(b, pid, pid, start), end);
	stack_bounds_forget_process(b, pid + 1);
	stack_bounds_forget_thread(b, pid + 1);
	CHECK_EQ(stack_bounds_end(b, pid, pid, start), end);
	stack_bounds_forget_process(b, pid);
	CHECK_EQ(stack_bounds_end(b, pid, pid, start), UINT64_MAX);
	/* and that it is not known is remembered as well, for this thread */
	CHECK_EQ(stack_bounds_end(b, pid, pid, end), UINT64_MAX);
	stack_bounds_forget_thread(b, pid);
	CHECK_EQ(stack_bounds_end(b, pid, pid, end), end + PAGE);
	stack_bounds_free(b);
}

TEST(a_stack_pointer_elsewhere_is_looked_up_anew)
{
	struct stack_bounds *b = stack_bounds_new("/proc");
	u32 pid = (u32)getpid();
	u64 one = (u64)(three_pages() + PAGE), two = (u64)(three_pages() + PAGE);

	CHECK_EQ(stack_bounds_end(b, pid, pid, one), one + PAGE);
	CHECK_EQ(stack_bounds_end(b, pid, pid, two + 16), two + PAGE);
	CHECK_EQ(stack_bounds_end(b, pid, pid, one + 16), one + PAGE);
	stack_bounds_free(b);
}

TEST(processes_that_are_not_there_have_no_end)
{
	struct stack_bounds *b = stack_bounds_new("/proc");
	u32 i;

	CHECK_EQ(stack_bounds_end(b, 0x7ffffff0, 1, 4096), UINT64_MAX);
	for (i = 0; i < 3000; i++)
		CHECK_EQ(stack_bounds_end(b, 0x7ffffff0, i, 4096), UINT64_MAX);
	stack_bounds_free(b);
}

/* An older kernel has the file alone; here it is one that no ioctl knows. */
TEST(the_maps_file_is_read_where_it_cannot_be_asked)
{
	char dir[] = "/tmp/t_stack_bounds.XXXXXX", path[64];
	struct stack_bounds *b;
	FILE *f;
	u32 i;

	CHECK(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/12", dir);
	CHECK(!mkdir(path, 0700));
	snprintf(path, sizeof(path), "%s/12/maps", dir);
	f = fopen(path, "w");
	CHECK(f != NULL);
	fprintf(f, "1000-2000 r-xp 00000000 00:00 0 /bin/");
	for (i = 0; i < 1000; i++)
		fputc("0123456789abcdef-"[i % 17], f);
	fprintf(f, "\nnonsense\n7000-9000 rw-p 00000000 00:00 0 [stack]\n");
	fclose(f);
	b = stack_bounds_new(dir);
	CHECK_EQ(stack_bounds_end(b, 12, 12, 0x8000), 0x9000);
	CHECK_EQ(stack_bounds_end(b, 12, 13, 0x1fff), 0x2000);
	CHECK_EQ(stack_bounds_end(b, 12, 14, 0x9000), UINT64_MAX);
	CHECK_EQ(stack_bounds_end(b, 12, 15, 0x5000), UINT64_MAX);
	/* four in a round; what was found before is known without */
	CHECK_EQ(stack_bounds_end(b, 12, 16, 0x8000), UINT64_MAX);
	CHECK_EQ(stack_bounds_end(b, 12, 12, 0x8008), 0x9000);
	stack_bounds_new_round(b);
	CHECK_EQ(stack_bounds_end(b, 12, 16, 0x8000), 0x9000);
	stack_bounds_free(b);
	unlink(path);
	snprintf(path, sizeof(path), "%s/12", dir);
	rmdir(path);
	rmdir(dir);
}
