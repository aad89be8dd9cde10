/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_module.h"

#include <elf.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "base/mem.h"
#include "unwind/unwind_compile.h"

/*
 * A thread that needs a function compiled takes the first free compiler. Waiting for one and being
 * woken would cost more than compiling most functions.
 */
#define NR_COMPILERS 4

struct unwind_module {
	const struct object *code, *debug;
	pthread_mutex_t
		lock; /* for opening the call frame information once, and for the members below */
	atomic_bool opened;     /* cfi, go and the arrays are set and do not change any more */
	struct row_source from; /* cfi and go are set when it is opened */
	const struct full_row *go_end; /* the row of Go functions at which a stack ends */
	bool keeps_frames;             /* unwind_module_keeps_frames */
	bool is_made;                  /* unwind_module_is_made */
	u32 nr_fns; /* number of entries: those of cfi, followed by those of go */
	struct fn_rules *_Atomic *rules; /* by index of the entry; NULL: not compiled yet */
	/* protected by lock: functions whose full rows were compiled, which few need */
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
	m->from.arch = code ? unwind_arch_of_machine(code->machine, code->is_64) : UNWIND_NR_ARCHS;
	m->keeps_frames = code && go_table_section(code);
	pthread_mutex_init(&m->lock, NULL);
	for (size_t i = 0; i < NR_COMPILERS; i++)
		compiler_init(&m->compilers[i], &m->from);
	return m;
}

void unwind_module_free(struct unwind_module *m)
{
	if (!m)
		return;
	cfi_close(m->from.cfi);
	rows_libdw_close(m->from.libdw);
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
	m->from.by_libdw = true;
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
	return m->from.arch;
}

bool unwind_module_is_start(const struct unwind_module *m, u64 vaddr)
{
	const u64 most = 64; /* bytes of _start, whose size only symbols give */

	return m->code && m->code->entry && vaddr - m->code->entry < most;
}

bool unwind_module_swap(const struct unwind_module *m)
{
	return m->code && m->code->swap;
}

static void open_cfi(struct unwind_module *m)
{
	struct perr e;

	pthread_mutex_lock(&m->lock);
	if (!atomic_load_explicit(&m->opened, memory_order_relaxed)) {
		if (m->from.arch == UNWIND_NR_ARCHS ||
		    cfi_open(m->code, m->debug, &m->from.cfi, &e))
			m->from.cfi = NULL;
		if (m->from.cfi)
			m->from.nr_fdes = cfi_nr_fdes(m->from.cfi);
		if (m->from.cfi && m->from.by_libdw &&
		    rows_libdw_open(m->code, m->debug, &m->from.libdw, &e))
			m->from.libdw = NULL;
		if (m->from.arch != UNWIND_X86_64 || !go_table_open(m->code, &m->from.go) ||
		    m->from.go.nr > UINT32_MAX - 1 - m->from.nr_fdes)
			m->from.go.nr = 0;
		if (m->from.go.nr)
			m->go_end = compiler_make_go_end(&m->compilers[0]);
		m->nr_fns = m->from.nr_fdes + m->from.go.nr;
		if (m->nr_fns)
			m->rules = xcalloc(m->nr_fns, sizeof(*m->rules));
		atomic_store_explicit(&m->opened, true, memory_order_release);
	}
	pthread_mutex_unlock(&m->lock);
}

static struct compiler *lock_compiler(struct unwind_module *m)
{
	/* only one thread at a time may use libdw */
	for (size_t i = 0; i < NR_COMPILERS && !m->from.by_libdw; i++)
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
		made = compiler_make_rules(c, index);
		/* another thread may have stored its rules first: they are equal */
		if (atomic_compare_exchange_strong(&m->rules[index], &f, made))
			f = made;
	}
	pthread_mutex_unlock(&c->lock);
	return f;
}

/* Returns the full rows of an entry, NULL if they are not compiled yet. */
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

/*
 * Compiles the full rows of an entry. Two threads may do so for one entry: their results are equal.
 */
static const struct fn *compile_whole(struct unwind_module *m, u32 index)
{
	struct compiler *c = lock_compiler(m);
	struct fn *f = compiler_make_fn(c, index);

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

/* Returns the index of the call frame entry for vaddr, CFI_NO_INDEX if there is none. */
static u32 find_fde(struct unwind_module *m, u64 vaddr)
{
	u32 index;

	ensure_open(m);
	if (!m->from.cfi)
		return CFI_NO_INDEX;
	index = cfi_find_index(m->from.cfi, vaddr);
	return index < m->from.nr_fdes ? index : CFI_NO_INDEX;
}

/* Returns the index of the entry of Go's table for vaddr, CFI_NO_INDEX if there is none. */
static u32 find_go(struct unwind_module *m, u64 vaddr)
{
	u32 i;

	ensure_open(m);
	i = m->from.go.nr ? go_table_find(&m->from.go, vaddr) : GO_NO_FUNCTION;
	return i == GO_NO_FUNCTION ? CFI_NO_INDEX : m->from.nr_fdes + i;
}

/*
 * True if vaddr is in a Go function at which a stack ends: it has no caller, or it runs on another
 * stack than its caller, whose position only the runtime knows. The words above it on this stack
 * are left over from earlier calls. index: the result of find_go().
 */
static bool is_go_end(const struct unwind_module *m, u32 index, u64 vaddr, u64 *ret_function)
{
	struct go_function f;

	if (index == CFI_NO_INDEX || !go_table_function(&m->from.go, index - m->from.nr_fdes, &f) ||
	    vaddr >= f.end)
		return false;
	if (!f.is_top &&
	    (!f.moves_sp ||
	     !unwind_is_after_call(m->from.arch, unwind_module_bytes_before(m, vaddr + 1, 7))))
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
