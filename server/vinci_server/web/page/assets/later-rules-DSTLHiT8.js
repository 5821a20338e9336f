var e=`# Rules of Vinci

\`vinci tutorial\` teaches Vinci in a short game. The next section tells how it
goes; everything after it is for looking up.

## The game in short

**Aim.** Each player leads civilizations that rise, spread over the map and
decline. Every turn a player scores victory points (VP) for the provinces
held, and more by traits. When a score reaches the target, the round is played
to its end and the player with most VP wins.

**Idea.** A civilization gets its pawns once. After a few turns it can grow no
further; then its player puts it into decline. It stays on the board and goes
on scoring while it lasts, and the player starts again with a new
civilization. When to decline, and what to take next, are the decisions that
count.

**A round.** Before the first round everybody chooses a civilization from the
market (section 2). In a round each player, in order, takes one turn (section
3). The turn is an expansion, steps 1 to 5, or a decline, step 6.

1. Mobilise: one pawn stays in each province, the others return to the
   reserve.
2. Conquer one province after the other with pawns of the reserve: 2 for an
   empty province, 3 for forest or mountain, 1 more for each pawn that defends
   it. A new civilization enters from the edge of the board or across one sea;
   then it goes from a province to its neighbours. The defender loses one
   pawn, its other pawns survive.
3. Reorganise: place all pawns anew in the empire. It must be connected; a
   province without a pawn is abandoned.
4. Score: 1 VP for each province except mountains, of the active and of the
   declined empire, plus what their traits pay.
5. The others place the pawns that survived in provinces that they still hold.
6. Decline instead (section 4): one pawn stays in each province, an older
   declined empire leaves the board, all traits but lasting ones are lost. The
   player scores and chooses a new civilization, which enters next turn.

The traits of a civilization change these steps; section 6 says in one
sentence what each of them does.

## Words

A **seat** is a place at the table, held by a **player**. A
**civilization** is a pair of **traits** with its pawns, as it lies in a **slot** of the **market**. A civilization in play
is an **empire**; a seat has at most one **active** and one **declined** empire. **Pawns** are its pieces: a **garrison** in a
province, or the **reserve** in hand. **Neutral** pawns belong to nobody. **Decline** is the act. The **bag** holds the traits
that are out of sight. **Survivors** are a defender's pawns from provinces it lost this turn, set aside. VP = victory points.
FR, NL, DE and WEB name the editions that a rule or reading is from (section 12).

## 1. Table

- R-SETUP-1 3 to 6 seats. Every seat starts with 10 VP. [Option](#12-editions): VP of a dummy at the start (\`dummy_start_vp\`).
- R-SETUP-2 One neutral pawn on every province except mountains. Seas are never occupied. Terrains: farmland, pasture, hills,
  forest, mountain; a province may also have a mine or a port.
- R-SETUP-3 The bag holds two traits of each kind; with \`deck = author\` 3 Barbarians and 1 Specialization. Agriculture, Livestock,
  Mines and Ports come in a plain and a lasting kind, which has a star, \`*\`. [Option](#12-editions): Traits in the bag (\`deck\`).
- R-SETUP-4 Six civilizations lie in the market, slots I to VI, two traits each, drawn at random. At every draw, with
  \`identical_pair = redraw\`, two identical traits go back and two are drawn again until they differ. With \`keep\` they stay, but
  of two Specialization one is set aside, another drawn in its place until it differs, and then it returns to the bag. A
  lasting and a plain trait of one name are not identical. [Option](#12-editions): Two identical traits (\`identical_pair\`).
- R-SETUP-5 The first seat is drawn at random; the others follow in seat order (clockwise). At a table with dummies the whole
  order of play is drawn instead (R-DUMMY-1); seats keep their numbers. "Seat order" and "the first seat" mean this order.
- R-SETUP-6 Before the first turn every seat, in order, chooses its first civilization (section 2).

| seats | 3 | 4 | 5 | 6 |
|---|---|---|---|---|
| VP that end the game (\`target\`) | 150 | 120 | 100 | 100 |
| extra pawns of every civilization | 8 | 6 | 4 | 3 |

## 2. Choosing a civilization

- R-DRAFT-1 Slot I is free. Slot n costs 2 VP for each of the n-1 civilizations passed over; a marker worth 2 VP is laid on
  each of these.
- R-DRAFT-2 Who takes a civilization with k markers receives 2k VP and the markers go away. The payment is made first and must be
  affordable: no score falls below 0 (house). (WEB could be read as 2 VP for all markers; FR, NL, DE say each.)
- R-DRAFT-3 Later slots move up with their markers, two traits are drawn for slot VI: six always lie there.
- R-DRAFT-4 Pawns = strength of trait 1 + strength of trait 2 + extra pawns for the table size. They are all it will ever have
  (Medicine aside). There is no limit of 25. [Option](#12-editions): Strengths of traits (\`strengths\`).
- R-DRAFT-5 Specialization has the strength of the other trait plus 1 (5 seats, Barbarians + Specialization: 4 + 6 + 7 = 17;
  5 seats, Astronomy 5 + Mountaineers 4: 13; 4 seats: 15).

## 3. A turn

A turn is an expansion or a decline (section 4). Order of an expansion turn: peace (Diplomacy only), mobilise, conquer,
reorganise with forts, score, decline (Renaissance only), then the other seats redeploy. When the game is over nobody redeploys.

### Peace
- R-PEACE-1 A seat whose active empire has Diplomacy names an opponent or nobody (two copies: two different ones) before it
  mobilises, on its entry turn too. Until its next turn starts, whatever it does then, neither active empire conquers provinces
  of the other. The opponent need not be on the board. Declined empires are not covered. A decline turn names nobody.

### Mobilise
- R-MOB-1 One pawn stays in each province, the rest return to the reserve.
- R-MOB-2 Any provinces may be abandoned, decided once, before the first conquest: all their pawns return to the reserve, a fort
  there is removed, the province is empty (and may be taken again at its cost).
- R-MOB-3 Who abandons everything, or holds nothing, enters like a new civilization.
- R-MOB-4 Medicine adds 1 per copy and General 7 per copy to the reserve now, in the first turn too.
- R-MOB-5 How it is played: mobilisation happens by itself when the turn starts. \`decline\` and then \`peace\` are legal only before
  anything else; provinces are abandoned one action each until the first conquest; then conquests until \`hold\` (reorganise).
  Naming nobody is going on without \`peace\`; a \`peace\` rules out a decline at the start of that turn (not Renaissance's).

### Entry
- R-ENTRY-1 The first province must lie on the edge of the board, or touch a sea that lies on the edge (exactly one sea is
  crossed). On the Europe map Scotland and Ireland qualify; no French province and not northern Italy.
- R-ENTRY-2 The first province is conquered at its normal cost. There is no origin, so no mountain or fort bonus; Weapons,
  Mountaineers and Spies count. Entry is by sea if the province touches a sea on the edge (Astronomy: any sea connected to one), even
  if it also lies on the edge. Galleys count for an entry by sea only, not for Revolution's inland choices. With
  \`galleys_on_entry = no\` they never count then, with \`astronomy\` only for an empire with Astronomy. [Option](#12-editions): Galleys
  on entry (\`galleys_on_entry\`).
- R-ENTRY-3 Astronomy: any number of seas may be crossed. Revolution: any province may be the first.
- R-ENTRY-4 \`landless_entry = forced\` (FR "doit"; NL, DE): a seat without a province may end its conquests only when no first
  conquest is legal and affordable, or when it has no pawn of its own. Pawns lent by General or new by Medicine this turn are not its
  own: FR lets a people without a pawn be kept as it is. \`free\` (WEB "peut"): it may stay off the board at any time. Its pawns stay
  in reserve; its declined empire scores; it may enter next turn. [Option](#12-editions): Entering without land (\`landless_entry\`).

### Conquest
- R-CONQ-1 From a province held, to an adjacent one; a province just taken can be the base of the next. Pawns on the board do not
  move until reorganisation.
- R-CONQ-2 Adjacent means a land border or a strait (a border across coastal water: Scotland and Ireland). A shared coast by
  itself is not adjacency: it earns the Galleys discount between provinces that are adjacent.
- R-CONQ-3 Cost = 2, or 3 for forest and mountain; + 1 per defending pawn (enemy, neutral, or one's own declined); + 1 for a
  fort; + 1 per Militia of the active empire that holds the province; - 1 if the origin is a mountain; - 1 if the origin holds a fort
  (both on a fortified mountain); - 1 per Weapons; - 1 per Galleys if origin and target share a coast; - 1 per Mountaineers if the
  target is a mountain. Never below 0.
- R-CONQ-4 The cheapest route counts: over one adjacent origin (mountain, fort and coast as above), or by sea with Astronomy
  (origin and target touch connected seas: Galleys, but no mountain, and no fort unless \`forts_by_sea = yes\`). The two are not
  mixed. [Option](#12-editions): Forts across the sea (\`forts_by_sea\`).
- R-CONQ-5 A conquest of cost 0 places no pawn and is legal with an empty reserve. The province is a base, and is kept only if it
  gets a pawn at reorganisation.
- R-CONQ-6 The defender loses one pawn for good, if one was there, even if the attacker does not keep the province. Its other
  pawns there become survivors. The attacker loses nothing. A neutral pawn is removed. A fort there is removed.
- R-CONQ-7 Spies: once per turn per copy the seat may declare that a conquest costs exactly 2, whatever else applies (also when
  the normal cost is lower). Reachability and peace still bind.
- R-CONQ-8 Seas are crossed only with Astronomy (and at entry). One's own active provinces and those of an active empire at peace
  cannot be conquered.

### Own decline in contact
- R-CONTACT-1 \`evacuate\` (FR, WEB): after every conquest, cost 0 included, all provinces of the seat's declined empire that are
  adjacent (R-CONQ-2; a link by sea is no contact) to its active empire are emptied at once, forts included. This is not undone
  if the province is abandoned, and earns no Slavery. An own declined province that is not in contact yet (entry, Astronomy) may be
  conquered; its pawn defends (house). [Option](#12-editions): Touching one's own decline (\`own_decline_contact\`).
- R-CONTACT-2 \`forbid\` (NL, DE): conquests of, or adjacent to, one's own declined provinces are illegal. [Option](#12-editions):
  Touching one's own decline (\`own_decline_contact\`).
- R-CONTACT-3 Heritage on the active empire: contact is allowed and empties nothing. With \`heritage_conquest = allowed\` (FR, WEB) its
  own declined provinces can be conquered at normal cost, pawn and fort defending, without Slavery; \`forbidden\` (NL, DE): not.
  [Option](#12-editions): Conquering Heritage provinces (\`heritage_conquest\`).

### Reorganise
- R-REORG-1 Ends the conquests. General's pawns leave first. All pawns are then distributed freely over the empire; none is held
  back, unless no province is held.
- R-REORG-2 Cohesion: the provinces kept must be connected (by adjacency; with Astronomy also by connected seas that they
  touch). If the empire is split the seat keeps one part. \`regroup\` (FR): the pawns of the other parts join it. \`lose\` (NL, DE):
  the garrisons in the other parts are lost. General's pawns then leave from the reserve first. What the reserve lacks leaves
  from garrisons, and the seat chooses from which: it places any number of pawns from a least (as many as possible left the part
  that it keeps) to a most (as many as possible left the other parts). \`lose_at_end\`: pawns of the other parts may join it
  first; those that stay behind are lost. At least 1 pawn is placed in the part kept. Messages and dummies ignore cohesion. It
  binds at this moment only; between turns an empire may be split. [Option](#12-editions): An empire that is cut apart
  (\`split_empire\`).
- R-REORG-3 \`give_up = only_if_forced\` (FR, WEB): with n pawns and a part of m provinces exactly min(n, m) provinces are kept, each
  with a pawn or more. Where n < m the seat chooses which (connected, unless exempt). \`free\` (NL, DE): any connected set may be
  kept, as long as every pawn is placed. With n = 0 or m = 0 nothing is asked. [Option](#12-editions): Giving up provinces
  (\`give_up\`).
- R-REORG-4 A province without a pawn belongs to nobody; a fort there is removed. It cannot link parts.
- R-REORG-5 Forts: last step; at most one fort per copy may be placed (it is optional), each in a different province kept that has
  none. A fort always counts 1. The supply is unlimited.

### Score
- R-SCORE-1 1 VP per province of the active empire, mountains 0, plus trait bonuses (Slavery included).
- R-SCORE-2 The declined empire scores too: 1 VP per province, mountains 0, plus the bonuses of its lasting traits.
- R-SCORE-3 Neither empire benefits from the traits of the other, in scoring or anything else.

### Redeploy
- R-REDEP-1 When the attacker's turn is over each other seat with survivors, in seat order after the attacker, places all of them
  in provinces of its active empire as it likes: one decision for all attacks of the turn, none asked if it has one province
  left. Only survivors move. A lost province does not return, even if the attacker did not keep it. [Option](#12-editions): Placing
  survivors (\`redeployment\`).
- R-REDEP-2 With no province left they join the reserve, and the seat enters anew on its turn. (Under \`auto_decline\` they are gone.)
  [Option](#12-editions): An empire without land (\`landless_empire\`).
- R-REDEP-3 With \`redeployment = automatic\` they are spread by defence as in R-DUMMY-4, ties to the lowest province in board order.
  [Option](#12-editions): Placing survivors (\`redeployment\`).

## 4. Decline

- R-DECL-1 Declared at the start of any turn in place of the expansion, also for a civilization that has not entered or holds
  nothing. With Renaissance also at the end of a turn: after General's pawns have left, forts are placed and the score is made;
  it scores nothing more, and the new civilization enters next turn.
- R-DECL-2 First the old declined empire leaves the board: pawns, forts, traits.
- R-DECL-3 One pawn stays in each province of the empire, marked as declined; surplus pawns are gone. Forts stay.
- R-DECL-4 Traits go to the bag, except lasting Agriculture, Livestock, Mines, Ports, and Specialization beside one of these.
  Heritage, Renaissance and Forts never stay. (Lasting beside plain Agriculture: two copies while active, one in decline.)
- R-DECL-5 The seat scores (R-SCORE-2), then chooses a civilization (section 2). With \`decline_score = all\` the empire scores the
  bonuses of all its traits this once. Traits just returned can be drawn for slot VI. [Option](#12-editions): Score in the turn of
  decline (\`decline_score\`).
- R-DECL-6 Declined provinces never expand and need no cohesion. They fall like any other: one pawn each.
- R-DECL-7 When the last province of a declined empire is gone, its lasting traits return to the bag at once.

## 5. An active empire without land

- R-LAND-1 \`choice\` (FR, WEB): the seat enters anew (R-ENTRY-4) with the pawns it has left (even with none, to keep a large
  decline), or declares decline. With 0 pawns: mobilise (Medicine and General count), conquer what is affordable, keep nothing,
  score. [Option](#12-editions): An empire without land (\`landless_empire\`).
- R-LAND-2 \`auto_decline\` (NL): a seat whose active empire lost its last province to another seat must decline on its next turn
  (score 0 for it). Its older declined empire leaves at the moment that province falls, survivors are gone. Not for a
  civilization that has not entered, own abandonment, or provinces left without a pawn after General left. Renaissance does not help.
  The decline is an action like any other, the only one that is legal then. [Option](#12-editions): An empire without land
  (\`landless_empire\`).
- R-LAND-3 \`auto_decline_no_pawn\` (DE): as R-LAND-2, but only when no pawn is left; otherwise R-LAND-1. (DE and WEB contradict
  themselves; this takes DE's first sentence, and WEB's "may come back with 0 or 1 pawn".) [Option](#12-editions): An empire without
  land (\`landless_empire\`).

## 6. Traits

Copies of an effect add up (Specialization, or two kinds of one name). VP per province are for each copy.
[Option](#12-editions): Strengths of traits (\`strengths\`).

| trait | strength | source | effect |
|---|---|---|---|
| Agriculture | 2 | house | +1 VP per farmland; the lasting kind also in decline (strength 1, house) |
| Livestock | 2 | review | +1 VP per pasture; lasting kind (1, house) |
| Mines | 2 | house | +2 VP per province with a mine; lasting kind (1, house) |
| Ports | 2 | house | +1 VP per province with a port; lasting kind (1, house) |
| Currency | 0 | house | +1 VP per province, mountains included |
| Slavery | 2 | house | +1 VP per pawn of others or neutral eliminated this turn (declined ones too; not forts, survivors, one's own) |
| Weapons | 3 | review | conquests cost 1 less |
| Spies | 4 | house | once a turn a conquest costs exactly 2 (R-CONQ-7) |
| Forts | 3 | house | one fort may be built each turn (R-REORG-5); a fort adds 1 to the cost of its province, takes 1 off attacks from it, stays in decline |
| Galleys | 4 | house | conquests along one coast, and by sea, cost 1 less |
| General | 2 | review | +7 pawns at mobilisation, taken back before reorganisation and cohesion |
| Militia | 4 | house | conquests of its provinces cost 1 more |
| Mountaineers | 4 | rules | conquests of mountains cost 1 less; +1 VP per mountain |
| Astronomy | 5 | rules | connected seas join provinces: for the entry (R-ENTRY-3), conquests (R-CONQ-4) and cohesion (R-REORG-2) |
| Barbarians | 6 | rules | many pawns, nothing else |
| Diplomacy | 4 | house | each turn peace with one opponent (R-PEACE-1) |
| Heritage | 4 | house | the active empire may touch the own declined one (R-CONTACT-3) |
| Medicine | 3 | house | +1 pawn at each mobilisation |
| Messages | 5 | house | the empire may be split: no cohesion |
| Renaissance | 3 | house | decline may also follow the score of an expansion (R-DECL-1) |
| Revolution | 4 | house | the first province may lie anywhere (R-ENTRY-3) |
| Specialization | other + 1 | rules | two copies of the other trait |

Two copies: Agriculture, Livestock, Ports, Currency +2 VP; Mines +4; Mountaineers +2 VP and -2; Slavery 2 per pawn; Weapons, Galleys
-2; Militia +2; Spies twice a turn; Medicine 2; General 14 in, 14 out; Diplomacy two opponents; Forts two a turn. Astronomy,
Barbarians, Heritage, Messages, Renaissance and Revolution keep their normal effect (the strength still doubles, plus 1).
Colours: yellow (VP) Agriculture to Slavery; pink (conquest, defence) Weapons to Mountaineers; blue the rest.

## 7. End

- R-END-1 When a score stands at or above the target at any moment (market bonus and opening draft included) the round is played
  to its end: the seat before the first one plays last. (In the opening draft: the first round of turns.)
- R-END-2 Most VP wins; equal scores share the rank.
- R-END-3 A target once reached stays reached, even if VP are paid later.
- R-END-4 The target can be set for a game, above the starting VP. [Option](#12-editions): VP that end the game (\`target\`).
- R-END-5 House: a game also ends after the round \`max_rounds\` (default 100), so that every game ends. [Option](#12-editions): Most
  rounds (\`max_rounds\`).

### Absence (house)
- R-FORFEIT-1 A seat that resigns or forfeits plays and scores no more; its provinces, pawns and forts stay and defend; survivors
  redeploy automatically; peace with it ends. Its turns are skipped. It ranks below every seat that has not forfeited, later
  forfeits above earlier ones. When one seat is left the game ends. Who stops in the middle of a turn leaves its garrisons as they
  lie, General's included; provinces conquered without a pawn become empty, and the reserve is out of play.
- R-FORFEIT-2 A seat handed to a substitute plays under the seat's own rules: no dummy's extra pawns, cohesion binds. Dummies sit
  only where the table was set up with them. [Option](#12-editions): Whoever is away (\`absence\`).
- R-FORFEIT-3 The default action, for clocks that run out and bots with no try left: slot I; no peace; nothing abandoned; no conquest
  (if R-ENTRY-4 demands one, the cheapest, lowest in board order); the suggested reorganisation, no fort; no decline; the suggested
  redeployment. [Options](#12-editions): When time is up (\`timeout\`), After its last try (\`refused\`).

## 8. Solo and two players: dummies

- R-DUMMY-1 One person meets three dummies, two meet two: four seats, 150 VP, seat order at random. A real player's civilization
  gets 6 extra pawns, a dummy's 8. Dummies may fill seats of any other table too (house): there they get 2 more than the table says.
  [Options](#12-editions): VP that end the game (\`target\`), Additional pawns of a dummy (\`dummy_extra_pawns\`).
- R-DUMMY-2 A dummy always takes slot I, with the VP of its markers. It never abandons a province and ignores cohesion.
- R-DUMMY-3 First conquest and each next one: the affordable province of greatest value; then the cheapest; then at random. Value =
  VP the province will score for it, plus Slavery, minus the VP its decline loses by it. Worth 0 or less is still taken, last. It
  goes on while its reserve is not empty and something is affordable. With \`dummy_tie = real_player\` it prefers a real player's
  province on a tie after cost. With \`dummy_preference = formula\` the smallest cost - 2 x value comes first (an empty mountain, 3 -
  2x0, before a farmland worth 2 behind 6 pawns, 8 - 2x2), then the cheapest as before. [Options](#12-editions): Ties of a dummy
  (\`dummy_tie\`), What a dummy conquers first (\`dummy_preference\`).
- R-DUMMY-4 Reorganise for an even defence: one pawn in each province, then one at a time to the province where an attack costs
  least. Terrain, pawns, old forts and Militia count, forts of this turn do not. Among equals, provinces in danger come first, then
  the most valuable, then chance decides. In danger are, if a civilization is announced (another seat holds one without land), the
  provinces that R-ENTRY-1 opens; if not, those next to an enemy active empire. Seats that have left the game do not count here.
  With fewer pawns than provinces it keeps the most valuable, then those where an attack costs most (house). Survivors are
  redeployed by the same rule.
- R-DUMMY-5 Decline is considered at the start of its turn when its active empire would score less than 10 VP as it stands and its
  free pawns are 0 to 5 (its reserve after mobilisation, Medicine counted, General's not): it rolls a six-sided die and declines
  if the roll exceeds its free pawns. General: only with fewer than 3 free, and 2 is taken off the roll (once). Renaissance: at
  the end of the turn instead, free pawns = pawns less provinces, value without Slavery. Without land its value is 0 and all
  its pawns are free. Automatic decline (section 5) overrides.
- R-DUMMY-6 Galleys: an empire without land enters in a province that touches a sea that is not inland, if one is affordable.
  Spies: while unused, cost means the smaller of the normal cost and 2, and they are used when that lowers the cost of the
  province taken. With \`dummy_spies = tie\` cost means the normal cost, and they are used only for one of several provinces that
  are equal after cost (R-DUMMY-3), if that lowers its cost, or for an entry that R-ENTRY-4 forces and nothing else affords.
  Forts: in the province without one that has most neighbours with pawns of other seats or neutral ones, then the highest sum of
  these neighbours' values, then at random. Astronomy and Revolution: all provinces that these open are considered. Diplomacy:
  always peace with a real player (at random between two; second copy: the other one; none: nobody). Heritage: on a tie in
  R-DUMMY-3, before \`dummy_tie\` and the die, the province next to its own decline that an enemy active empire holds.
  [Options](#12-editions): Spies of a dummy (\`dummy_spies\`), Ties of a dummy (\`dummy_tie\`).
- R-DUMMY-7 Harder: 15 VP at the start instead of 10, 9 or more extra pawns instead of 8. [Options](#12-editions): VP of a dummy at
  the start (\`dummy_start_vp\`), Additional pawns of a dummy (\`dummy_extra_pawns\`).

## 9. Worked examples

WEB, on the Europe map with a 13-pawn civilization whose traits do not matter (4 seats, Heritage + Renaissance: 6 + 4 + 3): entry
into Baetica (forest, 2 defenders) 5; Pyrenees (mountain, empty) 3; down into Castile (1 defender) from a mountain 2; on to
Aquitaine (1 defender) from a mountain 2. One pawn is left, too few for more. The defender (active, holding Lusitania too)
loses 3 pawns and has 1 survivor to place. The attacker spreads 13 pawns over 4 provinces.

An empty plain from a mountain costs 1; with one Weapons 0. A fort on a mountain makes an attack from it 2 cheaper. With Astronomy:
Ireland, then Norway, then Naples.

## 10. Randomness

Only the first seat, the seat order with dummies, the draws of traits and the dice and ties of dummies are random. All of it
comes from one seed by a documented, language-independent method ([chance.md](chance.md)), so that anyone can replay a game and
check the draws.

## 11. What everyone knows

Everything on the table is public. The contents of the bag follow from what is out; only the order of draws is hidden.

## 12. Editions

| option | standard | FR | NL | DE | WEB |
|---|---|---|---|---|---|
| \`own_decline_contact\` | evacuate | evacuate | forbid | forbid | evacuate |
| \`heritage_conquest\` | allowed | allowed | forbidden | forbidden | allowed |
| \`landless_empire\` | choice | choice | auto_decline | auto_decline_no_pawn | choice |
| \`landless_entry\` | forced | forced | forced | forced | free |
| \`split_empire\` | regroup | regroup | lose (a reading) | lose (a reading) | regroup (a reading) |
| \`give_up\` | only_if_forced | only_if_forced | free | free | only_if_forced |
| \`galleys_on_entry\` | yes | yes | yes (house) | no | no |
| \`forts_by_sea\` | no | no | no | no | no |
| \`identical_pair\` | redraw | keep | redraw | redraw | keep |
| \`deck\` | author | printed | printed | printed | author |
| \`redeployment\` | manual | manual | manual | manual | manual |
| \`decline_score\` | lasting | lasting | lasting | lasting | lasting |
| \`dummy_tie\` | random | random | random | random | random |
| \`dummy_preference\` | value | value | value | value | value |
| \`dummy_spies\` | always | always | always (a reading) | always (a reading) | always |

\`standard\`, the default, is the French booklet with the author's errata and the redraw of NL and DE. Each option can also be set by
itself, in the form for a new match or as in \`vinci play --option give_up=free\`. \`deck\`: \`author\` = 3 Barbarians and 1
Specialization, \`printed\` = 2 and 2. NL prints no trait texts: it takes those of FR. With \`identical_pair = keep\` a pair of
identical traits has the printed strength twice and two copies of the effect, with the same exceptions as Specialization.

The same in all editions: \`target\`, \`max_rounds\`, \`dummy_start_vp\`, \`dummy_extra_pawns\` (numbers), \`strengths\` (such as
\`strengths=WEA:5\`; the form does not have it), \`timeout\`, \`absence\` and \`refused\`.

### Readings

Where a book is ambiguous this is what we take. The column \`reading\` of the editions table marks the same.

- \`split_empire\` (R-REORG-2): in NL and DE the pawns of cut-off parts are lost at the end of the turn, before the score (DE "erst am Ende der
  Runde aber vor Ermittlung der Siegpunkte"), but the pawns are regrouped before that. So they could be moved out first: \`lose_at_end\`, where
  who moves out all plays as with \`regroup\`. We follow the advice of both books to remove them at the start of the
  turn: \`lose\`. WEB's \`regroup\` is a reading too.
- \`dummy_spies\` (R-DUMMY-6): NL and DE count Spies only when the costs of provinces are equal ("wenn die Kosten … gleich sind"): \`tie\`. All editions
  play FR, which counts them when it compares the costs of provinces of equal value: \`always\`.
- \`dummy_tie = real_player\` (R-DUMMY-3): after cost, as in FR ("en cas de nouvelle égalité"). NL and DE say only that it comes first on a tie.
- \`landless_entry\`: WEB speaks of coming back with 0 or 1 pawn; with \`free\` any number may stay off the board.
- \`galleys_on_entry\`: DE and WEB grant Galleys to conquests over the sea with Astronomy, which could include the entry: \`astronomy\`.
- \`forts_by_sea\`: for conquests over the sea DE excludes only the bonus of the mountain: \`yes\`. We follow FR, which excludes both.
- \`identical_pair\`: a lasting and a plain trait of one name are not identical. DE ("zwei gleiche Kärtchen") leaves it open.
- \`decline_score\`: NL says that an empire scores as usual in the turn of its decline, which could mean by all its traits: \`all\`.
- Order of score and choice (R-DECL-5): in NL and DE the choice of the new civilization stands before the score. We score first, as FR says. There is no option:
  it would only matter where this score pays for the slot, and every position would have to tell whether a score is due.
- Routes (R-CONQ-4): between adjacent provinces on connected seas, the mountain and Galleys by sea could add up. The books do not differ.
- Renaissance (R-DECL-1): "at the end of a turn" could mean only then. We keep the start of a turn as well; the books do not differ.
- Galleys of a dummy (R-DUMMY-6): FR and WEB bind its first turn, NL and DE the first round. We bind it whenever it has no land, so that one that
  lost everything enters as at first.
- Provinces in danger (R-DUMMY-4): the books name those of the edge ("provinces de bord", "am Spielbrettrand"). We take all where a new
  civilization can enter, also across a sea.
- Diplomacy (R-PEACE-1): only FR says that nobody need be named ("On peut également n'en choisir aucun"). We allow it in all editions.
- Forts (R-REORG-5): FR, DE and the card of WEB say that one is placed, WEB's clarifications that it may be ("autorise"). We follow these.
- Two Specialization (R-SETUP-4): that one is set aside is WEB's erratum, which the French booklet does not have. With \`keep\` we apply it in FR too.
- Payment (R-DRAFT-2): no book says who may pay what. The payment is made first and no score falls below 0.

### About this document

Each rule has an id (\`R-…\`), by which it can be looked up. The rules merge the French booklet (FR), the Dutch booklet (NL), the German
booklet (DE) and a French web presentation with the author's errata and clarifications (WEB). Where they agree, one rule stands. Where
they differ, section 12 gives each reading an option value, or tells which reading we take and why. *House* marks what no document
says and we decided.

Sources of the strengths in section 6: \`rules\`: printed in the documents. \`review\`: from published reviews. \`house\`: our own value, because no source at hand prints it.

`;export{e as default};