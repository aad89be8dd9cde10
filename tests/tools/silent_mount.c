/* SPDX-License-Identifier: MIT */
/*
 * Runs a command where a file system does not answer, as one of the network whose server is gone:
 *
 *	silent_mount DIR COMMAND [ARGUMENT...]
 *
 * A FUSE file system, mounted at DIR in a mount namespace of the command's own, takes every request
 * and answers none. Exits with the command's status, or with 77 where mounting is not permitted.
 */
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#define SKIPPED 77

static int skip(const char *why)
{
	perror(why);
	return SKIPPED;
}

/* Answers the first request, without which the kernel holds back all others. */
static void answer_init(int fuse, const struct fuse_in_header *in)
{
	struct {
		struct fuse_out_header head;
		struct fuse_init_out init;
	} out = { .head = { .len = sizeof(out), .unique = in->unique },
		  .init = { .major = FUSE_KERNEL_VERSION,
			    .minor = FUSE_KERNEL_MINOR_VERSION,
			    .max_write = 4096 } };

	if (write(fuse, &out, sizeof(out)) < 0)
		perror("fuse");
}

static void serve(int fuse)
{
	static char request[1 << 17];
	const struct fuse_in_header *in = (const void *)request;

	while (read(fuse, request, sizeof(request)) > 0)
		if (in->opcode == FUSE_INIT)
			answer_init(fuse, in);
	_exit(0);
}

int main(int argc, char **argv)
{
	char options[64];
	int fuse, status = 0;
	pid_t server, command;

	if (argc < 3)
		return 2;
	fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (fuse < 0)
		return skip("/dev/fuse");
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return skip("mount namespace");
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=%u,group_id=%u", fuse,
		 (unsigned int)getuid(), (unsigned int)getgid());
	if (mount("silent", argv[1], "fuse", MS_NOSUID | MS_NODEV, options))
		return skip(argv[1]);
	server = fork();
	if (!server)
		serve(fuse);
	command = fork();
	if (!command) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	waitpid(command, &status, 0);
	kill(server, SIGKILL);
	close(fuse);
	waitpid(server, NULL, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
