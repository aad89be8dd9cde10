# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Programs that checks/advice.sh records, and stand-ins for what a machine may not have.

player() { # name; the script on standard input
	{ echo '#!/bin/bash'; cat; } > "$D/players/$1"
	chmod 755 "$D/players/$1"
}

make_sources() {
	# burns time in a function that is not exported; $1: tenths of a second (a half)
	cat > $D/app.c <<- 'C'
		#include <stdlib.h>
		#include <time.h>
		static volatile unsigned long sink;
		static __attribute__((noinline)) void hidden_function(void)
		{
			for (unsigned long i = 0; i < 200000; i++)
				sink += i * i;
		}
		static __attribute__((noinline)) void outer_function(void)
		{
			hidden_function();
			sink++;
		}
		int main(int argc, char **argv)
		{
			clock_t end = clock() + CLOCKS_PER_SEC / 20 * (argc > 1 ? 2 * atoi(argv[1]) : 1);

			while (clock() < end)
				outer_function();
			return 0;
		}
	C
	# recursion: $1 calls deep, each with a frame of SIZE bytes
	cat > $D/deep.c <<- 'C'
		#include <stdlib.h>
		#include <time.h>
		static volatile unsigned long sink;
		__attribute__((noinline)) void go_down(int n, clock_t end)
		{
			volatile char room[SIZE];

			room[0] = (char)n;
			if (n)
				go_down(n - 1, end);
			else
				while (clock() < end)
					for (unsigned long i = 0; i < 100000; i++)
						sink += i;
			sink += (unsigned long)room[0];
		}
		int main(int argc, char **argv)
		{
			(void)argc;
			go_down(atoi(argv[1]), clock() + CLOCKS_PER_SEC / 10);
			return 0;
		}
	C
	# makes code while it runs, as a JIT does, and writes a map of it if it is started so
	cat > $D/jit.c <<- 'C'
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <sys/mman.h>
		#include <time.h>
		#include <unistd.h>
		int main(int argc, char **argv)
		{
			static const unsigned char code[] = { 0xb9, 0, 0, 8, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
			char *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			const char *map = getenv("JIT_MAP"), *net = getenv("DOTNET_PerfMapEnabled");
			clock_t end = clock() + CLOCKS_PER_SEC / 10;
			char name[64];

			for (int i = 1; i < argc; i++)
				if (!strncmp(argv[i], "perf", 4) || !strcmp(argv[i], "+JPperf"))
					map = "1";
			if (net && !strcmp(net, "1"))
				map = net;
			memcpy(m, code, sizeof(code));
			if (map) {
				FILE *f;

				snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
				f = fopen(name, "w");
				fprintf(f, "%lx 20 jitted_function\n",
					*map == '1' ? (unsigned long)m : 0x1000ul);
				fclose(f);
			}
			while (clock() < end)
				((void (*)(void))m)();
			return 0;
		}
	C
	# perf_event_open fails with $REFUSE_ERRNO while the file $REFUSE_WHILE exists
	cat > $D/refuse.c <<- 'C'
		#include <dlfcn.h>
		#include <errno.h>
		#include <linux/perf_event.h>
		#include <stdarg.h>
		#include <stdlib.h>
		#include <sys/syscall.h>
		#include <unistd.h>
		long syscall(long number, ...)
		{
			long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
			const char *file = getenv("REFUSE_WHILE"), *type = getenv("REFUSE_TYPE");
			const char *precise = getenv("REFUSE_PRECISE"); /* more than this */
			struct perf_event_attr *attr;
			long a[6];
			va_list ap;

			va_start(ap, number);
			for (int i = 0; i < 6; i++)
				a[i] = va_arg(ap, long);
			va_end(ap);
			attr = (struct perf_event_attr *)a[0];
			if (number == SYS_perf_event_open && (!file || !access(file, F_OK)) &&
			    (!type || attr->type == (unsigned int)atoi(type)) &&
			    (!precise || attr->precise_ip > (unsigned int)atoi(precise)) &&
			    (!getenv("REFUSE_MEMBERS") || (int)a[3] >= 0)) {
				errno = atoi(getenv("REFUSE_ERRNO"));
				return -1;
			}
			if (number == SYS_perf_event_open && getenv("PLAY_PMU") && attr->type != 1) {
				attr->type = 1;
				attr->config = 0;
				attr->precise_ip = 0;
				attr->sample_type &= ~(unsigned long)PERF_SAMPLE_BRANCH_STACK;
				attr->branch_sample_type = 0;
			}
			return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
		}
	C
	# runs a command under a seccomp filter as that of container engines
	cat > $D/sandbox.c <<- 'C'
		#include <errno.h>
		#include <linux/filter.h>
		#include <linux/seccomp.h>
		#include <stddef.h>
		#include <sys/prctl.h>
		#include <sys/syscall.h>
		#include <unistd.h>
		int main(int argc, char **argv)
		{
			struct sock_filter code[] = {
				BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
				BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
				BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
				BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
			};
			struct sock_fprog p = { .len = 4, .filter = code };

			(void)argc;
			prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
			if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p, 0, 0))
				return 1;
			execvp(argv[1], argv + 1);
			return 1;
		}
	C
	# a libdebuginfod whose servers are $SERVERS, and which have the one file $SERVED
	cat > $D/servers.c <<- 'C'
		#include <errno.h>
		#include <fcntl.h>
		#include <stdlib.h>
		#include <string.h>
		static int client, progress;
		void *debuginfod_begin(void) { return &client; }
		void debuginfod_end(void *c) { (void)c; }
		static int find(char **path)
		{
			const char *urls = getenv("DEBUGINFOD_URLS"), *up = getenv("SERVERS");
			const char *file = getenv("SERVED");
			int fd;

			if (!urls || !up || !strstr(up, urls))
				return -ECONNREFUSED;
			fd = file ? open(file, O_RDONLY) : -1;
			if (fd < 0)
				return -ENOENT;
			if (path)
				*path = strdup(file);
			return fd;
		}
		int debuginfod_find_debuginfo(void *c, const unsigned char *id, int n, char **path)
		{
			(void)c, (void)id, (void)n;
			return find(path);
		}
		int debuginfod_find_executable(void *c, const unsigned char *id, int n, char **path)
		{
			(void)c, (void)id, (void)n, (void)path;
			return -ENOENT;
		}
		void debuginfod_set_progressfn(void *c, void *fn) { (void)c, (void)fn; }
		void debuginfod_set_user_data(void *c, void *d) { (void)c, (void)d; }
		void *debuginfod_get_user_data(void *c) { (void)c; return &progress; }
	C
}

frame_pointers='-fno-omit-frame-pointer -fno-optimize-sibling-calls'

# app and app.debug: the program with symbols, and those alone; stripped: without
make_programs() {
	make_sources
	{
		gcc -g -O1 $frame_pointers -Wl,--build-id -o $D/app $D/app.c &&
			objcopy --only-keep-debug $D/app $D/app.debug &&
			strip -o $D/stripped $D/app &&
			gcc -g -O1 $frame_pointers -o $D/jit $D/jit.c &&
			gcc -shared -fPIC -o $D/refuse.so $D/refuse.c &&
			gcc -o $D/sandbox $D/sandbox.c &&
			mkdir -p $D/servers &&
			gcc -shared -fPIC -Wl,-soname,libdebuginfod.so.1 \
				-o $D/servers/libdebuginfod.so.1 $D/servers.c
	} > $D/cc.log 2>&1 || return 1
	chmod -R a+rX $D
}

# A stripped program where a distribution's files are, recorded; a package owns nothing yet.
recorded_system_file() {
	mount -t tmpfs none /usr/src
	mount -t tmpfs none /usr/lib/debug 2> /dev/null
	printf 'ID=debian\n' > os-release
	mount --bind os-release "$(realpath /etc/os-release)"
	cp $D/stripped /usr/src/program
	player dpkg <<< 'exit 1'
	player apt-cache <<< 'exit 100'
	player rpm <<< 'exit 1'
	rec -g -- /usr/src/program
}
# The debug symbols of the program, as the installation of their package leaves them.
debug_files_appear() { # name of the player that does it
	local id
	id=$(readelf -n $D/app | awk '/Build ID/ { print $3 }')
	player "$1" <<- E
		echo "\$@" > $D/installed
		mkdir -p /usr/lib/debug/.build-id/${id:0:2} &&
			cp $D/app.debug /usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
	E
}
