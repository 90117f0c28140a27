//! `docs/protocol.md` tells the truth.

use crate::talk::Talk;

/// The page.
pub(crate) fn page() -> String {
    std::fs::read_to_string("../../docs/protocol.md").unwrap()
}

/// Whether a line is as the page says; `…` stands for anything.
fn is_like(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else {
        return false;
    };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let found = if parts.peek().is_none() {
            rest.ends_with(part).then(|| rest.len() - part.len())
        } else {
            rest.find(part)
        };
        let Some(at) = found else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

/// The conversations in `docs/protocol.md` are real: blocks that begin with `$ stoa ugi`, with `> `
/// before what is sent. A line `…` stands for any number of lines.
#[test]
fn the_transcripts_of_the_docs_are_real() {
    let mut conversations = 0;
    for block in page().split("```").skip(1).step_by(2) {
        let mut lines = block.lines().skip(1);
        let Some(args) = lines.next().and_then(|line| line.strip_prefix("$ stoa ugi ")) else {
            continue;
        };
        conversations += 1;
        let args: Vec<&str> = args.split(' ').collect();
        let mut talk = Talk::with(&args);
        let mut any_number = false;
        for line in lines {
            if let Some(command) = line.strip_prefix("> ") {
                talk.send(command);
            } else if line == "…" {
                any_number = true;
            } else {
                let mut answer = talk.line();
                while any_number && !is_like(line, &answer) {
                    answer = talk.line();
                }
                any_number = false;
                assert!(is_like(line, &answer), "the page has: {line}\n but it is: {answer}");
            }
        }
        let (status, rest) = talk.end();
        assert!(status.success());
        assert_eq!(rest, [""; 0], "not on the page");
    }
    assert!(conversations >= 3, "{conversations}");
}
