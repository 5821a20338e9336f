"""A check whether multicast works on this machine, which containers and firewalls may forbid."""

import socket
from typing import Final

import pytest

GROUP: Final = "224.0.0.251"


def skip_without_multicast() -> None:
    """Skip the test, with the reason, where a datagram to a group does not arrive on the loopback interface."""
    loopback = socket.inet_aton("127.0.0.1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("", 0))
            probe.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + loopback)
            probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, loopback)
            probe.settimeout(5)
            probe.sendto(b"?", (GROUP, probe.getsockname()[1]))
            probe.recv(1)
        except OSError as error:
            pytest.skip(f"no multicast on this machine: {error}")
