# SPDX-License-Identifier: MIT
"""
svg_titles.py OURS.svg THEIRS.svg: compares the boxes of two flame graphs by what their <title>s say:
samples and percentages, each box with one of the other's that has as many samples. Prints what is
different.
"""
import re
import sys


def titles(path):
	found = []
	text = open(path, encoding="utf-8", errors="replace").read()
	for title in re.findall(r"<title>[^<]*\(([^()<]*)\)</title>", text):
		m = re.match(r"([\d,]+) \S+, ([\d.]+)%(?:; ([-+]?[\d.]+)%)?$", title)
		if m:
			found.append((int(m[1].replace(",", "")), float(m[2]), float(m[3] or 0)))
	return sorted(found)


def main():
	ours, theirs = titles(sys.argv[1]), titles(sys.argv[2])
	if len(ours) != len(theirs) or not ours:
		print("%d boxes, %d in the other picture" % (len(ours), len(theirs)))
	for a, b in zip(ours, theirs):
		if a[0] != b[0] or abs(a[1] - b[1]) > 0.0101 or abs(a[2] - b[2]) > 0.0101:
			print("%s, in the other picture %s" % (a, b))
			return


main()
