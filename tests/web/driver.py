# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium through chromedriver's HTTP interface (WebDriver), by the standard library alone.

    with Browser(width=1280, height=800) as b:
        b.open("file:///tmp/page.html")
        b.wait("return document.readyState === 'complete'")
        print(b.run("return document.title"))
        b.keys("Tab", "Enter")
        b.screenshot("page.png")
        assert not b.complaints()
"""
import base64
import json
import shutil
import subprocess
import tempfile
import time
import urllib.request

KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Space": " ", "Left": "\ue012", "Up": "\ue013",
        "Right": "\ue014", "Down": "\ue015", "Home": "\ue011", "End": "\ue010", "Shift": "\ue008",
        "Backspace": "\ue003", "Control": "\ue009"}


def programs():
    """Paths of chromium and chromedriver; None where one is missing."""
    return shutil.which("chromium"), shutil.which("chromedriver")


class Browser:
    """A window. `options` are further switches, such as "--disable-3d-apis"; `dark` asks pages for dark colours."""

    def __init__(self, width=1280, height=800, options=(), dark=False, still=False):
        self.size, self.options, self.dark, self.still = (width, height), list(options), dark, still

    def __enter__(self):
        chromium, driver = programs()
        self.profile = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = None
        for line in self.process.stdout:
            if "started successfully on port" in line:
                self.port = int(line.rstrip(".\n").rsplit(" ", 1)[1])
                break
        switches = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio",
                    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                    "--force-color-profile=srgb", f"--user-data-dir={self.profile.name}",
                    f"--window-size={self.size[0]},{self.size[1]}"]
        wish = {"binary": chromium, "args": switches + self.options}
        answer = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": wish, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = "/session/" + answer["sessionId"]
        self.resize(*self.size)
        features = [{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}]
        if self.still:
            features.append({"name": "prefers-reduced-motion", "value": "reduce"})
        self.devtools("Emulation.setEmulatedMedia", {"features": features})
        return self

    def __exit__(self, *_):
        try:
            self._ask("DELETE", self.session)
        except OSError:
            pass
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        try:
            self.profile.cleanup()
        except OSError:
            pass  # Chromium may still write

    def _ask(self, how, path, data=None):
        body = None if how != "POST" else json.dumps(data or {}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=body, method=how,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            raise RuntimeError(json.load(e)["value"]["message"].split("\n")[0]) from None

    def devtools(self, command, parameters=None):
        """A command of Chromium's DevTools."""
        return self._ask("POST", self.session + "/goog/cdp/execute", {"cmd": command, "params": parameters or {}})

    def resize(self, width, height):
        """The page's own width and height, as on a telephone if it is narrow."""
        self.devtools("Emulation.setDeviceMetricsOverride",
                      {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    def open(self, address):
        self._ask("POST", self.session + "/url", {"url": address})

    def run(self, script, *arguments):
        """The value of a script, a function's body."""
        return self._ask("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments, seconds=30):
        """The first value of a script that is true."""
        until = time.monotonic() + seconds
        while True:
            value = self.run(script, *arguments)
            if value:
                return value
            if time.monotonic() > until:
                raise RuntimeError("did not come about: " + script)
            time.sleep(0.05)

    def keys(self, *names):
        """Presses keys one after the other: characters, or names such as "Tab"; "Shift+Tab" holds one."""
        actions = []
        for name in names:
            held, _, last = name.rpartition("+") if len(name) > 1 else ("", "", name)
            if held:
                actions.append({"type": "keyDown", "value": KEYS[held]})
            for kind in ("keyDown", "keyUp"):
                actions.append({"type": kind, "value": KEYS.get(last, last)})
            if held:
                actions.append({"type": "keyUp", "value": KEYS[held]})
        self._ask("POST", self.session + "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def click(self, selector):
        """Clicks the middle of an element."""
        at = self._ask("POST", self.session + "/element", {"using": "css selector", "value": selector})
        self._ask("POST", self.session + "/element/" + next(iter(at.values())) + "/click")

    def screenshot(self, path, whole=False):
        """The window, or the whole page, as PNG."""
        if whole:
            text = self.devtools("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True})["data"]
        else:
            text = self._ask("GET", self.session + "/screenshot")
        with open(path, "wb") as f:
            f.write(base64.b64decode(text))

    def log(self):
        """Levels and messages on the console since the last call."""
        return [(e["level"], e["message"]) for e in self._ask("POST", self.session + "/se/log", {"type": "browser"})]

    def complaints(self):
        """Errors and warnings among them."""
        return [message for level, message in self.log() if level in ("SEVERE", "WARNING")]
