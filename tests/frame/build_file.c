/* SPDX-License-Identifier: MIT */
#include "tests/frame/build_file.h"

#include <stdio.h>

#include "base/mem.h"

/* --- attrs ------------------------------------------------------------------------------------ */

/*
 * A bit-field word of `width` bits: little-endian compilers put the first member at the bottom,
 * big-endian ones at the top. Members are {first bit, number of bits} in order.
 */
static u64 bit_field_word(const struct bytes *b, u64 v, unsigned int width,
			  unsigned int two_bits_at)
{
	u64 word = 0;
	unsigned int bit, n;

	if (!b->big)
		return v;
	for (bit = 0; bit < width; bit += n) {
		n = bit == two_bits_at ? 2 : 1;
		word |= (v >> bit & ((1u << n) - 1)) << (width - bit - n);
	}
	return word;
}

void put_attr_sized(struct bytes *b, const struct pd_attr *a, size_t size, u32 size_field)
{
	struct bytes all = bytes_new(b->big);

	put_u32(&all, a->type);
	put_u32(&all, size_field);
	put_u64(&all, a->config);
	put_u64(&all, a->sample_period_or_freq);
	put_u64(&all, a->sample_type);
	put_u64(&all, a->read_format);
	put_u64(&all, bit_field_word(b, a->flags, 64, PD_ATTR_PRECISE_IP));
	put_u32(&all, a->wakeup_events_or_watermark);
	put_u32(&all, a->bp_type);
	put_u64(&all, a->config1);
	put_u64(&all, a->config2);
	put_u64(&all, a->branch_sample_type);
	put_u64(&all, a->sample_regs_user);
	put_u32(&all, a->sample_stack_user);
	put_u32(&all, (u32)a->clockid);
	put_u64(&all, a->sample_regs_intr);
	put_u32(&all, a->aux_watermark);
	put_u16(&all, a->sample_max_stack);
	put_u16(&all, 0);
	put_u32(&all, a->aux_sample_size);
	put_u32(&all, (u32)bit_field_word(b, a->aux_action, 32, 64));
	put_u64(&all, a->sig_data);
	put_u64(&all, a->config3);
	put_u64(&all, a->config4);
	put_mem(b, all.p, size < all.n ? size : all.n);
	if (size > all.n)
		put_fill(b, 0xee, size - all.n);
	bytes_free(&all);
}

void put_attr(struct bytes *b, const struct pd_attr *a)
{
	put_attr_sized(b, a, a->size, a->size);
}

struct pd_attr attr_plain(void)
{
	return (struct pd_attr){
		.type = PD_TYPE_SOFTWARE,
		.size = 128,
		.sample_period_or_freq = 4000,
		.sample_type = PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_CALLCHAIN |
			       PD_SAMPLE_PERIOD | PD_SAMPLE_IDENTIFIER,
		.read_format = PD_FORMAT_ID,
		.flags = 1ull << PD_ATTR_FREQ | 1ull << PD_ATTR_SAMPLE_ID_ALL |
			 1ull << PD_ATTR_MMAP | 1ull << PD_ATTR_COMM | 1ull << PD_ATTR_TASK |
			 1ull << PD_ATTR_MMAP2,
	};
}

/* --- records ---------------------------------------------------------------------------------- */

void record_begin(struct bytes *b, u32 type, u16 misc)
{
	b->rec = b->n;
	put_u32(b, type);
	put_u16(b, misc);
	put_u16(b, 0);
}

void record_end(struct bytes *b)
{
	set_u16(b, b->rec + 6, (u16)(b->n - b->rec));
}

void record_end_padded(struct bytes *b)
{
	put_fill(b, 0, (8 - (b->n - b->rec) % 8) % 8);
	record_end(b);
}

struct pd_record record_at(const struct bytes *b, size_t rec)
{
	bool swap = bytes_swapped(b);

	return (struct pd_record){
		.type = get_u32(b->p + rec, swap),
		.misc = get_u16(b->p + rec + 4, swap),
		.size = get_u16(b->p + rec + 6, swap),
		.off = rec,
		.data = b->p + rec,
	};
}

struct pd_record last_record(const struct bytes *b)
{
	return record_at(b, b->rec);
}

static void put_regs(struct bytes *b, u64 abi, u64 mask, const u64 *regs)
{
	put_u64(b, abi);
	if (abi)
		put_u64s(b, regs, (size_t)__builtin_popcountll(mask));
}

static void put_branches(struct bytes *b, u64 branch_type, const struct sample_parts *s)
{
	put_u64(b, s->nr_branches);
	if (branch_type & PD_BRANCH_HW_INDEX)
		put_u64(b, s->branch_hw_idx);
	put_u64s(b, s->branches, 3 * s->nr_branches);
	if (branch_type & PD_BRANCH_COUNTERS)
		put_u64s(b, s->branch_counters, s->nr_branches);
}

static void put_stack(struct bytes *b, const struct sample_parts *s)
{
	put_u64(b, s->stack_size);
	if (!s->stack_size)
		return;
	put_mem(b, s->stack, s->stack_size);
	put_u64(b, s->stack_dyn_size);
}

void put_sample(struct bytes *b, const struct pd_attr *a, const struct sample_parts *s)
{
	u64 type = a->sample_type;

	record_begin(b, PD_RECORD_SAMPLE, s->misc);
	if (type & PD_SAMPLE_IDENTIFIER)
		put_u64(b, s->id);
	if (type & PD_SAMPLE_IP)
		put_u64(b, s->ip);
	if (type & PD_SAMPLE_TID) {
		put_u32(b, s->pid);
		put_u32(b, s->tid);
	}
	if (type & PD_SAMPLE_TIME)
		put_u64(b, s->time);
	if (type & PD_SAMPLE_ADDR)
		put_u64(b, s->addr);
	if (type & PD_SAMPLE_ID)
		put_u64(b, s->id);
	if (type & PD_SAMPLE_STREAM_ID)
		put_u64(b, s->stream_id);
	if (type & PD_SAMPLE_CPU) {
		put_u32(b, s->cpu);
		put_u32(b, 0);
	}
	if (type & PD_SAMPLE_PERIOD)
		put_u64(b, s->period);
	if (type & PD_SAMPLE_READ)
		put_u64s(b, s->read, s->nr_read);
	if (type & PD_SAMPLE_CALLCHAIN) {
		put_u64(b, s->nr_ips);
		put_u64s(b, s->ips, s->nr_ips);
	}
	if (type & PD_SAMPLE_RAW) {
		put_u32(b, s->raw_size);
		put_mem(b, s->raw, s->raw_size);
	}
	if (type & PD_SAMPLE_BRANCH_STACK)
		put_branches(b, a->branch_sample_type, s);
	if (type & PD_SAMPLE_REGS_USER)
		put_regs(b, s->user_abi, a->sample_regs_user, s->user_regs);
	if (type & PD_SAMPLE_STACK_USER)
		put_stack(b, s);
	if (type & (PD_SAMPLE_WEIGHT | PD_SAMPLE_WEIGHT_STRUCT))
		put_u64(b, s->weight);
	if (type & PD_SAMPLE_DATA_SRC)
		put_u64(b, s->data_src);
	if (type & PD_SAMPLE_TRANSACTION)
		put_u64(b, s->transaction);
	if (type & PD_SAMPLE_REGS_INTR)
		put_regs(b, s->intr_abi, a->sample_regs_intr, s->intr_regs);
	if (type & PD_SAMPLE_PHYS_ADDR)
		put_u64(b, s->phys_addr);
	if (type & PD_SAMPLE_CGROUP)
		put_u64(b, s->cgroup);
	if (type & PD_SAMPLE_DATA_PAGE_SIZE)
		put_u64(b, s->data_page_size);
	if (type & PD_SAMPLE_CODE_PAGE_SIZE)
		put_u64(b, s->code_page_size);
	if (type & PD_SAMPLE_AUX) {
		put_u64(b, s->aux_size);
		put_mem(b, s->aux, s->aux_size);
	}
	record_end(b);
}

void put_trailer(struct bytes *b, const struct pd_attr *a, const struct sample_parts *s)
{
	static const struct sample_parts zeros;
	u64 type = a->sample_type;

	if (!(a->flags >> PD_ATTR_SAMPLE_ID_ALL & 1))
		return;
	if (!s)
		s = &zeros;
	if (type & PD_SAMPLE_TID) {
		put_u32(b, s->pid);
		put_u32(b, s->tid);
	}
	if (type & PD_SAMPLE_TIME)
		put_u64(b, s->time);
	if (type & PD_SAMPLE_ID)
		put_u64(b, s->id);
	if (type & PD_SAMPLE_STREAM_ID)
		put_u64(b, s->stream_id);
	if (type & PD_SAMPLE_CPU) {
		put_u32(b, s->cpu);
		put_u32(b, 0);
	}
	if (type & PD_SAMPLE_IDENTIFIER)
		put_u64(b, s->id);
}

void put_comm(struct bytes *b, u32 pid, u32 tid, const char *comm, const struct pd_attr *a,
	      const struct sample_parts *t)
{
	record_begin(b, PD_RECORD_COMM, 0);
	put_u32(b, pid);
	put_u32(b, tid);
	put_text(b, comm, 8);
	put_trailer(b, a, t);
	record_end(b);
}

void put_mmap(struct bytes *b, u32 pid, u64 start, u64 len, u64 pgoff, const char *name,
	      const struct pd_attr *a, const struct sample_parts *t)
{
	record_begin(b, PD_RECORD_MMAP, PD_CPUMODE_USER);
	put_u32(b, pid);
	put_u32(b, pid);
	put_u64(b, start);
	put_u64(b, len);
	put_u64(b, pgoff);
	put_text(b, name, 8);
	put_trailer(b, a, t);
	record_end(b);
}

void put_mmap2(struct bytes *b, u32 pid, u64 start, u64 len, u64 pgoff, const char *name,
	       const struct pd_attr *a, const struct sample_parts *t)
{
	record_begin(b, PD_RECORD_MMAP2, PD_CPUMODE_USER);
	put_u32(b, pid);
	put_u32(b, pid);
	put_u64(b, start);
	put_u64(b, len);
	put_u64(b, pgoff);
	put_u32(b, 8);
	put_u32(b, 1);
	put_u64(b, 1234);
	put_u64(b, 0);
	put_u32(b, 5);
	put_u32(b, 2);
	put_text(b, name, 8);
	put_trailer(b, a, t);
	record_end(b);
}

void put_task(struct bytes *b, u32 type, u32 pid, u32 ppid, u32 tid, u32 ptid, u64 time,
	      const struct pd_attr *a, const struct sample_parts *t)
{
	record_begin(b, type, 0);
	put_u32(b, pid);
	put_u32(b, ppid);
	put_u32(b, tid);
	put_u32(b, ptid);
	put_u64(b, time);
	put_trailer(b, a, t);
	record_end(b);
}

void put_lost(struct bytes *b, struct pd_attr a, u64 nr, const struct sample_parts *t)
{
	record_begin(b, PD_RECORD_LOST, 0);
	put_u64(b, t->id);
	put_u64(b, nr);
	put_trailer(b, &a, t);
	record_end(b);
}

void put_round(struct bytes *b)
{
	record_begin(b, PD_RECORD_FINISHED_ROUND, 0);
	record_end(b);
}

void put_compressed(struct bytes *b, u32 type, const void *p, size_t n)
{
	record_begin(b, type, 0);
	if (type == PD_RECORD_COMPRESSED2)
		put_u64(b, n);
	put_mem(b, p, n);
	if (type == PD_RECORD_COMPRESSED2)
		record_end_padded(b);
	else
		record_end(b);
}

/* --- whole files ------------------------------------------------------------------------------ */

void file_begin(struct file_builder *f, enum build_kind kind)
{
	struct bytes *b = f->b;

	*f = (struct file_builder){ .b = b, .kind = kind };
	put_u64(b, 0x32454c4946524550ull); /* "PERFILE2" on little endian */
	put_u64(b, kind == BUILD_PIPE ? PIPE_HEADER_SIZE : REGULAR_HEADER_SIZE);
	if (kind == BUILD_REGULAR)
		put_fill(b, 0, REGULAR_HEADER_SIZE - b->n);
}

void file_add_event(struct file_builder *f, const struct pd_attr *a, const u64 *ids, size_t nr_ids)
{
	f->attrs[f->nr_events] = *a;
	f->ids[f->nr_events] = ids;
	f->nr_ids[f->nr_events] = nr_ids;
	f->nr_events++;
}

/* What has been added since the last call, as HEADER_FEATURE records. */
static void put_pipe_features(struct file_builder *f)
{
	size_t i;

	for (i = 0; i < f->nr_features; i++) {
		record_begin(f->b, PD_RECORD_HEADER_FEATURE, 0);
		put_u64(f->b, f->features[i].bit);
		put_mem(f->b, f->features[i].payload.p, f->features[i].payload.n);
		record_end(f->b);
		bytes_free(&f->features[i].payload);
	}
	f->nr_features = 0;
}

void file_begin_data(struct file_builder *f)
{
	size_t ids_off[BUILD_MAX_EVENTS], attrs_off, i;
	struct bytes *b = f->b;

	if (f->kind == BUILD_PIPE) {
		for (i = 0; i < f->nr_events; i++) {
			record_begin(b, PD_RECORD_HEADER_ATTR, 0);
			put_attr(b, &f->attrs[i]);
			put_u64s(b, f->ids[i], f->nr_ids[i]);
			record_end(b);
		}
		put_pipe_features(f);
		f->data_off = b->n;
		return;
	}
	for (i = 0; i < f->nr_events; i++) {
		ids_off[i] = b->n;
		put_u64s(b, f->ids[i], f->nr_ids[i]);
	}
	attrs_off = b->n;
	for (i = 0; i < f->nr_events; i++) {
		put_attr(b, &f->attrs[i]);
		put_u64(b, ids_off[i]);
		put_u64(b, 8 * f->nr_ids[i]);
	}
	f->data_off = b->n;
	set_u64(b, 16, f->nr_events ? f->attrs[0].size + 16 : 144);
	set_u64(b, 24, attrs_off);
	set_u64(b, 32, f->data_off - attrs_off);
	set_u64(b, 40, f->data_off);
}

struct bytes *file_feature(struct file_builder *f, unsigned int bit)
{
	size_t i = f->nr_features++;

	f->features[i].bit = bit;
	f->features[i].payload = bytes_new(f->b->big);
	return &f->features[i].payload;
}

void file_event_desc(struct file_builder *f, const char *const *names)
{
	struct bytes *p = file_feature(f, 12);
	size_t i;

	put_u32(p, (u32)f->nr_events);
	put_u32(p, f->attrs[0].size);
	for (i = 0; i < f->nr_events; i++) {
		put_attr_sized(p, &f->attrs[i], f->attrs[0].size, f->attrs[i].size);
		put_u32(p, (u32)f->nr_ids[i]);
		put_string(p, names[i]);
		put_u64s(p, f->ids[i], f->nr_ids[i]);
	}
}

void file_end(struct file_builder *f)
{
	struct bytes *b = f->b;
	size_t table = b->n, i;
	u64 bitmap[4] = { 0 };

	if (f->kind == BUILD_PIPE) {
		put_pipe_features(f);
		return;
	}
	set_u64(b, 48, b->n - f->data_off);
	put_fill(b, 0, 16 * f->nr_features);
	for (i = 0; i < f->nr_features; i++) {
		struct bytes *payload = &f->features[i].payload;
		unsigned int bit = f->features[i].bit;

		bitmap[bit / 64] |= 1ull << (bit % 64);
		set_u64(b, table + 16 * i, b->n);
		set_u64(b, table + 16 * i + 8, payload->n);
		put_mem(b, payload->p, payload->n);
		bytes_free(payload);
	}
	for (i = 0; i < 4; i++)
		set_u64(b, 72 + 8 * i, bitmap[i]);
	f->nr_features = 0;
}

static void put_format(struct bytes *b, const struct trace_format *f)
{
	char text[1200];
	int n = snprintf(text, sizeof(text),
			 "name: %s\nID: %u\nformat:\n"
			 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
			 "%s\nprint fmt: %s\n",
			 f->name, f->id, f->fields, f->print);

	put_u64(b, (u64)n);
	put_mem(b, text, (size_t)n);
}

/* How many formats from v on are of one system. */
static size_t of_one_system(const struct trace_format *v, size_t nr)
{
	size_t n = 1;

	while (n < nr && !strcmp(v[n].system, v->system))
		n++;
	return n;
}

void put_formats(struct bytes *b, const struct trace_format *v, size_t nr)
{
	u32 nr_systems = 0;

	for (size_t i = 0; i < nr; i += of_one_system(v + i, nr - i))
		nr_systems++;

	put_mem(b, "\x17\x08\x44tracing0.6", 14);
	put_u8(b, b->big);
	put_u8(b, 8);
	put_u32(b, 4096);
	put_mem(b, "header_page", 12);
	put_u64(b, 0);
	put_mem(b, "header_event", 13);
	put_u64(b, 0);
	put_u32(b, 0);
	put_u32(b, nr_systems);
	for (size_t i = 0, n; i < nr; i += n) {
		n = of_one_system(v + i, nr - i);
		put_mem(b, v[i].system, strlen(v[i].system) + 1);
		put_u32(b, (u32)n);
		for (size_t k = i; k < i + n; k++)
			put_format(b, &v[k]);
	}
	put_u32(b, 0);
	put_u32(b, 0);
	put_u64(b, 0);
}
