//! Conditional moves: answers that a player has prepared, and that the server plays for them.

use stoa_rules::Side;
use stoa_wire::{Action, DropReason, GameEvent, TimeControl};

use super::{Decision, Downtimes, Play, Refusal};

/// How many lines a player can prepare in a game.
const MAX_LINES: usize = 20;
/// How many moves a line can have, those of both sides.
const MAX_LINE_LENGTH: usize = 20;

/// The conditional moves of the side that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conditional {
    /// Whose they are.
    pub(crate) side: Side,
    /// Each begins with a move of the other side and ends with an answer.
    pub(crate) lines: Vec<Vec<String>>,
}

/// What happens to conditional moves after an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    /// They wait on.
    Kept,
    /// This answer is played, and these lines are left.
    Answered(GameEvent, Vec<Vec<String>>),
    /// They no longer fit.
    Dropped(DropReason),
}

impl Play {
    /// Lines that a side wants to prepare, checked against the rules and written as the rules write them.
    pub(crate) fn conditional(
        &self,
        side: Side,
        lines: &[Vec<String>],
    ) -> Result<Conditional, Refusal> {
        if lines.is_empty() {
            return Ok(Conditional { side, lines: Vec::new() });
        }
        let refuse = |why: String| Err(Refusal::BadConditional(why));
        if lines.len() > MAX_LINES || lines.iter().any(|line| line.len() > MAX_LINE_LENGTH) {
            return refuse(format!(
                "conditional moves are at most {MAX_LINES} lines of at most {MAX_LINE_LENGTH} moves each"
            ));
        }
        match self.turn() {
            None => return Err(Refusal::GameOver),
            Some(turn) if turn == side => return Err(Refusal::YourTurn),
            Some(_) => {}
        }
        if matches!(self.clock.control(), TimeControl::Clock { .. }) {
            return Err(Refusal::LiveGame);
        }
        let mut checked: Vec<Vec<String>> = Vec::new();
        for (number, line) in (1..).zip(lines) {
            if line.is_empty() || line.len() % 2 == 1 {
                return refuse(format!("line {number} does not end with an answer"));
            }
            let line = self.legal_line(side, number, line)?;
            if let Some(other) = checked.iter().find(|other| contradict(other, &line)) {
                let shared = shared_moves(other, &line);
                return refuse(format!(
                    "there are two answers to {}: {} and {}",
                    line[shared - 1],
                    other[shared],
                    line[shared]
                ));
            }
            if checked.iter().any(|other| other.starts_with(&line)) {
                continue;
            }
            checked.retain(|other| !line.starts_with(other));
            checked.push(line);
        }
        Ok(Conditional { side, lines: checked })
    }

    fn legal_line(
        &self,
        side: Side,
        number: usize,
        line: &[String],
    ) -> Result<Vec<String>, Refusal> {
        let mut position = self.position.clone();
        let mut legal = Vec::with_capacity(line.len());
        for (index, text) in line.iter().enumerate() {
            let mover = if index % 2 == 0 { side.other() } else { side };
            let wrong = |why: &str| {
                Refusal::IllegalMove(format!("line {number}, move {}: {why}", index + 1))
            };
            if position.outcome().is_some() {
                return Err(wrong("the game would be over"));
            }
            if position.side_to_move() != mover {
                return Err(wrong("it would be the other side's turn"));
            }
            legal.push(position.play(text).map_err(|error| wrong(&error.to_string()))?);
        }
        Ok(legal)
    }
}

/// How many moves two lines have in common.
fn shared_moves(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// Whether two lines answer the same moves differently.
fn contradict(one: &[String], other: &[String]) -> bool {
    let shared = shared_moves(one, other);
    shared % 2 == 1 && shared < one.len().min(other.len())
}

impl Conditional {
    /// What happens to them after an event that has led to `play`.
    pub(crate) fn after(
        &self,
        event: &GameEvent,
        play: &Play,
        now: i64,
        downtimes: &Downtimes,
    ) -> Fate {
        if play.end.is_some() {
            return Fate::Dropped(DropReason::GameOver);
        }
        match event {
            GameEvent::Moved { .. } => {}
            GameEvent::TakenBack { .. } => return Fate::Dropped(DropReason::TakenBack),
            _ => return Fate::Kept,
        }
        let fits = |line: &&Vec<String>| line.first() == play.moves.last();
        let mut fitting = self.lines.iter().filter(fits).peekable();
        let Some(text) = fitting.peek().and_then(|line| line.get(1)).cloned() else {
            return Fate::Dropped(DropReason::OtherMove);
        };
        // An answer would decline the draw, and that is for the player to decide.
        if play.offers.draw == Some(self.side.other()) {
            return Fate::Dropped(DropReason::DrawOffered);
        }
        let rest = fitting.filter(|line| line.len() > 2).map(|line| line[2..].to_vec()).collect();
        let answer = Action::Move { ply: play.ply(), text };
        match play.decide(self.side, &answer, now, downtimes) {
            Ok(Decision::Happens(event)) => Fate::Answered(event, rest),
            // It was legal when it was prepared, and the side has just been given its turn.
            _ => Fate::Dropped(DropReason::OtherMove),
        }
    }
}

#[cfg(test)]
mod tests {
    use stoa_rules::Game;

    use super::*;

    fn lines(lines: &[&[&str]]) -> Vec<Vec<String>> {
        lines.iter().map(|line| line.iter().map(|&one| one.to_owned()).collect()).collect()
    }

    fn play(control: TimeControl) -> Play {
        let game: Game = "colonnade".parse().expect("a game");
        Play::new(game, control, 0)
    }

    const DAYS: TimeControl = TimeControl::Days { days: 3 };

    /// Another first move than `1b<`, and an answer to it.
    fn other_line() -> [String; 2] {
        let mut position = play(DAYS).position;
        let mut moves = position.legal_moves().into_iter();
        let first = moves.find(|text| text != "1b<").expect("another move");
        position.play(&first).expect("legal");
        [first, position.legal_moves().swap_remove(0)]
    }

    /// Plays a move; returns what happened.
    fn moved(play: &mut Play, text: &str, at: i64) -> GameEvent {
        let side = play.turn().expect("a game being played");
        let action = Action::Move { ply: play.ply(), text: text.to_owned() };
        let decided = play.decide(side, &action, at, &Downtimes::default());
        let Ok(Decision::Happens(event)) = decided else { panic!("{decided:?}") };
        play.apply(&event, at).expect("an event that fits");
        event
    }

    #[test]
    fn lines_are_checked_against_the_rules() {
        let play = play(DAYS);
        let side = Side::Second;
        let set = |wanted: &[&[&str]]| play.conditional(side, &lines(wanted));
        let [first, answer] = other_line();
        let good: &[&[&str]] = &[&["1b<", "1g>"], &[&first, &answer]];
        assert_eq!(set(good).expect("legal").lines, lines(good));
        assert!(
            matches!(set(&[&["1b<"]]), Err(Refusal::BadConditional(why)) if why.contains("line 1"))
        );
        let illegal = set(&[&["1b<", "1g>"], &["1b<", "9z>"]]);
        let said = illegal.expect_err("not legal").to_string();
        assert!(said.starts_with("line 2, move 2: "), "{said}");
        assert!(matches!(play.conditional(Side::First, &lines(good)), Err(Refusal::YourTurn)));
        assert!(matches!(
            super::tests::play(TimeControl::Clock { initial: 60, increment: 0 })
                .conditional(side, &lines(good)),
            Err(Refusal::LiveGame)
        ));
        // What is there twice, or is the beginning of another line, is kept once.
        assert_eq!(set(&[good[0], good[1], good[0]]).expect("legal").lines, lines(good));
        assert_eq!(set(&[]).expect("nothing").lines, lines(&[]));
    }

    #[test]
    fn a_move_has_one_answer() {
        let play = play(DAYS);
        let replies = {
            let mut position = play.position.clone();
            position.play("1b<").expect("legal");
            position.legal_moves()
        };
        let wanted = [["1b<", replies[0].as_str()], ["1b<", replies[1].as_str()]];
        let refused = play.conditional(Side::Second, &lines(&[&wanted[0], &wanted[1]]));
        let said = refused.expect_err("a contradiction").to_string();
        assert!(said.contains("two answers to 1b<"), "{said}");
    }

    #[test]
    fn many_moves_are_refused_before_anything_is_checked() {
        let play = play(DAYS);
        let many = vec![vec!["1b<".to_owned(), "1g>".to_owned()]; 5000];
        let long = vec![vec!["1b<".to_owned(); 10_000]];
        for wanted in [many, long] {
            let said = play.conditional(Side::Second, &wanted).expect_err("too many").to_string();
            assert!(said.contains("at most 20 lines of at most 20 moves"), "{said}");
        }
    }

    #[test]
    fn a_move_that_fits_is_answered_at_once_on_a_fresh_clock() {
        let mut play = play(DAYS);
        let [first, answer] = other_line();
        let wanted = lines(&[&["1b<", "1g>"], &[&first, &answer]]);
        let prepared = play.conditional(Side::Second, &wanted).expect("legal");
        let event = moved(&mut play, "1b<", 1000);
        let fate = prepared.after(&event, &play, 1000, &Downtimes::default());
        let day = 24 * 3600 * 1000;
        let left = Some([3 * day, 3 * day]);
        let answer = GameEvent::Moved { ply: 1, text: "1g>".to_owned(), left };
        assert_eq!(fate, Fate::Answered(answer, Vec::new()));
    }

    #[test]
    fn lines_that_no_longer_fit_are_dropped() {
        let start = play(DAYS);
        let side = Side::Second;
        let prepared = start.conditional(side, &lines(&[&["1b<", "1g>"]])).expect("legal");
        let none = Downtimes::default();
        let mut other = start.clone();
        let event = moved(&mut other, &other_line()[0], 1);
        assert_eq!(prepared.after(&event, &other, 1, &none), Fate::Dropped(DropReason::OtherMove));
        let mut ended = start.clone();
        let event = GameEvent::Aborted { by: Some(side) };
        ended.apply(&event, 1).expect("an end");
        assert_eq!(prepared.after(&event, &ended, 1, &none), Fate::Dropped(DropReason::GameOver));
        let mut back = start.clone();
        moved(&mut back, "1b<", 1);
        let event = GameEvent::TakenBack { ply: 0, left: None };
        back.apply(&event, 2).expect("taken back");
        assert_eq!(prepared.after(&event, &back, 2, &none), Fate::Dropped(DropReason::TakenBack));
        let event = GameEvent::TimeAdded { by: side, ms: 1 };
        assert_eq!(prepared.after(&event, &start, 1, &none), Fate::Kept);
        let mut offered = start.clone();
        offered.apply(&GameEvent::DrawOffered { by: Side::First }, 1).expect("an offer");
        let event = moved(&mut offered, "1b<", 2);
        let fate = prepared.after(&event, &offered, 2, &none);
        assert_eq!(fate, Fate::Dropped(DropReason::DrawOffered));
    }
}
