-- The confirmed addresses of people who want mail.
CREATE TABLE mail_addresses (
    player TEXT NOT NULL PRIMARY KEY REFERENCES players (id),
    address TEXT NOT NULL,
    -- in small letters, as it is looked for
    folded TEXT NOT NULL,
    -- the tag of the language that mail is written in
    language TEXT NOT NULL,
    -- whether mail comes when it is their turn, and when somebody challenges them: 0 or 1
    turns BIGINT NOT NULL,
    challenges BIGINT NOT NULL,
    confirmed BIGINT NOT NULL
);
CREATE INDEX mail_addresses_folded ON mail_addresses (folded);

-- Links that were sent by mail and are good once: of each purpose one for a player, the last. What is signed in them is
-- not here.
CREATE TABLE mail_links (
    id TEXT NOT NULL PRIMARY KEY,
    player TEXT NOT NULL REFERENCES players (id),
    -- confirm or reset
    purpose TEXT NOT NULL,
    -- where it was sent to, as it was written and in small letters
    address TEXT NOT NULL,
    folded TEXT NOT NULL,
    language TEXT NOT NULL,
    expires BIGINT NOT NULL,
    UNIQUE (player, purpose)
);
CREATE INDEX mail_links_folded ON mail_links (folded);

-- Mail to be sent, and for some days what was sent, so that nothing is sent twice.
CREATE TABLE mails (
    -- what it is about, such as a game and its version
    id TEXT NOT NULL PRIMARY KEY,
    player TEXT NOT NULL REFERENCES players (id),
    -- JSON; empty once it is done
    letter TEXT NOT NULL,
    created BIGINT NOT NULL,
    -- when it is tried next
    due BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    -- when it was sent or given up
    done BIGINT
);
CREATE INDEX mails_due ON mails (due) WHERE done IS NULL;
CREATE INDEX mails_done ON mails (done);
CREATE INDEX mails_of ON mails (player, created);
