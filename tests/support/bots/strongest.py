"""A bot without luck: it makes the most valuable conquest, and otherwise does as it is advised."""

from vinci_bots.sdk import Answer, Bot, Turn, run


class Strongest(Bot):
    """Chooses the same in the same position, in any process."""

    def choose(self, turn: Turn) -> Answer:
        """Return the most valuable conquest, the first by name among equals."""
        return max(turn.conquests, key=lambda action: (turn.worth(action), str(action)), default=turn.advice)


if __name__ == "__main__":
    run(Strongest)
