//! How games begin, and rematches with them.

use stoa_rules::Game;
use stoa_wire::{PlayerKind, TimeControl};

use super::{Content, RoomError, Rooms};
use crate::ids;
use crate::monitoring::error_folded;
use crate::play::{Downtimes, Play, Refusal};
use crate::ratings::Category;
use crate::store::{NewGame, Snapshot};

impl Rooms {
    /// Whether two players can have a rematch; returns of which kinds they are.
    pub(super) async fn check_rematch(&self, game: &NewGame) -> Result<[PlayerKind; 2], RoomError> {
        let store = &self.store;
        let mut kinds = [PlayerKind::Guest; 2];
        for (player, kind) in game.players.iter().zip(&mut kinds) {
            let found = store.answered(store.player(player)).await?;
            let found = found.filter(|player| player.deleted.is_none());
            *kind = found.ok_or(Refusal::OpponentGone)?.kind;
        }
        let [first, second] = &game.players;
        if store.answered(store.is_blocked(first, second)).await? {
            return Err(Refusal::Blocked.into());
        }
        if let Some(engine_game) = game.engine_game() {
            let limits = self.limits.engine_games();
            let checked = store.check_engine(engine_game, limits, game.created);
            store.answered(checked).await??;
        }
        Ok(kinds)
    }

    /// Publishes to both players that a game has begun, and watches its deadline.
    pub(crate) async fn started(&self, id: &str) {
        metrics::counter!("stoa_games_started_total").increment(1);
        match self.with(id, |content| content.row.clone()).await {
            Ok(row) => {
                self.watch_deadline(id, row.snapshot.deadline);
                self.publish_to_players(&row, None);
            }
            Err(error) => error_folded!(%error, game = id, "cannot read a new game"),
        }
    }
}

impl Content {
    /// The rematch, with sides swapped.
    pub(super) fn rematch(&self, now: i64) -> NewGame {
        let [first, second] = self.row.players.each_ref().map(|player| player.id.clone());
        let mut game =
            new_game(self.play.game(), self.row.control, [second, first], Some(&self.row.id), now);
        game.network.clone_from(&self.row.network);
        game
    }
}

/// A game that begins now and is not rated.
pub(crate) fn new_game(
    game: Game,
    control: TimeControl,
    players: [String; 2],
    previous: Option<&str>,
    now: i64,
) -> NewGame {
    let play = Play::new(game, control, now);
    NewGame {
        id: ids::short(),
        game: game.to_string(),
        control,
        rated: false,
        category: Category::of(game, control),
        players,
        previous: previous.map(str::to_owned),
        created: now,
        network: None,
        snapshot: Snapshot::from(&play.situation(now, &Downtimes::default())),
    }
}
