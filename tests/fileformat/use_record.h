/* SPDX-License-Identifier: MIT */
/* Builders and checks that the cases of single records share. */
#ifndef TESTS_FILEFORMAT_USE_RECORD_H
#define TESTS_FILEFORMAT_USE_RECORD_H

#include "base/mem.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define BUILT                            \
	struct bytes b = bytes_new(big); \
	bool swap = bytes_swapped(&b);   \
	struct pd_record r;              \
	struct perr e

/* The bytes have to be exactly this text. */
void check_record_text(struct span s, const char *want);
/* Bytes of a record at the very end of an allocation, so that a sanitizer sees a read past it. */
struct pd_record record_cut_copy(const struct pd_record *r, u32 size, u8 **ret_buf);

/* All sizes below `need` are refused with the record's offset, all from there on are taken. */
#define CHECK_CUTS(r, need, call)                                                 \
	do {                                                                      \
		u32 size;                                                         \
		for (size = 8; size <= (r).size; size++) {                        \
			u8 *buf;                                                  \
			struct pd_record cut = record_cut_copy(&(r), size, &buf); \
			int err;                                                  \
			cut.off = 0x1234;                                         \
			e = (struct perr){ 0 };                                   \
			err = (call);                                             \
			CHECK_EQ(err, size < (need) ? PERR_FORMAT : 0);           \
			CHECK_EQ(e.off, size < (need) ? 0x1234 : 0);              \
			free(buf);                                                \
		}                                                                 \
	} while (0)

/* An attr that asks for the trailer below behind every record. */
struct pd_attr record_attr_with_trailer(void);

static const struct sample_parts trailer = {
	.pid = 0x11111111,
	.tid = 0x22222222,
	.time = 0x3333333333333333,
	.id = 0x4444444444444444,
	.cpu = 0x55555555,
};

#endif
