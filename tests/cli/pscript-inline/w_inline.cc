namespace ns {
template <class T> struct Foo {
	T v;
	inline __attribute__((always_inline)) T spin(T n)
	{
		T s = v;

		for (T i = 0; i < n; i++) {
			s = s * 31 + i;
			asm volatile("" : "+r"(s));
		}
		return s;
	}
	inline __attribute__((always_inline)) T twice(T n)
	{
		T a = spin(n);

		return a + spin(n / 2);
	}
};
}
static inline __attribute__((always_inline)) unsigned long inner(unsigned long n)
{
	ns::Foo<unsigned long> f{n};

	return f.twice(n);
}
extern "C" __attribute__((noinline)) unsigned long leaf_c(unsigned long n)
{
	return inner(n) + 1;
}
static inline __attribute__((always_inline)) unsigned long wrap(unsigned long n)
{
	unsigned long r = leaf_c(n);

	asm volatile("" : "+r"(r));
	return r;
}
struct S {
	__attribute__((noinline)) unsigned long method(unsigned long n);
};
unsigned long S::method(unsigned long n)
{
	unsigned long r = wrap(n);

	asm volatile("" : "+r"(r));
	return r + 1;
}
int main(void)
{
	S s;
	unsigned long t = 0;
	int i;

	for (i = 0; i < 400; i++)
		t += s.method(100000);
	return (int)(t & 1);
}

/*
 * perf.data: perf 6.1 record -B -N -F 199 -e cpu-clock:u -g ./w_inline in /tmp/w, built there by g++
 * 12.2 -g -O2 -no-pie -fno-omit-frame-pointer. perf 7.2 prints the same as stdout has (but for libc).
 */
