"""The statistics of a game in words, for the full screen and for reports."""

from ..text.i18n import _, plural
from ..text.names import Catalogue
from ..text.sentences import sentence
from .statistics import LAND, CivilizationStatistics, GameStatistics


def headline(story: GameStatistics, names: Catalogue) -> str:
    """Return the outcome in a sentence."""
    best = [seat for rank, seat in story.ranking() if rank == 1]
    facts = {"best": best if story.ranks else best[:1], "vp": story.score(best[0]), "round": story.rounds[-1]}
    over = {"over": bool(story.ranks), "shared": len(best) > 1, "own": best == [names.you]}
    return sentence("outcome", {**facts, **over}, names)


def margin(story: GameStatistics, names: Catalogue) -> str:
    """Return by how much the winner is ahead of the next seat; empty if several share the first place."""
    (_first, winner), (second_rank, second), *_others = story.ranking()
    if second_rank == 1:
        return ""
    ahead = story.score(winner) - story.score(second)
    return sentence("lead", {"vp": ahead, "seat": second}, names)


def leads(story: GameStatistics, names: Catalogue) -> str:
    """Return who was ahead alone from which round on; empty if nobody ever was."""
    changes: list[tuple[int, int]] = []
    for place, number in enumerate(story.rounds):
        best = max(vp[place] for vp in story.vp.values())
        leaders = [seat for seat, vp in story.vp.items() if vp[place] == best]
        if len(leaders) == 1 and (not changes or changes[-1][1] != leaders[0]):
            changes.append((number, leaders[0]))
    parts = [_("{who} from round {round}").format(who=names.seat(seat), round=number) for number, seat in changes]
    return _("Changes of the lead: {leads}.").format(leads=", ".join(parts)) if parts else ""


def rounds_text(civilization: CivilizationStatistics) -> str:
    """Return the rounds in which a civilization was active, such as 2-5; open if it never declined."""
    return f"{civilization.taken}-{'' if civilization.declined is None else civilization.declined}"


def shares(civilization: CivilizationStatistics) -> tuple[int, int, int]:
    """Return VP by land while active, by traits while active, and all in decline."""
    land = civilization.active.get(LAND, 0)
    return land, sum(civilization.active.values()) - land, sum(civilization.as_declined.values())


def source_texts(civilization: CivilizationStatistics, names: Catalogue) -> list[str]:
    """Return the sources of the VP of a civilization, and its price."""
    texts = [f"{names.score_source(source)} {vp}" for source, vp in civilization.active.items()]
    if civilization.as_declined:
        texts.append(_("in decline {vp}").format(vp=sum(civilization.as_declined.values())))
    if civilization.paid:
        texts.append(_("paid {n}").format(n=civilization.paid))
    if civilization.received:
        texts.append(_("received {n}").format(n=civilization.received))
    return texts


def thought_text(story: GameStatistics, seat: int, names: Catalogue) -> str:
    """Return the thinking time of a seat in words."""
    thought = story.thought[seat]
    return _("{who}: {decisions}, {seconds:.0f} s in all, the longest {longest:.0f} s").format(
        who=names.seat(seat),
        decisions=plural("{n} decision", "{n} decisions", thought.decisions),
        seconds=thought.seconds,
        longest=thought.longest,
    )
