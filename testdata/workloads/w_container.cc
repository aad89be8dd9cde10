/* SPDX-License-Identifier: MIT */
/*
 * Sorts with the C library until the time is over: stacks that go through two objects and back, with
 * an inlined function. TAG is part of all names. Usage: w_container MILLISECONDS.
 */
#include <cstdlib>
#include <ctime>

#define NAME2(a, b) a##b
#define NAME1(a, b) NAME2(a, b)
#define NAME(a) NAME1(a, TAG)

static volatile unsigned long NAME(sink_);

static unsigned long now_ms()
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ul + t.tv_nsec / 1000000ul;
}

namespace NAME(app_) {

static inline __attribute__((always_inline)) unsigned long inlined_weight(unsigned long v)
{
	unsigned long w = v;

	for (int i = 0; i < 200; i++)
		w = w * 3 ^ NAME(sink_);
	return w;
}

__attribute__((noinline)) int compare(const void *a, const void *b)
{
	unsigned long x = inlined_weight(*static_cast<const unsigned long *>(a));
	unsigned long y = *static_cast<const unsigned long *>(b);

	NAME(sink_) = x;
	return x < y ? -1 : x > y;
}

__attribute__((noinline)) void sort_all(unsigned long *v, size_t n)
{
	qsort(v, n, sizeof(*v), compare);
	NAME(sink_) = v[0];
}

} // namespace

int main(int argc, char **argv)
{
	unsigned long end = now_ms() + (argc > 1 ? strtoul(argv[1], nullptr, 10) : 100);
	unsigned long v[256];

	while (now_ms() < end) {
		for (size_t i = 0; i < 256; i++)
			v[i] = i * 2654435761ul % 1009;
		NAME(app_)::sort_all(v, 256);
	}
	return 0;
}
