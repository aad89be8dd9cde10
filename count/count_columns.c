/* SPDX-License-Identifier: MIT */
#include "count/count_columns.h"

/* --- values ----------------------------------------------------------------------------------- */

/* A column that is one member of the task or of the sample. */
#define MEMBER_COLUMN(column, member)                                                     \
	static u64 get_##column(const struct counter *c, const struct counter_sample *cs) \
	{                                                                                 \
		(void)c;                                                                  \
		return cs->member;                                                        \
	}

MEMBER_COLUMN(comm, task->comm)
MEMBER_COLUMN(pid, task->pid)
MEMBER_COLUMN(tid, task->tid)
MEMBER_COLUMN(cpu, s->cpu)
MEMBER_COLUMN(cpumode, s->cpumode)
MEMBER_COLUMN(cgroup, s->cgroup)
MEMBER_COLUMN(cgroup_ns, task->cgroup_ns)
MEMBER_COLUMN(parallelism, task->parallelism)
MEMBER_COLUMN(weight, s->weight)
MEMBER_COLUMN(ins_lat, s->ins_lat)
MEMBER_COLUMN(weight3, s->weight3)
MEMBER_COLUMN(transaction, s->transaction)
MEMBER_COLUMN(data_src, s->data_src)
MEMBER_COLUMN(addr, s->addr)
MEMBER_COLUMN(phys_addr, s->phys_addr)
MEMBER_COLUMN(data_page_size, s->data_page_size)
MEMBER_COLUMN(code_page_size, s->code_page_size)
MEMBER_COLUMN(end, chain.end)

static u64 get_time(const struct counter *c, const struct counter_sample *cs)
{
	u64 time = cs->s->time;

	return time == UINT64_MAX ? 0 : time - time % c->cfg->time_quantum_ns;
}

static u64 get_offcpu(const struct counter *c, const struct counter_sample *cs)
{
	u64 state = cs->s->id - PD_OFFCPU_ID;

	(void)c;
	return state < PD_NR_OFFCPU ? 1 + state : 0;
}

/* Rows then hold samples of nearly the same period, so that the sum of their squares is known. */
static u64 get_period_step(const struct counter *c, const struct counter_sample *cs)
{
	u64 period = cs->s->period;
	int low = period ? 63 - __builtin_clzll(period) - 4 : 0;

	(void)c;
	return low > 0 ? period >> low << low : period;
}

static u64 get_ip(const struct counter *c, const struct counter_sample *cs)
{
	return c->kind->name ? c->frames.marks[cs->ip_frame] : cs->s->ip;
}

static u64 get_stack(const struct counter *c, const struct counter_sample *cs)
{
	(void)c;
	return cs->chain.nr ? (u32)(cs->stack_hash >> 32) : 0;
}

static u64 get_raw(const struct counter *c, const struct counter_sample *cs)
{
	(void)c;
	return cs->s->raw.n ? (u32)(cs->blob_hash >> 32) : 0;
}

/* --- ids -------------------------------------------------------------------------------------- */

static u64 id_of_ip(struct counter *c, const struct counter_sample *cs, u64 *rank)
{
	return c->kind->name ? cs->ip_frame
			     : counter_frame(c, cs->task, cs->s->cpumode, cs->s->ip, rank);
}

static u64 id_of_stack(struct counter *c, const struct counter_sample *cs, u64 *rank)
{
	return c->kind->put_stack(c, cs, rank);
}

static u64 id_of_addr(struct counter *c, const struct counter_sample *cs, u64 *rank)
{
	struct count_spaces spaces = { cs->task->user_maps, cs->task->kernel_maps };
	const struct mapset *space = count_space(&spaces, cs->s->cpumode);
	u64 addr = cs->s->addr;
	u8 mode = cs->s->cpumode;

	/* the kernel may touch user memory, and the other way round */
	if (!space || !mapset_find(space, addr))
		mode = (s64)addr < 0 ? PD_CPUMODE_KERNEL : PD_CPUMODE_USER;
	return counter_frame(c, cs->task, mode, addr, rank);
}

static u64 id_of_raw(struct counter *c, const struct counter_sample *cs, u64 *rank)
{
	(void)rank;
	return blobs_put(&c->blobs, cs->s->raw.p, cs->s->raw.n, cs->blob_hash);
}

u32 count_columns_frame_of_any(struct counter *c, const struct count_task *task, u64 ip, u64 *rank)
{
	u8 mode = mapset_find(task->user_maps, ip) ? PD_CPUMODE_USER : PD_CPUMODE_KERNEL;

	return counter_frame(c, task, mode, ip, rank);
}

/* --- the table -------------------------------------------------------------------------------- */

const struct count_column_def count_columns[COUNT_COLUMNS] = {
	[COUNT_COMM] = { "comm", 0, get_comm },
	[COUNT_PID] = { "pid", 0, get_pid },
	[COUNT_TID] = { "tid", 0, get_tid },
	[COUNT_CPU] = { "cpu", 0, get_cpu },
	[COUNT_CPUMODE] = { "cpumode", 0, get_cpumode },
	[COUNT_IP] = { "ip", COLUMN_FRAME, get_ip, id_of_ip },
	[COUNT_STACK] = { "stack", COLUMN_STACK, get_stack, id_of_stack },
	[COUNT_TIME] = { "time", 0, get_time },
	[COUNT_OFFCPU] = { "offcpu", 0, get_offcpu },
	[COUNT_CGROUP] = { "cgroup", 0, get_cgroup },
	[COUNT_CGROUP_NS] = { "cgroup_ns", 0, get_cgroup_ns },
	[COUNT_WEIGHT] = { "weight", 0, get_weight },
	[COUNT_INS_LAT] = { "ins_lat", 0, get_ins_lat },
	[COUNT_WEIGHT3] = { "weight3", 0, get_weight3 },
	[COUNT_TRANSACTION] = { "transaction", 0, get_transaction },
	[COUNT_DATA_SRC] = { "data_src", 0, get_data_src },
	[COUNT_ADDR] = { "addr", COLUMN_FRAME, get_addr, id_of_addr },
	[COUNT_PHYS_ADDR] = { "phys_addr", 0, get_phys_addr },
	[COUNT_DATA_PAGE_SIZE] = { "data_page_size", 0, get_data_page_size },
	[COUNT_CODE_PAGE_SIZE] = { "code_page_size", 0, get_code_page_size },
	[COUNT_END] = { "end", 0, get_end },
	[COUNT_PERIOD_STEP] = { "period_step", 0, get_period_step },
	[COUNT_PARALLELISM] = { "parallelism", 0, get_parallelism },
	[COUNT_RAW] = { "raw", COLUMN_BLOB, get_raw, id_of_raw },
	[COUNT_BRANCH_FROM] = { "branch_from", COLUMN_FRAME | COLUMN_BRANCH },
	[COUNT_BRANCH_TO] = { "branch_to", COLUMN_FRAME | COLUMN_BRANCH },
	[COUNT_BRANCH_FLAGS] = { "branch_flags", COLUMN_BRANCH },
};

/* --- hashes of rows --------------------------------------------------------------------------- */

static u32 mix_hash(u32 hash, u64 v)
{
	u64 h = (hash ^ v) * 0x9e3779b97f4a7c15ull;

	return (u32)(h >> 32) ^ (u32)h;
}

u32 count_columns_hash_key(const struct counter *c, const u32 *key)
{
	u32 h = mix_hash(0, *key++);
	u64 v;

	for (u32 cols = c->keyed; cols; cols &= cols - 1) {
		enum count_column col = (enum count_column)__builtin_ctz(cols);
		u32 flags = count_columns[col].flags;

		key = count_key_get(key, col, &v);
		if (flags & COLUMN_FRAME)
			/* not from the frame: it may get its map meanwhile */
			h = mix_hash(h, c->kind->name ? c->frames.marks[v] : c->frames.items[v].ip);
		else if (flags & COLUMN_STACK)
			h = mix_hash(h, c->stacks.items[v].check);
		else if (flags & COLUMN_BLOB)
			h = mix_hash(h, c->blobs.items[v].check);
		else
			h = mix_hash(h, v);
	}
	return h;
}

u32 count_columns_hash_sample(const struct counter *c, const struct counter_sample *cs)
{
	u32 h = mix_hash(0, cs->ev->idx);

	for (u32 cols = c->keyed; cols; cols &= cols - 1)
		h = mix_hash(h, count_columns[__builtin_ctz(cols)].get(c, cs));
	return h;
}
