/* SPDX-License-Identifier: MIT */
#include "picture/palette.h"

#include "base/hash.h"

/* Colours between two corners of the RGB cube. */
struct hue {
	struct rgb low, high;
};

static const struct hue hot = { { 206, 20, 8 }, { 254, 224, 58 } };
static const struct hue mem = { { 4, 186, 8 }, { 12, 238, 206 } };
static const struct hue io = { { 84, 84, 184 }, { 138, 138, 244 } };
static const struct hue red = { { 198, 62, 62 }, { 252, 138, 138 } };
static const struct hue green = { { 62, 176, 62 }, { 138, 236, 138 } };
static const struct hue blue = { { 92, 112, 196 }, { 156, 176, 252 } };
static const struct hue aqua = { { 62, 160, 166 }, { 132, 224, 228 } };
static const struct hue yellow = { { 172, 172, 46 }, { 228, 228, 92 } };
static const struct hue purple = { { 182, 78, 186 }, { 248, 142, 252 } };
static const struct hue orange = { { 184, 96, 4 }, { 250, 164, 46 } };

static const struct rgb backgrounds[][2] = {
	{ { 0xee, 0xee, 0xee }, { 0xee, 0xee, 0xb0 } }, /* yellow */
	{ { 0xee, 0xee, 0xee }, { 0xe0, 0xe0, 0xff } }, /* blue */
	{ { 0xee, 0xf2, 0xee }, { 0xe0, 0xff, 0xe0 } }, /* green */
	{ { 0xf8, 0xf8, 0xf8 }, { 0xe8, 0xe8, 0xe8 } }, /* grey */
};
enum background { BG_YELLOW, BG_BLUE, BG_GREEN, BG_GREY };

struct palette {
	const struct hue *(*choose)(const struct flame_name *name); /* NULL: always `hue` */
	const struct hue *hue;
	const struct hue *kinds[FLAME_NR_KINDS]; /* NULL: as other names */
	enum background background;
};

static bool has(const struct flame_name *name, const char *part)
{
	return strstr(name->text, part) != NULL;
}

static const struct hue *choose_java(const struct flame_name *name)
{
	if (has(name, "::"))
		return &yellow;
	return has(name, "/") || has(name, ".") ? &green : &red;
}

static const struct hue *choose_js(const struct flame_name *name)
{
	if (has(name, "::"))
		return &yellow;
	return has(name, ":") ? &aqua : has(name, "/") ? &green : &red;
}

static const struct hue *choose_perl(const struct flame_name *name)
{
	if (has(name, "Perl") || has(name, ".pl"))
		return &green;
	return has(name, "::") ? &yellow : &red;
}

const char *const palette_names[] = { "hot",    "mem",    "io",     "wakeup", "chain", "java",
				      "js",     "perl",   "red",    "green",  "blue",  "aqua",
				      "yellow", "purple", "orange", NULL };

#define RUNTIME_KINDS                                                                   \
	{                                                                               \
		[FLAME_KERNEL] = &orange, [FLAME_INLINED] = &aqua, [FLAME_JIT] = &green \
	}

/* In the order of palette_names. */
static const struct palette palettes[] = {
	{ .hue = &hot,
	  .kinds = { [FLAME_KERNEL] = &blue, [FLAME_INLINED] = &aqua, [FLAME_JIT] = &green } },
	{ .hue = &mem, .background = BG_GREEN },
	{ .hue = &io, .background = BG_BLUE },
	{ .hue = &aqua, .background = BG_BLUE },
	{ .hue = &blue, .kinds = { [FLAME_WAKER] = &aqua }, .background = BG_BLUE },
	{ .choose = choose_java, .kinds = RUNTIME_KINDS },
	{ .choose = choose_js, .kinds = RUNTIME_KINDS },
	{ .choose = choose_perl, .kinds = RUNTIME_KINDS },
	{ .hue = &red },
	{ .hue = &green, .background = BG_GREEN },
	{ .hue = &blue, .background = BG_BLUE },
	{ .hue = &aqua, .background = BG_BLUE },
	{ .hue = &yellow },
	{ .hue = &purple },
	{ .hue = &orange },
};

_Static_assert(ARRAY_SIZE(palettes) + 1 == ARRAY_SIZE(palette_names), "each palette has a name");

const struct palette *palette_find(const char *name)
{
	for (size_t i = 0; palette_names[i]; i++)
		if (!strcmp(palette_names[i], name))
			return &palettes[i];
	return NULL;
}

static u8 between(u8 low, u8 high, u32 part)
{
	return (u8)(low + (u32)(high - low) * (part & 255) / 255);
}

/* The first letters count most: names that begin alike are near each other. */
static u32 first_letters(const char *text)
{
	u32 sum = 0, weight = 0x9000;

	for (; *text && weight; text++, weight /= 2)
		sum += weight * ((u8)*text & 31) / 31;
	return sum / (0x12000 / 256);
}

struct rgb palette_color(const struct palette *p, const struct flame_name *name, bool alike)
{
	const struct hue *h = p->kinds[name->kind];
	u64 hash;

	if (!h)
		h = p->choose ? p->choose(name) : p->hue;
	if (alike)
		hash = first_letters(name->text) * 0x10101u;
	else
		hash = hash_bytes(name->text, strlen(name->text));
	return (struct rgb){ between(h->low.r, h->high.r, (u32)(hash >> 16)),
			     between(h->low.g, h->high.g, (u32)(hash >> 8)),
			     between(h->low.b, h->high.b, (u32)hash) };
}

void palette_background(const struct palette *p, struct rgb *top, struct rgb *bottom)
{
	*top = backgrounds[p->background][0];
	*bottom = backgrounds[p->background][1];
}

static int hex_value(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *p = c ? strchr(digits, c | 0x20) : NULL;

	return p ? (int)(p - digits) : -1;
}

bool background_find(const char *name, struct rgb *top, struct rgb *bottom)
{
	static const char *const names[] = { "yellow", "blue", "green", "grey" };
	int v[6];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(name, names[i]))
			continue;
		*top = backgrounds[i][0];
		*bottom = backgrounds[i][1];
		return true;
	}
	if (*name != '#' || strlen(name) != 7)
		return false;
	for (size_t i = 0; i < 6; i++) {
		v[i] = hex_value(name[i + 1]);
		if (v[i] < 0)
			return false;
	}
	*top = *bottom = (struct rgb){ (u8)(v[0] << 4 | v[1]), (u8)(v[2] << 4 | v[3]),
				       (u8)(v[4] << 4 | v[5]) };
	return true;
}

struct rgb delta_color(double delta, double max, bool safe)
{
	/* light enough for black letters */
	static const struct rgb more[] = { { 250, 105, 95 }, { 240, 150, 40 } };
	static const struct rgb less[] = { { 110, 135, 250 }, { 85, 150, 235 } };
	struct rgb full = delta > 0 ? more[safe] : less[safe];
	double share = max > 0 ? (delta > 0 ? delta : -delta) / max : 0;

	if (share > 1)
		share = 1;
	return (struct rgb){ (u8)(250 - share * (250 - full.r)), (u8)(250 - share * (250 - full.g)),
			     (u8)(250 - share * (250 - full.b)) };
}
