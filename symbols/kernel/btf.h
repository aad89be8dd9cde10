/* SPDX-License-Identifier: MIT */
/*
 * BTF: the types of a kernel, as it describes them in /sys/kernel/btf/vmlinux. Layout: the kernel's
 * Documentation/bpf/btf.rst. All bytes are checked: a damaged file has fewer types, and its types
 * end where the file does.
 */
#ifndef SYMBOLS_KERNEL_BTF_H
#define SYMBOLS_KERNEL_BTF_H

#include "base/bytes.h"
#include "base/err.h"

#define BTF_OF_THIS_KERNEL "/sys/kernel/btf/vmlinux"

struct btf;

enum btf_kind {
	BTF_VOID, /* also what is damaged or of a kind that has no size */
	BTF_INT,
	BTF_PTR,
	BTF_ARRAY,
	BTF_STRUCT,
	BTF_UNION,
	BTF_ENUM, /* of 32 or 64 bits */
	BTF_FLOAT,
};

/* A type without its names for it (typedef), const and the like. */
struct btf_type {
	enum btf_kind kind;
	u32 id;           /* of btf_type_of() and btf_member_of() */
	u64 size;         /* bytes */
	u32 nr;           /* members, elements of an array, values of an enum */
	u32 elem;         /* the id of the type of an array's elements */
	bool is_signed;   /* of an int or enum */
	bool is_char;     /* an int of 8 bits that is text */
	const char *name; /* "" without one; borrowed from the BTF, as all names */
};

struct btf_member {
	const char *name;
	u32 type; /* an id */
	u64 bit;  /* where it begins, from the begin of the struct */
	u32 bits; /* of a bit field; 0: it is none */
};

/* Opens the BTF in the file at path. PERR_IO; PERR_FORMAT: it is no BTF of this byte order. */
int btf_open(const char *path, struct btf **ret, struct perr *e) MUST_CHECK;
/* The same of bytes, which are borrowed until btf_free(). */
int btf_open_mem(struct span bytes, struct btf **ret, struct perr *e) MUST_CHECK;
void btf_free(struct btf *b);

/* Returns the id of the first struct, union or enum of this name; 0: there is none. It looks at all
 * types. */
u32 btf_find(const struct btf *b, enum btf_kind kind, const char *name);

/* Returns type id; BTF_VOID where there is none. */
struct btf_type btf_type_of(const struct btf *b, u32 id);
/* Gets member i of a struct or union. False: it has no such member. */
bool btf_member_of(const struct btf *b, const struct btf_type *t, u32 i, struct btf_member *ret);
/* Returns the name of a value of an enum; NULL: it has none. */
const char *btf_enum_word(const struct btf *b, const struct btf_type *t, u64 value);

#endif
