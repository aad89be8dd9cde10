/* SPDX-License-Identifier: MIT */
/*
 * Compares the rows of unwind/cfi/cfi.h with those of others, for tests/checks/cfi.sh.
 *
 *	cfi_compare dump FILE [DEBUGFILE]	prints the rows
 *	cfi_compare libdw FILE [DEBUGFILE]	with libdw's
 *	cfi_compare readelf FILE [DEBUGFILE]	with `readelf --debug-dump=frames-interp` on stdin
 *	cfi_compare time FILE			nanoseconds for opening and for all rows
 *
 * Left out of the comparison with libdw 0.188: registers that it fills in by its idea of the ABI
 * (see unwind/cfi/rows_libdw.h), what follows when a CFA comes back to a register after an
 * expression, and how numbers in expressions are padded. With readelf: which expression it is, and
 * functions that linkers dropped.
 *
 * Status 0: equal, 1: different (the first ones are printed), 2: misuse, 77: nothing to compare.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/mem.h"
#include "tests/tools/cfi/compare_libdw.h"
#include "tests/tools/cfi/compare_readelf.h"

static int dump(struct comparison *c)
{
	struct row_list l = { 0 };
	struct cfi_fde fde;

	for (u32 i = 0; i < cfi_nr_fdes(c->cfi); i++) {
		if (!cfi_get_fde(c->cfi, i, &fde))
			continue;
		printf("%s+0x%" PRIx64 " %" PRIx64 "..%" PRIx64 "\n",
		       fde.debug_frame ? ".debug_frame" : ".eh_frame", fde.offset, fde.start,
		       fde.end);
		compare_our_rows(c, &fde, &l);
		for (size_t k = 0; k < l.nr; k++)
			row_print("  ", c->code->machine, &l.rows[k].row);
	}
	row_list_free(&l);
	return c->failed != 0;
}

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

static bool count_row(void *ctx, const struct cfi_row *row)
{
	*(u64 *)ctx += row->end > row->start;
	return true;
}

static int time_rows(const struct object *code)
{
	u64 begin = now_ns(), opened, found, done, rows = 0, hits = 0;
	struct cfi *c = NULL;
	struct perr e = { 0 };
	struct cfi_fde fde;
	u32 nr;

	if (cfi_open(code, NULL, &c, &e)) {
		printf("%s\n", e.text);
		return 77;
	}
	opened = now_ns();
	nr = cfi_nr_fdes(c);
	for (u32 i = 0; i < nr; i++)
		if (cfi_get_fde(c, i, &fde) && cfi_rows(c, &fde, count_row, &rows, NULL))
			printf("damaged: 0x%" PRIx64 "\n", fde.offset);
	done = now_ns();
	for (u32 i = 0; i < nr; i++)
		hits += cfi_get_fde(c, (u32)(i * 2654435761u % nr), &fde) &&
			cfi_find(c, fde.start, &fde);
	found = now_ns();
	printf("%u FDEs, %" PRIu64 " rows: open %.3f ms, rows %.3f ms, %.1f ns/row, find %.1f ns "
	       "(%" PRIu64 " hits)\n",
	       nr, rows, (double)(opened - begin) / 1e6, (double)(done - opened) / 1e6,
	       (double)(done - opened) / (double)rows, (double)(found - done) / nr, hits);
	cfi_close(c);
	return 0;
}

/* For files where we find none. libdw is content with a section that tells of no function. */
static bool others_find_rows(const char *how)
{
	char line[4096];

	while (!strcmp(how, "readelf") && fgets(line, sizeof(line), stdin))
		if (strstr(line, " FDE "))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	struct object *code = NULL, *debug = NULL;
	struct comparison c = { 0 };
	struct perr e = { 0 };
	int rc = 77, err;

	if (argc < 3 || argc > 4)
		return 2;
	if (object_open(argv[2], &code, &e) || (argc == 4 && object_open(argv[3], &debug, &e))) {
		printf("%s\n", e.text);
		goto out;
	}
	if (!strcmp(argv[1], "time")) {
		rc = time_rows(code);
		goto out;
	}
	c.code = code;
	err = cfi_open(code, debug, &c.cfi, &e);
	if (err) {
		rc = err != PERR_UNSUPPORTED && others_find_rows(argv[1]) ? 1 : 77;
		printf("%s\n", e.text);
		goto out;
	}
	if (!strcmp(argv[1], "dump"))
		rc = dump(&c);
	else if (!strcmp(argv[1], "libdw"))
		rc = compare_libdw(&c, debug);
	else if (!strcmp(argv[1], "readelf"))
		rc = compare_readelf(&c);
	else
		rc = 2;
	if (rc < 2 && strcmp(argv[1], "dump") != 0)
		printf("%u FDEs, %u rows, %u different, %u left out\n", c.fdes, c.rows, c.different,
		       c.left_out);
out:
	cfi_close(c.cfi);
	object_close(debug);
	object_close(code);
	return rc;
}
