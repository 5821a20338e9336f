var e=`# Regels van Vinci

Vertaling van [rules.md](rules.md): bij verschil geldt de Engelse tekst.

\`vinci tutorial\` leert Vinci in een kort spel. De volgende afdeling vertelt
hoe het gaat; al het andere is om op te zoeken.

## Het spel in het kort

**Doel.** Elke speler leidt beschavingen die opkomen, zich over de kaart
verspreiden en in verval raken. Elke beurt scoort een speler
overwinningspunten (OP) voor de provincies die hij bezit, en meer door
eigenschappen. Als een score het doel haalt, wordt de ronde uitgespeeld en
wint wie de meeste OP heeft.

**Idee.** Een beschaving krijgt haar pionnen één keer. Na een paar beurten kan
ze niet meer groeien; dan brengt haar speler haar in verval. Ze blijft op het
bord en scoort zolang ze er is, en de speler begint opnieuw met een nieuwe
beschaving. Wanneer men in verval gaat en wat men dan neemt, zijn de
beslissingen die tellen.

**Een ronde.** Vóór de eerste ronde kiest iedereen een beschaving van de markt
(afdeling 2). In een ronde heeft elke speler, op volgorde, één beurt (afdeling
3). De beurt is een uitbreiding, stap 1 tot 5, of een verval, stap 6.

1. Mobiliseren: één pion blijft in elke provincie, de andere gaan terug naar
   de reserve.
2. De ene provincie na de andere veroveren met pionnen uit de reserve: 2 voor
   een lege provincie, 3 voor bos of gebergte, 1 meer voor elke pion die haar
   verdedigt. Een nieuwe beschaving komt binnen vanaf de rand van het bord of
   over één zee; daarna gaat ze van een provincie naar de buren. De verdediger
   verliest één pion, zijn andere pionnen overleven.
3. Herverdelen: alle pionnen opnieuw plaatsen in het rijk. Het moet verbonden
   zijn; een provincie zonder pion wordt opgegeven.
4. Punten tellen: 1 OP voor elke provincie behalve gebergte, van het actieve
   en van het vervallen rijk, plus wat hun eigenschappen opleveren.
5. De anderen plaatsen hun overlevende pionnen in provincies die ze nog
   bezitten.
6. Of in verval gaan (afdeling 4): één pion blijft in elke provincie, een
   ouder vervallen rijk verlaat het bord, alle eigenschappen behalve blijvende
   zijn weg. De speler scoort en kiest een nieuwe beschaving, die de volgende
   beurt binnenkomt.

De eigenschappen van een beschaving veranderen deze stappen; afdeling 6 zegt
in één zin wat elk ervan doet.

## Woorden

Een **plaats** is een stoel aan tafel, bezet door een **speler**. Een **beschaving** is een paar
**eigenschappen** met haar pionnen, zoals ze in een **vak** van de **markt** ligt. Een beschaving in het spel is een **rijk**; een plaats
heeft hoogstens één **actief** en één **vervallen** rijk. **Pionnen** zijn de stukken: een **garnizoen** in een provincie, of de **reserve**
in de hand. **Neutrale** pionnen zijn van niemand. **Verval** is de daad. De **zak** bevat de eigenschappen die niet te zien zijn.
**Overlevenden** zijn de pionnen van een verdediger uit provincies die hij deze beurt verloor, opzijgelegd. OP = overwinningspunten.
FR, NL, DE en WEB noemen de edities waaruit een regel of lezing komt (afdeling 12).

## 1. Tafel

- R-SETUP-1 3 tot 6 plaatsen. Elke plaats begint met 10 OP. [Optie](#12-edities): OP van een dummy aan het begin (\`dummy_start_vp\`).
- R-SETUP-2 Eén neutrale pion op elke provincie behalve gebergte. Zeeën worden nooit bezet. Terreinen: akkerland, weiland, heuvels,
  bos, gebergte; een provincie kan ook een mijn of een haven hebben.
- R-SETUP-3 De zak bevat twee eigenschappen van elke soort; met \`deck = author\` 3 Barbaren en 1 Specialisatie. Landbouw, Veeteelt,
  Mijnen en Havens bestaan in een gewone en een blijvende soort, met een ster, \`*\`. [Optie](#12-edities): Eigenschappen in de zak (\`deck\`).
- R-SETUP-4 Zes beschavingen liggen op de markt, vakken I tot VI, elk met twee eigenschappen, willekeurig getrokken. Bij elke
  trekking gaan met \`identical_pair = redraw\` twee gelijke eigenschappen terug en worden er twee nieuwe getrokken tot ze verschillen.
  Met \`keep\` blijven ze, maar van twee Specialisaties wordt er één opzijgelegd, een andere getrokken tot die verschilt, en dan gaat
  ze terug in de zak. Een blijvende en een gewone eigenschap met dezelfde naam zijn niet gelijk. [Optie](#12-edities): Twee gelijke
  eigenschappen (\`identical_pair\`).
- R-SETUP-5 De eerste plaats wordt willekeurig getrokken; de andere volgen in plaatsvolgorde (met de klok mee). Aan een tafel met
  dummy's wordt de hele speelvolgorde getrokken (R-DUMMY-1); plaatsen houden hun nummers. “Plaatsvolgorde” en “de eerste plaats”
  bedoelen deze volgorde.
- R-SETUP-6 Vóór de eerste beurt kiest elke plaats op volgorde haar eerste beschaving (afdeling 2).

| plaatsen | 3 | 4 | 5 | 6 |
|---|---|---|---|---|
| OP waarmee het spel eindigt (\`target\`) | 150 | 120 | 100 | 100 |
| extra pionnen van elke beschaving | 8 | 6 | 4 | 3 |

## 2. Een beschaving kiezen

- R-DRAFT-1 Vak I is gratis. Vak n kost 2 OP voor elk van de n-1 beschavingen die overgeslagen worden; op elk daarvan komt een
  fiche van 2 OP.
- R-DRAFT-2 Wie een beschaving met k fiches neemt, krijgt 2k OP en de fiches gaan weg. Er wordt eerst betaald en dat moet mogelijk
  zijn: geen score zakt onder 0 (huisregel). (WEB kan gelezen worden als 2 OP voor alle fiches samen; FR, NL, DE zeggen elk.)
- R-DRAFT-3 Latere vakken schuiven op met hun fiches, voor vak VI worden twee eigenschappen getrokken: er liggen er altijd zes.
- R-DRAFT-4 Pionnen = sterkte van eigenschap 1 + sterkte van eigenschap 2 + extra pionnen naar het aantal plaatsen. Meer krijgt ze
  nooit (Geneeskunde daargelaten). Er is geen grens van 25. [Optie](#12-edities): Sterkten van eigenschappen (\`strengths\`).
- R-DRAFT-5 Specialisatie heeft de sterkte van de andere eigenschap plus 1 (5 plaatsen, Barbaren + Specialisatie: 4 + 6 + 7 = 17;
  5 plaatsen, Astronomie 5 + Bergbewoners 4: 13; 4 plaatsen: 15).

## 3. Een beurt

Een beurt is een uitbreiding of een verval (afdeling 4). Verloop van een uitbreiding: vrede (alleen Diplomatie), mobiliseren,
veroveren, herverdelen met forten, punten tellen, verval (alleen Renaissance), dan herplaatsen de andere plaatsen. Als het spel
voorbij is, herplaatst niemand.

### Vrede
- R-PEACE-1 Een plaats met Diplomatie in haar actieve rijk noemt een tegenstander of niemand (twee exemplaren: twee verschillende)
  voordat ze mobiliseert, ook in de beurt waarin ze binnenkomt. Tot haar volgende beurt begint, wat ze daarna ook doet, verovert
  geen van beide actieve rijken provincies van het andere. De tegenstander hoeft niet op het bord te staan. Vervallen rijken vallen
  er niet onder. In een beurt met verval wordt niemand genoemd.

### Mobiliseren
- R-MOB-1 Eén pion blijft in elke provincie, de rest gaat terug naar de reserve.
- R-MOB-2 Provincies mogen opgegeven worden, eenmaal te beslissen, vóór de eerste verovering: al hun pionnen gaan terug naar de
  reserve, een fort daar gaat weg, de provincie is leeg (en kan tegen haar kosten weer ingenomen worden).
- R-MOB-3 Wie alles opgeeft, of niets bezit, komt binnen als een nieuwe beschaving.
- R-MOB-4 Geneeskunde voegt nu 1 per exemplaar toe aan de reserve en Generaal 7 per exemplaar, ook in de eerste beurt.
- R-MOB-5 Hoe het gespeeld wordt: mobiliseren gaat vanzelf als de beurt begint. \`decline\` en daarna \`peace\` zijn alleen toegestaan
  vóór al het andere; provincies worden opgegeven met één actie per provincie tot de eerste verovering; dan veroveringen tot \`hold\`
  (herverdelen). Niemand noemen is doorgaan zonder \`peace\`; een \`peace\` sluit een verval aan het begin van die beurt uit (niet dat van
  Renaissance).

### Binnenkomen
- R-ENTRY-1 De eerste provincie moet aan de rand van het bord liggen, of aan een zee die aan de rand ligt (er wordt precies één zee
  overgestoken). Op de kaart van Europa kan dat in Schotland en Ierland; niet in Frankrijk en niet in Noord-Italië.
- R-ENTRY-2 De eerste provincie wordt veroverd tegen haar gewone kosten. Er is geen uitgangsprovincie, dus geen voordeel van gebergte of
  fort; Wapens, Bergbewoners en Spionnen tellen. Men komt over zee binnen als de provincie aan een zee aan de rand ligt (Astronomie:
  elke zee die daarmee verbonden is), ook als ze zelf aan de rand ligt. Galeien tellen alleen bij binnenkomst over zee, niet bij keuzen
  van Revolutie in het binnenland. Met \`galleys_on_entry = no\` tellen ze dan nooit, met \`astronomy\` alleen voor een rijk met Astronomie.
  [Optie](#12-edities): Galeien bij binnenkomst (\`galleys_on_entry\`).
- R-ENTRY-3 Astronomie: er mogen zoveel zeeën overgestoken worden als men wil. Revolutie: elke provincie mag de eerste zijn.
- R-ENTRY-4 \`landless_entry = forced\` (FR “doit”; NL, DE): een plaats zonder provincie mag haar veroveringen alleen beëindigen als geen
  eerste verovering toegestaan en betaalbaar is, of als ze geen eigen pion heeft. Pionnen die Generaal leent of die deze beurt nieuw
  zijn door Geneeskunde, zijn geen eigen pionnen: FR staat toe een volk zonder pion te houden zoals het is. \`free\` (WEB “peut”): ze mag
  altijd buiten het bord blijven. Haar pionnen blijven in reserve; haar vervallen rijk scoort; de volgende beurt mag ze binnenkomen.
  [Optie](#12-edities): Binnenkomen zonder land (\`landless_entry\`).

### Verovering
- R-CONQ-1 Van een provincie die men bezit naar een aangrenzende; een net ingenomen provincie kan de basis voor de volgende zijn.
  Pionnen op het bord blijven staan tot de herverdeling.
- R-CONQ-2 Aangrenzend betekent een landgrens of een zeestraat (een grens over kustwater: Schotland en Ierland). Een gedeelde kust op
  zich is geen aangrenzing: ze geeft de korting van Galeien tussen provincies die aan elkaar grenzen.
- R-CONQ-3 Kosten = 2, of 3 voor bos en gebergte; + 1 per verdedigende pion (vijandelijk, neutraal, of van het eigen verval); + 1 voor
  een fort; + 1 per Militie van het actieve rijk dat de provincie bezit; - 1 als de uitgangsprovincie gebergte is; - 1 als daar een
  fort staat (allebei bij een gebergte met fort); - 1 per Wapens; - 1 per Galeien als uitgang en doel een kust delen; - 1 per
  Bergbewoners als het doel gebergte is. Nooit onder 0.
- R-CONQ-4 De goedkoopste weg telt: vanuit één aangrenzende provincie (gebergte, fort en kust als boven), of over zee met Astronomie
  (uitgang en doel liggen aan verbonden zeeën: Galeien, maar geen gebergte, en geen fort tenzij \`forts_by_sea = yes\`). De twee worden
  niet gemengd. [Optie](#12-edities): Forten over zee (\`forts_by_sea\`).
- R-CONQ-5 Een verovering met kosten 0 plaatst geen pion en mag met een lege reserve. De provincie is een basis, en blijft alleen
  behouden als ze bij de herverdeling een pion krijgt.
- R-CONQ-6 De verdediger verliest voorgoed één pion, als er een stond, ook als de aanvaller de provincie niet houdt. Zijn andere
  pionnen daar worden overlevenden. De aanvaller verliest niets. Een neutrale pion gaat weg. Een fort daar gaat weg.
- R-CONQ-7 Spionnen: eenmaal per beurt per exemplaar mag de plaats verklaren dat een verovering precies 2 kost, wat er verder ook
  geldt (ook als de gewone kosten lager zijn). Bereikbaarheid en vrede blijven gelden.
- R-CONQ-8 Zeeën worden alleen met Astronomie overgestoken (en bij het binnenkomen). Eigen actieve provincies en die van een actief
  rijk waarmee vrede is, kunnen niet veroverd worden.

### Contact met het eigen verval
- R-CONTACT-1 \`evacuate\` (FR, WEB): na elke verovering, ook met kosten 0, worden alle provincies van het vervallen rijk van de plaats
  die aan haar actieve rijk grenzen (R-CONQ-2; een verbinding over zee is geen contact) meteen ontruimd, met forten. Dat wordt niet
  teruggedraaid als de provincie opgegeven wordt, en levert niets op voor Slavernij. Een provincie van het eigen verval die nog geen
  contact heeft (binnenkomen, Astronomie) mag veroverd worden; haar pion verdedigt (huisregel). [Optie](#12-edities): Contact met het
  eigen verval (\`own_decline_contact\`).
- R-CONTACT-2 \`forbid\` (NL, DE): veroveringen van eigen vervallen provincies, of ernaast, zijn verboden. [Optie](#12-edities): Contact
  met het eigen verval (\`own_decline_contact\`).
- R-CONTACT-3 Erfgoed op het actieve rijk: contact mag en ontruimt niets. Met \`heritage_conquest = allowed\` (FR, WEB) kunnen de eigen
  vervallen provincies veroverd worden tegen gewone kosten, waarbij pion en fort verdedigen, zonder Slavernij; \`forbidden\` (NL, DE):
  niet. [Optie](#12-edities): Eigen Erfgoed-provincies veroveren (\`heritage_conquest\`).

### Herverdelen
- R-REORG-1 Beëindigt de veroveringen. Eerst vertrekken de pionnen van Generaal. Dan worden alle pionnen vrij over het rijk verdeeld;
  er wordt er geen achtergehouden, tenzij men geen provincie bezit.
- R-REORG-2 Samenhang: de provincies die men houdt moeten verbonden zijn (door aangrenzing; met Astronomie ook door verbonden zeeën
  waaraan ze liggen). Is het rijk gesplitst, dan houdt de plaats één deel. \`regroup\` (FR): de pionnen van de andere delen sluiten zich
  daarbij aan. \`lose\` (NL, DE): de garnizoenen in de andere delen gaan verloren. De pionnen van Generaal vertrekken dan eerst uit de
  reserve. Wat de reserve te kort komt vertrekt uit garnizoenen, en de plaats kiest uit welke: ze plaatst een aantal pionnen van een
  minimum (zoveel mogelijk vertrok uit het behouden deel) tot een maximum (zoveel mogelijk vertrok uit de andere). \`lose_at_end\`: pionnen
  van de andere delen mogen zich daar eerst bij aansluiten; wat achterblijft gaat verloren. Minstens 1 pion wordt in het behouden deel
  geplaatst. Berichten en dummy's trekken zich niets aan van samenhang. Ze geldt alleen op dit moment; tussen de beurten mag een rijk
  gesplitst zijn. [Optie](#12-edities): Een gesplitst rijk (\`split_empire\`).
- R-REORG-3 \`give_up = only_if_forced\` (FR, WEB): met n pionnen en een deel van m provincies worden precies min(n, m) provincies
  gehouden, elk met een pion of meer. Is n < m, dan kiest de plaats welke (verbonden, tenzij vrijgesteld). \`free\` (NL, DE): elke
  verbonden groep mag gehouden worden, als elke pion maar geplaatst wordt. Met n = 0 of m = 0 wordt niets gevraagd.
  [Optie](#12-edities): Provincies opgeven (\`give_up\`).
- R-REORG-4 Een provincie zonder pion is van niemand; een fort daar gaat weg. Ze kan geen delen verbinden.
- R-REORG-5 Forten: de laatste stap; er mag hoogstens één fort per exemplaar gebouwd worden (het hoeft niet), elk in een andere
  provincie die men houdt en die er geen heeft. Een fort telt altijd 1. Er zijn er genoeg.

### Punten tellen
- R-SCORE-1 1 OP per provincie van het actieve rijk, gebergte 0, plus wat de eigenschappen opleveren (ook Slavernij).
- R-SCORE-2 Het vervallen rijk scoort ook: 1 OP per provincie, gebergte 0, plus wat zijn blijvende eigenschappen opleveren.
- R-SCORE-3 Geen van beide rijken heeft iets aan de eigenschappen van het andere, bij het tellen noch bij iets anders.

### Herplaatsen
- R-REDEP-1 Als de beurt van de aanvaller voorbij is, plaatst elke andere plaats met overlevenden, in plaatsvolgorde na de aanvaller,
  ze allemaal naar wens in provincies van haar actieve rijk: één beslissing voor alle aanvallen van de beurt, en geen als ze nog maar
  één provincie heeft. Alleen overlevenden verplaatsen zich. Een verloren provincie komt niet terug, ook niet als de aanvaller haar
  niet hield. [Optie](#12-edities): Overlevenden plaatsen (\`redeployment\`).
- R-REDEP-2 Is er geen provincie meer, dan gaan ze naar de reserve, en de plaats komt in haar beurt opnieuw binnen. (Bij
  \`auto_decline\` zijn ze verloren.) [Optie](#12-edities): Een rijk zonder land (\`landless_empire\`).
- R-REDEP-3 Met \`redeployment = automatic\` worden ze verdeeld naar verdediging zoals in R-DUMMY-4, bij gelijkheid de eerste provincie in
  bordvolgorde. [Optie](#12-edities): Overlevenden plaatsen (\`redeployment\`).

## 4. Verval

- R-DECL-1 Te verklaren aan het begin van elke beurt in plaats van de uitbreiding, ook voor een beschaving die nog niet binnen is of
  niets bezit. Met Renaissance ook aan het eind van een beurt: nadat de pionnen van Generaal vertrokken zijn, forten geplaatst zijn en
  de punten geteld; er wordt niets meer gescoord, en de nieuwe beschaving komt de volgende beurt binnen.
- R-DECL-2 Eerst verlaat het oude vervallen rijk het bord: pionnen, forten, eigenschappen.
- R-DECL-3 Eén pion blijft in elke provincie van het rijk, gemerkt als vervallen; overtollige pionnen zijn weg. Forten blijven.
- R-DECL-4 De eigenschappen gaan in de zak, behalve blijvende Landbouw, Veeteelt, Mijnen, Havens, en Specialisatie naast een daarvan.
  Erfgoed, Renaissance en Forten blijven nooit. (Blijvende naast gewone Landbouw: twee exemplaren zolang het rijk actief is, één in
  verval.)
- R-DECL-5 De plaats scoort (R-SCORE-2) en kiest dan een beschaving (afdeling 2). Met \`decline_score = all\` scoort het rijk deze keer nog
  wat al zijn eigenschappen opleveren. Eigenschappen die net terug zijn kunnen voor vak VI
  getrokken worden. [Optie](#12-edities): Punten in de beurt van verval (\`decline_score\`).
- R-DECL-6 Vervallen provincies breiden nooit uit en hebben geen samenhang nodig. Ze vallen als elke andere: elk één pion.
- R-DECL-7 Is de laatste provincie van een vervallen rijk weg, dan gaan zijn blijvende eigenschappen meteen terug in de zak.

## 5. Een actief rijk zonder land

- R-LAND-1 \`choice\` (FR, WEB): de plaats komt opnieuw binnen (R-ENTRY-4) met de pionnen die ze nog heeft (zelfs met geen, om een
  groot verval te houden), of verklaart verval. Met 0 pionnen: mobiliseren (Geneeskunde en Generaal tellen), veroveren wat betaalbaar
  is, niets houden, punten tellen. [Optie](#12-edities): Een rijk zonder land (\`landless_empire\`).
- R-LAND-2 \`auto_decline\` (NL): een plaats waarvan het actieve rijk zijn laatste provincie aan een andere plaats verloor, moet in haar
  volgende beurt in verval gaan (0 punten ervoor). Haar oudere vervallen rijk verdwijnt op het moment dat die provincie valt,
  overlevenden zijn weg. Niet voor een beschaving die nog niet binnen is, eigen opgeven, of provincies die zonder pion blijven nadat
  Generaal vertrok. Renaissance helpt niet. Het verval is een actie als elke andere, de enige die dan toegestaan is.
  [Optie](#12-edities): Een rijk zonder land (\`landless_empire\`).
- R-LAND-3 \`auto_decline_no_pawn\` (DE): als R-LAND-2, maar alleen als er geen pion over is; anders R-LAND-1. (DE en WEB spreken
  zichzelf tegen; dit volgt de eerste zin van DE, en “mag terugkomen met 0 of 1 pion” van WEB.) [Optie](#12-edities): Een rijk zonder
  land (\`landless_empire\`).

## 6. Eigenschappen

Exemplaren van een effect tellen op (Specialisatie, of twee soorten met één naam). OP per provincie gelden voor elk exemplaar.
[Optie](#12-edities): Sterkten van eigenschappen (\`strengths\`).

| eigenschap | sterkte | bron | effect |
|---|---|---|---|
| Landbouw | 2 | house | +1 OP per akkerland; de blijvende soort ook in verval (sterkte 1, huisregel) |
| Veeteelt | 2 | review | +1 OP per weiland; blijvende soort (1, huisregel) |
| Mijnen | 2 | house | +2 OP per provincie met een mijn; blijvende soort (1, huisregel) |
| Havens | 2 | house | +1 OP per provincie met een haven; blijvende soort (1, huisregel) |
| Munten | 0 | house | +1 OP per provincie, ook gebergte |
| Slavernij | 2 | house | +1 OP per pion van anderen of neutrale pion die deze beurt verwijderd is (ook vervallen; niet forten, overlevenden, eigen pionnen) |
| Wapens | 3 | review | veroveringen kosten 1 minder |
| Spionnen | 4 | house | eenmaal per beurt kost een verovering precies 2 (R-CONQ-7) |
| Forten | 3 | house | elke beurt mag één fort gebouwd worden (R-REORG-5); een fort maakt zijn provincie 1 duurder, aanvallen eruit 1 goedkoper, en blijft in verval |
| Galeien | 4 | house | veroveringen langs één kust, en over zee, kosten 1 minder |
| Generaal | 2 | review | +7 pionnen bij het mobiliseren, teruggenomen vóór herverdeling en samenhang |
| Militie | 4 | house | veroveringen van haar provincies kosten 1 meer |
| Bergbewoners | 4 | rules | veroveringen van gebergte kosten 1 minder; +1 OP per gebergte |
| Astronomie | 5 | rules | verbonden zeeën verbinden provincies: voor het binnenkomen (R-ENTRY-3), veroveringen (R-CONQ-4) en samenhang (R-REORG-2) |
| Barbaren | 6 | rules | veel pionnen, verder niets |
| Diplomatie | 4 | house | elke beurt vrede met één tegenstander (R-PEACE-1) |
| Erfgoed | 4 | house | het actieve rijk mag aan het eigen verval grenzen (R-CONTACT-3) |
| Geneeskunde | 3 | house | +1 pion bij elke mobilisatie |
| Berichten | 5 | house | het rijk mag gesplitst zijn: geen samenhang |
| Renaissance | 3 | house | verval mag ook na het tellen van een uitbreiding (R-DECL-1) |
| Revolutie | 4 | house | de eerste provincie mag overal liggen (R-ENTRY-3) |
| Specialisatie | andere + 1 | rules | twee exemplaren van de andere eigenschap |

Twee exemplaren: Landbouw, Veeteelt, Havens, Munten +2 OP; Mijnen +4; Bergbewoners +2 OP en -2; Slavernij 2 per pion; Wapens, Galeien
-2; Militie +2; Spionnen tweemaal per beurt; Geneeskunde 2; Generaal 14 erin, 14 eruit; Diplomatie twee tegenstanders; Forten twee per
beurt. Astronomie, Barbaren, Erfgoed, Berichten, Renaissance en Revolutie houden hun gewone effect (de sterkte verdubbelt wel, plus 1).
Kleuren: geel (OP) Landbouw tot Slavernij; roze (verovering, verdediging) Wapens tot Bergbewoners; blauw de rest.

## 7. Einde

- R-END-1 Als een score op enig moment het doel haalt of overschrijdt (ook door de markt en de openingskeuze), wordt de ronde
  uitgespeeld: de plaats vóór de eerste speelt als laatste. (In de openingskeuze: de eerste ronde van beurten.)
- R-END-2 De meeste OP winnen; gelijke scores delen de rang.
- R-END-3 Een doel dat eenmaal gehaald is blijft gehaald, ook als er later OP betaald worden.
- R-END-4 Het doel kan per spel ingesteld worden, boven de OP van het begin. [Optie](#12-edities): OP waarmee het spel eindigt
  (\`target\`).
- R-END-5 Huisregel: een spel eindigt ook na ronde \`max_rounds\` (standaard 100), zodat elk spel eindigt. [Optie](#12-edities): Hoogste
  aantal rondes (\`max_rounds\`).

### Afwezigheid (huisregel)
- R-FORFEIT-1 Een plaats die opgeeft speelt en scoort niet meer; haar provincies, pionnen en forten blijven en verdedigen;
  overlevenden worden vanzelf herplaatst; vrede met haar eindigt. Haar beurten worden overgeslagen. Ze eindigt onder elke plaats die
  niet opgaf, wie later opgaf boven wie eerder opgaf. Is er één plaats over, dan eindigt het spel. Wie midden in een beurt ophoudt laat
  zijn garnizoenen zoals ze liggen, ook die van Generaal; provincies die zonder pion veroverd zijn worden leeg, en de reserve is uit
  het spel.
- R-FORFEIT-2 Een plaats die aan een vervanger gegeven is speelt volgens haar eigen regels: geen extra pionnen van een dummy, de
  samenhang geldt. Dummy's zitten alleen waar de tafel zo is opgezet. [Optie](#12-edities): Wie weg is (\`absence\`).
- R-FORFEIT-3 De standaardactie, als een klok afloopt of een bot geen poging meer heeft: vak I; geen vrede; niets opgeven; geen
  verovering (eist R-ENTRY-4 er een, dan de goedkoopste, de eerste in bordvolgorde); de voorgestelde herverdeling, geen fort; geen
  verval; de voorgestelde herplaatsing. [Opties](#12-edities): Als de tijd om is (\`timeout\`), Na de laatste poging (\`refused\`).

## 8. Alleen en met twee spelers: dummy's

- R-DUMMY-1 Eén persoon speelt tegen drie dummy's, twee tegen twee: vier plaatsen, 150 OP, plaatsvolgorde willekeurig. De beschaving van
  een echte speler krijgt 6 extra pionnen, die van een dummy 8. Dummy's mogen ook plaatsen van elke andere tafel vullen (huisregel):
  daar krijgen ze er 2 meer dan de tabel zegt. [Opties](#12-edities): OP waarmee het spel eindigt (\`target\`), Extra pionnen van een
  dummy (\`dummy_extra_pawns\`).
- R-DUMMY-2 Een dummy neemt altijd vak I, met de OP van de fiches. Hij geeft nooit een provincie op en trekt zich niets aan van
  samenhang.
- R-DUMMY-3 De eerste en elke volgende verovering: de betaalbare provincie met de grootste waarde; dan de goedkoopste; dan willekeurig.
  Waarde = OP die de provincie hem oplevert, plus Slavernij, min de OP die zijn verval erdoor verliest. Wat 0 of minder waard is, wordt
  toch genomen, als laatste. Hij gaat door zolang zijn reserve niet leeg is en iets betaalbaar is. Met \`dummy_tie = real_player\` neemt
  hij bij gelijkheid na de kosten liever een provincie van een echte speler. Met \`dummy_preference = formula\` komen de kleinste kosten -
  2 x waarde eerst (een leeg gebergte, 3 - 2x0, vóór akkerland met waarde 2 achter 6 pionnen, 8 - 2x2), dan de goedkoopste als eerst.
  [Opties](#12-edities): Gelijke keuzes van een dummy (\`dummy_tie\`), Wat een dummy eerst verovert (\`dummy_preference\`).
- R-DUMMY-4 Herverdelen voor een gelijke verdediging: één pion in elke provincie, dan één voor één waar een aanval het minst kost.
  Terrein, pionnen, oude forten en Militie tellen, forten van deze beurt niet. Bij gelijkheid komen eerst provincies in gevaar, dan de
  waardevolste, dan beslist het toeval. In gevaar zijn, als er een beschaving aangekondigd is (een andere plaats heeft er een zonder
  land), de provincies die R-ENTRY-1 opent; anders die naast een vijandelijk actief rijk. Plaatsen die het spel verlaten hebben tellen
  hier niet. Met minder pionnen dan provincies houdt hij de waardevolste, dan die waar een aanval het meest kost (huisregel).
  Overlevenden worden volgens dezelfde regel herplaatst.
- R-DUMMY-5 Verval wordt overwogen aan het begin van zijn beurt als zijn actieve rijk zoals het is minder dan 10 OP zou scoren en zijn
  vrije pionnen 0 tot 5 zijn (zijn reserve na het mobiliseren, Geneeskunde meegeteld, Generaal niet): hij gooit een dobbelsteen en
  gaat in verval als de worp hoger is dan zijn vrije pionnen. Generaal: alleen met minder dan 3 vrije, en van de worp gaat 2 af
  (eenmaal). Renaissance: in plaats daarvan aan het eind van de beurt, vrije pionnen = pionnen min provincies, waarde zonder Slavernij.
  Zonder land is zijn waarde 0 en zijn al zijn pionnen vrij. Automatisch verval (afdeling 5) gaat voor.
- R-DUMMY-6 Galeien: een rijk zonder land komt binnen in een provincie aan een zee die geen binnenzee is, als er een betaalbaar is.
  Spionnen: zolang ze niet gebruikt zijn, betekent kosten het kleinste van de gewone kosten en 2, en ze worden gebruikt als dat de kosten
  van de genomen provincie verlaagt. Met \`dummy_spies = tie\` betekent kosten de gewone kosten, en worden ze alleen gebruikt voor een van
  meer provincies die na de kosten gelijk zijn (R-DUMMY-3), als dat de kosten ervan verlaagt, of voor een binnenkomst die R-ENTRY-4 oplegt
  en die anders niet te betalen is. Forten: in de provincie zonder fort met de meeste buren waar pionnen van andere plaatsen of neutrale
  staan, dan de hoogste som van de waarden van die buren, dan willekeurig. Astronomie en Revolutie: alle provincies die deze openen worden
  bekeken. Diplomatie: altijd vrede met een echte speler (willekeurig tussen twee; tweede exemplaar: de andere; geen: niemand). Erfgoed:
  bij gelijkheid in R-DUMMY-3, vóór \`dummy_tie\` en de dobbelsteen, de provincie naast zijn eigen verval die een vijandelijk actief rijk
  bezit. [Opties](#12-edities): Spionnen van een dummy (\`dummy_spies\`), Gelijke keuzes van een dummy (\`dummy_tie\`).
- R-DUMMY-7 Moeilijker: 15 OP aan het begin in plaats van 10, 9 of meer extra pionnen in plaats van 8. [Opties](#12-edities): OP van een
  dummy aan het begin (\`dummy_start_vp\`), Extra pionnen van een dummy (\`dummy_extra_pawns\`).

## 9. Uitgewerkte voorbeelden

WEB, op de kaart van Europa met een beschaving van 13 pionnen waarvan de eigenschappen niet uitmaken (4 plaatsen, Erfgoed +
Renaissance: 6 + 4 + 3): binnenkomen in Baetica (bos, 2 verdedigers) 5; Pyreneeën (gebergte, leeg) 3; omlaag naar Castilië
(1 verdediger) vanuit gebergte 2; verder naar Aquitanië (1 verdediger) vanuit gebergte 2. Er is één pion over, te weinig voor meer. De
verdediger (actief, bezit ook Lusitanië) verliest 3 pionnen en heeft 1 overlevende te plaatsen. De aanvaller verdeelt 13 pionnen over
4 provincies.

Een lege vlakte kost vanuit gebergte 1; met één Wapens 0. Een fort op gebergte maakt een aanval daarvandaan 2 goedkoper. Met
Astronomie: Ierland, dan Noorwegen, dan Napels.

## 10. Toeval

Alleen de eerste plaats, de plaatsvolgorde met dummy's, de trekkingen van eigenschappen en de dobbelstenen en gelijke gevallen van
dummy's zijn toeval. Alles komt uit één startwaarde (seed) volgens een beschreven methode die van geen taal afhangt
([chance.md](chance.md)), zodat iedereen een spel kan naspelen en de trekkingen kan nagaan.

## 11. Wat iedereen weet

Alles op tafel is openbaar. De inhoud van de zak volgt uit wat eruit is; alleen de volgorde van de trekkingen is verborgen.

## 12. Edities

| optie | standard | FR | NL | DE | WEB |
|---|---|---|---|---|---|
| \`own_decline_contact\` | evacuate | evacuate | forbid | forbid | evacuate |
| \`heritage_conquest\` | allowed | allowed | forbidden | forbidden | allowed |
| \`landless_empire\` | choice | choice | auto_decline | auto_decline_no_pawn | choice |
| \`landless_entry\` | forced | forced | forced | forced | free |
| \`split_empire\` | regroup | regroup | lose (een lezing) | lose (een lezing) | regroup (een lezing) |
| \`give_up\` | only_if_forced | only_if_forced | free | free | only_if_forced |
| \`galleys_on_entry\` | yes | yes | yes (huisregel) | no | no |
| \`forts_by_sea\` | no | no | no | no | no |
| \`identical_pair\` | redraw | keep | redraw | redraw | keep |
| \`deck\` | author | printed | printed | printed | author |
| \`redeployment\` | manual | manual | manual | manual | manual |
| \`decline_score\` | lasting | lasting | lasting | lasting | lasting |
| \`dummy_tie\` | random | random | random | random | random |
| \`dummy_preference\` | value | value | value | value | value |
| \`dummy_spies\` | always | always | always (een lezing) | always (een lezing) | always |

\`standard\`, wat geldt als niets gekozen is, is het Franse boekje met de errata van de auteur en het opnieuw trekken van NL en DE. Elke
optie kan ook apart gezet worden, in het formulier voor een nieuwe partij of zoals in \`vinci play --option give_up=free\`. \`deck\`:
\`author\` = 3 Barbaren en 1 Specialisatie, \`printed\` = 2 en 2. NL drukt geen teksten van de eigenschappen: het neemt die van FR. Met
\`identical_pair = keep\` heeft een paar gelijke eigenschappen tweemaal de gedrukte sterkte en twee exemplaren van het effect, met
dezelfde uitzonderingen als Specialisatie.

In alle edities gelijk: \`target\`, \`max_rounds\`, \`dummy_start_vp\`, \`dummy_extra_pawns\` (getallen), \`strengths\` (zoals \`strengths=WEA:5\`;
niet in het formulier), \`timeout\`, \`absence\` en \`refused\`.

### Lezingen

Waar een boekje dubbelzinnig is, volgen wij dit. De kolom \`reading\` van de tabel van edities zegt hetzelfde.

- \`split_empire\` (R-REORG-2): in NL en DE gaan pionnen van afgesneden delen verloren aan het eind van de beurt, vóór het tellen (NL “pas
  toegepast aan het einde van de speelbeurt maar voor het toekennen van de winstpunten”), maar de pionnen worden daarvóór gehergroepeerd. Ze
  zouden er dus eerst uit gehaald kunnen worden: \`lose_at_end\`, waarbij wie alles eruit haalt speelt als met \`regroup\`. Wij volgen de raad
  van beide boekjes om ze aan het begin van de beurt weg te nemen: \`lose\`. Ook \`regroup\` van WEB is een lezing.
- \`dummy_spies\` (R-DUMMY-6): NL en DE tellen Spionnen alleen bij gelijke kosten (“Wordt pas in acht genomen wanneer de overnamekosten van de
  provincies gelijk zijn”): \`tie\`. Alle edities spelen FR, dat ze telt bij het vergelijken van de kosten van provincies met gelijke waarde:
  \`always\`.
- \`dummy_tie = real_player\` (R-DUMMY-3): na de kosten, zoals in FR (“en cas de nouvelle égalité”). NL en DE zeggen alleen dat dit bij
  gelijkheid voorgaat.
- \`landless_entry\`: WEB spreekt van terugkomen met 0 of 1 pion; met \`free\` mag men met elk aantal buiten het bord blijven.
- \`galleys_on_entry\`: DE en WEB geven Galeien aan veroveringen over zee met Astronomie, wat ook de binnenkomst kan zijn: \`astronomy\`.
- \`forts_by_sea\`: bij veroveringen over zee sluit DE alleen het voordeel van gebergte uit: \`yes\`. Wij volgen FR, dat beide uitsluit.
- \`identical_pair\`: een blijvende en een gewone eigenschap met dezelfde naam zijn niet gelijk. DE (“zwei gleiche Kärtchen”) laat het open.
- \`decline_score\`: NL zegt dat een rijk in de beurt van zijn verval gewoon scoort, wat ook met al zijn eigenschappen kan zijn: \`all\`.
- Volgorde van tellen en kiezen (R-DECL-5): in NL en DE staat de keuze van de nieuwe beschaving vóór het tellen. Wij tellen eerst, zoals
  FR. Er is geen optie: het maakt alleen verschil als deze punten het vak betalen, en elke stelling zou moeten zeggen of er nog geteld
  moet worden.
- Wegen (R-CONQ-4): tussen aangrenzende provincies aan verbonden zeeën zouden gebergte en Galeien over zee samen kunnen tellen. De boekjes
  verschillen niet.
- Renaissance (R-DECL-1): “aan het eind van een beurt” kan betekenen: alleen dan. Het begin van een beurt blijft toegestaan; de boekjes
  verschillen niet.
- Galeien van een dummy (R-DUMMY-6): FR en WEB binden zijn eerste beurt, NL en DE de eerste ronde. Wij binden hem telkens als hij zonder land
  is, zodat wie alles verloor binnenkomt als in het begin.
- Provincies in gevaar (R-DUMMY-4): de boekjes noemen die van de rand (“provinces de bord”, “am Spielbrettrand”). Wij nemen alle waar een
  nieuwe beschaving kan binnenkomen, ook over een zee.
- Diplomatie (R-PEACE-1): alleen FR zegt dat men niemand hoeft te noemen (“On peut également n'en choisir aucun”). Wij staan het in alle
  edities toe.
- Forten (R-REORG-5): FR, DE en de kaart van WEB zeggen dat er een geplaatst wordt, de verduidelijkingen van WEB dat het mag (“autorise”). Wij
  volgen deze.
- Twee Specialisatie (R-SETUP-4): dat er een opzij gaat is een erratum van WEB, dat het Franse boekje niet heeft. Met \`keep\` passen wij het
  ook in FR toe.
- Betaling (R-DRAFT-2): geen boekje zegt wie wat mag betalen. Er wordt eerst betaald en geen score zakt onder 0.

### Over dit document

Elke regel heeft een kenmerk (\`R-…\`), waarmee je hem kunt opzoeken. De regels voegen het Franse boekje (FR), het Nederlandse boekje
(NL), het Duitse boekje (DE) en een Franse presentatie op het web met de errata en toelichtingen van de auteur (WEB) samen. Waar ze
overeenstemmen, geldt één regel. Waar ze verschillen, geeft afdeling 12 elke lezing een waarde van een optie, of zegt welke lezing wij
volgen en waarom. *Huisregel* staat bij wat geen document zegt en wat wij beslist hebben.

Bronnen van de sterktes in afdeling 6: \`rules\`: gedrukt in de documenten. \`review\`: uit gepubliceerde besprekingen. \`house\` (huisregel): onze eigen waarde, omdat geen bron bij
de hand haar noemt.

`;export{e as default};