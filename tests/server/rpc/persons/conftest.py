"""Devices with keys that belong to nobody yet."""

import pytest

from tests.support.server.persons import ANN, BOB, PHONE, Device
from vinci_client.session import Session


@pytest.fixture
def ann(session: Session) -> Device:
    """Return a device."""
    return Device(session, ANN)


@pytest.fixture
def bob(session: Session) -> Device:
    """Return the device of somebody else."""
    return Device(session, BOB)


@pytest.fixture
def phone(session: Session) -> Device:
    """Return another device."""
    return Device(session, PHONE)
