/* SPDX-License-Identifier: MIT */
/* The arguments of system calls: their names, and what their values are. */
#ifndef EVENTS_CALLS_CALL_SHAPES_H
#define EVENTS_CALLS_CALL_SHAPES_H

#include "events/calls/call_words.h"

#define MAX_CALL_ARGS 6

enum call_arg_kind {
	ARG_UNKNOWN, /* a number in hexadecimal */
	ARG_INT,     /* a number of 32 bits with a sign */
	ARG_UINT,    /* of 32 bits */
	ARG_LONG,    /* of 64 bits with a sign */
	ARG_SIZE,    /* of 64 bits */
	ARG_POINTER,
	ARG_ADDRESS, /* a number that is an address */
	ARG_HEX,     /* a number that is read best in hexadecimal */
	ARG_FD,
	ARG_AT,       /* an fd of a directory, or AT_FDCWD */
	ARG_PATH,     /* a pointer to a text: the name of a file */
	ARG_BUFFER,   /* a pointer to bytes that the call reads */
	ARG_OUT,      /* a pointer to bytes that the call writes, as many as its result says */
	ARG_PID,      /* of a process or thread */
	ARG_PERM,     /* bits of permissions */
	ARG_WORDS,    /* a value with words */
	ARG_OPEN,     /* flags of open() */
	ARG_ACCESS,   /* what access() asks for */
	ARG_MAP_FD,   /* of mmap(): nothing with MAP_ANONYMOUS */
	ARG_FUTEX_3,  /* the last one of futex() */
	ARG_FCNTL,    /* what it is depends on fcntl()'s command */
	ARG_PRCTL,    /* on prctl()'s option */
	ARG_PROTOCOL, /* on socket()'s family */
	ARG_IOCTL,    /* a command of ioctl() */
	ARG_CLONE,    /* flags of clone(), with a signal in the lowest byte */
};

enum call_result {
	RESULT_INT,
	RESULT_HEX,
	RESULT_PID,
	RESULT_WAIT, /* 0: the time has passed */
};

struct call_arg {
	struct span name; /* static */
	enum call_arg_kind kind;
	const struct call_words
		*words; /* of ARG_WORDS, ARG_OPEN, ARG_PERM, ARG_ACCESS, ARG_CLONE */
	/* Of ARG_POINTER and ARG_HEX: what it points to, a row of pointees.c or struct_table.c;
	 * empty: not known. The call reads it, writes it, or both. */
	struct span pointee;
	bool is_input, is_output;
	/* How perf trace writes it where that differs: as a number, and also a value 0. */
	bool perf_number, perf_zero;
};

struct call_shape {
	const char *name;
	bool is_known; /* else it has no arguments here */
	u32 nr_args;
	struct call_arg args[MAX_CALL_ARGS];
	enum call_result result;
	bool never_returns; /* exit() */
	bool has_pointers;  /* call_arg_is_pointer() of any */
};

/* Whether pointees.h writes it: what it points to is known, a text, bytes, or a->pointee, or the
 * kernel has an enum of its values. */
bool call_arg_is_pointer(const struct call_arg *a);

/* Returns what is known of the system call of this name, which is borrowed. */
struct call_shape call_shape_find(const char *name);

#endif
