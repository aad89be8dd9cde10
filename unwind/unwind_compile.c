/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_compile.h"

#include "base/mem.h"
#include "unwind/cfi/rows_go.h"

void compiler_init(struct compiler *c, const struct row_source *from)
{
	c->from = from;
	pthread_mutex_init(&c->lock, NULL);
}

void compiler_fini(struct compiler *c)
{
	arena_fini(&c->arena);
	idmap_fini(&c->distinct);
	free(c->rows);
	free(c->scratch);
	free(c->rules);
	free(c->row_bytes);
	pthread_mutex_destroy(&c->lock);
}

/* Returns the bytes that a row takes as struct full_row, with its expressions behind it. */
static size_t row_size(const struct cfi_row *row)
{
	size_t n = sizeof(struct full_row) + row->nr_regs * sizeof(row->regs[0]);

	n += row->cfa.expr.n;
	for (size_t i = 0; i < row->nr_regs; i++)
		n += row->regs[i].rule.expr.n;
	return n;
}

static void copy_rule(struct cfi_rule *to, const struct cfi_rule *from, u8 **tail)
{
	/* Member by member: padding has to be zero for the comparison. */
	to->how = from->how;
	to->reg = from->reg;
	to->offset = from->offset;
	to->expr.n = from->expr.n;
	if (from->expr.n)
		memcpy(*tail, from->expr.p, from->expr.n);
	*tail += from->expr.n;
}

static void fill_row(struct full_row *to, enum unwind_arch arch, const struct cfi_row *row)
{
	u8 *tail = (u8 *)&to->regs[row->nr_regs];
	struct rule_regs regs;

	regs = rule_compile_regs(arch, row);
	to->rule = rule_compile(arch, &regs, &row->cfa);
	to->nr_regs = (u16)row->nr_regs;
	to->ra_reg = row->ra_reg;
	to->signal_frame = row->signal_frame;
	to->ra_signed = row->ra_signed;
	copy_rule(&to->cfa, &row->cfa, &tail);
	for (size_t i = 0; i < row->nr_regs; i++) {
		to->regs[i].reg = row->regs[i].reg;
		copy_rule(&to->regs[i].rule, &row->regs[i].rule, &tail);
	}
}

static void point_at_exprs(struct full_row *row)
{
	u8 *tail = (u8 *)&row->regs[row->nr_regs];

	row->cfa.expr.p = tail;
	tail += row->cfa.expr.n;
	for (size_t i = 0; i < row->nr_regs; i++) {
		row->regs[i].rule.expr.p = tail;
		tail += row->regs[i].rule.expr.n;
	}
}

/*
 * True if two rows are equal. Their pointers to expressions are not compared: they point into the
 * rows themselves.
 */
static bool rows_equal(const struct full_row *a, const struct full_row *b)
{
	const u8 *ta = (const u8 *)&a->regs[a->nr_regs], *tb = (const u8 *)&b->regs[b->nr_regs];
	size_t tail = a->cfa.expr.n;

	if (a->nr_regs != b->nr_regs || a->ra_reg != b->ra_reg ||
	    a->signal_frame != b->signal_frame || a->ra_signed != b->ra_signed ||
	    a->cfa.how != b->cfa.how || a->cfa.reg != b->cfa.reg ||
	    a->cfa.offset != b->cfa.offset || a->cfa.expr.n != b->cfa.expr.n)
		return false;
	for (size_t i = 0; i < a->nr_regs; i++) {
		const struct cfi_reg_rule *x = &a->regs[i], *y = &b->regs[i];

		if (x->reg != y->reg || x->rule.how != y->rule.how || x->rule.reg != y->rule.reg ||
		    x->rule.offset != y->rule.offset || x->rule.expr.n != y->rule.expr.n)
			return false;
		tail += x->rule.expr.n;
	}
	return !memcmp(ta, tb, tail);
}

/*
 * Returns the one kept copy of a row. Of the many thousand rows of an object, only a few hundred
 * differ.
 */
static const struct full_row *intern_row(struct compiler *c, const struct cfi_row *row)
{
	size_t n = row_size(row);
	struct full_row *r;
	u64 h;

	vec_reserve(c->row_bytes, c->cap_row_bytes, n);
	memset(c->row_bytes, 0, n);
	r = (struct full_row *)c->row_bytes;
	fill_row(r, c->from->arch, row);
	h = hash_bytes(r, n);
	for (u64 turn = 0;; turn++) {
		u32 i = idmap_get(&c->distinct, h, turn);

		if (i == IDMAP_NONE) {
			struct full_row *kept = arena_alloc(&c->arena, n);

			memcpy(kept, r, n);
			point_at_exprs(kept);
			idmap_put(&c->distinct, h, turn, (u32)c->nr_rows);
			vec_push(c->rows, c->nr_rows, c->cap_rows, kept);
			return kept;
		}
		if (rows_equal(c->rows[i], r))
			return c->rows[i];
	}
}

/*
 * True if more rows came from Go's table than it can hold: each takes at least two bytes, unless
 * functions of a damaged table share them.
 */
static bool are_too_many(const struct compiler *c)
{
	return c->nr_go_rows > c->from->go.pctab.n;
}

static bool take_row(void *ctx, const struct cfi_row *row)
{
	struct compiler *c = ctx;
	const struct full_row *r;

	if (row->nr_regs > UINT16_MAX)
		return false;
	r = intern_row(c, row);
	if (c->nr_scratch && c->scratch[c->nr_scratch - 1].row == r)
		return true;
	vec_push(c->scratch, c->nr_scratch, c->cap_scratch,
		 ((struct fn_row){ .start = row->start, .row = r }));
	return true;
}

static bool take_rule(void *ctx, const struct cfi_row *row)
{
	struct compiler *c = ctx;
	u32 rule;

	if (row->nr_regs > UINT16_MAX || row->start - c->start > UINT32_MAX)
		return false;
	if (!row->has_same_regs)
		c->regs = rule_compile_regs(c->from->arch, row);
	rule = rule_compile(c->from->arch, &c->regs, &row->cfa);
	c->end = row->end;
	if (c->nr_rules && c->rules[c->nr_rules - 1].rule == rule)
		return true;
	vec_push(c->rules, c->nr_rules, c->cap_rules,
		 ((struct fn_rule){ .off = (u32)(row->start - c->start), .rule = rule }));
	return true;
}

/*
 * Passes the rows of an entry to take(). Returns false if its instructions are damaged; the rows
 * before the damage have been passed and are good.
 */
static bool run_rows(struct compiler *c, const struct cfi_fde *fde,
		     bool (*take)(void *ctx, const struct cfi_row *row))
{
	const struct row_source *from = c->from;
	struct perr e;

	if (!from->by_libdw)
		return !cfi_rows(from->cfi, fde, take, c, &e);
	return from->libdw && !rows_libdw_rows(from->libdw, fde, take, c, &e);
}

/*
 * Passes the rows of the entry with this index to take(), none if the entry contradicts its table.
 */
static void run_entry(struct compiler *c, u32 index,
		      bool (*take)(void *ctx, const struct cfi_row *row))
{
	const struct row_source *from = c->from;
	struct go_function f;
	struct cfi_fde fde;

	c->start = c->end = 0;
	if (index >= from->nr_fdes) {
		if (!are_too_many(c) && go_table_function(&from->go, index - from->nr_fdes, &f)) {
			c->start = c->end = f.start;
			c->nr_go_rows += rows_go(&f, &from->go, take, c);
		}
	} else if (cfi_get_fde(from->cfi, index, &fde)) {
		c->start = c->end = fde.start;
		if (!run_rows(c, &fde, take) && c->end > fde.end)
			c->end = fde.end;
	}
}

struct fn_rules *compiler_make_rules(struct compiler *c, u32 index)
{
	struct fn_rules *f;

	c->nr_rules = 0;
	run_entry(c, index, take_rule);
	f = arena_alloc(&c->arena, sizeof(*f) + c->nr_rules * sizeof(f->rules[0]));
	f->start = c->start;
	f->end = c->nr_rules ? c->end : c->start;
	f->nr = (u32)c->nr_rules;
	if (f->nr)
		memcpy(f->rules, c->rules, f->nr * sizeof(f->rules[0]));
	return f;
}

struct fn *compiler_make_fn(struct compiler *c, u32 index)
{
	struct fn *f;

	c->nr_scratch = 0;
	run_entry(c, index, take_row);
	f = arena_alloc(&c->arena, sizeof(*f) + c->nr_scratch * sizeof(f->rows[0]));
	f->nr = (u32)c->nr_scratch;
	if (f->nr)
		memcpy(f->rows, c->scratch, f->nr * sizeof(f->rows[0]));
	return f;
}

const struct full_row *compiler_make_go_end(struct compiler *c)
{
	const struct cfi_reg_rule ra = { 16, { .how = CFI_UNDEFINED } };
	const struct cfi_row row = { .cfa = { .how = CFI_REGISTER, .reg = 7, .offset = 8 },
				     .regs = &ra,
				     .nr_regs = 1,
				     .ra_reg = 16 };

	return intern_row(c, &row);
}
