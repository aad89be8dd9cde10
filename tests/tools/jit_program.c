/* SPDX-License-Identifier: MIT */
/*
 * jit_program FOLDER: a program that makes code while it runs, and tells of it in a jitdump,
 * FOLDER/jit-PID.dump, with call frame information. Ten times it makes functions that call each
 * other and keep no frame pointers, and runs them; half of the times in the place of earlier ones,
 * with other frames. Prints the path of the dump.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 10u
#define DEPTH 12u
#define RUN_NS 30000000u
#define ROOM 128u /* bytes of a function */

struct text {
	uint8_t p[512];
	size_t n;
};

static void put(struct text *t, const void *p, size_t n)
{
	memcpy(t->p + t->n, p, n);
	t->n += n;
}
static void put8(struct text *t, uint8_t v)
{
	put(t, &v, 1);
}
static void put32(struct text *t, uint32_t v)
{
	put(t, &v, 4);
}
static void put64(struct text *t, uint64_t v)
{
	put(t, &v, 8);
}
static void put_bytes(struct text *t, const char *s, size_t n)
{
	put(t, s, n);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* push %rbp; mov $1,%rbp; sub $size,%rsp; call callee or count down; add $size,%rsp; pop; ret */
static struct text code_of(uint32_t size, uint64_t callee, size_t *ret_add)
{
	struct text t = { .n = 0 };

	put_bytes(&t, "\x55\x48\xc7\xc5\x01\0\0\0\x48\x81\xec", 11);
	put32(&t, size);
	if (callee) {
		put_bytes(&t, "\x48\xb8", 2);
		put64(&t, callee);
		put_bytes(&t, "\xff\xd0", 2);
	} else {
		put_bytes(&t, "\xb9\x40\x42\x0f\0\xff\xc9\x75\xfc", 9);
	}
	put_bytes(&t, "\x48\x81\xc4", 3);
	put32(&t, size);
	*ret_add = t.n;
	put_bytes(&t, "\x5d\xc3", 2);
	return t;
}

static void put_uleb(struct text *t, uint32_t v)
{
	for (; v >= 0x80; v >>= 7)
		put8(t, (uint8_t)(v | 0x80));
	put8(t, (uint8_t)v);
}

static void pad(struct text *t, size_t from)
{
	uint32_t size;

	while ((t->n - from) % 8 != 4)
		put8(t, 0); /* DW_CFA_nop */
	size = (uint32_t)(t->n - from);
	memcpy(t->p + from - 4, &size, 4);
}

/* .eh_frame of a function, which lies behind its n bytes of code at the next multiple of 8. */
static struct text frames_of(size_t n, uint32_t size, size_t add)
{
	struct text t = { .n = 0 };
	size_t at = (n + 7) & ~(size_t)7, fde;

	put32(&t, 0);
	put_bytes(&t, "\0\0\0\0\x01zR\0\x01\x78\x10\x01\x1b", 13); /* CIE: pcrel sdata4 */
	put_bytes(&t, "\x0c\x07\x08\x90\x01", 5);                  /* CFA rsp+8, ra at CFA-8 */
	pad(&t, 4);
	put32(&t, 0);
	fde = t.n;
	put32(&t, (uint32_t)fde);
	put32(&t, (uint32_t) - (int32_t)(at + t.n));
	put32(&t, (uint32_t)n);
	put8(&t, 0);
	put_bytes(&t, "\x41\x0e\x10\x86\x02", 5); /* after push: CFA rsp+16, rbp at CFA-16 */
	put_bytes(&t, "\x4e\x0e", 2);             /* after sub */
	put_uleb(&t, 16 + size);
	put8(&t, 0x02); /* advance_loc1, to the instruction after add */
	put8(&t, (uint8_t)(add - 15));
	put_bytes(&t, "\x0e\x10\x41\x0e\x08\xc6", 6); /* rsp+16; after pop: rsp+8, rbp as before */
	pad(&t, fde);
	put32(&t, 0);
	return t;
}

static int tell(int fd, const struct text *t)
{
	return write(fd, t->p, t->n) == (ssize_t)t->n ? 0 : -1;
}

static int tell_function(int fd, uint64_t at, uint64_t index, const struct text *code,
			 const struct text *frames)
{
	struct text t = { .n = 0 };
	char name[32];
	size_t n = (size_t)snprintf(name, sizeof(name), "made_%u", (unsigned int)index) + 1;

	put32(&t, 4); /* UNWINDING_INFO */
	put32(&t, (uint32_t)(16 + 24 + frames->n));
	put64(&t, now_ns());
	put64(&t, frames->n);
	put64(&t, 0);
	put64(&t, frames->n);
	put(&t, frames->p, frames->n);
	if (tell(fd, &t))
		return -1;
	t.n = 0;
	put32(&t, 0); /* CODE_LOAD */
	put32(&t, (uint32_t)(16 + 40 + n + code->n));
	put64(&t, now_ns());
	put32(&t, (uint32_t)getpid());
	put32(&t, (uint32_t)getpid());
	put64(&t, at);
	put64(&t, at);
	put64(&t, code->n);
	put64(&t, index);
	put(&t, name, n);
	put(&t, code->p, code->n);
	return tell(fd, &t);
}

static int make_round(int fd, uint8_t *memory, unsigned int round)
{
	uint8_t *begin = memory + (size_t)(round % (ROUNDS / 2)) * DEPTH * ROOM;
	uint64_t callee = 0;

	for (unsigned int i = 0; i < DEPTH; i++) {
		uint32_t size = 64 + 16 * (i + round);
		uint8_t *to = begin + (size_t)i * ROOM;
		size_t add;
		struct text code = code_of(size, callee, &add);
		struct text frames = frames_of(code.n, size, add);

		memcpy(to, code.p, code.n);
		callee = (uintptr_t)to;
		if (tell_function(fd, callee, round * DEPTH + i, &code, &frames))
			return -1;
	}
	for (uint64_t end = now_ns() + RUN_NS; now_ns() < end;)
		((void (*)(void))(uintptr_t)callee)();
	return 0;
}

int main(int argc, char **argv)
{
	struct text t = { .n = 0 };
	char path[4096];
	uint8_t *memory;
	int fd;

	if (argc != 2)
		return 2;
	snprintf(path, sizeof(path), "%s/jit-%d.dump", argv[1], (int)getpid());
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	memory = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	put_bytes(&t, "DTiJ\x01\0\0\0\x28\0\0\0\x3e\0\0\0\0\0\0\0", 20);
	put32(&t, (uint32_t)getpid());
	put64(&t, now_ns());
	put64(&t, 0);
	if (fd < 0 || memory == MAP_FAILED || tell(fd, &t))
		return 1;
	/* a recorder sees it by this */
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		return 1;
	for (unsigned int round = 0; round < ROUNDS; round++)
		if (make_round(fd, memory, round))
			return 1;
	printf("%s\n", path);
	return 0;
}
