#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes system calls of many kinds: files, memory, sockets, threads, processes, signals."""
import fcntl
import mmap
import os
import resource
import select
import signal
import socket
import tempfile
import threading
import time

with tempfile.TemporaryDirectory() as place:
    path = os.path.join(place, "x")
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o640)
    os.write(fd, b"abc" * 1000)
    os.lseek(fd, 0, os.SEEK_END)
    os.pread(fd, 100, 5)
    os.fsync(fd)
    os.ftruncate(fd, 10)
    os.fchmod(fd, 0o755)
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND)
    fcntl.fcntl(fd, fcntl.F_GETFL)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
    os.rename(path, path + "2")
    os.mkdir(path, 0o700)
    os.listdir(place)
    os.access(place, os.R_OK | os.X_OK)
    os.statvfs(place)
    os.close(fd)
    for name, flags in (("none", os.O_RDONLY | os.O_DIRECTORY), ("none", os.O_WRONLY | os.O_EXCL)):
        try:
            os.open(os.path.join(place, name), flags)
        except OSError:
            pass
m = mmap.mmap(-1, 4096)
m.madvise(mmap.MADV_DONTNEED)
m.close()
for family, kind in ((socket.AF_INET, socket.SOCK_DGRAM), (socket.AF_UNIX, socket.SOCK_STREAM)):
    s = socket.socket(family, kind)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.close()
a, b = socket.socketpair()
a.send(b"x", socket.MSG_DONTWAIT)
b.recv(10, socket.MSG_PEEK)
a.shutdown(socket.SHUT_RDWR)
poll = select.epoll()
poll.register(b)
poll.poll(0.01)
select.select([], [], [], 0.001)
t = threading.Thread(target=lambda: time.sleep(0.02))
t.start()
t.join()
pid = os.fork()
if not pid:
    os._exit(3)
os.waitpid(pid, 0)
signal.signal(signal.SIGALRM, lambda *a: 0)
signal.setitimer(signal.ITIMER_REAL, 0.005)
time.sleep(0.02)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
os.kill(os.getpid(), signal.SIGUSR1)
resource.getrlimit(resource.RLIMIT_NOFILE)
os.sched_getaffinity(0)
os.getppid()
os.getrandom(8, os.GRND_NONBLOCK)
os.getpgid(0)
