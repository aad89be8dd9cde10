/* SPDX-License-Identifier: MIT */
#include "fileformat/feature/feature_pmu.h"

int pd_pmu_mapping_next(struct pd_list *l, struct pd_pmu_mapping *ret, struct perr *e)
{
	struct pd_pmu_mapping v;
	int got;

	if (!l->left)
		return 0;
	v.type = cur_u32(&l->c);
	v.name = pd_cur_string(&l->c);
	got = pd_list_item(l, e);
	if (got > 0)
		*ret = v;
	return got;
}

int pd_cpu_pmu_caps_next(struct pd_list *l, struct pd_pmu_cap *ret, struct perr *e)
{
	struct pd_pmu_cap v;
	int got;

	if (!l->left)
		return 0;
	v.name = pd_cur_string(&l->c);
	v.value = pd_cur_string(&l->c);
	got = pd_list_item(l, e);
	if (got > 0)
		*ret = v;
	return got;
}

int pd_pmu_caps_next(struct pd_list *l, struct pd_pmu_caps *ret, struct perr *e)
{
	struct pd_pmu_caps v = { 0 };
	int got;
	u32 i;

	if (!l->left)
		return 0;
	v.caps.nr = v.caps.left = cur_u32(&l->c);
	v.caps.c = l->c;
	for (i = 0; i < v.caps.nr && !l->c.bad; i++) {
		(void)pd_cur_string(&l->c);
		(void)pd_cur_string(&l->c);
	}
	v.pmu = pd_cur_string(&l->c);
	got = pd_list_item(l, e);
	if (got > 0)
		*ret = v;
	return got;
}
