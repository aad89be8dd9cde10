/* SPDX-License-Identifier: MIT */
/* Lines of the view of rows: which parts of call trees are open, and the cursor on them. */
#include "base/mem.h"
#include "report/tui/rows_model.h"

#define AROUND 100 /* rows before and behind one: some screens */
#define STEP 3     /* columns that a level of a call tree is indented by */

/* Children of a row that are still to be listed. */
struct open_level {
	table_row parent;
	size_t next, nr;
	u32 indent;
};

/* ---- open and closed */

/* Index of a row in state.flipped, or where it would be. */
static size_t flipped_at(const struct rows_state *s, table_row r)
{
	size_t low = 0, high = s->nr_flipped;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (s->flipped[mid] < r)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

bool rows_is_open(const struct rows_state *s, table_row r)
{
	size_t at = flipped_at(s, r);

	return s->all_open != (at < s->nr_flipped && s->flipped[at] == r);
}

void rows_set_open(struct rows_state *s, table_row r, bool open)
{
	size_t at = flipped_at(s, r);

	if (rows_is_open(s, r) == open)
		return;
	if (at < s->nr_flipped && s->flipped[at] == r) {
		s->nr_flipped--;
		memmove(s->flipped + at, s->flipped + at + 1,
			(s->nr_flipped - at) * sizeof(*s->flipped));
		return;
	}
	s->flipped = xrealloc(s->flipped, (s->nr_flipped + 1) * sizeof(*s->flipped));
	memmove(s->flipped + at + 1, s->flipped + at, (s->nr_flipped - at) * sizeof(*s->flipped));
	s->flipped[at] = r;
	s->nr_flipped++;
}

/* ---- lines */

static bool is_entry(const struct rows_model *m, table_row r)
{
	return m->table->ops->is_entry(m->table, r);
}

/* The frames of one node follow each other; this is what the table says of the row. */
static struct table_branch branch_of(struct rows_model *m, table_row r)
{
	struct table_branch b;
	struct out o;

	out_init_mem(&o);
	m->table->ops->branch(m->table, r, false, &o, &b);
	out_fini(&o);
	return b;
}

/* True if the only child of a row is a frame of the same node. */
static bool goes_on(struct rows_model *m, table_row r)
{
	table_row below;

	if (is_entry(m, r) || m->table->ops->nr_rows(m->table, r) != 1)
		return false;
	below = m->table->ops->row(m->table, r, 0);
	return branch_of(m, below).joined;
}

static void push_level(struct open_level **levels, size_t *nr, size_t *cap, struct open_level l)
{
	vec_push(*levels, *nr, *cap, l);
}

static void add_line(struct rows_lines *l, struct rows_line line)
{
	vec_push(l->lines, l->nr, l->cap, line);
}

/*
 * Adds the frames of a node, as perf draws them: the first frame can be closed if anything follows,
 * the last one if branches do. Frames after the first one are indented behind its share. Returns
 * the last frame, whose children are below the node; *ret_open: they are shown.
 */
static table_row add_node(struct rows_model *m, struct rows_lines *l, table_row r, u32 *indent,
			  bool lone_root, bool *ret_open)
{
	const struct table_ops *ops = m->table->ops;
	bool share = !is_entry(m, r) && branch_of(m, r).share, first = true;

	for (;; first = false) {
		bool more = goes_on(m, r), below = ops->has_rows(m->table, r);
		bool can_close = more ? first && !lone_root : below;
		bool open = !can_close || rows_is_open(&m->state, r);

		add_line(l, (struct rows_line){ r, *indent, can_close ? open ? '-' : '+' : ' ',
						first && share });
		*ret_open = open && below;
		if (!more || !open)
			return r;
		if (first && share)
			*indent += STEP;
		r = ops->row(m->table, r, 0);
	}
}

bool rows_is_light(const struct rows_model *m, table_row r)
{
	return m->state.limit > 0 && m->table->ops->share(m->table, r) * 100 < m->state.limit;
}

static void make_lines(struct rows_model *m, struct rows_lines *l, table_row top)
{
	const struct table_ops *ops = m->table->ops;
	struct open_level *levels = NULL;
	size_t nr = 0, cap = 0;
	bool below = ops->has_rows(m->table, top), open = below && rows_is_open(&m->state, top);

	l->nr = 0;
	add_line(l, (struct rows_line){ top, 0, !below ? ' ' : open ? '-' : '+', false });
	if (open)
		push_level(&levels, &nr, &cap,
			   (struct open_level){ top, 0, ops->nr_rows(m->table, top), STEP });
	while (nr) {
		struct open_level *at = &levels[nr - 1];
		u32 indent = at->indent;
		table_row r;

		if (at->next == at->nr) {
			nr--;
			continue;
		}
		r = ops->row(m->table, at->parent, at->next++);
		if (is_entry(m, r) && rows_is_light(m, r))
			continue;
		r = add_node(m, l, r, &indent, is_entry(m, at->parent) && at->nr == 1, &open);
		if (open)
			push_level(&levels, &nr, &cap,
				   (struct open_level){ r, 0, ops->nr_rows(m->table, r),
							indent + STEP });
	}
	free(levels);
}

void rows_settle(struct rows_model *m)
{
	const struct table_ops *ops = m->table->ops;
	size_t nr = 0;

	if (m->nr_settled == m->nr)
		return;
	while (ops->settle(m->table))
		;
	for (size_t i = 0; i < m->nr_all; i++) {
		table_row r = ops->row(m->table, TABLE_TOP, i);

		if (!m->place[r])
			continue;
		m->order[nr++] = r;
		m->place[r] = (u32)nr;
	}
	m->nr_settled = nr;
	m->expected_to = 0;
}

/* The lines of the rows around one are likely to be drawn as well. */
static void expect_around(struct rows_model *m, size_t i)
{
	if (i >= m->expected_from && i < m->expected_to)
		return;
	m->expected_from = i > AROUND ? i - AROUND : 0;
	m->expected_to = i + AROUND < m->nr_settled ? i + AROUND : m->nr_settled;
	m->table->ops->expect(m->table, m->order + m->expected_from,
			      m->expected_to - m->expected_from);
}

const struct rows_lines *rows_lines_at(struct rows_model *m, size_t i)
{
	table_row r = rows_at(m, i);
	struct rows_lines *l = &m->cache[r % ROWS_CACHED];

	if (l->made != m->changes + 1 || l->of != r) {
		expect_around(m, i);
		make_lines(m, l, r);
	}
	l->of = r;
	l->made = m->changes + 1;
	return l;
}

/* ---- the cursor */

struct rows_pos rows_cursor(const struct rows_model *m)
{
	u32 place = m->nr ? m->place[m->state.cursor] : 0;

	return (struct rows_pos){ place ? place - 1 : 0, m->state.line };
}

void rows_set_cursor(struct rows_model *m, struct rows_pos p)
{
	const struct rows_lines *l;

	m->state.line = 0;
	if (!m->nr)
		return;
	m->state.cursor = rows_at(m, p.at);
	if (!p.line)
		return;
	l = rows_lines_at(m, p.at);
	m->state.line = p.line < l->nr ? p.line : (u32)l->nr - 1;
}

const struct rows_line *rows_line_at_cursor(struct rows_model *m)
{
	return m->nr ? &rows_lines_at(m, rows_cursor(m).at)->lines[m->state.line] : NULL;
}

table_row rows_entry_at_cursor(struct rows_model *m)
{
	const struct rows_lines *l;
	u32 line = m->state.line;

	if (!m->nr)
		return TABLE_TOP;
	l = rows_lines_at(m, rows_cursor(m).at);
	while (line && !is_entry(m, l->lines[line].row))
		line--;
	return l->lines[line].row;
}

table_row rows_entry_of(struct rows_model *m, table_row r, size_t col)
{
	const struct table_ops *ops = m->table->ops;
	table_row entry = r;
	size_t named;

	if (!m->table->entries)
		return r;
	/* levels have the columns of keys in their order */
	while (ops->named(m->table, r, &entry, &named) && named < col && ops->nr_rows(m->table, r))
		r = ops->row(m->table, r, 0);
	return entry;
}

bool rows_next(struct rows_model *m, struct rows_pos *p)
{
	if (!m->nr)
		return false;
	if (p->line + 1 < rows_lines_at(m, p->at)->nr) {
		p->line++;
		return true;
	}
	if (p->at + 1 == m->nr)
		return false;
	*p = (struct rows_pos){ p->at + 1, 0 };
	return true;
}

bool rows_prev(struct rows_model *m, struct rows_pos *p)
{
	if (p->line) {
		p->line--;
		return true;
	}
	if (!p->at)
		return false;
	p->at--;
	p->line = (u32)rows_lines_at(m, p->at)->nr - 1;
	return true;
}

void rows_move(struct rows_model *m, long lines)
{
	struct rows_pos p = rows_cursor(m);

	for (; lines > 0 && rows_next(m, &p); lines--)
		;
	for (; lines < 0 && rows_prev(m, &p); lines++)
		;
	rows_set_cursor(m, p);
}

void rows_move_to_end(struct rows_model *m)
{
	if (m->nr)
		rows_set_cursor(m, (struct rows_pos){ m->nr - 1, UINT32_MAX });
}
