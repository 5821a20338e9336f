"""Containerfile and compose.yaml: variables and commands that exist, a server without root, all files of the wheel."""

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Final

import pytest

from tests.support.cli_runner import parsed
from tests.support.paths import PROJECT

CONTAINERFILE: Final = (PROJECT / "Containerfile").read_text(encoding="utf-8")
COMPOSE: Final = (PROJECT / "compose.yaml").read_text(encoding="utf-8")


def test_variables_are_options_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each variable is read by `vinci serve`, and what is kept is in the volume."""
    variables = dict(re.findall(r'\b(VINCI_SERVE_[A-Z_]+)(?:=|: )"?([\w./]+)', CONTAINERFILE + COMPOSE))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    configured = parsed("vinci serve").params
    options = (name.removeprefix("VINCI_SERVE_").lower() for name in variables)
    assert {{"db": "database"}.get(name, name) for name in options} <= set(configured)
    assert configured["database"] == Path("/data/server.db")
    assert (configured["lan"], configured["no_announce"], configured["tls"]) == (True, True, True)
    assert (configured["metrics"], configured["metrics_host"]) == (9654, "0.0.0.0")
    assert "VOLUME /data\n" in CONTAINERFILE
    assert "- data:/data\n" in COMPOSE


def test_health_check_asks_the_port_of_the_server() -> None:
    """The shell of the container puts in the port, 7654 unless a variable sets it."""
    (command,) = re.findall(r'CMD \["sh", "-c", "exec (vinci health .*)"\]', CONTAINERFILE)
    for port, variables in (("7654", {}), ("7000", {"VINCI_SERVE_PORT": "7000"})):
        typed = subprocess.run(
            ["sh", "-c", f"echo {command}"],
            env={"PATH": os.environ["PATH"], **variables},
            capture_output=True,
            text=True,
            check=True,
        )
        assert parsed(typed.stdout).params["address"] == f"127.0.0.1:{port}"


def test_the_image_has_the_version_of_the_package() -> None:
    """A release raises both."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"image: vinci-server:{project['version']}\n" in COMPOSE


def test_the_server_runs_without_root() -> None:
    """The last USER of the file, by number, so that Kubernetes knows it is not root."""
    assert re.findall(r"^USER (.*)$", CONTAINERFILE, re.MULTILINE)[-1] == "7654"
    assert "--uid 7654 " in CONTAINERFILE


def test_the_build_gets_all_files_of_the_wheel() -> None:
    """.dockerignore leaves out everything else."""
    let_through = re.findall(r"^!(\S+?)/?$", (PROJECT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE)
    build = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    paths = [*wheel["only-include"], *wheel["force-include"], *wheel["shared-data"], "pyproject.toml", "README.md"]
    assert [path for path in paths if path.partition("/")[0] not in let_through] == []
