//! Records read, written, refused.

use super::*;
use crate::Side;

/// Reads a record and writes it again.
fn canonical(text: &str) -> String {
    let written = Record::parse(text).unwrap_or_else(|error| panic!("{error}")).to_string();
    let again = Record::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again.to_string(), written, "canonical text is written byte for byte again");
    assert_eq!(again, Record::parse(text).unwrap());
    written
}

fn refused(text: &str) -> String {
    Record::parse(text).unwrap_err().to_string()
}

#[test]
fn canonical_text_is_kept_byte_for_byte() {
    let text = "\
game: impasse
white: Ada Lovelace
black: Grace Hopper
date: 2026-11-15
event: Tea
result: unfinished

{Before the first move.}
1. d2-b4! {blocks} e7-g5
   (1... e7-h4?! 2. e1-c3
      (2. h2-g3 {a {brace\\} and a \\\\}))
   (1... a7-c5)
2. e1-d2
";
    assert_eq!(canonical(text), text);
}

#[test]
fn loose_text_becomes_canonical() {
    let text = "result: unfinished\r\nblue: B\r\nred:  A  \r\ngame: Colonnade\r\n\r\n1.1b<!?{one}{two}(1.2c<\t)1g>\r\n\r\n2. ";
    let expected = "\
game: colonnade
red: A
blue: B
result: unfinished

1. 1b<!? {one two}
   (1. 2c<)
1... 1g>
";
    assert_eq!(canonical(text), expected);
}

#[test]
fn moves_of_the_second_player_come_first_where_the_start_says_so() {
    let text = "\
game: colonnade
start: -/rbr/rb/rb/-/-/-/- b
result: unfinished

1... 1c>
2. 1b<
";
    assert_eq!(canonical(text), text);
}

#[test]
fn the_result_is_what_the_board_says() {
    let played_out = "game: colonnade\nstart: r/r/-/-/-/-/-/- r\n\n1. 1a>\n";
    let record = Record::parse(played_out).unwrap();
    assert_eq!(record.result().and_then(|outcome| outcome.winner), Some(Side::First));
    assert!(record.to_string().contains("result: red wins (no-move)\n"));
    let wrong = played_out.replace("\n\n", "\nresult: blue wins (no-move)\n\n");
    assert_eq!(
        refused(&wrong),
        "line 3: the header says 'blue wins (no-move)', but after the last move it is 'red wins (no-move)'"
    );
    let too_early = "game: colonnade\nresult: red wins (no-move)\n\n1. 1b<\n";
    assert!(refused(too_early).contains("it is 'unfinished'"));
    let resigned = "game: colonnade\nresult: blue wins (resigned)\n\n1. 1b<\n";
    assert_eq!(canonical(resigned), resigned);
    let nobody_resigned = "game: colonnade\nresult: draw (resigned)\n";
    assert!(refused(nobody_resigned).contains("it is 'unfinished'"));
}

#[test]
fn a_session_becomes_a_record() {
    let mut session = Session::new(Game::Colonnade.start());
    session.play("1b<").unwrap();
    session.play("1g>").unwrap();
    session.undo();
    let mut record = Record::from(&session);
    assert!(record.set_tag("blue", "  Line\nbreak "));
    assert!(record.set_tag("red", "Ada"));
    assert!(!record.set_tag("result", "red wins"));
    assert!(!record.set_tag("No Key", "x"));
    assert!(record.end(Outcome::win(Side::Second, Reason::Time)));
    assert!(!record.end(Outcome::win(Side::First, Reason::Time)), "it has ended already");
    let text = "game: colonnade\nred: Ada\nblue: Line break\nresult: blue wins (time)\n\n1. 1b<\n";
    assert_eq!(record.to_string(), text);
    assert_eq!(canonical(text), text);
    assert_eq!(record.session().moves(), ["1b<"]);
    assert!(record.set_tag("red", ""));
    assert_eq!(record.tag("red"), None);
}

#[test]
fn every_part_of_a_record_can_be_asked_for() {
    let text = "\
game: colonnade
event: Tea
red: Ada
date: 2026-11-15

{first}
1. 1b<!? {odd} (1. 2c< {looser} 1g>) (1. 1b<) 1g>
";
    let record = Record::parse(text).unwrap();
    let tags: Vec<_> = record.tags().collect();
    assert_eq!(tags, [("red", "Ada"), ("date", "2026-11-15"), ("event", "Tea")]);
    assert_eq!(record.tag("event"), Some("Tea"));
    assert_eq!(record.game(), Game::Colonnade);
    assert_eq!(*record.start(), Game::Colonnade.start());
    assert_eq!(record.comment(), "first");
    let [first, second] = record.main_line().collect::<Vec<_>>()[..] else { panic!() };
    assert_eq!((first.text(), first.glyph(), first.comment()), ("1b<", "!?", "odd"));
    assert_eq!((second.text(), second.glyph(), second.comment()), ("1g>", "", ""));
    let variations: Vec<Vec<&str>> =
        first.variations().map(|line| line.iter().map(Node::text).collect()).collect();
    assert_eq!(variations, [vec!["2c<", "1g>"], vec!["1b<"]]);
    assert_eq!(second.variations().count(), 0);
}

#[test]
fn the_header_ends_where_no_key_stands() {
    let record = Record::parse("game: impasse\ntime-control: 5\n{a: b}\n1. d2-b4\n").unwrap();
    assert_eq!(record.tag("time-control"), Some("5"));
    assert_eq!(record.comment(), "a: b");
    assert!(refused("game: impasse\n: x\n").starts_with("line 2: expected a square"));
}

#[test]
fn header_lines_are_set_in_their_order() {
    let mut record = Record::new(Game::Colonnade.start());
    for key in ["round-2", "date", "blue", "red"] {
        assert!(record.set_tag(key, "x"), "{key}");
    }
    for key in ["", "game", "start", "Red", "a b"] {
        assert!(!record.set_tag(key, "x"), "{key}");
    }
    let keys: Vec<_> = record.tags().map(|(key, _)| key).collect();
    assert_eq!(keys, ["red", "blue", "date", "round-2"]);
}

#[test]
fn an_end_decided_by_the_board_cannot_be_claimed() {
    let mut record = Record::new(Game::Colonnade.start());
    assert!(!record.end(Outcome::win(Side::First, Reason::NoMove)));
    assert!(!record.end(Outcome { winner: Some(Side::First), reason: Reason::Agreed }));
    assert_eq!(record.result(), None);
    let agreed = Outcome { winner: None, reason: Reason::Agreed };
    assert!(record.end(agreed));
    assert_eq!(record.result(), Some(agreed));
    assert!(canonical(&record.to_string()).contains("result: draw (agreed)\n"));
}

#[test]
fn errors_say_where_and_what() {
    for (text, expected) in [
        ("", "expected a line 'game: …' that names the game, found the end"),
        ("red: A\n", "expected a line 'game: …' that names the game, found 'r'"),
        ("game: chess\n", "expected a game (there is no game 'chess'"),
        ("Game: impasse\n", "expected a key in lower case, found 'G'"),
        ("game: impasse\ngame: impasse\n", "expected each key once ('game' is on line 1 too)"),
        ("game: impasse\nwhite: a\u{7}b\n", "expected a value without control characters"),
        ("game: impasse\nstart: 8/8 w\n", "expected"),
        ("game: impasse\nresult: 1-0\n", "expected 'white wins (reason)', 'black wins (reason)'"),
        ("game: impasse\nresult: white wins (boredom)\n", "expected 'white wins (reason)'"),
        ("game: impasse\n\n1. a1-a2\n", "expected a dark square"),
        ("game: impasse\n\n1. a1-c3\n", "a1-c3 is not legal"),
        ("game: impasse\n\n1. d2-b4 (a1-c3)\n", "a1-c3 is not legal"),
        ("game: impasse\n\n(1. d2-b4)\n", "expected a move before its variations, found '('"),
        ("game: impasse\n\n1. d2-b4 ()\n", "expected a variation with moves, found '('"),
        (
            "game: impasse\n\n1. d2-b4 (d2-c3\n",
            "expected ')' to close the variation, found the end",
        ),
        ("game: impasse\n\n1. d2-b4 )\n", "expected a move or the end, found ')'"),
        ("game: impasse\nwhite player: A\n", "expected a header line 'key: value'"),
        ("game: impasse\n\n1. d2-b4 {x\n", "expected a comment that ends in '}', found '{'"),
        (
            "game: impasse\n\n1. d2-b4 {\u{1b}[2J}\n",
            "expected a comment without control characters",
        ),
        (
            "game: impasse\n\n1. d2-b4 {\\\u{1b}[2J}\n",
            "expected a comment without control characters",
        ),
        ("game: colonnade\n\n{a\r\r\nb}\n", "expected a comment without control characters"),
        ("game: impasse\n\n1. d2-b4 }\n", "expected a move, found '}'"),
        (
            "game: impasse

1. !
",
            "expected a square",
        ),
        (
            "game: impasse

... d2-b4
",
            "expected a square",
        ),
    ] {
        let error = refused(text);
        let (line, message) = error.split_once(": ").unwrap();
        assert!(line.starts_with("line "), "{error}");
        assert!(message.starts_with(expected), "{text:?}\n{error}\n{expected}");
    }
}

#[test]
fn errors_point_at_the_place() {
    for (text, offset) in [
        ("game: chess\n", 6),
        ("red:  Ada\ngame:   chess\n", 18),
        ("game: impasse\nresult:1-0\n", 21),
        ("game: impasse\nwhite:  a\u{7}b\n", 23),
        ("game: impasse\ngame: impasse\n", 14),
        ("game: impasse\n\n1. d2-b4 {ab\u{7}}\n", 27),
    ] {
        let Err(RecordError::Parse(error)) = Record::parse(text) else { panic!("{text}") };
        assert_eq!(error.offset(), offset, "{text}\n{error}");
    }
}

#[test]
fn variations_are_not_nested_without_end() {
    let deep = |depth: usize| {
        format!("game: impasse\n\n1. d2-b4 {} {}", "(d2-b4 ".repeat(depth), ")".repeat(depth))
    };
    canonical(&deep(MAX_DEPTH));
    assert!(refused(&deep(MAX_DEPTH + 1)).contains("expected variations nested at most 50 deep"));
    assert!(refused(&deep(100_000)).contains("expected variations nested at most 50 deep"));
}

#[test]
fn following_a_session_loses_nothing() {
    let text = "game: colonnade\nred: Ada\nresult: blue wins (resigned)\n\n1. 1b< {odd} 1g>\n   (1... 2f<)\n2. 1f>\n";
    let mut record = Record::parse(text).unwrap();
    let mut session = record.session();
    // Going back changes nothing.
    session.undo();
    session.undo();
    assert!(record.follow(&session));
    assert_eq!(record.to_string(), text);
    // Another move makes the old line a variation.
    session.play("1c>").unwrap_err();
    session.play("1c<").unwrap();
    assert!(record.follow(&session));
    let expected = "game: colonnade\nred: Ada\nresult: unfinished\n\n1. 1b< {odd} 1c<\n   (1... 1g> 2. 1f>)\n   (1... 2f<)\n";
    assert_eq!(record.to_string(), expected);
    assert_eq!(canonical(expected), expected);
    assert!(!record.follow(&Session::new(Game::Impasse.start())));
}

#[test]
fn comments_stay_in_order_wherever_they_stand() {
    let text = "game: impasse\n\n{all} 1. {a} d2-b4 {b} (1. {c} d2-c3 {d}) {e} 1... {f} e7-g5";
    let expected = "game: impasse\nresult: unfinished\n\n{all}\n1. d2-b4 {a b e f}\n   (1. d2-c3 {c d})\n1... e7-g5\n";
    assert_eq!(canonical(text), expected);
    let text = "game: impasse\n\n{a} 1. {b}";
    assert_eq!(canonical(text), "game: impasse\nresult: unfinished\n\n{a b}\n");
}

#[test]
fn annotations_can_be_set() {
    let mut record = Record::parse("game: impasse\n\n1. d2-b4 e7-g5\n").unwrap();
    assert!(record.annotate(1, "?!", " loses {time} \u{7} "));
    assert!(!record.annotate(1, "+", ""), "no such glyph");
    assert!(!record.annotate(2, "!", ""), "no such move");
    record.set_comment("An example.");
    let expected =
        "game: impasse\nresult: unfinished\n\n{An example.}\n1. d2-b4 e7-g5?! {loses {time\\}}\n";
    assert_eq!(record.to_string(), expected);
    assert_eq!(canonical(expected), expected);
}

#[test]
fn following_a_session_nests_no_deeper_than_can_be_read() {
    let nested = |depth: usize| {
        let text =
            format!("game: impasse\n\n1. d2-b4 {}{}", "(d2-b4 ".repeat(depth), ")".repeat(depth));
        Record::parse(&text).unwrap()
    };
    let mut session = Session::new(Game::Impasse.start());
    session.play("h2-g3").unwrap();
    let mut deepest = nested(MAX_DEPTH);
    assert!(!deepest.follow(&session));
    assert_eq!(deepest, nested(MAX_DEPTH), "nothing has changed");
    let mut record = nested(MAX_DEPTH - 1);
    assert!(record.follow(&session));
    canonical(&record.to_string());
}
