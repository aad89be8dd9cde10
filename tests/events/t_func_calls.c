/* SPDX-License-Identifier: MIT */
/* Calls whose returns are seen at the instructions that return. */
#include "tests/frame/unit.h"

#include "events/func/func_calls.h"

enum { F, G };

struct seen {
	char text[400]; /* "F10-30 s20": function, begin, end and self time of each call that
			   returned */
	size_t n;
};

static void say(struct seen *s, const char *text)
{
	if (s->n > sizeof(s->text) / 2)
		return;
	s->n += (size_t)snprintf(s->text + s->n, sizeof(s->text) - s->n, "%s%s", s->n ? ", " : "",
				 text);
}

static u32 returned(void *ctx, const struct func_call *c, u32 list)
{
	char text[60];

	snprintf(text, sizeof(text), "%c%llu-%llu s%llu d%u", "FG"[c->func],
		 (unsigned long long)c -> start, (unsigned long long)(c->start + c->ns),
		 (unsigned long long)c -> self, c -> depth);
	say(ctx, text);
	return list;
}

static u32 no_return(void *ctx, u32 row, u32 list, u32 inner)
{
	char text[20];

	(void)inner;
	snprintf(text, sizeof(text), "%c gone", "FG"[row]);
	say(ctx, text);
	return list;
}

static void emptied(void *ctx, u32 tid, u32 list, const struct func_call *longest)
{
	(void)ctx;
	(void)tid;
	(void)list;
	(void)longest;
}

static const struct func_calls_ops ops = { .returned = returned,
					   .no_return = no_return,
					   .emptied = emptied };

static void enter(struct func_calls *c, u32 func, u64 time, u64 sp)
{
	func_calls_enter(c, &(struct func_entry){ .pid = 1,
						  .tid = 1,
						  .func = func,
						  .row = func,
						  .exact = true,
						  .time = time,
						  .sp = sp,
						  .ip = 100 + func });
}

/* ip: of the instruction that returns. */
static void leave(struct func_calls *c, u32 func, u64 time, u64 sp, u64 ip)
{
	func_calls_leave(c, &(struct func_entry){ .pid = 1,
						  .tid = 1,
						  .func = func,
						  .exact = true,
						  .time = time,
						  .sp = sp,
						  .ip = ip });
}

#define BEGIN                  \
	struct seen s = { 0 }; \
	struct func_calls c;   \
	func_calls_init(&c, &ops, &s)
#define END(want, unknown)                        \
	do {                                      \
		CHECK_EQ(c.nr_no_entry, unknown); \
		func_calls_end(&c);               \
		CHECK_STR(s.text, want);          \
		func_calls_fini(&c);              \
	} while (0)

TEST(deeper_than_the_kernel_follows)
{
	BEGIN;
	for (u64 i = 0; i < 100; i++)
		enter(&c, F, i, 10000 - 16 * i);
	for (u64 i = 100; i-- > 0;)
		leave(&c, F, 200 - i, 10000 - 16 * i, 5);
	CHECK_EQ(c.nr_returns, 100);
	func_calls_fini(&c);
}

TEST(a_jump_to_another_function_is_a_return)
{
	BEGIN;
	enter(&c, F, 10, 1000);
	leave(&c, F, 20, 1000, 5);
	enter(&c, G, 20, 1000);
	leave(&c, G, 50, 1000, 6);
	END("F10-20 s10 d0, G20-50 s30 d0", 0);
}

TEST(a_place_has_one_call)
{
	BEGIN;
	enter(&c, F, 10, 1000); /* left by longjmp() */
	enter(&c, G, 20, 1000);
	leave(&c, G, 50, 1000, 6);
	END("F gone, G20-50 s30 d0", 0);
}

TEST(an_exception_cuts_the_stack)
{
	BEGIN;
	enter(&c, F, 10, 1000);
	enter(&c, G, 20, 900);
	leave(&c, F, 50, 1000, 5);
	END("G gone, F10-50 s40 d0", 0);
}

TEST(a_jump_within_the_function_is_none_out_of_it)
{
	BEGIN;
	enter(&c, F, 10, 1000);
	leave(&c, F, 20, 960, 4); /* taken for a jump to another function */
	leave(&c, F, 30, 1000, 5);
	END("F10-30 s20 d0", 0);
}

TEST(a_return_at_the_first_instruction_may_come_first)
{
	BEGIN;
	enter(&c, F, 10, 1000);
	leave(&c, G, 20, 900, 101);
	enter(&c, G, 21, 900);
	leave(&c, G, 22, 900, 101);
	enter(&c, G, 23, 900);
	leave(&c, F, 30, 1000, 5);
	END("G21-21 s0 d1, G23-23 s0 d1, F10-30 s20 d0", 0);
}

TEST(a_return_without_entry_is_not_that_of_the_next_one)
{
	BEGIN;
	leave(&c, G, 20, 900, 6);
	enter(&c, G, 21, 900);
	leave(&c, G, 25, 900, 6);
	END("G21-25 s4 d0", 1);
}

TEST(goroutines_change_threads)
{
	struct func_entry e = { .pid = 7, .tid = 1, .goroutine = 0xc0, .func = F, .exact = true };
	struct func_entry other = {
		.pid = 7, .tid = 1, .goroutine = 0xd0, .func = F, .exact = true
	};

	BEGIN;
	e.time = 10;
	func_calls_enter(&c, &e);
	other.time = 20;
	func_calls_enter(&c, &other);
	e.tid = 2;
	e.time = 30;
	func_calls_leave(&c, &e);
	other.time = 50;
	func_calls_leave(&c, &other);
	END("F10-30 s20 d0, F20-50 s30 d0", 0);
}
