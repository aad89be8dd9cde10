/* SPDX-License-Identifier: MIT */
#include "events/text_list.h"

#include "tests/frame/unit.h"

TEST(events_with_conditions)
{
	static const char *const want[] = { "a", "b/x, y / 2/", "?c/z/key=p,q/", "d" };
	static const char text[] = "a,b/x, y / 2/,?c/z/key=p,q/,d";
	struct span rest = span_of(text, sizeof(text) - 1), item;
	size_t n = 0;

	while (text_list_next(&rest, ',', true, &item)) {
		CHECK(n < ARRAY_SIZE(want));
		CHECK_EQ(item.n, strlen(want[n]));
		CHECK_MEM(item.p, want[n], item.n);
		n++;
	}
	CHECK_EQ(n, ARRAY_SIZE(want));
}

TEST(lists_of_expressions)
{
	static const struct {
		const char *text, *items[4];
		size_t equals;
	} want[] = {
		{ "a,b", { "a", "b" }, SIZE_MAX },
		{ " a , b c ", { "a", "b c" }, SIZE_MAX },
		{ "f(a,b),'x,y',c[1,2]", { "f(a,b)", "'x,y'", "c[1,2]" }, SIZE_MAX },
		{ "a=b", { "a=b" }, 1 },
		{ "a==b", { "a==b" }, SIZE_MAX },
		{ "a<=b=c", { "a<=b=c" }, 4 },
		{ "a!='='=c", { "a!='='=c" }, 6 },
		{ "", { NULL }, SIZE_MAX },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct span rest = span_of(want[i].text, strlen(want[i].text)), item;
		size_t n = 0;

		CHECK_EQ(text_list_equals(rest), want[i].equals);
		while (text_list_next(&rest, ',', false, &item)) {
			CHECK(want[i].items[n]);
			CHECK_EQ(item.n, strlen(want[i].items[n]));
			CHECK_MEM(item.p, want[i].items[n], item.n);
			n++;
		}
		CHECK(!want[i].items[n]);
	}
}

TEST(empty_items_of_a_list)
{
	CHECK(text_list_has_blank(""));
	CHECK(text_list_has_blank(" "));
	CHECK(text_list_has_blank("a,"));
	CHECK(text_list_has_blank("a,,b"));
	CHECK(text_list_has_blank(",a"));
	CHECK(!text_list_has_blank("a"));
	CHECK(!text_list_has_blank("a/x == ','/,b"));
}

static void check_name(const char *text, const char *name, const char *rest)
{
	struct span item = span_of(text, strlen(text)), got;
	struct perr e;
	int err = text_list_take_name(&item, &got, &e);

	CHECK_EQ(err, name ? 0 : PERR_USAGE);
	if (!name)
		return;
	CHECK_EQ(got.n, strlen(name));
	CHECK(!memcmp(got.p, name, got.n));
	CHECK_EQ(item.n, strlen(rest));
	CHECK(!memcmp(item.p, rest, item.n));
}

TEST(names_of_columns)
{
	check_name("key == 1", "", "key == 1");
	check_name("a <= 'x=y'", "", "a <= 'x=y'");
	check_name("hash=hex(key)", "hash", "hex(key)");
	check_name("is it = key == 1 ? 'a=b' : 'c'", "is it", "key == 1 ? 'a=b' : 'c'");
	check_name("x.y-2_=begin:key", "x.y-2_", "begin:key");
	check_name("=key", NULL, NULL);
	check_name("a+b=key", NULL, NULL);
	check_name("a name of more than 32 characters=key", NULL, NULL);
}
