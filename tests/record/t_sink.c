/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/feature/feature.h"
#include "fileformat/write/feature_encode.h"
#include "fileformat/record.h"
#include "fileformat/write/record_encode.h"
#include "record/sink/sink.h"
#include "tests/frame/unit.h"

#define EXPAND 65536u

static u64 ids[] = { 5 };
static struct pd_out_event event = {
	.attr = { .type = PD_TYPE_SOFTWARE, .size = 64, .sample_type = PD_SAMPLE_IP },
	.name = (char *)"an-event",
	.ids = ids,
	.nr_ids = 1,
};

struct setup {
	char dir[64], path[96];
	struct wbuf desc, comp;
	struct pd_feature_out features[2];
	struct pd_head head;
	struct rec_sink_opts o;
};

static void setup_init(struct setup *s, int compress, bool thread)
{
	struct pd_compressed c = {
		.version = 1, .type = 1, .level = 1, .ratio = 1, .mmap_len = EXPAND
	};

	*s = (struct setup){ .dir = "/tmp/t_sink.XXXXXX" };
	CHECK(mkdtemp(s->dir));
	snprintf(s->path, sizeof(s->path), "%s/p.data", s->dir);
	pd_put_event_desc(&s->desc, &event, 1, 64);
	pd_put_compressed(&s->comp, &c);
	s->features[0] = (struct pd_feature_out){ PD_FEAT_EVENT_DESC, wb_span(&s->desc) };
	s->features[1] = (struct pd_feature_out){ PD_FEAT_COMPRESSED, wb_span(&s->comp) };
	s->head = (struct pd_head){ &event, 1, 64, s->features, 2 };
	s->o = (struct rec_sink_opts){ .path = s->path,
				       .fd = -1,
				       .compress = compress,
				       .max_record_expand = EXPAND,
				       .own_thread = thread };
}

static void setup_fini(struct setup *s)
{
	glob_t g;
	char all[80];
	size_t i;

	snprintf(all, sizeof(all), "%s/*", s->dir);
	if (!glob(all, 0, NULL, &g)) {
		for (i = 0; i < g.gl_pathc; i++)
			unlink(g.gl_pathv[i]);
		globfree(&g);
	}
	rmdir(s->dir);
	wb_fini(&s->desc);
	wb_fini(&s->comp);
}

/* A COMM record that carries a number. */
static void put_numbered(struct wbuf *b, u32 n)
{
	char text[16];

	snprintf(text, sizeof(text), "n%u", n);
	pd_put_comm(b, n, n, text, 0, 8);
}

struct seen {
	u32 comms, rounds;
	bool in_order, named;
};

static struct seen look(const char *path)
{
	struct seen s = { .in_order = true };
	struct perfdata *pd;
	struct pd_record r;
	struct perr e;
	int more;

	if (pd_open(path, NULL, &pd, &e))
		unit_fail(__FILE__, __LINE__, "%s", e.text);
	CHECK_EQ(pd->nr_events, 1);
	s.named = !strcmp(pd->events[0]->name, "an-event");
	while ((more = pd_next(pd, &r, &e)) > 0) {
		if (r.type == PD_RECORD_COMM) {
			s.in_order &= get_u32(r.data + 8, false) == s.comms;
			s.comms++;
		} else if (r.type == PD_RECORD_FINISHED_ROUND) {
			/* one after every tenth */
			s.rounds++;
			s.in_order &= s.comms == s.rounds * 10;
		} else if (r.type !=
			   PD_RECORD_COMPRESSED) { /* those are followed by what is in them */
			unit_fail(__FILE__, __LINE__, "record of type %u", r.type);
		}
	}
	if (more < 0)
		unit_fail(__FILE__, __LINE__, "%s", e.text);
	pd_close(pd);
	return s;
}

/* Ten numbered records and a round mark, as a sweep does it. */
static int sweep(struct rec_sink *s, u32 *n, struct perr *e)
{
	struct wbuf b = { 0 };
	int i, err;

	for (i = 0; i < 10; i++)
		put_numbered(&b, (*n)++);
	err = sink_write(s, &b, false, e);
	CHECK_EQ(b.n, 0);
	if (!err) {
		pd_put_finished_round(&b);
		err = sink_write(s, &b, true, e);
	}
	wb_fini(&b);
	return err;
}

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
		CHECK_EQ(sweep(s, &n, &e), 0);
		CHECK_EQ(sink_commit(s, &e), 0);
	}
	CHECK_EQ(sink_close(s, NULL, 0, &path, &e), 0);
	CHECK_STR(path, w.path);
	free(path);
	seen = look(w.path);
	CHECK_EQ(seen.comms, 5000);
	CHECK_EQ(seen.rounds, 500);
	CHECK(seen.in_order && seen.named);
	CHECK(!stat(w.path, &st));
	CHECK_EQ(st.st_mode & 0777, 0600);

	/* the next recording keeps this one */
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	n = 0;
	CHECK_EQ(sweep(s, &n, &e), 0);
	CHECK_EQ(sink_close(s, NULL, 0, NULL, &e), 0);
	CHECK_EQ(look(w.path).comms, 10);
	snprintf(w.path + strlen(w.path), 8, ".old");
	CHECK_EQ(look(w.path).comms, 5000);
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
	CHECK_EQ(sweep(s, &n, &e), 0);
	CHECK_EQ(sink_close(s, late, 2, NULL, &e), 0);
	CHECK(look(w.path).in_order);
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

				err = sweep(s, &n, &e);
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
		seen = look(w.path);
		CHECK(seen.in_order);
		CHECK(seen.comms >= *committed);
	}
	setup_fini(&w);
}

TEST(a_killed_recorders_file_is_whole)
{
	check_killed(false);
	check_killed(true);
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
		err = sweep(s, &n, &e);
	CHECK_EQ(err, PERR_IO);
	CHECK_EQ(e.sys_errno, EFBIG);
	CHECK(strstr(e.text, w.path) && strstr(e.text, "kept"));
	CHECK_EQ(sink_commit(s, &again), PERR_IO);
	CHECK_STR(again.text, e.text);
	CHECK_EQ(sink_close(s, NULL, 0, NULL, &again), PERR_IO);
	seen = look(w.path);
	CHECK(seen.in_order && seen.comms > 1000);
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
		err = sweep(s, &n, &e);
	err = sink_close(s, NULL, 0, NULL, &e);
	CHECK_EQ(err, PERR_IO);
	CHECK(strstr(e.text, w.path) && strstr(e.text, "kept"));
	seen = look(w.path);
	CHECK(seen.in_order && seen.comms > 100);
	setup_fini(&w);
}

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
			err = sweep(s, &n, &e);
			usleep(thread ? 1000 : 0);
		}
		CHECK_EQ(err, PERR_IO);
		CHECK_EQ(e.sys_errno, EPIPE);
		(void)!sink_close(s, NULL, 0, NULL, &e);
		close(fds[1]);
		setup_fini(&w);
	}
}

TEST(a_pipe_stream_is_read_front_to_back)
{
	struct setup w;
	struct rec_sink *s;
	struct perr e;
	u32 n = 0;
	int fd;

	setup_init(&w, 1, true);
	fd = open(w.path, O_CREAT | O_WRONLY, 0600);
	/* standard output is a stream even where it is a file */
	CHECK(fd >= 0 && dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
	w.o.path = "-";
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	CHECK_EQ(sweep(s, &n, &e), 0);
	CHECK_EQ(sink_commit(s, &e), 0);
	CHECK_EQ(sink_close(s, NULL, 0, NULL, &e), 0);
	CHECK(fcntl(STDOUT_FILENO, F_GETFD) >= 0);
	{
		struct perfdata *pd;
		struct pd_record r;
		u32 comms = 0;

		CHECK_EQ(pd_open(w.path, NULL, &pd, &e), 0);
		CHECK_EQ(pd->kind, PD_PIPE);
		while (pd_next(pd, &r, &e) > 0)
			comms += r.type == PD_RECORD_COMM;
		CHECK_EQ(comms, 10);
		pd_close(pd);
	}
	setup_fini(&w);
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

		CHECK_EQ(sweep(s, &n, &e), 0);
		/* at once: a name that the clock gives twice is not taken twice */
		if (i < 3)
			CHECK_EQ(sink_switch(s, NULL, 0, &w.head, &path[i], &e), 0);
		else
			CHECK_EQ(sink_close(s, NULL, 0, &path[i], &e), 0);
		CHECK_EQ(strlen(path[i]), strlen(w.path) + 17);
	}
	CHECK(access(path[0], F_OK) && access(path[1], F_OK));
	CHECK_EQ(look(path[2]).comms, 10);
	CHECK_EQ(look(path[3]).comms, 10);
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
		err = sweep(s, &n, &e);
		usleep(thread ? 100 : 0);
	}
	CHECK_EQ(err, PERR_LIMIT);
	CHECK(n < 100000);
	n = n / 10 * 10;
	CHECK_EQ(sink_drain(s, &e), 0);
	CHECK_EQ(sink_close(s, NULL, 0, NULL, &e), 0);
	CHECK(look(w.path).comms >= n);
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
	CHECK_EQ(sink_close(s, NULL, 0, NULL, &e), 0);
	CHECK(!stat(w.path, &st));
	CHECK_EQ(st.st_uid, 1234);
	CHECK_EQ(st.st_gid, 2345);
	/* text that is no number changes nothing */
	setenv("SUDO_UID", "12x", 1);
	CHECK_EQ(sink_open(&w.o, &w.head, &s, &e), 0);
	CHECK_EQ(sink_close(s, NULL, 0, NULL, &e), 0);
	CHECK(!stat(w.path, &st));
	CHECK_EQ(st.st_uid, 0);
	setup_fini(&w);
}
