/* SPDX-License-Identifier: MIT */
/* A folder with a sysfs of its own and a file to probe. */
#ifndef TESTS_RECORD_PROBE_USE_UPROBE_EVENT_H
#define TESTS_RECORD_PROBE_USE_UPROBE_EVENT_H

#include "base/diag.h"
#include "base/err.h"
#include "base/mem.h"
#include "record/model/rec_event.h"
#include "record/model/rec_opts.h"
#include "record/probe/uprobe_event.h"
#include "tests/frame/unit.h"

#define PMU "bus/event_source/devices/uprobe"
#define TEXT_ADDR 0x12000
#define TEXT_OFF 0x2000

/* A folder with a sysfs of its own and the file to probe. */
struct bench {
	char root[40];
	char *file;
	struct rec_opts o;
	struct diag diag;
	struct rec_evlist l;
	char help[400];
	struct perr e;
};

/* Writes n bytes to root/rest, with the folders on the way. */
void bench_put_file(const char *root, const char *rest, const void *bytes, size_t n);
/* A function of code_elf(): its name, where it lies in the code, and its length. */
struct code_symbol {
	const char *name;
	u64 at, size;
	bool local;
};
/* An ELF file with this code at TEXT_ADDR and these functions; malloc'd, of *ret_n bytes. */
u8 *code_elf(u16 machine, const u8 *code, size_t size, const struct code_symbol *v, size_t nr,
	     size_t *ret_n);
/* Writes the bytes that are given in hexadecimal, with blanks between; returns how many. */
size_t put_code(u8 *at, const char *hex);
/* Makes the folder, with the uprobe PMU in its sysfs or without. */
void bench_init(struct bench *b, bool with_pmu);
/* Removes the folder and frees what bench_init() made. */
void bench_fini(struct bench *b);
/* Adds the probes of a function of the file; returns 0 or a PERR code with the text in b->e. */
int bench_add(struct bench *b, const char *func, enum uprobe_kind kind);

#endif
