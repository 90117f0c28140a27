//! Who plays whom: two who want the same, the longest wait first, and the nearest by rating for each.

use std::collections::HashSet;

use super::MAX_MATCHES;
use crate::store::{Queue, Seek};

/// How far apart two ratings may be at once, and how much farther after each second of waiting.
const RATING_GAP: f64 = 75.0;
const RATING_GAP_PER_SECOND: f64 = 25.0;
/// Without a rating a player is taken for a typical one, which may be wrong by so much.
const TYPICAL_RATING: f64 = 1500.0;
const UNRATED_DEVIATION: f64 = 350.0;

/// How particular to be. Those who find nobody as they would like best take others in the same round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Both have a rating, and they have not just met.
    Close,
    /// They have not just met.
    New,
    Anyone,
}

/// How far a place is from another, and how far both are willing to go: nothing if that is not far enough.
fn distance(one: &Seek, other: &Seek, now: i64) -> Option<f64> {
    if (&one.game, &one.control) != (&other.game, &other.control) || one.player == other.player {
        return None;
    }
    let [a, b] = [one, other].map(|seek| seek.rating.unwrap_or(TYPICAL_RATING));
    let is_unsure = one.rating.is_none() || other.rating.is_none();
    let deviation = if is_unsure { UNRATED_DEVIATION } else { 0.0 };
    let waited = (now - one.since.min(other.since)).max(0) as f64 / 1000.0;
    let gap = (a - b).abs();
    (gap <= RATING_GAP + deviation + RATING_GAP_PER_SECOND * waited).then_some(gap)
}

/// The pairs of a round: players who have waited longest are paired first, with the nearest; among equals the
/// one who has waited longest. Places are in the order of waiting.
pub(super) fn choose(queue: &Queue, now: i64) -> Vec<[usize; 2]> {
    let Queue { places, blocked, met } = queue;
    let is_in = |pairs: &HashSet<(String, String)>, one: &Seek, other: &Seek| {
        let has =
            |one: &Seek, other: &Seek| pairs.contains(&(one.player.clone(), other.player.clone()));
        !pairs.is_empty() && (has(one, other) || has(other, one))
    };
    let mut is_free: Vec<bool> = places.iter().map(|place| place.paired.is_none()).collect();
    let mut chosen = Vec::new();
    for pass in [Pass::Close, Pass::New, Pass::Anyone] {
        let takes = |place: &Seek| pass != Pass::Close || place.rating.is_some();
        for index in 0..places.len() {
            if chosen.len() == MAX_MATCHES {
                return chosen;
            }
            if !is_free[index] || !takes(&places[index]) {
                continue;
            }
            let mut nearest: Option<(f64, usize)> = None;
            for other in index + 1..places.len() {
                let pair = [&places[index], &places[other]];
                if is_free[other]
                    && takes(pair[1])
                    && let Some(gap) = distance(pair[0], pair[1], now)
                    && nearest.is_none_or(|(best, _)| gap < best)
                    && !is_in(blocked, pair[0], pair[1])
                    && (pass == Pass::Anyone || !is_in(met, pair[0], pair[1]))
                {
                    nearest = Some((gap, other));
                    if gap == 0.0 {
                        break;
                    }
                }
            }
            if let Some((_, other)) = nearest {
                (is_free[index], is_free[other]) = (false, false);
                chosen.push([index, other]);
            }
        }
    }
    chosen
}

#[cfg(test)]
pub(super) mod tests {
    use stoa_wire::PlayerKind;

    use super::*;

    pub(in crate::pairing) fn queue(places: &[Seek]) -> Queue {
        Queue { places: places.to_vec(), ..Queue::default() }
    }

    pub(in crate::pairing) fn place(
        player: &str,
        game: &str,
        rating: Option<f64>,
        since: i64,
    ) -> Seek {
        Seek {
            player: player.to_owned(),
            kind: PlayerKind::Account,
            ticket: player.to_owned(),
            node: "node".to_owned(),
            game: game.to_owned(),
            control: r#"{"kind":"clock","initial":300,"increment":5}"#.to_owned(),
            rating,
            since,
            paired: None,
        }
    }

    #[test]
    fn without_ratings_first_come_first_served() {
        let games = ["impasse", "colonnade", "impasse", "impasse", "colonnade", "impasse"];
        let places: Vec<Seek> =
            (0..).zip(games).map(|(n, game)| place(&n.to_string(), game, None, n)).collect();
        assert_eq!(choose(&queue(&places), 10), [[0, 2], [1, 4], [3, 5]]);
    }

    #[test]
    fn the_nearest_comes_first_and_others_after_a_while() {
        let places = [
            place("a", "impasse", Some(1500.0), 0),
            place("b", "impasse", Some(1900.0), 0),
            place("c", "impasse", Some(1560.0), 0),
        ];
        assert_eq!(choose(&queue(&places), 0), [[0, 2]]);
        let far = &places[..2];
        assert!(choose(&queue(far), 0).is_empty(), "too far apart");
        assert!(choose(&queue(far), 12_000).is_empty());
        assert_eq!(choose(&queue(far), 13_000), [[0, 1]], "after this long any opponent will do");
        assert_eq!(choose(&queue(&[far[0].clone(), place("d", "impasse", None, 0)]), 0), [[0, 1]]);
    }

    #[test]
    fn nobody_plays_twice_or_against_themselves_or_at_another_pace() {
        let mut places = [
            place("a", "impasse", None, 0),
            place("a", "impasse", None, 0),
            place("b", "impasse", None, 0),
            place("c", "impasse", None, 0),
        ];
        places[2].paired = Some("game".to_owned());
        places[3].control = r#"{"kind":"clock","initial":60,"increment":0}"#.to_owned();
        assert!(choose(&queue(&places), 0).is_empty());
        let crowd: Vec<Seek> =
            (0..1000).map(|n| place(&n.to_string(), "impasse", None, 0)).collect();
        let pairs = choose(&queue(&crowd), 0);
        let mut players: Vec<usize> = pairs.concat();
        players.sort_unstable();
        players.dedup();
        assert_eq!((pairs.len(), players.len()), (MAX_MATCHES, 2 * MAX_MATCHES));
    }

    #[test]
    fn blocked_players_are_not_paired() {
        let places = ["a", "b", "c"].map(|player| place(player, "impasse", None, 0));
        for block in [("a", "b"), ("b", "a")] {
            let mut queue = queue(&places);
            queue.blocked.insert((block.0.to_owned(), block.1.to_owned()));
            assert_eq!(choose(&queue, 0), [[0, 2]], "{block:?}");
        }
    }

    #[test]
    fn close_ratings_come_before_players_without_one() {
        let guest = |id: &str| place(id, "impasse", None, 0);
        let rated = |id: &str, rating| place(id, "impasse", Some(rating), 1);
        let places = [rated("a", 1520.0), guest("guest"), rated("b", 1590.0)];
        assert_eq!(choose(&queue(&places), 1), [[0, 2]]);
        let places = [guest("guest"), rated("a", 1520.0), rated("b", 1590.0)];
        assert_eq!(choose(&queue(&places), 1), [[1, 2]], "though the guest has waited longer");
        let places = [guest("guest"), rated("a", 1900.0), rated("b", 1400.0)];
        assert_eq!(choose(&queue(&places), 1), [[0, 2]], "who probably plays like most");
        let master = [guest("guest"), rated("a", 2300.0)];
        assert!(choose(&queue(&master), 1000).is_empty());
        assert_eq!(choose(&queue(&master), 30_000), [[0, 1]], "after a while");
    }

    #[test]
    fn two_who_have_just_met_are_paired_with_others_first() {
        let places = ["a", "b", "c"].map(|player| place(player, "impasse", Some(1500.0), 0));
        for met in [("a", "b"), ("b", "a")] {
            let mut queue = queue(&places);
            queue.met.insert((met.0.to_owned(), met.1.to_owned()));
            assert_eq!(choose(&queue, 0), [[0, 2]], "{met:?}");
            queue.places.pop();
            assert_eq!(choose(&queue, 0), [[0, 1]], "nobody else is there");
        }
        let mut queue = queue(&places);
        queue.places[2].rating = None;
        queue.met.insert(("a".to_owned(), "b".to_owned()));
        assert_eq!(choose(&queue, 0), [[0, 2]], "another without a rating, too");
    }
}
