"""Headless Chromium over its debugging pipe, with Python's standard library alone."""
import json
import os
import subprocess
import time


class Browser:
    def __init__(self, program, profile):
        to_browser, from_browser = os.pipe(), os.pipe()

        def connect():  # Chromium reads from descriptor 3 and writes to 4
            ends = os.dup(to_browser[0]), os.dup(from_browser[1])
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
                 "--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "--window-size=1200,4000",
                 f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen([program, *flags], preexec_fn=connect, pass_fds=(3, 4),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.output, self.input = os.fdopen(to_browser[1], "wb", 0), os.fdopen(from_browser[0], "rb", 0)
        os.close(to_browser[0])
        os.close(from_browser[1])
        self.count, self.buffer, self.requests, self.session = 0, b"", [], None
        target = next(t["targetId"] for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Network.enable")
        self.call("Page.enable")

    def message(self):
        while b"\0" not in self.buffer:
            part = self.input.read(65536)
            if not part:
                raise RuntimeError("the browser ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.count += 1
        request = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        self.output.write(json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("method") == "Network.requestWillBeSent":
                self.requests.append(answer["params"]["request"]["url"])
            if answer.get("id") == self.count:
                return answer["result"]

    def evaluate(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def open(self, url, ready):
        """Opens a page and waits until the expression `ready` is true."""
        self.call("Page.navigate", url=url)
        for _ in range(600):
            if self.evaluate(ready):
                return
            time.sleep(0.1)
        raise RuntimeError(f"the page is not ready: {ready}")

    def close(self):
        self.process.kill()
        self.process.wait()
