//! The server as clients see it, over real connections. One program, so that the server is linked once:
//! `cargo test -p stoa-server --test all games::` runs what is in `games.rs`.

mod clocks;
mod documentation;
mod games;
mod guard;
mod messages;
mod migrations;
mod players;
mod push;
mod static_files;
mod stopping;
mod talk;
