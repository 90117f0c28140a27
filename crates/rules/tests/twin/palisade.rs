//! Palisade, by Mark Steere.

use super::{Look, expand, over, score, squeeze};

/// `grid[y + 1][x + 1]` is the point (x, y), so that the grid holds the board (2 ..= n + 1),
/// the ring of stones around it (1 and n + 2) and an empty margin (0 and n + 3).
/// `b`/`w` stones, `.` none.
type Grid = Vec<Vec<char>>;
/// One truth for each place of the grid.
type Marks = Vec<Vec<bool>>;
/// A place of the grid: (row, column).
type Place = (usize, usize);

pub fn look(position: &str) -> Look {
    let (grid, side) = read(position);
    let points = points(&grid);

    // Clause 7. A point that both own (no play leads there) counts for the player not to move.
    let black = owned(&grid, 'b');
    let white = owned(&grid, 'w');
    if points.iter().all(|&(r, c)| black[r][c] || white[r][c]) {
        let (mut blacks, mut whites) = (0, 0);
        for &(r, c) in &points {
            if black[r][c] && (!white[r][c] || side == 'w') {
                blacks += 1;
            } else {
                whites += 1;
            }
        }
        return over(score(blacks, whites));
    }

    let beyond_black = outside(&stones(&grid, 'b'));
    let beyond_white = outside(&stones(&grid, 'w'));
    let mut moves = Vec::new();
    for &(r, c) in &points {
        // Clause 2: an empty point of your own kind; clause 5: within no loop.
        let free = grid[r][c] == '.' && beyond_black[r][c] && beyond_white[r][c];
        if free && kind((r, c)) == side {
            let mut after = grid.clone();
            after[r][c] = side;
            for (r, c) in captured(&after, (r, c)) {
                after[r][c] = '.';
            }
            let text = format!("{}{}", (b'a' + c as u8 - 2) as char, r - 1);
            moves.push((text, write(&after, other(side))));
        }
    }
    Look { verdict: None, moves }
}

fn other(side: char) -> char {
    if side == 'b' { 'w' } else { 'b' }
}

/// Clauses 1 and 2: black stones where x + y is even, white ones where it is odd.
fn kind((row, column): Place) -> char {
    if (row + column).is_multiple_of(2) { 'b' } else { 'w' }
}

/// The places that are points of the board.
fn points(grid: &Grid) -> Vec<Place> {
    let mut points = Vec::new();
    for r in 2..grid.len() - 2 {
        for c in 2..grid.len() - 2 {
            points.push((r, c));
        }
    }
    points
}

/// Where the stones of one colour stand, those of the ring included.
fn stones(grid: &Grid, colour: char) -> Marks {
    let mark_row = |row: &Vec<char>| row.iter().map(|&c| c == colour).collect();
    grid.iter().map(mark_row).collect()
}

/// The places that are marked.
fn marked(marks: &Marks) -> Vec<Place> {
    let mut places = Vec::new();
    for (r, row) in marks.iter().enumerate() {
        for (c, &mark) in row.iter().enumerate() {
            if mark {
                places.push((r, c));
            }
        }
    }
    places
}

fn blank(size: usize) -> Marks {
    vec![vec![false; size]; size]
}

/// The places from which one can walk off the grid, orthogonally and not over these stones.
/// Two stones diagonally adjacent leave no way through between them, so every other place is
/// a stone or is within a loop of these stones.
fn outside(stones: &Marks) -> Marks {
    let size = stones.len();
    let mut reached = blank(size);
    let mut todo = vec![(0, 0)];
    while let Some((r, c)) = todo.pop() {
        if reached[r][c] || stones[r][c] {
            continue;
        }
        reached[r][c] = true;
        if r > 0 {
            todo.push((r - 1, c));
        }
        if r + 1 < size {
            todo.push((r + 1, c));
        }
        if c > 0 {
            todo.push((r, c - 1));
        }
        if c + 1 < size {
            todo.push((r, c + 1));
        }
    }
    reached
}

/// The stones diagonally adjacent to a stone. (No stone stands on the margin.)
fn links(stones: &Marks, (r, c): Place) -> Vec<Place> {
    let around = [(r - 1, c - 1), (r - 1, c + 1), (r + 1, c - 1), (r + 1, c + 1)];
    around.into_iter().filter(|&(r, c)| stones[r][c]).collect()
}

/// The stones that can be reached from a stone by diagonal steps from stone to stone.
fn connected(stones: &Marks, from: Place) -> Marks {
    let mut reached = blank(stones.len());
    let mut todo = vec![from];
    while let Some(place) = todo.pop() {
        if !reached[place.0][place.1] {
            reached[place.0][place.1] = true;
            todo.extend(links(stones, place));
        }
    }
    reached
}

/// Clause 3: a stone is on a loop if one can leave it by one link and come back by another.
fn on_a_loop(stones: &Marks, stone: Place) -> bool {
    let mut rest = stones.clone();
    rest[stone.0][stone.1] = false;
    let links = links(stones, stone);
    for &start in &links {
        let reached = connected(&rest, start);
        if links.iter().any(|&(r, c)| (r, c) != start && reached[r][c]) {
            return true;
        }
    }
    false
}

/// Clause 6: the points the colour's loops stand on, and all points within them.
fn owned(grid: &Grid, colour: char) -> Marks {
    let stones = stones(grid, colour);
    let beyond = outside(&stones);
    let mut owned = blank(grid.len());
    for (r, c) in points(grid) {
        owned[r][c] = if stones[r][c] {
            // A stone is within a loop if its point is so even without it.
            let mut rest = stones.clone();
            rest[r][c] = false;
            on_a_loop(&stones, (r, c)) || !outside(&rest)[r][c]
        } else {
            !beyond[r][c]
        };
    }
    owned
}

/// Clause 4: the enemy stones of the board within loops that pass through the new stone.
fn captured(grid: &Grid, new: Place) -> Vec<Place> {
    let own = grid[new.0][new.1];
    let within = |stones: &Marks| {
        let beyond = outside(stones);
        let is_taken = |&(r, c): &Place| grid[r][c] == other(own) && !beyond[r][c];
        points(grid).into_iter().filter(is_taken).collect()
    };
    let stones = stones(grid, own);
    let candidates: Vec<Place> = within(&stones);
    if candidates.is_empty() {
        return candidates;
    }
    // Keep only the stones that share a loop with the new one: those that no single other
    // stone cuts off from it. (A mere neighbour of the new stone may be kept too; on no loop
    // with it, it encloses nothing.) The new stone was within no loop, so it stands on the
    // outer rim of what is kept, and that rim is made of loops through it.
    let mut kept = connected(&stones, new);
    let group = marked(&kept);
    for &cut in &group {
        if cut != new {
            let mut rest = stones.clone();
            rest[cut.0][cut.1] = false;
            let reached = connected(&rest, new);
            for &(r, c) in &group {
                if !reached[r][c] && (r, c) != cut {
                    kept[r][c] = false;
                }
            }
        }
    }
    within(&kept)
}

fn read(position: &str) -> (Grid, char) {
    let fields: Vec<&str> = position.split(' ').collect();
    assert_eq!(fields.len(), 2, "fields of {position:?}");
    let side = match fields[1] {
        "b" => 'b',
        "w" => 'w',
        _ => panic!("side to move of {position:?}"),
    };
    // The text runs from rank n down to rank 1.
    let ranks: Vec<Vec<char>> = fields[0].split('/').rev().map(expand).collect();
    let n = ranks.len();
    assert!(n % 2 == 1 && (3..=19).contains(&n), "size of {position:?}");
    let mut grid = vec![vec!['.'; n + 4]; n + 4];
    for (y, rank) in ranks.iter().enumerate() {
        assert_eq!(rank.len(), n, "files of {position:?}");
        for (x, &c) in rank.iter().enumerate() {
            let place = (y + 2, x + 2);
            assert!(c == '.' || c == kind(place), "{c:?} in {position:?}");
            grid[place.0][place.1] = c;
        }
    }
    // Clause 1: the ring, without its corners.
    for i in 2..n + 2 {
        for (r, c) in [(1, i), (n + 2, i), (i, 1), (i, n + 2)] {
            grid[r][c] = kind((r, c));
        }
    }
    assert_eq!(write(&grid, side), position, "not canonical");
    (grid, side)
}

fn write(grid: &Grid, side: char) -> String {
    let n = grid.len() - 4;
    let ranks: Vec<String> = (2..n + 2).rev().map(|r| squeeze(&grid[r][2..n + 2])).collect();
    format!("{} {side}", ranks.join("/"))
}
