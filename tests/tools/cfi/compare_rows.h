/* SPDX-License-Identifier: MIT */
/* Rows of call frame information that two readers compare, and the report of differences. */
#ifndef TESTS_TOOLS_CFI_COMPARE_ROWS_H
#define TESTS_TOOLS_CFI_COMPARE_ROWS_H

#include "unwind/cfi/cfi.h"

/* A row with storage of its own. */
struct kept_row {
	struct cfi_row row;
	size_t first; /* of its rules */
};

/* The rows of one FDE. */
struct row_list {
	struct kept_row *rows;
	size_t nr, cap;
	struct cfi_reg_rule *rules;
	size_t nr_rules, cap_rules;
};

/* One file that is compared, and counts of what was found. */
struct comparison {
	const struct object *code;
	struct cfi *cfi;
	unsigned int different, fdes, rows, failed, left_out;
};

/* Frees what the list holds. */
void row_list_free(struct row_list *l);
/* A register's name as readelf writes it; numbers without a name go to buf. */
const char *row_register_name(u16 machine, u16 reg, char *buf, size_t n);
/* Writes the text that readelf prints for a rule in a row. */
void row_rule_text(u16 machine, const struct cfi_rule *r, bool is_cfa, char *out, size_t n);
/* The rule of a register in a row; one that says nothing where the row has none. */
const struct cfi_rule *row_rule_of(const struct cfi_row *row, u16 reg);
/* Prints a row in one line behind `head`. */
void row_print(const char *head, u16 machine, const struct cfi_row *row);
/* Counts a difference and prints the first ones; returns whether it did. */
bool compare_show(struct comparison *c, const struct cfi_fde *fde, const char *what);
/* The rows of one FDE as cfi_rows() gives them; false when it is damaged, which counts. */
bool compare_our_rows(struct comparison *c, const struct cfi_fde *fde, struct row_list *l);

#endif
