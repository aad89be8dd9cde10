/* SPDX-License-Identifier: MIT */
/*
 * What the parts of unwind/cfi/cfi*.c share: sections of call frame information and the entries
 * (CIE: common to many functions, FDE: one function's) in them. Offsets count from the start of a
 * section.
 */
#ifndef UNWIND_CFI_CFI_PRIV_H
#define UNWIND_CFI_CFI_PRIV_H

#include "unwind/cfi/cfi.h"

/* Pointer encodings of .eh_frame (LSB, "DWARF Exception Header Encoding"). */
enum {
	CFI_PE_ABSPTR = 0x00,
	CFI_PE_FORMAT = 0x0f,
	CFI_PE_PCREL = 0x10,
	CFI_PE_TEXTREL = 0x20,
	CFI_PE_DATAREL = 0x30,
	CFI_PE_FUNCREL = 0x40,
	CFI_PE_ALIGNED = 0x50,
	CFI_PE_BASE = 0x70,
	CFI_PE_INDIRECT = 0x80,
	CFI_PE_OMIT = 0xff,
};

#define CFI_MARK_STEP 16

/* The initial instructions of a CIE run once more for each of its functions. */
#define CFI_MAX_CIE_BYTES 4096

struct cfi_cie {
	u64 code_align;
	s64 data_align;
	u16 ra_reg;
	u8 word, segment_size;
	u8 pointer_enc;
	bool has_data; /* 'z': entries carry a length of what instructions do not need */
	bool signal_frame;
	struct span code;
};

/* Linkers keep one of each kind: with and without handlers of exceptions, and of signals. */
#define CFI_KNOWN_CIES 4

struct cfi_known_cie {
	u64 off;
	struct cfi_cie cie;
};

struct cfi_section {
	struct span bytes;
	u64 vaddr;                 /* of bytes.p[0]; 0 for .debug_frame */
	const struct object *code; /* what indirect pointers are read from */
	u64 text, data;            /* bases of textrel and datarel pointers */
	u16 machine;
	u8 word; /* bytes of an address */
	bool swap, debug_frame;
	bool no_size; /* bytes go up to the segment's end: a terminator ends the section */
	/* Read once, while there is one thread. */
	struct cfi_known_cie known[CFI_KNOWN_CIES];
	u32 nr_known;
};

/* One entry's frame. */
struct cfi_entry {
	enum { CFI_ENTRY_CIE, CFI_ENTRY_FDE, CFI_ENTRY_TERMINATOR } kind;
	u64 off, next; /* where the following entry begins */
	u64 cie;       /* offset of an FDE's CIE */
	struct span body;
};

/* An FDE with its CIE. */
struct cfi_function {
	u64 start, end;
	struct span code;
	struct cfi_cie cie;
};

/* Entry at off. False when there is none that could be stepped over. */
bool cfi_entry_at(const struct cfi_section *s, u64 off, struct cfi_entry *ret);

/* PERR_FORMAT, or PERR_UNSUPPORTED for a version or augmentation that cannot be skipped. */
int cfi_read_cie(const struct cfi_section *s, u64 off, struct cfi_cie *ret, struct perr *e);
/* As cfi_read_cie for the FDE f, whose CIE was read before. */
int cfi_read_fde(const struct cfi_section *s, const struct cfi_entry *f, struct cfi_function *ret,
		 struct perr *e);
/* Both, for the FDE at off. */
int cfi_read_function(const struct cfi_section *s, u64 off, struct cfi_function *ret,
		      struct perr *e);
/*
 * Keeps the CIE of the FDE at off in s->known while there is room, so that cfi_read_function need
 * not read it again.
 */
void cfi_know_cie(struct cfi_section *s, u64 off);

/*
 * A pointer of that encoding at the cursor, which walks the section's bytes. func: base of funcrel
 * ones. False when it is omitted, damaged or of an unknown encoding.
 */
bool cfi_read_pointer(const struct cfi_section *s, struct cursor *c, u8 enc, u8 word, u64 func,
		      u64 *ret);

/* LEB128 numbers: 64 bits, what is beyond is dropped. `bad` when longer than 16 bytes. */
u64 cfi_uleb_long(struct cursor *c);
s64 cfi_sleb(struct cursor *c);

static inline u64 cfi_uleb(struct cursor *c)
{
	if (c->p < c->end && *c->p < 0x80)
		return *c->p++;
	return cfi_uleb_long(c);
}

/* The address space of a file wraps at its word. */
static inline u64 cfi_wrap(u64 addr, u8 word)
{
	return word == 4 ? (u32)addr : addr;
}

/*
 * Entries by address: the file's own table in place, or an index built here.
 */
struct cfi_index_entry {
	u64 start, end;
	u64 reach; /* largest end of those up to this one */
	u64 off;
	bool debug_frame;
};

struct cfi {
	struct cfi_section eh, df; /* without bytes where there is none */
	void *eh_owned;            /* a copy of eh's bytes with relocations */
	void *owned;               /* what df's bytes were expanded to */
	struct span table;         /* of .eh_frame_hdr: pairs of s32 {start, entry}, sorted */
	u64 table_base;
	s32 *marks; /* the start of each CFI_MARK_STEP-th pair: few lines of memory to search first
		     */
	u8 *begins; /* bit n: the table has an entry at byte 4 n of .eh_frame */
	struct cfi_index_entry *index; /* instead of table */
	u32 nr;
	bool damaged; /* entries were left out that should be there */
};

/* eh: the section of c->eh. Does nothing unless it is one that is relocated. */
void cfi_apply_relocs(struct cfi *c, const struct obj_section *eh);

/* hdr: bytes of .eh_frame_hdr at vaddr, or empty. Fills table or index, and nr. */
void cfi_index_build(struct cfi *c, struct span hdr, u64 vaddr);

#endif
