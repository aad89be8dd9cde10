/* SPDX-License-Identifier: MIT */
#include "record/open/event_config.h"

#include "fileformat/attr_names.h"
#include "record/model/branch_option.h"

/* Names of the flags by enum pd_attr_flag; precise_ip has two bits. */
static const char *const flag_names[] = {
	"disabled",
	"inherit",
	"pinned",
	"exclusive",
	"exclude_user",
	"exclude_kernel",
	"exclude_hv",
	"exclude_idle",
	"mmap",
	"comm",
	"freq",
	"inherit_stat",
	"enable_on_exec",
	"task",
	"watermark",
	"precise_ip",
	NULL,
	"mmap_data",
	"sample_id_all",
	"exclude_host",
	"exclude_guest",
	"exclude_callchain_kernel",
	"exclude_callchain_user",
	"mmap2",
	"comm_exec",
	"use_clockid",
	"context_switch",
	"write_backward",
	"namespaces",
	"ksymbol",
	"bpf_event",
	"aux_output",
	"cgroup",
	"text_poke",
	"build_id",
	"inherit_thread",
	"remove_on_exec",
	"sigtrap",
	"defer_callchain",
	"defer_output",
};

static void field_name(FILE *f, const char *name)
{
	fprintf(f, "  %-32s ", name);
}

static void put_dec(FILE *f, const char *name, u64 v)
{
	if (!v)
		return;
	field_name(f, name);
	fprintf(f, "%llu\n", (unsigned long long)v);
}

static void put_hex(FILE *f, const char *name, u64 v)
{
	if (!v)
		return;
	field_name(f, name);
	fprintf(f, "%#llx\n", (unsigned long long)v);
}

static void put_bits(FILE *f, const char *name, u64 v, const struct pd_bit_name *table, size_t nr)
{
	const char *sep = "";

	if (!v)
		return;
	field_name(f, name);
	for (size_t i = 0; i < nr; i++) {
		if (!(v & table[i].bit))
			continue;
		fprintf(f, "%s%s", sep, table[i].name);
		sep = "|";
	}
	fputc('\n', f);
}

static void put_branches(FILE *f, u64 v)
{
	const char *sep = "", *name;

	if (!v)
		return;
	field_name(f, "branch_sample_type");
	for (unsigned int bit = 0; bit < 64; bit++) {
		name = branch_bit_name(bit);
		if (!(v >> bit & 1) || !name)
			continue;
		fprintf(f, "%s%s", sep, name);
		sep = "|";
	}
	fputc('\n', f);
}

void attr_print(const struct pd_attr *a, FILE *f)
{
	fputs("perf_event_attr:\n", f);
	put_dec(f, "type", a->type);
	put_dec(f, "size", a->size);
	put_hex(f, "config", a->config);
	put_dec(f, "{ sample_period, sample_freq }", a->sample_period_or_freq);
	put_bits(f, "sample_type", a->sample_type, pd_sample_type_names, PD_NR_SAMPLE_TYPE_NAMES);
	put_bits(f, "read_format", a->read_format, pd_read_format_names, PD_NR_READ_FORMAT_NAMES);
	for (size_t i = 0; i < ARRAY_SIZE(flag_names); i++) {
		u64 v = a->flags >> i & (i == PD_ATTR_PRECISE_IP ? 3 : 1);

		if (flag_names[i])
			put_dec(f, flag_names[i], v);
	}
	put_dec(f, "{ wakeup_events, wakeup_watermark }", a->wakeup_events_or_watermark);
	put_dec(f, "bp_type", a->bp_type);
	put_hex(f, "{ bp_addr, config1 }", a->config1);
	put_hex(f, "{ bp_len, config2 }", a->config2);
	put_branches(f, a->branch_sample_type);
	put_hex(f, "sample_regs_user", a->sample_regs_user);
	put_dec(f, "sample_stack_user", a->sample_stack_user);
	if (a->clockid) {
		field_name(f, "clockid");
		fprintf(f, "%d\n", a->clockid);
	}
	put_hex(f, "sample_regs_intr", a->sample_regs_intr);
	put_dec(f, "aux_watermark", a->aux_watermark);
	put_dec(f, "sample_max_stack", a->sample_max_stack);
	put_dec(f, "aux_sample_size", a->aux_sample_size);
	put_dec(f, "sig_data", a->sig_data);
	put_hex(f, "config3", a->config3);
	put_hex(f, "config4", a->config4);
}
