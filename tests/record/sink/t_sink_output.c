/* SPDX-License-Identifier: MIT */
/* The sink: pipes, files that follow each other, the size limit, names and owners of files. */
#include "tests/frame/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/record.h"
#include "fileformat/write/record_encode.h"
#include "record/sink/sink.h"
#include "tests/record/sink/use_sink.h"

TEST(a_reader_that_went_away_is_an_error)
{
	int thread;

	for (thread = 0; thread < 2; thread++) {
		struct setup w;
		struct rec_sink *s;
		struct perr e;
		u32 n = 0;
		int fds[2], err = 0, i;

		setup_init(&w, 0, thread);
		CHECK(!pipe(fds));
		w.o.fd = fds[1];
		CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
		close(fds[0]);
		for (i = 0; i < 100 && !err; i++) {
			err = sink_sweep(s, &n, &e);
			usleep(thread ? 1000 : 0);
		}
		CHECK_EQ(err, PERR_IO);
		CHECK_EQ(e.sys_errno, EPIPE);
		(void)!sink_close(s, NULL, 0, true, NULL, &e);
		close(fds[1]);
		setup_fini(&w);
	}
}

static void check_stream(bool finished)
{
	struct perfdata *pd;
	struct pd_record r;
	struct rec_sink *s;
	struct setup w;
	struct perr e;
	u32 n = 0, comms = 0;
	int fd;

	setup_init(&w, 1, true);
	fd = open(w.path, O_CREAT | O_WRONLY, 0600);
	/* standard output is a stream even where it is a file */
	CHECK(fd >= 0 && dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
	w.o.path = "-";
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	CHECK_EQ(sink_sweep(s, &n, &e), 0);
	CHECK_EQ(sink_commit(s, &e), 0);
	CHECK_EQ(sink_close(s, NULL, 0, finished, NULL, &e), 0);
	CHECK(fcntl(STDOUT_FILENO, F_GETFD) >= 0);
	CHECK_EQ(pd_open(w.path, NULL, &pd, &e), 0);
	CHECK_EQ(pd->kind, PD_PIPE);
	while (pd_next(pd, &r, &e) > 0)
		comms += r.type == PD_RECORD_COMM;
	CHECK_EQ(comms, 10);
	CHECK_EQ(pd->unfinished, !finished);
	pd_close(pd);
	setup_fini(&w);
}

TEST(a_pipe_stream_is_read_front_to_back)
{
	check_stream(true);
}

TEST(a_stream_without_its_end)
{
	check_stream(false);
}

TEST(files_follow_each_other_and_old_ones_go)
{
	struct setup w;
	struct rec_sink *s;
	struct perr e;
	char *path[4], pattern[112];
	glob_t g;
	int i;

	setup_init(&w, 1, true);
	w.o.append_timestamp = true;
	w.o.keep_files = 2;
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	for (i = 0; i < 4; i++) {
		u32 n = 0;

		CHECK_EQ(sink_sweep(s, &n, &e), 0);
		/* at once: a name that the clock gives twice is not taken twice */
		if (i < 3)
			CHECK_EQ(sink_switch(s, NULL, 0, &w.head, &path[i], &e), 0);
		else
			CHECK_EQ(sink_close(s, NULL, 0, true, &path[i], &e), 0);
		CHECK_EQ(strlen(path[i]), strlen(w.path) + 17);
	}
	CHECK(access(path[0], F_OK) && access(path[1], F_OK));
	CHECK_EQ(sink_look(path[2]).comms, 10);
	CHECK_EQ(sink_look(path[3]).comms, 10);
	CHECK(!sink_look(path[2]).unfinished && !sink_look(path[3]).unfinished);
	snprintf(pattern, sizeof(pattern), "%s/*", w.dir);
	CHECK_EQ(glob(pattern, 0, NULL, &g), 0);
	CHECK_EQ(g.gl_pathc, 2);
	globfree(&g);
	for (i = 0; i < 4; i++)
		free(path[i]);
	setup_fini(&w);
}

static void check_limit(bool thread)
{
	struct setup w;
	struct rec_sink *s;
	struct perr e;
	u32 n = 0;
	int err = 0, i;

	setup_init(&w, 0, thread);
	w.o.max_size = 20000;
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	for (i = 0; i < 100000 && !err; i++) {
		err = sink_sweep(s, &n, &e);
		usleep(thread ? 100 : 0);
	}
	CHECK_EQ(err, PERR_LIMIT);
	CHECK(n < 100000);
	n = n / 10 * 10;
	CHECK_EQ(sink_drain(s, &e), 0);
	CHECK_EQ(sink_close(s, NULL, 0, true, NULL, &e), 0);
	CHECK(sink_look(w.path).comms >= n);
	setup_fini(&w);
}

TEST(the_size_limit_is_told_once_and_nothing_is_cut)
{
	check_limit(false);
	check_limit(true);
}

TEST(output_that_cannot_be_opened_is_named)
{
	struct setup w;
	struct rec_sink *s;
	struct perr e;

	setup_init(&w, 0, false);
	w.o.path = "/proc/no-such-folder/p.data";
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), PERR_IO);
	CHECK_EQ(e.sys_errno, ENOENT);
	CHECK(strstr(e.text, w.o.path));
	setup_fini(&w);
}

TEST(sudo_gives_the_file_to_its_caller)
{
	struct setup w;
	struct rec_sink *s;
	struct stat st;
	struct perr e;

	if (geteuid())
		SKIP("needs root");
	setup_init(&w, 0, false);
	setenv("SUDO_UID", "1234", 1);
	setenv("SUDO_GID", "2345", 1);
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	CHECK_EQ(sink_close(s, NULL, 0, true, NULL, &e), 0);
	CHECK(!stat(w.path, &st));
	CHECK_EQ(st.st_uid, 1234);
	CHECK_EQ(st.st_gid, 2345);
	/* text that is no number changes nothing */
	setenv("SUDO_UID", "12x", 1);
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	CHECK_EQ(sink_close(s, NULL, 0, true, NULL, &e), 0);
	CHECK(!stat(w.path, &st));
	CHECK_EQ(st.st_uid, 0);
	setup_fini(&w);
}
