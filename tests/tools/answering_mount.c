/* SPDX-License-Identifier: MIT */
/*
 * Runs a command from a file system whose server can be stopped, as one of the network:
 *
 *	answering_mount DIR FILE PIDFILE COMMAND [ARGUMENT...]
 *
 * A FUSE file system, mounted at DIR in a mount namespace of the command's own, has one file,
 * `file`, with the bytes of FILE. PIDFILE gets the id of its server: while that is stopped
 * (SIGSTOP) no request is answered. Exits with the command's status, or with 77 where mounting is
 * not permitted.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SKIPPED 77
#define FILE_NODE 2

struct served {
	int fuse;
	const unsigned char *bytes;
	size_t n;
};

static int skip(const char *why)
{
	perror(why);
	return SKIPPED;
}

static void answer(const struct served *s, const struct fuse_in_header *in, int error,
		   const void *body, size_t n)
{
	static unsigned char whole[sizeof(struct fuse_out_header) + (1 << 20)];
	const struct fuse_out_header head = { .len = (unsigned int)(sizeof(head) + n),
					      .error = -error,
					      .unique = in->unique };

	memcpy(whole, &head, sizeof(head));
	if (n)
		memcpy(whole + sizeof(head), body, n);
	(void)!write(s->fuse, whole, head.len);
}

static struct fuse_attr attr_of(const struct served *s, unsigned long long node)
{
	return (struct fuse_attr){ .ino = node,
				   .size = node == FILE_NODE ? s->n : 0,
				   .mode = node == FILE_NODE ? S_IFREG | 0755 : S_IFDIR | 0755,
				   .nlink = 1,
				   .blksize = 4096 };
}

static void answer_read(const struct served *s, const struct fuse_in_header *in,
			const struct fuse_read_in *r)
{
	size_t n = r->offset < s->n ? s->n - r->offset : 0;

	answer(s, in, 0, s->bytes + (n ? r->offset : 0), n < r->size ? n : r->size);
}

static void take(const struct served *s, const struct fuse_in_header *in, const void *body)
{
	struct fuse_init_out init = { .major = FUSE_KERNEL_VERSION,
				      .minor = FUSE_KERNEL_MINOR_VERSION,
				      .max_readahead = 4096,
				      .max_write = 4096 };
	struct fuse_entry_out entry = { .nodeid = FILE_NODE, .attr = attr_of(s, FILE_NODE) };
	struct fuse_attr_out attr = { .attr = attr_of(s, in->nodeid) };
	struct fuse_open_out opened = { .open_flags = FOPEN_KEEP_CACHE };

	switch (in->opcode) {
	case FUSE_INIT: answer(s, in, 0, &init, sizeof(init)); break;
	case FUSE_LOOKUP:
		if (strcmp(body, "file") != 0)
			answer(s, in, ENOENT, NULL, 0);
		else
			answer(s, in, 0, &entry, sizeof(entry));
		break;
	case FUSE_GETATTR: answer(s, in, 0, &attr, sizeof(attr)); break;
	case FUSE_OPEN: answer(s, in, 0, &opened, sizeof(opened)); break;
	case FUSE_READ: answer_read(s, in, body); break;
	case FUSE_RELEASE:
	case FUSE_FLUSH: answer(s, in, 0, NULL, 0); break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET: break;
	default: answer(s, in, ENOSYS, NULL, 0);
	}
}

static _Noreturn void serve(const struct served *s)
{
	static unsigned char request[1 << 17];
	const struct fuse_in_header *in = (const void *)request;

	while (read(s->fuse, request, sizeof(request)) > 0)
		take(s, in, in + 1);
	_exit(0);
}

static int map_file(const char *path, struct served *s)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;

	if (fd < 0 || fstat(fd, &st))
		return -1;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	s->bytes = p;
	s->n = (size_t)st.st_size;
	return p == MAP_FAILED ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct served s = { .fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC) };
	char options[64];
	int status = 0;
	pid_t server, command;
	FILE *f;

	if (argc < 5)
		return 2;
	if (s.fuse < 0)
		return skip("/dev/fuse");
	if (map_file(argv[2], &s))
		return skip(argv[2]);
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return skip("mount namespace");
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=%u,group_id=%u", s.fuse,
		 (unsigned int)getuid(), (unsigned int)getgid());
	if (mount("answering", argv[1], "fuse", MS_NOSUID | MS_NODEV, options))
		return skip(argv[1]);
	server = fork();
	if (!server)
		serve(&s);
	f = fopen(argv[3], "we");
	if (f) {
		fprintf(f, "%d\n", (int)server);
		fclose(f);
	}
	command = fork();
	if (!command) {
		execvp(argv[4], argv + 4);
		perror(argv[4]);
		_exit(127);
	}
	waitpid(command, &status, 0);
	kill(server, SIGKILL);
	close(s.fuse);
	waitpid(server, NULL, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
