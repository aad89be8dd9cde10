/* SPDX-License-Identifier: MIT */
#include "events/calls/struct_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#include "base/mem.h"
#include "events/calls/call_words.h"
#include "events/calls/quoted_text.h"

#define MAX_DEPTH 6
#define MAX_ELEMS 32  /* of an array that are written */
#define MAX_TEXT 4096 /* bytes; what is behind them is "..." */
#define MAX_UNIONS 8

void kernel_types_fini(struct kernel_types *t)
{
	btf_free(t->btf);
	free(t->found);
	free(t->enums);
	*t = (struct kernel_types){ 0 };
}

static bool has_types(struct kernel_types *t)
{
	struct perr ignored;

	if (!t->is_read && !t->btf && btf_open(BTF_OF_THIS_KERNEL, &t->btf, &ignored))
		t->btf = NULL;
	t->is_read = true;
	return t->btf;
}

static u32 id_of(struct kernel_types *t, const struct struct_row *row)
{
	struct kernel_struct k = { row, 0 };

	for (size_t i = 0; i < t->nr; i++)
		if (t->found[i].row == row)
			return t->found[i].id;
	if (has_types(t))
		k.id = btf_find(t->btf, BTF_STRUCT, row->kernel);
	vec_push(t->found, t->nr, t->cap, k);
	return k.id;
}

size_t struct_text_size(struct kernel_types *t, const struct struct_row *row)
{
	u32 id = id_of(t, row);

	return id ? (size_t)btf_type_of(t->btf, id).size : 0;
}

static u32 enum_id_of(struct kernel_types *t, const char *name)
{
	struct kernel_enum k = { name, 0 };

	for (size_t i = 0; i < t->nr_enums; i++)
		if (!strcmp(t->enums[i].name, name))
			return t->enums[i].id;
	if (has_types(t))
		k.id = btf_find(t->btf, BTF_ENUM, name);
	vec_push(t->enums, t->nr_enums, t->cap_enums, k);
	return k.id;
}

const char *struct_text_enum_word(struct kernel_types *t, const char *name, u64 value)
{
	u32 id = enum_id_of(t, name);
	struct btf_type type;

	if (!id)
		return NULL;
	type = btf_type_of(t->btf, id);
	return btf_enum_word(t->btf, &type, value);
}

/* --- values
 * ----------------------------------------------------------------------------------------- */

void struct_text_put_pointer(u64 value, struct out *o)
{
	if (!value) {
		out_str(o, "NULL");
		return;
	}
	out_str(o, "0x");
	out_hex(o, value, 0);
}

static void put_hex(u64 value, struct out *o)
{
	out_str(o, value ? "0x" : "");
	out_hex(o, value, 0);
}

void struct_text_put_mode(u64 value, struct out *o)
{
	static const char *const types[] = { NULL, "IFO", "CHR", NULL,  "DIR", NULL,  "BLK",
					     NULL, "REG", NULL,  "LNK", NULL,  "SOCK" };
	static const char *const bits[] = { "S_ISVTX|", "S_ISGID|", "S_ISUID|" };
	u64 type = value >> 12 & 0xf, rest = value & ~(u64)07777;

	if (type < ARRAY_SIZE(types) && types[type]) {
		out_printf(o, "S_IF%s|", types[type]);
		rest &= ~(u64)0170000;
	}
	for (int i = 2; i >= 0; i--)
		if (value & 01000u << i)
			out_str(o, bits[i]);
	if (rest)
		out_printf(o, "%#" PRIo64 "|", rest);
	out_printf(o, "0%03o", (unsigned int)value & 0777);
}

static void put_perm(u64 value, struct out *o)
{
	out_printf(o, "0%03" PRIo64, value);
}

static void put_limit(u64 value, const char *none, struct out *o)
{
	if (value == UINT64_MAX)
		out_text(o, none, true);
	else if (value > 1024 && !(value % 1024))
		out_printf(o, "%" PRIu64 "*1024", value / 1024);
	else
		out_dec(o, value, 0);
}

static void put_rlim(u64 value, struct out *o)
{
	put_limit(value, "RLIM_INFINITY", o);
}

static void put_rlim64(u64 value, struct out *o)
{
	put_limit(value, "RLIM64_INFINITY", o);
}

static void put_dev(u64 value, struct out *o)
{
	out_str(o, "makedev(");
	put_hex(major(value), o);
	out_str(o, ", ");
	put_hex(minor(value), o);
	out_char(o, ')');
}

/* The name of a file system, two numbers. */
static void put_fsid(u64 value, struct out *o)
{
	out_str(o, "{val=[");
	put_hex(value & UINT32_MAX, o);
	out_str(o, ", ");
	put_hex(value >> 32, o);
	out_str(o, "]}");
}

/* The data of an epoll_event, which is what a program put there. */
static void put_epoll(u64 value, struct out *o)
{
	out_printf(o, "{u32=%" PRIu32 ", u64=%" PRIu64 "}", (u32)value, value);
}

static const struct {
	const char *name;
	void (*put)(u64 value, struct out *o);
} struct_formats[] = {
	{ "dev", put_dev },
	{ "epoll", put_epoll },
	{ "fsid", put_fsid },
	{ "hex", put_hex },
	{ "mode", struct_text_put_mode },
	{ "perm", put_perm },
	{ "ptr", struct_text_put_pointer },
	{ "rlim", put_rlim },
	{ "rlim64", put_rlim64 },
};

/* Writes a number in the way that a row says. False: it says none. */
static bool put_format(struct span how, u64 value, struct out *o)
{
	const struct call_words *words;
	size_t before = o->len;

	if (!how.n)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(struct_formats); i++) {
		if (strlen(struct_formats[i].name) != how.n ||
		    memcmp(struct_formats[i].name, how.p, how.n) != 0)
			continue;
		struct_formats[i].put(value, o);
		return true;
	}
	words = call_words_find(how);
	if (!words)
		return false;
	call_words_put(words, value, true, o);
	if (o->len == before)
		out_char(o, '0');
	return true;
}

static u64 load(const u8 *p, u64 size)
{
	u64 v = 0;

	switch (size) {
	case 1: return *p;
	case 2: return get_u16(p, false);
	case 4: return get_u32(p, false);
	case 8: memcpy(&v, p, sizeof(v)); return v;
	default: return 0;
	}
}

static u64 sign_extend(u64 v, u64 bits)
{
	return bits && bits < 64 ? (u64)((s64)(v << (64 - bits)) >> (64 - bits)) : v;
}

/* A member as a number; false: its bytes are missing, or it is none. */
static bool number_of(const struct btf_type *t, const struct btf_member *m, struct span bytes,
		      u64 *ret)
{
	u64 at = m->bit / 8, size = t->size;

	if (t->kind == BTF_STRUCT || t->kind == BTF_ARRAY || t->kind == BTF_VOID || size > 8 ||
	    at > bytes.n || size > bytes.n - at)
		return false;
	*ret = load(bytes.p + at, size);
	if (m->bits && m->bits < 64) {
		*ret = *ret >> m->bit % 8 & ((1ull << m->bits) - 1);
		if (t->is_signed)
			*ret = sign_extend(*ret, m->bits);
	} else if (t->is_signed) {
		*ret = sign_extend(*ret, size * 8);
	}
	return true;
}

/* A type with unions replaced by their first member: what is in them nothing here knows. */
static struct btf_type type_of(const struct btf *b, u32 id)
{
	struct btf_type t = btf_type_of(b, id);
	struct btf_member m;

	for (int i = 0; i < MAX_UNIONS && t.kind == BTF_UNION; i++) {
		u64 size = t.size;

		if (!btf_member_of(b, &t, 0, &m))
			return (struct btf_type){ .name = "" };
		t = btf_type_of(b, m.type);
		if (t.kind == BTF_INT || t.kind == BTF_PTR || t.kind == BTF_ENUM)
			continue;
		if (t.size > size)
			return (struct btf_type){ .name = "" };
	}
	return t;
}

/* --- structs
 * ---------------------------------------------------------------------------------------- */

/* A struct or array whose members are being written. */
struct level {
	struct btf_type type;
	u64 at; /* byte where it begins */
	u32 i;  /* of the next member */
	bool any;
};

struct writer {
	const struct btf *btf;
	struct span bytes;
	struct out *o;
	size_t begin; /* length of the output before */
	struct level levels[MAX_DEPTH];
	int depth;
	const char *members; /* names of the members still to write; NULL: all members */
};

struct item {
	struct btf_member m; /* m.bit: from the begin of the whole struct */
	struct btf_type type;
	struct span how;
	bool skip_zero, is_rest;
};

/* The member of this name; false: there is none. */
static bool find_member(const struct btf *b, const struct btf_type *t, struct span name,
			struct btf_member *ret)
{
	for (u32 i = 0; btf_member_of(b, t, i, ret); i++)
		if (strlen(ret->name) == name.n && !memcmp(ret->name, name.p, name.n))
			return true;
	/* in a union without a name */
	for (u32 i = 0; btf_member_of(b, t, i, ret); i++) {
		struct btf_type u = btf_type_of(b, ret->type);
		u64 bit = ret->bit;

		for (u32 j = 0; !*ret->name && u.kind == BTF_UNION; j++) {
			if (!btf_member_of(b, &u, j, ret))
				break;
			ret->bit += bit;
			if (strlen(ret->name) == name.n && !memcmp(ret->name, name.p, name.n))
				return true;
		}
		if (!btf_member_of(b, t, i, ret))
			break;
	}
	return false;
}

/* The next member that the row names. */
static bool next_of_row(struct writer *w, struct item *ret)
{
	const struct level *l = &w->levels[0];

	while (*w->members) {
		const char *word = w->members + strspn(w->members, " ");
		size_t n = strcspn(word, " "), name = strcspn(word, " :?");

		w->members = word + n;
		if (!n)
			return false;
		*ret = (struct item){ .is_rest = n == 3 && !memcmp(word, "...", 3) };
		if (ret->is_rest)
			return true;
		ret->skip_zero = word[n - 1] == '?';
		if (word[name] == ':')
			ret->how = span_of(word + name + 1, n - name - 1 - ret->skip_zero);
		if (!find_member(w->btf, &l->type, span_of(word, name), &ret->m))
			continue; /* another kernel's struct */
		ret->type = type_of(w->btf, ret->m.type);
		return true;
	}
	return false;
}

/* The next member of a struct, or element of an array. */
static bool next_item(struct writer *w, struct level *l, struct item *ret)
{
	if (w->depth == 1 && w->members)
		return next_of_row(w, ret);
	*ret = (struct item){ 0 };
	if (l->type.kind == BTF_ARRAY) {
		if (l->i >= l->type.nr)
			return false;
		ret->m = (struct btf_member){ .name = "", .type = l->type.elem };
		ret->type = type_of(w->btf, ret->m.type);
		ret->m.bit = (l->at + l->i * ret->type.size) * 8;
		ret->is_rest = l->i == MAX_ELEMS;
		l->i = ret->is_rest ? l->type.nr : l->i + 1;
		return true;
	}
	while (btf_member_of(w->btf, &l->type, l->i++, &ret->m)) {
		if (ret->m.name[0] == '_')
			continue; /* padding */
		ret->m.bit += l->at * 8;
		ret->type = type_of(w->btf, ret->m.type);
		return true;
	}
	return false;
}

static void put_number(const struct btf *b, const struct btf_type *t, u64 value, struct out *o)
{
	const char *word = btf_enum_word(b, t, value);

	if (word && *word)
		out_text(o, word, false);
	else if (t->kind == BTF_PTR)
		struct_text_put_pointer(value, o);
	else if (t->is_signed)
		out_printf(o, "%" PRId64, (s64)value);
	else
		out_dec(o, value, 0);
}

/* An array of characters, up to its NUL. */
static void put_text(struct span bytes, struct out *o)
{
	size_t n = span_strlen(bytes);

	quoted_text_put(span_of(bytes.p, n < QUOTED_MAX ? n : QUOTED_MAX), o);
	if (n > QUOTED_MAX)
		out_str(o, "...");
}

static bool is_text(const struct btf *b, const struct btf_type *t)
{
	return t->kind == BTF_ARRAY && btf_type_of(b, t->elem).is_char;
}

/* Writes a value that has no members, or begins one that has. */
static void put_item(struct writer *w, const struct item *item)
{
	u64 at = item->m.bit / 8, value;
	const struct btf_type *t = &item->type;

	if (at > w->bytes.n || t->size > w->bytes.n - at || t->kind == BTF_VOID) {
		out_str(w->o, "???");
	} else if (item->how.n && t->kind == BTF_STRUCT && t->size == 8) {
		(void)put_format(item->how, load(w->bytes.p + at, 8), w->o);
	} else if (number_of(t, &item->m, w->bytes, &value)) {
		u64 bits = t->size < 8 ? value & ((1ull << t->size * 8) - 1) : value;

		if (!put_format(item->how, bits, w->o))
			put_number(w->btf, t, value, w->o);
	} else if (is_text(w->btf, t)) {
		put_text(span_of(w->bytes.p + at, t->size), w->o);
	} else if (w->depth < MAX_DEPTH) {
		out_char(w->o, t->kind == BTF_ARRAY ? '[' : '{');
		w->levels[w->depth++] = (struct level){ .type = *t, .at = at };
	} else {
		out_str(w->o, "...");
	}
}

static void close_level(struct writer *w)
{
	out_char(w->o, w->levels[--w->depth].type.kind == BTF_ARRAY ? ']' : '}');
}

static void put_next(struct writer *w)
{
	struct level *l = &w->levels[w->depth - 1];
	bool is_full = w->o->len - w->begin > MAX_TEXT;
	struct item item = { .is_rest = true };
	u64 value;

	if (!is_full && !next_item(w, l, &item)) {
		close_level(w);
		return;
	}
	if (item.skip_zero && (!number_of(&item.type, &item.m, w->bytes, &value) || !value))
		return;
	out_str(w->o, l->any ? ", " : "");
	l->any = true;
	if (item.is_rest) {
		out_str(w->o, "...");
		while (is_full && w->depth)
			close_level(w);
		return;
	}
	if (*item.m.name)
		out_printf(w->o, "%s=", item.m.name);
	put_item(w, &item);
}

bool struct_text_put(struct kernel_types *t, const struct struct_row *row, struct span bytes,
		     struct out *o)
{
	u32 id = id_of(t, row);
	struct writer w = { .bytes = bytes, .o = o, .begin = o->len, .members = row->members };

	if (!id)
		return false;
	w.btf = t->btf;
	w.levels[0].type = btf_type_of(t->btf, id);
	if (bytes.n < w.levels[0].type.size)
		return false;
	out_char(o, '{');
	w.depth = 1;
	while (w.depth)
		put_next(&w);
	return true;
}

bool struct_text_number(struct kernel_types *t, const struct struct_row *row, struct span bytes,
			const char *member, u64 *ret)
{
	u32 id = id_of(t, row);
	struct btf_type type, of_member;
	struct btf_member m;

	if (!id)
		return false;
	type = btf_type_of(t->btf, id);
	if (!find_member(t->btf, &type, span_of(member, strlen(member)), &m))
		return false;
	of_member = type_of(t->btf, m.type);
	return number_of(&of_member, &m, bytes, ret);
}
