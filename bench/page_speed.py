# SPDX-License-Identifier: MIT
"""page_speed.py FILE...: how long pages take in a headless Chromium; for bench/page_speed.sh."""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tests/tools"))
import browser  # noqa: E402

READY = "document.documentElement && document.documentElement.dataset.ready === '1'"
TIMED = """(() => { const t = performance.now(); %s; return performance.now() - t; })()"""
STEPS = [
    ("search", "app.go({search: 'f.*1'})"),
    ("zoom", "app.go({search: '', zoom: app.model.tree(app.state).end[2] > 3 ? 2 : 1})"),
    ("table", "app.go({tab: 'table', zoom: 0})"),
    ("callers and callees", "app.go({tab: 'callers'})"),
    ("inverted", "app.go({tab: 'flame', inverted: true})"),
    ("zoom of the inverted tree", "app.go({zoom: 1})"),
]


def cpu_ms(page):
    """What the page's main thread has run: other programs do not change it."""
    metrics = page.call("Performance.getMetrics")["metrics"]
    return 1000 * next(m["value"] for m in metrics if m["name"] == "TaskDuration")


RANGE = ("half of the time", "app.go({inverted: false, range: [0, app.timeline.span >> 1]})")

with browser.Browser(timeout=120) as b:
    b.open("/dev/null")
    for path in sys.argv[1:]:
        page = b.open(path, ready=READY)
        page.call("Performance.enable", timeDomain="threadTicks")
        page.eval("starting.then((a) => { window.app = a; })")
        paint = page.eval("(performance.getEntriesByName('first-contentful-paint')[0] || "
                          "{startTime: -1}).startTime")
        ready = page.eval("performance.getEntriesByName('ready')[0].startTime")
        print(f"{os.path.basename(path)}: {os.path.getsize(path) / 1e6:.2f} MB, first paint "
              f"{paint:.0f} ms, interactive {ready:.0f} ms")
        steps = STEPS + ([RANGE] if page.eval("!!app.timeline") else [])
        for name, step in steps:
            before = cpu_ms(page)
            wall = page.eval(TIMED % step)
            print(f"  {name}: {wall:.0f} ms, {cpu_ms(page) - before:.0f} ms of CPU")
