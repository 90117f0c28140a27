-- The same text serves SQLite and Postgres. Times are milliseconds since 1970, UTC.

CREATE TABLE players (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    -- guest, account or bot
    kind TEXT NOT NULL,
    -- what an account signs in with, in lower case
    login TEXT UNIQUE,
    password TEXT,
    -- cookies of earlier epochs are no longer good
    epoch BIGINT NOT NULL,
    created BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    deleted BIGINT
);

-- Tokens of programs; only their hashes are kept.
CREATE TABLE tokens (
    hash TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    player TEXT NOT NULL REFERENCES players (id),
    label TEXT NOT NULL,
    created BIGINT NOT NULL,
    used BIGINT
);
CREATE INDEX tokens_of ON tokens (player);

-- Where to send messages to browsers that are closed.
CREATE TABLE pushes (
    endpoint TEXT NOT NULL PRIMARY KEY,
    player TEXT NOT NULL REFERENCES players (id),
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    language TEXT NOT NULL,
    created BIGINT NOT NULL
);
CREATE INDEX pushes_of ON pushes (player);

CREATE TABLE challenges (
    id TEXT NOT NULL PRIMARY KEY,
    creator TEXT NOT NULL REFERENCES players (id),
    -- whom it is for; anyone, if nobody is named
    opponent TEXT REFERENCES players (id),
    game TEXT NOT NULL,
    -- the creator's side: first, second or random
    side TEXT NOT NULL,
    control TEXT NOT NULL,
    -- whether the lobby shows it: 0 or 1
    listed BIGINT NOT NULL,
    -- open, accepted, declined or cancelled
    state TEXT NOT NULL,
    game_id TEXT,
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL
);
CREATE INDEX challenges_open ON challenges (state, listed, created);
CREATE INDEX challenges_by ON challenges (creator, state);
CREATE INDEX challenges_for ON challenges (opponent, state);

-- What a list of games needs to know; all else is in the events.
CREATE TABLE games (
    id TEXT NOT NULL PRIMARY KEY,
    game TEXT NOT NULL,
    control TEXT NOT NULL,
    first TEXT NOT NULL REFERENCES players (id),
    second TEXT NOT NULL REFERENCES players (id),
    previous TEXT,
    created BIGINT NOT NULL,
    -- how many events there are: who finds another number comes too late
    version BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    ply BIGINT NOT NULL,
    position TEXT NOT NULL,
    -- playing, over or aborted
    status TEXT NOT NULL,
    -- first or second, while it is being played
    turn TEXT,
    winner TEXT,
    reason TEXT,
    -- when the side to move runs out of time
    deadline BIGINT
);
CREATE INDEX games_first ON games (first, status, updated);
CREATE INDEX games_second ON games (second, status, updated);
CREATE INDEX games_playing ON games (status, updated);
CREATE INDEX games_updated ON games (updated);
CREATE INDEX games_due ON games (deadline);

-- What happened in a game, in order. Rows are added and never changed.
CREATE TABLE events (
    game TEXT NOT NULL REFERENCES games (id),
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game, seq)
);

-- One row: when some node was last known to be up. A longer gap is a downtime.
CREATE TABLE beat (
    id BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL
);

-- Time that counts for nobody's clock.
CREATE TABLE downtimes (
    began BIGINT NOT NULL PRIMARY KEY,
    ended BIGINT NOT NULL
);
