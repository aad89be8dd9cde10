/* SPDX-License-Identifier: MIT */
/*
 * The first step from records in file order to records in time order: a piece of the file, whose
 * records get their events and times and are sorted. Threads scan different pieces at once.
 */
#ifndef SESSION_PARTS_PART_SCAN_H
#define SESSION_PARTS_PART_SCAN_H

#include "fileformat/sample.h"

#define PART_NO_EVENT UINT32_MAX

/* A record and what is looked up of it once. */
struct part_record {
	u64 time;       /* ns; UINT64_MAX: it has none */
	const u8 *data; /* the record, header first; valid as long as its piece */
	u32 event; /* pd_event.idx; PART_NO_EVENT: records of this type have none, or unknown */
};

/* Records between two FINISHED_ROUNDs, or as much of them as lies in one piece. */
struct part_section {
	size_t nr_at_once; /* records that take no part in the order: see pd_order */
	size_t nr;       /* records with a time, sorted by it, equal ones as they lie in the file */
	u64 max_time;    /* of the latter; 0 without any */
	bool ends_round; /* the last one at once is a FINISHED_ROUND */
};

/* A piece of the file. */
struct part_piece {
	struct pd_run run;
	u64 number;  /* pieces count from 0, in file order */
	bool is_end; /* the last piece, which has no record */
	size_t refs; /* its owner's, see part_order.h */
	struct part_piece *next;

	/* The records of all sections, one section behind the other. */
	struct part_record *at_once, *timed;
	size_t nr_at_once, cap_at_once, nr_timed, cap_timed;
	struct part_section *sections;
	size_t nr_sections, cap_sections;
};

void part_piece_free(struct part_piece *p);

/* What a thread that scans keeps between pieces. All zero to begin with. */
struct part_scanner {
	struct pd_event_cache events;
	struct part_record *tmp;
	size_t cap_tmp;
	size_t *runs;
	size_t nr_runs, cap_runs;
};
void part_scanner_fini(struct part_scanner *s);

/* Fills the sections of a piece from its run. */
void part_scan(struct part_scanner *s, const struct perfdata *pd, struct part_piece *p);

/*
 * Sorts n records by time, stably. They consist of nr_runs ascending sequences, which begin at
 * runs[0] = 0, runs[1], ...; the array is overwritten. tmp: room for n records.
 */
void part_merge(struct part_record *v, size_t n, size_t *runs, size_t nr_runs,
		struct part_record *tmp);

#endif
