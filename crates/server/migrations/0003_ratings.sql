-- Whether a game counts for ratings: 0 or 1. Those that began before there were ratings do not.
ALTER TABLE challenges ADD COLUMN rated BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN rated BIGINT NOT NULL DEFAULT 0;
-- What it is rated as, such as `palisade:9 live`.
ALTER TABLE challenges ADD COLUMN category TEXT;
ALTER TABLE games ADD COLUMN category TEXT;
-- When it ended; a rematch may be offered later.
ALTER TABLE games ADD COLUMN ended BIGINT;
UPDATE games SET ended = updated WHERE status <> 'playing';
-- Its place among all games that have counted, and so the order in which they count.
ALTER TABLE games ADD COLUMN counted BIGINT;
CREATE UNIQUE INDEX games_counted ON games (counted);
CREATE INDEX games_uncounted ON games (ended, id)
    WHERE rated = 1 AND status = 'over' AND ply >= 2 AND counted IS NULL;

-- One row: how many games have counted. Whoever counts games locks it.
CREATE TABLE rating_order (
    id BIGINT NOT NULL PRIMARY KEY,
    counted BIGINT NOT NULL
);
INSERT INTO rating_order (id, counted) VALUES (1, 0);

-- Derived from the games that have counted, in their order; `stoa admin ratings rebuild` makes it again.
CREATE TABLE ratings (
    player TEXT NOT NULL REFERENCES players (id),
    category TEXT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    wins BIGINT NOT NULL,
    losses BIGINT NOT NULL,
    draws BIGINT NOT NULL,
    -- when the last game ended
    at BIGINT NOT NULL,
    -- from when on the rating is provisional, because the deviation grows with time
    sure_until BIGINT NOT NULL,
    PRIMARY KEY (player, category)
);
CREATE INDEX ratings_best ON ratings (category, rating, player);

-- What each game did to the rating of each of its players; derived like `ratings`.
CREATE TABLE rating_changes (
    game TEXT NOT NULL REFERENCES games (id),
    player TEXT NOT NULL REFERENCES players (id),
    category TEXT NOT NULL,
    counted BIGINT NOT NULL,
    at BIGINT NOT NULL,
    rating_before DOUBLE PRECISION NOT NULL,
    rating_after DOUBLE PRECISION NOT NULL,
    deviation_after DOUBLE PRECISION NOT NULL,
    -- 0 or 1, when the game ended
    provisional_before BIGINT NOT NULL,
    provisional_after BIGINT NOT NULL,
    PRIMARY KEY (game, player)
);
CREATE INDEX rating_changes_of ON rating_changes (player, category, counted);

-- Whom a player follows, and whom they have blocked.
CREATE TABLE acquaintances (
    player TEXT NOT NULL REFERENCES players (id),
    other TEXT NOT NULL REFERENCES players (id),
    -- follow or block
    kind TEXT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (player, other)
);
CREATE INDEX acquaintances_with ON acquaintances (other, kind);

-- Whether others see when a player was last here: 0 or 1.
ALTER TABLE players ADD COLUMN show_presence BIGINT NOT NULL DEFAULT 1;
-- With several nodes: until when a player who is followed counts as being here.
ALTER TABLE players ADD COLUMN here_until BIGINT;
