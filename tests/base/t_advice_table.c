/* SPDX-License-Identifier: MIT */
/* The table of advice: its rows are complete, and facts are put in quoted. */
#include "base/advice/advice.h"

#include "base/advice/advice_error.h"
#include "base/mem.h"
#include "tests/frame/unit.h"

TEST(every_row_is_complete)
{
	for (int i = 0; i < ADVICE_IDS; i++) {
		const struct advice *a = advice_get((enum advice_id)i);

		if (!a->name || !a->when) {
			unit_fail(__FILE__, __LINE__, "row %d is missing", i);
			continue;
		}
		for (int k = 0; k < i; k++)
			CHECK(strcmp(advice_get((enum advice_id)k)->name, a->name));
		CHECK_EQ(!a->command, a->use == ADVICE_WORDS);
		CHECK(a->command || a->words);
		/* words without the command would hide it */
		if (a->command && a->words && !strstr(a->words, "{}"))
			unit_fail(__FILE__, __LINE__, "%s: no command in '%s'", a->name, a->words);
		CHECK(*advice_use_name(a->use));
	}
}

TEST(facts_are_put_in)
{
	const struct advice_fact facts[] = { { "debug", "libz-dbg" }, { NULL, NULL } };
	const struct advice_fact odd[] = { { "file", "/tmp/it's; rm -rf *" }, { NULL, NULL } };
	char *text = advice_text(ADVICE_DEBUG_PACKAGE, facts);

	CHECK_STR(text, "its debug symbols are in package libz-dbg: sudo apt install libz-dbg");
	free(text);
	text = advice_command(ADVICE_MAKE_READABLE, odd);
	CHECK_STR(text, "sudo chmod a+r '/tmp/it'\\''s; rm -rf *'");
	free(text);
	/* a fact that is not known stays a name for people */
	text = advice_text(ADVICE_MAKE_READABLE, NULL);
	CHECK_STR(text, "sudo chmod a+r FILE");
	free(text);
	CHECK(!advice_command(ADVICE_ANY_MAP, NULL));
	text = advice_text(ADVICE_CALLGRAPH_DWARF, NULL);
	CHECK_STR(text, "record with prec --call-graph unwind");
	free(text);
}

TEST(errors_take_advice)
{
	struct perr e = { .text = "denied" };

	perr_add_advice_number(&e, ADVICE_PARANOID, "value", -1);
	CHECK_STR(e.text, "denied\n  sudo sysctl kernel.perf_event_paranoid=-1");
	memset(e.text, 'x', sizeof(e.text) - 1);
	perr_add_advice(&e, ADVICE_KPTR, NULL);
	CHECK_EQ(strlen(e.text), sizeof(e.text) - 1);
	perr_add_advice(NULL, ADVICE_KPTR, NULL);
}
