/* SPDX-License-Identifier: MIT */
/* The names of the bits of perf_event_attr's fields, in the order in which perf prints them. */
#ifndef FILEFORMAT_ATTR_NAMES_H
#define FILEFORMAT_ATTR_NAMES_H

#include "fileformat/attr.h"

struct pd_bit_name {
	u64 bit;
	const char *name;
};

/* The bits of sample_type. The last row is TRANSACTION, which perf prints without a name. */
#define PD_NR_SAMPLE_TYPE_NAMES 25
extern const struct pd_bit_name pd_sample_type_names[PD_NR_SAMPLE_TYPE_NAMES];

#define PD_NR_READ_FORMAT_NAMES 5
extern const struct pd_bit_name pd_read_format_names[PD_NR_READ_FORMAT_NAMES];

#endif
