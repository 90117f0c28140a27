//! Taking everything along, and leaving.

use std::io;

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum_extra::extract::SignedCookieJar;
use futures_util::stream;

use super::Error;
use super::challenges::tell_closed;
use super::identity::{InPerson, Me, signed_out};
use crate::app::Handle;
use crate::play::Action;
use crate::rooms::RoomError;
use crate::store::Filter;

/// Games that are given up one after the other before it is looked for more, and how often that is done.
const TOGETHER: i64 = 100;
const ROUNDS: usize = 100;

/// All my games as records, oldest first, an empty line between them: a file that `stoa` reads.
#[utoipa::path(get, path = "/api/me/export", operation_id = "export_me", tag = "players",
    responses((status = 200, body = String, content_type = "text/plain"),
        (status = 401, body = Error), (status = 429, body = Error)))]
pub(crate) async fn export(
    State(app): State<Handle>,
    Me(me): Me,
) -> Result<impl IntoResponse, Error> {
    app.limits.export(&me.id)?;
    let games = app.store.all_games_of(&me.id).await?;
    // One after the other, as fast as they are taken: a long history needs no more memory than a short
    // one.
    let records =
        stream::unfold((app, games.into_iter(), ""), |(app, mut games, gap)| async move {
            let game = games.next()?;
            let record = app.rooms.record_once(&game).await;
            let record = record.map(|record| format!("{gap}{record}")).map_err(io::Error::other);
            Some((record, (app, games, "\n")))
        });
    let kind = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"stoa-games.txt\""),
    ];
    Ok((kind, Body::from_stream(records)))
}

/// Delete everything about me: name, password, tokens, open challenges. Games that are being played are
/// given up. Games stay, since they are also somebody else's, with an empty name in place of mine.
#[utoipa::path(delete, path = "/api/me", operation_id = "delete_me", tag = "players",
    responses((status = 204, description = "done"), (status = 401, body = Error),
        (status = 403, body = Error), (status = 503, body = Error)))]
pub(crate) async fn delete(
    State(app): State<Handle>,
    InPerson(me): InPerson,
    jar: SignedCookieJar,
) -> Result<(StatusCode, SignedCookieJar), Error> {
    // Should something fail in between, the player is still there and can ask again.
    give_up_all(&app, &me.id).await?;
    let challenges = app.store.delete_player(&me.id, app.time.now()).await?;
    app.player_changed(&me.id).await;
    for challenge in challenges {
        tell_closed(&app, &challenge).await?;
    }
    // Somebody may have accepted a challenge just before.
    give_up_all(&app, &me.id).await?;
    Ok((StatusCode::NO_CONTENT, signed_out(jar, &app)))
}

async fn give_up_all(app: &Handle, player: &str) -> Result<(), Error> {
    for _ in 0..ROUNDS {
        let games = app.store.games_of(player, Filter::Playing, i64::MAX, TOGETHER).await?;
        if games.is_empty() {
            break;
        }
        for game in games {
            match app.rooms.act(&game.id, player, &Action::Resign).await {
                // Refused if it has ended in the meantime.
                Ok(_) | Err(RoomError::Refused(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}
