#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long after a rare event its line is there: the lag of a live display.

    bench/snoop_lag.py [EVENTS]         default 40; BIN=bin. Needs root and tracefs.

This program calls getppid() now and then, and reads the lines that plat --lines, and prec with
pscript at the other end of a pipe, print of that. Median, 95 % and longest lag in ms, from the call to the
line in this program; status 1 where half of the lines take longer than 100 ms."""
import os
import random
import subprocess
import sys
import threading
import time

EVENT = "syscalls:sys_enter_getppid"


def measure(name, command, events):
    run = subprocess.Popen(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                           start_new_session=True)
    arrived = []

    def read():
        for line in run.stdout:
            if "getppid" in line:
                arrived.append(time.monotonic())

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    deadline = time.monotonic() + 20
    while not arrived and time.monotonic() < deadline:  # until it records
        os.getppid()
        time.sleep(0.5)
    time.sleep(1)
    lags = []
    for _ in range(events):
        before = len(arrived)
        called = time.monotonic()
        os.getppid()
        while len(arrived) == before and time.monotonic() < called + 5:
            time.sleep(0.0005)
        lags.append((arrived[before] - called) * 1000 if len(arrived) > before else 5000.0)
        time.sleep(random.uniform(0.2, 0.4))
    os.killpg(run.pid, 2)
    try:
        run.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, 9)
        run.wait()
    lags.sort()
    print("%-16s lag median %6.1f ms, 95 %% %6.1f ms, longest %6.1f ms, of %d events" %
          (name, lags[len(lags) // 2], lags[int(len(lags) * 0.95)], lags[-1], len(lags)))
    return lags[len(lags) // 2] <= 100


def main():
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    tools = os.environ.get("BIN", "bin")
    own = os.getpid()
    good = measure("plat --lines", f"exec {tools}/plat -e {EVENT} --lines -p {own}", events)
    good &= measure("prec | pscript", f"{tools}/prec -q -e {EVENT} -p {own} -o - | {tools}/pscript -i -", events)
    good &= measure("plat --lines -a", f"exec {tools}/plat -e {EVENT} --lines -a", events)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
