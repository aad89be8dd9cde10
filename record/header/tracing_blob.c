/* SPDX-License-Identifier: MIT */
/*
 * Makes the TRACING_DATA payload (FORMAT.md 1.5): the texts of tracefs that describe the raw data
 * of the recorded tracepoints.
 */
#include "record/header/host_features.h"

#include <unistd.h>

#include "base/mem.h"
#include "record/header/host_text.h"
#include "record/host/tracefs.h"

#define FORMAT_MAX (1u << 20) /* limit of a file in tracefs; formats have some thousand bytes */
#define PRINTK_MAX (8u << 20)
#define BLOB_VERSION "0.6"

/* The recorded tracepoints, each once, sorted by system and name. */
struct tracepoints {
	const struct rec_event **events;
	size_t nr;
};

static int compare_events(const void *a, const void *b)
{
	const struct rec_event *x = *(const struct rec_event *const *)a;
	const struct rec_event *y = *(const struct rec_event *const *)b;
	int d = strcmp(x->tp_system, y->tp_system);

	return d ? d : strcmp(x->tp_name, y->tp_name);
}

/* Collects the tracepoints of l. */
static struct tracepoints tracepoints_of(const struct rec_evlist *l)
{
	struct tracepoints t = { .events = xcalloc(l->nr + 1, sizeof(*t.events)) };
	size_t i, nr = 0;

	for (i = 0; i < l->nr; i++)
		if (l->events[i]->tp_system && l->events[i]->tp_name)
			t.events[t.nr++] = l->events[i];
	if (t.nr)
		qsort(t.events, t.nr, sizeof(*t.events), compare_events);
	for (i = 0; i < t.nr; i++)
		if (!nr || compare_events(&t.events[nr - 1], &t.events[i]))
			t.events[nr++] = t.events[i];
	t.nr = nr;
	return t;
}

static void put_u64_text(struct wbuf *b, const char *text, size_t n)
{
	wb_u64(b, n);
	wb_mem(b, text, n);
}

/* Appends {name, u64 size, text} of events/header_page or events/header_event. */
static int put_header_file(struct wbuf *b, const char *root, const char *name, struct perr *e)
{
	size_t n;
	char *text = host_whole(FORMAT_MAX, &n, root, "events/%s", name);

	if (!text)
		return perr_set(e, PERR_IO, "cannot read %s/events/%s", root, name);
	wb_text(b, name, 1);
	put_u64_text(b, text, n);
	free(text);
	return 0;
}

static int put_format(struct wbuf *b, const char *root, const struct rec_event *ev, struct perr *e)
{
	size_t n;
	char *text =
		host_whole(FORMAT_MAX, &n, root, "events/%s/%s/format", ev->tp_system, ev->tp_name);

	if (!text)
		return perr_set(e, PERR_IO, "cannot read %s/events/%s/%s/format", root,
				ev->tp_system, ev->tp_name);
	put_u64_text(b, text, n);
	free(text);
	return 0;
}

static bool is_ftrace(const struct rec_event *ev)
{
	return !strcmp(ev->tp_system, "ftrace");
}

/* Appends the formats of system ftrace, which come before the other systems and have no name. */
static int put_ftrace(struct wbuf *b, const char *root, const struct tracepoints *t, struct perr *e)
{
	size_t i, at = b->n;
	u32 nr = 0;
	int err;

	wb_u32(b, 0);
	for (i = 0; i < t->nr; i++) {
		if (!is_ftrace(t->events[i]))
			continue;
		err = put_format(b, root, t->events[i], e);
		if (err)
			return err;
		nr++;
	}
	wb_set_u32(b, at, nr);
	return 0;
}

static int put_systems(struct wbuf *b, const char *root, const struct tracepoints *t,
		       struct perr *e)
{
	const char *system = NULL;
	size_t i, systems_at = b->n, events_at = 0;
	u32 nr_systems = 0, nr_events = 0;
	int err;

	wb_u32(b, 0);
	for (i = 0; i < t->nr; i++) {
		const struct rec_event *ev = t->events[i];

		if (is_ftrace(ev))
			continue;
		if (!system || strcmp(system, ev->tp_system)) {
			system = ev->tp_system;
			wb_text(b, system, 1);
			events_at = b->n;
			wb_u32(b, 0);
			nr_systems++;
			nr_events = 0;
		}
		err = put_format(b, root, ev, e);
		if (err)
			return err;
		wb_set_u32(b, events_at, ++nr_events);
	}
	wb_set_u32(b, systems_at, nr_systems);
	return 0;
}

/* Appends the texts of constant strings, whose addresses some tracepoints (of rcu) record. */
static void put_printk_formats(struct wbuf *b, const char *root)
{
	size_t n = 0;
	char *text = host_whole(PRINTK_MAX, &n, root, "printk_formats");

	if (!text)
		n = 0;
	wb_u32(b, (u32)n);
	wb_mem(b, text, n);
	free(text);
}

int tracing_data_encode(struct wbuf *b, const struct rec_evlist *l, const struct rec_opts *o,
			struct perr *e)
{
	static const u8 magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	struct tracepoints t;
	char *root;
	int err;

	err = tracefs_find(&o->host, &root, e);
	if (err)
		return err;
	t = tracepoints_of(l);
	wb_mem(b, magic, sizeof(magic));
	wb_text(b, BLOB_VERSION, 1);
	wb_u8(b, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	wb_u8(b, sizeof(long));
	wb_u32(b, (u32)sysconf(_SC_PAGESIZE));
	err = put_header_file(b, root, "header_page", e);
	if (!err)
		err = put_header_file(b, root, "header_event", e);
	if (!err)
		err = put_ftrace(b, root, &t, e);
	if (!err)
		err = put_systems(b, root, &t, e);
	if (!err) {
		wb_u32(b, 0); /* size of kallsyms: the kernel's symbols are not stored */
		put_printk_formats(b, root);
		wb_u64(b, 0); /* size of saved_cmdlines: COMM records have the names */
	}
	free(t.events);
	free(root);
	return err;
}
