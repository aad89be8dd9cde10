# SPDX-License-Identifier: MIT
"""Pages of prep --html in a browser, held against prep, pfold and sums made here.

    page_checks.py BIN WORK     WORK holds the recordings wide/ and hostile/; prints TAP

Every figure that a view shows follows from the model's arrays, so most checks ask the model; the
last ones press keys and read the page.
"""
import collections
import json
import os
import subprocess
import sys

import browser

READY = "document.documentElement && document.documentElement.dataset.ready === '1'"
FOLDED = """(() => { const { tree, weights } = app.model.drawn(app.state), lines = {};
    for (let i = 1; i < tree.nr; i++) if (weights[%d].self[i]) {
        const line = pathOf(tree, i).map((n) => app.model.names[n]).join(";");
        lines[line] = (lines[line] || 0) + weights[%d].self[i] *
            app.model.measure(app.state).units[0]; }
    return lines; })()"""
TABLE = """(() => { const [t] = app.model.table(app.state), m = app.model, u = m.measure(app.state);
    return m.names.map((name, i) => [m.objectOf(i), name, t.self[i] * u.units[0],
        t.total[i] * u.units[0], m.profile.kind[i]]); })()"""

number = 0
failed = False


def check(what, got, want):
    global number, failed
    number += 1
    if got == want:
        print(f"ok {number} - {what}")
        return
    failed = True
    print(f"not ok {number} - {what}")
    if isinstance(got, dict) and isinstance(want, dict):
        different = [k for k in {**got, **want} if got.get(k) != want.get(k)]
        for k in different[:3]:
            print(f"# {k[:200]}: got {got.get(k)}, want {want.get(k)}")
    else:
        print(f"# got {str(got)[:500]}, want {str(want)[:500]}")


def run(command, *words, folder="wide"):
    kallsyms = "symfs/kallsyms" if folder == "hostile" else "kallsyms"
    files = ["--symfs", "symfs", "--kallsyms", kallsyms]
    return subprocess.run([os.path.join(BIN, command), *files, *words],
                          cwd=os.path.join(WORK, folder), check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


def folded(*words, folder="wide"):
    lines = {}
    for line in run("pfold", *words, "perf.data", folder=folder).splitlines():
        stack, weight = line.rsplit(" ", 1)
        lines[stack] = lines.get(stack, 0) + int(weight)
    return lines


def changed(lines, change):
    """The lines whose list of names is what change makes of it; None: the line is gone."""
    out = collections.Counter()
    for line, weight in lines.items():
        names = change(line.split(";"))
        if names:
            out[";".join(names)] += weight
    return dict(out)


def open_page(b, name, *words, folder="wide", **how):
    path = os.path.join(WORK, name + ".html")
    run("prep", "-q", "--html", path, *words, folder=folder)
    page = b.open(path, ready=READY, **how)
    page.eval("starting.then((a) => { window.app = a; })")
    return page


def quiet(page, what, path):
    check(what + ": no request but the file, nothing in the console",
          (page.requests, page.messages), (["file://" + os.path.join(WORK, path)], []))


def check_sums(page, lines):
    check("flame graph: all stacks are pfold's", page.eval(FOLDED % (0, 0)), lines)
    table = {}
    for row in run("prep", "-q", "--children", "-g", "none", "-s", "dso,sym", "-t", "|",
                   "-F", "overhead_children,overhead,period,dso,sym").splitlines():
        cells = row.strip().split("|")
        if len(cells) == 5 and "0x" not in cells[4]:
            table[cells[3].strip() + " " + cells[4].split()[-1]] = (
                cells[0].strip(), cells[1].strip(), int(cells[2]))
    total = sum(lines.values())
    page_table = {}
    for dso, name, self, all_, kind in page.eval(TABLE):
        if name[0] != "[" and kind != 5:
            page_table[dso.split("/")[-1] + " " + name] = (
                f"{100 * all_ / total:.2f}%", f"{100 * self / total:.2f}%", self)
    check("table: shares and periods are prep's", (len(table) > 9, page_table), (True, table))


def check_steps(page, lines):
    name = max((n for n in {n for line in lines for n in line.split(";")} if n[0] == "g"),
               key=lambda n: sum(w for line, w in lines.items() if n in line.split(";")))
    before = page.eval("JSON.stringify(app.state)")
    count = page.eval("app.steps.states.length")
    changes = {
        "drop": lambda s: None if name in s else s,
        "merge": lambda s: [n for n in s if n != name],
        "focus": lambda s: s[s.index(name):] if name in s else None,
        "recursion": lambda s: [n for i, n in enumerate(s) if not i or s[i - 1] != n],
    }
    for op, change in changes.items():
        page.eval(f"app.go({{ops: [{{op: '{op}', name: app.model.names.indexOf('{name}')}}]}})")
        check(f"{op} {name}", page.eval(FOLDED % (0, 0)), changed(lines, change))
    page.eval("app.go({ops: [], inverted: true})")
    check("inverted: the same stacks from the leaf on", page.eval(FOLDED % (0, 0)),
          changed(lines, lambda s: s[::-1]))
    page.eval(f"app.go({{inverted: false, tab: 'callers', pivot: app.model.names.indexOf('{name}')}})")
    want = sum(w for line, w in lines.items() if name in line.split(";"))
    for half in ("callersView", "calleesView"):
        got = page.eval(f"(() => {{ const v = app.{half}(); return v.sizes[v.zoom] * "
                        "app.model.measure(app.state).units[0]; })()")
        check(f"{half}: recursion counts once", got, want)
    steps = page.eval("app.steps.at")
    for _ in range(steps):
        page.eval("app.move(-1)")
    check("undo of all steps gives the first state", page.eval("JSON.stringify(app.state)"), before)
    check("redo is there", page.eval("app.steps.states.length"), steps + count)


def check_search(page, lines):
    for text, test in (("g1", lambda n: "g1" in n), ("^f[0-3]$", lambda n: n in
                       ("f0", "f1", "f2", "f3")), ("(", lambda n: "(" in n)):
        page.eval(f"app.go({{search: '{text}'}})")
        hit = sum(w for line, w in lines.items() if any(map(test, line.split(";"))))
        share = f"{100 * hit / sum(lines.values()):.2f} %"
        check(f"search {text}: percent without counting twice",
              page.eval("byId('found').textContent").split(",")[0],
              share if hit else "no match")
    page.eval("app.go({search: ''})")


def check_time(page):
    time = page.eval("app.profile.head.time")
    middle = (time["last"] + 1) // 2
    start = time["first"] + middle * 1000
    page.eval(f"app.go({{range: [{middle}, {time['last'] + 1}]}})")
    second = folded("--time", f"{start // 10**9}.{start % 10**9:09},")
    check("range: the second half is pfold --time's", page.eval(FOLDED % (0, 0)), second)
    page.eval(f"app.go({{range: [0, {middle}], range2: [{middle}, {time['last'] + 1}]}})")
    check("two ranges: the second one is after", page.eval(FOLDED % (1, 1)), second)
    lanes = page.eval("app.profile.samples.lanes.length")
    sums = 0
    for i in range(lanes):
        page.eval(f"app.go({{range: null, range2: null, lanes: [{i}]}})")
        sums += page.eval("app.model.weights(app.state)[0].total[0]")
    page.eval("app.go({lanes: null})")
    check("lanes add up", sums, page.eval("app.model.weights(app.state)[0].total[0]"))


def check_keys(page):
    for key in "12345":
        page.key(key)
    check("keys 1 to 5: the last view is shown",
          page.eval("TABS.filter((t) => !byId('view-' + t).hidden).join()"), "about")
    page.key("2")
    cells = page.eval("[...document.querySelectorAll('#table tbody tr')].length")
    page.key("/")
    page.key("g")
    check("search is typed, the table stays", (page.eval("app.state.search"), page.eval(
        "[...document.querySelectorAll('#table tbody tr')].length")), ("g", cells))
    page.key("Escape")
    page.key("1")
    page.eval("byId('flame').focus()")
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        page.key(key)
    check("arrows and Enter zoom", page.eval("app.state.zoom > 0 && "
          "byId('status').textContent.includes('Depth 2')"), True)
    page.key("u")
    check("u takes it back", page.eval("app.state.zoom"), 0)
    page.key("t")
    check("t changes the theme", page.eval("document.documentElement.dataset.theme"), "dark")
    page.drag(300, 90, 600, 90)
    check("a drag in the strip chooses a range", page.eval("app.state.range !== null"), True)
    unnamed = page.eval("""[...document.querySelectorAll("button, input, select, canvas")]
        .filter((e) => !(e.textContent.trim() || e.labels && e.labels.length ||
            e.getAttribute("aria-label"))).map((e) => e.id).join()""")
    check("every field, button and picture has a name", unnamed, "")


def check_events(b):
    page = open_page(b, "events", folder="events")
    page.eval("app.go({lanes: [0]})")
    for event in ("e0", "e1", "e2"):
        at = page.eval(f"app.model.measures.findIndex((m) => m.label === '{event}')")
        page.eval(f"app.chooseMeasure({at})")
        page.eval("app.go({lanes: null})")
        check(f"event {event}: all stacks are pfold's", page.eval(FOLDED % (0, 0)),
              folded("--event", event, folder="events"))
    page.eval("app.go({lanes: [0]})")
    page.eval("app.chooseMeasure(0)")
    check("another event: lanes of the one before do not hide it",
          page.eval("app.model.weights(app.state)[0].total[0] > 0"), True)
    quiet(page, "several events", "events.html")


def check_folded(b):
    lines = {"a;b;c": 12, "a;b": 3, "a;</script>;<img src=x onerror=x()>": 5, "d": 1}
    with open(os.path.join(WORK, "x.folded"), "w", encoding="utf-8") as f:
        f.writelines(f"{stack} {weight}\n" for stack, weight in lines.items())
    path = os.path.join(WORK, "folded.html")
    run("pfold", "--html", path, os.path.join(WORK, "x.folded"))
    page = b.open(path, ready=READY)
    page.eval("starting.then((a) => { window.app = a; })")
    check("folded text: its stacks", page.eval(FOLDED % (0, 0)), lines)
    quiet(page, "folded text", "folded.html")


def check_hostile(b):
    page = open_page(b, "hostile", folder="hostile")
    for key in "2345i1":
        page.key(key)
    quiet(page, "hostile names", "hostile.html")
    check("hostile names: no element more than the page's own",
          page.eval("document.querySelectorAll('script').length + ' ' + "
                    "document.querySelectorAll('img, iframe, object, a').length"), "2 0")
    check("hostile names: no control character is shown", page.eval(
        r"/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test("
        "JSON.parse(byId('head').textContent).title + document.body.textContent)"), False)


def main():
    with browser.Browser() as b:
        page = open_page(b, "wide")
        lines = folded()
        check_sums(page, lines)
        check_steps(page, lines)
        check_search(page, lines)
        check_time(page)
        check_keys(page)
        quiet(page, "all views", "wide.html")
        page = open_page(b, "diff", "--diff", "perf.data", "perf.data", "--comms", "c0,c1")
        check("diff: both sides are the same", page.eval(
            "JSON.stringify(app.model.weights(app.state)[0].total) === "
            "JSON.stringify(app.model.weights(app.state)[1].total)"), True)
        check("about: quality, command line, build-ids", [
            w in page.eval("byId('view-about').textContent") for w in
            ("quality: ", "# ========", "build-id", "perf.data")], [True] * 4)
        page = open_page(b, "none", "--comms", "nobody")
        check("no samples: the page says so",
              page.eval("byId('status').textContent").startswith("No samples"), True)
        for key in "2345":
            page.key(key)
        quiet(page, "no samples", "none.html")
        check_events(b)
        check_folded(b)
        check_hostile(b)
    print(f"1..{number}")
    return 1 if failed else 0


if __name__ == "__main__":
    BIN, WORK = sys.argv[1:]
    sys.exit(main())
