//! Graphs of made-up games.

use stoa_engine::review::Class;
use stoa_rules::Game;

use super::{Graph, Mark, bars, svg};
use crate::board::Charset;

/// A game with one mistake of each kind and a name that must be escaped.
fn graph(first_ply: usize) -> Graph {
    let mark = |index, class, text: &str| Mark { index, class, text: text.to_owned() };
    Graph {
        game: Game::Colonnade,
        players: [Some("Ada <ada> & \"co\"".to_owned()), None],
        curve: vec![0.5, 0.5, 0.56, 0.55, 0.68, 0.0, 0.0, 0.0],
        first_ply,
        marks: vec![
            mark(2, Class::Inaccuracy, "1... 1g>?!: Gives up checkers left (3, not 4)."),
            mark(4, Class::Mistake, "2... 1f>?: Gives up moves to choose from (3, not 9)."),
            mark(5, Class::Blunder, "3. 1b<??: Lets Blue win at once with 1c<."),
        ],
    }
}

/// Every element that is opened is closed, in the right order, and every `&` begins an entity.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        assert!(!text.contains('>'), "{text}");
        let name = tag.split([' ', '\n']).next().unwrap_or_default();
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert_eq!(open, [""; 0]);
    for entity in svg.split('&').skip(1) {
        let (name, _) = entity.split_once(';').expect("an entity ends");
        assert!(["amp", "lt", "gt", "quot", "#160"].contains(&name), "{name}");
    }
}

/// `STOA_BLESS=1 cargo test -p stoa-draw graph` writes it anew; look at it before keeping it.
#[test]
fn the_picture_is_the_one_we_have_looked_at() {
    let picture = svg(&graph(0));
    assert_well_formed(&picture);
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/graph.svg");
    if std::env::var_os("STOA_BLESS").is_some() {
        std::fs::write(&golden, &picture).unwrap();
    }
    assert_eq!(picture, std::fs::read_to_string(&golden).unwrap());
}

#[test]
fn every_game_and_length_has_a_sound_picture() {
    for game in Game::variants() {
        for moves in [1, 2, 3, 50, 1000] {
            let curve = (0..=moves).map(|index| f64::from(index % 11) / 10.0).collect();
            let graph = Graph { game, curve, marks: Vec::new(), ..graph(1) };
            assert_well_formed(&svg(&graph));
        }
    }
}

#[test]
fn bars_rise_with_the_chances_of_the_first_player() {
    let expected = "\
How likely Red wins after each move
100 % |
      |
 50 % |############
      |############
  0 % |############
                ?  ?
move   1     2     3     4
";
    assert_eq!(bars(&graph(0), Charset::Ascii), expected);
    // If the second player begins, the first number belongs to the second move.
    let other = bars(&graph(1), Charset::Ascii);
    assert!(other.ends_with("move      2     3     4\n"), "{other}");
    let blocks = bars(&graph(0), Charset::Mono);
    assert!(blocks.contains(" 50 % |▄▄▄▆▆▆▆▆▆███\n"), "{blocks}");
}

#[test]
fn long_games_fit() {
    let curve = (0..=500).map(|index| f64::from(index % 7) / 6.0).collect();
    let text = bars(&Graph { curve, marks: Vec::new(), ..graph(0) }, Charset::Mono);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.ends_with("250\n"), "{text}");
}
