/* SPDX-License-Identifier: MIT */
#include "tests/tools/cfi/compare_readelf.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"

#define MAX_COLUMNS 160

/* The rows of one FDE in readelf's text. */
struct readelf_row {
	u64 loc;
	size_t text; /* offset of its line in `texts` */
};

struct readelf_fde {
	bool debug_frame, known;
	u64 offset, start, end;
	char *columns[MAX_COLUMNS];
	size_t nr_columns;
	struct readelf_row *rows;
	size_t nr, cap;
	char *texts;
	size_t texts_len, texts_cap;
};

static bool find_register(u16 machine, const struct cfi_row *row, const char *name, u16 *ret)
{
	char buf[16];

	if (!strcmp(name, "ra")) {
		*ret = row->ra_reg;
		return true;
	}
	for (u16 r = 0; r < 256; r++)
		if (!strcmp(row_register_name(machine, r, buf, sizeof(buf)), name)) {
			*ret = r;
			return true;
		}
	return false;
}

/* What readelf would write for our row in those columns. */
static void row_as_readelf(const struct comparison *c, const struct readelf_fde *f,
			   const struct cfi_row *row, char *out, size_t n)
{
	u16 machine = c->code->machine, reg;
	size_t at = 0;

	row_rule_text(machine, &row->cfa, true, out, n);
	for (size_t i = 0; i < f->nr_columns; i++) {
		char text[64] = "?";

		if (find_register(machine, row, f->columns[i], &reg))
			row_rule_text(machine, row_rule_of(row, reg), false, text, sizeof(text));
		at = strlen(out);
		snprintf(out + at, n - at, " %s", text);
	}
}

static bool find_by_offset(const struct comparison *c, const struct readelf_fde *f,
			   struct cfi_fde *ret)
{
	u32 nr = cfi_nr_fdes(c->cfi), low = 0, high = nr;

	while (low < high) {
		u32 mid = low + (high - low) / 2;
		struct cfi_fde x;

		if (cfi_get_fde(c->cfi, mid, &x) && x.start < f->start)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < nr && cfi_get_fde(c->cfi, low, ret) && ret->start == f->start; low++)
		if (ret->offset == f->offset && ret->debug_frame == f->debug_frame)
			return true;
	return false;
}

static void compare_readelf_fde(struct comparison *c, struct readelf_fde *f, struct row_list *ours)
{
	struct cfi_fde fde;
	char text[2048], what[4200];

	if (!f->known || f->start == f->end)
		return;
	if (!find_by_offset(c, f, &fde)) {
		fde = (struct cfi_fde){ f->start, f->end, f->offset, f->debug_frame, 0 };
		/* .debug_frame only fills in, and functions that linkers dropped are left out. */
		c->left_out++;
		if (!cfi_find(c->cfi, f->start, &fde) && f->start > 1)
			compare_show(c, &fde, "is not in the index");
		return;
	}
	if (fde.end != f->end)
		compare_show(c, &fde, "ends elsewhere");
	if (!compare_our_rows(c, &fde, ours))
		return;
	for (size_t i = 0; i < f->nr; i++) {
		u64 from = f->rows[i].loc, to = i + 1 < f->nr ? f->rows[i + 1].loc : fde.end;

		for (size_t k = 0; k < ours->nr; k++) {
			const struct cfi_row *row = &ours->rows[k].row;

			if (row->end <= from || row->start >= to)
				continue;
			row_as_readelf(c, f, row, text, sizeof(text));
			if (!strcmp(text, f->texts + f->rows[i].text))
				continue;
			snprintf(what, sizeof(what), "at %" PRIx64 "\n  ours    %s\n  readelf %s",
				 from, text, f->texts + f->rows[i].text);
			compare_show(c, &fde, what);
			return;
		}
	}
}

static void reset_fde(struct readelf_fde *f)
{
	for (size_t i = 0; i < f->nr_columns; i++)
		free(f->columns[i]);
	f->nr_columns = f->nr = f->texts_len = 0;
	f->known = false;
}

static void read_columns(struct readelf_fde *f, char *line)
{
	char *save = NULL, *word = strtok_r(line, " \n", &save); /* LOC */

	strtok_r(NULL, " \n", &save); /* CFA */
	while (word && (word = strtok_r(NULL, " \n", &save)) && f->nr_columns < MAX_COLUMNS)
		f->columns[f->nr_columns++] = xstrdup(word);
}

static void read_readelf_row(struct readelf_fde *f, char *line)
{
	char *rest, *save = NULL, *word;
	u64 loc = strtoull(line, &rest, 16);
	size_t from = f->texts_len, n;

	vec_push(f->rows, f->nr, f->cap, ((struct readelf_row){ loc, from }));
	for (word = strtok_r(rest, " \n", &save); word; word = strtok_r(NULL, " \n", &save)) {
		n = strlen(word);
		vec_reserve(f->texts, f->texts_cap, f->texts_len + n + 2);
		memcpy(f->texts + f->texts_len, word, n);
		f->texts[f->texts_len + n] = ' ';
		f->texts_len += n + 1;
	}
	if (f->texts_len > from)
		f->texts[f->texts_len - 1] = 0;
}

int compare_readelf(struct comparison *c)
{
	struct readelf_fde f = { 0 };
	struct row_list ours = { 0 };
	char *line = NULL;
	size_t cap = 0;
	bool debug_frame = false;

	while (getline(&line, &cap, stdin) > 0) {
		u64 off, len, id, cie, start, end;

		if (strstr(line, "Contents of the ") || strstr(line, "section '")) {
			debug_frame = strstr(line, "debug_frame") != NULL;
		} else if (!strncmp(line, "   LOC", 6)) {
			read_columns(&f, line);
		} else if (strstr(line, " FDE ") || strstr(line, " CIE ")) {
			compare_readelf_fde(c, &f, &ours);
			reset_fde(&f);
			if (sscanf(line,
				   "%" SCNx64 " %" SCNx64 " %" SCNx64 " FDE cie=%" SCNx64
				   " pc=%" SCNx64 "..%" SCNx64,
				   &off, &len, &id, &cie, &start, &end) == 6) {
				f.known = true;
				f.debug_frame = debug_frame;
				f.offset = off;
				f.start = start;
				f.end = end;
			}
		} else if (f.known && f.nr_columns && strspn(line, "0123456789abcdef") >= 8 &&
			   !strstr(line, "ZERO terminator")) {
			read_readelf_row(&f, line);
		}
	}
	compare_readelf_fde(c, &f, &ours);
	reset_fde(&f);
	free(f.rows);
	free(f.texts);
	free(line);
	row_list_free(&ours);
	if (!c->fdes) {
		printf("readelf told of no function\n");
		return 1;
	}
	return c->different != 0;
}
