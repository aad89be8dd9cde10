# SPDX-License-Identifier: MIT
"""What `plat --unit ns` should say, computed from the text of pscript.

usage: pscript --ns --show-lost-events -i FILE | plat_oracle.py BEGIN END BEGIN-KEY END-KEY ROW TABLE

BEGIN and END are names of events; the keys and ROW are regular expressions with one group, which are
searched in a line, tid is the thread. ROW begins with b: or e:, the event that it is searched in. TABLE is plat's output.
A line of the table is compared as text, but for quantiles, which may be 0.4 % off.
"""
import re
import sys

LINE = re.compile(r"^ *(?P<comm>.*?) +(?P<tid>-?\d+) +(?:\[(?P<cpu>\d+)\] +)?"
                  r"(?P<s>\d+)\.(?P<ns>\d{9}): +(?P<rest>.*)$")


def read_events(lines):
    """(time, event or LOST, the whole line) in order"""
    for line in lines:
        m = LINE.match(line)
        if not m:
            continue
        time = int(m["s"]) * 10**9 + int(m["ns"])
        if m["rest"].startswith("PERF_RECORD_LOST "):
            yield time, "LOST", line
        else:
            yield time, m["rest"].split(": ", 1)[0], line


def first_group(pattern, line):
    if pattern == "tid":
        return LINE.match(line)["tid"]
    m = re.search(pattern, line)
    return m[1] if m else None


def pair(events, begin, end, begin_key, end_key, row):
    waiting, rows, epoch = {}, {}, 0
    n = dict.fromkeys("begins replaced ends without early broken losses lost".split(), 0)
    start = None
    for time, event, line in events:
        if event == "LOST":
            epoch += 1
            n["losses"] += 1
            n["lost"] += int(line.split()[-1])
            continue
        if event in (begin, end) and start is None:
            start = time
        if event == end:
            n["ends"] += 1
            b = waiting.pop(first_group(end_key, line), None)
            if b is None:
                n["without"] += 1
                n["early"] += time - start < 10**8
            elif b[1] != epoch:
                n["broken"] += 1
            else:
                side, pattern = row.split(":", 1)
                name = first_group(pattern, b[2] if side == "b" else line)
                rows.setdefault(name, []).append(time - b[0])
        if event == begin:
            n["begins"] += 1
            key = first_group(begin_key, line)
            n["replaced"] += key in waiting
            waiting[key] = time, epoch, line
    n["open"] = len(waiting)
    return rows, n


def quantile(values, q):
    return sorted(values)[max(0, -(-len(values) * q // 100) - 1)]


def check_row(fields, values, faults):
    name = fields[8]
    exact = [len(values), sum(values), min(values), sum(values) // len(values), max(values)]
    got = [int(fields[i]) for i in (0, 1, 2, 3, 7)]
    if exact != got:
        faults.append(f"{name}: {got} should be {exact}")
    for i, q in zip((4, 5, 6), (50, 95, 99)):
        want, said = quantile(values, q), int(fields[i].rstrip("*"))
        if abs(want - said) > want / 250:
            faults.append(f"{name}: p{q} {said} should be {want}")
        if fields[i].endswith("*") != (-(-len(values) * q // 100) == len(values)):
            faults.append(f"{name}: p{q} of {len(values)} values and its mark {fields[i]}")


def main():
    rows, n = pair(read_events(sys.stdin), *sys.argv[1:6])
    faults, seen = [], []
    with open(sys.argv[6], encoding="utf-8") as f:
        text = f.read()
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        fields = line.split(None, 8)
        if fields[8] == "(all)":
            check_row(fields, [v for r in rows.values() for v in r], faults)
        elif fields[8] not in rows:
            faults.append(f"{fields[8]}: no such row")
        else:
            seen.append(fields[8])
            check_row(fields, rows[fields[8]], faults)
    if sorted(seen) != sorted(rows):
        faults.append(f"rows {sorted(seen)} should be {sorted(rows)}")
    for want in (f"# begins: {n['begins']}, {n['replaced']} replaced by a second begin, "
                 f"{n['open']} still open\n",
                 f"# ends: {n['ends']}, {n['without']} without begin, {n['early']} of them",
                 f"# losses: {n['losses']}",
                 f"; pairs across a loss: {n['broken']}") + (
                     (f"({n['lost']} records",) if n["lost"] else ()):
        if want not in text:
            faults.append("missing: " + want.strip())
    if not rows:
        faults.append("nothing was paired")
    print("\n".join(faults))


main()
