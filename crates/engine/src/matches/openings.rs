//! Openings: many different positions, none of them decided, for games that are all different.
//!
//! ```
//! use stoa_engine::matches::Openings;
//! use stoa_rules::Game;
//!
//! let openings: Vec<_> = Openings::new(Game::Impasse, 7).take(3).collect();
//! assert!(openings.iter().all(|opening| opening.position().outcome().is_none()));
//! assert_eq!(openings, Openings::new(Game::Impasse, 7).take(3).collect::<Vec<_>>());
//! ```

use std::collections::HashSet;
use std::fmt;

use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, MoveError, Playable, PositionError, Session, Visitor};

use crate::games::{KnowledgeVisitor, visit};
use crate::{Engine, Knowledge, Limits, Settings, Stop};

/// Where a game of a match begins: a position, and moves from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    session: Session,
}

/// A line of text that is no opening.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// The position is wrong.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The position is one of another board.
    #[error("this is a position of {found}, not of {wanted}")]
    OtherGame {
        /// The game that is played.
        wanted: Game,
        /// The game of the position.
        found: Game,
    },
    /// A move is wrong.
    #[error("move {number}: {error}")]
    Move {
        /// Which, counted from one.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// There is nothing left to play.
    #[error("the game is over already")]
    Over,
}

impl Opening {
    /// The opening that some moves from a position are.
    pub fn new(start: AnyPosition, moves: &[&str]) -> Result<Opening, OpeningError> {
        let mut session = Session::new(start);
        for (number, text) in (1..).zip(moves) {
            session.play(text).map_err(|error| OpeningError::Move { number, error })?;
        }
        match session.position().outcome() {
            None => Ok(Opening { session }),
            Some(_) => Err(OpeningError::Over),
        }
    }

    /// Reads moves from the start, such as `d2-b4 e7-g5`, or `position TEXT`, which may go on with
    /// `moves` and moves from there. It is what an opening is written as.
    pub fn parse(game: Game, line: &str) -> Result<Opening, OpeningError> {
        let (start, moves) = match line.trim().strip_prefix("position ") {
            None => (game.start(), line),
            Some(rest) => {
                let (text, moves) = rest.split_once(" moves").unwrap_or((rest, ""));
                (game.position(text.trim())?, moves)
            }
        };
        if start.game() != game {
            return Err(OpeningError::OtherGame { wanted: game, found: start.game() });
        }
        Opening::new(start, &moves.split_whitespace().collect::<Vec<_>>())
    }

    /// The position that it leads to.
    pub fn position(&self) -> &AnyPosition {
        self.session.position()
    }

    /// The moves with the way back, to be played on from.
    pub fn session(&self) -> Session {
        self.session.clone()
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.session.start();
        let moves = self.session.moves().join(" ");
        match (*start == start.game().start(), moves.is_empty()) {
            (true, false) => f.write_str(&moves),
            (_, true) => write!(f, "position {start}"),
            (false, false) => write!(f, "position {start} moves {moves}"),
        }
    }
}

/// An endless supply of openings, as long as there are different ones: random moves that lead to
/// positions which differ by more than a symmetry, and which a short search finds balanced. The same
/// seed gives the same openings.
pub struct Openings {
    game: Game,
    seed: u64,
    engine: Engine,
    /// How many random moves. It grows when nothing new is found.
    plies: u32,
    /// How many nodes are searched to judge the balance.
    nodes: u64,
    /// How many points a side may be ahead. It grows when nothing new is found.
    max_lead: i32,
    /// How many candidates have been tried.
    tried: u64,
    /// How many candidates have been rejected in a row.
    rejected: u32,
    seen: HashSet<u64>,
}

/// How long the openings of a game are, and how carefully they are checked for balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningLength {
    /// How many random moves.
    pub plies: u32,
    /// How many nodes are searched (playouts, for a tree search) to judge the balance.
    pub nodes: u64,
}

impl Default for OpeningLength {
    fn default() -> OpeningLength {
        OpeningLength { plies: 4, nodes: 4_000 }
    }
}

impl OpeningLength {
    fn of(game: Game) -> OpeningLength {
        struct Length;
        impl KnowledgeVisitor for Length {
            type Output = OpeningLength;
            fn visit<P: Knowledge>(self, options: P::Options) -> OpeningLength {
                P::opening_length(options)
            }
        }
        visit(game, Length)
    }
}

/// A lead of this many points is never too much: about eight wins in thirteen games.
const MIN_ACCEPTED_LEAD: i32 = 80;

/// After this many rejections in a row, openings may be a ply longer and less balanced.
const REJECTIONS_BEFORE_RELAXING: u32 = 100;

/// Openings are never longer than this: beyond it the supply has run out.
const MAX_PLIES: u32 = 24;

impl Openings {
    /// The openings of a game that come of a seed.
    pub fn new(game: Game, seed: u64) -> Openings {
        let settings = Settings { table: 1, ..Settings::default() };
        let engine = Engine::new(game, settings).expect("a game's own weights are sound");
        let OpeningLength { plies, nodes } = OpeningLength::of(game);
        let mut openings = Openings {
            game,
            seed,
            engine,
            plies,
            nodes,
            max_lead: MIN_ACCEPTED_LEAD,
            tried: 0,
            rejected: 0,
            seen: HashSet::new(),
        };
        // The right to move is worth something: a lead like that of the start is no imbalance.
        let at_start = openings.lead(&game.start()).unwrap_or(0);
        openings.max_lead = MIN_ACCEPTED_LEAD.max(at_start + at_start / 4);
        openings
    }

    fn candidate(&mut self) -> Option<Opening> {
        let mut rng = Rng::for_game(self.seed, self.tried);
        self.tried += 1;
        let mut session = Session::new(self.game.start());
        for _ in 0..self.plies {
            play_on(&mut session, &mut rng)?;
        }
        if !self.seen.insert(canonical_key(session.position())) {
            return None;
        }
        self.lead(session.position()).filter(|lead| *lead <= self.max_lead)?;
        Some(Opening { session })
    }

    /// By how many points a side is ahead, if a short search does not see the game decided.
    fn lead(&mut self, position: &AnyPosition) -> Option<i32> {
        self.engine.forget();
        let limits = Limits::nodes(self.nodes);
        let score = self.engine.think(position, &limits, &Stop::new(), &mut |_| {}).score()?;
        (!score.is_proven()).then_some(score.raw().abs())
    }
}

impl Iterator for Openings {
    type Item = Opening;

    fn next(&mut self) -> Option<Opening> {
        loop {
            if let Some(opening) = self.candidate() {
                self.rejected = 0;
                return Some(opening);
            }
            self.rejected += 1;
            if self.rejected.is_multiple_of(REJECTIONS_BEFORE_RELAXING) {
                self.plies += 1;
                self.max_lead += self.max_lead / 4;
            }
            if self.plies > MAX_PLIES {
                return None;
            }
        }
    }
}

/// Plays a random move that does not end the game, if there is one.
fn play_on(session: &mut Session, rng: &mut Rng) -> Option<()> {
    let mut moves = session.position().legal_moves();
    while !moves.is_empty() {
        let mv = moves.swap_remove(rng.below(moves.len()));
        session.play(&mv).ok()?;
        if session.position().outcome().is_none() {
            return Some(());
        }
        session.undo();
    }
    None
}

/// A key that a position shares with those that a symmetry turns it into.
fn canonical_key(position: &AnyPosition) -> u64 {
    struct Least<'a>(&'a AnyPosition);
    impl Visitor for Least<'_> {
        type Output = Option<u64>;
        fn visit<P: Playable>(self, _: P::Options) -> Option<u64> {
            let position = self.0.downcast::<P>()?;
            (0..position.symmetries()).map(|number| position.transform(number).key()).min()
        }
    }
    position.game().visit(Least(position)).unwrap_or_else(|| position.key())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> impl Iterator<Item = Game> {
        Game::variants().filter(|game| !matches!(game, Game::Palisade(size) if size.get() != 7))
    }

    #[test]
    fn openings_differ_and_none_is_decided() {
        for game in games() {
            let openings: Vec<Opening> = Openings::new(game, 1).take(20).collect();
            assert_eq!(openings.len(), 20, "{game}");
            let keys: HashSet<u64> =
                openings.iter().map(|opening| canonical_key(opening.position())).collect();
            assert_eq!(keys.len(), 20, "{game}");
            assert!(openings.iter().all(|opening| opening.position().outcome().is_none()));
            let others: Vec<Opening> = Openings::new(game, 2).take(20).collect();
            assert_ne!(openings, others, "{game}");
        }
    }

    #[test]
    fn openings_go_through_text() {
        for game in games() {
            for opening in Openings::new(game, 3).take(3) {
                assert_eq!(Opening::parse(game, &opening.to_string()).unwrap(), opening);
                let text = format!("position {}", opening.position());
                let placed = Opening::parse(game, &text).unwrap();
                assert_eq!(placed.position(), opening.position());
                assert_eq!(placed.to_string(), text);
            }
        }
        let text = "position 8/8/8/8/8/2W5/8/b7 w moves c3-b2";
        assert_eq!(Opening::parse(Game::Impasse, text).unwrap().to_string(), text);
        let start = Opening::parse(Game::Impasse, "").unwrap();
        assert_eq!(Opening::parse(Game::Impasse, &start.to_string()).unwrap(), start);
    }

    #[test]
    fn invalid_openings_are_refused() {
        let refused =
            |id: &str, line| Opening::parse(id.parse().unwrap(), line).unwrap_err().to_string();
        assert!(refused("impasse", "d2-b4 d2-b4").starts_with("move 2: d2-b4 is not legal"));
        assert!(refused("impasse", "position 8/8 w").starts_with("expected"));
        assert_eq!(refused("impasse", "position 8/8/8/8/8/8/8/6b1 b"), "the game is over already");
        assert_eq!(
            refused("palisade", "position 3/3/3 b"),
            "this is a position of palisade:3, not of palisade"
        );
    }

    #[test]
    fn a_game_that_is_soon_decided_runs_out_of_openings() {
        assert_eq!(Openings::new("palisade:3".parse().unwrap(), 1).count(), 0);
    }
}
