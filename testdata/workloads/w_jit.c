/* SPDX-License-Identifier: MIT */
/*
 * Runs generated code out of anonymous memory and names it in /tmp/perf-PID.map as JIT compilers do: with a
 * name that holds spaces, one that is replaced later, one without an entry, and a malformed line.
 * Usage: w_jit [MILLISECONDS]. Takes its map file away only when told to by W_JIT_CLEAN.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* push rbp; mov rbp,rsp; mov ecx,edi; 1: dec ecx; jnz 1b; pop rbp; ret */
static const unsigned char loop_code[] = {
	0x55, 0x48, 0x89, 0xe5, 0x89, 0xf9, 0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3,
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	double ms = argc > 1 ? strtod(argv[1], NULL) : 60;
	double end;
	unsigned char *code = mmap(NULL, 16384, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *map;

	if (code == MAP_FAILED)
		return 1;
	for (int i = 0; i < 5; i++)
		memcpy(code + i * 256, loop_code, sizeof(loop_code));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(path, "w");
	if (!map)
		return 1;
	fprintf(map, "%lx %zx jit_first\n", (unsigned long)code, sizeof(loop_code));
	fprintf(map, "%lx %zx LazyCompile:~name with spaces (file.js:1:2)\n",
		(unsigned long)code + 256, sizeof(loop_code));
	fprintf(map, "0x%lx 0x%zx jit_third_0x\n", (unsigned long)code + 512, sizeof(loop_code));
	fprintf(map, "%lx 0 jit_zero_size\n", (unsigned long)code + 768);
	fprintf(map, "not a line\n");
	fprintf(map, "%lx %zx jit_first_again\n", (unsigned long)code, sizeof(loop_code));
	fflush(map);
	end = now() + ms;
	while (now() < end)
		for (int i = 0; i < 5; i++) {
			void (*fn)(int) = NULL;
			unsigned char *at = code + i * 256;

			memcpy(&fn, &at, sizeof(fn));
			fn(100000);
		}
	fclose(map);
	if (getenv("W_JIT_CLEAN"))
		unlink(path);
	return 0;
}
