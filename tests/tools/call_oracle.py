#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares lines of plat trace with the text of pscript, of the same recording of raw_syscalls: each call that
has begin and end is a line, with its time, thread, result and duration. call_oracle.py PLAT.txt < PSCRIPT.txt"""
import errno
import re
import sys

EVENT = re.compile(r"\s*(.*?)\s+(\d+)(?:/\d+)? +\[\d+\] +(\d+)\.(\d+): +raw_syscalls:sys_(enter|exit): NR (-?\d+)(?: =)? ?(.*)")
LINE = re.compile(r"(\d+)\.(\d{6}) (.*)/(\d+) (\w+)\((.*)\) = (.*?)(?: <(\d+\.\d{6})>)?$")

want, begun = [], {}
for line in sys.stdin:
    m = EVENT.match(line)
    if not m:
        continue
    tid, ns, nr = int(m[2]), int(m[3]) * 10**9 + int(m[4].ljust(9, "0")), int(m[6])
    if m[5] == "enter":
        begun[tid] = (nr, ns)
    elif begun.get(tid, (None, 0))[0] == nr:
        at = begun.pop(tid)[1]
        want.append((at // 1000, tid, int(m[7]), (ns - at) // 1000))
got = []
for line in open(sys.argv[1], encoding="utf-8", errors="replace"):
    m = LINE.match(line.rstrip("\n"))
    if not m or m[8] is None:
        continue
    result = m[7].split()[0]
    if result.startswith(("O_", "FD_")):
        result = "%d" % sum({"O_RDONLY": 0, "O_WRONLY": 1, "O_RDWR": 2, "O_LARGEFILE": 0x8000, "FD_CLOEXEC": 1,
                             "O_APPEND": 0x400, "O_NONBLOCK": 0x800}[w] for w in result.split("|"))
    error = re.match(r"(?:-1|\?) (E\w+)", m[7])
    got.append((int(m[1]) * 10**6 + int(m[2]), int(m[4]), error[1] if error else int(result, 0),
                round(float(m[8]) * 1e6)))
names = {**errno.errorcode, 512: "ERESTARTSYS", 513: "ERESTARTNOINTR", 514: "ERESTARTNOHAND", 516: "ERESTART_RESTARTBLOCK"}
want = [(t, tid, names.get(-r, r) if -4096 < r < 0 else r & (2**64 - 1), d) for t, tid, r, d in want]
got = [(t, tid, r if isinstance(r, str) else r & (2**64 - 1), d) for t, tid, r, d in got]
if sorted(map(str, want)) != sorted(map(str, got)):
    only = set(map(str, want)) ^ set(map(str, got))
    print("%d calls, %d lines; in one of them only: %s" % (len(want), len(got), sorted(only)[:5]))
elif len(want) < 20:
    print("only %d calls" % len(want))
