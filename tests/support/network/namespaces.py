"""Two machines on one network, as connected network namespaces of Linux, without special privileges."""

import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest

INTO: Final = ("nsenter", "--user", "--net", "--preserve-credentials", "--target")


@contextmanager
def two_machines(*addresses: str) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield the command prefixes that run a command on the first and on the second machine.

    Each address is a pattern such as 10.7.0.{}/24, in which the machine has the number 1 or 2. The test is skipped, with
    the reason, where the system does not allow this.
    """
    with ExitStack() as stack:
        try:
            first = stack.enter_context(_machine(["unshare", "--user", "--map-root-user", "--net"]))
            second = stack.enter_context(_machine([*first, "unshare", "--net"]))
            _run([*first, "ip", "link", "add", "left", "type", "veth", "peer", "name", "right", "netns", second[-1]])
            for machine, link, number in ((first, "left", 1), (second, "right", 2)):
                for address in addresses:
                    nodad = ["nodad"] if ":" in address else []
                    _run([*machine, "ip", "address", "add", address.format(number), "dev", link, *nodad])
                _run([*machine, "ip", "link", "set", link, "up"])
                _run([*machine, "ip", "link", "set", "lo", "up"])
        except (FileNotFoundError, subprocess.SubprocessError) as error:
            output = getattr(error, "stderr", "") or str(error)
            pytest.skip(f"network namespaces are not allowed here, or ip or unshare are missing: {output.strip()}")
        yield first, second


@contextmanager
def _machine(command: Sequence[str]) -> Iterator[list[str]]:
    """Start a process that holds a namespace; yield the command prefix to run commands in it."""
    holder = subprocess.Popen([*command, "cat"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 20
        while Path(f"/proc/{holder.pid}/comm").read_text().strip() != "cat":
            if holder.poll() is not None or time.monotonic() > deadline:
                holder.kill()
                raise subprocess.CalledProcessError(1, command, stderr=holder.communicate()[1])
            time.sleep(0.01)
        yield [*INTO, str(holder.pid)]
    finally:
        holder.kill()
        holder.communicate()


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=20)
