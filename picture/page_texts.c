/* SPDX-License-Identifier: MIT */
/* Script, style and elements of all pages, from the files that picture/page/bundle makes. */
#include "picture/page_priv.h"

#ifndef PAGE_DIR /* the build's folder with these files */
#define PAGE_DIR "build/gcc/picture/page"
#endif

#define EMBED(name)                                     \
	__asm__(".pushsection .rodata\n"                \
		"page_" #name "_start:\n"               \
		".incbin \"" PAGE_DIR "/" #name "\"\n"  \
		"page_" #name "_end:\n"                 \
		".popsection\n");                       \
	extern const char page_##name##_start[] HIDDEN; \
	extern const char page_##name##_end[] HIDDEN
#define HIDDEN __attribute__((visibility("hidden")))
#define TEXT(name)                                                                     \
	{                                                                              \
		page_##name##_start, (size_t)(page_##name##_end - page_##name##_start) \
	}

EMBED(script);
EMBED(style);
EMBED(body);
EMBED(script_hash);
EMBED(style_hash);

struct page_texts page_texts(void)
{
	return (struct page_texts){
		.script = TEXT(script),
		.style = TEXT(style),
		.body = TEXT(body),
		.script_hash = TEXT(script_hash),
		.style_hash = TEXT(style_hash),
	};
}
