//! Accuracy: what a player's moves lost on average, on a scale that the engine's levels set.
//!
//! How much of the chances a weak move loses is very different from game to game, so each game has a table of
//! what its levels lose in games against themselves (`games/GAME/accuracy.txt`, made by `npm run calibrate` in
//! `web`, and read by the page, too): random moves are about 10, level 5 about 55, level 9 about 91, and
//! nothing lost is 100.

use stoa_rules::Game;

use super::{Class, Reviewed};
use crate::Knowledge;
use crate::games::{KnowledgeVisitor, visit};

const RANDOM_ACCURACY: f64 = 10.0;
const LEVEL_STEP: f64 = 9.0;

/// With better chances than the rest of this, or worse than this, a game is as good as decided.
const DECIDED: f64 = 0.1;

/// From fewer moves no accuracy is computed: it would say more about luck than about the player.
const MIN_MOVES: usize = 4;

/// What giving up all resistance in a lost position counts, as a part of a game.
const LOST_ANYWAY: f64 = 0.25;

/// A game that ends this few turns sooner is no shorter that anyone would notice.
const FEW_TURNS: u32 = 3;

/// What a move counts as having lost, for the average; nothing if it does not say how well somebody plays. Where
/// there is one move only, nothing is chosen; where a game is as good as decided, no move costs much, and a long one
/// would make everybody look strong. In a solved game every position is decided, and every move counts.
pub(super) fn cost(mv: &Reviewed, is_solved: bool) -> Option<f64> {
    let before = mv.before.mover;
    let is_open = (DECIDED..=1.0 - DECIDED).contains(&before.win_probability());
    let is_known = is_solved && before.is_proven();
    let is_telling = mv.class != Class::Forced && (is_open || is_known || mv.lost >= DECIDED);
    is_telling.then(|| mv.lost.max(LOST_ANYWAY * shortening(mv)))
}

/// Which part of the best resistance a move in a lost position gives up.
fn shortening(mv: &Reviewed) -> f64 {
    let (before, after) = (mv.before.mover, mv.after.mover);
    match (before.turns(), after.turns()) {
        (Some(best), Some(left)) if before.is_loss() && after.is_loss() => {
            match best.saturating_sub(left + 1) {
                ..=FEW_TURNS => 0.0,
                sooner => f64::from(sooner) / f64::from(best),
            }
        }
        _ => 0.0,
    }
}

/// Whether a game is solved, so that proven moves count.
pub(super) fn is_solved(game: Game) -> bool {
    struct IsSolved;
    impl KnowledgeVisitor for IsSolved {
        type Output = bool;
        fn visit<P: Knowledge>(self, _: P::Options) -> bool {
            P::IS_SOLVED
        }
    }
    visit(game, IsSolved)
}

fn level_losses(game: Game) -> &'static str {
    struct LevelLosses;
    impl KnowledgeVisitor for LevelLosses {
        type Output = &'static str;
        fn visit<P: Knowledge>(self, options: P::Options) -> &'static str {
            P::level_losses(options)
        }
    }
    visit(game, LevelLosses)
}

/// The accuracy of somebody who lost this much on average over so many telling moves, from 0 to 100; nothing if
/// they are too few.
pub(super) fn accuracy(game: Game, average_loss: f64, moves: usize) -> Option<f64> {
    // The page does the same with what it knows for certain (`web/src/lib/review`), and must be small.
    if cfg!(target_arch = "wasm32") {
        return None;
    }
    (moves >= MIN_MOVES).then(|| Scale::read(level_losses(game)).accuracy(average_loss))
}

/// Points of a scale: how much is lost, and which accuracy that is. From the most to the least lost.
#[derive(Debug)]
struct Scale(Vec<(f64, f64)>);

impl Scale {
    /// The scale of a table. Neighbouring levels whose losses are in the wrong order, which happens where games
    /// are few, are put together. Lines that are no rows are left out.
    fn read(table: &str) -> Scale {
        struct Pool {
            loss: f64,
            accuracy: f64,
            moves: f64,
        }
        let mut pools: Vec<Pool> = Vec::new();
        for line in table.lines() {
            let numbers: Vec<f64> =
                line.split_whitespace().map_while(|word| word.parse().ok()).collect();
            let [level, loss, moves] = numbers[..] else { continue };
            let mut pool = Pool { loss, accuracy: RANDOM_ACCURACY + LEVEL_STEP * level, moves };
            while let Some(last) = pools.pop_if(|last| last.loss <= pool.loss) {
                let moves = last.moves + pool.moves;
                let mean = |a: f64, b: f64| (a * last.moves + b * pool.moves) / moves;
                pool = Pool {
                    loss: mean(last.loss, pool.loss),
                    accuracy: mean(last.accuracy, pool.accuracy),
                    moves,
                };
            }
            pools.push(pool);
        }
        Scale(pools.into_iter().map(|pool| (pool.loss, pool.accuracy)).collect())
    }

    fn accuracy(&self, loss: f64) -> f64 {
        let mut upper: Option<(f64, f64)> = None;
        for &lower in self.0.iter().chain(&[(0.0, 100.0)]) {
            if lower.0 <= loss {
                return match upper {
                    // Worse than random: as far from random play as the loss is greater.
                    None => lower.1 * lower.0 / loss,
                    Some(upper) => {
                        let part = (upper.0 - loss) / (upper.0 - lower.0);
                        upper.1 + part * (lower.1 - upper.1)
                    }
                };
            }
            upper = Some(lower);
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use stoa_rules::GameOptions as _;

    use super::*;

    #[test]
    fn the_levels_set_the_scale() {
        let scale = Scale::read("# a comment\n0 0.2 100\n5 0.05 100\n9 0.01 100\n");
        let near = |loss: f64, expected: f64| (scale.accuracy(loss) - expected).abs() < 1e-9;
        assert!(near(0.0, 100.0) && near(0.01, 91.0) && near(0.05, 55.0) && near(0.2, 10.0));
        assert!(near(0.4, 5.0), "worse than random");
        assert!(near(0.125, 32.5) && near(0.005, 95.5), "between two levels");
    }

    #[test]
    fn levels_in_the_wrong_order_are_put_together() {
        let scale = Scale::read("0 0.2 10\n3 0.04 10\n5 0.06 30\n9 0.01 10\n");
        assert_eq!(scale.0.len(), 3);
        let (loss, accuracy) = scale.0[1];
        assert!((loss - 0.055).abs() < 1e-9 && (accuracy - 50.5).abs() < 1e-9);
    }

    /// The page finds the file of a table by this rule.
    #[test]
    fn the_table_of_the_nearest_option_counts() {
        struct OptionWord;
        impl KnowledgeVisitor for OptionWord {
            type Output = String;
            fn visit<P: Knowledge>(self, options: P::Options) -> String {
                options.word().unwrap_or_default()
            }
        }
        for game in Game::variants() {
            let name = game.to_string();
            let id = name.split(':').next().unwrap();
            let option = visit(game, OptionWord);
            let folder = format!("{}/src/games/{id}", env!("CARGO_MANIFEST_DIR"));
            let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
            // The usual option is named in the first line of its table.
            let usual = read("accuracy.txt");
            let named = usual.split_whitespace().find(|word| word.starts_with(id)).unwrap();
            let mut tables =
                vec![(named.split(':').nth(1).unwrap_or("").to_owned(), usual.clone())];
            for entry in std::fs::read_dir(&folder).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                let other =
                    name.strip_prefix("accuracy-").and_then(|name| name.strip_suffix(".txt"));
                tables.extend(other.map(|other| (other.to_owned(), read(&name))));
            }
            let number = |text: &str| text.parse::<i32>().ok();
            let distance = |other: &str| match (number(&option), number(other)) {
                (Some(wanted), Some(found)) => ((wanted - found).abs(), found),
                _ if other == option => (0, 0),
                _ => (i32::MAX, 0),
            };
            let nearest = tables.iter().min_by_key(|(other, _)| distance(other)).unwrap();
            assert_eq!(level_losses(game), nearest.1, "{game}");
        }
    }

    #[test]
    fn every_game_tells_random_play_from_strong_play() {
        for game in Game::ALL {
            let of = |loss: f64| accuracy(game, loss, 100).expect("a table");
            assert!(of(0.6) < 15.0 && of(0.0) == 100.0, "{game}");
            assert_eq!(accuracy(game, 0.1, MIN_MOVES - 1), None);
        }
    }
}
