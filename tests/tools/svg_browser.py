# SPDX-License-Identifier: MIT
"""
Uses a picture of pfold --svg in a browser: svg_browser.py chromium|firefox FILE.svg FOLDED.txt
Prints one TAP line for each thing that is tried; 77: there is no such browser. Numbers are compared with
those that the folded text itself gives.
"""
import re
import sys

import firefox
from browser import Browser, find

results = 0
failed = False


def check(title, got, want):
	global results, failed
	results += 1
	if got == want:
		print("ok %d - %s" % (results, title))
		return
	failed = True
	print("not ok %d - %s\n# got: %r\n# want: %r" % (results, title, got, want))


def stacks(path):
	for line in open(path):
		text, count = line.rsplit(" ", 1)
		yield text.split(";"), int(count)


def share(lines, pattern, below=()):
	"""Percent of the stacks below a path that have a frame of that name."""
	inside = [(s, n) for s, n in lines if tuple(s[:len(below)]) == tuple(below)]
	found = sum(n for s, n in inside if any(re.search(pattern, f) for f in s))
	return "%.2f %%" % (100 * found / sum(n for s, n in inside))


def box(name):
	"""Script: the number of the first box of a function."""
	return ("[...document.querySelectorAll('#boxes rect')].findIndex("
		"(r) => r.firstChild.textContent.startsWith('%s ('))" % name)


def text(b, name):
	return b.eval("document.getElementById('%s').textContent" % name)


def labels(b):
	return b.eval("[...document.querySelectorAll('#labels text')].map("
		      "(t) => [t.getAttribute('x'), t.textContent])")


def fragment(b):
	return b.eval("location.hash")


READY = "!!document.getElementById('search') && document.readyState === 'complete'"


def click(b, selector):
	x, y = b.eval("(() => { const r = document.querySelector('%s').getBoundingClientRect();"
		      "return [r.x + r.width / 2, r.y + r.height / 2]; })()" % selector)
	b.click(x, y)


def search(b, pattern):
	b.key("/")
	b.call("Input.insertText", text=pattern)
	b.key("Enter")


def use(browser, svg, lines):
	b = browser.open(svg, ready=READY)
	check("only the file itself is asked for", b.requests, ["file://" + svg])
	thin = ("(() => { const r = document.querySelectorAll('#boxes rect')[%s];"
		"return [...document.querySelectorAll('#boxes path')].map((p) => [r.getAttribute('fill'),"
		"p.getAttribute('d').startsWith('M' + r.getAttribute('x') + ' ' + r.getAttribute('y'))]); })()" % box("trap"))
	check("a path paints the thin box", b.eval(thin), [["none", True]])
	before = labels(b)
	name = "parse"
	at = b.eval(box(name))
	click(b, "#boxes rect:nth-of-type(%d)" % (at + 1))
	check("a click zooms", fragment(b), "#z=%d" % at)
	shown = b.eval("(() => { const r = document.querySelectorAll('#boxes rect')[%d]"
		       ".getBoundingClientRect(); return [Math.round(r.x), Math.round(r.width)]; })()" % at)
	check("the box fills the picture", shown, [10, 1180])
	check("callers stay, faded",
	      b.eval("document.querySelectorAll('#boxes rect[opacity]').length"), 3)
	search(b, "lex|Tok")
	check("a search says its share of all and of the view", text(b, "matched"),
	      "Matched: %s, %s of this view" % (share(lines, "lex|Tok"),
					       share(lines, "lex|Tok", ("cc1", "main", name))))
	check("the state is in the address", fragment(b), "#z=%d&s=lex%%7CTok" % at)
	b.key("i")
	check("without case", text(b, "matched").split(",")[0],
	      "Matched: " + share(lines, "(?i)lex|Tok"))
	b.key("n")
	first = text(b, "details")
	b.key("N")
	check("next and previous match", (first[:10], text(b, "details")[:10]),
	      ("3 of 4: Fu", "2 of 4: Fu"))
	for _ in range(3):
		b.key("u")
	check("three steps undone are the beginning", (fragment(b).rstrip("#"), labels(b)),
	      ("", before))
	b.key("r")
	check("redone", fragment(b), "#z=%d" % at)
	b.key("0")
	b.key("Home")
	b.key("ArrowUp")
	b.key("ArrowUp")
	b.key("Enter")
	check("keys move and zoom", fragment(b), "#z=%d" % b.eval(box("main")))
	b.key("Escape")
	search(b, "(")
	check("a broken expression is said to be one", text(b, "matched"),
	      "This is no regular expression.")
	check("no complaints", b.messages, [])
	b = browser.open(svg + "#z=%d&s=lex" % at, ready=READY)
	check("the address gives the state back", (fragment(b), text(b, "matched").split(",")[0]),
	      ("#z=%d&s=lex" % at, "Matched: " + share(lines, "lex")))
	b = browser.open(svg, ready=READY, height=150)
	check("a picture taller than the window begins at the root", b.eval(
		"document.querySelector('#boxes rect').getBoundingClientRect().bottom <= innerHeight"), True)
	b = browser.open(svg, ready=READY, height=40)
	few = len(labels(b))
	for y in range(200, -1, -20):
		b.eval("new Promise((done) => { scrollTo(0, %d); requestAnimationFrame(done); })" % y)
	b.wait("document.querySelectorAll('#labels text').length === %d" % len(before))
	check("boxes out of the window get their texts when it is scrolled there", few < len(before), True)
	b = browser.open(svg + "#z=99999999&s=%zz&z=-1&q=<b>", ready=READY)
	check("a hostile address is no state", text(b, "matched"), "")
	check("no complaints about it", b.messages, [])


def in_firefox(svg, lines):
	"""Drawn, zoomed, searched and quiet in Firefox too."""
	with firefox.Firefox() as f:
		b = f.open(svg)
		b.wait(READY)
		first = b.run("return [...document.querySelectorAll('#labels text')].map((t) => t.textContent)")
		check("Firefox: labels are drawn", {"all", "main", "parse"} - set(first), set())
		at = b.run("return " + box("parse"))
		b.run("document.querySelectorAll('#boxes rect')[%d].dispatchEvent(new MouseEvent('click', "
		      "{ bubbles: true }))" % at)
		check("Firefox: a click zooms", b.run("return location.hash"), "#z=%d" % at)
		b = f.open(svg + "#s=lex")
		b.wait(READY)
		check("Firefox: a search says its share", b.run(
			"return document.getElementById('matched').textContent").split(",")[0],
		      "Matched: " + share(lines, "lex"))
		check("Firefox: nothing is asked for, no complaints", (b.requests, b.messages), ([b.url], []))


def main():
	which, svg, folded = sys.argv[1:]
	lines = list(stacks(folded))
	if not {"chromium": find, "firefox": firefox.find}[which]():
		return 77
	if which == "firefox":
		in_firefox(svg, lines)
	else:
		with Browser() as browser:
			use(browser, svg, lines)
	print("1..%d" % results)
	return failed


sys.exit(main())
