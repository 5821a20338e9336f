"""A full screen as a job of a shell: it can be stopped, continued and terminated without spoiling the terminal."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from .app import App


@contextmanager
def as_job(app: App) -> Iterator[None]:
    """Handle SIGTERM, SIGCONT and Ctrl-Z of this process for an app."""
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    if not hasattr(signal, "SIGCONT"):  # Windows, which has no jobs
        yield
        return
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    loop.add_signal_handler(signal.SIGCONT, app.draw_anew)
    app.is_job = True
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
        loop.remove_signal_handler(signal.SIGCONT)
