#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times the keys of a program on a terminal of its own (a pty).

    tui_keys.py COLSxROWS KEYS COMMAND...

KEYS is a file. A line "KEY COUNT" is a key to press so many times; "KEY COUNT LABEL" names it so in
the output; "KEY 0" presses a key once without timing it. A key is a character, a name of the table
below, or "text:abc", whose characters are timed one by one.

The first line of output is "first-screen WALL-ms RSS-KiB"; each timed key follows as
"LABEL count p50-ms p99-ms max-ms cpu-p99-ms bytes", where cpu is the processor time of the program's first
thread, which other programs on the machine do not lengthen. A key ends with the last byte that the program writes before
it is silent for SILENT_MS (default 60); the time of the silence does not count. The first screen is
there when READY (an environment variable, default "Enter menu") was written.
"""
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

NAMES = {
    "Enter": b"\r", "Esc": b"\033", "Tab": b"\t", "Space": b" ", "Backspace": b"\x7f",
    "Up": b"\033OA", "Down": b"\033OB", "Right": b"\033OC", "Left": b"\033OD",
    "PgUp": b"\033[5~", "PgDn": b"\033[6~", "Home": b"\033OH", "End": b"\033OF",
    "^F": b"\006", "^U": b"\025", "^R": b"\022",
}


def key_bytes(name):
    return NAMES.get(name) or name.encode()


def read_until_silent(fd, silent, limit=20.0):
    """Returns what came and when its last byte did. The first byte may take a second."""
    start = last = time.perf_counter()
    size = 0
    while time.perf_counter() - start < limit:
        ready, _, _ = select.select([fd], [], [], silent if size else 1)
        if not ready:
            break
        try:
            size += len(os.read(fd, 1 << 16))
        except OSError:  # the program has ended
            break
        last = time.perf_counter()
    return size, last


def wait_for(fd, text, limit=300.0):
    start, seen = time.perf_counter(), b""
    while text not in seen:
        if time.perf_counter() - start > limit:
            sys.exit("tui_keys: no first screen within %d s" % limit)
        if select.select([fd], [], [], 1)[0]:
            seen = seen[-4096:] + os.read(fd, 1 << 16)


def peak_kib(pid):
    for line in open("/proc/%d/status" % pid):
        if line.startswith("VmHWM"):
            return int(line.split()[1])
    return 0


def cpu_ms(pid):
    return int(open("/proc/%d/schedstat" % pid).read().split()[0]) / 1e6


def press(pid, fd, data, silent):
    cpu, start = cpu_ms(pid), time.perf_counter()
    os.write(fd, data)
    size, last = read_until_silent(fd, silent)
    return (last - start) * 1000 if size else 0.0, cpu_ms(pid) - cpu, size


def at(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def main():
    cols, rows = map(int, sys.argv[1].split("x"))
    keys = [line.split() for line in open(sys.argv[2]) if line.split()]
    silent = float(os.environ.get("SILENT_MS", "60")) / 1000
    started = time.perf_counter()
    pid, fd = pty.fork()
    if not pid:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        os.environ["TERM"] = "xterm-256color"
        os.execvp(sys.argv[3], sys.argv[3:])
    wait_for(fd, os.environ.get("READY", "Enter").encode())
    wall = (time.perf_counter() - started) * 1000
    read_until_silent(fd, 0.3)
    print("first-screen %.0f %d" % (wall, peak_kib(pid)), flush=True)
    for words in keys:
        name, count = words[0], int(words[1])
        label = words[2] if len(words) > 2 else name
        parts = ([c.encode() for c in name[5:]] if name.startswith("text:") else [key_bytes(name)])
        results = [press(pid, fd, part, silent) for _ in range(max(count, 1)) for part in parts]
        if count:
            times = [r[0] for r in results]
            print("%-16s %4d %8.1f %8.1f %8.1f %8.1f %8d" %
                  (label, len(times), at(times, .5), at(times, .99), max(times),
                   at([r[1] for r in results], .99), sum(r[2] for r in results) // len(results)),
                  flush=True)
    print("peak %d" % peak_kib(pid))
    os.write(fd, b"q")
    read_until_silent(fd, 0.3)
    os.kill(pid, 15)


main()
