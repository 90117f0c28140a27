//! Puzzles of a few turns, in games too wide for the proof search: the only move that wins within
//! this many turns, or the only one that does not lose within this many.

use stoa_engine::{Knowledge, Stop};
use stoa_rules::Side;

use super::forced::{Cut, Forcing, after};
use super::{Goal, Turn};

/// How closely a position is looked at.
#[derive(Debug, Clone, Copy)]
struct Effort {
    /// No win takes more of the winner's turns than this, and no defence is against a longer one.
    turns: u32,
    turns_of_defence: u32,
    /// How many positions the search may look at.
    positions: u64,
}

/// For most positions of a game.
const GLANCE: Effort = Effort { turns: 2, turns_of_defence: 1, positions: 500 };

/// For the last ones, where most is found.
const LOOK: Effort = Effort { turns: 5, turns_of_defence: 3, positions: 12_000 };
const LAST_PLIES: usize = 16;

/// Another turn takes several times as many positions: it is not begun where it would not be ended.
const GROWTH_PER_TURN: u64 = 4;

/// What may be spent on saying or checking all about a puzzle. Nothing that was found with a
/// [`LOOK`] comes near it.
pub(super) const THOROUGH: u64 = 4_000_000;

/// Where fewer moves than this are legal, the right one is too easy to find.
const MIN_MOVES: usize = 5;

/// If more moves than this hold, nothing is urgent.
const MAX_HOLDING: usize = 24;

/// The rules' count of turns without progress is not visible on the board: puzzles stay this many
/// turns away from it.
const TURNS_TO_STALL: u32 = 16;

/// Looks for both players' wins in the positions of a game.
pub(super) struct Seeker<'a, P: Knowledge> {
    searches: [Forcing<'a, P>; 2],
}

/// What is asked in a position, and the one move that does it.
pub(super) struct Urgent<M> {
    pub(super) goal: Goal,
    pub(super) mv: M,
}

/// How a puzzle goes on: the turns that are asked, and the rest.
pub(super) struct Solution {
    pub(super) turns: Vec<Turn>,
    pub(super) rest: Vec<String>,
}

impl<'a, P: Knowledge> Seeker<'a, P> {
    pub(super) fn new(stop: &'a Stop) -> Seeker<'a, P> {
        Seeker { searches: Side::BOTH.map(|side| Forcing::new(side, stop)) }
    }

    fn search(&mut self, attacker: Side, positions: u64) -> &mut Forcing<'a, P> {
        self.searches[attacker.index()].allow(positions)
    }

    /// Whether the player who has moved can lose at once.
    pub(super) fn loses_at_once(&mut self, position: &P) -> bool {
        self.search(position.side_to_move(), 1).wins(position, 1) == Ok(true)
    }

    /// Whether a position of a game asks for one move, and which. Nothing if that takes too long to
    /// find out.
    pub(super) fn look(
        &mut self,
        position: &P,
        plies_to_the_end: usize,
    ) -> Option<Urgent<P::Move>> {
        let is_fit = position.outcome().is_none()
            && position.count_moves() >= MIN_MOVES
            && position.stall_left() >= TURNS_TO_STALL;
        if !is_fit {
            return None;
        }
        let effort = if plies_to_the_end <= LAST_PLIES { LOOK } else { GLANCE };
        match self.fewest_turns(position, effort) {
            Some(turns) => self.only_win(position, turns).ok()?,
            None => self.only_defence(position, effort).ok()?,
        }
    }

    /// Within how many turns the player to move wins, as far as that is found.
    fn fewest_turns(&mut self, position: &P, effort: Effort) -> Option<u32> {
        let search = self.search(position.side_to_move(), effort.positions);
        for turns in 1..=effort.turns {
            if search.wins(position, turns).ok()? {
                return Some(turns);
            }
            if (effort.positions - search.left()) * GROWTH_PER_TURN > effort.positions {
                return None;
            }
        }
        None
    }

    fn only_win(&mut self, position: &P, turns: u32) -> Result<Option<Urgent<P::Move>>, Cut> {
        let search = self.search(position.side_to_move(), THOROUGH);
        let winning = search.winning_moves(position, turns, 2)?;
        let &[mv] = winning.as_slice() else { return Ok(None) };
        Ok(Some(Urgent { goal: Goal::WinWithin(turns), mv }))
    }

    fn only_defence(
        &mut self,
        position: &P,
        effort: Effort,
    ) -> Result<Option<Urgent<P::Move>>, Cut> {
        let search = self.search(position.side_to_move().other(), effort.positions);
        let mut holding = position.legal_moves();
        for turns in 1..=effort.turns_of_defence {
            let mut still = Vec::new();
            for mv in holding {
                if !search.wins(&after(position, mv), turns)? {
                    still.push(mv);
                }
            }
            match *still.as_slice() {
                // What only puts it off for a turn is no defence.
                [mv] if !search.wins(&after(position, mv), turns + 1)? => {
                    return Ok(Some(Urgent { goal: Goal::Hold(turns), mv }));
                }
                [] | [_] => return Ok(None),
                _ if still.len() > MAX_HOLDING => return Ok(None),
                _ => holding = still,
            }
        }
        Ok(None)
    }

    /// The turns of a puzzle. The opponent answers so that the win takes as long as it can, and
    /// leaves as few ways to it as possible; a turn is asked as long as one move alone is right, and
    /// the last one anyway.
    pub(super) fn solution(&mut self, position: &P, urgent: &Urgent<P::Move>) -> Option<Solution> {
        let first = Turn { accepted: vec![position.move_text(urgent.mv)], reply: None };
        let mut solution = Solution { turns: vec![first], rest: Vec::new() };
        let Goal::WinWithin(turns) = urgent.goal else { return Some(solution) };
        let mut at = after(position, urgent.mv);
        for left in (1..turns).rev() {
            let (reply, winning) = self.hardest_reply(&at, left).ok()??;
            let next = after(&at, reply);
            let texts: Vec<String> = winning.iter().map(|&mv| next.move_text(mv)).collect();
            let is_asked = solution.rest.is_empty() && (left == 1 || texts.len() == 1);
            match solution.turns.last_mut() {
                Some(last) if is_asked => {
                    last.reply = Some(at.move_text(reply));
                    solution.turns.push(Turn { accepted: texts, reply: None });
                }
                _ => {
                    solution.rest.push(at.move_text(reply));
                    solution.rest.extend(texts.into_iter().next());
                }
            }
            at = after(&next, *winning.first()?);
        }
        Some(solution)
    }

    /// Among the replies after which the attacker needs all the turns that are left, one that leaves
    /// the fewest winning moves; and these.
    #[expect(clippy::type_complexity, reason = "a reply and the moves after it")]
    fn hardest_reply(
        &mut self,
        position: &P,
        left: u32,
    ) -> Result<Option<(P::Move, Vec<P::Move>)>, Cut> {
        let search = self.search(position.side_to_move().other(), THOROUGH);
        let mut hardest: Option<(P::Move, Vec<P::Move>)> = None;
        for reply in position.legal_moves() {
            let next = after(position, reply);
            if next.outcome().is_some() || search.wins(&next, left - 1)? {
                continue;
            }
            let fewest = hardest.as_ref().map_or(usize::MAX, |(_, winning)| winning.len());
            if fewest == 1 {
                break;
            }
            let winning = search.winning_moves(&next, left, fewest)?;
            if !winning.is_empty() && winning.len() < fewest {
                hardest = Some((reply, winning));
            }
        }
        Ok(hardest)
    }
}
