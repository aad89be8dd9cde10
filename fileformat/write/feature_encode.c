/* SPDX-License-Identifier: MIT */
#include "fileformat/write/feature_encode.h"

#define STRING_ALIGN 64
#define CLOCK_DATA_VERSION 1
#define BUILD_ID_NAME_OFF 36

void pd_put_string(struct wbuf *b, const char *s)
{
	size_t n = strlen(s) + 1, padded = (n + STRING_ALIGN - 1) & ~(size_t)(STRING_ALIGN - 1);

	wb_u32(b, (u32)padded);
	wb_mem(b, s, n);
	wb_zero(b, padded - n);
}

void pd_put_strings(struct wbuf *b, const char *const *s, size_t nr)
{
	size_t i;

	wb_u32(b, (u32)nr);
	for (i = 0; i < nr; i++)
		pd_put_string(b, s[i]);
}

void pd_put_event_desc(struct wbuf *b, const struct pd_out_event *events, size_t nr, u32 attr_size)
{
	size_t i;

	wb_u32(b, (u32)nr);
	wb_u32(b, attr_size);
	for (i = 0; i < nr; i++) {
		pd_attr_encode(b, &events[i].attr, attr_size);
		wb_u32(b, (u32)events[i].nr_ids);
		pd_put_string(b, events[i].name);
		wb_mem(b, events[i].ids, 8 * events[i].nr_ids);
	}
}

void pd_put_group_desc(struct wbuf *b, const struct pd_out_group *groups, size_t nr)
{
	size_t i;

	wb_u32(b, (u32)nr);
	for (i = 0; i < nr; i++) {
		pd_put_string(b, groups[i].name ? groups[i].name : "{anon_group}");
		wb_u32(b, groups[i].leader_idx);
		wb_u32(b, groups[i].nr_members);
	}
}

void pd_put_build_id(struct wbuf *b, s32 pid, u16 cpumode, const struct pd_build_id *id,
		     const char *filename)
{
	size_t n = strnlen(filename, UINT16_MAX - BUILD_ID_NAME_OFF - 8);
	size_t padded = (n + 8) & ~(size_t)7;

	wb_u32(b, 0);
	wb_u16(b, cpumode | PD_MISC_BUILD_ID_SIZE);
	wb_u16(b, (u16)(BUILD_ID_NAME_OFF + padded));
	wb_u32(b, (u32)pid);
	wb_mem(b, id->data, sizeof(id->data));
	wb_u8(b, id->size);
	wb_zero(b, 3);
	wb_mem(b, filename, n);
	wb_zero(b, padded - n);
}

void pd_put_compressed(struct wbuf *b, const struct pd_compressed *c)
{
	wb_u32(b, c->version);
	wb_u32(b, c->type);
	wb_u32(b, c->level);
	wb_u32(b, c->ratio);
	wb_u32(b, c->mmap_len);
}

void pd_put_unwound(struct wbuf *b, const struct pd_unwound *events, size_t nr)
{
	wb_u32(b, 1);
	wb_u32(b, (u32)nr);
	for (size_t i = 0; i < nr; i++) {
		wb_u32(b, events[i].event);
		wb_u32(b, events[i].copy_size);
		wb_u64(b, events[i].stacks);
		wb_u64(b, events[i].frames);
		wb_u64(b, events[i].guessed);
		wb_u64(b, events[i].joined);
	}
}

void pd_put_clock_data(struct wbuf *b, const struct pd_clock_data *c)
{
	wb_u32(b, CLOCK_DATA_VERSION);
	wb_u32(b, c->clockid);
	wb_u64(b, c->wall_ns);
	wb_u64(b, c->clock_ns);
}

void pd_put_sample_time(struct wbuf *b, u64 first, u64 last)
{
	wb_u64(b, first);
	wb_u64(b, last);
}
