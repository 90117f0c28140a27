//! Whole random games by the thousand, as arrays.

use stoa_rules::playout::{Rng, random_game};
use stoa_rules::{Game, Playable, Side, Visitor};

/// What random games were like, one entry for each game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RandomGames {
    /// Who won: 0 for the first player, 1 for the second, -1 for nobody.
    pub winners: Vec<i8>,
    /// How many turns were played.
    pub plies: Vec<i32>,
    /// How many legal moves there were, added up over all turns.
    pub choices: Vec<i64>,
}

/// Plays random games from the start position until all are over. Game number `i` depends on the seed
/// and on `i` alone. `go_on` is asked now and then whether to continue; what has been played until
/// then is returned.
pub fn random_games(game: Game, count: usize, seed: u64, go_on: impl Fn() -> bool) -> RandomGames {
    struct Play<F>(usize, u64, F);
    impl<F: Fn() -> bool> Visitor for Play<F> {
        type Output = RandomGames;
        fn visit<P: Playable>(self, options: P::Options) -> RandomGames {
            let Play(count, seed, go_on) = self;
            let mut games = RandomGames::default();
            for index in 0..count {
                if index % GAMES_BETWEEN_QUESTIONS == 0 && !go_on() {
                    break;
                }
                let mut position = P::start(options);
                let played = random_game(&mut position, &mut Rng::for_game(seed, index as u64));
                games.winners.push(winner(played.outcome.winner));
                games.plies.push(played.plies as i32);
                games.choices.push(played.choices as i64);
            }
            games
        }
    }
    game.visit(Play(count, seed, go_on))
}

/// How many games are played before `go_on` is asked again.
const GAMES_BETWEEN_QUESTIONS: usize = 64;

fn winner(side: Option<Side>) -> i8 {
    side.map_or(-1, |side| side.index() as i8)
}
