# SPDX-License-Identifier: MIT
"""
heat_oracle.py MAP.svg BEGIN END BEGIN-KEY END-KEY < pscript's text: whether the titles of plat --svg
have the numbers of pairs for each time and length. The keys are regular expressions with one group.
"""
import collections
import re
import sys

LINE = re.compile(r"^ *.*? +-?\d+ +(?:\[\d+\] +)?(\d+)\.(\d{9}): +([^ ]+): ")
TITLE = re.compile(r"<title>(\d+) from ([\d.]+) (\w+) to ([\d.]+) (\w+), ended from (\d+)\.(\d+) s on, "
                   r"for ([\d.]+) (\w+)</title>")
UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}


def ns(number, unit):
    return round(float(number) * UNITS[unit])


def main():
    svg, begin, end, begin_key, end_key = sys.argv[1:]
    waiting, pairs = {}, []
    for line in sys.stdin:
        m = LINE.match(line)
        if not m:
            continue
        time = int(m[1]) * 10**9 + int(m[2])
        if m[3] == end:
            b = waiting.pop(re.search(end_key, line)[1], None)
            if b is not None:
                pairs.append((time, time - b))
        if m[3] == begin:
            waiting[re.search(begin_key, line)[1]] = time
    with open(svg, encoding="utf-8") as f:
        cells = [(int(t[0]), ns(t[1], t[2]), ns(t[3], t[4]), int(t[5]) * 10**9 + int(t[6]), ns(t[7], t[8]))
                 for t in TITLE.findall(f.read())]
    if not cells or not pairs:
        print("nothing to compare")
        return
    start, width = min(t for t, _ in pairs), cells[0][4]
    want = collections.Counter(((t - start) // width, length) for t, length in pairs)
    if sum(c[0] for c in cells) != len(pairs):
        print(sum(c[0] for c in cells), "pairs should be", len(pairs))
    for n, low, high, at, _ in cells:
        # bounds are printed in 4 digits: a length near one may lie on either side
        slack = max(low, high) // 1000
        inside = sum(k for (c, length), k in want.items()
                     if c == (at - start) // width and low <= length < high)
        around = sum(k for (c, length), k in want.items()
                     if c == (at - start) // width and low - slack <= length < high + slack)
        if not inside <= n <= around and n != inside:
            print(f"{n} at {at}, {low} to {high}, should be {inside}")


main()
