/* SPDX-License-Identifier: MIT */
#include "base/build_info.h"

/*
 * The Makefile defines these macros only for this file, so that a new value recompiles nothing
 * else.
 */
#ifndef BUILD_VERSION
#define BUILD_VERSION "unknown"
#endif
#ifndef BUILD_COMMIT
#define BUILD_COMMIT "unknown"
#endif
#ifndef BUILD_CAPSTONE
#define BUILD_CAPSTONE 0
#endif
#ifndef BUILD_LIBUNWIND
#define BUILD_LIBUNWIND 0
#endif
#ifndef BUILD_CURSES
#define BUILD_CURSES 0
#endif
#ifndef BUILD_STATIC
#define BUILD_STATIC 0
#endif

const char *build_version(void)
{
	return BUILD_VERSION;
}

const char *build_commit(void)
{
	return BUILD_COMMIT;
}

const struct build_feature *build_features(size_t *ret_nr)
{
	static const struct build_feature features[] = {
		{ "debuginfod", !BUILD_STATIC, "HAVE_DEBUGINFOD_SUPPORT",
		  BUILD_STATIC ? "not in static builds" : "libdebuginfod.so.1 is loaded on use" },
		{ "demangle", true, "HAVE_LIBIBERTY_SUPPORT", NULL },
		{ "dwarf", true, "HAVE_LIBDW_SUPPORT", NULL },
		{ "dwarf-unwind", true, "HAVE_DWARF_UNWIND_SUPPORT", "needs no library" },
		{ "libcapstone", BUILD_CAPSTONE, "HAVE_LIBCAPSTONE_SUPPORT",
		  BUILD_CAPSTONE ? NULL : "install libcapstone-dev for disassembly" },
		{ "libdeflate", true, "HAVE_LIBDEFLATE_SUPPORT", NULL },
		{ "libelf", true, "HAVE_LIBELF_SUPPORT", NULL },
		{ "libtraceevent", true, "HAVE_LIBTRACEEVENT", NULL },
		{ "libunwind", BUILD_LIBUNWIND, "HAVE_LIBUNWIND_SUPPORT",
		  "for --unwinder=libunwind, to compare with" },
		{ "libncursesw", BUILD_CURSES, "HAVE_NCURSES_SUPPORT",
		  BUILD_CURSES ? NULL : "prep --tui: install libncurses-dev, no static build" },
		{ "lzma", true, "HAVE_LZMA_SUPPORT", NULL },
		{ "name-service", !BUILD_STATIC, "HAVE_NSS_SUPPORT",
		  BUILD_STATIC ? "users are those of /etc/passwd" : NULL },
		{ "static", BUILD_STATIC, "HAVE_STATIC_BUILD", NULL },
		{ "zlib", true, "HAVE_ZLIB_SUPPORT", NULL },
		{ "zstd", true, "HAVE_ZSTD_SUPPORT", NULL },
	};

	*ret_nr = ARRAY_SIZE(features);
	return features;
}
