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
        self.count, self.buffer, self.session = 0, b"", None
        self.requests, self.complaints = [], []  # addresses asked for; errors and warnings of pages
        target = next(t["targetId"] for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Network", "Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

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
            if answer.get("id") == self.count:
                return answer["result"]
            self.note(answer.get("method"), answer.get("params"))

    def note(self, event, details):
        if event == "Network.requestWillBeSent":
            self.requests.append(details["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            self.complaints.append(details["exceptionDetails"]["exception"].get("description"))
        elif event == "Runtime.consoleAPICalled" and details["type"] in ("error", "warning"):
            self.complaints.append(str(details["args"]))
        elif event == "Log.entryAdded" and details["entry"]["level"] in ("error", "warning"):
            self.complaints.append(details["entry"]["text"])

    def evaluate(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def open(self, url, ready):
        """Opens a page and waits until the expression `ready` is true."""
        self.call("Page.navigate", url=url)
        self.wait_for(ready)

    def wait_for(self, expression):
        for _ in range(600):
            if self.evaluate(expression):
                return
            time.sleep(0.1)
        raise RuntimeError(f"this does not become true: {expression}")

    def screen(self, width, height, dark=False, telephone=False, calm=False):
        """What the page is shown on."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, mobile=telephone,
                  deviceScaleFactor=2 if telephone else 1)
        self.call("Emulation.setTouchEmulationEnabled", enabled=telephone)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"}])

    def place(self, selector, x, y):
        """The point at the fractions x, y of an element, which is brought into sight."""
        left, top, width, height = self.evaluate(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: "center", behavior: "instant"}});
            const box = element.getBoundingClientRect();
            return [box.left, box.top, box.width, box.height];
        }})()""")
        return {"x": left + x * width, "y": top + y * height}

    def mouse(self, kind, point, clicks=1):
        self.call("Input.dispatchMouseEvent", type=f"mouse{kind}", button="left", clickCount=clicks, **point)

    def point_at(self, selector, x, y):
        """Moves the mouse there."""
        self.mouse("Moved", self.place(selector, x, y))

    def click(self, selector):
        point = self.place(selector, 0.5, 0.5)
        self.mouse("Pressed", point)
        self.mouse("Released", point)

    def press(self, key):
        """A key, for the element that has the focus."""
        text = key if len(key) == 1 else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def drag(self, selector, start, end):
        points = [self.place(selector, *(a + (b - a) * k / 5 for a, b in zip(start, end))) for k in range(6)]
        self.mouse("Moved", points[0])
        self.mouse("Pressed", points[0])
        for point in points[1:]:
            self.mouse("Moved", point)
        self.mouse("Released", points[-1])

    def swipe(self, selector, start, end):
        """The same with a finger."""
        points = [self.place(selector, *(a + (b - a) * k / 5 for a, b in zip(start, end))) for k in range(6)]
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=points[:1])
        for point in points[1:]:
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[point])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def close(self):
        self.process.kill()
        self.process.wait()
