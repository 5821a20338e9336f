"""What each trait does, in a sentence."""

from vinci.v1 import game_pb2

from .i18n import _


def effect(trait: game_pb2.Trait) -> str:
    """What a trait does; VP and what they are paid for are as the server says."""
    told = " ".join(filter(None, [_scores(trait), _does(trait.effect)]))
    lasting = " " + _("It stays in decline.") if trait.lasting else ""
    return told + lasting


def _scores(trait: game_pb2.Trait) -> str:
    score = f"+{trait.vp}"
    match trait.per:
        case "farmland":
            return _("{score} VP for each farmland.").format(score=score)
        case "pasture":
            return _("{score} VP for each pasture.").format(score=score)
        case "mine":
            return _("{score} VP for each province with a mine.").format(score=score)
        case "port":
            return _("{score} VP for each province with a port.").format(score=score)
        case "province":
            return _("{score} VP for each province, mountains included.").format(score=score)
        case "pawn":
            return _("{score} VP for each pawn of others removed this turn.").format(score=score)
        case "mountain":
            return _("{score} VP for each mountain.").format(score=score)
    return ""


def _does(effect: str) -> str:  # noqa: C901  # one case for each effect
    match effect:
        case "weapons":
            return _("Conquests cost 1 pawn less.")
        case "spies":
            return _("Once a turn a conquest costs 2 pawns, whatever stands there.")
        case "forts":
            return _("A fort a turn: its province costs 1 pawn more, attacks from it 1 less; it stays in decline.")
        case "galleys":
            return _("Conquests along one coast, and by sea, cost 1 pawn less.")
        case "general":
            return _("7 more pawns while you conquer; they leave before pawns are placed.")
        case "militia":
            return _("Conquering your provinces costs 1 pawn more.")
        case "mountaineers":
            return _("Mountains cost 1 pawn less.")
        case "astronomy":
            return _("Crosses seas: conquers over them, and they connect provinces.")
        case "barbarians":
            return _("Many pawns, nothing else.")
        case "diplomacy":
            return _("Each turn you may name a seat that must not attack you, nor you it.")
        case "heritage":
            return _("Your declined provinces stay when your active empire touches them.")
        case "medicine":
            return _("A new pawn at the start of each turn.")
        case "messages":
            return _("Your provinces need not be connected.")
        case "renaissance":
            return _("You may decline at the end of a turn, after scoring.")
        case "revolution":
            return _("Your first conquest may be any province.")
        case "specialization":
            return _("Doubles the trait beside it.")
    return ""
