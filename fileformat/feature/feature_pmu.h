/* SPDX-License-Identifier: MIT */
/*
 * Decoders for feature sections that describe the recording machine's PMUs (docs/FORMAT.md 1.4).
 * feature.h describes arguments and errors; lists are opened with pd_list_open().
 */
#ifndef FILEFORMAT_FEATURE_FEATURE_PMU_H
#define FILEFORMAT_FEATURE_FEATURE_PMU_H

#include "fileformat/feature/feature.h"

/* An entry of PMU_MAPPINGS: the name of the PMU with this attr.type. */
struct pd_pmu_mapping {
	u32 type;
	struct span name;
};
int pd_pmu_mapping_next(struct pd_list *l, struct pd_pmu_mapping *ret, struct perr *e) MUST_CHECK;

/* An entry of CPU_PMU_CAPS: a capability of the core PMU, for machines with only one. */
struct pd_pmu_cap {
	struct span name, value;
};
int pd_cpu_pmu_caps_next(struct pd_list *l, struct pd_pmu_cap *ret, struct perr *e) MUST_CHECK;

/* An entry of PMU_CAPS: the capabilities of one PMU. */
struct pd_pmu_caps {
	struct span pmu;
	struct pd_list caps; /* checked to be complete; read it with pd_cpu_pmu_caps_next() */
};
int pd_pmu_caps_next(struct pd_list *l, struct pd_pmu_caps *ret, struct perr *e) MUST_CHECK;

#endif
