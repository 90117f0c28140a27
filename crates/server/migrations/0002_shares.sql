-- Who shares a network, so that each network gets a fair share of lists and of the engine. It is a
-- pseudonym that only the server's secret leads to, and is removed when the challenge or the game ends.
ALTER TABLE challenges ADD COLUMN network TEXT;
ALTER TABLE games ADD COLUMN network TEXT;
CREATE INDEX challenges_from ON challenges (network, state);

-- Until when the creator of a live challenge counts as present; the challenge ends then. Others have none.
ALTER TABLE challenges ADD COLUMN present_until BIGINT;

-- What the login of an account looks like (UTS 39): nobody else can have one that looks the same.
ALTER TABLE players ADD COLUMN skeleton TEXT;
CREATE UNIQUE INDEX players_skeleton ON players (skeleton);
