/* SPDX-License-Identifier: MIT */
/*
 * Builds sections of call frame information for tests, of either class and byte order, and ELF
 * files around them. Written from the format's description and not from the reader.
 *
 *	struct mkcfi m = mkcfi_new(true, false, false);
 *
 *	cie = mkcfi_cie(&m, &(struct mkcfi_cie){ .version = 1, .augmentation = "zR", ... });
 *	mkcfi_fde(&m, cie, CFI_TEXT, 16, code, sizeof(code));
 */
#ifndef TESTS_FRAME_BUILD_CFI_H
#define TESTS_FRAME_BUILD_CFI_H

#include "unwind/cfi/cfi.h"

/* Where functions are to lie: one executable segment. */
#define CFI_TEXT 0x1000
#define CFI_TEXT_SIZE 0x1000
#define CFI_EH_ADDR 0x4000
#define CFI_HDR_ADDR 0x7000
#define CFI_GOT_ADDR 0x7800

struct mkcfi {
	u8 p[16384];
	size_t n;
	bool is_64, big, debug_frame;
	u8 enc; /* of addresses in the FDEs of the last CIE */
	u8 word;
	bool has_data, wide; /* wide: lengths of 64 bits */
	bool narrow_id;      /* and yet ids of 32 */
	u8 segment;
};

struct mkcfi_cie {
	u8 version;
	const char *augmentation;
	const u8 *data; /* of the augmentation, after its length; NULL: that of "zR" and enc */
	size_t data_len;
	u8 enc;
	u8 word, segment; /* version 4 */
	u64 code_align;
	s64 data_align;
	u8 ra;
	const u8 *code;
	size_t code_len;
};

struct mkcfi mkcfi_new(bool is_64, bool big, bool debug_frame);
void mkcfi_int(struct mkcfi *m, u64 v, size_t size);
void mkcfi_uleb(struct mkcfi *m, u64 v);
void mkcfi_sleb(struct mkcfi *m, s64 v);
void mkcfi_bytes(struct mkcfi *m, const void *p, size_t n);

/* An entry's length comes last: begin's result goes to end, which pads with nops. */
size_t mkcfi_begin(struct mkcfi *m);
void mkcfi_end(struct mkcfi *m, size_t at);

/* Both return the entry's offset. */
u64 mkcfi_cie(struct mkcfi *m, const struct mkcfi_cie *cie);
u64 mkcfi_fde(struct mkcfi *m, u64 cie, u64 start, u64 size, const u8 *code, size_t n);

/* An address in the current encoding, as it stands at m->n of a section at vaddr. */
void mkcfi_address(struct mkcfi *m, u64 vaddr, u64 v);

/* .eh_frame_hdr for n pairs {start, offset of the FDE}. */
void mkcfi_hdr(struct mkcfi *hdr, const u64 (*pairs)[2], size_t n);

/* An ELF file of those sections, each NULL or not; malloc'd. */
u8 *mkcfi_elf(u16 machine, const struct mkcfi *eh, const struct mkcfi *hdr, const struct mkcfi *df,
	      size_t *ret_n);

/* An ELF file in memory and its functions; o and c are NULL where opening failed with err. */
struct cfi_opened {
	u8 *bytes;
	struct object *o;
	struct cfi *c;
	struct perr e;
	int err;
};

/* Takes the malloc'd bytes. The second opens what mkcfi_elf makes. */
struct cfi_opened cfi_open_bytes(u8 *bytes, size_t n);
struct cfi_opened cfi_open_sections(u16 machine, const struct mkcfi *eh, const struct mkcfi *hdr,
				    const struct mkcfi *df);
void cfi_opened_close(struct cfi_opened *t);

/* Start of the function that holds vaddr, 0 when none does. */
u64 cfi_start_at(const struct cfi_opened *t, u64 vaddr);

/* A CIE with factors 1 and -8, CFA = r7 + 8 and return address r16 at CFA - 8. */
struct mkcfi_cie mkcfi_plain_cie(const char *augmentation, u8 enc);

/* Ten functions of 16 bytes from CFI_TEXT on, 32 apart, and the pairs of their table. */
struct mkcfi mkcfi_ten_functions(bool is_64, bool big, u64 pairs[10][2]);
/* That these are there and nothing else. Closes t. */
void cfi_check_ten(const char *file, int line, struct cfi_opened *t);

/* As text, malloc'd: "1000 r7+8 r16=c-8 | 1001 ..."; " !" and the code at the end of damaged ones.
 */
char *cfi_rows_text(const struct cfi *c, const struct cfi_fde *fde);

#endif
