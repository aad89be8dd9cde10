/* SPDX-License-Identifier: MIT */
/* Values for every field of a sample, and the event of a sample type. */
#ifndef TESTS_FILEFORMAT_USE_SAMPLE_H
#define TESTS_FILEFORMAT_USE_SAMPLE_H

#include "base/mem.h"
#include "fileformat/sample.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

static const u64 chain[] = { PD_CONTEXT_KERNEL, 0xffffffff81000010, PD_CONTEXT_USER, 0x401000 };
static const u64 branch_words[] = { 0x10, 0x20, 0x30, 0x40, 0x50, 0x60 };
static const u64 counter_words[] = { 0x70, 0x80 };
static const u64 user_regs[] = { 0x1001, 0x1002, 0x1003 };
static const u64 intr_regs[] = { 0x2001, 0x2002 };
static const u64 read_words[] = { 111, 222, 333, 444 };

/* Values that differ in every byte that matters; the arrays above. */
struct sample_parts sample_parts_full(void);
/* An event with this sample type and the registers and branches of the arrays above. */
struct pd_event event_of_type(u64 sample_type);

#endif
