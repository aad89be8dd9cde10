/* SPDX-License-Identifier: MIT */
/* A library with one exported and one hidden function; built twice with different NAMEs and sizes. */
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

static volatile unsigned long sink;

#ifdef PADDED
__attribute__((noinline)) void padding_before(void) { for (int i = 0; i < 100; i++) sink += i; }
#endif

static __attribute__((noinline)) void CAT(inner_, NAME)(void)
{
	for (unsigned long i = 0; i < 400000; i++)
		sink += i ^ sink;
}

__attribute__((noinline)) int lib_work(int n)
{
	for (int i = 0; i < n; i++)
		CAT(inner_, NAME)();
	return (int)sink;
}
