/* SPDX-License-Identifier: MIT */
#include "unwind/oracle_libunwind.h"

#include <libunwind-x86_64.h>

#include "base/mem.h"
#include "unwind/cfi/cfi.h"
#include "unwind/stack_copy.h"
#include "unwind/unwind_module.h"
#include "unwind/unwind_walk.h"

#define DW_EH_PE_UDATA4 0x03
/* Datarel sdata4: the encoding that linkers write and libunwind searches. */
#define DW_EH_PE_TABLE 0x3b
/*
 * The address under which libunwind reads a search table that this file built. No process can have
 * memory mapped at it.
 */
#define MADE_TABLE 0x7000000000000000ull

/* libunwind exports this function for callers with unwind tables of their own, but no header of
 * version 1.6 declares it. */
extern int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t as, unw_word_t ip,
					      unw_dyn_info_t *di, unw_proc_info_t *pi,
					      int need_unwind_info, void *arg);

struct table_entry {
	s32 start, fde; /* offsets from the start of .eh_frame */
};

/* A search table built for a file without a usable .eh_frame_hdr. */
struct made_table {
	const struct object *code;
	u64 eh_frame; /* vaddr */
	struct table_entry *entries;
	size_t nr, cap; /* nr 0: the file has no call frame information */
};

struct oracle_libunwind {
	struct unwinder_config cfg;
	unw_addr_space_t as;
	struct made_table *made;
	size_t nr_made, cap_made;
	/* the rest is about the stack that is being unwound */
	const struct unwind_job *job;
	struct stack_copy stack;
	struct unwind_place place; /* the file whose call frame information is being read */
	struct span table;         /* its search table, if this file built it */
	bool in_info;              /* libunwind is searching call frame information */
	bool no_info;              /* the last step found no call frame information */
	bool missed;               /* the last step needed bytes that the copy of the stack lacks */
	bool other_stack; /* frames past a signal handler, which may run on an alternate stack */
};

/* Reads the 8 bytes at vaddr of a file. Bytes past the end of its segment read as zero. */
static bool read_file(const struct object *o, u64 vaddr, u64 *ret)
{
	u64 v = 0, n;
	const struct obj_load *l = NULL;

	for (size_t i = 0; !l && i < o->nr_loads; i++)
		if (vaddr >= o->loads[i].vaddr && vaddr - o->loads[i].vaddr < o->loads[i].filesz)
			l = &o->loads[i];
	if (!l || l->off > o->file.n || l->filesz > o->file.n - l->off)
		return false;
	n = l->filesz - (vaddr - l->vaddr);
	memcpy(&v, o->file.p + l->off + (vaddr - l->vaddr), n < 8 ? n : 8);
	*ret = v;
	return true;
}

static bool read_place(const struct unwind_place *p, u64 addr, u64 *ret)
{
	const struct object *o = p->module ? unwind_module_code(p->module) : NULL;

	return o && read_file(o, addr - p->bias, ret);
}

static bool read_table(const struct oracle_libunwind *o, u64 addr, u64 *ret)
{
	u64 at = addr - MADE_TABLE;

	if (at > o->table.n || o->table.n - at < 8)
		return false;
	memcpy(ret, o->table.p + at, 8);
	return true;
}

static int access_mem(unw_addr_space_t as, unw_word_t addr, unw_word_t *val, int write, void *arg)
{
	struct oracle_libunwind *o = arg;
	struct unwind_place place = { 0 };
	u64 v = 0;

	(void)as;
	if (write)
		return -UNW_EINVAL;
	/*
	 * call frame instructions are read after the search, at addresses that may be in no
	 * executable map
	 */
	if ((o->in_info ? read_table(o, addr, &v) : stack_read(&o->stack, addr, 8, &v)) ||
	    read_place(&o->place, addr, &v) ||
	    (o->cfg.find(&o->job->space, addr, &place) && read_place(&place, addr, &v))) {
		*val = v;
		return 0;
	}
	o->missed |= !o->in_info && stack_miss(&o->stack, addr, o->other_stack) == UNWIND_TRUNCATED;
	return -UNW_EINVAL;
}

static int access_reg(unw_addr_space_t as, unw_regnum_t reg, unw_word_t *val, int write, void *arg)
{
	const struct oracle_libunwind *o = arg;

	(void)as;
	if (write)
		return -UNW_EREADONLYREG;
	if (reg == UNW_X86_64_RIP) {
		*val = o->job->pc;
		return 0;
	}
	/* libunwind numbers the other registers as DWARF does */
	if (reg < UNW_X86_64_RAX || reg > UNW_X86_64_R15 || !(o->job->known >> reg & 1))
		return -UNW_EBADREG;
	*val = o->job->regs[reg];
	return 0;
}

static int access_fpreg(unw_addr_space_t as, unw_regnum_t reg, unw_fpreg_t *val, int write,
			void *arg)
{
	(void)as;
	(void)reg;
	(void)val;
	(void)write;
	(void)arg;
	return -UNW_EBADREG;
}

/*
 * Describes the binary search table of .eh_frame_hdr to libunwind. Returns false if the file has
 * none that libunwind can search. Layout: version, three encodings, the encoded address of
 * .eh_frame, the count, the table.
 */
static bool find_table(const struct object *o, const struct unwind_place *p, unw_dyn_info_t *di)
{
	u64 hdr = o->eh_frame_hdr.vaddr, head, count, size = o->eh_frame_hdr.size;
	u8 b[8];

	if (size < 12 || !read_file(o, hdr, &head) || !read_file(o, hdr + 8, &count))
		return false;
	memcpy(b, &head, sizeof(b));
	/*
	 * the address of .eh_frame must have four bytes, sdata4 or udata4; its base does not matter
	 */
	if (b[0] != 1 || (b[1] & 0x07) != 0x03 || b[2] != DW_EH_PE_UDATA4 || b[3] != DW_EH_PE_TABLE)
		return false;
	count &= UINT32_MAX;
	if (!count || count > (size - 12) / sizeof(struct table_entry))
		return false;
	*di = (unw_dyn_info_t){ .format = UNW_INFO_FORMAT_REMOTE_TABLE,
				.start_ip = p->start,
				.end_ip = p->end };
	di->u.rti.segbase = hdr + p->bias;
	di->u.rti.table_data = hdr + 12 + p->bias;
	di->u.rti.table_len = count * sizeof(struct table_entry) / sizeof(unw_word_t);
	return true;
}

/* Fills the search table from our own index of functions. libunwind itself decodes the entries. */
static void make_table(struct made_table *t)
{
	const struct obj_section *eh = object_section(t->code, ".eh_frame");
	struct cfi_fde fde;
	struct cfi *c;
	struct perr e;

	if (!eh || cfi_open(t->code, NULL, &c, &e))
		return;
	t->eh_frame = eh->addr;
	for (u32 i = 0; i < cfi_nr_fdes(c) && cfi_get_fde(c, i, &fde); i++) {
		s64 start = (s64)(fde.start - eh->addr);

		if (!fde.debug_frame && start == (s32)start && fde.offset <= INT32_MAX)
			vec_push(t->entries, t->nr, t->cap,
				 ((struct table_entry){ (s32)start, (s32)fde.offset }));
	}
	cfi_close(c);
}

static bool find_made_table(struct oracle_libunwind *o, const struct object *code,
			    unw_dyn_info_t *di)
{
	struct made_table *t;
	size_t i = 0;

	while (i < o->nr_made && o->made[i].code != code)
		i++;
	if (i == o->nr_made) {
		vec_push(o->made, o->nr_made, o->cap_made, ((struct made_table){ .code = code }));
		make_table(&o->made[i]);
	}
	t = &o->made[i];
	if (!t->nr)
		return false;
	o->table = span_of((const u8 *)t->entries, t->nr * sizeof(*t->entries));
	*di = (unw_dyn_info_t){ .format = UNW_INFO_FORMAT_REMOTE_TABLE,
				.start_ip = o->place.start,
				.end_ip = o->place.end };
	di->u.rti.segbase = t->eh_frame + o->place.bias;
	di->u.rti.table_data = MADE_TABLE;
	di->u.rti.table_len = o->table.n / sizeof(unw_word_t);
	return true;
}

static int find_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi, int need_info,
			  void *arg)
{
	struct oracle_libunwind *o = arg;
	const struct object *code;
	unw_dyn_info_t di;
	int ret;

	o->place = (struct unwind_place){ 0 };
	o->table = span_of(NULL, 0);
	o->no_info = true;
	if (!o->cfg.find(&o->job->space, ip, &o->place) || !o->place.module)
		return -UNW_ENOINFO;
	code = unwind_module_code(o->place.module);
	if (!code || code->swap || !code->is_64)
		return -UNW_ENOINFO;
	if (!find_table(code, &o->place, &di) && !find_made_table(o, code, &di))
		return -UNW_ENOINFO;
	o->in_info = true;
	ret = UNW_OBJ(dwarf_search_unwind_table)(as, ip, &di, pi, need_info, arg);
	o->in_info = false;
	o->no_info = ret < 0;
	return ret;
}

/* Nothing to free: libunwind itself frees what dwarf_search_unwind_table() allocated. */
static void put_unwind_info(unw_addr_space_t as, unw_proc_info_t *pi, void *arg)
{
	(void)as;
	(void)pi;
	(void)arg;
}

static int get_dyn_info_list_addr(unw_addr_space_t as, unw_word_t *ret, void *arg)
{
	(void)as;
	(void)ret;
	(void)arg;
	return -UNW_ENOINFO;
}

static int resume(unw_addr_space_t as, unw_cursor_t *cursor, void *arg)
{
	(void)as;
	(void)cursor;
	(void)arg;
	return -UNW_EINVAL;
}

static int get_proc_name(unw_addr_space_t as, unw_word_t addr, char *buf, size_t n,
			 unw_word_t *ret_off, void *arg)
{
	(void)as;
	(void)addr;
	(void)buf;
	(void)n;
	(void)ret_off;
	(void)arg;
	return -UNW_EINVAL;
}

bool oracle_libunwind_is_available(void)
{
	return true;
}

struct oracle_libunwind *oracle_libunwind_new(const struct unwinder_config *cfg)
{
	struct oracle_libunwind *o = xcalloc(1, sizeof(*o));
	unw_accessors_t calls = { .find_proc_info = find_proc_info,
				  .put_unwind_info = put_unwind_info,
				  .get_dyn_info_list_addr = get_dyn_info_list_addr,
				  .access_mem = access_mem,
				  .access_reg = access_reg,
				  .access_fpreg = access_fpreg,
				  .resume = resume,
				  .get_proc_name = get_proc_name };

	o->cfg = *cfg;
	/* libunwind copies the table; 0: this machine's byte order */
	o->as = unw_create_addr_space(&calls, 0);
	if (!o->as) {
		free(o);
		return NULL;
	}
	unw_set_caching_policy(o->as, UNW_CACHE_NONE);
	return o;
}

void oracle_libunwind_free(struct oracle_libunwind *o)
{
	if (!o)
		return;
	unw_destroy_addr_space(o->as);
	for (size_t i = 0; i < o->nr_made; i++)
		free(o->made[i].entries);
	free(o->made);
	free(o);
}

/* Translates the result of unw_step() into our reason for the end of a stack. */
static enum unwind_end end_of(const struct oracle_libunwind *o, int ret)
{
	if (o->missed)
		return UNWIND_TRUNCATED;
	switch (ret) {
	case 0: return UNWIND_ROOT;
	case -UNW_EBADFRAME: return UNWIND_BAD_STACK;
	case -UNW_EINVALIDIP: return UNWIND_NO_MAP;
	case -UNW_ENOINFO: break;
	default: return UNWIND_BAD_INFO;
	}
	return UNWIND_NO_INFO;
}

static enum unwind_end walk(struct oracle_libunwind *o, struct unwind_frames *ret)
{
	size_t max = o->cfg.max_frames ? o->cfg.max_frames : UNWIND_MAX_FRAMES;
	unw_cursor_t cursor;
	bool exact = true;
	int err;

	if (unw_init_remote(&cursor, o->as, o))
		return UNWIND_NO_REGS;
	while (ret->nr < max) {
		unw_word_t ip = 0, sp = 0;

		if (unw_get_reg(&cursor, UNW_REG_IP, &ip) || unw_get_reg(&cursor, UNW_REG_SP, &sp))
			return UNWIND_BAD_STACK;
		if (!ip)
			return UNWIND_ROOT;
		frames_add(ret, exact ? ip : ip - 1, sp, 0);
		o->missed = o->no_info = false;
		err = unw_step(&cursor);
		/*
		 * the cursor is at the caller now, but the flag says that the frame just left is a
		 * signal handler's trampoline: its pc is no return address
		 */
		exact = unw_is_signal_frame(&cursor) > 0;
		if (exact) {
			ret->ips[ret->nr - 1] = ip;
			o->other_stack = true;
		}
		if (err <= 0 || o->missed)
			return end_of(o, err);
		ret->guessed += o->no_info;
	}
	return UNWIND_DEPTH;
}

int oracle_libunwind_stack(struct oracle_libunwind *o, const struct unwind_job *job,
			   struct unwind_frames *ret)
{
	const unsigned int sp = unwind_sp_reg(job->arch);

	ret->nr = 0;
	ret->guessed = 0;
	ret->last_cfa = 0;
	ret->end = UNWIND_NO_REGS;
	if (!(job->known >> sp & 1) || !job->pc)
		return 0;
	if (job->arch != UNWIND_X86_64 || job->swap) {
		frames_add(ret, job->pc, job->regs[sp], 0);
		ret->end = UNWIND_NO_INFO;
		return PERR_UNSUPPORTED;
	}
	o->job = job;
	o->other_stack = false;
	o->stack = stack_copy_of(job, job->regs[sp]);
	ret->end = walk(o, ret);
	return 0;
}
