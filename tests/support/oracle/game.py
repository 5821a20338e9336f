"""Effects of actions on a game, from docs/rules.md alone."""

from .book import TRAITS, copies, doubled, strength
from .defence import spread
from .table import Empire, Table, expect


class Game(Table):
    """A game that actions change."""

    def play(self, text: str) -> None:
        """Play an action in notation. Raises Disagreement if the rules do not allow it."""
        word, *rest = text.split()
        phases = {
            "take": "draft", "decline": "start renaissance", "peace": "start peace", "abandon": "start peace abandon",
            "x": "start peace abandon conquer", "hold": "start peace abandon conquer", "stay": "renaissance",
            "redeploy": "redeploy",
        }  # fmt: skip
        expect(self.phase in phases[word].split(), f"{word} in phase {self.phase} (R-MOB-5)")
        bound = self.seats[self.actor].must_decline and self.phase == "start"
        expect(not bound or word == "decline", "only a decline is possible (R-LAND-2)")
        getattr(self, f"do_{word}")(rest)

    def do_take(self, rest: list[str]) -> None:
        """Section 2."""
        seat, slot = self.seats[self.actor], int(rest[0]) - 1
        expect(0 <= slot < 6 and seat.vp >= 2 * slot, "the slot cannot be paid (R-DRAFT-2)")
        traits, markers = self.market.pop(slot)
        self.market = [(pair, n + (place < slot)) for place, (pair, n) in enumerate(self.market)]
        seat.vp -= 2 * slot
        pawns = strength(traits) + seat.extra
        seat.active = Empire(traits, reserve=pawns, owed=pawns)
        self.award(2 * markers)
        self.fill()
        self.end_turn()

    def do_peace(self, rest: list[str]) -> None:
        """R-PEACE-1."""
        named, other = self.seats[self.actor].peace, int(rest[0])
        expect(len(named) < copies(self.empire().traits, "diplomacy"), "too many opponents named (R-PEACE-1)")
        expect(other in self.seats and other != self.actor and other not in named, "no opponent (R-PEACE-1)")
        named.append(other)
        self.phase = "peace"

    def do_abandon(self, rest: list[str]) -> None:
        """R-MOB-2."""
        empire = self.empire()
        expect(rest[0] in empire.land, "abandons what it does not hold (R-MOB-2)")
        empire.reserve += self.pawns[rest[0]]
        self.clear(empire, {rest[0]})
        self.phase = "abandon"

    def do_x(self, rest: list[str]) -> None:
        """R-CONQ and R-CONTACT-1."""
        seat, empire, target, by_spies = self.seats[self.actor], self.empire(), rest[0], rest[1:] == ["spy"]
        price = self.cost(target)
        expect(price is not None, f"{target} cannot be conquered")
        if by_spies:
            self.spied += 1
            expect(self.spied <= copies(empire.traits, "spies"), "no Spies left (R-CONQ-7)")
            price = 2
        assert price is not None
        expect(price <= empire.reserve, f"{target} costs {price} (R-CONQ-3)")
        held, pawns = self.holder(target), self.pawns[target]
        self.forts.discard(target)
        self.pawns[target] = 0
        if target in self.neutral:
            self.neutral.remove(target)
            self.eliminated += 1
        elif held is not None:
            self.eliminated += int(held[0] != self.actor)
            self.lose(held[0], held[1], target, pawns)
        empire.reserve -= price
        empire.land.add(target)
        self.pawns[target] = price
        if seat.declined is not None and not copies(empire.traits, "heritage"):
            touched = {code for code in seat.declined.land if self.board.near[code] & empire.land}
            self.shrink_declined(self.actor, touched)
        self.phase = "conquer"

    def lose(self, number: int, active: bool, province: str, pawns: int) -> None:
        """A seat loses a province with these pawns to the seat to act (R-CONQ-6, R-LAND-2, R-LAND-3)."""
        seat = self.seats[number]
        if not active:
            self.shrink_declined(number, {province})
            return
        assert seat.active is not None
        seat.active.land.remove(province)
        seat.active.owed -= 1
        seat.survivors += pawns - 1
        rule = self.options["landless_empire"]
        if not seat.active.land and (rule == "auto_decline" or (rule != "choice" and not seat.survivors)):
            seat.active.owed -= seat.survivors
            seat.survivors = 0
            seat.must_decline = True
            self.remove_declined(number)

    def do_hold(self, rest: list[str]) -> None:
        """Reorganise and score (R-REORG, R-SCORE)."""
        empire = self.empire()
        split = rest.index("fort") if "fort" in rest else len(rest)
        kept = {word.partition("=")[0]: int(word.partition("=")[2]) for word in rest[:split]}
        expect(set(kept) <= empire.land and len(kept) == split and all(kept.values()), "wrong provinces (R-REORG-1)")
        general = 7 * copies(empire.traits, "general")
        empire.owed -= general
        if empire.land:
            placed = sum(kept.values())
            all_pawns = empire.reserve + sum(self.pawns[code] for code in empire.land) - general
            self.check_kept(set(kept), placed, all_pawns, general)
            empire.owed -= all_pawns - placed
            empire.reserve = 0
        else:
            expect(self.may_stay_out(), "a first province is affordable (R-ENTRY-4)")
            empire.reserve -= general
        self.clear(empire, empire.land - set(kept))
        self.pawns.update(kept)
        forts = rest[split + 1 :]
        fine = len(forts) <= copies(empire.traits, "forts") and len(set(forts)) == len(forts)
        expect(fine and set(forts) <= empire.land - self.forts, "wrong forts (R-REORG-5)")
        self.forts.update(forts)
        self.score()
        self.spied = self.eliminated = 0
        if copies(empire.traits, "renaissance"):
            self.phase = "renaissance"
        else:
            self.end_turn()

    def check_kept(self, kept: set[str], placed: int, all_pawns: int, general: int) -> None:
        """R-REORG-1 to R-REORG-3."""
        empire = self.empire()
        by_sea, exempt = copies(empire.traits, "astronomy") > 0, self.ignores_cohesion()
        parts = [set(empire.land)] if exempt else self.parts(empire.land, by_sea)
        fine = False
        for part in parts:
            least = most = all_pawns
            if len(parts) > 1 and self.options["split_empire"] == "lose_at_end":
                least = min(1, most)
            elif len(parts) > 1 and self.options["split_empire"] == "lose":
                here = sum(self.pawns[code] for code in part)
                elsewhere = sum(self.pawns[code] for code in empire.land - part)
                lacking, left = max(general - empire.reserve, 0), max(empire.reserve - general, 0)
                least, most = left + here - min(lacking, here), left + here - max(lacking - elsewhere, 0)
            number = min(placed, len(part))
            right_number = len(kept) == number or (self.options["give_up"] == "free" and 0 < len(kept) <= number)
            fine |= kept <= part and least <= placed <= most and right_number
        expect(fine, "wrong number of pawns or provinces (R-REORG-3)")
        expect(exempt or len(self.parts(kept, by_sea)) <= 1, "not connected (R-REORG-2)")

    def ignores_cohesion(self) -> bool:
        """R-REORG-2."""
        return self.seats[self.actor].dummy or copies(self.empire().traits, "messages") > 0

    def do_decline(self, _rest: list[str]) -> None:
        """Section 4."""
        seat, empire = self.seats[self.actor], self.empire()
        self.remove_declined(self.actor)
        is_lasting = any(TRAITS[trait]["lasting"] for trait in empire.traits)
        stay = [trait for trait in empire.traits if TRAITS[trait]["lasting"] or (is_lasting and trait == "SPE")]
        stay = stay if empire.land else []
        self.bag.update(empire.traits)
        self.bag.subtract(stay)
        for code in empire.land:
            self.pawns[code] = 1
        seat.active, seat.must_decline = None, False
        if empire.land:
            seat.declined = Empire(stay, empire.land)
        if self.phase == "start":
            self.score(empire.traits if self.options["decline_score"] == "all" else None)
        self.phase = "draft"

    def do_stay(self, _rest: list[str]) -> None:
        """R-DECL-1."""
        self.end_turn()

    def do_redeploy(self, rest: list[str]) -> None:
        """R-REDEP-1."""
        seat = self.seats[self.actor]
        pawns = {word.partition("=")[0]: int(word.partition("=")[2]) for word in rest}
        fine = len(pawns) == len(rest) and set(pawns) <= self.empire().land and all(pawns.values())
        expect(fine and sum(pawns.values()) == seat.survivors, "wrong redeployment (R-REDEP-1)")
        self.place(pawns)
        self.redeploy_next()

    def award(self, vp: int) -> None:
        """VP for the seat to act (R-END-1)."""
        seat = self.seats[self.actor]
        seat.vp += vp
        self.reached |= seat.vp >= self.target

    def score(self, declining: list[str] | None = None) -> None:
        """R-SCORE-1, R-SCORE-2; `declining` are the traits of a decline that pay this once (R-DECL-5)."""
        seat, vp = self.seats[self.actor], 0
        if seat.active is not None:
            vp += sum(self.board.worth(seat.active.traits, code) for code in seat.active.land)
            vp += self.eliminated * sum(TRAITS[t]["per"] == "pawn" for t in doubled(seat.active.traits))
        if seat.declined is not None:
            vp += sum(self.board.worth(declining or seat.declined.traits, code) for code in seat.declined.land)
        self.award(vp)

    def is_last_round(self) -> bool:
        """R-END-1, R-END-5."""
        return self.round > 0 and (self.reached or self.round >= int(self.options.get("max_rounds", 100)))

    def end_turn(self) -> None:
        """The others redeploy, unless the game is over."""
        if self.is_last_round() and self.turn == self.order[-1]:
            self.phase, self.actor = "over", self.turn
        else:
            self.redeploy_next()

    def redeploy_next(self) -> None:
        """R-REDEP-1 to R-REDEP-3."""
        for number in self.others(self.turn):
            seat = self.seats[number]
            self.actor = number
            if not seat.survivors:
                continue
            empire = self.empire()
            if not empire.land:
                empire.reserve += seat.survivors
                seat.survivors = 0
            elif len(empire.land) == 1:
                self.place({min(empire.land): seat.survivors})
            elif self.options["redeployment"] == "automatic":
                self.place(spread(self, set(empire.land), seat.survivors))
            else:
                self.phase = "redeploy"
                return
        place = (self.order.index(self.turn) + 1) % len(self.order)
        self.round += place == 0
        self.turn = self.actor = self.order[place]
        self.start_turn()

    def start_turn(self) -> None:
        """R-MOB-1, R-MOB-4."""
        if self.round == 0:
            self.phase = "draft"
            return
        self.phase = "start"
        seat, empire = self.seats[self.actor], self.empire()
        seat.peace = []
        for code in empire.land:
            empire.reserve += self.pawns[code] - 1
            self.pawns[code] = 1
        more = copies(empire.traits, "medicine") + 7 * copies(empire.traits, "general")
        empire.reserve += more
        empire.owed += more
