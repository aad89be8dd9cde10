/* SPDX-License-Identifier: MIT */
/*
 * The verdict as JSON, for programs. perf.data-quality(7) documents the keys; a key that is renamed
 * or removed raises JSON_VERSION.
 */
#include "base/mem.h"
#include "base/screen/escape.h"
#include "profile/verdict/verdict_advice.h"
#include "profile/verdict/verdict_text.h"
#include "symbols/find/debugfile.h"

#define JSON_VERSION 2

/* Length of the UTF-8 character at s; 0 if the bytes are no UTF-8. */
static size_t utf8_length(const unsigned char *s)
{
	static const u32 lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	u32 c;
	size_t n = *s < 0x80   ? 1
		   : *s < 0xc0 ? 0
		   : *s < 0xe0 ? 2
		   : *s < 0xf0 ? 3
		   : *s < 0xf8 ? 4
			       : 0;

	if (n < 2)
		return n;
	c = *s & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	return c < lowest[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n;
}

/* Appends a hidden character below U+10000 as "\u202e". */
static void put_escape(struct out *o, const unsigned char *s, size_t n)
{
	char escape[ESCAPE_MAX];
	size_t len;

	(void)escape_char((const char *)s, n, false, escape, &len);
	out_raw(o, escape, len);
}

/* Each byte that is no UTF-8 becomes U+FFFD. */
static void put_string(struct out *o, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n;

	out_char(o, '"');
	for (; *s; s += n ? n : 1) {
		n = utf8_length(s);
		if (!n)
			out_str(o, "\\ufffd");
		else if (*s == '"' || *s == '\\')
			out_printf(o, "\\%c", *s);
		else if (*s < 32 || *s == 127)
			out_printf(o, "\\u%04x", *s);
		else if (n < 4 && !escape_free((const char *)s, n, false))
			put_escape(o, s, n);
		else
			out_mem(o, s, n);
	}
	out_char(o, '"');
}

static void put_key(struct out *o, const char *key)
{
	if (o->len && o->buf[o->len - 1] != '{')
		out_char(o, ',');
	out_printf(o, "\"%s\":", key);
}

static void put_text(struct out *o, const char *key, const char *text)
{
	put_key(o, key);
	put_string(o, text);
}

static void put_number(struct out *o, const char *key, u64 v)
{
	put_key(o, key);
	out_dec(o, v, 0);
}

static void put_bool(struct out *o, const char *key, bool v)
{
	put_key(o, key);
	out_str(o, v ? "true" : "false");
}

static void put_weight(struct out *o, const char *key, const struct verdict_weight *w)
{
	put_key(o, key);
	out_char(o, '{');
	put_number(o, "samples", w->samples);
	put_number(o, "period", w->period);
	out_char(o, '}');
}

static void put_named(struct out *o, const char *key, const struct verdict_weight *all,
		      const struct verdict_weight *unnamed)
{
	const struct verdict_weight named = { all->samples - unnamed->samples,
					      all->period - unnamed->period };

	put_key(o, key);
	out_char(o, '{');
	put_weight(o, "resolved", &named);
	put_weight(o, "unresolved", unnamed);
	out_char(o, '}');
}

static void put_event(struct out *o, const struct verdict *v, const struct verdict_event *ev)
{
	static const char *const chains[] = { "none", "fp", "fp-deferred", "lbr", "dwarf" };
	static const char *const ends[VERDICT_ENDS] = {
		"no_chain",  "empty",          "kernel_only", "user_part",   "complete",
		"truncated", "no_unwind_info", "broken",      "cut_at_limit"
	};

	out_char(o, '{');
	put_text(o, "name", ev->name);
	put_text(o, "call_chains", chains[ev->chain]);
	put_number(o, "counted", ev->totals.samples);
	put_number(o, "filtered", ev->totals.filtered);
	put_weight(o, "weight", &ev->all);
	if (v->has_places && !v->names_unseen) {
		put_named(o, "leaf_frames", &ev->all, &ev->leaf_unnamed);
		put_named(o, "stacks", &ev->all, &ev->any_unnamed);
	}
	put_key(o, "ends");
	out_char(o, '{');
	for (int i = 0; i < VERDICT_ENDS; i++)
		put_weight(o, ends[i], &ev->ends[i]);
	put_weight(o, "user_part_of_one_frame", &ev->lone_user);
	put_weight(o, "in_jit_code", &ev->jit_ends);
	out_str(o, "}}");
}

/* The advice as a sentence, and its row and command for programs. */
static void put_remedy(struct out *o, const struct verdict_remedy *r)
{
	char *text = verdict_remedy_text(r), *command = advice_command(r->id, r->facts);

	put_text(o, "advice", text);
	put_text(o, "advice_name", advice_get(r->id)->name);
	put_text(o, "advice_is", advice_use_name(advice_get(r->id)->use));
	put_text(o, "command", command ? command : "");
	free(text);
	free(command);
}

static void put_module(struct out *o, struct verdict_advisor *a, const struct verdict_module *m)
{
	static const char *const reasons[VERDICT_REASONS] = {
		"file_missing",    "other_build_id", "stripped",       "broken",
		"no_symbol",       "kernel_hidden",  "kernel_foreign", "kernel_not_recorded",
		"jit_map_missing", "jit_map_gap",    "not_code",       "no_map",
	};
	char hex[BUILD_ID_HEX];
	struct verdict_remedy r;

	build_id_hex(m->build_id, m->build_id_size, hex);
	out_char(o, '{');
	put_text(o, "name", m->name);
	put_text(o, "build_id", hex);
	put_bool(o, "kernel", m->kernel);
	put_text(o, "reason", reasons[m->reason]);
	verdict_remedy_of_module(a, m, &r);
	put_remedy(o, &r);
	verdict_remedy_fini(&r);
	put_weight(o, "leaf", &m->leaf);
	put_weight(o, "in_stacks", &m->any);
	out_char(o, '}');
}

static void put_pointers(struct out *o, const struct verdict *v)
{
	put_key(o, "frame_pointer_chains");
	out_char(o, '{');
	put_number(o, "looked_at", v->pointers.samples);
	put_number(o, "known", v->pointers.known);
	put_number(o, "lack_callers", v->pointers.lacking);
	put_number(o, "lack_innermost_only", v->pointers.one_only);
	put_text(o, "most_in", v->pointers.object ? v->pointers.object : "");
	out_char(o, '}');
}

static void put_recording(struct out *o, const struct verdict *v)
{
	const struct replay_stats *st = &v->stats;
	struct verdict_advisor advisor;

	out_char(o, '{');
	put_text(o, "input", v->input);
	put_bool(o, "unfinished", v->unfinished);
	if (v->unfinished && v->last_time)
		put_number(o, "last_time", v->last_time);
	if (v->unfinished && v->last_write)
		put_number(o, "last_write", v->last_write);
	put_bool(o, "truncated", v->truncated);
	put_bool(o, "losses_only", v->losses_only);
	put_number(o, "samples", st->nr_samples);
	put_number(o, "lost", v->lost);
	if (v->missing_switches)
		put_number(o, "missing_switches", v->missing_switches);
	put_number(o, "throttled", st->nr_throttled);
	put_number(o, "damaged_samples", st->nr_broken_samples);
	put_number(o, "samples_of_unknown_events", st->nr_unknown_id);
	put_number(o, "records_of_unknown_types", v->nr_unknown_type);
	put_text(o, "weight_is",
		 v->of_branches  ? "branches"
		 : v->by_samples ? "samples"
				 : "period");
	put_key(o, "events");
	out_char(o, '[');
	for (size_t i = 0; i < v->nr_events; i++) {
		out_str(o, i ? "," : "");
		put_event(o, v, &v->events[i]);
	}
	out_char(o, ']');
	if (v->pointers.samples)
		put_pointers(o, v);
	put_key(o, "unresolved");
	out_char(o, '[');
	verdict_advisor_init(&advisor, v);
	for (size_t i = 0; !v->names_unseen && i < v->nr_modules; i++) {
		out_str(o, i ? "," : "");
		put_module(o, &advisor, &v->modules[i]);
	}
	verdict_advisor_fini(&advisor);
	out_str(o, "]");
	put_key(o, "debuginfod_problem");
	put_string(o, v->debuginfod_problem ? v->debuginfod_problem : "");
	out_char(o, '}');
}

static void put_all(struct out *o, const char *prog, const struct verdict *const *verdicts,
		    size_t nr, const struct diag *diag)
{
	out_char(o, '{');
	put_number(o, "version", JSON_VERSION);
	put_text(o, "command", prog);
	put_key(o, "recordings");
	out_char(o, '[');
	for (size_t i = 0; i < nr; i++) {
		out_str(o, i ? "," : "");
		put_recording(o, verdicts[i]);
	}
	out_char(o, ']');
	put_key(o, "warnings");
	out_char(o, '[');
	for (size_t i = 0; diag && i < diag->nr; i++) {
		out_str(o, i ? ",{" : "{");
		put_text(o, "text", diag->entries[i].text);
		put_number(o, "count", diag->entries[i].count);
		out_char(o, '}');
	}
	out_str(o, "]}");
}

void verdict_print_json(struct out *o, const char *prog, const struct verdict *const *verdicts,
			size_t nr, const struct diag *diag)
{
	struct out all; /* in memory: put_key looks back */

	out_init_mem(&all);
	put_all(&all, prog, verdicts, nr, diag);
	out_mem(o, all.buf, all.len);
	(void)out_fini(&all);
}
