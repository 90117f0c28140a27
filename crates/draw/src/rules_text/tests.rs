//! The texts are complete and their diagrams real.

use super::*;

/// Every diagram is a real position and every move in it is legal.
#[test]
fn diagrams_are_sound() {
    for game in Game::ALL {
        let mut diagrams = 0;
        let mut shown: Option<Session> = None;
        for line in looks::of(game).rules.lines() {
            if let Some(rest) = line.strip_prefix("!board ") {
                let (id, position) = rest.split_once(' ').unwrap();
                let id: Game = id.parse().unwrap();
                assert_eq!(id.info().id, game.info().id, "{line}");
                let position =
                    id.position(position).unwrap_or_else(|error| panic!("{line}\n{error}"));
                assert_eq!(format!("!board {} {position}", rest.split(' ').next().unwrap()), line);
                shown = Some(Session::new(position));
                diagrams += 1;
            } else if let Some(mv) = line.strip_prefix("!move ") {
                let session = shown.as_mut().expect("a move follows a board");
                let played = session.play(mv).unwrap_or_else(|error| panic!("{line}\n{error}"));
                assert_eq!(played, mv, "moves are written in canonical form");
            } else {
                assert!(!line.starts_with('!') || line.starts_with("!caption "), "{line}");
            }
        }
        assert!(diagrams >= 4, "{game} has only {diagrams} diagrams");
    }
}

#[test]
fn every_text_names_the_designer_and_cites_every_clause_and_ruling() {
    let counts = [
        ("colonnade", 6, 0),
        ("impasse", 6, 4),
        ("palisade", 7, 0),
        ("columna", 10, 4),
        ("colossus", 7, 9),
    ];
    for (id, clauses, rulings) in counts {
        let game: Game = id.parse().unwrap();
        let text = looks::of(game).rules;
        assert!(text.contains(game.info().designer));
        for clause in 1..=clauses {
            let cited = text.contains(&format!("clause {clause})"))
                || text.contains(&format!("clause {clause},"))
                || text.contains(&format!("clauses {clause} "))
                || text.contains(&format!("and {clause})"));
            assert!(cited, "{id} clause {clause}");
        }
        for ruling in 1..=rulings {
            assert!(text.contains(&format!("- R{ruling}. ")), "{id} R{ruling}");
        }
    }
}

#[test]
fn lines_are_broken_between_words() {
    assert_eq!(wrapped("one two three", 7, "- ", "  "), "- one\n  two\n  three");
    assert_eq!(wrapped("", 7, "", ""), "");
    for charset in [Charset::Colour, Charset::Mono, Charset::Ascii] {
        assert!(lay_out(Game::Impasse, 60, charset).height > 100);
    }
    assert!(lay_out(Game::Impasse, 60, Charset::Ascii).plain().is_ascii());
}
