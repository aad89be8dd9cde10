/* SPDX-License-Identifier: MIT */
/*
 * PMUs as sysfs shows them (bus/event_source/devices): their type, the fields of their config
 * words, their named events, the CPUs they are opened on.
 */
#ifndef RECORD_HOST_PMU_H
#define RECORD_HOST_PMU_H

#include "record/model/rec_opts.h"

#define PMU_CONFIG_WORDS 4 /* config, config1, config2, config3 */

/* format/NAME: "config:0-7,32-35" is bits 0 to 7 and 32 to 35 of config, lowest first. */
struct pmu_format {
	char *name;
	unsigned int word; /* < PMU_CONFIG_WORDS */
	u64 bits;
};

/* events/NAME: "event=0x3c,umask=0x1", with NAME.unit and NAME.scale beside it. */
struct pmu_alias {
	char *name, *terms;
	char *unit;   /* NULL for none */
	double scale; /* 1 for none */
};

struct pmu {
	char *name;
	u32 type;
	bool is_core; /* counts what CPUs do: "cpu", or one that has a list "cpus" */
	struct pmu_format *formats;
	size_t nr_formats, cap_formats;
	struct pmu_alias *aliases;
	size_t nr_aliases, cap_aliases;
	struct cpu_list *cpus; /* cpumask or cpus; NULL: any CPU */
};

struct pmu_list {
	struct pmu **pmus; /* numbers in names sorted as numbers */
	size_t nr, cap;
};

/* Reads one PMU. PERR_NOTFOUND: there is none of that name; PERR_IO, PERR_FORMAT. */
int pmu_read(const struct rec_host *host, const char *name, struct pmu **ret,
	     struct perr *e) MUST_CHECK;
void pmu_free(struct pmu *p);

/* All PMUs that can be read; an empty list where sysfs has none. */
void pmu_list_read(const struct rec_host *host, struct pmu_list *ret);
void pmu_list_fini(struct pmu_list *l);

const struct pmu *pmu_list_find(const struct pmu_list *l, const char *name, size_t len);

/* Whether the machine has several PMUs of CPUs: an event of all of them is opened on each. */
bool pmu_list_is_hybrid(const struct pmu_list *l);

/*
 * Whether `wanted` means this PMU: its name, its name but for a number at the end (uncore_imc for
 * uncore_imc_0), either without "uncore_", or a glob over the name.
 */
bool pmu_is_meant(const struct pmu *p, const char *wanted, size_t len);

/* Upper and lower case are the same in names of events. NULL: none. */
const struct pmu_format *pmu_format_find(const struct pmu *p, const char *name, size_t len);
const struct pmu_alias *pmu_alias_find(const struct pmu *p, const char *name, size_t len);

/* The largest value a field takes. */
u64 pmu_format_max(const struct pmu_format *f);
/* value's bits at the field's places: to be or-ed to the config word. */
u64 pmu_format_spread(const struct pmu_format *f, u64 value);

#endif
