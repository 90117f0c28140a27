//! Columna: stacks of four are for good, and in `spaces` a path between the pawns wins at once.

mod inputs;
mod levels;

use stoa_rules::columna::{Move, Position, RuleSet, Space};
use stoa_rules::{Position as _, Side};

use crate::matches::OpeningLength;
use crate::net::InputGroups;
use crate::{Knowledge, LevelTable, Strategy, TenToOne, Term, TermSink};

const TEMPO: usize = 0;
const ONES: usize = 1;
const TWOS: usize = 2;
const THREES: usize = 3;
const FOURS: usize = 4;
const ONE_TO_TAKE: usize = 5;
const TWO_TO_TAKE: usize = 6;
const THREE_TO_TAKE: usize = 7;
const FOUR_TO_MAKE: usize = 8;
const SIGHT: usize = 9;
const LINKS: usize = 10;
const BRIDGE: usize = 11;
const DEADLY: usize = 12;
const MIDDLE: usize = 13;
const THREE_TO_TAKE_NOW: usize = 14;
const FOUR_TO_MAKE_NOW: usize = 15;
const SAFE_SPACES: usize = 16;
const SAFE_ONES: usize = 17;
const SAFE_TWOS: usize = 18;
const SAFE_THREES: usize = 19;
const GROUND: usize = 20;
const STACK_MOVES: usize = 21;
const STUCK: usize = 22;

const INNER: u64 = 0x007f_7f7f_7f7f_7f7f;
const LEFT: u64 = 0x0001_0101_0101_0101;
const BOTTOM: u64 = 0x7f;
/// The spaces next to the side of the ring from a2 to h9, and next to the other side.
const SIDES: [u64; 2] = [LEFT | BOTTOM << 48, LEFT << 6 | BOTTOM];
const CENTRE: u64 = 0x0000_001c_1c1c_0000;

/// The stacks connected with those of `from`, all of one player.
#[inline]
fn connected(from: u64, own: u64) -> u64 {
    let mut reached = from & own;
    loop {
        let beside = reached << 1 | reached >> 1 | reached << 8 | reached >> 8;
        let grown = (reached | beside) & own;
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

impl Knowledge for Position {
    const TERMS: &'static [Term] = &[
        Term { name: "tempo", words: "the move", meaning: "Whose turn it is." },
        Term { name: "ones", words: "single pieces", meaning: "Stacks of one that a player owns." },
        Term { name: "twos", words: "stacks of two", meaning: "Stacks of two that a player owns." },
        Term {
            name: "threes",
            words: "stacks of three",
            meaning: "Stacks of three that a player owns: one more piece settles them.",
        },
        Term {
            name: "fours",
            words: "stacks of four",
            meaning: "Stacks of four that a player owns: they never change again, and they are what is counted at the end.",
        },
        Term {
            name: "one-to-take",
            words: "single pieces to take",
            meaning: "Single pieces of the opponent on which a player could drop next.",
        },
        Term {
            name: "two-to-take",
            words: "stacks of two to take",
            meaning: "Stacks of two of the opponent on which a player could drop next.",
        },
        Term {
            name: "three-to-take",
            words: "stacks of three to take",
            meaning: "Stacks of three of the opponent on which a player could drop next, for a four.",
        },
        Term {
            name: "four-to-make",
            words: "own stacks of three to finish",
            meaning: "A player's own stacks of three on which that player could drop next, for a four.",
        },
        Term {
            name: "sight",
            words: "spaces in reach",
            meaning: "Spaces on which a player could drop next.",
        },
        Term {
            name: "links",
            words: "stacks side by side",
            meaning: "Pairs of a player's stacks next to each other: pieces of a path.",
        },
        Term {
            name: "bridge",
            words: "a bridge across the board",
            meaning: "A player's stacks connect the two sides of the ring.",
        },
        Term {
            name: "deadly",
            words: "points the other pawn must avoid",
            meaning: "Points of the ring at the end of such a bridge: the other pawn may not stay there.",
        },
        Term {
            name: "middle",
            words: "stacks in the middle",
            meaning: "A player's stacks on the nine spaces in the middle, where paths cross.",
        },
        Term {
            name: "three-to-take-now",
            words: "a stack of three to take at once",
            meaning: "The player to move can drop on one of the opponent's stacks of three, which cannot get away.",
        },
        Term {
            name: "four-to-make-now",
            words: "a stack of three to finish at once",
            meaning: "The player to move can drop on one of their own stacks of three, which can no longer be taken.",
        },
        Term {
            name: "safe-spaces",
            words: "empty spaces of one's own",
            meaning: "Empty spaces on which only this player can drop, from some point of the track.",
        },
        Term {
            name: "safe-ones",
            words: "single pieces of one's own to build on",
            meaning: "Single pieces of either colour on which only this player can drop, from some point of the track.",
        },
        Term {
            name: "safe-twos",
            words: "stacks of two that only one player can build on",
            meaning: "Stacks of two of either colour on which only this player can drop: a four in two turns that nobody can prevent.",
        },
        Term {
            name: "safe-threes",
            words: "stacks of three that only one player can finish",
            meaning: "Stacks of three of either colour on which only this player can drop.",
        },
        Term {
            name: "ground",
            words: "ground of one's own",
            meaning: "Spaces lower than four that this player's track sees past no four, but the opponent's does not: room for fours to come.",
        },
        Term {
            name: "stack-moves",
            words: "ways to move stacks",
            meaning: "Ways to move a player's stacks: a spare move when every drop would help the opponent.",
        },
        Term {
            name: "stuck",
            words: "no stack that can move",
            meaning: "A player has no stack that can move, and so can neither wait nor go round the corner of the track.",
        },
    ];

    const QUIESCENCE: bool = true;

    /// A turn is a pawn's move and an action, so there are a hundred or two, most of them alike.
    const MAX_MOVES_BY_DEPTH: &'static [u32] = &[5, 11, 21];

    const NET_INPUTS: &'static [u8] = inputs::GROUPS;

    const NET_MAX_SET: u16 = inputs::MAX_SET;

    const NET_BUCKETS: usize = inputs::BUCKETS;

    /// A space for each drop; and for each stack, eight ways along its rank and eight along its file.
    const HISTORY_SIZE: usize = 64 + 64 * 16;

    fn weights(rules: RuleSet) -> &'static str {
        match rules {
            RuleSet::Spaces => include_str!("spaces.weights"),
            RuleSet::Points => include_str!("points.weights"),
        }
    }

    const FIRST_LEVEL_WITH_NET: u8 = 1;

    fn ten_to_one(rules: RuleSet) -> TenToOne {
        match rules {
            RuleSet::Spaces => TenToOne { net: 125, terms: 190 },
            // Most games between equals are drawn, so a lead promises little.
            RuleSet::Points => TenToOne { terms: 1_100, ..TenToOne::default() },
        }
    }

    fn levels(rules: RuleSet) -> LevelTable {
        match rules {
            RuleSet::Spaces => levels::SPACES,
            RuleSet::Points => levels::POINTS,
        }
    }

    fn level_losses(rules: RuleSet) -> &'static str {
        match rules {
            RuleSet::Spaces => include_str!("accuracy.txt"),
            RuleSet::Points => include_str!("accuracy-points.txt"),
        }
    }

    fn strategy(_: RuleSet) -> Strategy {
        Strategy::AlphaBeta
    }

    fn opening_length(_: RuleSet) -> OpeningLength {
        OpeningLength { plies: 4, nodes: 3_000 }
    }

    #[inline]
    fn terms(&self, sink: &mut impl TermSink) {
        sink.add(TEMPO, self.side_to_move(), 1);
        let heights = [1, 2, 3, 4].map(|height| self.of_height(height));
        for side in Side::BOTH {
            let own = self.owned(side);
            let other = self.owned(side.other());
            let sees = self.droppable(side);
            for (term, height) in [ONES, TWOS, THREES, FOURS].into_iter().zip(heights) {
                sink.add(term, side, (own & height).count_ones() as i32);
            }
            for (term, height) in [ONE_TO_TAKE, TWO_TO_TAKE, THREE_TO_TAKE].into_iter().zip(heights)
            {
                sink.add(term, side, (sees & other & height).count_ones() as i32);
            }
            sink.add(FOUR_TO_MAKE, side, (sees & own & heights[2]).count_ones() as i32);
            if side == self.side_to_move() {
                let threes = sees & heights[2];
                sink.add(THREE_TO_TAKE_NOW, side, i32::from(threes & other != 0));
                sink.add(FOUR_TO_MAKE_NOW, side, i32::from(threes & own != 0));
            }
            if self.options() == RuleSet::Points {
                let safe = self.sight(side) & !self.sight(side.other());
                sink.add(SAFE_SPACES, side, (safe & !(own | other)).count_ones() as i32);
                for (term, height) in [SAFE_ONES, SAFE_TWOS, SAFE_THREES].into_iter().zip(heights) {
                    sink.add(term, side, (safe & height).count_ones() as i32);
                }
                let ground = self.open_to(side) & !self.open_to(side.other());
                sink.add(GROUND, side, ground.count_ones() as i32);
                let stack_moves = self.stack_move_count(side) as i32;
                sink.add(STACK_MOVES, side, stack_moves);
                sink.add(STUCK, side, i32::from(stack_moves == 0));
            }
            sink.add(SIGHT, side, sees.count_ones() as i32);
            sink.add(MIDDLE, side, (own & CENTRE).count_ones() as i32);
            if self.options() == RuleSet::Spaces {
                let links = (own & own << 1).count_ones() + (own & own << 8).count_ones();
                sink.add(LINKS, side, links as i32);
                let [one, two] = SIDES;
                let bridges = connected(one, own) & connected(two, own);
                if bridges & INNER != 0 {
                    sink.add(BRIDGE, side, 1);
                    sink.add(
                        DEADLY,
                        side,
                        ((bridges & one).count_ones() + (bridges & two).count_ones()) as i32,
                    );
                }
            }
        }
    }

    fn net(rules: RuleSet) -> Option<&'static [u8]> {
        match rules {
            RuleSet::Spaces => shipped_net!("spaces.net"),
            // Games of equals end in stalls; no network has beaten the terms (docs/strength.md).
            RuleSet::Points => None,
        }
    }

    #[inline]
    fn net_inputs(&self, groups: &mut InputGroups) {
        inputs::set(self, groups);
    }

    #[inline]
    fn net_bucket(&self) -> usize {
        inputs::bucket(self)
    }

    #[inline]
    fn history_index(&self, mv: Move) -> usize {
        let bit = |space: Space| usize::from(space.rank() * 8 + space.file());
        match mv {
            Move::Pass => 0,
            Move::Drop { on, .. } => bit(on),
            Move::MoveStack { from, to, .. } => {
                let along_file = from.file() == to.file();
                let steps = match along_file {
                    true => 3 + to.rank() - from.rank(),
                    false => 3 + to.file() - from.file(),
                };
                64 + bit(from) * 16 + usize::from(along_file) * 8 + usize::from(steps)
            }
        }
    }

    #[inline]
    fn ordering_score(&self, mv: Move) -> i32 {
        match mv {
            Move::Pass => 0,
            Move::Drop { on, .. } => match self.stack(on) {
                None => 10,
                Some(stack) => {
                    let taken = stack.owner != self.side_to_move();
                    i32::from(stack.height) * 10
                        + if taken { 20 } else { 0 }
                        + if stack.height == 3 { 60 } else { 0 }
                }
            },
            Move::MoveStack { .. } => 0,
        }
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        matches!(mv, Move::Drop { on, .. } if self.stack(on).is_some_and(|stack| stack.height == 3))
    }

    #[inline]
    fn has_noisy_moves(&self) -> bool {
        self.droppable(self.side_to_move()) & self.of_height(3) != 0
    }
}
