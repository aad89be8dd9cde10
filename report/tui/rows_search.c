/* SPDX-License-Identifier: MIT */
/* Search in the rows of a table: all other rows stay. */
#include <ctype.h>
#include <regex.h>

#include "base/mem.h"
#include "report/tui/rows_model.h"

#define MEMO_MAX ((u64)1 << 24)

/* Results by column and value: most cells have values that other cells have, too. */
struct finder {
	struct rows_model *m;
	regex_t regex;
	size_t nr_columns;
	struct {
		u8 *known; /* by value: 1 no, 2 yes */
		size_t cap;
		bool figure;
	} * columns;
	struct out text;
};

static bool matches(struct finder *f, table_row r, size_t col)
{
	enum table_tone tone;

	f->text.len = 0;
	f->m->table->ops->cell(f->m->table, r, col, &f->text, &tone);
	out_char(&f->text, '\0');
	return !regexec(&f->regex, f->text.buf, 0, NULL, 0);
}

static bool cell_matches(struct finder *f, table_row r, size_t col)
{
	u64 value = f->m->table->ops->value(f->m->table, r, col);

	if (value >= MEMO_MAX)
		return matches(f, r, col);
	if (value >= f->columns[col].cap) {
		size_t cap = f->columns[col].cap;

		vec_reserve(f->columns[col].known, f->columns[col].cap, value + 1);
		memset(f->columns[col].known + cap, 0, f->columns[col].cap - cap);
	}
	if (!f->columns[col].known[value])
		f->columns[col].known[value] = matches(f, r, col) ? 2 : 1;
	return f->columns[col].known[value] == 2;
}

static void find_all(struct finder *f)
{
	struct rows_model *m = f->m;

	m->found = xcalloc(m->nr / 64 + 1, sizeof(*m->found));
	for (size_t i = 0; i < m->nr; i++)
		for (size_t col = 0; col < f->nr_columns; col++) {
			if (f->columns[col].figure || !cell_matches(f, m->order[i], col))
				continue;
			m->found[i / 64] |= 1ull << (i & 63);
			m->nr_found++;
			m->found_own += m->table->ops->own(m->table, m->order[i]);
			break;
		}
}

static bool has_capitals(const char *s)
{
	while (*s && !isupper((u8)*s))
		s++;
	return *s;
}

int rows_search(struct rows_model *m, const char *pattern, struct perr *e)
{
	struct finder f = { .m = m };
	int err;

	if (pattern) {
		err = regcomp(&f.regex, pattern,
			      REG_EXTENDED | REG_NOSUB | (has_capitals(pattern) ? 0 : REG_ICASE));
		if (err) {
			char why[128];

			regerror(err, &f.regex, why, sizeof(why));
			return perr_set(e, PERR_USAGE, "%s: %s", pattern, why);
		}
	}
	free(m->pattern);
	free(m->found);
	m->pattern = pattern ? xstrdup(pattern) : NULL;
	m->found = NULL;
	m->nr_found = 0;
	m->found_own = 0;
	if (!pattern)
		return 0;
	out_init_mem(&f.text);
	f.nr_columns = m->table->ops->nr_columns(m->table);
	f.columns = xcalloc(f.nr_columns + 1, sizeof(*f.columns));
	for (size_t i = 0; i < f.nr_columns; i++) {
		struct table_column c;

		m->table->ops->column(m->table, i, &c);
		f.columns[i].figure = c.number;
	}
	find_all(&f);
	for (size_t i = 0; i < f.nr_columns; i++)
		free(f.columns[i].known);
	free(f.columns);
	out_fini(&f.text);
	regfree(&f.regex);
	return 0;
}

bool rows_is_found(const struct rows_model *m, size_t i)
{
	return m->found && m->found[i / 64] >> (i & 63) & 1;
}

size_t rows_find(struct rows_model *m, int direction)
{
	size_t at = rows_cursor(m).at, number = 0, i;

	if (!m->nr_found)
		return 0;
	for (i = 0; i < m->nr; i++) {
		at = direction > 0 ? (at + 1) % m->nr : (at + m->nr - 1) % m->nr;
		if (rows_is_found(m, at))
			break;
	}
	for (i = 0; i <= at; i++)
		number += rows_is_found(m, i);
	rows_set_cursor(m, (struct rows_pos){ at, 0 });
	return number;
}
