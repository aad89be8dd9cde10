/* SPDX-License-Identifier: MIT */
#include "fileformat/feature/feature_bpf.h"

#include <stdio.h>

#include "base/mem.h"

/* Offsets of members in struct bpf_prog_info (uapi bpf.h), which new kernels extend at its end. */
enum {
	INFO_TYPE = 0,
	INFO_ID = 4,
	INFO_TAG = 8,
	INFO_NAME = 64,
	INFO_NR_KSYMS = 104,
	INFO_NR_FUNC_LENS = 108,
	INFO_KSYMS = 112,
	INFO_FUNC_LENS = 120,
	INFO_BTF_ID = 128,
	INFO_FUNC_INFO_SIZE = 132,
	INFO_FUNC_INFO = 136,
	INFO_NR_FUNC_INFO = 144,
	INFO_NR_TAGS = 180,
	INFO_TAGS = 184,
	INFO_KNOWN = 192,
};

/* Bits of the `arrays` word that say which arrays were stored. */
enum { ARRAY_KSYMS = 3, ARRAY_FUNC_LENS = 4, ARRAY_FUNC_INFO = 5, ARRAY_TAGS = 8 };

struct info {
	u8 bytes[INFO_KNOWN]; /* members that the writer's kernel did not have are 0 */
	struct span data;
	u64 arrays;
	bool swap;
};

static u32 info_u32(const struct info *in, unsigned int off)
{
	return get_u32(in->bytes + off, in->swap);
}

/*
 * Returns an array of nr elements, which begins at the offset that the file has in place of the
 * kernel's pointer; empty if it was not stored.
 */
static struct span info_array(const struct info *in, unsigned int bit, unsigned int ptr_off, u32 nr,
			      u32 size)
{
	u64 off = get_u64(in->bytes + ptr_off, in->swap);

	if (!(in->arrays >> bit & 1) || !size || off > in->data.n || nr > (in->data.n - off) / size)
		return span_of(NULL, 0);
	return span_of(in->data.p + off, (size_t)nr * size);
}

static void read_info(const struct info *in, struct span whole, struct pd_bpf_prog *p)
{
	u32 nr_lens = info_u32(in, INFO_NR_FUNC_LENS);

	p->type = info_u32(in, INFO_TYPE);
	p->id = info_u32(in, INFO_ID);
	memcpy(p->tag, in->bytes + INFO_TAG, sizeof(p->tag));
	if (whole.n >= INFO_NAME + 16) {
		p->name = span_of(whole.p + INFO_NAME, 16);
		p->name.n = span_strlen(p->name);
	}
	p->btf_id = info_u32(in, INFO_BTF_ID);
	p->ksyms = info_array(in, ARRAY_KSYMS, INFO_KSYMS, info_u32(in, INFO_NR_KSYMS), 8);
	p->func_lens = info_array(in, ARRAY_FUNC_LENS, INFO_FUNC_LENS, nr_lens, 4);
	p->tags = info_array(in, ARRAY_TAGS, INFO_TAGS, info_u32(in, INFO_NR_TAGS), 8);
	p->func_info_size = info_u32(in, INFO_FUNC_INFO_SIZE);
	if (p->func_info_size >= 8)
		p->func_info = info_array(in, ARRAY_FUNC_INFO, INFO_FUNC_INFO,
					  info_u32(in, INFO_NR_FUNC_INFO), p->func_info_size);
	p->nr_ksyms = (u32)(p->ksyms.n / 8);
	/* there must be one length per function, otherwise it is unknown where their code ends */
	if (p->func_lens.n / 4 < p->nr_ksyms)
		p->nr_ksyms = (u32)(p->func_lens.n / 4);
}

int pd_bpf_prog_next(struct pd_list *l, struct pd_bpf_prog *ret, struct perr *e)
{
	struct pd_bpf_prog v = { 0 };
	struct info in = { .swap = l->c.swap };
	u32 info_len, data_len;
	struct span whole;
	int got;

	if (!l->left)
		return 0;
	info_len = cur_u32(&l->c);
	data_len = cur_u32(&l->c);
	in.arrays = cur_u64(&l->c);
	whole = cur_bytes(&l->c, info_len);
	in.data = cur_bytes(&l->c, data_len);
	got = pd_list_item(l, e);
	if (got < 0)
		return got;
	if (whole.n)
		memcpy(in.bytes, whole.p, whole.n < INFO_KNOWN ? whole.n : INFO_KNOWN);
	read_info(&in, whole, &v);
	*ret = v;
	return 1;
}

int pd_btf_next(struct pd_list *l, struct pd_btf *ret, struct perr *e)
{
	struct pd_btf v;
	u32 size;
	int got;

	if (!l->left)
		return 0;
	v.id = cur_u32(&l->c);
	size = cur_u32(&l->c);
	v.data = cur_bytes(&l->c, size);
	got = pd_list_item(l, e);
	if (got > 0)
		*ret = v;
	return got;
}

/* --- BTF -------------------------------------------------------------------------------------- */

#define BTF_MAGIC 0xeb9f

/*
 * Returns how many bytes follow the first 12 of a type, by its kind (uapi btf.h); negative if the
 * kind is unknown.
 */
static s64 btf_tail(u32 kind, u32 vlen)
{
	switch (kind) {
	case 1:  /* INT */
	case 14: /* VAR */
	case 17: /* DECL_TAG */ return 4;
	case 2:  /* PTR */
	case 7:  /* FWD */
	case 8:  /* TYPEDEF */
	case 9:  /* VOLATILE */
	case 10: /* CONST */
	case 11: /* RESTRICT */
	case 12: /* FUNC */
	case 16: /* FLOAT */
	case 18: /* TYPE_TAG */ return 0;
	case 3: /* ARRAY */ return 12;
	case 4:  /* STRUCT */
	case 5:  /* UNION */
	case 15: /* DATASEC */
	case 19: /* ENUM64 */ return 12ll * vlen;
	case 6: /* ENUM */
	case 13: /* FUNC_PROTO */ return 8ll * vlen;
	default: return -1;
	}
}

/* Returns the part of a BTF blob at {off, len}, counted from the end of its header. */
static struct span btf_part(struct span btf, u32 hdr_len, u32 off, u32 len)
{
	if (hdr_len > btf.n || off > btf.n - hdr_len || len > btf.n - hdr_len - off)
		return span_of(NULL, 0);
	return span_of(btf.p + hdr_len + off, len);
}

void pd_btf_index_init(struct pd_btf_index *x, struct span btf, bool swap)
{
	/*
	 * header: {u16 magic, u8 version, u8 flags, u32 hdr_len, type_off, type_len, str_off,
	 * str_len}
	 */
	struct cursor c = cursor_of(btf, swap);
	u32 magic = cur_u16(&c), hdr_len, off, len;

	*x = (struct pd_btf_index){ .swap = swap };
	cur_skip(&c, 2);
	hdr_len = cur_u32(&c);
	off = cur_u32(&c);
	len = cur_u32(&c);
	if (c.bad || magic != BTF_MAGIC)
		return;
	x->types = btf_part(btf, hdr_len, off, len);
	off = cur_u32(&c);
	len = cur_u32(&c);
	if (!c.bad)
		x->strings = btf_part(btf, hdr_len, off, len);
	c = cursor_of(x->types, swap);
	while (cur_left(&c) >= 12) {
		u32 at = (u32)(c.p - x->types.p);
		u32 info = get_u32(c.p + 4, swap);
		s64 tail = btf_tail(info >> 24 & 0x1f, info & 0xffff);

		cur_skip(&c, 12);
		if (tail < 0)
			break;
		cur_skip(&c, (size_t)tail);
		if (c.bad)
			break;
		vec_push(x->offs, x->nr, x->cap, at);
	}
}

void pd_btf_index_fini(struct pd_btf_index *x)
{
	free(x->offs);
	*x = (struct pd_btf_index){ 0 };
}

/* Returns the name of a type (numbered from 1); empty if it has none or does not exist. */
static struct span btf_type_name(const struct pd_btf_index *x, u32 type_id)
{
	struct span s;
	u32 off;

	if (!type_id || type_id > x->nr)
		return span_of(NULL, 0);
	off = get_u32(x->types.p + x->offs[type_id - 1], x->swap);
	if (off >= x->strings.n)
		return span_of(NULL, 0);
	s = span_of(x->strings.p + off, x->strings.n - off);
	s.n = span_strlen(s);
	return s;
}

void pd_bpf_prog_name(const struct pd_bpf_prog *p, u32 i, const struct pd_btf_index *btf, bool swap,
		      char *buf)
{
	const u8 *tag = (size_t)(i + 1) * 8 <= p->tags.n ? p->tags.p + (size_t)i * 8 : p->tag;
	struct span name = span_of(NULL, 0);
	int n;

	n = snprintf(buf, PD_BPF_NAME_MAX, "bpf_prog_%02x%02x%02x%02x%02x%02x%02x%02x", tag[0],
		     tag[1], tag[2], tag[3], tag[4], tag[5], tag[6], tag[7]);
	if (btf && p->func_info.n && i < p->func_info.n / p->func_info_size)
		name = btf_type_name(
			btf, get_u32(p->func_info.p + (size_t)i * p->func_info_size + 4, swap));
	if (!name.n && p->nr_ksyms > 1)
		name = span_of("F", 1); /* a subprogram without BTF */
	else if (!name.n)
		name = p->name;
	if (name.n > 255)
		name.n = 255;
	if (name.n)
		snprintf(buf + n, PD_BPF_NAME_MAX - (size_t)n, "_%.*s", (int)name.n, name.p);
}
