/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FILEFORMAT_BOTH_ORDERS_H
#define TESTS_FILEFORMAT_BOTH_ORDERS_H

#include "tests/frame/unit.h"

/* A case whose body runs twice: little-endian and big-endian. */
#define BOTH(name)                  \
	static void name(bool big); \
	TEST(name)                  \
	{                           \
		name(false);        \
		name(true);         \
	}                           \
	static void name(bool big)

#endif
