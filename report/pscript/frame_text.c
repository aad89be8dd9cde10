/* SPDX-License-Identifier: MIT */
#include "report/pscript/frame_text.h"

#include "machine/module_name.h"
#include "profile/line_text.h"

void frame_text_place(struct out *o, const struct frame *fr, const char *name, bool offset)
{
	if (!fr->has_sym) {
		out_str(o, "[unknown]");
		return;
	}
	out_str(o, name ? name : fr->sym->name);
	if (!offset)
		return;
	out_str(o, "+0x");
	/* perf prints this offset for an address after the symbol's end */
	out_hex(o,
		fr->sym->addr < fr->sym->end ? fr->sym->addr - fr->sym->start
					     : fr->sym->addr - fr->map->start - fr->sym->start,
		0);
}

static bool is_object_file(enum dso_kind kind)
{
	return kind != DSO_KERNEL && kind != DSO_GUEST_KERNEL && kind != DSO_BPF;
}

void frame_text_dso(struct out *o, const struct frame *fr, const struct sample_text_config *cfg,
		    bool dsoff)
{
	const char *name = fr->map ? fr->map->dso_name : NULL;

	out_char(o, '(');
	if (!name || !*name) {
		out_str(o, "[unknown]");
	} else {
		out_str(o, cfg->show_kernel_path ? map_long_name(fr->map) : name);
		if (dsoff && is_object_file(dso_get_desc(fr->map->dso)->kind)) {
			out_str(o, "+0x");
			out_hex(o, map_ip_to_addr(fr->map, fr->ip), 0);
		}
	}
	out_char(o, ')');
}

/*
 * Appends one line of a frame. in: the function at this ip to print, NULL if nothing is inlined.
 * is_call: the source line is that of the call of an inlined function, not of the ip.
 */
static void print_frame(struct out *o, const struct frame *fr, const struct inline_frame *in,
			bool is_call, const struct sample_text_config *cfg, u64 fields,
			u64 shown_ip)
{
	bool inlined = in && in->is_inlined;

	if (fields & FIELD_BIT(IP))
		out_hex(o, shown_ip, 16);
	if (fields & FIELD_BIT(SYM)) {
		out_char(o, ' ');
		frame_text_place(o, fr, inlined ? in->name : NULL, fields & FIELD_BIT(SYMOFF));
	}
	if (fields & FIELD_BIT(DSO) && !inlined) {
		out_char(o, ' ');
		frame_text_dso(o, fr, cfg, fields & FIELD_BIT(DSOFF));
	}
	if (fields & FIELD_BIT(SRCLINE) && fr->map) {
		out_str(o, "\n  ");
		if (is_call)
			line_text_place(o, in->file, in->line, cfg->full_source_path);
		else
			line_text(o, fr, cfg->full_source_path);
	}
	if (inlined)
		out_str(o, " (inlined)");
}

void frame_text(struct out *o, const struct frame *fr, const struct sample_text_config *cfg,
		u64 fields)
{
	print_frame(o, fr, NULL, false, cfg, fields, fr->ip);
}

/* perf 5.16 to 6.3 printed user frames of a chain relative to their file. */
static u64 chain_ip(const struct frame *fr, const struct sample_text_config *cfg)
{
	return cfg->format == TEXT_PERF_6_1 && fr->map && !fr->map->kernel
		       ? map_ip_to_addr(fr->map, fr->ip)
		       : fr->ip;
}

static bool is_stop(const struct frame *fr, const struct inline_frame *in,
		    const struct sample_text_config *cfg)
{
	return cfg->stop_bt && fr->has_sym &&
	       name_list_has(cfg->stop_bt, in && in->is_inlined ? in->name : fr->sym->name);
}

void frame_text_chain(struct out *o, const struct frame *fr, const struct sample_text_config *cfg,
		      u64 fields, bool *ret_stop)
{
	/* perf 6.1 looks for inlined functions in stacks that it unwound itself only */
	bool wanted = !cfg->no_inlines && cfg->format != TEXT_PERF_6_1;
	const struct inline_frame *in = NULL;
	size_t nr = 0, i = 0;

	if (wanted)
		nr = fields & FIELD_BIT(SRCLINE) ? frame_inlines_with_lines(fr, &in)
						 : frame_inlines(fr, &in);
	do {
		out_char(o, '\t');
		print_frame(o, fr, nr ? &in[i] : NULL, i > 0, cfg, fields, chain_ip(fr, cfg));
		out_char(o, '\n');
		*ret_stop = is_stop(fr, nr ? &in[i] : NULL, cfg);
	} while (++i < nr && !*ret_stop);
}
