/* SPDX-License-Identifier: MIT */
/* A recording of two events, built in memory, and what a reader has to find in it. */
#ifndef TESTS_FILEFORMAT_USE_PERFDATA_H
#define TESTS_FILEFORMAT_USE_PERFDATA_H

#include "base/mem.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

static const u64 ids_a[] = { 101, 102 }, ids_b[] = { 201 };

/* Two events that differ in sample_type beyond the id's position, three records of each sort. */
void build_two_events(struct bytes *b, enum build_kind kind, struct pd_attr *ret_attrs);
/* Opens the bytes of a recording; fails the case when that fails. pd_close() closes it. */
struct perfdata *perfdata_of_bytes(const struct bytes *b, struct diag *diag);
/* Next record must be of this type. */
struct pd_record perfdata_expect_record(struct perfdata *pd, u32 type);
/* There must be no further record. */
void perfdata_expect_end(struct perfdata *pd);

/* A descriptor of a file of these bytes, that is gone when it is closed. */
int perfdata_file_of(const struct bytes *b);
/* COMM records of up to 64 KB, each with its number and with bytes that follow from it. */
void perfdata_put_numbered(struct bytes *b, u32 nr, const struct pd_attr *a);
/* The record has to be number i of those that perfdata_put_numbered() writes. */
void perfdata_check_numbered(const struct pd_record *r, u32 i);

#endif
