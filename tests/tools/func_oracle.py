# SPDX-License-Identifier: MIT
"""What `plat func --ns` should say, computed from the text of pscript.

usage: pscript --ns --show-lost-events --show-task-events -F tid,time,event,uregs -i FILE |
       func_oracle.py TABLE [nosp]

TABLE is plat's output. nosp: the samples have no stack pointers.
"""
import re
import sys
from collections import defaultdict

HIT = re.compile(r"^ *(?:(?P<pid>-?\d+)/)?(?P<tid>-?\d+) +(?P<s>\d+)\.(?P<ns>\d{9}): +(?P<kind>u(?:ret)?probe):"
                 r"(?P<name>\S+):\s(?:.*SP:0x(?P<sp>[0-9a-f]+))?")
LOST = re.compile(r"PERF_RECORD_LOST lost (\d+)")
EXIT = re.compile(r"PERF_RECORD_EXIT\(\d+:(\d+)\)")


class Row:
    def __init__(self):
        self.calls = self.no_return = self.total = self.self = self.max = 0


class Call:
    def __init__(self, name, start, place, loss):
        self.name, self.start, self.place, self.loss, self.inner = name, start, place, loss, 0


class Thread:
    """Calls that have begun; done: one that has returned, whose callers are not known yet."""

    def __init__(self):
        self.calls, self.done = [], None


class Oracle:
    def __init__(self):
        self.rows, self.threads = defaultdict(Row), defaultdict(Thread)
        self.n, self.losses, self.lost = defaultdict(int), 0, 0

    def drop(self, t, why="cut"):
        call = t.calls.pop()
        if why == "cut" and len(t.calls) >= 64:
            why = "deep"
        self.n[why] += 1
        self.rows[call.name].no_return += 1
        if t.calls:
            t.calls[-1].inner += call.inner

    def finish(self, t, call, end):
        ns, row = end - call.start, self.rows[call.name]
        self.n["returns"] += 1
        if t.calls:
            t.calls[-1].inner += ns
        if call.loss != self.losses:
            self.n["broken"] += 1
            return
        row.self += ns - call.inner
        row.max = max(row.max, ns)
        if all(c.name != call.name for c in t.calls):
            row.total += ns

    def settle(self, t):
        if t.done:
            call, end = t.done
            while t.calls and t.calls[-1].place == call.place:
                self.drop(t)
            t.done = None
            self.finish(t, call, end)

    def cut(self, t, place):
        while place and t.calls and t.calls[-1].place < place:
            self.drop(t)

    def enter(self, t, name, time, place):
        self.settle(t)
        self.cut(t, place)
        self.rows[name].calls += 1
        t.calls.append(Call(name, time, place, self.losses))

    def leave(self, t, name, time, place):
        if t.done and t.calls and (t.calls[-1].name, t.calls[-1].place) == (name, place):
            call, end = t.done
            t.done = None
            self.finish(t, call, end)
        self.settle(t)
        self.cut(t, place)
        if not any(c.name == name and c.place == place for c in t.calls):
            self.n["no entry"] += 1
            return
        while (t.calls[-1].name, t.calls[-1].place) != (name, place):
            self.drop(t)
        call = t.calls.pop()
        if place and t.calls and t.calls[-1].place == place:
            t.done = call, time
        else:
            self.finish(t, call, time)

    def end(self, t):
        self.settle(t)
        while t.calls:
            self.drop(t, "open")

    def read(self, lines, has_sp):
        for line in lines:
            lost, ended, hit = LOST.search(line), EXIT.search(line), HIT.match(line)
            if lost:
                self.losses += 1
                self.lost += int(lost[1])
            elif ended:
                self.end(self.threads[ended[1]])
            elif hit:
                t, time = self.threads[hit["tid"]], int(hit["s"]) * 10**9 + int(hit["ns"])
                place = int(hit["sp"], 16) if has_sp else 0
                if hit["kind"] == "uprobe":
                    self.enter(t, hit["name"], time, place)
                else:
                    self.leave(t, hit["name"], time, place - 8 if place else 0)
        for t in self.threads.values():
            self.end(t)


def read_rows(text):
    rows, has_no_return = {}, "no return" in text.split("\n", 2)[1]
    for line in text.splitlines():
        if not line.startswith("#"):
            f = line.split()
            at = 2 if has_no_return else 1
            rows[f[-1]] = [int(f[0]), int(f[1]) if has_no_return else 0, int(f[at]),
                           int(f[at + 1]), int(f[-2])]
    return rows


def main():
    o = Oracle()
    o.read(sys.stdin, "nosp" not in sys.argv)
    text = open(sys.argv[1]).read()
    got = read_rows(text)
    files = {n.split(":")[0] for n in o.rows}
    want = {n if len(files) > 1 else n.split(":", 1)[1]:
            [r.calls, r.no_return, r.total, r.self, r.max] for n, r in o.rows.items()}
    for name in sorted(set(got) | set(want)):
        if got.get(name) != want.get(name):
            print(f"{name}: plat has {got.get(name)}, wanted {want.get(name)}")
    line = (f"# returns {o.n['returns'] + o.n['no entry']}, without entry {o.n['no entry']}; "
            f"calls without return: stack cut (longjmp, exec) {o.n['cut']}, deeper than the kernel "
            f"follows (64) {o.n['deep']}, still open {o.n['open']}")
    if line not in text:
        print("wanted", line, "got", *(x for x in text.splitlines() if "returns" in x))
    if o.losses and (f"# lost: {o.lost} records in {o.losses} gaps; calls across gaps, without "
                     f"their times: {o.n['broken']};") not in text:
        print("wanted", o.lost, o.losses, o.n["broken"])
    if len(want) < 2:
        print("too few functions")


main()
