/* SPDX-License-Identifier: MIT */
/* The code of one function: its bytes, its instructions and what they refer to. */
#ifndef REPORT_ANNOTATE_ANNOTATE_CODE_H
#define REPORT_ANNOTATE_ANNOTATE_CODE_H

#include "base/mem.h"
#include "profile/annotate_samples.h"
#include "base/err.h"
#include "report/disasm/disasm.h"

/* How to read and print code. Pointers are borrowed. */
struct annot_code_config {
	bool intel; /* Intel syntax, else AT&T */
	const char
		*arch; /* the recorded machine, as uname -m: for code that is not in an ELF file */
	const struct symbols_config *symbols;
};

/* One instruction of a function. */
struct annot_insn {
	u64 vaddr; /* as objdump shows it: address in the file; of JIT and kernel code the ip */
	u32 len;   /* bytes */
	u32 text, text_len; /* assembler text in annot_code.text, without names of targets */
	struct disasm_insn is;
	const char *target;  /* name of the symbol at is.target; NULL: not known, or no target */
	u64 target_off;      /* bytes from the symbol's start to is.target */
	bool target_is_slot; /* is.target holds the symbol's address: printed as "name@got" */
	bool target_inside;  /* is.target is in this function */
};

/* The code of one function. */
struct annot_code {
	const struct annot_func *func;
	u8 *bytes;
	size_t nr_bytes;
	u64 vaddr;          /* address of bytes[0], as annot_insn.vaddr */
	u64 ip;             /* run-time address of bytes[0] */
	const char *label;  /* the function's name as objdump chooses it among aliases */
	const char *object; /* the file's recorded name, or the path of the vmlinux that was used */
	const char *section; /* ELF section of the code; NULL: not known */
	struct annot_insn *insns;
	size_t nr;
	struct out text;           /* assembler texts of all instructions */
	struct arena strings;      /* names of targets */
	const struct object *file; /* where the code was read from; NULL: not from an ELF file */
	bool big_endian;
};

/*
 * Reads and disassembles the code of f. f and cfg are borrowed until annot_code_fini(), which the
 * caller must call in any case. Returns 0, or a negative code with a message for users that says
 * why no code is shown, such as "no vmlinux of build-id ...".
 */
int annot_code_read(struct annot_code *c, const struct annot_func *f,
		    const struct annot_code_config *cfg, struct perr *e) MUST_CHECK;
void annot_code_fini(struct annot_code *c);

/* Converts an annot_insn.vaddr to the address in the object by which hits are counted. */
static inline u64 annot_code_addr(const struct annot_code *c, u64 vaddr)
{
	return c->func->start + (vaddr - c->vaddr);
}

#endif
