# SPDX-License-Identifier: MIT
"""What `plat task-state --ns`, offcpu and oncpu should say, computed from the text of pscript.

usage: pscript --ns --show-task-events --show-lost-events --show-switch-events -i FILE |
       state_oracle.py TABLE [TABLE]...

FILE holds sched_switch of all CPUs, and perhaps sched_waking. TABLE is plat's output. Compared are
the sums of all threads by state, and the number of times in each state; of a TABLE without threads,
which offcpu and oncpu print, each row.
"""
import re
import sys
from collections import defaultdict

LINE = re.compile(r"^ *(?P<comm>.*?) +(?P<tid>-?\d+) +(?:\[(?P<cpu>\d+)\] +)?"
                  r"(?P<s>\d+)\.(?P<ns>\d{9}): +(?P<rest>.*)$")
NAMES = dict(zip("SDTtXZPI", "SDTtXZPI"))


class Thread:
    """One thread: its state since when, and its sums."""

    def __init__(self, time, state, epoch, switched):
        self.first = self.since = time
        self.state, self.epoch, self.switched = state, epoch, switched
        self.sum, self.n = defaultdict(int), defaultdict(int)
        self.times, self.comm = [], ""
        self.ended = False

    def change(self, time, state, epoch, sure=True):
        """ends the time in a state"""
        time = max(time, self.since)
        now = self.state if sure and self.epoch == epoch else "unknown"
        self.sum[now] += time - self.since
        self.n[now] += time > self.since
        if time > self.since:
            self.times.append((self.comm, now, time - self.since))
        self.since, self.state, self.epoch = time, state, epoch


def state_of(line):
    m = re.search(r"prev_state=(\S+)", line)
    if not m:
        return "asleep"
    if m[1].endswith("+") or m[1] == "R":
        return "preempted"
    return NAMES[m[1][0]]


def follow(lines):
    now, done, epoch, last = {}, [], 0, 0

    def get(tid, time, state):
        """the thread, and whether it is new; None for one that has ended"""
        th = now.get(tid)
        if th and th.ended and th.epoch == epoch:
            return None
        if th is None or th.ended:
            th = now[tid] = Thread(time, state, epoch, False)
            done.append(th)
        return th

    for line in lines:
        m = LINE.match(line)
        if not m:
            continue
        time, rest = int(m["s"]) * 10**9 + int(m["ns"]), m["rest"]
        if not time:
            continue
        last = max(last, time)
        if rest.startswith("PERF_RECORD_LOST "):
            epoch += 1
        elif rest.startswith("PERF_RECORD_FORK("):
            tid = int(re.match(r"PERF_RECORD_FORK\((?:-?\d+):(-?\d+)\)", rest)[1])
            if tid in now and not now[tid].ended:
                now[tid].change(time, "unknown", epoch, now[tid].state != "unknown")
                now[tid].ended = True
            now[tid] = Thread(time, "run queue", epoch, True)
            now[tid].comm = "" if m["comm"].startswith(":") else m["comm"]
            done.append(now[tid])
        elif rest.startswith("PERF_RECORD_EXIT("):
            tid = int(re.match(r"PERF_RECORD_EXIT\((?:-?\d+):(-?\d+)\)", rest)[1])
            if tid in now and not now[tid].ended:
                now[tid].change(time, "unknown", epoch, now[tid].state != "unknown")
                now[tid].ended = True
        elif rest.startswith("PERF_RECORD_COMM exec:"):
            tid = int(re.search(r":\d+/(\d+)$", rest)[1])
            if tid not in now:
                now[tid] = Thread(time, "running", epoch, False)
                now[tid].comm = re.search(r"exec: (.*):\d+/\d+$", rest)[1]
                done.append(now[tid])
        elif " prev_pid=" in rest or rest.startswith("sched:sched_switch"):
            tid = int(re.search(r"prev_pid=(\d+)", rest)[1])
            th = get(tid, time, "running") if tid else None
            if th:
                if th.state == "run queue" and not th.switched:
                    th.state = "running"
                name = re.search(r"prev_comm=(.*) prev_pid=", rest)
                th.comm = name[1] if name else m["comm"]
                th.change(time, state_of(rest), epoch, th.state == "running")
                th.switched = True
            tid = int(re.search(r"next_pid=(\d+)", rest)[1])
            th = get(tid, time, "running") if tid else None
            if th:
                th.comm = re.search(r"next_comm=(.*) next_pid=", rest)[1]
            if th and not th.switched and th.state == "running":
                th.switched = True
            elif th:
                th.change(time, "running", epoch, th.state != "running")
                th.switched = True
        elif rest.startswith(("sched:sched_waking:", "sched:sched_wakeup")):
            tid = int(re.search(r" pid=(\d+)", rest)[1])
            th = get(tid, time, "run queue") if tid else None
            if th and not th.comm:
                th.comm = re.search(r"comm=(.*) pid=", rest)[1]
            if th and th.state not in ("running", "preempted", "run queue", "unknown"):
                th.change(time, "run queue", epoch)
    for th in done:
        if not th.ended:
            th.change(last, "unknown", epoch)
    return done


def read_table(path):
    sums, counts, faults = defaultdict(int), defaultdict(int), []
    heads = ["running", "preempted", "run queue", "S", "D", "asleep", "other", "unknown"]
    part = 0
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("# time of threads"):
                part = 1
            elif line.startswith("#          n"):
                part = 2
            elif not line.strip() or line.startswith("#"):
                continue
            elif part == 1:
                fields = [int(x) for x in line.split(None, 10)[:9]]
                if fields[0] != sum(fields[1:]):
                    faults.append("a row's states do not add up: " + line.strip())
                for name, value in zip(heads, fields[1:]):
                    sums[name] += value
                sums["observed"] += fields[0]
            elif part == 2:
                fields = line.split(None, 8)
                counts[re.match(r"run queue|\S+", fields[8])[0]] += int(fields[0])
    return sums, counts, faults


def check_rows(threads, path, faults):
    """the table of offcpu or of oncpu: each row; further ones only where it has not all states"""
    want, got = defaultdict(list), {}
    for th in threads:
        for comm, state, ns in th.times:
            want[comm, state].append(ns)
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("# where threads left"):
                break
            m = re.match(r"((?: +\d+\*?){8})  (.{9})  (.*)$", line)
            if m:
                got[m[3], m[2].strip()] = [int(n.rstrip("*")) for n in m[1].split()]
    states = {state for _, state in got}
    for row in {r for r in want if r[1] in states} | set(got):
        ns = sorted(want[row])
        if row not in got or not ns:
            faults.append(f"row {row} is {'not there' if ns else 'too much'}")
            continue
        n, total, least, avg, *quantiles, most = got[row]
        if [n, total, least, avg, most] != [len(ns), sum(ns), ns[0], sum(ns) // len(ns), ns[-1]]:
            faults.append(f"{row}: {got[row]} should be {[len(ns), sum(ns), ns[0], sum(ns) // len(ns), ns[-1]]}")
        for said, q in zip(quantiles, (50, 95, 99)):
            if abs(said - ns[-(-len(ns) * q // 100) - 1]) > ns[-(-len(ns) * q // 100) - 1] / 250:
                faults.append(f"{row}: p{q} {said} should be {ns[-(-len(ns) * q // 100) - 1]}")
    if not got:
        faults.append(f"{path} has no rows")


def main():
    threads = follow(sys.stdin)
    sums, counts, faults = read_table(sys.argv[1])
    for path in sys.argv[2:]:
        check_rows(threads, path, faults)
    want = defaultdict(int)
    want_n = defaultdict(int)
    for th in threads:
        want["observed"] += th.since - th.first
        for state, ns in th.sum.items():
            want[state if state in sums and state != "other" else "other"] += ns
        for state, n in th.n.items():
            want_n[state] += n
    for name in sorted(set(want) | set(sums)):
        if want[name] != sums[name]:
            faults.append(f"{name}: {sums[name]} ns should be {want[name]}")
    for name in sorted(set(want_n) | set(counts)):
        if want_n[name] != counts[name] and name != "unknown":
            faults.append(f"{name}: {counts[name]} times should be {want_n[name]}")
    if not want["running"]:
        faults.append("no thread runs")
    print("\n".join(faults))


if __name__ == "__main__":
    main()
