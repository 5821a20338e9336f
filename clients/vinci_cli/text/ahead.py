"""Sentences of previews: what would happen, in place of what happens."""

from typing import Final

from .i18n import N_, _

SENTENCES: Final = {
    "{who} takes {traits} with {pawns}{price}.": N_("{who} would take {traits} with {pawns}{price}."),
    "{who} declares peace with {other}.": N_("{who} would declare peace with {other}."),
    "{who} abandons {province}.": N_("{who} would abandon {province}."),
    "{who} conquers {province} for {pawns}{more}.": N_("{who} would conquer {province} for {pawns}{more}."),
    "{who} evacuates its declined empire from {provinces}.": N_(
        "{who} would evacuate its declined empire from {provinces}."
    ),
    "The declined empire of {who} is gone.": N_("The declined empire of {who} would be gone."),
    "The empire of {who} collapses and must decline.": N_("The empire of {who} would collapse and have to decline."),
    "{who} holds {pawns}{more}.": N_("{who} would hold {pawns}{more}."),
    "{who} scores {vp} VP and stands at {total}.": N_("{who} would score {vp} VP and stand at {total}."),
    "{who} declines with {provinces}.": N_("{who} would decline with {provinces}."),
    "{who} declines with {provinces}, {traits} lasting.": N_("{who} would decline with {provinces}, {traits} lasting."),
    "{who} does not decline.": N_("{who} would not decline."),
    "{who} redeploys {pawns}.": N_("{who} would redeploy {pawns}."),
    "{who} stands at {vp} VP: this round is the last.": N_(
        "{who} would stand at {vp} VP: this round would be the last."
    ),
    "The game is over.": N_("The game would be over."),
}
"""The sentence of a preview by that of the log, see `events.event`."""


def say(text: str) -> str:
    """Return the sentence of a preview for one of the log, in the language of the session."""
    return _(SENTENCES.get(text, text))
