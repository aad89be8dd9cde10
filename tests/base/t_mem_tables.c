/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/pages.h"

#include <stdio.h>
#include <unistd.h>

#include "base/parallel.h"
#include "tests/frame/unit.h"

#define MIB ((size_t)1 << 20)
#define NR_THREADS 4
#define ROUNDS 50

static bool is_all(const u8 *p, u8 value, size_t n)
{
	while (n && *p == value) {
		p++;
		n--;
	}
	return !n;
}

static bool gives_back(const char *text)
{
	char path[] = "/tmp/t_mem.XXXXXX";
	FILE *f = fdopen(mkstemp(path), "w");
	bool ret;

	fputs(text, f);
	fclose(f);
	ret = pages_go_to_host(path);
	unlink(path);
	return ret;
}

TEST(hosts_that_take_memory_back)
{
	CHECK(gives_back("9\n"));
	CHECK(gives_back("0\n"));
	CHECK(!gives_back("4294967295\n"));
	CHECK(!gives_back(""));
	CHECK(!pages_go_to_host("/nonexistent/order"));
}

/* Memory that was in use before is zero again, whatever part of it is asked for. */
TEST(tables_are_zero)
{
	const size_t sizes[] = { 8 * MIB, 4 * MIB, 3 * MIB + 5, 2 * MIB, 6 * MIB, 100 };

	pages_keep_heap();
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		u8 *a = table_alloc(sizes[i]), *b = table_alloc(sizes[i]);

		CHECK(is_all(a, 0, sizes[i]));
		CHECK(is_all(b, 0, sizes[i]));
		memset(a, 1, sizes[i]);
		memset(b, 2, sizes[i]);
		CHECK(is_all(a, 1, sizes[i]));
		table_free(a, sizes[i]);
		table_free(b, sizes[i]);
	}
}

static size_t resident_pages(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	unsigned long all = 0, resident = 0;

	CHECK(f && fscanf(f, "%lu %lu", &all, &resident) == 2);
	fclose(f);
	return resident;
}

/* A table that no kept block has room for takes the pages of several ones. */
TEST(kept_blocks_become_one_table)
{
	const size_t piece = 4 * MIB, whole = 16 * MIB, nr = whole / piece;
	u8 *kept[8], *used[8], *p;
	size_t before;

	pages_keep_heap();
	for (size_t i = 0; i < nr; i++) {
		kept[i] = table_alloc(piece);
		used[i] = table_alloc(2 * MIB);
		memset(kept[i], 7, piece);
		memset(used[i], 8, 2 * MIB);
	}
	before = resident_pages();
	for (size_t i = 0; i < nr; i++)
		table_free(kept[i], piece);
	p = table_alloc(whole);
	CHECK(is_all(p, 0, whole));
	memset(p, 9, whole);
	CHECK(resident_pages() <= before + MIB / 4096);
	for (size_t i = 0; i < nr; i++) {
		CHECK(is_all(used[i], 8, 2 * MIB));
		table_free(used[i], 2 * MIB);
	}
	table_free(p, whole);
	/* more than is kept: the rest is new */
	p = table_alloc(3 * whole);
	CHECK(is_all(p, 0, 3 * whole));
	table_free(p, 3 * whole);
}

TEST(grown_tables_keep_what_they_had)
{
	size_t had = 2 * MIB + 3, size;
	u8 *p = table_alloc(4 * MIB);

	pages_keep_heap();
	memset(p, 9, 4 * MIB);
	table_free(p, 4 * MIB);
	p = table_alloc_any(had);
	memset(p, 5, had);
	for (; had < 20 * MIB; had = size) {
		size = had + had / 2;
		p = table_realloc(p, had, size);
		CHECK(is_all(p, 5, had));
		memset(p + had, 5, size - had);
	}
	p = table_realloc(p, had, MIB);
	CHECK(is_all(p, 5, MIB));
	table_free(p, MIB);
}

static void use_tables(void *ctx, size_t i)
{
	bool *good = ctx;

	good[i] = true;
	for (size_t k = 0; k < ROUNDS; k++) {
		size_t size = (2 + (k + i) % 3) * MIB + k;
		u8 *p = table_alloc(size);

		good[i] &= !p[0] && !p[size / 2] && !p[size - 1];
		memset(p, (int)i + 1, size);
		good[i] &= p[0] == i + 1 && p[size / 2] == i + 1 && p[size - 1] == i + 1;
		table_free(p, size);
	}
}

TEST(threads_have_tables_of_their_own)
{
	bool good[NR_THREADS] = { 0 };

	pages_keep_heap();
	parallel_run(NR_THREADS, NR_THREADS, use_tables, good);
	for (size_t i = 0; i < NR_THREADS; i++)
		CHECK(good[i]);
}
