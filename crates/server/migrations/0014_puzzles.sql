-- Puzzles that people with an account have solved.
CREATE TABLE puzzles_solved (
    player TEXT NOT NULL REFERENCES players (id),
    puzzle TEXT NOT NULL,
    -- the game without its options
    family TEXT NOT NULL,
    -- whether at the first attempt and without help: 0 or 1
    clean BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (player, puzzle)
);
