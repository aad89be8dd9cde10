/* SPDX-License-Identifier: MIT */
#include "tests/symbols/made_btf.h"

enum { INT = 1, PTR, ARRAY, STRUCT, UNION, ENUM, TYPEDEF = 8 };

struct builder {
	struct bytes types, strings;
};

static u32 name_of(struct builder *b, const char *name)
{
	u32 at = (u32)b->strings.n;

	if (!*name)
		return 0;
	put_text(&b->strings, name, 1);
	return at;
}

static void put_type(struct builder *b, const char *name, u32 kind, u32 nr, u32 size)
{
	put_u32(&b->types, name_of(b, name));
	put_u32(&b->types, kind << 24 | nr);
	put_u32(&b->types, size);
}

static void put_int(struct builder *b, const char *name, u32 size, u32 encoding)
{
	put_type(b, name, INT, 0, size);
	put_u32(&b->types, encoding << 24 | size * 8);
}

static void put_member(struct builder *b, const char *name, u32 type, u32 bit)
{
	put_u32(&b->types, name_of(b, name));
	put_u32(&b->types, type);
	put_u32(&b->types, bit);
}

static void put_array(struct builder *b, u32 elem, u32 nr)
{
	put_type(b, "", ARRAY, 0, 0);
	put_u32(&b->types, elem);
	put_u32(&b->types, BUILT_INT);
	put_u32(&b->types, nr);
}

static void put_plain_types(struct builder *b)
{
	put_int(b, "int", 4, 1);
	put_int(b, "unsigned long", 8, 0);
	put_int(b, "char", 1, 1);
	put_int(b, "short", 2, 1);
	put_type(b, "", PTR, 0, BUILT_INT);
	put_type(b, "word", ENUM, 2, 4);
	put_u32(&b->types, name_of(b, "ZERO"));
	put_u32(&b->types, 0);
	put_u32(&b->types, name_of(b, "ONE"));
	put_u32(&b->types, 1);
	put_array(b, BUILT_CHAR, 4);
	put_type(b, "time", TYPEDEF, 0, BUILT_ULONG);
}

static void put_structs(struct builder *b)
{
	put_type(b, "__kernel_timespec", STRUCT, 2, 16);
	put_member(b, "tv_sec", BUILT_TIME, 0);
	put_member(b, "tv_nsec", BUILT_TIME, 64);
	put_type(b, "stat", STRUCT, 3, 24);
	put_member(b, "st_mode", BUILT_INT, 0);
	put_member(b, "st_size", BUILT_ULONG, 64);
	put_member(b, "st_rdev", BUILT_ULONG, 128);
	put_type(b, "pollfd", STRUCT, 3, 8);
	put_member(b, "fd", BUILT_INT, 0);
	put_member(b, "events", BUILT_SHORT, 32);
	put_member(b, "revents", BUILT_SHORT, 48);
	put_type(b, "epoll_event", STRUCT, 2, 12);
	put_member(b, "events", BUILT_INT, 0);
	put_member(b, "data", BUILT_ULONG, 32);
	put_type(b, "clone_args", STRUCT, 5, 40);
	put_member(b, "flags", BUILT_ULONG, 0);
	put_member(b, "parent_tid", BUILT_ULONG, 64);
	put_member(b, "exit_signal", BUILT_ULONG, 128);
	put_member(b, "stack", BUILT_ULONG, 192);
	put_member(b, "stack_size", BUILT_ULONG, 256);
}

/* With bit fields, so the kind has its flag; the types behind it are members of it. */
static void put_mixed(struct builder *b)
{
	put_type(b, "winsize", 0x80 | STRUCT, 8, 376);
	put_member(b, "a", BUILT_INT, 3u << 24 | 0);
	put_member(b, "b", BUILT_WORD, 32);
	put_member(b, "c", BUILT_TEXT, 64);
	put_member(b, "d", BUILT_TIMESPEC, 128);
	put_member(b, "e", NR_BUILT_TYPES, 256);
	put_member(b, "g", NR_BUILT_TYPES + 1, 320);
	put_member(b, "_hidden", BUILT_INT, 0);
	put_member(b, "h", NR_BUILT_TYPES + 2, 2880);
	put_type(b, "bpf_cmd", ENUM, 1, 4);
	put_u32(&b->types, name_of(b, "BPF_NEWER"));
	put_u32(&b->types, 1000);
	put_type(b, "", UNION, 2, 8);
	put_member(b, "first", BUILT_INT, 0);
	put_member(b, "second", BUILT_ULONG, 0);
	put_array(b, BUILT_ULONG, 40);
	put_array(b, BUILT_PTR, 2);
}

struct bytes made_btf(void)
{
	struct builder b = { bytes_new(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__),
			     bytes_new(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) };
	struct bytes all = bytes_new(b.types.big);

	put_u8(&b.strings, 0);
	put_plain_types(&b);
	put_structs(&b);
	put_mixed(&b);
	put_u16(&all, 0xeb9f);
	put_u8(&all, 1);
	put_u8(&all, 0);
	put_u32(&all, 24);
	put_u32(&all, 0);
	put_u32(&all, (u32)b.types.n);
	put_u32(&all, (u32)b.types.n);
	put_u32(&all, (u32)b.strings.n);
	put_mem(&all, b.types.p, b.types.n);
	put_mem(&all, b.strings.p, b.strings.n);
	bytes_free(&b.types);
	bytes_free(&b.strings);
	return all;
}
