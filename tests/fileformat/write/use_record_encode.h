/* SPDX-License-Identifier: MIT */
/* Finds the records that the encoders wrote, for the decoders to read back. */
#ifndef TESTS_FILEFORMAT_WRITE_USE_RECORD_ENCODE_H
#define TESTS_FILEFORMAT_WRITE_USE_RECORD_ENCODE_H

#include "base/bytes.h"
#include "base/mem.h"
#include "base/wbuf.h"
#include "fileformat/attr.h"
#include "fileformat/perfdata.h"
#include "tests/frame/unit.h"

#define TRAILER 24

/* The record at *at, which is moved behind it. */
struct pd_record encoded_next(const struct wbuf *b, size_t *at, u32 type);
/* The only record of b. */
struct pd_record encoded_only(const struct wbuf *b, u32 type);
/* The last n bytes of the record have to be zeros. */
void check_encoded_trailer(const struct pd_record *r, u32 n);

#define CHECK_TEXT(got, text)                          \
	do {                                           \
		struct span t_ = (got);                \
		CHECK_EQ(t_.n, strlen(text));          \
		CHECK_MEM(t_.p, (text), strlen(text)); \
	} while (0)

/* An attr with this sample type; id_all: records other than samples have a trailer. */
struct pd_attr encode_attr(u64 sample_type, bool id_all);

#endif
