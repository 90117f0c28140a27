//! The opening explorer: what was played from a position in the finished games, symmetries folded.
//!
//! A game that ends is put into a queue in the same commit. A background task counts its first moves, and stores
//! the positions by which the archive finds it, a few games at a time and in order; the commit that counts a
//! game takes it out of the queue, so every game is counted exactly once, whichever node does it and whatever
//! crashes in between. Moves come first: the task writes little at a time, and lets others write first.

use std::time::Duration;

use stoa_rules::{AnyPosition, Side};
use stoa_wire::{ExploredMove, PlayerKind};

use crate::app::App;
use crate::monitoring::warn_folded;
use crate::play::Play;
use crate::rooms::RoomError;
use crate::store::{Count, ExploredRow, GameRow, PlayedGame, StoreError, Turn};

/// How many moves of a game are counted.
pub(crate) const MAX_PLIES: usize = 40;
/// How many games are read from the queue at a time.
const BATCH: i64 = 50;
/// How many turns one transaction counts, unless a single game has more: moves wait for it.
const MAX_TURNS: usize = 200;
/// How long to wait when the queue is empty.
const IDLE_INTERVAL: Duration = Duration::from_secs(1);

/// The moves of all people, and those of all bots; no player's id has an asterisk.
pub(crate) const PEOPLE: &str = "*people";
pub(crate) const BOTS: &str = "*bots";

/// The key by which positions are found. Two games, or two sizes of one, never share one on purpose.
pub(crate) fn position_key(position: &AnyPosition) -> i64 {
    // FNV-1a: the same on every machine and in every version, as a database needs it.
    let name = position.game().to_string();
    let seed = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (position.folded_key() ^ seed).cast_signed()
}

/// What the first moves of a finished game add to the numbers, and the positions to which they led.
fn turns(row: &GameRow, play: &Play) -> (Vec<Turn>, Vec<i64>) {
    let winner = row.snapshot.result.and_then(|result| result.winner);
    let mut position = play.game().start();
    let (mut turns, mut positions) = (Vec::new(), Vec::new());
    for text in play.moves.iter().take(MAX_PLIES) {
        let side: Side = position.side_to_move();
        let player = &row.players[side.index()];
        let key = position_key(&position);
        let Some(folded) = position.folded_move(text) else { break };
        let count = match winner {
            None => Count::Drawn,
            Some(winner) if winner == side => Count::Won,
            Some(_) => Count::Lost,
        };
        let is_bot = player.kind == PlayerKind::Bot;
        let own = (!is_bot).then_some(player.id.as_str());
        for scope in [if is_bot { BOTS } else { PEOPLE }].into_iter().chain(own) {
            turns.push(Turn {
                scope: scope.to_owned(),
                position: key,
                text: folded.clone(),
                count,
            });
        }
        if position.play(text).is_err() {
            break;
        }
        positions.push(key);
    }
    positions.push(position_key(&position));
    // All games of a kind begin with the same one.
    positions.remove(0);
    (turns, positions)
}

/// Counts the games that have ended, until the task is aborted.
pub(crate) async fn run(app: &App) {
    loop {
        match count_some(app).await {
            Ok(0) => tokio::time::sleep(IDLE_INTERVAL).await,
            Ok(_) => {}
            Err(error) => {
                warn_folded!(%error, "cannot count what was played");
                tokio::time::sleep(IDLE_INTERVAL).await;
            }
        }
    }
}

/// Counts some games of the queue, and returns how many there were.
async fn count_some(app: &App) -> Result<usize, StoreError> {
    let queue = app.store.answered(app.store.uncounted(BATCH)).await?;
    let mut games: Vec<PlayedGame> = Vec::new();
    for (ended, id) in &queue {
        let game = played_game(app, *ended, id).await?;
        let turns: usize = games.iter().map(|game| game.turns.len()).sum();
        if !games.is_empty() && turns + game.turns.len() > MAX_TURNS {
            app.store.in_time(app.store.count_turns(&games)).await?;
            games.clear();
        }
        games.push(game);
    }
    app.store.in_time(app.store.count_turns(&games)).await?;
    Ok(queue.len())
}

/// What there is to count of a game. One that cannot be read has nothing, and does not stop the others.
async fn played_game(app: &App, ended: i64, id: &str) -> Result<PlayedGame, StoreError> {
    let ((turns, positions), people) = match app.rooms.read_game(id).await {
        Ok((row, play)) => {
            let people = row.players.iter().filter(|player| player.kind != PlayerKind::Bot);
            (turns(&row, &play), people.map(|player| player.id.clone()).collect())
        }
        Err(RoomError::Store(StoreError::Corrupt(error))) => {
            warn_folded!(error, game = id, "a game cannot be counted");
            Default::default()
        }
        Err(RoomError::Store(error)) => return Err(error),
        Err(_) => Default::default(),
    };
    Ok(PlayedGame { ended, id: id.to_owned(), turns, positions, people })
}

/// The moves that were played from a position, in its own notation, the most frequent first.
pub(crate) fn unfold(position: &AnyPosition, rows: Vec<ExploredRow>) -> Vec<ExploredMove> {
    let mut texts = position.unfolded_moves();
    let mut moves: Vec<ExploredMove> = rows
        .into_iter()
        .filter_map(|ExploredRow { text, won, drawn, lost, game }| {
            Some(ExploredMove { text: texts.remove(&text)?, won, drawn, lost, game })
        })
        .collect();
    moves.sort_by(|a, b| {
        let played = |one: &ExploredMove| one.won + one.drawn + one.lost;
        (played(b), &a.text).cmp(&(played(a), &b.text))
    });
    moves
}

#[cfg(test)]
mod tests {
    use stoa_rules::Game;

    use super::*;

    #[test]
    fn games_and_sizes_have_keys_of_their_own() {
        let keys: std::collections::HashSet<i64> =
            Game::variants().map(|game| position_key(&game.start())).collect();
        assert_eq!(keys.len(), Game::variants().count());
    }

    #[test]
    fn moves_that_are_the_same_but_for_a_symmetry_are_one() {
        let start = "palisade:9".parse::<Game>().expect("a game").start();
        let corners = ["a1", "a9"].map(|corner| start.folded_move(corner));
        assert!(corners[0].is_some() && corners[0] == corners[1], "{corners:?}");
        let text = corners[0].clone().expect("a move");
        let row = ExploredRow { text, won: 2, drawn: 0, lost: 1, game: "g".to_owned() };
        let moves = unfold(&start, vec![row]);
        assert_eq!(moves.len(), 1);
        assert!(start.legal_moves().contains(&moves[0].text));
    }
}
