/* SPDX-License-Identifier: MIT */
#include "events/recipes.h"

/*
 * A ? in front of an event: the analysis does without it, but says so. sched_switch tells with
 * prev_state 0, and with 0x100 from Linux 4.14 on, that a thread was preempted and waits again. The
 * kernel completes a flush with another sector than it was issued with, so that flushes are paired
 * by their device alone.
 */
static const struct recipe recipes[] = {
	{ .name = "runq",
	  .about = "time between becoming runnable and running, by thread name",
	  .begin = "sched:sched_waking/pid != 0/key=pid/,?sched:sched_wakeup_new/key=pid/,"
		   "sched:sched_switch/prev_pid != 0 && (prev_state == 0 || prev_state & 0x100)/"
		   "key=prev_pid/",
	  .end = "sched:sched_switch/next_pid != 0/key=next_pid/",
	  .by = "end:next_comm",
	  .whole_system = true,
	  .record = "prec -a -e sched:sched_waking,sched:sched_wakeup_new,sched:sched_switch" },
	{ .name = "task-state",
	  .about = "time of each thread running, waiting for a CPU and asleep, by state",
	  .record = "prec -a -g -e sched:sched_switch,sched:sched_waking" },
	{ .name = "offcpu",
	  .about = "time off the CPU, by thread name, state and stack",
	  .record = "prec -a -g -e sched:sched_switch,sched:sched_waking" },
	{ .name = "oncpu",
	  .about = "time on a CPU from switch to switch, by thread name",
	  .record = "prec -a -e sched:sched_switch" },
	{ .name = "leak",
	  .about = "what was allocated and not freed, by stack: memory of the kernel, malloc",
	  .record = "prec -a -g -e kmem:kmalloc,kmem:kfree" },
	{ .name = "sleep",
	  .about = "time asleep until woken, by thread name and state",
	  .begin = "sched:sched_switch/prev_pid != 0 && prev_state & 0xff/key=prev_pid/",
	  .end = "sched:sched_waking/key=pid/",
	  .by = "begin:prev_comm,begin:state(prev_state)",
	  .whole_system = true,
	  .record = "prec -a -g -e sched:sched_switch,sched:sched_waking" },
	{ .name = "syscalls",
	  .about = "system calls, by name",
	  .begin = "raw_syscalls:sys_enter/key=$tid/",
	  .end = "raw_syscalls:sys_exit/key=$tid/",
	  .by = "begin:syscall(id)",
	  .record = "prec -a -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit" },
	{ .name = "block",
	  .about = "block requests from issue to completion, by device and kind",
	  .begin = "block:block_rq_issue/nr_sector != 0/key=dev,sector/,"
		   "block:block_rq_issue/nr_sector == 0/key=dev,-1/",
	  .end = "block:block_rq_complete/nr_sector != 0/key=dev,sector/,"
		 "block:block_rq_complete/nr_sector == 0/key=dev,-1/",
	  .by = "begin:dev(dev),begin:rwbs",
	  .whole_system = true,
	  .record = "prec -a -e block:block_rq_issue,block:block_rq_complete" },
	{ .name = "irq",
	  .about = "interrupt handlers, by name",
	  .begin = "irq:irq_handler_entry/key=$cpu,irq/",
	  .end = "irq:irq_handler_exit/key=$cpu,irq/",
	  .by = "begin:name",
	  .nest = true,
	  .whole_system = true,
	  .record = "prec -a -e irq:irq_handler_entry,irq:irq_handler_exit" },
	{ .name = "softirq",
	  .about = "soft interrupts, by number",
	  .begin = "irq:softirq_entry/key=$cpu,vec/",
	  .end = "irq:softirq_exit/key=$cpu,vec/",
	  .by = "begin:vec",
	  .whole_system = true,
	  .record = "prec -a -e irq:softirq_entry,irq:softirq_exit" },
	{ .name = "lock",
	  .about = "waits for contended locks of the kernel, by name of the waiting thread",
	  .begin = "lock:contention_begin/key=$tid,lock_addr/",
	  .end = "lock:contention_end/key=$tid,lock_addr/",
	  .by = "begin:comm",
	  .record = "prec -a -g -e lock:contention_begin,lock:contention_end" },
	{ .name = "softirq-delay",
	  .about = "time from raising a soft interrupt to its handler, by number",
	  .begin = "irq:softirq_raise/key=$cpu,vec/",
	  .end = "irq:softirq_entry/key=$cpu,vec/",
	  .by = "begin:vec",
	  .whole_system = true,
	  .record = "prec -a -e irq:softirq_raise,irq:softirq_entry" },
	{ .name = "work",
	  .about = "work of kernel worker threads, by function",
	  .begin = "workqueue:workqueue_execute_start/key=work/",
	  .end = "workqueue:workqueue_execute_end/key=work/",
	  .by = "begin:sym(function)",
	  .whole_system = true,
	  .record =
		  "prec -a -e workqueue:workqueue_execute_start,workqueue:workqueue_execute_end" },
	{ .name = "work-delay",
	  .about = "time from queueing work to its start, by function",
	  .begin = "workqueue:workqueue_queue_work/key=work/",
	  .end = "workqueue:workqueue_execute_start/key=work/",
	  .by = "begin:sym(function)",
	  .whole_system = true,
	  .record = "prec -a -e workqueue:workqueue_queue_work,workqueue:workqueue_execute_start" },
	{ .name = "timer",
	  .about = "handlers of timers, by function",
	  .begin = "timer:hrtimer_expire_entry/key=$cpu,hrtimer/,"
		   "timer:timer_expire_entry/key=$cpu,timer/",
	  .end = "timer:hrtimer_expire_exit/key=$cpu,hrtimer/,"
		 "timer:timer_expire_exit/key=$cpu,timer/",
	  .by = "begin:sym(function)",
	  .nest = true,
	  .whole_system = true,
	  .record = "prec -a -e timer:hrtimer_expire_entry,timer:hrtimer_expire_exit "
		    "-e timer:timer_expire_entry,timer:timer_expire_exit" },
	{ .name = "futex",
	  .about = "waits for futexes, by thread name and address",
	  .begin = "syscalls:sys_enter_futex/(op & 0x7f) == 0 || (op & 0x7f) == 9/key=$tid/",
	  .end = "syscalls:sys_exit_futex/key=$tid/",
	  .by = "begin:comm,begin:hex(uaddr)",
	  .record = "prec -a -e syscalls:sys_enter_futex,syscalls:sys_exit_futex" },
	{ .name = "open",
	  .about = "opening of files, by thread name",
	  .begin = "syscalls:sys_enter_openat/key=$tid/",
	  .end = "syscalls:sys_exit_openat/key=$tid/",
	  .by = "begin:comm",
	  .record = "prec -a -e syscalls:sys_enter_openat,syscalls:sys_exit_openat" },
	{ .name = "block-queue",
	  .about = "block requests from the queue to the device, by device and kind",
	  .begin = "block:block_rq_insert/nr_sector != 0/key=dev,sector/",
	  .end = "block:block_rq_issue/nr_sector != 0/key=dev,sector/",
	  .by = "begin:dev(dev),begin:rwbs",
	  .whole_system = true,
	  .record = "prec -a -e block:block_rq_insert,block:block_rq_issue" },
	{ .name = "kvm-exit",
	  .about = "exits of virtual machines until the guest runs again, by reason",
	  .begin = "kvm:kvm_exit/key=$tid/",
	  .end = "kvm:kvm_entry/key=$tid/",
	  .by = "begin:exit_reason",
	  .record = "prec -a -e kvm:kvm_exit,kvm:kvm_entry" },
	{ .name = "faults",
	  .about = "page faults of programs, by thread name: how many",
	  .end = "exceptions:page_fault_user",
	  .by = "comm",
	  .record = "prec -a -e exceptions:page_fault_user" },
	{ .name = "signal",
	  .about = "signals sent, by number and receiver: how many",
	  .end = "signal:signal_generate",
	  .by = "sig,comm",
	  .record = "prec -a -e signal:signal_generate" },
	{ .name = "exec",
	  .about = "programs started, by file: how many",
	  .end = "sched:sched_process_exec",
	  .by = "filename",
	  .record = "prec -a -e sched:sched_process_exec" },
	{ .name = "exit",
	  .about = "threads that ended, by name: how many",
	  .end = "sched:sched_process_exit",
	  .by = "comm",
	  .record = "prec -a -e sched:sched_process_exit" },
	{ .name = "migrate",
	  .about = "moves of threads to another CPU, by the two CPUs: how many",
	  .end = "sched:sched_migrate_task",
	  .by = "orig_cpu,dest_cpu",
	  .whole_system = true,
	  .record = "prec -a -e sched:sched_migrate_task" },
};

const struct recipe *recipe_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(recipes); i++)
		if (!strcmp(recipes[i].name, name))
			return &recipes[i];
	return NULL;
}

void recipes_list(struct out *o)
{
	for (size_t i = 0; i < ARRAY_SIZE(recipes); i++) {
		out_str_width(o, recipes[i].name, -14);
		out_str(o, recipes[i].about);
		out_char(o, '\n');
	}
}
