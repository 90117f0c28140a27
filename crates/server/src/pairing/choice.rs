//! Who plays whom: two who want the same, the longest wait first, and the nearest by rating for each.

use std::collections::{HashMap, HashSet};

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

/// How many pairs of places are compared in a round and a pass, among those who want the same. Places that match with
/// nobody stay, and cost this again in every round.
const MAX_COMPARISONS: usize = 200_000;

/// How far a place is from another, and how far both are willing to go: nothing if that is not far enough.
fn distance(one: &Seek, other: &Seek, now: i64) -> Option<f64> {
    let [a, b] = [one, other].map(|seek| seek.rating.unwrap_or(TYPICAL_RATING));
    let is_unsure = one.rating.is_none() || other.rating.is_none();
    let deviation = if is_unsure { UNRATED_DEVIATION } else { 0.0 };
    let waited = (now - one.since.min(other.since)).max(0) as f64 / 1000.0;
    let gap = (a - b).abs();
    (gap <= RATING_GAP + deviation + RATING_GAP_PER_SECOND * waited).then_some(gap)
}

/// Pairs of players, by the indices of their places.
struct Pairs(HashSet<[usize; 2]>);

impl Pairs {
    fn new(pairs: &HashSet<(String, String)>, places: &[Seek]) -> Pairs {
        if pairs.is_empty() {
            return Pairs(HashSet::new());
        }
        let indices: HashMap<&str, usize> =
            places.iter().zip(0..).map(|(place, index)| (place.player.as_str(), index)).collect();
        let index = |player: &String| indices.get(player.as_str()).copied();
        let both = pairs.iter().filter_map(|(one, other)| Some([index(one)?, index(other)?]));
        Pairs(both.flat_map(|[one, other]| [[one, other], [other, one]]).collect())
    }

    fn has(&self, one: usize, other: usize) -> bool {
        self.0.contains(&[one, other])
    }
}

/// The places of those who want the same, in the order of waiting.
#[derive(Debug, Default)]
struct Crowd {
    places: Vec<usize>,
    /// How many pairs have been compared in this pass.
    compared: usize,
}

/// The pairs of a round: players who have waited longest are paired first, with the nearest; among equals the
/// one who has waited longest. Places are in the order of waiting.
pub(super) fn choose(queue: &Queue, now: i64) -> Vec<[usize; 2]> {
    choose_within(queue, now, MAX_COMPARISONS)
}

fn choose_within(queue: &Queue, now: i64, max_comparisons: usize) -> Vec<[usize; 2]> {
    let places = &queue.places;
    let [blocked, met] = [&queue.blocked, &queue.met].map(|pairs| Pairs::new(pairs, places));
    let mut crowds: HashMap<(&str, &str), Crowd> = HashMap::new();
    // Where each place is in its crowd.
    let mut ranks = Vec::with_capacity(places.len());
    for (index, place) in places.iter().enumerate() {
        let crowd = &mut crowds.entry((&place.game, &place.control)).or_default().places;
        ranks.push(crowd.len());
        crowd.push(index);
    }
    let mut is_free: Vec<bool> = places.iter().map(|place| place.paired.is_none()).collect();
    let mut chosen = Vec::new();
    for pass in [Pass::Close, Pass::New, Pass::Anyone] {
        let takes = |place: &Seek| pass != Pass::Close || place.rating.is_some();
        crowds.values_mut().for_each(|crowd| crowd.compared = 0);
        for (index, place) in places.iter().enumerate() {
            if chosen.len() == MAX_MATCHES {
                return chosen;
            }
            if !is_free[index] || !takes(place) {
                continue;
            }
            let Some(crowd) = crowds.get_mut(&(place.game.as_str(), place.control.as_str())) else {
                continue;
            };
            let Crowd { places: crowd, compared } = crowd;
            let mut nearest: Option<(f64, usize)> = None;
            for &other in &crowd[ranks[index] + 1..] {
                if *compared >= max_comparisons {
                    break;
                }
                *compared += 1;
                if is_free[other]
                    && takes(&places[other])
                    && place.player != places[other].player
                    && let Some(gap) = distance(place, &places[other], now)
                    && nearest.is_none_or(|(best, _)| gap < best)
                    && !blocked.has(index, other)
                    && (pass == Pass::Anyone || !met.has(index, other))
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
    use stoa_rules::playout::Rng;
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

    /// The same as [`choose`], by comparing everybody with everybody.
    fn slow_twin(queue: &Queue, now: i64) -> Vec<[usize; 2]> {
        let Queue { places, blocked, met } = queue;
        let has = |pairs: &HashSet<(String, String)>, [one, other]: [&Seek; 2]| {
            pairs.contains(&(one.player.clone(), other.player.clone()))
                || pairs.contains(&(other.player.clone(), one.player.clone()))
        };
        let mut chosen: Vec<[usize; 2]> = Vec::new();
        for pass in [Pass::Close, Pass::New, Pass::Anyone] {
            for one in 0..places.len() {
                let fits = |other: usize| {
                    let pair = [&places[one], &places[other]];
                    let is_free = |index: usize| {
                        places[index].paired.is_none()
                            && !chosen.iter().flatten().any(|n| *n == index)
                    };
                    let is_wanted = is_free(one)
                        && is_free(other)
                        && (&pair[0].game, &pair[0].control) == (&pair[1].game, &pair[1].control)
                        && pair[0].player != pair[1].player
                        && (pass != Pass::Close || pair.iter().all(|place| place.rating.is_some()))
                        && !has(blocked, pair)
                        && (pass == Pass::Anyone || !has(met, pair));
                    Some((distance(pair[0], pair[1], now).filter(|_| is_wanted)?, other))
                };
                let found = (one + 1..places.len()).filter_map(fits);
                let nearest = found.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                if let Some((_, other)) = nearest
                    && chosen.len() < MAX_MATCHES
                {
                    chosen.push([one, other]);
                }
            }
        }
        chosen
    }

    #[test]
    fn the_pairs_are_those_of_the_slow_twin() {
        let mut rng = Rng::new(7);
        let mut pairs = 0;
        for _ in 0..300 {
            let mut any = |count: usize| rng.below(count);
            let mut places: Vec<Seek> = (0..any(60))
                .map(|n| {
                    let rating = (any(3) > 0).then(|| 1000.0 + 50.0 * any(20) as f64);
                    let game = ["impasse", "columna", "colonnade"][any(3)];
                    let mut place = place(&n.to_string(), game, rating, any(30_000) as i64);
                    if any(4) == 0 {
                        place.control = r#"{"kind":"clock","initial":60,"increment":0}"#.to_owned();
                    }
                    place.paired = (any(9) == 0).then(|| "game".to_owned());
                    place
                })
                .collect();
            places.sort_by_key(|place| place.since);
            let mut queue = queue(&places);
            for pairs in [&mut queue.blocked, &mut queue.met] {
                *pairs = (0..any(40)).map(|_| (any(60).to_string(), any(60).to_string())).collect();
            }
            let chosen = choose(&queue, 30_000);
            assert_eq!(chosen, slow_twin(&queue, 30_000), "{queue:?}");
            pairs += chosen.len();
        }
        assert!(pairs > 1000, "{pairs}");
    }

    #[test]
    fn places_that_match_with_nobody_cost_little_and_hold_up_nobody_who_wants_another_game() {
        let mut places: Vec<Seek> =
            (0..300).map(|n| place(&n.to_string(), "impasse", None, n)).collect();
        places.extend((300..302).map(|n| place(&n.to_string(), "columna", None, n)));
        let mut queue = queue(&places);
        let enemies = (0..300).flat_map(|n| (0..n).map(move |m| (n.to_string(), m.to_string())));
        queue.blocked = enemies.collect();
        assert_eq!(choose_within(&queue, 0, 1000), [[300, 301]]);
        assert_eq!(
            choose_within(&queue, 0, 0),
            [[0; 2]; 0],
            "nothing is compared beyond the limit"
        );
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
