/* SPDX-License-Identifier: MIT */
#include "events/recipes/own_recipes.h"
#include "events/recipes/recipe_text.h"

#include "tests/frame/unit.h"

static int parse(struct recipes *r, const char *text, struct perr *e)
{
	*r = (struct recipes){ 0 };
	return recipe_text_parse(r, "f.plat", span_of(text, strlen(text)), e);
}

TEST(all_lines)
{
	static const char text[] = "# a comment\n"
				   "recipe one \"what \"it\" shows\"\n"
				   "\tbegin a:b key x,y if x > 1 && y != ' if '\n"
				   "  begin ?c if z\r\n"
				   "\tthen d key f(x, y)\n"
				   "\tend e\n\tend g key h\n"
				   "\n"
				   "\tby comm , begin:id\n\tnest\n\tcycle\n\twhole-system\n"
				   "\trecord -a -g -e a:b -e 'c d' --call-graph=dwarf\n"
				   "recipe two \"\"\n\tcount a\n\tcount b if c\n\tvalue len";
	const struct recipe *one, *two;
	struct recipes r;
	struct perr e;

	CHECK_EQ(parse(&r, text, &e), 0);
	CHECK_EQ(r.nr, 2);
	one = recipes_find(&r, "one");
	two = recipes_find(&r, "two");
	CHECK_STR(one->about, "what \"it\" shows");
	CHECK_STR(one->begin, "a:b/x > 1 && y != ' if '/key=x,y/,?c/z/");
	CHECK_EQ(one->nr_ends, 2);
	CHECK_STR(one->ends[0], "d/key=f(x, y)/");
	CHECK_STR(one->ends[1], "e,g/key=h/");
	CHECK_STR(one->by, "comm , begin:id");
	CHECK_STR(one->record, "prec -a -g -e a:b -e 'c d' --call-graph=dwarf");
	CHECK(one->nest && one->cycle && one->whole_system && !one->value);
	CHECK_EQ(two->nr_ends, 2);
	CHECK_STR(two->ends[1], "b/c/");
	CHECK_STR(two->value, "len");
	CHECK(!two->begin && !two->record);
	CHECK(!recipes_find(&r, "three"));
	recipes_fini(&r);
}

TEST(the_last_of_a_name_counts)
{
	struct recipes r;
	struct perr e;

	recipes_init(&r);
	CHECK_EQ(recipe_text_parse(&r, "f", span_of("recipe runq \"\"\ncount x", 22), &e), 0);
	CHECK(!recipes_find(&r, "runq")->begin);
	CHECK(recipes_find(&r, "block")->begin != NULL);
	recipes_fini(&r);
}

#define NOT_AMONG                                                        \
	"is not among -a -g -e -c -F --filter --call-graph --user-regs " \
	"--off-cpu --switch-events"

TEST(mistakes_say_file_and_line)
{
	static const struct {
		const char *text, *says;
	} want[] = {
		{ "x", "f.plat:1: recipe NAME \"...\" is expected" },
		{ "\n\nrecipe", "f.plat:3: a name of a-z, 0-9 and - is expected, not ''" },
		{ "recipe A \"x\"", "f.plat:1: a name of a-z, 0-9 and - is expected, not 'A'" },
		{ "recipe -i \"x\"", "f.plat:1: a name of a-z, 0-9 and - is expected, not '-i'" },
		{ "recipe a", "f.plat:1: recipe a \"what it shows\" is expected" },
		{ "recipe a \"", "f.plat:1: recipe a \"what it shows\" is expected" },
		{ "recipe a \"\"", "f.plat:1: recipe 'a' ends without begin or count" },
		{ "recipe a \"\"\nbegin x\nthen y\n", "f.plat:3: recipe 'a' ends without end" },
		{ "recipe a \"\"\nend x", "f.plat:2: begin stands in front of then and end" },
		{ "recipe a \"\"\nbegin x\nend y\nbegin z",
		  "f.plat:4: begin stands in front of then and end" },
		{ "recipe a \"\"\nbegin x\nend y\nthen z",
		  "f.plat:4: then stands in front of end" },
		{ "recipe a \"\"\nbegin x\ncount y", "f.plat:3: begin and end, or count" },
		{ "recipe a \"\"\ncount x\nend y", "f.plat:3: begin and end, or count" },
		{ "recipe a \"\"\ncount", "f.plat:2: an event is expected" },
		{ "recipe a \"\"\ncount x,y", "f.plat:2: one event: 'x,y'" },
		{ "recipe a \"\"\ncount x/y/", "f.plat:2: one event: 'x/y/'" },
		{ "recipe a \"\"\ncount x y",
		  "f.plat:2: key or if is expected behind the event, not 'y'" },
		{ "recipe a \"\"\ncount x if", "f.plat:2: if: a condition is expected" },
		{ "recipe a \"\"\ncount x key", "f.plat:2: an expression is expected" },
		{ "recipe a \"\"\ncount x if a/,b",
		  "f.plat:2: if: '/,' and '/key=' cannot be in a condition" },
		{ "recipe a \"\"\ncount x\nby", "f.plat:3: 'by' lacks its value" },
		{ "recipe a \"\"\ncount x\nby a\nby b", "f.plat:4: a second line 'by'" },
		{ "recipe a \"\"\ncount x\nnest",
		  "f.plat:3: recipe 'a': nest and cycle go with begin, value with count" },
		{ "recipe a \"\"\ncount x\nwhole-system yes",
		  "f.plat:3: nothing follows 'whole-system'" },
		{ "recipe a \"\"\ncount x\ngarbage",
		  "f.plat:3: no line of a recipe begins with 'garbage'" },
		{ "recipe a \"\"\nanalysis",
		  "f.plat:2: no line of a recipe begins with 'analysis'" },
		{ "recipe a \"\"\ncount x\nrecord -a -o /etc/passwd",
		  "f.plat:3: record: '-o' " NOT_AMONG },
		{ "recipe a \"\"\ncount x\nrecord --switch-hook=reboot",
		  "f.plat:3: record: '--switch-hook=reboot' " NOT_AMONG },
		{ "recipe a \"\"\ncount x\nrecord -- reboot", "f.plat:3: record: '--' " NOT_AMONG },
		{ "recipe a \"\"\ncount x\nrecord -a -e",
		  "f.plat:3: record: the last option lacks its value" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct recipes r;
		struct perr e = { 0 };

		CHECK_EQ(parse(&r, want[i].text, &e), PERR_FORMAT);
		CHECK_STR(e.text, want[i].says);
		recipes_fini(&r);
	}
}

TEST(names_of_analyses_are_taken)
{
	static const char text[] = "recipe leak \"\"\ncount x";
	struct recipes r;
	struct perr e;

	recipes_init(&r);
	CHECK_EQ(recipe_text_parse(&r, "f", span_of(text, sizeof(text) - 1), &e), PERR_FORMAT);
	CHECK_STR(e.text, "f:1: 'leak' is an analysis of plat's own");
	recipes_fini(&r);
}
