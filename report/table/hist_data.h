/* SPDX-License-Identifier: MIT */
/*
 * The data that sort keys work on: the counted rows, and ids for the names in them (objects,
 * symbols, comms, source lines). Two names have the same id when perf report treats them as equal.
 * A text id is a number in hist_data.texts.
 */
#ifndef REPORT_TABLE_HIST_DATA_H
#define REPORT_TABLE_HIST_DATA_H

#include "profile/chain_frames.h"
#include "report/table/table_config.h"
#include "report/text/tracetext.h"
#include "base/tuple_table.h"
#include "count/counted.h"

/*
 * One value of the symbol keys: a symbol, or an address without a symbol. The first four members
 * tell symbols apart; they are the tuple of hist_data.symbol_ids.
 */
struct hist_symbol {
	u64 start, end;   /* the symbol's addresses; without one the address and 0 */
	u64 known_dso;    /* text id of the object as `dso`, 0 without a symbol */
	u64 kind;         /* bits of symbol_kind() in hist_data.c */
	const char *name; /* NULL: no symbol is known at the address */
	u32 dso;          /* text id of the first frame's object; 0 if a key tells objects apart */
	u32 same_as;      /* its own id, or the id of an earlier symbol that is the same row */
};

/* Members of struct hist_symbol, as u64s, that tell symbols apart. */
#define HIST_SYMBOL_KEY 4
/* All members of struct hist_symbol, as u64s. */
#define HIST_SYMBOL_WORDS (sizeof(struct hist_symbol) / sizeof(u64))

/* A slot of the cache from maps to the names of their objects. */
struct hist_object {
	const struct map *map;
	u32 text; /* text id */
};

/* A slot of the cache from comms, as rows have them, to text ids. */
struct hist_comm {
	u64 comm;
	u32 text; /* text id; 0: the slot is empty */
};

struct hist_data {
	const struct table_config *cfg;
	struct perfdata *pd;
	struct session *session;
	struct counts *counts;
	struct chain_frames frames; /* frames of call chains, inlined functions included */
	struct tracetext *trace;
	struct intern texts;
	struct hist_object objects[64]; /* cache, by the map's address */
	struct hist_comm comms[16];     /* cache, by comm */
	struct tuple_table symbol_ids;  /* entries are struct hist_symbol */
	struct idmap symbols_at[2];     /* (names, [0] start, [1] end) -> symbol id; for inlines */
	struct idmap symbols_named;     /* (name, object) -> symbol id; for cfg->by_name */
	struct tuple_table offset_ids;  /* {symbol, ip} */
	struct tuple_table line_ids;    /* {cpumode, dso, pid, address} of cache lines */
	struct idmap final_comms;       /* tid -> text id of the comm a thread had last */
	bool measured;                  /* measured_tid and measured_width are set */
	u64 measured_tid;               /* last argument of hist_data_final_width() */
	int measured_width;             /* last result of hist_data_final_width() */
	const double *ipc, *coverage;   /* of the function, by frame of counts; NULL: not known.
					   Instructions per cycle; how much of it they are of, in
					   percent. Borrowed */
	u32 *sockets;                   /* by CPU */
	size_t nr_sockets;
	u32 columns;     /* the columns of count_row.v that are counted: bits of count_column */
	bool dso_is_key; /* a key tells objects apart, so symbols need not */
	bool symbol_is_key;
	struct out scratch; /* text of a key while it is put together */
};

/*
 * Prepares the data of the keys. cfg, pd, s and c are borrowed until hist_data_fini(). columns are
 * those that c was counted with. *frames is taken over; NULL: no inlined functions are wanted.
 */
void hist_data_init(struct hist_data *d, const struct table_config *cfg, struct perfdata *pd,
		    struct session *s, struct counts *c, u32 columns, struct chain_frames *frames);
void hist_data_fini(struct hist_data *d);

/* Returns a symbol by its id. The pointer is valid until the next new symbol id is given out. */
static inline struct hist_symbol *hist_symbol(const struct hist_data *d, u32 id)
{
	return (struct hist_symbol *)tuple_table_entry(&d->symbol_ids, id);
}

/* Returns the value of a row's column, 0 if the column was not counted. */
static inline u64 hist_value(const struct hist_data *d, const struct count_row *r,
			     enum count_column col)
{
	return d->columns >> col & 1 ? count_value(r, col) : 0;
}

/* Returns what a row counts for: its period, in memory mode its weight times its samples. */
static inline u64 hist_period(const struct hist_data *d, const struct count_row *r)
{
	u64 weight;

	if (d->cfg->mode != TABLE_MEMORY)
		return r->period;
	weight = hist_value(d, r, COUNT_WEIGHT);
	return (weight ? weight : 1) * r->samples;
}

/* Returns what a row counts for in wall clock time, 0 if COUNT_PARALLELISM was not counted. */
static inline u64 hist_latency(const struct hist_data *d, const struct count_row *r)
{
	return count_latency(r->samples, r->period, hist_value(d, r, COUNT_PARALLELISM));
}

/* Returns the text of a text id, "" for 0. It is valid as long as d. */
static inline const char *hist_text(const struct hist_data *d, u64 id)
{
	return intern_text(&d->texts, (u32)id);
}

/*
 * Returns the name that a row's COUNT_COMM stands for: samples from before a thread's first COMM
 * record count for the name that it gives. Borrowed from the session.
 */
const char *hist_data_comm_text(const struct hist_data *d, u64 comm);
/* Returns the text id of the same name. */
u32 hist_data_comm(struct hist_data *d, u64 comm);

/* Returns the text id of the text in d->scratch (0 if it is empty) and empties d->scratch. */
u32 hist_data_take_text(struct hist_data *d);

/*
 * Returns the text id of the name of a map's object as perf report shows it: the file name, with -v
 * the path. 0 for a NULL map.
 */
u32 hist_data_dso(struct hist_data *d, const struct map *m);

/*
 * Returns the text id of a frame's source line, "FILE:LINE". If the line is not known the text is
 * "SYMBOL+OFFSET", without a symbol "OBJECT[ADDRESS]", without a map "??:0".
 */
u32 hist_data_srcline(struct hist_data *d, const struct frame *fr);

/* Returns the frame of key_place.frame or of a call chain's id. */
static inline const struct frame *hist_frame(const struct hist_data *d, u32 frame)
{
	return chain_frames_get(&d->frames, frame);
}

/*
 * Returns the id of a frame's symbol in d->symbol_ids. addr tells frames without a symbol apart.
 * with_dso: equal addresses in different objects are different symbols.
 */
u32 hist_data_symbol(struct hist_data *d, const struct frame *fr, u64 addr, bool with_dso);
/* Returns the symbol id of an inlined function that has a frame of its own. */
u32 hist_data_inlined(struct hist_data *d, const struct frame *fr, bool with_dso);

/* Prefetches what hist_data_symbol(d, fr, addr, false) will read. */
void hist_data_fetch_symbol(const struct hist_data *d, const struct frame *fr, u64 addr);

/* Returns the comm that a thread ended with, "" if unknown. perf sizes its columns by it. */
const char *hist_data_final_comm(const struct hist_data *d, u64 tid);
/* Returns the length of hist_data_final_comm(). Only one thread may call this at a time. */
int hist_data_final_width(struct hist_data *d, u64 tid);

/* Returns the socket of a CPU, -1 if the file does not say. */
s32 hist_data_socket(const struct hist_data *d, u64 cpu);

/* Returns perf's letter for where an object's symbols come from; '!' for a NULL map. */
char hist_origin(const struct map *m);

/* Returns perf's letter for a PD_CPUMODE_*: k . g u, - for waits, and H for all others. */
char hist_level(u64 cpumode);

#endif
