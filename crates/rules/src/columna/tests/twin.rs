//! The rules again, slowly: loops over named cells, and no bits.

use std::collections::BTreeSet;

use super::super::{Cell, Position, RuleSet, Setup, Stack};
use crate::{Notation, Outcome, Reason, Side};

/// A file and a rank, `a1` being (0, 0).
type Place = (i32, i32);

const DIRECTIONS: [Place; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// A setup whose rules are read off the sheet.
pub(super) struct Twin(pub(super) Setup);

impl Twin {
    pub(super) fn new(position: &Position) -> Twin {
        Twin(position.to_setup())
    }

    fn stack(&self, (file, rank): Place) -> Option<Stack> {
        self.0.board[rank as usize - 1][file as usize - 1]
    }

    fn set(&mut self, (file, rank): Place, stack: Option<Stack>) {
        self.0.board[rank as usize - 1][file as usize - 1] = stack;
    }

    fn height(&self, place: Place) -> u8 {
        self.stack(place).map_or(0, |stack| stack.height)
    }

    fn pawn(&self, side: Side) -> Place {
        let cell = self.0.pawns[side.index()];
        (cell.file().into(), cell.rank().into())
    }

    /// Clauses 6, 7 and 9, R1.
    fn pawn_moves(&self, side: Side) -> BTreeSet<Place> {
        let (own, other) = (self.pawn(side), self.pawn(side.other()));
        match self.0.rules {
            RuleSet::Spaces => {
                let first = "a2 a3 a4 a5 a6 a7 a8 b9 c9 d9 e9 f9 g9 h9";
                let second = "i8 i7 i6 i5 i4 i3 i2 h1 g1 f1 e1 d1 c1 b1";
                let sides = [first, second].map(places);
                let ring = places(&format!("a1 {first} i9 {second}"));
                let at = ring.iter().position(|&point| point == own).unwrap();
                let closed: Vec<Place> =
                    sides.into_iter().filter(|side| side.contains(&other)).flatten().collect();
                let mut reached = BTreeSet::new();
                for step in [1, ring.len() - 1] {
                    let mut next = (at + step) % ring.len();
                    while ring[next] != other && ring[next] != own {
                        if !closed.contains(&ring[next]) {
                            reached.insert(ring[next]);
                        }
                        next = (next + step) % ring.len();
                    }
                }
                reached
            }
            RuleSet::Points => {
                let track = places(match side {
                    Side::First => "a1 a2 a3 a4 a5 a6 a7 a8 a9 b9 c9 d9 e9 f9 g9 h9",
                    Side::Second => "i9 i8 i7 i6 i5 i4 i3 i2 i1 h1 g1 f1 e1 d1 c1 b1",
                });
                let mut reached = BTreeSet::new();
                for (dx, dy) in DIRECTIONS {
                    let mut next = (own.0 + dx, own.1 + dy);
                    while track.contains(&next) {
                        reached.insert(next);
                        next = (next.0 + dx, next.1 + dy);
                    }
                }
                reached
            }
        }
    }

    /// Clauses 3 and 4.
    fn drops(&self, pawn: Place) -> Vec<Place> {
        let line = line_of_sight(pawn);
        let allowed = |&at: &usize| {
            let target = self.height(line[at]);
            let between: Vec<u8> = line[..at].iter().map(|&place| self.height(place)).collect();
            if target == 0 {
                between.iter().all(|&height| height == 0)
            } else {
                target < 4 && between.iter().all(|&height| height < target)
            }
        };
        (0..line.len()).filter(allowed).map(|at| line[at]).collect()
    }

    /// Clause 3.
    fn stack_moves(&self, side: Side) -> Vec<(Place, Place)> {
        let mut found = Vec::new();
        for from in inner() {
            let Some(Stack { owner, height }) = self.stack(from) else { continue };
            if owner != side || height == 4 {
                continue;
            }
            for (dx, dy) in DIRECTIONS {
                let step = |n: i32| (from.0 + n * dx, from.1 + n * dy);
                let free = |n: i32| inner().contains(&step(n)) && self.stack(step(n)).is_none();
                if (1..=height.into()).all(free) {
                    found.push((from, step(height.into())));
                }
            }
        }
        found
    }

    /// Every valid turn of a player, as text.
    pub(super) fn turns(&self, side: Side) -> BTreeSet<String> {
        let mut turns = BTreeSet::new();
        for pawn in self.pawn_moves(side) {
            for on in self.drops(pawn) {
                turns.insert(format!("{}@{}", name(pawn), name(on)));
            }
            for (from, to) in self.stack_moves(side) {
                turns.insert(format!("{},{}-{}", name(pawn), name(from), name(to)));
            }
        }
        turns
    }

    /// Clause 8.
    pub(super) fn has_path(&self, side: Side) -> bool {
        let own = |place: Place| self.stack(place).is_some_and(|stack: Stack| stack.owner == side);
        let next_to = |pawn: Place| line_of_sight(pawn).first().copied().filter(|&at| own(at));
        let ends = Side::BOTH.map(|side| next_to(self.pawn(side)));
        let (RuleSet::Spaces, [Some(from), Some(to)]) = (self.0.rules, ends) else { return false };
        let mut seen = BTreeSet::from([from]);
        let mut waiting = vec![from];
        while let Some((x, y)) = waiting.pop() {
            for (dx, dy) in DIRECTIONS {
                let next = (x + dx, y + dy);
                if inner().contains(&next) && own(next) && seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        seen.contains(&to)
    }

    /// Clauses 5 and 8, R2 to R4.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        let last = self.0.side.other();
        if self.has_path(last) {
            return Some(Outcome::win(last, Reason::Path));
        }
        let fours = Side::BOTH.map(|owner| {
            let four = Some(Stack { owner, height: 4 });
            inner().iter().filter(|&&place| self.stack(place) == four).count() as u32
        });
        if self.0.stall >= 40 {
            return Some(Outcome::scored(fours, Reason::Stall));
        }
        let blocked = Side::BOTH.into_iter().all(|side| self.turns(side).is_empty());
        blocked.then(|| Outcome::scored(fours, Reason::Blocked))
    }

    /// Every legal move, as text.
    pub(super) fn moves(&self) -> BTreeSet<String> {
        if self.outcome().is_some() {
            return BTreeSet::new();
        }
        let turns = self.turns(self.0.side);
        if turns.is_empty() { BTreeSet::from(["pass".to_owned()]) } else { turns }
    }

    /// What a legal move, given as text, does.
    pub(super) fn play(&mut self, text: &str) {
        let side = self.0.side;
        self.0.side = side.other();
        self.0.stall += 1;
        if text == "pass" {
            return;
        }
        let (file, rank) = place(&text[..2]);
        self.0.pawns[side.index()] = Cell::new(file as u8, rank as u8).unwrap();
        if let Some(on) = text[2..].strip_prefix('@') {
            let height = self.height(place(on)) + 1;
            self.set(place(on), Some(Stack { owner: side, height }));
            self.0.stall = 0;
        } else {
            let (from, to) = (place(&text[3..5]), place(&text[6..8]));
            self.set(to, self.stack(from));
            self.set(from, None);
        }
    }
}

fn inner() -> Vec<Place> {
    (1..8).flat_map(|rank| (1..8).map(move |file| (file, rank))).collect()
}

/// The spaces that a pawn sees, the nearest first (clause 4).
fn line_of_sight((file, rank): Place) -> Vec<Place> {
    let there = 1..8;
    let back = (1..8).rev();
    match (file, rank) {
        (0 | 8, 0 | 8) => Vec::new(),
        (0, _) => there.map(|file| (file, rank)).collect(),
        (8, _) => back.map(|file| (file, rank)).collect(),
        (_, 0) => there.map(|rank| (file, rank)).collect(),
        _ => back.map(|rank| (file, rank)).collect(),
    }
}

fn place(name: &str) -> Place {
    let &[file, rank] = name.as_bytes() else { panic!("{name}") };
    ((file - b'a').into(), (rank - b'1').into())
}

fn places(names: &str) -> Vec<Place> {
    names.split_whitespace().map(place).collect()
}

fn name((file, rank): Place) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}
