# SPDX-License-Identifier: MIT
"""
svg_zoom.py FILE.svg...: what zooms into boxes of pictures cost in a headless Chromium and in Firefox, from the click to
the painted picture: milliseconds in which the page's main thread ran, and milliseconds that passed. Boxes are taken at
equal steps through the picture; each is zoomed into, and out of again. BROWSERS="chromium firefox" names those to use;
with EACH=1, the figures of each zoom come first.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tests/tools"))
import browser  # noqa: E402
import firefox  # noqa: E402

READY = "!!document.getElementById('search') && document.readyState === 'complete'"
BOXES = "document.querySelectorAll('#boxes rect')"
ZOOM = """new Promise((done) => {
    const box = """ + BOXES + """[%d];
    const began = performance.now();
    box.dispatchEvent(new MouseEvent('click', {bubbles: true}));
    const script = performance.now() - began;
    requestAnimationFrame(() => { const m = new MessageChannel();
        m.port1.onmessage = () => done([script, performance.now() - began]);
        m.port2.postMessage(0); }); })"""
STEPS = 20


def in_chromium(b, path):
    """A page of a picture, and what its main thread has run, in ms."""
    page = b.open(path, ready=READY)
    page.call("Performance.enable", timeDomain="threadTicks")
    return page, lambda: 1000 * next(m["value"] for m in page.call("Performance.getMetrics")["metrics"]
                                     if m["name"] == "TaskDuration")


def children(pid):
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as f:
            for child in map(int, f.read().split()):
                yield child
                yield from children(child)


def main_thread_ns(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/schedstat", encoding="ascii") as f:
            return int(f.read().split()[0])
    except OSError:
        return 0


def in_firefox(b, path):
    """The same; the main threads of all processes that show pages."""
    page = b.open(path)
    page.wait(READY)
    pids = [pid for pid in children(b.process.pid)
            if b"-contentproc" in open(f"/proc/{pid}/cmdline", "rb").read()]
    return page, lambda: sum(map(main_thread_ns, pids)) / 1e6


def measure(name, path, page, cpu_ms):
    boxes = page.eval(BOXES + ".length")
    costs = []
    for k in range(STEPS):
        for at in (boxes * k // STEPS, 0):
            before = cpu_ms()
            script, wall = page.eval(ZOOM % at)
            costs.append((cpu_ms() - before, script, wall, at))
    if os.environ.get("EACH"):
        print(" ".join(f"{c[0]:.0f}/{c[1]:.0f}/{c[2]:.0f}" for c in costs))
    costs.sort()
    print(f"{name} {os.path.basename(path)}: {boxes} boxes; CPU median {costs[len(costs) // 2][0]:.1f} ms, most "
          f"{costs[-1][0]:.1f} (box {costs[-1][3]}); script at most {max(c[1] for c in costs):.1f}; "
          f"passed: median {sorted(c[2] for c in costs)[len(costs) // 2]:.1f}, most {max(c[2] for c in costs):.1f}")


for name, kind, opened in (("chromium", browser.Browser, in_chromium), ("firefox", firefox.Firefox, in_firefox)):
    if name in os.environ.get("BROWSERS", "chromium firefox").split():
        with kind(timeout=60) as b:
            for path in sys.argv[1:]:
                measure(name, path, *opened(b, path))
