# SPDX-License-Identifier: MIT
"""What `plat -b A -e B -e C --unit ns` should say, computed from the text of pscript.

usage: pscript --ns --show-lost-events -i FILE | series_oracle.py TABLE EVENT KEY [EVENT KEY]...

EVENT is an event's name, KEY a regular expression with one group, which is searched in its line. TABLE
is plat's output. Each leg is computed as pairs of two neighbours, the whole by following each series.
"""
import re
import sys

LINE = re.compile(r"^ *.*? +-?\d+ +(?:\[\d+\] +)?(?P<s>\d+)\.(?P<ns>\d{9}): +(?P<rest>.*)$")


def read_events(lines):
    for line in lines:
        m = LINE.match(line)
        if m:
            name = "LOST" if m["rest"].startswith("PERF_RECORD_LOST ") else m["rest"].split(": ", 1)[0]
            yield int(m["s"]) * 10**9 + int(m["ns"]), name, line


class Account:
    def __init__(self):
        self.ns, self.broken = [], 0
        self.begins = self.replaced = self.ends = self.without = self.open = 0

    def end(self, begin, time, epoch):
        """begin: (time, epoch) or None"""
        self.ends += 1
        if begin is None:
            self.without += 1
        elif begin[1] != epoch:
            self.broken += 1
        else:
            self.ns.append(time - begin[0])


def legs_of(events, steps):
    legs = [Account() for _ in steps[1:]]
    waiting = [{} for _ in legs]
    epoch = 0
    for time, name, line in events:
        epoch += name == "LOST"
        for leg, wait, (b, b_key), (e, e_key) in zip(legs, waiting, steps, steps[1:]):
            if name == e:
                leg.end(wait.pop(re.search(e_key, line)[1], None), time, epoch)
            if name == b:
                key = re.search(b_key, line)[1]
                leg.begins += 1
                leg.replaced += key in wait
                wait[key] = time, epoch
    for leg, wait in zip(legs, waiting):
        leg.open = len(wait)
    return legs


def whole_of(events, steps):
    """at[i][key]: when the series began that has come to event i"""
    whole, at, epoch = Account(), [{} for _ in steps], 0
    last = len(steps) - 1
    for time, name, line in events:
        epoch += name == "LOST"
        for i in range(last, -1, -1):
            if name != steps[i][0]:
                continue
            key = re.search(steps[i][1], line)[1]
            begin = at[i - 1].pop(key, None) if i else (time, epoch)
            whole.begins += i == 0
            if i == last:
                whole.end(begin, time, epoch)
                continue
            whole.replaced += at[i].pop(key, None) is not None
            if begin:
                at[i][key] = begin
    whole.open = sum(len(a) for a in at)
    return whole


def main():
    table, *words = sys.argv[1:]
    steps = list(zip(words[::2], words[1::2]))
    events = list(read_events(sys.stdin))
    accounts = legs_of(events, steps) + [whole_of(events, steps)]
    with open(table, encoding="utf-8") as f:
        text = f.read()
    rows = [line.split(None, 8) for line in text.splitlines() if line.strip() and line[0] != "#"]
    blocks = re.findall(r"^# begins: (\d+), (\d+) replaced by a second begin, (\d+) still open\n"
                        r"# ends: (\d+), (\d+) without begin.*\n# losses: \d+.*; pairs across a loss: (\d+)", text, re.M)
    if len(rows) != len(accounts) or len(blocks) != len(accounts):
        print(f"{len(rows)} rows and {len(blocks)} accounts of {len(accounts)} legs")
        return
    for row, block, a in zip(rows, blocks, accounts):
        want = [len(a.ns), sum(a.ns), min(a.ns), sum(a.ns) // len(a.ns), max(a.ns)]
        got = [int(row[i]) for i in (0, 1, 2, 3, 7)]
        if got != want:
            print(f"{row[8]}: {got} should be {want}")
        want = [a.begins, a.replaced, a.open, a.ends, a.without, a.broken]
        if [int(n) for n in block] != want:
            print(f"{row[8]}: {block} should be {want}")


main()
