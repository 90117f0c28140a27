//! The first moves of a game, those that a symmetry makes the same taken together.

use stoa_engine::Score;
use stoa_engine::selfplay::file::Aside;
use stoa_rules::Playable;

/// How many first moves are compared by playing.
pub const CANDIDATES: usize = 12;

/// How many of them are compared because they look best; the others are those that look most even.
const BEST: usize = 2;

/// First moves that are the same but for a symmetry of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstMove<M> {
    /// The first of them in the list of legal moves.
    pub mv: M,
    /// Its place in that list.
    pub index: u16,
    /// The places of all of them.
    pub all: Vec<u16>,
}

/// The first moves of a game, in the order of the list of legal moves.
pub fn first_moves<P: Playable>(start: &P) -> Vec<FirstMove<P::Move>> {
    let moves = start.legal_moves();
    let place = |mv: P::Move| moves.iter().position(|&legal| legal == mv);
    let symmetries: Vec<usize> =
        (0..start.symmetries()).filter(|&symmetry| start.transform(symmetry) == *start).collect();
    let mut found: Vec<FirstMove<P::Move>> = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        let images = symmetries.iter().filter_map(|&s| place(start.transform_move(mv, s)));
        let least = images.min().unwrap_or(index);
        match found.iter_mut().find(|class| usize::from(class.index) == least) {
            Some(class) => class.all.push(index as u16),
            None => found.push(FirstMove { mv, index: index as u16, all: vec![index as u16] }),
        }
    }
    found
}

/// The first player's chances after a first move, from what the survey thinks of the position then.
pub fn chances(surveyed: &Aside) -> f64 {
    1.0 - Score::from_raw(surveyed.score).win_probability()
}

/// The places of the first moves to be compared by playing: the ones that look best for the first
/// player, and the ones that look most even, in the order of the survey.
pub fn candidates(survey: &[Aside]) -> Vec<u16> {
    let ranked = |key: &dyn Fn(&Aside) -> f64| {
        let mut order: Vec<usize> = (0..survey.len()).collect();
        order.sort_by(|&a, &b| key(&survey[a]).total_cmp(&key(&survey[b])).then(a.cmp(&b)));
        order
    };
    let best = ranked(&|aside| -chances(aside));
    let mut chosen: Vec<usize> = best.into_iter().take(BEST).collect();
    for place in ranked(&|aside| (chances(aside) - 0.5).abs()) {
        if chosen.len() < CANDIDATES && !chosen.contains(&place) {
            chosen.push(place);
        }
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|place| survey[place].mv).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoa_rules::{Position, palisade};

    #[test]
    fn symmetric_first_moves_are_one() {
        let size = palisade::Size::new(5).unwrap();
        let classes = first_moves(&palisade::Position::start(size));
        // Of 13 points: the centre, four beside it, four corners, four middles of edges.
        let mut sizes: Vec<usize> = classes.iter().map(|class| class.all.len()).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [1, 4, 4, 4]);
        for game in stoa_rules::Game::ALL {
            let mut members: Vec<u16> = stoa_rules::dispatch!(game, |P, options| {
                first_moves(&P::start(options)).into_iter().flat_map(|class| class.all).collect()
            });
            members.sort_unstable();
            let count = game.start().count_moves() as u16;
            assert_eq!(members, (0..count).collect::<Vec<_>>(), "{game}");
        }
    }

    #[test]
    fn the_best_and_the_most_even_are_compared() {
        let surveyed = |mv, points: i16| Aside { turn: 0, mv, score: -points };
        let survey: Vec<Aside> = (0..20).map(|n| surveyed(n as u16 * 3, 10 * (n - 10))).collect();
        let chosen = candidates(&survey);
        assert_eq!(chosen.len(), CANDIDATES);
        assert!(chosen.contains(&57) && chosen.contains(&54) && chosen.contains(&30));
        assert!(!chosen.contains(&0));
        assert!(chosen.is_sorted());
        assert_eq!(candidates(&survey[..3]), [0, 3, 6]);
    }
}
