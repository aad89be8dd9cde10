/* SPDX-License-Identifier: MIT */
#include "symbols/find/live_process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/elf/readfile.h"

#define MAX_PROC_FILE ((size_t)64 << 10)
#define STARTTIME_FIELD 22 /* of /proc/PID/stat, proc(5) */
#define SLACK_S 1          /* both times are rounded down to seconds */

/* Reads a file of a process in /proc as text, malloc'd. NULL: the process does not run. */
static char *proc_text(u32 pid, const char *name)
{
	char path[64], *text;
	void *buf;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/%s", pid, name);
	if (read_file(path, MAX_PROC_FILE, &buf, &n, NULL))
		return NULL;
	text = xstrndup(buf, n);
	free(buf);
	return text;
}

/* Sets *ret to the time when the process was started, in seconds since the epoch. */
static bool start_time(u32 pid, s64 *ret)
{
	char *text = proc_text(pid, "stat"), *p = text ? strrchr(text, ')') : NULL;
	unsigned long long ticks = 0;
	struct timespec now, up;
	long hz = sysconf(_SC_CLK_TCK);
	int field = 2; /* the field of the command's name, which may contain any character */

	for (; p && field < STARTTIME_FIELD; field++)
		p = strchr(p + 1, ' ');
	if (p)
		ticks = strtoull(p, NULL, 10);
	free(text);
	if (!p || hz <= 0 || clock_gettime(CLOCK_REALTIME, &now) ||
	    clock_gettime(CLOCK_BOOTTIME, &up))
		return false;
	*ret = (s64)now.tv_sec - (s64)up.tv_sec + (s64)(ticks / (unsigned long long)hz);
	return true;
}

static u64 ns_inode(u32 pid, const char *kind)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/ns/%s", pid, kind);
	return stat(path, &st) ? 0 : (u64)st.st_ino;
}

bool live_process_is(const struct recorded_process *p)
{
	s64 start;

	if (!p->pid || !start_time(p->pid, &start))
		return false;
	if (p->before && start > p->before + SLACK_S)
		return false;
	if (p->pid_ns && ns_inode(p->pid, "pid") != p->pid_ns)
		return false;
	return !p->mount_ns || ns_inode(p->pid, "mnt") == p->mount_ns;
}

bool live_process_ns_pid(u32 pid, u32 *ret)
{
	static const char key[] = "\nNStgid:";
	char *text = proc_text(pid, "status");
	const char *line = text ? strstr(text, key) : NULL, *last;
	unsigned int found;
	bool ok = false;

	if (line) {
		line += strlen(key);
		last = line + strcspn(line, "\n");
		while (last > line && last[-1] != '\t' && last[-1] != ' ')
			last--;
		ok = sscanf(last, "%u", &found) == 1;
	}
	if (ok)
		*ret = found;
	free(text);
	return ok;
}

bool live_process_has_other_files(u32 pid)
{
	char path[64];
	struct stat mine, theirs;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/ns/mnt", pid);
	if (stat("/proc/self/ns/mnt", &mine) || stat(path, &theirs))
		return false;
	return mine.st_ino != theirs.st_ino || mine.st_dev != theirs.st_dev;
}
