/* SPDX-License-Identifier: MIT */
#include "events/sinks/heat_text.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- numbers ---- */

/* A time as 1.500 us or 12 ns, in at most n bytes. */
static void time_text(u64 ns, char *buf, size_t n)
{
	static const struct {
		u64 ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (ns < units[i].ns)
			continue;
		snprintf(buf, n, "%" PRIu64 ".%03" PRIu64 " %s", ns / units[i].ns,
			 ns % units[i].ns / (units[i].ns / 1000), units[i].name);
		return;
	}
	snprintf(buf, n, "%" PRIu64 " ns", ns);
}

/* How dark a cell is, from 1 to `levels`, by the logarithm of its number; 0: it is empty. */
static u32 level_of(u64 n, u64 most, u32 levels)
{
	u32 level = 0;

	/* steps of equal factors: n^levels against most^level, in floating point */
	if (!n)
		return 0;
	while (level < levels && __builtin_log((double)n + 1) * levels >
					 __builtin_log((double)most + 1) * level * 1.0000001)
		level++;
	return level ? level : 1;
}

/* ---- a terminal ---- */

#define TEXT_COLUMNS (HEAT_COLUMNS / 2)

void heat_text_put(struct out *o, const struct heat_map *h)
{
	static const char shades[] = " .:-=+*#%@";
	u64 cells[HEAT_ROWS / 4][TEXT_COLUMNS] = { 0 }, most = 0;
	char width[40], from[40];
	struct heat_extent x;

	if (!heat_map_extent(h, &x)) {
		out_str(o, "\n# heat map: no pairs\n");
		return;
	}
	for (u32 r = x.first_row; r <= x.last_row; r++) {
		for (u32 c = 0; c < x.nr_columns; c++) {
			u64 *to = &cells[r / 4][c / 2];

			*to += h->cells[r][c];
			most = *to > most ? *to : most;
		}
	}
	time_text(h->width * 2, width, sizeof(width));
	out_printf(o,
		   "\n# heat map from %" PRIu64 ".%09" PRIu64
		   " s on, each column %s; '.' few, '@' up to %" PRIu64 "\n",
		   h->start / 1000000000, h->start % 1000000000, width, most);
	for (u32 r = x.last_row / 4 + 1; r-- > x.first_row / 4;) {
		u64 sum = 0;

		time_text(heat_map_bound(r * 4), from, sizeof(from));
		out_str(o, "from ");
		out_str_width(o, from, 12);
		out_str(o, " |");
		for (u32 c = 0; c < TEXT_COLUMNS; c++) {
			sum += cells[r][c];
			out_char(o, shades[level_of(cells[r][c], most, 9)]);
		}
		out_str(o, "| ");
		out_dec(o, sum, 0);
		out_char(o, '\n');
	}
}

/* ---- a picture ---- */

#define CELL_WIDTH 8
#define CELL_HEIGHT 10
#define LEFT 90
#define TOP 40
#define BOTTOM 50
#define LEVELS 24

static void put_axis_text(struct out *o, u32 x, u32 y, const char *anchor, const char *text)
{
	out_printf(o, "<text x=\"%u\" y=\"%u\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text);
}

/* From a pale yellow to a dark red. */
static void put_colour(struct out *o, u32 level)
{
	static const u32 from[] = { 255, 240, 190 }, to[] = { 110, 0, 40 };

	out_char(o, '#');
	for (size_t i = 0; i < 3; i++)
		out_printf(o, "%02x",
			   (from[i] * (LEVELS - level) + to[i] * (level - 1)) / (LEVELS - 1));
}

static void put_cell(struct out *o, const struct heat_map *h, const struct heat_extent *x, u32 row,
		     u32 column)
{
	u64 n = h->cells[row][column], at = h->start + column * h->width;
	char from[40], to[40], width[40];

	time_text(heat_map_bound(row), from, sizeof(from));
	time_text(heat_map_bound(row + 1), to, sizeof(to));
	time_text(h->width, width, sizeof(width));
	out_printf(o, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"",
		   LEFT + column * CELL_WIDTH, TOP + (x->last_row - row) * CELL_HEIGHT, CELL_WIDTH,
		   CELL_HEIGHT);
	put_colour(o, level_of(n, x->most, LEVELS));
	out_printf(o,
		   "\"><title>%" PRIu64 " from %s to %s, ended from %" PRIu64 ".%09" PRIu64
		   " s on, for %s</title></rect>\n",
		   n, from, to, at / 1000000000, at % 1000000000, width);
}

static void put_axes(struct out *o, const struct heat_map *h, const struct heat_extent *x)
{
	u32 height = (x->last_row - x->first_row + 1) * CELL_HEIGHT;
	char text[64];

	for (u32 r = x->first_row; r <= x->last_row; r++) {
		if (r % 4)
			continue;
		time_text(heat_map_bound(r), text, sizeof(text));
		put_axis_text(o, LEFT - 6, TOP + (x->last_row - r + 1) * CELL_HEIGHT, "end", text);
	}
	for (u32 c = 0; c <= HEAT_COLUMNS; c += 16) {
		u64 at = c * h->width;

		snprintf(text, sizeof(text), "%" PRIu64 ".%03" PRIu64, at / 1000000000,
			 at % 1000000000 / 1000000);
		put_axis_text(o, LEFT + c * CELL_WIDTH, TOP + height + 16, "middle", text);
	}
	snprintf(text, sizeof(text), "seconds since %" PRIu64 ".%09" PRIu64, h->start / 1000000000,
		 h->start % 1000000000);
	put_axis_text(o, LEFT + HEAT_COLUMNS * CELL_WIDTH / 2, TOP + height + 36, "middle", text);
	out_printf(o,
		   "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"none\" "
		   "stroke=\"#888\"/>\n",
		   LEFT, TOP, HEAT_COLUMNS * CELL_WIDTH, height);
}

void heat_text_put_cells(struct out *o, const struct heat_map *h)
{
	struct heat_extent x;

	if (!heat_map_extent(h, &x))
		return;
	for (u32 c = 0; c < x.nr_columns; c++) {
		u64 time = h->start + c * h->width;

		for (u32 r = x.first_row; r <= x.last_row; r++) {
			u64 ns = heat_map_bound(r);

			if (h->cells[r][c])
				out_printf(o,
					   "%" PRIu64 ".%09" PRIu64 " %" PRIu64 ".%03" PRIu64
					   " %" PRIu64 "\n",
					   time / 1000000000, time % 1000000000, ns / 1000,
					   ns % 1000, h->cells[r][c]);
		}
	}
}

void heat_text_put_svg(struct out *o, const struct heat_map *h)
{
	u32 width = LEFT + HEAT_COLUMNS * CELL_WIDTH + 40, height;
	struct heat_extent x;
	bool any = heat_map_extent(h, &x);
	char text[80];

	height = TOP + BOTTOM + (any ? x.last_row - x.first_row + 1 : 1) * CELL_HEIGHT;
	out_printf(o,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		   "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" font-size=\"11\">\n"
		   "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		   width, height, width, height);
	snprintf(text, sizeof(text),
		 any ? "How long pairs took, by the time at which they ended; darkest: %" PRIu64
		     : "no pairs",
		 x.most);
	put_axis_text(o, LEFT, TOP - 16, "start", text);
	for (u32 r = x.first_row; any && r <= x.last_row; r++)
		for (u32 c = 0; c < x.nr_columns; c++)
			if (h->cells[r][c])
				put_cell(o, h, &x, r, c);
	if (any)
		put_axes(o, h, &x);
	out_str(o, "</svg>\n");
}
