/* SPDX-License-Identifier: MIT */
/* The words of -g, and what they are when not given. */
#include "profile/chain_option.h"

#include "tests/frame/unit.h"

static struct chain_option parsed(const char *arg)
{
	struct chain_option o;
	struct perr e;

	chain_option_init(&o);
	CHECK_EQ(chain_option_parse(&o, arg, &e), 0);
	return o;
}

TEST(option_words)
{
	struct chain_option o = parsed(NULL);

	CHECK(o.mode == CHAIN_GRAPH && o.order == CHAIN_CALLER && o.order_set);
	o = parsed("");
	CHECK(o.mode == CHAIN_GRAPH && o.order == CHAIN_CALLEE && !o.order_set);
	CHECK(o.asked && o.min_percent == 0.5 && !o.print_limit);
	o = parsed("fractal,2.5%,7,caller,address,count");
	CHECK(o.mode == CHAIN_FRACTAL && o.order == CHAIN_CALLER && o.key == CHAIN_KEY_ADDRESS);
	CHECK(o.value == CHAIN_COUNT && o.min_percent == 2.5);
	CHECK_EQ(o.print_limit, 7);
	o = parsed("period,,callee,0x2,0x10,fla");
	CHECK(o.value == CHAIN_PERIOD && o.mode == CHAIN_FLAT && o.order_set);
	CHECK(o.order == CHAIN_CALLEE && o.min_percent == 2);
	CHECK_EQ(o.print_limit, 16);
	CHECK(parsed("f").mode == CHAIN_FLAT);
	CHECK(parsed("fr").mode == CHAIN_FRACTAL);
	CHECK(parsed("fo").mode == CHAIN_FOLDED);
	CHECK(parsed("c").order == CHAIN_CALLER);
	CHECK(parsed("cou").value == CHAIN_COUNT);
	CHECK(parsed("s").key == CHAIN_KEY_SRCLINE);
	CHECK(parsed("b").branches);
	CHECK(parsed("callee,none,what").mode == CHAIN_NONE);
}

TEST(option_errors_change_nothing)
{
	static const char *const bad[] = { "graph,x",
					   "nonex",
					   "flat,-1",
					   "nan",
					   "1,y",
					   "callerr",
					   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" };
	struct chain_option o;
	struct perr e;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		chain_option_init(&o);
		CHECK_EQ(chain_option_parse(&o, bad[i], &e), PERR_USAGE);
		CHECK(o.mode == CHAIN_GRAPH && !o.asked && o.min_percent == 0.5);
	}
}

TEST(option_order_by_default)
{
	struct chain_option o;

	chain_option_init(&o);
	chain_option_settle(&o, false, false);
	CHECK(o.order == CHAIN_CALLEE);
	chain_option_settle(&o, false, true);
	CHECK(o.order == CHAIN_CALLER);
	o = parsed("callee");
	chain_option_settle(&o, false, true);
	CHECK(o.order == CHAIN_CALLEE);
	chain_option_settle(&o, true, false);
	CHECK(o.order == CHAIN_CALLER);
}

TEST(option_config)
{
	struct chain_option o;
	struct perr e;

	chain_option_init(&o);
	CHECK_EQ(chain_option_config(&o, "print-type", "fractal", &e), 0);
	CHECK_EQ(chain_option_config(&o, "order", "callee", &e), 0);
	CHECK_EQ(chain_option_config(&o, "sort-key", "srcline", &e), 0);
	CHECK_EQ(chain_option_config(&o, "threshold", "3", &e), 0);
	CHECK_EQ(chain_option_config(&o, "print-limit", "4", &e), 0);
	CHECK_EQ(chain_option_config(&o, "record-mode", "dwarf", &e), 0);
	CHECK(o.mode == CHAIN_FRACTAL && o.order_set && o.key == CHAIN_KEY_SRCLINE);
	CHECK(o.min_percent == 3 && o.print_limit == 4);
	CHECK_EQ(chain_option_config(&o, "order", "up", &e), PERR_USAGE);
	CHECK_EQ(chain_option_config(&o, "threshold", "much", &e), PERR_USAGE);
}
