/* SPDX-License-Identifier: MIT */
/*
 * The advice of all commands: for each cause the words and the command that removes it. The table
 * (advice_table.c) holds every piece of advice once; the callers find the cause out and give the
 * facts, such as a path or a package. tests/checks/advice.sh makes the situation of each row, runs
 * the command and looks whether the cause is gone.
 */
#ifndef BASE_ADVICE_ADVICE_H
#define BASE_ADVICE_ADVICE_H

#include "base/out.h"
#include "base/types.h"

/* What the command of a row is. */
enum advice_use {
	ADVICE_RUN,    /* for a shell, as it stands */
	ADVICE_LOOK,   /* the same; it changes nothing and shows more about the cause */
	ADVICE_RECORD, /* options of prec for the next recording */
	ADVICE_READ,   /* options of the reading command that gave the advice */
	ADVICE_START,  /* how the recorded program is started */
	ADVICE_BUILD,  /* options of the compiler that built the recorded program */
	ADVICE_WORDS,  /* no command: a sentence for people */
	ADVICE_USES
};

enum advice_id {
	/* files and their symbols */
	ADVICE_DEBUG_PACKAGE,
	ADVICE_DEBUG_RPM,
	ADVICE_DEBUG_ARCHIVE,
	ADVICE_DEBUGINFOD,
	ADVICE_DEBUGINFOD_PUBLIC,
	ADVICE_DEBUGINFOD_INSTALL,
	ADVICE_DEBUG_LINK,
	ADVICE_DEBUG_BUILD,
	ADVICE_DEBUG_ANY,
	ADVICE_COPY_TO_CACHE,
	ADVICE_COPY_TO_SYMFS,
	ADVICE_RECORD_AGAIN,
	ADVICE_MAKE_READABLE,
	ADVICE_FILE_TYPE,
	ADVICE_MOUNT_AGAIN,
	ADVICE_WHY,
	/* symbols of the kernel */
	ADVICE_KPTR,
	ADVICE_KERNEL_NAMES,
	ADVICE_KERNEL_BOTH,
	ADVICE_KERNEL_RECORD,
	ADVICE_KALLSYMS,
	ADVICE_KERNEL_DEBUG_PACKAGE,
	/* code of JITs */
	ADVICE_JAVA_MAP_NOW,
	ADVICE_JAVA_MAP,
	ADVICE_NODE_MAP,
	ADVICE_PYTHON_MAP,
	ADVICE_DOTNET_MAP,
	ADVICE_ERLANG_MAP,
	ADVICE_ANY_MAP,
	ADVICE_JIT_GAP,
	ADVICE_ANY_DUMP,
	ADVICE_COPY_JITDUMP,
	/* stacks */
	ADVICE_FP_C,
	ADVICE_FP_RUST,
	ADVICE_FP_JAVA,
	ADVICE_CALLGRAPH_DWARF,
	ADVICE_CALLGRAPH_FP,
	ADVICE_LARGEST_COPY,
	ADVICE_MAX_STACK,
	ADVICE_RECORD_ALL,
	/* samples lost or not taken */
	ADVICE_LARGER_RINGS,
	ADVICE_LOWER_RATE,
	/* rights to record */
	ADVICE_PARANOID,
	ADVICE_PARANOID_HOST,
	ADVICE_SETCAP,
	ADVICE_SETCAP_ADMIN,
	ADVICE_CONTAINER,
	ADVICE_SECCOMP,
	ADVICE_DENIED_LOG,
	ADVICE_TRACEFS_MOUNT,
	ADVICE_TRACEFS_MODE,
	/* limits and what this machine offers */
	ADVICE_CPU_CLOCK,
	ADVICE_BRANCH_EVENT,
	ADVICE_HIGHEST_PRECISION,
	ADVICE_LIST_EVENTS,
	ADVICE_SAMPLE_RATE,
	ADVICE_OPEN_FILES,
	ADVICE_FILE_MAX,
	ADVICE_NMI_WATCHDOG,
	ADVICE_CHAIN_LENGTH,
	ADVICE_MLOCK,
	ADVICE_SMALLER_RINGS,
	ADVICE_ALL_CPUS,
	ADVICE_WEAK_GROUP,
	ADVICE_SHOW_ATTRS,
	ADVICE_CGROUP_MOUNT,
	ADVICE_IDS
};

/*
 * A row of the table. words and command are templates: "{NAME}" stands for the fact NAME, and "{}"
 * in the words for the command.
 */
struct advice {
	const char *name; /* for programs and tests; it never changes */
	const char *when; /* the cause, for the list of all advice */
	enum advice_use use;
	const char *words;   /* NULL: the usual words for the use */
	const char *command; /* NULL: none (ADVICE_WORDS) */
};

/* A fact about the cause. The value may be any text: it is quoted where a command contains it. */
struct advice_fact {
	const char *name, *value;
};

/* Returns a row; id is below ADVICE_IDS. */
const struct advice *advice_get(enum advice_id id);

/*
 * The text and the command of a row with facts put in; facts end with a NULL name, NULL: none.
 * Malloc'd. A fact that a template names and that is missing becomes the name in capitals.
 * advice_command returns NULL for a row without command.
 */
char *advice_text(enum advice_id id, const struct advice_fact *facts);
char *advice_command(enum advice_id id, const struct advice_fact *facts);

/* Appends advice_text() to o. */
void advice_put(struct out *o, enum advice_id id, const struct advice_fact *facts);

/* The name of a use, such as "record", for programs. */
const char *advice_use_name(enum advice_use use);

/* Appends text as one word of a shell command, quoted where needed. */
void advice_put_word(struct out *o, const char *text);

#endif
