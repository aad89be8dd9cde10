/* SPDX-License-Identifier: MIT */
#include "symbols/kernel/btf.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/elf/readfile.h"

#define MAGIC 0xeb9f
#define HEAD 24      /* bytes of the header that are read here */
#define TYPE_HEAD 12 /* of a type: name, info, size or type */
#define FILE_MAX (256u << 20)
#define MAX_NAMES_OF_ONE 32 /* typedef, const and the like around a type */

/* Kinds as in the file. */
enum {
	FILE_INT = 1,
	FILE_PTR,
	FILE_ARRAY,
	FILE_STRUCT,
	FILE_UNION,
	FILE_ENUM,
	FILE_FWD,
	FILE_TYPEDEF,
	FILE_VOLATILE,
	FILE_CONST,
	FILE_RESTRICT,
	FILE_FUNC,
	FILE_FUNC_PROTO,
	FILE_VAR,
	FILE_DATASEC,
	FILE_FLOAT,
	FILE_DECL_TAG,
	FILE_TYPE_TAG,
	FILE_ENUM64,
	NR_FILE_KINDS,
};

struct btf {
	struct file_text file; /* of btf_open() */
	struct span types, strings;
	u32 *at; /* of each id, the offset of its type in `types`; [0] is not used */
	u32 nr;  /* ids, with 0 */
};

/* Bytes behind the head of a type with nr entries; -1: this kind is not known. */
static s64 tail_size(u32 kind, u32 nr)
{
	switch (kind) {
	case FILE_INT:
	case FILE_VAR:
	case FILE_DECL_TAG: return 4;
	case FILE_ARRAY: return 12;
	case FILE_STRUCT:
	case FILE_UNION:
	case FILE_DATASEC:
	case FILE_ENUM64: return 12 * (s64)nr;
	case FILE_ENUM:
	case FILE_FUNC_PROTO: return 8 * (s64)nr;
	default: return kind && kind < NR_FILE_KINDS ? 0 : -1;
	}
}

static u32 file_kind(u32 info)
{
	return info >> 24 & 0x1f;
}

static u32 file_nr(u32 info)
{
	return info & 0xffff;
}

/* Notes where each type lies, up to the first that is damaged. */
static void list_types(struct btf *b)
{
	struct cursor c = cursor_of(b->types, false);
	size_t cap = b->types.n / TYPE_HEAD + 1;

	b->at = xcalloc(cap, sizeof(*b->at));
	b->nr = 1;
	while (cur_left(&c) >= TYPE_HEAD) {
		u32 at = (u32)(c.p - b->types.p), info;
		s64 tail;

		cur_skip(&c, 4);
		info = cur_u32(&c);
		cur_skip(&c, 4);
		tail = tail_size(file_kind(info), file_nr(info));
		if (tail < 0 || (u64)tail > cur_left(&c))
			return;
		cur_skip(&c, (size_t)tail);
		b->at[b->nr++] = at;
	}
}

static int find_sections(struct btf *b, struct span bytes, struct perr *e)
{
	struct cursor c = cursor_of(bytes, false);
	u32 head, type_at, type_n, text_at, text_n;

	if (bytes.n < HEAD || cur_u16(&c) != MAGIC)
		return perr_set(e, PERR_FORMAT, "it is no BTF of this byte order");
	cur_skip(&c, 2); /* version, flags */
	head = cur_u32(&c);
	type_at = cur_u32(&c);
	type_n = cur_u32(&c);
	text_at = cur_u32(&c);
	text_n = cur_u32(&c);
	if (head < HEAD || (u64)head + type_at + type_n > bytes.n ||
	    (u64)head + text_at + text_n > bytes.n)
		return perr_set(e, PERR_FORMAT, "its BTF is cut off");
	b->types = span_of(bytes.p + head + type_at, type_n);
	b->strings = span_of(bytes.p + head + text_at, text_n);
	return 0;
}

int btf_open_mem(struct span bytes, struct btf **ret, struct perr *e)
{
	struct btf *b = xcalloc(1, sizeof(*b));
	int err = find_sections(b, bytes, e);

	if (err) {
		free(b);
		return err;
	}
	list_types(b);
	*ret = b;
	return 0;
}

int btf_open(const char *path, struct btf **ret, struct perr *e)
{
	struct file_text file;
	int err = file_text_open(path, NULL, FILE_MAX, &file, e);

	if (err)
		return err;
	err = btf_open_mem(file.bytes, ret, e);
	if (err)
		file_text_close(&file);
	else
		(*ret)->file = file;
	return err;
}

void btf_free(struct btf *b)
{
	if (!b)
		return;
	if (b->file.bytes.p)
		file_text_close(&b->file);
	free(b->at);
	free(b);
}

static const char *text_at(const struct btf *b, u32 at)
{
	if (at >= b->strings.n || !memchr(b->strings.p + at, '\0', b->strings.n - at))
		return "";
	return (const char *)b->strings.p + at;
}

/* A cursor at type id, whose head and tail are there; false: there is none. */
static bool go_to(const struct btf *b, u32 id, struct cursor *ret)
{
	if (!id || id >= b->nr)
		return false;
	*ret = cursor_of(span_of(b->types.p + b->at[id], b->types.n - b->at[id]), false);
	return true;
}

static enum btf_kind kind_of(u32 kind)
{
	switch (kind) {
	case FILE_INT: return BTF_INT;
	case FILE_PTR: return BTF_PTR;
	case FILE_ARRAY: return BTF_ARRAY;
	case FILE_STRUCT: return BTF_STRUCT;
	case FILE_UNION: return BTF_UNION;
	case FILE_ENUM:
	case FILE_ENUM64: return BTF_ENUM;
	case FILE_FLOAT: return BTF_FLOAT;
	default: return BTF_VOID;
	}
}

static bool is_name_of_other(u32 kind)
{
	return (kind >= FILE_TYPEDEF && kind <= FILE_RESTRICT) || kind == FILE_TYPE_TAG;
}

u32 btf_find(const struct btf *b, enum btf_kind kind, const char *name)
{
	for (u32 id = 1; id < b->nr; id++) {
		struct cursor c;
		u32 text;

		if (!go_to(b, id, &c))
			continue;
		text = cur_u32(&c);
		if (kind_of(file_kind(cur_u32(&c))) == kind && !strcmp(text_at(b, text), name))
			return id;
	}
	return 0;
}

/* What the head of a type and the words behind it say, but for the size of an array. */
static struct btf_type read_type(const struct btf *b, u32 id, struct cursor c)
{
	struct btf_type t = { .id = id, .name = text_at(b, cur_u32(&c)) };
	u32 info = cur_u32(&c), size = cur_u32(&c), bits;

	t.kind = kind_of(file_kind(info));
	t.size = size;
	t.nr = file_nr(info);
	switch (t.kind) {
	case BTF_PTR: t.size = 8; break;
	case BTF_ENUM: t.is_signed = info >> 31; break;
	case BTF_INT:
		bits = cur_u32(&c);
		t.is_signed = bits >> 24 & 1;
		t.is_char = size == 1 && (!strcmp(t.name, "char") || (bits >> 24 & 2));
		break;
	case BTF_ARRAY:
		t.elem = cur_u32(&c);
		cur_skip(&c, 4);
		t.nr = cur_u32(&c);
		t.size = 0;
		break;
	default: break;
	}
	return t;
}

/* Type id behind its other names; an array without its size. */
static struct btf_type plain_type(const struct btf *b, u32 id)
{
	struct cursor c, head;

	for (int i = 0; i < MAX_NAMES_OF_ONE && go_to(b, id, &c); i++) {
		head = c;
		cur_skip(&c, 4);
		if (!is_name_of_other(file_kind(cur_u32(&c))))
			return read_type(b, id, head);
		id = cur_u32(&c);
	}
	return (struct btf_type){ .name = "" };
}

struct btf_type btf_type_of(const struct btf *b, u32 id)
{
	struct btf_type t = plain_type(b, id), elem = t;
	u64 size = 1;

	/* arrays of arrays, each of which has a size that may be wrong */
	for (int i = 0; i < MAX_NAMES_OF_ONE && elem.kind == BTF_ARRAY; i++) {
		if (__builtin_mul_overflow(size, elem.nr, &size))
			return (struct btf_type){ .name = "" };
		elem = plain_type(b, elem.elem);
	}
	if (t.kind == BTF_ARRAY &&
	    (elem.kind == BTF_ARRAY || __builtin_mul_overflow(size, elem.size, &t.size)))
		return (struct btf_type){ .name = "" };
	return t;
}

bool btf_member_of(const struct btf *b, const struct btf_type *t, u32 i, struct btf_member *ret)
{
	struct cursor c;
	u32 where;
	bool has_bits;

	if ((t->kind != BTF_STRUCT && t->kind != BTF_UNION) || i >= t->nr || !go_to(b, t->id, &c))
		return false;
	cur_skip(&c, 4);
	has_bits = cur_u32(&c) >> 31;
	cur_skip(&c, 4 + 12 * (size_t)i);
	*ret = (struct btf_member){ .name = text_at(b, cur_u32(&c)) };
	ret->type = cur_u32(&c);
	where = cur_u32(&c);
	ret->bit = has_bits ? where & 0xffffff : where;
	ret->bits = has_bits ? where >> 24 : 0;
	return !c.bad;
}

const char *btf_enum_word(const struct btf *b, const struct btf_type *t, u64 value)
{
	struct cursor c;
	bool is_64;

	if (t->kind != BTF_ENUM || !go_to(b, t->id, &c))
		return NULL;
	cur_skip(&c, 4);
	is_64 = file_kind(cur_u32(&c)) == FILE_ENUM64;
	cur_skip(&c, 4);
	for (u32 i = 0; i < t->nr; i++) {
		u32 name = cur_u32(&c);
		u64 low = cur_u32(&c), high = is_64 ? cur_u32(&c) : 0;

		if (is_64 ? value == (high << 32 | low) : (u32)value == low)
			return text_at(b, name);
	}
	return NULL;
}
