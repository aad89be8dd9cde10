# SPDX-License-Identifier: MIT
"""What `plat RECIPE --json` should say, for many recipes at once, computed from the text of pscript.

usage: pscript --ns --show-lost-events -i FILE | recipe_oracle.py FOLDER

FOLDER has plat's output of each recipe in a file RECIPE.json. Prints a line "RECIPE: what is wrong" for
each fault, and "compared RECIPE N" for each that had N pairs or events. Quantiles may be 0.4 % off.
"""
import json
import os
import re
import sys
from collections import defaultdict

LINE = re.compile(r"^ *(?P<comm>.*?) +(?P<tid>-?\d+) +\[(?P<cpu>\d+)\] +(?P<s>\d+)\.(?P<ns>\d{9}): +"
                  r"(?:(?P<period>\d+) +)?(?P<event>[^ :]+(?::[^ :]+)?):(?: +(?P<text>.*))?$")
LOST = re.compile(r"\[(\d+)\] +\d+\.\d{9}: PERF_RECORD_LOST lost (\d+)")

BLOCK = r"(?P<dev>\d+,\d+) (?P<rwbs>\S+) (?:\d+ )?\(.*?\) (?P<sector>\d+) \+ (?P<nr>\d+)"
WORK = r"work struct[ =](?P<work>\w+):? function[ =](?P<function>\S+)"
SWITCH = (r"prev_comm=(?P<prev_comm>.*) prev_pid=(?P<prev_pid>\d+) prev_prio=\S+ prev_state=(?P<state>\S+)"
          r" ==> next_comm=(?P<next_comm>.*) next_pid=(?P<next_pid>\d+)")
WOKEN = r"comm=(?P<name>.*) pid=(?P<pid>\d+)"
# The parts of each event's text that recipes use; events that are not here are used by name alone.
TEXTS = {
    "block:block_rq_insert": BLOCK, "block:block_rq_issue": BLOCK, "block:block_rq_complete": BLOCK,
    "irq:irq_handler_entry": r"irq=(?P<irq>\d+) name=(?P<name>.*)", "irq:irq_handler_exit": r"irq=(?P<irq>\d+)",
    "irq:softirq_raise": r"vec=(?P<vec>\d+)", "irq:softirq_entry": r"vec=(?P<vec>\d+)",
    "irq:softirq_exit": r"vec=(?P<vec>\d+)",
    "lock:contention_begin": r"(?P<lock>\w+)", "lock:contention_end": r"(?P<lock>\w+)",
    "workqueue:workqueue_queue_work": WORK, "workqueue:workqueue_execute_start": WORK,
    "workqueue:workqueue_execute_end": WORK,
    "timer:hrtimer_expire_entry": r"hrtimer=(?P<timer>\w+) function=(?P<function>\S+)",
    "timer:hrtimer_expire_exit": r"hrtimer=(?P<timer>\w+)",
    "timer:timer_expire_entry": r"timer=(?P<timer>\w+) function=(?P<function>\S+)",
    "timer:timer_expire_exit": r"timer=(?P<timer>\w+)",
    "raw_syscalls:sys_enter": r"NR (?P<id>-?\d+)", "raw_syscalls:sys_exit": r"NR (?P<id>-?\d+)",
    "syscalls:sys_enter_futex": r"uaddr: 0x0*(?P<uaddr>\w+), op: 0x(?P<op>\w+)",
    "kvm:kvm_exit": r"reason (?P<reason>\S+)",
    "signal:signal_generate": r"sig=(?P<sig>\d+) .*comm=(?P<name>.*) pid=",
    "sched:sched_process_exec": r"filename=(?P<filename>.*) pid=", "sched:sched_process_exit": WOKEN,
    "sched:sched_migrate_task": r"orig_cpu=(?P<orig>\d+) dest_cpu=(?P<dest>\d+)",
    "sched:sched_wakeup": WOKEN, "sched:sched_wakeup_new": WOKEN, "sched:sched_waking": WOKEN,
    "sched:sched_switch": SWITCH,
    "cpu-clock": r"(?P<ip>[0-9a-f]+)",
}


def of(*names):
    """A key: the values of these fields."""
    return lambda f: tuple(f[n] for n in names)


def has_blocks(f):
    return f["nr"] != "0"


def is_flush(f):
    return f["nr"] == "0"


def waits(f):
    """of sched_switch: the thread that leaves can run on"""
    return f["prev_pid"] != "0" and (f["state"] == "R" or "+" in f["state"])


def futex_waits(f):
    return int(f["op"], 16) & 0x7f in (0, 9)


def part_of_cpu(f):
    return (str(int(f["cpu"])),
            "idle" if f["tid"] == "0" else "kernel" if int(f["ip"], 16) >> 63 else "user")


class Pairs:
    """Begins and ends: (event, key, condition or None) each. row: of the fields of begin and end."""

    def __init__(self, begins, ends, row, nest=False, by_cpu=False):
        self.begins, self.ends, self.row = begins, ends, row
        self.nest, self.by_cpu = nest, by_cpu
        self.waiting, self.rows = defaultdict(list), defaultdict(list)
        self.n = dict.fromkeys("begins replaced ends without_begin across_loss negative".split(), 0)

    def take(self, f, epochs):
        now = f["event"]
        epoch = epochs[f["cpu"] if self.by_cpu else None]
        for event, key, when in self.ends:
            if event == now and (not when or when(f)):
                self.end(f, self.waiting[key(f)], epoch)
        for event, key, when in self.begins:
            if event == now and (not when or when(f)):
                self.n["begins"] += 1
                same = self.waiting[key(f)]
                if same and not self.nest:
                    self.n["replaced"] += 1
                    same.clear()
                same.append((f, epoch))

    def end(self, f, same, epoch):
        self.n["ends"] += 1
        if not same:
            self.n["without_begin"] += 1
            return
        begin, begin_epoch = same.pop()
        if f["time"] < begin["time"]:
            self.n["negative"] += 1
        elif begin_epoch != epoch:
            self.n["across_loss"] += 1
        else:
            self.rows[self.row(begin, f)].append(f["time"] - begin["time"])

    def account(self):
        return dict(self.n, open=sum(map(len, self.waiting.values())))


class Counts:
    """How many of these events, by row."""

    def __init__(self, row, *events):
        self.row, self.events, self.rows = row, events, defaultdict(int)

    def take(self, f, _):
        if f["event"] in self.events:
            self.rows[self.row(f)] += 1

    def account(self):
        return {"events": sum(self.rows.values())}


class Series:
    """Steps (event, key, condition): pairs of each two neighbours, and the whole of each series."""

    def __init__(self, steps, row):
        self.legs = [Pairs([b], [e], row) for b, e in zip(steps, steps[1:])]
        self.steps, self.row = steps, row
        self.at, self.whole = [{} for _ in steps], Pairs([], [], row)

    def take(self, f, epochs):
        for leg in self.legs:
            leg.take(f, epochs)
        n, last = self.whole.n, len(self.steps) - 1
        for i in range(last, -1, -1):
            event, key, when = self.steps[i]
            if event != f["event"] or (when and not when(f)):
                continue
            begin = self.at[i - 1].pop(key(f), None) if i else (f, epochs[None])
            n["begins"] += i == 0
            if i == last:
                self.whole.end(f, [begin] if begin else [], epochs[None])
                continue
            n["replaced"] += self.at[i].pop(key(f), None) is not None
            if begin:
                self.at[i][key(f)] = begin
        self.whole.waiting = {0: [b for at in self.at for b in at.values()]}


def begin_fields(*names):
    return lambda b, e: tuple(b[n] for n in names)


def recipes():
    tid, cpu = of("tid"), lambda f: (int(f["cpu"]),)
    vec = of("cpu", "vec")
    issue, complete = "block:block_rq_issue", "block:block_rq_complete"
    insert, sector, flush = "block:block_rq_insert", of("dev", "sector"), lambda f: (f["dev"], -1)
    switch, waking = "sched:sched_switch", "sched:sched_waking"
    queue, start, stop = ("workqueue:workqueue_" + n for n in ("queue_work", "execute_start", "execute_end"))
    device = begin_fields("dev", "rwbs")
    return {
        "runq": Pairs([(waking, of("pid"), lambda f: f["pid"] != "0"), ("sched:sched_wakeup_new", of("pid"), None),
                       (switch, of("prev_pid"), waits)],
                      [(switch, of("next_pid"), lambda f: f["next_pid"] != "0")], lambda b, e: (e["next_comm"],)),
        "sleep": Pairs([(switch, of("prev_pid"), lambda f: f["prev_pid"] != "0" and f["state"][0] != "R")],
                       [(waking, of("pid"), None)], begin_fields("prev_comm", "state")),
        "watchdog": Pairs([(switch, of("prev_pid"), lambda f: "D" in f["state"])], [(waking, of("pid"), None)],
                          begin_fields("prev_comm")),
        "syscalls": Pairs([("raw_syscalls:sys_enter", tid, None)], [("raw_syscalls:sys_exit", tid, None)],
                          begin_fields("id")),
        "block": Pairs([(issue, sector, has_blocks), (issue, flush, is_flush)],
                       [(complete, sector, has_blocks), (complete, flush, is_flush)], device),
        "block-queue": Pairs([(insert, sector, has_blocks)], [(issue, sector, has_blocks)], device),
        "irq": Pairs([("irq:irq_handler_entry", of("cpu", "irq"), None)],
                     [("irq:irq_handler_exit", of("cpu", "irq"), None)], begin_fields("name"), True, True),
        "softirq": Pairs([("irq:softirq_entry", vec, None)], [("irq:softirq_exit", vec, None)],
                         begin_fields("vec"), by_cpu=True),
        "softirq-delay": Pairs([("irq:softirq_raise", vec, None)], [("irq:softirq_entry", vec, None)],
                               begin_fields("vec"), by_cpu=True),
        "lock": Pairs([("lock:contention_begin", of("tid", "lock"), None)],
                      [("lock:contention_end", of("tid", "lock"), None)], begin_fields("comm")),
        "work": Pairs([(start, of("work"), None)], [(stop, of("work"), None)], begin_fields("function")),
        "work-delay": Pairs([(queue, of("work"), None)], [(start, of("work"), None)], begin_fields("function")),
        "timer": Pairs([("timer:hrtimer_expire_entry", of("cpu", "timer"), None),
                        ("timer:timer_expire_entry", of("cpu", "timer"), None)],
                       [("timer:hrtimer_expire_exit", of("cpu", "timer"), None),
                        ("timer:timer_expire_exit", of("cpu", "timer"), None)],
                       begin_fields("function"), True, True),
        "futex": Pairs([("syscalls:sys_enter_futex", tid, futex_waits)], [("syscalls:sys_exit_futex", tid, None)],
                       lambda b, e: (b["comm"], "0x" + (b["uaddr"] or "0"))),
        "open": Pairs([("syscalls:sys_enter_openat", tid, None)], [("syscalls:sys_exit_openat", tid, None)],
                      begin_fields("comm")),
        "kvm-exit": Pairs([("kvm:kvm_exit", tid, None)], [("kvm:kvm_entry", tid, None)], begin_fields("reason")),
        "irq-off": Pairs([("cpu-clock", cpu, None)], [("cpu-clock", cpu, None)],
                         lambda b, e: (str(int(b["cpu"])),), by_cpu=True),
        "faults": Counts(of("comm"), "exceptions:page_fault_user"),
        "signal": Counts(of("sig", "name"), "signal:signal_generate"),
        "exec": Counts(of("filename"), "sched:sched_process_exec"),
        "exit": Counts(of("name"), "sched:sched_process_exit"),
        "migrate": Counts(of("orig", "dest"), "sched:sched_migrate_task"),
        "split-lock": Counts(of("comm"), "r10f4"),
        "cpu-util": Counts(part_of_cpu, "cpu-clock"),
        "stat": Counts(lambda f: (f["event"], str(int(f["cpu"]))), switch, "sched:sched_wakeup",
                       "sched:sched_migrate_task", "irq:irq_handler_entry", "irq:softirq_entry",
                       "timer:hrtimer_expire_entry", start, "exceptions:page_fault_user", issue,
                       "lock:contention_begin"),
        "block-stages": Series([(e, sector, has_blocks) for e in (insert, issue, complete)], lambda b, e: ()),
        "work-stages": Series([(e, of("work"), None) for e in (queue, start, stop)], begin_fields("function")),
        "run-stages": Series([(waking, of("pid"), lambda f: f["pid"] != "0"),
                              (switch, of("next_pid"), lambda f: f["next_pid"] != "0"),
                              (switch, of("prev_pid"), lambda f: f["prev_pid"] != "0")], lambda b, e: ()),
    }


def read_events(lines, want, epochs, losses):
    texts = {name: re.compile(pattern) for name, pattern in TEXTS.items()}
    for line in lines:
        m = LINE.match(line)
        if m and m["event"] in want:
            f = m.groupdict()
            if f["event"] in texts:
                text = texts[f["event"]].search(f["text"] or "")
                if not text:
                    print("the oracle cannot read: " + line.rstrip())
                    continue
                f.update(text.groupdict())
            f["time"] = int(f["s"]) * 10**9 + int(f["ns"])
            yield f
            continue
        m = LOST.search(line)
        if m:
            epochs[m[1]] += 1
            epochs[None] += 1
            losses[0] += 1
            losses[1] += int(m[2])


def is_near(values, q, said):
    want = sorted(values)[max(0, -(-len(values) * q // 100) - 1)]
    return abs(want - said) <= want / 250


def row_fault(row, want):
    """what is wrong with a row of the JSON, whose times are these; or whose number, in counts"""
    if isinstance(want, int):
        return row["n"] != want and f"{row['n']} should be {want}"
    exact = [len(want), sum(want), min(want), sum(want) // len(want), max(want)]
    got = [row[k] for k in ("n", "total", "min", "avg", "max")]
    if got != exact:
        return f"{got} should be {exact}"
    far = [q for q in (50, 95, 99) if not is_near(want, q, row[f"p{q}"])]
    return far and f"p{far[0]} {row[f'p{far[0]}']}"


def compare(name, oracle, got, losses):
    seen = {tuple(r["by"]): r for r in got["rows"]}
    for by in sorted(set(seen) ^ set(oracle.rows)):
        print(f"{name}: row {by} is in {'plat' if by in seen else 'the oracle'} only")
    for by in set(seen) & set(oracle.rows):
        fault = row_fault(seen[by], oracle.rows[by])
        if fault:
            print(f"{name}: {by}: {fault}")
    want = dict(oracle.account(), losses=losses[0], lost_records=losses[1])
    for key, value in want.items():
        if got[key] != value:
            print(f"{name}: {key} {got[key]} should be {value}")
    return sum(r["n"] for r in got["rows"])


def main():
    folder = sys.argv[1]
    chosen = {n: r for n, r in recipes().items() if os.path.exists(f"{folder}/{n}.json")}
    used = set()
    for r in chosen.values():
        for p in getattr(r, "legs", [r]):
            used.update(p.events if isinstance(p, Counts) else [x[0] for x in p.begins + p.ends])
    epochs, losses = defaultdict(int), [0, 0]
    for f in read_events(sys.stdin, used, epochs, losses):
        for r in chosen.values():
            r.take(f, epochs)
    for name, r in chosen.items():
        with open(f"{folder}/{name}.json", encoding="utf-8") as f:
            got = json.load(f)
        if isinstance(r, Series):
            n = [compare(f"{name}: {g['leg']}", leg, g, losses)
                 for leg, g in zip(r.legs + [r.whole], got["legs"] + [got["whole"]])][-1]
        else:
            n = compare(name, r, got, losses)
        print(f"compared {name} {n}")


main()
