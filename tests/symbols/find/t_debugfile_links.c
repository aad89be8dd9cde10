/* SPDX-License-Identifier: MIT */
/* DWARF from files that .gnu_debuglink or a build id leads to. */
#include "symbols/find/debugfile.h"

#include <string.h>

#include "tests/frame/unit.h"
#include "tests/symbols/find/use_debugfile.h"

/* Whether a file whose path ends so was refused for this. */
static bool was_refused(const struct debugfile *d, const char *end, const char *why)
{
	size_t n = strlen(end);

	for (size_t i = 0; i < d->nr_tries; i++) {
		const char *path = d->tries[i].path;

		if (strlen(path) >= n && !strcmp(path + strlen(path) - n, end) &&
		    !strcmp(d->tries[i].why, why) && !d->tries[i].roles)
			return true;
	}
	return false;
}

TEST(dwarf_from_a_third_file)
{
	struct place p = place_new();
	struct debugfile found;

	place_use(&p, true);
	place_put_elf(&p, SELF, RUNTIME);
	place_put_elf(&p, ".debug/" ID_FILE "/debug", SYMTAB);
	place_put_elf(&p, "usr/lib/debug/" SELF ".debug", SYMTAB | DWARF | OTHER_ID);
	place_put_elf(&p, "usr/lib/debug/" ID_FILE ".debug", DWARF);
	place_put_elf(&p, "usr/lib/x/.debug/lib.so", SYMTAB | DWARF);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK_EQ(found.letter, 'D');
	CHECK(found.dwarf && found.dwarf != found.symbols && found.dwarf != found.runtime);
	CHECK_EQ(place_role_of(&found, ID_FILE "/debug"), DEBUGFILE_SYMBOLS);
	CHECK_EQ(place_role_of(&found, ID_FILE ".debug"), DEBUGFILE_DWARF);
	CHECK_EQ(place_role_of(&found, "x/lib.so.debug"), 0);
	CHECK(was_refused(&found, "x/lib.so.debug", "its build-id differs"));
	CHECK(was_refused(&found, ID_FILE "/elf", "no such file"));
	debugfile_fini(&found);
	place_free(&p);
}

TEST(one_file_for_all)
{
	struct place p = place_new();
	struct debugfile found;

	place_use(&p, true);
	place_put_elf(&p, SELF, RUNTIME | SYMTAB | DWARF);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK(found.symbols && found.dwarf == found.symbols && found.runtime == found.symbols);
	CHECK_EQ(place_role_of(&found, SELF), DEBUGFILE_SYMBOLS | DEBUGFILE_CODE | DEBUGFILE_DWARF);
	debugfile_fini(&found);
	/* lines are of use without a name as well */
	place_put_elf(&p, SELF, DWARF);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK(!found.symbols && found.dwarf);
	debugfile_fini(&found);
	place_free(&p);
}

TEST(checksum_decides_without_ids)
{
	struct place p = place_new();
	struct debugfile found;

	place_use(&p, false);
	place_put_elf(&p, SELF, RUNTIME | NO_ID | LINK);
	place_put_elf(&p, "usr/lib/x/lib.debug", SYMTAB | NO_ID);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK_EQ(found.letter, 'd');
	CHECK(was_refused(&found, "x/lib.debug", "its checksum is not that of .gnu_debuglink"));
	debugfile_fini(&found);
	place_put_elf(&p, SELF, RUNTIME | NO_ID | LINK | GOOD_CRC);
	CHECK_EQ(place_find(&p, NULL), 'l');
	/* with ids they decide, as a debug file may have been worked on */
	place_put_elf(&p, SELF, RUNTIME | LINK);
	place_put_elf(&p, "usr/lib/x/lib.debug", SYMTAB);
	CHECK_EQ(place_find(&p, NULL), 'l');
	place_free(&p);
}

TEST(links_go_on_after_another_build)
{
	struct place p = place_new();

	place_use(&p, true);
	place_put_elf(&p, SELF, RUNTIME | LINK);
	place_put_elf(&p, "usr/lib/x/lib.debug", SYMTAB | OTHER_ID);
	place_put_elf(&p, "usr/lib/x/.debug/lib.debug", SYMTAB);
	CHECK_EQ(place_find(&p, NULL), 'l');
	place_free(&p);
}

TEST(global_debuglink_below_symfs)
{
	struct place p = place_new();

	place_use(&p, true);
	place_put_elf(&p, SELF, RUNTIME | LINK);
	place_put_elf(&p, "usr/lib/debug/usr/lib/x/lib.debug", SYMTAB);
	CHECK_EQ(place_find(&p, NULL), 'l');
	place_free(&p);
}

TEST(link_that_is_a_path)
{
	struct place p = place_new();
	struct debugfile found;
	struct diag diag;

	diag_init(&diag);
	place_use(&p, true);
	p.cfg.diag = &diag;
	place_put_elf(&p, SELF, RUNTIME | PATH_LINK);
	place_put_elf(&p, "usr/lib/b.debug", SYMTAB);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK_EQ(found.letter, 'd');
	CHECK_EQ(diag.nr, 1);
	CHECK(strstr(diag.entries[0].text, "names a path, '../b.debug'"));
	debugfile_fini(&found);
	diag_fini(&diag);
	place_free(&p);
}
