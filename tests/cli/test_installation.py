"""The command that adds an extra fits how Vinci was installed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from vinci_cli import installation

WHEEL = {"url": "file:///tmp/vinci_server-0.2.0-py3-none-any.whl", "archive_info": {}}
CLONE = {"url": "file:///home/ann/my%20vinci", "dir_info": {"editable": True}}
GIT = {"url": "https://example.org/vinci", "vcs_info": {"vcs": "git", "commit_id": "22042bd0"}}


class Distribution:
    """Metadata of the package as an installer wrote them."""

    def __init__(self, origin: object, installer: str) -> None:
        self._files = {"direct_url.json": json.dumps(origin) if origin else None, "INSTALLER": f"{installer}\n"}

    def read_text(self, name: str) -> str | None:
        """Return a file of the package's metadata."""
        return self._files[name]


@pytest.mark.parametrize(
    ("origin", "installer", "prefix", "expected"),
    [
        (None, "pip", "/venv", f"{sys.executable} -m pip install 'vinci-server[web]'"),
        (CLONE, "pip", "/venv", f"{sys.executable} -m pip install -e '/home/ann/my vinci[web]'"),
        (WHEEL, "pip", "/venv", f"{sys.executable} -m pip install 'vinci-server[web] @ {WHEEL['url']}'"),
        (GIT, "pip", "/venv", f"{sys.executable} -m pip install 'vinci-server[web] @ git+{GIT['url']}@22042bd0'"),
        (CLONE, "uv", "/home/ann/my vinci/.venv", "uv sync --project '/home/ann/my vinci' --inexact --extra web"),
        (CLONE, "uv", "/venv", f"uv pip install --python {sys.executable} -e '/home/ann/my vinci[web]'"),
        (None, "uv", "/home/ann/.cache/uv/archive-v0/x", "uvx --from 'vinci-server[web]' vinci-server"),
    ],
    ids=["index", "clone", "wheel", "git", "uv sync", "uv pip", "uvx"],
)
def test_command_fits_the_installation(
    origin: object, installer: str, prefix: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what PEP 610 records, by the installer, and by the folder of the environment."""
    monkeypatch.setattr(installation, "distribution", lambda _name: Distribution(origin, installer))
    monkeypatch.setattr(sys, "prefix", prefix)
    assert installation.install_command("web") == expected


def test_tool_of_uv_is_installed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its environment is written by uv alone."""
    (tmp_path / "uv-receipt.toml").touch()
    monkeypatch.setattr(installation, "distribution", lambda _name: Distribution(WHEEL, "uv"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert installation.install_command("web") == f"uv tool install 'vinci-server[web] @ {WHEEL['url']}'"


def test_leagues_without_numpy_say_what_to_type() -> None:
    """As in a wheel without the extra, in a process that cannot import it."""
    program = "import sys; sys.modules['numpy'] = None; from vinci_cli.main import main; main()"
    command = [sys.executable, "-c", program, "tournament", "run", "--bots", "greedy", "random"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1), done.stderr
    assert done.stderr.endswith(f": {installation.install_command('leagues')}\n")


@pytest.mark.parametrize("missing", ["numpy", "gymnasium", "pettingzoo"])
def test_environments_without_their_extra_say_what_to_type(missing: str) -> None:
    """The error of `import vinci_rl` names the package and the command that installs the extra."""
    program = f"import sys; sys.modules[{missing!r}] = None; import vinci_rl"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: vinci_rl needs packages that are not installed (import of " + missing)
    assert last.endswith(f": {installation.install_command('rl')}")
