/* SPDX-License-Identifier: MIT */
/* The functions of an ELF file that the text of an event names. */
#ifndef RECORD_PROBE_UPROBE_SEARCH_H
#define RECORD_PROBE_UPROBE_SEARCH_H

#include "record/probe/elf_functions.h"
#include "record/probe/function_pattern.h"
#include "record/probe/uprobe_event.h"

struct probe {
	u64 off, end; /* file offsets of the function; with an offset, off is behind its start */
	u32 skip;     /* the probe lies so many bytes behind off, see probe_point.h */
	const char *linker_name;
	enum function_fit fit;
	bool is_go; /* it begins with Go's stack check */
	char *name; /* name of the event */
};

struct uprobe_search {
	const char *path; /* absolute */
	const char *base; /* file name, for the events' names */
	const char *func; /* as given by the user, for messages */
	char *wanted;     /* func without an offset */
	u64 add;          /* the offset, in bytes */
	bool has_offset;  /* the user wrote one, perhaps 0 */
	enum uprobe_kind kind;
	u32 type; /* of the PMU */
	struct elf_functions functions;
	struct probe *probes;
	size_t nr, cap;
	bool saw_ifunc;
};

/* Splits the offset off s->func, and finds the functions: s->probes, by offset. */
void uprobe_search_run(struct uprobe_search *s);
void uprobe_search_fini(struct uprobe_search *s);

/* The function that begins at file offset off; NULL: none. */
const struct elf_function *uprobe_search_at(const struct uprobe_search *s, u64 off);
/*
 * Returns true for functions that must not get a return probe: when they start, the stack does not
 * hold a return address, and the kernel would overwrite other data.
 */
bool uprobe_search_has_no_return(const struct elf_function *f);

/* Says in *e why nothing was found, and in help what the nearest names are, as of
 * uprobe_event_add(). */
int uprobe_search_not_found(const struct uprobe_search *s, char *help, size_t help_size,
			    struct perr *e);

#endif
