"""How far a long computation is: a line in terminals, a bar in notebooks."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return bool(shell) and hasattr(shell, "kernel")


class Progress:
    """Called with (done, all, time); shows it on standard error, or below the cell of a notebook."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.began = time.monotonic()
        self.handle: Any = None
        self.width = 0
        self.in_notebook = _in_notebook()

    def __call__(self, done: float, all: float, t: float) -> None:
        part = min(1.0, done / all) if all > 0 else 0.0
        spent = time.monotonic() - self.began
        left = f", {spent * (1 - part) / part:.0f} s left" if part > 0.01 else ""
        text = f"{self.what} {done:.0f} of {all:.0f}{left}"
        if self.in_notebook:
            self._show_html(f"<progress value='{part:.4f}' max='1'></progress> {text}")
        else:
            filled = int(24 * part)
            line = f"\r[{'#' * filled}{'.' * (24 - filled)}] {text}"
            sys.stderr.write(line + " " * max(0, self.width - len(line)))
            sys.stderr.flush()
            self.width = len(line)

    def _show_html(self, html: str) -> None:
        from IPython.display import HTML, display

        if self.handle is None:
            self.handle = display(HTML(html), display_id=True)
        else:
            self.handle.update(HTML(html))

    def end(self) -> None:
        if self.in_notebook and self.handle is not None:
            self._show_html("")
        elif self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()


class shown:
    """with shown(wanted, "step") as show: … ; `show` is None where nothing is wanted, or a callable of the caller."""

    def __init__(self, wanted: Any, what: str) -> None:
        self.show: Callable[[float, float, float], Any] | None = None
        self.progress: Progress | None = None
        if callable(wanted):
            self.show = wanted
        elif wanted:
            self.show = self.progress = Progress(what)

    def __enter__(self) -> Callable[[float, float, float], Any] | None:
        return self.show

    def __exit__(self, *_: Any) -> None:
        if self.progress:
            self.progress.end()
