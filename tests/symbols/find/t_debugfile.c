/* SPDX-License-Identifier: MIT */
/* Where symbols and DWARF of a file come from: order of places, statuses, build ids. */
#include "symbols/find/debugfile.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/find/build_id_cache.h"
#include "tests/frame/unit.h"
#include "tests/symbols/find/use_debugfile.h"

static void remove_file(struct place *p, const char *path)
{
	char *full = xasprintf("%s/%s", p->root, path);

	CHECK_EQ(unlink(full), 0);
	free(full);
}

TEST(order_of_places)
{
	static const struct {
		char letter;
		const char *path;
	} places[] = {
		{ 'l', "usr/lib/x/lib.debug" },
		{ 'l', "usr/lib/x/.debug/lib.debug" },
		{ 'B', ".debug/" ID_FILE "/elf" },
		{ 'D', ".debug/" ID_FILE "/debug" },
		{ 'f', "usr/lib/debug/usr/lib/x/lib.so.debug" },
		{ 'u', "usr/lib/debug/usr/lib/x/lib.so" },
		{ 'b', "usr/lib/debug/" ID_FILE ".debug" },
	};
	static const struct {
		char letter;
		const char *path;
	} late_places[] = {
		{ 'o', "usr/lib/x/.debug/lib.so" },
		{ 'x', "usr/lib/debug/lib/x/lib.so" },
	};

	for (int with_id = 0; with_id < 2; with_id++) {
		struct place p = place_new();

		place_use(&p, with_id);
		for (size_t i = 0; i < ARRAY_SIZE(places); i++)
			place_put_elf(&p, places[i].path, SYMTAB);
		for (size_t i = 0; i < ARRAY_SIZE(late_places); i++)
			place_put_elf(&p, late_places[i].path, SYMTAB);
		place_put_elf(&p, SELF, RUNTIME | SYMTAB | LINK | DEBUGDATA);
		for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
			CHECK_EQ(place_find(&p, NULL), places[i].letter);
			remove_file(&p, places[i].path);
		}
		CHECK_EQ(place_find(&p, NULL), 'n');
		place_put_elf(&p, SELF, RUNTIME | SYMTAB);
		CHECK_EQ(place_find(&p, NULL), 'd');
		place_put_elf(&p, SELF, RUNTIME);
		for (size_t i = 0; i < ARRAY_SIZE(late_places); i++) {
			CHECK_EQ(place_find(&p, NULL), late_places[i].letter);
			remove_file(&p, late_places[i].path);
		}
		CHECK_EQ(place_find(&p, NULL), 'd');
		place_free(&p);
	}
}

TEST(statuses)
{
	struct place p = place_new();
	enum dso_status status;

	place_use(&p, true);
	CHECK_EQ(place_find(&p, &status), '!');
	CHECK_EQ(status, DSO_FILE_MISSING);
	place_write(&p, SELF, "#!/bin/sh\n", 10);
	CHECK_EQ(place_find(&p, &status), '!');
	CHECK_EQ(status, DSO_BROKEN);
	place_put_elf(&p, SELF, RUNTIME | SYMTAB | OTHER_ID);
	CHECK_EQ(place_find(&p, &status), '!');
	CHECK_EQ(status, DSO_BUILD_ID_DIFFERS);
	/* With an id recorded, a file without any is another one. */
	place_put_elf(&p, SELF, RUNTIME | SYMTAB | NO_ID);
	CHECK_EQ(place_find(&p, &status), '!');
	CHECK_EQ(status, DSO_BUILD_ID_DIFFERS);
	place_put_elf(&p, SELF, 0);
	CHECK_EQ(place_find(&p, &status), '!');
	CHECK_EQ(status, DSO_STRIPPED);
	place_put_elf(&p, SELF, RUNTIME);
	CHECK_EQ(place_find(&p, &status), 'd');
	CHECK_EQ(status, DSO_STRIPPED);
	place_put_elf(&p, SELF, RUNTIME | SYMTAB);
	CHECK_EQ(place_find(&p, &status), 'd');
	CHECK_EQ(status, DSO_LOADED);
	place_free(&p);
}

TEST(no_id_recorded)
{
	struct place p = place_new();

	place_use(&p, false);
	place_put_elf(&p, SELF, RUNTIME | NO_ID);
	CHECK_EQ(place_find(&p, NULL), 'd');
	/* The file's own id is what debug files have to have. */
	place_put_elf(&p, SELF, RUNTIME);
	place_put_elf(&p, "usr/lib/debug/usr/lib/x/lib.so", SYMTAB | OTHER_ID);
	CHECK_EQ(place_find(&p, NULL), 'd');
	place_put_elf(&p, "usr/lib/debug/usr/lib/x/lib.so", SYMTAB);
	CHECK_EQ(place_find(&p, NULL), 'u');
	place_free(&p);
}

TEST(roles_from_two_files)
{
	struct place p = place_new();
	struct debugfile found;

	place_use(&p, true);
	place_put_elf(&p, SELF, RUNTIME);
	place_put_elf(&p, "usr/lib/debug/" ID_FILE ".debug", SYMTAB);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK(found.symbols != found.runtime);
	CHECK(strstr(found.symbols->path, ".build-id"));
	CHECK(strstr(found.runtime->path, SELF));
	CHECK_EQ(found.letter, 'b');
	CHECK(found.nr_tries > 3);
	CHECK_EQ(place_role_of(&found, ID_FILE ".debug"), DEBUGFILE_SYMBOLS);
	CHECK_EQ(place_role_of(&found, SELF), DEBUGFILE_CODE);
	debugfile_fini(&found);
	place_free(&p);
}

/* Stacks go on through a program without any symbol; names may come from elsewhere. */
TEST(code_without_symbols)
{
	struct place p = place_new();
	struct debugfile found;

	place_use(&p, true);
	place_put_elf(&p, SELF, CODE);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK(!found.symbols);
	CHECK(found.runtime && strstr(found.runtime->path, SELF));
	CHECK_EQ(found.status, DSO_STRIPPED);
	CHECK_EQ(place_role_of(&found, SELF), DEBUGFILE_CODE);
	debugfile_fini(&found);
	place_put_elf(&p, "usr/lib/debug/" ID_FILE ".debug", SYMTAB);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK(found.symbols && strstr(found.symbols->path, ".build-id"));
	CHECK(found.runtime && strstr(found.runtime->path, SELF));
	debugfile_fini(&found);
	place_put_elf(&p, SELF, CODE | OTHER_ID);
	remove_file(&p, "usr/lib/debug/" ID_FILE ".debug");
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK(!found.symbols && !found.runtime);
	CHECK_EQ(found.status, DSO_BUILD_ID_DIFFERS);
	debugfile_fini(&found);
	place_free(&p);
}

TEST(deleted_files_by_id_only)
{
	struct place p = place_new();

	place_use(&p, true);
	p.desc.name = "/usr/lib/x/lib.so (deleted)";
	place_put_elf(&p, SELF, RUNTIME | SYMTAB);
	place_put_elf(&p, "usr/lib/x/lib.so (deleted)", RUNTIME | SYMTAB);
	CHECK_EQ(place_find(&p, NULL), '!');
	place_put_elf(&p, ".debug/" ID_FILE "/elf", RUNTIME | SYMTAB);
	CHECK_EQ(place_find(&p, NULL), 'B');
	place_free(&p);
}

TEST(cache_folder)
{
	struct place p = place_new(), cache = place_new();
	char *path;

	place_use(&p, true);
	p.cfg.buildid_dir = cache.root;
	place_put_elf(&cache, ID_FILE "/elf", RUNTIME | SYMTAB);
	CHECK_EQ(place_find(&p, NULL), 'B');
	path = build_id_cache_path(&p.cfg, id, sizeof(id), "elf");
	CHECK(path && strstr(path, cache.root) == path);
	free(path);
	path = build_id_cache_path(&p.cfg, id, sizeof(id), "vdso");
	CHECK(!path);
	path = build_id_cache_path(&p.cfg, id, 0, "elf");
	CHECK(!path);
	/* Old perf made the id's own name the file. */
	place_free(&cache);
	CHECK_EQ(mkdir(cache.root, 0755), 0);
	place_put_elf(&cache, ID_FILE, RUNTIME | SYMTAB);
	CHECK_EQ(place_find(&p, NULL), 'B');
	place_free(&cache);
	place_free(&p);
}

/* Recorded without its size, an id that ends in zeros looks shorter than it is. */
TEST(id_with_zeros_at_its_end)
{
	static const u8 short_id[] = { 0xab, 0xcd };
	struct place p = place_new();
	char *path;

	place_use(&p, true);
	place_write(&p, ".debug/.build-id/ab/cd000000000000000000000000000000000000/elf", "x", 1);
	path = build_id_cache_path(&p.cfg, short_id, 2, "elf");
	CHECK(path);
	free(path);
	place_free(&p);
}

TEST(hermetic_without_symfs_sees_nothing)
{
	struct place p = place_new();
	enum dso_status status;

	p.cfg = (struct symbols_config){ .hermetic = true };
	p.desc.name = "/bin/sh";
	CHECK_EQ(place_find(&p, &status), '!');
	CHECK_EQ(status, DSO_FILE_MISSING);
	place_free(&p);
}

TEST(names_that_are_no_paths)
{
	static const char *const names[] = { "", "/", "//", "x", "/usr/lib/", " (deleted)", "[x]" };
	struct place p = place_new();

	place_use(&p, true);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		p.desc.name = names[i];
		CHECK_EQ(place_find(&p, NULL), '!');
	}
	place_free(&p);
}

/* "/usr/lib/debug" in front of such a path would be left by it. */
TEST(parent_in_a_recorded_path)
{
	struct place p = place_new();
	struct debugfile found;

	place_use(&p, true);
	p.desc.name = "/usr/lib/x/../x/lib.so";
	place_put_elf(&p, SELF, RUNTIME | SYMTAB);
	place_put_elf(&p, "usr/lib/debug/" SELF ".debug", SYMTAB);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK_EQ(found.letter, '!');
	CHECK_EQ(found.status, DSO_BROKEN);
	CHECK_STR(found.tries[0].path, "/usr/lib/x/../x/lib.so");
	CHECK(strstr(found.tries[0].why, "'..'"));
	debugfile_fini(&found);
	/* its build-id names it without the path */
	place_put_elf(&p, ".debug/" ID_FILE "/elf", SYMTAB);
	CHECK_EQ(place_find(&p, NULL), 'B');
	place_free(&p);
}
