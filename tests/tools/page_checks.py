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
import firefox

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

HEAVY = """(() => { const m = app.model, tree = m.tree(app.state), w = m.weights(app.state);
    const name = m.table(app.state)[0].total.reduce((a, v, i, t) => v > t[a] ? i : a, 0);
    const seeds = outermost(tree, name);
    const heavy = (d) => Array.from(d.weights[0].total, (v, i) =>
        v >= d.weights[0].total[0] / 5000 ? pathOf(d.tree, i) + ":" + v : "").filter(Boolean).join(" ");
    return [invert, callersOf, calleesOf].map((f) => [Infinity, 0].map((much) =>
        heavy(f === invert ? f(tree, w, m.ranks, much) : f(tree, w, seeds, m.ranks, much)))); })()"""

# The lightest branch of two names: below it, of the whole tree and of one that is cut but there; and the heavy rest.
OPENED = """(() => { const m = app.model, tree = m.tree(app.state), w = m.weights(app.state);
    const whole = invert(tree, w, m.ranks, Infinity), { total } = whole.weights[0];
    let best = 0;
    for (let i = 1; i < whole.tree.nr; i++)
        if (whole.tree.depth[i] === 2 && whole.tree.end[i] > i + 3 && !(total[i] >= total[best])) best = i;
    const path = pathOf(whole.tree, best);
    const lines = (d, from, end, least) => { const found = [];
        for (let i = from; i < end; i++) if (d.weights[0].total[i] >= least)
            found.push(pathOf(d.tree, i) + ":" + d.weights[0].total[i]);
        return found.join(" "); };
    return [whole, invert(tree, w, m.ranks, 0), invert(tree, w, m.ranks, 0, path)].map((d) => {
        const top = nodeOfPath(d.tree, path), all = d.weights[0].total;
        return [lines(d, top, d.tree.end[top], all[top] / 5000), lines(d, 0, d.tree.nr, all[0] / 5000)]; }); })()"""

TABS = ("flame", "table", "callers", "time", "chart", "about")
AXE_PLACES = ("/usr/share/nodejs/axe-core/axe.min.js", "/usr/local/lib/node_modules/axe-core/axe.min.js",
              "/usr/lib/node_modules/axe-core/axe.min.js")

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
    names = page.eval(f"app.model.names.filter((n, i) => app.model.profile.object[i] === "
                      f"app.model.profile.object[app.model.names.indexOf('{name}')])")
    page.eval("app.go({ops: [{op: 'object', object: app.model.profile.object["
              f"app.model.names.indexOf('{name}')]}}]}})")
    check("object: calls within it are one frame", page.eval(FOLDED % (0, 0)), changed(
        lines, lambda s: [n for i, n in enumerate(s)
                          if not i or n not in names or s[i - 1] not in names]))
    page.eval("app.go({ops: []}); app.mergeCommands()")
    check("commands merged", page.eval(FOLDED % (0, 0)), changed(lines, lambda s: s[1:]))
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


LABELS = [("main", 9, "main"), ("bool ns::a<int, b<c> >::find(char const*) const", 12, "ns::a::find"),
          ("ns::a<int>::find(char const*) const", 8, "…a::find"), ("do_syscall_64", 8, "do_sy…64"),
          ("(anonymous namespace)::f(int)", 5, "…f"), ("ns::x<y>::operator<(z const&)", 14, "…x::operator<"),
          ("a& operator<<(b::c&, d const&)", 12, "operator<<"), ("x<y>::operator()(int)", 13, "x::operator()"),
          ("a<&b::operator+>::c(int)", 4, "a<…)"), ("std::function", 8, "function"),
          ("<T as Clone>::clone", 9, "::clone"), ("f(((((", 5, "f((…("), ("(sd-pam)", 5, "(sd…)"),
          ("[memfd:jit (deleted)]", 9, "[memfd…)]")]


def check_labels(page):
    check("labels of narrow boxes have what tells functions apart",
          page.eval("%s.map(([name, n]) => labelText(name, n))" % json.dumps(LABELS)),
          [label for _, _, label in LABELS])


def check_sizes(page):
    """A message of several lines makes the flame graph lower; it is not stretched."""
    page.eval("app.go({tab: 'flame'})")
    before = page.eval("app.flame.height")
    page.eval("app.say('long '.repeat(200))")
    page.wait(f"app.flame.height < {before}")
    check("a lower flame graph is drawn again", page.eval("app.flame.canvas.clientHeight === app.flame.height"), True)
    page.eval("app.say('short')")
    page.wait(f"app.flame.height === {before}")


def check_large(page):
    for what, (whole, cut) in zip(("inverted", "callers", "callees"), page.eval(HEAVY)):
        check(what + " of a large tree: branches that can be seen are those of all branches",
              (len(whole) > 100, cut), (True, whole))


    whole, cut, opened = page.eval(OPENED)
    check("inverted, large: a branch that is opened is whole", (len(cut[0]) < len(whole[0]), opened[0]), (True, whole[0]))
    check("inverted, large: the rest is as before", opened[1], whole[1])


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


def check_views_of_range(page, lines):
    """The other views of the stacks in a range, against sums made of their lines."""
    weights = page.eval("app.model.weights(app.state)[0].total.join()")
    self, total = collections.Counter(), collections.Counter()
    for line, weight in lines.items():
        names = line.split(";")
        self[names[-1]] += weight
        for name in set(names):
            total[name] += weight
    got = [{}, {}]
    for _, name, own, all_, kind in page.eval(TABLE):
        for i, value in enumerate((own, all_)):
            if value and kind != 5 and name[0] != "[":
                got[i][name] = got[i].get(name, 0) + value
    check("range: the table's self and total", got,
          [{n: w for n, w in c.items() if n[0] in "fg"} for c in (self, total)])
    name = max((n for n in total if n[0] == "g"), key=total.get)
    page.eval(f"app.go({{tab: 'callers', pivot: app.model.names.indexOf('{name}')}})")
    check("range: callers and callees", page.eval(
        "['callersView', 'calleesView'].map((v) => app[v]()).map((v) => v.sizes[v.zoom] * "
        "app.model.measure(app.state).units[0])"), [total[name]] * 2)
    page.eval("app.go({tab: 'flame', inverted: true})")
    check("range: inverted", page.eval(FOLDED % (0, 0)), changed(lines, lambda s: s[::-1]))
    page.eval(f"app.go({{inverted: false, search: '^{name}$'}})")
    check("range: search", page.eval("byId('found').textContent").split(",")[0],
          f"{100 * total[name] / sum(lines.values()):.2f} %")
    for _ in range(3):
        page.eval("app.move(-1)")
    check("range: undone, each node weighs what it did",
          page.eval("app.model.weights(app.state)[0].total.join()"), weights)


def check_time(page):
    time = page.eval("app.profile.head.time")
    middle = (time["last"] + 1) // 2
    start = time["first"] + middle * 1000
    page.eval(f"app.go({{range: [{middle}, {time['last'] + 1}]}})")
    second = folded("--time", f"{start // 10**9}.{start % 10**9:09},")
    check("range: the second half is pfold --time's", page.eval(FOLDED % (0, 0)), second)
    check_views_of_range(page, second)
    page.eval(f"app.go({{range: [0, {middle}], range2: [{middle}, {time['last'] + 1}]}})")
    check("two ranges: the second one is after", page.eval(FOLDED % (1, 1)), second)
    check("two ranges: the first one is before", page.eval(FOLDED % (0, 0)),
          folded("--time", f",{(start - 1) // 10**9}.{(start - 1) % 10**9:09}"))
    page.eval("app.move(-1)")
    check("two ranges: undone, the weights are those from before", page.eval(FOLDED % (0, 0)), second)
    lanes = page.eval("app.profile.samples.lanes.length")
    sums = 0
    for i in range(lanes):
        page.eval(f"app.go({{range: null, range2: null, lanes: [{i}]}})")
        sums += page.eval("app.model.weights(app.state)[0].total[0]")
    page.eval("app.go({lanes: null})")
    check("lanes add up", sums, page.eval("app.model.weights(app.state)[0].total[0]"))


def check_address(page):
    """The fragment of the page's address has the state; the browser goes back and forth."""
    page.eval("location.hash = ''")
    page.wait("app.addressOf(app.state) === '#'")
    seen = ["#"]
    for patch in ("{tab: 'table', sort: 'name', rising: true, filter: 'g&=1 %'}", "{search: 'f.*[1]'}",
                  "{tab: 'flame', zoom: 3, icicle: true}", "{range: [3, 900], range2: [900, app.timeline.span]}",
                  "{lanes: [0, 2], range2: null, zoom: 0, inverted: true}",
                  "{ops: [{op: 'recursion'}, {op: 'drop', name: 1}, {op: 'object', object: 1}], "
                  "zoom: 0, inverted: false}", "{tab: 'callers', pivot: 2}", "{tab: 'chart', lane: 1}"):
        page.eval(f"app.go({patch})")
        seen.append(page.eval("location.hash"))
    check("address: each step has its own", len(set(seen)), len(seen))
    states = page.eval("app.steps.states.slice(-9)")
    again = page.eval("app.steps.states.slice(-9).map((s) => "
                      "stateOfText(app.addressOf(s).slice(1), app.model, app.first))")
    for got, want in zip(again, states):
        check("address: it stands for the state", got, want)
    for back in (1, 2, 3):
        page.eval("history.back()")
        page.wait(f"location.hash === {json.dumps(seen[-1 - back])}")
    page.wait(f"JSON.stringify(app.state) === {json.dumps(json.dumps(states[-4], separators=(',', ':')))}")
    page.eval("history.forward()")
    page.wait(f"JSON.stringify(app.state) === {json.dumps(json.dumps(states[-3], separators=(',', ':')))}")
    check("address: back and forth are undo and redo",
          page.eval("app.steps.states.length - app.steps.at"), 3)
    bad = ["view=x&event=99&zoom=1e9&function=-1&time=5,2&threads=0,0&steps=drop,999999.merge",
           "steps=constructor,1&sort=<b>&zoom=0x1&time=1&time2=1,2", "%zz&&=&steps=,,,.&view=__proto__"]
    for text in bad:
        check("address: nonsense is the first state", page.eval(
            f"stateText(stateOfText({json.dumps(text)}, app.model, app.first), app.first)"), "")
    page.eval("app.go(app.first)")


def check_chart(page):
    """The stack chart's boxes, merged again by lists of samples that this program walks."""
    page.eval("app.go({tab: 'chart', lane: 1, range: null, ops: []})")
    boxes, samples = page.eval("""(() => { const v = app.chartView(), p = app.profile, out = [];
        const lane = p.samples.lanes[v.lane], all = [];
        walkChart(v.tree, p.samples, lane, [0, p.head.time.last + 1],
            (node, depth, from, to) => out.push([node, depth, from, to]));
        for (let k = lane.first; k < lane.end; k++)
            all.push([p.samples.time[k], pathNodes(p.samples.node[k])]);
        function pathNodes(n) { const a = []; for (; n; n = p.tree.parent[n]) a.push(n);
            return a.reverse(); }
        return [out, all]; })()""")
    samples = [s for i, s in enumerate(samples) if i + 1 == len(samples) or samples[i + 1][0] > s[0]]
    wrong = [time for time, path in samples
             if [b[0] for b in sorted((b for b in boxes if b[2] <= time < b[3]), key=lambda b: b[1])]
             != path]
    check("stack chart: at the time of each sample its stack", (len(samples) > 99, wrong), (True, []))
    box = page.eval("""(() => { const b = app.chart.boxes.filter((b) => b.time)
        .sort((a, b) => b.w - a.w)[0], r = byId('chart').getBoundingClientRect();
        return [r.left + b.x + b.w / 2, r.top + app.chart.top(b.depth) + 5, b.time]; })()""")
    page.click(box[0], box[1])
    check("stack chart: a click chooses the box's time",
          [abs(a - b) <= 1 for a, b in zip(page.eval("app.state.range"), box[2])], [True, True])
    overlaps = page.eval("""(() => { const v = app.chartView(), p = app.profile;
        app.go({range: null});
        app.chart.width = 40;
        app.chart.layOut(app.chartView());
        const rows = new Map(), wrong = [];
        for (const b of app.chart.boxes) {
            const end = rows.get(b.depth) || 0;
            if (b.x < end - 0.11 || b.x + b.w > 40.11)
                wrong.push([b.depth, b.x, b.w, end]);
            rows.set(b.depth, b.x + b.w);
        }
        return [app.chart.boxes.filter((b) => b.node < 0).length > 9, wrong]; })()""")
    check("stack chart: what is left out covers nothing else", overlaps, [True, []])
    page.eval("app.chart.on.range([100, 1100]); app.chart.magnify(0.5)")
    check("stack chart: a click on what is left out chooses a tenth of the time around it",
          page.eval("app.state.range"), [550, 650])
    page.eval("app.chart.magnify(1)")
    check("stack chart: at the end, the last tenth", page.eval("app.state.range"), [640, 650])
    page.eval("app.go({tab: 'flame', lane: -1, range: null})")


def drag(page, from_x, to_x, **how):
    y = page.eval("(() => { const r = byId('strip').getBoundingClientRect(); "
                  "return r.top + r.height / 2; })()")
    page.drag(from_x, y, to_x, y, **how)


def check_keys(page):
    for key in "123456":
        page.key(key)
    check("keys 1 to 6: the last view is shown",
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
    drag(page, 300, 600)
    check("a drag in the strip chooses a range", page.eval("app.state.range !== null"), True)
    drag(page, 700, 900, shift=True)
    check("a drag with Shift chooses a second one", page.eval(
        "[app.state.range2 !== null && app.state.range[1] <= app.state.range2[0], "
        "app.model.isDiff(app.state), byId('steps').textContent.includes('after: ')]"), [True] * 3)
    for key in ("Escape", "+", "+", "[", "r"):
        page.key(key)
    one, two = page.eval("[app.state.range, app.state.range2]")
    check("r compares with a range of the same length", (two[1] - two[0], two[0] >= one[1]),
          (one[1] - one[0], True))
    page.key("]")
    check("the second one is what the keys move then", page.eval(
        f"[String(app.state.range) === '{one[0]},{one[1]}', app.state.range2[0] > {two[0]}]"), [True] * 2)
    page.key("Escape")
    check("Esc clears both", page.eval("[app.state.range, app.state.range2]"), [None, None])
    page.key("4")
    page.eval("document.querySelectorAll('#lane-names button')[2].click()")
    check("a button shows one thread only", page.eval(
        "[app.state.lanes.length, app.state.lanes[0] === app.timeline.shown[2]]"), [1, True])
    page.key("u")
    page.key("1")
    drag(page, 300, 600)
    unnamed = page.eval("""[...document.querySelectorAll("button, input, select, canvas")]
        .filter((e) => !(e.textContent.trim() || e.labels && e.labels.length ||
            e.getAttribute("aria-label"))).map((e) => e.id).join()""")
    check("every field, button and picture has a name", unnamed, "")


def check_axe(page, name):
    """What axe-core says of all views, where it is there: no serious finding."""
    global number
    if not AXE:
        number += 1
        print(f"ok {number} - axe-core, {name} # SKIP no axe-core: AXE_CORE=FILE names axe.min.js")
        return
    with open(AXE, encoding="utf-8") as f:
        page.eval(f.read() + "; 1")
    found = set()
    for width, tab in [(1200, t) for t in TABS] + [(400, t) for t in TABS]:
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1,
                  mobile=False)
        page.eval(f"app.go({{tab: '{tab}', search: 'f', ops: [{{op: 'recursion'}}]}}); "
                  "app.flame.select(app.model.tree(app.state).nr > 9 ? 9 : 0); "
                  "app.say('a long name of a function '.repeat(40))")
        found.update(page.eval("axe.run(document, {resultTypes: ['violations']}).then((r) => "
                               "r.violations.filter((v) => v.impact !== 'minor').map((v) => "
                               "v.impact + ' ' + v.id + ': ' + v.nodes[0].html))"))
    check(f"axe-core finds nothing serious, {name}", sorted(found), [])


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
    for key in "23456i1":
        page.key(key)
    quiet(page, "hostile names", "hostile.html")
    check("hostile names: no element more than the page's own",
          page.eval("document.querySelectorAll('script').length + ' ' + "
                    "document.querySelectorAll('img, iframe, object, a').length"), "2 0")
    check("hostile names: no control character is shown", page.eval(
        r"/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test("
        "JSON.parse(byId('head').textContent).title + document.body.textContent)"), False)


def check_firefox(lines):
    """The same pages in Firefox; mouse and keys are left to Chromium."""
    with firefox.Firefox() as b:
        for name in ("wide.html", "hostile.html"):
            page = b.open(os.path.join(WORK, name))
            page.wait("document.documentElement.dataset.ready === '1'")
            quiet(page, "Firefox, " + name, name)
        # Its policy lets no test call eval() in the page; these checks take a page without it.
        path = os.path.join(WORK, "open.html")
        with open(os.path.join(WORK, "wide.html"), encoding="utf-8") as f:
            text = "".join(line for line in f if "Content-Security-Policy" not in line)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        page = b.open(path)
        page.eval("starting.then((a) => { window.app = a; return 1; })")
        check_sums(page, lines)
        check_steps(page, lines)
        check_search(page, lines)
        check_time(page)
        for tab in ("table", "callers", "time", "chart", "about", "flame"):
            page.eval(f"app.go({{tab: '{tab}'}}) || 1")
        quiet(page, "Firefox, all views", "open.html")
        check("Firefox: errors would be seen", page.eval(
            "new Promise((done) => { setTimeout(() => { setTimeout(done, 50, 1); x(); }); })") and
            [m for m in page.messages if "x is not defined" in m] != [], True)


def main():
    with browser.Browser() as b:
        page = open_page(b, "wide")
        lines = folded()
        check_sums(page, lines)
        check_steps(page, lines)
        check_sizes(page)
        check_large(page)
        check_labels(page)
        check_search(page, lines)
        check_time(page)
        check_address(page)
        check_chart(page)
        check_keys(page)
        quiet(page, "all views", "wide.html")
        check_axe(open_page(b, "wide"), "light")
        check_axe(open_page(b, "wide", dark=True), "dark")
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
    if firefox.find():
        check_firefox(lines)
    else:
        global number
        number += 1
        print(f"ok {number} - the page in Firefox # SKIP no firefox-esr")
    print(f"1..{number}")
    return 1 if failed else 0


if __name__ == "__main__":
    BIN, WORK = sys.argv[1:]
    AXE = next(filter(os.path.exists, (os.environ.get("AXE_CORE", ""), *AXE_PLACES)), None)
    sys.exit(main())
