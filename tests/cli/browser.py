# SPDX-License-Identifier: MIT
"""Headless Chromium without network, driven by chromedriver: for tests of pages. missing() says what a test should skip for (exit code 77)."""
import base64
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
import zlib

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic",
         "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--proxy-server=127.0.0.1:9", "--allow-file-access-from-files"]


def missing():
    """What is not here of what a page is tested with, or None."""
    return next((name + " is not here" for name in ("chromium", "chromedriver") if not shutil.which(name)), None)


class Browser:
    """A session of chromedriver, by its HTTP interface."""

    def __init__(self, size="1280,860", flags=()):
        """size: width,height of the window; flags: further ones of Chromium."""
        self.profile = tempfile.mkdtemp()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{self.port}"
        for _ in range(100):
            try:
                self.call("GET", "/status")
                break
            except OSError:
                time.sleep(0.1)
        options = {"args": FLAGS + [*flags, f"--window-size={size}", f"--user-data-dir={self.profile}"], "binary": shutil.which("chromium")}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += "/session/" + answer["sessionId"]
        self.call("POST", "/timeouts", {"script": 120000})

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.base + path, method=method, data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=150) as answer:
            return json.load(answer)["value"]

    def open(self, address):
        self.call("POST", "/url", {"url": address})

    def script(self, text, *words):
        return self.call("POST", "/execute/sync", {"script": text, "args": list(words)})

    def wait_for(self, text, *words):
        """What a promise comes to: the script is the body of an async function."""
        return self.call("POST", "/execute/async", {"args": list(words), "script": "const done = arguments[arguments.length - 1];"
                         "(async function () {" + text + "}).apply(null, arguments).then(done, (error) => done('' + (error.stack || error)))"})

    def wait(self, condition, seconds=60):
        for _ in range(int(10 * seconds)):
            if self.script("return !!(" + condition + ")"):
                return True
            time.sleep(0.1)
        return False

    def console(self):
        said = [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]
        return [text for text in said if "GPU stall" not in text and "swiftshader" not in text.lower()]

    def picture(self, path):
        data = base64.b64decode(self.call("GET", "/screenshot"))
        pathlib.Path(path).write_bytes(data)
        return data

    def end(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            shutil.rmtree(self.profile, ignore_errors=True)


def pixels(png):
    """Rows of a PNG with 8 bits of RGB or RGBA (what a browser makes), as bytes, and its width and bytes a pixel."""
    at, data, width, height, wide = 8, b"", 0, 0, 3
    while at < len(png):
        size, kind = int.from_bytes(png[at:at + 4], "big"), png[at + 4:at + 8]
        body = png[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, wide = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big"), {2: 3, 6: 4}[body[9]]
        data += body if kind == b"IDAT" else b""
        at += 12 + size
    raw, rows, before = zlib.decompress(data), [], bytearray(width * wide)
    for y in range(height):
        start = y * (width * wide + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + width * wide])
        for i in range(len(row)):
            left, up, corner = (row[i - wide] if i >= wide else 0), before[i], (before[i - wide] if i >= wide else 0)
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + up) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
                row[i] = (row[i] + near[2]) & 255
        rows.append(bytes(row))
        before = row
    return rows, width, wide


def emulate(browser, size, dark=False, mobile=False):
    """A window of that size, light or dark."""
    def send(command, parameters):
        browser.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    send("Emulation.setDeviceMetricsOverride", {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": mobile})
    send("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
