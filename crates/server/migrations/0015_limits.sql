-- Limits that administrators have changed while servers run; those without a row are what the options say.
CREATE TABLE limits (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL,
    at BIGINT NOT NULL
);
