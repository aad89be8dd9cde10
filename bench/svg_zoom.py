# SPDX-License-Identifier: MIT
"""
svg_zoom.py FILE.svg...: what zooms into boxes of pictures cost in a headless Chromium, from the click to the painted
picture: milliseconds in which the page's main thread ran, and milliseconds that passed. Boxes are taken at equal steps
through the picture; each is zoomed into, and out of again.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tests/tools"))
import browser  # noqa: E402

READY = "!!document.getElementById('search') && document.readyState === 'complete'"
ZOOM = """new Promise((done) => {
    const began = performance.now();
    const box = document.querySelectorAll('#boxes rect')[%d];
    box.dispatchEvent(new MouseEvent('click', {bubbles: true}));
    const script = performance.now() - began;
    requestAnimationFrame(() => { const m = new MessageChannel();
        m.port1.onmessage = () => done([script, performance.now() - began]);
        m.port2.postMessage(0); }); })"""
STEPS = 20


def cpu_ms(page):
    metrics = page.call("Performance.getMetrics")["metrics"]
    return 1000 * next(m["value"] for m in metrics if m["name"] == "TaskDuration")


with browser.Browser(timeout=60) as b:
    b.open("/dev/null")
    for path in sys.argv[1:]:
        page = b.open(path, ready=READY)
        page.call("Performance.enable", timeDomain="threadTicks")
        boxes = page.eval("document.querySelectorAll('#boxes rect').length")
        costs = []
        for k in range(STEPS):
            for at in (boxes * k // STEPS, 0):
                before = cpu_ms(page)
                script, wall = page.eval(ZOOM % at)
                costs.append((cpu_ms(page) - before, script, wall, at))
        if os.environ.get("EACH"):
            print(" ".join(f"{c[0]:.0f}/{c[1]:.0f}/{c[2]:.0f}" for c in costs))
        costs.sort()
        print(f"{os.path.basename(path)}: {boxes} boxes; CPU median {costs[len(costs) // 2][0]:.1f} ms, most "
              f"{costs[-1][0]:.1f} (box {costs[-1][3]}); script at most {max(c[1] for c in costs):.1f}; "
              f"passed: median {sorted(c[2] for c in costs)[len(costs) // 2]:.1f}, most {max(c[2] for c in costs):.1f}")
