-- Passkeys of accounts. What is signed with them is checked with the public key.
CREATE TABLE passkeys (
    -- the id of the credential, and the public key, in base64url
    id TEXT NOT NULL PRIMARY KEY,
    player TEXT NOT NULL REFERENCES players (id),
    label TEXT NOT NULL,
    public_key TEXT NOT NULL,
    -- how often the authenticator has signed; it must not go back
    counter BIGINT NOT NULL,
    created BIGINT NOT NULL,
    used BIGINT
);
CREATE INDEX passkeys_of ON passkeys (player);

-- What is to be signed, once and soon: to add a passkey to an account, or by anybody to sign in.
CREATE TABLE passkey_challenges (
    challenge TEXT NOT NULL PRIMARY KEY,
    player TEXT,
    expires BIGINT NOT NULL
);
CREATE INDEX passkey_challenges_due ON passkey_challenges (expires);

-- Devices that are signed in to accounts. A cookie that names a session is good as long as there is one.
CREATE TABLE sessions (
    id TEXT NOT NULL PRIMARY KEY,
    player TEXT NOT NULL REFERENCES players (id),
    -- the browser and the system, as far as the browser said
    device TEXT NOT NULL,
    created BIGINT NOT NULL,
    -- to the hour
    used BIGINT NOT NULL
);
CREATE INDEX sessions_of ON sessions (player, used);
