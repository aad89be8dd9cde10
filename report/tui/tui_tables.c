/* SPDX-License-Identifier: MIT */
#include "report/tui/tui_tables.h"

#include "base/mem.h"
#include "report/tui/tui.h"

static void open_event(void *in, struct tui *t, int id)
{
	tui_push(t, view_rows_new(in, (size_t)id, NULL));
}

/* The list of the events, each with the number of its samples. */
static struct tui_view *list_events(const struct tui_tables *in)
{
	struct tui_item *items = xcalloc(in->nr, sizeof(*items));
	struct out o;

	out_init_mem(&o);
	for (size_t i = 0; i < in->nr; i++) {
		u64 samples = in->samples(in->ctx, i);
		size_t unit = 0;

		while (samples >= 1000 && unit < 6) {
			samples /= 1000;
			unit++;
		}
		o.len = 0;
		out_printf(&o, "%5llu%c ", (unsigned long long)samples, " KMGTPE"[unit]);
		in->name(in->ctx, i, &o);
		items[i] = (struct tui_item){ .text = xstrndup(o.buf, o.len), .id = (int)i };
	}
	out_fini(&o);
	return view_menu_new("Available samples", items, in->nr, true, open_event,
			     (void *)(uintptr_t)in);
}

void tui_show_tables(struct screen *s, const struct tui_tables *in)
{
	struct tui_tables tables = *in;
	struct tui t;

	tables.rows = view_rows_new;
	tui_run(&t, s, in->nr > 1 ? list_events(&tables) : view_rows_new(&tables, 0, NULL));
}
