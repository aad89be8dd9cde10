# SPDX-License-Identifier: MIT
"""Puts lines of perf trace -s that perf leaves in the order of a hash into one order: threads with
equally many events, and system calls of a thread with the same total. Messages before the summary
are left out.

	trace_ties.py < TEXT
"""
import re
import sys

blocks = []
for line in sys.stdin.read().partition(" Summary of events:\n")[2].split("\n"):
    head = re.match(r" .* \((-?\d+)\), (\d+) events, ", line)
    if head:
        blocks.append(((int(head[2]), int(head[1])), [line], []))
    elif blocks and re.match(r"   \S+ +\d+ +\d+ +\d+\.\d+ ", line):
        blocks[-1][2].append([line])
    elif blocks and blocks[-1][2] and line.startswith("\t"):
        blocks[-1][2][-1].append(line)
    elif blocks and line:
        blocks[-1][1].append(line)

# The order by total and events is part of the text: only neighbours with the same figure move.
for i, (key, head, calls) in enumerate(blocks):
    if i and blocks[i - 1][0][0] > key[0]:
        print("threads out of order:", blocks[i - 1][1][0], head[0])
    totals = [float(c[0].split()[3]) for c in calls]
    if totals != sorted(totals, reverse=True):
        print("calls out of order:", head[0])
for _, head, calls in sorted(blocks, key=lambda b: b[0]):
    print("\n".join(head))
    for call in sorted(calls, key=lambda c: (-float(c[0].split()[3]), c)):
        print("\n".join(call))
