/* SPDX-License-Identifier: MIT */
/* Files that are damaged by t_elf_mutants.c, and where. */
#ifndef TESTS_FRAME_ELF_VICTIMS_H
#define TESTS_FRAME_ELF_VICTIMS_H

#include "tests/frame/elf_forms.h"

#define VICTIM_MAX_SIZE (1 << 20)
#define VICTIM_POINTS 160
#define VICTIM_PLACES 128

/* Bytes worth damaging. */
struct place {
	size_t off, n;
};

/* A place in code. */
struct point {
	u64 vaddr, off;
};

/* One file that is damaged. */
struct victim {
	char *name; /* FORM/FILE, for messages */
	char *path;
	const struct elf_form *form; /* NULL: a file beside a recording */
	const char *recording;
	char *dir; /* for --symfs */
	u8 *p;
	size_t n;
	struct point points[VICTIM_POINTS]; /* of the form's object */
	size_t nr_points;
	struct place places[VICTIM_PLACES]; /* sections, and tables of them */
	size_t nr_places;
};

struct victims {
	struct victim *items;
	size_t nr, cap;
	char *dir; /* where all of them are */
};

/* Builds the forms, and copies the files beside some recordings of testdata. */
void victims_init(struct victims *all);
/* Their files stay. */
void victims_fini(struct victims *all);
void victims_remove_files(struct victims *all);

/* Mutant k of a file, malloc'd. */
u8 *victim_mutant(const struct victim *v, u64 k, size_t *ret_n);
/* In the place of the file; v->p puts it back. */
void victim_write(const struct victim *v, const u8 *p, size_t n);

#endif
