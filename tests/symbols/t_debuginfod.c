/* SPDX-License-Identifier: MIT */
#include "symbols/find/debuginfod.h"

#include <arpa/inet.h>
#include <elf.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/find/debugfile.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"

static const u8 id[20] = { 0xab, 0xcd, 0xef, 1, [19] = 0x42 };

/* A server on loopback, a cache folder of its own, and how often it was asked. */
struct server {
	char cache[32], url[64];
	int fd;
	pid_t child;
	u32 *requests; /* shared with the child */
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void server_listen(struct server *s)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(a);

	*s = (struct server){ .cache = "/tmp/t_debuginfod.XXXXXX" };
	if (!mkdtemp(s->cache))
		SKIP("no folder can be made in /tmp");
	s->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s->fd < 0 || bind(s->fd, (struct sockaddr *)&a, sizeof(a)) || listen(s->fd, 8) ||
	    getsockname(s->fd, (struct sockaddr *)&a, &len))
		SKIP("no server can listen on loopback");
	snprintf(s->url, sizeof(s->url), "http://127.0.0.1:%u", ntohs(a.sin_port));
	s->requests = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(s->requests != MAP_FAILED);
	setenv("DEBUGINFOD_CACHE_PATH", s->cache, 1);
	unsetenv("DEBUGINFOD_URLS");
	unsetenv("DEBUGINFOD_MAXTIME");
	unsetenv("DEBUGINFOD_PROGRESS");
	unsetenv("http_proxy");
}

/* Answers each request with the body, or with 404 when that is NULL. missing: bytes never sent. */
static void server_start_short(struct server *s, const void *body, size_t n, size_t missing)
{
	char buf[4096], head[128];
	int c;

	s->child = fork();
	CHECK(s->child >= 0);
	if (s->child)
		return;
	alarm(50);
	while ((c = accept(s->fd, NULL, NULL)) >= 0) {
		if (read(c, buf, sizeof(buf)) > 0)
			++*s->requests;
		snprintf(head, sizeof(head), "HTTP/1.0 %s\r\nContent-Length: %zu\r\n\r\n",
			 body ? "200 OK" : "404 Not Found", n + missing);
		if (write(c, head, strlen(head)) < 0 || (n && write(c, body, n) < 0))
			break;
		if (!missing)
			close(c);
	}
	_exit(0);
}

static void server_start(struct server *s, const void *body, size_t n)
{
	server_start_short(s, body, n, 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void server_stop(struct server *s)
{
	if (s->child > 0) {
		kill(s->child, SIGKILL);
		waitpid(s->child, NULL, 0);
	}
	close(s->fd);
	nftw(s->cache, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static bool was_asked(const struct server *s)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

static char *fetch(struct debuginfod *c, const u8 *build_id, const char **ret_why)
{
	char *path = debuginfod_fetch(c, DEBUGINFOD_DEBUGINFO, build_id, 20, ret_why);

	if (!path && strstr(*ret_why, "not installed"))
		SKIP("%s", *ret_why);
	return path;
}

TEST(off_unless_asked_for)
{
	struct symbols_config cfg = { .symfs = "/nonexistent", .hermetic = true };
	struct dso_desc desc = { .kind = DSO_USER, .name = "/bin/x", .build_id_size = 20 };
	struct debugfile found;
	struct server s;

	server_listen(&s);
	setenv("DEBUGINFOD_URLS", s.url, 1);
	CHECK(!debuginfod_new(&cfg));
	memcpy(desc.build_id, id, sizeof(id));
	debugfile_find(&cfg, &desc, &found);
	debugfile_fini(&found);
	CHECK(!was_asked(&s));
	server_stop(&s);
}

TEST(no_server_named)
{
	struct symbols_config cfg = { .debuginfod = "" };
	struct debuginfod *c;
	const char *why;

	unsetenv("DEBUGINFOD_URLS");
	c = debuginfod_new(&cfg);
	CHECK(!fetch(c, id, &why));
	CHECK(strstr(why, "DEBUGINFOD_URLS"));
	debuginfod_free(c);
}

TEST(server_that_never_answers)
{
	u8 other[20] = { 1 };
	struct symbols_config cfg = { .debuginfod_ms = 1500 };
	struct debuginfod *c;
	const char *why;
	struct server s;
	double start;

	server_listen(&s);
	cfg.debuginfod = s.url;
	c = debuginfod_new(&cfg);
	start = seconds();
	CHECK(!fetch(c, id, &why));
	CHECK_STR(why, "no answer from the debuginfod servers");
	/* libdebuginfod looks at the clock once a second */
	CHECK(seconds() - start < 4);
	start = seconds();
	CHECK(!fetch(c, other, &why));
	CHECK(strstr(why, "not asked again"));
	CHECK(seconds() - start < 0.1);
	debuginfod_free(c);
	/* the next run asks again, and does not take silence for an answer */
	c = debuginfod_new(&cfg);
	CHECK(!fetch(c, id, &why));
	CHECK_STR(why, "no answer from the debuginfod servers");
	debuginfod_free(c);
	server_stop(&s);
}

TEST(server_that_stops_in_the_middle)
{
	struct symbols_config cfg = { .debuginfod_ms = 1500 };
	u8 other[20] = { 1 };
	struct debuginfod *c;
	const char *why;
	struct server s;
	double start;

	server_listen(&s);
	server_start_short(&s, "the first bytes", 15, 1000);
	cfg.debuginfod = s.url;
	c = debuginfod_new(&cfg);
	start = seconds();
	CHECK(!fetch(c, id, &why));
	CHECK_STR(why, "the time for debuginfod was used up");
	CHECK(seconds() - start >= 1.4);
	CHECK(seconds() - start < 4);
	CHECK(!fetch(c, other, &why));
	CHECK_EQ(*s.requests, 1);
	debuginfod_free(c);
	server_stop(&s);
}

TEST(server_that_is_not_there)
{
	struct symbols_config cfg = { .debuginfod_ms = 5000 };
	struct debuginfod *c;
	const char *why;
	struct server s;

	server_listen(&s);
	close(s.fd);
	cfg.debuginfod = s.url;
	c = debuginfod_new(&cfg);
	CHECK(!fetch(c, id, &why));
	CHECK(*why);
	debuginfod_free(c);
	server_stop(&s);
}

TEST(what_servers_do_not_have_is_asked_for_once)
{
	struct symbols_config cfg = { .debuginfod_ms = 20000 };
	struct debuginfod *c;
	const char *why;
	struct server s;

	server_listen(&s);
	server_start(&s, NULL, 0);
	cfg.debuginfod = s.url;
	/* in one run, and in the next one */
	for (int run = 0; run < 2; run++) {
		c = debuginfod_new(&cfg);
		CHECK(!fetch(c, id, &why));
		CHECK_STR(why, "the debuginfod servers have none");
		CHECK(!fetch(c, id, &why));
		CHECK_STR(why, "the debuginfod servers have none");
		debuginfod_free(c);
		CHECK_EQ(*s.requests, 1);
	}
	server_stop(&s);
}

static u8 *make_debug_file(bool other_id, size_t *ret_n)
{
	struct mkelf *b = mkelf_new(true, false, ET_DYN, EM_X86_64);
	u8 use_id[20];
	u16 text;

	memcpy(use_id, id, sizeof(id));
	use_id[5] ^= other_id;
	mkelf_load(b, 0x1000, 0x800, 0x100);
	text = mkelf_section(b, &(struct mkelf_part){ .name = ".text",
						      .type = SHT_NOBITS,
						      .flags = SHF_ALLOC,
						      .addr = 0x1000,
						      .off = 0x800,
						      .size = 0x100 });
	mkelf_build_id(b, use_id, sizeof(use_id));
	mkelf_section(b, &(struct mkelf_part){ .name = ".debug_info",
					       .type = SHT_PROGBITS,
					       .bytes = "not looked into",
					       .size = 16 });
	mkelf_symbol(b, "g", 0x1010, 8, STT_FUNC, STB_LOCAL, text);
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	return mkelf_end(b, ret_n);
}

static void find_by_server(bool other_id, struct debugfile *ret)
{
	struct symbols_config cfg = { .debuginfod_ms = 20000,
				      .symfs = "/nonexistent",
				      .hermetic = true };
	struct dso_desc desc = { .kind = DSO_USER, .name = "/bin/x", .build_id_size = 20 };
	struct server s;
	size_t n;
	u8 *p = make_debug_file(other_id, &n);

	server_listen(&s);
	server_start(&s, p, n);
	cfg.debuginfod = s.url;
	cfg.debuginfod_client = debuginfod_new(&cfg);
	memcpy(desc.build_id, id, sizeof(id));
	debugfile_find(&cfg, &desc, ret);
	debuginfod_free(cfg.debuginfod_client);
	server_stop(&s);
	free(p);
	for (size_t i = 0; i < ret->nr_tries; i++)
		if (strstr(ret->tries[i].why, "not installed"))
			SKIP("%s", ret->tries[i].why);
}

TEST(fetched_file_is_used)
{
	struct debugfile found;

	find_by_server(false, &found);
	CHECK_EQ(found.letter, 'i');
	CHECK_EQ(found.status, DSO_LOADED);
	CHECK(found.symbols && found.dwarf == found.symbols);
	debugfile_fini(&found);
}

TEST(fetched_file_of_another_build_is_not_used)
{
	struct debugfile found;

	find_by_server(true, &found);
	CHECK(!found.symbols && !found.dwarf);
	CHECK_EQ(found.status, DSO_BUILD_ID_DIFFERS);
	CHECK_STR(found.tries[found.nr_tries - 1].why, "its build-id differs");
	debugfile_fini(&found);
}
