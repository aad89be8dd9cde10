/* SPDX-License-Identifier: MIT */
#include "machine/frame_pointers.h"

#include <string.h>

#include "unwind/unwind_module.h"

#define RBP 6 /* its DWARF number */

static enum frame_pointer of_full_row(struct unwind_module *m, u64 vaddr)
{
	const struct cfi_rule *cfa = &unwind_module_row(m, vaddr)->cfa;

	if (cfa->how != CFI_REGISTER)
		return FRAME_POINTER_UNKNOWN;
	return cfa->reg == RBP ? FRAME_POINTER_KEPT : FRAME_POINTER_NONE;
}

enum frame_pointer frame_pointer_at(const struct unwind_space *space, u64 ip)
{
	struct unwind_place place;
	u64 function;
	u32 rule;

	if (!machine_modules_find(space, ip, &place) || !place.module ||
	    unwind_module_arch(place.module) != UNWIND_X86_64)
		return FRAME_POINTER_UNKNOWN;
	if (unwind_module_is_start(place.module, ip - place.bias))
		return FRAME_POINTER_START;
	if (!unwind_module_rule(place.module, ip - place.bias, &rule, &function))
		return FRAME_POINTER_UNKNOWN;
	switch (rule_kind(rule)) {
	case RULE_FP:
	case RULE_FP_PAIR:
	case RULE_FP_RA: return FRAME_POINTER_KEPT;
	case RULE_SP:
	case RULE_SP_PAIR:
	case RULE_SP_RA: return FRAME_POINTER_NONE;
	case RULE_END: return FRAME_POINTER_START;
	case RULE_FULL: return of_full_row(place.module, ip - place.bias);
	default: return FRAME_POINTER_UNKNOWN;
	}
}

enum frame_pointer frame_pointer_in(struct machine_modules *modules,
				    struct machine_modules_known *known, const struct map *map,
				    u64 ip)
{
	const struct mapset one = { .nr = 1, .maps = &map };
	const struct user_space us = { modules, &one, known };

	return frame_pointer_at(&(struct unwind_space){ .maps = &us }, ip);
}

/*
 * Threads begin in code of the C library that keeps no frame pointer and that a chain ends in
 * because nothing is below it.
 */
static bool is_start_of_threads(const struct dso *d)
{
	const char *name = dso_get_desc(d)->name, *slash = strrchr(name, '/');

	if (slash)
		name = slash + 1;
	return !strncmp(name, "libc.so", 7) || !strncmp(name, "libc-2", 6) ||
	       !strncmp(name, "libpthread", 10) || !strncmp(name, "ld-", 3);
}

const struct dso *frame_pointers_lacking(const struct frame_kept *frames, size_t nr,
					 bool *ret_others)
{
	const struct dso *first = NULL;

	*ret_others = nr == 1;
	for (size_t i = 0; i < nr && frames[i].kept != FRAME_POINTER_START; i++) {
		if (frames[i].kept != FRAME_POINTER_NONE)
			continue;
		if (i && i == nr - 1 && is_start_of_threads(frames[i].dso))
			break;
		*ret_others |= i != 0;
		if (!first)
			first = frames[i].dso;
	}
	return first;
}
