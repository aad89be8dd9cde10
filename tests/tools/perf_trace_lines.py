#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes lines of perf trace and of plat --as=trace equal where they differ on purpose (KNOWN-DIFFERENCES.md,
L6 to L12): filter."""
import re
import sys

RESULT = 69  # the column of the result, behind the start of the call
LINE = re.compile(r"(.{10} \([^)]*\): .*?/\d+ )(.*?)( +)(= .*|\.\.\.)$")
FILE_NAME = re.compile(r"((?:filename|pathname|oldname|newname|path|\bname|u_name|dev_name|uname|specialfile): 0x)([0-9a-f]+)")


def call(text):
    text = FILE_NAME.sub(lambda m: "%s%x" % (m[1], int(m[2], 16) & 0xFFFFFFFF), text)
    text = re.sub(r"^((?:write|pwrite64)\(.*buf: )0x[0-9a-f]+", r"\1", text)
    text = re.sub(r"clone_flags: ([A-Z_|]*)\|SIG[A-Z0-9]+", r"clone_flags:|\1", text)
    text = re.sub(r"cmd: SETFD, arg: \w+", "cmd: SETFD, arg: -", text)
    return re.sub(r"EACCESS0\)", "EACCESS)", text)


def result(text, of):
    text = re.sub(r"^= -1 (E[A-Z0-9]+|\(unknown\)) \((To be restarted|INTERNAL ERROR).*", "= -1 -", text)
    text = re.sub(r"^= -1 (E[A-Z0-9]+|\(unknown\)) ", "= -1 - ", text)
    return "= -" if "cmd: GETFD)" in of else text


for line in sys.stdin:
    m = LINE.match(line.rstrip("\n"))
    if not m:
        print(line, end="")
        continue
    # the blanks between call and result are part of the layout, where the call is as long in both
    text = m[2] if m[4] == "..." else m[2]
    width = len(m[2]) + len(m[3])
    fits = width == RESULT + 1 if m[4] != "..." else width == RESULT - 2
    print(m[1] + call(text), "fits" if fits or len(m[3]) == 1 else "MISPLACED", result(m[4], text))
