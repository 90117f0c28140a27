-- Tokens of workers, which review games; only their hashes are kept.
CREATE TABLE workers (
    id TEXT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    created BIGINT NOT NULL,
    -- when it was last seen, to the minute
    used BIGINT
);

-- Computer reviews of finished games: asked for, being made, made. A game has one at most.
CREATE TABLE reviews (
    game TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
    -- waiting, running, done or failed
    state TEXT NOT NULL,
    -- who asked, and from which network under a pseudonym; forgotten when it is done or given up
    player TEXT REFERENCES players (id),
    network TEXT,
    -- The round in which it is taken: in each, everybody who waits has one.
    round BIGINT NOT NULL,
    asked BIGINT NOT NULL,
    -- the worker that has it, until when unless it is renewed, and how many positions it has judged
    lease TEXT UNIQUE,
    worker TEXT,
    expires BIGINT,
    judged BIGINT NOT NULL,
    -- how often it was taken, how often it failed, and why the last time
    attempts BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    failure TEXT,
    finished BIGINT,
    -- the review as JSON
    body TEXT
);
CREATE INDEX reviews_in_order ON reviews (state, round, asked, game);
CREATE INDEX reviews_of ON reviews (player, state);
CREATE INDEX reviews_from ON reviews (network, state);
