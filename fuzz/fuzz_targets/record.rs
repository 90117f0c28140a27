//! Any text as a record. What is accepted is written, and read back as the same record.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use stoa_rules::Record;

fuzz_target!(|data: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    match Record::parse(text) {
        Ok(record) => {
            let written = record.to_string();
            let again = Record::parse(&written)
                .unwrap_or_else(|error| panic!("{written}cannot be read again: {error}"));
            assert_eq!(again, record, "{written}");
            assert_eq!(again.to_string(), written);
            let session = record.session();
            assert_eq!(session.moves().len(), record.main_line().len());
            let mut followed = record.clone();
            if followed.follow(&session) {
                assert_eq!(followed, record, "{written}");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    Corpus::Keep
});
