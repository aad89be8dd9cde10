/* SPDX-License-Identifier: MIT */
/*
 * Unit tests. A test is one t_NAME.c full of TEST(...) bodies; they register themselves, and main
 * in unit.c runs each in a process of its own, so that a crash, a hang (more than 60 s) or a leak
 * seen by a sanitizer is the failure of one case. Output is TAP. The tests of a folder are linked
 * as one program, unit_tests, with a hard link for each test: called as t_NAME, it runs the cases
 * of t_NAME.c.
 *
 *	#include "tests/frame/unit.h"
 *
 *	TEST(adds)
 *	{
 *		CHECK_EQ(1 + 1, 2);
 *	}
 *
 * The first check that fails ends its case. Checks may be used in helper functions as well.
 */
#ifndef TESTS_FRAME_UNIT_H
#define TESTS_FRAME_UNIT_H

#include "base/types.h"

struct unit_case {
	const char *file, *name;
	void (*body)(void);
	struct unit_case *next;
};

void unit_register(struct unit_case *c);

/* Ends the running case: as failed, with the place, or as skipped. */
_Noreturn void unit_fail(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);
_Noreturn void unit_skip(const char *fmt, ...) PRINTF_LIKE(1, 2);

void unit_check_eq(const char *file, int line, const char *what, u64 got, u64 want);
/* NULL is equal to NULL only. */
void unit_check_str(const char *file, int line, const char *what, const char *got,
		    const char *want);
void unit_check_mem(const char *file, int line, const char *what, const void *got, const void *want,
		    size_t n);

#define TEST(ident)                                                                                \
	static void unit_body_##ident(void);                                                       \
	static struct unit_case unit_case_##ident = { __FILE__, #ident, unit_body_##ident, NULL }; \
	__attribute__((constructor)) static void unit_register_##ident(void)                       \
	{                                                                                          \
		unit_register(&unit_case_##ident);                                                 \
	}                                                                                          \
	static void unit_body_##ident(void)

#define CHECK(cond)                                                 \
	do {                                                        \
		if (!(cond))                                        \
			unit_fail(__FILE__, __LINE__, "%s", #cond); \
	} while (0)

/* Integers, compared as u64 (signed ones are sign-extended first). */
#define CHECK_EQ(got, want) \
	unit_check_eq(__FILE__, __LINE__, #got " == " #want, (u64)(got), (u64)(want))

#define CHECK_STR(got, want) unit_check_str(__FILE__, __LINE__, #got " is " #want, (got), (want))

#define CHECK_MEM(got, want, n) \
	unit_check_mem(__FILE__, __LINE__, #got " is " #want, (got), (want), (n))

/* printf arguments: why this case cannot run here. */
#define SKIP(...) unit_skip(__VA_ARGS__)

#endif
