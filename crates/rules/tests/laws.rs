//! Laws that hold in every game with every option, checked along random games and on random
//! setups that play may never reach.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use common::{random_move, random_setup, scaled};
use stoa_rules::playout::{Rng, random_game};
use stoa_rules::{Game, Playable, Reason, Selection, Setup, Visitor};

/// What one position must keep to.
fn check_position<P: Playable>(game: Game, position: &P) {
    let text = position.to_setup().to_string();
    let context = format!("{game} {text}");

    // Text goes both ways, and what play keeps up to date equals what is computed afresh.
    let again = P::Setup::parse(&text, position.options()).unwrap().validate().unwrap();
    assert!(again == *position, "{context}");
    assert_eq!(again.key(), position.key(), "{context}");
    assert_eq!(again.legal_moves(), position.legal_moves(), "{context}");
    assert_eq!(again.outcome(), position.outcome(), "{context}");
    assert_eq!(again.view(), position.view(), "{context}");

    // A game is over exactly when there are no moves; each move is listed once; counting agrees.
    let moves = position.legal_moves();
    assert_eq!(moves.is_empty(), position.outcome().is_some(), "{context}");
    assert_eq!(moves.len(), position.count_moves(), "{context}");
    for (index, &mv) in moves.iter().enumerate() {
        assert_eq!(position.nth_move(index), Some(mv), "{context}");
    }
    assert_eq!(position.nth_move(moves.len()), None, "{context}");
    assert_eq!(position.nth_move(usize::MAX), None, "{context}");
    assert_eq!(moves.iter().collect::<HashSet<_>>().len(), moves.len(), "{context}");
    let mut texts = HashSet::new();
    for &mv in &moves {
        let text = position.move_text(mv);
        assert_eq!(position.violation(mv), None, "{context} {text}");
        assert_eq!(position.parse_move(&text), Ok(mv), "{context} {text}");
        assert_eq!(position.parse_move(&text.to_ascii_uppercase()), Ok(mv), "{context} {text}");
        assert!(!text.contains(char::is_whitespace), "{context} {text}");
        assert!(texts.insert(text), "{context}: two moves have the same text");
    }
}

/// A board without what counts towards the stall is a position like any other, and one for all that
/// differ in nothing else.
fn check_stall<P: Playable>(game: Game, position: &P) {
    let context = format!("{game} {}", position.to_setup());
    let Some(board) = position.without_stall() else {
        assert_eq!(position.stall_left(), u32::MAX, "{context}");
        assert_eq!(position.board_key(), position.key(), "{context}");
        return;
    };
    let text = board.to_setup().to_string();
    let again = P::Setup::parse(&text, board.options()).unwrap().validate();
    assert!(again.as_ref() == Ok(&board), "{context}: {again:?}");
    assert!(board.without_stall().as_ref() == Some(&board), "{context}");
    assert_eq!(board.board_key(), position.board_key(), "{context}");
    assert!(board.stall_left() >= position.stall_left(), "{context}");
    assert!(position.stall_left() > 0 || position.outcome().is_some(), "{context}");
}

/// Every move lowers the bound on the game's length, and passes the turn.
fn check_play<P: Playable>(game: Game, position: &P, mv: P::Move) {
    let mut next = position.clone();
    next.play(mv).unwrap();
    let context = || format!("{game} {} {}", position.to_setup(), position.move_text(mv));
    assert!(next.turns_left_at_most() < position.turns_left_at_most(), "{}", context());
    assert_eq!(next.side_to_move(), position.side_to_move().other(), "{}", context());
    assert_eq!(next.options(), position.options(), "{}", context());
    assert_ne!(next.key(), position.key(), "{}", context());
    assert!(next.stall_left() >= position.stall_left() - 1, "{}", context());
    if next.outcome().is_some_and(|outcome| outcome.reason == Reason::Stall) {
        assert_eq!((position.stall_left(), next.stall_left()), (1, 0), "{}", context());
    }
    assert!(next != *position, "{}", context());

    // What is to be seen changes if the board does, and cells stay where they are.
    let (before, after) = (position.view(), next.view());
    let places = |view: &stoa_rules::view::View| -> Vec<(u16, String, i16, i16)> {
        view.spots.iter().map(|spot| (spot.cell, spot.name.clone(), spot.x, spot.y)).collect()
    };
    assert_eq!(places(&before), places(&after), "{}", context());
}

/// Playing a move and looking through a symmetry can be exchanged.
fn check_symmetry<P: Playable>(game: Game, position: &P, mv: P::Move) {
    for symmetry in 0..position.symmetries() {
        let context = || {
            let text = position.move_text(mv);
            format!("{game} {} {text} symmetry {symmetry}", position.to_setup())
        };
        let mut played_first = position.clone();
        played_first.play_unchecked(mv);
        let mut turned_first = position.transform(symmetry);
        assert_eq!(turned_first.count_moves(), position.count_moves(), "{}", context());
        turned_first
            .play(position.transform_move(mv, symmetry))
            .unwrap_or_else(|_| panic!("{}", context()));
        assert!(played_first.transform(symmetry) == turned_first, "{}", context());
        if symmetry == 0 {
            assert!(position.transform(0) == *position);
        }
        // Seen through the symmetries, results stay results.
        let over = |position: &P| {
            position.outcome().map(|outcome| (outcome.winner.is_some(), outcome.reason))
        };
        assert_eq!(over(&played_first), over(&turned_first), "{}", context());
    }
}

/// Clicks lead to every move, each by its own.
fn check_steps<P: Playable>(game: Game, position: &P) {
    let cells: BTreeSet<u16> = position.view().spots.iter().map(|spot| spot.cell).collect();
    let mut seen = BTreeMap::new();
    let fresh = Selection::new(position);
    for mv in position.legal_moves() {
        let context = || format!("{game} {} {}", position.to_setup(), position.move_text(mv));
        let mut steps = Vec::new();
        position.steps(mv, &mut steps);
        assert!((1..=4).contains(&steps.len()), "{} has {} clicks", context(), steps.len());
        assert!(steps.iter().all(|step| cells.contains(&step.cell)), "{}", context());
        assert_eq!(seen.insert(steps.clone(), mv), None, "{}", context());
    }
    // A selection walks them; a part is enough, for the walk is slow.
    for (steps, mv) in seen.iter().take(12) {
        let mut selection = fresh.clone();
        for &step in steps {
            assert!(selection.next().contains(&step));
            selection.click(step).unwrap();
        }
        assert_eq!(selection.clicks(), steps);
        assert_eq!(selection.complete(), Some(*mv));
        assert!(selection.moves().any(|other| other == *mv));
        assert_eq!(selection.back(), steps.last().copied());
        selection.clear();
        assert!(selection.clicks().is_empty());
        assert_eq!(selection.next(), fresh.next());
    }
    assert!(fresh.moves().eq(position.legal_moves()));
}

/// A position whose type is forgotten tells the same, in text.
fn check_any<P: Playable>(game: Game, position: &P, rng: &mut Rng) {
    let any = game.position(&position.to_setup().to_string()).unwrap();
    let context = format!("{game} {any}");
    assert_eq!(any.game(), game, "{context}");
    assert_eq!(any.downcast::<P>(), Some(position), "{context}");
    assert_eq!(any.side_to_move(), position.side_to_move(), "{context}");
    assert_eq!(any.outcome(), position.outcome(), "{context}");
    assert_eq!(any.view(), position.view(), "{context}");
    assert_eq!(any.key(), position.key(), "{context}");
    assert_eq!(any.turns_left_at_most(), position.turns_left_at_most(), "{context}");
    assert_eq!(any.count_moves(), position.count_moves(), "{context}");
    assert_eq!(any.perft(0), 1, "{context}");
    assert_eq!(any.perft(1), position.count_moves() as u64, "{context}");
    let random = Rng::new(rng.bits());
    assert_eq!(
        any.random_game(&mut random.clone()),
        random_game(&mut position.clone(), &mut random.clone()),
        "{context}"
    );

    let moves = position.legal_moves();
    let texts: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
    assert_eq!(any.legal_moves(), texts, "{context}");
    if moves.is_empty() {
        return;
    }
    let chosen = rng.below(moves.len());
    let (mv, text) = (moves[chosen], &texts[chosen]);
    let mut steps = Vec::new();
    position.steps(mv, &mut steps);
    let (&last, before) = steps.split_last().unwrap();
    assert_eq!(any.steps(text).as_ref(), Some(&steps), "{context} {text}");
    assert!(any.choices(before).unwrap().next.contains(&last), "{context} {text}");
    assert_eq!(any.choices(&steps).unwrap().complete.as_ref(), Some(text), "{context} {text}");
    let mut next = position.clone();
    next.play_unchecked(mv);
    let mut any_next = any.clone();
    assert_eq!(any_next.play(text).as_ref(), Ok(text), "{context} {text}");
    assert_eq!(any_next.downcast::<P>(), Some(&next), "{context} {text}");
    assert_ne!(any_next, any, "{context} {text}");
}

/// Moves that are legal elsewhere are legal here exactly if they break no rule.
fn check_foreign_moves<P: Playable>(game: Game, position: &P, pool: &[P::Move]) {
    if position.outcome().is_some() {
        return;
    }
    let legal: HashSet<P::Move> = position.legal_moves().into_iter().collect();
    for &mv in pool {
        assert_eq!(
            position.violation(mv).is_none(),
            legal.contains(&mv),
            "{game} {} {} {:?}",
            position.to_setup(),
            position.move_text(mv),
            position.violation(mv)
        );
        if !legal.contains(&mv) {
            let mut unchanged = position.clone();
            assert!(unchanged.play(mv).is_err() && unchanged == *position);
        }
    }
}

struct Laws {
    game: Game,
    games: usize,
    setups: usize,
}

impl Visitor for Laws {
    type Output = ();

    fn visit<P: Playable>(self, options: P::Options) {
        let Laws { game, games, setups } = self;
        let mut rng = Rng::new(5);
        let mut pool: Vec<P::Move> = Vec::new();
        let mut keys: HashMap<u64, String> = HashMap::new();
        let mut check = |position: &P, mv: Option<P::Move>, thorough: bool, rng: &mut Rng| {
            check_position(game, position);
            check_stall(game, position);
            let text = position.to_setup().to_string();
            let known = keys.entry(position.key()).or_insert_with(|| text.clone());
            assert_eq!(*known, text, "two positions have one key");
            if let Some(mv) = mv {
                check_play(game, position, mv);
                if pool.len() < 400 {
                    pool.push(mv);
                } else {
                    pool[rng.below(400)] = mv;
                }
                if thorough {
                    check_symmetry(game, position, mv);
                    check_steps(game, position);
                    check_any(game, position, rng);
                    check_foreign_moves(game, position, &pool);
                }
            }
        };
        for _ in 0..scaled(games) {
            let mut position = P::start(options);
            let bound = position.turns_left_at_most();
            let mut ply = 0;
            loop {
                let mv = random_move(&position, &mut rng);
                check(&position, mv, ply % 5 == 0, &mut rng);
                let Some(mv) = mv else { break };
                position.play_unchecked(mv);
                ply += 1;
                assert!(ply <= bound, "{game}: a game went on for more than {bound} turns");
            }
        }
        for _ in 0..scaled(setups) {
            let text = random_setup(game, &mut rng);
            let position = P::Setup::parse(&text, options).unwrap().validate().unwrap();
            let mv = random_move(&position, &mut rng);
            check(&position, mv, true, &mut rng);
            // Some turns from there, too.
            let mut position = position;
            for _ in 0..6 {
                let Some(mv) = random_move(&position, &mut rng) else { break };
                position.play_unchecked(mv);
                check_position(game, &position);
            }
        }
    }
}

fn laws(id: &str, games: usize, setups: usize) {
    let game: Game = id.parse().unwrap();
    game.visit(Laws { game, games, setups });
}

#[test]
fn colonnade() {
    laws("colonnade", 200, 500);
}

#[test]
fn impasse() {
    laws("impasse", 40, 500);
}

#[test]
fn palisade_of_every_size() {
    for size in (3..=19).step_by(2) {
        laws(&format!("palisade:{size}"), 800 / (size * size), 1500 / (size * size));
    }
}

#[test]
fn columna_spaces() {
    laws("columna:spaces", 3, 60);
}

#[test]
fn columna_points() {
    laws("columna:points", 2, 80);
}

#[test]
fn colossus() {
    laws("colossus", 15, 300);
}

/// The symmetries of a game lead to as many positions, as soon as a position has none of its own.
#[test]
fn symmetries_are_all_there_and_all_different() {
    struct Symmetries(usize);
    impl Visitor for Symmetries {
        type Output = bool;
        fn visit<P: Playable>(self, options: P::Options) -> bool {
            let mut rng = Rng::new(1);
            let mut position = P::start(options);
            assert_eq!(position.symmetries(), self.0);
            while let Some(mv) = random_move(&position, &mut rng) {
                position.play_unchecked(mv);
                let seen: HashSet<P> = (0..self.0).map(|s| position.transform(s)).collect();
                if seen.len() == self.0 {
                    return true;
                }
            }
            false
        }
    }
    for (id, symmetries) in [
        ("colonnade", 4),
        ("impasse", 2),
        ("palisade:5", 8),
        ("columna:spaces", 8),
        ("columna:points", 2),
        ("colossus", 24),
    ] {
        let game: Game = id.parse().unwrap();
        assert!(game.visit(Symmetries(symmetries)), "{game}");
    }
}

/// A cell is drawn where its name says, counted in half cells.
#[test]
fn views_place_cells_by_their_names() {
    assert_eq!(Game::variants().count(), 1 + 1 + 9 + 2 + 1);
    for game in Game::variants() {
        let spots = game.start().view().spots;
        let cells: HashSet<u16> = spots.iter().map(|spot| spot.cell).collect();
        let places: HashSet<(i16, i16)> = spots.iter().map(|spot| (spot.x, spot.y)).collect();
        assert_eq!((cells.len(), places.len()), (spots.len(), spots.len()), "{game}");
        for spot in spots.iter().filter(|spot| !spot.name.is_empty()) {
            let (letter, number) = spot.name.split_at(1);
            let letter = i16::from(letter.as_bytes()[0] - b'a');
            let number = number.parse().unwrap_or(1) - 1;
            let expected = match game {
                Game::Colossus => (2 * number + 1 + (letter - 3).abs(), 2 * letter + 1),
                _ => (2 * letter + 1, 2 * number + 1),
            };
            assert_eq!((spot.x, spot.y), expected, "{game} {}", spot.name);
        }
    }
}

/// A position is copied for every move of a search.
#[test]
fn positions_are_small() {
    struct Size;
    impl Visitor for Size {
        type Output = usize;
        fn visit<P: Playable>(self, _: P::Options) -> usize {
            size_of::<P>()
        }
    }
    for game in Game::ALL {
        let most = if matches!(game, Game::Palisade(_)) { 1024 } else { 128 };
        let size = game.visit(Size);
        assert!(size <= most, "a position of {game} takes {size} bytes");
    }
}
