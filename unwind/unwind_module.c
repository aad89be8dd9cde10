/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_module.h"

#include <elf.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "base/mem.h"
#include "unwind/rows_go.h"
#include "unwind/rows_libdw.h"

struct fn_row {
	u64 start;
	const struct full_row *row;
};

/* One function, its rows whole: ascending. */
struct fn {
	u32 nr;
	struct fn_row rows[];
};

struct fn_rule {
	u32 off; /* from the function's start */
	u32 rule;
};

/* One function, its rows in short; what lies before the first or behind `end` has none. */
struct fn_rules {
	u64 start, end;
	u32 nr;
	struct fn_rule rules[];
};

/* What a thread compiles with; all of it under the lock. */
struct compiler {
	struct unwind_module *m;
	pthread_mutex_t lock;
	struct arena arena;
	struct idmap distinct; /* hash of a row, number of collisions -> index in rows */
	const struct full_row **rows;
	size_t nr_rows, cap_rows;
	/* of the function being compiled: */
	struct fn_row *scratch;
	size_t nr_scratch, cap_scratch;
	struct fn_rule *rules;
	size_t nr_rules, cap_rules;
	u64 start, end;
	u64 nr_go_rows;        /* of all functions so far */
	struct rule_regs regs; /* of the row before */
	u8 *row_bytes;         /* of the row being compared */
	size_t cap_row_bytes;
};

/* A thread takes the first that is free: to be woken takes longer than most functions do. */
#define NR_COMPILERS 4

struct unwind_module {
	const struct object *code, *debug;
	enum unwind_arch arch;
	pthread_mutex_t lock;          /* of what is opened once */
	atomic_bool opened;            /* cfi and the arrays are what they will be */
	struct cfi *cfi;               /* NULL: there is none */
	u32 nr_fdes;                   /* of cfi */
	struct go_table go;            /* without functions: there is none */
	const struct full_row *go_end; /* where a stack of Go ends */
	bool keeps_frames;             /* unwind_module_keeps_frames */
	bool is_made;                  /* unwind_module_is_made */
	bool by_libdw;
	struct rows_libdw *libdw; /* with by_libdw: where rows come from; NULL: there are none */
	u32 nr_fns;               /* the entries of cfi, behind them those of go */
	struct fn_rules *_Atomic *rules; /* by index of the entry; NULL: not compiled yet */
	/* under lock: those with whole rows, as few are asked for */
	struct idmap fn_numbers; /* (index of the entry, 0) -> number */
	struct fn **fns;
	size_t nr_whole, cap_whole;
	struct compiler compilers[NR_COMPILERS];
};

struct unwind_module *unwind_module_new(const struct object *code, const struct object *debug)
{
	struct unwind_module *m = xcalloc(1, sizeof(*m));

	m->code = code;
	m->debug = debug;
	m->arch = code ? unwind_arch_of_machine(code->machine, code->is_64) : UNWIND_NR_ARCHS;
	m->keeps_frames = code && go_table_section(code);
	pthread_mutex_init(&m->lock, NULL);
	for (size_t i = 0; i < NR_COMPILERS; i++) {
		m->compilers[i].m = m;
		pthread_mutex_init(&m->compilers[i].lock, NULL);
	}
	return m;
}

static void compiler_fini(struct compiler *c)
{
	arena_fini(&c->arena);
	idmap_fini(&c->distinct);
	free(c->rows);
	free(c->scratch);
	free(c->rules);
	free(c->row_bytes);
	pthread_mutex_destroy(&c->lock);
}

void unwind_module_free(struct unwind_module *m)
{
	if (!m)
		return;
	cfi_close(m->cfi);
	rows_libdw_close(m->libdw);
	free(m->rules);
	idmap_fini(&m->fn_numbers);
	free(m->fns);
	for (size_t i = 0; i < NR_COMPILERS; i++)
		compiler_fini(&m->compilers[i]);
	pthread_mutex_destroy(&m->lock);
	free(m);
}

void unwind_module_use_libdw(struct unwind_module *m)
{
	m->by_libdw = true;
}

void unwind_module_set_made(struct unwind_module *m)
{
	m->is_made = true;
}

bool unwind_module_is_made(const struct unwind_module *m)
{
	return m->is_made;
}

const struct object *unwind_module_code(const struct unwind_module *m)
{
	return m->code;
}

enum unwind_arch unwind_module_arch(const struct unwind_module *m)
{
	return m->arch;
}

bool unwind_module_swap(const struct unwind_module *m)
{
	return m->code && m->code->swap;
}

/* A row with its expressions, as one run of bytes that tells it from others. */
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

/* Pointers into itself are left out of the comparison: they follow from the rest. */
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

/* The one copy of rows that say the same: an object has a few hundred among many thousands. */
static const struct full_row *intern_row(struct compiler *c, const struct cfi_row *row)
{
	size_t n = row_size(row);
	struct full_row *r;
	u64 h;

	vec_reserve(c->row_bytes, c->cap_row_bytes, n);
	memset(c->row_bytes, 0, n);
	r = (struct full_row *)c->row_bytes;
	fill_row(r, c->m->arch, row);
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

/* Each takes two bytes of Go's table, unless a damaged one has functions share them. */
static bool are_too_many(const struct compiler *c)
{
	return c->nr_go_rows > c->m->go.pctab.n;
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
		c->regs = rule_compile_regs(c->m->arch, row);
	rule = rule_compile(c->m->arch, &c->regs, &row->cfa);
	c->end = row->end;
	if (c->nr_rules && c->rules[c->nr_rules - 1].rule == rule)
		return true;
	vec_push(c->rules, c->nr_rules, c->cap_rules,
		 ((struct fn_rule){ .off = (u32)(row->start - c->start), .rule = rule }));
	return true;
}

/* Where the instructions are damaged, the rows before that place are good. */
static bool run_rows(struct compiler *c, const struct cfi_fde *fde,
		     bool (*take)(void *ctx, const struct cfi_row *row))
{
	struct unwind_module *m = c->m;
	struct perr e;

	if (!m->by_libdw)
		return !cfi_rows(m->cfi, fde, take, c, &e);
	return m->libdw && !rows_libdw_rows(m->libdw, fde, take, c, &e);
}

/* The rows of an entry; an entry that is not what its table says is none. */
static void run_entry(struct compiler *c, u32 index,
		      bool (*take)(void *ctx, const struct cfi_row *row))
{
	struct unwind_module *m = c->m;
	struct go_function f;
	struct cfi_fde fde;

	c->start = c->end = 0;
	if (index >= m->nr_fdes) {
		if (!are_too_many(c) && go_table_function(&m->go, index - m->nr_fdes, &f)) {
			c->start = c->end = f.start;
			c->nr_go_rows += rows_go(&f, &m->go, take, c);
		}
	} else if (cfi_get_fde(m->cfi, index, &fde)) {
		c->start = c->end = fde.start;
		if (!run_rows(c, &fde, take) && c->end > fde.end)
			c->end = fde.end;
	}
}

static struct fn_rules *compile_rules(struct compiler *c, u32 index)
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

static struct fn *compile(struct compiler *c, u32 index)
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

/* A row that says that nobody has called. */
static const struct full_row *make_go_end(struct compiler *c)
{
	const struct cfi_reg_rule ra = { 16, { .how = CFI_UNDEFINED } };
	const struct cfi_row row = { .cfa = { .how = CFI_REGISTER, .reg = 7, .offset = 8 },
				     .regs = &ra,
				     .nr_regs = 1,
				     .ra_reg = 16 };

	return intern_row(c, &row);
}

static void open_cfi(struct unwind_module *m)
{
	struct perr e;

	pthread_mutex_lock(&m->lock);
	if (!atomic_load_explicit(&m->opened, memory_order_relaxed)) {
		if (m->arch == UNWIND_NR_ARCHS || cfi_open(m->code, m->debug, &m->cfi, &e))
			m->cfi = NULL;
		if (m->cfi)
			m->nr_fdes = cfi_nr_fdes(m->cfi);
		if (m->cfi && m->by_libdw && rows_libdw_open(m->code, m->debug, &m->libdw, &e))
			m->libdw = NULL;
		if (m->arch != UNWIND_X86_64 || !go_table_open(m->code, &m->go) ||
		    m->go.nr > UINT32_MAX - 1 - m->nr_fdes)
			m->go.nr = 0;
		if (m->go.nr)
			m->go_end = make_go_end(&m->compilers[0]);
		m->nr_fns = m->nr_fdes + m->go.nr;
		if (m->nr_fns)
			m->rules = xcalloc(m->nr_fns, sizeof(*m->rules));
		atomic_store_explicit(&m->opened, true, memory_order_release);
	}
	pthread_mutex_unlock(&m->lock);
}

static struct compiler *lock_compiler(struct unwind_module *m)
{
	/* libdw is used by one thread at a time */
	for (size_t i = 0; i < NR_COMPILERS && !m->by_libdw; i++)
		if (!pthread_mutex_trylock(&m->compilers[i].lock))
			return &m->compilers[i];
	pthread_mutex_lock(&m->compilers[0].lock);
	return &m->compilers[0];
}

static const struct fn_rules *compile_rules_once(struct unwind_module *m, u32 index)
{
	struct compiler *c = lock_compiler(m);
	struct fn_rules *f = atomic_load_explicit(&m->rules[index], memory_order_acquire), *made;

	if (!f) {
		made = compile_rules(c, index);
		/* another may have been first: both say the same */
		if (atomic_compare_exchange_strong(&m->rules[index], &f, made))
			f = made;
	}
	pthread_mutex_unlock(&c->lock);
	return f;
}

/* Of an entry; NULL: its rows were not asked for yet. */
static const struct fn *known_fn(struct unwind_module *m, u32 index)
{
	const struct fn *f;
	u32 i;

	pthread_mutex_lock(&m->lock);
	i = idmap_get(&m->fn_numbers, index, 0);
	f = i == IDMAP_NONE ? NULL : m->fns[i];
	pthread_mutex_unlock(&m->lock);
	return f;
}

/* Two threads may do it for one entry: both say the same. */
static const struct fn *compile_whole(struct unwind_module *m, u32 index)
{
	struct compiler *c = lock_compiler(m);
	struct fn *f = compile(c, index);

	pthread_mutex_lock(&m->lock);
	idmap_put(&m->fn_numbers, index, 0, (u32)m->nr_whole);
	vec_push(m->fns, m->nr_whole, m->cap_whole, f);
	pthread_mutex_unlock(&m->lock);
	pthread_mutex_unlock(&c->lock);
	return f;
}

static void ensure_open(struct unwind_module *m)
{
	if (!atomic_load_explicit(&m->opened, memory_order_acquire))
		open_cfi(m);
}

/* CFI_NO_INDEX where there is no entry. */
static u32 find_fde(struct unwind_module *m, u64 vaddr)
{
	u32 index;

	ensure_open(m);
	if (!m->cfi)
		return CFI_NO_INDEX;
	index = cfi_find_index(m->cfi, vaddr);
	return index < m->nr_fdes ? index : CFI_NO_INDEX;
}

/* Likewise, in Go's table. */
static u32 find_go(struct unwind_module *m, u64 vaddr)
{
	u32 i;

	ensure_open(m);
	i = m->go.nr ? go_table_find(&m->go, vaddr) : GO_NO_FUNCTION;
	return i == GO_NO_FUNCTION ? CFI_NO_INDEX : m->nr_fdes + i;
}

/*
 * Nobody has called what is here, or what it calls runs on another stack than its caller's, whose
 * place only the runtime knows: what lies above on this one are remains of earlier calls. index: of
 * find_go.
 */
static bool is_go_end(const struct unwind_module *m, u32 index, u64 vaddr, u64 *ret_function)
{
	struct go_function f;

	if (index == CFI_NO_INDEX || !go_table_function(&m->go, index - m->nr_fdes, &f) ||
	    vaddr >= f.end)
		return false;
	if (!f.is_top && (!f.moves_sp || !unwind_is_after_call(m->arch, unwind_module_bytes_before(
										m, vaddr + 1, 7))))
		return false;
	*ret_function = f.start;
	return true;
}

static bool rule_of(struct unwind_module *m, u32 index, u64 vaddr, u32 *ret_rule, u64 *ret_function)
{
	const struct fn_rules *f;
	u32 lo = 0, hi;

	if (index == CFI_NO_INDEX)
		return false;
	f = atomic_load_explicit(&m->rules[index], memory_order_acquire);
	if (!f)
		f = compile_rules_once(m, index);
	if (vaddr < f->start || vaddr >= f->end)
		return false;
	hi = f->nr;
	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (f->rules[mid].off <= vaddr - f->start)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return false;
	*ret_rule = f->rules[lo - 1].rule;
	*ret_function = f->start;
	return true;
}

bool unwind_module_rule(struct unwind_module *m, u64 vaddr, u32 *ret_rule, u64 *ret_function)
{
	u32 go = find_go(m, vaddr);

	if (is_go_end(m, go, vaddr, ret_function)) {
		*ret_rule = m->go_end->rule;
		return true;
	}
	return rule_of(m, find_fde(m, vaddr), vaddr, ret_rule, ret_function) ||
	       rule_of(m, go, vaddr, ret_rule, ret_function);
}

const struct full_row *unwind_module_row(struct unwind_module *m, u64 vaddr)
{
	u32 index = find_fde(m, vaddr), go = find_go(m, vaddr), lo = 0, hi, rule;
	u64 function;
	const struct fn *f;

	if (is_go_end(m, go, vaddr, &function))
		return m->go_end;
	if (!rule_of(m, index, vaddr, &rule, &function))
		index = go;
	if (index == CFI_NO_INDEX)
		return NULL;
	f = known_fn(m, index);
	if (!f)
		f = compile_whole(m, index);
	hi = f->nr;
	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (f->rows[mid].start <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? f->rows[lo - 1].row : NULL;
}

bool unwind_module_keeps_frames(const struct unwind_module *m)
{
	return m->keeps_frames;
}

static const struct obj_load *fixed_load(const struct unwind_module *m, u64 vaddr)
{
	for (size_t i = 0; m->code && i < m->code->nr_loads; i++) {
		const struct obj_load *l = &m->code->loads[i];

		if (!(l->flags & PF_W) && vaddr >= l->vaddr && vaddr - l->vaddr < l->filesz &&
		    l->off <= m->code->file.n && l->filesz <= m->code->file.n - l->off)
			return l;
	}
	return NULL;
}

struct span unwind_module_bytes(const struct unwind_module *m, u64 vaddr, size_t n)
{
	const struct obj_load *l = fixed_load(m, vaddr);
	u64 left;

	if (!l)
		return span_of(NULL, 0);
	left = l->filesz - (vaddr - l->vaddr);
	return span_of(m->code->file.p + l->off + (vaddr - l->vaddr), left < n ? left : n);
}

struct span unwind_module_bytes_before(const struct unwind_module *m, u64 vaddr, size_t n)
{
	const struct obj_load *l = vaddr ? fixed_load(m, vaddr - 1) : NULL;
	u64 have;

	if (!l)
		return span_of(NULL, 0);
	have = vaddr - l->vaddr;
	if (have > n)
		have = n;
	return span_of(m->code->file.p + l->off + (vaddr - l->vaddr) - have, have);
}
