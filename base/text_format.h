/* SPDX-License-Identifier: MIT */
/* The version of stock perf whose names and output text are printed. */
#ifndef BASE_TEXT_FORMAT_H
#define BASE_TEXT_FORMAT_H

enum text_format { TEXT_PERF_7_2, TEXT_PERF_6_1 };

#endif
