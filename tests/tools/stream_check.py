# SPDX-License-Identifier: MIT
"""For tests/checks/stream.sh.

    stream_check.py paused FILE COMMAND...    COMMAND prints something of the stream FILE before its end
    stream_check.py lag BIN N                 median lag of N rare events through prec -o - | pscript -i -
    stream_check.py live BIN WORK             plat live, against what the recorded program does
    stream_check.py loss BIN WORK             losses as prec's end message has them, against the recording

Prints what is wrong; lag prints "median MS".
"""
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time


def paused(file, command):
    reader = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    finished_round = struct.pack("=IHH", 68, 0, 8)
    reader.stdin.write(open(file, "rb").read() + 2 * finished_round)
    reader.stdin.flush()
    ready, _, _ = select.select([reader.stdout], [], [], 20)
    if not ready:
        print("nothing was printed within 20 s while the stream was open")
    reader.stdin.close()
    reader.stdout.read()
    if reader.wait():
        print("status", reader.returncode)


def lag(bindir, n):
    prec = subprocess.Popen(
        [bindir + "/prec", "-q", "-a", "-e", "sched:sched_process_exec", "-o", "-"], stdout=subprocess.PIPE)
    pscript = subprocess.Popen([bindir + "/pscript", "--no-pager", "-F", "comm,trace", "-i", "-"],
                               stdin=prec.stdout, stdout=subprocess.PIPE, text=True)
    name = "/tmp/rare%d" % os.getpid()
    os.symlink("/bin/true", name)
    lags = []
    try:
        time.sleep(1)
        for _ in range(n):
            start = time.monotonic()
            subprocess.run([name], check=True)
            while name not in pscript.stdout.readline():
                pass
            lags.append((time.monotonic() - start) * 1000)
            time.sleep(0.13)
    finally:
        os.unlink(name)
        prec.send_signal(signal.SIGINT)
        pscript.communicate()
        prec.wait()
    lags.sort()
    print("all", " ".join("%.0f" % x for x in lags), "ms")
    if lags[n // 2] > 1000:
        print("too late")
    else:
        print("median %.0f ms" % lags[n // 2])


def loss(bindir, work):
    go = work + "/go"
    target = subprocess.Popen([sys.executable, "-c", """
import os, time
while not os.path.exists(%r): time.sleep(0.05)
for i in range(20000): os.getppid()
os.rename(%r, %r)
time.sleep(100)""" % (go, go, go + ".done")])
    data = work + "/lost.data"
    end = open(work + "/end", "w+")
    for fifo in "/control", "/answers":
        os.mkfifo(work + fifo)
    control, answers = (os.open(work + fifo, os.O_RDWR) for fifo in ("/control", "/answers"))
    # a stopped recorder leaves its rings full
    prec = subprocess.Popen(
        [bindir + "/prec", "-m", "1", "-p", str(target.pid), "-o", data, "-e", "raw_syscalls:sys_enter",
         "-e", "raw_syscalls:sys_exit", "--control", "fifo:%s/control,%s/answers" % (work, work)], stderr=end)
    try:
        # it answers when all is switched on
        os.write(control, b"ping\n")
        os.read(answers, 10)
        prec.send_signal(signal.SIGSTOP)
        open(go, "w").close()
        for _ in range(400):
            if os.path.exists(go + ".done"):
                break
            time.sleep(0.05)
        prec.send_signal(signal.SIGCONT)
        time.sleep(0.3)
        prec.send_signal(signal.SIGINT)
        prec.wait(20)
    finally:
        target.kill()
        target.wait()
    end.seek(0)
    said = end.read()
    dump = subprocess.run([bindir + "/pscript", "-D", "-i", data], capture_output=True, text=True,
                          errors="replace").stdout
    rings = sum(int(x) for x in re.findall(r"PERF_RECORD_LOST: id:\s*\d+: lost:\s*(\d+)", dump) or
                re.findall(r"PERF_RECORD_LOST.*?lost[: ]+(\d+)", dump))
    told = 0
    for event in "sys_enter", "sys_exit":
        found = re.search(r"raw_syscalls:%s: lost (\d+) of (\d+) samples" % event, said)
        samples = subprocess.run([bindir + "/pscript", "-i", data, "-F", "event"], capture_output=True,
                                 text=True).stdout.count(event)
        if not found:
            print("no loss of %s in: %s" % (event, said))
            continue
        told += int(found[1])
        if int(found[2]) - int(found[1]) != samples:
            print("%s: %s of %s, but the recording has %d" % (event, found[1], found[2], samples))
    # losses after the last record of a ring have no LOST record
    if told < rings:
        print("the message has %d, the rings lost %d" % (told, rings))
    if not told:
        print("nothing was lost:", said)


def row(text, name):
    for line in text.splitlines():
        words = line.split()
        if words and words[-1] == name:
            return int(words[0])
    return 0


def lost(text):
    return int((re.search(r"losses: \d+ \((\d+) records", text) or [0, 0])[1])


def live(bindir, work):
    data = work + "/kept.data"
    loop = [sys.executable, "-c", "import os\nfor i in range(50000): os.getppid()"]
    table = subprocess.run([bindir + "/plat", "syscalls", "-m", "8M", "--record", data, "--"] + loop,
                           capture_output=True, text=True)
    calls = row(table.stdout, "getppid")
    if table.returncode or not calls <= 50000 <= calls + lost(table.stdout):
        print("50,000 calls of getppid:", table.stdout, table.stderr)
    again = subprocess.run([bindir + "/plat", "syscalls", "-i", data], capture_output=True, text=True)
    if again.stdout != table.stdout:
        print("the kept recording gives another table:", again.stdout, again.stderr)
    parts = subprocess.run([bindir + "/plat", "syscalls", "-I", "20", "-i", data], capture_output=True,
                           text=True).stdout
    if parts.count("# until") < 2 or sum(row(x, "getppid") for x in parts.split("# losses")) != calls:
        print("tables of 20 ms have other sums:", parts[:2000])
    words = subprocess.run([bindir + "/plat", "syscalls", "--print-record", "-p", "1"], capture_output=True,
                           text=True).stdout
    if words != "prec -p 1 -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit\n":
        print("--print-record -p 1:", words)
    # a busy machine loses samples, and prec says so
    plat = subprocess.Popen([bindir + "/plat", "runq", "-a"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    start = time.monotonic()
    plat.send_signal(signal.SIGINT)
    text, said = plat.communicate(timeout=30)
    if plat.returncode or "# begins:" not in text:
        print("SIGINT: status", plat.returncode, text, said)
    strange = [line for line in said.splitlines() if ": lost " not in line]
    if strange:
        print("plat runq -a says on stderr:", "\n".join(strange))
    if time.monotonic() - start > 5:
        print("the table came %.1f s after SIGINT" % (time.monotonic() - start))


if sys.argv[1] == "paused":
    paused(sys.argv[2], sys.argv[3:])
elif sys.argv[1] == "lag":
    lag(sys.argv[2], int(sys.argv[3]))
elif sys.argv[1] == "live":
    live(sys.argv[2], sys.argv[3])
else:
    loss(sys.argv[2], sys.argv[3])
