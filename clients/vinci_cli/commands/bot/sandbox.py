"""The option `--sandbox` of commands that start bots."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from vinci_bots.local import sandbox

from ...exceptions import Failed
from ...text.i18n import _
from ..base import F, flag


def check_sandbox() -> None:
    """Raise Failed where no bot can be confined; the text says what would help."""
    try:
        sandbox.check()
    except sandbox.SandboxMissing as error:
        raise Failed(_("--sandbox: no bot can be confined here: {why}").format(why=error)) from None


def sandbox_option(command: F) -> Callable[..., Any]:
    """Add `--sandbox`, which the command takes as `sandboxed`; where there is no sandbox, the command is refused."""

    @wraps(command)
    def run(*args: Any, sandboxed: bool, **kwargs: Any) -> Any:
        if sandboxed:
            check_sandbox()
        return command(*args, sandboxed=sandboxed, **kwargs)

    return flag("--sandbox", "sandboxed", help="Run each bot confined: no network, no files but its own. Linux.")(run)
