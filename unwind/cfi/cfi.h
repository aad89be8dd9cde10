/* SPDX-License-Identifier: MIT */
/*
 * Call frame information of one ELF file: .eh_frame and .debug_frame, turned into rows that say for
 * a range of code where the caller's registers are. Addresses are vaddrs of the ELF file, without
 * any load bias; ranges are half-open. Register numbers are DWARF's for the file's architecture.
 *
 *	cfi_open(code, debug, &c, &e)
 *	cfi_find(c, vaddr, &fde)		the function's entry
 *	cfi_rows(c, &fde, each_row, ctx, &e)	its rows, ascending
 */
#ifndef UNWIND_CFI_CFI_H
#define UNWIND_CFI_CFI_H

#include "symbols/elf/object.h"

/* How a register of the caller is found. */
enum cfi_how {
	CFI_UNSPECIFIED, /* no rule was given: what the architecture's ABI says */
	CFI_UNDEFINED,   /* it is lost; for the return address: there is no caller */
	CFI_SAME,
	CFI_OFFSET,     /* saved at CFA + offset */
	CFI_VAL_OFFSET, /* is CFA + offset */
	CFI_REGISTER,   /* is in register `reg`; for the CFA: reg + offset */
	CFI_EXPR,       /* saved where expr says; for the CFA: is what it says */
	CFI_VAL_EXPR,   /* is what expr says */
};

struct cfi_rule {
	u8 how; /* enum cfi_how */
	u16 reg;
	s64 offset;
	struct span expr; /* DWARF expression in the file's byte order; the CFA is pushed first for
			     EXPR and VAL_EXPR of registers */
};

struct cfi_reg_rule {
	u16 reg; /* whose */
	struct cfi_rule rule;
};

/* What holds for [start, end). Rules are borrowed until each_row returns. */
struct cfi_row {
	u64 start, end;
	struct cfi_rule cfa;
	const struct cfi_reg_rule *regs; /* ascending reg; those never mentioned are left out */
	size_t nr_regs;
	u16 ra_reg;         /* return address column */
	bool signal_frame;  /* 'S': the pc of this frame's caller is where it was interrupted */
	bool ra_signed;     /* aarch64: the return address carries a pointer authentication code */
	bool has_same_regs; /* as the row that was delivered before this one */
};

/* One function's entry. Its numbers are stable for as long as the cfi. */
struct cfi_fde {
	u64 start, end; /* code it covers */
	u64 offset;     /* in its section, for messages and tests */
	bool debug_frame;
	u32 index; /* dense number below cfi_nr_fdes(), in order of start */
};

struct cfi;

/*
 * code: the mapped file (.eh_frame; found by PT_GNU_EH_FRAME where section headers are missing).
 * debug: its debug file with .debug_frame, or NULL, or the same object. Both stay the caller's and
 * must outlive *ret. PERR_NOTFOUND: there is no call frame information in either. PERR_FORMAT: none
 * that can be used. PERR_UNSUPPORTED: a file that is not linked, whose addresses mean nothing.
 * Others of a compressed .debug_frame, see symbols/elf/section_expand.h.
 *
 * .eh_frame comes first; .debug_frame adds the functions whose start it lacks. Where functions
 * overlap, that with the nearest start holds an address. Work and memory: with a sound
 * .eh_frame_hdr opening reads only that (0.5 ms for 95,000 functions), else every entry's head is
 * read and sorted.
 */
int cfi_open(const struct object *code, const struct object *debug, struct cfi **ret,
	     struct perr *e) MUST_CHECK;
void cfi_close(struct cfi *c);

/* The entry whose range holds vaddr. False when none does. May be called by several threads. */
bool cfi_find(const struct cfi *c, u64 vaddr, struct cfi_fde *ret);

/*
 * The index of the entry that holds vaddr, if any does: whether it does, its range tells.
 * CFI_NO_INDEX: none. Any thread may call it.
 */
#define CFI_NO_INDEX UINT32_MAX
u32 cfi_find_index(const struct cfi *c, u64 vaddr);

/* All entries by index. */
u32 cfi_nr_fdes(const struct cfi *c);
bool cfi_get_fde(const struct cfi *c, u32 index, struct cfi_fde *ret);

/*
 * Runs the entry's instructions and calls each_row for every row, ascending, ranges adjoining, up
 * to fde->end; neighbours that say the same may come as two. Stops when each_row returns false.
 * PERR_FORMAT with the offset where the instructions are damaged; rows before that were delivered.
 * May be called by several threads.
 */
int cfi_rows(const struct cfi *c, const struct cfi_fde *fde,
	     bool (*each_row)(void *ctx, const struct cfi_row *row), void *ctx,
	     struct perr *e) MUST_CHECK;

#endif
