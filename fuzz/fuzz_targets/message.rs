//! Any text as the messages of a client. What is accepted happens in a game, and holds together.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| stoa_server::fuzzing::messages(data));
