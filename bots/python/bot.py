"""A bot for Vinci: `choose` decides everything. README.md says how to play with it."""

from vinci_bots.sdk import Bot, Turn, run
from vinci_rules.actions import Action, Conquer


class MyBot(Bot):
    """Conquers what is worth most, cheap before dear; for all else it takes the advice."""

    name = "starter"

    def choose(self, turn: Turn) -> Action:
        """The answer to one decision."""

        def rank(conquest: Conquer) -> tuple[int, int]:
            return turn.worth(conquest), -turn.cost(conquest)

        return max(turn.conquests, key=rank, default=turn.advice)


if __name__ == "__main__":
    run(MyBot)
