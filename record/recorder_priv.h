/* SPDX-License-Identifier: MIT */
/* State of a running recording, shared by recorder.c, recorder_wait.c and recorder_sweep.c. */
#ifndef RECORD_RECORDER_PRIV_H
#define RECORD_RECORDER_PRIV_H

#include <poll.h>
#include <signal.h>

#include "record/control.h"
#include "record/head_parts.h"
#include "record/rate_control.h"
#include "record/readers/readers.h"
#include "record/recorder.h"
#include "record/ring/ring.h"
#include "record/schedule.h"
#include "record/switch_hook.h"
#include "record/workload.h"

/*
 * Sweep the rings at least this often, so that a killed recorder loses little and a pipe's reader
 * sees records soon: it has a record for certain when the sweep after the record's own has ended,
 * which therefore follows soon, but no sooner than any CPU has ended what it was writing.
 */
#define SWEEP_MS 250
#define PIPE_SWEEP_MS 40
#define PIPE_NEXT_SWEEP_MS 5
#define LOOK_SWEEP_MS 15
/* Descriptors that recorder_wait polls besides the rings: signals, --control, the readers. */
#define NR_OTHER_POLLS 3u

/* With --threads and --call-graph unwind: the file of a reader_place, whose samples a thread
 * unwinds. */
struct live_part {
	struct rec_sink *sink;     /* NULL when it is closed */
	struct rec_sink_stat stat; /* of the sink, when it was closed */
	struct wbuf batch;
};

struct recorder {
	struct rec_opts *o;
	struct rec_evlist *l;
	const struct rec_sys *sys;
	struct rec_rights rights;
	struct rec_target target;
	struct workload child;
	struct control control;
	struct schedule schedule;
	struct rate_control rate; /* with --max-cpu */
	struct rec_rings rings;
	struct rec_buildids *ids;
	struct keeper *keeper; /* NULL: with -B, -N and where it cannot run */
	char *cache;           /* folder of the build-id cache */
	struct rec_copier *copier;
	struct live_chains *live;     /* NULL: no event is unwound while it is recorded */
	bool live_knows_tasks;        /* live has been given what existed before the recording */
	struct live_part *parts_live; /* by place of the layout; NULL: all goes to the sink */
	struct lean_tasks *lean;      /* with --lean */
	struct ring_merge merge;      /* with live, as the next */
	struct overload overload;
	struct rec_sink *sink;
	struct reader_layout layout;
	char *folder, *head_path; /* with --threads: the recording, and its file `data` */
	struct readers *readers; /* with --threads; they read the rings instead of recorder_sweep */
	struct switch_hook *hook; /* NULL: without --switch-hook */
	struct head_parts parts;
	struct wbuf batch, marks;
	size_t periods_set; /* with live and --max-cpu: bytes of batch whose periods are right */
	u64 expand;
	bool threaded; /* the sink compresses and writes in a thread, so records are copied to it */
	bool started;  /* the command has been let go, or there is no command */
	bool stop, time_is_up;
	bool want_switch, want_snapshot;
	bool sweep_is_early; /* see recorder_sweep_early() */
	bool early_wrote;    /* records of early sweeps are in batch */
	u64 round_ns;        /* when the last round ended, by now_ns() */
	bool round_waits; /* the last round has records: a reader of a pipe waits for its next one
			   */
	bool is_next; /* the sweep that is waited for, or that was made last, comes soon for that */
	int signal_fd, end_signal;
	sigset_t old_mask;
	u64 wakeups, file_start_bytes;
	struct pollfd *polls;
};

/* Prints one line to o->talk; prints nothing with -q, where o->talk is NULL. */
static inline void recorder_talk(const struct recorder *r, const char *text)
{
	if (r->o->talk) {
		fprintf(r->o->talk, "%s\n", text);
		fflush(r->o->talk);
	}
}

/*
 * Blocks the signals that the recorder handles and opens r->signal_fd to receive them, so that they
 * interrupt no system call (recorder_wait.c). Ignores SIGPIPE. The caller restores r->old_mask.
 */
int recorder_signals_open(struct recorder *r, struct perr *e) MUST_CHECK;
/* How long records stay in the rings at most, in ms. */
int recorder_sweep_ms(const struct rec_opts *o);
/*
 * Waits for new data in the rings, a signal, a --control command or the end of the command, at most
 * recorder_sweep_ms(), and carries out what arrived (recorder_wait.c). Sets r->stop when recording
 * should end.
 */
int recorder_wait(struct recorder *r, struct perr *e) MUST_CHECK;

/*
 * Writes all records that are in the rings now, then, if there were any, a FINISHED_ROUND record,
 * and commits the file (recorder_sweep.c). Rings of --overwrite are left to recorder_snapshot.
 * last: the events are disabled, so no record comes after these.
 */
int recorder_sweep(struct recorder *r, bool last, struct perr *e) MUST_CHECK;
/*
 * With live: moves the records of the rings into r->batch. Their round ends with the next
 * recorder_sweep(). Called instead of it while r->sweep_is_early.
 */
int recorder_sweep_early(struct recorder *r, struct perr *e) MUST_CHECK;
/* With --off-cpu, once the events are enabled: tells what exists of the target (recorder_sweep.c).
 */
void recorder_begin_offcpu(struct recorder *r);
/* Begins unwinding if some event wants it; call it after copier_new (recorder_live.c). */
void recorder_live_open(struct recorder *r);
void recorder_live_close(struct recorder *r);
/* Prints how many stacks were unwound. */
void recorder_live_tell(const struct recorder *r);
/* Tells live what existed before the recording: the records of recorder_synthesize, once. */
void recorder_live_learn(struct recorder *r, const struct rec_target *t, struct span records);
/* With --lean: takes the records about processes out of those of recorder_synthesize. */
void recorder_live_hold(struct recorder *r, struct wbuf *records);
/* As recorder_sweep, up to the end of the round: the records of all rings in the order of time. */
int recorder_live_sweep(struct recorder *r, bool last, bool *wrote, struct perr *e) MUST_CHECK;
/* From now on samples may wait for files that are slow to open, where they go into one file. */
void recorder_live_hold_late(struct recorder *r);
/* Before the events are opened: lets rings of events that are unwound wake the reader early. */
void recorder_live_wake_early(struct recorder *r, u64 ring_bytes);
/* With --overwrite: pauses the rings, writes what they hold, and resumes them. */
int recorder_snapshot(struct recorder *r, struct perr *e) MUST_CHECK;
/* Writes records about the state before the recording: maps, processes, details of the events. */
int recorder_synthesize(struct recorder *r, struct perr *e) MUST_CHECK;
/*
 * Writes the last records of a file: LOST_SAMPLES counts and, with --tail-synthesize, the records
 * of recorder_synthesize.
 */
int recorder_write_tail(struct recorder *r, struct perr *e) MUST_CHECK;
/* Copies what readers would not find into the build-id cache; warns of what is left out. */
void recorder_keep(struct recorder *r);
/*
 * --max-cpu (recorder_budget.c): begins to count the recorder's CPU time; PERR_USAGE: no event has
 * a rate. Then, after each sweep, changes the rate when it is time to. At the end, says what was
 * used. Without --max-cpu they do nothing.
 */
int recorder_budget_start(struct recorder *r, struct perr *e) MUST_CHECK;
void recorder_budget_step(struct recorder *r);
void recorder_budget_tell(const struct recorder *r);

/* Queues the command of --switch-hook, if there is one, for a finished file (recorder_sweep.c). */
void recorder_run_hook(struct recorder *r, const char *path);
/* With --switch-output: completes the current file and continues in the next one. */
int recorder_switch_file(struct recorder *r, struct perr *e) MUST_CHECK;

/* Makes `copier` keep the samples of the target's tasks alone (recorder_sweep.c). */
void recorder_follow_target(struct recorder *r, struct rec_copier *copier);

/*
 * --threads (recorder_threads.c). recorder_plan_readers, after target_init: divides the CPUs among
 * threads, and limits a target that is the whole system to the CPUs that a mask names.
 */
int recorder_plan_readers(struct recorder *r, struct perr *e) MUST_CHECK;
/* Makes the folder. Returns the path of its file `data`, owned by r, or NULL with *e set. */
const char *recorder_make_folder(struct recorder *r, struct perr *e) MUST_CHECK;
/* Makes the readers and opens their files, when r has its copier. */
int recorder_open_readers(struct recorder *r, struct perr *e) MUST_CHECK;
/* Closes and frees the files of threads that unwind, if there are any. */
void recorder_free_parts(struct recorder *r);
/* With --threads: adds what the files of its threads have so far. */
void recorder_add_parts(const struct recorder *r, struct rec_sink_stat *stat);
/* Returns PERR_LIMIT if the files together have reached --max-size. */
int recorder_check_size(struct recorder *r, struct perr *e) MUST_CHECK;
/* Ends the readers, if there are any, and takes over their counts. */
int recorder_stop_readers(struct recorder *r, struct perr *e) MUST_CHECK;

#endif
