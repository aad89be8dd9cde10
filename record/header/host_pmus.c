/* SPDX-License-Identifier: MIT */
#include "record/header/host_features_priv.h"

#include "base/mem.h"
#include "record/header/host_text.h"

#define PMU_DIR "bus/event_source/devices"

bool host_pmu_mappings(struct wbuf *b, const struct rec_host *h)
{
	struct name_list pmus;
	size_t i, at = b->n;
	u32 type, nr = 0;

	host_names(&pmus, h->sysfs, PMU_DIR);
	wb_u32(b, 0);
	for (i = 0; i < pmus.nr; i++) {
		if (!host_u32(&type, h->sysfs, PMU_DIR "/%s/type", pmus.names[i]))
			continue;
		wb_u32(b, type);
		pd_put_string(b, pmus.names[i]);
		nr++;
	}
	name_list_fini(&pmus);
	wb_set_u32(b, at, nr);
	return nr > 0;
}

/* Appends the capabilities of a PMU as {u32 nr, nr x {name, value}}. Returns nr. */
static u32 put_caps(struct wbuf *b, const struct rec_host *h, const char *pmu)
{
	struct name_list caps;
	size_t i, at = b->n;
	u32 nr = 0;

	host_names(&caps, h->sysfs, PMU_DIR "/%s/caps", pmu);
	wb_u32(b, 0);
	for (i = 0; i < caps.nr; i++) {
		char *value = host_line(h->sysfs, PMU_DIR "/%s/caps/%s", pmu, caps.names[i]);

		if (!value)
			continue;
		pd_put_string(b, caps.names[i]);
		pd_put_string(b, value);
		free(value);
		nr++;
	}
	name_list_fini(&caps);
	wb_set_u32(b, at, nr);
	return nr;
}

bool host_cpu_pmu_caps(struct wbuf *b, const struct rec_host *h)
{
	return put_caps(b, h, "cpu") > 0;
}

bool host_pmu_caps(struct wbuf *b, const struct rec_host *h)
{
	struct name_list pmus;
	size_t i, at = b->n;
	u32 nr = 0;

	host_names(&pmus, h->sysfs, PMU_DIR);
	wb_u32(b, 0);
	for (i = 0; i < pmus.nr; i++) {
		size_t start = b->n;

		/* the feature CPU_PMU_CAPS describes this PMU */
		if (!strcmp(pmus.names[i], "cpu"))
			continue;
		if (!put_caps(b, h, pmus.names[i])) {
			b->n = start;
			continue;
		}
		pd_put_string(b, pmus.names[i]);
		nr++;
	}
	name_list_fini(&pmus);
	wb_set_u32(b, at, nr);
	return nr > 0;
}

bool host_hybrid_topology(struct wbuf *b, const struct rec_host *h)
{
	struct name_list pmus;
	size_t i, at = b->n;
	u32 nr = 0;

	host_names(&pmus, h->sysfs, PMU_DIR);
	wb_u32(b, 0);
	for (i = 0; i < pmus.nr; i++) {
		char *cpus;

		/* the kinds of cores on x86 are cpu_core, cpu_atom, cpu_lowpower */
		if (strncmp(pmus.names[i], "cpu_", 4))
			continue;
		cpus = host_line(h->sysfs, PMU_DIR "/%s/cpus", pmus.names[i]);
		if (!cpus)
			continue;
		pd_put_string(b, pmus.names[i]);
		pd_put_string(b, cpus);
		free(cpus);
		nr++;
	}
	name_list_fini(&pmus);
	wb_set_u32(b, at, nr);
	return nr > 0;
}
