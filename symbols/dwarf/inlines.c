/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/inlines.h"

#include <dwarf.h>

#include "base/hash.h"
#include "base/mem.h"
#include "symbols/dwarf/debuginfo.h"
#include "symbols/table/demangle.h"
#include "symbols/dwarf/inline_tree.h"
#include "symbols/dwarf/range_sweep.h"

/*
 * The deepest nesting of functions that is read: a function is read again for each one around it.
 */
#define MAX_NESTED 16

#define NO_FUNCTION UINT32_MAX
#define UNKNOWN "??"

struct function {
	const u8 *die;
	u32 depth;
	const char *name;
	struct inline_tree *tree; /* NULL: not read yet */
};

struct unit_code {
	bool read;
	struct die_scan *scan; /* NULL: not read yet, or its DIEs cannot be read */
	Dwarf_Die die;
	Dwarf_Files *files; /* NULL: none, or not read yet */
	bool files_read;
	struct function *functions;
	size_t nr_functions, cap_functions;
	struct stretch *stretches; /* their values are indexes in functions */
	size_t nr_stretches;
};

/* The frames of an address. */
struct found {
	struct inline_frame *frames;
	u32 nr;
	bool has_lines;
	u32 call; /* the innermost call; INLINE_NONE: none */
	struct unit_code *unit;
	struct inline_tree *tree;
};

struct inlines {
	struct debuginfo *d;
	struct name_style style;
	struct unit_code *units; /* by the unit's number in the debuginfo */
	struct idmap by_vaddr;   /* (vaddr, 0) -> index in found */
	struct found *found;
	size_t nr_found, cap_found;
	struct idmap by_name; /* (address of a name in the file, 0) -> index in names */
	const char **names;
	size_t nr_names, cap_names;
	struct arena arena; /* frames and names */
};

struct inlines *inlines_new(struct debuginfo *d, const struct name_style *names)
{
	struct inlines *in = xcalloc(1, sizeof(*in));

	in->d = d;
	in->style = *names;
	in->units = xcalloc(debuginfo_nr_units(d) + 1, sizeof(*in->units));
	return in;
}

static void unit_fini(struct unit_code *u)
{
	size_t i;

	for (i = 0; i < u->nr_functions; i++)
		inline_tree_free(u->functions[i].tree);
	free(u->functions);
	free(u->stretches);
	die_scan_free(u->scan);
}

void inlines_free(struct inlines *in)
{
	size_t i;

	if (!in)
		return;
	for (i = 0; i < debuginfo_nr_units(in->d); i++)
		unit_fini(&in->units[i]);
	free(in->units);
	free(in->found);
	free(in->names);
	idmap_fini(&in->by_vaddr);
	idmap_fini(&in->by_name);
	arena_fini(&in->arena);
	free(in);
}

/* --- names ------------------------------------------------------------------------------------ */

/* Returns a name as it is printed. Each name in the file is put into that form only once. */
static const char *show_name(struct inlines *in, const char *name)
{
	u32 i = idmap_get(&in->by_name, (uintptr_t)name, 0);
	char *shown;

	if (i != IDMAP_NONE)
		return in->names[i];
	shown = name_style_apply(&in->style, name);
	idmap_put(&in->by_name, (uintptr_t)name, 0, (u32)in->nr_names);
	vec_push(in->names, in->nr_names, in->cap_names,
		 shown ? arena_strdup(&in->arena, shown) : name);
	free(shown);
	return in->names[in->nr_names - 1];
}

/*
 * Returns the name of a function. libdw follows a limited number of abstract origins and
 * specifications.
 */
static const char *name_of(struct inlines *in, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		name = dwarf_formstring(&attr);
	if (!name || !*name)
		name = dwarf_diename(die);
	return name && *name ? show_name(in, name) : UNKNOWN;
}

/* --- functions -------------------------------------------------------------------------------- */

/* Picks the first function in the file among functions that were merged to one address. */
static u32 first_function(void *ctx, const u32 *ids, size_t nr)
{
	(void)ctx;
	return nr ? ids[0] : NO_FUNCTION;
}

static void read_functions(struct inlines *in, struct unit_code *u)
{
	struct range_list ranges = { 0 };
	u32 around[MAX_NESTED]; /* depths of the functions that contain the current DIE */
	size_t nr_around = 0, before;
	struct die_cursor c = die_scan_begin(u->scan);
	struct scanned_die die;

	while (die_scan_next(u->scan, &c, &die)) {
		while (nr_around && die.depth <= around[nr_around - 1])
			nr_around--;
		if (die.tag != DW_TAG_subprogram || nr_around == MAX_NESTED)
			continue;
		if (die.has_children)
			around[nr_around++] = die.depth;
		if (!die.has_code)
			continue;
		before = ranges.nr;
		if (!die_add_ranges(in->d, u->scan, &die, (u32)u->nr_functions, &ranges))
			break;
		if (ranges.nr > before)
			vec_push(u->functions, u->nr_functions, u->cap_functions,
				 ((struct function){ .die = die.addr, .depth = die.depth }));
	}
	u->nr_stretches =
		sweep_ranges(ranges.items, ranges.nr, first_function, NULL, &u->stretches);
	free(ranges.items);
}

static void read_unit(struct inlines *in, size_t unit)
{
	struct unit_code *u = &in->units[unit];

	u->read = true;
	if (!debuginfo_full_unit(in->d, unit, &u->die))
		return;
	u->scan = die_scan_new(&u->die, debuginfo_is_swapped(in->d));
	if (u->scan)
		read_functions(in, u);
}

/* Returns the function at vaddr, and its unit in *ret_unit; NULL if there is none. */
static struct function *find_function(struct inlines *in, u64 vaddr, struct unit_code **ret_unit)
{
	struct unit_search s;
	struct unit_code *u;
	size_t unit;
	u32 i;

	unit_search_init(&s, in->d, vaddr);
	while (unit_search_next(&s, in->d, &unit)) {
		u = &in->units[unit];
		if (!u->read)
			read_unit(in, unit);
		i = stretch_at(u->stretches, u->nr_stretches, vaddr, NO_FUNCTION);
		if (i == NO_FUNCTION)
			continue;
		*ret_unit = u;
		return &u->functions[i];
	}
	return NULL;
}

/* --- calls ------------------------------------------------------------------------------------ */

static const char *file_name(struct debuginfo *d, struct unit_code *u, Dwarf_Word number)
{
	if (!u->files_read) {
		u->files_read = true;
		debuginfo_need_lines(d);
		if (dwarf_getsrcfiles(&u->die, &u->files, NULL))
			u->files = NULL;
	}
	return u->files ? dwarf_filesrc(u->files, number, NULL, NULL) : NULL;
}

/* Sets the file and line of the call that was inlined. */
static void note_place(struct debuginfo *d, struct unit_code *u, struct inline_call *call)
{
	Dwarf_Die die = die_scan_open(u->scan, call->die);
	Dwarf_Attribute attr;
	Dwarf_Word v;

	call->has_place = true;
	if (dwarf_attr(&die, DW_AT_call_file, &attr) && !dwarf_formudata(&attr, &v))
		call->file = file_name(d, u, v);
	if (call->file && dwarf_attr(&die, DW_AT_call_line, &attr) && !dwarf_formudata(&attr, &v))
		call->line = v <= INT32_MAX ? (u32)v : 0;
}

/* Sets files and lines: frame i was called from a line of frame i + 1. */
static void fill_lines(struct debuginfo *d, struct found *f)
{
	struct inline_call *call;
	size_t i = 0;
	u32 id;

	f->has_lines = true;
	for (id = f->call; id != INLINE_NONE; id = call->parent) {
		call = inline_tree_call(f->tree, id);
		if (!call->has_place)
			note_place(d, f->unit, call);
		f->frames[++i].file = call->file;
		f->frames[i].line = call->line;
	}
}

static size_t count_calls(struct inline_tree *t, u32 call)
{
	size_t n = 0;

	for (; call != INLINE_NONE; call = inline_tree_call(t, call)->parent)
		n++;
	return n;
}

static struct found look_up(struct inlines *in, u64 vaddr, const char *symbol)
{
	struct found ret = { .has_lines = true };
	struct inline_frame *frame;
	struct unit_code *u;
	struct function *fn = find_function(in, vaddr, &u);
	struct inline_call *call;
	Dwarf_Die die;
	u32 id;

	if (!fn)
		return ret;
	if (!fn->tree) {
		die = die_scan_open(u->scan, fn->die);
		fn->name = name_of(in, &die);
		fn->tree = inline_tree_new(in->d, u->scan, fn->die, fn->depth);
	}
	id = inline_tree_find(fn->tree, vaddr);
	ret = (struct found){ .call = id, .unit = u, .tree = fn->tree };
	ret.nr = (u32)count_calls(fn->tree, id) + 1;
	ret.frames = frame = arena_alloc(&in->arena, ret.nr * sizeof(*ret.frames));
	for (; id != INLINE_NONE; id = call->parent, frame++) {
		call = inline_tree_call(fn->tree, id);
		if (!call->name) {
			die = die_scan_open(u->scan, call->die);
			call->name = name_of(in, &die);
		}
		frame->name = call->name;
		frame->is_inlined = !symbol || strcmp(symbol, call->name);
	}
	frame->name = fn->name;
	return ret;
}

size_t inlines_find(struct inlines *in, u64 vaddr, const char *symbol, unsigned int flags,
		    const struct inline_frame **ret)
{
	u32 i = idmap_get(&in->by_vaddr, vaddr, 0);

	if (i == IDMAP_NONE) {
		i = (u32)in->nr_found;
		vec_push(in->found, in->nr_found, in->cap_found, look_up(in, vaddr, symbol));
		idmap_put(&in->by_vaddr, vaddr, 0, i);
	}
	if (flags & INLINES_LINES && !in->found[i].has_lines)
		fill_lines(in->d, &in->found[i]);
	if (in->found[i].nr)
		*ret = in->found[i].frames;
	return in->found[i].nr;
}
