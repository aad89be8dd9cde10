/* SPDX-License-Identifier: MIT */
/*
 * A JIT that writes a jitdump into the working folder: code put over other code, code that moves,
 * lines of its source; and a function of the program itself that is moved to memory without a file.
 * x86-64.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define HERE __attribute__((noinline, section("movable"), aligned(4096)))

typedef void (*spin_fn)(unsigned int n);

/* push %rbp; mov %rsp,%rbp; 1: dec %edi; jne 1b; pop %rbp; ret */
static const uint8_t spin_code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xcf, 0x75, 0xfc, 0x5d, 0xc3 };

static FILE *dump;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void put(uint64_t v, size_t n)
{
	fwrite(&v, n, 1, dump);
}

static void put_head(uint32_t id, size_t body)
{
	put(id, 4);
	put(16 + body, 4);
	put(now(), 8);
}

static void told_line(void *at, uint64_t nr, const char *file)
{
	put_head(2, 16 + nr * (16 + strlen(file) + 1));
	put((uintptr_t)at, 8);
	put(nr, 8);
	for (uint64_t i = 0; i < nr; i++) {
		put((uintptr_t)at + 4 * i, 8);
		put(10 + i, 4);
		put(0, 4);
		fwrite(file, strlen(file) + 1, 1, dump);
	}
}

static void told_load(void *at, uint64_t index, const char *name)
{
	put_head(0, 40 + strlen(name) + 1 + sizeof(spin_code));
	put(getpid(), 4);
	put(getpid(), 4);
	put((uintptr_t)at, 8);
	put((uintptr_t)at, 8);
	put(sizeof(spin_code), 8);
	put(index, 8);
	fwrite(name, strlen(name) + 1, 1, dump);
	fwrite(spin_code, sizeof(spin_code), 1, dump);
}

static void told_move(void *from, void *to, uint64_t index)
{
	put_head(1, 48);
	put(getpid(), 4);
	put(getpid(), 4);
	put((uintptr_t)to, 8);
	put((uintptr_t)from, 8);
	put((uintptr_t)to, 8);
	put(sizeof(spin_code), 8);
	put(index, 8);
}

static void spin(void *at)
{
	((spin_fn)(uintptr_t)at)(80000000);
}

HERE void moved_function(unsigned int n)
{
	while (n--)
		__asm__ volatile("");
}

HERE void behind_it(void)
{
}

static int move_function(void)
{
	static char saved[4096];
	char *at = (char *)(uintptr_t)moved_function;

	memcpy(saved, at, sizeof(saved));
	if (mmap(at, sizeof(saved), PROT_READ | PROT_WRITE | PROT_EXEC,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != at)
		return 1;
	memcpy(at, saved, sizeof(saved));
	moved_function(80000000);
	return 0;
}

int main(void)
{
	char name[40];
	uint8_t *code;

	snprintf(name, sizeof(name), "jit-%d.dump", (int)getpid());
	dump = fopen(name, "w+");
	if (!dump)
		return 1;
	put(0x4A695444, 4);
	put(1, 4);
	put(40, 4);
	put(62, 4);
	put(0, 4);
	put(getpid(), 4);
	put(now(), 8);
	put(0, 8);
	fflush(dump);
	code = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	/* the mark of a jitdump */
	if (code == MAP_FAILED ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED)
		return 1;
	memcpy(code, spin_code, sizeof(spin_code));
	told_line(code, 2, "first.src");
	told_load(code, 0, "first");
	spin(code);
	told_line(code, 2, "second.src");
	told_load(code, 1, "second");
	spin(code);
	memcpy(code + 256, spin_code, sizeof(spin_code));
	told_move(code, code + 256, 1);
	spin(code + 256);
	told_load(code, 2, "third");
	spin(code);
	put_head(3, 0);
	fclose(dump);
	return move_function();
}
