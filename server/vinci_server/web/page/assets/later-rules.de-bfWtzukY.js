var e=`# Regeln von Vinci

Übersetzung von [rules.md](rules.md): Wo beide sich unterscheiden, gilt der englische Text.

\`vinci tutorial\` lehrt Vinci in einem kurzen Spiel. Der nächste Abschnitt
erzählt, wie es geht; alles Weitere ist zum Nachschlagen.

## Das Spiel in Kürze

**Ziel.** Jeder Spieler führt Zivilisationen, die aufsteigen, sich über die
Karte ausbreiten und niedergehen. In jedem Zug erhält er Siegpunkte (SP) für
die Provinzen, die er hält, und mehr durch Eigenschaften. Wenn ein Stand das
Ziel erreicht, wird die Runde zu Ende gespielt; wer die meisten SP hat,
gewinnt.

**Gedanke.** Eine Zivilisation bekommt ihre Steine einmal. Nach einigen Zügen
kann sie nicht weiter wachsen; dann erklärt ihr Spieler ihren Niedergang. Sie
bleibt auf dem Brett und bringt Punkte, solange sie besteht, und der Spieler
beginnt neu mit einer anderen Zivilisation. Wann man niedergeht und was man
dann nimmt, das sind die Entscheidungen, die zählen.

**Eine Runde.** Vor der ersten Runde wählt jeder eine Zivilisation vom Markt
(Abschnitt 2). In einer Runde hat jeder Spieler der Reihe nach einen Zug
(Abschnitt 3). Der Zug ist eine Ausbreitung, Schritte 1 bis 5, oder ein
Niedergang, Schritt 6.

1. Mobilisieren: In jeder Provinz bleibt ein Stein, die anderen kommen in den
   Vorrat zurück.
2. Eine Provinz nach der anderen mit Steinen aus dem Vorrat erobern: 2 für
   eine leere Provinz, 3 für Wald oder Gebirge, 1 mehr für jeden Stein, der
   sie verteidigt. Eine neue Zivilisation kommt vom Rand des Bretts oder über
   ein Meer; danach geht es von einer Provinz in die benachbarten. Der
   Verteidiger verliert einen Stein, seine anderen Steine überleben.
3. Neu ordnen: alle Steine im Reich neu setzen. Es muss verbunden sein; eine
   Provinz ohne Stein wird aufgegeben.
4. Werten: 1 SP für jede Provinz außer Gebirge, des aktiven und des
   niedergegangenen Reichs, und was ihre Eigenschaften bringen.
5. Die anderen setzen ihre überlebenden Steine in Provinzen, die sie noch
   halten.
6. Oder der Niedergang (Abschnitt 4): In jeder Provinz bleibt ein Stein, ein
   älteres niedergegangenes Reich verlässt das Brett, alle Eigenschaften außer
   dauerhaften sind verloren. Der Spieler wertet und wählt eine neue
   Zivilisation, die im nächsten Zug das Brett betritt.

Die Eigenschaften einer Zivilisation ändern diese Schritte; Abschnitt 6 sagt
in einem Satz, was jede von ihnen bewirkt.

## Wörter

Ein **Platz** ist ein Sitz am Tisch, den ein **Spieler** hat. Eine **Zivilisation** ist ein Paar von
**Eigenschaften** mit ihren Steinen, wie sie in einem **Feld** des **Marktes** liegt. Eine Zivilisation im Spiel ist ein **Reich**; ein
Platz hat höchstens ein **aktives** und ein **niedergegangenes** Reich. **Steine** sind ihre Figuren: eine **Besatzung** in einer
Provinz, oder der **Vorrat** auf der Hand. **Neutrale** Steine gehören niemandem. Der **Niedergang** ist die Handlung. Der **Beutel**
enthält die Eigenschaften, die man nicht sieht. **Überlebende** sind die beiseitegelegten Steine eines Verteidigers aus Provinzen, die er
in diesem Zug verloren hat. SP = Siegpunkte.
FR, NL, DE und WEB nennen die Ausgaben, aus denen eine Regel oder Lesart stammt (Abschnitt 12).

## 1. Tisch

- R-SETUP-1 3 bis 6 Plätze. Jeder Platz beginnt mit 10 SP. [Option](#12-ausgaben): SP eines Dummys am Anfang (\`dummy_start_vp\`).
- R-SETUP-2 Ein neutraler Stein in jeder Provinz außer im Gebirge. Meere werden nie besetzt. Gelände: Ackerland, Weideland, Hügelland,
  Wald, Gebirge; eine Provinz kann auch eine Mine oder einen Hafen haben.
- R-SETUP-3 Der Beutel enthält zwei Eigenschaften jeder Art; mit \`deck = author\` 3 Barbaren und 1 Spezialisierung. Ackerbau, Viehzucht, Bergbau
  und Häfen gibt es in einer einfachen und einer dauerhaften Art, mit einem Stern, \`*\`. [Option](#12-ausgaben): Eigenschaften im Beutel (\`deck\`).
- R-SETUP-4 Sechs Zivilisationen liegen auf dem Markt, Felder I bis VI, mit je zwei zufällig gezogenen Eigenschaften. Bei jedem Ziehen
  gehen mit \`identical_pair = redraw\` zwei gleiche Eigenschaften zurück, und es werden zwei neue gezogen, bis sie sich unterscheiden. Mit
  \`keep\` bleiben sie, aber von zwei Spezialisierungen wird eine beiseitegelegt, an ihrer Stelle eine andere gezogen, bis sie sich
  unterscheidet, und dann kommt sie zurück in den Beutel. Eine dauerhafte und eine einfache Eigenschaft gleichen Namens sind nicht gleich.
  [Option](#12-ausgaben): Zwei gleiche Eigenschaften (\`identical_pair\`).
- R-SETUP-5 Der erste Platz wird ausgelost; die anderen folgen in Platzfolge (im Uhrzeigersinn). An einem Tisch mit Dummys wird
  stattdessen die ganze Spielfolge ausgelost (R-DUMMY-1); die Plätze behalten ihre Nummern. „Platzfolge“ und „der erste Platz“ meinen
  diese Folge.
- R-SETUP-6 Vor dem ersten Zug wählt jeder Platz der Reihe nach seine erste Zivilisation (Abschnitt 2).

| Plätze | 3 | 4 | 5 | 6 |
|---|---|---|---|---|
| SP, die das Spiel beenden (\`target\`) | 150 | 120 | 100 | 100 |
| zusätzliche Steine jeder Zivilisation | 8 | 6 | 4 | 3 |

## 2. Eine Zivilisation wählen

- R-DRAFT-1 Feld I ist umsonst. Feld n kostet 2 SP für jede der n-1 übergangenen Zivilisationen; auf jede davon wird ein Marker im Wert
  von 2 SP gelegt.
- R-DRAFT-2 Wer eine Zivilisation mit k Markern nimmt, erhält 2k SP, und die Marker kommen weg. Zuerst wird bezahlt, und das muss möglich
  sein: Kein Stand fällt unter 0 (Hausregel). (WEB ließe sich als 2 SP für alle Marker lesen; FR, NL, DE sagen: jeder.)
- R-DRAFT-3 Die späteren Felder rücken mit ihren Markern auf, für Feld VI werden zwei Eigenschaften gezogen: Sechs liegen immer da.
- R-DRAFT-4 Steine = Stärke der Eigenschaft 1 + Stärke der Eigenschaft 2 + zusätzliche Steine nach Zahl der Plätze. Mehr bekommt sie nie
  (außer durch Medizin). Eine Grenze von 25 gibt es nicht. [Option](#12-ausgaben): Stärken von Eigenschaften (\`strengths\`).
- R-DRAFT-5 Spezialisierung hat die Stärke der anderen Eigenschaft plus 1 (5 Plätze, Barbaren + Spezialisierung: 4 + 6 + 7 = 17;
  5 Plätze, Astronomie 5 + Bergvolk 4: 13; 4 Plätze: 15).

## 3. Ein Zug

Ein Zug ist eine Ausbreitung oder ein Niedergang (Abschnitt 4). Ablauf einer Ausbreitung: Frieden (nur Diplomatie), mobilisieren,
erobern, neu ordnen mit Festungen, werten, Niedergang (nur Renaissance), dann stellen die anderen Plätze neu auf. Wenn das Spiel aus ist,
stellt niemand mehr auf.

### Frieden
- R-PEACE-1 Ein Platz, dessen aktives Reich Diplomatie hat, nennt einen Gegner oder niemanden (zwei Exemplare: zwei verschiedene), bevor
  er mobilisiert, auch in dem Zug, in dem er das Brett betritt. Bis sein nächster Zug beginnt, was immer er danach tut, erobert keines der
  beiden aktiven Reiche Provinzen des anderen. Der Gegner muss nicht auf dem Brett sein. Niedergegangene Reiche sind nicht erfasst. Ein Zug
  mit Niedergang nennt niemanden.

### Mobilisieren
- R-MOB-1 In jeder Provinz bleibt ein Stein, die übrigen kommen in den Vorrat zurück.
- R-MOB-2 Beliebige Provinzen dürfen aufgegeben werden, was einmal zu entscheiden ist, vor der ersten Eroberung: Alle ihre Steine kommen in
  den Vorrat zurück, eine Festung dort kommt weg, die Provinz ist leer (und kann zu ihren Kosten wieder genommen werden).
- R-MOB-3 Wer alles aufgibt oder nichts hält, betritt das Brett wie eine neue Zivilisation.
- R-MOB-4 Medizin gibt jetzt 1 je Exemplar in den Vorrat und General 7 je Exemplar, auch im ersten Zug.
- R-MOB-5 Wie es gespielt wird: Das Mobilisieren geschieht von selbst, wenn der Zug beginnt. \`decline\` und dann \`peace\` sind nur vor allem
  anderen erlaubt; Provinzen werden bis zur ersten Eroberung mit je einer Aktion aufgegeben; dann Eroberungen bis \`hold\` (neu ordnen).
  Niemanden zu nennen heißt, ohne \`peace\` weiterzuspielen; ein \`peace\` schließt einen Niedergang zu Beginn dieses Zuges aus (nicht den der
  Renaissance).

### Betreten
- R-ENTRY-1 Die erste Provinz muss am Rand des Bretts liegen oder ein Meer berühren, das am Rand liegt (genau ein Meer wird überquert). Auf
  der Europakarte geht das in Schottland und Irland; in keiner französischen Provinz und nicht in Norditalien.
- R-ENTRY-2 Die erste Provinz wird zu ihren gewöhnlichen Kosten erobert. Es gibt keine Ausgangsprovinz, also keinen Vorteil durch Gebirge oder
  Festung; Waffen, Bergvolk und Spione zählen. Man kommt übers Meer, wenn die Provinz ein Meer am Rand berührt (Astronomie: jedes Meer, das mit
  einem solchen verbunden ist), auch wenn sie selbst am Rand liegt. Galeeren zählen nur beim Betreten übers Meer, nicht bei der Wahl der
  Revolution im Binnenland. Mit \`galleys_on_entry = no\` zählen sie dann nie, mit \`astronomy\` nur für ein Reich mit Astronomie.
  [Option](#12-ausgaben): Galeeren beim Betreten (\`galleys_on_entry\`).
- R-ENTRY-3 Astronomie: Beliebig viele Meere dürfen überquert werden. Revolution: Jede Provinz darf die erste sein.
- R-ENTRY-4 \`landless_entry = forced\` (FR „doit“; NL, DE): Ein Platz ohne Provinz darf seine Eroberungen nur beenden, wenn keine erste Eroberung
  erlaubt und bezahlbar ist, oder wenn er keinen eigenen Stein hat. Steine, die der General leiht oder die in diesem Zug durch Medizin neu sind,
  sind keine eigenen: FR erlaubt, ein Volk ohne Stein so zu behalten, wie es ist. \`free\` (WEB „peut“): Er darf jederzeit dem Brett fernbleiben.
  Seine Steine bleiben im Vorrat; sein niedergegangenes Reich wird gewertet; im nächsten Zug darf er das Brett betreten. [Option](#12-ausgaben):
  Betreten ohne Land (\`landless_entry\`).

### Eroberung
- R-CONQ-1 Von einer gehaltenen Provinz in eine benachbarte; eine gerade genommene Provinz kann Ausgang der nächsten sein. Steine auf dem
  Brett bewegen sich nicht bis zur Neuordnung.
- R-CONQ-2 Benachbart heißt: eine Landgrenze oder eine Meerenge (eine Grenze über Küstengewässer: Schottland und Irland). Eine gemeinsame
  Küste allein ist keine Nachbarschaft: Sie gibt den Nachlass der Galeeren zwischen Provinzen, die benachbart sind.
- R-CONQ-3 Kosten = 2, oder 3 für Wald und Gebirge; + 1 je verteidigendem Stein (feindlich, neutral oder vom eigenen Niedergang); + 1 für
  eine Festung; + 1 je Miliz des aktiven Reichs, das die Provinz hält; - 1, wenn die Ausgangsprovinz Gebirge ist; - 1, wenn dort eine
  Festung steht (beides bei befestigtem Gebirge); - 1 je Waffen; - 1 je Galeeren, wenn Ausgang und Ziel eine Küste teilen; - 1 je Bergvolk,
  wenn das Ziel Gebirge ist. Nie unter 0.
- R-CONQ-4 Der billigste Weg zählt: von einer benachbarten Provinz (Gebirge, Festung und Küste wie oben), oder übers Meer mit Astronomie
  (Ausgang und Ziel berühren verbundene Meere: Galeeren, aber kein Gebirge, und eine Festung nur mit
  \`forts_by_sea = yes\`). Beides wird nicht gemischt. [Option](#12-ausgaben): Festungen über See (\`forts_by_sea\`).
- R-CONQ-5 Eine Eroberung mit Kosten 0 setzt keinen Stein und ist mit leerem Vorrat erlaubt. Die Provinz ist ein Ausgang und wird nur
  behalten, wenn sie bei der Neuordnung einen Stein bekommt.
- R-CONQ-6 Der Verteidiger verliert endgültig einen Stein, wenn dort einer war, auch wenn der Angreifer die Provinz nicht behält. Seine
  anderen Steine dort werden Überlebende. Der Angreifer verliert nichts. Ein neutraler Stein kommt weg. Eine Festung dort kommt weg.
- R-CONQ-7 Spione: Einmal je Zug und Exemplar darf der Platz erklären, dass eine Eroberung genau 2 kostet, was sonst auch gilt (auch wenn
  die gewöhnlichen Kosten niedriger sind). Erreichbarkeit und Frieden gelten weiter.
- R-CONQ-8 Meere werden nur mit Astronomie überquert (und beim Betreten). Eigene aktive Provinzen und die eines aktiven Reichs, mit dem
  Frieden ist, können nicht erobert werden.

### Kontakt mit dem eigenen Niedergang
- R-CONTACT-1 \`evacuate\` (FR, WEB): Nach jeder Eroberung, auch mit Kosten 0, werden alle Provinzen des niedergegangenen Reichs des Platzes,
  die seinem aktiven Reich benachbart sind (R-CONQ-2; eine Verbindung übers Meer ist kein Kontakt), sofort geräumt, auch von Festungen. Das
  wird nicht rückgängig gemacht, wenn die Provinz aufgegeben wird, und bringt der Sklaverei nichts. Eine Provinz des eigenen Niedergangs, die
  noch nicht in Kontakt ist (Betreten, Astronomie), darf erobert werden; ihr Stein verteidigt (Hausregel). [Option](#12-ausgaben): Kontakt mit
  dem eigenen Niedergang (\`own_decline_contact\`).
- R-CONTACT-2 \`forbid\` (NL, DE): Eroberungen von Provinzen des eigenen Niedergangs oder neben ihnen sind verboten. [Option](#12-ausgaben):
  Kontakt mit dem eigenen Niedergang (\`own_decline_contact\`).
- R-CONTACT-3 Erbe am aktiven Reich: Kontakt ist erlaubt und räumt nichts. Mit \`heritage_conquest = allowed\` (FR, WEB) können die eigenen
  niedergegangenen Provinzen zu gewöhnlichen Kosten erobert werden, wobei Stein und Festung verteidigen, ohne Sklaverei; \`forbidden\`
  (NL, DE): nicht. [Option](#12-ausgaben): Eigene Erbe-Provinzen erobern (\`heritage_conquest\`).

### Neu ordnen
- R-REORG-1 Beendet die Eroberungen. Zuerst gehen die Steine des Generals. Dann werden alle Steine frei über das Reich verteilt; keiner wird
  zurückgehalten, außer wenn keine Provinz gehalten wird.
- R-REORG-2 Zusammenhalt: Die behaltenen Provinzen müssen verbunden sein (durch Nachbarschaft; mit Astronomie auch durch verbundene Meere, die
  sie berühren). Ist das Reich geteilt, behält der Platz einen Teil. \`regroup\` (FR): Die Steine der anderen Teile kommen dazu. \`lose\` (NL, DE):
  Die Besatzungen der anderen Teile sind verloren. Die Steine des Generals gehen dann zuerst aus dem Vorrat. Was dem Vorrat fehlt, geht aus
  Besatzungen, und der Platz wählt, aus welchen: Er setzt eine Zahl von Steinen zwischen einer kleinsten (möglichst viele gingen aus dem
  behaltenen Teil) und einer größten (möglichst viele gingen aus den anderen). \`lose_at_end\`: Die Steine der anderen Teile dürfen erst
  dazukommen; die zurückbleiben, sind verloren. Mindestens 1 Stein wird in den behaltenen Teil gesetzt. Botschaften und Dummys kümmert der
  Zusammenhalt nicht. Er gilt nur in diesem Augenblick; zwischen den Zügen darf ein Reich geteilt sein. [Option](#12-ausgaben): Ein geteiltes
  Reich (\`split_empire\`).
- R-REORG-3 \`give_up = only_if_forced\` (FR, WEB): Mit n Steinen und einem Teil von m Provinzen werden genau min(n, m) Provinzen behalten, jede
  mit mindestens einem Stein. Bei n < m wählt der Platz, welche (verbunden, wenn nicht befreit). \`free\` (NL, DE): Jede verbundene Menge darf
  behalten werden, solange jeder Stein gesetzt wird. Mit n = 0 oder m = 0 wird nichts gefragt. [Option](#12-ausgaben): Provinzen aufgeben
  (\`give_up\`).
- R-REORG-4 Eine Provinz ohne Stein gehört niemandem; eine Festung dort kommt weg. Sie kann keine Teile verbinden.
- R-REORG-5 Festungen: der letzte Schritt; je Exemplar darf höchstens eine Festung gebaut werden (freiwillig), jede in einer anderen
  behaltenen Provinz, die keine hat. Eine Festung zählt immer 1. Es gibt beliebig viele.

### Werten
- R-SCORE-1 1 SP je Provinz des aktiven Reichs, Gebirge 0, und was die Eigenschaften bringen (auch Sklaverei).
- R-SCORE-2 Auch das niedergegangene Reich wird gewertet: 1 SP je Provinz, Gebirge 0, und was seine dauerhaften Eigenschaften bringen.
- R-SCORE-3 Keines der beiden Reiche hat etwas von den Eigenschaften des anderen, weder bei der Wertung noch sonst.

### Neu aufstellen
- R-REDEP-1 Wenn der Zug des Angreifers vorbei ist, setzt jeder andere Platz mit Überlebenden, in Platzfolge nach dem Angreifer, sie alle
  beliebig in Provinzen seines aktiven Reichs: eine Entscheidung für alle Angriffe des Zuges, und keine, wenn er nur noch eine Provinz hat. Nur
  Überlebende bewegen sich. Eine verlorene Provinz kommt nicht zurück, auch wenn der Angreifer sie nicht behalten hat. [Option](#12-ausgaben):
  Überlebende setzen (\`redeployment\`).
- R-REDEP-2 Ist keine Provinz mehr da, kommen sie in den Vorrat, und der Platz betritt in seinem Zug das Brett von neuem. (Bei \`auto_decline\`
  sind sie verloren.) [Option](#12-ausgaben): Ein Reich ohne Land (\`landless_empire\`).
- R-REDEP-3 Mit \`redeployment = automatic\` werden sie nach Verteidigung verteilt wie in R-DUMMY-4, bei Gleichstand in die erste Provinz in der
  Folge des Bretts. [Option](#12-ausgaben): Überlebende setzen (\`redeployment\`).

## 4. Niedergang

- R-DECL-1 Zu Beginn eines beliebigen Zuges statt der Ausbreitung erklärt, auch für eine Zivilisation, die das Brett nicht betreten hat oder
  nichts hält. Mit Renaissance auch am Ende eines Zuges: nachdem die Steine des Generals gegangen, Festungen gesetzt und die Punkte gewertet
  sind; mehr wird nicht gewertet, und die neue Zivilisation kommt im nächsten Zug.
- R-DECL-2 Zuerst verlässt das alte niedergegangene Reich das Brett: Steine, Festungen, Eigenschaften.
- R-DECL-3 In jeder Provinz des Reichs bleibt ein Stein, als niedergegangen gekennzeichnet; überzählige Steine sind weg. Festungen bleiben.
- R-DECL-4 Die Eigenschaften kommen in den Beutel, außer dauerhaftem Ackerbau, dauerhafter Viehzucht, dauerhaftem Bergbau, dauerhaften Häfen,
  und Spezialisierung neben einer davon. Erbe, Renaissance und Festungen bleiben nie. (Dauerhafter neben einfachem Ackerbau: zwei Exemplare,
  solange das Reich aktiv ist, eines im Niedergang.)
- R-DECL-5 Der Platz wertet (R-SCORE-2), dann wählt er eine Zivilisation (Abschnitt 2). Mit \`decline_score = all\` bringt das Reich dieses Mal
  noch, was alle seine Eigenschaften bringen. Eben zurückgekommene Eigenschaften können für Feld VI
  gezogen werden. [Option](#12-ausgaben): Punkte im Zug des Niedergangs (\`decline_score\`).
- R-DECL-6 Niedergegangene Provinzen breiten sich nie aus und brauchen keinen Zusammenhalt. Sie fallen wie alle anderen: je ein Stein.
- R-DECL-7 Ist die letzte Provinz eines niedergegangenen Reichs weg, kommen seine dauerhaften Eigenschaften sofort in den Beutel zurück.

## 5. Ein aktives Reich ohne Land

- R-LAND-1 \`choice\` (FR, WEB): Der Platz betritt das Brett von neuem (R-ENTRY-4) mit den Steinen, die er noch hat (sogar mit keinem, um einen
  großen Niedergang zu behalten), oder erklärt den Niedergang. Mit 0 Steinen: mobilisieren (Medizin und General zählen), erobern, was bezahlbar
  ist, nichts behalten, werten. [Option](#12-ausgaben): Ein Reich ohne Land (\`landless_empire\`).
- R-LAND-2 \`auto_decline\` (NL): Ein Platz, dessen aktives Reich seine letzte Provinz an einen anderen Platz verloren hat, muss in seinem
  nächsten Zug den Niedergang erklären (Wertung 0 dafür). Sein älteres niedergegangenes Reich verschwindet in dem Augenblick, in dem diese
  Provinz fällt, Überlebende sind weg. Nicht für eine Zivilisation, die das Brett nicht betreten hat, eigenes Aufgeben, oder Provinzen, die nach
  dem Abgang des Generals aufgegeben werden. Renaissance hilft nicht. Der Niedergang ist eine Aktion wie jede andere, die einzige, die dann
  erlaubt ist. [Option](#12-ausgaben): Ein Reich ohne Land (\`landless_empire\`).
- R-LAND-3 \`auto_decline_no_pawn\` (DE): wie R-LAND-2, aber nur wenn kein Stein übrig ist; sonst R-LAND-1. (DE und WEB widersprechen sich selbst;
  dies folgt dem ersten Satz von DE, und „darf mit 0 oder 1 Stein wiederkommen“ von WEB.) [Option](#12-ausgaben): Ein Reich ohne Land
  (\`landless_empire\`).

## 6. Eigenschaften

Exemplare einer Wirkung zählen zusammen (Spezialisierung, oder zwei Arten eines Namens). SP je Provinz gelten für jedes Exemplar.
[Option](#12-ausgaben): Stärken von Eigenschaften (\`strengths\`).

| Eigenschaft | Stärke | Quelle | Wirkung |
|---|---|---|---|
| Ackerbau | 2 | house | +1 SP je Ackerland; die dauerhafte Art auch im Niedergang (Stärke 1, Hausregel) |
| Viehzucht | 2 | review | +1 SP je Weideland; dauerhafte Art (1, Hausregel) |
| Bergbau | 2 | house | +2 SP je Provinz mit einer Mine; dauerhafte Art (1, Hausregel) |
| Häfen | 2 | house | +1 SP je Provinz mit einem Hafen; dauerhafte Art (1, Hausregel) |
| Währung | 0 | house | +1 SP je Provinz, auch Gebirge |
| Sklaverei | 2 | house | +1 SP je fremdem oder neutralem Stein, der in diesem Zug entfernt wurde (auch niedergegangene; nicht Festungen, Überlebende, eigene) |
| Waffen | 3 | review | Eroberungen kosten 1 weniger |
| Spione | 4 | house | einmal je Zug kostet eine Eroberung genau 2 (R-CONQ-7) |
| Festungen | 3 | house | in jedem Zug darf eine Festung gebaut werden (R-REORG-5); eine Festung macht ihre Provinz um 1 teurer, Angriffe aus ihr um 1 billiger, und bleibt im Niedergang |
| Galeeren | 4 | house | Eroberungen entlang einer Küste, und übers Meer, kosten 1 weniger |
| General | 2 | review | +7 Steine beim Mobilisieren, vor Neuordnung und Zusammenhalt zurückgenommen |
| Miliz | 4 | house | Eroberungen ihrer Provinzen kosten 1 mehr |
| Bergvolk | 4 | rules | Eroberungen von Gebirge kosten 1 weniger; +1 SP je Gebirge |
| Astronomie | 5 | rules | verbundene Meere verbinden Provinzen: beim Betreten (R-ENTRY-3), bei Eroberungen (R-CONQ-4) und für den Zusammenhalt (R-REORG-2) |
| Barbaren | 6 | rules | viele Steine, sonst nichts |
| Diplomatie | 4 | house | in jedem Zug Frieden mit einem Gegner (R-PEACE-1) |
| Erbe | 4 | house | das aktive Reich darf den eigenen Niedergang berühren (R-CONTACT-3) |
| Medizin | 3 | house | +1 Stein bei jedem Mobilisieren |
| Botschaften | 5 | house | das Reich darf geteilt sein: kein Zusammenhalt |
| Renaissance | 3 | house | der Niedergang darf auch auf die Wertung einer Ausbreitung folgen (R-DECL-1) |
| Revolution | 4 | house | die erste Provinz darf überall liegen (R-ENTRY-3) |
| Spezialisierung | andere + 1 | rules | zwei Exemplare der anderen Eigenschaft |

Zwei Exemplare: Ackerbau, Viehzucht, Häfen, Währung +2 SP; Bergbau +4; Bergvolk +2 SP und -2; Sklaverei 2 je Stein; Waffen, Galeeren -2;
Miliz +2; Spione zweimal je Zug; Medizin 2; General 14 hinein, 14 hinaus; Diplomatie zwei Gegner; Festungen zwei je Zug. Astronomie,
Barbaren, Erbe, Botschaften, Renaissance und Revolution behalten ihre gewöhnliche Wirkung (die Stärke verdoppelt sich dennoch, plus 1).
Farben: gelb (SP) Ackerbau bis Sklaverei; rosa (Eroberung, Verteidigung) Waffen bis Bergvolk; blau der Rest.

## 7. Ende

- R-END-1 Wenn ein Stand irgendwann das Ziel erreicht oder übersteigt (auch durch den Markt und die Eröffnungswahl), wird die Runde zu Ende
  gespielt: Der Platz vor dem ersten spielt als letzter. (In der Eröffnungswahl: die erste Runde von Zügen.)
- R-END-2 Die meisten SP gewinnen; gleiche Stände teilen den Rang.
- R-END-3 Ein einmal erreichtes Ziel bleibt erreicht, auch wenn später SP bezahlt werden.
- R-END-4 Das Ziel kann für ein Spiel gesetzt werden, über den SP vom Anfang. [Option](#12-ausgaben): SP, die das Spiel beenden (\`target\`).
- R-END-5 Hausregel: Ein Spiel endet auch nach der Runde \`max_rounds\` (gewöhnlich 100), damit jedes Spiel endet. [Option](#12-ausgaben):
  Höchstzahl der Runden (\`max_rounds\`).

### Abwesenheit (Hausregel)
- R-FORFEIT-1 Ein Platz, der aufgibt, spielt und wertet nicht mehr; seine Provinzen, Steine und Festungen bleiben und verteidigen;
  Überlebende werden von selbst neu aufgestellt; Frieden mit ihm endet. Seine Züge werden übersprungen. Er steht im Rang unter jedem Platz,
  der nicht aufgegeben hat, wer später aufgab über dem, der früher aufgab. Ist ein Platz übrig, endet das Spiel. Wer mitten in einem Zug
  aufhört, lässt seine Besatzungen, wie sie liegen, auch die des Generals; ohne Stein eroberte Provinzen werden leer, und der Vorrat ist aus
  dem Spiel.
- R-FORFEIT-2 Ein Platz, den ein Ersatz übernimmt, spielt nach seinen eigenen Regeln: keine zusätzlichen Steine eines Dummys, der
  Zusammenhalt gilt. Dummys sitzen nur, wo der Tisch mit ihnen aufgebaut wurde. [Option](#12-ausgaben): Wer weg ist (\`absence\`).
- R-FORFEIT-3 Die Standardaktion, wenn eine Uhr abläuft oder ein Bot keinen Versuch mehr hat: Feld I; kein Frieden; nichts aufgegeben; keine
  Eroberung (verlangt R-ENTRY-4 eine, die billigste, die erste in der Folge des Bretts); die vorgeschlagene Neuordnung, keine Festung; kein
  Niedergang; die vorgeschlagene Aufstellung. [Optionen](#12-ausgaben): Wenn die Zeit um ist (\`timeout\`), Nach dem letzten Versuch (\`refused\`).

## 8. Allein und zu zweit: Dummys

- R-DUMMY-1 Eine Person trifft auf drei Dummys, zwei auf zwei: vier Plätze, 150 SP, Platzfolge zufällig. Die Zivilisation eines echten
  Spielers bekommt 6 zusätzliche Steine, die eines Dummys 8. Dummys dürfen auch Plätze jedes anderen Tisches füllen (Hausregel): dort bekommen
  sie 2 mehr, als die Tabelle sagt. [Optionen](#12-ausgaben): SP, die das Spiel beenden (\`target\`), Zusätzliche Steine eines Dummys
  (\`dummy_extra_pawns\`).
- R-DUMMY-2 Ein Dummy nimmt immer Feld I, mit den SP der Marker. Er gibt nie eine Provinz auf und kümmert sich nicht um Zusammenhalt.
- R-DUMMY-3 Die erste und jede weitere Eroberung: die bezahlbare Provinz mit dem größten Wert; dann die billigste; dann zufällig. Wert = SP, die
  ihm die Provinz bringt, plus Sklaverei, minus die SP, die sein Niedergang dadurch verliert. Was 0 oder weniger wert ist, wird trotzdem
  genommen, zuletzt. Er macht weiter, solange sein Vorrat nicht leer und etwas bezahlbar ist. Mit \`dummy_tie = real_player\` nimmt er bei
  Gleichstand nach den Kosten lieber die Provinz eines echten Spielers. Mit \`dummy_preference = formula\` kommen die kleinsten Kosten - 2 x Wert
  zuerst (ein leeres Gebirge, 3 - 2x0, vor einem Ackerland vom Wert 2 hinter 6 Steinen, 8 - 2x2), dann die billigste wie zuvor.
  [Optionen](#12-ausgaben): Gleichstand beim Dummy (\`dummy_tie\`), Was ein Dummy zuerst erobert (\`dummy_preference\`).
- R-DUMMY-4 Neu ordnen für gleichmäßige Verteidigung: ein Stein in jede Provinz, dann einer nach dem anderen dorthin, wo ein Angriff am
  wenigsten kostet. Gelände, Steine, alte Festungen und Miliz zählen, Festungen dieses Zuges nicht. Unter gleichen kommen zuerst Provinzen in
  Gefahr, dann die wertvollsten, dann entscheidet der Zufall. In Gefahr sind, wenn eine Zivilisation angekündigt ist (ein anderer Platz hat
  eine ohne Land), die Provinzen, die R-ENTRY-1 öffnet; sonst die neben einem feindlichen aktiven Reich. Plätze, die das Spiel verlassen
  haben, zählen hier nicht. Mit weniger Steinen als Provinzen behält er die wertvollsten, dann die, wo ein Angriff am meisten kostet
  (Hausregel). Überlebende werden nach derselben Regel neu aufgestellt.
- R-DUMMY-5 Niedergang wird zu Beginn seines Zuges erwogen, wenn sein aktives Reich so, wie es steht, weniger als 10 SP brächte und seine freien
  Steine 0 bis 5 sind (sein Vorrat nach dem Mobilisieren, Medizin mitgezählt, General nicht): Er würfelt mit einem Würfel und geht nieder,
  wenn der Wurf seine freien Steine übersteigt. General: nur mit weniger als 3 freien, und vom Wurf geht 2 ab (einmal). Renaissance:
  stattdessen am Ende des Zuges, freie Steine = Steine minus Provinzen, Wert ohne Sklaverei. Ohne Land ist sein Wert 0, und alle seine Steine
  sind frei. Der automatische Niedergang (Abschnitt 5) geht vor.
- R-DUMMY-6 Galeeren: Ein Reich ohne Land betritt eine Provinz, die ein Meer berührt, das kein Binnenmeer ist, wenn eine bezahlbar ist. Spione:
  Solange sie ungenutzt sind, heißt Kosten das kleinere von den gewöhnlichen Kosten und 2, und sie werden genutzt, wenn das die Kosten der
  genommenen Provinz senkt. Mit \`dummy_spies = tie\` heißt Kosten die gewöhnlichen Kosten, und sie werden nur für eine von mehreren Provinzen
  genutzt, die nach den Kosten gleich sind (R-DUMMY-3), wenn das ihre Kosten senkt, oder für ein Betreten, das R-ENTRY-4 verlangt und das sonst
  nicht bezahlbar ist. Festungen: in der Provinz ohne eine, die die meisten Nachbarn mit Steinen anderer Plätze oder neutralen hat, dann die
  höchste Summe der Werte dieser Nachbarn, dann zufällig. Astronomie und Revolution: Alle Provinzen, die sie öffnen, werden betrachtet.
  Diplomatie: immer Frieden mit einem echten Spieler (zufällig zwischen zweien; zweites Exemplar: der andere; keiner: niemand). Erbe: bei
  Gleichstand in R-DUMMY-3, vor \`dummy_tie\` und dem Würfel, die Provinz neben dem eigenen Niedergang, die ein feindliches aktives Reich hält.
  [Optionen](#12-ausgaben): Spione eines Dummys (\`dummy_spies\`), Gleichstand beim Dummy (\`dummy_tie\`).
- R-DUMMY-7 Schwerer: 15 SP am Anfang statt 10, 9 oder mehr zusätzliche Steine statt 8. [Optionen](#12-ausgaben): SP eines Dummys am Anfang
  (\`dummy_start_vp\`), Zusätzliche Steine eines Dummys (\`dummy_extra_pawns\`).

## 9. Durchgerechnete Beispiele

WEB, auf der Europakarte mit einer Zivilisation von 13 Steinen, deren Eigenschaften keine Rolle spielen (4 Plätze, Erbe + Renaissance:
6 + 4 + 3): Betreten in Baetica (Wald, 2 Verteidiger) 5; Pyrenäen (Gebirge, leer) 3; hinab nach Kastilien (1 Verteidiger) aus dem Gebirge 2;
weiter nach Aquitanien (1 Verteidiger) aus dem Gebirge 2. Ein Stein ist übrig, zu wenig für mehr. Der Verteidiger (aktiv, hält auch
Lusitanien) verliert 3 Steine und hat 1 Überlebenden zu setzen. Der Angreifer verteilt 13 Steine auf 4 Provinzen.

Eine leere Ebene kostet aus dem Gebirge 1; mit einmal Waffen 0. Eine Festung im Gebirge macht einen Angriff von dort um 2 billiger. Mit
Astronomie: Irland, dann Norwegen, dann Neapel.

## 10. Zufall

Zufällig sind nur der erste Platz, die Platzfolge mit Dummys, das Ziehen der Eigenschaften und die Würfel und Gleichstände der Dummys. All das
kommt nach einem beschriebenen, von keiner Programmiersprache abhängigen Verfahren aus einem Startwert (seed)
([chance.md](chance.md)), so dass jeder ein Spiel nachspielen und die Ziehungen prüfen kann.

## 11. Was alle wissen

Alles auf dem Tisch ist offen. Der Inhalt des Beutels ergibt sich aus dem, was draußen ist; nur die Reihenfolge der Ziehungen ist verborgen.

## 12. Ausgaben

| Option | standard | FR | NL | DE | WEB |
|---|---|---|---|---|---|
| \`own_decline_contact\` | evacuate | evacuate | forbid | forbid | evacuate |
| \`heritage_conquest\` | allowed | allowed | forbidden | forbidden | allowed |
| \`landless_empire\` | choice | choice | auto_decline | auto_decline_no_pawn | choice |
| \`landless_entry\` | forced | forced | forced | forced | free |
| \`split_empire\` | regroup | regroup | lose (eine Lesart) | lose (eine Lesart) | regroup (eine Lesart) |
| \`give_up\` | only_if_forced | only_if_forced | free | free | only_if_forced |
| \`galleys_on_entry\` | yes | yes | yes (Hausregel) | no | no |
| \`forts_by_sea\` | no | no | no | no | no |
| \`identical_pair\` | redraw | keep | redraw | redraw | keep |
| \`deck\` | author | printed | printed | printed | author |
| \`redeployment\` | manual | manual | manual | manual | manual |
| \`decline_score\` | lasting | lasting | lasting | lasting | lasting |
| \`dummy_tie\` | random | random | random | random | random |
| \`dummy_preference\` | value | value | value | value | value |
| \`dummy_spies\` | always | always | always (eine Lesart) | always (eine Lesart) | always |

\`standard\`, was ohne Wahl gilt, ist das französische Heft mit den Errata des Autors und dem neuen Ziehen von NL und DE. Jede Option kann auch
einzeln gesetzt werden, im Formular für eine neue Partie oder wie in \`vinci play --option give_up=free\`. \`deck\`: \`author\` = 3 Barbaren und 1
Spezialisierung, \`printed\` = 2 und 2. NL druckt keine Texte der Eigenschaften: Es nimmt die von FR. Mit \`identical_pair = keep\` hat ein Paar
gleicher Eigenschaften zweimal die gedruckte Stärke und zwei Exemplare der Wirkung, mit denselben Ausnahmen wie Spezialisierung.

In allen Ausgaben gleich: \`target\`, \`max_rounds\`, \`dummy_start_vp\`, \`dummy_extra_pawns\` (Zahlen), \`strengths\` (wie \`strengths=WEA:5\`; nicht im
Formular), \`timeout\`, \`absence\` und \`refused\`.

### Lesarten

Wo ein Heft mehrdeutig ist, gilt hier dies. Die Spalte \`reading\` der Tabelle der Ausgaben sagt dasselbe.

- \`split_empire\` (R-REORG-2): In NL und DE sind die Steine abgeschnittener Teile am Ende des Zuges verloren, vor der Wertung (DE „erst am Ende
  der Runde aber vor Ermittlung der Siegpunkte“), doch davor werden die Steine umgruppiert. Man könnte sie also erst herausholen: \`lose_at_end\`;
  wer alle herausholt, spielt wie mit \`regroup\`. Wir folgen dem Rat beider Hefte, sie am Anfang des Zuges wegzunehmen: \`lose\`. Auch
  das \`regroup\` von WEB ist eine Lesart.
- \`dummy_spies\` (R-DUMMY-6): NL und DE rechnen Spione nur bei gleichen Kosten („wenn die Kosten … gleich sind“): \`tie\`. Alle Ausgaben spielen FR,
  das sie rechnet, wenn es die Kosten von Provinzen gleichen Wertes vergleicht: \`always\`.
- \`dummy_tie = real_player\` (R-DUMMY-3): nach den Kosten, wie in FR („en cas de nouvelle égalité“). NL und DE sagen nur, dass dies bei Gleichstand
  vorgeht.
- \`landless_entry\`: WEB spricht vom Wiederkommen mit 0 oder 1 Stein; mit \`free\` darf man mit jeder Zahl dem Brett fernbleiben.
- \`galleys_on_entry\`: DE und WEB geben Galeeren für Eroberungen übers Meer mit Astronomie, was auch das Betreten sein könnte: \`astronomy\`.
- \`forts_by_sea\`: Bei Eroberungen übers Meer schließt DE nur den Vorteil des Gebirges aus: \`yes\`. Wir folgen FR, das beide ausschließt.
- \`identical_pair\`: Eine dauerhafte und eine einfache Eigenschaft gleichen Namens sind nicht gleich. DE („zwei gleiche Kärtchen“) lässt es offen.
- \`decline_score\`: NL sagt, dass ein Reich im Zug seines Niedergangs wie gewohnt gewertet wird, was auch alle Eigenschaften meinen könnte: \`all\`.
- Folge von Wertung und Wahl (R-DECL-5): In NL und DE steht die Wahl der neuen Zivilisation vor der Wertung. Wir werten zuerst, wie FR. Eine
  Option gibt es nicht: Es macht nur einen Unterschied, wenn diese Wertung das Feld bezahlt, und jede Stellung müsste sagen, ob noch eine
  Wertung aussteht.
- Wege (R-CONQ-4): Zwischen benachbarten Provinzen an verbundenen Meeren könnten sich Gebirge und Galeeren übers Meer addieren. Die Hefte
  unterscheiden sich nicht.
- Renaissance (R-DECL-1): „am Ende eines Zuges“ könnte heißen: nur dann. Der Beginn eines Zuges bleibt erlaubt; die Hefte unterscheiden sich
  nicht.
- Galeeren eines Dummys (R-DUMMY-6): FR und WEB binden seinen ersten Zug, NL und DE die erste Runde. Wir binden ihn immer, wenn er kein Land hat:
  Wer alles verlor, betritt das Brett wie am Anfang.
- Provinzen in Gefahr (R-DUMMY-4): Die Hefte nennen die am Rand („provinces de bord“, „am Spielbrettrand“). Wir nehmen alle, wo eine neue
  Zivilisation das Brett betreten kann, auch übers Meer.
- Diplomatie (R-PEACE-1): Nur FR sagt, dass man niemanden nennen muss („On peut également n'en choisir aucun“). Wir erlauben es in allen Ausgaben.
- Festungen (R-REORG-5): FR, DE und die Karte von WEB sagen, dass eine gesetzt wird, die Klarstellungen von WEB, dass man es darf („autorise“).
  Wir folgen diesen.
- Zwei Spezialisierung (R-SETUP-4): Dass eine beiseitegelegt wird, ist ein Erratum von WEB, das im französischen Heft nicht steht. Mit \`keep\` wenden
  wir es auch in FR an.
- Bezahlung (R-DRAFT-2): Kein Heft sagt, wer was bezahlen darf. Zuerst wird bezahlt, und kein Stand fällt unter 0.

### Über dieses Dokument

Jede Regel hat eine Kennung (\`R-…\`), unter der man sie nachschlagen kann. Die Regeln führen das französische Heft (FR), das niederländische Heft
(NL), das deutsche Heft (DE) und eine französische Darstellung im Netz mit Errata und Klarstellungen des Autors (WEB) zusammen. Wo sie
übereinstimmen, steht eine Regel. Wo sie sich unterscheiden, gibt Abschnitt 12 jeder Lesart den Wert einer Option, oder er sagt, welcher
Lesart wir folgen und warum. *Hausregel* steht bei dem, was kein Dokument sagt und was wir entschieden haben.

Quellen der Stärken in Abschnitt 6: \`rules\`: in den Dokumenten gedruckt. \`review\`: aus veröffentlichten Besprechungen. \`house\` (Hausregel): unser eigener Wert, weil keine
verfügbare Quelle ihn druckt.

`;export{e as default};