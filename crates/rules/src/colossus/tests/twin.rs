//! A slow twin of the rules: names on a picture, steps found by walking, moves played on text.

use std::collections::{BTreeMap, BTreeSet};

use crate::colossus::{self, Occupant, Position};
use crate::playout::Rng;
use crate::testing::{moves, start};
use crate::{Notation, Outcome, Position as _, Reason, Setup, Side};

const PICTURE: [&str; 7] = [
    "      g1  g2  g3  g4",
    "    f1  f2  f3  f4  f5",
    "  e1  e2  e3  e4  e5  e6",
    "d1  d2  d3  d4  d5  d6  d7",
    "  c1  c2  c3  c4  c5  c6",
    "    b1  b2  b3  b4  b5",
    "      a1  a2  a3  a4",
];

const DIRECTIONS: [(i32, i32); 6] = [(4, 0), (2, 1), (-2, 1), (-4, 0), (-2, -1), (2, -1)];

/// The names of the spaces and where they are.
struct Map {
    places: BTreeMap<&'static str, (i32, i32)>,
    names: BTreeMap<(i32, i32), &'static str>,
}

impl Map {
    fn new() -> Map {
        let mut map = Map { places: BTreeMap::new(), names: BTreeMap::new() };
        for (y, line) in PICTURE.iter().rev().enumerate() {
            for x in (0..line.len()).filter(|&x| line.as_bytes()[x].is_ascii_lowercase()) {
                map.places.insert(&line[x..x + 2], (x as i32, y as i32));
                map.names.insert((x as i32, y as i32), &line[x..x + 2]);
            }
        }
        map
    }

    fn step(&self, from: &str, (dx, dy): (i32, i32)) -> Option<&'static str> {
        let (x, y) = self.places[from];
        self.names.get(&(x + dx, y + dy)).copied()
    }

    fn next_to(&self, cell: &str) -> BTreeSet<&'static str> {
        DIRECTIONS.into_iter().filter_map(|direction| self.step(cell, direction)).collect()
    }

    fn two_away(&self, cell: &str) -> BTreeSet<&'static str> {
        let near = self.next_to(cell);
        let mut two: BTreeSet<_> = near.iter().flat_map(|next| self.next_to(next)).collect();
        two.retain(|far| *far != cell && !near.contains(far));
        two
    }
}

/// Spaces that hold something, by name; `side` is `b` or `w`.
#[derive(Clone)]
struct Twin<'a> {
    map: &'a Map,
    board: BTreeMap<&'static str, char>,
    side: char,
    supply: u32,
    stall: u32,
    peak: u32,
}

impl<'a> Twin<'a> {
    fn read(map: &'a Map, text: &str) -> Twin<'a> {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut board = BTreeMap::new();
        for (row, line) in fields[0].split('/').zip(PICTURE) {
            let mut names = line.split_whitespace();
            for c in row.chars() {
                if let Some(run) = c.to_digit(10) {
                    names.nth(run as usize - 1);
                } else {
                    board.insert(names.next().unwrap(), c);
                }
            }
        }
        let number = |field: usize| fields[field].parse().unwrap();
        let side = fields[1].chars().next().unwrap();
        Twin { map, board, side, supply: number(2), stall: number(3), peak: number(4) }
    }

    fn write(&self) -> String {
        let rows: Vec<String> = PICTURE
            .iter()
            .map(|line| {
                let cells: String = line
                    .split_whitespace()
                    .map(|name| self.board.get(name).copied().unwrap_or('.'))
                    .collect();
                // Longest runs first: no row has more than seven cells.
                (1..=7)
                    .rev()
                    .fold(cells, |row, run| row.replace(&".".repeat(run), &run.to_string()))
            })
            .collect();
        let Twin { side, supply, stall, peak, .. } = self;
        format!("{} {side} {supply} {stall} {peak}", rows.join("/"))
    }

    fn has(&self, cell: &str, c: char) -> bool {
        self.board.get(cell) == Some(&c)
    }

    fn tower(side: char) -> char {
        side.to_ascii_uppercase()
    }

    fn enemy(&self) -> char {
        if self.side == 'b' { 'w' } else { 'b' }
    }

    fn has_tower(&self, side: char) -> bool {
        self.board.values().any(|&c| c == Twin::tower(side))
    }

    fn is_own(&self, cell: &str) -> bool {
        self.has(cell, self.side) || self.has(cell, Twin::tower(self.side))
    }

    fn next_to_tower(&self, cell: &str) -> bool {
        self.map
            .next_to(cell)
            .iter()
            .any(|next| "tBW".contains(*self.board.get(next).unwrap_or(&'.')))
    }

    fn places_and_steps(&self) -> Vec<String> {
        let desperate = !self.has_tower(self.side);
        let mut found = Vec::new();
        for &cell in self.map.places.keys() {
            let empty = !self.board.contains_key(cell);
            if empty && self.map.next_to(cell).iter().any(|next| self.is_own(next)) {
                found.push(cell.to_owned());
            }
            if empty || desperate && self.has(cell, 't') {
                for from in self.map.two_away(cell).into_iter().filter(|from| self.is_own(from)) {
                    found.push(format!("{from}-{cell}"));
                }
            }
        }
        found
    }

    fn claims(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (&tower, _) in self.board.iter().filter(|&(_, &c)| c == 't') {
            for direction in DIRECTIONS {
                let mut links = Vec::new();
                let mut at = self.map.step(tower, direction);
                while let Some(link) = at.filter(|link| self.has(link, self.side)) {
                    links.push(link);
                    at = self.map.step(link, direction);
                }
                let ends_well = at.is_some_and(|end| self.has(end, Twin::tower(self.side)));
                if links.is_empty() || !ends_well {
                    continue;
                }
                links.sort();
                let claim = format!("{tower}={}", links.join("."));
                for new in links.iter().filter(|link| self.supply > 0 && !self.next_to_tower(link))
                {
                    found.push(format!("{claim}+{new}"));
                }
                found.push(claim);
            }
        }
        found
    }

    fn outcome(&self) -> Option<Outcome> {
        let [side, enemy] = if self.side == 'b' { Side::BOTH } else { [Side::Second, Side::First] };
        let points = |stone: char| {
            self.board.values().fold(0, |sum, &c| {
                sum + u32::from(c == stone) + 3 * u32::from(c == Twin::tower(stone))
            })
        };
        let scores = [points('b'), points('w')];
        if !self.has_tower(self.enemy()) {
            Some(Outcome::win(side, Reason::NoTower))
        } else if self.board.len() == 37 {
            Some(Outcome::scored(scores, Reason::FullBoard))
        } else if self.stall == 40 {
            Some(Outcome::scored(scores, Reason::Stall))
        } else if self.places_and_steps().is_empty() {
            Some(Outcome::win(enemy, Reason::NoMove))
        } else {
            None
        }
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut found = self.places_and_steps();
        found.extend(self.claims());
        found.sort();
        found
    }

    fn name(text: &str) -> &'static str {
        PICTURE.iter().flat_map(|line| line.split_whitespace()).find(|name| *name == text).unwrap()
    }

    fn play(&self, text: &str) -> Twin<'a> {
        let mut next = self.clone();
        let (side, enemy) = (self.side, self.enemy());
        let mut arrived = None;
        if let Some((tower, rest)) = text.split_once('=') {
            let (links, new) = rest.split_once('+').map_or((rest, None), |(l, n)| (l, Some(n)));
            for link in links.split('.') {
                next.board.remove(link);
            }
            next.board.insert(Twin::name(tower), Twin::tower(side));
            if let Some(new) = new {
                next.board.insert(Twin::name(new), 't');
                next.supply -= 1;
            }
        } else if let Some((from, to)) = text.split_once('-') {
            if next.board.remove(from) == Some(Twin::tower(side)) {
                next.board.insert(Twin::name(from), 't');
            }
            let landed = if self.has(to, 't') { Twin::tower(side) } else { side };
            next.board.insert(Twin::name(to), landed);
            arrived = Some(to);
        } else {
            next.board.insert(Twin::name(text), side);
            arrived = Some(text);
        }
        for near in arrived.map(|cell| self.map.next_to(cell)).unwrap_or_default() {
            if next.has(near, enemy) {
                next.board.insert(near, side);
            }
        }
        let besieged: Vec<_> = next
            .board
            .iter()
            .filter(|&(_, &c)| c == Twin::tower(enemy))
            .map(|(&tower, _)| tower)
            .filter(|tower| self.map.next_to(tower).iter().all(|near| next.has(near, side)))
            .collect();
        for tower in besieged {
            next.board.insert(tower, Twin::tower(side));
        }
        next.stall += 1;
        if next.board.len() as u32 > next.peak {
            next.peak = next.board.len() as u32;
            next.stall = 0;
        }
        next.side = enemy;
        next
    }
}

/// Everything that the twin can tell about a position; returns the legal moves.
fn compare(position: &Position, twin: &Twin<'_>) -> Vec<String> {
    let text = twin.write();
    assert_eq!(position.to_setup().to_string(), text);
    assert_eq!(position.outcome(), twin.outcome(), "{text}");
    let expected = twin.moves();
    assert_eq!(moves(position), expected, "{text}");
    assert_eq!(position.count_moves(), expected.len(), "{text}");
    for mv in position.legal_moves() {
        let mut next = *position;
        next.play_unchecked(mv);
        let mv = position.move_text(mv);
        assert_eq!(next.to_setup().to_string(), twin.play(&mv).write(), "{text} {mv}");
    }
    expected
}

/// A move that does not lose at once, if one is found; claims are taken half of the time.
fn choose(position: &Position, moves: &[String], rng: &mut Rng) -> String {
    let claims: Vec<_> = moves.iter().filter(|mv| mv.contains('=')).collect();
    if !claims.is_empty() && rng.below(2) == 0 {
        return claims[rng.below(claims.len())].clone();
    }
    let mut mv = &moves[0];
    for _ in 0..20 {
        mv = &moves[rng.below(moves.len())];
        let mut next = *position;
        next.play(position.parse_move(mv).unwrap()).unwrap();
        if next.outcome().is_none_or(|outcome| outcome.reason != Reason::NoTower) {
            break;
        }
    }
    mv.clone()
}

/// Plays on from a position, comparing all the way. Returns how the game ended, if it did within
/// `plies`.
fn play_on(map: &Map, mut position: Position, plies: usize, rng: &mut Rng) -> Option<Reason> {
    let mut twin = Twin::read(map, &position.to_setup().to_string());
    for _ in 0..plies {
        let moves = compare(&position, &twin);
        if moves.is_empty() {
            return position.outcome().map(|outcome| outcome.reason);
        }
        let mv = choose(&position, &moves, rng);
        position.play(position.parse_move(&mv).unwrap()).unwrap();
        twin = twin.play(&mv);
    }
    None
}

/// Any arrangement of stones and at most nine towers, fuller or emptier.
pub(super) fn random_position(rng: &mut Rng) -> Position {
    let fullness = rng.below(100);
    let towers = rng.below(10);
    let supply = rng.below(10 - towers);
    let mut board = [None; 37];
    for cell in &mut board {
        if rng.below(100) < fullness {
            let letter = ['b', 'w'][rng.below(2)];
            *cell = Occupant::from_letter(letter);
        }
    }
    for _ in 0..towers {
        let letter = ['t', 'B', 'W'][rng.below(3)];
        board[rng.below(37)] = Occupant::from_letter(letter);
    }
    let occupied = board.iter().flatten().count();
    let setup = colossus::Setup {
        board,
        side: Side::BOTH[rng.below(2)],
        supply: supply as u32,
        stall: rng.below(41) as u32,
        peak: (occupied + rng.below(38 - occupied)) as u32,
    };
    setup.validate().unwrap()
}

#[test]
fn the_twin_agrees_from_the_start() {
    let map = Map::new();
    let mut rng = Rng::new(5);
    for _ in 0..10 {
        play_on(&map, start(), usize::MAX, &mut rng);
    }
}

#[test]
fn the_twin_agrees_on_any_position() {
    let map = Map::new();
    let mut rng = Rng::new(6);
    let ends: Vec<_> =
        (0..600).filter_map(|_| play_on(&map, random_position(&mut rng), 3, &mut rng)).collect();
    for reason in [Reason::NoTower, Reason::FullBoard, Reason::Stall, Reason::NoMove] {
        assert!(ends.contains(&reason), "no game ended with {reason}");
    }
}
