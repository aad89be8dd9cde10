/* SPDX-License-Identifier: MIT */
/* Payloads of feature sections, one well-formed of each kind, and the text of one section. */
#ifndef TESTS_FILEFORMAT_FEATURE_USE_FEATURE_H
#define TESTS_FILEFORMAT_FEATURE_USE_FEATURE_H

#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

/* The lists of packages and cores of two CPUs that CPU_TOPOLOGY starts with. */
void put_topology(struct bytes *b);
/* Core and socket ids of two CPUs, as CPU_TOPOLOGY has them behind its lists. */
void put_core_ids(struct bytes *b);
/* One node of NUMA_TOPOLOGY; memory in kB. */
void put_numa_node(struct bytes *b, u32 node, u64 total, u64 free_kb, const char *cpus);
/* One entry of BUILD_ID; size_byte is the byte behind the 20 bytes of the id. */
void put_build_id(struct bytes *b, u16 misc, s32 pid, const u8 *id, u8 size_byte, const char *name);
/* EVENT_DESC of nr events with these names; ids: one for each event, or NULL for none. */
void put_event_desc(struct bytes *b, u32 nr, const u64 *ids, const char *const *names);
/* One group of GROUP_DESC. */
void put_group(struct bytes *b, const char *name, u32 leader, u32 members);
/* TRACING_DATA with two formats in the system sched and an empty system. */
void put_tracing(struct bytes *b);

static const u8 some_id[20] = { 1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
				11, 12, 13, 14, 15, 16, 17, 18, 19, 20 };

/* False for a bit that has no payload to build. */
bool put_payload(struct bytes *b, unsigned int bit);

/* Dates of the header are printed in UTC from here on. */
void feature_use_utc(void);
/* The text behind its first lines, which are of the file and not of its features. */
const char *features_of_text(const char *text);
/* Text of one section alone; malloc'd. */
char *feature_text_of(unsigned int bit, const struct bytes *b, bool full);
/* The text of one section alone has to be `want`. Frees the bytes. */
void feature_check_text(unsigned int bit, struct bytes *b, bool full, const char *want);

#endif
