BEGIN TRANSACTION;
CREATE TABLE log (
    match TEXT NOT NULL REFERENCES match (id),
    sequence INTEGER NOT NULL, -- from 1, without gaps
    kind TEXT NOT NULL,        -- create, join, leave, seat, start, act
    seat INTEGER NOT NULL,     -- from 1; 0 for none
    actor TEXT NOT NULL,       -- who acted for the seat: player, bot, dummy, default; empty for none
    request TEXT,              -- id of the request that asked for it
    text TEXT NOT NULL,        -- an action in notation; otherwise JSON
    chance TEXT NOT NULL,      -- JSON: picks and rolls
    time REAL NOT NULL,        -- seconds since 1970
    hash TEXT NOT NULL,        -- of the record so far; empty before the start
    PRIMARY KEY (match, sequence)
) WITHOUT ROWID;
INSERT INTO "log" VALUES('pbzvtkpj',1,'create',0,'',NULL,'{"board": "tiny", "edition": "standard", "settings": {}, "seats": [{"kind": "human", "bot": ""}, {"kind": "dummy", "bot": ""}, {"kind": "dummy", "bot": ""}], "seed": "fa5556dd437aca6bc8cdda49a802184b", "salt": "b555dfbddc9fcf0288662102a75cfb2b", "position": "", "start_when_full": false, "host_hash": "c31743224bc82054daa34f9ab6a74e39f1dfa574e89e6a7519870a5eb768f4e1"}','{"picks": [], "rolls": []}',1.79532839436106562611e+09,'');
INSERT INTO "log" VALUES('pdysn5c3',1,'create',0,'',NULL,'{"board": "tiny", "edition": "standard", "settings": {"target": "200"}, "seats": [{"kind": "human", "bot": ""}, {"kind": "dummy", "bot": ""}, {"kind": "dummy", "bot": ""}], "seed": "7", "salt": "", "position": "", "start_when_full": true, "host_hash": "9a7788be30e366d6022dc49b350e71bb610a81b84b52d6eaa5219aad5ffec914"}','{"picks": [], "rolls": []}',1.79532839260667681697e+09,'');
INSERT INTO "log" VALUES('pdysn5c3',2,'join',1,'',NULL,'{"player": "Ann", "token_hash": "1adf4ec43eb7e9562e8e7b55d40a0480464d9531e63cf71c4256c435c7ee736d", "nonce": ""}','{"picks": [], "rolls": []}',1.79532839261305046077e+09,'');
INSERT INTO "log" VALUES('pdysn5c3',3,'start',0,'',NULL,'{"line": {"vinci": 1, "engine": "0.1.0", "board": "tiny", "digest": "77fd4d70c1de33effa685f36fedecedfa106a9c9b142ec73d3667ecd5e042b51", "edition": "standard", "options": {"target": 200}, "seats": ["player", "dummy", "dummy"], "seed": "7", "picks": ["1", "3", "LIV#1", "GAL#2", "REN#1", "MED#2", "MOU#2", "MES#1", "FOR#2", "AGR#1", "LIV*#2", "SLA#1", "LIV*#1", "GEN#2"], "hash": "4b0ba590d60aebbd2be647b512e855ee6fe6f5f4f6b0709b5a6c6a8c6c808c0e"}, "nonces": ["", "", ""]}','{"picks": ["1", "3", "LIV#1", "GAL#2", "REN#1", "MED#2", "MOU#2", "MES#1", "FOR#2", "AGR#1", "LIV*#2", "SLA#1", "LIV*#1", "GEN#2"], "rolls": []}',1.79532839261571145056e+09,'4b0ba590d60aebbd2be647b512e855ee6fe6f5f4f6b0709b5a6c6a8c6c808c0e');
INSERT INTO "log" VALUES('pdysn5c3',4,'act',1,'player','d9313251-f515-40cf-b6e2-f6bbae5889c6','take 1','{"picks": ["MED#1", "REV#2"], "rolls": []}',1.79532839282222414015e+09,'08496f0ca0c1b5871247a2d7f15e632cab350c7518936f957eeb7882f6e93d6e');
INSERT INTO "log" VALUES('pdysn5c3',5,'act',3,'dummy',NULL,'take 1','{"picks": ["MIN#2", "POR*#1"], "rolls": []}',1.7953283928239045143e+09,'122328e3f2d9a6b44abbd74f4b0ee0aa30a9ce58db7d525cb151155b5533d01f');
INSERT INTO "log" VALUES('pdysn5c3',6,'act',2,'dummy',NULL,'take 1','{"picks": ["MIL#1", "AGR*#2"], "rolls": []}',1.79532839282409644125e+09,'c35f808748f1d51ddf26aacf7f20abca50dcb16f1fffdb6b1204042a3a46c34c');
INSERT INTO "log" VALUES('pdysn5c3',7,'act',1,'player','4ada28e9-5e43-4efa-b4de-cb1e825d6e34','x FEN','{"picks": [], "rolls": []}',1.79532839302997612954e+09,'9cbbee2dfc30327ca3e6a9efe59e3c138ed13d2dcaf04190ce68b40aaedf549d');
INSERT INTO "log" VALUES('pdysn5c3',8,'act',1,'player','a48359d2-fb71-4b02-913a-4a71c09358ce','x ARA','{"picks": [], "rolls": []}',1.79532839323606967923e+09,'c091fa2eb61566063624dd9850de2ecc6ed651f3cc5c2f8fcc5e10e3c82c9871');
INSERT INTO "log" VALUES('pdysn5c3',9,'act',1,'player','d924b3ac-81fd-4e8a-a4df-32da4e9da474','x BOS','{"picks": [], "rolls": []}',1.79532839344186162947e+09,'0e35cb9b40b07f1f2f06bf05b3d3e8cd6c703c07d4bc94cd08ac099dceff568a');
INSERT INTO "log" VALUES('pdysn5c3',10,'act',1,'player','5c08f3c8-ba06-4791-bf40-5d177a505d70','x COL','{"picks": [], "rolls": []}',1.79532839364833807943e+09,'3a79c5a3cea0ab7482e3ed0cf62753ad0e07f45773177b04d7d83a1ea28f232d');
INSERT INTO "log" VALUES('pdysn5c3',11,'act',1,'player','2966e1a1-5bfe-48e2-8745-da4a554fff41','x ERB','{"picks": [], "rolls": []}',1795328393.85411,'8013d27bb681116a9180ad5ee5dfc593a9dd984671d3a21e38b4c8cc4a5baeb8');
CREATE TABLE match (
    id TEXT PRIMARY KEY,
    created REAL NOT NULL,
    status TEXT NOT NULL -- open, running, over
) WITHOUT ROWID;
INSERT INTO "match" VALUES('pbzvtkpj',1.79532839436106562611e+09,'open');
INSERT INTO "match" VALUES('pdysn5c3',1.79532839260667681697e+09,'running');
CREATE INDEX match_by_age ON match (created DESC, id);
CREATE UNIQUE INDEX log_by_request ON log (match, request) WHERE request IS NOT NULL;
PRAGMA user_version = 1;
COMMIT;
