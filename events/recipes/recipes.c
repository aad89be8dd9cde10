/* SPDX-License-Identifier: MIT */
#include "events/recipes/recipes.h"

#include "base/mem.h"
#include "events/recipes/recipe_text.h"

/*
 * A ? in front of an event: the analysis does without it, but says so. sched_switch tells with
 * prev_state 0, and with 0x100 from Linux 4.14 on, that a thread was preempted and waits again. The
 * kernel completes a flush with another sector than it was issued with, so that flushes are paired
 * by their device alone.
 */
/* clang-format off */
static const char text[] =
	"recipe runq \"time between becoming runnable and running, by thread name\"\n"
	"\tbegin sched:sched_waking key pid if pid != 0\n"
	"\tbegin ?sched:sched_wakeup_new key pid\n"
	"\tbegin sched:sched_switch key prev_pid if prev_pid != 0 && (prev_state == 0 || "
	"prev_state & 0x100)\n"
	"\tend sched:sched_switch key next_pid if next_pid != 0\n"
	"\tby end:next_comm\n"
	"\twhole-system\n"
	"\trecord -a -e sched:sched_waking,sched:sched_wakeup_new,sched:sched_switch\n"
	"\n"
	"recipe task-state \"time of each thread running, waiting for a CPU and asleep, by "
	"state\"\n"
	"\tanalysis\n"
	"\trecord -a -g -e sched:sched_switch,sched:sched_waking\n"
	"\n"
	"recipe offcpu \"time off the CPU, by thread name, state and stack\"\n"
	"\tanalysis\n"
	"\trecord -a -g -e sched:sched_switch,sched:sched_waking\n"
	"\n"
	"recipe oncpu \"time on a CPU from switch to switch, by thread name\"\n"
	"\tanalysis\n"
	"\trecord -a -e sched:sched_switch\n"
	"\n"
	"recipe leak \"what was allocated and not freed, by stack: memory of the kernel, "
	"malloc\"\n"
	"\tanalysis\n"
	"\trecord -a -g -e kmem:kmalloc,kmem:kfree\n"
	"\n"
	"recipe sleep \"time asleep until woken, by thread name and state\"\n"
	"\tbegin sched:sched_switch key prev_pid if prev_pid != 0 && prev_state & 0xff\n"
	"\tend sched:sched_waking key pid\n"
	"\tby begin:prev_comm,begin:state(prev_state)\n"
	"\twhole-system\n"
	"\trecord -a -g -e sched:sched_switch,sched:sched_waking\n"
	"\n"
	"recipe syscalls \"system calls, by name\"\n"
	"\tbegin raw_syscalls:sys_enter key $tid\n"
	"\tend raw_syscalls:sys_exit key $tid\n"
	"\tby begin:syscall(id)\n"
	"\trecord -a -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit\n"
	"\n"
	"recipe block \"block requests from issue to completion, by device and kind\"\n"
	"\tbegin block:block_rq_issue key dev,sector if nr_sector != 0\n"
	"\tbegin block:block_rq_issue key dev,-1 if nr_sector == 0\n"
	"\tend block:block_rq_complete key dev,sector if nr_sector != 0\n"
	"\tend block:block_rq_complete key dev,-1 if nr_sector == 0\n"
	"\tby begin:dev(dev),begin:rwbs\n"
	"\twhole-system\n"
	"\trecord -a -e block:block_rq_issue,block:block_rq_complete\n"
	"\n"
	"recipe irq \"interrupt handlers, by name\"\n"
	"\tbegin irq:irq_handler_entry key $cpu,irq\n"
	"\tend irq:irq_handler_exit key $cpu,irq\n"
	"\tby begin:name\n"
	"\tnest\n"
	"\twhole-system\n"
	"\trecord -a -e irq:irq_handler_entry,irq:irq_handler_exit\n"
	"\n"
	"recipe softirq \"soft interrupts, by number\"\n"
	"\tbegin irq:softirq_entry key $cpu,vec\n"
	"\tend irq:softirq_exit key $cpu,vec\n"
	"\tby begin:vec\n"
	"\twhole-system\n"
	"\trecord -a -e irq:softirq_entry,irq:softirq_exit\n"
	"\n"
	"recipe lock \"waits for contended locks of the kernel, by name of the waiting "
	"thread\"\n"
	"\tbegin lock:contention_begin key $tid,lock_addr\n"
	"\tend lock:contention_end key $tid,lock_addr\n"
	"\tby begin:comm\n"
	"\trecord -a -g -e lock:contention_begin,lock:contention_end\n"
	"\n"
	"recipe softirq-delay \"time from raising a soft interrupt to its handler, by "
	"number\"\n"
	"\tbegin irq:softirq_raise key $cpu,vec\n"
	"\tend irq:softirq_entry key $cpu,vec\n"
	"\tby begin:vec\n"
	"\twhole-system\n"
	"\trecord -a -e irq:softirq_raise,irq:softirq_entry\n"
	"\n"
	"recipe work \"work of kernel worker threads, by function\"\n"
	"\tbegin workqueue:workqueue_execute_start key work\n"
	"\tend workqueue:workqueue_execute_end key work\n"
	"\tby begin:sym(function)\n"
	"\twhole-system\n"
	"\trecord -a -e workqueue:workqueue_execute_start,workqueue:workqueue_execute_end\n"
	"\n"
	"recipe work-delay \"time from queueing work to its start, by function\"\n"
	"\tbegin workqueue:workqueue_queue_work key work\n"
	"\tend workqueue:workqueue_execute_start key work\n"
	"\tby begin:sym(function)\n"
	"\twhole-system\n"
	"\trecord -a -e workqueue:workqueue_queue_work,workqueue:workqueue_execute_start\n"
	"\n"
	"recipe timer \"handlers of timers, by function\"\n"
	"\tbegin timer:hrtimer_expire_entry key $cpu,hrtimer\n"
	"\tbegin timer:timer_expire_entry key $cpu,timer\n"
	"\tend timer:hrtimer_expire_exit key $cpu,hrtimer\n"
	"\tend timer:timer_expire_exit key $cpu,timer\n"
	"\tby begin:sym(function)\n"
	"\tnest\n"
	"\twhole-system\n"
	"\trecord -a -e timer:hrtimer_expire_entry,timer:hrtimer_expire_exit -e "
	"timer:timer_expire_entry,timer:timer_expire_exit\n"
	"\n"
	"recipe futex \"waits for futexes, by thread name and address\"\n"
	"\tbegin syscalls:sys_enter_futex key $tid if (op & 0x7f) == 0 || (op & 0x7f) == 9\n"
	"\tend syscalls:sys_exit_futex key $tid\n"
	"\tby begin:comm,begin:hex(uaddr)\n"
	"\trecord -a -e syscalls:sys_enter_futex,syscalls:sys_exit_futex\n"
	"\n"
	"recipe open \"opening of files, by thread name\"\n"
	"\tbegin syscalls:sys_enter_openat key $tid\n"
	"\tend syscalls:sys_exit_openat key $tid\n"
	"\tby begin:comm\n"
	"\trecord -a -e syscalls:sys_enter_openat,syscalls:sys_exit_openat\n"
	"\n"
	"recipe block-queue \"block requests from the queue to the device, by device and "
	"kind\"\n"
	"\tbegin block:block_rq_insert key dev,sector if nr_sector != 0\n"
	"\tend block:block_rq_issue key dev,sector if nr_sector != 0\n"
	"\tby begin:dev(dev),begin:rwbs\n"
	"\twhole-system\n"
	"\trecord -a -e block:block_rq_insert,block:block_rq_issue\n"
	"\n"
	"recipe kvm-exit \"exits of virtual machines until the guest runs again, by "
	"reason\"\n"
	"\tbegin kvm:kvm_exit key $tid\n"
	"\tend kvm:kvm_entry key $tid\n"
	"\tby begin:exit_reason\n"
	"\trecord -a -e kvm:kvm_exit,kvm:kvm_entry\n"
	"\n"
	"recipe faults \"page faults of programs, by thread name: how many\"\n"
	"\tcount exceptions:page_fault_user\n"
	"\tby comm\n"
	"\trecord -a -e exceptions:page_fault_user\n"
	"\n"
	"recipe signal \"signals sent, by number and receiver: how many\"\n"
	"\tcount signal:signal_generate\n"
	"\tby sig,comm\n"
	"\trecord -a -e signal:signal_generate\n"
	"\n"
	"recipe exec \"programs started, by file: how many\"\n"
	"\tcount sched:sched_process_exec\n"
	"\tby filename\n"
	"\trecord -a -e sched:sched_process_exec\n"
	"\n"
	"recipe exit \"threads that ended, by name: how many\"\n"
	"\tcount sched:sched_process_exit\n"
	"\tby comm\n"
	"\trecord -a -e sched:sched_process_exit\n"
	"\n"
	"recipe migrate \"moves of threads to another CPU, by the two CPUs: how many\"\n"
	"\tcount sched:sched_migrate_task\n"
	"\tby orig_cpu,dest_cpu\n"
	"\twhole-system\n"
	"\trecord -a -e sched:sched_migrate_task\n"
	"\n"
	"recipe block-stages \"block requests: into the queue, to the device, completed; and "
	"the whole\"\n"
	"\tbegin block:block_rq_insert key dev,sector if nr_sector != 0\n"
	"\tthen block:block_rq_issue key dev,sector if nr_sector != 0\n"
	"\tend block:block_rq_complete key dev,sector if nr_sector != 0\n"
	"\twhole-system\n"
	"\trecord -a -e block:block_rq_insert,block:block_rq_issue,block:block_rq_complete\n"
	"\n"
	"recipe work-stages \"work of kernel worker threads: in its queue, running; and the "
	"whole\"\n"
	"\tbegin workqueue:workqueue_queue_work key work\n"
	"\tthen workqueue:workqueue_execute_start key work\n"
	"\tend workqueue:workqueue_execute_end key work\n"
	"\tby sym(function)\n"
	"\twhole-system\n"
	"\trecord -a -e workqueue:workqueue_queue_work,workqueue:workqueue_execute_start,"
	"workqueue:workqueue_execute_end\n"
	"\n"
	"recipe run-stages \"threads: from waking to running, and from there until they "
	"leave the CPU\"\n"
	"\tbegin sched:sched_waking key pid if pid != 0\n"
	"\tthen sched:sched_switch key next_pid if next_pid != 0\n"
	"\tend sched:sched_switch key prev_pid if prev_pid != 0\n"
	"\twhole-system\n"
	"\trecord -a -e sched:sched_waking,sched:sched_switch\n"
	"\n"
	"recipe irq-off \"time from tick to tick of a CPU: with --than 20ms interrupts "
	"were off\"\n"
	"\tbegin cpu-clock key $cpu\n"
	"\tend cpu-clock key $cpu\n"
	"\tby $cpu\n"
	"\trecord -a -g -c 4000000 -e cpu-clock\n"
	"\n"
	"recipe watchdog \"time asleep in state D, by thread name: with --open 10s "
	"while it hangs\"\n"
	"\tbegin sched:sched_switch key prev_pid if prev_state & 2\n"
	"\tend sched:sched_waking key pid\n"
	"\tby begin:prev_comm\n"
	"\twhole-system\n"
	"\trecord -a -g -e sched:sched_switch,sched:sched_waking\n"
	"\n"
	"recipe stat \"events of the kernel that happen often, by event and CPU: how many\"\n"
	"\tcount ?sched:sched_switch\n"
	"\tcount ?sched:sched_wakeup\n"
	"\tcount ?sched:sched_migrate_task\n"
	"\tcount ?irq:irq_handler_entry\n"
	"\tcount ?irq:softirq_entry\n"
	"\tcount ?timer:hrtimer_expire_entry\n"
	"\tcount ?workqueue:workqueue_execute_start\n"
	"\tcount ?exceptions:page_fault_user\n"
	"\tcount ?block:block_rq_issue\n"
	"\tcount ?lock:contention_begin\n"
	"\tby $event,$cpu\n"
	"\twhole-system\n"
	"\n"
	"recipe cpu-util \"time on the CPUs outside of the idle loop, by CPU and "
	"kernel or user\"\n"
	"\tcount cpu-clock if $pid != 0\n"
	"\tby $cpu,$ip >> 63 ? 'kernel' : 'user'\n"
	"\tvalue $period\n"
	"\trecord -a -c 1000000 -e cpu-clock\n"
	"\n"
	"recipe split-lock \"locked accesses across cache lines, by thread name: how "
	"many (Intel)\"\n"
	"\tcount r10f4\n"
	"\tby $comm\n"
	"\tvalue $period\n"
	"\trecord -a -g -c 1000 -e r10f4\n";
/* clang-format on */

void recipes_init(struct recipes *r)
{
	struct perr e;

	*r = (struct recipes){ 0 };
	if (recipe_text_parse(r, NULL, span_of(text, sizeof(text) - 1), &e))
		BUG();
}

static void recipe_fini(struct recipe *r)
{
	free(r->name);
	free(r->about);
	free(r->begin);
	for (size_t i = 0; i < r->nr_ends; i++)
		free(r->ends[i]);
	free(r->ends);
	free(r->by);
	free(r->value);
	free(r->record);
	free(r->text);
	free(r->file);
}

void recipes_fini(struct recipes *r)
{
	for (size_t i = 0; i < r->nr; i++)
		recipe_fini(&r->v[i]);
	free(r->v);
	*r = (struct recipes){ 0 };
}

const struct recipe *recipes_find(const struct recipes *r, const char *name)
{
	for (size_t i = r->nr; i--;)
		if (!strcmp(r->v[i].name, name))
			return &r->v[i];
	return NULL;
}

void recipes_list(const struct recipes *r, struct out *o)
{
	for (size_t i = 0; i < r->nr; i++) {
		if (recipes_find(r, r->v[i].name) != &r->v[i])
			continue;
		out_str_width(o, r->v[i].name, -14);
		if (strlen(r->v[i].name) >= 14)
			out_char(o, ' ');
		out_str(o, r->v[i].about);
		if (r->v[i].file) {
			out_str(o, " (");
			out_str(o, r->v[i].file);
			out_char(o, ')');
		}
		out_char(o, '\n');
	}
}
