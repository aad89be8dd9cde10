# SPDX-License-Identifier: MIT
"""What `plat leak --by comm --ns` should say, computed from the text of pscript.

usage: pscript -G --ns --show-lost-events -i FILE | leak_oracle.py ALLOC FREE SIZE AGE TABLE

ALLOC and FREE are lists of events, A,B; SIZE is the name of the field with the size, or "order" where
objects are pages by pfn; AGE is in ns.
TABLE is plat's output. AGE may be negative, of what was recorded here: there may be nothing to compare, and ages are not
compared, since the recording ends with records that pscript does not print.
"""
import re
import sys
from collections import defaultdict

LINE = re.compile(r"^ *(?P<comm>.*?) +(?P<tid>-?\d+) +\[\d+\] +"
                  r"(?P<s>\d+)\.(?P<ns>\d{9}): +(?P<rest>.*)$")


def follow(lines, allocs, frees, size_field):
    live, n, now, loss = {}, defaultdict(int), 0, 0
    for line in lines:
        m = LINE.match(line)
        if not m:
            continue
        time = int(m["s"]) * 10**9 + int(m["ns"])
        now = max(now, time)
        lost = re.search(r"PERF_RECORD_LOST lost (\d+)", m["rest"])
        if lost:
            n["losses"] += 1
            n["lost"] += int(lost[1])
            loss = max(loss, time)
            continue
        event = m["rest"].split(": ")[0].rstrip(":")
        ptr = re.search(rf"\b{'pfn' if size_field == 'order' else 'ptr'}=(?:0x)?([0-9a-f]+|\(nil\))", m["rest"])
        if not ptr:
            continue
        ptr = 0 if ptr[1] == "(nil)" else int(ptr[1], 16)
        if event in allocs:
            n["allocs"] += 1
            n["failed"] += ptr == 0
            n["replaced"] += ptr in live
            if ptr:
                size = re.search(rf"\b{size_field}=(\d+)", m["rest"])
                live[ptr] = m["comm"], 4096 << int(size[1]) if size_field == "order" else int(size[1]), time
        elif event in frees and ptr:
            n["frees"] += ptr in live
            n["unknown"] += ptr not in live
            live.pop(ptr, None)
    return live, n, now, loss


def read_rows(text):
    """comm -> the six numbers"""
    rows = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        fields = line.split(None, 6)
        comm = fields[6].split(" (")[0]
        assert comm not in rows, comm
        rows[comm] = [int(f) for f in fields[:6]]
    return rows


def main():
    allocs, frees = (set(a.split(",")) for a in sys.argv[1:3])
    age, faults = int(sys.argv[4]), []
    live, n, now, loss = follow(sys.stdin, allocs, frees, sys.argv[3])
    want = defaultdict(lambda: [0] * 6)
    for comm, size, time in live.values():
        if now - time < age:
            n["young"] += 1
            continue
        at = 3 if time < loss else 0
        row = want[comm]
        row[at] += size
        row[at + 1] += 1
        row[at + 2] = max(row[at + 2], now - time)
    with open(sys.argv[5], encoding="utf-8") as f:
        text = f.read()
    got = read_rows(text)
    for comm in sorted(set(want) | set(got)):
        a, b = want.get(comm), got.get(comm)
        if a and b and age < 0:
            a[2] = a[5] = b[2] = b[5] = 0
        if a != b:
            faults.append(f"{comm}: {b} should be {a}")
    for line in (f"# allocations: {n['allocs']}; freed: {n['frees']}; failed: {n['failed']}; "
                 f"younger than --age: {n['young']}\n",
                 f"# frees of what was not allocated here: {n['unknown']}; allocations whose free "
                 f"is missing: {n['replaced']};",
                 f"# losses: {n['losses']}" + (f" ({n['lost']} records)" if n["lost"] else "\n")):
        if line not in text:
            faults.append("missing: " + line.strip())
    if age >= 0 and (not n["allocs"] or not n["frees"] or not want):
        faults.append("nothing to compare")
    print("\n".join(faults))


main()
