-- People who wait to be paired, one place for each person. Nodes take turns by locking the row of `pairing`.
CREATE TABLE waiting (
    player TEXT NOT NULL PRIMARY KEY REFERENCES players (id),
    -- the connection that has the place, and the node that has the connection
    ticket TEXT NOT NULL UNIQUE,
    node TEXT NOT NULL,
    game TEXT NOT NULL,
    control TEXT NOT NULL,
    rating DOUBLE PRECISION,
    since BIGINT NOT NULL,
    -- a node that does not renew its places is gone, and so are they
    expires BIGINT NOT NULL,
    -- the game, until the node has told the connection
    paired TEXT
);
CREATE TABLE pairing (
    id BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL
);
INSERT INTO pairing (id, at) VALUES (1, 0);

-- Finished games, as they are searched for. Rows are added when a game ends and never changed, so that
-- pages of them stay as they are; aborted games are not among them.
CREATE TABLE archive (
    id TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
    -- the game without its options, and with them
    family TEXT NOT NULL,
    game TEXT NOT NULL,
    -- clock, days or unlimited
    pace TEXT NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    -- first, second, or none in a draw
    winner TEXT NOT NULL,
    ply BIGINT NOT NULL,
    ended BIGINT NOT NULL
);
CREATE INDEX archive_ended ON archive (ended, id);
CREATE INDEX archive_family ON archive (family, ended, id);
CREATE INDEX archive_first ON archive (first, ended, id);
CREATE INDEX archive_second ON archive (second, ended, id);

-- Finished games whose positions are not counted yet, in the order in which they ended.
CREATE TABLE uncounted (
    ended BIGINT NOT NULL,
    game TEXT NOT NULL,
    PRIMARY KEY (ended, game)
);

-- What was played in positions, symmetries folded, with results for the side that moved.
CREATE TABLE explored (
    -- whose moves: those of all people, of all bots, or the id of one player
    scope TEXT NOT NULL,
    position BIGINT NOT NULL,
    move TEXT NOT NULL,
    won BIGINT NOT NULL,
    drawn BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    -- the latest game in which it was played
    game TEXT NOT NULL,
    PRIMARY KEY (scope, position, move)
);

-- Games that have ended before. Only what comes after the end, an offer of a rematch, is later than the end.
-- The family is what comes before the colon; the two databases have no common function that finds it.
INSERT INTO archive (id, family, game, pace, first, second, winner, ply, ended)
WITH RECURSIVE places (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM places WHERE n < 40)
SELECT g.id,
    SUBSTR(g.game, 1, (SELECT MIN(n) FROM places WHERE SUBSTR(g.game || ':', n, 1) = ':') - 1),
    g.game,
    CASE WHEN g.control LIKE '{"kind":"clock"%' THEN 'clock'
        WHEN g.control LIKE '{"kind":"days"%' THEN 'days' ELSE 'unlimited' END,
    g.first, g.second, COALESCE(g.winner, 'none'), g.ply,
    COALESCE((SELECT MAX(e.at) FROM events e WHERE e.game = g.id AND e.body NOT LIKE '{"kind":"rematch%'),
        g.updated)
FROM games g WHERE g.status = 'over';
INSERT INTO uncounted (ended, game) SELECT ended, id FROM archive;
CREATE INDEX players_name ON players (name);
