//! Colossus: stones turn with every move next to them, towers fall to lines and sieges.

mod inputs;
mod levels;

use stoa_rules::colossus::{CELLS, Cell, Move, Position, next_to};
use stoa_rules::playout::Rng;
use stoa_rules::{Position as _, Side};

use crate::net::InputGroups;
use crate::{Knowledge, LevelTable, Strategy, TenToOne, Term, TermSink};

const TEMPO: usize = 0;
const STONES: usize = 1;
const TOWERS: usize = 2;
const LAST_TOWER: usize = 3;
const EXPOSED: usize = 4;
const ROOM: usize = 5;
const SIEGE: usize = 6;
const SIEGE_CLOSE: usize = 7;
const LATE_STONES: usize = 8;
const NEAR_EMPTY: usize = 9;

const BOARD: u64 = (1 << CELLS) - 1;

impl Knowledge for Position {
    const TERMS: &'static [Term] = &[
        Term { name: "tempo", words: "the move", meaning: "Whose turn it is." },
        Term {
            name: "stones",
            words: "stones",
            meaning: "A player's stones on spaces: a point each at the end.",
        },
        Term {
            name: "towers",
            words: "towers",
            meaning: "A player's towers: three points each, and without one the game is lost.",
        },
        Term {
            name: "last-tower",
            words: "more than one tower",
            meaning: "A player has a single tower left, and loses the game with it.",
        },
        Term {
            name: "exposed",
            words: "stones in danger",
            meaning: "A player's stones with an empty space beside them, where they can be turned.",
        },
        Term {
            name: "room",
            words: "room to grow",
            meaning: "Empty spaces next to a player's stones.",
        },
        Term {
            name: "siege",
            words: "stones around enemy towers",
            meaning: "A player's stones next to enemy towers: the siege that has begun.",
        },
        Term {
            name: "siege-close",
            words: "an almost finished siege",
            meaning: "Enemy towers with at most one neighbouring space that does not hold a player's stone.",
        },
        Term {
            name: "late-stones",
            words: "stones on a full board",
            meaning: "A player's stones once fewer than ten spaces are empty: then they count for good.",
        },
        Term {
            name: "near-empty-towers",
            words: "stones beside empty towers",
            meaning: "A player's stones next to empty towers, from where lines are drawn.",
        },
    ];

    /// `last-tower` is covered by `towers`.
    const UNEXPLAINED_TERMS: &'static [&'static str] = &["tempo", "last-tower"];

    const NET_INPUTS: &'static [u8] = inputs::GROUPS;

    const NET_MAX_SET: u16 = inputs::MAX_SET;

    const NET_BUCKETS: usize = inputs::BUCKETS;

    const MAX_MOVES_BY_DEPTH: &'static [u32] = &[5, 11, 21];

    const HISTORY_SIZE: usize = CELLS + CELLS * CELLS;

    fn weights((): ()) -> &'static str {
        include_str!("default.weights")
    }

    fn ten_to_one((): ()) -> TenToOne {
        TenToOne { net: 182, terms: 135 }
    }

    fn levels((): ()) -> LevelTable {
        levels::LEVELS
    }

    fn level_losses(_: Self::Options) -> &'static str {
        include_str!("accuracy.txt")
    }

    fn strategy((): ()) -> Strategy {
        Strategy::AlphaBeta
    }

    #[inline]
    fn terms(&self, sink: &mut impl TermSink) {
        sink.add(TEMPO, self.side_to_move(), 1);
        let towers = self.towers();
        let occupied = self.stones(Side::First) | self.stones(Side::Second) | towers;
        let empty = BOARD & !occupied;
        let beside_empty = next_to(empty);
        let empty_towers = towers & !self.stones(Side::First) & !self.stones(Side::Second);
        let beside_towers = next_to(empty_towers);
        let late = empty.count_ones() < 10;
        for side in Side::BOTH {
            let all = self.stones(side);
            let own = all & !towers;
            let own_towers = (all & towers).count_ones() as i32;
            let stones = own.count_ones() as i32;
            sink.add(STONES, side, stones);
            if late {
                sink.add(LATE_STONES, side, stones);
            }
            sink.add(TOWERS, side, own_towers);
            sink.add(LAST_TOWER, side, i32::from(own_towers == 1));
            sink.add(EXPOSED, side, (own & beside_empty).count_ones() as i32);
            sink.add(ROOM, side, (next_to(all) & empty).count_ones() as i32);
            sink.add(NEAR_EMPTY, side, (own & beside_towers).count_ones() as i32);
            let mut enemy_towers = self.stones(side.other()) & towers;
            while enemy_towers != 0 {
                let tower = Cell::from_index(enemy_towers.trailing_zeros() as u8);
                let around = tower.map_or(0, Cell::neighbours);
                enemy_towers &= enemy_towers - 1;
                let held = (around & own).count_ones() as i32;
                sink.add(SIEGE, side, held);
                sink.add(SIEGE_CLOSE, side, i32::from((around & !own).count_ones() <= 1));
            }
        }
    }

    fn net((): ()) -> Option<&'static [u8]> {
        shipped_net!("default.net")
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
        match mv {
            Move::Place(cell) => usize::from(cell.index()),
            Move::Step { from, to } | Move::Claim { tower: to, from, .. } => {
                CELLS + usize::from(from.index()) * CELLS + usize::from(to.index())
            }
        }
    }

    #[inline]
    fn ordering_score(&self, mv: Move) -> i32 {
        let enemy = self.stones(self.side_to_move().other()) & !self.towers();
        let turned = |cell: Cell| (enemy & cell.neighbours()).count_ones() as i32;
        match mv {
            Move::Place(cell) => 20 + 40 * turned(cell),
            Move::Step { from, to } => {
                let from_tower = self.towers() >> from.index() & 1 != 0;
                40 * turned(to) - if from_tower { 100 } else { 0 }
            }
            Move::Claim { .. } => 200,
        }
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        let enemy = self.stones(self.side_to_move().other()) & !self.towers();
        match mv {
            Move::Place(cell) => (enemy & cell.neighbours()).count_ones() >= 2,
            Move::Step { to, .. } => (enemy & to.neighbours()).count_ones() >= 3,
            Move::Claim { .. } => true,
        }
    }

    /// No stone leaves the last tower in a playout, and no claimed tower is left without need.
    fn playout_move(&self, rng: &mut Rng) -> Option<Move> {
        let count = self.count_moves();
        let towers = self.stones(self.side_to_move()) & self.towers();
        let mut mv = self.nth_move(rng.below(count))?;
        for _ in 0..8 {
            match mv {
                Move::Step { from, .. } if towers >> from.index() & 1 != 0 => {
                    mv = self.nth_move(rng.below(count))?;
                }
                _ => break,
            }
        }
        Some(mv)
    }
}
