/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_module.h"

#include <elf.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "base/mem.h"
#include "unwind/rows_libdw.h"

struct fn_row {
	u64 start;
	const struct full_row *row;
};

/* One function, compiled: rows ascending; what lies before the first or behind `end` has none. */
struct fn {
	u64 end;
	u32 nr;
	struct fn_row rows[];
};

/* What a thread compiles with; all of it under the lock. */
struct compiler {
	struct unwind_module *m;
	pthread_mutex_t lock;
	struct arena arena;
	struct idmap distinct; /* hash of a row, number of collisions -> index in rows */
	const struct full_row **rows;
	size_t nr_rows, cap_rows;
	struct fn_row *scratch; /* of the function being compiled */
	size_t nr_scratch, cap_scratch;
	u64 scratch_end;
	u8 *row_bytes; /* of the row being compared */
	size_t cap_row_bytes;
};

/* A thread takes the first that is free: to be woken takes longer than most functions do. */
#define NR_COMPILERS 4

struct unwind_module {
	const struct object *code, *debug;
	enum unwind_arch arch;
	pthread_mutex_t lock; /* of what is opened once */
	atomic_bool opened;   /* cfi and fns are what they will be */
	struct cfi *cfi;      /* NULL: there is none */
	bool by_libdw;
	struct rows_libdw *libdw; /* with by_libdw: where rows come from; NULL: there are none */
	u32 nr_fns;
	struct fn *_Atomic *fns; /* by index of the entry; NULL: not compiled yet */
	struct compiler compilers[NR_COMPILERS];
};

struct unwind_module *unwind_module_new(const struct object *code, const struct object *debug)
{
	struct unwind_module *m = xcalloc(1, sizeof(*m));

	m->code = code;
	m->debug = debug;
	m->arch = code ? unwind_arch_of_machine(code->machine, code->is_64) : UNWIND_NR_ARCHS;
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
	free(c->row_bytes);
	pthread_mutex_destroy(&c->lock);
}

void unwind_module_free(struct unwind_module *m)
{
	if (!m)
		return;
	cfi_close(m->cfi);
	rows_libdw_close(m->libdw);
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

	to->rule = rule_compile(arch, row);
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

static bool take_row(void *ctx, const struct cfi_row *row)
{
	struct compiler *c = ctx;
	const struct full_row *r;

	if (row->nr_regs > UINT16_MAX)
		return false;
	r = intern_row(c, row);
	c->scratch_end = row->end;
	if (c->nr_scratch && c->scratch[c->nr_scratch - 1].row == r)
		return true;
	vec_push(c->scratch, c->nr_scratch, c->cap_scratch,
		 ((struct fn_row){ .start = row->start, .row = r }));
	return true;
}

static int run_rows(struct compiler *c, const struct cfi_fde *fde, struct perr *e)
{
	struct unwind_module *m = c->m;

	if (!m->by_libdw)
		return cfi_rows(m->cfi, fde, take_row, c, e);
	if (!m->libdw)
		return perr_set(e, PERR_NOTFOUND, "libdw finds no call frame information");
	return rows_libdw_rows(m->libdw, fde, take_row, c, e);
}

static struct fn *compile(struct compiler *c, const struct cfi_fde *fde)
{
	struct perr e;
	struct fn *f;

	c->nr_scratch = 0;
	c->scratch_end = fde->start;
	/* Where the instructions are damaged, the rows before that place are good. */
	if (run_rows(c, fde, &e) && c->scratch_end > fde->end)
		c->scratch_end = fde->end;
	f = arena_alloc(&c->arena, sizeof(*f) + c->nr_scratch * sizeof(f->rows[0]));
	f->end = c->scratch_end;
	f->nr = (u32)c->nr_scratch;
	if (f->nr)
		memcpy(f->rows, c->scratch, f->nr * sizeof(f->rows[0]));
	return f;
}

static void open_cfi(struct unwind_module *m)
{
	struct perr e;

	pthread_mutex_lock(&m->lock);
	if (!atomic_load_explicit(&m->opened, memory_order_relaxed)) {
		if (m->arch == UNWIND_NR_ARCHS || cfi_open(m->code, m->debug, &m->cfi, &e))
			m->cfi = NULL;
		if (m->cfi) {
			m->nr_fns = cfi_nr_fdes(m->cfi);
			m->fns = xcalloc(m->nr_fns ? m->nr_fns : 1, sizeof(*m->fns));
			if (m->by_libdw && rows_libdw_open(m->code, m->debug, &m->libdw, &e))
				m->libdw = NULL;
		}
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

static const struct fn *compile_once(struct unwind_module *m, const struct cfi_fde *fde)
{
	struct compiler *c = lock_compiler(m);
	struct fn *f = atomic_load_explicit(&m->fns[fde->index], memory_order_acquire), *made;

	if (!f) {
		made = compile(c, fde);
		/* another may have been first: both say the same */
		if (atomic_compare_exchange_strong(&m->fns[fde->index], &f, made))
			f = made;
	}
	pthread_mutex_unlock(&c->lock);
	return f;
}

const struct full_row *unwind_module_row(struct unwind_module *m, u64 vaddr, u64 *ret_function)
{
	struct cfi_fde fde;
	const struct fn *f;
	size_t lo = 0, hi;

	if (!atomic_load_explicit(&m->opened, memory_order_acquire))
		open_cfi(m);
	if (!m->cfi || !cfi_find(m->cfi, vaddr, &fde) || fde.index >= m->nr_fns)
		return NULL;
	f = atomic_load_explicit(&m->fns[fde.index], memory_order_acquire);
	if (!f)
		f = compile_once(m, &fde);
	*ret_function = fde.start;
	if (vaddr >= f->end)
		return NULL;
	hi = f->nr;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (f->rows[mid].start <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? f->rows[lo - 1].row : NULL;
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
