/* SPDX-License-Identifier: MIT */
/*
 * Internals of unwind/cfi/cfi*.c: sections of call frame information and the entries in them. A CIE
 * is an entry with facts that many functions share, an FDE is the entry of one function. Offsets
 * are in bytes from the start of a section.
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

/* The most bytes that the initial instructions of a CIE may have: they are executed again for each
 * of its functions, so a damaged file could cost too much time. */
#define CFI_MAX_CIE_BYTES 4096

struct cfi_cie {
	u64 code_align;
	s64 data_align;
	u16 ra_reg;
	u8 word, segment_size;
	u8 pointer_enc;
	bool has_data; /* augmentation 'z': FDEs have augmentation data with a length */
	bool signal_frame;
	struct span code;
};

/* How many CIEs of a section are kept decoded. Linkers merge equal ones, so usual files have up to
 * three: with exception handlers, without, and for signal trampolines. */
#define CFI_KNOWN_CIES 4

struct cfi_known_cie {
	u64 off;
	struct cfi_cie cie;
};

struct cfi_section {
	struct span bytes;
	u64 vaddr;                 /* of bytes.p[0]; 0 for .debug_frame */
	const struct object *code; /* the file from which indirect pointers are read */
	u64 text, data;            /* bases of textrel and datarel pointers */
	u16 machine;
	u8 word; /* bytes of an address */
	bool swap, debug_frame;
	bool no_size; /* the size is unknown: bytes reach to the segment's end, and a terminator
		       * entry ends the section */
	/* Decoded CIEs. They are added before other threads use the section. */
	struct cfi_known_cie known[CFI_KNOWN_CIES];
	u32 nr_known;
};

/* The position and kind of an entry. */
struct cfi_entry {
	enum { CFI_ENTRY_CIE, CFI_ENTRY_FDE, CFI_ENTRY_TERMINATOR } kind;
	u64 off, next;    /* offsets of this entry and the following one */
	u64 cie;          /* of an FDE: offset of its CIE */
	struct span body; /* the bytes after length and id */
};

/* A decoded FDE with its CIE. */
struct cfi_function {
	u64 start, end;
	struct span code;
	struct cfi_cie cie;
};

/* Finds the entry at off. Returns false at the section's end, or if the entry's length is damaged.
 */
bool cfi_entry_at(const struct cfi_section *s, u64 off, struct cfi_entry *ret);

/* Decodes the CIE at off. PERR_FORMAT: it is damaged. PERR_UNSUPPORTED: its version or augmentation
 * is unknown and cannot be skipped. */
int cfi_read_cie(const struct cfi_section *s, u64 off, struct cfi_cie *ret, struct perr *e);
/* Decodes FDE f; the caller has decoded its CIE into ret->cie. Errors are those of cfi_read_cie().
 */
int cfi_read_fde(const struct cfi_section *s, const struct cfi_entry *f, struct cfi_function *ret,
		 struct perr *e);
/* Decodes the FDE at off and its CIE. Errors are those of cfi_read_cie(). */
int cfi_read_function(const struct cfi_section *s, u64 off, struct cfi_function *ret,
		      struct perr *e);
/*
 * Decodes the CIE of the FDE at off into s->known if that has room, so that cfi_read_function()
 * need not decode it again.
 */
void cfi_know_cie(struct cfi_section *s, u64 off);

/*
 * Reads a pointer with encoding enc (CFI_PE_*) at the cursor, which walks the section's bytes.
 * func: base of funcrel pointers. Returns false if the pointer is omitted or damaged, or the
 * encoding is unknown.
 */
bool cfi_read_pointer(const struct cfi_section *s, struct cursor *c, u8 enc, u8 word, u64 func,
		      u64 *ret);

/* Reads a LEB128 number at the cursor; bits above 64 are dropped. Sets c->bad if it has more than
 * 16 bytes. cfi_uleb() is the inlined form for short numbers. */
u64 cfi_uleb_long(struct cursor *c);
s64 cfi_sleb(struct cursor *c);

static inline u64 cfi_uleb(struct cursor *c)
{
	if (c->p < c->end && *c->p < 0x80)
		return *c->p++;
	return cfi_uleb_long(c);
}

/* Cuts an address to the file's word: address computations wrap there. */
static inline u64 cfi_wrap(u64 addr, u8 word)
{
	return word == 4 ? (u32)addr : addr;
}

/* An entry of the index that is built for files without a usable .eh_frame_hdr. */
struct cfi_index_entry {
	u64 start, end; /* of the function */
	u64 reach;      /* the largest end of the entries up to this one */
	u64 off;        /* of the FDE in its section */
	bool debug_frame;
};

/* The call frame information of a file. Functions are found in `table` or, if that is empty, in
 * `index`. */
struct cfi {
	struct cfi_section eh, df; /* .eh_frame and .debug_frame; no bytes: not in the file */
	void *eh_owned;            /* malloc'd relocated copy of eh's bytes, or NULL */
	void *owned;               /* malloc'd expanded bytes of df, or NULL */
	struct span table;         /* of .eh_frame_hdr: sorted pairs of s32 {start, entry} */
	u64 table_base;            /* added to both numbers of a pair to get vaddrs */
	s32 *marks; /* the start in each CFI_MARK_STEP-th pair; searched first, as it is smaller */
	u8 *begins; /* bit n: the table has an entry at byte 4 n of .eh_frame */
	struct cfi_index_entry *index; /* sorted by start */
	u32 nr;                        /* functions */
	bool damaged;                  /* damaged entries were left out */
};

/* Applies the relocations of section eh, which is c->eh, to a copy of its bytes. Does nothing if
 * the file is linked and so has no relocations for it. */
void cfi_apply_relocs(struct cfi *c, const struct obj_section *eh);

/* Sets c->table or builds c->index, and sets c->nr. hdr: the bytes of .eh_frame_hdr, which is at
 * vaddr, or empty. */
void cfi_index_build(struct cfi *c, struct span hdr, u64 vaddr);

#endif
