/* SPDX-License-Identifier: MIT */
/* The sink: every record arrives, with and without compression and a thread; full disks. */
#include "tests/frame/unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "fileformat/feature/feature.h"
#include "fileformat/write/feature_encode.h"
#include "fileformat/write/record_encode.h"
#include "record/sink/sink.h"
#include "tests/record/sink/use_sink.h"

static void check_all(int compress, bool thread)
{
	struct setup w;
	struct rec_sink *s;
	struct seen seen;
	struct stat st;
	struct perr e;
	char *path;
	u32 n = 0;
	int i;

	setup_init(&w, compress, thread);
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	for (i = 0; i < 500; i++) {
		CHECK_EQ(sink_sweep(s, &n, &e), 0);
		CHECK_EQ(sink_commit(s, &e), 0);
	}
	CHECK_EQ(sink_close(s, NULL, 0, true, &path, &e), 0);
	CHECK_STR(path, w.path);
	free(path);
	seen = sink_look(w.path);
	CHECK_EQ(seen.comms, 5000);
	CHECK_EQ(seen.rounds, 500);
	CHECK(seen.in_order && seen.named);
	CHECK(!seen.unfinished);
	CHECK(!stat(w.path, &st));
	CHECK_EQ(st.st_mode & 0777, 0600);

	/* the next recording keeps this one */
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	n = 0;
	CHECK_EQ(sink_sweep(s, &n, &e), 0);
	CHECK_EQ(sink_close(s, NULL, 0, true, NULL, &e), 0);
	CHECK_EQ(sink_look(w.path).comms, 10);
	snprintf(w.path + strlen(w.path), 8, ".old");
	CHECK_EQ(sink_look(w.path).comms, 5000);
	setup_fini(&w);
}

TEST(plain_file)
{
	check_all(0, false);
}

TEST(plain_file_from_a_thread)
{
	check_all(0, true);
}

TEST(compressed_file)
{
	check_all(1, false);
}

TEST(compressed_file_from_a_thread)
{
	check_all(3, true);
}

TEST(features_known_late_take_the_place_of_early_ones)
{
	struct setup w;
	struct rec_sink *s;
	struct wbuf host = { 0 }, comp = { 0 };
	struct pd_compressed c = {
		.version = 1, .type = 1, .level = 1, .ratio = 9, .mmap_len = EXPAND
	};
	struct pd_feature_out late[2];
	struct perfdata *pd;
	struct perr e;
	u32 n = 0;

	setup_init(&w, 1, true);
	pd_put_string(&host, "a-host");
	pd_put_compressed(&comp, &c);
	late[0] = (struct pd_feature_out){ PD_FEAT_HOSTNAME, wb_span(&host) };
	late[1] = (struct pd_feature_out){ PD_FEAT_COMPRESSED, wb_span(&comp) };
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	CHECK_EQ(sink_sweep(s, &n, &e), 0);
	CHECK_EQ(sink_close(s, late, 2, true, NULL, &e), 0);
	CHECK(sink_look(w.path).in_order);
	CHECK_EQ(pd_open(w.path, NULL, &pd, &e), 0);
	CHECK(pd->feat[PD_FEAT_HOSTNAME].present);
	CHECK_EQ(get_u32(pd->feat[PD_FEAT_COMPRESSED].data.p + 12, false), 9);
	pd_close(pd);
	wb_fini(&host);
	wb_fini(&comp);
	setup_fini(&w);
}

/* Whenever the recorder is killed, what it had committed is there. */
static void check_killed(bool thread)
{
	struct setup w;
	u32 *committed =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int i;

	CHECK(committed != MAP_FAILED);
	setup_init(&w, 1, thread);
	for (i = 0; i < 12; i++) {
		struct seen seen;
		int status;
		pid_t pid;

		*committed = 0;
		pid = fork();
		if (!pid) {
			struct rec_sink *s;
			struct perr e;
			u32 n = 0;
			int err = sink_open(&w.o, &w.head, &s, &e);

			while (!err) {
				u64 before = n;

				err = sink_sweep(s, &n, &e);
				if (!err)
					err = sink_commit(s, &e);
				if (n % 2000 == 0) {
					/* a header of 20 ms ago is due, and all is written */
					err |= sink_drain(s, &e);
					usleep(25000);
					err |= sink_commit(s, &e);
					err |= sink_drain(s, &e);
					*committed = (u32)before;
				}
			}
			_exit(1);
		}
		while (!*committed)
			usleep(1000);
		usleep(3000 * (useconds_t)i);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		CHECK(WIFSIGNALED(status));
		seen = sink_look(w.path);
		CHECK(seen.in_order);
		CHECK(seen.comms >= *committed);
		CHECK(seen.unfinished);
	}
	setup_fini(&w);
}

TEST(a_killed_recorders_file_is_whole)
{
	check_killed(false);
	check_killed(true);
}

/* One commit, due at once because the last one is long ago. */
static void commit_now(struct rec_sink *s)
{
	struct perr e;

	usleep(25000);
	CHECK_EQ(sink_commit(s, &e), 0);
}

TEST(a_file_is_finished_only_by_a_clean_end)
{
	u64 start = wall_ns();
	struct setup w;
	struct rec_sink *s;
	struct seen seen;
	struct stat st;
	struct perr e;
	u32 n = 0;

	setup_init(&w, 0, false);
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	CHECK(sink_look(w.path).unfinished); /* nothing was committed yet */
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(sink_sweep(s, &n, &e), 0);
		commit_now(s);
		seen = sink_look(w.path);
		CHECK_EQ(seen.comms, n);
		CHECK(seen.named && seen.unfinished);
		CHECK(seen.last_write >= start && seen.last_write <= wall_ns());
	}
	CHECK_EQ(sink_close(s, NULL, 0, true, NULL, &e), 0);
	CHECK(!sink_look(w.path).unfinished);
	/* a recording that ended with an error */
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	n = 0;
	CHECK_EQ(sink_sweep(s, &n, &e), 0);
	CHECK_EQ(sink_close(s, NULL, 0, false, NULL, &e), 0);
	seen = sink_look(w.path);
	CHECK(seen.unfinished && seen.comms == 10 && seen.last_write);
	/* after a loss of power the file may be shorter than its header says */
	CHECK(!stat(w.path, &st));
	for (off_t cut = st.st_size; cut > st.st_size - 120; cut -= 7) {
		CHECK(!truncate(w.path, cut));
		CHECK(sink_look(w.path).unfinished);
	}
	setup_fini(&w);
}

TEST(a_full_disk_leaves_what_was_written)
{
	struct rlimit limit = { 100000, 100000 };
	struct setup w;
	struct rec_sink *s;
	struct seen seen;
	struct perr e, again;
	u32 n = 0;
	int err = 0, i;

	setup_init(&w, 0, false);
	signal(SIGXFSZ, SIG_IGN);
	CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	for (i = 0; i < 5000 && !err; i++)
		err = sink_sweep(s, &n, &e);
	CHECK_EQ(err, PERR_IO);
	CHECK_EQ(e.sys_errno, EFBIG);
	CHECK(strstr(e.text, w.path) && strstr(e.text, "kept"));
	CHECK_EQ(sink_commit(s, &again), PERR_IO);
	CHECK_STR(again.text, e.text);
	CHECK_EQ(sink_close(s, NULL, 0, true, NULL, &again), PERR_IO);
	seen = sink_look(w.path);
	CHECK(seen.in_order && seen.comms > 1000);
	CHECK(seen.unfinished);
	setup_fini(&w);
}

TEST(a_full_disk_is_told_by_the_thread)
{
	struct rlimit limit = { 50000, 50000 };
	struct setup w;
	struct rec_sink *s;
	struct seen seen;
	struct perr e;
	u32 n = 0;
	int err = 0, i;

	setup_init(&w, 0, true);
	signal(SIGXFSZ, SIG_IGN);
	CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	for (i = 0; i < 5000 && !err; i++)
		err = sink_sweep(s, &n, &e);
	err = sink_close(s, NULL, 0, true, NULL, &e);
	CHECK_EQ(err, PERR_IO);
	CHECK(strstr(e.text, w.path) && strstr(e.text, "kept"));
	seen = sink_look(w.path);
	CHECK(seen.in_order && seen.comms > 100);
	CHECK(seen.unfinished);
	setup_fini(&w);
}
