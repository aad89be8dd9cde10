#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what bpftrace counted with plat's rows of the same events: bpf_buckets.py BPFTRACE.txt NAME < CSV
of plat (separator ;, times in ns; n, total, min, avg, p50, p95, p99, max, name). The numbers must be equal,
the sums within 1 %, each quantile in bpftrace's bucket or within 15 % of its ends."""
import re
import sys

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
buckets, n, total = [], 0, 0
for line in open(sys.argv[1], encoding="utf-8"):
    m = re.match(r"\[(\d+)([KMG]?)(?:, (\d+)([KMG]?)\)|\]) +(\d+) \|", line)
    if m:
        low = int(m[1]) * UNITS[m[2]]
        high = int(m[3]) * UNITS[m[4]] if m[3] else low + 1
        buckets.append((low, high, int(m[5])))
    elif line.startswith("@n: "):
        n = int(line[4:])
    elif line.startswith("@sum: "):
        total = int(line[6:])
rows = [line.rstrip("\n").split(";") for line in sys.stdin]
head = next((r for r in rows if r and r[0] == "n"), rows[0])
row = next((r for r in rows if r[-1] == sys.argv[2]), None)
if row is None or not n:
    sys.exit("no row of plat, or nothing of bpftrace: %s" % (head,))
value = dict(zip((re.sub(r"[_ ]ns$", "", h) for h in head), row))
if abs(int(value["n"]) - n) > 0:
    print("bpftrace counted %d, plat %s" % (n, value["n"]))
if abs(int(float(value["total"])) - total) > total / 100:
    print("bpftrace summed up %d ns, plat %s" % (total, value["total"]))
for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
    seen, want = 0, share * n
    for low, high, count in buckets:
        seen += count
        if seen >= want:
            break
    us = float(value[name].rstrip("*")) / 1000
    if not low * 0.85 <= us <= high * 1.15:
        print("%s: %g us, in bpftrace's bucket [%d, %d)" % (name, us, low, high))
