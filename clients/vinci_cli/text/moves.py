"""Actions in words, from their notation (docs/notation.md)."""

from collections.abc import Sequence

from .i18n import _
from .names import Catalogue


def moves_text(actions: Sequence[str], takes: Sequence[str], names: Catalogue, *, defence: bool = False) -> str:
    """Return actions of a turn as a list of what is done; empty if there is nothing to tell.

    Args:
        actions: the actions in notation; unknown ones are left out.
        takes: traits of the civilization taken.
        names: names of provinces, seats and traits.
        defence: whether the defence is told.
    """
    words = [action.split() for action in actions if action.strip()]
    parts = []
    if abandoned := [word[1] for word in words if word[0] == "abandon" and len(word) > 1]:
        parts.append(_("abandon {provinces}").format(provinces=names.provinces_object(abandoned)))
    parts += [
        _("peace with {who}").format(who=names.seat(int(word[1])))
        for word in words
        if word[0] == "peace" and len(word) > 1 and word[1].isdecimal()
    ]
    if conquered := [word[1] for word in words if word[0] == "x" and len(word) > 1]:
        parts.append(_("conquer {provinces}").format(provinces=names.provinces_object(conquered)))
    held = next((word[1:] for word in words if word[0] == "hold"), None)
    if held is not None and not conquered and not (defence and held):
        parts.append(_("conquer nothing"))
    if held and defence:
        pawns, _fort, forts = " ".join(held).partition("fort ")
        parts.append(_("defend with {pawns}").format(pawns=_placed(pawns.split(), names)))
        if forts:
            parts.append(_("fortify {provinces}").format(provinces=names.provinces_object(forts.split())))
    parts += [_("place {pawns}").format(pawns=_placed(word[1:], names)) for word in words if word[0] == "redeploy"]
    if ["stay"] in words and defence:
        parts.append(_("do not decline"))
    if ["decline"] in words:
        parts.append(_("decline"))
    if takes:
        parts.append(_("take {civilization}").format(civilization=names.civilization(takes)))
    return "; ".join(parts)


def _placed(words: Sequence[str], names: Catalogue) -> str:
    """Return pawns by province, as in `ALP=3 PYR=2`."""
    pairs = [word.partition("=") for word in words]
    return ", ".join(f"{names.province(code)} {pawns}" for code, _equals, pawns in pairs)
