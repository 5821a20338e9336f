"""The command that adds the packages of an extra in the way in which Vinci was installed."""

import json
import re
import shlex
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

NAME: Final = "vinci-server"
"""Name of the distribution."""
EXTRA_OF: Final = {"numpy": "leagues", "openskill": "leagues", "pyarrow": "rl"}
"""The extra that has the packages which a command imports, by their names as modules."""


def install_command(extra: str) -> str:
    """Return the command that adds an extra to this installation, as it was installed.

    Args:
        extra: A name of `optional-dependencies` in pyproject.toml, such as "web".

    Returns:
        A line for a shell: pip or uv, for a clone, an archive, an address or a package index, as PEP 610 records it.
    """
    files = distribution(NAME)
    origin = json.loads(files.read_text("direct_url.json") or "{}")
    is_editable = origin.get("dir_info", {}).get("editable", False)
    if is_editable:
        clone = Path(re.sub("^/(?=[A-Za-z]:)", "", unquote(urlsplit(origin["url"]).path)))  # Windows: file:///C:/clone
        wanted = ["-e", f"{clone}[{extra}]"]
    elif origin:
        revision = origin.get("vcs_info")
        url = f"{revision['vcs']}+{origin['url']}@{revision['commit_id']}" if revision else origin["url"]
        wanted = [f"{NAME}[{extra}] @ {url}"]
    else:
        wanted = [f"{NAME}[{extra}]"]
    environment = Path(sys.prefix)
    if (environment / "uv-receipt.toml").exists():
        command = ["uv", "tool", "install", *wanted]
    elif environment.parent.name.startswith(("archive-v", "environments-v")):  # the cache of uv, whose files uvx reuses
        command = ["uvx", "--from", *wanted, NAME]
    elif (files.read_text("INSTALLER") or "").strip() != "uv":
        command = [sys.executable, "-m", "pip", "install", *wanted]
    elif is_editable and environment == clone / ".venv":
        command = ["uv", "sync", "--project", str(clone), "--inexact", "--extra", extra]
    else:
        command = ["uv", "pip", "install", "--python", sys.executable, *wanted]
    return shlex.join(command)


def missing_extra(error: ImportError) -> str | None:
    """Return the extra whose package could not be imported, None if the package is of no extra."""
    return EXTRA_OF.get((error.name or "").partition(".")[0])
