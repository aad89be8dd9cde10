/* SPDX-License-Identifier: MIT */
/* What may lie at a path, and where links lead. */
#include "base/files/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/files/path_walk.h"
#include "base/mem.h"
#include "tests/frame/unit.h"

/* A folder to work in, which is the current folder of the case. */
struct yard {
	char dir[64];
};

static struct yard yard_begin(void)
{
	struct yard y;

	snprintf(y.dir, sizeof(y.dir), "/tmp/t_regular_file.XXXXXX");
	CHECK(mkdtemp(y.dir) && !chdir(y.dir));
	return y;
}

static void yard_end(struct yard *y)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", y->dir);
	CHECK(!chdir("/") && !system(command));
}

static void make_file(const char *path)
{
	FILE *f = fopen(path, "we");

	CHECK(f && fputs(path, f) >= 0 && !fclose(f));
}

static void check_walk(const char *root, const char *path, const char *want)
{
	char *got = path_walk(root, path, NULL, NULL);

	CHECK_STR(got, want);
	free(got);
}

TEST(walk_follows_links)
{
	struct yard y = yard_begin();
	char want[128];

	CHECK(!mkdir("a", 0755) && !mkdir("a/b", 0755));
	CHECK(!symlink("a/b", "relative") && !symlink("/usr/../etc", "absolute"));
	CHECK(!symlink("loop", "loop"));
	snprintf(want, sizeof(want), "%s/a/b/file", y.dir);
	check_walk(NULL, "./relative//x/../file", want);
	check_walk(NULL, "absolute/passwd", "/etc/passwd");
	check_walk(NULL, "/..", "/");
	CHECK(!path_walk(NULL, "loop/x", NULL, NULL) && errno == ELOOP);
	yard_end(&y);
}

TEST(walk_stays_below_its_root)
{
	struct yard y = yard_begin();
	char want[128];

	CHECK(!mkdir("root", 0755) && !mkdir("root/in", 0755));
	CHECK(!symlink("../../../../../etc", "root/in/up") && !symlink("/in", "root/to_in"));
	snprintf(want, sizeof(want), "%s/root/etc/passwd", y.dir);
	check_walk("root", "/in/up/passwd", want);
	check_walk("root", "/../../../etc/passwd", want);
	snprintf(want, sizeof(want), "%s/root/in/x", y.dir);
	check_walk("root", "to_in/x", want);
	yard_end(&y);
}

static bool is_place(void *ctx, const char *place)
{
	return !strcmp(place, ctx);
}

TEST(walk_stops_before_it_looks)
{
	struct yard y = yard_begin();
	char stop[128], *got;

	CHECK(!symlink("/etc", "link"));
	snprintf(stop, sizeof(stop), "%s/link", y.dir);
	got = path_walk(NULL, "link/x", is_place, stop);
	CHECK_STR(got, stop);
	free(got);
	yard_end(&y);
}

TEST(parents_in_paths)
{
	CHECK(path_has_parent("..") && path_has_parent("/a/..") && path_has_parent("a/../b"));
	CHECK(!path_has_parent("/a/..b") && !path_has_parent("a../b") && !path_has_parent("/..."));
	CHECK(path_has_parent("/..x/../y"));
}

TEST(only_regular_files_are_opened)
{
	struct yard y = yard_begin();
	struct sockaddr_un name = { .sun_family = AF_UNIX, .sun_path = "socket" };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char byte;

	CHECK(fd >= 0 && !bind(fd, (struct sockaddr *)&name, sizeof(name)) && !close(fd));
	CHECK(!mkfifo("fifo", 0600) && !symlink("fifo", "link"));
	make_file("file");
	CHECK_EQ(regular_file_open("socket", NULL, &fd), FILE_IS_SOCKET);
	CHECK_EQ(regular_file_open("fifo", NULL, &fd), FILE_IS_FIFO);
	CHECK_EQ(regular_file_open("link", NULL, &fd), FILE_IS_FIFO);
	CHECK_EQ(regular_file_open("/dev/null", NULL, &fd), FILE_IS_DEVICE);
	CHECK_EQ(regular_file_open(".", NULL, &fd), FILE_IS_FOLDER);
	CHECK_EQ(regular_file_open("absent", NULL, &fd), FILE_ABSENT);
	CHECK_EQ(regular_file_open("file/x", NULL, &fd), FILE_ABSENT);
	CHECK_EQ(regular_file_open("file", NULL, &fd), FILE_FINE);
	CHECK(read(fd, &byte, 1) == 1 && byte == 'f' && fcntl(fd, F_GETFD) == FD_CLOEXEC);
	close(fd);
	yard_end(&y);
}

TEST(links_stay_below_the_root)
{
	struct yard y = yard_begin();
	const struct file_rules rules = { .root = "root" };

	CHECK(!mkdir("root", 0755) && !mkdir("root/in", 0755));
	make_file("outside");
	make_file("root/in/file");
	CHECK(!symlink("../outside", "root/out") && !symlink("/in/file", "root/own"));
	CHECK_EQ(regular_file_find("root/out", NULL), FILE_FINE);
	CHECK_EQ(regular_file_find("root/out", &rules), FILE_OUTSIDE);
	CHECK_EQ(regular_file_find("root/../outside", &rules), FILE_OUTSIDE);
	CHECK_EQ(regular_file_find("root/own", NULL), FILE_ABSENT);
	CHECK_EQ(regular_file_find("root/own", &rules), FILE_FINE);
	CHECK_EQ(regular_file_find("root/absent", &rules), FILE_ABSENT);
	CHECK_EQ(regular_file_find("outside", &rules), FILE_FINE);
	yard_end(&y);
}

TEST(files_of_other_owners)
{
	const struct file_rules rules = { .only_trusted = true };
	struct yard y = yard_begin();

	unsetenv("SUDO_UID");
	make_file("file");
	CHECK_EQ(regular_file_find("file", &rules), FILE_FINE);
	CHECK(owner_is_trusted(0) && owner_is_trusted(geteuid()) && !owner_is_trusted(65533));
	CHECK_EQ(regular_file_find("/etc/passwd", &rules), FILE_FINE);
	if (!geteuid() && !chown("file", 65533, 65533)) {
		CHECK_EQ(regular_file_find("file", &rules), FILE_FOREIGN);
		setenv("SUDO_UID", "65533", 1);
		CHECK_EQ(regular_file_find("file", &rules), FILE_FINE);
		setenv("SUDO_UID", "65533x", 1);
		CHECK_EQ(regular_file_find("file", &rules), FILE_FOREIGN);
	}
	yard_end(&y);
}

TEST(faults_have_words)
{
	struct perr e;

	for (int f = FILE_ABSENT; f <= FILE_PARENT; f++)
		CHECK(*file_fault_text((enum file_fault)f));
	CHECK(!file_fault_advice(FILE_ABSENT) && file_fault_advice(FILE_IS_FIFO));
	CHECK_EQ(file_fault_set(FILE_IS_FIFO, "x", &e), PERR_FORMAT);
	CHECK_STR(e.text, "x: it is a FIFO, not a regular file");
	errno = EACCES;
	CHECK_EQ(file_fault_set(FILE_UNREADABLE, "x", &e), PERR_IO);
	CHECK_STR(e.text, "x: Permission denied");
}
