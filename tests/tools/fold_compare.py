# SPDX-License-Identifier: MIT
"""Compares what pfold prints of recordings with what inferno-collapse-perf makes of their text.

usage: fold_compare.py FOLDER PFOLD [INFERNO] < LIST

FOLDER is for temporary files. Without INFERNO only sums are compared. Each line of the list is
"NAME<tab>options of pfold<tab>command that prints the text", the last two quoted as for a shell, or
"SKIP<tab>text". Prints TAP without the plan, whose number of rows is in FOLDER/rows. Environment: LINES,
how many differing lines are printed. tests/checks/fold.sh says what is compared.
"""
import os
import re
import shlex
import subprocess
import sys
from collections import Counter

FIELDS = "comm,pid,tid,time,event,ip,sym,dso"
SAMPLE = re.compile(r"^([^\t\n][^\n]*)\n((?:\t[^\n]*\n)*)", re.M)
NO_FRAMES = re.compile(r"^[^\t\n][^\n]*\n(?=\n|\Z)", re.M)
HEAD = re.compile(r"[^ ] +-?[0-9]+/-?[0-9]+ +[0-9]+\.[0-9]+: ")
HAS_PERIOD = re.compile(r"^[^\t\n][^\n]*: +[0-9]+ +x: $", re.M)
# Objects with blanks (P3), names that begin with a parenthesis (P4), operators of <, > and -> (P5). Each
# with a text that is in every line that it changes.
FOR_INFERNO = [(needle, re.compile(r, re.M), by) for needle, r, by in (
	("(anonymous namespace)", r"^(\t *[0-9a-f]+) \(anonymous namespace\)", r"\1 @anon"),
	(" (deleted))", r" \(([^()\n]*/)?([^()/ \n]*) \(deleted\)\)$", r" (\2@deleted)"),
	(".dump)", r"\([^()\n]*/jit-([0-9]+)\.dump\)$", r"(/tmp/perf-\1.map)"),
	("operator", r"operator->\*", "operator@r@s"),
	("operator", r"operator->", "operator@r"),
	("operator", r"operator<=>", "operator@l@e@g"),
	("operator", r"operator<<", "operator@l@l"),
	("operator", r"operator>>", "operator@g@g"),
	("operator", r"operator<", "operator@l"),
	("operator", r"operator>", "operator@g"))]
FROM_INFERNO = (("@anon", "(anonymous namespace)"), ("@deleted", " (deleted)"), ("4294967295", "-1"),
	("@r", "->"), ("@s", "*"), ("@e", "="), ("@l", "<"), ("@g", ">"))

folder, pfold = sys.argv[1:3]
inferno = sys.argv[3] if len(sys.argv) > 3 else ""
rows = 0
failed = False


def printed(command, text=None):
	"""Status and standard output. Bytes are characters."""
	r = subprocess.run(command, input=None if text is None else text.encode("latin-1"),
		stdin=subprocess.DEVNULL if text is None else None, stdout=subprocess.PIPE,
		stderr=subprocess.DEVNULL, close_fds=False, check=False)
	return r.returncode, r.stdout.decode("latin-1")


def result(ok, text):
	global rows, failed
	rows += 1
	failed |= not ok
	print("ok" if ok else "not ok", rows, "-", text, flush=True)


def for_inferno(frames):
	for needle, r, by in FOR_INFERNO:
		if needle in frames:
			frames = r.sub(by, frames)
	return frames


class Text:
	"""The text of a recording: its samples, and a text without call chains, which has a line for each sample."""

	def __init__(self, script, fields):
		text = printed(script + ["-F", fields])[1]
		self.samples = [(m[1], for_inferno(m[2])) for m in SAMPLE.finditer(text)]
		places = printed(script + ["-F", fields, "-G"])[1] if NO_FRAMES.search(text) else ""
		self.places = [line for line in places.split("\n") if not line.startswith("\t")]

	def of_event(self, event):
		"""Samples of one event: "comm pid/tid time: [period] x: ", then their frames. A sample without any gets its own
		place, that of the sample of the same number in the text without call chains (P1). Blanks in comms, ids
		of -1 and odd pids of idle tasks: P2. Blanks behind the period: P6."""
		mark = " %s: " % event
		places = iter([p[(p + " ").index(mark) + len(mark):] for p in self.places if mark in p + " "])
		out = []
		for line, frames in self.samples:
			at = (line + " ").find(mark)
			if at < 0:
				continue
			place = next(places, "")
			head = line[:at + 1]
			m = HEAD.search(head)
			if m:
				end = m.start() + 1
				ids = head[end:].replace("-1", "4294967295")
				ids = re.sub(r" [0-9]+/0 ", " 0/0 ", ids, count=1)
				head = head[:end].lstrip(" ").replace(" ", "_") + ids
			rest = line[at + len(mark):]
			if rest.strip(" "):
				frames = for_inferno("\t%s\n" % rest) + frames
			out.append("%s x: \n%s\n" % (head.rstrip(" "), frames or for_inferno("\t%s\n" % place)))
		return "".join(out)


def compare(name, text, event, weight, options):
	alone = text.of_event(event)
	more, fold = [], []
	if weight == "period":
		more, fold = ["--all", "--tid"], ["--kernel", "--jit", "--root=tid"]
		if not HAS_PERIOD.search(alone):  # P7: an event whose samples do not record their periods
			return
	want = printed([inferno, "-q"] + more, alone)[1]
	for at, by in FROM_INFERNO:
		want = want.replace(at, by)
	status, got = printed([pfold, "--no-marks", "--weight=" + weight] + fold + ["-e", event] + options)
	want, got = sorted(want.splitlines(True)), sorted(got.splitlines(True))
	if want == got:
		result(True, "%s, %s, %s" % (name, event, weight))
		return
	result(False, "%s, %s, %s (status %d)" % (name, event, weight, status))
	for suffix, lines in ("want", want), ("got", got):
		with open(os.path.join(folder, suffix), "w", encoding="latin-1") as f:
			f.writelines(lines)
	lines = printed(["diff", os.path.join(folder, "want"), os.path.join(folder, "got")])[1].splitlines()
	for line in lines[:int(os.environ.get("LINES", "6"))]:
		print("#", line[:300])


def sums(name, event, samples, options):
	got = printed([pfold, "--weight=samples", "-e", event] + options)[1]
	got = sum(int(line.rsplit(" ", 1)[1]) for line in got.splitlines())
	wrong = "" if got == samples else ": %d of %d samples" % (got, samples)
	result(not wrong, "%s, %s, sum%s" % (name, event, wrong))


def recording(name, options, script):
	names = printed(script + ["-G", "-F", "event"])[1].splitlines()
	events = Counter(re.sub(r": *$", "", line.lstrip(" ")) for line in names)
	if not events:
		return
	texts = {"samples": Text(script, FIELDS), "period": Text(script, FIELDS + ",period")} if inferno else {}
	for event in sorted(events):
		sums(name, event, events[event], options)
		for weight, text in texts.items():
			if text.samples or weight == "samples":
				compare(name, text, event, weight, options)


for entry in sys.stdin:
	name, *commands = entry.rstrip("\n").split("\t")
	if name == "SKIP":
		result(True, "%s # SKIP could not record" % commands[0])
	else:
		recording(name, *map(shlex.split, commands))
with open(os.path.join(folder, "rows"), "w", encoding="ascii") as f:
	print(rows, file=f)
sys.exit(failed)
