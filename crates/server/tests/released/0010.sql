-- What a server of this schema may have kept: the same as before, a worker, a review that it makes.
INSERT INTO players (id, name, kind, login, password, epoch, created, seen) VALUES ('ann', 'Ann', 'guest', NULL, NULL, 1, 1790000000000, 1790000000000);
INSERT INTO players (id, name, kind, login, password, epoch, created, seen, skeleton) VALUES ('bob', 'Bob', 'account', 'bob', '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA', 1, 1790000000000, 1790000000000, 'bob');
INSERT INTO tokens (hash, id, player, label, created, used) VALUES ('00', 'token', 'bob', 'my program', 1790000000000, NULL);
INSERT INTO pushes (endpoint, player, p256dh, auth, language, created) VALUES ('https://push.example/1', 'bob', 'key', 'auth', 'en', 1790000000000);
INSERT INTO challenges (id, creator, opponent, game, side, control, listed, state, game_id, created, expires, network, present_until) VALUES ('wish', 'ann', NULL, 'palisade:9', 'random', '{"kind":"clock","initial":300,"increment":3}', 1, 'open', NULL, 1790000000000, 9790000000000, '0011223344556677', 9790000000000);
INSERT INTO games (id, game, control, first, second, previous, created, version, updated, ply, position, status, turn, winner, reason, deadline) VALUES ('running', 'colonnade', '{"kind":"unlimited"}', 'ann', 'bob', NULL, 1790000000000, 2, 1790000002000, 2, 'r/brb/rbrb/brbr/rbrb/brbr/rbr/b r', 'playing', 'first', NULL, NULL, NULL);
INSERT INTO events (game, seq, at, body) VALUES ('running', 1, 1790000001000, '{"kind":"moved","ply":0,"move":"1b<"}');
INSERT INTO events (game, seq, at, body) VALUES ('running', 2, 1790000002000, '{"kind":"moved","ply":1,"move":"1g>"}');
INSERT INTO games (id, game, control, first, second, previous, created, version, updated, ply, position, status, turn, winner, reason, deadline) VALUES ('ended', 'impasse', '{"kind":"days","days":3}', 'bob', 'ann', NULL, 1790000000000, 1, 1790000001000, 0, '1W1b1W1b/b1W1b1W1/8/8/8/8/1B1w1B1w/w1B1w1B1 w', 'over', NULL, 'second', 'resigned', NULL);
INSERT INTO events (game, seq, at, body) VALUES ('ended', 1, 1790000001000, '{"kind":"ended","winner":"second","reason":"resigned","left":[259200000,259200000]}');
INSERT INTO beat (id, at) VALUES (1, 1790000002000);
INSERT INTO downtimes (began, ended) VALUES (1780000000000, 1780000009000);
INSERT INTO players (id, name, kind, login, password, epoch, created, seen, skeleton) VALUES ('stoa-1', 'Stoa 1', 'bot', NULL, NULL, 1, 1790000000000, 1790000000000, NULL);
INSERT INTO games (id, game, control, first, second, previous, created, version, updated, ply, position, status, turn, winner, reason, deadline, network) VALUES ('engine', 'colonnade', '{"kind":"unlimited"}', 'stoa-1', 'ann', NULL, 1790000000000, 0, 1790000000000, 0, 'r/brb/rbrb/brbr/rbrb/brbr/rbr/b r', 'playing', 'first', NULL, NULL, NULL, '0011223344556677');
INSERT INTO players (id, name, kind, login, password, epoch, created, seen, skeleton, closed) VALUES ('mal', 'Mal', 'account', 'mal', '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA', 2, 1790000000000, 1790000000000, 'mal', 1790000005000);
INSERT INTO banner (id, text, at) VALUES (1, 'The server restarts at six.', 1790000000000);
INSERT INTO workers (id, hash, label, created, used) VALUES ('worker', '01', 'the machine in the attic', 1790000000000, 1790000060000);
INSERT INTO reviews (game, state, player, network, round, asked, lease, worker, expires, judged, attempts, failures, failure, finished, body) VALUES ('ended', 'running', 'bob', '0011223344556677', 0, 1790000002000, 'lease', 'worker', 1790000062000, 0, 1, 0, NULL, NULL, NULL);
