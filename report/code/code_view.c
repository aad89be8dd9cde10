/* SPDX-License-Identifier: MIT */
#include "report/code/code_view.h"

#include "base/mem.h"
#include "report/annotate/data_comment.h"
#include "profile/line_text.h"
#include "report/code/code_view_priv.h"

enum question { ASK_SEARCH, ASK_BACKWARDS };

static void move(struct code_view *v, long by)
{
	size_t last = v->lines.nr ? v->lines.nr - 1 : 0;

	if (by < 0)
		v->at -= v->at < (size_t)-by ? v->at : (size_t)-by;
	else
		v->at = last - v->at < (size_t)by ? last : v->at + (size_t)by;
}

/* direction 0: the hottest instruction; 1: the next in their order, -1: the one before */
static void go_to_hot(struct code_view *v, struct tui *t, int direction)
{
	size_t nr = v->lines.nr_hot;

	if (!nr) {
		tui_warn(t, "%s has no samples of its own", v->func.name);
		return;
	}
	v->hot = direction ? (v->hot + nr + (size_t)(long)direction) % nr : 0;
	code_view_go(v, t, v->lines.hot[v->hot]);
}

/* ---- keys */

static void toggle_source(struct code_view *v, struct tui *t)
{
	v->in->look.source = !v->in->look.source;
	code_view_refresh(v);
	if (!v->in->look.source || v->lines.nr_source)
		return;
	v->in->look.source = false;
	code_view_refresh(v);
	tui_warn(t, "no source: %s",
		 dso_has_debuginfo(v->func.map->dso)
			 ? "the files that the compiler names are not here"
			 : "the object has no debug information, which compilers add with -g");
}

static void say_place(struct code_view *v, struct tui *t)
{
	const struct code_line *l = code_line_at(v);
	struct frame fr;
	struct out o;

	if (!l)
		return;
	if (l->number) {
		tui_say(t, "%s:%u", l->file, l->number);
		return;
	}
	fr = annot_code_frame(&v->code, v->code.insns[l->insn].vaddr);
	out_init_mem(&o);
	line_text(&o, &fr, true);
	out_char(&o, '\0');
	tui_say(t, "%s", o.buf);
	out_fini(&o);
}

static bool move_key(struct code_view *v, struct tui *t, int key)
{
	int page = tui_page(t, CODE_ABOVE);

	switch (key) {
	case TKEY_ARROW_DOWN: move(v, 1); break;
	case TKEY_ARROW_UP: move(v, -1); break;
	case TKEY_WHEEL_DOWN: move(v, 3); break;
	case TKEY_WHEEL_UP: move(v, -3); break;
	case TKEY_PAGE_DOWN:
	case ' ': move(v, page); break;
	case TKEY_PAGE_UP: move(v, -page); break;
	case TKEY_TO_START: v->at = 0; break;
	case TKEY_TO_END: move(v, (long)v->lines.nr); break;
	case 'H': go_to_hot(v, t, 0); break;
	case TKEY_TABULATOR: go_to_hot(v, t, 1); break;
	case TKEY_BACK_TAB: go_to_hot(v, t, -1); break;
	default: return false;
	}
	return true;
}

static bool look_key(struct code_view *v, struct tui *t, int key)
{
	static const enum annot_value next[] = { [ANNOT_PERCENT] = ANNOT_PERIOD,
						 [ANNOT_PERIOD] = ANNOT_SAMPLES,
						 [ANNOT_SAMPLES] = ANNOT_PERCENT };
	struct code_look *look = &v->in->look;

	switch (key) {
	case 's': toggle_source(v, t); break;
	case 'k':
		look->numbers = !look->numbers;
		if (!look->source)
			tui_say(t, "numbers of source lines: %s; s shows source lines",
				look->numbers ? "on" : "off");
		break;
	case 'l': say_place(v, t); break;
	case 'o': look->raw = !look->raw; break;
	case 'O': look->offsets = look->offsets % 3 + 1; break;
	case 'f':
		look->full = !look->full;
		if (!look->raw)
			tui_say(t, "addresses of %s; o shows addresses",
				look->full ? "the process" : "the file");
		break;
	case 'j': look->no_arrows = !look->no_arrows; break;
	case 'J': look->count_jumps = !look->count_jumps; break;
	case 't': look->style.value = next[look->style.value]; break;
	case 'p': look->style.percent ^= ANNOT_GLOBAL_PERIOD; break;
	case 'b': look->style.percent ^= ANNOT_LOCAL_HITS; break;
	default: return false;
	}
	return true;
}

static bool search_key(struct code_view *v, struct tui *t, int key)
{
	const char *first = v->pattern ? v->pattern : "";

	switch (key) {
	case '/':
	case TKEY_CTRL('F'): tui_ask(t, ASK_SEARCH, "Find", first); break;
	case '?': tui_ask(t, ASK_BACKWARDS, "Find backwards", first); break;
	case 'n': code_search(v, t, NULL, 1); break;
	case 'N': code_search(v, t, NULL, -1); break;
	default: return false;
	}
	return true;
}

/* Puts the cursor on the line that was clicked; false: on none. */
static bool click(struct code_view *v, const struct tui *t)
{
	int line = t->screen->click_row - CODE_ABOVE;

	if (line < 0 || v->top + (size_t)line >= v->lines.nr)
		return false;
	v->at = v->top + (size_t)line;
	return true;
}

static void show_text(struct code_view *v, struct tui *t, const char *title,
		      void (*put)(void *ctx, struct out *o), bool is_prose)
{
	struct out o;

	out_init_mem(&o);
	put(v->in->ctx, &o);
	tui_push(t, is_prose ? view_prose_new(title, &o) : view_text_new(title, &o));
}

static void toggle_min_max(struct code_view *v, struct tui *t)
{
	v->in->look.style.min_max = !v->in->look.style.min_max;
	if (!v->page.cycles)
		tui_warn(t, "no cycles of branches were recorded for this function");
	else if (v->cycles.ipc > 0)
		tui_say(t, "average IPC of the function: %.2f; of %.1f %% of its instructions",
			v->cycles.ipc, v->cycles.coverage);
}

static bool is_asm_of_x86_64(const struct code_view *v)
{
	return !v->in->code.intel && !strcmp(v->in->code.arch ? v->in->code.arch : "", "x86_64");
}

static size_t find_types(struct code_view *v)
{
	size_t nr = 0;

	v->types = xcalloc(v->code.nr + 1, sizeof(*v->types));
	for (size_t i = 0; i < v->code.nr && is_asm_of_x86_64(v); i++) {
		struct out o;

		out_init_mem(&o);
		if (data_comment_put(&v->code, i, &o)) {
			v->types[i] = xstrndup(o.buf, o.len);
			nr++;
		}
		out_fini(&o);
	}
	return nr;
}

static void toggle_types(struct code_view *v, struct tui *t)
{
	v->in->look.types = !v->in->look.types;
	if (v->in->look.types && !v->types && !find_types(v))
		tui_warn(t, "debug information tells no types of data here");
}

static bool other_key(struct code_view *v, struct tui *t, int key)
{
	switch (key) {
	case TKEY_DOUBLE_CLICK:
		if (!click(v, t))
			break;
		/* fallthrough */
	case TKEY_RETURN:
	case TKEY_ARROW_RIGHT: code_follow(v, t); break;
	case TKEY_CLICK: click(v, t); break;
	case 'u': code_unfollow(v, t); break;
	case '<': code_neighbour(v, t, -1); break;
	case '>': code_neighbour(v, t, 1); break;
	case 'm': code_functions(v, t); break;
	case 'P': code_write(v, t); break;
	case 'y':
		t->screen->ops->copy(t->screen, v->func.name, strlen(v->func.name));
		tui_say(t, "copied: %s", v->func.name);
		break;
	case 'i':
		if (v->in->header)
			show_text(v, t, "Header of the recording", v->in->header, false);
		break;
	case 'Q':
		if (v->in->quality)
			show_text(v, t, "How far the figures can be trusted", v->in->quality, true);
		break;
	case 'r':
		if (v->in->scripts)
			v->in->scripts(v->in->ctx, t, v->func.name);
		else
			tui_say(t, "pann shows samples of functions here");
		break;
	case 'c': toggle_min_max(v, t); break;
	case 'B': tui_say(t, "counters of branches are not shown"); break;
	case 'T': toggle_types(v, t); break;
	default: return false;
	}
	return true;
}

static bool code_key(struct tui_view *view, struct tui *t, int key)
{
	struct code_view *v = code_view_of(view);

	code_view_refresh(v);
	return move_key(v, t, key) || look_key(v, t, key) || search_key(v, t, key) ||
	       other_key(v, t, key);
}

static void code_answer(struct tui_view *view, struct tui *t, int question, const char *text)
{
	code_search(code_view_of(view), t, text, question == ASK_SEARCH ? 1 : -1);
}

static void code_close(struct tui_view *view)
{
	struct code_view *v = code_view_of(view);

	code_lines_fini(&v->lines);
	code_cycles_fini(&v->cycles);
	annot_short_fini(&v->shortened);
	for (size_t i = 0; v->types && i < v->code.nr; i++)
		free(v->types[i]);
	free(v->types);
	annot_code_fini(&v->code);
	free(v->visited);
	free(v->pattern);
	free(v->note);
	free(v->none);
	free(v);
}

static const struct tui_key code_keys[] = {
	{ TKEY_RETURN, "follow", "follow the jump, call or return at the cursor; Right as well" },
	{ TKEY_TABULATOR, "hottest", "next hottest instruction; Shift-Tab: the one before" },
	{ 's', "source", "source lines" },
	{ 'o', "addresses", "objdump's text and addresses, or perf's short form" },
	{ '/', "find", "find a text in the lines; Ctrl-F as well, ?: backwards" },
	{ 'h', "help", "the keys; F1 as well" },
	{ TKEY_ESCAPE, "back", "back; Left and q as well" },
	{ '>', "next function", "the function that is next by cost; <: the one before" },
	{ 'm', "functions", "menu of all functions with samples" },
	{ TKEY_ARROW_DOWN, NULL, "next line; Up, PgUp, PgDn, Space, Home and End likewise" },
	{ 'H', NULL, "the hottest instruction" },
	{ 'u', NULL, "back to where a jump was followed from" },
	{ 'j', NULL, "arrow from the jump at the cursor to its target" },
	{ 'J', NULL, "how many jumps go to an instruction" },
	{ 'O', NULL, "offsets at targets of jumps, at calls too, at all instructions" },
	{ 'f', NULL, "with o: addresses of the process, or of the file" },
	{ 'k', NULL, "numbers of source lines" },
	{ 'l', NULL, "file and line of the code at the cursor" },
	{ 't', NULL, "columns: percentages, sums of periods, numbers of samples" },
	{ 'p', NULL, "percentages of the function, or of all samples" },
	{ 'b', NULL, "percentages by periods, or by numbers of samples" },
	{ 'c', NULL, "cycles up to branches: the average, or the least and most too" },
	{ 'T', NULL, "types of the data that instructions read and write, by debug information" },
	{ 'n', NULL, "next match of the search; N: the one before" },
	{ 'y', NULL, "copy the function's name to the clipboard of the terminal" },
	{ 'P', NULL, "write the lines to SYMBOL.annotation" },
	{ 'r', NULL, "samples of the function, as pscript prints them" },
	{ 'i', NULL, "the header of the recording" },
	{ 'Q', NULL, "the quality of the recording: how far the figures can be trusted" },
};

static const struct tui_view_ops code_ops = {
	.name = "code",
	.keys = code_keys,
	.nr_keys = ARRAY_SIZE(code_keys),
	.draw = code_view_draw,
	.key = code_key,
	.answer = code_answer,
	.close = code_close,
};

struct tui_view *code_view_new(struct code_input *in, const struct annot_func *f, struct perr *e)
{
	struct code_view *v = xcalloc(1, sizeof(*v));
	size_t page = 16; /* about half a screen, which is not known yet */

	*v = (struct code_view){
		.view = { &code_ops }, .open = code_view_new, .in = in, .func = *f
	};
	v->none = xcalloc(in->page.samples->nr_events + 1, sizeof(*v->none));
	if (!f->nr_hits)
		v->func.sums = v->none;
	if (annot_code_read(&v->code, &v->func, &in->code, e)) {
		annot_code_fini(&v->code);
		free(v->none);
		free(v);
		return NULL;
	}
	v->page = in->page;
	v->page.func = &v->func;
	v->page.code = &v->code;
	v->page.style = &in->look.style;
	v->page.cycles = code_cycles_init(&v->cycles, in->cycles, &v->code) ? &v->cycles : NULL;
	annot_short_init(&v->shortened, &v->code);
	code_view_make_lines(v);
	if (v->lines.nr_hot)
		v->at = v->lines.line_of[v->lines.hot[0]];
	v->top = v->at > page / 2 ? v->at - page / 2 : 0;
	return &v->view;
}

struct tui_view *code_view_find(struct code_input *in, size_t first, int direction, struct perr *e)
{
	return code_find(code_view_new, in, first, direction, e);
}
