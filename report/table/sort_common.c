/* SPDX-License-Identifier: MIT */
/* Sort keys of the task, the machine and the sample's own figures. */
#include <ctype.h>

#include "count/counts.h"
#include "report/table/key_text.h"
#include "report/table/sort_key.h"

static u64 comm_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)k;
	return hist_data_comm(d, count_value(p->row, COUNT_COMM));
}

static int comm_width(struct hist_data *d, const struct key_cell *c)
{
	return hist_data_final_width(d, count_value(c->place->row, COUNT_TID));
}

static u64 comm_nodigit_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	const char *s = hist_data_comm_text(d, count_value(p->row, COUNT_COMM));

	(void)k;
	while (*s) {
		if (!isdigit((unsigned char)*s)) {
			out_char(&d->scratch, *s++);
			continue;
		}
		while (isdigit((unsigned char)*s))
			s++;
		out_str(&d->scratch, "<N>");
	}
	return hist_data_take_text(d);
}

static u64 column_value(const struct key_place *p, enum count_column col)
{
	return count_value(p->row, col);
}

#define COLUMN_ID(name, col)                                                                      \
	static u64 name(struct hist_data *d, const struct key_inst *k, const struct key_place *p) \
	{                                                                                         \
		(void)d;                                                                          \
		(void)k;                                                                          \
		return column_value(p, col);                                                      \
	}

COLUMN_ID(tid_id, COUNT_TID)
COLUMN_ID(pid_id, COUNT_PID)
COLUMN_ID(time_id, COUNT_TIME)
COLUMN_ID(ins_lat_id, COUNT_INS_LAT)
COLUMN_ID(weight3_id, COUNT_WEIGHT3)
COLUMN_ID(transaction_id, COUNT_TRANSACTION)
COLUMN_ID(code_page_id, COUNT_CODE_PAGE_SIZE)
COLUMN_ID(cgroup_id, COUNT_CGROUP)
COLUMN_ID(cgroup_ns_id, COUNT_CGROUP_NS)
COLUMN_ID(parallelism_id, COUNT_PARALLELISM)

/* In branch mode the weight is the number of cycles before the branch. */
static u64 weight_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	u64 cycles;

	(void)k;
	if (d->cfg->mode != TABLE_BRANCH)
		return column_value(p, COUNT_WEIGHT);
	cycles = count_value(p->row, COUNT_BRANCH_FLAGS) >> 4 & 0xffff;
	return cycles ? cycles : 1;
}

/* Task ids and CPUs are ints to perf: -1, where there is none, comes first. */
static int signed_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	(void)d;
	(void)k;
	return (s32)a < (s32)b ? -1 : (s32)a > (s32)b;
}

static void task_print(struct out *o, u64 id, const char *comm, int width)
{
	width = (width > 7 ? width : 7) - 8;
	out_printf(o, "%7d:", (int)id);
	key_print_text(o, comm, width > 0 ? width : 0);
}

static void tid_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	task_print(o, c->id, hist_data_final_comm(d, c->id), c->width);
}

static int tid_width(struct hist_data *d, const struct key_cell *c)
{
	return hist_data_final_width(d, count_value(c->place->row, COUNT_TID)) + 8;
}

static u64 cpu_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)d;
	(void)k;
	return (u32)count_value(p->row, COUNT_CPU);
}

static void cpu_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	out_printf(o, "%*.*d", c->width, c->width, (int)c->id);
}

static void parallelism_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	out_printf(o, "%*d", c->width, (int)c->id);
}

static u64 socket_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)k;
	return (u32)hist_data_socket(d, count_value(p->row, COUNT_CPU));
}

static void socket_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	out_printf(o, "%*.*d", c->width, c->width > 3 ? c->width - 3 : 0, (int)c->id);
}

static u64 parent_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)k;
	if (!p->parent)
		return 0;
	return intern_str(&d->texts, counts_frame(d->counts, p->parent - 1)->sym->name);
}

static void parent_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	key_print_text(o, c->id ? hist_text(d, c->id) : "[other]", c->width);
}

static void time_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	unsigned long long sec = c->id / 1000000000, ns = c->id % 1000000000;
	char text[40];

	if (d->cfg->ns)
		snprintf(text, sizeof(text), "%llu.%09llu", sec, ns);
	else
		snprintf(text, sizeof(text), "%llu.%06llu", sec, ns / 1000);
	out_mem(o, text, strnlen(text, (size_t)c->width));
}

static int time_width(struct hist_data *d, const struct key_cell *c)
{
	(void)c;
	return d->cfg->ns ? 16 : 12;
}

static void number_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	out_printf(o, "%-*llu", c->width, (unsigned long long)c->id);
}

/* Prints the sum over all samples of the entry. */
static void sum_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	out_printf(o, "%-*llu", c->width, (unsigned long long)(c->id * c->stat->samples));
}

static void page_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	key_print_page_size(o, c->id, c->width);
}

static const char *cgroup_of(const struct hist_data *d, u64 id)
{
	const char *path = id ? machine_cgroup(d->session->machine, id) : NULL;

	return path ? path : id ? "unknown" : "N/A";
}

static void cgroup_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	out_str(o, cgroup_of(d, c->id));
}

static int cgroup_width(struct hist_data *d, const struct key_cell *c)
{
	int len = c->id ? (int)strlen(cgroup_of(d, c->id)) : 0;

	return len > 6 ? len : 6;
}

static u64 nothing_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	(void)d;
	(void)k;
	(void)p;
	return 0;
}

static const char *cgroup_ns_of(const struct hist_data *d, u64 id)
{
	return id ? intern_text(&d->session->machine->strings, (u32)id) : "0/0x0";
}

/* The higher first. */
static int cgroup_ns_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	unsigned long long x[2] = { 0 }, y[2] = { 0 };

	(void)k;
	(void)sscanf(cgroup_ns_of(d, a), "%llu/%llx", &x[0], &x[1]);
	(void)sscanf(cgroup_ns_of(d, b), "%llu/%llx", &y[0], &y[1]);
	if (x[0] != y[0])
		return -key_addr_order(x[0], y[0]);
	return -key_addr_order(x[1], y[1]);
}

static void cgroup_ns_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	out_str(o, cgroup_ns_of(d, c->id));
}

static u64 trace_id(struct hist_data *d, const struct key_inst *k, const struct key_place *p)
{
	const struct pd_event *ev = d->pd->events[p->row->event];
	struct span raw = counts_blob(d->counts, count_value(p->row, COUNT_RAW));
	/* a print fmt may print the CPU, which is not part of the payload */
	u32 cpu = (u32)count_value(p->row, COUNT_CPU);

	(void)k;
	if (ev->attr.type != PD_TYPE_TRACEPOINT)
		return intern_str(&d->texts, "N/A");
	if (d->cfg->raw_trace)
		tracetext_print_fields(d->trace, &d->scratch, ev->attr.config, cpu, 0, raw);
	else
		tracetext_print(d->trace, &d->scratch, ev->attr.config, cpu, 0, raw);
	return hist_data_take_text(d);
}

struct tx_flag {
	u64 bit;
	const char *name;
};

static const struct tx_flag tx_flags[] = {
	{ 1 << 0, "EL " },    { 1 << 1, "TX " },  { 1 << 2, "SYNC " },      { 1 << 3, "ASYNC " },
	{ 1 << 4, "RETRY " }, { 1 << 5, "CON " }, { 1 << 6, "CAP-WRITE " }, { 1 << 7, "CAP-READ " },
};

static void transaction_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	char text[128] = "";
	size_t n = 0;

	(void)d;
	for (size_t i = 0; i < ARRAY_SIZE(tx_flags); i++)
		if (c->id & tx_flags[i].bit)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s", tx_flags[i].name);
	if (c->id && !(c->id & 12)) /* neither SYNC nor ASYNC */
		n += (size_t)snprintf(text + n, sizeof(text) - n, "NEITHER ");
	if (c->id >> 32)
		snprintf(text + n, sizeof(text) - n, ":%x", (unsigned int)(c->id >> 32));
	key_print_text(o, text, c->width);
}

static void empty_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	(void)d;
	out_fill(o, ' ', (size_t)c->width);
}

#define IP COUNT_BIT(COUNT_IP)
#define COMM COUNT_BIT(COUNT_COMM)
#define TASK (COUNT_BIT(COUNT_PID) | COUNT_BIT(COUNT_TID) | COUNT_BIT(COUNT_COMM))

static const struct sort_key keys[] = {
	{ .name = "pid",
	  .header = "    Pid:Command",
	  .columns = TASK,
	  .id = tid_id,
	  .order = signed_order,
	  .print = tid_print,
	  .width = tid_width },
	{ .name = "comm",
	  .header = "Command",
	  .columns = COMM,
	  .flags = KEY_TEXT | KEY_TWICE,
	  .id = comm_id,
	  .width = comm_width },
	{ .name = "comm_nodigit",
	  .header = "CommandNoDigit",
	  .columns = COMM,
	  .flags = KEY_TEXT | KEY_TWICE,
	  .id = comm_nodigit_id },
	{ .name = "parent",
	  .header = "Parent symbol",
	  .columns = IP,
	  .flags = KEY_TEXT | KEY_PARENT,
	  .id = parent_id,
	  .print = parent_print },
	{ .name = "cpu",
	  .header = "CPU",
	  .columns = COUNT_BIT(COUNT_CPU),
	  .least_width = 3,
	  .id = cpu_id,
	  .order = signed_order,
	  .print = cpu_print },
	{ .name = "socket",
	  .header = "Socket",
	  .columns = COUNT_BIT(COUNT_CPU),
	  .least_width = 6,
	  .id = socket_id,
	  .order = signed_order,
	  .print = socket_print },
	{ .name = "local_weight",
	  .header = "Local Weight",
	  .columns = COUNT_BIT(COUNT_WEIGHT),
	  .flags = KEY_DESC,
	  .least_width = 12,
	  .id = weight_id,
	  .print = number_print },
	{ .name = "weight",
	  .header = "Weight",
	  .columns = COUNT_BIT(COUNT_WEIGHT),
	  .flags = KEY_DESC,
	  .least_width = 12,
	  .id = weight_id,
	  .print = sum_print },
	{ .name = "transaction",
	  .header = "Transaction",
	  .least_width = 27,
	  .columns = COUNT_BIT(COUNT_TRANSACTION),
	  .flags = KEY_DESC,
	  .id = transaction_id,
	  .print = transaction_print },
	{ .name = "trace",
	  .header = "Trace output",
	  .columns = COUNT_BIT(COUNT_RAW) | COUNT_BIT(COUNT_CPU),
	  .flags = KEY_TEXT | KEY_TRACE,
	  .id = trace_id,
	  .print = key_print_unfilled },
	{ .name = "cgroup",
	  .header = "Cgroup",
	  .columns = COUNT_BIT(COUNT_CGROUP),
	  .id = cgroup_id,
	  .print = cgroup_print,
	  .width = cgroup_width },
	{ .name = "cgroup_id",
	  .header = "cgroup id (dev/inode)",
	  .least_width = 20,
	  .columns = COUNT_BIT(COUNT_CGROUP_NS),
	  .flags = KEY_LOCAL,
	  .id = cgroup_ns_id,
	  .order = cgroup_ns_order,
	  .print = cgroup_ns_print },
	{ .name = "time",
	  .header = "Time",
	  .columns = COUNT_BIT(COUNT_TIME),
	  .id = time_id,
	  .print = time_print,
	  .width = time_width },
	{ .name = "code_page_size",
	  .header = "Code Page Size",
	  .least_width = 6,
	  .columns = COUNT_BIT(COUNT_CODE_PAGE_SIZE),
	  .id = code_page_id,
	  .print = page_print },
	{ .name = "local_ins_lat",
	  .header = "Local INSTR Latency",
	  .least_width = 13,
	  .columns = COUNT_BIT(COUNT_INS_LAT),
	  .flags = KEY_DESC,
	  .id = ins_lat_id,
	  .print = number_print },
	{ .name = "ins_lat",
	  .header = "INSTR Latency",
	  .least_width = 13,
	  .columns = COUNT_BIT(COUNT_INS_LAT),
	  .flags = KEY_DESC,
	  .id = ins_lat_id,
	  .print = sum_print },
	{ .name = "local_p_stage_cyc",
	  .header = "Local Retire Latency",
	  .least_width = 13,
	  .columns = COUNT_BIT(COUNT_WEIGHT3),
	  .flags = KEY_DESC,
	  .id = weight3_id,
	  .print = number_print },
	{ .name = "p_stage_cyc",
	  .header = "Retire Latency",
	  .least_width = 13,
	  .columns = COUNT_BIT(COUNT_WEIGHT3),
	  .flags = KEY_DESC,
	  .id = weight3_id,
	  .print = sum_print },
	{ .name = "local_retire_lat",
	  .header = "Local Pipeline Stage Cycle",
	  .least_width = 13,
	  .columns = COUNT_BIT(COUNT_WEIGHT3),
	  .flags = KEY_DESC,
	  .id = weight3_id,
	  .print = number_print },
	{ .name = "retire_lat",
	  .header = "Pipeline Stage Cycle",
	  .least_width = 13,
	  .columns = COUNT_BIT(COUNT_WEIGHT3),
	  .flags = KEY_DESC,
	  .id = weight3_id,
	  .print = sum_print },
	{ .name = "simd", .header = "Simd   ", .id = nothing_id, .print = empty_print },
	{ .name = "parallelism",
	  .header = "Parallelism",
	  .columns = COUNT_BIT(COUNT_PARALLELISM),
	  .least_width = 11,
	  .id = parallelism_id,
	  .print = parallelism_print },
	{ .name = "tgid",
	  .header = "   Tgid:Command",
	  .columns = TASK,
	  .id = pid_id,
	  .order = signed_order,
	  .print = tid_print },
};

const struct sort_key *sort_keys_common(size_t *ret_nr)
{
	*ret_nr = ARRAY_SIZE(keys);
	return keys;
}
