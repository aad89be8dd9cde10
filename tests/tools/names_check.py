# SPDX-License-Identifier: MIT
"""Names that break markup, scripts or terminals, in pictures, pages and the screen.

    names_check.py BIN MAKER WORK COUNT     prints TAP; MAKER is tests/tools/name_recordings

Each of COUNT recordings goes through prep --html, pfold --svg and prep --keys, its folded text
through pfold --svg and --html. A picture must be well-formed and a page must have the elements of
one of plain names, and no others; the page's data must decode; no byte that a terminal obeys may be
in any of them. A few are opened in a browser, where no script of a name may run.
"""
import base64
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import xml.parsers.expat
import zlib

import browser

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069"
                     "\ufeff\ufffe\uffff]")
TAG = re.compile("<[^<>]*>?")
KEYS = ("", "E", "? Esc Down Enter", "m", "E Down Down Enter", "/ i Enter E", "g", "T", "i", "H",
        "Down Enter E h", "Enter E Down Down f", "Enter Down Down Down m", "s", "Enter D", "Enter V E",
        "Enter T", "Enter G", "Enter Down P")
SIZES = ("80x24", "20x5", "200x60")
BATCH = 200
OPENED = 12
INTS = {"depth": lambda h: h["nodes"] - 1, "name": lambda h: h["nodes"] - 1,
        "callees": lambda h: h["names"] + 1,
        "kind": lambda h: h["names"], "object": lambda h: h["names"],
        "leaf": lambda h: h["leaves"]}


def run(*words, to=None):
    """Runs a command, whose output goes into a file; what is wrong with its end."""
    with open(to or os.devnull, "wb") as out:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=out, check=False, timeout=60,
                              stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C.UTF-8"})
    if done.returncode:
        return [f"{os.path.basename(words[0])} ended with {done.returncode}: {done.stderr[-300:]!r}"]
    return []


def read(path):
    """A file as text; it must be UTF-8, and have nothing that a terminal obeys."""
    with open(path, "rb") as f:
        text = f.read().decode()
    found = CONTROL.search(text)
    if found:
        raise ValueError(f"{found.group()!r} at {found.start()}: "
                         f"{text[max(0, found.start() - 30):found.start() + 30]!r}")
    return text


def shape_of_svg(path):
    """What elements with what attributes a picture has; an error when it is not well-formed."""
    shape = set()
    with open(path, "rb") as f:
        parser = xml.parsers.expat.ParserCreate()
        parser.StartElementHandler = lambda name, given: shape.add((name, *sorted(given)))
        parser.ParseFile(f)
    read(path)
    return shape


def tags_of_page(path):
    """The tags of a page; its title and its data are held against what they must be."""
    page = read(path)
    before, _, rest = page.partition('<script type="application/json" id="head">')
    head, _, rest = rest.partition("</script>")
    _, _, rest = rest.partition(">")
    data, _, after = rest.partition("</script>")
    # each line was packed by itself
    parts = [base64.b64decode(line, validate=True) for line in data.split()]
    check_data(json.loads(head), b"".join(zlib.decompress(part, -15) for part in parts))
    return TAG.findall(before + after)


def check_data(head, block):
    at = 0
    for name, length, _ in head["streams"]:
        part = block[at:at + length]
        at += length
        if name == "names":
            names = part.decode().split("\0")
            wrong = [n for n in names if CONTROL.search(n) or "\n" in n]
            if len(names) != head["names"] or wrong:
                raise ValueError(f"{len(names)} names instead of {head['names']}; {wrong[:1]}")
        elif name in INTS and sum(b < 128 for b in part) != INTS[name](head):
            raise ValueError(f"stream {name} has another length")
    if at != len(block):
        raise ValueError(f"{len(block)} bytes of data instead of {at}")
    look_into(head)


def look_into(value):
    """No text of the head has what a terminal obeys; JSON writes some of it as escapes."""
    if isinstance(value, str) and CONTROL.search(value):
        raise ValueError(f"{value[:200]!r} in the head")
    if isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            look_into(part)


class Names:
    def __init__(self, bin_dir, work):
        self.work = work
        self.prep, self.pfold = (os.path.join(bin_dir, c) for c in ("prep", "pfold"))
        os.makedirs(os.path.join(work, "0"), exist_ok=True)
        self.plain = None

    def make(self, i):
        """All outputs of one recording; {name: what is wrong}."""
        at = os.path.join(self.work, str(i))
        data, folded = os.path.join(at, "perf.data"), os.path.join(at, "x.folded")
        symbols = ("--symfs", at, "-i", data)
        wrong = run(self.prep, "-q", *symbols, "--html", at + "/r.html")
        wrong += run(self.pfold, "-q", folded, "--html", at + "/f.html")
        wrong += run(self.pfold, "-q", folded, "--svg", at + "/f.svg")
        if i % 2 == 0:
            wrong += run(self.pfold, "-q", *symbols, "--svg", at + "/r.svg")
        keys = KEYS[i // 3 % len(KEYS)]
        if i % 2:
            keys = "Enter " + keys
        wrong += run(self.prep, *symbols, "--screen", SIZES[i % 3], "--keys", keys, to=at + "/screen")
        return wrong

    def shapes(self, i):
        at = os.path.join(self.work, str(i))
        svg = set()
        for name in ("f.svg", "r.svg"):
            if os.path.exists(f"{at}/{name}"):
                svg |= shape_of_svg(f"{at}/{name}")
        return svg, [tags_of_page(at + "/r.html"), tags_of_page(at + "/f.html")]

    def check(self, i):
        """What is wrong with number i; "" when nothing is."""
        wrong = self.make(i)
        try:
            if not wrong:
                read(os.path.join(self.work, str(i), "screen"))
                svg, pages = self.shapes(i)
                if svg - self.plain[0]:
                    wrong.append(f"elements of names: {sorted(svg - self.plain[0])[:3]}")
                for tags, plain in zip(pages, self.plain[1]):
                    if tags != plain:
                        wrong.append(f"tags of names: {[t for t in tags if t not in plain][:3]}")
        except (ValueError, xml.parsers.expat.ExpatError, OSError, zlib.error) as e:
            wrong.append(f"{type(e).__name__}: {e}")
        return "; ".join(wrong)


def lint(work, numbers):
    """What xmllint says of all pictures."""
    files = [p for i in numbers for name in ("f.svg", "r.svg")
             if os.path.exists(p := os.path.join(work, str(i), name))]
    done = subprocess.run(["xmllint", "--noout", "--huge", *files], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.decode(errors="replace")[:300] if done.returncode else ""


def in_browser(b, work, numbers):
    """
    Names in a browser: the title stays, nothing is asked for, the console is empty. Each recording's
    page is opened, and of its folded text the page or the picture.
    """
    wrong = []
    ready = "document.documentElement && document.documentElement.dataset.ready === '1'"
    for i in numbers:
        for name in ("r.html", "f.html" if i % 2 else "f.svg"):
            path = os.path.join(work, str(i), name)
            is_page = name.endswith("html")
            page = b.open(path, ready=ready if is_page else "document.readyState === 'complete'")
            for key in "2345i1" if is_page else "":
                page.key(key)
            title = page.eval("document.title")
            if title == "pwned" or page.requests != ["file://" + path] or page.messages:
                wrong.append(f"{path}: {title} {page.requests} {page.messages}")
            page.call("Page.close")
    return "; ".join(wrong[:3])


def tell(number, text, wrong):
    print(f"{'not ok' if wrong else 'ok'} {number} - {text}")
    for line in wrong[:5]:
        print("# " + line.encode("unicode_escape").decode()[:700])
    return bool(wrong)


def main(bin_dir, maker, work, count):
    names = Names(bin_dir, work)
    subprocess.run([maker, work, "0", "1"], check=True)
    wrong = names.make(0)
    if wrong:
        return tell(1, "plain names", wrong)
    names.plain = names.shapes(0)
    wrong, linted, opened = [], [], []
    b = browser.Browser() if browser.find() else None
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for first in range(1, count + 1, BATCH):
                numbers = range(first, min(first + BATCH, count + 1))
                subprocess.run([maker, work, str(first), str(len(numbers))], check=True)
                wrong += [f"{i}: {w}" for i, w in zip(numbers, pool.map(names.check, numbers)) if w]
                if shutil.which("xmllint"):
                    linted += filter(None, [lint(work, numbers)])
                if b:
                    opened += filter(None, [in_browser(b, work, numbers[:OPENED])])
                for i in numbers:
                    shutil.rmtree(os.path.join(work, str(i)))
    finally:
        if b:
            b.__exit__()
    failed = tell(1, f"{count} recordings: pictures, pages and screens hold their names", wrong)
    failed |= tell(2, "xmllint takes the pictures" +
                   ("" if shutil.which("xmllint") else " # SKIP no xmllint"), linted)
    failed |= tell(3, "no script of a name runs in a browser" + ("" if b else " # SKIP no chromium"),
                   opened)
    print("1..3")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
