/* SPDX-License-Identifier: MIT */
/*
 * What a histogram is made of and its keys work on: the counted rows, and names of what is in them
 * as ids, equal where perf report takes them for equal.
 */
#ifndef REPORT_TABLE_HIST_DATA_H
#define REPORT_TABLE_HIST_DATA_H

#include "profile/chain_frames.h"
#include "report/table/table_config.h"
#include "report/text/tracetext.h"
#include "base/tuple_table.h"
#include "count/counted.h"

/* A symbol, or an address that has none, as the symbol keys tell them apart. */
struct hist_symbol {
	/* what tells it from others: the tuple of symbol_ids */
	u64 start, end;
	u64 known_dso; /* as below, 0 without a name */
	u64 kind;      /* see symbol_kind */
	/* what is known of it */
	const char *name; /* NULL: none, start is the address */
	u32 dso; /* text, only where no dso key tells objects apart; 0: none. Of the first frame */
	u32 same_as; /* its own id, or that of an earlier one which is the same to perf */
};

#define HIST_SYMBOL_KEY 4 /* words of the tuple */
#define HIST_SYMBOL_WORDS (sizeof(struct hist_symbol) / sizeof(u64))

/* What a map's object is called: text id. */
struct hist_object {
	const struct map *map;
	u32 text;
};

/* A comm of rows: text id. */
struct hist_comm {
	u64 comm;
	u32 text; /* 0: none */
};

struct hist_data {
	const struct table_config *cfg;
	struct perfdata *pd;
	struct session *session;
	struct counts *counts;
	struct chain_frames frames; /* of stacks, with what is inlined */
	struct tracetext *trace;
	struct intern texts;
	struct hist_object objects[64]; /* some that were asked for, by their maps' addresses */
	struct hist_comm comms[16];     /* some that were asked for, by their ids */
	struct tuple_table symbol_ids;  /* of struct hist_symbol */
	struct idmap symbols_at[2]; /* (names, start or end) -> id, where functions are inlined */
	struct tuple_table offset_ids; /* {symbol, ip} */
	struct tuple_table line_ids;   /* {cpumode, dso, pid, address} of cache lines */
	struct idmap final_comms;      /* tid -> text id of the comm a thread had last */
	bool measured;                 /* hist_data_final_width was asked for: */
	u64 measured_tid;              /* ... of this thread last */
	int measured_width;
	u32 *sockets; /* by CPU */
	size_t nr_sockets;
	u32 columns;     /* that rows have: bits of enum count_column */
	bool dso_is_key; /* a key tells objects apart, so symbols need not */
	bool symbol_is_key;
	struct out scratch; /* for keys' texts */
};

/* frames: of c, which are d's from now on; NULL: nothing that is inlined is to be known. */
void hist_data_init(struct hist_data *d, const struct table_config *cfg, struct perfdata *pd,
		    struct session *s, struct counts *c, u32 columns, struct chain_frames *frames);
void hist_data_fini(struct hist_data *d);

static inline struct hist_symbol *hist_symbol(const struct hist_data *d, u32 id)
{
	return (struct hist_symbol *)tuple_table_entry(&d->symbol_ids, id);
}

/* A row's column, 0 where it was not asked for. */
static inline u64 hist_value(const struct hist_data *d, const struct count_row *r,
			     enum count_column col)
{
	return d->columns >> col & 1 ? r->v[col] : 0;
}

/* What a row counts for: its periods; of memory accesses their weights. */
static inline u64 hist_period(const struct hist_data *d, const struct count_row *r)
{
	u64 weight;

	if (d->cfg->mode != TABLE_MEMORY)
		return r->period;
	weight = hist_value(d, r, COUNT_WEIGHT);
	return (weight ? weight : 1) * r->samples;
}

static inline const char *hist_text(const struct hist_data *d, u64 id)
{
	return intern_text(&d->texts, (u32)id);
}

/* Text id of a row's comm. */
u32 hist_data_comm(struct hist_data *d, u64 comm);

/* Text id of what is in d->scratch, which is emptied. */
u32 hist_data_take_text(struct hist_data *d);

/*
 * Text id of an object as perf report's column names it: its short name, with -v the long one. 0
 * where there is no map.
 */
u32 hist_data_dso(struct hist_data *d, const struct map *m);

/*
 * Text id of a frame's source line: FILE:LINE; where it is not known SYMBOL+OFFSET,
 * OBJECT[ADDRESS] or ??:0.
 */
u32 hist_data_srcline(struct hist_data *d, const struct frame *fr);

/* The frame of a place. */
static inline const struct frame *hist_frame(const struct hist_data *d, u32 frame)
{
	return chain_frames_get(&d->frames, frame);
}

/*
 * Symbol id of a frame; `addr` is what stands for it where it has no symbol. with_dso: symbols of
 * different objects are different ones.
 */
u32 hist_data_symbol(struct hist_data *d, const struct frame *fr, u64 addr, bool with_dso);
/* Symbol id of a function that was inlined at a frame of its own. */
u32 hist_data_inlined(struct hist_data *d, const struct frame *fr, bool with_dso);

/* Fetches into the cache what hist_data_symbol will look at without dso. */
void hist_data_fetch_symbol(const struct hist_data *d, const struct frame *fr, u64 addr);

/* The comm that a thread ended with: perf's column widths go by it. */
const char *hist_data_final_comm(const struct hist_data *d, u64 tid);
/* Its length, for widths: by one thread at a time. */
int hist_data_final_width(struct hist_data *d, u64 tid);

/* Socket of a CPU, -1 when not known. */
s32 hist_data_socket(const struct hist_data *d, u64 cpu);

/* perf's letter for where an object's symbols come from; '!' for no map */
char hist_origin(const struct map *m);

/* perf's letter of a cpumode: k . g u H */
char hist_level(u64 cpumode);

#endif
