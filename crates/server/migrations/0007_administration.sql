-- Since when an administrator has closed the account. Nobody can sign in to it; its games stay.
ALTER TABLE players ADD COLUMN closed BIGINT;

-- What all pages show just now, such as a line before maintenance: one row, or none.
CREATE TABLE banner (
    id BIGINT NOT NULL PRIMARY KEY,
    text TEXT NOT NULL,
    at BIGINT NOT NULL
);
