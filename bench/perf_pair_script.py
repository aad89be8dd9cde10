# SPDX-License-Identifier: MIT
"""For `perf script -s`: the time from waking to running of each thread name: what `plat runq` measures. As short
as such scripts are."""
begins, rows = {}, {}


def sched__sched_waking(name, context, cpu, s, ns, pid_, comm_, chain, comm, pid, prio, target_cpu, *rest):
    begins[pid] = s * 1000000000 + ns


def sched__sched_switch(name, context, cpu, s, ns, pid_, comm_, chain, prev_comm, prev_pid, prev_prio, prev_state,
                        next_comm, next_pid, *rest):
    now = s * 1000000000 + ns
    begin = begins.pop(next_pid, None)
    if begin is not None:
        row = rows.setdefault(next_comm, [0, 0, 0])
        row[0] += 1
        row[1] += now - begin
        row[2] = max(row[2], now - begin)
    if prev_pid and (not prev_state or prev_state & 0x100):
        begins[prev_pid] = now


def trace_end():
    for comm, (n, total, most) in sorted(rows.items(), key=lambda r: -r[1][1]):
        print("%8d %12.3f ms %9.3f ms  %s" % (n, total / 1e6, most / 1e6, comm))
