-- Which finished games came to a position, symmetries folded, in their first 40 moves. Starting positions are not
-- among them: every game of their kind has them.
CREATE TABLE archive_positions (
    position BIGINT NOT NULL,
    -- as in `archive`, so that pages are in its order
    ended BIGINT NOT NULL,
    game TEXT NOT NULL,
    PRIMARY KEY (position, ended, game)
);

-- Games that have ended before are counted anew, and their positions are kept this time. A new table takes less time than
-- deleting millions of rows.
DROP TABLE explored;
CREATE TABLE explored (
    scope TEXT NOT NULL,
    position BIGINT NOT NULL,
    move TEXT NOT NULL,
    won BIGINT NOT NULL,
    drawn BIGINT NOT NULL,
    lost BIGINT NOT NULL,
    game TEXT NOT NULL,
    PRIMARY KEY (scope, position, move)
);
DELETE FROM uncounted;
INSERT INTO uncounted (ended, game) SELECT ended, id FROM archive;
