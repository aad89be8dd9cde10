/* SPDX-License-Identifier: MIT */
#include "record/live/file_pages.h"

#include <stdio.h>
#include <unistd.h>

#define LOOK_NS 2000000000u
/* A quarter of what a recorder of a whole system may take, prec's own code included. */
#define MANY_BYTES ((u64)16 << 20)

/* Bytes of memory that is a file's or shared. */
static u64 shared_bytes(const char *statm)
{
	unsigned long long pages = 0;
	FILE *f = fopen(statm, "re");
	long size = sysconf(_SC_PAGESIZE);

	if (!f)
		return 0;
	if (fscanf(f, "%*u %*u %llu", &pages) != 1)
		pages = 0;
	fclose(f);
	return pages * (u64)(size > 0 ? size : 4096);
}

bool file_pages_are_many(struct file_pages *f, u64 now, const char *statm)
{
	if (now < f->next)
		return false;
	f->next = now + LOOK_NS;
	return shared_bytes(statm) > MANY_BYTES;
}
