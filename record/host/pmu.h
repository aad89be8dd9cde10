/* SPDX-License-Identifier: MIT */
/*
 * Reads PMUs from sysfs (bus/event_source/devices): their type, the fields of their config words,
 * their named events and the CPUs they are opened on.
 */
#ifndef RECORD_HOST_PMU_H
#define RECORD_HOST_PMU_H

#include "record/model/rec_opts.h"

#define PMU_CONFIG_WORDS 4 /* attr has config, config1, config2 and config3 */

/*
 * A field of a config word, from format/NAME: "config:0-7,32-35" means that bits 0 to 7 and 32 to
 * 35 of config hold the value, lowest bits first.
 */
struct pmu_format {
	char *name;
	unsigned int word; /* index of the config word, < PMU_CONFIG_WORDS */
	u64 bits;
};

/*
 * A named event, from events/NAME such as "event=0x3c,umask=0x1", with its NAME.unit and
 * NAME.scale.
 */
struct pmu_alias {
	char *name, *terms;
	char *unit;   /* NULL if sysfs has none */
	double scale; /* 1 if sysfs has none */
};

struct pmu {
	char *name;
	u32 type;
	bool is_core; /* a PMU of CPU cores: named "cpu", or with a file "cpus" */
	struct pmu_format *formats;
	size_t nr_formats, cap_formats;
	struct pmu_alias *aliases;
	size_t nr_aliases, cap_aliases;
	struct cpu_list *cpus; /* from file cpumask or cpus; NULL: opened on any CPU */
};

struct pmu_list {
	struct pmu **pmus; /* sorted by name, uncore_2 before uncore_10 */
	size_t nr, cap;
};

/*
 * Reads the PMU `name` into *ret; the caller frees it with pmu_free. Fails with PERR_NOTFOUND if
 * there is no PMU of that name, PERR_IO if its type cannot be read, PERR_FORMAT if that is not a
 * number. Formats that cannot be parsed are left out. To read all PMUs, use pmu_list_read.
 */
int pmu_read(const struct rec_host *host, const char *name, struct pmu **ret,
	     struct perr *e) MUST_CHECK;
void pmu_free(struct pmu *p);

/*
 * Reads all PMUs into *ret, without those that cannot be read; the list is empty without sysfs. The
 * caller frees it with pmu_list_fini.
 */
void pmu_list_read(const struct rec_host *host, struct pmu_list *ret);
void pmu_list_fini(struct pmu_list *l);

/* Returns the PMU of exactly this name, or NULL. The list owns it. */
const struct pmu *pmu_list_find(const struct pmu_list *l, const char *name, size_t len);

/*
 * Returns true if the machine has several kinds of CPU cores with a PMU each. An event meant for
 * all CPUs must then be opened on each of them.
 */
bool pmu_list_is_hybrid(const struct pmu_list *l);

/*
 * Returns true if `wanted` selects this PMU: by its name, its name without the number at the end
 * (uncore_imc for uncore_imc_0), either of them without "uncore_", or a glob.
 */
bool pmu_is_meant(const struct pmu *p, const char *wanted, size_t len);

/*
 * Return the format field or named event of this name, or NULL; p owns it. Case matters for fields
 * but not for events.
 */
const struct pmu_format *pmu_format_find(const struct pmu *p, const char *name, size_t len);
const struct pmu_alias *pmu_alias_find(const struct pmu *p, const char *name, size_t len);

/* Returns the largest value that fits the field. */
u64 pmu_format_max(const struct pmu_format *f);
/* Returns value's bits moved to the bit positions of the field, to be or-ed to the config word. */
u64 pmu_format_spread(const struct pmu_format *f, u64 value);

#endif
