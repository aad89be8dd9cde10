/* SPDX-License-Identifier: MIT */
/* The code of one function: its bytes, its instructions and what they refer to. */
#ifndef REPORT_PANN_ANNOTATE_CODE_H
#define REPORT_PANN_ANNOTATE_CODE_H

#include "base/mem.h"
#include "profile/annotate_samples.h"
#include "base/err.h"
#include "report/disasm/disasm.h"

struct annot_code_config {
	bool intel;
	const char *arch; /* of the recording, as uname -m has it: for code without a file */
	const struct symbols_config *symbols;
};

struct annot_insn {
	u64 vaddr; /* as objdump counts: of the file; for JIT code and kernel memory the ip */
	u32 len;
	u32 text, text_len; /* in annot_code.text, without names */
	struct disasm_insn is;
	const char *target;  /* name of is.target; NULL: not known, or none */
	u64 target_off;      /* from its symbol's start */
	bool target_is_slot; /* a slot with its address: "name@got" */
	bool target_inside;  /* it lies in the function itself */
};

struct annot_code {
	const struct annot_func *func;
	u8 *bytes;
	size_t nr_bytes;
	u64 vaddr;           /* of bytes[0] */
	u64 ip;              /* ... when it ran */
	const char *label;   /* objdump's name of the function: its choice among aliases */
	const char *object;  /* whose code it is: the recorded name, or the path of a vmlinux */
	const char *section; /* NULL: not known */
	struct annot_insn *insns;
	size_t nr;
	struct out text;
	struct arena strings;
	const struct object *file; /* NULL: the code is not of a file that is open */
	bool big_endian;
};

/* Why there is no code. The text is for people: "no vmlinux of build-id ..." */
int annot_code_read(struct annot_code *c, const struct annot_func *f,
		    const struct annot_code_config *cfg, struct perr *e) MUST_CHECK;
void annot_code_fini(struct annot_code *c);

/* The object's address of an instruction, which hits are counted by. */
static inline u64 annot_code_addr(const struct annot_code *c, u64 vaddr)
{
	return c->func->start + (vaddr - c->vaddr);
}

#endif
