//! One game of a match: two players, an opening, and the rules as the only judge.

use std::fmt;
use std::time::Duration;

use stoa_rules::playout::Rng;
use stoa_rules::{MoveError, Outcome, Reason, Record, Session, Side};

use super::{Choice, Opening, Player, PlayerError, Thinking};
use crate::{Clock, Limits, Score, Stop, Timer};

/// The limits of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameLimits {
    /// What each side may use for a move, the first player's limits first. A clock shows the time at
    /// the start of the game.
    pub limits: [Limits; 2],
    /// How much a player may exceed the time: the machine has other things to do as well.
    pub margin: Duration,
    /// A game that is not over after this many moves, including the opening, is a draw.
    pub max_plies: Option<usize>,
}

/// Why a player has lost otherwise than on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Forfeit {
    /// The move cannot be played.
    Illegal(MoveError),
    /// It took too long.
    Overtime {
        /// The time allowed, without the margin.
        allowed: Duration,
        /// The time used.
        used: Duration,
    },
    /// The player failed.
    Failed(PlayerError),
}

impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Forfeit::Illegal(error) => {
                let text = error.to_string();
                write!(f, "illegal move: {}", text.lines().next().unwrap_or_default())
            }
            Forfeit::Overtime { allowed, used } => {
                let [allowed, used] = [allowed, used].map(Duration::as_millis);
                write!(f, "too slow: a move took {used} ms, {allowed} ms were allowed")
            }
            Forfeit::Failed(error) => error.fmt(f),
        }
    }
}

/// How much time a player has used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pace {
    /// The number of moves.
    pub moves: u64,
    /// The time of all moves.
    pub total: Duration,
    /// The time of the slowest.
    pub slowest: Duration,
}

impl Pace {
    fn add(&mut self, time: Duration) {
        self.moves += 1;
        self.total += time;
        self.slowest = self.slowest.max(time);
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Pace) -> Pace {
        Pace {
            moves: self.moves + other.moves,
            total: self.total + other.total,
            slowest: self.slowest.max(other.slowest),
        }
    }

    /// The time of a move on average.
    pub fn mean(&self) -> Duration {
        self.total.div_f64(self.moves.max(1) as f64)
    }
}

/// A game that was played to its end.
#[derive(Debug, Clone)]
pub struct Played {
    /// The whole game.
    pub record: Record,
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// The side that lost otherwise than on the board, and why.
    pub forfeit: Option<(Side, Forfeit)>,
    /// How much time each side used, the first player's first.
    pub pace: [Pace; 2],
    /// What each side thought before its moves, the first player's opinions first.
    pub scores: [Vec<Score>; 2],
}

impl Played {
    /// The half points of a side: 2 for a win, 1 for a draw.
    pub fn half_points(&self, side: Side) -> usize {
        match self.winner {
            None => 1,
            Some(winner) => 2 * usize::from(winner == side),
        }
    }
}

/// Plays a game from an opening; `players` are the first and the second player. `None` if the game was
/// stopped.
pub fn play(
    players: [&mut dyn Player; 2],
    opening: &Opening,
    game_limits: &GameLimits,
    seed: u64,
    stop: &Stop,
) -> Option<Played> {
    let [first, second] = players;
    let names = [first.name(), second.name()];
    let mut players = [first, second];
    let mut running = RunningGame {
        session: opening.session(),
        clocks: game_limits.limits.map(|limits| limits.clock),
        pace: [Pace::default(); 2],
        remarks: Vec::new(),
        scores: [Vec::new(), Vec::new()],
    };
    let mut forfeit = None;
    for (side, player) in Side::BOTH.into_iter().zip(&mut players) {
        // Two players of the same kind must not make the same random choices.
        let seed = Rng::for_game(seed, side.index() as u64).bits();
        if let Err(error) = player.new_game(seed) {
            forfeit = forfeit.or(Some((side, Forfeit::Failed(error))));
        }
    }
    while forfeit.is_none() && !running.is_over(game_limits) {
        let side = running.session.position().side_to_move();
        let turn = running.turn(&mut *players[side.index()], side, game_limits);
        // A player that was stopped may have answered anything.
        if stop.is_stopped() {
            return None;
        }
        forfeit = turn.err().map(|why| (side, why));
    }
    Some(running.end(&names, forfeit))
}

/// A game in progress.
struct RunningGame {
    session: Session,
    clocks: [Option<Clock>; 2],
    pace: [Pace; 2],
    /// Comments on moves, by the number of the move.
    remarks: Vec<(usize, String)>,
    scores: [Vec<Score>; 2],
}

impl RunningGame {
    fn is_over(&self, game_limits: &GameLimits) -> bool {
        self.session.position().outcome().is_some()
            || game_limits.max_plies.is_some_and(|max| self.session.moves().len() >= max)
    }

    fn turn(
        &mut self,
        player: &mut dyn Player,
        side: Side,
        game_limits: &GameLimits,
    ) -> Result<(), Forfeit> {
        let clock = self.clocks[side.index()];
        let limits = Limits { clock, ..game_limits.limits[side.index()] };
        let thinking = Thinking { limits, opponent: self.clocks[side.other().index()] };
        let moves: Vec<String> = self.session.moves().into_iter().map(str::to_owned).collect();
        let timer = Timer::start();
        let choice =
            player.choose(self.session.start(), &moves, self.session.position(), &thinking);
        let used = timer.elapsed();
        let choice = choice.map_err(Forfeit::Failed)?;
        self.pace[side.index()].add(used);
        let allowed = [limits.time, clock.map(|clock| clock.left)].into_iter().flatten().min();
        if let Some(allowed) = allowed.filter(|allowed| used > *allowed + game_limits.margin) {
            return Err(Forfeit::Overtime { allowed, used });
        }
        if let Some(clock) = &mut self.clocks[side.index()] {
            clock.left = clock.left.saturating_sub(used) + clock.increment;
        }
        self.session.play(&choice.text).map_err(Forfeit::Illegal)?;
        self.remarks.push((moves.len(), remark(&choice, used)));
        self.scores[side.index()].extend(choice.score);
        Ok(())
    }

    fn end(self, names: &[String; 2], forfeit: Option<(Side, Forfeit)>) -> Played {
        let mut record = Record::from(&self.session);
        for (side, name) in Side::BOTH.into_iter().zip(names) {
            record.set_tag(&record.game().side_word(side), name);
        }
        for (ply, remark) in &self.remarks {
            record.annotate(*ply, "", remark);
        }
        match &forfeit {
            Some((side, why)) => {
                let reason = match why {
                    Forfeit::Overtime { .. } => Reason::Time,
                    Forfeit::Illegal(_) | Forfeit::Failed(_) => Reason::Abandoned,
                };
                record.end(Outcome::win(side.other(), reason));
                record.set_tag("forfeit", &why.to_string());
            }
            // Nothing happens when the board has decided.
            None => {
                record.end(Outcome { winner: None, reason: Reason::Agreed });
            }
        }
        let winner = record.result().and_then(|outcome| outcome.winner);
        Played { record, winner, forfeit, pace: self.pace, scores: self.scores }
    }
}

/// What a record says about a move: `+35, depth 7, 1.25 s`.
fn remark(choice: &Choice, used: Duration) -> String {
    let score = choice.score.map(|score| score.to_string());
    let depth = choice.depth.filter(|depth| *depth > 0).map(|depth| format!("depth {depth}"));
    let time = Some(format!("{:.3} s", used.as_secs_f64()));
    [score, depth, time].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoa_rules::{AnyPosition, Game};

    /// Plays the first legal move a number of times, and then does what it was told to.
    struct Script {
        good: usize,
        then: Then,
    }

    #[derive(Clone)]
    enum Then {
        Say(&'static str),
        Sleep(Duration),
        Fail(PlayerError),
    }

    impl Player for Script {
        fn name(&self) -> String {
            "Script".to_owned()
        }

        fn new_game(&mut self, _: u64) -> Result<(), PlayerError> {
            Ok(())
        }

        fn choose(
            &mut self,
            _: &AnyPosition,
            _: &[String],
            position: &AnyPosition,
            _: &Thinking,
        ) -> Result<Choice, PlayerError> {
            let mut text = position.legal_moves().swap_remove(0);
            if self.good == 0 {
                match self.then.clone() {
                    Then::Say(words) => text = words.to_owned(),
                    Then::Sleep(time) => std::thread::sleep(time),
                    Then::Fail(error) => return Err(error),
                }
            }
            self.good = self.good.saturating_sub(1);
            Ok(Choice { text, ..Choice::default() })
        }
    }

    const LIMITS: GameLimits =
        GameLimits { limits: [NO_LIMITS; 2], margin: Duration::from_millis(5), max_plies: None };
    const NO_LIMITS: Limits =
        Limits { time: None, clock: None, nodes: None, depth: None, playouts: None };

    fn game(then: Then, game_limits: &GameLimits) -> Played {
        let mut good = Script { good: usize::MAX, then: Then::Say("") };
        let mut bad = Script { good: 2, then };
        let opening = Opening::new(Game::Impasse.start(), &["d2-b4"]).unwrap();
        play([&mut good, &mut bad], &opening, game_limits, 1, &Stop::new()).unwrap()
    }

    #[test]
    fn an_illegal_move_loses() {
        let played = game(Then::Say("a1-a2"), &LIMITS);
        assert_eq!(played.winner, Some(Side::First));
        let (side, why) = played.forfeit.unwrap();
        assert_eq!(side, Side::Second);
        assert!(why.to_string().starts_with("illegal move: expected a dark square"), "{why}");
        let text = played.record.to_string();
        assert!(text.contains("result: white wins (abandoned)\n"), "{text}");
        assert!(text.contains("forfeit: illegal move: expected"), "{text}");
        assert_eq!(Record::parse(&text).unwrap().main_line().count(), 5);
    }

    #[test]
    fn a_crash_loses() {
        let played = game(Then::Fail(PlayerError::Crashed("exit code 1".into())), &LIMITS);
        assert_eq!((played.half_points(Side::First), played.half_points(Side::Second)), (2, 0));
        assert_eq!(played.forfeit.unwrap().1.to_string(), "it crashed: exit code 1");
    }

    #[test]
    fn too_slow_a_move_loses_on_time() {
        let slow = Then::Sleep(Duration::from_millis(40));
        let time = Limits::time(Duration::from_millis(10));
        let clock = Clock { left: Duration::from_millis(30), increment: Duration::ZERO };
        let clock = Limits { clock: Some(clock), ..Limits::default() };
        for limits in [time, clock] {
            let played = game(slow.clone(), &GameLimits { limits: [limits; 2], ..LIMITS });
            let (side, why) = played.forfeit.unwrap();
            assert_eq!(side, Side::Second);
            assert!(why.to_string().starts_with("too slow: a move took "), "{why}");
            assert!(played.record.to_string().contains("result: white wins (time)\n"));
            assert!(played.pace[1].slowest >= Duration::from_millis(40));
        }
    }

    #[test]
    fn only_the_limit_of_moves_ends_a_game_before_its_end() {
        let plies = |max_plies| {
            let played = game(Then::Sleep(Duration::ZERO), &GameLimits { max_plies, ..LIMITS });
            assert_eq!(played.forfeit, None);
            (played.record.main_line().count(), played.record.result().unwrap().reason)
        };
        assert_eq!(plies(Some(9)), (9, Reason::Agreed));
        assert_eq!(plies(None).1, Reason::NoCheckers);
    }

    #[test]
    fn the_record_has_players_and_scores() {
        let played = game(Then::Say("nonsense"), &LIMITS);
        assert_eq!(played.record.tag("white"), Some("Script"));
        let comments: Vec<&str> = played.record.main_line().map(|node| node.comment()).collect();
        assert_eq!(comments[0], "", "the opening is nobody's");
        assert!(comments[1].ends_with(" s"), "{comments:?}");
        let choice =
            Choice { score: Some(crate::Score::points(35)), depth: Some(7), ..Choice::default() };
        assert_eq!(remark(&choice, Duration::from_millis(1250)), "+35, depth 7, 1.250 s");
    }

    #[test]
    fn a_stopped_game_is_no_game() {
        let mut players = [2, 3].map(|good| Script { good, then: Then::Say("") });
        let [a, b] = &mut players;
        let stop = Stop::new();
        stop.stop();
        let opening = Opening::new(Game::Impasse.start(), &[]).unwrap();
        assert!(play([a, b], &opening, &LIMITS, 1, &stop).is_none());
    }
}
