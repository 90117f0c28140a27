-- Counts what changes in a game beside its events: conditional moves, vacations of its players. Whoever decides on another
-- revision than the game has decides anew.
ALTER TABLE games ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;

-- Answers that a player has prepared for moves of the opponent, whose turn it is.
CREATE TABLE conditional_moves (
    game TEXT NOT NULL REFERENCES games (id),
    player TEXT NOT NULL REFERENCES players (id),
    -- lines of moves as JSON; empty once they were dropped
    lines TEXT NOT NULL,
    -- why they were dropped, until the player has taken note of it
    dropped TEXT,
    PRIMARY KEY (game, player)
);
CREATE INDEX conditional_moves_of ON conditional_moves (player);

-- When a player's clocks stand still in games of days. Intervals of one player do not overlap.
CREATE TABLE vacations (
    player TEXT NOT NULL REFERENCES players (id),
    began BIGINT NOT NULL,
    ends BIGINT NOT NULL,
    PRIMARY KEY (player, began)
);

-- What a player keeps to themselves about a game of theirs.
CREATE TABLE own_games (
    game TEXT NOT NULL REFERENCES games (id),
    player TEXT NOT NULL REFERENCES players (id),
    note TEXT NOT NULL,
    -- whether they are notified when it is their turn: 0 or 1
    notices BIGINT NOT NULL,
    PRIMARY KEY (game, player)
);
CREATE INDEX own_games_of ON own_games (player);
