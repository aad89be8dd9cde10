/* SPDX-License-Identifier: MIT */
/* Structs of the kernel as text, {tv_sec=1, tv_nsec=0}, laid out as the kernel's BTF says. */
#ifndef EVENTS_CALLS_STRUCT_TEXT_H
#define EVENTS_CALLS_STRUCT_TEXT_H

#include "base/bytes.h"
#include "base/out.h"
#include "events/calls/struct_table.h"
#include "symbols/kernel/btf.h"

/* The types of the running kernel, read when they are first needed. All zero at first. */
struct kernel_types {
	struct btf *btf; /* NULL: not read yet, or there is none; owned */
	bool is_read;
	/* the structs that were looked for: rows and their ids, 0: the kernel has none */
	struct kernel_struct {
		const struct struct_row *row;
		u32 id;
	} * found;
	size_t nr, cap;
	/* the same of enums, by name */
	struct kernel_enum {
		const char *name;
		u32 id;
	} * enums;
	size_t nr_enums, cap_enums;
};
void kernel_types_fini(struct kernel_types *t);

/* Returns the size of a row's struct in bytes; 0: it is not known. */
size_t struct_text_size(struct kernel_types *t, const struct struct_row *row);

/* Writes the struct at the begin of `bytes`. False, and nothing is written: its type is not known,
 * or bytes are missing. The text is at most some KiB long. */
bool struct_text_put(struct kernel_types *t, const struct struct_row *row, struct span bytes,
		     struct out *o);

/* Returns the word of a value of the kernel's enum of this name, which lives as long as t; NULL: it
 * has none. */
const char *struct_text_enum_word(struct kernel_types *t, const char *name, u64 value);

/* Gets a number in a struct by the member's name. False: there is none. */
bool struct_text_number(struct kernel_types *t, const struct struct_row *row, struct span bytes,
			const char *member, u64 *ret);

/* Writes a pointer: NULL, or in hexadecimal. */
void struct_text_put_pointer(u64 value, struct out *o);
/* The type and permissions of a file: S_IFREG|0644. */
void struct_text_put_mode(u64 value, struct out *o);

#endif
