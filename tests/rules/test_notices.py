"""Notices: events and violations behave as frozen dataclasses do."""

import pickle
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest

from vinci_rules.board import Province
from vinci_rules.events import Abandoned, PeaceNamed, ScoreItem
from vinci_rules.state import Seat
from vinci_rules.violations import GameIsOver, MustDecline, NoSuchSlot

ITEM = ScoreItem("active", "province", Province(7), 2)
ONE = Abandoned(Seat(1), Province(2))


def test_fields_are_given_by_place_or_by_name() -> None:
    """Both ways make the same notice."""
    assert ScoreItem("active", vp=2, source="province", province=Province(7)) == ITEM
    assert repr(ITEM) == "ScoreItem(empire='active', source='province', province=7, vp=2)"
    assert repr(GameIsOver()) == "GameIsOver()"


@pytest.mark.parametrize(
    ("given", "named"), [((1,), {}), ((1, 2, 3), {}), ((1, 2), {"seat": 1}), ((1,), {"seat": 2}), ((), {"seat": 1})]
)
def test_missing_and_surplus_fields_are_refused(given: tuple[Any, ...], named: dict[str, Any]) -> None:
    """The error names the fields."""
    with pytest.raises(TypeError, match="Abandoned takes seat, province"):
        Abandoned(*given, **named)


def test_an_unknown_field_is_refused() -> None:
    """The error names it."""
    with pytest.raises(AttributeError, match="slots_"):
        NoSuchSlot(slot=1, slots_=2)  # type: ignore[call-arg]


def test_notices_of_two_types_differ() -> None:
    """Equal fields do not make equal notices."""
    assert Abandoned(Seat(1), Province(2)) == ONE
    assert hash(Abandoned(Seat(1), Province(2))) == hash(ONE)
    assert PeaceNamed(Seat(1), Seat(2)) != ONE
    assert ONE != (1, 2)


def test_notices_do_not_change() -> None:
    """Neither a field nor anything else is set or deleted."""
    with pytest.raises(FrozenInstanceError):
        ITEM.vp = 3  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del ITEM.vp
    with pytest.raises(FrozenInstanceError):
        ITEM.more = 3
    assert not hasattr(ITEM, "__dict__")


def test_notices_are_copied_pickled_and_matched() -> None:
    """As the workers of a league and `match` statements need it."""
    assert pickle.loads(pickle.dumps(ITEM)) == ITEM
    assert replace(ITEM, vp=3) == ScoreItem("active", "province", Province(7), 3)
    assert [field.name for field in fields(MustDecline)] == ["rule"]
    match NoSuchSlot(4, 3):
        case NoSuchSlot(slot, slots=slots):
            assert (slot, slots) == (4, 3)
        case _:
            pytest.fail("not matched")
