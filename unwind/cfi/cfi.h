/* SPDX-License-Identifier: MIT */
/*
 * Decodes the call frame information of one ELF file, in .eh_frame and .debug_frame, into rows. A
 * row says for a range of code where the caller's registers are saved. Addresses are vaddrs of the
 *ELF file, ranges are half-open, register numbers are DWARF's for the file's architecture.
 *
 *	cfi_open(code, debug, &c, &e)
 *	cfi_find(c, vaddr, &fde)		the function's entry
 *	cfi_rows(c, &fde, each_row, ctx, &e)	its rows, ascending
 */
#ifndef UNWIND_CFI_CFI_H
#define UNWIND_CFI_CFI_H

#include "symbols/elf/object.h"

/* Where the caller's value of a register is. */
enum cfi_how {
	CFI_UNSPECIFIED, /* the row has no rule: the architecture's ABI decides */
	CFI_UNDEFINED,   /* the value is lost; of the return address: the function has no caller */
	CFI_SAME,        /* in the same register */
	CFI_OFFSET,      /* in memory at CFA + offset */
	CFI_VAL_OFFSET,  /* the value is CFA + offset */
	CFI_REGISTER,    /* in register `reg`; of the CFA: the value is reg + offset */
	CFI_EXPR,        /* in memory at the result of expr; of the CFA: the result */
	CFI_VAL_EXPR,    /* the value is the result of expr */
};

struct cfi_rule {
	u8 how; /* enum cfi_how */
	u16 reg;
	s64 offset;
	struct span expr; /* DWARF expression in the file's byte order; for a register other than
			   * the CFA, the CFA is on its stack at the start */
};

struct cfi_reg_rule {
	u16 reg; /* the register that the rule is for */
	struct cfi_rule rule;
};

/* The rules for code in [start, end). A row is valid until each_row() returns. */
struct cfi_row {
	u64 start, end;
	struct cfi_rule cfa;
	const struct cfi_reg_rule *regs; /* ascending by reg; registers without rule are left out */
	size_t nr_regs;
	u16 ra_reg;         /* number of the return address in regs */
	bool signal_frame;  /* augmentation 'S': the caller was interrupted, and made no call */
	bool ra_signed;     /* aarch64: the return address has a pointer authentication code */
	bool has_same_regs; /* regs are equal to those of the previous row of the function */
};

/* The entry (FDE) of one function. */
struct cfi_fde {
	u64 start, end;   /* of the function's code */
	u64 offset;       /* of the entry in its section, for messages and tests */
	bool debug_frame; /* the entry is in .debug_frame */
	u32 index;        /* below cfi_nr_fdes(), in order of start */
};

struct cfi;

/*
 * Opens the call frame information of a file; the caller frees *ret with cfi_close(). code: the
 * mapped file with .eh_frame, which is found by PT_GNU_EH_FRAME if section headers are missing.
 * debug: the file with .debug_frame; it may be NULL or equal to code. Both must outlive *ret.
 * PERR_NOTFOUND: neither file has call frame information. PERR_FORMAT: none of it can be used.
 * PERR_UNSUPPORTED: the file is not linked, so its addresses have no meaning. Errors of a
 * compressed .debug_frame are those of symbols/elf/section_expand.h.
 *
 * Functions come from .eh_frame; .debug_frame adds functions with other starts. If functions
 * overlap, an address belongs to the one with the nearest start before it. With a sound
 * .eh_frame_hdr, opening reads only that table (0.5 ms for 95,000 functions); without one, the
 * headers of all entries are read and sorted.
 */
int cfi_open(const struct object *code, const struct object *debug, struct cfi **ret,
	     struct perr *e) MUST_CHECK;
void cfi_close(struct cfi *c);

/* Finds the entry whose range contains vaddr. Returns false if none does. Any thread may call it.
 */
bool cfi_find(const struct cfi *c, u64 vaddr, struct cfi_fde *ret);

/*
 * Returns the index of the only entry that may contain vaddr: the caller must compare its range.
 * CFI_NO_INDEX: no entry begins at or before vaddr. Any thread may call it.
 */
#define CFI_NO_INDEX UINT32_MAX
u32 cfi_find_index(const struct cfi *c, u64 vaddr);

/* Returns the number of entries. */
u32 cfi_nr_fdes(const struct cfi *c);
/* Reads the entry with this index. Returns false if it is damaged. */
bool cfi_get_fde(const struct cfi *c, u32 index, struct cfi_fde *ret);

/*
 * Executes the entry's instructions and calls each_row(ctx, row) for every row. Rows are ascending
 * and adjoin each other up to fde->end; two successive rows may have equal rules. Stops when
 * each_row() returns false. PERR_FORMAT, with the offset in the section: the instructions are
 * damaged; the rows before the damage have been passed on. Any thread may call it.
 */
int cfi_rows(const struct cfi *c, const struct cfi_fde *fde,
	     bool (*each_row)(void *ctx, const struct cfi_row *row), void *ctx,
	     struct perr *e) MUST_CHECK;

#endif
