/* SPDX-License-Identifier: MIT */
/*
 * Prints a recording of the events of all recipes of plat on standard output, made up from a seed:
 * few keys, so that begins meet ends, are replaced, and wait to the end; records of 4 CPUs in
 *rounds, with LOST records. The texts of the events are those of Linux 6.18 in short.
 *
 *	recipe_recording SEED EVENTS [big] [lost]
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "fileformat/feature/feature.h"
#include "tests/frame/build_file.h"

#define CPUS 4
#define THREADS 12
#define NAMED 9  /* threads with a COMM record */
#define ROUND 60 /* events */
#define FIRST_ID 100

enum value { V_DEV, V_SECTOR, V_COUNT, V_RWBS, V_SMALL, V_TID, V_NAME, V_POINTER, V_STATE, V_OP };

/* Fields by name: an event has those that its text `fields` names, in this order. */
static const struct field {
	const char *name, *type;
	u32 size;
	enum value value;
} fields[] = {
	{ "dev", "dev_t dev", 4, V_DEV },
	{ "sector", "sector_t sector", 8, V_SECTOR },
	{ "nr_sector", "unsigned int nr_sector", 4, V_COUNT },
	{ "rwbs", "char rwbs[8]", 8, V_RWBS },
	{ "irq", "int irq", 4, V_SMALL },
	{ "name", "char name[16]", 16, V_NAME },
	{ "vec", "unsigned int vec", 4, V_SMALL },
	{ "lock_addr", "void * lock_addr", 8, V_POINTER },
	{ "work", "void * work", 8, V_POINTER },
	{ "function", "void * function", 8, V_POINTER },
	{ "hrtimer", "void * hrtimer", 8, V_POINTER },
	{ "timer", "void * timer", 8, V_POINTER },
	{ "id", "long id", 8, V_SMALL },
	{ "uaddr", "u32 * uaddr", 8, V_POINTER },
	{ "op", "int op", 8, V_OP },
	{ "ret", "long ret", 8, V_SMALL },
	{ "exit_reason", "unsigned int exit_reason", 4, V_SMALL },
	{ "sig", "int sig", 4, V_SMALL },
	{ "comm", "char comm[16]", 16, V_NAME },
	{ "pid", "pid_t pid", 4, V_TID },
	{ "filename", "char filename[16]", 16, V_NAME },
	{ "orig_cpu", "int orig_cpu", 4, V_SMALL },
	{ "dest_cpu", "int dest_cpu", 4, V_SMALL },
	{ "prev_comm", "char prev_comm[16]", 16, V_NAME },
	{ "prev_pid", "pid_t prev_pid", 4, V_TID },
	{ "prev_state", "long prev_state", 8, V_STATE },
	{ "next_comm", "char next_comm[16]", 16, V_NAME },
	{ "next_pid", "pid_t next_pid", 4, V_TID },
};

#define BLOCK_FIELDS "dev sector nr_sector rwbs"
#define BLOCK_BEGINS                                                        \
	"\"%d,%d %s 0 () %llu + %u\", REC->dev >> 20, REC->dev & 0xfffff, " \
	"REC->rwbs, REC->sector, REC->nr_sector"
#define WAKING "\"comm=%s pid=%d prio=1\", REC->comm, REC->pid"

/* Events of one system follow each other. print NULL: no tracepoint. */
static const struct event {
	const char *system, *name, *fields, *print;
} events[] = {
	{ "block", "block_rq_insert", BLOCK_FIELDS, BLOCK_BEGINS },
	{ "block", "block_rq_issue", BLOCK_FIELDS, BLOCK_BEGINS },
	{ "block", "block_rq_complete", BLOCK_FIELDS,
	  "\"%d,%d %s () %llu + %u\", REC->dev >> 20, REC->dev & 0xfffff, REC->rwbs, REC->sector, "
	  "REC->nr_sector" },
	{ "irq", "irq_handler_entry", "irq name", "\"irq=%d name=%s\", REC->irq, REC->name" },
	{ "irq", "irq_handler_exit", "irq", "\"irq=%d\", REC->irq" },
	{ "irq", "softirq_raise", "vec", "\"vec=%u\", REC->vec" },
	{ "irq", "softirq_entry", "vec", "\"vec=%u\", REC->vec" },
	{ "irq", "softirq_exit", "vec", "\"vec=%u\", REC->vec" },
	{ "lock", "contention_begin", "lock_addr", "\"%p\", REC->lock_addr" },
	{ "lock", "contention_end", "lock_addr", "\"%p\", REC->lock_addr" },
	{ "workqueue", "workqueue_queue_work", "work function",
	  "\"work struct=%p function=%ps\", REC->work, REC->function" },
	{ "workqueue", "workqueue_execute_start", "work function",
	  "\"work struct %p: function %ps\", REC->work, REC->function" },
	{ "workqueue", "workqueue_execute_end", "work function",
	  "\"work struct %p: function %ps\", REC->work, REC->function" },
	{ "timer", "hrtimer_expire_entry", "hrtimer function",
	  "\"hrtimer=%p function=%ps\", REC->hrtimer, REC->function" },
	{ "timer", "hrtimer_expire_exit", "hrtimer", "\"hrtimer=%p\", REC->hrtimer" },
	{ "timer", "timer_expire_entry", "timer function",
	  "\"timer=%p function=%ps\", REC->timer, REC->function" },
	{ "timer", "timer_expire_exit", "timer", "\"timer=%p\", REC->timer" },
	{ "raw_syscalls", "sys_enter", "id", "\"NR %ld ()\", REC->id" },
	{ "raw_syscalls", "sys_exit", "id ret", "\"NR %ld = %ld\", REC->id, REC->ret" },
	{ "syscalls", "sys_enter_futex", "uaddr op",
	  "\"uaddr: 0x%08lx, op: 0x%08lx\", REC->uaddr, REC->op" },
	{ "syscalls", "sys_exit_futex", "ret", "\"0x%lx\", REC->ret" },
	{ "syscalls", "sys_enter_openat", "uaddr", "\"filename: 0x%08lx\", REC->uaddr" },
	{ "syscalls", "sys_exit_openat", "ret", "\"0x%lx\", REC->ret" },
	{ "kvm", "kvm_exit", "exit_reason", "\"reason %u\", REC->exit_reason" },
	{ "kvm", "kvm_entry", "exit_reason", "\"\"" },
	{ "exceptions", "page_fault_user", "uaddr", "\"address=%llx\", REC->uaddr" },
	{ "signal", "signal_generate", "sig comm",
	  "\"sig=%d comm=%s pid=1\", REC->sig, REC->comm" },
	{ "sched", "sched_process_exec", "pid filename",
	  "\"filename=%s pid=%d\", REC->filename, REC->pid" },
	{ "sched", "sched_process_exit", "comm pid", WAKING },
	{ "sched", "sched_migrate_task", "orig_cpu dest_cpu",
	  "\"orig_cpu=%d dest_cpu=%d\", REC->orig_cpu, REC->dest_cpu" },
	{ "sched", "sched_wakeup", "comm pid", WAKING },
	{ "sched", "sched_wakeup_new", "comm pid", WAKING },
	{ "sched", "sched_waking", "comm pid", WAKING },
	{ "sched", "sched_switch", "prev_comm prev_pid prev_state next_comm next_pid",
	  "\"prev_comm=%s prev_pid=%d prev_prio=1 prev_state=%s%s ==> next_comm=%s next_pid=%d "
	  "next_prio=1\", REC->prev_comm, REC->prev_pid, (REC->prev_state & 0xff) ? "
	  "__print_flags(REC->prev_state & 0xff, \"|\", { 1, \"S\" }, { 2, \"D\" }, "
	  "{ 0x80, \"I\" }) : \"R\", REC->prev_state & 0x100 ? \"+\" : \"\", REC->next_comm, "
	  "REC->next_pid" },
	{ NULL, "cpu-clock", "", NULL },
	{ NULL, "r10f4", "", NULL },
};

static const char *const names[] = { "sh", "make", "cc1 -x", "a:b", "kworker/0:1" };
static u64 ids[ARRAY_SIZE(events)];

static bool has_field(const struct event *ev, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = ev->fields; (p = strstr(p, name)); p += n)
		if ((p == ev->fields || p[-1] == ' ') && (!p[n] || p[n] == ' '))
			return true;
	return false;
}

static struct pd_attr event_attr(size_t event)
{
	struct pd_attr a = attr_plain();

	a.sample_type = PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
			PD_SAMPLE_CPU | PD_SAMPLE_PERIOD;
	if (events[event].print) {
		a.type = PD_TYPE_TRACEPOINT;
		a.config = event + 1;
		a.sample_type |= PD_SAMPLE_RAW;
	} else if (!strcmp(events[event].name, "r10f4")) {
		a.type = PD_TYPE_RAW;
		a.config = 0x10f4;
	}
	return a;
}

/* "\tfield:..." of all fields; each is at a multiple of 8. */
static char *format_of(const struct event *ev)
{
	struct bytes b = bytes_new(false);
	char line[128];
	u32 off = 8;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		const struct field *f = &fields[i];

		if (!has_field(ev, f->name))
			continue;
		put_mem(&b, line,
			(size_t)snprintf(line, sizeof(line),
					 "\tfield:%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", f->type,
					 off, f->size, f->type[0] != 'u' && !strchr(f->type, '*')));
		off += (f->size + 7) & ~7u;
	}
	put_u8(&b, 0);
	return (char *)b.p;
}

static void put_value(struct bytes *raw, const struct field *f, u64 dice)
{
	static const u64 states[] = { 0, 0x100, 1, 2, 0x80, 0x101, 3 };
	static const u64 ops[] = { 0, 0x80, 0x89, 0x189, 1, 0x8a };
	static const char *const rwbs[] = { "W", "RM", "FF", "WS" };
	char text[16] = "";
	u64 v = dice % 6;

	switch (f->value) {
	case V_DEV: v = 254u << 20 | (u32)(dice % 2); break;
	case V_SECTOR: v = dice % 5 * 8 + 4096; break;
	case V_COUNT: v = dice % 4 * 8; break;
	case V_TID: v = dice % THREADS; break;
	case V_POINTER: v = 0xffff888100000000 + dice % 6 * 64; break;
	case V_STATE: v = states[dice % ARRAY_SIZE(states)]; break;
	case V_OP: v = ops[dice % ARRAY_SIZE(ops)]; break;
	case V_SMALL: break;
	case V_NAME:
	case V_RWBS:
		snprintf(text, sizeof(text), "%s",
			 f->value == V_RWBS ? rwbs[dice % ARRAY_SIZE(rwbs)]
					    : names[dice % ARRAY_SIZE(names)]);
		put_mem(raw, text, f->size);
		return;
	}
	if (f->size == 4)
		put_u32(raw, (u32)v);
	else
		put_u64(raw, v);
}

static void put_event(struct bytes *b, u64 time, u32 cpu, u64 dice)
{
	size_t event = dice % ARRAY_SIZE(events);
	const struct event *ev = &events[event];
	u32 tid = (u32)(dice >> 8) % THREADS;
	struct pd_attr a = event_attr(event);
	struct bytes raw = bytes_new(b->big);
	u64 ip = (dice >> 16) % 3 ? 0x401000 : 0xffffffff81000000;

	put_u16(&raw, (u16)(event + 1));
	put_fill(&raw, 0, 6);
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (!has_field(ev, fields[i].name))
			continue;
		put_value(&raw, &fields[i], hash_pair(dice, i));
		put_fill(&raw, 0, -raw.n & 7);
	}
	put_fill(&raw, 0, 4); /* the size before it has 4 bytes */
	put_sample(b, &a,
		   &(struct sample_parts){ .misc = ip >> 63 ? 1 : 2,
					   .id = ids[event],
					   .ip = ip,
					   .period = 1,
					   .pid = tid,
					   .tid = tid,
					   .time = time,
					   .cpu = cpu,
					   .raw = raw.p,
					   .raw_size = (u32)raw.n });
	bytes_free(&raw);
}

/* One round of one CPU; its times lie between those of the rounds before and after. */
static void put_cpu(struct bytes *b, u64 seed, u64 round, u32 cpu, bool lost)
{
	u64 time = 1000000000 + round * 200000 + cpu * 7;

	for (u32 i = 0; i < ROUND; i++) {
		u64 dice = hash_pair(seed, (round * CPUS + cpu) * ROUND + i);

		/* now and then at the same time */
		time += dice >> 20 & 7 ? (dice >> 24) % 2500 : 0;
		if (lost && i == 17 && dice >> 40 & 3)
			put_lost(b, event_attr(0), 1 + dice % 9,
				 &(struct sample_parts){ .id = ids[0], .time = time, .cpu = cpu });
		put_event(b, time, cpu, dice);
	}
}

static void begin_file(struct file_builder *f)
{
	struct trace_format formats[ARRAY_SIZE(events)];
	const char *event_names[ARRAY_SIZE(events)];
	char full[ARRAY_SIZE(events)][64];
	size_t nr = 0;

	file_begin(f, BUILD_REGULAR);
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		const struct event *ev = &events[i];
		struct pd_attr a = event_attr(i);

		ids[i] = FIRST_ID + i;
		file_add_event(f, &a, &ids[i], 1);
		snprintf(full[i], sizeof(full[i]), "%s%s%s", ev->system ? ev->system : "",
			 ev->system ? ":" : "", ev->name);
		event_names[i] = full[i];
		if (ev->print)
			formats[nr++] = (struct trace_format){ ev->system, ev->name, (u32)i + 1,
							       format_of(ev), ev->print };
	}
	put_formats(file_feature(f, PD_FEAT_TRACING_DATA), formats, nr);
	/* readers tell by it that the bitmap of features is right */
	put_string(file_feature(f, PD_FEAT_HOSTNAME), "h");
	put_string(file_feature(f, PD_FEAT_ARCH), "x86_64");
	file_event_desc(f, event_names);
	file_begin_data(f);
	for (size_t i = 0; i < nr; i++)
		free((void *)formats[i].fields);
}

int main(int argc, char **argv)
{
	u64 seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
	u64 rounds = argc > 2 ? strtoull(argv[2], NULL, 0) / (ROUND * CPUS) : 0;
	struct pd_attr a = event_attr(0);
	struct file_builder f = { 0 };
	bool big = false, lost = false;
	struct bytes b;

	for (int i = 3; i < argc; i++) {
		big |= !strcmp(argv[i], "big");
		lost |= !strcmp(argv[i], "lost");
	}
	if (!rounds) {
		fprintf(stderr, "usage: recipe_recording SEED EVENTS [big] [lost]\n");
		return 129;
	}
	b = bytes_new(big);
	f.b = &b;
	begin_file(&f);
	for (u32 tid = 1; tid < NAMED; tid++)
		put_comm(&b, tid, tid, names[tid % ARRAY_SIZE(names)], &a,
			 &(struct sample_parts){ .id = ids[0], .time = 1000000 });
	for (u64 round = 0; round < rounds; round++) {
		for (u32 cpu = 0; cpu < CPUS; cpu++)
			put_cpu(&b, seed, round, cpu, lost);
		put_round(&b);
	}
	file_end(&f);
	fwrite(b.p, 1, b.n, stdout);
	bytes_free(&b);
	return fflush(stdout) ? 1 : 0;
}
