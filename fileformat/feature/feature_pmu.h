/* SPDX-License-Identifier: MIT */
/*
 * Features that describe the recording machine's PMUs (FORMAT.md 1.4). Common rules: feature.h;
 * lists are opened by pd_list_open.
 */
#ifndef FILEFORMAT_FEATURE_FEATURE_PMU_H
#define FILEFORMAT_FEATURE_FEATURE_PMU_H

#include "fileformat/feature/feature.h"

/* PMU_MAPPINGS: which attr.type is which PMU. */
struct pd_pmu_mapping {
	u32 type;
	struct span name;
};
int pd_pmu_mapping_next(struct pd_list *l, struct pd_pmu_mapping *ret, struct perr *e) MUST_CHECK;

/* CPU_PMU_CAPS: capabilities of the one core PMU. */
struct pd_pmu_cap {
	struct span name, value;
};
int pd_cpu_pmu_caps_next(struct pd_list *l, struct pd_pmu_cap *ret, struct perr *e) MUST_CHECK;

/* PMU_CAPS: capabilities of several PMUs. */
struct pd_pmu_caps {
	struct span pmu;
	struct pd_list caps; /* known to be whole: walk with pd_cpu_pmu_caps_next */
};
int pd_pmu_caps_next(struct pd_list *l, struct pd_pmu_caps *ret, struct perr *e) MUST_CHECK;

#endif
