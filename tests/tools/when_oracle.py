# SPDX-License-Identifier: MIT
"""What `plat when` should print as hits, computed from the text of pscript.

usage: pscript -G --ns --show-lost-events -F comm,tid,[cpu,]time,event,period,ip -i FILE |
       when_oracle.py KIND ARG OP VALUE WINDOW-NS TABLE

KIND ARG OP VALUE is the condition: share kernel > 300000 (millionths), count EVENT == 0, gap EVENT >
NS. TABLE is plat's output.
"""
import operator
import re
import sys
from collections import defaultdict

LINE = re.compile(r"^ *(?P<comm>.*?) +(?P<tid>-?\d+) +(?:\[(?P<cpu>\d+)\] +)?"
                  r"(?P<s>\d+)\.(?P<ns>\d{9}): +(?:(?P<period>\d+) +(?P<event>\S+): +(?P<ip>[0-9a-f]+)"
                  r"|PERF_RECORD_LOST lost (?P<lost>\d+))")
OPS = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le, "==": operator.eq}


class Cpu:
    def __init__(self):
        self.sum, self.lost, self.last = 0, False, None


def when(ns):
    return f"{ns // 10**9}.{ns % 10**9:09d}"


class Oracle:
    def __init__(self, kind, arg, op, value, window):
        self.kind, self.arg, self.op, self.value = kind, arg, OPS[op], value
        self.grows, self.window = op in (">", ">="), window
        self.cpus, self.hits, self.unknown = defaultdict(Cpu), [], 0
        self.start, self.windows = None, 0

    def end_windows(self, to, whole=True):
        for nr, c in sorted(self.cpus.items()):
            value = c.sum
            if self.kind == "share":
                value = int(min(c.sum / self.window, 1) * 1000000 + 0.5)
            self.windows += 1
            holds = self.op(value, self.value)
            if (c.lost or not whole) and not (self.grows and holds):
                self.unknown += 1
            elif holds:
                self.hits.append(f"{when(self.start)} - {when(to)} CPU {nr}")
            c.lost, c.sum = False, 0

    def take(self, m):
        time, c = int(m["s"]) * 10**9 + int(m["ns"]), self.cpus[int(m["cpu"] or 0)]
        if self.kind == "gap":
            if self.arg != m["event"]:
                return
            gap = time - c.last if c.last is not None else 0
            if gap > 0 and self.op(gap, self.value):
                if c.lost:
                    self.unknown += 1
                else:
                    self.hits.append(f"{when(c.last)} - {when(time)} CPU {int(m['cpu'] or 0)}")
            c.lost, c.last = False, time
            return
        if self.start is None:
            kind = "kernel" if int(m["ip"], 16) >> 63 else "user"
            counts = self.kind == "share" and m["tid"] != "0" and self.arg in ("all", kind)
            self.start = time - int(m["period"]) * counts
        if time - self.start >= self.window:
            self.end_windows(self.start + self.window)
            self.start += self.window
            empty = (time - self.start) // self.window
            if empty:
                self.end_windows(self.start + empty * self.window)
                self.start += empty * self.window
        if self.kind == "count":
            c.sum += m["event"] == self.arg
        elif m["tid"] != "0":
            kernel = int(m["ip"], 16) >> 63
            if self.arg == "all" or (self.arg == "kernel") == bool(kernel):
                c.sum += int(m["period"])

    def read(self, lines):
        last = 0
        for line in lines:
            m = LINE.match(line)
            if m and m["lost"]:
                self.cpus[int(m["cpu"] or 0)].lost = True
            elif m:
                last = max(last, int(m["s"]) * 10**9 + int(m["ns"]))
                self.take(m)
        if self.kind != "gap":
            if last > self.start:
                self.end_windows(last, False)
            return
        for nr, c in sorted(self.cpus.items()):
            if c.last and last > c.last and not c.lost and self.op(last - c.last, self.value):
                self.hits.append(f"{when(c.last)} - {when(last)} CPU {nr}")


def main():
    kind, arg, op, value, window, table = sys.argv[1:]
    o = Oracle(kind, arg, op, int(value), int(window))
    o.read(sys.stdin)
    text = open(table).read()
    got = [" ".join(m.groups()) for m in re.finditer(
        r"^ *(\d+\.\d{9} - \d+\.\d{9})  (CPU \d+) ", text, re.M)]
    for a, b in zip(got + [None] * len(o.hits), o.hits + [None] * len(got)):
        if a != b:
            print(f"plat has {a}, wanted {b}")
            break
    end = f"or because the recording ended: {o.unknown}\n"
    if end not in text or f": {len(o.hits)} hits" not in text:
        print(f"wanted {len(o.hits)} hits, {o.unknown} unknown; plat says", *text.splitlines()[-2:])
    if not o.hits:
        print("nothing was compared")


main()
