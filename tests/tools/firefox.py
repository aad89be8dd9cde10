# SPDX-License-Identifier: MIT
"""A headless Firefox for tests, by its own remote protocol (Marionette): no driver, no network.

    with Firefox() as firefox:
        page = firefox.open("/tmp/x.html")
        page.eval("document.title")

A message is a length, a colon and JSON, on a socket of this machine. One page is open at a time.
"""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

PREFS = {
    "marionette.port": 0, "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.enabled": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,", "browser.startup.page": 0, "extensions.update.enabled": False,
    "browser.safebrowsing.malware.enabled": False, "browser.safebrowsing.phishing.enabled": False,
    # what no test uses, and what costs a third of the time of the start
    "dom.ipc.processPrelaunch.enabled": False, "dom.ipc.processCount": 1, "fission.autostart": False,
    "browser.startup.homepage": "about:blank", "browser.newtabpage.enabled": False,
    "browser.newtab.preload": False, "places.history.enabled": False, "extensions.enabledScopes": 0,
    "media.rdd-process.enabled": False, "media.utility-process.enabled": False,
    "network.process.enabled": False, "browser.region.update.enabled": False,
    "extensions.systemAddon.update.enabled": False, "media.gmp-manager.updateEnabled": False,
}
# Requests of the page itself, and what its console has, are known to the browser's own windows only.
LISTEN = """if (!this.requestsSeen) { const seen = this.requestsSeen = [];
    Services.obs.addObserver((s) => { const c = s.QueryInterface(Ci.nsIChannel);
        const from = c.loadInfo.loadingPrincipal;
        if (from && from.schemeIs("file")) seen.push(c.URI.spec); }, "http-on-opening-request"); }
    this.requestsSeen.length = 0; Services.console.reset();"""
HEARD = """return [this.requestsSeen, Services.console.getMessageArray()
    .filter((m) => m instanceof Ci.nsIScriptError && (m.sourceName || "").startsWith("file:"))
    .map((m) => m.errorMessage)];"""


def find():
    """The path of Firefox; None where there is none."""
    return next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)


class Firefox:
    def __init__(self, timeout=60):
        self.timeout = timeout
        self.folder = tempfile.mkdtemp(prefix="firefox-")
        with open(os.path.join(self.folder, "user.js"), "w", encoding="ascii") as f:
            for name, value in PREFS.items():
                f.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        self.process = subprocess.Popen(
            [find(), "--headless", "--marionette", "--remote-allow-system-access", "--no-remote",
             "--profile", self.folder, "about:blank"],
            env={**os.environ, "HOME": self.folder, "MOZ_DISABLE_AUTO_SAFE_MODE": "1",
                 "MOZ_CRASHREPORTER_DISABLE": "1"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket, self.buffer, self.number = None, b"", 0
        try:
            self.connect()
        except BaseException:
            self.end()
            raise

    def connect(self):
        path = os.path.join(self.folder, "MarionetteActivePort")
        until = time.monotonic() + self.timeout
        while not (os.path.exists(path) and open(path, encoding="ascii").read()):
            if time.monotonic() > until or self.process.poll() is not None:
                raise RuntimeError("Firefox does not start")
            time.sleep(0.05)
        port = int(open(path, encoding="ascii").read())
        self.socket = socket.create_connection(("127.0.0.1", port), self.timeout)
        self.message()
        self.call("WebDriver:NewSession", capabilities={"alwaysMatch": {"timeouts": {
            "script": 1000 * self.timeout, "pageLoad": 1000 * self.timeout}}})

    def end(self):
        if self.socket:
            self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def more(self):
        piece = self.socket.recv(1 << 16)
        if not piece:
            raise RuntimeError("Firefox has ended")
        self.buffer += piece

    def message(self):
        while b":" not in self.buffer:
            self.more()
        length, self.buffer = self.buffer.split(b":", 1)
        while len(self.buffer) < int(length):
            self.more()
        text, self.buffer = self.buffer[:int(length)], self.buffer[int(length):]
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        text = json.dumps([0, self.number, method, params]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, number, error, result = self.message()
        if error or number != self.number:
            raise RuntimeError(f"{method}: {error}")
        return result.get("value") if isinstance(result, dict) else result

    def own(self, script):
        """Runs a script in the browser itself."""
        self.call("Marionette:SetContext", value="chrome")
        try:
            return self.call("WebDriver:ExecuteScript", script=script, args=[], newSandbox=False,
                             sandbox="system")
        finally:
            self.call("Marionette:SetContext", value="content")

    def open(self, path):
        """The page of a file."""
        self.own(LISTEN)
        url = "file://" + os.path.abspath(path)
        self.call("WebDriver:Navigate", url=url)
        return Page(self, url)


class Page:
    def __init__(self, browser, url):
        self.browser, self.url = browser, url

    def eval(self, expression):
        """The value of an expression in a page whose policy allows it; of a promise, what it becomes."""
        script = """const done = arguments[arguments.length - 1], [text] = arguments;
            Promise.resolve().then(() => window.eval(text)).then((v) => done({ v: v === undefined ? null : v }),
                (e) => done({ e: String(e) }));"""
        answer = self.browser.call("WebDriver:ExecuteAsyncScript", script=script, args=[expression],
                                   newSandbox=False, sandbox=None)
        if "e" in answer:
            raise RuntimeError(answer["e"])
        return answer["v"]

    def run(self, script):
        """What a script returns that knows the document, but not the page's own script."""
        return self.browser.call("WebDriver:ExecuteScript", script=script, args=[])

    def wait(self, expression):
        until = time.monotonic() + self.browser.timeout
        while not self.run("return " + expression):
            if time.monotonic() > until:
                raise RuntimeError("never true: " + expression)
            time.sleep(0.02)

    def picture(self, path):
        data = self.browser.call("WebDriver:TakeScreenshot", full=False, hash=False)
        with open(path, "wb") as f:
            f.write(base64.b64decode(data))

    @property
    def requests(self):
        return [self.url] + self.browser.own(HEARD)[0]

    @property
    def messages(self):
        return self.browser.own(HEARD)[1]
