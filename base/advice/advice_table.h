/* SPDX-License-Identifier: MIT */
/* The rows of all advice, for base/advice/advice.c and the list of tests/tools/advice_list.c. */
#ifndef BASE_ADVICE_ADVICE_TABLE_H
#define BASE_ADVICE_ADVICE_TABLE_H

#include "base/advice/advice.h"

extern const struct advice advice_table[ADVICE_IDS];

#endif
