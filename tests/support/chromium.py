"""Drive a headless Chromium over its own pipe: no library, no port, no network.

The DevTools protocol is JSON, each message ended by a NUL byte, on the browser's descriptors 3 and
4 (``--remote-debugging-pipe``).
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",  # which cannot be had as root; the pages are our own
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--no-first-run",
    "--hide-scrollbars",
)
_SECONDS = 20.0
_CHUNK = 1 << 16
_LOUD = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")


def found_browser() -> str | None:
    """Return where a browser is installed, if one is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@dataclass
class Browser:
    """One browser process, and what it has told so far."""

    write: int
    read: int
    events: list[dict[str, Any]] = field(default_factory=list)
    _buffer: bytes = b""
    _last: int = 0

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result; what happens meanwhile is kept."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return dict(answer["result"])
            self.events.append(answer)

    def wait_for(self, method: str, session: str) -> None:
        """Wait until an event of this kind has come from this page."""
        while not any(self._is(event, method, session) for event in self.events):
            self.events.append(self._message())

    @staticmethod
    def _is(event: dict[str, Any], method: str, session: str) -> bool:
        return event.get("method") == method and event.get("sessionId") == session

    def _message(self) -> dict[str, Any]:
        ends_at = time.monotonic() + _SECONDS
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self.read], [], [], max(0.0, ends_at - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self.read, _CHUNK)
            if not chunk:
                raise EOFError("the browser has ended")
            self._buffer += chunk
        text, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(text))


@dataclass
class Page:
    """A page that was opened, at a width in CSS pixels."""

    browser: Browser
    session: str

    def value(self, expression: str) -> Any:
        """Return what a JavaScript expression comes to in the page."""
        result = self.browser.call(
            "Runtime.evaluate", self.session, expression=expression, returnByValue=True
        )
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def complaints(self) -> list[Any]:
        """Return what the page wrote to its console, errors and broken policies among it."""
        return [event["params"] for event in self._events() if event["method"] in _LOUD]

    def requests(self) -> list[str]:
        """Return the address of everything that was asked for."""
        sent = (e for e in self._events() if e["method"] == "Network.requestWillBeSent")
        return [event["params"]["request"]["url"] for event in sent]

    def blocked(self) -> list[str]:
        """Return why the page's policy, or anything else, kept requests from being sent."""
        failed = (e for e in self._events() if e["method"] == "Network.loadingFailed")
        return [event["params"].get("blockedReason", "") for event in failed]

    def picture(self, *, whole: bool = True) -> bytes:
        """Return the page as PNG."""
        answer = self.browser.call(
            "Page.captureScreenshot", self.session, captureBeyondViewport=whole
        )
        return base64.b64decode(answer["data"])

    def press(self, key: str) -> None:
        """Press a key, as a person would."""
        for kind in ("keyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", self.session, type=kind, key=key, code=key)

    def _events(self) -> list[dict[str, Any]]:
        return [event for event in self.browser.events if event.get("sessionId") == self.session]


@contextmanager
def started(program: str, folder: Path) -> Iterator[Browser]:
    """Yield a browser that keeps its things in a folder, and end it."""
    their_read, our_write = os.pipe()
    our_read, their_write = os.pipe()
    arguments = [program, *_FLAGS, f"--user-data-dir={folder}", "about:blank"]
    process = os.posix_spawn(
        program,
        arguments,
        {**os.environ, "HOME": str(folder)},
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            # Through high numbers, as 3 and 4 may be among those that are to be moved.
            (os.POSIX_SPAWN_DUP2, their_read, 50),
            (os.POSIX_SPAWN_DUP2, their_write, 51),
            (os.POSIX_SPAWN_DUP2, 50, 3),
            (os.POSIX_SPAWN_DUP2, 51, 4),
        ],
    )
    os.close(their_read)
    os.close(their_write)
    browser = Browser(our_write, our_read)
    try:
        yield browser
    finally:
        with suppress(Exception):
            browser.call("Browser.close")
        _ended(process)
        os.close(our_write)
        os.close(our_read)


def _ended(process: int) -> None:
    """Wait for a browser to end; kill it where it does not."""
    ends_at = time.monotonic() + _SECONDS
    while time.monotonic() < ends_at:
        if os.waitpid(process, os.WNOHANG)[0]:
            return
        time.sleep(0.05)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


@contextmanager
def opened(browser: Browser, file: Path, width: int, *, dark: bool = False) -> Iterator[Page]:
    """Yield a file opened in a tab of its own, loaded, at so many CSS pixels; close it."""
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    attached = browser.call("Target.attachToTarget", targetId=target, flatten=True)
    session = attached["sessionId"]
    for domain in ("Page", "Runtime", "Log", "Network"):
        browser.call(f"{domain}.enable", session)
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        session,
        width=width,
        height=800,
        deviceScaleFactor=1,
        mobile=width < 600,
    )
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.call("Emulation.setEmulatedMedia", session, features=[scheme])
    browser.call("Page.navigate", session, url=file.as_uri())
    browser.wait_for("Page.loadEventFired", session)
    try:
        yield Page(browser, session)
    finally:
        browser.call("Target.closeTarget", targetId=target)
