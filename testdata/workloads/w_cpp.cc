/* SPDX-License-Identifier: MIT */
/*
 * Names of every shape a C++ compiler makes, each function burning a little time: what a sampler then
 * shows needs demangling. Usage: w_cpp [MILLISECONDS|xROUNDS].
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

static volatile unsigned long sink;

static unsigned long now_ns()
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ul + ts.tv_nsec;
}

#define BURN(n) do { for (unsigned long i_ = 0; i_ < (unsigned long)(n); i_++) sink += i_ * 3 ^ sink; } while (0)

namespace outer {
namespace {
NOINLINE void hidden(int n) { BURN(n); }
}

inline namespace v2 {
struct point { int x, y; };
NOINLINE point operator+(const point &a, const point &b) { BURN(900); return {a.x + b.x, a.y + b.y}; }
NOINLINE bool operator<(const point &a, const point &b) { BURN(20); return a.x < b.x; }
}

template <typename T> struct box {
	T held;

	NOINLINE explicit box(T t) : held(t) { BURN(700); }
	NOINLINE ~box() { BURN(700); }
	NOINLINE T spin(T n) const { BURN(2500); return held + n; }
	NOINLINE operator bool() const { BURN(300); return true; }
	template <typename U> NOINLINE U turn(U u) && { BURN(400); return u; }
	NOINLINE T &operator[](int) { BURN(300); return held; }
	NOINLINE void operator()(const char *, ...) { BURN(300); }
	static NOINLINE int count(std::vector<std::pair<T, std::string>> &v) { BURN(600); return v.size(); }
};

template <int N, bool B, char C = 'x'> NOINLINE int counted(int (*f)(int), int arg) { BURN(N); return B ? f(arg) : C; }
template <typename... A> NOINLINE unsigned long many(A... a) { BURN(500); return sizeof...(a); }
template <template <typename, typename> class V, typename T> NOINLINE int holder(V<T, std::allocator<T>> &v)
{
	BURN(500);
	return v.size();
}
template <typename T> NOINLINE auto deduced(T t) -> decltype(t + 1) { BURN(500); return t + 1; }

enum class colour : unsigned char { red, green };
template <colour C> NOINLINE void tinted(void) { BURN(400); }
template <int point::*M> NOINLINE int member(const point &p) { BURN(400); return p.*M; }
}

struct base_a {
	virtual ~base_a() = default;
	virtual NOINLINE int work(int n) { BURN(300); return n; }
};
struct base_b {
	long pad;
	virtual ~base_b() = default;
	virtual int other(int n) = 0;
};
struct derived final : base_a, virtual base_b {
	NOINLINE int work(int n) override { BURN(600); return n + 1; }
	NOINLINE int other(int n) override { BURN(600); return n + 2; }
};

static NOINLINE int depth(int n)
{
	BURN(60);
	if (n == 0)
		return 1;
	return depth(n - 1) + 1;
}

static NOINLINE int callback(int n) { BURN(300); return n; }
extern "C" NOINLINE void plain_c(void) { BURN(900); }
NOINLINE void tagged(void) __attribute__((abi_tag("v7")));
NOINLINE void tagged(void) { BURN(400); }
NOINLINE int refs(const std::string &s, std::string &&t, unsigned char c, long double d, int (&arr)[3])
{
	BURN(700);
	return s.size() + t.size() + c + (int)d + arr[0];
}
NOINLINE void __attribute__((aligned(64))) aligned_one(std::nullptr_t, decltype(nullptr) *, void (*)(int, ...)) { BURN(300); }

int main(int argc, char **argv)
{
	const char *arg = argc > 1 ? argv[1] : "60";
	unsigned long rounds = *arg == 'x' ? strtoul(arg + 1, nullptr, 10) : 0;
	unsigned long ms = rounds ? 60 : strtoul(arg, nullptr, 10);
	unsigned long end = rounds ? 0 : now_ns() + ms * 1000000;
	auto lambda = [](auto v) __attribute__((noinline)) { BURN(900); return v; };
	std::function<int(int)> wrapped = [&](int n) { BURN(600); return n + (int)ms; };
	std::unique_ptr<derived> d(new derived);

	while (end ? now_ns() < end : rounds-- > 0) {
		outer::box<unsigned long> b(3);
		outer::box<std::string> s("x");
		std::vector<std::pair<unsigned long, std::string>> v(3);
		std::vector<outer::point> points(64);
		std::map<std::string, std::vector<int>> tree;
		int arr[3] = {1, 2, 3};

		outer::hidden(800);
		b.spin(4);
		if (b)
			b[2] = 5;
		b("%d", 3);
		std::move(b).turn(3.5f);
		outer::box<unsigned long>::count(v);
		outer::counted<700, true>(callback, 3);
		outer::counted<500, false, 'q'>(callback, 3);
		outer::many(1, 'c', 3.0, "str", &arr);
		outer::holder(points);
		outer::deduced(3u);
		outer::tinted<outer::colour::green>();
		outer::member<&outer::point::y>(points[0]);
		points[0] = points[1] + points[2];
		for (size_t i = 0; i < points.size(); i++)
			points[i].x = (int)(i * 7919 % 61);
		std::sort(points.begin(), points.end());
		std::sort(points.begin(), points.end(),
			  [](const outer::point &l, const outer::point &r) { BURN(10); return l.y < r.y; });
		lambda(3);
		lambda("three");
		wrapped(5);
		d->work(1);
		static_cast<base_a *>(d.get())->work(2);
		static_cast<base_b *>(d.get())->other(3);
		depth(40);
		plain_c();
		tagged();
		refs("a", std::string("b"), 'c', 1.0l, arr);
		aligned_one(nullptr, nullptr, nullptr);
		for (int i = 0; i < 20; i++)
			tree[std::to_string(i)].push_back(i);
	}
	return 0;
}
