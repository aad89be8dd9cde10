/* SPDX-License-Identifier: MIT */
#include "report/pscript/branch_text.h"

#include "report/text/datasrc_text.h"
#include "report/pscript/frame_text.h"

/* The frame of a branch address: kernel or user space by the address itself. */
static const struct frame *branch_frame(struct frames *frames, const struct task_view *task, u64 ip)
{
	u8 mode = PD_CPUMODE_USER;

	if (!mapset_find(task_space(task, mode), ip))
		mode = PD_CPUMODE_KERNEL;
	return frames_resolve(frames, frames_get(frames, task, mode, ip));
}

static void print_end(struct out *o, const struct sample_text_config *cfg,
		      const struct task_view *task, struct frames *frames, enum branch_form form,
		      u64 fields, u64 ip)
{
	const struct frame *fr = NULL;

	if (form != BRANCH_ADDRS || fields & FIELD_BIT(DSO))
		fr = branch_frame(frames, task, ip);
	if (form == BRANCH_SYMBOLS) {
		frame_text_place(o, fr, NULL, true);
	} else {
		if (form == BRANCH_OFFSETS && fr->map)
			ip = map_ip_to_addr(fr->map, ip);
		out_str(o, "0x");
		out_hex(o, ip, 0);
	}
	if (!(fields & FIELD_BIT(DSO)))
		return;
	if (cfg->format != TEXT_PERF_6_1)
		out_char(o, ' ');
	frame_text_dso(o, fr, cfg, fields & FIELD_BIT(DSOFF));
}

void branch_text(struct out *o, const struct sample_text_config *cfg, const struct replay_event *ev,
		 const struct task_view *task, struct frames *frames, enum branch_form form,
		 u64 fields)
{
	struct span b = ev->sample.branches;
	bool swap = ev->sample.swap, with_spec = cfg->format != TEXT_PERF_6_1;
	size_t i, n = b.n / 24;
	struct branch_flags flags;

	for (i = 0; i < n; i++) {
		/* the flags of the branch before end with a blank */
		if (form != BRANCH_SYMBOLS)
			out_char(o, ' ');
		print_end(o, cfg, task, frames, form, fields, span_u64(b, i * 3, swap));
		out_char(o, '/');
		print_end(o, cfg, task, frames, form, fields, span_u64(b, i * 3 + 1, swap));
		flags = branch_flags_decode(span_u64(b, i * 3 + 2, swap), swap);
		branch_flags_text(o, &flags, with_spec);
	}
}

void bpf_output_text(struct out *o, struct span raw)
{
	size_t row, i;

	for (row = 0; row < raw.n; row += 16) {
		out_printf(o, row ? "\n%17s" : "%17s", row ? "" : "BPF output:");
		out_printf(o, " %04zx:", row);
		for (i = row; i < row + 16; i++) {
			if (i < raw.n)
				out_printf(o, " %02x", raw.p[i]);
			else
				out_str(o, "   ");
		}
		out_str(o, "  ");
		for (i = row; i < row + 16 && i < raw.n; i++)
			out_char(o, raw.p[i] >= 32 && raw.p[i] < 127 ? (char)raw.p[i] : '.');
	}
}
