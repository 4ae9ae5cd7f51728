"""A headless Chromium, driven over its pipe of the DevTools protocol: loads pages, measures and photographs them."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile

PATIENCE = 60  # seconds
PROGRAM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)


class Chromium:
    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()

        def ends():  # the browser reads commands from 3 and writes answers to 4
            copies = os.dup(to_browser), os.dup(from_browser)
            os.dup2(copies[0], 3)
            os.dup2(copies[1], 4)

        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--hide-scrollbars", f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=ends)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.events = []
        self.count = 0
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

    def receive(self):
        while b"\0" not in self.buffer:
            if not select.select([self.reader], [], [], PATIENCE)[0]:
                raise RuntimeError(f"the browser has not answered for {PATIENCE} s")
            part = os.read(self.reader, 1 << 16)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def load(self, path, width=1000, height=800, is_dark=False, medium="screen"):
        """Opens a file; returns what was asked of the network, and all errors of the page."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 640)
        scheme = "dark" if is_dark else "light"
        self.call("Emulation.setEmulatedMedia", media=medium, features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events = []
        self.call("Page.navigate", url=path.resolve().as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())
        requests = [event["params"]["request"]["url"] for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        errors = [json.dumps(event["params"]) for event in self.events
                  if event.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")
                  or event.get("method") == "Runtime.consoleAPICalled" and event["params"]["type"] == "error"]
        return requests, errors

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def press(self, key):
        for kind in ("rawKeyDown", "keyUp"):
            code = {"Tab": 9, "ArrowRight": 39, "End": 35, "Enter": 13}[key]
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def photograph(self, path, width, height=None):
        """The whole page, or its first part."""
        height = height or self.evaluate("document.documentElement.scrollHeight")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        picture = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(picture["data"]))
