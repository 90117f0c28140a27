-- What people say in games: a ready-made phrase, or free text where the server allows it.
CREATE TABLE talk (
    id TEXT NOT NULL PRIMARY KEY,
    game TEXT NOT NULL REFERENCES games (id),
    -- who reads it: players or viewers
    room TEXT NOT NULL,
    player TEXT NOT NULL REFERENCES players (id),
    at BIGINT NOT NULL,
    phrase TEXT,
    text TEXT
);
CREATE INDEX talk_in ON talk (game, room, at, id);
CREATE INDEX talk_of ON talk (player, at);

-- Whose words a player does not want to read.
CREATE TABLE mutes (
    player TEXT NOT NULL REFERENCES players (id),
    other TEXT NOT NULL REFERENCES players (id),
    created BIGINT NOT NULL,
    PRIMARY KEY (player, other)
);
CREATE INDEX mutes_of ON mutes (other);

-- What players have reported to the people who run the server, until they have dealt with it.
CREATE TABLE reports (
    id TEXT NOT NULL PRIMARY KEY,
    reporter TEXT NOT NULL REFERENCES players (id),
    accused TEXT NOT NULL REFERENCES players (id),
    game TEXT,
    -- the id of what was said; it may be gone
    message TEXT,
    reason TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX reports_by ON reports (reporter);
CREATE INDEX reports_of ON reports (accused);
CREATE INDEX reports_at ON reports (at, id);
