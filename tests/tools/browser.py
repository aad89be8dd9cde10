# SPDX-License-Identifier: MIT
"""A headless Chromium for tests, by its debugging pipe: no driver, no network, no package.

    with Browser() as browser:
        page = browser.open("/tmp/x.html")
        page.eval("document.title")

Messages are JSON that ends with a NUL, on descriptors 3 and 4 of the browser.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")


def find():
    """The path of a browser; None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    def __init__(self, timeout=30):
        self.timeout = timeout
        self.folder = tempfile.mkdtemp(prefix="browser-")
        to_browser, self.to = os.pipe()
        self.come, from_browser = os.pipe()
        command = [find(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update",
                   "--disable-extensions", "--disable-sync", "--mute-audio", "--disable-breakpad",
                   "--disable-dev-shm-usage", "--user-data-dir=" + self.folder,
                   "--remote-debugging-pipe", "about:blank"]

        def set_pipes():
            low, high = os.dup(to_browser), os.dup(from_browser)
            low, high = (os.dup2(low, 60), os.dup2(high, 61))
            os.dup2(low, 3)
            os.dup2(high, 4)

        self.process = subprocess.Popen(command, preexec_fn=set_pipes, pass_fds=(3, 4),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number = 0
        self.buffer = b""
        self.listeners = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (OSError, RuntimeError):
            self.process.kill()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.come)
        shutil.rmtree(self.folder, ignore_errors=True)

    def message(self, until):
        while b"\0" not in self.buffer:
            if not select.select([self.come], [], [], max(0, until - time.monotonic()))[0]:
                raise RuntimeError("the browser does not answer")
            piece = os.read(self.come, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, session=None, **params):
        self.number += 1
        number = self.number
        request = {"id": number, "method": method, "params": params}
        if session:
            request["sessionId"] = session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        until = time.monotonic() + self.timeout
        while True:
            answer = self.message(until)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]
            if answer.get("sessionId") in self.listeners:
                self.listeners[answer["sessionId"]](answer)

    def open(self, path, width=1200, height=800, dark=False, script=True, ready=None):
        """A page of a file, once `ready`, an expression, is true in it."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        page.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        if not script:
            page.call("Emulation.setScriptExecutionDisabled", value=True)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.call(domain + ".enable")
        page.call("Page.navigate", url="file://" + os.path.abspath(path))
        if ready and script:
            page.wait(ready)
        return page


class Page:
    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        self.requests, self.messages = [], []
        browser.listeners[session] = self.hear

    def hear(self, event):
        params = event.get("params", {})
        if event["method"] == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif event["method"] == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif event["method"] == "Runtime.consoleAPICalled":
            self.messages.append(str(params["args"]))
        elif event["method"] == "Log.entryAdded":
            self.messages.append(params["entry"]["text"])

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def eval(self, expression):
        """The value of an expression; of a promise, what it becomes."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait(self, expression):
        until = time.monotonic() + self.browser.timeout
        while not self.eval(expression):
            if time.monotonic() > until:
                raise RuntimeError("never true: " + expression + "; " + str(self.messages))
            time.sleep(0.01)

    def key(self, key, shift=False):
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, modifiers=8 if shift else 0,
                      **({"text": text} if text and kind == "keyDown" else {}))

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                      clickCount=1)

    def drag(self, x, y, to_x, to_y, shift=False):
        modifiers = 8 if shift else 0
        for kind, at in (("mousePressed", (x, y)), ("mouseMoved", (to_x, to_y)),
                         ("mouseReleased", (to_x, to_y))):
            self.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left",
                      buttons=1, clickCount=1, modifiers=modifiers)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))
