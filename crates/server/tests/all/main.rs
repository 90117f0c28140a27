//! The server as clients see it, over real connections. One program, so that the server is linked once:
//! `cargo test -p stoa-server --test all games::` runs what is in `games.rs`.

mod addresses;
mod administration;
mod archive;
mod clocks;
mod conditional;
mod conversation;
mod correspondence;
mod deletion;
mod documentation;
mod flooding;
mod fresh_sessions;
mod games;
mod guard;
mod lists;
mod mail;
mod messages;
mod migrations;
mod model;
mod order;
mod pairing;
mod passkeys;
mod players;
mod profiles;
mod push;
mod puzzles;
mod races;
mod ratings;
mod readiness;
mod reviews;
mod static_files;
mod stopping;
mod strictness;
mod talk;
