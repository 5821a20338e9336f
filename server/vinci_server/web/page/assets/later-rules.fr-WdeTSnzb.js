var e=`# Règles de Vinci

Traduction de [rules.md](rules.md)\xA0: en cas de différence, le texte anglais fait foi.

\`vinci tutorial\` enseigne Vinci en une courte partie. La section suivante en
raconte le déroulement\xA0; tout le reste sert à chercher une règle.

## Le jeu en bref

**But.** Chaque joueur mène des civilisations qui naissent, s'étendent sur la
carte et déclinent. À chaque tour il marque des points de victoire (PV) pour
les provinces qu'il tient, et davantage par ses traits. Quand un score atteint
l'objectif, la manche est jouée jusqu'au bout\xA0; qui a le plus de PV gagne.

**Idée.** Une civilisation reçoit ses pions une seule fois. Après quelques
tours elle ne peut plus grandir\xA0; alors son joueur la met en déclin. Elle
reste sur le plateau et rapporte tant qu'elle dure, et le joueur recommence
avec une nouvelle civilisation. Quand décliner et que prendre ensuite, voilà
les décisions qui comptent.

**Une manche.** Avant la première manche chacun choisit une civilisation au
marché (section 2). Dans une manche chaque joueur, dans l'ordre, joue un tour
(section 3). Le tour est une expansion, étapes 1 à 5, ou un déclin, étape 6.

1. Mobiliser\xA0: un pion reste dans chaque province, les autres reviennent à la
   réserve.
2. Conquérir une province après l'autre avec des pions de la réserve\xA0: 2 pour
   une province vide, 3 pour forêt ou montagne, 1 de plus par pion qui la
   défend. Une nouvelle civilisation entre par le bord du plateau ou à travers
   une mer\xA0; ensuite elle va d'une province aux voisines. Le défenseur perd un
   pion, ses autres pions survivent.
3. Réorganiser\xA0: poser à neuf tous les pions dans l'empire. Il doit être
   d'un seul tenant\xA0; une province sans pion est abandonnée.
4. Marquer\xA0: 1 PV par province sauf les montagnes, de l'empire actif et de
   l'empire en déclin, plus ce que rapportent leurs traits.
5. Les autres posent leurs pions survivants dans des provinces qu'ils tiennent
   encore.
6. Ou bien décliner (section 4)\xA0: un pion reste dans chaque province, un
   empire en déclin plus ancien quitte le plateau, tous les traits sauf les
   durables sont perdus. Le joueur marque et choisit une nouvelle
   civilisation, qui entre au tour suivant.

Les traits d'une civilisation changent ces étapes\xA0; la section 6 dit en une
phrase ce que fait chacun.

## Mots

Une **place** est un siège à la table, tenu par un **joueur**. Une
**civilisation** est une paire de **traits** avec ses pions, telle qu'elle se trouve dans une **case** du **marché**. Une
civilisation en jeu est un **empire**\xA0; une place a au plus un empire **actif** et un empire **en déclin**. Les **pions** sont ses
pièces\xA0: une **garnison** dans une province, ou la **réserve** en main. Les pions **neutres** n'appartiennent à personne. Le
**déclin** est l'acte. Le **sac** contient les traits qu'on ne voit pas. Les **survivants** sont les pions d'un défenseur venus des
provinces qu'il a perdues ce tour-ci, mis de côté. PV = points de victoire.
FR, NL, DE et WEB désignent les éditions dont vient une règle ou une lecture (section 12).

## 1. Table

- R-SETUP-1 De 3 à 6 places. Chaque place commence avec 10 PV. [Option](#12-éditions)\xA0: PV d'un joueur fictif au départ
  (\`dummy_start_vp\`).
- R-SETUP-2 Un pion neutre dans chaque province sauf les montagnes. Les mers ne sont jamais occupées. Terrains\xA0: terres
  cultivées, pâturage, collines, forêt, montagne\xA0; une province peut aussi avoir une mine ou un port.
- R-SETUP-3 Le sac contient deux traits de chaque sorte\xA0; avec \`deck = author\`, 3 Barbares et 1 Spécialisation. Agriculture, Élevage,
  Mines et Ports existent en version simple et en version durable, marquée d'une étoile, \`*\`. [Option](#12-éditions)\xA0: Traits dans le sac (\`deck\`).
- R-SETUP-4 Six civilisations se trouvent au marché, cases I à VI, de deux traits chacune, tirés au hasard. À chaque tirage, avec
  \`identical_pair = redraw\`, deux traits identiques retournent au sac et deux autres sont tirés, jusqu'à ce qu'ils diffèrent. Avec
  \`keep\` ils restent, mais de deux Spécialisations l'une est mise de côté, une autre tuile est tirée à sa place jusqu'à ce qu'elle
  diffère, puis elle retourne au sac. Un trait durable et un trait simple de même nom ne sont pas identiques. [Option](#12-éditions)\xA0:
  Deux traits identiques (\`identical_pair\`).
- R-SETUP-5 La première place est tirée au hasard\xA0; les autres suivent dans l'ordre des places (sens horaire). À une table avec
  des joueurs fictifs, tout l'ordre du jeu est tiré (R-DUMMY-1)\xA0; les places gardent leurs numéros. «\xA0Ordre des places\xA0» et
  «\xA0première place\xA0» désignent cet ordre.
- R-SETUP-6 Avant le premier tour, chaque place, dans l'ordre, choisit sa première civilisation (section 2).

| places | 3 | 4 | 5 | 6 |
|---|---|---|---|---|
| PV qui terminent la partie (\`target\`) | 150 | 120 | 100 | 100 |
| pions supplémentaires de chaque civilisation | 8 | 6 | 4 | 3 |

## 2. Choisir une civilisation

- R-DRAFT-1 La case I est gratuite. La case n coûte 2 PV pour chacune des n-1 civilisations laissées de côté\xA0; un marqueur de
  2 PV est posé sur chacune d'elles.
- R-DRAFT-2 Qui prend une civilisation portant k marqueurs reçoit 2k PV et les marqueurs s'en vont. Le paiement se fait d'abord et
  doit être possible\xA0: aucun score ne descend sous 0 (maison). (WEB pourrait se lire 2 PV pour tous les marqueurs\xA0; FR, NL, DE disent
  chacun.)
- R-DRAFT-3 Les cases suivantes avancent avec leurs marqueurs, deux traits sont tirés pour la case VI\xA0: il y en a toujours six.
- R-DRAFT-4 Pions = force du trait 1 + force du trait 2 + pions supplémentaires selon la table. La civilisation n'en aura jamais
  d'autres (Médecine à part). Il n'y a pas de limite de 25. [Option](#12-éditions)\xA0: Forces des traits (\`strengths\`).
- R-DRAFT-5 Spécialisation a la force de l'autre trait plus 1 (5 places, Barbares + Spécialisation\xA0: 4 + 6 + 7 = 17\xA0; 5 places,
  Astronomie 5 + Montagnards 4\xA0: 13\xA0; 4 places\xA0: 15).

## 3. Un tour

Un tour est une expansion ou un déclin (section 4). Déroulement d'une expansion\xA0: paix (Diplomatie seulement), mobiliser, conquérir,
réorganiser et fortifier, marquer, déclin (Renaissance seulement), puis les autres places redéploient. Quand la partie est finie,
personne ne redéploie.

### Paix
- R-PEACE-1 Une place dont l'empire actif a Diplomatie nomme un adversaire ou personne (deux exemplaires\xA0: deux adversaires
  différents) avant de mobiliser, à son tour d'entrée aussi. Jusqu'au début de son prochain tour, quoi qu'elle fasse ensuite, aucun
  des deux empires actifs ne conquiert de province de l'autre. L'adversaire n'a pas besoin d'être sur le plateau. Les empires en
  déclin ne sont pas couverts. Un tour de déclin ne nomme personne.

### Mobiliser
- R-MOB-1 Un pion reste dans chaque province, les autres reviennent à la réserve.
- R-MOB-2 On peut abandonner toutes les provinces qu'on veut, décision unique, avant la première conquête\xA0: tous leurs pions
  reviennent à la réserve, un fort y est retiré, la province est vide (et peut être reprise à son coût).
- R-MOB-3 Qui abandonne tout, ou ne tient rien, entre comme une nouvelle civilisation.
- R-MOB-4 Médecine ajoute maintenant 1 par exemplaire à la réserve, Général 7 par exemplaire, au premier tour aussi.
- R-MOB-5 Comment on le joue\xA0: la mobilisation se fait d'elle-même au début du tour. \`decline\`, puis \`peace\`, ne sont permis qu'avant
  toute autre chose\xA0; les provinces s'abandonnent une action chacune jusqu'à la première conquête\xA0; puis des conquêtes jusqu'à
  \`hold\` (réorganiser). Ne nommer personne, c'est continuer sans \`peace\`\xA0; un \`peace\` exclut un déclin au début de ce tour (pas
  celui de la Renaissance).

### Entrée
- R-ENTRY-1 La première province doit être au bord du plateau, ou toucher une mer qui est au bord (on traverse exactement une
  mer). Sur la carte d'Europe, l'Écosse et l'Irlande conviennent\xA0; aucune province française ni l'Italie du Nord.
- R-ENTRY-2 La première province est conquise à son coût normal. Il n'y a pas de province de départ, donc ni bonus de montagne ni bonus de
  fort\xA0; Armes, Montagnards et Espions comptent. L'entrée se fait par mer si la province touche une mer du bord (Astronomie\xA0: toute mer
  reliée à une telle mer), même si elle est aussi au bord. Les Galères ne comptent que pour une entrée par mer, pas pour les choix
  intérieurs de la Révolution. Avec \`galleys_on_entry = no\` elles n'y comptent jamais, avec \`astronomy\` seulement pour un empire qui a
  Astronomie. [Option](#12-éditions)\xA0: Galères à l'entrée (\`galleys_on_entry\`).
- R-ENTRY-3 Astronomie\xA0: on peut traverser autant de mers qu'on veut. Révolution\xA0: toute province peut être la première.
- R-ENTRY-4 \`landless_entry = forced\` (FR «\xA0doit\xA0»\xA0; NL, DE)\xA0: une place sans province ne peut finir ses conquêtes que si aucune première
  conquête n'est permise et abordable, ou si elle n'a aucun pion à elle. Les pions prêtés par Général ou nouveaux par Médecine ce tour-ci
  ne sont pas à elle\xA0: FR permet de conserver tel quel un peuple sans pion. \`free\` (WEB «\xA0peut\xA0»)\xA0: elle peut toujours rester hors du
  plateau. Ses pions restent en réserve\xA0; son empire en déclin marque\xA0; elle peut entrer au tour suivant. [Option](#12-éditions)\xA0: Entrer
  sans terre (\`landless_entry\`).

### Conquête
- R-CONQ-1 D'une province tenue vers une province adjacente\xA0; une province qui vient d'être prise peut servir de base à la suivante.
  Les pions sur le plateau ne bougent pas avant la réorganisation.
- R-CONQ-2 Adjacent veut dire une frontière terrestre ou un détroit (une frontière à travers des eaux côtières\xA0: Écosse et
  Irlande). Une côte commune n'est pas en soi une adjacence\xA0: elle donne la remise des Galères entre provinces adjacentes.
- R-CONQ-3 Coût = 2, ou 3 pour forêt et montagne\xA0; + 1 par pion qui défend (ennemi, neutre, ou de son propre déclin)\xA0; + 1 pour un
  fort\xA0; + 1 par Milice de l'empire actif qui tient la province\xA0; - 1 si la province de départ est une montagne\xA0; - 1 si elle a un
  fort (les deux pour une montagne fortifiée)\xA0; - 1 par Armes\xA0; - 1 par Galères si départ et cible partagent une côte\xA0; - 1 par
  Montagnards si la cible est une montagne. Jamais moins de 0.
- R-CONQ-4 Le chemin le moins cher compte\xA0: depuis une province adjacente (montagne, fort et côte comme ci-dessus), ou par mer avec
  Astronomie (départ et cible touchent des mers reliées\xA0: Galères, mais pas de montagne, ni de fort sauf avec \`forts_by_sea = yes\`).
  Les deux ne se mélangent pas. [Option](#12-éditions)\xA0: Forts par-delà la mer (\`forts_by_sea\`).
- R-CONQ-5 Une conquête de coût 0 ne pose aucun pion et est permise avec une réserve vide. La province sert de base, et n'est gardée
  que si elle reçoit un pion à la réorganisation.
- R-CONQ-6 Le défenseur perd un pion pour de bon, s'il y en avait un, même si l'attaquant ne garde pas la province. Ses autres pions
  de la province deviennent des survivants. L'attaquant ne perd rien. Un pion neutre est retiré. Un fort est retiré.
- R-CONQ-7 Espions\xA0: une fois par tour et par exemplaire, la place peut déclarer qu'une conquête coûte exactement 2, quoi qu'il en
  soit par ailleurs (aussi quand le coût normal est plus bas). L'accès et la paix restent exigés.
- R-CONQ-8 On ne traverse les mers qu'avec Astronomie (et à l'entrée). On ne peut conquérir ni ses propres provinces actives, ni
  celles d'un empire actif avec lequel il y a paix.

### Contact avec son propre déclin
- R-CONTACT-1 \`evacuate\` (FR, WEB)\xA0: après chaque conquête, de coût 0 aussi, toutes les provinces de l'empire en déclin de la place
  qui sont adjacentes (R-CONQ-2\xA0; un lien par mer n'est pas un contact) à son empire actif sont vidées aussitôt, forts compris. Ce
  n'est pas annulé si la province est abandonnée, et ne rapporte rien à l'Esclavage. Une province de son propre déclin qui n'est pas
  encore en contact (entrée, Astronomie) peut être conquise\xA0; son pion défend (maison). [Option](#12-éditions)\xA0: Contact avec son propre
  déclin (\`own_decline_contact\`).
- R-CONTACT-2 \`forbid\` (NL, DE)\xA0: les conquêtes de provinces de son propre déclin, ou adjacentes à elles, sont interdites.
  [Option](#12-éditions)\xA0: Contact avec son propre déclin (\`own_decline_contact\`).
- R-CONTACT-3 Héritage sur l'empire actif\xA0: le contact est permis et ne vide rien. Avec \`heritage_conquest = allowed\` (FR, WEB), ses
  propres provinces en déclin peuvent être conquises au coût normal, pion et fort défendant, sans Esclavage\xA0; \`forbidden\`
  (NL, DE)\xA0: non. [Option](#12-éditions)\xA0: Conquérir ses terres d'Héritage (\`heritage_conquest\`).

### Réorganiser
- R-REORG-1 Met fin aux conquêtes. Les pions du Général partent d'abord. Puis tous les pions sont répartis librement dans l'empire\xA0;
  aucun n'est gardé en main, à moins qu'aucune province ne soit tenue.
- R-REORG-2 Cohésion\xA0: les provinces gardées doivent être reliées (par adjacence\xA0; avec Astronomie aussi par des mers reliées qu'elles
  touchent). Si l'empire est coupé, la place garde une partie. \`regroup\` (FR)\xA0: les pions des autres parties la rejoignent. \`lose\`
  (NL, DE)\xA0: les garnisons des autres parties sont perdues. Les pions du Général quittent alors d'abord la réserve. Ce qui manque à la
  réserve part de garnisons, et la place choisit desquelles\xA0: elle pose un nombre de pions entre un minimum (le plus possible est
  parti de la partie gardée) et un maximum (le plus possible est parti des autres). \`lose_at_end\`\xA0: les pions des autres parties
  peuvent d'abord la rejoindre\xA0; ceux qui n'y vont pas sont perdus. Au moins 1 pion est posé dans la partie gardée. Messages et les
  joueurs fictifs ignorent la cohésion. Elle n'est exigée qu'à ce moment\xA0; entre les tours un empire peut être coupé.
  [Option](#12-éditions)\xA0: Un empire coupé en deux (\`split_empire\`).
- R-REORG-3 \`give_up = only_if_forced\` (FR, WEB)\xA0: avec n pions et une partie de m provinces, exactement min(n, m) provinces sont
  gardées, chacune avec un pion ou plus. Si n < m, la place choisit lesquelles (reliées, sauf exemption). \`free\` (NL, DE)\xA0: tout
  ensemble relié peut être gardé, pourvu que chaque pion soit posé. Avec n = 0 ou m = 0, rien n'est demandé. [Option](#12-éditions)\xA0:
  Quitter des provinces (\`give_up\`).
- R-REORG-4 Une province sans pion n'appartient à personne\xA0; un fort y est retiré. Elle ne peut pas relier des parties.
- R-REORG-5 Forts\xA0: dernière étape\xA0; au plus un fort par exemplaire peut être posé (c'est facultatif), chacun dans une autre
  province gardée qui n'en a pas. Un fort compte toujours 1. Il n'y a pas de limite de forts.

### Marquer
- R-SCORE-1 1 PV par province de l'empire actif, 0 pour les montagnes, plus les bonus des traits (Esclavage compris).
- R-SCORE-2 L'empire en déclin marque aussi\xA0: 1 PV par province, 0 pour les montagnes, plus les bonus de ses traits durables.
- R-SCORE-3 Aucun des deux empires ne profite des traits de l'autre, ni pour marquer ni pour rien d'autre.

### Redéployer
- R-REDEP-1 Quand le tour de l'attaquant est fini, chaque autre place qui a des survivants, dans l'ordre des places après
  l'attaquant, les pose tous comme elle veut dans des provinces de son empire actif\xA0: une décision pour toutes les attaques du tour,
  aucune n'est demandée s'il ne lui reste qu'une province. Seuls les survivants bougent. Une province perdue ne revient pas, même si
  l'attaquant ne l'a pas gardée. [Option](#12-éditions)\xA0: Placement des survivants (\`redeployment\`).
- R-REDEP-2 S'il ne reste aucune province, ils rejoignent la réserve, et la place entre de nouveau à son tour. (Avec \`auto_decline\`
  ils sont perdus.) [Option](#12-éditions)\xA0: Un empire sans terre (\`landless_empire\`).
- R-REDEP-3 Avec \`redeployment = automatic\` ils sont répartis selon la défense comme en R-DUMMY-4, les égalités à la première province
  dans l'ordre du plateau. [Option](#12-éditions)\xA0: Placement des survivants (\`redeployment\`).

## 4. Déclin

- R-DECL-1 Déclaré au début de n'importe quel tour à la place de l'expansion, aussi pour une civilisation qui n'est pas entrée ou
  ne tient rien. Avec Renaissance aussi à la fin d'un tour\xA0: après le départ des pions du Général, la pose des forts et le
  décompte\xA0; on ne marque rien de plus, et la nouvelle civilisation entre au tour suivant.
- R-DECL-2 D'abord, l'ancien empire en déclin quitte le plateau\xA0: pions, forts, traits.
- R-DECL-3 Un pion reste dans chaque province de l'empire, marqué comme étant en déclin\xA0; les pions en trop sont perdus. Les forts
  restent.
- R-DECL-4 Les traits vont au sac, sauf Agriculture, Élevage, Mines et Ports durables, et Spécialisation à côté de l'un d'eux.
  Héritage, Renaissance et Forts ne restent jamais. (Agriculture durable à côté d'Agriculture simple\xA0: deux exemplaires tant que
  l'empire est actif, un en déclin.)
- R-DECL-5 La place marque (R-SCORE-2), puis choisit une civilisation (section 2). Avec \`decline_score = all\`, l'empire marque cette
  fois encore les bonus de tous ses traits. Les traits qui viennent de retourner au sac
  peuvent être tirés pour la case VI. [Option](#12-éditions)\xA0: Points au tour du déclin (\`decline_score\`).
- R-DECL-6 Les provinces en déclin ne s'étendent jamais et n'ont pas besoin de cohésion. Elles tombent comme les autres\xA0: un pion
  chacune.
- R-DECL-7 Quand la dernière province d'un empire en déclin est perdue, ses traits durables retournent aussitôt au sac.

## 5. Un empire actif sans terre

- R-LAND-1 \`choice\` (FR, WEB)\xA0: la place entre de nouveau (R-ENTRY-4) avec les pions qui lui restent (même sans aucun, pour garder
  un grand déclin), ou déclare le déclin. Avec 0 pion\xA0: mobiliser (Médecine et Général comptent), conquérir ce qui est abordable,
  ne rien garder, marquer. [Option](#12-éditions)\xA0: Un empire sans terre (\`landless_empire\`).
- R-LAND-2 \`auto_decline\` (NL)\xA0: une place dont l'empire actif a perdu sa dernière province à cause d'une autre place doit décliner à
  son prochain tour (0 point pour lui). Son ancien empire en déclin s'en va au moment où cette province tombe, les survivants sont
  perdus. Pas pour une civilisation qui n'est pas entrée, ni pour un abandon volontaire, ni pour des provinces abandonnées après le
  départ du Général. Renaissance n'y change rien. Le déclin est une action comme une autre, la seule alors permise.
  [Option](#12-éditions)\xA0: Un empire sans terre (\`landless_empire\`).
- R-LAND-3 \`auto_decline_no_pawn\` (DE)\xA0: comme R-LAND-2, mais seulement s'il ne reste aucun pion\xA0; sinon R-LAND-1. (DE et WEB se
  contredisent\xA0; ceci suit la première phrase de DE, et «\xA0peut revenir avec 0 ou 1 pion\xA0» de WEB.) [Option](#12-éditions)\xA0: Un empire sans
  terre (\`landless_empire\`).

## 6. Traits

Les exemplaires d'un effet s'additionnent (Spécialisation, ou deux sortes d'un même nom). Les PV par province valent pour chaque
exemplaire.
[Option](#12-éditions)\xA0: Forces des traits (\`strengths\`).

| trait | force | source | effet |
|---|---|---|---|
| Agriculture | 2 | house | +1 PV par terres cultivées\xA0; la sorte durable aussi en déclin (force 1, maison) |
| Élevage | 2 | review | +1 PV par pâturage\xA0; sorte durable (1, maison) |
| Mines | 2 | house | +2 PV par province avec une mine\xA0; sorte durable (1, maison) |
| Ports | 2 | house | +1 PV par province avec un port\xA0; sorte durable (1, maison) |
| Monnaie | 0 | house | +1 PV par province, montagnes comprises |
| Esclavage | 2 | house | +1 PV par pion d'autrui ou neutre éliminé ce tour-ci (en déclin aussi\xA0; ni forts, ni survivants, ni les siens) |
| Armes | 3 | review | les conquêtes coûtent 1 de moins |
| Espions | 4 | house | une fois par tour une conquête coûte exactement 2 (R-CONQ-7) |
| Forts | 3 | house | un fort peut être posé à chaque tour (R-REORG-5)\xA0; un fort ajoute 1 au coût de sa province, retire 1 aux attaques qui en partent, reste en déclin |
| Galères | 4 | house | les conquêtes le long d'une même côte, et par mer, coûtent 1 de moins |
| Général | 2 | review | +7 pions à la mobilisation, repris avant la réorganisation et la cohésion |
| Milice | 4 | house | les conquêtes de ses provinces coûtent 1 de plus |
| Montagnards | 4 | rules | les conquêtes de montagnes coûtent 1 de moins\xA0; +1 PV par montagne |
| Astronomie | 5 | rules | les mers reliées joignent les provinces\xA0: pour l'entrée (R-ENTRY-3), les conquêtes (R-CONQ-4) et la cohésion (R-REORG-2) |
| Barbares | 6 | rules | beaucoup de pions, rien d'autre |
| Diplomatie | 4 | house | à chaque tour la paix avec un adversaire (R-PEACE-1) |
| Héritage | 4 | house | l'empire actif peut toucher son propre déclin (R-CONTACT-3) |
| Médecine | 3 | house | +1 pion à chaque mobilisation |
| Messages | 5 | house | l'empire peut être coupé\xA0: pas de cohésion |
| Renaissance | 3 | house | on peut aussi décliner après le décompte d'une expansion (R-DECL-1) |
| Révolution | 4 | house | la première province peut être n'importe où (R-ENTRY-3) |
| Spécialisation | autre + 1 | rules | deux exemplaires de l'autre trait |

Deux exemplaires\xA0: Agriculture, Élevage, Ports, Monnaie +2 PV\xA0; Mines +4\xA0; Montagnards +2 PV et -2\xA0; Esclavage 2 par pion\xA0; Armes,
Galères -2\xA0; Milice +2\xA0; Espions deux fois par tour\xA0; Médecine 2\xA0; Général 14 à l'entrée, 14 à la sortie\xA0; Diplomatie deux
adversaires\xA0; Forts deux par tour. Astronomie, Barbares, Héritage, Messages, Renaissance et Révolution gardent leur effet normal (la
force double quand même, plus 1).
Couleurs\xA0: jaune (PV) d'Agriculture à Esclavage\xA0; rose (conquête, défense) d'Armes à Montagnards\xA0; bleu le reste.

## 7. Fin

- R-END-1 Quand un score atteint ou dépasse l'objectif à n'importe quel moment (bonus du marché et choix d'ouverture compris), la
  manche est jouée jusqu'au bout\xA0: la place avant la première joue en dernier. (Au choix d'ouverture\xA0: la première manche de tours.)
- R-END-2 Le plus de PV gagne\xA0; les scores égaux partagent le rang.
- R-END-3 Un objectif une fois atteint le reste, même si des PV sont payés ensuite.
- R-END-4 L'objectif peut être fixé pour une partie, au-dessus des PV de départ. [Option](#12-éditions)\xA0: PV qui terminent la partie
  (\`target\`).
- R-END-5 Maison\xA0: une partie finit aussi après la manche \`max_rounds\` (100 par défaut), pour que toute partie finisse.
  [Option](#12-éditions)\xA0: Nombre maximal de manches (\`max_rounds\`).

### Absence (maison)
- R-FORFEIT-1 Une place qui abandonne la partie ne joue et ne marque plus\xA0; ses provinces, pions et forts restent et défendent\xA0;
  les survivants se redéploient automatiquement\xA0; la paix avec elle prend fin. Ses tours sont sautés. Elle est classée après toute
  place qui n'a pas abandonné, les abandons plus tardifs avant les plus anciens. Quand il reste une place, la partie finit. Qui
  arrête au milieu d'un tour laisse ses garnisons comme elles sont, celles du Général comprises\xA0; les provinces conquises sans pion
  deviennent vides, et la réserve est hors jeu.
- R-FORFEIT-2 Une place confiée à un remplaçant joue selon ses propres règles\xA0: pas de pions supplémentaires des joueurs fictifs, la
  cohésion vaut. Les joueurs fictifs ne sont que là où la table les a prévus. [Option](#12-éditions)\xA0: Qui est absent (\`absence\`).
- R-FORFEIT-3 L'action par défaut, quand une pendule arrive à zéro ou qu'un bot n'a plus d'essai\xA0: case I\xA0; pas de paix\xA0; rien n'est
  abandonné\xA0; pas de conquête (si R-ENTRY-4 en exige une, la moins chère, première dans l'ordre du plateau)\xA0; la réorganisation suggérée,
  sans fort\xA0; pas de déclin\xA0; le redéploiement suggéré. [Options](#12-éditions)\xA0: Temps écoulé (\`timeout\`), Après le dernier essai
  (\`refused\`).

## 8. Seul et à deux\xA0: joueurs fictifs

- R-DUMMY-1 Une personne affronte trois joueurs fictifs, deux en affrontent deux\xA0: quatre places, 150 PV, ordre des places au hasard.
  La civilisation d'un vrai joueur reçoit 6 pions supplémentaires, celle d'un joueur fictif 8. Des joueurs fictifs peuvent aussi
  compléter toute autre table (maison)\xA0: ils y reçoivent 2 de plus que ne dit le tableau. [Options](#12-éditions)\xA0: PV qui terminent la
  partie (\`target\`), Pions en plus d'un joueur fictif (\`dummy_extra_pawns\`).
- R-DUMMY-2 Un joueur fictif prend toujours la case I, avec les PV de ses marqueurs. Il n'abandonne jamais de province et ignore la
  cohésion.
- R-DUMMY-3 Première conquête et chacune des suivantes\xA0: la province abordable de plus grande valeur\xA0; puis la moins chère\xA0; puis au
  hasard. Valeur = PV que la province lui rapportera, plus Esclavage, moins les PV que son déclin y perd. Une province qui vaut 0 ou moins
  est prise quand même, en dernier. Il continue tant que sa réserve n'est pas vide et que quelque chose est abordable. Avec
  \`dummy_tie = real_player\`, à égalité après le coût, il préfère la province d'un vrai joueur. Avec \`dummy_preference = formula\` vient
  d'abord le plus petit coût - 2 x valeur (une montagne vide, 3 - 2x0, avant des terres cultivées valant 2 derrière 6 pions, 8 - 2x2),
  puis la moins chère comme avant. [Options](#12-éditions)\xA0: Égalités d'un joueur fictif (\`dummy_tie\`), Choix d'un joueur fictif
  (\`dummy_preference\`).
- R-DUMMY-4 Réorganiser pour une défense égale\xA0: un pion dans chaque province, puis un par un là où une attaque coûte le moins.
  Terrain, pions, anciens forts et Milice comptent, pas les forts de ce tour. À égalité viennent d'abord les provinces en danger, puis
  les plus précieuses, puis le hasard décide. Sont en danger, si une civilisation est annoncée (une autre place en a une sans terre),
  les provinces qu'ouvre R-ENTRY-1\xA0; sinon, les voisines d'un empire actif ennemi. Les places qui ont quitté la partie ne comptent
  pas ici. Avec moins de pions que de provinces, il garde les plus précieuses, puis celles où une attaque coûte le plus (maison). Les
  survivants sont redéployés selon la même règle.
- R-DUMMY-5 Le déclin est envisagé au début de son tour quand son empire actif marquerait moins de 10 PV tel qu'il est et que ses
  pions libres sont de 0 à 5 (sa réserve après mobilisation, Médecine comptée, pas Général)\xA0: il lance un dé à six faces et décline
  si le résultat dépasse ses pions libres. Général\xA0: seulement avec moins de 3 libres, et on retire 2 au dé (une fois). Renaissance\xA0:
  à la fin du tour plutôt, pions libres = pions moins provinces, valeur sans Esclavage. Sans terre, sa valeur est 0 et tous ses pions
  sont libres. Le déclin automatique (section 5) l'emporte.
- R-DUMMY-6 Galères\xA0: un empire sans terre entre dans une province qui touche une mer non intérieure, si l'une est abordable.
  Espions\xA0: tant qu'ils n'ont pas servi, le coût est le plus petit du coût normal et de 2, et ils servent quand cela abaisse le coût
  de la province prise. Avec \`dummy_spies = tie\`, le coût est le coût normal, et ils ne servent que pour une de plusieurs provinces à
  égalité après le coût (R-DUMMY-3), si cela abaisse son coût, ou pour une entrée que R-ENTRY-4 impose et que rien d'autre ne permet.
  Forts\xA0: dans la province sans fort qui a le plus de voisines tenues par des pions d'autres places ou neutres, puis la plus haute
  somme des valeurs de ces voisines, puis au hasard. Astronomie et Révolution\xA0: toutes les provinces qu'elles ouvrent sont
  considérées. Diplomatie\xA0: toujours la paix avec un vrai joueur (au hasard entre deux\xA0; deuxième exemplaire\xA0: l'autre\xA0; aucun\xA0:
  personne). Héritage\xA0: à égalité en R-DUMMY-3, avant \`dummy_tie\` et le dé, la province voisine de son propre déclin que tient un
  empire actif ennemi. [Options](#12-éditions)\xA0: Espions d'un joueur fictif (\`dummy_spies\`), Égalités d'un joueur fictif (\`dummy_tie\`).
- R-DUMMY-7 Plus difficile\xA0: 15 PV au départ au lieu de 10, 9 pions supplémentaires ou plus au lieu de 8. [Options](#12-éditions)\xA0: PV
  d'un joueur fictif au départ (\`dummy_start_vp\`), Pions en plus d'un joueur fictif (\`dummy_extra_pawns\`).

## 9. Exemples

WEB, sur la carte d'Europe avec une civilisation de 13 pions dont les traits n'importent pas (4 places, Héritage + Renaissance\xA0:
6 + 4 + 3)\xA0: entrée en Bétique (forêt, 2 défenseurs) 5\xA0; Pyrénées (montagne, vide) 3\xA0; descente en Castille (1 défenseur) depuis une
montagne 2\xA0; puis en Aquitaine (1 défenseur) depuis une montagne 2. Il reste un pion, trop peu pour continuer. Le défenseur (actif,
tenant aussi la Lusitanie) perd 3 pions et a 1 survivant à poser. L'attaquant répartit 13 pions sur 4 provinces.

Une plaine vide coûte 1 depuis une montagne\xA0; avec Armes, 0. Un fort sur une montagne rend une attaque qui en part moins chère de 2.
Avec Astronomie\xA0: l'Irlande, puis la Norvège, puis Naples.

## 10. Hasard

Seuls la première place, l'ordre des places avec des joueurs fictifs, les tirages de traits et les dés et égalités des joueurs
fictifs relèvent du hasard. Tout vient d'une seule graine par une méthode documentée, indépendante du langage
([chance.md](chance.md)), si bien que chacun peut rejouer une partie et vérifier les tirages.

## 11. Ce que chacun sait

Tout ce qui est sur la table est public. Le contenu du sac se déduit de ce qui en est sorti\xA0; seul l'ordre des tirages est caché.

## 12. Éditions

| option | standard | FR | NL | DE | WEB |
|---|---|---|---|---|---|
| \`own_decline_contact\` | evacuate | evacuate | forbid | forbid | evacuate |
| \`heritage_conquest\` | allowed | allowed | forbidden | forbidden | allowed |
| \`landless_empire\` | choice | choice | auto_decline | auto_decline_no_pawn | choice |
| \`landless_entry\` | forced | forced | forced | forced | free |
| \`split_empire\` | regroup | regroup | lose (une lecture) | lose (une lecture) | regroup (une lecture) |
| \`give_up\` | only_if_forced | only_if_forced | free | free | only_if_forced |
| \`galleys_on_entry\` | yes | yes | yes (maison) | no | no |
| \`forts_by_sea\` | no | no | no | no | no |
| \`identical_pair\` | redraw | keep | redraw | redraw | keep |
| \`deck\` | author | printed | printed | printed | author |
| \`redeployment\` | manual | manual | manual | manual | manual |
| \`decline_score\` | lasting | lasting | lasting | lasting | lasting |
| \`dummy_tie\` | random | random | random | random | random |
| \`dummy_preference\` | value | value | value | value | value |
| \`dummy_spies\` | always | always | always (une lecture) | always (une lecture) | always |

\`standard\`, la valeur par défaut, est le livret français avec les errata de l'auteur et le nouveau tirage de NL et DE. Chaque option peut
aussi être réglée seule, dans le formulaire d'une nouvelle partie ou comme dans \`vinci play --option give_up=free\`. \`deck\`\xA0: \`author\` =
3 Barbares et 1 Spécialisation, \`printed\` = 2 et 2. NL n'imprime pas de texte des traits\xA0: il prend ceux de FR. Avec
\`identical_pair = keep\`, une paire de traits identiques a deux fois la force imprimée et deux exemplaires de l'effet, avec les mêmes
exceptions que Spécialisation.

Les mêmes dans toutes les éditions\xA0: \`target\`, \`max_rounds\`, \`dummy_start_vp\`, \`dummy_extra_pawns\` (des nombres), \`strengths\` (comme
\`strengths=WEA:5\`\xA0; pas dans le formulaire), \`timeout\`, \`absence\` et \`refused\`.

### Lectures

Voici ce que nous suivons là où un livret est ambigu. La colonne \`reading\` de la table des éditions le signale aussi.

- \`split_empire\` (R-REORG-2)\xA0: dans NL et DE, les pions des parties coupées sont perdus à la fin du tour, avant le décompte (DE «\xA0erst am
  Ende der Runde aber vor Ermittlung der Siegpunkte\xA0»), mais on regroupe ses pions avant. On pourrait donc d'abord les en sortir\xA0:
  \`lose_at_end\`, où qui les sort tous joue comme avec \`regroup\`. Nous suivons le conseil des deux livrets de les enlever au début du
  tour\xA0: \`lose\`. Le \`regroup\` de WEB est aussi une lecture.
- \`dummy_spies\` (R-DUMMY-6)\xA0: NL et DE ne comptent les Espions qu'à coûts égaux («\xA0wenn die Kosten … gleich sind\xA0»)\xA0: \`tie\`. Toutes les
  éditions jouent FR, qui les compte quand on compare les coûts de provinces de même valeur\xA0: \`always\`.
- \`dummy_tie = real_player\` (R-DUMMY-3)\xA0: après le coût, comme dans FR («\xA0en cas de nouvelle égalité\xA0»). NL et DE disent seulement que cela
  passe en premier à égalité.
- \`landless_entry\`\xA0: WEB parle de revenir avec 0 ou 1 pion\xA0; avec \`free\` on peut rester hors du plateau avec n'importe quel nombre.
- \`galleys_on_entry\`\xA0: DE et WEB accordent les Galères aux conquêtes par mer avec Astronomie, ce qui pourrait comprendre l'entrée\xA0:
  \`astronomy\`.
- \`forts_by_sea\`\xA0: pour les conquêtes par mer, DE n'exclut que le bonus de la montagne\xA0: \`yes\`. Nous suivons FR, qui exclut les deux.
- \`identical_pair\`\xA0: un trait durable et un trait simple de même nom ne sont pas identiques. DE («\xA0zwei gleiche Kärtchen\xA0») ne le
  précise pas.
- \`decline_score\`\xA0: NL dit qu'un empire marque normalement au tour de son déclin, ce qui pourrait vouloir dire par tous ses traits\xA0:
  \`all\`.
- Ordre du décompte et du choix (R-DECL-5)\xA0: dans NL et DE le choix de la nouvelle civilisation précède le décompte. Nous marquons
  d'abord, comme FR. Il n'y a pas d'option\xA0: cela n'importe que si ce décompte paie la case, et chaque position devrait dire si un
  décompte est dû.
- Chemins (R-CONQ-4)\xA0: entre provinces adjacentes sur des mers reliées, la montagne et les Galères par mer pourraient s'ajouter. Les
  livrets ne diffèrent pas.
- Renaissance (R-DECL-1)\xA0: «\xA0à la fin d'un tour\xA0» pourrait vouloir dire seulement alors. Le début d'un tour reste permis\xA0; les livrets ne
  diffèrent pas.
- Galères d'un joueur fictif (R-DUMMY-6)\xA0: FR et WEB obligent à son premier tour, NL et DE au premier tour de table. Nous l'obligeons chaque
  fois qu'il est sans terre\xA0: qui a tout perdu entre comme au début.
- Provinces en danger (R-DUMMY-4)\xA0: les livrets nomment celles du bord («\xA0provinces de bord\xA0», «\xA0am Spielbrettrand\xA0»). Nous prenons toutes
  celles où une nouvelle civilisation peut entrer, même par une mer.
- Diplomatie (R-PEACE-1)\xA0: seul FR dit qu'on peut ne nommer personne («\xA0On peut également n'en choisir aucun\xA0»). Nous l'admettons dans
  toutes les éditions.
- Forts (R-REORG-5)\xA0: FR, DE et la carte de WEB disent qu'on en pose un, les éclaircissements de WEB qu'on le peut («\xA0autorise\xA0»). Nous
  suivons ces derniers.
- Deux Spécialisation (R-SETUP-4)\xA0: en écarter une est un erratum de WEB, que le livret français n'a pas. Avec \`keep\` nous l'appliquons aussi
  dans FR.
- Paiement (R-DRAFT-2)\xA0: aucun livret ne dit qui peut payer quoi. On paie d'abord et aucun score ne descend sous 0.

### À propos de ce document

Chaque règle a un identifiant (\`R-…\`), sous lequel on peut la retrouver. Les règles réunissent le livret français (FR), le livret
néerlandais (NL), le livret allemand (DE) et une présentation française sur le web avec les errata et précisions de l'auteur
(WEB). Là où ils s'accordent, une seule règle vaut. Là où ils diffèrent, la section 12 donne à chaque lecture une valeur
d'option, ou dit quelle lecture nous suivons et pourquoi. *Maison* signale ce qu'aucun document ne dit et que nous avons décidé.

Sources des forces de la section 6\xA0: \`rules\`\xA0: imprimé dans les documents. \`review\`\xA0: de critiques publiées. \`house\` (maison)\xA0: notre propre valeur, parce qu'aucune source
disponible ne l'imprime.

`;export{e as default};