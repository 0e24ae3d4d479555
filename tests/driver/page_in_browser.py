#!/usr/bin/env python3
"""Opens pages of `sinter compile --report` in a headless Chromium, and uses them by mouse and keyboard.

usage: page_in_browser.py SINTER SOURCE_FOLDER
Exit status 77 where there is no Chromium. It is spoken to over pipes, in the protocol of its developer tools.
"""
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
SECONDS = 60  # that a browser may take to answer on a busy machine


class Browser:
    def __init__(self, program, folder):
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()

        def as_three_and_four():
            os.dup2(to_browser, 10)
            os.dup2(from_browser, 11)
            os.dup2(10, 3)
            os.dup2(11, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", f"--user-data-dir={folder}/profile"],
            preexec_fn=as_three_and_four, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.pending, self.last, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Performance"):
            self.call(f"{domain}.enable")

    def read(self):
        until = time.monotonic() + SECONDS
        while b"\0" not in self.pending:
            ready, _, _ = select.select([self.answers], [], [], max(0, until - time.monotonic()))
            chunk = os.read(self.answers, 1 << 20) if ready else b""
            if not chunk:
                raise RuntimeError("the browser does not answer")
            self.pending += chunk
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session is not None:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") != self.last:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def open(self, address):
        # By way of an empty page, so that an address with another fragment is loaded as well.
        for step in ("about:blank", address):
            self.events.clear()
            self.call("Page.navigate", url=step)
            while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
                self.events.append(self.read())

    def evaluate(self, text):
        answer = self.call("Runtime.evaluate", expression=text, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{text}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def press(self, key, text=""):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "/": 191}
        press = {"key": key, "windowsVirtualKeyCode": codes[key], "text": text}
        self.call("Input.dispatchKeyEvent", type="keyDown", **press)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=codes[key])

    def click(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        box = self.evaluate(f"(() => {{ const box = document.querySelector({json.dumps(selector)})"
                            ".getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        except (RuntimeError, OSError):
            self.process.kill()
        self.process.wait()


def wait_for(browser, condition, what):
    until = time.monotonic() + SECONDS
    while not browser.evaluate(condition):
        if time.monotonic() > until:
            raise AssertionError(what)
        time.sleep(0.05)


OPEN = "[...document.querySelectorAll('details.kernel[open]')].map((kernel) => kernel.dataset.kernel).join()"
SHOWN = "[...document.querySelectorAll('details.kernel:not([hidden])')].map((kernel) => kernel.dataset.kernel).join()"


def expect(found, wanted, what):
    if found != wanted:
        raise AssertionError(f"{what}: {found!r}, not {wanted!r}")


def nothing_is_missing(browser, page):
    """No error, nothing refused, nothing fetched but the page, no line longer than the window."""
    for event in browser.events:
        method, parameters = event.get("method", ""), event.get("params", {})
        if method in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
            raise AssertionError(f"{page}: {parameters}")
        if method == "Network.requestWillBeSent":
            expect(parameters["request"]["url"].split("#")[0], page, "fetched")
    expect(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), True, "as wide as the window")


def by_keyboard(browser, page):
    browser.open(page)
    for _ in range(20):
        browser.press("Tab")
        if browser.evaluate("document.activeElement.matches('#graph ~ .drawing a')"):
            break
    expect(browser.evaluate("document.activeElement.getAttribute('href')"), "#kernel-1", "reached by Tab")
    browser.press("Enter", "\r")
    wait_for(browser, f"{OPEN} === 'kernel-1'", "Enter opens a kernel")


def by_mouse(browser, page):
    browser.open(page)
    for selector in ("#graph ~ .drawing a[href='#kernel-1'] rect", "a.box[data-kernel='kernel-2']",
                     ".point[data-kernel='kernel-3'] circle", "a.bar[href='#kernel-4'] rect"):
        browser.click(selector)
    wait_for(browser, f"{OPEN} === 'kernel-1,kernel-2,kernel-3,kernel-4'", "boxes, points and bars open kernels")


def by_search(browser, page, word, kernels):
    browser.open(page)
    everything = browser.evaluate(SHOWN)
    browser.press("/", "/")
    expect(browser.evaluate("document.activeElement.id"), "search", "reached by /")
    expect(browser.evaluate("document.activeElement.value"), "", "the / itself is not searched for")
    browser.call("Input.insertText", text=word)
    wait_for(browser, f"{SHOWN} === {json.dumps(','.join(kernels))}", f"{word} is in other kernels")
    expect(browser.evaluate("document.querySelectorAll('tr[data-kernel]:not([hidden])').length"), len(kernels), "rows")
    expect(browser.evaluate("document.querySelectorAll('.hit').length") > 0, True, "instructions are marked")
    browser.press("Enter", "\r")
    wait_for(browser, f"{OPEN} === '{kernels[0]}'", "Enter opens the first")
    browser.press("Escape")
    wait_for(browser, f"{SHOWN} === '{everything}'", "Escape shows all")


def without_script(browser, page):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page + "#kernel-2")
    wait_for(browser, f"{OPEN} === 'kernel-2'", "a link opens its kernel without script")
    expect(browser.evaluate("document.querySelector('form.search').hidden"), True, "no search without script")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def main():
    sinter, source = sys.argv[1], pathlib.Path(sys.argv[2])
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        print("no chromium")
        return SKIPPED
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        pages = {}
        for name in ("softmax", "kmeans", "gpt2_block"):
            text = source / "samples" / name / f"{name}.hlo"
            page = pathlib.Path(folder) / f"{name}.html"
            subprocess.run([sinter, "compile", text, "-o", "-", "--no-verify", "--report", page], check=True,
                           stdout=subprocess.DEVNULL)
            pages[name] = page.as_uri()
        browser = Browser(program, folder)
        try:
            for name, page in pages.items():
                browser.open(page)
                nothing_is_missing(browser, page)
                print(f"{name}: {os.path.getsize(page[len('file://'):])} bytes, nothing is missing")
            page = pages["gpt2_block"]
            by_keyboard(browser, page)
            by_mouse(browser, page)
            by_search(browser, page, "rsqrt", ["kernel-1", "kernel-4"])
            without_script(browser, page)
        finally:
            browser.close()
    print("keyboard, mouse, search and links work")
    return 0


if __name__ == "__main__":
    sys.exit(main())
