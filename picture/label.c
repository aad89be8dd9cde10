/* SPDX-License-Identifier: MIT */
#include "picture/label.h"

#include <string.h>
#include <strings.h>

#define MONO_WIDTH 602
#define OTHER_WIDTH 700 /* of letters that are not ASCII */
#define WIDE_WIDTH 1000 /* of East Asian characters and emoji */
#define LEAST_SHOWN 3   /* characters, dots included */

/* Widths of ' ' to '~' in Verdana, which is wider than most, in 1/1000 of the font's size. */
static const u16 widths[95] = {
	352,  394, 459, 818, 636, 1076, 727, 269, 454, 454, 636, 818, 364, 454, 364, 454, /* / */
	636,  636, 636, 636, 636, 636,  636, 636, 636, 636, 454, 454, 818, 818, 818, 545, /* ? */
	1000, 684, 686, 698, 771, 632,  575, 775, 751, 421, 455, 693, 557, 843, 748, 787, /* O */
	603,  787, 695, 684, 616, 732,  684, 989, 685, 615, 685, 454, 454, 454, 818, 636, /* _ */
	636,  601, 623, 521, 623, 596,  352, 623, 633, 274, 344, 592, 274, 973, 633, 607, /* o */
	623,  623, 427, 521, 394, 633,  592, 818, 592, 592, 525, 635, 454, 635, 818,
};

bool label_font_is_mono(const char *font)
{
	return strcasestr(font, "mono") || strcasestr(font, "courier") ||
	       strcasestr(font, "consol");
}

/* Bytes of the character at s, which is valid UTF-8. */
static size_t char_len(const char *s)
{
	u8 c = (u8)*s;

	return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

static u32 char_width(const char *s, bool mono)
{
	u8 c = (u8)*s;

	if (c < 0x80)
		return mono || c < ' ' || c > '~' ? MONO_WIDTH : widths[c - ' '];
	/* the first East Asian wide character is U+1100: e1 84 80 */
	if (c > 0xe1 || (c == 0xe1 && (u8)s[1] >= 0x84))
		return WIDE_WIDTH;
	return mono ? MONO_WIDTH : OTHER_WIDTH;
}

size_t label_fit(const char *clean, size_t n, u32 width, bool mono)
{
	u32 dots = 2 * (mono ? MONO_WIDTH : widths['.' - ' ']), used = 0;
	size_t i = 0, cut = 0, nr = 0, nr_cut = 0;

	while (i < n) {
		u32 w = char_width(clean + i, mono);
		size_t len = char_len(clean + i);

		if (used + w > width)
			return nr_cut + 2 >= LEAST_SHOWN ? cut : 0;
		used += w;
		i += len < n - i ? len : n - i;
		nr++;
		if (used + dots <= width) {
			cut = i;
			nr_cut = nr;
		}
	}
	return n;
}
