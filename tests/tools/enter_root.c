/* SPDX-License-Identifier: MIT */
/*
 * The last step of a container's start: makes a folder the root directory of this mount namespace
 * and runs a program of it. Usage: enter_root FOLDER PROGRAM [ARGUMENT...], in `unshare -m`.
 */
#include <stdio.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: enter_root FOLDER PROGRAM [ARGUMENT...]\n");
		return 2;
	}
	/* the old root is stacked below the new one, and is taken away from there */
	if (chdir(argv[1]) || syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH) ||
	    chdir("/")) {
		perror("enter_root");
		return 1;
	}
	execv(argv[2], argv + 2);
	perror(argv[2]);
	return 1;
}
