/* SPDX-License-Identifier: MIT */
/*
 * Counting in windows, for monitors: the owner of a sample_sink adds samples as they come, and
 * takes what was counted since the last time as counts of its own.
 *
 *	struct counting *g = counting_new(session, &config);
 *	sink.sample: counting_add(g, view);
 *	sink.tick:   c = counts_take(g); show(c); counts_free(c);
 *	counting_free(g);
 *
 * One thread counts. Stacks are not joined, as the callers of a window's stacks may come later;
 * counts_run() is for recordings that are counted as a whole.
 */
#ifndef COUNT_COUNTING_H
#define COUNT_COUNTING_H

#include "count/counts.h"
#include "session/sample_sink.h"

struct counting;

/*
 * Of the config, columns, max_stack, max_user_stack, time_quantum_ns, by_symbol, keep_inlines,
 * branch_rows and no_unwind are used. The session must outlive the result.
 */
struct counting *counting_new(struct session *s, const struct counts_config *cfg);
/* NULL allowed. Counts that were taken stay valid. */
void counting_free(struct counting *g);

/* Counts a sample that session_run() delivered in full (a sink without SINK_HEADS). */
void counting_add(struct counting *g, const struct sample_view *v);

/*
 * What was counted since the last call, the caller's from now on (counts_free()). Rows, stacks and
 * blobs are numbered anew in each window. Frames keep their ids: the frames of a window are those
 * of all windows so far, so that a caller may keep what it knows of a frame by its id. Rows are in
 * the order of their first samples; an empty window has none. counts_resolve() looks up the symbols
 * of one window's frames. The call takes time for each frame seen so far.
 */
struct counts *counts_take(struct counting *g);

#endif
